"""A text as numbers: its units, folded, and the runs of them that identify it.

A unit here is a word (letters, marks and digits in a row), a row of a bitmap, or, in scripts that
are written without spaces and in Hangul, one character; letter case, width, white space and
punctuation make no difference.
A run is eight units from a word on, sixteen from a character on, which say about as much. Its key
is a 64-bit number in which the first unit takes the highest bits, the second the next, and so on:
in sorted keys, a run of fewer units is a range.

Everything is array arithmetic, because a user's files may hold hundreds of millions of units.
"""

import re
from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tokenbench.extraction import IGNORED
from tokenbench.text.normalize import nfc, usual_width

Keys = NDArray[np.uint64]

# Bits of each unit in the key of a run that begins with a word, or with a character. Four units are
# 40 bits in both, enough for as many to be told from those of a large file.
_WORDS: Final = (14, 10, 8, 8, 6, 6, 6, 6)
_CHARACTERS: Final = (14, 10, 8, 8) + (2,) * 12
_CODES: Final = 0x34000  # beyond stand tags and private characters, which are no content
_NO_SPACES: Final = 0x2E80  # the first code point of the scripts written without spaces
_SEPARATOR, _CELL, _IGNORED, _WORD, _SINGLE = range(5)
_CELLS: Final = '\n\t,;|"'  # what stands between the cells of a table and the values of JSON
_LONGEST: Final = 64  # letters after which their places in a word no longer matter
# Letters of another width, with the marks that compose with them only in their usual one.
_COMPOSES = re.compile("[\uff10-\uff5a\uff66-\uff9d][\u0300-\u036f\u3099\u309a\uff9e\uff9f]+")


# A row of a bitmap, drawn with # or listed as zeros and ones: as eight or more words it would be
# the same as half of all others.
_PIXELS = re.compile(r"[.#]{8,}|[01](?:, ?[01]){7,}")
_BITS: Final = str.maketrans({".": "0", "#": "1", ",": None, " ": None})


class Units(NamedTuple):
    """The units of a text: a number for each, whether it is one character, and its cell."""

    hashes: Keys
    single: NDArray[np.bool_]
    cells: NDArray[np.int64]  # counted from the start, were the text a table


def units(text: str) -> Units:
    """Return a text's units.

    >>> a, b = units("It’s WELL-known: １２。"), units("it s well known 12")
    >>> len(a.hashes), bool((a.hashes == b.hashes).all()), len(units("重排 이웃").hashes)
    (5, True, 4)
    >>> bool((units("Groß").hashes == units("GROSS").hashes).all())
    True
    """
    kinds, folded, values, powers = _tables()
    text = _COMPOSES.sub(lambda found: usual_width(found[0]), text)
    text = _PIXELS.sub(lambda row: row[0].translate(_BITS), text)
    text = text.replace("ß", "ss")  # as it is written in capitals
    codes = np.frombuffer(nfc(text).encode("utf-32-le", "surrogatepass"), np.uint32)
    codes = folded[np.minimum(codes, _CODES - 1)]
    kind = kinds[codes]
    if (kind == _IGNORED).any():
        codes, kind = codes[kind != _IGNORED], kind[kind != _IGNORED]
    content = kind >= _WORD
    places = np.flatnonzero(content)
    if not len(places):
        return Units(np.empty(0, np.uint64), np.empty(0, bool), np.empty(0, np.int64))
    begins = kind == _SINGLE
    begins[0] |= content[0]
    begins[1:] |= (kind[1:] == _WORD) & (kind[:-1] != _WORD)
    starts = np.flatnonzero(begins[places])
    lengths = np.diff(starts, append=len(places))
    within = np.arange(len(places)) - np.repeat(starts, lengths)
    letters = values[codes[places]] * powers[within % _LONGEST]
    firsts = places[starts]
    return Units(
        hashes=_mixed(np.add.reduceat(letters, starts)),
        single=kind[firsts] == _SINGLE,
        cells=np.cumsum(kind == _CELL)[firsts],
    )


def keys(found: Units) -> Keys:
    """Return the key of the run that begins at each unit; those that the end cuts have zeros."""
    words, characters = _joined(found.hashes, _WORDS), _joined(found.hashes, _CHARACTERS)
    return np.where(found.single, characters, words)


def runs(found: Units) -> Keys:
    """Return the keys of the runs that the end does not cut."""
    lengths = np.where(found.single, len(_CHARACTERS), len(_WORDS))
    count = len(found.hashes)
    whole: Keys = keys(found)[np.arange(count) + lengths <= count]
    return whole


def length(found: Units) -> int:
    """Return how many units the run has that begins at the first one."""
    return len(_bits(found))


def span(found: Units) -> tuple[np.uint64, np.uint64]:
    """Return the lowest and highest key of a run that begins with these units, too few for one."""
    lowest = keys(found)[0]
    free = 64 - sum(_bits(found)[: len(found.hashes)])
    return lowest, lowest | np.uint64((1 << free) - 1)


def cells(found: Units, longest: int) -> Keys:
    """Return a key for each cell of a table that holds from one to so many units, all of it."""
    starts = np.flatnonzero(np.diff(found.cells, prepend=-1))
    lengths = np.diff(starts, append=len(found.cells))
    short = lengths <= longest
    starts, lengths = starts[short], lengths[short]
    result = lengths.astype(np.uint64)
    for place in range(longest):
        there = lengths > place
        result[there] = _mixed(result[there] ^ found.hashes[starts[there] + place])
    return result


def _bits(found: Units) -> tuple[int, ...]:
    return _CHARACTERS if found.single[0] else _WORDS


def _joined(hashes: Keys, sizes: tuple[int, ...]) -> Keys:
    """Return each unit and its successors as one number, the highest bits of each hash."""
    result = np.zeros(len(hashes), np.uint64)
    shift = 64
    for place, bits in enumerate(sizes[: len(hashes)]):
        shift -= bits
        parts = (hashes[place:] >> np.uint64(64 - bits)) << np.uint64(shift)
        result[: len(parts)] |= parts
    return result


def _mixed(numbers: Keys) -> Keys:
    """Return numbers with every bit depending on every other (the finaliser of SplitMix64)."""
    numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return numbers ^ (numbers >> np.uint64(31))


@cache
def _tables() -> tuple[NDArray[np.uint8], NDArray[np.uint32], Keys, Keys]:
    """Return each code point's kind, folded form and number, and the factor of each place."""
    kinds = np.fromiter(map(_kind, range(_CODES)), np.uint8, _CODES)
    folded = np.fromiter(map(_folded, range(_CODES)), np.uint32, _CODES)
    values = _mixed(np.arange(1, _CODES + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15))
    powers = _mixed(np.arange(1, _LONGEST + 1, dtype=np.uint64)) | np.uint64(1)
    return kinds, folded, values, powers


def _kind(code: int) -> int:
    from unicodedata2 import category

    char = chr(code)
    if char in _CELLS:
        return _CELL
    if char in IGNORED:
        return _IGNORED
    if category(char)[0] not in "LMN":
        return _SEPARATOR
    return _SINGLE if code >= _NO_SPACES else _WORD


def _folded(code: int) -> int:
    """Return the code point in lower case and usual width, where that is one character."""
    form = usual_width(chr(code)).lower()
    return ord(form) if len(form) == 1 else code
