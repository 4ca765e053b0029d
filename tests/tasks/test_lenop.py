"""LENOP: texts counted as a naive reader counts, and writing that pays for nothing but writing."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain, cycle, islice, pairwise
from pathlib import Path
from random import Random
from string import ascii_lowercase
from typing import Any

import pytest
from answers import tagged
from hypothesis import given
from hypothesis import strategies as st
from unicodedata2 import normalize
from written import is_degenerate

from tokenbench import check, dataset, lenop, score
from tokenbench.answers.writing import Writing
from tokenbench.errors import DifficultyError, SourceError, UnknownNameError
from tokenbench.item import Item
from tokenbench.tasks.wordings import payload_of, split_closing
from tokenbench.text.languages import language
from tokenbench.text.lexicon import Concept, concepts

LANGS = ("en", "zh", "ko")
SPLITS = ("train", "validation", "test")
UNIT = {"en": "[A-Za-z]+", "zh": "[\u4e00-\u9fff]", "ko": "[\uac00-\ud7a3]"}
MANY = 300


# Natural prose, free of digits; how many units each holds was counted by hand.
PROSE = {
    "en": [
        ("The old lighthouse keeper lit the lamp every evening, even when no ship came.", 14),
        ("Don’t worry: it’s only rain! We’ll wait under the well-known oak, won’t we?", 13),
        ("Bread needs flour, water, salt and time. My mother bakes it on Sundays.", 13),
        ("Rivers carry snow from the mountains to the sea, year after year after year.", 14),
        ("A cat slept.", 3),
    ],
    "zh": [
        ("春天来了，公园里的花都开了，孩子们在草地上放风筝。", 22),
        ("我小时候住在海边，每天早上都能听见海浪的声音。", 21),
        ("爷爷说：“慢慢来，不着急。”", 9),
        ("一九九八年的夏天，我们全家坐火车去北京，看了长城。", 22),
    ],
    "ko": [
        ("어제는 비가 와서 하루 종일 집에서 책을 읽었다.", 19),
        ("할머니께서 끓여 주신 된장찌개가 아직도 생각난다.", 21),
        ("봄이 오면 꽃이 핀다. 산에도, 들에도, 우리 집 마당에도!", 21),
        ("“빨리 와!” 동생이 문 앞에서 소리쳤다.", 14),
    ],
}
LONG = {
    "en": (
        "When I was a child, my grandfather kept bees behind the barn. He told me that a hive is "
        "like a small town: some bees build, some guard the door, and some go out to look for "
        "flowers. In the evening we sat on the wall and listened to them. He never wore gloves. "
        "If you move slowly, he said, they will not mind you. Years later I still move slowly "
        "near a hive, and I have been stung only once, by a wasp."
    ),
    "zh": (
        "我家门前有一棵很老的枣树，听奶奶说，是她出嫁那年种下的。每到秋天，树上就挂满了红红的枣子，"
        "我和弟弟拿着竹竿去打，枣子像雨点一样落下来。奶奶坐在门口笑着看我们，嘴里说慢点儿，别摔着。"
        "后来我们搬到了城里，那棵树留给了邻居。去年回去的时候，我看见一个小姑娘正站在树下，手里也拿着一根竹竿。"
    ),
    "ko": (
        "우리 동네에는 오래된 책방이 하나 있다. 주인아저씨는 말수가 적지만 손님이 찾는 책은 금방 "
        "꺼내 온다. 비가 오는 날이면 나는 그곳에서 차를 마시며 시집을 읽는다. 창밖으로 우산을 쓴 "
        "사람들이 지나가고, 고양이 한 마리가 문가에 앉아 꼬리를 흔든다. 언젠가 이 책방이 문을 "
        "닫는다면 마음 한구석이 텅 빌 것 같다."
    ),
}


CHANCE = Random(3)


def invented() -> str:
    """Return a word of open syllables that no language has, mostly."""
    return "".join(CHANCE.choice("bdfgjkvwz") + CHANCE.choice("aeiou") for _ in range(3))


def filled(frame: str, n: int) -> list[str]:
    """Return n words of a frame again and again, with invented words for its dashes."""
    words = (word if word != "-" else invented() for word in cycle(frame.split()))
    return list(islice(words, n))


def counted() -> Iterator[str]:
    tens = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
    below = [*language("en").numerals[1:20], *(f"{ten}-one" for ten in tens)]
    return chain(below, (f"{one}-hundred-{two}" for one in below[:9] for two in below))


# By name, a language and a function that returns n units of something that is not a text.
JUNK: dict[str, tuple[str, Callable[[int], list[str]]]] = {
    "two letters in order": (
        "en",
        lambda n: [a + b for a in ascii_lowercase for b in ascii_lowercase][:n],
    ),
    "numbers in words": ("en", lambda n: list(islice(counted(), n))),
    "invented words": ("en", lambda n: [invented() for _ in range(n)]),
    "a frame with invented words": ("en", lambda n: filled("the - of the - was near my -", n)),
    "a sentence with invented names": ("en", lambda n: filled("- likes rivers", n)),
    "rare words": ("en", lambda n: [concept.en for concept in concepts()][200 : 200 + n]),
    "code points in order": ("zh", lambda n: [chr(0x4E00 + i) for i in range(n)]),
    "code points by steps": ("zh", lambda n: [chr(0x4E00 + 3 * i) for i in range(n)]),
    "random code points": ("zh", lambda n: [chr(CHANCE.randint(0x4E00, 0x9FFF)) for _ in range(n)]),
    "syllables in order": ("ko", lambda n: [chr(0xAC00 + i) for i in range(n)]),
    "random syllables": ("ko", lambda n: [chr(CHANCE.randint(0xAC00, 0xD7A3)) for _ in range(n)]),
}


def plain_count(text: str, lang: str) -> int:
    if lang == "en":
        return len(re.findall(r"[A-Za-z]+(?:['’-][A-Za-z]+)*", text))
    return len(re.findall(UNIT[lang], text))


def text_of(item: Item) -> str:
    """Return the text to count of an item's prompt."""
    return payload_of("lenop", item.lang, item.prompt)


def to_write(n: int, lang: str, **arguments: Any) -> Item:
    return lenop.TASK.generate(variant="write", lang=lang, length=n, **arguments)


def without_topic(item: Item) -> Item:
    """Return an item whose texts need not name the topic."""
    return replace(item, target={**item.target, "names": []})


def free(n: int, lang: str, **arguments: Any) -> Item:
    return without_topic(to_write(n, lang, **arguments))


def about(topic: str, text: str, lang: str) -> Item:
    """Return an item that asks for as many units as a text has, and for a topic."""
    item = writing(text, lang)
    return replace(item, target={**item.target, "topic": topic, "names": [topic]})


def writing(text: str, lang: str) -> Item:
    """Return an item that asks for as many units as a text has."""
    return free(max(5, lenop.count(text, lang)), lang)


def verdict(text: str, lang: str) -> str:
    """Return the code for a text under an item that asks for its very count."""
    return check(tagged(text), writing(text, lang)).code


def vocabulary(lang: str) -> list[str]:
    """Return many different one-unit tokens of a language."""
    if lang == "en":
        return sorted({re.sub("[^a-z]", "", concept.en) for concept in concepts()} - {""})[:300]
    name = "zh" if lang == "zh" else "ko"
    return sorted({char for concept in concepts() for char in getattr(concept, name)})[:300]


def join_units(units: list[str], lang: str) -> str:
    return (" " if lang == "en" else "").join(units)


def write(path: Path, content: str) -> Path:
    path.write_text(content, encoding="utf-8")
    return path


# The building blocks.


@pytest.mark.parametrize("lang", LANGS)
def test_prose_is_counted_as_by_hand(lang: str) -> None:
    for text, n in PROSE[lang]:
        assert lenop.count(text, lang) == n == plain_count(text, lang), text


def test_a_word_may_hold_apostrophes_and_hyphens_within() -> None:
    for text, n in [
        ("it's", 1),
        ("it’s", 1),
        ("well-known", 1),
        ("rock'n'roll", 1),
        ("a - b", 2),
        ("- 'quoted' -", 1),
        ("“don’t”", 1),
        ("a--b", 2),
        ("twenty one", 2),
        ("naïve café", 2),
        ("a.b,c", 3),
        ("", 0),
        ("1 22 333", 0),
        ("字 가", 0),
    ]:
        assert lenop.count(text, "en") == n, text


def test_characters_of_every_plane_are_characters() -> None:
    assert lenop.count("𠮷野家，㐀〇々。Abc123가", "zh") == 6
    assert lenop.count("각ㄱㅏ각힣 abc字", "ko") == 3
    assert lenop.count(normalize("NFD", "각 힣"), "ko") == 2


@given(st.text("aB' -’.,\n1é字가\u200b", max_size=30))
def test_count_agrees_with_a_plain_count(text: str) -> None:
    seen = text.replace("\u200b", "")
    words = re.findall(r"[aBé]+(?:['’-][aBé]+)*", seen)
    assert lenop.count(text, "en") == len(words)
    assert lenop.count(text, "zh") == seen.count("字")
    assert lenop.count(text, "ko") == seen.count("가")


# Counting: items.


@pytest.mark.parametrize("lang", LANGS)
def test_the_solution_is_the_count_of_the_text_in_the_prompt(lang: str) -> None:
    letters = {
        "en": "[A-Za-z ,.?!]+",
        "zh": "[\u4e00-\u9fff，、。？！]+",
        "ko": "[\uac00-\ud7a3 ,.?!]+",
    }
    counts = []
    for index in range(MANY):
        item = lenop.TASK.generate(seed=9, index=index, lang=lang)
        text = text_of(item)
        assert re.fullmatch(letters[lang], text), text
        assert item.solution == str(plain_count(text, lang))
        counts.append(int(item.solution))
    assert 5 <= min(counts) < 15
    assert 244 < max(counts) <= 254


@pytest.mark.parametrize("lang", LANGS)
def test_counts_are_spread_evenly(lang: str) -> None:
    tens = Counter(
        (int(lenop.TASK.generate(seed=2, index=index, lang=lang).solution) - 5) // 25
        for index in range(500)
    )
    assert sorted(tens) == [*range(10)]
    assert sum((count - 50) ** 2 / 50 for count in tens.values()) < 27.88  # 999 in 1,000


@pytest.mark.parametrize("lang", LANGS)
def test_the_longest_text_that_may_be_asked_for_is_made(lang: str) -> None:
    item = lenop.TASK.generate(lang=lang, length=4096)
    assert plain_count(text_of(item), lang) == 4096


def test_a_users_text_is_cut_to_countable_units(tmp_path: Path) -> None:
    raw = "It's a well-known 3rd “fact”, isn't it? Yes: no twenty-one; ½ of the naïve café! "
    text = write(tmp_path / "odd.txt", raw * 20)
    for index in range(30):
        item = lenop.generate(text=text, length=(5, 60), index=index)
        passage = text_of(item)
        assert item.solution == str(len(passage.split()))
        assert not re.search(r"[0-9'’½-]|\b(?:yes|no)\b", passage.lower())
        assert re.match(r"odd\.txt sha256:[0-9a-f]{12}", item.meta["source"])


@pytest.mark.parametrize("answer", ["{n}", "{n}.", "{n} words", "０{n}", "**{n}**", "{n}.0"])
def test_one_whole_number_is_right(answer: str) -> None:
    item = lenop.generate(index=1)
    assert check(tagged(answer.format(n=item.solution)), item).code == "right"


@pytest.mark.parametrize(
    "answer",
    ["-{n}", "about {n}", "{n} or 7", "{n}-{n}", "{n}?", "{n},5", "7 {n}", "{n} cats", "~{n}"],
)
def test_hedges_signs_and_ranges_are_not_right(answer: str) -> None:
    item = lenop.generate(index=1)
    for rule in ("exact", "graded"):
        assert score(tagged(answer.format(n=item.solution)), item, rule=rule) == 0.0


@given(st.integers(0, 600))
def test_graded_falls_to_nothing_at_a_fortieth(given: int) -> None:
    """An estimate by the characters or marks of a text is right within a twentieth."""
    item = lenop.generate(length=60)
    expected = max(0.0, 1 - abs(given - 60) / 1.5)
    assert score(tagged(str(given)), item, rule="graded") == pytest.approx(expected)
    assert score(tagged(str(given)), item) == float(given == 60)


# Writing: items.


@pytest.mark.parametrize("lang", LANGS)
def test_the_solution_has_the_length_that_the_prompt_asks_for(lang: str) -> None:
    for index in range(MANY):
        item = lenop.TASK.generate(seed=9, index=index, lang=lang, variant="write")
        (n,) = map(int, re.findall("[0-9]+", item.prompt))
        assert 5 <= n <= 254
        assert plain_count(item.solution, lang) == n
        assert not re.search("[0-9]", item.solution)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("source", ["core", "wordfreq"])
def test_the_solution_is_right_by_every_rule_whatever_the_words(lang: str, source: str) -> None:
    for item in dataset("lenop", lang=lang, variant="write", words=source, length=(5, 80), n=100):
        for rule in ("exact", "graded", "published", "published_graded"):
            assert score(tagged(item.solution), item, rule=rule) == 1.0, (rule, item.solution)


@pytest.mark.parametrize("words", ["café naïve résumé façade", "日々 人々 二〇 三〇 四〇 十〇"])
def test_a_users_words_do_not_undo_the_published_witness(words: str, tmp_path: Path) -> None:
    lang = "en" if words[0] == "c" else "zh"
    more = (
        "oak elm fir ash yew bay fig pea hop rye oat tea"
        if lang == "en"
        else "天 山 日月 花草 云 雨 风 雪 海 江 河 湖"
    )
    path = write(tmp_path / "words.txt", f"{words} {more}".replace(" ", "\n"))
    for item in dataset("lenop", lang=lang, variant="write", words=path, length=(5, 40), n=40):
        assert score(tagged(item.solution), item, rule="published") == 1.0, item.solution


@pytest.mark.parametrize("lang", LANGS)
def test_the_topic_is_in_the_prompt_and_begins_the_solution(lang: str) -> None:
    for item in islice(dataset("lenop", lang=lang, variant="write", length=60), 60):
        topic = item.meta["drawn"]["topic"]
        assert re.search(f"[“‘]{topic}[”’]", item.prompt)
        assert topic in item.solution.lower()


@pytest.mark.parametrize("split", SPLITS)
def test_topics_are_aligned_over_the_languages(split: str) -> None:
    """The same seed, index and split ask for the same concept in every language."""
    names = {(concept.en, concept.zh, concept.ko) for concept in concepts()}
    for seed in (0, 7):
        for index in (0, 1, 2, 1000):
            topics = tuple(
                lenop.TASK.generate(
                    lang=lang,
                    variant="write",
                    seed=seed,
                    index=index,
                    split=split,  # type: ignore[arg-type]
                ).meta["drawn"]["topic"]
                for lang in LANGS
            )
            assert topics in names


def named_concepts() -> list[Concept]:
    """Return the concepts that are topics: their names have two characters or more."""
    return [concept for concept in concepts() if min(len(concept.zh), len(concept.ko)) > 1]


def topics(lang: str, split: str, length: int = 9) -> list[str]:
    """Return each topic of a split once: with one length, the space is the topics."""
    data = dataset("lenop", lang=lang, variant="write", length=length, split=split)  # type: ignore[arg-type]
    return [item.meta["drawn"]["topic"] for item in data]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("lang", LANGS)
def test_splits_share_no_topic_and_hold_all(lang: str) -> None:
    by_split = {split: topics(lang, split) for split in SPLITS}
    every = [topic for split in SPLITS for topic in by_split[split]]
    assert len(every) == len(set(every)) == len(named_concepts()) > 1500
    assert set(every) == {getattr(concept, lang) for concept in named_concepts()}
    assert 0.75 < len(by_split["train"]) / len(every) < 0.85
    assert 0.07 < len(by_split["validation"]) / len(every) < 0.13


@pytest.mark.sampled(3)
@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("length", [5, pytest.param(6, marks=pytest.mark.thorough)])
def test_a_topic_is_asked_for_only_where_there_is_room_for_two_units_more(
    length: int, lang: str
) -> None:
    """In no language does its name fill the shortest text, so that topics stay aligned."""
    fitting = {
        getattr(concept, lang)
        for concept in named_concepts()
        if max(len(concept.zh), len(concept.ko)) + 2 <= length
    }
    found = {topic for split in SPLITS for topic in topics(lang, split, length)}
    assert found == fitting
    assert len(found) < len(named_concepts())


@pytest.mark.parametrize("lang", ["zh", "ko"])
def test_a_single_character_is_no_topic(lang: str, tmp_path: Path) -> None:
    """A text would name it by a piece of any other word."""
    several = [getattr(concept, lang) for concept in named_concepts()[:40]]
    single = {word for concept in concepts() if len(word := getattr(concept, lang)) == 1}
    assert len(single) > 50
    path = write(tmp_path / "w.txt", "\n".join([*single, *several]))
    data = dataset("lenop", lang=lang, variant="write", length=7, words=path)
    assert {item.meta["drawn"]["topic"] for item in data} <= {*several}


def test_topic_and_length_do_not_recur_until_all_are_used() -> None:
    data = dataset("lenop", variant="write", length=(20, 22), split="test")
    size = len(data)
    assert size % 3 == 0
    twice = dataset("lenop", variant="write", length=(20, 22), split="test", n=2 * size)
    asked = [tuple(item.meta["drawn"].values()) for item in twice]
    assert len(set(asked[:size])) == size == len(set(asked[size:]))
    assert set(asked[:size]) == set(asked[size:])
    assert asked[:size] != asked[size:]


def test_the_seed_changes_the_order_and_not_the_space() -> None:
    first, second = (
        [
            item.meta["drawn"]["topic"]
            for item in dataset("lenop", variant="write", length=6, split="test", seed=seed)
        ]
        for seed in (0, 1)
    )
    assert first != second
    assert sorted(first) == sorted(second)


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("variant", ["count", "write"])
def test_levels_grow_in_length(lang: str, variant: str) -> None:
    longest = 0
    for level in range(10):
        found = [
            lenop.TASK.generate(index=index, lang=lang, variant=variant, level=level).target[
                "count"
            ]
            for index in range(10)
        ]
        assert min(found) > longest
        longest = max(found)
    assert longest <= 254


def test_chance_of_a_count_is_that_of_the_best_constant() -> None:
    assert lenop.TASK.guess_rate(lenop.generate()) == 1 / 250
    assert lenop.TASK.guess_rate(lenop.generate(level=0)) == 1 / 25
    assert lenop.TASK.guess_rate(lenop.generate(length=(7, 8))) == 1 / 2


def dump(asked: list[str], n: int, lang: str) -> str:
    """Return n units that name as many topics as can simply be put side by side."""
    if lang == "en":
        return ", ".join(asked[:n])
    text = ""
    for topic in sorted(asked, key=len):
        text += topic * (topic not in text)
    return text[:n]


@pytest.mark.sampled(6)
@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("n", [7, 29, pytest.param(254, marks=pytest.mark.thorough)])
def test_no_dump_of_topics_is_right_more_often_than_by_chance(lang: str, n: int) -> None:
    """A fixed text names few topics; a packed one shows that the bound is realistic.

    In English a text of topics alone is below the floor.
    """
    data = list(dataset("lenop", lang=lang, variant="write", length=n))
    text = dump([item.meta["drawn"]["topic"] for item in data], n, lang)
    items = [item for item in data if item.target["count"] == lenop.count(text, lang)]
    hits = sum(lenop.verify(text, item.target) for item in items)
    chance = lenop.TASK.guess_rate(data[0])
    assert len(items) == len(data)
    assert (0 if lang == "en" else chance / 16) <= hits / len(data) <= chance < 1 / 2


def test_chance_is_one_where_words_are_not_our_own(tmp_path: Path) -> None:
    """They are not looked at: who scores an item need not have the file."""
    words = [concept.en for concept in concepts()[:40]]
    path = write(tmp_path / "words.txt", "\n".join(words))
    item = to_write(9, "en", words=path)
    path.unlink()
    assert lenop.TASK.guess_rate(item) == 1.0
    assert lenop.TASK.guess_rate(to_write(4096, "zh")) == 1.0


@pytest.mark.parametrize("variant", ["count", "write"])
@pytest.mark.parametrize("length", [4, 4097, "10", 10.0, True, (9, 6), (6,), (5, 6, 7), {5}])
def test_an_impossible_length_is_one_clear_error(variant: str, length: object) -> None:
    with pytest.raises(DifficultyError, match=r"^length=[^\n]*$"):
        lenop.TASK.generate(variant=variant, length=length)


def test_writing_takes_no_text(tmp_path: Path) -> None:
    text = write(tmp_path / "text.txt", "some words of a text that nobody reads " * 9)
    with pytest.raises(DifficultyError, match=r"^[^\n]*text[^\n]*$"):
        lenop.generate(variant="write", text=text)


def test_an_unknown_variant_is_named_with_the_nearest_one() -> None:
    with pytest.raises(UnknownNameError, match=r"'wrote'.*count, write.*'write'"):
        lenop.TASK.generate(variant="wrote")


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("length", [400, 1000, 4096])
def test_every_length_that_may_be_asked_for_can_be_written(lang: str, length: int) -> None:
    for index in range(4):
        item = to_write(length, lang, index=index)
        assert score(tagged(item.solution), item) == 1.0


@pytest.mark.parametrize("lang", LANGS)
def test_a_users_words_are_the_topics_wherever_the_file_lies(lang: str, tmp_path: Path) -> None:
    words = [getattr(concept, lang) for concept in concepts()[:40]]
    (tmp_path / "there").mkdir()
    paths = [tmp_path / "a.txt", tmp_path / "there" / "b.txt"]
    for path in paths:
        write(path, "\n".join(words))
    for index in range(8):
        here, there = (to_write(9, lang, words=path, index=index) for path in paths)
        assert (here.prompt, here.target, here.id) == (there.prompt, there.target, there.id)
        assert here.meta["drawn"]["topic"] in words
        assert re.match(r"a\.txt sha256:[0-9a-f]{12}", here.meta["source"])


def test_a_users_words_keep_to_their_split(tmp_path: Path) -> None:
    path = write(tmp_path / "w.txt", "\n".join(concept.en for concept in concepts()[:200]))
    found = [
        {
            item.meta["drawn"]["topic"]
            for item in dataset(
                "lenop",
                variant="write",
                length=5,
                words=path,
                split=split,  # type: ignore[arg-type]
            )
        }
        for split in SPLITS
    ]
    assert len(set().union(*found)) == sum(map(len, found)) == 200


def test_a_split_without_a_single_topic_is_one_clear_error(tmp_path: Path) -> None:
    words = topics("en", "train")[:12]
    path = write(tmp_path / "train.txt", "\n".join(words))
    with pytest.raises((DifficultyError, SourceError), match=r"^[^\n]+$"):
        lenop.generate(variant="write", words=path, split="test")


# Writing: right texts.


@pytest.mark.parametrize("lang", LANGS)
def test_natural_prose_of_the_right_length_is_right(lang: str) -> None:
    for text, n in PROSE[lang]:
        if n >= 5:
            assert verdict(text, lang) == "right", text
            assert check(tagged(text), free(n + 1, lang)).code == "wrong"
    assert verdict(LONG[lang], lang) == "right"


@pytest.mark.parametrize("lang", LANGS)
def test_natural_prose_is_right_cut_anywhere(lang: str) -> None:
    starts = [match.end() for match in re.finditer(UNIT[lang], LONG[lang])]
    for end in starts[5::7]:
        assert verdict(LONG[lang][:end], lang) == "right", LONG[lang][:end]


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize(
    "form", ["“{}”", "**{}**", "```\n{}\n```", "{}\n", "\u200b{}", "— {} —", "({})", "{} 🙂", "{}…"]
)
def test_quotes_marks_and_spaces_around_a_text_are_free(lang: str, form: str) -> None:
    text, n = PROSE[lang][0]
    assert check(tagged(form.format(text)), free(n, lang)).code == "right"


def test_decomposed_hangul_is_the_same_text() -> None:
    for text in (*(text for text, _ in PROSE["ko"]), LONG["ko"]):
        assert verdict(normalize("NFD", text), "ko") == verdict(text, "ko") == "right"


def test_curly_and_straight_apostrophes_are_the_same() -> None:
    text, n = PROSE["en"][1]
    for mark in "'’‘":
        assert check(tagged(text.replace("’", mark)), free(n, "en")).code == "right"


def test_fullwidth_letters_and_rare_characters_are_of_their_script() -> None:
    wide = re.sub("[a-z]", lambda letter: chr(ord(letter[0]) + 0xFEE0), "we saw a cat by the sea")
    assert verdict(wide, "en") == "right"
    assert verdict("The naïve fiancée brought a crème brûlée to the café", "en") == "right"
    assert verdict("𠮷先生在㐂屋吃饭，时时谈起〇和人々。", "zh") == "right"


# Writing: wrong texts.


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize(
    "strange",
    [
        "5",
        "５",
        "٣",
        "x1",
        "Ⅳ",
        "²",
        "①",
        "½",
        "ひ",
        "カ",
        "ー",
        "я",
        "α",
        "ب",
        "א",
        "क",
        "ㄱ",
        "ᄀ",
        "㎏",
        "ⓐ",
        "\u0301",
        "\x00",
        "\ud800",
        "\ue000",
        "ㅏ",
        "ㄅ",
    ],
)
def test_digits_and_letters_of_other_scripts_are_not_free(lang: str, strange: str) -> None:
    text, n = PROSE[lang][0]
    for answer in (f"{text} {strange}", f"{strange} {text}", text.replace(" ", f" {strange} ", 1)):
        if strange in answer:
            for rule in ("exact", "graded"):
                assert score(tagged(answer), free(n, lang), rule=rule) == 0.0


@pytest.mark.parametrize(
    ("lang", "strange"),
    [("en", "字"), ("en", "가"), ("zh", "a"), ("zh", "가"), ("ko", "a"), ("ko", "字"), ("zh", "é")],
)
def test_the_other_languages_scripts_are_not_free(lang: str, strange: str) -> None:
    text, n = PROSE[lang][0]
    for rule in ("exact", "graded"):
        assert score(tagged(f"{text} {strange}"), free(n, lang), rule=rule) == 0.0


@pytest.mark.parametrize("lang", LANGS)
def test_a_label_or_word_count_next_to_the_text_is_not_free(lang: str) -> None:
    text, n = PROSE[lang][0]
    label = {"en": "Text: {}", "zh": "Text: {}", "ko": "Text: {}"}[lang]
    for answer in (label.format(text), f"{text} ({n})", f"{text}\n{text}"):
        assert score(tagged(answer), free(n, lang)) == 0.0


@pytest.mark.parametrize(("lang", "label"), [("en", "Answer"), ("zh", "答案"), ("ko", "정답")])
def test_a_label_that_announces_an_answer_is_never_counted(lang: str, label: str) -> None:
    text, n = PROSE[lang][0]
    labelled = tagged(f"{label}: {text}")
    assert score(labelled, free(n, lang)) == 1.0
    assert score(labelled, free(n + lenop.count(label, lang), lang)) == 0.0


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("n", [5, 6, 7, 8, 11, 20, 51, 254])
def test_a_cycle_that_comes_round_twice_earns_nothing(lang: str, n: int) -> None:
    units = vocabulary(lang)
    for period in {*range(1, min(n // 2, 12) + 1), n // 4 or 1, n // 3, n // 2}:
        cycle = [units[i % len(units)] for i in range(period)]
        chosen = (cycle * n)[:n]
        text, item = join_units(chosen, lang), free(n, lang)
        assert is_degenerate(chosen, language(lang)), period
        for rule in ("exact", "graded"):
            assert score(tagged(text), item, rule=rule) == 0.0, period


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("n", [5, 12, 60, 254])
def test_one_unit_repeated_earns_nothing_however_it_is_dressed(lang: str, n: int) -> None:
    unit = vocabulary(lang)[7]
    item = free(n, lang)
    for text in (
        join_units([unit] * n, lang),
        ", ".join([unit] * n),
        "\n".join([unit] * n),
        " ".join([unit, unit.upper()] * n).rsplit(" ", n)[0],
        "! ".join(f"“{unit}”" for _ in range(n)),
        join_units([unit] * (n - 1) + [vocabulary(lang)[8]], lang),
    ):
        for rule in ("exact", "graded"):
            assert score(tagged(text), item, rule=rule) == 0.0, text[:60]


@pytest.mark.parametrize("lang", LANGS)
def test_recased_cycles_are_cycles(lang: str) -> None:
    units = vocabulary(lang)[:6]
    recased = [unit.upper() if i % 4 else unit for i, unit in enumerate(units * 5)]
    assert is_degenerate(recased, language(lang))


def echoes(lang: str) -> Iterator[tuple[Item, list[str]]]:
    """Yield items, each with as many units of its own prompt as it asks for."""
    for index in range(300):
        item = lenop.TASK.generate(variant="write", lang=lang, length=(10, 40), index=index)
        units = re.findall(UNIT[lang], re.sub("</?answer>", "", item.prompt))
        if item.target["count"] <= len(units):
            yield item, units[: item.target["count"]]


@pytest.mark.parametrize("lang", LANGS)
def test_the_prompt_is_not_an_answer(lang: str) -> None:
    seen = 0
    for item, echo in echoes(lang):
        seen += 1
        for text in (join_units(echo, lang), join_units(echo, lang).upper(), ", ".join(echo)):
            for rule in ("exact", "graded"):
                assert score(tagged(text), without_topic(item), rule=rule) == 0.0, text
    assert seen > 50


@pytest.mark.sampled(3)
@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("step", [5, 10])
def test_the_prompt_with_every_nth_unit_exchanged_is_not_an_answer(lang: str, step: int) -> None:
    others = vocabulary(lang)[100:]
    paid = []
    for item, echo in echoes(lang):
        text = join_units(
            [others[i] if i % step == step // 2 else unit for i, unit in enumerate(echo)], lang
        )
        paid += [text] * (score(tagged(text), item, rule="graded") > 0)
    assert not paid


@pytest.mark.parametrize("lang", LANGS)
def test_the_prompt_again_and_again_with_changes_is_not_an_answer(lang: str) -> None:
    others = vocabulary(lang)[100:]
    for index in range(40):
        item = lenop.TASK.generate(variant="write", lang=lang, length=(90, 250), index=index)
        asked = re.findall(UNIT[lang], re.sub("</?answer>", "", item.prompt))
        echo = [*islice(cycle(asked), item.target["count"])]
        text = [others[at % len(others)] if at % 4 == 3 else unit for at, unit in enumerate(echo)]
        assert score(tagged(join_units(text, lang)), item, rule="graded") == 0.0, text


@pytest.mark.parametrize("lang", LANGS)
def test_the_whole_prompt_repeated_earns_nothing(lang: str) -> None:
    item = free(5, lang)
    clean = re.sub("[0-9]|</?answer>", "", item.prompt)
    for times in (1, 2, 5):
        text = clean * times
        if lenop.count(text, lang) >= 5:
            asked = free(lenop.count(text, lang), lang, index=0)
            own = re.sub("[0-9]|</?answer>", "", asked.prompt) * times
            assert score(tagged(own), asked, rule="graded") == 0.0


def rules_broken(found: list[str], prompt: list[str], topic: list[str], lang: str) -> set[str]:
    """Return which of the documented rules a text breaks, given by its units."""
    n = len(found)
    pairs = list(pairwise(found))
    runs = [tuple(found[start : start + 5]) for start in range(n - 4)]
    others = [pair for pair in pairs if pair not in pairwise(topic)]
    echoed = [pair for pair in others if pair in pairwise(prompt)]
    letters = [unit for unit in found if len(unit) == 1 and unit not in ("a", "i", "o")]
    broken = {
        "few units": len(set(found)) < min(1 + n / 4, 64),
        "letters": lang == "en" and len(letters) > n / 4,
        "twice": any(found[period:] == found[: n - period] for period in range(1, n // 2 + 1)),
        "few pairs": 5 * len(set(pairs)) <= 2 * (n - 1),
        "few runs": 5 * len(set(runs)) < 3 * len(runs),
        "the prompt": len(echoed) == len(others)
        or (len(set(echoed)) >= 4 and 10 * len(echoed) >= 3 * len(others)),
    }
    return {rule for rule, is_broken in broken.items() if is_broken}


@pytest.mark.parametrize("lang", LANGS)
def test_a_text_is_degenerate_exactly_if_it_breaks_a_rule(lang: str) -> None:
    """Against a twin, on short texts of a few units, until each rule has decided on its own."""
    known = {
        "en": ["a", "i", "o", "b", "e", "we", "cat", "sea", "tree", "moon"],
        "zh": [*"我猫海山水木天日月人"],
        "ko": [*"가나다라마바사아자차"],
    }[lang]
    chance = Random(11)
    alone: Counter[str] = Counter()
    for _ in range(4000):
        some = chance.sample(known, chance.randint(2, len(known)))
        prompt, topic = (chance.choices(some, k=chance.randint(0, most)) for most in (9, 3))
        pieces = [*([unit] for unit in some), topic, topic, topic]
        text = [*chain(*chance.choices(pieces, k=chance.randint(0, 10)))] * chance.choice([1, 1, 2])
        if len(text) > 8 and chance.random() < 0.3:  # again, with a change
            text = [*text, chance.choice(known), *text]
        broken = rules_broken(text, prompt, topic, lang)
        found = [unit.upper() for unit in text]
        given = [join_units(units, lang) for units in (prompt, topic)]
        assert is_degenerate(found, language(lang), *given) == bool(broken), (found, given)
        alone.update(broken if len(broken) == 1 else ["sound"] * (not broken))
    rules = ["sound", "few units", "the prompt", "twice", "letters"]
    assert all(alone[rule] > 5 for rule in rules[: 5 if lang == "en" else 4]), alone


@pytest.mark.parametrize("lang", LANGS)
def test_a_long_passage_three_times_with_changes_is_degenerate(lang: str) -> None:
    units, others = vocabulary(lang)[:40], vocabulary(lang)[100:]
    text = [others[i] if i % 25 == 7 else unit for i, unit in enumerate(units * 3)]
    assert is_degenerate(text, language(lang))
    assert not is_degenerate(units, language(lang))


@pytest.mark.parametrize("lang", LANGS)
def test_graded_writing_is_as_for_counts_if_the_text_is_sound(lang: str) -> None:
    text = LONG[lang]
    n = lenop.count(text, lang)
    for wanted in (n - 30, n - 5, n - 1, n, n + 1, n + 9, n + 40):
        item = free(wanted, lang)
        expected = max(0.0, 1 - abs(n - wanted) / (wanted / 5))
        assert score(tagged(text), item, rule="graded") == pytest.approx(expected)


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("empty", ["", "   ", "…", "!?", "123", "🙂", "<p></p>", "。"])
def test_a_text_without_units_earns_nothing(lang: str, empty: str) -> None:
    for rule in ("exact", "graded"):
        assert score(tagged(empty), free(5, lang), rule=rule) == 0.0


def test_a_text_over_the_limit_is_turned_away_unread() -> None:
    item = free(5, "en")
    assert check(tagged("a " * 50_000), item).code == "too_long"


# Writing: naming the topic.


@pytest.mark.parametrize("lang", LANGS)
def test_every_solution_names_its_topic_at_every_length(lang: str) -> None:
    """Composed or listed, from the shortest text on."""
    for length in (5, 6, 7, 8, 9, 12, 254):
        for item in islice(dataset("lenop", lang=lang, variant="write", length=length), 60):
            topic = item.meta["drawn"]["topic"]
            assert item.target["names"] == [topic] == [item.target["topic"]]
            assert topic in item.solution.lower()


@pytest.mark.parametrize("lang", LANGS)
def test_a_sound_text_that_names_no_topic_earns_nothing(lang: str) -> None:
    for text, topic in ((LONG[lang], {"en": "zebra", "zh": "斑马", "ko": "얼룩말"}[lang]),):
        item = about(topic, text, lang)
        for rule in ("exact", "graded"):
            assert score(tagged(text), item, rule=rule) == 0.0
        verdict = check(tagged(text), item)
        assert (verdict.code, verdict.reason) == ("wrong", f"the text does not name “{topic}”")
        for theirs in ("published", "published_graded"):
            assert score(tagged(text), item, rule=theirs) == 1.0
        assert score(tagged(text), without_topic(item)) == 1.0


@pytest.mark.sampled(3)
@pytest.mark.parametrize("lang", LANGS)
def test_the_solution_of_one_item_is_not_that_of_another(lang: str) -> None:
    """A text of the right length on another topic is not paid, but where it names both."""
    items = dataset("lenop", lang=lang, variant="write", length=12)[:30]
    paid = 0
    for item in items:
        for other in items:
            named = item.target["topic"] in other.solution.replace(" ", "").lower()
            paid += (score(tagged(other.solution), item) > 0) and not named
    assert paid == 0


@pytest.mark.parametrize("lang", LANGS)
def test_every_prompt_says_that_the_word_has_to_occur_and_its_first_number_is_n(lang: str) -> None:
    english = "th(at exact|at very|is very) word|word itself"
    said = {"en": english, "zh": "这个词", "ko": "이 낱말"}[lang]
    for item in dataset("lenop", lang=lang, variant="write", length=37, split="test")[:60]:
        question, _ = split_closing(item.prompt, lang)
        assert re.search(said, question)
        assert re.findall(r"[0-9]+", question) == ["37"]


NATURAL = Path(__file__).parents[1] / "text/natural"


@pytest.mark.parametrize("lang", LANGS)
def test_no_natural_text_is_refused_at_its_own_length(lang: str) -> None:
    """Stories, recipes, letters, verse with refrains, minutes, jokes, of 5 to 200 units."""
    rows = (NATURAL / f"{lang}.tsv").read_text(encoding="utf-8").splitlines()
    assert len(rows) == 100
    for kind, topic, text in (row.split("\t") for row in rows):
        n = lenop.count(text, lang)
        target = {
            "count": n,
            "lang": lang,
            "prompt": f"Write about {topic}.",
            "topic": topic,
            "names": [topic],
        }
        assert lenop.verify(text, target), (kind, text, Writing().explain(text, target))


def test_parallel_sentences_are_no_repetition() -> None:
    parallel = {
        "en": "The {} is old. The {} is green. The {} is quiet. The {} is mine.",
        "zh": "{}是我的朋友。{}是我的梦想。{}是我的生命。",
        "ko": "{}은 나의 친구입니다. {}은 나의 꿈입니다. {}은 나의 삶입니다.",
    }
    topics = {"en": "river", "zh": "面包", "ko": "빵집"}
    for lang, text in parallel.items():
        item = about(topics[lang], text.format(*[topics[lang]] * 4), lang)
        assert score(tagged(text.format(*[topics[lang]] * 4)), item) == 1.0


@pytest.mark.parametrize("name", sorted(JUNK))
@pytest.mark.parametrize("n", [12, 40, 120, 250])
def test_what_is_not_a_text_earns_nothing(name: str, n: int) -> None:
    lang, make = JUNK[name]
    found = make(n)
    item = free(n, lang)
    assert lenop.count(join_units(found, lang), lang) == n
    for rule in ("exact", "graded"):
        assert score(tagged(join_units(found, lang)), item, rule=rule) == 0.0, found[:20]
