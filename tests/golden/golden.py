"""Golden items and verdicts of every task, the same for every Python and hash seed.

`golden.json` has a digest of 36 items of each task, language and variant, with the scores of some
answers. `items/` has two of these items as text, so that a review can see the changes.

`python tests/golden/golden.py --check` compares both with the items of today, `--write` replaces
them. A change means that a task's `version` has to rise. `--sample` checks the two items alone,
and prints a digest of them and their scores: quick enough to run under several hash seeds.
`--shard K N` compares the digests of every Nth part and combination, from number K on.
"""

import hashlib
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import stored_digests
from stored_digests import CASES, Case

from tokenbench import catalog, check, mixture, prompt, suite
from tokenbench.item import Item
from tokenbench.testing.item_facts import rules_of

STORED: Final = Path(__file__).with_name("golden.json")
ITEMS: Final = Path(__file__).with_name("items")
INDICES: Final = (0, 1, 2, 3, 5, 8, 13, 1000, 10**9)
LEVELS: Final = (None, 0, 4, 9)
SAMPLE: Final = ((None, 0), (0, 13))  # level and index of the items stored as text
SEED: Final = 11


def digest(case: Case) -> str:
    """Return a digest of a case's items, and of the scores of some answers to each."""
    return _digest(
        line
        for level in LEVELS
        for index in INDICES
        for line in _facts(case.generate(level=level, seed=SEED, index=index))
    )


def _mixture() -> Iterator[str]:
    mixed = mixture({"reord:zh": 2.0, "lenop:ko:write@7": 1.0, "freq:en": 0.3}, seed=5)
    return (mixed[i].json() for i in (*range(20), 10**12))


def _enciphered_suite() -> Iterator[str]:
    ciphered = suite("execute", size=2, seed=3, langs=["en"], script="Ol Chiki")
    return (item.json() for item in ciphered)


def _prompts() -> Iterator[str]:
    return (
        prompt(item, style)
        for style in ("cot", "fewshot", "published")
        for data in (suite("tase", size=1), suite("execute", size=1, langs=["en"]))
        for item in data
    )


COMBINATIONS: Final[dict[str, Callable[[], Iterator[str]]]] = {
    "mixture": _mixture,
    "suite tase": lambda: (item.json() for item in suite("tase", size=2, seed=3)),
    "suite charbench": lambda: (item.json() for item in suite("charbench", seed=3)[::9]),
    "suite execute": _enciphered_suite,
    "suite adt": lambda: (item.json() for item in suite("adt", size=2, seed=3)),
    "styles": _prompts,
}


def combined_digest(name: str) -> str:
    """Return the digest of one way to combine items of several tasks."""
    return _digest(COMBINATIONS[name]())


def digests(shard: int = 0, shards: int = 1) -> dict[str, str]:
    """Return the digest of each case, and of each way to combine them, or of a shard of these."""
    found = {case.key: digest(case) for case in CASES[shard::shards]}
    return found | {name: combined_digest(name) for name in [*COMBINATIONS][shard::shards]}


def text(task: str) -> str:
    """Return two items of each language and variant of a task, for people to read."""
    sections = []
    for case in (case for case in CASES if case.task == task):
        for level, index in SAMPLE:
            item = case.generate(level=level, seed=SEED, index=index)
            target = json.dumps(item.target, ensure_ascii=False)
            heading = f"{case.key}, level {level}, index {index}"
            sections.append(
                f"===== {heading}\n{item.prompt}\n"
                f"----- target\n{target}\n----- solution\n{item.solution}\n"
            )
    return "\n".join(sections)


def stored_text(task: str) -> str:
    """Return the stored text of a task's items, with its line ends as they are."""
    file = ITEMS / f"{task}.txt"
    return file.read_bytes().decode() if file.exists() else ""


def changed_items() -> list[str]:
    """Return a line for each task whose items differ from the text that is stored."""
    stored = {file.stem for file in ITEMS.glob("*.txt")}
    return [
        f"{name}: other items than in {ITEMS.name}/{name}.txt"
        for name in sorted(stored | {*catalog()})
        if name not in catalog() or stored_text(name) != text(name)
    ]


def sample_digest() -> str:
    """Return a digest of the items that are stored as text, and of the scores of some answers."""
    return _digest(
        line
        for case in CASES
        for level, index in SAMPLE
        for line in _facts(case.generate(level=level, seed=SEED, index=index))
    )


def _facts(item: Item) -> Iterator[str]:
    """Yield the item, and what several completions score on it."""
    yield item.json()
    for answer in (item.solution, item.solution + " 7", item.solution[::-1], "ABC", "", "12 words"):
        for rule in rules_of(item):
            verdict = check(f"so <answer>{answer}</answer>", item, rule=rule)
            yield json.dumps([verdict.score, verdict.answer, verdict.code])


def _digest(lines: Iterator[str]) -> str:
    state = hashlib.sha256()
    for line in lines:
        state.update(line.encode() + b"\n")
    return state.hexdigest()[:32]


def _check() -> list[str]:
    return changed_items() + stored_digests.differences(STORED, digests())


def _check_shard(shard: int, shards: int) -> int:
    known, found = json.loads(STORED.read_text()), digests(shard, shards)
    wrong = [f"{key}: other than stored" for key, value in found.items() if known[key] != value]
    print("\n".join(wrong) or f"{len(found)} golden digests agree")
    return bool(wrong)


def _write() -> None:
    ITEMS.mkdir(exist_ok=True)
    for name in catalog():
        (ITEMS / f"{name}.txt").write_bytes(text(name).encode())
    stored_digests.write(STORED, digests())


if __name__ == "__main__":
    if sys.argv[1:] == ["--sample"]:
        print("\n".join(changed_items()) or sample_digest())
    elif sys.argv[1:2] == ["--shard"]:
        sys.exit(_check_shard(*map(int, sys.argv[2:])))
    else:
        sys.exit(stored_digests.main(sys.argv[1:], _check, _write))
