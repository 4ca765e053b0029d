"""The published TASE scorers: their sentences one by one, and full agreement with a plain twin."""

import re
from collections import Counter

import fresh_python
import pytest
from answers import tagged
from growth import linear
from hypothesis import given
from hypothesis import strategies as st
from published_judging import extract_answer, partial, right

from tokenbench.answers.published_scorers import CHARBENCH, CUTE, TASE, PublishedScorer, scorer_for
from tokenbench.errors import UnknownNameError

Case = tuple[str | None, str, str, str]  # completion, question, label, variation


# The twin: the specification, sentence by sentence, in the plainest regular expressions.


def plain_answer(completion: str | None) -> str:
    for pattern in (r"<answer>(.*?)</answer>", r"\*\*(.*?)\*\*"):
        if completion is not None and (found := re.search(pattern, completion, re.DOTALL)):
            return str(found[1]).strip()
    return ""


def plain_tokens(text: str) -> list[str]:
    text = text.lower().strip()
    for pattern in ("[\u4e00-\u9fff]", "[\uac00-\ud7a3]"):
        if re.search(pattern, text):
            return re.findall(pattern, text)
    return re.findall(r"\b[\w'-]+\b", text)


def plain_length(text: str) -> int:
    for pattern in ("[\u4e00-\u9fff]", "[\uac00-\ud7a3]"):
        if re.search(pattern, text):
            return len(re.findall(pattern, text))
    words = re.findall(r"\b[\w'-]+\b", text)
    return len([word for word in words if re.fullmatch(r"[a-zA-Z]+(?:[-'][a-zA-Z]+)*", word)])


def plain_number(case: Case) -> tuple[bool, float]:
    completion, _, label, _ = case
    wanted = re.findall(r"\d+", label)
    found = re.findall(r"\d+", plain_answer(completion))
    if not completion or not label or not wanted or not found:
        return False, 0.0
    p, q = int(wanted[0]), int(found[-1])
    return wanted[0] == found[-1], max(0.0, 1 - ((q - p) / max(p, 1)) ** 2)


def plain_length_rule(case: Case) -> tuple[bool, float]:
    digits = re.search(r"\d+", case[1])
    if digits is None:
        return False, 0.0
    wanted, length = int(digits[0]), plain_length(plain_answer(case[0]))
    if wanted == length:
        return True, 1.0
    return False, max(0.0, 1 - abs(length - wanted) / wanted) if wanted else 0.0


def plain_shuffle(case: Case) -> tuple[bool, float]:
    line = re.search(r"[:：]\s*(.*)", case[1])
    if line is None:
        return False, 0.0
    original, output = plain_tokens(line[1]), plain_tokens(plain_answer(case[0]))
    if Counter(original) != Counter(output):
        return False, 0.0
    places = []
    for token in output:
        places.append(next(i for i, t in enumerate(original) if t == token and i not in places))
    kept = [i for i in range(1, len(places)) if abs(places[i] - places[i - 1]) == 1]
    return not kept, 1 - len(kept) / (len(places) - 1) if kept else 1.0


def plain_split(case: Case) -> tuple[bool, float]:
    answer = plain_answer(case[0]).replace(" ", "")
    shares = []
    for option in case[2].split(";"):
        found = [part.strip() in answer for part in option.split(",")]
        shares.append(found.count(True) / len(found))
    return max(shares) == 1.0, max(shares)


def plain_clean(text: str) -> str:
    text = re.sub(r"\bno\b", "", re.sub("不是", "", text.lower()))
    return re.sub("[,.。:：、；;\"'‘’“”]", "", text).lower().strip()


def plain_diff(case: Case) -> tuple[bool, float]:
    answer, label = plain_answer(case[0]), plain_clean(case[2])
    verdict = plain_clean(answer) == label
    if not verdict and case[3].lower() in ("modify", "修改"):
        quoted = {plain_clean(text) for text in re.findall(r"""['"](.*?)['"]""", answer)} - {""}
        named = set(re.findall(r"[\u4e00-\u9fa5]|[a-zA-Z]+", plain_clean(answer)))
        verdict = (label in quoted and len(quoted) <= 2) or (label in named and len(named) == 2)
    return verdict, float(verdict)


def plain_match(case: Case) -> tuple[bool, float]:
    completion, _, label, _ = case
    answer = plain_answer(completion)
    if not completion:
        verdict = False
    elif not answer:
        verdict = completion == label
    else:
        if label not in ",。，:：；;、 ":
            answer, label = (re.sub("[,。，:：；;、 ]", "", text) for text in (answer, label))
        verdict = label.lower().strip() in answer.lower().strip()
    return verdict, float(verdict)


TWINS = {
    "number": plain_number,
    "length": plain_length_rule,
    "shuffle": plain_shuffle,
    "split": plain_split,
    "diff": plain_diff,
    "match_answer": plain_match,
}

# Near misses: answers built from the label's own pieces, wrapped in every way that matters.

MARKS = ("<answer>", "</answer>", "**", "*", "\n", " ", ",", "、", "，", ";", ":", "：", "'", '"')
WORDS = ("a", "B", "no", "No", "not", "it's", "well-known", "x1", "_", "-", "--a", "ΑΣ", "İ", "é")
SIGNS = (
    "木",
    "目",
    "不是",
    "鿿",
    "龥",
    "龦",
    "한",
    "글",
    "힣",
    "ㄱ",
    "４",
    "4",
    "04",
    "12",
    "３",
    "٣",
)
ODD = ("<Answer>", "’", "“", "”", "‘", ".", "。", "；", "\0", "\ud800", "\u2028", "\x1c", "𝟒")
FRAGMENTS = MARKS + WORDS + SIGNS + ODD
noise = st.lists(st.sampled_from(FRAGMENTS), max_size=6).map("".join)


@st.composite
def offers(draw: st.DrawFn, answers: st.SearchStrategy[str]) -> str:
    """Return a completion that offers an answer, or something near to that."""
    form = draw(st.sampled_from([tagged("{}"), "**{}**", "{}", "<answer>{}", "<answer>**{}**"]))
    body = draw(answers)
    before, after = draw(st.tuples(noise, noise) | st.just(("", "")))
    return before + form.replace("{}", body) + after


@st.composite
def numbers(draw: st.DrawFn) -> Case:
    label = draw(st.sampled_from(["4", "12", "0", "04", "４", "4 or 12", "", "four"]))
    pieces = st.sampled_from(["4", "12", "0", " ", "-", ".", "x", "４", "٣", label])
    return draw(offers(st.lists(pieces, max_size=5).map("".join))), "", label, ""


@st.composite
def lengths(draw: st.DrawFn) -> Case:
    n = draw(st.integers(0, 5))
    units = st.sampled_from(draw(st.sampled_from([("木", "目", "龦"), ("한", "글"), WORDS])))
    body = st.lists(units | st.sampled_from(FRAGMENTS), min_size=n, max_size=n + 1)
    joined = body.map(draw(st.sampled_from(["", " ", ", ", "-"])).join)
    question = draw(st.sampled_from([f"Write {n} words, not 9.", f"{n}개 3", "Write."]))
    return draw(offers(joined)), question, "", ""


@st.composite
def shuffles(draw: st.DrawFn) -> Case:
    tokens = draw(st.sampled_from(["木目木不是目", "한글한의", ("a", "B", "it's", "a", "x1", "B")]))
    original = draw(st.lists(st.sampled_from(tokens), max_size=7))
    joiner = draw(st.sampled_from([" ", ", ", "-", ""]))
    body = st.permutations(original) | st.lists(st.sampled_from(tokens), max_size=7)
    head = draw(st.sampled_from(["Shuffle: ", "Shuffle\n输入：\n", "a: \n \n", "No colon", "b：:"]))
    tail = draw(st.sampled_from(["", "\nb: more", "\r\n", " :"]))
    return draw(offers(body.map(joiner.join))), head + joiner.join(original) + tail, "", ""


@st.composite
def splits(draw: st.DrawFn) -> Case:
    parts = ("木", "目", "手", "r-d", "ㄱ", "a b", "", "ab")
    options = draw(st.lists(st.lists(st.sampled_from(parts), min_size=1, max_size=3), max_size=3))
    label = ";".join(draw(st.sampled_from([",", ", "])).join(option) for option in options)
    body = st.lists(st.sampled_from(parts), max_size=6)
    return draw(offers(body.map(draw(st.sampled_from([",", " ", "", "、"])).join))), "", label, ""


@st.composite
def diffs(draw: st.DrawFn) -> Case:
    label = draw(st.sampled_from(["be", "No", "木", "是", "예", "it's", "yes.", "龦", ""]))
    pieces = (label, "be", "木", "是", "不", "no", "'", '"', " ", ",", "’", "\n", "is", "->")
    variation = draw(st.sampled_from(["modify", "MODIFY", "修改", "add", "수정", "", " modify"]))
    return draw(offers(st.lists(st.sampled_from(pieces)).map("".join))), "", label, variation


@st.composite
def matches(draw: st.DrawFn) -> Case:
    label = draw(
        st.sampled_from(["BAC", "latin", "a,B", ":：", ";,", "", " ", "果。实", "ΑΣ", "x："])
    )
    mangled = st.lists(st.sampled_from([*label, label, label.upper(), ",", " ", "：", "z"]))
    completion = draw(offers(mangled.map("".join)) | st.sampled_from([label, "", None]))
    return completion, "", label, ""


CASES = {
    "number": numbers(),
    "length": lengths(),
    "shuffle": shuffles(),
    "split": splits(),
    "diff": diffs(),
    "match_answer": matches(),
}


def agree(evaluation: str, case: Case) -> None:
    completion, question, label, variation = case
    # The specification's label is the published one, stripped of outer whitespace.
    verdict, credit = TWINS[evaluation]((completion, question, label.strip(), variation))
    assert right(evaluation, *case) is verdict
    result = partial(evaluation, *case)
    assert result == pytest.approx(credit, abs=1e-12)
    assert 0.0 <= result <= 1.0
    assert result == 1.0 or not verdict


@pytest.mark.parametrize("evaluation", TASE.judges)
@given(data=st.data())
def test_agrees_with_the_twin_on_near_misses(evaluation: str, data: st.DataObject) -> None:
    agree(evaluation, data.draw(CASES[evaluation]))


@pytest.mark.parametrize("evaluation", TASE.judges)
@given(noise | st.none(), st.tuples(noise, noise.map(str.strip), noise | st.just("modify")))
def test_agrees_with_the_twin_on_noise(
    evaluation: str, completion: str | None, rest: tuple[str, str, str]
) -> None:
    agree(evaluation, (completion, *rest))


@given(st.lists(st.sampled_from(["<answer>", "</answer>", "**", "*", "a", "\n", "<answer", ">"])))
def test_takes_out_the_same_text_as_the_plain_patterns(pieces: list[str]) -> None:
    completion = "".join(pieces)
    assert extract_answer("number", completion) == plain_answer(completion)


# Each sentence of the specification, by hand.


@pytest.mark.parametrize(
    ("completion", "answer"),
    [
        (None, ""),
        ("", ""),
        ("no mark at all", ""),
        ("<answer> a\nb </answer>", "a\nb"),
        ("<answer>a</answer> <answer>b</answer>", "a"),
        ("<answer>a<answer>b</answer>", "a<answer>b"),
        ("<think><answer>draft</answer></think><answer>b</answer>", "draft"),
        ("**a** <answer>b</answer>", "b"),
        ("**a\nb** **c**", "a\nb"),
        ("**a** <answer></answer>", ""),
        ("</answer>**a**<answer>b", "a"),
        ("<Answer>a</Answer>", ""),
        ("***a**", "*a"),
        ("***", ""),
    ],
)
def test_taking_the_answer_out(completion: str | None, answer: str) -> None:
    assert extract_answer("number", completion) == answer


SHUFFLE = "Shuffle these.\nInput: \n a B c d \nmore: e"
HAND = [
    # number: the last digits of the answer, the first of the label, as they are written
    ("number", "3 of 4", "", "4 or 5", "", 1.0),
    ("number", "4 of 3", "", "4", "", 0.9375),
    ("number", "04", "", "4", "", None),
    ("number", "four", "", "4", "", 0.0),
    ("number", "4", "", "four", "", 0.0),
    ("number", "4", "", "", "", 0.0),
    ("number", "0", "", "0", "", 1.0),
    ("number", "1", "", "0", "", 0.0),
    ("number", "9" * 5000, "", "4", "", 0.0),
    ("number", "9" * 5000, "", "9" * 5000, "", 1.0),
    # length: Chinese before Korean before English, the first digits of the question
    ("length", "木目 한 a b", "Write 2, not 5", "", "", 1.0),
    ("length", "한글 a b c", "2개", "", "", 1.0),
    ("length", "一鿿䷿ꀀ", "2个", "", "", 1.0),
    ("length", "가힣ㄱ", "2개", "", "", 1.0),
    ("length", "well-known it's x1 a_b 3 -a- é", "3 words", "", "", 1.0),
    ("length", "a--b c", "1 word", "", "", 1.0),
    ("length", "a b c", "4 words", "", "", 0.75),
    ("length", "a b c", "Some words", "", "", 0.0),
    ("length", "", "0 words", "", "", 1.0),
    ("length", "a", "0 words", "", "", 0.0),
    ("length", "a", "9" * 5000, "", "", 0.0),
    # shuffle: one line after the first colon, letter case ignored, no neighbours kept
    ("shuffle", "B d A c", SHUFFLE, "", "", 1.0),
    ("shuffle", "b a d c", SHUFFLE, "", "", 1 / 3),
    ("shuffle", "d c b a", SHUFFLE, "", "", 0.0),
    ("shuffle", "b d a", SHUFFLE, "", "", 0.0),
    ("shuffle", "b d a c", "No colon", "", "", 0.0),
    ("shuffle", "", "Nothing：", "", "", 1.0),
    ("shuffle", "a", "One: a", "", "", 1.0),
    ("shuffle", "목 木 目", "字：\n木한目", "", "", 0.0),
    ("shuffle", "林, 木, 目!", "字：木林目", "", "", 0.5),
    ("shuffle", "글 한국", "字:국 글한", "", "", 0.5),
    # the first `a` of the answer takes the first place of the original, so `c a` is not a neighbour
    ("shuffle", "b c a a", "x: a b a c", "", "", 1.0),
    ("shuffle", "a a c b", "x: a b a c", "", "", 2 / 3),
    ("shuffle", "b c a a", "x: a a b c", "", "", 1 / 3),
    # split: spaces gone, options at `;`, parts at `,`, each anywhere in the answer
    ("split", "日 木", "", "手,曷;日, 木", "", 1.0),
    ("split", "木 and 手", "", "手,曷;日, 木", "", 0.5),
    ("split", "r - d", "", "r-d", "", 1.0),
    ("split", "a b", "", "a b", "", 0.0),
    ("split", "手", "", "手,手", "", 1.0),
    ("split", "anything", "", "手;", "", 1.0),
    # diff: cleaned equality; for `modify` also quotes and a pair of words
    ("diff", "不是：“Be”。", "", "be", "", 1.0),
    ("diff", "No, be", "", "be", "", 1.0),
    ("diff", ",.。:：、；;be\"'‘’“”", "", "be", "", 1.0),
    ("diff", "be，", "", "be", "", 0.0),
    ("diff", "nobe", "", "be", "add", 0.0),
    ("diff", "'be' -> 'is'", "", "be", "add", 0.0),
    ("diff", "'be' -> 'is'", "", "be", "Modify", 1.0),
    ("diff", "the \"be.\" and 'BE' and 'is'", "", "be", "修改", 1.0),
    ("diff", "'be' 'is' 'was'", "", "be", "modify", 0.0),
    ("diff", "'신' '.' '에'", "", "신", "modify", 1.0),
    ("diff", "x'\n신' '에'", "", "신", "modify", 0.0),
    ("diff", "be / is", "", "is", "modify", 1.0),
    ("diff", "be / be", "", "be", "modify", 0.0),
    ("diff", "be", "", "is", "modify", 0.0),
    ("diff", "木目", "", "目", "修改", 1.0),
    ("diff", "木目龦", "", "目", "修改", 1.0),
    ("diff", "신에", "", "신", "modify", 0.0),
    ("diff", "", "", "no", "", 1.0),
    # match_answer: separators and letter case ignored, the label anywhere
    ("match_answer", "c, B：a", "", "CBA", "", 1.0),
    ("match_answer", "xcbay", "", "C,B,A", "", 1.0),
    ("match_answer", "cb", "", "CBA", "", 0.0),
    ("match_answer", "xby", "", "B\n:", "", 1.0),
    ("match_answer", "a:b", "", ":", "", 1.0),
    ("match_answer", "ab", "", ":", "", 0.0),
    ("match_answer", "ab", "", ";,", "", 1.0),
    ("match_answer", "ab", "", "", "", 1.0),
]


@pytest.mark.parametrize(("evaluation", "answer", "question", "label", "variation", "credit"), HAND)
def test_the_specification_by_hand(
    evaluation: str, answer: str, question: str, label: str, variation: str, credit: float | None
) -> None:
    case = (tagged(answer), question, label, variation)
    assert right(evaluation, *case) is (credit == 1.0)
    # `04` is the number 4 under another spelling: wrong, and as near as can be.
    assert partial(evaluation, *case) == pytest.approx(1.0 if credit is None else credit)


def test_match_answer_without_an_extracted_answer() -> None:
    assert right("match_answer", "CBA", "", " CBA ")
    assert not right("match_answer", "CBA ", "", "CBA")
    assert not right("match_answer", "<answer></answer>CBA", "", "CBA")
    assert not right("match_answer", "", "", "")
    assert not right("match_answer", None, "", "")


# "Measured weaknesses": what should not pass passes, what should pass does not.

ACCEPTED = [
    ("match_answer", "ABC ACB BAC BCA CAB CBA", "", "BCA", ""),
    ("match_answer", "digit latin hanzi hangul kana greek symbol", "", "kana", ""),
    ("match_answer", "not latin", "", "latin", ""),
    ("match_answer", "zlatinz", "", "latin", ""),
    ("split", "ㄱㄲㄴㄷㄹㅁㅂㅅㅏㅐㅑㅗㅜㅡㅣ", "", "ㅅ, ㅏ, ㄴ", ""),
    ("split", "garden", "", "gar, den", ""),
    ("split", "den, gar, extra", "", "gar, den", ""),
    ("length", "tree " * 12, "Write 12 words", "", ""),
    ("length", "木" * 12 + "x" * 2000, "12个", "", ""),
    ("number", "-4", "", "4", ""),
    ("number", "3.4", "", "4", ""),
    ("number", "1/4", "", "4", ""),
    ("number", "not 4", "", "4", ""),
    ("number", "4</answer>, no: <answer>5", "", "4", ""),
]
REJECTED = [
    ("number", "４", "", "4", ""),
    ("number", "4.0", "", "4", ""),
    ("match_answer", "C > A > B", "", "CAB", ""),
    ("match_answer", "\u1100\u1161", "", "가", ""),
    ("match_answer", "⽊", "", "木", ""),
    ("match_answer", "</answer><answer>BAC", "", "BAC", ""),
    ("diff", "is", "", "be", "modify"),
    ("length", "don’t go", "Write 2 words", "", ""),
    ("length", "𠀀𠀁", "2个", "", ""),
    # no neighbours kept if the answer's first `a` is the original's second
    ("shuffle", "a a c b", "x: a b a c", "", ""),
]


@pytest.mark.parametrize(("evaluation", "answer", "question", "label", "variation"), ACCEPTED)
def test_measured_weaknesses_are_kept(
    evaluation: str, answer: str, question: str, label: str, variation: str
) -> None:
    assert right(evaluation, tagged(answer), question, label, variation)


@pytest.mark.parametrize(("evaluation", "answer", "question", "label", "variation"), REJECTED)
def test_measured_rejections_are_kept(
    evaluation: str, answer: str, question: str, label: str, variation: str
) -> None:
    assert not right(evaluation, tagged(answer), question, label, variation)


def test_unknown_evaluations_are_named() -> None:
    with pytest.raises(UnknownNameError, match=r"unknown evaluation 'numbers'.*did you.*'number'"):
        right("numbers", "", "", "")
    with pytest.raises(UnknownNameError):
        partial("", "", "", "")


@pytest.mark.sampled(3)
@pytest.mark.parametrize("evaluation", TASE.judges)
@pytest.mark.parametrize(
    "unit", ["<answer>", "**", "'a", "-", "a-", "a ", "木", "1 ", "no ", "\ud800"]
)
def test_time_is_linear(evaluation: str, unit: str) -> None:
    for form in ("{}", tagged("{}"), "**{}**"):

        def work(text: str, form: str = form) -> float:
            return partial(
                evaluation, form.replace("{}", text), "Write 7: 木 木 a", "木,1;a", "modify"
            )

        assert linear(work, unit, 200_000)


@pytest.mark.parametrize(
    ("evaluation", "scorer"),
    [*((name, TASE) for name in TWINS), ("quoted", CUTE), ("integer", CHARBENCH)],
)
def test_each_evaluation_has_the_scorer_of_its_benchmark(
    evaluation: str, scorer: PublishedScorer
) -> None:
    assert scorer_for(evaluation) is scorer
    assert extract_answer(evaluation, scorer.write("4")) == "4"
    assert extract_answer(evaluation, None) == extract_answer(evaluation, "") == ""


def test_imports_without_numpy() -> None:
    code = "import sys, tokenbench.answers.published_scorers; sys.exit('numpy' in sys.modules)"
    assert fresh_python.output(code) == ""
