"""tiktoken's rank files: a line is a token in Base64 and its rank, which is its id."""

import re
from binascii import a2b_base64
from collections.abc import Iterator
from typing import Final

from tokenbench.errors import SourceError

START: Final = re.compile(rb"[A-Za-z0-9+/]*={0,2} \d+[ \t]*(?:[\r\n]|$)")  # of the first line
_EMPTY: Final = b"="  # how Whisper's files write a token without bytes


def read(data: bytes, name: str) -> Iterator[tuple[int, bytes]]:
    """Give the id and the bytes of each token of a rank file.

    Raises:
        SourceError: a line that is no Base64 and a number.

    >>> list(read(b"dGhl 0\\nIGNhdA== 1\\n", "tiny.tiktoken"))
    [(0, b'the'), (1, b' cat')]
    """
    for place, line in enumerate(data.splitlines(), 1):
        try:
            token, rank = line.split()
            yield int(rank), b"" if token == _EMPTY else a2b_base64(token, strict_mode=True)
        except ValueError:  # also what is no Base64
            if line.strip():
                raise SourceError(
                    f"line {place} of {name!r} is {line!r:.60}: in a rank file each line is a "
                    "token in Base64 and a number"
                ) from None
