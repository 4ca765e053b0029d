"""COMPM: one way to split, one whole to combine, and answers judged part by part."""

import re
import runpy
from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path

import pytest
from answers import tagged
from unicodedata2 import normalize

from tokenbench import check, compm, score, tasks
from tokenbench.decomposition import hangul, hanzi
from tokenbench.decomposition.components import components
from tokenbench.decomposition.hanzi import STROKES
from tokenbench.decomposition.pieces import joins, splits
from tokenbench.draw import SPLITS, split_of
from tokenbench.errors import DifficultyError, TokenbenchError
from tokenbench.item import Item
from tokenbench.text.lexicon import words
from tokenbench.text.units import han
from tokenbench.text.units import hangul as ks_x_1001

ROOT = Path(__file__).resolve().parents[2]
LANGS = ("en", "zh", "ko")
VARIANTS = ("split", "combine")
MANY = 150
POSITION = {"초성": 0, "중성": 1, "종성": 2}


@pytest.fixture(autouse=True)
def _register_task() -> Iterator[None]:
    with tasks.register(compm.TASK):
        yield


def items(lang: str, variant: str, n: int = MANY, **arguments: object) -> list[Item]:
    return [
        compm.generate(lang=lang, variant=variant, index=index, seed=5, **arguments)  # type: ignore[arg-type]
        for index in range(n)
    ]


def question(item: Item) -> str:
    return item.prompt.partition("\n\n")[0]


def parts_in_prompt(item: Item) -> list[str]:
    """Read the pieces to combine off the prompt, as a person would; Korean ones put in order."""
    if item.lang == "ko":
        found = re.findall("(초성|중성|종성) ([ㄱ-ㅣ])", question(item))
        return [jamo for _, jamo in sorted(found, key=lambda pair: POSITION[pair[0]])]
    return re.findall("“(.+?)”", question(item))


def split_item(lang: str, *accepted: list[str]) -> Item:
    """Return an item to split, as published ones are."""
    target = {"accepted": list(accepted), "ordered": lang != "zh"}
    return Item("compm", 2, lang, "split", "?", target, ",".join(accepted[0]))


def combine_item(lang: str, *accepted: str) -> Item:
    return Item("compm", 2, lang, "combine", "?", {"accepted": list(accepted)}, accepted[0])


# Items.


def test_the_ends_in_an_english_prompt_leave_one_split() -> None:
    for item in items("en", "split"):
        text = question(item)
        word = re.findall("“(.+?)”", text)[0]
        ends = re.findall("from ([a-z]) to ([a-z])", text)
        fitting = [
            cut for cut in splits(word, len(ends)) if [(part[0], part[-1]) for part in cut] == ends
        ]
        assert [list(cut) for cut in fitting] == item.target["accepted"]
        assert item.solution == ", ".join(fitting[0])
        assert min(map(len, fitting[0])) >= 2


@pytest.mark.parametrize("source", ["core", "wordfreq"])
def test_english_pieces_make_one_word_of_the_lexicon_and_of_the_60000(source: str) -> None:
    pytest.importorskip("wordfreq")
    known = {*words("en").words, *words("en", "wordfreq").words}
    for item in items("en", "combine", words=source):
        made = {"".join(order) for order in permutations(parts_in_prompt(item))}
        assert made & known == {item.solution}
        assert item.target["accepted"] == [item.solution]


def test_a_word_whose_pieces_make_another_is_cut_elsewhere_or_never(tmp_path: Path) -> None:
    """`chin` can only be cut into what also makes `inch`, which our lexicon does not hold."""
    asked = {item.meta["drawn"]["whole"] for item in items("en", "combine", 3000, parts=2)}
    assert "chin" not in asked
    assert len(asked) > 900
    path = tmp_path / "words.txt"
    others = [f"{letter}zy{other}xw" for letter in "abcdefg" for other in "hijkl"]
    path.write_text("\n".join(["Chin", "Looking", "kinglooo", "Karl", "rlka", *others]))
    asked = {
        item.meta["drawn"]["whole"]
        for split in SPLITS
        for item in items("en", "combine", 100, words=str(path), split=split)
    }
    assert asked == {"looking", "kinglooo", *others}


def test_cutting_evenly_does_not_split_words() -> None:
    """Words that could hardly be cut otherwise are not asked, least of all at the last level."""
    for level in (0, 9):
        asked = [item.target["accepted"][0] for item in items("en", "split", 400, level=level)]
        hits = 0
        for held in asked:
            least, rest = divmod(sum(map(len, held)), len(held))
            hits += [*map(len, held)] == [least + (place < rest) for place in range(len(held))]
        assert hits < len(asked) / 3


def test_the_exclusions_are_what_their_tool_computes() -> None:
    pytest.importorskip("wordfreq")
    tool = runpy.run_path(str(ROOT / "tools" / "compm_exclusions.py"))
    assert tool["WRITTEN"].read_text(encoding="utf-8") == tool["text"]()


def test_the_exclusions_are_joins_of_pieces() -> None:
    core = set(words("en").words)
    assert len(compm.exclusions()) > 20
    assert compm.exclusions()["zebra"] == ("braze",)  # a rarer word
    for word, others in compm.exclusions().items():
        assert word in core
        assert core.isdisjoint(others)
        for other in others:
            cuts = [cut for n in (2, 3, 4) for cut in splits(word, n)]
            assert any(joins(cut, [other]) for cut in cuts)


def test_a_korean_syllable_is_split_into_what_its_positions_hold() -> None:
    for item in items("ko", "split"):
        syllable = re.findall("‘(.)’", question(item))[0]
        assert item.target["accepted"] == [list(hangul.decompose(syllable))]
        assert item.target["ordered"]
        closed = len(hangul.decompose(syllable)) == 3
        assert not re.search("’[을를] ", question(item)) or f"’{'을' if closed else '를'} " in (
            question(item)
        )
        assert re.search("겹받침.*(나누지|쪼개지|하나로|한 덩어리로)", question(item))


def test_korean_pieces_name_their_positions_and_make_one_syllable() -> None:
    orders = set()
    for item in items("ko", "combine"):
        assert hangul.compose(parts_in_prompt(item)) == item.solution
        found = re.findall("(초성|중성|종성) ([ㄱ-ㅣ])([으로를을.]*)", question(item))
        assert len({name for name, _, _ in found}) == len(found)
        orders.add(tuple(name for name, _, _ in found))
        *_, (_, jamo, particle) = found
        vowel = "ㅏ" <= jamo <= "ㅣ"
        assert particle in (
            ("로" if vowel or jamo == "ㄹ" else "으로"),
            "를" if vowel else "을",
            ".",
        )
    assert len(orders) == 2 + 6


def test_without_position_names_most_closed_syllables_would_be_ambiguous() -> None:
    every = Counter(tuple(sorted(hangul.decompose(chr(code)))) for code in range(0xAC00, 0xD7A4))
    closed = [parts for char in ks_x_1001() if len(parts := hangul.decompose(char)) == 3]
    unique = [parts for parts in closed if every[tuple(sorted(parts))] == 1]
    assert (len(unique), len(closed)) == (422, 2001)


def test_a_chinese_character_is_split_into_any_accepted_decomposition() -> None:
    for item in items("zh", "split"):
        char = re.findall("“(.)”字", question(item))[0]
        assert item.target["accepted"] == list(map(list, hanzi.right_decompositions(char)))
        assert not item.target["ordered"]
        assert STROKES.isdisjoint(item.solution)


def test_characters_that_readers_see_as_one_piece_are_not_taken_apart() -> None:
    """The data takes these apart, after a fashion: 王 = 二 + 十, 目 = 囗 + 二."""
    for char in "王目火言金木米方文北步乐":
        assert hanzi.decompose(char)
        assert not [n for n in (2, 3, 4) if [*components("zh").decompositions(char, n)]]


def test_chinese_components_make_one_character_of_gb_2312() -> None:
    level_2 = [
        bytes((row + 0xA0, cell + 0xA0)).decode("gb2312", errors="ignore")
        for row in range(56, 88)
        for cell in range(1, 95)
    ]
    known = {*han(), *filter(None, level_2)}
    assert len(known) == 6763
    for item in items("zh", "combine"):
        made = hanzi.compose(parts_in_prompt(item))
        assert known & set(made) == {item.solution}
        assert item.target["accepted"] == list(made)


def test_most_common_characters_and_all_syllables_are_asked_about() -> None:
    sizes: Counter[str] = Counter()
    for lang in LANGS:
        for split in SPLITS:
            ask = compm.TASK.spec(lang=lang, split=split)
            sizes[lang] += compm.TASK.n_instances(ask) or 0
    assert sizes["ko"] == 2350
    assert 3100 <= sizes["zh"] <= 3600
    assert sizes["en"] > 2300


def _words_made_of(lang: str, parts: list[str], core: tuple[str, ...]) -> tuple[str, ...]:
    return joins(parts, core) if lang == "en" else components(lang).compose(parts)


@pytest.mark.parametrize("lang", LANGS)
def test_split_and_combine_are_inverse(lang: str) -> None:
    """The same arguments ask about one instance, and the answer to one is shown by the other."""
    core = words("en").words
    for split, combine in zip(items(lang, "split"), items(lang, "combine"), strict=True):
        parts = split.solution.split(", ")
        assert sorted(parts) == sorted(parts_in_prompt(combine))
        assert split.meta["drawn"] == combine.meta["drawn"]
        assert combine.solution in question(split)
        made = _words_made_of(lang, parts_in_prompt(combine), core)
        assert list(made) == combine.target["accepted"]
        for accepted in split.target["accepted"]:
            assert combine.solution in _words_made_of(lang, accepted, core)


@pytest.mark.parametrize("lang", LANGS)
def test_the_whole_decides_the_split_whatever_the_variant_and_parts(lang: str) -> None:
    for split in SPLITS:
        for variant in VARIANTS:
            for item in items(lang, variant, 30, split=split):
                assert split_of(item.meta["drawn"]["whole"]) == split


@pytest.mark.parametrize("lang", LANGS)
def test_no_instance_repeats_until_all_were_asked(lang: str) -> None:
    ask = compm.TASK.spec(lang=lang, split="test", variant="combine")
    size = compm.TASK.n_instances(ask) or 0
    found = [item.meta["drawn"] for item in items(lang, "combine", size, split="test")]
    assert len({(drawn["whole"], drawn["parts"]) for drawn in found}) == size


def test_the_number_of_parts_is_as_asked() -> None:
    assert {item.meta["drawn"]["parts"] for item in items("en", "split")} == {2, 3, 4}
    for n in range(2, 7):
        assert all(
            len(item.target["accepted"][0]) == n for item in items("en", "split", 5, parts=n)
        )
    for lang in ("zh", "ko"):
        for n in (2, 3):
            assert {len(parts_in_prompt(item)) for item in items(lang, "combine", 20, parts=n)} == {
                n
            }
        assert all(len(parts_in_prompt(item)) >= 3 for item in items(lang, "combine", 20, level=9))
    with pytest.raises(DifficultyError, match="no compm item"):
        compm.generate(lang="ko", parts=4)


def test_words_and_characters_may_come_from_elsewhere(tmp_path: Path) -> None:
    path = tmp_path / "chars.txt"
    path.write_text("\n".join("把陆揭菇肚肿通撵热毡映明林森休".strip()), encoding="utf-8")
    found = items("zh", "split", 20, words=str(path))
    assert {item.meta["drawn"]["whole"] for item in found} <= set("把陆揭菇肚肿通撵热毡映明林森休")
    assert all(item.meta["source"].startswith("chars.txt sha256:") for item in found)


# Judging.

RIGHT = [
    (split_item("en", ["in-p", "la", "ce"]), "in-p, la, ce"),
    (split_item("en", ["in-p", "la", "ce"]), "In-P | LA | ce."),
    (split_item("en", ["in-p", "la", "ce"]), '["in-p", "la", "ce"]'),
    (split_item("en", ["in-p", "la", "ce"]), "in-p + la + ce"),
    (split_item("en", ["in-p", "la", "ce"]), "ｉｎ-ｐ、ｌａ、ｃｅ"),
    (split_item("en", ["consume", "r-dire", "cted"]), "consume -> r-dire -> cted"),
    (split_item("en", ["consume", "r-dire", "cted"]), "“consume” “r-dire” “cted”"),
    (split_item("en", ["now", "-infamous"]), "now, -infamous"),
    (split_item("en", ["now-", "infamous"]), "now-, infamous"),
    (split_item("en", ["don'", "ts"]), "don’, ts"),
    (split_item("en", ["in-p", "la", "ce"]), "in-p, la, and ce"),
    (split_item("en", ["c", "and", "le"]), "c, and, le"),
    (split_item("ko", ["ㄱ", "ㅏ", "ㅄ"]), "ㄱ, ㅏ, ㅄ"),
    (split_item("ko", ["ㄱ", "ㅏ", "ㅄ"]), "ㄱㅏㅄ"),
    (split_item("ko", ["ㄱ", "ㅏ", "ㅄ"]), "ㄱ + ㅏ + ㅄ"),
    (split_item("ko", ["ㄱ", "ㅏ", "ㅄ"]), "ᄀ, ᅡ, ᆹ"),
    (split_item("ko", ["ㄱ", "ㅏ", "ㅄ"]), "ﾡￂﾴ"),
    (split_item("ko", ["ㄱ", "ㅏ", "ㅄ"]), "ﾡ ㅏ ᆹ"),
    (split_item("ko", ["ㄱ", "ㅏ", "ㅄ"]), "초성: ㄱ, 중성: ㅏ, 종성: ㅄ"),
    (split_item("ko", ["ㄱ", "ㅏ", "ㅄ"]), "초성：ㄱ\n중성：ㅏ\n종성：ㅄ"),
    (split_item("ko", ["ㄱ", "ㅏ"]), "초성 ㄱ, 중성 ㅏ."),
    (split_item("ko", ["ㄱ", "ㅏ", "ㅄ"]), "초성 ㄱ, 중성 ㅏ, 받침 ㅄ"),
    (split_item("ko", ["ㄱ", "ㅏ"]), "초성: ㄱ, 중성: ㅏ, 종성: 없음"),
    (split_item("zh", ["扌", "巴"], ["手", "巴"]), "扌,巴"),
    (split_item("zh", ["扌", "巴"], ["手", "巴"]), "巴、手"),
    (split_item("zh", ["扌", "巴"], ["手", "巴"]), "⺘ + 巴"),
    (split_item("zh", ["扌", "巴"], ["手", "巴"]), "⼿\ufe00，巴\U000e0100"),
    (split_item("zh", ["扌", "巴"], ["手", "巴"]), "扌巴"),
    (split_item("zh", ["木", "木", "木"], ["木", "林"]), "木 木 木"),
    (split_item("zh", ["扌", "巴"], ["手", "巴"]), "扌和巴"),
    (split_item("zh", ["扌", "巴"], ["手", "巴"]), "“扌”和“巴”"),
    (split_item("zh", ["扌", "巴"], ["手", "巴"]), "「扌」「巴」"),
    (combine_item("en", "now-infamous"), "Now-Infamous"),
    (combine_item("en", "provender"), "‘ｐｒｏｖｅｎｄｅｒ’."),
    (combine_item("ko", "체"), "체"),
    (combine_item("ko", "체"), "체"),
    (combine_item("ko", "값"), "\u1100\u1161\u11b9"),
    (combine_item("zh", "肚"), "肚。"),
    (combine_item("zh", "人"), "⼈"),
    (combine_item("zh", "我", "找"), "找"),
]
WRONG = [
    (split_item("en", ["in-p", "la", "ce"]), "in-place"),
    (split_item("en", ["in-p", "la", "ce"]), "inp, la, ce"),
    (split_item("en", ["in-p", "la", "ce"]), "la, in-p, ce"),
    (split_item("en", ["in-p", "la", "ce"]), "in-p, la, ce, ce"),
    (split_item("en", ["in-p", "la", "ce"]), "in-p-la-ce"),
    (split_item("en", ["in-p", "la", "ce"]), "out-place = in-p, la, ce"),
    (split_item("en", ["in-p", "la", "ce"]), "in-p, lace"),
    (split_item("en", ["in-p", "la", "ce"]), "in-p and la and ce"),
    (split_item("en", ["in-p", "la", "ce"]), "in-p, and la, ce"),
    (split_item("zh", ["禾", "口"]), "禾和"),
    (split_item("ko", ["ㄱ", "ㅏ", "ㅄ"]), "ㄱ, ㅏ, ㅂ, ㅅ"),
    (split_item("ko", ["ㄱ", "ㅏ", "ㅄ"]), "ㄱ, ㅏ, ㅂㅅ"),
    (split_item("ko", ["ㄱ", "ㅏ", "ㅄ"]), "ㅏ, ㄱ, ㅄ"),
    (split_item("ko", ["ㄱ", "ㅏ", "ㅄ"]), "값"),
    (split_item("ko", ["ㄱ", "ㅏ", "ㅄ"]), "\u1100\u1161\u11b9"),
    (split_item("ko", ["ㄱ", "ㅏ", "ㅄ"]), "가, ㅄ"),
    (split_item("ko", ["ㄱ", "ㅏ", "ㅄ"]), "ᄀㅏㅄ"),
    (split_item("ko", ["ㄱ", "ㅏ", "ㅄ"]), "초성: ㄱ, 종성: ㅄ, 중성: ㅏ"),
    (split_item("ko", ["ㄱ", "ㅏ", "ㅄ"]), "중성: ㄱ, 초성: ㅏ, 종성: ㅄ"),
    (split_item("ko", ["ㄱ", "ㅏ", "ㅄ"]), "초성: ㄱ, 중성: ㅏ"),
    (split_item("ko", ["ㄱ", "ㅏ", "ㅄ"]), "".join(map(chr, range(0x3131, 0x3164)))),
    (split_item("ko", ["ㄱ", "ㅏ", "ㅄ"]), ", ".join(map(chr, range(0x3131, 0x3164)))),
    (split_item("ko", ["ㄱ", "ㅏ"]), "ㄱ, ㅏ, 없음"),
    (split_item("ko", ["ㄱ", "ㅏ", "ㅂ"]), "초성: ㄱ, 중성: ㅏ, 종성: 없음"),
    (split_item("ko", ["ㄱ", "ㅏ"]), "ㄱ, ㅏ, \u3164"),
    (split_item("ko", ["ㄱ", "ㅏ"]), "가"),
    (split_item("zh", ["扌", "巴"], ["手", "巴"]), "才, 巴"),
    (split_item("zh", ["扌", "巴"], ["手", "巴"]), "扌, 手, 巴"),
    (split_item("zh", ["扌", "巴"], ["手", "巴"]), "把"),
    (split_item("zh", ["扌", "巴"], ["手", "巴"]), "⿰扌巴"),
    (split_item("zh", ["扌", "巴"], ["手", "巴"]), "".join(han())[:1000] + "扌"),
    (split_item("zh", ["木", "木", "木"]), "木, 木"),
    (combine_item("en", "provender"), "nd, prove, er"),
    (combine_item("en", "provender"), "prove-nd-er"),
    (combine_item("en", "provender"), "provender, provenders"),
    (combine_item("ko", "체"), "ㅊㅔ"),
    (combine_item("ko", "체"), "ㅊ ㅔ"),
    (combine_item("ko", "체"), "ᄎ ᅦ"),
    (combine_item("ko", "체"), "ﾾￇ"),
    (combine_item("ko", "체"), "체체"),
    (combine_item("zh", "肚"), "月土"),
    (combine_item("zh", "肚"), "肚, 肝"),
]


@pytest.mark.parametrize(("item", "answer"), RIGHT)
def test_right_answers_count(item: Item, answer: str) -> None:
    assert check(tagged(answer), item).code == "right"
    assert score(tagged(answer), item, rule="graded") == 1.0


@pytest.mark.parametrize(("item", "answer"), WRONG)
def test_wrong_answers_do_not(item: Item, answer: str) -> None:
    assert score(tagged(answer), item) == 0.0
    assert score(tagged(answer), item, rule="graded") < 0.8


def test_no_echo_of_jamo_is_a_syllable() -> None:
    """NFKC would make 3,990 of them one."""
    paid = 0
    for code in range(0xAC00, 0xD7A4):
        syllable = chr(code)
        echo = "".join(hangul.decompose(syllable))
        paid += normalize("NFKC", echo) == syllable
        for answer in (echo, " ".join(echo)) if code % 8 == 0 else ():
            with pytest.raises(Exception, match="is more than one character: one is asked for"):
                compm.TASK.kind("combine").interpret(answer, combine_item("ko", syllable))
    assert paid == 3990


@pytest.mark.parametrize(
    ("item", "answer", "earned"),
    [
        (split_item("en", ["di", "sc", "ou", "nt"]), "di, sc, o, unt", 1 / 4),
        (split_item("en", ["di", "sc", "ou", "nt"]), "sc, di, nt, ou", 0.0),
        (split_item("ko", ["ㄱ", "ㅏ", "ㅄ"]), "ㄱ, ㅏ", 4 / 9),
        (split_item("ko", ["ㄱ", "ㅏ"]), "ㄱ, ㅏ, ㅂ, ㅅ", 1 / 4),
        (split_item("zh", ["扌", "巴"], ["手", "巴"]), "手", 1 / 4),
        (split_item("zh", ["扌", "巴"], ["手", "巴"]), "巴, 口", 1 / 9),
        (split_item("zh", ["木", "木", "木"], ["木", "林"]), "木, 木", 4 / 9),
        (split_item("zh", ["扌", "巴"]), "和, 巴", 1 / 9),  # it stands between no two of them
        (combine_item("en", "provender"), "provende", 0.0),
    ],
)
def test_graded_is_the_square_of_the_share_of_right_parts(
    item: Item, answer: str, earned: float
) -> None:
    assert score(tagged(answer), item, rule="graded") == pytest.approx(earned)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("lang", LANGS)
def test_the_published_scorer_agrees_on_solutions(lang: str, variant: str) -> None:
    for item in items(lang, variant, 30):
        assert score(tagged(item.solution), item, rule="published") == 1.0
        label = item.target["published"]["label"]
        for option in label.split(";"):
            assert score(tagged(option), item) == 1.0


def test_matches_is_for_plain_parts() -> None:
    assert compm.matches(["b", "a"], [["a"], ["a", "b"]])
    assert not compm.matches(["b", "a"], [["a", "b"]], ordered=True)
    assert not compm.matches(["a", "a"], [["a"], ["a", "b"]])
    assert not compm.matches([], [])
    with pytest.raises(TokenbenchError, match="parts"):
        compm.matches(["a", 1], [["a"]])  # type: ignore[list-item]
    with pytest.raises(TokenbenchError, match="accepted"):
        compm.matches(["a"], [[1]])  # type: ignore[list-item]
    with pytest.raises(TokenbenchError, match="accepted is a sequence"):
        compm.matches(["a"], 3)  # type: ignore[arg-type]


def test_folded_leaves_other_characters_unchanged() -> None:
    assert {compm.normalize_part(jamo, "ko") for jamo in ("ㄺ", "\u11b0", "ﾪ")} == {"ㄺ"}
    for other in ("가", "ㆍ", "ㄱㅅ", "Ab", ""):
        assert compm.normalize_part(other, "ko") == other
