"""What came of mutants: how many died, which survived, and which survivors are explained."""

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

# What mutmut keeps of a mutant is the exit status of its tests.
_ENDINGS: Final = {
    "killed": (1, 3),
    "timeout": (-24, 24, 36, 152, 255),
    "survived": (0,),
    "not covered": (5, 33),
    "not run": (None, 2),
}
STATES: Final = (*_ENDINGS, "odd")

_INTRODUCTION: Final = """\
Written by `make mutants` on {today:%Y-%m-%d}, with the names of modules and functions of
that day. A mutant is a copy of our judging code with one small fault: a comparison turned
round, a number one higher, an argument left out. It dies if a test fails or does not end.
Judging code is what runs when an answer is judged, and the functions that tasks export.
Messages are left out, because they have tests of their own. Code outside functions and
decorated functions are left out, because mutmut skips them."""


class Survivor(NamedTuple):
    """A fault that no test notices: a function, its line, and the line that replaces it."""

    function: str
    was: str
    now: str


def mangle(function: str) -> str:
    """Return what mutmut calls a function or method.

    >>> mangle("a.b.f"), mangle("a.b.C.f")
    ('a.b.x_f', 'a.b.xǁCǁf')
    """
    owner, _, name = function.rpartition(".")
    module, _, last = owner.rpartition(".")
    return f"{module}.xǁ{last}ǁ{name}" if last[:1].isupper() else f"{owner}.x_{name}"


def plain(mutant: str) -> str:
    """Return the function that a mutant is of.

    >>> plain("a.b.x_f__mutmut_3"), plain("a.b.xǁCǁf__mutmut_1")
    ('a.b.f', 'a.b.C.f')
    """
    module, _, name = mutant.partition("__mutmut_")[0].rpartition(".")
    if name.startswith("xǁ"):
        return f"{module}.{name[2:].replace('ǁ', '.')}"
    return f"{module}.{name.removeprefix('x_')}"


def survivor(mutant: str, diff: str) -> Survivor:
    """Return a survivor by what its diff takes away and adds.

    >>> survivor("a.x_f__mutmut_1", "--- a.py\\n+++ a.py\\n@@ -1 +1 @@\\n-    x = 1\\n+    x = 2")
    Survivor(function='a.f', was='x = 1', now='x = 2')
    """
    lines = [line for line in diff.splitlines() if not line.startswith(("---", "+++"))]
    was, now = (
        " ".join(line[1:].strip() for line in lines if line.startswith(sign)) for sign in "-+"
    )
    return Survivor(plain(mutant), was, now)


def explanations(rows: Iterable[Mapping[str, Any]]) -> dict[Survivor, str]:
    """Return the reason why each survivor that is listed is harmless; `now` may list several.

    >>> row = {"function": "a.f", "was": "x = 1", "now": ["x = 2", "x = 3"], "reason": "unused"}
    >>> len(explanations([row]))
    2
    """
    return {
        Survivor(row["function"], row["was"], now): row["reason"]
        for row in rows
        for now in ([row["now"]] if isinstance(row["now"], str) else row["now"])
    }


def state(status: int | None) -> str:
    """Return how a mutant ended, by the exit status of its tests; None if they have not run.

    >>> state(1), state(0), state(-24), state(None)
    ('killed', 'survived', 'timeout', 'not run')
    """
    return next((ending for ending, found in _ENDINGS.items() if status in found), "odd")


def count_endings(states: Mapping[str, str]) -> dict[str, Counter[str]]:
    """Return how many mutants of each module ended how.

    >>> count_endings({"a.b.x_f__mutmut_1": "killed", "a.b.x_g__mutmut_1": "survived"})
    {'a.b': Counter({'killed': 1, 'survived': 1})}
    """
    found: dict[str, Counter[str]] = {}
    for mutant, state in sorted(states.items()):
        found.setdefault(mutant.rpartition(".")[0], Counter())[state] += 1
    return found


def share(states: Counter[str]) -> float:
    """Return the share of mutants that died, of those that were run.

    >>> share(Counter({"killed": 8, "timeout": 1, "survived": 1, "not run": 5}))
    0.9
    """
    run = states.total() - states["not run"]
    return (states["killed"] + states["timeout"]) / run if run else 1.0


def table(modules: Mapping[str, Counter[str]]) -> str:
    """Return the figures as a table in Markdown, a line for each module and one for all."""
    rows = [*modules.items(), ("all", sum(modules.values(), Counter[str]()))]
    lines = [
        f"| module | mutants | {' | '.join(STATES)} | died |",
        "|---" * (len(STATES) + 3) + "|",
    ]
    for name, states in rows:
        cells = " | ".join(str(states[state]) for state in STATES)
        lines.append(f"| {name} | {states.total()} | {cells} | {share(states):.1%} |")
    return "\n".join(lines)


def page(
    modules: Mapping[str, Counter[str]], untouched: Iterable[str], explained: Mapping[Survivor, str]
) -> str:
    """Return the document: the figures, and each survivor with the reason why it is harmless.

    `untouched` are the functions without a mutant.
    """
    lines = [
        "# Mutants",
        "",
        _INTRODUCTION.format(today=datetime.now(UTC)),
        "",
        table(modules),
        "",
        "These functions have no mutants, because they are decorated or contain nothing to change: "
        + ", ".join(f"`{name}`" for name in sorted(untouched))
        + ".",
        "",
        "## Survivors, and why they are harmless",
    ]
    last = ""
    for (function, was, now), reason in sorted(explained.items()):
        if function != last:
            lines += ["", f"### `{function}`", ""]
            last = function
        lines.append(f"- `` {was} `` as `` {now or 'nothing'} ``: {reason}.")
    return "\n".join(lines) + "\n"
