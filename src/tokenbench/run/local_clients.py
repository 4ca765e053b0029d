"""Completions from vLLM and transformers in this process."""

from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any, Final

from tokenbench.item import Json
from tokenbench.run.clients import Completion, Sampling
from tokenbench.run.in_process import EncodedPrompt, Encoder, InProcessClient

# Arguments of a model's `from_pretrained` that its tokenizer's needs too.
_TOKENIZER_ARGUMENTS: Final = "cache_dir gguf_file local_files_only revision trust_remote_code"


class VLLMClient(InProcessClient):
    """A model in a `vllm.LLM` of this process, loaded on the first request.

    A seeded request gives the same completion in any batch, as far as vLLM's arithmetic allows.

    Args:
        model: its name on the Hugging Face Hub, or its folder.
        chat: whether texts become chat messages; None if the tokenizer has a chat template.
        batch: the number of requests that vLLM gets at once; it runs as many of them in parallel as
            fit, and all finish before the first is returned.
        engine: other arguments of `vllm.LLM`, such as `{"tensor_parallel_size": 2}`.

    Raises:
        ClientError: a value outside its range.

    >>> VLLMClient("org/model", engine={"max_model_len": 2048}).facts()["engine"]
    {'max_model_len': 2048}
    """

    KIND = "vllm"
    PACKAGES = ("vllm",)

    def _load(self) -> "_VLLM":
        import vllm

        return _VLLM(vllm.LLM(self.model, **self.engine), vllm.SamplingParams, self.chat)


class _VLLM:
    """A `vllm.LLM` with its model, and the class of its sampling parameters."""

    def __init__(self, llm: Any, sampling_params: Any, chat: bool | None) -> None:
        self._llm, self._sampling_params = llm, sampling_params
        self.encoder = Encoder(llm.get_tokenizer(), chat, getattr(llm, "chat_template", None))
        self.context: int | None = llm.llm_engine.model_config.max_model_len

    def complete(self, prompts: Sequence[EncodedPrompt], sampling: Sampling) -> list[Completion]:
        """Return the completions, in order."""
        # Samples of one prompt are separate requests: `n` would number their seeds itself, and vLLM
        # computes the shared prompt only once in either case.
        params = [
            self._sampling_params(
                temperature=sampling.temperature,
                top_p=sampling.top_p,
                top_k=-1 if sampling.top_k is None else sampling.top_k,
                max_tokens=prompt.max_tokens,
                stop=list(sampling.stop),
                seed=prompt.seed,
            )
            for prompt in prompts
        ]
        inputs = [{"prompt_token_ids": prompt.ids} for prompt in prompts]
        requests = self._llm.generate(inputs, params, use_tqdm=False)
        outputs = [request.outputs[0] for request in requests]
        return [
            Completion(one.text, one.finish_reason, len(prompt.ids), len(one.token_ids))
            for prompt, one in zip(prompts, outputs, strict=True)
        ]


class TransformersClient(InProcessClient):
    """A causal language model of transformers, loaded on the first request.

    A batch samples from one generator, seeded by its first request: the same requests in the same
    batches give the same completions.

    Args:
        model: its name on the Hugging Face Hub, or its folder.
        chat: whether texts become chat messages; None if the tokenizer has a chat template.
        batch: the number of prompts that are completed together.
        device: such as `cuda:1`; None is a GPU if PyTorch finds one, else the CPU.
        dtype: of the weights, such as `bfloat16`; `auto` is the checkpoint's own.
        engine: other arguments of `AutoModelForCausalLM.from_pretrained`, such as
            `{"attn_implementation": "sdpa"}`; with `device_map`, `device` has no effect.

    Raises:
        ClientError: a value outside its range.

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
        super().__init__(model, chat=chat, batch=batch, engine=engine)
        self.device, self.dtype = device, dtype

    def facts(self) -> dict[str, Json]:
        """Return everything that changes completions; not the size of batches, nor the device."""
        return {**super().facts(), "dtype": self.dtype}

    def _load(self) -> "_Transformers":
        import torch
        from transformers import AutoModelForCausalLM, AutoTokenizer, GenerationConfig

        names = _TOKENIZER_ARGUMENTS.split()
        shared = {name: self.engine[name] for name in names if name in self.engine}
        tokenizer = AutoTokenizer.from_pretrained(self.model, **shared)
        options = {"dtype": self.dtype, **self.engine}
        model = AutoModelForCausalLM.from_pretrained(self.model, **options)
        if "device_map" not in self.engine:
            model.to(self.device or ("cuda" if torch.cuda.is_available() else "cpu"))
        # A checkpoint may have sampling settings of its own, which would mix with ours.
        own = model.generation_config
        ends = own.eos_token_id if own.eos_token_id is not None else tokenizer.eos_token_id
        pad = own.pad_token_id if tokenizer.pad_token_id is None else tokenizer.pad_token_id
        model.generation_config = GenerationConfig(eos_token_id=ends, pad_token_id=pad)
        return _Transformers(torch, model, tokenizer, self.chat)


class _Transformers:
    """A model of transformers, whose generation config has only token ids, and its tokenizer."""

    def __init__(self, torch: Any, model: Any, tokenizer: Any, chat: bool | None) -> None:
        self._torch, self._model, self._tokenizer = torch, model, tokenizer
        self.encoder = Encoder(tokenizer, chat)
        config = model.config.get_text_config()
        self.context: int | None = getattr(config, "max_position_embeddings", None)
        ends = model.generation_config.eos_token_id
        end_ids = set(ends if isinstance(ends, list) else [ends]) - {None}
        pad = model.generation_config.pad_token_id
        self._pad: int = pad if pad is not None else min(end_ids, default=0)
        self._final_ids = {*end_ids, self._pad}

    def complete(self, prompts: Sequence[EncodedPrompt], sampling: Sampling) -> list[Completion]:
        """Return the completions, in order."""
        if sampling.temperature > 0 and prompts[0].seed is not None:
            self._torch.manual_seed(prompts[0].seed)
        outputs: list[list[int]] = [[] for _ in prompts]
        is_done = [False] * len(prompts)
        # All rows of a batch stop at the same length. If a long prompt has little room left in the
        # context, the others continue without it.
        while waiting := [
            row
            for row, prompt in enumerate(prompts)
            if not is_done[row] and len(outputs[row]) < prompt.max_tokens
        ]:
            room = min(prompts[row].max_tokens - len(outputs[row]) for row in waiting)
            inputs = [prompts[row].ids + outputs[row] for row in waiting]
            for row, ids in zip(waiting, self._generate(inputs, room, sampling), strict=True):
                new = list(takewhile(lambda token: token not in self._final_ids, ids))
                outputs[row] += new
                is_done[row] = len(new) < room
        completions = []
        for prompt, output, done in zip(prompts, outputs, is_done, strict=True):
            text: str = self._tokenizer.decode(output, skip_special_tokens=True)
            stops = [start for word in sampling.stop if (start := text.find(word)) >= 0]
            finish = "stop" if done or stops else "length"
            text = text[: min(stops, default=None)]
            completions.append(Completion(text, finish, len(prompt.ids), len(output)))
        return completions

    def _generate(
        self, prompts: Sequence[Sequence[int]], room: int, sampling: Sampling
    ) -> list[list[int]]:
        """Return at most `room` tokens after each prompt, padded at the end."""
        width = max(map(len, prompts))
        tensor, device = self._torch.tensor, self._model.device
        ids = [[self._pad] * (width - len(prompt)) + [*prompt] for prompt in prompts]
        mask = [[0] * (width - len(prompt)) + [1] * len(prompt) for prompt in prompts]
        options: dict[str, Any] = {"do_sample": sampling.temperature > 0}
        if sampling.temperature > 0:
            options["temperature"] = float(sampling.temperature)
            options |= {"top_p": sampling.top_p, "top_k": sampling.top_k or 0}
        if sampling.stop:
            options |= {"stop_strings": list(sampling.stop), "tokenizer": self._tokenizer}
        rows = self._model.generate(
            tensor(ids, device=device),
            attention_mask=tensor(mask, device=device),
            max_new_tokens=room,
            pad_token_id=self._pad,
            **options,
        )
        outputs: list[list[int]] = rows[:, width:].tolist()
        return outputs
