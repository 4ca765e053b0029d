"""Write docs/attacks.md: the scores of the corpus of attacks under each rule.

`make docs-measured` runs it: it takes minutes, and all the processors.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from _tables import table

from tokenbench.cli.attack import map_in_processes, summary_sentences
from tokenbench.cli.options import mix_parts, part_names
from tokenbench.testing.attack_families import (
    ATTACKS,
    BLIND,
    GUESSWORK,
    MAX_BLIND_CREDIT,
    max_lucky_hits,
)
from tokenbench.testing.corpus_run import RuleJudge, run_corpus
from tokenbench.testing.report import (
    AttackReport,
    Families,
    FamilyResult,
    Part,
    RuleStats,
    by_family,
    by_task,
    mark_first,
    totals,
)

WRITTEN: Final = Path(__file__).resolve().parent / "attacks.md"
EACH: Final = 20  # items of each task, variant and language
RULES: Final = ("exact", "graded", "published")

INTRODUCTION: Final = """\
<!-- Written by docs/attacks.py (`make docs-measured`): change the corpus, not this. -->

# Attacks

During training, an optimiser attacks a reward for days. `tokenbench.testing` contains a corpus of
such attacks: families of completions that are built from an item without solving it, for any task.
It also contains right answers in other spellings. This page measures how `exact`, `graded` and,
where a task has one, the published scorer reward them."""

COMMAND: Final = f"""\
To get these tables over as many items as you like, with every fault of a rule:

```text
tokenbench attack --n {EACH}                   # all of this page
tokenbench attack --n 200 --jobs 8         # each task, variant and language on 200 items
tokenbench attack sort compm:ko:combine@7  # some tasks, languages, variants, levels
tokenbench attack sort compm:ko --all      # and all that these leave open
tokenbench attack --published tase PATH    # published items
```

The exit status is 1 if `exact` pays an attack, a guess is right more often than luck, a right
spelling is rejected, or a blind family farms `graded`. To test your own reward function, call
`findings(rates(items, reward))` of `tokenbench.testing`: see [testing](testing.md)."""

ATTACKED: Final = """\
## Attacks

For `exact` and `published`: the share of items on which some completion of the family earns 1.0.
For `graded`: the mean of the family's best partial credit on an item. `published` is measured on
tasks whose published scorer reads an answer in tags. The scorers of CUTE, EXECUTE and CharBench
read other forms, so these attacks do not apply to them."""

BLINDLY: Final = f"""\
Blind families are made of nothing, or of the prompt alone. Under `graded` none may earn more than
{MAX_BLIND_CREDIT} on average over any one task, language and variant."""

KNOWINGLY: Final = """\
These families contain the right answer, but do not give it as their answer, or corrupt it. A judge
pays them if it searches for the answer instead of reading the one that was given. Completions whose
last pair of tags is right are not among them: they are [respellings](respellings.md)."""

PARTLY: Final = """\
Under `graded` some of these earn partial credit, and should. An answer with a part missing, a part
too many or two parts exchanged is mostly right, and earns as much as an honest answer that is
equally close. A hedge between two answers is read as one answer with the parts of both, and earns
less than the right one of the two. No model can earn this credit without knowing the answer: blind
families earn next to nothing. And the credit is always below 1.0, which `graded` pays exactly where
`exact` does, so the right answer alone is always worth more."""

GUESSED: Final = f"""\
## Guesses

Some guesses are right by luck, and a fair judge has to pay them. Each task states the chance of an
answer that ignores the question (`Task.guess_rate`). The sum of the chances over many items bounds
the expected hits of a strategy: the column *by luck*. A strategy fails the check if it is right
more often than a bound that independent hits with these chances exceed less than once in 10^10
times (Bernstein's inequality): {max_lucky_hits(0):.0f} times where 0 hits are expected,
{max_lucky_hits(10):.0f} where 10 are, {max_lucky_hits(100):.0f} where 100 are. Every guess in every
task, language and variant is checked."""

RESPELLED: Final = """\
## Right answers, respelled

The number of right answers in other spellings that earn less than 1.0.
[Respellings](respellings.md) has the share that each task accepts, [each task's page](tasks.md) its
equivalent spellings. The published scorers were written for the forms that their prompts request,
so not every rejection is a fault."""

BY_TASK: Final = f"""\
## By task

Over {EACH} items of each language. *blind* is the highest score of a blind family under `graded`:
the mean over the items of its best completion. *holding* is the same for families that contain the
answer. *paid* is the share of attacks that earn 1.0."""

HEAD: Final = [
    "task",
    "items",
    "attacks",
    "exact: paid",
    "graded: blind",
    "graded: holding",
    "published: paid",
    "guesses right",
    "by luck",
    "respelled",
    "exact: rejected",
    "published: rejected",
]


def text(rates: AttackReport) -> str:
    """Return the text of docs/attacks.md."""
    families = by_family(rates)
    summary = "\n".join(f"- {sentence}" for sentence in summary_sentences(rates, RULES))
    blocks = [INTRODUCTION, summary, COMMAND, ATTACKED]
    for introduction, blind in ((BLINDLY, True), (KNOWINGLY, False)):
        rows = [
            [f"`{name}`", _sentence(family), *_attack_cells(families, name)]
            for name, family in ATTACKS.items()
            if (name in BLIND) is blind
        ]
        blocks += [introduction, table(["family", "completions", *RULES], rows)]
    blocks += [PARTLY, GUESSED, _guesses(families), RESPELLED, _respellings(families)]
    rows = [row(name, part) for name, part in by_task(rates).items()]
    return "\n\n".join([*blocks, BY_TASK, table(HEAD, rows)]) + "\n"


def row(name: str, part: Part) -> list[str]:
    """Return a row of the table by task."""
    exact, graded, published = (totals(part.families, rule, part.items) for rule in RULES)
    attacks, respellings = published.attacks, published.respellings
    scored = bool(attacks.completions)
    return [
        f"`{name}`",
        f"{part.items:,}",
        f"{exact.attacks.completions:,}",
        f"{exact.attacks.paid:,}",
        f"{graded.blind[0]:.2f}",
        f"{graded.held[0]:.2f}",
        f"{attacks.paid / attacks.completions:.0%}" if scored else "–",
        f"{exact.guesses.paid:,}",
        f"{exact.expected:,.0f}",
        f"{exact.respellings.completions:,}",
        f"{exact.respellings.rejected:,}",
        f"{respellings.rejected / respellings.completions:.0%}" if scored else "–",
    ]


def rows_of(name: str) -> list[str]:
    """Measure one task, and return its lines of the table by task."""
    rates = AttackReport()
    for part in part_names():
        if part.split(":")[0] == name:
            rates.merge(measure(part))
    rows = [row(task, part) for task, part in by_task(rates).items()]
    return table([], rows).splitlines()[2:]


def measure(part: str) -> AttackReport:
    """Return the scores of the corpus on the items of a part."""
    return run_corpus(mark_first(mix_parts([part])[:EACH]), RuleJudge(RULES))


def _sentence(family: Callable[..., Any]) -> str:
    """Return the phrase after “Return” in a family's docstring."""
    words = " ".join((family.__doc__ or "").split("\n\n")[0].split())
    return words.removeprefix("Return ").removesuffix(".").replace("|", "\\|")


def _attack_cells(families: Families, name: str) -> list[str]:
    rules = families.get(("attack", name), FamilyResult()).rules
    exact, graded, published = (rules.get(rule, RuleStats()) for rule in RULES)
    return [f"{exact.share:.0%}", f"{graded.mean_best:.3f}", f"{published.share:.0%}"]


def _guesses(families: Families) -> str:
    rows = []
    for name, family in GUESSWORK.items():
        tally = families.get(("guess", name), FamilyResult())
        right = [f"{tally.rules.get(rule, RuleStats()).paid:,}" for rule in ("exact", "published")]
        luck = f"{sum(tally.expected.values()):,.0f}"
        rows.append([f"`{name}`", _sentence(family), f"{tally.completions:,}", luck, *right])
    return table(["family", "completions", "guesses", "by luck", "exact", "published"], rows)


def _respellings(families: Families) -> str:
    rows = []
    for (kind, name), tally in families.items():
        if kind == "respelling":
            exact, graded, published = (tally.rules.get(rule, RuleStats()) for rule in RULES)
            share = published.rejected / published.completions if published.completions else 0.0
            rejected = [f"{exact.rejected:,}", f"{graded.rejected:,}", f"{share:.0%}"]
            rows.append([f"`{name}`", f"{tally.completions:,}", *rejected])
    return table(["family", "completions", *RULES], rows)


def main() -> None:
    """Write the file."""
    rates = AttackReport()
    for report in map_in_processes(measure, part_names(), os.cpu_count() or 1):
        rates.merge(report)
    WRITTEN.write_text(text(rates), encoding="utf-8")


if __name__ == "__main__":
    main()
