"""LightEval: the papers' tasks, and any parts, as its tasks.

`lighteval accelerate … --custom-tasks tokenbench.integrations.lighteval` takes this module's table.
LightEval reads every dataset from a repository or a folder. Ours is a folder of numbers, and each
item is drawn from its number when it is asked for.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from statistics import fmean
from typing import Any, Final

from tokenbench.datasets import Dataset, length_of, mixture
from tokenbench.draw import Split
from tokenbench.errors import DifficultyError, missing_extra
from tokenbench.integrations.rows import asked
from tokenbench.integrations.selection import PAPERS, part, parts_of
from tokenbench.integrations.settings import known, parts_judgeable, rules_of
from tokenbench.scoring import score
from tokenbench.tasks import task
from tokenbench.tasks.refs import TaskRef

try:
    from lighteval.metrics.metrics_sample import SampleLevelComputation
    from lighteval.metrics.utils.metric_utils import SampleLevelMetric
    from lighteval.models.model_output import ModelResponse
    from lighteval.tasks.lighteval_task import LightevalTaskConfig
    from lighteval.tasks.requests import Doc, SamplingMethod
except ImportError:
    raise missing_extra("tokenbench.integrations.lighteval", "lighteval") from None

_NUMBERS: Final = Path(__file__).with_name("lighteval_numbers")
_MOST: Final = 1000  # numbers in its file


class Judged(SampleLevelComputation):
    """The score of a completion by a rule."""

    def __init__(self, rule: str) -> None:
        self.rule = rule

    def compute(self, model_response: ModelResponse, doc: Doc, **_: Any) -> float:
        """Return what the response's text scores on the document's item."""
        return score(model_response.final_text[0], doc.specific["item"], rule=self.rule)


def config(
    name: str,
    part: str,
    *,
    n: int = 100,
    seed: int = 0,
    style: str = "direct",
    rules: str | Sequence[str] = ("exact", "graded"),
    generation_size: int | None = 2048,
) -> LightevalTaskConfig:
    """Return one part as LightEval's task.

    Args:
        name: the task's name; those that are alike up to a colon form a group.
        part: `task:lang[:variant][@level]`.
        n: how many items of the test split, up to 1,000, or as many as are different.
        seed: as in the task's `generate`.
        style: as `tokenbench.prompt` takes it.
        rules: the rules by which answers are scored, each a metric; or one text with commas.
        generation_size: how many tokens an answer may have; None is as many as the model takes.

    Raises:
        DifficultyError: more items than there are numbers, or a level that cannot be.
        UnknownNameError: no such part, style or rule.
        ItemError: a published rule, where the part's task has no published scorer.
        TokenbenchError: no rule.
    """
    n = length_of(n)
    if not 1 <= n <= _MOST:
        raise DifficultyError(f"n={n}: a task of LightEval has from 1 to {_MOST} items")
    known(style=style)
    mixture({part: 1.0}, n=n, seed=seed, split="test")  # it says what is wrong
    metrics = rules_of(rules)
    parts_judgeable([part], metrics)
    return LightevalTaskConfig(
        name=name,
        prompt_function=_Asking(part, n, seed, style),
        hf_repo=str(_NUMBERS),
        hf_subset="default",
        hf_avail_splits=("test",),
        evaluation_splits=("test",),
        few_shots_split="test",  # of the numbers: examples are drawn from the train split
        metrics=[_metric(rule) for rule in metrics],
        generation_size=generation_size,
        stop_sequence=[],  # an answer may hold any text
        version=task(TaskRef.parse(part).task).version,
    )


def _metric(rule: str) -> SampleLevelMetric:
    return SampleLevelMetric(
        metric_name=rule,
        higher_is_better=True,
        category=SamplingMethod.GENERATIVE,
        sample_level_fn=Judged(rule),
        corpus_level_fn=fmean,
    )


@dataclass(frozen=True, slots=True)
class _Asking:
    """Draws the item of a number.

    LightEval keeps a task's completions under what its parts show of themselves, and this shows all
    that an item follows from: those of another seed are never taken for these.
    """

    part: str
    n: int
    seed: int
    style: str

    def __call__(self, row: dict[str, Any], name: str) -> Doc | None:
        """Return the item as LightEval's document, or None where there is none for the number."""
        items = _items(self.part, self.n, self.seed, "train" if row["__few_shots"] else "test")
        if row["number"] >= len(items):
            return None
        item = items[row["number"]]
        return Doc(
            task_name=name,
            query=asked(item, style=self.style, messages=False),
            choices=[f"<answer>{item.solution}</answer>"],
            gold_index=0,
            specific={"item": item.json()},
        )


@lru_cache(maxsize=8)
def _items(name: str, n: int, seed: int, split: Split) -> Dataset:
    return part(name, n, seed=seed, split=split)


def _table() -> Iterable[LightevalTaskConfig]:
    """Return every part of every paper, in a group for each paper and language."""
    for paper in PAPERS:
        for name in parts_of(paper):
            ref = TaskRef.parse(name)
            within = "_".join(filter(None, (ref.task, ref.variant)))
            yield config(f"tokenbench_{paper}_{ref.lang}:{within}", name)


TASKS_TABLE: Final = list(_table())
