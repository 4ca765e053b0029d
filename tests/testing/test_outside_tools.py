"""Tools that nobody here wrote find nothing to pay and nothing refused, on any task."""

import runpy
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

import pytest

from tokenbench import Item, score, task
from tokenbench.testing.item_facts import near_miss, tagged

_WHY: Final = "the extra dev has it: pip install 'tokenbench[dev]'"
pytest.importorskip("falsepass", reason=f"falsepass is not installed: {_WHY}")
pytest.importorskip("rewardlint", reason=f"rewardlint is not installed: {_WHY}")

import falsepass_audit  # noqa: E402
import rewardlint_audit  # noqa: E402
from falsepass_audit import Row, place_of  # noqa: E402
from outside_findings import CASES, EXPLAINED, in_turn  # noqa: E402

ONE, TWO = in_turn(1), in_turn(2)
CONTROLS = ("freq", "reord", "sort", "spell", "compm", "contains")
EPSILON = 1e-9


def from_the_answer(row: Row) -> bool:
    """Return whether a completion was made from the right answer, so that it may be near it."""
    return row["probe"] in ("P5", "P6", "P7", "P9", "P13", "P14", "P15", "S1", "S3", "T7")


def holding(completion: object, item: Item) -> float:
    """Pay whatever holds the solution: a scorer that can be gamed."""
    return float(item.solution in str(completion))


def literal(completion: object, item: Item) -> float:
    """Pay the solution as it stands and nothing else: a scorer that is too strict."""
    return float(completion == tagged(item.solution))


def raising(completion: object, item: Item) -> float:
    """Fail on a value that is not text."""
    return float(completion == tagged(item.solution)) if completion else 1 / 0


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("name", "lang", "variant"),
    [pytest.param(*case, marks=[] if case in ONE else pytest.mark.thorough) for case in TWO],
)
def test_falsepass_finds_nothing(name: str, lang: str, variant: str | None) -> None:
    """Every row passes, except the explained ones; each of those is still found."""
    explained = {place for *case, place in EXPLAINED if case == [name, lang, variant]}
    # Two bitmaps that look alike to falsepass are not among the first three.
    rows = falsepass_audit.audit(name, lang, variant, n=10 if explained else 3)
    assert {place_of(row) for row in rows if not row["passed"]} == explained, [
        row for row in rows if not row["passed"]
    ]
    assert {"P1", "P2", "P5", "P10", "P11", "P15", "A1", "S1", "S2", "S3"} <= {
        row["probe"] for row in rows
    }


def test_all_languages_are_met_in_turn() -> None:
    assert {lang for _, lang, _ in ONE} == {lang for _, lang, _ in CASES}
    assert {(name, lang, variant) for name, lang, variant, _ in EXPLAINED} <= {*TWO}


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("name", "lang", "variant"), ONE)
def test_falsepass_farms_no_partial_credit(name: str, lang: str, variant: str | None) -> None:
    """Without the answer nothing is earned; with it, no search gets more than its start."""
    rows = falsepass_audit.audit(name, lang, variant, judge=partial(score, rule="graded"), n=3)
    near = [
        score(tagged(near_miss(item)), item, rule="graded")
        for item in (task(name).generate(lang=lang, variant=variant, index=i) for i in range(3))
    ]
    for row in rows:
        if row["passed"] or row["probe"] == "P12":  # about prompts: the test above has it
            continue
        assert row["expected"] == "zero", row
        assert not row["errors"], row
        assert from_the_answer(row), row
        assert row["score"] < 1.0, row
        if row["probe"] == "S1":
            assert row["score"] <= near[int(row["example"])] + EPSILON, row


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", CONTROLS)
@pytest.mark.parametrize(
    ("judge", "probes"),
    [
        (holding, {"P4", "P5", "P15", "S1"}),
        (literal, {"P2", "S2"}),
        (raising, {"P3", "P10"}),
    ],
)
def test_falsepass_finds_planted_faults(
    judge: Callable[[object, Item], float], probes: set[str], name: str
) -> None:
    """A scorer that can be gamed, one that is too strict, and one that raises are caught."""
    rows = falsepass_audit.audit(name, task(name).langs[0], None, judge=judge, n=3)
    failed = {row["probe"] for row in rows if not row["passed"]}
    assert failed & probes, failed
    if judge is raising:
        assert any(row["errors"] for row in rows)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("name", "lang", "variant"), CASES)
def test_rewardlint_finds_nothing(name: str, lang: str, variant: str | None) -> None:
    """Its exploits and wrong answers earn nothing, as they are and inside the tags."""
    item = task(name).generate(seed=3, lang=lang, variant=variant)
    for wrapped in (False, True):
        outcomes = rewardlint_audit.audit(item, wrapped=wrapped)
        assert len(outcomes) > 30
        assert [one for one in outcomes if not one.passed] == []


@pytest.mark.parametrize("name", CONTROLS)
def test_rewardlint_finds_planted_faults(name: str) -> None:
    """A scorer that can be gamed, one that refuses everything and one that pays all are caught."""
    item = task(name).generate(seed=3, lang=task(name).langs[0])
    for wrapped in (False, True):
        found = rewardlint_audit.audit(item, wrapped=wrapped, judge=holding)
        assert {"negation", "contradiction", "shotgun"} <= {
            one.case.attack for one in found if not one.passed
        }
        refused = rewardlint_audit.audit(item, wrapped=wrapped, judge=lambda *_: 0.0)
        assert [one.case.id for one in refused if not one.passed] == ["witness"]


@pytest.mark.parametrize("name", ["furigana", "sort"])
def test_the_document_is_as_generated(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """docs/outside.md is what its script writes: its prose, and the rows of two tasks."""
    docs = Path(__file__).parents[2] / "docs"
    monkeypatch.syspath_prepend(str(docs))
    monkeypatch.setattr(sys, "path", [*sys.path])  # the script adds to it
    made = runpy.run_path(str(docs / "outside.py"))
    written = (docs / "outside.md").read_text(encoding="utf-8")
    assert written.startswith(made["INTRODUCTION"]), (
        "docs/outside.md is out of date: make docs-measured"
    )
    assert written.endswith(f"{made['section']()}\n")
    assert all(f"| {' | '.join(row)} |\n" in written for row in made["rows"](name))
