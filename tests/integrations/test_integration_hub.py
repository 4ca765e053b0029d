"""The folder for the Hub: files of items, and a card that describes them."""

import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tokenbench import Item, TokenbenchError, __version__, dataset, mixture, task
from tokenbench.errors import ItemError, MissingExtraError, SourceError
from tokenbench.integrations.arrow import read_parquet
from tokenbench.integrations.hub import write_folder

TRAIN = mixture({"spell:ko": 1.0, "compm:ko:combine": 1.0}, n=10, seed=7)
TEST = dataset("spell", lang="en", n=4, split="test")


def item_then_interrupt() -> Iterator[Item]:
    """Yield an item, and then Ctrl-C."""
    yield TEST[0]
    raise KeyboardInterrupt


def test_the_files_hold_the_items(tmp_path: Path) -> None:
    splits: dict[str, list[Any]] = {"train": [*TRAIN], "test": [item.row() for item in TEST]}
    write_folder(tmp_path, {"default": splits}, name="Items", licence="apache-2.0")
    assert list(read_parquet(tmp_path / "default" / "train.parquet")) == list(TRAIN)
    assert list(read_parquet(tmp_path / "default" / "test.parquet")) == list(TEST)


def test_the_card_says_what_made_the_items(tmp_path: Path) -> None:
    published = Item("spell", 1, "en", "char", "?", {}, "a", {"seed": None, "source": "a|b"})
    splits = {"train": [*TRAIN, published], "test": TEST}
    write_folder(tmp_path / "new", {"all": splits}, name="My items", licence="cc-by-4.0")
    card = (tmp_path / "new" / "README.md").read_text(encoding="utf-8")
    assert card.startswith('---\npretty_name: "My items"\nlicense: "cc-by-4.0"\nlanguage: ["en", ')
    assert f"By tokenbench {__version__}." in card
    assert "| all | train | 11 |\n| all | test | 4 |" in card
    spelled = [item for item in TRAIN if item.task == "spell"]
    spell = f"| spell | {task('spell').version} | char |"
    assert f"{spell} train | 7 | {spelled[0].meta['source']} | ko | {len(spelled)} |" in card
    assert f"{spell} test | 0 | {TEST[0].meta['source']} | en | 4 |" in card
    assert "| – | – | a\\|b | en | 1 |" in card


@pytest.mark.parametrize(
    ("configs", "message"),
    [
        ({}, "a mapping of splits"),
        ({"default": {}}, "a mapping of splits"),
        ({"train": [*TRAIN]}, "a mapping of splits"),
        ({"default": {"train": TRAIN}, "train": TEST}, "a mapping of splits"),
        ([TRAIN], "a mapping of splits"),
        ({"a/b": {"train": TRAIN}}, "names of letters"),
        ({"..": {"train": TRAIN}}, "names of letters"),
        ({"a": {"my split": TRAIN}}, "names of letters"),
    ],
)
def test_names_that_the_hub_does_not_take_are_refused_before_anything_is_written(
    tmp_path: Path, configs: Any, message: str
) -> None:
    with pytest.raises(TokenbenchError, match=message):
        write_folder(tmp_path / "new", configs, name="Items", licence="mit")
    with pytest.raises(TokenbenchError, match="a licence such as"):
        write_folder(tmp_path / "new", {"a": {"b": TRAIN}}, name="Items", licence=" ")
    wrongs: list[dict[str, Any]] = [{"name": 3, "licence": "mit"}, {"name": "a", "licence": None}]
    for wrong in wrongs:
        with pytest.raises(TokenbenchError, match="expected a string"):
            write_folder(tmp_path / "new", {"a": {"b": TRAIN}}, **wrong)
    assert not (tmp_path / "new").exists()


def test_nothing_that_is_there_is_written_over(tmp_path: Path) -> None:
    (tmp_path / "mine").touch()
    with pytest.raises(SourceError, match="is not empty: give a folder of its own"):
        write_folder(tmp_path, {"a": {"train": TRAIN}}, name="Items", licence="mit")
    with pytest.raises(SourceError, match="cannot write to"):
        write_folder(tmp_path / "mine", {"a": {"train": TRAIN}}, name="Items", licence="mit")
    with pytest.raises(ItemError):
        write_folder(tmp_path / "new", {"a": {"train": ["?"]}}, name="Items", licence="mit")


@pytest.mark.parametrize(
    ("items", "error", "message"),
    [
        (list, TokenbenchError, "nothing to write: a/test has no item"),
        (lambda: iter(()), TokenbenchError, "nothing to write: a/test has no item"),
        (lambda: [TEST[0], "?"], ItemError, "not JSON text"),
        (item_then_interrupt, KeyboardInterrupt, None),
    ],
)
@pytest.mark.parametrize("there", [True, False])
def test_a_failed_call_leaves_nothing_behind(
    tmp_path: Path,
    items: Callable[[], Any],
    error: type[BaseException],
    message: str | None,
    there: bool,
) -> None:
    """So that a second call, with the mistake mended, finds the folder as the first did."""
    folder = tmp_path / "one" / "two"
    if there:
        folder.mkdir(parents=True)
    with pytest.raises(error, match=message):
        write_folder(folder, {"a": {"train": TRAIN, "test": items()}}, name="Items", licence="mit")
    assert folder.exists() == there
    assert (tmp_path / "one").exists() == there
    write_folder(folder, {"a": {"train": TRAIN, "test": TEST}}, name="Items", licence="mit")
    assert sorted(path.name for path in folder.iterdir()) == ["README.md", "a"]


def test_the_cards_example_names_the_folder_not_the_title(tmp_path: Path) -> None:
    write_folder(tmp_path / "items", {"a": {"train": TRAIN}}, name="My items", licence="mit")
    card = (tmp_path / "items" / "README.md").read_text(encoding="utf-8")
    assert 'folder = "items"' in card
    assert "load_dataset(folder, 'a', split='train')" in card


@pytest.mark.parametrize("absent", [["datasets"], ["datasets", "pyarrow"]])
def test_without_the_libraries_the_extra_that_brings_both_is_named(
    monkeypatch: pytest.MonkeyPatch, absent: list[str]
) -> None:
    name = "tokenbench.integrations.hf"
    for ours in (name, "tokenbench.integrations.arrow"):
        monkeypatch.delitem(sys.modules, ours, raising=False)
    for library in absent:
        monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingExtraError, match=r"tokenbench\[datasets\]"):
        import_module(name)
