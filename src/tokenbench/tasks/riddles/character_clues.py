"""What Chinese character riddles can say: for each character, the clues that it alone answers.

A clue names components: those to put together, or one to take from a character. It has one answer
among the 6,763 characters of GB 2312, however a solver takes characters apart (by any of their
decompositions, part by part) and whichever form of a radical is meant. Nothing tells where in a
character its components stand, so no clue does.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any, Final, NamedTuple, TypeAlias

from tokenbench.decomposition.hanzi import decompose
from tokenbench.decomposition.radicals import STROKES, families, forms
from tokenbench.text.scripts import gb2312, han
from tokenbench.text.sources import data_table

Parts: TypeAlias = tuple[str, ...]

_MOST: Final = 4  # components into which characters are taken apart
_ADDED: Final = (2, 3)  # how many different components a clue adds
_REPEATED: Final = (2, 3)  # how often a clue repeats a component
_BESIDE: Final = 2  # components beside a repeated one, at most
_FULL: Final = (
    "full",
    "listed",
    "left",
    "right",
)  # how a radical's form may stand for its full form


class Clue(NamedTuple):
    """One way to lead to a character.

    `parts` are components in their printed forms: those to put together, or the one to take from
    `host`, which is empty unless the device is `taking`. `rest` are the answer's components.
    """

    device: str
    parts: Parts
    rest: Parts
    host: str = ""


@cache
def clues() -> dict[str, tuple[Clue, ...]]:
    """Return the clues to each character of GB 2312 that has any, the simplest characters first.

    >>> [clue.parts for clue in clues()["休"] if clue.device == "adding"]
    [('亻', '木')]
    """
    found: defaultdict[str, list[Clue]] = defaultdict(list)
    for char in gb2312():
        found[char] += _put_together(char)
    for host in han():  # a character to take from has to be a familiar one
        for answer, clue in _taken_from(host):
            found[answer].append(clue)
    order = sorted((char for char in gb2312() if found[char]), key=_size)
    return {char: tuple(dict.fromkeys(found[char])) for char in order}


def solutions(parts: Iterable[str]) -> frozenset[str]:
    """Return the characters of GB 2312 that components may make, whatever forms are meant.

    >>> sorted(solutions("木口")), sorted(solutions("水每"))
    (['呆', '困', '杏', '束'], ['海'])
    """
    return frozenset(_makes().get(_key(parts), ()))


def remainders(host: str, part: str) -> frozenset[str]:
    """Return the characters of GB 2312 that may remain when a component is taken from one.

    >>> sorted(remainders("蚁", "虫")), "肉" in remainders("胡", "古")
    (['义'], True)
    """
    found: set[str] = set()
    for parts in taken_apart(host):
        for place, held in enumerate(parts):
            if _class(held) == _class(part):
                rest = parts[:place] + parts[place + 1 :]
                found |= _standing_for(rest[0]) if len(rest) == 1 else solutions(rest)
    return frozenset(found)


@cache
def taken_apart(char: str) -> frozenset[Parts]:
    """Return all ways to see two to four components in a character, nested ones too, each sorted.

    >>> sorted(taken_apart("焚"))[-2:]
    [('木', '木', '火'), ('林', '火')]
    """
    found: set[Parts] = set()
    waiting: list[Parts] = [(char,)]
    while waiting:
        for opened in _opened(waiting.pop(), decompose):
            parts = tuple(sorted(opened))
            if len(parts) <= _MOST and parts not in found:
                found.add(parts)
                waiting.append(parts)
    return frozenset(found)


@cache
def names(part: str, answer: str = "") -> Parts:
    """Return what a riddle may call a component; none if it has no name.

    Args:
        part: a component in its printed form.
        answer: the character that the riddle is about, which no name may hold.

    >>> names("氵"), names("每"), names("讠", "字"), names("丷")
    (('三点水', '水'), ('每',), ('言',), ())
    """
    if part in STROKES or part in table()["unnamed"]:
        return ()
    known = table()["names"].get(part) or [part] * (part in gb2312())
    return tuple(name for name in known if not answer or answer not in name)


@cache
def table() -> dict[str, Any]:
    """Return what the data file of character riddles holds."""
    return data_table(__package__, "data", "character_riddles.toml")


def _put_together(char: str) -> Iterator[Clue]:
    """Yield the clues that name all components of a character."""
    for parts in dict.fromkeys((*_sound(char), *_doubled(char))):
        kinds = Counter(map(_class, parts))
        different = len(kinds) == len(parts) and len(parts) in _ADDED
        if not different and not _repeating(parts, kinds):
            continue
        if all(names(part, char) for part in parts) and solutions(parts) == {char}:
            yield Clue("adding" if different else "doubling", parts, parts)


def _repeating(parts: Parts, kinds: Counter[str]) -> bool:
    """Return whether one component stands there twice or thrice, with at most two others."""
    (_, times), *others = kinds.most_common()
    single = all(number == 1 for _, number in others)
    # The same component in two forms, as in 伦, is not what a riddle would call a pair.
    alike = len(set(parts)) == len(kinds)
    return (
        times in _REPEATED and len(others) <= _BESIDE and single and alike and len(parts) <= _MOST
    )


def _taken_from(host: str) -> Iterator[tuple[str, Clue]]:
    """Yield answers with the clues that take a component from a character to leave them."""
    seen = [Counter(map(_class, parts)) for parts in taken_apart(host)]
    known: set[str] = set()
    for parts in _views(host):
        for place, part in enumerate(parts):
            rest = parts[:place] + parts[place + 1 :]
            if part in known or any(kinds[_class(part)] > 1 for kinds in seen):
                continue
            answer, *others = sorted(remainders(host, part)) or [""]
            if not others and names(part, answer) and _is_left(answer, rest, host):
                known.add(part)
                yield answer, Clue("taking", (part,), rest, host)


def _views(host: str) -> Iterator[Parts]:
    """Yield a character's components, first as they are, then with one of them taken apart."""
    yield from _sound(host)
    for parts in _sound(host):
        yield from _opened(parts, _sound)


def _is_left(answer: str, rest: Parts, host: str) -> bool:
    """Return whether components are another character themselves, or soundly make it."""
    made = [sorted(parts) for parts in _sound(answer)] if answer else []
    return answer != host and (rest == (answer,) or sorted(rest) in made)


@cache
def _sound(char: str) -> tuple[Parts, ...]:
    """Return the decompositions that serve a riddle: no fragments, no mere resemblance."""
    return tuple(
        parts
        for parts in decompose(char)
        if len(parts) <= _MOST
        and STROKES.isdisjoint(parts)
        and set(table()["unnamed"]).isdisjoint(parts)
        and f"{char}={''.join(parts)}" not in _unfit()
    )


def _doubled(char: str) -> Iterator[Parts]:
    """Yield a character's components with 林 opened into 木木, and the like."""
    for parts in _sound(char):
        for opened in _opened(parts, _sound):
            new = Counter(opened) - Counter(parts)
            if len(opened) <= _MOST and max(new.values()) > 1:
                yield opened


def _opened(parts: Parts, decomposed: Callable[[str], Iterable[Parts]]) -> Iterator[Parts]:
    """Yield the components with one of them taken apart."""
    for place, part in enumerate(parts):
        for inner in decomposed(part):
            yield (*parts[:place], *inner, *parts[place + 1 :])


def _size(char: str) -> int:
    """Return how many components are seen in a character, at most."""
    return max(map(len, taken_apart(char)), default=1)


@cache
def _makes() -> dict[Parts, list[str]]:
    found: defaultdict[Parts, list[str]] = defaultdict(list)
    for char in gb2312():
        for key in {_key(parts) for parts in taken_apart(char)}:
            found[key].append(char)
    return dict(found)


def _standing_for(part: str) -> set[str]:
    """Return the characters of GB 2312 for which a component stands: itself, or its full form."""
    full = {form.other for form in forms() if form.printed == part and form.standing in _FULL}
    return {char for char in {part, *full} if char in names(char)}


def _key(parts: Iterable[str]) -> Parts:
    return tuple(sorted(map(_class, parts)))


def _class(part: str) -> str:
    return _classes().get(part, part)


@cache
def _classes() -> dict[str, str]:
    """Return one name for all components that stand for each other, or look much the same."""
    return families(table()["alike"])


@cache
def _unfit() -> frozenset[str]:
    return frozenset(table()["unfit"].split())
