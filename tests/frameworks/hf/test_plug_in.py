"""The rows of a task that another distribution brings are items in `datasets`, too."""

import os
import runpy
import subprocess
import sys
from pathlib import Path

HELPERS = Path(__file__).parents[2] / "helpers"
CODE = """
import datasets
from tokenbench import dataset, score
from tokenbench.integrations.hf import items_of, to_dataset, to_iterable
from tokenbench.integrations.hub import write_folder

data = dataset("strangers_vowels", n=20)
assert list(items_of(to_dataset(data))) == list(items_of(to_iterable(data))) == list(data)
write_folder("folder", {"vowels": {"train": data}}, name="Vowels", licence="mit")
loaded = datasets.load_dataset("folder", split="train", cache_dir="cache")
assert [score(f"<answer>{row['solution']}</answer>", row) for row in loaded] == [1.0] * 20
"""


def test_they_are_made_kept_and_scored(tmp_path: Path) -> None:
    runpy.run_path(str(HELPERS / "plug_in.py"))["install"](tmp_path)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    done = subprocess.run(
        [sys.executable, "-c", CODE],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=environment,
        check=False,
    )
    assert done.returncode == 0, done.stderr
