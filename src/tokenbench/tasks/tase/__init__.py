"""TASE: token awareness and structure, in English, Chinese and Korean (arXiv 2508.05468)."""

from functools import partial
from typing import Final

from tokenbench.tasks.contract import Task
from tokenbench.tasks.params import IntRange

# A task of the paper; a later version is named where the task is.
tase_task: Final = partial(Task, version=2, langs=("en", "zh", "ko"))
# The lengths of the paper's texts; the task gives the help.
TEXT_LENGTH: Final = partial(IntRange, "length", default=(5, 254), max=4096, scales_with_level=True)
