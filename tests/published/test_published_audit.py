"""The audit of published items: its findings, and that `exact` accepts all other labels."""

from dataclasses import replace
from pathlib import Path

import pytest
from tase_files import checkout

from tokenbench import score
from tokenbench.errors import ItemError
from tokenbench.item import Item
from tokenbench.published import audit
from tokenbench.published.audit import findings
from tokenbench.published.tase import read

FREQ = 'How many times does ""{}"" appear in the following text? Text: {}'
ROWS = [("fog", "fog owl fog", 2), ("owl", "owl owlet", 2), ("tin", "tin tin", 5), ("jam", "", 0)]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    rows = [f'"{FREQ.format(word, text)}",{label}' for word, text, label in ROWS]
    checkout(tmp_path, "freq_count", "number", english="\n".join(["input,answer", *rows]))
    lists = ["fog owl,owl,fog", "fog owl,owl fog,yes", "fog owl,tin owl,tin"]
    rows = [
        f'"Same?\nseq1: {first}\nseq2: {second}",{label}'
        for first, second, label in (line.split(",") for line in lists)
    ]
    checkout(tmp_path, "diff_tokens", "diff", english="\n".join(["input,answer", *rows]))
    checkout(tmp_path, "shuffle_tokens", "shuffle", english='input\n"Mix.\nInput: fog owl tin"')
    return tmp_path


def test_the_findings(root: Path) -> None:
    """Each finding names its item, kind, reason and right answer, in the items' order."""
    found = [
        (finding.item.task, finding.item.meta["row"], finding.code, finding.answers)
        for finding in findings(read(root))
    ]
    assert found == [
        ("freq", 1, "several", ("1", "2")),
        ("freq", 2, "wrong", ("2",)),
        ("diff", 2, "several", ("fog", "tin")),
        ("reord", 0, "unsolvable", ()),
    ]
    assert {finding.code for finding in findings(read(root))} < set(audit.CODES)


def test_exact_accepts_every_label_that_is_not_called_wrong(root: Path) -> None:
    listed = {
        (finding.item.meta["file"], finding.item.meta["row"])
        for finding in findings(read(root))
        if finding.code == "wrong"
    }
    for item in read(root):
        label = item.meta["label"]
        accepted = score(f"<answer>{label}</answer>", item) == 1.0
        assert audit.accepts(item) is (accepted if label else None)
        assert not label or accepted == ((item.meta["file"], item.meta["row"]) not in listed)


def test_a_label_that_our_judge_turns_away_is_always_listed(root: Path) -> None:
    """Whatever the reading says, judging has the last word."""
    items = [replace(item, target={**item.target, "count": 77}) for item in read(root)[:1]]
    (finding,) = findings(items)
    assert (finding.code, finding.reason) == ("wrong", "our verifier turns it away")


def test_items_of_other_origin_are_refused() -> None:
    """Generated items have no file and no label."""
    drawn = Item("freq", 1, "en", None, "?", {"count": 1}, "1", {"seed": 1})
    named = replace(drawn, meta={"file": "x.csv"})
    other = Item("freqs", 1, "en", None, "?", {"count": 1}, "1", {"file": "x.csv", "label": "1"})
    for item in (drawn, named, other):
        with pytest.raises(ItemError, match="is not from a published"):
            list(findings([item]))
