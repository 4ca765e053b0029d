"""`tokenbench demo`: items of every task and language, and how three kinds of answers score."""

import re
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import chain
from statistics import fmean, median
from typing import Annotated, Final, NamedTuple

import typer
from rich.console import Console
from rich.text import Text
from typer import Option

from tokenbench.cli import options
from tokenbench.cli.items import item_title
from tokenbench.cli.render import Meter, line_width, show_table, show_texts, truncate
from tokenbench.cli.streams import DONE, SKIPPED
from tokenbench.item import Item
from tokenbench.quoting import pluralize
from tokenbench.scoring import score
from tokenbench.tasks import TaskRef, catalog, task

_RULES: Final = ("exact", "graded", "published")
_KINDS: Final = ("solutions", "gaming", "baseline")
_N_ITEMS_PER_PART: Final = 5
# The cells of a line of the short table that are not texts of an item.
_TASK_CELLS: Final = 23
# Its completions are megabytes long: the tests send them, a demo would only be slower.
_SLOW_FAMILY: Final = "flood"
_QUOTED = re.compile("[“‘]([^”’]+)[”’]")
_LABELLED = re.compile(r"\A(.{1,16}?)[:：]\s*(.*)\Z", re.DOTALL)


@dataclass
class _Row:
    """The scores of one task, variant and language under one rule, by kind of answer."""

    scores: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    seconds: list[float] = field(default_factory=list)


class _Key(NamedTuple):
    part: str
    lang: str
    rule: str


def demo(
    n: Annotated[int | None, Option("--n", "-n", min=1, help="Number of items.",
        show_default=f"{_N_ITEMS_PER_PART} per task, variant and language")] = None,
    seed: options.Seed = 0,
    show_all: Annotated[bool, Option("--all",
        help="Show an item and the scores of every task, variant and language, not only a line "
        "for each task.")] = False,
    progress: options.Progress = None,
) -> int:  # fmt: skip
    """Draw items of every task and language, and score three kinds of answers to each.

    Tasks that work in any language take turns through the languages. The answers are the items'
    own solutions, completions that try to earn a reward without solving anything, and the answers
    of a simple rule-based player. The exit status is 1 if under `exact` a solution
    scores less than 1, or a gaming completion more than 0.
    """
    parts = demo_parts()
    table: defaultdict[_Key, _Row] = defaultdict(_Row)
    start = time.perf_counter()
    total = _N_ITEMS_PER_PART * len(parts) if n is None else n
    items: list[Item] = []
    shown: set[TaskRef] = set()
    source: Iterable[Item]
    if n is None:
        # Some of each part, which so few items of a mixture do not have.
        source = chain(*options.draw_each(parts, _N_ITEMS_PER_PART, seed=seed))
    else:
        source = options.mix_parts(parts, seed=seed)[:n]
    with Meter("items drawn and scored", total, progress, output=False, at_end=True) as meter:
        # One by one: the first item of a part is slow to draw.
        for index, item in enumerate(meter.track(source)):
            if show_all and TaskRef.of(item) not in shown:
                shown.add(TaskRef.of(item))
                _show_item(item, meter.console)
            items.append(item)
            _score_all(item, index, table)
    seconds = time.perf_counter() - start
    if show_all:
        _show_parts(table)
    else:
        _show_tasks(items)
        _show_rules(table)
    return _show_summary(table, total, seconds)


def demo_parts() -> list[str]:
    """Return the parts of the demo, each as `task:lang[:variant]`."""
    turn = 0
    parts = []
    for name in catalog():
        for variant in task(name).variants or (None,):
            langs = task(name).langs
            if task(name).accepts_any_language:
                langs, turn = (langs[turn % len(langs)],), turn + 1
            parts += [str(TaskRef(name, lang, variant)) for lang in langs]
    return parts


def baseline_answer(item: Item) -> str:
    """Return the answer of a simple rule-based player, which only reads the prompt.

    It looks at the form of the prompt: it sorts three labelled texts by length, compares two lists
    as sets, counts a quoted word in a text, shuffles a text after a colon by taking every other
    token, counts the tokens of any other text, and repeats the quoted topic where nothing follows.

    >>> ask = "How often does “a” occur?\\n\\na b a\\n\\nPut your final answer inside the tags."
    >>> baseline_answer(Item("any", 1, "en", None, ask, {}, "2"))
    '2'
    """
    question, *texts = item.prompt.split("\n\n")[:-1] or [item.prompt]
    labelled = [match.groups() for text in texts if (match := _LABELLED.match(text))]
    quoted = _QUOTED.search(question)
    if len(labelled) == 3:
        return "".join(label for label, text in sorted(labelled, key=lambda pair: -len(pair[1])))
    if len(labelled) == 2:
        first, second = (set(_tokens(text)) for _, text in labelled)
        different = sorted(first ^ second)
        return different[0] if different else quoted[1] if quoted else ""
    text = texts[0] if texts else ""
    if not text:
        topic = quoted[1] if quoted else question
        number = re.search(r"\d+", question)
        n = int(number[0]) if number else 1
        return " ".join([topic] * n) if topic.isascii() else (topic * n)[:n]
    if quoted:
        return str(_tokens(text).count(quoted[1]))
    if question.endswith((":", "：")):
        tokens = _tokens(text)
        return ("" if len(tokens) == len(text) else " ").join(tokens[1::2] + tokens[::2])
    return str(len(_tokens(text)))


def _tokens(text: str) -> list[str]:
    """Split at spaces, or into characters if the text is not in Latin letters."""
    return text.split() if text.isascii() else list(text.replace(" ", ""))


def _score_all(item: Item, index: int, table: dict[_Key, _Row]) -> None:
    """Score an item's solution, the player's answer and gaming completions under each rule."""
    from tokenbench.testing import attacks
    from tokenbench.testing.item_facts import completion_for

    gaming = [
        members[index % len(members)]
        for family, members in attacks(item).items()
        if members and family != _SLOW_FAMILY
    ]
    part = str(TaskRef(item.task, variant=item.variant))
    for rule in _RULES:
        if rule == "published" and rule not in item.target:
            # The task has no published scorer.
            continue
        completions: dict[str, list[object]] = {
            "solutions": [completion_for(item.solution, item, rule)],
            "gaming": gaming,
            "baseline": [completion_for(baseline_answer(item), item, rule)],
        }
        row = table[_Key(part, item.lang, rule)]
        for kind, of_kind in completions.items():
            for completion in of_kind:
                start = time.perf_counter()
                row.scores[kind].append(score(completion, item, rule=rule))
                row.seconds.append(time.perf_counter() - start)


def _show_item(item: Item, on: Console | None) -> None:
    """Print an excerpt of an item with its solution."""
    room = line_width()
    # The last paragraph asks for tags.
    excerpt = [("", truncate(text, room)) for text in item.prompt.split("\n\n")[:-1]]
    solution = ("→", truncate(item.solution, room - 3))
    show_texts(item_title(item), [*excerpt, solution], on=on)


def _show_tasks(items: Iterable[Item]) -> None:
    """Print a line for each task: an item, in English if there is one, and its solution."""
    examples: dict[str, Item] = {}
    for item in items:
        known = examples.get(item.task)
        if known is None or item.lang == "en" != known.lang:
            examples[item.task] = item
    room = (line_width() - _TASK_CELLS) // 3
    rows: list[list[str | Text]] = []
    for name in filter(examples.__contains__, catalog()):
        # The last paragraph asks for tags.
        question = " ".join(examples[name].prompt.split("\n\n")[:-1])
        texts = truncate(question, 2 * room), truncate(examples[name].solution, room)
        rows.append([Text(name, style="bold"), *texts])
    show_table(["task", "an item", "its solution"], rows)


def _show_rules(table: Mapping[_Key, _Row]) -> None:
    """Print the means of all items under each rule."""
    rows = []
    for rule in _RULES:
        if any(key.rule == rule for key in table):
            row = _sum(row for key, row in table.items() if key.rule == rule)
            rows.append([rule, *_cells(rule, row)])
    typer.echo()
    show_table(["rule", *_KINDS, "µs a score"], rows, right=range(1, 5))


def _show_parts(table: Mapping[_Key, _Row]) -> None:
    """Print the means of each task, variant and language under each rule."""
    keys = _keys_in_order(table)
    show_table(
        ["task", "lang", "rule", *_KINDS, "µs a score"],
        [[*key, *_cells(key.rule, table[key])] for key in keys],
        title="Mean scores: own solutions, completions that game the reward, a rule-based player",
        right=range(3, 7),
        sections=[index for index, key in enumerate(keys[:-1]) if key[:2] != keys[index + 1][:2]],
    )


def _show_summary(table: Mapping[_Key, _Row], n: int, seconds: float) -> int:
    """Print what it comes to; return the exit status."""
    count = sum(len(row.seconds) for row in table.values())
    items, completions = pluralize(n, "item"), pluralize(count, "completion")
    typer.echo(f"\n{items} drawn, {completions} scored in {seconds:.1f} s.")
    low, gamed, parts = 0, 0, []
    for key in (key for key in _keys_in_order(table) if key.rule == "exact"):
        scores = table[key].scores
        unsolved = sum(points < 1.0 for points in scores["solutions"])
        paid = sum(points > 0.0 for points in scores["gaming"])
        low, gamed = low + unsolved, gamed + paid
        parts += [f"{key.part} in {key.lang}"] if unsolved or paid else []
    if parts:
        typer.echo(
            f"Under exact, {pluralize(low, 'solution')} scored below 1.0 and "
            f"{pluralize(gamed, 'gaming completion')} above 0, first of {parts[0]}."
        )
        return SKIPPED
    typer.echo("Under exact, every solution scored 1.0 and every gaming completion 0.0.")
    return DONE


def _keys_in_order(table: Mapping[_Key, _Row]) -> list[_Key]:
    return [
        key
        for ref in map(TaskRef.parse, demo_parts())
        for rule in _RULES
        if (key := _Key(str(ref._replace(lang=None)), ref.lang or "", rule)) in table
    ]


def _sum(rows: Iterable[_Row]) -> _Row:
    """Return the scores and times of several rows in one."""
    total = _Row()
    for row in rows:
        total.seconds += row.seconds
        for kind, scores in row.scores.items():
            total.scores[kind] += scores
    return total


def _cells(rule: str, row: _Row) -> list[str | Text]:
    """Return the means, coloured where `exact` promises their value, and the median time."""
    promised = {"solutions": 1.0, "gaming": 0.0} if rule == "exact" else {}
    cells: list[str | Text] = []
    for kind in _KINDS:
        mean = fmean(row.scores[kind])
        style = "" if kind not in promised else "green" if mean == promised[kind] else "bold red"
        cells.append(Text(f"{mean:.3f}", style=style))
    return [*cells, f"{median(row.seconds) * 1e6:,.0f}"]
