"""Evaluations: complete, each completion once, whatever ends the process on the way."""

import json
import multiprocessing
import os
import random
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from stub_server import StubServer, digit

from tokenbench import dataset, prompt, score, suite
from tokenbench.errors import ClientError, ItemError, SourceError, TokenbenchError, VersionError
from tokenbench.item import Item
from tokenbench.run import (
    Completion,
    Options,
    Request,
    Run,
    RunProgress,
    Sampling,
    evaluate,
    read,
)
from tokenbench.run.openai_client import OpenAIClient
from tokenbench.run.reporting import report
from tokenbench.scoring import Rule

ITEMS = list(suite("tase", size=2, langs=["en", "ko"]))
RULES: tuple[Rule, ...] = ("exact", "graded", "published")


class Stub:
    """Answers each prompt with a text that depends on it alone; fails where it is told."""

    def __init__(self, failing: Iterable[str] = (), stops_after: int | None = None) -> None:
        self.failing, self.stops_after = set(failing), stops_after
        self.asked: list[Request] = []

    def facts(self) -> Mapping[str, Any]:
        return {"client": "stub", "model": "digits"}

    def stream(
        self,
        requests: Iterable[Request],
        sampling: Sampling,  # noqa: ARG002
    ) -> Iterator[tuple[int, Completion]]:
        for place, request in enumerate(requests):
            if place == self.stops_after:
                raise ClientError("enough")
            self.asked.append(request)
            text = str(request.prompt)
            if text in self.failing:
                yield place, Completion(None, error="busy")
            else:
                yield place, Completion(digit(text), "stop", 10, 5, 0.25)


def lines(folder: Path) -> list[dict[str, Any]]:
    text = (folder / "results.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def is_complete(folder: Path, items: int, samples: int = 1) -> None:
    """Require one line without error for each item and sample, all whole."""
    assert (folder / "results.jsonl").read_bytes().endswith(b"\n")
    found = Counter((line["index"], line["sample"]) for line in lines(folder) if not line["error"])
    wanted = [(place, sample) for place in range(items) for sample in range(samples)]
    assert found == dict.fromkeys(wanted, 1)


def test_each_item_is_asked_and_judged(tmp_path: Path) -> None:
    run = evaluate(ITEMS, Stub(), tmp_path, options=Options(rules=RULES))
    is_complete(tmp_path, len(ITEMS))
    for item, result in zip(ITEMS, run.results(), strict=True):
        assert (result.id, result.task, result.lang) == (item.id, item.task, item.lang)
        assert result.completion == digit(item.prompt)
        assert result.scores == {rule: score(result.completion, item, rule=rule) for rule in RULES}
    assert list(run.items) == ITEMS
    assert run.model == "digits"


def test_results_can_be_judged_again_from_the_file(tmp_path: Path) -> None:
    run = evaluate(ITEMS, Stub(), tmp_path)
    items = [Item.from_json(line) for line in (tmp_path / "items.jsonl").read_text().splitlines()]
    for result in run.results():
        assert result.scores["exact"] == score(result.completion, items[result.index])


def test_a_second_call_asks_nothing(tmp_path: Path) -> None:
    evaluate(ITEMS, Stub(), tmp_path)
    before = (tmp_path / "results.jsonl").read_bytes()
    again = Stub()
    evaluate(ITEMS, again, tmp_path)
    assert not again.asked
    assert (tmp_path / "results.jsonl").read_bytes() == before


def test_failed_requests_are_asked_again(tmp_path: Path) -> None:
    failing = [ITEMS[3].prompt, ITEMS[8].prompt]
    run = evaluate(ITEMS, Stub(failing), tmp_path)
    assert [result.index for result in run.results() if result.error] == [3, 8]
    assert run.results()[3].scores == {}
    again = Stub()
    run = evaluate(ITEMS, again, tmp_path)
    assert [request.prompt for request in again.asked] == failing
    is_complete(tmp_path, len(ITEMS))
    assert not [result for result in run.results() if result.error]
    assert len(lines(tmp_path)) == len(ITEMS) + 2


def test_answers_before_the_end_are_kept(tmp_path: Path) -> None:
    with pytest.raises(ClientError, match="enough"):
        evaluate(ITEMS, Stub(stops_after=7), tmp_path)
    assert len(lines(tmp_path)) == 7
    again = Stub()
    evaluate(ITEMS, again, tmp_path)
    assert len(again.asked) == len(ITEMS) - 7


def test_each_sample_has_a_seed_of_its_own_however_often_it_is_asked(tmp_path: Path) -> None:
    options = Options(samples=3, sampling=Sampling(seed=11))
    whole = Stub()
    evaluate(ITEMS, whole, tmp_path / "whole", options=options)
    seeds = [request.seed for request in whole.asked]
    assert len(set(seeds)) == len(ITEMS) * 3
    with pytest.raises(ClientError):
        evaluate(ITEMS, Stub(stops_after=20), tmp_path / "parts", options=options)
    rest = Stub()
    evaluate(ITEMS, rest, tmp_path / "parts", options=options)
    assert [request.seed for request in rest.asked] == seeds[20:]


def test_prompts_are_asked_in_their_style_after_the_system_message(tmp_path: Path) -> None:
    asked = Stub()
    evaluate(ITEMS[:1], asked, tmp_path, options=Options(style="cot", system="Be brief."))
    assert asked.asked[0].prompt == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": prompt(ITEMS[0], "cot")},
    ]


def test_the_default_rules_read_the_form_that_the_prompts_ask_for() -> None:
    assert Options().rules == Options(style="cot", rules=()).rules == ("exact", "graded")
    assert Options(style="published").rules == ("published",)
    assert Options(style="published", rules=("exact",)).rules == ("exact",)


def test_items_without_a_published_scorer_have_no_such_score(tmp_path: Path) -> None:
    items = list(dataset("decompose", lang="zh", n=1)) + list(dataset("freq", n=1))
    run = evaluate(items, Stub(), tmp_path, options=Options(rules=("published", "exact")))
    missing, present = (result.scores["published"] for result in run.results())
    published = [
        isinstance(item.target, dict) and item.target.get("published") is not None for item in items
    ]
    assert [missing is not None, present is not None] == published


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (Options(samples=2), "options.samples was 1 and is 2"),
        (Options(sampling=Sampling(temperature=0.1)), "sampling.temperature was 0.7 and is 0.1"),
        (Options(style="cot"), "options.style was 'direct' and is 'cot'"),
        (Options(rules=("exact",)), r"options.rules was \['exact', 'graded'\] and is \['exact'\]"),
    ],
)
def test_other_options_are_refused_with_the_difference(
    tmp_path: Path, options: Options, said: str
) -> None:
    evaluate(ITEMS, Stub(), tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(TokenbenchError, match=said):
        evaluate(ITEMS, Stub(), tmp_path, options=options)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_other_items_models_and_versions_are_refused(tmp_path: Path) -> None:
    evaluate(ITEMS, Stub(), tmp_path)
    with pytest.raises(TokenbenchError, match=r"items\.digest was"):
        evaluate(ITEMS[::-1], Stub(), tmp_path)
    with pytest.raises(TokenbenchError, match=r"items\.size was 56 and is 55"):
        evaluate(ITEMS[1:], Stub(), tmp_path)
    other = Stub()
    other.facts = lambda: {"client": "stub", "model": "letters"}  # type: ignore[method-assign]
    with pytest.raises(TokenbenchError, match="model was 'digits' and is 'letters'"):
        evaluate(ITEMS, other, tmp_path)
    manifest = json.loads((tmp_path / "run.json").read_text())
    manifest["versions"]["tokenbench"] = "0.0.1"
    (tmp_path / "run.json").write_text(json.dumps(manifest))
    with pytest.raises(TokenbenchError, match=r"versions\.tokenbench was '0\.0\.1'"):
        evaluate(ITEMS, Stub(), tmp_path)


def test_metadata_may_differ(tmp_path: Path) -> None:
    evaluate(ITEMS, Stub(), tmp_path, metadata={"began": "Monday"})
    run = evaluate(ITEMS, Stub(), tmp_path, metadata={"began": "Tuesday"})
    assert run.manifest["metadata"] == {"began": "Monday"}


def test_items_that_cannot_be_judged_are_refused_before_anything_is_asked(tmp_path: Path) -> None:
    asked = Stub()
    with pytest.raises(VersionError, match="item 1: "):
        evaluate([ITEMS[1], replace(ITEMS[0], version=1)], asked, tmp_path)
    with pytest.raises(ItemError, match="item 0: "):
        evaluate([replace(ITEMS[0], target={})], asked, tmp_path)
    assert not asked.asked


def test_a_torn_last_line_is_cut(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    evaluate(ITEMS, Stub(), tmp_path)
    whole = path.read_bytes()
    ends = [place + 1 for place, byte in enumerate(whole) if byte == ord("\n")]
    for cut in [ends[4] + 1, ends[4] + 40, ends[9] - 2, ends[9] - 1, ends[9], 3, 0]:
        path.write_bytes(whole[:cut])
        again = Stub()
        evaluate(ITEMS, again, tmp_path)
        # A line that lacks no more than its end is whole.
        assert len(again.asked) == len(ITEMS) - sum(end - 1 <= cut for end in ends)
        is_complete(tmp_path, len(ITEMS))


@pytest.mark.parametrize("content", [b"a diary\n", b'{"index": "a"}\n', b'{"index": 1, "x": 2}\n{'])
def test_a_file_without_results_is_refused_and_left_alone(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "results.jsonl").write_bytes(content)
    with pytest.raises(SourceError, match="line 1: not a result of a run"):
        evaluate(ITEMS, Stub(), tmp_path)
    assert (tmp_path / "results.jsonl").read_bytes() == content


@pytest.mark.parametrize(
    ("field", "value"), [("index", -1), ("seconds", "1"), ("prompt_tokens", "9"), ("finish", 1)]
)
def test_a_line_with_a_field_of_another_type_is_refused(
    tmp_path: Path, field: str, value: object
) -> None:
    evaluate(ITEMS[:1], Stub(), tmp_path)
    path = tmp_path / "results.jsonl"
    path.write_text(json.dumps(json.loads(path.read_text()) | {field: value}) + "\n")
    with pytest.raises(SourceError, match="line 1: not a result of a run"):
        read(tmp_path).results()


def test_two_processes_cannot_add_to_one_run(tmp_path: Path) -> None:
    def inside(_: RunProgress) -> None:
        with pytest.raises(SourceError, match="another process adds"):
            evaluate(ITEMS, Stub(), tmp_path)

    evaluate(ITEMS[:1], Stub(), tmp_path, on_progress=inside)


def test_folders_without_a_run_are_distinguished(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no run in"):
        read(tmp_path)
    (tmp_path / "run.json").write_text("{}")
    with pytest.raises(SourceError, match="of format 1"):
        read(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(SourceError, match="cannot make the folder"):
        evaluate(ITEMS, Stub(), tmp_path / "file")


@pytest.mark.parametrize(
    ("name", "said"), [("results.jsonl", "no .*run.json"), ("index.html", "a report")]
)
def test_a_folder_of_something_else_is_refused_and_left_alone(
    tmp_path: Path, name: str, said: str
) -> None:
    """Of a report, or of completions without the manifest that says which model's they are."""
    run = evaluate(ITEMS[:3], Stub(), tmp_path / "run")
    folder = tmp_path / "run"
    if name == "index.html":
        folder = report(run.folder, tmp_path / "report").parent
    (tmp_path / "run" / "run.json").unlink()
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    with pytest.raises(TokenbenchError, match=said):
        evaluate(ITEMS[:3], Stub(), folder)
    assert {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()} == before


def _fork(work: Callable[[], object]) -> Any:
    child = multiprocessing.get_context("fork").Process(target=work)
    child.start()
    return child


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("n_items", "n_kills"), [(60, 3), pytest.param(600, 20, marks=pytest.mark.thorough)]
)
def test_a_run_that_is_killed_again_and_again_ends_complete(
    n_items: int, n_kills: int, tmp_path: Path
) -> None:
    """SIGKILL at random moments of a real client against a server that misbehaves."""
    chance = random.Random(5)
    stub = Path(__file__).parents[1] / "helpers/stub_server.py"
    faults = [f"--fault={fault}" for fault in ("none", "none", "drop", "500", "none", "garbage")]
    command = [sys.executable, str(stub), "--delay=0.02", *faults]
    items = list(dataset("freq", n=n_items))
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        url = server.stdout.readline().strip()
        options = Options(samples=2)

        def ask() -> Run:
            asked = OpenAIClient("stub", base_url=url, concurrency=16, timeout=5.0, retries=2)
            return evaluate(items, asked, tmp_path, options=options)

        kills = 0
        while kills < n_kills:
            child = _fork(ask)
            child.join(chance.uniform(0.0, 0.5))
            if child.exitcode is None:
                os.kill(child.pid, signal.SIGKILL)
                kills += 1
                child.join()
                if chance.random() < 0.2 and (tmp_path / "results.jsonl").exists():
                    with (tmp_path / "results.jsonl").open("ab") as stream:
                        stream.write(b'{"index": 3, "sam')  # as a full disk would leave it
            elif kills:
                (tmp_path / "results.jsonl").unlink()  # done too early: all over again
        run = ask()
        while any(result.error for result in run.results()):
            run = ask()
        server.kill()
    is_complete(tmp_path, len(items), 2)
    assert [result.completion for result in run.results()] == [
        digit(item.prompt) for item in items for _ in range(2)
    ]


def test_an_interrupt_loses_nothing(tmp_path: Path) -> None:
    """It drops requests in flight; answers are kept, and the rest is done later."""

    def interrupt(progress: RunProgress) -> None:
        if progress.n_saved == 20:
            raise KeyboardInterrupt

    with StubServer(delay=0.01) as server:
        asked = OpenAIClient("stub", base_url=server.url, concurrency=8)
        with pytest.raises(KeyboardInterrupt):
            evaluate(ITEMS, asked, tmp_path, on_progress=interrupt)
        assert len(lines(tmp_path)) == 20
        evaluate(ITEMS, asked, tmp_path)
    is_complete(tmp_path, len(ITEMS))


def test_a_value_that_cannot_be_evaluated_is_one_clear_error(tmp_path: Path) -> None:
    items = dataset("freq", n=1)
    client: Any = Stub()
    wrong: Any = {"samples": 2}
    folder = tmp_path / "run"
    with pytest.raises(TokenbenchError):
        evaluate(items, wrong, folder)
    with pytest.raises(TokenbenchError):
        evaluate(items, client, folder, options=wrong)
    with pytest.raises(TokenbenchError):
        evaluate([], client, folder)
    assert not (tmp_path / "run").exists()
