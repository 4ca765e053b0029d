"""Which matches a tokenizer really falls for."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tokenbench._fast.tables import Ints
from tokenbench.errors import TokenbenchError
from tokenbench.vocab.traps.match import Match, Matches, lengths

if TYPE_CHECKING:
    from tokenbench.vocab.bpe import Bpe


def verified(
    matches: Sequence[Match],
    bpe: "Bpe",
    words: tuple[str, ...],
    places: Callable[[], Mapping[str, int]],
    sentences: Sequence[str] | None = None,
) -> NDArray[np.bool_]:
    """Return whether each match's trap is one token of the join, and of a sentence if given.

    Args:
        matches, bpe, sentences: as in `TrapIndex.verify`.
        words: the index's; an encoding prepares the same tuple only once.
        places: gives where each of them stands, where the matches do not know.

    Raises:
        TokenbenchError: no encoding; a word that is none of the index's; another number of
            sentences, or one that does not hold the words.
    """
    if not hasattr(bpe, "is_token"):
        raise TokenbenchError(f"an encoding is what vocab.bpe.load returns: got {bpe!r:.80}")
    if not matches:
        return np.zeros(0, np.bool_)
    if isinstance(matches, Matches) and matches.is_whole(words):
        first, second, traps, cuts = matches.columns
        sizes = lengths(words)
        start, size = sizes[first] - cuts, sizes[traps]
    else:
        first, second = (_placed(matches, column, places()) for column in (0, 1))
        cuts = np.fromiter((match.cut for match in matches), np.int32, len(matches))
        start = lengths(match.word1 for match in matches) - cuts
        size = lengths(match.trap for match in matches)
    found: NDArray[np.bool_] = bpe.is_token(words, first, second, start, start + size)
    if sentences is not None:
        if len(sentences) != len(matches):
            raise TokenbenchError(
                f"give a sentence for each match: got {len(sentences)} for {len(matches)}"
            )
        held = [
            in_sentence(match, sentence, bpe)
            for match, sentence in zip(matches, sentences, strict=True)
        ]
        found &= np.array(held, np.bool_)
    return found


def _placed(matches: Sequence[Match], column: int, places: Mapping[str, int]) -> Ints:
    """Return where the words of a column stand."""
    words = map(itemgetter(column), matches)
    try:
        return np.fromiter(map(places.__getitem__, words), np.int32, len(matches))
    except KeyError as error:
        raise TokenbenchError(f"{error} is no word of the index: verify its own matches") from None


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
