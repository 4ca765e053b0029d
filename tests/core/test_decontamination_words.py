"""Decontamination against lists of words: a line or a field counts, a word in a sentence not."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tokenbench import dataset, decontaminate, mixture
from tokenbench.decontamination import TextIndex
from tokenbench.item import Item
from tokenbench.tasks.wordings import closing, payload_of, read_join, read_slots
from tokenbench.text.languages import language

QUOTED = r"[“‘「«„]([^“‘「”’」»]{2,})[”’」»“]"
# fmt: off
NAMED = [
    "count_char:en", "count_unique:de", "find_first:ru", "find_last:es", "spell:en",
    "contains:en:char", "insert:en:char", "delete:en:char", "substitute:xh:char", "swap:en:char",
    "furigana:ja",
    "compm:en:split",
]
JOINS = ["trap:en:boundary", "trap:en:second", "trap:zh:char"]
ANSWERS = [
    "spell_inverse:en", "compm:en:combine", "compm:zh:combine", "compose:ja", "var:en", "ridl:en",
    "ridl:zh", "ridl:ko", "compose:ko",
]
# fmt: on
WHOLES = ["decompose:zh", "compm:zh:split", "contains_part:ko"]


def longest_quotation(item: Item) -> str:
    return str(max(re.findall(QUOTED, item.prompt), key=len))


def words_written_together(item: Item) -> str:
    return str(read_join(read_slots(item.task, item.lang, item.prompt)))


# For each part that asks about a word, how to find that of an item.
WORDS: dict[str, Callable[[Item], str]] = {
    **dict.fromkeys(NAMED, longest_quotation),
    **dict.fromkeys(JOINS, words_written_together),
    **dict.fromkeys(ANSWERS, lambda item: item.solution),
    **dict.fromkeys(WHOLES, lambda item: str(item.meta["drawn"]["whole"])),
    # A list of three words; no part of it is enough.
    "compc:en": lambda item: payload_of("compc", "en", item.prompt),
}
WORD_FILES = {
    "a.txt": "{}",
    "b.tsv": "12\t{}\t3.5",
    "c.csv": 'x,"{}",y',
    "d.jsonl": '{{"word": "{}", "n": 1}}',
    "e.json": '[{{"id": 1, "words": ["no", "{}"]}}]',
}


def item_about_a_word(part: str) -> Item:
    return (dataset(part, length=3) if part == "compc:en" else dataset(part, seed=5))[1]


@pytest.mark.parametrize("name", WORD_FILES)
def test_a_word_that_is_a_line_or_field_leaves_out_what_asks_about_it(
    tmp_path: Path, name: str
) -> None:
    items = list(map(item_about_a_word, WORDS))
    words = [WORDS[part](item).capitalize() for part, item in zip(WORDS, items, strict=True)]
    file = tmp_path / name
    file.write_text("\n".join(map(WORD_FILES[name].format, words)) + "\n", encoding="utf-8")
    index = TextIndex(file)
    found = {part: index.find(item) for part, item in zip(WORDS, items, strict=True)}
    assert [part for part in found if not found[part]] == []
    kind = "line" if name == "a.txt" else "field"
    spelled = found["spell:en"]
    assert spelled is not None
    assert spelled.reason == f"asks about a word that is a {kind} of {file}"


@pytest.mark.parametrize(
    ("name", "row"),
    [
        ("a.txt", "They wrote {0}, and then {0} again.\nAlso, {0}, they said; {0} it was."),
        ("a.csv", 'text,n\n"Then, {0}, he said; ""{0}"" or\tso",1'),
        ("a.csv", "text;n\nThen, {0}, he said;1"),
        ("a.jsonl", '{{"text": "Then, {0}, he said; \\"{0}\\" or\\tso", "{0}": 1}}'),
    ],
)
def test_a_word_within_other_text_leaves_nothing_out(tmp_path: Path, name: str, row: str) -> None:
    items = list(map(item_about_a_word, [*NAMED, *JOINS, "trap:en:second", "compm:en:combine"]))
    words = [WORDS[part](item) for part, item in zip([*NAMED, *JOINS], items, strict=False)]
    words += [item.solution for item in items[-2:]]
    file = tmp_path / name
    file.write_text("\n".join(map(row.format, words)) + "\n", encoding="utf-8")
    index = TextIndex(file)
    assert [item.id for item in items if index.find(item)] == []


def test_the_heading_of_a_table_is_not_one_of_its_words(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("question,answer\nqueue,answer\n", encoding="utf-8")
    values = TextIndex(file).find
    assert values(foreign_item("What does “question” mean?")) is None
    assert values(foreign_item("What does “answer” mean?")) is not None


def test_letters_and_answer_words_are_not_the_subject_of_the_question(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    letters = "\n".join("abcdefghijklmnopqrstuvwxyz")
    file.write_text(f"{letters}\nyes\nno\nsame\nfirst list\n1\n2\n", encoding="utf-8")
    parts = ["count_char:en", "contains:en:char", "insert:en:char", "diff:en", "freq:en"]
    assert decontaminate(mixture(parts, n=60), file).left_out == []


def foreign_item(question: str, lang: str = "en", **drawn: str) -> Item:
    return Item(
        "no_such_task",
        1,
        lang,
        None,
        f"{question}\n\n{closing(language(lang))}",
        {},
        "2",
        {"drawn": drawn},
    )


@pytest.mark.parametrize(
    "question",
    [
        "How many vowels does the word “window” have?",
        'How many times does the letter "i" occur in "window"?',
        "Wie viele Vokale hat „window“?",
        "Hur många vokaler har ”window”?",
        "Combien de voyelles dans « window » ?",
        "「window」には母音がいくつありますか。",
        "Is ‘window’ longer than ‘o’? Answer “yes” or “no”.",
    ],
)
@pytest.mark.parametrize("name", WORD_FILES)
def test_the_word_that_a_task_of_another_package_quotes_is_its_subject(
    tmp_path: Path, question: str, name: str
) -> None:
    file = tmp_path / name
    words = ["banana", "Window", "i", "o"]
    file.write_text("\n".join(map(WORD_FILES[name].format, words)) + "\n", encoding="utf-8")
    [found] = decontaminate([foreign_item(question)], file).left_out
    assert found.text == "window"
    assert found.reason.startswith("asks about a word that is a ")


def test_the_word_that_a_task_names_in_its_facts_is_its_subject(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("window\n山\n", encoding="utf-8")
    items = [
        foreign_item("How many vowels does window have?", word="window"),
        foreign_item("“山”有几画？", "zh"),
    ]
    assert decontaminate(items, file).kept == []


@pytest.mark.parametrize(
    "question",
    [
        "How many vowels does the word “widow” have?",
        "Which word is longer, “window” or “cat”?",
        "How many words does the sentence “a window and a cat” have?",
        "How often does “window” occur in the text?\n\nOne window, two windows.",
        "Which letter follows the “o” of wonder? Answer “yes”.",
        "Is “window’s” a word?",
    ],
)
def test_quoted_words_that_are_not_all_that_is_asked_about_leave_nothing_out(
    tmp_path: Path, question: str
) -> None:
    file = tmp_path / "a.txt"
    file.write_text("window\ncat\no\nyes\ns\n", encoding="utf-8")
    assert decontaminate([foreign_item(question)], file).left_out == []
