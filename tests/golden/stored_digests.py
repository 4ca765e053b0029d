"""Digests stored with the tests, and the parts that they are stored for."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from tokenbench import catalog, task
from tokenbench.item import Item, Json

Digests = Mapping[str, Json]


class Case(NamedTuple):
    """A task in one language and variant."""

    task: str
    lang: str
    variant: str | None

    def __str__(self) -> str:
        return ":".join(filter(None, self))

    @property
    def key(self) -> str:
        """The name that the digests of this case are stored under."""
        return f"{self} v{task(self.task).version}"

    def generate(self, *, seed: int, index: int, level: int | None) -> Item:
        return task(self.task).generate(
            lang=self.lang, variant=self.variant, level=level, seed=seed, index=index
        )


CASES = [
    Case(name, lang, variant)
    for name in catalog()
    for lang in task(name).langs
    for variant in task(name).variants or (None,)
]


def differences(stored: Path, digests: Digests) -> list[str]:
    """Return a line for each digest that differs from the stored one."""
    known = json.loads(stored.read_text())
    return [
        f"{key}: stored {known.get(key)}, now {digests.get(key)}"
        for key in sorted(known.keys() | digests.keys())
        if known.get(key) != digests.get(key)
    ]


def write(stored: Path, digests: Digests) -> None:
    """Store digests, with a line for each key, in the order of the keys."""
    lines = [f" {json.dumps(key)}: {json.dumps(value)}" for key, value in sorted(digests.items())]
    stored.write_text("{\n" + ",\n".join(lines) + "\n}\n")


def main(arguments: list[str], check: Callable[[], list[str]], write: Callable[[], None]) -> int:
    """Check or write the stored files; return the exit status."""
    if arguments == ["--write"]:
        write()
        return 0
    if arguments != ["--check"]:
        print("give one of --check and --write")
        return 2
    wrong = check()
    print("\n".join(wrong) or "the golden files agree")
    return 1 if wrong else 0
