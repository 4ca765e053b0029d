"""The published scorers and arithmetic, the readers of the published files, and their audit."""

from importlib import import_module
from types import ModuleType

_MODULES = ("audit", "charbench", "cute", "execute", "riddles", "rules", "tables", "tase")


def __getattr__(name: str) -> ModuleType:
    """Import a module of the package when it is first used (PEP 562): scoring needs only one."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module(f"{__name__}.{name}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULES})
