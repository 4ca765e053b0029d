"""Words and sentences taken one by one from a user's text."""

import re
from functools import lru_cache
from typing import Final

from tokenbench.text.lexicon import Words
from tokenbench.text.normalize import nfc, strip_invisible
from tokenbench.text.sources import CACHE_SIZE, FileStamp, read_text
from tokenbench.text.units import is_plain, units

# Of Han characters and marks that are no quotes, from the end of another one or a blank line on.
_HAN_SENTENCE: Final = re.compile(
    r"(?:\A|(?<=[。！？])|(?<=\n\n))\s*([\u4e00-\u9fff，、；：]+[。！？])"
)


@lru_cache(maxsize=CACHE_SIZE)
def english_words(file: FileStamp) -> Words:
    """Return the words of ASCII letters in a text, as they stand there, repeats included.

    Raises:
        SourceError: the file cannot be read as UTF-8.
    """
    text, _, source = read_text(file)
    return Words(tuple(word for word in units(text, "en") if is_plain(word, "en")), source)


@lru_cache(maxsize=CACHE_SIZE)
def chinese_sentences(file: FileStamp) -> Words:
    """Return the sentences of a Chinese text that hold no quotes, digits or other scripts.

    Raises:
        SourceError: the file cannot be read as UTF-8.
    """
    text, _, source = read_text(file)
    return Words(tuple(_HAN_SENTENCE.findall(nfc(strip_invisible(text)))), source)
