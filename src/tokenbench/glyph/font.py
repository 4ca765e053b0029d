"""What a font is to us: something that gives the ink of its characters at some sizes."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol


class Ink(NamedTuple):
    """A glyph's pixels, and where they stand."""

    left: int  # pixels from the pen to the first column
    top: int  # pixels from the baseline up to the upper edge of the first row
    width: int  # pixels
    rows: int
    advance: int  # pixels from this pen to the next
    pitch: int  # bytes in a row
    data: bytes  # one bit a pixel, row after row from the top


class Font(Protocol):
    """A font that is open."""

    def __hash__(self) -> int:
        """Each open font is itself."""

    @property
    def name(self) -> str:
        """What messages call it."""

    def sizes(self, most: int) -> Sequence[int]:
        """Return the sizes to try for so many rows, in pixels per em, the largest first."""

    def inks(self, chars: Iterable[str], ppem: int) -> list[Ink | None]:
        """Return the glyphs of some characters at a size, None for those that it lacks."""

    def coverage(self) -> list[str]:
        """Return the characters that it has, in the order of their code points."""

    def about(self) -> str:
        """Return what it is, its version and its file, for an item's meta."""
