"""Words of a pack's language: by source, by length, and as a tokenizer cuts them."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from functools import lru_cache
from typing import Final, NamedTuple

from tokenbench.draw import Split, split_of
from tokenbench.errors import SourceError, expected
from tokenbench.grouping import group
from tokenbench.quoting import pluralize
from tokenbench.text.graphemes import Line, characters, graphemes, is_clear
from tokenbench.text.lexicon import Words, read_word_list
from tokenbench.text.lexicon import words as lexicon_words
from tokenbench.text.normalize import nfc, strip_invisible
from tokenbench.text.packs.model import Pack, pack_or_raise
from tokenbench.text.sources import CACHE_SIZE, CORE, PACK, WORDFREQ, FileStamp, stamp
from tokenbench.text.units import scripts

RUN: Final = 10  # characters of the longest run of words that serves as one word
_MAX_FREQUENT: Final = 10**7  # more words than a frequency list has


class Cwt(NamedTuple):
    """The average numbers of characters and tokens per word, and of characters per token."""

    characters_per_word: float
    tokens_per_word: float
    characters_per_token: float


def cwt(pack: Pack, encode: Callable[[str], Sized]) -> Cwt:
    """Return characters per word, tokens per word and characters per token of a pack's words.

    Every occurrence of a word in the sentences counts, with the space before it if there is one,
    because tokenizers cut the two otherwise; characters are grapheme clusters without spaces.
    Source: EXECUTE, CWT statistics.

    Args:
        pack: a pack.
        encode: a tokenizer's encoding, from a text to its tokens, without special tokens.

    Raises:
        TokenbenchError: `pack` is not a Pack.
        SourceError: the pack has no words, or the encoding makes no tokens of them.

    >>> from tokenbench.text.packs import pack
    >>> found = cwt(pack("zh"), lambda text: text.encode())
    >>> round(found.tokens_per_word / found.characters_per_word, 9)
    3.0
    """
    n_characters = n_words = n_tokens = 0
    for line in pack_or_raise(pack).sentences:
        for gap, word in zip(line.gaps, line.units, strict=False):
            n_words += 1
            n_characters += len(graphemes(word))
            text = f" {word}" if gap.endswith(" ") else word
            tokens = encode(text)
            # Calling a tokenizer of transformers returns a mapping.
            if isinstance(tokens, Mapping):
                raise expected("encode", encode, "a function from a text to its tokens")
            n_tokens += len(tokens)
    if not n_tokens:
        raise SourceError(f"{pluralize(n_words, 'word')} of {pack.source} without a token")
    return Cwt(n_characters / n_words, n_tokens / n_words, n_characters / n_tokens)


def words(pack: Pack, source: str = PACK) -> Words:
    """Return different words in a pack's language, letters of its scripts only.

    Args:
        pack: a pack.
        source: `pack`, its own; `core`, our lexicon's (English, Chinese, Japanese, Korean);
            `wordfreq` (the extra `lexicon`), all that it has; or the path of a file, a word a line.

    Raises:
        UnknownNameError: the source does not have the language.
        SourceError: a file that cannot be read as UTF-8, or that has no such words.
        MissingExtraError: `wordfreq` is not installed.

    >>> from tokenbench.text.packs import pack
    >>> words(pack("en")).words[:3], words(pack("en")).source == pack("en").source
    (('dawn', 'the', 'old'), True)
    """
    if source == PACK:
        return Words(pack.vocabulary, pack.source)
    if source == CORE:
        return lexicon_words(pack.lang, CORE)
    return _words(pack, source if source == WORDFREQ else stamp(source))


@lru_cache(maxsize=1024)
def piles_in(
    pack: Pack, source: str | FileStamp, split: Split, low: int, high: int
) -> tuple[tuple[Line, ...], ...]:
    """Return the words of each length in a range, or of the length that comes nearest to it.

    Words whose characters may be taken for one another are left out. In a language without spaces
    between words, the pack's own are too short to count in, and runs of them serve as words.

    Args:
        pack: a pack.
        source: a name of `words`, or a user's file.
        split: letter case aside, a word's content decides which it belongs to.
        low, high: the range, in characters.

    Raises:
        UnknownNameError, SourceError, MissingExtraError: as in `words`.

    >>> from tokenbench.text.packs import pack
    >>> [pile[0].text for pile in piles_in(pack("en"), "pack", "train", 4, 6)]
    ['dawn', 'river', 'pushed']
    """
    grouped = _by_split_and_length(pack, source)
    piles = {length: lines for (part, length), lines in grouped.items() if part == split}
    within = tuple(piles[length] for length in sorted(piles) if low <= length <= high)
    if within or not piles:
        return within
    return (piles[min(piles, key=lambda length: (max(low - length, length - high), length))],)


def deal(position: int, sizes: Sequence[int]) -> tuple[int, int]:
    """Return the pile that a position is dealt from, and its rank there.

    Piles take turns, until they are empty.

    >>> [deal(position, [3, 1, 2]) for position in range(6)]
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


@lru_cache(maxsize=2 * CACHE_SIZE)
def _by_split_and_length(
    pack: Pack, source: str | FileStamp
) -> dict[tuple[Split, int], tuple[Line, ...]]:
    if pack.joined and source == PACK:
        found: Iterable[str] = dict.fromkeys(_runs(pack))
    else:
        found = words(pack, source if isinstance(source, str) else source.path).words
    lines = (line for line in map(characters, found) if is_clear(line.units))
    return group(((split_of(line.text.lower()), len(line.units)), line) for line in lines)


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


@lru_cache(maxsize=CACHE_SIZE)
def _words(pack: Pack, source: str | FileStamp) -> Words:
    """Return the words of wordfreq or a file that have letters of the pack's scripts alone."""
    from regex import compile as compiled

    lines, label = read_word_list(pack.lang, source, _MAX_FREQUENT)
    names = "".join(rf"\p{{Script={name}}}" for name in scripts("".join(pack.alphabet)))
    letters = compiled(
        rf"(?:(?=[{names}\p{{Script=Common}}\p{{Script=Inherited}}])[\p{{L}}\p{{M}}])+"
    )
    stripped = (nfc(strip_invisible(word.strip())) for word in lines)
    found = tuple(dict.fromkeys(word for word in stripped if letters.fullmatch(word)))
    if not found:
        allowed = f"words of letters that {pack.name} is written in, a word a line"
        raise SourceError(f"{label} has none", allowed=allowed)
    return Words(found, label)
