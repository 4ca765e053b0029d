"""verifiers 0.1: our tasks as an environment of one turn, which `load_environment` makes.

From 0.2 on verifiers asks for a taskset instead: see `verifiers_taskset`.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from tokenbench.datasets import Dataset, mixture
from tokenbench.errors import missing_extra
from tokenbench.integrations.measures import group
from tokenbench.integrations.rows import Given, asked
from tokenbench.integrations.selection import listed
from tokenbench.integrations.settings import known, parts_judgeable
from tokenbench.item import as_item
from tokenbench.scoring import check, score

PARTS: Final = ("freq:en", "reord:zh", "compm:ko:split", "spell:en", "count_char:en")


def exact(completion: Any, info: Mapping[str, str], parser: Any) -> float:
    """Return 1.0 if the answer is right."""
    return _scored("exact", completion, info, parser)


def graded(completion: Any, info: Mapping[str, str], parser: Any) -> float:
    """Return the partial credit."""
    return _scored("graded", completion, info, parser)


def published(completion: Any, info: Mapping[str, str], parser: Any) -> float:
    """Return the verdict of the paper's scorer."""
    return _scored("published", completion, info, parser)


def published_graded(completion: Any, info: Mapping[str, str], parser: Any) -> float:
    """Return the partial credit of the paper's scorer."""
    return _scored("published_graded", completion, info, parser)


def answered(completion: Any, info: Mapping[str, str], parser: Any) -> float:
    """Return 1.0 if the completion commits to one answer that can be read."""
    return float(check(parser.parse_answer(completion), info["item"]).code in ("right", "wrong"))


def _scored(rule: str, completion: Any, info: Mapping[str, str], parser: Any) -> float:
    # The parser takes the text out of messages, whatever their type is in this version.
    return score(parser.parse_answer(completion), info["item"], rule=rule)


_PAYING: Final = {
    "exact": exact,
    "graded": graded,
    "published": published,
    "published_graded": published_graded,
}


def mixed(parts: str | Sequence[str] | Mapping[str, float], **options: Any) -> Dataset:
    """Return items of parts: in the proportions of their weights, or as many of each.

    Args:
        parts: `task:lang[:variant][@level]`: with weights, or several, or with commas between.
        options: as in `tokenbench.mixture`.

    Raises:
        UnknownNameError, DifficultyError: as in `tokenbench.mixture`.

    >>> sorted({item.task for item in mixed("spell:en, sort:zh", n=20)})
    ['sort', 'spell']
    """
    return mixture(_weights(parts), **options)


def rows(items: Iterable[Given], style: str = "direct") -> list[dict[str, Any]]:
    """Return verifiers' row of each item; its `info` holds the item as JSON text.

    Args:
        items: any items, their rows or their JSON text.
        style: as `tokenbench.prompt` takes it.

    Raises:
        UnknownNameError: no such style.
        ItemError: not an item.

    >>> sorted(rows(mixed("spell:en", n=1))[0])
    ['answer', 'info', 'prompt']
    """
    return [
        {
            "prompt": asked(item, style=style),
            "answer": item.solution,
            "info": {"item": item.json(), "group": group(item)},
        }
        for item in map(as_item, items)
    ]


def load_environment(
    parts: str | Sequence[str] | Mapping[str, float] = PARTS,
    n: int = 1000,
    n_eval: int = 100,
    seed: int = 0,
    style: str = "direct",
    rule: str = "exact",
    system_prompt: str | None = None,
) -> Any:
    """Return verifiers' environment of one turn over our tasks.

    What it trains on is from the train split, what it evaluates from the test split. The rubric
    pays by the rule, and measures `exact`, `graded` and `answered` beside it.

    Args:
        parts: the parts, as in `mixed`.
        n: how many items to train on.
        n_eval: how many to evaluate.
        seed: as in the tasks' `generate`.
        style: as in `tokenbench.prompt`.
        rule: as in `tokenbench.score`.
        system_prompt: a system message; None for none.

    Raises:
        UnknownNameError, DifficultyError: an argument that cannot be.
        ItemError: a published rule, where a part's task has no published scorer.
        MissingExtraError: without verifiers.
    """
    try:
        import verifiers as vf
        from datasets import Dataset as Table
    except ImportError:
        raise missing_extra("tokenbench.integrations.verifiers", "verifiers") from None
    known(rule=rule, style=style)
    paying = _PAYING[rule]
    watched = [measure for measure in (exact, graded, answered) if measure is not paying]
    train = mixed(parts, n=n, seed=seed, split="train")
    test = mixed(parts, n=n_eval, seed=seed, split="test")
    parts_judgeable(_weights(parts), [rule])
    return vf.SingleTurnEnv(
        # Made when they are asked for: a worker that only evaluates makes nothing to train on.
        dataset=partial(_table, Table, train, style),
        eval_dataset=partial(_table, Table, test, style),
        system_prompt=system_prompt,
        rubric=vf.Rubric([paying, *watched], [1.0] + [0.0] * len(watched)),
    )


def _table(kind: Any, items: Iterable[Given], style: str) -> Any:
    return kind.from_list(rows(items, style))


def _weights(parts: str | Sequence[str] | Mapping[str, float]) -> Mapping[str, float]:
    return parts if isinstance(parts, Mapping) else dict.fromkeys(listed(parts), 1.0)
