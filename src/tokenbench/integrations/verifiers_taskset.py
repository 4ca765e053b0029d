"""verifiers 0.2 and later: our tasks as its taskset, which `tokenbench_env` exports."""

from collections.abc import Iterator
from typing import Any, Self

from tokenbench.draw import Split
from tokenbench.errors import needs_extra
from tokenbench.integrations import (
    data_source,
    parse_rules,
    require_scorer_for_parts,
    score_metrics,
    split_names,
    to_prompt,
    validate,
)
from tokenbench.integrations.verifiers import PARTS, mix_parts
from tokenbench.item import Item
from tokenbench.scoring import score

with needs_extra("tokenbench.integrations.verifiers_taskset", "verifiers"):
    import verifiers.v1 as vf
    from pydantic import model_validator


class ItemData(vf.TaskData):
    """The data of a task: the item, as JSON text."""

    item: str


class Judging(vf.TaskConfig):
    """The rule and the extract, as in `tokenbench.score`."""

    rule: str = "exact"
    extract: str = "answer"

    @model_validator(mode="after")
    def _validate(self) -> Self:
        validate(rule=self.rule, extract=self.extract)
        return self


class ItemTask(vf.Task[ItemData, vf.State, Judging]):
    """One item, to be answered in one reply."""

    @vf.reward
    async def reward(self, trace: vf.Trace) -> float:
        """Return the last reply's score by the rule."""
        return score(
            trace.last_reply, self.data.item, rule=self.config.rule, extract=self.config.extract
        )

    @vf.metric
    async def measures(self, trace: vf.Trace) -> dict[str, float]:
        """Return the metrics to log, whatever the rule."""
        return score_metrics(trace.last_reply, self.data.item, extract=self.config.extract).to_log()

    async def validate(self, runtime: Any) -> bool:  # noqa: ARG002
        """Return whether the item's own solution is right."""
        solution = Item.from_json(self.data.item).solution
        return score(f"<answer>{solution}</answer>", self.data.item) == 1.0


class Config(vf.TasksetConfig):
    """The items to ask, and how to ask them.

    `parts` is `task[:lang[:variant]][@level]`, with commas between several; `n`, `seed` and `split`
    are as in `tokenbench.mixture`, `style` as in `tokenbench.prompt`. A setting that is not allowed
    is a `pydantic.ValidationError`.
    """

    task: Judging = Judging()
    parts: str = ",".join(PARTS)
    n: int = 1000
    seed: int = 0
    split: Split = "train"
    style: str = "direct"

    @model_validator(mode="after")
    def _validate(self) -> Self:
        validate(style=self.style)
        mix_parts(self.parts, n=self.n, seed=self.seed, split=self.split)
        require_scorer_for_parts(split_names(self.parts), parse_rules([self.task.rule]))
        return self


class TokenbenchTaskset(vf.Taskset[ItemTask, Config]):
    """Items of our tasks."""

    def load(self) -> Iterator[ItemTask]:
        """Yield a task for each item, made when it is read."""
        config = self.config
        for item in mix_parts(config.parts, n=config.n, seed=config.seed, split=config.split):
            data = ItemData(
                id=item.id,
                name=data_source(item),
                prompt=to_prompt(item, style=config.style, messages=False),
                item=item.json(),
            )
            yield ItemTask(data, config.task)
