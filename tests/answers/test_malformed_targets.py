"""A target that no answer can meet is one ItemError with the field and the allowed values."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any, Final

import pytest

from tokenbench import Item, check, score, task
from tokenbench.answers import Order, Text, Tokens
from tokenbench.errors import ItemError
from tokenbench.scoring import Rule
from tokenbench.text.languages import Language

RULES: Final[tuple[Rule, Rule]] = ("exact", "graded")
# What answers of each kind have to be, in the words of the message.
TEXTS: Final = "non-empty list of non-empty str"
OPTIONS: Final = "list of str, at least one not empty"
WRONG_TYPES: Final[tuple[object, ...]] = (None, True, 3, 1.5, {})
NO_TEXT: Final[tuple[object, ...]] = (*WRONG_TYPES, "", " ", [], ["x"])
NO_TEXTS: Final[tuple[object, ...]] = (
    *WRONG_TYPES,
    "x",
    [],
    [""],
    [" "],
    [[]],
    [1],
    [None],
    ["x", ""],
)
NO_OPTIONS: Final[tuple[object, ...]] = (*WRONG_TYPES, "x", [], [" ", ""], [[]], [1], [None])
NO_LISTS: Final[tuple[object, ...]] = (*WRONG_TYPES, "x", [], ["x"], [[]], [[], [""]], [[1]])
NO_FOLDS: Final[tuple[object, ...]] = (*WRONG_TYPES, "case", ["x"], ["case", "x"], [""], [[]])

MALFORMED: Final[Mapping[str, tuple[str, str, tuple[object, ...]]]] = {
    # part: the field, the allowed values in the words of the message, the given value
    "sort:en": ("order", "each of A, B, C once", (["A", "B"], [*"AAB"], [*"ABCA"], [*"abc"], [])),
    "reord:en": ("tokens", TEXTS, NO_TEXTS),
    "compm:zh:split": ("accepted", "list of lists of str, at least one complete", NO_LISTS),
    "decompose:ko": ("accepted", "list of lists of str, at least one complete", NO_LISTS),
    "compm:en:combine": ("accepted", OPTIONS, NO_OPTIONS),
    "compose:ja": ("accepted", OPTIONS, NO_OPTIONS),
    "dot:en:bitmap_to_char": ("accepted", OPTIONS, NO_OPTIONS),
    "ridl:en": ("accepted", OPTIONS, NO_OPTIONS),
    "furigana:ja": ("readings", OPTIONS, NO_OPTIONS),
    "spell:en:char": ("units", TEXTS, NO_TEXTS),
    "spell_inverse:en:char": ("word", "non-empty str", NO_TEXT),
    "var:en": ("text", "non-empty str", NO_TEXT),
    "swap:en:word": ("text", "non-empty str", NO_TEXT),
    "insert:zh:char": ("folds", "list of 'case' and 'spaces'", NO_FOLDS),
    "var:zh": ("folds", "list of 'case'", (*NO_FOLDS, ["spaces"])),
    "delete:en:char": ("also", "list of str, or none", (True, 3, "x", [1], [[]])),
    "furigana:ja:": ("also", "list of str, or none", (True, 3, "x", [1], [["x"]])),
    "spell:ko:char": ("also", "list of lists of str, or none", (True, 3, "x", ["x"], [[1]])),
    "diff:en": ("differing", "list of non-empty str", (*WRONG_TYPES, "x", [""], [1], ["x", " "])),
    "lenop:en:write": (
        "names",
        "list of non-empty str",
        (*WRONG_TYPES, "x", [""], ["x", " "], [1]),
    ),
    "lenop:ko:write": ("lang", "one of en, zh, ko", ("xx", "x!", "", "ja")),
    "lenop:zh:write": ("count", "at least 1", (0,)),
    "trap:en:second": ("misled", "one word", (["two words"], ["ab", "c d"])),
    "trap:zh:second": ("misled", "list of non-empty str", (*WRONG_TYPES, "x", [""], [3])),
    "trap:en:char": ("misled", "one letter", (["ab"],)),
    "trap:zh:char": ("answer", "one letter", ("ab", "a b")),
    "trap:en:boundary": ("misled", "list of whole numbers", (*WRONG_TYPES, ["x"], [-1], [1.5])),
    "trap:en:spell": ("misled", "two words with a plus sign", (["a b c"], ["a + "], ["a + b + c"])),
    "trap:zh:spell": ("answer", "two words with a plus sign", ("x", "a b", "+", " + b", "a +b")),
    "dot:zh:bitmap_to_script": ("accepted", OPTIONS, NO_OPTIONS),
    "contains:en:char": ("published", "an object, or missing", (["x"], 1, "x", True, [])),
    "contains_part:zh": ("published", "an object, or missing", (["x"], 1, "x", False, 0)),
    "freq:en": ("published", "an object, or missing", (["x"], 1, "x")),
}
CASES = [
    pytest.param(part, field, allowed, value, id=f"{part}-{field}-{value!r:.40}")
    for part, (field, allowed, values) in MALFORMED.items()
    for value in values
]


@cache
def item_of(part: str) -> Item:
    name, lang, *variants = filter(None, part.split(":"))
    return task(name).generate(lang=lang, variant=variants[0] if variants else None, seed=2)


def with_field(part: str, field: str, value: object) -> Item:
    item = item_of(part)
    return replace(item, target={**item.target, field: value})


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("part", "field", "allowed", "value"), CASES)
def test_a_malformed_field_is_one_error_that_names_it(
    part: str, field: str, allowed: str, value: object
) -> None:
    item = with_field(part, field, value)
    for rule in RULES:
        for completion in (f"<answer>{item.solution}</answer>", "<answer>x</answer>", None):
            for judge in (score, check):
                with pytest.raises(ItemError) as raised:
                    judge(completion, item, rule=rule)
                message = str(raised.value)
                assert message.startswith(f"the target of a {item.task} item is ")
                assert repr(field) in message
                assert allowed in message
                assert f"{value!r:.80}" in message
                assert "\n" not in message


@pytest.mark.parametrize("part", MALFORMED)
def test_the_same_item_is_judged_as_it_was_made(part: str) -> None:
    """A test of malformed targets alone would pass if all were refused."""
    item = item_of(part)
    for rule in RULES:
        assert score(f"<answer>{item.solution}</answer>", item, rule=rule) == 1.0


@pytest.mark.parametrize(
    ("part", "field", "values"),
    [
        ("freq:en", "published", (None, {}, {"label": 3}, {"x": []})),
        ("contains:zh:char", "published", (None, {}, {"label": None}, {"label": ["x"]})),
        ("delete:en:char", "also", (None, [], ["x"], ["two words"])),
        ("spell:en:char", "also", (None, [], [["x"]])),
        ("delete:en:word", "folds", (["case"], ["case", "spaces"], ["spaces", "case"])),
        ("delete:en:word", "given", ("", "x")),
        ("lenop:en:write", "names", ([],)),
        ("trap:en:second", "misled", ([], ["x", "ßé"])),
        ("trap:en:boundary", "misled", ([], [10**6])),
    ],
)
def test_a_target_that_answers_can_meet_is_not_malformed(
    part: str, field: str, values: tuple[object, ...]
) -> None:
    for value in values:
        item = with_field(part, field, value)
        for rule in RULES:
            assert score(f"<answer>{item.solution}</answer>", item, rule=rule) == 1.0


@pytest.mark.parametrize("part", ["decompose:zh", "compm:en:split", "compose:zh", "furigana:ja"])
def test_of_several_right_answers_one_is_enough(part: str) -> None:
    """Published labels list options, and some options lack a part."""
    item = item_of(part)
    field = next(iter(item.target))
    right = item.target[field]
    empty: list[object] = ["", " "] if isinstance(right[0], str) else [[], ["x", ""]]
    for rule in RULES:
        for accepted in ([*empty, *right], [*right, *empty]):
            mixed = replace(item, target={**item.target, field: accepted})
            assert score(f"<answer>{item.solution}</answer>", mixed, rule=rule) == 1.0
        with pytest.raises(ItemError, match=repr(field)):
            score("<answer>x</answer>", replace(item, target={**item.target, field: empty}))


def test_no_differing_token_is_an_answer() -> None:
    item = with_field("diff:en", "differing", [])
    assert score("<answer>same</answer>", item) == 1.0
    assert score("<answer>cat</answer>", item) == 0.0


def test_a_target_without_the_field_is_shown_whole() -> None:
    item = replace(item_of("sort:en"), target={"Order": ["A", "B", "C"]})
    with pytest.raises(
        ItemError, match=r"'order', a list of str: got \{'Order': \['A', 'B', 'C'\]\}"
    ):
        score("<answer>ABC</answer>", item)


def test_the_target_of_a_changed_item_is_checked() -> None:
    """An item is checked once; with another target it is another item."""
    item = replace(item_of("sort:en"), target={"order": ["C", "A", "B"]})
    assert score("<answer>CAB</answer>", item) == 1.0
    item = replace(item, target={"order": ["C", "A"]})
    with pytest.raises(ItemError, match="each of A, B, C once"):
        score("<answer>CAB</answer>", item)


def test_verify_checks_the_target_too() -> None:
    for part, target, answer in (
        ("sort:en", {"order": ["A", "B"]}, ["A", "B"]),
        ("reord:en", {"tokens": []}, []),
        ("decompose:zh", {"accepted": [[]], "ordered": False}, []),
        ("furigana:ja", {"readings": []}, "いぬ"),
    ):
        with pytest.raises(ItemError, match=rf"^the target of a {part[:-3]} item "):
            task(part[:-3]).verify(answer, target)


def _first(text: str, _: Item, __: Language) -> list[str]:
    return text.split()


def _equal(right: Any, answer: Any) -> bool:
    return bool(right == answer)


def _reason(_right: Any, _answer: Any) -> str:
    return "wrong"


def test_kinds_of_users_check_their_targets() -> None:
    order = Order(labels=("X", "Y"))
    order.check({"order": ["Y", "X"]}, "mine")
    with pytest.raises(ItemError, match="'order' is each of X, Y once: got"):
        order.check({"order": ["A", "B", "C"]}, "mine")
    for tokens in (True, False):
        kind = Tokens(read=_first, valid=_equal, explanation=_reason, may_be_empty=tokens)
        if tokens:
            kind.check({"tokens": []}, "mine")
        else:
            with pytest.raises(ItemError, match="non-empty list"):
                kind.check({"tokens": []}, "mine")
    Text().check({"answer": "cat"}, "mine")
    with pytest.raises(ItemError, match="'answer', a non-empty str: got ''"):
        Text().check({"answer": ""}, "mine")
