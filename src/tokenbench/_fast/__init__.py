"""Kernels compiled by Numba, each with a twin in plain Python that is its specification.

The twins, `plain_bpe` and `plain_traps`, are slow and short; tests hold both together.
"""

import os
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Final

SWITCH: Final = "TOKENBENCH_FAST"


@cache
def kernels(name: str) -> ModuleType:
    """Return the compiled kernels `bpe` or `traps`, or their twins if `TOKENBENCH_FAST=0` is set.

    Both take and return the same arrays. The environment is read once for each name.
    """
    prefix = "plain_" if os.environ.get(SWITCH) == "0" else ""
    return import_module(f"tokenbench._fast.{prefix}{name}")
