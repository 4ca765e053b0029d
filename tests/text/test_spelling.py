"""Corners of judging how words are spelled: words with marks, and words of any length."""

import pytest

from tokenbench import score
from tokenbench.item import Item


def spelling(units: str) -> Item:
    return Item("spell", 2, "en", "char", "?", {"units": [*units], "also": None}, " ".join(units))


def word(text: str) -> Item:
    return Item("spell_inverse", 2, "en", "char", "?", {"word": text}, text)


def is_paid(answer: str, item: Item) -> bool:
    return score(f"<answer>{answer}</answer>", item) == 1.0


@pytest.mark.parametrize("units", ["x-y", "(a)", "3D", "it's"])
def test_a_word_keeps_the_marks_and_digits_that_it_has(units: str) -> None:
    assert is_paid(" ".join(units), spelling(units))
    bare = "".join(filter(str.isalpha, units))
    assert not is_paid(" ".join(bare), spelling(units))


@pytest.mark.parametrize("text", ["(a)", "[a]", "f(x)"])
def test_a_word_keeps_the_brackets_that_it_has(text: str) -> None:
    assert is_paid(text, word(text))
    assert not is_paid(text.strip("()[]"), word(text))


def test_brackets_around_a_word_that_has_none_are_free() -> None:
    for answer in ("(cat)", "[cat]", "（cat）"):
        assert is_paid(answer, word("cat"))


def test_a_long_word_may_be_spelled_however_long_it_is() -> None:
    assert is_paid(" , ".join("ab" * 400), spelling("ab" * 400))
