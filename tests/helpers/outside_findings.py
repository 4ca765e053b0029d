"""Questions to outside tools about our tasks, and reports of theirs that are not faults."""

from collections import Counter
from typing import Final

from tokenbench import catalog, task

Case = tuple[str, str, str | None]

KINDS: Final = [(name, variant) for name in catalog() for variant in task(name).variants or (None,)]
CASES: Final[list[Case]] = [
    (name, lang, variant) for name, variant in KINDS for lang in task(name).langs
]

_BITMAPS: Final = (
    "falsepass compares prompts by their letters and digits alone, and the bitmaps of these are "
    "drawn in other marks: their prompts differ in nothing that it reads"
)
# By task, language, variant, and falsepass's probe with its variation.
EXPLAINED: Final = {
    ("dot", "en", "bitmap_to_script", "P12 near_duplicate_prompt"): _BITMAPS,
}


def in_turn(number: int) -> list[Case]:
    """Return each task and variant in some of its languages, in turn, so that all are met."""
    cases: list[Case] = []
    turns: Counter[tuple[str, ...]] = Counter()
    for name, variant in KINDS:
        langs = task(name).langs
        start = turns[langs] % len(langs)
        turns[langs] += 1
        cases += [(name, lang, variant) for lang in (langs * 2)[start:][:number]]
    return list(dict.fromkeys(cases))
