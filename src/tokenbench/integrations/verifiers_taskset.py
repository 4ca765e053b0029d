"""verifiers from 0.2 on: our tasks as its taskset, which `tokenbench_env` exports."""

from collections.abc import Iterator
from typing import Any, Self

from tokenbench.draw import Split
from tokenbench.errors import missing_extra
from tokenbench.integrations.measures import group, measured
from tokenbench.integrations.rows import asked
from tokenbench.integrations.selection import listed
from tokenbench.integrations.settings import known, parts_judgeable
from tokenbench.integrations.verifiers import PARTS, mixed
from tokenbench.item import Item
from tokenbench.scoring import score

try:
    import verifiers.v1 as vf
    from pydantic import model_validator
except ImportError:
    raise missing_extra("tokenbench.integrations.verifiers_taskset", "verifiers") from None


class ItemData(vf.TaskData):
    """What a task carries: the item, as JSON text."""

    item: str


class Judging(vf.TaskConfig):
    """By which rule answers are paid, and how they are taken out: as in `tokenbench.score`."""

    rule: str = "exact"
    extract: str = "answer"

    @model_validator(mode="after")
    def _exists(self) -> Self:
        known(rule=self.rule, extract=self.extract)
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
        """Return what to watch whichever rule pays."""
        told = measured(trace.last_reply, self.data.item, extract=self.config.extract)
        return {"exact": told.exact, "graded": told.graded, "answered": told.answered}

    async def validate(self, runtime: Any) -> bool:  # noqa: ARG002
        """Return whether the item can be judged and its solution is right."""
        solution = Item.from_json(self.data.item).solution
        return score(f"<answer>{solution}</answer>", self.data.item) == 1.0


class Config(vf.TasksetConfig):
    """Which items are asked, and how.

    `parts` holds `task:lang[:variant][@level]`, with commas between several; `n`, `seed` and
    `split` are as in `tokenbench.mixture`, `style` as in `tokenbench.prompt`. What cannot be is a
    `pydantic.ValidationError` that says why.
    """

    task: Judging = Judging()
    parts: str = ",".join(PARTS)
    n: int = 1000
    seed: int = 0
    split: Split = "train"
    style: str = "direct"

    @model_validator(mode="after")
    def _can_be_asked(self) -> Self:
        known(style=self.style)
        mixed(self.parts, n=self.n, seed=self.seed, split=self.split)
        parts_judgeable(listed(self.parts), [self.task.rule])
        return self


class TokenbenchTaskset(vf.Taskset[ItemTask, Config]):
    """Items of our tasks."""

    def load(self) -> Iterator[ItemTask]:
        """Yield a task for each item, made when its turn comes."""
        given = self.config
        for item in mixed(given.parts, n=given.n, seed=given.seed, split=given.split):
            data = ItemData(
                id=item.id,
                name=group(item),
                prompt=asked(item, style=given.style, messages=False),
                item=item.json(),
            )
            yield ItemTask(data, given.task)
