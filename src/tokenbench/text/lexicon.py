"""Words for items, from our own table of concepts, frequency lists or files.

Words are a language's own letters alone.
"""

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Final, NamedTuple

from tokenbench.errors import SourceError, needs_extra
from tokenbench.patterns import lazy_pattern
from tokenbench.quoting import pluralize
from tokenbench.text.languages import LANGUAGES, Language, language, unknown_language
from tokenbench.text.normalize import nfc, strip_invisible
from tokenbench.text.sources import (
    CACHE_SIZE,
    CORE,
    WORDFREQ,
    FileStamp,
    data_label,
    data_rows,
    read_text,
    stamp,
)
from tokenbench.text.units import han, hangul, is_plain, normalize_units, units

_FILE: Final = ("tokenbench.text", "data", "lexicon.tsv")
WORDFREQ_SIZE: Final = 60_000
_MIN_WORDS: Final = 10  # with fewer different words (or characters), items would repeat themselves
# Han characters and marks other than quotes, after the end of another sentence or a blank line.
_HAN_SENTENCE: Final = lazy_pattern(
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


_CORE_LANGUAGES: Final = tuple(name for name in Concept._fields if name in LANGUAGES)


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
    _header, *rows = data_rows(*_FILE)
    return tuple(Concept(*row) for row in rows)


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
    return _words(lang, source if source == WORDFREQ else stamp(source))


def repertoire(language: Language, source: str = CORE) -> Words:
    """Return the units of a language: words, or the characters of a national standard.

    Those of the core are GB 2312 level 1, and the 2,350 Hangul syllables of KS X 1001; of any other
    source, they are the characters of its words. The source and the errors are those of `words`.

    >>> len(repertoire(language("ko")).words), repertoire(language("ko")).source
    (2350, 'KS X 1001')
    """
    if language.counts_words:
        return words(language.code, source)
    if source == CORE:
        is_han = language.unit == "han"
        return Words(han(), "GB 2312 level 1") if is_han else Words(hangul(), "KS X 1001")
    return _characters(language.code, source if source == WORDFREQ else stamp(source))


@lru_cache(maxsize=CACHE_SIZE)
def english_words(file: FileStamp) -> Words:
    """Return the words of ASCII letters in a text, in its order, repeats included.

    Raises:
        SourceError: the file cannot be read as UTF-8.
    """
    text, source = read_text(file)
    english = language("en")
    return Words(tuple(word for word in units(text, english) if is_plain(word, english)), source)


@lru_cache(maxsize=CACHE_SIZE)
def chinese_sentences(file: FileStamp) -> Words:
    """Return the sentences of a Chinese text without quotes, digits and other scripts.

    Raises:
        SourceError: the file cannot be read as UTF-8.
    """
    text, source = read_text(file)
    return Words(tuple(_HAN_SENTENCE.findall(nfc(strip_invisible(text)))), source)


def read_word_list(lang: str, source: str | FileStamp, n: int) -> tuple[list[str], str]:
    """Return the lines of a user's file, or the most frequent words of wordfreq, and their label.

    Args:
        lang: a language code; wordfreq has no regional ones.
        source: `wordfreq`, or a file.
        n: the number of words of wordfreq, at most.

    Raises:
        UnknownNameError: wordfreq does not have the language.
        SourceError: the file cannot be read as UTF-8.
        MissingExtraError: wordfreq is not installed.
    """
    if isinstance(source, FileStamp):
        text, label = read_text(source)
        return text.splitlines(), label
    from importlib.metadata import version

    with needs_extra("words='wordfreq'", "lexicon"):
        import wordfreq
    known = wordfreq.available_languages()
    code = lang if lang in known else lang.partition("-")[0]
    # wordfreq itself would take the nearest language: English for isiXhosa.
    if code not in known:
        raise unknown_language("language of wordfreq", lang, sorted(known))
    return wordfreq.top_n_list(code, n), f"wordfreq {version('wordfreq')} {code}"


@cache
def _core_words(lang: str) -> Words:
    if lang not in _CORE_LANGUAGES:
        raise unknown_language("language of the core lexicon", lang, _CORE_LANGUAGES)
    found = tuple(getattr(concept, lang) for concept in concepts())
    return Words(found, data_label("lexicon", *_FILE))


@lru_cache(maxsize=CACHE_SIZE)
def _words(lang: str, source: str | FileStamp) -> Words:
    """Return the words of wordfreq or a file in a language's letters, without answer words."""
    lines, label = read_word_list(lang, source, WORDFREQ_SIZE)
    label += f" {WORDFREQ_SIZE}" if isinstance(source, str) else ""
    spoken = language(lang)
    words: dict[str, str] = {}
    for line in lines:
        word = normalize_units(line.strip())
        found = units(word, spoken)
        whole = "".join(found) == word and (len(found) == 1 or not spoken.counts_words)
        plain = whole and all(is_plain(unit, spoken) for unit in found)
        if word and plain and word.lower() not in spoken.answer_words:
            words.setdefault(word.lower(), word)
    return _enough_words(words.values(), label)


@lru_cache(maxsize=CACHE_SIZE)
def _characters(lang: str, source: str | FileStamp) -> Words:
    """Return the characters of words, in the order in which they first occur."""
    words, label = _words(lang, source)
    return _enough_words(dict.fromkeys("".join(words)), label)


def _enough_words(found: Iterable[str], source: str) -> Words:
    words = tuple(found)
    if len(words) < _MIN_WORDS:
        problem = f"{source} has {pluralize(len(words), 'usable different word')} (or character)"
        allowed = f"at least {_MIN_WORDS}, letters of the language only, one word a line"
        raise SourceError(problem, allowed=allowed)
    return Words(words, source)
