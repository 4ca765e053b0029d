"""Golden verdicts: what right, near and wrong answers score, for every task, language and variant.

`python tests/golden/golden_verdicts.py --check` compares with `golden_verdicts.json`, `--write`
replaces that file. If a verdict changes, the task's `version` has to rise; a digest also changes
when the corpus grows. Only score, code and answer are pinned: the words of a reason are free.
"""

import hashlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import stored_digests
from stored_digests import CASES, Case

from tokenbench import check, task
from tokenbench.item import Item, Json, dumps
from tokenbench.testing import attacks, guesses, respellings
from tokenbench.testing.item_facts import decoys, near_miss, tagged

STORED: Final = Path(__file__).with_name("golden_verdicts.json")
LEVELS: Final = (None, 0, 3, 6, 9)
_HUGE: Final = 10_000  # characters: longer completions show only how judging scales
_PLACES: Final = 5  # where an answer is edited


def digests(case: Case) -> dict[str, Json]:
    """Return a digest of the verdicts on each kind of completion, and how long answers may be."""
    states = {kind: hashlib.sha256() for kind in ("right", "near", "guess", "attack")}
    longest = []
    # Where there are many languages, they are judged alike except for their closed lists of words.
    for index, level in enumerate(LEVELS[1::3] if task(case.task).accepts_any_language else LEVELS):
        item = case.generate(level=level, seed=23, index=index)
        longest.append(task(case.task).kind(item.variant).max_chars(item.target))
        for kind, completion in completions(item):
            states[kind].update(_verdicts(completion, item))
    found: dict[str, Json] = {kind: state.hexdigest()[:16] for kind, state in states.items()}
    return found | {"longest": " ".join(map(str, longest))}


def completions(item: Item) -> Iterator[tuple[str, object]]:
    """Yield completions for an item, each with its kind."""
    yield "right", tagged(item.solution)
    for texts in respellings(item).values():
        yield from (("right", text) for text in texts)
    for answer in dict.fromkeys(near_misses(item)):
        yield "near", tagged(answer)
    for family in guesses(item).values():
        yield from (("guess", guess) for guess in family)
    for family in attacks(item).values():
        for attack in family:
            if not (isinstance(attack, str) and len(attack) > _HUGE):
                yield "attack", attack


def near_misses(item: Item) -> Iterator[str]:
    """Yield answers that are one edit away from the solution; some are still right."""
    answer = item.solution
    yield from (near_miss(item), *decoys(item), answer.swapcase(), answer[::-1], answer + answer)
    yield from (f"{answer} {decoys(item)[0]}", f"{decoys(item)[0]} {answer}")
    for joiner, units in (("", [*answer]), (" ", answer.split()), (", ", answer.split(", "))):
        if len(units) > 1 or not joiner:
            yield from (joiner.join(edited) for edited in _edits(units))


def _edits(units: list[str]) -> Iterator[list[str]]:
    step = -(-len(units) // _PLACES)
    for at in range(0, len(units), step):
        before, unit, after = units[:at], units[at], units[at + 1 :]
        yield before + after
        yield [*before, unit, unit, *after]
        yield [*before, unit.swapcase(), *after]
        yield [*before, units[at - 1], *after]
        yield [*before, *after[:1], unit, *after[1:]]
        yield from ([*before, other, *after] for other in (".", "-", "7", "x", "あ", "。"))
        yield from ([*before, other, unit, *after] for other in (" ", ",", "_", "'", "0", "e"))


def _verdicts(completion: object, item: Item) -> bytes:
    verdict = check(completion, item)
    facts: list[Json] = [verdict.score, verdict.code, verdict.answer]
    if verdict.code in ("right", "wrong"):  # else nothing was read that could be graded
        facts.append(check(completion, item, rule="graded").score)
    return dumps(facts).encode() + b"\n"


def _check() -> list[str]:
    return stored_digests.differences(STORED, {case.key: digests(case) for case in CASES})


def _write() -> None:
    stored_digests.write(STORED, {case.key: digests(case) for case in CASES})


if __name__ == "__main__":
    sys.exit(stored_digests.main(sys.argv[1:], _check, _write))
