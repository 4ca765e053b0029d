"""SPELL_INVERSE: write the word whose characters are given one by one."""

from collections.abc import Sequence

from tokenbench.draw import Draw
from tokenbench.errors import texts
from tokenbench.extraction import Unparsable
from tokenbench.item import Item, Json
from tokenbench.quoting import pluralize, quote_if_needed
from tokenbench.tasks.contract import Draft, ItemSpec, Task
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
from tokenbench.tasks.wordings import prompt_text
from tokenbench.text.answer_text import strip_copula
from tokenbench.text.graphemes import graphemes, stand_apart
from tokenbench.text.normalize import BRACKETS, nfc, normalize
from tokenbench.text.segmented import Line

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


def _make(ask: ItemSpec, draw: Draw) -> Draft:
    found = _pool(ask)
    line = found.lines[TASK.place(ask, len(found.lines))]
    written = in_script(ask)
    spelled, word = " ".join(map(written, line.units)), written(line.text)
    return Draft(
        prompt=prompt_text(draw, "spell_inverse", ask.lang, form=CHARACTERS, spelled=spelled),
        target={"word": word},
        solution=word,
        source=found.source,
        drawn=facts(line),
        published=published(CHARACTERS, word),
    )


def _parse(text: str, item: Item) -> str:
    own = any(mark in item.target["word"] for pair in BRACKETS for mark in pair)
    marks = () if own else BRACKETS
    word = normalize(text, marks)
    if not verify(word, item.target):  # which may end so itself
        word = normalize(strip_copula(word, item.lang), marks)
    if len(word.split()) != 1:
        raise Unparsable(f"holds {pluralize(len(word.split()), 'word')}: one is asked for")
    return word


def _grade(answer: str, target: Json) -> float:
    return float(verify(answer, target))


def _why(answer: str, target: Json) -> str:
    given, asked = len(graphemes(answer)), len(graphemes(target["word"]))
    if given != asked:
        return f"{pluralize(given, 'character')}, {asked} are spelled"
    return f"got {quote_if_needed(answer)}: not the word that is spelled"


def _longest(target: Json) -> int:
    return max(_LONGEST, len(target["word"]))


def _usable(line: Line, variant: str) -> bool:
    return stand_apart([*line.units])


def _pool(ask: ItemSpec) -> Pool:
    return pool(ask, _usable)


def _space(ask: ItemSpec) -> int:
    return len(_pool(ask).lines)


def _chance(item: Item) -> float:
    return 1 / _space(TASK.spec_of(item))


TASK = Task(
    name="spell_inverse",
    source="EXECUTE and CUTE: inverse spelling",
    version=2,
    langs=LANGS,
    variants=(CHARACTERS,),
    doc="Write the word whose characters are given one by one.",
    params=PARAMS,
    target_schema={CHARACTERS: {"word": "str"}},
    sample=_make,
    parse=_parse,
    verify=verify,
    grade=_grade,
    explain=_why,
    max_answer_chars=_longest,
    guess_rate=_chance,
    equivalences={
        CHARACTERS: ("wrapping", "invisible", "width", "apostrophe", "brackets", "ending")
    },
    n_instances=_space,
    examples=({"repeated": True}, {"repeated": True}, {}, {}),
    accepts_any_language=True,
)
generate = TASK.generate
