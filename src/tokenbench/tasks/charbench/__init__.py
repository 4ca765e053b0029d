"""CharBench (AAAI 2026): counting and finding characters in words of mixed case.

By default no feature of a question tells its answer: see `tokenbench.tasks.balance`. The paper asks
about any character of a word, each word in one of the four tasks, and as many words of each length.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from itertools import islice
from operator import attrgetter
from typing import TYPE_CHECKING, Final, TypeAlias

from tokenbench.answers.closed import Number
from tokenbench.checks import string
from tokenbench.draw import Draw, Split, permuted
from tokenbench.errors import expected
from tokenbench.tasks import language_packs
from tokenbench.tasks.balance import thin
from tokenbench.tasks.contract import Examples, Task
from tokenbench.tasks.language_packs import CHARACTERS, PHRASE, Case, Material, length_of
from tokenbench.tasks.lines import LINE_CACHE_SIZE, clear_units
from tokenbench.tasks.params import Choice
from tokenbench.tasks.pools import MIN_INSTANCES, length_range
from tokenbench.tasks.spec import ItemSpec, Outcome, Pool, Published, Question
from tokenbench.tasks.wordings import question_text
from tokenbench.text.graphemes import Line, alike, graphemes
from tokenbench.text.normalize import nfc
from tokenbench.text.units import has_case

# Only drawing reads packs: judging does not load their modules.
if TYPE_CHECKING:
    from tokenbench.text.packs import Pack

# The version of all four tasks, because they have all but the question in common.
_VERSION: Final = 2
_PUBLISHED_LENGTHS: Final = (4, 10)
_PARAMS: Final = (
    length_range("characters of the word or phrase", default=(4, 24), longest=64),
    Choice(
        "case",
        ("kept", "mixed"),
        help="letter case of the words: as listed, or half of them with a capital somewhere",
        default="mixed, but kept where words come from a file",
    ),
    language_packs.ANSWERS,
    *language_packs.WORD_PARAMS,
)

# Returns the answer about a character of a word, given the word's characters.
Answer: TypeAlias = Callable[[Sequence[str], str], int]
# Words by length, as cases, and how many have each length.
_Piles: TypeAlias = tuple[tuple[Case, ...], tuple[int, ...]]
_COUNT: Final = Number()


def word_task(
    name: str,
    answer: Answer,
    cases: language_packs.Cases,
    *,
    source: str,
    doc: str,
    examples: Examples = language_packs.EXAMPLES,
    kind: Number = _COUNT,
) -> Task:
    """Return the record of a task that asks about the characters of a word.

    Args:
        name: the name that items carry.
        answer: returns the answer; a function of a module, which pickles.
        source, doc, examples: as in `Task`.
        cases: returns the cases of words, with units and answers; a function of a module, so that
            a copy of the task finds the same ones in memory.
        kind: the kind of the answer: how many, or which position.

    >>> from tokenbench import count_char
    >>> count_char.TASK.name, count_char.TASK.version
    ('count_char', 2)
    """
    return language_packs.pack_task(
        name=name,
        doc=doc,
        answer=kind,
        pool=partial(_pool, cases),
        ask=partial(_ask, name, answer),
        place=partial(_place, name),
        outcomes=partial(_outcomes, answer),
        source=source,
        version=_VERSION,
        params=_PARAMS,
        examples=examples,
    )


def cases_of_units(
    lines: Sequence[Case], material: Material, answer: Answer, *, absent: bool = False
) -> list[Case]:
    """Return a case for each character of each word that no reader takes for another one.

    Args:
        lines: the words.
        material: as in `case_pool`.
        answer: as in `word_task`.
        absent: whether there are also cases about characters that a word does not have.
    """
    cases = []
    others = Draw("absent").shuffled(material.pack.common)
    for number, case in enumerate(lines):
        line = with_case(case, material).line
        units = [unit for (unit,) in clear_units(case.line, CHARACTERS) if unit in line.units]
        if absent:
            start = number % max(1, len(others))
            units += _absent(case.line, others[start:] + others[:start])
        cases += [Case(line, case.form, (unit,), answer(line.units, unit)) for unit in units]
    return cases


def with_case(case: Case, material: Material) -> Case:
    """Return a case with its word in the letter case that the material asks for."""
    return case._replace(line=_change_case(case.line)) if material.is_cased else case


def spread_positions(lines: Sequence[Case], material: Material, answer: Answer) -> list[Case]:
    """Return the cases of a task whose answer is a position, so that no position is frequent.

    That holds in all, for each length and for each character. Many of the characters occur several
    times.
    """
    cases = cases_of_units(lines, material, answer)
    lengths = [len(case.line.units) for case in cases]
    even = len(lengths) / max(1, sum(lengths))
    for feature, value, limit in (
        (_all, _is_repeated, lambda repeated: 1.0 if repeated else 0.55),
        (length_of, lambda case: (length_of(case), case.answer), lambda at: 1.5 / max(3, at[0])),
        # Some characters are usual at the end.
        (_unit, _from_end, lambda _: max(0.13, 1.5 * even)),
        (_unit, _answer, lambda _: max(0.13, 1.6 * even)),
        (_all, _from_end, lambda _: 1.4 * even),
        (_all, _answer, lambda _: 1.3 * even),
    ):
        fewer = thin(cases, feature, value, limit)
        # Of few words, too few would be left.
        cases = fewer if len(fewer) >= min(MIN_INSTANCES // 2, len(cases)) else cases
    return cases


def _all(_case: Case) -> int:
    return 0


_unit, _answer = attrgetter("units"), attrgetter("answer")


def _from_end(case: Case) -> int:
    return length_of(case) - int(case.answer)


def _is_repeated(case: Case) -> bool:
    return case.line.units.count(case.units[0]) > 1


def characters(word: str) -> list[str]:
    """Return the characters of a word.

    Raises:
        TokenbenchError: not a str.

    >>> characters("Anna")
    ['A', 'n', 'n', 'a']
    """
    return graphemes(nfc(string("word", word)))


def indices(word: str, char: str) -> list[int]:
    """Return the indices of a character in a word, the first being 0.

    Raises:
        TokenbenchError: one of the two is not a str.

    >>> indices("Banana", "a"), indices("Banana", "b")
    ([1, 3, 5], [])
    """
    char = nfc(string("char", char))
    return [index for index, unit in enumerate(characters(word)) if unit == char]


def indices_or_raise(word: str, char: str) -> list[int]:
    """Return the indices of a character that a word has to contain.

    Raises:
        TokenbenchError: the word does not contain it, or one of the two is not a str.

    >>> indices_or_raise("Banana", "n")
    [2, 4]
    """
    if result := indices(word, char):
        return result
    raise expected("char", char, f"a character of {word!r:.80}, in the same case")


def _pool(cases: language_packs.Cases, spec: ItemSpec) -> Pool:
    if not language_packs.is_published(spec):
        return language_packs.case_pool(
            spec, cases=cases, forms=(PHRASE,), is_cased=_is_mixed(spec)
        )
    words, _ = _piles(spec)
    return Pool(words, language_packs.words_label(spec))


def _ask(task: str, answer: Answer, case: Case, draw: Draw, spec: ItemSpec) -> Question:
    line, form, units, _ = case
    if language_packs.is_published(spec):
        line = _change_case(line) if _is_mixed(spec) else line
        units = (draw.choice(line.units),)
    unit = units[0] if units else ""
    result = answer(line.units, unit)
    form = "ask" if form == CHARACTERS else PHRASE
    return Question(
        question_text(draw, task, spec, form=form, word=line.text, unit=unit),
        result,
        language_packs.line_facts(line) | {"acted": line.units.count(unit) > 1},
        published=Published("integer", str(result)),
    )


def _outcomes(answer: Answer, case: Case, spec: ItemSpec) -> list[Outcome]:
    if not language_packs.is_published(spec):
        return [(case.answer, 1.0)]
    line = _change_case(case.line) if _is_mixed(spec) else case.line
    return [(answer(line.units, unit), 1 / len(line.units)) for unit in line.units]


def _place(task: str, spec: ItemSpec, size: int) -> int:
    """Return the index of the item's case: as in other tasks, or as CharBench shares out words.

    It takes each length in turn, and each word once in a round. The task makes no difference, so
    that the four can share out the words.
    """
    if not language_packs.is_published(spec):
        return spec.place(size, task, _VERSION)
    from tokenbench.text.packs.wordlists import deal

    _, sizes = _piles(spec)
    turn, position = divmod(spec.index, sum(sizes))
    which, rank = deal(position, sizes)
    _, *key = spec.key()
    index = turn * sizes[which] + rank
    return sum(sizes[:which]) + permuted(index, sizes[which], "charbench", _VERSION, which, *key)


def _piles(spec: ItemSpec) -> _Piles:
    """Return the words that CharBench may ask about, and how many have each length.

    Raises:
        DifficultyError: there are none.
        SourceError, MissingExtraError, UnknownNameError: as in the reading of packs and words.
    """
    pack, origin = language_packs.pack_of(spec), language_packs.words_key(spec)
    lengths = spec.range("length") if "length" in spec.overrides else _PUBLISHED_LENGTHS
    piles = _cases_by_length(pack, origin, spec.split, lengths)
    if not piles[0]:
        problem = f"no word in {language_packs.words_label(spec)} for"
        raise spec.no_instance(problem, "give more words")
    return piles


@lru_cache(maxsize=1024)
def _cases_by_length(
    pack: "Pack", origin: language_packs.Origin, split: Split, lengths: tuple[int, int]
) -> _Piles:
    from tokenbench.text.packs.wordlists import piles_in

    piles = piles_in(pack, origin, split, *lengths)
    cases = tuple(Case(line, CHARACTERS) for pile in piles for line in pile)
    return cases, tuple(map(len, piles))


@lru_cache(maxsize=LINE_CACHE_SIZE)
def _change_case(line: Line) -> Line:
    """Return a word, or the same with a capital: at its start, or anywhere."""
    draw = Draw("case", line.text)
    match draw.below(4):
        case 0:
            return line._replace(units=_capitalize(line.units, 0))
        case 1:
            return line._replace(units=_capitalize(line.units, draw.below(len(line.units))))
    return line


def _capitalize(units: tuple[str, ...], index: int) -> tuple[str, ...]:
    """Return a word with one more capital, if the letter has one."""
    unit = units[index]
    upper = unit.upper()
    if not has_case(unit) or len(upper) != len(unit) or upper.lower() != unit.lower():
        return units
    return (*units[:index], upper, *units[index + 1 :])


def _is_mixed(spec: ItemSpec) -> bool:
    case = spec.overrides.get("case")
    return (
        isinstance(language_packs.words_key(spec), str) if case is None else bool(case == "mixed")
    )


def _absent(line: Line, others: Sequence[str]) -> list[str]:
    """Return the first character that a word does not have, in whatever case or with any marks."""
    lacking = (unit for unit in others if not any(alike(unit, other) for other in line.units))
    return [*islice(lacking, 1)]
