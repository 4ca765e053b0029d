"""Shortcuts: strategies that look at an item and answer without doing the task.

A policy that finds one which pays learns it instead of the task. Which shortcuts suit an item
follows from the kind of its answer and from what its prompt quotes, so a new task meets them all.
No shortcut sees the target or the solution of the item that it answers; the learned ones have
seen the solutions of other items.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import count, islice, pairwise, permutations, product
from statistics import fmean
from string import ascii_lowercase
from typing import Final, TypeAlias
from unicodedata import normalize

from tokenbench.answers import (
    AnswerKind,
    Number,
    Order,
    Parts,
    Text,
    Tokens,
    Writing,
    YesNo,
)
from tokenbench.draw import Draw
from tokenbench.errors import expected
from tokenbench.item import Item
from tokenbench.scoring import score
from tokenbench.tasks import TaskLike, TaskRef, as_ref, task
from tokenbench.tasks.language_packs import WORDS
from tokenbench.testing.item_facts import (
    joiner,
    kind_of,
    labels,
    language_of,
    number,
    payload,
    possible_sizes,
    quoted_texts,
    tagged,
    tokens,
    vocabulary,
)
from tokenbench.text.graphemes import Line, characters, from_segments, graphemes, sentence
from tokenbench.text.languages import LANGUAGES
from tokenbench.text.packs.model import pack

_MARKS: Final = re.compile("[.,!?;:。，！？；、।።؟،]")
_LABELED: Final = re.compile(r"^([A-Z])[:：]", re.MULTILINE)
_HEX_ROWS: Final = re.compile(r"[0-9A-F]{4}(?:\n[0-9A-F]{4}){3,}")
# In place of a unit that an edit is to leave alone, or to remove.
_HIDDEN: Final = "\ue000"
# A token is rare if fewer than one in this number of other items contains it.
_RARE: Final = 500
# Lengths of a payload and amounts of ink count as equal within such steps.
_LENGTH_STEP, _INK_STEP = 10, 4
_FIRST_CHARACTERS: Final = {"zh": "一", "ja": "一", "ko": "가"}


# The answer of each shortcut that suits a question, by the shortcut's name.
_Answers: TypeAlias = dict[str, str]


class _Question:
    """What a reader who does not do the task sees of an item at a glance."""

    def __init__(self, item: Item) -> None:
        self.item = item
        self.lang = item.lang
        quoted = quoted_texts(item)
        paragraphs = payload(item)
        # Without a payload, `payload` returns the question itself.
        self.has_payload = bool(paragraphs) and not item.prompt.startswith(paragraphs[0])
        self.paragraphs = paragraphs
        # A Korean syllable has more letters than each of its letters.
        longest = max(quoted, key=lambda text: len(normalize("NFD", text)), default="")
        # What the question is about: its payload, or the longest text that it quotes.
        self.text = "\n\n".join(paragraphs) if self.has_payload else longest
        # The other texts in quotation marks, such as the letter to count.
        self.units = [text for text in quoted if text != self.text]
        self.quoted = quoted

    @cached_property
    def line(self) -> Line:
        """The characters of what is asked about, or its words if the units are words."""
        if not self._has_words:
            return characters(self.text)
        if not (self.lang in LANGUAGES and pack(self.lang).joined):
            return sentence(self.text)
        # Only the words that the question names are known.
        names = "|".join(map(re.escape, sorted(self.units, key=len, reverse=True)))
        return from_segments(re.split(f"({names})", self.text) if names else [self.text])

    @property
    def _has_words(self) -> bool:
        return self.item.variant == WORDS or self.has_payload

    @cached_property
    def old(self) -> list[str]:
        """The units of the question that occur in the line."""
        return [unit for unit in self.units if unit in self.line.units]

    @cached_property
    def new(self) -> list[str]:
        """The units of the question that do not occur in the line."""
        return [unit for unit in self.units if unit not in self.line.units]

    @cached_property
    def tokens(self) -> list[str]:
        """The tokens of the payload; without one, the characters of what is asked about."""
        return tokens(self.text) if self.has_payload else graphemes(self.text)

    @cached_property
    def commonest(self) -> str | None:
        """The commonest token; None if there is none."""
        return Counter(self.tokens).most_common(1)[0][0] if self.tokens else None

    @property
    def length(self) -> int:
        """The characters of what is asked about; only roughly for a payload, which may be long."""
        size = len(self.text) if self.has_payload else len(graphemes(self.text))
        return size // _LENGTH_STEP if self.has_payload else size

    @property
    def ink(self) -> int | None:
        """The number of black pixels of a bitmap, roughly; None if there is no bitmap."""
        if not self.has_payload:
            return None
        if rows := _HEX_ROWS.search(self.text):
            pixels = sum(int(row, 16).bit_count() for row in rows[0].split())
        elif "##" in self.text or "[0, " in self.text:
            pixels = self.text.count("#") or self.text.count("1")
        else:
            return None
        return pixels // _INK_STEP


def _numbers(q: _Question) -> _Answers:
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


def _yes_or_no(q: _Question) -> _Answers:
    """Return yes and no."""
    words = language_of(q.item)
    return {"always yes": words.yes[0], "always no": words.no[0]}


def _orders(q: _Question) -> _Answers:
    """Return the order of the labeled texts by sizes that are easy to see, either way round."""
    if not (q.has_payload and labels(q.item)):
        return {}
    _, *parts = _LABELED.split(q.text)
    texts = dict(zip(parts[::2], parts[1::2], strict=True))
    # Where characters are the units, to count them is to do the task; likewise for words.
    by_spaces = ("spaces", lambda text: text.count(" "))
    sizes = [("punctuation marks", _count_marks), ("characters", len)]
    if not joiner(q.lang):
        sizes[1] = by_spaces
    answers = {}
    for name, size in sizes:
        order = sorted(texts, key=lambda label: size(texts[label]), reverse=True)
        answers[f"by the number of {name}"] = "".join(order)
        answers[f"by the number of {name}, fewest first"] = "".join(order[::-1])
    return answers


def _token_lists(q: _Question) -> _Answers:
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
    answers |= {f"always “{word}”": word for word in language_of(q.item).same[:1]}
    return answers | {
        "the first token": listed[0],
        "the last token": listed[-1],
        "the commonest token": Counter(last or listed).most_common(1)[0][0],
    }


def _parts(q: _Question) -> _Answers:
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


def _texts(q: _Question) -> _Answers:
    """Return what is asked about edited in easy places, and pieces of it."""
    answers = _edits(q.line) | _unit_edits(q)
    if len(q.quoted) > 1:
        answers |= {"all that is quoted, joined": "".join(q.quoted)}
        answers |= {"all that is quoted, joined backwards": "".join(q.quoted[::-1])}
    units = graphemes(q.text)
    if q.has_payload or len(units) < 2:
        return answers
    words, middle = _known_words(q.lang), len(units) // 2
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
        "spaces, and a plus in the middle": " + ".join(
            map(" ".join, (units[:middle], units[middle:]))
        ),
    }


def _edits(line: Line) -> _Answers:
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


def _unit_edits(q: _Question) -> _Answers:
    """Return a line edited at one place only, or in one direction only, with the named units."""
    line, answers = q.line, {}
    new, old = q.new[:1], q.old[:2]
    if new and line.units:
        for name, at in (("first", 0), ("last", -1)):
            hidden = list(line.units)
            hidden[at] = _HIDDEN
            marked = line._replace(units=tuple(hidden))
            answers[f"the new unit in place of the {name}"] = marked.with_in_place(
                _HIDDEN, *new
            ).text
            pair = (*new, line.units[0]) if at == 0 else (line.units[-1], *new)
            text = marked.with_in_place(_HIDDEN, line.space.join(pair)).text
            answers[f"the new unit at the {'beginning' if at == 0 else 'end'}"] = text
    if old:
        unit = old[0]
        places = [place for place, own in enumerate(line.units) if own == unit]
        for name, at in (("first", places[0]), ("last", places[-1])):
            units = (own if own != unit or i == at else _HIDDEN for i, own in enumerate(line.units))
            marked = line._replace(units=tuple(units))
            edited = {f"without the {name} occurrence only": marked.without(unit)}
            if new:
                edited[f"the new unit after the {name} occurrence only"] = marked.with_after(
                    unit, *new
                )
                edited[f"the new unit in place of the {name} occurrence only"] = (
                    marked.with_in_place(unit, *new)
                )
            answers |= {name: one.text.replace(_HIDDEN, unit) for name, one in edited.items()}
    if len(old) > 1:
        for name, (one, other) in zip(("first", "second"), permutations(old), strict=True):
            rest = line.without(one)
            answers[f"the {name} unit moved to the place of the other"] = rest.with_in_place(
                other, one
            ).text
            answers[f"the {name} unit moved behind the other"] = rest.with_after(other, one).text
    return answers


def _fillers(q: _Question) -> _Answers:
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


_FAMILIES: Final[Mapping[type[AnswerKind], Callable[[_Question], _Answers]]] = {
    Number: _numbers,
    YesNo: _yes_or_no,
    Order: _orders,
    Tokens: _token_lists,
    Parts: _parts,
    Text: _texts,
    Writing: _fillers,
}
# What learned rules look at: for each value they give its commonest answer.
_FEATURES: Final[Mapping[str, Callable[["_Question", "LearnedShortcuts"], Hashable]]] = {
    "nothing": lambda *_: "",
    "the unit": lambda q, _: q.units[0].lower() if len(q.units) == 1 else None,
    "the length": lambda q, _: q.length if q.text else None,
    "the unit and the length": lambda q, _: (
        (q.units[0].lower(), q.length) if len(q.units) == 1 else None
    ),
    "the number of marks": lambda q, _: _count_marks(q.text) if q.has_payload else None,
    "the commonest token": lambda q, _: q.commonest,
    "the rarest token": lambda q, learned: learned._rarest(q.tokens),
    "the amount of ink": lambda q, _: q.ink,
}


def shortcuts(item: Item, learned: "LearnedShortcuts | None" = None) -> dict[str, str]:
    """Return completions that a reader could give without doing the task, by strategy.

    The same name is the same strategy for every item, so that its mean score over many items can
    be compared with the task's guess rate. A strategy that does not suit an item is left out.

    Args:
        item: an item of any task.
        learned: what `learn_shortcuts` returned for other items of the same part and level; without
            it, there are no strategies that depend on other items.

    >>> from tokenbench.testing import shortcuts
    >>> item = Item("freq", 2, "en", None, "How many “a” in “banana”?", {"count": 3}, "3")
    >>> shortcuts(item)["2 if the unit is there, else 0"], shortcuts(item)["length"]
    ('<answer>2</answer>', '<answer>6</answer>')
    """
    question = _Question(item)
    answers = {
        "what is asked about, as it is": question.text,
        "the unit": "".join(question.units[:1]),
    }
    kind = kind_of(item)
    for kinds, family in _FAMILIES.items():
        if isinstance(kind, kinds):
            answers |= family(question)
    if learned is not None:
        answers |= learned._answers(question)
    return {name: tagged(answer) for name, answer in answers.items() if answer}


class LearnedShortcuts:
    """Rules learned from items with their solutions: the commonest answer for what stands out.

    `learn_shortcuts` makes it.
    """

    def __init__(self, items: Iterable[Item]) -> None:
        questions = [_Question(item) for item in items]
        if not questions:
            raise expected("items", [], "at least one item")
        self.n_items = len(questions)
        self._items_with: Counter[str] = Counter()
        for question in questions:
            self._items_with.update(set(question.tokens))
        # The solutions for each value of a feature, and the same for each text asked about.
        self._solutions: dict[Hashable, Counter[str]] = defaultdict(Counter)
        ratios: dict[str, list[float]] = defaultdict(list)
        for question in questions:
            for key in self._values(question):
                self._solutions[key][question.item.solution] += 1
                self._solutions[key, question.text][question.item.solution] += 1
            if number(question.item) is not None:
                for name, size in _sizes(question).items():
                    ratios[name].append(int(question.item.solution) / max(1, size))
        self._commonest = {key: _first(counter) for key, counter in self._solutions.items()}
        self._ratios = {name: fmean(values) for name, values in ratios.items()}

    def __repr__(self) -> str:
        return f"<LearnedShortcuts of {self.n_items:,} items>"

    def _rarest(self, listed: Iterable[str]) -> str | None:
        """Return the token that the fewest of the items contain; None if there is no token."""
        return min(listed, key=lambda token: self._items_with[token], default=None)

    def _values(self, q: _Question) -> list[tuple[str, Hashable]]:
        values = ((name, feature(q, self)) for name, feature in _FEATURES.items())
        return [(name, value) for name, value in values if value is not None]

    def _usual(self, q: _Question, key: tuple[str, Hashable]) -> str:
        """Return the commonest answer for a value in items that ask about another text."""
        if (key, q.text) not in self._commonest:
            return self._commonest.get(key, "")
        return _first(self._solutions[key] - self._solutions[key, q.text])

    def _answers(self, q: _Question) -> _Answers:
        usual = self._usual(q, ("nothing", ""))
        answers = {
            f"the commonest answer for {name}": self._usual(q, (name, value)) or usual
            for name, value in self._values(q)
        }
        if isinstance(kind_of(q.item), Number):
            for name, size in _sizes(q).items():
                answers[f"{name}, times the mean"] = str(round(size * self._ratios.get(name, 0)))
        same = language_of(q.item).same
        if isinstance(kind_of(q.item), Tokens) and q.has_payload:
            for name, text in (("all", q.text), ("the last list", q.paragraphs[-1])):
                rarest = self._rarest(tokens(text)) or ""
                answers[f"the rarest token of {name}"] = rarest
                if same:
                    is_rare = self._items_with[rarest] * _RARE < self.n_items
                    otherwise = f"the rarest token of {name}, or “same” if it is not rare"
                    answers[otherwise] = rarest if is_rare else same[0]
        return answers


def learn_shortcuts(items: Iterable[Item]) -> LearnedShortcuts:
    """Return rules learned from items of one part: the commonest answer for each visible feature.

    The features are the unit that the question names, the length of what it asks about, both
    together, the commonest and the rarest token, the number of punctuation marks, the ink of a
    bitmap, and nothing at all. For a value that they never had, the rules give the commonest
    answer of all. They leave out what they learned about the very text that an item asks about: to
    remember that is not a shortcut.

    Args:
        items: items with solutions, of the same task, language, variant and level as those on which
            the rules will be used, but none of these.

    Raises:
        TokenbenchError: there are no items.

    >>> from tokenbench import dataset
    >>> learn_shortcuts(dataset("contains", n=50))
    <LearnedShortcuts of 50 items>
    """
    return LearnedShortcuts(items)


@dataclass(frozen=True, slots=True)
class ShortcutReport:
    """The reward of every shortcut on the items of one part.

    Attributes:
        part: the part, such as `contains:en:char@4`.
        n_items: the number of items that were answered.
        guess_rate: the share of the commonest answer: the mean of `Task.guess_rate`.
        rewards: the mean reward of each shortcut under `exact`, an item that it does not suit
            counting as 0.

    >>> report = ShortcutReport("sort:en", 100, 0.17, {"a": 0.2, "b": 0.4})
    >>> report.best, report.reward, round(report.excess, 2)
    ('b', 0.4, 0.23)
    """

    part: str
    n_items: int
    guess_rate: float
    rewards: Mapping[str, float]

    @property
    def best(self) -> str:
        """The shortcut that earns most."""
        return max(self.rewards, key=lambda name: self.rewards[name])

    @property
    def reward(self) -> float:
        """The mean reward of the best shortcut."""
        return self.rewards[self.best]

    @property
    def excess(self) -> float:
        """How much more the best shortcut earns than the commonest answer."""
        return self.reward - self.guess_rate


def measure_shortcuts(
    part: TaskLike, *, n: int = 1000, n_learned: int = 3000, seed: int = 0
) -> ShortcutReport:
    """Return how much each shortcut earns on new items of a part.

    Args:
        part: the task, as `task[:lang[:variant]][@level]`, as its module, or as a Task.
        n: the number of items to answer.
        n_learned: the number of items of another seed to learn from.
        seed: the seed of the items to answer; the next one is that of the items to learn from.

    Raises:
        UnknownNameError, DifficultyError: as in the task's `generate`.
        TokenbenchError: a number of items is below 1.

    >>> report = measure_shortcuts("contains:en:char@9", n=20, n_learned=20)
    >>> report.part, report.n_items, report.guess_rate
    ('contains:en:char@9', 20, 0.5)
    """
    for name, size in (("n", n), ("n_learned", n_learned)):
        if size < 1:
            raise expected(name, size, "a number of items, at least 1")
    ref = as_ref(part)
    record = task(ref.task)

    def drawn(seed: int, size: int) -> list[Item]:
        arguments = ref.arguments()
        return [record.generate(index=index, seed=seed, **arguments) for index in range(size)]

    items, learned = drawn(seed, n), learn_shortcuts(drawn(seed + 1, n_learned))
    earned: dict[str, float] = defaultdict(float)
    for item in items:
        rewards: dict[str, float] = {}
        for name, completion in shortcuts(item, learned).items():
            if completion not in rewards:
                rewards[completion] = score(completion, item)
            earned[name] += rewards[completion]
    guess_rate = fmean(record.guess_rate(item) for item in items)
    means = {name: total / n for name, total in earned.items()}
    return ShortcutReport(str(TaskRef.of(items[0])._replace(level=ref.level)), n, guess_rate, means)


def _sizes(q: _Question) -> dict[str, int]:
    """Return sizes of a payload that are easy to see, and no count of its tokens."""
    if not q.has_payload:
        return {}
    return {"the number of marks": _count_marks(q.text), "the number of characters": len(q.text)}


def _first(counter: Counter[str]) -> str:
    return max(counter, key=counter.__getitem__, default="")


@cache
def _known_words(lang: str) -> frozenset[str]:
    return frozenset(vocabulary(lang))


def _count_marks(text: str) -> int:
    return len(_MARKS.findall(text))
