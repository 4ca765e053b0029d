"""The bitmap that stands in a prompt, taken out of it and drawn."""

import re
from collections.abc import Callable
from typing import Final, TypeAlias

Bitmap: TypeAlias = list[list[int]]  # rows from the top, of 0 and 1

_SIZE: Final = 16  # pixels, in both directions


def _bits(line: str) -> list[int]:
    return [int(digit) for digit in re.findall("[01]", line)]


def _inked(line: str) -> list[int]:
    return [int(char == "#") for char in line]


def _hexadecimal(line: str) -> list[int]:
    return [int(bit) for bit in f"{int(line, 16):0{_SIZE}b}"]


# How a row may be written (as `tokenbench.glyph` does, and as published matrices are), and read.
_FORMS: Final[tuple[tuple[re.Pattern[str], Callable[[str], list[int]]], ...]] = (
    (re.compile(rf"[\[\s]*[01](?:[,\s]*[01]){{{_SIZE - 1}}}[\],\s]*"), _bits),
    (re.compile(rf"[.#]{{{_SIZE}}}"), _inked),
    (re.compile(rf"[0-9A-Fa-f]{{{_SIZE // 4}}}"), _hexadecimal),
)


def bitmap(prompt: str) -> Bitmap | None:
    """Return the bitmap that a prompt shows on 16 lines, or None if there is none.

    >>> from tokenbench.glyph.repertoire import bitmap_text
    >>> import numpy as np
    >>> ink = np.eye(16, dtype=np.uint8)
    >>> [bitmap(f"Look:\\n{bitmap_text(ink, form)}\\n") == ink.tolist() for form in ("rows", "hex")]
    [True, True]
    """
    lines = [line.strip() for line in prompt.splitlines()]
    for pattern, read in _FORMS:
        found: Bitmap = []
        for line in lines:
            found = [*found, read(line)] if pattern.fullmatch(line) else []
            if len(found) == _SIZE:
                return found
    return None


def path(drawn: Bitmap) -> str:
    """Return the ink as an SVG path, each run of pixels a rectangle; a pixel is one unit.

    >>> path([[0, 1, 1], [1, 0, 1]])
    'M1 0h2v1h-2zM0 1h1v1h-1zM2 1h1v1h-1z'
    """
    pieces = []
    for y, row in enumerate(drawn):
        for run in re.finditer("1+", "".join(map(str, row))):
            width = run.end() - run.start()
            pieces.append(f"M{run.start()} {y}h{width}v1h-{width}z")
    return "".join(pieces)
