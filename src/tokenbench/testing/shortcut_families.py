"""Answers that a reader could give without doing the task, by the kind of answer.

Which of them suit an item follows from the kind of its answer and from what its prompt quotes, so a
new task meets them all. None sees the target or the solution.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache, cached_property
from itertools import count, islice, pairwise, permutations, product
from string import ascii_lowercase
from typing import Final, TypeAlias
from unicodedata import normalize

from tokenbench.answers import AnswerKind, Number, Order, Parts, Text, Tokens, Writing, YesNo
from tokenbench.draw import Draw
from tokenbench.item import Item
from tokenbench.tasks.language_packs import WORDS
from tokenbench.tasks.wordings import payload_of, read_join, read_slots
from tokenbench.testing.item_facts import (
    LABEL,
    joiner,
    labels,
    payload,
    possible_sizes,
    quoted_texts,
    tokens,
    vocabulary,
)
from tokenbench.text.graphemes import Line, from_segments, graphemes, line_of_matches, sentence
from tokenbench.text.languages import LANGUAGES, language
from tokenbench.text.packs.model import pack

_MARKS: Final = re.compile("[.,!?;:。，！？；、।።؟،]")
_HEX_ROWS: Final = re.compile(r"[0-9A-F]{4}(?:\n[0-9A-F]{4}){3,}")
# In place of a unit that an edit is to leave alone, or to remove.
_HIDDEN: Final = "\ue000"
# Lengths of a payload and amounts of ink count as equal within such steps.
_LENGTH_STEP, _INK_STEP = 10, 4
_FIRST_CHARACTERS: Final = {"zh": "一", "ja": "一", "ko": "가"}


# The answer of each shortcut that suits a question, by the shortcut's name.
Answers: TypeAlias = dict[str, str]


class Question:
    """An item as a reader sees it who does not do the task."""

    def __init__(self, item: Item) -> None:
        self.item = item
        self.lang = item.lang
        words = language(item.lang)
        answer_words = {*words.yes, *words.no, *words.same}
        texts = quoted_texts(item)
        # Some prompts quote the words to answer with, too.
        self.quoted = [text for text in texts if text.lower() not in answer_words] or texts
        self.paragraphs = payload(item)
        self.has_payload = bool(payload_of(item.task, item.lang, item.prompt))
        # A Korean syllable has more letters than each of its letters.
        longest = max(self.quoted, key=lambda text: len(normalize("NFD", text)), default="")
        # The text that the question is about: its payload, or the longest text that it quotes.
        self.text = "\n\n".join(self.paragraphs) if self.has_payload else longest
        slots = read_slots(item.task, item.lang, item.prompt)
        if join := read_join(slots):
            # Two words written together may be in a sentence, without quotation marks.
            self.text, self.quoted = join, [join, slots["first"]]
        # The other texts in quotation marks, such as the letter to count.
        self.units = [text for text in self.quoted if text != self.text]

    @cached_property
    def line(self) -> Line:
        """The characters of the text, or its words if the units are words."""
        if not (self.item.variant == WORDS or self.has_payload):
            return line_of_matches(r"(?!\s)\X", self.text)
        if not (self.lang in LANGUAGES and pack(self.lang).joined):
            return sentence(self.text)
        # Only the words that the question names are known.
        names = "|".join(map(re.escape, sorted(self.units, key=len, reverse=True)))
        return from_segments(re.split(f"({names})", self.text) if names else [self.text])

    @cached_property
    def tokens(self) -> list[str]:
        """The tokens of the payload; without one, the characters of the text."""
        return tokens(self.text) if self.has_payload else graphemes(self.text)

    @property
    def rough_length(self) -> int:
        """The number of characters of the text, in tens for a payload."""
        size = len(self.text) if self.has_payload else len(graphemes(self.text))
        return size // _LENGTH_STEP if self.has_payload else size

    @property
    def ink(self) -> int | None:
        """The number of black pixels of a bitmap, roughly; None without a bitmap."""
        if not self.has_payload:
            return None
        if rows := _HEX_ROWS.search(self.text):
            pixels = sum(int(row, 16).bit_count() for row in rows[0].split())
        elif "##" in self.text or "[0, " in self.text:
            pixels = self.text.count("#") or self.text.count("1")
        else:
            return None
        return pixels // _INK_STEP


def _numbers(q: Question) -> Answers:
    """Return numbers that follow from a length, or from whether the letter is there at all."""
    answers = {f"always {value}": str(value) for value in range(3)}
    if q.units:
        is_there = q.units[0].lower() in q.text.lower()
        for value, other in ((1, 0), (2, 0), (2, 1)):
            name = f"{value} if the unit is there, else {other}"
            answers[name] = str(value if is_there else other)
    if q.units or not q.has_payload:  # to count all tokens of a text may be the task
        size = len(q.tokens)
        answers |= {"length": str(size), "length - 1": str(size - 1)}
        answers |= {"half the length": str(size // 2)}
    return answers


def _yes_or_no(q: Question) -> Answers:
    """Return yes and no."""
    words = language(q.item.lang)
    return {"always yes": words.yes[0], "always no": words.no[0]}


def _orders(q: Question) -> Answers:
    """Return the order of the labeled texts by sizes that are easy to see, either way round."""
    if not (q.has_payload and labels(q.item)):
        return {}
    _, *parts = LABEL.split(q.text)
    texts = dict(zip(parts[::2], parts[1::2], strict=True))
    sizes: dict[str, Callable[[str], int]] = {"punctuation marks": count_marks}
    # To count characters is to do the task where they are the units; likewise for words.
    sizes |= {"characters": len} if joiner(q.lang) else {"spaces": lambda text: text.count(" ")}
    answers = {}
    for name, size in sizes.items():
        order = sorted(texts, key=lambda label: size(texts[label]), reverse=True)
        answers[f"by the number of {name}"] = "".join(order)
        answers[f"by the number of {name}, fewest first"] = "".join(order[::-1])
    return answers


def _token_lists(q: Question) -> Answers:
    """Return one token of the payload, the word for `same`, and easy orders of all tokens."""
    listed = q.tokens
    if not (q.has_payload and listed):
        return {}
    last = tokens(q.paragraphs[-1])
    middle = len(listed) // 2
    orders = {
        "shuffled": Draw("shuffled", q.item.id).shuffled(listed),
        "in alphabetical order": sorted(listed, key=str.lower),
        "reversed": listed[::-1],
        "rotated": listed[middle:] + listed[:middle],
        "every other one, then the rest": listed[::2] + listed[1::2],
    }
    answers = {name: joiner(q.lang).join(order) for name, order in orders.items()}
    answers |= {f"always “{word}”": word for word in language(q.item.lang).same[:1]}
    return answers | {
        "the first token": listed[0],
        "the last token": listed[-1],
        "the commonest token": Counter(last or listed).most_common(1)[0][0],
    }


def _parts(q: Question) -> Answers:
    """Return the quoted word cut into pieces of equal length."""
    units = graphemes(q.text)
    if q.has_payload or not units:
        return {}
    answers = {}
    for n in (n for n in (2, 3, 4) if n <= len(units)):
        bounds = pairwise(round(index * len(units) / n) for index in range(n + 1))
        pieces = ["".join(units[start:end]) for start, end in bounds]
        answers[f"{n} pieces of equal length"] = ", ".join(pieces)
    return answers


def _texts(q: Question) -> Answers:
    """Return the text edited in easy places, and pieces of it."""
    answers = _edits(q.line) | _unit_edits(q)
    if len(q.quoted) > 1:
        answers["all that is quoted, joined"] = "".join(q.quoted)
        answers["all that is quoted, joined backwards"] = "".join(q.quoted[::-1])
    units = graphemes(q.text)
    if q.has_payload or len(units) < 2:
        return answers
    words, middle = _word_set(q.lang), len(units) // 2
    halves = (" ".join(units[:middle]), " ".join(units[middle:]))
    ends = ("".join(units[at:]) for at in range(1, len(units)))
    rests = (
        "".join(units[at:]) for at in range(len(units) - 1, 0, -1) if "".join(units[:at]) in words
    )
    return answers | {
        "the first character": units[0],
        "the last character": units[-1],
        "the longest known word at the end": next((end for end in ends if end in words), ""),
        "what follows the longest known word": next(rests, ""),
        "spaces between the characters": " ".join(units),
        "spaces, and a plus in the middle": " + ".join(halves),
    }


def _edits(line: Line) -> Answers:
    """Return a line with its ends exchanged or dropped, or turned round."""
    first, *rest = line.units or ("",)
    if not rest:
        return {}
    second, last = rest[0], rest[-1]
    orders = {
        "reversed": [*rest[::-1], first],
        "the first two exchanged": [second, first, *rest[1:]],
        "the first and the last exchanged": [last, *rest[:-1], first],
    }
    answers = {name: line._replace(units=tuple(order)).text for name, order in orders.items()}
    answers["without the first"] = line._replace(units=(_HIDDEN, *rest)).without(_HIDDEN).text
    cut = line._replace(units=(first, *rest[:-1], _HIDDEN)).without(_HIDDEN).text
    return answers | {"without the last": cut}


def _unit_edits(q: Question) -> Answers:
    """Return a line edited at one place only, or in one direction only, with the named units."""
    line = q.line
    answers: Answers = {}
    named = [unit for unit in q.units if unit in line.units]
    new, old = [unit for unit in q.units if unit not in line.units][:1], named[:2]
    if new and line.units:
        first, last = line.units[:1], line.units[-1:]
        units_of = {
            "the new unit in place of the first": (*new, *line.units[1:]),
            "the new unit at the beginning": (line.space.join((*new, *first)), *line.units[1:]),
            "the new unit in place of the last": (*line.units[:-1], *new),
            "the new unit at the end": (*line.units[:-1], line.space.join((*last, *new))),
        }
        answers |= {name: line._replace(units=units).text for name, units in units_of.items()}
    if old:
        unit = old[0]
        places = [place for place, own in enumerate(line.units) if own == unit]
        for name, at in (("first", places[0]), ("last", places[-1])):
            units = (own if own != unit or i == at else _HIDDEN for i, own in enumerate(line.units))
            marked = line._replace(units=tuple(units))
            only = f"the {name} occurrence only"
            edited = {f"without {only}": marked.without(unit)}
            for one in new:
                edited[f"the new unit after {only}"] = marked.with_after(unit, one)
                edited[f"the new unit in place of {only}"] = marked.with_in_place(unit, one)
            answers |= {name: text.text.replace(_HIDDEN, unit) for name, text in edited.items()}
    if len(named) == len(set(old)) == 2:
        for name, (one, other) in zip(("first", "second"), permutations(old), strict=True):
            rest, moved = line.without(one), f"the {name} unit moved"
            answers[f"{moved} to the place of the other"] = rest.with_in_place(other, one).text
            answers[f"{moved} behind the other"] = rest.with_after(other, one).text
        exchanged = dict(zip(map(line.units.index, old), reversed(old), strict=True))
        swapped = tuple(exchanged.get(place, own) for place, own in enumerate(line.units))
        answers["the first occurrences exchanged"] = line._replace(units=swapped).text
    return answers


def _fillers(q: Question) -> Answers:
    """Return a text of the size that is asked for: the topic, and units that need no thought."""
    sizes = possible_sizes(q.item)
    if not (sizes and q.quoted):
        return {}
    topic, base = q.quoted[0], _FIRST_CHARACTERS.get(q.lang)
    if base is None:
        pairs = map("".join, product(ascii_lowercase, repeat=2))
        return {"the topic, aa, ab, ac …": " ".join([topic, *islice(pairs, sizes[0] - 1)])}
    others = islice(map(chr, count(ord(base))), max(0, sizes[0] - len(topic)))
    return {"the topic, and characters in the order of their codes": topic + "".join(others)}


FAMILIES: Final[Mapping[type[AnswerKind], Callable[[Question], Answers]]] = {
    Number: _numbers,
    YesNo: _yes_or_no,
    Order: _orders,
    Tokens: _token_lists,
    Parts: _parts,
    Text: _texts,
    Writing: _fillers,
}


def count_marks(text: str) -> int:
    """Return the number of punctuation marks in a text."""
    return len(_MARKS.findall(text))


@cache
def _word_set(lang: str) -> frozenset[str]:
    return frozenset(vocabulary(lang))
