"""The rows of COMPM and COMPC: words, Korean syllables and Hanzi, taken apart and joined."""

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from functools import cache
from itertools import permutations
from typing import Final, TypeAlias

from tokenbench.decomposition import hangul, hanzi
from tokenbench.decomposition.hanzi import STROKES, forms
from tokenbench.decomposition.pieces import MAX_PIECES, joins
from tokenbench.item import Json
from tokenbench.published.rows import (
    QUOTE,
    Interpretation,
    PublishedRow,
    first_number,
    strip_label,
    value_or,
)
from tokenbench.tasks.tase import compm
from tokenbench.text.answer_text import split_list
from tokenbench.text.lexicon import words
from tokenbench.text.normalize import nfc, normalize, straight_quotes

# English

_ENDS: Final = r"from\s++(\S++)\s++to\s++(\S+?)(?=\s*+,?\s*+(?:and\s++)?from\s|\s*+$)"


def interpret_letter_count(row: PublishedRow) -> Interpretation:
    """Count a letter in words, in any letter case."""
    found = row.search()
    if found is None:
        return row.believe_count()
    letter, text = found
    counts = [text.lower().count(letter.lower()), text.count(letter)]
    return row.interpret_count(counts, "letter case makes a difference")


def interpret_word_split(row: PublishedRow) -> Interpretation:
    """Find every split of the word whose pieces begin and end as the prompt says."""
    labels = (*row.label.split(";"), row.label.replace(";", ","))
    options = [[piece.strip().lower() for piece in label.split(",")] for label in labels]
    found = row.search()
    ends = re.findall(_ENDS, found[1]) if found else []
    if found is None or not ends:
        return row.believe_label(_splits_target(options[:1]))
    splits = [list(pieces) for pieces in _fitting_splits(found[0].lower(), ends)]
    answers = tuple(", ".join(pieces) for pieces in splits)
    target = _splits_target(splits or options[:1])
    label = next((option for option in options if option in splits), None)
    if label is None:
        right = Interpretation(target, answers[0] if answers else row.label)
        return right.with_issue("wrong", "it is not split as the prompt says", answers)
    return Interpretation(target, ", ".join(label)).with_alternatives("several splits fit", answers)


def _splits_target(options: list[list[str]]) -> dict[str, Json]:
    """Return the target of splits, with the parts normalised as those of an answer are.

    Some published words contain a separator of parts (`and/or`). The target also accepts their
    splits as an answer is cut.
    """
    accepted = [
        [compm.normalize_part(straight_quotes(part), "en") for part in option] for option in options
    ]
    cut = [
        [compm.normalize_part(part, "en") for part in split_list(", ".join(option))]
        for option in options
    ]
    accepted += [option for option in cut if option not in accepted]
    return {"accepted": accepted, "ordered": True}


def _fitting_splits(word: str, ends: Sequence[tuple[str, str]]) -> Iterator[tuple[str, ...]]:
    """Yield the splits of a word into pieces with the given beginnings and endings."""
    first, last = map(str.lower, ends[0])
    if not word.startswith(first):
        return
    if len(ends) == 1:
        if word.endswith(last):
            yield (word,)
        return
    for size in range(1, len(word)):
        piece = word[:size]
        if piece.startswith(first) and piece.endswith(last):
            for others in _fitting_splits(word[size:], ends[1:]):
                yield (piece, *others)


def interpret_joining(row: PublishedRow) -> Interpretation:
    """Accept the words that the pieces make: the label, and others of the core lexicon."""
    pieces = re.findall(r"\{(.{1,64}?)\}", row.prompt)
    label = normalize(row.label).lower()
    if not pieces:
        return row.believe_label({"accepted": [label]})
    question = row.question_key(*pieces)
    known = _join_pieces(pieces, words("en").words)
    if not _join_pieces(pieces, (row.label,)):
        accepted = list(known) or [label]
        right = Interpretation({"accepted": accepted}, accepted[0], question=question)
        return right.with_issue("wrong", "the pieces do not make it", known)
    accepted = list(dict.fromkeys([label, *known]))
    right = Interpretation({"accepted": accepted}, row.label, question=question)
    return right.with_alternatives("the pieces make several words", accepted)


def _join_pieces(pieces: Sequence[str], known: tuple[str, ...]) -> tuple[str, ...]:
    """Return the known words that consist of the pieces in some order, in any letter case.

    >>> _join_pieces(["O", "d", "g"], ("dog", "cat", "God"))
    ('dog', 'god')
    """
    if len(pieces) > MAX_PIECES:
        return ()
    return joins([piece.lower() for piece in pieces], _lower(known))


@cache
def _lower(known: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(word.lower() for word in known)


# Korean


def interpret_jamo_count(row: PublishedRow) -> Interpretation:
    """Count a jamo in syllables: as a position's, and as a letter of clusters and the like."""
    found = row.search()
    if found is None or not hangul.is_jamo(found[1]):
        return row.believe_count()
    jamo = hangul.normalize(found[1])
    in_text = [part for char in nfc(found[0]) for part in _jamo_of(char)]
    counts = [in_text.count(jamo)]
    if len(_letters(jamo)) == 1:  # nobody looks for the letters of a jamo that has several
        counts += [
            sum(_letters(part, doubles=doubles).count(jamo) for part in in_text)
            for doubles in (False, True)
        ]
    ambiguous = "it is a letter of clusters, doubled or compound jamo too"
    return row.interpret_count(counts, ambiguous)


def _jamo_of(char: str) -> tuple[str, ...]:
    if "가" <= char <= "힣":
        return hangul.decompose(char)
    return (hangul.normalize(char),) if hangul.is_jamo(char) else ()


def _letters(jamo: str, *, doubles: bool = True) -> tuple[str, ...]:
    """Return the letters that a jamo is written with, or without `doubles` those of clusters."""
    letters = tuple(hangul.LETTERS.get(jamo, jamo))
    is_cluster = jamo in hangul.positions()[-1] and len(set(letters)) > 1
    return letters if doubles or is_cluster else (jamo,)


def interpret_syllable_split(row: PublishedRow) -> Interpretation:
    """Take the syllable of the prompt apart, in order."""
    label = split_list(row.label)
    syllable = nfc(row.search_text() or "")
    if not re.fullmatch("[가-힣]", syllable):
        return row.believe_label({"accepted": [label], "ordered": True})
    parts = list(hangul.decompose(syllable))
    target = {"accepted": [parts], "ordered": True}
    if [hangul.normalize(part) if hangul.is_jamo(part) else part for part in label] == parts:
        return Interpretation(target, row.label)
    answer = ", ".join(parts)
    return Interpretation(target, answer).with_issue("wrong", "these are not its jamo", [answer])


def interpret_composing(row: PublishedRow) -> Interpretation:
    """Compose the jamo in the order of the prompt, and see what other orders make."""
    text = row.search_text() or ""
    parts = [part for part in re.split(r"[\s,，、+＋.。]+", text) if part]
    orders = permutations(parts) if len(parts) <= 3 else ()
    syllables = (value_or("", hangul.compose, list(order)) for order in orders)
    made = list(dict.fromkeys(filter(None, syllables)))
    label = nfc(row.label)
    if not made:
        return row.believe_label({"accepted": [label]})
    if label not in made:
        right = Interpretation({"accepted": made[:1]}, made[0])
        return right.with_issue("wrong", "the jamo do not make it", made)
    right = Interpretation({"accepted": [label]}, row.label)
    reason = "in another order the jamo make another syllable"
    return right.with_alternatives(reason, dict.fromkeys([label, *made]))


# Chinese. Labels come from the data that our tasks use. We reject some entries of that data (a
# placeholder, 才 for 扌). A count that rests on such an entry may still be meant, and counts; a
# decomposition that does is a wrong answer.

_Parts: TypeAlias = tuple[str, ...]

_PLACEHOLDERS: Final = re.compile("[?？□〓\ue000-\uf8ff\ufffd]")


def interpret_component_count(row: PublishedRow) -> Interpretation:
    """Count a component in characters: in one step or down to the last, by every decomposition."""
    found = row.search()
    if found is None or len(nfc(found[1])) != 1:
        return row.believe_count()
    text, part = re.sub(rf"[\s,，、]|{QUOTE}", "", nfc(found[0])), nfc(found[1])
    # The counts by the data, right or wrong.
    by_entries = [
        {_key(parts).count(hanzi.normalize(part)) for parts in hanzi.entries(char)} for char in text
    ]
    counts = [_counts(char, part) for char in text]
    ours = [sum(_first_count(char, part) for char in text), *_sums(counts)]
    every = [entry | own for entry, own in zip(by_entries, counts, strict=True)]
    characters = [sum(map(any, sets)) for sets in (by_entries, every)]
    wrong = "it occurs a different number of times"
    if first_number(row.label) in characters:
        wrong = "it counts the characters that hold it, not how often they do"
    ambiguous = "it depends on what counts as a component"
    return row.interpret_count(ours, ambiguous, theirs=_sums(every), wrong=wrong)


def _first_count(char: str, part: str) -> int:
    """Return the number of times a component occurs in a character's first decomposition."""
    decompositions = hanzi.decompose(char)
    if not decompositions:
        return int(char == part)
    return decompositions[0].count(hanzi.normalize(part))


def _counts(char: str, part: str) -> set[int]:
    """Return the numbers of times a component occurs in a character, which may be it itself.

    One interpretation takes a decomposition as it is; one takes the components apart in turn, as
    far as the data goes; one does so but keeps characters whole that contain a bare stroke.
    """
    part_key = hanzi.normalize(part)
    counts = {parts.count(part_key) for parts in hanzi.decompose(char)}
    if counts:
        counts |= _counts_in_parts(char, part_key, True) | _counts_in_parts(char, part_key, False)
    return counts | ({1} if char == part else set()) or {0}


@cache
def _counts_in_parts(char: str, part: str, keep_strokes: bool, path: str = "") -> frozenset[int]:
    """Return the counts of a component in a character that is taken apart all the way down."""
    decompositions = hanzi.decompose(char)
    stops = keep_strokes and any(not STROKES.isdisjoint(parts) for parts in decompositions)
    if not decompositions or stops or char in path:
        return frozenset([0])
    inside = {
        other: {1} if other == part else _counts_in_parts(other, part, keep_strokes, path + char)
        for parts in decompositions
        for other in parts
    }
    return frozenset(
        total for parts in decompositions for total in _sums(inside[other] for other in parts)
    )


def _sums(sets: Iterable[Set[int]]) -> list[int]:
    """Return every sum of one number out of each set, in order."""
    sums = {0}
    for numbers in sets:
        sums = {total + number for total in sums for number in numbers}
    return sorted(sums)


def interpret_hanzi_split(row: PublishedRow) -> Interpretation:
    """Accept our decompositions, and those of the label that are sound."""
    texts = split_options(row.label)
    options = [tuple(map(str.strip, re.split("[,，、]", text))) for text in texts]
    char = nfc(row.search_text() or "")
    if len(char) != 1:
        return row.believe_label(_split_target(options), ",".join(options[0]))
    ours = hanzi.right_decompositions(char)
    faults = {option: _fault(char, option, ours) for option in options}
    sound = [option for option in options if not faults[option]]
    accepted = _unique([*sound, *ours])
    answers = tuple(map(",".join, accepted))
    if not sound:
        known = accepted or options
        right = Interpretation(_split_target(known), ",".join(known[0]))
        return right.with_issue("wrong", faults[options[0]], answers)
    right = Interpretation(_split_target(accepted), ",".join(sound[0]))
    for fault in sorted({*faults.values()} - {""}):
        right = right.with_issue("partly", fault, answers)
    if _unique([*sound, *hanzi.decompose(char)]) != _unique(sound):
        reason = "there are more decompositions than it lists"
        right = right.with_issue("several", reason, answers)
    in_data = set(map(_key, [*ours, *hanzi.entries(char)]))
    if not in_data.issuperset(map(_key, sound)):
        right = right.with_issue("unclear", "our data does not have the decomposition", answers)
    return right


def split_options(label: str) -> list[str]:
    """Return the decompositions in a label, each as one text.

    >>> split_options("手,斥;扌,斥;")
    ['手,斥', '扌,斥']
    """
    return re.split("[;；]", strip_label(label))


def _fault(char: str, option: _Parts, ours: Sequence[_Parts]) -> str:
    """Return why an option of a label does not decompose a character; empty if it does."""
    if any(not part or _PLACEHOLDERS.search(part) for part in option):
        return "a component is missing"
    if len(option) == 1:
        return "it is not taken apart"
    if char in map(hanzi.normalize, option):
        return "the character is among its components"
    known = set(map(_key, ours))
    if _key(option) in known:
        return ""
    for form in forms():
        if form.standing == "never" and form.other in option:
            index = option.index(form.other)
            if _key((*option[:index], form.printed, *option[index + 1 :])) in known:
                return "a character stands in for a radical"
    if _key(option) in map(_key, hanzi.entries(char)):
        return "the data that it comes from is wrong there"
    return ""


def interpret_hanzi_joining(row: PublishedRow) -> Interpretation:
    """Accept the label if the data has it so, and every character of exactly these components."""
    text = row.search_text() or ""
    parts = [part for part in re.split(r"[\s,，、+＋和]+", text) if part]
    label = hanzi.normalize(row.label)
    if not parts:
        return row.believe_label({"accepted": [label]})
    question = row.question_key(*map(hanzi.normalize, parts))
    made = hanzi.compose(parts)
    if label in made or _key(parts) in map(_key, hanzi.entries(label)):
        accepted = [label, *(char for char in made if char != label)]
        right = Interpretation({"accepted": accepted}, row.label, question=question)
        return right.with_alternatives("the components make several characters", accepted)
    if not made:
        believed = Interpretation({"accepted": [label]}, row.label, question=question)
        return believed.with_issue("unclear", "our data has no character of these components")
    right = Interpretation({"accepted": list(made)}, made[0], question=question)
    return right.with_issue("wrong", "the components do not make it", made)


def _split_target(accepted: Sequence[_Parts]) -> dict[str, Json]:
    # A label may have a separator with no part next to it.
    options = [list(filter(None, parts)) for parts in _unique(accepted)]
    return {"accepted": options, "ordered": False}


def _unique(decompositions: Iterable[_Parts]) -> list[_Parts]:
    """Return decompositions, normalized, without those that are the same in another order."""
    return [*hanzi.different(tuple(map(hanzi.normalize, parts)) for parts in decompositions)]


def _key(parts: Iterable[str]) -> _Parts:
    return hanzi.sort_parts(map(hanzi.normalize, parts))
