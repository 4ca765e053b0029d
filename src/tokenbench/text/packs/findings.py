"""What a language pack lacks, for translators: every fault with the line where it stands."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, Literal, NamedTuple, TypeAlias

from tokenbench.draw import SPLITS, split_of
from tokenbench.errors import SourceError
from tokenbench.text.packs.model import Pack, as_path, facts_at, written_at
from tokenbench.text.packs.prose import numbered
from tokenbench.text.packs.rows import ASKED, Row, row_faults, rows_of, size
from tokenbench.text.packs.shipped import pack as shipped
from tokenbench.text.segmented import Line

Kind: TypeAlias = Literal["lacks", "note"]

_SENTENCES: Final = 300
_WORDS: Final = 100  # of two characters or more
_CHARACTERS: Final = 12
_EXAMPLE: Final = "en"  # the pack with which all others are aligned
_UNCUT: Final = 24  # characters of a word that surely is several
_NAMED: Final = 5  # lines that one message names


class Finding(NamedTuple):
    """A fault of a language pack: what must be mended (`lacks`), or what to look at (`note`).

    `about` names the check in a word; `line` counts from 1 and is None where the fault is the
    whole pack's.
    """

    kind: Kind
    about: str
    message: str
    line: int | None = None


class Portion(NamedTuple):
    """What a split has of a pack: sentences, and words of two characters or more."""

    sentences: int
    words: int


def findings(path: str | os.PathLike[str], *, lang: str | None = None) -> tuple[Finding, ...]:
    """Return what a language pack lacks or has wrong, the whole pack's faults first.

    A folder is checked as its files stand; a text file as `Pack.from_text` reads it.

    Args:
        path: the pack's folder, or a text file.
        lang: the code of its language; None is as `pack.toml` says, else the folder's name. A
            text file needs it.

    Raises:
        SourceError: there is no such folder or file, a file cannot be read, or it is a text file
            and no language is given.

    >>> import tempfile
    >>> from tokenbench.text.packs import pack
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     pack("xh").save(folder)
    ...     findings(folder)
    ()
    """
    return found_in(path, *checked(path, lang=lang))


def found_in(path: str | os.PathLike[str], pack: Pack, rows: Sequence[Row]) -> tuple[Finding, ...]:
    """Return what a pack lacks or has wrong that `checked` read at a path."""
    whole = [*_of_extent(pack), *_of_place(pack, rows)]
    if os.path.isdir(path):
        whole = [*_of_facts(Path(path)), *whole, *_of_alignment(rows)]
    return (*whole, *(Finding(*fault) for fault in row_faults(rows, joined=pack.joined)))


def checked(
    path: str | os.PathLike[str], *, lang: str | None = None
) -> tuple[Pack, tuple[Row, ...]]:
    """Return the pack at a path, perhaps of no sentences, and its sentences as they are written.

    Raises:
        SourceError: as `findings` says.
    """
    if not os.path.isdir(as_path(path)):
        if not os.path.exists(path):
            raise SourceError(f"cannot read {path!r}: give a pack's folder, or a text file")
        if lang is None:
            raise SourceError(f"'{path}' is not a folder: say what language the text file is in")
        rows = tuple(Row(number, line.text, line) for number, line in numbered(path, lang))
        joined = any(not row.line.space for row in rows)
        return Pack(lang, lang, tuple(row.line for row in rows), joined), rows
    found, text = written_at(path, lang)
    return found, tuple(rows_of(text, joined=found.joined))


def portions(pack: Pack) -> dict[str, Portion]:
    """Return how much of a pack each split has: the text itself, in lower case, decides.

    >>> from tokenbench.text.packs import pack
    >>> portions(pack("en"))["test"]
    Portion(sentences=33, words=92)
    """
    words = [word for word in pack.vocabulary if size(word) > 1]
    found = {}
    for split in SPLITS:
        sentences = sum(split_of(line.text.lower()) == split for line in pack.sentences)
        found[split] = Portion(sentences, sum(split_of(word.lower()) == split for word in words))
    return found


def _of_facts(folder: Path) -> Iterator[Finding]:
    facts = facts_at(folder)
    if not str(facts.get("name", "")).strip():
        yield Finding(
            "lacks", "name", 'pack.toml has no name = "…", the language\'s own for itself'
        )
    if not str(facts.get("notes", "")).strip():
        yield Finding("note", "notes", 'pack.toml has no notes = "…", what translators should know')


def _of_extent(pack: Pack) -> Iterator[Finding]:
    """Yield what there is too little of."""
    found = portions(pack)
    if (given := len(pack.sentences)) < _SENTENCES:
        yield Finding("lacks", "sentences", f"{given} sentences: {_SENTENCES} are needed")
    words = sum(portion.words for portion in found.values())
    if words < _WORDS:
        message = f"{words} different words of two or more characters: {_WORDS} are needed"
        yield Finding("lacks", "words", message)
    if (held := len(pack.alphabet)) < _CHARACTERS:
        message = f"{held} different characters in its words: {_CHARACTERS} are needed"
        yield Finding("lacks", "alphabet", message)
    for split, portion in found.items():
        for part, number in portion._asdict().items():
            if not number:
                yield Finding("lacks", "splits", f"no {part} fall to the split {split!r}: add text")


def _of_place(pack: Pack, rows: Sequence[Row]) -> Iterator[Finding]:
    """Yield whether words are set apart at all."""
    if pack.joined or not rows:
        return
    longest = sorted(max(map(size, row.line.units), default=0) for row in rows)
    if longest[len(longest) // 2] > _UNCUT:
        yield Finding(
            "lacks",
            "segments",
            "words do not seem to be set apart: set joined = true in pack.toml and put a space "
            "between every two words and marks of sentences.txt",
        )


def _of_alignment(rows: Sequence[Row]) -> Iterator[Finding]:
    """Yield where a pack does not tell what the packs that ship tell on the same line."""
    wanted = shipped(_EXAMPLE).sentences
    if len(rows) != len(wanted):
        message = f"{len(rows)} sentences, where the packs that ship tell the same {len(wanted)}"
        yield Finding("note", "alignment", message)
        return
    others = [
        row.number for row, line in zip(rows, wanted, strict=True) if _asks(row.line) != _asks(line)
    ]
    if others:
        named = ", ".join(map(str, others[:_NAMED])) + (" …" if len(others) > _NAMED else "")
        message = f"questions and statements are not where the packs that ship have them: {named}"
        yield Finding("note", "alignment", message, others[0])


def _asks(line: Line) -> bool:
    return not set(ASKED).isdisjoint("".join(line.gaps))
