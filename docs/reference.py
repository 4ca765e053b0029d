"""Write the reference of the public modules to a folder, out/docs by default.

`make docs` runs this script. It leaves out the modules of frameworks that are not installed, and
names them.
"""

import argparse
import pkgutil
import sys
import warnings
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Final

import pdoc

import tokenbench
from tokenbench.errors import MissingExtraError

FOLDER: Final = Path(__file__).resolve().parents[1] / "out" / "docs"


def write_reference(folder: Path) -> list[str]:
    """Write the pages to a folder; return the names of the modules that were left out."""
    missing = sorted(_missing(tokenbench))
    with warnings.catch_warnings():
        # What pdoc says of frameworks that are not installed: each module, and types from there.
        for name in missing:
            warnings.filterwarnings("ignore", f"Couldn't import {name}:")
        warnings.filterwarnings("ignore", ".* for tokenbench[.]integrations[.]")
        # Named one by one, because pdoc does not see the lazy names of tokenbench itself.
        names = _children(tokenbench)
        pdoc.pdoc(*names, *(f"!{name}$" for name in missing), output_directory=folder)
    return missing


def _missing(package: ModuleType) -> Iterator[str]:
    """Yield the modules that need a package which is not installed."""
    for name in _children(package):
        try:
            module = import_module(name)
        except MissingExtraError:
            yield name
        else:
            if isinstance(getattr(module, "__path__", None), list):
                yield from _missing(module)


def _children(package: ModuleType) -> list[str]:
    names = [module.name for module in pkgutil.iter_modules(package.__path__)]
    return [f"{package.__name__}.{name}" for name in names if not name.startswith("_")]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER)
    folder = parser.parse_args().folder
    if missing := write_reference(folder):
        names = ", ".join(missing)
        sys.stdout.write(f"left out, because their extras are not installed: {names}\n")
    sys.stdout.write(f"reference: {folder / 'index.html'}\n")


if __name__ == "__main__":
    main()
