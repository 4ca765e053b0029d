"""Users' own word lists and texts: their contents decide, not their paths."""

import re
from pathlib import Path
from typing import Any

import pytest

from tokenbench import prompt, task
from tokenbench.errors import ItemError, SourceError, UnknownNameError
from tokenbench.tasks import BUILTIN, attach_files, user_files
from tokenbench.tasks.params import Source

WORDS = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda"
TURKISH = Path(__file__).parents[1] / "helpers/turkish.txt"
TAKEN = [
    (name, param.name)
    for name in BUILTIN
    for param in task(name).params
    if type(param) is Source and not param.binary
]


def arguments(name: str, parameter: str, path: Path) -> dict[str, Any]:
    """Write a file that a task can draw from, and return the arguments that name it."""
    path.parent.mkdir(exist_ok=True)
    path.write_text(WORDS if parameter == "text" else WORDS.replace(" ", "\n"), encoding="utf-8")
    known = {param.name for param in task(name).params}
    given = {"length": 10 if name == "freq" else 6} if "length" in known else {}
    return {**given, parameter: str(path)}


@pytest.mark.parametrize(("name", "parameter"), TAKEN)
def test_where_a_users_file_lies_changes_nothing(name: str, parameter: str, tmp_path: Path) -> None:
    one, other = (arguments(name, parameter, tmp_path / file) for file in ("a.txt", "there/b.txt"))
    for index in range(10):
        here, there = (task(name).generate(index=index, **given) for given in (one, other))
        assert (here.prompt, here.target, here.id) == (there.prompt, there.target, there.id)
        assert re.match(r"a\.txt sha256:[0-9a-f]{12}", here.meta["source"])


@pytest.mark.parametrize(("name", "parameter"), TAKEN)
def test_a_users_file_that_moved_is_attached_and_one_that_changed_is_noticed(
    name: str, parameter: str, tmp_path: Path
) -> None:
    old, new = tmp_path / "a.txt", tmp_path / "b.txt"
    item = task(name).generate(**arguments(name, parameter, old))
    assert user_files(item) == {parameter: str(old)}
    old.rename(new)
    attached = attach_files(item, **{parameter: new})
    assert attached.id == item.id
    assert user_files(attached) == {parameter: str(new)}
    assert task(name).item(task(name).spec_of(attached)).id == item.id
    with pytest.raises(SourceError, match="no such file"):
        attach_files(item, **{parameter: tmp_path / "c.txt"})
    with pytest.raises(UnknownNameError, match=r"unknown argument of .* 'font'"):
        attach_files(item, font=new)
    new.write_text("omega\npsi\nchi\nphi\nupsilon\ntau\n", encoding="utf-8")
    for use in (task(name).spec_of, lambda one: attach_files(one, **{parameter: new})):
        with pytest.raises(SourceError, match=r"b\.txt' has changed: the item was drawn from 'a\."):
            use(attached)


def test_examples_come_from_the_pack_where_it_is_now(tmp_path: Path) -> None:
    old, new = tmp_path / "tr.txt", tmp_path / "new.txt"
    old.write_text(TURKISH.read_text(encoding="utf-8"), encoding="utf-8")
    item = task("spell").generate(lang="tr", pack=old)
    shown, rate = prompt(item, "fewshot"), task("spell").guess_rate(item)
    old.rename(new)
    for use in (task("spell").guess_rate, lambda one: prompt(one, "fewshot")):
        with pytest.raises(SourceError, match=r"no such file; .*; items drawn from it"):
            use(item)
    attached = attach_files(item, pack=new)
    assert (prompt(attached, "fewshot"), task("spell").guess_rate(attached)) == (shown, rate)
    assert attach_files(item.row(), pack=new) == attach_files(item.json(), pack=new) == attached
    with pytest.raises(ItemError, match="its row or its JSON text"):
        attach_files([item], pack=new)  # type: ignore[arg-type]
