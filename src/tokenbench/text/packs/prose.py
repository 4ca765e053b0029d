"""Cutting a user's text into the sentences of a pack."""

import os
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple

from tokenbench.errors import SourceError, missing_extra
from tokenbench.text.normalize import nfc, strip_invisible
from tokenbench.text.packs.segmenters import chosen
from tokenbench.text.segmented import Line, from_segments, sentence
from tokenbench.text.sources import read_text, stamp

FEWEST: Final = 3  # words of a sentence
MOST: Final = 30
# The final marks of the world's scripts: Latin, Arabic, Devanagari, Ethiopic, Han, Armenian,
# Burmese, Khmer, Tibetan, Ol Chiki, Meetei Mayek. Greek's question mark ends lines only: elsewhere
# it is a semicolon.
FINAL: Final = ".!?…؟۔।॥።፧。！？．։။។៕།᱾᱿꯫"
_CLOSING: Final = "\"'”’“‘»›«」』）)\\]"  # German and Danish close with what others open with
ENDED: Final = re.compile(f"[{FINAL};][{_CLOSING}]*$")
# A final mark after which the text goes on, other than with digits (3.5).
INNER: Final = re.compile(f"[{FINAL}]++[{_CLOSING}]*+(?=[^0-9])")
_QUOTES: Final = tuple("\"'”’“‘»«」』")
_PAIRS: Final = ("()", "[]", "«»", "「」", "『』", "（）", "《》")


class Written(NamedTuple):
    """A sentence as it is written, with single spaces, and the line (from 1) that it begins on."""

    number: int
    text: str


def numbered(
    path: str | os.PathLike[str],
    lang: str,
    segmenter: str | Callable[[str], Iterable[str]] | None = None,
) -> tuple[tuple[int, Line], ...]:
    """Return the sentences that `Pack.from_text` keeps, with the lines (from 1) they begin on."""
    if not (isinstance(lang, str) and lang):
        raise SourceError(f"lang={lang!r:.80}: the language's code is needed, such as 'tr'")
    cut = chosen(lang, segmenter)
    found = tuple(lines(read_text(stamp(path)).text, lang, cut))
    if not found:
        raise SourceError(
            f"{os.fspath(path)!r} holds no sentence of 3 to 30 words with a final mark: for a "
            "language that writes no spaces between words, give a segmenter"
        )
    return found


def lines(
    text: str, lang: str, cut: Callable[[str], Iterable[str]] | None
) -> Iterator[tuple[int, Line]]:
    """Yield the different sentences of a text that are fit for a pack, with their line numbers.

    Args:
        text: prose, or a sentence a line; an empty line always ends a sentence.
        lang: its language's code.
        cut: cuts a sentence into words and marks; None is for texts with spaces between words.

    Raises:
        MissingExtraError: several sentences stand on a line, and what cuts them is not installed.
    """
    seen = set()
    for number, found in written(nfc(strip_invisible(text)), lang):
        line = sentence(found) if cut is None else from_segments(cut(found))
        if FEWEST <= len(line.units) <= MOST and line.text not in seen:
            seen.add(line.text)
            yield number, line


def written(text: str, lang: str) -> Iterator[Written]:
    """Yield the sentences of a text, without those that may have been cut in the wrong place."""
    rows = [row.strip() for row in re.split("\r\n|\r|\n", text)]
    ended = [ENDED.search(row) is not None for row in rows]
    if not any(ended):  # a language, or a list, without final marks: a sentence a line
        yield from (Written(number, _single(row)) for number, row in enumerate(rows, 1) if row)
        return
    for number, paragraph in _paragraphs(rows, wrapped=_is_wrapped(rows, ended)):
        for found in _sentences(number, paragraph, lang):
            if _is_whole(found.text):
                yield found


def _is_wrapped(rows: list[str], ended: list[bool]) -> bool:
    """Return whether sentences go on over lines: few that another one follows end with a mark."""
    followed = [
        end for end, row, after in zip(ended, rows, rows[1:], strict=False) if row and after
    ]
    return 2 * sum(followed) < len(followed)


def _paragraphs(rows: list[str], *, wrapped: bool) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that belong together, with the number of the first: one each, or wrapped."""
    held: list[str] = []
    for number, row in enumerate([*rows, ""], 1):
        if held and not (row and wrapped):
            yield number - len(held), held
            held = []
        if row:
            held.append(row)


def _sentences(number: int, rows: list[str], lang: str) -> Iterator[Written]:
    text = _single(" ".join(rows))
    if INNER.search(text) is None:
        yield Written(number, text)
        return
    starts = [0]
    for row in rows[:-1]:
        starts.append(starts[-1] + len(_single(row)) + 1)
    at, before = 0, ""
    for piece in _segment(lang, text):
        stripped = piece.strip()
        if stripped and not _goes_on(before, stripped):
            start = at + piece.index(stripped[0])
            yield Written(number + bisect_right(starts, start) - 1, stripped)
        at, before = at + len(piece), stripped


def _goes_on(before: str, text: str) -> bool:
    """Return whether a text may say no more than who said what was quoted before it."""
    begins = next(filter(str.isalnum, text), "")
    return before[-1:] in _QUOTES and begins == begins.lower()


def _segment(lang: str, text: str) -> list[str]:
    """Return a paragraph's sentences, which together are the paragraph."""
    try:
        from sentencex import segment
    except ImportError:
        raise missing_extra(
            "a text with several sentences on a line, or sentences over lines,", "segmenters"
        ) from None
    return list(segment(lang, text))


def _is_whole(text: str) -> bool:
    """Return whether a text is surely one sentence: no abbreviation, dialogue or part of one."""
    begins = next(filter(str.isalnum, text), "")
    return (
        ENDED.search(text) is not None
        and not text.endswith(("..", "…"))
        and INNER.search(text) is None
        and begins == begins.title()
        and _is_balanced(text)
    )


def _is_balanced(text: str) -> bool:
    """Return whether the quotes and brackets of a text close within it."""
    pairs = (*_PAIRS, "„“" if "„" in text else "“”")
    return text.count('"') % 2 == 0 and all(
        text.count(pair[0]) == text.count(pair[1]) for pair in pairs
    )


def _single(text: str) -> str:
    return " ".join(text.split())
