"""Instances (a trap, the sentence and question around it, and the answer) and files of them."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, TypeVar, get_args, get_type_hints

from tokenbench.checks import instance
from tokenbench.errors import ItemError, TokenbenchError, expected
from tokenbench.files import PathLike, journal, read_lines, require_path, write_atomically
from tokenbench.item import Json, dumps
from tokenbench.quoting import describe_differences
from tokenbench.vocab.traps.match import Match

_Kind = TypeVar("_Kind")
# Why a completion cannot be used: it is too long; has no JSON object; the object's values are not
# texts; the question is empty; the sentence lacks the joined words; the trap is elsewhere, too; or
# another reason, of a person or of a file without kinds.
FaultKind: TypeAlias = Literal[
    "too_long", "no_json", "not_text", "no_question", "no_join", "trap_elsewhere", "other"
]

_MATCH_FIELDS: Final = ("word1", "word2", "trap", "cut")
# Each line begins with it, so that a torn last line is recognised.
_LINE_PREFIX: Final = b'{"word1": '
# Added to a file's name: the file of facts about its model, by the step of the pipeline.
_FACTS_SUFFIX: Final = ".run.json"


@dataclass(frozen=True, slots=True)
class Instance:
    """One instance of the paper's data, at any step of the pipeline.

    Args:
        match: the two words and their trap.
        lang: the language of sentence and question.
        sentence: contains both words, joined; empty before it is written.
        question: about the sentence.
        fault: why sentence and question cannot be used; None if they can.
        answer: of the model under test; None before it is asked.
        right: a person's verdict on the answer; None without one.
        fault_kind: the fault as one of a few words, to count faults by: `too_long`, `no_json`,
            `not_text`, `no_question`, `no_join`, `trap_elsewhere`; `other` for a fault without one.

    Raises:
        TokenbenchError: a field has the wrong type; a kind without a fault; the trap is not where
            the match says; or the sentence does not contain both words, joined, and no fault says
            so.

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
    fault_kind: FaultKind | None = None

    def __post_init__(self) -> None:
        instance("match", self.match, Match, "a Match", error=ItemError)
        for name, kind in _FIELDS.items():
            instance(name, getattr(self, name), kind, str(kind), error=ItemError)
        if self.fault is not None and self.fault_kind is None:
            object.__setattr__(self, "fault_kind", "other")
        if self.fault_kind not in ((None,) if self.fault is None else get_args(FaultKind)):
            allowed = f"one of {', '.join(get_args(FaultKind))}, and None without a fault"
            raise expected("fault_kind", self.fault_kind, allowed, error=ItemError)
        Match.of(*self.match[:4])
        if self.usable and self.join not in self.sentence:
            allowed = f"a sentence with {self.join!r}"
            raise expected("sentence", self.sentence, allowed, error=ItemError)

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
        """The prompt for the model under test: the sentence, and the question on a second line.

        The sentence comes first and ends with a line break, so that it is tokenised as it is alone.
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
            match = Match.of(*(values[name] for name in _MATCH_FIELDS))
            return cls(match, **{name: values[name] for name in _FIELDS if name in values})
        except TokenbenchError:
            raise
        except (TypeError, ValueError, LookupError, RecursionError) as error:
            raise ItemError(f"not an instance as adt.compose writes it: {error!r:.80}") from None


# An instance's line of JSON has the fields of its match, then these.
_FIELDS: Final[dict[str, Any]] = {
    name: kind for name, kind in get_type_hints(Instance).items() if name != "match"
} | {"fault_kind": str | None}


def require_each(kind: type[_Kind], values: Iterable[_Kind]) -> Iterator[_Kind]:
    """Yield an argument's values.

    Raises:
        ItemError: one is not of the kind.
    """
    for value in values:
        yield instance("values", value, kind, f"{kind.__name__} objects", error=ItemError)


def final_answer(completion: str) -> str:
    """Return a completion without the model's thoughts; nothing if they do not end.

    >>> final_answer("<think>Stable?</think> He moves it."), final_answer("<think>Stable?")
    (' He moves it.', '')
    """
    final = completion.rpartition("</think>")[2]
    return "" if "<think>" in final else final


def mend_surrogates(text: str) -> str:
    """Return a text that UTF-8 can encode: halves of surrogate pairs are joined, or replaced."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def read(path: PathLike) -> list[Instance]:
    """Return the instances of a file that `compose` or `ask` wrote, in its order.

    Of several lines for a match, which `compose(retry=True)` writes, the last one counts. A last
    line that a crash has torn is ignored.

    Raises:
        SourceError: the file cannot be read, or another line is not an instance.
    """
    lines = read_lines(path, Instance.from_json, _LINE_PREFIX)
    return list({(one.match, one.lang, one.answer is None): one for one in lines}.values())


@contextmanager
def open_journal(
    path: PathLike | None, step: Literal["compose", "ask"], facts: Mapping[str, Json] | None
) -> Iterator[tuple[list[Instance], Callable[[Instance], None]]]:
    """Give the instances of a file, and a function that adds one to it at once.

    Without a path there are none, and nothing is saved.

    Args:
        path: the file.
        step: which instances are to be added: those with answers, or without.
        facts: what the instances of the step have in common, such as the model's name; kept in a
            file next to it.

    Raises:
        SourceError: as `tokenbench.files.journal`; or the file of facts cannot be used.
        TokenbenchError: other facts than those of the file.
    """
    if path is None:
        yield [], lambda _: None
        return
    with journal(path, Instance.from_json, _LINE_PREFIX) as (instances, add):
        if facts is not None:
            is_begun = any((one.answer is not None) == (step == "ask") for one in instances)
            _compare_or_write_facts(require_path(path), step, facts, is_begun)
        yield instances, lambda one: add(one.json())


def _compare_or_write_facts(
    path: str, step: str, facts: Mapping[str, Json], is_begun: bool
) -> None:
    now, file = json.loads(json.dumps(dict(facts))), Path(path + _FACTS_SUFFIX)
    record = json.loads(file.read_bytes()) if file.exists() else {}
    if not is_begun:
        with write_atomically(file) as part:
            part.write_text(json.dumps(record | {step: now}, indent=1) + "\n", "utf-8")
    # Whose the instances of a file without facts are is not known.
    elif differences := describe_differences(record.get(step, now), now):
        problem = f"{path!r} has the work of another model, or of other options: {differences}"
        raise TokenbenchError(problem, remedy="give the same to continue it, or another file")
