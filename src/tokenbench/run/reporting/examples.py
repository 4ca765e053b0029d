"""Completions worth a look: bitmaps and what models saw, traps and who fell in, wrong answers.

Wrong answers are chosen by plain measures, which the page explains.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from rapidfuzz.distance import Levenshtein

from tokenbench.answers import Number
from tokenbench.answers.kind import AnswerKind
from tokenbench.extraction import Unparsable
from tokenbench.item import Item
from tokenbench.run.reporting.inputs import ERROR, Row, group_by, truncate
from tokenbench.tasks import find_task
from tokenbench.text.graphemes import graphemes

Bitmap: TypeAlias = list[list[int]]
# A measure, a wrong answer and a note; those with the lowest measure are shown.
_Candidate: TypeAlias = tuple[float, Row, str]

# Characters of a text on a card.
MAX_CARD_CHARS: Final = 600
_MAX_PICTURES: Final = 24
_MAX_TRAP_EXAMPLES: Final = 12
_MAX_CARDS: Final = 6
_MAX_CARDS_OF_TASK: Final = 2
# Characters of a completion that counts as long.
_MIN_LONG_CHARS: Final = 1_000
_MAX_NUMBER: Final = 10**15
# Near misses: characters of the right answer, of both texts, and edits for each character.
_MIN_NEAR_MISS_CHARS: Final = 6
_MAX_NEAR_MISS_CHARS: Final = 2000
_MAX_NEAR_MISS_SHARE: Final = 0.34

_BITMAP_SIZE: Final = 16
# The forms of a bitmap's row of 16 pixels in prompts (as `tokenbench.glyph` and published matrices
# write it), and how to read them.
_ROW_FORMS: Final[dict[str, Callable[[str], list[int]]]] = {
    r"[\[\s]*[01](?:[,\s]*[01]){15}[\],\s]*": lambda line: list(map(int, re.findall("[01]", line))),
    r"[.#]{16}": lambda line: [int(char == "#") for char in line],
    r"[0-9A-Fa-f]{4}": lambda line: list(map(int, f"{int(line, 16):016b}")),
}


class Picture(NamedTuple):
    """A bitmap as an SVG path, its item, and for each run and answer the rows with it."""

    path: str
    item: Item
    answers: list[list[Row]]


class TrapCount(NamedTuple):
    """The outcomes of a run's completions to one kind of trap question.

    `fell` counts the answers of somebody who takes the trap for a word, `named` those of them that
    are the trap itself.
    """

    question: str
    schema: str
    label: str
    n: int
    right: int
    fell: int
    named: int
    other: int


class Piece(NamedTuple):
    """A piece of a text, and whether the other text lacks it."""

    text: str
    differs: bool


class Failure(NamedTuple):
    """A wrong answer, a note why it is shown, and its differences from the right answer."""

    row: Row
    note: str
    answer: list[Piece]
    right: list[Piece]


def find_bitmap(prompt: str) -> Bitmap | None:
    """Return the bitmap that a prompt shows on 16 lines, as rows of 0 and 1, or None.

    >>> from tokenbench.glyph.repertoire import bitmap_text
    >>> import numpy as np
    >>> ink = np.eye(16, dtype=np.uint8)
    >>> find_bitmap(f"Look:\\n{bitmap_text(ink, 'hex')}\\n") == ink.tolist()
    True
    """
    lines = [line.strip() for line in prompt.splitlines()]
    for form, parse in _ROW_FORMS.items():
        pattern = re.compile(form)
        rows: Bitmap = []
        for line in lines:
            rows = [*rows, parse(line)] if pattern.fullmatch(line) else []
            if len(rows) == _BITMAP_SIZE:
                return rows
    return None


def svg_path(bitmap: Bitmap) -> str:
    """Return the ink as an SVG path, each run of pixels a rectangle; a pixel is one unit.

    >>> svg_path([[0, 1, 1], [1, 0, 1]])
    'M1 0h2v1h-2zM0 1h1v1h-1zM2 1h1v1h-1z'
    """
    return "".join(
        f"M{run.start()} {y}h{len(run[0])}v1h-{len(run[0])}z"
        for y, row in enumerate(bitmap)
        for run in re.finditer("1+", "".join(map(str, row)))
    )


def pictures(rows: Iterable[Row]) -> tuple[list[Picture], int]:
    """Return the bitmaps to show, and the number of all bitmaps.

    Those on which runs or samples differ come first, then those that all got wrong.
    """
    found = []
    for same_item in group_by(rows, lambda row: row.result.id).values():
        item = same_item[0].item
        if (bitmap := find_bitmap(item.prompt)) is not None:
            same = group_by(same_item, lambda row: (row.run, row.result.answer, row.outcome))
            found.append(Picture(svg_path(bitmap), item, list(same.values())))

    def interest(picture: Picture) -> int:
        right = {rows[0].outcome == "right" for rows in picture.answers}
        return 0 if len(right) > 1 else 1 + all(right)

    return sorted(found, key=interest)[:_MAX_PICTURES], len(found)


def traps(rows: Iterable[Row], labels: Sequence[str]) -> tuple[list[TrapCount], list[Row]]:
    """Return how often runs fell into traps, by question and schema, and some completions that did.

    An item is a trap question if its target lists the answers of the misled and its `drawn` facts
    name the trap.
    """
    counts: dict[tuple[str, str, int], Counter[str]] = defaultdict(Counter)
    fallen: dict[str, Row] = {}
    for row in (row for row in rows if row.outcome != ERROR):
        drawn, target = row.item.meta.get("drawn"), row.item.target
        if not (isinstance(drawn, dict) and "trap" in drawn and isinstance(target, dict)):
            continue
        if not isinstance(misled := target.get("misled"), list):
            continue
        count = counts[str(row.item.variant or "question"), str(drawn.get("schema")), row.run]
        answer = _parse(row, row.result.answer)
        is_right = row.outcome == "right"
        has_fallen = not is_right and answer is not None and answer in misled
        count["n"] += 1
        count["right" if is_right else "fell" if has_fallen else "other"] += 1
        if has_fallen:
            count["named"] += answer == drawn["trap"]
            # The first of each item, in the order of the last ones.
            fallen[row.result.id] = fallen.pop(row.result.id, row)
    columns = ("n", "right", "fell", "named", "other")
    return [
        TrapCount(question, schema, labels[run], *(count[name] for name in columns))
        for (question, schema, run), count in sorted(counts.items())
    ], list(fallen.values())[:_MAX_TRAP_EXAMPLES]


def _kind(row: Row) -> AnswerKind | None:
    """Return the kind of an item's answers; None if its task or variant does not exist here."""
    task = find_task(row.item.task)
    exists = task is not None and row.item.variant in (task.variants or (None,))
    return task.kind(row.item.variant) if task is not None and exists else None


def _parse(row: Row, text: str | None) -> Any:
    """Return the value of an answer as its task parses it; None without one."""
    kind = _kind(row)
    if kind is None or text is None:
        return None
    try:
        return kind.parse(text, row.item)
    except Unparsable:
        return None


def failures(rows: Sequence[Row]) -> dict[str, list[Failure]]:
    """Return the wrong answers to show, by how they are chosen, which the page explains."""
    wrong = [row for row in rows if row.outcome == "wrong"]
    found = {
        "far": _wrong_numbers(wrong),
        "close": _near_misses(wrong),
        "long": _long_completions(wrong),
    }
    return {kind: cards for kind, candidates in found.items() if (cards := _cards(candidates))}


def _wrong_numbers(wrong: Iterable[Row]) -> Iterator[_Candidate]:
    for row in wrong:
        number, right = _number(row, row.result.answer), _number(row, row.item.solution)
        if number is not None and right is not None:
            ratio = (max(number, right) + 1) / (min(number, right) + 1)
            yield -ratio, row, f"off by {abs(number - right):,}"


def _near_misses(wrong: Iterable[Row]) -> Iterator[_Candidate]:
    for row in wrong:
        answer, right = row.result.answer or "", row.item.solution
        is_short = len(answer + right) <= _MAX_NEAR_MISS_CHARS
        if not _is_number(row) and len(right) >= _MIN_NEAR_MISS_CHARS and is_short:
            edits = Levenshtein.distance(answer, right)
            share = edits / max(len(answer), len(right))
            if 0 < share <= _MAX_NEAR_MISS_SHARE:
                yield share, row, f"{edits} edit{'s' if edits > 1 else ''} away"


def _long_completions(wrong: Iterable[Row]) -> Iterator[_Candidate]:
    for row in wrong:
        size = len(row.result.completion or "")
        if size >= _MIN_LONG_CHARS and size > 2 * len(row.result.answer or ""):
            yield -size, row, f"{size:,} characters"


def _cards(candidates: Iterable[_Candidate]) -> list[Failure]:
    """Return the first by measure, each item once, and not all from one task."""
    cards: list[Failure] = []
    items: set[str] = set()
    tasks: Counter[str] = Counter()
    for _, row, note in sorted(candidates, key=lambda one: (one[0], one[1].anchor)):
        if len(cards) == _MAX_CARDS:
            break
        if row.result.id not in items and tasks[row.task] < _MAX_CARDS_OF_TASK:
            items.add(row.result.id)
            tasks[row.task] += 1
            pieces = mark_differences(row.result.answer or "", row.item.solution)
            cards.append(Failure(row, note, *pieces))
    return cards


def mark_differences(answer: str, right: str) -> tuple[list[Piece], list[Piece]]:
    """Return two texts in pieces that show where they differ, if they are nearly the same.

    >>> answer, right = mark_differences("strawbery", "strawberry")
    >>> [piece.text for piece in right if piece.differs]
    ['r']
    """
    answer, right = truncate(answer, MAX_CARD_CHARS), truncate(right, MAX_CARD_CHARS)
    one, other = graphemes(answer), graphemes(right)
    edits = Levenshtein.opcodes(one, other)
    if Levenshtein.distance(one, other) > _MAX_NEAR_MISS_SHARE * max(len(one), len(other)):
        return [Piece(answer, False)], [Piece(right, False)]
    return (
        [Piece("".join(one[edit.src_start : edit.src_end]), edit.tag != "equal") for edit in edits],
        [
            Piece("".join(other[edit.dest_start : edit.dest_end]), edit.tag != "equal")
            for edit in edits
        ],
    )


def _is_number(row: Row) -> bool:
    return isinstance(_kind(row), Number)


def _number(row: Row, text: str | None) -> int | None:
    """Return the number that an answer states; digits that are a text, as in `var`, are none."""
    number = _parse(row, text) if _is_number(row) else None
    return number if number is not None and number < _MAX_NUMBER else None
