"""FURIGANA: how is a Japanese word read?

Every reading that the word has when it stands alone is right. Hiragana and katakana are the same;
ー and vowels, ぢ and じ, づ and ず are not.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Mapping
from functools import cache, lru_cache, partial
from types import MappingProxyType
from typing import Final

from tokenbench.draw import Draw, Split, split_of
from tokenbench.errors import string
from tokenbench.extraction import Unparsable
from tokenbench.item import Item, Json
from tokenbench.quoting import quote, quote_if_needed
from tokenbench.tasks.contract import Draft, ItemSpec, Published, Task
from tokenbench.tasks.params import IntRange
from tokenbench.tasks.partial import likeness
from tokenbench.tasks.sized import select_by_length
from tokenbench.tasks.wordings import prompt_text
from tokenbench.text.answer_text import bare_answer
from tokenbench.text.normalize import nfc, usual_width
from tokenbench.text.sources import data_text

_HIRAGANA: Final = {code: code - 0x60 for code in range(0x30A1, 0x30F7)}  # from katakana
_KANA: Final = re.compile("[ぁ-ゖー]+")
_LONGEST: Final = 64  # kana; the same for every target, lest a reason tell its length


def solve(word: str) -> tuple[str, ...]:
    """Return the readings of a Japanese word in hiragana; none for a word that we do not list.

    Raises:
        TokenbenchError: not a str.

    >>> solve("今日"), solve("犬")
    (('きょう', 'こんにち'), ('いぬ',))
    """
    return readings().get(nfc(string("word", word)), ())


def hiragana(kana: str) -> str:
    """Return kana as full-width hiragana; anything else stays as it is.

    Raises:
        TokenbenchError: not a str.

    >>> hiragana("キョウ"), hiragana("ﾃﾞｷﾙ"), hiragana("ビー玉")
    ('きょう', 'できる', 'びー玉')
    """
    return nfc(usual_width(string("kana", kana))).translate(_HIRAGANA)


@cache
def readings() -> Mapping[str, tuple[str, ...]]:
    """Return the words that are asked for, each with all its readings, the usual one first.

    The list was written by `tools/furigana_readings.py`.

    >>> readings()["明日"]
    ('あした', 'あす', 'みょうにち')
    """
    lines = (line.split("\t") for line in _data().splitlines() if not line.startswith("#"))
    return MappingProxyType({word: tuple(listed) for word, *listed in lines})


def verify(answer: str, target: Json) -> bool:
    """Return whether kana are one of the readings.

    >>> verify("コンニチ", {"readings": ["きょう", "こんにち"]})
    True
    """
    return hiragana(answer) in map(hiragana, target["readings"])


def _make(ask: ItemSpec, draw: Draw) -> Draft:
    pool = _pool(ask)
    word = pool[TASK.place(ask, len(pool))]
    listed = readings()[word]
    return Draft(
        prompt=prompt_text(draw, "furigana", ask.lang, form="ask", word=word),
        target={"readings": list(listed)},
        solution=listed[0],
        source=_source(),
        drawn={"length": len(listed[0]), "readings": len(listed), "word": word},
        published=Published("quoted", listed[0]),
    )


def _pool(ask: ItemSpec) -> tuple[str, ...]:
    given = ask.range("length") if "length" in ask.overrides else None
    return _suiting(ask.split, given, None if given else ask.level)


@lru_cache(maxsize=256)
def _suiting(split: Split, given: tuple[int, int] | None, level: int | None) -> tuple[str, ...]:
    words = [word for word in readings() if split_of(word) == split]
    return select_by_length(words, lambda word: len(readings()[word][0]), given, level)


def _space(ask: ItemSpec) -> int:
    return len(_pool(ask))


def _parse(text: str, item: Item) -> str:
    """Return the kana of an answer, which is nothing else: no kanji, no list."""
    found = hiragana(bare_answer(text, item.lang))
    if not _KANA.fullmatch(found):
        raise Unparsable(partial(_no_kana, found))
    return found


def _no_kana(text: str) -> str:
    strange = next((char for char in text if not _KANA.fullmatch(char)), text)
    return f"holds {quote(strange)}: one reading in kana alone is asked for"


def _grade(answer: str, target: Json) -> float:
    said = hiragana(answer)
    return max(likeness(said, hiragana(reading)) for reading in target["readings"])


def _why(answer: str, target: Json) -> str:
    return f"got {quote_if_needed(answer)}: the word is not read so"


def _longest(target: Json) -> int:
    return _LONGEST


def _chance(item: Item) -> float:
    pool = _pool(TASK.spec_of(item))
    return _commonest(pool) / len(pool)


@lru_cache(maxsize=256)
def _commonest(pool: tuple[str, ...]) -> int:
    """Return how many words are read alike, at most."""
    return max(Counter(reading for word in pool for reading in readings()[word]).values())


@cache
def _data() -> str:
    return data_text(__package__, "data", "furigana.tsv")


@cache
def _source() -> str:
    return f"tokenbench readings sha256:{hashlib.sha256(_data().encode()).hexdigest()[:12]}"


TASK = Task(
    name="furigana",
    source="EXECUTE: furigana",
    version=2,
    langs=("ja",),
    variants=(),
    doc="Give the reading of a Japanese word that is written with kanji.",
    params=(IntRange("length", 1, 8, 12, "kana; the nearest length that there is", levelled=True),),
    target_schema={None: {"readings": "list of str"}},
    sample=_make,
    parse=_parse,
    verify=verify,
    grade=_grade,
    explain=_why,
    max_answer_chars=_longest,
    guess_rate=_chance,
    equivalences={None: ("wrapping", "invisible", "brackets", "kana", "width", "ending")},
    n_instances=_space,
)
generate = TASK.generate
