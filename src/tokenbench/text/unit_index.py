"""An index of the units of texts, and of runs of them, for hundreds of millions.

A unit is a word (letters, marks and digits in a row), a row of a bitmap, or, in scripts that are
written without spaces and in Hangul, one character; letter case, width, white space and punctuation
make no difference. A run has eight units from a word on, or sixteen from a character on, which are
about equally specific.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tokenbench.extraction import IGNORED
from tokenbench.text.normalize import nfc, usual_width

Keys = NDArray[np.uint64]

# A text of at least this number of units, and fewer than a run has, is a range of keys.
_MIN_RANGE_UNITS: Final = 4
_WORDS_IN_RUN: Final = 8
_CHARACTERS_IN_RUN: Final = 16
# The bits of a run's key that depend on all its units; the others depend on the first four.
_RUN_MASK: Final = np.uint64((1 << 24) - 1)
# A text is looked for in pieces of this size, since files are read in pieces too.
MAX_UNITS_IN_A_ROW: Final = 64
_SORT_BATCH: Final = 1 << 24
# Beyond are only tags and private characters, which are not content.
_N_CODES: Final = 0x34000
# The first code point of the scripts written without spaces.
_NO_SPACES: Final = 0x2E80
_SEPARATOR, _CELL, _IGNORED, _WORD, _SINGLE = range(5)
# They separate the cells of a table and the values of JSON.
_CELL_SEPARATORS: Final = '\n\t,;|"'
# Within a value they separate nothing.
_ONE_LINE: Final = str.maketrans(dict.fromkeys('\t,;|"', " "))
# The position of a letter within a word matters up to here.
_MAX_LETTERS: Final = 64
# Letters of another width, with the marks that compose with them only in their usual one.
_COMPOSES = re.compile("[\uff10-\uff5a\uff66-\uff9d][\u0300-\u036f\u3099\u309a\uff9e\uff9f]+")
# A row of a bitmap, drawn with # or written as zeros and ones: as eight or more words it would
# equal half of all other rows.
_PIXELS = re.compile(r"[.#]{8,}|[01](?:, ?[01]){7,}")
_PIXEL_BITS: Final = str.maketrans({".": "0", "#": "1", ",": None, " ": None})


class UnitIndex:
    """The units of texts, to find those of other texts among them.

    Memory: 16 bytes for each unit, of which there may be four billion.
    """

    def __init__(self) -> None:
        self._runs, self._cells, self._values = _SortedKeys(), _SortedKeys(), _SortedKeys()
        self._hashes, self._size = [np.empty(0, np.uint32)], 0
        self._starts: list[int] = []
        self._names: list[str] = []

    def add(self, text: str, name: str, values: str = "") -> None:
        """Add a text.

        Args:
            text: any text.
            name: what a match in it is called by.
            values: the whole lines and fields there, one a line.
        """
        units = split_units(text)
        keys, cells = run_keys(units), cell_keys(units, _MIN_RANGE_UNITS - 1)
        self._runs.add(keys, self._size + np.arange(len(keys)))
        self._cells.add(cells, np.full(len(cells), self._size))
        # A zero, which is no unit's hash, ends what occurs in a row.
        self._hashes.append(np.append(_short_hashes(units), np.uint32(0)))
        self._starts.append(self._size)
        self._names.append(name)
        self._size += len(keys) + 1
        keys = _value_keys(values)
        self._values.add(keys, np.full(len(keys), self._starts[-1]))

    def sort(self) -> None:
        """Make what was added findable."""
        self._runs.sort()
        self._cells.sort()
        self._values.sort()
        self._hashes = [np.concatenate(self._hashes)]

    def find(self, text: str, overlap: float) -> tuple[float, str] | None:
        """Return the share of a text's runs that occur, and where the first of these does.

        A text shorter than a run has to occur in a row, and be a whole cell if it is shorter than
        four units. None if it does not, or if the share is below `overlap`.
        """
        units = split_units(text)
        if not units.has_run():
            place = self._find_in_a_row(units)
            return None if place is None else (1.0, self._name(place))
        lengths = units.run_lengths()
        starts = np.flatnonzero(np.arange(len(lengths)) + lengths <= len(lengths))
        candidates = starts[self._runs.contain(run_keys(units)[starts])]
        if len(candidates) < overlap * len(starts):
            return None
        found = (self._find_in_a_row(units.cut(i, i + lengths[i])) for i in candidates)
        places = [place for place in found if place is not None]
        share = len(places) / len(starts)
        return (share, self._name(places[0])) if share >= overlap else None

    def find_whole(self, text: str) -> str | None:
        """Return where the whole of a text occurs, or None if some piece of it does not."""
        units = split_units(text)
        last = max(0, len(units.hashes) - MAX_UNITS_IN_A_ROW)
        starts = [*range(0, last, MAX_UNITS_IN_A_ROW // 2), last]
        for start in starts:
            place = self._find_in_a_row(units.cut(start, start + MAX_UNITS_IN_A_ROW))
            if place is None:
                return None
            name = self._name(place)
        return name

    def find_value(self, text: str) -> str | None:
        """Return where a text is a whole value, or None if it is none."""
        keys = _value_keys(text.replace("\n", " "))
        places = next(self._values.values(keys[0], keys[0]), None) if len(keys) else None
        return None if places is None else self._name(int(places[0]))

    def _find_in_a_row(self, units: "Units") -> int | None:
        """Return a place where units occur in a row; where they fill a cell if they are few."""
        size = len(units.hashes)
        if not size:
            return None
        if size < _MIN_RANGE_UNITS:
            key = cell_keys(units._replace(cells=units.cells * 0), size)[0]
            return next((int(places[0]) for places in self._cells.values(key, key)), None)
        # Keys of different runs may be the same, so look at the units themselves.
        [hashes] = self._hashes
        for places in self._runs.values(*key_range(units)):
            for offset, unit in enumerate(_short_hashes(units)):
                places = places[hashes[places + offset] == unit]
            if len(places):
                return int(places[0])
        return None

    def _name(self, place: int) -> str:
        return self._names[bisect_right(self._starts, place) - 1]


class _SortedKeys:
    """Keys with a value each, in sorted arrays of a bounded size, to need little memory."""

    def __init__(self) -> None:
        self._batches: list[tuple[Keys, NDArray[np.uint32]]] = []
        self._unsorted: list[tuple[Keys, NDArray[np.uint32]]] = []
        self._count = 0

    def add(self, keys: Keys, values: NDArray[np.int64]) -> None:
        self._unsorted.append((keys, values.astype(np.uint32)))
        self._count += len(keys)
        if self._count >= _SORT_BATCH:
            self.sort()

    def sort(self) -> None:
        if self._count:
            keys, values = map(np.concatenate, zip(*self._unsorted, strict=True))
            order = np.argsort(keys, kind="stable")
            self._batches.append((keys[order], values[order]))
        self._unsorted, self._count = [], 0

    def contain(self, keys: Keys) -> NDArray[np.bool_]:
        """Return for each key whether it is among these."""
        result = np.zeros(len(keys), bool)
        for batch, _ in self._batches:
            indices = np.minimum(np.searchsorted(batch, keys), len(batch) - 1)
            result |= batch[indices] == keys
        return result

    def values(self, lowest: np.uint64, highest: np.uint64) -> Iterator[NDArray[np.int64]]:
        """Yield the values of the keys within bounds, if there are any."""
        for keys, values in self._batches:
            first, last = np.searchsorted(keys, lowest), np.searchsorted(keys, highest, "right")
            if first < last:
                yield values[first:last].astype(np.int64)


class Units(NamedTuple):
    """The units of a text: their hashes, whether each is one character, and the cell it is in.

    Cells are numbered from the start, as if the text were a table.
    """

    hashes: Keys
    single: NDArray[np.bool_]
    cells: NDArray[np.int64]

    def cut(self, start: int, end: int) -> "Units":
        return Units(self.hashes[start:end], self.single[start:end], self.cells[start:end])

    def run_lengths(self) -> NDArray[np.int64]:
        """Return how many units the run that begins at each unit has."""
        return np.where(self.single, _CHARACTERS_IN_RUN, _WORDS_IN_RUN)

    def has_run(self) -> bool:
        """Return whether there are enough units for a run."""
        return len(self.hashes) > 0 and len(self.hashes) >= self.run_lengths()[0]


def split_units(text: str) -> Units:
    """Return a text's units.

    >>> a, b = split_units("It’s WELL-known: １２。"), split_units("it s well known 12")
    >>> len(a.hashes), bool((a.hashes == b.hashes).all()), len(split_units("重排 이웃").hashes)
    (5, True, 4)
    >>> bool((split_units("Groß").hashes == split_units("GROSS").hashes).all())
    True
    """
    kinds, folded, values, powers = _tables()
    text = _COMPOSES.sub(lambda match: usual_width(match[0]), text)
    text = _PIXELS.sub(lambda row: row[0].translate(_PIXEL_BITS), text)
    # The capital form of ß is SS.
    text = text.replace("ß", "ss")
    codes = np.frombuffer(nfc(text).encode("utf-32-le", "surrogatepass"), np.uint32)
    codes = folded[np.minimum(codes, _N_CODES - 1)]
    kind = kinds[codes]
    if (kind == _IGNORED).any():
        codes, kind = codes[kind != _IGNORED], kind[kind != _IGNORED]
    content = kind >= _WORD
    indices = np.flatnonzero(content)
    if not len(indices):
        return Units(np.empty(0, np.uint64), np.empty(0, bool), np.empty(0, np.int64))
    begins = kind == _SINGLE
    begins[0] |= content[0]
    begins[1:] |= (kind[1:] == _WORD) & (kind[:-1] != _WORD)
    starts = np.flatnonzero(begins[indices])
    lengths = np.diff(starts, append=len(indices))
    within = np.arange(len(indices)) - np.repeat(starts, lengths)
    letters = values[codes[indices]] * powers[within % _MAX_LETTERS]
    firsts = indices[starts]
    return Units(
        hashes=_mix(np.add.reduceat(letters, starts)),
        single=kind[firsts] == _SINGLE,
        cells=np.cumsum(kind == _CELL)[firsts],
    )


def run_keys(units: Units) -> Keys:
    """Return the key of the run that begins at each unit; zeros replace units beyond the end."""
    first, words, characters = _combine(
        units.hashes, (_MIN_RANGE_UNITS, _WORDS_IN_RUN, _CHARACTERS_IN_RUN)
    )
    whole = np.where(units.single, characters, words)
    keys: Keys = (first & ~_RUN_MASK) | (whole & _RUN_MASK)
    return keys


def key_range(units: Units) -> tuple[np.uint64, np.uint64]:
    """Return the lowest and highest key of a run that begins with these units, four or more."""
    key: np.uint64 = run_keys(units)[0]
    return (key, key) if units.has_run() else (key & ~_RUN_MASK, key | _RUN_MASK)


def cell_keys(units: Units, longest: int) -> Keys:
    """Return a key for each cell of a table that contains at most `longest` units."""
    starts = np.flatnonzero(np.diff(units.cells, prepend=-1))
    lengths = np.diff(starts, append=len(units.cells))
    short = lengths <= longest
    factors = _factors(longest)[
        (np.arange(len(units.cells)) - np.repeat(starts, lengths)) % longest
    ]
    sums: Keys = np.add.reduceat(units.hashes * factors, starts) if len(starts) else units.hashes
    keys: Keys = np.bitwise_xor(sums, lengths.astype(np.uint64))[short]
    return _mix(keys)


def _value_keys(values: str) -> Keys:
    """Return a key for each line that contains few units enough to be looked for."""
    return cell_keys(split_units(values.translate(_ONE_LINE)), MAX_UNITS_IN_A_ROW)


def _short_hashes(units: Units) -> NDArray[np.uint32]:
    """Return half of each hash, and never zero."""
    return np.maximum(units.hashes.astype(np.uint32), np.uint32(1))


def _combine(hashes: Keys, counts: Sequence[int]) -> list[Keys]:
    """Return, for each of the ascending counts, a hash of each unit and its successors."""
    result, combined = np.zeros(len(hashes), np.uint64), []
    for index, factor in enumerate(_factors(counts[-1]), 1):
        following = hashes[index - 1 :]
        result[: len(following)] += following * factor
        if index in counts:
            combined.append(_mix(result))
    return combined


@cache
def _factors(count: int) -> Keys:
    """Return a factor for each position, which keeps units in another order apart."""
    return _mix(np.arange(1, count + 1, dtype=np.uint64)) | np.uint64(1)


def _mix(numbers: Keys) -> Keys:
    """Return numbers with every bit depending on every other (the finaliser of SplitMix64)."""
    numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return numbers ^ (numbers >> np.uint64(31))


@cache
def _tables() -> tuple[NDArray[np.uint8], NDArray[np.uint32], Keys, Keys]:
    """Return the kind, folded form and hash of each code point, and a factor for each position."""
    kinds = np.fromiter(map(_kind, range(_N_CODES)), np.uint8, _N_CODES)
    folded = np.fromiter(map(_fold, range(_N_CODES)), np.uint32, _N_CODES)
    values = _mix(np.arange(1, _N_CODES + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15))
    return kinds, folded, values, _factors(_MAX_LETTERS)


def _kind(code: int) -> int:
    from unicodedata2 import category

    char = chr(code)
    if char in _CELL_SEPARATORS:
        return _CELL
    if char in IGNORED:
        return _IGNORED
    if category(char)[0] not in "LMN":
        return _SEPARATOR
    return _SINGLE if code >= _NO_SPACES else _WORD


def _fold(code: int) -> int:
    """Return the code point in lower case and usual width, if that is one character."""
    form = usual_width(chr(code)).lower()
    return ord(form) if len(form) == 1 else code
