"""Requests to a server that speaks as OpenAI's, in an event loop of their own."""

import asyncio
import json
import threading
import time
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

import openai

from tokenbench.item import Json
from tokenbench.run.health import Outcome
from tokenbench.run.protocol import Completion

_PAUSE: Final = 10.0  # seconds at most between two tries
_SHOWN: Final = 300  # characters of what a server says


@contextmanager
def server(
    connect: Callable[[], openai.AsyncOpenAI],
) -> Iterator[tuple[openai.AsyncOpenAI, Callable[[Coroutine[Any, Any, None]], None]]]:
    """Give the server's interface, and what starts a coroutine in a loop of a thread of its own.

    At the end what still runs there is dropped.
    """
    api = connect()  # before there is a thread to be ended
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="tokenbench requests", daemon=True)
    thread.start()
    running: set[asyncio.Task[None]] = set()  # the loop itself holds its tasks but weakly

    def start(work: Coroutine[Any, Any, None]) -> None:
        task = loop.create_task(work)
        running.add(task)
        task.add_done_callback(running.discard)

    def spawn(work: Coroutine[Any, Any, None]) -> None:
        loop.call_soon_threadsafe(start, work)

    async def close() -> None:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        await api.close()

    try:
        yield api, spawn
    finally:
        asyncio.run_coroutine_threadsafe(close(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def outcome(
    api: openai.AsyncOpenAI, place: int, body: Mapping[str, Json], timeout: float, retries: int
) -> Outcome:
    """Return what comes of one request, after all its tries.

    Args:
        api: of the server.
        place: of the request.
        body: what is sent, with `messages` or a `prompt`.
        timeout: seconds for one try.
        retries: tries after the first.
    """
    begun = time.monotonic()
    given = {name: body[name] for name in ("model", "messages", "prompt") if name in body}
    rest = {name: value for name, value in body.items() if name not in given}
    resource = api.chat.completions if "messages" in body else api.completions
    status: int | None = None
    try:
        # The package bounds the time between two bytes; this, a server that sends one now and then.
        async with asyncio.timeout((retries + 1) * (timeout + _PAUSE)):
            for tried in range(retries + 1):
                # Parsed here: a server's answer may be anything.
                answer = await resource.with_raw_response.create(**given, extra_body=rest)
                try:
                    completion = _completion(answer.content, time.monotonic() - begun)
                    return Outcome(place, completion)
                except _Garbage as garbage:
                    error = str(garbage)
                await asyncio.sleep(min(_PAUSE, 2.0**tried / 2))
    except openai.APIStatusError as failed:
        status, error = failed.status_code, f"{failed.status_code}: {_said(failed)}"
    except TimeoutError:
        error = "no whole answer within the time of all tries"
    except openai.OpenAIError as failed:
        error = f"{failed} {failed.__cause__ or ''}".strip()[:_SHOWN]
    seconds = time.monotonic() - begun
    return Outcome(place, Completion(None, seconds=seconds, error=error), status)


class _Garbage(Exception):
    """An answer that is no completion."""


def _completion(content: bytes, seconds: float) -> Completion:
    """Return the completion in the body of an answer, of a chat or of a continued text."""
    try:
        answer = json.loads(content)
        choice = answer["choices"][0]
        text = choice["message"]["content"] if "message" in choice else choice["text"]
        usage = answer.get("usage") or {}
        counts = [usage.get(name) for name in ("prompt_tokens", "completion_tokens")]
        finish = choice.get("finish_reason")
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError):
        said = content[:_SHOWN].decode(errors="replace")
        raise _Garbage(f"the server's answer is no completion: {said!r}") from None
    if not isinstance(text, str | None):
        raise _Garbage(f"the server's completion is no text: {text!r:.80}")
    prompt_tokens, completion_tokens = (
        count if isinstance(count, int) else None for count in counts
    )
    return Completion(
        text or "",  # null if all was reasoning, or a refusal: an answer nevertheless
        finish if isinstance(finish, str) else None,
        prompt_tokens,
        completion_tokens,
        seconds,
    )


def _said(failed: openai.APIStatusError) -> str:
    return " ".join(failed.message.split())[:_SHOWN]
