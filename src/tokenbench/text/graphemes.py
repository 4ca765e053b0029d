"""Characters as readers see them: extended grapheme clusters, with Indic conjuncts whole."""

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import combinations
from typing import Final

# Forms of a letter that decomposition does not separate from it: small kana (エ, カ: by the
# look-alikes below), katakana ヘ, which looks as in hiragana, final letters of Greek and Hebrew,
# the dotless i.
_FORMS: Final = str.maketrans(
    "ぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶヘςךםןףץı",
    "あいうえおつやゆよわかけアイウ工オツヤユヨワ力ケへσכמנפצi",
)
# Rows of Amharic letters that sound alike, each of eight vowels: ሐ, ኀ and ኸ like ሀ, ሠ like ሰ, ዐ
# like አ, ፀ like ጸ; in the rows of ሀ and አ the fourth vowel sounds like the first. Writers use one
# for the other.
_FOURTH: Final = 3
_THROATY: Final = (0x1200, 0x12A0)
_HOMOPHONES: Final = {
    row + vowel: like + (0 if vowel == _FOURTH and like in _THROATY else vowel)
    for row, like in (
        *((0x1200, 0x1200), (0x1210, 0x1200), (0x1280, 0x1200), (0x12B8, 0x1200)),
        *((0x12A0, 0x12A0), (0x12D0, 0x12A0), (0x1220, 0x1230), (0x1340, 0x1338)),
    )
    for vowel in range(8)
}
# Characters of different scripts that look the same, and ß, which is also written ss.
_LOOKALIKES: Final = str.maketrans("ーニミロタハエカリß", "一二三口夕八工力りs")
_SAME: Final = _FORMS | _HOMOPHONES | _LOOKALIKES
# Letters of Devanagari that also stand as signs on another one.
_VOWELS: Final = dict(zip("ािीुूृेैोौॉ", "आइईउऊऋएऐओऔऑ", strict=True))
# Letters that Arabic readers also see in a letter whose marks Unicode does not decompose.
_ALSO: Final = {"أ": "ء", "إ": "ء", "آ": "ء", "ؤ": "ء", "ئ": "ء", "ة": "هت", "ى": "ي"}
_FINAL: Final = frozenset("ةىςךםןףץ")  # letters in a form that ends words
# An even number of the letters that make flags in pairs, with one more behind them.
_FLAGS: Final = re.compile("[\U0001f1e6-\U0001f1ff]{64}(?=[\U0001f1e6-\U0001f1ff])")


def graphemes(text: str) -> list[str]:
    """Return the extended grapheme clusters of a text (Unicode UAX 29, rule GB9c included).

    >>> graphemes("क्षमा"), graphemes("가게"), graphemes("naïve")
    (['क्ष', 'मा'], ['가', '게'], ['n', 'a', 'ï', 'v', 'e'])
    """
    if text.isascii() and "\r" not in text:
        return list(text)
    # Slow to import, and judging segments for partial credit alone.
    from regex import findall

    found: list[str] = []
    start = 0
    # For each letter of flags the engine goes back over all before it. After an even number of
    # them a character ends, whatever follows.
    for flags in _FLAGS.finditer(text):
        found += findall(r"\X", text[start : flags.end()])
        start = flags.end()
    found += findall(r"\X", text[start:])
    return found


def stand_apart(units: list[str]) -> bool:
    """Return whether characters make a word in which each stays a character of its own.

    No character joins another one, and no word-final form comes before the end.

    >>> stand_apart(["क", "षा"]), stand_apart(["क्", "षा"]), stand_apart(["ς", "ο"])
    (True, False, False)
    """
    return _FINAL.isdisjoint(units[:-1]) and graphemes("".join(units)) == units


def alike(one: str, other: str, *, case: bool = False) -> bool:
    """Return whether readers may take two characters for one, or find the one in the other.

    They may if the two differ only in their marks, as क and कि, か and が, и and й do; if a letter
    of the one is in the other, as र in त्र, or its vowel sign; if one kana is the small form of the
    other, or two Amharic letters have one sound; and, unless `case` counts, if they differ in case.

    >>> alike("क", "कि"), alike("é", "E"), alike("é", "E", case=True), alike("가", "각")
    (True, True, False, False)
    """
    if not case:
        one, other = one.lower(), other.lower()
    (letters, signs), (others, their_signs) = _letters_and_signs(one), _letters_and_signs(other)
    return not (
        letters.isdisjoint(others) and signs.isdisjoint(others) and letters.isdisjoint(their_signs)
    )


def is_clear(units: Iterable[str]) -> bool:
    """Return whether no character may be taken for another: they are equal, or not alike.

    Upper and lower case are the same character.

    >>> is_clear("Anna"), is_clear("resumé")
    (True, False)
    """
    different = sorted({unit.lower() for unit in units})
    return not any(alike(*pair) for pair in combinations(different, 2))


@lru_cache(maxsize=1 << 14)
def _letters_and_signs(unit: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the letters of a grapheme, and the vowels of its vowel signs."""
    if "가" <= unit[0] <= "힣":
        return frozenset(unit[0]), frozenset()
    from unicodedata2 import category, normalize

    parts = normalize("NFD", unit)
    letters = [part.translate(_SAME) for part in parts if category(part)[0] != "M"]
    others = [letter for part in unit for letter in _ALSO.get(part, "")]
    signs = [_VOWELS[part] for part in parts if part in _VOWELS]
    return frozenset(letters or unit[0]) | frozenset(others), frozenset(signs)
