"""`tokenbench demo` and `try`: items of every task and language, and how answers to them score."""

import secrets
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from io import TextIOWrapper
from itertools import chain
from statistics import fmean
from typing import Annotated, Final, NamedTuple

import typer
from rich.text import Text
from typer import Argument, Option

from tokenbench.cli import options
from tokenbench.cli.items import item_title
from tokenbench.cli.render import (
    Meter,
    line_width,
    show_table,
    show_texts,
    show_verdict,
    truncate,
)
from tokenbench.cli.streams import DONE, SKIPPED
from tokenbench.item import Item
from tokenbench.quoting import pluralize
from tokenbench.scoring import check, score
from tokenbench.tasks import TaskRef, catalog, task
from tokenbench.tasks.contract import UNBOUNDED
from tokenbench.tasks.wordings import split_closing

# Seeds that are easy to type again.
_N_SEEDS: Final = 10_000
# Texts are short enough to count words in.
_LEVEL: Final = 1
_QUIT: Final = ("quit", "exit")
_RULES: Final = ("exact", "graded", "published")
_KINDS: Final = ("solutions", "gaming", "baseline")
# The scores of `exact`.
_PROMISED: Final = {"solutions": 1.0, "gaming": 0.0}
_N_ITEMS_PER_PART: Final = 5
# The cells of a line of the short table that are not texts of an item.
_TASK_CELLS: Final = 23
# Its completions are megabytes long: the tests send them, a demo would only be slower.
_SLOW_FAMILY: Final = "flood"


class _Score(NamedTuple):
    """The score of a completion of a kind under a rule."""

    item: Item
    rule: str
    kind: str
    points: float


def demo(
    seed: options.Seed = 0,
    progress: options.Progress = None,
) -> int:
    """Draw items of every task and language, and score three kinds of answers to each.

    Tasks that work in any language take turns through the languages. The answers are the items'
    own solutions, completions that try to earn a reward without solving anything, and as a
    baseline answers that do without the task, such as the length of the text. The exit status is 1
    if under `exact` a solution scores less than 1, or a gaming completion more than 0.
    """
    parts = demo_parts()
    total = _N_ITEMS_PER_PART * len(parts)
    start = time.perf_counter()
    items: list[Item] = []
    scores: list[_Score] = []
    source = chain(*options.draw_each(parts, _N_ITEMS_PER_PART, seed=seed))
    with Meter("items drawn and scored", total, progress, output=False) as meter:
        # One by one: the first item of a part is slow to draw.
        for index, item in enumerate(meter.track(source)):
            items.append(item)
            scores += _score_all(item, index)
    seconds = time.perf_counter() - start
    _show_tasks(items)
    _show_rules(scores)
    completions = pluralize(len(scores), "completion")
    typer.echo(f"\n{pluralize(total, 'item')} drawn, {completions} scored in {seconds:.1f} s.")
    return _show_faults(scores)


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


def _score_all(item: Item, index: int) -> Iterator[_Score]:
    """Yield the scores of the solution, a shortcut and gaming completions by each rule."""
    from tokenbench.testing import attacks, shortcuts
    from tokenbench.testing.item_facts import completion_for

    gaming = [
        members[index % len(members)]
        for family, members in attacks(item).items()
        if members and family != _SLOW_FAMILY
    ]
    tagged = list(shortcuts(item).values())
    chosen = tagged[index % len(tagged)] if tagged else ""
    guess = chosen.removeprefix("<answer>").removesuffix("</answer>")
    for rule in _RULES:
        if rule == "published" and rule not in item.target:
            # The task has no published scorer.
            continue
        completions: dict[str, list[object]] = {
            "solutions": [completion_for(item.solution, item, rule)],
            "gaming": gaming,
            "baseline": [completion_for(guess, item, rule)],
        }
        for kind, of_kind in completions.items():
            for completion in of_kind:
                yield _Score(item, rule, kind, score(completion, item, rule=rule))


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


def _show_rules(scores: Sequence[_Score]) -> None:
    """Print the mean of each kind of completions."""
    rows: list[list[str]] = []
    for rule in _RULES:
        of_rule = [one for one in scores if one.rule == rule]
        if of_rule:
            means = (fmean(one.points for one in of_rule if one.kind == kind) for kind in _KINDS)
            rows.append([rule, *(f"{mean:.3f}" for mean in means)])
    typer.echo()
    show_table(["rule", *_KINDS], rows, right=[1, 2, 3])


def _show_faults(scores: Sequence[_Score]) -> int:
    """Print whether `exact` keeps what it promises; return the exit status."""
    faults = [
        one
        for one in scores
        if one.rule == "exact" and one.points != _PROMISED.get(one.kind, one.points)
    ]
    if not faults:
        typer.echo("Under exact, every solution scored 1.0 and every gaming completion 0.0.")
        return DONE
    n_low = sum(one.kind == "solutions" for one in faults)
    typer.echo(
        f"Under exact, {pluralize(n_low, 'solution')} scored below 1.0 and "
        f"{pluralize(len(faults) - n_low, 'gaming completion')} above 0, "
        f"first of {TaskRef.of(faults[0].item)}."
    )
    return SKIPPED


def try_items(
    specs: Annotated[list[str] | None, Argument(metavar="SPEC", show_default=False,
        help="Parts to answer: task:lang[:variant] and optionally @level, such as reord:zh@3; "
        f"@{_LEVEL} if not. Default: every task, variant and language.")] = None,
    tasks: options.Tasks = None,
    n: Annotated[int | None, Option("--n", "-n", min=1, help="Number of items.",
        show_default="until you stop")] = None,
    seed: Annotated[int | None, Option(help="Random seed.",
        show_default="another one each time")] = None,
) -> None:  # fmt: skip
    """Answer items yourself: type an answer to each, and see the verdict and your score.

    An empty line passes an item on. `quit`, Ctrl-D and Ctrl-C end with your score.
    """
    if seed is None:
        seed = secrets.randbelow(_N_SEEDS)
    source = options.mix_parts([*(specs or ()), *(tasks or ())], seed=seed, level=_LEVEL)
    if isinstance(sys.stdin, TextIOWrapper):
        # A key that is not UTF-8 makes a wrong answer, not an error.
        sys.stdin.reconfigure(errors="replace")
    typer.echo("Type an answer on one line; an empty line passes, `quit` or Ctrl-D ends.")
    scores: list[float] = []
    n_right = n_passed = 0
    try:
        for index in range(n or UNBOUNDED):
            item = source[index]
            # The last sentence asks for tags, which nobody needs to type.
            question = split_closing(item.prompt, item.lang)[0]
            show_texts(f"{index + 1} · {item_title(item)}", [("", question)])
            answer = input("> " if sys.stdin.isatty() else "").strip()
            if answer.lower() in _QUIT and answer.lower() != item.solution.lower():
                break
            if answer:
                # Somebody may have followed the prompt and typed the tags.
                tagged = answer if "<answer>" in answer.lower() else f"<answer>{answer}</answer>"
                verdict = check(tagged, item, rule="graded", reveal=True)
                scores.append(verdict.score)
                is_right = verdict.code == "right"
                n_right += is_right
                partial = f", {verdict.score:.2f} of 1" if 0 < verdict.score < 1 else ""
                show_verdict(
                    verdict.code.replace("_", " ") + partial,
                    f"{n_right} of {len(scores)} so far" if is_right else verdict.reason,
                    "green" if is_right else "red",
                )
            else:
                n_passed += 1
                show_verdict("passed", f"a right answer: {item.solution}", "yellow")
    except EOFError:
        pass
    finally:
        # Also after Ctrl-C.
        right = f"{n_right} of {pluralize(len(scores), 'answer')} right" if scores else "no answers"
        share = f", partial credit {sum(scores) / len(scores):.2f}" if scores else ""
        passed = f", {n_passed} passed" if n_passed else ""
        typer.echo(f"\n{right}{share}{passed} (--seed {seed})")
