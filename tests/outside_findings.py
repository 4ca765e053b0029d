"""What tools that nobody here wrote report of our tasks and is no fault, with the reason why."""

from typing import Final

_BITMAPS: Final = (
    "falsepass compares prompts by their letters and digits alone, and the bitmaps of these are "
    "drawn in other marks: their prompts differ in nothing that it reads"
)
# By task, language, variant, and falsepass's probe with what it varies.
EXPLAINED: Final = {
    ("dot", "ko", "bitmap_to_script", "P12 near_duplicate_prompt"): _BITMAPS,
    ("dot", "ko", "bitmap_to_char", "P12 near_duplicate_prompt"): _BITMAPS,
}
