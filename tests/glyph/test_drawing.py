"""Bitmaps: the pinned font, the repertoire and the categories."""

import hashlib
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import fresh_python
import numpy as np
import pytest

from tokenbench import glyph
from tokenbench.errors import GlyphError, TokenbenchError, UnknownNameError
from tokenbench.glyph import drawing
from tokenbench.glyph.fonts import Ink, open_font
from tokenbench.glyph.repertoire import CATEGORIES, characters
from tokenbench.text.units import han, hangul

ALL = [char for chars in characters().values() for char in chars]
SIZES = {
    "digit": 10,
    "latin": 52,
    "greek": 24,
    "kana": 142,
    "symbol": 48,
    "hanzi": 350,
    "hangul": 350,
}


def rows(char: str, **options: object) -> list[str]:
    """Return a bitmap as text."""
    return ["".join(".#"[bit] for bit in row) for row in glyph.bitmap(char, **options)]  # type: ignore[arg-type]


# The repertoire.


def test_the_repertoire_has_976_different_characters_of_the_promised_kinds() -> None:
    assert {category: len(chars) for category, chars in characters().items()} == SIZES
    assert len(set(ALL)) == 976
    assert set(characters()["hanzi"]) <= set(han())
    assert set(characters()["hangul"]) <= set(hangul())
    assert set("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~") < set(characters()["symbol"])
    assert "ς" not in characters()["greek"]


@pytest.mark.parametrize("name", ["core", "wide"])
def test_each_character_is_under_its_category(name: str) -> None:
    for category, chars in characters(name).items():
        assert {glyph.script(char) for char in chars} == {category}


def test_the_wide_repertoire_contains_the_whole_standards() -> None:
    wide = characters("wide")
    assert (wide["hanzi"], wide["hangul"]) == (han(), hangul())
    with pytest.raises(UnknownNameError, match="'wid': allowed are core, wide; did you mean"):
        characters("wid")


@pytest.mark.parametrize(
    ("chars", "category"),
    [
        ("09", "digit"),
        ("azAZßéĀⅠªＡ", "latin"),
        ("αςΩϐ", "greek"),
        ("ぁんァヶヽｱ", "kana"),
        ("力々〇⼒㐀𠀀", "hanzi"),
        ("가힣ㄱᄀﾡ", "hangul"),
        ("٣०０²①ーЖ、\u00ad\u0301\ud800\U0010ffff", "symbol"),
    ],
)
def test_categories(chars: str, category: str) -> None:
    assert category in CATEGORIES
    assert {char: glyph.script(char) for char in chars} == dict.fromkeys(chars, category)


@pytest.mark.parametrize("given", ["", "ab", "e\u0301", 7, None])
def test_only_single_characters_have_a_category_or_a_bitmap(given: str) -> None:
    with pytest.raises(TokenbenchError, match=r"^char=.*: expected one character"):
        glyph.script(given)
    with pytest.raises(GlyphError, match=r"^char=.*: expected one character"):
        glyph.bitmaps([given])


# Drawing.


def test_a_bitmap_is_zeros_and_ones_that_the_caller_may_change() -> None:
    first = glyph.bitmap("力")
    assert first.shape == (16, 16)
    assert first.dtype == np.uint8
    assert set(first.ravel().tolist()) == {0, 1}
    first[:] = 7
    assert set(glyph.bitmap("力").ravel().tolist()) == {0, 1}


def test_all_976_are_whole_and_differ() -> None:
    drawn = glyph.bitmaps(ALL)
    assert drawn.shape == (976, 16, 16)
    assert drawn.any(axis=(1, 2)).all()
    assert glyph.distinct(ALL) == ()


def test_the_pinned_font_is_drawn_at_14_pixels_because_15_would_not_fit() -> None:
    font = open_font(None)
    assert drawing.best_fit(font, 16) == drawing.Fit(14, 12)
    for ppem, height in ((14, 16), (15, 17)):
        inks = [ink for ink in font.inks(ALL, ppem) if ink]
        assert max(ink.top for ink in inks) - min(ink.top - ink.rows for ink in inks) == height


def test_characters_stand_on_one_baseline_with_their_advance_in_the_middle() -> None:
    blots = {char: [i for i, row in enumerate(rows(char)) if "#" in row] for char in ".·"}
    assert blots == {".": [10, 11], "·": [6, 7, 8]}
    assert {row for row in rows(".") if "#" in row} == {".......##......."}
    bottoms = [max(i for i, row in enumerate(rows(char)) if "#" in row) for char in "Hhxz1"]
    assert bottoms == [11] * 5
    assert "#" in rows("g")[12]


def draw_pixel_by_pixel(char: str, size: int) -> np.ndarray:
    """A plain twin of the placing: pixel by pixel."""
    font = open_font(None)
    fit = drawing.best_fit(font, size)
    (ink,) = font.inks([char], fit.ppem)
    assert ink
    cells = np.zeros((size, size), np.uint8)
    for y in range(ink.rows):
        for x in range(ink.width):
            bit = ink.data[y * ink.pitch + x // 8] >> (7 - x % 8) & 1
            row, column = fit.baseline - ink.top + y, (size - ink.advance) // 2 + ink.left + x
            assert min(row, column) >= 0
            cells[row, column] = bit
    return cells


@pytest.mark.parametrize("size", [8, 11, 16, 24, 33, 64])
def test_many_at_once_are_drawn_like_one_pixel_by_pixel(size: int) -> None:
    chars = ALL[:: 7 if size == 16 else 31]
    together = glyph.bitmaps(chars, size=size)
    for char, cells in zip(chars, together, strict=True):
        assert (cells == draw_pixel_by_pixel(char, size)).all(), char


def test_the_order_and_the_repeats_of_the_argument_are_kept() -> None:
    once = glyph.bitmaps("나가다")
    assert (glyph.bitmaps(iter("가나가다")) == once[[1, 0, 1, 2]]).all()
    assert glyph.bitmaps("").shape == (0, 16, 16)


@pytest.mark.parametrize(
    ("char", "why"),
    [
        (" ", "leaves it blank"),
        ("\u3000", "leaves it blank"),
        ("क", "has no glyph for it"),
        ("\ud800", "has no glyph for it"),
        ("\0", "has no glyph for it"),
        ("⸻", "at its 14 px would cut it"),
    ],
)
def test_a_character_is_never_blank_cut_or_a_box(char: str, why: str) -> None:
    with pytest.raises(GlyphError) as caught:
        glyph.bitmaps(["力", char])
    message = str(caught.value)
    assert f"U+{ord(char):04X}" in message
    assert f"NotoSansCJK-Regular.ttc#2 {why}" in message
    assert "font=" in message
    assert "\n" not in message


@pytest.mark.parametrize("size", [0, 7, 65, -16, 16.0, "16", None])
def test_a_size_outside_8_to_64_is_an_error(size: int) -> None:
    for call in (glyph.bitmap, glyph.distinct, glyph.twins, glyph.near):
        with pytest.raises(TokenbenchError, match="a whole number from 8 to 64"):
            call("力", size=size)


def test_a_drawing_does_not_depend_on_earlier_ones() -> None:
    before = glyph.bitmaps(ALL[::-1])
    glyph.bitmaps(ALL, size=20)
    assert (glyph.bitmaps(ALL) == before[::-1]).all()


def test_threads_may_draw_at_once() -> None:
    expected = glyph.bitmaps(ALL)

    def draw(turn: int) -> bool:
        every = slice(turn % 8, None, 8)
        return bool((glyph.bitmaps(ALL[every]) == expected[every]).all())

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(draw, range(64)))


def test_the_bitmaps_are_pinned() -> None:
    """Items hold them: another font, FreeType or placing would be other items under one key."""
    digest = hashlib.sha256(np.packbits(glyph.bitmaps(ALL), axis=2).tobytes()).hexdigest()
    assert digest[:16] == "74fe1c16bfd17b8f"


def test_the_environment_does_not_change_a_drawing() -> None:
    """FreeType takes its defaults from there: darkened stems are other bitmaps."""
    code = "from tokenbench import glyph; print(glyph.bitmaps('力가Ω').sum(axis=(1, 2)).tolist())"
    environment = os.environ | {"FREETYPE_PROPERTIES": "cff:no-stem-darkening=0"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == str(glyph.bitmaps("力가Ω").sum(axis=(1, 2)).tolist())


# The size and the baseline of a font.


class BoxFont:
    """A font of full boxes with known measures."""

    name = "boxes"

    def __init__(self, inks: dict[str, tuple[int, int, int, int]]) -> None:
        self.given = inks  # left, top, width and rows, each less than the size, and the advance

    def about(self) -> str:
        """Return its name."""
        return self.name

    def sizes(self, most: int) -> range:
        """Return all sizes down to 4."""
        return range(most, 3, -1)

    def coverage(self) -> list[str]:
        """Return the argument."""
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
    font: Any = BoxFont(inks)
    assert drawing.best_fit(font, 16) == expected


# The record of the drawing tools.


def test_the_source_names_font_versions_and_size() -> None:
    assert glyph.source() == (
        "Noto Sans CJK SC 2.004 (NotoSansCJK-Regular.ttc#2, noto-cjk-sans-otc 0.0.1, "
        "44810 characters) at 14 px in 16×16, FreeType 2.13.2"
    )
    assert "at 21 px in 24×24" in glyph.source(size=24)


def test_fonttools_finds_the_same_characters_in_the_font() -> None:
    from fontTools.ttLib import TTFont
    from noto_cjk_sans_otc import FONT_PATH

    font = open_font(None)
    with TTFont(FONT_PATH, fontNumber=2, lazy=True) as other:
        assert font.coverage() == sorted(map(chr, other.getBestCmap()))


# Importing.


def test_the_package_is_light_and_its_names_are_lazy() -> None:
    code = "import sys, tokenbench.glyph as glyph\n"
    code += "assert not {'numpy', 'freetype', 'fontTools'} & set(sys.modules)\n"
    code += "glyph.repertoire.characters()\n"
    code += "assert not {'numpy', 'freetype', 'fontTools'} & set(sys.modules)\n"
    code += "for name in glyph.__all__: assert getattr(glyph, name) is getattr(glyph, name), name\n"
    code += "assert set(glyph.__all__) <= set(dir(glyph))\n"
    fresh_python.output(code, options=["-W", "error"])
    with pytest.raises(AttributeError, match=r"'tokenbench\.glyph' has no attribute 'bitmpa'"):
        _ = glyph.bitmpa


@pytest.mark.parametrize(
    ("package", "call"),
    [
        ("freetype", "bitmap('力')"),
        ("noto_cjk_sans_otc", "bitmap('力')"),
        ("fontTools", "script('力')"),
    ],
)
def test_the_missing_extra_is_named(package: str, call: str) -> None:
    code = f"import sys; sys.modules[{package!r}] = None\n"
    code += "from tokenbench import glyph, errors\n"
    code += f"try: glyph.{call}\n"
    code += "except errors.MissingExtraError as error: print(error)\n"
    assert (
        fresh_python.output(code)
        .strip()
        .endswith("needs an extra: pip install 'tokenbench[glyph]'")
    )
