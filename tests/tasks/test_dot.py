"""DOT: every character asked once, every bitmap readable off the prompt, one right answer."""

import json
import re
import shutil
import string
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from statistics import fmean

import fresh_python
import pytest
from answers import tagged

from tokenbench import check, dot, score
from tokenbench.draw import Split
from tokenbench.errors import DifficultyError, SourceError, UnknownNameError
from tokenbench.glyph import bitmap, bitmaps, repertoire, script
from tokenbench.glyph.similarity import cross_category_twins as across
from tokenbench.glyph.similarity import nearest_distances as nearest
from tokenbench.item import Item
from tokenbench.tasks import register
from tokenbench.tasks.wordings import N_FOR_TEST, payload_of, questions, split_closing
from tokenbench.text.languages import language

LANGS = ("en", "zh", "ko")
CHARACTER, BITMAP, NAMED = VARIANTS = ("char_to_script", "bitmap_to_script", "bitmap_to_char")
SPLITS = ("train", "validation", "test")
CATEGORIES = ("digit", "latin", "hanzi", "hangul", "kana", "greek", "symbol")
FORMS = ("matrix", "rows", "hex")
SIZE = 16


@pytest.fixture(autouse=True)
def register_task() -> Iterator[None]:
    with register(dot.TASK):
        yield


def space(**asked: object) -> int:
    size = dot.TASK.n_instances(dot.TASK.spec(**asked))  # type: ignore[arg-type]
    assert size is not None
    return size


def every(**asked: object) -> list[Item]:
    """Return one item for each character of a split."""
    return [dot.generate(index=index, **asked) for index in range(space(**asked))]  # type: ignore[arg-type]


def read(item: Item) -> list[str]:
    """Read the bitmap off the prompt as a person would: each row as zeros and ones."""
    lines = payload_of("dot", item.lang, item.prompt).split("\n")
    assert len(lines) == SIZE
    if lines[0].startswith("["):
        assert all(re.fullmatch(r"\[[01](, [01]){15}\]", line) for line in lines)
        return [re.sub(r"[^01]", "", line) for line in lines]
    if len(lines[0]) == SIZE:
        assert set("".join(lines)) <= set("#.")
        return [line.replace("#", "1").replace(".", "0") for line in lines]
    assert all(re.fullmatch("[0-9A-F]{4}", line) for line in lines)
    return [f"{int(line, 16):016b}" for line in lines]


def plain(char: str, font: str | None = None) -> str:
    return "".join(map(str, bitmap(char, font=font).ravel().tolist()))


@cache
def pictures_by_char() -> dict[str, str]:
    """Return the bitmaps of all 976 characters, as zeros and ones."""
    characters = "".join(map("".join, repertoire.characters().values()))
    pictures = bitmaps(characters).reshape(len(characters), -1).tolist()
    return {char: "".join(map(str, row)) for char, row in zip(characters, pictures, strict=True)}


def apart(one: str, other: str) -> int:
    return sum(
        a != b for a, b in zip(pictures_by_char()[one], pictures_by_char()[other], strict=True)
    )


def code_of(answer: str, accepted: str, variant: str = NAMED, lang: str = "en") -> str:
    """Return the code of the verdict on an answer."""
    item = Item("dot", 2, lang, variant, "?", {"accepted": [accepted]}, accepted)
    return check(tagged(answer), item).code


# Items.


@pytest.mark.parametrize("form", FORMS)
def test_a_bitmap_reads_back_as_that_of_one_character(form: str) -> None:
    """Who looks every bitmap of the category up finds the solution, and nothing else."""
    for item in every(variant=NAMED, split="validation", form=form):
        seen = "".join(read(item))
        category = item.meta["drawn"]["category"]
        alike = [
            char for char in repertoire.characters()[category] if pictures_by_char()[char] == seen
        ]
        assert alike == [item.solution]
        assert script(item.solution) == category
        assert item.meta["drawn"]["form"] == form


@pytest.mark.parametrize("lang", LANGS)
def test_a_bitmap_of_a_category_belongs_to_no_other(lang: str) -> None:
    names = language(lang).categories
    for item in every(variant=BITMAP, split="test", lang=lang):
        seen = "".join(read(item))
        kinds = {script(char) for char, picture in pictures_by_char().items() if picture == seen}
        assert item.target["accepted"] == [*kinds]
        assert item.solution == names[item.target["accepted"][0]]["name"]


@pytest.mark.parametrize("lang", LANGS)
def test_the_character_asked_about_is_in_the_prompt(lang: str) -> None:
    for item in every(variant=CHARACTER, split="validation", lang=lang):
        char = item.meta["drawn"]["character"]
        said = questions("dot", language(lang))["character"].format(character=char)
        assert payload_of("dot", lang, item.prompt) == said
        assert item.target["accepted"] == [script(char)]
        assert split_closing(item.prompt, lang)[1]


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_character_is_asked_once_in_one_split(variant: str) -> None:
    """All 976 differ in the pinned font; but five look like a symbol that is not among them.

    The Kanbun marks ㆒ ㆓ ㆔ ㆖, the long vowel mark ー, and µ, the sign for a millionth.
    """
    asked = Counter(
        item.meta["drawn"]["character"]
        for split in SPLITS
        for item in every(variant=variant, split=split, seed=3)
    )
    assert set(asked.values()) == {1}
    if variant == BITMAP:
        assert {*asked} < {*pictures_by_char()} - {*"一二三上μ"}
        assert space(variant=variant, split="train") >= 200
    else:
        assert {*asked} == {*pictures_by_char()}
        assert asked.total() == 976
        assert space(variant=variant, split="train") > 740


def test_the_amount_of_ink_does_not_tell_the_category() -> None:
    categories: dict[int, Counter[str]] = defaultdict(Counter)
    for split in SPLITS:
        for item in every(variant=BITMAP, split=split):
            drawn = item.meta["drawn"]
            ink = pictures_by_char()[drawn["character"]].count("1")
            categories[ink // 16][drawn["category"]] += 1
    best = sum(max(counts.values()) for counts in categories.values())
    assert best / sum(map(Counter.total, categories.values())) <= 0.45


def test_the_same_characters_are_asked_of_whatever_seed() -> None:
    for split in SPLITS:
        one, other = (
            {item.solution for item in every(variant=NAMED, split=split, seed=seed)}
            for seed in (0, 1)
        )
        assert one == other


def test_a_new_round_repeats_the_characters_in_another_order() -> None:
    size = space(variant=NAMED, split="test")
    rounds = [
        [
            dot.TASK.generate(variant=NAMED, split="test", index=index).solution
            for index in range(first, first + size)
        ]
        for first in (0, size)
    ]
    assert sorted(rounds[0]) == sorted(rounds[1])
    assert rounds[0] != rounds[1]


@pytest.mark.parametrize("lang", LANGS)
def test_all_forms_and_wordings_are_used(lang: str) -> None:
    for variant in VARIANTS:
        wordings = questions("dot", language(lang))[variant]
        told_by = [max(re.split(r"\{\w+\}", wording), key=len) for wording in wordings]
        shown: dict[Split, list[str]] = {"train": told_by[:-N_FOR_TEST], "test": told_by}
        for split, of_split in shown.items():
            made = [
                dot.generate(lang=lang, variant=variant, split=split, index=i) for i in range(90)
            ]
            found = [[text for text in told_by if text in item.prompt] for item in made]
            assert all(len(texts) == 1 for texts in found)
            assert {text for (text,) in found} == {*of_split}
        if variant != CHARACTER:
            assert {item.meta["drawn"]["form"] for item in made} == {*FORMS}


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("variant", [CHARACTER, BITMAP])
def test_the_prompt_lists_every_answer_that_it_allows(lang: str, variant: str) -> None:
    for index in range(9):
        item = dot.TASK.generate(lang=lang, variant=variant, index=index)
        listed = re.findall(r"^- (.+?) ?[(（](.+)[)）]$", item.prompt, re.MULTILINE)
        assert len(listed) == len(CATEGORIES)
        assert item.solution in {name for name, _ in listed}
        right = [name for name, _ in listed if score(tagged(name), item) == 1.0]
        assert right == [item.solution]


def test_the_category_is_in_the_prompt_for_a_character() -> None:
    for lang in LANGS:
        said = language(lang).categories
        for category in CATEGORIES:
            for index in range(6):
                item = dot.TASK.generate(lang=lang, variant=NAMED, script=category, index=index)
                assert said[category]["full"] in item.prompt
                assert item.solution in repertoire.characters()[category]


@pytest.mark.parametrize("lang", LANGS)
def test_the_wordings_keep_their_promises(lang: str) -> None:
    words = questions("dot", language(lang))
    assert tuple(language(lang).categories) == CATEGORIES
    assert tuple(words["legend"]) == FORMS
    slots = {
        CHARACTER: {"categories"},
        BITMAP: {"categories", "legend"},
        NAMED: {"category", "legend"},
    }
    for variant, names in slots.items():
        assert len({*words[variant]}) == len(words[variant]) >= 6
        for wording in words[variant]:
            filled = {name for _, name, _, _ in string.Formatter().parse(wording) if name}
            assert filled - {"payload"} == names
    assert len({said["name"] for said in language(lang).categories.values()}) == len(CATEGORIES)


# Levels and margins.


@pytest.mark.sampled(3)
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("split", SPLITS)
def test_a_level_has_all_categories_and_is_nearer_to_others_than_the_last(
    variant: str, split: str
) -> None:
    held = {
        level: [item.meta["drawn"] for item in every(variant=variant, split=split, level=level)]
        for level in range(10)
    }
    whole = {item.meta["drawn"]["category"] for item in every(variant=variant, split=split)}
    means: dict[str, list[float]] = defaultdict(list)
    for facts in held.values():
        assert {one["category"] for one in facts} == whole
        for category in whole:
            means[category].append(
                fmean(one["distance"] for one in facts if one["category"] == category)
            )
    for category, falling in means.items():
        assert all(high <= low for low, high in pairwise(falling)), category
        # There are too few bitmaps of equal ink for two levels.
        if category in ("hanzi", "hangul", "kana") and variant != BITMAP:
            assert falling[-1] < falling[0]
    reached = {one["character"] for facts in held.values() for one in facts}
    assert len(reached) == space(variant=variant, split=split)


@pytest.mark.parametrize("variant", [BITMAP, NAMED])
def test_the_distance_is_that_to_the_nearest_candidate(variant: str) -> None:
    for index in range(25):
        facts = dot.TASK.generate(variant=variant, index=index, seed=8).meta["drawn"]
        char, category = facts["character"], facts["category"]
        candidates = [
            other
            for other in pictures_by_char()
            if other != char and (script(other) == category) == (variant == NAMED)
        ]
        assert facts["distance"] == min(apart(char, other) for other in candidates)


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_margin_leaves_out_bitmaps_that_are_nearly_alike(variant: str) -> None:
    sizes = []
    for margin in (0, 2, 8):
        distances = [
            item.meta["drawn"]["distance"]
            for item in every(variant=variant, split="test", margin=margin)
        ]
        if margin or variant != CHARACTER:
            assert min(distances) > margin
        sizes.append(len(distances))
    assert sizes[0] >= sizes[1] > sizes[2] > 0


def test_a_margin_is_one_number() -> None:
    assert space(margin=[3, 3]) == space(margin=3)
    with pytest.raises(DifficultyError, match="margin"):
        dot.TASK.generate(variant=NAMED, margin=(2, 5))


# Fonts and repertoires.


def test_no_other_category_could_claim_a_bitmap() -> None:
    """Letters that the prompt does not mean, Cyrillic or capital Greek, claim nothing."""
    groups = {"latin": "AOo", "hanzi": "一口", "kana": "ロ", "greek": "μν", "symbol": "|×"}
    assert across(groups) == {"一", "μ"}
    assert bitmaps("AΑА").tolist() == 3 * bitmaps("A").tolist()
    assert across({"latin": "A", "greek": "Α"}) == {"A", "Α"}
    assert across({"hanzi": "一\U0010fffd", "kana": ""}) == {"一"}


def test_nearest_measures_within_groups_or_across() -> None:
    groups = {"latin": "oOl", "digit": "08"}
    across_groups = nearest(groups, apart=True)
    assert across_groups["o"] == min(apart("o", other) for other in "08")
    assert nearest(groups, apart=False)["l"] == min(apart("l", other) for other in "oO")
    assert nearest({"latin": "o"}, apart=True) == {"o": SIZE * SIZE}
    assert nearest({"latin": ""}, apart=False) == {}
    assert nearest({"latin": "o\U0010fffd"}, apart=False) == {"o": SIZE * SIZE}  # not in the font


LETTERS = "abcopq01αβγορへヘのニ人八口⼈가나.,|"
SAME = {"ο": "o", "ヘ": "へ", "⼈": "人"}


def font_of(letters: str) -> str:
    """Return a bitmap font (BDF) of some letters as the pinned font draws them."""
    lines = ["STARTFONT 2.1", "FONT -small-", "SIZE 16 75 75", "FONTBOUNDINGBOX 16 16 0 -2"]
    lines += ["STARTPROPERTIES 4", "FONT_ASCENT 14", "FONT_DESCENT 2"]
    lines += ['CHARSET_REGISTRY "ISO10646"', 'CHARSET_ENCODING "1"', "ENDPROPERTIES"]
    lines.append(f"CHARS {len(letters)}")
    for char in sorted(letters):
        lines += [f"STARTCHAR U+{ord(char):04X}", f"ENCODING {ord(char)}", "SWIDTH 1000 0"]
        lines += ["DWIDTH 16 0", "BBX 16 16 0 -2", "BITMAP"]
        bits = plain(SAME.get(char, char))
        lines += [f"{int(bits[at : at + 16], 2):04X}" for at in range(0, 256, 16)]
        lines.append("ENDCHAR")
    return "\n".join([*lines, "ENDFONT", ""])


@pytest.fixture(scope="module")
def small_font(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a font of a few letters, in which ο and o, へ and ヘ, 人 and ⼈ look alike."""
    path = tmp_path_factory.mktemp("fonts") / "small.bdf"
    path.write_text(font_of(LETTERS), encoding="ascii")
    return path


def of_font(variant: str, font: Path, **asked: object) -> dict[str, Item]:
    """Return the questions of a font, by character."""
    return {
        item.meta["drawn"]["character"]: item
        for split in SPLITS
        if space(variant=variant, split=split, font=font, **asked)
        for item in every(variant=variant, split=split, font=font, **asked)
    }


def test_bitmaps_that_candidates_share_are_never_asked(small_font: Path) -> None:
    every_char = {*LETTERS} - {"⼈"}
    assert {*of_font(BITMAP, small_font)} <= every_char - {*"oο"}
    assert {*of_font(NAMED, small_font)} == every_char - {*"へヘ"}
    assert {*of_font(CHARACTER, small_font)} == every_char  # no bitmap is shown


def test_a_twin_outside_the_repertoire_is_accepted(small_font: Path) -> None:
    asked = of_font(NAMED, small_font)
    assert asked["人"].target["accepted"] == ["人", "⼈"]
    assert asked["八"].target["accepted"] == ["八"]
    assert asked["o"].target["accepted"] == ["o"]
    for answer in "人⼈":
        for rule in ("exact", "graded"):
            assert score(tagged(answer), asked["人"], rule=rule) == 1.0
            assert score(tagged(answer), asked["八"], rule=rule) == 0.0


def test_accepted_are_all_characters_of_the_category_with_that_bitmap() -> None:
    """In the pinned font the Kangxi radicals are drawn as their unified twins."""
    found = {
        item.solution: item
        for split in SPLITS
        for item in every(variant=NAMED, split=split, script="hanzi")
    }
    radicals = {chr(code) for code in range(0x2F00, 0x2FD6)}
    assert "⼀" in found["一"].target["accepted"]
    assert sum(bool(radicals & {*item.target["accepted"]}) for item in found.values()) > 40
    for item in found.values():
        first, *others = item.target["accepted"]
        assert first == item.solution
        assert not {*others} & {*pictures_by_char()}
        assert {score(tagged(other), item) for other in (first, *others)} == {1.0}
        assert all(plain(other) == pictures_by_char()[first] for other in others)
        assert all(script(other) == "hanzi" for other in others)


def test_every_accepted_symbol_can_be_answered() -> None:
    """The soft hyphen is drawn as a hyphen is, yet no answer can hold it."""
    for split in SPLITS:
        for item in every(variant=NAMED, split=split, script="symbol"):
            for answer in item.target["accepted"]:
                assert score(tagged(answer), item) == 1.0
            assert "\u00ad" not in item.target["accepted"]


def test_the_font_decides_not_where_it_lies(small_font: Path, tmp_path: Path) -> None:
    there = Path(shutil.copy(small_font, tmp_path / "other.bdf"))
    for variant in (BITMAP, NAMED):
        for index in range(8):
            one, other = (
                dot.TASK.generate(variant=variant, font=font, index=index)
                for font in (str(small_font), there)
            )
            assert one.prompt == other.prompt
            assert one.id == other.id
    assert "small.bdf" in dot.TASK.generate(variant=NAMED, font=small_font).meta["source"]


def test_another_content_of_the_font_gives_other_items(small_font: Path, tmp_path: Path) -> None:
    changed = tmp_path / "small.bdf"
    changed.write_text(font_of(LETTERS[1:]), encoding="ascii")
    before, after = (
        [dot.TASK.generate(variant=NAMED, font=font, index=index).solution for index in range(8)]
        for font in (small_font, changed)
    )
    assert before != after


def test_a_font_that_cannot_serve_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no such file"):
        dot.TASK.generate(variant=NAMED, font="nowhere.ttf")
    broken = tmp_path / "broken.ttf"
    broken.write_bytes(b"\xff\xfe no font")
    with pytest.raises(SourceError, match=r"broken\.ttf"):
        dot.TASK.generate(variant=NAMED, font=broken)
    only = tmp_path / "only.bdf"
    only.write_text(font_of("abc"), encoding="ascii")
    given = "no character remains to ask for with lang='en', variant='.*', split='train', font="
    with pytest.raises(DifficultyError, match=given):
        dot.TASK.generate(variant=NAMED, font=only, script="hangul")


def test_the_source_says_what_drew_the_bitmap() -> None:
    source = dot.TASK.generate(variant=NAMED).meta["source"]
    assert re.search(r"Noto Sans .*at 14 px.*FreeType \d+\.\d+", source), source
    assert "FreeType" not in dot.TASK.generate(variant=CHARACTER).meta["source"]


def test_the_wide_repertoire_asks_for_more() -> None:
    item = dot.TASK.generate(variant=NAMED, repertoire="wide", script="hanzi", index=1)
    assert script(item.solution) == "hanzi"
    assert sum(space(variant=CHARACTER, repertoire="wide", split=split) for split in SPLITS) == 6381
    hanzi = sum(
        space(variant=NAMED, repertoire="wide", script="hanzi", split=split) for split in SPLITS
    )
    assert 3700 < hanzi <= 3755
    shared = {item.solution for item in every(variant=NAMED, split="test", script="kana")}
    wide = every(variant=NAMED, split="test", script="kana", repertoire="wide")
    assert {item.solution for item in wide} == shared


def test_options_that_mean_nothing_are_refused() -> None:
    with pytest.raises(DifficultyError, match="form has no effect"):
        dot.generate(form="hex")
    with pytest.raises(UnknownNameError, match="matrix"):
        dot.TASK.generate(variant=NAMED, form="matrx")
    with pytest.raises(UnknownNameError, match="hanzi"):
        dot.TASK.generate(script="han")
    with pytest.raises(DifficultyError, match="no character remains"):
        dot.TASK.generate(variant=NAMED, script="digit", split="test")  # no digit is of this split


# Chance.


@pytest.mark.parametrize(
    "asked", [{}, {"split": "test"}, {"level": 3}, {"split": "test", "level": 9}]
)
def test_chance_is_the_score_of_the_best_constant(asked: dict[str, object]) -> None:
    for variant in (CHARACTER, BITMAP):
        items = every(variant=variant, **asked)
        best = max(
            fmean(score(tagged(category), item) for item in items) for category in CATEGORIES
        )
        assert dot.TASK.guess_rate(items[0]) == pytest.approx(best)
    items = every(variant=NAMED, **asked)
    of_category: dict[str, Counter[str]] = defaultdict(Counter)
    for item in items:
        of_category[item.meta["drawn"]["category"]].update(item.target["accepted"])
    right = sum(max(answers.values()) for answers in of_category.values())
    assert dot.TASK.guess_rate(items[0]) == pytest.approx(right / len(items))


def test_chance_is_certain_where_the_category_is_given() -> None:
    for variant in (CHARACTER, BITMAP):
        assert dot.TASK.guess_rate(dot.TASK.generate(variant=variant, script="kana")) == 1.0
    item = dot.TASK.generate(variant=NAMED, script="digit")
    assert dot.TASK.guess_rate(item) == 1 / space(variant=NAMED, script="digit") == 1 / 9


# Judging.


@pytest.mark.parametrize("char", [*repertoire.characters()["symbol"], *"Az9ωーぎ人힘"])
def test_every_character_is_its_own_answer(char: str) -> None:
    assert code_of(char, char) == "right"
    assert code_of(f"\n {char}\u200b", char) == "right"
    assert score(f"<think>Is it <answer>x</answer>?</think>\n{tagged(char)}.", item_of(char)) == 1.0
    others = [other for other in repertoire.characters()["symbol"] if other != char]
    assert {code_of(other, char) for other in others} == {"wrong"}


def item_of(char: str) -> Item:
    return Item("dot", 2, "en", NAMED, "?", {"accepted": [char]}, char)


@pytest.mark.parametrize("char", [*repertoire.characters()["symbol"], *"Az9ωーぎ人힘"])
def test_marks_around_a_character_come_off(char: str) -> None:
    wraps = {("**", "**"), ('"', '"'), ("'", "'"), ("“", "”"), ("「", "」"), ("`", "`")}
    for left, right in wraps:
        if char not in left + right:
            assert code_of(f"{left}{char}{right}", char) == "right", (left, char)
            if char not in ".。":
                assert code_of(f"{left}{char}{right}.", char) == "right", (left, char)
    if char not in ".。":
        assert code_of(f"{char}.", char) == "right"
        assert code_of(f"{char}。", char) == "right"


@pytest.mark.parametrize("char", [*repertoire.characters()["symbol"], *"Az9ωーぎ人힘"])
def test_more_than_the_character_is_not_an_answer(char: str) -> None:
    for text in (char * 2, char * 3, f"{char} {char}", f"{char} {char} {char}", f"{char}x"):
        assert code_of(text, char) == "unparsable", text
    every_symbol = "".join(repertoire.characters()["symbol"])
    for text in (every_symbol, " ".join(every_symbol), f"{char}\0", f"not {char}", f"{char} or x"):
        assert code_of(text, char) == "unparsable", text
    pairs = tagged("x") + tagged(char)
    assert check(pairs, item_of(char), extract="only").code == "conflicting"
    assert check(tagged(char) + tagged("x"), item_of(char)).score == float(char == "x")


def test_stops_and_quotes_are_answers_of_their_own() -> None:
    for answer, char in (("'.'", "."), ('"."', "."), ("“。”", "。"), ("'\"'", '"'), ("`*`", "*")):
        assert code_of(answer, char) == "right"
    for answer in ("..", "...", ". .", ". . .", "''", '""', "'''", '"""', "**", "***", "``", "```"):
        for char in ".'\"*`。":
            assert code_of(answer, char) == "unparsable", (answer, char)


def test_case_width_and_compatibility_forms_are_kept() -> None:
    for answer, char in (
        ("a", "A"),
        ("Ａ", "A"),
        ("ｱ", "ア"),
        ("！", "!"),
        ("０", "0"),
        ("へ", "ヘ"),
        ("ο", "o"),
        ("⼈", "人"),
        ("’", "'"),
        ("Σ", "σ"),
        ("ς", "σ"),
        ("—", "ー"),
    ):
        assert code_of(answer, char) == "wrong"  # fmt: skip


def test_marks_compose() -> None:
    assert code_of("か\u3099", "が") == "right"
    assert code_of("ハ\u309a", "パ") == "right"
    assert code_of("\u1112\u1175\u11b7", "힘") == "right"
    assert code_of("\u2126", "Ω") == "right"  # canonically the same
    assert code_of("q\u0301", "q") == "unparsable"


@pytest.mark.parametrize("lang", LANGS)
def test_a_category_has_a_closed_list_of_names(lang: str) -> None:
    for category, said in language(lang).categories.items():
        name, full = said.values()
        names = (
            category,
            category.upper(),
            category.title(),
            name,
            full,
            f"“{name}”。",
            f"**{name}**",
        )
        for answer in names:
            assert code_of(answer, category, BITMAP, lang) == "right", answer
            others = [other for other in CATEGORIES if other != category]
            assert {code_of(answer, other, BITMAP, lang) for other in others} == {"wrong"}
        for answer in (
            f"{name}s", f"not {name}", f"{name} {name}", f"{name}, {name}", f"- {name}\n- {name}",
            f"{full} {full}", f"{name} (?)", f"{name} (not {category})", f"{name}\0",
            category[:-1], full.removeprefix(name),
        ):  # fmt: skip
            assert code_of(answer, category, CHARACTER, lang) == "unparsable", answer
    for separator in (" ", ", ", "\n", "/", " or "):
        listed = separator.join(CATEGORIES)
        assert code_of(listed, "kana", BITMAP, lang) == "unparsable"


def test_names_of_another_language_are_not_answers() -> None:
    assert code_of("汉字", "hanzi", BITMAP, "en") == "unparsable"
    assert code_of("한자", "hanzi", BITMAP, "zh") == "unparsable"
    assert code_of("그리스문자", "greek", BITMAP, "ko") == "right"


def test_verify_is_the_judging_itself() -> None:
    assert dot.verify("kana", {"accepted": ["kana"]})
    assert not dot.verify("假名", {"accepted": ["kana"]})
    assert dot.verify("⼈", {"accepted": ["人", "⼈"]})
    assert not dot.verify("", {"accepted": ["人"]})


def test_published_rows_are_judged_as_they_are() -> None:
    published = {"evaluation": "match_answer", "label": "kana", "variation": ""}
    target = {"accepted": ["kana"], "published": published}
    item = Item("dot", 2, "en", CHARACTER, "…\ncharacter: 'ヂ'", target, "kana")
    everything = tagged(", ".join(CATEGORIES))
    assert score(everything, item, rule="published") == 1.0  # what `exact` exists for
    assert score(everything, item) == score(everything, item, rule="graded") == 0.0
    for rule in ("exact", "graded", "published", "published_graded"):
        assert score(tagged("Kana"), item, rule=rule) == 1.0


def test_the_published_form_of_a_solution_is_right_by_the_published_rule() -> None:
    for lang in LANGS:
        for variant in VARIANTS:
            for item in every(lang=lang, variant=variant, split="validation"):
                assert item.target["published"]["evaluation"] == "match_answer"
                assert score(tagged(item.solution), item, rule="published") == 1.0


# Importing.


def heavy_modules(code: str) -> set[str]:
    """Return which heavy packages a fresh Python has loaded after some code."""
    code += "\nimport sys\nprint(*sorted({name.split('.')[0] for name in sys.modules}))"
    return {*fresh_python.output(code).split()} & {"numpy", "freetype", "fontTools"}


def test_judging_and_classifying_characters_load_nothing_heavy() -> None:
    item = json.dumps(dot.TASK.generate(lang="zh", variant=NAMED).json())
    code = "from tokenbench.tasks import register\nfrom tokenbench import dot, score\n"
    code += "with register(dot.TASK):\n"
    code += f"    score('<answer>人</answer>', {item})\n"
    code += "    made = dot.generate(lang='ko')\n"
    code += "    assert score(f'<answer>{made.solution}</answer>', made) == 1.0\n"
    assert heavy_modules(code) == set()


@pytest.mark.parametrize("variant", [BITMAP, NAMED])
def test_only_bitmaps_need_the_extra(variant: str) -> None:
    code = "import sys\nsys.modules['freetype'] = None\n"
    code += "from tokenbench.errors import MissingExtraError\n"
    code += "from tokenbench import dot\n"
    code += "dot.TASK.guess_rate(dot.generate())\n"
    code += f"try: dot.generate(variant={variant!r})\n"
    code += "except MissingExtraError as error: assert 'tokenbench[glyph]' in str(error)\n"
    code += "else: raise SystemExit('no error')\n"
    fresh_python.output(code)
