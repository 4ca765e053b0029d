"""Golden verdicts: every task judges right, near and wrong answers as it did."""

import json

import pytest
from golden_verdicts import STORED, completions, digests
from stored_digests import CASES, Case

from tokenbench import check, task

STORED_DIGESTS = json.loads(STORED.read_text())
ANY_LANGUAGE = [case for case in CASES if task(case.task).accepts_any_language]
ONE_LANGUAGE = [case for case in CASES if not task(case.task).accepts_any_language]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("case", ONE_LANGUAGE, ids=str)
def test_verdicts_are_as_stored(case: Case) -> None:
    """Score, code and answer of each kind of completion, and how long an answer may be."""
    assert digests(case) == STORED_DIGESTS.get(case.key)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("case", ANY_LANGUAGE, ids=str)
def test_verdicts_in_any_language_are_as_stored(case: Case) -> None:
    """These are judged alike in all languages, except for closed lists of words."""
    assert digests(case) == STORED_DIGESTS.get(case.key)


def test_nothing_else_is_stored() -> None:
    """A case that is gone leaves no digest behind."""
    assert set(STORED_DIGESTS) == {case.key for case in CASES}


def test_the_completions_meet_every_verdict() -> None:
    """A digest pins little where all is wrong: each code occurs, and credit between 0 and 1."""
    item = task("reord").generate(seed=23, level=0)
    met = [check(completion, item, rule="graded") for _, completion in completions(item)]
    codes = {"right", "wrong", "no_answer", "unparsable", "too_long"}
    assert {verdict.code for verdict in met} == codes
    assert any(0.0 < verdict.score < 1.0 for verdict in met)
