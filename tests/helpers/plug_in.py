"""A small distribution that brings a task of its own, that of CONTRIBUTING.md, as others do.

`install` puts it where a Python finds it, the way pip does: a package, and next to it a folder of
metadata with its entry points. `offer` writes such metadata for any package.
"""

import re
from pathlib import Path
from typing import Final

# Not the guide's own name, which a built-in task may have after a try of the guide.
NAME: Final = "strangers_vowels"
GUIDE: Final = Path(__file__).parents[2] / "CONTRIBUTING.md"


def install(folder: Path) -> None:
    """Write the distribution into a folder that is to be on Python's path."""
    guide = GUIDE.read_text(encoding="utf-8")
    guide = guide[guide.index("## How to add a task") : guide.index("## How to add a language")]
    source, *_ = re.findall(r"```python\n(.*?)```", guide, re.DOTALL)
    declared = re.findall(r'```toml\n\[project.entry-points."(.+)"\]\n(.+) = "(.+)"\n```', guide)
    ((group, _, target),) = declared
    module = folder.joinpath(*target.partition(":")[0].split(".")).with_suffix(".py")
    module.parent.mkdir(parents=True)
    (module.parent / "__init__.py").touch()
    module.write_text(source.replace('name="vowels"', f'name="{NAME}"'), encoding="utf-8")
    offer(folder, "vowels-plug-in", {NAME: target}, group)


def offer(
    folder: Path, package: str, points: dict[str, str], group: str = "tokenbench.tasks"
) -> None:
    """Write the metadata of a package: the target of each of its entry points."""
    info = folder / f"{package.replace('-', '_')}-1.0.dist-info"
    info.mkdir()
    metadata = f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n"
    (info / "METADATA").write_text(metadata, encoding="utf-8")
    lines = [f"[{group}]", *(f"{name} = {target}" for name, target in points.items()), ""]
    (info / "entry_points.txt").write_text("\n".join(lines), encoding="utf-8")
