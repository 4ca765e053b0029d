"""COMPC: how often does a letter, jamo or component occur in a few words or characters?

A count is asked for only where it does not depend on what is taken for a component: whether the
parts of a Han character are taken apart in turn, and whether clusters, double letters and compound
vowels are one jamo or several.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from tokenbench.answers.closed import Number
from tokenbench.decomposition import component_counts
from tokenbench.draw import Draw, Split, of_split
from tokenbench.errors import DifficultyError, TokenbenchError
from tokenbench.item import Item
from tokenbench.tasks.contract import Pool, Published, Question, Task
from tokenbench.tasks.spec import IntRange, ItemSpec, Source
from tokenbench.tasks.wordings import question_text
from tokenbench.text.languages import language
from tokenbench.text.sources import CACHE_SIZE, SOURCES
from tokenbench.text.units import units

Units: TypeAlias = dict[str, dict[int, tuple[str, ...]]]  # by part and its count in them
# A part, the words or characters to count it in, and the count.
Instance: TypeAlias = tuple[str, tuple[str, ...], int]

_JOINERS: Final = {"en": ", ", "zh": "、", "ko": ", "}
_CONSONANT: Final = {"subject": "이", "topic": "은", "object": "을"}  # particles after its name
_VOWEL: Final = {"subject": "가", "topic": "는", "object": "를"}
_ENOUGH: Final = 1000  # items that a count needs to be as likely as any other


def count(text: str, part: str, lang: str) -> int:
    """Return how often a letter, jamo or component occurs in a text, whatever counts as one.

    Args:
        text: words, Han characters or Hangul syllables; anything else holds no part.
        part: a letter, whatever its case; a component in its printed form; a jamo.
        lang: en, zh or ko.

    Raises:
        UnknownNameError: no such language.
        TokenbenchError: the number depends on what is taken for a component.

    >>> count("Mississippi", "s", "en"), count("品味", "口", "zh"), count("각자", "ㄱ", "ko")
    (4, 4, 2)
    """
    if not (isinstance(text, str) and isinstance(part, str)):
        raise TokenbenchError(f"text and part are str: got {text!r:.80} and {part!r:.80}")
    if language(lang).unit == "word":
        return text.lower().count(part.lower())
    total = 0
    for char in units(text, lang):
        found = component_counts.number(char, part, lang)
        if found is None:
            raise TokenbenchError(
                f"how often {char!r} holds {part!r:.80} depends on what is taken for a component: "
                "take it apart with parts.hanzi or parts.hangul, and count in one of the readings"
            )
        total += found
    return total


class _Plan(NamedTuple):
    """What can be asked for; `ways` has the number of items by count, length and part."""

    pool: Units
    ways: dict[int, dict[int, dict[str, int]]]
    weights: dict[int, int]  # of the counts


class _Known(NamedTuple):
    """Words or characters to ask about; `source` for an item's meta."""

    lang: str
    words: tuple[str, ...]
    source: str


def _pool(spec: ItemSpec) -> Pool | None:
    """Return all questions about one word or character; longer texts are drawn."""
    if not _is_single(spec):
        return None
    known = _known(spec)
    return Pool(_singles(known, spec.range("count")), known.source)


def _sample(spec: ItemSpec, draw: Draw) -> Question:
    known = _known(spec)
    plan = _plan(known, spec.range("length"), spec.range("count"))
    question = _ask(_draw_instance(draw, plan), draw, spec)
    return question._replace(source=known.source)


def _ask(instance: Instance, draw: Draw, spec: ItemSpec) -> Question:
    part, units, count = instance
    slots = {} if spec.lang != "ko" else _VOWEL if part >= "ㅏ" else _CONSONANT
    text = _JOINERS[spec.lang].join(draw.shuffled(units))
    return Question(
        question_text(draw, "compc", spec.lang, text, form="ask", part=part, **slots),
        count,
        {"length": len(units), "count": count},
        published=Published("number", str(count)),
    )


def _known(spec: ItemSpec) -> _Known:
    """Return the words or characters of a split: what one is asked about, no other is."""
    from tokenbench.text.lexicon import vocabulary  # only drawing needs it

    found = vocabulary(spec.lang, spec.words)
    return _Known(spec.lang, _of_split(spec.lang, found.words, spec.split), found.source)


@lru_cache(maxsize=CACHE_SIZE)
def _of_split(lang: str, words: tuple[str, ...], split: Split) -> tuple[str, ...]:
    if lang == "en":  # an accented letter is another letter to some, and not to others
        words = tuple(word.lower() for word in words if word.isascii())
    return of_split(words, split)


def _sizes(lang: str, lengths: tuple[int, int]) -> range:
    """Return how many words or characters there may be: a word counts as two characters."""
    low, high = lengths
    return range((low + 1) // 2, (high + 1) // 2 + 1) if lang == "en" else range(low, high + 1)


def _is_single(spec: ItemSpec) -> bool:
    """Return whether an item is about one word or character: these can be enumerated."""
    return _sizes(spec.lang, spec.range("length"))[-1] == 1


@lru_cache(maxsize=CACHE_SIZE)
def _units_by_count(known: _Known) -> Units:
    """Return, for each part, the words or characters that hold it never, once, twice, …."""
    pool: Units = {}
    for part in component_counts.QUESTION_PARTS[known.lang]:
        held = defaultdict(list)
        for unit in known.words:
            number = component_counts.number(unit, part, known.lang)
            if number is not None:
                held[number].append(unit)
        pool[part] = {number: tuple(found) for number, found in sorted(held.items())}
    return pool


@lru_cache(maxsize=CACHE_SIZE)
def _singles(known: _Known, asked: tuple[int, int]) -> tuple[Instance, ...]:
    """Return all that can be asked about one word or character.

    Each part is absent from as many as hold it, lest the part tell the count.
    """
    instances: list[Instance] = []
    for part, held in _units_by_count(known).items():
        absent, present = held.get(0, ()), sum(len(held[number]) for number in held if number)
        places = Draw("compc", known.lang, part).sample(len(absent), min(len(absent), present))
        found = {**held, 0: tuple(absent[place] for place in places)}
        for number in sorted(found.keys() & range(asked[0], asked[1] + 1)):
            instances += [(part, (unit,), number) for unit in found[number]]
    if not instances:
        raise _impossible(known, asked)
    return tuple(instances)


@lru_cache(maxsize=4 * CACHE_SIZE)
def _plan(known: _Known, lengths: tuple[int, int], asked: tuple[int, int]) -> _Plan:
    """Return the counts that can be asked for, with the lengths and parts that have them."""
    from tokenbench.decomposition.sampling import count_ways as total_ways

    pool = _units_by_count(known)
    if known.lang == "zh":  # few characters hold a part twice, so these may themselves recur
        pool = {
            part: {number: found * (2 if number > 1 else 1) for number, found in held.items()}
            for part, held in pool.items()
        }
    ways: dict[int, dict[int, dict[str, int]]] = {}
    for number in range(asked[0], asked[1] + 1):
        for size in _sizes(known.lang, lengths):
            found = ((part, total_ways(held, number, size)) for part, held in pool.items())
            possible = {part: some for part, some in found if some}
            if possible:
                ways.setdefault(number, {})[size] = possible
    if not ways:
        raise _impossible(known, asked)
    weights = {number: _weight(map(_size_weight, ways[number].values())) for number in ways}
    return _Plan(pool, ways, weights)


def _impossible(known: _Known, asked: tuple[int, int]) -> DifficultyError:
    return DifficultyError(
        f"count={asked[0]} to {asked[1]}: nothing of that length in {known.source} holds a "
        "part so often; ask for another count, length or word list"
    )


def _weight(ways: Iterator[int]) -> int:
    return min(_ENOUGH, sum(ways))


def _size_weight(ways: dict[str, int]) -> int:
    return _weight(iter(ways.values()))


def _draw_instance(draw: Draw, plan: _Plan) -> Instance:
    from tokenbench.decomposition.sampling import sample_units, weighted_choice

    number = weighted_choice(draw, plan.weights)
    ways = plan.ways[number]
    size = weighted_choice(draw, {size: _size_weight(found) for size, found in ways.items()})
    # Few parts can occur often. They are asked for as much where they do not, lest they tell it.
    further = {reach: plan.ways[reach].get(size, {}) for reach in plan.ways if reach >= number}
    reach = further[
        weighted_choice(draw, {reach: _size_weight(found) for reach, found in further.items()})
    ]
    possible = {part: min(_ENOUGH, reach[part]) for part in reach if part in ways[size]}
    part = weighted_choice(draw, possible or ways[size])
    return part, sample_units(draw, plan.pool[part], number, size), number


def _guess(item: Item) -> float:
    """Return the share of the most frequent count."""
    spec = TASK.spec_of(item)
    known, asked = _known(spec), spec.range("count")
    if _is_single(spec):
        weights: dict[int, int] = Counter(number for _, _, number in _singles(known, asked))
    else:
        weights = _plan(known, spec.range("length"), asked).weights
    return max(weights.values()) / sum(weights.values())


TASK = Task(
    name="compc",
    doc="Count how often a letter, jamo or component occurs in words or characters.",
    answer=Number(field="count", wrong="not how often it occurs"),
    pool=_pool,
    ask=_ask,
    sample=_sample,
    guess=_guess,
    source="TASE, token structure: COMPC",
    version=2,
    langs=("en", "zh", "ko"),
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
generate, verify = TASK.generate, TASK.kind(None).verify
