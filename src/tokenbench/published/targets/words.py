"""COMPM and COMPC in English as published: words taken apart, put together, and their letters."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from tokenbench.decomposition.pieces import MOST, joins
from tokenbench.item import Json
from tokenbench.published.targets.reading import (
    SEVERAL,
    WRONG,
    Doubt,
    Reading,
    Row,
    as_labelled,
    asked,
    counted,
    found_in,
    whole,
)
from tokenbench.tasks.tase import compm
from tokenbench.text.answer_lists import split_list as listed
from tokenbench.text.lexicon import words
from tokenbench.text.normalize import normalize, straight_quotes

_LETTERS: Final = (
    r"letters?\s++[\"'“‘]?(.{1,64}?)[\"'”’]?\s++(?:appear|occur)s?\s++in\s++(.+?)[?？\s]*$"
)
_SPLIT: Final = r"^\s*+Split\s++(.+?)\s++into\s++(?:parts\s++)?(from\s.+?)\.?\s*$"
_ENDS: Final = r"from\s++(\S++)\s++to\s++(\S+?)(?=\s*+,?\s*+(?:and\s++)?from\s|\s*+$)"


def letters(row: Row) -> Reading:
    """Count a letter in words, whatever its case."""
    found = found_in(row.prompt, _LETTERS)
    if found is None:
        return as_labelled(row, {"count": whole(row.label) or 0})
    letter, text = found
    readings = [text.lower().count(letter.lower()), text.count(letter)]
    return counted(
        row.label,
        readings,
        [],
        "letter case makes a difference",
        "it does not occur so often",
    )


def split(row: Row) -> Reading:
    """Find every split of the word whose pieces begin and end as the prompt says."""
    options = [_pieces(option) for option in (*row.label.split(";"), row.label.replace(";", ","))]
    found = found_in(row.prompt, _SPLIT)
    ends = re.findall(_ENDS, found[1]) if found else []
    if found is None or not ends:
        return as_labelled(row, _target(options[:1]))
    every = [list(pieces) for pieces in _fitting(found[0].lower(), ends)]
    told = tuple(", ".join(pieces) for pieces in every)
    target = _target(every or options[:1])
    label = next((option for option in options if option in every), None)
    if label is None:
        doubt = Doubt(WRONG, "it is not split as the prompt says", told)
        return Reading(target, told[0] if told else row.label, (doubt,))
    doubts = (Doubt(SEVERAL, "several splits fit", told),) if len(every) > 1 else ()
    return Reading(target, ", ".join(label), doubts)


def _pieces(option: str) -> list[str]:
    return [piece.strip().lower() for piece in option.split(",")]


def _target(options: list[list[str]]) -> dict[str, Json]:
    """Return the target of splits, each part folded as an answer's parts are.

    Some published words hold what otherwise separates parts (`and/or`): their splits are accepted
    as an answer is cut, too.
    """
    folded = [
        [compm.normalize_part(straight_quotes(part), "en") for part in option] for option in options
    ]
    cut = [
        [compm.normalize_part(part, "en") for part in listed(", ".join(option))]
        for option in options
    ]
    every = [*folded, *(option for option in cut if option not in folded)]
    return {"accepted": every, "ordered": True}


def _fitting(word: str, ends: Sequence[tuple[str, str]]) -> Iterator[tuple[str, ...]]:
    """Yield the splits of a word into pieces with the given beginnings and endings."""
    first, last = map(str.lower, ends[0])
    rest = ends[1:]
    if not word.startswith(first):
        return
    if not rest:
        if word.endswith(last):
            yield (word,)
        return
    for size in range(1, len(word)):
        piece = word[:size]
        if piece.startswith(first) and piece.endswith(last):
            for others in _fitting(word[size:], rest):
                yield (piece, *others)


def combine(row: Row) -> Reading:
    """Find the words that the pieces make: the label, and others of the core lexicon."""
    pieces = pieces_of(row.prompt)
    if not pieces:
        return as_labelled(row, {"accepted": [normalize(row.label).lower()]})
    question = asked(row.prompt, *pieces)
    known = joined(pieces, words("en").words)
    label = normalize(row.label).lower()
    if not joined(pieces, (row.label,)):
        doubt = Doubt(WRONG, "the pieces do not make it", known)
        accepted = list(known) or [label]
        return Reading({"accepted": accepted}, accepted[0], (doubt,), question)
    accepted = list(dict.fromkeys([label, *known]))
    doubts: tuple[Doubt, ...] = ()
    if len(accepted) > 1:
        doubts = (Doubt(SEVERAL, "the pieces make several words", tuple(accepted)),)
    return Reading({"accepted": accepted}, row.label, doubts, question)


def pieces_of(prompt: str) -> list[str]:
    """Return the pieces that a prompt gives in braces.

    >>> pieces_of("Combine {o}, {d}, {g} into one word.")
    ['o', 'd', 'g']
    """
    return re.findall(r"\{(.{1,64}?)\}", prompt)


def joined(pieces: Sequence[str], known: tuple[str, ...]) -> tuple[str, ...]:
    """Return the known words that are the pieces in some order, whatever the letter case.

    >>> joined(["O", "d", "g"], ("dog", "cat", "God"))
    ('dog', 'god')
    """
    if len(pieces) > MOST:
        return ()
    return joins([piece.lower() for piece in pieces], _lower(known))


@cache
def _lower(known: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(word.lower() for word in known)
