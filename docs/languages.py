"""Write docs/languages.md: the language packs, and an item of each task in each language.

`make docs` runs it; a test checks that the file is what it writes.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from _tables import table

from tokenbench import Item, catalog, task
from tokenbench.tasks.contract import Task
from tokenbench.tasks.wordings import closing
from tokenbench.text.graphemes import graphemes
from tokenbench.text.packs import PACKS, Pack, cwt, pack

WRITTEN: Final = Path(__file__).resolve().parent / "languages.md"

INTRODUCTION: Final = """\
<!-- Written by docs/languages.py (`make docs`): change the packs or the tasks, not this. -->

# Languages

A language is a pack: a folder of short sentences, from which alphabet and vocabulary are derived.
The packs that ship tell the same scenes line by line. Characters are what readers see (extended
grapheme clusters); a token below is a byte of UTF-8, so that the last columns say what a model
without merges would read.

A pack of yours, a folder or only a text file of sentences, adds a language to every task over
packs: `spell.generate(lang="tr", pack="turkish.txt")`. `tokenbench pack check` says what it lacks.
"""


def text() -> str:
    """Return what docs/languages.md holds."""
    blocks = [INTRODUCTION.rstrip(), _packs()]
    for lang in PACKS:
        blocks += [f"## {pack(lang).name} (`{lang}`)", *_items(lang)]
    return "\n\n".join(blocks) + "\n"


def _packs() -> str:
    head = ["language", "sentences", "different words", "characters", "characters per word"]
    head += ["bytes per word", "characters per byte"]
    return table(head, [_facts(pack(lang)) for lang in PACKS])


def _facts(found: Pack) -> list[str]:
    ratios = cwt(found, str.encode)
    counted = (len(found.sentences), len(found.vocabulary), len(found.alphabet))
    return [
        f"[{found.name}](#{found.name.lower()}-{found.lang})",
        *(f"{number:,}" for number in counted),
        *(f"{ratio:.2f}" for ratio in ratios),
    ]


def _items(lang: str) -> Iterator[str]:
    for name in catalog():
        found = task(name)
        if lang in found.langs:
            for variant in found.variants or (None,):
                yield _shown(_short(found, lang, variant))


def _short(found: Task, lang: str, variant: str | None) -> Item:
    """Return the shortest prompt of a few items; texts are short at the lowest level."""
    level = 3 if found.accepts_any_language else 0
    items = [
        found.generate(lang=lang, variant=variant, index=index, level=level) for index in range(20)
    ]
    return min(items, key=lambda item: len(graphemes(item.prompt)))


def _shown(item: Item) -> str:
    name = ", ".join(filter(None, (item.task, item.variant)))
    question = item.prompt.removesuffix(closing(item.lang)).rstrip()
    return f"**{name}**\n\n```text\n{question}\n```\n\n```text\n{item.solution}\n```"


if __name__ == "__main__":
    WRITTEN.write_text(text(), encoding="utf-8")
