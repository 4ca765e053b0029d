"""What the tasks share that edit a word or a sentence: insert, delete, substitute, swap."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from tokenbench.answer import Unparsable
from tokenbench.draw import Draw
from tokenbench.errors import unknown
from tokenbench.item import Item, Json
from tokenbench.tasks.contract import Ask, Draft
from tokenbench.tasks.packed import (
    CHARACTERS,
    VARIANTS,
    WORDS,
    Pool,
    facts,
    in_script,
    newcomers,
    published,
)
from tokenbench.tasks.wording import worded
from tokenbench.text.fold import bare, nfc, straight, unwrapped, visible, width
from tokenbench.text.graphemes import alike, stand_apart
from tokenbench.text.line import Line, characters, sentence
from tokenbench.text.sources import KEPT
from tokenbench.text.units import separates

Operands: TypeAlias = tuple[str, ...]

FIELDS: Final = {
    "text": "str",
    "also": "list of str, or none",  # what else is right, in published rows
    "given": "str",
    "folds": "list of str",
}
# Examples show repeated units, and what becomes of them.
EXAMPLES: Final[tuple[Mapping[str, Json], ...]] = (
    {"repeated": True, "acted": True},
    {"repeated": True},
    {},
    {},
)
SWAPPED: Final[tuple[Mapping[str, Json], ...]] = ({"repeated": True}, {"repeated": True}, {}, {})

_LONGEST = 128
_TELLING = 3  # letters from which on a word is seen within a longer one
_CASE, _SPACES = "case", "spaces"  # foldings
_NEW: Final = "new"  # the slot of a unit that the line has not
_JOINED: Final = re.compile("['’ʼ‐‑·_-]")  # what joins the parts of one word


class Edit(NamedTuple):
    """A way to edit a line.

    `operands` lists the units of a line, under a variant, that it can act on; `apply` does it;
    `slots` name the operands in its prompts, `new` being a further unit that the line has not.
    """

    operands: Callable[[Line, str], tuple[Operands, ...]]
    apply: Callable[..., Line]
    slots: tuple[str, ...]

    @property
    def fresh(self) -> bool:
        """Whether it needs a unit that the line has not."""
        return _NEW in self.slots


def line_of(text: str, variant: str) -> Line:
    """Return the characters of a word, or the words of a sentence that writes spaces.

    Raises:
        UnknownNameError: no such variant.
    """
    if variant not in VARIANTS:
        raise unknown("variant", variant, VARIANTS)
    return characters(text) if variant == CHARACTERS else sentence(text)


def draft(edit: Edit, task: str, ask: Ask, draw: Draw, found: Pool, place: int) -> Draft | None:
    """Return an instance of a task that edits a line; None if what was drawn cannot serve.

    Args:
        edit: how the task edits.
        task: its name.
        ask, draw: as a task's `make` has them.
        found: the lines that it may edit.
        place: the place of the one to edit.
    """
    variant, line = str(ask.variant), found.lines[place]
    operands = draw.choice(options(edit, line, variant))
    if edit.fresh:
        new = draw.choice(newcomers(ask))
        if not _fits(new, operands[0], line, variant):
            return None
        operands = (*operands, new)
    edited = edit.apply(line, *operands)
    if not _sound(edited, line, variant):
        return None
    written = in_script(ask)
    given, text = written(line.text), written(edited.text)
    slots = dict(zip(edit.slots, map(written, operands), strict=True))
    payload = given if variant == WORDS else ""
    return Draft(
        prompt=worded(draw, task, ask.lang, payload, form=variant, word=given, **slots),
        target={"text": text, "given": given, "folds": folds(variant, bool(line.space))},
        solution=text,
        source=found.source,
        drawn=facts(line, operands[0]),
        published=published(variant, text),
    )


def options(edit: Edit, line: Line, variant: str) -> list[Operands]:
    """Return what may be acted on, each as often as it is drawn.

    >>> options(Edit(clear, Line.without, ("unit",)), characters("bananas"), "char")[:4]
    [('a',), ('n',), ('a',), ('n',)]
    """
    return weighted(_operands(edit, line, variant), line)


@lru_cache(maxsize=1 << 14)
def _operands(edit: Edit, line: Line, variant: str) -> tuple[Operands, ...]:
    """Return what may be acted on, whatever the result, or so that the result is sound."""
    found = edit.operands(line, variant)
    if edit.fresh:
        return found
    return tuple(held for held in found if _sound(edit.apply(line, *held), line, variant))


def weighted(found: Sequence[Operands], line: Line) -> list[Operands]:
    """Return units of a line, those that occur several times as often as all others together.

    >>> weighted([("b",), ("a",), ("n",)], characters("banana"))
    [('a',), ('n',), ('b',), ('b',)]
    """
    repeated = [option for option in found if line.units.count(option[0]) > 1]
    others = [option for option in found if option not in repeated]
    if not (repeated and others):
        return list(found)
    return [*repeated * len(others), *others * len(repeated)]


def clear(line: Line, variant: str) -> tuple[Operands, ...]:
    """Return the units of a line that no reader takes for another one in it.

    Characters that differ only in marks or case may be taken for one another; so may words that
    differ in case, a word and a part of a hyphenated one, and, where no spaces are written, a word
    and the same characters elsewhere; there no word of a single character is clear.

    >>> clear(characters("Anna"), "char"), clear(sentence("The cat saw the dog."), "word")
    ((('n',),), (('cat',), ('saw',), ('dog',)))
    """
    units = tuple(dict.fromkeys(line.units))
    if variant == CHARACTERS:
        plain = (unit for unit in units if sum(alike(unit, other) for other in units) == 1)
    else:
        plain = (unit for unit in units if not is_hidden(unit, line))
    return tuple((unit,) for unit in plain)


def pairs(line: Line, variant: str) -> tuple[Operands, ...]:
    """Return the pairs of different clear units of a line that each occur once."""
    once = [unit for (unit,) in clear(line, variant) if line.units.count(unit) == 1]
    return tuple((one, other) for i, one in enumerate(once) for other in once[i + 1 :])


def is_hidden(word: str, line: Line) -> bool:
    """Return whether a line of words also holds a word within, or as a form of, another one."""
    word = word.lower()
    if line.space:
        others = [other.lower() for other in line.units if other.lower() != word]
        spelled = {other for other in line.units if other.lower() == word}
        return len(spelled) > 1 or any(word in _JOINED.split(other) for other in others)
    if len(word) < 2:  # readers differ over which particles are words
        return True
    text, times = line.text.lower(), 0
    at = text.find(word)
    while at >= 0:
        times, at = times + 1, text.find(word, at + 1)
    return times != sum(unit.lower() == word for unit in line.units)


def parse(text: str, item: Item) -> str:
    """Return the word or sentence of an answer, without what holds it.

    Raises:
        Unparsable: several words where one is asked for.
    """
    accepted = _accepted(item.target)
    text = straight(nfc(width(visible(text)))).strip()
    # Where a right answer ends with a mark of its own, no other one is free.
    own = any(separates(right[-1:] or " ") for right in accepted)
    text = unwrapped(text) if own else bare(text)
    if item.variant == CHARACTERS and len(text.split()) not in map(len, map(str.split, accepted)):
        raise Unparsable("is not one word")
    return text


def verify(answer: str, target: Json) -> bool:
    """Return whether an answer is the edited word or sentence.

    Where a sentence is edited letter case makes no difference, and, in a language that writes no
    spaces, neither do spaces. A published row's target may hold further right answers, `also`.

    >>> target = {"text": "They, and.", "given": "They waited, and.", "folds": ["case"]}
    >>> verify("they,  and.", target), verify("They and.", target)
    (True, False)
    >>> verify("They and.", target | {"also": ["They and."]})
    True
    """
    said = _key(answer, target)
    return any(said == _key(right, target) for right in _accepted(target))


def grade(answer: str, target: Json) -> float:
    """Return which share of the way from the given to the right text an answer goes.

    Ways are measured in edits of one character, so an echo of the given text earns nothing.

    >>> target = {"text": "bxaxnxa", "given": "baxna", "folds": []}
    >>> grade("bxaxna", target), grade("baxna", target), grade("n", target)
    (0.5, 0.0, 0.0)
    """
    from rapidfuzz.distance import Levenshtein

    if verify(answer, target):
        return 1.0
    right, given, said = (_key(text, target) for text in (target["text"], target["given"], answer))
    whole = Levenshtein.distance(given, right)
    left = Levenshtein.distance(said, right, score_cutoff=whole)
    # Published rows ask for no change, too: then nothing else is near.
    return max(0.0, 1.0 - left / max(1, whole))


def why(answer: str, target: Json) -> str:
    """Return what is wrong with an answer."""
    if _key(answer, target) == _key(target["given"], target):
        return "nothing was changed"
    return "that is not the result"


def longest(target: Json) -> int:
    """Return the length of the longest reasonable answer."""
    return max(_LONGEST, *map(len, _accepted(target)))


def folds(variant: str, spaced: bool) -> list[str]:
    """Return what makes no difference between two results: letter case, unwritten spaces."""
    if variant == CHARACTERS:
        return []
    return [_CASE] if spaced else [_CASE, _SPACES]


def chance(edit: Edit, ask: Ask, found: Pool) -> float:
    """Return how often one and the same answer is right, at most."""
    if edit.fresh:  # a further unit, drawn from very many, makes the same result all but impossible
        return 1 / len(found.lines)
    return _commonest(edit, found.lines, str(ask.variant))


@lru_cache(maxsize=KEPT)
def _commonest(edit: Edit, lines: tuple[Line, ...], variant: str) -> float:
    shares: dict[str, float] = defaultdict(float)
    for line in lines:
        drawn = options(edit, line, variant)
        for operands, times in Counter(drawn).items():
            shares[edit.apply(line, *operands).text.lower()] += times / len(drawn)
    return max(shares.values()) / len(lines)


def is_absent(unit: str, line: Line, variant: str) -> bool:
    """Return whether no reader finds a unit in a line, in another form or within another one."""
    if variant == CHARACTERS:
        return not any(alike(unit, held) for held in line.units)
    within = len(unit) >= _TELLING and unit.lower() in line.text.lower()
    return not (within or _is_held(unit, line))


def _fits(new: str, unit: str, line: Line, variant: str) -> bool:
    """Return whether a unit can be put beside or in the place of another one of a line."""
    if variant == WORDS:
        return not _is_held(new, line)
    others = (held for held in line.units if held != new)
    return new != unit and not any(alike(new, other) for other in others)


def _is_held(word: str, line: Line) -> bool:
    """Return whether a line holds a word, in whatever case, or as a part of a joined one."""
    return word.lower() in map(str.lower, line.units) or is_hidden(word, line)


def _sound(edited: Line, line: Line, variant: str) -> bool:
    """Return whether a result reads back as the units that it is made of, marks in their places."""
    if not edited.units or edited.text == line.text:
        return False
    if variant == CHARACTERS:
        return stand_apart([*edited.units])
    known = {"", " ", *line.gaps}
    return edited.gaps[0] == line.gaps[0] and known.issuperset(edited.gaps)


def _accepted(target: Json) -> list[str]:
    """Return the right answers."""
    return [target["text"], *(target.get("also") or [])]


def _key(text: str, target: Json) -> str:
    """Return a text with the foldings under which answers are compared.

    Quotation marks that hold all of a text come off, for they may hold an answer, too.
    """
    words = unwrapped(straight(nfc(width(visible(text))))).split()
    text = ("" if _SPACES in target["folds"] else " ").join(words)
    return text.lower() if _CASE in target["folds"] else text
