"""TRAP: two words written together, whose join hides a third one that deceives tokenizers.

The prompt names the first word, so the second one is certain. Who takes the hidden word, the trap,
for a word of the join lets the second word begin where the trap begins, or ends.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final, TypeAlias

from tokenbench.draw import Draw
from tokenbench.errors import TokenbenchError, unknown
from tokenbench.extraction import Unparsable
from tokenbench.item import Item, Json
from tokenbench.quoting import pluralize, quote_if_needed
from tokenbench.tasks import counts
from tokenbench.tasks.contract import Draft, ItemSpec, Task
from tokenbench.tasks.folding import WORD
from tokenbench.tasks.pairs import LANGS, PARAMS, Pair, Pairs, pool
from tokenbench.tasks.partial import likeness
from tokenbench.tasks.wordings import prompt_text
from tokenbench.text.answer_text import bare_answer, split_spelling
from tokenbench.text.normalize import BRACKETS, ROUND, normalize, strip_wrapping

Answer: TypeAlias = str | int

SECOND, BOUNDARY, CHARACTER, SPELL = "second", "boundary", "char", "spell"
_PLUS: Final = "+"  # stands between the two words where they are spelled
_LONGEST: Final = 128
# A place that is counted from 1 on may be named by its ordinal, in digits.
_ORDINALS: Final = MappingProxyType(
    {
        "en": re.compile(
            r"(?:the )?([0-9]+)(?:st|nd|rd|th)(?: (?:letter|character|position|place))?"
        ),
        "zh": re.compile(r"第 ?([0-9]+) ?(?:个?字|个|位)?"),
    }
)
_TEXT: Final = {"answer": "str", "misled": "list of str"}


def _second(join: str, place: int) -> Answer:
    return join[place:]


def _begin(join: str, place: int) -> Answer:
    return place + 1


def _end(join: str, place: int) -> Answer:
    return place


def _character(join: str, place: int) -> Answer:
    return join[place]


def _spelled(join: str, place: int) -> Answer:
    return " ".join([*join[:place], _PLUS, *join[place:]])


# What each question asks for, were `place` where the second word begins; and each variant's ones.
_ANSWERS: Final[Mapping[str, Callable[[str, int], Answer]]] = MappingProxyType(
    {"second": _second, "begin": _begin, "end": _end, "char": _character, "spell": _spelled}
)
_FORMS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {SECOND: ("second",), BOUNDARY: ("begin", "end"), CHARACTER: ("char",), SPELL: ("spell",)}
)


def solve(join: str, first: str) -> str:
    """Return the second one of two words that were written together.

    Args:
        join: both words.
        first: the first one.

    Raises:
        TokenbenchError: the join does not begin with the word, or is no more than that.

    >>> solve("movestable", "moves")
    'table'
    """
    if not (isinstance(join, str) and isinstance(first, str) and join.startswith(first)):
        raise TokenbenchError(
            f"{join!r:.80} does not begin with {first!r:.80}: give the first word"
        )
    if join == first:
        raise TokenbenchError(f"{join!r:.80} is one word: give two, written together")
    return join[len(first) :]


def answers(pair: Pair, form: str) -> tuple[Answer, list[Answer]]:
    """Return the right answer to a question about a pair, and those of who falls into the trap.

    Args:
        pair: two words and the trap.
        form: the question: `second`, the second word; `begin` and `end`, the position, from 1
            on, at which the second word begins or the first one ends; `char`, the letter with which
            the second one begins; `spell`, the letters of both.

    Raises:
        UnknownNameError: no such question.

    >>> pair = Pair("sixth", "island", "this", 2, "both")
    >>> answers(pair, "second"), answers(pair, "begin")
    (('island', ['thisland', 'land', 'this']), (6, [4, 8]))
    """
    if form not in _ANSWERS:
        raise unknown("question", form, _ANSWERS)
    answer = _ANSWERS[form]
    said = [answer(pair.join, place) for place in pair.misleading]
    if form == SECOND:
        said.append(pair.trap)  # ADT: an answer that is the trap itself
    if form == SPELL:  # or the first word, which the prompt names, and one of these for the second
        place = len(pair.word1)
        said += [_spelled(f"{pair.word1}{word}", place) for word in answers(pair, SECOND)[1]]
    return answer(pair.join, len(pair.word1)), list(dict.fromkeys(said))


def verify(answer: Answer, target: Json) -> bool:
    """Return whether an answer is the right one.

    >>> verify("table", {"answer": "table", "misled": ["stable"]})
    True
    """
    return bool(answer == target["answer"])


def fell(answer: Answer, target: Json) -> bool:
    """Return whether an answer is one of who falls into the trap.

    >>> fell("stable", {"answer": "table", "misled": ["stable"]})
    True
    """
    return answer in target["misled"]


def _make(ask: ItemSpec, draw: Draw) -> Draft:
    found = _pool(ask)
    pair = found.pairs[TASK.place(ask, len(found.pairs))]
    form = draw.choice(_FORMS[str(ask.variant)])
    right, misled = answers(pair, form)
    return Draft(
        prompt=prompt_text(draw, "trap", ask.lang, form=form, join=pair.join, first=pair.word1),
        target={"answer": right, "misled": [*misled]},
        solution=str(right),
        source=found.source,
        drawn={
            "length": len(pair.join),
            "schema": pair.schema,
            "cut": pair.cut,
            "trap": pair.trap,
        },
    )


def _parse(text: str, item: Item) -> Answer:
    """Return the word, number, letter or letters of an answer, in small letters.

    Raises:
        Unparsable: it is not of the form that the variant asks for.
    """
    if item.variant == BOUNDARY:
        ordinal = _ORDINALS[item.lang].fullmatch(normalize(text, BRACKETS).lower())
        return counts.parse_place(ordinal[1] if ordinal else text, item)
    if item.variant == SPELL:
        return _parse_spelled(text)
    word = bare_answer(text, item.lang, character=item.variant == CHARACTER).lower()
    if len(word.split()) != 1:
        raise Unparsable(f"holds {pluralize(len(word.split()), 'word')}: one is asked for")
    if item.variant == CHARACTER and len(word) != 1:
        what = "character" if item.lang == "zh" else "letter"
        raise Unparsable(f"is more than one {what}: one is asked for")
    return word


def _parse_spelled(text: str) -> str:
    """Return the letters of two words, whose letters are set apart, or none of each."""
    sides = " ".join(split_spelling(text)).lower().split(_PLUS)
    words = [strip_wrapping(side.strip(), ROUND).split() for side in sides]
    if len(words) != 2 or not all(words):
        raise Unparsable("is not two words with a plus sign between them")
    for word in words:
        if len(word) > 1 and any(len(part) > 1 for part in word):
            raise Unparsable("does not set all letters apart: a space between them is asked for")
    first, second = map("".join, words)
    return str(_spelled(first + second, len(first)))


def _grade(answer: Answer, target: Json) -> float:
    """Return 0.0 for the trap; partial credit for numbers near the right one, and for spelling.

    Of two spelled words the first, which the prompt names, has to be right: what counts is how
    nearly the second one is.
    """
    if fell(answer, target):
        return 0.0
    right = target["answer"]
    if isinstance(answer, int):
        return counts.closeness(answer, right)
    if _PLUS in right and _PLUS in answer:
        (first, second), (one, other) = (text.split(f" {_PLUS} ") for text in (right, answer))
        return likeness(other.split(), second.split()) if first == one else 0.0
    return float(answer == right)


def _why(answer: Answer, target: Json) -> str:
    if fell(answer, target):
        return f"got {quote_if_needed(str(answer))}: fell into the trap"
    asked = "number" if isinstance(answer, int) else "answer"
    return f"got {quote_if_needed(str(answer))}: not the right {asked}"


def _longest(target: Json) -> int:
    return max(_LONGEST, 2 * len(str(target["answer"])))


def _usable(pair: Pair, variant: str) -> bool:
    """Return whether there is a trap to fall into, which the right answer is not."""
    said = [answers(pair, form) for form in _FORMS[variant]]
    return all(trap and right not in trap for right, trap in said)


def _pool(ask: ItemSpec) -> Pairs:
    return pool(ask, _usable)


def _space(ask: ItemSpec) -> int:
    return len(_pool(ask).pairs)


def _chance(item: Item) -> float:
    """Return for which share of the pool one and the same answer is right, at most."""
    return _commonest(_pool(TASK.spec_of(item)).pairs, str(item.variant))


@lru_cache(maxsize=1024)
def _commonest(found: tuple[Pair, ...], variant: str) -> float:
    forms = _FORMS[variant]
    counted = Counter(answers(pair, form)[0] for pair in found for form in forms)
    return max(counted.values()) / (len(found) * len(forms))


TASK = Task(
    name="trap",
    source="ADT: words that tokenizers see across the boundary of two others",
    version=2,
    langs=LANGS,
    variants=tuple(_FORMS),
    doc="Tell two words apart that are written together, where a third one hides in the join.",
    params=PARAMS,
    target_schema={
        SECOND: _TEXT,
        BOUNDARY: {"answer": "whole number", "misled": "list of whole numbers"},
        CHARACTER: _TEXT,
        SPELL: _TEXT,
    },
    sample=_make,
    parse=_parse,
    verify=verify,
    grade=_grade,
    explain=_why,
    max_answer_chars=_longest,
    guess_rate=_chance,
    equivalences={
        "second": (*WORD, "brackets"),
        "boundary": ("place",),
        "char": (*WORD, "brackets", "called"),
        "spell": (*WORD, "brackets", "spaces", "list", "marked"),
    },
    n_instances=_space,
    examples=({"schema": "before"}, {"schema": "after"}, {"schema": "both"}, {}),
)
generate = TASK.generate
