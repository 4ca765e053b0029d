"""Wrong answers that are worth a look, chosen by plain measures that the page states."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from rapidfuzz.distance import Levenshtein

from tokenbench.run.reporting.facts import ERROR, Row, Shown
from tokenbench.run.reporting.texts import cut
from tokenbench.text.graphemes import graphemes

_CARDS: Final = 6  # of a shelf
_ALIKE: Final = 2  # of them from one task
_LEAST: Final = 6  # characters of a right answer that one can miss narrowly
_LONGEST: Final = 2000  # characters of two texts that are compared
_NARROW: Final = 0.34  # edits for each character
_DIGITS: Final = 15
_NEAR: Final = 30  # of what is the same, around a difference
_SHOWN: Final = 600  # characters of an answer on a card


class Piece(NamedTuple):
    """A piece of a text, and whether the other text lacks it."""

    text: str
    differs: bool


class Failure(NamedTuple):
    """A wrong answer, what the measure says of it, and what was said beside what is right."""

    row: Row
    label: str
    note: str
    said: list[Piece]
    right: list[Piece]


class Shelf(NamedTuple):
    """Some wrong answers and how they are chosen."""

    name: str
    chosen: str
    cards: list[Failure]


class _Measured(NamedTuple):
    measure: float
    row: Row
    note: str


def shelves(runs: Sequence[Shown]) -> list[Shelf]:
    """Return the wrong answers to show; shelves without any are left out."""
    wrong = [row for shown in runs for row in shown.rows if row.outcome == "wrong"]
    labels = [shown.label for shown in runs]
    made = [
        Shelf(
            "Furthest off",
            "Wrong numbers, by how many times the larger of given and right number (each plus "
            "one) is the smaller one.",
            _cards(_far(wrong), labels),
        ),
        Shelf(
            "So close",
            "Wrong texts with the fewest edits (characters put in, left out or replaced) for each "
            "character on the way to a right answer.",
            _cards(_close(wrong), labels),
        ),
        Shelf(
            "Where others shine",
            "Wrong answers to the items whose task and language score highest in these runs.",
            _cards(_easy(wrong, runs), labels),
        ),
        Shelf(
            "The longest way to a wrong answer",
            "The completions with the most characters that commit to a wrong answer.",
            _cards(_long(wrong), labels),
        ),
    ]
    return [shelf for shelf in made if shelf.cards]


def apart(said: str, right: str) -> tuple[list[Piece], list[Piece]]:
    """Return two texts in pieces that show where they differ, if they are nearly the same.

    >>> said, right = apart("strawbery", "strawberry")
    >>> [piece.text for piece in right if piece.differs]
    ['r']
    """
    said, right = cut(said, _SHOWN), cut(right, _SHOWN)
    one, other = graphemes(said), graphemes(right)
    edits = Levenshtein.opcodes(one, other)
    if Levenshtein.distance(one, other) > _NARROW * max(len(one), len(other)):
        return [Piece(said, False)], [Piece(right, False)]
    return (
        _pieces([(one[e.src_start : e.src_end], e.tag != "equal") for e in edits]),
        _pieces([(other[e.dest_start : e.dest_end], e.tag != "equal") for e in edits]),
    )


def _pieces(found: Sequence[tuple[list[str], bool]]) -> list[Piece]:
    """Return the pieces of a text; of a long one that does not differ only what is near others."""
    pieces = []
    for place, (units, differs) in enumerate(found):
        text = "".join(units)
        if not differs and len(units) > 3 * _NEAR:
            before = "".join(units[:_NEAR]) if place else ""
            after = "".join(units[-_NEAR:]) if place < len(found) - 1 else ""
            text = f"{before}…{after}" if len(found) > 1 else text
        pieces.append(Piece(text, differs))
    return pieces


def _far(wrong: Iterable[Row]) -> Iterator[_Measured]:
    for row in wrong:
        given, right = _number(row.result.answer), _number(row.item.solution)
        if given is not None and right is not None:
            times = (max(given, right) + 1) / (min(given, right) + 1)
            yield _Measured(-times, row, f"off by {abs(given - right):,}")


def _close(wrong: Iterable[Row]) -> Iterator[_Measured]:
    for row in wrong:
        given, right = row.result.answer or "", row.item.solution
        if _number(right) is None and len(right) >= _LEAST and len(given + right) <= _LONGEST:
            edits = Levenshtein.distance(given, right)
            share = edits / max(len(given), len(right))
            if 0 < share <= _NARROW:
                yield _Measured(share, row, f"{edits} edit{'s' if edits > 1 else ''} away")


def _easy(wrong: Iterable[Row], runs: Iterable[Shown]) -> Iterator[_Measured]:
    outcomes: dict[tuple[str, str], Counter[bool]] = defaultdict(Counter)
    for shown in runs:
        for row in shown.rows:
            if row.outcome != ERROR:
                outcomes[row.column, row.item.lang][row.outcome == "right"] += 1
    for row in wrong:
        counted = outcomes[row.column, row.item.lang]
        if counted[True]:
            share = counted[True] / counted.total()
            yield _Measured(-share, row, f"{share:.0%} of such answers are right")


def _long(wrong: Iterable[Row]) -> Iterator[_Measured]:
    for row in wrong:
        size = len(row.result.completion or "")
        if size > len(row.result.answer or "") * 2:
            yield _Measured(-size, row, f"{size:,} characters")


def _cards(measured: Iterable[_Measured], labels: Sequence[str]) -> list[Failure]:
    """Return the first by measure, each item once, and not all from one task."""
    cards: list[Failure] = []
    items: set[str] = set()
    alike: Counter[str] = Counter()
    for _, row, note in sorted(measured, key=lambda one: (one.measure, one.row.anchor)):
        if row.item.id not in items and alike[row.column] < _ALIKE:
            items.add(row.item.id)
            alike[row.column] += 1
            said, right = apart(row.result.answer or "", row.item.solution)
            cards.append(Failure(row, labels[row.run], note, said, right))
            if len(cards) == _CARDS:
                break
    return cards


def _number(text: str | None) -> int | None:
    text = (text or "").strip()
    return int(text) if text.isdecimal() and len(text) <= _DIGITS else None
