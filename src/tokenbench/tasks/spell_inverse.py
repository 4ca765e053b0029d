"""SPELL_INVERSE: write the word whose characters are given one by one."""

from collections.abc import Sequence

from tokenbench.answer import Unparsable
from tokenbench.draw import Draw
from tokenbench.errors import texts
from tokenbench.item import Item, Json
from tokenbench.quoting import counted, shown
from tokenbench.tasks.contract import Ask, Draft, Task
from tokenbench.tasks.packed import (
    CHARACTERS,
    LANGS,
    PARAMS,
    Pool,
    facts,
    in_script,
    pool,
    published,
)
from tokenbench.tasks.wording import worded
from tokenbench.text.fold import BRACKETS, nfc, plain
from tokenbench.text.graphemes import graphemes, stand_apart
from tokenbench.text.line import Line
from tokenbench.text.stated import unended

_LONGEST = 128


def solve(units: Sequence[str]) -> str:
    """Return the word that characters spell.

    Raises:
        TokenbenchError: not a sequence of str.

    >>> solve(["c", "a", "t"])
    'cat'
    """
    return nfc("".join(texts("units", units)))


def verify(answer: str, target: Json) -> bool:
    """Return whether an answer is the word; letter case counts.

    >>> verify("cat", {"word": "cat"}), verify("Cat", {"word": "cat"})
    (True, False)
    """
    return nfc(answer) == nfc(target["word"])


def _make(ask: Ask, draw: Draw) -> Draft:
    found = _pool(ask)
    line = found.lines[TASK.place(ask, len(found.lines))]
    written = in_script(ask)
    spelled, word = " ".join(map(written, line.units)), written(line.text)
    return Draft(
        prompt=worded(draw, "spell_inverse", ask.lang, form=CHARACTERS, spelled=spelled),
        target={"word": word},
        solution=word,
        source=found.source,
        drawn=facts(line),
        published=published(CHARACTERS, word),
    )


def _parse(text: str, item: Item) -> str:
    own = any(mark in item.target["word"] for pair in BRACKETS for mark in pair)
    marks = () if own else BRACKETS
    word = plain(text, marks)
    if not verify(word, item.target):  # which may end so itself
        word = plain(unended(word, item.lang), marks)
    if len(word.split()) != 1:
        raise Unparsable(f"holds {counted(len(word.split()), 'word')}: one is asked for")
    return word


def _grade(answer: str, target: Json) -> float:
    return float(verify(answer, target))


def _why(answer: str, target: Json) -> str:
    given, asked = len(graphemes(answer)), len(graphemes(target["word"]))
    if given != asked:
        return f"{counted(given, 'character')}, {asked} are spelled"
    return f"got {shown(answer)}: not the word that is spelled"


def _longest(target: Json) -> int:
    return max(_LONGEST, len(target["word"]))


def _usable(line: Line, variant: str) -> bool:
    return stand_apart([*line.units])


def _pool(ask: Ask) -> Pool:
    return pool(ask, _usable)


def _space(ask: Ask) -> int:
    return len(_pool(ask).lines)


def _chance(item: Item) -> float:
    return 1 / _space(TASK.asked(item))


TASK = Task(
    name="spell_inverse",
    source="EXECUTE and CUTE: inverse spelling",
    version=2,
    langs=LANGS,
    variants=(CHARACTERS,),
    doc="Write the word whose characters are given one by one.",
    params=PARAMS,
    fields={CHARACTERS: {"word": "str"}},
    make=_make,
    parse=_parse,
    verify=verify,
    grade=_grade,
    why=_why,
    longest=_longest,
    chance=_chance,
    folds={CHARACTERS: ("wrapping", "invisible", "width", "apostrophe", "brackets", "ending")},
    space=_space,
    examples=({"repeated": True}, {"repeated": True}, {}, {}),
    packs=True,
)
generate = TASK.generate
