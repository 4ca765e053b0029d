"""What an answer wears: a fence, JSON, marks of Markdown, a label, the closed forms of a statement.

A form is read, never skipped: all of an answer has to match it, and what it repeats of the question
has to be quoted there. The words are data of the language (see `language.toml`); an answer may wear
those of the item's language and those of English.
"""

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from tokenbench.text.languages import Language, language
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
    "count_forms", "place_forms", "ordinals", "yes_sentences", "no_sentences"
]

# What may begin a line as a bullet.
BULLETS: Final = "-*•–—"
_COLONS = ":：፦፡"
_QUOTED_LINE = re.compile(r"\s*>[ \t]?(.*)")
_HEADING = re.compile(r"#{1,6}[ \t]+(?=\S)")
_BOLD = re.compile(r"(?<![0-9A-Za-z*_`])(\*\*|__|[*_`])([^*_`\n]+)\1(?![0-9A-Za-z*_`])")
# Between yes or no and the sentence that says the same.
_FIRST_MARK = re.compile(r"[,.;:!，。、；：！।።፣،؛—–\n][,.;:!，。、；：！।።፣،؛—–\s]*")
_QUOTE_PAIRS = (('"', '"'), ("'", "'"), ("«", "»"), ("‹", "›"), ("「", "」"), ("『", "』"))
_QUOTES = "\"'«»‹›「」『』"
_SLOT = re.compile(r"(\{n\}|\{q\})")
_MAX_DIGITS = 18


class _Statement(NamedTuple):
    """The texts that a form repeats of the question, and the number that it states."""

    quoted: tuple[str, ...]
    number: int | None


def readings(text: str, lang: str, *, bullets: str = BULLETS) -> list[str]:
    """Return an answer as it is, and then without what it wears, if it wears anything.

    A code fence comes off, a JSON object whose one key is `answer`, then the marks of a quotation,
    heading or bullet, then a label: once each, and each only at the beginning.

    Args:
        text: the answer.
        lang: the code of the item's language.
        bullets: the marks that may be a bullet.

    >>> readings("**Answer:** 3", "en"), readings('{"answer": "a b"}', "en"), readings("3", "en")
    (['**Answer:** 3', '3'], ['{"answer": "a b"}', 'a b'], ['3'])
    >>> readings("정답은 고양이입니다.", "ko")
    ['정답은 고양이입니다.', '고양이입니다.', '고양이']
    """
    bare = strip_fence(text)
    if "{" in bare and (value := _json_answer(strip_markup(bare))) is not None:
        return [text, value]
    bare = _strip_decoration(bare, bullets)
    further = _without_label(bare, lang) or _without_label(strip_markup(bare), lang) or [bare]
    return [text, *further] if further != [text] else further


def stated_number(text: str, lang: str, prompt: str, forms: Forms) -> int | None:
    """Return the number that an answer states in one of the closed forms; None for anything else.

    Args:
        text: the answer.
        lang: the code of the item's language.
        prompt: the question.
        forms: `count_forms`, `place_forms` or `ordinals`.

    >>> stated_number("3 occurrences of “e”", "en", "How many “e”?", "count_forms")
    3
    >>> stated_number("3 occurrences of “4”", "en", "How many “e”?", "count_forms") is None
    True
    """
    text = _BOLD.sub(r"\2", ascii_digits(normalize(text, BRACKETS)))
    if forms == "count_forms":
        for option in language(lang).count_words:
            words, _, number = option.rpartition(": ")
            if text == words:
                return int(number)
    statements = _statements(text, lang, forms)
    numbers = {said.number for said in statements if _are_quoted(said.quoted, prompt)}
    return numbers.pop() if len(numbers) == 1 else None


def stated_sign(text: str, lang: str, prompt: str) -> bool | None:
    """Return whether an answer affirms or denies; None if it does neither, or both.

    It is a word for yes or no, a sentence that says so, or both with a mark between them.

    >>> [stated_sign(text, "en", "?") for text in ("No, it does not.", "Yes, it does not.")]
    [False, None]
    """
    marks = (*BRACKETS, ("¡", "!"))
    text = _BOLD.sub(r"\2", normalize(normalize(text, marks).removesuffix("!"), marks))
    if (sign := _sign_of(text, lang, prompt)) is not None:
        return sign
    if (mark := _FIRST_MARK.search(text)) is None:
        return None
    sign = _sign_of_word(text[: mark.start()].rstrip(), lang)
    return sign if sign is not None and _sign_of(text[mark.end() :], lang, prompt) is sign else None


def _sign_of(text: str, lang: str, prompt: str) -> bool | None:
    """Return the sign of a word for yes or no, or of a sentence that says so."""
    if (sign := _sign_of_word(text, lang)) is not None:
        return sign
    signs = [
        any(_are_quoted(said.quoted, prompt) for said in _statements(text, lang, forms))
        for forms in ("yes_sentences", "no_sentences")
    ]
    return signs[0] if signs[0] != signs[1] else None


def _sign_of_word(text: str, lang: str) -> bool | None:
    word = text.lower()
    for words in language(lang).with_english:
        if word in words.yes or word in words.no:
            return word in words.yes
    return None


def _are_quoted(texts: tuple[str, ...], prompt: str) -> bool:
    """Return whether the question quotes each of the texts, letter for letter."""
    prompt = straight_quotes(prompt) if texts else ""
    return all(
        any(f"{left}{text}{right}" in prompt for left, right in _QUOTE_PAIRS) for text in texts
    )


def _statements(text: str, lang: str, forms: Forms) -> Iterator[_Statement]:
    """Yield what a text states in some forms, in the item's language and in English."""
    for words in language(lang).with_english:
        pattern, slots = _pattern(words.code, forms)
        if found := pattern.fullmatch(text):
            # The outermost group, which is that of the form, ends last.
            at = found.lastindex or 0
            groups = iter(found.groups()[at:])
            statement = _read_slots(slots[at], groups, words)
            if statement is not None:
                yield statement


def _read_slots(
    slots: tuple[str, ...], groups: Iterator[str | None], words: Language
) -> _Statement | None:
    """Return what the slots of a form contain; None if a number is repeated as another one."""
    number, quoted = None, []
    for slot in slots:
        if slot == "{q}":
            marked, unmarked = next(groups), next(groups)
            quoted.append(marked or unmarked or "")
            continue
        digits, *repeated = next(groups) or "", next(groups), next(groups)
        if len(digits) > _MAX_DIGITS:
            return None
        number = int(digits)
        in_words = words.numerals[number] if number < len(words.numerals) else None
        if any(word is not None and word.lower() != in_words for word in repeated):
            return None
    return _Statement(tuple(quoted), number)


@cache
def _pattern(code: str, forms: Forms) -> tuple[re.Pattern[str], dict[int, tuple[str, ...]]]:
    """Return the pattern of a language's forms, and by the group of each form its slots."""
    words = language(code)
    units, numerals, endings = map(_any_of, (words.counters, words.numerals, words.endings))
    repeated = rf"(?:\s*[(（]({numerals})[)）])?"
    sources = {
        "{n}": rf"([0-9]+)(?:\.0+)?{repeated}(?:\s*(?:{units}))?{repeated}",
        "{q}": rf"(?:[{_QUOTES}]([^{_QUOTES}\n]{{1,64}})[{_QUOTES}]|([^\s{_QUOTES}]{{1,64}}?))",
    }
    sizes = {slot: re.compile(source).groups for slot, source in sources.items()}
    options, slots, group = [], {}, 1
    # A count may also be stated without anything around it but its unit word.
    for template in (
        ("{n}", *words.count_forms) if forms == "count_forms" else getattr(words, forms)
    ):
        pieces = [piece for word in template.split() for piece in _SLOT.split(word) if piece]
        options.append("(" + r"\s*".join(sources.get(p) or re.escape(p) for p in pieces) + ")")
        slots[group] = tuple(piece for piece in pieces if piece in sources)
        group += 1 + sum(sizes[slot] for slot in slots[group])
    return re.compile(rf"(?:{'|'.join(options)})(?:\s*(?:{endings}))?", re.IGNORECASE), slots


def _any_of(words: tuple[str, ...]) -> str:
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
    """Return a text without the marks of a quotation, and of a heading or bullet of one line."""
    if text[:1] == ">":
        lines = [_QUOTED_LINE.fullmatch(line) for line in text.splitlines() if line.strip()]
        if all(lines):
            text = "\n".join(line[1] for line in lines if line)
    if text[:1] == "#" and (heading := _HEADING.match(text)):
        return text[heading.end() :]
    if text[:1] in bullets and text[1:2].isspace() and len(text.splitlines()) == 1:
        return text[1:].lstrip()
    return text


def _without_label(text: str, lang: str) -> list[str]:
    """Return a text after a label, and after an “is” also without the “is” at its end, if any."""
    for words in language(lang).with_english:
        label = _label_pattern(words.code).match(text)
        if not label or not label["value"]:
            continue
        value = label["value"]
        bare = strip_wrapping(value)
        copula = next((word for word in words.copulas if label["link"] and bare.endswith(word)), "")
        return [value, bare.removesuffix(copula).rstrip()] if copula else [value]
    return []


def _link_source(link: str) -> str:
    """Return the pattern of an “is”; in scripts with spaces between words, one follows it."""
    return re.escape(link) + (r"(?!\w)" if link[-1] < "\u3000" else "")


@cache
def _label_pattern(code: str) -> re.Pattern[str]:
    """Return the pattern of a label, perhaps in bold, with a colon, an “is” or a line after it."""
    words = language(code)
    labels, links = _any_of(words.labels), "|".join(map(_link_source, words.links)) or "(?!)"
    colon, space = f"[{_COLONS}]", r"[^\S\n]*"
    return re.compile(
        rf"(?P<bold>\*\*|__|[*_]|)(?:{labels}){space}"
        rf"(?:(?P<link>{links}){space}(?:{colon}|)(?P=bold){space}(?:{colon}|)"
        rf"|{colon}{space}(?P=bold)|(?P=bold){space}{colon}|(?P=bold){space}\n)"
        r"\s*(?P<value>.*)",
        re.IGNORECASE | re.DOTALL,
    )
