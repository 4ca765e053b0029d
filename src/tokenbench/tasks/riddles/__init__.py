"""Riddles: the record that the makers of all languages return, and their devices.

The maker of a language is a module with the two functions of `RiddleMaker`.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple, Protocol

from tokenbench.draw import Draw, Split
from tokenbench.item import Json

_ENGLISH_DEVICES = "anagram hidden initials beheading curtailing reversal charade container"
DEVICES: Final[Mapping[str, tuple[str, ...]]] = {
    "en": tuple(_ENGLISH_DEVICES.split()),
    "zh": ("adding", "taking", "doubling"),
    "ko": ("consonants",),
}


class Riddle(NamedTuple):
    """One riddle, before its question is written.

    Attributes:
        accepted: every right answer.
        device: how the riddle is made, one of `DEVICES`.
        source: the source of the words.
        drawn: facts by which analyses group, in addition to the device.
        form: which of the wordings of `ridl` asks the riddle.
        slots: the values of the slots in that wording.
        payload: the text below the question.
    """

    accepted: tuple[str, ...]
    device: str
    source: str
    drawn: dict[str, Json]
    form: str
    slots: Mapping[str, str] = {}
    payload: str = ""


class RiddleMaker(Protocol):
    """The maker of the riddles of one language; a module will do."""

    def answers(self, split: Split, source: str, devices: tuple[str, ...]) -> tuple[str, ...]:
        """Return the answers of a split that have a riddle by one of the devices.

        The easiest come first, because a level is a tenth of them in that order.
        """

    def riddle(self, draw: Draw, answer: str, source: str, devices: tuple[str, ...]) -> Riddle:
        """Return a riddle for one of the answers."""
