"""A run's folder keeps enough to explain its scores without any other file."""

import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tokenbench import check, dataset, mixture, score
from tokenbench.errors import ClientError, ItemError, SourceError
from tokenbench.prompts import chat
from tokenbench.run import (
    Completion,
    Options,
    Request,
    Result,
    Run,
    RunProgress,
    Sampling,
    evaluate,
    evaluation,
    read,
)
from tokenbench.run.reporting.inputs import load_runs

ITEMS = mixture({"freq:en": 2.0, "freq:zh": 1.0, "compm:ko:split": 1.0}, n=40)
TEXTS = [
    Completion("<answer>3</answer>", "stop", 10, 5),
    Completion("no idea", "stop", 10, 2),
    Completion("<answer>many</answer>", "length", 10, 9),
    Completion(None, error="400: context length", refused=True),
    Completion("<answer>1</answer>", "stop"),
]


class Scripted:
    """Completes one request after the other by a list, over and over, and then stops."""

    def __init__(
        self, completions: Iterable[Completion] = TEXTS, *, stops_after: int | None = None
    ) -> None:
        self.completions, self.stops_after = list(completions), stops_after
        self.prompts: list[Any] = []

    def facts(self) -> Mapping[str, Any]:
        return {"client": "own", "model": "scripted"}

    def stream(
        self,
        requests: Iterable[Request],
        sampling: Sampling,  # noqa: ARG002
    ) -> Iterator[tuple[int, Completion]]:
        for index, request in enumerate(requests):
            if index == self.stops_after:
                raise ClientError("enough")
            self.prompts.append(request.prompt)
            yield index, self.completions[index % len(self.completions)]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return evaluate(ITEMS, Scripted(), tmp_path_factory.mktemp("runs") / "run")


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """A language that only this file has."""
    words = [f"{first}{second}{last}" for first in "ptks" for second in "aiu" for last in "mnlr"]
    lines = [f"Ka {' '.join(words[start : start + 6])}.\n" for start in range(0, len(words), 2)]
    path = tmp_path / "sw.txt"
    path.write_text("".join(lines), "utf-8")
    return path


@pytest.mark.parametrize(
    "options", [Options(), Options(style="fewshot"), Options(style="cot", system="Be brief.")]
)
def test_messages_are_kept_as_they_were_sent(tmp_path: Path, options: Options) -> None:
    client = Scripted()
    run = evaluate(ITEMS[:3], client, tmp_path, options=options)
    for place, prompt in enumerate(client.prompts):
        messages = run.messages(place)
        assert prompt == (messages if options.system else messages[0]["content"])
        assert messages == chat(ITEMS[place], options.style, options.system)
    lines = (tmp_path / "messages.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["id"] for line in lines] == [item.id for item in ITEMS[:3]]


def test_results_give_the_reason_of_the_verdict(run: Run) -> None:
    for result in run.results():
        if result.error is None:
            assert result.reason == check(result.completion, run.items[result.index]).reason
        else:
            assert (result.reason, result.refused) == (None, True)
    assert len({result.reason for result in run.results()}) > 3


def test_the_summary_counts_the_results(run: Run) -> None:
    summary = run.summary()
    assert json.loads((run.folder / "summary.json").read_text("utf-8")) == summary
    results = run.results()
    done = [result for result in results if result.error is None]
    assert summary["completions"] == {"total": 40, "done": 32, "failed": 8, "refused": 8}
    total = summary["all"]
    assert total["codes"] == Counter(result.code for result in done)
    assert total["cut_off"] == sum(result.finish == "length" for result in done) == 8
    unreadable = sum(result.is_unreadable for result in done)
    assert unreadable == sum(total["codes"][code] for code in ("no_answer", "unparsable"))
    assert total["prompt_tokens"] == 240
    n_right = sum(result.scores["exact"] == 1.0 for result in done)
    assert total["scores"]["exact"]["mean"] == pytest.approx(n_right / 32)
    assert set(summary["parts"]) == {"freq:en", "freq:zh", "compm:ko:split"}
    assert set(summary["tasks"]) == {"freq", "compm:split"}
    assert set(summary["languages"]) == {"en", "zh", "ko"}
    for groups in (summary["parts"], summary["tasks"], summary["languages"]):
        for name in ("items", "completions", "failed", "refused", "cut_off", "completion_tokens"):
            assert sum(group[name] for group in groups.values()) == total[name]
        assert sum((Counter(group["codes"]) for group in groups.values()), Counter()) == Counter(
            total["codes"]
        )


def test_an_item_that_is_there_twice_counts_once(tmp_path: Path) -> None:
    """In the summary as in the progress, where one more right answer to it changes nothing."""
    right = [Completion(f"<answer>{ITEMS[1].solution}</answer>")]
    once = evaluate(ITEMS[:9], Scripted(right), tmp_path / "once").summary()["all"]
    shown: list[float | None] = []
    twice = evaluate(
        [*ITEMS[:9], *ITEMS[:9], ITEMS[1]],
        Scripted(right),
        tmp_path / "twice",
        on_progress=lambda state: shown.append(state.score),
    ).summary()["all"]
    assert twice["scores"] == once["scores"]
    assert shown[-1] == pytest.approx(once["scores"]["exact"]["mean"])
    assert (twice["items"], twice["different_items"]) == (19, 9)


def test_a_summary_is_written_also_when_a_run_is_stopped(tmp_path: Path) -> None:
    with pytest.raises(ClientError):
        evaluate(ITEMS, Scripted(stops_after=7), tmp_path)
    summary = json.loads((tmp_path / "summary.json").read_text("utf-8"))
    assert summary["completions"] == {"total": 40, "done": 6, "failed": 1, "refused": 1}


def test_progress_counts_earlier_results(tmp_path: Path) -> None:
    with pytest.raises(ClientError):
        evaluate(ITEMS, Scripted(TEXTS[:1], stops_after=5), tmp_path)
    seen: list[tuple[bool, int, int, str]] = []

    def on_progress(state: RunProgress) -> None:
        seen.append((state.is_prepared, state.n_prepared, state.n_done, str(state)))

    run = evaluate(ITEMS, Scripted(TEXTS[1:4]), tmp_path, on_progress=on_progress)
    assert [one[:3] for one in seen[:40]] == [(False, number, 5) for number in range(1, 41)]
    assert seen[0][3] == "1 of 40 items prepared"
    assert [one[2] for one in seen[40:]] == [*range(5, 41)]
    assert seen[40][3].startswith("5 of 40 completions; exact 0.")
    judged = [result for result in run.results() if result.error is None]
    unread = sum(result.is_unreadable for result in judged) / len(judged)
    cut = sum(result.is_cut_off for result in judged) / len(judged)
    failed = len(ITEMS) - len(judged)
    shares = f"{unread:.0%} unreadable, {cut:.0%} cut off, {failed} failed"
    assert shares.replace("%", " %") in seen[-1][3]
    assert min(unread, cut, failed) > 0


def test_a_pack_travels_with_the_run(
    pack: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder has all that asking, judging and reporting need."""
    monkeypatch.chdir(tmp_path)
    items = list(dataset("spell", lang="sw", pack="sw.txt", split="test", n=6))
    options = Options(style="fewshot")
    whole = Scripted(TEXTS[:1])
    evaluate(items, whole, "whole", options=options)
    with pytest.raises(ClientError):
        evaluate(items, Scripted(TEXTS[:1], stops_after=2), "run", options=options)
    os.rename("run", "moved")
    pack.unlink()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    with pytest.raises(SourceError, match="item 0: "):
        evaluate(items, Scripted(), "none", options=options)
    assert not Path("none").exists()

    kept = read(tmp_path / "moved")
    rest = Scripted(TEXTS[:1])
    run = evaluate(kept.items, rest, tmp_path / "moved", options=options)
    assert rest.prompts == whole.prompts[2:]
    again = Scripted(TEXTS[:1])
    other = evaluate(run.items, again, "other", options=options)
    assert again.prompts == whole.prompts
    for result in other.results():
        assert result.scores["exact"] == score(result.completion, other.items[result.index])
    assert [row.item.lang for one in load_runs([run.folder, other.folder]) for row in one.rows] == [
        "sw"
    ] * 12


def test_a_large_file_is_not_copied(
    pack: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    items = dataset("spell", lang="sw", pack=pack, n=3)
    folder = evaluate(items, Scripted(), tmp_path / "small").folder
    assert (folder / "sources" / "0" / "sw.txt").read_bytes() == pack.read_bytes()
    monkeypatch.setattr(evaluation, "_MAX_KEPT_BYTES", 100)
    run = evaluate(items, Scripted(), tmp_path / "large")
    assert not (run.folder / "sources").exists()
    assert list(run.items) == list(items)


def test_a_file_without_messages_is_named(tmp_path: Path) -> None:
    run = evaluate(ITEMS[:2], Scripted(), tmp_path)
    (tmp_path / "messages.jsonl").write_text("{}\n" * 2)
    with pytest.raises(SourceError, match=r"messages\.jsonl, line 2: "):
        read(run.folder).messages(1)


def stop(state: RunProgress) -> None:
    if state.is_prepared:
        raise KeyboardInterrupt


@pytest.mark.parametrize("is_there", [False, True])
def test_a_run_without_a_completion_leaves_nothing(tmp_path: Path, *, is_there: bool) -> None:
    folder = tmp_path / "runs" / "one"
    if is_there:
        folder.mkdir(parents=True)
        (folder / "notes").touch()
    with pytest.raises(ClientError):
        evaluate(ITEMS, Scripted(stops_after=0), folder)
    with pytest.raises(ClientError):
        evaluate(ITEMS, Scripted(TEXTS[3:4], stops_after=3), folder)
    items = [ITEMS[0], replace(ITEMS[1], target={})]
    with pytest.raises(ItemError):
        evaluate(items, Scripted(), folder)
    with pytest.raises(KeyboardInterrupt):
        evaluate(ITEMS, Scripted(), folder, on_progress=stop)
    left = [path.name for path in tmp_path.rglob("*")]
    assert sorted(left) == (["notes", "one", "runs"] if is_there else [])


def test_a_run_that_had_completions_stays_whatever_ends_the_next_call(tmp_path: Path) -> None:
    evaluate(ITEMS, Scripted(), tmp_path)
    before = (tmp_path / "results.jsonl").read_bytes()
    with pytest.raises(KeyboardInterrupt):
        evaluate(ITEMS, Scripted(), tmp_path, on_progress=stop)
    with pytest.raises(ClientError):
        evaluate(ITEMS, Scripted(stops_after=0), tmp_path)
    assert (tmp_path / "results.jsonl").read_bytes() == before
    assert len(list(read(tmp_path).items)) == 40


@pytest.mark.parametrize(
    ("finish", "expected"), [("length", True), ("MAX_TOKENS", True), ("stop", False), (None, False)]
)
def test_completions_that_the_limit_of_tokens_ended(finish: str | None, *, expected: bool) -> None:
    result = Result(
        0, 0, "", "", "", None, "", finish, None, None, 0.0, None, None, None, {}, None, False
    )
    assert result.is_cut_off is expected
