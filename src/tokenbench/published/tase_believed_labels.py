"""The rows of DOT, RIDL and VAR, whose labels we believe as far as the prompt allows."""

import re
from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from typing import Final

from tokenbench.decomposition import hangul
from tokenbench.decomposition.radicals import radical_ideographs
from tokenbench.item import Json
from tokenbench.published.interpretation import (
    Interpretation,
    LabelIssue,
    PublishedRow,
    believe_label,
    question_key,
    search_groups,
    strip_label,
)
from tokenbench.tasks.tase.ridl import split_into_words
from tokenbench.text.lexicon import words
from tokenbench.text.normalize import nfc
from tokenbench.text.units import separates, units

# DOT. No font is named, so we cannot draw the bitmaps ourselves.

_CHARACTER: Final = r"character\s*[:：]\s*['\"‘“](.+)['\"’”]\s*$"
_BITMAP: Final = r"\[[\s\[\]01,]+\]"


def interpret_script(row: PublishedRow) -> Interpretation:
    """Believe the label: judging a character's category takes an extra, which the audit uses."""
    target = {"accepted": [row.label.lower()]}
    if prompt_character(row.prompt) is None:
        return believe_label(row, target)
    return Interpretation(target, row.label)


def prompt_character(prompt: str) -> str | None:
    """Return the character that a prompt asks about; None if we do not understand it.

    >>> prompt_character("Please classify …\\ncharacter: 'ヂ'\\n")
    'ヂ'
    """
    found = search_groups(prompt, _CHARACTER)
    return found[0] if found else None


def interpret_bitmap(row: PublishedRow) -> Interpretation:
    """Believe the label; rows of the file with the same bitmap accept each other's labels."""
    accepted = [row.label.lower()]
    if row.variant == "bitmap_to_char":
        label = nfc(row.label)
        accepted = list(dict.fromkeys([label, *_same_ideographs(label)]))
    target = {"accepted": accepted}
    bitmap = re.search(_BITMAP, row.prompt)
    if bitmap is None:
        return believe_label(row, target)
    believed = Interpretation(target, row.label, question=question_key(row.prompt))
    if "1" in bitmap[0]:
        return believed
    return believed.with_issue("unsolvable", "the bitmap is blank")


def _same_ideographs(char: str) -> list[str]:
    """Return the other code points of a character: radicals that are the same ideograph.

    >>> _same_ideographs("水")
    ['⽔']
    """
    radicals = [radical for radical, own in radical_ideographs().items() if radical != char == own]
    return radicals + [own for radical, own in radical_ideographs().items() if radical == char]


# RIDL

_LETTER_COUNTS: Final = r"\(\s*(\d{1,2}(?:[\s,.\-–'’/]+\d{1,2})*)[\s,.]*\)\s*$"  # not years
_ONE_CHARACTER: Final = r"[猜打][一1]字"
_INITIALS: Final = r"(?m)초성\s*[:：]([^\n가-힣(（]*)$"


def interpret_riddle(row: PublishedRow) -> Interpretation:
    """Believe the label, unless it does not have the length that the clue states."""
    question = question_key(row.prompt)
    if len(characters := riddle_options(row)) > 1:
        one = Interpretation({"accepted": characters}, characters[0], question=question)
        return one.with_issue("several", "the label gives several characters", characters)
    lengths, spaced, wrong = _letter_counts(row), row.label, ""
    letters = sum(map(str.isalnum, row.label))
    if row.label.isalnum() and letters == sum(lengths):
        spaced = split_into_words(row.label, lengths)
    if row.lang == "zh":
        if re.search(_ONE_CHARACTER, row.prompt) and len(units(row.label, "zh")) != 1:
            wrong = "the label is not one character"
    elif lengths and sum(lengths) != letters:
        wrong = "the label has not as many letters as the clue says"
    accepted = list(dict.fromkeys([row.label, row.label.lower(), spaced]))
    believed = Interpretation({"accepted": accepted}, row.label, question=question)
    return believed.with_issue("wrong", wrong) if wrong else believed


def riddle_options(row: PublishedRow) -> list[str]:
    """Return the characters in a label, each a right answer, if the riddle asks for one."""
    if row.lang != "zh" or not re.search(_ONE_CHARACTER, row.prompt):
        return []
    found = [part for part in re.split(r"[\s/／;；,，、或|]+", row.label) if part]
    return found if all(len(units(part, "zh")) == len(part) == 1 for part in found) else []


def _letter_counts(row: PublishedRow) -> list[int]:
    """Return the numbers of letters of the answer's words, as the clue states them.

    >>> _letter_counts(PublishedRow("ridl", None, "en", "Frozen treat (3,5)", "icecream"))
    [3, 5]
    """
    found = search_groups(row.prompt, _LETTER_COUNTS)
    return [*map(int, re.findall(r"\d+", found[0]))] if found else []


def interpret_initials(row: PublishedRow) -> Interpretation:
    """Believe the label; name other words of the core lexicon with these initial consonants."""
    wanted = prompt_initials(row.prompt)
    target = {"accepted": [row.label]}
    if not wanted:
        return believe_label(row, target)
    if initials_of(row.label) != wanted:
        issues = [LabelIssue("wrong", "the label has other initial consonants")]
    else:
        issues = others_with_initials(wanted, [row.label], words("ko").words, "the core lexicon")
    return Interpretation(target, row.label, tuple(issues), question_key(row.prompt))


def others_with_initials(
    initials: str, accepted: list[str], known: tuple[str, ...], source: str
) -> list[LabelIssue]:
    """Return the issue that other words have these initial consonants too, if there is one.

    The theme is not judged: nothing here knows which words belong to it.
    """
    same = _words_by_initials(known).get(initials, ())
    others = [word for word in same if word not in map(nfc, accepted)]
    reason = f"words of {source} have these initials too"
    return [LabelIssue("several", reason, (*accepted, *others))] if others else []


def prompt_initials(prompt: str) -> str:
    """Return the initial consonants in a prompt; empty if we do not understand it.

    >>> prompt_initials("주제: Food\\n초성: ㄸ ㅂㅇ")
    'ㄸㅂㅇ'
    """
    found = re.search(_INITIALS, prompt)
    return initials_of(found[1]) if found else ""


def initials_of(word: str) -> str:
    """Return the initial consonants of a word's syllables and its other letters, without marks.

    >>> initials_of("떡 볶이"), initials_of("PC방")
    ('ㄸㅂㅇ', 'PCㅂ')
    """
    return "".join(_initial(char) for char in nfc(word) if char.isalnum())


def _initial(char: str) -> str:
    if "가" <= char <= "힣":
        return hangul.initials(char)
    return hangul.normalize(char) if hangul.is_jamo(char) else char.upper()


@cache
def _words_by_initials(known: tuple[str, ...]) -> dict[str, list[str]]:
    by_initials: dict[str, list[str]] = {}
    for word in known:
        by_initials.setdefault(initials_of(word), []).append(word)
    return by_initials


# VAR

_PAYLOAD_PATTERNS: Final = (  # a word, a number, a sentence
    r"Word\s*[:：]\s*(.+?)\s*$",
    r"Number\s*[:：]\s*(.+?)\s*$",
    r"标点符号\s*[:：]\s*(.+?)\s*$",
)


def interpret_restoration(row: PublishedRow) -> Interpretation:
    """Believe the label; letter case is free because the look-alikes do not show it."""
    row, found = _with_fitting_label(row), search_groups(row.prompt, *_PAYLOAD_PATTERNS)
    digits = row.label.isdigit()
    target: dict[str, Json] = {
        "text": row.label,
        "folds": ["case"] if row.lang == "en" and not digits else [],
        "shown": found[0] if found else "",
    }
    if found is None:
        return believe_label(row, target)
    shown, label = nfc(found[0]), nfc(row.label)
    believed = Interpretation(target, row.label)
    if len(shown) != len(label):
        return believed.with_issue("unclear", "the label is not as long as what is shown")
    pairs = list(zip(shown, label, strict=True))
    if row.lang == "zh":
        changed = "".join(one + own for one, own in pairs if one != own)
        if any(char.isascii() or separates(char) for char in changed):
            return believed.with_issue("unclear", "the label changes the punctuation")
        return believed
    kind, value = ("digit", _digit_value) if digits else ("letter", _letter_value)
    by_value = "".join(value(one) or own for one, own in pairs)
    if by_value.lower() == label.lower():
        return believed
    return believed.with_issue(
        "several", f"a look-alike is itself another {kind}", (label, by_value)
    )


def _with_fitting_label(row: PublishedRow) -> PublishedRow:
    """Return a row without the marks around its label, if that gives it the length of the text."""
    found = search_groups(row.prompt, *_PAYLOAD_PATTERNS)
    label = strip_label(row.label)
    if found and len(nfc(row.label)) != len(nfc(found[0])) == len(nfc(label)):
        return row._replace(label=label)
    return row


def _letter_value(shown: str) -> str:
    """Return the ASCII letter that a character is a styled form of; empty without one."""
    from unicodedata2 import normalize

    letter = str(normalize("NFKC", shown))
    return letter if len(letter) == 1 and letter.isascii() and letter.isalpha() else ""


def _digit_value(shown: str) -> str:
    """Return the digit whose value a character has; empty if it has none."""
    from unicodedata2 import numeric

    value = numeric(shown, -1.0)
    return str(int(value)) if value in range(10) else ""


def add_ambiguous_variants(
    rows: Sequence[PublishedRow], interpretations: Sequence[Interpretation]
) -> list[Interpretation]:
    """Return a file's interpretations with an issue where a variant stands for two characters."""
    rows = [_with_fitting_label(row) for row in rows]
    pairs_by_row = [_character_pairs(row) for row in rows]
    originals: defaultdict[str, list[str]] = defaultdict(list)
    for variant, own in (pair for pairs in pairs_by_row for pair in pairs):
        if own not in originals[variant]:
            originals[variant].append(own)
    result = []
    for row, pairs, interpretation in zip(rows, pairs_by_row, interpretations, strict=True):
        other = "".join(
            next((char for char in originals[variant] if char != own), own)
            for variant, own in pairs
        )
        if pairs and other != nfc(row.label):
            reason = "a variant stands for two characters in the file"
            interpretation = interpretation.with_issue("several", reason, (row.label, other))
        result.append(interpretation)
    return result


def _character_pairs(row: PublishedRow) -> list[tuple[str, str]]:
    """Return the characters of the text, each with the label's; none if the lengths differ."""
    found = search_groups(row.prompt, *_PAYLOAD_PATTERNS)
    shown, label = nfc(found[0]) if found else "", nfc(row.label)
    return list(zip(shown, label, strict=True)) if len(shown) == len(label) else []
