"""Whether a tokenizer falls for a match within a sentence."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tokenbench.errors import TokenbenchError
from tokenbench.vocab.traps.match import Match

if TYPE_CHECKING:
    from tokenbench.vocab.bpe import Bpe


def in_sentences(
    matches: Sequence[Match], sentences: Sequence[str], bpe: "Bpe"
) -> NDArray[np.bool_]:
    """Return whether each match's trap is one token, but for spaces, of its sentence.

    Raises:
        TokenbenchError: another number of sentences, or one that does not hold the words, joined.
    """
    if len(sentences) != len(matches):
        raise TokenbenchError(
            f"give a sentence for each match: got {len(sentences)} for {len(matches)}"
        )
    held = zip(matches, sentences, strict=True)
    return np.array([in_sentence(match, sentence, bpe) for match, sentence in held], np.bool_)


def in_sentence(match: Match, sentence: str, bpe: "Bpe") -> bool:
    """Return whether the trap is one token, but for spaces, where the sentence holds the words.

    Raises:
        TokenbenchError: it does not hold them, joined.
    """
    places = list(_places(match.word1 + match.word2, sentence))
    if not places:
        raise TokenbenchError(
            f"the sentence does not hold {match.word1 + match.word2!r}: got {sentence!r:.80}"
        )
    tokens = whole_tokens(sentence, bpe)
    return any((place + match.start, place + match.end) in tokens for place in places)


def whole_tokens(text: str, bpe: "Bpe") -> set[tuple[int, int]]:
    """Return where tokens stand in a text, without the spaces around them, in characters.

    Tokens that cut a character are left out: their span, widened to all of it, says too much.
    """
    spans = bpe.spans(text).tolist()
    ends = [0, *(high for _, high in spans)]
    starts = [*(low for low, _ in spans[1:]), len(text)]
    found = set()
    for before, (low, high), after in zip(ends, spans, starts, strict=False):
        if before <= low and high <= after:
            token = text[low:high]
            found.add((high - len(token.lstrip()), low + len(token.rstrip())))
    return found


def _places(join: str, sentence: str) -> Iterator[int]:
    place = sentence.find(join)
    while place >= 0:
        yield place
        place = sentence.find(join, place + 1)
