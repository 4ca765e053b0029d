"""The reward: the score of a completion on an item under a rule, and the reason."""

from collections.abc import Callable, Collection, Mapping, Sequence, Set
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias, get_args

from tokenbench.answers.kind import check_target
from tokenbench.cache import Cache
from tokenbench.checks import boolean, integer
from tokenbench.errors import ItemError, TokenbenchError, expected, unknown
from tokenbench.extraction import (
    EXTRACTS,
    STRIPPED,
    Extract,
    candidates,
    committed,
    explain_no_answer,
    only_pair,
    text_of,
)
from tokenbench.item import Item
from tokenbench.quoting import pluralize, quote, quote_if_needed
from tokenbench.ready_items import ReadyItem, item_of, make_ready, uses_lanes
from tokenbench.tasks import find_task

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

Rule: TypeAlias = Literal["exact", "graded", "published", "published_graded"]
RULES: Final[tuple[Rule, ...]] = get_args(Rule)
# Of verdicts.
CODES: Final = ("right", "wrong", "no_answer", "conflicting", "unparsable", "too_long")
_PUBLISHED_RULES: Final = ("published", "published_graded")
_PUBLISHED: Final = {"evaluation": "str", "label": "str", "variation": "str"}
# Answers to one item that a batch remembers: as many, and not longer.
_MAX_SETTLED, _MAX_SETTLED_CHARS = 256, 256
_MIN_SHARED: Final = 512  # completions that workers share: fewer cost more to send than to judge

# The score, the answer, the code, and a function that returns the reason. Only `check` calls it:
# a reward does not pay for words that nobody reads.
_Judgement: TypeAlias = tuple[float, str | None, str, Callable[[], str]]


class Verdict(NamedTuple):
    """The score of a completion on an item, and why it has that score.

    `answer` is the text of its answer (None if it has none); `code` is one of right, wrong,
    no_answer, unparsable, too_long, and with `extract="only"` conflicting; `reason` says the same
    in words.
    """

    score: float
    answer: str | None
    code: str
    reason: str

    def __repr__(self) -> str:
        answer = None if self.answer is None else quote(self.answer)
        return f"Verdict({self.score}, {self.code!r}, answer={answer}, reason={self.reason!r})"


def score(
    completion: object,
    item: Item | Mapping[str, Any] | str,
    *,
    rule: Rule = "exact",
    extract: Extract = "answer",
) -> float:
    """Return the score of a completion on an item, from 0.0 to 1.0.

    Args:
        completion: a model's output: text, or one or more chat messages, dicts or objects, whose
            last assistant message counts; any other value counts as no answer.
        item: an item, its row, or its JSON text.
        rule: `exact` (1.0 or 0.0), `graded` (partial credit; 1.0 exactly where `exact` is 1.0),
            `published` or `published_graded` (the paper's scorers, with their flaws).
        extract: how the answer is taken out (see `tokenbench.extraction.candidates`); the published
            rules have their own way.

    Raises:
        UnknownNameError: no such rule or extract, or the item's task does not exist.
        VersionError: another version of the task made the item.
        ItemError: not an item of its task, or its task has no published scorer.

    >>> from tokenbench.tasks import task
    >>> item = task("freq").generate(seed=1)
    >>> score(f"<answer>{item.solution}</answer>", item), score("no idea", item)
    (1.0, 0.0)
    """
    check_options(rule, extract)
    item = item_of(item)
    if rule in _PUBLISHED_RULES:
        return _judge(completion, item, rule, extract)[0]
    return _score(completion, make_ready(item), rule, extract)


def check(
    completion: object,
    item: Item | Mapping[str, Any] | str,
    *,
    rule: Rule = "exact",
    extract: Extract = "answer",
    reveal: bool = False,
) -> Verdict:
    """Return the score with the answer taken out, a code, and the reason in words.

    The reason tells no more of the right answer than the verdict itself does, unless `reveal`.
    The other arguments and the errors are those of `score`.

    >>> from tokenbench.tasks import task
    >>> check("<answer> </answer>", task("freq").generate(seed=1))
    Verdict(0.0, 'no_answer', answer=None, reason='only empty <answer> tags')
    """
    check_options(rule, extract)
    reveal = boolean("reveal", reveal)
    item = item_of(item)
    earned, answer, code, why = _judge(completion, item, rule, extract)
    reason = f"{why()}; a right answer: {item.solution}" if reveal else why()
    return Verdict(earned, answer, code, reason)


def score_batch(
    completions: Sequence[object],
    items: Sequence[Item | Mapping[str, Any] | str] | Item | Mapping[str, Any] | str,
    *,
    rule: Rule = "exact",
    extract: Extract = "answer",
    workers: int = 1,
) -> "NDArray[numpy.float64]":
    """Return the scores of many completions, in order, as a float64 array of shape (n,).

    Args:
        completions: the completions.
        items: one item for each, or one for all.
        rule: as in `score`.
        extract: as in `score`.
        workers: how many processes share a large batch, or threads where Python has no global lock.
            They are started once. A script that asks for processes guards its own beginning by
            `if __name__ == "__main__":`.

    Raises:
        TokenbenchError: not as many items as completions; or what `score` raises.

    >>> from tokenbench.tasks import task
    >>> item = task("freq").generate(seed=1)
    >>> score_batch([f"<answer>{item.solution}</answer>", "", None], item).tolist()
    [1.0, 0.0, 0.0]
    """
    from numpy import array, float64

    check_options(rule, extract)
    workers = integer("workers", workers, least=1)
    if not _is_batch(completions):
        raise expected("completions", completions, "a sequence of completions")
    paired: Any = items if _is_batch(items) else [items] * len(completions)
    if len(paired) != len(completions):
        counts = f"{pluralize(len(completions), 'completion')}, {pluralize(len(paired), 'item')}"
        raise TokenbenchError(counts, remedy="give an item for each, or one")
    if workers == 1 or len(completions) < _MIN_SHARED:
        return array(_scores(completions, paired, rule, extract), float64)
    from tokenbench.workers import share_out  # slow to import

    texts = list(map(text_of, completions))
    return array(share_out(_scores, workers, texts, list(paired), (rule, extract)), float64)


def _scores(
    completions: Sequence[object], items: Sequence[Any], rule: Rule, extract: Extract
) -> list[float]:
    """Return the scores of completions, each with its item."""
    if rule in _PUBLISHED_RULES:
        pairs = zip(completions, map(item_of, items), strict=True)
        return [_judge(given, item, rule, extract)[0] for given, item in pairs]
    scores: list[float] = []
    before: object = None
    ready: ReadyItem | None = None
    # Of this item: many of its completions answer the same.
    settled = Cache[str, float](_MAX_SETTLED)
    has_lanes = extract == "answer" and uses_lanes
    for completion, given in zip(completions, items, strict=True):
        if ready is None or given is not before:
            before, ready = given, make_ready(item_of(given))
            settled.clear()
        pair = only_pair(completion) if has_lanes and type(completion) is str else None
        earned = settled.get(pair) if pair else None
        if earned is None:
            earned = _score(completion, ready, rule, extract)
            if pair and len(pair) <= _MAX_SETTLED_CHARS:
                settled.keep(pair, earned)
        scores.append(earned)
    return scores


def _is_batch(values: object) -> bool:
    """Return whether these are several values in order: a list, a column, an array."""
    return isinstance(values, Collection) and not isinstance(values, str | Mapping | Set)


def has_scorer(item: Item, rule: str) -> bool:
    """Return whether an item can be judged by a rule: not every item has a published scorer.

    >>> from tokenbench import spell
    >>> has_scorer(spell.generate(), "exact")
    True
    """
    if not rule.startswith("published"):
        return True
    return isinstance(item.target, dict) and item.target.get("published") is not None


def check_options(rule: object, extract: object) -> None:
    """Raise an error unless a rule and an extract exist.

    Raises:
        UnknownNameError: no such rule or extract.
    """
    if rule not in RULES:
        raise unknown("rule", rule, RULES)
    if not callable(extract) and extract not in EXTRACTS:
        raise unknown("extract", extract, EXTRACTS)


def _score(completion: object, ready: ReadyItem, rule: Rule, extract: Extract) -> float:
    """Return the score that `_judge` gives, without judging where that is known."""
    if type(completion) is str and extract == "answer" and uses_lanes:
        pair = only_pair(completion)
        if pair and (answer := pair.strip(STRIPPED)):
            return ready.score(answer, rule)
    return _judge_ready(completion, ready, rule, extract)[0]


def _judge(completion: object, item: Item, rule: Rule, extract: Extract) -> _Judgement:
    if rule in _PUBLISHED_RULES:
        return _judge_as_published(completion, item, graded=rule == "published_graded")
    return _judge_ready(completion, make_ready(item), rule, extract)


def _judge_ready(completion: object, ready: ReadyItem, rule: Rule, extract: Extract) -> _Judgement:
    """Judge a completion by reading it: this is the specification of all verdicts."""
    text, item = text_of(completion), ready.item
    mentions = partial(ready.kind.mentions_format, item=item)
    texts = [] if text is None else candidates(text, extract, mentions)
    if not texts:
        return 0.0, None, "no_answer", partial(_explain_no_answer, completion, item, extract)
    return _judge_answers(texts, ready, rule)


def _judge_answers(texts: list[str], ready: ReadyItem, rule: Rule) -> _Judgement:
    """Judge the texts that a completion offers as its answer."""
    item, kind = ready.item, ready.kind
    interpret = partial(kind.interpret, item=item)
    value, code, explain = committed(texts, interpret, ready.limit)
    if code:
        return 0.0, None if code == "conflicting" else texts[0], code, explain
    if kind.verify(value, item.target):
        return 1.0, texts[0], "right", lambda: "the answer is right"
    earned = kind.grade(value, item.target) if rule == "graded" else 0.0
    return earned, texts[0], "wrong", partial(kind.explain, value, item.target)


def _explain_no_answer(completion: object, item: Item, extract: Extract) -> str:
    reason, text = explain_no_answer(completion, extract), text_of(completion)
    is_repeated = text is not None and item.prompt in text
    return f"{reason}; the completion repeats the prompt" if is_repeated else reason


def _judge_as_published(completion: object, item: Item, *, graded: bool) -> _Judgement:
    """Judge as the published scorer does, from the prompt and the published label alone."""
    # Training never pays for this import.
    from tokenbench.answers.published_scorers import scorer_for

    text = text_of(completion)
    if (judge := find_task(item.task)) is not None:
        judge.check_version(item)
    target = item.target.get("published") if isinstance(item.target, dict) else None
    if not isinstance(target, dict):
        raise ItemError(f"a {item.task} item without 'published' in its target has no such scorer")
    check_target(target, _PUBLISHED, f"published {item.task}")
    evaluation: str = target["evaluation"]
    scorer = scorer_for(evaluation)
    earned, right, answer = scorer.judge(
        evaluation, text, item.prompt, target["label"], target["variation"], graded=graded
    )
    if right:
        return earned, answer, "right", lambda: "right by the published scorer"
    if not answer:
        why = partial(explain_no_answer, completion) if text is None else lambda: scorer.no_answer
        return earned, None, "no_answer", why
    reason = "wrong by the published scorer"
    return earned, answer, "wrong", lambda: f"got {quote_if_needed(answer)}: {reason}"
