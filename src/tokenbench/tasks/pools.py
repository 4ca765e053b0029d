"""Pools of instances to ask about: by length, the words of a language, and its characters."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import compress
from typing import ClassVar, Final, TypeVar

from tokenbench.draw import Split, of_split
from tokenbench.tasks.params import LEVELS, IntRange, Param, Source
from tokenbench.tasks.spec import ItemSpec, LengthOrLevel, Outcome, Pool
from tokenbench.text.sources import CACHE_SIZE, SOURCES

_T = TypeVar("_T")


def length_range(unit: str, *, default: tuple[int, int], longest: int) -> IntRange:
    """Return the parameter `length` of a task whose instances `select_by_length` selects."""
    explanation = f"{unit}; the nearest length that there is; a level is a tenth of them by length"
    return IntRange("length", default=default, max=longest, help=explanation)


@dataclass(frozen=True)
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
    return select_by_length(of_split(words, split), len, *size)


def select_by_length(
    texts: Sequence[_T],
    size: Callable[[_T], int],
    length: tuple[int, int] | None,
    level: int | None,
) -> tuple[_T, ...]:
    """Return the texts of the length or level asked for, by length.

    If none has the length asked for, those are returned whose length is nearest to it. A level is a
    tenth of the texts in the order of their lengths, so that each level has some.

    >>> texts = ["dddd", "a", "bb"]
    >>> select_by_length(texts, len, (2, 3), None), select_by_length(texts, len, None, 9)
    (('bb',), ('dddd',))
    """
    texts = sorted(texts, key=size)
    if length and texts:
        low, high = length
        distances = [max(low - size(text), size(text) - high, 0) for text in texts]
        nearest = min(distances)
        return tuple(compress(texts, (distance == nearest for distance in distances)))
    if level is None:
        return tuple(texts)
    start = len(texts) * level // LEVELS
    return tuple(texts[start : max(start + 1, len(texts) * (level + 1) // LEVELS)])


english_words = WordPool("en")
CHARACTER_PARAMS: Final = (
    IntRange(
        "parts",
        default=(2, 3),
        max=4,
        help="parts; Hangul syllables have two or three",
        scales_with_level=True,
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
