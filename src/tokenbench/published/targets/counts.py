"""FREQ and counting LENOP as published: the text is counted again, as readers may count it."""

import re
from typing import Final

from tokenbench.published.targets.reading import (
    QUOTE,
    Reading,
    Row,
    as_labelled,
    counted,
    found_in,
    whole,
)
from tokenbench.tasks.tase.freq import occurrences
from tokenbench.text.languages import language
from tokenbench.text.units import normalize_units, pieces, units

_FREQ: Final = {  # the target, then the text
    "en": rf"How many times does\s++{QUOTE}?(.{{1,64}}?){QUOTE}?\s++(?:appear|occur)"
    r".*?\?\s*Text\s*[:：](.*)$",
    "zh": rf"文本中\s*+[，,]?\s*+{QUOTE}?(.{{1,64}}?){QUOTE}?\s*+一?共?出现了?多少次"
    r"\s*[？?]\s*文本\s*[:：](.*)$",
    "ko": rf"{QUOTE}(.{{1,64}}?){QUOTE}\s*+[은는이가]?\s*+몇\s*+[번회].*?[?？]\s*"
    r"(?:문장|텍스트)\s*[:：](.*)$",
}
_LENOP: Final = {
    "en": r"sentence is\s*[:：]\s*(.*)$",
    "zh": r"句子是\s*[:：]\s*(.*)$",
    "ko": r"문장은\s*[:：]\s*(.*)$",
}
_LATIN_WORD = re.compile("[a-zA-Z]+(?:[-'][a-zA-Z]+)*")


def freq(row: Row) -> Reading:
    """Count a token: as a whole, and wherever its letters stand, inside other words included."""
    found = found_in(row.prompt, _FREQ[row.lang])
    if found is None:
        return as_labelled(row, {"count": whole(row.label) or 0})
    target, text = found
    readings = [occurrences(text, target)]
    if language(row.lang).unit == "word":
        tokens = text.split()
        alike = [token for token in tokens if token.lower() == target.lower()]
        worded = [word.lower() for word in units(text, row.lang)].count(target.lower())
        readings = [len(alike), worded, *readings, tokens.count(target)]
    return counted(
        row.label,
        readings,
        [text.count(target), text.lower().count(target.lower())],  # without overlaps
        "it occurs more often inside other words, or in other letter case",
        "it does not occur so often",
    )


def lenop(row: Row) -> Reading:
    """Count the units of a sentence: by our rule, by spaces, and as the published scorer does."""
    found = found_in(row.prompt, _LENOP[row.lang])
    if found is None:
        return as_labelled(row, {"count": whole(row.label) or 0})
    text = unquoted(found[0])
    return counted(
        row.label,
        lengths(text, row.lang).values(),
        [len(pieces(text, row.lang))],  # digits and other scripts count, though none asked for them
        "rules of counting differ",
        "it does not have so many units",
    )


def lengths(text: str, lang: str) -> dict[str, int]:
    """Return how many units a text has under each rule of counting, ours first.

    >>> lengths("It is well-known", "en"), lengths("三〇年", "zh")
    ({'ours': 3, 'spaces': 3, 'parts': 3, 'letters': 3}, {'ours': 3, 'main block': 2})
    """
    found = {"ours": len(units(text, lang))}
    match language(lang).unit:
        case "word":
            words = re.findall(r"\b[\w'-]+\b", text)
            found["spaces"] = sum(any(map(str.isalnum, token)) for token in text.split())
            found["parts"] = len(words)
            found["letters"] = sum(_LATIN_WORD.fullmatch(word) is not None for word in words)
        case "han":
            found["main block"] = len(re.findall("[\u4e00-\u9fff]", text))
        case "hangul":
            found["with jamo"] = len(
                re.findall("[\uac00-\ud7a3\u3131-\u318e]", normalize_units(text))
            )
    return found


def unquoted(text: str) -> str:
    """Return a text without the quotes that hold all of it.

    >>> unquoted("‘한 번’")
    '한 번'
    """
    quoted = re.fullmatch(rf"{QUOTE}(.*){QUOTE}", text.strip(), re.DOTALL)
    return quoted[1] if quoted else text
