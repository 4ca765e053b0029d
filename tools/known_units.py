"""Write by what `lenop write` knows units: runs of letters of English words, Han, Hangul.

`python tools/known_units.py` writes `known_letters.txt`, `known_han.txt` and `known_hangul.txt` of
`src/tokenbench/text/data`, from sentences, scenes, prompts, the lexicon and traps. They are written
anew when a version of the task rises, since verdicts on texts change with them; a test checks that
they know all units of the data.
"""

import re
from pathlib import Path
from typing import Final

from tokenbench.text.languages import Language, language, unit_languages
from tokenbench.text.prose_floor import REPERTOIRES, letter_runs

DATA: Final = Path(__file__).parents[1] / "src/tokenbench"
FILES: Final = ("sentences.txt", "language.toml", "scenes.toml", "prompts.toml")
LETTERS: Final = {"word": "[a-z]+", "han": "[\u4e00-\u9fff]", "hangul": "[\uac00-\ud7a3]"}
HEADER: Final = "# Written by tools/known_units.py.\n"
PER_LINE: Final = 48


def our_units(of: Language) -> set[str]:
    """Return the units of a language in the project's data, in lower case, words cut at marks."""
    folder = DATA / "text/languages" / of.code
    # Names of slots and of tables are not of the language.
    texts = [
        re.sub(
            r"\{.*?\}|^people = .*|^\w+ =|#.*|\\n",
            " ",
            (folder / name).read_text("utf-8"),
            flags=re.MULTILINE,
        )
        for name in FILES
    ]
    header, *rows = (DATA / "text/data/lexicon.tsv").read_text("utf-8").splitlines()
    column = header.split("\t").index(of.code)
    texts += [row.split("\t")[column] for row in rows]
    traps = DATA / f"tasks/data/traps_{of.code}.tsv"
    if traps.exists():
        rows = traps.read_text("utf-8").splitlines()
        texts += [" ".join(row.split("\t")[:3]) for row in rows if not row.startswith("#")]
    return set(re.findall(LETTERS[of.unit], "\n".join(texts).lower()))


def text(of: Language) -> str:
    """Return the text that a language's file should contain."""
    found = our_units(of)
    if not of.counts_words:
        chars = "".join(sorted(found))
        starts = range(0, len(chars), PER_LINE)
        return HEADER + "".join(f"{chars[start : start + PER_LINE]}\n" for start in starts)
    following: dict[str, set[str]] = {}
    for word in found:
        for run in letter_runs(word, 4):
            following.setdefault(run[:-1], set()).add(run[-1])
    lines = (f"{pair} {''.join(sorted(thirds))}\n" for pair, thirds in sorted(following.items()))
    return HEADER + "".join(lines)


if __name__ == "__main__":
    for code in unit_languages():
        written = DATA / "text/data" / REPERTOIRES[language(code).unit]
        written.write_text(text(language(code)), encoding="utf-8")
