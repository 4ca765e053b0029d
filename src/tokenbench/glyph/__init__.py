"""Characters as small bitmaps of one bit per pixel, drawn by FreeType from pinned or named fonts.

`bitmap` and `bitmaps` draw characters; `distinct`, `twins` and `near` find characters that look
alike; `script` returns a character's category; `repertoire` contains the characters to ask about;
`source` names the fonts, versions and sizes; `show` and `to_png` draw sheets of bitmaps. Drawing
needs the extra `glyph`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

_HOMES = {
    **dict.fromkeys(("bitmap", "bitmaps", "source"), "drawing"),
    **dict.fromkeys(("distinct", "near", "twins"), "similarity"),
    **dict.fromkeys(("show", "to_png"), "sheet"),
    "script": "repertoire",
}

__all__ = ["bitmap", "bitmaps", "distinct", "near", "script", "show", "source", "to_png", "twins"]
__all__ += ["repertoire"]

if TYPE_CHECKING:
    from tokenbench.glyph import repertoire
    from tokenbench.glyph.drawing import bitmap, bitmaps, source
    from tokenbench.glyph.repertoire import script
    from tokenbench.glyph.sheet import show, to_png
    from tokenbench.glyph.similarity import distinct, near, twins


def __getattr__(name: str) -> Any:
    """Import a public name on first use (PEP 562), because some of them need NumPy or the extra."""
    if name == "repertoire":
        return import_module(f"{__name__}.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
