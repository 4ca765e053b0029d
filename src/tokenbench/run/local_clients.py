"""Completions from vLLM and transformers in this process."""

import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import KW_ONLY, dataclass, field, replace
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


@dataclass(eq=False)
class InProcessClient(ABC):
    """A model that is loaded on the first request; a pickled client has only its arguments."""

    # The client's name, which is also that of its extra.
    KIND: ClassVar[str]
    PACKAGES: ClassVar[Sequence[str]]

    model: str
    _: KW_ONLY
    chat: bool | None = None
    batch: int = 256
    engine: Mapping[str, Json] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.batch = integer("batch", self.batch, ClientError, least=1)
        self._lock, self._is_loaded = Lock(), False

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if not name.startswith("_")}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        vars(self).update(state, _lock=Lock(), _is_loaded=False)

    def facts(self) -> dict[str, Json]:
        """Return everything that changes completions; not the size of batches."""
        return {
            "client": self.KIND,
            "model": self.model,
            "chat": self.chat,
            "engine": dict(self.engine),
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
    def _load(self) -> tuple[Encoder, int | None]:
        """Load the model; return its encoder and the tokens of its context, None if unlimited."""

    @abstractmethod
    def _generate(self, prompts: Sequence[EncodedPrompt], sampling: Sampling) -> list[Completion]:
        """Return the completions, in order."""

    def _complete(self, requests: Sequence[Request], sampling: Sampling) -> list[Completion]:
        if not self._is_loaded:
            require_extra(f"the client {self.KIND!r}", self.KIND, *self.PACKAGES)
            with _client_errors(f"{self.KIND} cannot load {self.model!r}"):
                self._encoder, self._context = self._load()
            self._is_loaded = True
        start = time.monotonic()
        encoded = [self._encode(request, sampling) for request in requests]
        prompts = [one for one in encoded if isinstance(one, EncodedPrompt)]
        with _client_errors(f"{self.KIND} failed at a batch of {len(prompts)}"):
            completions = iter(self._generate(prompts, sampling) if prompts else ())
        seconds = time.monotonic() - start
        return [
            replace(next(completions) if isinstance(one, EncodedPrompt) else one, seconds=seconds)
            for one in encoded
        ]

    def _encode(self, request: Request, sampling: Sampling) -> EncodedPrompt | Completion:
        """Return a prompt for the engine, or a completion that says why it cannot be encoded."""
        try:
            ids = self._encoder.ids(request)
        except SourceError as error:
            return Completion(None, error=str(error), refused=True)
        if not ids:
            return Completion(None, error="the prompt has no tokens", refused=True)
        room = sampling.max_tokens if self._context is None else self._context - len(ids)
        if room < 1:
            size = pluralize(len(ids), "token")
            overflow = f"a prompt of {size} leaves no room in a context of {self._context}"
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

    def _load(self) -> tuple[Encoder, int | None]:
        import vllm

        self._llm: Any = vllm.LLM(self.model, **self.engine)
        self._sampling_params: Any = vllm.SamplingParams
        template = getattr(self._llm, "chat_template", None)
        encoder = Encoder(self._llm.get_tokenizer(), self.chat, template)
        return encoder, self._llm.llm_engine.model_config.max_model_len

    def _generate(self, prompts: Sequence[EncodedPrompt], sampling: Sampling) -> list[Completion]:
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


@dataclass(eq=False)
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

    batch: int = 8
    device: str | None = None
    dtype: str = "auto"

    def facts(self) -> dict[str, Json]:
        """Return everything that changes completions; not the size of batches, nor the device."""
        return {**super().facts(), "dtype": self.dtype}

    def _load(self) -> tuple[Encoder, int | None]:
        import torch
        from transformers import AutoModelForCausalLM, AutoTokenizer, GenerationConfig

        names = _TOKENIZER_ARGUMENTS.split()
        shared = {name: self.engine[name] for name in names if name in self.engine}
        tokenizer = AutoTokenizer.from_pretrained(self.model, **shared)
        options = {"dtype": self.dtype, **self.engine}
        model = AutoModelForCausalLM.from_pretrained(self.model, **options)
        if "device_map" not in self.engine:
            model.to(self.device or ("cuda" if torch.cuda.is_available() else "cpu"))
        own = model.generation_config
        ends = own.eos_token_id if own.eos_token_id is not None else tokenizer.eos_token_id
        pad = own.pad_token_id if tokenizer.pad_token_id is None else tokenizer.pad_token_id
        end_ids = set(ends if isinstance(ends, list) else [ends]) - {None}
        self._pad: int = pad if pad is not None else min(end_ids, default=0)
        self._final_ids = {*end_ids, self._pad}
        # A checkpoint may have sampling settings of its own, which would mix with ours.
        model.generation_config = GenerationConfig(eos_token_id=ends, pad_token_id=self._pad)
        self._torch: Any = torch
        self._model: Any = model
        self._tokenizer: Any = tokenizer
        config = model.config.get_text_config()
        return Encoder(tokenizer, self.chat), getattr(config, "max_position_embeddings", None)

    def _generate(self, prompts: Sequence[EncodedPrompt], sampling: Sampling) -> list[Completion]:
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
            for row, ids in zip(waiting, self._new_tokens(inputs, room, sampling), strict=True):
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

    def _new_tokens(
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
