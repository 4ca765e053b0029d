"""`tokenbench adt`: from matches to the table, with a server that writes and answers."""

import json
import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from command import invoke
from stub_server import StubServer
from typer.testing import CliRunner
from vocabularies import byte_level, write_ranks

from tokenbench import adt
from tokenbench.cli.app import app
from tokenbench.errors import MissingPatternWarning
from tokenbench.vocab import bpe
from tokenbench.vocab.traps import Match

TABLE = Match.of("moves", "table", "stable", 1)
OTHER = Match.of("drive", "nothing", "driven", 5)
WRITING: Any = {"sentence": "Tom movestable and chair.", "question": "What does Tom do?"}


def speak(prompt: str) -> str:
    """Write for one match, refuse for the other, and answer."""
    if "movestable" in prompt and "JSON" in prompt:
        return json.dumps(WRITING)
    return "No." if "JSON" in prompt else "He brings the stable."


@pytest.fixture(scope="module")
def server() -> Iterator[StubServer]:
    with StubServer(speak) as server:
        yield server


class Pipeline:
    """The commands, on files of one folder."""

    def __init__(self, root: Path, url: str) -> None:
        self.root, self.url = root, url
        lines = [json.dumps(match._asdict()) for match in (TABLE, OTHER)]
        (root / "matches.jsonl").write_text("\n".join(lines), "utf-8")
        ranks = {bytes([byte]): byte for byte in range(256)}
        for token in (b"st", b"ab", b"le", b"able", b"stable"):
            ranks[token] = len(ranks)
        self.tokenizer = str(write_ranks(root / "words.tiktoken", ranks))

    def path(self, name: str) -> str:
        return str(self.root / name)

    def run(self, *arguments: str, status: int = 0) -> tuple[str, str]:
        result = invoke("adt", *arguments, status=status)
        return result.stdout, result.stderr

    def model(self, step: str, source: str, out: str, *more: str, status: int = 0) -> Any:
        where = ("--model", "stub", "--base-url", self.url, "-o", self.path(out))
        return self.run(step, self.path(source), *where, *more, status=status)


@pytest.fixture
def pipeline(tmp_path: Path, server: StubServer, monkeypatch: pytest.MonkeyPatch) -> Pipeline:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    return Pipeline(tmp_path, server.url)


# Its rank file needs no pattern.
pytestmark = pytest.mark.filterwarnings("ignore::tokenbench.errors.MissingPatternWarning")


@pytest.mark.parametrize("command", ["compose", "ask", "filter", "confusion"])
def test_every_command_has_help(command: str) -> None:
    result = CliRunner().invoke(app, ["adt", command, "-h"])
    assert (result.exit_code, "Usage: " in result.stdout) == (0, True)


def test_the_pipeline_from_matches_to_the_table(pipeline: Pipeline, server: StubServer) -> None:
    shown, _ = pipeline.model("compose", "matches.jsonl", "instances.jsonl")
    assert shown == "2 matches: 1 usable, 1 faulty (no_json 1)\n"
    composed = adt.read(pipeline.path("instances.jsonl"))
    assert {(one.match, one.fault_kind) for one in composed} == {(TABLE, None), (OTHER, "no_json")}

    asked = server.count
    shown, _ = pipeline.model("compose", "matches.jsonl", "instances.jsonl")
    assert (server.count, shown[:19]) == (asked, "2 matches: 1 usable")
    pipeline.model("compose", "matches.jsonl", "instances.jsonl", "--retry")
    assert server.count == asked + 1

    shown, _ = pipeline.model("ask", "instances.jsonl", "answers.jsonl")
    assert shown == "1 answer to 1 usable instance\n"
    (answered,) = adt.read(pipeline.path("answers.jsonl"))
    assert answered.answer == "He brings the stable."

    tokenizer = ("--tokenizer", pipeline.tokenizer)
    shown, counted = pipeline.run("filter", pipeline.path("answers.jsonl"), *tokenizer)
    assert adt.Instance.from_json(shown) == answered
    assert counted == "kept 1 of 1 instance\n"
    shown, _ = pipeline.run("confusion", pipeline.path("answers.jsonl"), *tokenizer)
    table = adt.confusion([answered], bpe.load(pipeline.tokenizer))
    assert table.tn == 1
    assert shown == f"{table}\n"


def test_a_pattern_and_the_strict_rule_reach_the_table(pipeline: Pipeline) -> None:
    instance = adt.Instance(TABLE, "en", **WRITING, answer="I do not know.")
    path = pipeline.root / "answers.jsonl"
    path.write_text(f"{instance.json()}\n", "utf-8")
    arguments = ("confusion", str(path), "--tokenizer", pipeline.tokenizer)
    assert "| wrong | FP 1 (100.0 %) | TN 0 (0.0 %) |" in pipeline.run(*arguments)[0]
    assert "| right | TP 1 (100.0 %)" in pipeline.run(*arguments, "--pattern", ".")[0]
    shown = pipeline.run(*arguments, "--strict")[0]
    assert "FP 0" in shown
    assert "In no cell: 1 response without a verdict" in shown


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (("--temperature", "0.5"), "temperature was 0.7 and is 0.5: give the same to continue it"),
        (("--max-tokens", "9"), "max_tokens was 2048 and is 9"),
        (("--model", "other"), "model was 'stub' and is 'other'"),
    ],
)
def test_a_file_of_another_model_is_refused(
    pipeline: Pipeline, server: StubServer, more: tuple[str, ...], says: str
) -> None:
    arguments = ("compose", "matches.jsonl", "instances.jsonl")
    pipeline.model(*arguments)
    asked = server.count
    assert says in pipeline.model(*arguments, *more, status=2)[1]
    pipeline.model(*arguments, "--retry")
    assert server.count == asked + 1


def test_words_and_sentences_are_of_one_language(pipeline: Pipeline, server: StubServer) -> None:
    asked = server.count
    refused = pipeline.model("compose", "matches.jsonl", "new.jsonl", "--lang", "zh", status=2)
    assert "2 matches without a letter of Han" in refused[1]
    assert (server.count, [*pipeline.root.glob("new*")]) == (asked, [])
    (pipeline.root / "numbers.jsonl").write_text(
        json.dumps(Match.of("12", "34", "23", 1)._asdict()), "utf-8"
    )
    # No sentence is usable.
    pipeline.model("compose", "numbers.jsonl", "new.jsonl", status=1)
    _, message = pipeline.model("compose", "numbers.jsonl", "new.jsonl", "--lang", "zh", status=2)
    assert "lang was 'en' and is 'zh'" in message


def test_a_server_that_is_missing_leaves_no_file(pipeline: Pipeline) -> None:
    pipeline.url = "http://127.0.0.1:1/v1"
    _, message = pipeline.model("compose", "matches.jsonl", "out.jsonl", status=2)
    assert "cannot connect" in message
    assert not [*pipeline.root.glob("out*")]


def test_failed_requests_are_counted_and_repeated(pipeline: Pipeline) -> None:
    with StubServer(speak, faults=("400", None)) as failing:
        pipeline.url = failing.url
        arguments = ("compose", "matches.jsonl", "instances.jsonl")
        _, message = pipeline.model(*arguments, status=1)
        assert "1 request failed: run the same command to retry" in message
        assert len(adt.read(pipeline.path("instances.jsonl"))) == 1
    with StubServer(speak) as working:
        pipeline.url = working.url
        pipeline.model(*arguments)
        assert working.count == 1
    assert len(adt.read(pipeline.path("instances.jsonl"))) == 2


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('{"word1": "a"}', "matches.jsonl, line 2: expected word1, word2, trap and cut"),
        ('{"word1": "ab", "word2": "cd", "trap": "xx", "cut": 1}', "line 2: trap="),
        ("[", "line 2: not JSON"),
    ],
)
def test_lines_that_are_not_matches_are_reported(pipeline: Pipeline, line: str, says: str) -> None:
    path = pipeline.root / "matches.jsonl"
    path.write_text(f"{json.dumps(TABLE._asdict())}\n{line}\n", "utf-8")
    assert says in pipeline.model("compose", "matches.jsonl", "out.jsonl", status=2)[1]


@pytest.mark.parametrize("command", ["compose", "ask"])
def test_commands_that_need_a_model_share_their_options(command: str) -> None:
    shown = CliRunner().invoke(app, ["adt", command, "-h"]).stdout
    for option in ("--model", "--out", "--client", "--base-url", "--max-tokens"):
        assert option in shown
    default = re.search(r"--temperature .*?default: ([0-9.]+)", " ".join(shown.split()))
    assert default is not None
    assert default[1] == {"compose": "0.7", "ask": "0.0"}[command]
    assert "--requests" not in shown


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("compose", "matches.jsonl", "matches.jsonl"), "is an input"),
        (("ask", "matches.jsonl", "sub/../matches.jsonl"), "line 1: not an instance"),
        (("compose", "words.tiktoken", "out.jsonl"), "line 1: not JSON"),
        (("compose", "matches.jsonl", "out.jsonl", "--lang", "de"), "unknown language 'de'"),
        (("compose", "matches.jsonl", "out.jsonl", "--client", "opnai"), "did you mean 'openai'"),
    ],
)
def test_wrong_arguments_leave_no_file(
    pipeline: Pipeline, arguments: tuple[str, ...], says: str
) -> None:
    assert says in pipeline.model(*arguments, status=2)[1]
    assert not [*pipeline.root.glob("out.*")]


def test_a_rank_file_without_a_pattern_is_remarked_on(pipeline: Pipeline) -> None:
    (pipeline.root / "answers.jsonl").write_text("")
    arguments = ("confusion", pipeline.path("answers.jsonl"), "--tokenizer", pipeline.tokenizer)
    with pytest.warns(MissingPatternWarning, match="has no pattern"):
        pipeline.run(*arguments)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pipeline.run(*arguments, "--pattern", ".+")


def test_kept_instances_do_not_replace_a_file(pipeline: Pipeline) -> None:
    """It is refused before the tokenizer is loaded."""
    out = pipeline.root / "kept.jsonl"
    out.write_text("{}\n", "utf-8")
    (pipeline.root / "answers.jsonl").write_text("")
    given = ("filter", pipeline.path("answers.jsonl"), "--tokenizer", pipeline.tokenizer)
    assert "already exists" in pipeline.run(*given, "-o", str(out), status=2)[1]
    assert "is an input" in pipeline.run(*given, "-o", given[1], status=2)[1]


def test_without_a_usable_sentence_the_status_says_so(pipeline: Pipeline) -> None:
    """Neither step has done its work."""
    lines = f"{json.dumps(OTHER._asdict())}\n"
    (pipeline.root / "matches.jsonl").write_text(lines, "utf-8")
    shown, _ = pipeline.model("compose", "matches.jsonl", "instances.jsonl", status=1)
    assert shown == "1 match: 0 usable, 1 faulty (no_json 1)\n"
    shown, _ = pipeline.model("ask", "instances.jsonl", "answers.jsonl", status=1)
    assert shown == "no answers to no usable instances\n"


def test_errors_say_what_to_do(pipeline: Pipeline, tmp_path: Path) -> None:
    matches = pipeline.path("matches.jsonl")
    _, message = pipeline.run("compose", matches, "--model", "stub", "-o", "-", status=2)
    assert "where results are kept" in message
    (tmp_path / "answers.jsonl").write_text("")
    byte_level().save(str(tmp_path / "tokenizer.json"))
    answers = ("confusion", str(tmp_path / "answers.jsonl"), "--tokenizer")
    pipeline.run(*answers, str(tmp_path / "tokenizer.json"))
    assert "nothing is downloaded" in pipeline.run(*answers, "cl100k_base", status=2)[1]
