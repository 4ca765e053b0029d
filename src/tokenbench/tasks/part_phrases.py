"""Phrases of questions about parts: lists of them, their number, their positions."""

from collections.abc import Sequence

from tokenbench.decomposition import hangul
from tokenbench.tasks.wordings import load_wordings
from tokenbench.text.languages import language


def parts_to_combine(task: str, lang: str, shown: Sequence[tuple[int, str]]) -> dict[str, str]:
    """Return the slots of a question to combine parts.

    Args:
        task: the name of the task with the wordings.
        lang: the language of the question.
        shown: the parts in the order in which they are shown, each with its index in the whole.

    >>> parts_to_combine("compm", "ko", [(1, "ㅏ"), (0, "ㄱ")])
    {'pieces': '중성 ㅏ, 초성 ㄱ', 'object': '을', 'subject': '이', 'topic': '은', 'by': '으로'}
    """
    form = load_wordings(task)[lang]["piece"]
    parts = [part for _, part in shown]
    if lang != "ko":
        pieces = part_list(task, lang, [form.format(part=part) for part in parts])
        return {"pieces": pieces, "number": part_number(task, lang, parts)}
    named = [form.format(position=hangul.POSITIONS[i], part=part) for i, part in shown]
    return {"pieces": part_list(task, lang, named), **language(lang).particles(parts[-1])}


def part_list(task: str, lang: str, items: list[str]) -> str:
    """Return a list of several things in words.

    >>> part_list("compm", "en", ["from a to b", "from c to d"])
    'from a to b and from c to d'
    """
    words = load_wordings(task)[lang]
    *others, last = items
    return str(words["last"]).join([words["comma"].join(others), last])


def part_number(task: str, lang: str, parts: Sequence[str]) -> str:
    """Return the number of parts in words.

    >>> part_number("compm", "zh", ["扌", "巴"])
    '两'
    """
    return str(load_wordings(task)[lang]["numbers"][len(parts) - 2])
