"""TASE: token awareness and structure, in English, Chinese and Korean (arXiv 2508.05468)."""

from functools import partial
from typing import Final

from tokenbench.draw import Draw
from tokenbench.tasks.contract import Task
from tokenbench.tasks.params import IntRange
from tokenbench.tasks.spec import ItemSpec
from tokenbench.text.units import units

# A task of the paper; a later version is named where the task is.
tase_task: Final = partial(Task, version=2, langs=("en", "zh", "ko"))
# The lengths of the paper's texts; the task gives the help.
TEXT_LENGTH: Final = partial(IntRange, "length", default=(5, 254), max=4096, scales_with_level=True)


def draw_text(draw: Draw, spec: ItemSpec, n: int, *, has_style: bool = True) -> tuple[str, str]:
    """Return a text of n units, and its source; by default marks and letters do not tell n."""
    from tokenbench.text.passages import passage  # only drawing needs it

    words, text = spec.words, spec.text
    return passage(draw, spec.language, n, spec.split, source=words, text=text, has_style=has_style)


def draw_tokens(draw: Draw, spec: ItemSpec, n: int) -> tuple[list[str], str]:
    """Return n units of running text in lower case, without answer words, and their source."""
    text, source = draw_text(draw, spec, n, has_style=False)
    return [unit.lower() for unit in units(text, spec.language)], source
