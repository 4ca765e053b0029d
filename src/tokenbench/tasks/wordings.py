"""The words of a prompt: one of several natural wordings, the payload, the closing sentence.

`Language.prompts` has the texts that all prompts of a language share, and the questions of those
tasks that are asked in every language; `wordings/<task>.toml` has those of any other task, and the
phrases of those about parts: lists of them, their number, their positions.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import chain
from typing import Any, Final

from tokenbench.builtin import BUILTIN
from tokenbench.draw import Draw
from tokenbench.text.languages import Language, language
from tokenbench.text.sources import data_table

# The marks around payloads in questions of all languages. In Swedish, ” opens and closes.
OPENING_QUOTES: Final = "“”„‘«「『"
CLOSING_QUOTES: Final = "”“’»」』"
# The sentences of `trap`, which are listed with its questions and fill one of their slots.
_CARRIERS: Final = "carriers"


def question_text(
    draw: Draw, task: str, language: Language, payload: str = "", *, form: str, **slots: Any
) -> str:
    """Return a prompt without the sentence that asks for the answer in tags.

    Args:
        draw: chooses among the wordings.
        task: whose wordings.
        language: the language of the prompt.
        payload: the text that the question is about, unchanged.
        form: which of the task's questions.
        **slots: fill the question's `{name}` places; `{yes}` and `{no}` are the language's.
    """
    shared = language.prompts
    question = draw.choice(questions(task, language)[form])
    question = question.format(**slots, yes=shared["yes"], no=shared["no"])
    return "\n\n".join(part for part in (question, payload) if part)


def read_slots(task: str, lang: str, prompt: str) -> Mapping[str, str]:
    """Return what fills the slots of the question that begins a prompt; nothing if it is foreign.

    >>> text = question_text(Draw(), "spell", language("en"), form="char", word="cat")
    >>> read_slots("spell", "en", text)
    {'word': 'cat'}
    """
    matches = (pattern.fullmatch(prompt) for pattern in _question_patterns(task, lang))
    return next((match.groupdict() for match in matches if match), {})


def read_join(slots: Mapping[str, str]) -> str | None:
    """Return the two words written together that a question is about; None if it is about none.

    Args:
        slots: what `read_slots` returns: the two words as they are, or the first of them and a
            sentence with both.

    >>> read_join({"sentence": "The sign says movestable.", "first": "moves"})
    'movestable'
    """
    if not {"sentence", "first"} <= slots.keys():
        return slots.get("join")
    match = re.search(rf"{re.escape(slots['first'])}\w+", slots["sentence"])
    return match and match[0]


@cache
def _question_patterns(task: str, lang: str) -> tuple[re.Pattern[str], ...]:
    """Return a pattern for each wording of a task with slots; a payload may follow."""
    try:
        forms = questions(task, language(lang)) if task in BUILTIN else {}
    except KeyError:
        # Published items may be in languages of which we have no wordings.
        return ()
    lists = (texts for form, texts in forms.items() if form != _CARRIERS)
    wordings = chain.from_iterable(texts for texts in lists if isinstance(texts, list))
    return tuple(_pattern(text) for text in wordings if "{" in text)


def _pattern(wording: str) -> re.Pattern[str]:
    from string import Formatter  # slow to import, and few completions repeat the prompt

    pattern, names = "", set[str]()
    for text, name, _, _ in Formatter().parse(wording):
        pattern += re.escape(text)
        if name is not None:
            pattern += f"(?P={name})" if name in names else f"(?P<{name}>.+?)"
            names.add(name)
    return re.compile(rf"{pattern}(?:\n\n.*)?", re.DOTALL)


def questions(task: str, language: Language) -> dict[str, Any]:
    """Return a task's questions in a language, by their form."""
    own: dict[str, Any] | None = language.prompts.get(task)
    return load_wordings(task)[language.code] if own is None else own


def closing(lang: str) -> str:
    """Return the sentence that asks for the answer in `<answer>` tags."""
    return common_text("closing", lang)


def common_text(part: str, lang: str) -> str:
    """Return a text that all prompts of a language share, in English where we have none of it.

    These are `closing`, `steps`, `examples`, `question`, `bare`, `yes` and `no`.
    """
    return str(language(lang).prompts[part])


@cache
def load_wordings(name: str) -> dict[str, Any]:
    """Return the content of one of the files in `wordings/`."""
    return data_table(__package__, "wordings", f"{name}.toml")


def part_slots(task: str, language: Language, shown: Sequence[tuple[int, str]]) -> dict[str, str]:
    """Return the slots of a question to combine parts.

    Args:
        task: the name of the task with the wordings.
        language: the language of the question.
        shown: the parts in the order in which they are shown, each with its index in the whole.

    >>> part_slots("compm", language("ko"), [(1, "ㅏ"), (0, "ㄱ")])
    {'pieces': '중성 ㅏ, 초성 ㄱ', 'object': '을', 'subject': '이', 'topic': '은', 'by': '으로'}
    """
    lang = language.code
    form = load_wordings(task)[lang]["piece"]
    parts = [part for _, part in shown]
    if "{position}" not in form:
        pieces = part_list(task, lang, [form.format(part=part) for part in parts])
        return {"pieces": pieces, "number": numeral(task, lang, parts)}
    # Other questions do not need it.
    from tokenbench.decomposition.hangul import POSITIONS

    named = [form.format(position=POSITIONS[i], part=part) for i, part in shown]
    return {"pieces": part_list(task, lang, named), **language.particles(parts[-1])}


def part_list(task: str, lang: str, items: list[str]) -> str:
    """Return a list of several things in words.

    >>> part_list("compm", "en", ["from a to b", "from c to d"])
    'from a to b and from c to d'
    """
    words = load_wordings(task)[lang]
    *others, last = items
    return str(words["last"]).join([words["comma"].join(others), last])


def numeral(task: str, lang: str, parts: Sequence[str]) -> str:
    """Return the number of parts in words.

    >>> numeral("compm", "zh", ["扌", "巴"])
    '两'
    """
    return str(load_wordings(task)[lang]["numbers"][len(parts) - 2])
