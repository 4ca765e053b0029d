"""What the tasks of CharBench share: counting and finding characters in words of mixed case."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Final, NamedTuple, TypeAlias

from tokenbench.draw import Draw, Split, permuted
from tokenbench.errors import DifficultyError, TokenbenchError, string
from tokenbench.item import Item, Json
from tokenbench.tasks import counts
from tokenbench.tasks.contract import Draft, ItemSpec, Published, Task, unmeasured
from tokenbench.tasks.packed import LANGS, SOURCE_OF_WORDS, USERS_PACK, pack_of, source_of, words_of
from tokenbench.tasks.params import Choice, IntRange
from tokenbench.tasks.wordings import prompt_text
from tokenbench.text.graphemes import alike, graphemes
from tokenbench.text.normalize import nfc
from tokenbench.text.packs.model import Pack
from tokenbench.text.packs.wordlists import RUN, piles_in, words
from tokenbench.text.packs.wordlists import deal as dealt
from tokenbench.text.scripts import has_case
from tokenbench.text.segmented import Line
from tokenbench.text.sources import FileStamp

Examples: TypeAlias = tuple[Mapping[str, Json], ...]  # as in `Task`

_VERSION: Final = 2  # of all four: they deal out the same words
_PARAMS: Final = (
    IntRange(
        *("length", 4, RUN, 64, "characters of the word; the nearest length that there is"),
        levelled=True,
    ),
    Choice(
        "case",
        ("kept", "mixed"),
        "letter case of the words: as listed, or half of them with a capital somewhere",
        default="mixed, but kept where words come from a file",
    ),
    SOURCE_OF_WORDS,
    USERS_PACK,
)
# Examples show repeated characters, and questions about them.
_EXAMPLES: Final[Examples] = ({"repeated": True, "acted": True}, {"repeated": True}, {}, {})
_SEEN = 500  # words of a length over which answers are counted


class Case(NamedTuple):
    """A question about a word: the character that it names, and the answer."""

    unit: str
    answer: int


# The questions that a word allows, in groups that are equally likely.
Cases: TypeAlias = Callable[[Sequence[str]], Sequence[Sequence[Case]]]


def task(
    name: str,
    cases: Cases,
    *,
    source: str,
    doc: str,
    examples: Examples = _EXAMPLES,
    parse: Callable[[str, Item], int] = counts.parse,
    equivalences: tuple[str, ...] = (),
) -> Task:
    """Return the record of a task that asks about a word.

    Args:
        name: what items call it.
        cases: the questions that a word allows; a function of a module, which pickles.
        source, doc, examples, parse: as in `Task`.
        equivalences: as in `Task`, for its only variant.

    >>> from tokenbench.tasks import count_char
    >>> count_char.TASK.name, count_char.TASK.version
    ('count_char', 2)
    """
    record = Task(
        name=name,
        source=source,
        version=_VERSION,
        langs=LANGS,
        variants=(),
        doc=doc,
        params=_PARAMS,
        target_schema={None: {"answer": "whole number"}},
        sample=partial(_draft, cases, name),
        parse=parse,
        verify=verify,
        grade=_grade,
        explain=_why,
        max_answer_chars=counts.longest,
        guess_rate=unmeasured,
        equivalences={None: equivalences},
        n_instances=_space,
        examples=examples,
        accepts_any_language=True,
    )
    # What an item was asked to be, which its chance depends on, only a record can tell.
    return replace(record, guess_rate=partial(_chance, cases, record.spec_of))


def found(units: Sequence[str], place: Callable[[Sequence[str], str], int]) -> list[list[Case]]:
    """Return the questions of where a character stands: of repeated ones and, as often, others.

    >>> found(["o", "d", "d"], lambda units, unit: units.index(unit))
    [[Case(unit='d', answer=1)], [Case(unit='o', answer=0)]]
    """
    found = [Case(unit, place(units, unit)) for unit in dict.fromkeys(units)]
    repeated = [case for case in found if units.count(case.unit) > 1]
    others = [case for case in found if case not in repeated]
    return [group for group in (repeated, others) if group]


def spelled(word: str) -> list[str]:
    """Return the characters of a word.

    Raises:
        TokenbenchError: it is not a str.

    >>> spelled("Anna")
    ['A', 'n', 'n', 'a']
    """
    return graphemes(_composed("word", word))


def places(word: str, char: str) -> list[int]:
    """Return where in a word a character stands, the first place being 0.

    Raises:
        TokenbenchError: one of the two is not a str.

    >>> places("Banana", "a"), places("Banana", "b")
    ([1, 3, 5], [])
    """
    char = _composed("char", char)
    return [place for place, unit in enumerate(spelled(word)) if unit == char]


def held(word: str, char: str) -> list[int]:
    """Return where in a word a character stands that it has to hold.

    Raises:
        TokenbenchError: the word does not hold it, or one of the two is not a str.

    >>> held("Banana", "n")
    [2, 4]
    """
    if found := places(word, char):
        return found
    raise TokenbenchError(
        f"{word!r:.80} does not hold {char!r:.80}: give one of its characters, in the same case"
    )


def verify(answer: int, target: Json) -> bool:
    """Return whether an answer is the number.

    >>> verify(3, {"answer": 3})
    True
    """
    return bool(answer == target["answer"])


def _composed(name: str, text: str) -> str:
    return nfc(string(name, text))


def _draft(cases: Cases, task: str, ask: ItemSpec, draw: Draw) -> Draft | None:
    """Return an instance of a task; None if what was drawn cannot serve."""
    units = _recased(_placed(ask).units, ask, draw)
    case = draw.choice(draw.choice(cases(units)))
    absent = () if case.unit else _absent(units, ask)
    if not (case.unit or absent):  # the word holds all the characters of a small pack
        return None
    unit = case.unit or draw.choice(absent)
    return Draft(
        prompt=prompt_text(draw, task, ask.lang, form="ask", word="".join(units), unit=unit),
        target={"answer": case.answer},
        solution=str(case.answer),
        source=_source(ask),
        drawn={
            "length": len(units),
            "repeated": len(set(units)) < len(units),
            "acted": units.count(unit) > 1,
        },
        published=Published("integer", str(case.answer)),
    )


def _grade(answer: int, target: Json) -> float:
    return counts.closeness(answer, target["answer"])


def _why(answer: int, target: Json) -> str:
    return f"got {answer}: not the right number"


def _chance(cases: Cases, asked: Callable[[Item], ItemSpec], item: Item) -> float:
    """Return how often one and the same answer is right, over the words that an item is one of."""
    ask = asked(item)
    return _commonest(cases, _is_mixed(ask), *_key(ask))


def _space(ask: ItemSpec) -> int:
    return sum(map(len, _piles(ask)))


def _piles(ask: ItemSpec) -> tuple[tuple[Line, ...], ...]:
    """Return the words that may be asked about, by their length.

    Raises:
        DifficultyError: there are none.
        SourceError, MissingExtraError, UnknownNameError: as in the reading of packs and words.
    """
    piles = piles_in(*_key(ask))
    if piles:
        return piles
    raise DifficultyError(
        f"{_source(ask)} holds no word to ask this about in the split {ask.split!r}: "
        "give more words"
    )


def _key(ask: ItemSpec) -> tuple[Pack, str | FileStamp, Split, int, int]:
    """Return what decides on the words that may be asked about."""
    return (pack_of(ask), words_of(ask), ask.split, *ask.range("length"))


def _source(ask: ItemSpec) -> str:
    """Return what an item's meta says of where its word comes from."""
    return words(pack_of(ask), source_of(ask)).source


def _placed(ask: ItemSpec) -> Line:
    """Return the item's word: each length in turn, each word once until all have been asked about.

    The task makes no difference, so that the four can share out the words.
    """
    piles = _piles(ask)
    sizes = list(map(len, piles))
    turn, position = divmod(ask.index, sum(sizes))
    which, rank = dealt(position, sizes)
    _, *key = ask.key()
    place = turn * sizes[which] + rank
    return piles[which][permuted(place, sizes[which], "charbench", _VERSION, which, *key)]


def _recased(units: tuple[str, ...], ask: ItemSpec, draw: Draw) -> tuple[str, ...]:
    """Return a word in the case that was asked for."""
    if not _is_mixed(ask):
        return units
    match draw.below(4):
        case 0:
            return _capital(units, 0)
        case 1:
            return _capital(units, draw.below(len(units)))
    return units


def _casings(units: tuple[str, ...], mixed: bool) -> Iterator[tuple[tuple[str, ...], float]]:
    """Yield the cases in which a word may be written, each with how likely it is."""
    yield units, 0.5 if mixed else 1.0
    if mixed:
        yield _capital(units, 0), 0.25
        for place in range(len(units)):
            yield _capital(units, place), 0.25 / len(units)


def _capital(units: tuple[str, ...], place: int) -> tuple[str, ...]:
    """Return a word with one more capital, where the letter has one."""
    unit = units[place]
    upper = unit.upper()
    if not has_case(unit) or len(upper) != len(unit) or upper.lower() != unit.lower():
        return units
    return (*units[:place], upper, *units[place + 1 :])


def _is_mixed(ask: ItemSpec) -> bool:
    case = ask.overrides.get("case")
    return isinstance(words_of(ask), str) if case is None else bool(case == "mixed")


def _absent(units: Sequence[str], ask: ItemSpec) -> list[str]:
    """Return the characters that a word does not hold, in any case or with any marks."""
    others = pack_of(ask).common
    return [unit for unit in others if not any(alike(unit, other) for other in units)]


@lru_cache(maxsize=1024)
def _commonest(
    cases: Cases,
    mixed: bool,
    pack: Pack,
    source: str | FileStamp,
    split: Split,
    low: int,
    high: int,
) -> float:
    piles = piles_in(pack, source, split, low, high)
    shares: dict[int, float] = defaultdict(float)
    for lines in piles:
        seen = lines[:: -(-len(lines) // _SEEN)]
        for line in seen:
            for casing, likely in _casings(line.units, mixed):
                groups = cases(casing)
                weight = len(lines) / len(seen) * likely / len(groups)
                for group in groups:
                    for case in group:
                        shares[case.answer] += weight / len(group)
    return min(1.0, max(shares.values()) / sum(map(len, piles)))
