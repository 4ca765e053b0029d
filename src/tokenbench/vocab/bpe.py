"""Byte-level BPE: encoding as tiktoken and tokenizers do, fast and without these packages."""

import warnings
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, chain, pairwise
from types import MappingProxyType
from typing import Any, Final

import numpy as np
import regex
from numpy.typing import ArrayLike, NDArray

from tokenbench._fast import kernels
from tokenbench.checks import string
from tokenbench.checks import texts as check_texts
from tokenbench.errors import MissingPatternWarning, SourceError, expected
from tokenbench.quoting import pluralize
from tokenbench.text.normalize import nfc
from tokenbench.vocab.bpe_model import BpeModel, read_model
from tokenbench.vocab.formats import encode_text, open_source

_SET: Final = regex.compile(r"\\.|(?P<set>\[(?:\\.|[^][\\]|(?&set))*+\])", regex.DOTALL)


class PreTokenizer:
    """Patterns that cut text: each cuts the pieces that the ones before it made."""

    def __init__(self, patterns: Iterable[str]) -> None:
        """Compile patterns.

        Raises:
            SourceError: the `regex` package cannot compile one.
        """
        self._patterns = tuple(map(_compile, patterns))

    def lengths(self, text: str) -> list[int]:
        r"""Return the length of each pre-token, in characters.

        Text that no match covers is a pre-token too, so no text is lost.

        >>> PreTokenizer([r"\d", "[a-c]+"]).lengths("abcd12")
        [3, 1, 1, 1]
        """
        if not self._patterns:
            return [len(text)] if text else []
        first, *others = self._patterns
        lengths = _piece_lengths(first, text)
        for pattern in others:
            ends = accumulate(lengths)
            pieces = [text[end - length : end] for end, length in zip(ends, lengths, strict=True)]
            lengths = [length for piece in pieces for length in _piece_lengths(pattern, piece)]
        return lengths

    def lengths_of_all(self, texts: Sequence[str]) -> tuple[list[int], list[int]]:
        r"""Return the lengths of all texts' pre-tokens, end to end, and their number in each text.

        >>> PreTokenizer([r"\d", "[a-c]+"]).lengths_of_all(["ab1", "", "c"])
        ([2, 1, 1], [2, 0, 1])
        """
        if len(self._patterns) == 1 and not self._patterns[0].groups:
            # As in `_piece_lengths`, for all texts at once.
            pieces = list(map(self._patterns[0].findall, texts))
            lengths = list(map(len, chain.from_iterable(pieces)))
            if sum(lengths) == sum(map(len, texts)) and 0 not in lengths:
                return lengths, list(map(len, pieces))
        each = list(map(self.lengths, texts))
        return list(chain.from_iterable(each)), list(map(len, each))


def to_utf8(text: str) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return a text in UTF-8, and where each character begins (characters + 1,), in bytes.

    Raises:
        SourceError: the text contains half of a surrogate pair.
    """
    # A bytearray, because kernels are compiled for writable arrays.
    data = np.frombuffer(bytearray(encode_text(text)), np.uint8)
    if len(data) == len(text):
        return data, np.arange(len(data) + 1)
    places = np.flatnonzero(data & 0xC0 != 0x80)
    return data, np.append(places, len(data))


def _compile(pattern: str) -> regex.Pattern[str]:
    """Compile a pattern, with Rust's set operations if it uses them.

    That version of regex's syntax folds letter case in full, so other patterns do not get it.
    """
    inner = [regex.sub(r"\\.", "", match["set"] or "[]")[1:-1] for match in _SET.finditer(pattern)]
    operations = any(mark in text for text in inner for mark in ("[", "&&", "--", "~~"))
    try:
        return regex.compile(pattern, regex.VERSION1 if operations else regex.VERSION0)
    except regex.error as error:
        raise SourceError(f"regex cannot compile the pattern {pattern!r:.80}: {error}") from None


def _piece_lengths(pattern: regex.Pattern[str], text: str) -> list[int]:
    # Usual patterns have no groups and cover every text, so findall is enough.
    if not pattern.groups:
        lengths = list(map(len, pattern.findall(text)))
        if sum(lengths) == len(text) and 0 not in lengths:
            return lengths
    cuts = {place for match in pattern.finditer(text) for place in match.span()}
    return [end - start for start, end in pairwise(sorted(cuts | {0, len(text)}))]


def load(source: Any, *, pattern: str | Sequence[str] | None = None) -> "Bpe":
    """Return a tokenizer's byte-pair encoding.

    Args:
        source: tiktoken's rank file (each line a token in Base64 and its rank), `Encoding`, or a
            mapping from bytes to ranks; Mistral's `tekken.json` or `Tekkenizer`; `tokenizer.json`,
            or a tokenizer of tokenizers or transformers, with byte-level BPE; or a GGUF file with
            it.
        pattern: the pattern that cuts text into pre-tokens, instead of the source's own; of
            several, each cuts the pieces that the ones before it made. A rank file has no pattern:
            without one, the whole text is one pre-token. `()` means that this is intended.

    Warns:
        MissingPatternWarning: the source is a rank file, and there is no pattern.

    Raises:
        SourceError: the source is not a byte-level BPE, or uses a feature that is not supported.
        MissingExtraError: the package that reads the format is not installed.

    >>> ranks = {bytes([byte]): byte for byte in range(256)} | {b"th": 256, b"the": 257}
    >>> load(ranks, pattern=r" ?\\w+|.").encode("then the")
    [257, 110, 32, 257]
    """
    found = open_source(source)
    model = read_model(found, pattern)
    if model.patterns is None and found.format == "rank file":
        message = f"{found.name} has no pattern, so tokens may be wrong: give the tokenizer's"
        warnings.warn(message, MissingPatternWarning, stacklevel=2)
    return Bpe(model)


class Bpe:
    """A byte-level BPE tokenizer; `load` makes it.

    `encode` and `decode` translate between text and ids; `tokens` has the bytes of each id.

    Equal to tiktoken's `encode_ordinary` and to tokenizers without special tokens: text that looks
    like a special or an added token is text. With `add_prefix_space` a text that begins with no
    space gets one. Pre-tokenisation depends on the Unicode version of the regex package, which may
    be newer than theirs.
    """

    def __init__(self, model: BpeModel) -> None:
        self._model = model
        self._pretokenizer = PreTokenizer(model.patterns or ())
        self._ids = np.array(model.ids, np.int64)
        self._tokens = MappingProxyType(dict(zip(model.ids, model.tokens, strict=True)))
        self._tables = _build_tables(model)
        self._lengths = np.diff(self._tables.offsets)

    def __reduce__(self) -> tuple[type["Bpe"], tuple[BpeModel]]:
        return Bpe, (self._model,)

    @property
    def tokens(self) -> Mapping[int, bytes]:
        """The bytes of each token by its id, without special tokens.

        >>> load({bytes([byte]): byte for byte in range(256)}).tokens[65]
        b'A'
        """
        return self._tokens

    @property
    def pattern(self) -> tuple[str, ...] | None:
        """The patterns that cut text into pre-tokens, as the regex package writes them."""
        return self._model.patterns

    def encode(self, text: str) -> list[int]:
        """Return the ids of a text's tokens, as tiktoken's `encode_ordinary` does.

        A special or added token in the text, such as `<|endoftext|>`, is encoded as ordinary text.

        Raises:
            SourceError: the text contains half of a surrogate pair.

        >>> load({bytes([byte]): byte for byte in range(256)} | {b"ab": 256}).encode("abc")
        [256, 99]
        """
        return self.encode_batch([string("text", text)])[0]

    def encode_batch(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the ids of each text's tokens.

        Raises:
            TokenbenchError: `texts` is not a sequence of str.
            SourceError: a text contains half of a surrogate pair.

        >>> load({bytes([byte]): byte for byte in range(256)}).encode_batch(["ab", "", "é"])
        [[97, 98], [], [195, 169]]
        """
        tokens, ends = self._encode_all(list(map(self._normalize, _check_list("texts", texts))))
        ids = self._ids[tokens].tolist()
        return [ids[start:end] for start, end in pairwise(ends.tolist())]

    def decode(self, ids: Iterable[int]) -> str:
        """Return the text of tokens; bytes that are not UTF-8 are replaced by U+FFFD.

        Args:
            ids: of tokens, as `encode` returns them; any iterable of integers.

        Raises:
            TokenbenchError: no token has an id.

        >>> bpe = load({bytes([byte]): byte for byte in range(256)} | {b"ab": 256})
        >>> bpe.decode([256, 99]), bpe.decode(bpe.encode("né")[:2])
        ('abc', 'n\ufffd')
        """
        try:
            return b"".join(map(self._tokens.__getitem__, ids)).decode(errors="replace")
        except KeyError as error:
            allowed = f"ids of text, from {self._ids[0]} to {self._ids[-1]}"
            raise expected("ids", error.args[0], allowed) from None

    def __repr__(self) -> str:
        size, patterns = pluralize(len(self._ids), "token"), len(self.pattern or ())
        return f"<Bpe of {size}, {pluralize(patterns, 'pattern')}>"

    def spans(self, text: str) -> NDArray[np.int64]:
        """Return where each token begins and ends in a text, as an array (tokens, 2) of characters.

        A token with a part of a character has the span of the whole character. A space that the
        tokenizer has put before the text is not in the text: a token of it alone has (0, 0).

        Raises:
            SourceError: the text contains half of a surrogate pair.

        >>> load({bytes([byte]): byte for byte in range(256)} | {b"ab": 256}).spans("abé").tolist()
        [[0, 2], [2, 3], [2, 3]]
        """
        prefix, normal = self._prefix(string("text", text)), self._nfc(text)
        tokens, _ = self._encode_all([prefix + normal])
        lengths = self._lengths[tokens]
        ends = np.cumsum(lengths)
        _, places = to_utf8(prefix + normal)
        starts = np.searchsorted(places, ends - lengths, side="right") - 1
        spans = np.stack([starts, np.searchsorted(places, ends)], axis=1)
        spans = np.maximum(spans - len(prefix), 0)
        return spans if normal == text else _spans_before_nfc(text, spans)

    def is_token(
        self, texts: Sequence[str], starts: ArrayLike, ends: ArrayLike
    ) -> NDArray[np.bool_]:
        """Return whether a part of each text comes out as exactly one token.

        Args:
            texts: the texts.
            starts, ends: the part of each text, in characters, as integers (n,).

        Raises:
            TokenbenchError: `texts` is not a sequence of str.
            SourceError: a text contains half of a surrogate pair.

        >>> bpe = load({bytes([byte]): byte for byte in range(256)} | {b"bc": 256})
        >>> bpe.is_token(["abcd", "cdab"], [1, 1], [3, 3]).tolist()
        [True, False]
        """
        joins = _check_list("texts", texts)
        left, right = np.array(starts, np.int64), np.array(ends, np.int64)
        texts = list(map(self._normalize, joins))
        tokens, _ = self._encode_all(texts)
        token_ends = np.cumsum(self._lengths[tokens])
        begins = token_ends - self._lengths[tokens]
        limits = np.cumsum([*map(len, texts)], dtype=np.int64)
        # A normalised text may begin with a space of the tokenizer.
        origins = limits - np.fromiter(map(len, joins), np.int64, len(joins))
        result: NDArray[np.bool_] = (left >= 0) & (left < right) & (origins + right <= limits)
        rows, (_, starts) = np.flatnonzero(result), to_utf8("".join(texts))
        low, high = (starts[origins[rows] + part[rows]] for part in (left, right))
        found = np.searchsorted(begins, low, side="right") - 1
        result[rows] = (begins[found] == low) & (token_ends[found] == high)
        for row in range(len(joins) if self._model.nfc else 0):
            if not texts[row].endswith(joins[row]):
                result[row] = self._is_token_of(joins[row], int(left[row]), int(right[row]))
        return result

    def _is_token_of(self, text: str, start: int, end: int) -> bool:
        part = self._nfc(text[start:end]).encode()
        tokens, _ = self._encode_all([self._normalize(text)])
        return any(
            span == [start, end] and self._model.tokens[token] == part
            for token, span in zip(tokens, self.spans(text).tolist(), strict=True)
        )

    def _encode_all(self, texts: Sequence[str]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Return the tokens of normalised texts, end to end, and where each text's tokens begin."""
        lengths, numbers = self._pretokenizer.lengths_of_all(texts)
        data, places = to_utf8("".join(texts))
        ends = places[np.cumsum(lengths, dtype=np.int64)]
        tokens, counts = kernels("bpe").encode(data, ends, self._tables)
        until = np.cumsum([0, *numbers])
        return tokens, np.append(0, np.cumsum(counts, dtype=np.int64))[until]

    def _normalize(self, text: str) -> str:
        return self._prefix(text) + self._nfc(text)

    def _prefix(self, text: str) -> str:
        return " " if self._model.prefix and text and text[0] != " " else ""

    def _nfc(self, text: str) -> str:
        return nfc(text) if self._model.nfc else text


def _check_list(name: str, value: Any) -> list[str]:
    # A str is a sequence of str too, but certainly a mistake.
    if isinstance(value, str):
        raise expected(name, value, "a list of strings")
    return check_texts(name, value)


def _build_tables(model: BpeModel) -> Any:
    # A bytearray, because kernels are compiled for writable arrays.
    data = np.frombuffer(bytearray(b"".join(model.tokens)), np.uint8)
    offsets = np.cumsum([0, *map(len, model.tokens)], dtype=np.int64)
    left, right, merged = np.array(model.merges or (), np.int32).reshape(-1, 3).T.copy()
    values = np.arange(len(merged)) << 32 | merged
    order = np.argsort(np.diff(offsets) if model.merges is None else [], kind="stable")
    return kernels("bpe").build_tables(data, offsets, left, right, values, order, model.whole)


def _spans_before_nfc(text: str, spans: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return spans of a normalised text as spans of the text, widened to whole changed clusters."""
    starts: list[int] = []
    ends: list[int] = []
    place = 0
    # Characters never compose across grapheme clusters.
    for cluster in regex.findall(r"\X", text):
        normal, after = nfc(cluster), place + len(cluster)
        same = normal == cluster
        starts += range(place, after) if same else [place] * len(normal)
        ends += range(place + 1, after + 1) if same else [after] * len(normal)
        place = after
    return np.stack([np.array(starts)[spans[:, 0]], np.array([0, *ends])[spans[:, 1]]], axis=1)
