"""The vocabularies of tokenizers, from the files and objects of any library."""

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

from tokenbench.vocab.byte_level import byte_table as byte_table
from tokenbench.vocab.byte_level import byte_tokens as byte_tokens
from tokenbench.vocab.vocabulary import Vocabulary as Vocabulary
from tokenbench.vocab.vocabulary import load as load

if TYPE_CHECKING:
    from tokenbench.vocab import bpe as bpe
    from tokenbench.vocab import traps as traps

_LAZY_MODULES = frozenset({"bpe", "traps"})  # they load NumPy, and Numba on first use


def __getattr__(name: str) -> ModuleType:
    if name in _LAZY_MODULES:
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
