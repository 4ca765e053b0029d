"""CONTAINS: does a word hold a character, or a sentence a word?"""

from tokenbench.draw import Draw
from tokenbench.errors import string
from tokenbench.tasks import edits, yesno
from tokenbench.tasks.contract import Draft, ItemSpec, Task
from tokenbench.tasks.packed import (
    LANGS,
    PARAMS,
    VARIANTS,
    WORDS,
    Pool,
    facts,
    in_script,
    newcomers,
    pool,
    published,
)
from tokenbench.tasks.wordings import prompt_text, shared_text
from tokenbench.tasks.yesno import verify as verify


def solve(text: str, unit: str, variant: str = "char") -> bool:
    """Return whether a character is in a word, or a word in a sentence.

    Args:
        text: a word; with `variant="word"` a sentence that writes spaces between its words.
        unit: a character, or a word.
        variant: `char` or `word`.

    Raises:
        UnknownNameError: another variant.
        TokenbenchError: text or unit is no str.

    >>> solve("banana", "n"), solve("Go on, go!", "o", variant="word")
    (True, False)
    """
    return string("unit", unit) in edits.line_of(string("text", text), variant).units


def _make(ask: ItemSpec, draw: Draw) -> Draft | None:
    found, variant = _pool(ask), str(ask.variant)
    line = found.lines[TASK.place(ask, len(found.lines))]
    holds = bool(draw.below(2))
    if holds:
        (unit,) = draw.choice(edits.weighted(edits.clear(line, variant), line))
    else:
        unit = draw.choice(newcomers(ask))
        if not edits.is_absent(unit, line, variant):
            return None
    written = in_script(ask)
    given = written(line.text)
    answer = shared_text("yes" if holds else "no", ask.lang)
    return Draft(
        prompt=prompt_text(
            *(draw, "contains", ask.lang, given if variant == WORDS else ""),
            form=variant,
            word=given,
            unit=written(unit),
        ),
        target={"answer": holds},
        solution=answer,
        source=found.source,
        drawn=facts(line, unit) | {"holds": holds},
        published=published(variant, answer),
    )


def _pool(ask: ItemSpec) -> Pool:
    return pool(ask, edits.clear)


def _space(ask: ItemSpec) -> int:
    return len(_pool(ask).lines)


TASK = Task(
    name="contains",
    source="EXECUTE and CUTE: containment",
    version=2,
    langs=LANGS,
    variants=VARIANTS,
    doc="Say whether a word holds a character, or a sentence a word.",
    params=PARAMS,
    target_schema=dict.fromkeys(VARIANTS, yesno.FIELDS),
    sample=_make,
    parse=yesno.parse,
    verify=verify,
    grade=yesno.grade,
    explain=yesno.why,
    max_answer_chars=yesno.longest,
    guess_rate=yesno.guess_rate,
    equivalences=dict.fromkeys(VARIANTS, yesno.FOLDS),
    n_instances=_space,
    examples=yesno.EXAMPLES,
    accepts_any_language=True,
)
generate = TASK.generate
