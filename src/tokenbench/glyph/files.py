"""Font files: what an item's meta says of them."""

import hashlib
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
    try:
        with open(file.path, "rb") as stream:
            return stream.read()
    except OSError as error:
        raise SourceError(f"cannot read {file.path!r}: {error.strerror}") from None
