"""CONTAINS: does a word contain a character, or a sentence a word?

Each unit is asked about as often where it is as where it is not, and so is each word or sentence.
Where it is not, something near it is, if there is such a line: another form of the word, a
character with a component of it, or the rest of a word that has it.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Final

from tokenbench.answers.closed import YesNo
from tokenbench.checks import string
from tokenbench.decomposition.components import CHARACTER_LANGUAGES, character_components
from tokenbench.draw import Draw
from tokenbench.grouping import group
from tokenbench.tasks import language_packs
from tokenbench.tasks.balance import deal, if_enough
from tokenbench.tasks.language_packs import CHARACTERS, WORDS, Case, Material, may_name
from tokenbench.tasks.lines import clear_units, contains_word, is_absent, line_of
from tokenbench.tasks.spec import ItemSpec, Outcome, Question, yes_or_no
from tokenbench.tasks.wordings import question_text
from tokenbench.text.graphemes import Line, graphemes

if TYPE_CHECKING:
    from tokenbench.text.packs import Pack

# Units of a line that it is asked about, and as many that it does not have.
_N_UNITS: Final = {CHARACTERS: 2, WORDS: 4}
# Letters at the start of two forms of one word, and the most that one is longer than the other.
_MIN_STEM: Final = 3
_MAX_ENDING: Final = 3
# Elsewhere a longer word may be the word itself with a particle.
_LANGS_WITH_ENDINGS: Final = ("de", "en", "es", "hi", "ru")
_CACHE_SIZE: Final = 64  # packs


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
    return string("unit", unit) in line_of(string("text", text), variant).units


def _ask(case: Case, draw: Draw, spec: ItemSpec) -> Question | None:
    line, variant = case.line, str(spec.variant)
    holds = bool(case.answer if case.units else draw.below(2))
    unit = case.units[0] if case.units else _draw_unit(line, draw, spec, holds=holds)
    if not unit:
        return None
    write = language_packs.in_script(spec)
    given = write(line.text)
    answer = spec.language.prompts["yes" if holds else "no"]
    payload = given if variant == WORDS else ""
    return Question(
        question_text(draw, "contains", spec, payload, form=variant, word=given, unit=write(unit)),
        holds,
        language_packs.line_facts(line, unit) | {"holds": holds},
        published=language_packs.cute_scoring(variant, answer),
    )


def _draw_unit(line: Line, draw: Draw, spec: ItemSpec, *, holds: bool) -> str:
    """Return any unit of a line, or any other of the pack, if no reader finds it in the line."""
    variant = str(spec.variant)
    if holds:
        (unit,) = draw.choice(clear_units(line, variant))
        return unit
    unit = draw.choice(language_packs.new_units(spec))
    return unit if is_absent(unit, line, variant) else ""


def _outcomes(case: Case, spec: ItemSpec) -> Sequence[Outcome]:
    return [(case.answer, 1.0)] if case.units else yes_or_no(case, spec)


def _with_units(lines: Sequence[Case], material: Material) -> list[Case]:
    return [case for case in lines if clear_units(case.line, material.variant)]


def _cases(lines: Sequence[Case], material: Material) -> list[Case]:
    """Return cases with the answer yes, and the same units dealt out to lines without them."""
    by_line = {case.line: case for case in lines}
    present = [(unit, line) for line in by_line for unit in _units_to_ask(line, material)]
    near = _near_lines(list(dict.fromkeys(line for _, line in present)), material)
    dealt = deal(present, near, lambda unit, line: _is_absent(unit, line, material))
    cases = [by_line[line]._replace(units=(unit,), answer=holds) for unit, line, holds in dealt]
    # Of a few lines, all may have the units.
    return if_enough(cases, _with_units(lines, material))


def _units_to_ask(line: Line, material: Material) -> list[str]:
    """Return units of a line to ask about, first one that occurs several times."""
    variant = material.variant
    clear = (unit for unit in clear_units(line, variant) if may_name(unit, material))
    units = Draw("held", line.text).shuffled([unit for (unit,) in clear])
    units.sort(key=lambda unit: line.units.count(unit) == 1)
    return units[: _N_UNITS[variant]]


def _is_absent(unit: str, line: Line, material: Material) -> bool:
    """Return whether no reader finds a unit in a line.

    Where words take endings, a word is not one of its longer forms. In other languages a longer
    word may be the word with a particle.
    """
    if material.variant == WORDS and material.pack.lang in _LANGS_WITH_ENDINGS:
        return not contains_word(unit, line)
    return is_absent(unit, line, material.variant)


def _near_lines(lines: Sequence[Line], material: Material) -> dict[str, list[Line]]:
    """Return the lines that have something near a unit, by units that may be asked about."""
    pack, found = material.pack, defaultdict[str, list[Line]](list)
    relatives = _forms(pack) if material.variant == WORDS else _shapes(pack)
    for line in Draw("near").shuffled(lines):
        near = set(chain.from_iterable(relatives.get(unit, ()) for unit in line.units))
        if material.variant == CHARACTERS:
            masked = chain.from_iterable(_letters(pack).get(key, ()) for key in _masks(line.units))
            near.update(masked)
        for unit in sorted(near.difference(line.units)):
            found[unit].append(line)
    return found


@lru_cache(maxsize=_CACHE_SIZE)
def _forms(pack: "Pack") -> dict[str, set[str]]:
    """Return the words that may be other forms of a word: of the same stem, or character."""
    stems = defaultdict[str, set[str]](set)
    for word in pack.vocabulary:
        for stem in graphemes(word) if pack.joined else [word[:_MIN_STEM]]:
            stems[stem].add(word)
    return _relatives(
        (word, other)
        for words in stems.values()
        for word in words
        for other in words
        if pack.joined or abs(len(word) - len(other)) <= _MAX_ENDING
    )


@lru_cache(maxsize=_CACHE_SIZE)
def _shapes(pack: "Pack") -> dict[str, set[str]]:
    """Return the characters that share a component with a character; of a syllable, its start."""
    if pack.lang not in CHARACTER_LANGUAGES:
        return {}
    script, sharing = character_components(pack.lang), defaultdict[object, set[str]](set)
    for char in pack.alphabet:
        for parts in script.right_decompositions(char):
            for key in [parts[:2]] if script.is_ordered else parts:
                sharing[key].add(char)
    return _relatives((one, two) for chars in sharing.values() for one in chars for two in chars)


def _relatives(pairs: Iterable[tuple[str, str]]) -> dict[str, set[str]]:
    found = group((one, other) for one, other in pairs if one != other)
    return {one: set(others) for one, others in found.items()}


@lru_cache(maxsize=_CACHE_SIZE)
def _letters(pack: "Pack") -> dict[tuple[str, ...], tuple[str, ...]]:
    """Return the characters that complete words, by the words with one character masked."""
    words = (tuple(graphemes(word)) for word in pack.vocabulary)
    return group(pair for units in words for pair in zip(_masks(units), units, strict=True))


def _masks(units: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    for index in range(len(units)):
        yield (*units[:index], "", *units[index + 1 :])


TASK = language_packs.pack_task(
    name="contains",
    ask=_ask,
    answer={CHARACTERS: YesNo(), WORDS: YesNo()},
    pool=language_packs.LinePool(_cases, _with_units),
    outcomes=_outcomes,
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
