"""References to tasks, such as `lenop:ko:write@7`, parsed and printed here and nowhere else."""

import re
from collections.abc import Mapping
from itertools import islice
from typing import Any, Final, NamedTuple, Self

from tokenbench.answers.kind import AnswerKind
from tokenbench.errors import TokenbenchError, UnknownNameError, unknown
from tokenbench.item import Item, Json
from tokenbench.tasks.contract import Task
from tokenbench.text.languages import is_language_code

_REF: Final = re.compile("([^:@]+)(?::([^:@]+)(?::([^:@]+))?)?(?:@([0-9]{1,9}))?")
# The number of items in which the facts of few-shot examples are looked for.
_MAX_ITEMS: Final = 400
# Without the signs of `task:lang:variant@level=weight`.
_NAME: Final = re.compile("[A-Za-z][A-Za-z0-9_.-]*")


class TaskRef(NamedTuple):
    """A task, with the language, variant and level to draw its items in.

    The defaults for missing parts are those of the task's `generate`.

    >>> TaskRef.parse("lenop:ko:write@7")
    TaskRef(task='lenop', lang='ko', variant='write', level=7)
    >>> str(TaskRef("lenop", "ko", level=7)), str(TaskRef("lenop", variant="write"))
    ('lenop:ko@7', 'lenop:write')
    """

    task: str
    lang: str | None = None
    variant: str | None = None
    level: int | None = None

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the reference that a text spells, as `str` prints it.

        Whether there are such a task, language, variant and level is for the task to say. A variant
        is only read after a language.

        Raises:
            UnknownNameError: the text has another form.
        """
        match = _REF.fullmatch(text) if isinstance(text, str) else None
        if match is None:
            raise UnknownNameError(
                f"unknown part {text!r}: allowed is task[:lang[:variant]][@level], such as "
                "'reord', 'reord:zh' or 'lenop:ko:write@7'"
            )
        task, lang, variant, level = match.groups()
        return cls(task, lang, variant, None if level is None else int(level))

    @classmethod
    def of(cls, item: Item) -> Self:
        """Return the task, language and variant of an item.

        >>> from tokenbench import sort
        >>> str(TaskRef.of(sort.generate()))
        'sort:en'
        """
        return cls(item.task, item.lang, item.variant)

    def complete(self, **named: Any) -> Self:
        """Return the reference with a language, variant and level where it names none.

        Raises:
            TokenbenchError: it names another one.

        >>> str(TaskRef("reord", "zh").complete(lang=None, level=3))
        'reord:zh@3'
        """
        for name, value in named.items():
            own = getattr(self, name)
            if None not in (own, value) and own != value:
                raise TokenbenchError(
                    f"{str(self)!r} and {name}={value!r:.80} contradict each other: leave out "
                    f"{name}=, or write {str(self._replace(**{name: value}))!r:.80}"
                )
        return self._replace(**{name: value for name, value in named.items() if value is not None})

    @classmethod
    def all_of(cls, task: Task) -> "list[Self]":
        """Return a reference to each variant of a task in each language.

        >>> from tokenbench.tasks.tase.compm import TASK
        >>> [str(ref) for ref in TaskRef.all_of(TASK)][:3]
        ['compm:en:split', 'compm:zh:split', 'compm:ko:split']
        """
        return [
            cls(task.name, lang, variant)
            for variant in task.variants or (None,)
            for lang in task.langs
        ]

    def arguments(self) -> dict[str, Any]:
        """Return the arguments that it gives to the task's `generate`, or to `dataset`.

        >>> TaskRef("reord", "zh", level=3).arguments()
        {'lang': 'zh', 'level': 3}
        """
        given = {"lang": self.lang, "variant": self.variant, "level": self.level}
        return {name: value for name, value in given.items() if value is not None}

    def __str__(self) -> str:
        name = ":".join(filter(None, (self.task, self.lang, self.variant)))
        return name if self.level is None else f"{name}@{self.level}"


def task_fault(task: Task) -> str:
    """Return why a task cannot be used, or no part `task:lang[:variant][@level]` name it; or "".

    >>> from dataclasses import replace
    >>> from tokenbench.tasks.tase.sort import TASK
    >>> task_fault(TASK), task_fault(replace(TASK, name="a:b"))[:18]
    ('', "its name is 'a:b':")
    """
    if task.sample is None and None in (task.pool, task.ask):
        return "it needs sample, or pool and ask"
    if not all(isinstance(task.kind(one), AnswerKind) for one in task.variants or (None,)):
        return "its answer is not a kind, such as Number(), or a mapping of variants to kinds"
    if not (task.langs and task.levels):
        return "it has no language, or no level: give at least one of each, as levels=(0,)"
    if not (isinstance(task.name, str) and _NAME.fullmatch(task.name)):
        return (
            f"its name is {task.name!r:.80}: a letter, then letters, digits, '_', '-' "
            "or '.' are allowed"
        )
    if not all(isinstance(one, Mapping) for one in task.examples):
        return f"its examples are {task.examples!r:.80}: give a tuple of dicts of `drawn` facts"
    for lang in task.langs:
        if not is_language_code(lang):
            return f"its langs hold {lang!r:.80}: codes such as 'tr' or 'pt-BR' are allowed"
    for variant in task.variants:
        if not (isinstance(variant, str) and _NAME.fullmatch(variant)):
            allowed = "a letter, then letters, digits, '_', '-' or '.' are allowed"
            return f"its variants hold {variant!r:.80}: {allowed}"
    return ""


def examples_fault(task: Task) -> str:
    """Return which fact of a task's few-shot examples no item has; or "".

    >>> from dataclasses import replace
    >>> from tokenbench.tasks.tase.sort import TASK
    >>> examples_fault(replace(TASK, examples=({"lenght": 3}, {})))[:44]
    "its examples have an unknown fact 'lenght': "
    """
    missing = [fact for example in task.examples for fact in example.items()]
    parts, facts = TaskRef.all_of(task), dict[str, list[Json]]()
    draws = ((index, ref) for index in range(_MAX_ITEMS) for ref in parts)
    for index, ref in islice(draws, _MAX_ITEMS):
        if not missing:
            return ""
        drawn = task.generate(index=index, **ref.arguments()).meta["drawn"]
        missing = [(name, value) for name, value in missing if (name, value) not in drawn.items()]
        for name, value in drawn.items():
            facts.setdefault(name, []).append(value)
    if not missing:
        return ""
    name, value = missing[0]
    if name not in facts:
        return f"its examples have an {unknown('fact', name, facts)}"
    values = ", ".join(dict.fromkeys(map(repr, facts[name])))
    return f"its examples have {name}={value!r:.80}, and in items it is {values:.80}"
