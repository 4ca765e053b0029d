"""What fuzzing and readers have found stays mended: each finding is replayed from a file.

A line of regressions.jsonl is one finding: `why` it was one, the `item` itself or the arguments
that make it (`task` and `arguments`), `extract` (the usual one if absent), the `completion`, and
what `holds`: its score under `exact`, or that judging is `sound`. `tools/fuzz.py` appends to it.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from tokenbench import Item, check, score, task
from tokenbench.scoring import CODES
from tokenbench.testing.item_facts import rules_of

FILE = Path(__file__).parents[1] / "helpers/regressions.jsonl"
FOUND: list[dict[str, Any]] = [
    json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()
]


def item_of(found: dict[str, Any]) -> Item:
    """Return the item that a finding is about."""
    if "item" in found:
        return Item.from_json(json.dumps(found["item"]))
    return task(found["task"]).generate(**found["arguments"])


@pytest.mark.parametrize("place", range(len(FOUND)))
def test_past_findings_stay_mended(place: int) -> None:
    found = FOUND[place]
    item, completion = item_of(found), found["completion"]
    extract = found.get("extract", "answer")
    exact = check(completion, item, extract=extract)
    graded = check(completion, item, rule="graded", extract=extract)
    assert (exact.score == 1.0) == (graded.score == 1.0), found["why"]
    for rule in rules_of(item):
        verdict = check(completion, item, rule=rule, extract=extract)
        assert 0.0 <= verdict.score <= 1.0, found["why"]
        assert verdict.code in CODES, found["why"]
        assert score(completion, item, rule=rule, extract=extract) == verdict.score, found["why"]
    if found["holds"] != "sound":
        assert exact.score == found["holds"], f"{found['why']}: {exact.reason}"


def test_each_finding_has_an_explanation() -> None:
    assert FOUND
    for found in FOUND:
        assert found["why"]
        assert found["holds"] in (0.0, 1.0, "sound")
    assert {0.0, 1.0} <= {found["holds"] for found in FOUND}
