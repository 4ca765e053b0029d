"""Cut a user's text into sentences, and sentences into words."""

import os
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import accumulate
from typing import Any, Final, TypeAlias

from tokenbench.checks import one_of, texts
from tokenbench.errors import SourceError, needs_extra
from tokenbench.patterns import lazy_pattern
from tokenbench.text.graphemes import Line, from_segments, sentence
from tokenbench.text.languages import language, language_code
from tokenbench.text.normalize import nfc, strip_invisible
from tokenbench.text.sources import read_text, stamp

Segmenter: TypeAlias = Callable[[str], Iterable[str]]

MIN_WORDS: Final = 3  # of a sentence
MAX_WORDS: Final = 30
# The final marks of the world's scripts: Latin, Arabic, Devanagari, Ethiopic, Han, Armenian,
# Burmese, Khmer, Tibetan, Ol Chiki, Meetei Mayek. Greek's question mark ends lines only: elsewhere
# it is a semicolon.
FINAL_MARKS: Final = ".!?…؟۔।॥።፧。！？．։။។៕།᱾᱿꯫"
_CLOSING: Final = "\"'”’“‘»›«」』）)\\]"  # German and Danish close with what others open with
ENDING: Final = lazy_pattern(f"[{FINAL_MARKS};][{_CLOSING}]*$")
# A final mark after which the text goes on, other than with digits (3.5).
INNER_MARK: Final = lazy_pattern(f"[{FINAL_MARKS}]++[{_CLOSING}]*+(?=[^0-9])")
SEGMENTERS: Final = ("rjieba", "sudachi", "spaces")
_QUOTES: Final = tuple("\"'”’“‘»«」』")
_PAIRS: Final = ("()", "[]", "«»", "「」", "『』", "（）", "《》")


def sentences_with_lines(
    path: str | os.PathLike[str], lang: str, segmenter: str | Segmenter | None = None
) -> tuple[tuple[int, Line], ...]:
    """Return the sentences of `Pack.from_text`, with the lines (from 1) they begin on."""
    cut = choose_segmenter(language_code("lang", lang), segmenter)
    found = tuple(lines(read_text(stamp(path)).text, lang, cut))
    if not found:
        problem = f"{os.fspath(path)!r} has no sentence of 3 to 30 words with a final mark"
        remedy = "for a language that writes no spaces between words, give a segmenter"
        raise SourceError(problem, remedy=remedy)
    return found


def lines(text: str, lang: str, cut: Segmenter | None) -> Iterator[tuple[int, Line]]:
    """Yield the different sentences of a text that are fit for a pack, with their line numbers.

    Args:
        text: prose, or a sentence a line; an empty line always ends a sentence.
        lang: its language's code.
        cut: cuts a sentence into words and marks; None is for texts with spaces between words.

    Raises:
        MissingExtraError: a line has several sentences, and the package that cuts them is not
            installed.
    """
    seen = set()
    for number, found in _sentences(nfc(strip_invisible(text)), lang):
        line = sentence(found) if cut is None else from_segments(cut(found))
        if MIN_WORDS <= len(line.units) <= MAX_WORDS and line.text not in seen:
            seen.add(line.text)
            yield number, line


def _sentences(text: str, lang: str) -> Iterator[tuple[int, str]]:
    """Yield the sentences of a text with single spaces, and the lines (from 1) they begin on.

    Sentences that may have been cut in the wrong place are left out.
    """
    rows = [row.strip() for row in re.split("\r\n|\r|\n", text)]
    ended = [ENDING.search(row) is not None for row in rows]
    # A language, or a list, without final marks has a sentence a line.
    if not any(ended):
        yield from ((number, _single_spaces(row)) for number, row in enumerate(rows, 1) if row)
        return
    # Sentences go on over lines if few lines before another one end with a mark.
    followed = [
        end for end, row, after in zip(ended, rows, rows[1:], strict=False) if row and after
    ]
    paragraphs = _paragraphs(rows, wrapped=2 * sum(followed) < len(followed))
    for number, paragraph in paragraphs:
        for start, found in _cut_paragraph(number, paragraph, lang):
            if _is_one_sentence(found):
                yield start, found


def choose_segmenter(lang: str, segmenter: str | Segmenter | None) -> Segmenter | None:
    """Return the segmenter that the caller chose, else the language's own, if any.

    Args:
        lang: a language code.
        segmenter: `rjieba` (Chinese), `sudachi` (Japanese), `spaces` (cut already), or a function
            from a sentence to its words and marks.

    Raises:
        UnknownNameError: no such segmenter.
        MissingExtraError: it is not installed.

    >>> choose_segmenter("zh", "spaces")("下 雨 了 。")
    ['下', '雨', '了', '。']
    """
    if callable(segmenter):
        cut = segmenter
        return lambda text: texts("what a segmenter cuts a sentence into", list(cut(text)))
    name = language(lang).segmenter if segmenter is None else segmenter
    if name is None:
        return None
    with needs_extra(f"segmenter={name!r}", "segmenters"):
        return _load_segmenter(one_of("segmenter", name, SEGMENTERS))


def _paragraphs(rows: list[str], *, wrapped: bool) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that belong together, with the number of the first: one each, or wrapped."""
    paragraph: list[str] = []
    for number, row in enumerate([*rows, ""], 1):
        if paragraph and not (row and wrapped):
            yield number - len(paragraph), paragraph
            paragraph = []
        if row:
            paragraph.append(row)


def _cut_paragraph(number: int, rows: list[str], lang: str) -> Iterator[tuple[int, str]]:
    text = _single_spaces(" ".join(rows))
    if INNER_MARK.search(text) is None:
        yield number, text
        return
    with needs_extra("a text with sentences over lines, or several on one,", "segmenters"):
        from sentencex import segment
    starts = list(accumulate((len(_single_spaces(row)) + 1 for row in rows), initial=0))
    at, before = 0, ""
    for piece in segment(lang, text):
        stripped = piece.strip()
        first = next(filter(str.isalnum, stripped), "")
        # A text after a quote may only name the speaker.
        if stripped and not (before[-1:] in _QUOTES and first == first.lower()):
            start = at + piece.index(stripped[0])
            yield number + bisect_right(starts, start) - 1, stripped
        at, before = at + len(piece), stripped


def _is_one_sentence(text: str) -> bool:
    """Return whether a text is surely one sentence: no abbreviation, dialogue or part of one."""
    first = next(filter(str.isalnum, text), "")
    # Quotes and brackets close within a sentence.
    pairs = (*_PAIRS, "„“" if "„" in text else "“”")
    return (
        ENDING.search(text) is not None
        and not text.endswith(("..", "…"))
        and INNER_MARK.search(text) is None
        and first == first.title()
        and text.count('"') % 2 == 0
        and all(text.count(pair[0]) == text.count(pair[1]) for pair in pairs)
    )


def _single_spaces(text: str) -> str:
    return " ".join(text.split())


def _load_segmenter(name: str) -> Segmenter:
    if name == "spaces":
        return str.split
    if name == "rjieba":
        from rjieba import cut

        return cut
    from sudachipy import SplitMode

    # No two threads share a tokenizer.
    tokenizer = _sudachi_dictionary().tokenizer(mode=SplitMode.B)
    return lambda text: [morpheme.surface() for morpheme in tokenizer.tokenize(text)]


@cache
def _sudachi_dictionary() -> Any:
    from sudachipy import Dictionary

    # An ImportError without a package with its data.
    return Dictionary()
