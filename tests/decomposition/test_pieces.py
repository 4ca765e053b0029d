"""Tests of `tokenbench.decomposition.pieces`."""

from itertools import pairwise, permutations
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokenbench.decomposition.components import MIN_LETTERS
from tokenbench.decomposition.pieces import MAX_PIECES, ends_identify, joins, rivals, splits
from tokenbench.errors import TokenbenchError
from tokenbench.text.lexicon import words

_LEXICON = words("en").words
_WORD = st.text("abn", min_size=1, max_size=9)


def _join_in_any_order(pieces: tuple[str, ...], lexicon: tuple[str, ...]) -> set[str]:
    """Return the joins of all orders of the pieces: the plain twin of `joins`."""
    return {"".join(order) for order in permutations(pieces)} & set(lexicon)


@given(_WORD, st.integers(1, 10))
def test_splits_are_all_the_cuts_into_n_pieces(word: str, n: int) -> None:
    found = list(splits(word, n))
    assert len(set(found)) == len(found) == comb(len(word) - 1, n - 1)
    assert all("".join(cut) == word and len(cut) == n and all(cut) for cut in found)
    ends = [[len(piece) for piece in cut] for cut in found]
    assert all(one > other for one, other in pairwise(reversed(ends)))


def test_an_empty_word_has_no_pieces() -> None:
    assert list(splits("", 1)) == []


@given(st.text("abn", max_size=14), st.integers(1, 7))
def test_cuts_are_the_splits_without_a_short_part(word: str, n: int) -> None:
    long = [cut for cut in splits(word, n) if min(map(len, cut)) >= MIN_LETTERS]
    assert list(splits(word, n, shortest=MIN_LETTERS)) == long


@pytest.mark.parametrize(
    ("word", "n"), [("word", 0), ("word", -1), ("word", 1.5), ("word", True), ("word", "2")]
)
def test_a_number_of_pieces_is_a_whole_one(word: str, n: int) -> None:
    with pytest.raises(TokenbenchError, match=r"n=.*: expected a whole number from 1 on"):
        splits(word, n)
    with pytest.raises(TokenbenchError, match=r"word=.*: expected a string"):
        splits(7, 2)  # type: ignore[arg-type]


@given(st.lists(_WORD, min_size=1, max_size=5), st.lists(_WORD, max_size=20))
def test_joins_are_the_results_of_all_orders(pieces: list[str], lexicon: list[str]) -> None:
    made = ["".join(order) for order in permutations(pieces)]
    known = (*lexicon, *made[::7], *lexicon)
    found = joins(pieces, known)
    assert set(found) == _join_in_any_order(tuple(pieces), known)
    assert found == joins(tuple(reversed(pieces)), iter(known))
    assert [known.index(word) for word in found] == sorted(known.index(word) for word in found)


def test_every_word_is_among_the_joins_of_each_of_its_cuts() -> None:
    for word in _LEXICON[::40]:
        for n in (2, 3, 4):
            for cut in splits(word, n):
                assert set(joins(cut[::-1], _LEXICON)) == _join_in_any_order(cut, _LEXICON)
                assert word in joins(cut[::-1], _LEXICON)


def test_pieces_that_begin_one_another_are_joined_without_trying_all_orders() -> None:
    pieces = ["a" * n for n in range(1, MAX_PIECES)]
    word = "a" * sum(range(1, MAX_PIECES))
    assert joins(pieces, [word]) == (word,)
    assert joins(["ab"] * MAX_PIECES, ["ab" * MAX_PIECES, "ba" * MAX_PIECES]) == (
        "ab" * MAX_PIECES,
    )
    assert joins([*pieces[:-1], "ba"], ["a" * 106 + "b"]) == ()


def test_other_letters_or_case_make_no_join() -> None:
    assert joins(["ca", "t"], ("CAT", "cats", "ca", "act", "tca", "cta")) == ("tca",)


@pytest.mark.parametrize("bad", [[], ["a", ""], ["a"] * (MAX_PIECES + 1), None, [1]])
def test_a_value_that_is_not_a_list_of_pieces_is_refused(bad: list[str]) -> None:
    with pytest.raises(TokenbenchError, match="pieces"):
        joins(bad, ("a",))


def _ends(cut: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(piece[0] + piece[-1] for piece in cut)


@given(_WORD, st.integers(1, 5))
def test_a_cut_is_recognised_by_ends_that_no_other_cut_has(word: str, n: int) -> None:
    cuts = list(splits(word, n))
    for cut in cuts:
        same = [other for other in cuts if _ends(other) == _ends(cut)]
        assert ends_identify(cut) == (same == [cut])


def test_rivals_are_all_other_words_of_the_same_letters() -> None:
    found = rivals(_LEXICON)
    for word in _LEXICON[::10]:
        same = [other for other in _LEXICON if sorted(other) == sorted(word)]
        assert [word, *found.get(word, ())] == sorted(same, key=lambda other: other != word)
    assert rivals([]) == {}
