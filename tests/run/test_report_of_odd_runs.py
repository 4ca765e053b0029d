"""Reports of runs that lack something, of references, and refused runs."""

import re
from pathlib import Path

import pytest
from reports import MIXED, TAGS, Plain, bare, page, page_data, sheet, some
from stub_models import StubModel

from tokenbench import dataset
from tokenbench.errors import SourceError, TokenbenchError
from tokenbench.prompts import Style
from tokenbench.run import Options, RunProgress, evaluate
from tokenbench.run.reporting import report


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Return the folders of two runs."""
    root = tmp_path_factory.mktemp("runs")
    items = some(1)
    for name in ("one", "two"):
        evaluate(items, StubModel(name, items), root / name)
    return [root / "one", root / "two"]


def test_a_run_that_tells_little_still_has_its_page(tmp_path: Path) -> None:
    items = bare()
    evaluate(items, Plain("terse", f"<answer>{items[0].solution}</answer>"), tmp_path / "run")
    report([tmp_path / "run"], tmp_path / "report")
    assert {row["against"] for row in sheet(tmp_path / "report", "lengths.csv")} == {"prompt"}


def test_a_run_of_errors_alone_has_a_page_that_lists_them(tmp_path: Path) -> None:
    items = bare()
    evaluate(items, Plain("broken", None, "status <b>500</b>"), tmp_path / "run", options=MIXED)
    folder = report([tmp_path / "run"], tmp_path / "report").parent
    assert any("status <b>500</b>" in word for word in page(folder).words)
    assert len(sheet(folder, "results.csv")) == len(items) * 2
    assert not (folder / "tasks.csv").exists()


def test_a_run_half_done_says_how_much_is_missing(tmp_path: Path) -> None:
    items = bare()

    def stop(progress: RunProgress) -> None:
        if progress.n_saved == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        evaluate(items, Plain("slow", "…"), tmp_path / "run", options=MIXED, on_progress=stop)
    folder = report([tmp_path / "run"], tmp_path / "report").parent
    said = " ".join(page(folder).words)
    assert "slow: 5 of 8 completions are missing" in said
    assert len(sheet(folder, "results.csv")) == 3


def test_a_run_that_has_not_begun_has_a_page(tmp_path: Path) -> None:
    evaluate(bare(), Plain("early", "…"), tmp_path / "run")
    (tmp_path / "run" / "results.jsonl").write_bytes(b"")
    folder = report([tmp_path / "run"], tmp_path / "report").parent
    assert "4 of 4 completions are missing" in " ".join(page(folder).words)


def test_runs_of_other_rules_stand_side_by_side(tmp_path: Path) -> None:
    items = bare()
    runs = {"one": Options(rules=("exact",)), "two": Options(rules=("graded", "published_graded"))}
    for name, options in runs.items():
        evaluate(items, Plain(name, "<answer>e v e n</answer>"), tmp_path / name, options=options)
    folder = report([tmp_path / "one", tmp_path / "two"], tmp_path / "report").parent
    told = {(row["run"], row["rule"]) for row in sheet(folder, "tasks.csv")}
    assert told == {("one", "exact"), ("two", "graded"), ("two", "published_graded")}
    assert page_data(folder)["rules"] == ["exact", "graded", "published_graded"]


def test_runs_of_one_model_have_different_names(tmp_path: Path) -> None:
    items = bare(1)
    styles: dict[str, Style] = {"a": "direct", "b": "cot", "c": "cot"}
    for name, style in styles.items():
        evaluate(items, Plain("same", "…"), tmp_path / name, options=Options(style=style))
    report([tmp_path / "a", tmp_path / "b"], tmp_path / "two")
    assert page_data(tmp_path / "two")["runs"] == ["same, direct", "same, cot"]
    report([tmp_path / name for name in "abc"], tmp_path / "three")
    assert page_data(tmp_path / "three")["runs"] == ["same, a", "same, b", "same, c"]


def test_a_report_made_again_leaves_nothing_of_the_one_before(tmp_path: Path) -> None:
    items = bare(2)
    evaluate(items, Plain("one", "<answer>x</answer>"), tmp_path / "one", options=MIXED)
    evaluate(items, Plain("two", None, "down"), tmp_path / "two", options=Options(rules=("exact",)))
    for name in ("one", "two"):
        folder = report([tmp_path / name], tmp_path / "report").parent
    left = {path.name for path in folder.rglob("*") if path.is_file()}
    assert left == {"index.html", "results.csv", "items.csv", "runs.csv"}


def test_two_megabytes_are_cut_on_the_page_and_whole_in_the_table(tmp_path: Path) -> None:
    text = "<i>" * 700_000 + "<answer>1</answer>"
    evaluate(bare(2), Plain("long", text), tmp_path / "run")
    folder = report([tmp_path / "run"], tmp_path / "report").parent
    said = (folder / "index.html").read_text("utf-8")
    assert len(said) < 300_000
    assert "characters left out: see results.csv" in said
    assert [row["completion"] for row in sheet(folder, "results.csv")] == [text] * 2


def test_a_name_of_markup_and_formulas_is_a_name(tmp_path: Path) -> None:
    name = "<b>$\\frac{1</b>$ =1+1 深い \u202e"
    evaluate(bare(1), Plain(name, "…"), tmp_path / "run")
    folder = report([tmp_path / "run"], tmp_path / "report").parent
    assert set(page(folder).tags) <= TAGS
    assert (folder / "figures" / "tasks-exact.svg").is_file()


REFERENCE = "name,task,lang,score,source\npeople,insert:char,en,0.9,Table 1\npeople,,zh,0.8,\n"


def test_a_reference_is_shown_with_the_runs_unchanged(folders: list[Path], tmp_path: Path) -> None:
    file = tmp_path / "people.csv"
    file.write_text(REFERENCE + "people,sort,ru,0.123,\n", "utf-8")
    text = report(folders, tmp_path / "report", reference=file).read_text("utf-8")
    cells = re.findall(r'<td class="ref h\d+"[^>]*><b>(\d+)</b>', text)
    assert sorted(set(cells)) == ["80", "90"]  # and nothing that the file does not have
    assert "Table 1" in text


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("name,task,lang\npeople,sort,en\n", "needs the column 'score'"),
        ("name,task,lang,score\npeople,sort,en,93\n", "score=93.0: expected a number from 0 to 1"),
        ("name,task,lang,score\npeople,sort,en,\n", "expected a number from 0 to 1"),
        ("name,task,lang,score\npeople,sort,en,nan\n", "score=nan: expected a number"),
    ],
)
def test_a_reference_that_cannot_be_read_is_refused(
    folders: list[Path], tmp_path: Path, content: str, said: str
) -> None:
    file = tmp_path / "people.csv"
    file.write_text(content, "utf-8")
    with pytest.raises(SourceError, match=said):
        report(folders, tmp_path / "report", reference=file)
    assert not (tmp_path / "report").exists()


def test_folders_without_runs_are_refused(folders: list[Path], tmp_path: Path) -> None:
    with pytest.raises(TokenbenchError, match="the folder of one or more runs"):
        report([], tmp_path)
    with pytest.raises(TokenbenchError, match="each run once"):
        report([folders[0], folders[0]], tmp_path)
    with pytest.raises(SourceError, match="no run in"):
        report([tmp_path], tmp_path)


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        ("sorrt,en", "unknown task 'sorrt': did you mean 'sort'"),
        ("lenop:cuont,en", "unknown task 'lenop:cuont': did you mean 'lenop:count'"),
        ("sort,eng", "unknown language 'eng': .* did you mean 'en'"),
    ],
)
def test_a_reference_with_a_misspelt_name_is_refused(
    folders: list[Path], tmp_path: Path, cells: str, expected: str
) -> None:
    file = tmp_path / "human.csv"
    file.write_text(f"name,task,lang,score\npeople,,,0.5\npeople,{cells},0.5\n")
    with pytest.raises(SourceError, match=expected):
        report(folders, tmp_path / "report", reference=file)
    assert not (tmp_path / "report").exists()


def test_items_without_a_score_are_distinguished_from_those_with_one(tmp_path: Path) -> None:
    """Some requests failed, and a task has no published scorer."""
    items = [*dataset("freq", n=6), *dataset("trap", n=4)]
    model = StubModel("half", items, fails=50)
    options = Options(rules=("exact", "published"))
    run = evaluate(items, model, tmp_path / "run", options=options)
    report([run.folder], tmp_path / "report")
    text = " ".join(" ".join(page(tmp_path / "report").words).split())
    tasks = run.summary()["tasks"]
    scored = tasks["freq"]["scores"]["exact"]["items"]
    assert 0 < scored < 6
    assert f"freq 6 {scored} scored" in text
    assert re.search(r"trap \w+ \d 0 scored", text)


def test_words_are_explained_only_where_they_occur(folders: list[Path], tmp_path: Path) -> None:
    text = " ".join(page(report(folders, tmp_path).parent).words)
    assert "scored" not in re.sub("scored by", "", text)


@pytest.mark.parametrize("style", ["direct", "published"])
def test_a_rule_that_cannot_read_the_answers_is_in_the_lede(tmp_path: Path, style: Style) -> None:
    items = [*dataset("count_char", n=2), *dataset("freq", n=2)]
    options = Options(rules=("exact", "published"), style=style)
    evaluate(items, Plain("one", "4"), tmp_path / "run", options=options)
    text = " ".join(" ".join(page(report(tmp_path / "run", tmp_path / "rep").parent).words).split())
    assert " of count_char do not " in text
