"""The command line as a whole: lists, pages and failures."""

import io
import re
from importlib.metadata import entry_points

import pytest
import typer
from command import output
from rich.cells import cell_len
from rich.console import Console

import tokenbench
from tokenbench import catalog, dataset, mixture, prompt, task
from tokenbench.cli import main, render
from tokenbench.cli.app import app
from tokenbench.cli.commands import Command
from tokenbench.errors import Argument
from tokenbench.prompts import Style
from tokenbench.quoting import escape_controls
from tokenbench.tasks import TaskRef
from tokenbench.tasks.params import IntRange


def test_version_is_the_package_s() -> None:
    """`--version` reports the installed version."""
    assert output("--version") == f"tokenbench {tokenbench.__version__}\n"


def test_the_console_script_is_main() -> None:
    """`tokenbench` and `python -m tokenbench` run the same function."""
    (script,) = entry_points(group="console_scripts", name="tokenbench")
    assert script.load() is main


def test_tasks_are_listed() -> None:
    """The list has one short line for each task."""
    head, *lines = output("tasks").splitlines()
    assert head.split() == ["task", "languages", "instances", "what"]
    assert [line.split()[0] for line in lines] == list(catalog())
    assert max(map(len, lines)) <= 150
    assert any(line.startswith("freq ") and task("freq").doc in line for line in lines)


def test_a_part_names_its_task() -> None:
    """What other commands take does for `tasks`, too."""
    assert output("tasks", "spell:en@3") == output("tasks", "spell")


@pytest.mark.parametrize("name", catalog())
def test_one_task_is_shown(name: str) -> None:
    """With every variant, parameter, level and part."""
    record, shown = task(name), output("tasks", name)
    assert record.doc in shown
    assert record.source in shown
    lines = shown.splitlines()
    for param in record.params:
        (line,) = (one for one in lines if one.startswith(f"{param.name} "))
        assert line.endswith(param.help)
        if isinstance(param, IntRange) and param.scales_with_level:
            assert "..".join(map(str, param.range(None, 3, record.default_lang))) in shown
    for ref in TaskRef.all_of(record):
        assert any(line.startswith(f"{ref} ") for line in lines)


def test_the_list_of_tasks_fits_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """At 80 columns no word of it is broken."""
    screen = io.StringIO()
    terminal = Console(file=screen, force_terminal=True, width=80, color_system=None)
    monkeypatch.setattr(render, "is_terminal", lambda **_: True)
    monkeypatch.setattr(render, "console", lambda **_: terminal)
    output("tasks")
    lines = screen.getvalue().splitlines()
    assert max(map(cell_len, lines)) <= 80
    words = set(re.findall(r"\w+", screen.getvalue()))
    assert {word for name in catalog() for word in re.findall(r"\w+", task(name).doc)} <= words
    assert set(catalog()) <= words


def test_show_draws_an_item() -> None:
    """A drawn item shows its prompt and origin, and its solution only if asked for."""
    item = mixture({"sort:ko@3": 1.0}, seed=4)[2]
    shown = output("show", "sort:ko@3", "--seed", "4", "--index", "2")
    assert item.prompt in shown
    assert item.id in shown
    assert "solution" not in shown
    revealed = output("show", "sort:ko@3", "--seed", "4", "--index", "2", "--reveal")
    assert f"solution   {item.solution}\n" in revealed


@pytest.mark.parametrize("style", ["direct", "cot", "fewshot", "published", "question"])
def test_show_asks_in_every_style(style: Style) -> None:
    """The prompt is shown as the style words it."""
    item = mixture({"diff:zh": 1.0})[0]
    assert prompt(item, style) in output("show", "diff:zh", "--style", style)


def test_show_draws_from_a_task_as_elsewhere() -> None:
    """Without a language, and with parameters."""
    for name in ("reord", "furigana", "reord@3"):
        assert dataset(name)[0].id in output("show", name)
    asked = output("show", "reord:zh", "--param", "length=20..21", "--index", "4")
    assert dataset("reord:zh", length=(20, 21))[4].id in asked


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["items", "-t", "reord:zz"], "unknown language of reord 'zz': allowed are en, zh, ko"),
        (["items", "-t", "reord:zh:a:b"], "task[:lang[:variant]][@level]"),
        (["items", "-t", "fred:en"], "did you mean 'freq'?"),
        (["items", "-t", "freq:en=much"], "the weight of 'freq:en'"),
        (["items", "-t", "freq:en", "-t", "freq:en"], "named twice"),
        (["items", "-t", "freq:en=0"], "the weight of 'freq:en'"),
        (["items", "--level", "10"], "--level 10: expected a whole number from 0 to 9"),
        (["items", "reord:zh@11"], "expected a whole number from 0 to 9"),
        (["items", "--split", "tset"], "did you mean 'test'?"),
        (["items", "--suite", "taste"], "did you mean 'tase'?"),
        (["items", "--suite", "tase", "-t", "freq:en"], "choose one of"),
        (["items", "--param", "length=999"], "length=999: expected a whole number from "),
        (["items", "-t", "freq", "-t", "sort", "--param", "texts=x"], "did you mean 'text'?"),
        (["items", "-t", "freq", "--param", "lang=zh"], "as in 'reord:zh'"),
        (
            ["items", "-t", "lenop:en:write", "--param", f"text={__file__}"],
            "with variant write, only with",
        ),
        (["items", "spell", "--suite", "tase"], "choose one of"),
        (["items", "spell", "-t", "spell"], "named twice"),
        (["items", "-t", "freq", "--lang", "zh"], "--lang needs --suite"),
        (["items", "--published", "tase", "x", "--param", "length=9"], "has no effect"),
        (["items", "-t", "freq:en", "--param", "lenght=30"], "did you mean 'length'?"),
        (["items", "-t", "freq:en", "--param", "length"], "write name=value"),
        (["items", "-t", "freq:en", "--param", "length=a..b"], "or a range lo..hi"),
        (
            ["items", "-t", "freq:en", "--param", "length=9..5"],
            "error: --param length=9..5: low is above high",
        ),
        (["items", "--out", "no/such/folder/file"], "cannot write"),
        (["items", "--exclude", "no such file"], "cannot read"),
        (["items", "--published", "tase", "no such folder"], "no data/*.json"),
        (["items", "--published", "tsae", "x"], "did you mean 'tase'?"),
        (
            ["items", "--published", "tase", "x", "--seed", "1"],
            "--seed has no effect on --published",
        ),
        (["show", "fred:en"], "did you mean 'freq'?"),
        (["show", "reordd"], "unknown task 'reordd'"),
        (["show", "reord", "--param", "lenght=30"], "did you mean 'length'?"),
        (["attack", "--items", "x", "--seed", "3"], "--seed has no effect on --items"),
        (["tasks", "spel"], "did you mean 'spell'?"),
        (["tasks", "zh"], "unknown task 'zh': "),
        (["show", "spell:fr", "--param", "pack=x.txt"], "--param pack=x.txt: no such file; "),
        (["tasks", "sp"], "did you mean 'spell'?"),
        (["show", "freq:en", "--style", "direkt"], "did you mean 'direct'?"),
        (["score", "--completions", "x"], "choose one of --items and --published"),
        (["score", "--completions", "x", "--items", "no such file"], "cannot read"),
        (
            ["score", "--completions", "x", "--items", "y", "--rule", "exat"],
            "did you mean 'exact'?",
        ),
        (["score", "--completions", "x", "--items", "y", "--extract", "a"], "unknown extract 'a'"),
    ],
)
def test_an_error_is_one_line(arguments: list[str], expected: str) -> None:
    """Every error is one line on standard error, with status 2."""
    message = output(*arguments, status=2)
    assert message.startswith("error: ")
    assert message.count("\n") == 1
    assert expected in message


@pytest.mark.parametrize("name", catalog())
def test_a_wrong_parameter_is_named_as_on_the_command_line(name: str) -> None:
    """No message of the library about an argument comes through in the words of Python."""
    for param in task(name).params:
        value = "999999" if isinstance(param, IntRange) else "no such value"
        message = output("show", name, "--param", f"{param.name}={value}", status=2)
        assert message.startswith("error: ")
        assert not re.search(r"(?<!--param )\b[a-z_]+=|\b(?:None|str|dict|int)\b", message)
        # Nor what concerns items that are there already.
        assert "drawn from" not in message


@pytest.mark.parametrize(
    ("argument", "expected"),
    [
        (Argument("seed", 3), "--seed 3"),
        (Argument("unique", True), "--unique"),
        (Argument("langs", ["sw"]), "--lang sw"),
        (Argument("length", (2, 9)), "--param length=2..9"),
        (Argument("length"), "--param length"),
        (Argument("variant", "x"), "variant x"),
        (Argument("tokens", "a b"), "tokens 'a b'"),
    ],
)
def test_arguments_are_written_as_options(argument: Argument, expected: str) -> None:
    """As a shell takes them; a name of neither an option nor a parameter stays as it is."""
    command = typer.main.get_group(app).commands["items"]
    assert isinstance(command, Command)
    assert command.write_argument(argument) == expected


def test_rules_on_a_pipe_fit_a_terminal() -> None:
    """The reader of the pipe, such as a pager, shows them in 80 columns."""
    lines = output("show", "spell:en").splitlines()
    assert cell_len(lines[0]) == 80


def test_texts_cannot_steer_the_terminal() -> None:
    """Escape sequences and marks that turn the direction of writing are shown, not obeyed."""
    assert escape_controls("a\x1b]0;b\x07\u202ec\n\td") == "a\\x1b]0;b\\x07\\u202ec\n\td"


def test_tables_and_texts_are_shown_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Tables have frames, texts have none; what looks like markup stays text."""
    screen = io.StringIO()
    terminal = Console(file=screen, force_terminal=True, width=60, color_system=None)
    monkeypatch.setattr(render, "is_terminal", lambda **_: True)
    monkeypatch.setattr(render, "console", lambda **_: terminal)
    render.show_table(["a", "b"], [["[bold]x", "[/]"]], title="Title", right=[1])
    table = screen.getvalue()
    assert "[bold]x" in table
    assert "│" in table
    words, characters = "word " * 40, "重" * 40
    texts = [("", f"[red]text\n\n{words}\n{characters}"), ("solution", "B\x1b")]
    render.show_texts("reord", texts)
    # The terminal wraps long lines itself, so that they can be copied.
    shown = ["[red]text", "", words, characters, "solution  B\\x1b", ""]
    assert capsys.readouterr().out.splitlines()[-6:] == shown
    assert render.line_width() == 60


def test_tables_on_a_pipe_are_aligned_text(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wide characters fill two cells, nothing is wrapped, coloured or followed by spaces."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    long = "word " * 100
    rows = [["重排", "[b]x\ty", "1"], ["z", long, "200"]]
    render.show_table(["a", "b", "c"], rows, right=[2])
    head, first, second = capsys.readouterr().out.splitlines()
    assert head == f"a     {'b'.ljust(len(long))}    c"
    assert first == f"重排  {'[b]x y'.ljust(len(long))}    1"
    assert second == f"z     {long}  200"
