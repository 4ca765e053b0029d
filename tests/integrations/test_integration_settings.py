"""Wrong settings of a framework are refused at once."""

from collections.abc import Callable, Iterator

import pytest

from tokenbench import Item, spell, trap
from tokenbench.errors import ItemError, TokenbenchError, UnknownNameError
from tokenbench.integrations import (
    openrlhf,
    parse_rules,
    require_scorer,
    require_scorer_for_parts,
    to_prompt,
    validate,
    verl,
)
from tokenbench.scoring import RULES, Rule


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"rule": "gradde"}, "did you mean 'graded'"),
        ({"extract": "anser"}, "did you mean 'answer'"),
        ({"style": "fewshots"}, "did you mean 'fewshot'"),
        ({"rule": None}, "unknown rule None"),
        ({"extract": ["answer"]}, "unknown extract"),
    ],
)
def test_a_name_that_does_not_exist_is_refused(wrong: dict[str, str], message: str) -> None:
    with pytest.raises(UnknownNameError, match=message):
        validate(**wrong)


@pytest.mark.parametrize(
    ("export", "option", "wrong"),
    [
        *((export, "system", 3) for export in (to_prompt, verl.rows, openrlhf.rows)),
        *((export, "messages", "no") for export in (to_prompt, openrlhf.rows)),
        *((export, "style", "cott") for export in (to_prompt, verl.rows, openrlhf.rows)),
    ],
)
def test_an_option_of_the_wrong_type_is_refused_before_an_item_is_read(
    export: Callable[..., object], option: str, wrong: object
) -> None:
    items = spell.generate() if export is to_prompt else [spell.generate()]
    with pytest.raises(TokenbenchError, match=f"{option}.*{wrong!r}"):
        export(items, **{option: wrong})


def test_existing_names_are_accepted() -> None:
    for rule in RULES:
        validate(rule=rule, extract=str.strip, style="published")
    assert (
        parse_rules(" exact, graded,exact")
        == parse_rules(["exact", "graded"])
        == ["exact", "graded"]
    )


def test_rules_are_named_and_exist() -> None:
    nothing: tuple[str | list[str], ...] = ("", [], " , ")
    for none in nothing:
        with pytest.raises(TokenbenchError, match="at least one of exact"):
            parse_rules(none)
    with pytest.raises(UnknownNameError, match="unknown rule 'exat'"):
        parse_rules("graded,exat")


@pytest.mark.parametrize("rule", ["published", "published_graded"])
def test_items_without_a_published_scorer_are_refused_under_its_rules(rule: Rule) -> None:
    items = [spell.generate(), trap.generate(lang="zh")]
    require_scorer(items[:1], ["exact", rule])
    require_scorer(items, ["exact", "graded"])
    no_scorer = f"no published scorer judges trap:zh.*: leave out these parts, or the rule '{rule}'"
    with pytest.raises(ItemError, match=no_scorer):
        require_scorer(items, ["exact", rule])
    with pytest.raises(ItemError, match="judges trap:en:char: leave out"):
        require_scorer_for_parts(["spell:en", "trap:en:char"], [rule])


def test_no_item_is_drawn_for_rules_that_judge_any() -> None:
    """So that a list of tasks can be read where the fonts of `dot` are not installed."""

    def none() -> Iterator[Item]:
        raise AssertionError("drawn")
        yield

    require_scorer(none(), ["exact", "graded"])
    with pytest.raises(AssertionError, match="drawn"):
        require_scorer(none(), ["exact", "published"])
