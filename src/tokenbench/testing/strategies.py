"""Hypothesis strategies: items of any task, and completions that a model might write, or no model.

They shrink towards the first task, seed and index 0, the lowest level, and short completions.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

from tokenbench.draw import SPLITS
from tokenbench.errors import TokenbenchError, UnknownNameError, missing_extra, unknown
from tokenbench.item import Item
from tokenbench.scoring import score
from tokenbench.tasks import catalog
from tokenbench.tasks import task as found
from tokenbench.testing.bounds import HUGE
from tokenbench.testing.corpus import ATTACKS
from tokenbench.testing.forms import another, tagged, tokens
from tokenbench.testing.guesswork import GUESSWORK
from tokenbench.testing.spellings import respellings
from tokenbench.text.graphemes import graphemes
from tokenbench.text.scripts import SCRIPTS, han, hangul

try:
    from hypothesis import strategies as st
    from hypothesis.strategies import SearchStrategy
except ImportError:
    raise missing_extra("tokenbench.testing.items and completions", "testing") from None

_SEEDS = st.integers(0, 2**63 - 1)
_INDICES = st.one_of(st.integers(0, 20), st.integers(0, 10**12))
_TAGS = ("<answer>", "</answer>", "<think>", "</think>", "<ANSWER>", "</Answer>", "\\boxed{", "}")
_MARKS = (" ", "\n", ", ", ".", "-", "/", "**", '"', "```", "[", "]", " or ", "not ", "0", "1", "7")
_ASSIGNED = range(0x40000)  # the planes of Unicode that hold letters
_MARKS_UNSEEN = ("\0", "\u200b", "\u202e", "\ud800", "\u0301", "１", "²", "ｱ", "ㄱ", "각")


def items(
    task: str | None = None,
    lang: str | None = None,
    variant: str | None = None,
    **difficulty: Any,
) -> SearchStrategy[Item]:
    """Return a strategy for items of any seed, index, split and level.

    Args:
        task: a task's name; None is any that has the language, the variant and the parameters.
        lang: one of its languages; None is any.
        variant: one of its variants; None is any.
        **difficulty: fixed arguments of `generate`: the task's parameters, `split`, `level`,
            `seed`, `index`.

    Raises:
        UnknownNameError: no such task, or none with this language, variant and parameters.

    >>> from hypothesis import given, settings
    >>> from tokenbench import score
    >>> @settings(deadline=None)
    ... @given(items(lang="ko"))
    ... def is_solved(item):
    ...     assert score(f"<answer>{item.solution}</answer>", item) == 1.0
    >>> is_solved()
    """
    names = catalog() if task is None else (found(task).name,)
    choices = [
        (name, code, kind)
        for name in names
        for code in found(name).langs
        for kind in found(name).variants or (None,)
        if lang in (None, code) and variant in (None, kind) and _takes(name, difficulty)
    ]
    if not choices:
        raise _refused(names, lang, variant, difficulty)
    return st.sampled_from(choices).flatmap(lambda choice: _made(*choice, difficulty))


def completions(item: Item | None = None, *, right: bool | None = None) -> SearchStrategy[object]:
    """Return a strategy for completions: text, near answers, attacks, chats, and what is no text.

    Args:
        item: what they answer; None gives such as suit no item in particular.
        right: True for right answers alone, in the spellings that score 1.0; False for all others;
            None for both.

    Raises:
        TokenbenchError: right or wrong, and no item.

    >>> from hypothesis import given, settings
    >>> from tokenbench import catalog, score, task
    >>> item = task(catalog()[0]).generate()
    >>> @settings(deadline=None)
    ... @given(completions(item))
    ... def is_scored(completion):
    ...     assert 0.0 <= score(completion, item, rule="graded") <= 1.0
    >>> is_scored()
    >>> @settings(deadline=None)
    ... @given(completions(item, right=True))
    ... def is_paid(completion):
    ...     assert score(completion, item) == 1.0
    >>> is_paid()
    """
    if right is not None:
        if item is None:
            raise TokenbenchError(f"right={right}: give the item that the completions answer")
        known = item
        if right:
            return st.sampled_from(_right(item)).filter(lambda given: score(given, known) == 1.0)
        return completions(item).filter(lambda given: score(given, known) < 1.0)
    texts = [st.text(st.characters()), _pieced(item), st.builds(tagged, _pieced(item))]
    if item is not None:
        texts.append(st.sampled_from(_right(item)))
    text = st.one_of(texts)
    chats = st.lists(
        st.fixed_dictionaries(
            {"role": st.sampled_from(["assistant", "user", "system", "Assistant", None])},
            optional={"content": st.one_of(text, st.none(), _content(text))},
        ),
        max_size=4,
    )
    others: list[SearchStrategy[Any]] = [text, chats, _no_text()]
    if item is not None:
        others.append(_from_corpus(item))
    return st.one_of(others)


def texts(
    script: str = "Latin", *, min_size: int = 0, max_size: int | None = None
) -> SearchStrategy[str]:
    """Return a strategy for texts of one script: its letters, many with marks, as readers see them.

    Args:
        script: by Unicode's name, such as "Devanagari"; `tokenbench.text.scripts.SCRIPTS` has them.
        min_size, max_size: how many characters, as readers see them (grapheme clusters).

    Raises:
        UnknownNameError: no such script.

    >>> from hypothesis import given
    >>> from tokenbench.text.graphemes import graphemes
    >>> @given(texts("Hangul", max_size=3))
    ... def is_short(text):
    ...     assert len(graphemes(text)) <= 3
    >>> is_short()
    """
    letters, marks = _letters(script)
    letter = st.sampled_from(letters)
    if marks:
        more = st.text(st.sampled_from(marks), max_size=2)
        marked = st.builds("".join, st.tuples(letter, more))
        letter = st.one_of(letter, marked.filter(lambda text: len(graphemes(text)) == 1))
    # Letters may join into one character, so that there are too few; they never part.
    joined = st.lists(letter, min_size=min_size, max_size=max_size).map("".join)
    return joined.filter(lambda text: len(graphemes(text)) >= min_size) if min_size else joined


@cache
def _letters(script: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the letters of a script, those in common use first, and its marks."""
    if script not in SCRIPTS:
        raise unknown("script", script, SCRIPTS)
    from regex import findall

    every = "".join(map(chr, _ASSIGNED))
    of_script = rf"(?=\p{{Script={script}}})"
    letters = findall(rf"{of_script}[\p{{L}}\p{{Nl}}]", every)
    common = {"Han": han(), "Hangul": hangul()}.get(script, ())
    return (
        tuple(dict.fromkeys([*common, *letters])),
        tuple(findall(rf"{of_script}\p{{M}}", every)),
    )


def _made(
    name: str, lang: str, variant: str | None, difficulty: dict[str, Any]
) -> SearchStrategy[Item]:
    drawn: dict[str, SearchStrategy[Any]] = {
        "seed": _SEEDS,
        "index": _INDICES,
        "split": st.sampled_from(SPLITS),
        "level": st.sampled_from([*found(name).levels, None]),
    }
    fixed = {key: st.just(value) for key, value in difficulty.items()}
    return st.builds(
        found(name).generate, lang=st.just(lang), variant=st.just(variant), **(drawn | fixed)
    )


def _takes(name: str, difficulty: dict[str, Any]) -> bool:
    return set(_taken(name)).issuperset(difficulty)


def _taken(name: str) -> list[str]:
    """Return the arguments that fix something about the items of a task."""
    return [*(param.name for param in found(name).params), "split", "level", "seed", "index"]


def _refused(
    names: Sequence[str], lang: str | None, variant: str | None, difficulty: dict[str, Any]
) -> UnknownNameError:
    """Return the error for items that no task makes, with what is allowed."""
    of = names[0] if len(names) == 1 else "any task"
    langs = dict.fromkeys(lang for name in names for lang in found(name).langs)
    variants = dict.fromkeys(kind for name in names for kind in found(name).variants)
    taken = dict.fromkeys(param for name in names for param in _taken(name))
    if lang is not None and lang not in langs:
        return unknown(f"language of {of}", lang, langs)
    if variant is not None and variant not in variants:
        return unknown(f"variant of {of}", variant, variants or ["None"])
    for param in difficulty:
        if param not in taken:
            return unknown(f"parameter of {of}", param, taken)
    asked = {"lang": lang, "variant": variant} | difficulty
    told = ", ".join(f"{name}={value!r:.80}" for name, value in asked.items() if value is not None)
    return UnknownNameError(f"no task takes all of {told}: name a task, or ask for less")


def _pieced(item: Item | None) -> SearchStrategy[str]:
    """Return a strategy for texts put together of what answers and tricks are made of."""
    pieces = [*_TAGS, *_MARKS, *_MARKS_UNSEEN]
    if item is not None:
        held = tokens(item.prompt)
        pieces = [item.solution, another(item), *pieces, *held[:5], *held[-5:], *item.solution[:9]]
    return st.lists(st.one_of(st.sampled_from(pieces), st.text(max_size=5))).map("".join)


def _right(item: Item) -> list[str]:
    return [
        tagged(item.solution),
        *(text for texts in respellings(item).values() for text in texts),
    ]


def _from_corpus(item: Item) -> SearchStrategy[object]:
    """Return a strategy that builds one family of the corpus at a time: all take long."""
    families = [family for name, family in (ATTACKS | GUESSWORK).items() if name not in HUGE]
    return st.sampled_from(families).flatmap(
        lambda family: st.sampled_from(list(family(item)) or [None])
    )


def _content(text: SearchStrategy[str]) -> SearchStrategy[Any]:
    """Return a strategy for the content of a message that comes in parts."""
    part = st.fixed_dictionaries({"type": st.just("text"), "text": st.one_of(text, st.none())})
    return st.lists(st.one_of(part, text, st.none()), max_size=3)


def _no_text() -> SearchStrategy[object]:
    return st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(),
        st.binary(),
        st.lists(st.text(max_size=5), max_size=3),
        st.dictionaries(st.text(max_size=5), st.text(max_size=5), max_size=3),
        st.tuples(st.text(max_size=5)),
    )
