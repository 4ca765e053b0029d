"""Reports agree with their runs, whatever a model wrote."""

import re
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

import pytest
import stub_models
from reports import MIXED, RULES, TAGS, page, page_data, sheet, some
from stub_models import StubModel

from tokenbench.run import Result, evaluate, read
from tokenbench.run.reporting import report


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Return the folders of two runs on the same items."""
    root = tmp_path_factory.mktemp("runs")
    items = some()
    for name, skill, hostile, fails in (("small", 0.3, True, 4), ("large", 0.9, False, 0)):
        model = StubModel(name, items, skill=skill, hostile=hostile, fails=fails)
        evaluate(items, model, root / name, options=MIXED)
    return [root / "small", root / "large"]


@pytest.fixture(scope="module")
def report_folder(folders: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of their report."""
    return report(folders, tmp_path_factory.mktemp("report")).parent


def means(results: Sequence[Result], rule: str, key: str) -> dict[str, float]:
    """Return the means over items of the means of their samples, by task or language."""
    scores: dict[str, dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    for one in results:
        if one.error is None and one.scores[rule] is not None:
            name = one.lang if key == "lang" else one.task
            if key == "task" and one.variant:
                name += f":{one.variant}"
            scores[name][one.index].append(one.scores[rule] or 0.0)
    return {name: fmean(map(fmean, each.values())) for name, each in scores.items()}


@pytest.mark.parametrize(("file", "key"), [("tasks.csv", "task"), ("languages.csv", "lang")])
def test_means_are_those_of_the_runs_own_lines(
    folders: list[Path], report_folder: Path, file: str, key: str
) -> None:
    told = {
        (row["run"], row["rule"], row[key]): float(row["mean"])
        for row in sheet(report_folder, file)
    }
    found = {
        (folder.name, rule, name): mean
        for folder in folders
        for rule in RULES
        for name, mean in means(read(folder).results(), rule, key).items()
    }
    assert told == pytest.approx(found, abs=1e-6)
    shown = set(
        re.findall(r'title="([\d.]+) %, 95 % interval', (report_folder / "index.html").read_text())
    )
    assert {f"{100 * mean:.1f}" for mean in found.values()} <= shown


def test_intervals_hold_their_means_and_say_of_how_many_items(report_folder: Path) -> None:
    for name in ("tasks.csv", "languages.csv", "lengths.csv", "passes.csv"):
        rows = sheet(report_folder, name)
        assert rows
        for row in rows:
            assert 0 <= float(row["low"]) <= float(row["mean"]) <= float(row["high"]) <= 1
            assert int(row["items"]) > 0


def test_lengths_and_levels_count_every_item_once(folders: list[Path], report_folder: Path) -> None:
    counts: dict[tuple[str, str], int] = defaultdict(int)
    for row in sheet(report_folder, "lengths.csv"):
        if row["rule"] == "exact" and row["against"] in ("level", "prompt"):
            counts[row["run"], row["against"]] += int(row["items"])
    for folder in folders:
        judged = {one.index for one in read(folder).results() if one.error is None}
        assert counts[folder.name, "level"] == counts[folder.name, "prompt"] == len(judged)


def test_every_completion_is_whole_in_the_results(folders: list[Path], report_folder: Path) -> None:
    rows = sheet(report_folder, "results.csv")
    results = [one for folder in folders for one in read(folder).results()]
    assert len({row["row"] for row in rows}) == len(rows) == len(results)
    for row, one in zip(rows, results, strict=True):
        text = one.completion or ""
        text = text.encode("utf-8", "backslashreplace").decode()
        assert row["completion"] == ("'" + text if text[:1] in ("=", "+", "-", "@", "'") else text)
        assert row["exact"] == ("" if one.error else str(one.scores["exact"]))
        assert row["error"] == (one.error or "")


def test_no_cell_is_a_formula(report_folder: Path) -> None:
    tables = list(report_folder.glob("*.csv"))
    cells = [
        cell
        for table in tables
        for row in sheet(report_folder, table.name)
        for cell in row.values()
        if cell
    ]
    assert len(tables) > 6
    assert any(cell.startswith("'=HYPERLINK") for cell in cells)
    starts = [cell for cell in cells if cell[0] in "=+-@\t\r"]
    # A negative number is one: a spreadsheet computes nothing.
    assert not [cell for cell in starts if not re.fullmatch(r"-[\d.]+(e-\d+)?", cell)]


def test_the_page_has_every_row_under_a_name_of_its_own(
    folders: list[Path], report_folder: Path
) -> None:
    told = page_data(report_folder)
    names = [f"row-{run + 1}-{place}-{sample}" for run, _, place, sample, *_ in told["rows"]]
    assert len(set(names)) == len(names) == sum(len(read(one).results()) for one in folders)
    assert names == [row["row"] for row in sheet(report_folder, "results.csv")]


def test_completions_are_text_and_nothing_else(report_folder: Path) -> None:
    found = page(report_folder)
    assert set(found.tags) <= TAGS
    assert found.tags.count("script") == 2
    assert not [name for name, _ in found.attributes if name.startswith("on")]
    assert any("=HYPERLINK(" in word for word in found.words)
    text = (report_folder / "index.html").read_text("utf-8")
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text)
    assert "49" not in [word.strip() for word in found.words if "7 * 7" in word]
    for link in found.links:
        assert link.startswith("#") or (report_folder / link).is_file()


def test_the_same_runs_give_the_same_files(
    folders: list[Path], report_folder: Path, tmp_path: Path
) -> None:
    again = report(folders, tmp_path / "again").parent
    names = {path.relative_to(report_folder) for path in report_folder.rglob("*") if path.is_file()}
    assert names == {path.relative_to(again) for path in again.rglob("*") if path.is_file()}
    assert {path.suffix for path in names} == {".html", ".csv", ".png", ".svg"}
    for name in names:
        assert (again / name).read_bytes() == (report_folder / name).read_bytes(), name


def test_hostile_completions_are_among_those_of_these_tests(folders: list[Path]) -> None:
    said = {one.completion for one in read(folders[0]).results()}
    assert len(said.intersection(stub_models.HOSTILE)) >= 5
