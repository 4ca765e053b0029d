"""A client that answers by rule and fails as it is told, for workers in processes of their own."""

import os
import signal
import time
from collections.abc import Iterable, Iterator, Mapping
from hashlib import blake2b
from pathlib import Path

from tokenbench.errors import ClientError
from tokenbench.item import Json
from tokenbench.run import Completion, Request, Sampling


class StubClient:
    """The client; an answer depends on the prompt and its seed alone.

    Args:
        folder: where each process that does some of the work leaves a file named by its id.
        kills: how often the process kills itself in the middle of its requests, over all processes.
        fails: the number of the request that raises a ClientError.
        delay: seconds before each answer.
    """

    def __init__(
        self, folder: Path, *, kills: int = 0, fails: int | None = None, delay: float = 0.0
    ) -> None:
        self.folder, self.kills, self.fails, self.delay = folder, kills, fails, delay

    def facts(self) -> Mapping[str, Json]:
        return {"client": "stub", "model": "stub"}

    def stream(
        self, requests: Iterable[Request], sampling: Sampling
    ) -> Iterator[tuple[int, Completion]]:
        del sampling
        (self.folder / str(os.getpid())).touch()
        for place, request in enumerate(requests):
            if place == 5:
                self._kill()
            if place == self.fails:
                raise ClientError("the stub serves no more")
            time.sleep(self.delay)
            drawn = blake2b(f"{request.prompt} {request.seed}".encode(), digest_size=2).digest()
            yield place, Completion(f"<answer>{drawn[0] % 10}</answer>", "stop")

    def _kill(self) -> None:
        for number in range(self.kills):
            try:
                (self.folder / f"kill {number}").touch(exist_ok=False)
            except FileExistsError:
                continue
            os.kill(os.getpid(), signal.SIGKILL)
