"""A small model and its tokenizer."""

from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from tokenizers import Tokenizer
from tokenizers.models import BPE
from tokenizers.pre_tokenizers import ByteLevel
from tokenizers.trainers import BpeTrainer
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from tokenbench import mixture

ITEMS = mixture({"compm:en:split": 1.0, "freq:zh": 1.0, "sort:ko": 1.0}, n=24)


@pytest.fixture(scope="session")
def tokenizer() -> PreTrainedTokenizerFast:
    """A tokenizer trained on the spot, that chats."""
    inner = Tokenizer(BPE())
    inner.pre_tokenizer = ByteLevel()
    special = ["<pad>", "<eos>", "<answer>", "</answer>"]
    alphabet = ByteLevel.alphabet()
    trainer = BpeTrainer(vocab_size=400, special_tokens=special, initial_alphabet=alphabet)
    inner.train_from_iterator([item.prompt for item in ITEMS], trainer)
    made = PreTrainedTokenizerFast(
        tokenizer_object=inner, pad_token="<pad>", eos_token="<eos>", padding_side="left"
    )
    made.chat_template = (
        "{% for m in messages %}{{ m.content }}\n{% endfor %}"
        "{% if add_generation_prompt %}<answer>{% endif %}"
    )
    return made


@pytest.fixture
def small(tokenizer: PreTrainedTokenizerFast) -> Callable[[], LlamaForCausalLM]:
    """A function that makes a model of two layers that knows nothing."""
    torch.set_num_threads(1)
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=2,
        pad_token_id=tokenizer.pad_token_id,
        eos_token_id=tokenizer.eos_token_id,
    )

    def make() -> LlamaForCausalLM:
        torch.manual_seed(0)
        return LlamaForCausalLM(config)

    return make


@pytest.fixture
def model_folder(
    tokenizer: PreTrainedTokenizerFast, small: Callable[[], LlamaForCausalLM], tmp_path: Path
) -> Path:
    """The small model and its tokenizer in a folder."""
    folder = tmp_path / "model"
    small().save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder
