"""Progress and scores of a run: counts while it goes on, and `summary.json`."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from math import isnan
from typing import Any

from tokenbench.item import Item
from tokenbench.quoting import pluralize
from tokenbench.run.clients import Options
from tokenbench.run.estimates import Estimate, mean, pass_at, scores_by_item
from tokenbench.run.result import Result
from tokenbench.tasks import TaskRef

_FORMAT = 1


class RunProgress:
    """The state of an evaluation, as `on_progress` gets it; as text, one line about it.

    Attributes:
        n_items: the number of items.
        n_completions: the number of completions of the finished run.
        n_prepared: the number of items that are checked and written, before the first request.
        n_parts: the number of different tasks, languages and variants among them.
        is_prepared: whether requests are made now.
        n_resumed: the number of completions that the folder already had.
        n_saved: the number of completions that it has now, with those.
        n_failed: the number of requests that failed since.
        last_error: why the last of them failed; None without any.
        rule: the first rule of the run.
        score: the mean score under that rule, in which each different item counts once; None
            before the first one.
        n_unreadable, n_cut_off: the number of completions without an answer that can be read, and
            of those that the limit of tokens ended.

    >>> state = RunProgress(n_items=5, samples=2, rule="exact")
    >>> str(state)
    '0 of 5 items prepared'
    >>> state.start()
    >>> str(state)
    '0 of 10 completions'
    """

    def __init__(self, n_items: int, samples: int, rule: str) -> None:
        self.n_items, self.n_completions, self.rule = n_items, n_items * samples, rule
        self.n_prepared = self.n_resumed = self.n_saved = self.n_failed = 0
        self.n_unreadable = self.n_cut_off = 0
        self.last_error: str | None = None
        self.is_prepared = False
        self._parts: dict[TaskRef, Item] = {}
        # The sum of each item's scores and their number, and the sum of these items' means.
        self._scores: dict[str, tuple[float, int]] = {}
        self._sum_of_means = 0.0

    @property
    def n_parts(self) -> int:
        return len(self._parts)

    @property
    def examples(self) -> list[Item]:
        """The first item of each part."""
        return [*self._parts.values()]

    @property
    def n_done(self) -> int:
        """The number of completions that are saved or failed."""
        return self.n_saved + self.n_failed

    @property
    def score(self) -> float | None:
        return self._sum_of_means / len(self._scores) if self._scores else None

    @property
    def details(self) -> str:
        """The score, how many completions are unreadable, cut off or failed."""
        score = [] if self.score is None else [f"{self.rule} {self.score:.3f}"]
        shares = [
            f"{percent(count, self.n_saved)} {name}"
            for count, name in ((self.n_unreadable, "unreadable"), (self.n_cut_off, "cut off"))
            if self.n_saved
        ]
        failed = [f"{self.n_failed} failed"] if self.n_failed else []
        return ", ".join([*score, *shares, *failed])

    def __str__(self) -> str:
        if not self.is_prepared:
            return f"{self.n_prepared:,} of {pluralize(self.n_items, 'item')} prepared"
        done = f"{self.n_done:,} of {pluralize(self.n_completions, 'completion')}"
        return f"{done}; {self.details}" if self.details else done

    def prepare(self, item: Item) -> None:
        """Count an item that is checked and written."""
        self.n_prepared += 1
        self._parts.setdefault(TaskRef.of(item), item)

    def start(self) -> None:
        """Note that all items are prepared."""
        self.is_prepared = True

    def resume(self, result: Result) -> None:
        """Count a completion that the folder already has."""
        self.n_resumed += 1
        self.add(result)

    def add(self, result: Result) -> None:
        """Count a completion."""
        if result.error is not None:
            self.n_failed += 1
            self.last_error = result.error
            return
        self.n_saved += 1
        self.n_unreadable += result.is_unreadable
        self.n_cut_off += result.is_cut_off
        score = result.scores.get(self.rule)
        if score is not None:
            total, n_scores = self._scores.get(result.id, (0.0, 0))
            self._scores[result.id] = total + score, n_scores + 1
            self._sum_of_means += (total + score) / (n_scores + 1)
            self._sum_of_means -= total / n_scores if n_scores else 0.0


def summarize(
    model: str, options: Options, n_items: int, results: Sequence[Result]
) -> dict[str, Any]:
    """Return the scores of a run, and why they are what they are, as `summary.json` has them.

    Scores are by task (with its variant), by language, and by both. An item that the run has
    twice counts once: its completions are taken together.
    """
    rules, samples = options.rules, options.samples

    def groups(key: Callable[[Result], str]) -> dict[str, Any]:
        members: dict[str, list[Result]] = defaultdict(list)
        for result in results:
            members[key(result)].append(result)
        return {name: _group(group, rules, samples) for name, group in members.items()}

    failed = [result for result in results if result.error is not None]
    return {
        "format": _FORMAT,
        "model": model,
        "rules": list(rules),
        "completions": {
            "total": n_items * samples,
            "done": len(results) - len(failed),
            "failed": len(failed),
            "refused": sum(result.refused for result in failed),
        },
        "all": _group(results, rules, samples),
        "tasks": groups(lambda one: str(TaskRef(one.task, variant=one.variant))),
        "languages": groups(lambda one: one.lang),
        "parts": groups(lambda one: str(TaskRef(one.task, one.lang, one.variant))),
    }


def percent(count: int, total: int) -> str:
    """Return a share in whole percent, where only none is 0 % and only all is 100 %.

    >>> percent(1, 3), percent(1, 1000), percent(999, 1000), percent(0, 7)
    ('33 %', '<1 %', '>99 %', '0 %')
    """
    share = 100 * count / total
    if 0 < share < 1:
        return "<1 %"
    return ">99 %" if 99 < share < 100 else f"{share:.0f} %"


def _group(results: Sequence[Result], rules: Sequence[str], samples: int) -> dict[str, Any]:
    done = [result for result in results if result.error is None]
    scores = {rule: list(scores_by_item(done, rule).values()) for rule in rules}
    estimates = {rule: _estimate(mean(found)) for rule, found in scores.items()}
    passes = {str(k): _estimate(pass_at(k, scores[rules[0]])) for k in pass_counts(samples)}
    return {
        "items": len({result.index for result in done}),
        "different_items": len({result.id for result in done}),
        "completions": len(done),
        "failed": len(results) - len(done),
        "refused": sum(result.refused for result in results),
        "scores": estimates,
        **({"pass_at": passes} if passes else {}),
        "codes": dict(Counter(result.code for result in done if result.code is not None)),
        "cut_off": sum(result.is_cut_off for result in done),
        "prompt_tokens": _sum_if_any(result.prompt_tokens for result in done),
        "completion_tokens": _sum_if_any(result.completion_tokens for result in done),
    }


def _estimate(estimate: Estimate) -> dict[str, float | int] | None:
    """Return an estimate as JSON, which has no nan."""
    if isnan(estimate.value):
        return None
    return {"mean": estimate.value, "low": estimate.low, "high": estimate.high, "items": estimate.n}


def pass_counts(samples: int) -> list[int]:
    """Return the k of each pass@k to show: powers of two, and all samples; pass@1 is the mean.

    >>> pass_counts(1), pass_counts(2), pass_counts(6)
    ([], [2], [2, 4, 6])
    """
    powers = [1 << bit for bit in range(1, samples.bit_length()) if 1 << bit < samples]
    return [*powers, samples] if samples > 1 else []


def _sum_if_any(counts: Iterable[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if known else None
