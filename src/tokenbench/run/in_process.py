"""What the clients share whose engine runs in this process: loaded once, asked in batches."""

import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from importlib.util import find_spec
from itertools import islice
from threading import Lock
from typing import Any, ClassVar, Final, NamedTuple, Protocol

from tokenbench.errors import ClientError, SourceError, TokenbenchError, missing_extra
from tokenbench.item import Json
from tokenbench.run.chat import Encoder
from tokenbench.run.protocol import Completion, Request, Sampling

_SHOWN: Final = 300  # characters of what an engine says


class Asked(NamedTuple):
    """A prompt that the engine can complete: its tokens, how many may follow, and the seed."""

    ids: list[int]
    limit: int
    seed: int | None


class Loaded(Protocol):
    """A model in memory.

    Attributes:
        encoder: makes its prompts.
        context: how many tokens a prompt and its completion are together; None has no limit.
    """

    @property
    def encoder(self) -> Encoder: ...
    @property
    def context(self) -> int | None: ...
    def complete(self, asked: Sequence[Asked], sampling: Sampling) -> list[Completion]:
        """Return the completions, in order."""
        ...


class InProcessClient(ABC):
    """A model that is loaded when the first request comes; a pickle holds the arguments alone."""

    KIND: ClassVar[str]  # also the name of the extra
    PACKAGES: ClassVar[Sequence[str]]

    def __init__(
        self, model: str, chat: bool | None, batch: int, engine: Mapping[str, Json] | None
    ) -> None:
        if batch < 1:
            raise ClientError(f"a batch is at least 1 request: got {batch}")
        self.model, self.chat, self.batch = model, chat, batch
        self.engine = dict(engine or {})
        self._lock = Lock()
        self._loaded: Loaded | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_lock": None, "_loaded": None}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        vars(self).update(state, _lock=Lock())

    def facts(self) -> dict[str, Json]:
        """Return what an evaluation pins: not the size of batches."""
        return {
            "client": self.KIND,
            "model": self.model,
            "chat": self.chat,
            "engine": self.engine,
            "packages": list(self.PACKAGES),
        }

    def stream(
        self, requests: Iterable[Request], sampling: Sampling
    ) -> Iterator[tuple[int, Completion]]:
        """Yield each request's place with its completion, a batch after the other.

        Raises:
            MissingExtraError: the engine is not installed.
            ClientError: it cannot load the model, or cannot go on.
        """
        numbered = enumerate(requests)
        while batch := list(islice(numbered, self.batch)):
            with self._lock:  # engines serve one thread at a time
                completions = self._completed([request for _, request in batch], sampling)
            for (place, _), completion in zip(batch, completions, strict=True):
                yield place, completion

    @abstractmethod
    def _load(self) -> Loaded:
        """Load the model."""

    def _completed(self, requests: Sequence[Request], sampling: Sampling) -> Iterator[Completion]:
        if self._loaded is None:
            if any(find_spec(package) is None for package in self.PACKAGES):
                raise missing_extra(f"the client {self.KIND!r}", self.KIND)
            with _telling(f"{self.KIND} cannot load {self.model!r}"):
                self._loaded = self._load()
        begun = time.monotonic()
        admitted = [_admitted(self._loaded, request, sampling) for request in requests]
        asked = [one for one in admitted if isinstance(one, Asked)]
        with _telling(f"{self.KIND} failed at a batch of {len(asked)}"):
            came = iter(self._loaded.complete(asked, sampling) if asked else ())
        seconds = time.monotonic() - begun
        return (
            replace(next(came) if isinstance(one, Asked) else one, seconds=seconds)
            for one in admitted
        )


def _admitted(loaded: Loaded, request: Request, sampling: Sampling) -> Asked | Completion:
    """Return what the engine is asked, or a completion that says why it cannot be."""
    try:
        ids = loaded.encoder.ids(request)
    except SourceError as error:
        return Completion(None, error=str(error))
    if not ids:
        return Completion(None, error="the prompt has no tokens")
    left = sampling.max_tokens if loaded.context is None else loaded.context - len(ids)
    if left < 1:
        return Completion(
            None,
            prompt_tokens=len(ids),
            error=f"the prompt's {len(ids)} tokens leave no room in a context of {loaded.context}",
        )
    return Asked(ids, min(sampling.max_tokens, left), request.seed)


@contextmanager
def _telling(what: str) -> Iterator[None]:
    """Turn whatever an engine raises into a ClientError that says where."""
    try:
        yield
    except TokenbenchError:
        raise
    except Exception as error:
        said = " ".join(str(error).split())[:_SHOWN] or type(error).__name__
        raise ClientError(f"{what}: {said}") from error
