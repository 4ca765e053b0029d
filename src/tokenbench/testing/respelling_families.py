"""Families of right answers in other spellings, each of which has to score 1.0.

Families in the words and marks of chat models are in `respellings.toml`: a family has a name, a
sentence, a style (whose completions they are) and patterns, by language or for all of them. Those
whose members are computed have a name and a sentence there, and a function here.

Spellings that every task accepts (text around the tags, labels, NFC, one free final stop) are built
for every item. Those of numbers are built where the answer is a count, lists of labels where it is
an order. All others are built only for the equivalences that a task declares or the caller names:
fullwidth letters are the same answer in one task and the point of another.
"""

import re
import unicodedata
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache, partial
from itertools import chain
from string import ascii_lowercase
from typing import Any, Final, TypeAlias
from unicodedata import category

from tokenbench.answers import Order, Text, Tokens
from tokenbench.checks import one_of
from tokenbench.decomposition import hangul, hanzi
from tokenbench.item import Item, dumps
from tokenbench.tasks import find_task
from tokenbench.tasks.wordings import split_closing
from tokenbench.testing.item_facts import (
    answer_parts,
    answers_yes_or_no,
    fill,
    form_fields,
    is_position,
    joiner,
    keeps_case,
    kind_of,
    labels,
    number,
    payload,
    quoted_texts,
    tagged,
    tokens,
)
from tokenbench.text.languages import language
from tokenbench.text.normalize import BRACKETS, straight_quotes
from tokenbench.text.sources import data_table

RESPELLING_DATA: Final[Mapping[str, Any]] = data_table("tokenbench.testing", "respellings.toml")
# Which spellings are the same answer beyond those that every task accepts, by name.
EQUIVALENCES: Final = data_table("tokenbench.answers", "equivalences.toml")
STYLES: Final = tuple(RESPELLING_DATA["styles"])
_STOP_AFTER_ANSWER: Final = re.compile(r"(\{x\})[.。।።]")
# What has the end of a pair of tags.
_PAIR: Final = re.compile(r"\{[XY]\}|</answer>|\{prompt\}", re.IGNORECASE)
_ASCII: Final = tuple(map(chr, range(128)))
_STOPS: Final = tuple(".。।።")


@dataclass(frozen=True)
class RespellingFamily:
    """A family of right answers.

    Attributes:
        name: its name in the corpus.
        completions: a phrase that says what its completions are.
        style: one of `STYLES`.
        forms: patterns by the code of their language; `any` has those without words.
        kinds: the names of the kinds of answers that it suits; None is all.
        langs: the codes of the languages of items that it suits; None is all.
        when: a fact about the answer, a name in `_facts`; empty is none.
        equivalence: the name of the equivalence that a task has to declare; empty is none.
    """

    name: str
    completions: str
    style: str = "spelling"
    forms: Mapping[str, Sequence[str]] = field(default_factory=dict)
    kinds: Sequence[str] | None = None
    langs: Sequence[str] | None = None
    when: str = ""
    equivalence: str = ""

    def suits(self, item: Item) -> bool:
        """Return whether the family's completions answer an item."""
        kind = kind_of(item)
        is_of_kind = self.kinds is None or (kind is not None and kind.name in self.kinds)
        is_of_lang = self.langs is None or item.lang in self.langs
        return is_of_kind and is_of_lang and (not self.when or self.when in _facts(item))


# All families by name: those of patterns, and those that are computed.
RESPELLING_FAMILIES: Final[Mapping[str, RespellingFamily]] = {
    name: RespellingFamily(name, **entry) for name, entry in RESPELLING_DATA["families"].items()
}
RESPELLINGS: Final = tuple(RESPELLING_FAMILIES)


def fill_families(item: Item, equivalences: Collection[str]) -> dict[str, list[str]]:
    """Return the completions of the families of patterns for an item, by family.

    Args:
        item: the item.
        equivalences: names of equivalences, whose families are included.

    >>> item = Item("freq", 2, "de", None, "How many?", {"count": 3}, "3")
    >>> filled = fill_families(item, ["counted"])
    >>> filled["label"][-1], filled["counted"][0]
    ('<answer>Endgültige Antwort: 3</answer>', '<answer>3x</answer>')
    """
    fields = _fields(item)
    keeps_stops = category(item.solution[-1:] or ".")[0] in "LMN"
    kind = kind_of(item)
    is_mention = kind is not None and kind.mentions_format(item.solution, item)
    completions: dict[str, list[str]] = {}
    for family in RESPELLING_FAMILIES.values():
        is_declared = not family.equivalence or family.equivalence in equivalences
        if is_declared and family.suits(item):
            forms = _forms(family.name, item.lang, keeps_stops)
            if is_mention:
                # An answer such as “text” beside another pair would be a mention of the format.
                forms = tuple(form for form in forms if len(_PAIR.findall(form)) < 2)
            if texts := fill(forms, fields):
                completions[family.name] = texts
    return completions


@cache
def _forms(name: str, lang: str, keeps_stops: bool) -> tuple[str, ...]:
    """Return a family's patterns for items of a language: those without words, English, its own."""
    by_lang = RESPELLING_FAMILIES[name].forms
    own = lang if lang in by_lang else lang.partition("-")[0]
    codes = dict.fromkeys(("any", "en", own))
    forms = tuple(form for code in codes for form in by_lang.get(code, ()))
    return forms if keeps_stops else tuple(_STOP_AFTER_ANSWER.sub(r"\1", form) for form in forms)


# All families ask for the same item's facts, one after the other.
@lru_cache(maxsize=16)
def _facts(item: Item) -> set[str]:
    """Return the facts about an answer that families of patterns need."""
    x, kind, words = item.solution, kind_of(item), language(item.lang)
    if kind is None:
        return set()
    is_yes_or_no, is_list = answers_yes_or_no(item), isinstance(kind, Tokens)
    is_same = is_list and x.lower() in words.same
    is_one_token = is_list and not is_same and tokens(x) == [x]
    # A noun for a token may stand beside the one token where no such noun differs.
    nouns = {*words.list_words["tokens_before"], *words.list_words["tokens_after"]}
    holds = {
        "count": number(item) is not None and not is_position(item),
        "position": is_position(item),
        "yes": is_yes_or_no and x.lower() in words.yes,
        "no": is_yes_or_no and x.lower() in words.no,
        "same": is_same,
        "one token": is_one_token,
        "one token, no noun": is_one_token
        and nouns.isdisjoint(map(str.lower, item.target[kind.field])),
        "letter": "called" in kind.equivalences and x in _ASCII,
        "reading": "kana" in kind.equivalences,
        "no conjunction": not kind.may_be_conjunction,
    }
    return {fact for fact in holds if holds[fact]}


def _asking_paragraph(item: Item) -> str:
    """Return the paragraph of a prompt that asks; the text that it is about may stand before it."""
    paragraphs = split_closing(item.prompt, item.lang)[0].split("\n\n")
    asking = [text for text in paragraphs if text.strip() not in payload(item)]
    return (asking or paragraphs[:1])[-1]


def _fields(item: Item) -> dict[str, str]:
    """Return the fields of patterns for an item, without those that its answer lacks."""
    fields = form_fields(item)
    x = item.solution
    fields["question"] = _asking_paragraph(item)
    n = number(item)
    numerals = language("en").numerals
    if n is not None and n < len(numerals):
        fields["in_words"] = numerals[n]
    if x.islower() and not keeps_case(item):
        fields["upper"] = x.upper()
    kind = kind_of(item)
    if (
        isinstance(kind, Text | Tokens)
        and "mark" in kind.equivalences
        and x[-1:] in _STOPS
        and x[-2:-1].isalnum()
    ):
        fields |= {"unmarked": x[:-1], "mark": x[-1]}
    given = item.target.get("given") if isinstance(kind, Text) else None
    # A sentence is not repeated before its edited form.
    if isinstance(given, str) and " " not in given and "unmarked" not in fields:
        fields["given"] = given
    if quoted := quoted_texts(item):
        fields["quoted"] = quoted[0]
    parts = answer_parts(item) or (list(x) if isinstance(kind_of(item), Order) else x.split())
    if len(parts) > 1:
        fields["json_parts"] = dumps(list(parts))
        fields["size"] = str(len(parts))
        fields |= {"word": "".join(parts), "dotted": ".".join(parts), "added": " + ".join(parts)}
    if isinstance(kind_of(item), Order):
        fields |= dict(zip("abc", parts, strict=False))
    return fields


_MARKS: Final = RESPELLING_DATA["marks"]
# Each a family of respellings and the text of an answer.
Variants: TypeAlias = Iterator[tuple[str, str]]

# Latin, Chinese, Hindi, Amharic.
_FINAL_STOPS = ".。．｡।።"
# The zeros of seven scripts.
_ZEROS = (0x0660, 0x06F0, 0x0966, 0x09E6, 0x0E50, 0xFF10, 0x1D7CE)
_WIDE = str.maketrans({code: code + 0xFEE0 for code in range(0x21, 0x7F)} | {0x20: 0x3000})
_CURLY = (str.maketrans("'\"", "’”"), str.maketrans("'\"", "‘“"))
_SPACES = ("\u00a0", "\t", "  ", "\n", "\r\n", "\u3000", "\u2009", " \n")
_SELECTORS = ("\ufe00", "\ufe0f", "\U000e0100")
_HAN = re.compile("[\u3400-\u9fff]")
_HIRAGANA = range(0x3041, 0x3097)
_INVISIBLE = "\u200b\u2060\ufeff\u00ad\u200e"
_FULL_STOPS = ".。"


def respellings(item: Item, *, equivalences: Collection[str] | None = None) -> dict[str, list[str]]:
    """Return completions with an item's solution in other spellings, by family; each scores 1.0.

    Those that every task has to accept are always there; numbers and orders of labels have more.

    Args:
        item: the item; without a solution it has no spellings.
        equivalences: names from `tokenbench/answers/equivalences.toml`; None is those that the
            item's task declares (`AnswerKind.equivalences`), none for an unknown task.

    Raises:
        UnknownNameError: no such equivalence.

    >>> from tokenbench.testing import respellings
    >>> item = Item("freq", 2, "en", None, "How many?", {"count": 3}, "3")
    >>> respellings(item)["zero_fraction"], respellings(item)["unit_word"][0]
    (['<answer>3.0</answer>', '<answer>3.00</answer>'], '<answer>3 time</answer>')
    """
    if equivalences is None:
        task = find_task(item.task)
        equivalences = task.kind(item.variant).equivalences if task else ()
    for name in equivalences:
        one_of("equivalence", name, EQUIVALENCES)
    if not item.solution:
        return {}
    families = fill_families(item, equivalences)
    builders: list[Callable[[Item], Variants]] = [_of_any_task]
    if number(item) is not None:
        builders += [_of_number, wrapping, brackets, invisible]
    elif isinstance(kind_of(item), Order):
        builders += [_of_order, width, wrapping, invisible]
    builders += [VARIANTS[name] for name in equivalences if name in VARIANTS]
    for family, text in chain.from_iterable(build(item) for build in builders):
        families.setdefault(family, []).append(tagged(text))
    return families


def _of_any_task(item: Item) -> Variants:
    x = item.solution
    yield "outer_space", f" \n\t\u3000{x}\u00a0 \n"
    yield "outer_space", f"\r\n{x}\r\n"
    yield "outer_zero_width", f"\u200b\ufeff{x}\u200e\u2060"
    if unicodedata.is_normalized("NFC", x) and not unicodedata.is_normalized("NFD", x):
        yield "nfd", unicodedata.normalize("NFD", x)
    for char, twins in _singletons().items():
        if char in x:
            yield "singletons", x.replace(char, twins)
    if unicodedata.category(x[-1])[0] in "LMN":
        for stop in _FINAL_STOPS:
            yield "final_stop", x + stop


@cache
def _singletons() -> dict[str, str]:
    """Return the characters that NFC makes of another single character, and that other one."""
    from unicodedata2 import normalize

    codes = (*range(0x212A, 0x212C), 0x2126, 0x1FEF, 0x037E, 0x0387, *range(0xF900, 0xFAD9))
    nfc = {char: str(normalize("NFC", char)) for char in map(chr, codes)}
    return {form: char for char, form in nfc.items() if len(form) == 1 and form != char}


def _of_number(item: Item) -> Variants:
    x = item.solution
    for zero in _ZEROS:
        yield "other_digits", "".join(chr(zero + int(digit)) for digit in x)
    yield from _with_words("number", item)


def _with_words(name: str, item: Item) -> Variants:
    """Yield the answer next to words of its language, by the patterns of a name."""
    x, words = item.solution, language(item.lang)
    fields = {"x": x, "counter": next(iter(words.counters), "")}
    if number(item) is not None:
        fields["n"] = x
    if not joiner(item.lang):
        fields["unspaced"] = x
    if len(x) == 1 and words.character_noun:
        fields |= {"char": x, "noun": words.character_noun}
    for entry in _MARKS["with_words"][name]:
        for word in getattr(words, entry["each"]) if "each" in entry else [""]:
            for text in fill(entry["forms"], fields | {"word": word}):
                yield entry["family"], text


def _of_order(item: Item) -> Variants:
    yield from separate(list(item.solution))
    yield from itemize(list(item.solution))
    arrow = r" \rightarrow "
    yield "latex", f"${arrow.join(item.solution)}$"


def wrapping(item: Item) -> Variants:
    """Yield the answer within marks that it does not contain itself, curly or not."""
    x = item.solution
    content = {*straight_quotes(x)}
    for form in _MARKS["quoted"]:
        if content.isdisjoint(straight_quotes(form.format(x=""))):
            yield "quotes", form.format(x=x)
    content = {*x} - {*ascii_lowercase}
    for family, forms in _MARKS["marked"].items():
        for form in forms:
            if content.isdisjoint(form.format(x="")):
                yield family, form.format(x=x)
    yield "bold", f"**{x}**"
    # Three backticks in a row would begin a fence.
    if "`" not in x:
        yield "code", f"`{x}`"
    for form in _MARKS["fenced"]:
        yield "code_fence", form.format(x=x)
    if x[-1:].isalnum() and '"' not in x:
        yield "quotes", f'"{x}."'
        yield "quotes", f'"{x}".'
        yield "bold", f"**{x}**."
    elif x[-1:] in _FULL_STOPS and x[-2:-1].isalnum():
        yield "quotes", f'"{x[:-1]}"{x[-1]}'


def brackets(item: Item) -> Variants:
    for left, right in BRACKETS:
        yield "brackets", f"{left}{item.solution}{right}"
        yield "brackets", f"**{left}{item.solution}{right}**."


def invisible(item: Item) -> Variants:
    for char in _INVISIBLE:
        yield "zero_width", char.join(item.solution)
    yield "bidi_isolates", f"\u2067{item.solution}\u2069"


def width(item: Item) -> Variants:
    x = item.solution
    if any("!" <= char <= "~" for char in x):
        yield "fullwidth", x.translate(_WIDE)
    if (narrow := x.translate(_narrow_forms())) != x:
        yield "halfwidth", narrow


def letter_case(item: Item) -> Variants:
    x = item.solution
    others = (x.lower(), x.upper(), x.capitalize())
    yield from (("letter_case", y) for y in others if y != x and y.lower() == x.lower())


def apostrophe(item: Item) -> Variants:
    x = item.solution
    texts = (*map(x.translate, _CURLY), x.replace("’", "'"))
    yield from (("apostrophe", text) for text in texts if text != x)


def spaces(item: Item) -> Variants:
    x = item.solution
    if " " in x:
        for space in _SPACES:
            yield "spaces", x.replace(" ", space)
    elif not joiner(item.lang) and len(x) > 1:
        yield "spaces", " ".join(x)


def separate(parts: list[str]) -> Variants:
    """Yield parts between separators, in lines, in the lists of programs; nothing for one."""
    if len(parts) < 2:
        return
    for family, separators in _MARKS["between_parts"].items():
        for separator in separators:
            yield family, separator.join(parts)
    for text in (dumps(parts), str(parts), f"[{', '.join(parts)}]"):
        yield "json_list", text


def itemize(parts: list[str]) -> Variants:
    """Yield parts in lines that numbers or bullets begin, or in brackets; nothing for one."""
    if len(parts) < 2:
        return
    for numeral in ("{}. ", "{}) ", "({}) ", "{}、"):
        lines = [numeral.format(i) + part for i, part in enumerate(parts, 1)]
        yield from (("numbered", line_end.join(lines)) for line_end in ("\n", "\r\n"))
    for bullet in "-*•":
        yield "bullets", "\n".join(f"{bullet} {part}" for part in parts)
    yield "bullets", "\n".join(f"- **{part}**" for part in parts)
    yield "brackets", f"({', '.join(parts)})"


def plus(item: Item) -> Variants:
    parts = _parts(item)
    if len(parts) > 1:
        yield from (("plus", sign.join(parts)) for sign in (" + ", "＋"))
        if not any("-" in part for part in parts):
            yield from (("dashes", dash.join(parts)) for dash in ("-", " – "))


def conjunction(item: Item) -> Variants:
    *parts, last = _parts(item) or [""]
    words = language(item.lang).conjunctions if parts else ()
    for word in words:
        # Otherwise the word is one of the parts.
        if f'"{word}"' not in dumps(item.target):
            yield "conjunction", f"{', '.join(parts)} {word} {last}"
            if not joiner(item.lang):
                yield "conjunction", f"{'、'.join(parts)}{word} {last}"


def side_by_side(item: Item) -> Variants:
    parts = _parts(item)
    text = "".join(parts)
    if len(text) == len(parts) and not text.isascii() and text != item.solution:
        yield "joined", text


def jamo(item: Item) -> Variants:
    """Yield the jamo of an answer from Unicode's other blocks."""
    parts = _parts(item)
    if len(parts) < 2 or not all(map(hangul.is_jamo, parts)):
        return
    for block in range(max(len(_jamo_forms(part)) for part in parts)):
        forms = [(*_jamo_forms(part), part)[min(block, len(_jamo_forms(part)))] for part in parts]
        yield from (("jamo_blocks", separator.join(forms)) for separator in (", ", "\n"))


def positions(item: Item) -> Variants:
    """Yield the jamo of an answer after the names of their positions."""
    parts = _parts(item)
    if 1 < len(parts) <= len(hangul.POSITIONS) and all(map(hangul.is_jamo, parts)):
        pairs = list(zip(hangul.POSITIONS, parts, strict=False))
        for form in ("{} {}", "{}: {}", "{1} {0}"):
            yield "positions", ", ".join(form.format(*pair) for pair in pairs)
        yield "positions", "\n".join(f"{name}: {part}" for name, part in pairs)


def radical(item: Item) -> Variants:
    """Yield Han characters as Unicode's separate radicals, and with variation selectors."""
    x = item.solution
    for char in dict.fromkeys(x):
        for twin, ideograph in hanzi.radical_ideographs().items():
            if ideograph == char:
                kangxi = "\u2f00" <= twin <= "\u2fd5"
                yield "kangxi_radicals" if kangxi else "radicals_supplement", x.replace(char, twin)
    for selector in _SELECTORS:
        yield "variation_selectors", _HAN.sub(rf"\g<0>{selector}", x)


def kana(item: Item) -> Variants:
    katakana = "".join(chr(ord(c) + 0x60) if ord(c) in _HIRAGANA else c for c in item.solution)
    if katakana != item.solution:
        yield "katakana", katakana
        yield "halfwidth", katakana.translate(_narrow_forms())


def _parts(item: Item) -> list[str]:
    """Return the parts that an answer separates, or the tokens of a text."""
    x = item.solution
    if parts := answer_parts(item) or (sorted(x) == labels(item) and [*x]):
        return parts
    if " " in x:
        return x.split()
    parts = tokens(x)
    return parts if joiner(item.lang).join(parts) == x else []


@cache
def _narrow_forms() -> dict[int, str]:
    """Return the halfwidth form of each katakana; that of a voiced one has two characters."""
    from unicodedata2 import normalize

    single = [chr(code) for code in range(0xFF66, 0xFFA0)]
    voiced = [char + mark for char in single[:-2] for mark in single[-2:]]
    forms = {str(normalize("NFKC", form)): form for form in (*single, *voiced)}
    return {ord(char): form for char, form in forms.items() if len(char) == 1 and char > "\u3099"}


@cache
def _jamo_forms(part: str) -> tuple[str, ...]:
    """Return the other characters in Unicode's blocks that are the same jamo."""
    blocks = (*range(0x1100, 0x1200), *range(0x3131, 0x3164), *range(0xFFA1, 0xFFDD))
    chars = (char for char in map(chr, blocks) if hangul.is_jamo(char))
    return tuple(char for char in chars if char != part and hangul.normalize(char) == part)


# fmt: off
VARIANTS: Final[dict[str, Callable[[Item], Variants]]] = {
    "case": letter_case, "width": width, "wrapping": wrapping, "invisible": invisible,
    "brackets": brackets, "apostrophe": apostrophe, "spaces": spaces,
    "list": lambda item: separate(_parts(item)),
    "marked": lambda item: itemize(_parts(item)), "plus": plus,
    "conjunction": conjunction, "joined": side_by_side, "jamo": jamo, "positions": positions,
    "radicals": radical, "kana": kana,
    **{name: partial(_with_words, name) for name in ("exclaimed", "place", "ending", "called")},
}
# fmt: on
