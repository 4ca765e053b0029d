"""How commands are registered, and how their help is laid out: plain text in groups of options."""

import re
from collections import defaultdict
from collections.abc import Callable
from typing import Any, Final, get_type_hints

import typer
from typer.core import TyperCommand, TyperGroup

from tokenbench.cli.completion import COMPLETERS, Completer
from tokenbench.cli.streams import with_exit_status

# By the name of the parameter, since commands share their options.
_GROUPS: Final = {
    "Model": "model kind base_url api_key concurrency timeout retries batch device extra engine "
    "workers gpus",
    "Items": "tasks suite lang langs items published n seed split level param params unique start",
    "Leaving items out": "exclude overlap left_out",
    "Prompt": "style system byte_level chat",
    "Sampling": "samples temperature top_p top_k max_tokens stop sampling_seed",
    "Scoring": "rule rules extract reveal family",
    "Output": "out rows append force retry summary as_json show_all progress",
}
_GROUP_OF: Final = {name: group for group, names in _GROUPS.items() for name in names.split()}
# A shorter list is easier to read as a whole.
_MIN_OPTIONS_TO_GROUP: Final = 10
_MAX_OPTION_CHARS: Final = 28
# typer's names of types: <int range>, <list[str]>, <local|ray>.
_TYPES: Final = (
    (re.compile("<(?:int|float)(?: range)?>"), "N"),
    (re.compile(r"<str>|<?list\[str\]>?"), "TEXT"),
    (re.compile("<([^<>]+)>"), r"\1"),
)
# It puts a default that is described, not a value, in parentheses.
_DESCRIBED_DEFAULT: Final = re.compile(r"\[default: \((.*)\)((?:; [^;]*)?)\]\Z")


class Command(TyperCommand):
    """A command whose help lists its options in groups, two columns wide."""

    # `Any`, because typer ships its own click, and older ones import it.
    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the arguments without typer's braces."""
        return [re.sub("[{}]", "", piece) for piece in super().collect_usage_pieces(ctx)]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments, then the options by group."""
        sections: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
        options = [one for one in self.get_params(ctx) if one.param_type_name == "option"]
        is_grouped = len(options) >= _MIN_OPTIONS_TO_GROUP
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if record is None:
                continue
            head, text = record[0], " ".join(record[1].split())
            for kind, name in _TYPES:
                head = kind.sub(name, head)
            title = "Options"
            if param.param_type_name == "argument":
                title, head = "Arguments", param.metavar or head
            elif is_grouped:
                title = _GROUP_OF.get(param.name or "", "Other options")
            sections[title].append((head, _DESCRIBED_DEFAULT.sub(r"[default: \1\2]", text)))
        for title in ("Arguments", "Options", *_GROUPS, "Other options"):
            if sections[title]:
                with formatter.section(title):
                    formatter.write_dl(sections[title], col_max=_MAX_OPTION_CHARS)


class Group(TyperGroup):
    """A group of commands whose help gives the whole first sentence of each."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the names of the commands, each with its sentence."""
        commands = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        rows = [(name, ((one and one.help) or "").partition("\n\n")[0]) for name, one in commands]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


def command_group(**arguments: Any) -> typer.Typer:
    """Return an empty group of commands, whose help and usage errors are plain text."""
    return typer.Typer(
        cls=Group, no_args_is_help=True, pretty_exceptions_enable=False, rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]}, **arguments,
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
    group.command(command, cls=Command)(with_exit_status(function))
