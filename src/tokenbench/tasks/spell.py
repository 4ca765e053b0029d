"""SPELL: write the characters of a word one by one."""

from collections.abc import Sequence
from operator import eq

from tokenbench.draw import Draw
from tokenbench.errors import string
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
from tokenbench.tasks.partial import likeness
from tokenbench.tasks.wordings import prompt_text
from tokenbench.text.answer_text import split_spelling
from tokenbench.text.graphemes import graphemes
from tokenbench.text.normalize import nfc, straight_quotes
from tokenbench.text.segmented import Line

_LONGEST = 256


def solve(word: str) -> list[str]:
    """Return the characters of a word as readers see them: its extended grapheme clusters.

    Raises:
        TokenbenchError: not a str.

    >>> solve("naïve"), solve("हिन्दी")
    (['n', 'a', 'ï', 'v', 'e'], ['हि', 'न्दी'])
    """
    return graphemes(nfc(string("word", word)))


def verify(answer: Sequence[str], target: Json) -> bool:
    """Return whether an answer's characters are those of the word, in order; case counts.

    A published row's target may hold further right answers, `also`.

    >>> verify(["c", "a", "t"], {"units": ["c", "a", "t"]})
    True
    """
    return list(map(_form, answer)) in _accepted(target)


def _accepted(target: Json) -> list[list[str]]:
    return [list(map(_form, right)) for right in (target["units"], *(target.get("also") or []))]


def _form(unit: str) -> str:
    """Return a character in composed form, a quotation mark or hyphen as that of ASCII."""
    return straight_quotes(nfc(unit))


def _make(ask: ItemSpec, draw: Draw) -> Draft:
    found = _pool(ask)
    line = found.lines[TASK.place(ask, len(found.lines))]
    written = in_script(ask)
    units = list(map(written, line.units))
    return Draft(
        prompt=prompt_text(draw, "spell", ask.lang, form=CHARACTERS, word=written(line.text)),
        target={"units": units},
        solution=" ".join(units),
        source=found.source,
        drawn=facts(line),
        published=published(CHARACTERS, " ".join(units)),
    )


def _parse(text: str, item: Item) -> list[str]:
    """Return the characters that an answer sets apart.

    Characters that the word has itself, as in published rows, are none of a list's marks.
    """
    found = split_spelling(text, "".join(item.target["units"]))
    if len(found) < 2:
        raise Unparsable("does not set the characters apart: a space between them is asked for")
    return found


def _grade(answer: Sequence[str], target: Json) -> float:
    said = list(map(_form, answer))
    return max(likeness(said, right) for right in _accepted(target))


def _why(answer: Sequence[str], target: Json) -> str:
    asked = target["units"]
    if len(answer) not in map(len, _accepted(target)):
        return f"{pluralize(len(answer), 'character')}, the word has {len(asked)}"
    said = list(map(_form, answer))
    alike = [right for right in _accepted(target) if len(right) == len(said)]
    place = max(list(map(eq, said, right)).index(False) for right in alike)
    wrong = quote_if_needed(answer[place])
    return f"got {wrong} as character {place + 1}: not the word's character there"


def _longest(target: Json) -> int:
    return max(_LONGEST, 4 * sum(map(len, target["units"])))


def _usable(line: Line, variant: str) -> bool:
    return True


def _pool(ask: ItemSpec) -> Pool:
    return pool(ask, _usable)


def _space(ask: ItemSpec) -> int:
    return len(_pool(ask).lines)


def _chance(item: Item) -> float:
    return 1 / _space(TASK.spec_of(item))


TASK = Task(
    name="spell",
    source="EXECUTE and CUTE: spelling",
    version=2,
    langs=LANGS,
    variants=(CHARACTERS,),
    doc="Write the characters of a word one by one.",
    params=PARAMS,
    target_schema={CHARACTERS: {"units": "list of str", "also": "list of lists of str, or none"}},
    sample=_make,
    parse=_parse,
    verify=verify,
    grade=_grade,
    explain=_why,
    max_answer_chars=_longest,
    guess_rate=_chance,
    equivalences={
        CHARACTERS: ("wrapping", "invisible", "width", "brackets", "spaces", "list", "marked")
    },
    n_instances=_space,
    examples=({"repeated": True}, {"repeated": True}, {}, {}),
    accepts_any_language=True,
)
generate = TASK.generate
