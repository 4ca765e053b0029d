"""DECOMPOSE: which parts is a character made of?

Han characters and kanji are taken apart once, into components; Hangul syllables into the jamo of
their positions, in order.
"""

from tokenbench.answers.parts import CHARACTER_PARTS, Parts
from tokenbench.decomposition.components import CHARACTER_LANGUAGES, character_components
from tokenbench.draw import Draw
from tokenbench.tasks.contract import Task
from tokenbench.tasks.pools import CHARACTER_PARAMS, character_outcomes, character_pool
from tokenbench.tasks.spec import ItemSpec, Published, Question
from tokenbench.tasks.wordings import numeral, question_text


def solve(char: str, lang: str = "zh") -> tuple[tuple[str, ...], ...]:
    """Return every accepted list of a character's parts, the usual one first.

    Args:
        char: a Han character, a kanji or a Hangul syllable.
        lang: zh, ja or ko.

    Returns:
        lists of parts, in order for Hangul only; none where the data is missing or doubtful.

    Raises:
        TokenbenchError: another language, or not one such character.

    >>> solve("把"), solve("語", "ja"), solve("값", "ko")
    ((('扌', '巴'), ('手', '巴')), (('言', '吾'),), (('ㄱ', 'ㅏ', 'ㅄ'),))
    """
    return character_components(lang).right_decompositions(char)


def _ask(instance: tuple[str, int], draw: Draw, spec: ItemSpec) -> Question:
    whole, n = instance
    script = character_components(spec.lang)
    parts = next(script.decompositions(whole, n))
    accepted = script.right_decompositions(whole)
    if script.is_ordered:
        slots = spec.language.particles(whole)
    else:
        slots = {"number": numeral("decompose", spec.language, parts)}
    return Question(
        question_text(draw, "decompose", spec, whole=whole, **slots),
        drawn={"parts": n, "whole": whole},
        target={"accepted": list(map(list, accepted)), "ordered": script.is_ordered},
        solution=" ".join(parts),
        published=Published("quoted", " ".join(parts)),
    )


TASK = Task(
    name="decompose",
    doc="Take a Han character, a kanji or a Hangul syllable apart.",
    answer=Parts(equivalences=tuple(CHARACTER_PARTS.split())),
    pool=character_pool,
    ask=_ask,
    outcomes=character_outcomes,
    source="EXECUTE: sub-character decomposition",
    version=2,
    langs=CHARACTER_LANGUAGES,
    params=CHARACTER_PARAMS,
)
generate = TASK.generate
verify = TASK.verify
