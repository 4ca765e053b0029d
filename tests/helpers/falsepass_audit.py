"""falsepass on a task: an audit prepared here for its runner, which installs nothing."""

import contextlib
import io
import tempfile
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final
from unittest import mock

from falsepass import runner, search
from falsepass.adapter import Adapter
from falsepass.model import Example, Policy, Score

from tokenbench import Item, score, task
from tokenbench.answers import Order
from tokenbench.testing import respellings
from tokenbench.testing.item_facts import decoys, kind_of, near_miss, number, tagged

Judge = Callable[[object, Item], float]
Row = dict[str, Any]

_FEW: Final = 3  # items that meet the slower probes
_SEARCHED: Final = 120  # completions of a search
# What falsepass's search takes for the same answer, and the folding by which a task says so.
_BY_FOLD: Final = {"slot_swapcase": "case", "slot_quotes": "wrapping", "slot_bold": "wrapping"}


class Audited(Adapter):  # type: ignore[misc]  # it ships no types
    """What falsepass has to know of a task in a language and variant, and of a judge of it."""

    def __init__(self, name: str, lang: str, variant: str | None, judge: Judge) -> None:
        """Keep the audited rows."""
        self.name = f"{name}:{lang}:{variant}"
        self._task, self._lang, self._variant = task(name), lang, variant
        self._judge = judge
        self._examples: list[Example] = []

    def load(self, n: int, seed: int) -> tuple["_Scorer", list[Example]]:
        """Return the scorer and the first n items of a seed."""
        items = [
            self._task.generate(lang=self._lang, variant=self._variant, seed=seed, index=index)
            for index in range(n)
        ]
        self._examples = [
            Example(str(index), item.prompt, item.solution, item)
            for index, item in enumerate(items)
        ]
        return _Scorer(self._judge), self._examples

    def hygiene_examples(self, limit: int) -> list[Example]:
        """Return the examples whose prompts are compared with one another."""
        return self._examples[:limit]

    def render(self, answer: str, _example: Example) -> str:
        """Return an answer as the prompts ask for it."""
        return tagged(answer)

    def wrong_answer(self, example: Example) -> str:
        """Return an answer that is nearly right.

        It is not the question's own text, which may stand before an equal sign.
        """
        wrong = near_miss(example.raw)
        return wrong + wrong[-1:] if wrong == example.raw.target.get("given") else wrong

    def shotgun_answers(self, example: Example) -> list[str]:
        """Return candidates; one is right."""
        return [*decoys(example.raw), example.answer]

    def equivalent_forms(self, example: Example) -> dict[str, Any]:
        """Return falsepass's own respellings, and those that the task declares."""
        ours = {
            f"{family}_{place}": text
            for family, texts in respellings(example.raw).items()
            for place, text in enumerate(texts)
        }
        return {**super().equivalent_forms(example), **ours}


class _Scorer:
    """A judge as falsepass calls it."""

    concurrent_safe = True
    weights: Final[dict[str, float]] = {}

    def __init__(self, judge: Judge) -> None:
        self._judge = judge

    async def score(self, example: Example, completion: object) -> Score:
        if isinstance(completion, Policy):
            return Score(None, {}, ["there is nothing to play"])
        try:
            return Score(self._judge(completion, example.raw))
        except Exception as error:  # falsepass counts and lists it
            return Score(None, {}, [f"{type(error).__name__}: {error}"])

    async def close(self) -> None:
        """Do nothing: there is nothing to close."""


def audit(
    name: str, lang: str, variant: str | None, *, judge: Judge = score, n: int = 10
) -> list[Row]:
    """Return falsepass's rows on the first n items of a task: a completion and its score each."""
    quiet = contextlib.redirect_stderr(io.StringIO())  # it reports its progress
    audited = Audited(name, lang, variant, judge)
    with (
        tempfile.TemporaryDirectory() as folder,
        mock.patch.object(runner, "load_adapter", return_value=audited),
        mock.patch.object(search, "meaning_preserving_mutations", _keep_declared()),
        quiet,
    ):
        prepared = Path(folder)
        (prepared / "src").mkdir()  # the sources to scan; without the folder it wants a setup
        payload = runner.run(prepared, n=n, seed=0, few=_FEW, search_calls=_SEARCHED, jobs=1)
    rows: list[Row] = payload["results"]
    return rows


def place_of(row: Row) -> str:
    """Return which probe a row is of: for a search, by the recipe that it found."""
    recipe = str(row["detail"]).partition("best: ")[2]
    return f"{row['probe']} {recipe or row['variant']}"


def _keep_declared() -> Callable[[Adapter, Example], dict[str, Any]]:
    """Return falsepass's mutations that keep the meaning, except those a task does not fold."""
    every = search.meaning_preserving_mutations

    def mutations(adapter: Adapter, example: Example) -> dict[str, Any]:
        folds = _folds(example.raw)
        found: dict[str, Any] = every(adapter, example)
        return {
            name: mutation
            for name, mutation in found.items()
            if _BY_FOLD.get(name) in (None, *folds)
            and (name != "slot_trailing_period" or not _ends_with_mark(example.answer))
        }

    return mutations


def _folds(item: Item) -> tuple[str, ...]:
    """Return the foldings that an item's task declares, and the promises about its form."""
    declared = task(item.task).kind(item.variant).equivalences
    promised = ("wrapping",) if number(item) is not None or isinstance(kind_of(item), Order) else ()
    return (*declared, *promised)


def _ends_with_mark(answer: str) -> bool:
    """Return whether an answer ends with a mark of its own, after which no stop is free."""
    return unicodedata.category(answer[-1])[0] in "PS"
