"""What SECURITY.md promises: no code from data, no file, no network, whatever is judged."""

import ast
import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import fresh_python
import pytest

import tokenbench
from tokenbench import Item, catalog, prompt, score, task
from tokenbench.errors import ItemError, TokenbenchError
from tokenbench.tasks.params import Folder, Source

ROOT = Path(tokenbench.__file__).parent

# Modules that run code, read it from data, start programs or reach other machines.
BANNED = {
    "pickle", "cPickle", "marshal", "shelve", "dill", "joblib", "code", "codeop", "runpy",
    "subprocess", "multiprocessing", "pty", "socket", "socketserver", "ssl", "asyncio",
    "urllib", "http", "ftplib", "smtplib", "xmlrpc", "webbrowser", "requests", "httpx",
    "openai", "aiohttp", "ray",
    "ctypes", "cffi", "yaml", "xml",
}  # fmt: skip
CALLS = {"eval", "exec", "compile", "__import__", "breakpoint", "input"}
ATTRIBUTES = {"system", "popen", "execv", "execve", "spawnl", "spawnv", "startfile"}
ALLOWED = {
    ("cli/attack.py", "multiprocessing"): "processes of its own, that share a command's work",
    ("workers.py", "multiprocessing"): "processes of its own, that share a large batch",
    ("cli/demo.py", "input"): "the answer of a person; it evaluates nothing",
    ("glyph/fonts.py", "ctypes"): "calls into the FreeType that freetype-py brings",
    ("integrations/ray.py", "ray"): "items and scores in processes of the caller's Ray",
    ("records.py", "exec"): "the `__init__` of our own classes, as `dataclasses` makes it",
    ("run/openai_client.py", "asyncio"): "requests to the server that the caller names",
    ("run/openai_client.py", "openai"): "the same",
    ("run/openai_client.py", "socket"): "whether the server that the caller names answers at all",
    ("run/openai_client.py", "urllib"): "the parts of that server's URL",
    ("run/ray_engine.py", "ray"): "work in processes that Ray starts, on machines of the caller's",
    ("run/ray_engine.py", "socket"): "whether the cluster that the caller names answers at all",
    ("run/reporting/page.py", "urllib"): "the filters of a link within the page",
    ("testing/promises/items.py", "pickle"): "copies of what the suite itself has made",
}
# What gives a name to import: a constant, or one of the package's own tables.
IMPORTERS = {
    "__init__.py": "public names, of a table (PEP 562)",
    "builtin.py": "public names of packages, of a table (PEP 562)",
    "_fast/__init__.py": "the kernels and their plain twins",
    "cli/options.py": "a reader of published files, of a table",
    "run/clients.py": "a client, of a table",
    "tasks/registry.py": "a task, of a table",
    "tasks/tase/ridl.py": "the riddles of a language, of a table",
    "text/sources.py": "the package whose folder has a data file",
}


def sources() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(ROOT.rglob("*.py")):
        yield path.relative_to(ROOT).as_posix(), ast.parse(path.read_text(encoding="utf-8"))


def test_no_source_evaluates_unpickles_or_fetches() -> None:
    found = set()
    for name, tree in sources():
        for node in ast.walk(tree):
            modules = []
            if isinstance(node, ast.Import):
                modules = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                modules = [node.module or ""]
            found |= {
                (name, top) for module in modules if (top := module.partition(".")[0]) in BANNED
            }
            if isinstance(node, ast.Call):
                called = node.func
                if isinstance(called, ast.Name) and called.id in CALLS:
                    found.add((name, called.id))
                if isinstance(called, ast.Attribute) and called.attr in ATTRIBUTES:
                    found.add((name, called.attr))
    assert found == set(ALLOWED)


def test_modules_imported_by_name_are_in_a_table() -> None:
    found = {
        name
        for name, tree in sources()
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and node.id == "import_module"
    }
    assert found == set(IMPORTERS)


# A run under an audit hook, which no code can take away again.
WATCHED = """
import json, sys
sys.path[:0] = json.loads(sys.argv[1])
from tokenbench import Item, check, score
from tokenbench.testing import attacks, guesses
cases = [Item.from_json(text) for text in json.load(sys.stdin)]
given = [(item, [one for name, found in {**attacks(item), **guesses(item)}.items()
                 if name != "flood" for one in found[:3]]) for item in cases]

def run():
    for item, completions in given:
        rules = ("exact", "graded", "published", "published_graded")
        for rule in rules[: 4 if "published" in item.target else 2]:
            for one in completions:
                check(one, item, rule=rule)

run()  # what is imported or read when it is first needed
events = []
on = True
sys.addaudithook(lambda event, args: on and events.append(event))
run()
on = False
print(json.dumps(sorted(set(events))))
"""
HARMLESS = {
    "builtins.id",
    "code.__new__",
    "object.__getattr__",
    "object.__setattr__",
    "sys._getframe",
}


def one_of_each_task() -> list[Item]:
    return [
        task(name).generate(lang=lang, variant=variant)
        for name in catalog()
        for lang in task(name).langs[:1]
        for variant in task(name).variants or (None,)
    ]


def run_watched(code: str, given: str, *args: str) -> Any:
    paths = json.dumps([str(Path(__file__).parent), *filter(None, sys.path)])
    return json.loads(fresh_python.output(code, paths, *args, given=given))


def test_judging_opens_nothing_imports_nothing_and_speaks_to_nobody() -> None:
    events = run_watched(WATCHED, json.dumps([item.json() for item in one_of_each_task()]))
    assert set(events) <= HARMLESS, events


@pytest.mark.parametrize("name", catalog())
def test_an_items_paths_are_not_looked_at_by_judging(name: str, tmp_path: Path) -> None:
    """Whoever writes an item may name any file in it; `score` and `check` do not open it."""
    pipe = str(tmp_path / "pipe")  # a missing file, which would be an error
    files = {param.name: pipe for param in task(name).params if isinstance(param, Source | Folder)}
    for variant in task(name).variants or (None,):
        item = task(name).generate(lang=task(name).langs[0], variant=variant)
        named = replace(item, meta=item.meta | {"params": files, "source": pipe, "file": pipe})
        for given in (named, named.row(), named.json()):
            for rule in ("exact", "graded"):
                assert score(f"<answer>{item.solution}</answer>", given, rule=rule) == 1.0
                assert score("<answer>?</answer>", given, rule=rule) == 0.0
        assert prompt(named) == item.prompt


def test_examples_read_the_files_of_an_item_and_nothing_without_its_meta(tmp_path: Path) -> None:
    """The style fewshot draws anew with the item's own parameters, files among them."""
    item = task("freq").generate()
    named = replace(item, meta={"params": {"words": str(tmp_path / "none")}})
    with pytest.raises(TokenbenchError, match="no such file"):
        prompt(named, "fewshot")
    assert prompt(replace(named, meta={}), "fewshot").count("<answer>") > 3


# Hostile items.

DEEP = "[" * 100_000 + "]" * 100_000


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        '{"a":' * 100_000,
        '{"task": ' + DEEP + "}",
        '{"task": 1' + "0" * 5000 + "}",
        '{"task": NaN}',
        "\0",
        "\ud800",
        '{"task": "freq", "task": 3}',
        "nan",
        '"' + "a" * 1_000_000,
        "{" * 1_000_000,
    ],
)
def test_json_that_is_not_an_item_is_one_clear_error(text: str) -> None:
    with pytest.raises(ItemError, match=r"^[^\n]{1,400}$"):
        Item.from_json(text)


@pytest.mark.parametrize(
    "value",
    [
        '{"count": 1' + "0" * 5000 + "}",
        '{"count": Infinity}',
        '{"count": ' + DEEP + "}",
        '{"count": ' + "[" * 65 + "1" + "]" * 65 + "}",
        '{"count": "\\ud83d\\ude00"',
    ],
)
def test_a_row_of_hostile_values_is_one_clear_error(value: str) -> None:
    row = task("freq").generate().row()
    for column in ("target", "meta"):
        with pytest.raises(ItemError, match=r"^[^\n]{1,400}$"):
            Item.from_row(row | {column: value})


def test_a_target_of_any_size_is_judged_or_refused() -> None:
    """No bound on a target's size: whoever makes it pays for reading it, once each score."""
    item = task("reord").generate()
    tokens = [f"t{number}" for number in range(20_000)]
    large = replace(item, target={"tokens": tokens})
    for rule in ("exact", "graded"):
        assert score("<answer>a b c</answer>", large, rule=rule) == 0.0
        assert score("<answer>" + " ".join(tokens) + "</answer>", large, rule=rule) < 1.0
