"""Topics: named by themselves and their regular forms, and by nothing that merely contains them."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from unicodedata2 import normalize
from written import names_any

from tokenbench.answers.writing import most_named, word_forms
from tokenbench.text.languages import language
from tokenbench.text.lexicon import words
from tokenbench.text.units import units

LANGS = ("en", "zh", "ko")


@pytest.mark.parametrize("lang", LANGS)
def test_every_topic_is_named_by_itself_however_it_is_written(lang: str) -> None:
    for topic in words(lang).words:
        for text in (
            topic,
            topic.upper(),
            topic.capitalize(),
            f"“{topic}”",
            f"**{topic}**!",
            f"{topic}，{topic}",
            "\u200b".join(topic),
            normalize("NFD", topic),
            "".join(chr(ord(char) + 0xFEE0) if char.isascii() else char for char in topic),
        ):
            assert names_any(f"x. {text}\n", [topic], language(lang)), text


@pytest.mark.parametrize(
    ("topic", "form"),
    [
        ("cat", "cats"),
        ("cat", "cat’s"),
        ("cat", "cats'"),
        ("cat", "cat-like"),
        ("cat", "CATS"),
        ("city", "cities"),
        ("day", "days"),
        ("bus", "buses"),
        ("box", "boxes"),
        ("waltz", "waltzes"),
        ("quiz", "quizzes"),
        ("church", "churches"),
        ("brush", "brushes"),
        ("stomach", "stomachs"),
        ("potato", "potatoes"),
        ("piano", "pianos"),
        ("roof", "roofs"),
        ("knife", "knives"),
        ("leaf", "leaves"),
        ("cliff", "cliffs"),
        ("safe", "safes"),
        ("snowman", "snowmen"),
        ("child", "children"),
        ("foot", "feet"),
        ("tooth", "teeth"),
        ("goose", "geese"),
        ("mouse", "mice"),
        ("person", "people"),
        ("oasis", "oases"),
        ("stadium", "stadia"),
        ("cactus", "cacti"),
        ("plateau", "plateaux"),
        ("dance", "dancing"),
        ("dance", "danced"),
        ("star", "starred"),
        ("hurry", "hurried"),
        ("play", "played"),
        ("visit", "visiting"),
        ("travel", "travelled"),
        ("ski", "skiing"),
    ],
)
def test_forms_of_a_word_name_it(topic: str, form: str) -> None:
    assert names_any(f"So it is: {form}.", [topic], language("en"))
    assert names_any(f"{form}, he said", [topic.upper()], language("en"))


@pytest.mark.parametrize(
    ("topic", "other"),
    [
        ("cat", "catalogue"), ("cat", "concatenate"), ("cat", "cater"), ("cat", "bobcat"),
        ("cat", "tom-cat"), ("car", "card"), ("car", "cared"), ("star", "staring"),
        ("ear", "earring"), ("cafe", "caves"), ("pig", "pigeon"), ("glasses", "glass"),
        ("cat", "c at"), ("cat", "c-a-t"), ("cat", "c.a.t"), ("ant", "want"), ("ant", "ante"),
    ],
)  # fmt: skip
def test_words_that_merely_hold_a_word_do_not_name_it(topic: str, other: str) -> None:
    assert not names_any(f"So it is: {other}.", [topic], language("en"))


def test_a_chain_of_hyphens_names_its_first_word_only() -> None:
    """Else one unit could name every topic."""
    known, english = words("en").words[:200], language("en")
    chain = "-".join(known)
    assert [topic for topic in known if names_any(chain, [topic], english)] == [known[0]]


@pytest.mark.parametrize(
    ("lang", "topic", "text", "named"),
    [
        ("zh", "航天", "他喜欢航天。", True),
        ("zh", "航天", "他喜欢航\n天。", True),
        ("zh", "航天", "航 天", True),
        ("zh", "航天", "领航。天空", False),
        ("zh", "航天", "天航", False),
        ("zh", "航天", "航空航海", False),
        ("ko", "고양이", "고양이가 잔다", True),
        ("ko", "고양이", "길고양이는 잔다", True),
        ("ko", "고양이", "고 양이", True),
        ("ko", "고양이", "고, 양이", False),
        ("ko", "고양이", "고양 강아지", False),
        ("ko", "경로 계획", "경로계획을 세운다", True),
        ("ko", "경로 계획", "계획만 세운다", False),
    ],
)
def test_characters_stand_in_a_row(lang: str, topic: str, text: str, named: bool) -> None:
    assert names_any(text, [topic], language(lang)) is named


def test_one_of_several_is_enough_and_none_names_none() -> None:
    assert names_any("a dog", ["cat", "dog"], language("en"))
    assert not names_any("a dog", ["cat", "owl"], language("en"))
    assert not names_any("a dog", [], language("en"))


@given(st.sampled_from(words("en").words), st.sampled_from(words("en").words))
def test_forms_agree_with_a_reading_of_each_word_alone(topic: str, other: str) -> None:
    """Twin: a word of the text counts up to its first hyphen or apostrophe, and names by form."""
    english = language("en")
    for text in (other, f"{other}-{topic}", f"{other}'s {topic}", topic + other):
        heads = {re.split("['-]", unit)[0].lower() for unit in units(text, english)}
        is_named = any(head in word_forms(topic) for head in heads)
        assert names_any(text, [topic], english) == is_named


@given(st.text(max_size=20))
def test_a_word_is_always_a_form_of_itself(word: str) -> None:
    assert all(unit.lower() in word_forms(unit) for unit in units(word, language("en")))


@pytest.mark.parametrize("lang", LANGS)
@settings(deadline=None, max_examples=30)
@given(data=st.data())
def test_no_text_names_more_topics_than_stated(lang: str, data: st.DataObject) -> None:
    known = words(lang).words
    held = data.draw(st.lists(st.sampled_from(known), min_size=1, max_size=12))
    joiner = data.draw(st.sampled_from(["", " ", ", ", "s "]))
    text = joiner.join(held)
    n = len(units(text, language(lang)))
    named = sum(names_any(text, [topic], language(lang)) for topic in known)
    assert named <= most_named(known, n, language(lang)) <= len(known)


@pytest.mark.parametrize("lang", LANGS)
def test_longer_texts_may_name_more_and_the_longest_all(lang: str) -> None:
    known = words(lang).words
    found = [most_named(known, n, language(lang)) for n in (1, 5, 29, 254, 10_000)]
    assert found == sorted(set(found))
    assert found[-1] == len(known)
