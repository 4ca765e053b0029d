"""Write which other words the pieces of our lexicon's words can make, for COMPM to exclude.

`python tools/compm_exclusions.py` writes `src/tokenbench/tasks/data/compm_exclusions.txt`; it needs
the extra `lexicon`. A test checks that the file is what this writes.
"""

from pathlib import Path
from typing import Final

from tokenbench.decomposition.components import MIN_LETTERS
from tokenbench.decomposition.pieces import joins, rivals, splits
from tokenbench.text.lexicon import words
from tokenbench.text.sources import WORDFREQ

MAX_PARTS: Final = 6
WRITTEN: Final = Path(__file__).parents[1] / "src/tokenbench/tasks/data/compm_exclusions.txt"
HEADER: Final = """\
# Words of the core lexicon, each with the words that its pieces make in another order: those of
# {source}, and a few rarer ones. Written by tools/compm_exclusions.py.
"""
# Rarer words that the pieces make: those of wordfreq's full list that are in Webster's dictionaries
# or that a reader of today knows.
RARE: Final = (
    "braze",
    "cedi",
    "donator",
    "houseware",
    "nevi",
    "ripest",
    "semipro",
    "thereat",
    "townhome",
)


def text() -> str:
    """Return the text that the file should contain."""
    core, wide = words("en").words, words("en", WORDFREQ)
    known = rivals((*core, *wide.words, *RARE))
    lines = [
        "\t".join([word, *others])
        for word in sorted(core)
        if (others := _matching(word, known.get(word, ())))
    ]
    return HEADER.format(source=wide.source) + "".join(f"{line}\n" for line in lines)


def _matching(word: str, others: tuple[str, ...]) -> list[str]:
    """Return those of the others that some cut of the word makes."""
    sizes = range(2, MAX_PARTS + 1) if others else ()
    tried = [cut for n in sizes for cut in splits(word, n, shortest=MIN_LETTERS)]
    return sorted({other for cut in tried for other in joins(cut, others)})


if __name__ == "__main__":
    WRITTEN.write_text(text(), encoding="utf-8")
