"""The conformance suite: check that a task keeps what every task promises."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from tokenbench import tasks
from tokenbench.errors import DifficultyError, TokenbenchError
from tokenbench.tasks import TaskRef
from tokenbench.tasks.contract import Task, integer
from tokenbench.testing.promises import draws, items, scoring
from tokenbench.testing.promises.items import BrokenPromise, Case

# fmt: off
PROMISES: Final[tuple[Callable[[Case], None], ...]] = (
    items.task_record, items.item_fields, items.witness, items.prompt_wording, items.round_trip,
    items.reproducible, items.far_index, draws.disjoint, draws.fresh, draws.levels_rise,
    draws.picklable, draws.refuses, draws.refuses_bad_items, scoring.attacks_fail,
    scoring.respellings_pass, scoring.guesses_are_luck, scoring.total, scoring.length_limit,
    scoring.no_leak,
)
# fmt: on


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
        langs: the languages; None is all of the task.
        variants: the variants; None is all of the task.
        seed: the seed of the items.
        **difficulty: parameters of every item, such as `pack`.

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
    with tasks.register(checked):
        for lang in checked.langs if langs is None else langs:
            for variant in (checked.variants or (None,)) if variants is None else variants:
                _check(Case(checked, lang, variant, n, seed, difficulty))


def _check(case: Case) -> None:
    name = TaskRef(case.task.name, case.lang, case.variant)
    for promise in PROMISES:
        sentence = (promise.__doc__ or "").partition("\n")[0]
        heading = f"{promise.__name__}: {sentence} Not so for {name} with seed={case.seed}"
        try:
            promise(case)
        except BrokenPromise as broken:
            raise ConformanceError(f"{heading}: {broken.detail}{broken.location()}") from broken
        except Exception as error:
            raise ConformanceError(f"{heading}: raises {error!r}") from error
