"""Characters as readers see them: extended grapheme clusters, with Indic conjuncts whole."""

from functools import lru_cache
from typing import Final

# Other forms of a letter, which decomposing does not part from it: small kana, the kana and Han
# characters that print alike, final letters of Greek and Hebrew, the dotless i.
_FORMS: Final = str.maketrans(
    "ぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶへ力口二工夕八卜一ςךםןףץı",
    "あいうえおつやゆよわかけアイウエオツヤユヨワカケヘカロニエタハトーσכמנפצi",
)
# Rows of Amharic letters that sound alike, each of eight vowels: ሐ and ኀ like ሀ, ሠ like ሰ, ዐ like
# አ, ፀ like ጸ. Writers use one for the other.
_HOMOPHONES: Final = {
    row + vowel: like + vowel
    for row, like in (
        *((0x1210, 0x1200), (0x1280, 0x1200), (0x1220, 0x1230)),
        *((0x12D0, 0x12A0), (0x1340, 0x1338)),
    )
    for vowel in range(8)
}
_SAME: Final = _FORMS | _HOMOPHONES


def graphemes(text: str) -> list[str]:
    """Return the extended grapheme clusters of a text (Unicode UAX 29, rule GB9c included).

    >>> graphemes("क्षमा"), graphemes("가게"), graphemes("naïve")
    (['क्ष', 'मा'], ['가', '게'], ['n', 'a', 'ï', 'v', 'e'])
    """
    if text.isascii() and "\r" not in text:
        return list(text)
    from regex import findall  # slow to import, and judging never segments

    found: list[str] = findall(r"\X", text)
    return found


def stand_apart(units: list[str]) -> bool:
    """Return whether units remain what they are when they are joined.

    >>> stand_apart(["क", "षा"]), stand_apart(["क्", "षा"])
    (True, False)
    """
    return graphemes("".join(units)) == units


def alike(one: str, other: str, *, case: bool = False) -> bool:
    """Return whether readers may take two characters for one: they share the one that has marks.

    Such are क and कि, か and が, и and й; also small and full kana, characters that print alike
    (ヘ and へ), Amharic letters of the same sound, and, unless `case` counts, upper and lower case.

    >>> alike("क", "कि"), alike("é", "E"), alike("é", "E", case=True), alike("가", "각")
    (True, True, False, False)
    """
    return base(one, case=case) == base(other, case=case)


@lru_cache(maxsize=1 << 14)
def base(unit: str, *, case: bool = False) -> str:
    """Return the character that carries a grapheme's marks, in lower case unless `case` counts."""
    first = unit[0]
    if not "가" <= first <= "힣":
        from unicodedata2 import normalize

        first = str(normalize("NFD", first))[0].translate(_SAME)
    return first if case else first.lower()
