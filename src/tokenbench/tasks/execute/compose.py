"""COMPOSE: which character do the parts make?

It is asked only where one character in use has these parts: of GB 2312, of JIS X 0208, or the
Hangul syllable whose positions are named.
"""

from collections.abc import Sequence

from tokenbench.answers.parts import parts_to_whole
from tokenbench.decomposition import unambiguous
from tokenbench.draw import Draw
from tokenbench.errors import TokenbenchError
from tokenbench.item import Item
from tokenbench.tasks import subcharacters
from tokenbench.tasks.contract import Task
from tokenbench.tasks.part_phrases import parts_to_combine
from tokenbench.tasks.question import Published, Question
from tokenbench.tasks.spec import ItemSpec
from tokenbench.tasks.wordings import question_text


def solve(parts: Sequence[str], lang: str = "zh") -> tuple[str, ...]:
    """Return every character that parts make.

    Args:
        parts: components in any order; jamo in their order.
        lang: zh, ja or ko.

    Raises:
        TokenbenchError: another language, or parts that are not a sequence of str.

    >>> solve(["巴", "扌"]), solve(["吾", "言"], "ja"), solve(["ㄱ", "ㅏ", "ㅄ"], "ko")
    (('把',), ('語',), ('값',))
    """
    if lang not in subcharacters.LANGS:
        raise TokenbenchError(f"lang={lang!r}: allowed are {', '.join(subcharacters.LANGS)}")
    return unambiguous.compose(lang, parts)


def _ask(instance: tuple[str, int], draw: Draw, spec: ItemSpec) -> Question:
    whole = subcharacters.parts_of(spec.lang, *instance)
    shuffled = draw.shuffled(list(enumerate(whole.parts)))
    slots = parts_to_combine("compose", spec.lang, shuffled)
    return Question(
        question_text(draw, "compose", spec.lang, form="ask", **slots),
        drawn={"parts": len(whole.parts), "whole": whole.char},
        target={"accepted": list(unambiguous.compose(spec.lang, whole.parts))},
        solution=whole.char,
        published=Published("quoted", whole.char),
    )


def _guess(item: Item) -> float:
    return subcharacters.commonest_share(TASK.spec_of(item))


TASK = Task(
    name="compose",
    doc="Name the Han character, the kanji or the Hangul syllable that parts make.",
    answer=parts_to_whole(),
    pool=subcharacters.character_pool,
    ask=_ask,
    guess=_guess,
    source="EXECUTE: sub-character composition",
    version=2,
    langs=subcharacters.LANGS,
    params=subcharacters.PARAMS,
)
generate, verify = TASK.generate, TASK.kind(None).verify
