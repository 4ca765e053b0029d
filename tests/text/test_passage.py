"""Running text of an exact length: composed, or cut from a user's own."""

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenbench.answers.writing import names_any
from tokenbench.draw import Draw
from tokenbench.errors import SourceError, UnknownNameError
from tokenbench.text.languages import language, unit_languages
from tokenbench.text.lexicon import (
    compose,
    different_token,
    passage,
    tokens,
    vocabulary,
    word_list,
    words,
)
from tokenbench.text.units import foreign, hangul, normalize_units, units

some_examples = settings(max_examples=60)
langs = st.sampled_from(unit_languages())
seeds = st.integers(0, 2**64)
lengths = st.integers(1, 600)
SCRIPTS = {"en": "[A-Za-z ]", "zh": "[\u4e00-\u9fff]", "ko": "[가-힣 ]"}
MARKS = {"en": "[,.!]", "zh": "[，。！]", "ko": "[,.!]"}
PLAIN = {
    "en": "We walked home, slowly. Was it late? Nobody knew! The moon rose; a dog barked: once. ",
    "zh": "天黑了，我们慢慢走回家。晚了吗？没有人知道！月亮出来了；狗叫着：“汪汪”，然后睡了。",
    "ko": "우리는 집까지, 천천히 걸었다. 늦었을까? 아무도 몰랐다! 달이 떴다; 개가 짖었다: 한 번. ",
}
MESSY = {
    "en": "It’s 3 o'clock — don't (you) know? “Well-known” Привет, 猫 cats! yes NO\r\n\nx2 dog",
    "zh": "他说：“是的，不是 cat 猫！”——3 只か狗？\r\n\n否，相同。天〇々气；１２月",
    "ko": "네! 예쁜 cat 고양이(猫) — 3마리? “아니요” ㅋㅋ 같음,\r\n\n하늘… 다람쥐; ｶ 구름",
}


def write_file(folder: Path, text: str) -> str:
    path = folder / "text.txt"
    path.write_text(text, encoding="utf-8")
    return str(path)


def usable(text: str, lang: str) -> list[str]:
    """The twin: the units that every rule counts alike and that are not answer words."""
    plain = {"en": "[A-Za-z]+", "zh": "[\u4e00-\u9fff]", "ko": "[\uac00-\ud7a3]"}[lang]
    spoken = language(lang)
    reserved = spoken.answer_words
    return [u for u in units(text, spoken) if re.fullmatch(plain, u) and u.lower() not in reserved]


# Clauses


@pytest.mark.parametrize("lang", unit_languages())
def test_clauses_hold_letters_of_their_script_and_take_nouns(lang: str) -> None:
    for clause in language(lang).clauses:
        assert re.fullmatch(f"{SCRIPTS[lang]}*", clause.replace("{}", ""))
        assert clause.count("{}") >= 1
        assert clause == clause.strip()
        assert "  " not in clause
    assert len(set(language(lang).clauses)) == len(language(lang).clauses) >= 20


@pytest.mark.parametrize("lang", unit_languages())
def test_clauses_hold_no_answer_word(lang: str) -> None:
    for clause in language(lang).clauses:
        assert not language(lang).answer_words & set(units(clause.lower(), language(lang))), clause


def test_korean_particles_do_not_depend_on_the_sound_before_them() -> None:
    free = {
        "",
        "도",
        "하고",
        "보다",
        "에",
        "에서",
        "까지",
        "처럼",
        "만",
        "에게",
        "의",
        "부터",
        "마다",
    }
    particles = {
        found
        for clause in language("ko").clauses
        for found in re.findall(r"\{\}([가-힣]*)", clause)
    }
    assert particles <= free


def test_korean_clauses_hold_syllables_in_use() -> None:
    assert set("".join(language("ko").clauses)) <= {*hangul(), *"{} "}


# Composed passages


@some_examples
@given(langs, lengths, seeds)
def test_a_passage_has_exactly_the_units_asked_for(lang: str, n: int, seed: int) -> None:
    text = passage(Draw(seed), language(lang), n).text
    assert len(units(text, language(lang))) == n


@pytest.mark.parametrize("lang", unit_languages())
def test_a_passage_of_every_length_is_exact(lang: str) -> None:
    for n in (*range(1, 260, 3), 1000, 5000):
        assert len(units(passage(Draw("exact", n), language(lang), n).text, language(lang))) == n


@some_examples
@given(langs, lengths, seeds)
def test_a_passage_has_letters_of_its_script_and_plain_punctuation_only(
    lang: str, n: int, seed: int
) -> None:
    text = passage(Draw(seed), language(lang), n).text
    assert re.fullmatch(f"(?:{SCRIPTS[lang]}|{MARKS[lang]})+", text)
    assert foreign(normalize_units(text), language(lang)) == ""
    assert text == normalize_units(text) or lang == "zh"
    assert text.endswith(language(lang).stops[0])
    assert not re.search(r"  | [,.!]|[,.!，。！]{2}|^ | $", text)


@some_examples
@given(seeds)
def test_english_sentences_begin_with_a_capital(seed: int) -> None:
    text = passage(Draw(seed), language("en"), 200).text
    assert all(sentence[0].isupper() for sentence in re.split("[.!] ", text))


@pytest.mark.parametrize("lang", unit_languages())
def test_the_same_draw_gives_the_same_passage_and_another_another(lang: str) -> None:
    texts = [passage(Draw("same", i % 20), language(lang), 30).text for i in range(40)]
    assert texts[:20] == texts[20:]
    assert len(set(texts)) == 20


@pytest.mark.parametrize("lang", unit_languages())
def test_the_source_is_that_of_the_words(lang: str) -> None:
    assert passage(Draw(1), language(lang), 9).source == words(lang).source


@pytest.mark.parametrize("lang", unit_languages())
def test_words_may_come_from_a_list(tmp_path: Path, lang: str) -> None:
    listed = words(lang).words[:12]
    path = write_file(tmp_path, "\n".join(listed))
    found = passage(Draw(1), language(lang), 300, source=path)
    assert len(units(found.text, language(lang))) == 300
    assert sum(word in found.text for word in listed) >= 10
    assert found.source == words(lang, path).source
    assert found.source.startswith("text.txt sha256:")


@some_examples
@given(langs, st.integers(20, 100), seeds)
def test_the_topic_comes_first(lang: str, n: int, seed: int) -> None:
    topic, noun = {"en": ("zebra", "oak"), "zh": ("斑马", "橡树"), "ko": ("얼룩말", "참나무")}[lang]
    text = compose(Draw(seed), language(lang), n, [noun], topic=topic)
    assert text.count(topic) == 1
    assert noun not in text or text.index(topic) < text.index(noun)
    assert topic not in compose(Draw(seed), language(lang), n, [noun])


@some_examples
@given(langs, st.integers(1, 60), st.booleans(), seeds)
def test_the_topic_is_whole_wherever_it_has_room(
    lang: str, more: int, core: bool, seed: int
) -> None:
    """However short the text, whichever writer, every topic of the lexicon."""
    draw = Draw(seed)
    topic, known = draw.choice(words(lang).words), words(lang).words
    n = max(5, len(units(topic, language(lang))) + more)
    writer = compose if core else word_list
    text = writer(draw, language(lang), n, known, topic=topic)
    assert names_any(text, [topic], language(lang))
    assert len(units(text, language(lang))) == n


@pytest.mark.parametrize("lang", unit_languages())
def test_a_topic_without_room_is_cut(lang: str) -> None:
    topic = {"en": "one two three four", "zh": "图书管理员", "ko": "스케이트보드"}[lang]
    for writer in (compose, word_list):
        text = writer(Draw(1), language(lang), 3, [topic], topic=topic)
        assert len(units(text, language(lang))) == 3


@pytest.mark.parametrize("lang", ["xx", "", None])
def test_an_unknown_language_is_named(lang: Any) -> None:
    with pytest.raises(UnknownNameError, match=repr(lang)):
        passage(Draw(1), language(lang), 9)


# Passages cut from a user's text


@pytest.mark.parametrize("lang", unit_languages())
def test_a_fragment_is_a_run_of_the_text_s_plain_units(tmp_path: Path, lang: str) -> None:
    raw = f"{MESSY[lang]} {PLAIN[lang]} {MESSY[lang]}"
    path, whole = write_file(tmp_path, raw), usable(raw, lang)
    for n in range(1, len(whole) + 1):
        text = passage(Draw(n), language(lang), n, text=path).text
        found = units(text, language(lang))
        assert len(found) == n
        assert found in [whole[i : i + n] for i in range(len(whole) - n + 1)]
        assert foreign(normalize_units(text), language(lang)) == ""
        assert not re.search(r"[0-9'’\"“”()—–-]|\s\s|\s[,.!?;:]|[\r\n]", text)


@pytest.mark.parametrize("lang", unit_languages())
def test_a_fragment_of_a_plain_text_is_part_of_it(tmp_path: Path, lang: str) -> None:
    raw = re.sub("[“”]", "", PLAIN[lang]) * 2
    path = write_file(tmp_path, raw)
    for n in (1, 2, 5, 17, 30):
        for seed in range(10):
            assert passage(Draw(seed), language(lang), n, text=path).text in raw


def test_every_fragment_can_be_drawn(tmp_path: Path) -> None:
    path = write_file(tmp_path, "one two three four five six")
    drawn = {passage(Draw(seed), language("en"), 4, text=path).text for seed in range(100)}
    assert drawn == {"one two three four", "two three four five", "three four five six"}


def test_a_fragment_names_its_file(tmp_path: Path) -> None:
    path = write_file(tmp_path, PLAIN["en"])
    label = passage(Draw(1), language("en"), 5, text=path).source
    assert re.fullmatch("text.txt sha256:[0-9a-f]{12}", label)
    write_file(tmp_path, PLAIN["en"] + "And so on.")
    assert passage(Draw(1), language("en"), 5, text=path).source != label


@pytest.mark.parametrize("lang", unit_languages())
def test_the_error_for_a_short_text_counts_its_units(tmp_path: Path, lang: str) -> None:
    path = write_file(tmp_path, MESSY[lang])
    count, spoken = len(usable(MESSY[lang], lang)), language(lang)
    assert len(units(passage(Draw(1), spoken, count, text=path).text, spoken)) == count
    with pytest.raises(SourceError, match=rf"text\.txt.* has {count} usable .*{count + 1} needs"):
        passage(Draw(1), language(lang), count + 1, text=path)
    with pytest.raises(SourceError, match="has no usable"):
        passage(Draw(1), language(lang), 1, text=write_file(tmp_path, "3 ☃"))


@pytest.mark.parametrize("content", [None, "folder", b"\xff\xfe"])
def test_a_text_that_cannot_be_read_is_named(tmp_path: Path, content: str | bytes | None) -> None:
    path = tmp_path / "text.txt"
    if isinstance(content, bytes):
        path.write_bytes(content)
    elif content:
        path.mkdir()
    with pytest.raises(SourceError, match=r"text\.txt"):
        passage(Draw(1), language("en"), 5, text=str(path))


def test_a_text_may_have_a_bom_and_any_line_ends(tmp_path: Path) -> None:
    path = write_file(tmp_path, "\ufeffOne two,\r\nthree\rfour.\n\nFive")
    assert passage(Draw(1), language("en"), 5, text=path).text == "One two, three four. Five"


# Tokens


@some_examples
@given(langs, lengths, seeds)
def test_tokens_are_n_lower_case_units_and_no_answer_words(lang: str, n: int, seed: int) -> None:
    found, source = tokens(Draw(seed), language(lang), n)
    assert len(found) == n
    assert source == words(lang).source
    for token in found:
        assert units(token, language(lang)) == [token]
        assert token == token.lower()
        assert token not in language(lang).answer_words


@pytest.mark.parametrize(
    ("lang", "listed"),
    [
        (
            "zh",
            ["不倒翁", "是非", "否则", "不管", "于是", "是否", "相同点", "不同", "还是", "不再"],
        ),
        ("ko", ["네모", "예술", "네팔", "예시", "동네", "예배", "네트", "그네", "예비", "예복"]),
    ],
)
def test_tokens_of_words_that_hold_answer_words_are_none(
    tmp_path: Path, lang: str, listed: list[str]
) -> None:
    path = write_file(tmp_path, "\n".join(listed))
    for seed in range(20):
        found, _ = tokens(Draw(seed), language(lang), 60, source=path)
        assert len(found) == 60
        assert not language(lang).answer_words & set(found)


@pytest.mark.parametrize("lang", unit_languages())
def test_tokens_of_a_text_are_its_units_in_lower_case(tmp_path: Path, lang: str) -> None:
    raw = MESSY[lang] + PLAIN[lang]
    whole = [unit.lower() for unit in usable(raw, lang)]
    found, source = tokens(Draw(1), language(lang), len(whole), text=write_file(tmp_path, raw))
    assert found == whole
    assert source.startswith("text.txt")


def test_words_that_some_rule_counts_otherwise_are_left_out(tmp_path: Path) -> None:
    path = write_file(tmp_path, "İstanbul IŞIK oak Straße ẞ café elm Ǆ Ÿ fir º Ɐ ash")
    assert tokens(Draw(1), language("en"), 4, text=path)[0] == ["oak", "elm", "fir", "ash"]


@pytest.mark.parametrize("lang", unit_languages())
def test_another_unit_is_one_of_the_language_and_none_of_those_to_avoid(lang: str) -> None:
    pool = vocabulary(language(lang)).words
    avoided = set(pool[5:])
    drawn = {different_token(Draw(seed), language(lang), "core", avoided) for seed in range(40)}
    assert drawn == set(pool[:5])


def test_another_unit_is_in_lower_case(tmp_path: Path) -> None:
    path = write_file(tmp_path, "\n".join(word.upper() for word in words("en").words[:10]))
    drawn = {different_token(Draw(seed), language("en"), path, {"animal"}) for seed in range(200)}
    assert drawn == set(words("en").words[1:10])
