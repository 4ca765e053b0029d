"""Datasets, mixtures and suites: any item at any place, the same everywhere, and none is held."""

import multiprocessing
import pickle
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import AbstractContextManager
from fractions import Fraction
from functools import partial
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenbench import dataset, mixture, suite, task
from tokenbench.builtin import PAPERS, SuiteName
from tokenbench.curriculum import Curriculum
from tokenbench.datasets import Dataset
from tokenbench.draw import SPLITS, Split
from tokenbench.errors import DifficultyError, SourceError, TokenbenchError, UnknownNameError
from tokenbench.interleaving import Interleaving
from tokenbench.item import Item
from tokenbench.tasks import TaskRef

VARIANTS: dict[str, tuple[str | None, ...]] = {
    **dict.fromkeys(("freq", "diff", "sort", "reord", "compc", "ridl", "var"), (None,)),
    "lenop": ("count", "write"),
    "compm": ("split", "combine"),
    "dot": ("char_to_script", "bitmap_to_script", "bitmap_to_char"),
}
TASKS = [
    (name, lang, variant)
    for name, variants in VARIANTS.items()
    for lang in ("en", "zh", "ko")
    for variant in variants
]
SUITES: tuple[SuiteName, ...] = ("tase", "execute", "charbench", "adt")
MIXED = {"sort:zh": 2.0, "freq:en@1": 1.0, "lenop:ko:write@0": 1.0, "reord:en@0": 0.5, "diff:ko": 4}

every_task = pytest.mark.parametrize(("name", "lang", "variant"), TASKS)


def indices(data: Dataset) -> list[int]:
    return [item.meta["index"] for item in data]


def numbers(n: int, **arguments: Any) -> Dataset:
    """Return a dataset whose items are cheap to make and tell their place."""
    return dataset("lenop", n=n, level=0, **arguments)


def raises_plain(message: str) -> AbstractContextManager[Any]:
    """Expect an error about an argument that is not one about difficulty or a name."""
    return pytest.raises(
        TokenbenchError, match=message, check=lambda error: type(error) is TokenbenchError
    )


def part_of(item: Item) -> str:
    return str(TaskRef.of(item)._replace(level=item.meta["level"]))


# Datasets.


@every_task
def test_an_item_of_a_dataset_is_what_generate_makes(
    name: str, lang: str, variant: str | None
) -> None:
    for split, level in (("train", None), ("test", 3)):
        arguments: dict[str, Any] = {"variant": variant, "seed": 5, "split": split, "level": level}
        data = dataset(name, lang=lang, n=30, **arguments)
        for index in (0, 7, 29):
            assert data[index] == task(name).generate(lang=lang, index=index, **arguments)


def test_difficulty_passes_through(tmp_path: Path) -> None:
    words = tmp_path / "words.txt"
    words.write_text("alpha beta gamma delta epsilon zeta eta theta iota kappa".replace(" ", "\n"))
    difficulty: dict[str, Any] = {"length": (20, 30), "count": 2, "words": words}
    data = dataset("freq", n=3, **difficulty)
    assert [*data] == [task("freq").generate(index=index, **difficulty) for index in range(3)]


@every_task
def test_items_a_billion_and_a_trillion_on_are_made_like_the_first(
    name: str, lang: str, variant: str | None
) -> None:
    data = dataset(name, lang=lang, variant=variant, n=2**40)
    assert len(data) == 2**40
    for index in (10**9, 2**40 - 1):
        assert data[index].meta["index"] == index
    assert data[-1] == data[2**40 - 1]


@every_task
def test_without_n_a_dataset_is_as_long_as_its_space(
    name: str, lang: str, variant: str | None
) -> None:
    data = dataset(name, lang=lang, variant=variant)
    if variant == "write":
        assert 250 * 1000 < len(data) < 250 * 2000
        assert len(data) % 250 == 0
    elif name in ("compm", "dot", "ridl", "var") and (name, lang) != ("var", "ko"):
        assert 200 <= len(data) < 5000
        assert len(data) == task(name).n_instances(task(name).spec(lang=lang, variant=variant))
    else:
        assert data.n_items == 2**63 - 1
        assert data[-1].meta["index"] == 2**63 - 2


def test_a_dataset_may_go_on_beyond_its_space() -> None:
    size = len(dataset("lenop", variant="write", length=5, split="test"))
    data = dataset("lenop", variant="write", length=5, split="test", n=size + 1)
    assert data[size].meta["index"] == size


@pytest.mark.parametrize(
    ("name", "option"),
    [
        ("reord", "words"),
        ("reord", "text"),
        ("lenop:en:count", "text"),
        ("spell", "words"),
        ("spell", "pack"),
        ("trap", "vocabulary"),
        ("dot", "font"),
    ],
)
def test_a_file_that_will_not_do_is_found_when_the_dataset_is_made(
    tmp_path: Path, name: str, option: str
) -> None:
    (tmp_path / "empty.txt").touch()
    makers: list[Callable[..., object]] = [
        partial(dataset, name),
        partial(mixture, [name]),
        partial(Curriculum, [name]),
    ]
    for path in (tmp_path / "absent.txt", tmp_path / "empty.txt", tmp_path):
        for make in makers:
            with pytest.raises(TokenbenchError, match=r"^[^\n]+$"):
                make(**{option: path})
    with pytest.raises(
        SourceError, match=f"^({option}=.*: )?no such file|cannot read .*: give a pack"
    ):
        makers[0](**{option: tmp_path / "absent.txt"})


def test_a_dataset_over_an_empty_space_is_empty_or_an_error(tmp_path: Path) -> None:
    train = dataset("lenop", variant="write", length=5)
    topics = {item.meta["drawn"]["topic"] for item in train[:12]}
    words = tmp_path / "words.txt"
    words.write_text("\n".join(topics))
    with pytest.raises((TokenbenchError, IndexError)):
        dataset("lenop", variant="write", words=words, split="test", length=5)[0]
    try:
        length = len(dataset("lenop", variant="write", words=words, split="test", length=5))
    except TokenbenchError:
        length = 0
    assert length == 0


@given(st.data())
def test_slices_are_those_of_a_list(data: st.DataObject) -> None:
    length = data.draw(st.integers(0, 12))
    dataset_, listed = numbers(length), [*range(length)]
    for _ in range(data.draw(st.integers(1, 3))):
        part = data.draw(st.slices(len(listed)))
        dataset_, listed = dataset_[part], listed[part]
    assert len(dataset_) == len(listed)
    assert indices(dataset_) == listed
    assert indices(dataset_[::-1]) == [item.meta["index"] for item in reversed(dataset_)]
    for index in range(-len(listed), len(listed)):
        assert dataset_[index].meta["index"] == listed[index]
    for index in (len(listed), -len(listed) - 1, 10**30):
        with pytest.raises(IndexError):
            dataset_[index]


def test_a_dataset_is_a_sequence() -> None:
    data = numbers(5)
    assert [*data] == [data[index] for index in range(5)]
    assert data[3] in data
    assert data.index(data[3]) == 3
    assert data.count(data[3]) == 1
    assert data[numpy.int64(3)] == data[3]  # type: ignore[call-overload]
    assert not numbers(0)
    assert [*numbers(0)] == []
    for index in ("3", 3.0, None, (1, 2)):
        with pytest.raises(TypeError):
            data[index]  # type: ignore[call-overload]


@pytest.mark.parametrize("world", [1, 2, 3, 7])
def test_shards_are_disjoint_and_cover(world: int) -> None:
    data = numbers(20)
    shards = [data[rank::world] for rank in range(world)]
    assert sorted(index for shard in shards for index in indices(shard)) == [*range(20)]
    huge = dataset("freq", n=2**40)
    assert sum(len(huge[rank::world]) for rank in range(world)) == 2**40
    assert [huge[rank::world][10].meta["index"] for rank in range(world)] == [
        10 * world + rank for rank in range(world)
    ]


def test_a_run_resumes_where_it_stopped() -> None:
    data = numbers(10)
    assert [*data[:4], *data[4:]] == [*data]


def test_equal_datasets_are_equal_and_hash_alike() -> None:
    data = numbers(10)
    assert data == numbers(10)
    assert hash(data) == hash(numbers(10))
    assert data[:5] == numbers(5) == numbers(20)[:5]
    assert data[1:1] == data[7:7]
    for other in (
        numbers(9),
        numbers(10, seed=1),
        numbers(10, lang="ko"),
        numbers(10, split="test"),
        dataset("lenop", n=10),
        dataset("sort", n=10, level=0),
        data[::-1],
        [*data],
        None,
    ):
        assert data != other
    assert len({data, numbers(10), data[:10], data[:9]}) == 2


def test_a_dataset_has_a_readable_repr() -> None:
    data = dataset("lenop", lang="ko", variant="write", n=12, seed=34, level=5)
    assert repr(data) == "<Dataset of 12 items: lenop:ko:write@5, train, seed=34>"
    assert repr(data[3::2]) == (
        "<Dataset of 5 items: lenop:ko:write@5, train, seed=34, from item 3, step 2>"
    )
    assert repr(dataset("freq", length=30)) == (
        "<Dataset of 2^63 - 1 items: freq:en, train, seed=0, length=30>"
    )
    assert repr(mixture(MIXED, n=7, seed=3)) == (
        "<Dataset of 7 items: sort:zh, freq:en@1, lenop:ko:write@0, 2 more, train, seed=3>"
    )
    assert repr(suite("charbench", size=8)) == (
        "<Dataset of 97 items: count_char:en, count_unique:en, find_first:en, 1 more, "
        "train/validation/test, seed=0>"
    )


def test_seeds_and_splits_share_no_item() -> None:
    prompts = [
        item.prompt
        for seed in (0, 1, 2, -1)
        for split in ("train", "validation", "test")
        for item in dataset("diff", n=10, seed=seed, split=split, length=20)
    ]
    assert len(set(prompts)) == len(prompts)


@pytest.mark.parametrize("n", [-1, 2**63, "5", 5.0, True, [5]])
def test_an_impossible_length_is_one_clear_error(n: Any) -> None:
    with raises_plain(r"^n=[^\n]+$"):
        dataset("freq", n=n)
    with raises_plain(r"^n=[^\n]+$"):
        mixture({"freq:en": 1.0}, n=n)


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("freqq", {}, "task 'freqq'.*'freq'"),
        (None, {}, "task None"),
        ("freq", {"lang": "eng"}, "language of freq 'eng'.*'en'"),
        ("freq", {"lang": 3}, "language of freq 3"),
        ("freq", {"variant": "count"}, "variant of freq 'count'"),
        ("lenop", {"variant": "wrote"}, "variant of lenop 'wrote'.*'write'"),
        ("freq", {"split": "trian"}, "split 'trian'.*'train'"),
        ("freq", {"split": ["train"]}, "split"),
        ("freq", {"lenght": 30}, "argument of freq 'lenght'.*did you mean 'length'"),
        ("furigana", {"lan": "ja"}, "argument of furigana 'lan'.*did you mean 'lang'"),
        ("freq", {"language": "ko"}, "argument of freq 'language'.*did you mean 'lang'"),
        ("freq", {"sed": 3}, "argument of freq 'sed'.*did you mean 'seed'"),
    ],
)
def test_an_unknown_name_is_named_with_the_nearest_one(
    name: Any, arguments: dict[str, Any], message: str
) -> None:
    with pytest.raises(UnknownNameError, match=f"unknown {message}"):
        dataset(name, **arguments)


def test_a_misspelled_argument_of_a_mixture_or_suite_is_named_with_the_nearest_one() -> None:
    with pytest.raises(UnknownNameError, match=r"unknown parameter 'sed'.*'seed'"):
        mixture({"freq:en": 1.0}, sed=1)
    with pytest.raises(UnknownNameError, match=r"unknown option of the suite 'sed'.*'seed'"):
        suite("tase", sed=1)
    with pytest.raises(UnknownNameError, match="takes no index"):
        dataset("freq", index=3)


@pytest.mark.parametrize(
    "arguments", [{"level": 10}, {"level": "3"}, {"length": 3}, {"length": "x"}]
)
def test_a_bad_difficulty_is_an_error_before_any_item_is_made(arguments: dict[str, Any]) -> None:
    with pytest.raises(DifficultyError, match=r"^[^\n]+$"):
        dataset("freq", **arguments)


@pytest.mark.parametrize("seed", ["x", 1.5, None, True])
def test_a_seed_is_not_a_matter_of_difficulty(seed: Any) -> None:
    for draw in (task("freq").generate, partial(dataset, "freq"), partial(mixture, ["freq"])):
        with raises_plain(r"^seed=[^\n]+: expected a whole number$"):
            draw(seed=seed)


def numpy_seeded(seed: Any) -> list[Item]:
    return [
        dataset("sort", n=1, seed=seed, length=5)[0],
        mixture({"sort:en@0": 1.0}, n=1, seed=seed)[0],
        suite("tase", size=1, seed=seed)[0],
    ]


def test_a_seed_may_be_any_integer() -> None:
    assert numpy_seeded(numpy.int64(3)) == numpy_seeded(3)
    for seed in (-1, 2**70):
        assert len({item.id for item in numpy_seeded(seed)}) == 3


# Processes.


def test_datasets_pickle_small_and_equal() -> None:
    for data in (dataset("reord", n=2**40)[5::7], mixture(MIXED, seed=3), suite("tase", seed=2)):
        for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
            pickled = pickle.dumps(data, protocol)
            copy = pickle.loads(pickled)  # noqa: S301
            assert copy == data
            assert copy[11] == data[11]
            assert len(pickled) < 60_000


def eleventh(data: Dataset) -> str:
    return data[11].json()


def test_spawned_processes_make_the_same_items() -> None:
    sets = [
        *(dataset(name, lang=lang, variant=variant, seed=4) for name, lang, variant in TASKS[::8]),
        mixture(MIXED, seed=3),
        suite("tase", seed=2)[-50:],
    ]
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=spawn) as pool:
        assert list(pool.map(eleventh, sets)) == [eleventh(data) for data in sets]


# Mixtures.


PARTS = [f"lenop:{lang}:count@{level}" for lang in ("en", "zh", "ko") for level in range(10)]


@settings(max_examples=25)
@given(
    st.lists(st.floats(0.05, 1e3) | st.integers(1, 50), min_size=1, max_size=30),
    st.integers(0, 99),
)
def test_every_beginning_has_each_part_as_often_as_its_share(
    weights: list[float], seed: int
) -> None:
    """To less than two items, and at least once where the share is one or more."""
    order = Interleaving.of(weights, seed)
    found = [0] * len(weights)
    for index in range(1500):
        part, rank = order.locate(index)
        assert rank == found[part]
        found[part] += 1
        for share, count in zip(order.weights, found, strict=True):
            expected = Fraction(share * (index + 1), sum(order.weights))
            assert abs(count - expected) < 2
            assert count or expected < 1
    assert order.count_parts(1500) == found


@pytest.mark.parametrize("step", [2, 3, 7, 8, 10, 100, 1024])
def test_a_slice_with_a_step_leaves_out_no_part(step: int) -> None:
    weights = [40.0, 5.0, *[10.0] * 8]
    order = Interleaving.of(weights, step)
    for start in (0, step - 1):
        found = Counter(order.locate(start + turn * step)[0] for turn in range(200))
        for part, weight in enumerate(weights):
            assert found[part] > 200 * weight / sum(weights) / 3


@pytest.mark.parametrize("n", [2, 6, 20])
def test_a_small_mixture_has_every_part(n: int) -> None:
    for seed in range(20):
        assert len({item.task for item in mixture(["reord", "spell"], n=n, seed=seed)}) == 2


def block_counts(weights: dict[str, float]) -> Counter[str]:
    """Count each part in a block of a mixture, without making an item."""
    counts = Interleaving.of(list(weights.values())).count_parts(1009)
    return Counter(dict(zip(weights, counts, strict=True)))


@pytest.mark.parametrize(
    "weights", [[1e308, 1e308, 1e307], [1e306, 1.0], [5e-324, 1.0], [1e-300, 2e-300, 1e-300]]
)
def test_weights_however_large_or_small_keep_their_proportions(weights: list[float]) -> None:
    found = block_counts(dict(zip(PARTS, weights, strict=False)))
    for part, weight in zip(PARTS, weights, strict=False):
        share = 1009 * Fraction(weight) / sum(map(Fraction, weights))
        assert abs(found[part] - max(Fraction(1), share)) <= 1


def test_a_weight_beyond_every_float_is_one_clear_error() -> None:
    with raises_plain(r"^[^\n]*'sort:en'[^\n]*$"):
        mixture({"sort:en": 10**400, "sort:zh": 1})


def test_the_kth_item_of_a_part_is_item_k_of_its_own_dataset() -> None:
    data = mixture(MIXED, seed=9, split="test")
    own = {
        "sort:zh": dataset("sort", lang="zh", seed=9, split="test"),
        "freq:en@1": dataset("freq", lang="en", seed=9, split="test", level=1),
        "lenop:ko:write@0": dataset(
            "lenop", lang="ko", variant="write", seed=9, split="test", level=0
        ),
        "reord:en@0": dataset("reord", lang="en", seed=9, split="test", level=0),
        "diff:ko": dataset("diff", lang="ko", seed=9, split="test"),
    }
    seen = Counter[str]()
    for item in data[:400]:
        part = part_of(item)
        if seen[part] % 20 == 0:
            assert item == own[part][seen[part]]
        else:
            assert item.meta["index"] == seen[part]
        seen[part] += 1
    assert set(seen) == set(MIXED)


def test_parts_stand_in_random_order() -> None:
    order = [part_of(item) for item in mixture({"freq:zh@0": 1, "freq:en@0": 1}, n=1000)]
    runs = sum(a != b for a, b in pairwise(order)) + 1
    assert 440 < runs < 700
    other = [part_of(item) for item in mixture({"freq:zh@0": 1, "freq:en@0": 1}, n=1000, seed=1)]
    assert order != other


def test_a_mixture_is_the_same_each_time() -> None:
    assert mixture(MIXED, n=40, seed=3) == mixture(dict(MIXED), n=40, seed=3)
    assert [*mixture(MIXED, n=40, seed=3)] == [*mixture(MIXED, seed=3)[:40]]
    assert mixture(MIXED, seed=3) != mixture(MIXED, seed=4)
    assert mixture(MIXED).n_items == 2**63 - 1
    assert mixture(MIXED)[-1].meta["index"] > 10**17


def test_levels_and_variants_are_those_of_the_part() -> None:
    for item in mixture({"lenop:zh:write@7": 1, "reord:ko@2": 1}, n=20):
        assert (item.lang, item.variant, item.meta["level"]) in (
            ("zh", "write", 7),
            ("ko", None, 2),
        )


def test_a_part_has_the_same_defaults_as_a_dataset() -> None:
    named = {"reord": "reord:en", "lenop@3": "lenop:en:count@3", "lenop:ko": "lenop:ko:count"}
    for short, full in named.items():
        assert [*mixture({short: 1}, n=3)] == [*mixture({full: 1}, n=3)]
    assert [*mixture({"reord": 1}, n=3)] == [*dataset("reord", n=3)]


@pytest.mark.parametrize(
    "spec",
    [
        "", "sort:", ":en", "sort:en:", "sort:en:count", "sort:en:write:x", "sort:xx",
        "sorted:en", "lenop:en:wrote", "sort:en@", "sort:en@x", "sort:en@-1", "sort:en@1.0",
        "sort:en@10", "sort:en@1@2", "sort:en@٣", "sort en", "sort:en ", " sort:en", "@3",
        3, None,
    ],
)  # fmt: skip
def test_a_part_that_does_not_exist_is_one_clear_error(spec: Any) -> None:
    with pytest.raises((UnknownNameError, DifficultyError), match=r"^[^\n]+$"):
        mixture({spec: 1.0})


def test_a_misspelt_part_is_named_with_the_nearest_one() -> None:
    with pytest.raises(UnknownNameError, match=r"'sorted'.*'sort'"):
        mixture({"sorted:en": 1})
    with pytest.raises(UnknownNameError, match=r"'wrote'.*'write'"):
        mixture({"lenop:en:wrote": 1})


@pytest.mark.parametrize(
    "weight", [0, -1, 0.0, float("nan"), float("inf"), -float("inf"), True, "1", None, [1], 1j]
)
def test_a_weight_that_is_not_a_positive_number_is_one_clear_error(weight: Any) -> None:
    with raises_plain(r"^[^\n]*'sort:en'[^\n]*$"):
        mixture({"sort:en": weight})


@pytest.mark.parametrize("weights", [{}, [], None, "sort:en", TaskRef("sort"), {"sort:en"}, 3])
def test_neither_a_mapping_nor_a_list_of_parts_is_one_clear_error(weights: Any) -> None:
    with pytest.raises(TokenbenchError) as caught:
        mixture(weights)
    assert caught.value.argument == "weights"
    with pytest.raises(UnknownNameError, match=r"^unknown task \('sort:en', 1.0\)"):
        mixture([("sort:en", 1.0)])  # type: ignore[list-item]


def test_a_bad_split_or_seed_of_a_mixture_is_one_clear_error() -> None:
    with pytest.raises(UnknownNameError, match=r"'dev'"):
        mixture({"sort:en": 1}, split="dev")  # type: ignore[arg-type]
    with raises_plain("seed='x'"):
        mixture({"sort:en": 1}, seed="x")  # type: ignore[arg-type]


# Suites.


def test_the_suite_holds_a_thousand_of_each_task_variant_and_language() -> None:
    data = suite("tase")
    assert len(data) == 1000 * len(TASKS)
    firsts = [data[start] for start in range(0, len(data), 1000)]
    lasts = [data[start + 999] for start in range(0, len(data), 1000)]
    for found in (firsts, lasts):
        assert {(item.task, item.lang, item.variant) for item in found} == set(TASKS)
    assert {item.meta["index"] for item in firsts} == {0}
    assert {item.meta["index"] for item in lasts} == {999}
    assert {item.meta["split"] for item in data[::500]} == {"test"}


def test_a_part_of_the_suite_is_the_tasks_own_dataset() -> None:
    for item in suite("tase", size=3, seed=6, split="validation", level=1)[1::3]:
        assert (
            item
            == dataset(
                item.task,
                lang=item.lang,
                variant=item.variant,
                seed=6,
                split="validation",
                level=1,
            )[1]
        )


def test_the_options_of_the_suite() -> None:
    assert len(suite("tase", size=2)) == 2 * len(TASKS)
    assert len(suite("tase", size=0)) == 0
    assert {item.lang for item in suite("tase", size=1, langs=["ko"])} == {"ko"}
    assert len(suite("tase", size=1, langs=("ko", "zh"))) == 2 * len(TASKS) // 3
    assert {item.meta["level"] for item in suite("tase", size=1, level=2)} == {2}
    assert len(suite("charbench", size=0)) == 0
    # The pack has few long words in the split.
    assert 45 < len(suite("charbench", size=8, split="test")) <= 8 * 7
    assert suite("tase", seed=1) != suite("tase", seed=2)
    assert suite("tase", seed=1) == suite("tase", seed=1)


@pytest.mark.parametrize("langs", [["en"], ["zh"]])
@pytest.mark.parametrize("split", [None, "validation"])
@pytest.mark.parametrize("size", [1, 2, 5])
def test_a_small_charbench_has_every_task_and_split(
    size: int, split: Split | None, langs: list[str]
) -> None:
    data = suite("charbench", size=size, langs=langs, split=split)
    parts = {(item.task, item.meta["split"]) for item in data}
    assert parts == set(product(PAPERS["charbench"], [split] if split else SPLITS))


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("tasse", {}, "suite 'tasse'.*'tase'"),
        (None, {}, "suite None"),
        ("tase", {"sizes": 3}, "'sizes'.*'size'"),
        *((name, {"langs": ["kr"]}, "language of the suite 'kr'") for name in SUITES),
        ("tase", {"langs": ["ru"]}, "language of the suite 'ru': allowed are en, zh, ko"),
        ("charbench", {"split": ["test"]}, "split"),
        ("charbench", {"case": 3}, "case 3"),
        ("execute", {"script": ["Tifinagh"]}, "script"),
        ("tase", {"split": "dev"}, "'dev'"),
        ("tase", {"langs": [3]}, "3"),
    ],
)
def test_an_unknown_suite_or_option_is_named_with_the_nearest_one(
    name: Any, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(UnknownNameError, match=message):
        suite(name, **options)


@pytest.mark.parametrize(
    ("names", "option", "values"),
    [
        (SUITES, "size", (-1, "3", 1.5, True, None, 2**63)),
        (["tase"], "size", (2**62,)),  # times its tasks
        (SUITES[:3], "langs", ("ko", [], 5, True, {"ko"}, ["ko", "ko"], ("ko", "en", "ko"))),
        (["tase", "execute"], "level", (10, -1, "3", [3])),
        (["charbench", "execute"], "words", (5, ["pack"])),
        (SUITES, "seed", ("x", None)),
    ],
)
def test_an_option_with_an_impossible_value_is_one_clear_error(
    names: list[SuiteName], option: str, values: tuple[Any, ...]
) -> None:
    for name in names:
        for value in values:
            with pytest.raises(TokenbenchError, match=rf"^{option}\b[^\n]+$"):
                suite(name, **{option: value})


def test_a_parameter_of_a_suite_goes_to_the_parts_whose_task_has_it() -> None:
    data = suite("tase", size=1, words="core", langs=["zh"])
    without = {item.task for item in data if item.meta["params"] != {"words": "core"}}
    assert without == {"dot", "var"}
    assert dataset("freq:zh", split="test", words="core")[0] in list(data)
    wrong: list[tuple[SuiteName, str, str]] = [
        ("tase", "lenght", "'length'"),
        ("tase", "pack", "allowed are size"),
        ("charbench", "length", "option of the suite 'length'"),
        ("charbench", "level", "option of the suite 'level'"),
    ]
    for name, option, message in wrong:
        options: dict[str, Any] = {option: 3}
        with pytest.raises(UnknownNameError, match=message):
            suite(name, **options)


def test_a_suite_is_in_a_language_that_only_a_pack_speaks(tmp_path: Path) -> None:
    pack = tmp_path / "sw.txt"
    pack.write_text("Paka analala juu ya meza.\nMama anapika chakula leo.\n" * 2, "utf-8")
    arguments: dict[str, Any] = {"pack": pack, "split": "train", "size": 2}
    data = suite("execute", langs=["ja", "sw"], **arguments)
    assert {item.lang for item in data} == {"ja", "sw"}
    for item in data:
        assert ("pack" in item.meta["params"]) == (item.lang == "sw")
    words = suite("charbench", langs=["sw"], **arguments)
    assert {(item.lang, item.meta["source"][:7]) for item in words} == {("sw", "pack sw")}
    with pytest.raises(DifficultyError, match=r"add its code, as in langs=\['sw'\]"):
        suite("execute", **arguments)
    with pytest.raises(UnknownNameError, match="language of the suite 'sw'"):
        suite("execute", langs=["sw"])
