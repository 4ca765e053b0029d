"""Published rows of odd forms: right labels written carelessly, tokens with marks of their own."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tase_files import BITMAP, DIFF, ROWS, items

from tokenbench import score
from tokenbench.errors import ItemError
from tokenbench.item import Item
from tokenbench.published.audit import accepts, findings
from tokenbench.published.rows import strip_label

CARELESS = [" {}", "{}\n", "{}.", "{}。", '"{}"', "“{}”", "{};", "{}\u200b", "**{}**", "{} ."]


def committed(answer: str, item: Item) -> float:
    return score(f"<answer>{answer}</answer>", item)


def options(label: str) -> list[str]:
    return [option for option in strip_label(label).split(";") if option]


@pytest.mark.parametrize("careless", CARELESS)
def test_a_right_label_is_right_however_carelessly_written(tmp_path: Path, careless: str) -> None:
    """Stops, quotes and separators are none of it, but a final separator is in no answer."""
    rows = [(*row[:4], careless.format(row[4])) for row in ROWS]
    found = items(tmp_path, *rows)
    assert len(found) == len(ROWS)
    for item in found:
        (plain,) = (row[4] for row in ROWS if row[3] == item.prompt)
        assert all(committed(option, item) == 1.0 for option in options(plain))
        assert committed(item.solution, item) == 1.0
    doubts = [finding for finding in findings(found) if finding.code != "several"]
    assert {doubt.reason for doubt in doubts} <= {"it is right but for the marks around it"}
    assert [doubt.item for doubt in doubts] == [item for item in found if not accepts(item)]
    assert careless.endswith(";") or not doubts


@pytest.mark.parametrize("mark", list("。、.'\"“;,-~"))
def test_a_mark_that_is_the_label_stays(tmp_path: Path, mark: str) -> None:
    """Of a bitmap that shows a mark, the label is that mark and nothing around it."""
    row = ("dot_matrix", "match_answer", "bitmap_classification_final", BITMAP, mark)
    (item,) = items(tmp_path, row)
    assert item.solution == mark
    assert committed(mark, item) == 1.0
    assert accepts(item)


@pytest.mark.parametrize(
    ("lang", "first", "second", "label"),
    [
        ("english", "fog u.s. owl", "owl fog", "u.s."),
        ("english", "fog she/he owl", "owl fog", "she/he"),
        ("english", "fog Don’t owl", "owl fog", "don’t"),
        ("english", "fog rock'n'roll owl", "owl fog", "rock'n'roll"),
        ("english", "fog dogs' owl", "owl fog", "dogs'"),
        ("english", "fog No owl", "owl fog", "no"),
        ("chinese", "山Ｔ水", "水山", "T"),
        ("chinese", "山3水", "水山", "3"),
        ("chinese", "山水…", "水山", "…"),
        ("korean", "산A물", "물산", "A"),
    ],
)
def test_whatever_token_differs_can_be_named(
    tmp_path: Path, lang: str, first: str, second: str, label: str
) -> None:
    """A token may hold a separator or a final stop; of characters, any script's may differ."""
    (item,) = items(
        tmp_path, ("diff_tokens", "diff", lang, DIFF.format(first, second), label, "delete")
    )
    for answer in (label, label.upper(), f"'{label}'", f"**{label}**."):
        assert committed(answer, item) == 1.0, answer
    assert committed(first, item) == committed("same", item) == 0.0
    assert not [finding for finding in findings([item]) if finding.code == "wrong"]


def test_both_differing_tokens_may_be_named_whatever_marks_they_hold(tmp_path: Path) -> None:
    prompt = DIFF.format("fog Don’t", "fog it’s")
    (item,) = items(tmp_path, ("diff_tokens", "diff", "english", prompt, "it’s", "modify"))
    for answer in ("don't, it's", "don’t and it’s", "it's", '["Don\'t", "It\'s"]'):
        assert committed(answer, item) == 1.0
    assert committed("don't, fog", item) == 0.0


def test_a_label_may_give_several_characters(tmp_path: Path) -> None:
    """Of a riddle that asks for one, each of them is right, and not both at once."""
    row = ("structure_riddle", "match_answer", "chinese", "(打一字)", "义／仪")
    (item,) = items(tmp_path, row)
    assert (committed("义", item), committed("仪", item), committed("义／仪", item)) == (1, 1, 0)
    assert [finding.code for finding in findings([item])] == ["several"]


@pytest.mark.parametrize("text", ["品河", "高洋"])
def test_counting_characters_with_a_component_is_another_question(
    tmp_path: Path, text: str
) -> None:
    """品 holds three 口: who counts one has counted characters, and the audit says so."""
    prompt = f'"{text}"的字形中有多少"口"存在'
    label = str(sum(char in "品高河" for char in text))
    (item,) = items(tmp_path, ("component_count", "number", "chinese", prompt, label))
    (finding,) = findings([item])
    assert (finding.code, finding.reason) == (
        "wrong",
        "it counts the characters that hold it, not how often they do",
    )
    assert committed(label, item) == 0.0


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[2])
@pytest.mark.parametrize("label", ["", "many"])
def test_an_item_without_a_known_answer_pays_nothing(
    tmp_path: Path, row: Sequence[str], label: str
) -> None:
    """Neither the prompt nor the label gives the answer: the target is not made up."""
    (item,) = items(tmp_path, (*row[:3], "?", label))
    assert label or any(finding.code in ("wrong", "unclear") for finding in findings([item]))
    for answer in ("0", "1", "None", "Same", "ABC", "?", "[]"):
        # A count that is not known cannot be judged, as one of CharBench without an answer.
        with suppress(ItemError):
            assert committed(answer, item) == 0.0


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[2])
def test_a_missing_label_is_not_a_right_answer(tmp_path: Path, row: Sequence[str]) -> None:
    """It is found, and nothing that says nothing is paid, or the item cannot be judged."""
    (item,) = items(tmp_path, (*row[:4], ""))
    assert any(finding.code in ("wrong", "unclear") for finding in findings([item]))
    assert accepts(item) is None
    for nothing in ("", " ", "''", ".", "\u200b", ";"):
        with suppress(ItemError):
            assert committed(nothing, item) == 0.0


def test_a_label_that_no_answer_can_meet_is_wrong_and_no_error(tmp_path: Path) -> None:
    """Such a row cannot be judged, but the audit reads on."""
    row = ("sort_lengths", "match_answer", "english", "Sort these.", "BA")
    (item,) = items(tmp_path, row)
    assert accepts(item) is False
    assert any(finding.code in ("wrong", "unclear") for finding in findings([item]))
    with pytest.raises(ItemError, match="'order' is each of A, B, C once"):
        committed("BA", item)


@given(st.text("。.;；, '\"“”**品a1​", max_size=8))
def test_cleaning_leaves_something_and_is_done_once(label: str) -> None:
    """A text of marks only stays; cleaning anew changes nothing that judging would notice."""
    assert bool(strip_label(label)) == bool(label.strip().replace("\u200b", ""))
    assert strip_label(strip_label(label)) in strip_label(label)
