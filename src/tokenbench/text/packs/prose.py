"""Cutting a user's text into the sentences of a pack."""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from tokenbench.text.fold import nfc, visible
from tokenbench.text.line import Line, segmented, sentence

_FEWEST, _MOST = 3, 30  # words of a sentence
# A sentence ends with these marks and the quotes that close after them. A full stop ends one only
# before a space, lest numbers and abbreviations be cut in two.
_ENDS: Final = re.compile("([!?。！？।॥۔؟።…]+[\"'”’»」』）)]*|\\.[\"'”’»)]*(?=\\s|$))")


def lines(text: str, cut: Callable[[str], Iterable[str]] | None) -> Iterator[Line]:
    """Yield the different sentences of a text that are neither very short nor very long.

    Args:
        text: prose, or a sentence a line; an empty line always ends a sentence.
        cut: cuts a sentence into words and marks; None is for texts with spaces between words.
    """
    seen = set()
    for written in _written(nfc(visible(text))):
        line = sentence(written) if cut is None else segmented(_nonempty(cut(written)))
        if _FEWEST <= len(line.units) <= _MOST and line.text not in seen:
            seen.add(line.text)
            yield line


def _written(text: str) -> Iterator[str]:
    """Yield the sentences of a text as they are written, with single spaces."""
    for paragraph in _paragraphs(text):
        pieces = _ENDS.split(" ".join(paragraph.split()))
        for body, end in zip(pieces[::2], [*pieces[1::2], ""], strict=True):
            if written := (body + end).strip():
                yield written


def _paragraphs(text: str) -> Iterable[str]:
    """Return the lines of a text whose lines end with a mark, else its paragraphs."""
    written = [line for line in text.splitlines() if line.strip()]
    ended = sum(_ENDS.search(line.rstrip()[-2:]) is not None for line in written)
    return written if 2 * ended >= len(written) else re.split(r"\n\s*\n", text)


def _nonempty(segments: Iterable[str]) -> Iterator[str]:
    return (stripped for segment in segments if (stripped := segment.strip()))
