"""verifiers 0.1: our tasks as an environment of one turn, which `load_environment` makes.

verifiers 0.2 and later need a taskset instead: see `verifiers_taskset`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from tokenbench.datasets import Dataset, finite, mixture
from tokenbench.errors import needs_extra
from tokenbench.integrations import (
    ItemLike,
    data_source,
    prompts_of,
    require_scorer_for_parts,
    split_names,
    validate,
)
from tokenbench.prompts import Style
from tokenbench.scoring import RULES, Rule, check, score

PARTS: Final = ("freq:en", "reord:zh", "compm:ko:split", "spell:en", "count_char:en")


def _reward_function(rule: Rule) -> Callable[..., float]:
    def reward(completion: Any, info: Mapping[str, str], parser: Any) -> float:
        # The parser reads the text of messages, whose type depends on the version of verifiers.
        return score(parser.parse_answer(completion), info["item"], rule=rule)

    # verifiers logs the function under its name, and pickle finds it by its qualified name.
    reward.__name__ = reward.__qualname__ = rule
    return reward


_REWARDS: Final = {rule: _reward_function(rule) for rule in RULES}
exact, graded, published, published_graded = _REWARDS.values()


def answered(completion: Any, info: Mapping[str, str], parser: Any) -> float:
    """Return 1.0 if the completion has an answer that parses, right or wrong."""
    return float(check(parser.parse_answer(completion), info["item"]).code in ("right", "wrong"))


def mix_parts(parts: str | Sequence[str] | Mapping[str, float], **options: Any) -> Dataset:
    """Return items of parts, in the proportions of their weights or the same number of each.

    Args:
        parts: `task[:lang[:variant]][@level]`: with weights, in a list, or with commas between.
        options: as in `tokenbench.mixture`.

    Raises:
        UnknownNameError, DifficultyError: as in `tokenbench.mixture`.

    >>> sorted({item.task for item in mix_parts("spell:en, sort:zh", n=20)})
    ['sort', 'spell']
    """
    return mixture(_weights(parts), **options)


def rows(items: Iterable[ItemLike], style: Style = "direct") -> list[dict[str, Any]]:
    """Return verifiers' row of each item; its `info` has the item as JSON text.

    Args:
        items: any items, their rows or their JSON text.
        style: as `tokenbench.prompt` takes it.

    Raises:
        UnknownNameError: no such style.
        EndlessError: a dataset without end.
        ItemError: not an item.

    >>> sorted(rows(mix_parts("spell:en", n=1))[0])
    ['answer', 'info', 'prompt']
    """
    return [
        {
            "prompt": prompt,
            "answer": item.solution,
            "info": {"item": item.json(), "group": data_source(item)},
        }
        for item, prompt in prompts_of(finite(items), style=style)
    ]


def load_environment(
    parts: str | Sequence[str] | Mapping[str, float] = PARTS,
    n: int = 1000,
    n_eval: int = 100,
    seed: int = 0,
    style: Style = "direct",
    rule: Rule = "exact",
    system_prompt: str | None = None,
) -> Any:
    """Return verifiers' environment of one turn over our tasks.

    Training items are from the train split, evaluation items from the test split. The reward is
    by the rule, and the rubric also logs `exact`, `graded` and `answered`.

    Args:
        parts: the parts, as in `mix_parts`.
        n: the number of training items.
        n_eval: the number of evaluation items.
        seed: as in the tasks' `generate`.
        style: as in `tokenbench.prompt`.
        rule: as in `tokenbench.score`.
        system_prompt: a system message, if any.

    Raises:
        UnknownNameError, DifficultyError, TokenbenchError: an argument that is not allowed.
        ItemError: a published rule, but a part's task has no published scorer.
        MissingExtraError: verifiers is not installed.
    """
    with needs_extra("tokenbench.integrations.verifiers", "verifiers"):
        import verifiers as vf
        from datasets import Dataset as Table
    validate(rule=rule, style=style, system=system_prompt)
    reward = _REWARDS[rule]
    metrics = [function for function in (exact, graded, answered) if function is not reward]
    train = mix_parts(parts, n=n, seed=seed, split="train")
    test = mix_parts(parts, n=n_eval, seed=seed, split="test")
    require_scorer_for_parts(_weights(parts), [rule])
    return vf.SingleTurnEnv(
        # Made on first use: a worker that only evaluates makes no training items.
        dataset=partial(_table, Table, train, style),
        eval_dataset=partial(_table, Table, test, style),
        system_prompt=system_prompt,
        rubric=vf.Rubric([reward, *metrics], [1.0] + [0.0] * len(metrics)),
    )


def _table(kind: Any, items: Iterable[ItemLike], style: Style) -> Any:
    return kind.from_list(rows(items, style))


def _weights(parts: str | Sequence[str] | Mapping[str, float]) -> Mapping[str, float]:
    return parts if isinstance(parts, Mapping) else dict.fromkeys(split_names(parts), 1.0)
