"""Decompositions of words and characters that are fit for questions in both directions.

A description of the cut fits no other one, and the parts make nothing else.
"""

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, combinations, islice, pairwise
from typing import Final, NamedTuple

from tokenbench.decomposition import hangul, hanzi, kanji
from tokenbench.decomposition.hanzi import STROKES
from tokenbench.decomposition.pieces import ends_identify, joins
from tokenbench.errors import TokenbenchError
from tokenbench.text.units import is_encodable

MIN_LETTERS: Final = 2  # of each part: "from e to e" would not say that it is one
_MIN_CUTS: Final = 3  # of an English word, so that cutting evenly is not enough


class Pool(NamedTuple):
    """Words or characters with an unambiguous decomposition, each with its number of parts.

    `commonest` is the greatest number of them for which one and the same answer may be right.
    """

    units: tuple[tuple[str, int], ...]
    commonest: int


def pool(
    lang: str, known: Iterable[str], low: int, high: int, others: Mapping[str, Collection[str]]
) -> Pool:
    """Return those words or characters that have an unambiguous decomposition, in their order.

    Args:
        lang: `en`, `zh`, `ja` or `ko`.
        known: English words, Han characters, kanji or Hangul syllables.
        low: the least number of parts.
        high: the greatest.
        others: for English words, the other words of the same letters (see `pieces.rivals`).

    >>> pool("ko", ["가", "각"], 3, 4, {}), pool("en", ["lookout"], 2, 3, {}).units
    (Pool(units=(('각', 3),), commonest=1), (('lookout', 2), ('lookout', 3)))
    """
    found = []
    answers: Counter[Hashable] = Counter()
    for unit in known:
        for n in range(low, high + 1):
            parts = next(decompositions(lang, unit, n, others.get(unit, ())), None)
            if parts:
                found.append((unit, n))
                # All answers about it that may be right, in either direction.
                if lang in ("zh", "ja"):
                    answers.update(compose(lang, parts))
                    answers.update(map(hanzi.sort_parts, right_decompositions(lang, unit)))
                else:
                    answers[unit] += 1
    return Pool(tuple(found), max(answers.values(), default=1))


def decompositions(
    lang: str, unit: str, n: int, others: Collection[str] = ()
) -> Iterator[tuple[str, ...]]:
    """Return the unambiguous decompositions into n parts: of a character at most one.

    English: the cuts into parts of two letters or more that the first and last letters of the
    parts distinguish from any other cut, and whose parts make none of the others in any order; none
    if these are too few, because cutting evenly would be as good as reading the ends. Korean: the
    jamo in the positions. Chinese, except characters that their readers take for one piece: the
    first decomposition without a bare stroke that makes no other character of GB 2312. Japanese:
    see `kanji.components`. Arguments as in `pool`, for one word or character.

    >>> list(decompositions("en", "banana", 2))
    []
    >>> list(decompositions("en", "lookout", 2, ["outlook"]))[-1]
    ('looko', 'ut')
    >>> len(list(decompositions("en", "cinema", 2))), list(decompositions("en", "surf", 2))
    (3, [])
    >>> list(decompositions("ko", "값", 3))
    [('ㄱ', 'ㅏ', 'ㅄ')]
    >>> list(decompositions("zh", "把", 2)), list(decompositions("zh", "找", 2))
    ([('扌', '巴')], [])
    """
    if lang == "en":
        clear = filter(ends_identify, cuts(unit, n))
        fit = (cut for cut in clear if not (others and joins(cut, others)))
        first = tuple(islice(fit, _MIN_CUTS))
        return chain(first, fit) if len(first) == _MIN_CUTS else iter(())
    if lang == "ko":
        found = right_decompositions(lang, unit)
    else:
        found = kanji.components(unit) if lang == "ja" else components(unit)
    return (parts for parts in found[:1] if len(parts) == n)


def right_decompositions(lang: str, unit: str) -> tuple[tuple[str, ...], ...]:
    """Return every way to take a character apart that is a right answer, by its language.

    >>> right_decompositions("ko", "값"), right_decompositions("ja", "語")
    ((('ㄱ', 'ㅏ', 'ㅄ'),), (('言', '吾'),))
    """
    if lang == "ko":
        return (hangul.decompose(unit),)
    return kanji.right_decompositions(unit) if lang == "ja" else hanzi.right_decompositions(unit)


def compose(lang: str, parts: Sequence[str], known: Iterable[str] = ()) -> tuple[str, ...]:
    """Return every word or character that parts make.

    Args:
        lang: `en`: known words, from pieces in any order; `zh`: characters, from components in any
            order; `ja`: likewise kanji; `ko`: the syllable, from jamo in their order.
        parts: the parts.
        known: English words.

    >>> compose("ko", ["ㄱ", "ㅏ"]), compose("ko", ["ㅏ", "ㄱ"]), compose("zh", ["戈", "扌"])
    (('가',), (), ('我', '找'))
    """
    if lang == "en":
        return joins(parts, known)
    if lang == "zh":
        return hanzi.compose(parts)
    if lang == "ja":
        return kanji.compose(parts)
    try:
        return (hangul.compose(parts),)
    except TokenbenchError:
        return ()


def cuts(word: str, n: int) -> Iterator[tuple[str, ...]]:
    """Return every way to cut an English word into n parts of two letters or more.

    >>> list(cuts("cable", 2))
    [('ca', 'ble'), ('cab', 'le')]
    """
    if len(word) < n * MIN_LETTERS:
        return
    # Most cuts of a long word into many parts have a part that is too short. So each part gets its
    # first letters without a choice, and places are chosen among the remaining letters.
    for free in combinations(range(1, len(word) - n * (MIN_LETTERS - 1)), n - 1):
        places = (place + number * (MIN_LETTERS - 1) for number, place in enumerate(free, 1))
        yield tuple(word[start:end] for start, end in pairwise((0, *places, len(word))))


@cache
def components(char: str) -> tuple[tuple[str, ...], ...]:
    """Return those decompositions of a Han character that are fit for questions.

    >>> components("贺"), components("不"), components("目"), components("找")
    ((('加', '贝'),), (), (), ())
    """
    if char in hanzi.reader_data()["undivided"]:
        return ()
    return tuple(
        parts
        for parts in hanzi.decompose(char)
        if STROKES.isdisjoint(parts)
        and not any(is_encodable(other, "gb2312") for other in {*hanzi.compose(parts)} - {char})
    )
