"""Shortcuts: they answer as their names say, learned rules find planted leaks, and few pay."""

import runpy
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest

from tokenbench import Item, dataset, score
from tokenbench.answers import Number, YesNo
from tokenbench.cli.options import part_names
from tokenbench.draw import Draw
from tokenbench.errors import TokenbenchError
from tokenbench.tasks import Question, Task, TaskRef, register, task
from tokenbench.tasks.sizes import n_instances
from tokenbench.tasks.spec import ItemSpec
from tokenbench.testing import ShortcutReport, learn_shortcuts, measure_shortcuts, shortcuts

SCRIPT: Final = Path(__file__).parents[2] / "docs" / "shortcuts.py"
N_PARTS: Final = 40
N_ITEMS, N_LEARNED = 150, 400
# Standard deviations above a limit: the best of many shortcuts is a lucky one.
LUCK: Final = 3.5
COUNT: Final = Item(
    "count_char", 2, "en", None, "How many “n” are in “banana”?", {"answer": 2}, "2"
)
LISTS: Final = "Compare.\n\nFirst: {}\n\nSecond: {}"


def text_item(name: str, variant: str, prompt: str, lang: str = "en") -> Item:
    target = {"text": "?", "given": "?", "folds": []}
    return Item(name, task(name).version, lang, variant, prompt, target, "?")


def answers(item: Item) -> dict[str, str]:
    tags = ("<answer>", "</answer>")
    return {
        name: completion.removeprefix(tags[0]).removesuffix(tags[1])
        for name, completion in shortcuts(item).items()
    }


def test_numbers_follow_from_presence_and_length() -> None:
    found = answers(COUNT)
    assert found["1 if the unit is there, else 0"] == "1"
    assert found["2 if the unit is there, else 1"] == "2"
    assert (found["length"], found["length - 1"], found["half the length"]) == ("6", "5", "3")
    assert (found["the unit"], found["the text that is asked about"]) == ("n", "banana")
    assert found["always 0"] == "0"
    absent = Item("count_char", 2, "en", None, "How many “x” are in “banana”?", {"answer": 0}, "0")
    assert answers(absent)["1 if the unit is there, else 0"] == "0"


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        pytest.param(
            text_item("swap", "char", "Swap “a” and “d” in “abcd”."),
            {
                "reversed": "dcba",
                "the first two exchanged": "bacd",
                "the first and the last exchanged": "dbca",
                "the first unit moved to the place of the other": "bca",
                "the second unit moved behind the other": "adbc",
                "the first occurrences exchanged": "dbca",
            },
            id="swap characters",
        ),
        pytest.param(
            text_item("insert", "char", "Insert “x” after each “n” in “banana”."),
            {
                "the new unit at the end": "bananax",
                "the new unit at the beginning": "xbanana",
                "the new unit after the first occurrence only": "banxana",
                "the new unit after the last occurrence only": "bananxa",
                "the new unit in place of the last occurrence only": "banaxa",
                "without the first occurrence only": "baana",
                "without the first": "anana",
                "without the last": "banan",
            },
            id="insert characters",
        ),
        pytest.param(
            text_item("delete", "word", "Delete “the” from this.\n\nOn the hill, the sun rose."),
            {
                "without the first occurrence only": "On hill, the sun rose.",
                "without the last occurrence only": "On the hill, sun rose.",
                "without the last": "On the hill, the sun.",
            },
            id="delete words",
        ),
        pytest.param(
            text_item("substitute", "word", "把“我”换成“他”。\n\n我说，我来了。", "zh"),
            {"the new unit in place of the first occurrence only": "他说，我来了。"},
            id="words without spaces",
        ),
        pytest.param(
            Item("sort", 1, "en", None, "Sort.\n\nA: one\n\nB: a, b, c.", {}, "BA"),
            {"by the number of punctuation marks": "BA", "by the number of characters": "BA"},
            id="orders",
        ),
        pytest.param(
            Item("diff", 1, "en", None, LISTS.format("a b", "b a c c"), {}, "c"),
            {"the commonest token": "c", "the last token": "c", "always “same”": "same"},
            id="tokens",
        ),
        pytest.param(
            Item("compm", 1, "en", "split", "Split “notebook” into two.", {}, "note, book"),
            {"2 pieces of equal length": "note, book"},
            id="parts",
        ),
        pytest.param(
            Item("lenop", 1, "en", "write", "About “jazz”, write exactly 4 words.", {}, "?"),
            {"the topic, aa, ab, ac …": "jazz aa ab ac"},
            id="text of a length",
        ),
        pytest.param(
            Item("spell_inverse", 1, "en", "char", "Join “c a t”.", {}, "cat"),
            {"reversed": "t a c", "the text that is asked about": "c a t"},
            id="spaces are no units",
        ),
        pytest.param(
            Item("contains_part", 1, "zh", None, "“猛”里有“犭”吗？请答“是”或“否”。", {}, "是"),
            {"the unit": "犭", "the text that is asked about": "猛", "always yes": "是"},
            id="words to answer with are no units",
        ),
        pytest.param(
            text_item("trap", "second", "“notebook” is two words, and “no” is the first."),
            {"the longest known word at the end": "book", "the last character": "k"},
            id="traps",
        ),
    ],
)
def test_strategies_answer_as_their_names_say(item: Item, expected: dict[str, str]) -> None:
    found = answers(item)
    assert {name: found.get(name) for name in expected} == expected


def test_no_shortcut_depends_on_the_answer() -> None:
    """Items that differ in target and solution alone have the same shortcuts."""
    for name in ("freq", "contains", "swap", "sort", "trap", "compm"):
        item = dataset(name, n=1)[0]
        blank = Item(item.task, item.version, item.lang, item.variant, item.prompt, {}, "")
        assert shortcuts(item) == shortcuts(blank)


def leaky(_spec: ItemSpec, draw: Draw) -> Question:
    letter, n = draw.choice("abcdefgh"), draw.below(10**6)
    return Question(f"Is “{letter}” in “word{n}”?", answer=letter in "abc")


def fair(_spec: ItemSpec, draw: Draw) -> Question:
    letter, n = draw.choice("abcdefgh"), draw.below(10**6)
    return Question(f"Is “{letter}” in “word{n}”?", answer=draw.below(2) == 1)


def same_texts(_spec: ItemSpec, draw: Draw) -> Question:
    n = draw.below(20)
    return Question(f"How much is “word{n}”?", answer=1000 + n)


@contextmanager
def toy(sample: Any, answer: Any, guess: float) -> Iterator[str]:
    record = Task(name="toy", doc="A toy.", answer=answer, sample=sample, guess=lambda _: guess)
    with register(record):
        yield record.name


def test_learned_rules_find_a_planted_leak() -> None:
    with toy(leaky, YesNo(), 0.625) as name:
        report = measure_shortcuts(name, n=200, n_learned=400)
    assert report.rewards["the commonest answer for the unit"] == report.reward == 1.0
    assert report.excess == pytest.approx(0.375)
    assert report.rewards["always no"] == pytest.approx(0.625, abs=0.1)


def test_learned_rules_find_nothing_in_a_fair_task() -> None:
    with toy(fair, YesNo(), 0.5) as name:
        report = measure_shortcuts(name, n=400, n_learned=400)
    assert report.guess_rate == 0.5
    assert report.excess < 0.1


def test_to_remember_a_text_is_not_a_shortcut() -> None:
    """Items about the same text do not count for the rules that answer it."""
    with toy(same_texts, Number(field="count"), 0.05) as name:
        report = measure_shortcuts(name, n=100, n_learned=400)
    assert report.excess < 0.1


def test_rules_fall_back_to_the_commonest_answer() -> None:
    learned = learn_shortcuts([COUNT])
    unseen = Item("count_char", 2, "en", None, "How many “e” are in “tree”?", {"answer": 2}, "2")
    found = shortcuts(unseen, learned)
    assert found["the commonest answer for the unit"] == "<answer>2</answer>"
    assert found["the commonest answer for nothing"] == "<answer>2</answer>"
    assert score(found["the commonest answer for nothing"], unseen) == 1.0


def test_a_question_that_quotes_nothing_has_its_commonest_answer() -> None:
    report = measure_shortcuts("compm:ko:combine", n=5, n_learned=5)
    assert "the commonest answer for nothing" in report.rewards
    empty = ShortcutReport("toy", 5, 0.1, {})
    assert (empty.best, empty.reward) == ("", 0.0)


def test_rules_need_items() -> None:
    with pytest.raises(TokenbenchError, match="at least one item"):
        learn_shortcuts([])
    with pytest.raises(TokenbenchError, match="n_learned"):
        measure_shortcuts("sort", n=1, n_learned=0)


def test_a_report_names_the_part_as_it_was_measured() -> None:
    report = measure_shortcuts("contains@3", n=5, n_learned=5)
    assert (report.part, report.n_items) == ("contains:en:char@3", 5)


@pytest.fixture(scope="module")
def script() -> dict[str, Any]:
    sys.path.insert(0, str(SCRIPT.parent))
    try:
        return runpy.run_path(str(SCRIPT))
    finally:
        sys.path.remove(str(SCRIPT.parent))


def test_the_page_lists_strategies_and_parts(script: dict[str, Any]) -> None:
    report = ShortcutReport("contains:en:char@3", 10, 0.5, {"always yes": 0.55, "echo": 0.7})
    page = script["text"]([report], 10, 30)
    instances = n_instances("contains", task("contains").spec(level=3))
    assert f"| `contains:en:char` | 3 | {instances:,} | 0.50 | echo | 0.70 |" in page
    assert script["excess"](report) == "contains:en:char@3: echo earns 0.70, and may earn 0.60"
    assert not script["excess"](report, deviations=1.0)


@pytest.mark.parametrize(
    ("part", "shortcut", "highest"),
    [
        ("contains:en:char@3", "always yes", 0.2),
        ("swap:en:char", "reversed", 0.2),
        ("insert:en:char@0", "the new unit at the end", 0.25),
        ("insert:en:char@0", "the new unit after the first occurrence only", 0.6),
        ("insert:zh:char@0", "the new unit after the first occurrence only", 0.6),
        ("delete:hi:word", "without the last occurrence only", 0.6),
        ("delete:hi:word", "the new unit after the first occurrence only", 0.2),
        ("sort:zh", "by the number of punctuation marks", 0.3),
        ("sort:ko", "by the number of spaces", 0.3),
    ],
)
def test_limits_are_those_of_a_part_its_task_or_a_shortcut(
    part: str, shortcut: str, highest: float, script: dict[str, Any]
) -> None:
    report = ShortcutReport(part, 10, 0.1, {shortcut: 1.0})
    assert script["max_reward"](report, shortcut) == pytest.approx(highest)


def test_limits_name_shortcuts_and_tasks_that_exist(script: dict[str, Any]) -> None:
    for (place, shortcut), limit in script["LIMITS"].items():
        ref = TaskRef.parse(place)
        items = dataset(task(ref.task), lang=ref.lang, n=30)
        learned = learn_shortcuts(items)
        assert not shortcut or any(shortcut in shortcuts(item, learned) for item in items)
        assert limit.reason.endswith(".")


def test_exceptions_raise_the_limit_of_their_task(script: dict[str, Any]) -> None:
    report = ShortcutReport("contains:en:char@3", 10, 0.5, {"always yes": 0.75, "echo": 0.7})
    script["EXCEPTIONS"]["contains", "echo"] = script["Limit"]("A reason.", 0.7)
    try:
        assert script["max_reward"](report, "echo") == 0.7
        assert script["max_reward"](report, "always yes") == 0.6
    finally:
        del script["EXCEPTIONS"]["contains", "echo"]


@pytest.mark.parametrize("number", range(N_PARTS))
def test_no_shortcut_pays(number: int, script: dict[str, Any]) -> None:
    """A sample of parts and levels; docs/shortcuts.md has all of them."""
    draw = Draw("shortcuts", number)
    ref = TaskRef.parse(draw.choice(part_names()))
    ref = ref._replace(level=draw.choice([None, *task(ref.task).levels]))
    report = measure_shortcuts(ref, n=N_ITEMS, n_learned=N_LEARNED)
    assert not script["excess"](report, deviations=LUCK)
