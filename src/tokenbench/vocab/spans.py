"""Where the tokens of any tokenizer begin and end in a text, in characters."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import deepcopy
from functools import partial
from itertools import accumulate, pairwise
from typing import Any, Final, Protocol, TypeAlias

from tokenbench.errors import SourceError, expected, needs_extra
from tokenbench.text.sources import reading
from tokenbench.vocab.formats import Source, encode_text, load_sentencepiece, open_source

Span: TypeAlias = tuple[int, int]

# How tokenizers write a space: Metaspace and SentencePiece, and GPT-2's alphabet.
_SPACES: Final = ("▁", "Ġ")
# What `decode` writes for a part of a character.
_BROKEN: Final = "\ufffd"
_ALLOWED: Final = "a tokenizer: its file, or an object with `spans`, or with `encode` and `decode`"


class Tokenizer(Protocol):
    """Any tokenizer that says where the tokens of a text begin and end.

    A token with a part of a character has the span of the whole character, and a space that the
    tokenizer has put before the text is not in the text: a token of it alone has an empty span.
    """

    def spans(self, text: str) -> Iterable[Sequence[int]]:
        """Return the first character of each token and the end of it, in order; also as array."""


class LibraryTokenizer:
    """A tokenizer of a library, with the spans that the library itself gives."""

    def __init__(self, source: object, find_spans: Callable[[str], list[Span]]) -> None:
        self._source, self._find_spans = source, find_spans

    def __repr__(self) -> str:
        return f"<LibraryTokenizer of {type(self._source).__name__}>"

    def spans(self, text: str) -> list[Span]:
        """Return where each token begins and ends in a text, in characters.

        Raises:
            SourceError: the text contains half of a surrogate pair, or the tokenizer does not
                decode its tokens to the text.
        """
        encode_text(text)
        return self._find_spans(text)


def as_tokenizer(source: Any, *, pattern: str | Sequence[str] | None = None) -> Tokenizer:
    """Return a tokenizer with `spans` from the file or object of any library.

    Args:
        source: an object with `spans`; a file, or whatever else `tokenbench.vocab.bpe.load` takes;
            a SentencePiece model or a `tokenizer.json` of any kind (WordPiece, Unigram), or the
            object that a library makes of it; or an object whose `encode` returns an encoding with
            `offsets`, or ids that its `decode` turns into the text.
        pattern: as for `bpe.load`; then the source is loaded by it.

    Raises:
        TokenbenchError: it is not a tokenizer.
        SourceError: the file cannot be read.
        MissingExtraError: the package that reads the format is not installed.

    >>> class Bytes:
    ...     def encode(self, text): return list(text.encode())
    ...     def decode(self, ids): return bytes(ids).decode(errors="replace")
    >>> as_tokenizer(Bytes()).spans("né")
    [(0, 1), (1, 2), (1, 2)]
    """
    from tokenbench.vocab import bpe  # loads NumPy, which many users of this module do not need

    if pattern is not None:
        return bpe.load(source, pattern=pattern)
    if hasattr(source, "spans"):
        found: Tokenizer = source
        return found
    opened = open_source(source)
    if opened.format == "SentencePiece":
        model = load_sentencepiece(opened)
        return LibraryTokenizer(model, partial(_sentencepiece_spans, model))
    is_path = isinstance(source, str | os.PathLike)
    if is_path or isinstance(source, Mapping) or opened.format in ("rank file", "tekken.json"):
        try:
            return bpe.load(opened)
        except SourceError:
            if opened.format != "tokenizer.json":
                raise
        source = _load_tokenizer_json(opened)
    if not hasattr(source, "encode"):
        raise expected("tokenizer", source, _ALLOWED)
    return LibraryTokenizer(source, partial(_encoding_spans, _without_limits(source)))


def _load_tokenizer_json(source: Source) -> Any:
    with needs_extra("encoding with a tokenizer.json that is not a byte-level BPE", "vocab"):
        from tokenizers import Tokenizer
    with reading(source.name, "a complete tokenizer.json"):
        return Tokenizer.from_str(source.content.decode())


def _without_limits(source: Any) -> Any:
    """Return a tokenizer, or the one that transformers wraps, which neither truncates nor pads."""
    tokenizer = getattr(source, "backend_tokenizer", source)
    if getattr(tokenizer, "truncation", None) or getattr(tokenizer, "padding", None):
        tokenizer = deepcopy(tokenizer)
        tokenizer.no_truncation()
        tokenizer.no_padding()
    return tokenizer


def _sentencepiece_spans(model: Any, text: str) -> list[Span]:
    options = dict.fromkeys(("add_bos", "add_eos", "reverse", "enable_sampling"), False)
    found = model.encode(text, return_type="offset_mapping", **options)
    spans: list[Span] = list(found["offsets"])
    # Of several pieces in a character, only the last has a span; the others get it, too. A space
    # that is put before the text has none.
    first = found["pieces"][:1] in ([mark] for mark in _SPACES)
    for place in reversed(range(int(first), len(spans) - 1)):
        (low, high), following = spans[place], spans[place + 1]
        if low == high == following[0]:
            spans[place] = following
    return spans


def _encoding_spans(tokenizer: Any, text: str) -> list[Span]:
    # tokenizers and transformers add special tokens unless they are told not to.
    is_theirs = hasattr(tokenizer, "add_special_tokens")
    encoding = tokenizer.encode(text, **({"add_special_tokens": False} if is_theirs else {}))
    if not hasattr(encoding, "offsets"):
        return _spans_by_decoding(tokenizer, list(encoding), text)
    spans = [(low, high) for low, high in encoding.offsets]
    # tokenizers gives a space put before the text the span of the first character.
    if len(spans) > 1 and spans[1][0] == 0 and getattr(encoding, "tokens", ("",))[0] in _SPACES:
        spans[0] = (0, 0)
    return spans


def _spans_by_decoding(tokenizer: Any, ids: list[Any], text: str) -> list[Span]:
    parts = [tokenizer.decode([number]) for number in ids]
    if "".join(parts) == text:
        return list(pairwise(accumulate(map(len, parts), initial=0)))
    decoded = tokenizer.decode(ids)
    # A space that the tokenizer has put before the text.
    space = " " if decoded == " " + text else ""
    # Broken characters cannot be told from such characters of the text.
    agrees = decoded == space + text and _BROKEN not in text
    spans: list[Span] = []
    # Each token is decoded after the ones before it back to the last but one that ended with a
    # whole character, because decoders treat the first token otherwise.
    first = last = place = seen = 0
    for end in range(1, len(ids) + 1):
        context = tokenizer.decode(ids[first:last])
        new = tokenizer.decode(ids[first:end])[len(context) :]
        known = new.rstrip(_BROKEN)
        agrees = agrees and decoded.startswith(known, place)
        low, seen = place + seen, max(seen, len(known))
        # A token with a part of a character has the whole of it.
        spans.append((low, place + seen + (known != new)))
        if new and known == new:
            first, last, place, seen = last, end, place + seen, 0
    if not agrees:
        problem = f"{type(tokenizer).__name__} decodes its tokens of the text {text!r:.80}"
        remedy = "give a tokenizer with `spans`, or one whose decode gives the text back"
        raise SourceError(f"{problem} to {decoded!r:.80}", remedy=remedy)
    return [(max(0, low - len(space)), max(0, high - len(space))) for low, high in spans]


def separate_spans(tokenizer: Tokenizer, text: str) -> list[Span]:
    """Return the spans of those tokens that share no character with the tokens beside them.

    Raises:
        TokenbenchError: a span of the tokenizer's is not in the text.

    >>> as_bytes = as_tokenizer({bytes([byte]): byte for byte in range(256)})
    >>> separate_spans(as_bytes, "aé")
    [(0, 1)]
    """
    spans = span_list(tokenizer, text)
    ends = [0, *(high for _, high in spans)]
    starts = [*(low for low, _ in spans[1:]), len(text)]
    around = zip(ends, spans, starts, strict=False)
    return [span for before, span, after in around if before <= span[0] and span[1] <= after]


def span_list(tokenizer: Tokenizer, text: str) -> list[Span]:
    """Return the spans of a text's tokens as pairs of int.

    Raises:
        TokenbenchError: a span of the tokenizer's is not in the text.

    >>> span_list(as_tokenizer({bytes([byte]): byte for byte in range(256)}), "ab")
    [(0, 1), (1, 2)]
    """
    spans = [(int(low), int(high)) for low, high in tokenizer.spans(text)]
    for span in spans:
        if not 0 <= span[0] <= span[1] <= len(text):
            raise expected("spans", span, f"characters of a text of {len(text)}")
    return spans


def are_tokens(
    tokenizer: Tokenizer, texts: Sequence[str], starts: Sequence[int], ends: Sequence[int]
) -> list[bool]:
    """Return whether a part of each text comes out as exactly one token.

    Args:
        tokenizer: of `as_tokenizer`.
        texts: the texts.
        starts, ends: the part of each text, in characters.

    >>> as_bytes = as_tokenizer({bytes([byte]): byte for byte in range(256)})
    >>> are_tokens(as_bytes, ["ab", "ab"], [1, 0], [2, 2])
    [True, False]
    """
    if hasattr(tokenizer, "is_token"):
        return list(tokenizer.is_token(texts, starts, ends).tolist())
    places = zip(texts, starts, ends, strict=True)
    return [(low, high) in separate_spans(tokenizer, text) for text, low, high in places]
