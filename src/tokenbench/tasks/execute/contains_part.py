"""CONTAINS_PART: does a character contain a part?

It asks for a part only if all definitions of a part agree: whether or not the parts of a Han
character are taken apart in turn, and whether clusters, double letters and compound vowels are one
jamo or several. Each part and each character has the answer no as often as yes; where it is no, the
character often differs in one part from such as contain it.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import cache
from itertools import product
from typing import Final, TypeAlias

from tokenbench.answers.closed import YesNo
from tokenbench.checks import string
from tokenbench.decomposition.component_counts import question_parts
from tokenbench.decomposition.components import CHARACTER_LANGUAGES, character_components
from tokenbench.draw import Draw, Split
from tokenbench.errors import TokenbenchError
from tokenbench.tasks.balance import deal
from tokenbench.tasks.contract import Task
from tokenbench.tasks.pools import characters
from tokenbench.tasks.spec import ItemSpec, Outcome, Pool, Published, Question
from tokenbench.tasks.wordings import question_text

# Characters of a split that contain a part that is asked for.
_MIN_CHARACTERS: Final = 3
# A part, a character, and whether it contains the part.
Case: TypeAlias = tuple[str, str, bool]


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


def _pool(spec: ItemSpec) -> Pool:
    return Pool(_cases(spec.lang, spec.split), character_components(spec.lang).repertoire)


def _ask(case: Case, draw: Draw, spec: ItemSpec) -> Question:
    part, char, holds = case
    slots = {"whole": char, "part": part, **spec.language.particles(part)}
    answer = spec.language.prompts["yes" if holds else "no"]
    return Question(
        question_text(draw, "contains_part", spec, **slots),
        holds,
        {"holds": holds, "whole": char, "part": part},
        published=Published("quoted", answer),
    )


def _outcomes(case: Case, _spec: ItemSpec) -> list[Outcome]:
    return [(case[2], 1.0)]


@cache
def _cases(lang: str, split: Split) -> tuple[Case, ...]:
    """Return cases with the answers yes and no, as many of both for each part and character."""
    parts, script = question_parts(lang), character_components(lang)
    # For each character and part True, False, or None if definitions of a part disagree.
    contains = {
        char: {part: script.contains(char, part) for part in parts}
        for char in characters(lang, split)
    }
    sure = {char: by_part for char, by_part in contains.items() if False in by_part.values()}
    counts = Counter(part for by_part in sure.values() for part in by_part if by_part[part])
    present = [
        (part, char)
        for char, by_part in sure.items()
        for part in parts
        if by_part[part] and counts[part] >= _MIN_CHARACTERS
    ]
    near = _near_characters(lang, sure)
    return tuple(deal(present, near, lambda part, char: contains[char][part] is False))


def _near_characters(lang: str, chars: Iterable[str]) -> dict[str, list[str]]:
    """Return the characters that would have a part if another one of theirs were exchanged."""
    script = character_components(lang)
    masked: dict[tuple[str, ...], dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for char in chars:
        for parts in script.right_decompositions(char):
            for place, part in enumerate(parts):
                masked[(*parts[:place], "", *parts[place + 1 :])][part].add(char)
    near: dict[str, list[str]] = defaultdict(list)
    for by_part in masked.values():
        for part, other in product(by_part, by_part):
            if part != other:
                near[part] += sorted(by_part[other])
    return {part: Draw("near", part).shuffled(found) for part, found in near.items()}


TASK = Task(
    name="contains_part",
    doc="Say whether a Han character, a kanji or a Hangul syllable contains a part.",
    answer=YesNo(),
    pool=_pool,
    ask=_ask,
    outcomes=_outcomes,
    source="EXECUTE: sub-character containment",
    version=2,
    langs=CHARACTER_LANGUAGES,
    examples=({"holds": True}, {"holds": False}, {"holds": True}, {"holds": False}),
)
generate = TASK.generate
verify = TASK.verify
