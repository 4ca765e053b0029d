"""DIFF, SORT, REORD and writing LENOP as published: what is right is found out anew."""

import re
from collections.abc import Callable
from itertools import pairwise, permutations
from typing import Final

from tokenbench.draw import Draw
from tokenbench.published.targets.counts import lengths
from tokenbench.published.targets.reading import (
    SEVERAL,
    UNCLEAR,
    UNSOLVABLE,
    WRONG,
    Doubt,
    Reading,
    Row,
    as_labelled,
    cleaned,
)
from tokenbench.tasks.tase import diff, lenop, reord
from tokenbench.text.languages import language
from tokenbench.text.lexicon import words
from tokenbench.text.passage import compose
from tokenbench.text.units import normalize_units, pieces, unit_pattern, units

_LABELS: Final = "ABC"
_TEXTS: Final = re.MULTILINE | re.DOTALL  # one may have several lines
_TRIES: Final = 20
_COMPOSED: Final = 4096  # units up to which a text is composed
_PROVED: Final = 14  # tokens up to which `reord.solve` proves that there is no order
_TOPICS: Final = {  # how the published prompts name it
    "en": r"topic of (.+?)\.?$",
    "zh": r"主题为(.+)$",
    "ko": r"^(.+?) 주제로",
}

_EMPTY: Final = (  # words that say nothing about what a topic is
    *(
        "about",
        "an",
        "and",
        "are",
        "as",
        "at",
        "by",
        "do",
        "for",
        "from",
        "how",
        "in",
        "into",
        "is",
    ),
    *("it", "its", "of", "on", "or", "our", "that", "the", "their", "this", "to", "we", "what"),
    *("when", "where", "which", "who", "why", "with", "without", "you", "your", "및"),
)


def differing(row: Row) -> Reading:
    """Compare the two lists of the prompt: the label names only one of two differing tokens."""
    tongue = language(row.lang)
    told = row.label.lower()
    lines = re.findall(r"^[^\S\n]*+seq\s*[12]\s*[:：](.*)$", row.prompt, re.MULTILINE)
    if len(lines) != 2:
        label = cleaned(told)
        same = label in tongue.same + tongue.yes
        return as_labelled(row, {"differing": [] if same else [label]})
    for label in dict.fromkeys((told, cleaned(told))):
        for cut in _cuts(row.lang):
            found = _lowered(lines, cut)
            if label in found:
                doubts = _of_the_right(label, found, row.lang)
                return Reading({"differing": found}, label, doubts)
    label, cut = cleaned(told), _cuts(row.lang)[0]
    found = _lowered(lines, cut)
    by_case = [token.lower() for token in diff.differing(*map(cut, lines))]
    if not found and by_case:
        several = Doubt(SEVERAL, "the lists differ in letter case only", tuple(by_case))
        if label in by_case:
            return Reading({"differing": by_case}, label, (several,))
        if label in tongue.same + tongue.yes:
            return Reading({"differing": []}, label, (several,))
    if label in tongue.same + tongue.yes and not found:
        return Reading({"differing": []}, label)
    right = found[0] if found else tongue.yes[0]
    reason = "it is not what differs" if found else "the lists are the same"
    answers = tuple(dict.fromkeys(found)) or (tongue.yes[0],)
    return Reading({"differing": found}, right, (Doubt(WRONG, reason, answers),))


def _cuts(lang: str) -> tuple[Callable[[str], list[str]], ...]:
    """Return the ways to cut a list into tokens, the most natural one first.

    A character may be a letter, a digit or a mark of another script, though units are asked for.
    """
    if language(lang).unit == "word":
        return (str.split,)
    return (
        lambda line: units(line, lang),
        lambda line: list("".join(normalize_units(line).split())),
    )


def _lowered(lines: list[str], cut: Callable[[str], list[str]]) -> list[str]:
    return list(diff.differing(*([token.lower() for token in cut(line)] for line in lines)))


def _of_the_right(label: str, found: list[str], lang: str) -> tuple[Doubt, ...]:
    """Return the doubts about a label that does name a differing token."""
    tongue = language(lang)
    doubts = []
    if len(set(found)) > 1:
        doubts.append(Doubt(SEVERAL, "several tokens differ", tuple(dict.fromkeys(found))))
    if label in tongue.reserved:
        reason = "the differing token is also the word for yes or no"
        doubts.append(Doubt(SEVERAL, reason, (label,)))
    return tuple(doubts)


def order(row: Row) -> Reading:
    """Measure the three texts of the prompt again, by each rule of counting."""
    given = re.findall("[A-Z]", row.label.upper())
    texts = dict(re.findall(r"^([ABC])\s*[:：](.*?)(?=^[ABC]\s*[:：]|\Z)", row.prompt, _TEXTS))
    if sorted(texts) != list(_LABELS):
        return as_labelled(row, {"order": given})
    sizes = {label: list(lengths(text, row.lang).values()) for label, text in texts.items()}
    rules = range(len(sizes["A"]))
    allowed = [_orders({label: size[rule] for label, size in sizes.items()}) for rule in rules]
    every = list(dict.fromkeys(found for orders in allowed for found in orders))
    told = "".join(given)
    if told not in every:
        right = allowed[0][0]
        doubt = Doubt(WRONG, "it is not the order of the lengths", tuple(allowed[0]))
        return Reading({"order": list(right)}, right, (doubt,))
    if len(every) == 1:
        return Reading({"order": given}, told)
    tie = len(allowed[0]) > 1 and told in allowed[0]
    reason = "texts are equally long" if tie else "rules of counting differ"
    return Reading({"order": given}, told, (Doubt(SEVERAL, reason, tuple(every)),))


def _orders(sizes: dict[str, int]) -> list[str]:
    """Return the orders, longest first, that lengths allow: several where some are equal."""
    falling = sorted(sizes.values(), reverse=True)
    return [
        "".join(labels)
        for labels in permutations(_LABELS)
        if [sizes[label] for label in labels] == falling
    ]


def tokens(row: Row) -> Reading:
    """Take the text as the published scorer does: the rest of the line after the first colon."""
    _, colon, rest = re.sub("：", ":", row.prompt).partition(":")
    found = pieces(rest.lstrip().partition("\n")[0], row.lang)
    if not colon:
        return as_labelled(row, {"tokens": found}, "")
    solved = reord.solve(found)
    if solved is None:
        return Reading({"tokens": found}, "", (_without_order(found),))
    return Reading({"tokens": found}, language(row.lang).joiner.join(solved))


def _without_order(found: list[str]) -> Doubt:
    if len(found) <= _PROVED or _crowded(found):
        return Doubt(UNSOLVABLE, "every order keeps two neighbours")
    return Doubt(UNCLEAR, "no order was found, nor proved that there is none")


def _crowded(found: list[str]) -> bool:
    """Return whether some token must meet an old neighbour, wherever it is put.

    It does if it touched every other token, or itself and makes up more than half of them.
    """
    lower = [token.lower() for token in found]
    touched: dict[str, set[str]] = {token: set() for token in lower}
    for before, after in pairwise(lower):
        touched[before].add(after)
        touched[after].add(before)
    return any(
        others | {token} == set(touched)
        or (token in others and 2 * lower.count(token) > len(lower) + 1)
        for token, others in touched.items()
    )


def write(row: Row) -> Reading:
    """Compose a text of the length asked for: the published rows have no label."""
    digits = re.search("[0-9]{1,18}", row.prompt)
    n = int(digits[0]) if digits else 0
    topic = re.search(_TOPICS[row.lang], row.prompt)
    names = _names(topic[1], row.lang) if topic else []
    asked = {
        "count": n,
        "lang": row.lang,
        "prompt": row.prompt,
        "topic": topic[1] if topic else "",
        "names": names,
    }
    if not 0 < n <= _COMPOSED:
        return as_labelled(row, asked, "")
    nouns = words(row.lang).words
    for attempt in range(_TRIES):
        draw = Draw("published", row.prompt, attempt)
        text = compose(draw, row.lang, n, nouns, topic="".join(names[:1]))
        if lenop.verify(text, asked):
            return Reading(asked, text)
    return Reading(asked, "", (Doubt(UNCLEAR, "we composed no text of this length"),))


def _names(topic: str, lang: str) -> list[str]:
    """Return the words of a topic, of which a text has to name one; none if it has no word.

    The prompts do not say that the topic has to be named, so any word of it will do that has a
    meaning of its own. What the language's letters alone cannot write (`5G`) is no word.
    """
    found = re.findall(f"(?:{unit_pattern(lang).pattern})+", normalize_units(topic))
    if language(lang).unit == "word":
        found = [word for word in found if len(word) > 1]
    return [word for word in found if word.lower() not in _EMPTY] or found
