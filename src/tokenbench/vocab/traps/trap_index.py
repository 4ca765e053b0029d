"""The index of a vocabulary's traps: counts, streams, samples, ranks and looks up matches."""

import os
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tokenbench._fast import kernels
from tokenbench._fast.plain_traps import (
    Codes,
    Ints,
    Longs,
    Tables,
    locate_raw,
    raw_positions,
    sort_by_value,
)
from tokenbench.checks import integer, number, string
from tokenbench.draw import Draw
from tokenbench.errors import TokenbenchError, expected
from tokenbench.quoting import pluralize
from tokenbench.vocab.spans import are_tokens, as_tokenizer
from tokenbench.vocab.traps.match import Match, MatchRange, crosses_boundary, make_match
from tokenbench.vocab.vocabulary import Vocabulary, WordFilter, select_words


def rank_matches(tables: Tables, words: Sequence[str], weights: Sequence[float]) -> Iterator[Match]:
    """Yield all matches, the commonest pairs first.

    Each word in turn, the commonest first, meets the words that are at least as common, so it is
    the rarer word of all its pairs.
    """
    order = sorted(range(len(words)), key=lambda place: (-weights[place], place))
    ranks = np.empty(len(words), np.int32)
    ranks[order] = np.arange(len(words))
    lefts = _RankLists(tables.left_starts, ranks[tables.left_words], len(words))
    rights = _RankLists(tables.right_starts, ranks[tables.right_words], len(words))
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
                yield make_match(one, two, words[tables.traps[group]], int(tables.cuts[group]))


def _positions(values: Ints, limit: int) -> Callable[[int], list[int]]:
    """Return the function from a value, from 0 to limit - 1, to its positions."""
    begins, order = sort_by_value(values, limit)
    return lambda value: list(order[begins[value] : begins[value + 1]].tolist())


class _RankLists:
    """Lists of ranks, each in order, and the lists that contain a rank."""

    def __init__(self, starts: Longs, ranks: Ints, n_words: int) -> None:
        lists = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        self._ranks = ranks[np.lexsort((ranks, lists))]
        self._starts, self._lists = starts, lists
        self._positions = _positions(ranks, n_words)

    def lists_with(self, rank: int) -> list[int]:
        """Return the lists that contain a rank."""
        return list(self._lists[self._positions(rank)].tolist())

    def up_to(self, rank: int, number: int) -> list[int]:
        """Return the ranks of a list up to one."""
        ranks = self._ranks[self._starts[number] : self._starts[number + 1]]
        return list(ranks[: np.searchsorted(ranks, rank, side="right")].tolist())


_CHUNK_ROWS = 1 << 20  # 16 MB


def index(words: Iterable[str] | Vocabulary, *, stop: Iterable[str] = ()) -> "TrapIndex":
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
    given: Any = words.words() if isinstance(words, Vocabulary) else words
    if isinstance(given, str | os.PathLike | Mapping) or not isinstance(given, Iterable):
        raise expected("words", given, "words, or a Vocabulary", "vocab.load reads one")
    listed, chars = tuple(given), frozenset(stop)
    if wrong := [word for word in listed if not isinstance(word, str) or not word]:
        raise expected("words", wrong[0], "strings that are not empty")
    if not all(isinstance(char, str) and len(char) == 1 for char in chars):
        raise expected("stop", stop, "single characters")
    return TrapIndex(tuple(sorted(set(listed))), chars)


class TrapIndex:
    """The matches of a vocabulary, in order of trap, cut, word1 and word2."""

    def __init__(
        self,
        words: tuple[str, ...],
        stop: frozenset[str] = frozenset(),
        selected: NDArray[np.bool_] | None = None,
    ) -> None:
        """Index words that are sorted and different, as `index` makes them.

        `selected` says of each word whether matches may have it, as `select` does.
        """
        self.words, self.stop = words, stop
        self._selected = np.ones(len(words), np.bool_) if selected is None else selected
        codes, starts = _to_codes(words)
        is_stop = np.isin(codes, [ord(char) for char in stop])
        usable = self._selected & ~(is_stop[starts[:-1]] | is_stop[starts[1:] - 1])
        build = kernels("traps").build_tables
        self._tables: Tables = build(codes, starts, usable, self._selected)

    def __repr__(self) -> str:
        n, total = self._selected.sum(), len(self.words)
        words = pluralize(total, "word")
        words = words if n == total else f"{n:,} of {words}"
        return f"<TrapIndex of {words}: {pluralize(self.count(), 'match', 'matches')}>"

    def select(self, **conditions: Unpack[WordFilter]) -> "TrapIndex":
        """Return the index of those matches whose three words all meet some conditions.

        Everything else stays as it is in the whole vocabulary: the rest of a word may be any word,
        and the positions in rows are the same.

        Args:
            conditions: `script`, all characters are of this script, by Unicode's name, such as
                "Latin" or "Han"; `min_length` and `max_length`, the smallest and the largest number
                of characters of a word; `dictionary`, a set, mapping or list that contains the
                word, as it is or in lower case.

        Raises:
            UnknownNameError: the script does not exist.
            TokenbenchError: a length is not a whole number, or the dictionary not a collection of
                words.

        >>> traps = index(["moves", "move", "table", "stable", "st", "able"])
        >>> traps.count(), traps.select(min_length=3).hiding("stable")[:]
        (3, [Match(word1='moves', word2='table', trap='stable', cut=1, schema='before')])
        """
        chosen = np.array(select_words(self.words, **conditions), np.bool_)
        return TrapIndex(self.words, self.stop, self._selected & chosen)

    def count(self) -> int:
        """Return the number of matches, without listing them."""
        return int(self._tables.offsets[-1]) - len(self._tables.passed)

    def count_pairs(self) -> int:
        """Return the number of different pairs (word1, word2) that match."""
        return int(kernels("traps").count_pairs(self._tables))

    def iter(self, chunk: int = _CHUNK_ROWS, start: int = 0) -> Iterator[Ints]:
        """Yield all matches in chunks of rows (word1, word2, trap, cut), as int32.

        The three words are positions in `words`. Each chunk is a new array (chunk, 4); the last one
        is shorter.

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
        chunk = integer("chunk", chunk, least=1)
        start = integer("start", start, least=0, most=count)

        def chunks() -> Iterator[Ints]:
            for first in range(start, count, chunk):
                rows = np.empty((min(chunk, count - first), 4), np.int32)
                fill(self._tables, first, rows)
                yield rows

        return chunks()

    def matches(self, rows: ArrayLike) -> list[Match]:
        """Return the matches of rows.

        Args:
            rows: (n, 4), as `iter` yields them; any of them, in any order.

        Raises:
            TokenbenchError: another shape, or a row that is not a match.

        >>> traps = index(["moves", "move", "table", "stable"])
        >>> [rows] = traps.iter()
        >>> traps.matches(rows[1:])
        [Match(word1='moves', word2='table', trap='stable', cut=1, schema='before')]
        """
        table = np.asarray(rows)
        if not table.size:
            return []
        is_table = table.ndim == 2 and table.shape[1] == 4 and table.dtype.kind in "iu"
        if not is_table or not np.isin(table[:, :3], range(len(self.words))).all():
            raise expected("rows", rows, "rows (n, 4) of integers, as `iter` yields them")
        for *places, cut in table.tolist():
            one, other, trap = (self.words[place] for place in places)
            if cut not in self._cuts(one, other, trap):
                raise TokenbenchError(f"not a match: {one!r}, {other!r} and {trap!r}, at cut {cut}")
        return self._make_all(*table.T)

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
            make_match(word1, word2, trap, cut)
            for trap in sorted(traps)
            for cut in self._cuts(word1, word2, trap)
        ]

    def hiding(self, trap: str) -> MatchRange:
        """Return the matches that hide a word, in order of cut, word1 and word2.

        There may be none, and there may be millions: they are made when they are asked for. To
        leave out some words, `select` first.

        Raises:
            TokenbenchError: the word is not a str.

        >>> traps = index(["moves", "move", "table", "stable"])
        >>> traps.hiding("stable"), len(traps.hiding("table"))
        (<1 match of 'stable'>, 0)
        >>> traps.hiding("stable")[0].word1
        'moves'
        """
        place, tables = bisect_left(self.words, string("trap", trap)), self._tables
        is_word = self.words[place : place + 1] == (trap,)
        groups = np.searchsorted(tables.traps, (place, place + is_word))
        start, stop = map(self._count_before, tables.offsets[groups].tolist())
        return MatchRange(trap, range(start, stop), self._matches_at)

    def sample(self, n: int, seed: int = 0, **conditions: Unpack[WordFilter]) -> list[Match]:
        """Return different matches, all equally likely, in random order.

        Args:
            n: the number of matches.
            seed: any whole number; it gives the same matches on every machine.
            conditions: the arguments of `select`, to sample only matches of some words.

        Raises:
            TokenbenchError: there are fewer, or the seed is not a whole number; as `select`.
        """
        seed = integer("seed", seed)
        if conditions:
            return self.select(**conditions).sample(n, seed)
        count = self.count()
        n = integer("n", n, least=0, most=count)
        numbers = np.array(Draw("traps", seed).sample(count, n), dtype=np.int64)
        return self._matches_at(numbers)

    def rank(
        self,
        frequency: Mapping[str, float] | Callable[[str], float],
        **conditions: Unpack[WordFilter],
    ) -> Iterator[Match]:
        """Yield all matches, those of two common words first.

        Words are ranked by frequency, equally frequent ones in the order of `words`. Matches follow
        the rank of their rarer word, then that of the other.

        Args:
            frequency: how common a word is, by any measure; words missing in a mapping count 0.
            conditions: the arguments of `select`, to rank only matches of some words.

        Raises:
            TokenbenchError: neither a mapping nor a function, or one that does not return numbers;
                as `select`.

        >>> traps = index(["moves", "move", "table", "stable"])
        >>> [match[:3] for match in traps.rank({"table": 2.0, "stable": 3.0, "move": 1.0})]
        [('move', 'stable', 'moves'), ('moves', 'table', 'stable')]
        """
        if conditions:
            return self.select(**conditions).rank(frequency)
        # Wrong arguments raise here, before the first match is asked for.
        get = frequency if callable(frequency) else lambda word: frequency.get(word, 0.0)
        weights = [
            number("frequency", get(word), lambda _: True, f"for {word!r}") for word in self.words
        ]
        return rank_matches(self._tables, self.words, weights)

    def verify(self, matches: Sequence[Match] | Ints, tokenizer: Any) -> NDArray[np.bool_]:
        """Return for which matches the tokenizer falls: the trap is one token of the join.

        Source: ADT, the filter by tokenisation.

        Args:
            matches: matches, or rows of them, as `iter` yields them.
            tokenizer: whatever `tokenbench.vocab.spans.as_tokenizer` takes.

        Raises:
            TokenbenchError: not matches, or not a tokenizer.
        """
        encoder = as_tokenizer(tokenizer)
        found = self.matches(matches) if isinstance(matches, np.ndarray) else matches
        if not (isinstance(found, Sequence) and all(isinstance(m, Match) for m in found)):
            raise expected("matches", matches, "a list of Match, or rows of `iter`")
        texts = [match.word1 + match.word2 for match in found]
        starts, ends = ([match.start for match in found], [match.end for match in found])
        return np.array(are_tokens(encoder, texts, starts, ends), np.bool_)

    def _make_all(self, *columns: Ints) -> list[Match]:
        """Return the matches of columns (n,): the positions of the words, and the cuts."""
        rows = zip(*(column.tolist() for column in columns), strict=True)
        return [
            make_match(self.words[one], self.words[other], self.words[trap], cut)
            for one, other, trap, cut in rows
        ]

    def _matches_at(self, numbers: Longs) -> list[Match]:
        """Return the matches with some numbers, from 0 on."""
        tables = self._tables
        group, left, right = locate_raw(tables, raw_positions(tables, numbers))
        lefts, rights = tables.left_words[left], tables.right_words[right]
        return self._make_all(lefts, rights, tables.traps[group], tables.cuts[group])

    def _count_before(self, raw: int) -> int:
        """Return the number of matches before a raw position."""
        passed = self._tables.passed
        return raw - bisect_left(range(len(passed)), raw, key=lambda at: int(passed[at]) + at)

    def _cuts(self, one: str, other: str, trap: str) -> list[int]:
        """Return the cuts at which a trap crosses the boundary of two words; none: not a match."""
        if one + other in self._places or self.stop.intersection((trap[0], trap[-1])):
            return []
        if not all(self._selected[self._places[word]] for word in (one, other, trap)):
            return []
        return [
            cut
            for cut in range(1, len(trap))
            if crosses_boundary(one, other, trap, cut)
            and self._is_word_or_empty(one[: len(one) - cut])
            and self._is_word_or_empty(other[len(trap) - cut :])
        ]

    def _is_word_or_empty(self, rest: str) -> bool:
        return not rest or rest in self._places

    @cached_property
    def _places(self) -> dict[str, int]:
        return {word: place for place, word in enumerate(self.words)}


def _to_codes(words: Sequence[str]) -> tuple[Codes, Longs]:
    """Return the characters of words, one word after the other, and where each begins."""
    text = "".join(words).encode("utf-32-le", "surrogatepass")
    starts = np.cumsum([0, *map(len, words)], dtype=np.int64)
    return np.frombuffer(text, "<u4").astype(np.uint32), starts
