"""The rows of CUTE, EXECUTE and CharBench: words, sentences and characters as inputs.

A label is believed if it differs from our answer in spaces or punctuation alone, or if it rests on
another way to cut a text into words or characters. Then both answers are accepted.
"""

import re
from collections.abc import Callable, Iterator
from itertools import product
from typing import Final

from tokenbench.answers.text import edit_folds
from tokenbench.decomposition import hangul
from tokenbench.decomposition.components import components
from tokenbench.item import Json
from tokenbench.published.rows import Code, Interpretation, LabelIssue, PublishedRow, value_or
from tokenbench.tasks.charbench import count_char, count_unique, find_first, find_last
from tokenbench.tasks.execute import compose, contains_part, decompose, furigana, spell
from tokenbench.tasks.language_packs import CHARACTERS, WORDS
from tokenbench.tasks.lines import line_of
from tokenbench.text.graphemes import Line, line_of_matches, sentence
from tokenbench.text.languages import Language
from tokenbench.text.normalize import nfc, straight_quotes

# Reasons that several interpretations give. Nobody sees where words begin and end if a language
# writes no spaces.
UNJUDGED: Final = "no task of ours asks this: there is the published rule alone"
_NOT_IT: Final = "it is not what the inputs make"
_CASE: Final = "letter case makes no difference"
_LEFT: Final = "what stands within other words is left"

_EDITS: Final[dict[str, Callable[..., Line]]] = {  # of a line and operands
    "delete": Line.without,
    "insert": Line.with_after,
    "substitute": Line.with_in_place,
    "swap": Line.with_swapped,
}
_UNSPACED_LANGS: Final = ("bo", "ja", "km", "lo", "my", "th", "yue", "zh")
_SUBCHARACTER_LANGS: Final = {
    module.TASK.name: module.TASK.langs for module in (decompose, compose, contains_part, furigana)
}
# For each task of CharBench: our answer for a word and a character, and for a tuple of characters.
SOLVERS: Final[dict[str, tuple[Callable[..., int], Callable[..., int]]]] = {
    "count_char": (count_char.solve, tuple.count),
    "count_unique": (lambda word, _: count_unique.solve(word), lambda units, _: len(set(units))),
    "find_first": (find_first.solve, tuple.index),
    "find_last": (find_last.solve, lambda units, char: len(units) - 1 - units[::-1].index(char)),
}

# The two halves of a word that the Penn Treebank's rules, and so most English tokenizers, cut.
_PENN: Final = re.compile(
    r"(?<=\w)(?=(?:n['’]t|['’](?:s|m|d|re|ve|ll))$)|(?<=^can)(?=not$)", re.IGNORECASE
)
_IN_RUN: Final = r"[\p{L}\p{M}\p{N}\u200c\u200d]"
_BASE: Final = r"\P{M}[\p{M}\u200c\u200d]*+"


def interpret_row(row: PublishedRow) -> Interpretation:
    """Return the interpretation of a row.

    >>> row = PublishedRow("delete", "word", "en", "", "They .", ("waited", "They waited."))
    >>> interpret_row(row).target["also"]
    ['They.']
    >>> interpret_row(row._replace(label="They waited.")).issues[0].reason
    'nothing is changed'
    >>> row = PublishedRow("count_char", None, "en", "", "2", ("Anna", "a"))
    >>> interpret_row(row).issues[0].reason
    'letter case makes no difference'
    >>> interpret_row(PublishedRow("decompose", None, "ko", "", "ㄱ ㅏ ㅄ", ("값",))).target
    {'accepted': [['ㄱ', 'ㅏ', 'ㅄ']], 'ordered': True}
    """
    if row.task in SOLVERS:
        return _interpret_charbench_row(row)
    row = row._replace(inputs=tuple(cell.strip() or cell for cell in row.inputs))
    label = Interpretation({"accepted": [row.label]}, row.label)
    if row.task in _SUBCHARACTER_LANGS and not is_subcharacter_row(row):
        return label.with_issue("unclear", UNJUDGED)
    return _INTERPRETERS[row.task](row) if row.task in _INTERPRETERS else label


def _interpret_charbench_row(row: PublishedRow) -> Interpretation:
    """Interpret a row whose inputs are a word and a character.

    If the question has no answer, the answer in the target is None: only published rules judge it.
    """
    word, char = row.inputs
    label = int(row.label)
    solve, solve_units = SOLVERS[row.task]
    ours = value_or(None, solve, word, char)  # None if the character does not occur
    right = Interpretation({"answer": label}, row.label)
    if ours == label:
        return right
    if ours is None:
        reason = "the word does not hold the character"
        return Interpretation({"answer": None}, row.label).with_issue("unsolvable", reason)
    for line, reason in character_readings(word):
        if value_or(None, solve_units, line.units, char) == label:
            return right.with_issue("several", reason, (row.label, str(ours)))
    reason = _NOT_IT
    if value_or(None, solve, word.lower(), char.lower()) == label:
        reason = _CASE
    elif row.task in ("find_first", "find_last") and label == ours + 1:
        reason = "places are counted from 1"
    return Interpretation({"answer": ours}, str(ours)).with_issue("wrong", reason, [str(ours)])


def word_readings(text: str, words: tuple[str, ...]) -> Iterator[tuple[Line, str]]:
    """Yield other ways to cut a sentence into words, each with the reason why somebody would.

    The last one looks for the given words only.

    >>> readings = word_readings("I don't eat pop-corn.", ("n't", "corn."))
    >>> [line.units for line, _ in readings]
    [('I', 'do', "n't", 'eat', 'pop-corn'), ('I', 'don', 't', 'eat', 'pop', 'corn'), ('corn.',)]
    """
    contractions = _split_contractions(sentence(text))
    yield contractions, "a contraction or possessive counts as two words"
    parts = line_of_matches(f"{_IN_RUN}+", text)
    yield parts, "the parts of a hyphenated word, contraction or number count as words"
    yield line_of_occurrences(text, words, separate=True), "a mark counts as a part of a word"


def character_readings(word: str) -> Iterator[tuple[Line, str]]:
    """Yield other ways to cut a word into characters, each with the reason why somebody would.

    >>> [line.units for line, _ in character_readings("क्षि")]
    [('क्', 'षि'), ('क', '्', 'ष', 'ि')]
    """
    yield line_of_matches(_BASE, word), "conjuncts are taken apart, as before Unicode 15.1"
    yield line_of_matches(r"(?s).", word), "marks count as characters of their own"


def line_of_occurrences(text: str, words: tuple[str, ...], *, separate: bool = False) -> Line:
    """Return the line whose units are the given words wherever they occur in a text.

    Args:
        text: the text.
        words: the words to look for.
        separate: skip words that touch another letter or digit with one of theirs.

    >>> line_of_occurrences("我们去学校。", ("学校",))
    Line(units=('学校',), gaps=('我们去', '。'), space='')
    >>> line_of_occurrences("So, so-so.", ("so",), separate=True).units
    ('so', 'so')
    """
    from regex import escape

    patterns = [escape(word) for word in sorted(filter(None, words), key=len, reverse=True)]
    if separate:
        patterns = [
            rf"(?<!{_IN_RUN}(?={_IN_RUN})){pattern}(?!(?<={_IN_RUN}){_IN_RUN})"
            for pattern in patterns
        ]
    return line_of_matches("|".join(patterns) or r"(?!)", text)


def _split_contractions(line: Line) -> Line:
    units: list[str] = []
    gaps: list[str] = []
    for unit, gap in zip(line.units, line.gaps, strict=False):
        parts = [part for part in _PENN.split(unit) if part]
        units += parts
        gaps += [gap, *[""] * (len(parts) - 1)]
    return Line(tuple(units), (*gaps, line.gaps[-1]))


def _line(row: PublishedRow) -> Line:
    """Return the text as its units; without spaces, the units are those that the row names."""
    if _is_unspaced(row) and len(row.text.split()) == 1:
        return line_of_occurrences(row.text, row.units)
    return line_of(row.text, str(row.variant))


def _other_readings(row: PublishedRow) -> Iterator[tuple[Line, str]]:
    of_characters = row.variant == CHARACTERS
    return character_readings(row.text) if of_characters else word_readings(row.text, row.units)


def _is_unspaced(row: PublishedRow) -> bool:
    """Return whether the text is a sentence in a language that writes no spaces."""
    return row.variant == WORDS and row.lang.partition("-")[0] in _UNSPACED_LANGS


def _interpret_spelling(row: PublishedRow) -> Interpretation:
    label, ours = row.label.split(), spell.solve(row.text)
    answer = " ".join(ours)
    if label == ours or row.label == answer:
        return Interpretation({"units": ours}, row.label)
    others = [(list(line.units), reason) for line, reason in character_readings(row.text)]
    others.append(([unit for unit in ours if unit.strip()], "spaces do not count as characters"))
    others.append((ours, "it is in another Unicode form"))
    for units, reason in others:
        if list(map(nfc, units)) == list(map(nfc, label)):
            both = Interpretation({"units": label, "also": [ours]}, row.label)
            return both.with_issue("several", reason, (row.label, answer))
    return Interpretation({"units": ours}, answer).with_issue("wrong", _NOT_IT, [answer])


def _interpret_joining(row: PublishedRow) -> Interpretation:
    ours = nfc("".join(row.text.split()))
    if nfc(row.label) == ours:
        return Interpretation({"word": ours}, row.label)
    return Interpretation({"word": ours}, ours).with_issue("wrong", _NOT_IT, [ours])


def _interpret_contains(row: PublishedRow) -> Interpretation:
    label, line = _parse_yes_no(row.label, row.language), _line(row)
    (unit,) = row.units
    ours = unit in line.units
    right = _yes_no(row, ours)
    if label is None:
        return right.with_issue("unclear", "it is neither yes nor no")
    if label == ours:
        return right
    if reason := _reason_for(row, line, unit, label):
        both = [row.language.prompts[word] for word in ("yes", "no")]
        return _yes_no(row, label).with_issue("several", reason, both)
    within = label and unit.lower() in row.text.lower()
    reason = "it is found only within another word" if within else _NOT_IT
    return right.with_issue("wrong", reason, [right.solution])


def _reason_for(row: PublishedRow, line: Line, unit: str, label: bool) -> str:
    """Return why a label may say the opposite of our answer; empty if we know no reason."""
    for other, reason in _other_readings(row):
        # A label that denies a word which we find has to cut it in two.
        cut = label or len(other.units) > len(line.units)
        if cut and (unit in other.units) == label:
            return reason
    if label:
        return _CASE if unit.lower() in map(str.lower, line.units) else ""
    return _LEFT if _is_unspaced(row) else ""


def _yes_no(row: PublishedRow, yes: bool) -> Interpretation:
    words = row.language
    if row.label.lower() in (words.yes if yes else words.no):  # a label may also be English
        return Interpretation({"answer": yes}, row.label)
    return Interpretation({"answer": yes}, words.prompts["yes" if yes else "no"])


def _parse_yes_no(label: str, language: Language) -> bool | None:
    """Return whether a label says yes in a language, or in English; None if it says neither.

    >>> from tokenbench.text.languages import language
    >>> [_parse_yes_no(label, language("ru")) for label in ("Да", "no", "maybe")]
    [True, False, None]
    """
    for words in language.with_english:
        if label.lower() in words.yes + words.no:
            return label.lower() in words.yes
    return None


def _interpret_similarity(row: PublishedRow) -> Interpretation:
    """Check that the label is one of the two words; in `orth`, that its spelling is the nearer."""
    word, *others = row.inputs
    label = Interpretation({"accepted": [row.label]}, row.label)
    if row.label not in others:
        return label.with_issue("wrong", "it is none of the two words", others)
    if row.task == "sem":
        return label
    from rapidfuzz.distance import Levenshtein

    near = sorted(others, key=lambda other: Levenshtein.distance(word, other))
    own, least, most = (Levenshtein.distance(word, other) for other in (row.label, *near[:2]))
    if least == most:
        return label.with_issue("several", "both words are as near", others)
    return label.with_issue("wrong", "the other word is nearer", near[:1]) if own > least else label


def _interpret_edit(row: PublishedRow) -> Interpretation:
    """Edit the text as our tasks do, and in other ways that the label may rest on."""
    line = _line(row)
    ours = _EDITS[row.task](line, *row.units, *row.new_units).text
    unspaced = _is_unspaced(row)
    if row.label == ours or (unspaced and _squeeze(row.label) == _squeeze(ours)):
        return _edit_result(row, row.label)
    if difference := _difference(row.label, ours, row):
        return _accept_both(row, ours, difference)
    for code, reason, texts in _other_edits(row, line):
        edited = [text for text in texts if text not in (row.text, "")]
        if any(_difference(row.label, text, row) is not None for text in edited):
            if code == "several":
                return _accept_both(row, ours, reason)
            return _edit_result(row, ours, LabelIssue(code, reason, (ours,)))
    if not any(unit in line.units for unit in row.units):
        return _edit_result(row, row.label, LabelIssue("unclear", "there is nothing to change"))
    if unspaced and row.label != row.text:
        return _edit_result(row, row.label, LabelIssue("unclear", "its words are not set apart"))
    reason = "nothing is changed" if row.label == row.text else _NOT_IT
    return _edit_result(row, ours, LabelIssue("wrong", reason, (ours,)))


def _other_edits(row: PublishedRow, line: Line) -> Iterator[tuple[Code, str, list[str]]]:
    """Yield the code and reason of an issue, and the texts that a label with that issue may be."""
    edit, operands = _EDITS[row.task], (*row.units, *row.new_units)
    for other, reason in _other_readings(row):
        yield "several", reason, [edit(other, *operands).text]
    yield "several", _CASE, _edit_in_any_case(row, line)
    once = [_edit_once(row, line, last=last) for last in (False, True)]
    if row.task == "swap":
        yield "several", "what is swapped occurs several times", once
    elif _is_unspaced(row):
        yield "several", _LEFT, once
    else:
        yield "wrong", "only one occurrence is changed", once
    if row.variant == WORDS and " " in row.text:
        occurrences = line_of_occurrences(row.text, row.units)
        reason = "what is within another word is changed, too"
        yield "wrong", reason, [edit(occurrences, *operands).text]


def _edit_in_any_case(row: PublishedRow, line: Line) -> list[str]:
    edit = _EDITS[row.task]
    forms = [
        [form for form in dict.fromkeys(line.units) if form.lower() == unit.lower()]
        for unit in row.units
    ]
    if len(forms) > 1:
        return [edit(line, *pair).text for pair in product(*forms)]
    for form in forms[0]:
        line = edit(line, form, *row.new_units)
    return [line.text]


def _edit_once(row: PublishedRow, line: Line, *, last: bool) -> str:
    """Edit only the first or the last occurrence of each unit, while a mask hides the others."""
    masks = {unit: f"\0{number}" for number, unit in enumerate(row.units)}
    for unit, mask in masks.items():
        indices = [index for index, other in enumerate(line.units) if other == unit]
        hidden = indices[:-1] if last else indices[1:]
        units = (mask if index in hidden else other for index, other in enumerate(line.units))
        line = line._replace(units=tuple(units))
    text = _EDITS[row.task](line, *row.units, *row.new_units).text
    for unit, mask in masks.items():
        text = text.replace(mask, unit)
    return text


def _accept_both(row: PublishedRow, ours: str, reason: str) -> Interpretation:
    """Accept the label, and our answer too if it changes the text and leaves some of it."""
    also = [ours] if ours not in (row.text, "") else []
    return _edit_result(row, row.label, LabelIssue("several", reason, (row.label, *also)), also)


def _edit_result(
    row: PublishedRow, text: str, issue: LabelIssue | None = None, also: list[str] | None = None
) -> Interpretation:
    folds = edit_folds(sentence=row.variant == WORDS, spaced=not _is_unspaced(row))
    target: dict[str, Json] = {"text": text, "given": row.text, "folds": folds}
    if also:
        target["also"] = also
    if not text:
        issue = LabelIssue("unsolvable", "nothing is left")
    return Interpretation(target, text, (issue,) if issue else ())


def _squeeze(text: str) -> str:
    """Return a text in lower case without spaces, with straight quotation marks."""
    text = straight_quotes(nfc(text)).replace("``", '"').replace("''", '"')
    return "".join(text.lower().split())


def _letters(text: str) -> str:
    from regex import sub

    return str(sub(r"[^\p{L}\p{M}\p{N}]+", "", nfc(text).lower()))


_DIFFERENCES: Final[tuple[tuple[Callable[[str], str], str], ...]] = (
    (nfc, "it is in another Unicode form"),  # the only one between words' characters
    (str.lower, "it differs in letter case alone"),
    (_squeeze, "it differs in spaces or the form of quotation marks alone"),
    (_letters, "it differs in punctuation alone"),
)


def _difference(label: str, text: str, row: PublishedRow) -> str | None:
    """Return the one way in which a label differs from a text: empty if it does not, else None."""
    if label == text:
        return ""
    ways = _DIFFERENCES[:1] if row.variant == CHARACTERS else _DIFFERENCES
    return next((reason for form, reason in ways if form(label) == form(text)), None)


# Whether a label about `contains_part` is right depends on the parts. All other labels about parts
# of characters are right answers, and so are those that our tasks accept.
def is_subcharacter_row(row: PublishedRow) -> bool:
    """Return whether one of our sub-character tasks asks the same in the row's language."""
    if row.lang not in _SUBCHARACTER_LANGS.get(row.task, ()):
        return False
    if row.task == "contains_part":
        return len(row.inputs) == 2
    if len(row.inputs) != 1 or not row.text or not row.label:
        return False
    parts = row.label if row.task == "decompose" else row.text
    return row.task == "furigana" or len(cell_parts(parts, row.lang)) in range(2, 5)


def _interpret_decomposition(row: PublishedRow) -> Interpretation:
    label = cell_parts(row.label, row.lang)
    ours = [list(parts) for parts in value_or((), decompose.solve, row.text, row.lang)]
    script = components(row.lang)
    keys = [list(map(script.normalize, option)) for option in (label, *ours)]
    first, *others = keys if script.is_ordered else map(sorted, keys)
    accepted = ours if first in others else [label, *ours]
    right = Interpretation({"accepted": accepted, "ordered": script.is_ordered}, row.label)
    if first in others or not ours:
        return right
    return right.with_issue("several", "it is taken apart otherwise too", map(" ".join, ours))


def _interpret_part(row: PublishedRow) -> Interpretation:
    label = _parse_yes_no(row.label, row.language)
    part, char = row.inputs
    answer = value_or(bool(label), contains_part.solve, char, part, row.lang)
    right = Interpretation({"answer": answer}, row.language.prompts["yes" if answer else "no"])
    if label is None:
        return right.with_issue("unclear", "it is neither yes nor no")
    if label == answer:
        return right
    return right.with_issue("wrong", "the parts say otherwise", [right.solution])


def _interpret_whole(row: PublishedRow) -> Interpretation:
    """Accept the characters that the parts make, or the readings of a word."""
    if row.task == "compose":
        field, reason = "accepted", "the parts make another one too"
        ours = value_or((), compose.solve, cell_parts(row.text, row.lang), row.lang)
    else:
        field, reason = "readings", "it is read otherwise too"
        ours = value_or((), furigana.solve, row.text)
    accepted = list(dict.fromkeys((row.label, *ours)))
    right = Interpretation({field: accepted}, row.label)
    return right.with_issue("several", reason, ours) if len(accepted) > 1 else right


def cell_parts(text: str, lang: str) -> list[str]:
    """Return the parts in a cell, with or without separators between them."""
    parts = [part for part in re.split(r"[\s,，、;；+＋]+", text) if part]
    if components(lang).is_ordered:
        return list(value_or((), hangul.split_jamo, " ".join(parts)))
    return parts if len(parts) > 1 else list(text)


_INTERPRETERS: Final = {
    **dict.fromkeys(_EDITS, _interpret_edit),
    "spell": _interpret_spelling,
    "spell_inverse": _interpret_joining,
    "contains": _interpret_contains,
    "orth": _interpret_similarity,
    "sem": _interpret_similarity,
    "decompose": _interpret_decomposition,
    "contains_part": _interpret_part,
    "compose": _interpret_whole,
    "furigana": _interpret_whole,
}
