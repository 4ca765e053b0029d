"""Scoring: every rule, extract and code; one clear error for a bad item, none for any text."""

import json
import pickle
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Any

import numpy
import pytest
from answers import tagged
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenbench import check, score, score_batch, task
from tokenbench.errors import ItemError, TokenbenchError, UnknownNameError, VersionError
from tokenbench.extraction import ExtractName
from tokenbench.item import Item
from tokenbench.scoring import Rule, Verdict

RULES: tuple[Rule, ...] = ("exact", "graded", "published", "published_graded")
EXTRACTS: tuple[ExtractName, ...] = ("answer", "only", "open", "boxed", "raw")
TASKS = [
    (name, lang, variant)
    for name in ("freq", "lenop", "diff", "sort", "reord")
    for lang in ("en", "zh", "ko")
    for variant in (("count", "write") if name == "lenop" else (None,))
]
CODES = {"right", "wrong", "no_answer", "conflicting", "unparsable", "too_long"}

every_task = pytest.mark.parametrize(("name", "lang", "variant"), TASKS)


def make_item(
    name: str = "freq", lang: str = "en", variant: str | None = None, **more: Any
) -> Item:
    return task(name).generate(lang=lang, variant=variant, **more)


FOUR = make_item(count=4, length=100)


# Forms in which items and completions may be given.


@every_task
def test_an_item_scores_the_same_as_itself_as_a_row_and_as_json(
    name: str, lang: str, variant: str | None
) -> None:
    item = make_item(name, lang, variant)
    texts = [tagged(item.solution), tagged("7"), tagged(item.solution + " x"), "", None]
    for text, rule in product(texts, RULES):
        expected = check(text, item, rule=rule)
        assert check(text, item.row(), rule=rule) == expected
        assert check(text, item.json(), rule=rule) == expected
        assert check(text, json.loads(item.json()), rule=rule) == expected
        assert score(text, item, rule=rule) == expected.score


@every_task
@pytest.mark.parametrize("rule", RULES)
def test_the_solution_in_tags_is_right_by_every_rule(
    name: str, lang: str, variant: str | None, rule: Rule
) -> None:
    for index in range(10):
        item = make_item(name, lang, variant, index=index)
        verdict = check(tagged(item.solution), item, rule=rule)
        assert (verdict.score, verdict.code) == (1.0, "right")
        assert verdict.answer == item.solution


@every_task
def test_an_item_without_its_meta_scores_the_same(
    name: str, lang: str, variant: str | None
) -> None:
    item = make_item(name, lang, variant)
    bare = replace(item, meta={})
    for rule in RULES:
        assert score(tagged(item.solution), bare, rule=rule) == 1.0


Chat = list[dict[str, Any]]


@pytest.mark.parametrize(
    "chat",
    [
        [{"role": "assistant", "content": tagged("4")}],
        ({"role": "assistant", "content": tagged("4")},),
        [{"role": "user", "content": tagged("5")}, {"role": "assistant", "content": tagged("4")}],
        [
            {"role": "assistant", "content": tagged("5")},
            {"role": "assistant", "content": tagged("4")},
        ],
        [{"role": "assistant", "content": tagged("4")}, {"role": "user", "content": tagged("5")}],
        [{"role": "assistant", "content": [{"type": "text", "text": tagged("4")}]}],
        [{"role": "assistant", "content": [{"type": "text", "text": "<answer>"}, "4</answer>"]}],
    ],
)
def test_of_a_chat_the_last_assistant_message_counts(chat: Chat) -> None:
    for rule in RULES:
        assert score(chat, FOUR, rule=rule) == 1.0


scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.binary() | st.text()
anything = st.recursive(
    scalars, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=8
)
messages = st.lists(
    st.fixed_dictionaries(
        {}, optional={"role": st.just("assistant") | anything, "content": anything}
    )
)


@given(anything | messages, st.sampled_from(RULES), st.sampled_from(EXTRACTS))
def test_a_completion_of_any_type_gets_a_float(
    given: object, rule: Rule, extract: ExtractName
) -> None:
    verdict = check(given, FOUR, rule=rule, extract=extract)
    assert isinstance(verdict.score, float)
    assert verdict.code in CODES


@pytest.mark.parametrize(
    "given",
    [(), [], {}, object(), 4, b"4", [[]], {4}, iter("4")],
)
def test_a_completion_that_is_not_text_is_not_an_answer(given: object) -> None:
    for rule in RULES:
        verdict = check(given, FOUR, rule=rule)
        assert verdict[:3] == (0.0, None, "no_answer")


nasty = st.text(
    st.sampled_from("<>/answerthink \n\\boxed{}*`\"'4०Ａ字가ㄱ\u0301\u200b\ud800\x00,.:;-→[]")
) | st.text(st.characters())


@every_task
@settings(deadline=None, max_examples=25)
@given(text=nasty)
def test_any_text_gets_a_float_by_every_rule(
    name: str, lang: str, variant: str | None, text: str
) -> None:
    item = make_item(name, lang, variant)
    for rule in RULES:
        for completion in (text, tagged(text)):
            assert 0.0 <= score(completion, item, rule=rule) <= 1.0


@every_task
@settings(deadline=None, max_examples=25)
@given(text=nasty)
def test_graded_is_one_exactly_where_exact_is(
    name: str, lang: str, variant: str | None, text: str
) -> None:
    item = make_item(name, lang, variant)
    for answer in (text, item.solution + text, text + item.solution):
        exact = score(tagged(answer), item)
        assert exact in (0.0, 1.0)
        assert (score(tagged(answer), item, rule="graded") == 1.0) == (exact == 1.0)


# Extracts.

TAGGED = {"answer", "only", "open"}


@pytest.mark.parametrize(
    ("completion", "right"),
    [
        (tagged("4"), TAGGED),
        ("<ANSWER> 4 </Answer>", TAGGED),
        ("<think>" + tagged("5") + "</think>" + tagged("4"), TAGGED),
        (tagged("") + tagged("4"), TAGGED),
        (tagged("4") + " so " + tagged(" 4. "), TAGGED),
        (tagged("5") + tagged("4"), {"answer", "open"}),
        (tagged("5") + f"<reasoning>{tagged('4')}</reasoning>", {"answer", "open"}),
        (tagged("four") + tagged("4"), {"answer", "open"}),
        ("Between <answer> and </answer> tags: " + tagged("4"), {"answer", "open"}),
        (tagged("4") + " in `<answer>...</answer>` format", {"answer", "open"}),
        (tagged("your answer") + " means " + tagged("4"), {"answer", "open"}),
        ("so <answer>4", {"open"}),
        ("so <answer>\n4\n", {"open"}),
        ("In <answer>…</answer> tags: <answer>4", {"open"}),
        (tagged("4") + "<answer>4", TAGGED),
        (tagged("4") + "<answer>5", TAGGED),
        ("<answer>5<answer>4</answer>", TAGGED),
        ("it is \\boxed{4}", {"boxed"}),
        ("\\boxed{4} or \\boxed{4}", {"boxed"}),
        ("\\boxed{5} or \\boxed{4}", {"boxed"}),
        ("\\boxed{4} or \\boxed{5}", set()),
        ("4", {"raw"}),
        (" **4** ", {"raw"}),
        ("the answer is 4", {"raw"}),
        ("<think>" + tagged("4"), set()),
        (tagged("4") + "<think>hm", set()),
        (tagged("4") + tagged("5"), set()),
        (tagged("4") + tagged("four"), set()),
        ("</answer>4<answer>", set()),
        ("", set()),
    ],
)
def test_each_extract_takes_the_text_that_it_names(completion: str, right: set[str]) -> None:
    assert {extract for extract in EXTRACTS if score(completion, FOUR, extract=extract)} == right


def test_a_callable_takes_the_answer_out() -> None:
    def after_hash(text: str) -> str | None:
        return text.partition("####")[2] or None

    assert check("so #### 4", FOUR, extract=after_hash).code == "right"
    assert check("so #### 5", FOUR, extract=after_hash).code == "wrong"
    assert check(tagged("4"), FOUR, extract=after_hash).code == "no_answer"
    assert score_batch(["#### 4", "4"], FOUR, extract=after_hash).tolist() == [1.0, 0.0]


def test_the_published_rules_have_their_own_way() -> None:
    for extract in EXTRACTS:
        for completion, right in ((tagged("4"), 1.0), ("**4**", 1.0), ("4", 0.0)):
            for rule in ("published", "published_graded"):
                assert score(completion, FOUR, rule=rule, extract=extract) == right
    for completion in (tagged("about 3 or 4"), tagged("4") + tagged("5"), tagged("-4")):
        assert score(completion, FOUR, rule="published") == 1.0
        assert score(completion, FOUR) == 0.0


# Codes and reasons.


@pytest.mark.parametrize(
    ("completion", "answer", "code"),
    [
        (tagged("4"), "4", "right"),
        (tagged(" 5 "), "5", "wrong"),
        ("no idea", None, "no_answer"),
        (None, None, "no_answer"),
        (tagged(" "), None, "no_answer"),
        (tagged("4") + tagged("5"), "5", "wrong"),
        (tagged("-4"), "-4", "unparsable"),
        (tagged("many"), "many", "unparsable"),
        (tagged("4" * 5000), "4" * 5000, "too_long"),
    ],
)
def test_code_and_answer_say_what_came_of_it(
    completion: str | None, answer: str | None, code: str
) -> None:
    verdict = check(completion, FOUR)
    assert isinstance(verdict, Verdict)
    assert (verdict.answer, verdict.code) == (answer, code)
    assert verdict.score == float(code == "right")
    assert verdict.reason
    assert "\n" not in verdict.reason


@every_task
@settings(deadline=None, max_examples=15)
@given(
    text=st.text(max_size=30)
    | st.sampled_from(["7", "CAB", "apple", "字", "가", "same", "x" * 9999])
)
def test_the_reason_does_not_print_the_solution_unless_asked(
    name: str, lang: str, variant: str | None, text: str
) -> None:
    # Its solution is not a word of our own wording, such as `the`.
    several = (make_item(name, lang, variant, index=index) for index in range(1, 30))
    item = next(one for one in several if not (len(one.solution) == 3 and one.solution.islower()))
    for rule in RULES:
        verdict = check(tagged(text), item, rule=rule)
        told = text + ascii(text)  # as which a reason may show it: U+107000 holds 107
        if verdict.code != "right" and item.solution not in told and len(item.solution) > 2:
            assert item.solution not in verdict.reason
        revealed = check(tagged(text), item, rule=rule, reveal=True)
        assert item.solution in revealed.reason
        assert revealed[:3] == verdict[:3]


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(
    ("name", "targets", "answers"),
    [
        ("freq", [{"count": 4}, {"count": 7}], ["5", "five", "-4", "9" * 40, "1" * 3000]),
        ("lenop", [{"count": 40}, {"count": 70}], ["5", "five", "-4", "9" * 40, "1" * 3000]),
        (
            "sort",
            [{"order": ["C", "A", "B"]}, {"order": ["A", "C", "B"]}],
            ["ABC", "CBA", "C", "x" * 3000],
        ),
        (
            "diff",
            [{"differing": []}, {"differing": ["owl"]}, {"differing": ["cow", "elephant"]}],
            ["cat", "cat, dog", "no", "no, cat", "a b c", "zebra", "x" * 3000],
        ),
    ],
)
def test_the_reason_tells_no_more_of_the_right_answer_than_the_verdict(
    name: str, targets: list[dict[str, Any]], answers: list[str], rule: Rule
) -> None:
    """A wrong answer is wrong in the same words, whatever the right one is."""
    item = make_item(name)
    items = [replace(item, target=item.target | target) for target in targets]
    for answer in answers:
        if rule.startswith("published"):
            assert len({check(tagged(answer), item, rule=rule)[1:] for item in items}) == 1
        else:
            verdicts = [check(tagged(answer), item, rule=rule) for item in items]
            assert len({verdict[1:] for verdict in verdicts}) == 1, verdicts


@every_task
def test_an_answer_far_beyond_any_right_one_is_turned_away(
    name: str, lang: str, variant: str | None
) -> None:
    item = make_item(name, lang, variant, level=0)
    for rule in ("exact", "graded"):
        verdict = check(tagged(item.solution + " " * 9 + "x" * 200_000), item, rule=rule)
        assert (verdict.score, verdict.code) == (0.0, "too_long")
    spaced = "\n" * 100_000 + item.solution + " " * 100_000
    assert check(tagged(spaced), item).code == "right"


def test_an_answer_is_read_up_to_four_times_the_longest_right_one_and_1024_characters() -> None:
    """FREQ's answers have 32 characters at most."""
    read, turned_away = (check(tagged("9" * (4 * 32 + 1024 + more)), FOUR) for more in (0, 1))
    assert (read.code, turned_away.code) == ("unparsable", "too_long")
    assert read.answer is not None
    assert turned_away.answer == "9" * 1153


@pytest.mark.parametrize("rule", RULES)
def test_a_right_answer_is_called_right(rule: Rule) -> None:
    verdict = check(tagged("4"), FOUR, rule=rule)
    published = " by the published scorer" if rule.startswith("published") else ""
    said = "the answer is right" if not published else f"right{published}"
    assert verdict == (1.0, "4", "right", said)


# Errors of the caller.


@pytest.mark.parametrize("function", [score, check, partial(score_batch)])
def test_an_unknown_rule_or_extract_is_named_with_the_nearest_one(
    function: Callable[..., object],
) -> None:
    completion: Any = ["x"] if isinstance(function, partial) else "x"
    with pytest.raises(
        UnknownNameError, match=r"rule 'exakt'.*exact, graded.*did you mean 'exact'"
    ):
        function(completion, FOUR, rule="exakt")
    with pytest.raises(UnknownNameError, match=r"extract 'boxd'.*answer, only.*'boxed'"):
        function(completion, FOUR, extract="boxd")
    for rule in ("", "Exact", None, 3, ["exact"]):
        with pytest.raises(UnknownNameError, match=r"^unknown rule"):
            function(completion, FOUR, rule=rule)
    for extract in ("", None, 3, ["answer"]):
        with pytest.raises(UnknownNameError, match=r"^unknown extract"):
            function(completion, FOUR, extract=extract)


@pytest.mark.parametrize("rule", ["exact", "graded"])
def test_names_that_do_not_exist_are_named_with_the_nearest_one(rule: Rule) -> None:
    for item, message in [
        (replace(FOUR, task="frex"), r"task 'frex'.*'freq'"),
        (replace(FOUR, lang="eng"), r"language of freq 'eng'.*en, zh, ko.*'en'"),
        (replace(FOUR, variant="count"), "variant of freq 'count'"),
        (replace(make_item("lenop"), variant="wrote"), r"variant of lenop 'wrote'.*'write'"),
        (replace(make_item("lenop"), variant=None), r"variant of lenop None.*count, write"),
    ]:
        shapes: list[Any] = [item, item.row(), item.json()]
        for shape, text in product(shapes, ("4", None)):
            with pytest.raises(UnknownNameError, match=message):
                score(text, shape, rule=rule)


@every_task
def test_an_item_of_another_version_is_an_error_naming_both(
    name: str, lang: str, variant: str | None
) -> None:
    item = make_item(name, lang, variant)
    for version in (0, item.version + 1, 99):
        for function in (score, check):
            with pytest.raises(VersionError, match=rf"version {version}\b.* {item.version}\b"):
                function("4", replace(item, version=version))
        with pytest.raises(VersionError):
            score_batch(["4"], replace(item, version=version))


@pytest.mark.parametrize(
    ("name", "variant", "target"),
    [
        *(
            (name, variant, target)
            for name, variant in [("freq", None), ("lenop", "count"), ("lenop", "write")]
            for target in [{}, {"count": "4"}, {"count": 4.0}, {"count": True}, {"count": -1}]
        ),
        *(("freq", None, target) for target in [[], None, "4", 4, [4], {"Count": 4}]),
        ("lenop", "write", {"count": 4}),
        ("lenop", "write", {"count": 4, "lang": 3, "prompt": ""}),
        ("lenop", "write", {"count": 4, "lang": "en"}),
        ("lenop", "write", {"count": 4, "lang": "en", "prompt": "", "topic": "cat"}),
        ("diff", None, {"differing": "cat"}),
        ("diff", None, {"differing": [1]}),
        ("diff", None, {"differing": None}),
        ("compm", "split", {"accepted": "ab", "ordered": False}),
        ("compm", "split", {"accepted": [1], "ordered": False}),
        ("sort", None, {"order": "CAB"}),
        ("sort", None, {"order": ["C", None, "B"]}),
        ("reord", None, {"tokens": "a b c"}),
        ("reord", None, {"tokens": [["a"]]}),
        ("reord", None, {}),
        *(
            ("trap", "boundary", {"answer": 6, "misled": misled})
            for misled in (None, 5, "5", ["5"], [5, -1], [5, True], [5.0])
        ),
    ],
)
def test_a_malformed_target_is_one_clear_error(
    name: str, variant: str | None, target: object
) -> None:
    item = replace(make_item(name, "en", variant), target=target)
    for text, rule in product((tagged("4"), None, ""), RULES[:2]):
        with pytest.raises(ItemError, match=rf"^the target of a {name} item [^\n]+$"):
            score(text, item, rule=rule)


@pytest.mark.parametrize("lang", ["x!", "", "xx"])
def test_a_malformed_language_is_one_clear_error(lang: str) -> None:
    """A code that is none; of a task that takes no packs of users, also one that it has not."""
    for name in ("freq", "spell") if lang != "xx" else ("freq",):
        with pytest.raises(UnknownNameError, match=rf"^[^\n]*language of {name}[^\n]+$"):
            score(tagged("4"), replace(make_item(name, "en"), lang=lang))
    spelling = replace(make_item("spell", "en"), lang="xx")
    assert score(tagged(spelling.solution), spelling) == 1.0


@pytest.mark.parametrize(
    "published",
    [
        None,
        "number",
        [],
        {},
        {"evaluation": "number"},
        {"evaluation": "number", "label": "4"},
        {"label": "4", "variation": ""},
        {"evaluation": "number", "label": 4, "variation": ""},
        {"evaluation": "number", "label": None, "variation": ""},
        {"evaluation": "diff", "label": "4", "variation": None},
        {"evaluation": 3, "label": "4", "variation": ""},
        {"evaluation": "numbers", "label": "4", "variation": ""},
    ],
)
@pytest.mark.parametrize("rule", ["published", "published_graded"])
def test_an_item_without_a_published_label_is_one_clear_error(
    published: object, rule: Rule
) -> None:
    item = replace(FOUR, target={"count": 4, "published": published})
    for text in (tagged("5"), "", None):
        with pytest.raises((ItemError, UnknownNameError), match=r"^[^\n]+$"):
            score(text, item, rule=rule)


def test_an_item_without_a_published_scorer_says_so() -> None:
    with pytest.raises(ItemError, match=r"freq.*published"):
        score(tagged("4"), replace(FOUR, target={"count": 4}), rule="published")


@pytest.mark.parametrize("rule", ["published", "published_graded"])
def test_the_published_rules_judge_items_of_this_version_alone(rule: Rule) -> None:
    with pytest.raises(VersionError, match="freq version 99"):
        score(tagged("4"), replace(FOUR, version=99), rule=rule)
    # They read nothing of ours, so an item of a task that is not here has its published scorer too.
    assert score(tagged("4"), replace(FOUR, task="counting", version=99), rule=rule) == 1.0


@pytest.mark.parametrize("rule", ["published", "published_graded"])
@pytest.mark.parametrize("target", [[], "published", None, 4])
def test_a_target_that_is_not_an_object_has_no_published_scorer(target: Any, rule: Rule) -> None:
    with pytest.raises(ItemError, match="'published' in its target"):
        score(tagged("4"), replace(FOUR, target=target), rule=rule)


def test_a_faulty_published_label_is_an_error_of_the_published_rule() -> None:
    item = replace(FOUR, target={"count": 4, "published": {"evaluation": "number"}})
    with pytest.raises(ItemError, match="target of a published freq item"):
        score(tagged("4"), item, rule="published")


@pytest.mark.parametrize("rule", RULES)
def test_the_reason_names_the_type_of_a_completion_that_is_not_text(rule: Rule) -> None:
    assert check(3, FOUR, rule=rule).reason == "not text: int"


def test_only_published_graded_gives_partial_credit() -> None:
    scores = [score(tagged("5"), FOUR, rule=rule) for rule in ("published", "published_graded")]
    assert scores[0] == 0.0 < scores[1] < 1.0


def test_of_our_own_rules_only_graded_gives_partial_credit() -> None:
    forty = make_item(count=40, length=1000)
    scores = [score(tagged("39"), forty, rule=rule) for rule in ("exact", "graded")]
    assert scores[0] == 0.0 < scores[1] < 1.0


ROW: dict[str, Any] = dict(FOUR.row())


@pytest.mark.parametrize(
    "item",
    [
        None,
        4,
        4.0,
        b"{}",
        [],
        [ROW],
        (),
        object(),
        {},
        "",
        "[]",
        "3",
        "null",
        "{",
        "{}",
        "nan",
        *(
            {key: value for key, value in ROW.items() if key != name}
            for name in ROW
            if name != "id"
        ),
        *(ROW | {name: None} for name in ("task", "version", "lang", "prompt", "solution")),
        *(ROW | {name: 3} for name in ("task", "lang", "variant", "prompt", "meta")),
        *(ROW | {"version": value} for value in ("one", 1.5, "")),
        *(ROW | {"target": text} for text in ("{", "", "NaN", "[" * 100_000, "nan", b"{}")),
        *(ROW | {"meta": text} for text in ("{", "[]", "3", '{"a": Infinity}')),
    ],
)
def test_a_value_that_is_not_an_item_is_one_clear_error(item: Any) -> None:
    for function in (score, check):
        with pytest.raises(TokenbenchError, match=r"^[^\n]{1,400}$"):
            function(tagged("4"), item)
    with pytest.raises(TokenbenchError, match=r"^[^\n]{1,400}$"):
        score_batch([tagged("4")], [item])


# Batches.


def test_a_batch_scores_as_each_alone() -> None:
    items = [make_item(*triple, index=index) for index, triple in enumerate(TASKS * 3)]
    given: list[object] = [
        [tagged(item.solution), tagged("7"), None][index % 3] for index, item in enumerate(items)
    ]
    for rule in RULES:
        batch = score_batch(given, items, rule=rule)
        assert batch.dtype == numpy.float64
        assert batch.shape == (len(items),)
        expected = [score(one, item, rule=rule) for one, item in zip(given, items, strict=True)]
        assert batch.tolist() == expected
    as_rows = score_batch(given, [item.row() for item in items])
    as_json = score_batch(tuple(given), tuple(item.json() for item in items))
    assert as_rows.tolist() == as_json.tolist() == score_batch(given, items).tolist()


@pytest.mark.parametrize("extract", EXTRACTS)
def test_one_item_is_broadcast_over_its_completions(extract: ExtractName) -> None:
    given = [tagged("4"), "4", "\\boxed{4}", "<answer>4", tagged("5") + tagged("4"), None, 4]
    expected = [score(one, FOUR, extract=extract) for one in given]
    for item in (FOUR, FOUR.row(), FOUR.json()):
        assert score_batch(given, item, extract=extract).tolist() == expected


def test_one_item_in_a_list_is_not_broadcast() -> None:
    assert score_batch([tagged("4")], [FOUR]).tolist() == [1.0]
    with pytest.raises(TokenbenchError, match="2 completions, 1 item: give"):
        score_batch(["4", "4"], [FOUR])


def test_an_empty_batch_is_an_empty_array() -> None:
    nothing: list[Item] = []
    for batch in (score_batch([], FOUR), score_batch([], nothing), score_batch((), ())):
        assert batch.dtype == numpy.float64
        assert batch.shape == (0,)


def test_arrays_of_completions_are_sequences_too() -> None:
    given = numpy.array([tagged("4"), tagged("5")], dtype=object)
    assert score_batch(given, FOUR).tolist() == [1.0, 0.0]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("completions", "items"),
    [
        ("4", FOUR),
        ({"role": "assistant", "content": "4"}, FOUR),
        (["4"], []),
        (["4"], [FOUR, FOUR]),
        ([], [FOUR]),
        (["4"], [4]),
        (["4"], None),
        (["4"], 4),
        (None, FOUR),
        (4, FOUR),
        (iter(["4"]), FOUR),
    ],
)
def test_a_batch_that_does_not_fit_is_one_clear_error(completions: Any, items: Any) -> None:
    with pytest.raises(TokenbenchError, match=r"^[^\n]+$"):
        score_batch(completions, items)


# Pickles.


@pytest.mark.parametrize("function", [score, check, score_batch], ids=lambda f: str(f.__name__))
def test_scoring_functions_pickle_by_name(function: Callable[..., object]) -> None:
    assert pickle.loads(pickle.dumps(function)) is function  # noqa: S301


@pytest.mark.parametrize("name", ["freq", "lenop", "diff", "sort", "reord"])
def test_a_task_and_its_functions_pickle(name: str) -> None:
    ours = task(name)
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        copy = pickle.loads(pickle.dumps(ours, protocol))  # noqa: S301
        assert copy.generate(index=3) == ours.generate(index=3)
        make = pickle.loads(pickle.dumps(ours.generate, protocol))  # noqa: S301
        assert make(index=3) == ours.generate(index=3)
        item = pickle.loads(pickle.dumps(ours.generate(), protocol))  # noqa: S301
        assert item == ours.generate()
    assert hash(ours) == hash(ours)
