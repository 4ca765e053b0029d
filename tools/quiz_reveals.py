"""Write what a Korean quiz has to show of each word of the lexicon: data/quiz_reveals.tsv.

    python tools/quiz_reveals.py

The wide list is wordfreq's (the extra `lexicon`), of the version that pyproject.toml pins, with the
words of data/quiz_rivals.toml. The file holds only what follows from them, so that making items
needs no extra. A test checks that it is what this writes.
"""

from importlib.resources import files
from pathlib import Path
from typing import Final

from tokenbench.tasks.riddles.initial_quiz import REVEALS, core_ways, written
from tokenbench.text.lexicon import words
from tokenbench.text.sources import WORDFREQ

WRITTEN: Final = Path(str(files("tokenbench.tasks.riddles").joinpath("data", REVEALS)))


def text() -> str:
    """Return what the file has to hold."""
    return written(core_ways(words("ko", WORDFREQ).words))


if __name__ == "__main__":
    WRITTEN.write_text(text(), encoding="utf-8", newline="\n")
