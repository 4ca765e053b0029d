"""LightEval: the papers' tasks, and any parts, as its tasks.

`lighteval accelerate … --custom-tasks tokenbench.integrations.lighteval` reads this module's table.
LightEval reads every dataset from a repository or a folder. Ours is a folder of numbers, and each
item is made from its number when LightEval reads it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any, Final

from tokenbench.builtin import PAPERS
from tokenbench.checks import integer
from tokenbench.draw import Split
from tokenbench.errors import needs_extra
from tokenbench.integrations import (
    parse_rules,
    part_items,
    require_scorer_for_parts,
    to_prompt,
    validate,
)
from tokenbench.prompts import Style
from tokenbench.scoring import Rule, score
from tokenbench.suites import part_names
from tokenbench.tasks import TaskRef, task

with needs_extra("tokenbench.integrations.lighteval", "lighteval"):
    from lighteval.metrics.metrics_sample import SampleLevelComputation
    from lighteval.metrics.utils.metric_utils import SampleLevelMetric
    from lighteval.models.model_output import ModelResponse
    from lighteval.tasks.lighteval_task import LightevalTaskConfig
    from lighteval.tasks.requests import Doc, SamplingMethod

_NUMBERS_FOLDER: Final = Path(__file__).with_name("lighteval_numbers")
# The folder's file has the numbers below this.
_MAX_ITEMS: Final = 1000


class RuleScore(SampleLevelComputation):
    """The score of a completion by a rule."""

    def __init__(self, rule: Rule) -> None:
        self.rule = rule

    def compute(self, model_response: ModelResponse, doc: Doc, **_: Any) -> float:
        """Return the score of the response's text on the document's item."""
        return score(model_response.final_text[0], doc.specific["item"], rule=self.rule)


def config(
    name: str,
    part: str,
    *,
    n: int = 100,
    seed: int = 0,
    style: Style = "direct",
    rules: str | Sequence[str] = ("exact", "graded"),
    generation_size: int | None = 2048,
) -> LightevalTaskConfig:
    """Return one part as LightEval's task.

    Args:
        name: the task's name; tasks with the same name up to a colon form a group.
        part: `task[:lang[:variant]][@level]`.
        n: the number of items of the test split, up to 1,000; fewer if fewer differ.
        seed: as in the task's `generate`.
        style: as `tokenbench.prompt` takes it.
        rules: the rules to score by, each one metric; a list, or one text with commas.
        generation_size: the maximum number of tokens of an answer; None is the model's maximum.

    Raises:
        DifficultyError: a level that the task does not have.
        UnknownNameError: no such part, style or rule.
        ItemError: a published rule, where the part's task has no published scorer.
        TokenbenchError: no rule, or more than 1,000 items.
    """
    n = integer("n", n, least=1, most=_MAX_ITEMS)
    validate(style=style)
    part_items(part, n, seed=seed)
    metrics = parse_rules(rules)
    require_scorer_for_parts([part], metrics)
    return LightevalTaskConfig(
        name=name,
        prompt_function=_DocMaker(part, n, seed, style),
        hf_repo=str(_NUMBERS_FOLDER),
        hf_subset="default",
        hf_avail_splits=("test",),
        evaluation_splits=("test",),
        # The split of the numbers; `_DocMaker` makes examples from the train split of the items.
        few_shots_split="test",
        metrics=[
            SampleLevelMetric(
                metric_name=rule,
                higher_is_better=True,
                category=SamplingMethod.GENERATIVE,
                sample_level_fn=RuleScore(rule),
                corpus_level_fn=fmean,
            )
            for rule in metrics
        ],
        generation_size=generation_size,
        # An answer may contain any text.
        stop_sequence=[],
        version=task(TaskRef.parse(part).task).version,
    )


@dataclass(frozen=True, slots=True)
class _DocMaker:
    """Makes the document of a number.

    LightEval caches completions under the `repr` of a task's configuration. The fields of this
    class fix its items, so completions of another seed are never reused for these.
    """

    part: str
    n: int
    seed: int
    style: Style

    def __call__(self, row: dict[str, Any], name: str) -> Doc | None:
        """Return LightEval's document, or None if there are fewer items than numbers."""
        split: Split = "train" if row["__few_shots"] else "test"
        items = part_items(self.part, self.n, seed=self.seed, split=split)
        if row["number"] >= len(items):
            return None
        item = items[row["number"]]
        return Doc(
            task_name=name,
            query=to_prompt(item, style=self.style, messages=False),
            choices=[f"<answer>{item.solution}</answer>"],
            gold_index=0,
            specific={"item": item.json()},
        )


def _configs() -> Iterable[LightevalTaskConfig]:
    """Yield every part of every paper, in a group for each paper and language."""
    for paper in PAPERS:
        for name in part_names(paper):
            ref = TaskRef.parse(name)
            within = "_".join(filter(None, (ref.task, ref.variant)))
            yield config(f"tokenbench_{paper}_{ref.lang}:{within}", name)


TASKS_TABLE: Final = list(_configs())
