"""The rows of CharBench about characters in words, and of EXECUTE about parts of characters."""

import re
from collections.abc import Callable
from typing import Final, ParamSpec, TypeVar

from tokenbench.answers.parts import normalize_part
from tokenbench.decomposition import hangul
from tokenbench.errors import TokenbenchError
from tokenbench.published.interpretation import (
    CASE,
    NOT_IT,
    Interpretation,
    PublishedRow,
    character_readings,
)
from tokenbench.tasks.charbench import count_char, count_unique, find_first, find_last
from tokenbench.tasks.execute import compose, contains_part, decompose, furigana
from tokenbench.tasks.wordings import common_text, numeral, part_slots
from tokenbench.text.languages import language

_Params = ParamSpec("_Params")
_Answer = TypeVar("_Answer")

# CharBench

# For each task: our answer for a word and a character, and the answer for a list of characters.
_SOLVERS: Final[dict[str, Callable[[str, str], int]]] = {
    "count_char": count_char.solve,
    "count_unique": lambda word, _: count_unique.solve(word),
    "find_first": find_first.solve,
    "find_last": find_last.solve,
}
_LIST_SOLVERS: Final[dict[str, Callable[[tuple[str, ...], str], int]]] = {
    "count_char": lambda units, char: units.count(char),
    "count_unique": lambda units, _: len(set(units)),
    "find_first": lambda units, char: units.index(char),
    "find_last": lambda units, char: len(units) - 1 - units[::-1].index(char),
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
    ours = _solve(_SOLVERS[row.task], word, char)
    if ours == label:
        return Interpretation({"answer": ours}, row.label)
    if ours is None:
        reason = "the word does not hold the character"
        return Interpretation({"answer": None}, row.label).with_issue("unsolvable", reason)
    for line, reason in character_readings(word):
        if _solve(_LIST_SOLVERS[row.task], line.units, char) == label:
            right = Interpretation({"answer": label}, row.label)
            return right.with_issue("several", reason, (row.label, str(ours)))
    reason = NOT_IT
    if _solve(_SOLVERS[row.task], word.lower(), char.lower()) == label:
        reason = CASE
    elif row.task in ("find_first", "find_last") and label == ours + 1:
        reason = "places are counted from 1"
    return Interpretation({"answer": ours}, str(ours)).with_issue("wrong", reason, [str(ours)])


def _solve(solver: Callable[_Params, int], *args: _Params.args, **kw: _Params.kwargs) -> int | None:
    try:
        return solver(*args, **kw)
    except ValueError:  # the character does not occur
        return None


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
    return row.task == "furigana" or len(_parts(parts, row.lang)) in range(2, 5)


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
            ours = _solutions(compose.solve, _parts(row.text, row.lang), row.lang)
            field, reason = "accepted", "the parts make another one too"
        case _:
            ours = _solutions(furigana.solve, row.text)
            field, reason = "readings", "it is read otherwise too"
    accepted = list(dict.fromkeys((row.label, *ours)))
    right = Interpretation({field: accepted}, row.label)
    return right.with_issue("several", reason, ours) if len(accepted) > 1 else right


def subcharacter_slots(row: PublishedRow) -> dict[str, str]:
    """Return the texts that fill the slots of our prompt."""
    match row.task:
        case "decompose":
            parts = _parts(row.label, row.lang)
            if row.lang == "ko":
                return {"whole": row.text, "object": "를" if len(parts) == 2 else "을"}
            return {"whole": row.text, "number": numeral("decompose", row.lang, parts)}
        case "compose":
            parts = _parts(row.text, row.lang)
            return part_slots("compose", row.lang, list(enumerate(parts)))
        case "contains_part":
            part, char = row.inputs
            return {"whole": char, "part": part, "subject": "가" if part >= "ㅏ" else "이"}
    return {"word": row.text}


def _interpret_decomposition(row: PublishedRow) -> Interpretation:
    label = _parts(row.label, row.lang)
    ours = [list(parts) for parts in _solutions(decompose.solve, row.text, row.lang)]
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
    try:
        answer = contains_part.solve(char, part, row.lang)
    except TokenbenchError:
        answer = bool(label)
    solution = yes_or_no(row.lang, answer)
    right = Interpretation({"answer": answer}, solution)
    if label is None:
        return right.with_issue("unclear", "it is neither yes nor no")
    if label == answer:
        return right
    return right.with_issue("wrong", "the parts say otherwise", [solution])


def _solutions(
    solve: Callable[_Params, tuple[_Answer, ...]], *args: _Params.args, **kw: _Params.kwargs
) -> tuple[_Answer, ...]:
    """Return our answers; none if our task does not ask about such inputs."""
    try:
        return solve(*args, **kw)
    except TokenbenchError:
        return ()


def _parts(text: str, lang: str) -> list[str]:
    """Return the parts in a cell, with or without separators between them."""
    parts = [part for part in _SEPARATORS.split(text) if part]
    if lang == "ko":
        try:
            return list(hangul.split_jamo(" ".join(parts)))
        except TokenbenchError:
            return []
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
    answer = parse_own_yes_no(label, lang)
    return parse_own_yes_no(label, "en") if answer is None else answer


def parse_own_yes_no(label: str, lang: str) -> bool | None:
    """Return whether a label says yes in a language itself; None if it says neither."""
    words = language(lang)
    return True if label.lower() in words.yes else False if label.lower() in words.no else None
