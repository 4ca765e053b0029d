"""The dress of answers: a fence, JSON, marks of Markdown, a label, closed forms of a statement.

A form is read, never skipped: all of an answer has to match it, and the question has to quote the
texts that it quotes. The words are data of the language (see `language.toml`); an answer may wear
those of the item's language and those of English.
"""

import json
import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, Final, Literal, TypeAlias

from tokenbench.patterns import lazy_pattern
from tokenbench.text.languages import Language
from tokenbench.text.normalize import (
    BRACKETS,
    ascii_digits,
    normalize,
    straight_quotes,
    strip_fence,
    strip_markup,
    strip_wrapping,
)

Forms: TypeAlias = Literal[
    "count_forms",
    "place_forms",
    "first_forms",
    "last_forms",
    "ordinals",
    "yes_sentences",
    "no_sentences",
]

# The marks of bullets.
BULLETS: Final = "-*•–—"
_COLONS = ":：፦፡"
_QUOTED_LINE = lazy_pattern(r"\s*>(?:[ \t]+(.*))?")
_HEADING = lazy_pattern(r"#{1,6}[ \t]+(?=\S)")
_BOLD = lazy_pattern(r"(?<![0-9A-Za-z*_`])(\*\*|__|[*_`])([^*_`\n]+)\1(?![0-9A-Za-z*_`])")
# Between yes or no and the sentence that says the same.
_FIRST_MARK = lazy_pattern(r"[,.;:!，。、；：！।።፣،؛—–\n][,.;:!，。、；：！।።፣،؛—–\s]*")
_QUOTE_PAIRS = (('"', '"'), ("'", "'"), ("«", "»"), ("‹", "›"), ("「", "」"), ("『", "』"))
_QUOTES = "\"'«»‹›「」『』"
_SLOT = lazy_pattern(r"(\{n\}|\{q\})")
# Stands for the number in a text and in the patterns of its forms.
_NUMBER = "\0"
_MAX_DIGITS = 18
_MAX_LABEL_CHARS = 40
_SENTENCES: Final[tuple[Forms, ...]] = ("yes_sentences", "no_sentences")


def readings(text: str, language: Language, *, bullets: str = BULLETS) -> list[str]:
    """Return an answer as it is, and then without its dress, if it wears any.

    A code fence comes off, a JSON object whose one key is `answer`, then the marks of a quotation,
    heading or bullet, then a label: once each, and each only at the beginning.

    Args:
        text: the answer.
        language: the item's language.
        bullets: the marks that may be a bullet.

    >>> from tokenbench.text.languages import language
    >>> readings("**Answer:** 3", language("en")), readings("3", language("en"))
    (['**Answer:** 3', '3'], ['3'])
    >>> readings("정답은 고양이입니다.", language("ko"))
    ['정답은 고양이입니다.', '고양이입니다.', '고양이']
    """
    if text[:1] not in _openings(language):
        return [text]
    if text[:1].isalpha():
        is_label = text[:_MAX_LABEL_CHARS].lower().startswith(_labels(language))
        return [text, *_without_label(text, language)] if is_label else [text]
    bare = strip_fence(text)
    if "{" in bare and (value := _json_answer(strip_markup(bare))) is not None:
        return [text, value]
    bare = _strip_decoration(bare, bullets)
    further = _without_label(bare, language) or _without_label(strip_markup(bare), language)
    further = further or [bare]
    return [text, *further] if further != [text] else further


def read_number(text: str, language: Language, prompt: str, forms: Forms) -> int | None:
    """Return the number that an answer states in one of the closed forms; None for anything else.

    Args:
        text: the answer.
        language: the item's language.
        prompt: the question.
        forms: `count_forms`, `place_forms`, `first_forms`, `last_forms` or `ordinals`.

    >>> from tokenbench.text.languages import language
    >>> english, prompt = language("en"), "How many “e”?"
    >>> read_number("3 occurrences of “e”", english, prompt, "count_forms")
    3
    >>> read_number("3 occurrences of “4”", english, prompt, "count_forms") is None
    True
    """
    text = _BOLD.sub(r"\2", ascii_digits(normalize(text, BRACKETS)))
    for words in language.with_english:
        for option in words.count_words if forms == "count_forms" else ():
            said, _, count = option.rpartition(": ")
            if text == said:
                return int(count)
        numbers = list(_number_pattern(words, forms != "ordinals").finditer(text))
        if len(numbers) != 1 or (number := _number_in(numbers[0], words)) is None:
            continue
        begin, end = numbers[0].span()
        if _matches_form(f"{text[:begin]}{_NUMBER}{text[end:]}", words, forms, prompt):
            return number
    return None


def read_sign(text: str, language: Language, prompt: str) -> bool | None:
    """Return whether an answer affirms or denies; None if it does neither, or both.

    It is a word for yes or no, a sentence that says so, or both with a mark between them.

    >>> from tokenbench.text.languages import language
    >>> [read_sign(f"{word}, it does not.", language("en"), "?") for word in ("No", "Yes")]
    [False, None]
    """
    marks = (*BRACKETS, ("¡", "!"))
    text = normalize(normalize(text, marks).removesuffix("!"), marks)
    if (sign := sign_of_word(text, language)) is not None:
        return sign
    text = _BOLD.sub(r"\2", text)
    # What the question offers as answers is not what it asks about: “it contains no”.
    prompt = _options_in_quotes(language).sub("", straight_quotes(prompt))
    if (sign := _sign_of_sentence(text, language, prompt)) is not None:
        return sign
    if (mark := _FIRST_MARK.search(text)) is None:
        return None
    sign = sign_of_word(text[: mark.start()].rstrip(), language)
    is_same = _sign_of_sentence(text[mark.end() :], language, prompt) is sign
    return sign if is_same else None


def _sign_of_sentence(text: str, language: Language, prompt: str) -> bool | None:
    """Return the sign of a sentence that affirms or denies."""
    says_yes, says_no = (
        any(_matches_form(text, words, forms, prompt) for words in language.with_english)
        for forms in _SENTENCES
    )
    return says_yes if says_yes != says_no else None


@cache
def _options_in_quotes(language: Language) -> re.Pattern[str]:
    """Return the pattern of yes and no in quotation marks, with a word between them."""
    both = language.with_english
    yes = any_of(tuple(word for words in both for word in words.yes))
    no = any_of(tuple(word for words in both for word in words.no))
    yes, no = f"[{_QUOTES}](?:{yes})[{_QUOTES}]", f"[{_QUOTES}](?:{no})[{_QUOTES}]"
    between = rf"[^{_QUOTES}]{{1,12}}"
    return re.compile(f"{yes}{between}{no}|{no}{between}{yes}", re.IGNORECASE)


def sign_of_word(text: str, language: Language) -> bool | None:
    """Return whether a word alone says yes; None if it says neither yes nor no.

    >>> from tokenbench.text.languages import language
    >>> [sign_of_word(word, language("de")) for word in ("Ja", "no", "doch")]
    [True, False, None]
    """
    word = text.lower()
    for words in language.with_english:
        if word in words.yes or word in words.no:
            return word in words.yes
    return None


def _are_quoted(texts: Sequence[str], prompt: str) -> bool:
    """Return whether the question quotes each of the texts, letter for letter."""
    prompt = straight_quotes(prompt) if texts else ""
    return all(
        any(f"{left}{text}{right}" in prompt for left, right in _QUOTE_PAIRS) for text in texts
    )


def _number_in(found: re.Match[str], words: Language) -> int | None:
    """Return a number; None if the words in brackets after it are another one."""
    if len(found["digits"]) > _MAX_DIGITS:
        return None
    number = int(found["digits"])
    in_words = words.numerals[number] if number < len(words.numerals) else None
    repeated = (found["first"], found["second"])
    return number if all(word is None or word.lower() == in_words for word in repeated) else None


def _matches_form(text: str, words: Language, forms: Forms, prompt: str) -> bool:
    """Return whether all of a text has one of the forms; `_NUMBER` stands for the number."""
    if not _any_form(words, forms).fullmatch(text):
        return False
    found = (_form(words, form).fullmatch(text) for form in _templates(words, forms))
    return any(one is not None and _are_quoted(one.groups(), prompt) for one in found)


def _templates(words: Language, forms: Forms) -> tuple[str, ...]:
    templates: tuple[str, ...] = getattr(words, forms)
    if forms == "count_forms":
        # A count may also be stated without anything around it but its unit word.
        return ("{n}", *templates)
    if forms == "place_forms":
        return (
            "{n}",
            *(f"{place}{mark} {{n}}" for place in words.places for mark in ("", ":")),
            *templates,
        )
    return templates


@cache
def _number_pattern(words: Language, has_unit: bool) -> re.Pattern[str]:
    """Return the pattern of a number outside quotation marks, perhaps with its unit word."""
    units = any_of(words.counters) if has_unit else "(?!)"
    first, second = (
        rf"(?:\s*[(（](?P<{name}>{any_of(words.numerals)})[)）])?" for name in ("first", "second")
    )
    return re.compile(
        rf"(?<![{_QUOTES}])(?P<digits>[0-9]+)(?:\.0+)?(?![0-9])"
        rf"{first}(?:\s*(?:{units}|[(（](?:{units})[)）]))?{second}",
        re.IGNORECASE,
    )


@cache
def _any_form(words: Language, forms: Forms) -> re.Pattern[str]:
    """Return the pattern that a text has to match if it matches any of the forms."""
    sources = (_form(words, form).pattern for form in _templates(words, forms))
    return re.compile("|".join(sources), re.IGNORECASE)


@cache
def _form(words: Language, template: str) -> re.Pattern[str]:
    """Return the pattern of a form, with spaces or none between its words."""
    word = rf"[^\s{_QUOTES}]{{1,64}}?"
    # A phrase has five words at most.
    quoted = rf"[{_QUOTES}]?({word}(?: {word}){{0,4}}?)[{_QUOTES}]?"
    slots = {"{n}": _NUMBER, "{q}": quoted}
    source, before = "", ""
    for part in template.split():
        pieces = [piece for piece in _SLOT.split(part) if piece]
        # Scripts with spaces between words need them, also where a letter is not in quotes: 2 in g.
        is_spaced = any(end.isalnum() and end < "\u1100" for end in (before[-1:], part[:1]))
        source += rf"[^\S\n]{'+' if before and is_spaced else '*'}"
        source += r"[^\S\n]*".join(slots.get(piece) or re.escape(piece) for piece in pieces)
        before = part
    return re.compile(rf"{source}(?:\s*(?:{any_of(words.endings)}))?", re.IGNORECASE)


def any_of(words: Iterable[str]) -> str:
    """Return the pattern of any of some words, the longest first; of none, one without matches."""
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True))) or "(?!)"


def _json_answer(text: str) -> str | None:
    """Return the value of a JSON object whose one key is `answer`: a text, number or list."""
    if not (text.startswith("{") and text.endswith("}")):
        return None
    try:
        pairs = json.loads(text, object_pairs_hook=list)
    except (ValueError, RecursionError):
        return None
    if len(pairs) != 1 or pairs[0][0] != "answer":
        return None
    value: Any = pairs[0][1]
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        return json.dumps(value, ensure_ascii=False)
    is_plain = isinstance(value, str | int) and not isinstance(value, bool)
    return str(value) if is_plain else None


def _strip_decoration(text: str, bullets: str) -> str:
    """Return a text without the marks of a quotation, and of a heading or bullet of one line.

    A mark that follows another one of its kind may be the answer itself.
    """
    bare = text
    if text[:1] == ">":
        lines = [_QUOTED_LINE.fullmatch(line) for line in text.splitlines() if line.strip()]
        if all(lines):
            bare = "\n".join(line[1] or "" for line in lines if line).strip()
    if bare[:1] == "#" and (heading := _HEADING.match(bare)):
        bare = bare[heading.end() :]
    elif bare[:1] and bare[:1] in bullets and bare[1:2].isspace() and "\n" not in bare:
        bare = bare[1:].lstrip()
    return text if bare[:1] in ("", text[:1]) else bare


def _without_label(text: str, language: Language) -> list[str]:
    """Return a text after a label, and after an “is” also without the “is” at its end, if any."""
    for words in language.with_english:
        label = _label_pattern(words).match(text)
        if not label or not label["value"]:
            continue
        value = label["value"]
        bare = strip_wrapping(value)
        copulas = words.copulas if label["link"] is not None else ()
        copula = next((word for word in copulas if bare.endswith(word)), "")
        if label["link"] or label["link"] is None or copula:
            return [value, bare.removesuffix(copula).rstrip()] if copula else [value]
    return []


def _link_source(link: str) -> str:
    """Return the pattern of an “is”; in scripts with spaces between words, one follows it."""
    return re.escape(link) + (r"(?!\w)" if link[-1].isalnum() and link[-1] < "\u3000" else "")


@cache
def _labels(language: Language) -> tuple[str, ...]:
    return tuple(label for words in language.with_english for label in words.labels)


@cache
def _openings(language: Language) -> frozenset[str]:
    """Return the characters with which an answer may begin that wears something."""
    first = {label[0] for label in _labels(language)}
    return frozenset({*first, *map(str.upper, first), *BULLETS, *"`~{>#_$\\\"'“‘「【"})


@cache
def _label_pattern(words: Language) -> re.Pattern[str]:
    """Return the pattern of a label, perhaps in bold, with a colon, an “is” or a line after it."""
    # A language without a word there has its “is” at the end.
    labels, links = any_of(words.labels), "|".join(map(_link_source, words.links)) or r"(?<=\s)"
    colon, space = f"[{_COLONS}]", r"[^\S\n]*"
    return re.compile(
        rf"(?P<bold>\*\*|__|[*_]|)(?:{labels}){space}"
        rf"(?:{colon}{space}(?P=bold)|(?P=bold){space}{colon}|(?P=bold){space}\n"
        rf"|(?P<link>{links}){space}(?:{colon}|)(?P=bold){space}(?:{colon}|))"
        r"\s*(?P<value>.*)",
        re.IGNORECASE | re.DOTALL,
    )
