"""LightEval runs our tasks, in a process and from its command line with a small model."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import lighteval
import pyarrow.parquet
import pytest
from documents import run_examples
from lighteval.logging.evaluation_tracker import EvaluationTracker
from lighteval.models.dummy.dummy_model import DummyModel, DummyModelConfig
from lighteval.models.model_output import ModelResponse
from lighteval.pipeline import ParallelismManager, Pipeline, PipelineParameters
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from tokenbench import Item, prompt, score
from tokenbench.builtin import PAPERS
from tokenbench.errors import TokenbenchError
from tokenbench.integrations import lighteval as ours
from tokenbench.integrations import part_items
from tokenbench.suites import part_names


@pytest.fixture(autouse=True, scope="module")
def offline() -> None:
    """LightEval downloads this file when it starts, for a task of its own, unless it is there."""
    (Path(lighteval.__file__).parent / "tasks" / "tasks" / "tinyBenchmarks.pkl").touch()


class Told(DummyModel):  # type: ignore[misc]
    """A model that answers with a function of the item."""

    def __init__(self, says: Callable[[Item], str]) -> None:
        super().__init__(DummyModelConfig())
        self.says = says
        self.docs: list[Any] = []

    def greedy_until(self, docs: list[Any]) -> list[ModelResponse]:
        self.docs += docs
        return [ModelResponse(text=[self.says(item_of(doc))]) for doc in docs]


def item_of(doc: Any) -> Item:
    return Item.from_json(doc.specific["item"])


def half(item: Item) -> str:
    """A right answer for every other item, by its id; else one that takes itself back."""
    right = f"<think>Perhaps 7?</think> <answer>{item.solution}</answer>"
    return right if int(item.id, 16) % 2 else f"{right} No: <answer>nothing</answer>"


def run_eval(model: Told, tasks: str, table: Any, folder: Path) -> dict[str, Any]:
    parameters = PipelineParameters(
        launcher_type=ParallelismManager.NONE, custom_tasks_directory=table
    )
    pipeline = Pipeline(
        tasks=tasks,
        pipeline_parameters=parameters,
        evaluation_tracker=EvaluationTracker(output_dir=str(folder), save_details=True),
        model=model,
    )
    pipeline.evaluate()
    pipeline.save_and_push_results()
    found: dict[str, Any] = pipeline.get_results()
    return found


def table(*configs: Any) -> ModuleType:
    module = ModuleType("mine")
    module.TASKS_TABLE = configs  # type: ignore[attr-defined]
    return module


def test_right_answers_score_and_gamed_ones_do_not(tmp_path: Path) -> None:
    model = Told(half)
    mine = table(ours.config("mine", "reord:zh@2", n=8, style="cot"))
    found = run_eval(model, "mine|0", mine, tmp_path)["results"]["mine:0"]
    items = [item_of(doc) for doc in model.docs]
    assert {item.id for item in items} == {item.id for item in part_items("reord:zh@2", 8)}
    assert [doc.query for doc in model.docs] == [prompt(item, "cot") for item in items]
    right = [int(item.id, 16) % 2 for item in items]
    assert found["exact"] == sum(right) / 8
    assert 0 < found["exact"] < 1
    assert found["graded"] == sum(score(half(item), item, rule="graded") for item in items) / 8
    assert "exact_stderr" in found


def test_details_are_scored_again_from_parquet(tmp_path: Path) -> None:
    run_eval(Told(half), "mine|0", table(ours.config("mine", "spell:de", n=8)), tmp_path)
    [file] = tmp_path.rglob("*.parquet")
    rows = pyarrow.parquet.read_table(file).to_pylist()
    assert len(rows) == 8
    for row in rows:
        said = row["model_response"]["text"][0]
        assert score(said, row["doc"]["specific"]["item"]) == row["metric"]["exact"]


def test_examples_come_from_the_train_split(tmp_path: Path) -> None:
    model = Told(half)
    run_eval(model, "mine|3", table(ours.config("mine", "spell:en", n=4)), tmp_path)
    train = {item.id for item in part_items("spell:en", 4, split="train")}
    for doc in model.docs:
        assert len(doc.fewshot_samples) == 3
        for shown in doc.fewshot_samples:
            assert item_of(shown).id in train
            assert score(shown.get_golds()[0], item_of(shown)) == 1


def test_every_part_of_the_papers_is_in_the_table() -> None:
    assert len(ours.TASKS_TABLE) == sum(len(part_names(paper)) for paper in PAPERS)
    assert len({config.name for config in ours.TASKS_TABLE}) == len(ours.TASKS_TABLE)


def test_a_part_with_few_items_asks_those_once(tmp_path: Path) -> None:
    model = Told(half)
    mine = table(ours.config("mine", "contains_part:ja", n=1000))
    run_eval(model, "mine|0", mine, tmp_path)
    asked = [item_of(doc).id for doc in model.docs]
    assert len(asked) == len({*asked}) == len(part_items("contains_part:ja", 1000)) < 1000


@pytest.mark.parametrize("changed", [{"seed": 1}, {"n": 9}, {"style": "cot"}, {"rules": ["exact"]}])
def test_the_cache_keeps_other_questions_apart(changed: dict[str, Any]) -> None:
    """LightEval keeps completions under a hash of this text, and takes them again."""
    assert ours.config("mine", "spell:en", **changed).__str__(lite=True) != ours.config(
        "mine", "spell:en"
    ).__str__(lite=True)


@pytest.mark.parametrize("n", [0, 1001])
def test_more_items_than_numbers_are_refused(n: int) -> None:
    with pytest.raises(TokenbenchError, match="from 1 to 1000"):
        ours.config("mine", "spell:en", n=n)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"rules": ["exat"]}, "did you mean 'exact'"),
        ({"rules": []}, "no rule is named"),
        ({"rules": ["published"], "part": "trap:en"}, "a trap item .* has no such scorer"),
        ({"style": "kind"}, "unknown style"),
        ({"part": "spell@"}, "unknown part 'spell@'"),
        ({"part": "spell:xx"}, "unknown language"),
        ({"part": "spell:en@99"}, "level=99"),
        ({"n": 1.5}, "n=1.5: a whole number"),
    ],
)
def test_mistakes_are_told_before_a_model_is_asked(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(TokenbenchError, match=message):
        ours.config("mine", **{"part": "spell:en", **wrong})


def test_rules_may_be_one_text() -> None:
    for rules in ("exact", "exact,published"):
        metrics = ours.config("mine", "spell:en", rules=rules).metrics
        assert [metric.metric_name for metric in metrics] == rules.split(",")


@pytest.fixture
def checkpoint(tmp_path: Path) -> Path:
    """A model of two layers that has learned nothing, with a tokenizer of single bytes."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocab = {token: place for place, token in enumerate(["<pad>", "<eos>", *alphabet])}
    tokenizer = Tokenizer(models.BPE(vocab=vocab, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    folder = tmp_path / "model"
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="<pad>", eos_token="<eos>"
    ).save_pretrained(folder)
    config = LlamaConfig(
        vocab_size=len(vocab),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=2,
        max_position_embeddings=4096,
        pad_token_id=0,
        eos_token_id=1,
        bos_token_id=1,
    )
    LlamaForCausalLM(config).save_pretrained(folder)
    return folder


def test_the_command_line_takes_the_module(checkpoint: Path, tmp_path: Path) -> None:
    arguments = f"model_name={checkpoint},batch_size=2,max_length=384"
    name = "tokenbench_adt_zh:trap_char"
    subprocess.run(
        [
            Path(sys.executable).with_name("lighteval"),
            "accelerate",
            arguments,
            name,
            "--custom-tasks",
            "tokenbench.integrations.lighteval",
            "--max-samples",
            "2",
            "--output-dir",
            tmp_path / "out",
        ],
        env=os.environ
        | {"HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path / "home"), "OMP_NUM_THREADS": "1"},
        check=True,
        timeout=300,
    )
    [file] = (tmp_path / "out").rglob("results*.json")
    found = json.loads(file.read_text(encoding="utf-8"))
    scores = found["results"][f"{name}|0"]
    assert (scores["exact"], scores["graded"]) == (0.0, 0.0)
    assert found["config_tasks"][f"{name}|0"]["version"] == 2


def test_the_documents_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run_examples("docs/integrations/lighteval.md")
