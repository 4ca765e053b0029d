"""Write docs/tasks.md: what the tasks say of themselves, our notes, and scores that are measured.

`make docs` runs it; a test checks that the file is what it writes.
"""

import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from _tables import table
from tokenbench.tasks.counts import closeness

from tokenbench import Item, check, dataset, score, task
from tokenbench.draw import Draw
from tokenbench.item import dumps
from tokenbench.tasks import BUILTIN
from tokenbench.tasks.contract import Task
from tokenbench.tasks.spec import Choice, Folder, IntRange, Param
from tokenbench.text.languages import language
from tokenbench.text.passage import passage

HERE: Final = Path(__file__).resolve().parent
WRITTEN: Final = HERE / "tasks.md"
ITEMS: Final = 300
IN_MANY: Final = 100  # of a task that speaks many languages, for each of them
NUMBERS: Final = 301  # the counts guessed are 0 to 300
TOKENS: Final = 20  # of the tokens that differ, so many of the commonest are guessed
COMMON: Final = 10  # of the solutions of the items, so many of the commonest are guessed
FIXED: Final = 3  # solutions of other items that are guessed: judging them is slow, and they fail

INTRODUCTION: Final = f"""\
<!-- Written by docs/generate.py (`make docs`): change the tasks, or docs/notes.toml, not this. -->

# Tasks

What each task asks, what it accepts, and what guessing earns.

**Levels.** A level from 0 to 9 narrows a parameter to one of ten parts of equal width: of its whole
numbers from low to high, level k draws from low + width · k // 10 to
low + width · (k + 1) // 10 − 1, where width is high − low + 1. Without a level it draws from all of
them. A parameter that the caller gives overrides the level, and may go beyond high.

**Every answer.** What stands in `<answer>` tags after the last `</think>` is the answer. Outer
space and characters that are never content (zero-width space, soft hyphen, marks of direction) come
off. Several tags have to hold the same answer, else there is none. An answer longer than four times
the longest reasonable one and 1,024 characters is turned away unread.

**Marks.** Where a task takes an answer in quotes or bold marks, it takes it in the quotation marks
of any of our languages, in Markdown's bold, italics and code, and in LaTeX that only sets it
(`$…$`, `\\(…\\)`, `\\boxed{{…}}`, `\\text{{…}}`), provided that they hold all of it.

**Guessing.** Measured by `score` over {ITEMS} items of the train split (seed 0), over all levels,
and at single ones where that matters. `chance` is what the task states for those items. The best
constant is the best of the guesses named on these very items, so a little above what it earns on
new ones. Tasks over language packs are measured on {IN_MANY} items in each language.
"""


class Guess(NamedTuple):
    """A constant answer, and what to call it."""

    answer: str
    name: str


def text() -> str:
    """Return what docs/tasks.md holds."""
    return "\n\n".join([opening(), *map(section, BUILTIN)]) + "\n"


def opening() -> str:
    """Return what stands before the tasks."""
    return f"{INTRODUCTION.rstrip()}\n\n{_overview()}"


def section(name: str) -> str:
    """Return what is said of a task."""
    notes = tomllib.loads((HERE / "notes.toml").read_text(encoding="utf-8"))[name]
    found = task(name)
    blocks = [f"## {name}", *_facts(found)]
    for variant in found.variants or (None,):
        if variant:
            blocks.append(f"### {name}: {variant}")
        blocks += _judging(found, variant, notes[variant] if variant else notes)
    return "\n\n".join(blocks)


def _overview() -> str:
    rows = [
        [
            f"[{name}](#{name})",
            task(name).doc,
            _codes(task(name).variants),
            _codes(task(name).langs),
        ]
        for name in BUILTIN
    ]
    return table(["task", "what is asked", "variants", "languages"], rows)


def _facts(found: Task) -> Iterator[str]:
    yield found.doc
    yield (
        f"Source: {found.source}. Version {found.version}. Languages: {_codes(found.langs)}. "
        f"Variants: {_codes(found.variants) or 'none'}."
    )
    rows = [[f"`{param.name}`", param.help, *_values(param)] for param in found.params]
    yield table(["parameter", "what it sets", "allowed", "by default"], rows)
    levelled = [
        param for param in found.params if isinstance(param, IntRange) and param.scales_with_level
    ]
    ranges = [
        [f"`{param.name}`", *(_range(*param.range(None, level)) for level in found.levels)]
        for param in levelled
    ]
    if ranges:
        yield table(["level", *map(str, found.levels)], ranges)


def _values(param: Param) -> list[str]:
    """Return what a parameter may be, and what it is if nobody says."""
    if isinstance(param, IntRange):
        return [f"{_range(param.default[0], param.max)}, or a range", _range(*param.default)]
    if isinstance(param, Choice):
        return [_codes(param.options), param.default]
    if isinstance(param, Folder):
        return ["the path of a folder or a text file", "the pack that ships"]
    first = f"`{param.options[0]}`" if param.options else "none"
    return [", ".join([*(f"`{name}`" for name in param.options), "the path of a file"]), first]


def _judging(found: Task, variant: str | None, notes: Mapping[str, Any]) -> Iterator[str]:
    yield "\n".join(
        f"- **{title}** {' '.join(notes[key].split())}"
        for title, key in (
            ("The same answer:", "same"),
            ("Refused:", "refused"),
            ("`exact`:", "exact"),
            ("`graded`:", "graded"),
            ("`published`:", "published"),
        )
    )
    if "more" in notes:
        yield " ".join(notes["more"].split())
    yield from _verdicts(found, variant, **notes["judged"])
    for lang in (
        ("en",) if found.accepts_any_language else found.langs
    ):  # all stand in docs/languages.md
        item = found.generate(lang=lang, variant=variant, **notes["example"])
        yield f"An item in `{lang}`, whose solution is {_code(item.solution)}:"
        yield f"```text\n{item.prompt}\n```"
    yield from _guessing(found, variant, notes)


def _verdicts(
    found: Task, variant: str | None, target: dict[str, Any], answers: list[str]
) -> Iterator[str]:
    """Yield hand-written answers to a hand-made item with their verdicts."""
    prompt = target.get("prompt", "")
    lang = "en" if "en" in found.langs else found.langs[0]
    item = Item(found.name, found.version, lang, variant, prompt, target, solution=answers[0])
    rows = []
    for answer in answers:
        exact, graded = (check(_tagged(answer), item, rule=rule) for rule in ("exact", "graded"))
        reason = "right" if exact.score == 1.0 else exact.reason
        rows.append([_code(answer), str(exact.score), f"{graded.score:.2f}", _cell(reason)])
    shown = {key: value for key, value in target.items() if key not in ("lang", "prompt")}
    yield f"Answers to a hand-made item in `{lang}` with the target `{dumps(shown)}`:"
    yield table(["answer", "exact", "graded", "because"], rows)


def _guessing(found: Task, variant: str | None, notes: Mapping[str, Any]) -> Iterator[str]:
    """Yield what constant answers, and policies blind to the order, earn."""
    constants: list[list[str]] = []
    others: list[list[str]] = []
    for lang in found.langs:
        for level in (None, *notes.get("levels", ())):
            count = IN_MANY if found.accepts_any_language else ITEMS
            items = list(dataset(found.name, lang=lang, variant=variant, n=count, level=level))
            chance = sum(map(found.guess_rate, items)) / count
            row = [lang, "all" if level is None else str(level), f"{chance:.3f}"]
            guesses = GUESSES[notes["guesses"]](items)
            constants.append(row + _best(guesses, items))
            for policy in notes.get("policies", ()):
                earned = [_earned(POLICIES[policy](item), item) for item in items]
                means = [sum(scores) / count for scores in zip(*earned, strict=True)]
                others.append([policy, *row, *(f"{mean:.3f}" for mean in means)])
    yield f"The best constant answers ({notes['guesses']}):"
    head = ["language", "level", "chance", "exact", "by", "graded", "by"]
    yield table(head, constants)
    if others:
        yield "Other guesses:"
        yield table(["answer", "language", "level", "chance", "exact", "graded"], others)


def _best(guesses: list[Guess], items: list[Item]) -> list[str]:
    """Return the highest mean scores that guesses have over the items, and whose they are."""
    # Judging reads the language and the target alone, so items that share them share a score.
    kinds = Counter(dumps(item.target) for item in items)
    examples = {dumps(item.target): item for item in items}
    totals = []
    for guess in guesses:
        scores = [(n, *_earned(guess.answer, examples[kind])) for kind, n in kinds.items()]
        totals.append([sum(n * score[rule] for n, *score in scores) for rule in (0, 1)])
    cells = []
    for found in zip(*totals, strict=True):
        best = max(found)
        cells += [f"{best / len(items):.3f}", guesses[found.index(best)].name if best else "none"]
    return cells


def _earned(answer: str, item: Item) -> tuple[float, float]:
    """Return what an answer earns under `exact` and `graded`."""
    graded = score(_tagged(answer), item, rule="graded")
    # `graded` is 1.0 wherever `exact` is, which the conformance suite checks: half the work.
    return (score(_tagged(answer), item) if graded == 1.0 else 0.0), graded


def _numbers(_items: list[Item]) -> list[Guess]:
    return [Guess(str(number), f"`{number}`") for number in range(NUMBERS)]


def _orders(_items: list[Item]) -> list[Guess]:
    return [Guess(order, f"`{order}`") for order in ("ABC", "ACB", "BAC", "BCA", "CAB", "CBA")]


def _words(items: list[Item]) -> list[Guess]:
    """The answer words, and the tokens that differ most often."""
    tongue = language(items[0].lang)
    differing = Counter(token for item in items for token in item.target["differing"])
    common = [token for token, _ in differing.most_common(TOKENS)]
    return [Guess(word, f"`{word}`") for word in (*tongue.same, *tongue.yes, *tongue.no, *common)]


def _texts(items: list[Item]) -> list[Guess]:
    """Sound texts of two lengths: the one asked for most often, and the one nearest to all."""
    wanted = Counter(item.target["count"] for item in items)

    def nearness(length: int) -> float:
        return sum(n * closeness(length, count) for count, n in wanted.items())

    lengths = {wanted.most_common(1)[0][0], max(range(min(wanted), max(wanted) + 1), key=nearness)}
    lang = items[0].lang
    return [
        Guess(passage(Draw("docs", n), lang, n).text, f"a text of {n}") for n in sorted(lengths)
    ]


def _solutions(items: list[Item]) -> list[Guess]:
    """The solutions that these items have most often."""
    common = Counter(item.solution for item in items).most_common(COMMON)
    return [Guess(answer, f"`{answer}`") for answer, _ in common]


def _fixed(items: list[Item]) -> list[Guess]:
    """Solutions of other items."""
    others = dataset(items[0].task, lang=items[0].lang, seed=1, n=FIXED)
    return [Guess(item.solution, f"the solution of item {i}") for i, item in enumerate(others)]


def _shuffled(item: Item) -> str:
    return " ".join(Draw("docs", item.id).shuffled(item.target["tokens"]))


GUESSES: Final[dict[str, Callable[[list[Item]], list[Guess]]]] = {
    "numbers": _numbers,
    "texts": _texts,
    "words": _words,
    "orders": _orders,
    "fixed texts": _fixed,
    "solutions": _solutions,
}
POLICIES: Final[dict[str, Callable[[Item], str]]] = {"random order": _shuffled}


def _tagged(answer: str) -> str:
    return f"<answer>{answer}</answer>"


def _codes(names: tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _code(answer: str) -> str:
    """Return an answer as code on one line."""
    return _cell(f"`{answer}`".replace("\n", " ⏎ "))


def _cell(words: str) -> str:
    return words.replace("|", "\\|")


def _range(low: int, high: int) -> str:
    return f"{low:,}–{high:,}"


if __name__ == "__main__":
    WRITTEN.write_text(text(), encoding="utf-8")
