"""Cutting an answer into its parts: every way to list them, and folding only afterwards."""

import json

import pytest
from growth import linear
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenbench.text.answer_text import split_list
from tokenbench.text.normalize import straight_quotes

many_examples = settings(max_examples=3 * settings().max_examples)
SEPARATORS = [
    " ",
    "\t",
    "\n",
    "\r\n",
    "\u3000",
    "\xa0",
    ",",
    "，",
    "、",
    "､",
    ";",
    "；",
    "/",
    "／",
    "|",
    "｜",
    ">",
    "＞",
    "→",
    "->",
    "-->",
    "->>",
    "·",
    "・",
]
separators = st.lists(st.sampled_from(SEPARATORS), min_size=1, max_size=3).map("".join)
words = st.lists(
    st.sampled_from(["C", "A", "B", "猫", "가", "two", "well-known", "it's", "3"]), min_size=1
)
WRAPS = [("**", "**"), ("`", "`"), ('"', '"'), ("'", "'"), ("“", "”"), ("‘", "’"), ("「", "」")]
wraps = st.sampled_from(WRAPS)


@many_examples
@given(words, st.data())
def test_parts_stand_between_separators_in_any_mix(listed: list[str], data: st.DataObject) -> None:
    text = "".join(word + data.draw(separators) for word in listed[:-1]) + listed[-1]
    assert split_list(text) == listed


@pytest.mark.parametrize("separator", SEPARATORS)
def test_each_separator_separates_and_may_stand_outside(separator: str) -> None:
    assert split_list(f"C{separator}A{separator}B") == ["C", "A", "B"]
    assert split_list(f"{separator}C {separator} A{separator}") == ["C", "A"]


@pytest.mark.parametrize(
    "text", ["CAB", "C-A", "C--A", "C.A", "C:A", "C=A", "C+A", "C&A", "C_A", "C–A"]
)
def test_other_marks_do_not_separate(text: str) -> None:
    assert split_list(text) == [text]


@pytest.mark.parametrize("text", ["", " ", ",", " , ;\n", ">", "->", "[]", "[ ]", "\u200b"])
def test_there_may_be_no_parts(text: str) -> None:
    assert split_list(text) == []


@many_examples
@given(words, wraps)
def test_the_parts_and_the_whole_come_without_their_quotes(
    listed: list[str], wrap: tuple[str, str]
) -> None:
    left, right = wrap
    listed = [word for word in listed if straight_quotes(right) not in word]
    assert split_list(", ".join(left + word + right for word in listed)) == listed
    assert split_list(f"{left}{' > '.join(listed)}{right}") == listed or not listed


@pytest.mark.parametrize("stop", ".。．｡")
@pytest.mark.parametrize("text", ["C, A, B", "C A B", '"C", "A", "B"', "C、A、B", "C\nA\nB"])
def test_one_final_stop_is_free(text: str, stop: str) -> None:
    assert split_list(text + stop) == ["C", "A", "B"]


@pytest.mark.parametrize(
    "text",
    [
        '["C", "A", "B"].',
        '```json\n["C", "A", "B"]\n```',
        "**C, A, B**.",
        '"C, A, B".',
        "“C, A, B”。",
        "`C > A > B`.",
        "**C, A, B.**",
        "“C、A、B。”",
    ],
)
def test_a_final_stop_is_free_outside_and_inside_the_wrapping_of_a_list(text: str) -> None:
    assert split_list(text) == ["C", "A", "B"]


@many_examples
@given(
    st.lists(st.text(st.sampled_from('CAB猫가, >、é\\"\n'), min_size=1).map(str.strip).filter(bool))
)
def test_a_json_list_is_cut_by_json_alone(listed: list[str]) -> None:
    expected = [part for part in listed if part]
    for text in (json.dumps(listed), json.dumps(listed, ensure_ascii=False, indent=1)):
        assert len(split_list(text)) == len(expected)


@pytest.mark.parametrize(
    "text",
    [
        '["C","A","B"]',
        '[ "C" , "A" , "B" ]',
        '["C",\n"A",\n"B"]',
        "[“C”, “A”, “B”]",
        "['C', 'A', 'B']",
        "[C, A, B]",
        "[C,A,B]",
        "［C，A，B］",
        "［“C”，“A”，“B”］",
        "[C，A，B]",
        '**["C","A","B"]**',
        '`["C","A","B"]`',
        '```\n["C","A","B"]\n```',
        "```\nC\nA\nB\n```",
        "\u200bC\u200b, A, B\ufeff",
        "C.\nA.\nB.",
        "“C” > “A” > “B”",
        "**C**, **A**, **B**",
    ],
)
def test_all_these_are_the_same_answer(text: str) -> None:
    assert split_list(text) == ["C", "A", "B"]


@pytest.mark.parametrize(
    "text", ['[["C"]]', "[1, 2]", '{"a": 1}', "[null]", '["C"', '"C"]', "[1e999]", "[" * 9000]
)
def test_other_json_is_not_a_list_of_parts(text: str) -> None:
    assert not {"C", "1", "2", "a", "null"} & set(split_list(text))


@pytest.mark.parametrize(
    ("text", "listed"),
    [("C, A]", ["C", "A]"]), ("[C, A", ["[C", "A"]), ("[[C, A]", ["[[C", "A]"])],
)
def test_brackets_that_do_not_hold_the_list_stay(text: str, listed: list[str]) -> None:
    assert split_list(text) == listed


def test_parts_are_never_folded_into_one_another() -> None:
    assert split_list("ㅊ, ㅔ") == ["ㅊ", "ㅔ"]
    assert split_list("ᄎ \u1166") == ["ᄎ", "\u1166"]
    assert split_list("2, ²") == ["2", "²"]
    assert split_list("！, !") == ["！", "!"]


def test_a_part_may_be_a_quote_or_a_stop() -> None:
    assert split_list('"') == ['"']
    assert split_list(".") == ["."]
    assert split_list("。") == ["。"]


@many_examples
@given(st.text(st.characters(exclude_categories=()) | st.sampled_from("[]\"'`*,> \n.\\{}")))
def test_any_text_has_parts_that_are_not_empty(text: str) -> None:
    found = split_list(text)
    assert all(isinstance(part, str) and part for part in found)


@many_examples
@given(st.lists(st.sampled_from(["C", "a-b", "it's", "猫", "é", "…"])))
def test_the_parts_of_listed_parts_are_the_same(listed: list[str]) -> None:
    assert split_list("\n".join(split_list(" > ".join(listed)))) == listed


@pytest.mark.parametrize("filling", ["-", "->", " ", "> ", ",", "[", "]", '"', "`", "*"])
def test_a_long_answer_is_cut_at_once(filling: str) -> None:
    assert linear(lambda text: split_list(f"C{text}A"), filling, 48_000)
