"""Small stand-ins for vLLM, PyTorch and transformers: what our clients call of them, and no more.

Their model goes through the alphabet: after a prompt whose last token is that of `c` it writes
`d`, `e`, … and ends after `z`. Their tokenizer is one of `tokenizers`, trained on the spot.
"""

import sys
from collections.abc import Iterable, Mapping, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType, SimpleNamespace
from typing import Any, Final

import pytest
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

END: Final = "<|end|>"
BEGIN: Final = "<|begin|>"
CONTEXT: Final = 400
LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"


def train_tokenizer(*, with_bytes: bool = True) -> Tokenizer:
    """Return a tokenizer of bytes with some merges, or one of words."""
    inner = Tokenizer(models.BPE() if with_bytes else models.WordLevel(unk_token=END))
    texts = ["the user asks", "the assistant says", "abc def"] * 4
    special = [END, BEGIN]
    trainer: Any
    if with_bytes:
        inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        inner.decoder = decoders.ByteLevel()
        alphabet = pre_tokenizers.ByteLevel.alphabet()
        trainer = trainers.BpeTrainer(
            special_tokens=special, initial_alphabet=alphabet, vocab_size=270, show_progress=False
        )
    else:
        inner.pre_tokenizer = pre_tokenizers.Whitespace()
        trainer = trainers.WordLevelTrainer(special_tokens=special, show_progress=False)
    inner.train_from_iterator(texts, trainer)
    return inner


class FakeTokenizer:
    """As those of transformers are, around one of tokenizers."""

    bos_token_id: int | None = None
    pad_token_id: int | None = None

    def __init__(self, *, with_bytes: bool = True, chat_template: str | None = "plain") -> None:
        self.inner = train_tokenizer(with_bytes=with_bytes)
        self.chat_template = chat_template
        self.eos_token_id = self.get_vocab()[END]

    def encode(self, text: str, add_special_tokens: bool = True) -> list[int]:
        ids: list[int] = self.inner.encode(text).ids
        if add_special_tokens and self.bos_token_id is not None:
            ids.insert(0, self.bos_token_id)
        return ids

    def decode(self, ids: Sequence[int], skip_special_tokens: bool = False) -> str:
        return str(self.inner.decode(list(ids), skip_special_tokens=skip_special_tokens))

    def get_vocab(self) -> dict[str, int]:
        return dict(self.inner.get_vocab())

    def apply_chat_template(
        self,
        messages: Sequence[Mapping[str, Any]],
        *,
        chat_template: str | None = None,
        add_generation_prompt: bool = False,
        tokenize: bool = True,
        return_dict: bool = True,
    ) -> Any:
        template = chat_template or self.chat_template
        if template is None:
            raise ValueError("no chat template")
        if template == "no system" and messages[0]["role"] == "system":
            raise RuntimeError("System role not supported")
        times = 2 if template == "echo" else 1
        text = "".join(
            f"{BEGIN}{part['role']}\n{part['content'] * times}{END}\n" for part in messages
        )
        text += f"{BEGIN}assistant\n" if add_generation_prompt else ""
        if not tokenize:
            return text
        ids = self.encode(text, add_special_tokens=False)
        return {"input_ids": ids} if return_dict else ids


def continuation(tokenizer: FakeTokenizer, ids: Sequence[int], limit: int) -> list[int]:
    """Return the model's text after a prompt, its end too, if the limit lets it."""
    last = tokenizer.decode(ids[-1:])
    place = LETTERS.find(last) + 1 if last else 0
    rest = [tokenizer.get_vocab()[letter] for letter in LETTERS[place:]]
    return [*rest, tokenizer.eos_token_id][:limit]


class FakeVLLM(ModuleType):
    """The module vllm."""

    def __init__(self, tokenizer: FakeTokenizer) -> None:
        super().__init__("vllm")
        self.__spec__ = ModuleSpec("vllm", None)
        self.made: list[tuple[str, dict[str, Any]]] = []
        self.batches: list[int] = []
        self.params: list[SimpleNamespace] = []
        self.fault: Exception | None = None
        fake = self

        class LLM:
            def __init__(self, model: str, **engine: Any) -> None:
                if model == "missing":
                    raise OSError("missing is no folder\nand no model")
                fake.made.append((model, engine))
                config = SimpleNamespace(max_model_len=engine.get("max_model_len", CONTEXT))
                self.llm_engine = SimpleNamespace(model_config=config)

            def get_tokenizer(self) -> FakeTokenizer:
                return tokenizer

            def generate(
                self,
                prompts: Sequence[Mapping[str, Any]],
                params: Sequence[SimpleNamespace],
                *,
                use_tqdm: bool,
            ) -> list[SimpleNamespace]:
                assert not use_tqdm
                assert len(prompts) == len(params)
                fake.batches.append(len(prompts))
                fake.params += params
                if fake.fault is not None:
                    raise fake.fault
                return [
                    SimpleNamespace(outputs=[_output(tokenizer, prompt["prompt_token_ids"], one)])
                    for prompt, one in zip(prompts, params, strict=True)
                ]

        def sampling_params(**given: Any) -> SimpleNamespace:
            return SimpleNamespace(**given)

        self.LLM, self.SamplingParams = LLM, sampling_params


def _output(
    tokenizer: FakeTokenizer, ids: Sequence[int], params: SimpleNamespace
) -> SimpleNamespace:
    assert len(ids) + params.max_tokens <= CONTEXT
    new = continuation(tokenizer, ids, params.max_tokens)
    text = tokenizer.decode(new, skip_special_tokens=True)
    finish = "stop" if new[-1] == tokenizer.eos_token_id else "length"
    for stop in params.stop:
        if stop in text:
            text, finish = text[: text.find(stop)], "stop"
    return SimpleNamespace(text=text, finish_reason=finish, token_ids=new)


class Rows:
    """A matrix that can be cut by columns."""

    def __init__(self, rows: Iterable[list[int]], device: str = "cpu") -> None:
        self.rows, self.device = list(rows), device

    def __getitem__(self, index: tuple[slice, slice]) -> "Rows":
        return Rows(row[index[1]] for row in self.rows[index[0]])

    def tolist(self) -> list[list[int]]:
        return self.rows


class OutOfMemoryError(RuntimeError):
    """As PyTorch's."""


class FakeModel:
    """A causal language model of transformers."""

    def __init__(self, tokenizer: FakeTokenizer) -> None:
        self.tokenizer, self.device = tokenizer, "nowhere"
        text = SimpleNamespace(max_position_embeddings=CONTEXT)
        self.config = SimpleNamespace(get_text_config=lambda: text)
        self.generation_config = SimpleNamespace(
            eos_token_id=tokenizer.eos_token_id, pad_token_id=None, repetition_penalty=1.1
        )
        self.calls: list[dict[str, Any]] = []
        self.memory = 1000

    def to(self, device: str) -> "FakeModel":
        self.device = device
        return self

    def generate(self, given: Rows, **options: Any) -> Rows:
        """Write after each row as transformers does: all end at one length, padded."""
        self.calls.append({"rows": len(given.rows), "device": given.device, **options})
        if len(given.rows) > self.memory:
            raise OutOfMemoryError("CUDA out of memory")
        assert not hasattr(self.generation_config, "repetition_penalty")
        limit, pad, mask = (
            options[name] for name in ("max_new_tokens", "pad_token_id", "attention_mask")
        )
        found = []
        for row, seen in zip(given.rows, mask.rows, strict=True):
            padding = len(seen) - sum(seen)
            assert seen == [0] * padding + [1] * (len(row) - padding)
            assert row[:padding] == [pad] * padding
            assert len(row) - padding + limit <= CONTEXT
            found.append(self._stop(row[padding:], limit, options.get("stop_strings", ())))
        longest = max(map(len, found))
        return Rows(
            row + new + [pad] * (longest - len(new))
            for row, new in zip(given.rows, found, strict=True)
        )

    def _stop(self, prompt: Sequence[int], limit: int, stops: Sequence[str]) -> list[int]:
        new = continuation(self.tokenizer, prompt, limit)
        for size in range(1, len(new)):
            if any(stop in self.tokenizer.decode(new[:size]) for stop in stops):
                return new[:size]
        return new


class FakeTransformers(ModuleType):
    """The module transformers, and with it the module torch."""

    def __init__(self, tokenizer: FakeTokenizer) -> None:
        super().__init__("transformers")
        self.__spec__ = ModuleSpec("transformers", None)
        self.model = FakeModel(tokenizer)
        self.seeds: list[int] = []
        self.loaded: dict[str, dict[str, Any]] = {}
        self.torch = ModuleType("torch")
        self.torch.__spec__ = ModuleSpec("torch", None)
        vars(self.torch).update(
            cuda=SimpleNamespace(is_available=lambda: False, OutOfMemoryError=OutOfMemoryError),
            manual_seed=self.seeds.append,
            tensor=Rows,
        )

        def tokenizer_of(name: str, **options: Any) -> FakeTokenizer:
            self.loaded["tokenizer"] = {"name": name, **options}
            return tokenizer

        def model_of(name: str, **options: Any) -> FakeModel:
            self.loaded["model"] = {"name": name, **options}
            return self.model

        self.AutoTokenizer = SimpleNamespace(from_pretrained=tokenizer_of)
        self.AutoModelForCausalLM = SimpleNamespace(from_pretrained=model_of)
        self.GenerationConfig = SimpleNamespace


def use_vllm(monkeypatch: pytest.MonkeyPatch, tokenizer: FakeTokenizer) -> FakeVLLM:
    """Put the stand-in where vllm is imported from."""
    fake = FakeVLLM(tokenizer)
    monkeypatch.setitem(sys.modules, "vllm", fake)
    return fake


def use_transformers(monkeypatch: pytest.MonkeyPatch, tokenizer: FakeTokenizer) -> FakeTransformers:
    """Put the stand-ins where transformers and torch are imported from."""
    fake = FakeTransformers(tokenizer)
    monkeypatch.setitem(sys.modules, "transformers", fake)
    monkeypatch.setitem(sys.modules, "torch", fake.torch)
    return fake
