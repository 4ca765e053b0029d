"""The script that each character of a vocabulary belongs to."""

from collections.abc import Iterable
from typing import Final

from tokenbench.errors import unknown
from tokenbench.text.scripts import SCRIPTS

_OF_THE_PAPER: Final = {"Han": "[\u4e00-\u9fff]"}  # ADT: every character in U+4E00-U+9FFF


def scripts_of(characters: Iterable[str]) -> dict[str, str]:
    """Return the script of each character that one of the known scripts owns.

    >>> scripts_of("aя猫1")
    {'a': 'Latin', 'я': 'Cyrillic', '猫': 'Han'}
    """
    from regex import findall

    together = "".join(characters)  # one search for each script, not one for each character
    return {
        char: script
        for script in SCRIPTS
        for char in findall(_OF_THE_PAPER.get(script, rf"\p{{Script={script}}}"), together)
    }


def known(script: str) -> str:
    """Return a script's name if it is one.

    Raises:
        UnknownNameError: it is not.
    """
    if script not in SCRIPTS:
        raise unknown("script", script, SCRIPTS)
    return script
