"""Completions from any server with OpenAI's interface, many requests at once."""

import asyncio
import json
import os
import re
import socket
import time
from collections.abc import Iterable, Mapping
from concurrent.futures import Future
from queue import SimpleQueue
from typing import Final
from urllib.parse import SplitResult, urlsplit
from urllib.request import getproxies

import openai
from anyio.from_thread import start_blocking_portal

from tokenbench.checks import boolean, integer, number
from tokenbench.errors import Argument, ClientError, Words, expected
from tokenbench.item import Json
from tokenbench.run.clients import Completion, CompletionStream, Request, Sampling, chat_messages

# Where the openai package connects without any settings.
_DEFAULT_URL: Final = "https://api.openai.com/v1"
_DEFAULT_PORTS: Final = {"http": 80, "https": 443}
_CONNECT_SECONDS: Final = 10.0
_MAX_ERROR_CHARS: Final = 300
# Requests that wait or run, for each that may run, so that no slot stays empty.
_QUEUE_PER_SLOT: Final = 2
_MAX_PAUSE_SECONDS: Final = 10.0

_CHECK_URL: Final[Words] = [
    "check the model and the path of ",
    Argument("base_url"),
    ", which usually ends in /v1",
]
_NO_BALANCE: Final = 402
# The key, the model or the URL is wrong, whatever is asked; and what to do.
_REMEDIES: Final[dict[int, Words]] = {
    401: ["check the key: ", Argument("api_key"), ", or OPENAI_API_KEY"],
    _NO_BALANCE: "check the account's balance",
    403: "check that the key may use this model",
    404: _CHECK_URL,
    405: _CHECK_URL,
}
_TRANSIENT_STATUSES: Final = (408, 409, 425, 429)
# A 429 that does not go away.
_QUOTA_ERROR: Final = "insufficient_quota"
_PROMPT_TOO_LONG: Final = re.compile(
    r"context.{0,9}(length|window|size)|maximum context|too long", re.IGNORECASE
)
# Failures in a row that end a run: in all, and for each request that may be in flight.
_MIN_FAILURES: Final = 16
_MAX_FAILURES_PER_SLOT: Final = 2


class OpenAIClient:
    """A model behind a server with OpenAI's interface: vLLM's, llama.cpp's, a provider's.

    Args:
        model: its name on the server.
        base_url: of the server; None is `OPENAI_BASE_URL` of the environment, else OpenAI's.
        api_key: None is `OPENAI_API_KEY` of the environment; local servers do not need one.
        concurrency: the number of requests in flight.
        timeout: seconds for one attempt.
        retries: attempts after the first one, for transient errors: lost connections, 429, 5xx.
        chat: whether texts become chat messages; else the model continues them.
        extra: more fields of each request's body, such as `{"reasoning_effort": "low"}`.

    Raises:
        ClientError: a value outside its range.

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
        self.model, self.base_url = model, base_url or os.environ.get("OPENAI_BASE_URL")
        self.concurrency = integer("concurrency", concurrency, ClientError, least=1)
        self.timeout = number("timeout", timeout, lambda one: one > 0, "above 0", ClientError)
        self.retries = integer("retries", retries, ClientError, least=0)
        self.chat = boolean("chat", chat)
        self.extra = dict(extra or {})
        self._api_key = api_key
        # A wrong URL is an error at once.
        self._server()

    def facts(self) -> dict[str, Json]:
        """Return everything that changes completions; not the server's address, nor the key."""
        return {
            "client": "openai",
            "model": self.model,
            "chat": self.chat,
            "extra": self.extra,
            "packages": ["openai"],
        }

    def request_body(self, request: Request, sampling: Sampling) -> dict[str, Json]:
        """Return the JSON body of a request.

        Raises:
            ClientError: a prompt that this interface does not support.
        """
        if request.byte_level:
            problem = "a server tokenises texts itself, so it takes no byte-level prompts"
            raise ClientError(problem, remedy="use the client vllm or transformers")
        messages = chat_messages(request.prompt, self.chat)
        is_openai = "api.openai.com" in self._server().netloc
        # OpenAI's newer models refuse `max_tokens` and `top_k`; other servers know them best.
        token_limit = "max_completion_tokens" if is_openai and messages else "max_tokens"
        body: dict[str, Json] = {
            "model": self.model,
            "temperature": sampling.temperature,
            "top_p": sampling.top_p,
            "top_k": None if is_openai else sampling.top_k,
            token_limit: sampling.max_tokens,
            "stop": list(sampling.stop) or None,
            "seed": request.seed,
            **({"messages": messages} if messages else {"prompt": request.prompt}),
        }
        return {name: value for name, value in body.items() if value is not None} | self.extra

    def stream(self, requests: Iterable[Request], sampling: Sampling) -> CompletionStream:
        """Yield each request's index with its completion, as they finish.

        Raises:
            ClientError: no server listens at the URL; or it refuses the key, the model or all
                requests, or stops answering.
        """
        # Each is there when it is done.
        outcomes: SimpleQueue[Future[tuple[int, Completion, int | None]]] = SimpleQueue()
        slots = asyncio.Semaphore(self.concurrency)
        in_flight = failures = 0
        max_failures = max(_MIN_FAILURES, _MAX_FAILURES_PER_SLOT * self.concurrency)
        api = openai.AsyncOpenAI(
            base_url=self.base_url,
            api_key=self._key(),
            timeout=self.timeout,
            max_retries=self.retries,
            # It takes half the processor time of the default one.
            http_client=openai.DefaultAioHttpClient(),
        )

        async def ask(index: int, request: Request) -> tuple[int, Completion, int | None]:
            body = self.request_body(request, sampling)
            async with slots:
                return index, *await self._send(api, body)

        def next_outcome() -> tuple[int, Completion]:
            nonlocal failures
            index, completion, status = outcomes.get().result()
            failures = failures + 1 if completion.error else 0
            if status in _REMEDIES:
                problem = f"the server refuses every request: {completion.error}"
                raise ClientError(problem, remedy=_REMEDIES[status])
            if failures == max_failures:
                last = f"the last {failures} requests failed, the last one by: {completion.error}"
                raise ClientError(last)
            return index, completion

        # Requests run in the event loop of a thread; an error here cancels them.
        with start_blocking_portal() as portal, portal.wrap_async_context_manager(api):
            for index, request in enumerate(requests):
                if not index:
                    self.check_connection()
                if in_flight == _QUEUE_PER_SLOT * self.concurrency:
                    in_flight -= 1
                    yield next_outcome()
                portal.start_task_soon(ask, index, request).add_done_callback(outcomes.put)
                in_flight += 1
            for _ in range(in_flight):
                yield next_outcome()

    def check_connection(self) -> None:
        """Connect to the server once, so that a wrong address is an error before any request.

        Raises:
            ClientError: the key is missing, or no server listens at the URL.
        """
        self._key()
        # A proxy answers for all servers.
        if getproxies():
            return
        server = self._server()
        address = server.hostname, server.port or _DEFAULT_PORTS[server.scheme]
        try:
            socket.create_connection(address, min(self.timeout, _CONNECT_SECONDS)).close()
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            problem = f"cannot connect to {server.geturl()!r} ({reason})"
            remedy: Words = ["start the server, or correct ", Argument("base_url")]
            raise ClientError(problem, remedy=remedy) from None

    def _server(self) -> SplitResult:
        """Return the parts of the server's URL.

        Raises:
            ClientError: it does not begin with http:// or https:// and a host.
        """
        url = self.base_url or _DEFAULT_URL
        try:
            parts = urlsplit(url)
            if parts.scheme in _DEFAULT_PORTS and parts.hostname and parts.port != 0:
                return parts
        except (ValueError, AttributeError):
            pass
        allowed = "a URL such as http://localhost:8000/v1"
        raise expected("base_url", url, allowed, error=ClientError)

    def _key(self) -> str:
        key = self._api_key or os.environ.get("OPENAI_API_KEY") or ("none" if self.base_url else "")
        if not key:
            remedy: Words = [
                "set OPENAI_API_KEY, or name another server with ",
                Argument("base_url"),
            ]
            raise ClientError("no key for OpenAI's server", remedy=remedy)
        return key

    async def _send(
        self, api: openai.AsyncOpenAI, body: Mapping[str, Json]
    ) -> tuple[Completion, int | None]:
        """Send a request with its retries, and return its completion and the status of an error."""
        start = time.monotonic()
        path = "/chat/completions" if "messages" in body else "/completions"
        status: int | None = None
        try:
            # The package bounds the time between two bytes; this bounds a server that only sends
            # one now and then.
            async with asyncio.timeout((self.retries + 1) * (self.timeout + _MAX_PAUSE_SECONDS)):
                for attempt in range(self.retries + 1):
                    # The package would raise errors of any type at an odd response: parse it here.
                    response = await api.post(path, cast_to=bytes, body=body)
                    try:
                        return _parse(response, time.monotonic() - start), None
                    except ValueError as malformed:
                        error = str(malformed)
                    await asyncio.sleep(min(_MAX_PAUSE_SECONDS, 2.0**attempt / 2))
        except TimeoutError:
            error = "no complete response within the time of all attempts"
        except openai.APIStatusError as failure:
            body = failure.body if isinstance(failure.body, dict) else {}
            error = f"{failure.status_code}: {body.get('message') or failure.message}"
            status = _NO_BALANCE if failure.code == _QUOTA_ERROR else failure.status_code
        except openai.OpenAIError as failure:
            error = f"{failure} {failure.__cause__ or ''}".strip()
        return Completion(
            None,
            seconds=time.monotonic() - start,
            error=" ".join(error.split())[:_MAX_ERROR_CHARS],
            refused=_is_refusal(status, error),
        ), status


def _is_refusal(status: int | None, error: str) -> bool:
    """Return whether a server's error is about the request itself."""
    if status is None or status in _TRANSIENT_STATUSES:
        return False
    # Some servers answer a prompt that is too long with a 500.
    return 400 <= status < 500 or _PROMPT_TOO_LONG.search(error) is not None


def _parse(content: bytes, seconds: float) -> Completion:
    """Return the completion in the body of a response, to chat messages or to a text.

    Raises:
        ValueError: the response has no completion.
    """
    try:
        response = json.loads(content)
        choice = response["choices"][0]
        text = choice["message"]["content"] if "message" in choice else choice["text"]
        usage = response.get("usage") or {}
        finish = choice.get("finish_reason")
        # The text is null after a refusal, or if the model only reasoned: that is an answer too.
        if not isinstance(text, str | None):
            raise TypeError
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError):
        start = content[:_MAX_ERROR_CHARS].decode(errors="replace")
        raise ValueError(f"the server's response has no completion: {start!r}") from None
    counts = [usage.get(name) for name in ("prompt_tokens", "completion_tokens")]
    read, written = (count if isinstance(count, int) else None for count in counts)
    return Completion(
        text or "", finish if isinstance(finish, str) else None, read, written, seconds
    )
