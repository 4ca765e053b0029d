"""COMPM: split a word or character into its parts, or combine parts into the one that they make.

With the same arguments but for the variant, the two ask about the same whole and the same parts:
what answers one is what the other asks about.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache, lru_cache
from typing import Final, TypeAlias

from tokenbench.answer import Unparsable
from tokenbench.draw import Draw, Split, of_split
from tokenbench.errors import TokenbenchError, texts
from tokenbench.item import Item, Json
from tokenbench.parts import hangul, hanzi, ways
from tokenbench.parts.pieces import rivals
from tokenbench.tasks.contract import Ask, Draft, Published, Task
from tokenbench.tasks.params import Source, Span
from tokenbench.tasks.wording import worded, wordings
from tokenbench.text import fold
from tokenbench.text.data_files import data_text
from tokenbench.text.languages import language
from tokenbench.text.parts import parts as listed
from tokenbench.text.sources import KEPT, SOURCES

Parts: TypeAlias = Sequence[str]

_MOST: Final = {"en": 6, "zh": 3, "ko": 3}  # parts that a level asks for; more only if given
_LONGEST: Final = 128  # characters; the same for every target, lest a reason tell its length
_PLUS: Final = re.compile("[+＋]")
_QUOTES: Final = re.compile("[“”‘’「」『』]")


def matches(parts: Parts, accepted: Sequence[Parts], *, ordered: bool = False) -> bool:
    """Return whether parts are those of an accepted decomposition, each as often as there.

    Args:
        parts: the parts, folded (see `folded`).
        accepted: the decompositions, folded.
        ordered: whether the parts have to stand in the order of the decomposition, too.

    Raises:
        TokenbenchError: not a sequence of str, or of such sequences.

    >>> matches(["巴", "扌"], [["扌", "巴"], ["手", "巴"]])
    True
    >>> matches(["ㅏ", "ㄱ"], [["ㄱ", "ㅏ"]], ordered=True)
    False
    """
    given, options = texts("parts", parts), [texts("accepted", option) for option in accepted]
    return given in options if ordered else sorted(given) in map(sorted, options)


def folded(part: str, lang: str) -> str:
    """Return one part of a word or character in the form in which parts are compared.

    English: lower case and usual width. Korean: a compatibility jamo. Chinese: the unified
    character for a radical, without variation selectors. What is no part stays as it is.

    >>> folded("Ag", "en"), folded("ᆨ", "ko"), folded("⺘", "zh")
    ('ag', 'ㄱ', '扌')
    """
    if lang == "en":
        return fold.nfc(fold.width(part)).lower()
    if lang == "zh":
        return hanzi.folded(part)
    return hangul.folded(part) if hangul.is_jamo(part) else part


def verify(answer: str | Parts, target: Json) -> bool:
    """Return whether parts are accepted ones, or a whole is.

    >>> verify(["ㄱ", "ㅏ"], {"accepted": [["ㄱ", "ㅏ"]], "ordered": True})
    True
    >>> verify("irritation", {"accepted": ["irritation"]})
    True
    """
    if isinstance(answer, str):
        return answer in target["accepted"]
    return matches(answer, target["accepted"], ordered=target["ordered"])


def _make(ask: Ask, draw: Draw) -> Draft | None:
    whole, held, source = _instance(ask)
    if not held:
        return None
    drawn: dict[str, Json] = {"parts": len(held), "whole": whole}
    if ask.variant == "combine":
        shown = draw.shuffled(list(enumerate(held)))
        return Draft(
            prompt=worded(draw, "compm", ask.lang, form="combine", **_pieces(ask.lang, shown)),
            target={"accepted": list(hanzi.compose(held)) if ask.lang == "zh" else [whole]},
            solution=whole,
            source=source,
            drawn=drawn,
            published=Published("match_answer", whole),
        )
    accepted = hanzi.accepted(whole) if ask.lang == "zh" else (held,)
    return Draft(
        prompt=worded(draw, "compm", ask.lang, form="split", **_question(ask.lang, whole, held)),
        target={"accepted": [list(option) for option in accepted], "ordered": ask.lang != "zh"},
        solution=", ".join(held),
        source=source,
        drawn=drawn,
        published=Published("split", ";".join(map(",".join, accepted))),
    )


def _instance(ask: Ask) -> tuple[str, tuple[str, ...], str]:
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
    return whole, draw.choice(list(ways.ways(ask.lang, whole, n, others))), source


def _question(lang: str, whole: str, held: Parts) -> dict[str, str]:
    """Return what the places of a question to split hold."""
    if lang == "en":
        span = wordings("compm")[lang]["span"]
        spans = [span.format(first=part[0], last=part[-1]) for part in held]
        return {"whole": whole, "spans": _list(lang, spans), "number": _number(lang, held)}
    return {"whole": whole, "object": "를" if len(held) == 2 else "을"}


def _pieces(lang: str, shown: Sequence[tuple[int, str]]) -> dict[str, str]:
    """Return what the places of a question to combine hold, from parts and their positions."""
    form = wordings("compm")[lang]["piece"]
    held = [part for _, part in shown]
    if lang != "ko":
        pieces = _list(lang, [form.format(part=part) for part in held])
        return {"pieces": pieces, "number": _number(lang, held)}
    named = [form.format(position=hangul.POSITIONS[i], part=part) for i, part in shown]
    # Particles follow the name of the last letter: consonants are 기역, 니은, 리을 …
    place, last = shown[-1]
    by = "로" if place == 1 or last == "ㄹ" else "으로"
    return {"pieces": _list(lang, named), "by": by, "object": "를" if place == 1 else "을"}


def _list(lang: str, items: list[str]) -> str:
    words = wordings("compm")[lang]
    *others, last = items
    return str(words["last"]).join([words["comma"].join(others), last])


def _number(lang: str, held: Parts) -> str:
    return str(wordings("compm")[lang]["numbers"][len(held) - 2])


def _pool_of(ask: Ask) -> tuple[ways.Pool, tuple[str, ...], str]:
    """Return what may be asked about, the words or characters it is of, and their source."""
    from tokenbench.text.lexicon import vocabulary  # only drawing needs it

    low, high = ask.range("parts")
    if "parts" not in ask.given:
        low = min(low, _MOST[ask.lang])
    listed = vocabulary(ask.lang, ask.words)
    known = _lowered(listed.words)
    return _pool(ask.lang, ask.split, low, high, known), known, listed.source


@lru_cache(maxsize=KEPT)
def _lowered(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(str.lower, words)))


@lru_cache(maxsize=8 * KEPT)
def _pool(lang: str, split: Split, low: int, high: int, known: tuple[str, ...]) -> ways.Pool:
    return ways.pool(lang, of_split(known, split), low, high, _others(lang, known))


@lru_cache(maxsize=KEPT)
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


def _space(ask: Ask) -> int:
    pool, _, _ = _pool_of(ask)
    return len(pool.wholes)


def _parse(text: str, item: Item) -> str | list[str]:
    if item.variant == "combine":
        return _whole(text, item.lang)
    text = _PLUS.sub(",", text)
    if item.lang == "ko":
        try:
            found = list(hangul.listed(text))
        except TokenbenchError:
            raise Unparsable("holds what is no jamo") from None
    elif item.lang == "zh":  # each character is a part, separated and quoted or not
        text = _QUOTES.sub(" ", text)
        found = [folded(char, "zh") for part in listed(text) for char in folded(part, "zh")]
    else:
        found = [folded(part, item.lang) for part in listed(text)]
    if not found:
        raise Unparsable("names no part")
    return _without_conjunction(found, item)


def _without_conjunction(found: list[str], item: Item) -> list[str]:
    """Return the parts without an "and" before the last one, unless that may be a part itself."""
    sizes = set(map(len, item.target["accepted"]))
    said = len(found) > 2 and found[-2] in language(item.lang).conjunctions
    if said and len(found) not in sizes and len(found) - 1 in sizes:
        return [*found[:-2], found[-1]]
    return found


def _whole(text: str, lang: str) -> str:
    whole = fold.plain(text)
    if lang == "en":
        whole = whole.lower()
    elif lang == "zh":
        whole = hanzi.folded(whole)
    one = len(whole.split()) == 1 if lang == "en" else len(whole) == 1
    if not one:
        raise Unparsable("is not one word" if lang == "en" else "is not one character")
    return whole


def _grade(answer: str | Parts, target: Json) -> float:
    if isinstance(answer, str):
        return float(verify(answer, target))
    share = _placed if target["ordered"] else _shared
    return max((share(answer, option) for option in target["accepted"]), default=0.0)


def _placed(given: Parts, wanted: Parts) -> float:
    """Return the share of places that hold the same part."""
    return sum(map(str.__eq__, given, wanted)) / max(len(given), len(wanted))


def _shared(given: Parts, wanted: Parts) -> float:
    """Return the Jaccard index of two multisets of parts."""
    a, b = Counter(given), Counter(wanted)
    return (a & b).total() / (a | b).total()


def _why(answer: str | Parts, target: Json) -> str:
    if isinstance(answer, str):
        return "that is not what the parts make"
    return "those are not the parts" + (" in their order" if target["ordered"] else "")


def _longest(target: Json) -> int:
    return _LONGEST


def _chance(item: Item) -> float:
    pool, _, _ = _pool_of(TASK.asked(item))
    return pool.commonest / max(1, len(pool.wholes))


TASK = Task(
    name="compm",
    source="TASE, token structure: COMPM",
    version=1,
    langs=("en", "zh", "ko"),
    variants=("split", "combine"),
    doc="Split a word or character into its parts, or combine parts into what they make.",
    params=(
        Span("parts", 2, 4, 6, "parts; Hangul syllables have two or three", levelled=True),
        Source("words", SOURCES, "where words or characters come from"),
    ),
    fields={
        "split": {"accepted": "list of lists of str", "ordered": "bool"},
        "combine": {"accepted": "list of str"},
    },
    make=_make,
    parse=_parse,
    verify=verify,
    grade=_grade,
    why=_why,
    longest=_longest,
    chance=_chance,
    space=_space,
)
generate = TASK.generate
