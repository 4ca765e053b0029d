"""A folder as the Hugging Face Hub wants it: Parquet files, and a card that says what they hold."""

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from shutil import rmtree
from typing import Final, NamedTuple

from tokenbench import __version__
from tokenbench.errors import SourceError, TokenbenchError
from tokenbench.files import whole
from tokenbench.integrations.arrow import write_parquet
from tokenbench.integrations.rows import Given
from tokenbench.item import Item, as_item

_CONFIG: Final = re.compile(r"\w[\w-]*")  # a folder's name, too
_SPLIT: Final = re.compile(r"\w+")
_CARD: Final = """\
---
{front}
---

# {name}

Questions about the characters inside tokens, each with all that judging an answer needs.

{files}

## How the items were made

By tokenbench {version}. An item is a function of its task, the task's version, and what `meta`
holds: seed, index, split, level and parameters; so it can be made again. An item without a seed
stands as it was published.

{tasks}

## What a row holds

`prompt` is what a model is asked, `solution` one right answer. `target` is what judging compares
with and `meta` where the item came from, both as JSON text. `task`, `version`, `lang` and `variant`
name the task, and `id` is a hash of what the item asks and accepts.

```python
from datasets import load_dataset
from tokenbench import score

folder = {folder}  # as it lies here; on the Hub, the name of the repository
row = load_dataset(folder, {config!r}, split={split!r})[0]
score(f"<answer>{{row['solution']}}</answer>", row)  # 1.0
```
"""


def write_folder(
    folder: str | os.PathLike[str],
    configs: Mapping[str, Mapping[str, Iterable[Given]]],
    *,
    name: str,
    licence: str,
) -> None:
    """Write items as a folder that `datasets.load_dataset` reads and the Hub shows.

    It holds a Parquet file for each split, and README.md: what is in them, which versions of which
    tasks made it and from what, under which licence. Items go through memory a batch at a time.
    Where writing fails, nothing of it is left.

    Args:
        folder: where to; it is made if it is not there, and has to be empty.
        configs: for each configuration, its splits and their items (or rows or JSON text).
        name: what the card calls the dataset.
        licence: of what is written, as the Hub abbreviates it, such as "apache-2.0". It has to suit
            the texts that you drew from.

    Raises:
        TokenbenchError: a name that the Hub does not take, or a split without items.
        SourceError: the folder is not empty or cannot be written.
        ItemError: not an item.

    >>> import tempfile
    >>> from tokenbench import dataset
    >>> splits = {split: dataset("reord", n=10, split=split) for split in ("train", "test")}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_folder(folder, {"reord": splits}, name="Order", licence="apache-2.0")
    ...     sorted(str(file.relative_to(folder)) for file in Path(folder).rglob("*.*"))
    ['README.md', 'reord/test.parquet', 'reord/train.parquet']
    """
    _check(configs, licence)
    root, seen = Path(folder), _Seen()
    try:
        with _undone_on_failure(root, configs):
            for config, splits in configs.items():
                (root / config).mkdir()
                for split, items in splits.items():
                    number = write_parquet(root / config / f"{split}.parquet", seen.all(items))
                    if number == 0:
                        raise TokenbenchError(f"nothing to write: {config}/{split} has no item")
                    seen.files.append((config, split, number))
            card = _card(seen, folder=root.resolve().name, name=name, licence=licence)
            with whole(root / "README.md") as part:
                part.write_text(card, encoding="utf-8")
    except OSError as error:
        raise SourceError(f"cannot write to {str(root)!r}: {error}") from None


@contextmanager
def _undone_on_failure(root: Path, folders: Iterable[str]) -> Iterator[None]:
    """Make a folder; where what follows fails, take it away again, with these folders in it.

    Raises:
        SourceError: there is something already.
    """
    absent = [folder for folder in (root, *root.parents) if not folder.exists()]
    root.mkdir(parents=True, exist_ok=True)
    if any(root.iterdir()):
        raise SourceError(f"{str(root)!r} is not empty: give a folder of its own")
    try:
        yield
    except BaseException:  # also Ctrl-C: a second call would find the folder not empty
        for name in folders:
            rmtree(root / name, ignore_errors=True)
        with suppress(OSError):  # what others put there meanwhile stays
            for made in absent:
                made.rmdir()
        raise


def _check(configs: Mapping[str, Mapping[str, Iterable[Given]]], licence: str) -> None:
    parts = configs.values() if isinstance(configs, Mapping) else [configs]
    if not all(isinstance(splits, Mapping) for splits in parts):
        raise TokenbenchError(
            "a configuration is a mapping of splits to items: give {'default': {'train': items}}"
        )
    if not configs or not all(parts):
        raise TokenbenchError("nothing to write: give a configuration with a split of items")
    if not licence.strip():
        raise TokenbenchError("licence is empty: name one, such as 'apache-2.0'")
    for kind, fits, names in (
        ("configuration", _CONFIG, list(configs)),
        ("split", _SPLIT, [split for splits in configs.values() for split in splits]),
    ):
        for name in names:
            if not isinstance(name, str) or not fits.fullmatch(name):
                raise TokenbenchError(
                    f"{name!r} cannot be the name of a {kind}: give letters, digits and _"
                )


class _Maker(NamedTuple):
    """What made items: a line of the card."""

    task: str
    version: int
    variant: str
    split: str
    seed: str
    source: str


@dataclass
class _Seen:
    """What was written: files, and what the items say of themselves."""

    files: list[tuple[str, str, int]] = field(default_factory=list)
    langs: set[str] = field(default_factory=set)
    makers: dict[_Maker, dict[str, int]] = field(default_factory=dict)  # languages, and how many

    def all(self, items: Iterable[Given]) -> Iterator[Item]:
        """Yield items, and take note of each."""
        for item in map(as_item, items):
            meta = item.meta
            told = (str(meta.get(key) or "–") for key in ("split", "source"))
            split, source = told
            seed = "–" if meta.get("seed") is None else str(meta["seed"])
            maker = _Maker(item.task, item.version, item.variant or "–", split, seed, source)
            by_lang = self.makers.setdefault(maker, {})
            by_lang[item.lang] = by_lang.get(item.lang, 0) + 1
            self.langs.add(item.lang)
            yield item


def _card(seen: _Seen, *, folder: str, name: str, licence: str) -> str:
    config, split, _ = seen.files[0]
    return _CARD.format(
        front="\n".join(_front(seen, name=name, licence=licence)),
        name=" ".join(name.split()),
        folder=json.dumps(folder, ensure_ascii=False),
        version=__version__,
        config=config,
        split=split,
        files=_table(("configuration", "split", "items"), seen.files),
        tasks=_table(
            (*("task", "version", "variant", "split", "seed", "source"), "languages", "items"),
            [
                (*maker, " ".join(sorted(by_lang)), sum(by_lang.values()))
                for maker, by_lang in sorted(seen.makers.items())
            ],
        ),
    )


def _front(seen: _Seen, *, name: str, licence: str) -> Iterator[str]:
    """Yield the lines that the Hub and `datasets` read: YAML, whose strings JSON's are."""
    yield f"pretty_name: {json.dumps(name, ensure_ascii=False)}"
    yield f"license: {json.dumps(licence)}"
    yield f"language: {json.dumps(sorted(seen.langs))}"
    yield "tags: [tokenbench]"
    yield "configs:"
    for place, (config, split, _) in enumerate(seen.files):
        if place == 0 or seen.files[place - 1][0] != config:
            yield f"- config_name: {json.dumps(config)}"
            yield "  data_files:"
        yield f"  - split: {json.dumps(split)}"
        yield f"    path: {json.dumps(f'{config}/{split}.parquet')}"


def _table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """Return a table in Markdown."""
    lines = [list(head)]
    lines += [["---"] * len(lines[0])]
    lines += [[str(cell).replace("|", "\\|").replace("\n", " ") for cell in row] for row in rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
