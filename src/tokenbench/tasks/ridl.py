"""RIDL: which word solves a riddle about letters, components or initial consonants?"""

import re
from importlib import import_module
from typing import Final, cast

from tokenbench.decomposition import radicals
from tokenbench.draw import Draw
from tokenbench.errors import DifficultyError
from tokenbench.extraction import Unparsable
from tokenbench.item import Item, Json
from tokenbench.quoting import quote_if_needed
from tokenbench.tasks.contract import Draft, ItemSpec, Published, Task
from tokenbench.tasks.folding import WORD
from tokenbench.tasks.params import LEVELS, Choice, Source
from tokenbench.tasks.riddles.riddle import DEVICES, Maker
from tokenbench.tasks.riddles.wordplay import anagrams as anagrams
from tokenbench.tasks.riddles.wordplay import hidden as hidden
from tokenbench.tasks.riddles.wordplay import initials as initials
from tokenbench.tasks.riddles.wordplay import insertions as insertions
from tokenbench.tasks.wordings import prompt_text
from tokenbench.text.answer_text import bare_answer
from tokenbench.text.normalize import normalize
from tokenbench.text.sources import SOURCES

_MAKERS: Final = {"en": "cryptic", "zh": "character_riddles", "ko": "initial_quiz"}
_ALL: Final = tuple(device for devices in DEVICES.values() for device in devices)
_BETWEEN = re.compile(r"[\s‐‑–—-]+")  # what stands between the words of one answer
_RADICAL = re.compile("[\u2e80-\u2fd5]")
_SELECTOR = re.compile("(?<=[\u2e80-\u9fff])[\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_LONGEST = 64


def verify(answer: str, target: Json) -> bool:
    """Return whether an answer is one that the riddle has.

    Letter case and width make no difference, nor do the radicals that Unicode has twice. Where the
    riddle's answer has several words, it makes no difference what stands between them.

    >>> verify("Carpet", {"accepted": ["carpet"]}), verify("car pet", {"accepted": ["carpet"]})
    (True, False)
    >>> verify("hot-dog", {"accepted": ["hot dog"]})
    True
    """
    several = _several(target)
    wanted = {_normal(text, several) for text in target["accepted"]}
    return _normal(answer, several) in wanted


def _make(ask: ItemSpec, draw: Draw) -> Draft:
    maker, devices, found = _maker(ask.lang), _devices(ask), _answers(ask)
    answer = found[TASK.place(ask, len(found))]
    riddle = maker.riddle(draw, answer, ask.words, devices)
    return Draft(
        prompt=prompt_text(
            draw, "ridl", ask.lang, riddle.payload, form=riddle.form, **riddle.slots
        ),
        target={"accepted": list(riddle.accepted)},
        solution=answer,
        source=riddle.source,
        drawn={"device": riddle.device, **riddle.drawn},
        published=Published("match_answer", answer),
    )


def _maker(lang: str) -> Maker:
    return cast(
        Maker, import_module(f"{__package__}.riddles.{_MAKERS[lang]}")
    )  # only drawing needs it


def _devices(ask: ItemSpec) -> tuple[str, ...]:
    """Return the devices that a riddle may be made by."""
    allowed, device = DEVICES[ask.lang], ask.overrides.get("device")
    if device is None:
        return allowed
    if device not in allowed:
        raise DifficultyError(
            f"device={device!r} makes no riddle in the language {ask.lang!r}: "
            f"allowed are {', '.join(allowed)}"
        )
    return (device,)


def _answers(ask: ItemSpec) -> tuple[str, ...]:
    """Return the answers that may be asked for: those of the split, or the level's tenth of them.

    Fewer than ten answers are shared by neighbouring levels.
    """
    found = _maker(ask.lang).answers(ask.split, ask.words, _devices(ask))
    if not found:
        raise DifficultyError(
            f"no ridl item for lang={ask.lang!r}, split={ask.split!r}, {ask.overrides}: no word "
            "has a riddle of that kind; ask for another device or other words"
        )
    if ask.level is None:
        return found
    first = len(found) * ask.level // LEVELS
    return found[first : max(first + 1, len(found) * (ask.level + 1) // LEVELS)]


def _space(ask: ItemSpec) -> int:
    return len(_answers(ask))


def _parse(text: str, item: Item) -> str:
    """Return the answer in the form that is compared: one word, or the letters of several."""
    several = _several(item.target)
    character = all(len(right) == 1 for right in item.target["accepted"])
    answer = _normal(bare_answer(text, item.lang, character=character), several)
    if not several and _BETWEEN.search(answer):
        raise Unparsable("is more than one word: one is asked for")
    return answer


def _several(target: Json) -> bool:
    """Return whether an accepted answer has several words.

    Then an answer's letters decide alone, since a clue counts them word by word, as in (3,3).
    """
    return any(_BETWEEN.search(normalize(text)) for text in target["accepted"])


def _normal(text: str, several: bool) -> str:
    text = _SELECTOR.sub("", normalize(text).lower())
    text = _RADICAL.sub(lambda radical: radicals.normalize(radical[0]), text)
    return _BETWEEN.sub("", text) if several else text


def _grade(answer: str, target: Json) -> float:
    return float(verify(answer, target))


def _why(answer: str, target: Json) -> str:
    return f"got {quote_if_needed(answer)}: not what the riddle leads to"


def _longest(target: Json) -> int:
    return max([_LONGEST, *map(len, target["accepted"])])  # as a rule the same for every target


def _chance(item: Item) -> float:
    return 1 / _space(TASK.spec_of(item))


TASK = Task(
    name="ridl",
    source="TASE, token structure: RIDL",
    version=2,
    langs=("en", "zh", "ko"),
    variants=(),
    doc="Solve a riddle: a cryptic clue, a character riddle, an initial-consonant quiz.",
    params=(
        Choice("device", _ALL, "how the riddle is made"),
        Source("words", SOURCES, "where the answers come from"),
    ),
    target_schema={None: {"accepted": "list of str"}},
    sample=_make,
    parse=_parse,
    verify=verify,
    grade=_grade,
    explain=_why,
    max_answer_chars=_longest,
    guess_rate=_chance,
    equivalences={None: (*WORD, "brackets", "apostrophe", "radicals", "ending", "called")},
    n_instances=_space,
)
generate = TASK.generate
