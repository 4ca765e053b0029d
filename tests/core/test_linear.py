"""Judging takes time linear in the completion, for inputs made to hurt, up to a limit."""

import json
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from growth import linear

from tokenbench import catalog, check, score, task
from tokenbench.extraction import EXTRACTS, ExtractName
from tokenbench.item import Item
from tokenbench.scoring import Rule
from tokenbench.text.graphemes import graphemes
from tokenbench.text.normalize import nfc

LANGS = ("en", "zh", "ko")
CASES = [
    (name, lang, variant)
    for name in catalog()
    for lang in [lang for lang in task(name).langs if lang in LANGS] or task(name).langs[:1]
    for variant in task(name).variants or (None,)
]
LONG = [case for case in CASES if case[0] == "reord" or case[2] == "write"]
READ = 4  # an answer is read up to four times its longest reasonable length,
MORE = 1024  # and this many characters more

# Text that an answer repeats.
UNITS = {
    "spaces": " ",
    "a letter and spaces": "a" + " " * 50,
    "tabs and lines": " \t\n\r\u3000",
    "lines": "a\n",
    "separators": ", ;/|",
    "arrows": "->",
    "dashes": "-",
    "dashes apart": "a - ",
    "equal signs": "=",
    "marks": ".,!?",
    "tags": "<",
    "square brackets": "[",
    "round brackets": "(",
    "braces": "{",
    "quotes": '"',
    "apostrophes": "'",
    "curly quotes": "“",
    "bold": "**",
    "backticks": "`",
    "fences": "```\n",
    "numbers": "12 ",
    "digits": "9",
    "other digits": "１",
    "numbered": "1. a\n",
    "bullets": "- a\n",
    "a JSON list": '"a", ',
    "plus": "a+",
    "conjunctions": "a and ",
    "negations": "no: ",
    "hyphens": "a-",
    "contractions": "it's ",
    "one letter": "a",
    "words": "a bc ",
    "Han": "把",
    "Hangul": "각 ",
    "kana": "ムと",
    "jamo": "ㄱㅏ",
    "jamo that conjoin": "\u1100\u1161\u11a8",
    "wide": "Ａｱﾞ",
    "marks that combine": "\u0301\u0316",
    "emoji": "👩\u200d",
    "flags": "🇦",
    "conjuncts": "क्",
    "selectors": "把\ufe00",
    "invisible": "a\u200b",
    "controls": "\0\ud800",
}
# Text repeated in front of an answer, and its mirror image behind it.
MIRROR = str.maketrans("([{“‘「（", ")]}”’」）")
NESTED = ("**", '"', "'", "`", "“", "「", "(", "（", "[", "{", '**"`(', "```\n", "[“")
# Text that a completion repeats around answers, for each way to take one out.
TAGS = {
    "openings": "<",
    "answers that begin": "<answer>",
    "answers that end": "</answer>",
    "empty answers": "<answer></answer>",
    "thoughts that begin": "<think>",
    "thoughts that end": "</think>",
    "thoughts": "<think><answer>1</answer></think>",
    "nearly tags": "<answe",
    "the same answer": "<answer>1</answer>",
    "nested answers": "<answer><answer>1</answer>",
    "boxes that begin": "\\boxed{",
    "boxes": "\\boxed{1}",
    "boxes in boxes": "\\boxed{{1}",
    "braces": "}{",
    "prose": "a < b, so the answer is 1. ",
}

# The slowest texts of a search, by extract and within answers: see benchmarks/floods.py.
FLOODS = json.loads((Path(__file__).parents[2] / "benchmarks/floods.json").read_text("utf-8"))

judged = partial(check, rule="graded")


def make_item(name: str, lang: str, variant: str | None, **more: Any) -> Item:
    return task(name).generate(lang=lang, variant=variant, **more)


def limit(item: Item) -> int:
    """Return how many characters of an answer to an item are read."""
    return READ * task(item.task).kind(item.variant).max_chars(item.target) + MORE


def calls(work: Callable[[], object]) -> int:
    """Return how many functions of Python and of C a piece of work calls."""
    count = 0

    def count_event(_frame: FrameType, event: str, _arg: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count_event)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


def grows_like_its_input(work: Callable[[str], object], unit: str, size: int) -> bool:
    """Say whether work on four times the text is at most about four times as much.

    Calls are counted exactly; what happens within one, as a regular expression's steps, only
    shows in time, whose growth is measured roughly.
    """
    shorter, longer = (unit * (n // len(unit)) for n in (size, 4 * size))
    for _ in range(2):  # work done once counts against the longer text, the first time
        many, few = calls(partial(work, longer)), calls(partial(work, shorter))
        if many <= 1.25 * len(longer) / len(shorter) * few + 100:
            return linear(work, unit, 4 * size)
    return False


@pytest.mark.sampled(6)
@pytest.mark.parametrize(("name", "lang", "variant"), CASES)
def test_an_answer_up_to_the_longest_that_is_read(
    name: str, lang: str, variant: str | None
) -> None:
    item = make_item(name, lang, variant)
    hold_up(item)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("name", "lang", "variant"), LONG)
def test_a_long_answer_where_long_ones_are_right(name: str, lang: str, variant: str | None) -> None:
    item = make_item(name, lang, variant, length=200)
    assert limit(item) > 4_000
    hold_up(item)


def hold_up(item: Item) -> None:
    size = limit(item) // 4
    slow = []
    for rule in ("graded", "published_graded"):
        if rule == "published_graded" and "published" not in item.target:
            continue
        for about, unit in UNITS.items():

            def answered(text: str, rule: Rule = rule) -> object:
                return check(f"<answer>x{text}x</answer>"[: limit(item)], item, rule=rule)

            if not grows_like_its_input(answered, unit, size - 8):
                slow.append((rule, about))
    for mark in NESTED:

        def judge_nested(text: str) -> object:
            return judged(f"<answer>{text}x{text[::-1].translate(MIRROR)}</answer>", item)

        if not grows_like_its_input(judge_nested, mark, size // 2 - 8):
            slow.append(("nested", mark))
    tokens = item.target.get("tokens") or [item.solution]

    def judge_repeated(text: str) -> object:
        return judged(f"<answer>{text}</answer>", item)

    if not grows_like_its_input(judge_repeated, f"{tokens[0]} "[:size], size):
        slow.append(("repeated", tokens[0]))
    assert not slow


@pytest.mark.parametrize("extract", EXTRACTS)
@pytest.mark.parametrize("about", TAGS)
def test_a_completion_of_any_length(about: str, extract: ExtractName) -> None:
    item = make_item("freq", "en", None)
    for rule in ("exact", "published"):
        assert grows_like_its_input(
            lambda text, rule=rule: score(text, item, rule=rule, extract=extract),  # type: ignore[misc]
            TAGS[about],
            30_000,
        )


@pytest.mark.parametrize("extract", EXTRACTS)
def test_floods_that_a_search_found(extract: ExtractName) -> None:
    item = make_item("count_char", "en", None)
    for unit in FLOODS[extract]:
        assert grows_like_its_input(lambda text: score(text, item, extract=extract), unit, 30_000)


@pytest.mark.sampled(6)
@pytest.mark.parametrize(("name", "lang", "variant"), CASES)
def test_floods_within_an_answer_that_a_search_found(
    name: str, lang: str, variant: str | None
) -> None:
    item = make_item(name, lang, variant)
    for unit in FLOODS["answers"]:
        assert grows_like_its_input(
            lambda text: judged(f"<answer>x{text}</answer>", item),
            unit.replace("{solution}", item.solution),
            (limit(item) - 1) // 4,
        ), unit


@pytest.mark.sampled(6)
@pytest.mark.parametrize(("name", "lang", "variant"), CASES)
def test_many_answers_that_are_the_same_in_other_spellings(
    name: str, lang: str, variant: str | None
) -> None:
    """All of them are read, each up to the limit, and none is compared with all the others."""
    item = make_item(name, lang, variant)
    first, rest = item.solution[:1], item.solution[1:]
    room = limit(item) - len(item.solution) - 200

    def several(text: str) -> object:
        hidden = (first + "\u200b" * (room - n % 97) + rest for n in range(len(text)))
        return judged("".join(f"<answer>{a}</answer>" for a in hidden), item, extract="only")

    assert grows_like_its_input(several, "x", 20)


@pytest.mark.parametrize("name", ["marks", "flags", "emoji", "conjuncts"])
def test_characters_of_any_length(name: str) -> None:
    unit = {"marks": "\u0301\u0316"}.get(name) or UNITS[name]
    for work in (nfc, graphemes):
        assert grows_like_its_input(work, unit, 20_000)
    # A run of marks that Unicode orders otherwise, which normalising has to sort.
    assert grows_like_its_input(
        lambda text: nfc("a" + "\u0301" * len(text) + "\u0316" * len(text)), "x", 20_000
    )


def test_calls_tell_a_square_from_a_line() -> None:
    def square(text: str) -> int:
        return sum(text.count(char) for char in text for _ in range(len(text) // 9))

    assert grows_like_its_input(lambda text: [ord(char) for char in text], "ab", 400)
    assert not grows_like_its_input(square, "ab", 40)
