"""Completions from vLLM and transformers in this process."""

import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice, takewhile
from threading import Lock
from typing import Any, ClassVar, Final, NamedTuple, cast

from tokenbench.checks import integer
from tokenbench.errors import ClientError, SourceError, TokenbenchError, require_extra
from tokenbench.item import Json
from tokenbench.quoting import pluralize
from tokenbench.run.clients import Completion, CompletionStream, Request, Sampling, chat_messages
from tokenbench.vocab.vocabulary import Table, byte_table, byte_tokens

# Arguments of a model's `from_pretrained` that its tokenizer's needs too.
_TOKENIZER_ARGUMENTS: Final = "cache_dir gguf_file local_files_only revision trust_remote_code"
_MAX_ERROR_CHARS: Final = 300
# Marks in a chat template where bytes go; no text of ours contains it.
_PLACEHOLDER: Final = "\uf8ff\ue000\uf8ff"


class EncodedPrompt(NamedTuple):
    """The token ids of a prompt, the maximum number of tokens to generate, and the seed."""

    ids: list[int]
    max_tokens: int
    seed: int | None


class Encoder:
    """Encodes prompts as token ids with a tokenizer and its chat template.

    Args:
        tokenizer: with the interface of transformers: it needs `encode`, `apply_chat_template`, and
            for byte-level prompts `get_vocab`.
        chat: whether texts become chat messages; None if the tokenizer has a chat template.
        template: a chat template; None is the tokenizer's own.
    """

    def __init__(self, tokenizer: Any, chat: bool | None, template: str | None = None) -> None:
        self._tokenizer, self._template = tokenizer, template
        has_template = (template or getattr(tokenizer, "chat_template", None)) is not None
        self._chat = has_template if chat is None else chat
        self._byte_table: Table | None = None

    def ids(self, request: Request) -> list[int]:
        """Return the token ids of a request's prompt, with the chat template around it.

        With `byte_level`, the texts of user messages become one token for each byte; the chat
        template around them is tokenised as usual. Source: EXECUTE, byte-level prompting.

        Raises:
            ClientError: the model cannot take prompts of this kind.
            SourceError: a byte of this text has no token.
        """
        messages = chat_messages(request.prompt, self._chat)
        if request.byte_level:
            return self._byte_level_ids(request.prompt, messages)
        if messages:
            return list(self._apply_template(messages, tokenize=True))
        if isinstance(request.prompt, str):
            return list(self._tokenizer.encode(request.prompt))
        return cast(list[int], list(request.prompt))

    def _byte_level_ids(self, prompt: object, messages: list[dict[str, Json]]) -> list[int]:
        if not messages:
            # The tokenizer's token for the beginning of a text, if it adds one.
            begin = [getattr(self._tokenizer, "bos_token_id", None)]
            is_added = list(self._tokenizer.encode(""))[:1] == begin
            return [*(begin if is_added else ()), *self._byte_ids(prompt)]
        texts = [message["content"] for message in messages if message["role"] == "user"]
        without_texts = [
            {**message, "content": _PLACEHOLDER} if message["role"] == "user" else message
            for message in messages
        ]
        rendered: str = self._apply_template(without_texts, tokenize=False)
        first, *others = rendered.split(_PLACEHOLDER)
        if len(others) != len(texts):
            problem = "the chat template does not show each user message once"
            raise ClientError(problem, remedy="byte-level prompts need one that does")
        ids = self._text_ids(first)
        for text, after in zip(texts, others, strict=True):
            ids += [*self._byte_ids(text), *self._text_ids(after)]
        return ids

    def _byte_ids(self, text: Any) -> list[int]:
        if self._byte_table is None:
            try:
                self._byte_table = byte_table(self._tokenizer)
            except SourceError as error:
                raise ClientError(f"the model takes no byte-level prompts: {error}") from None
        return byte_tokens(text, self._byte_table)

    def _text_ids(self, text: str) -> list[int]:
        return list(self._tokenizer.encode(text, add_special_tokens=False)) if text else []

    def _apply_template(self, messages: list[dict[str, Json]], *, tokenize: bool) -> Any:
        try:
            return self._tokenizer.apply_chat_template(
                messages,
                chat_template=self._template,
                add_generation_prompt=True,
                tokenize=tokenize,
                return_dict=False,
            )
        # Templates raise errors of any type.
        except Exception as error:
            raise ClientError(f"the model's chat template refuses the prompt: {error}") from error


class InProcessClient(ABC):
    """A model that is loaded on the first request; a pickled client has only its arguments."""

    # The client's name, which is also that of its extra.
    KIND: ClassVar[str]
    PACKAGES: ClassVar[Sequence[str]]

    def __init__(
        self,
        model: str,
        *,
        chat: bool | None = None,
        batch: int = 256,
        engine: Mapping[str, Json] | None = None,
    ) -> None:
        self.model, self.chat = model, chat
        self.batch = integer("batch", batch, ClientError, least=1)
        self.engine = dict(engine or {})
        self._lock = Lock()
        self._loaded: _VLLM | _Transformers | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_lock": None, "_loaded": None}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        vars(self).update(state, _lock=Lock())

    def facts(self) -> dict[str, Json]:
        """Return everything that changes completions; not the size of batches."""
        return {
            "client": self.KIND,
            "model": self.model,
            "chat": self.chat,
            "engine": self.engine,
            "packages": list(self.PACKAGES),
        }

    def stream(self, requests: Iterable[Request], sampling: Sampling) -> CompletionStream:
        """Yield each request's index with its completion, one batch after the other.

        Raises:
            MissingExtraError: the engine is not installed.
            ClientError: it cannot load the model, or fails.
        """
        numbered = enumerate(requests)
        while batch := list(islice(numbered, self.batch)):
            # Engines serve one thread at a time.
            with self._lock:
                completions = self._complete([request for _, request in batch], sampling)
            for (index, _), completion in zip(batch, completions, strict=True):
                yield index, completion

    @abstractmethod
    def _load(self) -> "_VLLM | _Transformers":
        """Load the model."""

    def _complete(self, requests: Sequence[Request], sampling: Sampling) -> list[Completion]:
        if self._loaded is None:
            require_extra(f"the client {self.KIND!r}", self.KIND, *self.PACKAGES)
            with _client_errors(f"{self.KIND} cannot load {self.model!r}"):
                self._loaded = self._load()
        start = time.monotonic()
        encoded = [_encode(self._loaded, request, sampling) for request in requests]
        prompts = [one for one in encoded if isinstance(one, EncodedPrompt)]
        with _client_errors(f"{self.KIND} failed at a batch of {len(prompts)}"):
            completions = iter(self._loaded.complete(prompts, sampling) if prompts else ())
        seconds = time.monotonic() - start
        return [
            replace(next(completions) if isinstance(one, EncodedPrompt) else one, seconds=seconds)
            for one in encoded
        ]


def _encode(
    model: "_VLLM | _Transformers", request: Request, sampling: Sampling
) -> EncodedPrompt | Completion:
    """Return a prompt for the engine, or a completion with the reason why it cannot be encoded."""
    try:
        ids = model.encoder.ids(request)
    except SourceError as error:
        return Completion(None, error=str(error), refused=True)
    if not ids:
        return Completion(None, error="the prompt has no tokens", refused=True)
    room = sampling.max_tokens if model.context is None else model.context - len(ids)
    if room < 1:
        size = pluralize(len(ids), "token")
        overflow = f"a prompt of {size} leaves no room in a context of {model.context}"
        return Completion(None, prompt_tokens=len(ids), error=overflow, refused=True)
    return EncodedPrompt(ids, min(sampling.max_tokens, room), request.seed)


@contextmanager
def _client_errors(failure: str) -> Iterator[None]:
    """Turn any error of an engine into a ClientError that names the failure."""
    try:
        yield
    except TokenbenchError:
        raise
    except Exception as error:
        message = " ".join(str(error).split())[:_MAX_ERROR_CHARS] or type(error).__name__
        raise ClientError(f"{failure}: {message}") from error


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
        # The maximum number of tokens of prompt and completion together; None if unlimited.
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
