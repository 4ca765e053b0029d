"""Letters, jamo and components that one can ask for, and what holds them however one counts."""

from functools import lru_cache
from typing import Final

from tokenbench.errors import unknown

QUESTION_PARTS: Final = {
    "en": "abcdefghijklmnopqrstuvwxyz",
    "zh": (
        "氵扌口木艹亻月讠土钅纟阝辶女忄日火贝宀心石虫竹王禾疒目又大刂山攵足力广马页米冫隹酉车"
        "犭田寸白巾门尸立工衤彳彡耳穴欠灬子雨饣羊鸟斤皿户方弓夕爫礻舟殳止犬舌矢革气罒文走戈辛鱼"
        "见鬼云豆牙缶歹士示皮羽言"
    ),
    # Without those that readers see in other components, such as 木 in 米 and 日 in 車.
    "ja": (
        "氵扌艹亻言糸金阝辶女忄火貝宀石虫竹禾疒刂山攵力广馬頁米冫隹酉犭巾門尸衤彳彡欠灬雨食羊鳥"
        "斤皿方弓礻殳矢羽革走戈辛魚鬼舟骨"
    ),
    "ko": "ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎㅏㅑㅓㅕㅗㅛㅜㅠㅡㅣ",
}
_BASIC: Final = str.maketrans({"ㅐ": "ㅏㅣ", "ㅒ": "ㅑㅣ", "ㅔ": "ㅓㅣ", "ㅖ": "ㅕㅣ"})


def number(unit: str, part: str, lang: str) -> int | None:
    """Return how often a part occurs in a unit; None if that depends on the reading.

    Args:
        unit: a word in lower case, a Han character or a Hangul syllable.
        part: a letter, a component in its printed form, or a jamo.
        lang: en, zh or ko.

    >>> number("cocoa", "c", "en"), number("品", "口", "zh"), number("닭", "ㄱ", "ko")
    (2, 3, None)
    """
    if lang == "en":
        return unit.count(part)
    if lang == "zh":
        from tokenbench.decomposition import hanzi_counts

        return hanzi_counts.number(unit, part)
    found, *others = {reading.count(part) for reading in _readings(unit)}
    return None if others else found


def contains(unit: str, part: str, lang: str) -> bool | None:
    """Return whether a character holds a part; None if that depends on the reading.

    Args:
        unit: a Han character, a kanji or a Hangul syllable.
        part: a component in its printed form, or a jamo.
        lang: zh, ja or ko.

    Raises:
        UnknownNameError: no such language.

    >>> contains("品", "口", "zh"), contains("語", "言", "ja"), contains("각", "ㄴ", "ko")
    (True, True, False)
    """
    if lang == "ja":
        from tokenbench.decomposition import kanji

        return kanji.contains(unit, part)
    if lang not in ("zh", "ko"):
        raise unknown("language of characters with parts", lang, ("zh", "ja", "ko"))
    found = number(unit, part, lang)
    return None if found is None else found > 0


@lru_cache(maxsize=4096)
def _readings(syllable: str) -> tuple[str, str, str]:
    """Return the jamo of a syllable by position, as letters, and as basic letters (ㅐ is ㅏㅣ)."""
    from tokenbench.decomposition.hangul import decompose

    letters = "".join(decompose(syllable, parts="letters"))
    return "".join(decompose(syllable)), letters, letters.translate(_BASIC)
