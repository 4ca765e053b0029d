"""The conformance suite: whether a task keeps what every task promises."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from tokenbench import tasks
from tokenbench.errors import DifficultyError, TokenbenchError
from tokenbench.tasks.contract import Task, integer
from tokenbench.tasks.refs import TaskRef
from tokenbench.testing import promises_of_draws, promises_of_items, promises_of_judging
from tokenbench.testing.case import Broken, Case

PROMISES: Final[tuple[Callable[[Case], None], ...]] = (
    promises_of_items.described,
    promises_of_items.generated,
    promises_of_items.witness,
    promises_of_items.worded,
    promises_of_items.round_trip,
    promises_of_items.reproducible,
    promises_of_items.far_index,
    promises_of_draws.disjoint,
    promises_of_draws.fresh,
    promises_of_draws.levels_rise,
    promises_of_draws.picklable,
    promises_of_draws.refuses,
    promises_of_draws.refuses_bad_items,
    promises_of_judging.attacks_fail,
    promises_of_judging.respellings_pass,
    promises_of_judging.guesses_are_luck,
    promises_of_judging.total,
    promises_of_judging.bounded,
    promises_of_judging.no_leak,
)


class ConformanceError(AssertionError):
    """A promise that a task does not keep: which, where, and on which completion."""


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

    What is cheap is checked on every item, the corpus of attacks and respellings on some of them;
    items are drawn from every split and level. A task that is not installed may be given itself:
    while it is checked, scoring knows it by its name.

    Args:
        task: a task, or the name of one.
        n: how many items for each language and variant, at least 1.
        langs: the languages; None is all of the task.
        variants: the variants; None is all of the task.
        seed: under which the items are drawn.
        **difficulty: parameters that every item is given, such as `pack`.

    Raises:
        ConformanceError: a promise is not kept; the message says which, for which item, and on
            which completion.
        UnknownNameError: no such task.
        DifficultyError: n below 1.
        TokenbenchError: neither a task nor a name.

    >>> from tokenbench.tasks import catalog
    >>> conformance(catalog()[0], n=12, langs=["en"])
    """
    if integer("n", n) < 1:
        raise DifficultyError(f"n={n}: at least one item is needed")
    if not isinstance(task, Task | str):
        raise TokenbenchError(f"task is a Task or the name of one: got {task!r:.80}")
    checked = tasks.task(task) if isinstance(task, str) else task
    with tasks.added(checked):
        for lang in checked.langs if langs is None else langs:
            for variant in (checked.variants or (None,)) if variants is None else variants:
                _check(Case(checked, lang, variant, n, seed, difficulty))


def _check(case: Case) -> None:
    name = TaskRef(case.task.name, case.lang, case.variant)
    for promise in PROMISES:
        said = (promise.__doc__ or "").partition("\n")[0]
        heading = f"{promise.__name__}: {said} Not so for {name} with seed={case.seed}"
        try:
            promise(case)
        except Broken as broken:
            raise ConformanceError(f"{heading}: {broken.detail}{broken.where()}") from broken
        except Exception as error:
            raise ConformanceError(f"{heading}: raises {error!r}") from error
