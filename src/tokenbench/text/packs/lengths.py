"""A language's words by their length, and how the lengths take turns."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from tokenbench.draw import Split, split_of
from tokenbench.text.graphemes import is_clear
from tokenbench.text.packs.model import Pack
from tokenbench.text.packs.wordlists import PACK, words
from tokenbench.text.segmented import Line, characters
from tokenbench.text.sources import CACHE_SIZE, FileStamp

RUN: Final = 10  # characters of the longest run of words that stands for one


def dealt(position: int, sizes: Sequence[int]) -> tuple[int, int]:
    """Return which pile a position is dealt from, and its rank there.

    Piles take turns, until they are empty.

    >>> [dealt(position, [3, 1, 2]) for position in range(6)]
    [(0, 0), (1, 0), (2, 0), (0, 1), (2, 1), (0, 2)]
    """
    dealt, piles = 0, list(range(len(sizes)))
    while True:
        rounds = min(sizes[pile] for pile in piles) - dealt
        if position < rounds * len(piles):
            rank, turn = divmod(position, len(piles))
            return piles[turn], dealt + rank
        position -= rounds * len(piles)
        dealt += rounds
        piles = [pile for pile in piles if sizes[pile] > dealt]


@lru_cache(maxsize=1024)
def piles_in(
    pack: Pack, source: str | FileStamp, split: Split, low: int, high: int
) -> tuple[tuple[Line, ...], ...]:
    """Return the words of each length in a range, or of the length that comes nearest to it.

    Words whose characters may be taken for one another are left out. Where words are written
    without spaces, and are thus too short to count in, runs of them stand for the pack's own.

    Args:
        pack: a pack.
        source: a name of `wordlists.words`, or a user's file.
        split: letter case aside, a word's content decides which it belongs to.
        low, high: the range, in characters.

    Raises:
        UnknownNameError, SourceError, MissingExtraError: as in `wordlists.words`.

    >>> from tokenbench.text.packs import pack
    >>> [pile[0].text for pile in piles_in(pack("en"), "pack", "train", 4, 6)]
    ['dawn', 'river', 'pushed']
    """
    known = _by_length(pack, source).get(split, {})
    within = tuple(known[length] for length in sorted(known) if low <= length <= high)
    if within or not known:
        return within
    return (known[min(known, key=lambda length: (max(low - length, length - high), length))],)


@lru_cache(maxsize=2 * CACHE_SIZE)
def _by_length(pack: Pack, source: str | FileStamp) -> dict[Split, dict[int, tuple[Line, ...]]]:
    """Return the words of each split, by their length."""
    piles: dict[Split, dict[int, list[Line]]] = {}
    for line in _listed(pack, source):
        if is_clear(line.units):
            lengths = piles.setdefault(split_of(line.text.lower()), {})
            lengths.setdefault(len(line.units), []).append(line)
    return {
        split: {length: tuple(lines) for length, lines in lengths.items()}
        for split, lengths in piles.items()
    }


@lru_cache(maxsize=2 * CACHE_SIZE)
def _listed(pack: Pack, source: str | FileStamp) -> tuple[Line, ...]:
    if pack.joined and source == PACK:  # its words are too short to count in
        return tuple(dict.fromkeys(characters(run) for run in _runs(pack)))
    listed = words(pack, source if isinstance(source, str) else source.path)
    return tuple(map(characters, listed.words))


def _runs(pack: Pack) -> Iterator[str]:
    """Yield runs of whole words between marks, of at most `RUN` characters."""
    for line in pack.sentences:
        run = ""
        for gap, word in zip(line.gaps, line.units, strict=False):
            if run and (gap or len(run) + len(word) > RUN):
                yield run
                run = ""
            run += word
        yield run
