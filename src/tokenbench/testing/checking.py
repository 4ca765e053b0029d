"""Any reward function held against the corpus, as a test that passes or says what is wrong."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from itertools import chain
from typing import Any, Final

from tokenbench.datasets import mixture
from tokenbench.errors import DifficultyError, TokenbenchError
from tokenbench.item import Item
from tokenbench.tasks.contract import integer
from tokenbench.testing.flaws import Finding, findings
from tokenbench.testing.judges import Reward
from tokenbench.testing.measuring import called, rates
from tokenbench.testing.tallies import AttackReport

# One for each form of answer: a number, labels in order, yes or no, a text, a list of parts.
PARTS: Final = ("freq:en", "sort:zh", "contains:en", "delete:en:char", "compm:ko:split")
_LISTED: Final = 20  # findings in a message, those of each sort first


class RewardError(AssertionError):
    """A reward function that pays what is no answer, or does not pay what is.

    `findings` holds all of them, each with the item and the completion that show it.
    """

    def __init__(self, message: str, findings: list[Finding]) -> None:
        super().__init__(message)
        self.findings = findings


def check_reward(
    reward: Reward,
    items: Iterable[Item | Mapping[str, Any] | str] | None = None,
    *,
    parts: Collection[str] | None = None,
    n: int = 2,
    seed: int = 0,
    full: float = 1.0,
    families: str | Collection[str] | None = None,
) -> AttackReport:
    """Check that a reward function pays right answers, however spelled, and none of the attacks.

    The corpus is that of `tokenbench.testing.rates`: lists of candidates, hedges, echoes of the
    prompt, retracted answers, floods and more, and right answers as models write them. A pytest
    fixture of the same name gives this function.

    Args:
        reward: takes a completion and an item, returns a number.
        items: items of any tasks (or their rows or JSON text), such as your own data; None is a few
            items of tasks whose answers have different forms.
        parts: instead of items, what to draw them from: `task:lang[:variant][@level]`.
        n: how many items of each part; a few dozen tell nearly all.
        seed: under which they are drawn.
        full: what a right answer earns.
        families: the families to send, by name; None is all.

    Raises:
        RewardError: something is wrong; the message lists what, with completions that show it.
        TokenbenchError: no reward, both items and parts, no items or families at all, a family
            that does not exist, or a `full` that is no number.

    >>> from tokenbench import score
    >>> check_reward(score, parts=["sort:en"], n=1, families=["hedge", "untagged", "twice"])
    AttackReport(items=1, completions=29)
    >>> def finds(completion, item):
    ...     return item.solution in str(completion)
    >>> check_reward(finds, parts=["sort:en"], n=1, families="untagged")
    Traceback (most recent call last):
        ...
    tokenbench.testing.checking.RewardError: the reward `finds` has 1 finding on 1 item ...
    """
    __tracebackhide__ = True
    called(reward)  # where a config lacks one, None would be checked for it: our own rules
    if items is not None and parts is not None:
        raise TokenbenchError("items and parts exclude one another: give one")
    held = _drawn(PARTS if parts is None else parts, n, seed) if items is None else items
    found = rates(held, reward, full=full, families=families)
    if not found.items:
        raise TokenbenchError("no items: a reward that is held against nothing is not checked")
    if wrong := findings(found):
        raise RewardError(_said(reward, found, wrong), wrong)
    return found


def _drawn(parts: Collection[str], n: int, seed: int) -> Iterable[Item]:
    if isinstance(parts, str) or not isinstance(parts, Collection) or integer("n", n) < 1:
        raise DifficultyError(
            f"parts={parts!r:.80}, n={n}: give a list of parts, and n of 1 or more"
        )
    return chain.from_iterable(mixture({part: 1.0}, n=n, seed=seed) for part in parts)


def _said(reward: Reward, held: AttackReport, wrong: list[Finding]) -> str:
    """Return what is wrong, a finding a line; of many, some of each sort."""
    name = getattr(reward, "__name__", repr(reward))
    sorts = Counter(finding.what for finding in wrong)
    counted = ", ".join(f"{times} {what}" for what, times in sorts.most_common())
    heading = (
        f"the reward `{name}` has {_of(len(wrong), 'finding')} on {_of(held.items, 'item')} "
        f"({_of(held.completions, 'completion')}): {counted}"
    )
    shown = wrong
    if len(wrong) > _LISTED:
        share = max(1, _LISTED // len(sorts))
        of_each = ([one for one in wrong if one.what == what][:share] for what in sorts)
        shown = list(chain.from_iterable(of_each))
    lines = [heading, *(f"  {finding}" for finding in shown)]
    if len(wrong) > len(shown):
        lines.append(f"  … and {len(wrong) - len(shown)} more: `findings` of this error has all")
    return "\n".join(lines)


def _of(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
