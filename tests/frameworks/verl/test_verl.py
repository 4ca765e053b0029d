"""verl itself reads our rows, loads our reward function and rewards a batch with it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import ray
import torch
from datasets import load_dataset
from documents import run_examples
from hydra import compose, initialize_config_module  # type: ignore[import-not-found]
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast
from verl import DataProto
from verl.experimental.reward_loop.reward_loop import RewardLoopManager
from verl.trainer.ppo.metric_utils import process_validation_metrics
from verl.trainer.ppo.reward import get_custom_reward_fn
from verl.utils.dataset.rl_dataset import RLHFDataset, collate_fn

from tokenbench import Item, dataset, mixture, score
from tokenbench.integrations import verl as ours
from tokenbench.integrations.verl import to_parquet
from tokenbench.scoring import Rule

ITEMS = [*mixture({"reord:zh@1": 1, "compm:ko:split": 1, "spell:en:char": 1, "sort:en": 1}, n=8)]
LENGTH = 512  # of a response, in tokens


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a tokenizer whose tokens are bytes."""
    folder = tmp_path_factory.mktemp("model")
    signs = sorted(pre_tokenizers.ByteLevel.alphabet())
    plain = Tokenizer(models.BPE({sign: place for place, sign in enumerate(signs)}, []))
    plain.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    plain.decoder = decoders.ByteLevel()
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=plain, eos_token="<e>", pad_token="<p>")
    tokenizer.chat_template = "{% for m in messages %}{{ m['content'] }}\n{% endfor %}"
    tokenizer.save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    """Ray on this machine."""
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    yield
    ray.shutdown()


def config(model: Path, *overrides: str, path: str = "pkg://tokenbench.integrations.verl") -> Any:
    """Return verl's own configuration of its trainer, with our reward function."""
    with initialize_config_module("verl.trainer.config", version_base=None):
        return compose(
            "ppo_trainer",
            [
                f"actor_rollout_ref.model.path={model}",
                f"reward.custom_reward_function.path={path}",
                "reward.num_workers=1",
                *overrides,
            ],
        )


def read(items: list[Item], folder: Path, model: Path) -> RLHFDataset:
    """Write items for verl, and have verl read them."""
    to_parquet(items, folder / "train.parquet")
    data = config(model, "data.max_prompt_length=100000", f"+data.cache_dir={folder}/cache").data
    tokenizer = PreTrainedTokenizerFast.from_pretrained(model)
    return RLHFDataset([str(folder / "train.parquet")], tokenizer, data)


def batch(data: RLHFDataset, completions: list[str], model: Path) -> DataProto:
    """Return what verl has in hand after a rollout: its rows, and responses in tokens."""
    tokenizer = PreTrainedTokenizerFast.from_pretrained(model, padding_side="right")
    said = tokenizer(
        completions, padding="max_length", max_length=LENGTH, truncation=True, return_tensors="pt"
    )
    asked = torch.ones((len(completions), 4), dtype=torch.long)
    rows = collate_fn([data[place] for place in range(len(data))])
    tensors = {
        "prompts": asked,
        "responses": said["input_ids"],
        "attention_mask": torch.cat([asked, said["attention_mask"]], dim=1),
    }
    others = {name: value for name, value in rows.items() if isinstance(value, np.ndarray)}
    return DataProto.from_dict(tensors, others)


def test_verl_reads_our_rows(tmp_path: Path, model: Path) -> None:
    """Its dataset gives the messages and the item back as they were written."""
    data = read(ITEMS, tmp_path, model)
    assert len(data) == len(ITEMS)
    for place, item in enumerate(ITEMS):
        row = data[place]
        assert row["raw_prompt"] == [{"role": "user", "content": item.prompt}]
        assert Item.from_json(row["reward_model"]["ground_truth"]) == item
        assert row["index"] == place


@pytest.mark.parametrize("path", ["pkg://tokenbench.integrations.verl", ours.__file__])
def test_verl_loads_our_function(model: Path, path: str) -> None:
    """From the package or from the file, with the rule that its configuration names."""
    item = dataset("spell", n=1)[0]
    almost = f"<answer>{item.solution[:-2]}</answer>"
    chosen = config(model, "+reward.custom_reward_function.reward_kwargs.rule=graded", path=path)
    pairs: list[tuple[Any, Rule]] = [(config(model, path=path), "exact"), (chosen, "graded")]
    for settings, rule in pairs:
        told = get_custom_reward_fn(settings)("tokenbench/spell:en:char", almost, item.json())
        assert told["score"] == score(almost, item, rule=rule)


@pytest.mark.usefixtures("cluster")
def test_verl_rewards_a_batch(tmp_path: Path, model: Path) -> None:
    """Its reward workers, in processes of their own, pay what `score` says, at the last token."""
    completions = [
        f"<answer>{item.solution if place % 2 else 'no'}</answer>"
        for place, item in enumerate(ITEMS)
    ]
    completions[0] = "no answer"
    data = read(ITEMS, tmp_path, model)
    loop = RewardLoopManager(config(model))
    told = loop.compute_rm_score(batch(data, completions, model))
    wanted = [score(text, item) for text, item in zip(completions, ITEMS, strict=True)]
    assert 0 < sum(wanted) < len(wanted)
    assert told.batch["rm_scores"].sum(dim=1).tolist() == wanted
    figures = {name: told.non_tensor_batch[name].tolist() for name in told.non_tensor_batch}
    assert figures["acc"] == wanted
    assert figures["answered"][0] == 0.0
    sources = [data[place]["data_source"] for place in range(len(data))]
    metrics = process_validation_metrics(sources, [item.id for item in ITEMS], figures)
    right = np.mean([one for one, item in zip(wanted, ITEMS, strict=True) if item.task == "spell"])
    assert metrics["tokenbench/spell:en:char"]["acc"]["mean@1"] == right


def test_the_documents_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It writes two files that verl reads."""
    monkeypatch.chdir(tmp_path)
    run_examples("docs/integrations/verl.md")
    data = [load_dataset("parquet", data_files=f"{name}.parquet") for name in ("train", "test")]
    assert [len(part["train"]) for part in data] == [200, 50]
