"""Write docs/outside.md: what tools that nobody here wrote find in the scorers.

`make docs` runs it. It needs what the extra `dev` installs: falsepass and rewardlint.
"""

import sys
from pathlib import Path
from typing import Final

from _tables import table

ROOT: Final = Path(__file__).resolve().parents[1]
WRITTEN: Final = ROOT / "docs" / "outside.md"
sys.path.insert(0, str(ROOT / "tests/helpers"))  # the audits are those of the tests

import falsepass_audit  # noqa: E402
import rewardlint_audit  # noqa: E402
from falsepass_audit import Row, place_of  # noqa: E402
from outside_findings import CASES, EXPLAINED, Case, in_turn  # noqa: E402

from tokenbench import catalog, task  # noqa: E402

ITEMS: Final = 10
INTRODUCTION: Final = f"""\
<!-- Written by docs/outside.py (`make docs`): change the code, not this. -->

# What outside tools find

Two tools that nobody here wrote probe the rule `exact` of every task; the tests run them too.

falsepass probes a scorer with the right answer in other forms, with empty, wrong, hedged, sprayed
and malformed completions, and searches for a wrong one that is paid and a right one that is not. It
runs here on {ITEMS} items of each task and variant in two of its languages, taken in turn. Of its
changes that keep the meaning, those are left out that a task does not fold, such as letter case
where it is the answer. rewardlint brings exploits and wrong answers to 6 × 7, which are moved onto
an item of each task, language and variant, as they are and inside the tags.

A probe is one completion, or one search over many. *Paid* are wrong answers that earned anything,
*refused* right ones that did not earn all, *raised* errors; *explained* is what was found and is no
fault, as said below."""


def section() -> str:
    """Return the findings that are no fault, each with the reason."""
    reasons = "\n".join(
        f"- {name}:{lang}:{variant}, {place}: {why}."
        for (name, lang, variant, place), why in EXPLAINED.items()
    )
    return f"## Explained\n\n{reasons}"


def rows(name: str) -> list[list[str]]:
    """Return the rows of a task, one for each tool."""
    return [_falsepass(name), _rewardlint(name)]


def _falsepass(name: str) -> list[str]:
    probes, counted = 0, dict.fromkeys(("paid", "refused", "raised", "explained"), 0)
    for case in in_turn(2):
        if case[0] == name:
            found = falsepass_audit.audit(*case, n=ITEMS)
            probes += len(found)
            for row in found:
                if not row["passed"]:
                    counted[_kind(case, row)] += 1
    return [f"`{name}`", "falsepass", *(f"{count:,}" for count in (probes, *counted.values()))]


def _kind(case: Case, row: Row) -> str:
    """Return what a row of falsepass's that did not pass is."""
    if (*case, place_of(row)) in EXPLAINED:
        return "explained"
    if row["errors"]:
        return "raised"
    return "refused" if row["expected"] == "full" or row["probe"] == "S2" else "paid"


def _rewardlint(name: str) -> list[str]:
    outcomes = [
        outcome
        for _, lang, variant in (case for case in CASES if case[0] == name)
        for wrapped in (False, True)
        for outcome in rewardlint_audit.audit(
            task(name).generate(seed=3, lang=lang, variant=variant), wrapped=wrapped
        )
    ]
    failed = [one for one in outcomes if not one.passed]
    raised = [one for one in failed if one.error]
    refused = [one for one in failed if one.case.expect and not one.error]
    paid = len(failed) - len(raised) - len(refused)
    counts = (len(outcomes), paid, len(refused), len(raised), 0)
    return [f"`{name}`", "rewardlint", *(f"{count:,}" for count in counts)]


def text() -> str:
    """Return what docs/outside.md holds."""
    head = ["task", "tool", "probes", "paid", "refused", "raised", "explained"]
    found = [row for name in catalog() for row in rows(name)]
    return "\n\n".join([INTRODUCTION, table(head, found), section()]) + "\n"


def main() -> None:
    """Write the file."""
    WRITTEN.write_text(text(), encoding="utf-8")


if __name__ == "__main__":
    main()
