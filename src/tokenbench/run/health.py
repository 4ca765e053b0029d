"""Whether it makes sense to go on asking a server, by how it has answered so far."""

import re
from typing import Final, NamedTuple

from tokenbench.errors import ClientError
from tokenbench.run.protocol import Completion

_FATAL: Final = (401, 402, 403, 404, 405)  # whatever is asked: the key, the model or the URL
_HEALING: Final = (408, 409, 425, 429)
_QUOTA: Final = "insufficient_quota"  # a 429 that does not heal
_TOO_LONG: Final = re.compile(
    r"context.{0,9}(length|window|size)|maximum context|too long", re.IGNORECASE
)
_REFUSED: Final = 3  # requests that a server refuses before it has answered any
_UNANSWERED: Final = 16  # requests that may fail before one is answered; later on,
_FAILED: Final = 2  # times as many as may be in flight, one after the other, and no fewer


class Outcome(NamedTuple):
    """What came of a request; the status is that of an answer that is an error, else None."""

    place: int
    completion: Completion
    status: int | None = None


class Health:
    """Looks whether it makes sense to go on.

    Args:
        concurrency: how many requests may be in flight.
    """

    def __init__(self, concurrency: int) -> None:
        self._patience = max(_FAILED * concurrency, _UNANSWERED)
        self._answered = False
        self._refused = self._failed = 0

    def passed(self, outcome: Outcome | Exception) -> tuple[int, Completion]:
        """Return a request's place and completion, if others may succeed.

        Raises:
            ClientError: they would not.
        """
        if isinstance(outcome, Exception):
            raise outcome
        place, completion, status = outcome
        error = completion.error
        if error is None:
            self._answered, self._failed = True, 0
            return place, completion
        self._failed += 1
        refused = status is not None and 400 <= status < 500 and status not in _HEALING
        if status in _FATAL or _QUOTA in error:
            raise ClientError(f"the server refuses every request: {error}")
        if refused and not self._answered and not _TOO_LONG.search(error):
            self._refused += 1
            if self._refused == _REFUSED:
                raise ClientError(f"the server refuses all requests so far: {error}")
        if self._failed == (self._patience if self._answered else _UNANSWERED):
            raise ClientError(f"the last {self._failed} requests failed, the last one by: {error}")
        return place, completion
