"""The packs that ship."""

from functools import cache

from tokenbench.errors import unknown
from tokenbench.text.languages import LANGUAGES
from tokenbench.text.packs.model import FACTS, SENTENCES, Pack, from_texts
from tokenbench.text.sources import data_table, data_text

PACKS = LANGUAGES
_FOLDER = "tokenbench.text.languages"


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
    facts = data_table(_FOLDER, lang, FACTS)
    return from_texts(lang, facts, data_text(_FOLDER, lang, SENTENCES))
