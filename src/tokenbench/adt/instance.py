"""An instance: a trap, the sentence and question around it, and what a model made of them."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from tokenbench.errors import ItemError
from tokenbench.item import dumps
from tokenbench.vocab.traps.match import Match

_Kind = TypeVar("_Kind")

# Beside the match, whose fields a line of JSON holds among these.
_FIELDS: Final = {
    "lang": str,
    "sentence": str,
    "question": str,
    "fault": str | None,
    "answer": str | None,
    "right": bool | None,
}


@dataclass(frozen=True, slots=True)
class Instance:
    """One instance of the paper's data, at any step of its way.

    Args:
        match: the two words and their trap.
        lang: the language of sentence and question.
        sentence: holds both words, joined; empty before it is written.
        question: is about the sentence.
        fault: why sentence and question cannot be used; None where they can.
        answer: what the model under test said; None before it is asked.
        right: a person's verdict on the answer; None without one.

    Raises:
        ItemError: a field has the wrong type; the trap is not where the match says; or the
            sentence does not hold both words, joined, and no fault says so.

    >>> match = Match.of("moves", "table", "stable", 1)
    >>> instance = Instance(match, "en", "Tom movestable and chair.", "What does Tom do?")
    >>> instance.usable, Instance.from_json(instance.json()) == instance
    (True, True)
    """

    match: Match
    lang: str
    sentence: str = ""
    question: str = ""
    fault: str | None = None
    answer: str | None = None
    right: bool | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.match, Match):
            raise ItemError(f"an instance's match is a Match, not {type(self.match).__name__}")
        for name, kind in _FIELDS.items():
            if not isinstance(value := getattr(self, name), kind):
                kinds = getattr(kind, "__name__", kind)
                raise ItemError(f"an instance's {name} is {kinds}: got {value!r:.80}")
        if not self._is_trap():
            raise ItemError(f"the trap does not lie across the boundary: {self.match}")
        if self.usable and self.join not in self.sentence:
            raise ItemError(f"the sentence does not hold {self.join!r}: got {self.sentence!r:.80}")

    @property
    def join(self) -> str:
        """Both words, written together."""
        return self.match.word1 + self.match.word2

    @property
    def usable(self) -> bool:
        """Whether sentence and question are written, and without fault."""
        return self.fault is None and bool(self.sentence and self.question)

    @property
    def prompt(self) -> str:
        """What the model under test is asked: the sentence, and the question on a line of its own.

        Nothing stands before the sentence, and a line break after it, so that it is tokenised as
        it is alone.
        """
        return f"{self.sentence}\n{self.question}"

    def json(self) -> str:
        """Return the instance as one line of JSON, the match's fields among the others."""
        return dumps(self.match._asdict() | {name: getattr(self, name) for name in _FIELDS})

    @classmethod
    def from_json(cls, text: str) -> "Instance":
        """Return the instance that `json` wrote; further fields are ignored.

        Raises:
            ItemError: the text is not JSON, or a field is missing or of the wrong type.
        """
        try:
            values = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise ItemError(f"an instance is JSON text: {error}") from None
        if not isinstance(values, dict):
            raise ItemError(f"an instance's JSON text is an object, not {type(values).__name__}")
        return cls(_match(values), **{name: _field(values, name) for name in _FIELDS})

    def _is_trap(self) -> bool:
        word1, word2, trap, cut, _ = self.match
        inside = 0 < cut < len(trap) and cut <= len(word1)
        return inside and word1[-cut:] == trap[:cut] and word2.startswith(trap[cut:])


def given(kind: type[_Kind], values: Iterable[_Kind]) -> Iterator[_Kind]:
    """Yield what a user gives several of.

    Raises:
        ItemError: it is no iterable, or holds something of another kind.
    """
    if not isinstance(values, Iterable):
        raise ItemError(
            f"{kind.__name__} objects come in a list or another iterable: got {values!r:.80}"
        )
    for value in values:
        if not isinstance(value, kind):
            raise ItemError(f"{kind.__name__} objects are expected: one is {value!r:.80}")
        yield value


def _match(values: dict[str, Any]) -> Match:
    word1, word2, trap, cut = (_field(values, name) for name in ("word1", "word2", "trap", "cut"))
    if not all(isinstance(word, str) for word in (word1, word2, trap)) or type(cut) is not int:
        raise ItemError(f"word1, word2 and trap are str, and cut is an int: got {values!r:.80}")
    return Match.of(word1, word2, trap, cut)


def _field(values: dict[str, Any], name: str) -> Any:
    try:
        return values[name]
    except KeyError:
        raise ItemError(f"an instance needs the field {name!r}: got {values!r:.80}") from None
