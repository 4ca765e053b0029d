"""What tokenizers know: their vocabularies, whatever library they come from."""

from tokenbench.vocab.byte_level import byte_table as byte_table
from tokenbench.vocab.byte_level import byte_tokens as byte_tokens
