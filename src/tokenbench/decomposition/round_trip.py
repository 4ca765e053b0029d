"""Whether what was taken apart can be put together again."""

from collections.abc import Callable
from typing import Final

from tokenbench.decomposition import hangul, hanzi, pieces
from tokenbench.errors import TokenbenchError, unknown
from tokenbench.text.normalize import nfc

_CUTS: Final = (2, 3)  # pieces into which a word is cut


def round_trips(kind: str, text: str) -> bool:
    """Return whether taking a text apart and composing the parts gives the text back.

    Args:
        kind: `hangul`: a text of syllables, each of which comes back from its jamo; `hanzi`: a
            text of Han characters, each of which is among the characters of each of its
            decompositions, and has one; `pieces`: a word, which comes back from every cut into
            two or three pieces in another order.
        text: what to take apart. It is its NFC form that comes back.

    Raises:
        UnknownNameError: no such kind.
        TokenbenchError: a text that holds nothing, or that is none of the kind.

    >>> round_trips("hangul", "값"), round_trips("hanzi", "把"), round_trips("pieces", "agnostic")
    (True, True, True)
    """
    if kind not in _KINDS:
        raise unknown("kind", kind, _KINDS)
    if not isinstance(text, str) or not text:
        raise TokenbenchError(f"text is a str that holds something: got {text!r:.80}")
    return _KINDS[kind](nfc(text))


def _hangul(text: str) -> bool:
    return all(hangul.compose(hangul.decompose(syllable)) == syllable for syllable in text)


def _hanzi(text: str) -> bool:
    return all(map(_has_parts_that_make_it, text))


def _has_parts_that_make_it(char: str) -> bool:
    found = hanzi.accepted(char)
    return bool(found) and all(char in hanzi.compose(parts) for parts in found)


def _word(text: str) -> bool:
    cuts = (cut for n in _CUTS for cut in pieces.splits(text, n))
    return all(pieces.joins(cut[::-1], [text]) == (text,) for cut in cuts)


_KINDS: Final[dict[str, Callable[[str], bool]]] = {
    "hangul": _hangul,
    "hanzi": _hanzi,
    "pieces": _word,
}
