"""Running text of an exact length: composed of the lexicon's words, or cut from a user's text."""

import re
from collections.abc import Collection, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from tokenbench.draw import Draw
from tokenbench.errors import DifficultyError, SourceError
from tokenbench.text.languages import Language, language
from tokenbench.text.lexicon import vocabulary, words
from tokenbench.text.sources import CACHE_SIZE, CORE, FileStamp, read_text, stamp
from tokenbench.text.units import is_plain, normalize_units, unit_pattern, units

_MIN_OPENING = 12  # shorter texts begin anywhere: few words begin sentences
_CLAUSES_PER_COMMA = 3
_STOPS_PER_OTHER = 8
_MARKS = re.compile("[,.!?;:。、]")  # in a normalized text
_FULLWIDTH = str.maketrans(",.!?;:", "，。！？；：")


class Passage(NamedTuple):
    """A text of an exact number of units, and the source of its words."""

    text: str
    source: str


def passage(
    draw: Draw, lang: str, n: int, *, source: str = CORE, text: str | None = None
) -> Passage:
    """Return a text of exactly n units: no digit, hyphen, apostrophe or other script's letter.

    Args:
        draw: makes the choices.
        lang: a language code.
        n: the text's number of units.
        source: the words to compose of (see `tokenbench.text.lexicon.words`).
        text: the path of a running text to cut from instead.

    Raises:
        SourceError: a file that cannot be read, or has fewer than n units.
    """
    if text is None:
        nouns, label = words(lang, source)
        if n < _MIN_OPENING:
            return Passage(
                _excerpt(draw, compose(draw, lang, n + _MIN_OPENING, nouns), n, lang), label
            )
        return Passage(compose(draw, lang, n, nouns), label)
    running = _read_running(lang, stamp(text))
    last = len(running.starts) - n
    if last < 0:
        raise SourceError(
            f"{text!r} holds {len(running.starts)} usable units: an item of {n} needs a longer text"
        )
    start = draw.between(0, last)
    cut = slice(running.starts[start], running.ends[start + n - 1])
    return Passage(running.text[cut], running.source)


class _Running(NamedTuple):
    text: str
    starts: list[int]
    ends: list[int]
    source: str


def compose(draw: Draw, lang: str, n: int, nouns: Sequence[str], *, topic: str = "") -> str:
    """Return clauses over the nouns, cut to exactly n units.

    The topic, if any, comes first, and is not cut wherever it has room.
    """
    if n < 1:
        raise DifficultyError(f"n={n}: a passage has at least one unit")
    spoken = language(lang)
    pattern = unit_pattern(lang)
    text, length, fresh = "", 0, True
    while length < n:
        clause = draw.choice(_openings(lang, n, topic) if topic and not text else spoken.clauses)
        chosen = [draw.choice(nouns) for _ in range(clause.count("{}"))]
        if topic and not text:
            chosen[0] = topic
        clause = clause.format(*chosen)
        if fresh:
            clause = clause[0].upper() + clause[1:]
        fresh = draw.below(_CLAUSES_PER_COMMA) > 0
        length += len(pattern.findall(clause))
        text += clause + (_stop(draw, spoken) if fresh else spoken.comma)
    return _truncate(text, n, lang) + spoken.stops[0]


def tokens(
    draw: Draw, lang: str, n: int, *, source: str = CORE, text: str | None = None
) -> tuple[list[str], str]:
    """Return n units of running text in lower case, without answer words, and their source.

    The arguments and errors are those of `passage`.
    """
    found = passage(draw, lang, n, source=source, text=text)
    reserved = language(lang).answer_words
    sampled = [
        unit if unit not in reserved else different_token(draw, lang, source, reserved)
        for unit in map(str.lower, units(found.text, lang))
    ]
    return sampled, found.source


def different_token(draw: Draw, lang: str, source: str, avoided: Collection[str]) -> str:
    """Return a random unit of a language in lower case, except those to avoid."""
    pool = vocabulary(lang, source).words
    while (unit := draw.choice(pool).lower()) in avoided:
        pass
    return unit


def word_list(draw: Draw, lang: str, n: int, nouns: Sequence[str], *, topic: str = "") -> str:
    """Return random nouns with commas between them, after the topic, cut to exactly n units."""
    spoken = language(lang)
    pattern = unit_pattern(lang)
    chosen = [topic] if topic else []
    length = len(pattern.findall(topic))
    while length < n:
        chosen.append(draw.choice(nouns))
        length += len(pattern.findall(chosen[-1]))
    return _truncate(spoken.comma.join(chosen), n, lang) + spoken.stops[0]


def _excerpt(draw: Draw, text: str, n: int, lang: str) -> str:
    """Return n units of a longer text, beginning with a random one."""
    starts = [match.start() for match in unit_pattern(lang).finditer(text)]
    found = _truncate(text[starts[draw.between(0, len(starts) - n)] :], n, lang)
    return found[0].upper() + found[1:] + language(lang).stops[0]


def _truncate(text: str, n: int, lang: str) -> str:
    """Return a text up to the end of its n-th unit."""
    *_, last = (
        match for match, _ in zip(unit_pattern(lang).finditer(text), range(n), strict=False)
    )
    return text[: last.end()]


def _stop(draw: Draw, spoken: Language) -> str:
    mark = spoken.stops[0] if draw.below(_STOPS_PER_OTHER) else draw.choice(spoken.stops)
    return mark if spoken.unit == "han" else mark + " "


@lru_cache(maxsize=CACHE_SIZE)
def _read_running(lang: str, file: FileStamp) -> _Running:
    """Return a user's text with only its plain units, simple punctuation and spaces left."""
    raw, _, source = read_text(file)
    spoken = language(lang)
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    at = before = 0
    raw = normalize_units(raw)
    for match in unit_pattern(lang).finditer(raw):
        unit = match[0]
        if not is_plain(unit, lang) or unit.lower() in spoken.answer_words:
            continue
        gap = _gap(raw[before : match.start()], spoken) if pieces else ""
        before = match.end()
        pieces += gap, unit
        at += len(gap)
        starts.append(at)
        at += len(unit)
        ends.append(at)
    return _Running("".join(pieces), starts, ends, source)


def _gap(between: str, spoken: Language) -> str:
    """Return the text between two units as one mark, and a space where one belongs."""
    found = _MARKS.search(between)
    mark = found[0] if found else ""
    if spoken.unit == "han":
        mark = mark.translate(_FULLWIDTH)
    space = spoken.unit == "word" or (spoken.unit == "hangul" and len(between) > 0)
    return mark + (" " if space else "")


def _openings(lang: str, n: int, topic: str) -> Sequence[str]:
    """Return the clauses with room for the topic in their first n units; all if none has."""
    room = n - len(units(topic, lang))
    clauses = language(lang).clauses
    return [clause for clause in clauses if _units_before_noun(clause, lang) <= room] or clauses


@cache
def _units_before_noun(clause: str, lang: str) -> int:
    return len(units(clause.partition("{}")[0], lang))
