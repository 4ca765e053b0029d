"""Write docs/attacks.md: what the corpus of attacks earns from our rules and the published ones.

`make docs` runs it: it takes minutes, and all the processors.
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from _tables import table

from tokenbench.cli.attacked import sentences
from tokenbench.cli.parts import drawn_from, names
from tokenbench.cli.workers import shared
from tokenbench.testing.attack_families import ATTACKS, BLIND
from tokenbench.testing.attack_families.guesswork import GUESSWORK
from tokenbench.testing.corpus_run import RuleJudge, mark_first, run_corpus
from tokenbench.testing.report import AttackReport, by_family, by_task
from tokenbench.testing.statistics import (
    ATTACK,
    GUESS,
    MAX_BLIND_CREDIT,
    RESPELLING,
    Families,
    FamilyResult,
    Part,
    RuleStats,
    max_lucky_hits,
    totals,
)

WRITTEN: Final = Path(__file__).resolve().parent / "attacks.md"
EACH: Final = 20  # items of each task, variant and language
RULES: Final = ("exact", "graded", "published")

INTRODUCTION: Final = """\
<!-- Written by docs/attacks.py (`make docs`): change the corpus, not this. -->

# Attacks

A reward is attacked by an optimiser for days. `tokenbench.testing` holds a corpus of what it finds:
completions built from an item without solving it, by families that any task inherits, beside right
answers in other spellings. What follows is what they earn from `exact` and `graded`, and from the
scorers that the papers published, where a task has one."""

COMMAND: Final = f"""\
The same tables, over as many items as you like and with every finding that speaks against a rule:

```text
tokenbench attack --n {EACH}                   # all of this page
tokenbench attack --n 200 --jobs 8         # each task, variant and language on 200 items
tokenbench attack sort compm:ko@7          # some tasks, languages, levels
tokenbench attack --published tase PATH    # published items
```

The status is 1 if `exact` pays an attack, a guess is right more often than luck, a right spelling
is rejected, or a family made without the answer farms `graded`. Your own reward function is held
against the corpus by `findings(rates(items, reward))` of `tokenbench.testing`."""

ATTACKED: Final = """\
## Attacks

For `exact` and `published`, the share of the items on which some completion of the family is paid
in full; for `graded`, the mean of the best partial credit that the family has on an item. The
items of `published` are those whose published scorer reads an answer in tags: those of CUTE,
EXECUTE and CharBench read other forms, and meet nothing of the corpus."""

BLINDLY: Final = f"""\
Made of nothing, or of the prompt alone. Under `graded` none may earn more than \
{MAX_BLIND_CREDIT} on average
over any one task, language and variant."""

KNOWINGLY: Final = """\
Made of the right answer, which they do not commit to, or spoil. A judge that looks for the answer,
rather than reading the one that was given, pays them."""

PARTLY: Final = """\
Under `graded` some of these earn partial credit, and should: whoever writes the answer with a part
missing, a part too many, or two parts exchanged has most of it right, and gets what an honest
answer as near to the right one gets. A hedge between the answer and another is read as what it
is, one answer with the parts of both, and earns less than the right one of the two. None of it can
be had without knowing the answer: the families made without it earn next to nothing. And all of it
stays below 1.0, which `graded` pays exactly where `exact` does, so that committing to the answer is
always worth more."""

GUESSED: Final = f"""\
## Guesses

Some guesses are right by luck: a fair judge has to pay them. Each task states the chance of an
answer that does not look at the question (`Task.guess_rate`), so over many items the hits of a
strategy
have a known mean at most: the sum of the chances, in the column *by luck*. No strategy may be right
more often than a bound which independent hits of these chances exceed less than once in 10^10 times
(Bernstein's inequality): {max_lucky_hits(0):.0f} times where none is expected, \
{max_lucky_hits(10):.0f} where 10 are, {max_lucky_hits(100):.0f} where 100 are.
It is checked for every guess in every task, language and variant."""

RESPELLED: Final = """\
## Right answers, respelled

How many right answers in other spellings do not earn all. What each task takes for the same answer
stands in [tasks.md](tasks.md). The published scorers were written for answers in the forms that
their prompts asked for, so not all that they reject is a fault."""

BY_TASK: Final = f"""\
## By task

Over {EACH} items of each language. *blind* is the most that a family made without the answer earns
under `graded`, as the mean over the items of its best completion; *holding* the same of those that
hold it. *paid* is the share of the attacks that earn all."""

HEAD: Final = [
    *("task", "items", "attacks", "exact: paid", "graded: blind", "graded: holding"),
    *("published: paid", "guesses right", "by luck", "respelled", "exact: rejected"),
    "published: rejected",
]


def text(rates: AttackReport) -> str:
    """Return what docs/attacks.md holds."""
    families = by_family(rates)
    blocks = [INTRODUCTION, *_listed(rates), COMMAND, ATTACKED]
    for said, blind in ((BLINDLY, True), (KNOWINGLY, False)):
        rows = [
            [f"`{name}`", _sentence(family), *_earned(families, name)]
            for name, family in ATTACKS.items()
            if (name in BLIND) is blind
        ]
        blocks += [said, table(["family", "what it holds", *RULES], rows)]
    blocks += [PARTLY, GUESSED, _guesses(families), RESPELLED, _respellings(families)]
    rows = [row(name, part) for name, part in by_task(rates).items()]
    return "\n\n".join([*blocks, BY_TASK, table(HEAD, rows)]) + "\n"


def row(name: str, part: Part) -> list[str]:
    """Return what is said of a task in the table by task."""
    exact, graded, published = (totals(part.families, rule, part.items) for rule in RULES)
    scored = bool(published.attacks)
    return [
        f"`{name}`",
        f"{part.items:,}",
        f"{exact.attacks:,}",
        f"{exact.paid:,}",
        f"{graded.blind[0]:.2f}",
        f"{graded.held[0]:.2f}",
        f"{published.paid / published.attacks:.0%}" if scored else "–",
        f"{exact.hits:,}",
        f"{exact.expected:,.0f}",
        f"{exact.respelled:,}",
        f"{exact.rejected:,}",
        f"{published.rejected / published.respelled:.0%}" if scored else "–",
    ]


def rows_of(name: str) -> list[str]:
    """Return the lines of the table by task that are about one task, measured."""
    rates = AttackReport()
    for part in names():
        if part.split(":")[0] == name:
            rates.merge(measure(part))
    found = [row(task, part) for task, part in by_task(rates).items()]
    return table([], found).splitlines()[2:]


def measure(part: str) -> AttackReport:
    """Return what the corpus earns on the items of a part."""
    return run_corpus(mark_first(drawn_from([part])[:EACH]), RuleJudge(RULES))


def _listed(rates: AttackReport) -> Iterator[str]:
    yield "\n".join(f"- {sentence}" for sentence in sentences(rates, RULES))


def _sentence(family: Callable[..., Any]) -> str:
    """Return what a family's docstring says that it returns."""
    words = " ".join((family.__doc__ or "").split("\n\n")[0].split())
    return words.removeprefix("Return ").removesuffix(".").replace("|", "\\|")


def _earned(families: Families, name: str) -> list[str]:
    rules = families.get((ATTACK, name), FamilyResult()).rules
    exact, graded, published = (rules.get(rule, RuleStats()) for rule in RULES)
    return [f"{exact.share:.0%}", f"{graded.mean_best:.3f}", f"{published.share:.0%}"]


def _guesses(families: Families) -> str:
    rows = []
    for name, family in GUESSWORK.items():
        tally = families.get((GUESS, name), FamilyResult())
        right = [f"{tally.rules.get(rule, RuleStats()).paid:,}" for rule in ("exact", "published")]
        luck = f"{sum(tally.expected.values()):,.0f}"
        rows.append([f"`{name}`", _sentence(family), f"{tally.completions:,}", luck, *right])
    return table(["family", "what it holds", "guesses", "by luck", "exact", "published"], rows)


def _respellings(families: Families) -> str:
    rows = []
    for (kind, name), tally in families.items():
        if kind == RESPELLING:
            exact, graded, published = (tally.rules.get(rule, RuleStats()) for rule in RULES)
            share = published.rejected / published.completions if published.completions else 0.0
            rejected = [f"{exact.rejected:,}", f"{graded.rejected:,}", f"{share:.0%}"]
            rows.append([f"`{name}`", f"{tally.completions:,}", *rejected])
    return table(["family", "completions", *RULES], rows)


def main() -> None:
    """Write the file."""
    rates = AttackReport()
    for _, found in shared(measure, names(), os.cpu_count() or 1):
        rates.merge(found)
    WRITTEN.write_text(text(rates), encoding="utf-8")


if __name__ == "__main__":
    main()
