"""Take characters and words apart: Hangul syllables, Han characters, pieces of words."""

from typing import TYPE_CHECKING, Final

from tokenbench.builtin import lazy_exports
from tokenbench.checks import one_of
from tokenbench.errors import TokenbenchError

_MODULES: Final = ("hangul", "hanzi", "pieces")

__all__ = ["hangul", "hanzi", "pieces", "round_trips"]

if TYPE_CHECKING:
    from tokenbench.decomposition import hangul, hanzi, pieces


def round_trips(kind: str, text: str) -> bool:
    """Return whether taking a text apart and composing the parts gives the text back.

    Args:
        kind: `hangul`: a text of syllables, each of which comes back from its jamo; `hanzi`: a
            text of Han characters, each of which is among the characters of each of its
            decompositions, and has one; `pieces`: a word, which comes back from every cut into
            two or three pieces in another order.
        text: the text to take apart. Its NFC form comes back.

    Raises:
        UnknownNameError: no such kind.
        TokenbenchError: a text that is empty or not of the kind.

    >>> round_trips("hangul", "값"), round_trips("hanzi", "把"), round_trips("pieces", "agnostic")
    (True, True, True)
    """
    one_of("kind", kind, _MODULES)
    if not isinstance(text, str) or not text:
        raise TokenbenchError(f"text is a str that holds something: got {text!r:.80}")
    from tokenbench.decomposition import hangul, hanzi, pieces
    from tokenbench.text.normalize import nfc

    text = nfc(text)
    if kind == "hangul":
        return all(hangul.compose(hangul.decompose(syllable)) == syllable for syllable in text)
    if kind == "hanzi":
        return all(
            bool(options := hanzi.right_decompositions(char))
            and all(char in hanzi.compose(parts) for parts in options)
            for char in text
        )
    cuts = (cut for n in (2, 3) for cut in pieces.splits(text, n))
    return all(pieces.joins(cut[::-1], [text]) == (text,) for cut in cuts)


__getattr__, __dir__ = lazy_exports(__name__, {name: name for name in _MODULES})
