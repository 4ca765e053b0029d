"""Pieces of a pack's sentences that tasks ask about: phrases, and texts of two sentences.

In some languages words hardly repeat a character, so that to count, find or exchange one there asks
for nothing; phrases do. And few sentences repeat a word; two that share one do.
"""

from collections import Counter
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import pairwise
from typing import Final

from tokenbench.draw import Draw, Split, split_of
from tokenbench.grouping import group
from tokenbench.text.graphemes import Line, graphemes
from tokenbench.text.packs.model import Pack

# Below this share of words that repeat a character, a language's phrases are asked about.
_MIN_REPEATING: Final = 0.15
_PHRASE_WORDS: Final = range(2, 6)
_PHRASE_CHARACTERS: Final = range(4, 25)
# Phrases of a sentence that repeat a character, and that do not.
_N_PHRASES: Final = {True: 6, False: 3}
# Words of the longest sentence in a text of two, and texts for each word that two sentences share.
_MAX_WORDS: Final = 16
_N_TEXTS: Final = 12
_CACHE_SIZE: Final = 64  # a few packs, and splits


@lru_cache(maxsize=_CACHE_SIZE)
def words_repeat(pack: Pack) -> bool:
    """Return whether many words of a pack's language repeat a character.

    >>> from tokenbench.text.packs import pack
    >>> words_repeat(pack("en")), words_repeat(pack("zh"))
    (True, False)
    """
    words = list(map(graphemes, pack.vocabulary))
    return sum(map(_repeats, words)) >= _MIN_REPEATING * len(words)


@lru_cache(maxsize=_CACHE_SIZE)
def phrases(pack: Pack, split: Split) -> tuple[Line, ...]:
    """Return phrases of a split's sentences as lines of characters: two to five words, no mark.

    Spaces are gaps. Of each sentence there are a few, first such as repeat a character. A phrase of
    several sentences is of the first one's split only.

    >>> from tokenbench.text.packs import pack
    >>> phrases(pack("ko"), "train")[0].text
    '새벽녘에 늙은 어부가'
    """
    return tuple(line for line, its_split in _phrases(pack).values() if its_split == split)


@lru_cache(maxsize=_CACHE_SIZE)
def texts(pack: Pack, split: Split) -> tuple[Line, ...]:
    """Return texts of two sentences of a split that have a word in common, as lines of words.

    >>> from tokenbench.text.packs import pack
    >>> sum(mark in ".?!" for mark in texts(pack("en"), "train")[0].text)
    2
    """
    short = (line for line in pack.sentences if len(line.units) <= _MAX_WORDS)
    in_split = (line for line in short if split_of(line.text.lower()) == split)
    sharing = group((unit, line) for line in in_split for unit in dict.fromkeys(line.units))
    found: dict[frozenset[Line], Line] = {}
    for word, lines in sharing.items():
        shuffled = Draw("texts", pack.digest, word).shuffled(lines)
        for pair in list(pairwise(shuffled))[:_N_TEXTS]:
            found.setdefault(frozenset(pair), _join(*pair))
    return tuple(found.values())


@cache
def _phrases(pack: Pack) -> dict[str, tuple[Line, Split]]:
    found: dict[str, tuple[Line, Split]] = {}
    for sentence in pack.sentences:
        split = split_of(sentence.text.lower())
        candidates = Draw("phrases", sentence.text).shuffled(list(_runs(sentence)))
        taken: Counter[bool] = Counter()
        for line in candidates:
            repeats = _repeats(line.units)
            if taken[repeats] < _N_PHRASES[repeats]:
                taken[repeats] += 1
                found.setdefault(line.text, (line, split))
    return found


def _runs(sentence: Line) -> Iterator[Line]:
    """Yield the runs of words without a mark between them, as lines of characters."""
    words = [graphemes(unit) for unit in sentence.units]
    for start in range(len(words)):
        units, gaps = [*words[start]], [""] * (len(words[start]) + 1)
        for end in range(start + 1, min(start + _PHRASE_WORDS[-1], len(words))):
            if sentence.gaps[end].strip():
                break
            gaps[-1] = sentence.gaps[end]
            units += words[end]
            gaps += [""] * len(words[end])
            if len(units) in _PHRASE_CHARACTERS:
                yield Line(tuple(units), tuple(gaps))


def _repeats(units: list[str] | tuple[str, ...]) -> bool:
    return len(set(units)) < len(units)


def _join(first: Line, second: Line) -> Line:
    gap = first.gaps[-1] + first.space + second.gaps[0]
    gaps = (*first.gaps[:-1], gap, *second.gaps[1:])
    return Line(first.units + second.units, gaps, first.space)
