"""Kernels compiled by Numba, each with a twin in plain Python that is its specification.

The twins, `plain_bpe` and `plain_traps`, are slow and short; tests hold both together.
"""

import os
from collections.abc import Callable
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any, Final, ParamSpec, TypeVar, cast

P = ParamSpec("P")
R = TypeVar("R")

SWITCH: Final = "TOKENBENCH_FAST"


@cache
def kernels(name: str) -> ModuleType:
    """Return the compiled kernels `bpe` or `traps`, or their twins if `TOKENBENCH_FAST=0` is set.

    Both take and return the same arrays. The environment is read once for each name.
    """
    prefix = "plain_" if os.environ.get(SWITCH) == "0" else ""
    return import_module(f"tokenbench._fast.{prefix}{name}")


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Return a function that Numba compiles on its first call, and that runs without the GIL.

    The machine code is cached next to the source or, if that folder is read-only, in the user's
    cache folder (`NUMBA_CACHE_DIR` names another one); if neither can be written, every process
    compiles anew. Only a change of the function's own file makes the cache outdated, so a kernel
    must not call kernels of another file.
    """
    try:
        return _compile(function, cache=True)
    except RuntimeError:  # no folder for a cache
        return _compile(function)


def inner(function: Callable[P, R]) -> Callable[P, R]:
    """Return a function that only kernels of its own file can call, which compiles faster.

    Its machine code is cached with the kernels that call it.
    """
    return _compile(function, no_cpython_wrapper=True, no_cfunc_wrapper=True)


def _compile(function: Callable[P, R], **options: Any) -> Callable[P, R]:
    # Imported here, because the twins need no Numba.
    from numba import njit

    return cast(Callable[P, R], njit(nogil=True, **options)(function))
