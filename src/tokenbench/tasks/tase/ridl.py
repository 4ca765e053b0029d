"""RIDL: which word solves a riddle about letters, components or initial consonants?"""

from collections.abc import Sequence
from functools import lru_cache
from importlib import import_module
from itertools import accumulate, pairwise
from typing import Final, cast

from tokenbench.answers.kind import WORD_EQUIVALENCES
from tokenbench.answers.text import Text, bare_character, strip_noun
from tokenbench.decomposition import hanzi
from tokenbench.draw import Draw
from tokenbench.errors import Argument, DifficultyError, Words
from tokenbench.extraction import Unparsable
from tokenbench.item import Item, Json
from tokenbench.patterns import lazy_pattern
from tokenbench.tasks.params import Choice, Source
from tokenbench.tasks.pools import select_by_length
from tokenbench.tasks.riddles import DEVICES, RiddleMaker
from tokenbench.tasks.spec import ItemSpec, Outcome, Pool, Published, Question
from tokenbench.tasks.tase import tase_task
from tokenbench.tasks.wordings import question_text
from tokenbench.text.answer_text import bare_answer, strip_copula
from tokenbench.text.languages import Language, language
from tokenbench.text.normalize import normalize
from tokenbench.text.sources import SOURCES

_MAKERS: Final = {"en": "cryptic", "zh": "character_riddles", "ko": "initial_quiz"}
_ALL_DEVICES: Final = tuple(device for devices in DEVICES.values() for device in devices)
_PLAIN: Final = lazy_pattern("[a-z]+|[\u4e00-\u9fff]+|[\uac00-\ud7a3]+")
_WORD_SEPARATOR = lazy_pattern(r"[\s‐‑–—-]+")
_RADICAL_CHAR = lazy_pattern("[\u2e80-\u2fd5]")
_VARIATION_SELECTOR = lazy_pattern("(?<=[\u2e80-\u9fff])[\ufe00-\ufe0f\U000e0100-\U000e01ef]")


def split_into_words(text: str, lengths: Sequence[int]) -> str:
    """Return letters as words of the lengths that a clue gives, as in (3,5).

    >>> split_into_words("icecream", [3, 5])
    'ice cream'
    """
    ends = pairwise([0, *accumulate(lengths)])
    return " ".join(text[start:end] for start, end in ends)


def _pool(spec: ItemSpec) -> Pool:
    """Return the answers of the split that have a riddle, or the level's part of them."""
    maker = _maker(spec.lang)
    answers = maker.answers(spec.split, spec.words, _devices(spec))
    if not answers:
        remedy = "choose another device or other words"
        raise spec.no_instance("no word has a riddle for", remedy)
    # The easiest come first, whatever their length.
    n_train = len(maker.answers("train", spec.words, _devices(spec)))
    return Pool(select_by_length(answers, lambda _: 0, (None, spec.level), n_train))


def _ask(answer: str, draw: Draw, spec: ItemSpec) -> Question:
    riddle = _maker(spec.lang).riddle(draw, answer, spec.words, _devices(spec))
    form, slots = riddle.form, riddle.slots
    return Question(
        question_text(draw, "ridl", spec, riddle.payload, form=form, **slots),
        drawn={"device": riddle.device, **riddle.drawn},
        target={"accepted": list(riddle.accepted)},
        solution=answer,
        source=riddle.source,
        published=Published("match_answer", answer),
    )


def _outcomes(answer: str, _spec: ItemSpec) -> list[Outcome]:
    return [(answer, 1.0)]


def _maker(lang: str) -> RiddleMaker:
    # Only drawing needs the makers of riddles.
    return cast(RiddleMaker, import_module(f"tokenbench.tasks.riddles.{_MAKERS[lang]}"))


def _devices(spec: ItemSpec) -> tuple[str, ...]:
    """Return the devices that a riddle may use."""
    allowed, device = DEVICES[spec.lang], spec.overrides.get("device")
    if device is None:
        return allowed
    if device not in allowed:
        problem: Words = ["does not suit ", Argument("lang", spec.lang)]
        raise DifficultyError(problem, argument="device", value=device, allowed=allowed)
    return (device,)


def _read(text: str, item: Item, language: Language) -> str:
    """Return the answer in the form that is compared: one word, or the letters of several."""
    accepted: list[str] = item.target["accepted"]
    is_character = all(len(right) == 1 for right in accepted)
    read = bare_character if is_character else bare_answer
    bare = read(text, language)
    answer = _key(bare, item.target)
    if not is_character and answer not in [_key(right, item.target) for right in accepted]:
        answer = _key(strip_noun(bare, language, "word"), item.target)
    if not _has_several_words(item.target) and _WORD_SEPARATOR.search(answer):
        raise Unparsable("is more than one word: one is asked for")
    return answer


def _stays(text: str, item: Item) -> bool:
    """Return whether reading leaves an answer as it is (see `Text`)."""
    # One character alone is never taken for an ending.
    ends = len(text) > 1 and strip_copula(text, language(item.lang)) != text
    return not ends and _PLAIN.fullmatch(text) is not None


def _has_several_words(target: Json) -> bool:
    """Return whether an accepted answer has several words.

    Then the letters alone decide, because a clue counts them word by word, as in (3,3).
    """
    return any(map(_is_several_words, target["accepted"]))


@lru_cache(maxsize=1 << 12)
def _is_several_words(text: str) -> bool:
    return _WORD_SEPARATOR.search(normalize(text)) is not None


def _key(text: str, target: Json) -> str:
    """Return a text without letter case, width, and without radicals that Unicode has twice.

    >>> _key("Carpet", {"accepted": ["carpet"]}), _key("hot-dog", {"accepted": ["hot dog"]})
    ('carpet', 'hotdog')
    """
    text = _VARIATION_SELECTOR.sub("", normalize(text).lower())
    text = _RADICAL_CHAR.sub(lambda radical: hanzi.normalize(radical[0]), text)
    return _WORD_SEPARATOR.sub("", text) if _has_several_words(target) else text


_EQUIVALENCES: Final = "brackets apostrophe radicals ending called noun"
TASK = tase_task(
    name="ridl",
    doc="Solve a riddle: a cryptic clue, a character riddle, an initial-consonant quiz.",
    answer=Text(
        field="accepted",
        several=True,
        read=_read,
        stays=_stays,
        key=_key,
        wrong="not what the riddle leads to",
        limit=64,
        equivalences=(*WORD_EQUIVALENCES, *_EQUIVALENCES.split()),
    ),
    pool=_pool,
    ask=_ask,
    outcomes=_outcomes,
    source="TASE, token structure: RIDL",
    params=(
        Choice("device", _ALL_DEVICES, help="how the riddle is made"),
        Source("words", SOURCES, help="where the answers come from"),
    ),
)
generate = TASK.generate
verify = TASK.verify
