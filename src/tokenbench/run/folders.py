"""Folders that runs and reports are written into."""

from pathlib import Path

from tokenbench import journal
from tokenbench.errors import SourceError
from tokenbench.files import require_path


def made(path: journal.Path) -> Path:
    """Return a folder, having made it if it was not there.

    Raises:
        SourceError: it cannot be made.
    """
    folder = Path(require_path(path))
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SourceError(f"cannot make the folder {str(folder)!r}: {error.strerror}") from None
    return folder
