"""Spellings that are the same answer only where a task says so, by the names of its foldings.

Fullwidth letters are the same answer in one task and the whole point of another: so each kind is
built only for the tasks that declare it.
"""

import re
from collections.abc import Callable
from functools import cache
from typing import Final

from tokenbench.decomposition import hangul, radicals
from tokenbench.item import Item, dumps
from tokenbench.testing.forms import answer_parts, joiner, labels, number, tokens
from tokenbench.testing.wrapped import Spellings, brackets, exclaimed, invisible, wrapping
from tokenbench.text.languages import language

_WIDE = str.maketrans({code: code + 0xFEE0 for code in range(0x21, 0x7F)} | {0x20: 0x3000})
_CURLY = (str.maketrans("'\"", "’”"), str.maketrans("'\"", "‘“"))
_SEPARATORS = (", ", ",", "，", "、", " > ", " -> ", " → ", "；", "; ", "/", " | ", "\t", "\u00a0")
_LINES = ("\n", "\r\n", "  \n", "\n\n", ",\n")
_SPACES = ("\u00a0", "\t", "  ", "\n", "\r\n", "\u3000", "\u2009", " \n")
_SELECTORS = ("\ufe00", "\ufe0f", "\U000e0100")
_HAN = re.compile("[\u3400-\u9fff]")
_HIRAGANA = range(0x3041, 0x3097)


def width(item: Item) -> Spellings:
    """Yield the answer in fullwidth letters and halfwidth kana."""
    x = item.solution
    if any("!" <= char <= "~" for char in x):
        yield "fullwidth", x.translate(_WIDE)
    if (narrow := _narrow(x)) != x:
        yield "halfwidth", narrow


def case(item: Item) -> Spellings:
    """Yield the answer in other letter cases."""
    x = item.solution
    for other in (x.lower(), x.upper(), x.capitalize()):
        if other != x and other.lower() == x.lower():
            yield "letter_case", other


def apostrophe(item: Item) -> Spellings:
    """Yield the answer with other apostrophes and quotation marks within it."""
    for curly in _CURLY:
        if (text := item.solution.translate(curly)) != item.solution:
            yield "apostrophe", text
    if (text := item.solution.replace("’", "'")) != item.solution:
        yield "apostrophe", text


def spaces(item: Item) -> Spellings:
    """Yield the answer with other white space within it."""
    x = item.solution
    if " " in x:
        for space in _SPACES:
            yield "spaces", x.replace(" ", space)
    elif not joiner(item.lang) and len(x) > 1:
        yield "spaces", " ".join(x)


def place(item: Item) -> Spellings:
    """Yield the number of a place after a word for it."""
    if number(item) is None:
        return
    for word in language(item.lang).places:
        for form in ("{} {}", "{}: {}", "{}{}."):
            yield "place", form.format(word, item.solution)


def several(item: Item) -> Spellings:
    """Yield the parts of an answer as a list, in the ways that people write one."""
    yield from listed(parts(item))


def listed(found: list[str]) -> Spellings:
    """Yield parts between separators, in lines, in the lists of programs; nothing for one."""
    if len(found) < 2:
        return
    for separator in _SEPARATORS:
        yield "separators", separator.join(found)
    for line in _LINES:
        yield "line_per_part", line.join(found)
    yield "json_list", dumps(found)
    yield "json_list", str(found)
    yield "json_list", f"[{', '.join(found)}]"


def marked(item: Item) -> Spellings:
    """Yield the parts of an answer as a list with numbers or bullets, or in round brackets."""
    yield from itemized(parts(item))


def itemized(found: list[str]) -> Spellings:
    """Yield parts in lines that numbers or bullets begin, or in brackets; nothing for one."""
    if len(found) < 2:
        return
    for numeral in ("{}. ", "{}) ", "({}) ", "{}、"):
        lines = [numeral.format(at) + part for at, part in enumerate(found, 1)]
        yield "numbered", "\n".join(lines)
        yield "numbered", "\r\n".join(lines)
    for bullet in "-*•":
        yield "bullets", "\n".join(f"{bullet} {part}" for part in found)
    yield "bullets", "\n".join(f"- **{part}**" for part in found)
    yield "brackets", f"({', '.join(found)})"


def plus(item: Item) -> Spellings:
    """Yield the parts of an answer with plus signs between them."""
    found = parts(item)
    if len(found) > 1:
        yield "plus", " + ".join(found)
        yield "plus", "＋".join(found)
        if not any("-" in part for part in found):
            yield "dashes", "-".join(found)
            yield "dashes", " – ".join(found)


def conjunction(item: Item) -> Spellings:
    """Yield the parts of an answer with an "and" before the last one."""
    *found, last = parts(item) or [""]
    words = language(item.lang).conjunctions if found else ()
    for word in words:
        if f'"{word}"' not in dumps(item.target):  # else it is a part
            yield "conjunction", f"{', '.join(found)} {word} {last}"
            if not joiner(item.lang):
                yield "conjunction", f"{'、'.join(found)}{word} {last}"


def ending(item: Item) -> Spellings:
    """Yield an answer with an "is" after it, where its language has one."""
    for word in language(item.lang).copulas:
        yield "ending", f"{item.solution}{word}"
        yield "ending", f"「{item.solution}」{word}。"


def called(item: Item) -> Spellings:
    """Yield one Han character with the word for one after it, as Chinese does."""
    if item.lang == "zh" and len(item.solution) == 1:
        for form in ("{}字", "“{}”字", "「{}」字。", "**{}**字"):
            yield "called", form.format(item.solution)


def joined(item: Item) -> Spellings:
    """Yield the parts of an answer side by side."""
    found = parts(item)
    text = "".join(found)
    if len(text) == len(found) and not text.isascii() and text != item.solution:
        yield "joined", text


def jamo(item: Item) -> Spellings:
    """Yield the jamo of an answer from Unicode's other blocks."""
    found = parts(item)
    if len(found) < 2 or not all(map(hangul.is_jamo, found)):
        return
    for block in range(max(map(len, map(_forms, found)))):
        spelled = [(*_forms(part), part)[min(block, len(_forms(part)))] for part in found]
        yield "jamo_blocks", ", ".join(spelled)
        yield "jamo_blocks", "\n".join(spelled)


def positions(item: Item) -> Spellings:
    """Yield the jamo of an answer after the names of their positions."""
    found = parts(item)
    if 1 < len(found) <= len(hangul.POSITIONS) and all(map(hangul.is_jamo, found)):
        named = list(zip(hangul.POSITIONS, found, strict=False))
        for form, separator in (("{} {}", ", "), ("{}: {}", ", "), ("{}: {}", "\n")):
            yield "positions", separator.join(form.format(*pair) for pair in named)


def radical(item: Item) -> Spellings:
    """Yield Han characters as the radicals that Unicode has as well, and with selectors."""
    x, twins = item.solution, _twins()
    for char in dict.fromkeys(x):
        for twin in twins.get(char, ()):
            kangxi = "\u2f00" <= twin <= "\u2fd5"
            yield "kangxi_radicals" if kangxi else "radicals_supplement", x.replace(char, twin)
    for selector in _SELECTORS:
        yield (
            "variation_selectors",
            "".join(char + selector if "\u3400" <= char <= "\u9fff" else char for char in x),
        )


def kana(item: Item) -> Spellings:
    """Yield an answer in hiragana as katakana, of both widths."""
    katakana = "".join(chr(ord(c) + 0x60) if ord(c) in _HIRAGANA else c for c in item.solution)
    if katakana != item.solution:
        yield "katakana", katakana
        yield "halfwidth", _narrow(katakana)


def parts(item: Item) -> list[str]:
    """Return what an answer lists: the parts that it separates, or the tokens of a text."""
    x, separator = item.solution, joiner(item.lang)
    if found := answer_parts(item) or (sorted(x) == labels(item) and [*x]):
        return found
    if " " in x:
        return x.split()
    found = tokens(x)
    return found if separator.join(found) == x else []


def _narrow(text: str) -> str:
    widths = _narrow_forms()
    return "".join(widths.get(char, char) for char in text)


@cache
def _narrow_forms() -> dict[str, str]:
    """Return the halfwidth form of each katakana, a voiced one being two characters."""
    from unicodedata2 import decomposition, normalize

    single = {}
    for code in range(0xFF66, 0xFFA0):
        _, wide = decomposition(chr(code)).split()
        single[chr(int(wide, 16))] = chr(code)
    found = dict(single)
    for code in range(0x30A1, 0x30FB):
        apart = str(normalize("NFD", chr(code)))
        if all(char in single for char in apart):
            found[chr(code)] = "".join(single[char] for char in apart)
    return {char: form for char, form in found.items() if char > "\u3099"}


@cache
def _twins() -> dict[str, tuple[str, ...]]:
    """Return, for each Han character, the radicals that Unicode calls its equivalents."""
    found: dict[str, tuple[str, ...]] = {}
    for twin, char in radicals.unified_ideographs().items():
        found[char] = (*found.get(char, ()), twin)
    return found


@cache
def _forms(part: str) -> tuple[str, ...]:
    """Return the jamo of Unicode's blocks that are one and the same jamo."""
    blocks = (*range(0x1100, 0x1200), *range(0x3131, 0x3164), *range(0xFFA1, 0xFFDD))
    chars = (char for char in map(chr, blocks) if hangul.is_jamo(char))
    return tuple(char for char in chars if char != part and hangul.normalize(char) == part)


DECLARED: Final[dict[str, Callable[[Item], Spellings]]] = {
    "case": case,
    "width": width,
    "wrapping": wrapping,
    "invisible": invisible,
    "brackets": brackets,
    "exclaimed": exclaimed,
    "apostrophe": apostrophe,
    "spaces": spaces,
    "place": place,
    "list": several,
    "marked": marked,
    "plus": plus,
    "conjunction": conjunction,
    "joined": joined,
    "jamo": jamo,
    "positions": positions,
    "radicals": radical,
    "kana": kana,
    "ending": ending,
    "called": called,
}
