"""The packs that ship."""

from functools import cache
from typing import Final

from tokenbench.errors import unknown
from tokenbench.text.data_files import data_table, data_text
from tokenbench.text.packs.model import FACTS, SENTENCES, Pack, from_texts

PACKS: Final = ("am", "ar", "de", "en", "es", "hi", "ja", "ko", "ru", "xh", "zh")
_FOLDER: Final = "languages"


def pack(lang: str) -> Pack:
    """Return the language pack that ships for a language.

    Args:
        lang: a language code.

    Raises:
        UnknownNameError: there is no pack for it.

    >>> pack("zh").name, pack("zh").sentences[0].units[:3]
    ('中文', ('清晨', '老', '渔夫'))
    """
    if lang not in PACKS:
        raise unknown("language of a pack", lang, PACKS)
    return _pack(lang)


@cache
def _pack(lang: str) -> Pack:
    facts = data_table(__package__, _FOLDER, lang, FACTS)
    return from_texts(lang, facts, data_text(__package__, _FOLDER, lang, SENTENCES))
