"""DIFF: do two shuffled lists hold the same tokens, and if not, which token differs?"""

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache

from tokenbench.draw import Draw
from tokenbench.errors import texts
from tokenbench.extraction import Unparsable
from tokenbench.item import Item, Json
from tokenbench.quoting import pluralize
from tokenbench.tasks.contract import Draft, ItemSpec, Published, Task
from tokenbench.tasks.folding import WORD
from tokenbench.tasks.params import Choice, IntRange, Source
from tokenbench.tasks.wordings import load_wordings, prompt_text
from tokenbench.text.answer_text import split_list, strip_copula
from tokenbench.text.languages import language
from tokenbench.text.normalize import (
    equals_ignoring_markup,
    nfc,
    straight_quotes,
    strip_invisible,
    strip_wrapping,
    usual_width,
)
from tokenbench.text.sources import SOURCES

_QUOTES = "\"'“”‘’「」"
_MARK = rf"(?:\*\*|[{_QUOTES}])?"
_LEADING = re.compile(  # `no: cat`
    rf"\s*{_MARK}(\w+){_MARK}(?:\s*[,.:;，。：；、–—-]+|[ \t]*\n)(?=\s*\S)"
)
VARIATIONS = ("unchanged", "add", "delete", "modify")


def differing(a: Sequence[str], b: Sequence[str]) -> tuple[str, ...]:
    """Return the tokens that one list holds more often than the other: first a's, then b's.

    >>> differing(["to", "be", "to"], ["be", "to", "see"])
    ('to', 'see')
    """
    in_a, in_b = Counter(texts("a", a)), Counter(texts("b", b))
    return tuple((in_a - in_b).elements()) + tuple((in_b - in_a).elements())


def verify(answer: Sequence[str], target: Json) -> bool:
    """Return whether an answer names differing tokens only, at least one; or none, rightly.

    >>> verify(["see"], {"differing": ["to", "see"]}), verify([], {"differing": ["to", "see"]})
    (True, False)
    """
    if not answer or not target["differing"]:
        return not answer and not target["differing"]
    return not Counter(answer) - Counter(set(target["differing"]))


def _make(ask: ItemSpec, draw: Draw) -> Draft | None:
    from tokenbench.text.passage import different_token, tokens  # only drawing needs it

    variation = ask.overrides.get("variation") or draw.choice(VARIATIONS)
    length = draw.between(*ask.range("length"))
    known = ask.words
    a, source = tokens(draw, ask.lang, length, source=known, text=ask.text)
    b = list(a)
    if variation in ("delete", "modify"):
        removed = b.pop(draw.below(length))
    if variation in ("add", "modify"):
        avoided = language(ask.lang).reserved | ({removed} if variation == "modify" else set())
        b.append(different_token(draw, ask.lang, known, avoided))
    found = list(differing(a, b))
    joiner = language(ask.lang).joiner
    first, second = joiner.join(draw.shuffled(a)), joiner.join(draw.shuffled(b))
    label = found[0] if found else language(ask.lang).same[0]
    payload = load_wordings("diff")[ask.lang]["payload"].format(first=first, second=second)
    return Draft(
        prompt=prompt_text(draw, "diff", ask.lang, payload, form="ask"),
        target={"differing": found},
        solution=label,
        source=source,
        drawn={"length": length, "variation": variation},
        published=Published("diff", label, variation),
    )


def _parse(text: str, item: Item) -> list[str]:
    """Return the tokens that an answer names; none if it says that the lists are the same."""
    tongue = language(item.lang)
    if token := _token(text, item.target):
        return [token]
    text = strip_copula(strip_wrapping(_form(text)), item.lang)
    if token := _token(text, item.target):
        return [token]
    text = strip_wrapping(text)
    leading = _LEADING.match(text)
    denied = leading is not None and leading[1].lower() in tongue.no
    if leading and denied:
        text = text[leading.end() :]
        if token := _token(text, item.target):
            return [token]
    affirmed = leading is not None and leading[1].lower() in tongue.yes
    said = strip_wrapping(text[leading.end() :] if leading and affirmed else text).lower()
    if said in tongue.same and not denied:  # `Yes, the same`
        return []
    both = _both(item.lang).fullmatch(strip_wrapping(text))
    named = [part.lower() for part in split_list(", ".join(both.groups()) if both else text)]
    alike = {strip_wrapping(_form(token)).lower(): token for token in item.target["differing"]}
    named = [alike.get(part, part) for part in named]
    if len(named) == 1:
        (word,) = named
        if word in tongue.yes and not denied:
            return []
        if tongue.unit != "word" and len(word) == 2 and word not in tongue.no:
            return list(word)  # both characters of a modification, written without a space
    if not 1 <= len(named) <= 2:
        raise Unparsable(
            f"names {pluralize(len(named), tongue.unit_name)}: one or two can differ; that none "
            f"does is said with “{tongue.same[0]}” alone"
        )
    return named


def _token(text: str, target: Json) -> str:
    """Return the differing token that an answer is, whatever marks it holds; empty if it is none.

    Tokens of published lists may hold what separates parts or ends an answer (`and/or`, `u.s.`).
    """
    said = _form(text).lower()
    tokens = dict.fromkeys(target["differing"])
    return next(
        (token for token in tokens if equals_ignoring_markup(said, _form(token).lower())), ""
    )


def _form(text: str) -> str:
    """Return a token, or an answer, in usual width, composed form and straight quotes."""
    return straight_quotes(nfc(usual_width(strip_invisible(text))))


@cache
def _both(lang: str) -> re.Pattern[str]:
    """Return the pattern of two tokens with a conjunction between them."""
    tongue = language(lang)
    conjunctions = "|".join(map(re.escape, tongue.conjunctions))
    if tongue.unit == "word":
        return re.compile(rf"(\S+)\s+(?:{conjunctions})\s+(\S+)", re.IGNORECASE)
    token = f"[{_QUOTES}]?\\w[{_QUOTES}]?"
    return re.compile(rf"({token})\s*(?:{conjunctions})\s*({token})")


def _grade(answer: Sequence[str], target: Json) -> float:
    return float(verify(answer, target))


def _why(answer: Sequence[str], target: Json) -> str:
    return "what is named is not what differs" if answer else "the lists are not the same"


def _longest(target: Json) -> int:
    return 128  # the same for every target, lest a reason tell its length


def _chance(item: Item) -> float:
    """A constant answer can only be that the lists are the same."""
    variation = (item.meta.get("params") or {}).get("variation")
    if variation is None:
        return 1 / len(VARIATIONS)
    return float(variation == "unchanged")


TASK = Task(
    name="diff",
    source="TASE, token awareness: DIFF",
    version=2,
    langs=("en", "zh", "ko"),
    variants=(),
    doc="Say which token differs between two shuffled lists, or that none does.",
    params=(
        IntRange("length", 5, 254, 4096, "tokens of the first list", levelled=True),
        Choice("variation", VARIATIONS, "how the second list is made from the first"),
        Source("words", SOURCES, "where the tokens come from"),
        Source("text", (), "a running text to take the tokens from"),
    ),
    target_schema={None: {"differing": "list of str"}},
    sample=_make,
    parse=_parse,
    verify=verify,
    grade=_grade,
    explain=_why,
    max_answer_chars=_longest,
    guess_rate=_chance,
    equivalences={None: (*WORD, "ending")},
)
generate = TASK.generate
