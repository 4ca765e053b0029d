"""The published scorers, bug for bug, so that a result can stand beside the papers' tables.

They are weak: `exact` shares none of this. All of them take time linear in the completion.
"""

from typing import Final

from tokenbench.errors import unknown
from tokenbench.published import rules_charbench, rules_cute, rules_tase

EVALUATIONS: Final = (
    *rules_tase.EVALUATIONS,
    *rules_cute.EVALUATIONS,
    *rules_charbench.EVALUATIONS,
)


def taken_out(evaluation: str, completion: str | None) -> str:
    """Return the answer that a published scorer takes from a completion; empty if there is none.

    Source: TASE, CUTE and EXECUTE, CharBench, published scorers, taking the answer out.

    Args:
        evaluation: the evaluation type of the item.
        completion: the model's whole output; None is a missing one.

    Raises:
        UnknownNameError: no such evaluation type.

    >>> taken_out("number", "**7**, so <answer> 4 </answer>, no: <answer>5</answer>")
    '4'
    >>> taken_out("quoted", 'Answer: "a b"\\nAnswer: "c d", I think'), taken_out("integer", " 4 ")
    ('c d', '4')
    """
    _known(evaluation)
    if evaluation in rules_cute.EVALUATIONS:
        return rules_cute.taken_out(completion)
    if evaluation in rules_charbench.EVALUATIONS:
        return rules_charbench.taken_out(completion)
    return rules_tase.taken_out(completion)


def lacking(evaluation: str) -> str:
    """Return in words where a published scorer looked for an answer, given that it found none.

    Args:
        evaluation: the evaluation type of the item.

    Raises:
        UnknownNameError: no such evaluation type.

    >>> lacking("quoted")
    'nothing between double quotation marks, where the published scorer looks'
    """
    _known(evaluation)
    if evaluation in rules_cute.EVALUATIONS:
        return "nothing between double quotation marks, where the published scorer looks"
    if evaluation in rules_charbench.EVALUATIONS:
        return "an empty completion: the published scorer reads all of it as a number"
    return "nothing between <answer> tags or **, where the published scorer looks"


def put_in(evaluation: str, answer: str) -> str:
    """Return a completion in the form that a published scorer reads, so that it takes out `answer`.

    An answer that holds what ends it in that form, such as a quotation mark where the answer
    stands between two, has no such completion: less is taken out.

    Args:
        evaluation: the evaluation type of the item.
        answer: the text of an answer, without outer whitespace.

    Raises:
        UnknownNameError: no such evaluation type.

    >>> [put_in(evaluation, "4") for evaluation in ("number", "quoted", "integer")]
    ['<answer>4</answer>', 'Answer: "4"', '4']
    """
    _known(evaluation)
    if evaluation in rules_cute.EVALUATIONS:
        return f'Answer: "{answer}"'
    if evaluation in rules_charbench.EVALUATIONS:
        return answer
    return f"<answer>{answer}</answer>"


def right(
    evaluation: str, completion: str | None, question: str, label: str, variation: str = ""
) -> bool:
    """Return the published verdict on a completion.

    Source: TASE, published scorer, the evaluation types `number` (FREQ, LENOP counting, COMPC),
    `length` (LENOP writing), `shuffle` (REORD), `split` (COMPM splitting), `diff` (DIFF) and
    `match_answer` (SORT, VAR, DOT, RIDL, COMPM combining); CUTE and EXECUTE, published scorer,
    here `quoted` (characters) and `quoted_caseless` (words); CharBench, published scorer, here
    `integer`.

    Args:
        evaluation: the evaluation type of the item.
        completion: the model's whole output; None is a missing one.
        question: the published input, which `length` and `shuffle` judge by.
        label: the published answer; `length` and `shuffle` have none.
        variation: the further column of TASE's DIFF files.

    Raises:
        UnknownNameError: no such evaluation type.

    >>> right("number", "<answer>about 3 or 4</answer>", "How often …?", "4")
    True
    >>> right("number", "<answer>04</answer>", "How often …?", "4")
    False
    >>> right("quoted", 'Answer: "t h e"', "Spell it.", "t h e"), right("integer", "04", "?", "4")
    (True, True)
    """
    _known(evaluation)
    label = label.strip()
    if evaluation in rules_cute.EVALUATIONS:
        return rules_cute.right(evaluation, completion, label)
    if evaluation in rules_charbench.EVALUATIONS:
        return rules_charbench.right(completion, label)
    return rules_tase.right(evaluation, completion, question, label, variation)


def partial(
    evaluation: str, completion: str | None, question: str, label: str, variation: str = ""
) -> float:
    """Return the partial credit in [0, 1] that a paper describes; 1.0 for whatever is right.

    Only TASE's has any (see `tokenbench.published.rules_tase.partial`). The arguments and the
    error are those of `right`.

    >>> partial("number", "<answer>5</answer>", "How often …?", "4")
    0.9375
    >>> partial("integer", "5", "How often …?", "4")
    0.0
    """
    # Asking for the verdict first covers what the formulas leave open: a length of 0, fewer than
    # two tokens, numbers too long to compute with.
    if right(evaluation, completion, question, label, variation):
        return 1.0
    if evaluation in rules_tase.EVALUATIONS:
        return rules_tase.partial(evaluation, completion, question, label.strip())
    return 0.0


def _known(evaluation: str) -> None:
    if evaluation not in EVALUATIONS:
        raise unknown("evaluation", evaluation, EVALUATIONS)
