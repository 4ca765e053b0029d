"""Write how many instances each part of the built-in tasks has: src/tokenbench/tasks/sizes.json.

    python tools/sizes.py

Counting takes half a minute and needs the extra `glyph`. Tests check that the file is up to date.
"""

import json
from importlib.resources import files
from pathlib import Path
from typing import Final

from tokenbench.tasks import BUILTIN, TaskRef, task
from tokenbench.tasks.sizes import FILE, count_instances

WRITTEN: Final = Path(str(files("tokenbench.tasks").joinpath(FILE)))


def text() -> str:
    """Return the content of the file: a line for each part."""
    lines = [
        f"{json.dumps(str(ref))}: {json.dumps(count_instances(task(name), ref))}"
        for name in BUILTIN
        for ref in TaskRef.all_of(task(name))
    ]
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    WRITTEN.write_text(text(), encoding="utf-8", newline="\n")
