"""Write docs/contact_sheet.png: the 976 characters that bitmap questions ask, as they are drawn.

Run `python docs/contact_sheet.py` when the repertoire or the drawing changes; a test checks that
the file shows what would be written.
"""

from pathlib import Path
from typing import Final

from tokenbench.glyph import to_png
from tokenbench.glyph.repertoire import characters

WRITTEN: Final = Path(__file__).resolve().parent / "contact_sheet.png"
NAMES: Final = {
    "digit": "Digits",
    "latin": "Latin",
    "greek": "Greek",
    "kana": "Kana",
    "symbol": "Symbols",
    "hanzi": "Hanzi",
    "hangul": "Hangul",
}


def groups() -> dict[str, tuple[str, ...]]:
    """Return the characters under their headings."""
    return {f"{NAMES[category]} {len(chars)}": chars for category, chars in characters().items()}


if __name__ == "__main__":
    to_png(groups(), WRITTEN)
