"""SPELL: write the characters of a word one by one."""

from functools import partial

from tokenbench.answers.characters import Characters
from tokenbench.draw import Draw
from tokenbench.errors import string
from tokenbench.tasks.contract import Task
from tokenbench.tasks.language_packs import (
    CHARACTERS,
    LANGS,
    PARAMS,
    cute_scoring,
    in_script,
    line_facts,
    line_pool,
    text_outcome,
)
from tokenbench.tasks.question import Question
from tokenbench.tasks.spec import ItemSpec
from tokenbench.tasks.wordings import question_text
from tokenbench.text.graphemes import Line, graphemes
from tokenbench.text.normalize import nfc


def solve(word: str) -> list[str]:
    """Return the characters of a word as readers see them: its extended grapheme clusters.

    Raises:
        TokenbenchError: not a str.

    >>> solve("naïve"), solve("हिन्दी")
    (['n', 'a', 'ï', 'v', 'e'], ['हि', 'न्दी'])
    """
    return graphemes(nfc(string("word", word)))


def _any_line(_line: Line, _variant: str) -> bool:
    return True


def _ask(line: Line, draw: Draw, spec: ItemSpec) -> Question:
    write = in_script(spec)
    units = list(map(write, line.units))
    return Question(
        question_text(draw, "spell", spec.lang, form=CHARACTERS, word=write(line.text)),
        units,
        line_facts(line),
        published=cute_scoring(CHARACTERS, " ".join(units)),
    )


TASK = Task(
    name="spell",
    doc="Write the characters of a word one by one.",
    answer={CHARACTERS: Characters()},
    pool=partial(line_pool, usable=_any_line),
    ask=_ask,
    outcomes=text_outcome,
    source="EXECUTE and CUTE: spelling",
    version=2,
    langs=LANGS,
    params=PARAMS,
    examples=({"repeated": True}, {"repeated": True}, {}, {}),
    accepts_any_language=True,
)
generate, verify = TASK.generate, TASK.kind(CHARACTERS).verify
