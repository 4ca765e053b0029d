"""The rows of COMPM and COMPC about English words and Korean syllables."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import permutations
from typing import Final

from tokenbench.decomposition import hangul
from tokenbench.decomposition.pieces import MAX_PIECES, joins
from tokenbench.errors import TokenbenchError
from tokenbench.item import Json
from tokenbench.published.interpretation import (
    QUOTE,
    Interpretation,
    PublishedRow,
    believe_count,
    believe_label,
    interpret_count,
    question_key,
    search_groups,
)
from tokenbench.tasks.tase import compm
from tokenbench.text.answer_text import split_list
from tokenbench.text.lexicon import words
from tokenbench.text.normalize import nfc, normalize, straight_quotes

# English

_LETTERS: Final = (
    r"letters?\s++[\"'“‘]?(.{1,64}?)[\"'”’]?\s++(?:appear|occur)s?\s++in\s++(.+?)[?？\s]*$"
)
_SPLIT: Final = r"^\s*+Split\s++(.+?)\s++into\s++(?:parts\s++)?(from\s.+?)\.?\s*$"
_ENDS: Final = r"from\s++(\S++)\s++to\s++(\S+?)(?=\s*+,?\s*+(?:and\s++)?from\s|\s*+$)"


def interpret_letter_count(row: PublishedRow) -> Interpretation:
    """Count a letter in words, in any letter case."""
    found = search_groups(row.prompt, _LETTERS)
    if found is None:
        return believe_count(row)
    letter, text = found
    return interpret_count(
        row.label,
        [text.lower().count(letter.lower()), text.count(letter)],
        [],
        "letter case makes a difference",
        "it does not occur so often",
    )


def interpret_word_split(row: PublishedRow) -> Interpretation:
    """Find every split of the word whose pieces begin and end as the prompt says."""
    labels = (*row.label.split(";"), row.label.replace(";", ","))
    options = [[piece.strip().lower() for piece in label.split(",")] for label in labels]
    found = search_groups(row.prompt, _SPLIT)
    ends = re.findall(_ENDS, found[1]) if found else []
    if found is None or not ends:
        return believe_label(row, _splits_target(options[:1]))
    splits = [list(pieces) for pieces in _fitting_splits(found[0].lower(), ends)]
    answers = tuple(", ".join(pieces) for pieces in splits)
    target = _splits_target(splits or options[:1])
    label = next((option for option in options if option in splits), None)
    if label is None:
        right = Interpretation(target, answers[0] if answers else row.label)
        return right.with_issue("wrong", "it is not split as the prompt says", answers)
    right = Interpretation(target, ", ".join(label))
    return right.with_issue("several", "several splits fit", answers) if splits[1:] else right


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
    pieces = prompt_pieces(row.prompt)
    label = normalize(row.label).lower()
    if not pieces:
        return believe_label(row, {"accepted": [label]})
    question = question_key(row.prompt, *pieces)
    known = join_pieces(pieces, words("en").words)
    if not join_pieces(pieces, (row.label,)):
        accepted = list(known) or [label]
        right = Interpretation({"accepted": accepted}, accepted[0], question=question)
        return right.with_issue("wrong", "the pieces do not make it", known)
    accepted = list(dict.fromkeys([label, *known]))
    right = Interpretation({"accepted": accepted}, row.label, question=question)
    if len(accepted) == 1:
        return right
    return right.with_issue("several", "the pieces make several words", accepted)


def prompt_pieces(prompt: str) -> list[str]:
    """Return the pieces that a prompt has in braces.

    >>> prompt_pieces("Combine {o}, {d}, {g} into one word.")
    ['o', 'd', 'g']
    """
    return re.findall(r"\{(.{1,64}?)\}", prompt)


def join_pieces(pieces: Sequence[str], known: tuple[str, ...]) -> tuple[str, ...]:
    """Return the known words that consist of the pieces in some order, in any letter case.

    >>> join_pieces(["O", "d", "g"], ("dog", "cat", "God"))
    ('dog', 'god')
    """
    return (
        joins([piece.lower() for piece in pieces], _lower(known))
        if len(pieces) <= MAX_PIECES
        else ()
    )


@cache
def _lower(known: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(word.lower() for word in known)


# Korean

_JAMO: Final = rf"{QUOTE}(.{{1,512}}?){QUOTE}\s*+에서?\s*+{QUOTE}(.{{1,64}}?){QUOTE}"
_SYLLABLE: Final = rf"{QUOTE}(.{{1,64}}?){QUOTE}\s*+의"
_COMPOSE: Final = r"(?:조합|결합|합)\S{0,16}\s*+[:：](.+)$"


def interpret_jamo_count(row: PublishedRow) -> Interpretation:
    """Count a jamo in syllables: as a position's, and as a letter of clusters and the like."""
    found = search_groups(row.prompt, _JAMO)
    if found is None or not hangul.is_jamo(found[1]):
        return believe_count(row)
    jamo = hangul.normalize(found[1])
    in_text = [part for char in nfc(found[0]) for part in _jamo_of(char)]
    counts = [in_text.count(jamo)]
    if len(_letters(jamo)) == 1:  # nobody looks for the letters of a jamo that has several
        counts += [
            sum(_letters(part, doubles=doubles).count(jamo) for part in in_text)
            for doubles in (False, True)
        ]
    return interpret_count(
        row.label,
        counts,
        [],
        "it is a letter of clusters, doubled or compound jamo too",
        "it does not occur so often",
    )


def _jamo_of(char: str) -> tuple[str, ...]:
    if "가" <= char <= "힣":
        return hangul.decompose(char)
    return (hangul.normalize(char),) if hangul.is_jamo(char) else ()


def _letters(jamo: str, *, doubles: bool = True) -> tuple[str, ...]:
    """Return the letters that a jamo is written with, or without `doubles` those of clusters."""
    initials, medials, finals = hangul.positions()
    if jamo in medials:
        letters = hangul.decompose(hangul.compose([initials[0], jamo]), parts="letters")[1:]
    elif jamo in finals:
        syllable = hangul.compose([initials[0], medials[0], jamo])
        letters = hangul.decompose(syllable, parts="letters")[2:]
    else:
        letters = hangul.decompose(hangul.compose([jamo, medials[0]]), parts="letters")[:-1]
    cluster = jamo in finals and len(set(letters)) > 1
    return letters if doubles or cluster else (jamo,)


def interpret_syllable_split(row: PublishedRow) -> Interpretation:
    """Take the syllable of the prompt apart, in order."""
    found = search_groups(row.prompt, _SYLLABLE)
    label = split_list(row.label)
    syllable = nfc(found[0]) if found else ""
    if not re.fullmatch("[가-힣]", syllable):
        return believe_label(row, {"accepted": [label], "ordered": True})
    parts = list(hangul.decompose(syllable))
    target = {"accepted": [parts], "ordered": True}
    if [hangul.normalize(part) if hangul.is_jamo(part) else part for part in label] == parts:
        return Interpretation(target, row.label)
    answer = ", ".join(parts)
    return Interpretation(target, answer).with_issue("wrong", "these are not its jamo", [answer])


def interpret_composing(row: PublishedRow) -> Interpretation:
    """Compose the jamo in the order of the prompt, and see what other orders make."""
    found = search_groups(row.prompt, _COMPOSE)
    parts = [part for part in re.split(r"[\s,，、+＋.。]+", found[0]) if part] if found else []
    orders = permutations(parts) if len(parts) <= 3 else ()
    made = list(dict.fromkeys(char for order in orders for char in _compose(order)))
    label = nfc(row.label)
    if not made:
        return believe_label(row, {"accepted": [label]})
    if label not in made:
        right = Interpretation({"accepted": made[:1]}, made[0])
        return right.with_issue("wrong", "the jamo do not make it", made)
    right = Interpretation({"accepted": [label]}, row.label)
    if len(made) == 1:
        return right
    reason = "in another order the jamo make another syllable"
    return right.with_issue("several", reason, dict.fromkeys([label, *made]))


def _compose(parts: Sequence[str]) -> list[str]:
    try:
        return [hangul.compose(list(parts))]
    except TokenbenchError:
        return []
