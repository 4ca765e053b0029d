"""A language is added by adding text: thirty plain sentences are a pack that every task takes."""

from pathlib import Path

import pytest

from tokenbench import catalog, prompt, task
from tokenbench.tasks.wordings import closing
from tokenbench.testing import conformance
from tokenbench.text.packs import findings

pytestmark = pytest.mark.usefixtures("floods_are_read_once")

TURKISH = Path(__file__).parents[1] / "helpers/turkish.txt"


@pytest.mark.parametrize("name", [name for name in catalog() if task(name).accepts_any_language])
def test_every_task_over_packs_speaks_a_new_language(name: str, conformance_items: int) -> None:
    """Nothing but the text is needed, and no promise is kept less."""
    conformance(name, n=conformance_items, langs=["tr"], pack=str(TURKISH))
    item = task(name).generate(lang="tr", pack=TURKISH)
    assert item.prompt.endswith(closing("en"))


def test_its_few_shot_prompts_are_asked_too() -> None:
    for name in ("spell", "insert", "contains"):
        item = task(name).generate(lang="tr", pack=TURKISH)
        assert prompt(item, "fewshot").count(item.prompt.splitlines()[0]) == 1


def test_all_that_thirty_lines_lack_is_number() -> None:
    """The text is sound: more of it is all that a pack would need."""
    assert {finding.about for finding in findings(TURKISH, lang="tr")} == {"sentences"}
