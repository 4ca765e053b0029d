"""Decontamination: which items' text occurs in files of yours, such as a test set.

What counts is the item's payload: the word or pair that the question names, or that is its answer,
and each paragraph between the question and the sentence that asks for tags, without a label such as
`A:`. A task of another package names a word by quoting it, or as `word` in the facts that it draws.
An item is left out if one of these is the whole of a line, of a table's cell or of a JSON value, or
if, for one of the paragraphs,

* at least half (`overlap`) of its runs of eight words or sixteen characters occur in the files; or
* it is shorter than a run, but has at least four units, and they occur in the files in a row; or
* it has fewer units, and is the whole of a line, of a table's cell or of a JSON string there.

An item without such a paragraph (a question alone, or a published item) is left out if its whole
prompt occurs there.

A unit is a word or, in scripts that are written without spaces and in Hangul, one character; letter
case, width, white space and punctuation make no difference. Memory: 16 bytes for each unit of the
files, of which there may be four billion.
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, Final, NamedTuple

from tokenbench.answers.text import Text
from tokenbench.builtin import BUILTIN
from tokenbench.checks import number
from tokenbench.errors import DifficultyError, SourceError, TokenbenchError
from tokenbench.item import Item, as_items
from tokenbench.item_sources import finite
from tokenbench.quoting import first_few
from tokenbench.tasks import find_task
from tokenbench.tasks.wordings import closing, read_slots
from tokenbench.text.languages import language

_SUFFIXES: Final = (".csv", ".json", ".jsonl", ".md", ".ndjson", ".tsv", ".txt")
_JSON_SUFFIXES: Final = (".json", ".jsonl", ".ndjson")
# What a question calls the word that it asks about. A word that it asks about in a sentence or list
# is not what leaves it out: common ones would leave out most.
_WORD_SLOTS: Final = ("word", "whole", "join")
_WORD_FACTS: Final = ("word", "whole", "character")
_QUOTED: Final = re.compile(
    r'"[^"\n]+"|“[^“”]+”|„[^„“”]+[“”]|”[^”]+”|‘[^‘’]+’(?!\w)|«[^«»]+»|»[^»«]+«|「[^「」]+」|『[^『』]+』'
)
# A single character before it is a letter, which is not what a question is about.
_FIRST_IDEOGRAPH: Final = "\u3400"
_CHUNK_CHARS: Final = 1_000_000
# Characters to read again with the next chunk: the index looks for 64 units in a row at most, which
# may be words, each of whose letters is an escape of six characters in JSON.
_CHUNK_OVERLAP: Final = 6_000
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4}(?:\\u[0-9a-fA-F]{4})*)|([nrtbf])|(.))", re.DOTALL)
# The values of files. The last chunk gets an end that completes each.
_CSV_CELL: Final = (
    r'(?:"([^"]*(?:""[^"]*)*)"(?!")[^DELIMITER\n]*|([^"DELIMITER\n][^DELIMITER\n]*|))'
    r"[DELIMITER\n]|(?P<open>.+)"
)
_CHARACTERS: Final = r'[^"\\\n]*(?:\\[^\n][^"\\\n]*)*'
# A string, a key, a string that is not closed yet, all else.
_JSON_STRING: Final = (
    rf'"({_CHARACTERS})"(?=\s*[^\s:])|"{_CHARACTERS}"\s*:|'
    rf'(?P<open>"{_CHARACTERS}(?:\\|"\s*)?\Z)|[^"]+'
)
_END: Final = "\n,"
# Characters of an open value: most to keep, and most to look for.
_MAX_OPEN_CHARS: Final = 1_000_000
_MAX_VALUE_CHARS: Final = 1000
_LABEL = re.compile(r"\A[^\n:：]{1,16}[:：][ \u3000]*")


class LeftOut(NamedTuple):
    """An item whose text occurs in a file, the text, and the share of it that occurs there.

    `file` contains some of it at least: different parts may be in different files. `reason` says in
    words why the item is left out.
    """

    item: Item
    text: str
    share: float
    file: str
    reason: str


class Decontaminated(NamedTuple):
    """The items whose text occurs in no file, and the others, both in their order."""

    kept: list[Item]
    left_out: list[LeftOut]


def decontaminate(
    items: Iterable[Item | Mapping[str, Any] | str],
    files: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    *,
    overlap: float = 0.5,
) -> Decontaminated:
    """Separate the items whose text occurs in files of yours, such as a test set, from the others.

    Args:
        items: a dataset with an `n`, or any other items, their rows or their JSON text.
        files: UTF-8 text files: CSV, JSON Lines, plain text and others; for a folder, all files
            below it with one of these suffixes.
        overlap: the share of the runs of eight words (or sixteen characters) of a paragraph of the
            item that must occur in the files, above 0 and at most 1.

    Raises:
        SourceError: a file that cannot be read or is not UTF-8, a folder without such files.
        DifficultyError: an overlap outside its bounds.
        TokenbenchError: no files.
        EndlessError: a dataset without end.

    >>> from tempfile import NamedTemporaryFile
    >>> from tokenbench import dataset
    >>> data = dataset("reord", n=4)
    >>> with NamedTemporaryFile("w", suffix=".txt") as file:
    ...     _ = file.write(data[1].prompt)
    ...     file.flush()
    ...     kept, left_out = decontaminate(data, file.name)
    >>> len(kept), left_out[0].item == data[1], left_out[0].share
    (3, True, 1.0)
    """
    index = TextIndex(files, overlap)
    result = Decontaminated([], [])
    for item in as_items(finite(items)):
        found = index.find(item)
        if found is None:
            result.kept.append(item)
        else:
            result.left_out.append(found)
    return result


class TextIndex:
    """The text of files, for `decontaminate` and for streams of items.

    Args:
        files: as in `decontaminate`.
        overlap: likewise.
        progress: called with the number of characters of each piece that is read.

    Raises:
        SourceError, DifficultyError: as in `decontaminate`.
    """

    def __init__(
        self,
        files: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
        overlap: float = 0.5,
        progress: Callable[[int], None] = lambda n: None,  # noqa: ARG005
    ) -> None:
        overlap = number(
            "overlap",
            overlap,
            lambda share: 0 < share <= 1,
            "above 0 and at most 1",
            DifficultyError,
        )
        paths = self._paths = _check_paths(files)
        # Imported here because it needs NumPy.
        from tokenbench.text.unit_index import UnitIndex

        self._overlap, self._units = overlap, UnitIndex()
        for path in chain.from_iterable(map(_list_files, paths)):
            for text, values in _read_chunks(path, progress):
                self._units.add(text, path, values)
        self._units.sort()

    def __repr__(self) -> str:
        return f"<TextIndex of {first_few(self._paths)}, overlap={self._overlap}>"

    def find(self, item: Item) -> LeftOut | None:
        """Return where an item's text occurs in the files, or None if it does not."""
        prompt = item.prompt.removesuffix(closing(item.lang)).rstrip()
        payload = [] if prompt == item.prompt else prompt.split("\n\n")[1:]
        for text in _payload_texts(item, prompt, payload):
            if file := self._units.find_value(text):
                what = "a word" if len(text.split()) == 1 else "a text"
                place = "field" if _has_fields(file) else "line"
                reason = f"asks about {what} that is a {place} of {file}"
                return LeftOut(item, text, 1.0, file, reason)
        if not payload:
            return self._find_whole(item, prompt)
        return next(filter(None, (self._find_paragraph(item, text) for text in payload)), None)

    def _find_paragraph(self, item: Item, text: str) -> LeftOut | None:
        unlabelled = _LABEL.sub("", text)
        found = self._units.find(unlabelled, self._overlap)
        if found is None:
            # A short text must be a whole cell, and its label may be part of the cell.
            return self._find_whole(item, text)
        share, file = found
        return LeftOut(item, unlabelled, share, file, f"{share:.0%} of its text occurs in {file}")

    def _find_whole(self, item: Item, text: str) -> LeftOut | None:
        file = self._units.find_whole(text)
        if file is None:
            return None
        return LeftOut(item, text, 1.0, file, f"its whole text occurs in {file}")


def _payload_texts(item: Item, prompt: str, payload: list[str]) -> list[str]:
    """Return the word, pair, list or text that an item asks about, in its forms."""
    slots = read_slots(item.task, item.lang, prompt)
    texts = [slots[name] for name in _WORD_SLOTS if name in slots]
    if "join" in slots and "first" in slots:
        texts.append(f"{slots['first']} {slots['join'].removeprefix(slots['first'])}")
    drawn = item.meta.get("drawn")
    facts = drawn if isinstance(drawn, dict) else {}
    texts += [fact for name in _WORD_FACTS if isinstance(fact := facts.get(name), str)]
    if not texts:
        if item.task not in BUILTIN and not payload and prompt != item.prompt:
            texts.append(_find_quoted_words(item))
        if _is_answered_by_text(item):
            texts.append(item.solution)
    return texts + [_LABEL.sub("", text) for text in payload]


def _find_quoted_words(item: Item) -> str:
    """Return the words that a prompt quotes; of a pair both, since one alone is not the pair."""
    answer_words = language(item.lang).answer_words
    quoted = dict.fromkeys(match[0][1:-1].strip() for match in _QUOTED.finditer(item.prompt))
    words = [text for text in quoted if text.casefold() not in answer_words]
    longer = [text for text in words if len(text) > 1]
    return " ".join(longer or [text for text in words if text >= _FIRST_IDEOGRAPH])


def _is_answered_by_text(item: Item) -> bool:
    try:
        task = find_task(item.task)
        return task is not None and isinstance(task.kind(item.variant), Text)
    except (TokenbenchError, KeyError):
        # Items of a task that is not there can be compared nevertheless.
        return False


def _check_paths(files: Any) -> list[str]:
    """Return the paths of files.

    Raises:
        TokenbenchError: there are none, or something is not a path.
    """
    example = 'decontaminate(items, ["test.jsonl"])'
    if isinstance(files, str | os.PathLike):
        files = [files]
    if not isinstance(files, Iterable):
        raise TokenbenchError(f"files are paths, as in {example}: got {files!r:.80}")
    paths = list(files)
    for path in paths:
        if not isinstance(path, str | os.PathLike):
            raise TokenbenchError(f"files are paths, as in {example}: got {path!r:.80}")
    if not paths:
        raise TokenbenchError(f"no file to compare with: give at least one, as in {example}")
    return list(map(os.fspath, paths))


def _list_files(path: str) -> Iterator[str]:
    if not os.path.isdir(path):
        yield path
        return
    empty = True
    for folder, folders, names in os.walk(path):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if name.lower().endswith(_SUFFIXES):
                empty = False
                yield str(Path(folder, name))
    if empty:
        raise SourceError(f"{path!r} contains no file named {', '.join(_SUFFIXES)}")


def _read_chunks(path: str, progress: Callable[[int], None]) -> Iterator[tuple[str, str]]:
    """Yield a file's text in chunks that end between words and overlap a little.

    Each comes with the values that end in it, one a line.
    """
    is_json = path.lower().endswith(_JSON_SUFFIXES)
    resolve = _unescape if is_json else str
    readers: list[_ValueReader] = []
    rest = ""
    try:
        with open(path, encoding="utf-8-sig", newline="") as stream:
            while chunk := stream.read(_CHUNK_CHARS):
                progress(len(chunk))
                readers = readers or _value_readers(path, chunk)
                values = "\n".join(reader.read(chunk) for reader in readers)
                text = rest + chunk
                end = max(text.rfind("\n"), text.rfind(" ")) + 1
                if end < len(text) // 2:
                    # Without a good place, cut anywhere, so that the rest stays short.
                    end = len(text)
                yield resolve(text[:end]), resolve(values)
                rest = text[max(0, end - _CHUNK_OVERLAP) :]
    except OSError as error:
        raise SourceError(f"cannot read {path!r:.200}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise SourceError(f"{path!r} is not UTF-8 text: convert it") from None
    yield resolve(rest), resolve("\n".join(reader.read(_END) for reader in readers))


class _ValueReader:
    """The values of a file that is read in chunks, each only when it is complete."""

    def __init__(self) -> None:
        self._rest = ""

    def read(self, chunk: str) -> str:
        """Return the values that a chunk completes, one a line."""
        values, self._rest = self._cut(self._rest + chunk)
        if len(self._rest) > _MAX_OPEN_CHARS and not self._rest.rstrip().endswith('"'):
            # It is too long to be looked for: keep its beginning, which does not end it.
            self._rest = self._rest[0] + self._rest[1:_MAX_VALUE_CHARS].rstrip('\\"')
        return values

    def _cut(self, text: str) -> tuple[str, str]:
        """Return the complete lines and the fields between tabs in them, and the rest."""
        lines, _, rest = text.rpartition("\n")
        fields = lines.replace("\t", "\n") if "\t" in lines else ""
        return f"{lines}\n{fields}", rest


class _PatternReader(_ValueReader):
    """The values that match a pattern, of which `open` is one at the end of the text."""

    def __init__(self, pattern: str) -> None:
        super().__init__()
        self._pattern = re.compile(pattern, re.DOTALL)

    def _cut(self, text: str) -> tuple[str, str]:
        end, values = 0, []
        for match in self._pattern.finditer(text):
            if match.lastgroup == "open":
                break
            if match.lastindex:
                values.append(match[match.lastindex])
            end = match.end()
        return "\n".join(values), text[end:]


def _value_readers(path: str, beginning: str) -> list[_ValueReader]:
    """Return readers of all that is a value in a file: lines, cells, strings that are not keys."""
    if path.lower().endswith(_JSON_SUFFIXES):
        return [_PatternReader(_JSON_STRING)]
    if not path.lower().endswith(".csv"):
        return [_ValueReader()]
    heading = beginning.split("\n", 1)[0]
    delimiter = re.escape(max(",;\t|", key=heading.count))
    return [_ValueReader(), _PatternReader(_CSV_CELL.replace("DELIMITER", delimiter))]


def _has_fields(path: str) -> bool:
    return path.lower().endswith((*_JSON_SUFFIXES, ".csv", ".tsv"))


def _unescape(text: str) -> str:
    """Return JSON text with the escapes in its strings resolved."""

    def character(escape: re.Match[str]) -> str:
        codes, control, other = escape.groups()
        if codes:
            utf_16 = bytes.fromhex(codes.replace("\\u", ""))
            return utf_16.decode("utf-16-be", "surrogatepass")
        return "\n" if control else str(other)

    return _ESCAPE.sub(character, text) if "\\" in text else text
