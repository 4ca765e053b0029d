"""The rows of CharBench about characters in words, and of EXECUTE about parts of characters."""

import re
from collections.abc import Callable
from typing import Final

from tokenbench.answers.parts import normalize_part
from tokenbench.decomposition import hangul
from tokenbench.published.rows import (
    CASE,
    NOT_IT,
    Interpretation,
    PublishedRow,
    character_readings,
    value_or,
)
from tokenbench.tasks.charbench import count_char, count_unique, find_first, find_last
from tokenbench.tasks.execute import compose, contains_part, decompose, furigana
from tokenbench.tasks.wordings import common_text
from tokenbench.text.languages import language

# CharBench

# For each task: our answer for a word and a character, and the answer for a tuple of characters.
_SOLVERS: Final[dict[str, tuple[Callable[..., int], Callable[..., int]]]] = {
    "count_char": (count_char.solve, tuple.count),
    "count_unique": (lambda word, _: count_unique.solve(word), lambda units, _: len(set(units))),
    "find_first": (find_first.solve, tuple.index),
    "find_last": (find_last.solve, lambda units, char: len(units) - 1 - units[::-1].index(char)),
}


def interpret_charbench_row(row: PublishedRow) -> Interpretation:
    """Return the interpretation of a row whose inputs are a word and a character.

    If the question has no answer, the answer in the target is None: only published rules judge it.

    >>> row = PublishedRow("count_char", None, "en", "", "2", ("Anna", "a"))
    >>> interpret_charbench_row(row).issues[0].reason
    'letter case makes no difference'
    """
    word, char = row.inputs
    label = int(row.label)
    solve, solve_units = _SOLVERS[row.task]
    ours = value_or(None, solve, word, char)  # None if the character does not occur
    if ours == label:
        return Interpretation({"answer": ours}, row.label)
    if ours is None:
        reason = "the word does not hold the character"
        return Interpretation({"answer": None}, row.label).with_issue("unsolvable", reason)
    for line, reason in character_readings(word):
        if value_or(None, solve_units, line.units, char) == label:
            right = Interpretation({"answer": label}, row.label)
            return right.with_issue("several", reason, (row.label, str(ours)))
    reason = NOT_IT
    if value_or(None, solve, word.lower(), char.lower()) == label:
        reason = CASE
    elif row.task in ("find_first", "find_last") and label == ours + 1:
        reason = "places are counted from 1"
    return Interpretation({"answer": ours}, str(ours)).with_issue("wrong", reason, [str(ours)])


# EXECUTE. Whether a label about `contains_part` is right depends on the parts. All other labels are
# right answers, and so are those that our tasks accept.

SUBCHARACTER_LANGS: Final = {
    module.TASK.name: module.TASK.langs for module in (decompose, compose, contains_part, furigana)
}
_SEPARATORS: Final = re.compile(r"[\s,，、;；+＋]+")


def is_subcharacter_row(row: PublishedRow) -> bool:
    """Return whether one of our sub-character tasks asks the same in the row's language."""
    if row.lang not in SUBCHARACTER_LANGS.get(row.task, ()):
        return False
    if row.task == "contains_part":
        return len(row.inputs) == 2
    if len(row.inputs) != 1 or not row.text or not row.label:
        return False
    parts = row.label if row.task == "decompose" else row.text
    return row.task == "furigana" or len(cell_parts(parts, row.lang)) in range(2, 5)


def interpret_subcharacter_row(row: PublishedRow) -> Interpretation:
    """Return the interpretation of a row about the parts or the reading of a character.

    >>> row = PublishedRow("decompose", None, "ko", "", "ㄱ ㅏ ㅄ", ("값",))
    >>> interpret_subcharacter_row(row).target
    {'accepted': [['ㄱ', 'ㅏ', 'ㅄ']], 'ordered': True}
    """
    match row.task:
        case "decompose":
            return _interpret_decomposition(row)
        case "contains_part":
            return _interpret_part(row)
        case "compose":
            ours = value_or((), compose.solve, cell_parts(row.text, row.lang), row.lang)
            field, reason = "accepted", "the parts make another one too"
        case _:
            ours = value_or((), furigana.solve, row.text)
            field, reason = "readings", "it is read otherwise too"
    accepted = list(dict.fromkeys((row.label, *ours)))
    right = Interpretation({field: accepted}, row.label)
    return right.with_issue("several", reason, ours) if len(accepted) > 1 else right


def _interpret_decomposition(row: PublishedRow) -> Interpretation:
    label = cell_parts(row.label, row.lang)
    ours = [list(parts) for parts in value_or((), decompose.solve, row.text, row.lang)]
    ordered = row.lang == "ko"
    keys = [[normalize_part(part, row.lang) for part in option] for option in (label, *ours)]
    first, *others = keys if ordered else map(sorted, keys)
    accepted = ours if first in others else [label, *ours]
    right = Interpretation({"accepted": accepted, "ordered": ordered}, row.label)
    if first in others or not ours:
        return right
    return right.with_issue("several", "it is taken apart otherwise too", map(" ".join, ours))


def _interpret_part(row: PublishedRow) -> Interpretation:
    label = parse_yes_no(row.label, row.lang)
    part, char = row.inputs
    answer = value_or(bool(label), contains_part.solve, char, part, row.lang)
    right = Interpretation({"answer": answer}, yes_or_no(row.lang, answer))
    if label is None:
        return right.with_issue("unclear", "it is neither yes nor no")
    if label == answer:
        return right
    return right.with_issue("wrong", "the parts say otherwise", [right.solution])


def cell_parts(text: str, lang: str) -> list[str]:
    """Return the parts in a cell, with or without separators between them."""
    parts = [part for part in _SEPARATORS.split(text) if part]
    if lang == "ko":
        return list(value_or((), hangul.split_jamo, " ".join(parts)))
    return parts if len(parts) > 1 else list(text)


# Labels that are yes or no, also those of `contains`.


def yes_or_no(lang: str, yes: bool) -> str:
    """Return the word of a language for yes or for no, as its prompts ask for it."""
    return common_text("yes" if yes else "no", lang)


def parse_yes_no(label: str, lang: str) -> bool | None:
    """Return whether a label says yes in a language, or in English; None if it says neither.

    >>> parse_yes_no("Да", "ru"), parse_yes_no("no", "ru"), parse_yes_no("maybe", "ru")
    (True, False, None)
    """
    return (yes_no_words("en") | yes_no_words(lang)).get(label.lower())


def yes_no_words(lang: str) -> dict[str, bool]:
    """Return the words of a language for yes and for no, each with whether it means yes."""
    words = language(lang)
    return dict.fromkeys(words.no, False) | dict.fromkeys(words.yes, True)
