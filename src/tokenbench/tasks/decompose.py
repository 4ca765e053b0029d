"""DECOMPOSE: which parts is a character made of?

Han characters and kanji are taken apart once, into components; Hangul syllables into the jamo of
their positions, in order.
"""

from tokenbench.decomposition import unambiguous
from tokenbench.draw import Draw
from tokenbench.errors import TokenbenchError
from tokenbench.item import Item
from tokenbench.tasks import components, naming, subcharacters
from tokenbench.tasks.components import verify as verify
from tokenbench.tasks.contract import Draft, ItemSpec, Published, Task
from tokenbench.tasks.wordings import prompt_text


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
    return unambiguous.accepted(lang, char)


def _make(ask: ItemSpec, draw: Draw) -> Draft | None:
    pool = subcharacters.pool(ask).wholes
    if not pool:
        return None
    whole = subcharacters.whole(ask.lang, *pool[TASK.place(ask, len(pool))])
    return Draft(
        prompt=prompt_text(draw, "decompose", ask.lang, form="ask", **_places(ask.lang, whole)),
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


def _space(ask: ItemSpec) -> int:
    return len(subcharacters.pool(ask).wholes)


def _chance(item: Item) -> float:
    return subcharacters.guess_rate(TASK.spec_of(item))


TASK = Task(
    name="decompose",
    source="EXECUTE: sub-character decomposition",
    version=2,
    langs=subcharacters.LANGS,
    variants=(),
    doc="Take a Han character, a kanji or a Hangul syllable apart.",
    params=subcharacters.PARAMS,
    target_schema={None: components.PARTS},
    sample=_make,
    parse=components.parse_parts,
    verify=verify,
    grade=components.grade,
    explain=components.why,
    max_answer_chars=components.longest,
    guess_rate=_chance,
    equivalences={
        None: ("wrapping", "invisible", "brackets", *components.LISTED, "conjunction", "ending")
    },
    n_instances=_space,
)
generate = TASK.generate
