"""The tasks that edit a word or a sentence: insert, delete, substitute, swap."""

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from itertools import combinations
from typing import Final

from tokenbench.answers.text import edit_folds, edit_result
from tokenbench.checks import string
from tokenbench.draw import Draw
from tokenbench.records import record
from tokenbench.tasks import language_packs
from tokenbench.tasks.balance import thin
from tokenbench.tasks.contract import Examples, Task
from tokenbench.tasks.language_packs import CHARACTERS, PHRASE, WORDS, Case, Material
from tokenbench.tasks.lines import LINE_CACHE_SIZE, Operands, clear_units, contains_word, line_of
from tokenbench.tasks.spec import ItemSpec, Question
from tokenbench.tasks.wordings import question_text
from tokenbench.text.graphemes import Line, alike, stand_apart

# The largest shares of cases by place: with "the first place only" more than half are right, and
# with "at the end" few.
_SHARES: Final = {"several": 1.0, "inside": 0.42, "edge": 0.12}
# The slot of a unit that is not in the line.
_NEW: Final = "new"


@record()
class Edit:
    """A way to edit a line, made of functions of modules, which pickle; called, it gives cases.

    Attributes:
        operands: returns the units of a line, under a variant, that it can act on.
        apply: edits a line, given the operands.
        slots: the names of the operands in its prompts; `new` is a unit that is not in the line.
    """

    operands: Callable[[Line, str], tuple[Operands, ...]]
    apply: Callable[..., Line]
    slots: tuple[str, ...]

    def __call__(self, lines: Sequence[Case], material: Material) -> list[Case]:
        """Return a case for each unit of each line, nearly half of them in several places.

        Those that occur once, at the start or the end of a line, are few.
        """
        cases = [
            Case(line, form, operands, _place(line, *operands))
            for line, form, _, _ in lines
            for operands in self.operands(line, material.variant)
            if language_packs.may_name(operands, material)
        ]
        return thin(cases, lambda _: 0, lambda case: case.answer, lambda place: _SHARES[str(place)])


def edit_task(
    name: str,
    edit: Edit,
    *,
    cases: language_packs.Cases | None = None,
    source: str,
    doc: str,
    examples: Examples = language_packs.EXAMPLES,
    forms: tuple[str, ...] = (PHRASE, language_packs.TEXT),
) -> Task:
    """Return the record of a task that asks for an edit.

    Args:
        name: the name that items carry.
        edit: how it edits.
        cases: returns the cases of lines, instead of the edit; a function of a module, so that a
            copy of the task finds the same ones in memory.
        source, doc, examples: as in `Task`.
        forms: as in `language_packs.LinePool`.

    >>> from tokenbench import swap
    >>> swap.TASK.name, swap.TASK.version
    ('swap', 2)
    """
    return language_packs.pack_task(
        name=name,
        ask=partial(_ask, name, edit),
        answer={CHARACTERS: edit_result(sentence=False), WORDS: edit_result(sentence=True)},
        pool=language_packs.LinePool(cases or edit, partial(_with_operands, edit), forms),
        source=source,
        doc=doc,
        examples=examples,
    )


def _with_operands(edit: Edit, lines: Sequence[Case], material: Material) -> list[Case]:
    return [case for case in lines if can_edit(edit, case.line, material.variant)]


def _place(line: Line, unit: str) -> str:
    """Return where a unit occurs in a line: "several" places, at the "edge", or "inside"."""
    if line.units.count(unit) > 1:
        return "several"
    return "edge" if unit in (line.units[0], line.units[-1]) else "inside"


def apply_edit(edit: Edit, text: str, variant: str, *operands: str) -> str:
    """Return a word or sentence after an edit.

    Raises:
        UnknownNameError: no such variant.
        TokenbenchError: the text or an operand is not a str.

    >>> edit = Edit(clear_units, Line.with_after, ("unit", "new"))
    >>> apply_edit(edit, "banana", "char", "a", "x")
    'baxnaxnax'
    """
    for name, operand in zip(edit.slots, operands, strict=True):
        string(name, operand)
    return edit.apply(line_of(text, variant), *operands).text


def _ask(name: str, edit: Edit, case: Case, draw: Draw, spec: ItemSpec) -> Question | None:
    variant, line = str(spec.variant), case.line
    operands = case.units or draw.choice(edit.operands(line, variant))
    are_words = variant == CHARACTERS or spec.language.pieces.isdisjoint(operands)
    if not are_words and not language_packs.is_published(spec):
        return None
    if _NEW in edit.slots:
        new = draw.choice(language_packs.new_units(spec))
        if not _fits(new, operands[0], line, variant):
            return None
        operands = (*operands, new)
    result = edit.apply(line, *operands)
    if not is_sound(result, line, variant):
        return None
    write = language_packs.in_script(spec)
    given, text = write(line.text), write(result.text)
    slots = dict(zip(edit.slots, map(write, operands), strict=True))
    is_sentence = variant == WORDS
    payload = given if is_sentence else ""
    folds = edit_folds(sentence=is_sentence, spaced=bool(line.space), phrase=case.form == PHRASE)
    return Question(
        question_text(draw, name, spec, payload, form=case.form, word=given, **slots),
        drawn=language_packs.line_facts(line, operands[0]),
        target={"text": text, "given": given, "folds": folds},
        solution=text,
        published=language_packs.cute_scoring(variant, text),
    )


@lru_cache(maxsize=LINE_CACHE_SIZE)
def deletable(line: Line, variant: str) -> tuple[Operands, ...]:
    """Return the clear units of a line that can be deleted so that a sound line remains.

    >>> from tokenbench.text.graphemes import characters, sentence
    >>> deletable(characters("banana"), "char"), deletable(sentence("No, no!"), "word")
    ((('b',), ('a',), ('n',)), ())
    """
    units = clear_units(line, variant)
    return tuple(unit for unit in units if is_sound(line.without(*unit), line, variant))


@lru_cache(maxsize=LINE_CACHE_SIZE)
def pairs_to_swap(line: Line, variant: str) -> tuple[Operands, ...]:
    """Return the pairs of clear units of a line that occur once each and are not easily guessed.

    The first and the last are easily guessed; to move one of two neighbors behind the other swaps
    them. Such pairs are returned only if a line has no others, and never two whose swap reverses a
    line of three units or more. A pair may make a line that is not sound.

    >>> from tokenbench.text.graphemes import characters
    >>> pairs_to_swap(characters("throne"), "char")[:3]
    (('t', 'r'), ('t', 'o'), ('t', 'n'))
    """
    once = [unit for (unit,) in clear_units(line, variant) if line.units.count(unit) == 1]
    places = {unit: place for place, unit in enumerate(line.units)}
    whole = len(line.units) - 1
    mirrored = zip(line.units, reversed(line.units), strict=True)
    moved = tuple(one for one, other in mirrored if one != other)
    pairs = tuple(pair for pair in combinations(once, 2) if whole < 2 or pair != moved)
    hard = tuple((one, two) for one, two in pairs if 1 < places[two] - places[one] < whole)
    return hard or pairs


def can_edit(edit: Edit, line: Line, variant: str) -> bool:
    """Return whether there are units of a line on which an edit makes a sound line."""
    return any(
        _NEW in edit.slots or is_sound(edit.apply(line, *operands), line, variant)
        for operands in edit.operands(line, variant)
    )


def _fits(new: str, unit: str, line: Line, variant: str) -> bool:
    """Return whether a unit can be put next to another one of a line, or replace it."""
    if variant == WORDS:
        return not contains_word(new, line)
    others = (other for other in line.units if other != new)
    return new != unit and not any(alike(new, other) for other in others)


def is_sound(edited: Line, line: Line, variant: str) -> bool:
    """Return whether a result can be read as the units that it consists of, marks in place."""
    if not edited.units or edited.text == line.text:
        return False
    if variant == CHARACTERS:
        return stand_apart([*edited.units])
    allowed = {"", " ", *line.gaps}
    return edited.gaps[0] == line.gaps[0] and allowed.issuperset(edited.gaps)
