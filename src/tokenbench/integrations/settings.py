"""What a framework's settings name, looked at before a model has answered in vain."""

from collections.abc import Iterable, Sequence
from typing import Final

from tokenbench.errors import TokenbenchError, unknown
from tokenbench.extraction import EXTRACTS, Extract, unknown_extract
from tokenbench.integrations.selection import listed, part
from tokenbench.item import Item
from tokenbench.prompts import STYLES
from tokenbench.scoring import RULES, score

_PUBLISHED: Final = ("published", "published_graded")  # the rules that not every task has


def known(*, rule: str = "exact", extract: Extract = "answer", style: str = "direct") -> None:
    """Refuse a rule, an extract or a style that does not exist.

    Args:
        rule, extract: as in `tokenbench.score`.
        style: as `tokenbench.prompt` takes it.

    Raises:
        UnknownNameError: no such rule, extract or style.

    >>> known(rule="graded", style="cot")
    """
    if rule not in RULES:
        raise unknown("rule", rule, RULES)
    if not callable(extract) and extract not in EXTRACTS:
        raise unknown_extract(extract)
    if style not in STYLES:
        raise unknown("style", style, STYLES)


def rules_of(given: str | Sequence[str]) -> list[str]:
    """Return the rules by which answers are scored: a list, or one text with commas.

    Raises:
        UnknownNameError: no such rule.
        TokenbenchError: no rule at all.

    >>> rules_of("exact,graded")
    ['exact', 'graded']
    """
    rules = listed(given)
    if not rules:
        raise TokenbenchError(f"no rule is named: give at least one of {', '.join(RULES)}")
    for rule in rules:
        known(rule=rule)
    return rules


def judgeable(items: Iterable[Item], rules: Iterable[str]) -> None:
    """Refuse items that a rule cannot judge: not every task has a published scorer.

    Args:
        items: the items; none is drawn where every rule judges any.
        rules: rules that exist.

    Raises:
        ItemError: an item whose task has no such scorer.

    >>> from tokenbench import spell
    >>> judgeable([spell.generate()], ["exact", "published"])
    """
    if asked := [rule for rule in rules if rule in _PUBLISHED]:
        kinds = {(item.task, item.lang, item.variant): item for item in items}
        for item in kinds.values():
            for rule in asked:
                score(None, item, rule=rule)


def parts_judgeable(names: Iterable[str], rules: Iterable[str]) -> None:
    """Refuse parts whose items a rule cannot judge, as `judgeable` does.

    Args:
        names: parts that exist, as `task:lang[:variant][@level]`.
        rules: rules that exist.

    Raises:
        ItemError: a part whose task has no such scorer.

    >>> parts_judgeable(["spell:en", "trap:zh"], ["exact", "graded"])
    """
    judgeable((part(name, 1)[0] for name in names), rules)
