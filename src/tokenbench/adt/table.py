"""The table of tokenisation and response, and the filter of what is tokenised wrongly."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, Literal, NamedTuple, TypeAlias

from tokenbench.adt.pipeline import Instance, final_answer, mend_surrogates, require_each
from tokenbench.quoting import pluralize
from tokenbench.vocab.spans import as_tokenizer
from tokenbench.vocab.traps.match import is_token_of_sentence, token_spans

Cell: TypeAlias = Literal["TP", "FP", "FN", "TN"]


def filter(instances: Iterable[Instance], tokenizer: Any) -> list[Instance]:  # noqa: A001
    """Return the instances that a tokenizer really gets wrong.

    The trap has to be one token of the sentence, across the boundary of the two words; and one of
    the answer, if there is one. Spaces around a token do not matter, nor do a model's thoughts
    before its answer. Unusable instances are left out. Source: ADT, the automatic filter.

    Args:
        instances: of `compose`, or of `ask`.
        tokenizer: the model's; whatever `tokenbench.vocab.spans.as_tokenizer` takes.

    Raises:
        TokenbenchError: a value that is not an instance, or not a tokenizer.

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
    encoder = as_tokenizer(tokenizer)
    kept = []
    for one in require_each(Instance, instances):
        answer = mend_surrogates(final_answer(one.answer or ""))
        tokens = (answer[low:high] for low, high in token_spans(answer, encoder))
        if _is_deceived(one, encoder) and (one.answer is None or one.match.trap in tokens):
            kept.append(one)
    return kept


def cell(instance: Instance, tokenizer: Any) -> Cell | None:
    """Return the cell of an instance in the paper's table; None without an answer or verdict.

    Tokenisation is wrong if the trap is one token of the sentence, across the boundary. A response
    is wrong if it contains the trap (even if it only quotes the sentence), or nothing; a model's
    thoughts do not count. A person's verdict, `right`, has priority.

    Args:
        instance: of `ask`.
        tokenizer: the model's, as for `filter`.

    Raises:
        TokenbenchError: not an instance, or not a tokenizer.
    """
    encoder = as_tokenizer(tokenizer)
    [instance] = require_each(Instance, [instance])
    if not instance.usable or (instance.answer is None and instance.right is None):
        return None
    right = instance.right
    if right is None:
        answer = final_answer(instance.answer or "")
        right = bool(answer.strip()) and instance.match.trap not in answer
    if _is_deceived(instance, encoder):
        return "FP" if right else "TN"
    return "TP" if right else "FN"


class Confusion(NamedTuple):
    """The paper's table of right and wrong tokenisation and response.

    `tp` counts instances where both are right, `tn` where both are wrong, `fp` where only the
    response is right, and `fn` where only the tokenisation is right. `presumed` are those of `tp`
    and `fp` that no person has judged: by rule, the paper calls a response wrong that contains the
    trap, and has people read the others. `left_out` have neither answer nor verdict. `unnamed` are
    responses without a verdict that name neither the trap nor one of the two words: they are among
    `presumed`, unless the table is `strict` and they are in no cell.

    >>> print(Confusion(tp=3, fp=1, fn=1, tn=5, presumed=4))
    | tokenisation | right response | wrong response |
    |---|---|---|
    | right | TP 3 (30.0 %) | FN 1 (10.0 %) |
    | wrong | FP 1 (10.0 %) | TN 5 (50.0 %) |
    <BLANKLINE>
    Presumed right: 4 of 4 right responses, which lack the trap and which nobody has judged.
    """

    tp: int = 0
    fp: int = 0
    fn: int = 0
    tn: int = 0
    presumed: int = 0
    left_out: int = 0
    unnamed: int = 0
    strict: bool = False

    @property
    def total(self) -> int:
        """The number of instances in the table."""
        return self.tp + self.fp + self.fn + self.tn

    @property
    def rates(self) -> dict[Cell, float | None]:
        """The share of each cell in the total; None where that is 0."""
        cells: dict[Cell, int] = {"TP": self.tp, "FP": self.fp, "FN": self.fn, "TN": self.tn}
        n = self.total
        return {name: count / n if n else None for name, count in cells.items()}

    def __str__(self) -> str:
        tp, fp, fn, tn = (
            f"{name} {count}" + ("" if rate is None else f" ({100 * rate:.1f} %)")
            for count, (name, rate) in zip(self[:4], self.rates.items(), strict=True)
        )
        header = "| tokenisation | right response | wrong response |\n|---|---|---|\n"
        table = f"{header}| right | {tp} | {fn} |\n| wrong | {fp} | {tn} |"
        return "\n".join((table, "", *self._notes()))

    def _notes(self) -> Iterator[str]:
        """Yield sentences about the responses that no person has judged."""
        right = pluralize(self.tp + self.fp, "right response")
        which = "which lack the trap and which nobody has judged"
        if self.presumed:
            yield f"Presumed right: {self.presumed} of {right}, {which}."
        if self.unnamed and self.strict:
            what = f"{pluralize(self.unnamed, 'response')} without a verdict"
            yield f"In no cell: {what} and without the trap and the two words."
        elif self.unnamed:
            yield f"Naming neither of the two words: {self.unnamed} of these."
        if self.left_out:
            instances = pluralize(self.left_out, "instance")
            yield f"Left out: {instances} with neither answer nor verdict."


def confusion(results: Iterable[Instance], tokenizer: Any, *, strict: bool = False) -> Confusion:
    """Return the table of tokenisation and response, by the rule of `cell`.

    Args:
        results: of `ask`, before `filter`, which only keeps one cell.
        tokenizer: the model's, as for `filter`.
        strict: leave responses without a verdict that name neither the trap nor one of the two
            words out of the table, and count them as `unnamed`. The paper presumes them right.

    Raises:
        TokenbenchError: a value that is not an instance, or not a tokenizer.
    """
    encoder = as_tokenizer(tokenizer)
    counts: Counter[Cell | None] = Counter()
    presumed = unnamed = 0
    for instance in require_each(Instance, results):
        name = cell(instance, encoder)
        is_presumed = instance.right is None and name in ("TP", "FP")
        answer = final_answer(instance.answer or "").casefold()
        is_named = any(word.casefold() in answer for word in instance.match[:2])
        is_unnamed = is_presumed and not is_named
        unnamed += is_unnamed
        if not (strict and is_unnamed):
            counts[name] += 1
            presumed += is_presumed
    tp, fp, fn, tn, none = (counts[name] for name in ("TP", "FP", "FN", "TN", None))
    return Confusion(tp, fp, fn, tn, presumed, none, unnamed, strict)


def _is_deceived(instance: Instance, tokenizer: Any) -> bool:
    return instance.usable and is_token_of_sentence(instance.match, instance.sentence, tokenizer)
