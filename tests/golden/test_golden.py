"""Golden digests: what is made and how it is judged stays as it was, under every hash seed."""

import os
import subprocess
import sys
from pathlib import Path

import golden
import pytest
from stored_digests import differences


def test_items_and_verdicts_are_as_stored() -> None:
    assert differences(golden.STORED, golden.digests()) == []


@pytest.mark.parametrize("hash_seed", ["1", "4242"])
def test_the_hash_seed_changes_nothing(hash_seed: str) -> None:
    done = subprocess.run(
        [sys.executable, Path(__file__).with_name("golden.py"), "--check"],
        env=os.environ | {"PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
