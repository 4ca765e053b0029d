"""The pack: a language's sentences, and what is derived from them."""

import hashlib
import json
import os
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from tokenbench.errors import SourceError, TokenbenchError
from tokenbench.item import canonical
from tokenbench.text.graphemes import graphemes
from tokenbench.text.normalize import nfc, strip_invisible
from tokenbench.text.scripts import has_case
from tokenbench.text.segmented import Line, from_segments, sentence
from tokenbench.text.sources import CACHE_SIZE, FileStamp, read_text, stamp

FACTS: Final = "pack.toml"
SENTENCES: Final = "sentences.txt"

_COMMAS: Final = " ,;،؛፣፤、"  # and spaces: what stands between words without beginning anything


@dataclass(frozen=True)
class Pack:
    """A language's sentences; its vocabulary and alphabet are what they hold.

    Packs of the same attributes are equal, and they pickle.

    Attributes:
        lang: the language's code.
        name: the language's name for itself.
        sentences: lines of words, in NFC.
        joined: whether words are written without spaces between them.
        notes: what translators should know.
        key: for an enciphered pack, the plain characters' ciphers; else empty.
    """

    lang: str
    name: str
    sentences: tuple[Line, ...]
    joined: bool = False
    notes: str = ""
    key: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    @cached_property
    def vocabulary(self) -> tuple[str, ...]:
        """The different words of letters, in the order in which they first occur.

        Where letters have cases, the first word of a sentence, or of what is said in it, owes its
        own to its place: it counts only where it also occurs further on.
        """
        words: dict[str, None] = {}
        for line in self.sentences:
            for place, (gap, word) in enumerate(zip(line.gaps, line.units, strict=False)):
                within = place and not gap.strip(_COMMAS)
                if (within or not has_case(word)) and _is_of_letters(word):
                    words.setdefault(word)
        return tuple(words)

    @cached_property
    def alphabet(self) -> tuple[str, ...]:
        """The characters (grapheme clusters) of the vocabulary, the most frequent first."""
        counted = Counter(unit for word in self.vocabulary for unit in graphemes(word))
        return tuple(unit for unit, _ in counted.most_common())

    @cached_property
    def common(self) -> tuple[str, ...]:
        """The characters of the alphabet that occur in several words, else all of them."""
        counted = Counter(unit for word in self.vocabulary for unit in set(graphemes(word)))
        return tuple(unit for unit in self.alphabet if counted[unit] > 1) or self.alphabet

    @cached_property
    def digest(self) -> str:
        """A hash (64 hex digits) of all that items are made of: language and sentences."""
        lines = [[*line.units, *line.gaps] for line in self.sentences]
        return hashlib.sha256(canonical([self.lang, self.joined, lines])).hexdigest()

    @property
    def source(self) -> str:
        """The label by which an item's meta names the pack."""
        return f"pack {self.lang} sha256:{self.digest[:12]}"

    def __hash__(self) -> int:
        return hash(self.digest)  # computed once: caches look packs up for every item

    def __reduce__(self) -> tuple[Any, ...]:
        held = (self.lang, self.name, self.sentences, self.joined, self.notes, dict(self.key))
        return _unpickled, held  # views of mappings do not pickle

    def __repr__(self) -> str:
        return f"<Pack {self.lang} ({self.name}): {len(self.sentences)} sentences>"

    @classmethod
    def from_text(
        cls,
        path: str | os.PathLike[str],
        *,
        lang: str,
        segmenter: str | Callable[[str], Iterable[str]] | None = None,
        name: str = "",
    ) -> "Pack":
        """Return a pack of the sentences in a text file, which may be prose or a sentence a line.

        Kept are different sentences of 3 to 30 words, in NFC and without zero-width characters.
        Where the text writes final marks, a sentence ends with its only one and does not begin
        with a small letter: what may have been cut in the wrong place is left out.

        Args:
            path: a UTF-8 text file.
            lang: the code of its language.
            segmenter: cuts a sentence into words, for languages that write no spaces between
                them: `rjieba` (Chinese), `sudachi` (Japanese; both the extra `segmenters`),
                `spaces` for a text whose words are already set apart by spaces, or a function from
                a sentence to its words and marks. None is for languages that write spaces; for
                `zh` and `ja` it is their segmenter.
            name: the language's name for itself; its code where it is empty.

        Raises:
            SourceError: the file cannot be read as UTF-8, or holds no such sentence; or the
                language is no code.
            MissingExtraError: the segmenter is not installed, or what cuts several sentences on
                a line or over lines (the extra `segmenters`): a sentence a line needs nothing.
            UnknownNameError: no such segmenter.
            TokenbenchError: a segmenter that fails, or cuts into what is no text.
        """
        from tokenbench.text.packs.prose import numbered

        found = tuple(line for _, line in numbered(path, lang, segmenter))
        return cls(lang, name or lang, found, joined=not found[0].space)

    @classmethod
    def from_folder(cls, path: str | os.PathLike[str], *, lang: str | None = None) -> "Pack":
        """Return the pack that a folder holds.

        Args:
            path: the folder.
            lang: the code of its language; None is as `pack.toml` says, else the folder's name.

        Raises:
            SourceError: a file is missing, or not as a pack's files are; the message says where.
        """
        found, _ = written_at(path, lang)
        if not found.sentences:
            folder = Path(path)
            raise SourceError(f"'{folder / SENTENCES}' holds no sentences: write one a line")
        return found

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the pack as a folder, which `from_folder` reads.

        Raises:
            SourceError: the folder cannot be written.
        """
        folder = as_path(path)
        facts = {"name": self.name, "lang": self.lang, "notes": self.notes}
        head = [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in facts.items()]
        if self.joined:
            head.append("joined = true")
        written = [
            " ".join(_segments(line)) if self.joined else line.text for line in self.sentences
        ]
        try:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / FACTS).write_text("\n".join(head) + "\n", encoding="utf-8")
            (folder / SENTENCES).write_text("\n".join(written) + "\n", encoding="utf-8")
        except OSError as error:
            raise SourceError(f"cannot write {str(folder)!r}: {error.strerror}") from None


def as_pack(given: object) -> Pack:
    """Return an argument that has to be a pack.

    Raises:
        TokenbenchError: it is none.
    """
    if isinstance(given, Pack):
        return given
    raise TokenbenchError(f"{given!r:.80} is no Pack: give one, such as pack('en')")


def as_path(given: object) -> Path:
    """Return an argument that has to be a path.

    Raises:
        SourceError: it is none.
    """
    if isinstance(given, str | os.PathLike):
        return Path(given)
    raise SourceError(f"{given!r:.80} is no path: give a pack's folder")


def written_at(path: str | os.PathLike[str], lang: str | None) -> tuple[Pack, str]:
    """Return the pack that a folder holds, perhaps of no sentences, and its sentences' file.

    Raises:
        SourceError: as in `Pack.from_folder`, but for the sentences.
    """
    folder = as_path(path)
    if not (folder / SENTENCES).is_file():
        raise SourceError(
            f"'{folder}' holds no {SENTENCES}: give a pack's folder, with a sentence a line in it"
        )
    text = read_text(stamp(str(folder / SENTENCES))).text
    facts = facts_at(folder)
    found = from_texts(lang or str(facts.get("lang", folder.resolve().name)), facts, text)
    return found, text


def from_texts(lang: str, facts: Mapping[str, Any], text: str) -> Pack:
    """Return the pack of what its two files hold.

    Raises:
        SourceError: `joined` is neither true nor false.
    """
    joined = facts.get("joined", False)
    if not isinstance(joined, bool):
        raise SourceError(f"joined = {joined!r} in a {FACTS}: true or false is needed")
    found = tuple(read(line, joined=joined) for line in text.splitlines() if line.strip())
    return Pack(lang, str(facts.get("name", lang)), found, joined, str(facts.get("notes", "")))


def read(written: str, *, joined: bool) -> Line:
    """Return a line of a pack's sentences as units, in NFC and without zero-width characters."""
    text = nfc(strip_invisible(written))
    return from_segments(text.split()) if joined else sentence(" ".join(text.split()))


def pack_at(path: str, lang: str) -> Pack:
    """Return the pack at a path: a folder, or a text file of sentences.

    Raises:
        SourceError: neither, or not as a pack's files are.
        MissingExtraError: as in `Pack.from_text`.
    """
    folder = Path(path)
    if not folder.is_dir():
        return _of_text(stamp(path), lang)
    files = (folder / FACTS, folder / SENTENCES)
    return _of_folder(path, lang, tuple(stamp(str(file)) for file in files if file.exists()))


@lru_cache(maxsize=CACHE_SIZE)
def _of_text(file: FileStamp, lang: str) -> Pack:
    return Pack.from_text(file.path, lang=lang)


@lru_cache(maxsize=CACHE_SIZE)
def _of_folder(path: str, lang: str, files: tuple[FileStamp, ...]) -> Pack:  # noqa: ARG001
    """Return the pack of a folder whose files stand as they do now: other files are another."""
    return Pack.from_folder(path, lang=lang)


def facts_at(folder: Path) -> dict[str, Any]:
    """Return what a pack's folder says of its language; nothing where it says nothing.

    Raises:
        SourceError: the file is not TOML.
    """
    path = folder / FACTS
    if not path.exists():
        return {}
    try:
        return tomllib.loads(read_text(stamp(str(path))).text)
    except tomllib.TOMLDecodeError as error:
        raise SourceError(f"'{path}' is not TOML: {error}") from None


def _unpickled(
    lang: str, name: str, sentences: tuple[Line, ...], joined: bool, notes: str, key: dict[str, str]
) -> Pack:
    return Pack(lang, name, sentences, joined, notes, MappingProxyType(key))


def _segments(line: Line) -> list[str]:
    found = [line.gaps[0]]
    for unit, gap in zip(line.units, line.gaps[1:], strict=True):
        found += [unit, *gap.replace(" ", "")]
    return list(filter(None, found))


def _is_of_letters(word: str) -> bool:
    """Return whether a word is letters and their marks: no digits, hyphens or joiners."""
    from regex import fullmatch

    return fullmatch(r"\p{L}[\p{L}\p{M}]*", word) is not None
