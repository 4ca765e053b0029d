"""What the tasks of CharBench share: counting and finding characters in words of mixed case."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from tokenbench.draw import Draw, Split, permuted, split_of
from tokenbench.errors import DifficultyError
from tokenbench.item import Json
from tokenbench.tasks import counts
from tokenbench.tasks.contract import Ask, Draft, Published
from tokenbench.tasks.packed import SOURCE_OF_WORDS, USERS_PACK, pack_of, source_of, words_of
from tokenbench.tasks.params import Choice, Span
from tokenbench.tasks.wording import worded
from tokenbench.text.graphemes import alike, is_clear
from tokenbench.text.line import Line, characters
from tokenbench.text.packs.model import Pack
from tokenbench.text.packs.wordlists import PACK, words
from tokenbench.text.sources import KEPT, Located
from tokenbench.text.writing import cased

VERSION: Final = 1  # of all four: they deal out the same words
FIELDS: Final = {"answer": "whole number"}
PARAMS: Final = (
    Span(
        *("length", 4, 10, 64, "characters of the word; the nearest length that there is"),
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

_SEEN = 500  # words of a pool over which answers are counted


class Case(NamedTuple):
    """A question about a word: the character that it names, and the answer."""

    unit: str
    answer: int


# The questions that a word allows, in groups that are equally likely.
Cases = Callable[[Sequence[str]], Sequence[Sequence[Case]]]


class Pool(NamedTuple):
    """The words of a split by their length, and where they come from."""

    lengths: tuple[tuple[Line, ...], ...]
    source: str

    @property
    def size(self) -> int:
        """How many words there are."""
        return sum(map(len, self.lengths))


def draft(cases: Cases, task: str, ask: Ask, draw: Draw) -> Draft | None:
    """Return an instance of a task that asks about a word; None if what was drawn cannot serve."""
    pool = pool_of(ask)
    units = _recased(_placed(ask, pool).units, ask, draw)
    case = draw.choice(draw.choice(cases(units)))
    absent = () if case.unit else _absent(units, ask)
    if not (case.unit or absent):  # the word holds all the characters of a small pack
        return None
    unit = case.unit or draw.choice(absent)
    return Draft(
        prompt=worded(draw, task, ask.lang, form="ask", word="".join(units), unit=unit),
        target={"answer": case.answer},
        solution=str(case.answer),
        source=pool.source,
        drawn={
            "length": len(units),
            "repeated": len(set(units)) < len(units),
            "acted": units.count(unit) > 1,
        },
        published=Published("integer", str(case.answer)),
    )


def found(units: Sequence[str], place: Callable[[Sequence[str], str], int]) -> list[list[Case]]:
    """Return the questions of where a character stands: of repeated ones and, as often, others."""
    found = [Case(unit, place(units, unit)) for unit in dict.fromkeys(units)]
    repeated = [case for case in found if units.count(case.unit) > 1]
    others = [case for case in found if case not in repeated]
    return [group for group in (repeated, others) if group]


def pool_of(ask: Ask) -> Pool:
    """Return the words that may be asked about: those whose characters are clear.

    Raises:
        DifficultyError: there are none.
        SourceError, MissingExtraError, UnknownNameError: as in the reading of packs and words.
    """
    pack, source = pack_of(ask), source_of(ask)
    low, high = ask.range("length")
    lengths = _in_range(pack, words_of(ask), ask.split, low, high)
    listed = words(pack, source).source
    if not lengths:
        raise DifficultyError(
            f"{listed} holds no word to ask this about in the split {ask.split!r}: give more words"
        )
    return Pool(lengths, listed)


def chance(cases: Cases, ask: Ask) -> float:
    """Return how often one and the same answer is right, over the words of a pool."""
    asked = (pack_of(ask), words_of(ask), ask.split, *ask.range("length"))
    return _commonest(cases, _is_mixed(ask), *asked)


def verify(answer: int, target: Json) -> bool:
    """Return whether an answer is the number.

    >>> verify(3, {"answer": 3})
    True
    """
    return bool(answer == target["answer"])


def grade(answer: int, target: Json) -> float:
    """Return partial credit for the number that a target holds."""
    return counts.closeness(answer, target["answer"])


def why(answer: int, target: Json) -> str:
    """Return what is wrong with an answer."""
    return f"it is not {answer}"


def _placed(ask: Ask, pool: Pool) -> Line:
    """Return the item's word: each length in turn, each word once until all have been asked about.

    The task makes no difference, so that the four can share out the words.
    """
    turn, position = divmod(ask.index, pool.size)
    sizes = [len(lines) for lines in pool.lengths]
    which, rank = _dealt(position, sizes)
    _, *key = ask.key()
    lines = pool.lengths[which]
    return lines[permuted(turn * len(lines) + rank, len(lines), "charbench", VERSION, which, *key)]


def _dealt(position: int, sizes: Sequence[int]) -> tuple[int, int]:
    """Return which pile a position is dealt from, and its rank there.

    Piles take turns, until they are empty.

    >>> [_dealt(position, [3, 1, 2]) for position in range(6)]
    [(0, 0), (1, 0), (2, 0), (0, 1), (2, 1), (0, 2)]
    """
    dealt, piles = 0, list(range(len(sizes)))
    while True:
        rounds = min(sizes[pile] for pile in piles) - dealt
        if position < rounds * len(piles):
            rank, turn = divmod(position, len(piles))
            return piles[turn], dealt + rank
        position -= rounds * len(piles)
        dealt += rounds
        piles = [pile for pile in piles if sizes[pile] > dealt]


def _recased(units: tuple[str, ...], ask: Ask, draw: Draw) -> tuple[str, ...]:
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
    if not cased(unit) or len(upper) != len(unit) or upper.lower() != unit.lower():
        return units
    return (*units[:place], upper, *units[place + 1 :])


def _is_mixed(ask: Ask) -> bool:
    case = ask.given.get("case")
    return isinstance(words_of(ask), str) if case is None else bool(case == "mixed")


def _absent(units: Sequence[str], ask: Ask) -> list[str]:
    """Return the characters that a word does not hold, in any case or with any marks."""
    others = pack_of(ask).common
    return [unit for unit in others if not any(alike(unit, other) for other in units)]


@lru_cache(maxsize=1024)
def _commonest(
    cases: Cases,
    mixed: bool,
    pack: Pack,
    source: str | Located,
    split: Split,
    low: int,
    high: int,
) -> float:
    lengths = _in_range(pack, source, split, low, high)
    shares: dict[int, float] = defaultdict(float)
    for lines in lengths:
        seen = lines[:: -(-len(lines) // _SEEN)]
        for line in seen:
            for casing, likely in _casings(line.units, mixed):
                groups = cases(casing)
                weight = len(lines) / len(seen) * likely / len(groups)
                for group in groups:
                    for case in group:
                        shares[case.answer] += weight / len(group)
    return min(1.0, max(shares.values()) / sum(map(len, lengths)))


@lru_cache(maxsize=1024)
def _in_range(
    pack: Pack, source: str | Located, split: Split, low: int, high: int
) -> tuple[tuple[Line, ...], ...]:
    """Return the words of each length in a range, or of the length that comes nearest to it."""
    known = _by_length(pack, source).get(split, {})
    within = tuple(known[length] for length in sorted(known) if low <= length <= high)
    if within or not known:
        return within
    return (known[min(known, key=lambda length: (max(low - length, length - high), length))],)


@lru_cache(maxsize=2 * KEPT)
def _by_length(pack: Pack, source: str | Located) -> dict[Split, dict[int, tuple[Line, ...]]]:
    """Return the words of each split, by their length."""
    piles: dict[Split, dict[int, list[Line]]] = {}
    for line in _listed(pack, source):
        if is_clear(line.units):
            lengths = piles.setdefault(split_of(line.text.lower()), {})
            lengths.setdefault(len(line.units), []).append(line)
    return {
        split: {length: tuple(lines) for length, lines in lengths.items()}
        for split, lengths in piles.items()
    }


@lru_cache(maxsize=2 * KEPT)
def _listed(pack: Pack, source: str | Located) -> tuple[Line, ...]:
    if pack.joined and source == PACK:  # its words are too short to count in
        return tuple(dict.fromkeys(characters(run) for run in _runs(pack)))
    listed = words(pack, source if isinstance(source, str) else source.path)
    return tuple(map(characters, listed.words))


def _runs(pack: Pack) -> Iterator[str]:
    """Yield runs of whole words between marks, of no more characters than a level asks for."""
    most = PARAMS[0].high
    for line in pack.sentences:
        run = ""
        for gap, word in zip(line.gaps, line.units, strict=False):
            if run and (gap or len(run) + len(word) > most):
                yield run
                run = ""
            run += word
        yield run
