"""Evaluations on a real Ray: equal to those of this process, whatever happens to the workers."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import ray
from small_ray import PATHS, running
from stub_client import StubClient

from tokenbench import dataset
from tokenbench.errors import ClientError, MissingExtraError, TokenbenchError
from tokenbench.run import Options, Result, Run, Sampling, evaluate, on_ray, read
from tokenbench.run.evaluation import Work

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:ray")

ITEMS = dataset("freq", n=300)
OPTIONS = Options(samples=2, sampling=Sampling(seed=1))
INTERRUPTED = """
import signal
import sys
from pathlib import Path
from stub_client import StubClient
from tokenbench import dataset
from tokenbench.errors import ClientError
from tokenbench.run import Options, Sampling, evaluate, on_ray

signal.signal(signal.SIGINT, signal.default_int_handler)  # a test run in the background ignores it
folder = Path(sys.argv[1])
options = Options(samples=2, sampling=Sampling(seed=1))
slow = StubClient(folder, delay=0.05)
try:
    evaluate(dataset("freq", n=300), slow, folder / "run", options=options, engine=on_ray(batch=16))
except KeyboardInterrupt:
    sys.exit(3)
"""


@pytest.fixture(scope="module")
def small_ray() -> Iterator[None]:
    """A Ray of the caller's own, as small as it can be, whose workers know the stub."""
    with running():
        yield


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> list[Result]:
    """The results of a run in this process."""
    folder = tmp_path_factory.mktemp("local")
    return evaluate(ITEMS, StubClient(folder), folder / "run", options=OPTIONS).results()


def is_complete(run: Run, expected: list[Result]) -> bool:
    """Return whether a run has all its lines, and no line twice."""
    lines = (run.folder / "results.jsonl").read_text().splitlines()
    return run.results() == expected and len(lines) == len(expected)


@pytest.mark.thorough
@pytest.mark.usefixtures("small_ray")
def test_an_error_keeps_what_came_before_and_two_workers_do_the_rest(
    tmp_path: Path, expected: list[Result]
) -> None:
    """As this process would, which does none of it; the caller's Ray still runs."""
    folder = tmp_path / "run"
    with pytest.raises(ClientError, match="the stub serves no more"):
        evaluate(
            ITEMS,
            StubClient(tmp_path, fails=40),
            folder,
            options=OPTIONS,
            engine=on_ray(batch=48),
        )
    kept = read(folder).results()
    assert len(kept) >= 40
    assert all(result in expected for result in kept)
    states: list[int] = []
    run = evaluate(
        ITEMS,
        StubClient(tmp_path),
        folder,
        options=OPTIONS,
        engine=on_ray(workers=2, batch=48),
        on_progress=lambda progress: states.append(progress.n_saved - progress.n_resumed),
    )
    assert is_complete(run, expected)
    assert states[-1] == len(expected) - len(kept)
    assert any(name.isdigit() for name in os.listdir(tmp_path))
    assert not (tmp_path / str(os.getpid())).exists()
    assert ray.is_initialized()


@pytest.mark.thorough
@pytest.mark.usefixtures("small_ray")
def test_a_worker_that_is_killed_changes_nothing(tmp_path: Path, expected: list[Result]) -> None:
    client = StubClient(tmp_path, kills=1)
    engine = on_ray(workers=2, batch=32)
    run = evaluate(ITEMS, client, tmp_path / "run", options=OPTIONS, engine=engine)
    assert (tmp_path / "kill 0").exists()
    assert is_complete(run, expected)


@pytest.mark.thorough
@pytest.mark.usefixtures("small_ray")
def test_a_batch_that_ends_every_worker_is_given_up(tmp_path: Path) -> None:
    """Ray would start workers for it for ever."""
    client = StubClient(tmp_path, kills=1_000)
    with pytest.raises(ClientError, match="has ended 3 workers"):
        evaluate(ITEMS[:20], client, tmp_path / "run", engine=on_ray())
    assert len(list(tmp_path.glob("kill *"))) == 3


@pytest.mark.thorough
def test_a_ray_of_its_own_is_quiet_stops_at_once_and_leaves_whole_lines(
    tmp_path: Path, expected: list[Result]
) -> None:
    """Ctrl-C in the middle of a run; only Ray may say that this ended its workers."""
    results = tmp_path / "run" / "results.jsonl"
    with subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED, str(tmp_path)],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": PATHS},
        start_new_session=True,
    ) as process:
        try:
            while process.poll() is None and not (results.exists() and results.stat().st_size):
                time.sleep(0.1)
            process.send_signal(signal.SIGINT)
            said, _ = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == 3
    assert [line for line in said.splitlines() if b"(raylet)" not in line] == []
    found = read(tmp_path / "run").results()
    assert 0 < len(found) < len(expected)
    assert all(result in expected for result in found)


def test_nothing_to_do_starts_no_ray(tmp_path: Path) -> None:
    before = ray.is_initialized()
    assert (
        list(on_ray()(StubClient(tmp_path, fails=0), Work(ITEMS, OPTIONS, lambda _: []), [])) == []
    )
    assert ray.is_initialized() == before


@pytest.mark.parametrize("address", ["127.0.0.1:1", "[::1]:1", "nowhere.invalid:6379", "nonsense"])
def test_a_cluster_that_does_not_answer_is_reported_at_once(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ray itself would try for minutes and then end the process."""
    monkeypatch.setenv("RAY_ADDRESS", address)
    monkeypatch.setattr(ray, "is_initialized", lambda: False)  # another test's may run
    with pytest.raises(ClientError, match=f"no Ray cluster at RAY_ADDRESS='{re.escape(address)}'"):
        evaluate(ITEMS[:2], StubClient(tmp_path), tmp_path / "run", engine=on_ray())


def test_the_reason_why_a_cluster_cannot_be_joined_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ray's own message says that it failed, and its cause says why."""

    def refuse(*_: object, **__: object) -> None:
        raise ConnectionError("Failed") from RuntimeError("Traceback:\nthe token is missing\n")

    monkeypatch.setenv("RAY_ADDRESS", "ray://head:10001")
    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    monkeypatch.setattr(ray, "init", refuse)
    with pytest.raises(ClientError, match=r"'ray://head:10001': the token is missing$"):
        evaluate(ITEMS[:2], StubClient(tmp_path), tmp_path / "run", engine=on_ray())


def test_requests_that_cannot_be_met(monkeypatch: pytest.MonkeyPatch) -> None:
    for wrong in ({"workers": 0}, {"batch": 0}, {"num_cpus": -1.0}, {"num_gpus": -1.0}):
        with pytest.raises(TokenbenchError) as caught:
            on_ray(**wrong)
        assert {caught.value.argument} == wrong.keys()
    monkeypatch.setitem(sys.modules, "ray.data", None)
    with pytest.raises(MissingExtraError, match="ray"):
        on_ray()
