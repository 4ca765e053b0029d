"""Sheets of bitmaps show the drawings."""

import runpy
from pathlib import Path
from typing import TypeAlias

import fresh_python
import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from tokenbench import glyph
from tokenbench.errors import GlyphError, TokenbenchError

Pixels: TypeAlias = NDArray[np.uint8]
DOCS = Path(__file__).resolve().parents[2] / "docs"


def pixels(path: Path) -> Pixels:
    """Return a PNG file's colours: (rows, columns, 3)."""
    with Image.open(path) as image:
        assert image.format == "PNG"
        return np.asarray(image.convert("RGB"))


def ink(shown: Pixels, y: int, x: int) -> Pixels:
    """Return where the tile at a place is dark."""
    tile = shown[y : y + 16, x : x + 16]
    assert len({tuple(colour) for colour in tile.reshape(-1, 3).tolist()}) == 2
    dark: Pixels = (tile.sum(axis=2) < 3 * 128).astype(np.uint8)
    return dark


def test_a_terminal_shows_every_pixel() -> None:
    lines = glyph.show("力g", columns=2).split("\n")
    assert lines[0].split() == ["力", "U+529B", "g", "U+0067"]
    assert len(lines) == 1 + 8
    for at, char in ((0, "力"), (18, "g")):
        halves = [line.ljust(40)[at : at + 16] for line in lines[1:]]
        upper = [[cell in "▀█" for cell in line] for line in halves]
        lower = [[cell in "▄█" for cell in line] for line in halves]
        rows = [row for pair in zip(upper, lower, strict=True) for row in pair]
        assert (np.array(rows, np.uint8) == glyph.bitmap(char)).all()


def test_a_terminal_shows_as_many_side_by_side_as_asked() -> None:
    assert len(glyph.show("가나다라마").split("\n")) == 2 * 9
    assert len(glyph.show("가나다라마", columns=1).split("\n")) == 5 * 9
    assert len(glyph.show("가", size=9).split("\n")) == 1 + 5
    assert glyph.show("") == ""


@pytest.mark.parametrize("scale", [1, 3])
def test_a_png_shows_every_pixel(scale: int, tmp_path: Path) -> None:
    path = tmp_path / "sheet.png"
    glyph.to_png("力gあ", path, columns=2, scale=scale)
    shown = pixels(path)
    assert shown.shape == (scale * (8 + 34 + 8), scale * (8 + 34 + 8), 3)
    assert (shown[::scale, ::scale].repeat(scale, axis=0).repeat(scale, axis=1) == shown).all()
    small = shown[::scale, ::scale]
    for char, (y, x) in {"力": (8, 8), "g": (8, 26), "あ": (26, 8)}.items():
        assert (ink(small, y, x) == glyph.bitmap(char)).all()
    assert (small[26:42, 26:42] == 255).all()


@pytest.mark.parametrize("options", [{"columns": 0}, {"scale": 0}, {"size": 7}])
def test_a_sheet_of_nothing_is_an_error(options: dict[str, int], tmp_path: Path) -> None:
    with pytest.raises(TokenbenchError):
        glyph.to_png("力", tmp_path / "sheet.png", **options)  # type: ignore[arg-type]
    assert not list(tmp_path.iterdir())


def test_a_character_without_a_bitmap_is_an_error_in_a_sheet(tmp_path: Path) -> None:
    for call in (glyph.show, lambda chars: glyph.to_png(chars, tmp_path / "sheet.png")):
        with pytest.raises(GlyphError, match="U\\+0915"):
            call("力क")


def test_without_pillow_only_the_png_is_missing() -> None:
    code = "import sys; sys.modules['PIL'] = None\n"
    code += "from tokenbench import errors, glyph\nassert glyph.show('力')\n"
    code += "try: glyph.to_png('力', 'x.png')\n"
    code += "except errors.MissingExtraError as error: print(error)\n"
    assert (
        fresh_python.output(code).strip()
        == "to_png() needs an extra: pip install 'tokenbench[glyph]'"
    )


def test_the_contact_sheet_is_as_its_command_writes_it(tmp_path: Path) -> None:
    command = runpy.run_path(str(DOCS / "contact_sheet.py"))
    command["sheet"]().save(tmp_path / "sheet.png")
    assert (pixels(command["WRITTEN"]) == pixels(tmp_path / "sheet.png")).all()
