"""What published rows ask for, in the form of target that our own judging reads, and doubts.

The target holds the truth as far as it is known: a label that is one right answer among several
is accepted, a label that is wrong is not, unless nothing better is known. Nothing here depends on
what is installed beside the core; what needs more is left to `tokenbench.published.audit`.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Final

from tokenbench.published.targets.reading import SEVERAL, Doubt, Reading, Row

# The module and function that read a task's rows, by variant (None for all) and language.
_READERS: Final[dict[tuple[str, str | None, str | None], str]] = {
    ("freq", None, None): "counts.freq",
    ("lenop", "count", None): "counts.lenop",
    ("lenop", "write", None): "lists.write",
    ("sort", None, None): "lists.order",
    ("reord", None, None): "lists.tokens",
    ("diff", None, None): "lists.differing",
    ("compc", None, "en"): "words.letters",
    ("compc", None, "zh"): "characters.components",
    ("compc", None, "ko"): "syllables.jamo",
    ("compm", "split", "en"): "words.split",
    ("compm", "split", "zh"): "characters.split",
    ("compm", "split", "ko"): "syllables.split",
    ("compm", "combine", "en"): "words.combine",
    ("compm", "combine", "zh"): "characters.combine",
    ("compm", "combine", "ko"): "syllables.combine",
    ("dot", "char_to_script", None): "glyphs.script",
    ("dot", "bitmap_to_script", None): "glyphs.bitmap",
    ("dot", "bitmap_to_char", None): "glyphs.bitmap",
    ("ridl", None, "en"): "riddles.riddle",
    ("ridl", None, "zh"): "riddles.riddle",
    ("ridl", None, "ko"): "riddles.quiz",
    ("var", None, None): "variants.restoration",
}
_LONGEST: Final = 1 << 13  # characters of a question that is read: no published one has more
_SHARED: Final = "the file asks the same with other labels"


def of_row(row: Row) -> Reading:
    """Return what one row asks for, read without the others of its file.

    A prompt of more than 8,192 characters is not understood: looking for a form in any text can
    take time that grows faster than the text.

    >>> of_row(Row("sort", None, "en", "Sort.\\nA: a b\\nB: a b c\\nC: a", "BAC")).target
    {'order': ['B', 'A', 'C']}
    """
    return _reader(row)(row if len(row.prompt) <= _LONGEST else row._replace(prompt=""))


def of_file(rows: Sequence[Row]) -> list[Reading]:
    """Return what each row of a file asks for.

    Rows that ask the same, such as two bitmaps alike, accept each other's answers.
    """
    readings = [of_row(row) for row in rows]
    groups: defaultdict[str, list[int]] = defaultdict(list)
    for place, reading in enumerate(readings):
        if reading.question:
            groups[reading.question].append(place)
    for places in groups.values():
        _share(readings, places)
    if rows and (rows[0].task, rows[0].lang) == ("var", "zh"):
        from tokenbench.published.targets.variants import of_two_originals

        readings = of_two_originals(rows, readings)
    return readings


def _share(readings: list[Reading], places: list[int]) -> None:
    """Let rows that ask the same accept the same, in place; say so where labels differ."""
    solutions = list(dict.fromkeys(readings[place].solution for place in places))
    if len(solutions) == 1:
        return
    every = [answer for place in places for answer in readings[place].target["accepted"]]
    doubt = Doubt(SEVERAL, _SHARED, tuple(solutions))
    for place in places:
        own = readings[place]
        accepted = list(dict.fromkeys([*own.target["accepted"], *every]))
        target = {**own.target, "accepted": accepted}
        readings[place] = own._replace(target=target, doubts=(*own.doubts, doubt))


def readable(row: Row) -> bool:
    """Return whether rows of this task, variant and language are known."""
    return _place(row) is not None


def _reader(row: Row) -> Callable[[Row], Reading]:
    place = _place(row)
    if place is None:
        raise KeyError(row.task, row.variant, row.lang)
    module, _, name = place.partition(".")
    reader: Callable[[Row], Reading] = getattr(import_module(f"{__name__}.{module}"), name)
    return reader


def _place(row: Row) -> str | None:
    task, variant, lang = row[:3]
    return _READERS.get((task, variant, lang)) or _READERS.get((task, variant, None))
