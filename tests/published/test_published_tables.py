"""The arithmetic of the published TASE tables."""

from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokenbench.errors import ItemError, TokenbenchError
from tokenbench.item import Item
from tokenbench.published.tables import TASKS, Table, language, table

FOLDER = "tasks/token_awareness/folder"


def item(task: str, stem: str, lang: str = "en", variant: str | None = None) -> Item:
    return Item(task, 1, lang, variant, "?", {}, "", {"file": f"{FOLDER}/{stem}.csv"})


def of(*rows: tuple[Item, float]) -> Table:
    return table([item for item, _ in rows], [score for _, score in rows])


def dot(*, chars: float, scripts: float, marks: float) -> list[tuple[Item, float]]:
    return [
        (item("dot", "char_classification", variant="char_to_script"), marks),
        (item("dot", "bitmap_type_classification", variant="bitmap_to_script"), scripts),
        (item("dot", "bitmap_classification_final", variant="bitmap_to_char"), chars),
    ]


def every_task() -> list[tuple[Item, float]]:
    """Return one English row of each task but DOT, scored 0.5, and DOT at 0.25 / 0.5."""
    plain = [(item(task, f"{task}_english"), 0.5) for task in TASKS if task != "dot"]
    return plain + dot(chars=0.5, scripts=0.0, marks=0.5)


@pytest.mark.parametrize(
    ("stem", "code"),
    [
        ("chinese", "zh"),
        ("chinese_generate", "zh"),
        ("zh_split", "zh"),
        ("english", "en"),
        ("english_generate", "en"),
        ("en_combine", "en"),
        ("korean", "ko"),
        ("kor_split", "ko"),
        ("korean_generate", "en"),
        ("digital", None),
        ("char_classification", None),
        ("bitmap_type_classification", None),
        ("bitmap_classification_final", None),
    ],
)
def test_the_language_of_each_published_file(stem: str, code: str | None) -> None:
    # The folder's name holds `en`, which must not count.
    assert language(f"{FOLDER}/{stem}.csv") == code
    assert language(f"{stem}.csv") == code


def test_a_task_is_the_mean_over_files_whatever_their_sizes() -> None:
    english, korean = item("freq", "english"), item("freq", "korean", "ko")
    result = of((english, 1.0), (korean, 0.0), (english, 1.0), (english, 0.0), (english, 1.0))
    assert result.tasks["freq"] == fmean([0.75, 0.0])


@pytest.mark.parametrize(
    ("task", "stems"),
    [("compm", ("zh_split", "zh_combine", "en_split")), ("lenop", ("chinese", "chinese_generate"))],
)
def test_the_variants_of_a_task_count_together(task: str, stems: tuple[str, ...]) -> None:
    rows = [(item(task, stem), float(number)) for number, stem in enumerate(stems)]
    assert of(*rows).tasks[task] == fmean(range(len(stems)))


def test_dot_is_relative_to_its_character_file() -> None:
    assert of(*dot(chars=0.2, scripts=0.4, marks=0.5)).tasks["dot"] == pytest.approx(0.6)
    assert of(*dot(chars=1.0, scripts=1.0, marks=0.5)).tasks["dot"] == 2.0


def test_dot_is_missing_without_a_ratio() -> None:
    marks, *bitmaps = dot(chars=0.2, scripts=0.4, marks=0.0)
    assert of(marks, *bitmaps).tasks["dot"] is None
    assert of(marks).tasks["dot"] is None
    assert of(*bitmaps).tasks["dot"] is None


def test_the_average_is_over_the_ten_tasks() -> None:
    assert len(TASKS) == 10
    assert of(*every_task()).average == pytest.approx(0.5)
    assert of(*every_task()[1:]).average is None


def test_a_language_is_the_mean_over_its_files() -> None:
    result = of(
        (item("freq", "english"), 1.0),
        (item("freq", "english"), 0.0),
        (item("sort", "english"), 1.0),
        (item("freq", "chinese", "zh"), 0.25),
        (item("freq", "korean", "ko"), 0.0),
        (item("var", "digital"), 1.0),
        *dot(chars=1.0, scripts=1.0, marks=1.0),
    )
    assert result.languages == {"en": 0.75, "zh": 0.25, "ko": 0.0}
    assert (result.ea, result.ca, result.ka) == (0.75 - 0.125, 0.25 - 0.375, 0.0 - 0.5)
    # The mean is 1/3, the deviations 5/12, -1/12 and -1/3.
    assert result.uniformity == pytest.approx(((25 + 1 + 16) / 144 / 3) ** 0.5)
    assert result.misfiled == {}


def test_the_korean_writing_file_counts_as_english_and_is_reported() -> None:
    result = of(
        (item("lenop", "english_generate", variant="write"), 1.0),
        (item("lenop", "korean_generate", "ko", "write"), 0.0),
    )
    assert result.languages == {"en": 0.5, "zh": None, "ko": None}
    assert result.misfiled == {f"{FOLDER}/korean_generate.csv": "en"}


def test_missing_cells_are_none() -> None:
    empty = table([], [])
    assert empty.tasks == dict.fromkeys(TASKS)
    assert empty.languages == {"en": None, "zh": None, "ko": None}
    assert empty.average is empty.ea is empty.ca is empty.ka is empty.uniformity is None
    two = of((item("freq", "english"), 1.0), (item("freq", "chinese", "zh"), 1.0))
    assert two.ea is two.ca is two.ka is two.uniformity is None


def test_what_cannot_make_a_table() -> None:
    with pytest.raises(TokenbenchError, match="scores=2: expected one for each of 1 item"):
        table([item("freq", "english")], [1.0, 0.0])
    with pytest.raises(ItemError, match="an item of 'trap'"):
        of((item("trap", "english"), 1.0))
    with pytest.raises(ItemError, match="an item of 'freq' of the file None is not from"):
        of((Item("freq", 1, "en", None, "?", {}, ""), 1.0))


@given(st.permutations(every_task()))
def test_the_order_of_the_rows_changes_nothing(rows: list[tuple[Item, float]]) -> None:
    result, expected = of(*rows), of(*every_task())
    assert result.tasks == expected.tasks
    assert result.average == expected.average
    assert result.languages == expected.languages
