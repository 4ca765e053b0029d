"""RIDL as published: the label is believed, but for what the clue itself says about it."""

import re
from functools import cache
from typing import Final

from tokenbench.decomposition import hangul
from tokenbench.published.targets.reading import (
    SEVERAL,
    WRONG,
    Doubt,
    Reading,
    Row,
    as_labelled,
    asked,
    found_in,
)
from tokenbench.tasks.riddles.wordplay import split_into_words
from tokenbench.text.lexicon import words
from tokenbench.text.normalize import nfc
from tokenbench.text.units import units

# 7 letters, 3 and 4, 5-6; but a year in brackets counts nothing.
_ENUMERATION: Final = r"\(\s*(\d{1,2}(?:[\s,.\-–'’/]+\d{1,2})*)[\s,.]*\)\s*$"
_ONE_CHARACTER: Final = r"[猜打][一1]字"
_INITIALS: Final = r"(?m)초성\s*[:：]([^\n가-힣(（]*)$"


def riddle(row: Row) -> Reading:
    """Believe the label; say so where the clue states a length that it has not."""
    accepted = list(dict.fromkeys([row.label, row.label.lower(), _spaced(row)]))
    if len(either := characters(row)) > 1:
        several = Doubt(SEVERAL, "the label gives several characters", tuple(either))
        return Reading({"accepted": either}, either[0], (several,), asked(row.prompt))
    doubts = (Doubt(WRONG, reason),) if (reason := _misfit(row)) else ()
    return Reading({"accepted": accepted}, row.label, doubts, asked(row.prompt))


def characters(row: Row) -> list[str]:
    """Return the characters that a label gives to choose from, where the riddle asks for one."""
    if row.lang != "zh" or not re.search(_ONE_CHARACTER, row.prompt):
        return []
    found = [part for part in re.split(r"[\s/／;；,，、或|]+", row.label) if part]
    return found if all(len(units(part, "zh")) == len(part) == 1 for part in found) else []


def _misfit(row: Row) -> str:
    """Return what the clue says about the answer that is not so of the label; empty if nothing."""
    if row.lang == "zh":
        one = re.search(_ONE_CHARACTER, row.prompt) is not None
        return "the label is not one character" if one and len(units(row.label, "zh")) != 1 else ""
    lengths = _stated(row)
    fits = not lengths or sum(lengths) == sum(map(str.isalnum, row.label))
    return "" if fits else "the label has not as many letters as the clue says"


def _stated(row: Row) -> list[int]:
    """Return how many letters the words of the answer have, as the clue says; none if it does not.

    >>> _stated(Row("ridl", None, "en", "Frozen treat (3,5)", "icecream"))
    [3, 5]
    """
    found = found_in(row.prompt, _ENUMERATION)
    return [*map(int, re.findall(r"\d+", found[0]))] if found else []


def _spaced(row: Row) -> str:
    """Return a label that runs words together in words, as the clue counts them, else as it is."""
    lengths = _stated(row)
    if not row.label.isalnum() or len(row.label) != sum(lengths):
        return row.label
    return split_into_words(row.label, lengths)


def quiz(row: Row) -> Reading:
    """Believe the label; name other words of the core lexicon with these initial consonants."""
    wanted = shown_initials(row.prompt)
    target = {"accepted": [row.label]}
    if not wanted:
        return as_labelled(row, target)
    question = asked(row.prompt)
    if initials_of(row.label) != wanted:
        doubt = Doubt(WRONG, "the label has other initial consonants")
        return Reading(target, row.label, (doubt,), question)
    others = others_with(wanted, [row.label], words("ko").words, "the core lexicon")
    return Reading(target, row.label, (others,) if others else (), question)


def others_with(
    wanted: str, accepted: list[str], known: tuple[str, ...], source: str
) -> Doubt | None:
    """Return the doubt that other words have these initial consonants too; None if none has.

    The theme is not judged: nothing here knows which words belong to it.
    """
    alike = _by_initials(known).get(wanted, ())
    others = [word for word in alike if word not in map(nfc, accepted)]
    if not others:
        return None
    return Doubt(SEVERAL, f"words of {source} have these initials too", (*accepted, *others))


def shown_initials(prompt: str) -> str:
    """Return the initial consonants that a prompt shows; empty if it is not understood.

    >>> shown_initials("주제: Food\\n초성: ㄸ ㅂㅇ")
    'ㄸㅂㅇ'
    """
    found = re.search(_INITIALS, prompt)
    return initials_of(found[1]) if found else ""


def initials_of(word: str) -> str:
    """Return a word with the initial consonant of each syllable instead; marks are left out.

    >>> initials_of("떡 볶이"), initials_of("PC방")
    ('ㄸㅂㅇ', 'PCㅂ')
    """
    return "".join(_initial(char) for char in nfc(word) if char.isalnum())


def _initial(char: str) -> str:
    if "가" <= char <= "힣":
        return hangul.initials(char)
    return hangul.normalize(char) if hangul.is_jamo(char) else char.upper()


@cache
def _by_initials(known: tuple[str, ...]) -> dict[str, list[str]]:
    """Return words by their initial consonants."""
    found: dict[str, list[str]] = {}
    for word in known:
        found.setdefault(initials_of(word), []).append(word)
    return found
