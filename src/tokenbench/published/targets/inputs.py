"""The rows of CUTE and EXECUTE: their columns in our terms, and the units of their texts."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from tokenbench.published.targets import tokens
from tokenbench.tasks.edits import line_of
from tokenbench.tasks.language_packs import CHARACTERS, WORDS
from tokenbench.text.segmented import Line

NOT_IT: Final = "it is not what the inputs make"
CASE: Final = "letter case makes no difference"
LEFT: Final = "what stands within other words is left"  # which nobody sees where no spaces are
_UNSPACED: Final = ("bo", "ja", "km", "lo", "my", "th", "yue", "zh")  # languages, by code


class Asked(NamedTuple):
    """A published row: its task in our terms, its input columns and its label, stripped."""

    task: str
    variant: str | None
    lang: str
    inputs: tuple[str, ...]
    label: str

    @property
    def text(self) -> str:
        """What is spelled, edited or looked into."""
        return self.inputs[-1]

    @property
    def acted(self) -> tuple[str, ...]:
        """The units that are acted on."""
        return tuple(self.inputs[place] for place in PLACES[self.task].acted)

    @property
    def new(self) -> tuple[str, ...]:
        """The unit that is brought in, if any."""
        return tuple(self.inputs[place] for place in PLACES[self.task].new)


class Places(NamedTuple):
    """Which input columns of a task hold the units that are acted on, and a new one."""

    acted: tuple[int, ...]
    new: tuple[int, ...] = ()


PLACES: Final = {
    "contains": Places((0,)),
    "delete": Places((0,)),
    "insert": Places((1,), (0,)),
    "substitute": Places((0,), (1,)),
    "swap": Places((0, 1)),
}


def line(row: Asked) -> Line:
    """Return the text as its units; where no spaces set words apart, the given words are found."""
    if is_unspaced(row) and len(row.text.split()) == 1:
        return tokens.occurrences(row.text, row.acted)
    return line_of(row.text, str(row.variant))


def other_lines(row: Asked) -> Iterator[tokens.Other]:
    """Yield the text as other units, with the reasons."""
    if row.variant == CHARACTERS:
        return tokens.characters(row.text)
    return tokens.words(row.text, row.acted)


def is_unspaced(row: Asked) -> bool:
    """Return whether it asks about a sentence in a language that writes no spaces."""
    return row.variant == WORDS and row.lang.partition("-")[0] in _UNSPACED
