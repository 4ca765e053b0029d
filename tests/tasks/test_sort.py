"""SORT: three texts of distinct lengths, and an order of three letters in whatever dress."""

import re
from collections import Counter
from itertools import permutations
from pathlib import Path

import pytest
from answers import tagged
from hypothesis import given
from hypothesis import strategies as st

from tokenbench import check, score, sort
from tokenbench.errors import DifficultyError, SourceError
from tokenbench.item import Item
from tokenbench.tasks.wordings import payload_of

LANGS = ("en", "zh", "ko")
UNIT = {"en": "[A-Za-z]+", "zh": "[\u4e00-\u9fff]", "ko": "[\uac00-\ud7a3]"}
ORDERS = ["".join(order) for order in permutations("ABC")]
MANY = 300
EVEN = 20.52  # chi-square with 5 degrees of freedom stays below this in 999 of 1,000 cases


def texts(item: Item) -> dict[str, str]:
    """Read the three texts off the prompt, as a person would."""
    labelled = payload_of("sort", item.lang, item.prompt).split("\n\n")
    return dict(text.split(": ", 1) for text in labelled)


def lengths(item: Item) -> dict[str, int]:
    return {label: len(re.findall(UNIT[item.lang], text)) for label, text in texts(item).items()}


def steps(found: dict[str, int]) -> tuple[int, int]:
    """Return the least of three lengths, and by how much each of the others is longer."""
    low, middle, high = sorted(found.values())
    assert low < middle < high
    assert middle - low == high - middle
    return low, middle - low


def item_with(order: str, lang: str = "en") -> Item:
    """Return an item whose right answer is an order of our choice."""
    items = (sort.TASK.generate(lang=lang, index=index, length=5) for index in range(100))
    return next(item for item in items if item.solution == order)


def write(path: Path, content: str) -> Path:
    path.write_text(content, encoding="utf-8")
    return path


# Items.


@pytest.mark.parametrize("lang", LANGS)
def test_the_solution_is_the_order_of_the_lengths_that_the_prompt_shows(lang: str) -> None:
    bases = []
    for index in range(MANY):
        item = sort.TASK.generate(seed=8, index=index, lang=lang)
        found = lengths(item)
        assert [*found] == ["A", "B", "C"]
        assert item.solution == "".join(sorted(found, key=lambda label: -found[label]))
        low, step = steps(found)
        assert step == 1 or 0.0085 * low - 0.5 <= step <= 0.09 * low + 0.5
        bases.append(low)
    assert 5 <= min(bases) < 20
    assert 240 < max(bases) <= 254


@pytest.mark.parametrize("lang", LANGS)
def test_every_order_is_equally_likely(lang: str) -> None:
    found = Counter(
        sort.TASK.generate(seed=1, index=index, lang=lang, length=5).solution
        for index in range(600)
    )
    assert sorted(found) == ORDERS
    assert sum((count - 100) ** 2 / 100 for count in found.values()) < EVEN
    assert sort.TASK.guess_rate(sort.TASK.generate(lang=lang)) == 1 / 6


@pytest.mark.parametrize("lang", LANGS)
def test_the_lengths_are_those_of_the_unit_that_the_language_counts(lang: str) -> None:
    """No digit, hyphen or apostrophe, no other script: nothing whose counting is debatable."""
    letters = {
        "en": "[A-Za-z ,.?!]+",
        "zh": "[\u4e00-\u9fff，、。？！]+",
        "ko": "[\uac00-\ud7a3 ,.?!]+",
    }
    for index in range(100):
        for text in texts(sort.TASK.generate(lang=lang, index=index)).values():
            assert re.fullmatch(letters[lang], text), text


@pytest.mark.parametrize("lang", LANGS)
def test_answer_words_are_never_units(lang: str) -> None:
    reserved = {"en": "yes|no|same", "zh": "不|是|否|相同", "ko": "같음|아니요|아니오"}
    for index in range(30):
        item = sort.TASK.generate(lang=lang, index=index, length=254)
        for text in texts(item).values():
            assert not re.search(rf"\b(?:{reserved[lang]})\b", text.lower())


@pytest.mark.parametrize("lang", LANGS)
def test_levels_grow_in_length(lang: str) -> None:
    longest = 0
    for level in range(10):
        found = [
            min(lengths(sort.TASK.generate(index=index, lang=lang, level=level)).values())
            for index in range(10)
        ]
        assert min(found) > longest
        longest = max(found)
    assert longest <= 254


@pytest.mark.parametrize("lang", LANGS)
def test_levels_grow_in_how_near_the_lengths_are(lang: str) -> None:
    shares = []
    for level in range(10):
        found = [
            steps(lengths(sort.TASK.generate(index=index, lang=lang, level=level)))
            for index in range(5)
        ]
        # Of the shortest texts, the next length is the nearest that there is.
        assert all(step == 1 or step <= 0.09 * low + 0.5 for low, step in found)
        shares.append(sum(step for _, step in found) / sum(low for low, _ in found))
    assert shares[2] > 2 * shares[6]
    assert shares[9] < 0.012


def test_ranges_are_met_at_both_ends_and_may_be_tuples_or_lists() -> None:
    items = [sort.generate(length=(5, 7), index=index) for index in range(60)]
    assert {min(lengths(item).values()) for item in items} == {5, 6, 7}
    assert items[0] == sort.generate(length=[5, 7])


@pytest.mark.parametrize("lang", LANGS)
def test_the_longest_item_that_may_be_asked_for_is_made(lang: str) -> None:
    found = [
        steps(lengths(sort.TASK.generate(lang=lang, length=4096, index=index))) for index in (0, 1)
    ]
    assert all(low == 4096 and 35 <= step <= 369 for low, step in found)


@pytest.mark.parametrize("length", [4, 4097, "10", 10.0, True, (9, 6), (6,), (5, 6, 7), {5}])
def test_an_impossible_length_is_one_clear_error(length: object) -> None:
    with pytest.raises(DifficultyError, match=r"^length=[^\n]*$"):
        sort.TASK.generate(length=length)


# Users' own sources.


def test_texts_cut_from_a_users_text_have_the_lengths_too(tmp_path: Path) -> None:
    raw = "It's a well-known 3rd “fact”, isn't it? Yes: no twenty-one; ½ of the naïve same café! "
    text = write(tmp_path / "odd.txt", raw * 40)
    for index in range(40):
        item = sort.generate(text=text, length=(5, 60), index=index)
        counted = {label: len(passage.split()) for label, passage in texts(item).items()}
        assert item.solution == "".join(sorted(counted, key=lambda label: -counted[label]))
        assert sorted(counted.values()) == sorted(item.meta["drawn"]["lengths"])
        assert not re.search(
            r"[0-9'’½-]|\b(?:yes|no|same)\b", "".join(texts(item).values()).lower()
        )


def test_a_text_too_short_for_the_longest_passage_is_one_clear_error(tmp_path: Path) -> None:
    text = write(tmp_path / "short.txt", "one two three four five six")
    with pytest.raises(SourceError, match=r"^[^\n]*6 usable units[^\n]*$"):
        sort.generate(text=text, length=5)


# Judging.


@pytest.mark.sampled(4)
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(
    "form",
    [
        "{}{}{}",
        "{} > {} > {}",
        "{}>{}>{}",
        "{}, {}, {}",
        "{},{},{}",
        "{} {} {}",
        "{}\n{}\n{}",
        '["{}","{}","{}"]',
        "['{}', '{}', '{}']",
        "[{}, {}, {}]",
        "{}{}{}.",
        "{}{}{}。",
        "“{}{}{}”",
        "**{}{}{}**",
        "`{}{}{}`",
        "```\n{}{}{}\n```",
        "\n{}{}{}\n",
        "{}、{}、{}",
        "{}，{}，{}",
        "{} → {} → {}",
        "{} -> {} -> {}",
        "{}->{}->{}",
        "{}; {}; {}",
        "{} / {} / {}",
        "{} | {} | {}",
        "{}＞{}＞{}",
        "**{}** > **{}** > **{}**",
        "‘{}’, ‘{}’, ‘{}’",
        "{}\n\n{}\n\n{}",
        '```json\n["{}", "{}", "{}"]\n```',
        "{}\u200b{}\u200b{}",
        "{}--> {} --> {}",
        "({}, {}, {})",
        "[{} > {} > {}].",
        "1. {}\n2. {}\n3. {}",
        "- {}\n- {}\n- {}",
        "{}, {} and {}",
        "{}, {}, and {}",
        "{}, {} & {}",
        "${}{}{}$",
        "$${} > {} > {}$$",
        r"\({} > {} > {}\)",
        r"\text{{{}{}{}}}",
        "*{}{}{}*",
        r"${} \rightarrow {} \rightarrow {}$",
        r"\[{} \to {} \to {}\]",
        r"\boxed{{{}, {}, {}}}",
    ],
)
def test_the_order_is_the_same_answer_in_any_dress(order: str, form: str) -> None:
    item = item_with(order)
    for answer in (form.format(*order), form.format(*order.lower())):
        assert check(tagged(answer), item).code == "right", answer
    for other in ORDERS:
        if other != order:
            assert check(tagged(form.format(*other)), item).code == "wrong", other


def test_one_final_stop_is_free_after_a_list_too() -> None:
    for answer in ('["C", "A", "B"].', "[C, A, B]."):
        assert check(tagged(answer), item_with("CAB")).code == "right", answer


def test_fullwidth_letters_are_letters() -> None:
    assert check(tagged("ＣＡＢ"), item_with("CAB")).code == "right"
    assert check(tagged("［＂Ｃ＂，＂Ａ＂，＂Ｂ＂］"), item_with("CAB")).code == "right"


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "answer",
    [
        "CA",
        "C",
        "CABB",
        "CABC",
        "CAB CAB",
        "CAB, CBA",
        "CAB or CBA",
        "CAB/CBA",
        "CABCAB",
        "not CAB",
        "CAB?",
        "C < A < B",
        "C<A<B",
        "C ≥ A ≥ B",
        "C = A = B",
        "C > A = B",
        "C > AB",
        "an order is CAB",
        "C, and A, B",
        "C, A or B",
        "C and A and B",
        "C A B C",
        "2. C\n1. A\n3. B",
        "1. C\n3. A\n2. B",
        r"\text{CAB}\text{CBA}",
        "$CAB$ $CBA$",
        "1. C 2. A 3. B",
        "C: 12, A: 11, B: 10",
        "ABC ACB BAC BCA CAB CBA",
        "D A B",
        "CAD",
        "А В С",
        "СAB",
        "ⒸⒶⒷ",
        "🅲🅰🅱",
        "C, A",
        "?",
        '[["C","A","B"]]',
        '{"C","A","B"}',
        '["CAB", "CAB"]',
        "C A",
        "CxAxB",
        "C1A2B3",
        "C > A > B > C",
        "longest first",
        "no",
        "BAC (reversed)",
        "reverse of BAC",
        "!CAB",
        "-CAB",
    ],
)
def test_anything_but_one_order_of_three_letters_is_not_right(answer: str) -> None:
    for rule in ("exact", "graded"):
        assert score(tagged(answer), item_with("CAB"), rule=rule) == 0.0


@given(st.text('CABcab>,< \n[]"-→D=0', max_size=12))
def test_a_right_answer_names_each_letter_once_and_in_order(text: str) -> None:
    if score(tagged(text), item_with("CAB")):
        assert re.sub("[^A-Z0-9]", "", text.upper()) == "CAB"
        assert not re.search("[<=]", text)


@given(st.permutations("ABC"), st.permutations("ABC"))
def test_verify_compares_whole_orders(answer: list[str], order: list[str]) -> None:
    assert sort.verify(answer, {"order": order}) == (answer == order)
    assert sort.verify(tuple(answer), {"order": order}) == (answer == order)
