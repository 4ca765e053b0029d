"""What tokenizers know: their vocabularies, whatever library they come from."""

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

from tokenbench.vocab.byte_level import byte_table as byte_table
from tokenbench.vocab.byte_level import byte_tokens as byte_tokens
from tokenbench.vocab.reading import load as load
from tokenbench.vocab.vocabulary import Vocabulary as Vocabulary

if TYPE_CHECKING:
    from tokenbench.vocab import traps as traps

_LAZY = frozenset({"traps"})  # these load NumPy, and Numba when they are used


def __getattr__(name: str) -> ModuleType:
    if name in _LAZY:
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
