"""Importing: quick, lazy, and every public name where the documentation says that it is."""

import dis
import pkgutil
import pydoc
from importlib import import_module
from inspect import isfunction, ismethod, signature
from types import CodeType, FunctionType, ModuleType

import fresh_python
import pytest

import tokenbench
from tokenbench import task
from tokenbench.builtin import BUILTIN

HEAVY = ("numpy", "numba", "typer", "rich", "hypothesis", "wordfreq", "freetype", "fontTools")
FUNCTIONS = {
    "score": ["completion", "item", "rule", "extract"],
    "check": ["completion", "item", "rule", "extract", "reveal"],
    "score_batch": ["completions", "items", "rule", "extract", "workers"],
    "dataset": [
        "task",
        "lang",
        "variant",
        "n",
        "seed",
        "split",
        "level",
        "unique",
        "difficulty",
    ],
    "mixture": ["weights", "n", "seed", "split", "level", "unique", "params"],
    "suite": ["name", "seed", "unique", "options"],
    "catalog": [],
    "task": ["name"],
    "prompt": ["item", "style"],
}


def output_of(code: str) -> str:
    """Return the output of a fresh Python for which warnings are errors."""
    return fresh_python.output(code, options=["-W", "error"]).strip()


def modules_after(code: str) -> set[str]:
    """Return which of the heavy packages, and which of ours, a fresh Python has loaded after."""
    listed = output_of(f"{code}\nimport sys\nprint(*sorted(sys.modules))")
    return {name for name in listed.split() if name.split(".")[0] in (*HEAVY, "tokenbench")}


def heavy(modules: set[str]) -> set[str]:
    return {name.split(".")[0] for name in modules} & set(HEAVY)


def test_the_bare_import_loads_nothing_else() -> None:
    assert modules_after("import tokenbench") == {"tokenbench", "tokenbench.builtin"}


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("name", "n_langs"),
    [
        *((name, 1 if len(task(name).langs) > 1 else None) for name in BUILTIN),
        *(
            pytest.param(name, None, marks=pytest.mark.thorough)
            for name in BUILTIN
            if len(task(name).langs) > 1
        ),
    ],
)
def test_a_task_loads_nothing_heavy_and_no_other_task(name: str, n_langs: int | None) -> None:
    code = f"from tokenbench import {name}, score\n"
    code += f"score('4', {name}.generate(lang={name}.TASK.langs[0]))\n"
    code += "import sys\n"
    code += "tasks = {module.split('.')[-1] for module in sys.modules if '.tasks.' in module}\n"
    code += f"assert tasks & set({[*BUILTIN]!r}) == {{{name!r}}}, tasks\n"
    code += f"for lang in {name}.TASK.langs[:{n_langs}]:\n"
    code += f"    item = {name}.generate(lang=lang)\n"
    code += "    assert score('<answer>' + item.solution + '</answer>', item) == 1.0\n"
    code += "    ours = ('graded',) if 'published' not in item.target else (\n"
    code += "        'graded', 'published', 'published_graded')\n"
    code += "    for rule in ours:\n"
    code += "        score('<answer>5</answer>', item, rule=rule)\n"
    assert not heavy(modules_after(code))


def test_only_the_published_rules_load_the_published_scorers() -> None:
    code = "from tokenbench import spell, score\nitem = spell.generate()\nscore('a', item)\n"
    scorers = "tokenbench.answers.published_scorers"
    assert scorers not in modules_after(code)
    published = modules_after(code + "score('a', item, rule='published')")
    assert scorers in published
    assert "tokenbench.published" not in published


def test_only_a_batch_of_scores_loads_numpy() -> None:
    code = "from tokenbench import *\n"
    code += "data = mixture({'sort:en': 1.0})\n"
    code += "prompt(data[0], 'fewshot'), check('x', data[0]), suite('tase', size=1)[0], catalog()\n"
    assert not heavy(modules_after(code))
    assert heavy(modules_after(code + "score_batch(['x'], data[0])")) == {"numpy"}


@pytest.mark.parametrize(
    "code",
    [
        pytest.param(
            """
import sys
import tokenbench
from tokenbench import datasets, reord, score, tasks, text
hasattr(tokenbench, '__wrapped__'), hasattr(tokenbench, '_private')
assert 'importlib.metadata' not in sys.modules
assert not hasattr(tokenbench, 'no_such_task')
assert 'importlib.metadata' in sys.modules
""",
            id="only an unknown name looks for the tasks of other packages",
        ),
        pytest.param(
            """
import tokenbench
before = dir(tokenbench)
tokenbench.score
after = dir(tokenbench)
assert set(tokenbench.__all__) <= set(before) <= set(after)
for names in (before, after): assert len(set(names)) == len(names), names
""",
            id="dir lists the public names once, before and after use",
        ),
        pytest.param(
            """
from tokenbench import *
names = {name for name in globals() if not name.startswith('__')}
import tokenbench
assert names == set(tokenbench.__all__), names
""",
            id="import star brings exactly the public names",
        ),
        pytest.param(
            """
import sys
import tokenbench
assert 'csv' not in sys.modules
assert callable(tokenbench.published.tase.read)
assert callable(tokenbench.testing.attacks)
assert 'tase' in dir(tokenbench.published) and 'testing' in dir(tokenbench)
""",
            id="the packages are reached by their dotted names",
        ),
        pytest.param(
            """
import sys
from tokenbench import reord, score
slow = {'hashlib', 'string', 'tomllib', 'csv', 'asyncio'}
assert not slow & set(sys.modules), slow & set(sys.modules)
reord.generate()
assert 'hashlib' in sys.modules
""",
            id="a task is imported without what drawing and reading files need",
        ),
    ],
)
def test_in_a_fresh_python(code: str) -> None:
    output_of(code)


def test_every_public_function_takes_its_documented_arguments() -> None:
    for name, parameters in FUNCTIONS.items():
        function = getattr(tokenbench, name)
        assert isfunction(function)
        assert [*signature(function).parameters] == parameters, name
        assert function.__doc__


@pytest.mark.parametrize("name", BUILTIN)
def test_every_task_module_has_its_public_names(name: str) -> None:
    module = getattr(tokenbench, name)
    assert isinstance(module, ModuleType)
    assert module.__name__ == BUILTIN[name]
    assert ismethod(module.generate)
    assert module.__doc__
    for block in module.__all__:
        assert getattr(module, block).__doc__, block
    ours = tokenbench.task(name)
    assert ours is module.TASK
    for fact in ("name", "source", "version", "langs", "variants", "levels", "doc"):
        assert getattr(ours, fact) is not None
    assert 0.0 <= ours.guess_rate(ours.generate(lang=ours.langs[0])) <= 1.0
    assert ours.name in tokenbench.catalog()


def test_items_and_verdicts_have_their_public_names() -> None:
    item = tokenbench.Item("sort", 2, "en", None, "?", {"order": ["A"]}, "A")
    for name in ("task", "version", "lang", "variant", "prompt", "target", "solution", "meta"):
        assert hasattr(item, name)
    for name in ("id", "row", "json"):
        assert hasattr(item, name)
    for name in ("from_row", "from_json"):
        assert hasattr(tokenbench.Item, name)
    assert tokenbench.Verdict._fields == ("score", "answer", "code", "reason")
    assert issubclass(tokenbench.TokenbenchError, ValueError)


def test_the_published_reader_is_where_it_should_be() -> None:
    for name in ("tase", "cute", "execute", "charbench"):
        assert callable(import_module(f"tokenbench.published.{name}").read)


def test_every_name_in_all_resolves_and_stays_the_same() -> None:
    assert len(set(tokenbench.__all__)) == len(tokenbench.__all__)
    for name in tokenbench.__all__:
        assert getattr(tokenbench, name) is getattr(tokenbench, name)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="'tokenbench' has no attribute 'scoer'"):
        getattr(tokenbench, "scoer")  # noqa: B009
    with pytest.raises(ImportError, match="scoer"):
        exec("from tokenbench import scoer")  # noqa: S102
    assert not hasattr(tokenbench, "compm_")


def test_no_public_name_is_also_a_submodule() -> None:
    """Importing the one would shadow the other."""
    submodules = {module.name for module in pkgutil.iter_modules(tokenbench.__path__)}
    assert not submodules & set(tokenbench.__all__)


def test_submodules_imported_first_shadow_no_public_name() -> None:
    names = [module.name for module in pkgutil.walk_packages(tokenbench.__path__, "tokenbench.")]
    core = [name for name in names if not name.split(".")[1].startswith(("cli", "testing", "__"))]
    code = "import importlib\n"
    code += "from tokenbench.errors import MissingExtraError\n"
    code += f"for name in {core}:\n"
    code += "    try:\n"
    code += "        importlib.import_module(name)\n"
    code += "    except MissingExtraError:\n"  # the only thing a module may miss
    code += "        assert name.startswith('tokenbench.integrations.'), name\n"
    code += "import tokenbench\n"
    code += "assert callable(tokenbench.task) and callable(tokenbench.prompt)\n"
    code += "assert callable(tokenbench.score) and tokenbench.sort.generate().task == 'sort'\n"
    output_of(code)


def test_the_version_is_that_of_the_installed_package() -> None:
    from importlib.metadata import version

    assert tokenbench.__version__ == version("tokenbench")


def test_the_package_ships_its_types() -> None:
    from importlib.resources import files

    assert files("tokenbench").joinpath("py.typed").is_file()


@pytest.mark.parametrize(
    ("module", "names"),
    [
        (tokenbench.reord, ["generate", "verify", "kept_adjacencies"]),
        (tokenbench.spell, ["generate", "verify", "solve"]),
        (tokenbench.vocab, ["load"]),
        (tokenbench.adt, ["compose", "ask", "confusion"]),
    ],
)
def test_help_lists_the_public_names(module: ModuleType, names: list[str]) -> None:
    text = pydoc.plain(pydoc.render_doc(module))
    functions = text.partition("FUNCTIONS")[2]
    assert [name for name in names if f"\n    {name}(" not in functions] == []


def callees(function: FunctionType) -> list[FunctionType]:
    """Return the other functions that a function names, as `dill` looks for them."""
    names, codes = set(), [function.__code__]
    while codes:
        code = codes.pop()
        codes += (const for const in code.co_consts if isinstance(const, CodeType))
        names |= {op.argval for op in dis.get_instructions(code) if op.opname == "LOAD_GLOBAL"}
    named = map(function.__globals__.get, names)
    return [other for other in named if isinstance(other, FunctionType) and other is not function]


def find_circles(function: FunctionType, path: list[str], seen: set[FunctionType]) -> list[str]:
    """Return the ways from a function back to one on the way to it."""
    name = f"{function.__module__}.{function.__qualname__}"
    if name in path:
        return [" -> ".join([*path[path.index(name) :], name])]
    if function in seen:
        return []
    seen.add(function)
    own = (one for one in callees(function) if one.__module__.startswith("tokenbench"))
    circles = (find_circles(other, [*path, name], seen) for other in own)
    return [circle for found in circles for circle in found]


def test_no_functions_call_one_another() -> None:
    """`dill`, with which Hugging Face hashes what `map` is given, follows calls for ever."""
    circles, seen = [], set[FunctionType]()
    for info in pkgutil.walk_packages(tokenbench.__path__, "tokenbench."):
        if info.name.endswith("__main__"):
            continue
        try:
            module = import_module(info.name)
        except ImportError:
            # A framework that is not installed.
            continue
        for function in filter(isfunction, vars(module).values()):
            if function.__module__ == info.name:
                circles += find_circles(function, [], seen)
    assert circles == []
    assert tokenbench.score in seen
