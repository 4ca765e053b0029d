"""The size and the baseline of a font, on fonts of which every measure is known."""

import pytest

from tokenbench.glyph import placing
from tokenbench.glyph.font import Font, Ink


class Made:
    """A font of squares that are as high as their size and one pixel more, or as told."""

    name = "made"

    def __init__(self, inks: dict[str, tuple[int, int, int, int]]) -> None:
        self.given = inks  # left, top, width and rows, each less than the size, and the advance

    def about(self) -> str:
        """Return its name."""
        return self.name

    def sizes(self, most: int) -> range:
        """Return all sizes down to 4."""
        return range(most, 3, -1)

    def coverage(self) -> list[str]:
        """Return what was given."""
        return sorted(self.given)

    def inks(self, chars: object, ppem: int) -> list[Ink | None]:
        """Return full boxes."""
        return [self._ink(char, ppem) for char in chars]  # type: ignore[attr-defined]

    def _ink(self, char: str, ppem: int) -> Ink | None:
        if char not in self.given:
            return None
        left, top, wider, rows = self.given[char]
        width = ppem + wider
        pitch = -(-width // 8)
        return Ink(
            left, ppem + top, width, ppem + rows, ppem, pitch, b"\xff" * pitch * (ppem + rows)
        )


@pytest.mark.parametrize(
    ("inks", "expected"),
    [
        ({"A": (0, 0, 0, 0)}, (16, 16)),
        ({"A": (0, 0, 0, 1)}, (15, 15)),  # 16 rows, one below the baseline
        ({"A": (0, -2, 0, -4)}, (16, 16)),  # 12 rows in the middle of 16
        ({"A": (0, 0, 0, 0), "B": (0, 1, 0, 0)}, (15, 16)),  # not higher, but it stands higher
        ({"A": (0, 0, 2, 0)}, (13, 14)),  # wider than its advance on the right
        ({"A": (-1, 0, 0, 0)}, (14, 15)),  # and on the left
        ({"A": (0, 0, 0, 0), "\ue000": (0, 9, 9, 9)}, (16, 16)),  # not one of ours: not measured
        ({"\ue000": (0, 0, 0, 1)}, (15, 15)),  # none of ours
    ],
)
def test_the_size_is_the_largest_that_cuts_none_of_ours(
    inks: dict[str, tuple[int, int, int, int]], expected: tuple[int, int]
) -> None:
    font: Font = Made(inks)
    assert placing.fitted(font, 16) == expected
