"""LENOP: count the units of a text, or write a text of exactly n units."""

from functools import cache, lru_cache
from typing import TypeAlias

from tokenbench.draw import Draw, Split, of_split, split_of
from tokenbench.errors import DifficultyError, string
from tokenbench.extraction import Unparsable
from tokenbench.item import Item, Json
from tokenbench.quoting import pluralize, quote_if_needed
from tokenbench.tasks import counts
from tokenbench.tasks.contract import Draft, ItemSpec, Published, Task
from tokenbench.tasks.folding import WORD
from tokenbench.tasks.params import IntRange, Source
from tokenbench.tasks.wordings import prompt_text
from tokenbench.text.languages import language
from tokenbench.text.normalize import strip_markup
from tokenbench.text.sources import CACHE_SIZE, CORE, SOURCES
from tokenbench.text.units import foreign, normalize_units, units
from tokenbench.text.writing import degenerate_units, most_named, names_any

Topics: TypeAlias = list[tuple[str, tuple[str, ...]]]

_NAMES = {"word": "English word", "han": "Chinese character", "hangul": "Hangul syllable"}
_WORD, _CHARACTER = 24, 4  # generous characters per unit, spaces and punctuation included
_LONG = 7  # units; no topic of our own has as many, so any text so long has room for it


def count(text: str, lang: str) -> int:
    """Return the number of units in a text: English words, Han characters, Hangul syllables.

    >>> count("It’s well-known, isn’t it?", "en"), count("３只猫。", "zh")
    (4, 2)
    """
    return len(units(string("text", text), lang))


def verify(answer: int | str, target: Json) -> bool:
    """Return whether a count is right, or a written text has the count and is sound.

    A sound text names one of the target's `names`, if it has any.

    >>> target = {"count": 5, "lang": "en", "prompt": "Write.", "topic": "cat", "names": ["cat"]}
    >>> verify(12, {"count": 12}), verify("Both cats slept all day.", target)
    (True, True)
    >>> verify("We all slept all day.", target)
    False
    """
    if isinstance(answer, str):
        found = units(answer, target["lang"])
        return len(found) == target["count"] and not _unsound(answer, found, target)
    return bool(answer == target["count"])


def _unsound(text: str, found: list[str], target: Json) -> str:
    """Return why a written text earns nothing, whatever its length; empty if it is sound."""
    strange = foreign(normalize_units(text), target["lang"])
    if strange:
        return f"the text holds {quote_if_needed(strange)}, which is not of the script asked for"
    if degenerate_units(found, target["lang"], target["prompt"], target["topic"]):
        return "the text repeats itself or the prompt"
    if target["names"] and not names_any(text, target["names"], target["lang"]):
        return f"the text does not name “{target['topic']}”"
    return ""


def _make(ask: ItemSpec, draw: Draw) -> Draft | None:
    return _make_write(ask, draw) if ask.variant == "write" else _make_count(ask, draw)


def _make_count(ask: ItemSpec, draw: Draw) -> Draft:
    from tokenbench.text.passage import passage  # only drawing needs it

    n = draw.between(*ask.range("length"))
    text, source = passage(draw, ask.lang, n, source=ask.words, text=ask.text)
    return Draft(
        prompt=prompt_text(draw, "lenop", ask.lang, text, form="count"),
        target={"count": n},
        solution=str(n),
        source=source,
        drawn={"length": n},
        published=Published("number", str(n)),
    )


def _make_write(ask: ItemSpec, draw: Draw) -> Draft | None:
    from tokenbench.text.lexicon import words
    from tokenbench.text.passage import compose, word_list

    if "text" in ask.overrides:
        raise DifficultyError("text is for counting: writing takes its topics from words")
    low, high = ask.range("length")
    size = _space_write(ask)
    if not size:
        return None
    number, offset = divmod(TASK.place(ask, size), high - low + 1)
    topic, nouns = _topics(ask)[number]
    n = low + offset
    prompt = prompt_text(draw, "lenop", ask.lang, form="write", topic=topic, n=n)
    target = {"count": n, "lang": ask.lang, "prompt": prompt, "topic": topic, "names": [topic]}
    text = compose(draw, ask.lang, n, nouns, topic=topic)
    if not verify(text, target):  # clauses recur in a very long text, words in a list need not
        text = word_list(draw, ask.lang, n, words(ask.lang, ask.words).words, topic=topic)
    if not verify(text, target):
        return None
    return Draft(
        prompt=prompt,
        target=target,
        solution=text,
        source=words(ask.lang, ask.words).source,
        drawn={"length": n, "topic": topic},
        published=Published("length"),
    )


def _topics(ask: ItemSpec) -> Topics:
    """Return the topics of a split, each with the nouns that go with it.

    The shortest text that may be asked for has room for each, and for a unit more.
    """
    from tokenbench.text.lexicon import words

    shortest, _ = ask.range("length")
    if ask.words == CORE:
        return _core_topics(ask.lang, ask.split, min(shortest, _LONG))
    return _listed_topics(words(ask.lang, ask.words).words, ask.lang, ask.split, shortest)


@cache
def _core_topics(lang: str, split: Split, shortest: int) -> Topics:
    """Return the concepts of a split: the English name decides, so every language has the same."""
    from tokenbench.text.lexicon import concepts

    themes: dict[str, tuple[str, ...]] = {}
    for concept in concepts():
        themes[concept.theme] = (*themes.get(concept.theme, ()), getattr(concept, lang))
    return [
        (getattr(concept, lang), themes[concept.theme])
        for concept in concepts()
        if split_of(concept.en) == split
        and all(_size(getattr(concept, code), code) < shortest for code in TASK.langs)
    ]


@lru_cache(maxsize=CACHE_SIZE)
def _listed_topics(known: tuple[str, ...], lang: str, split: Split, shortest: int) -> Topics:
    return [(word, known) for word in of_split(known, split) if _size(word, lang) < shortest]


def _size(word: str, lang: str) -> int:
    """Return how many units a word of the lexicon has: one, or its characters."""
    return 1 if language(lang).unit == "word" else len(word)


def _space(ask: ItemSpec) -> int | None:
    return _space_write(ask) if ask.variant == "write" else None


def _space_write(ask: ItemSpec) -> int:
    low, high = ask.range("length")
    return len(_topics(ask)) * (high - low + 1)


def _parse(text: str, item: Item) -> int | str:
    if item.variant == "count":
        return counts.parse(text, item)
    text = strip_markup(text)
    if not count(text, item.lang):
        raise Unparsable(f"holds no {_NAMES[language(item.lang).unit]}")
    return text


def _grade(answer: int | str, target: Json) -> float:
    if not isinstance(answer, str):
        return counts.closeness(answer, target["count"])
    found = units(answer, target["lang"])
    if _unsound(answer, found, target):
        return 0.0
    return counts.closeness(len(found), target["count"])


def _why(answer: int | str, target: Json) -> str:
    if not isinstance(answer, str):
        return f"got {answer}: not the length of the text"
    found = units(answer, target["lang"])
    return (
        _unsound(answer, found, target)
        or f"{pluralize(len(found), language(target['lang']).unit_name)}, {target['count']} asked"
    )


def _longest(target: Json) -> int:
    if "lang" not in target:
        return counts.LONGEST
    size = _WORD if language(target["lang"]).unit == "word" else _CHARACTER
    return size * int(target["count"])


def _chance(item: Item) -> float:
    """The best guess is of one length; a text also names but so many of the topics.

    Of words that are not our own, a text may name all: they need not be here any more.
    """
    ask = TASK.spec_of(item)
    low, high = ask.range("length")
    lengths = high - low + 1
    if item.variant == "count" or ask.words != CORE:
        return 1 / lengths
    topics = [topic for topic, _ in _topics(ask)]
    return most_named(topics, high, item.lang) / len(topics) / lengths


TASK = Task(
    name="lenop",
    source="TASE, token awareness: LENOP",
    version=2,
    langs=("en", "zh", "ko"),
    variants=("count", "write"),
    doc="Count the units of a text, or write a text of exactly n units on a topic.",
    params=(
        IntRange("length", 5, 254, 4096, "units of the text", levelled=True),
        Source("words", SOURCES, "where words and topics come from"),
        Source("text", (), "count only: a running text to cut from, instead of composing one"),
    ),
    target_schema={
        "count": {"count": "whole number"},
        "write": {
            "count": "whole number",
            "lang": "str",
            "prompt": "str",
            "topic": "str",
            "names": "list of str",
        },
    },
    sample=_make,
    parse=_parse,
    verify=verify,
    grade=_grade,
    explain=_why,
    max_answer_chars=_longest,
    guess_rate=_chance,
    equivalences={"write": (*WORD, "spaces", "exclaimed")},
    n_instances=_space,
)
generate = TASK.generate
