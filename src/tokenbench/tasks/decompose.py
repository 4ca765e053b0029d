"""DECOMPOSE: which parts is a character made of?

Han characters and kanji are taken apart once, into components; Hangul syllables into the jamo of
their positions, in order.
"""

from tokenbench.draw import Draw
from tokenbench.errors import TokenbenchError
from tokenbench.item import Item
from tokenbench.parts import ways
from tokenbench.tasks import components, naming, subcharacters
from tokenbench.tasks.components import verify as verify
from tokenbench.tasks.contract import Ask, Draft, Published, Task
from tokenbench.tasks.wording import worded


def solve(char: str, lang: str = "zh") -> tuple[tuple[str, ...], ...]:
    """Return every accepted list of a character's parts, the usual one first.

    Args:
        char: a Han character, a kanji or a Hangul syllable.
        lang: zh, ja or ko.

    Returns:
        lists of parts, in order for Hangul only; none where the data does not say, or is doubtful.

    Raises:
        TokenbenchError: another language, or not one such character.

    >>> solve("把"), solve("語", "ja"), solve("값", "ko")
    ((('扌', '巴'), ('手', '巴')), (('言', '吾'),), (('ㄱ', 'ㅏ', 'ㅄ'),))
    """
    if lang not in subcharacters.LANGS:
        raise TokenbenchError(f"lang={lang!r}: allowed are {', '.join(subcharacters.LANGS)}")
    return ways.accepted(lang, char)


def _make(ask: Ask, draw: Draw) -> Draft | None:
    pool = subcharacters.pool(ask).wholes
    if not pool:
        return None
    whole = subcharacters.whole(ask.lang, *pool[TASK.place(ask, len(pool))])
    return Draft(
        prompt=worded(draw, "decompose", ask.lang, form="ask", **_places(ask.lang, whole)),
        target={"accepted": list(map(list, whole.accepted)), "ordered": ask.lang == "ko"},
        solution=" ".join(whole.parts),
        source=subcharacters.source(ask.lang),
        drawn={"parts": len(whole.parts), "whole": whole.char},
        published=Published("quoted", " ".join(whole.parts)),
    )


def _places(lang: str, whole: subcharacters.Whole) -> dict[str, str]:
    """Return what the places of a question hold."""
    if lang == "ko":
        return {"whole": whole.char, "object": "를" if len(whole.parts) == 2 else "을"}
    return {"whole": whole.char, "number": naming.number("decompose", lang, whole.parts)}


def _space(ask: Ask) -> int:
    return len(subcharacters.pool(ask).wholes)


def _chance(item: Item) -> float:
    return subcharacters.chance(TASK.asked(item))


TASK = Task(
    name="decompose",
    source="EXECUTE: sub-character decomposition",
    version=2,
    langs=subcharacters.LANGS,
    variants=(),
    doc="Take a Han character, a kanji or a Hangul syllable apart.",
    params=subcharacters.PARAMS,
    fields={None: components.PARTS},
    make=_make,
    parse=components.parse_parts,
    verify=verify,
    grade=components.grade,
    why=components.why,
    longest=components.longest,
    chance=_chance,
    folds={
        None: ("wrapping", "invisible", "brackets", *components.LISTED, "conjunction", "ending")
    },
    space=_space,
)
generate = TASK.generate
