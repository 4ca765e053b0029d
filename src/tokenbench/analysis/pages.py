"""All tables and figures of a paper for runs, as files and a page."""

import os
from collections.abc import Callable, Mapping
from html import escape
from inspect import getdoc, signature
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from tokenbench.analysis import adt, charbench, execute, figures, tase
from tokenbench.analysis.rows import results
from tokenbench.errors import file_errors, unknown
from tokenbench.files import PathLike
from tokenbench.run.results import make_folder

# Each has `TABLES` and `FIGURES`, functions of results by the stem of their files.
PAPERS: Final[Mapping[str, ModuleType]] = {
    "tase": tase, "charbench": charbench, "execute": execute, "adt": adt,
}  # fmt: skip
_PAGE: Final = (
    '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>{title}</title>\n'
    "<style>:root {{ color-scheme: light dark }} body {{ font: 16px/1.5 system-ui; margin: 2rem "
    "auto; max-width: 60rem; padding: 0 1rem }} img {{ max-width: 100% }}</style>\n"
    "<h1>{title}</h1>\n{sections}\n</html>\n"
)


def write_analysis(
    folders: list[str],
    paper: str,
    out: PathLike,
    *,
    tokenizer: str | os.PathLike[str] | None = None,
) -> Path:
    """Write a paper's tables (CSV) and figures (SVG, PNG) for runs, and return the page of them.

    Args:
        folders: of runs by `tokenbench eval`.
        paper: one of `PAPERS`.
        out: the folder of the files; those of an earlier analysis are replaced.
        tokenizer: the file of a tokenizer, for the tables that need one; without it they are left
            out.

    Raises:
        TokenbenchError: no folder, one twice, or another paper.
        SourceError: a folder has no run, or a file cannot be written.
    """
    if paper not in PAPERS:
        raise unknown("paper", paper, PAPERS)
    module = PAPERS[paper]
    rows, folder = results(*folders), make_folder(out)
    sections = []
    for stem in dict.fromkeys([*module.TABLES, *module.FIGURES]):
        names, captions = [], []
        if table := _bind(module.TABLES.get(stem), tokenizer):
            with file_errors("write", folder / f"{stem}.csv"):
                table(rows).write_csv(folder / f"{stem}.csv")
            names.append(f"{stem}.csv")
            captions.append(_caption(module.TABLES[stem]))
        if figure := _bind(module.FIGURES.get(stem), tokenizer):
            names += figures.save(figure(rows), folder, stem)
            captions.append(_caption(module.FIGURES[stem]))
        if names:
            sections.append(_section(stem, names, captions))
    page = folder / "index.html"
    title = escape(f"{paper}: tables and figures")
    with file_errors("write", page):
        page.write_text(_PAGE.format(title=title, sections="\n".join(sections)), encoding="utf-8")
    return page


def _bind(function: Callable[..., Any] | None, tokenizer: Any) -> Callable[..., Any] | None:
    """Give the tokenizer to a function that takes one; without it, there is nothing to call."""
    if function is None or "tokenizer" not in signature(function).parameters:
        return function
    return None if tokenizer is None else lambda rows: function(rows, tokenizer=tokenizer)


def _caption(function: Callable[..., Any]) -> str:
    return " ".join((getdoc(function) or "").partition("\n\n")[0].split())


def _section(stem: str, names: list[str], captions: list[str]) -> str:
    image = f'<img src="{stem}.svg" alt="{escape(captions[-1])}">' if len(names) > 1 else ""
    links = " ".join(f'<a href="{name}">{name}</a>' for name in names)
    text = escape(" ".join(captions))
    return f"<section><h2>{escape(stem)}</h2>{image}<p>{text}</p><p>{links}</p></section>"
