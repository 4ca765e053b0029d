"""How kernels are compiled: on first use, once for all processes where a cache can be written."""

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, cast

from numba import njit

P = ParamSpec("P")
R = TypeVar("R")


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Return a function that Numba compiles on its first call, and that runs without the GIL.

    The machine code is cached next to the source or, if that folder is read-only, in the user's
    cache folder (`NUMBA_CACHE_DIR` names another one); if neither can be written, every process
    compiles anew. Only a change of the function's own file makes the cache outdated, so a kernel
    must not call kernels of another file.
    """
    try:
        compiled = njit(cache=True, nogil=True)(function)
    except RuntimeError:  # no folder for a cache
        compiled = njit(nogil=True)(function)
    return cast(Callable[P, R], compiled)


def inner(function: Callable[P, R]) -> Callable[P, R]:
    """Return a function that only kernels of its own file can call, which compiles faster.

    Its machine code is cached with the kernels that call it.
    """
    options: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    return cast(Callable[P, R], njit(nogil=True, **options)(function))
