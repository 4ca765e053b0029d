"""Golden digests: what every task makes and how it judges, pinned over Pythons and hash seeds.

`python tests/golden/golden.py --check` compares with `golden.json`, `--write` writes that
anew. A digest that changes means that a task's `version` has to rise.
"""

import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from stored_digests import main

from tokenbench import catalog, check, mixture, prompt, suite, task
from tokenbench.item import Item
from tokenbench.testing.item_facts import rules_of

STORED = Path(__file__).with_name("golden.json")
INDICES = (0, 1, 2, 3, 5, 8, 13, 1000, 10**9)
LEVELS = (None, 0, 4, 9)


def digests() -> dict[str, str]:
    """Return one digest for each task, language and variant, and for the ways to combine them."""
    found = {}
    for name in catalog():
        for lang in task(name).langs:
            for variant in task(name).variants or (None,):
                key = ":".join([name, lang, *([variant] if variant else [])])
                found[f"{key} v{task(name).version}"] = _digest(
                    line
                    for level in LEVELS
                    for index in INDICES
                    for line in _facts(
                        task(name).generate(
                            lang=lang, variant=variant, level=level, seed=11, index=index
                        )
                    )
                )
    mixed = mixture({"reord:zh": 2.0, "lenop:ko:write@7": 1.0, "freq:en": 0.3}, seed=5)
    found["mixture"] = _digest(mixed[i].json() for i in (*range(20), 10**12))
    found["suite tase"] = _digest(item.json() for item in suite("tase", size=2, seed=3))
    found["suite charbench"] = _digest(item.json() for item in suite("charbench", seed=3)[::9])
    ciphered = suite("execute", size=2, seed=3, langs=["en"], script="Ol Chiki")
    found["suite execute"] = _digest(item.json() for item in ciphered)
    found["suite adt"] = _digest(item.json() for item in suite("adt", size=2, seed=3))
    found["styles"] = _digest(
        prompt(item, style)
        for style in ("cot", "fewshot", "published")
        for name, langs in (("tase", None), ("execute", ["en"]))
        for item in suite(name, size=1, langs=langs)
    )
    return found


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


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], STORED, digests))
