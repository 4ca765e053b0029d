"""Variants that are the same answer only where a task says so, by the names of equivalences.

Fullwidth letters are the same answer in one task and the whole point of another, so each kind is
built only for the tasks that declare it.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Final, TypeAlias

from tokenbench.decomposition import hangul, hanzi
from tokenbench.item import Item, dumps
from tokenbench.testing.item_facts import answer_parts, joiner, labels, number, tokens
from tokenbench.text.languages import language
from tokenbench.text.normalize import BRACKETS, straight_quotes

# Each a family of respellings and the text of an answer.
Variants: TypeAlias = Iterator[tuple[str, str]]

_WIDE = str.maketrans({code: code + 0xFEE0 for code in range(0x21, 0x7F)} | {0x20: 0x3000})
_CURLY = (str.maketrans("'\"", "’”"), str.maketrans("'\"", "‘“"))
_SEPARATORS = (", ", ",", "，", "、", " > ", " -> ", " → ", "；", "; ", "/", " | ", "\t", "\u00a0")
_LINES = ("\n", "\r\n", "  \n", "\n\n", ",\n")
_SPACES = ("\u00a0", "\t", "  ", "\n", "\r\n", "\u3000", "\u2009", " \n")
_SELECTORS = ("\ufe00", "\ufe0f", "\U000e0100")
_HAN = re.compile("[\u3400-\u9fff]")
_HIRAGANA = range(0x3041, 0x3097)
_QUOTES = (('"', '"'), ("'", "'"), ("“", "”"), ("‘", "’"), ("「", "」"), ("«", "»"))
# fmt: off
_MARKS = {
    "quotes": (("„", "“"), ("‹", "›"), ("【", "】"), ("《", "》")),
    "markdown": (("*", "*"), ("__", "__"), ("***", "***")),
    "latex": (
        ("$", "$"), (r"\boxed{", "}"), (r"\text{", "}"), (r"$\boxed{", "}$"),
        (r"\boxed{\text{", "}}"), ("$$\n", "\n$$"), (r"\(", r"\)"), (r"\[ ", r" \]"),
        (r"**\boxed{", "}**"),
    ),
}
_FENCES = (
    "```\n{}\n```", "```text\n{}\n```", "\n```\n{}\n```\n", "```\r\n{}\r\n```", "~~~\n{}\n~~~",
)
# fmt: on
_INVISIBLE = "\u200b\u2060\ufeff\u00ad\u200e"
_STOPS = ".。"


def wrapping(item: Item) -> Variants:
    """Yield the answer within marks that it does not contain itself, curly or not."""
    x = item.solution
    for left, right in _QUOTES:
        if not {straight_quotes(left), straight_quotes(right)} & {*straight_quotes(x)}:
            yield "quotes", f"{left}{x}{right}"
    content = {*x} - {*"abcdefghijklmnopqrstuvwxyz"}
    for kind, pairs in _MARKS.items():
        for left, right in pairs:
            if not {*left, *right} & content:
                yield kind, f"{left}{x}{right}"
    yield "bold", f"**{x}**"
    # Three backticks in a row would begin a fence.
    if "`" not in x:
        yield "code", f"`{x}`"
    for fence in _FENCES:
        yield "code_fence", fence.format(x)
    if x[-1:].isalnum() and '"' not in x:
        yield "quotes", f'"{x}."'
        yield "quotes", f'"{x}".'
        yield "bold", f"**{x}**."
    elif x[-1:] in _STOPS and x[-2:-1].isalnum():
        yield "quotes", f'"{x[:-1]}"{x[-1]}'


def brackets(item: Item) -> Variants:
    for left, right in BRACKETS:
        yield "brackets", f"{left}{item.solution}{right}"
        yield "brackets", f"**{left}{item.solution}{right}**."


def exclamation(item: Item) -> Variants:
    x = item.solution
    for text in (f"{x}!", f"{x}！", f"**{x}!**", f'"{x}"!', f"¡{x}!"):
        yield "exclaimed", text


def invisible(item: Item) -> Variants:
    for char in _INVISIBLE:
        yield "zero_width", char.join(item.solution)
    yield "bidi_isolates", f"\u2067{item.solution}\u2069"


def width(item: Item) -> Variants:
    x = item.solution
    if any("!" <= char <= "~" for char in x):
        yield "fullwidth", x.translate(_WIDE)
    if (narrow := _narrow(x)) != x:
        yield "halfwidth", narrow


def letter_case(item: Item) -> Variants:
    x = item.solution
    for other in (x.lower(), x.upper(), x.capitalize()):
        if other != x and other.lower() == x.lower():
            yield "letter_case", other


def apostrophe(item: Item) -> Variants:
    x = item.solution
    for text in (*map(x.translate, _CURLY), x.replace("’", "'")):
        if text != x:
            yield "apostrophe", text


def spaces(item: Item) -> Variants:
    x = item.solution
    if " " in x:
        for space in _SPACES:
            yield "spaces", x.replace(" ", space)
    elif not joiner(item.lang) and len(x) > 1:
        yield "spaces", " ".join(x)


def place(item: Item) -> Variants:
    words = language(item.lang).places if number(item) is not None else ()
    for word in words:
        for form in ("{} {}", "{}: {}", "{}{}."):
            yield "place", form.format(word, item.solution)


def part_list(item: Item) -> Variants:
    return separate(_parts(item))


def separate(parts: list[str]) -> Variants:
    """Yield parts between separators, in lines, in the lists of programs; nothing for one."""
    if len(parts) < 2:
        return
    for separator in _SEPARATORS:
        yield "separators", separator.join(parts)
    for line in _LINES:
        yield "line_per_part", line.join(parts)
    yield "json_list", dumps(parts)
    yield "json_list", str(parts)
    yield "json_list", f"[{', '.join(parts)}]"


def marked_list(item: Item) -> Variants:
    return itemize(_parts(item))


def itemize(parts: list[str]) -> Variants:
    """Yield parts in lines that numbers or bullets begin, or in brackets; nothing for one."""
    if len(parts) < 2:
        return
    for numeral in ("{}. ", "{}) ", "({}) ", "{}、"):
        lines = [numeral.format(i) + part for i, part in enumerate(parts, 1)]
        yield "numbered", "\n".join(lines)
        yield "numbered", "\r\n".join(lines)
    for bullet in "-*•":
        yield "bullets", "\n".join(f"{bullet} {part}" for part in parts)
    yield "bullets", "\n".join(f"- **{part}**" for part in parts)
    yield "brackets", f"({', '.join(parts)})"


def plus(item: Item) -> Variants:
    parts = _parts(item)
    if len(parts) > 1:
        yield "plus", " + ".join(parts)
        yield "plus", "＋".join(parts)
        if not any("-" in part for part in parts):
            yield "dashes", "-".join(parts)
            yield "dashes", " – ".join(parts)


def conjunction(item: Item) -> Variants:
    *parts, last = _parts(item) or [""]
    words = language(item.lang).conjunctions if parts else ()
    for word in words:
        # Otherwise the word is one of the parts.
        if f'"{word}"' not in dumps(item.target):
            yield "conjunction", f"{', '.join(parts)} {word} {last}"
            if not joiner(item.lang):
                yield "conjunction", f"{'、'.join(parts)}{word} {last}"


def ending(item: Item) -> Variants:
    for word in language(item.lang).copulas:
        yield "ending", f"{item.solution}{word}"
        yield "ending", f"「{item.solution}」{word}。"


def character_word(item: Item) -> Variants:
    """Yield a single Han character followed by the word for one, as Chinese does."""
    if item.lang == "zh" and len(item.solution) == 1:
        for form in ("{}字", "“{}”字", "「{}」字。", "**{}**字"):
            yield "called", form.format(item.solution)


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
        yield "jamo_blocks", ", ".join(forms)
        yield "jamo_blocks", "\n".join(forms)


def positions(item: Item) -> Variants:
    """Yield the jamo of an answer after the names of their positions."""
    parts = _parts(item)
    if 1 < len(parts) <= len(hangul.POSITIONS) and all(map(hangul.is_jamo, parts)):
        pairs = list(zip(hangul.POSITIONS, parts, strict=False))
        for form, separator in (("{} {}", ", "), ("{}: {}", ", "), ("{}: {}", "\n")):
            yield "positions", separator.join(form.format(*pair) for pair in pairs)


def radical(item: Item) -> Variants:
    """Yield Han characters as Unicode's separate radicals, and with variation selectors."""
    x = item.solution
    for char in dict.fromkeys(x):
        for twin in _radicals_of().get(char, ()):
            kangxi = "\u2f00" <= twin <= "\u2fd5"
            yield "kangxi_radicals" if kangxi else "radicals_supplement", x.replace(char, twin)
    for selector in _SELECTORS:
        yield "variation_selectors", _HAN.sub(rf"\g<0>{selector}", x)


def kana(item: Item) -> Variants:
    katakana = "".join(chr(ord(c) + 0x60) if ord(c) in _HIRAGANA else c for c in item.solution)
    if katakana != item.solution:
        yield "katakana", katakana
        yield "halfwidth", _narrow(katakana)


def _parts(item: Item) -> list[str]:
    """Return the parts that an answer separates, or the tokens of a text."""
    x = item.solution
    if parts := answer_parts(item) or (sorted(x) == labels(item) and [*x]):
        return parts
    if " " in x:
        return x.split()
    parts = tokens(x)
    return parts if joiner(item.lang).join(parts) == x else []


def _narrow(text: str) -> str:
    return "".join(_narrow_forms().get(char, char) for char in text)


@cache
def _narrow_forms() -> dict[str, str]:
    """Return the halfwidth form of each katakana; that of a voiced one has two characters."""
    from unicodedata2 import decomposition, normalize

    single = {}
    for code in range(0xFF66, 0xFFA0):
        _, wide = decomposition(chr(code)).split()
        single[chr(int(wide, 16))] = chr(code)
    forms = dict(single)
    for char in map(chr, range(0x30A1, 0x30FB)):
        decomposed = str(normalize("NFD", char))
        if all(part in single for part in decomposed):
            forms[char] = "".join(single[part] for part in decomposed)
    return {char: form for char, form in forms.items() if char > "\u3099"}


@cache
def _radicals_of() -> dict[str, tuple[str, ...]]:
    """Return, for each Han character, the radicals that Unicode calls its equivalents."""
    twins: dict[str, tuple[str, ...]] = {}
    for twin, char in hanzi.radical_ideographs().items():
        twins[char] = (*twins.get(char, ()), twin)
    return twins


@cache
def _jamo_forms(part: str) -> tuple[str, ...]:
    """Return the other characters in Unicode's blocks that are the same jamo."""
    blocks = (*range(0x1100, 0x1200), *range(0x3131, 0x3164), *range(0xFFA1, 0xFFDD))
    chars = (char for char in map(chr, blocks) if hangul.is_jamo(char))
    return tuple(char for char in chars if char != part and hangul.normalize(char) == part)


# fmt: off
VARIANTS: Final[dict[str, Callable[[Item], Variants]]] = {
    "case": letter_case, "width": width, "wrapping": wrapping, "invisible": invisible,
    "brackets": brackets, "exclaimed": exclamation, "apostrophe": apostrophe, "spaces": spaces,
    "place": place, "list": part_list, "marked": marked_list, "plus": plus,
    "conjunction": conjunction, "joined": side_by_side, "jamo": jamo, "positions": positions,
    "radicals": radical, "kana": kana, "ending": ending, "called": character_word,
}
# fmt: on
