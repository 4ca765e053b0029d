"""Completion in the shell: which words can stand for an argument or the value of an option."""

from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from typing import Final, TypeAlias

from tokenbench.builtin import PAPERS
from tokenbench.draw import SPLITS
from tokenbench.extraction import EXTRACTS
from tokenbench.prompts import STYLES
from tokenbench.run.clients import CLIENTS
from tokenbench.scoring import RULES
from tokenbench.tasks import TaskRef, catalog, task
from tokenbench.text.languages import LANGUAGES
from tokenbench.text.units import SCRIPTS

# The benchmarks whose published items can be read.
PUBLISHED: Final = ("tase", "cute", "execute", "charbench")

Completer: TypeAlias = Callable[[str], list[str]]


def complete_from(names: Iterable[str] | Callable[[], Iterable[str]]) -> Completer:
    """Return a function that completes one of some names, the last of several with commas.

    Args:
        names: the names, or a function that returns them, if they take time to import.

    >>> complete_from(["exact", "graded"])("exact,g")
    ['exact,graded']
    """

    def complete(incomplete: str) -> list[str]:
        before, comma, start = incomplete.rpartition(",")
        known = names() if callable(names) else names
        return [f"{before}{comma}{name}" for name in known if name.startswith(start)]

    return complete


def complete_task(incomplete: str) -> list[str]:
    """Return the names of tasks that begin with a text."""
    return [name for name in catalog() if name.startswith(incomplete)]


def complete_part(incomplete: str) -> list[str]:
    """Return the parts that a text begins, one step further: tasks, languages, variants, levels.

    >>> complete_part("reo"), complete_part("reord:"), complete_part("lenop:ko:w")
    (['reord'], ['reord:en', 'reord:zh', 'reord:ko'], ['lenop:ko:write'])
    """
    part, at, _ = incomplete.partition("@")
    name, *others = part.split(":")
    if name not in catalog() or not (others or at):
        return complete_task(incomplete)
    if at:
        found = [f"{part}@{level}" for level in task(name).levels]
    else:
        refs = [str(ref).split(":") for ref in TaskRef.all_of(task(name))]
        found = list(dict.fromkeys(":".join(ref[: 1 + len(others)]) for ref in refs))
    return [one for one in found if one.startswith(incomplete)]


def complete_param(incomplete: str) -> list[str]:
    """Return the difficulty parameters that a text begins, or the values of a parameter.

    >>> complete_param("marg"), complete_param("form=h")
    (['margin='], ['form=hex'])
    """
    name, equals, _ = incomplete.partition("=")
    params = [param for one in catalog() for param in task(one).params]
    if not equals:
        found = [f"{param.name}=" for param in params]
    else:
        values = (getattr(param, "options", ()) for param in params if param.name == name)
        found = [f"{name}={value}" for value in chain.from_iterable(values)]
    return [one for one in dict.fromkeys(found) if one.startswith(incomplete)]


def _families() -> Iterable[str]:
    # Imported here because it takes long.
    from tokenbench.testing.corpus_run import FAMILIES

    return FAMILIES


# By the name of the parameter, as several commands have it.
COMPLETERS: Final[Mapping[str, Completer]] = {
    "specs": complete_part,
    "tasks": complete_part,
    "suite": complete_from(PAPERS),
    "published": complete_from(PUBLISHED),
    "param": complete_param,
    "split": complete_from(SPLITS),
    "lang": complete_from(LANGUAGES),
    "style": complete_from(STYLES),
    "rule": complete_from(RULES),
    "extract": complete_from(EXTRACTS),
    "kind": complete_from(CLIENTS),
    "family": complete_from(_families),
    "script": complete_from(SCRIPTS),
}
