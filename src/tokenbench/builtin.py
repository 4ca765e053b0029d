"""The built-in tasks, and the import of public names when they are first used."""

import os
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
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


def lazy_exports(
    package: str, homes: Mapping[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return a package's `__getattr__` and `__dir__`, which import a name on first use (PEP 562).

    Args:
        package: the package's `__name__`.
        homes: the module of each public name, within the package; a module is its own.
    """
    names = vars(sys.modules[package])

    def get(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module = import_module(f"{package}.{homes[name]}")
        names[name] = module if homes[name] == name else getattr(module, name)
        return names[name]

    def list_names() -> list[str]:
        return sorted({*names, *homes})

    return get, list_names
