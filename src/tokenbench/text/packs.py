"""Language packs: folders of our own sentences, one for each language, that a translator can add.

A pack is a folder `packs/<code>/` with a `pack.toml` (the language's name for itself; optional
notes for translators) and a `sentences.txt`: a sentence a line, its words with one space between
them, each punctuation mark a word of its own.
"""

import hashlib
from functools import cache
from typing import Final, NamedTuple

from tokenbench.errors import unknown
from tokenbench.text.data_files import data_table, data_text

PACKS: Final = ("zh",)
_FOLDER: Final = "packs"


class Sentence(NamedTuple):
    """A sentence as it is written, and its words, punctuation marks among them."""

    text: str
    words: tuple[str, ...]


class Pack(NamedTuple):
    """A language pack, and the label by which an item's meta names it."""

    name: str
    notes: str
    sentences: tuple[Sentence, ...]
    source: str


@cache
def pack(lang: str) -> Pack:
    """Return the language pack that ships for a language.

    Args:
        lang: a language code.

    Raises:
        UnknownNameError: there is no pack for it.

    >>> pack("zh").name
    '中文'
    """
    if lang not in PACKS:
        raise unknown("language of a pack", lang, PACKS)
    facts = data_table(__package__, _FOLDER, lang, "pack.toml")
    listed = data_text(__package__, _FOLDER, lang, "sentences.txt")
    digest = hashlib.sha256(listed.encode()).hexdigest()[:12]
    return Pack(
        name=facts["name"],
        notes=facts.get("notes", ""),
        sentences=tuple(map(_sentence, listed.splitlines())),
        source=f"tokenbench pack {lang} sha256:{digest}",
    )


def sentences(lang: str) -> tuple[Sentence, ...]:
    """Return the sentences of a language pack. Argument and error are those of `pack`.

    >>> sentences("zh")[0].text
    '清晨，老渔夫把小船推进了河里。'
    >>> sentences("zh")[0].words[:3]
    ('清晨', '，', '老')
    """
    return pack(lang).sentences


def _sentence(line: str) -> Sentence:
    words = tuple(line.split(" "))
    return Sentence("".join(words), words)
