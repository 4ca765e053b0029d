"""Write docs/contact_sheet.png: the 976 characters that bitmap questions ask, as they are drawn.

Run `python docs/contact_sheet.py` when the repertoire or the drawing changes; a test checks that
the file shows what would be written.
"""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from tokenbench.glyph import bitmaps, to_png
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
BLUE: Final = (36, 84, 160)
# In pixels of the file: the left margin of a sheet, and the width of a space.
MARGIN: Final = 16
SPACE: Final = 12


def sheet() -> Image.Image:
    """Return the characters of each category under a heading."""
    blocks = []
    with TemporaryDirectory() as folder:
        for category, chars in characters().items():
            path = Path(folder, f"{category}.png")
            to_png(chars, path)
            blocks += [heading(f"{NAMES[category]} {len(chars)}"), load(path)]
    width = max(block.shape[1] for block in blocks)
    padded = [
        np.pad(block, ((0, 0), (0, width - block.shape[1]), (0, 0)), constant_values=255)
        for block in blocks
    ]
    pixels = np.pad(np.concatenate(padded), ((MARGIN, 0), (0, 0), (0, 0)), constant_values=255)
    return Image.fromarray(pixels).quantize(4)


def load(path: Path) -> NDArray[np.uint8]:
    """Return the colours of a file's pixels: (rows, columns, 3)."""
    with Image.open(path) as image:
        return np.asarray(image.convert("RGB"))


def heading(text: str) -> NDArray[np.uint8]:
    """Return a line of text in blue, without wide gaps between its letters."""
    letters = [np.zeros((32, MARGIN), np.uint8)]
    for char in text:
        ink = bitmaps("-")[0] * 0 if char == " " else bitmaps(char)[0]
        columns = np.flatnonzero(ink.any(axis=0))
        cell = ink[:, columns[0] : columns[-1] + 1] if len(columns) else ink[:, : SPACE // 2]
        letters.append(np.pad(cell, ((0, 0), (0, 2))).repeat(2, axis=0).repeat(2, axis=1))
    line = np.hstack(letters)[:, :, None]
    return np.where(line, np.array(BLUE, np.uint8), np.uint8(255))


if __name__ == "__main__":
    sheet().save(WRITTEN, optimize=True)
