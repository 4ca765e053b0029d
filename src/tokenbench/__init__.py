"""Verifiable tasks about the characters inside tokens, made and judged by pure functions."""

from importlib import import_module
from typing import Any

from tokenbench.builtin import BUILTIN, task_module

_HOMES = {
    "Dataset": "datasets",
    "Item": "item",
    "Rule": "scoring",
    "Split": "draw",
    "Style": "prompts",
    "TokenbenchError": "errors",
    "Verdict": "scoring",
    "catalog": "tasks",
    "check": "scoring",
    "dataset": "datasets",
    "decontaminate": "decontamination",
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
    "decomposition",
    "decontamination",
    "glyph",
    "integrations",
    "published",
    "run",
    "testing",
    "text",
    "vocab",
)

__all__ = [*_HOMES, *BUILTIN]


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
    elif name in BUILTIN:
        value = task_module(name)
    elif (plug_in := _find_plug_in(name)) is not None:
        return plug_in
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def _find_plug_in(name: str) -> Any:
    """Return the task of this name that another package brings, or None."""
    from importlib.machinery import PathFinder

    # Imports and other tools ask for modules and private names, which no package brings.
    if name.startswith("_") or PathFinder.find_spec(f"{__name__}.{name}", __path__):
        return None
    from tokenbench.tasks import find_task

    return find_task(name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_PACKAGES})
