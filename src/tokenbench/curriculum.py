"""A curriculum: items at levels that follow what a model scores, so that it stays challenged."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from math import floor, fsum, isfinite, isnan, nan
from typing import Any, Final

from tokenbench.datasets import TaskItems, mixture_parts
from tokenbench.draw import Draw, Split
from tokenbench.errors import DifficultyError, TokenbenchError
from tokenbench.item import Item, Json, as_item, is_missing
from tokenbench.tasks import task
from tokenbench.tasks.contract import integer

_VERSION: Final = 1  # of the state; raised when one would be read otherwise
_SLOPE: Final = 0.1  # how much rarer success is taken to be one level up
_STEPS: Final = 2**53  # parts of the unit interval that a float can tell apart


class Curriculum:
    """A sampler of items that keeps each part's success near a target by choosing levels.

    Each part (task, language, variant) has a place on the scale of levels. Scores above what is
    expected there move it up, scores below move it down; at most one level for each `update`,
    however large the batch. Items are drawn around the place, a little easier and harder, and the
    parts in the proportions of their weights. Both are a function of the calls made so far: the
    same draws and updates give the same items.

    Item k of a part at a level is the item with `index=k` of its `dataset`, and none is drawn
    again, before or after `state` was saved and restored. Only where a level has few different
    items do they come back, once all were drawn, in another order.

    Args:
        weights: positive weights of parts, named `task:lang[:variant][@level]`; a part with a level
            stays at it.
        target: the mean score to hold, between 0 and 1.
        seed, split: as in the tasks' `generate`.
        levels: the levels that may be drawn; None is all that a part's task has.
        rate: how many levels one score moves its part at most, from above 0 to 1.
        spread: how many levels above and below its place a part is drawn.

    Raises:
        UnknownNameError: a part that does not exist.
        DifficultyError: a weight or another argument outside what is allowed, or two parts that
            would draw the same items.

    >>> from tokenbench import score
    >>> course = Curriculum({"freq:zh": 2.0, "spell:en": 1.0})
    >>> for _ in range(40):
    ...     items = course.draw(16)
    ...     completions = [f"<answer>{item.solution}</answer>" for item in items]
    ...     course.update(items, map(score, completions, items))
    >>> course.places
    {'freq:zh': 9.0, 'spell:en': 9.0}
    >>> Curriculum.of(course.state()).draw(3) == course.draw(3)
    True
    """

    def __init__(
        self,
        weights: Mapping[str, float],
        *,
        target: float = 0.5,
        seed: int = 0,
        split: Split = "train",
        levels: Iterable[int] | None = None,
        rate: float = 0.1,
        spread: float = 1.0,
    ) -> None:
        self._drawn, self._pattern = mixture_parts(weights, seed=seed, split=split)
        self._target = _number("target", target, lambda x: 0 < x < 1, "above 0 and below 1")
        self._rate = _number("rate", rate, lambda x: 0 < x <= 1, "above 0 and up to 1")
        self._spread = _number("spread", spread, lambda x: x >= 0, "from 0 on")
        self._weights = {name: float(weight) for name, weight in weights.items()}
        self._seed, self._split = integer("seed", seed), split
        self._levels = None if levels is None else _levels(levels)
        self._scales = tuple(map(self._scale, self._weights, self._drawn))
        self._homes = _homes(self._weights, self._drawn, self._scales)
        self._places = [0.0] * len(self._drawn)
        self._counts: Counter[tuple[int, int]] = Counter()  # of items by part and level
        self._turn = 0

    @property
    def places(self) -> dict[str, float]:
        """Where each part stands on the scale of levels: whole numbers are levels."""
        return {
            name: _between(self._scales[part], place)
            for part, (name, place) in enumerate(zip(self._weights, self._places, strict=True))
        }

    def draw(self, n: int) -> list[Item]:
        """Return the next n items; each one's `meta["level"]` is the level that it was drawn at.

        Raises:
            DifficultyError: n is no whole number from 0 on.

        >>> course = Curriculum({"sort:en": 1.0, "lenop:ko:write@7": 1.0})
        >>> sorted({(item.task, item.meta["level"]) for item in course.draw(100)})
        [('lenop', 7), ('sort', 0), ('sort', 1)]
        """
        turns = range(self._turn, self._turn + _count("n", n))
        counts, items = Counter(self._counts), []
        for turn in turns:
            part = self._pattern[turn % len(self._pattern)]
            level = self._level(part, turn)
            drawn = self._drawn[part]
            ask = replace(drawn.spec, level=level)
            items.append(drawn._replace(spec=ask).item(counts[part, level]))
            counts[part, level] += 1
        self._counts, self._turn = counts, turns.stop  # only once all of them could be made
        return items

    def update(
        self,
        items: Iterable[Item | Mapping[str, Any] | str | None],
        scores: Iterable[float | None],
    ) -> None:
        """Take in what a model scored: one score for each item, which may stand there repeatedly.

        What is late or was drawn elsewhere counts at its own level. A batch may hold more: no item
        (None, "" or NaN), an item of no part, and no score (None or NaN) change nothing.

        Args:
            items: the items, their rows, or their JSON text.
            scores: from 0.0 to 1.0.

        Raises:
            TokenbenchError: not as many scores as items, or a score that is no such number.
            ItemError: not an item.
        """
        items, scores = list(items), list(scores)
        if len(items) != len(scores):
            raise TokenbenchError(
                f"{len(items)} items, {len(scores)} scores: give a score for each, or None"
            )
        surprises: dict[int, list[float]] = {}
        for given, score in zip(items, map(_score, scores), strict=True):
            home = None if is_missing(given) else self._home(as_item(given))
            if home is not None and score is not None:
                part, step = home
                surprises.setdefault(part, []).append(score - self._expected(part, step))
        for part, found in surprises.items():
            # A large batch tells where to go, not how far: past one level it was not there.
            # Unlike `sum`, `fsum` is the same in every Python.
            moved = min(1.0, self._rate * len(found)) * (fsum(found) / len(found))
            highest = len(self._scales[part]) - 1.0
            self._places[part] = min(highest, max(0.0, self._places[part] + moved))

    def state(self) -> dict[str, Json]:
        """Return all of it as JSON-able values; `Curriculum.of` goes on from there."""
        return {
            "version": _VERSION,
            "target": self._target,
            "seed": self._seed,
            "split": self._split,
            "levels": self._levels and list(self._levels),
            "rate": self._rate,
            "spread": self._spread,
            "turn": self._turn,
            "parts": [  # a list, for JSON may sort an object's names, and their order matters
                {
                    "name": name,
                    "weight": weight,
                    "place": self._places[part],
                    "drawn": [self._counts[part, level] for level in self._scales[part]],
                }
                for part, (name, weight) in enumerate(self._weights.items())
            ],
        }

    @classmethod
    def of(cls, state: Mapping[str, Json]) -> "Curriculum":
        """Return the curriculum whose `state` is given.

        Raises:
            TokenbenchError: not such a state, or that of another version.

        >>> import json
        >>> course = Curriculum({"spell:en": 1.0}, target=0.7)
        >>> Curriculum.of(json.loads(json.dumps(course.state()))).state() == course.state()
        True
        """
        version = state.get("version") if isinstance(state, Mapping) else None
        if version != _VERSION:
            raise TokenbenchError(
                f"a curriculum's state has version {_VERSION}, this {version!r:.80}: give what "
                "state() returned"
            )
        try:
            names = ("target", "seed", "split", "levels", "rate", "spread")
            weights = {part["name"]: part["weight"] for part in state["parts"]}
            course = cls(weights, **{name: state[name] for name in names})
            course._resume(state["turn"], state["parts"])
        except (KeyError, TypeError, ValueError) as error:
            if isinstance(error, TokenbenchError):
                raise
            raise TokenbenchError(
                f"not a curriculum's whole state ({type(error).__name__}: {error}): give what "
                "state() returned"
            ) from None
        return course

    def _resume(self, turn: int, parts: list[dict[str, Any]]) -> None:
        self._turn = _count("turn", turn)
        for part, (held, scale) in enumerate(zip(parts, self._scales, strict=True)):
            place = _number("place", held["place"], lambda x: x >= 0, "from 0 on")
            self._places[part] = min(place, len(scale) - 1.0)
            for level, count in zip(scale, held["drawn"], strict=True):
                self._counts[part, level] = _count("drawn", count)

    def _scale(self, name: str, drawn: TaskItems) -> tuple[int, ...]:
        """Return the levels of a part, from easy to hard."""
        if drawn.spec.level is not None:
            return (drawn.spec.level,)
        allowed = task(drawn.task).levels
        if self._levels is None:
            return allowed
        if not self._levels or not set(allowed).issuperset(self._levels):
            raise DifficultyError(
                f"levels={self._levels}: those of {name} are {', '.join(map(str, allowed))}"
            )
        return tuple(self._levels)

    def _level(self, part: int, turn: int) -> int:
        """Return the level of a turn: one within the spread around the part's place."""
        unit = Draw("curriculum", self._seed, turn).below(_STEPS) / _STEPS
        scale = self._scales[part]
        step = floor(self._places[part] + 0.5 + self._spread * (2 * unit - 1))
        return scale[min(len(scale) - 1, max(0, step))]

    def _home(self, item: Item) -> tuple[int, int] | None:
        """Return the part that an item belongs to, and the step of its level on the scale."""
        level = item.meta.get("level")
        return self._homes.get((item.task, item.lang, item.variant, str(level)))

    def _expected(self, part: int, step: int) -> float:
        """Return the score that a part's place leads to expect at a step: the target right there.

        So success where it was easy, or failure where it was hard, says little.
        """
        return min(1.0, max(0.0, self._target + _SLOPE * (self._places[part] - step)))


_Home = tuple[str, str, str | None, str]


def _homes(
    names: Iterable[str], parts: Sequence[TaskItems], scales: Sequence[Sequence[int]]
) -> dict[_Home, tuple[int, int]]:
    """Return the part and the step for each task, language, variant and level.

    Raises:
        DifficultyError: two parts have the same.
    """
    homes: dict[_Home, tuple[int, int]] = {}
    names = list(names)
    for part, (drawn, scale) in enumerate(zip(parts, scales, strict=True)):
        for step, level in enumerate(scale):
            home = (drawn.task, drawn.spec.lang, drawn.spec.variant, str(level))
            if home in homes:
                raise DifficultyError(
                    f"the parts {names[homes[home][0]]!r} and {names[part]!r} both draw level "
                    f"{level} of the same: give it once"
                )
            homes[home] = (part, step)
    return homes


def _between(scale: Sequence[int], place: float) -> float:
    """Return the level at a place on a scale, in proportion between two."""
    low = min(floor(place), len(scale) - 1)
    high = min(low + 1, len(scale) - 1)
    return scale[low] + (place - low) * (scale[high] - scale[low])


def _score(given: Any) -> float | None:
    """Return a score as a float; None where there is none."""
    if is_missing(given) and not isinstance(given, str):
        return None
    try:
        score = float(given)
    except (TypeError, ValueError, OverflowError):
        raise TokenbenchError(f"a score is a number from 0.0 to 1.0, not {given!r:.80}") from None
    if isnan(score):  # how a tensor of rewards says that there is none
        return None
    if not 0.0 <= score <= 1.0:
        raise TokenbenchError(f"a score is from 0.0 to 1.0, not {score}: scale rewards of yours")
    return score


def _number(name: str, given: Any, fits: Callable[[float], bool], allowed: str) -> float:
    """Return an argument as a float."""
    try:
        number = nan if isinstance(given, bool | str) else float(given)
    except (TypeError, ValueError, OverflowError):
        number = nan
    if not (isfinite(number) and fits(number)):
        raise DifficultyError(f"{name}={given!r:.80}: a number {allowed} is needed")
    return number


def _levels(given: Any) -> list[int]:
    if not isinstance(given, Iterable):
        raise DifficultyError(f"levels={given!r:.80}: a list of levels is needed, or None for all")
    return sorted({integer("level", level) for level in given})


def _count(name: str, given: Any) -> int:
    if (count := integer(name, given)) < 0:
        raise DifficultyError(f"{name}={given}: a number from 0 on is needed")
    return count
