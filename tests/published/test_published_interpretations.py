"""The interpretations of published TASE rows: targets, solutions, and issues of labels."""

import re
from contextlib import nullcontext, suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from written import names_any

from tokenbench import compc, compm, diff, dot, freq, lenop, ridl, sort, var
from tokenbench.errors import ItemError
from tokenbench.published.rows import Interpretation, PublishedRow
from tokenbench.published.tase import interpret_file, interpret_row
from tokenbench.text.languages import language

TASKS = {
    module.TASK.name: module.TASK
    for module in (freq, lenop, diff, sort, compc, compm, dot, ridl, var)
}

SAMPLE = [[[0, 1], [1, 0]], [[1, 1], [0, 0]]]


def row(kind: str, prompt: str, label: str) -> PublishedRow:
    """Return a row; the kind is `task:lang[:variant]`."""
    task, lang, *variant = kind.split(":")
    return PublishedRow(task, variant[0] if variant else None, lang, prompt, label)


def read(kind: str, prompt: str, label: str) -> Interpretation:
    return interpret_row(row(kind, prompt, label))


def codes(interpretation: Interpretation) -> list[str]:
    return [issue.code for issue in interpretation.issues]


FREQ_EN = 'How many times does "{}" appear in the following text? Text: {}'
FREQ_ZH = "在以下文本中，{} 出现了多少次？文本：{}"
FREQ_KO = '다음 문장에서 "{}"는 몇 번 나타납니까? 문장: {}'
LENOP_EN = "How many English words are in this sentence? The sentence is: '{}'"
LENOP_ZH = "这个句子中有多少个汉字（不计算标点符号）？句子是：‘{}’"
LENOP_KO = "이 문장에는 한글 문자가 몇 개 있나요? 문장은: ‘{}’"
LETTERS = 'How many times does the letter "{}" appear in {}?'
PARTS = '{}"的字形中有多少"{}"存在'
JAMO = '"{}"에서 "{}"는 몇 회 출현하였습니까?'


@pytest.mark.parametrize(
    ("kind", "prompt", "label", "count", "said"),
    [
        ("freq:en", FREQ_EN.format("toad", "toad owl Toad's toad"), "2", 2, ["several"]),
        ("freq:en", FREQ_EN.format("toad", "toad owl toad"), "2", 2, []),
        ("freq:en", FREQ_EN.format("over", "over overt"), "1", 1, ["several"]),
        ("freq:en", FREQ_EN.format("over", "over overt"), "2", 2, ["several"]),
        ("freq:en", FREQ_EN.format("over", "over overt"), "7", 1, ["wrong"]),
        ("freq:zh", FREQ_ZH.format("鱼", "山鱼水鱼"), "2", 2, []),
        ("freq:zh", FREQ_ZH.format("鱼", "山鱼水鱼"), "3", 2, ["wrong"]),
        ("freq:ko", FREQ_KO.format("쌸", "갸쌸밖쌸쌸"), "3", 3, []),
        ("freq:ko", FREQ_KO.format("쌸", "갸쌸밖쌸쌸"), "", 3, ["wrong"]),
        ("freq:en", "How often?", "3", 3, ["unclear"]),
        ("lenop:en:count", LENOP_EN.format("Bob's owl sat down"), "4", 4, []),
        ("lenop:en:count", LENOP_EN.format("and/or salt"), "2", 2, ["several"]),
        ("lenop:en:count", LENOP_EN.format("and/or salt"), "9", 3, ["wrong"]),
        ("lenop:zh:count", LENOP_ZH.format("山上，有2只鸟。"), "5", 5, []),
        ("lenop:zh:count", LENOP_ZH.format("一〇年"), "2", 2, ["several"]),
        ("lenop:zh:count", LENOP_ZH.format("山上，有2只鸟。"), "6", 6, ["several"]),
        ("lenop:zh:count", LENOP_ZH.format("山上，有2只鸟。"), "8", 5, ["wrong"]),
        ("lenop:ko:count", LENOP_KO.format("새가 울다 3"), "4", 4, []),
        ("lenop:ko:count", LENOP_KO.format("새가 울다 ㅋㅋ"), "6", 6, ["several"]),
        ("compc:en", LETTERS.format("e", "re-entry sea bee"), "5", 5, []),
        ("compc:en", LETTERS.format("e", "re-entry sea bee"), "4", 5, ["wrong"]),
        ("compc:en", LETTERS.format("c", "Cactus"), "2", 2, ["several"]),
        ("compc:en", LETTERS.format("c", "Cactus"), "1", 1, ["several"]),
        ("compc:ko", JAMO.format("각꾸", "ㅏ"), "1", 1, []),
        ("compc:ko", JAMO.format("각닭꾸", "ㄱ"), "2", 2, ["several"]),
        ("compc:ko", JAMO.format("각닭꾸", "ㄱ"), "3", 3, ["several"]),
        ("compc:ko", JAMO.format("각닭꾸", "ㄱ"), "5", 5, ["several"]),
        ("compc:ko", JAMO.format("각닭꾸", "ㄱ"), "4", 2, ["wrong"]),
        ("compc:ko", JAMO.format("각닭꾸", "ㄲ"), "1", 1, []),
        ("compc:ko", JAMO.format("각닭꾸", "ㄲ"), "2", 1, ["wrong"]),
        ("compc:ko", JAMO.format("과와", "ㅏ"), "2", 2, ["several"]),
        ("compc:ko", JAMO.format("각", "\u11a8"), "2", 2, []),
        ("compc:ko", JAMO.format("나ㄱ각", "ㄱ"), "3", 3, []),
        ("compc:ko", JAMO.format("때", "ㄷ"), "2", 2, ["several"]),
        ("compc:en", "How often is it there?", "4", 4, ["unclear"]),
        ("compc:zh", PARTS.format("妈奶山", "女"), "2", 2, []),
        ("compc:zh", PARTS.format("妈奶山", "女"), "5", 2, ["wrong"]),
        ("compc:zh", PARTS.format("把打", "扌"), "2", 2, []),
        ("compc:zh", PARTS.format("把打", "手"), "1", 1, ["several"]),
        ("compc:zh", PARTS.format("哈口", "口"), "3", 3, ["several"]),
        ("compc:zh", PARTS.format("妈奶", "好女"), "2", 2, ["unclear"]),
    ],
)
def test_counts(kind: str, prompt: str, label: str, count: int, said: list[str]) -> None:
    """A label that some interpretation gives is kept; one that none gives is not."""
    interpretation = read(kind, prompt, label)
    assert (interpretation.target, codes(interpretation)) == ({"count": count}, said)
    assert interpretation.solution == (str(count) if said == ["wrong"] else label)


def lists(first: str, second: str) -> str:
    return f"Are they the same?\nseq1: {first}\nseq2: {second}"


@pytest.mark.parametrize(
    ("lang", "prompt", "label", "differing", "solution", "said"),
    [
        ("en", lists("Fog owl", "owl fog"), "yes", [], "yes", ["several"]),
        ("en", lists("fog owl", "owl fog"), "yes", [], "yes", []),
        ("en", lists("fog owl tin", "owl fog"), "tin", ["tin"], "tin", []),
        ("en", lists("Fog owl", "owl fog"), "fog", ["fog", "fog"], "fog", ["several"]),
        ("en", lists("fog owl tin", "jam owl fog"), "jam", ["tin", "jam"], "jam", ["several"]),
        ("en", lists("fog owl tin", "jam owl fog"), "owl", ["tin", "jam"], "tin", ["wrong"]),
        ("en", lists("fog owl tin", "owl fog"), "yes", ["tin"], "tin", ["wrong"]),
        ("en", lists("fog owl", "owl fog"), "owl", [], "yes", ["wrong"]),
        ("en", lists("yes owl", "owl"), "yes", ["yes"], "yes", ["several"]),
        ("zh", lists("是山水", "水山"), "是", ["是"], "是", ["several"]),
        ("zh", lists("山水水", "水山"), "水", ["水"], "水", []),
        ("ko", lists("예산물", "산물눈"), "예", ["예", "눈"], "예", ["several", "several"]),
        ("ko", lists("산물", "물산"), "산", [], "예", ["wrong"]),
        ("ko", "같습니까?", "예", [], "예", ["unclear"]),
        ("ko", "같습니까?", "눈", ["눈"], "눈", ["unclear"]),
    ],
)
def test_differing_tokens(
    lang: str, prompt: str, label: str, differing: list[str], solution: str, said: list[str]
) -> None:
    interpretation = read(f"diff:{lang}", prompt, label)
    assert interpretation.target["differing"] == differing
    assert (interpretation.solution, codes(interpretation)) == (solution, said)


@pytest.mark.parametrize(
    ("texts", "label", "order", "said"),
    [
        (("a b", "a b c", "a"), "BAC", "BAC", []),
        (("a b", "a b c", "a"), "ABC", "BAC", ["wrong"]),
        (("a b", "a b c", "a"), "", "BAC", ["wrong"]),
        (("a b", "a b", "a"), "BAC", "BAC", ["several"]),
        (("a b", "a b", "a"), "CBA", "ABC", ["wrong"]),
        (("a b/c", "a b c d", "a b"), "BAC", "BAC", ["several"]),
        (("a b/c d", "a b c d", "a"), "ABC", "ABC", ["several"]),
    ],
)
def test_orders(texts: tuple[str, ...], label: str, order: str, said: list[str]) -> None:
    """Ties and other rules of counting allow several orders; the label stands if it is one."""
    lines = "\n".join(f"{name}: {text}" for name, text in zip("ABC", texts, strict=True))
    interpretation = read("sort:en", f"Sort these, as in ABC.\n{lines}", label)
    assert (interpretation.target, codes(interpretation)) == ({"order": list(order)}, said)
    assert interpretation.solution == order


def test_texts_that_cannot_be_put_in_another_order() -> None:
    """Few tokens are proved to have no order, and so are more if one of them is everywhere."""
    for text in ("fog owl tin", "fog fog owl " * 6):
        interpretation = read("reord:en", f"Shuffle.\nInput: {text}", "")
        assert (interpretation.solution, codes(interpretation)) == ("", ["unsolvable"])
    assert not codes(read("reord:en", "Shuffle.\nInput: fog owl tin jam rug", ""))
    assert codes(read("lenop:en:write", "Write words.", "")) == ["unclear"]


WRITE = {
    "en": "Please randomly generate {} English words with the topic of {}.",
    "zh": "请给我随机生成{}个中文汉字，主题为{}",
    "ko": "{1} 주제로 {0}개의 한글 글자를 무작위로 생성해 주세요.",
}


@pytest.mark.parametrize(
    ("lang", "topic", "names"),
    [
        ("en", "bird", ["bird"]),
        ("en", "AI", ["AI"]),
        ("en", "the history of art", ["history", "art"]),
        ("en", "self-care & health", ["self-care", "health"]),
        ("en", "who we are", ["who", "we", "are"]),
        ("en", "5G", []),
        ("zh", "行李", ["行李"]),
        ("zh", "人工智能（AI）", ["人工智能"]),
        ("zh", "AI", []),
        ("ko", "경로 계획", ["경로", "계획"]),
        ("ko", "빵 및 과자", ["빵", "과자"]),
    ],
)
def test_texts_to_write_name_a_word_of_their_topic(lang: str, topic: str, names: list[str]) -> None:
    """Our own text does, from short ones on; where the topic holds no word, nothing is asked."""
    for n in (8, 33, 102):
        interpretation = read(f"lenop:{lang}:write", WRITE[lang].format(n, topic), "")
        assert (interpretation.target["topic"], interpretation.target["names"]) == (topic, names)
        assert (interpretation.target["count"], codes(interpretation)) == (n, [])
        assert lenop.verify(interpretation.solution, interpretation.target)
        assert not names or names_any(interpretation.solution, names[:1], language(lang))


@pytest.mark.parametrize("lang", WRITE)
def test_a_text_that_names_no_word_of_its_topic_is_refused(lang: str) -> None:
    topic, other = {"en": ("bird", "oak"), "zh": ("行李", "橡树"), "ko": ("경로", "참나무")}[lang]
    asked, given = (
        read(f"lenop:{lang}:write", WRITE[lang].format(40, word), "") for word in (topic, other)
    )
    assert names_any(given.solution, [topic], language(lang)) is False
    assert not lenop.verify(given.solution, asked.target)
    assert lenop.verify(given.solution, {**asked.target, "names": []})


def test_where_no_topic_is_found_nothing_is_asked() -> None:
    interpretation = read("lenop:en:write", "Write 30 words.", "")
    assert (interpretation.target["names"], codes(interpretation)) == ([], [])


SPLIT_EN = "Split {} into {}."
SPLIT_ZH = "请将“{}”拆分为可重新组合的基本部件."
SPLIT_KO = "'{}'의 초성, 중성, 종성(있는 경우)은 무엇인가요? 쉼표로 구분하세요."


@pytest.mark.parametrize(
    ("kind", "prompt", "label", "accepted", "solution", "said"),
    [
        (
            "compm:en:split",
            SPLIT_EN.format("well-off", "from w to -, from o to f"),
            "well-, off",
            [["well-", "off"]],
            "well-, off",
            [],
        ),
        (
            "compm:en:split",
            SPLIT_EN.format("banana", "from b to a, from n to a"),
            "bana, na",
            [["ba", "nana"], ["bana", "na"]],
            "bana, na",
            ["several"],
        ),
        (
            "compm:en:split",
            SPLIT_EN.format("tin", "from t to i, from n to n"),
            "t, in",
            [["ti", "n"]],
            "ti, n",
            ["wrong"],
        ),
        (
            "compm:en:split",
            SPLIT_EN.format("lesson", "from l to s, from s to n"),
            "les, son",
            [["les", "son"]],
            "les, son",
            [],
        ),
        ("compm:en:split", "Split it", "i, t", [["i", "t"]], "i, t", ["unclear"]),
        (
            "compm:ko:split",
            SPLIT_KO.format("값"),
            "ㄱ, ㅏ, ㅄ",
            [["ㄱ", "ㅏ", "ㅄ"]],
            "ㄱ, ㅏ, ㅄ",
            [],
        ),
        (
            "compm:ko:split",
            SPLIT_KO.format("값"),
            "\u1100, \u1161, \u11b9",
            [["ㄱ", "ㅏ", "ㅄ"]],
            "\u1100, \u1161, \u11b9",
            [],
        ),
        (
            "compm:ko:split",
            SPLIT_KO.format("가"),
            "ㄱ, ㅓ",
            [["ㄱ", "ㅏ"]],
            "ㄱ, ㅏ",
            ["wrong"],
        ),
        (
            "compm:zh:split",
            SPLIT_ZH.format("把"),
            "手,巴;扌,巴;才,巴",
            [["手", "巴"], ["扌", "巴"]],
            "手,巴",
            ["partly"],
        ),
        (
            "compm:zh:split",
            SPLIT_ZH.format("把"),
            "才,巴",
            [["扌", "巴"], ["手", "巴"]],
            "扌,巴",
            ["wrong"],
        ),
        ("compm:zh:split", SPLIT_ZH.format("财"), "贝,才", [["贝", "才"]], "贝,才", []),
        ("compm:zh:split", SPLIT_ZH.format("财"), "财", [["贝", "才"]], "贝,才", ["wrong"]),
        ("compm:zh:split", SPLIT_ZH.format(" "), "贝,才", [["贝", "才"]], "贝,才", ["unclear"]),
        (
            "compm:zh:split",
            SPLIT_ZH.format("财"),
            "贝,?;贝,才",
            [["贝", "才"]],
            "贝,才",
            ["partly"],
        ),
        (
            "compm:zh:split",
            SPLIT_ZH.format("财"),
            "财,才;贝,才",
            [["贝", "才"]],
            "贝,才",
            ["partly"],
        ),
        (
            "compm:zh:split",
            SPLIT_ZH.format("林"),
            "⽊,木",
            [["木", "木"]],
            "⽊,木",
            [],
        ),
    ],
)
def test_splits(
    kind: str,
    prompt: str,
    label: str,
    accepted: list[list[str]],
    solution: str,
    said: list[str],
) -> None:
    interpretation = read(kind, prompt, label)
    assert interpretation.target == {
        "accepted": accepted,
        "ordered": not kind.startswith("compm:zh"),
    }
    assert (interpretation.solution, codes(interpretation)) == (solution, said)


COMBINE_ZH = "使用“{}”可以组成哪个汉字？"
COMBINE_KO = "다음 자모를 조합하세요: {}"


@pytest.mark.parametrize(
    ("kind", "prompt", "label", "accepted", "said"),
    [
        ("en", "Combine {nel}, {tun} into one word.", "tunnel", ["tunnel"], []),
        ("en", "Combine {Nel}, {tun} into one word.", "tunnel", ["tunnel"], []),
        ("en", "Combine {ca}, {t} into one word.", "tca", ["tca", "cat"], ["several"]),
        ("en", "Combine {ca}, {t} into one word.", "car", ["cat"], ["wrong"]),
        ("en", "Combine {xq}, {z} into one word.", "car", ["car"], ["wrong"]),
        ("en", "Combine them.", "car", ["car"], ["unclear"]),
        ("ko", COMBINE_KO.format("ㅅ, ㅏ, ㅅ"), "삿", ["삿"], []),
        ("ko", COMBINE_KO.format("ㄱ, ㅏ, ㄴ"), "간", ["간"], ["several"]),
        ("ko", COMBINE_KO.format("ㄱ, ㅏ, ㄴ"), "낙", ["낙"], ["several"]),
        ("ko", COMBINE_KO.format("ㅏ, ㄱ"), "가", ["가"], []),
        ("ko", COMBINE_KO.format("ㄱ, ㅏ"), "고", ["가"], ["wrong"]),
        ("ko", COMBINE_KO.format("ㄱ"), "가", ["가"], ["unclear"]),
        ("zh", COMBINE_ZH.format("日 月"), "明", None, ["several"]),
        ("zh", COMBINE_ZH.format("贝 才"), "财", ["财"], []),
        ("zh", COMBINE_ZH.format("贝 才"), "材", ["财"], ["wrong"]),
        ("zh", COMBINE_ZH.format("贝 ??"), "财", ["财"], ["unclear"]),
    ],
)
def test_combinations(
    kind: str, prompt: str, label: str, accepted: list[str] | None, said: list[str]
) -> None:
    interpretation = read(f"compm:{kind}:combine", prompt, label)
    assert codes(interpretation) == said
    assert accepted is None or interpretation.target == {"accepted": accepted}
    assert interpretation.solution == interpretation.target["accepted"][0]


@pytest.mark.parametrize(
    ("kind", "prompt", "label", "accepted", "said"),
    [
        ("en", "Fold your attire into case (6)", "Crease", ["Crease", "crease"], []),
        ("en", "Frozen treat (3, 5)", "ice cream", ["ice cream"], []),
        ("en", "Frozen treat (9)", "ice cream", ["ice cream"], ["wrong"]),
        ("en", "Frozen treat (3,5)", "icecream", ["icecream", "ice cream"], []),
        ("en", "Battle that was lost (1066)", "hastings", ["hastings"], []),
        ("zh", "有虫就有蚁(猜一字)", "义", ["义"], []),
        ("zh", "有虫就有蚁(猜一字)", "义气", ["义气"], ["wrong"]),
        ("ko", "주제: Food\n초성: ㄸㅂㅇ", "떡볶이", ["떡볶이"], []),
        ("ko", "주제: Animals\n초성: ㅂㄹ", "바람", ["바람"], ["several"]),
        ("ko", "주제: Animals\n초성: ㅂㄹ", "나무", ["나무"], ["wrong"]),
        ("ko", "주제: Places\n초성: PㅋㅂㄴP.", "P캬뱌냐p", ["P캬뱌냐p"], []),
        ("ko", "주제: Food\n초성: \u1104\u1107\u110b", "떡볶이", ["떡볶이"], []),
        ("ko", "주제: Animals", "나무", ["나무"], ["unclear"]),
        ("ko", "주제: Animals\n초성: \n", "나무", ["나무"], ["unclear"]),
        ("ko", "주제: Animals\n초성: ㄴㅁ (두 글자)", "나무", ["나무"], ["unclear"]),
    ],
)
def test_riddles(kind: str, prompt: str, label: str, accepted: list[str], said: list[str]) -> None:
    """The label is believed; the clue's facts about it are checked."""
    interpretation = read(f"ridl:{kind}", prompt, label)
    assert (interpretation.target, codes(interpretation)) == ({"accepted": accepted}, said)


@pytest.mark.parametrize(
    ("lang", "prompt", "label", "folds", "said"),
    [
        ("en", "Recover it.\nWord: ꜱа𝚝𝓷", "satn", ["case"], []),
        ("en", "Recover it.\nWord: ꜱа𝚝𝓷", "satin", ["case"], ["unclear"]),
        ("en", "Recover it.\nWord: ꜱIy", "sly", ["case"], ["several"]),
        ("en", "Recover it.\nNumber: 𝟟৪", "78", [], ["several"]),
        ("en", "Recover it.\nNumber: 𝟟Ȣ", "78", [], []),
        ("en", "Recover it.\nNumber: 𝟟⑩", "78", [], []),
        ("zh", "不修改标点符号：茬巿畼。", "在市场。", [], []),
        ("zh", "不修改标点符号：茬巿畼。", "在市场，", [], ["unclear"]),
        ("zh", "还原它", "在市场", [], ["unclear"]),
    ],
)
def test_restorations(
    lang: str, prompt: str, label: str, folds: list[str], said: list[str]
) -> None:
    interpretation = read(f"var:{lang}", prompt, label)
    _, _, shown = re.sub("：", ": ", prompt).partition(": ")
    assert interpretation.target == {"text": label, "folds": folds, "shown": shown}
    assert codes(interpretation) == said


def test_the_reason_describes_a_look_alike() -> None:
    for shown, label, kind in [("Word: ꜱIy", "sly", "letter"), ("Number: 𝟟৪", "78", "digit")]:
        (issue,) = read("var:en", f"Recover it.\n{shown}", label).issues
        assert issue.reason == f"a look-alike is itself another {kind}"


def test_a_variant_of_two_characters_is_an_issue_of_its_rows() -> None:
    """Only the whole file tells: 湜 stands for 是 in one row, and for 提 in another."""
    ask = "不修改标点符号："
    rows = [
        row("var:zh", f"{ask}{shown}", label)
        for shown, label in [
            ("湜", "是"),
            ("湜山", "提山"),
            ("茬", "在"),
        ]
    ]
    assert [codes(interpretation) for interpretation in interpret_file(rows)] == [
        ["several"],
        ["several"],
        [],
    ]
    assert interpret_file(rows)[1].issues[0].answers == ("提山", "是山")


def bitmap(dots: list[list[int]], category: str = "kana") -> str:
    return f"Classify this 16x16 bitmap in the category ({category}):\n{dots}"


def test_rows_with_the_same_bitmap_share_their_labels() -> None:
    """In any layout of the dots, but not across categories; a blank bitmap has no answer."""
    first, second = SAMPLE
    rows = [
        row("dot:en:bitmap_to_char", prompt, label)
        for prompt, label in [
            (bitmap(first), "へ"),
            (bitmap(first).replace("], [", "],\n["), "ヘ"),
            (bitmap(second), "ろ"),
            (bitmap(first, "hangul"), "에"),
            (bitmap([[0, 0], [0, 0]]), "い"),
            ("Which is it?", "は"),
        ]
    ]
    interpretations = interpret_file(rows)
    assert [interpretation.target["accepted"] for interpretation in interpretations] == [
        ["へ", "ヘ"],
        ["ヘ", "へ"],
        ["ろ"],
        ["에"],
        ["い"],
        ["は"],
    ]
    assert [interpretation.solution for interpretation in interpretations] == [
        "へ",
        "ヘ",
        "ろ",
        "에",
        "い",
        "は",
    ]
    assert [codes(interpretation) for interpretation in interpretations] == [
        ["several"],
        ["several"],
        [],
        [],
        ["unsolvable"],
        ["unclear"],
    ]


def test_a_radical_is_its_hanzi() -> None:
    """The twins of a Hanzi label are right answers too, and change no category."""
    interpretation = read("dot:en:bitmap_to_char", bitmap(SAMPLE[0], "hanzi"), "水")
    assert interpretation.target == {"accepted": ["水", "⽔"]}
    interpretation = read("dot:en:bitmap_to_script", bitmap(SAMPLE[0]), "hanzi")
    assert interpretation.target == {"accepted": ["hanzi"]}
    assert not interpretation.issues


def test_a_character_s_category_is_the_label() -> None:
    """Judging it would take an extra, on which no verdict depends."""
    interpretation = read("dot:en:char_to_script", "Classify it.\ncharacter: '''\n", "symbol")
    assert interpretation == Interpretation({"accepted": ["symbol"]}, "symbol")
    assert codes(read("dot:en:char_to_script", "Classify it.", "symbol")) == ["unclear"]


def test_the_same_question_in_two_rows_has_both_labels() -> None:
    """Pieces may come in another order; a riddle's layout makes no difference."""
    rows = [
        row("compm:en:combine", "Combine {o}, {d}, {g} into one word.", "dog"),
        row("compm:en:combine", "Combine {g}, {o}, {d} into one word.", "god"),
    ]
    assert [set(interpretation.target["accepted"]) for interpretation in interpret_file(rows)] == [
        {"dog", "god"}
    ] * 2
    rows = [
        row("ridl:ko", "주제: Food.\n초성: ㅁㄷㄱㄹ", "맥도갈루"),
        row("ridl:ko", "주제: food\n초성:  ㅁㄷㄱㄹ", "미더가라"),
    ]
    assert [interpretation.target["accepted"] for interpretation in interpret_file(rows)] == [
        ["맥도갈루", "미더가라"],
        ["미더가라", "맥도갈루"],
    ]
    assert all(codes(interpretation)[-1] == "several" for interpretation in interpret_file(rows))


TEMPLATES = {
    "freq:en": FREQ_EN,
    "freq:zh": FREQ_ZH,
    "freq:ko": FREQ_KO,
    "lenop:en:count": LENOP_EN,
    "lenop:ko:count": LENOP_KO,
    **{f"lenop:{lang}:write": template for lang, template in WRITE.items()},
    "sort:en": "Sort.\nA: {}\nB: {}\nC: b",
    "diff:en": "Same?\nseq1: {}\nseq2: {}",
    "diff:ko": "Same?\nseq1: {}\nseq2: {}",
    "compc:en": LETTERS,
    "compc:zh": PARTS,
    "compc:ko": JAMO,
    "compm:en:split": SPLIT_EN,
    "compm:zh:split": SPLIT_ZH,
    "compm:ko:split": SPLIT_KO,
    "compm:en:combine": "Combine {{{}}}, {{{}}} into one word.",
    "compm:zh:combine": COMBINE_ZH,
    "compm:ko:combine": COMBINE_KO,
    "dot:en:char_to_script": "Classify.\ncharacter: '{}'",
    "dot:en:bitmap_to_char": "Classify.\n[{}]",
    "ridl:en": "{} ({})",
    "ridl:zh": "{}（打一字）",
    "ridl:ko": "주제: {}\n초성: {}",
    "var:en": "Word: {}",
    "var:zh": "不修改标点符号：{}",
}
slots = st.text(
    st.sampled_from("aB e'-,;{}?1२把才⺘扌月离가값ㄱㅏㅄ\u1100\u11a8\ufe0f𠜱。\n\u200b")
)


@given(st.sampled_from(sorted(TEMPLATES)), slots, slots, slots)
def test_no_row_is_too_strange(kind: str, first: str, second: str, label: str) -> None:
    """Whatever stands in a prompt or label, there is a target, and at worst an issue."""
    prompt = TEMPLATES[kind].format(first, second)
    (interpretation,) = interpret_file([row(kind, prompt, label.strip())])
    if interpretation.target.get("count", 0) is None:  # neither prompt nor label has a number
        assert codes(interpretation)
        return
    known = TASKS[kind.partition(":")[0]]
    # Where the label says nothing, there may be no right answer, and so no judging.
    is_excused = not label.strip("\n ;,\u200b") and codes(interpretation)
    with suppress(ItemError) if is_excused else nullcontext():
        known.kind(row(kind, "", "").variant).check(interpretation.target, known.name)
