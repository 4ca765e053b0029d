"""The interface of all kinds of answers, with their common functions."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any, ClassVar, Final, TypeAlias

from tokenbench.errors import ItemError, expected
from tokenbench.extraction import Unparsable, is_mention
from tokenbench.item import Item, Json
from tokenbench.records import record
from tokenbench.text.dress import BULLETS, readings
from tokenbench.text.languages import Language, language

# Returns whether an answer is right, or None if it has to be read to know.
Lane: TypeAlias = Callable[[str], bool | None]

# Of most answers in words.
WORD_EQUIVALENCES: Final = ("case", "width", "wrapping", "invisible")


@record(eq=False, kw_only=True)
class AnswerKind(ABC):
    """How answers of one kind are read, judged, partly credited, explained and written.

    A task names a kind, with its own functions where the kind asks for them; all are functions of
    modules, so that a task can be pickled.

    Attributes:
        field: the name of the right answer in the target.
        equivalences: which spellings are the same answer beyond those that every task accepts:
            names in `equivalences.toml`.
        wrong: the text after "got …: " in the explanation of a wrong answer, without the solution.
        limit: characters of a reasonable answer. It is the same for every target where possible,
            because reasons mention it.
        further: other fields of the target that judging reads, each with its type.
        bullets: the marks that may be a bullet before an answer.
        may_be_conjunction: whether “and” alone may be the answer.
    """

    # The name of the kind in documents.
    name: ClassVar[str]
    # The type of the right answer in the target (see `check_target`).
    field_type: ClassVar[str] = "list of str"
    # The type of the answer that a `Question` gives (see `check_target`); "" is not checked.
    answer_type: ClassVar[str] = ""

    field: str = "answer"
    equivalences: tuple[str, ...] = ()
    wrong: str = "not the right answer"
    limit: int = 128
    further: tuple[tuple[str, str], ...] = ()
    bullets: str = BULLETS
    may_be_conjunction: bool = False

    @cached_property
    def schema(self) -> Mapping[str, str]:
        """The fields of targets that judging reads, each with its type (see `check_target`)."""
        return {self.field: self.field_type, **dict(self.further)}

    def interpret(self, text: str, item: Item) -> Any:
        """Return the value of an answer text, whatever it wears (see `dress.readings`).

        Raises:
            Unparsable: the text does not have the form that the task asks for.
        """
        spoken = language(item.lang)
        *dressed, bare = readings(text, spoken, bullets=self.bullets)
        for reading in dressed:
            # What looks like a label may be the answer's own beginning.
            with suppress(Unparsable):
                value = self.parse(reading, item, spoken)
                if self.verify(value, item.target):
                    return value
        return self.parse(bare, item, spoken)

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        # A lane agrees with the methods of its own class only.
        cls.lane = cls.__dict__.get("lane", AnswerKind.lane)  # type: ignore[method-assign]

    def lane(self, item: Item) -> Lane:
        """Return a function that settles answers in their plain form, much quicker than reading.

        It agrees with `interpret` and `verify`, whatever text it is given, or returns None.
        """
        return settle_nothing

    def mentions_format(self, text: str, item: Item) -> bool:
        """Return whether a text in tags only mentions the format.

        The right answer makes no difference: else every such word after an answer would be a
        further chance.
        """
        words = language(item.lang)
        mentions = words.placeholder_mentions if self.may_be_conjunction else words.mentions
        return is_mention(text, mentions)

    def check(self, target: Json, task: str) -> None:
        """Check that a target has all that judging reads, and that an answer can be right.

        Args:
            target: an item's target.
            task: the task's name, for the message.

        Raises:
            ItemError: a field is missing, has another type, or excludes every answer.
        """
        check_target(target, self.schema, task)
        fault = self.target_fault(target)
        published = target.get("published")
        if published is not None and not isinstance(published, dict):
            fault = f"'published' is an object, or missing: got {published!r:.80}"
        if fault:
            raise ItemError(f"the target of a {task} item is malformed: {fault}")

    def target_fault(self, target: Json) -> str:
        """Return the fault of a target whose fields have the right types; "" if it has none.

        It names the field, the values allowed and the value that is there.
        """
        return ""

    @abstractmethod
    def parse(self, text: str, item: Item, language: Language) -> Any:
        """Return the value that an answer text states, in the language of the item.

        Raises:
            Unparsable: the text does not have the form that the task asks for.
        """

    def verify(self, answer: Any, target: Json) -> bool:
        """Return whether a parsed answer is right."""
        return bool(answer == target[self.field])

    def grade(self, answer: Any, target: Json) -> float:
        """Return partial credit in [0, 1]; 1.0 exactly where `verify` is true."""
        return float(self.verify(answer, target))

    def explain(self, answer: Any, target: Json) -> str:
        """Return the fault of a parsed answer, without giving the solution away."""
        return f"got {self.write(answer, language('en'))}: {self.wrong}"

    def max_chars(self, target: Json) -> int:
        """Return an upper bound on the characters of a reasonable right answer."""
        return self.limit

    def target(self, answer: Any) -> dict[str, Json]:
        """Return the target of an item whose one right answer is given as a value."""
        return {self.field: answer}

    def write(self, answer: Any, language: Language) -> str:
        """Return the text of an answer that is given as a value."""
        return str(answer)

    def right_texts(self, target: Json) -> list[str]:
        """Return the right answers that a target lists, as an answer may write them."""
        return []

    def is_ordered(self, target: Json) -> bool:
        """Return whether the order of the answer's parts or letters counts."""
        return True

    def keeps_case(self, target: Json) -> bool:
        """Return whether letter case is a part of the answer."""
        return "case" not in (*self.equivalences, *(target.get("folds") or ()))


def settle_nothing(_text: str) -> None:
    """The lane that settles nothing."""


def check_target(target: Json, schema: Mapping[str, str], task: str) -> None:
    """Check that a target has the fields that judging reads.

    Args:
        target: an item's target.
        schema: the type of each field: "whole number", "bool", "str", "list of str" and so on.
        task: the task's name, for the message.

    Raises:
        ItemError: a field is missing or has another type.
    """
    for name, kind in schema.items():
        value = target.get(name) if isinstance(target, dict) else None
        if not _TYPE_CHECKS[kind](value):
            given = value if isinstance(target, dict) and name in target else target
            problem = f"the target of a {task} item is an object with {name!r}, a {kind}"
            raise ItemError(f"{problem}: got {given!r:.80}")


def target_of(
    kind: AnswerKind,
    answer: Any,
    target: Mapping[str, Json] | None,
    task: str,
    *,
    is_written: bool,
) -> Mapping[str, Json]:
    """Return the target of a question, having checked it and the answer.

    Args:
        kind: the kind of the task's answers.
        answer: the right answer as a value.
        target: the target that the question gives; None is that of the answer.
        task: the task's name, for messages.
        is_written: whether the solution is written from the answer.

    Raises:
        ItemError: the answer is not a value of the kind, or a field of the target is missing or has
            another type.
    """
    answer = list(answer) if isinstance(answer, tuple) else answer
    is_needed = is_written or target is None
    if is_needed and kind.answer_type and not _TYPE_CHECKS[kind.answer_type](answer):
        noun = "whole number from 0 on" if kind.answer_type == "whole number" else kind.answer_type
        allowed = f"a {noun} for the answer of a {task} question, as {type(kind).__name__} needs"
        remedy = "" if target is None else "give it too, or the solution as text"
        raise expected("answer", answer, allowed, remedy, error=ItemError)
    try:
        whole = kind.target(answer) if target is None else target
        kind.check(whole, task)
    except ItemError as error:
        error.remedy = "give the whole of it, as Question(…, target={…})"
        raise
    return whole


def proof_fault(item: Item, kind: AnswerKind, language: Language) -> str:
    """Return why an item's own solution is not right; "" if it is.

    >>> from tokenbench.answers import Number
    >>> item = Item("t", 1, "en", None, "?", {"answer": 3}, "4")
    >>> proof_fault(item, Number(), language("en"))
    'got 4: not the right number'
    """
    try:
        value = kind.parse(item.solution, item, language)
    except Unparsable as error:
        return f"it {error}"
    if not kind.verify(value, item.target):
        return kind.explain(value, item.target)
    grade = kind.grade(value, item.target)
    return "" if grade == 1.0 else f"its partial credit is {grade}, not 1.0"


def closeness(given: int, count: int, divisor: int = 5) -> float:
    """Return partial credit for a count: 1.0 if right, falling to 0 at a fifth of it.

    Args:
        given: the number of an answer.
        count: the right number.
        divisor: the difference that earns nothing is the right number divided by this, but not
            less than 1.

    >>> closeness(30, 30), closeness(27, 30), closeness(24, 30), closeness(0, 1)
    (1.0, 0.5, 0.0, 0.0)
    >>> closeness(119, 120, divisor=40), closeness(117, 120, divisor=40)
    (0.6666666666666667, 0.0)
    """
    if given == count:
        return 1.0
    # Of huge numbers, a difference of one would be rounded away.
    return min(_ALMOST_RIGHT, max(0.0, 1.0 - abs(given - count) / max(1.0, count / divisor)))


def beyond_half(share: float) -> float:
    """Return a share of right units as partial credit: 0.0 up to one half of them.

    Guessing common units gets up to half of them right.

    >>> beyond_half(1 / 2), beyond_half(3 / 4)
    (0.0, 0.75)
    """
    return share if share > _HALF else 0.0


def likeness(given: Sequence[str], right: Sequence[str]) -> float:
    """Return partial credit for units in order: each that needs an edit takes its share.

    Only equal units earn 1.0.

    >>> likeness("bananas", "bananas"), likeness(["c", "a", "a", "t"], ["c", "a", "t"])
    (1.0, 0.75)
    """
    from rapidfuzz.distance import Levenshtein

    return beyond_half(Levenshtein.normalized_similarity(given, right, score_cutoff=_HALF))


_HALF: Final = 0.5
_ALMOST_RIGHT: Final = 1.0 - 2**-53


def _is_count(value: Json) -> bool:
    return type(value) is int and value >= 0


def _is_list_of(value: Json, check: Callable[[Json], bool]) -> bool:
    return isinstance(value, list) and all(map(check, value))


def _is_list_of_texts(value: Json) -> bool:
    # Much faster than a look at each of many tokens.
    return isinstance(value, list) and (
        _STR_ALONE.issuperset(map(type, value)) or all(isinstance(text, str) for text in value)
    )


def _is_list_of_filled_texts(value: Json) -> bool:
    return _is_list_of_texts(value) and "" not in map(str.strip, value)


_STR_ALONE: Final = frozenset({str})
_TYPE_CHECKS: Final[dict[str, Callable[[Json], bool]]] = {
    "whole number": _is_count,
    "list of whole numbers": lambda value: _is_list_of(value, _is_count),
    "bool": lambda value: isinstance(value, bool),
    "str": lambda value: isinstance(value, str),
    "non-empty str": lambda value: isinstance(value, str) and bool(value.strip()),
    "list of str": _is_list_of_texts,
    "list of str, or none": lambda value: value is None or _is_list_of_texts(value),
    "list of 'case'": lambda value: _is_list_of(value, ("case",).__contains__),
    "list of 'case' and 'spaces'": lambda value: _is_list_of(
        value, ("case", "spaces").__contains__
    ),
    "list of non-empty str": _is_list_of_filled_texts,
    "list of str, at least one not empty": lambda value: (
        _is_list_of_texts(value) and any(map(str.strip, value))
    ),
    "non-empty list of non-empty str": lambda value: (
        bool(value) and _is_list_of_filled_texts(value)
    ),
    "list of lists of str, or none": lambda value: (
        value is None or _is_list_of(value, _is_list_of_texts)
    ),
    # Of published labels, some options lack a part.
    "list of lists of str, at least one complete": lambda value: (
        _is_list_of(value, _is_list_of_texts)
        and any(one and _is_list_of_filled_texts(one) for one in value)
    ),
}
