"""The papers' compositions: which tasks, variants and languages, and how many items of each."""

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import accumulate
from typing import Any, Final, NamedTuple

from tokenbench.datasets import Dataset, dataset
from tokenbench.draw import SPLITS, Split
from tokenbench.errors import DifficultyError, unknown
from tokenbench.item import Item
from tokenbench.tasks import task
from tokenbench.tasks.contract import UNBOUNDED, integer
from tokenbench.tasks.language_packs import WORDS
from tokenbench.text.packs.wordlists import PACK
from tokenbench.text.sources import CORE

_TASE: Final = (
    *("freq", "lenop", "diff", "sort", "reord"),
    *("compc", "compm", "dot", "ridl", "var"),
)
_PART: Final = 1000  # rows in each of the published files
_CHARBENCH: Final = ("count_char", "count_unique", "find_first", "find_last")
_LENGTHS: Final = range(4, 11)  # characters of CharBench's words
_WORDS: Final = 25_000  # for each length
_LISTED: Final = {"en": CORE}  # which holds more such words than the pack, here alone
_SHARES: Final = {"train": 8, "validation": 1, "test": 1}  # tenths of all words
_EXECUTE: Final = (
    *("spell", "spell_inverse", "contains", "insert", "delete", "substitute", "swap"),
    *("decompose", "compose", "contains_part", "furigana"),
)
_ADT: Final = ("trap",)


class _Joined(NamedTuple):
    """Datasets one after the other."""

    parts: tuple[Dataset, ...]
    ends: tuple[int, ...]

    def item(self, index: int) -> Item:
        part = bisect_right(self.ends, index)
        return self.parts[part][index - (self.ends[part - 1] if part else 0)]


def suite(name: str, *, seed: int = 0, **options: Any) -> Dataset:
    """Return a paper's composition.

    `tase`, `execute` and `adt` have 1,000 items for each task, variant and language, or as many as
    there are different ones. `charbench` deals out 25,000 words of each length from 4 to 10 to its
    four tasks, as far as the words reach.

    Args:
        name: the suite.
        seed: as in the tasks' `generate`.
        **options: for all, `langs`, a list of languages (by default all, of `charbench` English).
            For `tase`, `execute` and `adt`, `size`, items for each task, variant and language;
            `split` (default "test"); `level`. For `adt` also `schema` and `vocabulary`. For
            `execute` also `script`, of the tasks over language packs, and `words`, of those that
            ask about words. For `charbench`, `size`, words of each length; `split` (default all
            three, in their proportions); `words` (default "core" in English, else "pack";
            "wordfreq", or the path of a list, has more); `case`.

    Raises:
        UnknownNameError: no such suite, option or language.
        DifficultyError: an option with a value that it cannot have.

    >>> len(suite("tase")), suite("tase", size=10, langs=["ko"])[0].lang
    (42000, 'ko')
    """
    if not isinstance(name, str) or name not in _SUITES:
        raise unknown("suite", name, _SUITES)
    make, allowed = _SUITES[name]
    return make(seed, **_known(options, allowed))


def _tase(
    seed: int,
    size: int = _PART,
    split: Split = "test",
    langs: Sequence[str] | None = None,
    level: int | None = None,
) -> Dataset:
    size = _size(size)
    wanted = _wanted(langs, _TASE)
    parts = [
        dataset(name, lang=lang, variant=variant, n=size, seed=seed, split=split, level=level)
        for name in _TASE
        for variant in task(name).variants or (None,)
        for lang in wanted
    ]
    return _joined(parts, size)


def _of_tasks(
    names: Sequence[str],
    seed: int,
    size: int = _PART,
    split: Split = "test",
    langs: Sequence[str] | None = None,
    level: int | None = None,
    **more: Any,
) -> Dataset:
    size = _size(size)
    wanted = _wanted(langs, names)
    asked = {"seed": seed, "split": split, "level": level}
    parts = [
        _most(size, name, lang=lang, variant=variant, **asked, **_meant(more, name, variant))
        for name in names
        for variant in task(name).variants or (None,)
        for lang in task(name).langs
        if lang in wanted
    ]
    return _joined(parts, size)


def _charbench(
    seed: int,
    size: int = _WORDS,
    split: Split | None = None,
    langs: Sequence[str] | None = None,
    words: str | None = None,
    **more: Any,
) -> Dataset:
    """Deal out each length's words to the tasks: their datasets go through the same ones."""
    if split is not None and split not in SPLITS:
        raise unknown("split", split, SPLITS)
    size = _size(size)
    shares = _SHARES if split is None else {split: 10}
    sources = {
        lang: _LISTED.get(lang, PACK) if words is None else words
        for lang in _wanted(("en",) if langs is None else langs, _CHARBENCH)
    }
    parts = [
        _words(name, length, lang=lang, seed=seed, split=part, words=source, **more)[
            turn : size * share // sum(shares.values()) : len(_CHARBENCH)
        ]
        for lang, source in sources.items()
        for turn, name in enumerate(_CHARBENCH)
        for length in _LENGTHS
        for part, share in shares.items()
    ]
    return _joined(parts, size)


def _most(size: int, name: str, **asked: Any) -> Dataset:
    """Return so many of a task's items, or all that are different."""
    data = dataset(name, **asked)[:size]
    if data and "script" in asked:
        _ = data[0]  # a language with too many characters for the script should fail here
    return data


def _meant(options: dict[str, Any], name: str, variant: str | None) -> dict[str, Any]:
    """Return the options that say something for a task: of those about sentences not `words`."""
    known = {param.name for param in task(name).params} - ({"words"} if variant == WORDS else set())
    return {option: value for option, value in options.items() if option in known}


def _words(name: str, length: int, **asked: Any) -> Dataset:
    """Return a task's items about words of a length; none if there are none of that length."""
    data = dataset(name, length=length, **asked)
    return data if data[0].meta["drawn"]["length"] == length else data[:0]


def _size(given: Any) -> int:
    size = integer("size", given)
    if not 0 <= size <= UNBOUNDED:
        raise DifficultyError(f"size={size}: a size is from 0 to 2^63 - 1")
    return size


def _wanted(langs: Sequence[str] | None, names: Sequence[str]) -> Sequence[str]:
    """Return the languages that are asked for; by default all that any of some tasks speaks."""
    spoken = tuple(dict.fromkeys(lang for name in names for lang in task(name).langs))
    if langs is None:
        return spoken
    if not isinstance(langs, list | tuple):
        raise DifficultyError(f"langs={langs!r:.80}: a list of languages is needed")
    for lang in langs:
        if lang not in spoken:
            raise unknown("language of the suite", lang, spoken)
    if not langs:
        raise DifficultyError("langs is empty: give at least one language")
    if len(set(langs)) < len(langs):
        raise DifficultyError(f"langs={langs!r:.80}: give each language once")
    return langs


def _joined(parts: list[Dataset], size: int) -> Dataset:
    """Return datasets one after the other."""
    ends = tuple(accumulate(map(len, parts)))
    if ends[-1] > UNBOUNDED:
        raise DifficultyError(f"size={size}: the suite would have more than 2^63 - 1 items")
    return Dataset(_Joined(tuple(parts), ends), range(ends[-1]))


def _known(options: dict[str, Any], allowed: tuple[str, ...]) -> dict[str, Any]:
    for name in options:
        if name not in allowed:
            raise unknown("option of the suite", name, allowed)
    return options


_SUITES: Final[Mapping[str, tuple[Callable[..., Dataset], tuple[str, ...]]]] = {
    "tase": (_tase, ("size", "split", "langs", "level")),
    "charbench": (_charbench, ("size", "split", "langs", "words", "case")),
    "adt": (
        partial(_of_tasks, _ADT),
        ("size", "split", "langs", "level", "schema", "vocabulary"),
    ),
    "execute": (
        partial(_of_tasks, _EXECUTE),
        ("size", "split", "langs", "level", "script", "words"),
    ),
}
