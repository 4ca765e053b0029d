"""COMPM: split a word or character into its parts, or combine parts into the one that they make.

With the same arguments except the variant, both ask about the same whole and the same parts: the
answer to one is in the question of the other.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final

from tokenbench.answers.parts import Parts, matches, normalize_part, parts_to_whole
from tokenbench.decomposition.components import Composite, components, right_answers, wholes
from tokenbench.decomposition.pieces import rivals
from tokenbench.draw import Draw, Split, of_split
from tokenbench.item import Json
from tokenbench.records import replace
from tokenbench.tasks.params import IntRange, Source
from tokenbench.tasks.spec import ItemSpec, Outcome, Pool, Published, Question
from tokenbench.tasks.tase import tase_task
from tokenbench.tasks.wordings import numeral, part_list, part_slots, question_text, questions
from tokenbench.text.languages import Language
from tokenbench.text.sources import CACHE_SIZE, SOURCES, data_rows

__all__ = ["TASK", "exclusions", "generate", "matches", "normalize_part", "verify"]

# More parts only if the caller asks for them.
_MAX_LEVEL_PARTS: Final = {"en": 6, "zh": 3, "ko": 3}
_SPLIT: Final = Parts(may_be_conjunction=True)
_COMBINE: Final = parts_to_whole("case")


def verify(answer: str | Sequence[str], target: Json) -> bool:
    """Return whether parts are those of an accepted decomposition, or a whole is accepted.

    >>> verify(["ㄱ", "ㅏ"], {"accepted": [["ㄱ", "ㅏ"]], "ordered": True})
    True
    >>> verify("irritation", {"accepted": ["irritation"]})
    True
    """
    return TASK.verify(answer, target, "combine" if isinstance(answer, str) else "split")


def _pool(spec: ItemSpec) -> Pool:
    # Only drawing needs it.
    from tokenbench.text.lexicon import repertoire

    low, high = spec.range("parts")
    if "parts" not in spec.overrides:
        low = min(low, _MAX_LEVEL_PARTS[spec.lang])
    words, source = repertoire(spec.language, spec.words)
    return Pool(_wholes(spec.language, spec.split, low, high, words), source)


def _place(spec: ItemSpec, size: int) -> int:
    """Return the index of the spec's whole, the same for both variants."""
    return replace(spec, variant=None).place(size, "compm", _VERSION)


def _ask(instance: tuple[str, int], draw: Draw, spec: ItemSpec) -> Question:
    whole, n = instance
    parts, script = _parts(whole, n, spec), components(spec.lang)
    drawn: dict[str, Json] = {"parts": len(parts), "whole": whole}
    if spec.variant == "combine":
        slots = part_slots("compm", spec.language, draw.shuffled(list(enumerate(parts))))
        return Question(
            question_text(draw, "compm", spec, form="combine", **slots),
            target={"accepted": list(script.compose(parts) or [whole])},
            solution=whole,
            drawn=drawn,
            published=Published("match_answer", whole),
        )
    accepted = script.right_decompositions(whole) or (parts,)
    return Question(
        question_text(draw, "compm", spec, form="split", **_slots(spec, whole, parts)),
        target={"accepted": [list(option) for option in accepted], "ordered": script.is_ordered},
        solution=", ".join(parts),
        drawn=drawn,
        published=Published("split", ";".join(map(",".join, accepted))),
    )


def _parts(whole: str, n: int, spec: ItemSpec) -> tuple[str, ...]:
    """Return the parts of a whole, the same for both variants."""
    draw = Draw("compm", _VERSION, *replace(spec, variant=None).key(), spec.index)
    options = components(spec.lang).decompositions(whole, n, _rivals(whole, spec))
    return draw.choice(list(options))


def _outcomes(instance: Composite, spec: ItemSpec) -> list[Outcome]:
    answers = right_answers(spec.lang, instance, _rivals(instance[0], spec))
    return [(answer, 1.0) for answer in answers]


def _rivals(whole: str, spec: ItemSpec) -> tuple[str, ...]:
    from tokenbench.text.lexicon import repertoire

    _, others = _words_and_rivals(spec.language, repertoire(spec.language, spec.words).words)
    return others.get(whole, ())


def _slots(spec: ItemSpec, whole: str, parts: Sequence[str]) -> dict[str, str]:
    if not spec.language.counts_words:
        return {"whole": whole, **spec.language.particles(whole)}
    span = questions("compm", spec.language)["span"]
    spans = [span.format(first=part[0], last=part[-1]) for part in parts]
    number = numeral("compm", spec.language, parts)
    return {"whole": whole, "spans": part_list("compm", spec.language, spans), "number": number}


@lru_cache(maxsize=8 * CACHE_SIZE)
def _wholes(
    language: Language, split: Split, low: int, high: int, words: tuple[str, ...]
) -> tuple[Composite, ...]:
    words, others = _words_and_rivals(language, words)
    return wholes(language.code, of_split(words, split), low, high, others)


@lru_cache(maxsize=CACHE_SIZE)
def _words_and_rivals(
    language: Language, originals: tuple[str, ...]
) -> tuple[tuple[str, ...], dict[str, tuple[str, ...]]]:
    """Return words in lower case, and the other known words of the same letters, in English."""
    from tokenbench.text.lexicon import words

    known = tuple(dict.fromkeys(map(str.lower, originals)))
    if not language.counts_words:
        return known, {}
    by_word = rivals((*known, *words(language.code).words))
    for word, others in exclusions().items():
        by_word[word] = (*by_word.get(word, ()), *others)
    return known, by_word


@cache
def exclusions() -> dict[str, tuple[str, ...]]:
    """Return words of the core lexicon, each with the words that its parts make in another order.

    The latter are among the 60,000 most frequent words, or a few rarer ones, and not in the core
    lexicon. `tools/compm_exclusions.py` writes the list.
    """
    rows = data_rows("tokenbench.tasks", "data", "compm_exclusions.txt")
    return {word: tuple(others) for word, *others in rows}


_VERSION: Final = 2
TASK = tase_task(
    name="compm",
    doc="Split a word or character into its parts, or combine parts into what they make.",
    answer={"split": _SPLIT, "combine": _COMBINE},
    pool=_pool,
    ask=_ask,
    place=_place,
    outcomes=_outcomes,
    source="TASE, token structure: COMPM",
    version=_VERSION,
    params=(
        IntRange(
            "parts",
            default=(2, 4),
            max=6,
            help="parts; Hangul syllables have two or three",
            scales_with_level=True,
            # Few characters have more than two.
            parts={"zh": ((2, 2), (3, 4))},
        ),
        Source("words", SOURCES, help="where words or characters come from"),
    ),
)
generate = TASK.generate
