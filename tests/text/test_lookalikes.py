"""Look-alikes: each can be undone, because it stands for one letter or digit only."""

from collections import Counter

import pytest
from confusable_homoglyphs import confusables
from unicodedata2 import bidirectional, category, digit, normalize

from tokenbench.decomposition.disguises import DIGITS, LETTERS, identity, lasting, look_alikes

ALPHABETS = [LETTERS, DIGITS]
TABLE = confusables.confusables_data
PROTOTYPES = {"0": "O", "1": "l", "m": "rn"}  # where the table files them


@pytest.mark.parametrize("alphabet", ALPHABETS)
def test_every_letter_and_digit_has_some_and_none_stands_for_two(alphabet: str) -> None:
    found = look_alikes(alphabet)
    assert "".join(found) == alphabet
    serving = Counter(other for others in found.values() for other in others)
    assert set(serving.values()) == {1}


@pytest.mark.parametrize("alphabet", ALPHABETS)
def test_each_is_one_character_of_no_other_identity(alphabet: str) -> None:
    for char, others in look_alikes(alphabet).items():
        assert len(others) >= 8
        for other in others:
            assert len(other) == 1
            assert not other.isascii()
            compatible = normalize("NFKC", other)
            if len(compatible) == 1 and compatible.isascii():
                assert compatible == char
            elif digit(other, None) is not None:
                assert str(digit(other)) == char


@pytest.mark.parametrize("alphabet", ALPHABETS)
def test_each_is_found_at_its_place_and_as_it_was_written(alphabet: str) -> None:
    """No mark that joins its neighbour, nothing from right to left, nothing that NFC undoes."""
    for others in look_alikes(alphabet).values():
        for other in others:
            assert category(other)[0] in "LNS"
            assert category(other) not in ("Lm", "Sk")
            assert bidirectional(other) not in ("R", "AL", "AN")
            assert normalize("NFC", other) == other


@pytest.mark.parametrize("alphabet", ALPHABETS)
def test_the_table_calls_both_confusable_with_the_same(alphabet: str) -> None:
    """The package also lists, for each look-alike, the characters that it resembles."""
    for char, others in look_alikes(alphabet).items():
        prototype = PROTOTYPES.get(char, char)
        for other in others:
            assert prototype in [entry["c"] for entry in TABLE[other]]


def test_there_are_as_many_as_were_counted() -> None:
    counts = [
        {char: len(others) for char, others in look_alikes(alphabet).items()}
        for alphabet in ALPHABETS
    ]
    assert [sum(found.values()) for found in counts] == [547, 140]
    assert counts[1] == dict(zip(DIGITS, (30, 28, 11, 16, 8, 8, 10, 9, 9, 11), strict=True))
    assert [counts[0][char] for char in "mkt"] == [14, 13, 13]


def test_all_but_three_letters_have_some_that_last() -> None:
    def without(alphabet: str) -> str:
        found = look_alikes(alphabet).items()
        return "".join(char for char, others in found if not any(lasting(char, o) for o in others))

    assert without(LETTERS) == "kmt"
    assert without(DIGITS) == ""
    assert not lasting("m", "ⅿ")
    assert lasting("0", "০")  # as a digit it is not a compatibility form


@pytest.mark.parametrize(
    ("alphabet", "char", "other"),
    [
        (DIGITS, "8", "৪"),  # a Bengali 4
        (DIGITS, "9", "୨"),  # an Oriya 2
        (DIGITS, "9", "൭"),  # a Malayalam 7
        (DIGITS, "0", "Ｏ"),  # NFKC makes it an O
        (DIGITS, "1", "ℓ"),  # and this an l
        (LETTERS, "o", "०"),  # a Devanagari 0
        (LETTERS, "l", "۱"),  # an extended Arabic 1
        (LETTERS, "l", "Ⅰ"),  # a Roman I
        (LETTERS, "l", "І"),  # a Cyrillic I, which could be an i
        (LETTERS, "l", "𝚰"),  # a bold Greek one
        (LETTERS, "f", "ſ"),  # a long s
        (LETTERS, "i", "ӏ"),  # drawn as an l
        (LETTERS, "f", "ք"),  # drawn as a p
        (LETTERS, "o", "ం"),  # a mark
        (LETTERS, "i", "\u1fbe"),  # NFC makes it another character
        (LETTERS, "m", "𑜀"),  # looks like rn
        (LETTERS, "x", "᙮"),  # a Canadian full stop
    ],
)
def test_a_character_of_its_own_stands_for_no_other(alphabet: str, char: str, other: str) -> None:
    listed = [entry["c"] for entry in TABLE[PROTOTYPES.get(char, char)]]
    assert other in listed
    assert other not in look_alikes(alphabet)[char]


def test_zero_and_one_draw_on_the_letters_that_they_look_like() -> None:
    assert {"〇", "О", "Ο"} <= set(look_alikes(DIGITS)["0"])
    assert {"І", "ǀ", "𐌠"} <= set(look_alikes(DIGITS)["1"])


@pytest.mark.parametrize(
    ("char", "own"),
    [("𝟗", "9"), ("Ａ", "A"), ("〇", "0"), ("𐌠", "1"), ("б", None), ("Ⅻ", None), ("½", None)],
)
def test_a_character_s_own_identity(char: str, own: str | None) -> None:
    assert identity(char) == own


def test_an_environment_variable_does_not_change_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONFUSABLE_DATA", "/no/such/folder")
    look_alikes.cache_clear()
    assert len(look_alikes("a")["a"]) == 23
