"""Pools that a task of yours can ask about: the words of a language, by split and length."""

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from tokenbench.draw import Split, of_split
from tokenbench.tasks.question import Pool
from tokenbench.tasks.select import select_by_length
from tokenbench.tasks.spec import IntRange, ItemSpec, Param, Source
from tokenbench.text.sources import CACHE_SIZE, SOURCES


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
        IntRange(
            "length",
            default=(3, 12),
            max=40,
            help="letters of the word; the nearest length that there is",
            scales_with_level=True,
        ),
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
        return Pool(_select(texts, spec.split, *spec.length_or_level()), source)


@lru_cache(maxsize=8 * CACHE_SIZE)
def _select(
    words: tuple[str, ...], split: Split, length: tuple[int, int] | None, level: int | None
) -> tuple[str, ...]:
    return select_by_length(of_split(words, split), len, length, level)


english_words = WordPool("en")
