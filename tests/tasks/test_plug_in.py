"""A task that another distribution brings works wherever ours do, without a line of ours."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from plug_in import install

from tokenbench.answers import (
    AnswerKind,
    Characters,
    Choice,
    Number,
    Order,
    Parts,
    Text,
    Tokens,
    Writing,
    YesNo,
)
from tokenbench.draw import Draw
from tokenbench.errors import DifficultyError, ItemError, TokenbenchError
from tokenbench.tasks import Pool, Question, Task, register
from tokenbench.tasks.pools import english_words
from tokenbench.tasks.sizes import instance_counts
from tokenbench.tasks.spec import ItemSpec
from tokenbench.testing import ConformanceError, conformance

EVERYWHERE = """
import json, pickle, sys
from tokenbench import Item, catalog, check, dataset, mixture, prompt, score, score_batch, task

assert catalog()[-1] == "strangers_vowels" and task("strangers_vowels").source == "CONTRIBUTING.md"
import tokenbench
from tokenbench import strangers_vowels
assert tokenbench.strangers_vowels is strangers_vowels is task("strangers_vowels")
assert not hasattr(tokenbench, "strangers_vowel")
assert dataset(strangers_vowels, n=20) == dataset("strangers_vowels:en", n=20)
item = task("strangers_vowels").generate(seed=4, level=5)
told = f"<answer>{item.solution}</answer>"
assert score(told, item) == 1.0 and check("<answer>99</answer>", item).code == "wrong"
assert score_batch([told, None], item).tolist() == [1.0, 0.0]
assert item.prompt in prompt(item, "direct") and len(prompt(item, "fewshot")) > len(item.prompt)

data = dataset("strangers_vowels", n=20)
assert pickle.loads(pickle.dumps(data))[7] == data[7] == task("strangers_vowels").generate(index=7)
mixed = mixture({"strangers_vowels:en@3": 1.0, "sort:zh": 1.0}, n=40)
assert {item.task for item in mixed} == {"strangers_vowels", "sort"}

from tokenbench.curriculum import Curriculum
course = Curriculum({"strangers_vowels:en": 1.0, "spell:en": 1.0})
for _ in range(12):
    drawn = course.draw(8)
    course.update(drawn, [float(item.task == "strangers_vowels") for item in drawn])
assert course.places["strangers_vowels:en"] > 2 and course.places["spell:en"] == 0

from tokenbench.integrations.arrow import items_of, read_parquet, to_table, write_parquet
assert list(items_of(to_table(data))) == list(data)
write_parquet("vowels.parquet", data)
assert [score(f"<answer>{item.solution}</answer>", item) for item in read_parquet("vowels.parquet")]
from tokenbench.integrations import reward, to_prompt
assert reward(told, item.json()) == 1.0 and to_prompt(item)[-1]["role"] == "user"

from tokenbench.testing import check_reward, conformance, items
conformance("strangers_vowels", n=30)
check_reward(score, parts=["strangers_vowels:en"], n=2)
assert items(task="strangers_vowels") is not None
print(json.dumps([item.json() for item in data]))
"""


def ask_length(word: str, _draw: Draw, _spec: ItemSpec) -> Question:
    return Question(f"How long is {word}?", len(word))


TASK = Task(
    name="length_of_word",
    doc="Count.",
    pool=lambda _: Pool(("a", "bb", "cc")),
    ask=ask_length,
    answer=Number(),
)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    install(folder)
    return folder


def output_with(home: Path, *arguments: str) -> str:
    """Return the output of a Python with the distribution installed."""
    paths = os.pathsep.join([str(home), *map(os.path.abspath, sys.path)])
    done = subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        cwd=home,
        env={**os.environ, "PYTHONPATH": paths, "PYTHONUTF8": "1"},
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_it_is_generated_scored_mixed_checked_and_kept_like_ours(home: Path) -> None:
    made = json.loads(output_with(home, "-c", EVERYWHERE))
    lines = output_with(
        home, "-m", "tokenbench", "items", "--task", "strangers_vowels:en", "-n", "20"
    ).splitlines()
    assert lines == made


def test_the_command_line_lists_and_attacks_it(home: Path) -> None:
    assert "strangers_vowels" in output_with(
        home, "-m", "tokenbench", "attack", "strangers_vowels:en", "-n", "2"
    )
    assert "strangers_vowels" in output_with(home, "-m", "tokenbench", "tasks")


def test_without_the_distribution_its_items_are_refused_in_words(home: Path) -> None:
    line = output_with(
        home, "-c", "from tokenbench import task; print(task('strangers_vowels').generate().json())"
    )
    code = "import sys, tokenbench; tokenbench.score('3', sys.stdin.read())"
    done = subprocess.run(
        [sys.executable, "-c", code], input=line, capture_output=True, text=True, check=False
    )
    assert "UnknownNameError: unknown task 'strangers_vowels': allowed are compc, " in done.stderr


def test_a_pool_may_be_a_list() -> None:
    listed = replace(TASK, pool=lambda _: Pool(["a", "bb", "cc"]))
    rates = [task.guess_rate(task.generate()) for task in (TASK, listed)]
    assert rates == [pytest.approx(2 / 3)] * 2


def ask_yes_or_no(word: str, draw: Draw, _spec: ItemSpec) -> Question | None:
    yes, letter = draw.below(2) == 1, draw.choice("abcz")
    return Question(f"Is {letter} in {word}?", yes) if (letter in word) == yes else None


def ask_at_a_place(word: str, draw: Draw, _spec: ItemSpec) -> Question:
    return Question(f"A letter of {word}?", draw.choice(word))


@pytest.mark.parametrize(
    ("ask", "answer", "words", "rate"),
    [
        # Yes is drawn as often as no, but three of four letters are not in the word.
        (ask_yes_or_no, YesNo(), ("a", "bb", "cc"), 3 / 4),
        (ask_at_a_place, Text(), ("abc",), 1 / 3),
        (ask_at_a_place, Text(), ("ab", "ac", "add"), 4 / 9),
    ],
)
def test_the_guess_rate_counts_what_ask_draws(
    ask: Any, answer: AnswerKind, words: tuple[str, ...], rate: float
) -> None:
    """One draw for all words would give a letter or a yes to all of them."""
    drawing = replace(TASK, ask=ask, answer=answer, pool=lambda _: Pool(words))
    assert drawing.guess_rate(drawing.generate()) == pytest.approx(rate, abs=0.02)


@pytest.mark.parametrize("in_pool", [20, 1 << 15])
def test_the_guess_rate_asks_once_where_nothing_is_drawn(in_pool: int) -> None:
    asked: list[str] = []

    def ask(word: str, draw: Draw, spec: ItemSpec) -> Question:
        asked.append(word)
        return ask_length(word, draw, spec)

    pool = Pool(tuple("a" * (i % 5 + 1) for i in range(in_pool)))
    counted = replace(TASK, ask=ask, pool=lambda _: pool)
    item = counted.generate()
    asked.clear()
    assert counted.guess_rate(item) == pytest.approx(0.2, abs=1e-3)
    assert len(asked) == min(in_pool, 1 << 14)


def test_a_pool_that_fails_is_named() -> None:
    def fail(_: ItemSpec) -> Pool:
        raise KeyError("x")

    with (
        register(replace(TASK, pool=fail)),
        pytest.raises(TokenbenchError, match=r"the pool of the task .* fails: KeyError: 'x'"),
    ):
        instance_counts(TASK.name)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"ask": None}, "pool and ask"),
        ({"pool": None}, "needs sample"),
        ({"answer": Number}, "a kind, such as Number()"),
        ({"langs": ()}, "langs is empty"),
        ({"levels": ()}, "levels is empty"),
        ({"examples": ("length",)}, "a tuple of dicts"),
        ({"name": "my task"}, "name='my task': expected a letter"),
    ],
)
def test_a_task_that_cannot_work_is_never_made(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(TokenbenchError) as caught:
        replace(TASK, **changes)
    assert message in str(caught.value)


def test_an_ask_that_returns_something_else_is_named() -> None:
    with pytest.raises(TokenbenchError) as caught:
        asking(("How long?", 3)).generate()  # type: ignore[arg-type]
    assert (caught.value.argument, caught.value.value) == ("ask", ("How long?", 3))


def asking(question: Question | None, answer: AnswerKind | None = None) -> Task:
    """Return a task that always asks one question."""
    return replace(TASK, ask=lambda *_: question, answer=answer or Number())


@pytest.mark.parametrize(("lang", "words"), [("en", ("No", "Yes")), ("de", ("Nein", "Ja"))])
def test_yes_and_no_are_written_as_prompts_write_them(lang: str, words: tuple[str, str]) -> None:
    """So that examples answer with the words that the questions name."""
    for answer, word in enumerate(words):
        task = replace(asking(Question("Is it? Yes or No?", bool(answer)), YesNo()), langs=(lang,))
        assert task.generate().solution == word


TOKENS = Tokens(
    read=lambda text, _, __: text.split(),
    valid=lambda right, given: list(right) == list(given),
    explanation=lambda _, __: "no",
)
PARTS = {"accepted": [["me", "lody"]], "ordered": True}
# Each kind, an answer of a wrong type, and one that lacks something.
KINDS = [
    (Number(), "3", None, {"answer": 3}),
    (YesNo(), "yes", None, {"answer": True}),
    (Choice(names=lambda _: {"x": "x"}), 3, None, {"accepted": ["x"]}),
    (Text(), 3, None, {"answer": "x"}),
    (Characters(), "abc", None, {"units": ["a", "b"]}),
    (Parts(), "melody", ["me", "lody"], PARTS),
    (Order(), 3, None, {"order": ["A", "B", "C"]}),
    (TOKENS, "a b", None, {"tokens": ["a", "b"]}),
    (Writing(), 3, "A text.", {"count": 3}),
]


@pytest.mark.parametrize(
    ("kind", "wrong", "alone", "target"), KINDS, ids=lambda value: type(value).__name__
)
def test_a_question_that_its_kind_cannot_use_is_refused_in_words(
    kind: AnswerKind, wrong: Any, alone: Any, target: Any
) -> None:
    """The message names the type that is needed, for every kind."""
    name = type(kind).__name__
    needed = f"^answer=.*: expected a .* for the answer of a length_of_word .*, as {name} needs"
    for question in (Question("?", wrong), Question("?", target=target), Question("?")):
        with pytest.raises(ItemError, match=needed):
            asking(question, kind).generate()
    if alone is not None:
        with pytest.raises(ItemError, match=r"the target of a .*: give the whole of it, as Ques"):
            asking(Question("?", alone), kind).generate()


@pytest.mark.parametrize(
    ("kind", "question", "reason"),
    [
        (Number(), Question("?", 3, target={"answer": 4}), "got 3: not the right number"),
        (Characters(), Question("?", ["m"]), "it does not set the characters apart"),
        (Parts(), Question("?", ["ME"], target={"accepted": [["ME"]], "ordered": True}), "got me"),
    ],
)
def test_an_item_that_its_judge_fails_says_why_first(
    kind: AnswerKind, question: Question, reason: str
) -> None:
    with pytest.raises(RuntimeError, match=f"its own judge fails: {reason}") as caught:
        asking(question, kind).generate()
    assert len(str(caught.value)) < 400


def test_a_negative_count_is_refused() -> None:
    with pytest.raises(ItemError, match=r"^answer=-1: expected a whole number from 0 on"):
        asking(Question("?", -1)).generate()


def test_an_instance_that_is_never_asked_about_names_the_pool() -> None:
    with pytest.raises(DifficultyError, match="pool leave out instances for which `ask` returns"):
        asking(None).generate()


@pytest.mark.parametrize("pool", [["a", "bb"], Pool({"a", "bb"})])  # type: ignore[arg-type]
def test_something_else_than_a_pool_is_named(pool: Any) -> None:
    with pytest.raises(TokenbenchError, match=r"a function that returns a Pool|a list or tuple"):
        replace(TASK, pool=lambda _: pool).generate()


@pytest.mark.parametrize(
    ("example", "message"),
    [
        ({"lenght": 2}, r"unknown fact 'lenght': .* did you mean 'length'\?"),
        ({"length": 99}, "have length=99, and in items it is [123], "),
    ],
)
def test_examples_that_no_item_meets_are_refused(example: Any, message: str) -> None:
    """They would be ignored, and the prompts would have any examples."""

    def ask(word: str, _draw: Draw, _spec: ItemSpec) -> Question:
        return Question(f"How long is {word}?", len(word), {"length": len(word)})

    good = replace(TASK, ask=ask, source="here", examples=({"length": 2}, {}))
    with register(good):
        pass
    bad = replace(good, examples=(example, {}))
    with pytest.raises(TokenbenchError, match=message), register(bad):
        pass
    with pytest.raises(ConformanceError, match=f"task_record: .*{message}"):
        conformance(bad, n=1)


def test_splits_that_share_instances_name_the_remedy() -> None:
    with pytest.raises(ConformanceError, match=r"disjoint: .*of_split\(words, spec.split\)"):
        conformance(replace(TASK, source="here"), n=3)


def ask_for_halves(word: str, _draw: Draw, _spec: ItemSpec) -> Question:
    halves = [word[: len(word) // 2].lower(), word[len(word) // 2 :].lower()]
    target = {"accepted": [halves], "ordered": True}
    return Question(f"Halve “{word}”.", halves, {"length": len(word)}, target)


@pytest.mark.parametrize("lang", ["en", "de"])
def test_parts_declare_the_spellings_that_they_accept(lang: str) -> None:
    """Letter case makes no difference in any language, and the default says so."""
    halves = replace(
        TASK,
        name="halves",
        source="here",
        langs=(lang,),
        pool=english_words,
        params=(),
        ask=ask_for_halves,
        answer=Parts(),
    )
    conformance(halves, n=24)
