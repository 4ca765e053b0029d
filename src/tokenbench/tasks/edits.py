"""What the tasks share that edit a word or a sentence: insert, delete, substitute, swap."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import combinations
from typing import Final, NamedTuple, TypeAlias

from tokenbench.draw import Draw
from tokenbench.errors import string, unknown
from tokenbench.item import Item, Json
from tokenbench.tasks import results
from tokenbench.tasks.contract import Draft, ItemSpec, Task, unmeasured
from tokenbench.tasks.packed import (
    CHARACTERS,
    LANGS,
    PARAMS,
    VARIANTS,
    WORDS,
    facts,
    in_script,
    newcomers,
    pool,
    published,
)
from tokenbench.tasks.wordings import prompt_text
from tokenbench.text.graphemes import alike, stand_apart
from tokenbench.text.normalize import caseless
from tokenbench.text.segmented import Line, characters, sentence
from tokenbench.text.sources import CACHE_SIZE

Operands: TypeAlias = tuple[str, ...]
Examples: TypeAlias = tuple[Mapping[str, Json], ...]  # as in `Task`

# Examples show repeated units, and what becomes of them.
_EXAMPLES: Final[Examples] = ({"repeated": True, "acted": True}, {"repeated": True}, {}, {})
_FOLDS: Final = ("wrapping", "invisible", "width", "apostrophe")
_KEPT = 1 << 14  # lines whose operands stay in memory
_TELLING = 3  # letters from which on a word is seen within a longer one
_NEW: Final = "new"  # the slot of a unit that the line has not
_JOINED: Final = re.compile("['’ʼ‐‑·_-]")  # what joins the parts of one word


class Edit(NamedTuple):
    """A way to edit a line, made of functions of modules, which pickle.

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


def task(
    name: str,
    edit: Edit,
    *,
    version: int,
    source: str,
    doc: str,
    examples: Examples = _EXAMPLES,
) -> Task:
    """Return the record of a task that asks for an edit.

    Args:
        name: what items call it.
        edit: how it edits.
        version, source, doc, examples: as in `Task`.

    >>> from tokenbench.tasks import swap
    >>> swap.TASK.name, swap.TASK.version
    ('swap', 2)
    """
    record = Task(
        name=name,
        source=source,
        version=version,
        langs=LANGS,
        variants=VARIANTS,
        doc=doc,
        params=PARAMS,
        target_schema=dict.fromkeys(VARIANTS, results.FIELDS),
        sample=partial(_make, edit, name, version),
        parse=results.parse,
        verify=results.verify,
        grade=results.grade,
        explain=results.why,
        max_answer_chars=results.longest,
        guess_rate=unmeasured,
        equivalences={CHARACTERS: (*_FOLDS, "ending"), WORDS: (*_FOLDS, "case", "spaces")},
        n_instances=partial(_space, edit),
        examples=examples,
        accepts_any_language=True,
    )
    # What an item was asked to be, which its chance depends on, only a record can tell.
    return replace(record, guess_rate=partial(_chance, edit, record.spec_of))


def line_of(text: str, variant: str) -> Line:
    """Return the characters of a word, or the words of a sentence that writes spaces.

    Raises:
        UnknownNameError: no such variant.
        TokenbenchError: the text is not a str.
    """
    if variant not in VARIANTS:
        raise unknown("variant", variant, VARIANTS)
    text = string("text", text)
    return characters(text) if variant == CHARACTERS else sentence(text)


def edited(edit: Edit, text: str, variant: str, *operands: str) -> str:
    """Return a word or sentence after an edit.

    Raises:
        UnknownNameError: no such variant.
        TokenbenchError: the text or an operand is not a str.

    >>> edited(Edit(clear, Line.with_after, ("unit", "new")), "banana", "char", "a", "x")
    'baxnaxnax'
    """
    for name, operand in zip(edit.slots, operands, strict=True):
        string(name, operand)
    return edit.apply(line_of(text, variant), *operands).text


def _make(edit: Edit, name: str, version: int, ask: ItemSpec, draw: Draw) -> Draft | None:
    """Return an instance of a task; None if what was drawn cannot serve."""
    found, variant = pool(ask, edit.operands), str(ask.variant)
    line = found.lines[ask.place(len(found.lines), name, version)]
    operands = draw.choice(_options(edit, line, variant))
    if edit.fresh:
        new = draw.choice(newcomers(ask))
        if not _fits(new, operands[0], line, variant):
            return None
        operands = (*operands, new)
    result = edit.apply(line, *operands)
    if not _sound(result, line, variant):
        return None
    written = in_script(ask)
    given, text = written(line.text), written(result.text)
    slots = dict(zip(edit.slots, map(written, operands), strict=True))
    payload = given if variant == WORDS else ""
    return Draft(
        prompt=prompt_text(draw, name, ask.lang, payload, form=variant, word=given, **slots),
        target={"text": text, "given": given, "folds": results.folds(variant, bool(line.space))},
        solution=text,
        source=found.source,
        drawn=facts(line, operands[0]),
        published=published(variant, text),
    )


def _space(edit: Edit, ask: ItemSpec) -> int:
    return len(pool(ask, edit.operands).lines)


def _chance(edit: Edit, asked: Callable[[Item], ItemSpec], item: Item) -> float:
    """Return how often one and the same answer is right, at most."""
    ask = asked(item)
    lines = pool(ask, edit.operands).lines
    if edit.fresh:  # a further unit, drawn from very many, makes the same result all but impossible
        return 1 / len(lines)
    return _commonest(edit, lines, str(ask.variant))


@lru_cache(maxsize=CACHE_SIZE)
def _commonest(edit: Edit, lines: tuple[Line, ...], variant: str) -> float:
    shares: dict[str, float] = defaultdict(float)
    for line in lines:
        drawn = _options(edit, line, variant)
        for operands, times in Counter(drawn).items():
            shares[edit.apply(line, *operands).text.lower()] += times / len(drawn)
    return max(shares.values()) / len(lines)


def _options(edit: Edit, line: Line, variant: str) -> list[Operands]:
    """Return what may be acted on, each as often as it is drawn."""
    return weighted(edit.operands(line, variant), line)


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


@lru_cache(maxsize=_KEPT)
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


@lru_cache(maxsize=_KEPT)
def deletable(line: Line, variant: str) -> tuple[Operands, ...]:
    """Return the clear units of a line without which it is sound.

    >>> deletable(characters("banana"), "char"), deletable(sentence("No, no!"), "word")
    ((('b',), ('a',), ('n',)), ())
    """
    found = clear(line, variant)
    return tuple(held for held in found if _sound(line.without(*held), line, variant))


@lru_cache(maxsize=_KEPT)
def swappable(line: Line, variant: str) -> tuple[Operands, ...]:
    """Return the pairs of different clear units of a line that each occur once and can change.

    >>> swappable(characters("there"), "char")
    (('t', 'h'), ('t', 'r'), ('h', 'r'))
    """
    once = [unit for (unit,) in clear(line, variant) if line.units.count(unit) == 1]
    pairs = combinations(once, 2)
    return tuple(pair for pair in pairs if _sound(line.with_swapped(*pair), line, variant))


def is_hidden(word: str, line: Line) -> bool:
    """Return whether a line of words also holds a word within, or as a form of, another one."""
    word = caseless(word)
    if line.space:
        others = [caseless(other) for other in line.units if caseless(other) != word]
        spelled = {other for other in line.units if caseless(other) == word}
        return len(spelled) > 1 or any(word in _JOINED.split(other) for other in others)
    if len(word) < 2:  # readers differ over which particles are words
        return True
    text, times = caseless(line.text), 0
    at = text.find(word)
    while at >= 0:
        times, at = times + 1, text.find(word, at + 1)
    return times != sum(caseless(unit) == word for unit in line.units)


def is_absent(unit: str, line: Line, variant: str) -> bool:
    """Return whether no reader finds a unit in a line, in another form or within another one."""
    if variant == CHARACTERS:
        return not any(alike(unit, held) for held in line.units)
    within = len(unit) >= _TELLING and caseless(unit) in caseless(line.text)
    return not (within or _is_held(unit, line))


def _fits(new: str, unit: str, line: Line, variant: str) -> bool:
    """Return whether a unit can be put beside or in the place of another one of a line."""
    if variant == WORDS:
        return not _is_held(new, line)
    others = (held for held in line.units if held != new)
    return new != unit and not any(alike(new, other) for other in others)


def _is_held(word: str, line: Line) -> bool:
    """Return whether a line holds a word, in whatever case, or as a part of a joined one."""
    return caseless(word) in map(caseless, line.units) or is_hidden(word, line)


def _sound(edited: Line, line: Line, variant: str) -> bool:
    """Return whether a result reads back as the units that it is made of, marks in their places."""
    if not edited.units or edited.text == line.text:
        return False
    if variant == CHARACTERS:
        return stand_apart([*edited.units])
    known = {"", " ", *line.gaps}
    return edited.gaps[0] == line.gaps[0] and known.issuperset(edited.gaps)
