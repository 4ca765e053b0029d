"""Whether what was taken apart can be put together again."""

from collections.abc import Callable
from typing import Final

from tokenbench.errors import TokenbenchError, unknown
from tokenbench.parts import hangul
from tokenbench.text.fold import nfc


def round_trips(kind: str, text: str) -> bool:
    """Return whether taking a text apart and composing the parts gives the text back.

    Args:
        kind: `hangul`: a text of syllables.
        text: what to take apart; of another Unicode form than NFC, its NFC form comes back.

    Raises:
        UnknownNameError: no such kind.
        TokenbenchError: a text that holds nothing of its kind, or something else.

    >>> round_trips("hangul", "값")
    True
    """
    if kind not in _KINDS:
        raise unknown("kind", kind, _KINDS)
    if not isinstance(text, str) or not text:
        raise TokenbenchError(f"text is a str that holds something: got {text!r:.80}")
    return _KINDS[kind](nfc(text))


def _hangul(text: str) -> bool:
    return all(hangul.compose(hangul.decompose(syllable)) == syllable for syllable in text)


_KINDS: Final[dict[str, Callable[[str], bool]]] = {"hangul": _hangul}
