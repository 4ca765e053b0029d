"""The readers of the published files, their audit, and TASE's table arithmetic."""

from importlib import import_module
from types import ModuleType

_MODULES = ("audit", "charbench", "cute", "execute", "riddles", "tables", "tase")


def __getattr__(name: str) -> ModuleType:
    """Import a module of the package when it is first used (PEP 562)."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module(f"{__name__}.{name}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULES})
