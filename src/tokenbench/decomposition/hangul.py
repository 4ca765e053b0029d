"""Hangul syllables and the jamo in their two or three positions.

A syllable has a component in each of its positions: the initial consonant (초성), the vowel
(중성), and perhaps the final consonant (종성). A cluster (ㄺ), a double letter (ㄲ) and
a compound vowel (ㅘ) fill one position, so each is one component, unless `parts="letters"` asks
for the letters that they are written with, as on a keyboard. There ㅐ, ㅒ, ㅔ and ㅖ are letters.

Jamo come out as compatibility jamo (U+3131–3163), the characters that people type. They go in as
these, as conjoining jamo (U+1100–11FF), or in half width (U+FFA1–FFDC).
"""

import re
from collections.abc import Sequence
from functools import cache
from typing import Final

from tokenbench.checks import one_of, string, texts
from tokenbench.errors import expected
from tokenbench.patterns import lazy_pattern
from tokenbench.text.answer_text import split_list
from tokenbench.text.normalize import nfc, strip_invisible, strip_wrapping, usual_width

POSITIONS: Final = ("초성", "중성", "종성")  # their Korean names: initial, medial, final
PARTS: Final = ("positions", "letters")

_WRITTEN: Final = (  # each jamo of several letters, and these
    "ㄲㄱㄱ ㄸㄷㄷ ㅃㅂㅂ ㅆㅅㅅ ㅉㅈㅈ "
    "ㄳㄱㅅ ㄵㄴㅈ ㄶㄴㅎ ㄺㄹㄱ ㄻㄹㅁ ㄼㄹㅂ ㄽㄹㅅ ㄾㄹㅌ ㄿㄹㅍ ㅀㄹㅎ ㅄㅂㅅ "
    "ㅘㅗㅏ ㅙㅗㅐ ㅚㅗㅣ ㅝㅜㅓ ㅞㅜㅔ ㅟㅜㅣ ㅢㅡㅣ"
)
LETTERS: Final = {jamo[0]: jamo[1:] for jamo in _WRITTEN.split()}
_RUN: Final = lazy_pattern("[\u3131-\u318e\uffa1-\uffdc]+")  # jamo that do not conjoin
_FIRST_CONJOINING: Final = (0x1100, 0x1161, 0x11A8)  # of each position, in the order of its jamo


def decompose(syllable: str, *, parts: str = "positions") -> tuple[str, ...]:
    """Return the jamo of one syllable, in order, as compatibility jamo.

    Args:
        syllable: one of the 11,172 modern syllables, composed or as conjoining jamo (NFD).
        parts: `positions` gives one jamo for each position, two or three; `letters` splits
            clusters (ㄺ → ㄹ ㄱ), double letters (ㄲ → ㄱ ㄱ) and compound vowels (ㅘ → ㅗ ㅏ).

    Raises:
        TokenbenchError: not one syllable.
        UnknownNameError: no such `parts`.

    >>> decompose("닭"), decompose("닭", parts="letters"), decompose("와")
    (('ㄷ', 'ㅏ', 'ㄺ'), ('ㄷ', 'ㅏ', 'ㄹ', 'ㄱ'), ('ㅇ', 'ㅘ'))
    """
    one_of("parts", parts, PARTS)
    from hgtk import letter

    composed = nfc(syllable) if isinstance(syllable, str) else ""
    if len(composed) != 1 or not "가" <= composed <= "힣":
        raise expected("syllable", syllable, "one Hangul syllable, from 가 to 힣")
    jamo = tuple(filter(None, letter.decompose(composed)))
    return jamo if parts == "positions" else tuple("".join(LETTERS.get(one, one) for one in jamo))


def compose(parts: Sequence[str]) -> str:
    """Return the syllable that two or three jamo make: an initial, a medial, perhaps a final one.

    Args:
        parts: one jamo for each position, in any form. A conjoining jamo has its position.

    Raises:
        TokenbenchError: not two or three jamo, or one that its position cannot hold.

    >>> compose(["ㄷ", "ㅏ", "ㄺ"]), compose(["ᄃ", "ᅡ"]), compose("ﾧￂ")
    ('닭', '다', '다')
    """
    given = texts("parts", parts)
    if len(given) not in (2, 3):
        raise expected("parts", given, "an initial, a medial and perhaps a final jamo")
    from hgtk import letter

    return str(letter.compose(*(_jamo_at(place, jamo) for place, jamo in enumerate(given))))


def normalize(jamo: str) -> str:
    """Return one modern jamo, whatever its form, as a compatibility jamo.

    The conjoining initial U+1100 and the conjoining final U+11A8 are both ㄱ. Fillers and jamo
    without a modern syllable are refused.

    Raises:
        TokenbenchError: not one modern jamo.

    >>> normalize("ᄀ"), normalize("ᆨ"), normalize("ﾡ"), normalize("ㄱ")
    ('ㄱ', 'ㄱ', 'ㄱ', 'ㄱ')
    """
    if is_jamo(jamo):
        return _compatibility_jamo()[usual_width(jamo)]
    raise expected("jamo", jamo, "one of ㄱ to ㅎ or ㅏ to ㅣ, in any form")


def is_jamo(text: object) -> bool:
    """Return whether a text is one modern jamo, in any form.

    >>> is_jamo("ㅄ"), is_jamo("ㅂㅅ"), is_jamo("가"), is_jamo("ㆍ")
    (True, False, False, False)
    """
    return isinstance(text, str) and usual_width(text) in _compatibility_jamo()


def initials(word: str) -> str:
    """Return the initial consonants of a word's syllables, as a riddle gives them.

    Args:
        word: syllables alone, composed or as conjoining jamo (NFD).

    Raises:
        TokenbenchError: something in it is not a syllable.

    >>> initials("떡볶이")
    'ㄸㅂㅇ'
    """
    return "".join(decompose(syllable)[0] for syllable in nfc(string("word", word)))


def split_jamo(text: str) -> tuple[str, ...]:
    """Return the jamo that a text lists, in order, as compatibility jamo.

    They have separators between them, or form a run if they do not conjoin: adjacent conjoining
    jamo are a syllable. Or each comes with the name of its position, in the order of positions;
    받침 is another name of the last one, which may also be declared empty (종성: 없음).

    Args:
        text: jamo in any form (see `tokenbench.text.answer_text.split_list` for separators).

    Raises:
        TokenbenchError: not a str, or something in it is not a jamo.

    >>> split_jamo("ㄱ, ᅡ, ﾱ"), split_jamo("ㄱㅏㅂㅅ"), split_jamo("초성: ㄱ, 중성: ㅏ")
    (('ㄱ', 'ㅏ', 'ㅁ'), ('ㄱ', 'ㅏ', 'ㅂ', 'ㅅ'), ('ㄱ', 'ㅏ'))
    """
    text = strip_wrapping(strip_invisible(string("text", text)))
    named = _pattern_of_named_jamo().fullmatch(text)
    found = split_list(",".join(filter(None, named.groups())) if named else text)
    runs = (list(part) if _RUN.fullmatch(part) else [part] for part in found)
    return tuple(normalize(jamo) for run in runs for jamo in run)


@cache
def positions() -> tuple[tuple[str, ...], ...]:
    """Return the jamo that are possible in each position, in Unicode's order: 19, 21 and 27.

    >>> [len(jamo) for jamo in positions()]
    [19, 21, 27]
    """
    from hgtk.const import CHO, JONG, JOONG

    # hgtk's first final is none at all.
    return tuple(CHO), tuple(JOONG), tuple(JONG[1:])


def _jamo_at(place: int, value: str) -> str:
    """Return a jamo for a position, in any of its forms there, as a compatibility jamo."""
    allowed = positions()[place]
    form = usual_width(value)
    jamo = _compatibility_jamo().get(form)
    if jamo in allowed and form in (jamo, chr(_FIRST_CONJOINING[place] + allowed.index(jamo))):
        return jamo
    raise expected("parts", value, f"for the {POSITIONS[place]} one of {' '.join(allowed)}")


@cache
def _pattern_of_named_jamo() -> re.Pattern[str]:
    """Return the pattern of jamo with the names of their positions: 초성: ㄱ, 중성: ㅏ.

    Or 초성은 ㄱ, 중성(ㅏ); or ㄱ(초성), ㅏ 중성. Each position has two groups, one of them empty.
    """
    names = *POSITIONS[:2], f"(?:{POSITIONS[2]}|받침)"
    marks, quote, is_ = r"(?:[-*•]\s++)?", "['\"‘’“”(（)）]?", r"\s*+(?:[:：=은]\s*+)?"
    initial, medial, final = (
        rf"{marks}(?:{name}{is_}{quote}(\S){quote}|{quote}(\S){quote}\s*+(?:[(（]{name}[)）]|{name}))"
        for name in names
    )
    none = rf"{marks}[(（]?{names[2]}{is_}[(（]?없음[)）]?+[)）]?+"
    separator = r"(?:\s*+[,，、;；/|]\s*+|\s++)"
    return re.compile(f"{initial}{separator}{medial}(?:{separator}(?:{final}|{none}))?")


@cache
def _compatibility_jamo() -> dict[str, str]:
    """Return every form in usual width of every modern jamo, with its compatibility jamo."""
    return {
        form: jamo
        for place, allowed in enumerate(positions())
        for index, jamo in enumerate(allowed)
        for form in (jamo, chr(_FIRST_CONJOINING[place] + index))
    }
