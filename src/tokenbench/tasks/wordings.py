"""The words of a prompt: one of several natural wordings, the payload, the closing sentence.

A language's `prompts.toml` has the texts that all its prompts share, and a table for each task with
its questions by their form, and the phrases of those about parts.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import chain
from typing import Any, Final

from tokenbench.builtin import BUILTIN
from tokenbench.draw import Draw, pick
from tokenbench.item import Json
from tokenbench.tasks.spec import ItemSpec
from tokenbench.text.languages import Language, language

# The marks around payloads in questions of all languages. In Swedish, ” opens and closes.
OPENING_QUOTES: Final = "“”„‘«「『"
CLOSING_QUOTES: Final = "”“’»」』"
# The last of at least six wordings of a form, which only the split `test` shows.
N_FOR_TEST: Final = 2
_MIN_WORDINGS: Final = 6
_PAYLOAD: Final = "payload"
# The sentences of `trap`, which are listed with its questions and fill one of their slots.
_CARRIERS: Final = "carriers"


def question_text(
    draw: Draw, task: str, spec: ItemSpec, payload: str = "", *, form: str = "ask", **slots: Any
) -> str:
    """Return a prompt without the sentence that asks for the answer in tags.

    Args:
        draw: chooses among the wordings.
        task: whose wordings.
        spec: its language is that of the prompt, and the split `test` draws from all wordings, the
            others not from those that are for it.
        payload: the text that the question is about, unchanged; it stands where the wording has
            `{payload}`, or else after the question.
        form: which of the task's questions.
        **slots: fill the question's `{name}` places; `{yes}` and `{no}` are the language's.
    """
    shared = spec.language.prompts
    wordings = questions(task, spec.language)[form]
    if spec.split != "test" and len(wordings) >= _MIN_WORDINGS:
        wordings = wordings[:-N_FOR_TEST]
    wording = draw.choice(wordings)
    if payload and f"{{{_PAYLOAD}}}" not in wording:
        wording += f"\n\n{{{_PAYLOAD}}}"
    return str(wording).format(**slots, payload=payload, yes=shared["yes"], no=shared["no"])


def closing(language: Language, *key: Json) -> str:
    """Return the one of the sentences that ask for the answer in tags that a key fixes."""
    return str(pick(language.prompts["closings"], "closing", *key))


def with_closing(question: str, spec: ItemSpec) -> str:
    """Return an item's prompt: its question, and a sentence that asks for the answer in tags.

    The sentence does not depend on how the question is written, say in which script.
    """
    return f"{question}\n\n{closing(spec.language, *spec.key(), spec.index)}"


def split_closing(prompt: str, lang: str) -> tuple[str, str]:
    """Return a prompt's question, and the sentence after it that asks for tags; "" if none does.

    >>> split_closing(f"Why?\\n\\n{closing(language('en'))}", "en")[0]
    'Why?'
    """
    endings = language(lang).prompts["closings"]
    ending = next((text for text in endings if prompt.endswith(text)), "")
    return prompt.removesuffix(ending).rstrip() if ending else prompt, ending


def read_slots(task: str, lang: str, prompt: str) -> Mapping[str, str]:
    """Return what fills the slots of a question, `payload` among them; nothing if it is foreign.

    Args:
        task, lang: whose wordings.
        prompt: a prompt, with or without the sentence that asks for tags.

    >>> from tokenbench.tasks import task
    >>> text = question_text(Draw(), "spell", task("spell").spec(), form="char", word="cat")
    >>> read_slots("spell", "en", text)
    {'word': 'cat'}
    """
    question, _ = split_closing(prompt, lang)
    matches = (pattern.fullmatch(question) for pattern in _question_patterns(task, lang))
    found = next((match.groupdict() for match in matches if match), {})
    return {name: text for name, text in found.items() if text is not None}


def payload_of(task: str, lang: str, prompt: str) -> str:
    """Return the text of a prompt that its question is about, and that it does not only quote.

    In a prompt whose wording is not ours, that is all after its first paragraph.

    >>> from tokenbench.tasks import task
    >>> text = question_text(Draw(), "freq", task("freq").spec(), "a b a", target="a")
    >>> payload_of("freq", "en", text), payload_of("a_new_task", "en", "How many?")
    ('a b a', '')
    """
    slots = read_slots(task, lang, prompt)
    if slots:
        return slots.get(_PAYLOAD, "")
    question, _ = split_closing(prompt, lang)
    return question.partition("\n\n")[2].strip()


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
    particles = language(lang).particle_forms
    return tuple(_pattern(text, particles) for text in wordings)


def _pattern(wording: str, particles: Mapping[str, Sequence[str]]) -> re.Pattern[str]:
    from string import Formatter  # slow to import, and few completions repeat the prompt

    pattern, names = "", set[str]()
    for text, name, _, _ in Formatter().parse(wording):
        pattern += re.escape(text)
        if name is not None:
            # A particle touches the word before it; a slot of the same name may stand elsewhere.
            touches = names and (not text or text[-1] in CLOSING_QUOTES)
            value = "|".join(particles.get(name, [".+?"]) if touches else [".+?"])
            pattern += f"(?P={name})" if name in names else f"(?P<{name}>{value})"
            names.add(name)
    after = "" if _PAYLOAD in names else rf"(?:\n\n(?P<{_PAYLOAD}>.*))?"
    return re.compile(pattern + after, re.DOTALL)


def questions(task: str, language: Language) -> dict[str, Any]:
    """Return a task's questions in a language, by their form, and its other texts.

    Raises:
        KeyError: the language has none.
    """
    found: dict[str, Any] = language.prompts[task]
    return found


def common_text(part: str, lang: str) -> str:
    """Return a text that all prompts of a language share, in English where we have none of it.

    These are `steps`, `examples`, `question`, `bare`, `yes` and `no`.
    """
    return str(language(lang).prompts[part])


def part_slots(task: str, language: Language, shown: Sequence[tuple[int, str]]) -> dict[str, str]:
    """Return the slots of a question to combine parts.

    Args:
        task: the name of the task with the wordings.
        language: the language of the question.
        shown: the parts in the order in which they are shown, each with its index in the whole.

    >>> part_slots("compm", language("ko"), [(1, "ㅏ"), (0, "ㄱ")])["pieces"]
    '중성 ㅏ, 초성 ㄱ'
    """
    form = questions(task, language)["piece"]
    parts = [part for _, part in shown]
    if "{position}" not in form:
        pieces = part_list(task, language, [form.format(part=part) for part in parts])
        return {"pieces": pieces, "number": numeral(task, language, parts)}
    # Other questions do not need it.
    from tokenbench.decomposition.hangul import POSITIONS

    named = [form.format(position=POSITIONS[i], part=part) for i, part in shown]
    return {"pieces": part_list(task, language, named), **language.particles(parts[-1])}


def part_list(task: str, language: Language, items: list[str]) -> str:
    """Return a list of several things in words.

    >>> part_list("compm", language("en"), ["from a to b", "from c to d"])
    'from a to b and from c to d'
    """
    words = questions(task, language)
    *others, last = items
    return str(words["last"]).join([words["comma"].join(others), last])


def numeral(task: str, language: Language, parts: Sequence[str]) -> str:
    """Return the number of parts in words.

    >>> numeral("compm", language("zh"), ["扌", "巴"])
    '两'
    """
    return str(questions(task, language)["numbers"][len(parts) - 2])
