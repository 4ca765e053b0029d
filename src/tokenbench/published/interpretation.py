"""Published rows in our terms: their targets, a right answer, and the issues of their labels."""

import re
from collections.abc import Iterable, Iterator
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from tokenbench.item import Json
from tokenbench.text.graphemes import Line, sentence
from tokenbench.text.normalize import strip_invisible, strip_wrapping

# The codes of issues. Where the label is `wrong`, we may or may not know a right answer; where it
# is `several`, others are right too, or it rests on one of several interpretations; where it is
# `partly`, some of the options in it are wrong; where it is `unclear`, we believe it.
Code: TypeAlias = Literal["wrong", "several", "partly", "unsolvable", "unclear"]
CODES: Final[tuple[str, ...]] = get_args(Code)

# Reasons that several interpretations give.
UNJUDGED: Final = "no task of ours asks this: there is the published rule alone"
NOT_IT: Final = "it is not what the inputs make"
CASE: Final = "letter case makes no difference"

QUOTE: Final = "[\"'“”‘’「」『』]"  # a pattern
_LIST_MARKS: Final = " ;；,，、"

# The input columns, from 0, with the units to find or change and with the new unit.
_UNIT_COLUMNS: Final = {"insert": (1,), "swap": (0, 1)}  # (0,) of the others
_NEW_COLUMNS: Final = {"insert": (0,), "substitute": (1,)}

# The two halves of a word that the Penn Treebank's rules, and so most English tokenizers, cut.
_PENN: Final = re.compile(
    r"(?<=\w)(?=(?:n['’]t|['’](?:s|m|d|re|ve|ll))$)|(?<=^can)(?=not$)", re.IGNORECASE
)
_IN_RUN: Final = r"[\p{L}\p{M}\p{N}\u200c\u200d]"
_BASE: Final = r"\P{M}[\p{M}\u200c\u200d]*+"


class PublishedRow(NamedTuple):
    """A published row: its task in our terms, its question or inputs, and its label, stripped.

    TASE's rows have a `prompt`; those of CUTE, EXECUTE and CharBench have `inputs`.
    """

    task: str
    variant: str | None
    lang: str
    prompt: str
    label: str
    inputs: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The input to spell, edit or search: the last one."""
        return self.inputs[-1]

    @property
    def units(self) -> tuple[str, ...]:
        """The units to find or change."""
        return tuple(self.inputs[column] for column in _UNIT_COLUMNS.get(self.task, (0,)))

    @property
    def new_units(self) -> tuple[str, ...]:
        """The unit to bring in, if the task has one."""
        return tuple(self.inputs[column] for column in _NEW_COLUMNS.get(self.task, ()))


class LabelIssue(NamedTuple):
    """Why a label is not the one right answer.

    `code` is one of `CODES`; `reason` is a phrase, the same for all rows with this issue; `answers`
    are right as far as we know, in no more than a few words each.
    """

    code: Code
    reason: str
    answers: tuple[str, ...] = ()


class Interpretation(NamedTuple):
    """A row's target, the text of one right answer (empty if there is none), and label issues.

    Rows of a file with the same `question` accept each other's answers, unless it is empty.
    """

    target: dict[str, Json]
    solution: str
    issues: tuple[LabelIssue, ...] = ()
    question: str = ""

    def with_issue(self, code: Code, reason: str, answers: Iterable[str] = ()) -> "Interpretation":
        """Return the interpretation with one more issue."""
        return self._replace(issues=(*self.issues, LabelIssue(code, reason, tuple(answers))))


class AlternativeReading(NamedTuple):
    """Another way to read a text as units, and the reason why somebody would."""

    line: Line
    reason: str


def interpret_count(
    label: str, ours: Iterable[int], theirs: Iterable[int], ambiguous: str, wrong: str
) -> Interpretation:
    """Return the interpretation of a row that asks for a number.

    Args:
        label: the published label.
        ours: the numbers under the interpretations that the prompt allows, the most natural first.
        theirs: the numbers under interpretations that we would not choose, yet the label may.
        ambiguous: the reason why the interpretations differ.
        wrong: the reason why a label that fits none is wrong.
    """
    natural = list(dict.fromkeys(ours))
    allowed = list(dict.fromkeys([*natural, *theirs]))
    number = first_number(label)
    if number not in allowed:
        right = Interpretation({"count": natural[0]}, str(natural[0]))
        return right.with_issue("wrong", wrong, map(str, natural))
    right = Interpretation({"count": number}, str(number))
    if natural == [number]:
        return right
    return right.with_issue("several", ambiguous, map(str, allowed))


def believe_label(
    row: PublishedRow, target: dict[str, Json], solution: str | None = None
) -> Interpretation:
    """Return the interpretation of a row whose prompt we do not understand."""
    solution = row.label if solution is None else solution
    return Interpretation(target, solution).with_issue("unclear", "the prompt is not understood")


def believe_count(row: PublishedRow) -> Interpretation:
    """Return the interpretation of a row that asks for a number in words we do not understand."""
    return believe_label(row, {"count": first_number(row.label) or 0})


def strip_label(label: str) -> str:
    """Return a label without marks around it and without a final stop or separator.

    >>> strip_label('"hanzi".'), strip_label("手,斥;扌,斥;"), strip_label(".")
    ('hanzi', '手,斥;扌,斥', '.')
    """
    label = strip_wrapping(strip_invisible(label).strip())
    return strip_wrapping(label.rstrip(_LIST_MARKS) or label)


def first_number(label: str) -> int | None:
    """Return the first number in a label, or None.

    >>> first_number("12 words"), first_number("many")
    (12, None)
    """
    digits = re.search("[0-9]{1,18}", label)
    return int(digits[0]) if digits else None


def search_groups(prompt: str, *patterns: str) -> tuple[str, ...] | None:
    """Return the groups of the first pattern that matches somewhere in a prompt, or None."""
    for pattern in patterns:
        if match := re.search(pattern, prompt, re.DOTALL):
            return tuple(group.strip() for group in match.groups())
    return None


def question_key(prompt: str, *parts: str) -> str:
    """Return a key that two rows of a file share if they ask the same.

    The key consists of the parts in any order or, without parts, of the prompt.

    >>> question_key("Join b, a", "b", "a") == question_key("Join a, b", "a", "b")
    True
    """
    return "\n".join(sorted(parts)).lower() if parts else re.sub(r"[\s.。]+", "", prompt).lower()


def word_readings(text: str, words: tuple[str, ...]) -> Iterator[AlternativeReading]:
    """Yield other ways to cut a sentence into words; the last one looks for the given words only.

    >>> readings = word_readings("I don't eat pop-corn.", ("n't", "corn."))
    >>> [reading.line.units for reading in readings]
    [('I', 'do', "n't", 'eat', 'pop-corn'), ('I', 'don', 't', 'eat', 'pop', 'corn'), ('corn.',)]
    """
    contraction = "a contraction or possessive counts as two words"
    yield AlternativeReading(_split_contractions(sentence(text)), contraction)
    parts = "the parts of a hyphenated word, contraction or number count as words"
    yield AlternativeReading(_line_of_matches(f"{_IN_RUN}+", text), parts)
    mark = "a mark counts as a part of a word"
    yield AlternativeReading(line_of_occurrences(text, words, separate=True), mark)


def character_readings(word: str) -> Iterator[AlternativeReading]:
    """Yield other ways to cut a word into characters.

    >>> [reading.line.units for reading in character_readings("क्षि")]
    [('क्', 'षि'), ('क', '्', 'ष', 'ि')]
    """
    conjuncts = "conjuncts are taken apart, as before Unicode 15.1"
    yield AlternativeReading(_line_of_matches(_BASE, word), conjuncts)
    marks = "marks count as characters of their own"
    yield AlternativeReading(_line_of_matches(r"(?s).", word), marks)


def line_of_occurrences(text: str, words: tuple[str, ...], *, separate: bool = False) -> Line:
    """Return the line whose units are the given words wherever they occur in a text.

    Args:
        text: the text.
        words: the words to look for.
        separate: skip words that touch another letter or digit with one of theirs.

    >>> line_of_occurrences("我们去学校。", ("学校",))
    Line(units=('学校',), gaps=('我们去', '。'), space='')
    >>> line_of_occurrences("So, so-so.", ("so",), separate=True).units
    ('so', 'so')
    """
    from regex import escape

    patterns = [escape(word) for word in sorted(filter(None, words), key=len, reverse=True)]
    if separate:
        patterns = [
            rf"(?<!{_IN_RUN}(?={_IN_RUN})){pattern}(?!(?<={_IN_RUN}){_IN_RUN})"
            for pattern in patterns
        ]
    return _line_of_matches("|".join(patterns) or r"(?!)", text)


def _line_of_matches(pattern: str, text: str) -> Line:
    from regex import finditer

    units, gaps, end = [], [], 0
    for unit in finditer(pattern, text):
        gaps.append(text[end : unit.start()])
        units.append(unit[0])
        end = unit.end()
    return Line(tuple(units), (*gaps, text[end:]))


def _split_contractions(line: Line) -> Line:
    units: list[str] = []
    gaps: list[str] = []
    for unit, gap in zip(line.units, line.gaps, strict=False):
        parts = [part for part in _PENN.split(unit) if part]
        units += parts
        gaps += [gap, *[""] * (len(parts) - 1)]
    return Line(tuple(units), (*gaps, line.gaps[-1]))
