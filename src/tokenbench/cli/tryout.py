"""`tokenbench try`: a person answers items at the terminal, and sees the verdict on each answer."""

import secrets
import sys
from contextlib import suppress
from io import TextIOWrapper
from typing import Annotated, Final

import typer
from typer import Argument, Option

from tokenbench.cli import options
from tokenbench.cli.items import item_title
from tokenbench.cli.render import is_terminal, show_texts, show_verdict
from tokenbench.cli.streams import STANDARD
from tokenbench.datasets import count_items
from tokenbench.errors import TokenbenchError
from tokenbench.quoting import pluralize
from tokenbench.scoring import check
from tokenbench.tasks.wordings import closing

# Seeds that are easy to type again.
_N_SEEDS: Final = 10_000
# Texts are short enough to count words in.
_LEVEL: Final = 1
_QUIT: Final = ("quit", "exit")


def try_items(
    specs: Annotated[list[str] | None, Argument(metavar="SPEC", show_default=False,
        help="Parts to answer: task:lang[:variant] and optionally @level, such as reord:zh@3; "
        f"@{_LEVEL} if not. Default: every task, variant and language.")] = None,
    tasks: options.Tasks = None,
    suite: options.Suite = None,
    items: Annotated[str | None, Option(metavar="FILE",
        help="Items or flat rows as JSON Lines.")] = None,
    n: Annotated[int | None, Option("--n", "-n", min=1, help="Number of items.",
        show_default="until you stop")] = None,
    seed: Annotated[int | None, Option(help="Random seed.",
        show_default="another one each time")] = None,
) -> None:  # fmt: skip
    """Answer items yourself: type an answer to each, and see the verdict and your score.

    An empty line passes an item on. `quit`, Ctrl-D and Ctrl-C end with your score.
    """
    parts = options.name_parts(specs, tasks)
    if sum(map(bool, (parts, suite, items))) > 1:
        raise TokenbenchError("choose one of SPEC, --suite and --items")
    if items == STANDARD:
        raise TokenbenchError("your answers come from standard input: give --items a file")
    if not items and seed is None:
        seed = secrets.randbelow(_N_SEEDS)
    source = options.select_items(
        tasks=parts, suite=suite, published=None, items=items,
        seed=seed or 0, split=None, level=None if items or suite else _LEVEL,
    )  # fmt: skip
    if isinstance(sys.stdin, TextIOWrapper):
        # A key that is not UTF-8 makes a wrong answer, not an error.
        sys.stdin.reconfigure(errors="replace")
    if is_terminal():
        # It lets the arrow keys edit the line.
        with suppress(ImportError):
            import readline  # noqa: F401
    typer.echo("Type an answer on one line; an empty line passes, `quit` or Ctrl-D ends.")
    available = count_items(source)
    scores: list[float] = []
    n_right = n_passed = 0
    try:
        for index in range(min(available, n or available)):
            item = source[index]
            # The last sentence asks for tags, which nobody needs to type.
            question = item.prompt.removesuffix(closing(item.lang)).rstrip()
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
        origin = "" if seed is None else f" (--seed {seed})"
        typer.echo(f"\n{right}{share}{passed}{origin}")
