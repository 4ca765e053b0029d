"""Byte-pair encoding by ranks, for the tokenizers that work on bytes: fast, and without them."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tokenbench._fast import kernels
from tokenbench.errors import TokenbenchError
from tokenbench.errors import texts as _texts
from tokenbench.vocab.bpe_source import read
from tokenbench.vocab.cutting import Cutter
from tokenbench.vocab.joins import Joins, encoded
from tokenbench.vocab.ranks import Ranks

_MOST: Final = (1 << 31) - 1  # of places, as kernels take them
_CLUSTER: Final = r"\X"  # no character of one composes with a character of another


def load(source: Any, *, pattern: str | Sequence[str] | None = None) -> "Bpe":
    """Return a tokenizer's byte-pair encoding.

    Args:
        source: tiktoken's rank file (whose tokens stand in Base64 beside their ranks), `Encoding`,
            or a mapping from bytes to ranks; Mistral's `tekken.json`; `tokenizer.json`, or a
            tokenizer of tokenizers or transformers, with byte-level BPE; or a GGUF file with it.
        pattern: how text is cut into pre-tokens, in the place of what the source says; of several,
            each cuts what the ones before it left whole. A rank file says nothing: without a
            pattern, the whole text is one pre-token.

    Raises:
        SourceError: the source is no byte-level BPE, or does what is not supported here.
        MissingExtraError: the package that reads the format is not installed.

    >>> ranks = {bytes([byte]): byte for byte in range(256)} | {b"th": 256, b"the": 257}
    >>> load(ranks, pattern=r" ?\\w+|.").encode("then the")
    [257, 110, 32, 257]
    """
    return Bpe(read(source, pattern))


class Bpe:
    """A byte-level BPE tokenizer; `load` makes it.

    Equal to tiktoken's `encode_ordinary` and to tokenizers without special tokens: text that looks
    like a special or an added token is text. What pre-tokenisation depends on is the Unicode
    version of the regex package, which may be newer than theirs.
    """

    def __init__(self, ranks: Ranks) -> None:
        self._ranks = ranks
        self._cutter = Cutter(ranks.patterns or ())
        self._ids = np.array(ranks.ids, np.int64)
        self._tokens = MappingProxyType(dict(zip(ranks.ids, ranks.tokens, strict=True)))
        self._tables = _tables(ranks)
        self._lengths = np.diff(self._tables.offsets)
        self._prepared: Joins | None = None

    @property
    def tokens(self) -> Mapping[int, bytes]:
        """The bytes of each token, by its id; without special tokens.

        >>> load({bytes([byte]): byte for byte in range(256)}).tokens[65]
        b'A'
        """
        return self._tokens

    @property
    def pattern(self) -> tuple[str, ...] | None:
        """The patterns that cut text into pre-tokens, as the regex package writes them."""
        return self._ranks.patterns

    def encode(self, text: str) -> list[int]:
        """Return the ids of a text's tokens.

        Raises:
            SourceError: the text holds half of a surrogate pair.

        >>> load({bytes([byte]): byte for byte in range(256)} | {b"ab": 256}).encode("abc")
        [256, 99]
        """
        return self.encode_batch([text])[0]

    def encode_batch(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the ids of each text's tokens.

        Raises:
            TokenbenchError: `texts` is no sequence of str.
            SourceError: a text holds half of a surrogate pair.

        >>> load({bytes([byte]): byte for byte in range(256)}).encode_batch(["ab", "", "é"])
        [[97, 98], [], [195, 169]]
        """
        tokens, ends = self._encoded([self._normal(text) for text in _listed("texts", texts)])
        ids = self._ids[tokens].tolist()
        return [ids[start:end] for start, end in pairwise(ends.tolist())]

    def spans(self, text: str) -> NDArray[np.int64]:
        """Return where each token stands in a text, as an array (tokens, 2) of characters.

        A token that holds a part of a character has the span of the whole character.

        Raises:
            SourceError: the text holds half of a surrogate pair.

        >>> load({bytes([byte]): byte for byte in range(256)} | {b"ab": 256}).spans("abé").tolist()
        [[0, 2], [2, 3], [2, 3]]
        """
        normal = self._normal(text)
        tokens, _ = self._encoded([normal])
        lengths = self._lengths[tokens]
        ends = np.cumsum(lengths)
        places = encoded(normal).places
        found = np.empty((len(tokens), 2), np.int64)
        found[:, 0] = np.searchsorted(places, ends - lengths, side="right") - 1
        found[:, 1] = np.searchsorted(places, ends)
        return found if normal == text else _before_normalising(text, found)

    def is_token(
        self,
        words: Sequence[str],
        first: ArrayLike,
        second: ArrayLike,
        start: ArrayLike,
        end: ArrayLike,
    ) -> NDArray[np.bool_]:
        """Return whether a part of two joined words comes out as exactly one token.

        Args:
            words: any; given the same tuple again, what it takes to prepare them is saved.
            first, second: the words, by their places, as integers (n,).
            start, end: the part of `words[first] + words[second]`, in characters, (n,).

        Returns:
            A bool for each row (n,).

        Raises:
            TokenbenchError: `words` is no sequence of str, a column holds something else than
                integers, or a place is none of the words'.
            SourceError: a word holds half of a surrogate pair.

        >>> bpe = load({bytes([byte]): byte for byte in range(256)} | {b"bc": 256})
        >>> bpe.is_token(("ab", "cd"), [0, 1], [1, 0], [1, 1], [3, 3]).tolist()
        [True, False]
        """
        given = {"first": first, "second": second, "start": start, "end": end}
        one, two, left, right = np.broadcast_arrays(*map(_column, given, given.values()))
        joins = self._joins(words)
        for places in (one, two):
            if len(places) and not 0 <= places.min() <= places.max() < len(joins.words):
                raise TokenbenchError(
                    f"first and second are places of the {len(joins.words)} words: got "
                    f"{places.min()} to {places.max()}"
                )
        which, bounds, limits = joins.cuts(one, two)
        rows = np.stack([one, two, left, right, which], axis=1).astype(np.int32)
        found: NDArray[np.bool_] = kernels("bpe").stand(
            joins.data, joins.places, joins.firsts, rows, bounds, limits, self._tables
        )
        if self._ranks.nfc:
            unsettled = joins.unsettled
            for row in np.flatnonzero(unsettled[one] | unsettled[two]).tolist():
                text = joins.words[one[row]] + joins.words[two[row]]
                found[row] = self._stands(text, int(left[row]), int(right[row]))
        return found

    def _stands(self, text: str, start: int, end: int) -> bool:
        """Return whether a part of a text is exactly one token, by its spans."""
        part = self._normal(text[start:end]).encode()
        return any(
            (left, right) == (start, end) and self._ranks.tokens[token] == part
            for token, (left, right) in zip(
                self._encoded([self._normal(text)])[0], self.spans(text).tolist(), strict=True
            )
        )

    def _encoded(self, normal: Sequence[str]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Return the tokens of texts, end to end, and between which of them each text ends."""
        lengths, numbers = self._cutter.all_lengths(normal)
        data, places = encoded("".join(normal))
        ends = places[np.cumsum(lengths, dtype=np.int64)]
        tokens, counts = kernels("bpe").encode(data, ends, self._tables)
        until = np.cumsum([0, *numbers])
        return tokens, np.append(0, np.cumsum(counts, dtype=np.int64))[until]

    def _normal(self, text: str) -> str:
        if not self._ranks.nfc:
            return text
        from unicodedata2 import normalize

        return str(normalize("NFC", text))

    def _joins(self, words: Sequence[str]) -> Joins:
        if self._prepared is None or self._prepared.words is not words:
            given = tuple(_listed("words", words))
            self._prepared = Joins(words if isinstance(words, tuple) else given, self._cutter)
        return self._prepared


def _listed(name: str, value: Any) -> list[str]:
    """Return texts; a single one is none, though a sequence of str."""
    if isinstance(value, str):
        raise TokenbenchError(f"{name} is a list of str: give [{value!r:.40}] for a single one")
    return _texts(name, value)


def _column(name: str, value: ArrayLike) -> NDArray[np.int32]:
    """Return integers as kernels take them; those beyond stay beyond."""
    found = np.atleast_1d(np.asarray(value))
    if found.size and found.dtype.kind not in "iu":
        raise TokenbenchError(f"{name} holds integers: got an array of {found.dtype}")
    return found.astype(np.int64).clip(-1, _MOST).astype(np.int32)


def _tables(ranks: Ranks) -> Any:
    fast = kernels("bpe")
    data = np.frombuffer(bytearray(b"".join(ranks.tokens)), np.uint8)  # writable: one compilation
    offsets = np.cumsum([0, *map(len, ranks.tokens)], dtype=np.int64)
    left, right, merged = np.array(ranks.merges or (), np.int32).reshape(-1, 3).T.copy()
    values = np.arange(len(merged)) << 32 | merged
    order = np.argsort(np.diff(offsets) if ranks.merges is None else [], kind="stable")
    return fast.tables(data, offsets, left, right, values, order, ranks.whole)


def _before_normalising(text: str, spans: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return where spans of a normalised text stand in the text, widened to what was changed."""
    import regex
    from unicodedata2 import normalize

    starts: list[int] = []
    ends: list[int] = []
    place = 0
    for cluster in regex.findall(_CLUSTER, text):
        after = place + len(cluster)
        normal = normalize("NFC", cluster)
        if normal == cluster:
            starts += range(place, after)
            ends += range(place + 1, after + 1)
        else:
            starts += [place] * len(normal)
            ends += [after] * len(normal)
        place = after
    return np.stack([np.array(starts)[spans[:, 0]], np.array(ends)[spans[:, 1] - 1]], axis=1)
