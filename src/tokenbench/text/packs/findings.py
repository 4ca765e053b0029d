"""Faults of a language pack that translators must mend before it can ship, each with its line."""

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from tokenbench.draw import SPLITS, split_of
from tokenbench.files import require_path
from tokenbench.patterns import lazy_pattern
from tokenbench.quoting import first_few, pluralize
from tokenbench.text import languages
from tokenbench.text.graphemes import Line, graphemes
from tokenbench.text.normalize import nfc, strip_invisible
from tokenbench.text.packs import model, prose
from tokenbench.text.packs.model import Pack
from tokenbench.text.packs.prose import ENDING, FINAL_MARKS, INNER_MARK, MAX_WORDS, MIN_WORDS
from tokenbench.text.sources import StrPath, data_table
from tokenbench.text.units import scripts

Kind: TypeAlias = Literal["lacks", "note"]

_EXAMPLE: Final = "en"  # the pack with which all others are aligned
_N_ALIGNED: Final = 337  # the first sentences, which all packs tell; some tell more
_MIN_SENTENCES: Final = 300
_MIN_VOCABULARY: Final = 100  # words of two characters or more
_MIN_ALPHABET: Final = 12
_MAX_EASY_WORDS: Final = 25  # few tasks' prompts would gain from a longer sentence
# Of a language without spaces between words: characters of a sentence, and of a word.
_MIN_CHARACTERS: Final = 5
_MAX_CHARACTERS: Final = 60
_MAX_SEGMENT: Final = 12
_LANGUAGE_FILES: Final = ("prompts.toml", "language.toml")
# Tables of `language.toml` in which what a language lacks is the English.
_OPTIONAL_TABLES: Final = ("order.", "lists.", "texts.")
# Scripts that one language uses together.
_TOGETHER: Final = ({"Han", "Hiragana", "Katakana"}, {"Han", "Hangul"}, {"Han", "Bopomofo"})
_VOWEL_MARKS: Final = lazy_pattern(
    "[\u0591-\u05bd\u05bf\u05c1-\u05c2\u05c4-\u05c5\u05c7\u0610-\u061a"
    "\u064b-\u0652\u0656-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed]"
)
_INNER: Final = frozenset("'’-‐‑")
_TATWEEL: Final = "ـ"
_COMMAS: Final = ",、，،፣;；؛፤:：፦"
_OPENING: Final = "¿¡\"'“‘„«»‹「『（(["
_DASHES: Final = "-‐‑–—/"
_SPEECH: Final = lazy_pattern('“[^“”]*”|„[^„“]*“|"[^"]*"|«[^«»]*»|「[^「」]*」|『[^『』]*』')
_DOUBLED: Final = lazy_pattern(f"[{_COMMAS}] *[{_COMMAS}{FINAL_MARKS}]")


class Finding(NamedTuple):
    """A fault of a language pack, to be mended (`lacks`) or to be looked at (`note`).

    `about` names the check in a word; `line` counts from 1 and is None if the fault is the whole
    pack's.
    """

    kind: Kind
    about: str
    message: str
    line: int | None = None


_lacks: Final = partial(Finding, "lacks")
_note: Final = partial(Finding, "note")


class Portion(NamedTuple):
    """A split's share of a pack: sentences, and words of two characters or more."""

    sentences: int
    words: int


class Row(NamedTuple):
    """A sentence of a pack: the number of its line, its text there, and its units."""

    number: int
    text: str
    line: Line


def findings(path: str | os.PathLike[str], *, lang: str | None = None) -> tuple[Finding, ...]:
    """Return the faults of a language pack, those of the whole pack first.

    A pack with faults cannot ship with tokenbench. Your own can be used with most of them: see
    `tokenbench pack check`.

    A folder is checked by its files; a text file by the sentences that `Pack.from_text` takes.

    Args:
        path: the pack's folder, or a text file.
        lang: the code of its language; None is as in `pack.toml`, else the folder's name. A
            text file needs it.

    Raises:
        SourceError: there is no such folder or file, a file cannot be read, or it is a text file
            and no language is given.

    >>> import tempfile
    >>> from tokenbench.text.packs import pack
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     pack("de").save(folder)
    ...     findings(folder)
    ()
    """
    return pack_findings(path, *read_rows(path, lang=lang))


def pack_findings(path: StrPath, found: Pack, rows: Sequence[Row]) -> tuple[Finding, ...]:
    """Return the faults of a pack that `read_rows` read at a path."""
    whole = list(_check_size(found))
    if os.path.isdir(path):
        whole = [*_check_facts(Path(path)), *whole, *_check_alignment(rows, found.lang)]
    return (*whole, *_check_rows(rows, joined=found.joined))


def language_findings(folder: StrPath, lang: str) -> Iterator[Finding]:
    """Yield what the prompts and the answer words in a pack's folder lack to ship as a language.

    Raises:
        SourceError: one of the two files is not TOML.
    """
    for name in _LANGUAGE_FILES:
        texts = dict(_texts_of(model.read_table(Path(folder, name))))
        tables = [data_table(languages.__name__, code, name) for code in languages.LANGUAGES]
        # Some tasks, and the facts about units, are of a few languages only.
        shared = set[str].intersection(*map(set, tables))
        example = data_table(languages.__name__, _EXAMPLE, name)
        english = {
            key: text
            for key, text in _texts_of({key: example[key] for key in example if key in shared})
            if not key.startswith(_OPTIONAL_TABLES)
        }
        if not texts:
            yield _lacks("files", f"no {name}, or an empty one: translate another language's")
            continue
        if missing := [key for key in english if key not in texts]:
            yield _lacks("texts", f"{name} does not have {first_few(missing)}")
        # One word alone, such as "no", may be the same in two languages.
        untranslated = [
            key
            for key, text in texts.items()
            if any(" " in words.strip() for words in {*text}.intersection(english.get(key, ())))
        ]
        if untranslated and lang.partition("-")[0] != _EXAMPLE:
            named = first_few(untranslated)
            yield _note("translation", f"{name} is still as in English at {named}")


def _texts_of(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Sequence[str]]]:
    """Yield the texts of a table by their keys, such as `spell.char`."""
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from _texts_of(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value if isinstance(value, list) else [str(value)]


def read_rows(path: StrPath, *, lang: str | None = None) -> tuple[Pack, tuple[Row, ...]]:
    """Return the pack at a path, perhaps without sentences, and its sentences as rows.

    Raises:
        SourceError: as for `findings`.
    """
    if os.path.isdir(require_path(path)):
        found, text = model.read_folder(path, lang)
        numbered = ((number, row) for number, row in enumerate(text.splitlines(), 1) if row.strip())
        # Each of the pack's sentences is one of these rows, in their order.
        pairs = zip(numbered, found.sentences, strict=True)
        return found, tuple(Row(number, row, line) for (number, row), line in pairs)
    if lang is None:
        lang = model.pack_language(path)
    rows = tuple(
        Row(number, line.text, line) for number, line in prose.sentences_with_lines(path, lang)
    )
    joined = any(not row.line.space for row in rows)
    return Pack(lang, lang, tuple(row.line for row in rows), joined), rows


def portions(pack: Pack) -> dict[str, Portion]:
    """Return each split's share of a pack: the text itself, in lower case, decides.

    >>> from tokenbench.text.packs import pack
    >>> portions(pack("en"))["test"]
    Portion(sentences=98, words=216)
    """
    sentences = Counter[str](split_of(line.text.lower()) for line in pack.sentences)
    words = Counter[str](split_of(word.lower()) for word in pack.vocabulary if _size(word) > 1)
    return {split: Portion(sentences[split], words[split]) for split in SPLITS}


def _check_facts(folder: Path) -> Iterator[Finding]:
    facts = model.read_table(folder / model.FACTS_FILE)
    if not str(facts.get("name", "")).strip():
        yield _lacks("name", 'pack.toml has no name = "…", the language\'s own for itself')
    if not str(facts.get("notes", "")).strip():
        yield _note("notes", 'pack.toml has no notes = "…", what translators should know')


def _check_size(found: Pack) -> Iterator[Finding]:
    shares = portions(found)
    words = sum(share.words for share in shares.values())
    for about, number, needed, counted in (
        ("sentences", len(found.sentences), _MIN_SENTENCES, "sentences"),
        ("words", words, _MIN_VOCABULARY, "different words of two or more characters"),
        ("alphabet", len(found.alphabet), _MIN_ALPHABET, "different characters in its words"),
    ):
        if number < needed:
            yield _lacks(about, f"{number} {counted}: {needed} are needed")
    for split, share in shares.items():
        for part, number in share._asdict().items():
            if not number:
                yield _lacks("splits", f"no {part} fall to the split {split!r}: add text")


def _check_alignment(rows: Sequence[Row], lang: str) -> Iterator[Finding]:
    """Yield where a pack has other scenes than the packs that ship on the same line."""
    examples = model.pack(_EXAMPLE).sentences
    if len(rows) not in (_N_ALIGNED, len(examples)):
        told = f"the packs that ship tell the same {_N_ALIGNED} or {len(examples)}"
        yield _note("alignment", f"{pluralize(len(rows), 'sentence')}, where {told}")
        return
    pairs = zip(rows, examples, strict=False)
    untold = [row.number for row, line in pairs if row.text == line.text]
    if untold and lang.partition("-")[0] != _EXAMPLE:
        message = f"{pluralize(len(untold), 'sentence')} still as in the English pack"
        yield Finding("note", "translation", message, untold[0])


def _check_rows(rows: Sequence[Row], *, joined: bool) -> Iterator[Finding]:
    """Yield the faults of each sentence, in their order."""
    # The script of most letters, and the scripts that are used together with it.
    counts = Counter(script for row in rows for char in row.line.text for script in scripts(char))
    most = {script for script, _ in counts.most_common(1)}
    groups = (group for group in _TOGETHER if most < group and len(counts.keys() & group) > 1)
    own = most.union(*groups)
    unmarked = not any(ENDING.search(row.line.text) for row in rows)
    if unmarked and rows:
        yield _note("marks", "no sentence ends with a final mark")
    seen: dict[str, int] = {}
    for row in rows:
        found = [
            *_check_characters(row, own),
            *_check_length(row.line, joined=joined),
            *_check_marks(row.line, unmarked=unmarked, joined=joined),
        ]
        words = " ".join(row.line.units).lower()
        if words in seen:
            found.append(_lacks("repeats", f"the same words as on line {seen[words]}"))
        seen.setdefault(words, row.number)
        yield from (fault._replace(line=row.number) for fault in found)


def _check_characters(row: Row, own: set[str]) -> Iterator[Finding]:
    text = row.text
    if nfc(text) != text:
        yield _lacks("NFC", "not in Unicode's composed form (NFC)")
    if hidden := set(text) - set(strip_invisible(text)):
        yield _lacks("hidden", f"characters that are never seen: {_codes(hidden)}")
    if marks := set(_VOWEL_MARKS.findall(text)):
        yield _lacks("vowel marks", f"vowel marks, which texts go without: {_codes(marks)}")
    if _TATWEEL in text:
        yield _lacks("tatweel", "a stretched letter (tatweel, U+0640)")
    if any(map(str.isdecimal, text)):
        yield _note("digits", "digits: words with them serve sentences only")
    if compounds := [word for word in row.line.units if not _INNER.isdisjoint(word)]:
        named = first_few(compounds)
        yield _note("joined", f"an apostrophe or hyphen: such words serve sentences only: {named}")
    if others := [script for script in scripts(row.line.text) if script not in own]:
        yield _lacks("script", f"letters of another script: {', '.join(others)}")


def _check_length(line: Line, *, joined: bool) -> Iterator[Finding]:
    words, sizes = len(line.units), list(map(_size, line.units))
    limits = [(words, "word", MIN_WORDS, MAX_WORDS)]
    if joined:
        limits.append((sum(sizes), "character", _MIN_CHARACTERS, _MAX_CHARACTERS))
    for number, noun, least, most in limits:
        if not least <= number <= most:
            yield _lacks("length", f"{pluralize(number, noun)}: a sentence has {least} to {most}")
    if joined and (longest := max(sizes, default=0)) > _MAX_SEGMENT:
        yield _lacks("segments", f"a word of {longest} characters: is it cut into words?")
    if not joined and _MAX_EASY_WORDS < words <= MAX_WORDS:
        yield _note("length", f"{pluralize(words, 'word')}: up to {_MAX_EASY_WORDS} are better")


def _check_marks(line: Line, *, unmarked: bool, joined: bool) -> Iterator[Finding]:
    text, first = line.text, line.gaps[0]
    if not unmarked:
        if not ENDING.search(text):
            yield _lacks("marks", "does not end with a final mark")
        elif sum(mark in FINAL_MARKS for mark in line.gaps[-1]) > 1:
            yield _lacks("marks", f"ends with several marks: {line.gaps[-1].strip()}")
        if INNER_MARK.search(_SPEECH.sub("", text)):
            yield _lacks("marks", "a final mark stands within the sentence")
    if _DOUBLED.search(text):
        yield _lacks("marks", "two marks follow each other")
    if first.strip(_OPENING):
        yield _lacks("marks", f"begins with a mark: {first.strip()}")
    if not joined and any(
        gap and not gap.endswith((" ", *_OPENING, *_DASHES)) for gap in line.gaps[1:-1]
    ):
        yield _lacks("marks", "no space follows a mark")


def _codes(chars: set[str]) -> str:
    return ", ".join(f"U+{ord(char):04X}" for char in sorted(chars))


def _size(word: str) -> int:
    return len(graphemes(word))
