"""Read the text of an answer: one integer, one word or character, a list of parts."""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial

from tokenbench.extraction import Unparsable
from tokenbench.patterns import lazy_pattern
from tokenbench.quoting import quote
from tokenbench.text.languages import Language
from tokenbench.text.normalize import (
    BRACKETS,
    ROUND,
    ascii_digits,
    nfc,
    normalize,
    straight_quotes,
    strip_invisible,
    strip_markup,
    strip_wrapping,
    usual_width,
)

# A zero fraction states the same integer; any other fraction is another number. Bold, code or a
# formula may mark the number without its unit word, and may mark the unit word.
_NUMBER = lazy_pattern(r"(\*{1,2}|[`$]|)([0-9]+)(?:\.0+)?\1\s*(.*)", re.DOTALL)
_COLON = "[:፦፡]?"  # the last two Amharic
_MAX_DIGITS = 18
_FLAWS = {
    "has a sign": lazy_pattern(r"[-+−–±]\s*[0-9]+"),
    "is a fraction": lazy_pattern(r"[0-9]+\s*[/⁄]\s*[0-9]+"),
    "has a mark between its digits": lazy_pattern(r"[0-9]+(?:[.,'_٫٬][0-9]+)+"),
}
_SEPARATOR = lazy_pattern(
    "(?:[\\s,，、､،፣፤;；؛/／|｜>＞→⇒⟶➔➡・·•፡]|(?<=➡)\ufe0f)+|(?<![-=])[-=]+>+"
)
_DASH = lazy_pattern("[-‐‑–—]")
_DASHES = lazy_pattern("(?<=\\S)\\s*+[-‐‑–—]\\s*+(?=\\S)")
_DRESS = lazy_pattern(r"[:：=＝→⇒(（.+＋\d\\]|->")
_COMMAS = ",，、،፣;；"
_LATEX_SPACE = lazy_pattern(r"\\[ ,;]|\\quad\b")
# Between a word and its parts, as in `cat: c a t`.
_AFTER_WORD = lazy_pattern("[:：=＝→⇒]|[-=]>")
_LETTER_COUNT = lazy_pattern(r"[(（]\s?([0-9]{1,4})\s?([^()（）0-9]{1,24}?)\s?[)）][.。।።]?")
# An item of a list on one line: its number and the mark after it, the item, and a separator.
_NUMBERED = lazy_pattern(
    r"(?P<open>[(（]?)(?P<number>\d{1,4})(?P<mark>[.．)）:：、])[ \t]*"
    r"(?P<item>[^\s,，、;；]+)[ \t]*[,，、;；]?[ \t]*"
)
_BRACKET = lazy_pattern("[()（）]")
# Where the quotes of two parts meet, straight ones or others.
_MEETING = lazy_pattern(
    r"""(?<=[^\s"'])(?:""|'')(?=[^\s"'])|(?<=」)(?=「)|(?<=』)(?=『)|(?<=»)(?=«)"""
)
_STRAIGHT = lazy_pattern("[\"']")
_MARKER = lazy_pattern("[-*•‐‑–—\\d]")
# A line of a list: its bullet, or its number and the mark after it, and the text that follows.
_MARKED = lazy_pattern(r"\s*(?:([-*•])\s|[(（]?(\d{1,4})([.．)）、:：]))\s*(\S.*)")


def integer(text: str, language: Language, before: Iterable[str] = ()) -> int:
    """Return the integer that an answer states: digits of any script, a unit word, nothing else.

    Args:
        text: the answer; brackets may enclose all of it.
        language: its language.
        before: words in lower case; one of them may precede the number.

    Raises:
        Unparsable: no digits, or anything else with them: a sign, a second number, a word that is
            not in the language's closed list of unit words, nor an "is" after it.

    >>> from tokenbench.text.languages import language
    >>> integer("１２ words.", language("en")), integer("3回です。", language("ja"))
    (12, 3)
    >>> integer("Position: 4", language("en"), before=["position"])
    4
    """
    if not (text.isascii() and text.isdigit()):
        text = normalize(text, BRACKETS).lower()
        label = _label_pattern(tuple(before)).fullmatch(text) if before else None
        text = ascii_digits(label[2] if label else text)
    number = _NUMBER.fullmatch(text)
    if number is None:
        raise Unparsable(partial(_flaw, text))
    digits, unit = number[2].lstrip("0") or "0", number[3]
    ending = next((ending for ending in language.endings if unit.endswith(ending)), "")
    unit = strip_markup(unit.removesuffix(ending).rstrip())
    if unit and unit not in language.counters:
        raise Unparsable(partial(_flaw, text))
    if len(digits) > _MAX_DIGITS:
        raise Unparsable("is a number beyond every count")
    return int(digits)


def bare_answer(text: str, language: Language, *, character: bool = False) -> str:
    """Return an answer in its plain form, without brackets and without an "is".

    Args:
        text: the answer.
        language: its language.
        character: whether one character is asked for; Chinese may call it one (把字).

    >>> from tokenbench.text.languages import language
    >>> bare_answer("‘번개’입니다.", language("ko"))
    '번개'
    >>> bare_answer("“把”字。", language("zh"), character=True)
    '把'
    """
    if text.isascii() and text.isalpha():
        return text
    answer = normalize(text, BRACKETS)
    noun = language.character_noun
    if character and noun:
        alone = normalize(answer.removesuffix(noun), BRACKETS)
        if len(alone) == 1:
            return alone
    return normalize(strip_copula(answer, language), BRACKETS)


def strip_copula(text: str, language: Language) -> str:
    """Return a text without the "is" that may end an answer in its language.

    >>> from tokenbench.text.languages import language
    >>> strip_copula("번개입니다", language("ko")), strip_copula("です", language("ja"))
    ('번개', 'です')
    """
    ending = next((ending for ending in language.copulas if text.endswith(ending)), "")
    return text.removesuffix(ending).rstrip() or text


def strip_list_markers(text: str) -> str:
    """Return the lines of a list without its bullets, or without numbers that count up from 1.

    A text of one line, or with a line that has no such marker, stays as it is.

    >>> [strip_list_markers(text) for text in ("1. b\\n2. a", "- b\\n- a", "1. b\\n3. a")]
    ['b\\na', 'b\\na', '1. b\\n3. a']
    """
    lines = [line for line in text.splitlines() if line.strip()]
    found = [marked for line in lines if (marked := _MARKED.fullmatch(line))]
    alike = len({(marked[1], marked[3]) for marked in found}) == 1
    if len(lines) < 2 or len(found) < len(lines) or not alike:
        return text
    numbers = [int(marked[2] or 0) for marked in found]
    counted = found[0][1] or numbers == list(range(1, len(found) + 1))
    return "\n".join(marked[4] for marked in found) if counted else text


def split_list(text: str) -> list[str]:
    """Return the parts that an answer lists: a JSON list, or parts between separators.

    Separators are white space, commas, semicolons, slashes, bars, `>` and arrows, in any mix. Each
    part comes without its quotes and final stop.

    >>> split_list("C > A > B"), split_list('["C","A","B"]'), split_list("C、A、B。")
    (['C', 'A', 'B'], ['C', 'A', 'B'], ['C', 'A', 'B'])
    """
    text = strip_wrapping(strip_invisible(text))
    parts = _json_list(text)
    if parts is None:
        parts = _SEPARATOR.split(text)
    stripped = (strip_wrapping(straight_quotes(part)) for part in parts)
    return [part for part in stripped if part]


def split_spelling(text: str, units: str = "") -> list[str]:
    """Return the parts of a spelling, separated by spaces, marks, lines or quotes, in NFC.

    Brackets around all of it, dashes and the numbers or bullets of a list come off.

    Args:
        text: the answer.
        units: the text that is spelled; such characters stay where it has any itself.

    >>> split_spelling("(c-a-t)"), split_spelling("1. c\\n2. a"), split_spelling("x - y", "x-y")
    (['c', 'a', 't'], ['c', 'a'], ['x', '-', 'y'])
    """
    brackets = () if _BRACKET.search(units) else ROUND
    text = strip_wrapping(straight_quotes(strip_invisible(text)), brackets)
    if not _STRAIGHT.search(units):
        text = _MEETING.sub(" ", text)
    if not _MARKER.search(units):
        text = strip_list_markers(text)
    return [nfc(usual_width(part)) for part in split_list(dashes_to_commas(text, units))]


def split_dressed_spelling(text: str, units: Sequence[str], language: Language) -> list[str]:
    """Return the parts of a spelling with further separators or with words around it.

    The separators are full stops and plus signs, numbers on one line, and an “and” before the last
    part of a list with commas. The word itself may precede the parts, and the number of its letters
    may follow them in brackets.

    Args:
        text: the answer.
        units: the characters that are right; none of them is a separator.
        language: the language of the words around.

    Returns:
        the parts; none if the text has neither.

    >>> from tokenbench.text.languages import language
    >>> split_dressed_spelling("cat: c.a.t (3 letters)", ["c", "a", "t"], language("en"))
    ['c', 'a', 't']
    >>> split_dressed_spelling("1. c 2. a 3. t", ["c", "a", "t"], language("en"))
    ['c', 'a', 't']
    """
    if not _DRESS.search(text) and _final_and_to_comma(text, units, language) == text:
        return []
    word = "".join(units)
    text = strip_wrapping(straight_quotes(strip_invisible(text))).replace("＋", "+")
    if "\\" not in word:
        text = _LATEX_SPACE.sub(" ", text)
    text = strip_own_word(text, lambda head: _is_spelled_word(head, word))
    if not _BRACKET.search(word):
        text = _strip_letter_count(text, len(units), language)
    text = strip_wrapping(text, () if _BRACKET.search(word) else ROUND)
    if not _MARKER.search(word):
        numbered = strip_list_markers(text)
        text = ",".join(split_numbered(text, _NUMBERED)) or text if numbered == text else numbered
    for mark in (mark for mark in ".+" if mark not in word):
        parts = [part.strip() for part in text.split(mark)]
        # Only if nothing else separates them, and no other mark is left.
        if all(len(part.split()) == 1 for part in parts):
            text = ",".join(parts)
    return split_spelling(_final_and_to_comma(text, units, language), word)


def strip_own_word(text: str, is_own: Callable[[str], bool]) -> str:
    """Return a text without the question's own word and the colon, equals sign or arrow after it.

    Args:
        text: the answer.
        is_own: whether a word is the one that the question names.

    >>> strip_own_word("**cat**: c a t", "cat".__eq__), strip_own_word("dog = c a t", "cat".__eq__)
    ('c a t', 'dog = c a t')
    """
    sign = _AFTER_WORD.search(text)
    if sign is None:
        return text
    head, rest = text[: sign.start()].strip(), text[sign.end() :].strip()
    if head.startswith("**") and rest.startswith("**") and head.count("**") == 1:
        head, rest = head[2:], rest[2:].strip()
    return rest if rest and is_own(strip_wrapping(head)) else text


def split_numbered(text: str, form: re.Pattern[str]) -> list[str]:
    """Return the items of a text that is nothing but items with numbers that count up from 1.

    Args:
        text: the answer.
        form: the pattern of one item and the separator after it; its group `number` is the number,
            `item` the item. Groups of other names have the same text in all items.

    Returns:
        the items; none if the text is not such a list of two or more.
    """
    items: list[str] = []
    others: list[dict[str, str]] = []
    start = 0
    while start < len(text):
        match = form.match(text, start)
        if match is None or int(match["number"]) != len(items) + 1:
            return []
        items.append(match["item"])
        others.append({**match.groupdict(), "number": "", "item": ""})
        start = match.end()
    alike = all(other == others[0] for other in others)
    return items if alike and len(items) > 1 else []


def _is_spelled_word(head: str, word: str) -> bool:
    head = nfc(usual_width(head))
    return head == word or (word == word.lower() and head.isupper() and head.lower() == word)


def _strip_letter_count(text: str, count: int, language: Language) -> str:
    """Return a text without the right number of letters in brackets that may end it."""
    start = max(text.rfind("("), text.rfind("（"))
    if start <= 0:
        return text
    stated = _LETTER_COUNT.fullmatch(ascii_digits(text[start:]))
    nouns = language.list_words["letters"]
    is_right = stated and int(stated[1]) == count and nfc(stated[2]).lower() in nouns
    return text[:start].rstrip() if is_right else text


def _final_and_to_comma(text: str, units: Sequence[str], language: Language) -> str:
    """Return a text with a comma for the “and” before its last part.

    One of a single character could be a letter: it needs commas between the other parts.
    """
    comma = max(map(text.rfind, _COMMAS))
    fields = text.rsplit(maxsplit=2)
    if len(fields) == 3:
        before, conjunction, last = fields
        conjunction = conjunction.lower()
        is_and = conjunction in language.conjunctions_with_english
        if is_and and conjunction not in units and (comma >= 0 or len(conjunction) > 1):
            return f"{before},{last}"
    for conjunction in language.list_words["touching_and"] if comma >= 0 else ():
        before, found, last = text[comma + 1 :].partition(conjunction)
        if found and last.strip() and conjunction not in "".join(units):
            return f"{text[: comma + 1]}{before},{last}"
    return text


def dashes_to_commas(text: str, units: str) -> str:
    """Return a text with commas for the dashes between its parts, unless dashes may be parts.

    >>> dashes_to_commas("c - a-t", "cat"), dashes_to_commas("x - -", "x-")
    ('c,a,t', 'x - -')
    """
    return text if _DASH.search(units) else _DASHES.sub(",", text)


def _flaw(text: str) -> str:
    """Return the flaw of a normalized text that is not one whole number and a unit word."""
    first, *others = re.findall("[0-9]+", text) or [text]
    rest = text.replace(first, " ", 1).strip()
    flaw = f"holds {quote(rest, 20)} beside a number" if rest else "holds no digits"
    if others:
        flaw = "holds more than one number"
    flaw = next((named for named, form in _FLAWS.items() if form.fullmatch(text)), flaw)
    return f"{flaw}: one whole number is asked for"


@cache
def _label_pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    """Return the pattern of a word, perhaps in bold, a colon within or after it, and the rest."""
    options = "|".join(map(re.escape, words))
    return re.compile(rf"(\*\*|)(?:{options})\s*{_COLON}\1\s*{_COLON}\s*(.*)", re.DOTALL)


def _json_list(text: str) -> list[str] | None:
    """Return the parts of a text in square brackets: a JSON list, or parts without quotes."""
    if text[:1] in "[［":
        text = usual_width(text)
    if not (text.startswith("[") and text.endswith("]")):
        return None
    try:
        values = json.loads(straight_quotes(text))
    except (ValueError, RecursionError):
        return None if "[" in text[1:] else _SEPARATOR.split(text[1:-1])
    if isinstance(values, list) and all(isinstance(value, str) for value in values):
        return values
    return None
