"""Whether any text names a topic, and whether any units only repeat: read as an answer is."""

from collections.abc import Sequence

from tokenbench.answers import writing
from tokenbench.text.languages import Language
from tokenbench.text.units import lower_units, normalize_units


def names_any(text: str, topics: Sequence[str], language: Language) -> bool:
    text = normalize_units(text)
    return writing.names_any(text, {*lower_units(text, language)}, topics, language)


def is_degenerate(units: Sequence[str], language: Language, *given: str) -> bool:
    found = [unit.lower() for unit in units]
    return writing.is_degenerate(found, {*found}, language, *given)
