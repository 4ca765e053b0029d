"""The conformance suite: check that a task keeps what every task promises.

The promises about scoring are here: the last answer alone, right spellings, only luck, nothing
raised; those about items and draws are in `items`.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from itertools import chain, product
from typing import Any, Final, NamedTuple

from tokenbench import tasks
from tokenbench.checks import instance, integer
from tokenbench.errors import TokenbenchError
from tokenbench.extraction import EXTRACTS
from tokenbench.item import Item
from tokenbench.quoting import pluralize
from tokenbench.scoring import CODES
from tokenbench.tasks import TaskRef
from tokenbench.tasks.contract import Task
from tokenbench.testing.attack_families import (
    ATTACKS,
    BLIND,
    GUESSWORK,
    MAX_BLIND_CREDIT,
    SLOW_FAMILIES,
)
from tokenbench.testing.attack_families.without_answer import NONSENSE
from tokenbench.testing.corpus_run import RuleJudge, run_corpus
from tokenbench.testing.item_facts import (
    decoys,
    is_yes_or_no,
    near_miss,
    rules_of,
    tagged,
)
from tokenbench.testing.promises.items import ITEM_PROMISES, BrokenPromise, Case, judge
from tokenbench.testing.report import AttackReport, by_family, findings, mark_first
from tokenbench.testing.respelling_families import RESPELLINGS
from tokenbench.text.languages import language

# Items of a case that meet all attacks, some 300 each: one in three, and at most this number.
_MAX_ATTACKED = 20
# Items whose answer is written in all spellings, some 150 each.
_MAX_RESPELLED = 12
_MAX_PROBED = 150
_MAX_NONSENSE = 5
# A reason repeats this much of a long answer.
_QUOTED_CHARS = 57
# A reason that occurs this often, and only for one solution, tells it unless that may be chance.
_MIN_TELLING_TIMES = 10
_MAX_COINCIDENCE = 1e-6
# An answer of 4 × the longest and 1,024 characters is still read.
_LENGTH_FACTOR, _LENGTH_SLACK = 4, 1024


def attacks_fail(case: Case) -> None:
    """No attack scores above 0.0 under exact, and none made without the answer farms credit."""
    report = _send(case.sample(min(_MAX_ATTACKED, max(1, case.n // 3))), ATTACKS)
    for (_, family), result in by_family(report).items():
        mean = result.rules["graded"].mean_best if family in BLIND else 0.0
        if mean > MAX_BLIND_CREDIT:
            detail = f"{mean:.2f} under graded on average, more than {MAX_BLIND_CREDIT}"
            raise BrokenPromise(f"the attack {family!r} earns {detail}, without the answer")


def respellings_pass(case: Case) -> None:
    """A right answer scores 1.0 in every spelling that is the same answer."""
    _send(case.sample(_MAX_RESPELLED), RESPELLINGS)


def guesses_are_luck(case: Case) -> None:
    """No guess is right more often than the task's stated chance."""
    for item in case.items:
        chance: object = case.task.guess_rate(item)
        if not (isinstance(chance, int | float) and 0.0 <= chance <= 1.0):
            raise BrokenPromise(f"its chance is {chance!r}, not a number in [0, 1]", item)
    _send(case.items, GUESSWORK)


class _CheckedJudge(RuleJudge):
    """Judges under exact and graded, which have to agree on the right answers."""

    def __call__(self, completion: object, item: Item) -> Mapping[str, float]:
        exact = judge(completion, item)
        # Where no answer was read, the task has nothing to grade.
        read = exact.code in ("right", "wrong")
        graded = judge(completion, item, "graded") if read else exact
        if exact.score not in (0.0, 1.0):
            raise BrokenPromise(f"the score under 'exact' is {exact.score}", item, completion)
        if (graded.score == 1.0) != (exact.score == 1.0):
            scores = f"{graded.score} under 'graded', {exact.score} under 'exact'"
            raise BrokenPromise(f"the scores disagree: {scores}", item, completion)
        return {"exact": exact.score, "graded": graded.score}


def _send(items: Sequence[Item], families: Collection[str]) -> AttackReport:
    """Return the scores of families of the corpus on items.

    Raises:
        BrokenPromise: one earns what it should not.
    """
    judge = _CheckedJudge(("exact", "graded"))
    report = run_corpus(mark_first(items), judge, families=families)
    for finding in findings(report):
        raise BrokenPromise(str(finding))
    return report


def total(case: Case) -> None:
    """Any completion gets a float, a code and a reason, under any rule and any way of reading."""
    # Attacks have sent the slow families already, under exact and graded.
    families = [attack for family, attack in NONSENSE.items() if family not in SLOW_FAMILIES]
    for item in case.sample(_MAX_NONSENSE):
        for completion in chain.from_iterable(attack(item) for attack in families):
            verdicts = [judge(completion, item, rule) for rule in rules_of(item)]
            verdicts += [judge(completion, item, extract=extract) for extract in EXTRACTS]
            for verdict in verdicts:
                if verdict.code not in CODES or not verdict.reason:
                    raise BrokenPromise(f"the verdict is {verdict!r:.200}", item, completion)
                if verdict.code == "right" and verdict.score != 1.0:
                    raise BrokenPromise(f"{verdict.score} is {verdict.code!r}", item, completion)


def length_limit(case: Case) -> None:
    """An answer far longer than any right one is turned away unread."""
    for item in case.sample(_MAX_PROBED):
        longest = case.task.kind(item.variant).max_chars(item.target)
        if type(longest) is not int or longest < len(item.solution):
            size = pluralize(len(item.solution), "character")
            raise BrokenPromise(f"max_chars is {longest!r}, the solution has {size}", item)
        completion = tagged("9" * (_LENGTH_FACTOR * longest + _LENGTH_SLACK + 1))
        if (code := judge(completion, item).code) != "too_long":
            raise BrokenPromise(f"an answer over the limit is {code!r}", item, completion)


def no_leak(case: Case) -> None:
    """A reason only tells that the answer is wrong, not the right one, unless asked to."""
    probes = [probe for item in case.sample(_MAX_PROBED) for probe in _probes(item)]
    for probe in probes:
        if not probe.reveals(probe.item.solution) or probe.names_both():
            continue
        # A word in the reasons for other items too belongs to the wording of the reason.
        others = (other for other in probes if other.item.solution != probe.item.solution)
        if not any(other.reveals(probe.item.solution) for other in others):
            detail = f"the reason reveals it: {probe.reason!r}"
            raise BrokenPromise(detail, probe.item, probe.completion)
    solutions: dict[str, set[str]] = defaultdict(set)
    groups: dict[tuple[str, str], list[_Probe]] = defaultdict(list)
    for probe in probes:
        solutions[probe.guess].add(probe.item.solution)
        groups[probe.guess, probe.wording()].append(probe)
    for group in groups.values():
        probe, *more = group
        # Between two possible answers, rejecting one reveals the other; no reason can reveal more.
        # And a reason has to tell whether an answer is the trap's, which also leaves few others.
        if (
            is_yes_or_no(probe.item.solution, probe.item)
            or "misled" in case.task.kind(probe.item.variant).schema
        ):
            continue
        solution = probe.item.solution
        if len(solutions[probe.guess]) < 2 or len(group) < _MIN_TELLING_TIMES:
            continue
        if any(other.item.solution != solution for other in more):
            continue
        if _coincidence(group, case.sample(_MAX_PROBED)) < _MAX_COINCIDENCE:
            detail = f"{probe.reason!r} is only given where the answer is {solution!r}"
            raise BrokenPromise(detail, probe.item, probe.completion)
    for item in case.sample(_MAX_NONSENSE):
        if item.solution not in judge("", item, reveal=True).reason:
            detail = "the reason does not contain the answer although reveal=True"
            raise BrokenPromise(detail, item, "")


class _Probe(NamedTuple):
    """The reason for rejecting a wrong answer; `guess` names the strategy behind the answer."""

    guess: str
    item: Item
    completion: str
    reason: str

    def reveals(self, answer: str) -> bool:
        """Return whether the reason contains an answer that the completion did not."""
        repeats = (self.completion, self.completion[:_QUOTED_CHARS])
        return _contains(self.reason, answer) and not any(
            _contains(text, answer) for text in repeats
        )

    def names_both(self) -> bool:
        """Return whether the reason contains a word for yes and one for no, as possible answers."""
        words, reason = language(self.item.lang), self.reason.lower()
        sides = (words.yes, words.no)
        return is_yes_or_no(self.item.solution, self.item) and all(
            any(_contains(reason, word) for word in side) for side in sides
        )

    def wording(self) -> str:
        """Return the reason without the completion's text and without numbers."""
        reason = self.reason
        for repeat in (self.completion, self.completion[:_QUOTED_CHARS]):
            if len(repeat) > 1:
                reason = reason.replace(repeat, "…")
            elif repeat:
                # Only on its own: the same letter within a word is not a repetition.
                reason = re.sub(rf"(?<!\w)(['\"]?){re.escape(repeat)}\1(?!\w)", "…", reason)
        return re.sub("[0-9]+", "#", reason)


def _coincidence(group: Sequence[_Probe], items: Sequence[Item]) -> float:
    """Return the probability that wrong answers are to items of only one solution by chance.

    An answer can only be wrong for some of the items: with two names, rejecting one of them always
    means the other.
    """
    probability = 1.0
    for completion, times in Counter(tagged(probe.completion) for probe in group).items():
        wrong = [item.solution for item in items if judge(completion, item).score == 0.0]
        probability *= (wrong.count(group[0].item.solution) / max(1, len(wrong))) ** times
    return probability


def _probes(item: Item) -> list[_Probe]:
    answers = {"another": [tagged(near_miss(item))], "decoy": [*map(tagged, decoys(item))]}
    answers |= {"number": [tagged("1000003")], "nothing": [""]}
    answers |= {family: list(map(str, guess(item))) for family, guess in GUESSWORK.items()}
    probes = []
    for family, completions in answers.items():
        for index, completion in enumerate(completions):
            verdict = judge(completion, item)
            if verdict.score == 0.0:
                answer = verdict.answer or ""
                probes.append(_Probe(f"{family} {index}", item, answer, verdict.reason))
    return probes


def _contains(text: str, answer: str) -> bool:
    if answer not in text:
        return False
    return not answer.isascii() or bool(re.search(rf"(?<!\w){re.escape(answer)}(?!\w)", text))


PROMISES: Final = (
    *ITEM_PROMISES, attacks_fail, respellings_pass, guesses_are_luck, total, length_limit, no_leak
)  # fmt: skip


class ConformanceError(AssertionError):
    """A promise that a task does not keep, with the item and the completion that show it."""


def conformance(
    task: Task | str,
    *,
    n: int = 1000,
    langs: Sequence[str] | None = None,
    variants: Sequence[str | None] | None = None,
    seed: int = 0,
    **difficulty: Any,
) -> None:
    """Check that a task keeps what every task promises, for each language and variant.

    Cheap checks run on every item, the corpus of attacks and respellings on some of them; the items
    come from every split and level. A task that is not installed may be given itself: scoring finds
    it by its name while the check runs.

    Args:
        task: a task, or the name of one.
        n: the number of items for each language and variant, at least 1.
        langs: the languages; None is all of the task, or that of a `pack`.
        variants: the variants; None is all of the task.
        seed: the seed of the items.
        **difficulty: parameters of every item, such as `pack`.

    Raises:
        ConformanceError: a promise is not kept; the message says which, for which item, and on
            which completion.
        UnknownNameError: no such task.
        TokenbenchError: neither a task nor a name, or n below 1.

    >>> from tokenbench.tasks import catalog
    >>> conformance(catalog()[0], n=12, langs=["en"])
    """
    integer("n", n, least=1)
    named = tasks.task(task) if isinstance(task, str) else task
    checked = instance("task", named, Task, "a Task or the name of one")
    if langs is None:
        langs = [checked.spec(**difficulty).lang] if "pack" in difficulty else checked.langs
    kinds = (checked.variants or (None,)) if variants is None else variants
    if not langs or not kinds:
        raise TokenbenchError("no language or variant to check")
    with tasks.replace_task(checked):
        for lang, variant in product(langs, kinds):
            _check(Case(checked, lang, variant, n, seed, difficulty))


def _check(case: Case) -> None:
    name = TaskRef(case.task.name, case.lang, case.variant)
    for promise in PROMISES:
        sentence = (promise.__doc__ or "").partition("\n")[0]
        heading = f"{promise.__name__}: {sentence} Not so for {name} with seed={case.seed}"
        try:
            promise(case)
        except BrokenPromise as broken:
            raise ConformanceError(f"{heading}: {broken}") from broken
        except Exception as error:
            raise ConformanceError(f"{heading}: raises {error!r}") from error
