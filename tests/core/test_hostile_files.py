"""Files made to hurt: each is read as text, or one clear error names it; none is waited for."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from growth import linear

from tokenbench.adt import read as read_journal
from tokenbench.cli.render import show_table, show_texts
from tokenbench.errors import TokenbenchError
from tokenbench.published import charbench, cute, execute, riddles, tase
from tokenbench.published.rows import PublishedRow
from tokenbench.published.tase import interpret_file
from tokenbench.tasks import task
from tokenbench.text.packs.model import Pack
from tokenbench.vocab import load

Reader = Callable[[Path], object]

CELLS = {
    "formula": '=cmd|"/C calc"!A0',
    "quote": '"',
    "unterminated": '"a\n' * 50,
    "nul": "a\0b",
    "escape": "\x1b]0;x\x07",
    "carriage return": "a\rb",
    "mark": "\ufeff\ufeffa",
    "huge": "a" * 10_000_000,
    "number": "9" * 5000,
    "not a number": "NaN",
    "columns": "a," * 100_000,
    "tabs": "\t" * 100_000,
    "lines": "\n" * 100_000,
    "brackets": "[" * 100_000,
    "braces": '{"a":' * 100_000,
    "flags": "🇦" * 100_000,
    "empty": "",
}
BYTES = {
    "invalid": b"\xff\xfe\x00",
    "cut": "가".encode()[:2],
    "zeros": b"\0" * 10_000,
    "utf-16": "a,b".encode("utf-16"),
    **{name: text.encode() for name, text in CELLS.items()},
}
TASE = '[{"task": "freq_count", "files": ["t/english.csv"], "evaluation": "number"}]'


def _tase(folder: Path, held: bytes) -> object:
    write(folder / "data" / "0.json", TASE.encode())
    write(folder / "t" / "english.csv", b"input,answer\n" + held)
    return tase.read(folder)


def _listing(folder: Path, held: bytes) -> object:
    write(folder / "data" / "0.json", held)
    return tase.read(folder)


def _cute(folder: Path, held: bytes) -> object:
    write(folder / "data" / "spell.tsv", b"input1\tlabel\n" + held)
    return cute.read(folder)


def _execute(folder: Path, held: bytes) -> object:
    write(folder / "ko" / "spell.tsv", b"input1\tlabel\n" + held)
    return execute.read(folder)


def _vocabulary(folder: Path, held: bytes) -> object:
    return load(write(folder / "vocabulary", held))


def _pack(folder: Path, held: bytes) -> object:
    write(folder / "pack.toml", held)
    write(folder / "sentences.txt", b"We go home.\n")
    return Pack.from_folder(folder, lang="en")


def _sentences(folder: Path, held: bytes) -> object:
    write(folder / "sentences.txt", b"We go home.\n" + held)
    return Pack.from_folder(folder, lang="en")


def _words(folder: Path, held: bytes) -> object:
    return task("freq").generate(words=str(write(folder / "words.txt", held)))


def _text(folder: Path, held: bytes) -> object:
    return task("sort").generate(text=str(write(folder / "text.txt", held)))


def _of(reader: Reader, name: str, head: bytes = b"") -> Callable[[Path, bytes], object]:
    return lambda folder, held: reader(write(folder / name, head + held))


READERS: dict[str, Callable[[Path, bytes], object]] = {
    "tase": _tase,
    "tase's listing": _listing,
    "cute": _cute,
    "execute": _execute,
    "charbench csv": _of(charbench.read, "a.csv", b"question,answer,word,character,task\n"),
    "charbench tsv": _of(charbench.read, "a.tsv", b"question\tanswer\tword\tcharacter\ttask\n"),
    "charbench json": _of(charbench.read, "a.json"),
    "charbench jsonl": _of(charbench.read, "a.jsonl"),
    "charbench parquet": _of(charbench.read, "a.parquet"),
    "riddles csv": _of(riddles.read, "a.csv", b"clue,answer\n"),
    "riddles jsonl": _of(riddles.read, "a.jsonl"),
    "journal": _of(read_journal, "a.jsonl"),
    "vocabulary": _vocabulary,
    "a pack's facts": _pack,
    "a pack's sentences": _sentences,
    "words": _words,
    "text": _text,
}


def write(path: Path, held: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(held)
    return path


@pytest.mark.sampled(4)
@pytest.mark.parametrize("about", BYTES)
@pytest.mark.parametrize("reader", READERS)
def test_a_hostile_file_is_read_or_refused_in_one_line(
    reader: str, about: str, tmp_path: Path
) -> None:
    said = ""
    try:
        READERS[reader](tmp_path, BYTES[about])
    except TokenbenchError as error:
        said = str(error)
    assert "\n" not in said
    assert len(said) < 100_000


QUESTIONS = (
    "\n", " ", "{", "{a", "seq 1:", "A:\n", "from a to ", "letters a occur in ", "letter ", "'",
    "“", "[0", "1", "(1,", "초성:", "결합", "：", "🇦", "How many times does a occur? ",
)  # fmt: skip
LANGS = ("en", "zh", "ko")
ASKED = (
    *((name, None, lang) for name in ("freq", "sort", "diff", "compc", "ridl") for lang in LANGS),
    *(("compm", variant, lang) for variant in ("split", "combine") for lang in LANGS),
    ("dot", "bitmap_to_char", "en"),
    ("var", None, "en"),
)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("name", "variant", "lang"), ASKED)
def test_a_question_of_any_length_is_read_in_time(
    name: str, variant: str | None, lang: str
) -> None:
    slow = []
    for unit in QUESTIONS:
        for label in (False, True):

            def read(text: str, label: bool = label) -> object:
                given = ("?", text) if label else (text, "a")
                return interpret_file([PublishedRow(name, variant, lang, *given)])

            if not linear(read, unit, 80_000):
                slow.append((unit, label))
    assert not slow


# Where files may lie.


@pytest.mark.parametrize(
    "name",
    [
        "../english.csv",
        "a/../../english.csv",
        "/etc/english.csv",
        "//host/a/english.csv",
        "C:/english.csv",
        "C:\\a/english.csv",
        "..\\a/english.csv",
        "a\0/english.csv",
        "\\\\host\\a/english.csv",
    ],
)
def test_a_listing_cannot_name_files_outside(name: str, tmp_path: Path) -> None:
    write(tmp_path / "english.csv", b"input,answer\nsecret,1\n")
    root = tmp_path / "root"
    named = json.dumps([{"task": "freq_count", "files": [name], "evaluation": "number"}])
    write(root / "data" / "0.json", named.encode())
    with pytest.raises(TokenbenchError, match="by its path below the root") as told:
        tase.read(root)
    assert "secret" not in str(told.value)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
@pytest.mark.parametrize("target", ["pipe", "device", "folder", "missing"])
def test_a_pipe_or_device_is_refused_without_waiting(target: str, tmp_path: Path) -> None:
    """A pipe has no end until somebody writes to it, /dev/zero never."""
    special = tmp_path / "special"
    if target == "pipe":
        os.mkfifo(special)
    elif target == "folder":
        special.mkdir()
    elif target == "device":
        special.symlink_to("/dev/zero")
    reads: list[Callable[[], object]] = [
        lambda: load(special) if target != "folder" else load(str(special)),
        lambda: task("freq").generate(words=str(special)),
        lambda: task("sort").generate(text=str(special)),
        lambda: Pack.from_text(special, lang="tr"),
        lambda: riddles.read(link("a.csv")),
        lambda: charbench.read(link("b.csv")),
        lambda: cute.read(link("data/spell.tsv").parent.parent),
        lambda: tase.read(make_checkout()),
    ]

    def link(name: str) -> Path:
        path = tmp_path / "root" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        path.symlink_to(special)
        return path

    def make_checkout() -> Path:
        write(tmp_path / "root" / "data" / "0.json", TASE.encode())
        link("t/english.csv")
        return tmp_path / "root"

    for read in reads:
        with pytest.raises(TokenbenchError, match=r"^[^\n]+$"):
            read()


# Output to a terminal.

HOSTILE = "\x1b]0;owned\x07\x9b31m\u202eevil[bold]\x7f"
STEERING = ("\x1b", "\x07", "\x9b", "\u202e", "\x7f")


@pytest.mark.parametrize("terminal", [False, True])
def test_no_text_steers_the_terminal(
    terminal: bool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tokenbench.cli.render.is_terminal", lambda **_: terminal)
    show_texts(HOSTILE, [(HOSTILE, HOSTILE), ("", HOSTILE)])
    show_table(["a"], [[HOSTILE]], title=HOSTILE)
    said = capsys.readouterr().out
    assert "evil[bold]" in said.replace("\n", "")
    assert [char for char in STEERING if char in said] == []


@pytest.mark.parametrize("command", ["show", "score"])
def test_a_hostile_item_is_only_shown(command: str, tmp_path: Path) -> None:
    row = task("freq").generate().row() | {"task": HOSTILE, "prompt": HOSTILE, "lang": "en"}
    row |= {"target": json.dumps({HOSTILE: HOSTILE}), "meta": json.dumps({HOSTILE: HOSTILE})}
    items = write(tmp_path / "items.jsonl", json.dumps(row).encode() + b"\n")
    given = write(tmp_path / "given.jsonl", json.dumps(HOSTILE).encode() + b"\n")
    args = ["show", str(items), "--reveal"]
    if command == "score":
        args = ["score", "--items", str(items), "--completions", str(given)]
    done = subprocess.run(
        [sys.executable, "-m", "tokenbench", *args], capture_output=True, text=True, check=False
    )
    assert "Traceback" not in done.stderr
    assert [char for char in STEERING if char in done.stdout + done.stderr] == []
