"""What characters and words are made of: Hangul syllables, Hanzi, pieces of words."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

_MODULES = ("hangul", "hanzi", "pieces")

__all__ = [*_MODULES, "round_trips"]

if TYPE_CHECKING:
    from tokenbench.decomposition import hangul as hangul
    from tokenbench.decomposition import hanzi as hanzi
    from tokenbench.decomposition import pieces as pieces
    from tokenbench.decomposition.round_trip import round_trips as round_trips


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used (PEP 562)."""
    if name in _MODULES:
        return import_module(f"{__name__}.{name}")
    if name != "round_trips":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from tokenbench.decomposition.round_trip import round_trips

    globals()[name] = round_trips
    return round_trips


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
