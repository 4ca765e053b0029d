"""Write how much a Korean quiz reveals of each word of the lexicon: data/quiz_reveals.tsv.

    python tools/quiz_reveals.py

The wide list is wordfreq's (the extra `lexicon`), of the version that pyproject.toml pins, with the
words of data/quiz_rivals.toml. The file contains only their consequences, so that making items
needs no extra. A test checks that the file is up to date.
"""

import re
from importlib.resources import files
from pathlib import Path
from typing import Final

from tokenbench.tasks.riddles.initial_quiz import (
    REVEALS_FILE,
    VOWELS_CODE,
    Reveal,
    rivals,
    theme_names,
    unique_reveals,
)
from tokenbench.text.lexicon import words
from tokenbench.text.sources import WORDFREQ

WRITTEN: Final = Path(str(files("tokenbench.tasks.riddles").joinpath("data", REVEALS_FILE)))
# After a noun of a theme's name.
_PARTICLE: Final = re.compile("[와과의]$")


def text() -> str:
    """Return the content of the file: for each word, the codes of its reveals."""
    core = words("ko").words
    # A theme that has a noun of the word would give it away.
    candidates = [word for word in core if not names_theme(word)]
    reveals = unique_reveals(candidates, (*core, *rivals(), *words("ko", WORDFREQ).words))
    return "".join(f"{word}\t{' '.join(map(code, reveals[word]))}\n" for word in reveals)


def names_theme(word: str) -> bool:
    """Return whether a word of the core lexicon and its theme's name share a noun.

    >>> names_theme("여행자"), names_theme("지도")
    (True, False)
    """
    nouns = (_PARTICLE.sub("", noun) for noun in theme_names()[word].split())
    return any(noun in word or word in noun for noun in nouns)


def code(reveal: Reveal) -> str:
    """Return the code of a reveal: the positions shown, from 1 on, `v` for vowels, `-` for none."""
    positions = "".join(str(index + 1) for index in reveal.shown)
    return VOWELS_CODE if reveal.vowels else positions or "-"


if __name__ == "__main__":
    WRITTEN.write_text(text(), encoding="utf-8", newline="\n")
