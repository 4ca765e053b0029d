"""RIDL as published: the label is believed, but for what the clue itself says about it."""

import re
from functools import cache
from typing import Final

from tokenbench.parts import hangul
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
from tokenbench.text.fold import nfc
from tokenbench.text.lexicon import words
from tokenbench.text.units import units

_ENUMERATION: Final = r"\(\s*(\d[\d\s,.\-–'’/]*)\)\s*$"  # 7 letters, 3 and 4, 5-6
_ONE_CHARACTER: Final = r"[猜打][一1]字"
_INITIALS: Final = r"초성\s*[:：]\s*([ㄱ-ㅎ\s]+)"


def riddle(row: Row) -> Reading:
    """Believe the label; say so where the clue states a length that it has not."""
    accepted = list(dict.fromkeys([row.label, row.label.lower()]))
    doubts = (Doubt(WRONG, reason),) if (reason := _misfit(row)) else ()
    return Reading({"accepted": accepted}, row.label, doubts, asked(row.prompt))


def _misfit(row: Row) -> str:
    """Return what the clue says about the answer that is not so of the label; empty if nothing."""
    if row.lang == "zh":
        one = re.search(_ONE_CHARACTER, row.prompt) is not None
        return "the label is not one character" if one and len(units(row.label, "zh")) != 1 else ""
    found = found_in(row.prompt, _ENUMERATION)
    if found is None:
        return ""
    letters = sum(map(str.isalnum, row.label))
    stated = sum(map(int, re.findall(r"\d+", found[0])))
    return "the label has not as many letters as the clue says" if letters != stated else ""


def quiz(row: Row) -> Reading:
    """Believe the label; name other words of the core lexicon with these initial consonants."""
    found = found_in(row.prompt, _INITIALS)
    target = {"accepted": [row.label]}
    if found is None:
        return as_labelled(row, target)
    wanted = "".join(found[0].split())
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


def initials_of(word: str) -> str:
    """Return the initial consonants of a word's syllables; what is no syllable is left out.

    >>> initials_of("떡 볶이")
    'ㄸㅂㅇ'
    """
    return hangul.initials("".join(units(word, "ko")))


@cache
def _by_initials(known: tuple[str, ...]) -> dict[str, list[str]]:
    """Return words by their initial consonants."""
    found: dict[str, list[str]] = {}
    for word in known:
        found.setdefault(initials_of(word), []).append(word)
    return found
