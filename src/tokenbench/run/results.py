"""Results: one line of JSON for each completion of an item, with its scores."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Final, NamedTuple

from tokenbench.errors import ItemError
from tokenbench.item import Item, dumps
from tokenbench.run.protocol import Completion

OPENING: Final = b'{"place": '  # how each line begins


class Key(NamedTuple):
    """Which completion: the item's place among the items, and the sample; both from 0."""

    place: int
    sample: int


@dataclass(frozen=True, slots=True)
class Result:
    """One completion of an item, judged.

    `scores` are by rule, None where the item has no such scorer; they are empty, and `error` says
    why, where the request failed. `answer` and `code` are those of the run's first rule.
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
        """Return it as one line of JSON."""
        return dumps({one.name: getattr(self, one.name) for one in fields(self)})

    @classmethod
    def from_json(cls, line: str) -> "Result":
        """Return the result that `json` wrote.

        Raises:
            ItemError: the line holds none.
        """
        try:
            value: Any = json.loads(line)
            result = cls(**value)
        except (ValueError, TypeError, RecursionError) as error:
            raise ItemError(f"no result of a run: {error}") from None
        if not _is_sound(result):
            raise ItemError("no result of a run: a field is of another type")
        return result

    @classmethod
    def of(
        cls,
        key: Key,
        item: Item,
        completion: Completion,
        *,
        answer: str | None = None,
        code: str | None = None,
        scores: Mapping[str, float | None] | None = None,
    ) -> "Result":
        """Return the result of a completion of an item."""
        return cls(
            place=key.place,
            sample=key.sample,
            id=item.id,
            task=item.task,
            lang=item.lang,
            variant=item.variant,
            completion=completion.text,
            finish=completion.finish,
            prompt_tokens=completion.prompt_tokens,
            completion_tokens=completion.completion_tokens,
            seconds=round(completion.seconds, 3),
            error=completion.error or ("no text" if completion.text is None else None),
            answer=answer,
            code=code,
            scores=scores or {},
        )


def _is_sound(result: Result) -> bool:
    """Return whether what others rely on is of its type."""
    numbers = (result.place, result.sample)
    names = (result.id, result.task, result.lang)
    optional = (result.variant, result.completion, result.error, result.answer, result.code)
    counts = (result.prompt_tokens, result.completion_tokens)
    return (
        all(isinstance(number, int) and number >= 0 for number in numbers)
        and all(isinstance(name, str) for name in names)
        and all(text is None or isinstance(text, str) for text in (*optional, result.finish))
        and all(count is None or isinstance(count, int) for count in counts)
        and isinstance(result.seconds, int | float)
        and isinstance(result.scores, dict)
        and all(score is None or isinstance(score, float) for score in result.scores.values())
    )
