"""The index of a vocabulary's traps: counts, streams, samples, ranks and looks up matches."""

import operator
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tokenbench._fast import kernels
from tokenbench._fast.plain_traps import Codes, Ints, Longs, Tables, locate
from tokenbench.draw import Draw
from tokenbench.errors import TokenbenchError, string
from tokenbench.quoting import pluralize
from tokenbench.vocab.traps.match import Match, Matches, is_token_of_sentence

if TYPE_CHECKING:
    from tokenbench.vocab.bpe import Bpe
    from tokenbench.vocab.vocabulary import Vocabulary

_CHUNK_ROWS = 1 << 20  # 12 MB


def index(words: "Iterable[str] | Vocabulary", *, stop: Iterable[str] = ()) -> "TrapIndex":
    """Return the index of all matches of a vocabulary's words.

    A match is two words, word1 and word2, and a trap: a word made of a suffix of word1 and a prefix
    of word2, neither of them empty. The join of both words is not a word; the rest of word1 and the
    rest of word2 are each a word or empty. Source: ADT, construction of the data.

    Args:
        words: strings, or a vocabulary with its words.
        stop: characters that no trap begins or ends with, for example `traps.CHINESE`.

    Raises:
        TokenbenchError: a word is not a str, or empty; `stop` is not made of single characters.

    >>> traps = index(["moves", "move", "table", "stable"])
    >>> traps.count(), traps.lookup("moves", "table")
    (2, [Match(word1='moves', word2='table', trap='stable', cut=1, schema='before')])
    """
    return TrapIndex(_check_words(words), _check_stop(stop))


class TrapIndex:
    """The matches of a vocabulary, in order of trap, cut, word1 and word2."""

    def __init__(self, words: tuple[str, ...], stop: frozenset[str] = frozenset()) -> None:
        """Index words that are sorted and different, as `index` makes them."""
        self.words = words
        self.stop = stop
        codes, starts = _to_codes(words)
        is_stop = np.isin(codes, [ord(char) for char in stop])
        usable = ~(is_stop[starts[:-1]] | is_stop[starts[1:] - 1])
        self._tables = kernels("traps").build_tables(codes, starts, usable)

    def __repr__(self) -> str:
        return (
            f"<TrapIndex of {pluralize(len(self.words), 'word')}: "
            f"{pluralize(self.count(), 'match', 'matches')}>"
        )

    def count(self) -> int:
        """Return the number of matches, without listing them."""
        return int(self._tables.offsets[-1]) - len(self._tables.passed)

    def count_pairs(self) -> int:
        """Return the number of different pairs (word1, word2) that match."""
        return int(kernels("traps").count_pairs(self._tables))

    def iter(self, chunk: int = _CHUNK_ROWS, start: int = 0) -> Iterator[Ints]:
        """Yield all matches in chunks of rows (word1, word2, trap), int32 positions in `words`.

        Each chunk is a new array (chunk, 3); the last one is shorter.

        Args:
            chunk: the number of rows of a chunk.
            start: the number of matches to skip, to continue an earlier run.

        Raises:
            TokenbenchError: `chunk` or `start` is not a whole number within its limits.

        >>> traps = index(["moves", "move", "table", "stable", "tables"])
        >>> [len(rows) for rows in traps.iter(chunk=3)]
        [3, 1]
        """
        # Wrong arguments raise here, before the first chunk is asked for.
        count, fill = self.count(), kernels("traps").fill_rows
        chunk = _check_integer("chunk", chunk, 1)
        start = _check_integer("start", start, 0, count)

        def chunks() -> Iterator[Ints]:
            for first in range(start, count, chunk):
                rows = np.empty((min(chunk, count - first), 3), np.int32)
                fill(self._tables, first, rows)
                yield rows

        return chunks()

    def matches(self, rows: ArrayLike) -> list[Match]:
        """Return the matches of rows.

        A few traps cross a boundary in several ways and have as many equal rows: the first of these
        gets the match with the smallest cut, and so on.

        Args:
            rows: (n, 3) positions in `words`, as `iter` yields them.

        Raises:
            TokenbenchError: another shape, or a row that is not a match.
        """
        table = _check_rows(rows, len(self.words))
        cuts, seen = np.empty(len(table), np.int32), Counter[tuple[int, ...]]()
        for place, row in enumerate(map(tuple, table.tolist())):
            one, other, trap = (self.words[word] for word in row)
            ways = self._cuts(one, other, trap)
            if not ways:
                raise TokenbenchError(f"not a match: {one!r}, {other!r} and {trap!r}, of row {row}")
            cuts[place] = ways[seen[row] % len(ways)]
            if len(ways) > 1:
                seen[row] += 1
        return Matches(self.words, table[:, 0], table[:, 1], table[:, 2], cuts)

    def lookup(self, word1: str, word2: str) -> list[Match]:
        """Return the matches of two words, in order of trap and cut; there may be none."""
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
        """Return different matches, all equally likely, in random order.

        An unchanged list is verified without looking up its words, several times as fast.

        Args:
            n: the number of matches.
            seed: any whole number; it gives the same matches on every machine.

        Raises:
            TokenbenchError: there are fewer, or the seed is not a whole number.
        """
        count, tables = self.count(), self._tables
        n, seed = _check_integer("n", n, 0, count), _check_integer("seed", seed)
        numbers = np.array(Draw("traps", seed).sample(count, n), dtype=np.int64)
        _, group, meeting = locate(tables, numbers)
        firsts = tables.right_starts[tables.tails[group]]
        widths = tables.right_starts[tables.tails[group] + 1] - firsts
        lefts = tables.left_words[tables.left_starts[tables.heads[group]] + meeting // widths]
        rights = tables.right_words[firsts + meeting % widths]
        return Matches(self.words, lefts, rights, tables.traps[group], tables.cuts[group])

    def rank(self, frequency: Mapping[str, float] | Callable[[str], float]) -> Iterator[Match]:
        """Yield all matches, those of two common words first.

        Words are ranked by frequency, equally frequent ones in the order of `words`. Matches follow
        the rank of their rarer word, then that of the other.

        Args:
            frequency: how common a word is, by any measure; words missing in a mapping count 0.

        Raises:
            TokenbenchError: neither a mapping nor a function, or one that does not return numbers.

        >>> traps = index(["moves", "move", "table", "stable"])
        >>> [match[:3] for match in traps.rank({"table": 2.0, "stable": 3.0, "move": 1.0})]
        [('move', 'stable', 'moves'), ('moves', 'table', 'stable')]
        """
        # Wrong arguments raise here, before the first match is asked for.
        if not (callable(frequency) or isinstance(frequency, Mapping)):
            raise TokenbenchError(
                f"frequency is a mapping or function of words: got {frequency!r:.80}"
            )
        get: Any = frequency if callable(frequency) else lambda word: frequency.get(word, 0.0)
        try:
            weights = [float(get(word)) for word in self.words]
        except (TypeError, ValueError) as error:
            raise TokenbenchError(
                f"frequency returns something else than numbers ({error})"
            ) from None
        return _rank(self._tables, self.words, weights)

    def verify(
        self, matches: Sequence[Match] | Ints, bpe: "Bpe", sentences: Sequence[str] | None = None
    ) -> NDArray[np.bool_]:
        """Return for which matches the tokenizer falls: the trap is one token of the join.

        Source: ADT, the filter by tokenisation.

        Args:
            matches: matches, or rows of them.
            bpe: a tokenizer's encoder, of `tokenbench.vocab.bpe.load`.
            sentences: one for each match, with its two words joined; the trap then has to be one
                token of the sentence, too, apart from spaces around it.

        Raises:
            TokenbenchError: matches of other words, not an encoder, another number of sentences, or
                a sentence without the joined words.
        """
        if not hasattr(bpe, "is_token"):
            raise TokenbenchError(f"bpe is the result of vocab.bpe.load: got {bpe!r:.80}")
        found = self.matches(matches) if isinstance(matches, np.ndarray) else matches
        if isinstance(found, Matches) and found.is_unchanged(self.words):
            first, second, traps, cuts = found.columns
        else:
            first, second, traps, cuts = self._look_up(found)
        start = self._lengths[first] - cuts
        end = start + self._lengths[traps]
        fallen: NDArray[np.bool_] = bpe.is_token(self.words, first, second, start, end)
        if sentences is None:
            return fallen
        n, expected = len(sentences), len(found)
        if n != expected:
            raise TokenbenchError(f"give a sentence for each match: got {n} for {expected}")
        pairs = zip(found, sentences, strict=True)
        return fallen & np.array([is_token_of_sentence(*pair, bpe) for pair in pairs], np.bool_)

    def _look_up(self, matches: Sequence[Match]) -> Ints:
        """Return the positions of the words of matches in this index, and their cuts, (4, n)."""
        if not (isinstance(matches, Sequence) and all(isinstance(m, Match) for m in matches)):
            raise TokenbenchError(f"matches are a sequence of Match, or rows: got {matches!r:.80}")
        place_of = self._places.__getitem__
        try:
            rows = [(*map(place_of, match[:3]), match.cut) for match in matches]
        except KeyError as error:
            raise TokenbenchError(f"{error} is not a word of the index: verify its own") from None
        return np.array(rows, np.int32).reshape(-1, 4).T

    def _cuts(self, one: str, other: str, trap: str) -> list[int]:
        """Return the cuts at which a trap crosses the boundary of two words; none: not a match."""
        if one + other in self._places or self.stop.intersection((trap[0], trap[-1])):
            return []
        return [
            cut
            for cut in range(max(1, len(trap) - len(other)), min(len(one), len(trap) - 1) + 1)
            if one.endswith(trap[:cut])
            and other.startswith(trap[cut:])
            and self._is_word_or_empty(one[: len(one) - cut])
            and self._is_word_or_empty(other[len(trap) - cut :])
        ]

    def _is_word_or_empty(self, rest: str) -> bool:
        return not rest or rest in self._places

    @cached_property
    def _lengths(self) -> Ints:
        return np.fromiter(map(len, self.words), np.int32)

    @cached_property
    def _places(self) -> dict[str, int]:
        return {word: place for place, word in enumerate(self.words)}


def _check_words(source: "Iterable[str] | Vocabulary") -> tuple[str, ...]:
    """Return the different words of a vocabulary or an iterable, in order."""
    given: Any = source.words() if hasattr(source, "words") else source
    if isinstance(given, str | os.PathLike) or not isinstance(given, Iterable):
        raise TokenbenchError(f"words are a vocabulary or str: got {given!r:.80}; try vocab.load")
    words: tuple[str, ...] = tuple(given)
    if not all(issubclass(kind, str) for kind in set(map(type, words))) or not all(words):
        wrong = next(word for word in words if not isinstance(word, str) or not word)
        raise TokenbenchError(f"words are non-empty str: got {wrong!r:.80}")
    # A vocabulary's words are different and in order.
    if all(map(operator.lt, words, words[1:])):
        return words
    return tuple(sorted(set(words)))


def _check_stop(stop: Iterable[str]) -> frozenset[str]:
    """Return stop characters."""
    if isinstance(stop, Iterable):
        chars = frozenset(stop)
        if all(isinstance(char, str) and len(char) == 1 for char in chars):
            return chars
    raise TokenbenchError(f"stop contains single characters: got {stop!r:.80}")


def _check_integer(name: str, value: Any, low: float = -inf, high: float = inf) -> int:
    """Return a whole number within limits."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TokenbenchError(f"{name} is a whole number: got {value!r:.80}") from None
    if not low <= number <= high:
        limits = f"from {low} on" if high == inf else f"from {low} to {high}"
        raise TokenbenchError(f"{name} is a whole number {limits}: got {number}")
    return number


def _check_rows(rows: Any, n_words: int) -> Ints:
    """Return rows (n, 3) of positions of words."""
    try:
        table = np.asarray(rows)
    except ValueError:  # rows of different lengths
        table = np.empty(0)
    if not table.size:
        return np.empty((0, 3), np.int32)
    if table.ndim != 2 or table.shape[1] != 3 or table.dtype.kind not in "iu":
        raise TokenbenchError(f"rows are integers of shape (n, 3): got {rows!r:.80}")
    if not 0 <= table.min() <= table.max() < n_words:
        raise TokenbenchError(f"rows contain positions from 0 to {n_words - 1}: got {rows!r:.80}")
    return table.astype(np.int32)


def _to_codes(words: Sequence[str]) -> tuple[Codes, Longs]:
    """Return the characters of words, one word after the other, and where each begins."""
    text = "".join(words).encode("utf-32-le", "surrogatepass")
    starts = np.cumsum([0, *map(len, words)], dtype=np.int64)
    return np.frombuffer(text, "<u4").astype(np.uint32), starts


def _rank(tables: Tables, words: Sequence[str], weights: Sequence[float]) -> Iterator[Match]:
    """Yield all matches, the commonest pairs first.

    Each word in turn, the commonest first, meets the words that are at least as common, so it is
    the rarer word of all its pairs.
    """
    order = sorted(range(len(words)), key=lambda place: (-weights[place], place))
    ranks = np.empty(len(words), np.int32)
    ranks[order] = np.arange(len(words))
    lefts = _RankLists(tables.left_starts, ranks[tables.left_words])
    rights = _RankLists(tables.right_starts, ranks[tables.right_words])
    n_parts = len(tables.left_starts) - 1
    by_head, by_tail = _positions(tables.heads, n_parts), _positions(tables.tails, n_parts)
    known = frozenset(words)
    for rank, place in enumerate(order):
        pairs = []
        for part in lefts.lists_with(rank):
            for group in by_head(part):
                pairs += [(two, 0, group) for two in rights.up_to(rank, tables.tails[group])]
        for part in rights.lists_with(rank):
            for group in by_tail(part):
                pairs += [(one, 1, group) for one in lefts.up_to(rank - 1, tables.heads[group])]
        for other, is_left, group in sorted(pairs):
            one, two = words[place], words[order[other]]
            if is_left:
                one, two = two, one
            if one + two not in known:
                yield Match.of(one, two, words[tables.traps[group]], int(tables.cuts[group]))


def _positions(values: Ints, limit: int) -> Callable[[int], list[int]]:
    """Return the function from a value, from 0 to limit - 1, to its positions."""
    order = np.argsort(values, kind="stable")
    begins = np.searchsorted(values[order], np.arange(limit + 1))
    return lambda value: list(order[begins[value] : begins[value + 1]].tolist())


class _RankLists:
    """Lists of ranks, each in order, and the lists that contain a rank."""

    def __init__(self, starts: Longs, ranks: Ints) -> None:
        lists = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        self._ranks = ranks[np.lexsort((ranks, lists))]
        self._starts, self._lists = starts, lists
        self._positions = _positions(ranks, ranks.max(initial=-1) + 1)

    def lists_with(self, rank: int) -> list[int]:
        """Return the lists that contain a rank."""
        return list(self._lists[self._positions(rank)].tolist())

    def up_to(self, rank: int, number: int) -> list[int]:
        """Return the ranks of a list up to one."""
        ranks = self._ranks[self._starts[number] : self._starts[number + 1]]
        return list(ranks[: np.searchsorted(ranks, rank, side="right")].tolist())
