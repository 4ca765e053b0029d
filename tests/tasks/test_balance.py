"""What a question shows does not tell its answer: shares of the cases of languages and levels."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest

from tokenbench import catalog, score, task
from tokenbench.draw import SPLITS, split_of
from tokenbench.item import Item
from tokenbench.tasks.balance import pair_up
from tokenbench.tasks.language_packs import PHRASE, TEXT, Case
from tokenbench.tasks.params import LEVELS
from tokenbench.tasks.pools import MIN_INSTANCES
from tokenbench.tasks.sizes import n_instances
from tokenbench.tasks.wordings import read_slots
from tokenbench.text.graphemes import graphemes
from tokenbench.text.languages import LANGUAGES
from tokenbench.text.packs import pack
from tokenbench.text.packs.pieces import phrases, texts, words_repeat

SOME_LEVELS = (None, 0, 4, 9)
VARIANTS = ("char", "word")
EDITS = ("insert", "delete", "substitute")
# Half of the share of negatives that were near misses when this was written.
NEAR_WORDS = {"ar": 0.18, "de": 0.15, "en": 0.13, "es": 0.15, "hi": 0.09, "ru": 0.17, "xh": 0.2}
NEAR_LETTERS = {
    "am": 0.07,
    "ar": 0.07,
    "de": 0.04,
    "en": 0.09,
    "es": 0.04,
    "hi": 0.26,
    "ru": 0.04,
    "xh": 0.04,
}
NEAR_SHAPES = {"zh": 0.38, "ja": 0.11, "ko": 0.25}

every_language = pytest.mark.parametrize("lang", LANGUAGES)
every_variant = pytest.mark.parametrize("variant", VARIANTS)


@cache
def cases(
    name: str, lang: str, variant: str | None = None, level: int | None = None
) -> tuple[Case, ...]:
    pool = task(name).pool
    assert pool
    result = pool(task(name).spec(lang=lang, variant=variant, level=level))
    assert result
    return tuple(result.instances)


def share(flags: Iterable[bool]) -> float:
    flags = list(flags)
    return sum(flags) / len(flags)


def test_partners_are_spread_as_the_cases_are() -> None:
    """Of the partners of a word, one is chosen whose last letter the partners still lack."""
    words, others = ["ax", "ay", "az"], ["a1x", "a2x", "a3x", "a4y", "a5z"]
    pairs = pair_up(words, others, lambda word: word[0], len, lambda word: word[-1])
    assert {case for case, _ in pairs} == set(words)
    assert sorted(other[-1] for _, other in pairs) == ["x", "y", "z"]


@every_language
@pytest.mark.parametrize("level", SOME_LEVELS)
def test_the_commonest_character_hardly_tells_the_number(lang: str, level: int | None) -> None:
    """Of few cases with a character, one answer is often the commonest by chance."""
    answers: dict[str, Counter[object]] = defaultdict(Counter)
    for case in cases("count_char", lang, level=level):
        answers[max(case.line.units, key=case.line.units.count)][case.answer] += 1
    told = sum(max(found.values()) - 1 for found in answers.values())
    assert told < 0.6 * sum(found.total() - 1 for found in answers.values())


def is_repeated(case: Case) -> bool:
    return case.line.units.count(case.units[0]) > 1


@pytest.mark.sampled(3)
@every_language
@pytest.mark.parametrize("level", SOME_LEVELS)
def test_a_character_occurs_as_often_once_as_several_times(lang: str, level: int | None) -> None:
    chosen = cases("count_char", lang, level=level)
    assert all(case.answer == case.line.units.count(case.units[0]) for case in chosen)
    assert share(case.answer > 1 for case in chosen) >= 0.45
    assert 0 < share(case.answer == 0 for case in chosen) <= 1 / 3
    answers: dict[str, Counter[int]] = defaultdict(Counter)
    for case in chosen:
        answers[case.units[0]][min(case.answer, 2)] += 1
    for unit, counts in answers.items():
        if counts[1] + counts[2] >= 10:
            assert counts[1] == pytest.approx(counts[2], rel=0.2), unit


@every_language
@pytest.mark.parametrize("level", SOME_LEVELS)
def test_the_length_of_a_word_is_not_its_number_of_characters(lang: str, level: int | None) -> None:
    chosen = cases("count_unique", lang, level=level)
    assert all(case.answer == len(set(case.line.units)) for case in chosen)
    assert share(case.answer < len(case.line.units) for case in chosen) >= 0.45
    by_length: dict[int, list[bool]] = defaultdict(list)
    for case in chosen:
        by_length[len(case.line.units)].append(case.answer == len(case.line.units))
    assert all(share(flags) <= 0.55 for flags in by_length.values())


@pytest.mark.sampled(3)
@every_language
@pytest.mark.parametrize("name", ["find_first", "find_last"])
def test_no_position_is_frequent(name: str, lang: str) -> None:
    for level in SOME_LEVELS:
        chosen = cases(name, lang, level=level)
        assert max(Counter(case.answer for case in chosen).values()) <= 0.35 * len(chosen)
        assert share(map(is_repeated, chosen)) >= 0.3


@pytest.mark.sampled(3)
@every_language
@every_variant
def test_what_is_contained_is_as_often_not(variant: str, lang: str) -> None:
    for level in SOME_LEVELS:
        chosen = cases("contains", lang, variant, level)
        by_unit: dict[str, Counter[bool]] = defaultdict(Counter)
        by_line: dict[str, Counter[bool]] = defaultdict(Counter)
        for case in chosen:
            assert case.answer == (case.units[0] in case.line.units)
            by_unit[case.units[0]][case.answer] += 1
            by_line[case.line.text][case.answer] += 1
        assert all(counts[True] == counts[False] for counts in by_unit.values())
        # Long words have nearly all letters, so that some are only asked about what they have.
        best = sum(max(counts.values()) for counts in by_line.values())
        assert best / len(chosen) <= (0.56 if level is None else 0.66)


def negatives(lang: str, variant: str) -> list[Case]:
    return [case for case in cases("contains", lang, variant) if not case.answer]


@pytest.mark.parametrize("lang", NEAR_WORDS)
def test_a_word_that_is_not_there_may_be_in_another_form(lang: str) -> None:
    near = (
        any(unit[:3] == word[:3] and abs(len(unit) - len(word)) <= 3 for unit in line.units)
        for line, _, (word,), _ in negatives(lang, "word")
    )
    assert share(near) >= NEAR_WORDS[lang]


@pytest.mark.parametrize("lang", NEAR_LETTERS)
def test_a_letter_that_is_not_there_may_make_another_word(lang: str) -> None:
    vocabulary = {tuple(graphemes(word)) for word in pack(lang).vocabulary}
    near = (
        any(
            (*line.units[:index], letter, *line.units[index + 1 :]) in vocabulary
            for index in range(len(line.units))
        )
        for line, _, (letter,), _ in negatives(lang, "char")
    )
    assert share(near) >= NEAR_LETTERS[lang]


@pytest.mark.parametrize("lang", NEAR_SHAPES)
def test_a_character_that_is_not_there_may_share_a_component(lang: str) -> None:
    from tokenbench.decomposition.components import character_components

    script = character_components(lang)

    @cache
    def components(char: str) -> set[object]:
        ways = script.right_decompositions(char)
        return {part for way in ways for part in ([way[:2]] if script.is_ordered else way)}

    near = (
        any(components(char) & components(unit) for unit in line.units)
        for line, _, (char,), _ in negatives(lang, "char")
    )
    assert share(near) >= NEAR_SHAPES[lang]


@pytest.mark.sampled(3)
@every_language
@every_variant
@pytest.mark.parametrize("name", EDITS)
def test_edits_act_on_several_places_and_seldom_at_the_edge(
    name: str, variant: str, lang: str
) -> None:
    for level in SOME_LEVELS:
        chosen = cases(name, lang, variant, level)
        assert share(map(is_repeated, chosen)) >= 0.4
        ends = (
            not is_repeated(case) and case.units[0] in (case.line.units[0], case.line.units[-1])
            for case in chosen
        )
        assert share(ends) <= 0.13


@pytest.mark.sampled(3)
@every_language
@every_variant
def test_what_is_swapped_is_hardly_next_to_the_other_and_never_reversed(
    variant: str, lang: str
) -> None:
    lines = {case.line.text: case.line for case in cases("swap", lang, variant)}
    assert all(len(set(line.units)) >= 5 for line in lines.values())
    neighbors = 0
    for index in range(50):
        item = task("swap").generate(lang=lang, variant=variant, index=index)
        given, result = item.target["given"], item.target["text"]
        assert result != given[::-1]
        assert result.split() != given.split()[::-1]
        slots, units = read_slots("swap", lang, item.prompt), lines[given].units
        neighbors += abs(units.index(slots["one"]) - units.index(slots["other"])) == 1
    # Only where a line has no other pair.
    assert neighbors <= 5


@every_language
def test_phrases_and_texts_belong_to_one_split(lang: str) -> None:
    for pieces in (phrases, texts):
        lines = [line.text for split in SPLITS for line in pieces(pack(lang), split)]
        assert len(set(lines)) == len(lines)
    for split in SPLITS:
        sentences = tuple(
            line.text for line in pack(lang).sentences if split_of(line.text.lower()) == split
        )
        for line in texts(pack(lang), split):
            assert line.text.startswith(sentences)
            assert line.text.endswith(sentences)


@every_language
def test_phrases_are_asked_about_where_words_hardly_repeat_a_character(lang: str) -> None:
    forms = {case.form for case in cases("count_char", lang)}
    assert forms == ({"char"} if words_repeat(pack(lang)) else {PHRASE})
    assert words_repeat(pack(lang)) == (lang not in ("am", "hi", "ja", "ko", "zh"))
    assert {case.form for case in cases("insert", lang, "word")} == {"word", TEXT}


PARTS = [
    (name, lang, variant)
    for name in catalog()
    for lang in task(name).langs
    for variant in task(name).variants or (None,)
    if task(name).levels
]


@pytest.mark.parametrize(("name", "lang", "variant"), PARTS)
def test_every_level_has_enough_instances(name: str, lang: str, variant: str | None) -> None:
    every, *of_level = (
        n_instances(name, task(name).spec(lang=lang, variant=variant, level=level))
        for level in (None, *task(name).levels)
    )
    if every is None or every >= MIN_INSTANCES:
        assert all(number is None or number >= MIN_INSTANCES for number in of_level), of_level
    else:
        assert set(of_level) == {every}


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("name", "lang", "variant"),
    [
        pytest.param(*part, marks=[] if index % 9 == 0 else pytest.mark.thorough)
        for index, part in enumerate(PARTS)
    ],
)
def test_no_answer_is_right_for_most_items(name: str, lang: str, variant: str | None) -> None:
    for level in (0, LEVELS // 2 - 1, LEVELS - 1):
        item = task(name).generate(lang=lang, variant=variant, level=level)
        assert task(name).guess_rate(item) <= 0.6


# What users give.

SENTENCES = {
    "en": "The cat saw a small dog.\nWe went to the old house by the sea.\n"
    "My father sings, and my mother dances.\nIt will rain, and it will snow.\n",
    "it": "Il gatto nero dorme sotto il tavolo.\nLa casa vecchia era vicino al mare.\n"
    "Mio padre canta e mia madre balla.\nOggi fa freddo.\n",
}
OVER_PACKS = [name for name in catalog() if task(name).accepts_any_language]
WITH_WORDS = [name for name in OVER_PACKS if "words" in {param.name for param in task(name).params}]


@pytest.mark.parametrize("lang", SENTENCES)
@pytest.mark.parametrize("name", OVER_PACKS)
def test_a_few_sentences_are_enough(name: str, lang: str, tmp_path: Path) -> None:
    text = tmp_path / "sentences.txt"
    text.write_text(SENTENCES[lang], encoding="utf-8")
    for variant in task(name).variants or (None,):
        for level in (None, 0, 9):
            item = task(name).generate(lang=lang, variant=variant, level=level, pack=text)
            assert score(f"<answer>{item.solution}</answer>", item) == 1.0


@pytest.mark.parametrize("words", ["banana apple letter coffee table", "planet dog bird fish cow"])
@pytest.mark.parametrize("name", WITH_WORDS)
def test_five_words_are_enough(name: str, words: str, tmp_path: Path) -> None:
    file = tmp_path / "words.txt"
    file.write_text(words.replace(" ", "\n"), encoding="utf-8")
    for level in (None, 0, 9):
        item = task(name).generate(level=level, words=file)
        assert score(f"<answer>{item.solution}</answer>", item) == 1.0


@pytest.mark.sampled(3)
@every_language
@pytest.mark.parametrize("name", ["count_char", "count_unique", "find_last", "delete"])
def test_the_nearest_length_is_asked_about(name: str, lang: str) -> None:
    lengths = {
        length: task(name).generate(lang=lang, length=length).meta["drawn"]["length"]
        for length in (5, 6, 60)
    }
    assert (lengths[5], lengths[6]) == (5, 6)
    longest = max(
        len(case.line.units) for case in cases(name, lang, next(iter(task(name).variants), None))
    )
    assert lengths[60] == longest


# The reading of answers about phrases.


def test_spaces_count_in_words_but_not_in_phrases() -> None:
    target = {"text": "걸어갔다", "given": "늘 걸어갔다", "folds": ["spaces"]}
    phrase = Item("delete", 2, "ko", "char", "?", target, "걸어갔다")
    word = Item("delete", 2, "ko", "char", "?", target | {"folds": []}, "걸어갔다")
    for text, in_phrase, in_word in (("걸어갔다", 1.0, 1.0), ("걸어 갔다", 1.0, 0.0)):
        assert score(f"<answer>{text}</answer>", phrase) == in_phrase
        assert score(f"<answer>{text}</answer>", word) == in_word


def test_a_number_may_be_said_of_a_phrase() -> None:
    prompt = "How many times does the letter “e” occur in the phrase “the red cat”?"
    item = Item("count_char", 2, "en", None, prompt, {"answer": 2}, "2")
    for times, mark in ((2, 1.0), (3, 0.0)):
        said = f"The letter “e” occurs {times} times in the phrase “the red cat”."
        assert score(f"<answer>{said}</answer>", item) == mark
