"""Decomposing and composing again: everything that `tokenbench.decomposition` claims to cover."""

from importlib.util import find_spec

import pytest
from unicodedata2 import normalize

from tokenbench import decomposition
from tokenbench.decomposition import hanzi, round_trips
from tokenbench.errors import TokenbenchError, UnknownNameError
from tokenbench.text.lexicon import words
from tokenbench.text.units import han


def test_every_hangul_syllable_comes_back() -> None:
    assert all(round_trips("hangul", chr(code)) for code in range(0xAC00, 0xD7A4))
    assert round_trips("hangul", normalize("NFD", "떡볶이"))


def test_every_han_character_with_a_decomposition_comes_back() -> None:
    known = set(hanzi.characters())
    assert all(round_trips("hanzi", char) for char in known)
    without = [char for char in han() if char not in known]
    assert without
    assert not any(round_trips("hanzi", char) for char in without)
    assert round_trips("hanzi", "把森")
    assert not round_trips("hanzi", "把" + without[0])


def test_every_word_of_the_lexicon_comes_back() -> None:
    assert all(round_trips("pieces", word) for word in words("en").words)
    assert round_trips("pieces", "in-place")
    assert round_trips("pieces", "a")


def test_characters_with_other_parts_do_not_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Round trips ask the modules themselves."""
    for kind, module, text in (("hangul", "hangul", "가"), ("hanzi", "hanzi", "把")):
        with monkeypatch.context() as patched:
            patched.setattr(f"tokenbench.decomposition.{module}.compose", lambda _: "")
            assert not round_trips(kind, text)
    monkeypatch.setattr("tokenbench.decomposition.pieces.joins", lambda *_: ())
    assert not round_trips("pieces", "word")


@pytest.mark.parametrize(("kind", "text"), [("hangul", "가a"), ("hangul", "ㄱ"), ("hangul", "")])
def test_characters_of_another_kind_are_refused(kind: str, text: str) -> None:
    with pytest.raises(TokenbenchError):
        round_trips(kind, text)


def test_an_unknown_kind_is_named() -> None:
    with pytest.raises(UnknownNameError, match=r"'hangeul'.*did you mean 'hangul'"):
        round_trips("hangeul", "가")


def test_the_public_name_is_not_a_submodule() -> None:
    """A submodule of the same name would take its place when imported."""
    assert find_spec("tokenbench.decomposition.round_trips") is None
    assert "round_trips" in dir(decomposition)
    with pytest.raises(AttributeError, match="no attribute 'nosuch'"):
        decomposition.nosuch  # noqa: B018
