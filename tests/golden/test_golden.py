"""Golden items: items and verdicts stay as they were, under every hash seed."""

import json
import os
import subprocess
import sys
from pathlib import Path

import golden
import pytest
from stored_digests import CASES, Case

from tokenbench import catalog

STORED = json.loads(golden.STORED.read_text())


@pytest.mark.parametrize("case", CASES, ids=str)
def test_items_and_verdicts_are_as_stored(case: Case) -> None:
    assert golden.digest(case) == STORED.get(case.key)


@pytest.mark.parametrize("name", golden.COMBINATIONS)
def test_combinations_are_as_stored(name: str) -> None:
    assert golden.combined_digest(name) == STORED.get(name)


@pytest.mark.parametrize("name", catalog())
def test_two_items_of_each_part_read_as_stored(name: str) -> None:
    assert golden.text(name) == golden.stored_text(name)


def test_nothing_else_is_stored() -> None:
    assert set(STORED) == {case.key for case in CASES} | set(golden.COMBINATIONS)
    assert {file.stem for file in golden.ITEMS.iterdir()} == {*catalog()}


@pytest.mark.thorough
def test_the_hash_seed_changes_nothing() -> None:
    """Two items of each part, which are stored as text, and what answers to them score.

    The tests above run under the hash seeds of their processes, which Python draws anew each time,
    and tests/golden/other_pythons.py checks items under other seeds.
    """
    hash_seed = "1" if os.environ.get("PYTHONHASHSEED") == "4242" else "4242"
    done = subprocess.run(
        [sys.executable, Path(__file__).with_name("golden.py"), "--sample"],
        env=os.environ | {"PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == golden.sample_digest()
