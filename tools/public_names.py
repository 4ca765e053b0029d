"""The type stub of the package, which names every public object: src/tokenbench/__init__.pyi.

`python tools/public_names.py` prints it, `--write` replaces the file. Names are imported when they
are first used, so type checkers and editors need the stub to see them.
"""

import sys
from pathlib import Path
from typing import Final

import tokenbench
from tokenbench.builtin import BUILTIN

STUB: Final = Path(__file__).parents[1] / "src" / "tokenbench" / "__init__.pyi"


def stub() -> str:
    """Return the text of the stub."""
    homes = {f"tokenbench.{module}": [] for module in sorted({*tokenbench._HOMES.values()})}
    for name, module in tokenbench._HOMES.items():
        homes[f"tokenbench.{module}"].append(name)
    for module in BUILTIN.values():
        package, _, name = module.rpartition(".")
        homes.setdefault(package, []).append(name)
    homes["tokenbench"] = list(tokenbench._PACKAGES)
    lines = [
        f"from {module} import {name} as {name}"
        for module in sorted(homes)
        for name in sorted(homes[module])
    ]
    return "\n".join([*lines, "", "__version__: str", "__all__: list[str]", ""])


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        STUB.write_text(stub(), encoding="utf-8")
    else:
        print(stub(), end="")
