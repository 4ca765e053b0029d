"""What the options of a command draw from: a mixture, one task with parameters, or a suite."""

from collections.abc import Sequence
from typing import Any, Final

from tokenbench.datasets import Dataset, dataset, mixture
from tokenbench.errors import DifficultyError, TokenbenchError, unknown
from tokenbench.suites import suite
from tokenbench.tasks import catalog, task
from tokenbench.tasks.contract import UNBOUNDED
from tokenbench.tasks.spec import IntRange

_TRAIN: Final = "train"


def names(*tasks: str) -> list[str]:
    """Return every variant and language of tasks, or of all: each as `task:lang[:variant]`."""
    return [
        ":".join(filter(None, (name, lang, variant)))
        for name in tasks or catalog()
        for variant in task(name).variants or (None,)
        for lang in task(name).langs
    ]


def drawn_from(
    specs: Sequence[str],
    *,
    seed: int = 0,
    split: str | None = None,
    level: int | None = None,
    params: Sequence[str] = (),
) -> Dataset:
    """Return the endless sequence that the options name.

    Args:
        specs: parts `task:lang[:variant][@level]`, each with `=weight` if it is not 1; none is
            every task, variant and language.
        seed: as in the tasks' `generate`.
        split: likewise; None is train.
        level: for the parts that name none.
        params: `name=value` difficulty parameters, which need exactly one part.

    Raises:
        TokenbenchError: a part, split, level or parameter that does not exist.
    """
    weights = dict(map(_weighted, specs)) if specs else dict.fromkeys(names(), 1.0)
    if len(weights) < len(specs):
        raise DifficultyError("a part is named twice: name each --task once, with its weight")
    if level is not None:
        weights = {
            part if "@" in part else f"{part}@{level}": weight for part, weight in weights.items()
        }
    mixed = mixture(weights, seed=seed, split=split or _TRAIN)  # type: ignore[arg-type]
    if not params:
        return mixed
    if len(specs) != 1:
        raise DifficultyError(
            f"--param needs exactly one --task, {len(specs)} are given: parameters differ by task"
        )
    return _with_params(next(iter(weights)), params, seed=seed, split=split or _TRAIN)


def drawn_suite(name: str, *, seed: int, split: str | None, level: int | None) -> Dataset:
    """Return a paper's composition.

    Raises:
        TokenbenchError: a suite, split or level that does not exist.
    """
    options = {"split": split, "level": level}
    given = {option: value for option, value in options.items() if value is not None}
    return suite(name, seed=seed, **given)


def _weighted(spec: str) -> tuple[str, float]:
    part, equals, weight = spec.partition("=")
    try:
        return part, float(weight) if equals else 1.0
    except ValueError:
        raise DifficultyError(
            f"the weight of {part!r} is a positive number, not {weight!r}"
        ) from None


def _with_params(part: str, params: Sequence[str], **fixed: Any) -> Dataset:
    """Return the items of one part, which `mixture` has found well formed, under parameters."""
    fields, _, level = part.partition("@")
    name, lang, *variant = fields.split(":")
    return dataset(
        name,
        lang=lang,
        variant=variant[0] if variant else None,
        level=int(level) if level else None,
        n=UNBOUNDED,
        **fixed,
        **dict(_param(name, given) for given in params),
    )


def _param(name: str, given: str) -> tuple[str, Any]:
    """Return a parameter's name and value; a range is `lo..hi` or `lo,hi`."""
    param, equals, value = given.partition("=")
    if not equals:
        raise TokenbenchError(f"--param {given!r}: give name=value, such as length=20..30")
    known = {known.name: known for known in task(name).params}
    if param not in known:
        raise unknown(f"difficulty parameter of {name}", param, known)
    if not isinstance(known[param], IntRange):
        return param, value
    numbers = value.replace("..", ",").split(",")
    try:
        bounds = tuple(map(int, numbers))
    except ValueError:
        bounds = ()
    if not 1 <= len(bounds) <= 2:
        raise DifficultyError(f"--param {given!r}: give a whole number or a range lo..hi")
    return param, bounds if len(bounds) == 2 else bounds[0]
