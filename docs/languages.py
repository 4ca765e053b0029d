"""Write docs/languages.md, a table of the language packs, and a page for each in docs/languages/.

A page shows an item of each task in the language. `make docs` runs this script; a test checks that
the pages are up to date.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from _tables import table, write_pages

from tokenbench import Item, catalog, task
from tokenbench.tasks.contract import Task
from tokenbench.tasks.wordings import split_closing
from tokenbench.text.graphemes import graphemes
from tokenbench.text.languages import LANGUAGES
from tokenbench.text.packs import Pack, cwt, pack

HERE: Final = Path(__file__).resolve().parent
PAGES: Final = HERE / "languages"

GENERATED: Final = (
    "<!-- Written by docs/languages.py (`make docs`): change the packs or the tasks, not this. -->"
)
INTRODUCTION: Final = f"""\
{GENERATED}

# Languages

These language packs ship with tokenbench. Each page shows an item of every task in the language;
[language](language.md) explains packs and how to add your own.

All packs tell the same scenes line by line. A character is a grapheme cluster: one character as
readers see it. The last two columns count bytes of UTF-8, which are the tokens of a model without
merges."""


def index() -> str:
    """Return the text of docs/languages.md."""
    head = ["language", "sentences", "different words", "characters", "characters per word"]
    head += ["bytes per word", "characters per byte"]
    return f"{INTRODUCTION}\n\n{table(head, [_facts(pack(lang)) for lang in LANGUAGES])}\n"


def page(lang: str) -> str:
    """Return the text of a language's page."""
    return "\n\n".join([GENERATED, f"# {pack(lang).name} (`{lang}`)", *_items(lang)]) + "\n"


def _facts(found: Pack) -> list[str]:
    ratios = cwt(found, str.encode)
    counted = (len(found.sentences), len(found.vocabulary), len(found.alphabet))
    return [
        f"[{found.name}](languages/{found.lang}.md)",
        *(f"{number:,}" for number in counted),
        *(f"{ratio:.2f}" for ratio in ratios),
    ]


def _items(lang: str) -> Iterator[str]:
    for name in catalog():
        found = task(name)
        if lang in found.langs:
            for variant in found.variants or (None,):
                yield _section(_short(found, lang, variant))


def _short(found: Task, lang: str, variant: str | None) -> Item:
    """Return the shortest prompt of a few items; texts are short at the lowest level."""
    level = 3 if found.accepts_any_language else 0
    items = [
        found.generate(lang=lang, variant=variant, index=index, level=level) for index in range(20)
    ]
    return min(items, key=lambda item: len(graphemes(item.prompt)))


def _section(item: Item) -> str:
    variant = f", {item.variant}" if item.variant else ""
    question = split_closing(item.prompt, item.lang)[0]
    heading = f"**[{item.task}](../tasks/{item.task}.md)**{variant}"
    return f"{heading}\n\n```text\n{question}\n```\n\n```text\n{item.solution}\n```"


def main() -> None:
    """Write the index and the pages, and delete the pages of languages that are gone."""
    write_pages(PAGES, index(), LANGUAGES, page)


if __name__ == "__main__":
    main()
