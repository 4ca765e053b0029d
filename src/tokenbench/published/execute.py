"""The reader of the published EXECUTE files: CUTE's tasks in other languages and scripts."""

import os
import re
from typing import Final

from tokenbench.errors import SourceError
from tokenbench.item import Item
from tokenbench.published.cute import read_checkout
from tokenbench.published.rows import keys_by_name

_CODE: Final = re.compile("[a-z]{2}(-[a-z0-9]{2,8})*")


def read(path: str | os.PathLike[str]) -> list[Item]:
    """Return the items of a checkout of the published EXECUTE benchmark, a row each.

    The files are all TSV files, in the order of their names. The innermost folder whose name is a
    code (BCP 47, ISO 639-2 or 639-3) or an English name gives the language. All else is as in
    `tokenbench.published.cute.read`. Rows about parts of characters and about readings have
    published rules only, unless a task of ours asks the same in their language. Source: EXECUTE,
    the published data.

    Args:
        path: the root of the checkout.

    Raises:
        SourceError: no such files, a file in no language's folder, or one that is not as
            published; the message names it.

    >>> read("no such folder")
    Traceback (most recent call last):
        ...
    tokenbench.errors.SourceError: 'no such folder' has no *.tsv in folders named by languages: ...
    """
    content = "*.tsv in folders named by languages"
    return read_checkout(path, "EXECUTE", "**/*.tsv", content, _language)


def _language(name: str) -> str:
    for folder in reversed(name.lower().split("/")[:-1]):
        folder = folder.replace("_", "-")
        if code := keys_by_name("execute_languages").get(folder):
            return code
        if _CODE.fullmatch(folder):
            return folder
    problem = f"'{name}' is in no folder named by a language"
    raise SourceError(problem, remedy="use its code, such as 'am', or its name")
