"""The reader of the published TASE files, on a small checkout of invented rows."""

import csv
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from published_judging import right
from tase_files import checkout

from tokenbench.errors import SourceError
from tokenbench.item import Item
from tokenbench.published.rows import Interpretation, PublishedRow
from tokenbench.published.tase import read
from tokenbench.tasks import task

# group's task, evaluation, file stem; our task, variant, language
LAYOUT = """
freq_count number chinese freq - zh
freq_count number english freq - en
freq_count number korean freq - ko
sentence_length number chinese lenop count zh
sentence_length number english lenop count en
sentence_length number korean lenop count ko
sentence_length length chinese_generate lenop write zh
sentence_length length english_generate lenop write en
sentence_length length korean_generate lenop write ko
sort_lengths match_answer chinese sort - zh
sort_lengths match_answer english sort - en
sort_lengths match_answer korean sort - ko
shuffle_tokens shuffle chinese reord - zh
shuffle_tokens shuffle english reord - en
shuffle_tokens shuffle korean reord - ko
diff_tokens diff chinese diff - zh
diff_tokens diff english diff - en
diff_tokens diff korean diff - ko
component_count number chinese compc - zh
component_count number english compc - en
component_count number korean compc - ko
component_split match_answer zh_combine compm combine zh
component_split match_answer en_combine compm combine en
component_split match_answer kor_combine compm combine ko
component_split split zh_split compm split zh
component_split split en_split compm split en
component_split split kor_split compm split ko
dot_matrix match_answer char_classification dot char_to_script en
dot_matrix match_answer bitmap_type_classification dot bitmap_to_script en
dot_matrix match_answer bitmap_classification_final dot bitmap_to_char en
structure_riddle match_answer chinese ridl - zh
structure_riddle match_answer english ridl - en
structure_riddle match_answer korean ridl - ko
variant_normalize match_answer chinese var - zh
variant_normalize match_answer english var - en
variant_normalize match_answer digital var - en
"""
LINES = [tuple(line.split()) for line in LAYOUT.split("\n") if line]
TOKENS = {"zh": "山水花鸟鱼虫", "en": "fog owl tin jam rug oak", "ko": "산물꽃새눈비"}


def content(evaluation: str, lang: str) -> str:
    tokens = TOKENS[lang]
    last = tokens.split()[-1] if lang == "en" else tokens[-1]
    pair = f"seq1: {tokens}\nseq2: {tokens.removesuffix(last)}"
    return {
        "number": 'input,answer\n"How many? ""a"" in: banana",3\n',
        "length": "input\nWrite me 5 units about rain\n",
        "shuffle": f'input\n"Mix these.\nInput: {tokens}"\n',
        "diff": f'input,answer,variation\n"Same?\n{pair}",{last},delete\n',
        "split": 'input,answer\nSplit it,"fo, g;f, og"\n',
        "match_answer": "input,explanation,answer\nWhich?,why,BAC\n",
    }[evaluation]


@pytest.fixture
def stub(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the reading of prompts, so that rows need not make sense."""

    def interpret_file(rows: list[PublishedRow]) -> list[Interpretation]:
        return [Interpretation({"given": list(row[:5])}, "solution") for row in rows]

    monkeypatch.setattr("tokenbench.published.tase.interpret_file", interpret_file)


@pytest.fixture
def full_checkout(tmp_path: Path) -> Path:
    """Write a checkout that holds every published file, with one row each."""
    for group, evaluation, stem, _, _, lang in LINES:
        checkout(tmp_path, group, evaluation, **{stem: content(evaluation, lang)})
    return tmp_path


def test_every_published_file_finds_its_task(full_checkout: Path) -> None:
    assert [
        (item.meta["file"], item.meta["evaluation"], item.task, item.variant or "-", item.lang)
        for item in read(full_checkout)
    ] == [
        (f"tasks/{group}/{stem}.csv", evaluation, *place)
        for group, evaluation, stem, *place in LINES
    ]


def test_solutions_are_right_by_the_published_rule(full_checkout: Path) -> None:
    for item in read(str(full_checkout)):
        asked = item.target["published"]
        completion = f"<answer>{item.solution}</answer>"
        verdict = right(
            asked["evaluation"], completion, item.prompt, asked["label"], asked["variation"]
        )
        assert verdict, item
        assert Item.from_row(item.row()) == item


@pytest.mark.usefixtures("stub")
def test_all_fields_of_an_item(tmp_path: Path) -> None:
    rows = "input,answer,variation\r\none, yes ,add\r\n two ,no,修改\r\n"
    first, second = read(checkout(tmp_path, "diff_tokens", "diff", english=rows))
    published = {"evaluation": "diff", "label": "yes", "variation": "add"}
    assert first == Item(
        task="diff",
        version=task("diff").version,
        lang="en",
        variant=None,
        prompt="one",
        target={"given": ["diff", None, "en", "one", "yes"], "published": published},
        solution="solution",
        meta={
            "seed": None,
            "index": 0,
            "split": "test",
            "level": None,
            "params": {},
            "source": "TASE (published)",
            "file": "tasks/diff_tokens/english.csv",
            "row": 0,
            **published,
        },
    )
    assert (second.prompt, second.meta["row"], second.meta["index"]) == (" two ", 1, 1)


@pytest.mark.usefixtures("stub")
def test_a_task_of_ours_gives_its_version_and_another_has_version_1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    freq = task("freq")
    monkeypatch.setattr("tokenbench.tasks.find_task", {"freq": freq}.get)
    checkout(tmp_path, "freq_count", "number", english="input,answer\na,1\n")
    checkout(tmp_path, "structure_riddle", "match_answer", english="input,answer\na,b\n")
    assert [item.version for item in read(tmp_path)] == [freq.version, 1]


@pytest.mark.usefixtures("stub")
def test_listings_are_read_by_name_and_files_as_listed(tmp_path: Path) -> None:
    files = {"korean": "input,answer\nc\n", "english": "input,answer\nd\n"}
    checkout(tmp_path, "freq_count", "number", **files)
    checkout(tmp_path, "sort_lengths", "match_answer", english="input,answer\na\nb\n")
    (tmp_path / "data" / "01.json").rename(tmp_path / "data" / "-.json")
    assert [item.prompt for item in read(tmp_path)] == ["a", "b", "c", "d"]


@pytest.mark.usefixtures("stub")
@pytest.mark.parametrize(
    ("content", "prompt", "label"),
    [
        (b"\xef\xbb\xbfinput,answer\na,1\n", "a", "1"),
        (b'\xef\xbb\xbf"input",answer\r\n"a\nb\r\nc",1\r\n', "a\nb\r\nc", "1"),
        ("answer,input\n 1 ,\xa0a \n", "\xa0a ", "1"),
        ('input,answer\n"\n""a"", b\n"," 1\n"\n', '\n"a", b\n', "1"),
        ("input,answer\n\na\n\n", "a", ""),
        ("input,answer\na,1,more", "a", "1"),
        ("input,answer\n\x00", "\x00", ""),
        ("input,answer\n" + "a" * 200_000 + ",1", "a" * 200_000, "1"),
    ],
)
def test_the_forms_that_csv_files_take(
    tmp_path: Path, content: str | bytes, prompt: str, label: str
) -> None:
    (item,) = read(checkout(tmp_path, "freq_count", "number", english=content))
    assert (item.prompt, item.meta["label"], item.meta["variation"]) == (prompt, label, "")


texts = st.text(st.characters(exclude_categories=["Cs"]))


def unread(rows: list[PublishedRow]) -> list[Interpretation]:
    return [Interpretation({}, "")] * len(rows)


@settings(deadline=None)  # a disk may be slow
@given(st.lists(st.tuples(texts, texts), max_size=4))
def test_prompts_come_back_unchanged(rows: list[tuple[str, str]]) -> None:
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr("tokenbench.published.tase.interpret_file", unread)
        root = checkout(Path(folder), "freq_count", "number", english="")
        path = root / "tasks" / "freq_count" / "english.csv"
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([("input", "answer"), *rows])
        found = [(item.prompt, item.meta["label"]) for item in read(root)]
    assert found == [(prompt, label.strip()) for prompt, label in rows]


@pytest.mark.usefixtures("stub")
def test_threads_may_read_long_fields(tmp_path: Path) -> None:
    checkout(tmp_path, "freq_count", "number", english="input,answer\n" + "a" * 200_000)
    with ThreadPoolExecutor(4) as pool:
        assert [len(items) for items in pool.map(read, [tmp_path] * 20)] == [1] * 20


LISTING = '[{"task": "freq_count", "files": ["%s"], "evaluation": "number"}]'


@pytest.mark.parametrize(
    ("listing", "message"),
    [
        ("{", "00.json' is not as published"),
        ("[1]", "is not as published"),
        ("7", "is not as published"),
        ('[{"task": "freq_count", "files": ["a.csv"]}]', "is not as published"),
        ('[{"task": ["a"], "files": ["a.csv"], "evaluation": "number"}]', "is not as published"),
        ("[" * 100_000, "is not as published"),
        (LISTING.replace("freq_count", "freq") % "a.csv", "unknown task 'freq'"),
        (LISTING.replace("number", "digits") % "a.csv", "unknown evaluation 'digits'.*number, "),
        (LISTING % "a/french.csv", "unknown file of freq_count 'french': allowed are chinese, "),
        (LISTING % "a/english.csv", r"cannot read '.*english.csv' \(No such file"),
    ],
)
def test_listings_that_cannot_serve(tmp_path: Path, listing: str, message: str) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "00.json").write_text(listing, encoding="utf-8")
    with pytest.raises(SourceError, match=message) as caught:
        read(tmp_path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("question,answer\na,1\n", "needs the column 'input': found 'question', 'answer'"),
        ("", "needs the column 'input': found none"),
        ("input,label\na,1\n", "needs the column 'answer': found 'input', 'label'"),
        (b"input\n\xff\n", "english.csv' is not UTF-8 text"),
    ],
)
def test_files_that_cannot_serve(tmp_path: Path, content: str | bytes, message: str) -> None:
    with pytest.raises(SourceError, match=message) as caught:
        read(checkout(tmp_path, "freq_count", "number", english=content))
    assert "\n" not in str(caught.value)


def test_folders_that_are_not_a_checkout(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "absent"):
        with pytest.raises(SourceError, match=r"has no data/\*.json: give the root of a checkout"):
            read(path)
