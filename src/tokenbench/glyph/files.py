"""Font files: what an item's meta says of them."""

import hashlib
import os
from functools import lru_cache

from tokenbench.errors import SourceError
from tokenbench.text.sources import KEPT, Located


@lru_cache(maxsize=KEPT)
def digest(file: Located) -> str:
    """Return the first digits of a file's SHA-256, and the name of the function.

    Raises:
        SourceError: it cannot be read.
    """
    return f"sha256:{hashlib.sha256(content(file)).hexdigest()[:12]}"


def content(file: Located) -> bytes:
    """Return the bytes of a file.

    Raises:
        SourceError: it cannot be read.
    """
    return start(file, -1)


def start(file: Located, length: int = 1 << 10) -> bytes:
    """Return the first bytes of a file.

    Raises:
        SourceError: it cannot be read.
    """
    try:
        with open(file.path, "rb") as stream:
            return stream.read(length)
    except OSError as error:
        raise SourceError(f"cannot read {file.path!r}: {error.strerror}") from None


def label(path: str, index: int = 0) -> str:
    """Return what messages call a face of a font file."""
    return f"{os.path.basename(path)}#{index}" if index else os.path.basename(path)
