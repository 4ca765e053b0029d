"""Words and running text for items, from our own table of concepts, frequency lists or files.

Words are a language's own letters alone. A running text has an exact length: it is composed of
words, or cut from a user's text.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from functools import cache, lru_cache
from itertools import accumulate
from typing import Final, NamedTuple

from tokenbench.draw import Draw
from tokenbench.errors import SourceError, needs_extra
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
from tokenbench.text.units import han, hangul, is_plain, normalize_units, unit_pattern, units

_FILE: Final = ("tokenbench.text", "data", "lexicon.tsv")
WORDFREQ_SIZE: Final = 60_000
_MIN_WORDS: Final = 10  # with fewer different words (or characters), items would repeat themselves
# Han characters and marks other than quotes, after the end of another sentence or a blank line.
_HAN_SENTENCE: Final = re.compile(
    r"(?:\A|(?<=[。！？])|(?<=\n\n))\s*([\u4e00-\u9fff，、；：]+[。！？])"
)
_MIN_OPENING: Final = 12  # shorter texts begin anywhere: few words begin sentences
_CLAUSES_PER_COMMA: Final = 3
_STOPS_PER_OTHER: Final = 8
_MARKS: Final = re.compile("[,.!?;:。、]")  # in a normalized text
_FULLWIDTH: Final = str.maketrans(",.!?;:", "，。！？；：")


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


class Passage(NamedTuple):
    """A text of an exact number of units, and the source of its words."""

    text: str
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


def vocabulary(language: Language, source: str = CORE) -> Words:
    """Return the units of a language: words, or the Han characters or Hangul syllables in use.

    The core characters are GB 2312 level 1, the core syllables those of our own Korean words and
    sentences; of any other source, they are the characters of its words. The source and the errors
    are those of `words`.

    >>> len(vocabulary(language("zh")).words), "뷁" in vocabulary(language("ko")).words
    (3755, False)
    """
    if language.unit == "hangul" and source == CORE:
        return _core_syllables(language)
    return repertoire(language, source)


def repertoire(language: Language, source: str = CORE) -> Words:
    """Return the same with all 2,350 Hangul syllables of KS X 1001, which has rare ones, too.

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
    text, _, source = read_text(file)
    english = language("en")
    return Words(tuple(word for word in units(text, english) if is_plain(word, english)), source)


@lru_cache(maxsize=CACHE_SIZE)
def chinese_sentences(file: FileStamp) -> Words:
    """Return the sentences of a Chinese text without quotes, digits and other scripts.

    Raises:
        SourceError: the file cannot be read as UTF-8.
    """
    text, _, source = read_text(file)
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
        text, _, label = read_text(source)
        return text.splitlines(), label
    from importlib.metadata import version

    with needs_extra("words='wordfreq'", "lexicon"):
        import wordfreq
    known = wordfreq.available_languages()
    code = lang if lang in known else lang.partition("-")[0]
    # wordfreq itself would take the nearest language: English for isiXhosa.
    if code not in known:
        raise unknown_language("language of wordfreq", lang, known)
    return wordfreq.top_n_list(code, n), f"wordfreq {version('wordfreq')} {code}"


def passage(
    draw: Draw, language: Language, n: int, *, source: str = CORE, text: str | None = None
) -> Passage:
    """Return a text of exactly n units: no digit, hyphen, apostrophe or other script's letter.

    Args:
        draw: makes the choices.
        language: the language of the text.
        n: the text's number of units.
        source: the words to compose of (see `tokenbench.text.lexicon.words`).
        text: the path of a running text to cut from instead.

    Raises:
        SourceError: a file that cannot be read, or has fewer than n units.
    """
    if text is None:
        nouns, label = words(language.code, source)
        if n >= _MIN_OPENING:
            return Passage(compose(draw, language, n, nouns), label)
        longer = compose(draw, language, n + _MIN_OPENING, nouns)
        starts = [match.start() for match in unit_pattern(language).finditer(longer)]
        excerpt = _truncate(longer[starts[draw.between(0, len(starts) - n)] :], n, language)
        return Passage(excerpt[0].upper() + excerpt[1:] + language.stops[0], label)
    running, starts, ends = _read_running(language, stamp(text))
    last = len(starts) - n
    if last < 0:
        size = pluralize(len(starts), "usable unit")
        raise SourceError(f"{text!r} has {size}: an item of {n} needs a longer text")
    start = draw.between(0, last)
    return running._replace(text=running.text[starts[start] : ends[start + n - 1]])


def compose(
    draw: Draw, language: Language, n: int, nouns: Sequence[str], *, topic: str = ""
) -> str:
    """Return clauses over the nouns, cut to exactly n units.

    The topic, if any, comes first, and is not cut wherever it has room.
    """
    text, length, fresh = "", 0, True
    while length < n:
        is_opening = topic and not text
        clause = draw.choice(_openings(language, n, topic) if is_opening else language.clauses)
        chosen = [draw.choice(nouns) for _ in range(clause.count("{}"))]
        if is_opening:
            chosen[0] = topic
        clause = clause.format(*chosen)
        if fresh:
            clause = clause[0].upper() + clause[1:]
        fresh = draw.below(_CLAUSES_PER_COMMA) > 0
        length += len(unit_pattern(language).findall(clause))
        mark = language.comma
        if fresh:
            stops = language.stops
            mark = stops[0] if draw.below(_STOPS_PER_OTHER) else draw.choice(stops)
            mark += "" if language.has_wide_marks else " "
        text += clause + mark
    return _truncate(text, n, language) + language.stops[0]


def tokens(
    draw: Draw, language: Language, n: int, *, source: str = CORE, text: str | None = None
) -> tuple[list[str], str]:
    """Return n units of running text in lower case, without answer words, and their source.

    The arguments and errors are those of `passage`.
    """
    found = passage(draw, language, n, source=source, text=text)
    reserved = language.answer_words
    sampled = [
        unit if unit not in reserved else different_token(draw, language, source, reserved)
        for unit in map(str.lower, units(found.text, language))
    ]
    return sampled, found.source


def different_token(draw: Draw, language: Language, source: str, avoided: Collection[str]) -> str:
    """Return a random unit of a language in lower case, except those to avoid."""
    pool = vocabulary(language, source).words
    while (unit := draw.choice(pool).lower()) in avoided:
        pass
    return unit


def word_list(
    draw: Draw, language: Language, n: int, nouns: Sequence[str], *, topic: str = ""
) -> str:
    """Return random nouns with commas between them, after the topic, cut to exactly n units."""
    pattern = unit_pattern(language)
    chosen = [topic] if topic else []
    length = len(pattern.findall(topic))
    while length < n:
        chosen.append(draw.choice(nouns))
        length += len(pattern.findall(chosen[-1]))
    return _truncate(language.comma.join(chosen), n, language) + language.stops[0]


@cache
def _core_words(lang: str) -> Words:
    if lang not in _CORE_LANGUAGES:
        raise unknown_language("language of the core lexicon", lang, _CORE_LANGUAGES)
    found = tuple(getattr(concept, lang) for concept in concepts())
    return Words(found, data_label("lexicon", *_FILE))


@cache
def _core_syllables(language: Language) -> Words:
    """Return the different Hangul syllables of the core lexicon and the pack's sentences, sorted.

    >>> _core_syllables(language("ko")).words[:3]
    ('가', '각', '간')
    """
    from tokenbench.text.packs import pack

    nouns, label = _core_words(language.code)
    sentences = pack(language.code)
    texts = (*nouns, *(line.text for line in sentences.sentences))
    syllables = {unit for text in texts for unit in units(text, language)}
    return Words(tuple(sorted(syllables)), f"syllables of {label} and {sentences.source}")


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


def _truncate(text: str, n: int, language: Language) -> str:
    """Return a text up to the end of its n-th unit."""
    *_, last = (
        match for match, _ in zip(unit_pattern(language).finditer(text), range(n), strict=False)
    )
    return text[: last.end()]


@lru_cache(maxsize=CACHE_SIZE)
def _read_running(language: Language, file: FileStamp) -> tuple[Passage, list[int], list[int]]:
    """Return a user's text with only its plain units, simple punctuation and spaces left.

    With it, where each unit starts and ends.
    """
    raw, _, source = read_text(file)
    raw = normalize_units(raw)
    pieces: list[str] = []
    gap, before = "", 0
    for match in unit_pattern(language).finditer(raw):
        if not is_plain(match[0], language) or match[0].lower() in language.answer_words:
            continue
        # One mark between two units, and a space where one belongs.
        if pieces:
            mark = _MARKS.search(raw, before, match.start())
            gap = mark[0] if mark else ""
            if language.has_wide_marks:
                gap = gap.translate(_FULLWIDTH)
            elif language.counts_words or before < match.start():
                gap += " "
        before = match.end()
        pieces += gap, match[0]
    edges = list(accumulate(map(len, pieces)))
    return Passage("".join(pieces), source), edges[::2], edges[1::2]


def _openings(language: Language, n: int, topic: str) -> Sequence[str]:
    """Return the clauses with room for the topic in their first n units; all if none has."""
    room = n - len(units(topic, language))
    clauses = language.clauses
    return [clause for clause in clauses if _units_before_noun(clause, language) <= room] or clauses


@cache
def _units_before_noun(clause: str, language: Language) -> int:
    return len(units(clause.partition("{}")[0], language))
