"""A language is added by adding text: thirty plain sentences are a pack that every task takes."""

from pathlib import Path

import pytest

from tokenbench import prompt, score, task
from tokenbench.draw import SPLITS
from tokenbench.tasks.wording import closing
from tokenbench.text.packs import findings

TURKISH = Path(__file__).with_name("turkish.txt")
PACKED = ("spell", "spell_inverse", "contains", "insert", "delete", "substitute", "swap")


@pytest.mark.parametrize("name", PACKED)
@pytest.mark.parametrize("split", SPLITS)
def test_every_task_over_packs_speaks_a_new_language(name: str, split: str) -> None:
    for variant in task(name).variants or (None,):
        for index in range(25):
            asked = {"lang": "tr", "variant": variant, "split": split, "pack": TURKISH}
            item = task(name).generate(index=index, **asked)  # type: ignore[arg-type]
            assert score(f"<answer>{item.solution}</answer>", item) == 1.0
            assert item.prompt.endswith(closing("en"))
            assert item.lang == "tr"


def test_its_few_shot_prompts_are_asked_too() -> None:
    for name in ("spell", "insert", "contains"):
        item = task(name).generate(lang="tr", pack=TURKISH)
        assert prompt(item, "fewshot").count(item.prompt.splitlines()[0]) == 1


def test_all_that_thirty_lines_lack_is_number() -> None:
    """The text is sound: more of it is all that a pack would need."""
    assert {finding.about for finding in findings(TURKISH, lang="tr")} == {"sentences"}
