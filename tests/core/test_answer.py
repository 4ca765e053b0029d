"""Taking the answer out: the rules one by one, and agreement with a plain twin."""

import re
from collections.abc import Callable, Mapping
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenbench import check
from tokenbench.errors import UnknownNameError
from tokenbench.extraction import (
    EXTRACTS,
    IGNORED,
    MENTIONS,
    ExtractName,
    Unparsable,
    candidates,
    committed,
    explain_no_answer,
    is_mention,
    text_of,
)
from tokenbench.item import Item
from tokenbench.text.languages import LANGUAGES, language

many_examples = settings(max_examples=3 * settings().max_examples)
FLAGS = re.DOTALL | re.IGNORECASE | re.ASCII
FRAGMENTS = (
    "...",
    "answer",
    "…",
    "<answer>",
    "</answer>",
    "<think>",
    "</think>",
    "<ANSWER>",
    "</Answer>",
    "</THINK>",
    "<answer >",
    "< answer>",
    "<\u212answer>",
    "<anſwer>",
    "</thin\u212a>",
    "<answer/>",
    "<Think>",
    "\\boxed{",
    "{",
    "}",
    "<",
    ">",
    "</",
    "<<",
    "1",
    "2",
    " ",
    "\n",
    "\u200b",
    "\x00",
    "\ud800",
)
fragments = st.lists(st.sampled_from(FRAGMENTS), max_size=25).map("".join)


# The twins: the sentences of the design, in the plainest regular expressions.


def prose(text: str) -> str:
    """Return the text after the last `</think>`; nothing if a `<think>` is not closed."""
    text = re.split("</think>", text, flags=FLAGS)[-1]
    return "" if re.search("<think>", text, FLAGS) else text


def nonempty(texts: list[str]) -> list[str]:
    """Return the texts without outer space; empty ones are ignored."""
    stripped = [re.sub(rf"^[\s{IGNORED}]+|[\s{IGNORED}]+\Z", "", text) for text in texts]
    return [text for text in stripped if text]


def plain_only(text: str) -> list[str]:
    """Return the content of each pair with no other `<answer>` between."""
    return nonempty(re.findall("<answer>((?:(?!<answer>).)*?)</answer>", prose(text), FLAGS))


def mentions_format(pair: str) -> bool:
    """Return whether a short text is the tag's name or dots, with marks of these fragments."""
    mention = re.fullmatch(r"[ \n.…{}<>]*((?:answer)?)[ \n.…{}<>]*", pair, FLAGS)
    has_dots = ".." in pair or "…" in pair
    return len(pair) <= 40 and mention is not None and bool(mention[1] or has_dots)


def plain_answer(text: str) -> list[str]:
    """Return the last pair that does not mention the format, else the last mention."""
    pairs = plain_only(text)
    return ([pair for pair in pairs if not mentions_format(pair)] or pairs)[-1:]


def plain_open(text: str) -> list[str]:
    pairs = plain_only(text)
    if not all(map(mentions_format, pairs)):
        return plain_answer(text)
    unclosed = re.findall(r"<answer>((?:(?!</?answer>).)*)\Z", prose(text), FLAGS)
    return nonempty(unclosed) or pairs[-1:]


def plain_boxed(text: str) -> list[str]:
    """Return the content of the last box that a brace balances before the next box begins."""
    boxes = []
    for part in prose(text).split("\\boxed{")[1:]:
        ends = [i for i in range(len(part)) if part[: i + 1].count("}") > part[:i].count("{")]
        boxes += [part[: ends[0]]] if ends else []
    return nonempty(boxes)[-1:]


TWINS: dict[str, Callable[[str], list[str]]] = {
    "answer": plain_answer,
    "only": plain_only,
    "open": plain_open,
    "boxed": plain_boxed,
    "raw": lambda text: nonempty([text]),
}


@pytest.mark.parametrize("extract", EXTRACTS)
@many_examples
@given(text=fragments)
def test_every_extract_agrees_with_its_plain_twin(extract: ExtractName, text: str) -> None:
    assert candidates(text, extract) == TWINS[extract](text)


@pytest.mark.parametrize("extract", EXTRACTS)
@many_examples
@given(before=fragments, many=st.integers(0, 300), after=fragments)
def test_many_angles_that_begin_no_tag_change_nothing(
    extract: ExtractName, before: str, many: int, after: str
) -> None:
    text = before + "a < b " * many + after
    assert candidates(text, extract) == TWINS[extract](text)


@pytest.mark.parametrize("extract", EXTRACTS)
@pytest.mark.parametrize("angles", range(14))
def test_angles_right_before_a_tag_change_nothing(extract: ExtractName, angles: int) -> None:
    for before, after in (
        ("", "<answer>3</answer>"),
        ("<answer>3", "</answer>"),
        ("<answer>3</answer>", "<answer>4</answer>"),
        ("<think><answer>3</answer>", "</think>4"),
    ):
        text = before + "<" * angles + after
        assert candidates(text, extract) == TWINS[extract](text)


def test_there_is_a_twin_for_every_extract() -> None:
    assert set(TWINS) == set(EXTRACTS) == {"answer", "only", "open", "boxed", "raw"}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("<answer>3</answer>", ["3"]),
        ("", []),
        ("3", []),
        ("answer: 3", []),
        ("**3**", []),
        ("\\boxed{3}", []),
    ],
)
def test_only_a_pair_of_tags_is_an_answer(text: str, found: list[str]) -> None:
    assert candidates(text) == found


def test_everything_up_to_the_last_think_end_is_cut() -> None:
    text = "<think><answer>1</answer></think><answer>2</answer></think> <answer>3</answer>"
    assert candidates(text) == ["3"]


def test_a_think_end_needs_no_beginning() -> None:
    assert candidates("<answer>1</answer> hm </think><answer>2</answer>") == ["2"]


@pytest.mark.parametrize("extract", ["answer", "only", "open", "boxed"])
@pytest.mark.parametrize("before", ["", "<think>so</think>", "<answer>3</answer>\\boxed{3}"])
def test_an_unclosed_think_means_no_answer(extract: ExtractName, before: str) -> None:
    assert candidates(f"{before}<think><answer>3</answer>\\boxed{{3}}", extract) == []


def test_the_last_answer_tag_before_an_end_begins_the_pair() -> None:
    assert candidates("<answer>1<answer>2</answer>3</answer>") == ["2"]


def test_tags_are_in_any_ascii_case_and_in_no_other() -> None:
    assert candidates("<Answer>1</ANSWER><THINK></think><aNSWER>2</answeR>") == ["2"]
    assert candidates("<anſwer>1</answer>") == []
    assert candidates("<thin\u212a><answer>1</answer>") == ["1"]


@pytest.mark.parametrize("tag", ["<answer >", "< answer>", "<answer\n>", "<answer/>", "<answer x>"])
def test_a_tag_is_written_in_one_way_only(tag: str) -> None:
    assert candidates(f"{tag}1</answer>") == []


@pytest.mark.parametrize("empty", ["", " ", "\n\t", "\u3000", "\u200b\ufeff", *IGNORED])
def test_empty_pairs_are_ignored(empty: str) -> None:
    assert candidates(f"<answer>{empty}</answer><answer>3</answer>") == ["3"]
    assert candidates(f"<answer>{empty}</answer>", "only") == []


@given(st.text(st.characters(exclude_characters="<")))
def test_prose_around_a_pair_changes_nothing(words: str) -> None:
    assert candidates(f"{words}<answer>3</answer>{words}") == ["3"]


def test_the_last_pair_counts_and_only_offers_all_in_order() -> None:
    text = "<answer>1</answer><answer>2</answer> no, <answer>3</answer>"
    assert candidates(text) == ["3"]
    assert candidates(text, "only") == ["1", "2", "3"]


@pytest.mark.parametrize("mention", ["...", "…", "`...`", "answer", "ANSWER", "[Answer]", "und"])
@pytest.mark.parametrize("form", ["{} <answer>3</answer>", "<answer>3</answer> in {} tags"])
def test_a_mention_of_the_format_is_skipped_while_another_pair_answers(
    mention: str, form: str
) -> None:
    mentions = partial(is_mention, mentions=MENTIONS | {"und"})
    pair = f"<answer>{mention}</answer>"
    assert candidates(form.format(pair), mentions_format=mentions) == ["3"]
    assert candidates(pair, mentions_format=mentions) == [mention]
    assert candidates(f"<answer>3</answer><answer>x{mention}</answer>") == [f"x{mention}"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_mentions_are_those_of_the_language_and_of_english(lang: str) -> None:
    words = language(lang)
    mentions = {"your answer", "and", "/", *words.placeholders, *words.conjunctions}
    assert mentions <= words.mentions
    assert "and" not in words.placeholder_mentions
    assert all(mention == mention.strip().lower() for mention in mentions)


def test_conjunctions_in_tags_are_answers_where_they_may_be_one() -> None:
    item = Item("diff", 2, "en", None, "?", {"differing": ["and"]}, "and")
    assert check("<answer>cat</answer><answer>and</answer>", item).answer == "and"
    freq = Item("freq", 2, "en", None, "?", {"count": 3}, "3")
    assert check("<answer>3</answer><answer>and</answer>", freq).answer == "3"


def test_a_mention_of_the_format_is_not_a_second_answer() -> None:
    words = "".join(f"<answer>{word}</answer>" for word in ("text", "value", "和"))
    for right, is_paid in (("guess", True), ("text", False), ("和", False)):
        target = {"text": right, "given": f"{right}s", "folds": []}
        item = Item("delete", 2, "zh", "char", "?", target, right)
        assert check(f"<answer>guess</answer>{words}", item).score == float(is_paid)
        assert check(f"<answer>{right}</answer>", item).score == 1.0


@pytest.mark.parametrize("tag", ["reasoning", "thinking", "scratchpad"])
def test_other_tags_mean_nothing(tag: str) -> None:
    draft = f"<{tag}><answer>3</answer></{tag}>"
    assert candidates(f"{draft}<answer>4</answer>") == ["4"]
    assert candidates(f"<answer>4</answer>{draft}") == ["3"]
    assert candidates(f"{draft}<{tag}>") == ["3"]


def test_outer_space_comes_off_as_python_understands_it() -> None:
    spaces = "".join(char for char in map(chr, range(0x110000)) if char.isspace())
    assert candidates(f"<answer>{spaces}a{spaces}b{spaces}</answer>") == [f"a{spaces}b"]


def test_joiners_are_content_and_the_ignored_characters_are_those_listed() -> None:
    listed = "200B 2060 FEFF 00AD 061C 200E 200F 202A 202B 202C 202D 202E 2066 2067 2068 2069"
    assert set(IGNORED) == {chr(int(code, 16)) for code in listed.split()}
    assert candidates("\u200c\u200d", "raw") == ["\u200c\u200d"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("so <answer>3", ["3"]),
        ("<answer>1</answer><answer>3", ["1"]),
        ("<answer>...</answer><answer>3", ["3"]),
        ("<answer>...</answer>", ["..."]),
        ("<answer>1<answer>3", ["3"]),
        ("<answer>3</answer><answer>", ["3"]),
        ("<answer>3</answer>", ["3"]),
        ("<think><answer>3", []),
        ("<answer>...</answer><answer>\u200b", ["..."]),
    ],
)
def test_open_accepts_one_unclosed_final_tag_too(text: str, found: list[str]) -> None:
    assert candidates(text, "open") == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (r"so \boxed{3}.", ["3"]),
        (r"\boxed{\frac{1}{2}} = \boxed{ 0.5 }", ["0.5"]),
        (r"\boxed{1}</think>\boxed{2}", ["2"]),
        (r"\boxed{3", []),
        (r"\boxed{} boxed{4}", []),
        (r"\boxed{3}" + r"\boxed{}" * 9, ["3"]),
        ("<answer>3</answer>", []),
    ],
)
def test_boxed_takes_balanced_boxes(text: str, found: list[str]) -> None:
    assert candidates(text, "boxed") == found


@pytest.mark.parametrize("pair", ["<answer> </answer>", "<answer>...</answer>"])
def test_pairs_without_an_answer_are_passed_over_however_many(pair: str) -> None:
    assert candidates(f"<answer>3</answer>{pair * 9}") == ["3"]


def test_raw_takes_the_whole_completion() -> None:
    text = "<think>1</think><answer>2</answer>"
    assert candidates(f" {text}\n", "raw") == [text]


def test_a_callable_is_given_the_completion() -> None:
    assert candidates("the answer is 3 ", lambda text: text.split(" is ")[1]) == ["3"]
    assert candidates("3", lambda _: None) == []
    assert candidates("3", lambda _: " ") == []


@pytest.mark.parametrize("extract", ["anwser", "", None, 3, ["answer"], {}])
def test_an_unknown_extract_is_named_with_those_allowed(extract: Any) -> None:
    with pytest.raises(UnknownNameError, match=r"unknown extract .*answer, only, open, boxed, raw"):
        candidates("3", extract)


def test_a_misspelt_extract_is_told_the_nearest_spelling() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'answer'"):
        candidates("3", "anwser")  # type: ignore[arg-type]


@pytest.mark.parametrize("extract", EXTRACTS)
@pytest.mark.parametrize(
    "hostile", ["<", "<answer>", "</answer>", "<think>", "\\boxed{", "{", "}<"]
)
def test_long_hostile_completions_come_to_an_end(extract: ExtractName, hostile: str) -> None:
    """Quadratic time would be minutes here."""
    text = hostile * (400_000 // len(hostile))
    assert len(candidates(text + "<answer>\\boxed{3}</answer>", extract)) <= 1


# One value, or a code.


def digits(text: str) -> int:
    if not text.isdigit():
        raise Unparsable("is no number")
    return int(text)


@pytest.mark.parametrize(
    ("texts", "value", "code"),
    [
        (["3"], 3, ""),
        (["3", "03", "3"], 3, ""),
        ([], None, "no_answer"),
        (["x"], None, "unparsable"),
        (["x", "x"], None, "unparsable"),
        (["1234567"], None, "too_long"),
        (["1", "2"], None, "conflicting"),
        (["1", "x"], None, "conflicting"),
        (["x", "1"], None, "conflicting"),
        (["x", "y"], None, "conflicting"),
        (["1", "0000001"], None, "conflicting"),
        (["0000001", "1"], None, "conflicting"),
        (["1", "1", "1", "2"], None, "conflicting"),
    ],
)
def test_a_completion_commits_to_one_value_or_says_why_not(
    texts: list[str], value: int | None, code: str
) -> None:
    found, found_code, why = committed(texts, digits, 6)
    assert (found, found_code) == (value, code)
    assert bool(why()) == bool(code)


@given(st.lists(st.sampled_from(["1", "01", "2", "x", "y", "0000001", "zzzzzzz"])))
def test_there_is_a_value_exactly_where_all_texts_parse_to_the_same(texts: list[str]) -> None:
    good = [int(text) for text in texts if text.isdigit() and len(text) <= 6]
    value, code, _ = committed(texts, digits, 6)
    assert (not code) == (len(good) == len(texts) and len(set(good)) == 1)
    assert value == (good[0] if not code else None)
    assert (code == "conflicting") == (bool(code) and len(set(texts)) > 1)


def test_a_text_over_the_limit_is_not_read() -> None:
    read: list[str] = []
    assert committed(["a" * 11], read.append, 10)[1] == "too_long"
    assert committed(["a" * 10], read.append, 10)[1] == ""
    assert read == ["a" * 10]


def test_the_detail_is_one_short_line_whatever_the_answer() -> None:
    for texts in (["\n" * 5000], ["\n" * 5000, "\ud800" * 5000], ["9" * 20_000]):
        _, _, why = committed(texts, digits, 10_000)
        assert len(why()) <= 200
        assert "\n" not in why()


@pytest.mark.parametrize("texts", [["x", "0"], ["0", "x"], ["x", "0", "0"], ["0", "0", "x"]])
def test_text_that_does_not_parse_has_no_value_not_even_none(texts: list[str]) -> None:
    def none(text: str) -> None:
        if text != "0":
            raise Unparsable("is not zero")

    assert committed(["0", "0"], none, 6)[1] == ""
    assert committed(texts, none, 6)[1] == "conflicting"


def test_where_there_is_no_text_there_is_no_answer() -> None:
    value, code, why = committed([], digits, 6)
    assert (value, code, why()) == (None, "no_answer", "no answer was given")


def test_only_unparsable_is_caught() -> None:
    with pytest.raises(ZeroDivisionError):
        committed(["0"], lambda text: 1 // int(text), 10)


# Completions of other kinds.


def assistant_message(content: object) -> dict[str, object]:
    return {"role": "assistant", "content": content}


ASKED = {"role": "user", "content": "?"}


class Unequal:
    """Cannot be compared, as an array cannot."""

    def __eq__(self, other: object) -> bool:
        raise ValueError("ambiguous")

    __hash__ = None  # type: ignore[assignment]


@pytest.mark.parametrize(
    ("completion", "text"),
    [
        ("3", "3"),
        ("", ""),
        ("\ud800\x00", "\ud800\x00"),
        (None, None),
        (assistant_message("3"), "3"),
        ([ASKED, assistant_message("1"), ASKED, assistant_message("3")], "3"),
        ((ASKED, assistant_message("3")), "3"),
        ([assistant_message("3"), ASKED], "3"),
        ([ASKED], None),
        (ASKED, None),
        ([], None),
        (["3"], None),
        ([assistant_message(None)], None),
        ([assistant_message(3)], None),
        ([{"role": "assistant"}], None),
        (
            [
                assistant_message(
                    [{"type": "text", "text": "<answer>"}, {"type": "text", "text": "3"}]
                )
            ],
            "<answer>3",
        ),
        ([assistant_message([{"type": "image", "url": "…"}, {"type": "text", "text": "3"}])], "3"),
        ([assistant_message(["<answer>", "3"])], "<answer>3"),
        ([assistant_message([{"type": "output_text", "text": "3"}, {"text": "4"}])], "34"),
        (
            [
                assistant_message(
                    [{"type": "reasoning", "text": "2"}, {"type": "text", "text": "3"}]
                )
            ],
            "3",
        ),
        (
            [
                assistant_message(
                    [{"type": "thinking", "text": "2"}, {"type": ["text"], "text": "3"}]
                )
            ],
            "",
        ),
        ([assistant_message("3"), {"role": Unequal(), "content": "4"}], "3"),
        ([assistant_message([{"type": Unequal(), "text": "3"}])], ""),
        ([assistant_message([])], ""),
        (b"3", None),
        (3, None),
        ({"text": "3"}, None),
    ],
)
def test_a_completion_is_a_text_or_the_last_assistant_message(
    completion: object, text: str | None
) -> None:
    assert text_of(completion) == text


leaves = (
    st.none() | st.integers() | st.binary() | st.sampled_from(["assistant", "user", "text", "3"])
)
named = st.sampled_from(["role", "content", "text", "type"])
anything = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(named, inner)
        | st.tuples(inner)
        | st.builds(assistant_message, inner)
    ),
)


def as_object(message: Mapping[str, object]) -> object:
    """Return a message, and the parts of its content, as objects of a framework."""
    content = message.get("content")
    if isinstance(content, list):
        parts = [SimpleNamespace(**one) if isinstance(one, dict) else one for one in content]
        message = {**message, "content": parts}
    return SimpleNamespace(**message)


MESSAGES = [
    (assistant_message("3"), "3"),
    (assistant_message([{"type": "text", "text": "<answer>"}, {"text": "3"}]), "<answer>3"),
    (assistant_message([{"type": "reasoning", "text": "2"}, "3", None, 7]), "3"),
    (assistant_message([{"type": 1, "text": "2"}, {"type": "text", "text": 3}]), ""),
    (assistant_message(None), None),
    (assistant_message({"text": "3"}), None),
    ({"role": "assistant"}, None),
    ({"role": "Assistant", "content": "3"}, None),
    ({"role": 1, "content": "3"}, None),
    ({"content": "3"}, None),
    (ASKED, None),
]


@pytest.mark.parametrize(("message", "text"), MESSAGES)
def test_a_message_may_be_an_object(message: dict[str, object], text: str | None) -> None:
    """It counts as the dict with the same entries does, alone and after others."""
    one = as_object(message)
    asked = as_object(ASKED)
    assert text_of(one) == text_of([one]) == text_of([asked, one, asked]) == text
    assert text_of([ASKED, message]) == text
    if text is None:
        no_role = "role" not in message or not isinstance(message["role"], str)
        assert explain_no_answer(one).startswith("not text: SimpleNamespace") == no_role
        assert "\n" not in explain_no_answer([one])


class Raising:
    """An object whose named attributes raise."""

    role: object = "assistant"
    content: object = "3"

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattribute__(self, name: str) -> object:
        if not name.startswith("_") and name == self._name:
            raise RuntimeError(name)
        return object.__getattribute__(self, name)


@pytest.mark.parametrize(("name", "text"), [("role", None), ("content", None), ("other", "3")])
def test_an_attribute_that_raises_is_not_an_answer(name: str, text: str | None) -> None:
    assert text_of(Raising(name)) == text
    part = SimpleNamespace(type="text", text=Raising("text"))
    assert text_of(SimpleNamespace(role="assistant", content=[part, Raising("type")])) == ""
    assert explain_no_answer([Raising("role")])


@many_examples
@given(anything)
def test_any_object_gives_a_text_or_none(completion: object) -> None:
    text = text_of(completion)
    assert text is None or isinstance(text, str)


class RaisingRole(str):
    """A role whose comparisons raise."""

    __slots__ = ()

    def __eq__(self, _other: object) -> bool:
        raise RuntimeError

    __hash__ = str.__hash__


class RaisingMessage(dict[str, object]):
    """A message that cannot be read as one."""

    def get(self, *_: object) -> object:
        raise RuntimeError


@pytest.mark.parametrize(
    "message",
    [
        {"role": RaisingRole("user"), "content": "<answer>3</answer>"},
        RaisingMessage(role="user", content="<answer>3</answer>"),
        {"role": [1], "content": "<answer>3</answer>"},
    ],
)
def test_a_role_that_raises_is_not_the_assistants(message: object) -> None:
    assert text_of([message]) is None
    assert text_of([{"role": "assistant", "content": "3"}, message]) == "3"
    assert explain_no_answer([message]) == "a chat without an assistant message"
