"""Time of traps: the index, its stream and its filter, compared with joins and tiktoken.

The vocabulary is Qwen's, as the package dashscope ships it: 130,332 different words.
"""

import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import tiktoken
from _timing import Cell, Report, Times, side_by_side

from tokenbench import vocab
from tokenbench.vocab import bpe, traps

# As Qwen's own tokenizer cuts text; its file holds the ranks only.
PATTERN = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)
CHUNK = 1 << 20
SAMPLE = 100_000
ROUNDS = 5

STOPS = {
    "none": "",
    "的": "的",
    "的 了 是 在 不 和 有 我 这 个": "的了是在不和有我这个",
    "traps.CHINESE": traps.CHINESE,
}


def qwen() -> Path:
    """Return where dashscope keeps Qwen's ranks, without importing it."""
    spec = find_spec("dashscope")
    if spec is None or spec.origin is None:
        sys.exit("dashscope is not installed: `make bench` installs it")
    return Path(spec.origin).parent / "resources" / "qwen.tiktoken"


def within(words: tuple[str, ...]) -> Callable[[], int]:
    """Return a run that lists all matches by joins of data frames, and counts them."""
    cuts = [(word[:cut], word[cut:], word) for word in words for cut in range(len(word) + 1)]
    known = {"", *words}
    lefts = [(end, word) for start, end, word in cuts if end and start in known]
    rights = [(start, word) for start, end, word in cuts if start and end in known]
    middles = [(start, end, word) for start, end, word in cuts if start and end]
    left = pl.DataFrame(lefts, schema=["head", "word1"], orient="row").lazy()
    right = pl.DataFrame(rights, schema=["tail", "word2"], orient="row").lazy()
    trap = pl.DataFrame(middles, schema=["head", "tail", "trap"], orient="row").lazy()
    whole = pl.DataFrame({"join": words}).lazy()

    def run() -> int:
        met = trap.join(left, on="head").join(right, on="tail")
        joined = met.with_columns(join=pl.col("word1") + pl.col("word2"))
        found = joined.join(whole, on="join", how="anti")
        return found.select("word1", "word2", "trap").collect().height

    return run


def by_dictionaries(words: tuple[str, ...]) -> int:
    """List all matches by dictionaries from strings to lists of words, and count them."""
    known = set(words)
    remains = known | {""}
    lefts: dict[str, list[str]] = {}
    rights: dict[str, list[str]] = {}
    for word in words:
        for cut in range(len(word) + 1):
            if word[:cut] in remains:
                lefts.setdefault(word[cut:], []).append(word)
            if word[cut:] in remains:
                rights.setdefault(word[:cut], []).append(word)
    rows = [
        (one, other, trap)
        for trap in words
        for cut in range(1, len(trap))
        for one in lefts.get(trap[:cut], ())
        for other in rights.get(trap[cut:], ())
        if one + other not in known
    ]
    return len(rows)


def count_rows(held: traps.TrapIndex) -> int:
    """Go through all matches, and return how many rows there were."""
    return sum(len(rows) for rows in held.iter(chunk=CHUNK))


def copy_rows(count: int) -> int:
    """Copy as many bytes as the rows of `matches` have, chunk by chunk."""
    rows = np.ones((CHUNK, 4), np.int32)
    return sum(len(rows[: count - start].copy()) for start in range(0, count, CHUNK))


def seconds(times: Times) -> float:
    """Return the fastest round in seconds."""
    return times.least / 1e6


def time_whole(report: Report, words: tuple[str, ...]) -> None:
    """Time index, count and stream of the whole vocabulary."""
    held = traps.index(words)
    count = held.count()
    times = side_by_side(
        {
            "index and count": lambda: traps.index(words).count(),
            "stream": lambda: count_rows(held),
            "copy": lambda: copy_rows(count),
            "pairs": held.count_pairs,
        },
        rounds=3,
    )
    rows: list[list[Cell]] = [
        ["index and exact count", seconds(times["index and count"]), count],
        ["stream of all matches", seconds(times["stream"]), count],
        ["copy of as many bytes", seconds(times["copy"]), count],
        ["count of different pairs", seconds(times["pairs"]), held.count_pairs()],
    ]
    report.table(f"{len(words):,} words", ["what", "s", "found"], rows)
    print(f"\n  stream / copy: {times['stream'].over(times['copy']):.2f} (bar: at most 4)")
    print(f"  index and count: {seconds(times['index and count']):.2f} s (bar: at most 0.5)")


def time_choices(report: Report, words: tuple[str, ...]) -> None:
    """Time the reverse look-up and the selection of words by their properties."""
    held = traps.index(words)
    conditions: Any = {"script": "Latin", "min_length": 3}
    longest = max(words, key=lambda word: len(held.hiding(word)))
    part = held.select(**conditions)
    runs: dict[str, tuple[Callable[[], int], int]] = {
        "hiding: 1,000 matches of stable": (lambda: len(held.hiding("stable")[:1000]), 1000),
        f"hiding: 1,000 matches of {longest}": (lambda: len(held.hiding(longest)[:1000]), 1000),
        "select Latin words of 3 letters": (
            lambda: held.select(**conditions).count(),
            part.count(),
        ),
        "sample 1,000 of these": (lambda: len(part.sample(1000)), 1000),
    }
    times = side_by_side({name: run for name, (run, _) in runs.items()}, rounds=3)
    rows: list[list[Cell]] = [
        [name, 1000 * seconds(times[name]), found] for name, (_, found) in runs.items()
    ]
    report.table(f"{len(words):,} words", ["what", "ms", "found"], rows)


def han(report: Report, words: tuple[str, ...]) -> None:
    """Time index, count and stream of the Han words, and joins of frames and dictionaries."""
    contestants: dict[str, Callable[[], int]] = {
        "index and exact count": lambda: traps.index(words).count(),
        "index and all rows": lambda: count_rows(traps.index(words)),
        "Polars, all rows": within(words),
        "dictionaries, all rows": lambda: by_dictionaries(words),
    }
    found = {run() for run in contestants.values()}
    assert len(found) == 1, found
    times = side_by_side(contestants, rounds=ROUNDS)
    counted, rowed = times["index and exact count"], times["index and all rows"]
    rows: list[list[Cell]] = [
        [name, seconds(taken), taken.over(counted), taken.over(rowed)]
        for name, taken in times.items()
    ]
    report.table(
        f"All {found.pop():,} matches of {len(words):,} Han words (bars: 10 and 100)",
        ["by", "s", "times our count", "times our rows"],
        rows,
    )


def encoding(report: Report, words: tuple[str, ...], path: Path) -> None:
    """Time encoding and verification, compared with tiktoken."""
    ours = bpe.load(path, pattern=PATTERN)
    ranks = {token: number for number, token in ours.tokens.items()}
    theirs = tiktoken.Encoding("qwen", pat_str=PATTERN, mergeable_ranks=ranks, special_tokens={})
    held = traps.index(words)
    matches = held.sample(SAMPLE, seed=1)
    joins = [match.word1 + match.word2 for match in matches]
    assert ours.encode_batch(joins) == [theirs.encode_ordinary(join) for join in joins]
    times = side_by_side(
        {
            "tiktoken on matches": lambda: [
                theirs.encode_ordinary(match.word1 + match.word2) for match in matches
            ],
            "verify": lambda: held.verify(matches, ours),
            "tiktoken on joins": lambda: [theirs.encode_ordinary(join) for join in joins],
            "encode_batch": lambda: ours.encode_batch(joins),
        },
        work=len(joins),
        rounds=ROUNDS,
    )
    peers = {"verify": "tiktoken on matches", "encode_batch": "tiktoken on joins"}
    rows: list[list[Cell]] = [
        [name, times[name].least, peer, times[peer].least, times[peer].over(times[name])]
        for name, peer in peers.items()
    ]
    report.table(
        f"{len(joins):,} matches of the whole vocabulary",
        ["ours", "µs each", "peer", "µs each", "times ours"],
        rows,
    )
    print(f"\n  the tokenizer falls for {held.verify(matches, ours).mean():.1%} of them")


def stops(report: Report, words: tuple[str, ...]) -> None:
    """Count what stop characters leave of the Han words' matches."""
    rows: list[list[Cell]] = []
    for name, stop in STOPS.items():
        held = traps.index(words, stop=stop)
        rows.append([name, len(stop), held.count(), held.count_pairs()])
    report.table("Stop characters", ["list", "characters", "matches", "pairs"], rows)


def main() -> None:
    """Time everything, in one run."""
    report = Report("What traps cost.")
    path = qwen()
    held = vocab.load(path)
    traps.index(["warm", "up"]).count_pairs()
    time_whole(report, held.words())
    time_choices(report, held.words())
    han(report, held.words("Han"))
    encoding(report, held.words(), path)
    stops(report, held.words("Han"))
    report.write()


if __name__ == "__main__":
    main()
