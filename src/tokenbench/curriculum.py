"""A curriculum: items at levels that follow the scores of a model, so it stays challenged."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from math import floor, fsum, isnan
from threading import RLock
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeAlias

from tokenbench.checks import integer, number, one_of
from tokenbench.datasets import TaskItems, Weights, mixture_parts, overlaps, part_weights
from tokenbench.draw import Draw, Split
from tokenbench.errors import Argument, DifficultyError, EndlessError, TokenbenchError, expected
from tokenbench.item import Item, Json, as_item, is_missing, require_several
from tokenbench.quoting import pluralize
from tokenbench.tasks import task
from tokenbench.tasks.sizes import levels_differ

# Raise it when the format of the state changes.
_STATE_VERSION: Final = 2
_SETTINGS: Final = ("target", "seed", "split", "levels", "rate", "spread")
# The assumed loss of score from one level to the next.
_SCORE_PER_LEVEL: Final = 0.1
_MAX_REPR_PARTS: Final = 3
_ALLOWED_SCORES: Final = "a number from 0.0 to 1.0"
# The number of different floats that are drawn from the unit interval.
_UNIT_STEPS: Final = 2**53

# Task, language, variant and level.
_Key: TypeAlias = tuple[str, str, str | None, str]


class Curriculum:
    """A sampler of items that keeps the mean score of each part near a target by choosing levels.

    Each part (task, language, variant) has a place on the scale of levels. Scores above the
    expected score move it up, scores below move it down, by at most one level for each `update`,
    however large the batch. Items are drawn at levels around the place, and parts in the
    proportions of their weights. Both depend only on the calls so far: the same draws and updates
    give the same items. Several threads may use one curriculum: the order of their calls counts.

    Item k of a part at a level is the item with `index=k` of its `dataset`, and no item is drawn
    twice, even after you save and restore the `state`. Only the items of a level with few different
    ones come back, once all were drawn, in another order.

    Args:
        weights: positive weights of parts, or a list of parts, as in `tokenbench.mixture`; a part
            with a level stays at it.
        target: the mean score to aim at, between 0 and 1.
        seed, split: as in the tasks' `generate`.
        levels: the levels to draw from; None is all levels of a part's task.
        rate: the maximum number of levels that one score moves its part, above 0 and up to 1.
        spread: the number of levels above and below its place at which a part is drawn.
        **params: difficulty parameters, as in `tokenbench.mixture`.

    Raises:
        UnknownNameError: a part that does not exist, or a parameter that no part has.
        DifficultyError: a level or parameter that a part's task does not allow, a parameter that
            makes all levels of a part the same, or two parts that would draw the same items.
        TokenbenchError: a weight or another argument that is not allowed.

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
        weights: Weights,
        *,
        target: float = 0.5,
        seed: int = 0,
        split: Split = "train",
        levels: Iterable[int] | None = None,
        rate: float = 0.1,
        spread: float = 1.0,
        **params: Any,
    ) -> None:
        self._weights = part_weights(weights)
        self._parts, self._order = mixture_parts(
            self._weights, seed=seed, split=split, params=params, others=_SETTINGS
        )
        # As JSON values: equal in all parts that have the parameter.
        self._params = {
            name: value for part in self._parts for name, value in part.spec.overrides.items()
        }
        self._target = number("target", target, lambda x: 0 < x < 1, "above 0 and below 1")
        self._rate = number("rate", rate, lambda x: 0 < x <= 1, "above 0 and up to 1")
        self._spread = number("spread", spread, lambda x: x >= 0, "from 0 on")
        self._seed, self._split = integer("seed", seed), split
        self._levels = None if levels is None else _levels(levels)
        self._scales = tuple(map(self._scale, self._weights, self._parts))
        # The part and the step for each task, language, variant and level.
        self._positions = self._find_positions()
        # Not only so that no call sees half of another: the order of calls decides on the items.
        self._lock = RLock()
        self._places = [0.0] * len(self._parts)
        # The number of items drawn, by part and level.
        self._counts: Counter[tuple[int, int]] = Counter()
        self._turn = 0

    def __getstate__(self) -> dict[str, Any]:
        with self._lock:
            return {name: value for name, value in vars(self).items() if name != "_lock"}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        vars(self).update(state, _lock=RLock())

    def __repr__(self) -> str:
        """Return the place of each part in one line.

        >>> Curriculum({"freq:zh": 2.0, "spell:en@3": 1.0})
        <Curriculum after 0 items, target 0.5: freq:zh at 0.0, spell:en@3 at 3.0>
        """
        places = [f"{name} at {place:.1f}" for name, place in self.places.items()]
        rest = [f"{len(places) - _MAX_REPR_PARTS} more"] if len(places) > _MAX_REPR_PARTS else []
        parts = ", ".join([*places[:_MAX_REPR_PARTS], *rest])
        return f"<Curriculum after {self._turn} items, target {self._target}: {parts}>"

    @property
    def places(self) -> dict[str, float]:
        """The place of each part on the scale of levels; whole numbers are levels."""
        places = {}
        for name, scale, place in zip(self._weights, self._scales, self._places, strict=True):
            low = floor(place)
            high = min(low + 1, len(scale) - 1)
            places[name] = scale[low] + (place - low) * (scale[high] - scale[low])
        return places

    def draw(self, n: int) -> list[Item]:
        """Return the next n items; the level of each is in its `meta["level"]`.

        Raises:
            TokenbenchError: n is not a whole number from 0 on.

        >>> course = Curriculum({"sort:en": 1.0, "lenop:ko:write@7": 1.0})
        >>> sorted({(item.task, item.meta["level"]) for item in course.draw(100)})
        [('lenop', 7), ('sort', 0), ('sort', 1)]
        """
        n, items = integer("n", n, least=0), []
        with self._lock:
            turns, counts = range(self._turn, self._turn + n), Counter(self._counts)
            for turn in turns:
                part, _ = self._order.locate(turn)
                level = self._level(part, turn)
                source = self._parts[part]
                at_level = source._replace(spec=replace(source.spec, level=level))
                items.append(at_level.item(counts[part, level]))
                counts[part, level] += 1
            # Only now, so that an error above changes nothing.
            self._counts, self._turn = counts, turns.stop
        return items

    if not TYPE_CHECKING:
        # Hidden from type checkers, so that they refuse a Curriculum where items are needed.
        def __iter__(self) -> NoReturn:
            raise EndlessError(
                "a Curriculum has no end, and its next items depend on scores: draw(n) returns "
                "some; for TRL, use to_stream and CurriculumReward of tokenbench.integrations.trl"
            )

    def update(
        self,
        items: Iterable[Item | Mapping[str, Any] | str | None],
        scores: Iterable[float | None],
    ) -> None:
        """Move the parts by the scores of a model, one score for each item.

        An item may occur several times; late items and items drawn elsewhere count at their own
        level. Rows without an item (None, "" or NaN), items of other parts, and missing scores
        (None or NaN) have no effect.

        Args:
            items: the items, their rows, or their JSON text.
            scores: from 0.0 to 1.0.

        Raises:
            TokenbenchError: different numbers of items and scores, or a score outside the range.
            ItemError: not an item.
        """
        require_several(items)
        if isinstance(scores, str) or not isinstance(scores, Iterable):
            raise expected("scores", scores, "a list with a score for each item, or None")
        items, scores = list(items), list(scores)
        if len(items) != len(scores):
            counts = f"{pluralize(len(items), 'item')}, {pluralize(len(scores), 'score')}"
            raise TokenbenchError(counts, remedy="give a score for each, or None")
        surprises: dict[int, list[float]] = {}
        with self._lock:
            for given, score in zip(items, map(_score, scores), strict=True):
                position = None if is_missing(given) else self._position(as_item(given))
                if position is not None and score is not None:
                    part, step = position
                    surprises.setdefault(part, []).append(score - self._expectation(part, step))
            # A new list, so that whoever reads the places meanwhile has those before or after.
            places = list(self._places)
            for part, values in surprises.items():
                # A large batch shows the direction, not the distance: it has no scores from further
                # than a level away. Unlike `sum`, `fsum` is the same in every Python.
                change = min(1.0, self._rate * len(values)) * (fsum(values) / len(values))
                highest = len(self._scales[part]) - 1.0
                places[part] = min(highest, max(0.0, places[part] + change))
            self._places = places

    def state(self) -> dict[str, Json]:
        """Return the state as a JSON value; `Curriculum.of` continues from it."""
        with self._lock:
            turn, places, counts = self._turn, self._places, self._counts
        return {
            "version": _STATE_VERSION,
            **{name: getattr(self, f"_{name}") for name in _SETTINGS},
            "levels": self._levels and list(self._levels),
            "params": dict(self._params),
            "turn": turn,
            # A list, because JSON may sort the names of an object, and the order matters.
            "parts": [
                {
                    "name": name,
                    "weight": weight,
                    "place": places[part],
                    "drawn": [counts[part, level] for level in self._scales[part]],
                }
                for part, (name, weight) in enumerate(self._weights.items())
            ],
        }

    @classmethod
    def of(cls, state: Mapping[str, Json]) -> "Curriculum":
        """Return the curriculum with this `state`.

        Raises:
            TokenbenchError: not a state, or one of another version.

        >>> import json
        >>> course = Curriculum({"spell:en": 1.0}, target=0.7)
        >>> Curriculum.of(json.loads(json.dumps(course.state()))).state() == course.state()
        True
        """
        if not isinstance(state, Mapping):
            raise expected("state", state, "the result of state()")
        one_of("version of a curriculum's state", state.get("version"), [_STATE_VERSION])
        try:
            weights = {part["name"]: part["weight"] for part in state["parts"]}
            settings = {name: state[name] for name in _SETTINGS}
            course = cls(weights, **settings, **state["params"])
            course._resume(state["turn"], state["parts"])
        except TokenbenchError:
            raise
        except (KeyError, TypeError, ValueError) as error:
            remedy = f"{type(error).__name__}: {error}"
            raise expected("state", state, "the result of state()", remedy) from None
        return course

    def restore(self, state: Mapping[str, Json]) -> None:
        """Continue from a `state` of a curriculum with the same arguments.

        Unlike `Curriculum.of`, it changes this curriculum, which others may already hold.

        Raises:
            TokenbenchError: not a state, or one of a curriculum with other arguments.

        >>> course = Curriculum({"spell:en": 1.0})
        >>> state, items = course.state(), course.draw(3)
        >>> course.restore(state)
        >>> course.draw(3) == items
        True
        """
        other = Curriculum.of(state)
        for name, value in other._arguments().items():
            if value != (own := self._arguments()[name]):
                raise expected(name, own, f"{value!r:.80}, which the state is of")
        with self._lock:
            self._places, self._counts, self._turn = other._places, other._counts, other._turn

    def _arguments(self) -> dict[str, Json]:
        state = self.state()
        weights = [[part["name"], part["weight"]] for part in state["parts"]]
        return {"weights": weights} | {name: state[name] for name in (*_SETTINGS, "params")}

    def _resume(self, turn: int, parts: list[dict[str, Any]]) -> None:
        self._turn = integer("turn", turn, least=0)
        for part, (state, scale) in enumerate(zip(parts, self._scales, strict=True)):
            place = number("place", state["place"], lambda x: x >= 0, "from 0 on")
            self._places[part] = min(place, len(scale) - 1.0)
            for level, count in zip(scale, state["drawn"], strict=True):
                self._counts[part, level] = integer("drawn", count, least=0)

    def _scale(self, name: str, part: TaskItems) -> tuple[int, ...]:
        """Return the levels of a part, from easy to hard."""
        if part.spec.level is not None:
            return (part.spec.level,)
        allowed = task(part.task).levels
        scale = allowed if self._levels is None else tuple(self._levels)
        if not scale or not set(allowed).issuperset(scale):
            levels = f"levels of {name}, {', '.join(map(str, allowed))}"
            raise expected("levels", self._levels, levels, error=DifficultyError)
        if part.spec.overrides and not levels_differ(part.task, part.spec, scale):
            given = ", ".join(str(Argument(*pair)) for pair in part.spec.overrides.items())
            problem = f"{given} makes all levels of {name} the same, so a curriculum cannot rise"
            remedy = f"leave it out, or name a level, as in '{part.ref._replace(level=scale[0])}'"
            raise DifficultyError(problem, remedy=remedy)
        return scale

    def _find_positions(self) -> dict[_Key, tuple[int, int]]:
        names = list(self._weights)
        positions = [
            ((source.task, source.spec.lang, source.spec.variant, str(level)), (part, step))
            for part, (source, scale) in enumerate(zip(self._parts, self._scales, strict=True))
            for step, level in enumerate(scale)
        ]
        for (first, _), (second, step) in overlaps(positions):
            both = f"{names[first]!r} and {names[second]!r}"
            level = self._scales[second][step]
            raise DifficultyError(f"{both} both draw level {level}", remedy="name it once")
        return dict(positions)

    def _level(self, part: int, turn: int) -> int:
        """Return the level of a turn, within the spread around the part's place."""
        unit = Draw("curriculum", self._seed, turn).below(_UNIT_STEPS) / _UNIT_STEPS
        scale = self._scales[part]
        step = floor(self._places[part] + 0.5 + self._spread * (2 * unit - 1))
        return scale[min(len(scale) - 1, max(0, step))]

    def _position(self, item: Item) -> tuple[int, int] | None:
        """Return the part of an item, and the step of its level on the scale."""
        level = item.meta.get("level")
        return self._positions.get((item.task, item.lang, item.variant, str(level)))

    def _expectation(self, part: int, step: int) -> float:
        """Return the expected score at a step, which at the part's place is the target.

        So a success at an easy level, or a failure at a hard one, moves the part little.
        """
        return min(1.0, max(0.0, self._target + _SCORE_PER_LEVEL * (self._places[part] - step)))


def _score(given: Any) -> float | None:
    """Return a score as a float, or None if it is missing."""
    if is_missing(given) and not isinstance(given, str):
        return None
    try:
        score = float(given)
    except (TypeError, ValueError, OverflowError):
        raise expected("score", given, _ALLOWED_SCORES) from None
    # A tensor of rewards has NaN for a missing score.
    if isnan(score):
        return None
    if not 0.0 <= score <= 1.0:
        raise expected("score", score, _ALLOWED_SCORES, "scale your own rewards")
    return score


def _levels(given: Any) -> list[int]:
    if not isinstance(given, Iterable):
        raise expected("levels", given, "a list of levels, or None", error=DifficultyError)
    return sorted({integer("level", level, DifficultyError) for level in given})
