"""`tokenbench eval`: its requests, files, messages and exit status."""

import json
import os
import re
import signal
import time
import tomllib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from command import invoke, start
from stub_server import StubServer
from tase_files import one_file_checkout
from typer.testing import CliRunner, Result

from tokenbench import dataset, score
from tokenbench.builtin import PAPERS
from tokenbench.cli import render
from tokenbench.cli.app import app
from tokenbench.cli.eval import _TEMPLATE
from tokenbench.draw import SPLITS
from tokenbench.extraction import EXTRACTS
from tokenbench.prompts import STYLES
from tokenbench.run import Options, read
from tokenbench.run.clients import CLIENTS
from tokenbench.scoring import RULES


@pytest.fixture(scope="module")
def server() -> Iterator[StubServer]:
    with StubServer() as server:
        yield server


class Folder:
    """Runs `eval` on a server, into a folder."""

    def __init__(self, root: Path, server: StubServer) -> None:
        self.out, self.server = root / "out", server

    def command(self, *arguments: str, **settings: Any) -> list[str]:
        """Return the command with options, and with settings in a file."""
        lines = [f"{name} = {json.dumps(value)}\n" for name, value in settings.items()]
        config = self.out.with_name("run.toml")
        config.parent.mkdir(exist_ok=True)
        config.write_text(
            "".join(["retries = 1\n" * ("retries" not in settings), "timeout = 2\n", *lines])
        )
        where = ["--base-url", self.server.url, "--out", str(self.out)]
        return ["eval", str(config), "--model", "stub", *where, *arguments]

    def run(self, *arguments: str, status: int = 0, **settings: Any) -> str:
        return self.both(*arguments, status=status, **settings).stderr

    def table(self, *arguments: str, **settings: Any) -> str:
        return self.both(*arguments, **settings).stdout

    def both(self, *arguments: str, status: int = 0, **settings: Any) -> Result:
        return invoke(*self.command(*arguments, **settings), status=status)

    def manifest(self) -> Any:
        return json.loads((self.out / "run.json").read_text())


@pytest.fixture
def folder(tmp_path: Path, server: StubServer) -> Folder:
    return Folder(tmp_path, server)


def test_a_suite_is_asked_of_all_its_parts(folder: Folder) -> None:
    run = folder.both("--suite", "tase", "-n", "42", rules=["exact,graded", "published"])
    results = read(folder.out).results()
    assert len({(one.task, one.variant, one.lang) for one in results}) == 42
    assert all(len(one.scores) == 3 for one in results)
    assert run.stderr.startswith("42 items of 42 parts, 1 completion each\n")
    first = [line.split()[0] for line in run.stdout.splitlines()]
    assert first[1:43] == list(read(folder.out).summary()["parts"])
    assert first[-1] == "all"
    assert {"reord:zh", "reord", "zh", "compm:split"} < set(first)


def test_the_number_of_items_is_a_total_and_printed(folder: Folder) -> None:
    stderr = folder.run("--suite", "tase", "-n", "21", "--lang", "ko")
    assert stderr.count("21 items of 14 parts, 1 completion each\n") == 1
    assert len(read(folder.out).results()) == 21


def test_unique_items_are_asked_once(folder: Folder) -> None:
    folder.run("-t", "spell:en@9", "-n", "40", unique=True)
    results = read(folder.out).results()
    assert len(results) == len(dataset("spell:en@9", split="test")) < 40
    assert folder.manifest()["metadata"]["unique"] is True


def test_parameters_and_languages_choose_the_items(folder: Folder, tmp_path: Path) -> None:
    pack = tmp_path / "sw.txt"
    pack.write_text("Paka analala juu ya meza.\nMama anapika chakula leo.\n", "utf-8")
    param = ["--param", f"pack={pack}"]
    folder.run("-t", "spell:sw", "-t", "freq", "-n", "4", *param, split="train")
    assert {(one.task, one.lang) for one in read(folder.out).results()} == {
        ("spell", "sw"),
        ("freq", "en"),
    }
    assert folder.manifest()["metadata"]["param"] == [f"pack={pack}"]
    folder.out = tmp_path / "suite"
    folder.run("--suite", "execute", "--lang", "sw", "-n", "4", *param, split="train")
    assert {one.lang for one in read(folder.out).results()} == {"sw"}


def test_started_again_it_asks_nothing(folder: Folder) -> None:
    folder.run("-t", "freq:en", "-n", "20")
    before, asked = (folder.out / "results.jsonl").read_bytes(), folder.server.count
    stderr = folder.run("-t", "freq:en", "-n", "20", "--progress")
    assert "20 of 20 completions already in" in stderr
    assert "\n20 of 20 completions\n" in stderr
    assert folder.server.count == asked
    assert (folder.out / "results.jsonl").read_bytes() == before


def test_other_options_are_refused_for_a_run_that_exists(folder: Folder) -> None:
    folder.run("-t", "freq:en", "-n", "5")
    others: list[dict[str, Any]] = [{"n": 3}, {"level": 0}, {"unique": True}, {"seed": 2}]
    for settings in others:
        assert "continues with its own items: leave" in folder.run(**settings, status=2)
    stderr = folder.run("-t", "freq:en", "-n", "5", temperature=0, status=2)
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
    assert again == [score(one.completion, items[one.index]) for one in read(folder.out).results()]


def test_published_items_are_asked(folder: Folder, tmp_path: Path) -> None:
    rows = [(f"How many words has this sentence? {'word ' * n}", str(n)) for n in range(1, 9)]
    root = one_file_checkout(tmp_path / "checkout", rows)
    folder.run("-n", "4", published=["tase", str(root)], rules=["published"])
    assert [one.index for one in read(folder.out).results()] == [0, 1, 2, 3]
    assert folder.manifest()["metadata"].keys() == {"published", "n", "began"}


def test_papers_sample_in_their_own_way(folder: Folder) -> None:
    folder.run("--suite", "charbench", "-n", "3", top_k=9)
    sampling = folder.manifest()["options"]["sampling"]
    assert (sampling["temperature"], sampling["top_p"], sampling["top_k"]) == (0.0, 1.0, 9)
    folder.run()
    assert folder.manifest()["options"]["sampling"] == sampling


def test_the_table_says_of_how_many_items_a_score_is(folder: Folder) -> None:
    parts = ["-t", "freq:en", "-t", "trap:en"]
    stderr = folder.run(*parts, "-n", "4", rules=["exact", "published"])
    assert stderr.endswith("\npublished: 2 of 4 different items have such a score\n")


def test_repeated_items_count_once_and_the_table_says_so(folder: Folder) -> None:
    """A table without repeats has no such column."""
    run = folder.both("-t", "spell:en@9", "-t", "freq:en", "-n", "200")
    header, *_, total = [line.split() for line in run.stdout.splitlines() if line.strip()]
    n = read(folder.out).summary()["all"]["different_items"]
    assert header[:3] == ["task", "items", "different"]
    assert total[:3] == ["all", "200", str(n)]
    folder.out = folder.out.with_name("unique")
    run = folder.both("-t", "freq:en", "-n", "9")
    assert "different" not in run.stdout + run.stderr


def test_samples_give_pass_at_k(folder: Folder) -> None:
    table = folder.table("-t", "freq:en", "-n", "10", samples=3, sampling_seed=4)
    assert {"pass@2", "pass@3"} < set(table.splitlines()[0].split())
    assert len({body["seed"] for body in folder.server.bodies[-30:]}) == 30


def test_fields_of_the_request_may_be_added(folder: Folder) -> None:
    fields: dict[str, Any] = {"extra.min_p": 0.1, "extra.mode": "fast"}
    folder.run("-t", "freq:en", "-n", "1", **fields)
    assert folder.server.bodies[-1]["min_p"] == 0.1
    assert folder.server.bodies[-1]["mode"] == "fast"


def test_requests_that_fail_are_reported_and_retried(tmp_path: Path) -> None:
    with StubServer(faults=[None, None, "500", "500"]) as server:
        folder = Folder(tmp_path, server)
        stderr = folder.run("-t", "freq:en", "-n", "8", concurrency=1, status=1)
        assert "2 requests failed: run the same command to retry" in stderr
    with StubServer() as server:
        folder.server = server
        folder.run("-t", "freq:en", "-n", "8", concurrency=1)
    assert not [one for one in read(folder.out).results() if one.error]


def test_refused_requests_are_distinguished_from_temporary_failures(tmp_path: Path) -> None:
    with StubServer(faults=[None, None, "500", "500", None, "400"]) as server:
        folder = Folder(tmp_path, server)
        stderr = folder.run("-t", "freq:en", "-n", "5", concurrency=1, status=1)
    assert "\n2 requests failed (1 refused for good): run the same command to retry\n" in stderr


def test_a_server_that_is_down_leaves_nothing(tmp_path: Path, server: StubServer) -> None:
    with StubServer() as gone:
        pass
    folder = Folder(tmp_path, gone)
    stderr = folder.run("-t", "freq:en", "-n", "2", retries=0, status=2)
    assert "stopped: nothing was saved\nerror: cannot connect to " in stderr
    assert "--base-url" in stderr
    assert not folder.out.exists()
    for folder.server in (server, gone):
        folder.run("-t", "freq:en", "-n", "2")


@pytest.mark.parametrize(
    ("fault", "expected"),
    [("500", "2 requests failed, and none succeeded"), ("401", "refuses every request: 401")],
)
def test_a_run_without_any_completion_leaves_nothing(
    tmp_path: Path, fault: str, expected: str
) -> None:
    with StubServer(faults=[fault]) as server:
        folder = Folder(tmp_path, server)
        stderr = folder.run("-t", "freq:en", "-n", "2", retries=0, status=2)
    assert expected in stderr
    assert "stopped: nothing was saved\n" in stderr
    assert not folder.out.exists()


def test_without_a_key_nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    out = tmp_path / "runs" / "one"
    arguments = ["eval", "--model", "m", "-t", "freq:en", "-n", "2", "--out", str(out)]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 2
    assert "no key for OpenAI's server" in result.stderr
    assert "name another server" in result.stderr
    assert not out.parent.exists()


def test_the_summary_is_printed_as_json_on_request(folder: Folder) -> None:
    printed = folder.table("-t", "freq:en", "-n", "5", "--json")
    assert json.loads(printed) == read(folder.out).summary()
    assert printed == (folder.out / "summary.json").read_text("utf-8")


def test_the_table_says_why_scores_are_low(tmp_path: Path) -> None:
    answers = {"no answer": "no idea", "unparsable": "<answer>many</answer>"}
    for number, (column, answer) in enumerate(answers.items()):
        with StubServer(lambda _, answer=answer: answer) as server:  # type: ignore[misc]
            table = Folder(tmp_path / str(number), server).table("-t", "freq:en", "-n", "3")
        header, *_, last = table.splitlines()
        values = dict(zip(re.split(r"  +", header), re.split(r"  +", last), strict=True))
        assert values[column] == "100 %"
        assert values["cut off"] == "0 %"
        assert values["exact"].startswith("0.000")


def test_progress_is_drawn_on_a_terminal_wherever_the_table_goes(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It shows progress even if standard output is the same terminal."""
    assert "completions" not in folder.run("-t", "freq:en", "-n", "4")
    monkeypatch.setattr(render, "is_terminal", lambda **_: True)
    assert "4 of 4 completions" in folder.run("-t", "freq:en", "-n", "4")


@pytest.mark.parametrize(("width", "samples"), [(60, 1), (80, 1), (80, 4), (100, 4), (200, 4)])
def test_a_table_fits_the_terminal_or_names_the_columns_left_out(
    folder: Folder, monkeypatch: pytest.MonkeyPatch, width: int, samples: int
) -> None:
    monkeypatch.setattr(render, "is_terminal", lambda **_: True)
    monkeypatch.setenv("COLUMNS", str(width))
    arguments = ["-t", "compm:ko:combine", "-t", "freq:en", "-n", "4", "--no-progress"]
    rules = ["exact", "graded", "published"]
    run = folder.both(*arguments, samples=samples, rules=rules)
    assert max(map(len, run.stdout.splitlines())) <= width
    words = set(re.findall(r"[^\s│┃┡━]+", run.stdout))
    assert {"task", "items", "exact", "graded", "published", "compm:ko:combine"} <= words
    n_intervals = len(re.findall(r"│ \[0\.\d{3}, [01]\.\d{3}\]", run.stdout.splitlines()[-2]))
    assert (n_intervals == 3 + 2 * (samples > 1)) == ("95 % interval" not in run.stderr)


def test_a_run_goes_on_without_the_files_of_its_items(
    folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "items.jsonl"
    path.write_text("".join(f"{item.json()}\n" for item in dataset("sort", n=6)), "utf-8")
    monkeypatch.chdir(tmp_path)
    arguments = ["--items", "items.jsonl", "-n", "4"]
    folder.run(*arguments)
    results = folder.out / "results.jsonl"
    results.write_text("".join(results.read_text().splitlines(keepends=True)[:3]))
    path.unlink()
    asked = folder.server.count
    stderr = folder.run(*arguments)
    assert f"(No such file or directory): using the items in {str(folder.out)!r}" in stderr
    assert folder.server.count == asked + 1
    results.write_text("")
    folder.run()
    assert folder.server.count == asked + 5
    stderr = folder.run("--items", "others.jsonl", status=2)
    assert stderr == "error: cannot read 'others.jsonl' (No such file or directory)\n"


def test_items_of_a_run_bring_their_pack(
    folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Few-shot examples of another run come from the copy that the first one keeps."""
    monkeypatch.chdir(tmp_path)
    words = [f"{first}{last}" for first in "ptksmr" for last in ("am", "in", "ul", "ar")]
    lines = [f"Ka {' '.join(words[start : start + 5])}.\n" for start in range(0, 20, 2)]
    Path("sw.txt").write_text("".join(lines), "utf-8")
    items = dataset("spell", lang="sw", pack="sw.txt", n=3)
    Path("items.jsonl").write_text("".join(f"{item.json()}\n" for item in items), "utf-8")
    folder.run("--items", "items.jsonl")
    Path("sw.txt").unlink()
    stderr = folder.run("--items", "items.jsonl", "--style", "fewshot", "-o", "two", status=2)
    assert "pack='sw.txt': no such file" in stderr
    assert "item 0: " in stderr
    kept = str(folder.out / "items.jsonl")
    folder.run("--items", kept, "--style", "fewshot", "-o", "two")
    assert read("two").messages(0)[0]["content"].count("<answer>") == 5


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], "choose one of"),
        (["--suite", "tase", "-t", "freq:en"], "choose one of"),
        (["--items", "x", "--param", "length"], "write name=value"),
        (["-t", "freq", "--param", "lenght=30"], "did you mean 'length'"),
        (["-t", "freq", "--lang", "zh"], "--lang needs --suite"),
        (["--items", "no such file"], "cannot read"),
        (["--suite", "tasse"], "did you mean 'tase'"),
        (["-t", "freq:en", "--client", "opena"], "did you mean 'openai'"),
        (["-t", "freq:en", "--style", "plain"], "unknown style"),
        (["--items", os.devnull], f"{os.devnull!r} contains no items"),
    ],
)
def test_wrong_usage_is_an_error_of_one_line(
    folder: Folder, arguments: list[str], expected: str
) -> None:
    stderr = folder.run(*arguments, status=2)
    assert expected in stderr
    assert stderr.startswith("error: ")
    assert len(stderr.splitlines()) == 1
    assert not folder.out.exists()


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"temprature": 1}, "unknown setting 'temprature': "),
        ({"temprature": 1}, "did you mean 'temperature'?"),
        ({"samples": "3"}, "samples 3: expected a whole number"),
        ({"samples": True}, "samples: expected a whole number"),
        ({"timeouts": 3}, "did you mean 'timeout'?"),
        ({"stop": "x"}, "stop x: expected a list of strings"),
        ({"task": ["freq"], "stop": [""]}, "stop"),
        ({"published": ["tase"]}, "expected a name and a path"),
        ({"published": ["tasse", "."]}, "did you mean 'tase'"),
        ({"items": "x", "level": 3}, "no effect"),
        ({"task": ["freq"], "suite": "tase"}, "choose one of"),
        ({"task": ["freq"], "rules": ["exakt"]}, "did you mean 'exact'"),
        ({"task": ["freq"], "client": "vllm"}, "extra"),
        ({"task": ["freq"], "workers": 2}, "without engine = 'ray'"),
        ({"task": ["freq"], "engine": "rey"}, "did you mean 'ray'?"),
        ({"task": ["freq"], "top_p": 7}, "top_p"),
        ({"task": ["freq"], "n": 0}, "--n 0: expected a whole number from 1 on"),
        ({"task": ["freq"], "byte_level": True}, "byte-level prompts"),
    ],
)
def test_a_wrong_setting_is_named(folder: Folder, settings: dict[str, Any], expected: str) -> None:
    stderr = folder.run(**settings, status=2)
    assert expected in stderr
    assert stderr.splitlines()[-1].startswith("error: ")
    assert not folder.out.exists()


def test_the_settings_that_are_printed_can_be_read(folder: Folder) -> None:
    """As they are, they are the defaults; each of them can be set as its example shows."""
    printed = CliRunner().invoke(app, ["eval", "--write-config"]).stdout
    whole = tomllib.loads(printed)
    assert whole["samples"] == 1
    every = tomllib.loads(re.sub(r"^# (\w+ = )", r"\1", printed, flags=re.MULTILINE))
    assert whole.keys() < every.keys() >= {"temperature", "published", "api_key", "extra", "out"}
    path = folder.out.with_name("whole.toml")
    path.write_text(printed, encoding="utf-8")
    arguments = folder.command("-t", "freq:en", "-n", "2")
    result = CliRunner().invoke(app, ["eval", str(path), *arguments[2:]])
    assert result.exit_code == 0, result.output
    assert folder.manifest()["options"] == Options().json()


def test_options_override_the_file(folder: Folder) -> None:
    """Another source of items takes the place of the one in the file."""
    folder.run("-t", "freq:en", "-n", "2", "--max-tokens", "9", suite="tase", n=7, max_tokens=5)
    assert folder.manifest()["metadata"]["task"] == ["freq:en"]
    assert folder.manifest()["options"]["sampling"]["max_tokens"] == 9
    assert len(read(folder.out).results()) == 2


def test_a_file_alone_is_a_run(folder: Folder) -> None:
    [_, config, *_] = folder.command(
        task=["freq:en"], n=2, model="stub", base_url=folder.server.url, out=str(folder.out)
    )
    result = CliRunner().invoke(app, ["eval", config])
    assert result.exit_code == 0, result.output
    assert "--out is missing" in CliRunner().invoke(app, ["eval", "--model", "m"]).stderr
    assert "cannot read" in CliRunner().invoke(app, ["eval", "no.toml"]).stderr
    Path(config).write_text("n = ")
    assert "is not TOML" in CliRunner().invoke(app, ["eval", config]).stderr


def test_ctrl_c_says_how_to_go_on(tmp_path: Path) -> None:
    with StubServer(delay=0.05) as server:
        folder = Folder(tmp_path, server)
        arguments = folder.command("-t", "freq:en", "-n", "400", concurrency=4)
        with start(arguments) as process:
            while server.count < 20:
                time.sleep(0.01)
            os.kill(process.pid, signal.SIGINT)
            _, stderr = process.communicate(timeout=60)
        assert process.returncode == 130
        assert "Traceback" not in stderr
    kept = (folder.out / "results.jsonl").read_text()
    assert kept.endswith("\n")
    n_kept = len(read(folder.out).results())
    assert 8 <= n_kept < 400
    [said] = re.finditer(r"stopped: (\d+) of 400 completions saved in (.*): run the same", stderr)
    assert said[2] == repr(str(folder.out))
    # The signal may come after a line is written and before it is counted.
    assert n_kept - 1 <= int(said[1]) <= n_kept
    assert json.loads((folder.out / "summary.json").read_text())["completions"]["done"] == n_kept


def test_the_published_style_and_the_published_rule_belong_together(folder: Folder) -> None:
    style = ["--suite", "charbench", "-n", "1", "--style", "published"]
    assert "<answer> tags" not in folder.run(*style)
    assert {name for one in read(folder.out).results() for name in one.scores} == {"published"}
    mixed = ["-t", "count_char", "-t", "freq", "-n", "4"]
    tagged = "published: the published scorers of count_char do not read <answer> tags"
    bare = "graded: prompts of count_char do not"
    for arguments, rules, unread in (
        (style, ["graded"], bare),
        (mixed, ["exact", "published"], tagged),
    ):
        folder.out = folder.out.parent / unread[:6]
        assert folder.run(*arguments, rules=rules).splitlines()[1].startswith(unread)


def test_questions_alone_need_a_message_that_asks_for_tags(folder: Folder) -> None:
    question = ["-t", "freq", "-n", "1", "--style", "question"]
    line = "exact, graded: prompts of freq do not ask for <answer> tags"
    assert folder.run(*question).splitlines()[1].startswith(line)
    others: list[dict[str, Any]] = [{"system": "Answer in <answer> tags."}, {"extract": "raw"}]
    for number, settings in enumerate(others):
        folder.out = folder.out.parent / str(number)
        assert "tags" not in folder.run(*question, **settings)


def test_a_rule_that_can_judge_no_item_is_refused_before_a_request(folder: Folder) -> None:
    stderr = folder.run("--suite", "adt", "-n", "4", rules=["exact", "published"], status=2)
    assert "has no such scorer" in stderr
    assert not Path(folder.out).exists()


def test_the_template_of_the_settings_names_what_can_be_chosen() -> None:
    lines = _TEMPLATE.splitlines()
    help_of = {line.split(" = ")[0].removeprefix("# "): above for above, line in pairwise(lines)}
    for name, names in (
        ("style", STYLES), ("rules", RULES), ("extract", EXTRACTS), ("client", CLIENTS),
        ("suite", PAPERS), ("split", SPLITS),
    ):  # fmt: skip
        assert all(one in help_of[name] for one in names), name
