"""FURIGANA: how is a Japanese word read?

Every reading of the word by itself is right. Hiragana and katakana are the same; ー and vowels, ぢ
and じ, づ and ず are not.
"""

from collections.abc import Iterable, Mapping
from functools import cache, lru_cache, partial
from types import MappingProxyType
from typing import Final

from tokenbench.answers.kind import likeness
from tokenbench.answers.text import Text, strip_noun, strip_question
from tokenbench.checks import string
from tokenbench.draw import Draw, Split, split_of
from tokenbench.extraction import Unparsable
from tokenbench.item import Item, Json
from tokenbench.patterns import lazy_pattern
from tokenbench.quoting import quote
from tokenbench.tasks.contract import Task
from tokenbench.tasks.pools import length_range, select_by_length
from tokenbench.tasks.spec import ItemSpec, LengthOrLevel, Outcome, Pool, Published, Question
from tokenbench.tasks.wordings import question_text, read_slots
from tokenbench.text.answer_text import bare_answer, strip_copula
from tokenbench.text.languages import Language, language
from tokenbench.text.normalize import nfc, normalize, usual_width
from tokenbench.text.sources import data_label, data_rows

_FILE: Final = ("tokenbench.tasks", "data", "furigana.tsv")
_KATAKANA_TO_HIRAGANA: Final = {code: code - 0x60 for code in range(0x30A1, 0x30F7)}
_KANA: Final = lazy_pattern("[ぁ-ゖー]+")
_QUOTED: Final = lazy_pattern('「([^「」\n]+)」|“([^“”\n]+)”|"([^"\n]+)"')
# A word with its reading in brackets, or after a colon.
_WITH_READING: Final = lazy_pattern("([^(]*)\\(([^()]*)\\)|([^:]*):([^:]*)")
# The word of the question as the topic of a sentence.
_WITH_TOPIC: Final = lazy_pattern("([^は]{1,64})は(.+)")
# The same for every target, because reasons mention it.
_MAX_CHARS: Final = 64


def solve(word: str) -> tuple[str, ...]:
    """Return the readings of a Japanese word in hiragana; none for a word that is not in our list.

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
    return nfc(usual_width(string("kana", kana))).translate(_KATAKANA_TO_HIRAGANA)


@cache
def readings() -> Mapping[str, tuple[str, ...]]:
    """Return the words that are asked for, each with all its readings, the usual one first.

    `tools/furigana_readings.py` writes the list.

    >>> readings()["明日"]
    ('あした', 'あす', 'みょうにち')
    """
    return MappingProxyType({word: tuple(readings) for word, *readings in data_rows(*_FILE)})


_label = cache(partial(data_label, "readings", *_FILE))


def _pool(spec: ItemSpec) -> Pool:
    return Pool(_words(spec.split, spec.length_or_level()), _label())


@lru_cache(maxsize=256)
def _words(split: Split, size: LengthOrLevel) -> tuple[str, ...]:
    n_train = sum(split_of(word) == "train" for word in readings())
    words = [word for word in readings() if split_of(word) == split]
    return select_by_length(words, lambda word: len(readings()[word][0]), size, n_train)


def _ask(word: str, draw: Draw, spec: ItemSpec) -> Question:
    accepted = readings()[word]
    return Question(
        question_text(draw, "furigana", spec, word=word),
        drawn={"length": len(accepted[0]), "readings": len(accepted), "word": word},
        target={"readings": list(accepted)},
        solution=accepted[0],
        published=Published("quoted", accepted[0]),
    )


def _outcomes(word: str, _spec: ItemSpec) -> Iterable[Outcome]:
    """Return each reading of a word: any of them is right."""
    return [(reading, 1.0) for reading in readings()[word]]


def _key(text: str, _target: Json) -> str:
    return hiragana(text)


def _read(text: str, item: Item, language: Language) -> str:
    """Return the kana of an answer; only the question's own word may precede them.

    Raises:
        Unparsable: anything else is there.
    """
    answer = bare_answer(text, language)
    kana = hiragana(answer)
    if not _KANA.fullmatch(kana):
        bare = strip_noun(_strip_topic(answer, item), language, "reading")
        kana = hiragana(bare_answer(_strip_word(bare, item), language))
    if not _KANA.fullmatch(kana):
        raise Unparsable(partial(_explain_unparsable, kana))
    return kana


def _stays(text: str, item: Item) -> bool:
    """Return whether reading leaves kana as they are (see `Text`)."""
    is_kana = _KANA.fullmatch(text) is not None
    return is_kana and strip_copula(text, language(item.lang)) == text


def _strip_word(answer: str, item: Item) -> str:
    """Return the reading of an answer that writes the word of the question before it."""
    words = _words_of_question(item)
    match = _WITH_READING.fullmatch(answer)
    if match:
        word, reading = match[1] or match[3] or "", match[2] or match[4] or ""
        return reading if normalize(word) in words else answer
    return strip_question(answer, lambda word: normalize(word) in words)


def _strip_topic(answer: str, item: Item) -> str:
    """Return an answer without the word of the question that it has as its topic."""
    match = _WITH_TOPIC.fullmatch(answer)
    return match[2] if match and normalize(match[1]) in _words_of_question(item) else answer


def _words_of_question(item: Item) -> list[str]:
    """Return the word that a prompt asks about, or all texts in quotation marks in it."""
    word = read_slots("furigana", item.lang, item.prompt).get("word")
    quoted = (word,) if word else map("".join, _QUOTED.findall(item.prompt))
    return [normalize(text) for text in quoted]


def _explain_unparsable(text: str) -> str:
    strange = next((char for char in text if not _KANA.fullmatch(char)), text)
    return f"contains {quote(strange)}: one reading in kana alone is asked for"


def _credit(answer: str, target: Json) -> float:
    kana = hiragana(answer)
    return max(likeness(kana, hiragana(reading)) for reading in target["readings"])


_EQUIVALENCES: Final = "wrapping invisible brackets kana width ending question"
TASK = Task(
    name="furigana",
    doc="Give the reading of a Japanese word that is written with kanji.",
    answer=Text(
        field="readings",
        several=True,
        read=_read,
        stays=_stays,
        key=_key,
        credit=_credit,
        wrong="not a reading of the word",
        limit=_MAX_CHARS,
        equivalences=tuple(_EQUIVALENCES.split()),
    ),
    pool=_pool,
    ask=_ask,
    outcomes=_outcomes,
    source="EXECUTE: furigana",
    version=2,
    langs=("ja",),
    params=(length_range("kana", default=(1, 8), longest=12),),
)
generate = TASK.generate
verify = TASK.verify
