"""The papers' compositions: which tasks, variants and languages, and how many items of each."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import accumulate, chain, islice
from typing import Any, Final

from tokenbench.builtin import PAPERS, SuiteName
from tokenbench.checks import boolean, one_of
from tokenbench.datasets import (
    Dataset,
    TaskItems,
    concatenate,
    dataset,
    length_of,
    warn_of_repeats,
)
from tokenbench.draw import SPLITS, Draw, Split
from tokenbench.errors import expected
from tokenbench.tasks import Task, TaskRef, assign_params, task
from tokenbench.tasks.contract import UNBOUNDED
from tokenbench.tasks.cuts import groups_of_equals
from tokenbench.tasks.language_packs import PUBLISHED
from tokenbench.text.languages import unknown_language
from tokenbench.text.sources import PACK

_OPTIONS: Final = ("size", "split", "langs", "level", "seed", "unique")
# Its words are of given lengths.
_NOT_OF_CHARBENCH: Final = ("level", "length")
# Words whose character is drawn with the item cannot be matched.
_NOT_MATCHED: Final = ("answers",)
# TASE and EXECUTE publish 1,000 rows for each task and language.
_ITEMS_PER_PART: Final = 1000
# How a caller names the language of a pack, for messages.
_NAME_LANGUAGE: Final = "add its code, as in langs=['sw']"
_CHARBENCH_LENGTHS: Final = range(4, 11)
_WORDS_PER_LENGTH: Final = 25_000
_SPLIT_TENTHS: Final = {"train": 8, "validation": 1, "test": 1}


def suite(name: SuiteName, *, seed: int = 0, unique: bool = False, **options: Any) -> Dataset:
    """Return a paper's composition.

    `tase`, `execute` and `adt` have 1,000 items for each task, variant and language: `execute` and
    `adt` as many as there are instances if these are fewer, while `tase` asks about some again and
    a `RepeatedItemsWarning` says so. `charbench` deals out 25,000 words of each length from 4 to 10
    to its four tasks, or as many words as there are.

    Args:
        name: the suite.
        seed: as in the tasks' `generate`.
        unique: whether each part stops when all its instances have occurred, also in `tase`.
        **options: for all, `langs`, a list of languages (by default all, for `charbench` English).
            For `tase`, `execute` and `adt`, `size`, items for each task, variant and language, so
            `size=10` makes 420 of `tase`; `split` (default "test"); `level`. For `charbench`,
            `size`, words of each length, at least one for each task and split; `split` (default
            all three, in their proportions); `words` is "pack" by default ("wordfreq", or
            the path of a list, has more), and `answers` "published": any
            character of a word, as in the paper ("balanced" asks so that nothing but the word tells
            the answer, as the tasks do by themselves). With `matched`, whatever
            `tokenbench.vocab.spans.as_tokenizer` takes, `charbench` has groups of two or three
            items that are equal in task, length, answer and frequency of the character and differ
            in how that tokenizer cuts it: a token by itself, at the edge of a longer one, or inside
            it. `size` is then groups of each task, and `count_unique` asks about no character and
            has none. All other options are difficulty parameters, as in `tokenbench.mixture`; with
            `pack`, `langs` may be any one language.

    Raises:
        UnknownNameError: no such suite, option or language.
        DifficultyError: a level or parameter that is not allowed.
        TokenbenchError: another option with a value that is not allowed.

    >>> len(suite("tase", size=10)), suite("tase", size=10, langs=["ko"])[0].lang
    (420, 'ko')
    >>> len(suite("tase", unique=True))
    25111
    """
    names, unique = PAPERS[one_of("suite", name, PAPERS)], boolean("unique", unique)
    _check_options(name, options)
    datasets_of: Callable[..., Iterator[Dataset]] = partial(_tasks, repeats=name == "tase")
    default_size, langs = _ITEMS_PER_PART, options.pop("langs", None)
    if name == "charbench":
        datasets_of, default_size = _charbench, _WORDS_PER_LENGTH
        langs = ("en",) if langs is None else langs
    size = length_of(options.pop("size", default_size), "size")
    langs = _langs(langs, names, has_pack=options.get("pack") is not None)
    parts = list(datasets_of(names, langs, size, seed, **options))
    if unique:
        parts = [part[: part.n_instances] for part in parts]
    if sum(part.n_items for part in parts) > UNBOUNDED:
        raise expected("size", size, "a suite of at most 2^63 - 1 items")
    data = concatenate(parts)
    warn_of_repeats(data, stacklevel=2)
    return data


def part_names(paper: SuiteName) -> tuple[str, ...]:
    """Return the parts of a paper's suite, each as `task:lang[:variant]`.

    Args:
        paper: the suite's name.

    Raises:
        UnknownNameError: no such suite.

    >>> part_names("tase")[:4]
    ('compc:en', 'compc:zh', 'compc:ko', 'compm:en:split')
    """
    one_of("suite", paper, PAPERS)
    return tuple(str(ref) for name in PAPERS[paper] for ref in TaskRef.all_of(task(name)))


def _tasks(
    names: Sequence[str],
    langs: Sequence[str],
    size: int,
    seed: int,
    split: Split = "test",
    level: int | None = None,
    *,
    repeats: bool,
    **params: Any,
) -> Iterator[Dataset]:
    parts = (ref for name in names for ref in _refs(task(name), langs, as_named=repeats))
    refs = [ref._replace(level=level) for ref in parts]
    for ref, given in zip(refs, assign_params(refs, params, remedy=_NAME_LANGUAGE), strict=True):
        items = TaskItems.of(ref.task, seed=seed, split=split, **ref.arguments(), **given)
        data = Dataset(items, range(size if repeats else min(size, items.size())))
        if data and "script" in given:
            # A language with too many characters for the script fails here, not in a run.
            _ = data[0]
        yield data


def _charbench(
    names: Sequence[str],
    langs: Sequence[str],
    size: int,
    seed: int,
    split: Split | None = None,
    words: str | None = None,
    matched: Any = None,
    **params: Any,
) -> Iterator[Dataset]:
    shares = _SPLIT_TENTHS if split is None else {one_of("split", split, SPLITS): 10}
    refs = [TaskRef(names[0], lang) for lang in langs]
    given = assign_params(refs, params, remedy=_NAME_LANGUAGE)
    for lang, options in zip(langs, given, strict=True):
        arguments: dict[str, Any] = {"lang": lang, "seed": seed, "words": words or PACK, **options}
        if matched is not None:
            yield from _match_tasks(names, size, shares, matched, arguments)
            continue
        arguments = {"answers": PUBLISHED, **arguments}
        # The datasets of the four tasks go through the same words, so each takes every fourth.
        for turn, name in enumerate(names):
            for length in _CHARBENCH_LENGTHS:
                for part, start, end in _cut(size, shares):
                    data = dataset(name, **arguments | {"length": length, "split": part})
                    # Without words of this length, the items are about words of another one.
                    if data[0].meta["drawn"]["length"] != length:
                        data = data[:0]
                    # A small size leaves out no task and no split.
                    end = max(end, start + turn + 1) if size else start
                    yield data[turn : end - start : len(names)]


def _match_tasks(
    names: Sequence[str], size: int, shares: Mapping[Any, int], source: Any, arguments: Any
) -> Iterator[Dataset]:
    """Yield the groups of each task and split, one group after the other."""
    from tokenbench.vocab.spans import as_tokenizer, span_list

    spans_of = partial(span_list, as_tokenizer(source))
    for name in names:
        for part, start, end in _cut(size, shares):
            items = TaskItems.of(name, split=part, **arguments)
            cases, draw = task(name).instances(items.spec), Draw("matched", name, items.spec.seed)
            groups = groups_of_equals(name, cases, spans_of, draw)
            indices = tuple(chain.from_iterable(islice(groups, end - start)))
            yield Dataset(items, indices)


def _cut(size: int, shares: Mapping[Any, int]) -> Iterator[tuple[Any, int, int]]:
    """Yield each split with the bounds of its share of a number; the shares add up to it.

    >>> list(_cut(9, {"train": 8, "validation": 1, "test": 1}))
    [('train', 0, 7), ('validation', 7, 8), ('test', 8, 9)]
    """
    total = sum(shares.values())
    bounds = [size * done // total for done in accumulate(shares.values(), initial=0)]
    yield from zip(shares, bounds, bounds[1:], strict=False)


def _refs(record: Task, langs: Sequence[str], *, as_named: bool) -> list[TaskRef]:
    """Return the parts of a task in some languages, which may be those of a user's pack."""
    ours = [lang for lang in langs if lang in record.langs]
    spoken = ours if as_named else sorted(ours, key=record.langs.index)
    if record.accepts_any_language:
        spoken += [lang for lang in langs if lang not in record.langs]
    variants = record.variants or (None,)
    return [TaskRef(record.name, lang, variant) for variant in variants for lang in spoken]


def _check_options(name: SuiteName, options: Mapping[str, Any]) -> None:
    """Raise an error for an option that is neither the suite's nor a parameter of its tasks."""
    tasks = [task(part) for part in PAPERS[name]]
    params = {param.name for record in tasks for param in record.params}
    own = ("matched",) if name == "charbench" else ()
    excluded = [*(_NOT_OF_CHARBENCH if name == "charbench" else ())]
    excluded += _NOT_MATCHED if options.get("matched") is not None else ()
    allowed = [option for option in (*_OPTIONS, *own, *sorted(params)) if option not in excluded]
    for option in options:
        one_of("option of the suite", option, allowed)


def _langs(langs: Sequence[str] | None, names: Sequence[str], *, has_pack: bool) -> Sequence[str]:
    """Return the languages asked for; by default all languages that any of the tasks has."""
    allowed = tuple(dict.fromkeys(lang for name in names for lang in task(name).langs))
    if langs is None:
        return allowed
    if not langs or not isinstance(langs, list | tuple) or len(set(langs)) < len(langs):
        raise expected("langs", langs, "a list of languages, each once")
    any_language = has_pack and any(task(name).accepts_any_language for name in names)
    for lang in langs:
        if lang not in allowed and not (any_language and isinstance(lang, str)):
            raise unknown_language("language of the suite", lang, allowed)
    return langs
