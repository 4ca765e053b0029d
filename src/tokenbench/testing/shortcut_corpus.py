"""Shortcuts: how much a policy earns that looks at items and answers without doing the task.

A policy that finds a shortcut which pays learns it instead of the task. No shortcut sees the target
or the solution of the item that it answers; the learned ones have seen the solutions of others.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from statistics import fmean
from typing import Final, TypeAlias

from tokenbench.answers import Number, Tokens
from tokenbench.checks import integer
from tokenbench.errors import expected
from tokenbench.item import Item
from tokenbench.quoting import pluralize
from tokenbench.scoring import score
from tokenbench.tasks import TaskLike, TaskRef, as_ref, task
from tokenbench.testing.item_facts import kind_of, number, tagged, tokens
from tokenbench.testing.shortcut_families import FAMILIES, Answers, Question, count_marks
from tokenbench.text.languages import language

# A token is rare if fewer than one in this number of other items contains it.
_RARE: Final = 500
# If the commonest solution has a smaller share, a solution tells which instance was asked about.
_MIN_SHARE: Final = 0.02
# The name of a feature, and its value.
_Key: TypeAlias = tuple[str, Hashable]
# The features of an item. For each value of them, learned rules give its commonest answer.
FEATURES: Final[Mapping[str, Callable[[Question, "LearnedShortcuts"], Hashable]]] = {
    "nothing": lambda *_: "",
    "the unit": lambda q, _: q.units[0].lower() if len(q.units) == 1 else None,
    "the length": lambda q, _: q.rough_length if q.text else None,
    "the unit and the length": lambda q, _: (
        (q.units[0].lower(), q.rough_length) if len(q.units) == 1 else None
    ),
    "the number of marks": lambda q, _: count_marks(q.text) if q.has_payload else None,
    "the commonest token": lambda q, _: (
        Counter(q.tokens).most_common(1)[0][0] if q.tokens else None
    ),
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
            it, only strategies are returned that need no other items.

    >>> from tokenbench.testing import shortcuts
    >>> item = Item("freq", 2, "en", None, "How many “a” in “banana”?", {"count": 3}, "3")
    >>> shortcuts(item)["2 if the unit is there, else 0"], shortcuts(item)["length"]
    ('<answer>2</answer>', '<answer>6</answer>')
    """
    question = Question(item)
    answers = {
        "the text that is asked about": question.text,
        "the unit": "".join(question.units[:1]),
    }
    kind = kind_of(item)
    for kinds, family in FAMILIES.items():
        if isinstance(kind, kinds):
            answers |= family(question)
    if learned is not None:
        answers |= learned._answers(question)
    return {name: tagged(answer) for name, answer in answers.items() if answer}


class LearnedShortcuts:
    """Rules learned from items with their solutions: the commonest answer for each visible feature.

    `learn_shortcuts` makes it.
    """

    def __init__(self, items: Iterable[Item]) -> None:
        questions = [Question(item) for item in items]
        if not questions:
            raise expected("items", [], "at least one item")
        self.n_items = len(questions)
        self._items_with: Counter[str] = Counter()
        for question in questions:
            self._items_with.update(set(question.tokens))
        counts: dict[_Key, Counter[str]] = defaultdict(Counter)
        # The same for the items that ask about one text.
        self._of_text: dict[tuple[_Key, str], Counter[str]] = defaultdict(Counter)
        ratios: dict[str, list[float]] = defaultdict(list)
        for question in questions:
            for key in self._values(question):
                counts[key][question.item.solution] += 1
                if question.text:
                    self._of_text[key, question.text][question.item.solution] += 1
            if number(question.item) is not None:
                for name, size in _sizes(question).items():
                    ratios[name].append(int(question.item.solution) / max(1, size))
        ((_, times),) = Counter(question.item.solution for question in questions).most_common(1)
        self._is_open = times < _MIN_SHARE * self.n_items
        self._ranked = {key: counter.most_common() for key, counter in counts.items()}
        self._ratios = {name: fmean(values) for name, values in ratios.items()}

    def __repr__(self) -> str:
        return f"<LearnedShortcuts of {pluralize(self.n_items, 'item')}>"

    def _rarest(self, listed: Iterable[str]) -> str | None:
        """Return the token that the fewest of the items contain; None for an empty list."""
        return min(listed, key=lambda token: self._items_with[token], default=None)

    def _values(self, q: Question) -> list[_Key]:
        values = ((name, feature(q, self)) for name, feature in FEATURES.items())
        return [(name, value) for name, value in values if value is not None]

    def _usual(self, q: Question, key: _Key) -> str:
        """Return the commonest solution for a value in items that ask about something else."""
        of_text = self._of_text.get((key, q.text), Counter())
        best, times = "", 0
        for solution, in_all in self._ranked.get(key, ()):
            if in_all <= times:
                break
            if self._is_open and solution == q.item.solution:
                continue
            if (others := in_all - of_text[solution]) > times:
                best, times = solution, others
        return best

    def _answers(self, q: Question) -> Answers:
        usual = self._usual(q, ("nothing", ""))
        answers = {
            f"the commonest answer for {name}": self._usual(q, (name, value)) or usual
            for name, value in self._values(q)
        }
        if isinstance(kind_of(q.item), Number):
            for name, size in _sizes(q).items():
                answers[f"{name}, times the mean"] = str(round(size * self._ratios.get(name, 0)))
        same = language(q.item.lang).same
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

    The features are the unit that the question names (say, a letter), the length of the text, both
    together, the commonest and the rarest token, the number of punctuation marks, the ink of a
    bitmap, and nothing at all. For a value that no item had, the rules give the commonest answer of
    all. Items that ask about the same text as the one to answer are left out, because to remember a
    text is not a shortcut; so are those with the same solution, if hardly two instances share one.

    Args:
        items: items with solutions, of the same task, language, variant and level as those on which
            the rules will be used, but none of these.

    Raises:
        TokenbenchError: `items` is empty.

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
        """The shortcut that earns most; empty if none suits an item."""
        return max(self.rewards, key=lambda name: self.rewards[name], default="")

    @property
    def reward(self) -> float:
        """The mean reward of the best shortcut."""
        return self.rewards.get(self.best, 0.0)

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
    n, n_learned = integer("n", n, least=1), integer("n_learned", n_learned, least=1)
    ref = as_ref(part)
    record = task(ref.task)

    def draw(seed: int, size: int) -> list[Item]:
        arguments = ref.arguments()
        return [record.generate(index=index, seed=seed, **arguments) for index in range(size)]

    items, learned = draw(seed, n), learn_shortcuts(draw(seed + 1, n_learned))
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


def _sizes(q: Question) -> dict[str, int]:
    """Return sizes of a payload that are easy to see, and no count of its tokens."""
    if not q.has_payload:
        return {}
    return {"the number of marks": count_marks(q.text), "the number of characters": len(q.text)}
