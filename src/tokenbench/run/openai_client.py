"""Completions from any server that speaks as OpenAI's, many requests at once."""

import asyncio
import os
from collections.abc import Iterable, Iterator, Mapping
from queue import SimpleQueue
from typing import Final

import openai

from tokenbench.errors import ClientError
from tokenbench.item import Json
from tokenbench.run.chat import messages
from tokenbench.run.health import Health, Outcome
from tokenbench.run.openai_calls import outcome, server
from tokenbench.run.protocol import Completion, Request, Sampling

_OPENAI: Final = "https://api.openai.com/v1"  # where the package goes if nobody says anything
_AHEAD: Final = 2  # times as many wait or run, so that none waits for what is done with another


class OpenAIClient:
    """A model behind a server that speaks as OpenAI's: vLLM's, llama.cpp's, a provider's.

    Args:
        model: its name on the server.
        base_url: of the server; None is `OPENAI_BASE_URL` of the environment, else OpenAI's.
        api_key: None is `OPENAI_API_KEY` of the environment; a server of one's own needs none.
        concurrency: how many requests are in flight.
        timeout: seconds for one try.
        retries: tries after the first one, for what may heal: lost connections, 429, 5xx.
        chat: whether texts are put as chat messages; else as texts to continue.
        extra: more fields of each request's body, such as `{"reasoning_effort": "low"}`.

    Raises:
        ClientError: a value that cannot serve.

    >>> OpenAIClient("smollm2", base_url="http://localhost:8000/v1", concurrency=8).concurrency
    8
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        concurrency: int = 64,
        timeout: float = 600.0,
        retries: int = 5,
        chat: bool = True,
        extra: Mapping[str, Json] | None = None,
    ) -> None:
        if concurrency < 1 or timeout <= 0 or retries < 0:
            raise ClientError(
                f"concurrency={concurrency}, timeout={timeout}, retries={retries}: give at least "
                "1, more than 0, and at least 0"
            )
        self.model, self.base_url, self.concurrency = model, base_url, concurrency
        self.timeout, self.retries, self.chat = timeout, retries, chat
        self.extra = dict(extra or {})
        self._api_key = api_key

    def facts(self) -> dict[str, Json]:
        """Return what an evaluation pins: not where the server is, nor the key."""
        return {
            "client": "openai",
            "model": self.model,
            "chat": self.chat,
            "extra": self.extra,
            "packages": ["openai"],
        }

    def connected(self) -> openai.AsyncOpenAI:
        """Return the package's interface to the server.

        Raises:
            ClientError: there is no key.
        """
        url = self.base_url or os.environ.get("OPENAI_BASE_URL")
        key = self._api_key or os.environ.get("OPENAI_API_KEY") or ("none" if url else None)
        if key is None:
            raise ClientError(
                "no key for OpenAI's server: set OPENAI_API_KEY, or give the base URL of another"
            )
        return openai.AsyncOpenAI(
            base_url=url,
            api_key=key,
            timeout=self.timeout,
            max_retries=self.retries,
            http_client=openai.DefaultAioHttpClient(),  # half the work of the other one
        )

    def asked(self, request: Request, sampling: Sampling) -> dict[str, Json]:
        """Return the body of a request.

        Raises:
            ClientError: a prompt that this interface does not take.
        """
        if request.byte_level:
            raise ClientError(
                "a server tokenises texts itself: byte-level prompts need the client vllm or "
                "transformers"
            )
        said = messages(request.prompt, self.chat)
        own = "api.openai.com" in (self.base_url or os.environ.get("OPENAI_BASE_URL") or _OPENAI)
        body: dict[str, Json] = {
            "model": self.model,
            "temperature": sampling.temperature,
            "top_p": sampling.top_p,
            # OpenAI's newer models refuse `max_tokens` and `top_k`; other servers know them best.
            "max_completion_tokens" if own and said else "max_tokens": sampling.max_tokens,
        }
        if sampling.top_k is not None and not own:
            body["top_k"] = sampling.top_k
        if sampling.stop:
            body["stop"] = list(sampling.stop)
        if request.seed is not None:
            body["seed"] = request.seed
        if said:
            return {**body, "messages": said, **self.extra}
        return {**body, "prompt": request.prompt, **self.extra}

    def stream(
        self, requests: Iterable[Request], sampling: Sampling
    ) -> Iterator[tuple[int, Completion]]:
        """Yield each request's place with its completion, as they finish.

        Raises:
            ClientError: the server refuses the key, the model or all requests, or answers no more.
        """
        health = Health(self.concurrency)
        came: SimpleQueue[Outcome | Exception] = SimpleQueue()
        flying = 0
        with server(self.connected) as (api, spawn):

            async def ask(place: int, request: Request) -> None:
                try:
                    body = self.asked(request, sampling)
                    async with slots:
                        came.put(await outcome(api, place, body, self.timeout, self.retries))
                except Exception as error:
                    came.put(error)  # to be raised where it is waited for

            slots = asyncio.Semaphore(self.concurrency)
            for place, request in enumerate(requests):
                if flying == _AHEAD * self.concurrency:
                    flying -= 1
                    yield health.passed(came.get())
                spawn(ask(place, request))
                flying += 1
            while flying:
                flying -= 1
                yield health.passed(came.get())
