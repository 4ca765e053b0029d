"""CONTAINS_PART: does a character contain a part?

It asks for a part only if all definitions of a part agree: whether or not the parts of a Han
character are taken apart in turn, and whether clusters, double letters and compound vowels are one
jamo or several. As many characters contain it as do not.
"""

from collections import Counter
from functools import cache
from math import lcm
from typing import Final, NamedTuple

from tokenbench.answers.closed import YesNo
from tokenbench.checks import string
from tokenbench.decomposition.component_counts import choose_by_weight, question_parts
from tokenbench.decomposition.components import CHARACTER_LANGUAGES, character_components
from tokenbench.draw import Draw, Split
from tokenbench.errors import TokenbenchError
from tokenbench.tasks.contract import Task
from tokenbench.tasks.pools import characters
from tokenbench.tasks.spec import ItemSpec, Pool, Published, Question, yes_or_no
from tokenbench.tasks.wordings import question_text

# Characters of a split that contain a part that is asked for.
_MIN_CHARACTERS: Final = 3
_WEIGHT_STEPS: Final = 1000


def solve(char: str, part: str, lang: str = "zh") -> bool:
    """Return whether a character contains a part, whatever counts as one.

    Args:
        char: a Han character, a kanji or a Hangul syllable.
        part: a component in its printed form, or a jamo.
        lang: zh, ja or ko.

    Raises:
        UnknownNameError: another language.
        TokenbenchError: not a str, or the answer depends on the definition of a part.

    >>> solve("品", "口"), solve("語", "糸", "ja"), solve("각", "ㅏ", "ko")
    (True, False, True)
    """
    answer = character_components(lang).contains(string("char", char), string("part", part))
    if answer is None:
        problem = f"whether {char!r:.80} contains it depends on the definition of a part"
        raise TokenbenchError(problem, argument="part", value=part, remedy="use decompose.solve")
    return answer


class _Characters(NamedTuple):
    """Characters with the parts that they surely contain, and those that they surely do not.

    The weights of absent parts make each part as frequent where the answer is no as where it is
    yes.
    """

    chars: tuple[str, ...]
    present: dict[str, tuple[str, ...]]
    absent: dict[str, dict[str, int]]


def _pool(spec: ItemSpec) -> Pool:
    chars = _characters(spec.lang, spec.split).chars
    return Pool(chars, character_components(spec.lang).repertoire)


def _ask(char: str, draw: Draw, spec: ItemSpec) -> Question:
    known = _characters(spec.lang, spec.split)
    holds = bool(draw.below(2))
    present, absent = known.present[char], known.absent[char]
    part = draw.choice(present) if holds else choose_by_weight(draw, absent)
    slots = {"whole": char, "part": part, **spec.language.particles(part)}
    answer = spec.language.prompts["yes" if holds else "no"]
    return Question(
        question_text(draw, "contains_part", spec.language, form="ask", **slots),
        holds,
        {"holds": holds, "whole": char, "part": part},
        published=Published("quoted", answer),
    )


@cache
def _characters(lang: str, split: Split) -> _Characters:
    parts, script = question_parts(lang), character_components(lang)
    # For each character and part True, False, or None if definitions of a part disagree.
    contains = {
        char: {part: script.contains(char, part) for part in parts}
        for char in characters(lang, split)
    }
    sure = [by_part for by_part in contains.values() if False in by_part.values()]
    counts = Counter(part for by_part in sure for part in by_part if by_part[part])
    common = [part for part in parts if counts[part] >= _MIN_CHARACTERS]
    present = {char: tuple(part for part in common if by[part]) for char, by in contains.items()}
    absent = {char: [part for part in common if by[part] is False] for char, by in contains.items()}
    chars = tuple(char for char in contains if present[char] and absent[char])
    weights = _weights([(present[char], absent[char]) for char in chars])
    weighted = {char: {part: weights.get(part, 0) for part in absent[char]} for char in chars}
    return _Characters(chars, present, weighted)


def _weights(chars: list[tuple[tuple[str, ...], list[str]]]) -> dict[str, int]:
    """Return the weight of each part where it is absent.

    In total a part is as likely there as where it is present, so its weight is greater the fewer
    characters surely lack it.
    """
    shares = lcm(*(len(present) for present, _ in chars))
    n_present: Counter[str] = Counter()
    for present, _ in chars:
        n_present.update(dict.fromkeys(present, shares // len(present)))
    n_absent = Counter(part for _, absent in chars for part in absent)
    return {
        part: max(1, _WEIGHT_STEPS * len(chars) * times // (shares * n_absent[part]))
        for part, times in n_present.items()
    }


TASK = Task(
    name="contains_part",
    doc="Say whether a Han character, a kanji or a Hangul syllable contains a part.",
    answer=YesNo(),
    pool=_pool,
    ask=_ask,
    outcomes=yes_or_no,
    source="EXECUTE: sub-character containment",
    version=2,
    langs=CHARACTER_LANGUAGES,
    examples=({"holds": True}, {"holds": False}, {"holds": True}, {"holds": False}),
)
generate = TASK.generate
verify = TASK.verify
