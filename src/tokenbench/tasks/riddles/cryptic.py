"""English riddles: cryptic clues, a definition beside wordplay that makes the answer.

The definition is the theme of the answer in the core lexicon. Every letter of the wordplay stands
in the clue, so that what is done to it leaves one answer. Where it might leave several (an anagram,
a hidden word, a container), the fodder was proved against a wide list, and only the lexicon's words
are asked for; of other words there are clues without a definition by the other devices.
"""

from functools import lru_cache
from typing import Final

from tokenbench.draw import Draw, Split, of_split
from tokenbench.tasks.riddles.cryptic_words import (
    choices,
    clue_data,
    fodder,
    quoted,
    said,
    themes_of_words,
    unrelated,
)
from tokenbench.tasks.riddles.riddle import Riddle
from tokenbench.text.lexicon import words
from tokenbench.text.sources import CACHE_SIZE

_SHORTEST = 3
_RARELY = 3  # only every so many times, initials are one device among others
_PLACES: Final = {
    "container": ("inner", "outer"),
    "charade": ("first", "second"),
    "charade_of_three": ("first", "second", "third"),
}


def answers(split: Split, source: str, devices: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words of a split that have a clue by one of the devices, the shortest first.

    Args:
        split: train, validation or test.
        source: the words to ask for (see `tokenbench.text.lexicon.words`).
        devices: names of devices.

    Raises:
        SourceError: a file that cannot be read as UTF-8, or that holds too few words.
        MissingExtraError: `wordfreq` is not installed.

    >>> answers("train", "core", ("container",))[:3]
    ('bone', 'wife', 'panda')
    """
    return of_split(_answers(words("en", source).words, devices), split)


def riddle(draw: Draw, answer: str, source: str, devices: tuple[str, ...]) -> Riddle:
    """Return a cryptic clue for one of the answers.

    >>> riddle(Draw(7), "carpet", "core", ("charade",)).payload
    'Car before pet: something at home (6)'
    """
    device = _device(draw, [device for device in devices if fodder(answer, device)])
    used = draw.choice(fodder(answer, device))
    if device == "initials":
        used = _sentence(draw, answer, used)
    theme = themes_of_words().get(answer)
    data = clue_data()
    listed = data["definitions"][theme] if theme else data["undefined"]["definitions"]
    definition = draw.choice(unrelated(listed, answer))
    form = "charade_of_three" if device == "charade" and len(used) > 2 else device
    clue = draw.choice(unrelated(data["clues"][form], answer))
    text = clue.format(definition=definition, **_placed(form, used))
    return Riddle(
        payload=f"{_capitalized(text)} ({len(answer)})",
        slots={},
        form="ask" if theme else "undefined",
        accepted=(answer,),
        device=device,
        source=words("en", source).source,
        drawn={"length": len(answer), "fodder": list(used), "definition": definition},
    )


@lru_cache(maxsize=CACHE_SIZE)
def _answers(listed: tuple[str, ...], devices: tuple[str, ...]) -> tuple[str, ...]:
    found = [word for word in map(str.lower, listed) if _askable(word, devices)]
    return tuple(sorted(found, key=len))


def _askable(word: str, devices: tuple[str, ...]) -> bool:
    if len(word) < _SHORTEST or not said().isdisjoint((word, word + "s")):
        return False
    return any(fodder(word, device) for device in devices)


def _device(draw: Draw, possible: list[str]) -> str:
    """Return one of the devices that make an answer.

    All answers have initials, and they are the easiest to see through: they stand back.
    """
    others = [device for device in possible if device != "initials"]
    if len(possible) > 1 and draw.between(1, _RARELY) > 1:
        possible = others
    return draw.choice(possible)


def _sentence(draw: Draw, answer: str, pattern: tuple[str, ...]) -> tuple[str, ...]:
    """Return a sentence of a pattern whose first letters are the answer, no word twice."""
    chosen: list[str] = []
    for kind, letter in zip(pattern, answer, strict=True):
        left = [word for word in choices(kind, letter, answer) if word not in chosen]
        chosen.append(draw.choice(left))
    return tuple(chosen)


def _placed(form: str, used: tuple[str, ...]) -> dict[str, str]:
    """Return what the places of a clue hold, in quotes where its own words would blur it."""
    parts = used if form in _PLACES else (" ".join(used),)
    if form != "initials" and not quoted().isdisjoint(used):
        parts = tuple(f"“{part}”" for part in parts)
    return dict(zip(_PLACES.get(form, ("fodder",)), parts, strict=True))


def _capitalized(text: str) -> str:
    """Return a text with its first letter, behind a quote or not, as a capital."""
    at = next(at for at, char in enumerate(text) if char.isalpha())
    return text[:at] + text[at].upper() + text[at + 1 :]
