"""Whether an answer can be right, read in another way than the judges read it.

Each oracle is a few lines that know the question, not how an answer is parsed. They may take for
right an answer that is refused for its form; an answer that they call wrong must never be paid.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Final

from tokenbench import Item, task
from tokenbench.decomposition import hangul, hanzi, kanji
from tokenbench.text.languages import language

_UNSEEN: Final = re.compile(
    "[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]"
)
_STRAIGHT: Final = str.maketrans("‘’‚‛′‵“”„‟″‐‑", "''''''\"\"\"\"\"--")
# Letters of full width to ASCII, kana of half width to their own.
_USUAL: Final = {
    code: unicodedata.normalize("NFKC", chr(code))
    for code in (*range(0xFF01, 0xFF5F), *range(0xFF66, 0xFFA0), 0x3000)
}
_HIRAGANA: Final = {code: code - 0x60 for code in range(0x30A1, 0x30F7)}
_FENCE: Final = re.compile(r"\A\s*(?:`{3,}|~{3,})[a-z]*\n|\n?(?:`{3,}|~{3,})\s*\Z", re.IGNORECASE)
_SPACE: Final = re.compile(r"[^\S\n]")
_SELECTOR: Final = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_STOPS: Final = ".．。｡।።"
_AROUND: Final = " \t\r\n\u00a0\u3000`*_\"'“”‘’「」『』«»‹›【】《》„‚"
_TEX: Final = re.compile(r"\\(?:boxed|text\w*|math\w*|to|[rR]ightarrow)|\\[\[\]()]|[${}]")
_BRACKETS: Final = "()（）[]"
_FINAL: Final = {
    **dict.fromkeys(".。।॥።۔", "stop"),
    **dict.fromkeys("?؟፧", "question"),
    **dict.fromkeys("!", "exclamation"),
    **dict.fromkeys(",;:،؛፣፤፥፦、", "other"),
}
_ITEMIZED: Final = re.compile(r"^\s*(?:[-*•]\s|[(（]?\d+[.．)）、:：])\s*", re.MULTILINE)


def can_be_right(text: str, item: Item) -> bool:
    """Return whether an answer text can be a right answer to an item."""
    text = _SPACE.sub(" ", unicodedata.normalize("NFC", _UNSEEN.sub("", text)))
    if not _TEX.search(item.solution):
        text = _TEX.sub("", text)
    kind = task(item.task).kind(item.variant)
    return (_BY_KIND.get(kind.name) or _OF_TASKS[kind.name, kind.field])(text, item)


def _unfenced(text: str) -> str:
    """Return a text without code fences around it, themselves in marks or not."""
    for _ in range(3):
        text = _FENCE.sub("", text.strip(_AROUND.replace("`", "")))
    return text


def _narrow(text: str) -> str:
    text = unicodedata.normalize("NFC", text.translate(_USUAL).translate(_STRAIGHT))
    return text.replace("፡፡", "።")


def _unended(text: str, item: Item) -> str:
    """Return a text without marks around it, and without an "is" after it."""
    text = text.strip(_AROUND + _BRACKETS + _STOPS)
    for ending in language(item.lang).endings:
        if text != ending:
            text = text.removesuffix(ending).strip(_AROUND + _BRACKETS)
    return text


def _count(text: str, item: Item) -> bool:
    """One number, the right one, with no other letters than those of a unit word."""
    words = language(item.lang)
    text = _unfenced(_narrow(text)).lower().strip(_AROUND + _BRACKETS + _STOPS)
    found = re.fullmatch(r"(\D*?)[\s:]*(\d+)(\.\d+)?[\s]*(\D*)", text)
    if found is None or int(found[2]) != int(item.solution) or int((found[3] or ".0")[1:]):
        return False
    after = found[4].strip(_AROUND + _BRACKETS + _STOPS)
    counters = {f"{unit}{end}" for unit in ("", *words.counters) for end in ("", *words.endings)}
    spaced = {"".join(counter.split()) for counter in counters}
    if item.task == "trap":
        return found[1] in ("", "the", "第", *words.places) and after in {
            *counters,
            "个字",
            "st",
            "nd",
            "rd",
            "th",
            *(f"{end} {noun}" for end in ("st", "nd", "rd", "th") for noun in _NOUNS),
        }
    return found[1] in ("", *words.places) and "".join(after.split()) in spaced


def _yes_or_no(text: str, item: Item) -> bool:
    """The word, in marks or not."""
    words = language(item.lang)
    said = _unfenced(_narrow(text)).strip(_AROUND + _BRACKETS + _STOPS + "!¡").lower()
    return said in (words.yes if item.target["answer"] else words.no)


def _order(text: str, item: Item) -> bool:
    """The labels, and no other letter or digit."""
    text = _ITEMIZED.sub("", _unended(_narrow(_unfenced(text)), item))
    words = "|".join(language(item.lang).conjunctions)
    text = re.sub(rf"[,，、]?\s*(?:{words})\s*(?=\w\W*$)", " ", text, flags=re.IGNORECASE)
    return bool([char.upper() for char in text if char.isalnum()] == item.target["order"])


def _tokens(text: str, lang: str) -> list[str]:
    """Return the words of a text; where none are spaced, its letters and digits."""
    pattern = r"[^\W_]+(?:[-'][^\W_]+)*" if lang == "en" else r"[^\W_]"
    return re.findall(pattern, _narrow(_unfenced(text)).lower())


def _is_reordered(text: str, item: Item) -> bool:
    """The same tokens, with no two that were neighbours before."""
    before, after = [one.lower() for one in item.target["tokens"]], _tokens(text, item.lang)
    kept = {frozenset(pair) for pair in pairwise(before)}
    apart = all(frozenset(pair) not in kept for pair in pairwise(after))
    return Counter(before) == Counter(after) and apart


def _difference(text: str, item: Item) -> bool:
    """What differs, once; or, where nothing does, a word that says so."""
    words, differing = language(item.lang), item.target["differing"]
    text = _unended(_narrow(_unfenced(text)), item)
    named = _tokens(text, item.lang)
    if not differing:
        said = (" " if item.lang == "en" else "").join(named)
        return any(said.endswith(word) for word in (*words.same, *words.yes))
    for word in (*words.conjunctions, *words.no):
        spelled = _tokens(word, item.lang)
        for at in range(len(named) - len(spelled) + 1):
            if named[at : at + len(spelled)] == spelled and not {*spelled} & {*differing}:
                del named[at : at + len(spelled)]
                break
    return bool(named) and not Counter(named) - Counter(differing)


def _is_long_enough(text: str, item: Item) -> bool:
    """As many units as asked for, and no letter of another script."""
    tokens = _tokens(text, item.lang)
    script = {"en": "LATIN", "zh": "CJK", "ko": "HANGUL"}[item.lang]
    own = all(
        unicodedata.name(char, "").startswith(script)
        for token in tokens
        for char in token
        if char.isalpha()
    )
    return own and len(tokens) == item.target["count"]


def _result(text: str, item: Item) -> bool:
    """The text, perhaps wrapped and with a stop after it; its own marks are there."""
    accepted = [item.target["text"], *(item.target.get("also") or [])]
    given = [text, _unended(text, item)] if item.variant == "char" else [text]
    if item.variant == "word":
        given += [_with_final_marks_of(right, text) for right in accepted]
    return any(
        _same_text(one, right, item.target["folds"], item.task)
        for one in given
        for right in accepted
    )


def _with_final_marks_of(right: str, text: str) -> str:
    """Return a sentence with the marks of another one, unless it ends with other marks."""
    bodies = [re.sub(r"[\W_]+$", "", one) for one in (_narrow(right), _narrow(text))]
    ends = [_narrow(one)[len(body) :] for one, body in zip((right, text), bodies, strict=True)]
    kinds = [{_FINAL.get(mark) for mark in end} - {None} for end in ends]
    return f"{bodies[1]}{ends[0]}" if kinds[1] <= kinds[0] else text


def _same_text(text: str, right: str, folds: list[str], name: str) -> bool:
    def key(text: str) -> str:
        text = text.translate(_STRAIGHT) if name == "var" else _narrow(text)
        text = ("" if "spaces" in folds else " ").join(_unfenced(text).split())
        text = text.strip(_AROUND)
        if not unicodedata.category(right[-1]).startswith("P"):
            text = text.rstrip(_AROUND + _STOPS)
        elif unicodedata.category(text[-1:] or " ").startswith("P"):  # it may stand outside quotes
            text = text[:-1].strip(_AROUND) + text[-1]
        return text.lower() if "case" in folds else text

    return key(text) == key(right)


def _word(text: str, item: Item) -> bool:
    """The word, in marks or not; case counts where the word has a capital."""
    word, text = item.target["word"], _narrow(text)
    texts = (text, text.lower()) if word == word.lower() else (text,)
    return any(_is_one_of(one, (word,), _AROUND + _BRACKETS + _STOPS) for one in texts)


def _is_one_of(text: str, rights: Iterable[str], marks: str) -> bool:
    """Return whether a text is one of these, up to marks around it, and an "is" after it."""
    said = _unfenced(text).strip(marks)
    ended = {said.removesuffix(end).strip(marks) for end in ("", "字", *_ENDINGS)}
    return any(right.strip(marks) in ended for right in rights)


def _accepts_text(text: str, item: Item) -> bool:
    """One of the accepted words or characters, in marks or not."""
    marks, accepted = _AROUND + _BRACKETS + _STOPS, item.target["accepted"]
    if item.task == "dot":
        return _glyph(text, item)
    text, accepted = _narrow(text).lower(), [right.lower() for right in accepted]
    if item.task == "ridl" and any(not right.isalnum() for right in accepted):
        return _letters(text) in map(_letters, accepted)
    same = _is_one_of(text, accepted, marks)
    return same or _is_one_of(_unify(text, item.lang), accepted, marks)


def _unify(text: str, lang: str) -> str:
    fold = {"zh": hanzi.normalize, "ja": kanji.normalize, "ko": _jamo}.get(lang, str)
    return "".join(map(fold, _SELECTOR.sub("", text) if lang in ("zh", "ja") else text))


def _jamo(char: str) -> str:
    return hangul.normalize(char) if hangul.is_jamo(char) else char


def _glyph(text: str, item: Item) -> bool:
    """The character, with nothing but marks; or a name of the category."""
    (*_, right) = accepted = item.target["accepted"]
    if item.variant == "bitmap_to_char":
        return any(
            one in given and not given.replace(one, "", 1).strip(_AROUND + _STOPS)
            for one in accepted
            for given in (text, _unfenced(text))  # the character may itself be a mark of fences
        )
    names = (right, *language(item.lang).categories[right].values())
    said = _unended(_narrow(_unfenced(text)), item)
    return _letters(said) in {_letters(_narrow(name)) for name in names}


def _letters(text: str) -> str:
    return "".join(char for char in text.lower() if char.isalnum())


def _reading(text: str, item: Item) -> bool:
    """One of the readings, in either kana, in marks or not."""
    kana = unicodedata.normalize("NFKC", text).translate(_HIRAGANA)
    rights = [right.translate(_HIRAGANA) for right in item.target["readings"]]
    return _is_one_of(kana, rights, _AROUND + _BRACKETS + _STOPS)


def _units(text: str, item: Item) -> bool:
    """The characters, each set apart; case counts, except of capitals for a word without one."""
    units = item.target["units"]
    if "".join(units).islower() and text.isupper():
        text = text.lower()
    if not any(char.isdigit() for unit in units for char in unit):
        text = _ITEMIZED.sub("", _narrow(_unfenced(text)))
    found = re.split(
        rf"[\s,，、､،፣፤፡;；؛/|｜>＞→⇒⟶➔➡・·•()\[\]\"'`*{_STOPS}«»「」『』‐‑–—-]+|=+>", _narrow(text)
    )
    return [one for one in found if one] == [_narrow(unit) for unit in units]


def _parts(text: str, item: Item) -> bool:
    """The parts of an accepted list, in order where it counts."""
    text = _ITEMIZED.sub("", _narrow(_unfenced(text)))
    text = re.sub(rf"(?:{'|'.join(_ENDINGS)})\W*$", "", text)
    if item.lang in ("ja", "ko"):  # none of whose parts is written so
        text = re.sub("|".join(language(item.lang).conjunctions), ",", text)
    apart = rf"[\s,、､;/|>→・·ㆍ()\[\]\"'`*_{_STOPS}+=«»‹›【】《》「」『』‐‑–—-]+"
    marks = r"[\s\W_]+" if item.lang == "en" else apart
    if item.lang == "ko":
        text = re.sub(f"(?:{'|'.join(hangul.POSITIONS)})[: ]?", "", text)
    found = [one.lower() for one in re.split(marks, text) if one]
    if item.lang != "en":  # an unseparated character is a part of its own
        found = [*_unify("".join(found), item.lang)]
    conjunctions = language(item.lang).conjunctions
    lists = [found, [one for one in found if one not in conjunctions]]
    for right in item.target["accepted"]:
        for given in lists:
            wanted = [_unify(part.lower(), item.lang) for part in right]
            if given == wanted or (not item.target["ordered"] and sorted(given) == sorted(wanted)):
                return True
    return False


def _of_two_words(text: str, item: Item) -> bool:
    """A word or letter, or the letters of both words with the plus sign between them."""
    text, answer = _narrow(_unfenced(text)).lower(), item.target["answer"]
    if item.variant != "spell":
        return _is_one_of(text, (answer,), _AROUND + _BRACKETS + _STOPS)
    given = "".join(char for char in _ITEMIZED.sub("", text) if char.isalnum() or char == "+")
    return bool(given == answer.replace(" ", ""))


_ENDINGS: Final = [end for lang in ("ja", "ko", "hi", "am") for end in language(lang).endings]
_NOUNS: Final = ("letter", "character", "position", "place")
_BY_KIND: Final[dict[str, Callable[[str, Item], bool]]] = {
    "number": _count,
    "yes or no": _yes_or_no,
    "choice": _glyph,
    "order": _order,
    "parts": _parts,
    "characters": _units,
    "writing": _is_long_enough,
}
# The kinds of which tasks give a part.
_OF_TASKS: Final[dict[tuple[str, str], Callable[[str, Item], bool]]] = {
    ("tokens", "tokens"): _is_reordered,
    ("tokens", "differing"): _difference,
    ("text", "text"): _result,
    ("text", "word"): _word,
    ("text", "accepted"): _accepts_text,
    ("text", "readings"): _reading,
    ("text", "answer"): _of_two_words,
}
