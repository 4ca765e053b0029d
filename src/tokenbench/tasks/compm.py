"""COMPM: split a word or character into its parts, or combine parts into the one that they make.

With the same arguments but for the variant, the two ask about the same whole and the same parts:
what answers one is what the other asks about.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache, lru_cache
from typing import Final

from tokenbench.decomposition import hanzi, unambiguous
from tokenbench.decomposition.pieces import rivals
from tokenbench.draw import Draw, Split, of_split
from tokenbench.item import Item, Json
from tokenbench.tasks import components, naming
from tokenbench.tasks.components import folded as folded
from tokenbench.tasks.components import matches as matches
from tokenbench.tasks.components import verify as verify
from tokenbench.tasks.contract import Draft, ItemSpec, Published, Task
from tokenbench.tasks.folding import WORD
from tokenbench.tasks.params import IntRange, Source
from tokenbench.tasks.wordings import load_wordings, prompt_text
from tokenbench.text.sources import CACHE_SIZE, SOURCES, data_text

_MOST: Final = {"en": 6, "zh": 3, "ko": 3}  # parts that a level asks for; more only if given


def _make(ask: ItemSpec, draw: Draw) -> Draft | None:
    whole, held, source = _instance(ask)
    if not held:
        return None
    drawn: dict[str, Json] = {"parts": len(held), "whole": whole}
    if ask.variant == "combine":
        shown = naming.pieces("compm", ask.lang, draw.shuffled(list(enumerate(held))))
        return Draft(
            prompt=prompt_text(draw, "compm", ask.lang, form="combine", **shown),
            target={"accepted": list(hanzi.compose(held)) if ask.lang == "zh" else [whole]},
            solution=whole,
            source=source,
            drawn=drawn,
            published=Published("match_answer", whole),
        )
    accepted = hanzi.accepted(whole) if ask.lang == "zh" else (held,)
    return Draft(
        prompt=prompt_text(
            draw, "compm", ask.lang, form="split", **_question(ask.lang, whole, held)
        ),
        target={"accepted": [list(option) for option in accepted], "ordered": ask.lang != "zh"},
        solution=", ".join(held),
        source=source,
        drawn=drawn,
        published=Published("split", ";".join(map(",".join, accepted))),
    )


def _instance(ask: ItemSpec) -> tuple[str, tuple[str, ...], str]:
    """Return a whole, its parts and their source: the same for both variants, which are inverse.

    Without any that serves, there are no parts.
    """
    both = replace(ask, variant=None)
    pool, known, source = _pool_of(ask)
    if not pool.wholes:
        return "", (), source
    whole, n = pool.wholes[TASK.place(both, len(pool.wholes))]
    draw = Draw("compm", TASK.version, *both.key(), ask.index)
    others = _others(ask.lang, known).get(whole, ())
    return whole, draw.choice(list(unambiguous.decompositions(ask.lang, whole, n, others))), source


def _question(lang: str, whole: str, held: Sequence[str]) -> dict[str, str]:
    """Return what the places of a question to split hold."""
    if lang == "en":
        span = load_wordings("compm")[lang]["span"]
        spans = [span.format(first=part[0], last=part[-1]) for part in held]
        return {
            "whole": whole,
            "spans": naming.sequence("compm", lang, spans),
            "number": naming.number("compm", lang, held),
        }
    return {"whole": whole, "object": "를" if len(held) == 2 else "을"}


def _pool_of(ask: ItemSpec) -> tuple[unambiguous.Pool, tuple[str, ...], str]:
    """Return what may be asked about, the words or characters it is of, and their source."""
    from tokenbench.text.lexicon import vocabulary  # only drawing needs it

    low, high = ask.range("parts")
    if "parts" not in ask.overrides:
        low = min(low, _MOST[ask.lang])
    listed = vocabulary(ask.lang, ask.words)
    known = _lowered(listed.words)
    return _pool(ask.lang, ask.split, low, high, known), known, listed.source


@lru_cache(maxsize=CACHE_SIZE)
def _lowered(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(str.lower, words)))


@lru_cache(maxsize=8 * CACHE_SIZE)
def _pool(lang: str, split: Split, low: int, high: int, known: tuple[str, ...]) -> unambiguous.Pool:
    return unambiguous.pool(lang, of_split(known, split), low, high, _others(lang, known))


@lru_cache(maxsize=CACHE_SIZE)
def _others(lang: str, known: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Return, for English words, the other known words of the same letters."""
    from tokenbench.text.lexicon import words

    if lang != "en":
        return {}
    found = rivals((*known, *words("en").words))
    for word, others in exclusions().items():
        found[word] = (*found.get(word, ()), *others)
    return found


@cache
def exclusions() -> dict[str, tuple[str, ...]]:
    """Return words of the core lexicon, each with those that its parts make in another order.

    These are among the 60,000 most frequent words, or a few rarer ones, and not in the core
    lexicon. The list was written by `tools/compm_exclusions.py`.
    """
    lines = data_text(__package__, "data", "compm_exclusions.txt").splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    return {word: tuple(others) for word, *others in rows}


def _space(ask: ItemSpec) -> int:
    pool, _, _ = _pool_of(ask)
    return len(pool.wholes)


def _parse(text: str, item: Item) -> str | list[str]:
    if item.variant == "combine":
        return components.parse_whole(text, item)
    return components.parse_parts(text, item)


def _chance(item: Item) -> float:
    pool, _, _ = _pool_of(TASK.spec_of(item))
    return pool.commonest / max(1, len(pool.wholes))


TASK = Task(
    name="compm",
    source="TASE, token structure: COMPM",
    version=2,
    langs=("en", "zh", "ko"),
    variants=("split", "combine"),
    doc="Split a word or character into its parts, or combine parts into what they make.",
    params=(
        IntRange("parts", 2, 4, 6, "parts; Hangul syllables have two or three", levelled=True),
        Source("words", SOURCES, "where words or characters come from"),
    ),
    target_schema={"split": components.PARTS, "combine": components.WHOLES},
    sample=_make,
    parse=_parse,
    verify=verify,
    grade=components.grade,
    explain=components.why,
    max_answer_chars=components.longest,
    guess_rate=_chance,
    equivalences={
        "split": (*WORD, "brackets", *components.LISTED, "conjunction", "ending"),
        "combine": ("case", *components.STATED),
    },
    n_instances=_space,
)
generate = TASK.generate
