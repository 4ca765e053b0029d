"""The rows of COMPM and COMPC about Hanzi, whose labels come from the data that our tasks use.

We reject some entries of that data (a placeholder, 才 for 扌). A count that rests on such an entry
may still be meant, and counts; a decomposition that does is a wrong answer.
"""

import re
from collections.abc import Iterable, Sequence, Set
from functools import cache
from typing import Final, TypeAlias

from tokenbench.decomposition import hanzi
from tokenbench.decomposition.hanzi import STROKES, forms
from tokenbench.item import Json
from tokenbench.published.interpretation import (
    QUOTE,
    Interpretation,
    PublishedRow,
    believe_count,
    believe_label,
    first_number,
    interpret_count,
    question_key,
    search_groups,
    strip_label,
)
from tokenbench.text.normalize import nfc

_Parts: TypeAlias = tuple[str, ...]

_COUNT: Final = rf"^(.+?){QUOTE}?\s*的字形中\s*[共一]*有多少个?\s*{QUOTE}?(.+?){QUOTE}?\s*存在"
_SPLIT: Final = rf"将\s*{QUOTE}?(.)[\ufe00-\ufe0f]?{QUOTE}?\s*字?拆"
_COMBINE: Final = rf"使?用\s*{QUOTE}(.+?){QUOTE}"
_PLACEHOLDERS: Final = re.compile("[?？□〓\ue000-\uf8ff\ufffd]")


def interpret_component_count(row: PublishedRow) -> Interpretation:
    """Count a component in characters: in one step or down to the last, by every decomposition."""
    found = search_groups(row.prompt, _COUNT)
    if found is None or len(nfc(found[1])) != 1:
        return believe_count(row)
    text, part = re.sub(rf"[\s,，、]|{QUOTE}", "", nfc(found[0])), nfc(found[1])
    by_entries = [_entry_counts(char, part) for char in text]
    counts = [_counts(char, part) for char in text]
    every = [entry | own for entry, own in zip(by_entries, counts, strict=True)]
    characters = [sum(map(any, sets)) for sets in (by_entries, every)]
    wrong = "it does not occur so often"
    if first_number(row.label) in characters:
        wrong = "it counts the characters that hold it, not how often they do"
    return interpret_count(
        row.label,
        [sum(_first_count(char, part) for char in text), *_sums(counts)],
        _sums(every),
        "it depends on what counts as a component",
        wrong,
    )


def _first_count(char: str, part: str) -> int:
    """Return the number of times a component occurs in a character's first decomposition."""
    decompositions = hanzi.decompose(char)
    if not decompositions:
        return int(char == part)
    return decompositions[0].count(hanzi.normalize(part))


def _counts(char: str, part: str) -> set[int]:
    """Return the numbers of times a component occurs in a character, which may be it itself.

    One interpretation takes a decomposition as it is; one takes the components apart in turn, as
    far as the data goes; one does so but keeps characters whole that contain a bare stroke.
    """
    part_key = hanzi.normalize(part)
    counts = {parts.count(part_key) for parts in hanzi.decompose(char)}
    if counts:
        counts |= _counts_in_parts(char, part_key, True) | _counts_in_parts(char, part_key, False)
    return counts | ({1} if char == part else set()) or {0}


@cache
def _counts_in_parts(char: str, part: str, keep_strokes: bool, path: str = "") -> frozenset[int]:
    """Return the counts of a component in a character that is taken apart all the way down."""
    decompositions = hanzi.decompose(char)
    stops = keep_strokes and any(not STROKES.isdisjoint(parts) for parts in decompositions)
    if not decompositions or stops or char in path:
        return frozenset([0])
    inside = {
        other: {1} if other == part else _counts_in_parts(other, part, keep_strokes, path + char)
        for parts in decompositions
        for other in parts
    }
    return frozenset(
        total for parts in decompositions for total in _sums(inside[other] for other in parts)
    )


def _entry_counts(char: str, part: str) -> set[int]:
    """Return the counts of a component in a character by the data, right or wrong."""
    part_key = hanzi.normalize(part)
    return {[*map(hanzi.normalize, parts)].count(part_key) for parts in hanzi.entries(char)}


def _sums(sets: Iterable[Set[int]]) -> list[int]:
    """Return every sum of one number out of each set, in order."""
    sums = {0}
    for numbers in sets:
        sums = {total + number for total in sums for number in numbers}
    return sorted(sums)


def interpret_hanzi_split(row: PublishedRow) -> Interpretation:
    """Accept our decompositions, and those of the label that are sound."""
    options = [
        tuple(map(str.strip, re.split("[,，、]", text))) for text in split_options(row.label)
    ]
    found = search_groups(row.prompt, _SPLIT)
    char = nfc(found[0]) if found else ""
    if len(char) != 1:
        return believe_label(row, _split_target(options), ",".join(options[0]))
    ours = hanzi.right_decompositions(char)
    faults = {option: _fault(char, option, ours) for option in options}
    sound = [option for option in options if not faults[option]]
    accepted = _unique([*sound, *ours])
    answers = tuple(map(",".join, accepted))
    if not sound:
        known = accepted or options
        right = Interpretation(_split_target(known), ",".join(known[0]))
        return right.with_issue("wrong", faults[options[0]], answers)
    right = Interpretation(_split_target(accepted), ",".join(sound[0]))
    for fault in sorted({*faults.values()} - {""}):
        right = right.with_issue("partly", fault, answers)
    if _unique([*sound, *hanzi.decompose(char)]) != _unique(sound):
        reason = "there are more decompositions than it lists"
        right = right.with_issue("several", reason, answers)
    in_data = set(map(_key, [*ours, *hanzi.entries(char)]))
    if not in_data.issuperset(map(_key, sound)):
        right = right.with_issue("unclear", "our data does not have the decomposition", answers)
    return right


def split_options(label: str) -> list[str]:
    """Return the decompositions in a label, each as one text.

    >>> split_options("手,斥;扌,斥;")
    ['手,斥', '扌,斥']
    """
    return re.split("[;；]", strip_label(label))


def _fault(char: str, option: _Parts, ours: Sequence[_Parts]) -> str:
    """Return why an option of a label does not decompose a character; empty if it does."""
    if any(not part or _PLACEHOLDERS.search(part) for part in option):
        return "a component is missing"
    if len(option) == 1:
        return "it is not taken apart"
    if char in map(hanzi.normalize, option):
        return "the character is among its components"
    known = set(map(_key, ours))
    if _key(option) in known:
        return ""
    for form in forms():
        if form.standing == "never" and form.other in option:
            index = option.index(form.other)
            if _key((*option[:index], form.printed, *option[index + 1 :])) in known:
                return "a character stands in for a radical"
    if _key(option) in map(_key, hanzi.entries(char)):
        return "the data that it comes from is wrong there"
    return ""


def interpret_hanzi_joining(row: PublishedRow) -> Interpretation:
    """Accept the label if the data has it so, and every character of exactly these components."""
    found = search_groups(row.prompt, _COMBINE)
    parts = [part for part in re.split(r"[\s,，、+＋和]+", found[0]) if part] if found else []
    label = hanzi.normalize(row.label)
    if not parts:
        return believe_label(row, {"accepted": [label]})
    question = question_key(row.prompt, *map(hanzi.normalize, parts))
    made = hanzi.compose(parts)
    if label in made or _key(parts) in map(_key, hanzi.entries(label)):
        accepted = [label, *(char for char in made if char != label)]
        right = Interpretation({"accepted": accepted}, row.label, question=question)
        if len(accepted) == 1:
            return right
        return right.with_issue("several", "the components make several characters", accepted)
    if not made:
        believed = Interpretation({"accepted": [label]}, row.label, question=question)
        return believed.with_issue("unclear", "our data has no character of these components")
    right = Interpretation({"accepted": list(made)}, made[0], question=question)
    return right.with_issue("wrong", "the components do not make it", made)


def _split_target(accepted: Sequence[_Parts]) -> dict[str, Json]:
    return {"accepted": list(map(list, _unique(accepted))), "ordered": False}


def _unique(decompositions: Iterable[_Parts]) -> list[_Parts]:
    """Return decompositions, normalized, without those that are the same in another order."""
    unique: dict[_Parts, _Parts] = {}
    for parts in decompositions:
        unique.setdefault(_key(parts), tuple(map(hanzi.normalize, parts)))
    return list(unique.values())


def _key(parts: Iterable[str]) -> _Parts:
    return tuple(sorted(map(hanzi.normalize, parts)))
