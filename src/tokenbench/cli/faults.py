"""Lines that cannot be used: the first ends the command, or all are reported and counted."""

from collections import Counter
from collections.abc import Callable

from tokenbench.errors import SourceError


class Faults:
    """Lines that cannot be used: the first is fatal, or all are reported and counted.

    Args:
        skip: whether to go on after one.
        report: says a text to the user.
    """

    def __init__(self, skip: bool, report: Callable[[str], None]) -> None:
        self._skip, self._report = skip, report
        self.counts: Counter[str] = Counter()

    def add(self, kind: str, message: str, count: int = 1) -> None:
        """Take note of unusable lines: `malformed`, `unknown` or `missing` ones.

        Raises:
            SourceError: they are not to be skipped.
        """
        if not self._skip:
            raise SourceError(message)
        self.counts[kind] += count
        self._report(f"skipped: {message}")
