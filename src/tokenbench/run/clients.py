"""How models are asked: the options of an evaluation, and clients with one interface, by name."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import blake2b
from importlib import import_module
from inspect import signature
from typing import Any, Final, NamedTuple, Protocol, TypeAlias, cast

from tokenbench.builtin import PAPERS
from tokenbench.checks import boolean, instance, integer, number, one_of, string, texts
from tokenbench.errors import ClientError, expected, require_extra
from tokenbench.extraction import EXTRACTS, ExtractName
from tokenbench.item import Json, canonical
from tokenbench.prompts import STYLES, Style
from tokenbench.scoring import RULES, Rule

# A text (for a chat model, one user message), chat messages, or token ids.
Prompt: TypeAlias = str | Sequence[Mapping[str, Any]] | Sequence[int]

# The module and the class of each; the package and the extra have the client's name.
_CLASSES: Final = {
    "openai": ("openai_client", "OpenAIClient"),
    "vllm": ("local_clients", "VLLMClient"),
    "transformers": ("local_clients", "TransformersClient"),
}
CLIENTS: Final = tuple(_CLASSES)
# The suites, and the benchmark that has published items only.
_BENCHMARKS: Final = (*PAPERS, "cute")
# Every engine accepts seeds of this size.
_SEED_BITS: Final = 31


@dataclass(frozen=True, slots=True)
class Sampling:
    """How completions are sampled; the defaults are TASE's (its section on the experiments).

    Args:
        temperature: 0 or more; 0 is greedy.
        top_p: above 0, at most 1; 1 keeps all tokens.
        top_k: a number of tokens; None keeps all.
        max_tokens: the maximum length of a completion, in tokens.
        stop: texts at which a completion ends; they are not part of it.
        seed: random seed, for engines that support one; None samples at random.

    Raises:
        TokenbenchError: a value outside its range.

    >>> Sampling.of("charbench").temperature, Sampling.of("tase").top_k
    (0.0, 50)
    """

    temperature: float = 0.7
    top_p: float = 0.95
    top_k: int | None = 50
    max_tokens: int = 8192
    stop: tuple[str, ...] = ()
    seed: int | None = None

    def __post_init__(self) -> None:
        number("temperature", self.temperature, lambda value: value >= 0, "from 0 on")
        number("top_p", self.top_p, lambda value: 0 < value <= 1, "above 0 and up to 1")
        for name, least in (("top_k", 1), ("max_tokens", 1), ("seed", None)):
            value = getattr(self, name)
            if value is not None or name == "max_tokens":
                object.__setattr__(self, name, integer(name, value, least=least))
        stop = () if isinstance(self.stop, str) else tuple(texts("stop", self.stop))
        if isinstance(self.stop, str) or "" in stop:
            raise expected("stop", self.stop, "a list of texts that are not empty")
        object.__setattr__(self, "stop", stop)

    @classmethod
    def of(cls, suite: str) -> "Sampling":
        """Return the sampling of a suite or benchmark: greedy for `charbench`, else TASE's.

        Raises:
            UnknownNameError: the suite or benchmark is unknown.
        """
        one_of("suite or benchmark", suite, _BENCHMARKS)
        return cls(temperature=0.0, top_p=1.0, top_k=None) if suite == "charbench" else cls()


@dataclass(frozen=True, slots=True)
class Options:
    """How items are put to a model, and how its completions are sampled and judged.

    Args:
        style: of the prompts, as `tokenbench.prompt` takes it.
        system: a system message before each prompt; None for no such message.
        samples: the number of completions of each item.
        sampling: how completions are sampled.
        rules: by which completions are judged; the first one also gives answer and code. None
            given means exact and graded, or published in the style published, whose prompts ask for
            answers without tags.
        extract: how the answer is taken out of a completion, as `tokenbench.score` takes it.
        byte_level: whether prompts are encoded with one token for each byte (EXECUTE).

    Raises:
        UnknownNameError: an unknown style, rule or extract.
        TokenbenchError: another value outside its range.

    >>> Options(samples=4, rules=["exact"]).rules
    ('exact',)
    """

    style: Style = "direct"
    system: str | None = None
    samples: int = 1
    sampling: Sampling = field(default_factory=Sampling)
    rules: tuple[Rule, ...] = ()
    extract: ExtractName = "answer"
    byte_level: bool = False

    def __post_init__(self) -> None:
        one_of("style", self.style, STYLES)
        one_of("extract", self.extract, EXTRACTS)
        integer("samples", self.samples, least=1)
        instance("sampling", self.sampling, Sampling, "a Sampling(temperature=…)")
        boolean("byte_level", self.byte_level)
        if self.system is not None:
            string("system", self.system)
        names = [self.rules] if isinstance(self.rules, str) else texts("rules", self.rules)
        rules = tuple(one_of("rule", rule, RULES) for rule in dict.fromkeys(names))
        by_style = ("published",) if self.style == "published" else ("exact", "graded")
        object.__setattr__(self, "rules", rules or by_style)

    def json(self) -> dict[str, Any]:
        """Return the options as a JSON object."""
        sampling = asdict(self.sampling) | {"stop": list(self.sampling.stop)}
        return asdict(self) | {"rules": list(self.rules), "sampling": sampling}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> "Options":
        """Return the options that `json` wrote."""
        return cls(**{**values, "sampling": Sampling(**values["sampling"])})


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
    `seconds` is the duration of the request, or of its whole batch. `refused` tells an error that
    the same request would meet again, such as a prompt longer than the model's context, from one
    that a second try may mend.
    """

    text: str | None
    finish: str | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    seconds: float = 0.0
    error: str | None = None
    refused: bool = False


# The index of each request with its completion, as they finish.
CompletionStream: TypeAlias = Iterator[tuple[int, Completion]]


class Client(Protocol):
    """A model that completes prompts."""

    def stream(self, requests: Iterable[Request], sampling: Sampling) -> CompletionStream:
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
        **options: the arguments of the client's class: `OpenAIClient` in
            `tokenbench.run.openai_client`, `VLLMClient` and `TransformersClient` in
            `tokenbench.run.local_clients`.

    Raises:
        UnknownNameError: an unknown kind, or an option that the client does not have.
        MissingExtraError: the client's packages are not installed.
        ClientError: an option with a value that is not allowed.

    >>> client("openai", "smollm2", base_url="http://localhost:8000/v1").facts()["model"]
    'smollm2'
    """
    one_of("client", kind, CLIENTS)
    require_extra(f"the client {kind!r}", kind, kind)
    module, name = _CLASSES[kind]
    client_class = getattr(import_module(f"tokenbench.run.{module}"), name)
    for option in options:
        one_of(f"option of the client {kind!r}:", option, signature(client_class).parameters)
    if not (isinstance(model, str) and model):
        raise expected("model", model, "the name of a model or its folder", error=ClientError)
    return cast(Client, client_class(model, **options))


def complete(
    client: Client, prompts: Iterable[Prompt], sampling: Sampling | None = None
) -> Iterator[Completion]:
    """Yield the completions of prompts in their order, each as soon as all before it are done.

    Args:
        client: a client.
        prompts: texts, chat messages or token ids.
        sampling: None is `Sampling()`.

    Raises:
        ClientError: no request can succeed, or an argument of another type.

    >>> class Echo:
    ...     def facts(self):
    ...         return {"client": "echo", "model": "echo"}
    ...     def stream(self, requests, sampling):
    ...         for index, request in reversed(list(enumerate(requests))):
    ...             yield index, Completion(request.prompt)
    >>> [completion.text for completion in complete(Echo(), ["a", "b"])]
    ['a', 'b']
    """
    require_client(client)
    sampling = Sampling() if sampling is None else sampling
    if isinstance(prompts, str):
        raise expected("prompts", prompts, "a list of prompts", error=ClientError)
    seed = sampling.seed
    requests = (Request(prompt, request_seed(seed, index)) for index, prompt in enumerate(prompts))
    waiting: dict[int, Completion] = {}
    next_index = 0
    for index, completion in client.stream(requests, sampling):
        waiting[index] = completion
        while next_index in waiting:
            yield waiting.pop(next_index)
            next_index += 1


def require_client(client: object) -> None:
    """Check that a client is one.

    Raises:
        ClientError: it lacks the methods of one.
    """
    if not (hasattr(client, "stream") and hasattr(client, "facts")):
        allowed = "the result of client('openai', 'model'), or another client"
        raise expected("client", client, allowed, error=ClientError)


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
