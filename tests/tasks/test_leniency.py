"""Free spelling and partial credit of the tasks that spell, take apart, and ask for yes or no."""

from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import product
from statistics import fmean
from typing import Any

import pytest
from growth import linear

from tokenbench import (
    check,
    compose,
    contains,
    contains_part,
    decompose,
    furigana,
    score,
    spell,
    spell_inverse,
    task,
)
from tokenbench.answers.kind import likeness
from tokenbench.draw import Split
from tokenbench.errors import TokenbenchError
from tokenbench.item import Item
from tokenbench.testing.item_facts import tagged
from tokenbench.text.answer_text import strip_list_markers
from tokenbench.text.normalize import BRACKETS, strip_markup, strip_wrapping

_FARMED = {"spell": 0.05, "decompose": 0.11}  # parts are few, and some of them common


def spelling_item(*units: str, lang: str = "en") -> Item:
    """Return an item that asks for the characters of a word."""
    target = {"units": list(units)}
    return Item("spell", 2, lang, "char", "Spell it.", target, " ".join(units))


def read(text: str, item: Item) -> float:
    """Return the score of an answer."""
    return score(tagged(text), item)


# Partial credit


@cache
def items(name: str, lang: str, split: Split) -> list[Item]:
    """Return 200 items."""
    return [task(name).generate(lang=lang, index=index, split=split) for index in range(200)]


def right(item: Item) -> list[str]:
    """Return the first right answer, as units."""
    target: dict[str, Any] = item.target
    found: list[str] = target["units"] if "units" in target else target["accepted"][0]
    return found


def constants(name: str, lang: str) -> list[list[str]]:
    """Return the most usual units of the train split, many together and the best at each place."""
    known = [right(item) for item in items(name, lang, "train")]
    often = [unit for unit, _ in Counter(unit for units in known for unit in units).most_common(8)]
    places = [
        Counter(units[at] for units in known if len(units) > at).most_common(3) for at in range(3)
    ]
    by_place = [[unit for unit, _ in place] for place in places if place]
    return [
        *(often[:size] for size in range(2, 9)),
        *([often[0]] * size for size in range(2, 7)),
        *map(list, product(*by_place)),
        *map(list, product(*by_place[:2])),
    ]


BLIND: dict[str, Callable[[list[str]], list[str]]] = {
    "echo": lambda units: ["".join(units)],
    "echo twice": lambda units: ["".join(units)] * 2,
    "reversed": lambda units: units[::-1],
    "alphabet": lambda _: [*"abcdefghijklmnopqrstuvwxyz"],
    "first and rest": lambda units: [units[0], "".join(units[1:])],
    "pairs": lambda units: ["".join(units[at : at + 2]) for at in range(0, len(units), 2)],
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("name", "lang"),
    [(name, lang) for name in ("spell", "decompose") for lang in task(name).langs],
)
def test_blind_strategies_earn_next_to_nothing(name: str, lang: str) -> None:
    """Constant texts, and echoes: a word of two characters is spelled by any space within."""
    asked = items(name, lang, "test")
    for constant in constants(name, lang):
        assert (
            fmean(task(name).kind(item.variant).grade(constant, item.target) for item in asked)
            <= _FARMED[name]
        ), constant
    for blind in BLIND.values() if name == "spell" else ():
        given = [(tagged(" ".join(blind(right(item)))), item) for item in asked]
        earned = fmean(score(*pair, rule="graded") for pair in given)
        assert earned <= max(_FARMED[name], fmean(score(*pair) for pair in given) + 0.03)


def test_who_knows_most_units_gets_their_share() -> None:
    item = spelling_item(*"banana")
    for text, earned in {"b a n a n": 5 / 6, "b a n n a n a": 6 / 7, "b a n": 0.0}.items():
        assert score(tagged(text), item, rule="graded") == pytest.approx(earned)
    target = {"accepted": [["ㄱ", "ㅏ", "ㅁ"]], "ordered": True}
    assert decompose.TASK.kind(None).grade(["ㄱ", "ㅏ", "ㄴ"], target) == pytest.approx(4 / 9)
    assert decompose.TASK.kind(None).grade(["ㅏ", "ㄱ", "ㅁ"], target) == pytest.approx(1 / 9)
    one_of_two = {"accepted": [["木", "寸"]], "ordered": False}
    assert decompose.TASK.kind(None).grade(["木", "口"], one_of_two) == pytest.approx(1 / 9)


def test_another_right_spelling_of_a_published_row_is_near_too() -> None:
    target = {"units": ["a", "b", "c", "d"], "also": [["x", "y", "z"]]}
    assert spell.TASK.kind("char").grade(["x", "y", "z"], target) == 1.0
    assert spell.TASK.kind("char").grade(["x", "y"], target) == pytest.approx(2 / 3)


@pytest.mark.parametrize("size", range(2, 7))
def test_partial_credit_is_whole_for_the_same_units_only(size: int) -> None:
    for given in product("ab", repeat=size):
        for right in product("ab", repeat=size):
            earned = likeness(given, right)
            assert (earned == 1.0) == (given == right)
            assert earned == 0.0 or earned > 0.5


# Lists


@pytest.mark.parametrize(
    "text",
    [
        "1. c\n2. a\n3. t", "1) c\n\n2) a\n3) t", "(1) c\n(2) a\n(3) t.", "1、c\n2、a\n3、t",
        "١. c\n٢. a\n٣. t", "- c\n- a\n- t", "* c\n* a\n* t", "  • c\n  • a\n  • t",
        "```\n1. c\n2. a\n3. t\n```", "**1. c\n2. a\n3. t**", "(c, a, t)", "（c a t）",
        '1. "c"\n2. "a"\n3. "t"', "- **c**\n- **a**\n- **t**",
        "「c」「a」「t」", "“c”“a”“t”.", "‘c’‘a’‘t’", "«c»«a»«t»", "*c* *a* *t*", "$c, a, t$",
        r"\text{c a t}", r"$\boxed{\text{c-a-t}}$", r"\(c, a, t\)",
    ],
)  # fmt: skip
def test_a_word_may_be_spelled_as_a_list(text: str) -> None:
    assert read(text, spelling_item(*"cat")) == 1.0


@pytest.mark.parametrize(
    "text",
    [
        "1. c\n3. a\n4. t", "0. c\n1. a\n2. t", "2. c\n1. a\n3. t", "1. c\n2) a\n3. t",
        "- c\n* a\n- t", "1. c\na\n3. t", "- c\n- a\nt", "1. c 3. a 2. t",
        "1. c\n1. a\n1. t", "1.\nc\n2.\na\n3.\nt", "((c, a, t))", "(c a) t",
    ],
)  # fmt: skip
def test_a_list_whose_markers_do_not_agree_is_none(text: str) -> None:
    assert read(text, spelling_item(*"cat")) == 0.0


def test_markers_stay_where_the_word_has_such_characters() -> None:
    """In published rows, words hold digits, dashes and brackets."""
    assert read("1. 1\n2. 2", spelling_item("1", "1", "2", "2")) == 1.0
    assert read("1. 1\n2. 2", spelling_item("1", "2")) == 0.0
    assert read("- a - b", spelling_item("-", "a", "-", "b")) == 1.0
    assert read("( a )", spelling_item("(", "a", ")")) == 1.0
    word = Item("spell_inverse", 2, "en", "char", "?", {"word": "(a)"}, "(a)")
    assert [read(text, word) for text in ("(a)", "a", '"(a)"')] == [1.0, 0.0, 1.0]


def test_parts_may_be_a_list() -> None:
    items = {
        lang: Item(
            "decompose", 2, lang, None, "?", {"accepted": [parts], "ordered": lang == "ko"}, ""
        )
        for lang, parts in {"zh": ["扌", "巴"], "ko": ["ㄱ", "ㅏ"]}.items()
    }
    assert read("1. 扌\n2. 巴", items["zh"]) == read("（扌、巴）", items["zh"]) == 1.0
    assert read("1、扌\n3、巴", items["zh"]) == 0.0
    assert read("- ㄱ\n- ㅏ", items["ko"]) == read("(ㄱ, ㅏ)", items["ko"]) == 1.0
    assert read("1. ㅏ\n2. ㄱ", items["ko"]) == 0.0


# Words


@pytest.mark.parametrize(
    ("lang", "text", "said"),
    [
        *(("en", text, True) for text in ("Yes!", "(yes)", "**Yes!**", "**Yes**!", "[Yes].")),
        *(("en", text, True) for text in ("(Yes)!", "[“Yes”]!")),
        *(("es", text, True) for text in ("¡Sí!", "sí!", "«¡Sí!»")),
        *(("ja", text, False) for text in ("いいえ！", "「いいえ」", "（いいえ）。")),
        *(("ko", text, True) for text in ("네!", "“네!”", "[예]")),
        *(("en", text, None) for text in ("!", "Yes!!", "Yes?", "Yes! No!", "(yes) (no)", "not!")),
        *(("en", text, None) for text in ("(yes", "yes)", "[yes)", "((yes))", "{yes}", "!yes")),
    ],
)
def test_yes_and_no_may_be_in_brackets_and_exclaimed(
    lang: str, text: str, said: bool | None
) -> None:
    for holds in (True, False):
        item = Item("contains", 2, lang, "char", "?", {"answer": holds}, "yes" if holds else "no")
        verdict = check(tagged(text), item)
        assert verdict.score == float(said is holds)
        assert (verdict.code == "unparsable") == (said is None)


def test_a_word_may_be_in_brackets() -> None:
    word = Item("spell_inverse", 2, "en", "char", "?", {"word": "cat"}, "cat")
    assert [read(text, word) for text in ("(cat)", "[cat].", "(cat", "(cat) (cat)")] == [1, 1, 0, 0]
    reading = Item("furigana", 2, "ja", None, "?", {"readings": ["いぬ"]}, "いぬ")
    assert [read(text, reading) for text in ("（いぬ）", "[イヌ]", "いぬ（犬）")] == [1, 1, 0]
    whole = Item("compose", 2, "zh", None, "?", {"accepted": ["把"]}, "把")
    assert [read(text, whole) for text in ("（把）", "[把]", "把（扌巴）")] == [1, 1, 0]


@pytest.mark.parametrize(
    ("lang", "text", "paid"),
    [
        *(("zh", text, 1.0) for text in ("B、C和A", "B、C 和 A", "B ⇒ C ⇒ A", "B ➡️ C ➡️ A")),
        *(("zh", text, 0.0) for text in ("B和C", "BC和A", "B和C和A", "A、C和B")),
        *(("ko", text, 1.0) for text in ("B, C와 A", "BCA입니다", "“B, C, A”입니다.", "B ⟶ C ⟶ A")),
        *(("ko", text, 0.0) for text in ("입니다", "BCA입니다입니다", "BAC입니다")),
        *(("en", text, 1.0) for text in ("B • C • A", "b, c and a")),
        *(("en", text, 0.0) for text in ("B, Cand A", "BCA입니다")),
    ],
)
def test_an_order_may_be_put_in_words(lang: str, text: str, paid: float) -> None:
    order = Item("sort", 2, lang, None, "?", {"order": ["B", "C", "A"]}, "BCA")
    assert read(text, order) == paid


@pytest.mark.parametrize(
    ("lang", "text", "named"),
    [
        *(("ko", text, ["펐"]) for text in ("펐입니다.", "“펐”이에요", "펐예요")),
        *(("ko", text, []) for text in ("같음입니다.", "같습니다", "동일합니다.")),
        *(("zh", text, []) for text in ("完全相同", "完全一样。")),
        ("zh", "不相同", None),
        ("ko", "펐다", None),
    ],
)
def test_a_difference_may_be_put_in_words(lang: str, text: str, named: list[str] | None) -> None:
    for differing in (["펐"], []):
        lists = Item("diff", 2, lang, None, "?", {"differing": differing}, "펐")
        assert read(text, lists) == float(named == differing)


@pytest.mark.parametrize(
    ("lang", "ending"),
    [("ko", "입니다"), ("ja", "です"), ("hi", " है"), ("am", " ነው")],
)
def test_a_result_may_be_called_a_word(lang: str, ending: str) -> None:
    """But not where a sentence is edited: its last word may be that one."""
    held = {"text": "बकल", "given": "कल", "folds": []}
    for name, target in (("insert", held), ("spell_inverse", {"word": "बकल"})):
        result = Item(name, 2, lang, "char", "?", target, "बकल")
        assert read(f"बकल{ending}", result) == read(f"“बकल”{ending}.", result) == 1.0
        assert read(f"कल{ending}", result) == read(ending.strip(), result) == 0.0
    words = Item("delete", 2, lang, "word", "?", held | {"given": f"बकल{ending}"}, "बकल")
    assert read(f"बकल{ending}", words) == 0.0
    own = Item("spell_inverse", 2, lang, "char", "?", {"word": f"ब{ending.strip()}"}, "")
    assert read(f"ब{ending.strip()}", own) == 1.0
    assert read("ब", own) == 0.0


def test_an_ending_that_may_be_a_part_of_a_word_is_not_a_copula() -> None:
    """だ, 이다 and है without a space end words, too: nothing was deleted there."""
    for lang, right, given in (
        ("ja", "はな", "はなだ"),
        ("hi", "कर", "करहै"),
        ("ko", "보", "보이다"),
    ):
        held = {"text": right, "given": given, "folds": []}
        assert read(given, Item("delete", 2, lang, "char", "?", held, right)) == 0.0
        spelt = Item("spell_inverse", 2, lang, "char", "?", {"word": right}, right)
        assert read(given, spelt) == 0.0
        assert read(right, spelt) == 1.0


def test_kana_stand_for_the_components_that_they_name() -> None:
    for kana, component in zip("ハムロネヒウワリ", "八厶口礻匕宀冖刂", strict=True):
        target = {"accepted": [[component, "木"]], "ordered": False}
        parts = Item("decompose", 2, "ja", None, "?", target, f"{component} 木")
        assert read(f"{kana}、木", parts) == 1.0


def test_amharic_marks_set_characters_apart_and_end_an_answer() -> None:
    word = spelling_item("ወ", "ን", "ድ", "ሜ", lang="am")
    for text in ("ወ ፡ ን ፡ ድ ፡ ሜ", "ወ፡ን፡ድ፡ሜ፡፡", "ወ፣ን፣ድ፣ሜ።"):
        assert read(text, word) == 1.0
    holds = Item("contains", 2, "am", "char", "?", {"answer": True}, "አዎ")
    assert read("አዎ፡፡", holds) == 1.0


@pytest.mark.parametrize(
    "text",
    [
        "Position **3**",
        "**Position:** 3",
        "**Position**: 3",
        "**Position: 3**",
        "3፡፡",
        "**index** 3",
        "position : 3",
        "Position፦ 3",
        "at position፡ 3",
    ],
)
def test_a_place_may_be_called_one(text: str) -> None:
    place = Item("find_first", 2, "en", None, "?", {"answer": 3}, "3")
    assert read(text, place) == 1.0
    for wrong in (text.replace("3", "-3"), text.replace("3", "3**2"), f"**place {text}"):
        assert read(wrong, place) == 0.0


def test_a_unit_word_may_be_in_bold() -> None:
    number = Item("count_char", 2, "en", None, "?", {"answer": 3}, "3")
    assert read("3 **times**", number) == read("**3** *times*.", number) == 1.0
    assert read("3 **4**", number) == read("3 **of them**", number) == read("3 ****", number) == 0.0


def test_a_stop_outside_the_marks_stays() -> None:
    assert strip_markup('"They left".') == "They left."
    assert strip_markup("「彼は去った」。") == "彼は去った。"
    for text in ('"They left.".', '"They" "left".', '"".', '".'):
        assert strip_markup(text) == text
    assert (
        strip_wrapping('"They left".')
        == strip_wrapping('"They left."')
        == strip_wrapping('"They left.".')
        == "They left"
    )


def test_longer_texts_take_proportionally_longer() -> None:
    """Neither layers of marks nor lines of a list make judging slower than linear."""
    for unit in ("(", '"', ".", '("'):
        assert linear(lambda text: strip_wrapping(f"{text}a{text[::-1]}", BRACKETS), unit, 64_000)
    for unit in ("- a\n", "1. a\n", " ", "-\t", "(1", "1.\n"):
        assert linear(lambda text: strip_list_markers(f"{text}- a\n{text}"), unit, 64_000)


# Arguments


@pytest.mark.parametrize("given", [None, 5, b"x", {}, [["a"]], ("a", 1), 3.5, object])
def test_a_value_that_is_not_text_is_refused_in_one_line(given: Any) -> None:
    calls: list[Callable[[], object]] = [
        lambda: spell.solve(given),
        lambda: furigana.solve(given),
        lambda: furigana.hiragana(given),
        lambda: contains.solve(given, "a"),
        lambda: contains.solve("a", given),
        lambda: contains.solve("a", given, "word"),
        *(lambda lang=lang: contains_part.solve(given, "口", lang) for lang in ("zh", "ja", "ko")),
        *(lambda lang=lang: contains_part.solve("品", given, lang) for lang in ("zh", "ja", "ko")),
        *(lambda lang=lang: decompose.solve(given, lang) for lang in ("zh", "ja", "ko")),
    ]
    if given != {}:  # all parts are strings
        calls.append(lambda: spell_inverse.solve(given))
        calls.append(lambda: compose.solve(given))
    for call in calls:
        with pytest.raises(TokenbenchError) as caught:
            call()
        assert "\n" not in str(caught.value)
