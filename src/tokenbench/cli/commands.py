"""How commands are registered, and how their errors name arguments: as options."""

import shlex
from collections.abc import Callable
from typing import Any, get_type_hints

import typer
from typer.core import TyperCommand, TyperGroup

from tokenbench.cli.completion import COMPLETERS, Completer
from tokenbench.cli.streams import exit_on_error, with_exit_status
from tokenbench.errors import MISSING, Argument, SourceError, TokenbenchError, render
from tokenbench.tasks import catalog, task
from tokenbench.tasks.spec import GENERAL_ARGUMENTS


class Command(TyperCommand):
    """A command whose errors name arguments as its own options."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command; an error of the library names options as the terminal does."""
        try:
            return super().invoke(ctx)
        except TokenbenchError as error:
            # A line of a file has fields of its own, which are no options.
            is_of_a_line = error.place and isinstance(error, SourceError)
            write = str if is_of_a_line else self.write_argument
            raise TokenbenchError(render(error, write)) from None

    def write_argument(self, argument: Argument) -> str:
        """Return an argument as this command takes it: an option, or a difficulty parameter."""
        name, value = argument.name, argument.value
        options = {one.name: max(one.opts, key=len) for one in self.params if one.opts[0][0] == "-"}
        # `suite` and its like take several languages, and options one at a time.
        option = options.get("lang" if name == "langs" else name)
        if option is None and "param" in options and name in _difficulty_names():
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


def _difficulty_names() -> set[str]:
    names = {param.name for name in catalog() for param in task(name).params}
    return names.difference(GENERAL_ARGUMENTS)


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
        function: what it does; it returns an exit status, or raises an error of ours.
        command: its name, if it is not the function's.
        **completions: how the shell completes parameters of these names, if not as those of other
            commands.
    """
    for parameter, hint in get_type_hints(function, include_extras=True).items():
        for info in getattr(hint, "__metadata__", ()):
            info.autocompletion = completions.get(parameter, COMPLETERS.get(parameter))
    # Without it, the list of commands cuts the sentence.
    sentence = (function.__doc__ or "").partition("\n\n")[0]
    group.command(command, cls=Command, short_help=sentence)(with_exit_status(function))
