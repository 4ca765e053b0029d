"""The closed lists of words that answers are made of, for each language in which prompts ask."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple


class AnswerWords(NamedTuple):
    """What answers in one language are made of beside what they name, in lower case.

    `counters` are the unit words that may follow a number, `conjunctions` what may stand between
    two answer words.
    """

    counters: tuple[str, ...]
    same: tuple[str, ...]
    yes: tuple[str, ...]
    no: tuple[str, ...]
    conjunctions: tuple[str, ...]


def answer_words(code: str) -> AnswerWords:
    """Return the answer words of a language: English ones where we have none of it.

    Such are the languages of users' packs, whose prompts ask in English.

    >>> answer_words("ko").yes, answer_words("tr").yes
    (('예', '네'), ('yes',))
    """
    return _ANSWER_WORDS.get(code) or _ANSWER_WORDS.get(code.partition("-")[0]) or _ENGLISH


_ENGLISH: Final = AnswerWords(
    counters=(
        *("time", "times", "word", "words", "occurrence", "occurrences"),
        *("letter", "letters", "character", "characters"),
    ),
    same=("same",),
    yes=("yes",),
    no=("no",),
    conjunctions=("and", "&"),
)
_ANSWER_WORDS: Final[Mapping[str, AnswerWords]] = MappingProxyType(
    {
        "en": _ENGLISH,
        "zh": AnswerWords(
            counters=("次", "个", "字", "回", "个字", "汉字", "个汉字"),
            same=("相同",),
            yes=("是",),
            no=("不是", "不", "否"),
            conjunctions=("和", "与", "及"),
        ),
        "ko": AnswerWords(
            counters=("번", "회", "개", "자", "글자", "음절"),
            same=("같음",),
            yes=("예", "네"),
            no=("아니요", "아니오"),
            conjunctions=("와", "과", "하고"),
        ),
    }
)
