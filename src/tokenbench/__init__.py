"""Verifiable tasks about the characters inside tokens, made and judged by pure functions."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

_HOMES = {
    "Item": "item",
    "TokenbenchError": "errors",
    "Verdict": "scoring",
    "catalog": "tasks",
    "check": "scoring",
    "dataset": "datasets",
    "mixture": "datasets",
    "prompt": "prompts",
    "score": "scoring",
    "score_batch": "scoring",
    "suite": "suites",
    "task": "tasks",
}
_PACKAGES = (
    "adt",
    "curriculum",
    "glyph",
    "integrations",
    "decomposition",
    "published",
    "run",
    "testing",
    "text",
    "vocab",
)
_TASKS = (
    *("compc", "compm", "diff", "dot", "freq", "lenop", "reord", "ridl", "sort", "var"),
    *("count_char", "count_unique", "find_first", "find_last"),
    *("spell", "spell_inverse", "contains", "insert", "delete", "substitute", "swap"),
    *("decompose", "compose", "contains_part", "furigana"),
    "trap",
)

__all__ = [*_HOMES, *_TASKS]

if TYPE_CHECKING:
    from tokenbench.datasets import dataset as dataset
    from tokenbench.datasets import mixture as mixture
    from tokenbench.errors import TokenbenchError as TokenbenchError
    from tokenbench.item import Item as Item
    from tokenbench.prompts import prompt as prompt
    from tokenbench.scoring import Verdict as Verdict
    from tokenbench.scoring import check as check
    from tokenbench.scoring import score as score
    from tokenbench.scoring import score_batch as score_batch
    from tokenbench.suites import suite as suite
    from tokenbench.tasks import catalog as catalog
    from tokenbench.tasks import compc as compc
    from tokenbench.tasks import compm as compm
    from tokenbench.tasks import compose as compose
    from tokenbench.tasks import contains as contains
    from tokenbench.tasks import contains_part as contains_part
    from tokenbench.tasks import count_char as count_char
    from tokenbench.tasks import count_unique as count_unique
    from tokenbench.tasks import decompose as decompose
    from tokenbench.tasks import delete as delete
    from tokenbench.tasks import diff as diff
    from tokenbench.tasks import dot as dot
    from tokenbench.tasks import find_first as find_first
    from tokenbench.tasks import find_last as find_last
    from tokenbench.tasks import freq as freq
    from tokenbench.tasks import furigana as furigana
    from tokenbench.tasks import insert as insert
    from tokenbench.tasks import lenop as lenop
    from tokenbench.tasks import reord as reord
    from tokenbench.tasks import ridl as ridl
    from tokenbench.tasks import sort as sort
    from tokenbench.tasks import spell as spell
    from tokenbench.tasks import spell_inverse as spell_inverse
    from tokenbench.tasks import substitute as substitute
    from tokenbench.tasks import swap as swap
    from tokenbench.tasks import task as task
    from tokenbench.tasks import trap as trap
    from tokenbench.tasks import var as var


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used (PEP 562)."""
    value: Any
    if name == "__version__":
        from importlib.metadata import version

        value = version(__name__)
    elif name in _HOMES:
        value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    elif name in _PACKAGES:
        return import_module(f"{__name__}.{name}")
    elif name in _TASKS:
        value = import_module(f"{__name__}.tasks.{name}")
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_PACKAGES})
