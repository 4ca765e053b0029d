"""The files of published benchmarks, as text."""

from pathlib import Path

from tokenbench.errors import SourceError


def text(path: Path) -> str:
    """Return what a file holds, without a byte order mark.

    Raises:
        SourceError: it cannot be read, or is not UTF-8.
    """
    try:
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise SourceError(
            f"cannot read '{path}' ({error.strerror}): expected a file of the published benchmark"
        ) from None
    except UnicodeDecodeError as error:
        raise SourceError(
            f"'{path}' is not UTF-8 text (byte {error.start}): expected the published file"
        ) from None
