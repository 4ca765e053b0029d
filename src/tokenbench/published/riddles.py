"""Riddles: the reader of your own files, and the rows of TASE's RIDL."""

import os
import re
from functools import cache
from pathlib import Path, PurePath
from typing import Any, Final

from tokenbench.checks import one_of
from tokenbench.decomposition import hangul
from tokenbench.errors import SourceError, expected
from tokenbench.grouping import group
from tokenbench.item import Item
from tokenbench.published.files import READERS, Row, require_known
from tokenbench.published.rows import (
    Interpretation,
    PublishedRow,
    format_table,
    keys_by_name,
    make_item,
)
from tokenbench.tasks.spec import Published
from tokenbench.tasks.tase.ridl import TASK, split_into_words
from tokenbench.text.languages import language
from tokenbench.text.lexicon import words
from tokenbench.text.normalize import nfc, strip_invisible
from tokenbench.text.sources import read_text, stamp
from tokenbench.text.units import units

_TABLES: Final = (".csv", ".tsv")
_SUFFIXES: Final = (*_TABLES, ".jsonl", ".ndjson")
_THEMES: Final = {"en": "Theme: {}", "zh": "主题：{}", "ko": "주제: {}"}
_LETTER_COUNTS: Final = re.compile(r"\(([\d\s,‐‑–-]{1,64})\)$")  # as in (3,3) after a clue
_ARTICLE: Final = re.compile(r"(?:an?|the)\s+(?=\w)", re.IGNORECASE)


def read(path: str | os.PathLike[str], *, lang: str | None = None) -> list[Item]:
    """Return the riddles of a file as items of the task `ridl`, a row each, in their order.

    A `.csv` or `.tsv` file begins with the names of its columns; a `.jsonl` file has an object in
    each line. Each riddle needs a clue (also called riddle, question, input, 谜面, 문제, …) and an
    answer (solution, label, 谜底, 정답, …; in JSON also a list of all right ones). The prompt shows
    a theme (topic, 谜目, 주제, …) below the clue. Other columns are ignored.

    An answer that is written as one word is also accepted as several if the clue says so, as in
    (3,3). If a clue does not count letters, an English article before the answer is optional.

    Items are judged as generated ones are, and under `published` as TASE's riddles are. Their
    `meta` has the keys of published items; `file` is the file's name.

    Args:
        path: the file, in UTF-8.
        lang: the language of rows without a column `lang` (language, 语言, 언어). Without either,
            Han characters in the answer mean `zh`, Hangul `ko`, anything else `en`.

    Raises:
        SourceError: a file that cannot be read, or a row without a clue, an answer or a language
            that we know; the message names it.
        UnknownNameError: another `lang`.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "riddles.csv")
    ...     _ = file.write_text("谜面,谜底\\n有虫就有蚁（打一字）,义\\n", encoding="utf-8")
    ...     (item,) = read(file)
    >>> item.lang, item.prompt, item.target["accepted"]
    ('zh', '有虫就有蚁（打一字）', ['义'])
    """
    if lang is not None:
        one_of("language of riddles", lang, TASK.langs)
    name = os.fspath(path)
    suffix = PurePath(name).suffix.lower()
    if suffix not in _SUFFIXES:
        allowed = f"a file that ends in {', '.join(_SUFFIXES)}"
        raise expected("path", name, allowed, error=SourceError)
    source = read_text(stamp(name)).label
    rows = READERS[suffix if suffix in _TABLES else ".jsonl"](Path(name))
    return [
        _item(n, _by_column(row), name, source, lang)
        for n, row in enumerate(rows)
        # Spreadsheets also write rows of empty cells.
        if suffix not in _TABLES or any(map(str.strip, filter(None, map(str, row.values()))))
    ]


def _item(number: int, cells: Row, name: str, source: str, lang: str | None) -> Item:
    where = f"row {number + 1} of {name!r}"
    (clue,), answers = _texts(where, cells, "clue"), _texts(where, cells, "answer")
    accepted = [*answers, *filter(None, (_other_spelling(answer, clue) for answer in answers))]
    theme = _optional_text(cells, "theme")
    lang = _lang(where, cells, lang, accepted[0])
    prompt = f"{clue}\n{_THEMES[lang].format(theme)}" if theme else clue
    return make_item(
        PublishedRow(TASK.name, None, lang, prompt, accepted[0]),
        Interpretation({"accepted": accepted}, accepted[0]),
        Published("match_answer", accepted[0]),  # as TASE's scorer judges riddles
        source=source,
        file=PurePath(name).name,
        number=number,
    )


def _texts(where: str, cells: Row, column: str) -> list[str]:
    """Return the clue of a row, or its answer, or several answers."""
    value = cells.get(column)
    values = value if column == "answer" and isinstance(value, list) else [value]
    if not values or not all(
        isinstance(text, str) and strip_invisible(text).strip() for text in values
    ):
        names = ", ".join(format_table("riddle_columns")[column].split())
        raise SourceError(f"{where} has no {column}", remedy=f"a text, called {names}")
    return [str(text).strip() for text in values]


def _other_spelling(answer: str, clue: str) -> str:
    """Return another way to write an answer to a clue; empty if there is none.

    If the clue counts letters, it is the words that they form; otherwise it is the answer without
    an English article.
    """
    found = _LETTER_COUNTS.search(clue)
    if not found:
        return _ARTICLE.sub("", answer) if _ARTICLE.match(answer) else ""
    sizes = [*map(int, re.findall(r"\d+", found[1]))]
    if len(sizes) < 2 or not answer.isalpha() or len(answer) != sum(sizes):
        return ""
    return split_into_words(answer, sizes)


def _optional_text(cells: Row, column: str) -> str:
    value = cells.get(column)
    return value.strip() if isinstance(value, str) else ""


def _lang(where: str, cells: Row, lang: str | None, answer: str) -> str:
    if name := _optional_text(cells, "lang"):
        primary = re.split("[-_]", name.lower())[0]
        codes = keys_by_name("riddle_languages")
        require_known(where, "language", primary, codes)
        return codes[primary]
    if lang is not None:
        return lang
    return next((code for code in ("zh", "ko") if units(answer, language(code))), "en")


def _by_column(cells: dict[Any, Any]) -> Row:
    """Return the cells of a row by our names of their columns; other cells are left out."""
    by_name = {
        nfc(name).strip().lower(): cell for name, cell in cells.items() if isinstance(name, str)
    }
    # Of several names of one column, the first one listed counts: it comes last here.
    names = reversed(keys_by_name("riddle_columns").items())
    return {column: by_name[name] for name, column in names if name in by_name}


# The rows of RIDL, whose labels we believe as far as the clue allows.

_ONE_CHARACTER: Final = r"[猜打][一1]字"
_INITIALS: Final = r"(?m)초성\s*[:：]([^\n가-힣(（]*)$"


def interpret_riddle(row: PublishedRow) -> Interpretation:
    """Believe the label, unless it does not have the length that the clue states."""
    question = row.question_key()
    if len(characters := riddle_options(row)) > 1:
        one = Interpretation({"accepted": characters}, characters[0], question=question)
        return one.with_issue("several", "the label gives several characters", characters)
    # As the clue states them, such as (3,5).
    lengths = [*map(int, re.findall(r"\d+", row.search_text() or ""))]
    spaced, wrong = row.label, ""
    letters = sum(map(str.isalnum, row.label))
    if row.label.isalnum() and letters == sum(lengths):
        spaced = split_into_words(row.label, lengths)
    if row.lang == "zh":
        if re.search(_ONE_CHARACTER, row.prompt) and len(units(row.label, row.language)) != 1:
            wrong = "the label is not one character"
    elif lengths and sum(lengths) != letters:
        wrong = "the label has not as many letters as the clue says"
    accepted = list(dict.fromkeys([row.label, row.label.lower(), spaced]))
    believed = Interpretation({"accepted": accepted}, row.label, question=question)
    return believed.with_issue("wrong", wrong) if wrong else believed


def riddle_options(row: PublishedRow) -> list[str]:
    """Return the characters in a label, each a right answer, if the riddle asks for one."""
    if row.lang != "zh" or not re.search(_ONE_CHARACTER, row.prompt):
        return []
    found = [part for part in re.split(r"[\s/／;；,，、或|]+", row.label) if part]
    return found if all(len(units(part, row.language)) == len(part) == 1 for part in found) else []


def interpret_initials(row: PublishedRow) -> Interpretation:
    """Believe the label; name other words of the core lexicon with these initial consonants."""
    found = re.search(_INITIALS, row.prompt)
    wanted = initials_of(found[1]) if found else ""
    target = {"accepted": [row.label]}
    if not wanted:
        return row.believe_label(target)
    believed = Interpretation(target, row.label, question=row.question_key())
    if initials_of(row.label) != wanted:
        return believed.with_issue("wrong", "the label has other initial consonants")
    # The theme is not judged: nothing here knows which words belong to it.
    same = _words_by_initials().get(wanted, ())
    others = [word for word in same if word != nfc(row.label)]
    reason = "words of the core lexicon have these initials too"
    return believed.with_alternatives(reason, (row.label, *others))


def initials_of(word: str) -> str:
    """Return the initial consonants of a word's syllables and its other letters, without marks.

    >>> initials_of("떡 볶이"), initials_of("PC방")
    ('ㄸㅂㅇ', 'PCㅂ')
    """
    return "".join(_initial(char) for char in nfc(word) if char.isalnum())


def _initial(char: str) -> str:
    if "가" <= char <= "힣":
        return hangul.initials(char)
    return hangul.normalize(char) if hangul.is_jamo(char) else char.upper()


@cache
def _words_by_initials() -> dict[str, tuple[str, ...]]:
    return group((initials_of(word), word) for word in words("ko").words)
