"""A completion of a run, judged, as a line of `results.jsonl`."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Final, NamedTuple, get_type_hints

from tokenbench.errors import ItemError
from tokenbench.item import dumps

# Each line of results begins with it, so that a torn last line is recognised.
LINE_PREFIX: Final = b'{"index": '
# The codes of verdicts on answers that could be read.
_READABLE: Final = frozenset({"right", "wrong"})
# How servers name the limit of tokens.
_CUT_OFF: Final = frozenset({"length", "max_tokens", "max_output_tokens", "model_length"})


class Key(NamedTuple):
    """Which completion: the index of the item, and the index of the sample of that item."""

    item_index: int
    sample: int


@dataclass(frozen=True, slots=True)
class Result:
    """One completion of an item, judged.

    `index` is that of the item in `Run.items`. `scores` are by rule, None if the item has no
    such scorer; if the request failed, they are empty and `error` says why. `answer`, `code` and
    `reason` are by the run's first rule that the item has a scorer for. `refused` is whether the
    same request would fail again.
    """

    index: int
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
    reason: str | None
    refused: bool

    @property
    def key(self) -> Key:
        """Which completion it is."""
        return Key(self.index, self.sample)

    @property
    def is_unreadable(self) -> bool:
        """Whether the completion has no answer, or not one answer that can be read."""
        return self.code is not None and self.code not in _READABLE

    @property
    def is_cut_off(self) -> bool:
        """Whether the limit of tokens ended the completion."""
        return self.finish is not None and self.finish.lower() in _CUT_OFF

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
            wrong = [n for n, kind in _TYPES.items() if not isinstance(getattr(result, n), kind)]
            if wrong or min(result.key) < 0:
                raise ValueError(f"{', '.join(wrong or ['index or sample'])} of another kind")
        except (ValueError, TypeError, RecursionError) as error:
            raise ItemError(f"not a result of a run: {error}") from None
        return result


_TYPES: Final = get_type_hints(Result) | {"seconds": int | float, "scores": dict}
