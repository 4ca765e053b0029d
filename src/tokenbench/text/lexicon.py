"""Words for items: our own table of concepts, frequency lists, a user's list or text."""

import hashlib
import re
from functools import cache, lru_cache
from typing import Any, Final, NamedTuple

from tokenbench.errors import SourceError, missing_extra, unknown
from tokenbench.text.languages import language
from tokenbench.text.normalize import nfc, strip_invisible
from tokenbench.text.scripts import han, hangul
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
_MIN_WORDS = 10  # with fewer different words (or characters), items would repeat themselves
_CORE_LANGUAGES: Final = ("en", "zh", "ko", "ja")
# Han characters and marks other than quotes, after the end of another sentence or a blank line.
_HAN_SENTENCE: Final = re.compile(
    r"(?:\A|(?<=[。！？])|(?<=\n\n))\s*([\u4e00-\u9fff，、；：]+[。！？])"
)


class Concept(NamedTuple):
    """One row of the core lexicon: a theme, and the concept's name in each language."""

    theme: str
    en: str
    zh: str
    ko: str
    ja: str
    kana: str  # the reading of `ja` if that contains Kanji, else empty


class Words(NamedTuple):
    """Different words in a fixed order, and their source for an item's meta."""

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
        UnknownNameError: no such language, or the core lexicon does not have it.
        SourceError: a file that cannot be read as UTF-8, or that contains too few words.
        MissingExtraError: `wordfreq` is not installed.
    """
    if source == CORE:
        return _core_words(lang)
    if source == WORDFREQ:
        return _wordfreq_words(lang)
    return _file_words(lang, stamp(source))


def vocabulary(lang: str, source: str = CORE) -> Words:
    """Return the units of a language: words, or the Han characters or Hangul syllables in use.

    The core characters are GB 2312 level 1 and the syllables of KS X 1001; of any other source,
    they are the characters of its words. Arguments and errors are those of `words`.

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


@lru_cache(maxsize=CACHE_SIZE)
def english_words(file: FileStamp) -> Words:
    """Return the words of ASCII letters in a text, in its order, repeats included.

    Raises:
        SourceError: the file cannot be read as UTF-8.
    """
    text, _, source = read_text(file)
    return Words(tuple(word for word in units(text, "en") if is_plain(word, "en")), source)


@lru_cache(maxsize=CACHE_SIZE)
def chinese_sentences(file: FileStamp) -> Words:
    """Return the sentences of a Chinese text without quotes, digits and other scripts.

    Raises:
        SourceError: the file cannot be read as UTF-8.
    """
    text, _, source = read_text(file)
    return Words(tuple(_HAN_SENTENCE.findall(nfc(strip_invisible(text)))), source)


@cache
def _core_text() -> str:
    return data_text(__package__, "data", "lexicon.tsv")


@cache
def _core_words(lang: str) -> Words:
    if lang not in _CORE_LANGUAGES:
        raise unknown("language of the core lexicon", lang, _CORE_LANGUAGES)
    digest = hashlib.sha256(_core_text().encode()).hexdigest()[:12]
    return Words(
        tuple(getattr(concept, lang) for concept in concepts()),
        f"tokenbench lexicon sha256:{digest}",
    )


@cache
def _wordfreq_words(lang: str) -> Words:
    wordfreq, version = load_wordfreq()
    try:
        frequent = wordfreq.top_n_list(lang, WORDFREQ_SIZE)
    except (LookupError, ValueError):
        raise unknown("language of wordfreq", lang, wordfreq.available_languages()) from None
    source = f"wordfreq {version} {lang} {WORDFREQ_SIZE}"
    return Words(_clean(frequent, lang, source), source)


def load_wordfreq() -> tuple[Any, str]:
    """Return the package wordfreq and its version.

    Raises:
        MissingExtraError: it is not installed.
    """
    try:
        import wordfreq
    except ImportError:
        raise missing_extra("words='wordfreq'", "lexicon") from None
    from importlib.metadata import version

    return wordfreq, version("wordfreq")


@cache
def _wordfreq_characters(lang: str) -> Words:
    return _characters(_wordfreq_words(lang))


@lru_cache(maxsize=CACHE_SIZE)
def _file_characters(lang: str, file: FileStamp) -> Words:
    return _characters(_file_words(lang, file))


def _characters(found: Words) -> Words:
    """Return the characters of words, in the order in which they first occur."""
    characters = tuple(dict.fromkeys("".join(found.words)))
    return Words(_check_size(characters, found.source), found.source)


@lru_cache(maxsize=CACHE_SIZE)
def _file_words(lang: str, file: FileStamp) -> Words:
    text, _, source = read_text(file)
    return Words(_clean(text.splitlines(), lang, source), source)


def _clean(lines: list[str], lang: str, source: str) -> tuple[str, ...]:
    """Return the words of the language's letters alone, once each, without answer words."""
    spoken = language(lang)
    words: dict[str, str] = {}
    for line in lines:
        word = normalize_units(line.strip())
        found = units(word, lang)
        whole = "".join(found) == word and (spoken.unit != "word" or len(found) == 1)
        plain = whole and all(is_plain(unit, lang) for unit in found)
        if word and plain and word.lower() not in spoken.answer_words:
            words.setdefault(word.lower(), word)
    return _check_size(tuple(words.values()), source)


def _check_size(found: tuple[str, ...], source: str) -> tuple[str, ...]:
    if len(found) < _MIN_WORDS:
        raise SourceError(
            f"{source} holds {len(found)} usable different words or characters: "
            f"at least {_MIN_WORDS} are needed, letters of the language only, one word a line"
        )
    return found
