"""The conformance suite catches every task that is broken on purpose, and says which promise.

The functions of such a task stand at module level, because tasks are pickled.
"""

import re
from collections.abc import Callable
from dataclasses import fields, replace
from itertools import count
from typing import Any, NamedTuple

import pytest
from patch_task import patch_task

from tokenbench import Item, diff, freq, lenop, reord, sort
from tokenbench.answers import Number
from tokenbench.draw import Draw
from tokenbench.extraction import Unparsable
from tokenbench.tasks.contract import Task
from tokenbench.tasks.spec import ItemSpec, Published, Question
from tokenbench.testing import ConformanceError, conformance
from tokenbench.text.languages import Language

pytestmark = pytest.mark.usefixtures("floods_are_read_once")


def _always(_answer: object, _target: object) -> bool:
    return True


def _one(_answer: object, _target: object) -> float:
    return 1.0


def _half(answer: Any, target: Any) -> float:
    return 1.0 if reord.verify(answer, target) else 0.5


def _two(answer: object, target: object) -> float:
    return 1.0 if freq.verify(int(str(answer)), target) else 2.0


def _grade_with_int(answer: Any, target: Any) -> float:
    return 1.0 if freq.verify(answer, target) else 0


def _find_anywhere(text: str, item: Item, _language: Language) -> list[str]:
    if item.solution not in text.upper():
        raise Unparsable("is no order")
    return list(item.solution)


def _last_number(text: str, _item: Item, _language: Language) -> int:
    found = re.findall("[0-9]{1,9}", text)
    if not found:
        raise Unparsable("holds no number")
    return int(found[-1])


def _loose_number(text: str, item: Item, language: Language) -> int:
    """Take a sign for decoration."""
    return int(freq.TASK.kind(None).parse(text.lstrip("+-− "), item, language))


def _bare_number(text: str, _item: Item, _language: Language) -> int:
    if not (text.isascii() and text.isdigit()):
        raise Unparsable("is not a number")
    return int(text[:18])


def _raising_number(text: str, _item: Item, _language: Language) -> int:
    return int(text)


def _any_tokens(text: str, item: Item, language: Language) -> list[str]:
    """Leave out words that are not tokens of the text: additions are free."""
    kept = [
        token
        for token in reord.TASK.kind(None).parse(text, item, language)
        if token in item.target["tokens"]
    ]
    if not kept:
        raise Unparsable("holds no tokens")
    return kept


def _any_differing(answer: Any, target: Any) -> bool:
    shared = set(answer) & set(target["differing"])
    return len(shared) > 0 or bool(diff.verify(answer, target))


def _differing_grade(answer: Any, target: Any) -> float:
    return float(_any_differing(answer, target))


def _right_length(answer: Any, target: Any) -> bool:
    if isinstance(answer, str):
        return bool(lenop.count(answer, target["lang"]) == target["count"])
    return bool(lenop.verify(answer, target))


def _right_length_grade(answer: Any, target: Any) -> float:
    return 1.0 if _right_length(answer, target) else lenop.TASK.kind("write").grade(answer, target)


def _tells(answer: object, target: Any) -> str:
    return f"it is {target['count']}, not {answer}"


def _hints(_answer: Any, target: Any) -> str:
    return "too early" if target["order"][0] == "C" and target["order"][1] == "B" else "wrong"


def _no_chance(_item: Item) -> float:
    return 0.01


def _odd_chance(_item: Item) -> float:
    return 7.0


def _nothing(_target: object) -> int:
    return 0


def _sample(spec: ItemSpec, draw: Draw) -> Question | None:
    """Return a question of FREQ."""
    assert freq.TASK.sample is not None
    return freq.TASK.sample(spec, draw)


def _change(**changes: Any) -> Callable[[ItemSpec, Draw], Question | None]:
    """Return FREQ's draws with some fields of the question changed."""

    def sample(spec: ItemSpec, draw: Draw) -> Question | None:
        question = _sample(spec, draw)
        return question and question._replace(
            **{name: change(question) for name, change in changes.items()}
        )

    return sample


class _Unchecked(Number):
    """A kind that reads fields of the target that it does not check."""

    @property
    def schema(self) -> dict[str, str]:
        return {}


class _Unasked(Task):
    """A task whose prompts do not ask for tags, which no question can leave out."""

    def item(self, spec: ItemSpec) -> Item:
        item = super().item(spec)
        return replace(item, prompt=item.prompt.rpartition("\n")[0])


_spoiled = _change(text=lambda question: "Such as <answer>3</answer>.\n\n" + question.text)
_calls = count()
_restless = _change(text=lambda question: f"{next(_calls)}. {question.text}")
_mislabelled = _change(published=lambda _: Published("number", "-"))
_of_tuples = _change(target=lambda question: {"count": question.answer, "kept": (1, 2)})
_undrawn = _change(drawn=lambda question: {**question.drawn, "length": -question.drawn["length"]})


def _sum_of_seed_and_index(ask: ItemSpec, _draw: Draw) -> Question | None:
    return _sample(ask, Draw(ask.lang, ask.seed + ask.index, ask.split, ask.level))


def _without_index(ask: ItemSpec, _draw: Draw) -> Question | None:
    return _sample(ask, Draw(ask.lang, ask.seed, ask.split))


def _without_seed(ask: ItemSpec, _draw: Draw) -> Question | None:
    return _sample(ask, Draw(ask.lang, ask.index, ask.split, ask.level))


def _unsplit(ask: ItemSpec, _draw: Draw) -> Question | None:
    return _sample(ask, Draw(ask.lang, ask.seed, ask.index, ask.level))


def _repeating(spec: ItemSpec, _size: int) -> int:
    return spec.index % 10


def _leaving_near(ask: ItemSpec, draw: Draw) -> Question | None:
    return None if ask.index > 10**6 else _sample(ask, draw)


def _falling(ask: ItemSpec, draw: Draw) -> Question | None:
    level = None if ask.level is None else 9 - ask.level
    return _sample(replace(ask, level=level), draw)


def _flat(ask: ItemSpec, draw: Draw) -> Question | None:
    return _sample(replace(ask, level=None), draw)


class Broken(NamedTuple):
    """A task with one thing broken, and the suite's complaint about it."""

    name: str
    task: Task
    said: str
    n: int = 24
    lang: str = "en"
    variant: str | None = None


BROKEN = [
    Broken("anything is right", patch_task(freq.TASK, verify=_always, grade=_one), "attacks_fail"),
    Broken("the answer is looked for", patch_task(sort.TASK, parse=_find_anywhere), "attacks_fail"),
    Broken("the last number counts", patch_task(freq.TASK, parse=_last_number), "attacks_fail"),
    Broken("signs are dropped", patch_task(freq.TASK, parse=_loose_number), "attack 'sign'"),
    Broken("additions are free", patch_task(reord.TASK, parse=_any_tokens), "attacks_fail"),
    Broken(
        "one of several is enough",
        patch_task(diff.TASK, verify=_any_differing, grade=_differing_grade),
        "attacks_fail",
    ),
    Broken(
        "any text of the length will do",
        patch_task(lenop.TASK, verify=_right_length, grade=_right_length_grade),
        "attacks_fail",
        variant="write",
    ),
    Broken("all is graded 1.0", patch_task(freq.TASK, grade=_one), "the scores disagree"),
    Broken(
        "anything is graded 0.5", patch_task(reord.TASK, grade=_half), "under graded on average"
    ),
    Broken("a grade of 2.0", patch_task(freq.TASK, grade=_two), "not a float in [0, 1]"),
    Broken("a grade of 0", patch_task(freq.TASK, grade=_grade_with_int), "not a float in [0, 1]"),
    Broken("only plain digits", patch_task(freq.TASK, parse=_bare_number), "respellings_pass"),
    Broken("parsing raises", patch_task(freq.TASK, parse=_raising_number), "raises ValueError"),
    Broken("the reason tells", patch_task(freq.TASK, explain=_tells), "no_leak"),
    Broken("the reason hints", patch_task(sort.TASK, explain=_hints), "no_leak", n=150),
    Broken("luck is denied", replace(sort.TASK, guess=_no_chance), "guesses_are_luck", n=150),
    Broken("luck over 1", replace(sort.TASK, guess=_odd_chance), "guesses_are_luck"),
    Broken("no answer is short enough", patch_task(freq.TASK, max_chars=_nothing), "length_limit"),
    Broken(
        "no tags are asked for",
        _Unasked(
            **{one.name: getattr(freq.TASK, one.name) for one in fields(freq.TASK) if one.init}
        ),
        "prompt_wording",
    ),
    Broken("an example answer", replace(freq.TASK, sample=_spoiled), "prompt_wording"),
    Broken("another item each time", replace(freq.TASK, sample=_restless), "reproducible"),
    Broken("a wrong label", replace(freq.TASK, sample=_mislabelled), "witness"),
    Broken("a tuple in the target", replace(freq.TASK, sample=_of_tuples), "ItemError"),
    Broken(
        "a seed that is added", replace(freq.TASK, sample=_sum_of_seed_and_index), "one index on"
    ),
    Broken("a seed without effect", replace(freq.TASK, sample=_without_seed), "another seed gives"),
    Broken("an index without effect", replace(freq.TASK, sample=_without_index), "fresh", n=72),
    Broken("splits alike", replace(freq.TASK, sample=_unsplit), "disjoint"),
    Broken(
        "a small part of the space",
        replace(lenop.TASK, place=_repeating),
        "fresh",
        n=60,
        variant="write",
    ),
    Broken("no far indices", replace(freq.TASK, sample=_leaving_near), "far_index"),
    Broken("levels that fall", replace(freq.TASK, sample=_falling), "levels_rise"),
    Broken("levels without effect", replace(freq.TASK, sample=_flat), "levels_rise"),
    Broken("lengths that fall", replace(freq.TASK, sample=_undrawn), "levels_rise"),
    Broken("levels that are one", replace(sort.TASK, levels=(3,)), ""),
    Broken("not to be pickled", replace(freq.TASK, guess=lambda _: 0.2), "picklable"),
    Broken(
        "targets unchecked",
        replace(freq.TASK, answer=_Unchecked(field="count")),
        "refuses_bad_items",
    ),
    Broken("no version", replace(freq.TASK, version=0), "task_record"),
    Broken("no source", replace(freq.TASK, source=" "), "task_record"),
]


@pytest.mark.sampled(6)
@pytest.mark.parametrize("broken", BROKEN, ids=lambda broken: broken.name)
def test_the_suite_catches_a_broken_task(broken: Broken) -> None:
    """A task with one thing broken fails, and the message says which promise."""
    arguments: dict[str, Any] = {"n": broken.n, "langs": [broken.lang]}
    task = replace(broken.task, name=f"broken_{broken.task.name}")
    if not broken.said:
        conformance(task, variants=[broken.variant], **arguments)
        return
    with pytest.raises(ConformanceError) as caught:
        conformance(task, variants=[broken.variant], **arguments)
    assert broken.said in str(caught.value)
