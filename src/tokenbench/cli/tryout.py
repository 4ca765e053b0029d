"""`tokenbench try`: a person answers items at the terminal, and sees the verdict on each answer."""

import secrets
import sys
from contextlib import suppress
from io import TextIOWrapper
from typing import Annotated, Final

import typer
from typer import Argument, Option

from tokenbench.cli import options
from tokenbench.cli.render import is_terminal, show_texts, show_verdict
from tokenbench.cli.streams import DONE, STANDARD
from tokenbench.datasets import count_items
from tokenbench.errors import TokenbenchError
from tokenbench.item import Item
from tokenbench.quoting import pluralize
from tokenbench.scoring import check
from tokenbench.tasks.wordings import closing

# Seeds that are easy to type again.
_N_SEEDS: Final = 10_000
# Texts are short enough to count words in.
_LEVEL: Final = 1


def try_items(
    specs: Annotated[list[str] | None, Argument(metavar="SPEC", show_default=False,
        help="Parts to answer: task:lang[:variant] and optionally @level, such as reord:zh@3. "
        "Default: every task, variant and language.")] = None,
    tasks: options.Tasks = None,
    suite: options.Suite = None,
    items: Annotated[str | None, Option(metavar="FILE",
        help="Items or flat rows as JSON Lines.")] = None,
    n: Annotated[int | None, Option("--n", "-n", min=1, help="Number of items.",
        show_default="until you stop")] = None,
    seed: Annotated[int | None, Option(help="Random seed.",
        show_default="another one each time")] = None,
    split: Annotated[str | None, Option(help="Split: train, validation or test.",
        show_default="train; test for suites")] = None,
    level: Annotated[int | None, Option(min=0,
        help="Difficulty from 0 to 9, for parts without @level.",
        show_default=f"{_LEVEL}; all of a suite")] = None,
) -> int:  # fmt: skip
    """Answer items yourself: type an answer to each, and see the verdict and your score.

    An empty line passes an item on. Ctrl-D and Ctrl-C end with your score.
    """
    parts = options.name_parts(specs, tasks)
    if sum(map(bool, (parts, suite, items))) > 1:
        raise TokenbenchError("choose one of SPEC, --suite and --items")
    if items == STANDARD:
        raise TokenbenchError("your answers come from standard input: give --items a file")
    options.check_level(parts, level)
    if not items and seed is None:
        seed = secrets.randbelow(_N_SEEDS)
    if not (items or suite) and level is None:
        level = _LEVEL
    source = options.select_items(
        tasks=parts, suite=suite, published=None, items=items,
        seed=seed or 0, split=split, level=level,
    )  # fmt: skip
    _prepare_input()
    tally = _Tally()
    typer.echo("Type an answer on one line; an empty line passes, Ctrl-D ends.")
    available = count_items(source)
    try:
        for index in range(min(available, n or available)):
            item = source[index]
            _ask(item, index + 1)
            answer = _read_answer()
            if answer is None:
                break
            tally.add(item, answer)
    finally:
        # Also after Ctrl-C.
        origin = "" if seed is None else f" (--seed {seed})"
        typer.echo(f"\n{tally}{origin}")
    return DONE


class _Tally:
    """The number of items by what became of them, and the partial credit for those answered."""

    def __init__(self) -> None:
        self.right = self.answered = self.passed = 0
        self.credit = 0.0

    def add(self, item: Item, answer: str) -> None:
        """Judge an answer, and print the verdict."""
        if not answer:
            self.passed += 1
            show_verdict("passed", f"a right answer: {item.solution}", "yellow")
            return
        # Somebody may have followed the prompt and typed the tags.
        completion = answer if "<answer>" in answer.lower() else f"<answer>{answer}</answer>"
        verdict = check(completion, item, rule="graded", reveal=True)
        is_right = verdict.code == "right"
        self.answered += 1
        self.right += is_right
        self.credit += verdict.score
        partial = f", {verdict.score:.2f} of 1" if 0 < verdict.score < 1 else ""
        reason = f"{self.right} of {self.answered} so far" if is_right else verdict.reason
        show_verdict(
            verdict.code.replace("_", " ") + partial, reason, "green" if is_right else "red"
        )

    def __str__(self) -> str:
        answered = f"{self.right} right of {pluralize(self.answered, 'item')}"
        share = f", partial credit {self.credit / self.answered:.2f}" if self.answered else ""
        passed = f", {self.passed} passed" if self.passed else ""
        return f"{answered}{share}{passed}"


def _ask(item: Item, number: int) -> None:
    # The last sentence asks for tags, which nobody needs to type.
    question = item.prompt.removesuffix(closing(item.lang)).rstrip()
    name = " · ".join(filter(None, (item.task, item.variant, item.lang)))
    show_texts(f"{number} · {name}", [("", question)])


def _prepare_input() -> None:
    if isinstance(sys.stdin, TextIOWrapper):
        # A key that is not UTF-8 makes a wrong answer, not an error.
        sys.stdin.reconfigure(errors="replace")
    if is_terminal():
        # It lets the arrow keys edit the line.
        with suppress(ImportError):
            import readline  # noqa: F401


def _read_answer() -> str | None:
    """Return the next line; None at the end of the input."""
    try:
        return input("> " if sys.stdin.isatty() else "").strip()
    except EOFError:
        return None
