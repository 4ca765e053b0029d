"""The published scorers of TASE, CUTE with EXECUTE, and CharBench, reproduced bug for bug.

They make results comparable with the papers' tables. They are weak, and `exact` shares no code with
them. Each takes time linear in the completion.
"""

import re
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Mapping
from functools import partial
from itertools import pairwise
from typing import Final, NamedTuple

from tokenbench.errors import unknown

QUOTED: Final = "quoted"
QUOTED_CASELESS: Final = "quoted_caseless"  # tasks that act on words
INTEGER: Final = "integer"


class PublishedVerdict(NamedTuple):
    """The score in [0, 1], whether the answer is right, and its text, empty if there is none."""

    score: float
    right: bool
    answer: str


class _Case(NamedTuple):
    answer: str
    completion: str
    question: str
    label: str
    variation: str


class PublishedScorer(NamedTuple):
    """How the published scorer of a benchmark reads a completion and judges its answer.

    Attributes:
        extract: takes the answer from a completion; an empty answer is none.
        judges: for each evaluation type, a function that returns whether an answer is right, and
            the partial credit that the paper describes for one that is wrong.
        no_answer: the reason why a completion has no answer.
        template: a completion with `{}` for the answer.
    """

    extract: Callable[[str], str]
    judges: Mapping[str, Callable[[_Case], tuple[bool, float]]]
    no_answer: str
    template: str

    def judge(
        self,
        evaluation: str,
        completion: str | None,
        question: str,
        label: str,
        variation: str = "",
        *,
        graded: bool = False,
    ) -> PublishedVerdict:
        """Return the published verdict on a completion.

        Source: the published scorers of TASE, of CUTE and EXECUTE (here `quoted` for characters and
        `quoted_caseless` for words) and of CharBench (here `integer`); TASE, fine-grained rewards.

        Args:
            evaluation: the evaluation type of the item, one that this scorer judges.
            completion: the model's whole output; None is a missing one.
            question: the published input, which `length` and `shuffle` judge by.
            label: the published answer; `length` and `shuffle` have none.
            variation: the further column of TASE's DIFF files.
            graded: whether an answer that is wrong earns partial credit.

        >>> TASE.judge("number", "<answer>about 3 or 4</answer>", "How often …?", "4")
        PublishedVerdict(score=1.0, right=True, answer='about 3 or 4')
        >>> TASE.judge("number", "<answer>5</answer>", "How often …?", "4", graded=True).score
        0.9375
        """
        completion = completion or ""
        answer = self.extract(completion)
        case = _Case(answer, completion, question, label.strip(), variation)
        right, credit = self.judges[evaluation](case)
        return PublishedVerdict(1.0 if right else credit if graded else 0.0, right, answer)

    def write(self, answer: str) -> str:
        """Return a completion from which the scorer takes an answer.

        If the answer contains the mark that ends it, such as a quotation mark between two, the
        scorer takes less.

        Args:
            answer: the text of an answer, without outer whitespace.

        >>> CUTE.write("4")
        'Answer: "4"'
        """
        return self.template.format(answer)


def scorer_for(evaluation: str) -> PublishedScorer:
    """Return the published scorer that judges an evaluation type.

    Args:
        evaluation: one of number, length, shuffle, split, diff, match_answer (TASE), quoted,
            quoted_caseless (CUTE and EXECUTE) and integer (CharBench).

    Raises:
        UnknownNameError: no such evaluation type.

    >>> scorer_for("integer").judge("integer", " +0_4", "How often …?", "4").right
    True
    """
    for scorer in (TASE, CUTE, CHARBENCH):
        if evaluation in scorer.judges:
            return scorer
    names = [name for scorer in (TASE, CUTE, CHARBENCH) for name in scorer.judges]
    raise unknown("evaluation", evaluation, names)


# TASE. A regular expression is the published one unless a comment says otherwise.

_WRAPS = (("<answer>", "</answer>"), ("**", "**"))
_MODIFY = ("modify", "修改")
_DIFF_MARKS = str.maketrans("", "", ",.。:：、；;\"'‘’“”")
_SEPARATORS = ",。，:：；;、 "
_NO_SEPARATORS = str.maketrans("", "", _SEPARATORS)
_MAX_COUNT_DIGITS = 18


def _first_wrapped(completion: str) -> str:
    # The published patterns, `<answer>(.*?)</answer>` and `\*\*(.*?)\*\*`, take quadratic time on
    # openings that nothing closes. If no closing follows the first opening, none follows a later
    # one, so looking at the first is enough.
    for opening, closing in _WRAPS:
        answer, is_closed, _ = completion.partition(opening)[2].partition(closing)
        if is_closed:
            return answer.strip()
    return ""


def _judge_number(case: _Case) -> tuple[bool, float]:
    """Compare the first digits of the label with the last of the answer, as they are written."""
    expected, found = re.search(r"\d+", case.label), re.findall(r"\d+", case.answer)
    if expected is None or not found:
        return False, 0.0
    count, answer = _count(expected[0]), _count(found[-1])
    if count is None or answer is None:
        return expected[0] == found[-1], 0.0
    # The credit compares values, unlike the verdict: `04` for 4 is wrong, yet as near as can be.
    return expected[0] == found[-1], max(0.0, 1.0 - ((answer - count) / max(count, 1)) ** 2)


def _count(digits: str) -> int | None:
    """Return the value of a run of digits, or None if it is larger than every count.

    Python refuses to convert thousands of digits, or takes quadratic time if a setting allows it.
    """
    digits = digits.lstrip("0") or "0"
    return int(digits) if len(digits) <= _MAX_COUNT_DIGITS else None


def _judge_length(case: _Case) -> tuple[bool, float]:
    digits = re.search(r"\d+", case.question)
    expected = _count(digits[0]) if digits else None
    if expected is None:
        return False, 0.0
    distance = abs(_length(case.answer) - expected)
    # If the length has to be 0, every wrong one is at least 1 away: dividing by 1 leaves no credit.
    return distance == 0, max(0.0, 1.0 - distance / max(expected, 1))


def _length(answer: str) -> int:
    characters = _characters(answer)
    if characters:
        return len(characters)
    # The published pattern has `*` instead of `*+`. A letter is never a joiner, so the engine never
    # has to give anything back; telling it so saves a hundred bytes of memory for each joiner.
    english = re.compile(r"[a-zA-Z]+(?:[-'][a-zA-Z]+)*+")
    return sum(english.fullmatch(word) is not None for word in _words(answer))


def _characters(text: str) -> list[str]:
    """Return the Chinese characters of a text; if it has none, its Korean syllables."""
    return re.findall("[\u4e00-\u9fff]", text) or re.findall("[\uac00-\ud7a3]", text)


def _words(text: str) -> list[str]:
    return re.findall(r"\b[\w'-]+\b", text)


def _judge_shuffle(case: _Case) -> tuple[bool, float]:
    """Count the neighbours in the answer that were neighbours in the text, in either direction."""
    colon = re.search("[:：]", case.question)
    if colon is None:
        return False, 0.0
    original = _tokens(case.question[colon.end() :].lstrip().partition("\n")[0])
    shuffled = _tokens(case.answer)
    if Counter(original) != Counter(shuffled):
        return False, 0.0
    # Each token takes the earliest position in the text that no token before it has taken.
    free: defaultdict[str, deque[int]] = defaultdict(deque)
    for position, token in enumerate(original):
        free[token].append(position)
    order = [free[token].popleft() for token in shuffled]
    kept = sum(abs(after - before) == 1 for before, after in pairwise(order))
    return kept == 0, 1.0 - kept / max(len(order) - 1, 1)


def _tokens(text: str) -> list[str]:
    text = text.lower().strip()
    return _characters(text) or _words(text)


def _judge_split(case: _Case) -> tuple[bool, float]:
    # The paper's overlap ratio does not say how an answer becomes parts. Looking each part up, as
    # the verdict does, makes the ratio 1.0 exactly if the verdict is right.
    answer = case.answer.replace(" ", "")
    options = [[part.strip() for part in option.split(",")] for option in case.label.split(";")]
    share = max(sum(part in answer for part in parts) / len(parts) for parts in options)
    return share == 1.0, share


def _judge_diff(case: _Case) -> tuple[bool, float]:
    answer, label = _strip_diff(case.answer), _strip_diff(case.label)
    if answer == label:
        return True, 1.0
    if case.variation.lower() not in _MODIFY:
        return False, 0.0
    quotes = set(re.findall(r"""['"](.*?)['"]""", case.answer))
    quoted = {_strip_diff(text) for text in quotes} - {""}
    tokens = set(re.findall("[\u4e00-\u9fa5]|[a-zA-Z]+", answer))
    in_quotes = len(quoted) <= 2 and label in quoted
    return in_quotes or (len(tokens) == 2 and label in tokens), 0.0


def _strip_diff(text: str) -> str:
    text = re.sub(r"\bno\b", "", text.lower().replace("不是", ""))
    return text.translate(_DIFF_MARKS).lower().strip()


def _judge_match(case: _Case) -> tuple[bool, float]:
    answer, label = case.answer, case.label
    if not answer:
        return case.completion != "" and case.completion == label, 0.0
    # A label that is itself a run of the separators, in their order, would be deleted whole.
    if label not in _SEPARATORS:
        answer, label = answer.translate(_NO_SEPARATORS), label.translate(_NO_SEPARATORS)
    return label.lower().strip() in answer.lower().strip(), 0.0


TASE: Final = PublishedScorer(
    extract=_first_wrapped,
    judges={
        "number": _judge_number,
        "length": _judge_length,
        "shuffle": _judge_shuffle,
        "split": _judge_split,
        "diff": _judge_diff,
        "match_answer": _judge_match,
    },
    no_answer="nothing between <answer> tags or **, where the published scorer looks",
    template="<answer>{}</answer>",
)

# CUTE and EXECUTE


def _first_quoted(completion: str) -> str:
    """Return the text between the first two quotation marks of a completion's last answer.

    The last answer begins after the last `Answer:`, if there is one, and ends at the next `</s>`.
    A quotation that is not closed ends with it.

    >>> _first_quoted('Answer: "no"\\nAnswer: "yes"</s>"x"'), _first_quoted("yes")
    ('yes', '')
    """
    answer = completion.rpartition("Answer:")[2].partition("</s>")[0]
    return answer.partition('"')[2].partition('"')[0]


def equals_label(evaluation: str, answer: str, label: str) -> bool:
    """Return whether CUTE's scorer takes an extracted answer for the label.

    >>> equals_label("quoted_caseless", "he left.", "He left."), equals_label("quoted", "a", "A")
    (True, False)
    """
    if evaluation == QUOTED_CASELESS:
        return answer.lower() == label.lower()
    return answer == label


def _judge_quoted(evaluation: str, case: _Case) -> tuple[bool, float]:
    return equals_label(evaluation, case.answer, case.label), 0.0


CUTE: Final = PublishedScorer(
    extract=_first_quoted,
    judges={name: partial(_judge_quoted, name) for name in (QUOTED, QUOTED_CASELESS)},
    no_answer="nothing between double quotation marks, where the published scorer looks",
    template='Answer: "{}"',
)

# CharBench

_MAX_INT_DIGITS = 4300  # `int` refuses more, unless a setting lets it take quadratic time


def _judge_integer(case: _Case) -> tuple[bool, float]:
    """Compare two numbers, each in any form that Python's `int` reads."""
    expected, answer = _parse_int(case.label), _parse_int(case.answer)
    return expected is not None and expected == answer, 0.0


def _parse_int(text: str) -> int | None:
    """Return the number that a text is to Python: signs, leading zeros, `1_0`, any digits.

    >>> _parse_int("+0_4"), _parse_int("٤"), _parse_int("4."), _parse_int("4 letters")
    (4, 4, None, None)
    """
    if len(text) - text.count("_") - text.startswith(("+", "-")) > _MAX_INT_DIGITS:
        return None
    try:
        return int(text)
    except ValueError:
        return None


CHARBENCH: Final = PublishedScorer(
    extract=str.strip,
    judges={INTEGER: _judge_integer},
    no_answer="an empty completion: the published scorer reads all of it as a number",
    template="{}",
)
