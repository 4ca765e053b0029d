"""The help of every command: plain text that fits a terminal of 80 columns."""

import re

import pytest
import typer
from rich.cells import cell_len
from typer.testing import CliRunner

from tokenbench.cli.app import app

_GROUP = typer.main.get_group(app)
PATHS = [
    (),
    *((name,) for name in _GROUP.commands),
    *((group, name) for group in ("pack", "adt") for name in _GROUP.commands[group].commands),  # type: ignore[attr-defined]
]


def help_of(*path: str) -> str:
    """Return the help of a command at 80 columns."""
    result = CliRunner().invoke(app, [*path, "-h"], env={"COLUMNS": "80", "TERMINAL_WIDTH": "80"})
    assert result.exit_code == 0
    return result.stdout


@pytest.mark.parametrize("path", PATHS, ids=" ".join)
def test_help_fits_a_terminal(path: tuple[str, ...]) -> None:
    """No line is wider than 80, no type is in Python's words, nothing is cut."""
    text = help_of(*path)
    assert max(map(cell_len, text.splitlines())) <= 80
    assert not re.search(r"<\w|list\[|…$|\{", text, re.MULTILINE)
    assert not re.search(r"\.\.\.$", text.partition("\n")[2], re.MULTILINE)
    assert not re.search("[\u2500-\u257f]", text)


@pytest.mark.parametrize("path", PATHS, ids=" ".join)
def test_every_option_is_explained(path: tuple[str, ...]) -> None:
    """Each has its line, and a sentence that ends with a full stop."""
    text = help_of(*path)
    command = _GROUP
    for name in path:
        command = command.commands[name]  # type: ignore[assignment]
    for param in command.params:
        explained = getattr(param, "help", None)
        assert explained, param.name
        assert explained.endswith((".", ")")), param.name
        if param.param_type_name == "option":
            assert any(f"{name} " in text or f"{name}\n" in text for name in param.opts), param.name


@pytest.mark.parametrize("path", PATHS[1:], ids=" ".join)
def test_help_names_options_that_there_are(path: tuple[str, ...]) -> None:
    text = help_of(*path)
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*[a-z]", text))
    own = set(re.findall(r"^  (?:-\w, )?(--[a-z-]+(?:[,/ ]+--[a-z-]+)*)", text, re.MULTILINE))
    listed = {name for names in own for name in re.findall("--[a-z-]+", names)}
    assert named <= listed


def test_long_lists_are_in_groups() -> None:
    """Nobody has to read thirty options to find one."""
    for name in ("eval", "items", "score", "attack"):
        sections = re.split(r"^([A-Z][\w ]*):$", help_of(name), flags=re.MULTILINE)[1:]
        sizes = {
            title: len(re.findall(r"^  -", body, re.MULTILINE))
            for title, body in zip(sections[::2], sections[1::2], strict=True)
        }
        assert max(sizes.values()) <= 14, sizes
        assert sizes["Other options"] <= 4, sizes
    assert next(iter(sizes)) in ("Arguments", "Items")


def test_defaults_are_shown() -> None:
    """Also those that a few words describe, without a second pair of brackets."""
    text = help_of("items")
    assert "[default: on a terminal]" in text
    assert "[default: 0]" in text
    assert "default: (" not in text
    assert "--version             Show the version and exit." in help_of()


def test_parts_are_named_alike_everywhere() -> None:
    """Every command that takes parts takes them as arguments and with `--task`."""
    for name, command in _GROUP.commands.items():
        options = {option for param in command.params for option in param.opts}
        metavars = {getattr(param, "metavar", "") for param in command.params}
        assert ("SPEC" in metavars) == ("--task" in options), name


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("show --task reord", "--task: name the task alone, as in `show reord`"),
        ("tasks -t reord", "-t: name the task alone, as in `show reord`"),
        ("show reord --lang zh", "--lang: name the language with the task, as in reord:zh"),
        (
            "try reord --variant x",
            "--variant: name the variant with the task, as in lenop:ko:write",
        ),
        ("attack reord --level 3", "--level: name the level with the task, as in reord@3"),
        ("items reord --length 30", "--length: write --param length=…"),
        ("show spell chinese", "name the language with the task, as in spell:zh"),
        ("show reord sort", "extra argument(s) (sort): this command takes one SPEC|FILE"),
        ("score --completions x y", "(y): this command takes options only, such as --completions"),
        ("items --seed x", "Invalid value for '--seed': it must be a valid integer"),
    ],
)
def test_wrong_usage_says_what_to_write(arguments: str, expected: str) -> None:
    result = CliRunner().invoke(app, arguments.split())
    assert result.exit_code == 2
    assert result.stderr.endswith(f"{expected}\n")


def test_wrong_usage_is_told_plainly() -> None:
    """What is wrong, and how to get help; no frame."""
    result = CliRunner().invoke(app, ["items", "--sede", "3"])
    assert result.exit_code == 2
    assert "Try 'tokenbench items -h' for help." in result.stderr.replace("root", "tokenbench")
    assert "No such option: --sede" in result.stderr
    assert "│" not in result.stderr
