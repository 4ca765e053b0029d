"""Chinese riddles: character riddles (字谜) that put components together, take one away, or repeat.

A clue names components: those to put together, or one to take from a character. It has one answer
among the 6,763 characters of GB 2312, however a solver takes characters apart (by any of their
decompositions, part by part) and whichever form of a radical is meant. The data does not say where
in a character its components are, so clues do not either.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache
from itertools import chain, product
from typing import Any, Final, NamedTuple, TypeAlias

from tokenbench.decomposition.hanzi import STROKES, compose, decompose, families, forms
from tokenbench.draw import Draw, Split, of_split
from tokenbench.grouping import group
from tokenbench.tasks.riddles import Riddle
from tokenbench.text.languages import language
from tokenbench.text.lexicon import Words, repertoire
from tokenbench.text.sources import CACHE_SIZE, data_table
from tokenbench.text.units import gb2312, han

Components: TypeAlias = tuple[str, ...]

_MAX_COMPONENTS: Final = 4
_COMPONENTS_TO_ADD: Final = (2, 3)
_MAX_REPEATS: Final = 3
_MAX_OTHERS: Final = 2  # components next to a repeated one
# How a radical's form may be related to the character that it means.
_FULL_FORM_RELATIONS: Final = ("full", "listed", "left", "right")


class Clue(NamedTuple):
    """One clue to a character.

    `named` are components in their printed forms: those to put together, or the one to take from
    `host`, which is empty unless the device is `taking`. `components` are those of the answer.
    """

    device: str
    named: Components
    components: Components
    host: str = ""


def answers(split: Split, source: str, devices: tuple[str, ...]) -> tuple[str, ...]:
    """Return the characters of a split that have a riddle, those of fewest components first.

    Args:
        split: train, validation or test.
        source: `core` (GB 2312 level 1), `wordfreq`, or the path of a file with a word per line.
        devices: those that a riddle may use, of `adding`, `taking` and `doubling`.

    Raises:
        SourceError: a file that cannot be used.
        MissingExtraError: the source is `wordfreq`, and it is not installed.

    >>> len(answers("test", "core", ("adding",))) > 200
    True
    """
    return of_split(_chars_with_clue(_characters(source).words, devices), split)


def _characters(source: str) -> Words:
    return repertoire(language("zh"), source)


def riddle(draw: Draw, answer: str, source: str, devices: tuple[str, ...]) -> Riddle:
    """Return a riddle for a character, one of `answers`.

    >>> riddle(Draw(1), "林", "core", ("doubling",)).slots
    {'riddle': '这边是“木”，那边也是“木”'}
    """
    device = draw.choice([device for device in devices if _clues_by(answer, [device])])
    clue = draw.choice(_clues_by(answer, [device]))
    components = list(dict.fromkeys(clue.named))
    names = {part: draw.choice(component_names(part, answer)) for part in components}
    texts = _riddle_texts(clue, draw.shuffled(components), names)
    text = draw.choice([text for text in texts if answer not in text])
    return Riddle(
        accepted=_right_answers(answer, clue, names),
        device=device,
        source=_characters(source).source,
        drawn={"parts": len(clue.components), "host": clue.host},
        form="riddle",
        slots={"riddle": text},
    )


@cache
def clues() -> dict[str, tuple[Clue, ...]]:
    """Return the clues to each character of GB 2312 that has any, the simplest characters first.

    >>> [clue.named for clue in clues()["休"] if clue.device == "adding"]
    [('亻', '木')]
    """
    adding = ((char, clue) for char in gb2312() for clue in _adding_clues(char))
    # A character to take something from has to be a familiar one.
    by_answer = group(chain(adding, *map(_taking_clues, han())))
    chars = [char for char in gb2312() if char in by_answer]
    chars.sort(key=lambda char: max(map(len, component_sets(char)), default=1))
    return {char: tuple(dict.fromkeys(by_answer[char])) for char in chars}


def solutions(components: Iterable[str]) -> frozenset[str]:
    """Return the characters of GB 2312 that components may make, whatever forms are meant.

    >>> sorted(solutions("木口")), sorted(solutions("水每"))
    (['呆', '困', '杏', '束'], ['海'])
    """
    return frozenset(_chars_by_key().get(_key(components), ()))


def remainders(host: str, component: str) -> frozenset[str]:
    """Return the characters of GB 2312 that may remain when a component is taken from one.

    >>> sorted(remainders("蚁", "虫")), "肉" in remainders("胡", "古")
    (['义'], True)
    """
    chars: set[str] = set()
    for components in component_sets(host):
        for index, other in enumerate(components):
            if _family(other) == _family(component):
                rest = components[:index] + components[index + 1 :]
                chars |= _meanings(rest[0]) if len(rest) == 1 else solutions(rest)
    return frozenset(chars)


@cache
def component_sets(char: str) -> frozenset[Components]:
    """Return all ways to see two to four components in a character, nested ones too, each sorted.

    >>> sorted(component_sets("焚"))[-2:]
    [('木', '木', '火'), ('林', '火')]
    """
    found: set[Components] = set()
    pending: list[Components] = [(char,)]
    while pending:
        for replaced in _replace_one(pending.pop(), decompose):
            components = tuple(sorted(replaced))
            if len(components) <= _MAX_COMPONENTS and components not in found:
                found.add(components)
                pending.append(components)
    return frozenset(found)


@cache
def component_names(component: str, answer: str = "") -> tuple[str, ...]:
    """Return the names of a component in riddles; none if it has no name.

    Args:
        component: in its printed form.
        answer: the character that the riddle is about, which a name must not contain.

    >>> component_names("氵"), component_names("讠", "字"), component_names("丷")
    (('三点水', '水'), ('言',), ())
    """
    if component in _nameless():
        return ()
    names = riddle_data()["names"].get(component) or [component] * (component in gb2312())
    return tuple(name for name in names if not answer or answer not in name)


@cache
def riddle_data() -> dict[str, Any]:
    """Return the content of the data file of character riddles."""
    return data_table(__package__, "data", "character_riddles.toml")


@lru_cache(maxsize=CACHE_SIZE)
def _chars_with_clue(chars: tuple[str, ...], devices: tuple[str, ...]) -> tuple[str, ...]:
    wanted = frozenset(chars)
    return tuple(char for char in clues() if char in wanted and _clues_by(char, devices))


def _clues_by(answer: str, devices: Iterable[str]) -> list[Clue]:
    return [clue for clue in clues()[answer] if clue.device in devices]


def _riddle_texts(clue: Clue, order: list[str], names: dict[str, str]) -> list[str]:
    form = clue.device
    if form == "doubling":
        order.sort(key=lambda component: -clue.named.count(component))
        form = "_".join([form, *(str(clue.named.count(component)) for component in order)])
    elif form == "adding":
        form = f"{form}_{len(order)}"
    slots = dict(zip("abc", (names[component] for component in order), strict=False))
    return [text.format(h=clue.host, **slots) for text in riddle_data()["riddles"][form]]


def _right_answers(answer: str, clue: Clue, names: dict[str, str]) -> tuple[str, ...]:
    """Return the answer, and the characters outside of GB 2312 with exactly its components.

    A component may be meant as it is printed or as it is named (诗 has 讠, 詩 has 言).
    """
    if len(clue.components) < 2:
        return (answer,)
    meant = (dict.fromkeys((part, names.get(part, part))) for part in clue.components)
    return tuple(dict.fromkeys(chain([answer], *map(compose, product(*meant)))))


def _adding_clues(char: str) -> Iterator[Clue]:
    """Yield the clues that name all components of a character, repeated ones included."""
    for components in dict.fromkeys((*_decompositions(char), *_decompositions_with_pairs(char))):
        counts = Counter(map(_family, components))
        is_adding = len(counts) == len(components) and len(components) in _COMPONENTS_TO_ADD
        if not is_adding and not _is_doubling(components, counts):
            continue
        have_names = all(component_names(part, char) for part in components)
        if have_names and solutions(components) == {char}:
            yield Clue("adding" if is_adding else "doubling", components, components)


def _is_doubling(components: Components, counts: Counter[str]) -> bool:
    """Return whether one component occurs twice or thrice, next to at most two different others."""
    (_, repeats), *others = counts.most_common()
    # A riddle would not call the same component in two forms, as in 伦, a pair.
    if len(set(components)) > len(counts) or any(number > 1 for _, number in others):
        return False
    return 1 < repeats <= _MAX_REPEATS and len(others) <= _MAX_OTHERS


def _taking_clues(host: str) -> Iterator[tuple[str, Clue]]:
    """Yield answers, each with the clue that takes a component from a character to leave it."""
    family_counts = [Counter(map(_family, components)) for components in component_sets(host)]
    taken: set[str] = set()
    whole = _decompositions(host)
    for components in chain(whole, *(_replace_one(parts, _decompositions) for parts in whole)):
        for index, component in enumerate(components):
            if component in taken or any(n[_family(component)] > 1 for n in family_counts):
                continue
            answer, *others = remainders(host, component) or [""]
            rest = components[:index] + components[index + 1 :]
            if not others and component_names(component, answer) and _leaves(answer, rest, host):
                taken.add(component)
                yield answer, Clue("taking", (component,), rest, host)


def _leaves(answer: str, rest: Components, host: str) -> bool:
    """Return whether the rest of a character is another one, or a decomposition of it."""
    options = map(sorted, _decompositions(answer) if answer else ())
    return answer != host and (rest == (answer,) or sorted(rest) in options)


@cache
def _decompositions(char: str) -> tuple[Components, ...]:
    """Return the decompositions that suit a riddle: without strokes and mere resemblances."""
    named = (components for components in decompose(char) if _nameless().isdisjoint(components))
    few = (components for components in named if len(components) <= _MAX_COMPONENTS)
    return tuple(one for one in few if f"{char}={''.join(one)}" not in _unfit())


def _decompositions_with_pairs(char: str) -> Iterator[Components]:
    """Yield a character's decompositions with 林 replaced by 木木, and the like."""
    for components in _decompositions(char):
        for replaced in _replace_one(components, _decompositions):
            new = Counter(replaced) - Counter(components)
            if len(replaced) <= _MAX_COMPONENTS and max(new.values()) > 1:
                yield replaced


def _replace_one(
    components: Components, split: Callable[[str], Iterable[Components]]
) -> Iterator[Components]:
    """Yield components with one of them replaced by its own components."""
    for index, component in enumerate(components):
        for inner in split(component):
            yield (*components[:index], *inner, *components[index + 1 :])


@cache
def _chars_by_key() -> dict[Components, tuple[str, ...]]:
    keys = ((char, set(map(_key, component_sets(char)))) for char in gb2312())
    return group((key, char) for char, some in keys for key in some)


def _meanings(component: str) -> set[str]:
    """Return the characters of GB 2312 that a component may mean: itself, or its full form."""
    same = (form for form in forms() if form.printed == component)
    full = {form.other for form in same if form.standing in _FULL_FORM_RELATIONS}
    return {char for char in {component, *full} if char in component_names(char)}


def _key(components: Iterable[str]) -> Components:
    return tuple(sorted(map(_family, components)))


def _family(component: str) -> str:
    """Return one name for all components that mean each other, or look much the same."""
    return _families().get(component, component)


@cache
def _families() -> dict[str, str]:
    return families(riddle_data()["alike"])


@cache
def _nameless() -> frozenset[str]:
    return STROKES.union(riddle_data()["unnamed"])


@cache
def _unfit() -> frozenset[str]:
    return frozenset(riddle_data()["unfit"].split())
