"""A simple rule-based player: what a few lines of Python make of a prompt, and of nothing else."""

import re

from tokenbench.item import Item

_QUOTED = re.compile("[“‘]([^”’]+)[”’]")
_LABELLED = re.compile(r"\A(.{1,16}?)[:：]\s*(.*)\Z", re.DOTALL)


def answer(item: Item) -> str:
    """Return a naive answer to an item; only its prompt is read.

    The form of the prompt says what to do: three labelled texts are sorted by their characters,
    two lists are compared as sets, a quoted word is looked up, a text after a colon is shuffled by
    taking every other token, a text without more is counted, and where there is none the quoted
    topic is repeated.

    >>> ask = "How often does “a” occur?\\n\\na b a\\n\\nPut your final answer inside the tags."
    >>> answer(Item("any", 1, "en", None, ask, {}, "2"))
    '2'
    """
    question, *texts = item.prompt.split("\n\n")[:-1] or [item.prompt]
    labelled = [found.groups() for text in texts if (found := _LABELLED.match(text))]
    quoted = _QUOTED.search(question)
    if len(labelled) == 3:
        return "".join(label for label, text in sorted(labelled, key=lambda pair: -len(pair[1])))
    if len(labelled) == 2:
        first, second = (set(_tokens(text)) for _, text in labelled)
        different = sorted(first ^ second)
        return different[0] if different else quoted[1] if quoted else ""
    text = texts[0] if texts else ""
    if not text:
        return _repeated(question, quoted[1] if quoted else question)
    if quoted:
        return str(_tokens(text).count(quoted[1]))
    if question.endswith((":", "：")):
        tokens = _tokens(text)
        return ("" if len(tokens) == len(text) else " ").join(tokens[1::2] + tokens[::2])
    return str(len(_tokens(text)))


def _tokens(text: str) -> list[str]:
    """Split at spaces, or into characters where the text is not in Latin letters."""
    return text.split() if text.isascii() else list(text.replace(" ", ""))


def _repeated(question: str, topic: str) -> str:
    number = re.search(r"\d+", question)
    n = int(number[0]) if number else 1
    if topic.isascii():
        return " ".join([topic] * n)
    return (topic * n)[:n]
