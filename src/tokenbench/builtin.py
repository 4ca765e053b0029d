"""The built-in tasks, and the import of public names when they are first used."""

import os
import sys
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from types import ModuleType
from typing import Any, Final, Literal, TypeAlias, get_args

SuiteName: TypeAlias = Literal["tase", "charbench", "execute", "adt"]
_FOLDER: Final = os.path.join(os.path.dirname(__file__), "tasks")


def _tasks_in(folder: str) -> tuple[str, ...]:
    files = sorted(os.listdir(os.path.join(_FOLDER, folder)))
    return tuple(name[:-3] for name in files if name.endswith(".py") and name[0] != "_")


# The tasks of each paper: a file in the folder of a paper is a task of it.
PAPERS: Final[Mapping[SuiteName, tuple[str, ...]]] = {
    paper: _tasks_in(paper) for paper in get_args(SuiteName)
}
# The module of each task, by the task's name; those in `own` are of no paper, so in no suite.
BUILTIN: Final = {
    name: f"tokenbench.tasks.{folder}.{name}"
    for folder, names in (*PAPERS.items(), ("own", _tasks_in("own")))
    for name in names
}


def task_module(name: str) -> ModuleType:
    """Return the module of a built-in task."""
    module = import_module(BUILTIN[name])
    # `generate` is a method of the task.
    _set_public(vars(module), ["generate", "verify"], module.__name__)
    return module


def _set_public(names: dict[str, Any], further: Iterable[str], home: str) -> None:
    """Set the `__all__` of a module, which `help` reads, if it has none.

    Args:
        names: the module's names, with their values.
        further: public names whatever their values.
        home: where public values are defined: a module, or a package with a dot at its end.
    """
    own = [
        name
        for name, value in names.items()
        if name[0] != "_"
        and name != "lazy_exports"
        and getattr(value, "__module__", "").startswith(home)
    ]
    names.setdefault("__all__", [*dict.fromkeys([*further, *own])])


def lazy_exports(
    package: str, homes: Mapping[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return a package's `__getattr__` and `__dir__`, which import a name on first use (PEP 562).

    Args:
        package: the package's `__name__`.
        homes: the module of each public name, within the package; a module is its own.
    """
    names = vars(sys.modules[package])
    _set_public(names, homes, "tokenbench.")

    def get(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module = import_module(f"{package}.{homes[name]}")
        names[name] = module if homes[name] == name else getattr(module, name)
        return names[name]

    def list_names() -> list[str]:
        return sorted({*names, *homes})

    return get, list_names
