"""A run in its folder, and its results: one line of JSON for each completion of an item."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import Any, Final, NamedTuple, get_type_hints

from tokenbench.errors import ItemError
from tokenbench.files import read_lines, require_path
from tokenbench.item import dumps
from tokenbench.run.manifest import ITEMS, RESULTS, ItemsFile, read_manifest
from tokenbench.run.options import Options

# Each line of results begins with it, so that a torn last line is recognised.
LINE_PREFIX: Final = b'{"place": '


class Key(NamedTuple):
    """Which completion: the index of the item, and the index of the sample of that item."""

    place: int
    sample: int


@dataclass(frozen=True, slots=True)
class Result:
    """One completion of an item, judged.

    `place` is the index of the item in `Run.items`. `scores` are by rule, None if the item has no
    such scorer; if the request failed, they are empty and `error` says why. `answer` and `code` are
    by the run's first rule.
    """

    place: int
    sample: int
    id: str
    task: str
    lang: str
    variant: str | None
    completion: str | None
    finish: str | None
    prompt_tokens: int | None
    completion_tokens: int | None
    seconds: float
    error: str | None
    answer: str | None
    code: str | None
    scores: Mapping[str, float | None]

    @property
    def key(self) -> Key:
        """Which completion it is."""
        return Key(self.place, self.sample)

    def json(self) -> str:
        """Return the result as one line of JSON."""
        return dumps({one.name: getattr(self, one.name) for one in fields(self)})

    @classmethod
    def from_json(cls, line: str) -> "Result":
        """Return the result that `json` wrote.

        Raises:
            ItemError: the line is not a result.
        """
        try:
            result = cls(**json.loads(line))
        except (ValueError, TypeError, RecursionError) as error:
            raise ItemError(f"not a result of a run: {error}") from None
        for name, kind in _TYPES.items():
            if not isinstance(value := getattr(result, name), kind):
                raise ItemError(f"not a result of a run: {name} is {value!r:.80}")
        scores = result.scores.values()
        if min(result.key) < 0 or not all(isinstance(score, float | None) for score in scores):
            raise ItemError("not a result of a run: a negative index, or a score that is no float")
        return result


_TYPES: Final = get_type_hints(Result) | {"seconds": int | float, "scores": dict}


@dataclass(frozen=True)
class Run:
    """A run: its manifest (the content of `run.json`), its items, and the results so far."""

    folder: Path
    manifest: dict[str, Any] = field(repr=False)

    @property
    def model(self) -> str:
        """The model's name."""
        return str(self.manifest.get("model"))

    @cached_property
    def options(self) -> Options:
        """The options of its evaluation."""
        return Options.from_json(self.manifest["options"])

    @cached_property
    def items(self) -> ItemsFile:
        """The items, in order; a result's `place` is an index into them."""
        return ItemsFile(str(self.folder / ITEMS))

    def results(self) -> list[Result]:
        """Return one result for each completion, in the order of items and samples.

        If the file has several lines for a completion, the first one without an error counts, else
        the last one.

        Raises:
            SourceError: the file cannot be read, or a line that is not torn is not a result.
        """
        results: dict[Key, Result] = {}
        for result in read_lines(self.folder / RESULTS, Result.from_json, LINE_PREFIX):
            if result.key not in results or results[result.key].error is not None:
                results[result.key] = result
        return [results[key] for key in sorted(results)]


def read(folder: str | os.PathLike[str]) -> Run:
    """Return the run of a folder.

    Raises:
        SourceError: the folder has no run, or one of another format.
    """
    path = Path(require_path(folder))
    return Run(path, read_manifest(path))
