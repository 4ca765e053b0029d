"""Our items and rewards as each framework expects them: one module per framework.

Each module imports its framework, so import the ones you need. They share the functions of
this file: prompts, rewards and metrics, the items of parts, and the check of settings before a
model answers.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias, cast

from tokenbench.checks import boolean, one_of, string, texts
from tokenbench.datasets import Dataset, dataset, length_of
from tokenbench.draw import Split
from tokenbench.errors import ItemError, expected
from tokenbench.extraction import Extract
from tokenbench.item import Item, as_item, as_items, is_missing
from tokenbench.prompts import STYLES, Style, chat
from tokenbench.scoring import RULES, Rule, check, check_options, has_scorer, score
from tokenbench.tasks import TaskLike, TaskRef

# An item, its row, or its JSON text.
ItemLike: TypeAlias = Item | Mapping[str, Any] | str
Messages: TypeAlias = list[dict[str, str]]


def to_prompt(
    item: ItemLike, *, style: Style = "direct", messages: bool = True, system: str | None = None
) -> Messages | str:
    """Return the prompt of an item as chat messages or as plain text.

    Args:
        item: an item, its row, or its JSON text.
        style: as `tokenbench.prompt` takes it.
        messages: whether to return chat messages; a plain text begins with the system message.
        system: a system message, if any.

    Raises:
        UnknownNameError: no such style.
        ItemError: not an item.
        TokenbenchError: `messages` or `system` has another type.

    >>> from tokenbench import spell
    >>> to_prompt(spell.generate(), messages=False) == spell.generate().prompt
    True
    """
    turns = chat(item, style, system)
    return (
        turns if boolean("messages", messages) else "\n\n".join(turn["content"] for turn in turns)
    )


def prompts_of(
    items: Iterable[ItemLike],
    *,
    style: Style = "direct",
    messages: bool = True,
    system: str | None = None,
) -> Iterator[tuple[Item, Messages | str]]:
    """Return an iterator over items and their prompts; the options are checked at once.

    Args:
        items: any items, their rows or their JSON text.
        style, messages, system: as in `to_prompt`.

    Raises:
        UnknownNameError: no such style.
        TokenbenchError: `messages` or `system` has another type.
        ItemError: not an item.

    >>> from tokenbench import dataset
    >>> item, prompt = next(prompts_of(dataset("spell"), messages=False))
    >>> prompt == item.prompt
    True
    """
    validate(style=style, system=system)
    boolean("messages", messages)
    return (
        (item, to_prompt(item, style=style, messages=messages, system=system))
        for item in as_items(items)
    )


def reward(
    completion: object, item: ItemLike | None, *, rule: Rule = "exact", extract: Extract = "answer"
) -> float | None:
    """Return a completion's score, or None if the row has no item.

    So a dataset can mix our rows with rows that have rewards of their own: those have None, an
    empty text, or NaN (where pandas read them) in the item's column.

    Args:
        completion, rule, extract: as in `tokenbench.score`.
        item: an item, its row, or its JSON text; None, "" or NaN if there is none.

    Raises:
        ItemError: the item is malformed, so training should stop.
        UnknownNameError: no such rule, extract or task.

    >>> from tokenbench import spell
    >>> item = spell.generate()
    >>> reward(f"<answer>{item.solution}</answer>", item.json()), reward("A text", None)
    (1.0, None)
    """
    if is_missing(item):
        return None
    return score(completion, as_item(item), rule=rule, extract=extract)


class ScoreMetrics(NamedTuple):
    """A completion's reward by the rule you train on, and metrics to log whatever that rule is.

    `exact` is 1.0 if the answer is right, `graded` the partial credit, and `answered` 1.0 if the
    completion has an answer that parses, right or wrong.
    """

    reward: float
    exact: float
    graded: float
    answered: float

    def to_log(self) -> dict[str, float]:
        """Return the metrics without the reward."""
        return {"exact": self.exact, "graded": self.graded, "answered": self.answered}


def score_metrics(
    completion: object, item: ItemLike, *, rule: Rule = "exact", extract: Extract = "answer"
) -> ScoreMetrics:
    """Return a completion's reward and metrics, judged once unless the rule is a published one.

    Args:
        completion, item, rule, extract: as in `tokenbench.score`.

    Raises:
        ItemError: the item is malformed.
        UnknownNameError: no such rule, extract or task.

    >>> from tokenbench import spell
    >>> score_metrics("No idea.", spell.generate())
    ScoreMetrics(reward=0.0, exact=0.0, graded=0.0, answered=0.0)
    """
    item = as_item(item)
    graded, _, code, _ = check(completion, item, rule="graded", extract=extract)
    scores = {"exact": float(code == "right"), "graded": graded}
    paid = scores[rule] if rule in scores else score(completion, item, rule=rule, extract=extract)
    return ScoreMetrics(paid, scores["exact"], graded, float(code in ("right", "wrong")))


def data_source(item: Item) -> str:
    """Return the name under which a trainer averages the metrics of items like this one.

    >>> from tokenbench import lenop
    >>> data_source(lenop.generate(lang="ko", variant="count"))
    'tokenbench/lenop:ko:count'
    """
    return f"tokenbench/{TaskRef.of(item)}"


def split_names(names: str | Sequence[str]) -> list[str]:
    """Return the different names in a list, in whose texts commas separate them too, or in a text.

    Raises:
        TokenbenchError: neither.

    >>> split_names("reord:zh, freq:en"), split_names(["reord:zh", "reord:zh,freq:en"])
    (['reord:zh', 'freq:en'], ['reord:zh', 'freq:en'])
    """
    listed = [names] if isinstance(names, str) else texts("a list of names", names)
    parts = [name.strip() for text in listed for name in text.split(",")]
    return list(dict.fromkeys(filter(None, parts)))


def part_items(part: TaskLike, n: int, *, seed: int = 0, split: Split = "test") -> Dataset:
    """Return n items of one part, or all the different ones if there are fewer.

    Args:
        part: a task as `tokenbench.dataset` takes it.
        n: the number of items.
        seed, split: as in the task's `generate`.

    Raises:
        UnknownNameError: a part or split that does not exist.
        DifficultyError: a level, seed or number that is not allowed.

    >>> len(part_items("reord:zh@3", 8)), len(part_items("furigana:ja", 10**9)) < 10**9
    (8, True)
    """
    return dataset(part, seed=seed, split=split)[: length_of(n)]


def deal_items(
    parts: Sequence[TaskLike], n: int, *, seed: int = 0, split: Split = "test"
) -> list[Item]:
    """Return n items, dealt evenly to several parts: one part after the other, none repeated.

    A part with fewer different items than its share gives all of them.

    Args:
        parts, seed, split: as in `part_items`.
        n: the number of items in all.

    Raises:
        TokenbenchError: no part, or one of the errors of `part_items`.

    >>> [item.task for item in deal_items(["freq:en", "sort:zh"], 3)]
    ['freq', 'sort', 'sort']
    """
    if isinstance(parts, str) or not isinstance(parts, Sequence) or not parts:
        raise expected("parts", parts, "a list of parts such as 'reord:zh'")
    n = length_of(n)
    items: dict[str, Item] = {}
    for index, part in enumerate(parts):
        share = (n + index) // len(parts)
        items |= {item.id: item for item in part_items(part, share, seed=seed, split=split)}
    return list(items.values())


def validate(
    *,
    rule: str = "exact",
    extract: str | Callable[[str], str | None] = "answer",
    style: str = "direct",
    system: str | None = None,
) -> None:
    """Raise an error unless the rule, the extract and the style exist, and the message is a text.

    Args:
        rule, extract: as in `tokenbench.score`.
        style: as `tokenbench.prompt` takes it.
        system: a system message, if any.

    Raises:
        UnknownNameError: no such rule, extract or style.
        TokenbenchError: `system` is not a str.

    >>> validate(rule="graded", style="cot")
    """
    check_options(rule, extract)
    one_of("style", style, STYLES)
    if system is not None:
        string("system", system)


def parse_rules(rules: str | Sequence[str]) -> list[Rule]:
    """Return the rules in a list, or in one text with commas.

    Raises:
        UnknownNameError: no such rule.
        TokenbenchError: no rule at all.

    >>> parse_rules("exact,graded")
    ['exact', 'graded']
    """
    names = split_names(rules)
    if not names:
        raise expected("rules", rules, f"at least one of {', '.join(RULES)}")
    for name in names:
        validate(rule=name)
    return cast(list[Rule], names)


def require_scorer(items: Iterable[Item], rules: Iterable[Rule]) -> None:
    """Raise an error that names the parts without a published scorer, if a rule needs one.

    Args:
        items: the items; none is made unless one of the rules is a published one.
        rules: rules that exist.

    Raises:
        ItemError: an item without such a scorer, or one that is malformed.

    >>> from tokenbench import spell
    >>> require_scorer([spell.generate()], ["exact", "published"])
    """
    if not (published := [rule for rule in rules if rule.startswith("published")]):
        return
    parts = {TaskRef.of(item): item for item in items}
    for rule in published:
        unjudged = [str(part) for part, item in parts.items() if not has_scorer(item, rule)]
        if unjudged:
            problem = f"no published scorer judges {', '.join(unjudged)}"
            raise ItemError(problem, remedy=f"leave out these parts, or the rule {rule!r}")
        for item in parts.values():
            score(None, item, rule=rule)


def require_scorer_for_parts(parts: Iterable[str], rules: Iterable[Rule]) -> None:
    """Raise an error for a part whose items a rule cannot judge, as `require_scorer` does.

    >>> require_scorer_for_parts(["spell:en", "trap:zh"], ["exact", "graded"])
    """
    require_scorer((part_items(part, 1)[0] for part in parts), rules)
