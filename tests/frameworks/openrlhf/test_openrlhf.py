"""OpenRLHF itself reads our rows, loads our reward function from its file and rewards with it.

Its rollouts run in vLLM under Ray on a GPU. Here its executor is given an engine that answers by
rule, and vLLM and Ray, which the module around it imports, are put aside, as in its own tests.
"""

import asyncio
import logging
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import pytest
import torch
from documents import run_examples
from openrlhf.datasets import PromptDataset
from openrlhf.datasets.utils import blending_datasets
from openrlhf.utils.agent import SingleTurnAgentExecutor
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers
from transformers import PreTrainedTokenizerFast

from tokenbench import Item, TokenbenchError, mixture, score
from tokenbench.integrations import openrlhf as ours
from tokenbench.integrations.openrlhf import reward_func, to_jsonl

ROOT = Path(__file__).parents[3]
PARTS = {"reord:zh@1": 1, "compm:ko:split": 1, "spell:en:char": 1, "sort:en": 1}
ITEMS = [*mixture(PARTS, n=8)]


@pytest.fixture(scope="module")
def tokenizer() -> Any:
    """A tokenizer whose tokens are bytes, and which normalises texts, as Qwen's does."""
    signs = sorted(pre_tokenizers.ByteLevel.alphabet())
    plain = Tokenizer(models.BPE({sign: place for place, sign in enumerate(signs)}, []))
    plain.normalizer = normalizers.NFC()
    plain.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    plain.decoder = decoders.ByteLevel()
    made = PreTrainedTokenizerFast(tokenizer_object=plain, eos_token="<|end|>", pad_token="<|pad|>")
    made.chat_template = (
        "{% for m in messages %}<|{{ m['role'] }}|>{{ m['content'] }}<|end|>{% endfor %}"
        "{% if add_generation_prompt %}<|assistant|>{% endif %}"
    )
    return made


class Engine:
    """An engine that says one thing, and keeps its prompts."""

    def __init__(self, tokenizer: Any, text: str) -> None:
        self.tokens = tokenizer(text + "<|end|>")["input_ids"]

    async def generate(self, *_: Any, **__: Any) -> Any:
        """Return what vLLM would."""
        said = SimpleNamespace(token_ids=self.tokens, finish_reason="stop", logprobs=None)
        return SimpleNamespace(outputs=[said])


def strategy(**data: Any) -> Any:
    """Return as much of a strategy as the reading of data asks."""
    chosen = {"input_key": "prompt", "label_key": "label", "apply_chat_template": True, **data}
    args = SimpleNamespace(data=SimpleNamespace(**chosen), use_ms=False)
    return SimpleNamespace(args=args, is_rank_0=lambda: False, print=lambda *_: None)


def read(items: list[Item], folder: Path, tokenizer: Any) -> PromptDataset:
    """Write items for OpenRLHF, and have OpenRLHF read them."""
    to_jsonl(items, folder / "train.jsonl")
    return PromptDataset(
        blending_datasets(str(folder / "train.jsonl"), strategy=strategy()), tokenizer, strategy()
    )


def execute(path: str, prompt: str, label: str, tokenizer: Any, text: str, room: int = 4096) -> Any:
    """Return the result of OpenRLHF's executor for one prompt and the engine's answer to it."""
    executor = SingleTurnAgentExecutor(path)
    sampling = SimpleNamespace(max_tokens=64, logprobs=None)
    engine = Engine(tokenizer, text)
    return asyncio.run(executor.execute(prompt, label, sampling, room, tokenizer, engine))


def test_it_reads_our_rows(tmp_path: Path, tokenizer: Any) -> None:
    """Prompts come through its chat template, labels are the items, and sources have names."""
    data = read(ITEMS, tmp_path, tokenizer)
    for place, item in enumerate(ITEMS):
        source, prompt, label, _ = data[place]
        assert source.startswith(f"tokenbench/{item.task}:{item.lang}")
        assert prompt == f"<|user|>{item.prompt}<|end|><|assistant|>"
        assert Item.from_json(label) == item


def test_it_rewards_with_our_file(tmp_path: Path, tokenizer: Any) -> None:
    """Its executor pays what `score` says, whatever stands in the prompt."""
    data = read(ITEMS, tmp_path, tokenizer)
    for place, item in enumerate(ITEMS):
        text = f"Hm. <answer>{item.solution if place % 2 else 'no'}</answer>"
        _, prompt, label, _ = data[place]
        told = execute(ours.__file__, prompt, label, tokenizer, text)
        assert told["reward"].item() == told["scores"].item() == score(text, item)
        assert set(told["extra_logs"]) == {"exact", "graded", "answered"}


@pytest.mark.parametrize("room", [4096, 100])
def test_prompts_may_be_normalised_and_cut_off(tokenizer: Any, room: int) -> None:
    """The completion is found all the same, and solved examples before it are none of it."""
    item = ITEMS[0]
    shown = f"e\u0301 <answer>{item.solution}</answer> {'…' * 40} Your answer:<|end|><|assistant|>"
    for text in ("no", f"<answer>{item.solution}</answer>"):
        told = execute(ours.__file__, shown, item.json(), tokenizer, text, room)
        assert told["reward"].item() == score(text, item)


def test_a_samples_figures_are_tensors_of_one(
    tmp_path: Path, tokenizer: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its own code makes an experience of the reward, and of each other figure."""
    for name in ("ray", "vllm", "openrlhf.trainer.ray.vllm_engine"):
        monkeypatch.setitem(sys.modules, name, MagicMock())
    from openrlhf.trainer.ppo_utils.samples_generator import SamplesGenerator

    _, prompt, label, _ = read(ITEMS, tmp_path, tokenizer)[0]
    text = f"<answer>{ITEMS[0].solution}</answer>"
    told = execute(ours.__file__, prompt, label, tokenizer, text)
    made = SamplesGenerator._process_response_into_experience(None, told, max_len=4096)
    assert torch.equal(made.rewards, torch.tensor([1.0]))
    assert torch.equal(made.scores, torch.tensor([1.0]))
    for name in ("exact", "graded", "answered", "reward", "score"):
        assert made.info[name].shape == (1,)


def test_it_only_logs_our_errors(tokenizer: Any, caplog: pytest.LogCaptureFixture) -> None:
    """A label that is not an item leaves a sample without a reward: the document says so."""
    logger = logging.getLogger("openrlhf.utils.agent")
    logger.addHandler(caplog.handler)
    with caplog.at_level(logging.INFO, logger.name):
        told = execute(ours.__file__, "Why?", "42", tokenizer, "Because.")
    logger.removeHandler(caplog.handler)
    assert told["reward"] is None
    assert "an item's JSON text is an object" in caplog.text


def test_batches_are_rewarded_in_order() -> None:
    """More than one at once, by partial credit."""
    item = ITEMS[2]
    said = ["", f"<answer>{item.solution[:-2]}</answer>", f"<answer>{item.solution}</answer>"]
    told = reward_func([f"Q{text}" for text in said], ["Q"] * 3, [item.json()] * 3, rule="graded")
    wanted = torch.tensor([score(text, item, rule="graded") for text in said])
    assert torch.equal(told["rewards"], wanted)
    assert told["scores"].tolist() == [0.0, 0.0, 1.0]


def test_labels_may_be_items_or_rows() -> None:
    """As everywhere."""
    item = ITEMS[2]
    labels = [item, item.row(), item.json()]
    told = reward_func([f"Q<answer>{item.solution}</answer>"] * 3, ["Q"] * 3, labels)
    assert told["rewards"].tolist() == [1.0] * 3


@pytest.mark.parametrize(
    ("queries", "prompts", "labels", "message"),
    [
        (["Qa"], ["Q"], [], "as many queries, prompts and labels are needed: got 1, 1 and 0"),
        (["Qa"], ["Q", "Q"], ITEMS[:1], "got 1, 2 and 1"),
        (
            ["Qa"],
            [[{"role": "user", "content": "Q"}]],
            ITEMS[:1],
            "prompts=.*: expected a list of strings",
        ),
        ([None], ["Q"], ITEMS[:1], "queries=.*: expected a list of strings"),
        (["Qa"], ["Q"], ITEMS[0], "labels is a sequence"),
        (["Qa"], ["Q"], ITEMS[0].json(), "labels is a sequence"),
    ],
)
def test_a_batch_that_does_not_fit_together_is_told(
    queries: Any, prompts: Any, labels: Any, message: str
) -> None:
    """In one line, for OpenRLHF only logs it."""
    with pytest.raises(TokenbenchError, match=message) as told:
        reward_func(queries, prompts, labels)
    assert "\n" not in str(told.value)


def test_the_documents_example_runs(
    tmp_path: Path, tokenizer: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What docs/integrations/openrlhf.md shows writes a file and a reward function of its own."""
    monkeypatch.chdir(tmp_path)
    run_examples("docs/integrations/openrlhf.md")
    told = execute("example.py", "Q", ITEMS[0].json(), tokenizer, "no")
    assert told["reward"].item() == 0.0
    assert len(blending_datasets("train.jsonl", strategy=strategy())) == 200
