"""The vocabularies of tokenizers, from the files and objects of any library."""

from typing import TYPE_CHECKING

from tokenbench.builtin import lazy_exports
from tokenbench.vocab.vocabulary import Vocabulary as Vocabulary
from tokenbench.vocab.vocabulary import byte_table as byte_table
from tokenbench.vocab.vocabulary import byte_tokens as byte_tokens
from tokenbench.vocab.vocabulary import load as load

if TYPE_CHECKING:
    from tokenbench.vocab import bpe as bpe
    from tokenbench.vocab import spans as spans
    from tokenbench.vocab import traps as traps

# They load NumPy, and Numba on first use.
__getattr__, __dir__ = lazy_exports(__name__, {"bpe": "bpe", "spans": "spans", "traps": "traps"})
