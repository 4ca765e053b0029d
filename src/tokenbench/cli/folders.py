"""Folders to write into."""

from pathlib import Path

from tokenbench.errors import SourceError


def refuse_loss(out: str, *, force: bool) -> None:
    """Look whether a folder may be written into.

    Raises:
        SourceError: it holds something, and to replace it is not asked for.
    """
    path = Path(out)
    if not force and path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise SourceError(f"{out!r} is there already: give another --out, or --force")
