"""The facts about each language that asking and judging need."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal, NamedTuple

from tokenbench.errors import unknown


class Language(NamedTuple):
    """One language: its unit, its punctuation, its closed lists of answer words.

    `unit` is what counting, sorting and reordering act on: a word, a Han character or a Hangul
    syllable. `counters` are the unit words that may follow a number. `same`, `yes` and `no` are
    answer words, hence never tokens to compare.
    """

    code: str
    unit: Literal["word", "han", "hangul"]
    joiner: str  # what stands between two units in a list of them
    comma: str
    stops: str
    counters: tuple[str, ...]
    same: tuple[str, ...]
    yes: tuple[str, ...]
    no: tuple[str, ...]
    conjunctions: tuple[str, ...]  # what may stand between two answer words

    @property
    def reserved(self) -> frozenset[str]:
        """The answer words, which no item may hold as tokens."""
        return frozenset(self.same + self.yes + self.no)


LANGUAGES: Final[Mapping[str, Language]] = MappingProxyType(
    {
        "en": Language(
            code="en",
            unit="word",
            joiner=" ",
            comma=", ",
            stops=".!",
            counters=(
                *("time", "times", "word", "words", "occurrence", "occurrences"),
                *("letter", "letters", "character", "characters"),
            ),
            same=("same",),
            yes=("yes",),
            no=("no",),
            conjunctions=("and", "&"),
        ),
        "zh": Language(
            code="zh",
            unit="han",
            joiner="",
            comma="，",
            stops="。！",
            counters=("次", "个", "字", "回", "个字", "汉字", "个汉字"),
            same=("相同",),
            yes=("是",),
            no=("不是", "不", "否"),
            conjunctions=("和", "与", "及"),
        ),
        "ko": Language(
            code="ko",
            unit="hangul",
            joiner="",
            comma=", ",
            stops=".!",
            counters=("번", "회", "개", "자", "글자", "음절"),
            same=("같음",),
            yes=("예", "네"),
            no=("아니요", "아니오"),
            conjunctions=("와", "과", "하고"),
        ),
    }
)


def language(code: str) -> Language:
    """Return a language by its BCP 47 code.

    Raises:
        UnknownNameError: no such language.
    """
    try:
        return LANGUAGES[code]
    except (KeyError, TypeError):
        raise unknown("language", code, LANGUAGES) from None
