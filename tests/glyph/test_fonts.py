"""Bitmaps from fonts that the user names: their formats, their order, and what goes wrong."""

from pathlib import Path

import fonts_by_hand as by_hand
import pytest
from fonts_by_hand import Picture, in_cell, picture

from tokenbench import glyph
from tokenbench.errors import GlyphError, SourceError
from tokenbench.glyph.fonts import open_font

FLAG = picture("#######. ##...##. #.#.#.#. #..#..#. #.#.#.#. ##...##. #######.")
STAIR = picture("#....... ##...... ###..... ####.... #####... ######.. #######.")
WIDE = picture("################ #..............# ################")
TALL_FLAG = in_cell(FLAG, 8, 0, 5)
TALL_STAIR = in_cell(STAIR, 8, 0, 9)
CELL = in_cell(WIDE, 16, 0, 2)


def picture_of(char: str, font: object, size: int = 16) -> Picture:
    """Return a bitmap as text."""
    cells = glyph.bitmap(char, font=font, size=size)  # type: ignore[arg-type]
    return tuple("".join(".#"[bit] for bit in row) for row in cells)


def centred(rows: Picture) -> Picture:
    """Return a picture 8 wide in the middle of 16."""
    return tuple(f"....{row}...." for row in rows)


@pytest.mark.parametrize("write", [by_hand.bdf, by_hand.pcf])
def test_bdf_and_pcf_are_drawn_by_freetype(write: object, tmp_path: Path) -> None:
    path = tmp_path / "font.bin"
    font = write(path, {"A": TALL_FLAG, "ο": TALL_FLAG, "가": TALL_STAIR}, 8, below=2)  # type: ignore[operator]
    assert picture_of("A", font) == picture_of("ο", font) == centred(TALL_FLAG)
    assert picture_of("가", font) == centred(TALL_STAIR)
    assert glyph.distinct("Aο가", font=font) == (("A", "ο"),)
    assert glyph.twins("A", "greek", font=font) == ("ο",)
    assert open_font(font).coverage() == ["A", "ο", "가"]
    with pytest.raises(GlyphError, match=r"font\.bin has no glyph"):
        picture_of("B", font)
    assert glyph.source(font).startswith("By Hand (font.bin, sha256:")
    with pytest.raises(SourceError, match="no size at which"):
        picture_of("A", font, size=15)


def test_a_strike_is_drawn_at_its_size_and_the_outline_at_others(tmp_path: Path) -> None:
    pictures = {"A": TALL_FLAG, "B": TALL_STAIR}
    font = by_hand.with_strike(tmp_path / "font.ttf", pictures, 8, below=2)
    assert picture_of("A", font) == centred(TALL_FLAG)
    assert picture_of("B", font) == centred(TALL_STAIR)
    assert glyph.source(font).startswith("By Hand 1.5 (font.ttf, sha256:")
    assert glyph.distinct("AB", font=font) == ()
    assert glyph.distinct("AB", font=font, size=17) == (("A", "B"),)


def test_a_strike_in_greys_gives_way_to_the_outline(tmp_path: Path) -> None:
    grey = by_hand.with_strike(tmp_path / "grey.ttf", {"A": TALL_FLAG}, 8, below=2, depth=8)
    assert [row for row in picture_of("A", grey) if "#" in row] == ["....########...."] * 11


def test_padding_in_the_rows_of_a_file_is_not_ink(tmp_path: Path) -> None:
    font = by_hand.bdf(tmp_path / "a.bdf", {"A": picture("#....# ##...#")}, 6, below=0)
    font.write_text(font.read_text().replace("\n84\n", "\n87\n"))
    assert [row for row in picture_of("A", font) if "#" in row] == [
        ".....#....#.....",
        ".....##...#.....",
    ]


def test_the_source_names_a_font_with_its_digest_and_size(tmp_path: Path) -> None:
    font = by_hand.bdf(tmp_path / "some.bdf", {"A": TALL_FLAG}, 8, below=2)
    said = glyph.source(font)
    assert said.startswith("By Hand (some.bdf, sha256:")
    assert " px in 16×16, FreeType " in said
    assert str(tmp_path) not in said


def test_a_file_that_changes_is_read_anew(tmp_path: Path) -> None:
    path = tmp_path / "some.bdf"
    by_hand.bdf(path, {"A": TALL_FLAG}, 8, below=2)
    before = picture_of("A", path), glyph.source(path)
    by_hand.bdf(path, {"A": TALL_STAIR, "B": TALL_FLAG}, 8, below=2)
    after = picture_of("A", path), glyph.source(path)
    assert after[0] == centred(TALL_STAIR) != before[0]
    assert after[1] != before[1]


# Collections.


def test_a_face_of_a_collection_is_named_by_its_number() -> None:
    from noto_cjk_sans_otc import FONT_PATH

    assert (glyph.bitmap("骨", font=f"{FONT_PATH}#2") == glyph.bitmap("骨")).all()
    assert not (glyph.bitmap("骨", font=f"{FONT_PATH}#3") == glyph.bitmap("骨")).all()
    assert glyph.source(f"{FONT_PATH}#4").startswith("Noto Sans CJK HK 2.004 (NotoSansCJK-Reg")
    with pytest.raises(SourceError, match="has no face 12"):
        glyph.bitmap("骨", font=f"{FONT_PATH}#12")


def test_the_faces_of_the_pinned_collection_differ_in_han_and_marks_only() -> None:
    """Why one face serves all categories, and why Hanzi are drawn from the Simplified one."""
    from noto_cjk_sans_otc import FONT_PATH

    chars = glyph.repertoire.characters()
    for face in range(5):
        differing = {
            category
            for category, members in chars.items()
            if (glyph.bitmaps(members) != glyph.bitmaps(members, font=f"{FONT_PATH}#{face}")).any()
        }
        assert differing == (set() if face == 2 else {"hanzi", "symbol"})


def test_the_pinned_font_is_free() -> None:
    from fontTools.ttLib import TTFont
    from noto_cjk_sans_otc import FONT_PATH

    with TTFont(FONT_PATH, fontNumber=2, lazy=True) as font:
        names = {number: font["name"].getDebugName(number) for number in (1, 13, 14)}
    assert names[1] == "Noto Sans CJK SC"
    assert "licensed under the SIL Open Font License, Version 1.1" in names[13]
    assert names[14] == "http://scripts.sil.org/OFL"


# Files that cannot serve.


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("x.ttf", b"", "has no face 0 that FreeType can read"),
        ("x.ttf", b"not a font" * 100, "has no face 0 that FreeType can read"),
    ],
)
def test_a_file_that_is_not_a_font_is_refused_with_a_reason(
    name: str, content: bytes, why: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(SourceError) as caught:
        glyph.bitmap("A", font=path)
    assert why in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("font", [5, (), [], "no/such.ttf", "no/such.ttc#1", ".", b"x", [5]])
def test_a_value_that_is_not_a_path_is_an_error(font: object) -> None:
    with pytest.raises(SourceError):
        glyph.bitmap("A", font=font)  # type: ignore[arg-type]
