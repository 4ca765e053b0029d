"""Sentences and questions: what a model is asked for, and how its completions are read."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any, Final

from tokenbench.adt.instance import Instance
from tokenbench.text.sources import data_table

LANGS: Final = ("en", "zh")
_SPACED: Final = ("en",)  # a join inside a longer word would be no join of two words there
_LONGEST: Final = 20_000  # characters of a completion that is looked through for an object
_DECODER: Final = json.JSONDecoder(strict=False)  # strings may hold line breaks as they are


def request(instance: Instance) -> str:
    """Return the prompt that asks for a sentence and a question about an instance's match."""
    word1, word2, trap, _, _ = instance.match
    wording = _wordings()[instance.lang]
    return wording.strip().format(word1=word1, word2=word2, trap=trap, join=instance.join)


def written(blank: Instance, completion: str) -> Instance:
    """Return an instance with the sentence and question of a completion, or with their fault.

    They stand in the last JSON object that has both, whatever is around it.

    >>> from tokenbench.vocab.traps import Match
    >>> blank = Instance(Match.of("moves", "table", "stable", 1), "en")
    >>> written(blank, 'Sure! {"sentence": "He moves tables.", "question": "Which?"}').fault
    "the sentence does not hold 'movestable'"
    """
    final = spoken(completion)
    if len(final) > _LONGEST:
        return replace(blank, fault=f"a completion of more than {_LONGEST} characters")
    objects = list(_objects(final))
    if not objects:
        return replace(blank, fault=f"no JSON object with sentence and question: {final!r:.80}")
    sentence, question = (objects[-1][name] for name in ("sentence", "question"))
    if not (isinstance(sentence, str) and isinstance(question, str)):
        return replace(blank, fault=f"sentence and question are not texts: {objects[-1]!r:.80}")
    sentence, question = whole(sentence).strip(), whole(question).strip()
    fault = _fault(blank, sentence, question)
    return replace(blank, sentence=sentence, question=question, fault=fault)


def spoken(completion: str) -> str:
    """Return what a model says after its thoughts; nothing where these do not end.

    >>> spoken("<think>Stable?</think> He moves it."), spoken("<think>Stable?")
    (' He moves it.', '')
    """
    final = completion.rpartition("</think>")[2]
    return "" if "<think>" in final else final


def whole(text: str) -> str:
    """Return a text that UTF-8 can encode: halves of surrogate pairs joined, or replaced."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _objects(text: str) -> Iterator[dict[str, Any]]:
    start = text.find("{")
    while start >= 0:
        try:
            value, end = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError):
            value, end = None, start + 1
        if isinstance(value, dict) and {"sentence", "question"} <= value.keys():
            yield value
            start = text.find("{", end)
        else:
            start = text.find("{", start + 1)


def _fault(blank: Instance, sentence: str, question: str) -> str | None:
    join, trap = blank.join, blank.match.trap
    if not question:
        return "the question is empty"
    if not _holds(sentence, join, blank.lang):
        return f"the sentence does not hold {join!r}"
    for name, text in (("sentence", sentence), ("question", question)):
        if any(trap in part for part in text.split(join)):
            return f"the {name} holds {trap!r} apart from {join!r}"
    return None


def _holds(sentence: str, join: str, lang: str) -> bool:
    if lang in _SPACED:
        return re.search(rf"(?<!\w){re.escape(join)}(?!\w)", sentence) is not None
    return join in sentence


@cache
def _wordings() -> dict[str, str]:
    return data_table(__package__, "wordings.toml")
