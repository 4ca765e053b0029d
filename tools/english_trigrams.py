"""Write which three letters follow one another in our English words, for `lenop write`.

`python tools/english_trigrams.py` writes `src/tokenbench/text/data/english_trigrams.txt`. The words
are those of sentences, scenes, prompts, the lexicon and traps. The file may have more than these
give: verdicts on texts change where it does.
"""

import re
from pathlib import Path
from typing import Final

from tokenbench.text.prose_floor import trigrams

DATA: Final = Path(__file__).parents[1] / "src/tokenbench"
ENGLISH: Final = DATA / "text/languages/en"
FILES: Final = ("sentences.txt", "language.toml", "scenes.toml", "prompts.toml")
WRITTEN: Final = DATA / "text/data/english_trigrams.txt"
HEADER: Final = """\
# Letters that follow two others in our English words, which begin with ^ and end with $. Written by
# tools/english_trigrams.py.
"""


def our_words() -> set[str]:
    """Return the English words of the project's data, in lower case, cut at marks."""
    files = {name: (ENGLISH / name).read_text("utf-8") for name in FILES}
    # Names of slots are not English.
    texts = [re.sub(r"\{.*?\}|^\w+ =", " ", found, flags=re.MULTILINE) for found in files.values()]
    rows = (DATA / "text/data/lexicon.tsv").read_text("utf-8").splitlines()[1:]
    texts += [row.split("\t")[1] for row in rows]
    rows = (DATA / "tasks/data/traps_en.tsv").read_text("utf-8").splitlines()
    texts += [" ".join(row.split("\t")[:3]) for row in rows if not row.startswith("#")]
    return set(re.findall("[a-z]+", "\n".join(texts).lower()))


def text() -> str:
    """Return the text that the file should contain."""
    following: dict[str, set[str]] = {}
    for word in our_words():
        for trigram in trigrams(word):
            following.setdefault(trigram[:2], set()).add(trigram[2])
    lines = (f"{pair} {''.join(sorted(thirds))}\n" for pair, thirds in sorted(following.items()))
    return HEADER + "".join(lines)


if __name__ == "__main__":
    WRITTEN.write_text(text(), encoding="utf-8")
