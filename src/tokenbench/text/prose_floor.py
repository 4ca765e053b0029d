"""A floor under written texts: what no reader would take for a text of the language.

It is a floor, and no judgment of a text: natural words in any order pass. Each bound is far from
what natural texts have, so that none of these falls below it.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Final

from tokenbench.text.languages import Language
from tokenbench.text.sources import data_text
from tokenbench.text.units import is_encodable

# Known units, in hundredths of all: words whose letters follow one another as in English, and
# characters of the national standard.
_MIN_KNOWN: Final = {"word": 75, "han": 80, "hangul": 80}
_CODECS: Final = {"han": "gb2312", "hangul": "euc_kr"}
# Known words among those that are no function words, in hundredths.
_MIN_KNOWN_CONTENT: Final = 50
# Function words in hundredths of all; a short text may have one less, or more, by chance.
_FUNCTION_SHARE: Final = (15, 65)
# Units in the order of an alphabet, of numerals or of code points.
_MAX_IN_ORDER: Final = 5
_MAX_NUMERALS: Final = 9
# Different words between the same two words make a frame; of those, a third may be unknown.
_MIN_IN_FRAME: Final = 3
_MAX_UNKNOWN_IN_FRAMES: Final = 3
_N_LETTERS: Final = 3
_TRIGRAMS: Final = ("tokenbench.text", "data", "english_trigrams.txt")


def floor_fault(found: Sequence[str], language: Language) -> str:
    """Return why units are no text of a language, in words; "" if they may be one.

    Args:
        found: the units of a text, in their order.
        language: their language.

    >>> from tokenbench.text.languages import language
    >>> floor_fault("aa ab ac ad ae".split(), language("en"))
    'too few known words'
    >>> floor_fault("The horses drank from the old well".split(), language("en"))
    ''
    """
    found = [unit.lower() for unit in found]
    known = [_is_known(unit, language) for unit in found]
    if 100 * sum(known) < _MIN_KNOWN[language.unit] * len(found):
        return f"too few known {language.unit_name}s"
    if _longest_run(found, language) > _MAX_IN_ORDER:
        return f"{language.unit_name}s in the order of an alphabet, of numbers or of code points"
    if not language.counts_words:
        return ""
    is_function = [unit in language.function_words for unit in found]
    least, most = _FUNCTION_SHARE
    # Half of a unit is rounded in favor of the text.
    if not least * (len(found) - 5) <= 100 * sum(is_function) <= most * len(found) + 100:
        return "too few or too many function words"
    content = [is_so for is_so, is_empty in zip(known, is_function, strict=True) if not is_empty]
    if 100 * sum(content) < _MIN_KNOWN_CONTENT * len(content):
        return "too few known words"
    if _has_filled_frame(found, known):
        return "a frame filled with unknown words"
    return ""
