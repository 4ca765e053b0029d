"""Nearly right answers earn nothing, and right ones may be spelled in several ways at once."""

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis import strategies as st
from near_answers import near, several_spellings
from oracles import can_be_right

from tokenbench import Item, catalog, score, task
from tokenbench.testing import attacks, respellings
from tokenbench.testing.item_facts import near_miss, tagged
from tokenbench.testing.respelling_families import RESPELLING_FAMILIES

KINDS = [(name, variant) for name in catalog() for variant in task(name).variants or (None,)]
EXAMPLES = [25, pytest.param(80, marks=pytest.mark.thorough)]
NEARLY = settings(
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


def pool(name: str, variant: str | None) -> list[Item]:
    """Return two items in each language of a task."""
    return [
        task(name).generate(lang=lang, variant=variant, seed=6, index=index, level=level)
        for lang in task(name).langs
        for index, level in enumerate((0, 5))
    ]


@pytest.mark.sampled(6)
@pytest.mark.parametrize("n_examples", EXAMPLES)
@pytest.mark.parametrize(("name", "variant"), KINDS)
def test_paid_answers_can_be_right(name: str, variant: str | None, n_examples: int) -> None:
    """By an oracle that reads answers in its own way; partial credit is whole there only."""
    items = pool(name, variant)

    @settings(NEARLY, max_examples=n_examples)
    @given(st.sampled_from(items).flatmap(lambda item: st.tuples(st.just(item), near(item))))
    def pays_only_right_answers(drawn: tuple[Item, str]) -> None:
        item, text = drawn
        exact = score(tagged(text), item)
        if exact == 1.0:
            assert can_be_right(text, item)
        assert (score(tagged(text), item, rule="graded") == 1.0) == (exact == 1.0)

    pays_only_right_answers()


@pytest.mark.sampled(3)
@pytest.mark.parametrize("n_examples", EXAMPLES)
@pytest.mark.parametrize(("name", "variant"), KINDS)
def test_spellings_combine(name: str, variant: str | None, n_examples: int) -> None:
    """Variations that are free on their own are free together."""
    items = pool(name, variant)

    @settings(NEARLY, max_examples=n_examples // 2)
    @given(
        st.sampled_from(items).flatmap(
            lambda item: st.tuples(st.just(item), several_spellings(item))
        )
    )
    def right(drawn: tuple[Item, str]) -> None:
        item, completion = drawn
        assert score(completion, item) == 1.0

    right()


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("name", "variant"), KINDS)
def test_the_oracles_know_right_from_wrong(name: str, variant: str | None) -> None:
    """They take every spelling of the solution for right, and neither near misses nor nothing.

    Labels, objects and phrases come off before an oracle reads.
    """
    for item in pool(name, variant):
        for family, texts in respellings(item).items():
            spelled = RESPELLING_FAMILIES[family].style == "spelling"
            for completion in texts if spelled else ():
                text = completion.removeprefix("<answer>").removesuffix("</answer>")
                if tagged(text) == completion and "answer>" not in text:
                    assert can_be_right(text, item), text
        assert not can_be_right(near_miss(item), item)
        assert not can_be_right("", item)
        refused = 0
        for attack in attacks(item)["negation"]:
            refused += not can_be_right(str(attack)[len("<answer>") : -len("</answer>")], item)
        assert refused


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("name", "variant"), KINDS)
def test_a_scorer_that_can_be_gamed_would_be_found(name: str, variant: str | None) -> None:
    """Among the near answers are such as a search for the solution's text would pay."""
    item = pool(name, variant)[0]
    text = find(
        near(item),
        lambda text: item.solution in text and not can_be_right(text, item),
        settings=settings(NEARLY, max_examples=500, phases=[Phase.generate]),
    )
    assert score(tagged(text), item) == 0.0
