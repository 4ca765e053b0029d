"""Time, memory and start of judging, compared with other scorers.

    python benchmarks/judging.py            # three or four minutes
    python benchmarks/judging.py --write    # and write docs/performance.md

TASE's scorers are measured by their own arithmetic: a regular expression takes the answer out, and
the comparisons of `tokenbench.answers.published_scorers` follow. reasoning-gym's are its
`extract_answer` and then `score_answer`, as its own training loops call them.
"""

import json
import math
import os
import platform
import re
import statistics
import subprocess
import sys
import textwrap
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from itertools import chain, cycle, islice
from pathlib import Path
from types import FrameType
from typing import Any, Final, NamedTuple, TypeAlias

import floods
from _timing import PAIRS, SIZE, Cell, Report, Times, reasoning_gym, side_by_side

import tokenbench
from tokenbench import Item, catalog, dataset, ready_items, score, score_batch, task
from tokenbench.answers import Characters, Choice, Number, Order, Parts, Text, Tokens, YesNo
from tokenbench.answers.published_scorers import TASE, _Case
from tokenbench.ready_items import ReadyItem
from tokenbench.tasks import TaskRef

PAGE: Final = Path(__file__).resolve().parents[1] / "docs" / "performance.md"
ITEMS: Final = 4  # of each part
PART_ROUNDS, PART_SECONDS = 5, 0.002  # there are many parts
SHORT, LONG = 100, 60_000  # characters of reasoning before an answer
LENGTHS: Final = (100, 1_000, 10_000, 30_000, 100_000, 300_000, 1_000_000)
FITTED_FROM: Final = 10_000  # shorter texts cost about as much as none
GROUP: Final = 64  # completions of one item, as a trainer samples them
BATCH: Final = 100_000
BATCH_ROUNDS: Final = 3
STARTS: Final = 9  # processes for each import
FIRSTS: Final = 3  # processes for the first score of each task

PROSE: Final = (
    "Let me go through the text again, one word at a time, and keep a running count of them. "
)
REASONINGS: Final = {
    "prose": PROSE,
    "prose and code": PROSE * 2 + "While i < len(words): compare words[i] with 'cat', then go on. ",
    "drafts in tags": "So it may be <answer>3</answer>, but I am not sure; let me count again. ",
    "openings only": "<answer>",
    "only `<`": "<",
}
PUBLISHED: Final = re.compile(r"<answer>(.*?)</answer>", re.DOTALL)
# The highest microseconds for a short completion, by kind of answer.
GROUP_BARS: Final = {
    "numbers, labels, yes or no": 2.5,
    "texts of a word or a few": 3.0,
    "lists": 6.0,
    "edited sentences": 9.0,
}
# Parts with long answers, of one language or of all, their units, and perhaps the highest number.
NAMED: Final = (
    (TaskRef("reord"), "tokens", 250, 30.0),
    (TaskRef("lenop", "en", "write"), "words", 127, 45.0),
    (TaskRef("lenop", "zh", "write"), "characters", 127, None),
    (TaskRef("lenop", "ko", "write"), "syllables", 127, None),
)
CALLS_BAR: Final = 42
GROWTH_BAR: Final = 2.0
NOT_IN_SMALL_MIXTURE: Final = (("reord", None), ("lenop", "write"))
PACKAGES: Final = ("tokenbench", "numpy", "reasoning-gym", "math-verify", "verifiers")

INTRODUCTION: Final = """\
<!-- Written by benchmarks/judging.py --write: change the script, not this. -->

# Performance

How long `score` and `score_batch` take, compared with other scorers. One run of
`python benchmarks/judging.py --write` measures everything on this page; `make bench` prints it."""

BARS: Final = """\
## Goals

Each goal and its measurement. In parentheses: the lowest and the highest of the rounds."""

SHORTS: Final = f"""\
## Short completions

Microseconds of `score` for an answer after {SHORT} characters of prose. Each number is the median
over the languages; *slowest* is the slowest language. *Right* and *wrong* answers are new: nothing
is remembered about earlier answers to the item. *Seen* is a right answer that was scored before.
*Row* and *JSON* are an item as a row and as JSON text, as a multiple of the `Item`. *Growth* is the
time after {LONG:,} characters of prose as a multiple of the time after {SHORT}: the largest. Where
it is above {GROWTH_BAR:g}, the part is timed again, and the lower growth counts."""

THEIRS: Final = """\
## TASE's own scorers

The tasks of TASE have published scorers, which accept many wrong answers (see
[published data](published.md)). Their arithmetic alone, without `tokenbench` around it, takes these
times for a right answer. *Speed* is how many times as fast `score` is."""

GROWTH: Final = f"""\
## Long reasoning

Microseconds of `score` for a `freq` item after reasoning of some length. The exponent is fitted by
least squares of the logarithms, from {FITTED_FROM:,} characters on: 1 is linear time."""

PEERS: Final = """\
## Other scorers

A number in tags after prose, an answer that every scorer can read, and new to `score`. *Plain* is
the least that anyone would write: a regular expression and a comparison of strings."""

GYM: Final = f"""\
Tasks of reasoning-gym that resemble ours, in English, with texts of {SIZE} units where both have
texts: right answers, which each side reads in its own form."""

BATCHES: Final = f"""\
## Batches

A trainer samples several completions for each item: here {GROUP}, half of them right, the others
answers to other items of the same part. No item was scored before. Two processes share a batch with
`workers=2`."""

LONG_ANSWERS: Final = """\
## Kinds of answers

Microseconds of `score` for right answers, new to their item or seen before, by kind of answer: the
median over parts, and over the languages of `reord`; long answers are new."""

STARTING: Final = """\
## Start and memory

Each in new processes: the least of several. Processor time and memory are those over bare
Python."""

WORST: Final = f"""\
## Worst cases

Judging takes linear time without timers, signals or threads. `benchmarks/floods.py` searches for
completions that take as long as possible, and `benchmarks/floods.json` keeps them as regressions.
For each `extract`, the slowest text that it has found, repeated up to a megabyte; pairs of
placeholders and `"only"`, which reads every pair, may take {floods.BAR_OF_PAIRS} ms, all others
{floods.BAR}:"""

WORST_ANSWERS: Final = """\
For each task, the slowest text in one pair of tags, repeated up to the longest answer that is read,
in the language where it takes longest. A completion of any length has one such answer, unless
`extract` is `"only"`:"""

Judge: TypeAlias = Callable[[str, Any], object]


class Goal(NamedTuple):
    """A number that was measured, and its limit."""

    what: str
    limit: float
    measured: float
    is_least: bool = False
    rounds: Sequence[float] = ()

    @property
    def row(self) -> list[Cell]:
        """The row of a table."""
        spread = f" ({min(self.rounds):,.2f}–{max(self.rounds):,.2f})" if self.rounds else ""
        is_met = self.measured >= self.limit if self.is_least else self.measured <= self.limit
        limit = f"{'at least' if self.is_least else 'at most'} {self.limit:,g}"
        return [self.what, limit, f"{self.measured:,.2f}{spread}", "met" if is_met else "missed"]


Blocks: TypeAlias = list[str]


@contextmanager
def no_memory() -> Iterator[None]:
    """Let every answer be a new one: no item keeps the scores of its answers, or has any."""
    ready_items._ready.clear()
    keep = ReadyItem.keep
    ReadyItem.keep = lambda *_: None  # type: ignore[method-assign]
    try:
        yield
    finally:
        ReadyItem.keep = keep  # type: ignore[method-assign]


def complete(answer: str, reasoning: str = PROSE, length: int = SHORT) -> str:
    """Return a completion: reasoning of that many characters, then the answer in tags."""
    text = reasoning * (length // len(reasoning) + 1)
    return f"{text[:length]}\n<answer>{answer}</answer>"


def each(judge: Judge, pairs: Sequence[tuple[str, Any]]) -> Callable[[], None]:
    """Return a run that judges each of several completions."""

    def run() -> None:
        for completion, item in pairs:
            judge(completion, item)

    return run


def plain(completion: str, item: Item) -> bool:
    """Score as a plain regular expression does."""
    match = PUBLISHED.search(completion)
    return match is not None and match[1].strip() == item.solution


def published(completion: str, item: Item) -> bool:
    """Score as TASE's scripts do, without the partial credit that they do not compute."""
    target: dict[str, str] = item.target["published"]
    match = PUBLISHED.search(completion)
    answer = match[1].strip() if match else ""
    if target["evaluation"] == "number":
        digits, label = re.findall(r"\d+", answer), re.search(r"\d+", target["label"])
        return bool(digits and label and digits[-1] == label[0])
    case = _Case(answer, completion, item.prompt, target["label"], target["variation"])
    return TASE.judges[target["evaluation"]](case)[0]


def is_of_tase(item: Item) -> bool:
    """Return whether TASE's scripts can judge an item."""
    target = item.target.get("published")
    return target is not None and target["evaluation"] in TASE.judges


def draw_parts() -> dict[TaskRef, list[Item]]:
    """Return a few items of every task, language and variant."""
    return {
        part: list(dataset(part.task, lang=part.lang, variant=part.variant, n=ITEMS))
        for part in floods.PARTS
    }


def wrong_answer(item: Item, others: Sequence[Item]) -> str:
    """Return the right answer to another item that is wrong for this one."""
    answers = (other.solution for other in others)
    return next((one for one in answers if score(complete(one), item) == 0.0), "no answer")


def time_part(items: Sequence[Item]) -> dict[str, Times]:
    """Time right and wrong answers to the items of a part, in every way."""
    right = [(complete(item.solution), item) for item in items]
    wrong = [(complete(wrong_answer(item, items)), item) for item in items]
    long = [(complete(item.solution, length=LONG), item) for item in items]
    contestants = {
        "right": each(score, right),
        "wrong": each(score, wrong),
        "row": each(score, [(text, item.row()) for text, item in right]),
        "json": each(score, [(text, item.json()) for text, item in right]),
        "long": each(score, long),
    }
    if is_of_tase(items[0]):
        contestants["tase"] = each(published, right)
        contestants["tase long"] = each(published, long)
    with no_memory():
        times = side_by_side(contestants, len(items), PART_ROUNDS, PART_SECONDS)
    return times | side_by_side(
        {"seen": each(score, right), "wrong seen": each(score, wrong)},
        len(items),
        PART_ROUNDS,
        PART_SECONDS,
    )


def over(times: Mapping[str, Times], mine: str, theirs: str) -> list[float]:
    """Return how many times as long one took as another, round by round."""
    return [a / b for a, b in zip(times[mine].rounds, times[theirs].rounds, strict=True)]


def growth_of(times: Mapping[str, Times]) -> float:
    """Return how many times as long an answer takes after long reasoning as after short."""
    return times["long"].least / times["right"].least


def median_of_rounds(rounds_of_parts: Sequence[Sequence[float]]) -> list[float]:
    """Return the median over parts, round by round."""
    return [statistics.median(one) for one in zip(*rounds_of_parts, strict=True)]


def by_task(parts: Mapping[TaskRef, Any]) -> dict[str, list[Any]]:
    """Return the values of parts, by task and variant."""
    groups: dict[str, list[Any]] = defaultdict(list)
    for part, value in parts.items():
        groups[str(TaskRef(part.task, variant=part.variant))].append(value)
    return groups


def short_completions(
    report: Report, times: Mapping[TaskRef, dict[str, Times]], goals: list[Goal]
) -> Blocks:
    """Report the times of short completions, and their growth with reasoning."""
    rows: list[list[Cell]] = []
    for name, group in by_task(times).items():
        right = [one["right"].least for one in group]
        cells: list[Cell] = [name, len(group), statistics.median(right), max(right)]
        cells += [
            statistics.median(one[key].least for one in group)
            for key in ("wrong", "seen", "wrong seen")
        ]
        cells += [statistics.median(one[key].over(one["right"]) for one in group)
                  for key in ("row", "json")]  # fmt: skip
        rows.append([*cells, max(map(growth_of, group))])
    head = [
        "task", "languages", "right µs", "slowest µs", "wrong µs", "seen µs", "wrong, seen µs",
        "row ×", "JSON ×", "growth ×",
    ]  # fmt: skip
    for key, what in (("row", "A row"), ("json", "A JSON text")):
        rounds = median_of_rounds([over(one, key, "right") for one in times.values()])
        measured = statistics.median(rounds)
        goals.append(Goal(f"{what}, × an Item", 2.0, measured, rounds=rounds))
    largest = max(times, key=lambda part: growth_of(times[part]))
    what = f"Growth from {SHORT} to {LONG:,} characters of prose, largest ({largest}), ×"
    rounds = over(times[largest], "long", "right")
    goals.append(Goal(what, GROWTH_BAR, growth_of(times[largest]), rounds=rounds))
    table = report.table("Short completions", head, rows)
    return [SHORTS, table]


def tase(report: Report, times: Mapping[TaskRef, dict[str, Times]], goals: list[Goal]) -> Blocks:
    """Report the times of TASE's own scorers, and how many times as fast ours are."""
    of_tase = {part: one for part, one in times.items() if "tase" in one}
    rows: list[list[Cell]] = []
    for name, group in by_task(of_tase).items():
        row: list[Cell] = [name, len(group)]
        for mine, theirs in (("right", "tase"), ("long", "tase long")):
            row += [
                statistics.median(one[theirs].least for one in group),
                statistics.median(one[theirs].over(one[mine]) for one in group),
            ]
        rows.append(row)
    for mine, theirs, limit, length, answers in (
        ("right", "tase", 0.5, SHORT, "new answers"),
        ("seen", "tase", 0.5, SHORT, "answers seen before"),
        ("long", "tase long", 4.0, LONG, "new answers"),
    ):
        rounds = median_of_rounds([over(one, theirs, mine) for one in of_tase.values()])
        what = f"Speed after {length:,} characters, × TASE's, {answers}"
        goals.append(Goal(what, limit, statistics.median(rounds), True, rounds))
    head = [
        "task", "languages", "TASE µs", "speed ×", f"TASE µs after {LONG:,}",
        f"speed × after {LONG:,}",
    ]  # fmt: skip
    return [THEIRS, report.table("TASE's own scorers", head, rows)]


def group_of(item: Item) -> str | None:
    """Return the kind of answer in the words of GROUP_BARS; None for a long one."""
    if (item.task, item.variant) in NOT_IN_SMALL_MIXTURE:
        return None
    kind = task(item.task).kind(item.variant)
    if isinstance(kind, Number | YesNo | Choice | Order):
        return "numbers, labels, yes or no"
    if isinstance(kind, Characters | Parts):
        return "lists"
    assert isinstance(kind, Text | Tokens), item.task
    return "edited sentences" if item.variant == "word" else "texts of a word or a few"


def kinds(
    report: Report,
    parts: Mapping[TaskRef, list[Item]],
    times: Mapping[TaskRef, dict[str, Times]],
    goals: list[Goal],
) -> Blocks:
    """Report the times of each kind of answer, and of long answers."""
    rows: list[list[Cell]] = []
    for name, limit in GROUP_BARS.items():
        group = [times[part] for part, items in parts.items() if group_of(items[0]) == name]
        for key, answers in (("right", "new"), ("seen", "seen before")):
            rounds = median_of_rounds([one[key].rounds for one in group])
            slowest = max(one[key].least for one in group)
            rows.append([f"{name}, {answers}", len(group), min(rounds), slowest])
            what = f"µs for {name}, {answers}"
            goals.append(Goal(what, limit, statistics.median(rounds), rounds=rounds))
    for part, unit, length, limit in NAMED:
        measured = []
        for lang in task(part.task).langs if part.lang is None else (part.lang,):
            data = dataset(part.task, lang=lang, variant=part.variant, n=ITEMS, length=length)
            pairs = [(complete(item.solution), item) for item in data]
            with no_memory():
                measured.append(side_by_side({"right": each(score, pairs)}, ITEMS)["right"])
        what = f"{part} of {length} {unit}"
        rounds = median_of_rounds([one.rounds for one in measured])
        rows.append([what, len(measured), min(rounds), max(one.least for one in measured)])
        if limit is not None:
            goals.append(Goal(f"µs for {what}", limit, statistics.median(rounds), rounds=rounds))
    (item,) = dataset("reord", n=1)
    calls = count_calls(partial(score, complete(item.solution), item))
    goals.append(Goal("Calls into the package to score `reord`", CALLS_BAR, calls))
    table = report.table("Kinds of answers", ["answers", "parts", "µs", "slowest µs"], rows)
    return [LONG_ANSWERS, table]


def count_calls(work: Callable[[], object]) -> int:
    """Return how many functions of the package a piece of work calls."""
    folder, count = str(Path(tokenbench.__file__).parent), 0

    def count_event(frame: FrameType, event: str, _: object) -> None:
        nonlocal count
        count += event == "call" and frame.f_code.co_filename.startswith(folder)

    with no_memory():
        work()  # the first has more to do: reading tables, making the item ready
        sys.setprofile(count_event)
        try:
            work()
        finally:
            sys.setprofile(None)
    return count


def growth(report: Report) -> Blocks:
    """Report the time against the length of the reasoning, with its exponent."""
    (item,) = dataset("freq", n=1, length=SIZE)
    rows: list[list[Cell]] = []
    for name, reasoning in REASONINGS.items():
        with no_memory():
            times = side_by_side(
                {
                    str(length): each(score, [(complete(item.solution, reasoning, length), item)])
                    for length in LENGTHS
                }
            )
        taken = [times[str(length)].least for length in LENGTHS]
        fitted = [pair for pair in zip(LENGTHS, taken, strict=True) if pair[0] >= FITTED_FROM]
        rows.append([name, *taken, exponent(fitted)])
    head = ["reasoning", *(f"{length:,}" for length in LENGTHS), "exponent"]
    return [GROWTH, report.table("Microseconds by characters of reasoning", head, rows)]


def exponent(points: Sequence[tuple[float, float]]) -> float:
    """Return the exponent of a power law fitted to points."""
    lengths, taken = ([math.log(number) for number in one] for one in zip(*points, strict=True))
    return statistics.linear_regression(lengths, taken).slope


def number_readers(item: Item) -> dict[str, Judge]:
    """Return the scorers that are installed and read a number in tags, by name."""
    judges: dict[str, Judge] = {"tokenbench": score, "plain": plain, "TASE": published}
    try:
        gym = import_module("reasoning_gym")
    except ImportError:
        pass
    else:
        extract = gym.utils.extract_answer
        peer = gym.create_dataset("letter_counting", seed=0, size=1)
        entry = {"answer": item.solution, "question": item.prompt, "metadata": {}}
        judges["reasoning-gym"] = lambda text, _: peer.score_answer(extract(text), entry)
    try:
        math_verify = import_module("math_verify")
    except ImportError:
        pass
    else:
        gold = math_verify.parse(item.solution)
        judges["math-verify"] = lambda text, _: math_verify.verify(gold, math_verify.parse(text))
    try:
        verifiers = import_module("verifiers.parsers.xml_parser")
    except ImportError:  # releases from 0.3 on have no such parser, or another module for it
        pass
    else:
        parser = verifiers.XMLParser(["answer"])
        judges["verifiers"] = lambda text, item: parser.parse_answer(text) == item.solution
    return judges


def peers(report: Report, goals: list[Goal]) -> Blocks:
    """Report the times of other scorers on answers that all can read."""
    (item,) = dataset("freq", n=1, length=SIZE)
    judges = number_readers(item)
    short, long = (
        # Math-Verify sees a number only between spaces.
        complete(f" {item.solution} ", length=length)
        for length in (SHORT, LONG)
    )
    assert all(judge(short, item) for judge in judges.values())
    rows: list[list[Cell]] = []
    with no_memory():
        times = side_by_side(
            {name: each(judge, [(short, item)]) for name, judge in judges.items()}
            | {f"{name} long": each(judge, [(long, item)]) for name, judge in judges.items()}
        )
    for name in judges:
        after = f"{name} long"
        rows.append([
            name, times[name].least, times[name].over(times["tokenbench"]),
            times[after].least, times[after].over(times["tokenbench long"]),
        ])  # fmt: skip
    head = ["scorer", "µs", "× tokenbench", f"µs after {LONG:,}", f"× tokenbench after {LONG:,}"]
    blocks = [PEERS, report.table("A number in tags", head, rows)]
    missing = [name for name in ("reasoning-gym", "math-verify", "verifiers") if name not in judges]
    if missing:
        blocks.append(f"Not installed here, so not measured: {', '.join(missing)}.")
    return blocks + ([] if "reasoning-gym" in missing else gym_tasks(report, goals))


def gym_tasks(report: Report, goals: list[Goal]) -> Blocks:
    """Report the times of tasks of reasoning-gym that resemble ours."""
    gym = reasoning_gym()
    extract = gym.utils.extract_answer
    rows: list[list[Cell]] = []
    ratios = []
    for pair in PAIRS:
        peer = gym.create_dataset(pair.peer, seed=0, size=ITEMS, **pair.sizes)

        def judge(completion: str, entry: Any, peer: Any = peer) -> float:
            return float(peer.score_answer(extract(completion), entry))

        entries = [(complete(entry["answer"]), entry) for entry in peer]
        if not all(judge(*entry) == 1.0 for entry in entries):
            raise RuntimeError(f"{pair.peer} does not accept its own answers")
        data = dataset(pair.task, lang=pair.lang, variant=pair.variant, n=ITEMS, **pair.ours)
        ours = [(complete(item.solution), item) for item in data]
        with no_memory():
            times = side_by_side({"ours": each(score, ours), "gym": each(judge, entries)}, ITEMS)
        ratios.append(over(times, "ours", "gym"))
        rows.append([
            str(TaskRef(pair.task, pair.lang, pair.variant)), times["ours"].least, pair.peer,
            times["gym"].least, statistics.median(ratios[-1]),
        ])  # fmt: skip
    rounds = median_of_rounds(ratios)
    what = "Time on tasks like reasoning-gym's, × its"
    goals.append(Goal(what, 1.0, statistics.median(rounds), rounds=rounds))
    head = ["task", "µs", "reasoning-gym", "its µs", "× its"]
    return [GYM, report.table("Tasks like those of reasoning-gym", head, rows)]


def group_of_completions(item: Item, others: Sequence[Item]) -> list[str]:
    """Return completions of one item: half of them are right."""
    answers = chain.from_iterable((item.solution, other.solution) for other in cycle(others))
    return [complete(answer) for answer in islice(answers, GROUP)]


def mix(parts: Mapping[TaskRef, list[Item]]) -> tuple[list[str], list[Item]]:
    """Return a batch: groups of completions over all parts, each group of an item of its own."""
    completions: list[str] = []
    items: list[Item] = []
    others = {id(item): group for group in parts.values() for item in group}
    by_turns = cycle(chain.from_iterable(zip(*parts.values(), strict=True)))
    while len(completions) < BATCH:
        item = next(by_turns)
        completions += group_of_completions(item, others[id(item)])
        items += [replace(item)] * GROUP  # a new item, which no cache has seen
    return completions[:BATCH], items[:BATCH]


def each_time_new(work: Callable[[], object]) -> Callable[[], None]:
    """Return a run of work for which no item is ready, and no answer is an old one."""

    def run() -> None:
        ready_items._ready.clear()
        work()

    return run


def batches(report: Report, parts: Mapping[TaskRef, list[Item]], goals: list[Goal]) -> Blocks:
    """Report the times of groups and of large batches, with one process and two."""
    ratios = []
    for items in parts.values():
        item, completions = items[0], group_of_completions(items[0], items)
        contestants = {
            "loop": each_time_new(each(score, [(text, item) for text in completions])),
            "batch": each_time_new(partial(score_batch, completions, item)),
        }
        times = side_by_side(contestants, rounds=PART_ROUNDS, seconds=PART_SECONDS)
        ratios.append(over(times, "loop", "batch"))
    rounds = median_of_rounds(ratios)
    what = f"`score_batch` of {GROUP} completions of an item, × the speed of a loop of `score`"
    goals.append(Goal(what, 1.2, statistics.median(rounds), True, rounds))
    few = {
        part: items
        for part, items in parts.items()
        if (part.task, part.variant) not in NOT_IN_SMALL_MIXTURE
    }
    rows: list[list[Cell]] = []
    for name, mixture, limit in (("all parts without reord and lenop:write", few, 0.6),
                                 ("all parts", parts, 1.2)):  # fmt: skip
        texts, items = mix(mixture)
        score_batch(texts[:1024], items[:1024], workers=2)  # starts the workers
        taken: dict[int, list[float]] = {1: [], 2: []}
        for _ in range(BATCH_ROUNDS):
            for workers, seconds in taken.items():
                ready_items._ready.clear()
                start = time.perf_counter()
                score_batch(texts, items, workers=workers)
                seconds.append(time.perf_counter() - start)
        one, two = (Times(tuple(seconds)) for seconds in taken.values())
        rows.append([name, one.least, two.least, one.over(two)])
        what = f"Seconds for {BATCH:,} completions, {name}, one process"
        goals.append(Goal(what, limit, one.middle, rounds=one.rounds))
    head = ["mixture", "one process, s", "two processes, s", "× as fast"]
    return [BATCHES, report.table(f"{BATCH:,} completions", head, rows)]


def least_output(code: str, given: str = "", starts: int = STARTS) -> float:
    """Return the least number that code prints, run by new processes."""
    command = [sys.executable, "-c", code]
    # The first start writes compiled files, as that of an installed package does.
    variables = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
    return min(
        float(
            subprocess.run(
                command,
                input=given,
                env=variables,
                capture_output=True,
                encoding="utf-8",
                check=True,
            ).stdout
        )
        for _ in range(starts)
    )


IMPORT: Final = "from tokenbench import reord, score"
PROCESSOR: Final = "\nimport time; print(time.process_time())"
FIRST: Final = f"""
{IMPORT}
import sys, time
item, completion = sys.stdin.read().split("\\n", 1)
before = time.process_time()
score(completion, item)
print(time.process_time() - before)
"""
MEMORY: Final = """
for line in sys.stdin:
    item, completion = json.loads(line)
    score(completion, item)
"""
RESIDENT: Final = """
with open("/proc/self/status") as status:
    print(next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) / 1024)
"""


def starts(report: Report, parts: Mapping[TaskRef, list[Item]], goals: list[Goal]) -> Blocks:
    """Report the processor time of a start and of first scores, and the memory of a worker."""
    bare = least_output(PROCESSOR)
    imported = (least_output(IMPORT + PROCESSOR) - bare) * 1e3
    firsts = {}
    for name in catalog():
        items = next(items for part, items in parts.items() if part.task == name)
        text = f"{items[0].json()}\n{complete(items[0].solution)}"
        firsts[name] = least_output(FIRST, given=text, starts=FIRSTS) * 1e3
    slowest = max(firsts, key=firsts.__getitem__)
    rows: list[list[Cell]] = [
        [f"`{IMPORT}`, ms", imported],
        ["the first score of a task after that, median ms", statistics.median(firsts.values())],
        [f"the first score of the slowest task ({slowest}), ms", firsts[slowest]],
    ]
    goals += [
        Goal(f"Processor time of `{IMPORT}`, ms", 25, imported),
        Goal(f"First score after that, slowest task ({slowest}), ms", 15, firsts[slowest]),
    ]
    if Path("/proc/self/status").exists():
        lines = [
            json.dumps([items[0].json(), complete(items[0].solution)]) for items in parts.values()
        ]
        start = "import json, sys"
        code = f"{start}\nfrom tokenbench import score{MEMORY}{RESIDENT}"
        used = least_output(code, given="\n".join(lines), starts=FIRSTS)
        used -= least_output(start + RESIDENT)
        rows.append([f"memory of a worker after an item of each of {len(parts)} parts, MB", used])
        goals.append(Goal("Memory of a worker after an item of every part, MB", 40, used))
    return [STARTING, report.table("Start and memory", ["what", "measured"], rows)]


def worst(report: Report, parts: Mapping[TaskRef, list[Item]], goals: list[Goal]) -> Blocks:
    """Report the slowest completions that a search has found."""
    stored: floods.Floods = json.loads(floods.STORED.read_text("utf-8"))
    rows: list[list[Cell]] = []
    highest = {floods.BAR: 0.0, floods.BAR_OF_PAIRS: 0.0}
    for extract, costs in floods.costs_of(stored).items():
        for price, unit in costs:
            is_of_pairs = extract == "only" or "..." in unit
            bar = floods.BAR_OF_PAIRS if is_of_pairs else floods.BAR
            highest[bar] = max(highest[bar], price)
        price, unit = max(costs)
        rows.append([extract, price, code_cell(unit)])
    blocks = [WORST, report.table("Worst cases", ["extract", "ms per MB", "text"], rows)]
    names = ("Slowest completion, ms per MB", 'The same, `"only"` and placeholders, ms per MB')
    for name, (limit, price) in zip(names, highest.items(), strict=True):
        goals.append(Goal(name, limit, price))
    slowest = floods.worst_answers(stored, (items[0] for items in parts.values()))
    rows, most = [], 0.0
    for group in by_task(dict(zip(parts, slowest, strict=True))).values():
        price, unit, item = max(group, key=lambda one: one[0])
        taken = price * floods.kilobytes(floods.flood(unit, item)) / 1000
        most = max(most, taken)
        name = str(TaskRef(item.task, item.lang, item.variant))
        rows.append([name, floods.max_read_chars(item), price, taken, code_cell(unit)])
    goals.append(Goal("Slowest answer in tags, ms", floods.BAR, most))
    head = ["part", "characters read", "µs per kB", "ms in all", "text"]
    return [*blocks, WORST_ANSWERS, report.table("Slowest answers in tags", head, rows)]


def code_cell(text: str) -> str:
    """Return a text as code that a table of Markdown can hold."""
    visible = "".join(char if char.isprintable() else f"\\u{ord(char):04x}" for char in text)
    mark = "``" if "`" in visible else "`"
    inner = f" {visible} " if "`" in visible else visible
    return f"{mark}{inner}{mark}".replace("|", "\\|")


def machine() -> str:
    """Return the machine and the versions in general words."""
    versions = []
    for name in PACKAGES:
        try:
            versions.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            continue
    text = (
        f"Measured on {os.cpu_count()} cores ({platform.machine()}), {platform.system()}, "
        f"{platform.python_implementation()} {platform.python_version()}, with "
        f"{', '.join(versions)}. Times are the least of several rounds; ratios are medians."
    )
    return textwrap.fill(text, 100)


def page(blocks: Sequence[str]) -> str:
    """Return the text of docs/performance.md."""
    return "\n\n".join(blocks) + "\n"


def main() -> None:
    """Time everything, in one run."""
    report = Report("What judging costs.", page=PAGE)
    goals: list[Goal] = []
    parts = draw_parts()
    times = {part: time_part(items) for part, items in parts.items()}
    for part, before in times.items():
        if growth_of(before) > GROWTH_BAR:  # perhaps something else slowed the machine
            times[part] = min(before, time_part(parts[part]), key=growth_of)
    blocks = [
        *short_completions(report, times, goals),
        *tase(report, times, goals),
        *kinds(report, parts, times, goals),
        *growth(report),
        *peers(report, goals),
        *batches(report, parts, goals),
        *starts(report, parts, goals),
        *worst(report, parts, goals),
    ]
    head = ["goal", "limit", "measured", "result"]
    summary = report.table("Goals", head, [goal.row for goal in goals])
    report.write(page([INTRODUCTION, machine(), BARS, summary, *blocks]))


if __name__ == "__main__":
    main()
