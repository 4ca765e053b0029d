"""Font files: what an item's meta and messages say of them."""

import os

from tokenbench.text.sources import FileStamp, digest


def fingerprint(file: FileStamp) -> str:
    """Return the first digits of a file's SHA-256, and the name of the function.

    Raises:
        SourceError: it cannot be read.
    """
    return f"sha256:{digest(file)[:12]}"


def label(path: str, index: int = 0) -> str:
    """Return what messages call a face of a font file."""
    return f"{os.path.basename(path)}#{index}" if index else os.path.basename(path)
