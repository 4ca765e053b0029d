"""VAR as published: the label is believed, but where the look-alikes say something else too."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from tokenbench.item import Json
from tokenbench.published.targets.reading import (
    SEVERAL,
    UNCLEAR,
    Doubt,
    Reading,
    Row,
    as_labelled,
    cleaned,
    found_in,
)
from tokenbench.text.normalize import nfc
from tokenbench.text.units import separates

_SHOWN: Final = (  # a word, a number, a sentence
    r"Word\s*[:：]\s*(.+?)\s*$",
    r"Number\s*[:：]\s*(.+?)\s*$",
    r"标点符号\s*[:：]\s*(.+?)\s*$",
)


def restoration(row: Row) -> Reading:
    """Believe the label; letter case is free where the look-alikes do not show it."""
    row, found = _as_long_as_shown(row), found_in(row.prompt, *_SHOWN)
    digits = row.label.isdigit()
    target: dict[str, Json] = {
        "text": row.label,
        "folds": ["case"] if row.lang == "en" and not digits else [],
        "shown": found[0] if found else "",
    }
    if found is None:
        return as_labelled(row, target)
    shown, label = nfc(found[0]), nfc(row.label)
    if len(shown) != len(label):
        doubt = Doubt(UNCLEAR, "the label is not as long as what is shown")
        return Reading(target, row.label, (doubt,))
    if row.lang == "zh":
        return Reading(target, row.label, _of_a_sentence(shown, label))
    read = _digit if digits else _letter
    by_value = "".join(read(one) or own for one, own in zip(shown, label, strict=True))
    if by_value.lower() == label.lower():
        return Reading(target, row.label)
    kind = "digit" if digits else "letter"
    doubt = Doubt(SEVERAL, f"a look-alike is itself another {kind}", (label, by_value))
    return Reading(target, row.label, (doubt,))


def _as_long_as_shown(row: Row) -> Row:
    """Return a row without what stands around its label where that makes it as long as is shown."""
    found = found_in(row.prompt, *_SHOWN)
    label = cleaned(row.label)
    if found and len(nfc(row.label)) != len(nfc(found[0])) == len(nfc(label)):
        return row._replace(label=label)
    return row


def _letter(shown: str) -> str:
    """Return the ASCII letter that a character is but for its style; empty if it is none."""
    from unicodedata2 import normalize

    plain = str(normalize("NFKC", shown))
    return plain if len(plain) == 1 and plain.isascii() and plain.isalpha() else ""


def _digit(shown: str) -> str:
    """Return the digit whose value a character has; empty if it has none."""
    from unicodedata2 import numeric

    value = numeric(shown, -1.0)
    return str(int(value)) if value in range(10) else ""


def _of_a_sentence(shown: str, label: str) -> tuple[Doubt, ...]:
    """Return the doubt that punctuation was changed, or made of a character."""
    changed = [pair for pair in zip(shown, label, strict=True) if pair[0] != pair[1]]
    kept = not any(char.isascii() or separates(char) for pair in changed for char in pair)
    return () if kept else (Doubt(UNCLEAR, "the label changes the punctuation"),)


def of_two_originals(rows: Sequence[Row], readings: Sequence[Reading]) -> list[Reading]:
    """Return the readings of a file of sentences, with doubts about variants of two characters."""
    rows = [_as_long_as_shown(row) for row in rows]
    pairs = [_pairs(row) for row in rows]
    originals: defaultdict[str, list[str]] = defaultdict(list)
    for one, own in (pair for row in pairs for pair in row):
        if own not in originals[one]:
            originals[one].append(own)
    result = []
    for row, pair, reading in zip(rows, pairs, readings, strict=True):
        other = "".join(_another(own, originals[one]) for one, own in pair)
        if pair and other != nfc(row.label):
            reason = "a variant stands for two characters in the file"
            doubt = Doubt(SEVERAL, reason, (row.label, other))
            reading = reading._replace(doubts=(*reading.doubts, doubt))
        result.append(reading)
    return result


def _another(own: str, originals: list[str]) -> str:
    return next((other for other in originals if other != own), own)


def _pairs(row: Row) -> list[tuple[str, str]]:
    """Return what is shown and what the label has, character by character; none if they differ."""
    found = found_in(row.prompt, *_SHOWN)
    shown, label = nfc(found[0]) if found else "", nfc(row.label)
    return list(zip(shown, label, strict=True)) if len(shown) == len(label) else []
