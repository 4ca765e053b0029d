"""`tokenbench eval`: its requests, files, messages and exit status."""

import json
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from command import start
from stub_server import StubServer
from tase_files import one_file_checkout
from typer.testing import CliRunner

from tokenbench import dataset, score
from tokenbench.cli.app import app
from tokenbench.run import read


@pytest.fixture(scope="module")
def server() -> Iterator[StubServer]:
    with StubServer() as server:
        yield server


class Folder:
    """Runs `eval` on a server, into a folder."""

    def __init__(self, root: Path, server: StubServer) -> None:
        self.out, self.server = root / "out", server

    def command(self, *arguments: str) -> list[str]:
        where = ["--base-url", self.server.url, "--retries", "1", "--timeout", "2"]
        return ["eval", "--model", "stub", *where, "--out", str(self.out), *arguments]

    def run(self, *arguments: str, status: int = 0) -> str:
        result = CliRunner().invoke(app, self.command(*arguments))
        assert result.exit_code == status, result.output
        return result.stderr

    def pinned(self) -> Any:
        return json.loads((self.out / "run.json").read_text())


@pytest.fixture
def folder(tmp_path: Path, server: StubServer) -> Folder:
    return Folder(tmp_path, server)


def test_a_suite_is_asked_of_all_its_parts(folder: Folder) -> None:
    stderr = folder.run("--suite", "tase", "-n", "42", "--rules", "exact,graded,published")
    results = read(folder.out).results()
    assert len({(one.task, one.variant, one.lang) for one in results}) == 42
    assert all(len(one.scores) == 3 for one in results)
    assert "reord zh" in stderr
    assert "all" in stderr


def test_parameters_and_languages_choose_the_items(folder: Folder, tmp_path: Path) -> None:
    pack = tmp_path / "sw.txt"
    pack.write_text("Paka analala juu ya meza.\nMama anapika chakula leo.\n", "utf-8")
    param = ["--param", f"pack={pack}", "--split", "train"]
    folder.run("-t", "spell:sw", "-t", "freq", "-n", "4", *param)
    assert {(one.task, one.lang) for one in read(folder.out).results()} == {
        ("spell", "sw"),
        ("freq", "en"),
    }
    assert folder.pinned()["told"]["param"] == [f"pack={pack}"]
    folder.out = tmp_path / "suite"
    folder.run("--suite", "execute", "--lang", "sw", "-n", "4", *param)
    assert {one.lang for one in read(folder.out).results()} == {"sw"}


def test_started_again_it_asks_nothing(folder: Folder) -> None:
    folder.run("-t", "freq:en", "-n", "20")
    before, asked = (folder.out / "results.jsonl").read_bytes(), folder.server.count
    stderr = folder.run("-t", "freq:en", "-n", "20", "--progress")
    assert "20 completions" in stderr.partition("already in")[2]
    assert folder.server.count == asked
    assert (folder.out / "results.jsonl").read_bytes() == before


def test_other_options_are_refused_with_the_difference(folder: Folder) -> None:
    folder.run("-t", "freq:en", "-n", "5")
    stderr = folder.run("-t", "freq:en", "-n", "5", "--temperature", "0", status=2)
    assert "options.sampling.temperature was 0.7 and is 0.0" in stderr


def test_items_of_a_file_and_their_results_fit_score(folder: Folder, tmp_path: Path) -> None:
    items = list(dataset("sort", lang="ko", n=12))
    path = tmp_path / "items.jsonl"
    path.write_text("".join(f"{item.json()}\n" for item in items), encoding="utf-8")
    folder.run("--items", str(path))
    given = ["--items", str(folder.out / "items.jsonl")]
    completions = ["--completions", str(folder.out / "results.jsonl")]
    result = CliRunner().invoke(app, ["score", *given, *completions])
    assert result.exit_code == 0, result.output
    again = [json.loads(line)["score"] for line in result.stdout.splitlines()]
    assert again == [one.scores["exact"] for one in read(folder.out).results()]
    assert again == [score(one.completion, items[one.place]) for one in read(folder.out).results()]


def test_published_items_are_asked(folder: Folder, tmp_path: Path) -> None:
    rows = [(f"How many words has this sentence? {'word ' * n}", str(n)) for n in range(1, 9)]
    root = one_file_checkout(tmp_path / "checkout", rows)
    folder.run("--published", "tase", str(root), "-n", "4", "--rules", "published")
    assert [one.place for one in read(folder.out).results()] == [0, 1, 2, 3]
    assert folder.pinned()["told"].keys() == {"published", "began"}


def test_papers_sample_in_their_own_way(folder: Folder) -> None:
    folder.run("--suite", "charbench", "-n", "3", "--top-k", "9")
    sampling = folder.pinned()["options"]["sampling"]
    assert (sampling["temperature"], sampling["top_p"], sampling["top_k"]) == (0.0, 1.0, 9)


def test_samples_give_pass_at_k(folder: Folder) -> None:
    stderr = folder.run("-t", "freq:en", "-n", "10", "--samples", "3", "--sampling-seed", "4")
    assert "pass@2" in stderr
    assert "pass@3" in stderr
    assert len({body["seed"] for body in folder.server.bodies[-30:]}) == 30


def test_fields_of_the_request_may_be_added(folder: Folder) -> None:
    folder.run("-t", "freq:en", "-n", "1", "--extra", "min_p=0.1", "--extra", "mode=fast")
    assert folder.server.bodies[-1]["min_p"] == 0.1
    assert folder.server.bodies[-1]["mode"] == "fast"


def test_requests_that_fail_are_reported_and_retried(tmp_path: Path) -> None:
    with StubServer(faults=[None, None, "500", "500"]) as server:
        folder = Folder(tmp_path, server)
        stderr = folder.run("-t", "freq:en", "-n", "8", "--concurrency", "1", status=1)
        assert "requests failed: run the same command to retry them" in stderr
    with StubServer() as server:
        folder.server = server
        folder.run("-t", "freq:en", "-n", "8", "--concurrency", "1")
    assert not [one for one in read(folder.out).results() if one.error]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], "choose one of"),
        (["--suite", "tase", "-t", "freq:en"], "not 2"),
        (["--items", "x", "--level", "3"], "have no effect"),
        (["--items", "x", "--param", "length=3"], "have no effect"),
        (["-t", "freq", "--param", "lenght=30"], "did you mean 'length'"),
        (["-t", "freq", "--lang", "zh"], "--lang needs --suite"),
        (["--items", "no such file"], "cannot read"),
        (["--suite", "tasse"], "did you mean 'tase'"),
        (["-t", "freq:en", "--client", "opena"], "did you mean 'openai'"),
        (["-t", "freq:en", "--client", "vllm"], "--base-url is an option of --client openai"),
        (["-t", "freq:en", "--rules", "exakt"], "did you mean 'exact'"),
        (["-t", "freq:en", "--style", "plain"], "unknown style"),
        (["-t", "freq:en", "--extra", "min_p"], "write name=value"),
        (["-t", "freq:en", "--workers", "2"], "options of --engine ray"),
        (["-t", "freq:en", "--top-p", "7"], "top_p must be a number above 0"),
        (["-t", "freq:en", "--byte-level"], "byte-level prompts need"),
    ],
)
def test_wrong_usage_is_an_error_of_one_line(
    folder: Folder, arguments: list[str], expected: str
) -> None:
    stderr = folder.run(*arguments, status=2)
    assert expected in stderr
    assert stderr.startswith("error: ")
    assert stderr.count("\n") == 1


def test_a_server_that_refuses_the_key_ends_it_at_once(tmp_path: Path) -> None:
    with StubServer(faults=["401"]) as server:
        stderr = Folder(tmp_path, server).run("-t", "freq:en", "-n", "50", status=2)
    assert "refuses every request: 401" in stderr
    assert "run the same command again" in stderr


def test_ctrl_c_says_how_to_go_on(tmp_path: Path) -> None:
    with StubServer(delay=0.05) as server:
        folder = Folder(tmp_path, server)
        arguments = folder.command("-t", "freq:en", "-n", "400", "--concurrency", "4")
        with start(arguments) as process:
            while server.count < 20:
                time.sleep(0.01)
            os.kill(process.pid, signal.SIGINT)
            _, stderr = process.communicate(timeout=60)
        assert process.returncode == 130
        assert "run the same command again" in stderr
        assert "Traceback" not in stderr
    kept = (folder.out / "results.jsonl").read_text()
    assert kept.endswith("\n")
    assert 8 <= len(read(folder.out).results()) < 400
