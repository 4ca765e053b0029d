"""How commands are registered, their help laid out, and their errors put in words of the terminal.

Help is plain text in groups of options.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Any, Final, get_type_hints

import typer
from typer.core import TyperCommand, TyperGroup

from tokenbench.cli.completion import COMPLETERS, Completer
from tokenbench.cli.streams import exit_on_error, with_exit_status
from tokenbench.errors import TokenbenchError
from tokenbench.tasks import catalog, task
from tokenbench.tasks.spec import GENERAL_ARGUMENTS
from tokenbench.text.languages import find_code

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

# typer ships its own click, and older ones import it.
_UsageError: Final[Any] = typer.BadParameter.__bases__[0]
# What users may try in place of a part, by option, and how to write it.
_PART_HINTS: Final = {
    "task": "name the task alone, as in `show reord`",
    "t": "name the task alone, as in `show reord`",
    "lang": "name the language with the task, as in reord:zh",
    "language": "name the language with the task, as in reord:zh",
    "variant": "name the variant with the task, as in lenop:ko:write",
    "level": "name the level with the task, as in reord@3",
}
# Names of Python's types, which the library's errors give, and how a file of JSON has them.
_JSON_WORDS: Final = {
    "a dict": "an object", "dict": "object", "dicts": "objects", "a str": "a string",
    "str": "string", "list of str": "list of strings", "an int": "a whole number",
    "int": "whole number", "a float": "a number", "NoneType": "null", "None": "null",
    "(low, high)": "a range low..high", "tasks.attach_files": "--param",
}  # fmt: skip
# Without the option an argument is None.
_OR_NONE: Final = ", or None"
# A remedy that a terminal does not have.
_FOR_PYTHON: Final = re.compile(r" \(in Python, [^)]*\)")
_QUOTED: Final = r"(?<!\w)'[^']*'|(?<!\w)\"[^\"]*\""
_VALUE: Final = rf"r\"[^\"]*\"|{_QUOTED}|\([^)]*\)|\[[^\]]*\]|[^\s,;:]*"
_LIBRARY_WORD: Final = re.compile(
    r"^(?P<subject>[a-z_]+)(?= is an? | has no effect )"
    rf"|(?<![\w'\"-])(?P<name>[a-z_]+)=(?P<value>{_VALUE})|{_QUOTED}|{_OR_NONE}"
    rf"|(?<!\w)(?:{'|'.join(sorted(map(re.escape, _JSON_WORDS), key=len, reverse=True))})(?!\w)"
)


class Command(TyperCommand):
    """A command whose help lists its options in groups, two columns wide."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments; an error about them says what to write instead."""
        try:
            return super().parse_args(ctx, args)
        except _UsageError as error:
            error.message = re.sub(
                r"Input should be (.*?)(?:, unable to parse .*)?$", r"it must be \1", error.message
            ).replace("Value error, ", "")
            if hint := self._hint(error):
                error.message, error.possibilities = f"{error.message}: {hint}", None
            raise

    def _hint(self, error: Any) -> str:
        """Return how to write what a usage error refuses; "" if nothing is known of it."""
        arguments = [one for one in self.params if one.param_type_name == "argument"]
        if "unexpected extra argument" in error.message:
            extra = error.message.rpartition("(")[2].strip(")").split()
            if arguments and extra and (code := find_code(extra[0])):
                return f"name the language with the task, as in spell:{code}"
            if arguments:
                return f"this command takes one {arguments[-1].metavar}"
            first = min(self.params, key=lambda one: not one.required)
            return f"this command takes options only, such as {first.opts[0]}"
        if "No such option" not in error.message:
            return ""
        name = error.option_name.lstrip("-")
        takes_params = any(one.name == "param" for one in self.params)
        if takes_params and name in _difficulty_names():
            return f"write --param {name}=…"
        takes_parts = any(re.match("SPEC|TASK", one.metavar or "") for one in arguments)
        return _PART_HINTS.get(name, "") if takes_parts else ""

    def invoke(self, ctx: Any) -> Any:
        """Run the command; an error of the library names options as the terminal does."""
        try:
            return super().invoke(ctx)
        except TokenbenchError as error:
            raise TokenbenchError(self.in_terminal_words(str(error))) from None

    def in_terminal_words(self, message: str) -> str:
        """Return a message with the options of this command for arguments of Python."""
        options = {one.name: max(one.opts, key=len) for one in self.params if one.opts[0][0] == "-"}
        if "suite" in options:
            options["langs"] = options.get("lang", "langs")
        message = _FOR_PYTHON.sub("", message)
        return _LIBRARY_WORD.sub(lambda match: _terminal_word(match, options), message)

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


def _terminal_word(match: re.Match[str], options: Mapping[str, str]) -> str:
    """Return an option for an argument with its value, and a word of JSON for a type."""
    name, value = match["name"], match["value"]
    if match[0] == _OR_NONE:
        return ""
    if (subject := match["subject"]) is not None:
        is_param = "param" in options and subject in _difficulty_names()
        return options.get(subject, f"--param {subject}" if is_param else subject)
    if name is None:
        return _JSON_WORDS.get(match[0], match[0])
    if pair := re.fullmatch(r"[(\[](\d+), (\d+)[)\]]", value):
        value = "..".join(pair.groups())
    value = re.sub(r"^\[?'([\w./-]+)'\]?$|^True$", r"\1", value)
    value = re.sub(r'^r"(.*)"$', r"'\1'", value)  # a raw str; a shell would read its marks
    if name in options:
        return f"{options[name]} {value}".strip()
    if name in GENERAL_ARGUMENTS:
        return f"{name} {value}"
    if "param" in options and name in _difficulty_names():
        return f"--param {name}={value or '…'}"
    return match[0]


def _difficulty_names() -> set[str]:
    return {param.name for name in catalog() for param in task(name).params}


class Group(TyperGroup):
    """A group of commands whose help gives the whole first sentence of each."""

    def make_context(self, *args: Any, **options: Any) -> Any:
        """Parse the arguments, and maybe print help or version."""
        with exit_on_error():
            return super().make_context(*args, **options)

    def invoke(self, ctx: Any) -> Any:
        """Run a command, or print its help."""
        with exit_on_error():
            return super().invoke(ctx)

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
