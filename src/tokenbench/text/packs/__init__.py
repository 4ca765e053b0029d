"""Language packs: folders of sentences, one for each language, that a translator can add.

A pack is a folder with a `pack.toml` (the language's name for itself; notes for translators;
whether its words are written without spaces) and a `sentences.txt`, a sentence a line. Alphabet and
vocabulary are derived from the sentences: adding a language is adding text (EXECUTE).
"""

from tokenbench.text.packs.findings import Finding as Finding
from tokenbench.text.packs.findings import findings as findings
from tokenbench.text.packs.model import PACKS as PACKS
from tokenbench.text.packs.model import Pack as Pack
from tokenbench.text.packs.model import cipher as cipher
from tokenbench.text.packs.model import decipher as decipher
from tokenbench.text.packs.model import pack as pack
from tokenbench.text.packs.wordlists import Cwt as Cwt
from tokenbench.text.packs.wordlists import cwt as cwt
