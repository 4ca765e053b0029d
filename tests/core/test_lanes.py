"""Ready items and lanes: they save time, and no verdict depends on them."""

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import fresh_python
import lanes
import pytest

from tokenbench import Item, check, freq, ready_items, score, score_batch, sort, spell, task
from tokenbench.answers import Number
from tokenbench.errors import ItemError, VersionError
from tokenbench.item import as_item
from tokenbench.ready_items import ReadyItem, item_of, make_ready
from tokenbench.text.languages import Language

FOUR = freq.generate()


@pytest.mark.parametrize("part", random.Random(1).sample(lanes.PARTS, 12))
def test_lanes_agree_with_the_long_way(part: tuple[str, str, str | None]) -> None:
    """`tools/lanes.py` compares as many pairs as one likes."""
    draw = random.Random(str(part))
    drawn = lanes.items(part, seed=5)[:2]
    others = [item.solution for item in drawn]
    for item in drawn:
        for text in lanes.texts_of(item, others, draw)[:80]:
            assert not lanes.compare(item, text, draw.choice(lanes.RULES))


@pytest.mark.parametrize("part", [part for part in lanes.PARTS if part[2] != "write"])
def test_a_plain_right_answer_takes_the_lane(part: tuple[str, str, str | None]) -> None:
    """Most answers of most parts are plain; Hindi has words without a letter of their own."""
    drawn = [item for seed in range(3) for item in lanes.items(part, seed=seed)]
    settled = [ReadyItem(item).kind.lane(item)(item.solution) for item in drawn]
    assert set(settled) <= {True, None}
    assert 2 * settled.count(True) > len(settled) or part[1] in ("am", "hi")


@pytest.mark.parametrize("name", ["freq", "sort", "spell", "reord", "insert", "contains", "compm"])
def test_a_plain_wrong_answer_takes_the_lane(name: str) -> None:
    item, *others = (task(name).generate(lang="en", index=index) for index in range(9))
    wrong = next(one.solution for one in others if one.solution != item.solution)
    assert ReadyItem(item).kind.lane(item)(wrong) is False
    assert ReadyItem(item).score(wrong, "exact") == 0.0


@pytest.mark.parametrize("name", ["spell", "compm", "reord", "dot"])
def test_an_answer_that_is_too_long_is_so_in_the_lane(name: str) -> None:
    item = task(name).generate(lang="en")
    first, rest = item.solution[:1], item.solution[1:]
    long = f"{first}{' ' * 9999}{rest}"
    assert (
        ReadyItem(item).score(long, "exact") == 0.0 == check(f"<answer>{long}</answer>", item).score
    )


def test_an_answer_is_judged_once(monkeypatch: pytest.MonkeyPatch) -> None:
    item, read = spell.generate(lang="ru"), []
    kind = type(make_ready(item).kind)
    parse = kind.parse

    def count(self: Any, text: str, item: Item, language: Language) -> Any:
        read.append(text)
        return parse(self, text, item, language)

    monkeypatch.setattr(kind, "parse", count)
    completion = f"<answer>“{item.solution}”</answer>"
    assert len({score(completion, item) for _ in range(5)}) == 1
    assert len(read) == 1


def test_what_is_kept_is_bounded() -> None:
    items = [replace(FOUR, prompt=f"{FOUR.prompt} {n}") for n in range(1100)]
    for item in items:
        assert make_ready(item) is make_ready(item)
    assert len(ready_items._ready) <= 1024
    ready = make_ready(FOUR)
    for n in range(100):
        score(f"<answer>{n} words, no {n}</answer>", FOUR)
        assert len(ready.scores) <= 16
    score(f"<answer>{'x' * 300}</answer>", FOUR)
    assert all(len(answer) <= 256 for _, answer in ready.scores)


def test_equal_rows_and_texts_are_one_item() -> None:
    row = FOUR.row()
    assert item_of(dict(row)) is item_of(dict(row))
    assert item_of(FOUR.json()) is item_of(FOUR.json())
    assert item_of(row) == item_of(FOUR.json()) == FOUR


def outcome(read: Callable[[object], Item], given: object) -> Item | str:
    """Return an item that is read, or the message of the error."""
    try:
        return read(given)
    except ItemError as error:
        return str(error)


def test_a_row_that_nearly_equals_a_known_one_is_read() -> None:
    row = FOUR.row()
    assert item_of(row) == FOUR
    for changes in (
        {"version": True},
        {"version": float(FOUR.version)},
        {"variant": None},
        {"meta": "{}"},
        {"prompt": "How many?"},
        {"solution": 4},
    ):
        given: dict[str, Any] = row | changes
        assert outcome(item_of, given) == outcome(as_item, given)
    with pytest.raises(ItemError):
        item_of({name: row[name] for name in row if name != "variant"})


def test_a_faulty_item_is_faulty_each_time() -> None:
    for _ in range(2):
        with pytest.raises(VersionError):
            score("<answer>4</answer>", replace(FOUR, version=1))
        with pytest.raises(ItemError):
            score("<answer>4</answer>", replace(FOUR, target={}))


@dataclass(frozen=True, eq=False, kw_only=True)
class Doubled(Number):
    """A number that an answer doubles."""

    def parse(self, text: str, item: Item, language: Language) -> int:
        return 2 * super().parse(text, item, language)


def test_a_lane_is_not_inherited() -> None:
    item = replace(FOUR, target={"answer": 4})
    assert Number().lane(item)("4") is True
    assert Doubled().lane(item)("4") is None


@pytest.mark.parametrize("switch", ["0", "1"])
def test_lanes_can_be_switched_off(monkeypatch: pytest.MonkeyPatch, switch: str) -> None:
    monkeypatch.setenv("TOKENBENCH_LANES", switch)
    code = """if True:
        from tokenbench import freq, ready_items, score
        item = freq.generate()
        assert score(f"<answer>{item.solution}</answer>", item) == 1.0
        print(ready_items.uses_lanes, len(ready_items._ready))
    """
    assert fresh_python.output(code).split() == (["True", "1"] if switch == "1" else ["False", "0"])


def test_workers_give_the_same_scores() -> None:
    items = [
        record.generate(index=n) for n in range(300) for record in (task("spell"), task("freq"))
    ]
    completions: list[Any] = [f"<answer>{item.solution}</answer>" for item in items]
    completions[1::7] = [None] * len(completions[1::7])
    completions[2::7] = [[{"role": "assistant", "content": "<answer>ABC</answer>"}]] * len(
        completions[2::7]
    )
    for rule in ("exact", "published"):
        alone = score_batch(completions, items, rule=rule)
        assert score_batch(completions, items, rule=rule, workers=2).tolist() == alone.tolist()
    assert score_batch(completions[:5], sort.generate(), workers=2).shape == (5,)


def test_only_large_batches_for_several_workers_are_shared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shared: list[int] = []

    def share_out(_: object, workers: int, texts: list[str], *__: object) -> list[float]:
        shared.append(workers)
        return [0.0] * len(texts)

    monkeypatch.setattr("tokenbench.workers.share_out", share_out)
    for workers, n in ((1, 1000), (2, 100), (2, 1000)):
        assert score_batch([""] * n, sort.generate(), workers=workers).shape == (n,)
    assert shared == [2]


@pytest.mark.parametrize("text", ["<answer>4</answer>", "<think><</think><answer>4</answer>"])
def test_check_says_what_score_says(text: str) -> None:
    item = replace(FOUR, target={**FOUR.target, "count": 4})
    assert check(text, item).score == score(text, item) == 1.0
