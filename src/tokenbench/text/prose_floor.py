"""A floor under written texts: below it are those that no reader would take for texts.

It does not judge a text: natural words in any order pass. The bounds are far from those of natural
texts.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import chain, groupby, pairwise
from operator import eq, lt, sub
from typing import Final, NamedTuple, TypeVar

from tokenbench.cache import Cache
from tokenbench.patterns import lazy_pattern
from tokenbench.text.languages import Language
from tokenbench.text.sources import data_rows
from tokenbench.text.units import units

T = TypeVar("T")

# Known units, in hundredths of all: words whose letters follow one another as in our English data,
# and characters of our Chinese or Korean data. Of random characters of the national standards, 32
# and 48 are known; in natural texts with many rare ones, 73 and 90.
_MIN_KNOWN: Final = {"word": 75, "han": 66, "hangul": 75}
# By the kind of unit; `tools/known_units.py` writes them.
REPERTOIRES: Final = {
    "word": "known_letters.txt",
    "han": "known_han.txt",
    "hangul": "known_hangul.txt",
}
# Where the characters of each kind of unit begin.
_FIRST_CODES: Final = {"word": 0, "han": 0x3000, "hangul": 0xAC00}
_FIFTEEN_BITS: Final = lazy_pattern("[\0-\u7fff]*")
# Known words, in hundredths of those that are not function words; and of these, if they are many,
# words whose every four letters are known.
_MIN_KNOWN_CONTENT: Final = 60
_MIN_FAMILIAR: Final = 20
_MANY: Final = 12
# Function words, in hundredths of all.
_MIN_FUNCTION: Final = 15
_MAX_FUNCTION: Final = 75
_MAX_KNOWN: Final = 1 << 14  # units that are remembered
_SIZES_CACHED: Final = 256  # of texts
# Facts about a unit, as bits: its runs of three letters are known; those of four are; it is a
# function word; it is in a list that texts recite, or a number.
_KNOWN, _FAMILIAR, _FUNCTION, _LISTED = 1, 2, 4, 8
_HAVING: Final = {
    bit: bytes(bool(bits & bit) for bits in range(256))
    for bit in (_KNOWN, _FAMILIAR, _FUNCTION, _LISTED)
}
_OF_FUNCTION_WORDS: Final = bytes(bits for bits in range(256) if bits & _FUNCTION)
_MIN_SERIES: Final = 6  # units in the order of an alphabet, of numbers or of code points
_IN_A_ROW: Final = b"\1" * _MIN_SERIES
# As many listed ones, or with another word after each: “one cat two cat”.
_SERIES: Final = lazy_pattern(
    rb"\x01(?:\x01{%d}|(?:.\x01){%d})" % ((_MIN_SERIES - 1,) * 2), re.DOTALL
)
_MIN_NUMBERS: Final = 10  # one after another, in any order
_NUMBERS: Final = b"\1" * _MIN_NUMBERS
_MIN_SORTED: Final = 9  # units in the order of a dictionary or of a table, or backwards
_RISING, _NOT_RISING = b"\1" * (_MIN_SORTED - 1), b"\0" * (_MIN_SORTED - 1)
_STEPS: Final = (1, 2, 3)  # “the babe the bade the bafe”
# Each unit; every other one; every third one.
_COLUMNS: Final = tuple(slice(first, None, step) for step in _STEPS for first in range(step))
_MAX_RECITED: Final = 25  # units in such runs, in hundredths of all: people count, too
# As many different words between the same two make a frame. Frames are bad if most of these words
# are unknown.
_MIN_IN_FRAME: Final = 2


class _Lanes:
    """The ranks of units, side by side in one number, which compares all at once.

    A rank is the place of the first character in its script. The top bit of each lane is free;
    where steps are compared, a lane has room for two ranks. After the last unit all ranks are 0.

    Args:
        ranks: of units, each as the character of that code.
    """

    def __init__(self, ranks: str) -> None:
        n_bytes, codec = 4, "utf-32-le"
        if ranks.isascii():
            n_bytes, codec = 1, "ascii"
        elif _FIFTEEN_BITS.fullmatch(ranks):
            n_bytes, codec = 2, "utf-16-le"
        self._size = 8 * n_bytes
        self._ranks = int.from_bytes(ranks.encode(codec), "little")
        self._tops = _tops(n_bytes, len(ranks))

    def may_be_sorted(self) -> bool:
        """Return whether some _MIN_SORTED units in a row may be in order, or in reverse."""
        ranks, tops, size = self._ranks, self._tops, self._size
        later = ranks >> size
        rising, falling = ((later | tops) - ranks) & tops, ((ranks | tops) - later) & tops
        # Eight comparisons in a row.
        return self._has_four(rising & rising >> 4 * size) or self._has_four(
            falling & falling >> 4 * size
        )

    def may_step_evenly(self) -> bool:
        """Return whether four times in a row a rank may be midway between its neighbors."""
        sums = self._ranks + (self._ranks >> 2 * self._size)
        differ = sums ^ (self._ranks >> self._size) << 1
        # The top bit of each lane that differs, be it its own or carried there from the others.
        others = self._tops - (self._tops >> self._size - 1)
        differ |= (differ & others) + others
        return self._has_four(self._tops & ~differ)

    def _has_four(self, tops: int) -> bool:
        """Return whether four top bits in a row are set."""
        pairs = tops & tops >> self._size
        return bool(pairs & pairs >> 2 * self._size)


@lru_cache(maxsize=_SIZES_CACHED)
def _tops(n_bytes: int, n: int) -> int:
    """Return the number of which the top bit of each of n lanes is set."""
    return int.from_bytes(b"\x80".rjust(n_bytes, b"\0") * n, "little")


class _Series(NamedTuple):
    """What texts recite: its units, and its runs of a few units that follow one another."""

    units: frozenset[str]
    runs: frozenset[tuple[str, ...]]


def floor_fault(found: Sequence[str], language: Language) -> str:
    """Return why units are not a text of a language, in words; empty if they may be one.

    Args:
        found: the units of a text, in their order and in lower case.
        language: their language.

    >>> from tokenbench.text.languages import language
    >>> floor_fault("aa ab ac ad ae".split(), language("en"))
    'too few of its words are known'
    >>> floor_fault("the horses drank from the old well".split(), language("en"))
    ''
    """
    facts = "".join(map(_table_of_units(language).__getitem__, found))
    ranks, bits = facts[::2], facts[1::2].encode()
    known = bits.translate(_HAVING[_KNOWN])
    few = f"too few of its {language.unit_name}s are known"
    if 100 * known.count(1) < _MIN_KNOWN[language.unit] * len(found):
        return few
    if _recites(found, ranks, bits, language):
        return "it recites an alphabet, numbers or a table of characters"
    if not language.counts_words:
        return ""
    content = bits.translate(None, _OF_FUNCTION_WORDS)
    # A short text may have one less, or more, by chance.
    n_function, n = len(found) - len(content), len(found)
    if 100 * (n_function + 1) < _MIN_FUNCTION * n or 100 * (n_function - 1) > _MAX_FUNCTION * n:
        return "it has too few or too many function words"
    if 100 * content.translate(_HAVING[_KNOWN]).count(1) < _MIN_KNOWN_CONTENT * len(content):
        return few
    n_familiar = content.translate(_HAVING[_FAMILIAR]).count(1)
    if len(content) >= _MANY and 100 * n_familiar < _MIN_FAMILIAR * len(content):
        return few
    return "it fills a frame with unknown words" if _has_bad_frame(found, known) else ""


def letter_runs(word: str, size: int) -> list[str]:
    """Return each run of letters of a word, its ends included, of a given size.

    A shorter word is one run.

    >>> letter_runs("cat", 3), letter_runs("a", 4)
    (['^ca', 'cat', 'at$'], ['^a$'])
    """
    marked = f"^{word}$"
    return [marked[at : at + size] for at in range(max(1, len(marked) - size + 1))]


def windows(values: Sequence[T], size: int) -> Iterator[tuple[T, ...]]:
    """Return each run of values of a given size.

    >>> list(windows("abcd", 3))
    [('a', 'b', 'c'), ('b', 'c', 'd')]
    """
    return zip(*(values[start:] for start in range(size)), strict=False)


class _TableOfUnits(Cache[str, str]):
    """The rank of each unit and the bits of its facts, a character each, found when first met."""

    def __init__(self, language: Language) -> None:
        super().__init__(_MAX_KNOWN)
        self._language = language

    def __missing__(self, unit: str) -> str:
        bits = {
            _KNOWN: _is_known(unit, self._language, 3),
            _FAMILIAR: _is_known(unit, self._language, 4),
            _FUNCTION: unit in self._language.writing["function"],
            _LISTED: unit in _series(self._language).units or _is_number(unit, self._language),
        }
        rank = ord(unit[0]) - _FIRST_CODES[self._language.unit]
        facts = sum(bit for bit, is_set in bits.items() if is_set)
        return self.keep(unit, chr(rank) + chr(facts))


@cache
def _table_of_units(language: Language) -> _TableOfUnits:
    return _TableOfUnits(language)


def _is_known(unit: str, language: Language, size: int) -> bool:
    known = _repertoire(language)
    if not language.counts_words:
        return unit in known
    parts = _without_accents(unit).replace("'", "-").split("-")
    return unit in language.writing["function"] or all(
        run in known for part in parts if part for run in letter_runs(part, size)
    )


def _without_accents(word: str) -> str:
    if word.isascii():
        return word
    from unicodedata2 import normalize  # slow to import, and few words need it

    return str(normalize("NFD", word).encode("ascii", "ignore"), "ascii")


@cache
def _repertoire(language: Language) -> frozenset[str]:
    """Return the characters that are known, or the runs of three and four letters of words."""
    rows = data_rows("tokenbench.text", "data", REPERTOIRES[language.unit])
    if not language.counts_words:
        return frozenset(char for (row,) in rows for char in row)
    pairs = (row.split(" ") for (row,) in rows)
    runs = [begun + letter for begun, letters in pairs for letter in letters]
    return frozenset(chain(runs, (run[:3] for run in runs), (run[1:] for run in runs)))


def _recites(found: Sequence[str], ranks: str, bits: bytes, language: Language) -> bool:
    """Return whether much of a text recites a series, numbers, code points or a sorted list.

    Args:
        found: its units.
        ranks: as in `_Lanes`.
        bits: the facts about each unit.
        language: their language.
    """
    recited: set[int] = set()
    # Nearly no text has such runs: whether it may have any is found quickly, and where only then.
    are_listed = bits.translate(_HAVING[_LISTED])
    if _SERIES.search(are_listed):
        recited.update(_places_in_lists(found, are_listed, language))
    if not language.counts_words and _Lanes(ranks).may_step_evenly():
        codes = list(map(ord, found))
        steps = list(map(sub, codes[1:], codes))
        are_equal, in_a_row = bytes(map(eq, steps, steps[1:])), b"\1" * (_MIN_SERIES - 2)
        for start in range(len(steps)) if in_a_row in are_equal else ():
            if steps[start] and are_equal.startswith(in_a_row, start):
                recited.update(range(start, start + _MIN_SERIES))
    columns = "".join(map(ranks.__getitem__, _COLUMNS))
    for step in _STEPS if _Lanes(columns).may_be_sorted() else ():
        rises = bytes(map(lt, found, found[step:]))
        for first in range(step):
            if _RISING not in rises[first::step] and _NOT_RISING not in rises[first::step]:
                continue
            column, at = found[first::step], first
            orders = [(after > before) - (after < before) for before, after in pairwise(column)]
            for order, group in groupby(orders):
                size = len([*group])
                if order and size + 1 >= _MIN_SORTED:
                    recited.update(range(at, at + step * size + 1, step))
                at += step * size
    return 100 * len(recited) > _MAX_RECITED * len(found)


def _places_in_lists(found: Sequence[str], are_listed: bytes, language: Language) -> Iterator[int]:
    """Yield the places of units that recite a series, or numbers in any order."""
    series = _series(language)
    if len(series.units.intersection(found)) < _MIN_SERIES - 1:
        return
    for first, step in ((0, 1), (0, 2), (1, 2)):
        if _IN_A_ROW not in are_listed[first::step]:
            continue
        places = range(first, len(found), step)
        for start, run in enumerate(windows(found[first::step], _MIN_SERIES)):
            if run in series.runs:
                yield from places[start : start + _MIN_SERIES]
    if _NUMBERS not in are_listed:
        return
    are_numbers = bytes(_is_number(unit, language) for unit in found)
    for start in range(len(found)):
        if are_numbers.startswith(_NUMBERS, start):
            yield from range(start, start + _MIN_NUMBERS)


def _is_number(unit: str, language: Language) -> bool:
    """Return whether a unit is a number, perhaps of several words: `twenty-one`."""
    numbers: frozenset[str] = language.writing["numbers"]
    return numbers.issuperset(unit.split("-"))


@cache
def _series(language: Language) -> _Series:
    texts = [*language.writing["series"], language.joiner.join(language.numerals)]
    series = [units(text.lower(), language) for text in texts]
    runs = frozenset(run for found in series for run in windows(found, _MIN_SERIES))
    return _Series(frozenset(chain(language.writing["numbers"], *series)), runs)


def _has_bad_frame(found: Sequence[str], known: bytes) -> bool:
    """Return whether unknown words stand between the same two words again and again."""
    if known.count(0) < _MIN_IN_FRAME:
        return False
    frames: dict[tuple[str, str], dict[str, int]] = defaultdict(dict)
    for at in range(1, len(found) - 1):
        frames[found[at - 1], found[at + 1]][found[at]] = known[at]
    filled = [fillers for fillers in frames.values() if len(fillers) >= _MIN_IN_FRAME]
    unknown = sum(not is_known for fillers in filled for is_known in fillers.values())
    total = sum(map(len, filled))
    return unknown >= _MIN_IN_FRAME and 2 * unknown > total
