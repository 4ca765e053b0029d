"""The interface that clients of models implement, and the clients that ship, by name."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final, NamedTuple, Protocol, TypeAlias, cast

from tokenbench.errors import ClientError, missing_extra, unknown
from tokenbench.item import Json, canonical
from tokenbench.run.options import Sampling

# A text (for a chat model, one user message), chat messages, or token ids.
Prompt: TypeAlias = str | Sequence[Mapping[str, Any]] | Sequence[int]

_CLASSES: Final = {
    "openai": "OpenAIClient",
    "vllm": "VLLMClient",
    "transformers": "TransformersClient",
}
CLIENTS: Final = tuple(_CLASSES)
# Every engine accepts seeds of this size.
_SEED_BITS: Final = 31


class Request(NamedTuple):
    """A prompt, the seed of its completion, and whether to encode the prompt byte by byte.

    `byte_level` gives the text to the model as one token for each byte, which only clients that
    send token ids can do.
    """

    prompt: Prompt
    seed: int | None = None
    byte_level: bool = False


@dataclass(frozen=True, slots=True)
class Completion:
    """The outcome of a request: a text, or None and an error.

    `finish` is why the text ends: `stop`, `length`, or another word of the engine's.
    `prompt_tokens` and `completion_tokens` are the usage, None if the engine does not report it;
    `seconds` is the duration of the request, or of its whole batch.
    """

    text: str | None
    finish: str | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    seconds: float = 0.0
    error: str | None = None


class Client(Protocol):
    """A model that completes prompts."""

    def stream(
        self, requests: Iterable[Request], sampling: Sampling
    ) -> Iterator[tuple[int, Completion]]:
        """Yield each request's index with its completion, as they finish.

        Requests are taken as they are needed. A request that fails, after all retries, yields a
        completion with an error.

        Raises:
            ClientError: no request can succeed.
        """
        ...

    def facts(self) -> Mapping[str, Json]:
        """Return everything that changes completions, for the manifest: its kind, the model …"""
        ...


def client(kind: str, model: str, **options: Any) -> Client:
    """Return a client of a model, by the kind of its engine.

    Args:
        kind: `openai`, any server with OpenAI's interface; `vllm`, in this process;
            `transformers`, in this process.
        model: the model's name, or the folder of a local one.
        **options: the arguments of the client's class: `OpenAIClient`, `VLLMClient` and
            `TransformersClient` in `tokenbench.run.openai_client` and so on.

    Raises:
        UnknownNameError: an unknown kind.
        MissingExtraError: the client's packages are not installed.
        ClientError: an option that the client does not have.

    >>> client("openai", "smollm2", base_url="http://localhost:8000/v1").facts()["model"]
    'smollm2'
    """
    if kind not in CLIENTS:
        raise unknown("client", kind, CLIENTS)
    # The package and the extra have the client's name.
    if find_spec(kind) is None:
        raise missing_extra(f"the client {kind!r}", kind)
    client_class = getattr(import_module(f"tokenbench.run.{kind}_client"), _CLASSES[kind])
    try:
        return cast(Client, client_class(model, **options))
    except TypeError as error:
        raise ClientError(f"cannot make the client {kind!r}: {error}") from None


def complete(
    client: Client, prompts: Iterable[Prompt], sampling: Sampling | None = None
) -> Iterator[Completion]:
    """Yield the completions of prompts in their order, each as soon as all before it are done.

    Args:
        client: a client.
        prompts: texts, chat messages or token ids.
        sampling: None is `Sampling()`.

    Raises:
        ClientError: no request can succeed.

    >>> class Echo:
    ...     def stream(self, requests, sampling):
    ...         for index, request in reversed(list(enumerate(requests))):
    ...             yield index, Completion(request.prompt)
    >>> [completion.text for completion in complete(Echo(), ["a", "b"])]
    ['a', 'b']
    """
    sampling = sampling or Sampling()
    seed = sampling.seed
    requests = (Request(prompt, request_seed(seed, index)) for index, prompt in enumerate(prompts))
    waiting: dict[int, Completion] = {}
    next_index = 0
    for index, completion in client.stream(requests, sampling):
        waiting[index] = completion
        while next_index in waiting:
            yield waiting.pop(next_index)
            next_index += 1


def chat_messages(prompt: Prompt, chat: bool) -> list[dict[str, Json]]:
    """Return a prompt as chat messages; an empty list if the model continues it as plain text.

    Args:
        prompt: of a request.
        chat: whether it is a chat model; then a text is a user message.

    Raises:
        ClientError: chat messages for a model that does not chat.

    >>> chat_messages("Hi", chat=True), chat_messages("Hi", chat=False)
    ([{'role': 'user', 'content': 'Hi'}], [])
    >>> chat_messages([1, 2], chat=True)
    []
    """
    if isinstance(prompt, str):
        return [{"role": "user", "content": prompt}] if chat else []
    messages = [dict(message) for message in prompt if isinstance(message, Mapping)]
    if messages and not chat:
        raise ClientError("chat messages, or a system message, need a model that chats")
    return messages


def request_seed(seed: int | None, *key: Json) -> int | None:
    """Return a request's own seed: different for each key, the same for the same key.

    >>> request_seed(1, "item", 0) == request_seed(1, "item", 0) != request_seed(1, "item", 1)
    True
    >>> request_seed(None, 1)
    """
    if seed is None:
        return None
    digest = blake2b(canonical([seed, *key]), digest_size=8).digest()
    return int.from_bytes(digest) >> (64 - _SEED_BITS)
