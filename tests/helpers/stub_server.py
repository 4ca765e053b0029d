"""A server that speaks as OpenAI's, answers by rule, and misbehaves as it is told.

`with StubServer(answer, faults=[…]) as server` serves from a thread;
`python tests/helpers/stub_server.py` serves until it is killed, having printed its port. An
answer depends on the prompt alone.
"""

import argparse
import asyncio
import json
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import cycle
from types import TracebackType
from typing import Any, Final

FAULTS: Final = ("drop", "429", "500", "hang", "garbage", "truncate", "empty", "null")
_HANG: Final = 3600.0


def digit(prompt: str) -> str:
    """Answer with some digit."""
    return (
        f"<answer>{int.from_bytes(blake2b(prompt.encode(), digest_size=2).digest()) % 10}</answer>"
    )


class StubServer:
    """The server.

    Args:
        answer: its answer to a prompt.
        faults: how it treats one request after the other, over and over: None as it should, or one
            of FAULTS, or the number of a status.
        delay: seconds before each answer.
        models: those that it lists; requests for another model, or outside /v1, get a 404. None
            accepts all models, and lists none.

    Attributes:
        asked: how often each prompt came.
        bodies: all that came.
        most: the most requests that were in flight at once.
    """

    def __init__(
        self,
        answer: Callable[[str], str] = digit,
        *,
        faults: Iterable[str | None] = (None,),
        delay: float = 0.0,
        port: int = 0,
        keep: bool = True,
        models: Sequence[str] | None = None,
    ) -> None:
        self._answer, self._delay, self._port, self._keep = answer, delay, port, keep
        self._models = models
        self._faults: Iterator[str | None] = cycle(faults)
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self.asked: Counter[str] = Counter()
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[str] = []
        self.flying = self.most = self.count = 0
        self._flown = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}/v1"

    @property
    def mean(self) -> float:
        """How many requests were in flight when one came, itself among them, on average."""
        return self._flown / max(1, self.count)

    def __enter__(self) -> "StubServer":
        self._thread.start()
        self._ready.wait()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()

    def _serve(self) -> None:
        self._loop.run_until_complete(self._main())
        self._loop.close()

    async def _main(self) -> None:
        self._stop = asyncio.Event()
        server = await asyncio.start_server(
            self._answer_connection, "127.0.0.1", self._port, backlog=512
        )
        self._port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._stop.wait()
        server.close()
        # A connection that was just accepted is closed only after its task has begun.
        await asyncio.sleep(0.01)
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _answer_connection(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        try:
            while await self._exchange(reader, writer):
                pass
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        fields = dict(line.lower().split(": ", 1) for line in head.split("\r\n")[1:] if line)
        content = await reader.readexactly(int(fields.get("content-length", 0)))
        path = head.split(" ")[1]
        if self._models is not None and not path.startswith("/v1/"):
            return await _send(writer, 404, b'{"detail": "Not Found"}')
        if path.endswith("/models"):
            listed = {"data": [{"id": name, "object": "model"} for name in self._models or ()]}
            return await _send(writer, 200, json.dumps(listed).encode())
        body = json.loads(content)
        if self._models is not None and body["model"] not in self._models:
            said = {"error": {"message": "no such model", "code": "model_not_found"}}
            return await _send(writer, 404, json.dumps(said).encode())
        self.count += 1
        prompt = _prompt(body)
        if self._keep:
            self.asked[prompt] += 1
            self.bodies.append(body)
            self.headers.append(head)
        self.flying += 1
        self.most = max(self.most, self.flying)
        self._flown += self.flying
        try:
            await asyncio.sleep(self._delay)
            return await self._answered(body, prompt, next(self._faults), writer)
        finally:
            self.flying -= 1

    async def _answered(
        self, body: Mapping[str, Any], prompt: str, fault: str | None, writer: asyncio.StreamWriter
    ) -> bool:
        if fault == "hang":
            await asyncio.sleep(_HANG)
        if fault == "drop":
            return False
        if fault is not None and fault.isdigit():
            said = {"error": {"message": f"fault {fault}", "type": "stub", "code": None}}
            return await _send(writer, int(fault), json.dumps(said).encode())
        said = _chat(body, self._answer(prompt), fault)
        content = json.dumps(said).encode()
        if fault == "garbage":
            content = b'{"choices": [{"mess'
        if fault == "truncate":
            return await _send(writer, 200, content, kept=len(content) // 2)
        return await _send(writer, 200, content)


def _prompt(body: Mapping[str, Any]) -> str:
    return str(body["messages"][-1]["content"] if "messages" in body else body["prompt"])


def _chat(body: Mapping[str, Any], text: str, fault: str | None) -> dict[str, Any]:
    spoken: Any = {"role": "assistant", "content": None if fault == "null" else text}
    choice = {"message": spoken} if "messages" in body else {"text": text}
    return {
        "id": "stub",
        "object": "chat.completion" if "messages" in body else "text_completion",
        "created": int(time.time()),
        "model": body["model"],
        "choices": [] if fault == "empty" else [{"index": 0, "finish_reason": "stop", **choice}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
    }


async def _send(
    writer: asyncio.StreamWriter, status: int, content: bytes, kept: int | None = None
) -> bool:
    head = f"HTTP/1.1 {status} Stub\r\nContent-Type: application/json\r\n"
    head += f"Content-Length: {len(content)}\r\n"
    head += "Retry-After-Ms: 5\r\n" if status in (429, 500) else ""
    writer.write(head.encode() + b"\r\n" + content[:kept])
    await writer.drain()
    return kept is None


def main() -> None:
    """Serve until killed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--delay", type=float, default=0.0)
    parser.add_argument("--fault", action="append", default=[])
    parser.add_argument("--counts", action="store_true", help="print them when stdin is closed")
    options = parser.parse_args()
    faults = [None if fault == "none" else fault for fault in options.fault] or [None]
    with StubServer(faults=faults, delay=options.delay, port=options.port, keep=False) as server:
        print(server.url, flush=True)
        if not options.counts:
            threading.Event().wait()
        sys.stdin.read()
        counts = {"count": server.count, "most": server.most, "mean": server.mean}
        print(json.dumps(counts), flush=True)


if __name__ == "__main__":
    main()
