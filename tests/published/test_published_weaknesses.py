"""The measured weaknesses of the published scorers, on rows as published of the structure tasks.

Answers they pay without a solution earn nothing by ours; right answers that they refuse earn
all. The rows are invented; see `tokenbench.published` for the weaknesses.
"""

from collections.abc import Iterator
from contextlib import ExitStack
from itertools import permutations
from pathlib import Path

import pytest
from tase_files import checkout

from tokenbench import compc, compm, dot, ridl, score, var
from tokenbench.item import Item
from tokenbench.published.tase import read
from tokenbench.tasks import register
from tokenbench.text.units import han

GROUPS = {
    "component_count": "number",
    "component_split": "match_answer",
    "component_split*": "split",
    "dot_matrix": "match_answer",
    "structure_riddle": "match_answer",
    "variant_normalize": "match_answer",
}
DOTS = "\n".join(str([column % 3 // 2 for column in range(row, row + 16)]) for row in range(16))
ROWS = {  # file: prompt and label
    "component_count/english": ('How many times does the letter "e" appear in sea bee?', "3"),
    "component_count/chinese": ('妈奶山好"的字形中有多少"女"存在', "3"),
    "component_count/korean": ('"갈날달"에서 "ㅏ"는 몇 회 출현하였습니까?', "3"),
    "component_split/en_combine": ("Combine {nel}, {tun} into one word.", "tunnel"),
    "component_split/zh_combine": ("使用“贝 才”可以组成哪个汉字？", "财"),
    "component_split/kor_combine": ("다음 자모를 조합하세요: ㅅ, ㅏ, ㅅ", "삿"),
    "component_split*/en_split": ("Split tunnel into from t to n, from n to l.", "tun, nel"),
    "component_split*/zh_split": ("请将“桃”拆分为可重新组合的基本部件.", "木,兆"),
    "component_split*/kor_split": ("'값'의 초성, 중성, 종성은 무엇인가요?", "ㄱ, ㅏ, ㅄ"),
    "dot_matrix/char_classification": ("Classify it.\ncharacter: 'ヂ'\n", "kana"),
    "dot_matrix/bitmap_type_classification": (f"Classify this bitmap.\n{DOTS}", "hanzi"),
    "dot_matrix/bitmap_classification_final": (f"Which one of (hanzi)?\n[{DOTS}]", "水"),
    "structure_riddle/chinese": ("有虫就有蚁(猜一字)", "义"),
    "structure_riddle/english": ("Fold your attire finally into case (6)", "crease"),
    "structure_riddle/korean": ("주제: Food\n초성: ㄸㅂㅇ", "떡볶이"),
    "variant_normalize/english": ("Recover it.\nWord: ꜱ𝖾а", "sea"),
    "variant_normalize/digital": ("Recover it.\nNumber: 𝟩Ꮞ𝟪", "748"),
    "variant_normalize/chinese": ("不修改标点符号：湜茬屾仩。", "是在山上。"),
}
COUNTS = [name for name in ROWS if "component_count" in name]
TEXTS = [name for name in ROWS if "*" not in name and name not in COUNTS]
SPLITS = [name for name in ROWS if "*" in name]
CATEGORIES = ("digit", "latin", "hanzi", "hangul", "kana", "greek", "symbol")
JAMO = [chr(code) for code in range(ord("ㄱ"), ord("ㅣ") + 1)]


@pytest.fixture(autouse=True)
def register_tasks() -> Iterator[None]:
    """Make the tasks known, whether or not they are in the catalog."""
    with ExitStack() as stack:
        for module in (compc, compm, dot, ridl, var):
            stack.enter_context(register(module.TASK))
        yield


@pytest.fixture(scope="module")
def items(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Item]:
    """Return the item of each row, as the reader makes it."""
    root: Path = tmp_path_factory.mktemp("tase")
    found = {}
    for name, (prompt, label) in ROWS.items():
        group, _, stem = name.partition("/")
        quoted = prompt.replace('"', '""')
        content = f'input,answer\n"{quoted}","{label}"\n'
        checkout(root, group.removesuffix("*"), GROUPS[group], **{stem: content})
        found[name] = read(root)[-1]
    return found


def scores_of(item: Item, answer: str) -> tuple[float, float, float]:
    """Return an answer's scores under `published`, `exact` and `graded`."""
    completion = answer if "<answer>" in answer else f"<answer>{answer}</answer>"
    published, exact, graded = (
        score(completion, item, rule=rule) for rule in ("published", "exact", "graded")
    )
    return published, exact, graded


@pytest.mark.parametrize("name", ROWS)
def test_the_label_is_right(items: dict[str, Item], name: str) -> None:
    item = items[name]
    assert scores_of(item, item.meta["label"]) == (1.0, 1.0, 1.0)
    assert scores_of(item, item.solution) == (1.0, 1.0, 1.0)


@pytest.mark.parametrize("name", ROWS)
def test_a_retracted_answer(items: dict[str, Item], name: str) -> None:
    """The first tag pays there, whatever a later one says."""
    item = items[name]
    first = f"<answer>{item.solution}</answer>"
    assert scores_of(item, f"{first} No: <answer>something else</answer>") == (1.0, 0.0, 0.0)
    assert scores_of(item, f"{first} No: <answer>0</answer>") == (1.0, 0.0, 0.0)


@pytest.mark.parametrize("name", COUNTS)
@pytest.mark.parametrize("form", ["-{}", "7.{}", "1/{}", "not {}", "2 or {}", "0 to {}", "<= {}"])
def test_numbers_with_something_before_them(items: dict[str, Item], name: str, form: str) -> None:
    assert scores_of(items[name], form.format(items[name].solution)) == (1.0, 0.0, 0.0)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("form", ["not {}", "z{}z", "{}, or none", "anything but {}"])
def test_texts_with_something_around_them(items: dict[str, Item], name: str, form: str) -> None:
    published, exact, graded = scores_of(items[name], form.format(items[name].solution))
    assert (published, exact) == (1.0, 0.0)
    assert graded == 0.0


def lists(candidates: list[str]) -> list[str]:
    return [separator.join(candidates) for separator in (", ", " ", "\n", "", "、")]


@pytest.mark.parametrize("name", [name for name in ROWS if "classification" in name])
def test_a_list_of_all_candidates(items: dict[str, Item], name: str) -> None:
    """All categories, or all common characters, hold the right one."""
    candidates = list(han()) if items[name].variant == "bitmap_to_char" else list(CATEGORIES)
    for text in lists(candidates):
        assert scores_of(items[name], text) == (1.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("name", "pieces"),
    [
        ("component_split/en_combine", ["nel", "tun"]),
        ("component_split/zh_combine", ["财", "材", "贝", "才"]),
        ("component_split/kor_combine", ["삿", "샷", "섯"]),
    ],
)
def test_a_list_of_all_combinations(items: dict[str, Item], name: str, pieces: list[str]) -> None:
    joined = ["".join(order) for order in permutations(pieces, len(pieces))]
    for text in lists(joined if "en_" in name else pieces):
        assert scores_of(items[name], text) == (1.0, 0.0, 0.0)


def test_all_jamo_for_a_syllable(items: dict[str, Item]) -> None:
    """Fifty-one jamo hold the three; place by place they have next to nothing right."""
    for text in lists(JAMO):
        published, exact, graded = scores_of(items["component_split*/kor_split"], text)
        assert (published, exact) == (1.0, 0.0)
        assert graded <= 3 / 51


def test_the_unsplit_word(items: dict[str, Item]) -> None:
    for word in ("tunnel", "Split tunnel into from t to n, from n to l", "tun nelt"):
        _, exact, graded = scores_of(items["component_split*/en_split"], word)
        assert exact == 0.0
        assert graded <= 0.5
    assert scores_of(items["component_split*/en_split"], "tunnel") == (1.0, 0.0, 0.0)


@pytest.mark.parametrize(
    "name", [name for name in ROWS if name.endswith(("zh_combine", "zh_split", "riddle/chinese"))]
)
def test_a_dump_of_common_characters(items: dict[str, Item], name: str) -> None:
    for text in lists(list(han())):
        published, exact, graded = scores_of(items[name], text)
        assert (published, exact) == (1.0, 0.0)
        assert graded < 0.01


@pytest.mark.parametrize(
    ("name", "answer", "share"),
    [
        ("component_split*/en_split", "nel, tun", 0.0),
        ("component_split*/kor_split", "ㅄ, ㅏ, ㄱ", 1 / 9),
        ("component_split*/en_split", "tun, nel, tun", 4 / 9),
        ("component_split*/kor_split", "ㄱ, ㅏ, ㅄ, ㄴ", 9 / 16),
        ("component_split*/zh_split", "木, 兆, 水", 4 / 9),
    ],
)
def test_wrong_orders_and_parts_too_many(
    items: dict[str, Item], name: str, answer: str, share: float
) -> None:
    """They earn no more than the square of their share of right places, or parts."""
    published, exact, graded = scores_of(items[name], answer)
    assert (published, exact) == (1.0, 0.0)
    assert graded == pytest.approx(share)


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("component_count/english", "３"),
        ("component_count/chinese", "3.0"),
        ("component_count/korean", "03"),
        ("component_split/kor_combine", "\u1109\u1161\u11ba"),
        ("component_split*/kor_split", "\u1100, \u1161, \u11b9"),
        ("component_split*/kor_split", "ㄱ > ㅏ > ㅄ"),
        ("component_split*/zh_split", "⽊,兆"),
        ("component_split*/zh_split", "兆 + 木"),
        ("structure_riddle/korean", "\u1104\u1165\u11a8\u1107\u1169\u11a9\u110b\u1175"),
        ("dot_matrix/bitmap_classification_final", "⽔"),
        ("dot_matrix/bitmap_type_classification", "Hanzi"),
        ("variant_normalize/english", "Sea."),
    ],
)
def test_other_spellings_of_a_right_answer(items: dict[str, Item], name: str, answer: str) -> None:
    assert scores_of(items[name], answer)[1:] == (1.0, 1.0)


@pytest.mark.parametrize("name", ROWS)
def test_right_answers_after_an_empty_tag_or_a_draft(items: dict[str, Item], name: str) -> None:
    """The published scorer reads the first tag, be it empty or within the reasoning."""
    item = items[name]
    right = f"<answer>{item.solution}</answer>"
    assert scores_of(item, f"<answer></answer> So: {right}") == (0.0, 1.0, 1.0)
    draft = f"<think>It may be <answer>0</answer>.</think>{right}"
    assert scores_of(item, draft) == (0.0, 1.0, 1.0)


def test_characters_beyond_the_main_block(tmp_path: Path) -> None:
    """𠜱 = 卑 + 刂 is a character like any other, as an answer and as a question."""
    row = "input,answer\n使用“卑 刂”可以组成哪个汉字？,𠜱\n"
    (item,) = read(checkout(tmp_path, "component_split", "match_answer", zh_combine=row))
    assert scores_of(item, "𠜱")[1:] == (1.0, 1.0)


def test_curly_apostrophes(tmp_path: Path) -> None:
    row = "input,answer\n\"Combine {ma'}, {am} into one word.\",ma'am\n"
    (item,) = read(checkout(tmp_path, "component_split", "match_answer", en_combine=row))
    assert scores_of(item, "ma’am") == (0.0, 1.0, 1.0)
