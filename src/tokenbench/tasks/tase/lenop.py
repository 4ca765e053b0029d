"""LENOP: count the units of a text, or write a text of exactly n units."""

from functools import cache, lru_cache
from typing import TypeAlias

from tokenbench.answers.closed import Number
from tokenbench.answers.writing import Writing, most_named
from tokenbench.checks import string
from tokenbench.draw import Draw, Split, of_split, split_of
from tokenbench.item import Item, Json
from tokenbench.tasks.params import Source
from tokenbench.tasks.spec import ItemSpec, Pool, Published, Question
from tokenbench.tasks.tase import TEXT_LENGTH, draw_text, tase_task
from tokenbench.tasks.wordings import question_text, with_closing
from tokenbench.text.languages import Language, language
from tokenbench.text.sources import CACHE_SIZE, CORE, SOURCES
from tokenbench.text.units import units

# A topic and the nouns that go with it.
Topic: TypeAlias = tuple[str, tuple[str, ...]]

# A text of that length has room for any topic of our own.
_MIN_UNITS_FOR_ANY_TOPIC = 9
# A single character or syllable is also a piece of other words, so a text would name it by chance.
_MIN_CHARACTERS_OF_TOPIC = 2
_MIN_ROOM = 2  # further units of the shortest text
_MAX_DRAFTS = 4
# The number of characters or of marks tells the length of a text within a twentieth or so, without
# any counting of units.
_NUMBER = Number(field="count", wrong="not the length of the text", credit_divisor=40)
_WRITING = Writing()


def count(text: str, lang: str) -> int:
    """Return the number of units in a text: English words, Han characters, Hangul syllables.

    >>> count("It’s well-known, isn’t it?", "en"), count("３只猫。", "zh")
    (4, 2)
    """
    return len(units(string("text", text), language(lang)))


def verify(answer: int | str, target: Json) -> bool:
    """Return whether a count is right, or whether a written text has the count and is sound.

    >>> target = {"count": 5, "lang": "en", "prompt": "Write.", "topic": "cat", "names": ["cat"]}
    >>> verify(12, {"count": 12}), verify("Both cats slept all day.", target)
    (True, True)
    """
    return TASK.verify(answer, target, "write" if isinstance(answer, str) else "count")


def _sample(spec: ItemSpec, draw: Draw) -> Question:
    n = draw.between(*spec.range("length"))
    text, source = draw_text(draw, spec, n)
    return Question(
        question_text(draw, "lenop", spec, text, form="count"),
        n,
        {"length": n},
        source=source,
        published=Published("number", str(n)),
    )


def _pool(spec: ItemSpec) -> Pool | None:
    """Return every topic with every length, for writing; texts to count are drawn."""
    if spec.variant == "count":
        return None
    from tokenbench.text.lexicon import words

    low, high = spec.range("length")
    size = len(_topics(spec)) * (high - low + 1)
    return Pool(range(size), words(spec.lang, spec.words).source)


def _ask_to_write(index: int, draw: Draw, spec: ItemSpec) -> Question | None:
    from tokenbench.text.passages import compose_about  # only drawing needs it

    low, high = spec.range("length")
    topic_index, offset = divmod(index, high - low + 1)
    topic, nouns = _topics(spec)[topic_index]
    n = low + offset
    question = question_text(draw, "lenop", spec, form="write", topic=topic, n=n)
    target = {
        "count": n,
        "lang": spec.lang,
        "prompt": with_closing(question, spec),
        "topic": topic,
        "names": [topic],
    }
    # A short text may have too much of the prompt in it.
    texts = (
        compose_about(draw, spec.language, n, spec.split, topic, nouns) for _ in range(_MAX_DRAFTS)
    )
    text = next((text for text in texts if _WRITING.verify(text, target)), None)
    if text is None:
        return None
    return Question(
        question,
        target=target,
        solution=text,
        drawn={"length": n, "topic": topic},
        published=Published("length"),
    )


def _topics(spec: ItemSpec) -> list[Topic]:
    """Return the topics of a split that leave room for two units in the shortest text."""
    from tokenbench.text.lexicon import words

    shortest, _ = spec.range("length")
    if spec.words == CORE:
        return _core_topics(spec.language, spec.split, min(shortest, _MIN_UNITS_FOR_ANY_TOPIC))
    return _word_topics(words(spec.lang, spec.words).words, spec.language, spec.split, shortest)


@cache
def _core_topics(language: Language, split: Split, shortest: int) -> list[Topic]:
    """Return the concepts of a split, which the English name decides, so that languages agree."""
    from tokenbench.text.lexicon import concepts

    themes: dict[str, tuple[str, ...]] = {}
    for concept in concepts():
        themes[concept.theme] = (*themes.get(concept.theme, ()), getattr(concept, language.code))
    return [
        (getattr(concept, language.code), themes[concept.theme])
        for concept in concepts()
        if split_of(concept.en) == split
        # An English name is one unit.
        and min(len(concept.zh), len(concept.ko)) >= _MIN_CHARACTERS_OF_TOPIC
        and max(len(concept.zh), len(concept.ko)) + _MIN_ROOM <= shortest
    ]


@lru_cache(maxsize=CACHE_SIZE)
def _word_topics(
    nouns: tuple[str, ...], language: Language, split: Split, shortest: int
) -> list[Topic]:
    sizes = ((word, 1 if language.counts_words else len(word)) for word in of_split(nouns, split))
    fewest = 1 if language.counts_words else _MIN_CHARACTERS_OF_TOPIC
    return [(word, nouns) for word, size in sizes if fewest <= size <= shortest - _MIN_ROOM]


def _guess(item: Item) -> float:
    """Return the guess rate of a constant length; a text names only some of the topics.

    A text may name all words of a user's list, which need not be on this machine any more.
    """
    spec = TASK.spec_of(item)
    low, high = spec.range("length")
    lengths = high - low + 1
    if item.variant == "count" or spec.words != CORE:
        return 1 / lengths
    topics = [topic for topic, _ in _topics(spec)]
    return most_named(topics, high, spec.language) / len(topics) / lengths


TASK = tase_task(
    name="lenop",
    doc="Count the units of a text, or write a text of exactly n units on a topic.",
    answer={"count": _NUMBER, "write": _WRITING},
    pool=_pool,
    ask=_ask_to_write,
    sample=_sample,
    # One text may name several topics.
    guess=_guess,
    source="TASE, token awareness: LENOP",
    params=(
        TEXT_LENGTH(help="units of the text"),
        Source("words", SOURCES, help="where words and topics come from"),
        Source(
            "text",
            (),
            help="count only: a running text to cut from, instead of composing one",
            variants=("count",),
        ),
    ),
)
generate = TASK.generate
