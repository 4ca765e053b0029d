"""Write docs/outside.md: the findings of independent tools in the scorers.

`make docs-measured` runs this script. It needs falsepass and rewardlint (the extra `dev`).
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
<!-- Written by docs/outside.py (`make docs-measured`): change the code, not this. -->

# Findings of outside tools

Two independent tools probe the rule `exact` of every task. The tests run them, too.

falsepass sends the right answer in other forms, and empty, wrong, hedged, sprayed and malformed
completions. It also searches for a wrong completion that is paid and a right one that is not. It
runs here on {ITEMS} items of each task and variant, in two of its languages, in rotation. Its
changes that keep the meaning are used only where the task declares them as equivalent: not letter
case, for example, where that is the answer. rewardlint has exploits and wrong answers to 6 × 7.
They are transferred to an item of each task, language and variant, with and without tags.

A probe is one completion, or one search over many. *paid* counts wrong answers that earned
anything, *refused* right ones that earned less than 1.0, and *raised* errors. *explained* counts
findings that are not faults: the reasons are below."""


def section() -> str:
    """Return the findings that are not faults, each with the reason."""
    reasons = "\n".join(
        f"- {name}:{lang}:{variant}, {place}: {why}."
        for (name, lang, variant, place), why in EXPLAINED.items()
    )
    return f"## Explained\n\n{reasons}"


def rows(name: str) -> list[list[str]]:
    """Return the rows of a task, one for each tool."""
    return [_falsepass(name), _rewardlint(name)]


def _falsepass(name: str) -> list[str]:
    n_probes, counts = 0, dict.fromkeys(("paid", "refused", "raised", "explained"), 0)
    for case in in_turn(2):
        if case[0] == name:
            probes = falsepass_audit.audit(*case, n=ITEMS)
            n_probes += len(probes)
            for row in probes:
                if not row["passed"]:
                    counts[_kind(case, row)] += 1
    return [f"`{name}`", "falsepass", *(f"{count:,}" for count in (n_probes, *counts.values()))]


def _kind(case: Case, row: Row) -> str:
    """Return the column that counts a failed row of falsepass."""
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
    """Return the text of docs/outside.md."""
    head = ["task", "tool", "probes", "paid", "refused", "raised", "explained"]
    body = [row for name in catalog() for row in rows(name)]
    return "\n\n".join([INTRODUCTION, table(head, body), section()]) + "\n"


def main() -> None:
    """Write the file."""
    WRITTEN.write_text(text(), encoding="utf-8")


if __name__ == "__main__":
    main()
