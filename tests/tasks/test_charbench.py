"""CharBench: counts and places, in words of every length and case, shared out among four tasks."""

from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

from tokenbench import (
    count_char,
    count_unique,
    dataset,
    find_first,
    find_last,
    prompt,
    suite,
    task,
)
from tokenbench.draw import SPLITS
from tokenbench.errors import DifficultyError, SourceError, TokenbenchError
from tokenbench.item import Item
from tokenbench.tasks.wordings import read_slots
from tokenbench.text.graphemes import alike, graphemes
from tokenbench.text.languages import LANGUAGES
from tokenbench.text.packs import pack

TASKS = ("count_char", "count_unique", "find_first", "find_last")


def word_and_unit(item: Item) -> tuple[str, str]:
    """Return the word or phrase of a question, and its character or nothing."""
    slots = read_slots(item.task, item.lang, item.prompt)
    return slots["word"], slots.get("unit", "")


def units_of(text: str) -> list[str]:
    """Return the characters of a word or phrase; spaces are not characters."""
    return [unit for unit in graphemes(text) if not unit.isspace()]


def right(name: str, word: str, char: str) -> int:
    """Return the answer by the plainest means."""
    units = units_of(word)
    places = [place for place, unit in enumerate(units) if unit == char]
    answers = {
        "count_char": len(places),
        "count_unique": len(dict.fromkeys(units)),
        "find_first": min(places, default=-1),
        "find_last": max(places, default=-1),
    }
    return answers[name]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", TASKS)
def test_answers_are_those_of_a_plain_twin(name: str, lang: str) -> None:
    for index in range(60):
        item = task(name).generate(lang=lang, index=index)
        word, char = word_and_unit(item)
        assert item.solution == str(right(name, word, char)), item.prompt
        units = units_of(word)
        repeated = len(set(units)) < len(units)
        facts = {"length": len(units), "repeated": repeated, "acted": units.count(char) > 1}
        assert item.meta["drawn"] == facts


@pytest.mark.sampled(3)
@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", TASKS)
def test_published_questions_are_about_any_character_of_a_word(name: str, lang: str) -> None:
    for index in range(60):
        item = task(name).generate(lang=lang, index=index, answers="published")
        word, char = word_and_unit(item)
        assert item.solution == str(right(name, word, char)), item.prompt
        assert 4 <= len(graphemes(word)) <= 10
        assert not char or char in graphemes(word)
        assert item.meta["params"] == {"answers": "published"}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_character_asked_about_may_be_taken_for_another(lang: str) -> None:
    for index in range(80):
        word, char = word_and_unit(count_char.TASK.generate(lang=lang, index=index))
        similar = {unit.lower() for unit in units_of(word) if alike(unit, char)}
        assert similar <= {char.lower()}
        word, _ = word_and_unit(count_unique.TASK.generate(lang=lang, index=index))
        different = {unit.lower() for unit in units_of(word)}
        for unit in different:
            assert [other for other in different if alike(unit, other)] == [unit]


def test_building_blocks_read_characters() -> None:
    assert count_char.solve("नमस्ते", "स्ते") == 1
    assert count_unique.solve("각각") == 1
    assert (find_first.solve("Anna", "a"), find_last.solve("Anna", "n")) == (3, 2)


@pytest.mark.parametrize("module", [count_char, find_first, find_last])
@pytest.mark.parametrize(
    ("given", "message"),
    [((3, "a"), "word=3: expected a string"), (("Anna", None), "char=None: expected a string")],
)
def test_building_blocks_name_their_arguments(
    module: ModuleType, given: tuple[object, ...], message: str
) -> None:
    with pytest.raises(TokenbenchError, match=f"^{message}$"):
        module.solve(*given)
    with pytest.raises(TokenbenchError, match=r"^word=\[.*: expected a string"):
        count_unique.solve([*given])  # type: ignore[arg-type]


@pytest.mark.parametrize("module", [find_first, find_last])
@pytest.mark.parametrize("char", ["x", "N", "", "nn", "a\nb"])
def test_a_character_is_found_only_where_it_stands(module: ModuleType, char: str) -> None:
    with pytest.raises(TokenbenchError, match=r"^char=.*: expected a character of 'Anna'"):
        module.solve("Anna", char)


@pytest.mark.parametrize("name", TASKS)
def test_published_lengths_are_balanced_as_far_as_words_reach(name: str) -> None:
    lengths = Counter(
        task(name).generate(index=index, answers="published").meta["drawn"]["length"]
        for index in range(7 * 8)
    )
    assert set(lengths) == set(range(4, 11))
    assert set(lengths.values()) == {8}


def test_case_is_mixed_and_may_be_kept() -> None:
    words = [word_and_unit(count_char.generate(index=index))[0] for index in range(300)]
    cased = sum(word != word.lower() for word in words)
    assert 0.3 < cased / len(words) < 0.7
    assert any(word[0].islower() and word != word.lower() for word in words)
    for index in range(100):
        word, _ = word_and_unit(count_char.generate(index=index, case="kept"))
        assert word in pack("en").vocabulary


def test_words_of_a_file_keep_their_case(tmp_path: Path) -> None:
    listed = tmp_path / "words.txt"
    listed.write_text("\n".join(f"McDo{letter}ald" for letter in "bcdefghijklmnopqrst"))
    word, _ = word_and_unit(count_char.generate(words=str(listed)))
    assert word.startswith("McDo")
    with pytest.raises(SourceError, match="nosuch"):
        count_char.generate(words="nosuch")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_published_words_are_those_of_all_tasks_in_the_same_order(lang: str) -> None:
    for index in (0, 5, 10**6):
        items = [task(name).generate(lang=lang, index=index, answers="published") for name in TASKS]
        assert len({word_and_unit(item)[0].lower() for item in items}) == 1


def test_the_suite_deals_out_each_word_once() -> None:
    data = suite("charbench", seed=4)
    words = [word_and_unit(item)[0] for item in data]
    assert len(set(words)) == len(words) > 1200
    assert set(Counter(item.task for item in data)) == set(TASKS)
    assert {item.meta["split"] for item in data} == set(SPLITS)
    lengths = Counter((item.task, item.meta["drawn"]["length"]) for item in data)
    for length in range(4, 11):
        counts = [lengths[name, length] for name in TASKS]
        assert max(counts) - min(counts) <= 3  # one for each split


def test_the_suite_takes_as_many_words_of_a_corpus_as_the_paper(tmp_path: Path) -> None:
    letters = "bcdfghjk"
    corpus = tmp_path / "corpus.txt"
    five = [
        a + b + c + d + e
        for a in letters
        for b in letters
        for c in letters
        for d in letters
        for e in letters
    ]
    corpus.write_text("\n".join([*five, "abcdefghij", "abc"]))
    data = suite("charbench", words=str(corpus))
    assert len(five) > 25_000
    assert len(data) == 25_001
    assert Counter(item.meta["drawn"]["length"] for item in data[:6251]) == {5: 6250, 10: 1}
    assert len(suite("charbench", words=str(corpus), size=100)) == 101
    some = suite("charbench", words=str(corpus), split="test", size=40)
    assert {item.meta["split"] for item in some} == {"test"}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_suite_takes_the_larger_of_our_word_lists(lang: str) -> None:
    data = suite("charbench", langs=[lang])
    assert data[0].lang == lang
    assert data == suite("charbench", langs=[lang], words="pack")
    if lang in ("en", "zh", "ja", "ko"):
        assert len(data) == max(
            len(suite("charbench", langs=[lang], words=words)) for words in ("core", "pack")
        )


def test_a_suite_goes_through_the_languages_in_their_order() -> None:
    first, then = suite("charbench", langs=["ru"]), suite("charbench")
    data = suite("charbench", langs=["ru", "en"])
    assert len(data) == len(first) + len(then)
    assert [*data[: len(first) : 99]] == [*first[::99]]
    assert [*data[len(first) :: 99]] == [*then[::99]]
    assert suite("charbench", langs=None, words=None) == suite("charbench")


def test_a_script_whose_capitals_begin_no_word_gets_none(tmp_path: Path) -> None:
    """Unicode maps Georgian letters to capitals, which are for titles written in them alone."""
    text = tmp_path / "ka.txt"
    text.write_text(
        "დღეს კარგი ამინდია და ბავშვები ეზოში თამაშობენ.\n"
        "დედა პურს აცხობს და მამა წიგნს კითხულობს ოთახში.\n"
        "ჩემი ძაღლი და კატა ერთად სძინავთ სახლში.\n",
        encoding="utf-8",
    )
    for index in range(20):
        word, _ = word_and_unit(count_char.generate(lang="ka", pack=str(text), index=index))
        assert word == word.lower()


def test_a_lone_word_has_no_examples(tmp_path: Path) -> None:
    words = tmp_path / "words.txt"
    words.write_text("banana", encoding="utf-8")
    (item,) = dataset("count_unique", words=str(words))
    with pytest.raises(DifficultyError, match="no other count_unique item"):
        prompt(item, "fewshot")
