"""The rows of FREQ, LENOP, SORT, REORD, DIFF and VAR: texts to count, compare and restore.

We find the right answer anew, under every rule of counting that readers may follow; only the labels
of VAR are believed, as far as the prompt allows.
"""

import re
from collections.abc import Callable, Sequence
from itertools import chain, pairwise, permutations, product
from typing import Final

from tokenbench.decomposition.disguises import identity
from tokenbench.draw import Draw
from tokenbench.grouping import group
from tokenbench.item import Json
from tokenbench.published.rows import (
    QUOTE,
    Interpretation,
    PublishedRow,
    first_number,
    format_table,
    strip_label,
)
from tokenbench.tasks.tase import diff, lenop, reord
from tokenbench.tasks.tase.freq import occurrences
from tokenbench.text.languages import Language
from tokenbench.text.lexicon import words
from tokenbench.text.normalize import nfc
from tokenbench.text.passages import compose_about, passage
from tokenbench.text.units import normalize_units, pieces, separates, unit_pattern, units

_TOPICS: Final = {"en": r"topic of (.+?)\.?$", "zh": r"主题为(.+)$", "ko": r"^(.+?) 주제로"}
_LATIN_WORD: Final = re.compile("[a-zA-Z]+(?:[-'][a-zA-Z]+)*")
_LABELS: Final = "ABC"
_COMPOSE_TRIES: Final = 20
_MAX_COMPOSED_UNITS: Final = 4096
# Up to this length, `reord.solve` tries every order, so a failure is a proof.
_MAX_PROVED_TOKENS: Final = 14


def interpret_freq(row: PublishedRow) -> Interpretation:
    """Count a token among the words, and wherever its letters occur, also inside other words."""
    found = row.search()
    if found is None:
        return row.believe_count()
    token, text = found
    ours = [occurrences(text, token)]
    if row.language.counts_words:
        lower = [word.lower() for word in text.split()]
        in_units = [word.lower() for word in units(text, row.language)].count(token.lower())
        ours = [lower.count(token.lower()), in_units, *ours, text.split().count(token)]
    without_overlaps = [text.count(token), text.lower().count(token.lower())]
    ambiguous = "it occurs more often inside other words, or in other letter case"
    return row.interpret_count(ours, ambiguous, theirs=without_overlaps)


def interpret_length(row: PublishedRow) -> Interpretation:
    """Count the units of a sentence by our rule, by spaces, and as the published scorer does."""
    text = row.search_text()
    if text is None:
        return row.believe_count()
    if quoted := re.fullmatch(rf"{QUOTE}(.*){QUOTE}", text.strip(), re.DOTALL):
        text = quoted[1]
    # Digits and other scripts count, though the prompt does not ask for them.
    theirs = [len(pieces(text, row.language))]
    wrong = "it has a different number of units"
    ours = _lengths(text, row.language)
    return row.interpret_count(ours, "rules of counting differ", theirs=theirs, wrong=wrong)


def _lengths(text: str, language: Language) -> list[int]:
    """Return the number of units in a text under each rule of counting, ours first.

    Words are also counted by spaces, as runs of letters and digits, and as Latin words; Chinese
    characters in the main block only; Hangul with its single jamo.

    >>> from tokenbench.text.languages import language
    >>> _lengths("It is well-known", language("en")), _lengths("三〇年", language("zh"))
    ([3, 3, 3, 3], [3, 2])
    """
    ours = len(units(text, language))
    if language.counts_words:
        runs = re.findall(r"\b[\w'-]+\b", text)
        by_spaces = sum(any(map(str.isalnum, token)) for token in text.split())
        latin = sum(_LATIN_WORD.fullmatch(run) is not None for run in runs)
        return [ours, by_spaces, len(runs), latin]
    if language.unit == "han":
        return [ours, len(re.findall("[\u4e00-\u9fff]", text))]
    hangul = re.findall("[\uac00-\ud7a3\u3131-\u318e]", normalize_units(text))
    return [ours, len(hangul)]


def interpret_writing(row: PublishedRow) -> Interpretation:
    """Compose a text of the length that the prompt asks for; these rows have no label."""
    n = first_number(row.prompt)
    found = re.search(_TOPICS[row.lang], row.prompt)
    topic = found[1] if found else ""
    names = _topic_words(topic, row.language)
    target = {"count": n, "lang": row.lang, "prompt": row.prompt, "topic": topic, "names": names}
    if not n or n > _MAX_COMPOSED_UNITS:
        return row.believe_label(target, "")
    nouns = words(row.lang).words
    for attempt in range(_COMPOSE_TRIES):
        draw = Draw("published", row.prompt, attempt)
        if names:
            text = compose_about(draw, row.language, n, "train", names[0], nouns)
        else:
            text = passage(draw, row.language, n, "train").text
        if lenop.verify(text, target):
            return Interpretation(target, text)
    return Interpretation(target, "").with_issue("unclear", "we composed no text of this length")


def _topic_words(topic: str, language: Language) -> list[str]:
    """Return the words of a topic: a text has to name one of them, unless there are none.

    The prompts do not say that the text has to name the topic, so any word with a meaning of its
    own will do. A word that needs more than the language's letters, such as `5G`, does not count.
    """
    found = re.findall(f"(?:{unit_pattern(language).pattern})+", normalize_units(topic))
    if language.counts_words:
        found = [word for word in found if len(word) > 1]
    empty = " ".join(format_table("empty_words").values()).split()
    return [word for word in found if word.lower() not in empty] or found


def interpret_sorting(row: PublishedRow) -> Interpretation:
    """Measure the three texts of the prompt again, by each rule of counting."""
    label = re.findall("[A-Z]", row.label.upper())
    pattern = r"^([ABC])\s*[:：](.*?)(?=^[ABC]\s*[:：]|\Z)"  # a text may have several lines
    texts = dict(re.findall(pattern, row.prompt, re.MULTILINE | re.DOTALL))
    if sorted(texts) != list(_LABELS):
        return row.believe_label({"order": label})
    by_rule = zip(*(_lengths(texts[name], row.language) for name in _LABELS), strict=True)
    orders = [_orders(dict(zip(_LABELS, lengths, strict=True))) for lengths in by_rule]
    accepted = list(dict.fromkeys(order for allowed in orders for order in allowed))
    given = "".join(label)
    if given not in accepted:
        right = orders[0][0]
        ours = Interpretation({"order": list(right)}, right)
        return ours.with_issue("wrong", "it is not the order of the lengths", orders[0])
    tie = len(orders[0]) > 1 and given in orders[0]
    reason = "texts are equally long" if tie else "rules of counting differ"
    return Interpretation({"order": label}, given).with_alternatives(reason, accepted)


def _orders(lengths: dict[str, int]) -> list[str]:
    """Return the orders, longest first, that lengths allow: several if some are equal."""
    falling = sorted(lengths.values(), reverse=True)
    return [
        "".join(names)
        for names in permutations(_LABELS)
        if [lengths[name] for name in names] == falling
    ]


def interpret_shuffling(row: PublishedRow) -> Interpretation:
    """Take the text as the published scorer does: the rest of the line after the first colon."""
    _, colon, rest = re.sub("：", ":", row.prompt).partition(":")
    tokens = pieces(rest.lstrip().partition("\n")[0], row.language)
    if not colon:
        return row.believe_label({"tokens": tokens}, "")
    solved = reord.solve(tokens)
    if solved is not None:
        return Interpretation({"tokens": tokens}, row.language.joiner.join(solved))
    unsolved = Interpretation({"tokens": tokens}, "")
    if len(tokens) <= _MAX_PROVED_TOKENS or _has_no_order(tokens):
        return unsolved.with_issue("unsolvable", "every order keeps two neighbours")
    return unsolved.with_issue("unclear", "no order was found, nor proved that there is none")


def _has_no_order(tokens: list[str]) -> bool:
    """Return whether some token has to meet an old neighbour in every order.

    It does if it was next to every other token, or if it was next to itself and more than half of
    all tokens equal it.
    """
    lower = [token.lower() for token in tokens]
    neighbours: dict[str, set[str]] = {token: set() for token in lower}
    for before, after in pairwise(lower):
        neighbours[before].add(after)
        neighbours[after].add(before)
    return any(
        others | {token} == set(neighbours)
        or (token in others and 2 * lower.count(token) > len(lower) + 1)
        for token, others in neighbours.items()
    )


def interpret_diff(row: PublishedRow) -> Interpretation:
    """Compare the two lists of the prompt: the label names only one of two differing tokens."""
    spoken = row.language
    label = strip_label(row.label.lower())
    says_same = label in spoken.same + spoken.yes
    lists = re.findall(r"^[^\S\n]*+seq\s*[12]\s*[:：](.*)$", row.prompt, re.MULTILINE)
    if len(lists) != 2:
        return row.believe_label({"differing": [] if says_same else [label]})
    cuts = _list_cuts(row.language)
    tokens_by_cut = [[[token.lower() for token in cut(text)] for text in lists] for cut in cuts]
    differing = [list(diff.differing(*both)) for both in tokens_by_cut]
    for text, tokens in product(dict.fromkeys((row.label.lower(), label)), differing):
        if text not in tokens:
            continue
        right = Interpretation({"differing": tokens}, text)
        right = right.with_alternatives("several tokens differ", dict.fromkeys(tokens))
        if text in spoken.answer_words:
            reason = "the differing token is also the word for yes or no"
            right = right.with_issue("several", reason, [text])
        return right
    tokens = differing[0]
    by_case = [token.lower() for token in diff.differing(*map(cuts[0], lists))]
    if not tokens and by_case and (label in by_case or says_same):
        believed = Interpretation({"differing": by_case if label in by_case else []}, label)
        return believed.with_issue("several", "the lists differ in letter case only", by_case)
    if says_same and not tokens:
        return Interpretation({"differing": []}, label)
    answers = list(dict.fromkeys(tokens)) or [spoken.yes[0]]
    reason = "it is not what differs" if tokens else "the lists are the same"
    return Interpretation({"differing": tokens}, answers[0]).with_issue("wrong", reason, answers)


def _list_cuts(language: Language) -> tuple[Callable[[str], list[str]], ...]:
    """Return the ways to cut a list into tokens, the most natural one first.

    The prompts ask for units, yet a list of characters may have letters, digits and marks of other
    scripts.
    """
    if language.counts_words:
        return (str.split,)
    return (
        lambda text: units(text, language),
        lambda text: list("".join(normalize_units(text).split())),
    )


# VAR


def interpret_restoration(row: PublishedRow) -> Interpretation:
    """Believe the label; letter case is free because the look-alikes do not show it."""
    row, shown = _with_fitting_label(row), row.search_text()
    digits = row.label.isdigit()
    target: dict[str, Json] = {
        "text": row.label,
        "folds": ["case"] if row.language.counts_words and not digits else [],
        "shown": shown or "",
    }
    if shown is None:
        return row.believe_label(target)
    believed, label = Interpretation(target, row.label), nfc(row.label)
    if len(nfc(shown)) != len(label):
        return believed.with_issue("unclear", "the label is not as long as what is shown")
    pairs = _character_pairs(row)
    if row.lang == "zh":
        changed = "".join(one + own for one, own in pairs if one != own)
        if any(char.isascii() or separates(char) for char in changed):
            return believed.with_issue("unclear", "the label changes the punctuation")
        return believed
    kind, value = ("digit", _digit_value) if digits else ("letter", _letter_value)
    by_value = "".join(value(one) or own for one, own in pairs)
    if by_value.lower() == label.lower():
        return believed
    reason = f"a look-alike is itself another {kind}"
    return believed.with_issue("several", reason, (label, by_value))


def _with_fitting_label(row: PublishedRow) -> PublishedRow:
    """Return a row without the marks around its label, if that gives it the length of the text."""
    shown = row.search_text()
    label = strip_label(row.label)
    if shown is not None and len(nfc(row.label)) != len(nfc(shown)) == len(nfc(label)):
        return row._replace(label=label)
    return row


def _character_pairs(row: PublishedRow) -> list[tuple[str, str]]:
    """Return the characters of the text, each with the label's; none if the lengths differ."""
    shown, label = nfc(row.search_text() or ""), nfc(row.label)
    return list(zip(shown, label, strict=True)) if len(shown) == len(label) else []


def _letter_value(shown: str) -> str:
    """Return the ASCII letter that a character is a styled form of; empty without one."""
    letter = identity(shown) or ""
    return letter if letter.isalpha() else ""


def _digit_value(shown: str) -> str:
    """Return the digit whose value a character has; empty if it has none."""
    from unicodedata2 import numeric

    value = numeric(shown, -1.0)
    return str(int(value)) if value in range(10) else ""


def add_ambiguous_variants(
    rows: Sequence[PublishedRow], interpretations: Sequence[Interpretation]
) -> list[Interpretation]:
    """Return a file's interpretations with an issue where a variant stands for two characters."""
    rows = [_with_fitting_label(row) for row in rows]
    pairs_by_row = [_character_pairs(row) for row in rows]
    # Each different pair once, in order.
    originals = group(dict.fromkeys(chain.from_iterable(pairs_by_row)))
    result = []
    for row, pairs, interpretation in zip(rows, pairs_by_row, interpretations, strict=True):
        other = "".join(
            next((char for char in originals[variant] if char != own), own)
            for variant, own in pairs
        )
        if pairs and other != nfc(row.label):
            reason = "a variant stands for two characters in the file"
            interpretation = interpretation.with_issue("several", reason, (row.label, other))
        result.append(interpretation)
    return result
