"""Riddle files that people have: their columns and formats, and refused files."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tokenbench import prompt, score
from tokenbench.errors import SourceError, UnknownNameError
from tokenbench.item import Item
from tokenbench.published.riddles import read
from tokenbench.tasks import register
from tokenbench.tasks.tase.ridl import TASK
from tokenbench.tasks.wordings import split_closing


@pytest.fixture(autouse=True)
def _register_task() -> Iterator[None]:
    with register(TASK):
        yield


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_bytes(text.encode())
    return path


def only(folder: Path, name: str, text: str, **options: str) -> Item:
    (item,) = read(write(folder, name, text), **options)
    return item


def test_a_row_becomes_an_item_that_is_judged_by_the_task(tmp_path: Path) -> None:
    file = write(tmp_path, "clues.csv", "clue,answer\nCar before pet (6),carpet\nA pet (3),cat \n")
    first, second = read(file)
    assert (first.task, first.version, first.lang, first.variant) == ("ridl", 2, "en", None)
    assert first.prompt == "Car before pet (6)"
    assert first.solution == "carpet"
    assert first.target == {
        "accepted": ["carpet"],
        "published": {"evaluation": "match_answer", "label": "carpet", "variation": ""},
    }
    assert first.meta.pop("source").startswith("clues.csv sha256:")
    assert first.meta == {
        "seed": None,
        "index": 0,
        "split": "test",
        "level": None,
        "params": {},
        "file": "clues.csv",
        "row": 0,
        "evaluation": "match_answer",
        "label": "carpet",
        "variation": "",
    }
    assert (second.solution, second.meta["row"]) == ("cat", 1)
    for rule in ("exact", "graded", "published", "published_graded"):
        assert score("<answer>Carpet</answer>", first, rule=rule) == 1.0
        assert score("<answer>rug</answer>", first, rule=rule) == 0.0
    both = "<answer>carpet or rug</answer>"
    assert (score(both, first), score(both, first, rule="published")) == (0.0, 1.0)
    assert split_closing(prompt(first), "en")[0] == first.prompt != prompt(first)
    assert 0.0 < TASK.guess_rate(first) < 1.0


@pytest.mark.parametrize("clue", ["clue", "Riddle", " QUESTION ", "input", "prompt"])
@pytest.mark.parametrize("answer", ["answer", "Solution", "label"])
def test_english_names_of_columns(tmp_path: Path, clue: str, answer: str) -> None:
    item = only(tmp_path, "a.csv", f"id,{answer},{clue},why\n7,cat,A pet (3),because\n")
    assert (item.prompt, item.solution) == ("A pet (3)", "cat")


@pytest.mark.parametrize(
    ("clue", "answer", "lang"),
    [
        ("谜面", "谜底", "zh"),
        ("字谜", "答案", "zh"),
        ("문제", "정답", "ko"),
        ("수수께끼", "답", "ko"),
    ],
)
def test_chinese_and_korean_names_of_columns(
    tmp_path: Path, clue: str, answer: str, lang: str
) -> None:
    solution = {"zh": "义", "ko": "원숭이"}[lang]
    item = only(tmp_path, "a.csv", f"{clue},{answer}\n……,{solution}\n")
    assert (item.lang, item.solution) == (lang, solution)


def test_the_first_of_several_names_is_taken(tmp_path: Path) -> None:
    item = only(tmp_path, "a.csv", "input,clue,label,answer\nraw,clean,rough,fine\n")
    assert (item.prompt, item.solution) == ("clean", "fine")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.csv", 'clue,answer\n"One, two\nthree ""four""",cat\n'),
        ("a.CSV", '\ufeffclue,answer\r\n"One, two\nthree ""four""",cat\r\n\r\n'),
        ("a.tsv", 'answer\tclue\ncat\t"One, two\nthree ""four"""\n'),
        ("a.jsonl", json.dumps({"clue": 'One, two\nthree "four"', "answer": "cat"})),
        ("a.ndjson", "\n" + json.dumps({"riddle": 'One, two\nthree "four"', "answer": ["cat"]})),
    ],
)
def test_formats(tmp_path: Path, name: str, text: str) -> None:
    item = only(tmp_path, name, text)
    assert (item.prompt, item.solution) == ('One, two\nthree "four"', "cat")


def test_several_right_answers_in_json(tmp_path: Path) -> None:
    item = only(tmp_path, "a.jsonl", '{"clue": "A dull color", "answer": ["gray", "grey "]}')
    assert item.target["accepted"] == ["gray", "grey"]
    assert score("<answer>grey</answer>", item) == score("<answer>gray</answer>", item) == 1.0


@pytest.mark.parametrize(
    ("clue", "answer", "accepted"),
    [
        ("Warm pet, a snack (3,3)", "HOTDOG", ["HOTDOG", "HOT DOG"]),
        ("A relative (6-2-3)", "motherinlaw", ["motherinlaw", "mother in law"]),
        ("A snack (3, 3)", "hot dog", ["hot dog"]),
        ("A snack (3,4)", "hotdog", ["hotdog"]),
        ("A snack (6)", "hotdog", ["hotdog"]),
        ("A sketch, at the zoo (3,3)", "The zoo", ["The zoo"]),
        ("I melt as I shine", "A candle", ["A candle", "candle"]),
        ("I melt as I shine (not wax)", "The candle", ["The candle", "candle"]),
        ("What comes first", "An", ["An"]),
    ],
)
def test_other_spellings_of_an_answer(
    tmp_path: Path, clue: str, answer: str, accepted: list[str]
) -> None:
    item = only(tmp_path, "a.csv", f'clue,answer\n"{clue}",{answer}\n')
    assert (item.solution, item.target["accepted"]) == (answer, accepted)
    for text in accepted:
        assert score(f"<answer>{text.replace(' ', '-')}</answer>", item) == 1.0


def test_rows_of_empty_cells_are_not_riddles(tmp_path: Path) -> None:
    items = read(write(tmp_path, "a.csv", "clue,answer,why\n?,cat,\n,,\n , ,\n!,dog,\n,,\n"))
    assert [(item.solution, item.meta["row"]) for item in items] == [("cat", 0), ("dog", 3)]


@pytest.mark.parametrize(
    ("answer", "right", "wrong"),
    [
        ("A candle", ["candle", "a candle", "Candle."], ["candles", "a", "a candle or a lamp"]),
        ("hot dog", ["hotdog", "Hot-dog", "hot\ndog", "“hot dog”."], ["dog hot", "hot dogs"]),
        ("mother-in-law", ["Mother in law", "mother‑in‑law"], ["mother, in, law"]),
        ("don't", ["DON’T"], ["do not", "dont"]),
        (
            "CAT",
            ["cat", "**Cat**"],
            ["cats", "cat (3)", "The answer is: answer: cat", "c-a-t", "not cat"],
        ),
    ],
)
def test_answers_as_people_write_them(
    tmp_path: Path, answer: str, right: list[str], wrong: list[str]
) -> None:
    item = only(tmp_path, "a.csv", f"clue,answer\n?,{answer}\n")
    assert {text: score(f"<answer>{text}</answer>", item) for text in right + wrong} == {
        **dict.fromkeys(right, 1.0),
        **dict.fromkeys(wrong, 0.0),
    }


@pytest.mark.parametrize(
    ("theme", "answer", "shown"),
    [
        ("theme", "cat", "?\nTheme: pets"),
        ("谜目", "猫", "?\n主题：pets"),
        ("주제", "고양이", "?\n주제: pets"),
    ],
)
def test_a_theme_is_shown_below_the_clue(
    tmp_path: Path, theme: str, answer: str, shown: str
) -> None:
    assert only(tmp_path, "a.csv", f"clue,answer,{theme}\n?,{answer},pets\n").prompt == shown
    assert only(tmp_path, "a.csv", f"clue,answer,{theme}\n?,{answer}, \n").prompt == "?"
    assert only(tmp_path, "a.csv", f",clue,answer\npets,?,{answer}\n").prompt == "?"


@pytest.mark.parametrize(
    ("said", "lang"),
    [
        ("en", "en"),
        ("zh-CN", "zh"),
        ("ko_KR", "ko"),
        ("Korean", "ko"),
        ("中文", "zh"),
        ("영어", "en"),
    ],
)
def test_the_language_is_the_one_in_the_row(tmp_path: Path, said: str, lang: str) -> None:
    file = write(tmp_path, "a.csv", f"clue,answer,language\n?,cat,{said}\n?,义,\n?,고양이,\n")
    assert [item.lang for item in read(file)] == [lang, "zh", "ko"]
    assert [item.lang for item in read(file, lang="ko")] == [lang, "ko", "ko"]


def test_fields_may_be_long(tmp_path: Path) -> None:
    item = only(tmp_path, "a.csv", f"clue,answer\n{'x' * 200_000},cat\n")
    assert len(item.prompt) == 200_000


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        (
            "a.txt",
            "clue,answer\n?,cat\n",
            "path='.*a.txt': expected a file that ends in .csv, .tsv, ",
        ),
        ("a.csv", "clue,reply\n?,cat\n", "row 1 of '.*a.csv' has no answer: .*정답"),
        ("a.csv", "clue,answer\n?,cat\n?,\n", "row 2 of '.*a.csv' has no answer"),
        ("a.csv", "clue,answer\n ,cat\n", "row 1 of '.*a.csv' has no clue"),
        ("a.csv", "clue,answer\n?\n", "row 1 of '.*a.csv' has no answer"),
        ("a.csv", "clue,answer\n?,\u200b\n", "row 1 of '.*a.csv' has no answer"),
        ("a.csv", "clue,answer,lang\n?,cat,fr\n", "unknown language 'fr'"),
        ("a.jsonl", '{"clue": "?", "answer": "cat"}\n[]', "line 2 of '.*' is not a JSON object"),
        ("a.jsonl", "{", "line 1 of '.*' is not a JSON object"),
        ("a.jsonl", "[" * 100_000, "line 1 of '.*' is not a JSON object"),
        ("a.jsonl", '{"clue": "?"}', "row 1 of '.*' has no answer"),
        ("a.jsonl", '{"clue": "?", "answer": []}', "row 1 of '.*' has no answer"),
        ("a.jsonl", '{"clue": "?", "answer": ["cat", 7]}', "row 1 of '.*' has no answer"),
        ("a.jsonl", '{"clue": ["?"], "answer": "cat"}', "row 1 of '.*' has no clue"),
    ],
)
def test_unusable_files_are_one_clear_error(
    tmp_path: Path, name: str, text: str, said: str
) -> None:
    with pytest.raises(SourceError, match=said) as raised:
        read(write(tmp_path, name, text))
    assert "\n" not in str(raised.value)


def test_a_file_that_is_missing_or_not_utf_8_and_an_unknown_language(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"cannot read '.*none.csv'"):
        read(tmp_path / "none.csv")
    file = tmp_path / "a.csv"
    file.write_bytes(b"clue,answer\n\xff,cat\n")
    with pytest.raises(SourceError, match="not UTF-8"):
        read(file)
    with pytest.raises(UnknownNameError, match="language of riddles 'fr'"):
        read(file, lang="fr")
