"""A run as its folder holds it."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from tokenbench import journal
from tokenbench.files import require_path
from tokenbench.run import pin
from tokenbench.run.items import ItemsFile
from tokenbench.run.options import Options
from tokenbench.run.results import OPENING, Key, Result


@dataclass(frozen=True)
class Run:
    """A run: to what it is pinned, its items, and its results as far as there are any.

    `pinned` is the content of `run.json`.
    """

    folder: Path
    pinned: dict[str, Any] = field(repr=False)

    @property
    def model(self) -> str:
        """The model's name."""
        return str(self.pinned.get("model"))

    @cached_property
    def options(self) -> Options:
        """What was asked."""
        return Options.from_json(self.pinned["options"])

    @cached_property
    def items(self) -> ItemsFile:
        """The items, in order; a result's `place` is the place of its item here."""
        return ItemsFile(str(self.folder / pin.ITEMS))

    def results(self) -> list[Result]:
        """Return one result for each completion, in the order of items and samples.

        Of several lines for one, that without an error counts, else the last one.

        Raises:
            SourceError: the file cannot be read, or a line that is not torn holds no result.
        """
        path = self.folder / pin.RESULTS
        return list(_final(journal.read(path, Result.from_json, OPENING)))


def read(folder: str | os.PathLike[str]) -> Run:
    """Return the run of a folder.

    Raises:
        SourceError: there is no run in it, or one of another format.
    """
    path = Path(require_path(folder))
    return Run(path, pin.read(path))


def _final(results: Iterable[Result]) -> Iterator[Result]:
    found: dict[Key, Result] = {}
    for result in results:
        if result.key not in found or found[result.key].error is not None:
            found[result.key] = result
    return iter(found[key] for key in sorted(found))
