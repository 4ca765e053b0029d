"""EXECUTE as published: CUTE's files under a language, in scripts with and without spaces."""

from pathlib import Path

import pytest

from tokenbench import prompt, score
from tokenbench.errors import ItemError, SourceError
from tokenbench.item import Item
from tokenbench.published import execute
from tokenbench.published.audit import findings
from tokenbench.testing.item_facts import completion_for

HEAD = "input1\tinput2\tlabel\n"


def write(root: Path, name: str, content: str) -> Path:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode())
    return root


def one(root: Path, name: str, *cells: str) -> tuple[Item, list[tuple[str, str]]]:
    """Return the item that a row becomes, and the findings about it."""
    names = [f"input{number}" for number in range(1, len(cells))]
    write(root, name, "\n".join("\t".join(row) for row in ([*names, "label"], cells)))
    (item,) = execute.read(root)
    return item, [(found.code, found.reason) for found in findings([item])]


@pytest.mark.parametrize(
    ("folder", "lang"),
    [
        ("data/am", "am"),
        ("am/data", "am"),
        ("amh", "am"),
        ("Amharic", "am"),
        ("data/German/test", "de"),
        ("ger", "de"),
        ("zh-Hant", "zh-hant"),
        ("zh/en", "en"),
        ("xhosa", "xh"),
        ("tr", "tr"),
    ],
)
def test_a_folder_names_the_language(tmp_path: Path, folder: str, lang: str) -> None:
    item, found = one(tmp_path, f"{folder}/spell.tsv", "aba", "a b a")
    assert (item.lang, item.meta["file"], found) == (lang, f"{folder}/spell.tsv", [])
    assert score("<answer>a b a</answer>", item) == 1.0
    assert len(prompt(item)) > len(item.prompt)


def test_files_come_in_the_order_of_their_names(tmp_path: Path) -> None:
    for name in ("ko", "de", "am"):
        write(tmp_path, f"{name}/del_char.tsv", HEAD + "a\tab\tb\n")
    assert [item.lang for item in execute.read(tmp_path)] == ["am", "de", "ko"]


@pytest.mark.parametrize("folder", ["", "data/", "model_outputs/"])
def test_files_outside_a_language_are_named(tmp_path: Path, folder: str) -> None:
    with pytest.raises(SourceError, match=r"'.*spell.tsv' is in no folder named by a language"):
        one(tmp_path, f"{folder}spell.tsv", "a", "a")


CASES = [
    ("zh", "del_word", ("学校", "我们去学校。", "我们去。"), []),
    ("zh", "del_word", ("学校", "我们 去 学校 。", "我们去。"), []),
    ("zh", "del_word", ("学校", "我们 去 学校 。", "我们 去 。"), []),
    ("zh", "ins_word", ("新", "去", "我们去学校。", "我们去新学校。"), []),
    ("zh", "swap_word", ("猫", "狗", "猫看狗。", "狗看猫。"), []),
    ("zh", "sub_word", ("去", "到", "我们去学校。", "我们到学校。"), []),
    (
        "zh",
        "del_word",
        ("学", "学生去学。", "学生去。"),
        [("several", "what stands within other words is left")],
    ),
    (
        "zh",
        "contains_word",
        ("学", "学生来。", "No"),
        [("several", "what stands within other words is left")],
    ),
    ("ja", "contains_word", ("猫", "猫が寝る。", "はい"), []),
    ("ja", "contains_word", ("猫", "猫が寝る。", "Yes"), []),
    ("ru", "del_word", ("кот", "Кот и кот спят.", "Кот и спят."), []),
    ("am", "swap_word", ("ቤት", "ልጅ", "ቤት እና ልጅ።", "ልጅ እና ቤት።"), []),
    ("hi", "spell", ("क्षमा", "क्ष मा"), []),
    (
        "hi",
        "spell",
        ("क्षमा", "क् ष मा"),
        [("several", "conjuncts are taken apart, as before Unicode 15.1")],
    ),
    (
        "hi",
        "del_char",
        ("ष", "क्षमा", "क्मा"),
        [("several", "conjuncts are taken apart, as before Unicode 15.1")],
    ),
    ("ko", "ins_char", ("가", "나", "나비", "나가비"), []),
]


@pytest.mark.parametrize(("lang", "stem", "cells", "found"), CASES)
def test_labels_in_many_scripts(
    tmp_path: Path, lang: str, stem: str, cells: tuple[str, ...], found: list[tuple[str, str]]
) -> None:
    item, told = one(tmp_path, f"{lang}/{stem}.tsv", *cells)
    assert told == found
    for rule in ("exact", "graded"):
        assert score(completion_for(item.solution, item, rule), item, rule=rule) == 1.0
    assert score(completion_for(cells[-1], item, "published"), item, rule="published") == 1.0


def test_other_spaces_are_free_where_none_are_written(tmp_path: Path) -> None:
    item, _ = one(tmp_path, "zh/del_word.tsv", "学校", "我们 去 学校 。", "我们 去 。")
    for answer in ("我们去。", "我们 去。"):
        assert score(f"<answer>{answer}</answer>", item) == 1.0
    assert score("<answer>我们去学校。</answer>", item) == 0.0


@pytest.mark.parametrize(
    ("name", "inputs", "label", "task"),
    [
        ("zh/decompose.tsv", "把", "扌 巴", "decompose"),
        ("ja/decompose.tsv", "語", "言 吾", "decompose"),
        ("ko/char_to_jamo.tsv", "값", "ㄱ ㅏ ㅄ", "decompose"),
        ("zh/compose.tsv", "扌 巴", "把", "compose"),
        ("ko/jamo_to_char.tsv", "ㄱ ㅏ ㅄ", "값", "compose"),
        ("zh/contains_radical.tsv", "口\t品", "是", "contains_part"),
        ("ko/contains_jamo.tsv", "ㅂ\t가", "아니요", "contains_part"),
        ("ja/kanji-to-kana.tsv", "犬", "いぬ", "furigana"),
    ],
)
def test_rows_about_parts_are_those_of_our_tasks(
    tmp_path: Path, name: str, inputs: str, label: str, task: str
) -> None:
    item, found = one(tmp_path, name, *inputs.split("\t"), label)
    assert (item.task, item.variant, found) == (task, None, [])
    assert score(f"<answer>{label}</answer>", item) == 1.0
    assert score(f'Answer: "{label}"', item, rule="published") == 1.0
    assert score("<answer>x</answer>", item) == 0.0
    assert "\n" not in item.prompt
    assert len(item.prompt) > len(inputs) + 5


@pytest.mark.parametrize("inputs", ["값", "ab", "1 2 3 4 5 6"])
def test_rows_that_no_task_of_ours_asks_have_the_published_rule_only(
    tmp_path: Path, inputs: str
) -> None:
    item, found = one(tmp_path, "ko/decompose.tsv", inputs, "x")
    assert (item.task, item.prompt) == ("decompose", inputs)
    assert [code for code, _ in found] == ["unclear"]
    assert score('Answer: "x"', item, rule="published") == 1.0
    with pytest.raises(ItemError):
        score("<answer>x</answer>", item)


def test_a_file_of_another_task_has_the_published_rule_only(tmp_path: Path) -> None:
    item, found = one(tmp_path, "ko/weather.tsv", "값", "ㄱ ㅏ ㅄ")
    assert (item.task, item.variant, item.prompt, found) == ("weather", None, "값", [])
    assert score('Answer: "ㄱ ㅏ ㅄ"', item, rule="published") == 1.0


def test_exceptions_are_those_of_the_files(tmp_path: Path) -> None:
    write(tmp_path, "de/del_char.tsv", HEAD + "a\tab\tb\na\tab\tab\n")
    (found,) = findings(execute.read(tmp_path))
    assert (found.item.meta["row"], found.code, found.answers) == (1, "wrong", ("b",))
