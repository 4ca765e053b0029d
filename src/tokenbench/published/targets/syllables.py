"""COMPM and COMPC in Korean as published: syllables, and the jamo of their positions."""

import re
from itertools import permutations
from typing import Final

from tokenbench.decomposition import hangul
from tokenbench.errors import TokenbenchError
from tokenbench.published.targets.reading import (
    QUOTE,
    SEVERAL,
    WRONG,
    Doubt,
    Reading,
    Row,
    as_labelled,
    counted,
    found_in,
    whole,
)
from tokenbench.text.answer_text import split_list as listed
from tokenbench.text.normalize import nfc

_JAMO: Final = rf"{QUOTE}(.{{1,512}}?){QUOTE}\s*+에서?\s*+{QUOTE}(.{{1,64}}?){QUOTE}"
_SPLIT: Final = rf"{QUOTE}(.{{1,64}}?){QUOTE}\s*+의"
_COMBINE: Final = r"(?:조합|결합|합)\S{0,16}\s*+[:：](.+)$"


def jamo(row: Row) -> Reading:
    """Count a jamo in syllables: as a position's, and as a letter of clusters and the like."""
    found = found_in(row.prompt, _JAMO)
    if found is None or not hangul.is_jamo(found[1]):
        return as_labelled(row, {"count": whole(row.label) or 0})
    text, wanted = nfc(found[0]), hangul.normalize(found[1])
    held = [jamo for char in text for jamo in _held(char)]
    readings = [held.count(wanted)]
    if len(_letters(wanted)) == 1:  # a jamo of several letters is only ever meant as a whole
        clusters = [part for jamo in held for part in _letters(jamo, doubles=False)]
        readings += [clusters.count(wanted)]
        readings += [[part for jamo in held for part in _letters(jamo)].count(wanted)]
    return counted(
        row.label,
        readings,
        [],
        "it is a letter of clusters, doubled or compound jamo too",
        "it does not occur so often",
    )


def _held(char: str) -> tuple[str, ...]:
    if "가" <= char <= "힣":
        return hangul.decompose(char)
    return (hangul.normalize(char),) if hangul.is_jamo(char) else ()


def _letters(jamo: str, *, doubles: bool = True) -> tuple[str, ...]:
    """Return the letters that a jamo is written with; doubled and compound ones only if asked."""
    initials, medials, finals = hangul.positions()
    if jamo in medials:
        letters = hangul.decompose(hangul.compose([initials[0], jamo]), parts="letters")[1:]
    elif jamo in finals:
        whole = hangul.compose([initials[0], medials[0], jamo])
        letters = hangul.decompose(whole, parts="letters")[2:]
    else:
        letters = hangul.decompose(hangul.compose([jamo, medials[0]]), parts="letters")[:-1]
    cluster = jamo in finals and len(set(letters)) > 1
    return letters if doubles or cluster else (jamo,)


def split(row: Row) -> Reading:
    """Take the syllable of the prompt apart, in order."""
    found = found_in(row.prompt, _SPLIT)
    label = listed(row.label)
    syllable = nfc(found[0]) if found else ""
    if not re.fullmatch("[가-힣]", syllable):
        return as_labelled(row, {"accepted": [label], "ordered": True})
    parts = list(hangul.decompose(syllable))
    target = {"accepted": [parts], "ordered": True}
    given = [hangul.normalize(part) if hangul.is_jamo(part) else part for part in label]
    if given == parts:
        return Reading(target, row.label)
    told = ", ".join(parts)
    return Reading(target, told, (Doubt(WRONG, "these are not its jamo", (told,)),))


def combine(row: Row) -> Reading:
    """Compose the jamo in the order of the prompt, and see what other orders make."""
    found = found_in(row.prompt, _COMBINE)
    parts = [part for part in re.split(r"[\s,，、+＋.。]+", found[0]) if part] if found else []
    label = nfc(row.label)
    in_order = _composed(parts)
    others = [made for made in _in_other_orders(parts) if made not in in_order]
    every = [*in_order, *others]
    if not every:
        return as_labelled(row, {"accepted": [nfc(row.label)]})
    if label not in every:
        right = every[:1]
        doubt = Doubt(WRONG, "the jamo do not make it", tuple(every))
        return Reading({"accepted": right}, right[0], (doubt,))
    doubts: tuple[Doubt, ...] = ()
    if len(every) > 1:
        told = (label, *(made for made in every if made != label))
        doubts = (Doubt(SEVERAL, "in another order the jamo make another syllable", told),)
    return Reading({"accepted": [label]}, row.label, doubts)


def _in_other_orders(parts: list[str]) -> list[str]:
    if not 2 <= len(parts) <= 3:
        return []
    return list(
        dict.fromkeys(made for order in permutations(parts) for made in _composed(list(order)))
    )


def _composed(parts: list[str]) -> list[str]:
    try:
        return [hangul.compose(parts)]
    except TokenbenchError:
        return []
