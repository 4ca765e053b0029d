"""How a tokenizer cuts a language: the paper's three ratios."""

from collections.abc import Callable, Mapping, Sized
from typing import NamedTuple

from tokenbench.errors import SourceError
from tokenbench.text.graphemes import graphemes
from tokenbench.text.packs.calls import called
from tokenbench.text.packs.model import Pack, as_pack


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
        TokenbenchError: no pack is given.
        SourceError: the pack has no words, or the encoding fails or makes no tokens of them.

    >>> from tokenbench.text.packs import pack
    >>> found = cwt(pack("zh"), lambda text: text.encode())
    >>> found.tokens_per_word == 3 * found.characters_per_word
    True
    """
    characters = words = tokens = 0
    wanted = "give a function from a text to its tokens, such as a list of their numbers"

    def size(text: str) -> int:
        found = encode(text)
        if isinstance(found, Mapping):  # what a tokenizer of transformers returns when it is called
            raise TypeError(f"{type(found).__name__} is no sequence")
        return len(found)

    for line in as_pack(pack).sentences:
        for gap, word in zip(line.gaps, line.units, strict=False):
            words += 1
            characters += len(graphemes(word))
            written = f" {word}" if gap.endswith(" ") else word
            tokens += called("encode", size, written, wanted)
    if not tokens:
        raise SourceError(f"{pack.source}: {words} words make no tokens, so that nothing is cut")
    return Cwt(characters / words, tokens / words, characters / tokens)
