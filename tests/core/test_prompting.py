"""Prompts: each style for every task and language, and what examples may not give away."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tokenbench import dataset, prompt, score, task
from tokenbench.errors import ItemError, TokenbenchError, UnknownNameError
from tokenbench.item import Item
from tokenbench.prompts import Style, examples
from tokenbench.tasks.wordings import (
    CLOSING_QUOTES,
    OPENING_QUOTES,
    payload_of,
    read_slots,
    split_closing,
)
from tokenbench.text.languages import LANGUAGES, language

STYLES: tuple[Style, ...] = ("direct", "cot", "fewshot", "published", "question")
TASKS = [
    (name, lang, variant)
    for name in ("freq", "lenop", "diff", "sort", "reord")
    for lang in ("en", "zh", "ko")
    for variant in (("count", "write") if name == "lenop" else (None,))
]
CLOSINGS = {lang: tuple(language(lang).prompts["closings"]) for lang in ("en", "zh", "ko")}
PAIR = re.compile("<answer>(.*?)</answer>", re.DOTALL)

every_task = pytest.mark.parametrize(("name", "lang", "variant"), TASKS)


def make_item(name: str, lang: str, variant: str | None = None, **more: Any) -> Item:
    return task(name).generate(lang=lang, variant=variant, split="test", **more)


def as_published(item: Item) -> Item:
    """Return an item as the reader of published files makes it: the raw question alone."""
    raw = split_closing(item.prompt, item.lang)[0]
    meta: dict[str, Any] = {
        "seed": None,
        "index": 3,
        "split": "test",
        "level": None,
        "params": {},
        "source": "x",
    }
    return replace(item, prompt=raw, meta=meta)


def examples_in(text: str) -> list[tuple[str, str]]:
    """Read the examples off a few-shot prompt: each question with its answer."""
    *shown, _last = text.split("</answer>\n\n")
    pairs = [part.split("<answer>") for part in shown]
    return [(question.strip(), answer) for question, answer in pairs]


@every_task
def test_a_generated_prompt_ends_with_the_closing_sentence_and_shows_no_answer(
    name: str, lang: str, variant: str | None
) -> None:
    for index in range(20):
        item = make_item(name, lang, variant, index=index)
        question, closing = split_closing(item.prompt, lang)
        assert closing in CLOSINGS[lang]
        assert item.prompt == f"{question}\n\n{closing}"
        assert item.prompt.count("<answer>") == 1
        assert item.target.get("count") is None or "{" not in item.prompt


@every_task
def test_direct_is_the_items_own_prompt(name: str, lang: str, variant: str | None) -> None:
    item = make_item(name, lang, variant)
    assert prompt(item) == prompt(item, "direct") == prompt(item, style="published") == item.prompt


@every_task
@pytest.mark.parametrize("style", STYLES)
def test_an_item_a_row_and_json_give_the_same_prompt(
    name: str, lang: str, variant: str | None, style: Style
) -> None:
    item = make_item(name, lang, variant)
    assert prompt(item, style) == prompt(item.row(), style) == prompt(item.json(), style)


@every_task
def test_the_question_alone_asks_for_no_tags(name: str, lang: str, variant: str | None) -> None:
    """Few models follow two orders about the form of the answer."""
    item = make_item(name, lang, variant)
    for one in (item, as_published(item)):
        assert prompt(one, "question") == as_published(item).prompt
        assert "answer>" not in prompt(one, "question")


@every_task
def test_cot_asks_to_think_first_in_the_items_language(
    name: str, lang: str, variant: str | None
) -> None:
    item = make_item(name, lang, variant)
    text = prompt(item, "cot")
    question, closing = split_closing(item.prompt, lang)
    assert text.startswith(f"{question}\n\n")
    assert text.endswith(" " + closing)
    added = text[len(question) : -len(closing)].strip()
    script = {"en": "[A-Za-z ,.]+", "zh": "[\u4e00-\u9fff，。]+", "ko": "[\uac00-\ud7a3 ,.]+"}
    assert re.fullmatch(script[lang], added)


@every_task
def test_published_items_get_the_closing_sentence_once(
    name: str, lang: str, variant: str | None
) -> None:
    item = make_item(name, lang, variant)
    raw = as_published(item)
    assert split_closing(raw.prompt, lang) == (raw.prompt, "")
    assert prompt(raw, "published") == raw.prompt
    for style in ("direct", "cot", "fewshot"):
        text = prompt(raw, style)
        assert sum(map(text.count, CLOSINGS[lang])) == 1
        assert text.endswith(CLOSINGS[lang])
        assert raw.prompt in text


def test_published_items_of_other_tasks_have_prompts_too() -> None:
    item = Item("nosuch", 1, "zh", None, "下列各字中……", {"count": 3}, "3", {})
    assert prompt(item) in {f"下列各字中……\n\n{closing}" for closing in CLOSINGS["zh"]}
    assert prompt(item, "published") == item.prompt
    with pytest.raises(UnknownNameError, match="nosuch"):
        prompt(item, "fewshot")


@every_task
def test_fewshot_shows_four_right_examples_that_are_not_the_item(
    name: str, lang: str, variant: str | None
) -> None:
    for index in (0, 1):
        item = make_item(name, lang, variant, index=index, level=0)
        text = prompt(item, "fewshot")
        own, closing = split_closing(item.prompt, lang)
        assert sum(map(text.count, CLOSINGS[lang])) == 1
        assert text.endswith(f"{own}\n\n{closing}")
        assert text.count(own) == 1
        shown = examples_in(text)
        assert len(shown) == 4
        assert len({question for question, _ in shown}) == 4
        by_question = {
            split_closing(example.prompt, lang)[0]: example for example in examples(item)
        }
        for question, answer in shown:
            (example,) = [
                example for known, example in by_question.items() if question.endswith(known)
            ]
            assert example.meta["split"] == "train"
            assert example.id != item.id
            assert score(f"<answer>{answer}</answer>", example) == 1.0


@every_task
def test_fewshot_is_the_same_each_time_and_differs_between_items(
    name: str, lang: str, variant: str | None
) -> None:
    first, second = (make_item(name, lang, variant, index=index, level=0) for index in (0, 1))
    assert prompt(first, "fewshot") == prompt(first, "fewshot")
    assert examples_in(prompt(first, "fewshot")) != examples_in(prompt(second, "fewshot"))


def test_fewshot_examples_share_the_items_difficulty() -> None:
    item = make_item("sort", "en", length=(5, 6))
    for question, _ in examples_in(prompt(item, "fewshot")):
        for text in re.findall("[ABC]: (.*)", question):
            assert 5 <= len(text.split()) <= 8


def wording_slots(item: Item) -> dict[str, str]:
    """Return the names in an item's wording, and the text below it."""
    slots = read_slots(item.task, item.lang, item.prompt)
    assert slots
    return {**slots, "text": payload_of(item.task, item.lang, item.prompt)}


FEW = {"pack": str(Path(__file__).parents[1] / "helpers/turkish.txt")}


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("name", "lang", "variant", "more"),
    [
        ("spell_inverse", "en", "char", {"length": 11}),
        ("spell", "tr", "char", FEW),
        ("contains", "tr", "char", FEW),
        ("count_char", "tr", None, FEW | {"length": 4}),
        ("count_unique", "tr", None, FEW | {"length": 4}),
        ("find_first", "tr", None, FEW | {"length": 4}),
        ("delete", "tr", "word", FEW),
        ("swap", "tr", "char", FEW),
        ("spell", "ko", "char", {"length": 5}),
        ("spell", "ja", "char", {"length": 5}),
        ("spell", "ar", "char", {"length": 8}),
        ("spell_inverse", "de", "char", {"length": 13}),
        ("decompose", "zh", None, {"parts": 4}),
    ],
)
def test_no_example_asks_an_items_own_question_in_other_words(
    name: str, lang: str, variant: str | None, more: dict[str, Any]
) -> None:
    """There are so few words that the examples would often meet the item."""
    train = dataset(name, lang=lang, variant=variant, **more)[:400]
    known = {other.prompt: wording_slots(other) for other in train}
    met = 0
    for item in dataset(name, lang=lang, variant=variant, seed=1, n=60, **more):
        own = wording_slots(item)
        assert own not in [wording_slots(example) for example in examples(item)]
        met += own in [asks for shown, asks in known.items() if shown != item.prompt]
    assert met


@pytest.mark.parametrize("lang", ["en", "ru", "hi"])
@pytest.mark.parametrize("name", ["insert", "delete", "substitute"])
def test_examples_of_editing_repeat_letters_and_act_on_them(name: str, lang: str) -> None:
    """As in CUTE and EXECUTE: at least two of the four, and at least one."""
    for index in range(10):
        facts = [one.meta["drawn"] for one in examples(make_item(name, lang, "char", index=index))]
        assert len(facts) == 4
        assert sum(drawn["repeated"] for drawn in facts) >= 2
        assert any(drawn["acted"] for drawn in facts)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_payloads_are_in_marks_that_examples_are_found_by(lang: str) -> None:
    question, _, _ = make_item("contains", lang, "char").prompt.partition("\n\n")
    marks = OPENING_QUOTES + CLOSING_QUOTES
    texts = re.findall(f"[{OPENING_QUOTES}][^{marks}]+[{CLOSING_QUOTES}]", question)
    assert len(texts) >= 2, f"list the quotation marks of {lang} in tasks/wordings.py"


@pytest.mark.sampled(3)
@pytest.mark.parametrize("variant", ["char", "word"])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_examples_of_yes_and_no_are_balanced(lang: str, variant: str) -> None:
    for index in range(5):
        shown = examples(make_item("contains", lang, variant, index=index))
        assert [one.target["answer"] for one in shown].count(True) == 2


def test_the_papers_ask_in_their_own_ways() -> None:
    item = make_item("delete", "de", "word")
    text = prompt(item, "published")
    assert text.count('Answer: "') == 4
    assert text.endswith("\nAnswer:")
    assert "<answer>" not in text
    number = make_item("find_last", "es")
    assert prompt(number, "published").endswith("Responde solo con el número.")
    assert "<answer>" not in prompt(number, "published")


def test_fewshot_of_published_items_works_without_their_meta() -> None:
    for meta in ({}, {"seed": None, "index": 3, "split": "test", "file": "a.csv", "row": 3}):
        item = replace(make_item("reord", "ko"), meta=meta)
        assert len(examples_in(prompt(item, "fewshot"))) == 4


@pytest.mark.parametrize("style", ["fewshoot", "Direct", "", None, 3, ["direct"]])
def test_an_unknown_style_is_one_clear_error(style: Any) -> None:
    with pytest.raises(
        UnknownNameError, match=r"^unknown style [^\n]*direct, cot, fewshot, published[^\n]*$"
    ):
        prompt(make_item("sort", "en"), style)


def test_a_misspelt_style_is_named_with_the_nearest_one() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'fewshot'"):
        prompt(make_item("sort", "en"), "few-shot")  # type: ignore[arg-type]


@pytest.mark.parametrize("item", [None, 3, [], {}, "", "[]", "{}", b"{}"])
def test_a_value_that_is_not_an_item_is_one_clear_error(item: Any) -> None:
    for style in STYLES:
        with pytest.raises(ItemError, match=r"^[^\n]+$"):
            prompt(item, style)


def test_a_language_without_prompts_is_asked_in_english() -> None:
    item = replace(make_item("sort", "en"), lang="xx")
    assert prompt(item, "direct").endswith(CLOSINGS["en"])
    with pytest.raises(UnknownNameError, match="'xx'"):
        prompt(item, "fewshot")


@pytest.mark.parametrize(
    "meta", [{"params": 5}, {"params": {"lenght": 3}}, {"level": "high"}, {"split": 4}]
)
def test_a_meta_that_makes_no_examples_is_one_clear_error(meta: dict[str, Any]) -> None:
    with pytest.raises(TokenbenchError, match=r"^[^\n]+$"):
        prompt(replace(make_item("sort", "en"), meta=meta), "fewshot")
