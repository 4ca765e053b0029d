"""Time of a bitmap, compared with Pillow's `ImageDraw.text`.

Both draw the same characters in the same font at the same size into arrays of 16 × 16 zeros and
ones. Pillow makes an image, draws the text
on the same baseline, and copies the pixels. Its layout is Raqm where its build finds all that Raqm
needs, else basic; both are timed, and the bar is for the one that it takes by itself.
"""

from collections.abc import Callable
from typing import Any

from _timing import Cell, Report, side_by_side

from tokenbench.glyph import bitmaps, drawing, twins
from tokenbench.glyph.fonts import open_font
from tokenbench.glyph.repertoire import characters

SIZE = 16
CHARS = [chr(code) for code in (*range(0x4E00, 0x4E00 + 6_000), *range(0xAC00, 0xAC00 + 4_000))]
BAR = 0.25  # of Pillow's time


def pillow(chars: list[str], mode: str, layout: Any) -> Callable[[], Any]:
    """Return a run that draws characters with Pillow, into an array like ours."""
    import numpy as np
    from noto_cjk_sans_otc import FONT_PATH
    from PIL import Image, ImageDraw, ImageFont

    font = open_font(None)
    fit = drawing.best_fit(font, SIZE)
    face = ImageFont.truetype(str(FONT_PATH), fit.ppem, index=2, layout_engine=layout)
    corner = ((SIZE - fit.ppem) // 2, fit.baseline)  # these are all as wide as the em

    def run() -> Any:
        drawn = np.empty((len(chars), SIZE, SIZE), np.uint8)
        for i, char in enumerate(chars):
            image = Image.new(mode, (SIZE, SIZE))
            ImageDraw.Draw(image).text(corner, char, fill=1, font=face, anchor="ls")
            drawn[i] = image
        return drawn

    return run


def rendering(report: Report) -> None:
    """Time 10,000 different characters."""
    from PIL import features
    from PIL.ImageFont import Layout

    own = Layout.RAQM if features.check("raqm") else Layout.BASIC
    layouts = [own, *(layout for layout in Layout if layout < own)]
    contestants = {
        (mode, layout): pillow(CHARS, mode, layout) for layout in layouts for mode in ("1", "L")
    }
    ours = bitmaps(CHARS)
    same = {key: (run() == ours).all(axis=(1, 2)).mean() for key, run in contestants.items()}
    named = {f"Pillow {mode} {layout.name}": run for (mode, layout), run in contestants.items()}
    times = side_by_side({"ours": lambda: bitmaps(CHARS)} | named, work=len(CHARS))
    rows: list[list[Cell]] = [["ours", times["ours"].least, 1.0, 1.0]]
    for (mode, layout), share in same.items():
        found = times[f"Pillow {mode} {layout.name}"]
        title = f"ImageDraw.text, mode {mode!r}, layout {layout.name.lower()}"
        rows.append([title, found.least, times["ours"].over(found), float(share)])
    report.table(
        f"Drawing {len(CHARS):,} different characters, Pillow {features.version('pil')}",
        ["by", "µs each", "ours / this", "bitmaps as ours"],
        rows,
    )
    worst = max(times["ours"].over(times[f"Pillow {mode} {own.name}"]) for mode in ("1", "L"))
    met = "met" if worst <= BAR else "missed"
    print(f"\n  at most {BAR} of Pillow's time, in its own layout ({own.name.lower()}): {met}")


def looking_for_twins(report: Report) -> None:
    """Time the first twin of each category, and those of all 976 after that."""
    rows: list[list[Cell]] = []
    for category, chars in characters().items():

        def first(char: str = chars[0]) -> None:
            from tokenbench.glyph import similarity

            similarity._category_by_bitmap.cache_clear()
            twins(char)

        def each(chars: tuple[str, ...] = chars) -> None:
            for char in chars:
                twins(char)

        times = side_by_side({"first": first, "each": each}, rounds=3)
        rows.append(
            [category, len(chars), times["first"].least / 1e3, times["each"].least / len(chars)]
        )
    report.table(
        "Finding the characters with the same bitmap in the whole font",
        ["category", "characters", "first, ms", "each after, µs"],
        rows,
    )


def main() -> None:
    """Time everything, in one run."""
    report = Report("What a bitmap costs.")
    rendering(report)
    looking_for_twins(report)
    report.write()


if __name__ == "__main__":
    main()
