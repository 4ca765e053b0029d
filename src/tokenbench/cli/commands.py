"""How commands are registered and completed in a shell; their errors name arguments as options."""

import shlex
import sys
from collections.abc import Callable, Iterable, Mapping
from inspect import Parameter, signature
from typing import Annotated, Any, Final, TypeAlias

import typer
from typer.core import TyperCommand, TyperGroup

from tokenbench.builtin import PAPERS
from tokenbench.cli.streams import DONE, exit_on_error
from tokenbench.draw import SPLITS
from tokenbench.errors import MISSING, Argument, SourceError, TokenbenchError, render
from tokenbench.extraction import EXTRACTS
from tokenbench.prompts import STYLES
from tokenbench.run.clients import CLIENTS
from tokenbench.scoring import RULES
from tokenbench.tasks import TaskRef, catalog, task
from tokenbench.tasks.params import LEVELS
from tokenbench.tasks.spec import GENERAL_ARGUMENTS
from tokenbench.testing.corpus_run import FAMILIES
from tokenbench.text.languages import LANGUAGES
from tokenbench.text.sources import data_table
from tokenbench.text.units import SCRIPTS

# The benchmarks whose published items can be read.
PUBLISHED: Final = ("tase", "cute", "execute", "charbench")

# The options and arguments by command and parameter, and the lists of names in their texts.
OPTIONS: Final = data_table("tokenbench.cli", "options.toml")
_NAMES: Final = {
    name: ", ".join(names)
    for name, names in (("styles", STYLES), ("clients", CLIENTS), ("extracts", EXTRACTS))
}

Completer: TypeAlias = Callable[[str], list[str]]


def complete_from(names: Iterable[str]) -> Completer:
    """Return a function that completes one of some names, the last of several with commas.

    >>> complete_from(["exact", "graded"])("exact,g")
    ['exact,graded']
    """

    def complete(incomplete: str) -> list[str]:
        before, comma, start = incomplete.rpartition(",")
        return [f"{before}{comma}{name}" for name in names if name.startswith(start)]

    return complete


def complete_part(incomplete: str) -> list[str]:
    """Return the parts that a text begins, one step further: tasks, languages, variants, levels.

    >>> complete_part("reo"), complete_part("reord:"), complete_part("lenop:ko:w")
    (['reord'], ['reord:en', 'reord:zh', 'reord:ko'], ['lenop:ko:write'])
    """
    part, at, _ = incomplete.partition("@")
    refs = [str(ref).split(":") for name in catalog() for ref in TaskRef.all_of(task(name))]
    names = [":".join(ref[: 1 + part.count(":")]) for ref in refs]
    if at:
        names = [f"{part}@{level}" for level in range(LEVELS) if part in names]
    return list(dict.fromkeys(name for name in names if name.startswith(incomplete)))


# By the name of the parameter, as several commands have it.
COMPLETERS: Final[Mapping[str, Completer]] = {
    "specs": complete_part,
    "tasks": complete_part,
    "suite": complete_from(PAPERS),
    "published": complete_from(PUBLISHED),
    "split": complete_from(SPLITS),
    "lang": complete_from(LANGUAGES),
    "style": complete_from(STYLES),
    "rule": complete_from(RULES),
    "extract": complete_from(EXTRACTS),
    "kind": complete_from(CLIENTS),
    "family": complete_from(FAMILIES),
    "script": complete_from(SCRIPTS),
}


class Command(TyperCommand):
    """A command whose errors name arguments as its own options."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command and exit with the status that it returns, 0 if none.

        An error of the library names options as the terminal does.
        """
        try:
            status = super().invoke(ctx)
        except TokenbenchError as error:
            # A line of a file has fields of its own, which are not options.
            is_of_a_line = error.place and isinstance(error, SourceError)
            write = str if is_of_a_line else self.write_argument
            raise TokenbenchError(render(error, write)) from None
        sys.stdout.flush()
        raise typer.Exit(status or DONE)

    def write_argument(self, argument: Argument) -> str:
        """Return an argument as this command takes it: an option, or a difficulty parameter."""
        name, value = argument.name, argument.value
        options = {one.name: max(one.opts, key=len) for one in self.params if one.opts[0][0] == "-"}
        # `suite` and its like take several languages, and options one at a time.
        option = options.get("lang" if name == "langs" else name)
        params = {param.name for task_name in catalog() for param in task(task_name).params}
        if option is None and "param" in options and name in params.difference(GENERAL_ARGUMENTS):
            return f"--param {name}" + ("" if value is MISSING else f"={_shell_text(value)}")
        return f"{option or name} {_shell_text(value)}".rstrip()


def _shell_text(value: object) -> str:
    """Return a value as a shell takes it; "" for none, and for an option that is given alone."""
    if value is MISSING or value is True:
        return ""
    if isinstance(value, tuple | list):
        separator = ".." if all(isinstance(one, int) for one in value) else ","
        value = separator.join(map(str, value))
    return shlex.quote(f"{value!s:.80}")


class Group(TyperGroup):
    """A group of commands; a fatal error is one line."""

    def make_context(self, *args: Any, **options: Any) -> Any:
        """Parse the arguments, and maybe print help or version."""
        with exit_on_error():
            return super().make_context(*args, **options)

    def invoke(self, ctx: Any) -> Any:
        """Run a command, or print its help."""
        with exit_on_error():
            return super().invoke(ctx)


def command_group(**arguments: Any) -> typer.Typer:
    """Return an empty group of commands, whose help and usage errors are plain text."""
    return typer.Typer(
        cls=Group, no_args_is_help=True, pretty_exceptions_enable=False, rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
        short_help=arguments.get("help"), **arguments,
    )  # fmt: skip


def add_command(
    group: typer.Typer,
    function: Callable[..., int | None],
    command: str | None = None,
    /,
    **completions: Completer,
) -> None:
    """Add a command to a group.

    Args:
        group: where to add it.
        function: the command; it returns an exit status, or raises an error of ours. Its positional
            parameters are arguments, the others options.
        command: its name, if it is not the function's.
        **completions: how the shell completes parameters of these names, if not as those of other
            commands.
    """
    common, own = OPTIONS["common"], OPTIONS.get(command or function.__name__, {})
    for name, parameter in signature(function, eval_str=True).parameters.items():
        facts = common.get(name, {}) | own.get(name, {})
        facts["help"] = facts["help"].format_map(_NAMES)
        facts["autocompletion"] = completions.get(name, COMPLETERS.get(name))
        # Without a name of its own, typer gives a flag a second one: `--no-flag`.
        flag = [f"--{name.replace('_', '-')}"] if parameter.annotation is bool else []
        names = facts.pop("names", flag)
        is_option = parameter.kind is Parameter.KEYWORD_ONLY
        info = typer.Option(*names, **facts) if is_option else typer.Argument(**facts)
        function.__annotations__[name] = Annotated[parameter.annotation, info]
    # Without it, the list of commands cuts the sentence.
    sentence = (function.__doc__ or "").partition("\n\n")[0]
    group.command(command, cls=Command, short_help=sentence)(function)
