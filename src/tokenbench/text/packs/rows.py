"""The sentences of a pack one by one: how each is written, and what is wrong with it."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

from tokenbench.text.graphemes import graphemes
from tokenbench.text.normalize import nfc, strip_invisible
from tokenbench.text.packs.model import read
from tokenbench.text.packs.prose import ENDED, FEWEST, FINAL, INNER, MOST
from tokenbench.text.scripts import scripts
from tokenbench.text.segmented import Line

_Found: TypeAlias = tuple[Literal["lacks", "note"], str, str]
Fault: TypeAlias = tuple[Literal["lacks", "note"], str, str, int | None]

ASKED: Final = "?;？؟፧՞"  # the marks of questions
_LONGISH: Final = 20  # words of a sentence that few tasks' prompts would gain from
_CHARACTERS: Final = (5, 60)  # of a sentence that writes no spaces
_SEGMENT: Final = 12  # characters of a word, in such a language
_TOGETHER: Final = (  # scripts that one language writes side by side
    frozenset(("Han", "Hiragana", "Katakana")),
    frozenset(("Han", "Hangul")),
    frozenset(("Han", "Bopomofo")),
)
_JOINERS: Final = "\u200c\u200d"
_VOWEL_MARKS: Final = re.compile(
    "[\u0591-\u05bd\u05bf\u05c1-\u05c2\u05c4-\u05c5\u05c7\u0610-\u061a"
    "\u064b-\u0652\u0656-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed]"
)
_TATWEEL: Final = "ـ"
_COMMAS: Final = ",、，،፣;；؛፤:：፦"
_OPENING: Final = "¿¡\"'“‘„«»‹「『（(["
_DASHES: Final = "-‐‑–—/"
_PLAIN: Final = f" {FINAL}{_COMMAS}¿¡"
_DOUBLED: Final = re.compile(f"[{_COMMAS}] *[{_COMMAS}{FINAL}]")


class Row(NamedTuple):
    """A sentence of a pack: the number of its line, how it is written there, and its units."""

    number: int
    written: str
    line: Line


def rows_of(text: str, *, joined: bool) -> Iterator[Row]:
    """Yield the sentences of a pack's file, a line each.

    >>> [(row.number, row.line.units) for row in rows_of("We go.\\n\\nThey stay.", joined=False)]
    [(1, ('We', 'go')), (3, ('They', 'stay'))]
    """
    for number, row in enumerate(text.splitlines(), 1):
        if row.strip():
            yield Row(number, row, read(row, joined=joined))


def row_faults(rows: Sequence[Row], *, joined: bool) -> Iterator[Fault]:
    """Yield what is wrong with each sentence, in their order.

    Args:
        rows: the sentences.
        joined: whether the language writes no spaces between words.
    """
    owned = _owned(rows)
    unmarked = not any(ENDED.search(row.line.text) for row in rows)
    if unmarked and rows:
        yield "note", "marks", "no sentence ends with a final mark", None
    seen: dict[str, int] = {}
    for row in rows:
        found = [
            *_of_writing(row.written),
            *_of_scripts(row.line, owned),
            *_of_length(row.line, joined=joined),
            *_of_marks(row.line, unmarked=unmarked, joined=joined),
        ]
        bare = " ".join(row.line.units).lower()
        if bare in seen:
            found.append(("lacks", "repeats", f"the same words as on line {seen[bare]}"))
        seen.setdefault(bare, row.number)
        yield from ((kind, about, message, row.number) for kind, about, message in found)


def _of_writing(text: str) -> Iterator[_Found]:
    """Yield what is wrong with the characters of a line as it stands in its file."""
    if nfc(text) != text:
        yield "lacks", "NFC", "not in Unicode's composed form (NFC)"
    if hidden := set(text) - set(strip_invisible(text)):
        yield "lacks", "hidden", f"characters that are never seen: {_codes(hidden)}"
    if joiners := set(text).intersection(_JOINERS):
        yield "note", "hidden", f"joiners, whose words serve sentences only: {_codes(joiners)}"
    if marks := set(_VOWEL_MARKS.findall(text)):
        yield "lacks", "vowel marks", f"vowel marks, which texts go without: {_codes(marks)}"
    if _TATWEEL in text:
        yield "lacks", "tatweel", "a stretched letter (tatweel, U+0640)"
    if any(map(str.isdecimal, text)):
        yield "note", "digits", "digits: words with them serve sentences only"


def _of_scripts(line: Line, owned: frozenset[str]) -> Iterator[_Found]:
    others = [script for script in scripts(line.text) if script not in owned]
    if others:
        yield "lacks", "script", f"letters of another script: {', '.join(others)}"


def _of_length(line: Line, *, joined: bool) -> Iterator[_Found]:
    words, longest = len(line.units), max(map(size, line.units), default=0)
    if not FEWEST <= words <= MOST:
        yield "lacks", "length", f"{words} words: a sentence has {FEWEST} to {MOST}"
    if joined:
        low, high = _CHARACTERS
        if not low <= (held := sum(map(size, line.units))) <= high:
            yield "lacks", "length", f"{held} characters: a sentence has {low} to {high}"
        if longest > _SEGMENT:
            yield "lacks", "segments", f"a word of {longest} characters: is it cut into words?"
    elif _LONGISH < words <= MOST:
        yield "note", "length", f"{words} words: up to {_LONGISH} are better"


def _of_marks(line: Line, *, unmarked: bool, joined: bool) -> Iterator[_Found]:
    """Yield where marks are missing, doubled, or out of place."""
    text, first = line.text, line.gaps[0]
    if not unmarked:
        if not ENDED.search(text):
            yield "lacks", "marks", "does not end with a final mark"
        elif sum(mark in FINAL for mark in line.gaps[-1]) > 1:
            yield "lacks", "marks", f"ends with several marks: {line.gaps[-1].strip()}"
        if INNER.search(text):
            yield "lacks", "marks", "a final mark stands within the sentence"
    if _DOUBLED.search(text):
        yield "lacks", "marks", "two marks follow each other"
    if first.strip(_OPENING):
        yield "lacks", "marks", f"begins with a mark: {first.strip()}"
    if not joined:
        if any(
            gap[:1] == " " and gap.strip()[:1] in f"{FINAL}{_COMMAS}"
            for gap in line.gaps
            if gap.strip()
        ):
            yield "note", "marks", "a space stands before a mark"
        if any(gap and not gap.endswith((" ", *_OPENING, *_DASHES)) for gap in line.gaps[1:-1]):
            yield "lacks", "marks", "no space follows a mark"
    if others := sorted(set("".join(line.gaps)) - set(_PLAIN)):
        yield "note", "marks", f"marks that simple sentences do without: {' '.join(others)}"


def _owned(rows: Sequence[Row]) -> frozenset[str]:
    """Return the script that most letters are of, and those that are written together with it."""
    counts = Counter(script for row in rows for char in row.line.text for script in scripts(char))
    if not counts:
        return frozenset()
    most = counts.most_common(1)[0][0]
    found = frozenset((most,))
    for group in _TOGETHER:
        if most in group and counts.keys() & group != {most}:
            found |= group
    return found


def _codes(chars: set[str]) -> str:
    return ", ".join(f"U+{ord(char):04X}" for char in sorted(chars))


def size(word: str) -> int:
    """Return how many characters (grapheme clusters) a word has."""
    return len(graphemes(word))
