"""The data files that ship with the package."""

from typing import Any


def data_text(package: str, *path: str) -> str:
    """Return the text of a data file that stands in a package's folder."""
    from importlib.resources import files  # slow to import, and only generating needs it

    return files(package).joinpath(*path).read_text(encoding="utf-8")


def data_table(package: str, *path: str) -> dict[str, Any]:
    """Return what a TOML data file that stands in a package's folder holds."""
    import tomllib

    return tomllib.loads(data_text(package, *path))
