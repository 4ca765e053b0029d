"""What type checkers and editors see of the package: its stub, src/tokenbench/__init__.pyi.

`python tools/public_names.py` prints it, `--write` replaces it. Names are imported when they are
first used, so the stub names every public object.
"""

import sys
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from tokenbench.builtin import BUILTIN

STUB: Final = Path(__file__).parents[1] / "src" / "tokenbench" / "__init__.pyi"


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


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        STUB.write_text(stub(), encoding="utf-8")
    else:
        print(stub(), end="")
