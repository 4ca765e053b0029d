"""Instances, files of them, and the table of tokenisation and response.

An instance is a trap, the sentence and question around it, and the answer.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias, TypeVar, get_type_hints

from tokenbench.errors import ItemError, TokenbenchError
from tokenbench.files import PathLike, journal, read_lines
from tokenbench.item import dumps
from tokenbench.vocab.traps.match import Match, is_token_of_sentence, token_spans

if TYPE_CHECKING:
    from tokenbench.vocab.bpe import Bpe

_Kind = TypeVar("_Kind")
Cell: TypeAlias = Literal["TP", "FP", "FN", "TN"]

_MATCH_FIELDS: Final = ("word1", "word2", "trap", "cut")
# Each line begins with it, so that a torn last line is recognised.
_LINE_PREFIX: Final = b'{"word1": '


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

    Raises:
        ItemError: a field has the wrong type; the trap is not where the match says; or the
            sentence does not contain both words, joined, and no fault says so.

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
            raise ItemError(f"an instance's match must be a Match, not {type(self.match).__name__}")
        for name, kind in _FIELDS.items():
            if not isinstance(value := getattr(self, name), kind):
                expected = getattr(kind, "__name__", kind)
                raise ItemError(f"an instance's {name} must be {expected}, got {value!r:.80}")
        word1, word2, trap, cut, _ = self.match
        is_across = 0 < cut < len(trap) and cut <= len(word1)
        if not (is_across and word1[-cut:] == trap[:cut] and word2.startswith(trap[cut:])):
            raise ItemError(f"the trap is not across the boundary of the words: {self.match}")
        if self.usable and self.join not in self.sentence:
            raise ItemError(
                f"the sentence does not contain {self.join!r}: got {self.sentence!r:.80}"
            )

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
        except (ValueError, RecursionError) as error:
            raise ItemError(f"an instance must be JSON text: {error}") from None
        if not isinstance(values, dict):
            kind = type(values).__name__
            raise ItemError(f"an instance's JSON text must be an object, not {kind}")
        for name in (*_MATCH_FIELDS, *_FIELDS):
            if name not in values:
                raise ItemError(f"an instance needs the field {name!r}: got {values!r:.80}")
        *words, cut = parts = [values[name] for name in _MATCH_FIELDS]
        if not all(isinstance(word, str) for word in words) or type(cut) is not int:
            raise ItemError(
                f"word1, word2 and trap must be str, and cut an int: got {values!r:.80}"
            )
        return cls(Match.of(*parts), **{name: values[name] for name in _FIELDS})


# An instance's line of JSON has the fields of its match, then these.
_FIELDS: Final = {name: kind for name, kind in get_type_hints(Instance).items() if name != "match"}


def require_each(kind: type[_Kind], values: Iterable[_Kind]) -> Iterator[_Kind]:
    """Yield an argument's values.

    Raises:
        ItemError: the argument is not iterable, or one of its values is not of the kind.
    """
    if not isinstance(values, Iterable):
        raise ItemError(
            f"expected a list or another iterable of {kind.__name__} objects, got {values!r:.80}"
        )
    for value in values:
        if not isinstance(value, kind):
            raise ItemError(f"expected {kind.__name__} objects, got {value!r:.80} among them")
        yield value


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

    A last line that a crash has torn is ignored.

    Raises:
        SourceError: the file cannot be read, or another line is not an instance.
    """
    return read_lines(path, Instance.from_json, _LINE_PREFIX)


@contextmanager
def open_journal(
    path: PathLike | None,
) -> Iterator[tuple[list[Instance], Callable[[Instance], None]]]:
    """Give the instances of a file, and a function that adds one to it at once.

    Without a path there are none, and nothing is saved.

    Raises:
        SourceError: as `tokenbench.files.journal`.
    """
    if path is None:
        yield [], lambda _: None
        return
    with journal(path, Instance.from_json, _LINE_PREFIX) as (instances, add):
        yield instances, lambda instance: add(instance.json())


def filter(instances: Iterable[Instance], bpe: "Bpe") -> list[Instance]:  # noqa: A001
    """Return the instances that a tokenizer really gets wrong.

    The trap has to be one token of the sentence, across the boundary of the two words; and one of
    the answer, if there is one. Spaces around a token do not matter, nor do a model's thoughts
    before its answer. Unusable instances are left out. Source: ADT, the automatic filter.

    Args:
        instances: of `compose`, or of `ask`.
        bpe: the encoding of the model's tokenizer, of `tokenbench.vocab.bpe.load`.

    Raises:
        TokenbenchError: a value that is not an instance, or not an encoding.

    >>> from tokenbench.vocab import bpe
    >>> from tokenbench.vocab.traps import Match
    >>> ranks = [b"st", b"ab", b"le", b"able", b"stable"]
    >>> ranks = [*(bytes([byte]) for byte in range(256)), *ranks]
    >>> encoding = bpe.load({token: rank for rank, token in enumerate(ranks)})
    >>> match = Match.of("moves", "table", "stable", 1)
    >>> instance = Instance(match, "en", "Tom movestable and chair.", "What does Tom do?")
    >>> filter([instance, Instance(match, "en")], encoding) == [instance]
    True
    """
    deceived = (one for one in require_each(Instance, instances) if _is_deceived(one, bpe))
    return [one for one in deceived if one.answer is None or _is_trap_in_answer(one, bpe)]


def cell(instance: Instance, bpe: "Bpe") -> Cell | None:
    """Return the cell of an instance in the paper's table; None without an answer or verdict.

    Tokenisation is wrong if the trap is one token of the sentence, across the boundary. A response
    is wrong if it contains the trap (even if it only quotes the sentence), or nothing; a model's
    thoughts do not count. A person's verdict, `right`, has priority.

    Args:
        instance: of `ask`.
        bpe: the encoding of the model's tokenizer.
    """
    if not instance.usable or (instance.answer is None and instance.right is None):
        return None
    right = instance.right
    if right is None:
        answer = final_answer(instance.answer or "")
        right = bool(answer.strip()) and instance.match.trap not in answer
    if _is_deceived(instance, bpe):
        return "FP" if right else "TN"
    return "TP" if right else "FN"


class Confusion(NamedTuple):
    """The paper's table of right and wrong tokenisation and response.

    `tp` counts instances where both are right, `tn` where both are wrong, `fp` where only the
    response is right, and `fn` where only the tokenisation is right. `presumed` are those of `tp`
    and `fp` that no person has judged: by rule, the paper calls a response wrong that contains the
    trap, and has people read the others. `left_out` have neither answer nor verdict.

    >>> print(Confusion(tp=3, fp=1, fn=1, tn=5, presumed=4))
    | tokenisation | right response | wrong response |
    |---|---|---|
    | right | TP 3 (30.0 %) | FN 1 (10.0 %) |
    | wrong | FP 1 (10.0 %) | TN 5 (50.0 %) |
    """

    tp: int = 0
    fp: int = 0
    fn: int = 0
    tn: int = 0
    presumed: int = 0
    left_out: int = 0

    @property
    def total(self) -> int:
        """The number of instances in the table."""
        return self.tp + self.fp + self.fn + self.tn

    @property
    def rates(self) -> dict[Cell, float | None]:
        """The share of each cell in the total; None where that is 0."""
        cells: dict[Cell, int] = {"TP": self.tp, "FP": self.fp, "FN": self.fn, "TN": self.tn}
        return {name: _share(count, self.total) for name, count in cells.items()}

    @property
    def agreement(self) -> float | None:
        """The share of instances whose tokenisation and response are both right or both wrong."""
        return _share(self.tp + self.tn, self.total)

    @property
    def wrong_if_right(self) -> float | None:
        """The share of wrong responses if tokenisation is right."""
        return _share(self.fn, self.tp + self.fn)

    @property
    def wrong_if_wrong(self) -> float | None:
        """The share of wrong responses if tokenisation is wrong."""
        return _share(self.tn, self.fp + self.tn)

    def __str__(self) -> str:
        tp, fp, fn, tn = (
            f"{name} {count}" + ("" if rate is None else f" ({100 * rate:.1f} %)")
            for count, (name, rate) in zip(self[:4], self.rates.items(), strict=True)
        )
        header = "| tokenisation | right response | wrong response |\n|---|---|---|\n"
        return f"{header}| right | {tp} | {fn} |\n| wrong | {fp} | {tn} |"


def confusion(results: Iterable[Instance], bpe: "Bpe") -> Confusion:
    """Return the table of tokenisation and response, by the rule of `cell`.

    Args:
        results: of `ask`, before `filter`, which only keeps one cell.
        bpe: the encoding of the model's tokenizer.

    Raises:
        TokenbenchError: a value that is not an instance, or not an encoding.
    """
    counts: Counter[Cell | None] = Counter()
    presumed = 0
    for instance in require_each(Instance, results):
        name = cell(instance, bpe)
        counts[name] += 1
        presumed += instance.right is None and name in ("TP", "FP")
    tp, fp, fn, tn, none = (counts[name] for name in ("TP", "FP", "FN", "TN", None))
    return Confusion(tp, fp, fn, tn, presumed, none)


def _is_deceived(instance: Instance, bpe: "Bpe") -> bool:
    if not hasattr(bpe, "spans"):
        raise TokenbenchError(
            f"bpe must be an encoding, of tokenbench.vocab.bpe.load: got {bpe!r:.80}"
        )
    return instance.usable and is_token_of_sentence(instance.match, instance.sentence, bpe)


def _is_trap_in_answer(instance: Instance, bpe: "Bpe") -> bool:
    answer = mend_surrogates(final_answer(instance.answer or ""))
    return any(answer[low:high] == instance.match.trap for low, high in token_spans(answer, bpe))


def _share(count: int, total: int) -> float | None:
    return count / total if total else None
