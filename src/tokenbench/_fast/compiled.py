"""How a kernel is compiled: on first use, once for all processes where a cache can be written."""

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, cast

from numba import njit

P = ParamSpec("P")
R = TypeVar("R")


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Return a function that Numba compiles when it is first called, and runs without the GIL.

    The machine code is kept beside the source or, where that cannot be written, in the user's
    cache folder (`NUMBA_CACHE_DIR` names another one); where neither can be, it is compiled anew
    by each process.
    """
    try:
        compiled = njit(cache=True, nogil=True)(function)
    except RuntimeError:  # no place for a cache
        compiled = njit(nogil=True)(function)
    return cast(Callable[P, R], compiled)


def inner(function: Callable[P, R]) -> Callable[P, R]:
    """Return a function for kernels of its own file to call: Python cannot, so it compiles faster.

    What calls it is cached, and holds its machine code.
    """
    options: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    compiled = njit(nogil=True, **options)(function)
    return cast(Callable[P, R], compiled)
