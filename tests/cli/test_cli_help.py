"""The help of every command: plain text that fits a terminal of 80 columns."""

import re
from typing import Any

import pytest
import typer
from rich.cells import cell_len
from typer.testing import CliRunner

from tokenbench.cli.app import app
from tokenbench.cli.commands import OPTIONS

_GROUP = typer.main.get_group(app)
PATHS = [
    (),
    *((name,) for name in _GROUP.commands),
    *((group, name) for group in ("pack", "adt") for name in _GROUP.commands[group].commands),  # type: ignore[attr-defined]
]


def _command(path: tuple[str, ...]) -> Any:
    command: Any = _GROUP
    for name in path:
        command = command.commands[name]
    return command


def help_of(*path: str) -> str:
    """Return the help of a command at 80 columns."""
    result = CliRunner().invoke(app, [*path, "-h"], env={"COLUMNS": "80", "TERMINAL_WIDTH": "80"})
    assert result.exit_code == 0
    return result.stdout


@pytest.mark.parametrize("path", PATHS, ids=" ".join)
def test_help_fits_a_terminal(path: tuple[str, ...]) -> None:
    """No line is wider than 80, nothing is cut."""
    text = help_of(*path)
    assert max(map(cell_len, text.splitlines())) <= 80
    assert not re.search(r"…$", text, re.MULTILINE)
    assert not re.search(r"\.\.\.$", text.partition("\n")[2], re.MULTILINE)
    assert not re.search("[\u2500-\u257f]", text)


@pytest.mark.parametrize("path", PATHS, ids=" ".join)
def test_every_option_is_explained(path: tuple[str, ...]) -> None:
    """Each has its line, and a sentence that ends with a full stop."""
    text = help_of(*path)
    for param in _command(path).params:
        explained = getattr(param, "help", None)
        assert explained, param.name
        assert explained.endswith((".", ")")), param.name
        if param.param_type_name == "option":
            assert any(f"{name} " in text or f"{name}\n" in text for name in param.opts), param.name


def test_every_text_explains_an_option() -> None:
    """A text of a parameter that is gone or renamed would be lost."""
    commands = {path[-1]: _command(path) for path in PATHS[1:]}
    common, own = OPTIONS["common"], {name: OPTIONS[name] for name in OPTIONS if name != "common"}
    named = {name: {str(param.name) for param in commands[name].params} for name in commands}
    assert own.keys() <= named.keys()
    assert all(named[name] >= own[name].keys() for name in own)
    assert common.keys() <= set().union(*named.values())


@pytest.mark.parametrize("path", PATHS[1:], ids=" ".join)
def test_help_names_options_that_there_are(path: tuple[str, ...]) -> None:
    text = help_of(*path)
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*[a-z]", text))
    own = set(re.findall(r"^  (?:-\w, )?(--[a-z-]+(?:[,/ ]+--[a-z-]+)*)", text, re.MULTILINE))
    listed = {name for names in own for name in re.findall("--[a-z-]+", names)}
    assert named <= listed


def test_parts_are_named_alike_everywhere() -> None:
    """Every command that takes parts takes them as arguments and with `--task`."""
    for name, command in _GROUP.commands.items():
        options = {option for param in command.params for option in param.opts}
        metavars = {getattr(param, "metavar", "") for param in command.params}
        assert ("SPEC" in metavars) == ("--task" in options), name


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("show reord -n 3", "No such option: -n"),
        ("items --sede 3", "No such option: --sede (Possible options: "),
        ("show reord sort", "Got unexpected extra argument(s) (sort)"),
    ],
)
def test_wrong_usage_is_reported_plainly(arguments: str, expected: str) -> None:
    """The fault, what to write instead, and how to get help; no frame."""
    result = CliRunner().invoke(app, arguments.split())
    assert result.exit_code == 2
    assert expected in result.stderr
    assert " -h' for help." in result.stderr
    assert "│" not in result.stderr
