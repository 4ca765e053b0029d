"""For tests of a task, or of a reward built on one: items, attacks, and the tasks' promises.

`attacks`, `guesses` and `respellings` are the corpus. `rates` runs it against any reward function
and returns an `AttackReport`; `findings` lists what is wrong (each a `Finding`); `check_reward`
does both as a test, and is a pytest fixture. `conformance` checks that a task keeps every task's
promises. `shortcuts` are answers that do not do the task, and `measure_shortcuts` returns how much
they earn. `items`, `completions` and `texts` are Hypothesis strategies (the extra `testing`), and
Hypothesis can generate an `Item` by itself.
"""

from typing import TYPE_CHECKING

from tokenbench.builtin import lazy_exports

# fmt: off
_HOMES = {
    "ConformanceError": "promises", "Finding": "report", "AttackReport": "report",
    "RewardError": "corpus_run", "attacks": "attack_families", "check_reward": "corpus_run",
    "completions": "strategies", "conformance": "promises", "findings": "report",
    "guesses": "attack_families", "items": "strategies", "rates": "corpus_run",
    "LearnedShortcuts": "shortcut_corpus", "ShortcutReport": "shortcut_corpus",
    "learn_shortcuts": "shortcut_corpus", "measure_shortcuts": "shortcut_corpus",
    "respellings": "respelling_families", "shortcuts": "shortcut_corpus", "texts": "strategies",
}
# fmt: on

__all__ = [*_HOMES]

if TYPE_CHECKING:
    from tokenbench.testing.attack_families import attacks as attacks
    from tokenbench.testing.attack_families import guesses as guesses
    from tokenbench.testing.corpus_run import RewardError as RewardError
    from tokenbench.testing.corpus_run import check_reward as check_reward
    from tokenbench.testing.corpus_run import rates as rates
    from tokenbench.testing.promises import ConformanceError as ConformanceError
    from tokenbench.testing.promises import conformance as conformance
    from tokenbench.testing.report import AttackReport as AttackReport
    from tokenbench.testing.report import Finding as Finding
    from tokenbench.testing.report import findings as findings
    from tokenbench.testing.respelling_families import respellings as respellings
    from tokenbench.testing.shortcut_corpus import LearnedShortcuts as LearnedShortcuts
    from tokenbench.testing.shortcut_corpus import ShortcutReport as ShortcutReport
    from tokenbench.testing.shortcut_corpus import learn_shortcuts as learn_shortcuts
    from tokenbench.testing.shortcut_corpus import measure_shortcuts as measure_shortcuts
    from tokenbench.testing.shortcut_corpus import shortcuts as shortcuts
    from tokenbench.testing.strategies import completions as completions
    from tokenbench.testing.strategies import items as items
    from tokenbench.testing.strategies import texts as texts

# Only the strategies need the extra.
__getattr__, __dir__ = lazy_exports(__name__, _HOMES)
