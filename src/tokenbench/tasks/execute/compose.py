"""COMPOSE: which character do the parts make?

It is asked only where one character in use has these parts: of GB 2312, of JIS X 0208, or the
Hangul syllable whose positions are named.
"""

from collections.abc import Sequence

from tokenbench.answers.parts import parts_to_whole
from tokenbench.decomposition.components import CHARACTER_LANGUAGES, character_components
from tokenbench.draw import Draw
from tokenbench.tasks.contract import Task
from tokenbench.tasks.pools import CHARACTER_PARAMS, character_outcomes, character_pool
from tokenbench.tasks.spec import ItemSpec, Published, Question
from tokenbench.tasks.wordings import part_slots, question_text


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
    return character_components(lang).compose(parts)


def _ask(instance: tuple[str, int], draw: Draw, spec: ItemSpec) -> Question:
    whole, n = instance
    script = character_components(spec.lang)
    parts = next(script.decompositions(whole, n))
    slots = part_slots("compose", spec.language, draw.shuffled(list(enumerate(parts))))
    return Question(
        question_text(draw, "compose", spec, **slots),
        drawn={"parts": n, "whole": whole},
        target={"accepted": list(script.compose(parts))},
        solution=whole,
        published=Published("quoted", whole),
    )


TASK = Task(
    name="compose",
    doc="Name the Han character, the kanji or the Hangul syllable that parts make.",
    answer=parts_to_whole(),
    pool=character_pool,
    ask=_ask,
    outcomes=character_outcomes,
    source="EXECUTE: sub-character composition",
    version=2,
    langs=CHARACTER_LANGUAGES,
    params=CHARACTER_PARAMS,
)
generate = TASK.generate
verify = TASK.verify
