"""Whatever a completion is, judging it gives a float in [0, 1] under every rule, and agrees."""

from typing import Any

import pytest
from every_task import of_each_part
from hypothesis import HealthCheck, assume, find, given, settings
from hypothesis import strategies as st

from tokenbench import Item, catalog, check, score, score_batch, task
from tokenbench.errors import UnknownNameError
from tokenbench.extraction import EXTRACTS, ExtractName
from tokenbench.scoring import CODES, RULES, Rule
from tokenbench.testing import attacks, completions, items, respellings
from tokenbench.testing.item_facts import rules_of

FUZZED = settings(
    max_examples=2 * settings().max_examples,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=True,
)


@st.composite
def answered(draw: st.DrawFn) -> tuple[Item, object]:
    """Draw an item of any task and a completion for it."""
    item = draw(st.one_of(st.sampled_from(of_each_part()), items()))
    return item, draw(completions(item))


@FUZZED
@given(answered(), st.sampled_from(RULES), st.sampled_from(EXTRACTS))
def test_any_completion_gets_a_float(
    given_answer: tuple[Item, object], rule: Rule, extract: ExtractName
) -> None:
    """No task, rule or way of reading raises, and `check`, `score` and `score_batch` agree."""
    item, completion = given_answer
    assume(rule in rules_of(item))
    verdict = check(completion, item, rule=rule, extract=extract)
    assert type(verdict.score) is float
    assert 0.0 <= verdict.score <= 1.0
    assert verdict.code in CODES
    assert verdict.reason
    if rule != "published_graded":  # its formula also gives 1.0 to 04 for 4, which is wrong there
        assert (verdict.code == "right") == (verdict.score == 1.0)
    assert score(completion, item.row(), rule=rule, extract=extract) == verdict.score
    batch = score_batch([completion, None], item, rule=rule, extract=extract)
    assert batch.tolist() == [verdict.score, 0.0]


@FUZZED
@given(answered(), st.sampled_from(EXTRACTS))
def test_graded_is_one_exactly_where_exact_is(
    given_answer: tuple[Item, object], extract: ExtractName
) -> None:
    """Partial credit never hides a right answer, nor makes a wrong one right."""
    item, completion = given_answer
    exact = score(completion, item, extract=extract)
    graded = score(completion, item, rule="graded", extract=extract)
    assert exact in (0.0, 1.0)
    assert (graded == 1.0) == (exact == 1.0)


@FUZZED
@given(items(), st.data())
def test_any_item_is_solved_by_its_solution(item: Item, data: st.DataObject) -> None:
    """Any seed and index; its right answers in other spellings are right, attacks are not."""
    right = respellings(item)
    family = data.draw(st.sampled_from(sorted(right)))
    assert score(data.draw(st.sampled_from(right[family])), item) == 1.0
    wrong = {name: texts for name, texts in attacks(item).items() if texts and name != "flood"}
    family = data.draw(st.sampled_from(sorted(wrong)))
    assert score(data.draw(st.sampled_from(wrong[family])), item) == 0.0


@given(completions())
@settings(deadline=None)
def test_completions_need_no_item(completion: object) -> None:
    """Such as suit no item in particular are judged all the same."""
    assert 0.0 <= score(completion, of_each_part()[0], rule="graded") <= 1.0


@pytest.mark.sampled(3)
@pytest.mark.usefixtures("floods_are_read_once")
@pytest.mark.parametrize("name", catalog())
def test_two_million_characters_get_a_float(name: str) -> None:
    """Whatever they are, under the rules that grade: grading under one begins with its verdict."""
    for variant in task(name).variants or (None,):
        lang = "zh" if "zh" in task(name).langs else task(name).langs[0]
        item = task(name).generate(lang=lang, variant=variant)
        for rule in rules_of(item)[1::2]:
            for completion in attacks(item)["flood"]:
                assert 0.0 <= score(completion, item, rule=rule) <= 1.0


def test_strategies_shrink() -> None:
    """A failure is shown on the plainest item and completion that have it."""
    item = find(items("lenop"), lambda _: True)
    made: dict[str, Any] = {name: item.meta[name] for name in ("seed", "index", "split", "level")}
    assert made == {"seed": 0, "index": 0, "split": "train", "level": 0}
    assert find(completions(item), lambda text: isinstance(text, str)) == ""
    tagged = find(completions(item), lambda text: "<answer>" in str(text))
    assert tagged == "<answer>"


@given(items(lang="ko", length=30, split="test", index=3))
@settings(deadline=None, max_examples=40)
def test_items_are_as_asked(item: Item) -> None:
    """Fixed arguments stay fixed, and only tasks that take them are drawn."""
    assert (item.lang, item.meta["split"], item.meta["index"]) == ("ko", "test", 3)
    assert item.meta["params"] == {"length": 30}


def test_items_refuse_unknown_tasks_and_variants() -> None:
    """At once, not when the first example is drawn."""
    for arguments in ({"task": "nosuch"}, {"lang": "xx"}, {"variant": "nosuch"}, {"nosuch": 1}):
        with pytest.raises(UnknownNameError):
            items(**arguments)
