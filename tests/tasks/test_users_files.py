"""Users' own word lists and texts: what they hold decides, not where they lie."""

import re
from pathlib import Path

import pytest

from tokenbench import task
from tokenbench.tasks import BUILTIN
from tokenbench.tasks.spec import Source

WORDS = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda"
TAKEN = [
    (name, param.name)
    for name in BUILTIN
    for param in task(name).params
    if isinstance(param, Source) and not param.binary
]


@pytest.mark.parametrize(("name", "parameter"), TAKEN)
def test_where_a_users_file_lies_changes_nothing(name: str, parameter: str, tmp_path: Path) -> None:
    content = WORDS if parameter == "text" else WORDS.replace(" ", "\n")
    paths = [tmp_path / "a.txt", tmp_path / "there" / "b.txt"]
    for path in paths:
        path.parent.mkdir(exist_ok=True)
        path.write_text(content, encoding="utf-8")
    known = {param.name for param in task(name).params}
    given = {"length": 10 if name == "freq" else 6} if "length" in known else {}
    for index in range(10):
        here, there = (
            task(name).generate(index=index, **given, **{parameter: str(path)})  # type: ignore[arg-type]
            for path in paths
        )
        assert (here.prompt, here.target, here.id) == (there.prompt, there.target, there.id)
        assert re.match(r"a\.txt sha256:[0-9a-f]{12}", here.meta["source"])
