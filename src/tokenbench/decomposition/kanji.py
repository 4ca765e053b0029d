"""Japanese kanji and their components, as a Japanese reader sees them.

The data is that of `tokenbench.decomposition.hanzi`, in the forms that Japanese prints: 語 is
言 + 吾 where the data has the Chinese form 訁. `data/kanji.tsv` lists kanji whose components are
different in Japanese, or doubtful.

Components are normalized (see `normalize`), and their order in a decomposition means nothing.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final

from tokenbench.checks import texts
from tokenbench.decomposition import hanzi
from tokenbench.decomposition.hanzi import STROKES, Parts, different, rows, sort_parts
from tokenbench.grouping import group
from tokenbench.text.units import is_encodable, kanji

# Forms of radicals that Japanese prints as the character itself, and the 戸 of Japanese.
_PRINTED: Final = str.maketrans("訁糹釒飠覀户戶", "言糸金食西戸戸")
# Kana that are written like a component and often stand for it: a kanji has no kana in it.
_KANA: Final = str.maketrans("ハムロエカタニトメヨイネヒウワリ", "八厶口工力夕二卜乂彐亻礻匕宀冖刂")
# Components that every reader knows though they are not characters.
_WELL_KNOWN: Final = frozenset("氵艹扌亻辶阝忄刂犭疒礻灬罒衤爫牜耂彡彳攵宀冖厂广尸囗")


def normalize(part: str) -> str:
    """Return a component of a kanji in the form in which components are compared.

    Argument and error are those of `tokenbench.decomposition.hanzi.normalize`.

    >>> normalize("訁"), normalize("⺡"), normalize("ム"), normalize("扌")
    ('言', '氵', '厶', '扌')
    """
    return hanzi.normalize(part).translate(_PRINTED).translate(_KANA)


def decompose(char: str) -> tuple[Parts, ...]:
    """Return the decompositions of a kanji that a Japanese reader would agree to.

    Args:
        char: one kanji.

    Returns:
        one tuple of two or more components for each decomposition, radicals in their printed
        forms; empty where the data is missing or doubtful.

    Raises:
        TokenbenchError: not one character.

    >>> decompose("語"), decompose("扉"), decompose("魚")
    ((('言', '吾'),), (('戸', '非'),), ())
    """
    found = hanzi.decompose(char)
    return () if char in _doubtful() else _in_japanese(char, found)


def right_decompositions(char: str) -> tuple[Parts, ...]:
    """Return the decompositions of a kanji, with radicals in their full forms as well.

    Argument and error are those of `decompose`.

    >>> right_decompositions("持"), right_decompositions("陪")
    ((('扌', '寺'), ('手', '寺')), (('阝', '咅'), ('阜', '咅')))
    """
    found = hanzi.right_decompositions(char)
    return () if char in _doubtful() else _in_japanese(char, found)


def compose(parts: Sequence[str]) -> Parts:
    """Return every kanji that has exactly these components, in code point order.

    Kanji are those of JIS X 0213: 语 is not one, though Chinese writes 語 so.

    Args:
        parts: components in any order, radicals in their printed or full forms.

    Raises:
        TokenbenchError: not a sequence of str.

    >>> compose(["吾", "言"]), compose(["木", "口"])
    (('語',), ('呆', '杏', '束'))
    """
    return _by_parts().get(sort_parts(map(normalize, texts("parts", parts))), ())


@cache
def components(char: str) -> tuple[Parts, ...]:
    """Return those decompositions of a kanji that are fit for questions, the best one first.

    Its parts are kanji of JIS X 0208 or well-known radicals, if possible of level 1, and make no
    other kanji of JIS X 0208.

    >>> components("語"), components("宿")[0], components("杏"), components("部")
    ((('言', '吾'),), ('宀', '亻', '百'), (), ())
    """
    found = [
        parts
        for parts in decompose(char)
        if _jis_x_0208(2) >= set(parts) - _WELL_KNOWN
        and STROKES.isdisjoint(parts)
        and _jis_x_0208(2).isdisjoint(set(compose(parts)) - {char})
    ]
    common = _jis_x_0208(1)
    found.sort(key=lambda parts: (not common >= set(parts) - _WELL_KNOWN, len(parts)))
    return tuple(found)


def _in_japanese(char: str, found: Iterable[Parts]) -> tuple[Parts, ...]:
    """Return decompositions in Japanese forms, no two of the same components."""
    printed = (tuple(part.translate(_PRINTED) for part in parts) for parts in found)
    return different(parts for parts in printed if char not in parts)


@cache
def _by_parts() -> dict[Parts, Parts]:
    """Return the kanji of all components; doubtful kanji too, so that none seems unique."""
    return group(
        (sort_parts(parts), char)
        for char in hanzi.characters()
        if is_encodable(char, "euc_jis_2004")  # JIS X 0213
        for parts in _in_japanese(char, hanzi.right_decompositions(char))
    )


@cache
def _doubtful() -> frozenset[str]:
    return frozenset(char for _, chars in rows("kanji.tsv") for char in chars)


@cache
def _jis_x_0208(level: int) -> frozenset[str]:
    return frozenset(kanji(level))
