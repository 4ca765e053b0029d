"""Tokenisation against response: which instances deceive, and the table of both."""

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from tokenbench.adt.instance import Instance, given
from tokenbench.adt.writing import spoken, whole
from tokenbench.errors import TokenbenchError
from tokenbench.vocab.traps.match import is_token_of_sentence, token_spans

if TYPE_CHECKING:
    from tokenbench.vocab.bpe import Bpe

Cell: TypeAlias = Literal["TP", "FP", "FN", "TN"]


def filter(instances: Iterable[Instance], bpe: "Bpe") -> list[Instance]:  # noqa: A001
    """Return the instances that a tokenizer really gets wrong.

    The trap has to be one token of the sentence, across the boundary of the two words; and one of
    the answer, where there is one. Spaces around a token do not matter, nor do a model's thoughts
    before its answer. What is not usable is left out. Source: ADT, the automatic filter.

    Args:
        instances: of `compose`, or of `ask`.
        bpe: the encoding of the model's tokenizer, of `tokenbench.vocab.bpe.load`.

    Raises:
        TokenbenchError: what is no instance, or no encoding.

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
    return [
        instance
        for instance in given(Instance, instances)
        if _falls(instance, bpe) and (instance.answer is None or _repeats(instance, bpe))
    ]


def cell(instance: Instance, bpe: "Bpe") -> Cell | None:
    """Return where an instance stands in the paper's table; None without an answer or verdict.

    Tokenisation is wrong where the trap is one token of the sentence, across the boundary. A
    response is wrong that contains the trap (also where it only quotes the sentence), or nothing;
    what a model thinks before does not count. A person's verdict, `right`, goes before that.

    Args:
        instance: of `ask`.
        bpe: the encoding of the model's tokenizer.
    """
    if not instance.usable or (instance.answer is None and instance.right is None):
        return None
    right = _is_right(instance) if instance.right is None else instance.right
    if _falls(instance, bpe):
        return "FP" if right else "TN"
    return "TP" if right else "FN"


class Confusion(NamedTuple):
    """The paper's table of right and wrong tokenisation and response.

    `presumed` are those of `tp` and `fp` that no person has judged: the paper calls a response that
    contains the trap wrong by rule, and has people read the others. `left_out` have neither answer
    nor verdict.

    >>> print(Confusion(tp=3, fp=1, fn=1, tn=5, presumed=4))
    | tokenisation | right response | wrong response |
    |---|---|---|
    | right | TP 3 (30.0 %) | FN 1 (10.0 %) |
    | wrong | FP 1 (10.0 %) | TN 5 (50.0 %) |
    """

    tp: int = 0  # both right
    fp: int = 0  # wrong tokenisation, right response
    fn: int = 0  # right tokenisation, wrong response
    tn: int = 0  # both wrong
    presumed: int = 0
    left_out: int = 0

    @property
    def total(self) -> int:
        """How many the table counts."""
        return self.tp + self.fp + self.fn + self.tn

    @property
    def rates(self) -> dict[Cell, float | None]:
        """The share of each cell in the total; None where that is 0."""
        cells: dict[Cell, int] = {"TP": self.tp, "FP": self.fp, "FN": self.fn, "TN": self.tn}
        return {name: _share(count, self.total) for name, count in cells.items()}

    @property
    def agreement(self) -> float | None:
        """The share in which tokenisation and response are right or wrong together."""
        return _share(self.tp + self.tn, self.total)

    @property
    def wrong_if_right(self) -> float | None:
        """The share of wrong responses where tokenisation is right."""
        return _share(self.fn, self.tp + self.fn)

    @property
    def wrong_if_wrong(self) -> float | None:
        """The share of wrong responses where tokenisation is wrong."""
        return _share(self.tn, self.fp + self.tn)

    def __str__(self) -> str:
        shown = {
            name: f"{name} {count}" + ("" if rate is None else f" ({100 * rate:.1f} %)")
            for count, (name, rate) in zip(self[:4], self.rates.items(), strict=True)
        }
        return (
            "| tokenisation | right response | wrong response |\n|---|---|---|\n"
            f"| right | {shown['TP']} | {shown['FN']} |\n"
            f"| wrong | {shown['FP']} | {shown['TN']} |"
        )


def confusion(results: Iterable[Instance], bpe: "Bpe") -> Confusion:
    """Return the table of tokenisation and response, by the rule of `cell`.

    Args:
        results: of `ask`, before `filter`, which keeps nothing but one cell.
        bpe: the encoding of the model's tokenizer.

    Raises:
        TokenbenchError: what is no instance, or no encoding.
    """
    counts: Counter[Cell | None] = Counter()
    presumed = 0
    for instance in given(Instance, results):
        found = cell(instance, bpe)
        counts[found] += 1
        presumed += instance.right is None and found in ("TP", "FP")
    tp, fp, fn, tn, none = (counts[name] for name in ("TP", "FP", "FN", "TN", None))
    return Confusion(tp, fp, fn, tn, presumed, none)


def _falls(instance: Instance, bpe: "Bpe") -> bool:
    if not hasattr(bpe, "spans"):
        raise TokenbenchError(f"bpe is an encoding, of tokenbench.vocab.bpe.load: got {bpe!r:.80}")
    return instance.usable and is_token_of_sentence(instance.match, instance.sentence, bpe)


def _repeats(instance: Instance, bpe: "Bpe") -> bool:
    """Return whether the trap is one token of the answer."""
    answer = whole(spoken(instance.answer or ""))
    return any(answer[low:high] == instance.match.trap for low, high in token_spans(answer, bpe))


def _is_right(instance: Instance) -> bool:
    answer = spoken(instance.answer or "")
    return bool(answer.strip()) and instance.match.trap not in answer


def _share(count: int, total: int) -> float | None:
    return count / total if total else None
