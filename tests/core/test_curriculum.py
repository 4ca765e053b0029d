"""The curriculum: levels that follow the scores, and a state that goes on identically."""

import json
import pickle
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from math import exp, nan
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenbench import Item, TokenbenchError, freq, score
from tokenbench.curriculum import Curriculum
from tokenbench.draw import Draw
from tokenbench.errors import UnknownNameError
from tokenbench.tasks import task

PARTS = {"spell:en:char": 1.0, "freq:en": 2.0}
PART = Curriculum(PARTS).state()["parts"][0]


class Learner:
    """Succeeds the more often, the further its ability is above an item's level."""

    def __init__(self, ability: float, *, gain: float = 0.0, sharpness: float = 1.0) -> None:
        self.ability, self.gain, self.sharpness = ability, gain, sharpness
        self.draw = Draw("learner")

    def scores(self, items: list[Item]) -> list[float]:
        return [float(self._chance(item) > self.draw.below(10**6) / 10**6) for item in items]

    def _chance(self, item: Item) -> float:
        self.ability += self.gain
        return 1 / (1 + exp(self.sharpness * (item.meta["level"] - self.ability)))


def course_of(learner: Learner, *, batches: int, size: int, **options: float) -> list[list[float]]:
    course = Curriculum({"contains:en": 1.0}, **options)  # type: ignore[arg-type]
    history = []
    for _ in range(batches):
        items = course.draw(size)
        scores = learner.scores(items)
        course.update(items, scores)
        history.append(scores)
    return history


def mean(batches: list[list[float]]) -> float:
    scores = [score for batch in batches for score in batch]
    return sum(scores) / len(scores)


@pytest.mark.parametrize(
    ("size", "target", "sharpness"),
    [(1, 0.5, 3.0), (1, 0.8, 0.5), (16, 0.3, 0.5), (16, 0.5, 1.0), (64, 0.7, 3.0)],
)
def test_success_is_held_near_the_target_for_a_learner_within_the_levels(
    size: int, target: float, sharpness: float
) -> None:
    learner = Learner(4.5, sharpness=sharpness)
    history = course_of(learner, batches=480 // size + 30, size=size, target=target)
    assert mean(history[len(history) // 3 :]) == pytest.approx(target, abs=0.08)


def test_success_is_held_near_the_target_while_the_learner_learns() -> None:
    learner = Learner(0.0, gain=0.004)
    history = course_of(learner, batches=64, size=16)
    assert learner.ability > 4
    assert all(abs(mean(history[at : at + 16]) - 0.5) < 0.15 for at in range(0, 64, 16))


def test_a_part_that_is_mastered_stays_at_the_highest_level_and_goes_on() -> None:
    course = Curriculum(PARTS)
    for _ in range(60):
        items = course.draw(16)
        course.update(items, [1.0] * len(items))
    assert course.places == {"spell:en:char": 9.0, "freq:en": 9.0}
    items = course.draw(60)
    assert {item.meta["level"] for item in items} == {8, 9}
    assert Counter(item.task for item in items)["freq"] == pytest.approx(40, abs=12)


def test_a_part_that_is_too_hard_falls_to_the_lowest_level_and_recovers_at_once() -> None:
    course = Curriculum({"freq:en": 1.0})
    for earned in [1.0] * 20 + [0.0] * 100:
        items = course.draw(4)
        course.update(items, [earned] * 4)
    assert course.places == {"freq:en": 0.0}
    assert {item.meta["level"] for item in course.draw(40)} == {0, 1}
    course.update(course.draw(16), [1.0] * 16)
    assert course.places["freq:en"] > 0.3


def test_however_large_a_batch_it_moves_its_part_by_no_more_than_a_level() -> None:
    course = Curriculum({"freq:en": 1.0}, rate=1.0)
    course.update(course.draw(300), [1.0] * 300)
    assert 0.4 < course.places["freq:en"] <= 1.0


def test_each_part_follows_its_own_scores() -> None:
    course = Curriculum(PARTS)
    for _ in range(40):
        items = course.draw(16)
        course.update(items, [float(item.task == "freq") for item in items])
    assert course.places == {"freq:en": 9.0, "spell:en:char": 0.0}


def test_late_scores_of_easy_items_do_not_raise_a_part_above_their_level() -> None:
    course = Curriculum({"freq:en": 1.0})
    easy = [freq.generate(level=0, index=index) for index in range(8)]
    for _ in range(200):
        course.update(easy, [1.0] * 8)
    assert course.places["freq:en"] == pytest.approx(5.0)  # there, success at level 0 is expected


def test_parts_are_drawn_in_the_proportions_of_their_weights_whatever_they_score() -> None:
    course = Curriculum(PARTS)
    drawn = Counter[str]()
    for n in (*[50] * 20, 9):
        items = course.draw(n)
        drawn.update(item.task for item in items)
        course.update(items, [float(item.task == "freq") for item in items])
    assert drawn == {"freq": 673, "spell": 336}


def test_an_item_is_the_one_of_its_dataset_and_none_is_drawn_twice() -> None:
    course = Curriculum(PARTS, seed=5, split="validation")
    seen = []
    for _ in range(5):
        items = course.draw(20)
        course.update(items, [1.0] * 20)
        seen += items
        course = Curriculum.of(course.state())
    for item in seen:
        assert task(item.task).item(task(item.task).spec_of(item)) == item
        assert (item.meta["seed"], item.meta["split"]) == (5, "validation")
    keys = [(item.task, item.meta["level"], item.meta["index"]) for item in seen]
    assert len({*keys}) == len(keys) == 100
    by_level = Counter((name, level) for name, level, _ in keys)
    assert all(index < by_level[name, level] for name, level, index in keys)  # no gaps


CALLS = st.lists(st.tuples(st.integers(0, 6), st.sampled_from([0.0, 0.3, 1.0, None])), max_size=8)


def play(course: Curriculum, calls: list[tuple[int, float | None]]) -> list[Item]:
    drawn = []
    for n, earned in calls:
        items = course.draw(n)
        course.update(items, [earned] * n)
        drawn += items
    return drawn


@settings(max_examples=20, deadline=None)
@given(CALLS, CALLS, st.sampled_from(["json", "pickle", "in place"]))
def test_a_restored_curriculum_goes_on_identically(
    before: list[tuple[int, float | None]], after: list[tuple[int, float | None]], way: str
) -> None:
    course = Curriculum(PARTS, seed=3, rate=0.3)
    play(course, before)
    if way == "in place":
        other = Curriculum(PARTS, seed=3, rate=0.3)
        other.draw(5)
        other.restore(json.loads(json.dumps(course.state())))
    elif way == "json":
        other = Curriculum.of(json.loads(json.dumps(course.state(), sort_keys=True)))
    else:
        other = pickle.loads(pickle.dumps(course))  # noqa: S301
    assert play(other, after) == play(course, after)
    assert other.state() == course.state()


@pytest.mark.parametrize(
    ("weights", "options", "argument"),
    [
        ({"freq:en": 2.0, "spell:en:char": 1.0}, {}, "weights"),
        (PARTS | {"freq:en": 1.0}, {}, "weights"),
        (PARTS, {"seed": 4}, "seed"),
        (PARTS, {"target": 0.6}, "target"),
        (PARTS, {"split": "test"}, "split"),
        (PARTS, {"levels": [1, 2]}, "levels"),
    ],
)
def test_only_a_curriculum_with_the_same_arguments_is_restored(
    weights: dict[str, float], options: dict[str, Any], argument: str
) -> None:
    course = Curriculum(weights, **options)
    before = course.state()
    state = Curriculum(PARTS).state() | {"turn": 3}
    with pytest.raises(TokenbenchError) as caught:
        course.restore(state)
    assert caught.value.argument == argument
    assert course.state() == before


def test_draws_do_not_depend_on_the_size_of_the_batch() -> None:
    one, other = Curriculum(PARTS), Curriculum(PARTS)
    assert one.draw(5) + one.draw(0) + one.draw(7) == other.draw(12)


def test_the_state_is_a_value_that_later_calls_leave_alone() -> None:
    course = Curriculum(PARTS, levels=[2, 3])
    state = course.state()
    kept = json.dumps(state)
    course.update(items := course.draw(9), [1.0] * 9)
    state["levels"].append(7)
    assert json.dumps(Curriculum(PARTS, levels=[2, 3]).state()) == kept
    assert course.state()["levels"] == [2, 3]
    assert len(items) == 9


def test_rows_json_and_repeated_items_count_like_items() -> None:
    places = []
    for form in (lambda item: item, Item.row, Item.json):
        course = Curriculum({"freq:en": 1.0})
        items = course.draw(4) * 8
        course.update(map(form, items), [0.9] * 32)
        places.append(course.places)
    assert places[0] == places[1] == places[2] != {"freq:en": 0.0}


def test_rows_without_item_score_or_part_change_nothing() -> None:
    course = Curriculum({"freq:en": 1.0})
    ours = course.draw(1)[0]
    course.update([None, "", nan, ours, ours], [1.0, 1.0, 1.0, None, nan])  # type: ignore[list-item]
    others = [freq.generate(), freq.generate(lang="zh", level=0), task("spell").generate(level=0)]
    course.update(others, [1.0] * 3)
    course.update([], [])
    assert course.places == {"freq:en": 0.0}


def test_scores_of_our_own_scorer_can_be_taken_as_they_come() -> None:
    course = Curriculum({"freq:en": 1.0})
    items = course.draw(8)
    course.update(items, (score(f"<answer>{item.solution}</answer>", item) for item in items))
    assert course.places["freq:en"] > 0


def test_a_refused_update_changes_nothing() -> None:
    course = Curriculum({"freq:en": 1.0})
    items = course.draw(2)
    before = course.state()
    for scores in ([1.0], [1.0, 1.5], [1.0, -0.1], [1.0, "no"], [1.0, float("inf")]):
        with pytest.raises(TokenbenchError):
            course.update(items, scores)  # type: ignore[arg-type]
    with pytest.raises(TokenbenchError, match="an Item, its row"):
        course.update([items[0], 5], [1.0, 1.0])  # type: ignore[list-item]
    assert course.state() == before


def test_a_part_with_a_level_stays_at_it() -> None:
    course = Curriculum({"freq:en@3": 1.0, "freq:en@8": 1.0, "freq:zh": 1.0}, levels=[4, 6])
    for _ in range(30):
        items = course.draw(12)
        course.update(items, [1.0] * 12)
    assert course.places == {"freq:en@3": 3.0, "freq:en@8": 8.0, "freq:zh": 6.0}
    levels = {(item.lang, item.meta["level"]) for item in course.draw(60)}
    assert levels == {("en", 3), ("en", 8), ("zh", 4), ("zh", 6)}


def test_without_a_spread_a_part_is_drawn_at_its_place_alone() -> None:
    course = Curriculum({"freq:en": 1.0}, spread=0, rate=1)
    levels = []
    for _ in range(12):
        items = course.draw(4)
        course.update(items, [1.0] * 4)
        levels.append({item.meta["level"] for item in items})
    assert all(len(level) == 1 for level in levels)
    assert all(max(later) - max(level) in (0, 1) for level, later in pairwise(levels))


@pytest.mark.parametrize(
    ("weights", "options", "message"),
    [
        ({}, {}, "1 to 1009 parts"),
        ({"freq:en": 0.0}, {}, "the weight of 'freq:en'=0.0: expected a number above 0"),
        ({"freq:en": 1.0}, {"target": 1.0}, "target=1.0: expected a number above 0 and below 1"),
        ({"freq:en": 1.0}, {"target": "half"}, "target='half'"),
        ({"freq:en": 1.0}, {"rate": 0}, "rate=0: expected a number above 0 and up to 1"),
        ({"freq:en": 1.0}, {"spread": -1}, "spread=-1"),
        ({"freq:en": 1.0}, {"levels": []}, "levels=\\[\\]: expected levels of freq:en, 0, 1, 2"),
        ({"freq:en": 1.0}, {"levels": [3, 12]}, "levels=\\[3, 12\\]"),
        ({"freq:en": 1.0}, {"levels": 3}, "levels=3: expected a list of levels"),
        ({"freq:en": 1.0}, {"levels": "36"}, "level='3': expected a whole number"),
        ({"freq:en": 1.0}, {"seed": 0.5}, "seed=0.5"),
        ({"freq:en": 1.0, "freq:en@4": 1.0}, {}, "'freq:en' and 'freq:en@4' both draw level 4"),
        ({"spell:en": 1.0, "spell:en:char": 1.0}, {}, "are the same part"),
        ({"spell:en": 1.0}, {"length": 5}, "length=5 makes all levels of spell:en the same"),
        ({"reord:zh": 1.0, "freq:en@3": 1.0}, {"length": (10, 12)}, "as in 'reord:zh@0'"),
    ],
)
def test_what_cannot_be_a_curriculum_is_refused_in_words(
    weights: dict[str, float], options: dict[str, float], message: str
) -> None:
    with pytest.raises(TokenbenchError, match=message):
        Curriculum(weights, **options)  # type: ignore[arg-type]


def test_parameters_that_leave_the_levels_different_are_allowed() -> None:
    for weights, options in (
        (["freq"], {"words": "core"}),
        (["freq"], {"count": 2}),
        (["spell@3", "freq"], {"levels": [3], "length": 12}),
    ):
        assert Curriculum(weights, **cast(dict[str, Any], options)).draw(1)


def test_scores_are_a_list() -> None:
    course = Curriculum({"freq:en": 1.0})
    for scores in (1.0, "1"):
        with pytest.raises(TokenbenchError, match="expected a list with a score for each item"):
            course.update(course.draw(1), scores)  # type: ignore[arg-type]


def test_threads_draw_no_item_twice_and_lose_no_score() -> None:
    course = Curriculum(["spell:en", "reord:zh"], rate=0.001)
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)

    def train(_: int) -> list[Item]:
        items = course.draw(5)
        course.update(items, [1.0] * 5)
        return items

    try:
        with ThreadPoolExecutor(8) as pool:
            drawn = [item for items in pool.map(train, range(40)) for item in items]
    finally:
        sys.setswitchinterval(before)
    keys = {(item.task, item.meta["level"], item.meta["index"]) for item in drawn}
    assert len(keys) == len(drawn) == 200
    assert course.state()["turn"] == 200
    assert sum(sum(part["drawn"]) for part in course.state()["parts"]) == 200


def test_an_unknown_part_or_split_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'freq'"):
        Curriculum({"freqs:en": 1.0})
    with pytest.raises(UnknownNameError, match="split"):
        Curriculum({"freq:en": 1.0}, split="dev")  # type: ignore[arg-type]
    with pytest.raises(TokenbenchError, match="n=-1"):
        Curriculum({"freq:en": 1.0}).draw(-1)


@pytest.mark.parametrize(
    "state",
    [
        None,
        {},
        {"version": 2},
        {"version": 1},
        {"version": 2, "parts": 3},
        Curriculum(PARTS).state() | {"parts": []},
        Curriculum(PARTS).state() | {"parts": [3]},
        Curriculum(PARTS).state() | {"parts": [{"name": "freq:en", "weight": 1.0}]},
        Curriculum(PARTS).state() | {"parts": [PART | {"drawn": [1]}]},
        Curriculum(PARTS).state() | {"parts": [PART | {"drawn": [-1] * 10}]},
        Curriculum(PARTS).state() | {"parts": [PART | {"place": None}]},
        Curriculum(PARTS).state() | {"parts": [PART, PART]},
        Curriculum(PARTS).state() | {"turn": -4},
    ],
)
def test_a_value_that_is_not_a_state_is_refused_in_words(state: object) -> None:
    with pytest.raises(TokenbenchError):
        Curriculum.of(state)  # type: ignore[arg-type]
