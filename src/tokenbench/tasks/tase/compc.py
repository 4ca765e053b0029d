"""COMPC: how often does a letter, jamo or component occur in a few words or characters?

It asks only for counts that are the same whatever counts as a component: whether or not the parts
of a Han character are taken apart in turn, and whether clusters, double letters and compound vowels
are one jamo or several.
"""

from collections import Counter
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from tokenbench.answers.closed import Number
from tokenbench.checks import string
from tokenbench.decomposition import component_counts
from tokenbench.decomposition.component_counts import choose_by_weight, count_ways, sample_units
from tokenbench.decomposition.components import components
from tokenbench.draw import Draw, Split, of_split
from tokenbench.errors import DifficultyError, TokenbenchError
from tokenbench.grouping import group
from tokenbench.item import Item
from tokenbench.tasks.params import IntRange, Source
from tokenbench.tasks.spec import ItemSpec, Pool, Published, Question
from tokenbench.tasks.tase import tase_task
from tokenbench.tasks.wordings import question_text
from tokenbench.text.languages import Language, language
from tokenbench.text.sources import CACHE_SIZE, SOURCES
from tokenbench.text.units import units

# Words or characters, by a part and its count in them.
Units: TypeAlias = dict[str, dict[int, tuple[str, ...]]]
# A part, the words or characters to count it in, and the count.
Instance: TypeAlias = tuple[str, tuple[str, ...], int]

_JOINERS: Final = {"en": ", ", "zh": "、", "ko": ", "}
# A count with this many questions is as likely as any other.
_MAX_WEIGHT: Final = 1000
# In one word: questions whose answer is 2 or more for each question whose answer is 0. In texts:
# how many times less likely the answer 0 is than any other.
_SEVERAL_PER_NONE: Final = 7
_LESS_LIKELY: Final = 3


def count(text: str, part: str, lang: str) -> int:
    """Return how often a letter, jamo or component occurs in a text, whatever counts as one.

    Args:
        text: words, Han characters or Hangul syllables; anything else contains no part.
        part: a letter, whatever its case; a component in its printed form; a jamo.
        lang: en, zh or ko.

    Raises:
        UnknownNameError: no such language.
        TokenbenchError: the number depends on the definition of a component.

    >>> count("Mississippi", "s", "en"), count("品味", "口", "zh"), count("각자", "ㄱ", "ko")
    (4, 4, 2)
    """
    text, part = string("text", text), string("part", part)
    spoken, script = language(lang), components(lang)
    if spoken.counts_words:
        return text.lower().count(part.lower())
    total = 0
    for char in units(text, spoken):
        number = script.number(char, part)
        if number is None:
            problem = f"how often {char!r} contains it depends on the definition of a part"
            remedy = "count in a result of decomposition.hanzi or decomposition.hangul"
            raise TokenbenchError(problem, argument="part", value=part, remedy=remedy)
        total += number
    return total


class _Plan(NamedTuple):
    """The possible questions.

    `ways` is the number of items by count, length and part; `weights` are those of the counts.
    """

    pool: Units
    ways: dict[int, dict[int, dict[str, int]]]
    weights: dict[int, int]


class _Vocabulary(NamedTuple):
    """Words or characters to ask about; `source` is for an item's meta."""

    language: Language
    words: tuple[str, ...]
    source: str


def _pool(spec: ItemSpec) -> Pool | None:
    """Return all questions about one word or character; longer texts are drawn."""
    if not _has_one_unit(spec):
        return None
    vocabulary = _vocabulary(spec)
    return Pool(_single_unit_instances(vocabulary, spec.range("count")), vocabulary.source)


def _sample(spec: ItemSpec, draw: Draw) -> Question:
    vocabulary = _vocabulary(spec)
    plan = _plan(vocabulary, spec.range("length"), spec.range("count"))
    question = _ask(_draw_instance(draw, plan), draw, spec)
    return question._replace(source=vocabulary.source)


def _ask(instance: Instance, draw: Draw, spec: ItemSpec) -> Question:
    part, units, count = instance
    particles = spec.language.particles(part)
    text = _JOINERS[spec.lang].join(draw.shuffled(units))
    return Question(
        question_text(draw, "compc", spec, text, part=part, **particles),
        count,
        {"length": len(units), "count": count},
        published=Published("number", str(count)),
    )


def _vocabulary(spec: ItemSpec) -> _Vocabulary:
    """Return the words or characters of a split, which no other split asks about."""
    # Only drawing needs it.
    from tokenbench.text.lexicon import repertoire

    words, source = repertoire(spec.language, spec.words)
    return _Vocabulary(spec.language, _of_split(spec.language, words, spec.split), source)


@lru_cache(maxsize=CACHE_SIZE)
def _of_split(language: Language, words: tuple[str, ...], split: Split) -> tuple[str, ...]:
    # An accented letter is another letter to some readers, and not to others.
    if language.counts_words:
        words = tuple(word.lower() for word in words if word.isascii())
    return of_split(words, split)


def _sizes(language: Language, lengths: tuple[int, int]) -> range:
    """Return how many words or characters there may be: a word counts as two characters."""
    low, high = lengths
    if language.counts_words:
        return range((low + 1) // 2, (high + 1) // 2 + 1)
    return range(low, high + 1)


def _has_one_unit(spec: ItemSpec) -> bool:
    """Return whether an item is about one word or character, so that items can be enumerated."""
    return _sizes(spec.language, spec.range("length"))[-1] == 1


@lru_cache(maxsize=CACHE_SIZE)
def _units_by_count(vocabulary: _Vocabulary) -> Units:
    """Return, for each part, the words or characters that contain it never, once, twice, …."""
    pool: Units = {}
    script = components(vocabulary.language.code)
    for part in component_counts.question_parts(vocabulary.language.code):
        numbers = ((script.number(unit, part), unit) for unit in vocabulary.words)
        by_count = group((number, unit) for number, unit in numbers if number is not None)
        pool[part] = dict(sorted(by_count.items()))
    return pool


@lru_cache(maxsize=CACHE_SIZE)
def _single_unit_instances(
    vocabulary: _Vocabulary, counts: tuple[int, int]
) -> tuple[Instance, ...]:
    """Return all instances with one word or character.

    As many lack a part as contain it, so that the part does not give the count away. Where many
    contain it several times, few more do once, and a few lack it: to see it is not to count it.
    """
    several_are_common = not components(vocabulary.language.code).repeats_rarely and counts[1] > 1
    instances: list[Instance] = []
    for part, by_count in _units_by_count(vocabulary).items():
        draw = Draw("compc", vocabulary.language.code, part)
        wanted = {0: sum(len(units) for number, units in by_count.items() if number)}
        if several_are_common:
            several = sum(len(units) for number, units in by_count.items() if number > 1)
            wanted = {0: several // _SEVERAL_PER_NONE, 1: several * 6 // 5}
        chosen = by_count | {
            number: tuple(draw.shuffled(by_count.get(number, ()))[:most])
            for number, most in wanted.items()
        }
        for number in sorted(chosen.keys() & range(counts[0], counts[1] + 1)):
            instances += [(part, (unit,), number) for unit in chosen[number]]
    if not instances:
        raise _no_instance_error(vocabulary, counts)
    return tuple(instances)


@lru_cache(maxsize=4 * CACHE_SIZE)
def _plan(vocabulary: _Vocabulary, lengths: tuple[int, int], counts: tuple[int, int]) -> _Plan:
    """Return the counts that can be asked for, with the lengths and parts that have them."""
    pool = _units_by_count(vocabulary)
    # Few characters contain a part twice, so these may themselves recur.
    if components(vocabulary.language.code).repeats_rarely:
        pool = {
            part: {number: units * (2 if number > 1 else 1) for number, units in by_count.items()}
            for part, by_count in pool.items()
        }
    ways: dict[int, dict[int, dict[str, int]]] = {}
    for number in range(counts[0], counts[1] + 1):
        for size in _sizes(vocabulary.language, lengths):
            by_part = {part: count_ways(by_count, number, size) for part, by_count in pool.items()}
            if possible := {part: n for part, n in by_part.items() if n}:
                ways.setdefault(number, {})[size] = possible
    if not ways:
        raise _no_instance_error(vocabulary, counts)
    weights = {number: _weight(*by_size.values()) for number, by_size in ways.items()}
    # To see the part is not to count it.
    if 0 in weights and len(weights) > 1:
        weights[0] = weights[0] // _LESS_LIKELY + 1
    return _Plan(pool, ways, weights)


def _no_instance_error(vocabulary: _Vocabulary, counts: tuple[int, int]) -> DifficultyError:
    problem = f"nothing of that length in {vocabulary.source} contains a part that many times"
    remedy = "ask for another count, length or word list"
    return DifficultyError(problem, argument="count", value=list(counts), remedy=remedy)


def _weight(*ways: dict[str, int]) -> int:
    return min(_MAX_WEIGHT, sum(sum(by_part.values()) for by_part in ways))


def _draw_instance(draw: Draw, plan: _Plan) -> Instance:
    number = choose_by_weight(draw, plan.weights)
    ways = plan.ways[number]
    size = choose_by_weight(draw, {size: _weight(by_part) for size, by_part in ways.items()})
    # Few parts can occur often. They are also asked for where they do not, so that the part does
    # not give a high count away: it is drawn from those that can have some count from this one on.
    higher = {count: plan.ways[count].get(size, {}) for count in plan.ways if count >= number}
    weights = {count: _weight(by_part) for count, by_part in higher.items()}
    parts = higher[choose_by_weight(draw, weights)]
    possible = {part: min(_MAX_WEIGHT, parts[part]) for part in parts if part in ways[size]}
    part = choose_by_weight(draw, possible or ways[size])
    return part, sample_units(draw, plan.pool[part], number, size), number


def _guess(item: Item) -> float:
    """Return the share of the most frequent count."""
    spec = TASK.spec_of(item)
    vocabulary, counts = _vocabulary(spec), spec.range("count")
    if _has_one_unit(spec):
        instances = _single_unit_instances(vocabulary, counts)
        weights: dict[int, int] = Counter(number for _, _, number in instances)
    else:
        weights = _plan(vocabulary, spec.range("length"), counts).weights
    return max(weights.values()) / sum(weights.values())


TASK = tase_task(
    name="compc",
    doc="Count how often a letter, jamo or component occurs in words or characters.",
    answer=Number(field="count", wrong="not how often it occurs"),
    pool=_pool,
    ask=_ask,
    sample=_sample,
    # Longer texts are drawn, not enumerated.
    guess=_guess,
    source="TASE, token structure: COMPC",
    params=(
        IntRange(
            "length",
            default=(1, 6),
            max=30,
            help="characters, or in English half as many words",
            scales_with_level=True,
        ),
        IntRange(
            "count", default=(0, 10), max=30, help="occurrences of the letter, jamo or component"
        ),
        Source("words", SOURCES, help="where words and characters come from"),
    ),
)
generate = TASK.generate
verify = TASK.verify
