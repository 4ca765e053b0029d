"""Characters that share a bitmap, or nearly."""

import pytest

from tokenbench import glyph
from tokenbench.errors import GlyphError, UnknownNameError
from tokenbench.glyph import similarity
from tokenbench.glyph.repertoire import characters

ALL = [char for chars in characters().values() for char in chars]


def test_groups_that_share_a_bitmap_keep_the_order_of_the_argument() -> None:
    assert glyph.distinct("曰⽇日⼝口日") == (("⽇", "日"), ("⼝", "口"))
    assert glyph.distinct("日日") == ()


def test_twins_are_all_of_the_category_with_the_same_bitmap() -> None:
    assert glyph.twins("口") == ("口", "⼝")
    assert glyph.twins("⼝") == ("⼝", "口")
    assert glyph.twins("力") == ("力", "\u2f12", "\uf98a")
    assert glyph.twins("-") == ("-", "\u00ad", "\u2011")
    assert glyph.twins("A") == ("A",)
    assert glyph.twins("Ａ") == ("Ａ",)
    assert glyph.twins("口", "kana") == ()
    with pytest.raises(UnknownNameError, match="unknown category 'han'"):
        glyph.twins("口", "han")
    with pytest.raises(GlyphError, match="U\\+0915"):
        glyph.twins("क")


def test_as_many_of_the_976_have_twins_as_was_measured() -> None:
    """Mostly Kangxi radicals; for another choice of characters 102 of 976 were found."""
    found = {char: glyph.twins(char) for char in ALL}
    assert all(twins[0] == char for char, twins in found.items())
    more = [char for char, twins in found.items() if len(twins) > 1]
    assert len(more) == 96
    assert sum(glyph.script(char) == "hanzi" for char in more) == 89
    for char in more:
        assert glyph.distinct(found[char]) == (found[char],)
    assert not [twin for twins in found.values() for twin in twins[1:] if twin in ALL]


def near_one_by_one(chars: list[str], within: int) -> tuple[str, ...]:
    drawn = glyph.bitmaps(chars)
    return tuple(
        char
        for i, char in enumerate(chars)
        if any((drawn[i] != drawn[j]).sum() <= within for j in range(len(chars)) if j != i)
    )


@pytest.mark.parametrize("within", [0, 1, 2, 5])
def test_near_characters_are_those_that_few_pixels_tell_apart(
    within: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    chars = [*ALL[::3], "⼝", "⽇"]
    expected = near_one_by_one(chars, within)
    assert glyph.near(chars, within=within) == expected
    monkeypatch.setattr(similarity, "_BLOCK_SIZE", 10)
    assert glyph.near(chars, within=within) == expected


def test_as_many_of_the_976_are_near_another_as_was_measured() -> None:
    assert [len(glyph.near(ALL, within=within)) for within in (0, 1, 2)] == [0, 6, 17]
    assert glyph.near("日日") == ()
    assert glyph.near("") == ()
