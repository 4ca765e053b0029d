"""The user's files that an item was drawn from."""

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tokenbench.item import Item, as_item
from tokenbench.tasks.params import paths_of_files
from tokenbench.tasks.registry import find_task, task


def user_files(item: Item) -> dict[str, str]:
    """Return the paths of the user's files that an item was drawn from, by parameter.

    >>> user_files(task("spell").generate())
    {}
    """
    record, params = find_task(item.task), item.meta.get("params")
    if record is None or not isinstance(params, dict):
        return {}
    return paths_of_files(record.params, params)


def attach_files(item: Item | Mapping[str, Any] | str, **paths: str | os.PathLike[str]) -> Item:
    """Return an item whose meta names the present paths of the user's files it was drawn from.

    Few-shot examples and guess rates come from those files. Judging an answer needs none.

    Args:
        item: an item, its row, or its JSON text.
        **paths: the paths by parameter, such as `pack="sw.txt"`.

    Raises:
        ItemError: not an item.
        UnknownNameError: its task has no such parameter.
        SourceError: no such file, or its content is not that which the item was drawn from.
    """
    item = as_item(item)
    record = task(item.task)
    for param in record.params:
        if param.name in paths:
            param.require(os.fspath(paths[param.name]))
    params = item.meta["params"] | {name: os.fspath(path) for name, path in paths.items()}
    attached = replace(item, meta=item.meta | {"params": params})
    # An error if a file is not there.
    record.spec_of(attached).key()
    return attached
