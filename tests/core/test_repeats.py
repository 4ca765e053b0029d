"""How many instances there are: known, said when a request needs more, and kept to if asked."""

import pickle
import sys
import warnings
from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from tokenbench import dataset, mixture, suite
from tokenbench.datasets import Dataset
from tokenbench.decontamination import decontaminate
from tokenbench.errors import (
    EndlessError,
    MissingExtraError,
    RepeatedItemsWarning,
    SourceError,
    TokenbenchError,
)
from tokenbench.integrations import arrow, deal_items, hub, json_lines, openrlhf, verifiers, verl
from tokenbench.item import Item
from tokenbench.tasks import BUILTIN, TaskRef, task
from tokenbench.tasks.sizes import count_instances, instance_counts, n_instances

PARTS = [ref for name in BUILTIN for ref in TaskRef.all_of(task(name))]
# Their pools take seconds; the tests of sequences count those of the train split.
SLOW = ("compm", "compose", "dot", "ridl")
# Parts of the test split with few instances, and one without end.
SMALL = {"spell:en@9": 3.0, "furigana:ja@0": 1.0, "freq:zh@0": 1.0}


# The stored numbers.


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.thorough] * (name in SLOW)) for name in BUILTIN]
)
def test_stored_numbers_are_those_of_the_pools(name: str) -> None:
    """Of each part, over all levels and at one of them."""
    record = task(name)
    for ref in TaskRef.all_of(record):
        for level in (None, record.levels[len(str(ref)) % len(record.levels)]):
            spec = record.spec(split="test", **ref._replace(level=level).arguments())
            assert n_instances(name, spec) == record.n_instances(spec), f"{ref}: make goldens"


@pytest.mark.thorough
@pytest.mark.parametrize("ref", PARTS, ids=str)
def test_all_stored_numbers_are_those_of_the_pools(ref: TaskRef) -> None:
    """In each split, at each level."""
    record = task(ref.task)
    stored = instance_counts(ref.task)[str(ref)]
    counted = count_instances(record, ref)
    assert {split: [*sizes.values()] for split, sizes in stored.items()} == counted


def test_parameters_change_the_number() -> None:
    """With parameters, the pool itself is asked."""
    five = n_instances("spell", task("spell").spec(length=5))
    assert five is not None
    assert 0 < five < len(dataset("spell"))
    assert five == len(dataset("spell", length=5))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("ref", [ref for ref in PARTS if ref.lang in ("en", "ko")], ids=str)
def test_items_differ_until_all_instances_have_occurred(ref: TaskRef) -> None:
    """So the number of instances is never more than the number of different items."""
    data = dataset(ref, split="test", level=9, unique=True)[-40:]
    assert len({item.id for item in data}) == len(data)


# Repeats within a sequence of parts.


def different(items: Iterable[Item]) -> int:
    """Return the number of different instances, by the index that each part gives its items."""
    instances = set()
    for item in items:
        ref = TaskRef.of(item)._replace(level=item.meta["level"])
        size = n_instances(item.task, task(item.task).spec(split="test", **ref.arguments()))
        instances.add((ref, item.meta["index"] if size is None else item.meta["index"] % size))
    return len(instances)


@pytest.mark.parametrize("n", [0, 7, 150, 300])
def test_the_number_of_instances_is_that_of_the_items(n: int) -> None:
    data = mixture(SMALL, n=300, split="test")[:n]
    assert data.n_instances == different(data)
    assert data[::-1].n_instances == data.n_instances


def test_parts_of_a_suite_are_counted_each() -> None:
    """Also in slices that begin and end within parts."""
    data = suite("tase", size=300, langs=["ko"], level=9)
    by_part = [data[start : start + 300].n_instances for start in range(0, len(data), 300)]
    assert sum(by_part) == data.n_instances < len(data)


# Unique items.


def test_unique_is_the_mixture_without_its_repeats() -> None:
    """In the same order, as far as there are items, however they are reached."""
    sizes = [
        n_instances(ref.task, task(ref.task).spec(split="test", **ref.arguments()))
        for ref in map(TaskRef.parse, SMALL)
    ]
    whole = mixture(SMALL, split="test")
    limits = dict(zip(["spell", "furigana", "freq"], sizes, strict=True))
    expected = [
        item
        for item in whole[:400]
        if (limit := limits[item.task]) is None or item.meta["index"] < limit
    ]
    unique = mixture(SMALL, n=len(expected), split="test", unique=True)
    assert [*unique] == expected
    assert unique[::-1][5] == expected[-6]
    assert pickle.loads(pickle.dumps(unique)) == unique  # noqa: S301
    assert [*unique[3::4]] == expected[3::4]
    assert unique.n_instances == len(unique) == different(unique)
    assert [*mixture(SMALL, n=9, split="test", unique=True)] == [*whole[:9]]


def test_unique_ends_where_instances_do() -> None:
    parts = ["spell:en@9", "furigana:ja@0"]
    unique = mixture(parts, n=1000, split="test", unique=True)
    assert len(unique) == sum(len(dataset(part, split="test")) for part in parts)
    assert unique == mixture(parts, split="test", unique=True)
    assert mixture([*parts, "freq"], unique=True).n_items == 2**63 - 1
    assert dataset("spell", n=5000, unique=True) == dataset("spell")
    assert len(dataset("spell", n=10, unique=True)) == 10


def test_a_unique_suite_has_each_instance_once() -> None:
    unique = suite("tase", size=30, langs=["zh"], level=0, unique=True)
    assert unique.n_instances == len(unique) < len(suite("tase", size=30, langs=["zh"], level=0))
    assert suite("execute", langs=["en"], unique=True) == suite("execute", langs=["en"])


# The message for a request for more.


@pytest.mark.parametrize(
    ("request_more", "message"),
    [
        (
            lambda: dataset("spell", n=5000),
            r"^5,000 items ask about 1,740 different instances; unique=True stops there$",
        ),
        (
            lambda: mixture(["spell", "freq"], n=4000),
            r"^4,000 items ask about 3,740 different instances; ",
        ),
        (
            lambda: suite("tase"),
            r"^42,000 items ask about 25,111 different instances; ",
        ),
    ],
)
def test_a_request_for_more_warns_once_where_it_is_made(
    request_more: Callable[[], Dataset], message: str
) -> None:
    with pytest.warns(RepeatedItemsWarning, match=message) as warned:
        request_more()
    (one,) = warned
    assert one.filename == __file__
    assert "\n" not in str(one.message)


def test_no_other_request_warns() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        dataset("spell")
        dataset("spell", n=1740)
        dataset("spell", n=1740, unique=True)
        dataset("freq", n=10**6)
        mixture(["spell", "furigana:ja"])
        mixture(["spell", "furigana:ja"], n=1000)
        mixture(["spell"], n=1000, unique=True)
        mixture(["spell", "freq"])[:1500]
        mixture(["spell", "freq"])[1::2]
        mixture(["spell"], unique=True)[:5000]
        suite("tase", size=5)
        suite("tase", unique=True)
        suite("execute")


def test_a_dataset_shows_itself_when_its_file_is_gone(tmp_path: Path) -> None:
    words = tmp_path / "words.txt"
    words.write_text("\n".join(f"wort{letter}" for letter in "abcdefghijklmnopqrst"))
    data = dataset("spell", words=words, n=3)
    words.unlink()
    assert repr(data).startswith("<Dataset of 3 items: spell:en:char")
    with pytest.raises(SourceError):
        _ = data.n_instances


# Data without end.

ENDLESS = [
    dataset("reord"),
    dataset("spell", n=2**63 - 1),
    mixture(["spell"]),
    mixture(["freq", "spell"], unique=True)[5:],
    mixture(["spell"])[3::64],
    dataset("reord")[::-1],
]
LISTING: list[Callable[[Any, Path], object]] = [
    lambda data, _: len(data),
    lambda data, _: list(data),
    lambda data, _: tuple(data),
    lambda data, _: [*data],
    lambda data, _: sorted(data, key=id),
    lambda data, _: arrow.to_table(data),
    lambda data, file: arrow.write_parquet(file, data),
    lambda data, file: json_lines.write(file, data),
    lambda data, file: hub.write_folder(file, {"a": {"b": data}}, name="c", licence="d"),
    lambda data, file: verl.to_parquet(data, file),
    lambda data, file: openrlhf.to_jsonl(data, file),
    lambda data, _: verifiers.rows(data),
    lambda data, _: decontaminate(data, __file__),
]


@pytest.mark.parametrize("list_all", LISTING)
@pytest.mark.parametrize("data", ENDLESS, ids=repr)
def test_data_without_end_is_not_listed(
    data: Dataset, list_all: Callable[[Any, Path], object], tmp_path: Path
) -> None:
    """But refused at once, in one line, and nothing is left behind."""
    with pytest.raises(EndlessError, match=r"^this dataset has no end: "):
        list_all(data, tmp_path / "file")
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize("data", ENDLESS, ids=repr)
def test_data_without_end_gives_items_as_any_other(
    data: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert data
    assert [*islice(data, 2)] == [data[0], data[1]] == [*data[:2]]
    assert next(iter(data[10**12 :: 10**6])) == data[10**12]
    assert data.n_items > 2**50
    assert isinstance(data[-1], Item)
    monkeypatch.setattr(arrow, "_BATCH_SIZE", 2)
    assert next(arrow.to_batches(data)).num_rows == 2


# Extras.


@pytest.mark.parametrize(
    "make",
    [
        lambda: suite("tase"),
        lambda: suite("tase", size=1, langs=["ko"]),
        lambda: dataset("dot", variant="bitmap_to_char"),
        lambda: dataset("dot", level=3),
        lambda: mixture({"freq": 99.0, "dot:zh:bitmap_to_script": 1.0}),
        lambda: deal_items(["freq:en", "dot:en:bitmap_to_char"], 4),
    ],
)
@pytest.mark.parametrize("package", ["freetype", "noto_cjk_sans_otc"])
def test_a_missing_extra_is_named_when_data_is_made(
    make: Callable[[], object], package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtraError, match=r"pip install 'tokenbench\[glyph\]'"):
        make()


def test_what_needs_no_extra_is_made_without(monkeypatch: pytest.MonkeyPatch) -> None:
    for package in ("freetype", "noto_cjk_sans_otc", "wordfreq"):
        monkeypatch.setitem(sys.modules, package, None)
    assert dataset("dot", n=1)[0].variant == "char_to_script"
    assert suite("execute", size=1)
    with pytest.raises(MissingExtraError, match=r"words='wordfreq' .*'tokenbench\[lexicon\]'"):
        mixture({"freq": 9.0, "spell": 1.0}, words="wordfreq")


def test_unique_parts_are_different_parts() -> None:
    """The same part under two names, and a part at a level next to all of it, are refused."""
    for named in (["reord", "reord:en"], ["spell", "spell:en:char"]):
        with pytest.raises(TokenbenchError, match="the same part"):
            mixture(named)
    with pytest.raises(TokenbenchError, match=r"unique=True: .* may ask about the same instances"):
        mixture(["spell", "spell@3"], unique=True)
    assert mixture(["spell", "spell@3"], n=5).n_items == 5
    assert mixture(["reord", "reord@3"], n=5, unique=True).n_items == 5


def test_an_endless_dataset_is_not_searched_for_ever() -> None:
    data = dataset("reord")
    for search in (data.__contains__, data.index, data.count):
        with pytest.raises(EndlessError):
            search(data[0])
    assert data[0] in data[:3]
    assert (data[:3].index(data[1]), data[:3].count(data[1])) == (1, 1)
