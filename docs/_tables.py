"""The tables and pages of the documents that are written by scripts."""

from collections.abc import Callable, Iterable
from pathlib import Path


def table(head: list[str], rows: list[list[str]]) -> str:
    """Return a table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def write_pages(folder: Path, index: str, names: Iterable[str], page: Callable[[str], str]) -> None:
    """Write a page for each name, and the index next to the folder; delete the other pages."""
    folder.mkdir(exist_ok=True)
    folder.with_suffix(".md").write_text(index, encoding="utf-8")
    pages = {folder / f"{name}.md": name for name in names}
    for path, name in pages.items():
        path.write_text(page(name), encoding="utf-8")
    for path in {*folder.glob("*.md")} - pages.keys():
        path.unlink()
