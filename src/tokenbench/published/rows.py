"""Published rows: what a row is, how it is interpreted in our terms, and the item made of it."""

import re
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, Final, Literal, NamedTuple, TypeAlias, TypeVar, get_args

from tokenbench import tasks
from tokenbench.item import Item, Json
from tokenbench.tasks.spec import Published
from tokenbench.text.languages import Language, language
from tokenbench.text.normalize import strip_invisible, strip_wrapping
from tokenbench.text.sources import data_table

# The codes of issues. Where the label is `wrong`, we may or may not know a right answer; where it
# is `several`, others are right too, or it rests on one of several interpretations; where it is
# `partly`, some of the options in it are wrong; where it is `unclear`, we believe it.
Code: TypeAlias = Literal["wrong", "several", "partly", "unsolvable", "unclear"]
CODES: Final[tuple[str, ...]] = get_args(Code)

_Value = TypeVar("_Value")
_Default = TypeVar("_Default")

QUOTE: Final = "[\"'“”‘’「」『』]"  # a pattern
_LIST_MARKS: Final = " ;；,，、"

# The input columns, from 0, with the units to find or change and with the new unit.
_UNIT_COLUMNS: Final = {"insert": (1,), "swap": (0, 1)}  # (0,) of the others
_NEW_COLUMNS: Final = {"insert": (0,), "substitute": (1,)}


class LabelIssue(NamedTuple):
    """Why a label is not the one right answer.

    `code` is one of `CODES`; `reason` is a phrase, the same for all rows with this issue; `answers`
    are right as far as we know, in no more than a few words each.
    """

    code: Code
    reason: str
    answers: tuple[str, ...] = ()


class Interpretation(NamedTuple):
    """A row's target, the text of one right answer (empty if there is none), and label issues.

    Rows of a file with the same `question` accept each other's answers, unless it is empty.
    """

    target: dict[str, Json]
    solution: str
    issues: tuple[LabelIssue, ...] = ()
    question: str = ""

    def with_issue(self, code: Code, reason: str, answers: Iterable[str] = ()) -> "Interpretation":
        """Return the interpretation with one more issue."""
        return self._replace(issues=(*self.issues, LabelIssue(code, reason, tuple(answers))))

    def with_alternatives(self, reason: str, answers: Iterable[str]) -> "Interpretation":
        """Return the interpretation with an issue if there are several right answers."""
        answers = tuple(answers)
        return self.with_issue("several", reason, answers) if len(answers) > 1 else self


class PublishedRow(NamedTuple):
    """A published row: its task in our terms, its question or inputs, and its label, stripped.

    TASE's rows have a `prompt`; those of CUTE, EXECUTE and CharBench have `inputs`.
    """

    task: str
    variant: str | None
    lang: str
    prompt: str
    label: str
    inputs: tuple[str, ...] = ()

    @property
    def language(self) -> Language:
        """The language of the row."""
        return language(self.lang)

    @property
    def text(self) -> str:
        """The input to spell, edit or search: the last one."""
        return self.inputs[-1]

    @property
    def units(self) -> tuple[str, ...]:
        """The units to find or change."""
        return tuple(self.inputs[column] for column in _UNIT_COLUMNS.get(self.task, (0,)))

    @property
    def new_units(self) -> tuple[str, ...]:
        """The unit to bring in, if the task has one."""
        return tuple(self.inputs[column] for column in _NEW_COLUMNS.get(self.task, ()))

    def search(self) -> tuple[str, ...] | None:
        """Return the texts that the prompt asks about, or None if we do not understand it."""
        for pattern in _prompt_patterns(self.task, self.variant, self.lang):
            if match := re.search(pattern, self.prompt, re.DOTALL):
                return tuple(group.strip() for group in match.groups())
        return None

    def search_text(self) -> str | None:
        """Return the first text that the prompt asks about, or None if we do not understand it."""
        groups = self.search()
        return groups[0] if groups else None

    def question_key(self, *parts: str) -> str:
        """Return a key that two rows of a file share if they ask the same.

        The key consists of the parts in any order or, without parts, of the prompt.

        >>> row = PublishedRow("compm", "combine", "en", "Join b, a", "ab")
        >>> row.question_key("b", "a") == row._replace(prompt="Join a, b").question_key("a", "b")
        True
        """
        if parts:
            return "\n".join(sorted(parts)).lower()
        return re.sub(r"[\s.。]+", "", self.prompt).lower()

    def believe_label(self, target: dict[str, Json], answer: str | None = None) -> Interpretation:
        """Return the interpretation if we do not understand the prompt."""
        believed = Interpretation(target, self.label if answer is None else answer)
        return believed.with_issue("unclear", "the prompt is not understood")

    def believe_count(self) -> Interpretation:
        """Return the interpretation if the prompt asks for a number in words we do not know."""
        count = first_number(self.label)  # with None, the item cannot be judged
        believed = self.believe_label({"count": count})
        return believed.with_issue("wrong", "it has no number") if count is None else believed

    def interpret_count(
        self,
        ours: Iterable[int],
        ambiguous: str,
        *,
        theirs: Iterable[int] = (),
        wrong: str = "it occurs a different number of times",
    ) -> Interpretation:
        """Return the interpretation if the prompt asks for a number.

        Args:
            ours: the numbers under the interpretations that the prompt allows, the likeliest first.
            ambiguous: the reason why the interpretations differ.
            theirs: the numbers under interpretations that we would not choose, yet the label may.
            wrong: the reason why a label that fits none is wrong.
        """
        natural = list(dict.fromkeys(ours))
        allowed = list(dict.fromkeys([*natural, *theirs]))
        number = first_number(self.label)
        if number not in allowed:
            right = Interpretation({"count": natural[0]}, str(natural[0]))
            return right.with_issue("wrong", wrong, map(str, natural))
        right = Interpretation({"count": number}, str(number))
        right_counts = natural if natural == [number] else allowed
        return right.with_alternatives(ambiguous, map(str, right_counts))


Interpreter: TypeAlias = Callable[[PublishedRow], Interpretation]


def value_or(default: _Default, function: Callable[..., _Value], *args: Any) -> _Value | _Default:
    """Return the value of a function, or a default if it refuses the arguments."""
    try:
        return function(*args)
    except ValueError:
        return default


def strip_label(label: str) -> str:
    """Return a label without marks around it and without a final stop or separator.

    >>> strip_label('"hanzi".'), strip_label("手,斥;扌,斥;"), strip_label(".")
    ('hanzi', '手,斥;扌,斥', '.')
    """
    label = strip_wrapping(strip_invisible(label).strip())
    return strip_wrapping(label.rstrip(_LIST_MARKS) or label)


def first_number(label: str) -> int | None:
    """Return the first number in a label, or None.

    >>> first_number("12 words"), first_number("many")
    (12, None)
    """
    digits = re.search("[0-9]{1,18}", label)
    return int(digits[0]) if digits else None


@cache
def format_table(table: str) -> dict[str, Any]:
    """Return a table of `formats.toml`."""
    return dict(data_table("tokenbench.published", "formats.toml")[table])


@cache
def keys_by_name(table: str) -> dict[str, str]:
    """Return the key for each name in a table of `formats.toml`.

    >>> keys_by_name("execute_languages")["german"]
    'de'
    """
    return {name: key for key, names in format_table(table).items() for name in names.split()}


@cache
def _prompt_patterns(task: str, variant: str | None, lang: str) -> list[str]:
    table = format_table("tase_prompts")
    reference = ":".join(filter(None, (task, lang, variant)))
    patterns = table[reference if reference in table else task]
    several = patterns if isinstance(patterns, list) else [patterns]
    return [pattern.replace("QUOTE", QUOTE) for pattern in several]


def make_item(
    row: PublishedRow,
    interpretation: Interpretation,
    published: Published,
    *,
    source: str,
    file: str,
    number: int,
    **meta: Any,
) -> Item:
    """Return the item of a published row; one of a task that we do not have has version 1.

    Args:
        row: the row, with its prompt.
        interpretation: its target and solution.
        published: how the published scorer judges it.
        source: the benchmark as items name it.
        file: the file, relative to the root.
        number: the row's number, from 0.
        meta: further keys of the item's meta.
    """
    task = tasks.find_task(row.task)
    drawn: dict[str, Any] = {"seed": None, "index": number, "split": "test", "level": None}
    origin = {"params": {}, "source": source, "file": file, "row": number}
    return Item(
        task=row.task,
        version=task.version if task else 1,
        lang=row.lang,
        variant=row.variant,
        prompt=row.prompt,
        target={**interpretation.target, "published": published._asdict()},
        solution=interpretation.solution,
        meta={**drawn, **origin, **meta, **published._asdict()},
    )
