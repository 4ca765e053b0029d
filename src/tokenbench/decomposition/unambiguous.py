"""The ways to take a word or character apart that questions about its parts can stand on.

Such a way serves both directions: what splits the whole can be told from any other way, and the
parts make nothing else.
"""

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, combinations, islice, pairwise
from typing import Final, NamedTuple

from tokenbench.decomposition import hangul, hanzi, kanji
from tokenbench.decomposition.hanzi_counts import STROKES
from tokenbench.decomposition.pieces import joins, told_by_ends
from tokenbench.errors import TokenbenchError

MOST: Final = 6  # parts of an English word
LEAST: Final = 2  # letters of each: "from e to e" would not say that it is one
FEWEST: Final = 3  # ways to cut an English word, one of which is asked for
# Characters that readers of Chinese take for one piece, or in whose listed components they would
# not see what is printed (北 has no 丬, 步 no 少).
_UNDIVIDED: Final = frozenset(
    "言里串辛承秉乐曲肉革金平目央史四丘击父火方文六元办斤王木米示柬兆辰庚"
    "北南争余敢燕曹庸皋卿竖寡脊徽微塞赛寨寒黑兴尔质拜步函凿卤匹"
)


class Pool(NamedTuple):
    """Words or characters that have a way, each with a number of parts.

    `commonest` is for how many of them one and the same answer may be right, at most.
    """

    wholes: tuple[tuple[str, int], ...]
    commonest: int


def pool(
    lang: str, known: Iterable[str], low: int, high: int, others: Mapping[str, Collection[str]]
) -> Pool:
    """Return those words or characters that have a way, in their order.

    Args:
        lang: `en`, `zh`, `ja` or `ko`.
        known: English words, Han characters, kanji or Hangul syllables.
        low: the least number of parts.
        high: the greatest.
        others: for English words, the other words of the same letters (see `pieces.rivals`).

    >>> pool("ko", ["가", "각"], 3, 4, {}), pool("en", ["lookout"], 2, 3, {}).wholes
    (Pool(wholes=(('각', 3),), commonest=1), (('lookout', 2), ('lookout', 3)))
    """
    found = []
    right: Counter[Hashable] = Counter()
    for whole in known:
        for n in range(low, high + 1):
            held = next(decompositions(lang, whole, n, others.get(whole, ())), None)
            if held:
                found.append((whole, n))
                right.update(_right(lang, whole, held))
    return Pool(tuple(found), max(right.values(), default=1))


def decompositions(
    lang: str, whole: str, n: int, others: Collection[str] = ()
) -> Iterator[tuple[str, ...]]:
    """Return the ways to take a word or character into n parts; of a character there is one.

    English: the cuts into parts of two letters or more that the first and last letters of the
    parts tell from any other cut, and whose parts make none of the others in whatever order; none
    if these are so few that cutting evenly is as good as reading what the ends say. Korean: what
    the positions hold. Chinese, but for characters that their readers take for one piece: the first
    decomposition that holds no bare stroke and makes no other character of GB 2312. Japanese: see
    `kanji.components`. Arguments as in `pool`, for one whole.

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
        told = (
            cut
            for cut in cuts(whole, n)
            if told_by_ends(cut) and not (others and joins(cut, others))
        )
        first = tuple(islice(told, FEWEST))
        return chain(first, told) if len(first) == FEWEST else iter(())
    if lang == "ko":
        return (held for held in (hangul.decompose(whole),) if len(held) == n)
    found = kanji.components(whole) if lang == "ja" else components(whole)
    return (held for held in found[:1] if len(held) == n)


def accepted(lang: str, whole: str) -> tuple[tuple[str, ...], ...]:
    """Return every way to take a character apart that is a right answer, by its language.

    >>> accepted("ko", "값"), accepted("zh", "把"), accepted("ja", "語")
    ((('ㄱ', 'ㅏ', 'ㅄ'),), (('扌', '巴'), ('手', '巴')), (('言', '吾'),))
    """
    if lang == "ko":
        return (hangul.decompose(whole),)
    return kanji.accepted(whole) if lang == "ja" else hanzi.accepted(whole)


def wholes(lang: str, parts: Sequence[str], known: Iterable[str] = ()) -> tuple[str, ...]:
    """Return every word or character that parts make.

    Args:
        lang: `en`: known words, from pieces in any order; `zh`: characters, from components in any
            order; `ja`: likewise kanji; `ko`: the syllable, from jamo in their order.
        parts: the parts.
        known: English words.

    >>> wholes("ko", ["ㄱ", "ㅏ"]), wholes("ko", ["ㅏ", "ㄱ"]), wholes("zh", ["戈", "扌"])
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
    if len(word) < n * LEAST:
        return
    # All letters of the parts but one each have no choice: places are drawn among the others, for
    # most cuts of a long word into many parts have too short a one.
    for free in combinations(range(1, len(word) - n * (LEAST - 1)), n - 1):
        places = (place + number * (LEAST - 1) for number, place in enumerate(free, 1))
        yield tuple(word[start:end] for start, end in pairwise((0, *places, len(word))))


@cache
def components(char: str) -> tuple[tuple[str, ...], ...]:
    """Return those decompositions of a Han character that questions can stand on.

    >>> components("贺"), components("不"), components("目"), components("找")
    ((('加', '贝'),), (), (), ())
    """
    if char in _UNDIVIDED:
        return ()
    return tuple(
        held
        for held in hanzi.decompose(char)
        if STROKES.isdisjoint(held)
        and not any(other != char and _in_gb2312(other) for other in hanzi.compose(held))
    )


def _right(lang: str, whole: str, held: tuple[str, ...]) -> Collection[Hashable]:
    """Return what may be right answers about a whole, in either direction."""
    if lang not in ("zh", "ja"):
        return {whole}
    listed = (tuple(sorted(option)) for option in accepted(lang, whole))
    return {*wholes(lang, held), *listed}


def _in_gb2312(char: str) -> bool:
    try:
        char.encode("gb2312")
    except UnicodeEncodeError:
        return False
    return True
