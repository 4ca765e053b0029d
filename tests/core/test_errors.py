"""Errors that help: each names the given value, the allowed ones and what to do instead."""

import pickle
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, get_args

import numpy
import public_names
import pytest

import tokenbench
from tokenbench import Item, catalog, check, mixture, prompt, reord, score, score_batch, spell, task
from tokenbench.builtin import PAPERS, SuiteName
from tokenbench.checks import boolean, integer, number
from tokenbench.curriculum import Curriculum
from tokenbench.errors import (
    Argument,
    DifficultyError,
    ItemError,
    TokenbenchError,
    UnknownNameError,
    expected,
    render,
    unknown,
)
from tokenbench.extraction import EXTRACTS, ExtractName
from tokenbench.integrations import json_lines, openrlhf, score_metrics, verl
from tokenbench.prompts import STYLES, Style
from tokenbench.scoring import RULES, Rule
from tokenbench.testing import rates
from tokenbench.text.languages import LANGUAGES, language

ITEM = reord.generate(seed=3)
ITEMS = [ITEM, spell.generate()]


def message(function: Callable[..., object], *args: Any, **kwargs: Any) -> str:
    """Return the one line of the error that a call raises."""
    with pytest.raises(TokenbenchError) as caught:
        function(*args, **kwargs)
    text = str(caught.value)
    assert "\n" not in text
    assert len(text) < 400
    return text


def spellings(code: str) -> list[str]:
    """Return what people write for a language instead of its code."""
    names = [language(code).name, *language(code).aliases]
    regions = [f"{code}-XX", f"{code}_XX", f"{code.upper()}-Latn-XX", f" {code.upper()}"]
    # Until it is translated, a new language has its code for a name.
    names = [name for name in names if name != code]
    return [*regions, *names, *(name.upper() for name in names), *(f"{n} (XX)" for n in names)]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", catalog())
def test_a_language_in_other_words_leads_to_its_code(name: str) -> None:
    for code in task(name).langs:
        for given in spellings(code):
            text = message(task(name).generate, lang=given)
            assert text.startswith(f"unknown language of {name} {given!r}: allowed are ")
            assert f"did you mean {code!r}?" in text, given


def test_a_language_without_a_pack_leads_to_the_pack() -> None:
    assert message(spell.TASK.generate, lang="sw").endswith("its sentences: pack='PATH'")
    assert "pack" not in message(reord.TASK.generate, lang="sw")
    assert "did you mean" not in message(reord.TASK.generate, lang="xx")


def test_languages_have_an_english_name_and_share_no_name() -> None:
    names = {code: {code, language(code).name, *language(code).aliases} for code in LANGUAGES}
    assert all(language(code).aliases[0].isascii() for code in LANGUAGES)
    lowered = [name.casefold() for code in LANGUAGES for name in names[code]]
    assert len(set(lowered)) == len(lowered)


@pytest.mark.parametrize(
    ("argument", "meant"),
    [
        ({"language": "zh"}, "lang"),
        ({"Lang": "zh"}, "lang"),
        ({"lnag": "zh"}, "lang"),
        ({"lvel": 3}, "level"),
        ({"idx": 3}, "index"),
        ({"sede": 3}, "seed"),
        ({"Length": 3}, "length"),
    ],
)
def test_an_unknown_argument_names_all_and_the_nearest(
    argument: Mapping[str, Any], meant: str
) -> None:
    names = "allowed are length, words, text, lang, variant, split, seed, level,"
    text = message(reord.TASK.generate, **argument)
    assert f"{names} index;" in text
    assert text.endswith(f"did you mean {meant!r}?")
    assert message(partial(tokenbench.dataset, "reord"), **argument) == text


@pytest.mark.parametrize("split", ["val", "Valid"])
def test_a_split_in_other_words_leads_to_its_name(split: str) -> None:
    for draw in (partial(tokenbench.dataset, "reord"), partial(tokenbench.suite, "charbench")):
        assert message(draw, split=split).endswith("did you mean 'validation'?")


def test_a_variant_of_a_task_without_variants_is_said_to_be_none() -> None:
    text = "unknown variant of reord 'split': there is none"
    assert message(reord.TASK.generate, variant="split") == text
    assert message(tokenbench.mixture, {"reord:zh:split": 1.0}) == text


@pytest.mark.parametrize("given", ["EXACT", " Exact", "exakt"])
def test_letter_case_hides_no_hint(given: str) -> None:
    assert message(score, "", ITEM, rule=given).endswith("did you mean 'exact'?")


def test_a_name_of_any_size_and_type_is_one_short_line() -> None:
    for given in ("x" * 10**6, "a\nb", None, 3, ["exact"] * 999):
        assert len(str(unknown("rule", given, RULES))) < 200


@pytest.mark.parametrize("item", [ITEM, ITEM.row(), ITEM.json()])
@pytest.mark.parametrize("completion", ["<answer>x</answer>", "", None, [{"role": "assistant"}]])
def test_swapped_arguments_are_refused(item: Any, completion: Any) -> None:
    for function in (score, check, score_metrics):
        message(function, item, completion)
    message(prompt, "cot", item)
    message(score_batch, [item], [completion])
    # A model may write anything.
    assert score(ITEM.json(), item) == 0.0


OPTIONS: dict[str, list[Callable[..., object]]] = {
    "unique": [
        partial(tokenbench.dataset, "spell"),
        partial(tokenbench.mixture, ["spell"]),
        partial(tokenbench.suite, "tase", size=1),
    ],
    "reveal": [partial(check, "", ITEM)],
    "level": [partial(tokenbench.mixture, ["spell"]), partial(tokenbench.suite, "tase")],
    "seed": [partial(tokenbench.suite, "tase", size=1), partial(Curriculum, ["spell"])],
    "size": [partial(tokenbench.suite, "tase")],
    "overlap": [partial(tokenbench.decontaminate, ITEMS, [])],
    "n": [
        Curriculum(["spell"]).draw,
        partial(tokenbench.dataset, "spell"),
        partial(tokenbench.mixture, ["spell"]),
    ],
}


@pytest.mark.parametrize(
    ("name", "function"),
    [(name, function) for name, functions in OPTIONS.items() for function in functions],
)
def test_an_option_of_the_wrong_type_is_named(name: str, function: Callable[..., object]) -> None:
    values: tuple[object, ...] = ("yes", [], 0.5j)
    for wrong in values:
        assert message(function, **{name: wrong}).startswith(f"{name}={wrong!r}: ")


def test_the_kinds_of_numbers_and_flags_of_numpy_are_taken() -> None:
    assert boolean("a", numpy.bool_(True)) is True
    assert integer("a", numpy.int64(3), least=3) == 3
    assert number("a", numpy.float32(0.5), bool, "") == 0.5


@pytest.mark.parametrize("name", catalog())
def test_verify_takes_a_target(name: str) -> None:
    verify = getattr(tokenbench, name).verify
    for wrong in ("x", 3, ITEM):
        with pytest.raises(ItemError):
            verify("x", wrong)


def test_the_name_of_a_task_is_not_an_item() -> None:
    for function in (lambda item: score("", item), lambda item: check("", item), prompt):
        assert "got 'reord:zh'" in message(function, "reord:zh")
        for given in (reord, task("reord")):
            assert "expected an Item, its row or its JSON text" in message(function, given)


@pytest.mark.parametrize(
    "function",
    [
        lambda items: json_lines.write(Path("never-written"), items),
        lambda items: next(openrlhf.rows(items)),
        lambda items: next(verl.rows(items)),
        lambda items: rates(items),
    ],
)
def test_where_items_are_needed_anything_else_says_how_to_get_them(
    function: Callable[[Any], object],
) -> None:
    for nothing in (ITEM, ITEM.row(), "spell:en", reord, task("reord"), "", b"x", 3, None):
        assert "expected a sequence of items, such as" in message(function, nothing)
    assert "draw(n) returns some" in message(function, Curriculum(["spell:en"]))
    assert not Path("never-written").exists()


def test_items_of_an_iterator_are_read_one_by_one() -> None:
    assert [row["label"] for row in openrlhf.rows(iter(ITEMS))] == [item.json() for item in ITEMS]
    with pytest.raises(ItemError, match="not JSON text"):
        list(openrlhf.rows([ITEM, "?"]))


@pytest.mark.parametrize("item", ITEMS)
def test_the_reason_says_that_a_completion_repeats_the_prompt(item: Item) -> None:
    echo = check(f"<answer>{item.prompt}</answer>", item)
    assert (echo.score, echo.code, echo.answer) == (0.0, "no_answer", None)
    assert echo.reason == (
        "<answer> tags around others: only the inner ones count, and they are empty; "
        "the completion repeats the prompt"
    )
    assert check(item.prompt, item).reason == (
        "only empty <answer> tags; the completion repeats the prompt"
    )
    assert check("<answer>3<answer></answer>", item).reason.startswith("<answer> tags around")
    for plain in (
        "<answer> </answer>",
        "<answer><answer></answer>",
        "<answer></answer> <answer></answer>",
    ):
        assert check(plain, item).reason == "only empty <answer> tags"


def test_the_tuples_of_names_are_those_of_their_types() -> None:
    assert get_args(Rule) == RULES
    assert get_args(Style) == STYLES
    assert get_args(ExtractName) == EXTRACTS
    assert get_args(SuiteName) == tuple(PAPERS)


def test_type_checkers_see_the_public_names_of_today() -> None:
    """`python tools/public_names.py --write` brings the stub up to date."""
    assert public_names.STUB.read_text(encoding="utf-8") == public_names.stub()


def test_an_unknown_name_is_its_own_error() -> None:
    assert isinstance(unknown("rule", "x", RULES), UnknownNameError)


def test_a_range_with_its_ends_swapped_is_said_to_be_swapped() -> None:
    error = message(partial(tokenbench.dataset, "reord"), length=(5, 3))
    assert error == "length=(5, 3): low is above high"


# Errors are values.


@pytest.mark.parametrize(
    ("error", "python", "terminal"),
    [
        (TokenbenchError("no words"), "no words", "no words"),
        (
            ItemError(argument="seed", value=1.5, allowed="a whole number"),
            "seed=1.5: expected a whole number",
            "--seed: expected a whole number",
        ),
        (
            UnknownNameError(argument="rule", value="x", allowed=("exact", "graded")),
            "rule='x': allowed are exact, graded",
            "--rule: allowed are exact, graded",
        ),
        (
            TokenbenchError(
                ["has no effect with ", Argument("variant", "word")],
                argument="text",
                remedy=["leave out ", Argument("text")],
            ),
            "text has no effect with variant='word': leave out text",
            "--text has no effect with --variant: leave out --text",
        ),
    ],
)
def test_each_face_writes_the_arguments_of_an_error(
    error: TokenbenchError, python: str, terminal: str
) -> None:
    assert str(error) == python
    assert render(error, lambda argument: f"--{argument.name}") == terminal
    copy = pickle.loads(pickle.dumps(error))  # noqa: S301
    assert (type(copy), copy.argument, str(copy)) == (type(error), error.argument, python)


def test_an_error_about_what_does_not_pickle_pickles() -> None:
    error = expected("client", lambda: None, "a client")
    assert str(pickle.loads(pickle.dumps(error))) == str(error)  # noqa: S301


def test_an_error_in_a_mixture_names_its_part_and_keeps_its_fields() -> None:
    with pytest.raises(DifficultyError, match=r"^spell:en: length=9999: expected") as told:
        mixture(["spell:en", "reord:zh"], length=9999)
    for error in (told.value, pickle.loads(pickle.dumps(told.value))):  # noqa: S301
        assert (error.place, error.argument) == ("spell:en", "length")
