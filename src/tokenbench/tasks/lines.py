"""The units of a line, a word or a sentence, that a question may name, and those that it lacks."""

from collections import Counter
from functools import lru_cache
from typing import Final, TypeAlias

from tokenbench.checks import string
from tokenbench.errors import unknown
from tokenbench.patterns import lazy_pattern
from tokenbench.tasks.language_packs import CHARACTERS, WORDS
from tokenbench.text.graphemes import Line, alike, characters, sentence, unmistakable
from tokenbench.text.normalize import caseless

# The units that a question names together.
Operands: TypeAlias = tuple[str, ...]

LINE_CACHE_SIZE: Final = 1 << 14
# From this length on, a reader sees a word within a longer one.
_MIN_WORD_LETTERS: Final = 3
# Between the parts of one word.
_WORD_JOINER: Final = lazy_pattern("['’ʼ‐‑·_-]")


def line_of(text: str, variant: str) -> Line:
    """Return the characters of a word, or the words of a sentence that writes spaces.

    Raises:
        UnknownNameError: no such variant.
        TokenbenchError: the text is not a str.
    """
    if variant not in (CHARACTERS, WORDS):
        raise unknown("variant", variant, (CHARACTERS, WORDS))
    text = string("text", text)
    return characters(text) if variant == CHARACTERS else sentence(text)


@lru_cache(maxsize=LINE_CACHE_SIZE)
def clear_units(line: Line, variant: str) -> tuple[Operands, ...]:
    """Return the units of a line that no reader confuses with another one in it.

    Readers may confuse characters that differ only in marks or case, words that differ in case, a
    word and a part of a hyphenated one, and, where no spaces are written, a word and the same
    characters elsewhere; there no word of a single character is clear.

    >>> clear_units(characters("Anna"), "char")
    (('n',),)
    >>> clear_units(sentence("The cat saw the dog."), "word")
    (('cat',), ('saw',), ('dog',))
    """
    units = tuple(dict.fromkeys(line.units))
    if variant == CHARACTERS:
        clear = unmistakable(units)
    elif line.space:
        folded = Counter(map(caseless, units))
        # Words of several parts, taken apart.
        parts = {part for word in folded for part in _WORD_JOINER.split(word) if part != word}
        alone = {word for word, times in folded.items() if times == 1} - parts
        clear = [unit for unit in units if caseless(unit) in alone]
    else:
        clear = [unit for unit in units if not is_hidden(unit, line)]
    return tuple((unit,) for unit in clear)


def is_hidden(word: str, line: Line) -> bool:
    """Return whether a line of words also has a word within, or as a form of, another one."""
    word = caseless(word)
    if line.space:
        others = [caseless(other) for other in line.units if caseless(other) != word]
        spellings = {other for other in line.units if caseless(other) == word}
        return len(spellings) > 1 or any(word in _WORD_JOINER.split(other) for other in others)
    # Readers disagree on which particles are words.
    if len(word) < 2:
        return True
    text = caseless(line.text)
    times = sum(text.startswith(word, index) for index in range(len(text)))
    return times != sum(caseless(unit) == word for unit in line.units)


def is_absent(unit: str, line: Line, variant: str) -> bool:
    """Return whether no reader finds a unit in a line, in another form or within another one."""
    if variant == CHARACTERS:
        return not any(alike(unit, other) for other in line.units)
    is_within = len(unit) >= _MIN_WORD_LETTERS and caseless(unit) in caseless(line.text)
    return not (is_within or contains_word(unit, line))


def contains_word(word: str, line: Line) -> bool:
    """Return whether a line contains a word, in any case, or as a part of a joined one."""
    return caseless(word) in map(caseless, line.units) or is_hidden(word, line)
