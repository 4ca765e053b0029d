"""Families of right answers in the words and marks of chat models, as `respellings.toml` has them.

A family has a name, a sentence, a style (whose completions they are) and patterns, by language or
for all of them. Families whose members are computed are functions of `variants`; they have a name
and a sentence here.
"""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from string import Formatter
from typing import Any, Final
from unicodedata import category

from tokenbench.answers import Text, Tokens
from tokenbench.item import Item, dumps
from tokenbench.tasks.wordings import split_closing
from tokenbench.testing.item_facts import (
    answer_parts,
    answers_yes_or_no,
    form_fields,
    is_order,
    is_position,
    keeps_case,
    kind_of,
    language_of,
    number,
    payload,
    quoted_texts,
    tokens,
)
from tokenbench.text.sources import data_table

# The styles of six families of chat models, and what suits any model.
STYLES: Final = (
    "visible reasoning",
    "terse",
    "Markdown",
    "JSON",
    "LaTeX",
    "repeats the question",
    "spelling",
)
RESPELLING_DATA: Final[Mapping[str, Any]] = data_table("tokenbench.testing", "respellings.toml")
_NUMERALS: Final = RESPELLING_DATA["marks"]["numerals"].split()
_STOP_AFTER_ANSWER: Final = re.compile(r"(\{x\})[.。।።]")
# What has the end of a pair of tags.
_PAIR: Final = re.compile(r"\{[XY]\}|</answer>|\{prompt\}", re.IGNORECASE)
_ASCII: Final = tuple(map(chr, range(128)))
_STOPS: Final = tuple(".。।።")
_ANY: Final = "any"
_FIRST: Final = "en"


def _declares(item: Item, equivalence: str) -> bool:
    kind = kind_of(item)
    return kind is not None and equivalence in kind.equivalences


def _is_same(item: Item) -> bool:
    return isinstance(kind_of(item), Tokens) and item.solution.lower() in language_of(item).same


def _is_one_token(item: Item) -> bool:
    is_one = isinstance(kind_of(item), Tokens) and tokens(item.solution) == [item.solution]
    return is_one and not _is_same(item)


def _is_no_conjunction(item: Item) -> bool:
    kind = kind_of(item)
    return kind is not None and not kind.may_be_conjunction


_CONDITIONS: Final[Mapping[str, Callable[[Item], bool]]] = {
    "count": lambda item: number(item) is not None and not is_position(item),
    "position": is_position,
    "yes": lambda item: answers_yes_or_no(item) and item.solution.lower() in language_of(item).yes,
    "no": lambda item: answers_yes_or_no(item) and item.solution.lower() in language_of(item).no,
    "same": _is_same,
    "one token": _is_one_token,
    "letter": lambda item: _declares(item, "called") and item.solution in _ASCII,
    "reading": lambda item: _declares(item, "kana"),
    "no conjunction": _is_no_conjunction,
}


@dataclass(frozen=True)
class RespellingFamily:
    """A family of right answers.

    Attributes:
        name: its name in the corpus.
        completions: a phrase that says what its completions are.
        style: one of `STYLES`.
        forms: patterns by the code of their language; `any` has those without words.
        kinds: the names of the kinds of answers that it suits; None is all.
        not_kinds: the names of those that it does not suit.
        langs: the codes of the languages of items that it suits; None is all.
        when: a condition on the answer, a name of `_CONDITIONS`; empty is none.
        equivalence: the name of the equivalence that a task has to declare; empty is none.
    """

    name: str
    completions: str
    style: str = "spelling"
    forms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    kinds: frozenset[str] | None = None
    not_kinds: frozenset[str] = frozenset()
    langs: frozenset[str] | None = None
    when: str = ""
    equivalence: str = ""

    def suits(self, item: Item) -> bool:
        """Return whether the family's completions answer an item."""
        if self.langs is not None and item.lang not in self.langs:
            return False
        if self.when and not _CONDITIONS[self.when](item):
            return False
        if self.kinds is None and not self.not_kinds:
            return True
        kind = kind_of(item)
        if kind is None or kind.name in self.not_kinds:
            return False
        return self.kinds is None or kind.name in self.kinds

    def forms_for(self, lang: str) -> tuple[str, ...]:
        """Return the patterns for items of a language: those without words, English, its own."""
        own = lang if lang in self.forms else lang.partition("-")[0]
        codes = dict.fromkeys((_ANY, _FIRST, own))
        return tuple(form for code in codes for form in self.forms.get(code, ()))


def _read_family(name: str, entry: Mapping[str, Any]) -> RespellingFamily:
    forms = entry["forms"]
    by_lang = forms if isinstance(forms, dict) else {_ANY: forms}
    facts: dict[str, Any] = {
        key: frozenset(value) if isinstance(value, list) else value for key, value in entry.items()
    }
    facts["forms"] = {code: tuple(own) for code, own in by_lang.items()}
    return RespellingFamily(name, **facts)


_FAMILIES: Final = tuple(
    _read_family(name, entry) for name, entry in RESPELLING_DATA["families"].items()
)
# All families by name: those of patterns, and those that `variants` computes.
RESPELLING_FAMILIES: Final[Mapping[str, RespellingFamily]] = {
    family.name: family for family in _FAMILIES
} | {
    name: RespellingFamily(name, completions)
    for name, completions in RESPELLING_DATA["spellings"].items()
}
RESPELLINGS: Final = tuple(RESPELLING_FAMILIES)


def fill_families(item: Item, equivalences: Collection[str] | None = None) -> dict[str, list[str]]:
    """Return the completions of the families of patterns for an item, by family.

    Args:
        item: the item.
        equivalences: names of equivalences, whose families are included; None is those that the
            item's task declares.

    >>> item = Item("freq", 2, "de", None, "How many?", {"count": 3}, "3")
    >>> fill_families(item)["label"][-1], fill_families(item)["counted"][0]
    ('<answer>Endgültige Antwort: 3</answer>', '<answer>3x</answer>')
    """
    fields = _fields(item)
    keeps_stops = category(item.solution[-1:] or ".")[0] in "LMN"
    kind = kind_of(item)
    if equivalences is None:
        equivalences = kind.equivalences if kind else ()
    is_mention = kind is not None and kind.mentions_format(item.solution, item)
    completions: dict[str, list[str]] = {}
    for family in _FAMILIES:
        is_declared = not family.equivalence or family.equivalence in equivalences
        if is_declared and family.suits(item):
            forms = _forms(family.name, item.lang, keeps_stops)
            texts = [
                form.format_map(fields)
                for form, needed in forms
                # An answer such as “text” beside another pair would be a mention of the format.
                if needed <= fields.keys() and not (is_mention and len(_PAIR.findall(form)) > 1)
            ]
            if texts:
                completions[family.name] = texts
    return completions


@lru_cache(maxsize=2048)
def _forms(name: str, lang: str, keeps_stops: bool) -> tuple[tuple[str, frozenset[str]], ...]:
    """Return the patterns of a family for a language, each with the fields that it needs."""
    forms = RESPELLING_FAMILIES[name].forms_for(lang)
    if not keeps_stops:
        forms = tuple(_STOP_AFTER_ANSWER.sub(r"\1", form) for form in forms)
    return tuple(
        (form, frozenset(name for _, name, _, _ in Formatter().parse(form) if name))
        for form in forms
    )


def _asking_paragraph(item: Item) -> str:
    """Return the paragraph of a prompt that asks; the text that it is about may stand before it."""
    paragraphs = split_closing(item.prompt, item.lang)[0].split("\n\n")
    asking = [text for text in paragraphs if text.strip() not in payload(item)]
    return (asking or paragraphs[:1])[-1]


def _fields(item: Item) -> dict[str, str]:
    """Return what the patterns insert for an item, without the fields that its answer lacks."""
    fields = form_fields(item)
    x = item.solution
    fields |= {"json": dumps(x), "json_y": dumps(fields["y"]), "prompt": item.prompt}
    fields["question"] = _asking_paragraph(item)
    n = number(item)
    if n is not None and n < len(_NUMERALS):
        fields["in_words"] = _NUMERALS[n]
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
    parts = answer_parts(item) or (list(x) if is_order(item) else x.split())
    if len(parts) > 1:
        fields["json_parts"] = dumps(list(parts))
        fields["size"] = str(len(parts))
        fields |= {"word": "".join(parts), "dotted": ".".join(parts), "added": " + ".join(parts)}
    if is_order(item):
        fields |= dict(zip("abc", parts, strict=False))
    return fields
