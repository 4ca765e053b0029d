"""Words to make items of: our own table of concepts, frequency lists, or a user's list."""

import hashlib
from functools import cache, lru_cache
from typing import Final, NamedTuple

from tokenbench.errors import SourceError, missing_extra, unknown
from tokenbench.text.languages import language
from tokenbench.text.repertoire import han, hangul
from tokenbench.text.sources import (
    CACHE_SIZE,
    CORE,
    WORDFREQ,
    FileStamp,
    data_text,
    read_text,
    stamp,
)
from tokenbench.text.units import is_plain, normalize_units, units

WORDFREQ_SIZE: Final = 60_000
_LEAST = 10  # different words (or characters) below which items would repeat themselves


class Concept(NamedTuple):
    """One row of the core lexicon: a theme, and the concept's name in each language."""

    theme: str
    en: str
    zh: str
    ko: str
    ja: str
    kana: str  # the reading of `ja` where that holds Kanji, else empty


class Words(NamedTuple):
    """Different words in a fixed order, and where they come from, for an item's meta."""

    words: tuple[str, ...]
    source: str


@cache
def concepts() -> tuple[Concept, ...]:
    """Return the core lexicon: more than 1,500 concepts in English, Chinese, Korean, Japanese.

    >>> next(concept.zh for concept in concepts() if concept.en == "cat")
    '猫'
    """
    _header, *rows = _core_text().splitlines()
    return tuple(Concept(*row.split("\t")) for row in rows)


@cache
def themes() -> tuple[str, ...]:
    """Return the themes of the core lexicon, in its order."""
    return tuple(dict.fromkeys(concept.theme for concept in concepts()))


def words(lang: str, source: str = CORE) -> Words:
    """Return the words of a language: letters of its script only, no two alike.

    Args:
        lang: a language code.
        source: `core`; `wordfreq` (the extra `lexicon`); or the path of a file, a word a line.

    Raises:
        UnknownNameError: no such language, or the core lexicon has not this one.
        SourceError: a file that cannot be read as UTF-8, or that holds too few words.
        MissingExtraError: `wordfreq` is not installed.
    """
    if source == CORE:
        return _core_words(lang)
    if source == WORDFREQ:
        return _wordfreq_words(lang)
    return _file_words(lang, stamp(source))


def vocabulary(lang: str, source: str = CORE) -> Words:
    """Return the units of a language: words, or the Han characters or Hangul syllables in use.

    The core repertoires of characters are GB 2312 level 1 and the syllables of KS X 1001; of any
    other source, they are what its words hold. Arguments and errors are those of `words`.

    >>> len(vocabulary("zh").words), vocabulary("ko").source
    (3755, 'KS X 1001')
    """
    unit = language(lang).unit
    if unit == "word":
        return words(lang, source)
    if source == CORE:
        return Words(han(), "GB 2312 level 1") if unit == "han" else Words(hangul(), "KS X 1001")
    if source == WORDFREQ:
        return _wordfreq_characters(lang)
    return _file_characters(lang, stamp(source))


@cache
def _core_text() -> str:
    return data_text(__package__, "data", "lexicon.tsv")


@cache
def _core_words(lang: str) -> Words:
    if lang not in ("en", "zh", "ko", "ja"):
        raise unknown("language of the core lexicon", lang, ("en", "zh", "ko", "ja"))
    digest = hashlib.sha256(_core_text().encode()).hexdigest()[:12]
    return Words(
        tuple(getattr(concept, lang) for concept in concepts()),
        f"tokenbench lexicon sha256:{digest}",
    )


@cache
def _wordfreq_words(lang: str) -> Words:
    try:
        import wordfreq
    except ImportError:
        raise missing_extra("words='wordfreq'", "lexicon") from None
    from importlib.metadata import version

    try:
        listed = wordfreq.top_n_list(lang, WORDFREQ_SIZE)
    except (LookupError, ValueError):
        raise unknown("language of wordfreq", lang, wordfreq.available_languages()) from None
    source = f"wordfreq {version('wordfreq')} {lang} {WORDFREQ_SIZE}"
    return Words(_clean(listed, lang, source), source)


@cache
def _wordfreq_characters(lang: str) -> Words:
    return _characters(_wordfreq_words(lang))


@lru_cache(maxsize=CACHE_SIZE)
def _file_characters(lang: str, file: FileStamp) -> Words:
    return _characters(_file_words(lang, file))


def _characters(found: Words) -> Words:
    """Return the characters that words hold, in the order in which they first do."""
    return Words(_enough(tuple(dict.fromkeys("".join(found.words))), found.source), found.source)


@lru_cache(maxsize=CACHE_SIZE)
def _file_words(lang: str, file: FileStamp) -> Words:
    text, _, source = read_text(file)
    return Words(_clean(text.splitlines(), lang, source), source)


def _clean(listed: list[str], lang: str, source: str) -> tuple[str, ...]:
    """Keep what is letters of the language only, and no answer word, once each."""
    tongue = language(lang)
    kept: dict[str, str] = {}
    for line in listed:
        word = normalize_units(line.strip())
        found = units(word, lang)
        whole = "".join(found) == word and (tongue.unit != "word" or len(found) == 1)
        plain = whole and all(is_plain(unit, lang) for unit in found)
        if word and plain and word.lower() not in tongue.reserved:
            kept.setdefault(word.lower(), word)
    return _enough(tuple(kept.values()), source)


def _enough(found: tuple[str, ...], source: str) -> tuple[str, ...]:
    if len(found) < _LEAST:
        raise SourceError(
            f"{source} holds {len(found)} usable different words or characters: "
            f"at least {_LEAST} are needed, letters of the language only, one word a line"
        )
    return found
