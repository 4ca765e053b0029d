"""COMPOSE: which character do the parts make?

It is asked only where one character in use has these parts: of GB 2312, of JIS X 0208, or the
Hangul syllable whose positions are named.
"""

from collections.abc import Sequence

from tokenbench.decomposition import unambiguous
from tokenbench.draw import Draw
from tokenbench.errors import TokenbenchError
from tokenbench.item import Item
from tokenbench.tasks import components, naming, subcharacters
from tokenbench.tasks.components import verify as verify
from tokenbench.tasks.contract import Draft, ItemSpec, Published, Task
from tokenbench.tasks.wordings import prompt_text


def solve(parts: Sequence[str], lang: str = "zh") -> tuple[str, ...]:
    """Return every character that parts make.

    Args:
        parts: components in any order; jamo in their order.
        lang: zh, ja or ko.

    Raises:
        TokenbenchError: another language, or parts that are no sequence of str.

    >>> solve(["巴", "扌"]), solve(["吾", "言"], "ja"), solve(["ㄱ", "ㅏ", "ㅄ"], "ko")
    (('把',), ('語',), ('값',))
    """
    if lang not in subcharacters.LANGS:
        raise TokenbenchError(f"lang={lang!r}: allowed are {', '.join(subcharacters.LANGS)}")
    return unambiguous.wholes(lang, parts)


def _make(ask: ItemSpec, draw: Draw) -> Draft | None:
    pool = subcharacters.pool(ask).wholes
    if not pool:
        return None
    whole = subcharacters.whole(ask.lang, *pool[TASK.place(ask, len(pool))])
    shown = draw.shuffled(list(enumerate(whole.parts)))
    places = naming.pieces("compose", ask.lang, shown)
    return Draft(
        prompt=prompt_text(draw, "compose", ask.lang, form="ask", **places),
        target={"accepted": list(unambiguous.wholes(ask.lang, whole.parts))},
        solution=whole.char,
        source=subcharacters.source(ask.lang),
        drawn={"parts": len(whole.parts), "whole": whole.char},
        published=Published("quoted", whole.char),
    )


def _space(ask: ItemSpec) -> int:
    return len(subcharacters.pool(ask).wholes)


def _chance(item: Item) -> float:
    return subcharacters.guess_rate(TASK.spec_of(item))


TASK = Task(
    name="compose",
    source="EXECUTE: sub-character composition",
    version=2,
    langs=subcharacters.LANGS,
    variants=(),
    doc="Name the Han character, the kanji or the Hangul syllable that parts make.",
    params=subcharacters.PARAMS,
    target_schema={None: components.WHOLES},
    sample=_make,
    parse=components.parse_whole,
    verify=verify,
    grade=components.grade,
    explain=components.why,
    max_answer_chars=components.longest,
    guess_rate=_chance,
    equivalences={None: components.STATED},
    n_instances=_space,
)
generate = TASK.generate
