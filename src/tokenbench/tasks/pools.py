"""Pools of instances to ask about: by length, the words of a language, and its characters."""

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from itertools import compress
from typing import ClassVar, Final, TypeVar

from tokenbench.draw import Split, of_split
from tokenbench.records import record
from tokenbench.tasks.params import LEVELS, IntRange, Param, Source
from tokenbench.tasks.spec import ItemSpec, LengthOrLevel, Outcome, Pool
from tokenbench.text.sources import CACHE_SIZE, SOURCES

T = TypeVar("T")
# Instances of the split train that each level has, if there are as many.
MIN_INSTANCES: Final = 200


def length_range(unit: str, *, default: tuple[int, int], longest: int) -> IntRange:
    """Return the parameter `length` of a task whose instances `select_by_length` selects."""
    explanation = f"{unit}; the nearest length that there is; a level is a part of them by length"
    return IntRange("length", default=default, max=longest, help=explanation)


@record()
class WordPool:
    """The words of a language, as the `pool` of a `Task`, with the parameters `length` and `words`.

    Each word is in one split only. `lang` is fixed, so that a task can ask in another language.

    >>> from tokenbench.tasks import task
    >>> words = english_words(task("sort").spec(split="test"))
    >>> words.source[:18], words.instances[0]
    ('tokenbench lexicon', 'owl')
    """

    lang: str
    params: ClassVar[tuple[Param, ...]] = (
        length_range("letters of the word", default=(3, 12), longest=40),
        Source("words", SOURCES, help="where the words come from"),
    )

    def __call__(self, spec: ItemSpec) -> Pool:
        """Return the words of a spec.

        Raises:
            SourceError, MissingExtraError: the source of the words cannot be read.
        """
        # Only drawing needs it.
        from tokenbench.text.lexicon import words

        texts, source = words(self.lang, spec.words)
        return Pool(_select(texts, spec.split, spec.length_or_level()), source)


@lru_cache(maxsize=8 * CACHE_SIZE)
def _select(words: tuple[str, ...], split: Split, size: LengthOrLevel) -> tuple[str, ...]:
    n_train = len(of_split(words, "train"))
    return select_by_length(of_split(words, split), len, size, n_train)


def select_by_length(
    texts: Sequence[T], size: Callable[[T], int], asked: LengthOrLevel, n_train: int
) -> tuple[T, ...]:
    """Return the texts of the length or level asked for, by length; all if neither is.

    Args:
        texts: the texts of a split.
        size: the length of a text.
        asked: a range of lengths, or a level.
        n_train: the number of texts in the split train.

    >>> texts = ["dddd", "a", "bb"]
    >>> select_by_length(texts, len, ((2, 3), None), 3)
    ('bb',)
    >>> select_by_length(texts, len, (None, 9), 3), select_by_length(texts, len, (None, 9), 600)
    (('a', 'bb', 'dddd'), ('dddd',))
    """
    length, level = asked
    if length:
        return nearest_in_length(texts, size, length)
    if level is None:
        return tuple(sorted(texts, key=size))
    n_parts = n_bands(n_train)
    return part_of(texts, size, level * n_parts // LEVELS, n_parts)


def nearest_in_length(
    texts: Sequence[T], size: Callable[[T], int], length: tuple[int, int]
) -> tuple[T, ...]:
    """Return the texts in a range of lengths, or else those whose length is nearest to it.

    >>> nearest_in_length(["dddd", "a", "bb"], len, (5, 7))
    ('dddd',)
    """
    texts, (low, high) = sorted(texts, key=size), length
    distances = [max(low - size(text), size(text) - high, 0) for text in texts]
    nearest = min(distances, default=0)
    return tuple(compress(texts, (distance == nearest for distance in distances)))


def n_bands(n_train: int) -> int:
    """Return into how many parts of equal size a pool is cut for the ten levels.

    Each has 200 instances of the split train; where there are not enough for ten, neighboring
    levels share a part.

    >>> n_bands(100), n_bands(700), n_bands(10**6)
    (1, 3, 10)
    """
    return min(LEVELS, max(1, n_train // MIN_INSTANCES))


def part_of(texts: Sequence[T], size: Callable[[T], int], part: int, n_parts: int) -> tuple[T, ...]:
    """Return one of several equal parts of texts, in the order of their lengths.

    >>> part_of(["dddd", "a", "bb"], len, 0, 2), part_of(["dddd", "a", "bb"], len, 1, 2)
    (('a',), ('bb', 'dddd'))
    """
    texts = sorted(texts, key=size)
    start = len(texts) * part // n_parts
    return tuple(texts[start : max(start + 1, len(texts) * (part + 1) // n_parts)])


english_words = WordPool("en")
CHARACTER_PARAMS: Final = (
    IntRange(
        "parts",
        default=(2, 3),
        max=4,
        help="parts; Hangul syllables have two or three",
        scales_with_level=True,
        # Too few characters have three.
        parts={"zh": ((2, 3),), "ja": ((2, 3),)},
    ),
)


def characters(lang: str, split: Split) -> tuple[str, ...]:
    """Return the characters of a split that are in common use.

    >>> len(characters("ko", "test"))
    242
    """
    # Scoring a word does not need it.
    from tokenbench.decomposition.components import components

    return of_split(components(lang).characters(), split)


def character_pool(spec: ItemSpec) -> Pool:
    """Return the characters of a split that have as many parts as the spec asks for.

    >>> from tokenbench.tasks import task
    >>> character_pool(task("decompose").spec(lang="ko", split="test", parts=2)).instances[0]
    ('거', 2)
    """
    from tokenbench.decomposition.components import components

    instances = _wholes(spec.lang, spec.split, *spec.range("parts"))
    return Pool(instances, components(spec.lang).repertoire)


def character_outcomes(whole: tuple[str, int], spec: ItemSpec) -> list[Outcome]:
    """Return the answers about a character that may be right, in either direction."""
    from tokenbench.decomposition.components import right_answers

    return [(answer, 1.0) for answer in right_answers(spec.lang, whole)]


@cache
def _wholes(lang: str, split: Split, low: int, high: int) -> tuple[tuple[str, int], ...]:
    from tokenbench.decomposition.components import wholes

    return wholes(lang, characters(lang, split), low, high, {})
