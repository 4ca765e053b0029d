"""The built-in tasks, and the import of public names when they are first used."""

import os
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from types import ModuleType
from typing import Any, Final, Literal, TypeAlias, get_args

SuiteName: TypeAlias = Literal["tase", "charbench", "execute", "adt"]
PAPERS: Final[tuple[SuiteName, ...]] = get_args(SuiteName)
_FOLDER: Final = os.path.join(os.path.dirname(__file__), "tasks")

# The module of each task, by the task's name: a file in the folder of a paper is a task, and one in
# `own` is a task of no paper, which no suite has.
BUILTIN: Final = {
    file.removesuffix(".py"): f"tokenbench.tasks.{folder}.{file.removesuffix('.py')}"
    for folder in (*PAPERS, "own")
    for file in sorted(os.listdir(os.path.join(_FOLDER, folder)))
    if file.endswith(".py") and not file.startswith("_")
}


def task_module(name: str) -> ModuleType:
    """Return the module of a built-in task."""
    module = import_module(BUILTIN[name])
    own = [key for key, value in vars(module).items() if _is_public(module, key, value)]
    # `help` lists what a module defines, or what this says: `generate` is a method of the task.
    vars(module).setdefault("__all__", ["generate", "verify", *own])
    return module


def _is_export(name: str, value: object) -> bool:
    is_ours = getattr(value, "__module__", "").startswith("tokenbench.")
    return is_ours and name[0] != "_" and value is not lazy_exports


def _is_public(module: ModuleType, name: str, value: object) -> bool:
    return (
        name[0] != "_" and name != "verify" and getattr(value, "__module__", "") == module.__name__
    )


def lazy_exports(
    package: str, homes: Mapping[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return a package's `__getattr__` and `__dir__`, which import a name on first use (PEP 562).

    Args:
        package: the package's `__name__`.
        homes: the module of each public name, within the package; a module is its own.
    """
    names = vars(sys.modules[package])
    # `help` lists what a module defines, or what this says.
    imported = [name for name, value in names.items() if _is_export(name, value)]
    names.setdefault("__all__", [*imported, *homes])

    def get(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module = import_module(f"{package}.{homes[name]}")
        names[name] = module if homes[name] == name else getattr(module, name)
        return names[name]

    def list_names() -> list[str]:
        return sorted({*names, *homes})

    return get, list_names
