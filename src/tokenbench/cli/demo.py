"""`tokenbench demo` and `try`: items of every task and language, and how answers to them score."""

import secrets
import sys
from collections.abc import Iterable
from io import TextIOWrapper
from itertools import chain
from typing import Final

import typer
from rich.text import Text

from tokenbench.cli import options
from tokenbench.cli.attack import show_findings
from tokenbench.cli.render import Meter, line_width, show_table, show_texts, show_verdict, truncate
from tokenbench.item import Item
from tokenbench.quoting import pluralize
from tokenbench.scoring import check
from tokenbench.tasks import TaskRef, catalog, task
from tokenbench.tasks.wordings import split_closing
from tokenbench.testing.report import AttackReport

# Seeds that are easy to type again.
_N_SEEDS: Final = 10_000
# Texts are short enough to count words in.
_LEVEL: Final = 1
_QUIT: Final = ("quit", "exit")
_RULES: Final = ("exact", "graded", "published")
# The cells of a line of the short table that are not texts of an item.
_TASK_CELLS: Final = 23


def demo(*, seed: int = 0, progress: bool | None = None) -> int:
    """Draw an item of every task and language, and judge solutions, attacks and guesses.

    Tasks that work in any language take turns through the languages. The completions are those of
    `tokenbench attack`, without the few that are megabytes long. The exit status is 1 if under
    `exact` or `graded` an attack is paid or a solution is not.
    """
    from tokenbench.testing.corpus_run import RuleJudge, run_corpus

    parts = demo_parts()
    items: list[Item] = []
    report = AttackReport()
    with Meter("items drawn and attacked", len(parts), progress, output=False) as meter:
        # One by one: the first item of a part is slow to draw.
        for item in meter.track(chain(*options.draw_each(parts, 1, seed=seed))):
            items.append(item)
            report.merge(run_corpus([(item, False)], RuleJudge(_RULES)))
    _show_tasks(items)
    typer.echo()
    return show_findings(report, _RULES)


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


def _show_tasks(items: Iterable[Item]) -> None:
    """Print a line for each task: an item, in English if there is one, and its solution."""
    examples: dict[str, Item] = {}
    for item in sorted(items, key=lambda item: item.lang != "en"):
        examples.setdefault(item.task, item)
    room = (line_width() - _TASK_CELLS) // 3
    rows: list[list[str | Text]] = []
    for name in filter(examples.__contains__, catalog()):
        # The last paragraph asks for tags.
        question = " ".join(examples[name].prompt.split("\n\n")[:-1])
        texts = truncate(question, 2 * room), truncate(examples[name].solution, room)
        rows.append([Text(name, style="bold"), *texts])
    show_table(["task", "an item", "its solution"], rows)


def try_items(
    specs: list[str] | None = None,
    *,
    tasks: list[str] | None = None,
    n: int | None = None,
    seed: int | None = None,
) -> None:
    """Answer items yourself: type an answer to each, and see the verdict and your score.

    An empty line passes an item on. `quit`, Ctrl-D and Ctrl-C end with your score.
    """
    if seed is None:
        seed = secrets.randbelow(_N_SEEDS)
    source = options.mix_parts(options.name_parts(specs, tasks), seed=seed, level=_LEVEL)
    if isinstance(sys.stdin, TextIOWrapper):
        # A key that is not UTF-8 makes a wrong answer, not an error.
        sys.stdin.reconfigure(errors="replace")
    typer.echo("Type an answer on one line; an empty line passes, `quit` or Ctrl-D ends.")
    scores: list[float] = []
    n_right = n_passed = 0
    try:
        for number, item in enumerate(source if n is None else source[:n], 1):
            # The last sentence asks for tags, which nobody needs to type.
            question = split_closing(item.prompt, item.lang)[0]
            show_texts(f"{number} · {TaskRef.of(item)}", [("", question)])
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
