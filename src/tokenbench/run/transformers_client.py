"""Completions from transformers in this process."""

from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any, Final

from tokenbench.errors import ClientError
from tokenbench.item import Json
from tokenbench.run.chat import Encoder
from tokenbench.run.in_process import Asked, InProcessClient
from tokenbench.run.protocol import Completion, Sampling

# Of the arguments of a model's `from_pretrained`, those that its tokenizer's needs too.
_SHARED: Final = ("cache_dir", "gguf_file", "local_files_only", "revision", "trust_remote_code")


class TransformersClient(InProcessClient):
    """A causal language model of transformers, loaded when the first request comes.

    A batch draws from one generator, which its first request's seed sets: the same requests in the
    same batches give the same completions.

    Args:
        model: its name on the Hugging Face Hub, or its folder.
        chat: whether texts are put as chat messages; None if the tokenizer has a chat template.
        batch: how many prompts are completed together.
        device: such as `cuda:1`; None is a GPU if PyTorch sees one, else the processor.
        dtype: of the weights, such as `bfloat16`; `auto` as the checkpoint has them.
        engine: other arguments of `AutoModelForCausalLM.from_pretrained`, such as
            `{"attn_implementation": "sdpa"}`; one with `device_map` places the model itself.

    Raises:
        ClientError: a value that cannot serve.

    >>> TransformersClient("org/model", dtype="bfloat16").facts()["dtype"]
    'bfloat16'
    """

    KIND = "transformers"
    PACKAGES = ("transformers", "torch")

    def __init__(
        self,
        model: str,
        *,
        chat: bool | None = None,
        batch: int = 8,
        device: str | None = None,
        dtype: str = "auto",
        engine: Mapping[str, Json] | None = None,
    ) -> None:
        super().__init__(model, chat, batch, engine)
        self.device, self.dtype = device, dtype

    def facts(self) -> dict[str, Json]:
        """Return what an evaluation pins: not the size of batches, nor the device."""
        return {**super().facts(), "dtype": self.dtype}

    def _load(self) -> "_Transformers":
        import torch
        from transformers import AutoModelForCausalLM, AutoTokenizer, GenerationConfig

        shared = {name: self.engine[name] for name in _SHARED if name in self.engine}
        tokenizer = AutoTokenizer.from_pretrained(self.model, **shared)
        options = {"dtype": self.dtype, **self.engine}
        model = AutoModelForCausalLM.from_pretrained(self.model, **options)
        if "device_map" not in self.engine:
            model.to(self.device or ("cuda" if torch.cuda.is_available() else "cpu"))
        # A checkpoint may bring its own sampling, which would mix with the one that is asked for.
        own = model.generation_config
        ends = own.eos_token_id if own.eos_token_id is not None else tokenizer.eos_token_id
        pad = next(
            (one for one in (tokenizer.pad_token_id, own.pad_token_id) if one is not None), None
        )
        model.generation_config = GenerationConfig(eos_token_id=ends, pad_token_id=pad)
        return _Transformers(torch, model, tokenizer, self.chat)


class _Transformers:
    """A model with its tokenizer.

    Args:
        torch: PyTorch itself.
        model: of transformers, with a generation config of ids alone.
        tokenizer: its tokenizer.
        chat: as the client's.
    """

    def __init__(self, torch: Any, model: Any, tokenizer: Any, chat: bool | None) -> None:
        self._torch, self._model, self._tokenizer = torch, model, tokenizer
        self.encoder = Encoder(tokenizer, chat)
        config = model.config.get_text_config()
        self.context: int | None = getattr(config, "max_position_embeddings", None)
        ends = model.generation_config.eos_token_id
        self._ends = set(ends if isinstance(ends, list) else [ends]) - {None}
        pad = model.generation_config.pad_token_id
        self._pad: int = pad if pad is not None else min(self._ends, default=0)

    def complete(self, asked: Sequence[Asked], sampling: Sampling) -> list[Completion]:
        """Return the completions, in order."""
        if sampling.temperature > 0 and asked[0].seed is not None:
            self._torch.manual_seed(asked[0].seed)
        written: list[list[int]] = [[] for _ in asked]
        ended = [False] * len(asked)
        # All rows of a batch end at one length. Where a long prompt has little room left in the
        # context, the others go on without it.
        while waiting := [
            row for row, one in enumerate(asked) if not ended[row] and len(written[row]) < one.limit
        ]:
            room = min(asked[row].limit - len(written[row]) for row in waiting)
            prompts = [asked[row].ids + written[row] for row in waiting]
            for row, new in zip(waiting, self._generated(prompts, room, sampling), strict=True):
                kept = list(takewhile(lambda token: token not in self._final, new))
                written[row] += kept
                ended[row] = len(kept) < room
        return [
            self._completion(*one, sampling.stop) for one in zip(asked, written, ended, strict=True)
        ]

    @property
    def _final(self) -> set[int]:
        return self._ends | {self._pad}

    def _generated(
        self, prompts: Sequence[Sequence[int]], room: int, sampling: Sampling
    ) -> list[list[int]]:
        """Return at most `room` tokens after each prompt, padded at the end."""
        width = max(map(len, prompts))
        tensor, device = self._torch.tensor, self._model.device
        given = [[self._pad] * (width - len(prompt)) + [*prompt] for prompt in prompts]
        seen = [[0] * (width - len(prompt)) + [1] * len(prompt) for prompt in prompts]
        drawn = {
            "do_sample": True,
            "temperature": float(sampling.temperature),
            "top_p": sampling.top_p,
            "top_k": sampling.top_k or 0,
        }
        stops = {"stop_strings": list(sampling.stop), "tokenizer": self._tokenizer}
        try:
            rows = self._model.generate(
                tensor(given, device=device),
                attention_mask=tensor(seen, device=device),
                max_new_tokens=room,
                pad_token_id=self._pad,
                **(drawn if sampling.temperature > 0 else {"do_sample": False}),
                **(stops if sampling.stop else {}),
            )
        except self._torch.cuda.OutOfMemoryError as error:
            raise ClientError(
                f"the GPU's memory does not hold a batch of {len(prompts)} prompts of {width} "
                f"tokens and {room} more each: give a smaller batch, or fewer max_tokens"
            ) from error
        found: list[list[int]] = rows[:, width:].tolist()
        return found

    def _completion(
        self, one: Asked, written: Sequence[int], ended: bool, stop: Sequence[str]
    ) -> Completion:
        text: str = self._tokenizer.decode(written, skip_special_tokens=True)
        cut = min((place for word in stop if (place := text.find(word)) >= 0), default=None)
        finish = "stop" if ended or cut is not None else "length"
        return Completion(text[:cut], finish, len(one.ids), len(written))
