"""A riddle as its maker hands it over: what the makers of all languages share.

A maker is a module with two functions. `answers(split, source, devices)` returns the answers of a
split that have a riddle by one of the devices, the easiest first, since a level is a tenth of that
order. `riddle(draw, answer, source, devices)` makes one of them.
"""

from types import MappingProxyType
from typing import Final, NamedTuple, Protocol

from tokenbench.draw import Draw, Split
from tokenbench.item import Json

DEVICES: Final = MappingProxyType(
    {
        "en": (
            "anagram",
            "hidden",
            "initials",
            "beheading",
            "curtailing",
            "reversal",
            "charade",
            "container",
        ),
        "zh": ("adding", "taking", "doubling"),
        "ko": ("consonants",),
    }
)


class Riddle(NamedTuple):
    """One riddle, before it is worded.

    `payload` and `slots` are what `wording.worded` takes for the question `form`. `accepted` holds
    every right answer. `source` says where the words come from, `drawn` what analyses group by
    beside the device.
    """

    payload: str
    slots: dict[str, str]
    form: str
    accepted: tuple[str, ...]
    device: str
    source: str
    drawn: dict[str, Json]


class Maker(Protocol):
    """What makes the riddles of one language; a module will do."""

    def answers(self, split: Split, source: str, devices: tuple[str, ...]) -> tuple[str, ...]:
        """Return the answers of a split that have a riddle, the easiest first."""

    def riddle(self, draw: Draw, answer: str, source: str, devices: tuple[str, ...]) -> Riddle:
        """Return a riddle for one of the answers."""
