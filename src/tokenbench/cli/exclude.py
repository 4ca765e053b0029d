"""Decontamination: whether the text of an item occurs in the user's files.

What counts is the item's payload: each paragraph between the question and the sentence that asks
for tags, without a label such as `A:`. An item is left out if, for one of these paragraphs,

* at least half (`overlap`) of its runs of eight words or sixteen characters occur in the files; or
* it is shorter than a run, but has at least four units, and they occur in the files in a row; or
* it has fewer units, and is the whole of a line, of a table's cell or of a JSON string there.

An item without such a paragraph (a question alone, or a published item) is left out if its whole
prompt occurs there.

A unit is a word (letters, marks and digits in a row), a row of a bitmap, or, in scripts that are
written without spaces and in Hangul, one character; letter case, width, white space and punctuation
make no difference. A run has eight units from a word on, or sixteen from a character on, which are
about equally specific. Its key is a 64-bit number with the first unit in the highest bits, the
second in the next, and so on: in sorted keys, a run of fewer units is a range. So a run that does
not occur may be mistaken for one that does (rarely, and mostly if it differs in its last units
only): an item too many is left out, never one too few. Memory: 8 bytes for each unit of the files.

Everything is array arithmetic, because a user's files may contain hundreds of millions of units.
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tokenbench.errors import DifficultyError, SourceError
from tokenbench.extraction import IGNORED
from tokenbench.item import Item
from tokenbench.tasks.wordings import closing
from tokenbench.text.normalize import nfc, usual_width

Keys = NDArray[np.uint64]

_SUFFIXES: Final = (".csv", ".json", ".jsonl", ".md", ".ndjson", ".tsv", ".txt")
_JSON_SUFFIXES: Final = (".json", ".jsonl", ".ndjson")
_CHUNK_CHARS: Final = 1_000_000
# Characters to read again with the next chunk, so that no run is cut.
_CHUNK_OVERLAP: Final = 600
_SORT_BATCH: Final = 1 << 24
# From this number of units on, a text may occur anywhere, not only as a whole cell.
_MIN_UNITS_ANYWHERE: Final = 4
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4}(?:\\u[0-9a-fA-F]{4})*)|([nrtbf])|(.))", re.DOTALL)
_LABEL = re.compile(r"\A[^\n:：]{1,16}[:：][ \u3000]*")

# Bits of each unit in the key of a run that begins with a word, or with a character. Four units
# have 40 bits in both, enough to tell them from the other four units of a large file.
_WORD_BITS: Final = (14, 10, 8, 8, 6, 6, 6, 6)
_CHARACTER_BITS: Final = (14, 10, 8, 8) + (2,) * 12
# Beyond are only tags and private characters, which are not content.
_N_CODES: Final = 0x34000
# The first code point of the scripts written without spaces.
_NO_SPACES: Final = 0x2E80
_SEPARATOR, _CELL, _IGNORED, _WORD, _SINGLE = range(5)
# They separate the cells of a table and the values of JSON.
_CELL_SEPARATORS: Final = '\n\t,;|"'
# The position of a letter within a word matters up to here.
_MAX_LETTERS: Final = 64
# Letters of another width, with the marks that compose with them only in their usual one.
_COMPOSES = re.compile("[\uff10-\uff5a\uff66-\uff9d][\u0300-\u036f\u3099\u309a\uff9e\uff9f]+")
# A row of a bitmap, drawn with # or written as zeros and ones: as eight or more words it would
# equal half of all other rows.
_PIXELS = re.compile(r"[.#]{8,}|[01](?:, ?[01]){7,}")
_PIXEL_BITS: Final = str.maketrans({".": "0", "#": "1", ",": None, " ": None})


class TextIndex:
    """The text of the user's files, as keys that are enough to recognise it.

    Args:
        paths: UTF-8 text files: CSV, JSON Lines, plain text and others; for a folder, all files
            below it with one of these suffixes.
        overlap: the share of a paragraph's runs, above 0 and at most 1, that leaves an item out.
        progress: called after about every million characters.

    Raises:
        SourceError: a file that cannot be read or is not UTF-8, a folder without such files.
        DifficultyError: an overlap outside its bounds.
    """

    def __init__(
        self,
        paths: Iterable[str],
        overlap: float = 0.5,
        progress: Callable[[], None] = lambda: None,
    ) -> None:
        if not 0 < overlap <= 1:
            raise DifficultyError(f"--overlap must be above 0 and at most 1, got {overlap}")
        self._overlap = overlap
        self._runs, self._cells = _SortedKeys(), _SortedKeys()
        for path in chain.from_iterable(map(_list_files, paths)):
            for text in _read_chunks(path):
                units = split_units(text)
                self._runs.add(run_keys(units))
                self._cells.add(cell_keys(units, _MIN_UNITS_ANYWHERE - 1))
                progress()
        self._runs.sort()
        self._cells.sort()

    def contains(self, item: Item) -> bool:
        """Return whether an item's text occurs in the files, so that it must be left out."""
        prompt = item.prompt.removesuffix(closing(item.lang)).rstrip()
        payload = [] if prompt == item.prompt else prompt.split("\n\n")[1:]
        if not payload:
            return self._contains_share(prompt, 1.0)
        return any(map(self._contains_paragraph, payload))

    def _contains_paragraph(self, text: str) -> bool:
        unlabelled = _LABEL.sub("", text)
        if self._contains_share(unlabelled, self._overlap):
            return True
        # A short text must be a whole cell, and its label may be part of the cell.
        is_short = len(split_units(unlabelled).hashes) < _MIN_UNITS_ANYWHERE
        return unlabelled != text and is_short and self._contains_share(text, 1.0)

    def _contains_share(self, text: str, share: float) -> bool:
        units = split_units(text)
        count = len(units.hashes)
        if not count:
            return False
        if count < _MIN_UNITS_ANYWHERE:
            as_cell = cell_keys(units._replace(cells=units.cells * 0), count)
            return bool(self._cells.contain(as_cell).all())
        if count < run_length(units):
            lowest, highest = key_range(units)
            return any(
                np.searchsorted(keys, lowest) < np.searchsorted(keys, highest, "right")
                for keys in self._runs.batches
            )
        return bool(self._runs.contain(complete_run_keys(units)).mean() >= share)


class _SortedKeys:
    """Keys in sorted arrays of a bounded size, so that sorting needs little memory."""

    def __init__(self) -> None:
        self.batches: list[Keys] = []
        self._unsorted: list[Keys] = []
        self._count = 0

    def add(self, keys: Keys) -> None:
        self._unsorted.append(keys)
        self._count += len(keys)
        if self._count >= _SORT_BATCH:
            self.sort()

    def sort(self) -> None:
        if self._count:
            batch = np.concatenate(self._unsorted)
            # Not np.unique, which takes sixty times as long.
            batch.sort()
            self.batches.append(batch)
        self._unsorted, self._count = [], 0

    def contain(self, keys: Keys) -> NDArray[np.bool_]:
        """Return for each key whether it is among these."""
        result = np.zeros(len(keys), bool)
        for batch in self.batches:
            indices = np.minimum(np.searchsorted(batch, keys), len(batch) - 1)
            result |= batch[indices] == keys
        return result


def _list_files(path: str) -> Iterator[str]:
    if not os.path.isdir(path):
        yield path
        return
    empty = True
    for folder, folders, names in os.walk(path):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if name.lower().endswith(_SUFFIXES):
                empty = False
                yield str(Path(folder, name))
    if empty:
        raise SourceError(f"{path!r} contains no file named {', '.join(_SUFFIXES)}")


def _read_chunks(path: str) -> Iterator[str]:
    """Yield a file's text in chunks that end between words and overlap a little."""
    is_json = path.lower().endswith(_JSON_SUFFIXES)
    rest = ""
    try:
        with open(path, encoding="utf-8-sig", newline="") as stream:
            while chunk := stream.read(_CHUNK_CHARS):
                text = rest + chunk
                end = max(text.rfind("\n"), text.rfind(" ")) + 1
                if end < len(text) // 2:
                    # Without a good place, cut anywhere, so that the rest stays short.
                    end = len(text)
                yield _unescape(text[:end]) if is_json else text[:end]
                rest = text[max(0, end - _CHUNK_OVERLAP) :]
    except OSError as error:
        raise SourceError(f"cannot read {path!r}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise SourceError(f"{path!r} is not UTF-8 text: convert it") from None
    yield _unescape(rest) if is_json else rest


def _unescape(text: str) -> str:
    """Return JSON text with the escapes in its strings resolved."""

    def character(escape: re.Match[str]) -> str:
        codes, control, other = escape.groups()
        if codes:
            utf_16 = bytes.fromhex(codes.replace("\\u", ""))
            return utf_16.decode("utf-16-be", "surrogatepass")
        return "\n" if control else str(other)

    return _ESCAPE.sub(character, text) if "\\" in text else text


class Units(NamedTuple):
    """The units of a text: their hashes, whether each is one character, and the cell it is in.

    Cells are numbered from the start, as if the text were a table.
    """

    hashes: Keys
    single: NDArray[np.bool_]
    cells: NDArray[np.int64]


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
    words, characters = _pack(units.hashes, _WORD_BITS), _pack(units.hashes, _CHARACTER_BITS)
    return np.where(units.single, characters, words)


def complete_run_keys(units: Units) -> Keys:
    """Return the keys of the runs that do not reach beyond the end."""
    lengths = np.where(units.single, len(_CHARACTER_BITS), len(_WORD_BITS))
    keys: Keys = run_keys(units)[np.arange(len(lengths)) + lengths <= len(lengths)]
    return keys


def run_length(units: Units) -> int:
    """Return the number of units in the run that begins at the first one."""
    return len(_CHARACTER_BITS if units.single[0] else _WORD_BITS)


def key_range(units: Units) -> tuple[np.uint64, np.uint64]:
    """Return the lowest and highest key of a run that begins with these units, too few for one."""
    lowest = run_keys(units)[0]
    bits = _CHARACTER_BITS if units.single[0] else _WORD_BITS
    free = 64 - sum(bits[: len(units.hashes)])
    return lowest, lowest | np.uint64((1 << free) - 1)


def cell_keys(units: Units, longest: int) -> Keys:
    """Return a key for each cell of a table that contains at most `longest` units."""
    starts = np.flatnonzero(np.diff(units.cells, prepend=-1))
    lengths = np.diff(starts, append=len(units.cells))
    short = lengths <= longest
    starts, lengths = starts[short], lengths[short]
    keys = lengths.astype(np.uint64)
    for index in range(longest):
        longer = lengths > index
        keys[longer] = _mix(keys[longer] ^ units.hashes[starts[longer] + index])
    return keys


def _pack(hashes: Keys, sizes: tuple[int, ...]) -> Keys:
    """Return each unit and its successors as one number, from the highest bits of each hash."""
    result = np.zeros(len(hashes), np.uint64)
    shift = 64
    for index, bits in enumerate(sizes[: len(hashes)]):
        shift -= bits
        parts = (hashes[index:] >> np.uint64(64 - bits)) << np.uint64(shift)
        result[: len(parts)] |= parts
    return result


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
    powers = _mix(np.arange(1, _MAX_LETTERS + 1, dtype=np.uint64)) | np.uint64(1)
    return kinds, folded, values, powers


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
