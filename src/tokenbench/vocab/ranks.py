"""What byte-pair encoding needs of a tokenizer: tokens, what merges, and how text is cut first."""

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

from tokenbench.errors import SourceError

Merges: TypeAlias = Sequence[tuple[int, int, int]]  # left, right, merged: places among the tokens

_Token = TypeVar("_Token", bytes, str)

_OPAQUE: Final = r"(\\.|\[(?:\\.|[^]\\])*\])"  # escapes and sets: an anchor is none in them


class Ranks(NamedTuple):
    """A byte-level BPE tokenizer, whatever library it comes from."""

    ids: Sequence[int]  # rising
    tokens: Sequence[bytes]  # beside their ids
    merges: Merges | None  # the first is merged first; None: whatever makes a token, by rising id
    whole: bool  # a pre-token that is a token is taken as it is
    patterns: tuple[str, ...] | None  # as the `regex` package writes them, one after the other
    nfc: bool = False  # text is normalised first


def by_rank(tokens: Iterable[tuple[int, bytes]], pattern: str | None = None) -> Ranks:
    """Return a tokenizer by tiktoken's rule: what makes a token merges, the lowest rank first.

    Raises:
        SourceError: it is no byte-level BPE.

    >>> by_rank([(256, b"ab")] + [(byte, bytes([byte])) for byte in range(256)]).tokens[-1]
    b'ab'
    """
    ordered = sorted(numbered(tokens))
    found = Ranks(
        ids=[rank for rank, _ in ordered],
        tokens=[token for _, token in ordered],
        merges=None,
        whole=True,
        patterns=None if pattern is None else (rust(pattern),),
    )
    return checked(found)


def numbered(tokens: Iterable[tuple[int, _Token]]) -> list[tuple[int, _Token]]:
    """Return tokens with their ids.

    Raises:
        SourceError: an id is no whole number of 32 bits, as tokenizers have them.

    >>> numbered([(5, b"ab")])
    [(5, b'ab')]
    """
    pairs = list(tokens)
    for number, token in pairs:
        if not (isinstance(number, int) and 0 <= number < 1 << 32):
            raise SourceError(
                f"the id of {token!r:.60} is {number!r:.40}: ids are whole numbers, below 2**32"
            )
    return pairs


def rust(pattern: str) -> str:
    r"""Return a pattern of tiktoken's dialect, where $ is the end of the text and nothing else.

    >>> rust(r"\s++$|[$]")
    '\\s++\\Z|[$]'
    """
    from regex import sub

    return str(sub(f"{_OPAQUE}|\\$", lambda found: found[1] or r"\Z", pattern))


def ruby(pattern: str) -> str:
    r"""Return a pattern of tokenizers' dialect (Oniguruma), where ^ and $ are those of a line.

    >>> ruby(r"\s+$"), ruby(r"[^$]\$")
    ('(?m:\\s+$)', '[^$]\\$')
    """
    from regex import search, sub

    return f"(?m:{pattern})" if search(r"[\^$]", sub(_OPAQUE, "", pattern)) else pattern


def checked(found: Ranks) -> Ranks:
    """Return a tokenizer that can encode every text.

    Raises:
        SourceError: it cannot.
    """
    if len(set(found.ids)) < len(found.ids):
        raise no_bpe("a tokenizer that gives the same id to two tokens")
    known = set(found.tokens)
    if len(known) < len(found.tokens) or b"" in known:
        raise no_bpe("a tokenizer that has the same bytes twice, or a token of none")
    if lacking := _USED - known:
        raise no_bpe(f"a tokenizer that lacks tokens for {len(lacking)} single bytes")
    return found


def no_bpe(what: str) -> SourceError:
    """Return the error for a source that is something else."""
    return SourceError(
        f"{what} is no byte-level BPE: give tiktoken's rank file or Encoding, tekken.json, or "
        "a tokenizer.json, Tokenizer or GGUF file with byte-level BPE"
    )


def settled(found: Ranks, pattern: Any) -> Ranks:
    """Return a tokenizer with a user's pattern, or several, in the place of its own.

    Raises:
        SourceError: the pattern is no str, nor a sequence of str.
    """
    if pattern is None:
        return found
    chosen = (pattern,) if isinstance(pattern, str) else pattern
    if not isinstance(chosen, Sequence) or not all(isinstance(part, str) for part in chosen):
        raise SourceError(f"pattern is a str, or a sequence of str: got {pattern!r:.80}")
    return found._replace(patterns=tuple(map(rust, chosen)))


_USED: Final = {bytes([byte]) for byte in range(0xF5) if byte not in (0xC0, 0xC1)}  # by UTF-8
