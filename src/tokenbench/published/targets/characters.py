"""COMPM and COMPC in Chinese as published, whose labels come from the data that ours come from.

Where a label rests on an entry of that data which we turn away (a placeholder, 才 for 扌), a count
may still be meant so, and counts; a decomposition is a wrong answer.
"""

import re
from collections.abc import Iterable, Sequence, Set
from functools import cache
from typing import Final, TypeAlias

from tokenbench.decomposition import hanzi
from tokenbench.decomposition.radicals import STROKES, forms, unified_ideographs
from tokenbench.item import Json
from tokenbench.published.targets.reading import (
    PARTLY,
    QUOTE,
    SEVERAL,
    UNCLEAR,
    WRONG,
    Doubt,
    Reading,
    Row,
    as_labelled,
    asked,
    cleaned,
    counted,
    found_in,
    whole,
)
from tokenbench.text.normalize import nfc

Parts: TypeAlias = tuple[str, ...]

_COUNT: Final = rf"^(.+?){QUOTE}?\s*的字形中\s*[共一]*有多少个?\s*{QUOTE}?(.+?){QUOTE}?\s*存在"
_SPLIT: Final = rf"将\s*{QUOTE}?(.)[\ufe00-\ufe0f]?{QUOTE}?\s*字?拆"
_COMBINE: Final = rf"使?用\s*{QUOTE}(.+?){QUOTE}"
_HOLDING: Final = "it counts the characters that hold it, not how often they do"
_PLACEHOLDERS: Final = re.compile("[?？□〓\ue000-\uf8ff\ufffd]")


def components(row: Row) -> Reading:
    """Count a component in characters: in one step or down to the last, by every decomposition."""
    found = found_in(row.prompt, _COUNT)
    if found is None or len(nfc(found[1])) != 1:
        return as_labelled(row, {"count": whole(row.label) or 0})
    text, part = re.sub(rf"[\s,，、]|{QUOTE}", "", nfc(found[0])), nfc(found[1])
    first = sum(_first(char, part) for char in text)
    readings = _sums(_counts(char, part) for char in text)
    by_the_data = _sums(_all_counts(char, part) for char in text)
    holding = [sum(any(counts(char, part)) for char in text) for counts in (_listed, _all_counts)]
    return counted(
        row.label,
        [first, *readings],
        by_the_data,
        "it depends on what counts as a component",
        _HOLDING if whole(row.label) in holding else "it does not occur so often",
    )


def _first(char: str, part: str) -> int:
    """Return how often a component stands in the first decomposition of a character."""
    listed = hanzi.decompose(char)
    return listed[0].count(hanzi.normalize(part)) if listed else int(char == part)


def _counts(char: str, part: str) -> set[int]:
    """Return how often a component stands in a character, which may be the component itself.

    One reading takes a decomposition as it is; one takes the components apart in turn, as far as
    the data goes; one does so but leaves whole what a bare stroke is part of.
    """
    wanted = hanzi.normalize(part)
    found = {listed.count(wanted) for listed in hanzi.decompose(char)}
    if found:
        found |= {*_nested(char, wanted, True), *_nested(char, wanted, False)}
    return found | ({1} if char == part else set()) or {0}


@cache
def _nested(char: str, wanted: str, stopping: bool, path: str = "") -> frozenset[int]:
    """Return how often a component stands in a character that is taken apart all the way down."""
    listed = hanzi.decompose(char)
    stops = stopping and any(not STROKES.isdisjoint(parts) for parts in listed)
    if not listed or stops or char in path:
        return frozenset([0])
    inside = {
        part: {1} if part == wanted else _nested(part, wanted, stopping, path + char)
        for parts in listed
        for part in parts
    }
    return frozenset(total for parts in listed for total in _sums(inside[part] for part in parts))


def _all_counts(char: str, part: str) -> set[int]:
    """Return how often a component stands in a character, whatever we make of the data."""
    return _listed(char, part) | _counts(char, part)


def _listed(char: str, part: str) -> set[int]:
    """Return how often the data has a component in a character, right or wrong."""
    wanted = hanzi.normalize(part)
    return {[*map(hanzi.normalize, parts)].count(wanted) for parts in hanzi.entries(char)}


def _sums(numbers: Iterable[Set[int]]) -> list[int]:
    """Return every sum of one number out of each set, in order."""
    sums = {0}
    for one in numbers:
        sums = {total + number for total in sums for number in one}
    return sorted(sums)


def split(row: Row) -> Reading:
    """Accept our decompositions, and those of the label that are sound."""
    options = [
        tuple(map(str.strip, re.split("[,，、]", option))) for option in options_of(row.label)
    ]
    found = found_in(row.prompt, _SPLIT)
    char = nfc(found[0]) if found else ""
    if len(char) != 1:
        return as_labelled(row, _target(options), ",".join(options[0]))
    ours = hanzi.accepted(char)
    faults = {option: _fault(char, option, ours) for option in options}
    sound = [option for option in options if not faults[option]]
    accepted = _different([*sound, *ours])
    told = tuple(",".join(parts) for parts in accepted)
    if not sound:
        wrong = Doubt(WRONG, faults[options[0]], told)
        known = accepted or options
        return Reading(_target(known), ",".join(known[0]), (wrong,))
    doubts = [
        Doubt(PARTLY, reason, told)
        for reason in sorted({fault for fault in faults.values() if fault})
    ]
    if _different([*sound, *hanzi.decompose(char)]) != _different(sound):
        doubts.append(Doubt(SEVERAL, "there are more decompositions than it lists", told))
    if any(_key(option) not in map(_key, [*ours, *hanzi.entries(char)]) for option in sound):
        doubts.append(Doubt(UNCLEAR, "our data does not have the decomposition", told))
    return Reading(_target(accepted), ",".join(sound[0]), tuple(doubts))


def options_of(label: str) -> list[str]:
    """Return the decompositions that a label gives, each with its parts still together.

    >>> options_of("手,斥;扌,斥;")
    ['手,斥', '扌,斥']
    """
    return re.split("[;；]", cleaned(label))


def _fault(char: str, option: Parts, ours: Sequence[Parts]) -> str:
    """Return why an option of a label is no decomposition of a character; empty if it is one."""
    if any(not part or _PLACEHOLDERS.search(part) for part in option):
        return "a component is missing"
    if len(option) == 1:
        return "it is not taken apart"
    if char in map(hanzi.normalize, option):
        return "the character is among its components"
    known = set(map(_key, ours))
    if _key(option) in known:
        return ""
    if any(_key(changed) in known for changed in _printed(option)):
        return "a character stands in for a radical"
    if _key(option) in map(_key, hanzi.entries(char)):
        return "the data that it comes from is wrong there"
    return ""


def _printed(option: Parts) -> Iterable[Parts]:
    """Yield a decomposition with each stand-in for a radical replaced by the radical."""
    for form in forms():
        if form.standing == "never" and form.other in option:
            place = option.index(form.other)
            yield (*option[:place], form.printed, *option[place + 1 :])


def combine(row: Row) -> Reading:
    """Accept the label if the data has it so, and every character of exactly these components."""
    found = found_in(row.prompt, _COMBINE)
    parts = [part for part in re.split(r"[\s,，、+＋和]+", found[0]) if part] if found else []
    if not parts:
        return as_labelled(row, {"accepted": [hanzi.normalize(row.label)]})
    question = asked(row.prompt, *map(hanzi.normalize, parts))
    label, made = hanzi.normalize(row.label), hanzi.compose(parts)
    told = (label, *(char for char in made if char != label))
    listed = _key(parts) in map(_key, hanzi.entries(label))
    if label in made or listed:
        reason = "the components make several characters"
        doubts = (Doubt(SEVERAL, reason, told),) if len(told) > 1 else ()
        return Reading({"accepted": list(told)}, row.label, doubts, question)
    if not made:
        unknown = Doubt(UNCLEAR, "our data has no character of these components")
        return Reading({"accepted": [label]}, row.label, (unknown,), question)
    wrong = Doubt(WRONG, "the components do not make it", made)
    return Reading({"accepted": list(made)}, made[0], (wrong,), question)


def twins(char: str) -> list[str]:
    """Return the other code points of a character: radicals that are the same ideograph.

    >>> twins("水")
    ['⽔']
    """
    return [
        other for other, own in unified_ideographs().items() if other != char and own == char
    ] + [own for other, own in unified_ideographs().items() if other == char]


def _target(accepted: Sequence[Parts]) -> dict[str, Json]:
    return {"accepted": list(map(list, _different(accepted))), "ordered": False}


def _different(found: Iterable[Parts]) -> list[Parts]:
    """Return decompositions, folded, without those that are the same in another order."""
    different: dict[Parts, Parts] = {}
    for parts in found:
        different.setdefault(_key(parts), tuple(map(hanzi.normalize, parts)))
    return list(different.values())


def _key(parts: Iterable[str]) -> Parts:
    return tuple(sorted(map(hanzi.normalize, parts)))
