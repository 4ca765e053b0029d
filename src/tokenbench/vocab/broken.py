"""What is said of a file that is not what it seems, whatever a package said of it."""

from tokenbench.errors import SourceError


def broken(name: str, kind: str, error: Exception) -> SourceError:
    """Return the error for a file that the reader of its format turned away.

    >>> broken("a.model", "SentencePiece model", RuntimeError("no\\nsuch piece"))
    SourceError("'a.model' is no whole SentencePiece model (RuntimeError: no such piece)")
    """
    said = " ".join(str(error).split())
    return SourceError(f"{name!r} is no whole {kind} ({type(error).__name__}: {said:.200})")
