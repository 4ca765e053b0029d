"""Write docs/tasks.md, a page for each task in docs/tasks/, and the tables of tasks elsewhere.

A page contains the facts that the task's record states, the notes of notes.toml, verdicts on a few
answers, an item in each language, and the measured scores of guesses. `make docs` runs this script;
a test checks that the pages are up to date.
"""

import tomllib
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from _tables import table, write_pages

from tokenbench import Item, check, dataset, score, task
from tokenbench.answers.kind import closeness
from tokenbench.draw import SPLITS, Draw
from tokenbench.errors import RepeatedItemsWarning
from tokenbench.item import dumps
from tokenbench.tasks import BUILTIN
from tokenbench.tasks.contract import Task
from tokenbench.tasks.params import Choice, Folder, IntRange, Param
from tokenbench.tasks.sizes import sizes_by_levels
from tokenbench.text.languages import language
from tokenbench.text.passages import passage

HERE: Final = Path(__file__).resolve().parent
PAGES: Final = HERE / "tasks"
N_ITEMS: Final = 300
N_ITEMS_PER_LANGUAGE: Final = 100  # of a task in many languages
HEADINGS: Final = {
    "tase": "TASE",
    "charbench": "CharBench",
    "execute": "EXECUTE and CUTE",
    "adt": "ADT",
    "own": "Of no paper",
}
# Of the table in README.md.
CITATIONS: Final = {
    "tase": "TASE, [arXiv:2508.05468](https://arxiv.org/abs/2508.05468)",
    "charbench": "CharBench: Evaluating the Role of Tokenization in Character-Level Tasks, Uzan "
    "and Pinter, AAAI 2026",
    "execute": "CUTE, [arXiv:2409.15452](https://arxiv.org/abs/2409.15452), and EXECUTE, "
    "[arXiv:2505.17784](https://arxiv.org/abs/2505.17784)",
    "adt": "ADT, [arXiv:2405.17067](https://arxiv.org/abs/2405.17067)",
    "own": "of no paper",
}
# Of the table in docs/answer.md: what a right answer of a kind looks like.
KINDS: Final = {
    "Number": "`3`, `３`, `٣`, `3 times`",
    "YesNo": "`Yes`, `否`",
    "Choice": "one name from a list in the prompt",
    "Text": "one word, character or sentence",
    "Characters": "`c a t`, `c-a-t`, a JSON list",
    "Parts": "`ag, nos, tic`, `扌 + 巴`",
    "Order": "`C > A > B`, `CAB`",
    "Tokens": "a sequence or choice of the given tokens",
    "Writing": "a text of a given length on a topic",
}
NEEDED: Final = ["example", "guesses", "same", "refused", "exact", "graded", "published", "judged"]
MANY: Final = 4  # languages that the index counts instead of naming them
N_NUMBERS: Final = 301  # the counts guessed are 0 to 300
N_TOKENS: Final = 20  # the commonest of the differing tokens are guessed
N_SOLUTIONS: Final = 10  # the commonest solutions of the items are guessed
N_FIXED: Final = 3  # solutions of other items that are guessed: judging them is slow, and they fail

GENERATED: Final = (
    "<!-- Written by docs/generate.py (`make docs`): change notes.toml or the task. -->"
)
INTRODUCTION: Final = f"""\
{GENERATED}

# Tasks

Each task has a page: its parameters and levels, which answers are the same, which are refused, how
each rule scores them, an item in each language, and how much guessing earns.

Other pages explain the words used there: [answer](answer.md) says how an answer is taken out of a
completion and which spellings are equivalent, [rule](rule.md) how it is scored, and
[split and level](split-and-level.md) how a level sets the parameters."""

GUESSING: Final = f"""\
## How guessing is measured

Each page ends with the scores of constant answers: the mean of `score` over {N_ITEMS} items of the
train split (seed 0), over all levels, and at single levels where that matters. Tasks in many
languages are measured on {N_ITEMS_PER_LANGUAGE} items in each. The column *chance* is the guess
rate that the task states for those items. The best constant answer is chosen on these very items,
so it earns a little less on new ones."""


# Under the heading of the numbers of instances.
_INSTANCES: Final = (
    "An instance is what an item asks about. [A dataset](../split-and-level.md#dataset) repeats "
    "none before all have occurred."
)
ALL_END: Final = f"{_INSTANCES} Without other parameters there are:"
SOME_END: Final = f"{_INSTANCES} Other parts draw from more than can be counted. There are:"
NO_END: Final = "Items are drawn from more than can be counted, so they have no end."


class Guess(NamedTuple):
    """A constant answer, and what to call it."""

    answer: str
    name: str


@cache
def read_notes() -> dict[str, Any]:
    """Return what notes.toml says of each task, with all that a page needs.

    Raises:
        SystemExit: something is missing.
    """
    notes = tomllib.loads((HERE / "notes.toml").read_text(encoding="utf-8"))
    for name in BUILTIN:
        for variant in task(name).variants or (None,):
            facts = notes.get(name, {})
            facts = facts.get(variant, {}) if variant else facts
            if missing := [key for key in NEEDED if key not in facts]:
                title = f"{name}.{variant}" if variant else name
                raise SystemExit(f"docs/notes.toml: [{title}] lacks {', '.join(missing)}")
    return notes


def index() -> str:
    """Return the text of docs/tasks.md."""
    rows: dict[str, list[list[str]]] = {heading: [] for heading in HEADINGS.values()}
    for name in BUILTIN:
        record = task(name)
        link = f"[{name}](tasks/{name}.md)"
        many = len(record.langs) >= MANY
        langs = f"[{len(record.langs)}](languages.md)" if many else _codes(record.langs)
        paper = BUILTIN[name].split(".")[-2]
        rows[HEADINGS[paper]].append([link, record.doc, _codes(record.variants), langs])
    head = ["task", "question", "variants", "languages"]
    tables = [f"## {heading}\n\n{table(head, part)}" for heading, part in rows.items() if part]
    return "\n\n".join([INTRODUCTION, *tables, GUESSING]) + "\n"


def papers() -> str:
    """Return the table of README.md: the tasks of each paper, by their languages."""
    rows: dict[tuple[str, str], list[str]] = {}
    for name, module in BUILTIN.items():
        record = task(name)
        langs = " ".join(record.langs)
        if record.accepts_any_language:
            langs = f"{len(record.langs)}, or yours"
        rows.setdefault((module.split(".")[-2], langs), []).append(name)
    firsts = dict(reversed(rows))
    cells = [
        [CITATIONS[paper] if firsts[paper] == langs else "", _codes(tuple(names)), langs]
        for (paper, langs), names in rows.items()
    ]
    return table(["paper", "tasks", "languages"], cells)


def kinds() -> str:
    """Return the table of docs/answer.md: the tasks that have answers of each kind."""
    rows: dict[str, dict[str, list[str]]] = {kind: {} for kind in KINDS}
    for name in BUILTIN:
        for variant in task(name).variants or (None,):
            # A task may have a kind of its own, of one of these.
            names = [one.__name__ for one in type(task(name).kind(variant)).__mro__]
            variants = rows[next(kind for kind in names if kind in rows)].setdefault(name, [])
            variants += [variant] if variant else []
    cells = []
    for kind, tasks in rows.items():
        cell = " ".join(
            f"`{name}`" + (f" ({', '.join(some)})" if len(some) < len(task(name).variants) else "")
            for name, some in tasks.items()
        )
        cells.append([f"`{kind}`", KINDS[kind], cell])
    return table(["kind", "a right answer looks like", "tasks"], cells)


TABLES: Final = {"README.md": papers, "docs/answer.md": kinds}


def with_table(document: str, text: str) -> str:
    """Return the text of a document with its table as it is now."""
    begin = f"<!-- {TABLES[document].__name__}: written by docs/generate.py -->\n\n"
    before, after = text.split(begin)
    rest = after.partition("\n\n")[2]
    return f"{before}{begin}{TABLES[document]()}\n\n{rest}"


def page(name: str) -> str:
    """Return the text of a task's page."""
    record, notes = task(name), read_notes()[name]
    blocks = [GENERATED, f"# {name}", *_facts(record)]
    for variant in record.variants or (None,):
        blocks.append(f"## {variant}" if variant else "## Answers")
        blocks += _judging(record, variant, notes[variant] if variant else notes)
    return "\n\n".join(blocks) + "\n"


def _facts(record: Task) -> Iterator[str]:
    yield record.doc
    yield (
        f"Source: {record.source}. Version {record.version}. Languages: {_codes(record.langs)}. "
        f"Variants: {_codes(record.variants) or 'none'}."
    )
    rows = [[f"`{param.name}`", param.help, *_values(param)] for param in record.params]
    if rows:
        yield "## Parameters"
        yield table(["parameter", "meaning", "allowed", "default"], rows)
    levelled = [
        param for param in record.params if isinstance(param, IntRange) and param.scales_with_level
    ]
    ranges = [
        [
            f"`{param.name}`",
            *(_range(*param.range(None, level, record.default_lang)) for level in record.levels),
        ]
        for param in levelled
    ]
    if ranges:
        yield table(["level", *map(str, record.levels)], ranges)
    yield "## Instances"
    yield from _instances(record.name)


def _instances(name: str) -> Iterator[str]:
    """Yield the numbers of instances of a task's parts, by split and level."""
    rows = sizes_by_levels(name)
    finite = {part for part, _, sizes in rows if any(size is not None for size in sizes)}
    yield (
        NO_END
        if not finite
        else SOME_END
        if len(finite) < len({row[0] for row in rows})
        else ALL_END
    )
    if finite:
        yield table(
            ["part", "levels", *SPLITS],
            [
                [f"`{part}`", levels, *map(_count, sizes)]
                for part, levels, sizes in rows
                if part in finite
            ],
        )


def _count(size: int | None) -> str:
    return "no end" if size is None else f"{size:,}"


def _values(param: Param) -> list[str]:
    """Return the values that a parameter allows, and its default."""
    if isinstance(param, IntRange):
        return [f"{_range(param.default[0], param.max)}, or a range", _range(*param.default)]
    if isinstance(param, Choice):
        return [_codes(param.options), param.default]
    if isinstance(param, Folder):
        return ["the path of a folder or a text file", "the pack that ships"]
    first = f"`{param.options[0]}`" if param.options else "none"
    return [", ".join([*(f"`{name}`" for name in param.options), "the path of a file"]), first]


def _judging(record: Task, variant: str | None, notes: Mapping[str, Any]) -> Iterator[str]:
    kind = record.kind(variant)
    public = next(one.__name__ for one in type(kind).__mro__ if one.__name__[0] != "_")
    link = f"[{public}](../answer.md#kinds-of-answers)"
    yield f"Kind of answer: {link}. Equivalent spellings: {_codes(kind.equivalences) or 'none'}."
    yield "\n".join(
        f"- **{title}** {' '.join(notes[key].split())}"
        for title, key in (
            ("Equivalent:", "same"),
            ("Refused:", "refused"),
            ("`exact`:", "exact"),
            ("`graded`:", "graded"),
            ("`published`:", "published"),
        )
    )
    if "more" in notes:
        yield "\n\n".join(" ".join(part.split()) for part in notes["more"].split("\n\n"))
    yield from _verdicts(record, variant, **notes["judged"])
    # docs/languages/ shows the items of these tasks in the other languages.
    for lang in ("en",) if record.accepts_any_language else record.langs:
        item = record.generate(lang=lang, variant=variant, **notes["example"])
        yield f"An item in `{lang}` with the solution {_code(item.solution)}:"
        yield f"```text\n{item.prompt}\n```"
    yield from _guessing(record, variant, notes)


def _verdicts(
    record: Task, variant: str | None, target: dict[str, Any], answers: list[str]
) -> Iterator[str]:
    """Yield hand-written answers to a hand-made item with their verdicts."""
    prompt = target.get("prompt", "")
    lang = "en" if "en" in record.langs else record.langs[0]
    item = Item(record.name, record.version, lang, variant, prompt, target, solution=answers[0])
    rows = []
    for answer in answers:
        exact, graded = (check(_tagged(answer), item, rule=rule) for rule in ("exact", "graded"))
        reason = "right" if exact.score == 1.0 else exact.reason
        rows.append([_code(answer), str(exact.score), f"{graded.score:.2f}", _cell(reason)])
    shown = {key: value for key, value in target.items() if key not in ("lang", "prompt")}
    yield f"Verdicts on a hand-made item in `{lang}` with the target `{dumps(shown)}`:"
    yield table(["answer", "exact", "graded", "reason"], rows)


def _guessing(record: Task, variant: str | None, notes: Mapping[str, Any]) -> Iterator[str]:
    """Yield tables of the scores of constant answers, and of policies that ignore the order."""
    constants: list[list[str]] = []
    others: list[list[str]] = []
    for lang in record.langs:
        for level in (None, *notes.get("levels", ())):
            count = N_ITEMS_PER_LANGUAGE if record.accepts_any_language else N_ITEMS
            items = list(dataset(record.name, lang=lang, variant=variant, n=count, level=level))
            chance = sum(map(record.guess_rate, items)) / count
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
    """Return the highest mean score under each rule, and the guess that earns it."""
    # Judging reads the language and the target alone, so items that share them share a score.
    kinds = Counter(dumps(item.target) for item in items)
    examples = {dumps(item.target): item for item in items}
    totals = []
    for guess in guesses:
        scores = [(n, *_earned(guess.answer, examples[kind])) for kind, n in kinds.items()]
        totals.append([sum(n * score[rule] for n, *score in scores) for rule in (0, 1)])
    cells = []
    for column in zip(*totals, strict=True):
        best = max(column)
        cells += [f"{best / len(items):.3f}", guesses[column.index(best)].name if best else "none"]
    return cells


def _earned(answer: str, item: Item) -> tuple[float, float]:
    """Return the scores of an answer under `exact` and `graded`."""
    graded = score(_tagged(answer), item, rule="graded")
    # `graded` is 1.0 wherever `exact` is, which the conformance suite checks: half the work.
    return (score(_tagged(answer), item) if graded == 1.0 else 0.0), graded


def _numbers(_items: list[Item]) -> list[Guess]:
    return [Guess(str(number), f"`{number}`") for number in range(N_NUMBERS)]


def _orders(_items: list[Item]) -> list[Guess]:
    return [Guess(order, f"`{order}`") for order in ("ABC", "ACB", "BAC", "BCA", "CAB", "CBA")]


def _words(items: list[Item]) -> list[Guess]:
    """Return the answer words and the tokens that differ most often."""
    tongue = language(items[0].lang)
    differing = Counter(token for item in items for token in item.target["differing"])
    common = [token for token, _ in differing.most_common(N_TOKENS)]
    return [Guess(word, f"`{word}`") for word in (*tongue.same, *tongue.yes, *tongue.no, *common)]


def _texts(items: list[Item]) -> list[Guess]:
    """Return fluent texts of two lengths: the commonest one, and the nearest to all on average."""
    wanted = Counter(item.target["count"] for item in items)

    def nearness(length: int) -> float:
        return sum(n * closeness(length, count) for count, n in wanted.items())

    lengths = {wanted.most_common(1)[0][0], max(range(min(wanted), max(wanted) + 1), key=nearness)}
    spoken = language(items[0].lang)
    return [
        Guess(passage(Draw("docs", n), spoken, n, "train").text, f"a text of {n}")
        for n in sorted(lengths)
    ]


def _solutions(items: list[Item]) -> list[Guess]:
    """Return the commonest solutions of these items."""
    common = Counter(item.solution for item in items).most_common(N_SOLUTIONS)
    return [Guess(answer, f"`{answer}`") for answer, _ in common]


def _fixed(items: list[Item]) -> list[Guess]:
    """Return the solutions of a few other items."""
    others = dataset(items[0].task, lang=items[0].lang, seed=1, n=N_FIXED)
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


def main() -> None:
    """Write the index and the pages, and delete the pages of tasks that are gone."""
    # What a guess earns is a share of the items as they are drawn, with those that come again.
    warnings.simplefilter("ignore", RepeatedItemsWarning)
    read_notes()  # a fault in the notes of the last page should not cost the minutes before it
    write_pages(PAGES, index(), BUILTIN, page)
    for document in TABLES:
        path = HERE.parent / document
        path.write_text(with_table(document, path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
