"""The base of clients whose engine runs in this process: it loads once, and works in batches.

The prompts of such an engine are token ids, made by a Hugging Face tokenizer and its chat template.
"""

import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from threading import Lock
from typing import Any, ClassVar, Final, NamedTuple, Protocol, cast

from tokenbench.checks import integer
from tokenbench.errors import ClientError, SourceError, TokenbenchError, require_extra
from tokenbench.item import Json
from tokenbench.quoting import pluralize
from tokenbench.run.clients import Completion, CompletionStream, Request, Sampling, chat_messages
from tokenbench.vocab.vocabulary import Table, byte_table, byte_tokens

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


class LoadedModel(Protocol):
    """A model in memory.

    Attributes:
        encoder: encodes its prompts.
        context: the maximum number of tokens of prompt and completion together; None if unlimited.
    """

    encoder: Encoder
    context: int | None

    def complete(self, prompts: Sequence[EncodedPrompt], sampling: Sampling) -> list[Completion]:
        """Return the completions, in order."""
        ...


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
        self._loaded: LoadedModel | None = None

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
    def _load(self) -> LoadedModel:
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


def _encode(model: LoadedModel, request: Request, sampling: Sampling) -> EncodedPrompt | Completion:
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
