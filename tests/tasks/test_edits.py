"""EXECUTE's tasks on characters and words: their questions are clear, their answers right."""

import pickle
from collections.abc import Callable, Iterator
from dataclasses import replace
from inspect import signature
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from tokenbench import (
    check,
    contains,
    delete,
    insert,
    score,
    spell,
    spell_inverse,
    substitute,
    suite,
    swap,
    task,
)
from tokenbench.answers.text import edit_result
from tokenbench.errors import DifficultyError, SourceError, TokenbenchError, UnknownNameError
from tokenbench.item import Item
from tokenbench.tasks.lines import clear_units, is_absent
from tokenbench.testing.item_facts import quoted_texts
from tokenbench.text.graphemes import characters, graphemes, sentence
from tokenbench.text.languages import LANGUAGES, language
from tokenbench.text.packs import pack
from tokenbench.text.packs.pieces import words_repeat

EDITS = ("insert", "delete", "substitute", "swap")
letters = st.text("abcABCéñ", min_size=1, max_size=12)


def units_of(text: str) -> list[str]:
    """Return the characters of a word or phrase; spaces are not characters."""
    return [unit for unit in graphemes(text) if not unit.isspace()]


def insert_after(units: list[str], unit: str, new: str) -> Iterator[str]:
    for held in units:
        yield held
        if held == unit:
            yield new


def swap_units(units: list[str], one: str, other: str) -> list[str]:
    units = list(units)
    here, there = units.index(one), units.index(other)
    units[here], units[there] = other, one
    return units


TWINS: dict[str, Callable[..., object]] = {
    "insert": lambda units, unit, new: insert_after(units, unit, new),
    "delete": lambda units, unit: [held for held in units if held != unit],
    "substitute": lambda units, unit, new: [new if held == unit else held for held in units],
    "swap": swap_units,
}


@pytest.mark.parametrize("name", [*EDITS, "contains", "spell"])
def test_no_question_names_a_piece_of_a_word(name: str) -> None:
    """Japanese particles, copulas and stems are units of sentences, and no words to readers."""
    pieces = language("ja").pieces
    assert pieces
    assert not language("en").pieces
    assert pieces < {unit for line in pack("ja").sentences for unit in line.units}
    made = task(name)
    variant = "word" if "word" in made.variants else None
    for index in range(80):
        item = made.generate(lang="ja", variant=variant, index=index)
        assert pieces.isdisjoint(quoted_texts(item)), item.prompt


@given(letters, st.data())
def test_characters_are_edited_as_a_list_of_them_is(word: str, data: st.DataObject) -> None:
    units = graphemes(word)
    unit = data.draw(st.sampled_from(units))
    assert insert.solve(word, unit, "x") == "".join(insert_after(units, unit, "x"))
    assert delete.solve(word, unit) == word.replace(unit, "")
    assert substitute.solve(word, unit, "x") == word.replace(unit, "x")
    assert contains.solve(word, unit)
    assert spell_inverse.solve(spell.solve(word)) == word
    once = [held for held in units if units.count(held) == 1]
    if len(once) > 1:
        assert swap.solve(word, once[0], once[1]) == "".join(swap_units(units, once[0], once[1]))


@given(st.lists(st.sampled_from(["go", "on", "no", "to"]), min_size=1, max_size=8), st.data())
def test_words_are_edited_between_their_marks(words: list[str], data: st.DataObject) -> None:
    text = " ".join(words) + "."
    word = data.draw(st.sampled_from(words))
    marked = insert.solve(text, word, "up", variant="word")
    assert marked == " ".join(insert_after(words, word, "up")) + "."
    put = [("up" if held == word else held) for held in words]
    assert substitute.solve(text, word, "up", variant="word") == " ".join(put) + "."
    assert contains.solve(text, word, variant="word")
    assert not contains.solve(text, "o", variant="word")


@pytest.mark.sampled(3)
@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("variant", ["char", "word"])
@pytest.mark.parametrize("name", EDITS)
def test_the_given_text_is_not_an_answer_and_earns_nothing(
    name: str, variant: str, lang: str
) -> None:
    for index in range(25):
        item = task(name).generate(lang=lang, variant=variant, index=index)
        echo = f"<answer>{item.target['given']}</answer>"
        assert score(echo, item) == score(echo, item, rule="graded") == 0.0
        # A text may begin like a label, “answer”.
        if not item.target["given"].startswith("उत्तर "):
            assert check(echo, item).reason == "nothing was changed"
        assert item.target["given"] in item.prompt


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", EDITS)
def test_results_read_as_the_characters_that_make_them(name: str, lang: str) -> None:
    for index in range(40):
        item = task(name).generate(lang=lang, variant="char", index=index)
        given, result = units_of(item.target["given"]), units_of(item.target["text"])
        changed = {
            "insert": len(result) - len(given) == item.meta["drawn"]["count"],
            "delete": len(given) - len(result) == item.meta["drawn"]["count"],
            "substitute": len(result) == len(given),
            "swap": sorted(result) == sorted(given),
        }
        assert changed[name], item.prompt
        assert item.solution == item.target["text"]
        assert ("spaces" in item.target["folds"]) != words_repeat(pack(lang))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_spelling_and_its_inverse_are_each_other_s_answers(lang: str) -> None:
    for index in range(30):
        item = spell.TASK.generate(lang=lang, index=index)
        word = "".join(item.target["units"])
        assert word in item.prompt
        assert item.target["units"] == graphemes(word)
        back = spell_inverse.TASK.generate(lang=lang, index=index)
        assert " ".join(graphemes(back.solution)) in back.prompt


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("c a t", 1.0),
        ("c-a-t", 1.0),
        ("c, a, t", 1.0),
        ("c\na\nt", 1.0),
        ("c → a → t", 1.0),
        ("cat", 0.0),
        ("C A T", 1.0),
        ("C a T", 0.0),
        ("t a c", 0.0),
        ("c a t s", 0.0),
        ("c aa t", 0.0),
    ],
)
def test_spellings_of_a_spelling(text: str, marks: float) -> None:
    item = Item("spell", 2, "en", "char", "?", {"units": ["c", "a", "t"]}, "c a t")
    assert score(f"<answer>{text}</answer>", item) == marks


@pytest.mark.parametrize("lang", LANGUAGES)
def test_yes_and_no_are_as_likely_and_in_the_language_of_the_prompt(lang: str) -> None:
    items = [contains.TASK.generate(lang=lang, variant="char", index=index) for index in range(200)]
    assert 70 < sum(item.target["answer"] for item in items) < 130
    for item in items[:20]:
        assert item.solution in item.prompt
        other = "да" if lang != "ru" else "ja"
        assert score(f"<answer>{other}</answer>", item) == 0.0


def test_a_user_s_language_is_asked_in_english(tmp_path: Path) -> None:
    text = tmp_path / "italian.txt"
    text.write_text("\n".join(f"Il gatto numero {word} dorme ancora." for word in WORDS))
    item = contains.generate(lang="it", variant="word", pack=str(text))
    assert "Answer Yes or No." in item.prompt
    assert score("<answer>yes</answer>", item) + score("<answer>no</answer>", item) == 1.0
    assert item.lang == "it"
    assert Item.from_json(item.json()) == item
    with pytest.raises(UnknownNameError, match="'it'"):
        contains.TASK.generate(lang="it")
    with pytest.raises(SourceError, match="nosuch"):
        contains.generate(lang="it", pack="nosuch")
    with pytest.raises(UnknownNameError, match="no language"):
        contains.generate(lang="no language", pack=str(text))


KIND = edit_result(sentence=False)
WORDS = [
    a + b for a in ("tre", "sei", "otto", "venti", "cento") for b in ("", "due", "uno", "mila")
]


def test_words_and_scripts_that_say_nothing_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DifficultyError, match="words has no effect"):
        insert.generate(variant="word", words="core")
    with pytest.raises(DifficultyError, match="script only enciphers"):
        insert.generate(words="core", script="Tifinagh")
    with pytest.raises(UnknownNameError, match="Tifinagh"):
        insert.TASK.generate(script="tifinag")
    few = tmp_path / "few.txt"
    few.write_text("One small sentence only.")
    with pytest.raises(DifficultyError, match="split='test'"):
        spell.generate(lang="en", pack=str(few), split="test", length=60)


def test_clear_units_are_those_that_no_reader_confuses() -> None:
    assert clear_units(characters("Anna"), "char") == (("n",),)
    assert ("the",) not in clear_units(sentence("The cat saw the dog."), "word")
    assert ("well",) not in clear_units(sentence("A well is well-known."), "word")
    assert clear_units(characters("çc"), "char") == ()


@pytest.mark.parametrize("lang", ["zh", "ja"])
def test_words_of_joined_languages_are_asked_of_only_where_they_stand_out(lang: str) -> None:
    for line in pack(lang).sentences[:80]:
        for (word,) in clear_units(line, "word"):
            assert line.text.count(word) == line.units.count(word)
            assert len(word) > 1


@pytest.mark.parametrize(
    ("answer", "target", "wanted"),
    [
        ("go on up, go!", "Go on up, go!", 1.0),
        ("Go on up,  go!", "Go on up, go!", 1.0),
        ("“Go on up, go!”", "Go on up, go!", 1.0),
        ("Go on up, go", "Go on up, go!", 1.0),
        ("Go on up go!", "Go on up, go!", 0.0),
        ("Go on up , go!", "Go on up, go!", 0.0),
        ("Go on up, go!!", "Go on up, go!", 1.0),
        ("Go on up, go!!!", "Go on up, go!", 0.0),
        ("Go on up, go.", "Go on up, go!", 0.0),
    ],
)
def test_sentences_are_compared_with_their_marks(answer: str, target: str, wanted: float) -> None:
    held = {"text": target, "given": "Go on, go!", "folds": ["case"]}
    item = Item("insert", 2, "en", "word", "?", held, target)
    assert score(f"<answer>{answer}</answer>", item) == wanted


def test_spaces_make_no_difference_where_none_are_written() -> None:
    held = {"text": "我们去。", "given": "我们去学校。", "folds": ["case", "spaces"]}
    item = Item("delete", 2, "zh", "word", "?", held, "我们去。")
    assert score("<answer>我们 去 。</answer>", item) == 1.0
    assert score("<answer>我们去</answer>", item) == 1.0
    assert score("<answer>我们去？</answer>", item) == 0.0


def test_partial_credit_is_the_part_of_the_way_that_an_answer_goes() -> None:
    held = {"text": "baxnaxnax", "given": "banana", "folds": []}
    item = Item("insert", 2, "en", "char", "?", held, "baxnaxnax")
    for answer, earned in (("baxnaxnax", 1.0), ("baxnaxna", 2 / 3), ("baxnana", 1 / 3)):
        found = score(f"<answer>{answer}</answer>", item, rule="graded")
        assert found == pytest.approx(earned)
    for answer in ("banana", "zzzzzz", "b", "baxnaxnax" * 3):
        assert score(f"<answer>{answer}</answer>", item, rule="graded") == 0.0


@pytest.mark.parametrize("answer", ["baxnana.", "“baxnana”.", "**baxnana.**", "baxnana。"])
def test_a_final_stop_costs_a_word_no_partial_credit(answer: str) -> None:
    held = {"text": "baxnaxna", "given": "banana", "folds": []}
    item = Item("insert", 2, "en", "char", "?", held, "baxnaxna")
    assert score(f"<answer>{answer}</answer>", item, rule="graded") == 0.5


@given(st.text("abc", min_size=1, max_size=8), st.text("abc", min_size=1, max_size=8), letters)
def test_the_way_begins_at_the_nearest_of_what_takes_no_look(
    given: str, right: str, said: str
) -> None:
    starts = [given, *(given[:place] + given[place + 1 :] for place in range(len(given)))]
    way = min(Levenshtein.distance(start, right) for start in starts)
    wanted = 1 - Levenshtein.distance(said, right) / max(1, way)
    target = {"text": right, "given": given, "folds": []}
    assert KIND.grade(said, target) == pytest.approx(max(0, wanted))
    assert (KIND.grade(said, target) == 1) == (said == right)
    assert all(KIND.grade(start, target) == 0 for start in starts if start != right)


def test_the_way_is_measured_in_characters_as_readers_see_them() -> None:
    """A sign on another letter is not a character of its own: तैर with छा for क is two changes."""
    target = {"text": "तैरकछार", "given": "तैरकर", "folds": []}
    assert KIND.grade("तैरछार", target) == 0.0
    target = {"text": "किछाताछाबछा", "given": "किताब", "folds": []}
    assert KIND.grade("किछाताबछा", target) == pytest.approx(2 / 3)
    assert KIND.grade("दण", {"text": "दण", "given": "दक्षिण", "folds": []}) == 1.0
    assert KIND.grade("ण", {"text": "दण", "given": "दक्षिण", "folds": []}) == 0.0


def test_one_half_of_an_exchange_earns_no_partial_credit() -> None:
    target = {"text": "tncienA", "given": "Ancient", "folds": []}
    for half in ("tncient", "AncienA", "ancient", "tncint"):
        assert KIND.grade(half, target) == 0.0
    for other in ("tncieA", "tnciennA"):  # both have changed places, another one is wrong
        assert KIND.grade(other, target) == 0.5
    words = {"text": "Go dog, hot!", "given": "Hot dog, go!", "folds": ["case"]}
    assert KIND.grade("go dog, go!", words) == 0.0
    assert KIND.grade("Go dog hot!", words) == 0.5


def quoted_characters(item: Item) -> list[str]:
    """Return the single characters that a prompt quotes."""
    return [text for text in quoted_texts(item) if len(graphemes(text)) == 1]


@pytest.mark.sampled(6)
@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("variant", ["char", "word"])
@pytest.mark.parametrize("name", EDITS)
def test_no_credit_for_answers_made_without_solving(name: str, variant: str, lang: str) -> None:
    maker = task(name)
    items = [maker.generate(lang=lang, variant=variant, index=index) for index in range(100)]
    earned: dict[str, list[float]] = {}
    for item in items:
        word = item.target["given"]
        blind = {
            "less its last": word[:-1],
            "less its first": word[1:],
            "less its last word": " ".join(word.split()[:-1]),
            "less its first word": " ".join(word.split()[1:]),
            "reversed": word[::-1],
            "doubled": word * 2,
            "and a letter": word + "a",
            "another one": items[0].solution,
        }
        if variant == "char" and (named := quoted_characters(item)):
            units = graphemes(word)
            middle = len(units) // 2
            blind |= {
                "the last named as its first": "".join([named[-1], *units[1:]]),
                "the first named as its last": "".join([*units[:-1], named[0]]),
                "the last named after its first": "".join([units[0], named[-1], *units[1:]]),
                "the last named in the middle": "".join(
                    [*units[:middle], named[-1], *units[middle + 1 :]]
                ),
            }
        for strategy, answer in blind.items():
            exact = KIND.verify(answer, item.target)
            earned.setdefault(strategy, []).append(KIND.grade(answer, item.target) - exact)
    means = {strategy: sum(marks) / len(items) for strategy, marks in earned.items()}
    for strategy, mean in means.items():
        # One place of several is sometimes the one that the strategy takes.
        assert mean <= (0.15 if " named " in strategy else 0.05), means


def test_a_sentence_is_measured_in_words_and_marks() -> None:
    target = {"text": "No, no up, no up!", "given": "No, no, no!", "folds": ["case"]}
    for answer, earned in (("no, no up, no!", 0.5), ("No, no, up no up!", 0.0)):
        assert KIND.grade(answer, target) == earned
    for hedge in (
        "No, no up, no up! zz",
        "No, no up, no upzz!",
        "No, no up, no up",
        "No , no up, no up!",
    ):
        assert KIND.grade(hedge, target) == 0.5


@pytest.mark.parametrize(
    ("answer", "wanted"),
    [("IŞIK İYİ.", 1.0), ("ışık iyi.", 1.0), ("Işık i\u0307yi.", 1.0), ("IŞK İYİ.", 0.0)],
)
def test_letter_case_is_free_with_and_without_a_dot(answer: str, wanted: float) -> None:
    held = {"text": "Işık iyi.", "given": "Işık çok iyi.", "folds": ["case"]}
    item = Item("delete", 2, "tr", "word", "?", held, "Işık iyi.")
    assert score(f"<answer>{answer}</answer>", item) == wanted
    word = Item(
        "delete", 2, "tr", "char", "?", {"text": "kız", "given": "kızı", "folds": []}, "kız"
    )
    assert score("<answer>kiz</answer>", word) == 0.0


def test_words_that_differ_in_a_dot_alone_are_not_clear() -> None:
    line = sentence("Kır evi kirli değil, kir de yok.")
    assert ("kir",) not in clear_units(line, "word")
    assert not is_absent("KIRLI", line, "word")


@pytest.mark.parametrize("name", EDITS)
def test_solve_says_which_argument_is_not_text(name: str) -> None:
    maker = {"insert": insert, "delete": delete, "substitute": substitute, "swap": swap}[name]
    right = {part: "a" for part in signature(maker.solve).parameters if part != "variant"}
    for wrong in right:
        for value in (None, 5, b"a", ["a"]):
            with pytest.raises(TokenbenchError, match=f"^{wrong}=.*: expected a string$"):
                maker.solve(**right | {wrong: value})
    with pytest.raises(UnknownNameError, match="allowed are char, word"):
        maker.solve(**right, variant="sentence")


@pytest.mark.parametrize("name", EDITS)
def test_a_record_serves_in_another_process_and_fills_no_memory_anew(name: str) -> None:
    copy = pickle.loads(pickle.dumps(task(name)))  # noqa: S301
    item = task(name).generate(lang="de", index=3)
    known = clear_units.cache_info().misses
    assert copy.generate(lang="de", index=3) == item
    assert copy.guess_rate(item) == task(name).guess_rate(item)
    assert clear_units.cache_info().misses == known


def test_the_suite_has_every_task_variant_and_language() -> None:
    data = suite("execute", size=3)
    kinds = {(item.task, item.variant, item.lang) for item in data}
    assert len(kinds) == 12 * len(LANGUAGES) + 3 * 3 + 1
    assert len(data) == 3 * len(kinds)
    assert {item.meta["split"] for item in data} == {"test"}
    coded = suite("execute", size=2, langs=["en"], script="Ethiopic")
    assert len(coded) == 2 * 12
    assert all(item.meta["params"] == {"script": "Ethiopic"} for item in coded)
    listed = suite("execute", size=2, langs=["en"], words="core")
    assert {"lexicon" in item.meta["source"] for item in listed} == {True, False}
    with pytest.raises(TokenbenchError, match="list of languages"):
        suite("execute", langs="en")
    with pytest.raises(UnknownNameError, match="'jp'"):
        suite("execute", langs=["en", "jp"])
    with pytest.raises(SourceError, match="choose another script"):
        suite("execute", langs=["zh"], script="Tifinagh")


def test_characters_may_be_set_apart_by_dashes_with_spaces() -> None:
    item = spell.generate(lang="en")
    for separator in (" - ", "-", " – ", "\n-\n"):
        assert score(f"<answer>{separator.join(item.target['units'])}</answer>", item) == 1.0
    assert score(f"<answer>{''.join(item.target['units'])}</answer>", item) == 0.0


@pytest.mark.parametrize("answer", ["t - s h i r t", '["t", "-", "s", "h", "i", "r", "t"]'])
def test_a_dash_of_a_published_word_is_a_character_to_spell(answer: str) -> None:
    units = list("t-shirt")
    assert spell.verify(
        spell.TASK.kind("char").interpret(answer, published_item(units)), {"units": units}
    )


def test_a_dash_of_a_published_word_may_not_be_left_out() -> None:
    units = list("t-shirt")
    assert not spell.verify(
        spell.TASK.kind("char").interpret("t s h i r t", published_item(units)), {"units": units}
    )


def published_item(units: list[str]) -> Item:
    """Return an item as the reader of published rows makes it, for a word that we never ask for."""
    return replace(spell.generate(lang="en"), target={"units": units})
