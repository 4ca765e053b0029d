"""Every task keeps the promises of all tasks, in each language and variant.

This is the one place where built-in parts meet the whole conformance suite, on the number of items
that `--conformance-items` gives: 12 or 6 by default, 1,000 in `make conformance`. What attacks and
respellings of every part score is in the golden verdicts too.
"""

from dataclasses import replace
from typing import Any

import pytest
from patch_task import patch_task

from tokenbench import catalog, task, tasks
from tokenbench.answers.closed import Choice, Number
from tokenbench.draw import Draw
from tokenbench.errors import TokenbenchError, UnknownNameError
from tokenbench.tasks import Question, Task
from tokenbench.tasks.pools import english_words
from tokenbench.tasks.spec import ItemSpec
from tokenbench.testing import ConformanceError, conformance
from tokenbench.testing.promises import no_leak
from tokenbench.testing.promises.items import Case

pytestmark = pytest.mark.usefixtures("floods_are_read_once")

CASES = [
    (name, lang, variant)
    for name in catalog()
    for variant in task(name).variants or (None,)
    for lang in task(name).langs
]


@pytest.mark.sampled(10)
@pytest.mark.parametrize(("name", "lang", "variant"), CASES)
def test_every_task_keeps_its_promises(
    name: str, lang: str, variant: str | None, pytestconfig: pytest.Config
) -> None:
    # A task that works in any language judges all of them alike, except for closed lists of words.
    n_items = 6 if task(name).accepts_any_language else 12
    n_items = pytestconfig.getoption("--conformance-items") or n_items
    conformance(name, n=n_items, langs=[lang], variants=[variant])


def test_other_seeds_give_other_items() -> None:
    """The suite is not bound to one seed."""
    for seed in (2**80, -3):
        conformance("freq", n=12, langs=["ko"], seed=seed)


def test_a_task_that_is_not_installed_can_be_checked() -> None:
    """A plug-in's author checks a task before any package offers it; afterwards it is gone."""
    conformance(replace(task("freq"), name="brand_new"), n=12, langs=["ko"])
    with pytest.raises(UnknownNameError, match="brand_new"):
        task("brand_new")


def test_the_installed_task_stays_known() -> None:
    """Checking a changed task does not leave it in the place of the installed one."""
    ours = task("freq")
    with pytest.raises(ConformanceError):
        conformance(replace(ours, version=0), n=2)
    assert task("freq") is ours


def test_bad_arguments_are_refused() -> None:
    """Unknown names and impossible numbers raise the library's own errors."""
    with pytest.raises(UnknownNameError, match="nosuch"):
        conformance("nosuch")
    with pytest.raises(TokenbenchError, match="task=3"):
        conformance(3)  # type: ignore[arg-type]
    with pytest.raises(ConformanceError, match="accents"):
        conformance(
            replace(
                task("freq"), name="mine", answer=Number(field="count", equivalences=("accents",))
            ),
            n=1,
        )
    with pytest.raises(TokenbenchError, match="n=0"):
        conformance("freq", n=0)
    with pytest.raises(ConformanceError, match="xx"):
        conformance("freq", n=1, langs=["xx"])


def _names(_lang: str) -> dict[str, str]:
    return {"vowel": "vowel", "consonant": "consonant"}


def _ask_first(word: str, _draw: Draw, _spec: ItemSpec) -> Question:
    kind = "vowel" if word[0].lower() in "aeiou" else "consonant"
    text = (
        f"Does the word “{word}” begin with a vowel or a consonant? Write one of these two words."
    )
    return Question(text, kind, {"length": len(word)})


@pytest.mark.parametrize("name", ["beginning", "first_sound"])
def test_a_reason_may_follow_from_a_skewed_answer(name: str) -> None:
    """Of 100 words 12 begin with a vowel, so that most reasons concern the others; no one tells."""
    doc, answer = "Say how a word begins.", Choice(names=_names)
    first = Task(name=name, doc=doc, source="a", pool=english_words, ask=_ask_first, answer=answer)
    with tasks.replace_task(first):
        no_leak(Case(first, "en", None, 150, 0, {}))


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"name": "spell"}, "its name is 'spell', which a task of tokenbench has"),
        ({"name": "freq", "version": 9}, "its name is 'freq', which a task of tokenbench has"),
    ],
)
def test_a_name_that_could_not_be_used_is_refused(changed: dict[str, Any], said: str) -> None:
    """Such a name cannot be written in a part, or leads to a task of ours."""
    with pytest.raises(ConformanceError, match=f"task_record: .*{said}"):
        conformance(replace(task("freq"), **({"name": "mine"} | changed)), n=1, langs=["en"])


def test_names_with_a_dot_a_hyphen_or_capitals_can_be_used() -> None:
    conformance(replace(task("freq"), name="Acme.freq-2"), n=12, langs=["en"])


def test_the_message_says_all_that_is_needed() -> None:
    """It names promise, task, language, item and completion."""
    broken = patch_task(task("freq"), name="mine", parse=task("sort").kind(None).parse)
    with pytest.raises(ConformanceError) as caught:
        conformance(broken, n=1, langs=["zh"])
    assert "mine:zh" in str(caught.value)
    replaced = patch_task(task("freq"), name="mine", max_chars=_nothing)
    with pytest.raises(ConformanceError) as caught:
        conformance(replaced, n=1, langs=["zh"])
    said = str(caught.value)
    for part in (
        "length_limit:",
        "mine:zh",
        "seed=0",
        "index=0",
        "split='train'",
        "max_chars is 0",
    ):
        assert part in said


def _nothing(_target: object) -> int:
    return 0
