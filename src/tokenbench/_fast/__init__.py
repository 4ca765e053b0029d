"""Kernels compiled by Numba, each with a plain twin in Python that is its specification."""

import os
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Final

SWITCH: Final = "TOKENBENCH_FAST"


@cache
def kernels(name: str) -> ModuleType:
    """Return the compiled kernels of a name, or their twins where `TOKENBENCH_FAST=0` is set.

    Both take and return the same arrays. What the environment says is read once for each name.
    """
    where = "_fast.plain" if os.environ.get(SWITCH) == "0" else "_fast"
    return import_module(f"tokenbench.{where}.{name}")
