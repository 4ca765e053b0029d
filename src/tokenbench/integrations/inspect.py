"""Inspect: the papers' suites and any parts as its tasks, each rule as a scorer.

An entry point shows them to Inspect: `inspect eval tokenbench/tase -T size=20 -T langs=zh,ko`.
"""

from collections.abc import Callable, Iterable, Sequence
from importlib.metadata import version
from typing import Any, Final

from tokenbench.draw import Split
from tokenbench.errors import ItemError, missing_extra
from tokenbench.integrations.rows import Given, asked
from tokenbench.integrations.selection import listed, shares
from tokenbench.integrations.settings import judgeable, known, rules_of
from tokenbench.item import Item, as_item
from tokenbench.scoring import check
from tokenbench.suites import suite

try:
    from inspect_ai import Task, task
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.scorer import Metric, Score, Scorer, accuracy, grouped, mean, scorer, stderr
    from inspect_ai.scorer import Target as Answers
    from inspect_ai.solver import TaskState
except ImportError:
    raise missing_extra("tokenbench.integrations.inspect", "inspect") from None


def sample(item: Given, style: str = "direct") -> Sample:
    """Return an item as Inspect's sample; its metadata holds the item as JSON text.

    Task and language stand there too, by which metrics are grouped.

    Args:
        item: an item, its row, or its JSON text.
        style: as `tokenbench.prompt` takes it.

    Raises:
        UnknownNameError: no such style.
        ItemError: not an item.
    """
    item = as_item(item)
    return Sample(
        input=asked(item, style=style, messages=False),
        target=item.solution,
        id=item.id,
        metadata={"item": item.json(), "task": item.task, "lang": item.lang},
    )


def _scorer(rule: str, average: Metric) -> Callable[..., Scorer]:
    """Return the scorer of a rule: its average over all, over each task, and each language."""

    def judging(extract: str = "answer") -> Scorer:
        known(extract=extract)

        async def score(state: TaskState, target: Answers) -> Score:  # noqa: ARG001
            if "item" not in state.metadata:
                raise ItemError("a sample holds the item in metadata['item']: this one has none")
            item = state.metadata["item"]
            verdict = check(state.output.completion, item, rule=rule, extract=extract)
            return Score(
                value=verdict.score,
                answer=verdict.answer,
                explanation=verdict.reason,
                metadata={"code": verdict.code},
            )

        return score

    groups = [grouped(average, key, all=False) for key in ("task", "lang")]
    registered: Callable[..., Scorer] = scorer(metrics=[average, stderr(), *groups], name=rule)(
        judging
    )
    return registered


exact = _scorer("exact", accuracy())
graded = _scorer("graded", mean())
published = _scorer("published", accuracy())
published_graded = _scorer("published_graded", mean())

SCORERS: Final = {
    "exact": exact,
    "graded": graded,
    "published": published,
    "published_graded": published_graded,
}


@task
def tokenbench(
    parts: str | Sequence[str],
    n: int = 1000,
    seed: int = 0,
    split: Split = "test",
    rule: str | Sequence[str] = "exact",
    style: str = "direct",
    extract: str = "answer",
) -> Task:
    """Ask items of any parts.

    Args:
        parts: `task:lang[:variant][@level]`, with commas between several.
        n: how many items in all, dealt evenly to the parts.
        seed, split: as in the tasks' `generate`.
        rule: the rule by which answers are scored, or several with commas between.
        style: as `tokenbench.prompt` takes it.
        extract: how the answer is taken out, as in `tokenbench.score`.

    Raises:
        UnknownNameError, DifficultyError: an argument that cannot be.
        ItemError: a published rule, where a task has no published scorer.
        TokenbenchError: no part, or no rule.
    """
    items = shares(listed(parts), n, seed=seed, split=split)
    return _asking("tokenbench", items, rule, style, extract)


@task
def tase(
    rule: str | Sequence[str] = "exact",
    style: str = "direct",
    extract: str = "answer",
    **options: Any,
) -> Task:
    """Ask TASE's suite; its options are those of `tokenbench.suite`, the rest is as above."""
    return _asking("tase", _suite("tase", options), rule, style, extract)


@task
def charbench(
    rule: str | Sequence[str] = "exact",
    style: str = "direct",
    extract: str = "answer",
    **options: Any,
) -> Task:
    """Ask CharBench's suite; its options are those of `tokenbench.suite`, the rest is as above."""
    return _asking("charbench", _suite("charbench", options), rule, style, extract)


@task
def execute(
    rule: str | Sequence[str] = "exact",
    style: str = "direct",
    extract: str = "answer",
    **options: Any,
) -> Task:
    """Ask EXECUTE's suite; its options are those of `tokenbench.suite`, the rest is as above."""
    return _asking("execute", _suite("execute", options), rule, style, extract)


@task
def adt(
    rule: str | Sequence[str] = "exact",
    style: str = "direct",
    extract: str = "answer",
    **options: Any,
) -> Task:
    """Ask ADT's suite; its options are those of `tokenbench.suite`, the rest is as above."""
    return _asking("adt", _suite("adt", options), rule, style, extract)


def _suite(name: str, options: dict[str, Any]) -> Sequence[Item]:
    """Return a suite's items; a command line gives one language as a text, several as a list."""
    if isinstance(options.get("langs"), str):
        options = options | {"langs": listed(options["langs"])}
    return suite(name, **options)


def _asking(
    name: str, items: Iterable[Item], rule: str | Sequence[str], style: str, extract: str
) -> Task:
    rules = rules_of(rule)
    known(extract=extract, style=style)
    items = list(items)
    judgeable(items, rules)
    return Task(
        dataset=MemoryDataset([sample(item, style) for item in items], name=name),
        scorer=[SCORERS[given](extract) for given in rules],
        version=version("tokenbench"),
        metadata={"versions": {item.task: item.version for item in items}},
    )
