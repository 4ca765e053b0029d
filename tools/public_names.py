"""What type checkers and editors see: the stub of the package, and the arguments of each task.

`python tools/public_names.py` prints both files, `--write` replaces them. Names are imported when
they are first used, so the stub names every public object (src/tokenbench/__init__.pyi). All tasks
share one `generate`, so a protocol for each names its own languages, variants and parameters
(src/tokenbench/tasks/signatures.py).
"""

import sys
from importlib import import_module
from pathlib import Path
from textwrap import fill
from typing import Any, Final

from tokenbench.builtin import BUILTIN
from tokenbench.tasks import Task, task
from tokenbench.tasks.params import Choice, IntRange, Param

PACKAGE: Final = Path(__file__).parents[1] / "src" / "tokenbench"
_WIDTH: Final = 100
_INDENT: Final = " " * 12

_HEAD: Final = '''\
"""The arguments of each task's `generate`, for type checkers; `make goldens` writes this file.

With a language or variant in a variable of type `str`, call `tokenbench.task(name).generate`.
"""

# fmt: off
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from os import PathLike
    from typing import Literal, Protocol, TypeAlias, overload

    from tokenbench.draw import Split
    from tokenbench.item import Item

    Number: TypeAlias = int | tuple[int, int] | list[int] | None
    Path: TypeAlias = str | PathLike[str]
'''
_TAIL: Final = """
else:
    # To make the classes would take longer than to import a task.
    def __getattr__(name: str) -> Any:
        return Any
"""


def files() -> dict[Path, str]:
    """Return the text of each file that this command writes."""
    return {PACKAGE / "__init__.pyi": stub(), PACKAGE / "tasks" / "signatures.py": signatures()}


def stub() -> str:
    """Return the text of the stub."""
    package: Any = import_module("tokenbench")  # its own stub does not have private names
    homes: dict[str, list[str]] = {"tokenbench": list(package._PACKAGES)}
    for name, module in package._HOMES.items():
        homes.setdefault(f"tokenbench.{module}", []).append(name)
    for module in BUILTIN.values():
        parent, _, name = module.rpartition(".")
        homes.setdefault(parent, []).append(name)
    lines = [
        f"from {module} import {name} as {name}"
        for module in sorted(homes)
        for name in sorted(homes[module])
    ]
    return "\n".join([*lines, "", "__version__: str", "__all__: list[str]", ""])


def signatures() -> str:
    """Return the text of the module with a protocol, or another name of an equal one, per task."""
    protocols: dict[str, str] = {}
    texts = [_HEAD]
    for name in BUILTIN:
        body, title = _calls(task(name)), protocol_name(name)
        if body in protocols:
            texts.append(f"    {title}: TypeAlias = {protocols[body]}\n")
        else:
            protocols[body] = title
            texts.append(f"\n    class {title}(Protocol):\n{body}\n")
    return "\n".join(texts) + _TAIL


def protocol_name(name: str) -> str:
    """Return the name of a task's protocol.

    >>> protocol_name("find_last")
    'FindLast'
    """
    return name.title().replace("_", "")


def _calls(record: Task) -> str:
    """Return the methods of a task's protocol; a language of the user's own needs a pack."""
    lang = f"{_literal(record.langs)} | None = None"
    if not record.accepts_any_language:
        return _call(record, lang)
    any_language = _call(record, "str", pack="Path")
    return "\n".join(f"        @overload\n{call}" for call in (_call(record, lang), any_language))


def _call(record: Task, lang: str, **types: str) -> str:
    variant = f"{_literal(record.variants)} | None" if record.variants else "None"
    arguments = {
        "lang": lang,
        "variant": f"{variant} = None",
        "seed": "int = 0",
        "split": 'Split = "train"',
        "level": "int | None = None",
        "index": "int = 0",
        **{param.name: f"{_type(param)} = None" for param in record.params},
        **types,
    }
    text = ", ".join(f"{name}: {kind}" for name, kind in arguments.items())
    # Lines end after commas.
    text = f"self, *, {text},".replace(" ", "\0").replace(",\0", ", ")
    wrapped = fill(text, _WIDTH, initial_indent=_INDENT, subsequent_indent=_INDENT)
    return "        def __call__(\n{}\n        ) -> Item: ...".format(wrapped.replace("\0", " "))


def _type(param: Param) -> str:
    """Return the type of a parameter's values; None is as if it is not given."""
    if isinstance(param, IntRange):
        return "Number"
    return f"{_literal(param.options)} | None" if isinstance(param, Choice) else "Path | None"


def _literal(names: tuple[str, ...]) -> str:
    return "Literal[{}]".format(", ".join(f'"{name}"' for name in names))


if __name__ == "__main__":
    for path, text in files().items():
        if sys.argv[1:] == ["--write"]:
            path.write_text(text, encoding="utf-8")
        else:
            print(text, end="")
