"""SPELL: write the characters of a word one by one."""

from tokenbench.answers.characters import Characters
from tokenbench.checks import string
from tokenbench.draw import Draw
from tokenbench.tasks import language_packs
from tokenbench.tasks.language_packs import CHARACTERS, Case
from tokenbench.tasks.spec import ItemSpec, Question
from tokenbench.tasks.wordings import question_text
from tokenbench.text.graphemes import graphemes
from tokenbench.text.normalize import nfc


def solve(word: str) -> list[str]:
    """Return the characters of a word as readers see them: its extended grapheme clusters.

    Raises:
        TokenbenchError: not a str.

    >>> solve("naïve"), solve("हिन्दी")
    (['n', 'a', 'ï', 'v', 'e'], ['हि', 'न्दी'])
    """
    return graphemes(nfc(string("word", word)))


def _ask(case: Case, draw: Draw, spec: ItemSpec) -> Question:
    write = language_packs.in_script(spec)
    line = case.line
    units = list(map(write, line.units))
    return Question(
        question_text(draw, "spell", spec, form=CHARACTERS, word=write(line.text)),
        units,
        language_packs.line_facts(line),
        published=language_packs.cute_scoring(CHARACTERS, " ".join(units)),
    )


TASK = language_packs.pack_task(
    name="spell",
    ask=_ask,
    pool=language_packs.LinePool(),
    answer={CHARACTERS: Characters()},
    source="EXECUTE and CUTE: spelling",
    doc="Write the characters of a word one by one.",
    examples=language_packs.REPEATED,
)
generate = TASK.generate
verify = TASK.verify
