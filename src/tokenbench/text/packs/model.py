"""The pack: a language's sentences, with vocabulary and alphabet, perhaps in an unseen script."""

import hashlib
import json
import os
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import cache, cached_property, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from tokenbench.checks import instance, one_of
from tokenbench.errors import Argument, SourceError, Words, expected, file_errors
from tokenbench.files import require_path
from tokenbench.item import canonical
from tokenbench.quoting import pluralize
from tokenbench.records import field, record, replace
from tokenbench.text.graphemes import Line, from_segments, graphemes, sentence
from tokenbench.text.languages import (
    LANGUAGES,
    is_language_code,
    language_code,
    unknown_language,
)
from tokenbench.text.normalize import nfc, strip_invisible
from tokenbench.text.sources import (
    CACHE_SIZE,
    FileStamp,
    data_table,
    data_text,
    read_text,
    reading,
    stamp,
)
from tokenbench.text.units import CIPHERS, cipher_letters, has_case

SENTENCES_FILE: Final = "sentences.txt"
FACTS_FILE: Final = "pack.toml"
_FOLDERS: Final = "tokenbench.text.languages"
# Marks, and spaces, after which nothing new begins.
_COMMAS: Final = " ,;،؛፣፤、"


@record()
class Pack:
    """A language's sentences, and the vocabulary and alphabet that occur in them.

    Packs of the same attributes are equal, and they pickle.

    Attributes:
        lang: the language's code.
        name: the language's name for itself.
        sentences: lines of words, in NFC.
        joined: whether words are written without spaces between them.
        notes: notes for translators.
        key: for an enciphered pack, the plain characters' ciphers; else empty.
    """

    lang: str
    name: str
    sentences: tuple[Line, ...]
    joined: bool = False
    notes: str = ""
    key: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "key", MappingProxyType(dict(self.key)))

    @cached_property
    def vocabulary(self) -> tuple[str, ...]:
        """The different words of letters, in the order in which they first occur.

        Where letters have cases, the first word of a sentence, or of speech in it, owes its capital
        to its position: it counts only if it also occurs further on.
        """
        from regex import fullmatch

        # Of letters and their marks alone: no digits, hyphens or joiners.
        words = (
            word
            for line in self.sentences
            for index, (gap, word) in enumerate(zip(line.gaps, line.units, strict=False))
            if ((index and not gap.strip(_COMMAS)) or not has_case(word))
            and fullmatch(r"\p{L}[\p{L}\p{M}]*", word)
        )
        return tuple(dict.fromkeys(words))

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
        """A hash (64 hex digits) of everything that shapes items: language and sentences."""
        lines = [[*line.units, *line.gaps] for line in self.sentences]
        return hashlib.sha256(canonical([self.lang, self.joined, lines])).hexdigest()

    @property
    def source(self) -> str:
        """The label by which an item's meta names the pack."""
        return f"pack {self.lang} sha256:{self.digest[:12]}"

    def __hash__(self) -> int:
        # Computed once: caches look packs up for every item.
        return hash(self.digest)

    def __reduce__(self) -> tuple[Any, ...]:
        # Views of mappings do not pickle.
        facts = (self.lang, self.name, self.sentences, self.joined, self.notes, dict(self.key))
        return Pack, facts

    def __repr__(self) -> str:
        return f"<Pack {self.lang} ({self.name}): {pluralize(len(self.sentences), 'sentence')}>"

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

        The pack has different sentences of 3 to 30 words, in NFC and without zero-width characters.
        Where the text writes final marks, a sentence ends with its only one and does not begin
        with a small letter: sentences that may have been cut in the wrong place are left out.

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
            SourceError: the file cannot be read as UTF-8, or has no such sentence; or `lang` is
                not a code.
            MissingExtraError: the segmenter is not installed, or the package that cuts several
                sentences on a line or over lines (the extra `segmenters`): a sentence a line needs
                neither.
            UnknownNameError: no such segmenter.
            TokenbenchError: a segmenter that returns anything but texts.
        """
        from tokenbench.text.packs.prose import sentences_with_lines

        found = tuple(line for _, line in sentences_with_lines(path, lang, segmenter))
        return cls(lang, name or lang, found, joined=not found[0].space)

    @classmethod
    def from_folder(cls, path: str | os.PathLike[str], *, lang: str | None = None) -> "Pack":
        """Return the pack in a folder.

        Args:
            path: the folder.
            lang: the code of its language; None is as in `pack.toml`, else the folder's name.

        Raises:
            SourceError: a file is missing or malformed; the message names it. Or nothing names the
                code of a language.
        """
        found, _ = read_folder(path, lang)
        if not found.sentences:
            file = Path(path) / SENTENCES_FILE
            raise SourceError(f"'{file}' has no sentences", remedy="write one a line")
        return found

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the pack as a folder, which `from_folder` reads.

        Raises:
            SourceError: the folder cannot be written.
        """
        folder = Path(require_path(path))
        facts: dict[str, object] = {"name": self.name, "lang": self.lang, "notes": self.notes}
        facts |= {"joined": True} if self.joined else {}
        # Texts and truth values look the same in TOML.
        head = [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in facts.items()]
        texts = [" ".join(_segments(line)) if self.joined else line.text for line in self.sentences]
        with file_errors("write", folder):
            folder.mkdir(parents=True, exist_ok=True)
            (folder / FACTS_FILE).write_text("\n".join(head) + "\n", encoding="utf-8")
            (folder / SENTENCES_FILE).write_text("\n".join(texts) + "\n", encoding="utf-8")


def pack(lang: str) -> Pack:
    """Return the language pack that ships for a language.

    Args:
        lang: a language code.

    Raises:
        UnknownNameError: there is no pack for it.

    >>> pack("zh").name, pack("zh").sentences[0].units[:3]
    ('中文', ('清晨', '老', '渔夫'))
    """
    if lang not in LANGUAGES:
        raise unknown_language("language of a pack", lang, LANGUAGES)
    return _load_pack(lang)


@cache
def _load_pack(lang: str) -> Pack:
    facts = data_table(_FOLDERS, lang, FACTS_FILE)
    return _parse_pack(lang, facts, data_text(_FOLDERS, lang, SENTENCES_FILE))


def pack_at(path: str, lang: str) -> Pack:
    """Return the pack at a path: a folder, or a text file of sentences.

    Raises:
        SourceError: neither, or malformed, or the folder's `pack.toml` names another language.
        MissingExtraError: as in `Pack.from_text`.
    """
    folder = Path(path)
    if not folder.is_dir():
        return _pack_at(path, lang, (stamp(path),))
    if (named := read_table(folder / FACTS_FILE).get("lang", lang)) != lang:
        problem = f"the pack '{path}' is in {named!r} by its {FACTS_FILE}, not in {lang!r}"
        raise SourceError(problem, remedy="name its own language, or correct the file")
    files = (folder / FACTS_FILE, folder / SENTENCES_FILE)
    return _pack_at(path, lang, tuple(stamp(str(file)) for file in files if file.exists()))


# The stamps of the files are part of the cache's key.
@lru_cache(maxsize=2 * CACHE_SIZE)
def _pack_at(path: str, lang: str, files: tuple[FileStamp, ...]) -> Pack:  # noqa: ARG001
    build = Pack.from_folder if os.path.isdir(path) else Pack.from_text
    return build(path, lang=lang)


def cipher(pack: Pack, script: str) -> Pack:
    """Return a pack with each character of its words replaced by one of another script.

    Different characters become different ones, also if only their case differs; the most frequent
    ones become the script's first letters. Marks and spaces stay. Source: EXECUTE, unseen scripts.

    Args:
        pack: a pack of words with few enough different characters.
        script: `Ethiopic`, `Tifinagh` or `Ol Chiki`.

    Raises:
        TokenbenchError: `pack` is not a Pack.
        UnknownNameError: no such script.
        SourceError: the pack has more different characters than the script, or some of the
            script's own.

    >>> from tokenbench.text.packs import pack
    >>> english = pack("en")
    >>> hidden = cipher(english, "Tifinagh")
    >>> decipher(hidden.sentences[0].text, hidden) == english.sentences[0].text
    True
    """
    one_of("script of a cipher", script, CIPHERS)
    return _apply_cipher(pack_or_raise(pack), script)


def encipher(text: str, pack: Pack) -> str:
    """Return a text in the cipher of an enciphered pack; characters without a cipher stay.

    >>> from tokenbench.text.packs import pack
    >>> encipher("tea at 5", cipher(pack("en"), "Tifinagh"))
    'ⴵⴰⴳ ⴳⴵ 5'
    """
    return _replace_characters(text, pack.key)


def decipher(text: str, pack: Pack) -> str:
    """Return the plain text of a text in the cipher of an enciphered pack.

    >>> from tokenbench.text.packs import pack
    >>> decipher("ⴵⴰⴳ ⴳⴵ 5", cipher(pack("en"), "Tifinagh"))
    'tea at 5'
    """
    plain = {other: unit for unit, other in pack.key.items()}
    return "".join(plain.get(char, char) for char in text)


@lru_cache(maxsize=64)
def _apply_cipher(pack: Pack, script: str) -> Pack:
    letters = cipher_letters(script)
    # The vocabulary's letters, the most frequent ones first, and those of other words.
    others = (unit for line in pack.sentences for word in line.units for unit in graphemes(word))
    units = dict.fromkeys(
        (*pack.alphabet, *(unit for unit in others if any(map(str.isalnum, unit))))
    )
    if len(units) > len(letters):
        size = pluralize(len(units), "different character")
        problem = f"{pack.source} has {size}, {script} has {len(letters)}"
        raise SourceError(problem, remedy="choose another script, or a language with an alphabet")
    if not set("".join(units)).isdisjoint(letters):
        raise SourceError(f"{pack.source} is written in {script} already: choose another script")
    key = dict(zip(units, letters, strict=False))
    lines = (
        line._replace(units=tuple(_replace_characters(unit, key) for unit in line.units))
        for line in pack.sentences
    )
    return replace(pack, name=f"{pack.name} ({script})", sentences=tuple(lines), key=key)


def _replace_characters(text: str, key: Mapping[str, str]) -> str:
    return "".join(key.get(unit, unit) for unit in graphemes(text))


def pack_or_raise(value: object) -> Pack:
    """Return an argument that has to be a pack.

    Raises:
        TokenbenchError: it is not.
    """
    return instance("pack", value, Pack, "a Pack such as pack('en')")


def read_folder(path: str | os.PathLike[str], lang: str | None) -> tuple[Pack, str]:
    """Return the pack in a folder, perhaps without sentences, and the text of its sentences' file.

    Raises:
        SourceError: as in `Pack.from_folder`, except where there are no sentences.
    """
    folder = Path(require_path(path))
    if not (folder / SENTENCES_FILE).is_file():
        remedy = "give a pack's folder, with a sentence a line in it"
        raise SourceError(f"'{folder}' has no {SENTENCES_FILE}", remedy=remedy)
    text = read_text(stamp(str(folder / SENTENCES_FILE))).text
    facts = read_table(folder / FACTS_FILE)
    code = pack_language(folder) if lang is None else language_code("lang", lang)
    return _parse_pack(code, facts, text), text


def pack_language(path: str | os.PathLike[str], remedy: Words = "") -> str:
    """Return the code of the language that a pack names: in `pack.toml`, else by its folder's name.

    Args:
        path: the pack's folder, or a text file.
        remedy: how the caller can name the language, for the message.

    Raises:
        SourceError: it names none, as a text file, or names one by anything but a code.
    """
    folder = Path(require_path(path))
    named = read_table(folder / FACTS_FILE).get("lang")
    if named is not None:
        return language_code(f"lang in '{folder / FACTS_FILE}'", named)
    if folder.is_dir() and is_language_code(folder.resolve().name):
        return folder.resolve().name
    if not folder.exists():
        raise SourceError(f"cannot read '{path}': give a pack's folder, or a text file")
    remedy = remedy or ["name it: ", Argument("lang", "CODE")]
    raise SourceError(f"'{path}' does not name its language", remedy=remedy)


def read_table(path: Path) -> dict[str, Any]:
    """Return the content of a TOML file; empty if there is none.

    Raises:
        SourceError: the file is not TOML.
    """
    if not path.exists():
        return {}
    with reading(f"'{path}'", "TOML"):
        return tomllib.loads(read_text(stamp(str(path))).text)


def _parse_pack(lang: str, facts: Mapping[str, Any], text: str) -> Pack:
    joined = facts.get("joined", False)
    if not isinstance(joined, bool):
        raise expected("joined", joined, f"true or false in {FACTS_FILE}", error=SourceError)
    lines = (nfc(strip_invisible(line)).split() for line in text.splitlines() if line.strip())
    found = tuple(from_segments(line) if joined else sentence(" ".join(line)) for line in lines)
    return Pack(lang, str(facts.get("name", lang)), found, joined, str(facts.get("notes", "")))


def _segments(line: Line) -> list[str]:
    found = [line.gaps[0]]
    for unit, gap in zip(line.units, line.gaps[1:], strict=True):
        found += [unit, *gap.replace(" ", "")]
    return list(filter(None, found))
