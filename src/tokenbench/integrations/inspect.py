"""Inspect: the papers' suites and any parts as its tasks, each rule as a scorer.

Inspect finds them by an entry point: `inspect eval tokenbench/tase -T size=20 -T langs=zh,ko`.
"""

from collections.abc import Callable, Iterable, Sequence
from importlib.metadata import version
from typing import Any, Final

from tokenbench.builtin import SuiteName
from tokenbench.draw import Split
from tokenbench.errors import needs_extra
from tokenbench.extraction import ExtractName
from tokenbench.integrations import (
    ItemLike,
    deal_items,
    parse_rules,
    require_scorer,
    split_names,
    to_prompt,
    validate,
)
from tokenbench.item import Item, as_item
from tokenbench.prompts import Style
from tokenbench.scoring import RULES, Rule, check
from tokenbench.suites import suite

with needs_extra("tokenbench.integrations.inspect", "inspect"):
    from inspect_ai import Task, task
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.scorer import Metric, Score, Scorer, accuracy, grouped, mean, scorer, stderr
    from inspect_ai.scorer import Target as Answers
    from inspect_ai.solver import TaskState


def sample(item: ItemLike, style: Style = "direct") -> Sample:
    """Return an item as Inspect's sample; its metadata has the item as JSON text.

    It also has the task and the language, by which metrics are grouped.

    Args:
        item: an item, its row, or its JSON text.
        style: as `tokenbench.prompt` takes it.

    Raises:
        UnknownNameError: no such style.
        ItemError: not an item.
    """
    item = as_item(item)
    return Sample(
        input=to_prompt(item, style=style, messages=False),
        target=item.solution,
        id=item.id,
        metadata={"item": item.json(), "task": item.task, "lang": item.lang},
    )


def _scorer(rule: Rule) -> Callable[..., Scorer]:
    """Return the scorer of a rule, with its average over all items, each task and each language."""

    def make(extract: ExtractName = "answer") -> Scorer:
        validate(extract=extract)

        async def score(state: TaskState, target: Answers) -> Score:  # noqa: ARG001
            item = state.metadata.get("item")
            verdict = check(state.output.completion, item, rule=rule, extract=extract)
            return Score(
                value=verdict.score,
                answer=verdict.answer,
                explanation=verdict.reason,
                metadata={"code": verdict.code},
            )

        return score

    average: Metric = mean() if "graded" in rule else accuracy()
    groups = [grouped(average, key, all=False) for key in ("task", "lang")]
    register = scorer(metrics=[average, stderr(), *groups], name=rule)
    registered: Callable[..., Scorer] = register(make)
    return registered


SCORERS: Final = {rule: _scorer(rule) for rule in RULES}
exact, graded, published, published_graded = SCORERS.values()


@task
def tokenbench(
    parts: str | Sequence[str],
    n: int = 1000,
    seed: int = 0,
    split: Split = "test",
    rule: str | Sequence[str] = "exact",
    style: Style = "direct",
    extract: ExtractName = "answer",
) -> Task:
    """Ask items of any parts.

    Args:
        parts: `task[:lang[:variant]][@level]`, with commas between several.
        n: the number of items in all, dealt evenly to the parts.
        seed, split: as in the tasks' `generate`.
        rule: the rule to score by, or several with commas between.
        style: as `tokenbench.prompt` takes it.
        extract: as in `tokenbench.score`.

    Raises:
        UnknownNameError, DifficultyError: an argument that is not allowed.
        ItemError: a published rule, but a task has no published scorer.
        TokenbenchError: no part, or no rule.
    """
    items = deal_items(split_names(parts), n, seed=seed, split=split)
    return _task("tokenbench", items, rule, style, extract)


def _suite_task(name: SuiteName, paper: str) -> Callable[..., Task]:
    def ask(
        rule: str | Sequence[str] = "exact",
        style: Style = "direct",
        extract: ExtractName = "answer",
        **options: Any,
    ) -> Task:
        # A command line gives one language as a text, several as a list.
        if isinstance(options.get("langs"), str):
            options = options | {"langs": split_names(options["langs"])}
        return _task(name, suite(name, **options), rule, style, extract)

    # Inspect registers the function under its name.
    ask.__name__ = ask.__qualname__ = name
    ask.__doc__ = (
        f"Ask {paper}'s suite, with the options of `tokenbench.suite`; the rest is as above."
    )
    registered: Callable[..., Task] = task(ask)
    return registered


tase = _suite_task("tase", "TASE")
charbench = _suite_task("charbench", "CharBench")
execute = _suite_task("execute", "EXECUTE")
adt = _suite_task("adt", "ADT")


def _task(
    name: str,
    items: Iterable[Item],
    rule: str | Sequence[str],
    style: Style,
    extract: ExtractName,
) -> Task:
    rules = parse_rules(rule)
    validate(extract=extract, style=style)
    items = list(items)
    require_scorer(items, rules)
    return Task(
        dataset=MemoryDataset([sample(item, style) for item in items], name=name),
        scorer=[SCORERS[name](extract) for name in rules],
        version=version("tokenbench"),
        metadata={"versions": {item.task: item.version for item in items}},
    )
