"""The trap engine: exact, whole, reproducible; kernels and twins agree."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from itertools import compress, islice, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from vocabularies import QWEN

from tokenbench._fast import kernels
from tokenbench._fast import plain_traps as plain
from tokenbench._fast import traps as compiled
from tokenbench.errors import TokenbenchError
from tokenbench.vocab import bpe, load, traps
from tokenbench.vocab.traps import Match, index

BYTES = {bytes([byte]): byte for byte in range(256)}
WORDS = st.lists(st.text("abc", min_size=1, max_size=6), max_size=40)
STOPS = st.sets(st.sampled_from("abc"), max_size=1)


def brute(words: list[str], stop: set[str]) -> set[Match]:
    """All matches, by the definition."""
    known = set(words)
    found = set()
    for one in known:
        for other in known:
            if one + other in known:
                continue
            for low in range(len(one)):
                for high in range(1, len(other) + 1):
                    trap = one[low:] + other[:high]
                    rests = {one[:low], other[high:]}
                    whole = trap in known and rests <= {"", *known} and rests != {""}
                    if whole and not stop & {trap[0], trap[-1]}:
                        found.add(Match.of(one, other, trap, len(one) - low))
    return found


@pytest.fixture(scope="module", autouse=True)
def compile_kernels() -> None:
    """Code compiled on first use would be slow for one example only."""
    held = index(["moves", "move", "table", "stable"])
    held.count_pairs(), list(held.iter())


def everything(held: traps.TrapIndex, chunk: int = 1 << 20) -> list[Match]:
    rows = [*held.iter(chunk)]
    return held.matches(np.concatenate(rows)) if rows else []


@given(words=WORDS, stop=STOPS, chunk=st.integers(1, 50))
def test_all_matches_and_only_they_are_counted_and_listed(
    words: list[str], stop: set[str], chunk: int
) -> None:
    held, right = index(words, stop=stop), brute(words, stop)
    listed = everything(held, chunk)
    assert [match for rows in held.iter(chunk) for match in held.matches(rows)] == listed
    assert len(listed) == len(set(listed)) == held.count()
    assert set(listed) == right
    assert held.count_pairs() == len({(match.word1, match.word2) for match in right})
    assert {len(rows) for rows in islice(held.iter(chunk), max(0, held.count() // chunk))} <= {
        chunk
    }


@given(words=WORDS, data=st.data())
def test_the_stream_goes_on_from_any_match(words: list[str], data: st.DataObject) -> None:
    held = index(words)
    start = data.draw(st.integers(0, held.count()))
    whole = np.concatenate([np.empty((0, 4), np.int32), *held.iter()])
    rest = np.concatenate([np.empty((0, 4), np.int32), *held.iter(chunk=7, start=start)])
    assert rest.dtype == np.int32
    assert np.array_equal(whole[start:], rest)


@given(words=WORDS)
def test_lookup_finds_the_matches_of_two_words(words: list[str]) -> None:
    held = index(words)
    listed: dict[tuple[str, str], list[Match]] = defaultdict(list)
    for match in everything(held):
        listed[match.word1, match.word2].append(match)
    for one, other in product(held.words, repeat=2):
        assert held.lookup(one, other) == listed[one, other]
    assert held.lookup("abcabcabc", "") == []


@given(words=WORDS, stop=STOPS, data=st.data())
def test_kernels_and_twins_agree(words: list[str], stop: set[str], data: st.DataObject) -> None:
    words = sorted(set(words))
    codes, starts = traps.trap_index._to_codes(words)
    usable = np.array([word[0] not in stop for word in words], dtype=np.bool_)
    flags = data.draw(st.lists(st.booleans(), min_size=len(words), max_size=len(words)))
    given_words = (codes, starts, usable, np.array(flags, np.bool_))
    fast, slow = (module.build_tables(*given_words) for module in (compiled, plain))
    for name, one, other in zip(fast._fields, fast, slow, strict=True):
        assert np.array_equal(one, other), name
        assert getattr(one, "dtype", int) == getattr(other, "dtype", int), name
    count = int(fast.offsets[-1]) - len(fast.passed)
    assert compiled.count_pairs(fast) == plain.count_pairs(fast)
    for start in {0, count // 2}:
        one, other = np.zeros((2, count - start, 4), np.int32)
        compiled.fill_rows(fast, start, one)
        plain.fill_rows(fast, start, other)
        assert np.array_equal(one, other)


@given(words=WORDS.filter(len), seed=st.integers(0, 9))
def test_samples_are_different_matches(words: list[str], seed: int) -> None:
    held = index(words)
    every = held.sample(held.count(), seed)
    assert sorted(every) == sorted(everything(held))
    assert held.sample(min(3, held.count()), seed) == held.sample(min(3, held.count()), seed)


def test_samples_are_uniform() -> None:
    held = index(["a", "ab", "b", "ba", "aba", "bab", "abb"])
    count = held.count()
    counts = dict.fromkeys(everything(held), 0)
    for seed in range(300 * count):
        (match,) = held.sample(1, seed)
        counts[match] += 1
    assert count > 5
    spread = sum((n - 300) ** 2 / 300 for n in counts.values())
    assert spread < 3 * count  # chi squared, with count - 1 degrees of freedom


@given(words=WORDS, weights=st.lists(st.integers(0, 3), min_size=40, max_size=40))
def test_ranking_lists_all_matches_the_commonest_first(
    words: list[str], weights: list[int]
) -> None:
    frequency = dict(zip(words, weights, strict=False))
    held = index(words)
    ranked = list(held.rank(frequency))
    assert sorted(ranked) == sorted(everything(held))
    order = sorted(held.words, key=lambda word: (-frequency[word], word))
    ranks = [sorted(map(order.index, match[:2]), reverse=True) for match in ranked]
    assert ranks == sorted(ranks)
    assert ranked == list(held.rank(frequency.__getitem__))


@settings(max_examples=40)
@given(words=WORDS, stop=STOPS, others=st.lists(st.text("abcd", max_size=3), max_size=3))
def test_a_word_is_hidden_by_the_matches_whose_trap_it_is(
    words: list[str], stop: set[str], others: list[str]
) -> None:
    held = index(words, stop=stop)
    listed = everything(held)
    for word in (*held.words, *others):
        right = [match for match in listed if match.trap == word]
        found = held.hiding(word)
        assert list(found) == found[:] == right
        assert [found[place] for place in range(-len(found), len(found))] == right + right
        assert found[1::2] == right[1::2]
        assert held.verify(found, bpe.load(BYTES)).tolist() == [False] * len(right)


def test_many_matches_of_a_trap_are_made_a_few_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tokenbench.vocab.traps.match._CHUNK", 3)
    held = index(["a", "ab", "b", "ba", "aba", "bab", "abb"])
    found = max(map(held.hiding, held.words), key=len)
    assert len(found) > 6
    assert list(found) == found[:]
    assert [match.trap for match in islice(found, 2)] == [found[0].trap] * 2
    with pytest.raises(IndexError):
        found[len(found)]


MIXED = st.lists(st.text("abAβ", min_size=1, max_size=4), max_size=20)
CONDITIONS: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {},
    optional={
        "script": st.sampled_from(["Latin", "Greek", None]),
        "min_length": st.integers(0, 2),
        "max_length": st.none() | st.integers(2, 5),
        "dictionary": st.none() | st.lists(st.text("abAβ", max_size=3)).map(frozenset),
    },
)


def meets(word: str, conditions: dict[str, Any]) -> bool:
    """Whether a word meets all conditions, by their definitions."""
    letters = {"Latin": set("abA"), "Greek": {"β"}, None: set("abAβ")}[conditions.get("script")]
    known = conditions.get("dictionary")
    high = conditions.get("max_length")
    return (
        set(word) <= letters
        and len(word) >= conditions.get("min_length", 1)
        and (high is None or len(word) <= high)
        and (known is None or word in known or word.lower() in known)
    )


@settings(max_examples=40)
@given(words=MIXED, conditions=CONDITIONS, more=CONDITIONS, stop=STOPS)
def test_a_selection_has_the_matches_whose_words_all_qualify(
    words: list[str], conditions: dict[str, Any], more: dict[str, Any], stop: set[str]
) -> None:
    held = index(words, stop=stop)
    rows = np.concatenate([np.empty((0, 4), np.int32), *held.iter()])
    selected = held.select(**conditions)
    right = everything(held)
    both = [(selected, [conditions]), (selected.select(**more), [conditions, more])]
    for chosen, needed in both:
        ok = [all(meets(word, each) for word in m[:3] for each in needed) for m in right]
        remaining = list(compress(right, ok))
        assert everything(chosen) == remaining
        kept = np.concatenate([np.empty((0, 4), np.int32), *chosen.iter(chunk=7)])
        assert np.array_equal(kept, rows[np.array(ok, np.bool_)])
        assert chosen.count() == len(remaining)
        assert chosen.count_pairs() == len({match[:2] for match in remaining})
        assert sorted(chosen.sample(len(remaining), seed=1)) == sorted(remaining)
        for word in held.words:
            assert list(chosen.hiding(word)) == [m for m in remaining if m.trap == word]
        for match in right[:5]:
            assert (match in chosen.lookup(match.word1, match.word2)) == (match in remaining)
    ranked = list(held.rank(len))
    ok = [all(meets(word, conditions) for word in match[:3]) for match in ranked]
    assert list(held.rank(len, **conditions)) == list(compress(ranked, ok))
    n = min(3, selected.count())
    assert held.sample(n, seed=5, **conditions) == selected.sample(n, seed=5)


def test_samples_of_a_selection_are_uniform() -> None:
    held = index(["a", "ab", "b", "ba", "aba", "bab", "abb"])
    selected = held.select(min_length=2)
    count = selected.count()
    counts = dict.fromkeys(everything(selected), 0)
    for seed in range(100 * count):
        (match,) = selected.sample(1, seed)
        counts[match] += 1
    assert held.count() > count > 5
    spread = sum((n - 100) ** 2 / 100 for n in counts.values())
    assert spread < 3 * count  # chi squared, with count - 1 degrees of freedom


def test_an_index_and_its_parts_are_shown_on_one_short_line() -> None:
    held = index(["moves", "move", "table", "stable"])
    assert repr(held) == "<TrapIndex of 4 words: 2 matches>"
    assert repr(held.select(min_length=5)) == "<TrapIndex of 3 of 4 words: 1 match>"
    assert repr(held.hiding("stable")) == "<1 match of 'stable'>"
    assert repr(held.hiding("\n" * 99)).count("\n") == 0
    assert len(repr(held.hiding("x" * 999))) < 80
    shown = "Match(word1='moves', word2='table', trap='stable', cut=1, schema='before')"
    assert repr(held.hiding("stable")[0]) == shown


def test_the_papers_examples() -> None:
    words = ["moves", "move", "table", "stable", "drive", "nothing", "driven", "othing"]
    words += ["sixth", "island", "this", "six", "land"]
    held = index(words)
    assert [m.schema for m in held.lookup("moves", "table")] == ["before"]
    assert [m.schema for m in held.lookup("drive", "nothing")] == ["after"]
    assert [m.schema for m in held.lookup("sixth", "island")] == ["both"]
    assert held.lookup("sixth", "island") == [Match("sixth", "island", "this", 2, "both")]


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda _: index(["a", ""]), "words"),
        (lambda _: index(["a", 3]), "words"),  # type: ignore[list-item]
        (lambda _: index("vocabulary.json"), "words"),
        (lambda _: index(bpe.load(BYTES)), "words"),  # type: ignore[arg-type]
        (lambda _: index(None), "words"),  # type: ignore[arg-type]
        (lambda _: index(["a"], stop=["ab"]), "stop"),
        (lambda _: index({"Ġcat": 0, "s": 1}), "words"),
        (lambda held: held.iter(chunk=0), "chunk"),
        (lambda held: held.iter(start=99), "start"),
        (lambda held: held.sample(3), "n"),
        (lambda held: held.sample(-1), "n"),
        (lambda held: held.sample(1, seed=1.5), "seed"),
        (lambda held: held.sample(2, min_length=5), "n"),
        (lambda held: held.sample(1, min_length=1.5), "min_length"),
        (lambda held: held.select(max_length="4"), "max_length"),
        (lambda held: held.rank(len, min_length=5, max_length=4), "max_length"),
        (lambda held: held.rank({}, dictionary="stable"), "dictionary"),
        (lambda held: held.lookup("a", None), "word2"),
        (lambda held: held.hiding(None), "trap"),
        (lambda held: held.rank(print), "frequency"),
        (lambda held: held.rank({"move": "3"}), "frequency"),
        (lambda held: held.rank({"table": float("nan")}), "frequency"),
        (lambda held: held.verify([("a", "b")], bpe.load(BYTES)), "matches"),
        (lambda held: held.verify(held.sample(2), None), "tokenizer"),
        (lambda held: held.matches([[0, 0, 1]]), "rows"),
        (lambda held: held.matches([[0.5, 0, 1, 1]]), "rows"),
        (lambda held: held.matches(None), "rows"),
        (lambda held: held.matches([[0, 1, 77, 1]]), "rows"),
        (lambda held: held.matches([[0, 0, 1, 1]]), ""),
        (lambda held: held.matches([[1, 3, 2, 2]]), ""),
    ],
)
def test_errors_name_what_is_wrong(
    call: Callable[[traps.TrapIndex], object], argument: str
) -> None:
    held = index(["moves", "move", "table", "stable"])
    with pytest.raises(TokenbenchError) as caught:
        call(held)
    assert caught.value.argument == argument


def test_rows_of_any_choice_have_their_own_cuts() -> None:
    """Two matches may differ in nothing but the cut."""
    traps = index(["a", "aa", "aaa", "aab", "ba", "b"])
    matches = everything(traps)
    assert len({match[:3] for match in matches}) < len(matches)
    rows = np.concatenate([*traps.iter()])
    for place, match in enumerate(matches):
        assert traps.matches(rows[place : place + 1]) == [match]
    assert traps.matches(rows[::-2]) == matches[::-2]


@pytest.mark.parametrize(
    ("arguments", "argument"),
    [
        (("moves", "table", "stable", 2), "trap"),
        (("moves", "stable", "table", 1), "trap"),
        (("moves", "table", "s", 1), "trap"),
        (("moves", "table", "stable", 1.5), "cut"),
        (("moves", "table", "stable", True), "cut"),
        (("moves", None, "stable", 1), "word2"),
    ],
)
def test_a_match_is_checked(arguments: Any, argument: str) -> None:
    with pytest.raises(TokenbenchError) as caught:
        Match.of(*arguments)
    assert caught.value.argument == argument


def test_a_chunk_that_is_refused_is_refused_at_once() -> None:
    with pytest.raises(TokenbenchError):
        index([]).iter(chunk=-1)


def test_no_words_have_no_matches() -> None:
    held = index([])
    assert (held.count(), held.count_pairs(), list(held.iter()), held.sample(0)) == (0, 0, [], [])
    assert list(held.rank({})) == []


def test_the_switch_takes_the_twins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOKENBENCH_FAST", "0")
    kernels.cache_clear()
    try:
        slow = index(["moves", "move", "table", "stable", "s", "tables"])
        assert kernels("traps") is plain
        listed = everything(slow)
    finally:
        kernels.cache_clear()
    monkeypatch.delenv("TOKENBENCH_FAST")
    assert listed == everything(index(slow.words))


def test_qwens_han_words_have_as_many_matches_as_a_plain_join_finds() -> None:
    """Kernels and twins agree on them, too."""
    words = load(QWEN).words("Han")
    codes, starts = traps.trap_index._to_codes(words)
    usable = np.ones(len(words), dtype=np.bool_)
    both = (compiled, plain)
    fast, slow = (module.build_tables(codes, starts, usable, usable) for module in both)
    assert all(np.array_equal(one, other) for one, other in zip(fast, slow, strict=True))
    held = index(words)
    assert (held.count(), held.count_pairs()) == (3_818_390, 3_718_518)
    assert sum(map(len, held.iter(chunk=100_000))) == held.count()


def test_all_of_qwens_words_are_counted_without_being_listed() -> None:
    assert index(load(QWEN)).count() == 1_897_042_667
