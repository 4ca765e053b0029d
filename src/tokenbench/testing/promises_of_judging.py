"""Promises about judging: one committed answer, right spellings, luck only, nothing raised."""

import re
from collections import Counter, defaultdict
from statistics import fmean
from typing import Final, NamedTuple

from tokenbench.extraction import EXTRACTS
from tokenbench.item import Item
from tokenbench.scoring import Verdict
from tokenbench.testing.bounds import FARMED, HUGE, most_by_luck
from tokenbench.testing.case import Broken, Case, judged
from tokenbench.testing.corpus import ATTACKS, BLIND
from tokenbench.testing.forms import another, decoys, is_yes_or_no, knows_misled, tagged
from tokenbench.testing.guesswork import GUESSWORK, luck
from tokenbench.testing.nonsense import NONSENSE
from tokenbench.testing.promises_of_items import rules_of
from tokenbench.testing.spellings import respellings

CODES: Final = ("right", "wrong", "no_answer", "conflicting", "unparsable", "too_long")
_ATTACKED = 20  # items of a case that meet all attacks, some 300 each
_RESPELLED = 12  # items whose answer is spelled in all ways, some 150 each
_PROBED = 150
_QUOTED = 57  # characters of a long answer that a reason repeats
_HURT = 5
_TELLING = 10  # times that a reason for one and the same solution is no coincidence
_SLACK, _ROOM = 4, 1024  # an answer of 4 × the longest and 1,024 characters is still read


def attacks_fail(case: Case) -> None:
    """No attack scores above 0.0 under exact, and what does not know the answer farms no credit."""
    farmed: dict[str, list[float]] = defaultdict(list)
    for number, item in enumerate(case.some(_ATTACKED)):
        for family, attack in ATTACKS.items():
            if family in HUGE and number:
                continue
            best = 0.0
            for completion in attack(item):
                earned = _both(completion, item)
                if earned[0].score != 0.0:
                    raise Broken(f"the attack {family!r} scores 1.0", item, completion)
                best = max(best, earned[1].score)
            farmed[family].append(best)
    for family in BLIND:
        if fmean(farmed[family] or [0.0]) > FARMED:
            raise Broken(
                f"the attack {family!r} earns {fmean(farmed[family]):.2f} under graded on average, "
                f"more than {FARMED}, without the answer"
            )


def respellings_pass(case: Case) -> None:
    """A right answer scores 1.0 in every spelling that is the same answer."""
    for item in case.some(_RESPELLED):
        for family, completions in respellings(item).items():
            for completion in completions:
                for verdict in _both(completion, item):
                    if verdict.score != 1.0:
                        detail = f"the respelling {family!r} scores {verdict.score}"
                        raise Broken(f"{detail}: {verdict.reason}", item, completion)


def guesses_are_luck(case: Case) -> None:
    """No guess is right more often than the task's stated chance."""
    hits: Counter[tuple[str, int]] = Counter()
    expected: defaultdict[tuple[str, int], float] = defaultdict(float)
    shown: dict[tuple[str, int], tuple[Item, object]] = {}
    for item in case.items:
        chance: object = case.task.guess_rate(item)
        if not (isinstance(chance, int | float) and 0.0 <= chance <= 1.0):
            raise Broken(f"its chance is {chance!r}, no number in [0, 1]", item)
        for family, guess in GUESSWORK.items():
            lucky = luck(family, item, chance)
            for place, completion in enumerate(guess(item)):
                expected[family, place] += lucky
                if judged(completion, item).score:
                    hits[family, place] += 1
                    shown[family, place] = item, completion
    for key, found in hits.items():
        if found > (bound := most_by_luck(expected[key])):
            raise Broken(
                f"the guess {key[0]!r} (number {key[1]}) is right {found} times in "
                f"{len(case.items)}, by chance {expected[key]:.1f} and surely not over {bound:.1f}",
                *shown[key],
            )


def total(case: Case) -> None:
    """Any completion gets a float, a code and a reason, under any rule and any way of reading."""
    for item in case.some(_HURT):
        for family, attack in NONSENSE.items():
            if family in HUGE:
                continue  # met under exact and graded already
            for completion in attack(item):
                for rule in rules_of(item):
                    _sound(judged(completion, item, rule), item, completion)
                for extract in EXTRACTS:
                    verdict = judged(completion, item, extract=extract)
                    _sound(verdict, item, completion)


def bounded(case: Case) -> None:
    """An answer far longer than any right one is turned away unread."""
    for item in case.some(_PROBED):
        longest = case.task.kind(item.variant).max_chars(item.target)
        if type(longest) is not int or longest < len(item.solution):
            raise Broken(
                f"max_chars is {longest!r}, the solution has {len(item.solution)} characters", item
            )
        completion = tagged("9" * (_SLACK * longest + _ROOM + 1))
        if (code := judged(completion, item).code) != "too_long":
            raise Broken(f"an answer over the limit is {code!r}", item, completion)


def no_leak(case: Case) -> None:
    """A reason tells no more of the right answer than that this one is wrong, unless asked to."""
    probes = [probe for item in case.some(_PROBED) for probe in _probes(item)]
    for probe in probes:
        if not probe.names(probe.item.solution):
            continue
        # A word that stands in the reasons for other items too is the reason's own wording.
        elsewhere = (other for other in probes if other.item.solution != probe.item.solution)
        if not any(other.names(probe.item.solution) for other in elsewhere):
            raise Broken(f"the reason tells it: {probe.reason!r}", probe.item, probe.completion)
    wrong: dict[str, set[str]] = defaultdict(set)
    told: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for probe in probes:
        wrong[probe.guess].add(probe.item.solution)
        told[probe.guess, probe.wording()][probe.item.solution] += 1
    for probe in probes:
        ((solution, times), *others) = told[probe.guess, probe.wording()].most_common()
        # Between two possible answers, that one is wrong tells all; no reason can tell more.
        if is_yes_or_no(probe.item.solution, probe.item.lang):
            continue
        # Whether an answer is the trap's has to be said, and where few are possible tells the rest.
        if knows_misled(probe.item):
            continue
        if len(wrong[probe.guess]) > 1 and not others and times >= _TELLING:
            detail = f"{probe.reason!r} is said only where the answer is {solution!r}"
            raise Broken(detail, probe.item, probe.completion)
    for item in case.some(_HURT):
        if item.solution not in judged("", item, reveal=True).reason:
            raise Broken("the reason does not tell the answer though reveal=True", item, "")


class _Probe(NamedTuple):
    """What is said about a wrong answer; `guess` names how the answer was come by."""

    guess: str
    item: Item
    completion: str
    reason: str

    def names(self, answer: str) -> bool:
        """Return whether the reason holds an answer that the completion did not bring."""
        given = (self.completion, self.completion[:_QUOTED])
        return not any(_holds(text, answer) for text in given) and _holds(self.reason, answer)

    def wording(self) -> str:
        """Return the reason without the completion's text and without numbers."""
        reason = self.reason
        for given in (self.completion, self.completion[:_QUOTED]):
            if len(given) > 1:
                reason = reason.replace(given, "…")
            elif given:  # letters of other words are no repetition
                reason = re.sub(rf"(?<!\w)(['\"]?){re.escape(given)}\1(?!\w)", "…", reason)
        return re.sub("[0-9]+", "#", reason)


def _probes(item: Item) -> list[_Probe]:
    given = {"another": [tagged(another(item))], "decoy": [*map(tagged, decoys(item))]}
    given |= {"number": [tagged("1000003")], "nothing": [""]}
    given |= {family: list(map(str, guess(item))) for family, guess in GUESSWORK.items()}
    found = []
    for family, completions in given.items():
        for place, completion in enumerate(completions):
            verdict = judged(completion, item)
            if verdict.score == 0.0:
                answer = verdict.answer or ""
                found.append(_Probe(f"{family} {place}", item, answer, verdict.reason))
    return found


def _holds(text: str, answer: str) -> bool:
    if answer not in text:
        return False
    return not answer.isascii() or bool(re.search(rf"(?<!\w){re.escape(answer)}(?!\w)", text))


def _both(completion: object, item: Item) -> tuple[Verdict, Verdict]:
    """Return the verdicts under exact and graded, which have to agree on what is right.

    Where no answer was read, the task has nothing to grade, and both are the same.
    """
    exact = judged(completion, item)
    read = exact.code in ("right", "wrong")
    graded = judged(completion, item, "graded") if read else exact
    if exact.score not in (0.0, 1.0):
        raise Broken(f"the score under 'exact' is {exact.score}", item, completion)
    if (graded.score == 1.0) != (exact.score == 1.0):
        scores = f"{graded.score} under 'graded', {exact.score} under 'exact'"
        raise Broken(f"the scores disagree: {scores}", item, completion)
    return exact, graded


def _sound(verdict: Verdict, item: Item, completion: object) -> None:
    if verdict.code not in CODES or not verdict.reason:
        raise Broken(f"the verdict is {verdict!r:.200}", item, completion)
    if verdict.code == "right" and verdict.score != 1.0:
        raise Broken(f"{verdict.score} is {verdict.code!r}", item, completion)
