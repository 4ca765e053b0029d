"""Heat maps, the style of all figures, and their files: the same bytes for the same figure."""

import warnings
from collections.abc import Iterable, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Final
from unicodedata import east_asian_width

from tokenbench.errors import file_errors, needs_extra

with needs_extra("a figure", "report"):
    from matplotlib import font_manager, rc_context
    from matplotlib.figure import Figure

# Its contrast to white and to black is nearly the same.
INK: Final = "#767676"
_STYLE: Final[dict[Any, Any]] = {
    "svg.hashsalt": "tokenbench", "svg.fonttype": "path", "text.parse_math": False, "font.size": 9,
    "axes.unicode_minus": False, "axes.spines.top": False, "axes.spines.right": False,
    "savefig.dpi": 160, "savefig.transparent": True, "savefig.bbox": "tight",
    "figure.constrained_layout.use": True, "axes.facecolor": "none", "figure.facecolor": "none",
    "text.color": INK, "axes.labelcolor": INK, "axes.edgecolor": INK, "xtick.color": INK,
    "ytick.color": INK, "axes.axisbelow": True, "legend.frameon": False,
}  # fmt: skip
_METADATA: Final[dict[str, Any]] = {"png": {"Software": None}, "svg": {"Date": None}}
# In inches.
ROW: Final = 0.24
_LETTER: Final = 0.075
_DARK_SHARE: Final = 0.6


@cache
def _fonts() -> list[str]:
    """Return the families to look for glyphs in; the extra `glyph` brings one for CJK."""
    try:
        from noto_cjk_sans_otc import FONT_PATH
    except ImportError:
        return ["DejaVu Sans"]
    font_manager.fontManager.addfont(FONT_PATH)
    return ["DejaVu Sans", font_manager.FontProperties(fname=FONT_PATH).get_name()]


@contextmanager
def style() -> Any:
    """Draw in the style of all figures within a `with` block."""
    with rc_context({**_STYLE, "font.family": _fonts()}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        yield


def save(figure: Figure, folder: Path, stem: str) -> list[str]:
    """Write a figure as PNG and SVG, the same bytes each time, and return the names of the files.

    Raises:
        SourceError: a file cannot be written.
    """
    names = [f"{stem}.{form}" for form in _METADATA]
    with style():
        for name, metadata in zip(names, _METADATA.values(), strict=True):
            with file_errors("write", folder / name):
                figure.savefig(folder / name, metadata=metadata)
    return names


def remove(folder: Path, stem: str) -> None:
    """Remove the figure and the table that an earlier report or analysis has left.

    Raises:
        SourceError: a file cannot be removed.
    """
    for form in ("csv", *_METADATA):
        with file_errors("remove", folder / f"{stem}.{form}"):
            (folder / f"{stem}.{form}").unlink(missing_ok=True)


def draw_heat_map(
    names: Sequence[str],
    columns: Sequence[str],
    cells: Sequence[Sequence[float | None]],
    *,
    low: float = 0.0,
    xlabel: str = "",
) -> Figure:
    """Draw a table as colored cells with their numbers; a cell that is None is a dash.

    Args:
        names: of the rows.
        columns: the names of the columns.
        cells: the rows, with numbers up to 1.
        low: the least number that a cell may have, 0 or -1.
        xlabel: a line below the table.
    """
    values = [[float("nan") if cell is None else cell for cell in row] for row in cells]
    with style():
        width = 0.9 + inches(names) + 0.65 * len(columns)
        figure = Figure(figsize=(width, 1.1 + ROW * max(1, len(cells))))
        axes = figure.add_subplot()
        if values and columns:
            colors = "YlGnBu" if low >= 0 else "RdBu"
            axes.imshow(values, cmap=colors, vmin=low, vmax=1.0, aspect="auto")
        for y, row in enumerate(cells):
            for x, cell in enumerate(row):
                if cell is None:
                    axes.text(x, y, "–", ha="center", va="center")
                    continue
                color = "white" if abs(cell) > _DARK_SHARE else "black"
                text = f"{cell:.2f}".replace("-0.00", "0.00")
                axes.text(x, y, text, ha="center", va="center", color=color)
        axes.set_xticks(range(len(columns)), columns, rotation=30, ha="left")
        axes.xaxis.tick_top()
        axes.set_yticks(range(len(cells)), names)
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
        if not cells:
            mark_empty(figure)
        axes.set_xlabel(xlabel)
    return figure


def inches(names: Iterable[Any]) -> float:
    """Return the width of the widest name; Chinese and Korean characters are twice as wide."""
    widths = (sum(2 if east_asian_width(c) in "FW" else 1 for c in str(name)) for name in names)
    return _LETTER * max(widths, default=0)


def mark_empty(figure: Figure) -> None:
    """Say that a figure has nothing to draw."""
    figure.axes[0].text(0.5, 0.5, "no data", ha="center", transform=figure.axes[0].transAxes)
