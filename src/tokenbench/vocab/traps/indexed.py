"""All traps of a vocabulary, counted, streamed, sampled and looked up without listing them."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tokenbench._fast import kernels
from tokenbench._fast.tables import Codes, Ints, Longs, placed
from tokenbench.draw import Draw
from tokenbench.errors import TokenbenchError, string
from tokenbench.vocab.traps.checks import (
    characters_of,
    matches_of,
    number,
    rows_of,
    weights_of,
    words_of,
)
from tokenbench.vocab.traps.match import Match, Matches, lengths
from tokenbench.vocab.traps.ranking import ranked
from tokenbench.vocab.traps.verifying import in_sentences

if TYPE_CHECKING:
    from tokenbench.vocab.bpe import Bpe
    from tokenbench.vocab.vocabulary import Vocabulary

_CHUNK = 1 << 20  # rows, 12 MB


def index(words: "Iterable[str] | Vocabulary", *, stop: Iterable[str] = ()) -> "TrapIndex":
    """Return the index of all matches of a vocabulary's words.

    A match is two words, word1 and word2, and a trap, a word that a suffix of word1 and a prefix of
    word2 make, neither of them empty. The join of both words is no word; what remains of word1 and
    of word2 is a word or empty. Source: ADT, construction of the data.

    Args:
        words: strings, or a vocabulary, of which the words are taken.
        stop: characters with which no trap begins or ends, for example `traps.CHINESE`.

    Raises:
        TokenbenchError: a word is no str, or empty; `stop` holds other things than characters.

    >>> found = index(["moves", "move", "table", "stable"])
    >>> found.count(), found.lookup("moves", "table")
    (2, [Match(word1='moves', word2='table', trap='stable', cut=1, schema='before')])
    """
    return TrapIndex(words_of(words), characters_of(stop))


class TrapIndex:
    """The matches of a vocabulary, in order of trap, cut, word1 and word2."""

    def __init__(self, words: tuple[str, ...], stop: frozenset[str] = frozenset()) -> None:
        """Index words, which are sorted and different; `index` makes them so."""
        self.words = words
        self.stop = stop
        codes, starts = _flat(words)
        barred = np.isin(codes, [ord(character) for character in stop])
        usable = ~(barred[starts[:-1]] | barred[starts[1:] - 1])
        self._tables = kernels("traps").tables(codes, starts, usable)

    def __repr__(self) -> str:
        return f"<TrapIndex of {len(self.words)} words: {self.count()} matches>"

    def count(self) -> int:
        """Return the number of matches, which need not be listed for it."""
        return int(self._tables.offsets[-1]) - len(self._tables.passed)

    def count_pairs(self) -> int:
        """Return the number of different pairs (word1, word2) that match."""
        return int(kernels("traps").pairs(self._tables))

    def iter(self, chunk: int = _CHUNK, start: int = 0) -> Iterator[Ints]:
        """Yield all matches in chunks of rows (word1, word2, trap), int32 positions in `words`.

        Each chunk is an array of its own, (chunk, 3), the last one shorter.

        Args:
            chunk: the number of rows of a chunk.
            start: the number of matches to leave out: where an earlier run has come to.

        Raises:
            TokenbenchError: there is no such chunk, or start.

        >>> held = index(["moves", "move", "table", "stable", "tables"])
        >>> [len(rows) for rows in held.iter(chunk=3)]
        [3, 1]
        """
        count, fill = self.count(), kernels("traps").fill
        chunk, start = number("chunk", chunk, 1), number("start", start, 0, count)
        return self._chunks(fill, chunk, start, count)

    def _chunks(
        self, fill: Callable[..., None], chunk: int, start: int, count: int
    ) -> Iterator[Ints]:
        for first in range(start, count, chunk):
            rows = np.empty((min(chunk, count - first), 3), np.int32)
            fill(self._tables, first, rows)
            yield rows

    def matches(self, rows: ArrayLike) -> list[Match]:
        """Return the matches that rows name.

        The few traps that lie across a boundary in several ways stand in as many equal rows: the
        first of these gets the match with the smallest cut, and so on.

        Args:
            rows: (n, 3) positions in `words`, as `iter` yields them.

        Raises:
            TokenbenchError: other shapes, or a row that is no match.
        """
        table = rows_of(rows, len(self.words))
        cuts, seen = np.empty(len(table), np.int32), Counter[tuple[int, ...]]()
        for place, row in enumerate(map(tuple, table.tolist())):
            one, other, trap = (self.words[word] for word in row)
            ways = self._cuts(one, other, trap)
            if not ways:
                raise TokenbenchError(f"no match: {one!r}, {other!r} and {trap!r}, of row {row}")
            cuts[place] = ways[seen[row] % len(ways)]
            if len(ways) > 1:
                seen[row] += 1
        return Matches(self.words, table[:, 0], table[:, 1], table[:, 2], cuts)

    def lookup(self, word1: str, word2: str) -> list[Match]:
        """Return the matches of two words, in order of trap and cut; none where there are none."""
        join, middle = string("word1", word1) + string("word2", word2), len(word1)
        if not {word1, word2} <= self._places.keys():
            return []
        traps = {
            join[low:high]
            for low in range(middle)
            for high in range(middle + 1, len(join) + 1)
            if join[low:high] in self._places
        }
        return [
            Match.of(word1, word2, trap, cut)
            for trap in sorted(traps)
            for cut in self._cuts(word1, word2, trap)
        ]

    def sample(self, n: int, seed: int = 0) -> list[Match]:
        """Return different matches, each as likely as any other, in random order.

        Verifying the list as it is needs no looking up, and is several times as fast.

        Args:
            n: how many.
            seed: decides which; the same ones come on every machine.

        Raises:
            TokenbenchError: there are fewer, or the seed is no whole number.
        """
        count, held = self.count(), self._tables
        n, seed = number("n", n, 0, count), number("seed", seed)
        drawn = np.array(Draw("traps", seed).sample(count, n), dtype=np.int64)
        _, group, met = placed(held, drawn)
        firsts = held.right_starts[held.tails[group]]
        widths = held.right_starts[held.tails[group] + 1] - firsts
        lefts = held.left_words[held.left_starts[held.heads[group]] + met // widths]
        rights = held.right_words[firsts + met % widths]
        return Matches(self.words, lefts, rights, held.traps[group], held.cuts[group])

    def rank(self, frequency: Mapping[str, float] | Callable[[str], float]) -> Iterator[Match]:
        """Yield all matches, those first of which both words are common.

        Words have a rank, the commonest the first, equals in order of `words`. Pairs follow the
        rank of their rarer word, then that of the other.

        Args:
            frequency: how common a word is, by any measure; a mapping's missing words count 0.

        Raises:
            TokenbenchError: neither a mapping nor a function, or one that gives no numbers.

        >>> held = index(["moves", "move", "table", "stable"])
        >>> [match[:3] for match in held.rank({"table": 2.0, "stable": 3.0, "move": 1.0})]
        [('move', 'stable', 'moves'), ('moves', 'table', 'stable')]
        """
        return ranked(self._tables, self.words, weights_of(frequency, self.words))

    def verify(
        self,
        matches: Sequence[Match] | Ints,
        bpe: "Bpe",
        sentences: Sequence[str] | None = None,
    ) -> NDArray[np.bool_]:
        """Return for which matches the tokenizer falls: the trap is one token of the join.

        Source: ADT, the filter by tokenisation.

        Args:
            matches: matches, or rows of them.
            bpe: a tokenizer's encoder, of `tokenbench.vocab.bpe.load`.
            sentences: one for each match that holds its two words joined; where they are given, the
                trap has to be one token in the sentence, too, spaces around it aside.

        Raises:
            TokenbenchError: matches of other words, no encoding, another number of sentences, or
                one that does not hold the words.
        """
        if not hasattr(bpe, "is_token"):
            raise TokenbenchError(f"an encoding is what vocab.bpe.load returns: got {bpe!r:.80}")
        found = self.matches(matches) if isinstance(matches, np.ndarray) else matches
        fallen: NDArray[np.bool_] = bpe.is_token(self.words, *self._joins(found))
        return fallen if sentences is None else fallen & in_sentences(found, sentences, bpe)

    def _joins(self, matches: Sequence[Match]) -> tuple[Ints, Ints, Ints, Ints]:
        """Return both words of each match, and where the trap starts and ends in their join."""
        if not (isinstance(matches, Matches) and matches.is_whole(self.words)):
            matches = self._looked_up(matches_of(matches))
        first, second, traps, cuts = matches.columns
        start = self._lengths[first] - cuts
        return first, second, start, start + self._lengths[traps]

    def _looked_up(self, matches: Sequence[Match]) -> Matches:
        """Return matches as those of this index.

        Raises:
            TokenbenchError: they hold other words.
        """
        columns = zip(*matches, strict=True) if matches else ((),) * 5
        *words, cuts, _ = columns
        try:
            places = (map(self._places.__getitem__, column) for column in words)
            first, second, traps = (np.fromiter(column, np.int32) for column in places)
        except KeyError as error:
            raise TokenbenchError(
                f"{error} is no word of the index: verify its own matches"
            ) from None
        return Matches(self.words, first, second, traps, np.array(cuts, np.int32))

    def _cuts(self, one: str, other: str, trap: str) -> list[int]:
        """Return in which ways a trap lies across the boundary of two words, if they match."""
        if one + other in self._places or self.stop.intersection((trap[0], trap[-1])):
            return []
        return [
            cut
            for cut in range(max(1, len(trap) - len(other)), min(len(one), len(trap) - 1) + 1)
            if one.endswith(trap[:cut])
            and other.startswith(trap[cut:])
            and self._remains(one[: len(one) - cut])
            and self._remains(other[len(trap) - cut :])
        ]

    def _remains(self, rest: str) -> bool:
        """Return whether a word may end, or begin, where this is what it has besides the trap."""
        return not rest or rest in self._places

    @cached_property
    def _lengths(self) -> Ints:
        return lengths(self.words)

    @cached_property
    def _places(self) -> dict[str, int]:
        return {word: place for place, word in enumerate(self.words)}


def _flat(words: Sequence[str]) -> tuple[Codes, Longs]:
    """Return the characters of words, one word after the other, and where each begins."""
    text = "".join(words).encode("utf-32-le", "surrogatepass")
    starts = np.zeros(len(words) + 1, np.int64)
    np.cumsum(lengths(words), out=starts[1:])
    return np.frombuffer(text, "<u4").astype(np.uint32), starts
