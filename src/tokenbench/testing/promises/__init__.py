"""The conformance suite: check that a task keeps what every task promises."""

from collections.abc import Sequence
from itertools import product
from typing import Any, Final

from tokenbench import tasks
from tokenbench.checks import instance, integer
from tokenbench.errors import TokenbenchError
from tokenbench.tasks import TaskRef
from tokenbench.tasks.contract import Task
from tokenbench.testing.promises.items import ITEM_PROMISES, BrokenPromise, Case
from tokenbench.testing.promises.scoring import SCORING_PROMISES

PROMISES: Final = (*ITEM_PROMISES, *SCORING_PROMISES)


class ConformanceError(AssertionError):
    """A promise that a task does not keep, with the item and the completion that show it."""


def conformance(
    task: Task | str,
    *,
    n: int = 1000,
    langs: Sequence[str] | None = None,
    variants: Sequence[str | None] | None = None,
    seed: int = 0,
    **difficulty: Any,
) -> None:
    """Check that a task keeps what every task promises, for each language and variant.

    Cheap checks run on every item, the corpus of attacks and respellings on some of them; the items
    come from every split and level. A task that is not installed may be given itself: scoring finds
    it by its name while the check runs.

    Args:
        task: a task, or the name of one.
        n: the number of items for each language and variant, at least 1.
        langs: the languages; None is all of the task, or that of a `pack`.
        variants: the variants; None is all of the task.
        seed: the seed of the items.
        **difficulty: parameters of every item, such as `pack`.

    Raises:
        ConformanceError: a promise is not kept; the message says which, for which item, and on
            which completion.
        UnknownNameError: no such task.
        TokenbenchError: neither a task nor a name, or n below 1.

    >>> from tokenbench.tasks import catalog
    >>> conformance(catalog()[0], n=12, langs=["en"])
    """
    integer("n", n, least=1)
    named = tasks.task(task) if isinstance(task, str) else task
    checked = instance("task", named, Task, "a Task or the name of one")
    if langs is None:
        langs = [checked.spec(**difficulty).lang] if "pack" in difficulty else checked.langs
    kinds = (checked.variants or (None,)) if variants is None else variants
    if not langs or not kinds:
        raise TokenbenchError("no language or variant to check")
    with tasks.replace_task(checked):
        for lang, variant in product(langs, kinds):
            _check(Case(checked, lang, variant, n, seed, difficulty))


def _check(case: Case) -> None:
    name = TaskRef(case.task.name, case.lang, case.variant)
    for promise in PROMISES:
        sentence = (promise.__doc__ or "").partition("\n")[0]
        heading = f"{promise.__name__}: {sentence} Not so for {name} with seed={case.seed}"
        try:
            promise(case)
        except BrokenPromise as broken:
            raise ConformanceError(f"{heading}: {broken}") from broken
        except Exception as error:
            raise ConformanceError(f"{heading}: raises {error!r}") from error
