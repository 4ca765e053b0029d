"""What every client of a model agrees on: prompts and sampling in, completions out."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from math import isfinite
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

from tokenbench.errors import TokenbenchError, texts
from tokenbench.item import Json, canonical

# A text, which is one user message to a model that chats; chat messages; or the ids of tokens.
Prompt: TypeAlias = str | Sequence[Mapping[str, Any]] | Sequence[int]

_SEED_BITS: Final = 31  # what every engine takes


@dataclass(frozen=True, slots=True)
class Sampling:
    """How completions are drawn; by default as in TASE (its section on the experiments).

    Args:
        temperature: 0 or more; 0 is greedy.
        top_p: above 0, at most 1; 1 leaves all tokens.
        top_k: a number of tokens; None leaves all.
        max_tokens: the longest completion.
        stop: texts before which a completion ends.
        seed: another one gives other completions, where the engine heeds it; None is at random.

    Raises:
        TokenbenchError: a value that none of them can have.

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
        if not (_is_number(self.temperature) and self.temperature >= 0):
            raise TokenbenchError(f"temperature is 0 or more: got {self.temperature!r:.80}")
        if not (_is_number(self.top_p) and 0 < self.top_p <= 1):
            raise TokenbenchError(f"top_p is above 0 and at most 1: got {self.top_p!r:.80}")
        if not (self.top_k is None or (_is_whole(self.top_k) and self.top_k > 0)):
            raise TokenbenchError(f"top_k is a positive int or None: got {self.top_k!r:.80}")
        if not (_is_whole(self.max_tokens) and self.max_tokens > 0):
            raise TokenbenchError(f"max_tokens is a positive int: got {self.max_tokens!r:.80}")
        if not (self.seed is None or _is_whole(self.seed)):
            raise TokenbenchError(f"seed is an int or None: got {self.seed!r:.80}")
        if isinstance(self.stop, str):
            raise TokenbenchError(f"stop is a sequence of str: got {self.stop!r:.80}")
        object.__setattr__(self, "stop", tuple(texts("stop", self.stop)))

    @classmethod
    def of(cls, suite: str) -> "Sampling":
        """Return how a paper drew its completions: `charbench` greedily, all others as TASE."""
        return cls(temperature=0.0, top_p=1.0, top_k=None) if suite == "charbench" else cls()


class Request(NamedTuple):
    """A prompt, the seed of its completion, and whether the prompt is given byte by byte."""

    prompt: Prompt
    seed: int | None = None
    byte_level: bool = False  # the text in tokens of one byte each, where the engine takes ids


@dataclass(frozen=True, slots=True)
class Completion:
    """What came of a request: a text, or None and an error.

    `finish` is why the text ends: `stop`, `length`, or another word of the engine's.
    `prompt_tokens` and `completion_tokens` are the usage, None where the engine does not tell;
    `seconds` is how long it took, of a batch the time of all.
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
        """Yield each request's place with its completion, as they finish.

        Requests are taken as they are needed. One that fails, after all tries, gives a completion
        with an error.

        Raises:
            ClientError: no request can succeed.
        """
        ...

    def facts(self) -> Mapping[str, Json]:
        """Return what an evaluation pins of it: its kind, the model, what changes completions."""
        ...


def complete(
    client: Client, prompts: Iterable[Prompt], sampling: Sampling | None = None
) -> Iterator[Completion]:
    """Yield the completions of prompts in their order, each as soon as those before it are there.

    Args:
        client: a client.
        prompts: texts, chat messages or ids of tokens.
        sampling: None is `Sampling()`.

    Raises:
        ClientError: no request can succeed.

    >>> class Echo:
    ...     def stream(self, requests, sampling):
    ...         for place, request in reversed(list(enumerate(requests))):
    ...             yield place, Completion(request.prompt)
    >>> [completion.text for completion in complete(Echo(), ["a", "b"])]
    ['a', 'b']
    """
    sampling = sampling or Sampling()
    requests = (
        Request(prompt, seed_of(sampling.seed, place)) for place, prompt in enumerate(prompts)
    )
    waiting: dict[int, Completion] = {}
    following = 0
    for place, completion in client.stream(requests, sampling):
        waiting[place] = completion
        while following in waiting:
            yield waiting.pop(following)
            following += 1


def seed_of(seed: int | None, *key: Json) -> int | None:
    """Return a request's own seed: different for each key, and the same whenever it is asked for.

    >>> seed_of(1, "item", 0) == seed_of(1, "item", 0) != seed_of(1, "item", 1), seed_of(None, 1)
    (True, None)
    """
    if seed is None:
        return None
    digest = blake2b(canonical([seed, *key]), digest_size=8).digest()
    return int.from_bytes(digest) >> (64 - _SEED_BITS)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
