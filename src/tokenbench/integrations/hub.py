"""A folder for the Hugging Face Hub: Parquet files, and a card that describes them."""

import json
import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, groupby
from operator import itemgetter
from pathlib import Path
from shutil import move
from tempfile import TemporaryDirectory
from typing import Final, TypeAlias

from tokenbench import __version__
from tokenbench.checks import string
from tokenbench.datasets import finite
from tokenbench.errors import SourceError, TokenbenchError, expected
from tokenbench.files import require_path
from tokenbench.integrations import ItemLike
from tokenbench.integrations.arrow import write_parquet
from tokenbench.item import Item, as_items

# Of a configuration, which is also the name of a folder.
_NAME: Final = re.compile(r"\w[\w-]*")
_FORM: Final = "a mapping of splits to items for each configuration: {'default': {'train': items}}"
# The first cells of a line of the card; the languages and the number of items follow.
_ORIGIN: Final = ("task", "version", "variant", "split", "seed", "source")
# The number of items by origin and language.
_Origins: TypeAlias = defaultdict[tuple[str, ...], Counter[str]]
# A configuration, its split, and the number of items.
_File: TypeAlias = tuple[str, str, int]
_CARD_TEMPLATE: Final = Path(__file__).with_name("hub_card.md")


def write_folder(
    folder: str | os.PathLike[str],
    configs: Mapping[str, Mapping[str, Iterable[ItemLike]]],
    *,
    name: str,
    licence: str,
) -> None:
    """Write items as a folder that `datasets.load_dataset` reads and the Hub shows.

    It has a Parquet file for each split, and a README.md with the contents, the licence, and the
    tasks, versions and sources that the items are from. Items are in memory a batch at a time. If
    writing fails, no files are left behind.

    Args:
        folder: the folder; it is made if it does not exist, and must be empty.
        configs: for each configuration, its splits and their items (or rows or JSON text).
        name: the name of the dataset on its card.
        licence: the licence of the dataset, as the Hub abbreviates it, such as "apache-2.0". It
            must suit the texts that your items are from.

    Raises:
        TokenbenchError: the Hub does not accept a name, an argument has the wrong type, or a split
            has no items.
        SourceError: the folder is not empty or cannot be written.
        EndlessError: a dataset without end.
        ItemError: not an item.

    >>> import tempfile
    >>> from tokenbench import dataset
    >>> splits = {split: dataset("reord", n=10, split=split) for split in ("train", "test")}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_folder(folder, {"reord": splits}, name="Order", licence="apache-2.0")
    ...     sorted(str(file.relative_to(folder)) for file in Path(folder).rglob("*.*"))
    ['README.md', 'reord/test.parquet', 'reord/train.parquet']
    """
    _check(configs, name, licence)
    root = Path(require_path(folder))
    files: list[_File] = []
    origins: _Origins = defaultdict(Counter)
    try:
        root.parent.mkdir(parents=True, exist_ok=True)
        if root.exists() and any(root.iterdir()):
            raise SourceError(f"{str(root)!r} is not empty", remedy="give a folder of its own")
        with TemporaryDirectory(dir=root.parent) as name_of_new:
            new = Path(name_of_new)
            for config, splits in configs.items():
                (new / config).mkdir()
                for split, items in splits.items():
                    path = new / config / f"{split}.parquet"
                    count = write_parquet(path, _record(items, origins))
                    if count == 0:
                        raise TokenbenchError(f"nothing to write: {config}/{split} has no item")
                    files.append((config, split, count))
            card = _card(files, origins, root.resolve().name, name, licence)
            (new / "README.md").write_text(card, encoding="utf-8")
            root.mkdir(exist_ok=True)
            for path in new.iterdir():
                move(path, root)
    except OSError as error:
        raise SourceError(f"cannot write to {str(root)!r}: {error}") from None


def _check(
    configs: Mapping[str, Mapping[str, Iterable[ItemLike]]], name: str, licence: str
) -> None:
    parts = [configs, *configs.values()] if isinstance(configs, Mapping) else [configs]
    if not all(isinstance(part, Mapping) and part for part in parts):
        raise expected("configs", configs, _FORM)
    for config, splits in configs.items():
        for split, items in splits.items():
            if not _NAME.fullmatch(config) or not re.fullmatch(r"\w+", split):
                raise expected("configs", f"{config}/{split}", "names of letters, digits and _")
            finite(items)
    string("name", name)
    if not string("licence", licence).strip():
        raise expected("licence", licence, "a licence such as 'apache-2.0'")


def _record(items: Iterable[ItemLike], origins: _Origins) -> Iterator[Item]:
    """Yield items, and count each."""
    for item in as_items(items):
        row = item.meta | {"task": item.task, "version": item.version, "variant": item.variant}
        cells = ("–" if row.get(name) in (None, "") else str(row[name]) for name in _ORIGIN)
        origins[tuple(cells)][item.lang] += 1
        yield item


def _card(files: list[_File], origins: _Origins, folder: str, name: str, licence: str) -> str:
    config, split, _ = files[0]
    rows = [
        (*origin, " ".join(sorted(by_lang)), by_lang.total())
        for origin, by_lang in sorted(origins.items())
    ]
    return _CARD_TEMPLATE.read_text(encoding="utf-8").format(
        title=json.dumps(name, ensure_ascii=False),
        licence=json.dumps(licence),
        langs=json.dumps(sorted(set(chain(*origins.values())))),
        configs="\n".join(_describe_files(files)),
        name=" ".join(name.split()),
        folder=json.dumps(folder, ensure_ascii=False),
        version=__version__,
        config=config,
        split=split,
        files=_table(("configuration", "split", "items"), files),
        tasks=_table((*_ORIGIN, "languages", "items"), rows),
    )


def _describe_files(files: list[_File]) -> Iterator[str]:
    """Yield the YAML lines that `datasets` reads; JSON strings are YAML strings."""
    for config, splits in groupby(files, key=itemgetter(0)):
        yield f"- config_name: {json.dumps(config)}"
        yield "  data_files:"
        for _, split, _ in splits:
            yield f"  - split: {json.dumps(split)}"
            yield f"    path: {json.dumps(f'{config}/{split}.parquet')}"


def _table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    lines = [list(head), ["---"] * len([*head])]
    lines += [[str(cell).replace("|", "\\|").replace("\n", " ") for cell in row] for row in rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
