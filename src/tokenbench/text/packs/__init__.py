"""Language packs: folders of sentences, one for each language, that a translator can add.

A pack is a folder with a `pack.toml` (the language's name for itself, and other names for it; notes
for translators; whether its words are written without spaces) and a `sentences.txt`, a sentence a
line. Alphabet and vocabulary are derived from the sentences: adding a language is adding text
(EXECUTE).
"""

from tokenbench.text.packs.findings import Finding, findings
from tokenbench.text.packs.model import Pack, cipher, decipher, pack
from tokenbench.text.packs.wordlists import Cwt, cwt

__all__ = ["Cwt", "Finding", "Pack", "cipher", "cwt", "decipher", "findings", "pack"]
