"""CONTAINS: does a word contain a character, or a sentence a word?"""

from tokenbench.answers.closed import YesNo
from tokenbench.checks import string
from tokenbench.draw import Draw
from tokenbench.tasks import edits, language_packs
from tokenbench.tasks.language_packs import CHARACTERS, WORDS
from tokenbench.tasks.spec import ItemSpec, Question, yes_or_no
from tokenbench.tasks.wordings import question_text
from tokenbench.text.graphemes import Line


def solve(text: str, unit: str, variant: str = "char") -> bool:
    """Return whether a character is in a word, or a word in a sentence.

    Args:
        text: a word; with `variant="word"` a sentence that writes spaces between its words.
        unit: a character, or a word.
        variant: `char` or `word`.

    Raises:
        UnknownNameError: another variant.
        TokenbenchError: text or unit is not a str.

    >>> solve("banana", "n"), solve("Go on, go!", "o", variant="word")
    (True, False)
    """
    return string("unit", unit) in edits.line_of(string("text", text), variant).units


def _ask(line: Line, draw: Draw, spec: ItemSpec) -> Question | None:
    variant = str(spec.variant)
    holds = bool(draw.below(2))
    if holds:
        (unit,) = draw.choice(edits.weight_repeated(edits.clear_units(line, variant), line))
    else:
        unit = draw.choice(language_packs.new_units(spec))
        if not edits.is_absent(unit, line, variant):
            return None
    write = language_packs.in_script(spec)
    given = write(line.text)
    answer = spec.language.prompts["yes" if holds else "no"]
    payload = given if variant == WORDS else ""
    return Question(
        question_text(
            draw, "contains", spec.language, payload, form=variant, word=given, unit=write(unit)
        ),
        holds,
        language_packs.line_facts(line, unit) | {"holds": holds},
        published=language_packs.cute_scoring(variant, answer),
    )


TASK = language_packs.line_task(
    "contains",
    _ask,
    answer={CHARACTERS: YesNo(), WORDS: YesNo()},
    usable=edits.clear_units,
    outcomes=yes_or_no,
    version=2,
    source="EXECUTE and CUTE: containment",
    doc="Say whether a word contains a character, or a sentence a word.",
    examples=(
        {"holds": True, "repeated": True, "acted": True},
        {"holds": False, "repeated": True},
        {"holds": True},
        {"holds": False},
    ),
)
generate = TASK.generate
verify = TASK.verify
