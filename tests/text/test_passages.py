"""Running text of an exact length: whole sentences of a scene, or cut from a user's own."""

import re
from collections import Counter
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from written import names_any

from tokenbench.draw import SPLITS, Draw, Split
from tokenbench.errors import DifficultyError, SourceError, UnknownNameError
from tokenbench.tasks import task
from tokenbench.tasks.tase import draw_tokens
from tokenbench.text.dress import readings
from tokenbench.text.languages import language, unit_languages
from tokenbench.text.lexicon import words
from tokenbench.text.packs import pack
from tokenbench.text.passages import compose_about, passage
from tokenbench.text.sources import data_table
from tokenbench.text.units import foreign, is_plain, normalize_units, units

some_examples = settings(max_examples=60)
langs = st.sampled_from(unit_languages())
splits = st.sampled_from(SPLITS)
seeds = st.integers(0, 2**64)
lengths = st.integers(5, 600)
SCRIPTS = {"en": "[A-Za-z ]", "zh": "[\u4e00-\u9fff]", "ko": "[가-힣 ]"}
MARKS = {"en": "[,.?!]", "zh": "[，、。？！]", "ko": "[,.?!]"}
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


def scenes(lang: str) -> dict[str, dict[str, list[str]]]:
    return data_table("tokenbench.text.languages", lang, "scenes.toml")


def in_pieces(text: str) -> list[str]:
    """Return the sentences of a text."""
    return [piece.strip() for piece in re.findall("[^.?!。？！]+[.?!。？！]", text)]


# Scenes


@pytest.mark.parametrize("lang", unit_languages())
def test_each_language_has_200_frames_and_the_same_scenes(lang: str) -> None:
    found = scenes(lang)
    assert list(found) == list(scenes("en"))
    assert sum(len(table["frames"]) for table in found.values()) >= 200


@pytest.mark.parametrize("lang", unit_languages())
def test_frames_and_what_fills_them_are_plain(lang: str) -> None:
    spoken = language(lang)
    for name, table in scenes(lang).items():
        slots = {
            slot
            for frame in table["frames"]
            for slot in re.findall(r"\{(\w+?)2?(?::\w+)?\}", frame)
        }
        assert slots - {"word"} == set(table) - {"frames", "people"}, name
        assert set(table["people"]) < slots, name
        texts = [*table["frames"], *(text for slot in slots - {"word"} for text in table[slot])]
        for text in texts:
            bare = re.sub(r"\{.*?\}", "", text)
            assert re.fullmatch(f"(?:{SCRIPTS[lang]}|{MARKS[lang]})*", bare), text
            found = [unit.lower() for unit in units(bare, spoken)]
            assert all(is_plain(unit, spoken) for unit in found), text
            assert spoken.answer_words.isdisjoint(found), text
        assert len(set(table["frames"])) == len(table["frames"])
        assert all(re.search(r"[^.?!。？！][.?!。？！]$", frame) for frame in table["frames"])


@pytest.mark.parametrize("lang", unit_languages())
def test_no_sentence_begins_with_a_label(lang: str) -> None:
    """Judging would take it off a text that begins so, and count the rest."""
    frames = [frame for table in scenes(lang).values() for frame in table["frames"]]
    for text in (*frames, *(line.text for line in pack(lang).sentences)):
        filled = re.sub(r"\{.*?\}", "“x”", text)
        assert readings(filled, language(lang)) == [filled], text


def test_korean_particles_that_depend_on_a_sound_are_named_in_the_slot() -> None:
    particles = {form for forms in language("ko").particle_forms.values() for form in forms}
    for table in scenes("ko").values():
        for frame in table["frames"]:
            for after in re.findall(r"\{\w+\}([가-힣]*)", frame):
                assert after not in particles, frame


# Composed passages


@pytest.mark.parametrize("lang", unit_languages())
def test_a_stretch_tells_of_a_thing_once(lang: str) -> None:
    """So that no sentence contradicts another one about the same soup; people come again."""
    things = {
        thing
        for table in scenes(lang).values()
        for name in set(table) - {"frames", "people", *table["people"]}
        for thing in table[name]
        if len(thing) >= 3
    }
    times = Counter[int]()
    for seed in range(300):
        pieces = in_pieces(passage(Draw(seed), language(lang), 40, "train").text)
        times.update(sum(thing in piece for piece in pieces) for thing in things)
    assert times[1] > 50
    assert sum(times[n] for n in times if n > 1) <= 0.05 * times[1]


@some_examples
@given(langs, lengths, splits, st.booleans(), seeds)
def test_a_passage_has_exactly_the_units_asked_for(
    lang: str, n: int, split: Split, has_style: bool, seed: int
) -> None:
    text = passage(Draw(seed), language(lang), n, split, has_style=has_style).text
    assert len(units(text, language(lang))) == n


@pytest.mark.parametrize(("lang", "split"), [*product(unit_languages(), SPLITS)])
def test_a_passage_of_every_length_is_exact(lang: str, split: Split) -> None:
    for n in (*range(5, 260, 3), 1000, 4096):
        text = passage(Draw("exact", n), language(lang), n, split).text
        assert len(units(text, language(lang))) == n


@some_examples
@given(langs, lengths, seeds)
def test_a_passage_has_letters_of_its_script_and_plain_punctuation_only(
    lang: str, n: int, seed: int
) -> None:
    text = passage(Draw(seed), language(lang), n, "train").text
    assert re.fullmatch(f"(?:{SCRIPTS[lang]}|{MARKS[lang]})+", text)
    assert foreign(normalize_units(text), language(lang)) == ""
    assert text == normalize_units(text) or lang == "zh"
    assert re.search("[.?!。？！]$", text)
    assert not re.search(r"  | [,.?!]|[,.?!，、。？！]{2}|^ | $", text)


@some_examples
@given(seeds)
def test_english_sentences_begin_with_a_capital(seed: int) -> None:
    text = passage(Draw(seed), language("en"), 200, "train").text
    assert all(sentence[0].isupper() for sentence in re.split("[.?!] ", text))


@pytest.mark.parametrize("lang", unit_languages())
def test_splits_share_no_sentence(lang: str) -> None:
    found = {
        split: {
            sentence
            for seed in range(150)
            for sentence in in_pieces(passage(Draw(seed), language(lang), 80, split).text)
        }
        for split in SPLITS
    }
    for one, other in combinations(SPLITS, 2):
        assert found[one].isdisjoint(found[other])
        assert len(found[one]) > 60


@pytest.mark.parametrize("lang", unit_languages())
def test_running_text_hardly_repeats_runs_of_units(lang: str) -> None:
    """The 100 commonest runs of four units are at most 5 % of 40,000 units."""
    counts, spoken = Counter[tuple[str, ...]](), language(lang)
    for seed in range(330):
        found = units(passage(Draw(seed), spoken, 40 + seed % 200, "train").text, spoken)
        counts.update(zip(found, found[1:], found[2:], found[3:], strict=False))
    assert counts.total() > 38_000
    assert sum(times for _, times in counts.most_common(100)) <= 0.05 * counts.total()


@pytest.mark.parametrize("lang", unit_languages())
def test_the_same_draw_gives_the_same_passage_and_another_another(lang: str) -> None:
    texts = [passage(Draw("same", i % 20), language(lang), 30, "train").text for i in range(40)]
    assert texts[:20] == texts[20:]
    assert len(set(texts)) == 20


@pytest.mark.parametrize("lang", unit_languages())
def test_a_passage_names_the_scenes_by_their_content(lang: str) -> None:
    source = passage(Draw(1), language(lang), 9, "train").label
    assert re.fullmatch("tokenbench scenes sha256:[0-9a-f]{12}", source)


@pytest.mark.parametrize("lang", unit_languages())
def test_words_may_come_from_a_list(tmp_path: Path, lang: str) -> None:
    listed = words(lang).words[:12]
    path = write_file(tmp_path, "\n".join(listed))
    found = passage(Draw(1), language(lang), 300, "train", source=path)
    assert len(units(found.text, language(lang))) == 300
    assert sum(word in found.text for word in listed) >= 4
    assert found.label == words(lang, path).source
    assert found.label.startswith("text.txt sha256:")


def test_a_length_without_sentences_names_the_nearest(tmp_path: Path) -> None:
    """Below the shortest phrase of a user's words there is nothing."""
    longest = [word for word in words("ko").words if len(word) > 4]
    path = write_file(tmp_path, "\n".join(longest))
    with pytest.raises(DifficultyError, match=r"the nearest length is [2-9]"):
        passage(Draw(1), language("ko"), 1, "test", source=path)


@some_examples
@given(langs, st.integers(1, 200), splits, seeds)
def test_a_text_about_a_topic_begins_with_it(lang: str, more: int, split: Split, seed: int) -> None:
    """However short the text, every topic of the lexicon."""
    draw, spoken = Draw(seed), language(lang)
    topic, known = draw.choice(words(lang).words), words(lang).words[:40]
    n = max(5, len(units(topic, spoken)) + more)
    text = compose_about(draw, spoken, n, split, topic, known)
    assert names_any(in_pieces(text)[0], [topic], spoken)
    assert len(units(text, spoken)) == n


@pytest.mark.parametrize("lang", ["xx", "", None])
def test_an_unknown_language_is_named(lang: Any) -> None:
    with pytest.raises(UnknownNameError, match=repr(lang)):
        passage(Draw(1), language(lang), 9, "train")


# Passages cut from a user's text


@pytest.mark.parametrize("lang", unit_languages())
def test_a_fragment_is_a_run_of_the_text_s_plain_units(tmp_path: Path, lang: str) -> None:
    raw = f"{MESSY[lang]} {PLAIN[lang]} {MESSY[lang]}"
    path, whole = write_file(tmp_path, raw), usable(raw, lang)
    for n in range(1, len(whole) + 1):
        text = passage(Draw(n), language(lang), n, "train", text=path).text
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
            assert passage(Draw(seed), language(lang), n, "train", text=path).text in raw


def test_every_fragment_can_be_drawn(tmp_path: Path) -> None:
    path = write_file(tmp_path, "one two three four five six")
    drawn = {passage(Draw(seed), language("en"), 4, "train", text=path).text for seed in range(100)}
    assert drawn == {"one two three four", "two three four five", "three four five six"}


def test_a_fragment_names_its_file(tmp_path: Path) -> None:
    path = write_file(tmp_path, PLAIN["en"])
    label = passage(Draw(1), language("en"), 5, "train", text=path).label
    assert re.fullmatch("text.txt sha256:[0-9a-f]{12}", label)
    write_file(tmp_path, PLAIN["en"] + "And so on.")
    assert passage(Draw(1), language("en"), 5, "train", text=path).label != label


@pytest.mark.parametrize("lang", unit_languages())
def test_the_error_for_a_short_text_counts_its_units(tmp_path: Path, lang: str) -> None:
    path = write_file(tmp_path, MESSY[lang])
    count, spoken = len(usable(MESSY[lang], lang)), language(lang)
    assert len(units(passage(Draw(1), spoken, count, "train", text=path).text, spoken)) == count
    with pytest.raises(SourceError, match=rf"text\.txt.* has {count} usable .*{count + 1} needs"):
        passage(Draw(1), language(lang), count + 1, "train", text=path)
    with pytest.raises(SourceError, match="has no usable"):
        passage(Draw(1), language(lang), 1, "train", text=write_file(tmp_path, "3 ☃"))


@pytest.mark.parametrize("content", [None, "folder", b"\xff\xfe"])
def test_a_text_that_cannot_be_read_is_named(tmp_path: Path, content: str | bytes | None) -> None:
    path = tmp_path / "text.txt"
    if isinstance(content, bytes):
        path.write_bytes(content)
    elif content:
        path.mkdir()
    with pytest.raises(SourceError, match=r"text\.txt"):
        passage(Draw(1), language("en"), 5, "train", text=str(path))


def test_a_text_may_have_a_bom_and_any_line_ends(tmp_path: Path) -> None:
    path = write_file(tmp_path, "\ufeffOne two,\r\nthree\rfour.\n\nFive")
    assert (
        passage(Draw(1), language("en"), 5, "train", text=path).text == "One two, three four. Five"
    )


# Tokens


def tokens(draw: Draw, lang: str, n: int, **sources: Any) -> tuple[list[str], str]:
    return draw_tokens(draw, task("reord").spec(lang=lang, **sources), n)


@some_examples
@given(langs, lengths, seeds)
def test_tokens_are_n_lower_case_units_and_no_answer_words(lang: str, n: int, seed: int) -> None:
    found, source = tokens(Draw(seed), lang, n)
    assert len(found) == n
    assert source == passage(Draw(seed), language(lang), n, "train").label
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
        found, _ = tokens(Draw(seed), lang, 60, words=path)
        assert len(found) == 60
        assert not language(lang).answer_words & set(found)


@pytest.mark.parametrize("lang", unit_languages())
def test_tokens_of_a_text_are_its_units_in_lower_case(tmp_path: Path, lang: str) -> None:
    raw = MESSY[lang] + PLAIN[lang]
    whole = [unit.lower() for unit in usable(raw, lang)]
    found, source = tokens(Draw(1), lang, len(whole), text=write_file(tmp_path, raw))
    assert found == whole
    assert source.startswith("text.txt")


def test_words_that_some_rule_counts_otherwise_are_left_out(tmp_path: Path) -> None:
    path = write_file(tmp_path, "İstanbul IŞIK oak Straße ẞ café elm Ǆ Ÿ fir º Ɐ ash")
    assert tokens(Draw(1), "en", 4, text=path)[0] == ["oak", "elm", "fir", "ash"]
