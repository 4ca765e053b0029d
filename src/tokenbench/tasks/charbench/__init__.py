"""CharBench (AAAI 2026): counting and finding characters in words of mixed case."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import Final, NamedTuple, TypeAlias

from tokenbench.answers.closed import Number, Occurrence
from tokenbench.checks import string
from tokenbench.draw import Draw, permuted
from tokenbench.errors import DifficultyError, expected
from tokenbench.tasks import language_packs
from tokenbench.tasks.contract import Examples, Task
from tokenbench.tasks.language_packs import EXAMPLES, pack_of, words_key, words_label
from tokenbench.tasks.params import Choice, IntRange
from tokenbench.tasks.spec import ItemSpec, Outcome, Pool, Published, Question
from tokenbench.tasks.wordings import question_text
from tokenbench.text.graphemes import Line, alike, graphemes
from tokenbench.text.languages import LANGUAGES
from tokenbench.text.normalize import nfc
from tokenbench.text.packs.wordlists import RUN, deal, piles_in
from tokenbench.text.units import has_case

# The version of all four tasks, because they share out the same words.
_VERSION: Final = 2
_PARAMS: Final = (
    IntRange(
        "length",
        default=(4, RUN),
        max=64,
        help="characters of the word; the nearest length that there is",
        scales_with_level=True,
    ),
    Choice(
        "case",
        ("kept", "mixed"),
        help="letter case of the words: as listed, or half of them with a capital somewhere",
        default="mixed, but kept where words come from a file",
    ),
    *language_packs.WORD_PARAMS,
)


class Case(NamedTuple):
    """A question about a word: the character that it names, and the answer.

    An empty character means any that the word does not have.
    """

    unit: str
    answer: int


# The questions that a word allows, in groups that are equally likely.
Cases: TypeAlias = Callable[[Sequence[str]], Sequence[Sequence[Case]]]


def word_task(
    name: str,
    cases: Cases,
    *,
    source: str,
    doc: str,
    examples: Examples = EXAMPLES,
    position: bool = False,
    occurrence: Occurrence = "",
) -> Task:
    """Return the record of a task that asks about the characters of a word.

    Args:
        name: the name that items carry.
        cases: returns the questions that a word allows; a function of a module, which pickles.
        source, doc, examples: as in `Task`.
        position: whether the answer is a position.
        occurrence: of which occurrence of the character it is the position.

    >>> from tokenbench import count_char
    >>> count_char.TASK.name, count_char.TASK.version
    ('count_char', 2)
    """
    return Task(
        name=name,
        doc=doc,
        answer=Number(
            position=position,
            occurrence=occurrence,
            equivalences=("place",) if position else (),
        ),
        pool=_pool,
        ask=partial(_ask, name, cases),
        place=_place,
        outcomes=partial(_outcomes, cases),
        source=source,
        version=_VERSION,
        langs=LANGUAGES,
        params=_PARAMS,
        examples=examples,
        accepts_any_language=True,
    )


def position_questions(units: Sequence[str], which: int) -> list[list[Case]]:
    """Return the questions about a character's position: repeated characters, and the others.

    Args:
        units: the characters of a word.
        which: 0 for the first of a character's positions, -1 for the last.

    >>> position_questions(["o", "d", "d"], which=-1)
    [[Case(unit='d', answer=2)], [Case(unit='o', answer=0)]]
    """
    found: dict[str, list[int]] = {}
    for index, unit in enumerate(units):
        found.setdefault(unit, []).append(index)
    repeated = [Case(unit, at[which]) for unit, at in found.items() if len(at) > 1]
    others = [Case(unit, at[which]) for unit, at in found.items() if len(at) == 1]
    return [group for group in (repeated, others) if group]


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


def _pool(spec: ItemSpec) -> Pool:
    return Pool(tuple(chain(*_piles(spec))), words_label(spec))


def _ask(task: str, cases: Cases, line: Line, draw: Draw, spec: ItemSpec) -> Question | None:
    units = _change_case(line.units, spec, draw)
    case = draw.choice(draw.choice(cases(units)))
    absent = () if case.unit else _absent(units, spec)
    # A word may have all characters of a small pack.
    if not (case.unit or absent):
        return None
    unit = case.unit or draw.choice(absent)
    facts = {"length": len(units), "repeated": len(set(units)) < len(units)}
    return Question(
        question_text(draw, task, spec.language, form="ask", word="".join(units), unit=unit),
        case.answer,
        facts | {"acted": units.count(unit) > 1},
        published=Published("integer", str(case.answer)),
    )


def _place(spec: ItemSpec, _size: int) -> int:
    """Return the index of the item's word: each length in turn, each word once in a round.

    The task makes no difference, so that the four can share out the words.
    """
    sizes = list(map(len, _piles(spec)))
    turn, position = divmod(spec.index, sum(sizes))
    which, rank = deal(position, sizes)
    _, *key = spec.key()
    index = turn * sizes[which] + rank
    return sum(sizes[:which]) + permuted(index, sizes[which], "charbench", _VERSION, which, *key)


def _piles(spec: ItemSpec) -> tuple[tuple[Line, ...], ...]:
    """Return the words that may be asked about, by their length.

    Raises:
        DifficultyError: there are none.
        SourceError, MissingExtraError, UnknownNameError: as in the reading of packs and words.
    """
    low, high = spec.range("length")
    piles = piles_in(pack_of(spec), words_key(spec), spec.split, low, high)
    if piles:
        return piles
    problem = [f"no word in {words_label(spec)} for ", *spec.describe()]
    raise DifficultyError(problem, remedy="give more words")


def _outcomes(cases: Cases, line: Line, spec: ItemSpec) -> Iterable[Outcome]:
    for units, probability in _casings(line.units, _is_mixed(spec)):
        groups = cases(units)
        for group in groups:
            for case in group:
                yield case.answer, probability / len(groups) / len(group)


def _change_case(units: tuple[str, ...], spec: ItemSpec, draw: Draw) -> tuple[str, ...]:
    if not _is_mixed(spec):
        return units
    match draw.below(4):
        case 0:
            return _capitalize(units, 0)
        case 1:
            return _capitalize(units, draw.below(len(units)))
    return units


def _casings(units: tuple[str, ...], mixed: bool) -> Iterator[tuple[tuple[str, ...], float]]:
    """Yield the cases in which a word may be written, each with its probability."""
    yield units, 0.5 if mixed else 1.0
    if mixed:
        yield _capitalize(units, 0), 0.25
        for index in range(len(units)):
            yield _capitalize(units, index), 0.25 / len(units)


def _capitalize(units: tuple[str, ...], index: int) -> tuple[str, ...]:
    """Return a word with one more capital, if the letter has one."""
    unit = units[index]
    upper = unit.upper()
    if not has_case(unit) or len(upper) != len(unit) or upper.lower() != unit.lower():
        return units
    return (*units[:index], upper, *units[index + 1 :])


def _is_mixed(spec: ItemSpec) -> bool:
    case = spec.overrides.get("case")
    return isinstance(words_key(spec), str) if case is None else bool(case == "mixed")


def _absent(units: Sequence[str], spec: ItemSpec) -> list[str]:
    """Return common characters that a word does not have, in whatever case or with any marks."""
    others = pack_of(spec).common
    return [unit for unit in others if not any(alike(unit, other) for other in units)]
