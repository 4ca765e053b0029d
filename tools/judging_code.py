"""Find the functions that run while an answer is judged.

`python tools/judging_code.py` judges the completions of the golden verdicts, on one item of each
task, language and variant, under a profiler, and prints as JSON the names of our functions that
were called, by module.
"""

import gc
import json
import sys
from collections import defaultdict
from functools import _lru_cache_wrapper
from pathlib import Path
from types import FrameType
from typing import Any, Final

from tokenbench import score, task
from tokenbench.item import Item

sys.path.append(str(Path(__file__).parents[1] / "tests/golden"))
from golden_verdicts import completions
from stored_digests import CASES

OURS: Final = "tokenbench"
_LEVEL: Final = 3
_EACH: Final = 3  # one completion in three is judged


def judging_code() -> dict[str, list[str]]:
    """Return the names of the functions called, for each module of ours."""
    items = [
        task(case.task).generate(lang=case.lang, variant=case.variant, level=_LEVEL, index=1)
        for case in CASES
    ]
    probes = [
        (item, completion)
        for item in items
        for _, completion in list(completions(item))[:: 1 if item.lang == "en" else _EACH]
    ]
    _forget()
    found: dict[str, set[str]] = defaultdict(set)

    def note_call(frame: FrameType, event: str, _: Any) -> None:
        module = frame.f_globals.get("__name__", "")
        name = frame.f_code.co_qualname.partition(".<locals>")[0]
        if event == "call" and module.partition(".")[0] == OURS and name != "<module>":
            found[module].add(name)

    for item, completion in probes:
        sys.setprofile(note_call)
        _judge(item, completion)
        sys.setprofile(None)
    return {module: sorted(names) for module, names in sorted(found.items())}


def _judge(item: Item, completion: object) -> None:
    for rule in ("exact", "graded"):
        score(completion, item, rule=rule)  # unlike `check`, it words nothing


def _forget() -> None:
    """Empty our caches: generating has filled them, and a cached function is not called again."""
    for value in gc.get_objects():
        if isinstance(value, _lru_cache_wrapper) and value.__module__.startswith(OURS):
            value.cache_clear()


if __name__ == "__main__":
    print(json.dumps(judging_code(), indent=1))
