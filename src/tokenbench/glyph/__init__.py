"""Characters as small bitmaps of one bit per pixel, drawn by FreeType from pinned or named fonts.

`bitmap` and `bitmaps` draw, `distinct`, `twins` and `near` say what looks alike, `script` gives a
character's category, `repertoire` holds the characters to ask for, `source` says in words what was
drawn with, and `show` and `to_png` draw sheets to look at. Drawing needs the extra `glyph`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

_HOMES = {
    "bitmap": "drawing",
    "bitmaps": "drawing",
    "distinct": "alike",
    "near": "alike",
    "script": "scripts",
    "show": "sheet",
    "source": "drawing",
    "to_png": "sheet",
    "twins": "alike",
}
_MODULES = ("repertoire",)

__all__ = [*_HOMES, *_MODULES]

if TYPE_CHECKING:
    from tokenbench.glyph import repertoire as repertoire
    from tokenbench.glyph.alike import distinct as distinct
    from tokenbench.glyph.alike import near as near
    from tokenbench.glyph.alike import twins as twins
    from tokenbench.glyph.drawing import bitmap as bitmap
    from tokenbench.glyph.drawing import bitmaps as bitmaps
    from tokenbench.glyph.drawing import source as source
    from tokenbench.glyph.scripts import script as script
    from tokenbench.glyph.sheet import show as show
    from tokenbench.glyph.sheet import to_png as to_png


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used (PEP 562): NumPy and the extra come with some."""
    if name in _MODULES:
        return import_module(f"{__name__}.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
