"""EXECUTE's rows about the parts of characters, and about readings: what they ask for.

Whether a character holds a part, the parts say, and the label may be wrong. All other labels are
right answers, and so is what our tasks accept beside them.
"""

import re
from collections.abc import Callable, Iterable
from typing import Final, ParamSpec, TypeVar

from tokenbench.answers.parts import normalize_part
from tokenbench.decomposition import hangul
from tokenbench.errors import TokenbenchError
from tokenbench.published.targets.inputs import Asked
from tokenbench.published.targets.reading import SEVERAL, UNCLEAR, WRONG, Doubt, Reading
from tokenbench.published.targets.yes_or_no import said_yes, yes_or_no
from tokenbench.tasks.execute import compose, contains_part, decompose, furigana
from tokenbench.tasks.part_phrases import part_number, parts_to_combine

_Given = ParamSpec("_Given")
_Answer = TypeVar("_Answer")

LANGS: Final = {
    "decompose": decompose.TASK.langs,
    "compose": compose.TASK.langs,
    "contains_part": contains_part.TASK.langs,
    "furigana": furigana.TASK.langs,
}
_BETWEEN: Final = re.compile(r"[\s,，、;；+＋]+")


def is_ours(row: Asked) -> bool:
    """Return whether a row asks what one of our tasks asks, in one of its languages."""
    if row.lang not in LANGS.get(row.task, ()):
        return False
    if row.task == "contains_part":
        return len(row.inputs) == 2
    sound = len(row.inputs) == 1 and all((*row.inputs, row.label))
    if row.task == "furigana":
        return sound
    parts = row.label if row.task == "decompose" else row.text
    return sound and len(_parts(parts, row.lang)) in range(2, 5)


def of_row(row: Asked) -> Reading:
    """Return what a row asks for.

    >>> row = Asked("decompose", None, "ko", ("값",), "ㄱ ㅏ ㅄ")
    >>> of_row(row).target
    {'accepted': [['ㄱ', 'ㅏ', 'ㅄ']], 'ordered': True}
    """
    return _READERS[row.task](row)


def slots(row: Asked) -> dict[str, str]:
    """Return what the places of our question hold."""
    match row.task:
        case "decompose":
            parts = _parts(row.label, row.lang)
            if row.lang == "ko":
                return {"whole": row.text, "object": "를" if len(parts) == 2 else "을"}
            return {"whole": row.text, "number": part_number("decompose", row.lang, parts)}
        case "compose":
            held = list(enumerate(_parts(row.text, row.lang)))
            return parts_to_combine("compose", row.lang, held)
        case "contains_part":
            part, char = row.inputs
            return {"whole": char, "part": part, "subject": "가" if part >= "ㅏ" else "이"}
    return {"word": row.text}


def _apart(row: Asked) -> Reading:
    label, ours = _parts(row.label, row.lang), _known(decompose.solve, row.text, row.lang)
    accepted = list(map(list, ours))
    ordered = row.lang == "ko"
    shown = [
        tuple(normalize_part(part, row.lang) for part in option) for option in (label, *accepted)
    ]
    first, *others = shown if ordered else [tuple(sorted(option)) for option in shown]
    if first in others:
        return Reading({"accepted": accepted, "ordered": ordered}, row.label)
    doubts = (Doubt(SEVERAL, "it is taken apart otherwise too", _joined(accepted)),)
    target = {"accepted": [label, *accepted], "ordered": ordered}
    return Reading(target, row.label, doubts if accepted else ())


def _together(row: Asked) -> Reading:
    ours = _known(compose.solve, _parts(row.text, row.lang), row.lang)
    return _listed("accepted", row.label, ours, "the parts make another one too")


def _read(row: Asked) -> Reading:
    ours = _known(furigana.solve, row.text)
    return _listed("readings", row.label, ours, "it is read otherwise too")


def _contained(row: Asked) -> Reading:
    label = said_yes(row.label, row.lang)
    part, char = row.inputs
    try:
        ours: bool | None = contains_part.solve(char, part, row.lang)
    except TokenbenchError:
        ours = label
    answer = bool(ours)
    doubt = None
    if label is None:
        doubt = Doubt(UNCLEAR, "it is neither yes nor no")
    elif label != ours:
        doubt = Doubt(WRONG, "the parts say otherwise", (yes_or_no(row.lang, answer),))
    return Reading({"answer": answer}, yes_or_no(row.lang, answer), (doubt,) if doubt else ())


def _listed(field: str, label: str, ours: Iterable[str], reason: str) -> Reading:
    ours = tuple(ours)
    doubt = Doubt(SEVERAL, reason, ours)
    beside = any(answer != label for answer in ours)
    accepted = list(dict.fromkeys((label, *ours)))
    return Reading({field: accepted}, label, (doubt,) if beside else ())


def _known(
    solve: Callable[_Given, tuple[_Answer, ...]], *given: _Given.args, **named: _Given.kwargs
) -> tuple[_Answer, ...]:
    """Return our answers; none where the inputs are not what a task asks about."""
    try:
        return solve(*given, **named)
    except TokenbenchError:
        return ()


def _parts(text: str, lang: str) -> list[str]:
    """Return the parts that a cell lists, set apart or not."""
    listed = [part for part in _BETWEEN.split(text) if part]
    if lang == "ko":
        try:
            return list(hangul.split_jamo(" ".join(listed)))
        except TokenbenchError:
            return []
    return listed if len(listed) > 1 else list(text)


def _joined(options: Iterable[Iterable[str]]) -> tuple[str, ...]:
    return tuple(" ".join(option) for option in options)


_READERS: Final[dict[str, Callable[[Asked], Reading]]] = {
    "decompose": _apart,
    "compose": _together,
    "contains_part": _contained,
    "furigana": _read,
}
