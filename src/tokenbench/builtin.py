"""The built-in tasks: every module in the folder of a paper under `tasks/`."""

import os
from typing import Final

PAPERS: Final = ("tase", "charbench", "execute", "adt")
_FOLDER: Final = os.path.join(os.path.dirname(__file__), "tasks")

# The module of each task, by the task's name: a file in a paper's folder is a task.
BUILTIN: Final = {
    file.removesuffix(".py"): f"tokenbench.tasks.{paper}.{file.removesuffix('.py')}"
    for paper in PAPERS
    for file in sorted(os.listdir(os.path.join(_FOLDER, paper)))
    if file.endswith(".py") and not file.startswith("_")
}
