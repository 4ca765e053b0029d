"""How a tokenizer cuts a language: the paper's three ratios."""

from collections.abc import Callable, Sized
from typing import NamedTuple

from tokenbench.errors import SourceError
from tokenbench.text.graphemes import graphemes
from tokenbench.text.packs.model import Pack


class Cwt(NamedTuple):
    """How many characters and tokens a word has on average, and how many characters a token."""

    characters_per_word: float
    tokens_per_word: float
    characters_per_token: float


def cwt(pack: Pack, encode: Callable[[str], Sized]) -> Cwt:
    """Return characters per word, tokens per word and characters per token of a pack's words.

    Every occurrence of a word in the sentences counts, with the space before it where one stands
    there, for tokenizers cut the two otherwise; characters are grapheme clusters, and spaces are
    none. Source: EXECUTE, CWT statistics.

    Args:
        pack: a pack.
        encode: a tokenizer's encoding, from a text to its tokens, without special tokens.

    Raises:
        SourceError: the pack has no words, or the encoding makes no tokens of them.

    >>> from tokenbench.text.packs import pack
    >>> found = cwt(pack("zh"), lambda text: text.encode())
    >>> found.tokens_per_word == 3 * found.characters_per_word
    True
    """
    characters = words = tokens = 0
    for line in pack.sentences:
        for gap, word in zip(line.gaps, line.units, strict=False):
            words += 1
            characters += len(graphemes(word))
            tokens += len(encode(f" {word}" if gap.endswith(" ") else word))
    if not tokens:
        raise SourceError(f"{pack.source}: {words} words make no tokens, so that nothing is cut")
    return Cwt(characters / words, tokens / words, characters / tokens)
