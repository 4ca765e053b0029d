"""Hypothesis strategies: items of any task, completions that a model might write, and others.

They shrink towards the first task, seed and index 0, the lowest level, and short completions.
"""

from collections.abc import Mapping
from functools import cache
from itertools import chain
from typing import Any

from tokenbench.checks import one_of
from tokenbench.draw import SPLITS
from tokenbench.errors import MissingExtraError, TokenbenchError, UnknownNameError, needs_extra
from tokenbench.item import Item, as_item
from tokenbench.scoring import score
from tokenbench.tasks import TaskLike, as_ref, catalog
from tokenbench.tasks import task as task_named
from tokenbench.tasks.contract import Task
from tokenbench.testing.attack_families import ATTACKS, GUESSWORK, SLOW_FAMILIES
from tokenbench.testing.item_facts import near_miss, tagged, tokens
from tokenbench.testing.respelling_families import respellings
from tokenbench.text.graphemes import graphemes
from tokenbench.text.packs.model import pack_language
from tokenbench.text.units import SCRIPTS, han, hangul

with needs_extra("tokenbench.testing.items and completions", "testing"):
    from hypothesis import strategies as st
    from hypothesis.strategies import SearchStrategy

_SEEDS = st.integers(0, 2**63 - 1)
_INDICES = st.one_of(st.integers(0, 20), st.integers(0, 10**12))
_TAGS = ("<answer>", "</answer>", "<think>", "</think>", "<ANSWER>", "</Answer>", "\\boxed{", "}")
_MARKS = (" ", "\n", ", ", ".", "-", "/", "**", '"', "```", "[", "]", " or ", "not ", "0", "1", "7")
# The planes of Unicode that have letters.
_LETTER_PLANES = range(0x40000)
# Of `generate`, beside a task's parameters.
_ARGUMENTS = ("split", "level", "seed", "index")
_UNUSUAL_MARKS = ("\0", "\u200b", "\u202e", "\ud800", "\u0301", "１", "²", "ｱ", "ㄱ", "각")


def items(
    task: TaskLike | None = None,
    lang: str | None = None,
    variant: str | None = None,
    **difficulty: Any,
) -> SearchStrategy[Item]:
    """Return a strategy for items of any seed, index, split and level.

    Args:
        task: a task as `tokenbench.dataset` takes it; None is any that has the language, the
            variant and the parameters, and whose extra is installed.
        lang: one of its languages; None is any, or that of a `pack`.
        variant: one of its variants; None is any.
        **difficulty: fixed arguments of `generate`: the task's parameters, `split`, `level`,
            `seed`, `index`.

    Raises:
        UnknownNameError: no such task, or none with this language, variant and parameters.
        MissingExtraError: the extra of each such task is missing.
        SourceError: no language, and a `pack` that names none.

    >>> from hypothesis import given, settings
    >>> from tokenbench import score
    >>> @settings(deadline=None)
    ... @given(items(lang="ko"))
    ... def is_solved(item):
    ...     assert score(f"<answer>{item.solution}</answer>", item) == 1.0
    >>> is_solved()
    """
    if task is None:
        tasks = [task_named(name) for name in catalog()]
    else:
        ref = as_ref(task).complete(lang=lang, variant=variant, level=difficulty.get("level"))
        tasks, lang, variant = [task_named(ref.task)], ref.lang, ref.variant
        difficulty |= {} if ref.level is None else {"level": ref.level}
    has_pack = difficulty.get("pack") is not None
    if has_pack and lang is None:
        lang = pack_language(difficulty["pack"])
    choices = [
        (one, code, kind)
        for one in tasks
        for code in ((lang,) if lang and has_pack and one.accepts_any_language else one.langs)
        for kind in one.variants or (None,)
        if lang in (None, code) and variant in (None, kind)
        if {*(param.name for param in one.params), *_ARGUMENTS}.issuperset(difficulty)
    ]
    if not choices:
        given = {"lang": lang, "variant": variant} | difficulty
        given = {name: value for name, value in given.items() if value is not None}
        if task is not None:
            tasks[0].generate(**given)  # its error says which of them is wrong
        text = ", ".join(f"{name}={value!r:.80}" for name, value in given.items())
        raise UnknownNameError(f"no task takes all of {text}", remedy="ask for less")
    installed, missing = [], []
    for one, code, kind in choices:
        arguments = {"lang": code, "variant": kind, "level": one.levels[-1]} | difficulty
        try:
            if one.extras:
                one.extras(one.spec(**arguments))
            installed.append((one, code, kind))
        except MissingExtraError as error:
            missing.append(error)
    if not installed:
        raise missing[0]

    def items_of(one: Task, code: str, kind: str | None) -> SearchStrategy[Item]:
        free: dict[str, SearchStrategy[Any]] = {
            "seed": _SEEDS,
            "index": _INDICES,
            "split": st.sampled_from(SPLITS),
            "level": st.sampled_from([*one.levels, None]),
        }
        fixed = {"lang": code, "variant": kind} | difficulty
        return st.builds(one.generate, **(free | {key: st.just(fixed[key]) for key in fixed}))

    return st.sampled_from(installed).flatmap(lambda choice: items_of(*choice))


def completions(
    item: Item | Mapping[str, Any] | str | None = None, *, right: bool | None = None
) -> SearchStrategy[object]:
    """Return a strategy for completions: text, near answers, attacks, chats, and other objects.

    Args:
        item: the item to answer, its row or its JSON text; None gives completions for no item in
            particular.
        right: True for right answers alone, in the spellings that score 1.0; False for all others;
            None for both.

    Raises:
        TokenbenchError: `right` without an item.
        ItemError: not an item.

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
    item = None if item is None else as_item(item)
    if right is not None:
        if item is None:
            remedy = "give the item that the completions answer"
            raise TokenbenchError(argument="right", value=right, remedy=remedy)
        answers = st.sampled_from(_right_completions(item)) if right else completions(item)
        return answers.filter(lambda completion: (score(completion, item) == 1.0) is right)
    texts = [st.text(st.characters()), _pieces(item), st.builds(tagged, _pieces(item))]
    if item is not None:
        texts.append(st.sampled_from(_right_completions(item)))
    text = st.one_of(texts)
    role = st.sampled_from(["assistant", "user", "system", "Assistant", None])
    part = st.fixed_dictionaries({"type": st.just("text"), "text": st.one_of(text, st.none())})
    parts = st.lists(st.one_of(part, text, st.none()), max_size=3)
    content = st.one_of(text, st.none(), parts)
    message = st.fixed_dictionaries({"role": role}, optional={"content": content})
    strategies: list[SearchStrategy[Any]] = [text, st.lists(message, max_size=4), _not_text()]
    if item is not None:
        quick = [f for name, f in (ATTACKS | GUESSWORK).items() if name not in SLOW_FAMILIES]
        # One family of the corpus at a time, since all take long.
        strategies.append(
            st.sampled_from(quick).flatmap(lambda f: st.sampled_from(list(f(item)) or [None]))
        )
    return st.one_of(strategies)


def texts(
    script: str = "Latin", *, min_size: int = 0, max_size: int | None = None
) -> SearchStrategy[str]:
    """Return a strategy for texts of one script: its letters, many with marks, as readers see them.

    Args:
        script: by Unicode's name, such as "Devanagari"; `tokenbench.text.units.SCRIPTS` has them.
        min_size, max_size: the number of characters, as readers see them (grapheme clusters).

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
        with_marks = st.builds("".join, st.tuples(letter, more))
        letter = st.one_of(letter, with_marks.filter(lambda text: len(graphemes(text)) == 1))
    # Letters may join into one character, so that there are too few; they never split.
    text = st.lists(letter, min_size=min_size, max_size=max_size).map("".join)
    return text.filter(lambda text: len(graphemes(text)) >= min_size) if min_size else text


@cache
def _letters(script: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the letters of a script, those in common use first, and its marks."""
    one_of("script", script, SCRIPTS)
    from regex import findall

    every = "".join(map(chr, _LETTER_PLANES))
    of_script = rf"(?=\p{{Script={script}}})"
    letters = findall(rf"{of_script}[\p{{L}}\p{{Nl}}]", every)
    common = {"Han": han(), "Hangul": hangul()}.get(script, ())
    marks = findall(rf"{of_script}\p{{M}}", every)
    return tuple(dict.fromkeys([*common, *letters])), tuple(marks)


def _pieces(item: Item | None) -> SearchStrategy[str]:
    """Return a strategy for texts put together from tags, marks and pieces of answers."""
    pieces = [*_TAGS, *_MARKS, *_UNUSUAL_MARKS]
    if item is not None:
        words = tokens(item.prompt)
        pieces = [item.solution, near_miss(item), *pieces, *words[:5], *words[-5:]]
        pieces += item.solution[:9]
    return st.lists(st.one_of(st.sampled_from(pieces), st.text(max_size=5))).map("".join)


def _right_completions(item: Item) -> list[str]:
    return [tagged(item.solution), *chain.from_iterable(respellings(item).values())]


def _not_text() -> SearchStrategy[object]:
    text = st.text(max_size=5)
    scalars = (st.none(), st.booleans(), st.integers(), st.floats(), st.binary())
    dicts = st.dictionaries(text, text, max_size=3)
    return st.one_of(*scalars, st.lists(text, max_size=3), dicts, st.tuples(text))
