"""Cryptic clues: each is rebuilt letter by letter from its words, and leads to one answer."""

import re
from collections import Counter
from functools import cache
from itertools import groupby, islice
from pathlib import Path
from string import Formatter
from types import ModuleType

import pytest
import ridl_proofs
from ridl_proofs import hidden, insertions

from tokenbench import ridl
from tokenbench.draw import Split
from tokenbench.errors import DifficultyError
from tokenbench.item import Item
from tokenbench.tasks.riddles import DEVICES
from tokenbench.tasks.riddles.cryptic import (
    AMBIGUOUS_DEVICES,
    answers,
    drop_related,
    fodder,
    same_family,
)
from tokenbench.tasks.wordings import payload_of, questions
from tokenbench.text.languages import language
from tokenbench.text.lexicon import concepts, words
from tokenbench.text.sources import WORDFREQ, data_table, data_text

ALL = DEVICES["en"]
SPLITS: tuple[Split, ...] = ("train", "validation", "test")
DATA = "tokenbench.tasks.riddles"
LEXICON = {concept.en: concept.theme for concept in concepts()}
CLUES = data_table(DATA, "data", "cryptic.toml")
SENTENCES = data_table(DATA, "data", "initials.toml")
PLACES = {
    "charade": ["first", "second"],
    "charade_of_three": ["first", "second", "third"],
    "container": ["inner", "outer"],
}
# The link between two words of a charade or container, and which of them comes first.
FORWARDS = "before|followed by|in front of|leading|ahead of|and then|, then|,"
BACKWARDS = "after|behind|following|preceded by"
INWARDS = "inside|held by|into|stuck in|kept within"
OUTWARDS = "around|holding|swallowing|embracing|outside"


@cache
def every_item() -> tuple[Item, ...]:
    """Return an item for every answer and device."""
    found = []
    for device in ALL:
        for split in SPLITS:
            space = ridl.TASK.n_instances(ridl.TASK.spec(split=split, device=device)) or 0
            found += [
                ridl.TASK.generate(split=split, device=device, index=index)
                for index in range(space)
            ]
    return tuple(found)


def clue_of(item: Item) -> str:
    return payload_of("ridl", item.lang, item.prompt)


def device_results(device: str, used: list[str], size: int) -> list[str]:
    """Return every string of letters that a device makes of words, as the device is defined."""
    run = "".join(used)
    match device:
        case "hidden":
            return [run[at : at + size] for at in range(1, len(run) - size)]
        case "initials":
            return ["".join(word[0] for word in used)]
        case "beheading":
            return [run[1:]] if len(used) == 1 else []
        case "curtailing":
            return [run[:-1]] if len(used) == 1 else []
        case "reversal":
            return [run[::-1]]
        case "charade":
            return [run]
        case "container":
            inner, outer = used
            return [outer[:at] + inner + outer[at:] for at in range(1, len(outer))]
    raise AssertionError(device)


@cache
def wide() -> frozenset[str]:
    pytest.importorskip("wordfreq")
    return frozenset((*words("en", WORDFREQ).words, *LEXICON))


@cache
def wide_by_letters() -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for word in wide():
        found.setdefault("".join(sorted(word)), set()).add(word)
    return found


@cache
def tool() -> ModuleType:
    pytest.importorskip("wordfreq")
    return ridl_proofs


def proved_lines() -> list[str]:
    text = data_text(DATA, "data", "proved.tsv")
    return [line for line in text.splitlines() if not line.startswith("#")]


# The clues.


def test_every_clue_makes_its_answer_of_the_letters_that_stand_in_it() -> None:
    for item in every_item():
        answer, drawn = item.solution, item.meta["drawn"]
        device, used = drawn["device"], drawn["fodder"]
        if device == "anagram":
            assert sorted("".join(used)) == sorted(answer), item.prompt
            assert answer not in ("".join(used), "".join(reversed(used)))
        else:
            assert answer in device_results(device, used, len(answer)), item.prompt
        if device != "container":
            others = {*device_results(device, used, len(answer))} if device != "anagram" else set()
            assert others & LEXICON.keys() <= {answer}, item.prompt


def test_a_clue_is_a_definition_wordplay_and_the_number_of_letters() -> None:
    for item in every_item():
        clue, drawn = clue_of(item), item.meta["drawn"]
        said = re.fullmatch(r"(.*\S) \((\d+)\)", clue)
        assert said is not None, clue
        text = said[1][0].lower() + said[1][1:] if said[1][0].isalpha() else said[1]
        text = re.sub("^“[A-Z]", lambda quoted: quoted[0].lower(), text)
        assert int(said[2]) == len(item.solution) == drawn["length"]
        definition = drawn["definition"]
        assert definition in CLUES["definitions"][LEXICON[item.solution]]
        assert text.startswith(definition) or text.endswith(definition), clue
        wordplay = text.removeprefix(definition)
        wordplay = wordplay if wordplay != text else text.removesuffix(definition)
        used = drawn["fodder"]
        if drawn["device"] in ("charade", "container"):
            assert all(re.search(rf"\b{word}\b", wordplay) for word in used), clue
        else:
            assert re.search(rf"\b{' '.join(used)}\b", wordplay), clue


def test_no_prompt_except_in_a_clues_fodder_has_a_form_of_the_answer() -> None:
    for item in every_item():
        assert not re.search(rf"\b{item.solution}s?\b", item.prompt.lower()), item.prompt
    for item in every_item():
        drawn = item.meta["drawn"]
        plain = clue_of(item).lower().replace(" ".join(drawn["fodder"]), "")
        if drawn["device"] not in ("beheading", "curtailing", "charade", "container"):
            assert item.solution not in plain.split()


def test_words_that_a_clue_says_itself_stand_in_quotes_as_fodder() -> None:
    own = {"is", "in", "at", "of", "before", "for", "part", "head"}
    seen = 0
    for item in every_item():
        used = item.meta["drawn"]["fodder"]
        if item.meta["drawn"]["device"] != "initials" and own.intersection(used):
            seen += 1
            clue = clue_of(item).lower()
            assert all(word in re.sub("[^“]*“([^”]*)”", r" \1 ", clue).split() for word in used)
    assert seen > 20


def test_most_words_have_a_clue_and_every_device_has_some() -> None:
    counts = {
        device: sum(len(answers(split, "core", (device,))) for split in SPLITS) for device in ALL
    }
    asked = sum(len(answers(split, "core", ALL)) for split in SPLITS)
    assert asked > 0.97 * len(LEXICON)
    assert counts["anagram"] > 800
    assert counts["hidden"] > 600
    assert counts["initials"] > 1700
    assert min(counts.values()) > 50


def test_no_definition_has_a_word_of_the_answers_family() -> None:
    """Three letters are told only at the beginning: barman gives bar away, wear has no ear."""
    for item in every_item():
        answer = item.solution
        for word in re.findall("[a-z]+", item.meta["drawn"]["definition"].lower()):
            assert not (answer in word if len(answer) > 3 else word.startswith(answer)), item.prompt
            assert len(word) < 4 or word not in answer, item.prompt
            assert not same_family(word, answer), item.prompt


def test_initials_are_not_most_of_the_riddles() -> None:
    """Every answer has them, and they are the easiest to see through."""
    asked = Counter(ridl.generate(index=index).meta["drawn"]["device"] for index in range(600))
    assert asked["initials"] < 300
    assert asked.keys() == set(ALL)


def test_an_anagram_keeps_no_long_piece_of_the_answer_whole() -> None:
    for item in every_item():
        if item.meta["drawn"]["device"] == "anagram":
            used = item.meta["drawn"]["fodder"]
            assert not any(len(word) > 3 and word in item.solution for word in used), item.prompt


def test_the_shortest_answers_come_first() -> None:
    for split in SPLITS:
        lengths = [len(answer) for answer in answers(split, "core", ALL)]
        assert lengths == sorted(lengths)
        assert lengths[0] == 3


# One answer.


def test_proved_fodder_makes_its_answer_and_no_other_word() -> None:
    for line in proved_lines():
        answer, device, *ways = line.split("\t")
        assert device in AMBIGUOUS_DEVICES
        for way in map(str.split, ways):
            if device == "anagram":
                letters = "".join(sorted("".join(way)))
                assert letters == "".join(sorted(answer))
                alike = wide_by_letters()[letters] - {answer}
                assert alike <= ({way[0]} if len(way) == 1 else set()), line
            else:
                run = "".join(way)
                found = (
                    [run[at : at + len(answer)] for at in range(len(run) - len(answer) + 1)]
                    if device == "hidden"
                    else device_results(device, way, len(answer))
                )
                assert answer in found
                assert wide().intersection(found) == {answer}, line
            assert hidden(" ".join(way), answer) == (device == "hidden")


def test_the_file_of_proofs_is_what_its_tool_writes() -> None:
    held = {answer: [*lines] for answer, lines in groupby(proved_lines(), key=_first)}
    assert [*held] == sorted(held)
    search = tool().search()
    for answer in islice(sorted(word for word in LEXICON if len(word) >= 3), 0, None, 61):
        assert [*tool().proofs(search, answer)] == held.get(answer, []), answer


def _first(line: str) -> str:
    return line.partition("\t")[0]


def test_most_common_words_have_no_anagram_among_themselves_and_fewer_in_a_wide_list() -> None:
    """The measurement that calls for the proofs: 2,829 and 2,153 of 3,000 words are unique."""
    pytest.importorskip("wordfreq")
    listed = [word for word in words("en", WORDFREQ).words if len(word) >= 3]
    common = listed[:3000]
    among = Counter("".join(sorted(word)) for word in common)
    against = Counter("".join(sorted(word)) for word in listed)
    alone = sum(among["".join(sorted(word))] == 1 for word in common)
    alone_in_all = sum(against["".join(sorted(word))] == 1 for word in common)
    assert 2700 < alone < 2900
    assert 2000 < alone_in_all < 2300


# Other words than the lexicon's.


def test_a_users_words_have_clues_without_a_definition(tmp_path: Path) -> None:
    listed = tmp_path / "words.txt"
    text = "Gravy quark tulip gnome swirl blimp crypt dwarf thump vixen"
    listed.write_text(text.replace(" ", "\n"))
    seen = set()
    for index in range(8):
        item = ridl.generate(words=str(listed), index=index)
        assert item.meta["source"].startswith("words.txt sha256:")
        seen.add(item.solution)
        if item.solution not in LEXICON:
            assert item.meta["drawn"]["device"] not in AMBIGUOUS_DEVICES
            assert item.meta["drawn"]["definition"] in CLUES["undefined"]["definitions"]
            assert any(
                text.removeprefix("{payload}").strip() in item.prompt
                for text in questions("ridl", language("en"))["undefined"]
            )
    assert len(seen) == ridl.TASK.n_instances(ridl.TASK.spec(words=str(listed)))
    with pytest.raises(DifficultyError, match="no word has a riddle for "):
        ridl.generate(words=str(listed), device="anagram", split="test")


@pytest.mark.thorough  # the clues of forty thousand words take seconds
def test_a_frequency_lists_words_have_clues() -> None:
    pytest.importorskip("wordfreq")
    assert len(answers("test", WORDFREQ, ALL)) > 4000
    for index in range(50):
        item = ridl.generate(words=WORDFREQ, index=index)
        used, device = item.meta["drawn"]["fodder"], item.meta["drawn"]["device"]
        if device != "anagram":
            assert item.solution in device_results(device, used, len(item.solution))


# The building blocks.


def test_a_hidden_word_crosses_every_gap_and_leaves_letters_at_both_ends() -> None:
    for phrase in ("wild ogres", "Wild ogres", "bad ogre", "mad o gap"):
        assert hidden(phrase, "dog")
    for phrase in (
        "dog",
        "top dog",
        "dog house",
        "do gap",
        "ado g",
        "wild ogres run",
        "a wild ogre",
    ):
        assert not hidden(phrase, "dog")
    assert not hidden("", "")


def test_a_word_is_put_between_all_letters_of_another() -> None:
    assert insertions("a", "bb") == ("bab",)
    assert insertions("x", "a") == ()


# What people wrote.


def test_every_theme_has_definitions_and_every_answer_keeps_some() -> None:
    assert CLUES["definitions"].keys() == {concept.theme for concept in concepts()}
    for listed in CLUES["definitions"].values():
        assert len(listed) == len(set(listed)) >= 5
        for text in listed:
            assert re.fullmatch("[a-z][A-Za-z' -]*[a-z]", text), text
    for answer, theme in LEXICON.items():
        assert len(drop_related(CLUES["definitions"][theme], answer)) >= 3, answer
        for form in CLUES["clues"]:
            assert len(drop_related(CLUES["clues"][form], answer)) >= 2, (answer, form)


def test_clues_name_their_places_once_and_the_definition_at_one_end() -> None:
    assert {*CLUES["clues"]} == {*ALL, "charade_of_three"}
    for form, listed in CLUES["clues"].items():
        assert len(listed) == len(set(listed)) >= 5
        for text in listed:
            names = [name for _, name, _, _ in Formatter().parse(text) if name]
            assert sorted(names) == sorted(["definition", *PLACES.get(form, ["fodder"])]), text
            assert text.startswith("{definition}") or text.endswith("{definition}"), text


@pytest.mark.parametrize("form", PLACES)
def test_clues_say_which_word_comes_first_or_inside(form: str) -> None:
    forwards = INWARDS if form == "container" else FORWARDS
    backwards = OUTWARDS if form == "container" else BACKWARDS
    for text in CLUES["clues"][form]:
        bare = re.sub("^{definition}(: | from )|(: | for ){definition}$", "", text)
        said = [(literal.strip(), name) for literal, name, _, _ in Formatter().parse(bare) if name]
        order = [name for _, name in said]
        assert order in (PLACES[form], PLACES[form][::-1])
        expected = forwards if order == PLACES[form] else backwards
        assert said[0][0] in ("", "put"), text
        assert all(re.fullmatch(expected, joint) for joint, _ in said[1:]), text


def test_the_words_to_play_with_are_plain_and_new() -> None:
    text = data_text(DATA, "data", "fodder.txt")
    listed = " ".join(line for line in text.splitlines() if not line.startswith("#")).split()
    assert listed == sorted(set(listed))
    assert all(re.fullmatch("[a-z]{2,12}", word) for word in listed)
    assert not LEXICON.keys() & set(listed)
    assert max(map(len, text.splitlines())) <= 100


def test_the_words_of_little_sentences_stand_under_their_first_letters() -> None:
    kinds = [kind for kind in SENTENCES if kind != "sentences"]
    for kind in kinds:
        assert "".join(SENTENCES[kind]) == "abcdefghijklmnopqrstuvwxyz"
        for letter, held in SENTENCES[kind].items():
            listed = held.split()
            assert len(set(listed)) == len(listed) >= (0 if letter == "x" else 2), (kind, letter)
            assert all(re.fullmatch(f"{letter}[a-z]+", word) for word in listed), (kind, letter)
    lengths = {len(sentence.split()) for sentence in SENTENCES["sentences"]}
    assert lengths == set(range(3, 11))
    assert {kind for sentence in SENTENCES["sentences"] for kind in sentence.split()} == set(kinds)


def test_questions_are_different_and_speak_of_a_cryptic_clue() -> None:
    for form in ("ask", "undefined"):
        listed = questions("ridl", language("en"))[form]
        assert len(set(listed)) == len(listed) >= 3
        assert all("cryptic" in text and "English word" in text for text in listed)
        plain = [text.removeprefix("{payload}") for text in listed]
        assert not any("{" in text or "(" in text for text in plain)


def test_a_family_of_words_begins_alike_up_to_an_ending() -> None:
    for word, answer in (("economist", "economy"), ("hygienic", "hygiene"), ("plan", "plant")):
        assert same_family(word, answer)
        assert same_family(answer, word)
    for word, answer in (("weather", "weapon"), ("car", "carpet"), ("form", "foray")):
        assert not same_family(word, answer)


def test_other_words_of_the_theme_are_not_made_either() -> None:
    """Rarer words than the 60,000: the same phrases hide aspic, and the same letters levirate."""
    assert ("wasp", "ices") not in fodder("spice", "hidden")
    assert fodder("relative", "anagram") == ()


def test_fodder_is_not_another_form_of_the_answer() -> None:
    assert fodder("rain", "curtailing") == ()  # not of rainy
    for answer in LEXICON:
        assert (answer + "s",) not in fodder(answer, "curtailing")
        for device in ("beheading", "reversal", "charade"):
            assert (answer,) not in fodder(answer, device)
