"""An item of each task and variant, drawn and judged, as every thread and process should get it."""

from collections.abc import Callable
from functools import cache
from typing import Any

from tokenbench import catalog, score, task
from tokenbench.item import Item
from tokenbench.scoring import RULES, Rule

LANGS = ("en", "ko", "ja")  # of each task the first of these, which loads quickly
CASES = [
    (name, next(lang for lang in LANGS if lang in task(name).langs), variant)
    for name in catalog()
    for variant in task(name).variants or (None,)
]


@cache
def of_each_part() -> list[Item]:
    """Return an item of each task, language and variant, at levels 0 and 5 by turns.

    Drawing them takes half a minute: tests that need all of them call this when they run.
    """
    parts = [
        (name, lang, variant)
        for name in catalog()
        for lang in task(name).langs
        for variant in task(name).variants or (None,)
    ]
    return [
        task(name).generate(lang=lang, variant=variant, level=5 * (number % 2))
        for number, (name, lang, variant) in enumerate(parts)
    ]


def completions(item: Item) -> list[str]:
    texts = (item.solution, "7", "no, x", item.prompt[:200], "")
    return [f"<answer>{text}</answer>" for text in texts]


def rules(item: Item) -> tuple[Rule, ...]:
    return RULES if "published" in item.target else RULES[:2]


def scores(item: Item) -> list[float]:
    return [score(text, item, rule=rule) for text in completions(item) for rule in rules(item)]


def generate_and_judge(name: str, lang: str, variant: str | None) -> list[Any]:
    """Return the id of an item that is drawn, and what its completions score."""
    item = task(name).generate(lang=lang, variant=variant, level=3, seed=6)
    return [item.id, scores(item)]


def in_one_thread(step: int = 1) -> list[list[Any]]:
    return [generate_and_judge(*case) for case in CASES[::step]]


def items(
    generate: Callable[..., Item], lang: str, n: int = 150, **arguments: object
) -> list[Item]:
    """Return the first items of a task in a language."""
    return [generate(lang=lang, index=index, **arguments) for index in range(n)]
