"""REORD: an order is found wherever there is one, and judged by neighbours as strings."""

import json
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise, permutations
from math import factorial, sqrt
from pathlib import Path
from types import FrameType

import pytest
from answers import tagged
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenbench import check, reord, score
from tokenbench.errors import DifficultyError, SourceError
from tokenbench.item import Item
from tokenbench.tasks.wordings import payload_of
from tokenbench.text.languages import language

LANGS = ("en", "zh", "ko")
MANY = 150
A002464 = (1, 1, 0, 0, 2, 14, 90, 646, 5242, 47622, 479306)

few = settings(deadline=None, max_examples=30)
repeating = st.integers(1, 8).flatmap(
    lambda kinds: st.lists(st.sampled_from("abcdefgh"[:kinds]), max_size=8)
)
lists = st.lists(st.sampled_from(["a", "A", "b", "B", "cc", "é", "É"]), max_size=12)


def plain_kept(original: Sequence[str], order: Sequence[str]) -> int:
    """Count pairs of the new order that stand anywhere in the original, in either direction."""
    old, new = [token.lower() for token in original], [token.lower() for token in order]
    return sum(
        any(
            (old[j], old[j + 1]) in ((new[i], new[i + 1]), (new[i + 1], new[i]))
            for j in range(len(old) - 1)
        )
        for i in range(len(new) - 1)
    )


def plain_valid(original: Sequence[str], order: Sequence[str]) -> bool:
    same = sorted(map(str.lower, original)) == sorted(map(str.lower, order))
    return same and plain_kept(original, order) == 0


def solvable(tokens: Sequence[str]) -> bool:
    """Return whether any order is valid, over the rest of each token and the last one placed."""
    kinds = sorted(set(tokens))
    old = {frozenset(pair) for pair in pairwise(tokens)}

    @cache
    def can_end(left: tuple[int, ...], last: str) -> bool:
        return not any(left) or any(
            can_end((*left[:i], count - 1, *left[i + 1 :]), kinds[i])
            for i, count in enumerate(left)
            if count and (not last or frozenset((last, kinds[i])) not in old)
        )

    return can_end(tuple(Counter(tokens)[kind] for kind in kinds), "")


def patterns(n: int) -> Iterator[str]:
    """Yield each way in which n tokens can repeat, once."""
    if n == 0:
        yield ""
        return
    for start in patterns(n - 1):
        for kind in range(len(set(start)) + 1):
            yield start + "abcdefgh"[kind]


def orders(item: Item, steps: int, seed: int) -> Iterator[list[str]]:
    """Yield random valid orders of an item's tokens: swaps that keep its solution valid."""
    tokens = item.target["tokens"]
    order, choice = reord.solve(tokens), random.Random(seed)
    assert order is not None
    for _ in range(steps):
        i, j = choice.randrange(len(order)), choice.randrange(len(order))
        order[i], order[j] = order[j], order[i]
        if reord.valid_order(tokens, order):
            yield list(order)
        else:
            order[i], order[j] = order[j], order[i]


def join_tokens(tokens: Sequence[str], lang: str) -> str:
    return (" " if lang == "en" else "").join(tokens)


def make_item(tokens: Sequence[str], lang: str = "en") -> Item:
    """Return an item over tokens of our choice, worded like a generated one."""
    target = {
        "tokens": list(tokens),
        "published": {"evaluation": "shuffle", "label": "", "variation": ""},
    }
    prompt = f"Put these words in a new order:\n\n{join_tokens(tokens, lang)}\n\nAnswer in tags."
    return replace(reord.TASK.generate(lang=lang, length=5), target=target, prompt=prompt)


def from_prompt(item: Item) -> list[str]:
    """Read the tokens off the prompt, as a person would."""
    payload = payload_of("reord", item.lang, item.prompt)
    return payload.split(" ") if item.lang == "en" else list(payload)


# The building blocks.


@given(lists, lists)
def test_kept_adjacencies_agree_with_the_plain_count(a: list[str], b: list[str]) -> None:
    assert reord.kept_adjacencies(a, b) == plain_kept(a, b)


@given(lists, st.randoms(use_true_random=False), lists)
def test_valid_order_agrees_with_the_plain_rule(
    tokens: list[str], chance: random.Random, other: list[str]
) -> None:
    shuffled = list(tokens)
    chance.shuffle(shuffled)
    for order in (shuffled, other, tokens):
        assert reord.valid_order(tokens, order) == plain_valid(tokens, order)
        if tokens and all(map(str.strip, tokens)):
            assert reord.verify(order, {"tokens": tokens}) == plain_valid(tokens, order)


@given(lists, st.randoms(use_true_random=False), st.randoms(use_true_random=False))
def test_letter_case_makes_no_difference(
    tokens: list[str], order: random.Random, case: random.Random
) -> None:
    shuffled = list(tokens)
    order.shuffle(shuffled)
    recased = [case.choice([token.upper(), token.lower()]) for token in shuffled]
    assert reord.valid_order(tokens, recased) == reord.valid_order(tokens, shuffled)
    assert reord.kept_adjacencies(tokens, recased) == reord.kept_adjacencies(tokens, shuffled)


def test_arguments_stay_as_they_are() -> None:
    tokens, order = ["B", "a", "C", "d"], ["A", "d", "b", "c"]
    reord.solve(tokens)
    reord.valid_order(tokens, order)
    assert (tokens, order) == (["B", "a", "C", "d"], ["A", "d", "b", "c"])


@pytest.mark.parametrize("tokens", [[], ["a"]])
def test_fewer_than_two_tokens_are_in_a_valid_order(tokens: list[str]) -> None:
    assert reord.solve(tokens) == tokens
    assert reord.valid_order(tokens, tokens)
    assert reord.kept_adjacencies(tokens, tokens) == 0


@pytest.mark.parametrize("tokens", ["ab", "aa", "abc", "aab", "aba", "aaa"])
def test_two_or_three_tokens_have_no_valid_order(tokens: str) -> None:
    assert reord.solve(tokens) is None
    assert not any(reord.valid_order(tokens, order) for order in permutations(tokens))


# The search.


@pytest.mark.parametrize("n", range(7))
def test_up_to_six_tokens_every_pattern_is_solved_where_some_permutation_is_valid(n: int) -> None:
    for tokens in patterns(n):
        possible = any(plain_valid(tokens, order) for order in permutations(tokens))
        found = reord.solve(tokens)
        assert (found is not None) == possible, tokens
        assert found is None or plain_valid(tokens, found), tokens


@given(repeating)
def test_up_to_eight_tokens_a_list_is_solved_where_some_permutation_is_valid(
    tokens: list[str],
) -> None:
    old = {frozenset(pair) for pair in pairwise(tokens)}
    possible = any(
        all(frozenset(pair) not in old for pair in pairwise(order))
        for order in permutations(tokens)
    )
    found = reord.solve(tokens)
    assert (found is not None) == possible
    assert found is None or plain_valid(tokens, found)


@given(st.lists(st.sampled_from("aaabbcdefghij"), min_size=9, max_size=14))
def test_up_to_fourteen_tokens_none_is_a_proof(tokens: list[str]) -> None:
    found = reord.solve(tokens)
    assert (found is not None) == solvable(tokens)
    assert found is None or plain_valid(tokens, found)


def test_beyond_fourteen_tokens_nearly_every_solvable_list_is_solved() -> None:
    choice, possible, found = random.Random(5), 0, 0
    for _ in range(200):
        tokens = choice.choices("abcdefghij", [3] + [1] * 9, k=choice.randint(15, 17))
        possible += solvable(tokens)
        found += reord.solve(tokens) is not None
    assert possible > 60
    assert 0.97 * possible <= found <= possible


@few
@given(st.integers(2, 60), st.integers(15, 254), st.integers(0, 50), st.randoms())
def test_whatever_is_found_for_a_long_list_with_heavy_repeats_is_valid(
    kinds: int, length: int, weight: int, chance: random.Random
) -> None:
    names = [f"t{i}" for i in range(kinds)]
    tokens = chance.choices(names, [1 + weight, *[1] * (kinds - 1)], k=length)
    found = reord.solve(tokens)
    assert found is None or plain_valid(tokens, found)
    assert found == reord.solve(tokens)


def test_the_longest_list_allowed_is_solved() -> None:
    tokens = random.Random(2).choices([f"t{i}" for i in range(200)], k=4096)
    found = reord.solve(tokens)
    assert found is not None
    assert reord.valid_order(tokens, found)


@few
@given(st.lists(st.sampled_from("aBcDeF"), min_size=4, max_size=10))
def test_an_order_has_the_tokens_as_they_were_given(tokens: list[str]) -> None:
    found = reord.solve(tokens)
    assert found is None or sorted(found) == sorted(tokens)


# Chance.


def test_chance_is_the_share_of_orders_that_brute_force_counts() -> None:
    for n, expected in enumerate(A002464):
        assert reord.TASK.guess_rate(make_item("abcdefghij"[:n])) == expected / factorial(n)
        if n <= 8:
            counted = sum(reord.valid_order(range_text(n), o) for o in permutations(range_text(n)))
            assert counted == expected


def range_text(n: int) -> str:
    return "abcdefgh"[:n]


@pytest.mark.parametrize("n", [12, 40])
def test_chance_agrees_with_random_orders(n: int) -> None:
    tokens = [f"t{i}" for i in range(n)]
    order, choice, draws = list(tokens), random.Random(n), 6000
    right = 0
    for _ in range(draws):
        choice.shuffle(order)
        right += reord.valid_order(tokens, order)
    expected = reord.TASK.guess_rate(make_item(tokens))
    assert abs(right / draws - expected) < 4 * sqrt(expected * (1 - expected) / draws)


@pytest.mark.parametrize("n", [4, 5, pytest.param(6, marks=pytest.mark.thorough)])
def test_repeated_tokens_never_raise_the_chance(n: int) -> None:
    highest = reord.TASK.guess_rate(make_item(range_text(n)))
    for tokens in patterns(n):
        valid = sum(reord.valid_order(tokens, order) for order in permutations(tokens))
        assert valid / factorial(n) <= highest, tokens


def test_chance_of_the_longest_item_is_near_its_limit() -> None:
    assert reord.TASK.guess_rate(make_item(["t"] * 4096)) == pytest.approx(0.1353, abs=1e-3)  # e^-2


# Items.


@pytest.mark.parametrize("lang", LANGS)
def test_the_solution_rearranges_the_tokens_of_the_prompt(lang: str) -> None:
    lengths = set()
    for index in range(MANY):
        item = reord.TASK.generate(seed=3, index=index, lang=lang)
        tokens = from_prompt(item)
        order = item.solution.split(" ") if lang == "en" else list(item.solution)
        assert tokens == item.target["tokens"]
        assert plain_valid(tokens, order)
        assert len(tokens) == item.meta["drawn"]["length"]
        lengths.add(len(tokens))
    assert min(lengths) >= 5
    assert max(lengths) <= 254
    assert len(lengths) > 60


@pytest.mark.parametrize("lang", LANGS)
def test_most_long_items_repeat_a_token(lang: str) -> None:
    items = [reord.TASK.generate(index=index, lang=lang, length=(60, 120)) for index in range(30)]
    assert all(max(Counter(item.target["tokens"]).values()) > 1 for item in items)


@pytest.mark.parametrize("lang", LANGS)
def test_answer_words_are_never_tokens(lang: str) -> None:
    words = {"en": "same yes no", "zh": "相同 是 不是 不 否", "ko": "같음 예 네 아니요 아니오"}
    for index in range(40):
        item = reord.TASK.generate(seed=1, index=index, lang=lang, length=254)
        assert not set(words[lang].split()) & set(from_prompt(item))


@pytest.mark.parametrize("lang", LANGS)
def test_the_only_colon_before_the_text_ends_the_question(lang: str) -> None:
    for index in range(40):
        item = reord.TASK.generate(index=index, lang=lang, length=5, split="test")
        before = item.prompt[: item.prompt.index(payload_of("reord", lang, item.prompt))].rstrip()
        assert before[-1] in ":："
        assert before.count(":") + before.count("：") == 1


@pytest.mark.parametrize("lang", LANGS)
def test_levels_grow_in_length(lang: str) -> None:
    longest = 0
    for level in range(10):
        lengths = [
            len(reord.TASK.generate(index=index, lang=lang, level=level).target["tokens"])
            for index in range(12)
        ]
        assert min(lengths) > longest
        longest = max(lengths)
    assert longest <= 254


@pytest.mark.parametrize("lang", LANGS)
def test_the_longest_item_that_may_be_asked_for_is_made(lang: str) -> None:
    item = reord.TASK.generate(lang=lang, length=4096)
    assert len(from_prompt(item)) == 4096
    assert score(tagged(item.solution), item) == 1.0


def test_a_pair_of_lengths_may_be_a_tuple_or_a_list() -> None:
    assert reord.generate(length=(6, 9)) == reord.generate(length=[6, 9])
    assert {len(reord.generate(length=(6, 9), index=i).target["tokens"]) for i in range(60)} == {
        *range(6, 10)
    }


@pytest.mark.parametrize(
    "length", [4, 0, -5, 4097, 10.0, "10", True, (9, 6), (6,), (6, 7, 8), (6, None), [4, 9], {}]
)
def test_an_impossible_length_is_one_clear_error(length: object) -> None:
    with pytest.raises(DifficultyError, match=r"^length=[^\n]*$"):
        reord.TASK.generate(length=length)


# Judging.


@pytest.mark.parametrize("lang", LANGS)
@few
@given(st.integers(0, 10**6), st.integers(5, 60))
def test_every_valid_order_is_right_by_every_rule(lang: str, seed: int, length: int) -> None:
    item = reord.TASK.generate(seed=seed, lang=lang, length=length)
    for order in orders(item, 40, seed):
        answer = tagged(join_tokens(order, lang))
        for rule in ("exact", "graded", "published", "published_graded"):
            assert score(answer, item, rule=rule) == 1.0, (rule, order)


@given(st.lists(st.sampled_from("abcdefgh"), min_size=4, max_size=9), st.randoms())
def test_exact_right_implies_published_right(tokens: list[str], chance: random.Random) -> None:
    item = make_item(tokens)
    order = list(tokens)
    for _ in range(30):
        chance.shuffle(order)
        answer = tagged(" ".join(order))
        if score(answer, item):
            assert score(answer, item, rule="published") == 1.0


@pytest.mark.parametrize("lang", LANGS)
@few
@given(st.integers(0, 10**6), st.randoms())
def test_graded_divides_by_the_neighbours_that_are_kept(
    lang: str, seed: int, chance: random.Random
) -> None:
    item = reord.TASK.generate(seed=seed, lang=lang, length=(5, 40))
    tokens = item.target["tokens"]
    order = list(tokens)
    chance.shuffle(order)
    expected = 1 / (1 + plain_kept(tokens, order))
    answer = tagged(join_tokens(order, lang))
    assert score(answer, item, rule="graded") == pytest.approx(expected)
    assert score(answer, item) == float(plain_kept(tokens, order) == 0)
    for other in (order[1:], [*order, order[0]], [*order[1:], order[1]]):
        if Counter(other) != Counter(tokens):
            assert score(tagged(join_tokens(other, lang)), item, rule="graded") == 0.0


def test_two_tokens_have_one_pair_of_neighbours_and_one_has_none() -> None:
    item = replace(reord.generate(), target={"tokens": ["a", "b"]})
    assert score(tagged("b a"), item, rule="graded") == 0.5
    assert score(tagged("a"), replace(item, target={"tokens": ["a"]}), rule="graded") == 1.0


@pytest.mark.parametrize("lang", LANGS)
def test_the_unchanged_text_earns_next_to_nothing(lang: str) -> None:
    item = reord.TASK.generate(lang=lang, length=20)
    for order in (item.target["tokens"], item.target["tokens"][::-1]):
        answer = tagged(join_tokens(order, lang))
        assert [score(answer, item, rule=rule) for rule in ("exact", "graded")] == [0.0, 1 / 20]


def layouts(order: Sequence[str]) -> dict[str, str]:
    return {
        "spaces": " ".join(order),
        "wide spaces": "\u3000".join(order),
        "commas": ", ".join(order),
        "Chinese commas": "，".join(order),
        "enumeration commas": "、".join(order),
        "semicolons": "; ".join(order),
        "bars": " | ".join(order),
        "slashes": " / ".join(order),
        "greater than": " > ".join(order),
        "arrows": " → ".join(order),
        "lines": "\n".join(order),
        "carriage returns": "\r\n".join(order),
        "a bulleted list": "\n".join(f"- {token}" for token in order),
        "a JSON list": json.dumps(order, ensure_ascii=False),
        "a Python list": repr(list(order)),
        "a list without quotes": f"[{', '.join(order)}]",
        "quoted tokens": ", ".join(f"“{token}”" for token in order),
        "all quoted": f"“{' '.join(order)}”",
        "bold": f"**{' '.join(order)}**",
        "code": f"`{' '.join(order)}`",
        "a fence": f"```\n{' '.join(order)}\n```",
        "a final stop": f"{' '.join(order)}.",
        "a Chinese final stop": f"{' '.join(order)}。",
        "space around": f"\n\n  {' '.join(order)}\n",
        "upper case": " ".join(order).upper(),
        "zero-width spaces": " \u200b".join(order),
    }


@pytest.mark.parametrize("layout", layouts([]))
@pytest.mark.parametrize("lang", LANGS)
def test_whatever_separates_the_tokens_a_right_order_is_right(lang: str, layout: str) -> None:
    for index in range(3):
        item = reord.TASK.generate(lang=lang, length=12, index=index)
        order = item.solution.split(" ") if lang == "en" else list(item.solution)
        assert check(tagged(layouts(order)[layout]), item).code == "right"


@pytest.mark.parametrize("name", ["text", "json"])
@pytest.mark.parametrize("lang", LANGS)
def test_a_fence_with_a_name_is_a_fence(lang: str, name: str) -> None:
    item = reord.TASK.generate(lang=lang, length=12)
    order = item.solution.split(" ") if lang == "en" else list(item.solution)
    body = json.dumps(order, ensure_ascii=False) if name == "json" else " ".join(order)
    assert check(tagged(f"```{name}\n{body}\n```"), item).code == "right"


@pytest.mark.parametrize("lang", ["zh", "ko"])
def test_characters_need_no_separator(lang: str) -> None:
    item = reord.TASK.generate(lang=lang, length=30)
    assert " " not in item.solution
    assert check(tagged(item.solution), item).code == "right"


def test_decomposed_hangul_is_the_same_answer() -> None:
    from unicodedata2 import normalize

    item = reord.generate(lang="ko", length=30)
    assert normalize("NFD", item.solution) != item.solution
    assert check(tagged(normalize("NFD", item.solution)), item).code == "right"


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize(
    "junk", ["zzz", "7", "x", "字", "가", "ㄱ", "é", "ⓐ", "answers", "ひ", "reply:", "①"]
)
def test_an_extra_token_is_wrong(lang: str, junk: str) -> None:
    item = reord.TASK.generate(lang=lang, length=12)
    for answer in (f"{item.solution} {junk}", f"{junk} {item.solution}"):
        assert check(tagged(answer), item, rule="graded").score == 0.0


@pytest.mark.parametrize("lang", LANGS)
def test_a_missing_doubled_or_exchanged_token_is_wrong(lang: str) -> None:
    item = reord.TASK.generate(lang=lang, length=12)
    order = item.solution.split(" ") if lang == "en" else list(item.solution)
    twice = f"{item.solution}\n{item.solution}"
    other = "zebra" if lang == "en" else "囧" if lang == "zh" else "뷁"
    for answer in (
        join_tokens(order[:-1], lang),
        join_tokens([*order, order[0]], lang),
        join_tokens([*order[:-1], other], lang),
        join_tokens(sorted(set(order)), lang) + join_tokens([other], lang),
        twice,
        f"{item.solution} or {item.solution}",
    ):
        assert check(tagged(answer), item).code == "wrong", answer
        assert score(tagged(answer), item, rule="graded") == 0.0


def test_words_run_together_are_not_the_words() -> None:
    item = reord.generate(lang="en", length=8)
    order = item.solution.split(" ")
    for separator in ("", "-", "'", "_"):
        assert score(tagged(separator.join(order)), item) == 0.0


@pytest.mark.parametrize("empty", ["", " ", "…", "[]", "。", "\u200b"])
def test_an_answer_without_tokens_earns_nothing(empty: str) -> None:
    item = reord.generate()
    assert check(tagged(empty), item).code in ("no_answer", "unparsable")


# Users' own sources.


def write(path: Path, content: str) -> Path:
    path.write_text(content, encoding="utf-8")
    return path


def test_a_users_text_is_where_the_tokens_come_from(tmp_path: Path) -> None:
    words = "Alpha, beta; gamma's 12 delta-force (epsilon) yes zeta eta no theta. Iota kappa!"
    text = write(tmp_path / "greek.txt", words * 3)
    plain = {"alpha", "beta", "epsilon", "zeta", "eta", "theta", "iota", "kappa"}
    for index in range(20):
        item = reord.generate(text=text, length=(6, 9), index=index)
        assert set(from_prompt(item)) <= plain
        assert item.meta["source"].startswith("greek.txt sha256:")


def test_a_text_too_short_or_of_another_language_is_one_clear_error(tmp_path: Path) -> None:
    text = write(tmp_path / "short.txt", "one two three four")
    for lang in LANGS:
        with pytest.raises(SourceError, match=r"^[^\n]+$"):
            reord.TASK.generate(text=text, lang=lang, length=5)


def test_a_text_that_no_order_can_serve_is_one_clear_error(tmp_path: Path) -> None:
    text = write(tmp_path / "rose.txt", "rose rose rose rose rose rose rose rose")
    with pytest.raises(DifficultyError, match=r"^no reord item [^\n]+$"):
        reord.generate(text=text, length=6)


def test_a_solution_from_a_text_with_rare_characters_is_right_by_every_rule(
    tmp_path: Path,
) -> None:
    choice = random.Random(1)
    text = write(
        tmp_path / "dates.txt", "".join(choice.choices("一二三四五六七八九十百千〇々", k=600))
    )
    for index in range(30):
        item = reord.generate(lang="zh", text=text, length=12, index=index)
        for rule in ("exact", "published"):
            assert score(tagged(item.solution), item, rule=rule) == 1.0, (rule, item.prompt)


@pytest.mark.parametrize("lang", LANGS)
def test_the_language_is_looked_up_once_for_an_item(lang: str) -> None:
    """Then it is passed as an object: patterns, word lists and English are known by now."""
    reord.TASK.generate(lang=lang)
    lookups: list[str] = []

    def profile(frame: FrameType, event: str, _argument: object) -> None:
        if event == "call" and frame.f_code is language.__code__:
            lookups.append(frame.f_locals["code"])

    sys.setprofile(profile)
    try:
        reord.TASK.generate(lang=lang, index=1)
    finally:
        sys.setprofile(None)
    assert lookups == [lang]
