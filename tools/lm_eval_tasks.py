"""Write the task files of lm-evaluation-harness: a group for each paper, and for its languages.

`python tools/lm_eval_tasks.py` writes those of `src/tokenbench/integrations/lm_eval_tasks/` that
follow from the tasks. A test checks that the files are what this writes.
"""

from collections.abc import Iterable
from typing import Final

from tokenbench.builtin import PAPERS, SuiteName
from tokenbench.integrations.lm_eval import TASKS
from tokenbench.suites import part_names
from tokenbench.tasks import TaskRef, task

HEADER: Final = "# Written by tools/lm_eval_tasks.py.\n"


def files() -> dict[str, str]:
    """Return each file's name with the text that it should contain."""
    return {f"{name}.yaml": text for paper in PAPERS for name, text in _of(paper).items()}


def _of(paper: SuiteName) -> dict[str, str]:
    """Return the groups of a paper: one for each language, and one of these."""
    langs: dict[str, list[str]] = {}
    for part in part_names(paper):
        langs.setdefault(str(TaskRef.parse(part).lang), []).append(part)
    groups = {
        f"{paper}_{lang}": _group(f"{paper}_{lang}", map(_part, parts))
        for lang, parts in langs.items()
    }
    return {paper: _group(paper, (f"tokenbench_{name}" for name in groups))} | groups


def _group(name: str, members: Iterable[str]) -> str:
    lines = ["include: _group.yaml", f"group: tokenbench_{name}", "task:"]
    return HEADER + "".join(f"{line}\n" for line in lines) + "".join(f"  - {m}\n" for m in members)


def _part(part: str) -> str:
    ref = TaskRef.parse(part)
    name = "_".join(filter(None, (ref.task, ref.variant)))
    # Not `parts`: the harness does not take what --metadata holds as well.
    asked = f'dataset_kwargs: {{part_of_group: "{part}"}}'
    version = f"metadata: {{version: {task(ref.task).version}}}"
    return f"{{task: {name}, {asked}, {version}}}"


if __name__ == "__main__":
    for name, text in files().items():
        (TASKS / name).write_text(text, encoding="utf-8")
