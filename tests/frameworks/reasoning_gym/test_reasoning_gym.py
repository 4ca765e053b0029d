"""reasoning-gym makes, mixes and scores our tasks, and we score some of its."""

import json
import pickle
from pathlib import Path
from typing import Any

import pytest
import reasoning_gym
from documents import run_examples
from reasoning_gym.coaching import Experiment
from reasoning_gym.composite import CompositeConfig, CompositeDataset, DatasetSpec
from reasoning_gym.dataset import ReseedingDataset
from reasoning_gym.factory import create_curriculum, get_score_answer_fn
from reasoning_gym.utils import extract_answer
from reasoning_gym.version_manager import DatasetVersionManager

from tokenbench import dataset, score
from tokenbench.errors import ItemError, UnknownNameError
from tokenbench.integrations.reasoning_gym import register, to_item

NAMES = register()


def make_dataset(name: str, **config: Any) -> Any:
    """Return a dataset that reasoning-gym makes."""
    return reasoning_gym.create_dataset(name, **config)


@pytest.mark.parametrize("name", NAMES)
def test_every_task_is_a_dataset(name: str) -> None:
    """With its answer right, nothing and nonsense wrong, and the same entry for the same seed."""
    data = make_dataset(name, size=2, seed=5)
    entry = data[1]
    assert entry == make_dataset(name, size=2, seed=5)[1] != make_dataset(name, size=2, seed=6)[1]
    assert data.score_answer(entry["answer"], entry) == 1.0
    assert [data.score_answer(wrong, entry) for wrong in (None, "", "~")] == [0.0] * 3
    assert get_score_answer_fn(name)(entry["answer"], entry) == 1.0
    assert len(list(data)) == 2


def test_entries_are_our_items() -> None:
    """Entry i is item i under the same seed, through JSON and pickle, also beyond the size."""
    data = make_dataset("tokenbench_compm", lang="ko", variant="split", level=3, seed=7, size=4)
    ours = dataset("compm", lang="ko", variant="split", level=3, seed=7)
    for place in (0, 3, 200):
        entry = json.loads(json.dumps(data[place]))
        assert to_item(entry) == ours[place]
        assert pickle.loads(pickle.dumps(data))[place] == entry  # noqa: S301


def test_a_dataset_without_a_seed_keeps_the_one_that_it_drew() -> None:
    """So that a copy of it in another process has the same entries."""
    data = make_dataset("tokenbench_spell")
    assert pickle.loads(pickle.dumps(data))[0] == data[0]  # noqa: S301


def test_partial_credit_is_paid_where_it_is_asked_for() -> None:
    """By the rule of the configuration."""
    data = make_dataset("tokenbench_spell", seed=1, rule="graded")
    entry = data[0]
    paid = data.score_answer(entry["answer"][:-2], entry)
    assert 0 < paid < 1
    assert paid == score(entry["answer"][:-2], to_item(entry), rule="graded", extract="raw")


def test_mistakes_are_told_at_once() -> None:
    """A rule, a language or a parameter that does not exist."""
    with pytest.raises(UnknownNameError, match="did you mean 'graded'"):
        make_dataset("tokenbench_spell", rule="gradde")
    with pytest.raises(UnknownNameError, match="unknown style 'kind'"):
        make_dataset("tokenbench_spell", style="kind")
    with pytest.raises(UnknownNameError, match="language"):
        make_dataset("tokenbench_reord", lang="xx")
    with pytest.raises(UnknownNameError, match=r"unknown setting 'language'.*did you mean 'lang'"):
        make_dataset("tokenbench_reord", language="zh")
    with pytest.raises(UnknownNameError, match="unknown argument"):
        make_dataset("tokenbench_reord", difficulty={"lenght": 3})


def composite() -> CompositeDataset:
    """Return a composite of two of our tasks and one of reasoning-gym's."""
    specs = [
        DatasetSpec("tokenbench_reord", 1, {"lang": "zh", "level": 2}),
        DatasetSpec("tokenbench_sort", 1, {"lang": "ko"}),
        DatasetSpec("spell_backward", 1, {}),
    ]
    return CompositeDataset(CompositeConfig(60, 3, specs), DatasetVersionManager())


def test_an_experiment_over_a_composite_scores_our_tasks() -> None:
    """reasoning-gym's own loop: an entry, a completion, its answer, a score on the board."""
    experiment = Experiment("ours", composite())
    paid: dict[str, list[float]] = {}
    for place in range(60):
        entry = experiment.get_dataset_entry(place)
        said = f"Hm. <answer>{entry['answer'] if place % 3 else 'no idea'}</answer>"
        data = entry["metadata"]
        told = experiment.score_answer_with_id(extract_answer(said), data["entry_id"])
        paid.setdefault(data["source_dataset"], []).append(told)
        if "item" in data:
            assert told == score(said, data["item"]) == float(place % 3 > 0)
    assert sorted(paid) == ["spell_backward", "tokenbench_reord", "tokenbench_sort"]
    board = experiment.score_board.aggregate()
    (group,) = board["tokenbench_reord"].scores
    assert ("level", 2) in group
    assert board["tokenbench_reord"].total_scores == len(paid["tokenbench_reord"])


def test_a_composite_changes_our_level() -> None:
    """As reasoning-gym changes a configuration while it trains."""
    mixed = composite()
    before = len(mixed.datasets["tokenbench_reord"][0]["question"])
    mixed.update_dataset_config("tokenbench_reord", {"level": 9})
    assert len(mixed.datasets["tokenbench_reord"][0]["question"]) > before


def test_each_task_has_a_curriculum_over_its_levels() -> None:
    """It raises the level, and makes the configuration of it."""
    curriculum = create_curriculum("tokenbench_lenop")
    curriculum.set_attr_level("level", 4)
    assert curriculum.generate_configuration({"lang": "zh"}).level == 4
    assert curriculum.get_attribute("level").levels == [*range(10)]


def test_reseeding_goes_on_forever() -> None:
    """A dataset of two entries never ends, and brings new ones."""
    entries = iter(ReseedingDataset(make_dataset("tokenbench_swap", seed=1, size=2), chunk_size=2))
    assert len({next(entries)["question"] for _ in range(8)}) > 2


@pytest.mark.parametrize("name", ["letter_counting", "spell_backward", "word_sequence_reversal"])
def test_we_score_these_of_its_datasets(name: str) -> None:
    """Each right answer is right for us; one that lacks its beginning, or is doubled, is not."""
    for entry in make_dataset(name, seed=11, size=300):
        item, answer = to_item(entry), entry["answer"]
        assert score(f"<answer>{answer}</answer>", item) == 1.0
        for wrong in (answer[1:], f"{answer}, {answer}", f"{answer}x"):
            assert score(f"<answer>{wrong}</answer>", item) == 0.0


def test_other_datasets_are_refused() -> None:
    """Where none of our tasks judges such an answer."""
    with pytest.raises(UnknownNameError, match="allowed are letter_counting"):
        to_item(make_dataset("chain_sum", seed=1)[0])


WHOLE: dict[str, Any] = make_dataset("letter_counting", seed=1, size=1)[0]
DATA: dict[str, Any] = WHOLE["metadata"]


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (None, "has 'metadata', a Mapping: got None"),
        ({}, "has 'metadata', a Mapping: got {}"),
        (json.dumps(WHOLE), "has 'metadata', a Mapping"),
        (WHOLE | {"metadata": json.dumps(DATA)}, "has 'metadata', a Mapping"),
        (WHOLE | {"metadata": {}}, "has 'source_dataset', a str"),
        (WHOLE | {"metadata": DATA | {"source_dataset": ["x"]}}, "has 'source_dataset', a str"),
        (WHOLE | {"metadata": {"source_dataset": "letter_counting"}}, "has 'source_index'"),
        (WHOLE | {"question": None}, "has 'question', a str"),
        (WHOLE | {"answer": None}, "has 'answer', a str"),
        (WHOLE | {"answer": "three"}, "letter_counting is a whole number: got 'three'"),
        ({"metadata": {"item": None}}, "not NoneType"),
    ],
)
def test_a_malformed_entry_is_told_in_one_line(entry: Any, message: str) -> None:
    """With the name of the missing part."""
    with pytest.raises(ItemError, match=message) as told:
        to_item(entry)
    assert "\n" not in str(told.value)


def test_the_documents_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run_examples("docs/integrations/reasoning_gym.md")
