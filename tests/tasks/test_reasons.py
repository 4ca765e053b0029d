"""The reasons of `check`: one short line with the answer's fault, and no more."""

import re
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from patch_task import patch_task
from unicodedata2 import category

from tokenbench import Item, catalog, check, score, task
from tokenbench.extraction import EXTRACTS, ExtractName, Unparsable, committed
from tokenbench.item import dumps
from tokenbench.quoting import first_few, pluralize, quote, quote_if_needed
from tokenbench.scoring import RULES, Rule
from tokenbench.tasks import replace_task
from tokenbench.testing import completions
from tokenbench.testing.item_facts import is_yes_or_no, rules_of, tagged

FUZZED = settings(
    deadline=None, max_examples=100, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)
# Their targets hold facts that no prompt tells: a reason may not depend on them. Elsewhere it does
# on facts that the prompt tells too: a length, a text to be changed, the trap.
SECRET = (
    "freq", "sort", "diff", "compm", "compose", "decompose", "dot", "ridl", "furigana",
    "contains", "contains_part", "count_char", "count_unique", "find_first", "find_last",
)  # fmt: skip
SPOKEN = ("en", "zh", "ko", "ja")  # whose units or parts are judged in ways of their own
LONGEST = 200  # characters of a reason


@cache
def pairs_of_items() -> list[tuple[Item, Item]]:
    """Return two items of every task and variant, in two languages: its own take turns."""
    variants = [(one, name) for one in map(task, catalog()) for name in one.variants or (None,)]
    parts = []
    for number, (one, variant) in enumerate(variants):
        langs = [lang for lang in SPOKEN if lang in one.langs]
        also = langs[number % len(langs)]
        parts += [
            partial(one.generate, lang=lang, variant=variant, level=2)
            for lang in dict.fromkeys((langs[0], also))
        ]
    return [(part(seed=1), part(seed=2)) for part in parts]


def secret_pairs() -> list[tuple[Item, Item]]:
    return [pair for pair in pairs_of_items() if pair[0].task in SECRET]


def item(name: str, target: dict[str, Any], lang: str = "en", variant: str | None = None) -> Item:
    """Return an item of a target made by hand."""
    version = task(name).version
    return Item(name, version, lang, variant, "?", target, "the solution", {})


def reason(answer: str, given_item: Item) -> str:
    """Return the reason for an answer's score."""
    return check(tagged(answer), given_item).reason


def is_printable(text: str) -> bool:
    """Return whether a text is of letters, marks, numbers, symbols and plain spaces alone."""
    return all(char == " " or category(char)[0] not in "CZ" for char in text)


# By hand: what people read.

FOUR = item("freq", {"count": 4})
WRITTEN = item(
    "lenop",
    {"count": 12, "lang": "zh", "prompt": "写12个字。", "topic": "猫", "names": []},
    lang="zh",
    variant="write",
)
NAMED = replace(WRITTEN, target=WRITTEN.target | {"names": ["猫"]})
WORDS = item("reord", {"tokens": ["a", "cat", "saw", "the", "dog"]})
ORDERED, ANY_ORDER = (
    ({"accepted": [["ㄱ", "ㅏ"]], "ordered": True}),
    ({"accepted": [["扌", "巴"], ["手", "巴"]], "ordered": False}),
)
CHANGED = {"text": "bxnxnx", "given": "banana", "folds": []}
SPELLED = {"units": ["c", "a", "t"]}
SEEN = {"text": "paper", "folds": [], "shown": "pαper"}
SECOND = {"answer": "table", "misled": ["stable"]}
PLACE = {"answer": 6, "misled": [5]}
SPELLED_PAIR = {"answer": "m o v e s + t a b l e", "misled": ["m o v e + s t a b l e"]}

TABLE = [
    (FOUR, "5", "got 5: not how often it occurs"),
    (FOUR, "-4", "'-4' has a sign: one whole number is asked for"),
    (FOUR, "3/4", "'3/4' is a fraction: one whole number is asked for"),
    (FOUR, "4.5", "'4.5' has a mark between its digits: one whole number is asked for"),
    (FOUR, "1,000", "'1,000' has a mark between its digits: one whole number is asked for"),
    (FOUR, "3 or 4", "'3 or 4' holds more than one number: one whole number is asked for"),
    (FOUR, "2+2=4", "'2+2=4' holds more than one number: one whole number is asked for"),
    (FOUR, "about 4", "'about 4' holds 'about' beside a number: one whole number is asked for"),
    (FOUR, "4\x00", r"'4\x00' holds '\x00' beside a number: one whole number is asked for"),
    (FOUR, "four", "'four' holds no digits: one whole number is asked for"),
    (FOUR, "9" * 19, "'9999999999999999999' is a number beyond every count"),
    (FOUR, "x" * 9999, "the answer has 9,999 characters, at most 1,152 are read"),
    (item("lenop", {"count": 4}, variant="count"), "5", "got 5: not the length of the text"),
    (WRITTEN, "昨天我和妹妹去看电影了", "11 characters, 12 asked"),
    (WRITTEN, "cats", "'cats' holds no Chinese character"),
    (WRITTEN, "我", "1 character, 12 asked"),
    (WRITTEN, "昨天我和妹妹去看电影了吗a",
     "the text holds a, which is not of the script asked for"),
    (WRITTEN, "猫" * 12, "the text repeats itself or the prompt"),
    (NAMED, "昨天我和妹妹一起去看电影了", "the text does not name “猫”"),
    (WORDS, "a cat saw the dog",
     "4 of 4 pairs are still neighbours: 'a cat', 'cat saw', 'saw the' and 1 more"),
    (WORDS, "the cat saw", "missing a, dog"),
    (WORDS, "a cat saw the cow", "missing dog; too many cow"),
    (WORDS, "cat a the saw dog dog dog", "too many dog"),
    (WORDS, "…", "'…' contains no word"),
    (item("diff", {"differing": ["cat"]}), "same", "the lists are not the same"),
    (item("diff", {"differing": []}), "cat", "the named tokens are not those that differ"),
    (item("diff", {"differing": ["cat"]}), "cat, dog",
     "the named tokens are not those that differ"),
    (item("diff", {"differing": []}), "a, b, c",
     "'a, b, c' names 3 words: one or two can differ; if none does, the answer is “same” alone"),
    (item("sort", {"order": ["C", "A", "B"]}), "a b c", "got ABC: not the order of the lengths"),
    (item("sort", {"order": ["C", "A", "B"]}), "A, B",
     "'A, B' is not an order of A, B and C, each of them once"),
    (item("compm", ANY_ORDER, "zh", "split"), "阝,土", "got 阝, 土: not an accepted decomposition"),
    (item("decompose", ANY_ORDER, "ja"), "扌", "got 扌: not an accepted decomposition"),
    (item("decompose", ORDERED, "ko"), "ㅏ ㄱ", "got ㅏ, ㄱ: not the right parts in order"),
    (item("decompose", ORDERED, "ko"), "가",
     "'가' holds more than jamo: the jamo alone are asked for"),
    (item("compm", {"accepted": ["把"]}, "zh", "combine"), "明", "got 明: not what the parts make"),
    (item("compose", {"accepted": ["把"]}, "ja"), "扌巴",
     "'扌巴' is more than one character: one is asked for"),
    (item("compm", {"accepted": ["paper"]}, "en", "combine"), "pa per",
     "'pa per' is more than one word: one is asked for"),
    (item("compc", {"count": 2}), "3", "got 3: not how often it occurs"),
    (item("dot", {"accepted": ["latin"]}, "en", "char_to_script"), "kana",
     "got kana: not the category of the character"),
    (item("dot", {"accepted": ["latin"]}, "en", "char_to_script"), "runes",
     "'runes' is none of the categories in the list"),
    (item("dot", {"accepted": ["s"]}, "en", "bitmap_to_char"), ",",
     "got ',': not the character that the bitmap shows"),
    (item("dot", {"accepted": ["s"]}, "en", "bitmap_to_char"), "ss",
     "'ss' contains 2 characters: one is asked for"),
    (item("dot", {"accepted": ["s"]}, "en", "bitmap_to_char"), "..",
     "'..' contains 2 characters: one is asked for"),
    (item("ridl", {"accepted": ["carpet"]}), "rug", "got rug: not what the riddle leads to"),
    (item("ridl", {"accepted": ["carpet"]}), "car pet",
     "'car pet' is more than one word: one is asked for"),
    (item("var", SEEN), "taper", "got taper: not the original text"),
    (item("var", SEEN), "pαper", "nothing was restored: this is the text as it was given"),
    (item("count_char", {"answer": 2}), "3", "got 3: not the right number"),
    (item("find_last", {"answer": 2}), "last",
     "'last' holds no digits: one whole number is asked for"),
    (item("spell", SPELLED, variant="char"), "c a a t", "4 characters instead of 3"),
    (item("spell", SPELLED, variant="char"), "c t a",
     "got t as character 2: another one is right there"),
    (item("spell", SPELLED, variant="char"), "cat",
     "'cat' does not set the characters apart: a space between them is asked for"),
    (item("spell_inverse", {"word": "cat"}, variant="char"), "caat", "4 characters, 3 are spelled"),
    (item("spell_inverse", {"word": "cat"}, variant="char"), "cta",
     "got cta: not the word that is spelled"),
    (item("spell_inverse", {"word": "cat"}, variant="char"), "c a t",
     "'c a t' contains 3 words: one is asked for"),
    (item("contains", {"answer": False}, variant="char"), "Yes",
     "got yes: it is the other way round"),
    (item("contains_part", {"answer": True}, "zh"), "有无",
     "'有无' is neither “是” nor “不是” alone"),
    (item("substitute", CHANGED, variant="char"), "banana", "nothing was changed"),
    (item("substitute", CHANGED, variant="char"), "bxn", "got bxn: not the result of the change"),
    (item("substitute", CHANGED, variant="char"), "b x n",
     "'b x n' holds 3 words: the changed one alone is asked for"),
    (item("furigana", {"readings": ["やね"]}, "ja"), "ヤマ", "got やま: not a reading of the word"),
    (item("furigana", {"readings": ["やね"]}, "ja"), "や根",
     "'や根' contains '根': one reading in kana alone is asked for"),
    (item("trap", SECOND, variant="second"), "stable", "got stable: fell into the trap"),
    (item("trap", SECOND, variant="second"), "chair", "got chair: not the right answer"),
    (item("trap", SECOND, variant="second"), "a table",
     "'a table' contains 2 words: one is asked for"),
    (item("trap", PLACE, variant="boundary"), "7", "got 7: not the right number"),
    (item("trap", {"answer": "t", "misled": ["s"]}, variant="char"), "ta",
     "'ta' is more than one letter: one is asked for"),
    (item("trap", SPELLED_PAIR, variant="spell"), "t a",
     "'t a' is not two words with a plus sign between them"),
    (item("trap", SPELLED_PAIR, variant="spell"), "ta b + c",
     "'ta b + c' does not set all letters apart: a space between them is asked for"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("given_item", "answer", "said"),
    TABLE,
    ids=[f"{given_item.task} {number}" for number, (given_item, _, _) in enumerate(TABLE)],
)
def test_a_wrong_answer_gets_its_reason(given_item: Item, answer: str, said: str) -> None:
    assert reason(answer, given_item) == said


@dataclass
class Message:
    """A message as clients have it: an object."""

    role: str
    content: str


NONE: list[tuple[Any, Any, str]] = [
    ("", "answer", "the completion is empty"),
    (" \n", "answer", "the completion is empty"),
    ("\u200b", "raw", "the completion is empty"),
    ("4", "answer", "no <answer> tags"),
    ("<answer>4</answer></think>", "answer", "no <answer> tags after the last </think>"),
    ("<answer> </answer>", "answer", "only empty <answer> tags"),
    ("<think></think><answer></answer>", "only",
     "only empty <answer> tags after the last </think>"),
    ("<answer>4</answer><think>", "answer", "an unclosed <think>: nothing after it counts"),
    ("<think>\\boxed{4}", "boxed", "an unclosed <think>: nothing after it counts"),
    ("<answer>4", "answer", "an <answer> tag that is never closed"),
    ("</think><answer>4", "only", "an <answer> tag after the last </think> that is never closed"),
    ("<answer>", "open", "an <answer> tag that nothing follows"),
    ("<answer>4</answer>", "boxed", "no \\boxed{}"),
    ("\\boxed{4", "boxed", "a \\boxed{ that is never closed"),
    ("</think>\\boxed{ }", "boxed", "only empty \\boxed{} after the last </think>"),
    (None, "answer", "not text: NoneType"),
    (4, "raw", "not text: int"),
    ([], "answer", "a chat without an assistant message"),
    ([{"role": "user", "content": "4"}], "answer", "a chat without an assistant message"),
    ({"role": "user", "content": "4"}, "answer", "a chat without an assistant message"),
    (["4"], "answer", "a chat without an assistant message"),
    ([Message("assistant", "4")], "answer", "no <answer> tags"),
    ([{"role": "user", "content": "4"}, object()], "answer",
     "the messages of a chat have to be dicts, or objects with a role, not object"),
    (([], 4), "raw", "the messages of a chat have to be dicts, or objects with a role, not int"),
    ([Message("user", "4"), {"role": "assistant"}], "answer",
     "the last assistant message of the chat holds no text"),
    ({"role": "assistant"}, "answer", "the last assistant message of the chat holds no text"),
    ([{"role": "assistant", "content": 4}], "boxed",
     "the last assistant message of the chat holds no text"),
    ("4", lambda _: None, "the function given as extract found no answer"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("completion", "extract", "said"), NONE, ids=[str(number) for number in range(len(NONE))]
)
def test_ways_to_give_no_answer_have_reasons_of_their_own(
    completion: Any, extract: Any, said: str
) -> None:
    verdict = check(completion, FOUR, extract=extract)
    assert (verdict.code, verdict.answer, verdict.reason) == ("no_answer", None, said)


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        ("3 4", "two answers: 3 and 4"),
        ("3 4 3 03 4", "two answers: 3 and 4"),
        ("-4 4", "two answers: '-4' and 4"),
        ("x y", "two answers: x and y"),
        ("4 3 2", "three answers: 4, 3 and 2"),
        ("4 3 2 1", "4 answers, such as 4 and 3"),
        ("1 2 3 4 5 6 7 8 9 9", "9 answers, such as 1 and 2"),
        ("1 2 3 4 5 6 7 8 9 0 11", "10 answers or more, such as 1 and 2"),
        ("4 " + "9" * 2000, f"two answers: 4 and '{'9' * 37}…'"),
    ],
)
def test_several_answers_are_counted_and_named(answers: str, said: str) -> None:
    verdict = check("".join(map(tagged, answers.split())), FOUR, extract="only")
    assert (verdict.code, verdict.reason) == ("conflicting", said)


@FUZZED
@given(st.lists(st.sampled_from("0123456789xy") | st.sampled_from(["01", "02", "é\n"]), min_size=2))
def test_the_number_of_answers_is_that_of_different_ones(texts: list[str]) -> None:
    """Against the plain way: what states the same number is one answer, other texts are others."""

    def parse(text: str) -> int:
        if not text.isdigit():
            raise Unparsable("is no number")
        return int(text)

    _, code, why = committed(texts, parse, 99)
    number = len({str(int(text)) if text.isdigit() else text for text in texts})
    assert (code == "conflicting") == (number > 1)
    if code == "conflicting":
        words = {2: "two", 3: "three"}.get(number, str(min(number, 10)))
        assert why().startswith(f"{words} answers")


PUBLISHED = [
    ("number", "it is 4", "no_answer", "nothing between <answer> tags or **"),
    ("number", "<answer>5</answer>", "wrong", "got 5: wrong by the published scorer"),
    ("number", "<answer>04</answer>", "wrong", "got 04: wrong by the published scorer"),
    ("quoted", "4", "no_answer", "nothing between double quotation marks"),
    ("quoted", 'Answer: "5"', "wrong", "got 5: wrong by the published scorer"),
    ("integer", " ", "no_answer", "an empty completion"),
    ("integer", "It is 4.", "wrong", "got 'It is 4.': wrong by the published scorer"),
    ("number", None, "no_answer", "not text: NoneType"),
]


@pytest.mark.parametrize(("evaluation", "completion", "code", "said"), PUBLISHED)
def test_the_published_scorers_report_the_answer_they_read(
    evaluation: str, completion: str | None, code: str, said: str
) -> None:
    published = {"evaluation": evaluation, "label": "4", "variation": ""}
    four = item("freq", {"count": 4, "published": published})
    for rule in ("published", "published_graded"):
        verdict = check(completion, four, rule=rule)
        assert verdict.code == code
        assert verdict.reason.startswith(said)


# For all items and completions.


@st.composite
def answered(draw: st.DrawFn) -> tuple[Item, object]:
    """Draw an item of any task, and a completion: often one with near or hostile answers."""
    given_item = draw(st.sampled_from(pairs_of_items()).flatmap(st.sampled_from))
    text = st.text(st.characters(), max_size=90).map(tagged)
    return given_item, draw(completions(given_item) | text)


@FUZZED
@given(answered(), st.sampled_from(RULES), st.sampled_from(EXTRACTS))
def test_a_reason_is_one_short_printable_line(
    given_answer: tuple[Item, object], rule: Rule, extract: ExtractName
) -> None:
    given_item, completion = given_answer
    assume(rule in rules_of(given_item))
    said = check(completion, given_item, rule=rule, extract=extract).reason
    assert said.encode() == said.strip().encode()
    assert 0 < len(said) <= LONGEST
    assert is_printable(said)
    assert len(said.splitlines()) == 1


@FUZZED
@given(answered())
def test_code_and_reason_agree_and_score_needs_neither(given_answer: tuple[Item, object]) -> None:
    given_item, completion = given_answer
    verdict = check(completion, given_item)
    assert score(completion, given_item) == verdict.score
    assert (verdict.code == "right") == (verdict.reason == "the answer is right")
    several = re.match("(?:two|three|[0-9]+) answers", verdict.reason)
    assert (verdict.code == "conflicting") == bool(several)
    if verdict.code == "unparsable":
        assert verdict.answer is not None
        assert verdict.reason.startswith(f"{quote(verdict.answer)} ")


@FUZZED
@given(answered(), st.sampled_from(RULES))
def test_reveal_adds_a_right_answer_and_changes_nothing_else(
    given_answer: tuple[Item, object], rule: Rule
) -> None:
    given_item, completion = given_answer
    assume(rule in rules_of(given_item))
    verdict = check(completion, given_item, rule=rule)
    revealed = check(completion, given_item, rule=rule, reveal=True)
    assert revealed[:3] == verdict[:3]
    assert revealed.reason == f"{verdict.reason}; a right answer: {given_item.solution}"


@FUZZED
@given(st.deferred(lambda: st.sampled_from(secret_pairs())), st.data())
def test_a_reason_does_not_depend_on_facts_that_only_the_target_has(
    pair: tuple[Item, Item], data: st.DataObject
) -> None:
    """The same wrong answer to the same prompt is wrong in the same words, whatever is right."""
    one, other = pair
    changed = Item.from_json(dumps({**one_row(one), "target": other.target}))
    completion = data.draw(completions(one) | completions(other))
    verdicts = [check(completion, given_item) for given_item in (one, changed)]
    assume(verdicts[0].code == verdicts[1].code != "right")
    assert verdicts[0] == verdicts[1]


def one_row(given_item: Item) -> dict[str, Any]:
    """Return an item's fields by their names."""
    return {name: getattr(given_item, name) for name in Item.__dataclass_fields__}


@FUZZED
@given(answered())
def test_a_reason_does_not_hold_the_solution(given_answer: tuple[Item, object]) -> None:
    """Unless the completion or the prompt does."""
    given_item, completion = given_answer
    solution = given_item.solution
    assume(len(solution) > 2 and not is_yes_or_no(solution, given_item))
    known = f"{completion} {given_item.prompt}".lower()
    verdict = check(completion, given_item)
    assume(verdict.code != "right" and solution.lower() not in known)
    words = f" {verdict.reason} ".replace(":", " ").replace(",", " ")
    assert f" {solution} " not in words


@pytest.mark.parametrize("name", SECRET)
def test_every_task_with_a_secret_is_in_a_pair(name: str) -> None:
    assert any(one.task == name for one, _ in secret_pairs())


def test_the_words_of_a_reason_are_found_only_for_check() -> None:
    """A reward costs no words: `score` never asks a task why."""
    asked: list[Any] = []

    def why(answer: int, target: Any) -> str:
        asked.append((answer, target))
        return "no"

    record = patch_task(task("freq"), explain=why)
    with replace_task(record):
        assert score(tagged("99 words, or 98"), FOUR) == 0.0
        assert score(tagged("99"), FOUR) == 0.0
        assert not asked
        assert check(tagged("99"), FOUR).reason == "no"
    assert asked == [(99, FOUR.target)]


# How given values are shown.


@FUZZED
@given(st.text(st.characters()), st.integers(8, 80))
def test_a_quotation_is_short_printable_and_begins_as_given(text: str, most: int) -> None:
    for said in (quote(text, most), quote_if_needed(text, most)):
        assert len(said) <= most + 2
        assert is_printable(said)
        assert said.encode()
    if text.isascii() and text.isprintable() and len(text) <= most:
        assert quote(text, most)[1:-1] == text


def test_invisible_and_impossible_characters_are_escaped() -> None:
    assert quote("\u200b\u202e\ud800\x00\n\u3000\ue000") == (
        r"'\u200b\u202e\ud800\x00\n\u3000\ue000'"
    )
    assert quote("naïve 猫 각 ½ ١") == "'naïve 猫 각 ½ ١'"


def test_a_cut_says_so() -> None:
    assert quote("x" * 60) == repr("x" * 60)
    assert quote("x" * 61) == repr("x" * 57 + "…")
    assert quote("\U000e0100" * 9) == "'" + r"\U000e0100" * 5 + "…'"
    assert quote_if_needed("x" * 61) == quote("x" * 61)


def test_only_a_plain_word_has_no_quotes() -> None:
    for text in ("3", "cat", "猫", "가", "٣"):
        assert quote_if_needed(text) == text
    for text in ("", "a b", "-1", "'", "½-", "a\n", "\ud800", "x\u200by"):
        assert quote_if_needed(text) == quote(text)


def test_lists_and_numbers_read_as_english() -> None:
    assert first_few([]) == ""
    assert first_few(["a"]) == "a"
    assert first_few(["a", "b c", "d"]) == "a, 'b c', d"
    assert first_few(["a"] * 9) == "a, a, a and 6 more"
    assert [pluralize(number, "word") for number in (0, 1, 2)] == ["no words", "1 word", "2 words"]
