"""DIFF: do two shuffled lists hold the same tokens, and if not, which token differs?"""

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache

from tokenbench.answers.kind import WORD_EQUIVALENCES
from tokenbench.answers.lists import Tokens
from tokenbench.draw import Draw
from tokenbench.errors import texts
from tokenbench.extraction import Unparsable
from tokenbench.item import Item, Json
from tokenbench.quoting import pluralize
from tokenbench.tasks.contract import Published, Question, Task
from tokenbench.tasks.spec import Choice, IntRange, ItemSpec, Source
from tokenbench.tasks.wordings import load_wordings, question_text
from tokenbench.text.answer_lists import split_list
from tokenbench.text.copulas import strip_copula
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

VARIATIONS = ("unchanged", "add", "delete", "modify")
_MAX_CHARS = 128  # the same for every target, because reasons mention it
_QUOTES = "\"'“”‘’「」"
_MARK = rf"(?:\*\*|[{_QUOTES}])?"
_LEADING = re.compile(  # `no: cat`
    rf"\s*{_MARK}(\w+){_MARK}(?:\s*[,.:;，。：；、–—-]+|[ \t]*\n)(?=\s*\S)"
)


def differing(a: Sequence[str], b: Sequence[str]) -> tuple[str, ...]:
    """Return the tokens that one list holds more often than the other: first a's, then b's.

    >>> differing(["to", "be", "to"], ["be", "to", "see"])
    ('to', 'see')
    """
    in_a, in_b = Counter(texts("a", a)), Counter(texts("b", b))
    return tuple((in_a - in_b).elements()) + tuple((in_b - in_a).elements())


def _valid(differing: Sequence[str], answer: Sequence[str]) -> bool:
    """Return whether an answer names differing tokens only, at least one; or none, rightly.

    >>> _valid(["to", "see"], ["see"]), _valid(["to", "see"], []), _valid([], [])
    (True, False, True)
    """
    if not answer or not differing:
        return not answer and not differing
    return not Counter(answer) - Counter(set(differing))


def _sample(spec: ItemSpec, draw: Draw) -> Question:
    from tokenbench.text.passage import different_token, tokens  # only drawing needs it

    variation = spec.overrides.get("variation") or draw.choice(VARIATIONS)
    length = draw.between(*spec.range("length"))
    a, source = tokens(draw, spec.lang, length, source=spec.words, text=spec.text)
    b, avoided = list(a), spec.language.reserved
    if variation in ("delete", "modify"):
        removed = b.pop(draw.below(length))
        avoided |= {removed}
    if variation in ("add", "modify"):
        b.append(different_token(draw, spec.lang, spec.words, avoided))
    answer = list(differing(a, b))
    joiner = spec.language.joiner
    first, second = joiner.join(draw.shuffled(a)), joiner.join(draw.shuffled(b))
    label = answer[0] if answer else spec.language.same[0]
    payload = load_wordings("diff")[spec.lang]["payload"].format(first=first, second=second)
    return Question(
        question_text(draw, "diff", spec.lang, payload, form="ask"),
        answer,
        {"length": length, "variation": variation},
        solution=label,
        source=source,
        published=Published("diff", label, variation),
    )


def _read(text: str, item: Item) -> list[str]:
    """Return the tokens that an answer names; none if it says that the lists are the same."""
    words = language(item.lang)
    if token := _token(text, item.target):
        return [token]
    text = strip_copula(strip_wrapping(_form(text)), item.lang)
    if token := _token(text, item.target):
        return [token]
    text = strip_wrapping(text)
    leading = _LEADING.match(text)
    denied = leading is not None and leading[1].lower() in words.no
    if leading and denied:
        text = text[leading.end() :]
        if token := _token(text, item.target):
            return [token]
    affirmed = leading is not None and leading[1].lower() in words.yes
    said = strip_wrapping(text[leading.end() :] if leading and affirmed else text).lower()
    if said in words.same and not denied:  # `Yes, the same`
        return []
    both = _both(item.lang).fullmatch(strip_wrapping(text))
    named = [part.lower() for part in split_list(", ".join(both.groups()) if both else text)]
    alike = {strip_wrapping(_form(token)).lower(): token for token in item.target["differing"]}
    named = [alike.get(part, part) for part in named]
    if len(named) == 1:
        (word,) = named
        if word in words.yes and not denied:
            return []
        if words.unit != "word" and len(word) == 2 and word not in words.no:
            return list(word)  # both characters of a modification, written without a space
    if not 1 <= len(named) <= 2:
        raise Unparsable(
            f"names {pluralize(len(named), words.unit_name)}: one or two can differ; that none "
            f"does is said with “{words.same[0]}” alone"
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
    words = language(lang)
    conjunctions = "|".join(map(re.escape, words.conjunctions))
    if words.unit == "word":
        return re.compile(rf"(\S+)\s+(?:{conjunctions})\s+(\S+)", re.IGNORECASE)
    token = f"[{_QUOTES}]?\\w[{_QUOTES}]?"
    return re.compile(rf"({token})\s*(?:{conjunctions})\s*({token})")


def _explain(_differing: Sequence[str], answer: Sequence[str]) -> str:
    return "what is named is not what differs" if answer else "the lists are not the same"


def _room(_differing: Sequence[str]) -> int:
    return _MAX_CHARS


def _guess(item: Item) -> float:
    """Return how often the one constant answer is right: that the lists are the same."""
    variation = (item.meta.get("params") or {}).get("variation")
    return 1 / len(VARIATIONS) if variation is None else float(variation == "unchanged")


TASK = Task(
    name="diff",
    doc="Say which token differs between two shuffled lists, or that none does.",
    answer=Tokens(
        field="differing",
        read=_read,
        valid=_valid,
        explanation=_explain,
        room=_room,
        equivalences=(*WORD_EQUIVALENCES, "ending"),
    ),
    sample=_sample,
    guess=_guess,
    source="TASE, token awareness: DIFF",
    version=2,
    langs=("en", "zh", "ko"),
    params=(
        IntRange(
            "length",
            default=(5, 254),
            max=4096,
            help="tokens of the first list",
            scales_with_level=True,
        ),
        Choice("variation", VARIATIONS, help="how the second list is made from the first"),
        Source("words", SOURCES, help="where the tokens come from"),
        Source("text", (), help="a running text to take the tokens from"),
    ),
)
generate, verify = TASK.generate, TASK.kind(None).verify
