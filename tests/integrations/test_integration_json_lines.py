"""Items in files of JSON Lines: round trips, and bad lines are named."""

import json
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenbench import Item, mixture
from tokenbench.cli import main
from tokenbench.errors import ItemError, SourceError
from tokenbench.integrations.json_lines import read, write

DATA = mixture({"spell:ko": 1.0, "freq:zh": 1.0}, n=12)


def test_items_come_back_whatever_form_they_were_given_in(tmp_path: Path) -> None:
    file = tmp_path / "items.jsonl"
    assert write(file, [DATA[0], DATA[1].row(), DATA[2].json(), *DATA[3:]]) == 12
    assert list(read(file)) == list(DATA)
    assert write(file, []) == 0
    assert list(read(file)) == []
    assert [path.name for path in tmp_path.iterdir()] == ["items.jsonl"]


@settings(max_examples=50)
@given(st.text(), st.text(), st.text(min_size=1) | st.none())
def test_any_text_survives(prompt: str, target: str, variant: str | None) -> None:
    item = Item("spell", 1, "en", variant, prompt, target, "a\u2028b\x85", {"k": [prompt]})
    with TemporaryDirectory() as folder:
        write(Path(folder) / "items.jsonl", [item, item])
        assert list(read(Path(folder) / "items.jsonl")) == [item, item]


@pytest.mark.parametrize("rows", [[], ["--rows"]])
def test_files_of_the_command_line_are_read(
    tmp_path: Path, rows: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "items.jsonl"
    told = ["tokenbench", "items", "-t", "spell:ko", "-t", "freq:zh", "-n", "12", "-o", str(file)]
    monkeypatch.setattr("sys.argv", told + rows)
    with pytest.raises(SystemExit) as ended:
        main()
    assert not ended.value.code
    assert sorted(item.json() for item in read(file)) == sorted(item.json() for item in DATA)


def test_lines_are_read_as_they_are_asked_for(tmp_path: Path) -> None:
    file = tmp_path / "items.jsonl"
    file.write_bytes(b"\xef\xbb\xbf" + DATA[0].json().encode() + b"\r\n\n" + b"no item\n")
    items = read(file)
    assert list(islice(items, 1)) == [DATA[0]]
    with pytest.raises(SourceError, match=r"items\.jsonl:3: "):
        next(items)


@pytest.mark.parametrize("line", [b"[]", b"3", b"{}", b'{"task": "spell"', b"\xff", b"[" * 10**5])
def test_a_line_that_is_not_an_item_is_named(tmp_path: Path, line: bytes) -> None:
    file = tmp_path / "items.jsonl"
    file.write_bytes(line + b"\n")
    with pytest.raises(SourceError, match=r"items\.jsonl:1: "):
        list(read(file))


def test_files_that_cannot_be_read_or_written_are_reported(tmp_path: Path) -> None:
    for absent in (tmp_path / "absent", tmp_path):
        with pytest.raises(SourceError, match="cannot read"):
            next(read(absent))
    with pytest.raises(SourceError, match="cannot write"):
        write(tmp_path / "no" / "folder", DATA)
    with pytest.raises(ItemError):
        write(tmp_path / "items.jsonl", [DATA[0], json.dumps({})])
    assert list(tmp_path.iterdir()) == []
