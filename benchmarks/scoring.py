"""Time of a reward, compared with a plain regular expression and reasoning-gym's scorers.

The plain scorer takes the first `<answer>` out and compares strings: the least that anyone would
write, blind to every other right answer. reasoning-gym's is its `extract_answer` and then
`score_answer`, as its own training loops call them.
"""

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from _timing import PAIRS, SIZE, Cell, Report, pairing, reasoning_gym, side_by_side

from tokenbench import Item, dataset, score, score_batch, task
from tokenbench.tasks import TaskRef

ITEMS = 20
BATCH = 256
LENGTHS = (100, 1_000, 10_000, 60_000, 1_000_000)
BARS = {("prose", 60_000): 2.0}  # times what 100 characters cost

PLAIN = re.compile(r"<answer>(.*?)</answer>", re.DOTALL)
PROSE = "Let me go through the text again, one word at a time, and keep a running count of them. "
REASONINGS = {
    "prose": PROSE,
    "prose and code": PROSE * 2 + "While i < len(words): compare words[i] with 'cat', then go on. ",
    "drafts in tags": "So it may be <answer>3</answer>, but I am not sure; let me count again. ",
    "openings only": "<answer>",
    "only <": "<",
}


def plain(completion: str, item: Item) -> float:
    """Score as a plain regular expression does."""
    found = PLAIN.search(completion)
    return 1.0 if found and found[1].strip() == item.solution else 0.0


def answered(solution: str, reasoning: str = "", length: int = 100) -> str:
    """Return a completion: reasoning of that many characters, then the answer in tags."""
    text = (reasoning or PROSE) * (length // len(reasoning or PROSE) + 1)
    return f"{text[:length]}\n<answer>{solution}</answer>"


def each(judge: Callable[[str, Any], float], given: list[tuple[str, Any]]) -> Callable[[], None]:
    """Return a run that judges each of several completions."""

    def run() -> None:
        for completion, item in given:
            judge(completion, item)

    return run


def tasks(report: Report) -> None:
    """Time a right answer to each task in each language."""
    gym = reasoning_gym()
    extract = gym.utils.extract_answer
    rows: list[list[Cell]] = []
    for pair in PAIRS:
        peer = gym.create_dataset(pair.peer, seed=0, size=ITEMS, **pair.sizes)

        def theirs(completion: str, entry: Any, peer: Any = peer) -> float:
            return float(peer.score_answer(extract(completion), entry))

        entries = [(answered(entry["answer"]), entry) for entry in peer]
        if not all(theirs(*entry) == 1.0 for entry in entries):
            raise RuntimeError(f"{pair.peer} does not accept its own answers")
        for lang in task(pair.task).langs:
            items = dataset(pair.task, lang=lang, variant=pair.variant, n=ITEMS, **pair.ours)
            given = [(answered(item.solution), item) for item in items]
            times = side_by_side(
                {
                    "ours": each(score, given),
                    "plain": each(plain, given),
                    "gym": each(theirs, entries),
                },
                work=ITEMS,
            )
            ours = times["ours"]
            rows.append(
                [
                    str(TaskRef(pair.task, lang, pair.variant)),
                    ours.least,
                    times["plain"].least,
                    ours.over(times["plain"]),
                    pair.peer,
                    times["gym"].least,
                    ours.over(times["gym"]),
                ]
            )
    report.table(
        f"Scoring a right answer after 100 characters of reasoning; texts of {SIZE} units",
        ["task", "µs", "plain µs", "× plain", "reasoning-gym", "its µs", "× its"],
        rows,
    )


def lengths(report: Report) -> None:
    """Time longer and longer reasoning before the answer."""
    (item,) = dataset("freq", n=1, length=SIZE)
    extract = reasoning_gym().utils.extract_answer

    def bare(completion: str, item: Item) -> float:
        return float(extract(completion) == item.solution)

    judges: Mapping[str, Callable[[str, Any], float]] = {
        "ours": score,
        "plain": plain,
        "gym": bare,
    }
    rows: list[list[Cell]] = []
    bars = []
    for kind, reasoning in REASONINGS.items():
        for length in LENGTHS:
            short = [(answered(item.solution), item)]
            long = [(answered(item.solution, reasoning, length), item)]
            times = side_by_side(
                {name: each(judge, short) for name, judge in judges.items()}
                | {f"{name} long": each(judge, long) for name, judge in judges.items()}
            )
            growth = {name: times[f"{name} long"].over(times[name]) for name in judges}
            rows.append(
                [
                    kind,
                    length,
                    times["ours long"].least,
                    *growth.values(),
                    times["ours long"].over(times["plain long"]),
                ]
            )
            if (kind, length) in BARS:
                met = "met" if growth["ours"] <= BARS[kind, length] else "missed"
                bars.append(f"at most {BARS[kind, length]} × for {length:,} of {kind}: {met}")
    report.table(
        "Reasoning before the answer: times what each scorer takes for 100 characters of prose",
        ["reasoning", "characters", "ours µs", "ours ×", "plain ×", "gym ×", "ours / plain"],
        rows,
    )
    print("", *bars, sep="\n  ")


def batches(report: Report) -> None:
    """Time `score_batch` and a loop of `score`."""
    rows: list[list[Cell]] = []
    for pair in PAIRS:
        data = dataset(pair.task, lang=pair.lang, variant=pair.variant, n=BATCH, **pair.ours)
        items = list(data)
        completions = [answered(item.solution) for item in items]
        group = [completions[0]] * BATCH  # as for one prompt with many samples
        times = side_by_side(
            {
                "loop": each(score, list(zip(completions, items, strict=True))),
                "items": partial(score_batch, completions, items),
                "rows": partial(score_batch, completions, [item.row() for item in items]),
                "group loop": each(score, [(completion, items[0]) for completion in group]),
                "group": partial(score_batch, group, items[0]),
            },
            work=BATCH,
        )
        rows.append(
            [
                str(TaskRef(pair.task, variant=pair.variant)),
                times["loop"].least,
                times["items"].over(times["loop"]),
                times["rows"].over(times["loop"]),
                times["group"].over(times["group loop"]),
            ]
        )
    report.table(
        f"score_batch over {BATCH} completions: times a loop of score over items",
        ["task", "loop, µs each", "items ×", "rows ×", "one item for all ×"],
        rows,
    )


def main() -> None:
    """Time everything, in one run."""
    report = Report("What a reward costs.")
    print(pairing())
    tasks(report)
    lengths(report)
    batches(report)
    report.write()


if __name__ == "__main__":
    main()
