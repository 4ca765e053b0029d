"""Characters as small bitmaps of one bit per pixel, drawn by FreeType from a pinned font or yours.

`bitmap` and `bitmaps` draw characters; `distinct`, `twins` and `near` find characters that look
alike; `script` returns a character's category; `repertoire` contains the characters to ask about;
`source` names the font, its version and size; `show` and `to_png` draw sheets of bitmaps. Drawing
needs the extra `glyph`.
"""

from typing import TYPE_CHECKING

from tokenbench.builtin import lazy_exports

_HOMES = {
    **dict.fromkeys(("bitmap", "bitmaps", "show", "source", "to_png"), "drawing"),
    **dict.fromkeys(("distinct", "near", "twins"), "similarity"),
    **dict.fromkeys(("repertoire", "script"), "repertoire"),
}

__all__ = ["bitmap", "bitmaps", "distinct", "near", "script", "show", "source", "to_png", "twins"]
__all__ += ["repertoire"]

if TYPE_CHECKING:
    from tokenbench.glyph import repertoire
    from tokenbench.glyph.drawing import bitmap, bitmaps, show, source, to_png
    from tokenbench.glyph.repertoire import script
    from tokenbench.glyph.similarity import distinct, near, twins

# Some of them need NumPy or the extra.
__getattr__, __dir__ = lazy_exports(__name__, _HOMES)
