"""Cost of an evaluation on top of its requests: processor time, memory, idle slots.

10,000 items are put to a stub server that takes a tenth of a second for each, 64 at a time, once by
`evaluate` (prompts, requests, scores and the file of results) and once by the bare `openai` package
with the same transport, which keeps nothing. Their difference is the cost of our code.
"""

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from _timing import Cell, Report

from tokenbench import dataset
from tokenbench.item import Item
from tokenbench.run import client, evaluate

STUB = Path(__file__).parents[1] / "tests" / "helpers" / "stub_server.py"
ITEMS = 10_000
FLIGHT = 64
DELAY = 0.1  # seconds of the server for each request
BAR = 1.0  # milliseconds of our own processor time for each request


@contextmanager
def stub_server(counts: dict[str, Any]) -> Iterator[str]:
    """Give the URL of a stub server of its own process and, at the end, its counts."""
    command = [sys.executable, str(STUB), "--counts", f"--delay={DELAY}"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, **pipes) as process:  # type: ignore[call-overload]
        yield process.stdout.readline().strip()
        counts.update(json.loads(process.communicate()[0]))


def bare(url: str, items: list[Item]) -> None:
    """Make the requests with the package alone."""
    import openai

    async def ask() -> None:
        transport = openai.DefaultAioHttpClient()
        slots = asyncio.Semaphore(FLIGHT)
        async with openai.AsyncOpenAI(base_url=url, api_key="none", http_client=transport) as api:

            async def one(item: Item) -> None:
                async with slots:
                    messages = [{"role": "user", "content": item.prompt}]
                    await api.chat.completions.with_raw_response.create(
                        model="stub",
                        messages=messages,  # type: ignore[arg-type]
                    )

            await asyncio.gather(*map(one, items))

    asyncio.run(ask())


def megabytes() -> float:
    """Return the memory that this process holds."""
    fields = Path("/proc/self/status").read_text().splitlines()
    return next(int(field.split()[1]) / 1024 for field in fields if field.startswith("VmRSS"))


def measure(run: Callable[[str], object]) -> tuple[float, float, dict[str, Any]]:
    """Return processor milliseconds and seconds of a run, each of all, and the server's counts."""
    counts: dict[str, Any] = {}
    with stub_server(counts) as url:
        begun, processor = time.monotonic(), time.process_time()
        run(url)
        return (time.process_time() - processor) * 1000, time.monotonic() - begun, counts


def running(report: Report) -> None:
    """Measure both, and report the difference."""
    items = list(dataset("freq", n=ITEMS))
    memory: list[float] = []

    def run_evaluation(url: str) -> None:
        asked = client("openai", "stub", base_url=url, concurrency=FLIGHT)
        done = 0

        def step(_: object) -> None:
            nonlocal done
            done += 1
            if done % (ITEMS // 5) == 0:
                memory.append(megabytes())

        with TemporaryDirectory() as folder:
            evaluate(items, asked, folder, progress=step)

    found = {
        "evaluate": measure(run_evaluation),
        "the package alone": measure(lambda u: bare(u, items)),
    }
    rows: list[list[Cell]] = [
        [name, processor / ITEMS, seconds, counts["most"], counts["mean"]]
        for name, (processor, seconds, counts) in found.items()
    ]
    report.table(
        f"{ITEMS:,} items, {FLIGHT} requests in flight",
        ["by", "processor ms each", "seconds", "most in flight", "mean in flight"],
        rows,
    )
    own = (found["evaluate"][0] - found["the package alone"][0]) / ITEMS
    print(f"\n  ours: {own:.2f} ms each, at most {BAR} ms: {'met' if own <= BAR else 'missed'}")
    print(f"  memory after each fifth: {', '.join(f'{held:.0f}' for held in memory)} MB")


def main() -> None:
    """Measure everything, in one run."""
    report = Report("What an evaluation adds to the requests themselves.")
    running(report)
    report.write()


if __name__ == "__main__":
    main()
