"""Reports: what they say is what the runs hold, whatever a model wrote."""

import csv
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest
import stub_models
import typer
from stub_models import StubModel
from typer.testing import CliRunner

from tokenbench import dataset
from tokenbench.cli.endings import guarded
from tokenbench.cli.report import report as command
from tokenbench.errors import SourceError, TokenbenchError
from tokenbench.glyph import bitmap as drawn
from tokenbench.glyph.written import FORMS, written
from tokenbench.item import Item
from tokenbench.run import Completion, Options, Request, Result, Sampling, evaluate, read
from tokenbench.run.reporting import report
from tokenbench.run.reporting.bitmaps import bitmap

RULES = ("exact", "graded", "published")
MIXED = Options(samples=2, rules=RULES)
TAGS = {
    *("html", "head", "meta", "title", "style", "body", "header", "nav", "main", "section"),
    *("footer", "h1", "h2", "h3", "p", "a", "b", "i", "small", "strong", "span", "div", "code"),
    *("ul", "li", "dl", "dt", "dd", "table", "caption", "thead", "tbody", "tr", "th", "td"),
    *("svg", "path", "text", "g", "circle", "rect", "figure", "figcaption", "mark"),
    *("details", "summary", "noscript", "form", "fieldset", "legend", "label", "input", "select"),
    *("option", "button", "script"),
}


class Page(HTMLParser):
    """What a page holds."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.links: list[str] = []
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep an element and its attributes."""
        self.tags.append(tag)
        self.attributes += attrs
        self.links += [value or "" for name, value in attrs if name == "href"]

    def handle_data(self, data: str) -> None:
        """Keep a text."""
        self.words.append(data)


def some(n: int = 3) -> list[Item]:
    """Return items of several tasks and languages, which are quickly made."""
    kinds = [("spell", "ar"), ("insert", "en"), ("insert", "zh"), ("sort", "en"), ("freq", "ko")]
    made: list[Item] = []
    for level in (0, 9):
        for task, lang in kinds:
            made += dataset(task, lang=lang, n=n, level=level)
        made += dataset("trap", variant="second", n=n, level=level)
        made += dataset("dot", variant="bitmap_to_char", n=n, level=level)
    return made


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
def made(folders: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of their report."""
    return report(folders, tmp_path_factory.mktemp("report")).parent


def page(folder: Path) -> Page:
    """Return the page of a report's folder."""
    return Page((folder / "index.html").read_text("utf-8"))


def sheet(folder: Path, name: str) -> list[dict[str, str]]:
    """Return the rows of a table."""
    csv.field_size_limit(1 << 24)
    with open(folder / name, encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def held(folder: Path) -> dict[str, Any]:
    """Return what the page's script is given."""
    text = (folder / "index.html").read_text("utf-8")
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)
    assert found
    value: dict[str, Any] = json.loads(found[1])
    return value


def means(results: Sequence[Result], rule: str, key: str) -> dict[str, float]:
    """Return the means over items of the means of their samples, by task or language."""
    scores: dict[str, dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    for one in results:
        if one.error is None and one.scores[rule] is not None:
            name = one.lang if key == "lang" else one.task
            if key == "task" and one.variant:
                name += f":{one.variant}"
            scores[name][one.place].append(one.scores[rule] or 0.0)
    return {name: fmean(map(fmean, each.values())) for name, each in scores.items()}


@pytest.mark.parametrize(("file", "key"), [("tasks.csv", "task"), ("languages.csv", "lang")])
def test_means_are_those_of_the_runs_own_lines(
    folders: list[Path], made: Path, file: str, key: str
) -> None:
    told = {(row["run"], row["rule"], row[key]): float(row["mean"]) for row in sheet(made, file)}
    found = {
        (folder.name, rule, name): mean
        for folder in folders
        for rule in RULES
        for name, mean in means(read(folder).results(), rule, key).items()
    }
    assert told == pytest.approx(found, abs=1e-6)
    shown = set(re.findall(r'title="([\d.]+) %, 95 % interval', (made / "index.html").read_text()))
    assert {f"{100 * mean:.1f}" for mean in found.values()} <= shown


def test_intervals_hold_their_means_and_say_of_how_many_items(made: Path) -> None:
    for name in ("tasks.csv", "languages.csv", "lengths.csv", "passes.csv"):
        rows = sheet(made, name)
        assert rows
        for row in rows:
            assert 0 <= float(row["low"]) <= float(row["mean"]) <= float(row["high"]) <= 1
            assert int(row["items"]) > 0


def test_lengths_and_levels_count_every_item_once(folders: list[Path], made: Path) -> None:
    counts: dict[tuple[str, str], int] = defaultdict(int)
    for row in sheet(made, "lengths.csv"):
        if row["rule"] == "exact" and row["against"] in ("level", "prompt"):
            counts[row["run"], row["against"]] += int(row["items"])
    for folder in folders:
        judged = {one.place for one in read(folder).results() if one.error is None}
        assert counts[folder.name, "level"] == counts[folder.name, "prompt"] == len(judged)


def test_every_completion_stands_whole_in_the_results(folders: list[Path], made: Path) -> None:
    rows = sheet(made, "results.csv")
    results = [one for folder in folders for one in read(folder).results()]
    assert len({row["row"] for row in rows}) == len(rows) == len(results)
    for row, one in zip(rows, results, strict=True):
        text = one.completion or ""
        text = text.encode("utf-8", "backslashreplace").decode()
        assert row["completion"] == ("'" + text if text[:1] in ("=", "+", "-", "@", "'") else text)
        assert row["exact"] == ("" if one.error else str(one.scores["exact"]))
        assert row["error"] == (one.error or "")


def test_no_cell_is_a_formula(made: Path) -> None:
    tables = list(made.glob("*.csv"))
    cells = [
        cell for table in tables for row in sheet(made, table.name) for cell in row.values() if cell
    ]
    assert len(tables) > 8
    assert any(cell.startswith("'=HYPERLINK") for cell in cells)
    assert not [cell for cell in cells if cell[0] in "=+-@\t\r"]


def test_the_page_holds_every_row_under_a_name_of_its_own(folders: list[Path], made: Path) -> None:
    told = held(made)
    names = [f"row-{run + 1}-{place}-{sample}" for run, _, place, sample, *_ in told["rows"]]
    assert len(set(names)) == len(names) == sum(len(read(one).results()) for one in folders)
    links = {link[1:] for link in page(made).links if link.startswith("#row-")}
    assert links
    assert links <= set(names)
    assert names == [row["row"] for row in sheet(made, "results.csv")]


def test_what_a_model_writes_is_text_and_nothing_else(made: Path) -> None:
    found = page(made)
    assert set(found.tags) <= TAGS
    assert found.tags.count("script") == 2
    assert not [name for name, _ in found.attributes if name.startswith("on")]
    assert any("<b onclick=alert(1)>" in word for word in found.words)
    text = (made / "index.html").read_text("utf-8")
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text)
    assert "49" not in [word.strip() for word in found.words if "7 * 7" in word]
    for link in found.links:
        assert link.startswith("#") or (made / link).is_file()


def test_the_same_runs_give_the_same_files(folders: list[Path], made: Path, tmp_path: Path) -> None:
    again = report(folders, tmp_path / "again").parent
    names = {path.relative_to(made) for path in made.rglob("*") if path.is_file()}
    assert names == {path.relative_to(again) for path in again.rglob("*") if path.is_file()}
    assert {path.suffix for path in names} == {".html", ".csv", ".png", ".svg"}
    for name in names:
        assert (again / name).read_bytes() == (made / name).read_bytes(), name


def test_traps_count_who_fell_and_who_named_the_trap(folders: list[Path], made: Path) -> None:
    items = {item.id: item for item in read(folders[0]).items}
    fell, named = 0, 0
    for folder in folders:
        for one in read(folder).results():
            item = items[one.id]
            if item.task == "trap" and one.code == "wrong":
                fell += one.answer in item.target["misled"]
                named += one.answer == item.meta["drawn"]["trap"]
    rows = sheet(made, "traps.csv")
    assert (fell, named) == tuple(sum(int(row[key]) for row in rows) for key in ("fell", "named"))
    assert fell
    for row in rows:
        parts = (int(row[key]) for key in ("right", "fell", "other"))
        assert sum(parts) == int(row["completions"])


def test_rules_that_differ_are_counted(folders: list[Path], made: Path) -> None:
    for folder, row in zip(folders, sheet(made, "rules.csv"), strict=True):
        pairs = [
            (one.scores["exact"] == 1.0, one.scores["published"] == 1.0)
            for one in read(folder).results()
            if one.error is None and one.scores["published"] is not None
        ]
        counts = [len(pairs), *(pairs.count(pair) for pair in ((True, True), (False, False)))]
        counts += [pairs.count((True, False)), pairs.count((False, True))]
        columns = ("judged", "both", "neither", "only_first", "only_second")
        assert counts == [int(row[column]) for column in columns]


@pytest.mark.parametrize("form", FORMS)
def test_the_bitmap_of_a_prompt_is_found_in_every_form(form: str) -> None:
    for char in "把닭A1":
        ink = drawn(char)
        prompt = f"Which character is this?\n\n{written(ink, form)}\n\nAnswer."
        assert bitmap(prompt) == ink.tolist()
    assert bitmap("[[" + "], [".join(["0"] * 16) + "]]") is None
    assert bitmap("10 of 16\nbeef\ncafe") is None


def test_a_bitmap_in_brackets_of_one_matrix_is_found_too() -> None:
    ink = drawn("A").tolist()
    assert bitmap("Look:\n" + str(ink).replace("], [", "],\n [") + "\nWhat is it?") == ink


class Plain:
    """A model that tells neither tokens nor how it ended."""

    def __init__(self, name: str, text: str | None, error: str | None = None) -> None:
        self._name, self._completion = name, Completion(text, error=error)

    def stream(
        self,
        requests: Sequence[Request],
        sampling: Sampling,  # noqa: ARG002
    ) -> Iterator[tuple[int, Completion]]:
        """Answer each request in the same way."""
        for place, _ in enumerate(requests):
            yield place, self._completion

    def facts(self) -> dict[str, Any]:
        """Return who it is."""
        return {"client": "stub", "model": self._name}


def bare(n: int = 4) -> list[Item]:
    """Return items that tell nothing of themselves, as others may make them."""
    return [replace(item, meta={}) for item in dataset("spell", n=n)]


def test_a_run_that_tells_little_still_has_its_page(tmp_path: Path) -> None:
    items = bare()
    evaluate(items, Plain("terse", f"<answer>{items[0].solution}</answer>"), tmp_path / "run")
    found = page(report([tmp_path / "run"], tmp_path / "report").parent)
    assert "not told" in found.words
    assert {row["against"] for row in sheet(tmp_path / "report", "lengths.csv")} == {"prompt"}


def test_a_run_of_errors_alone_has_a_page_that_lists_them(tmp_path: Path) -> None:
    items = bare()
    evaluate(items, Plain("broken", None, "status <b>500</b>"), tmp_path / "run", options=MIXED)
    folder = report([tmp_path / "run"], tmp_path / "report").parent
    assert any("status <b>500</b>" in word for word in page(folder).words)
    [row] = sheet(folder, "errors.csv")
    assert int(row["times"]) == len(items) * 2
    assert not (folder / "tasks.csv").exists()


def test_a_run_half_done_says_how_much_is_missing(tmp_path: Path) -> None:
    items = bare()
    seen: list[Result] = []

    def stop(result: Result) -> None:
        seen.append(result)
        if len(seen) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        evaluate(items, Plain("slow", "…"), tmp_path / "run", options=MIXED, progress=stop)
    folder = report([tmp_path / "run"], tmp_path / "report").parent
    said = " ".join(page(folder).words)
    assert "slow is not done: 5 of 8 completions are missing" in said
    assert len(sheet(folder, "results.csv")) == 3


def test_a_run_that_has_not_begun_has_a_page(tmp_path: Path) -> None:
    evaluate(bare(), Plain("early", "…"), tmp_path / "run")
    (tmp_path / "run" / "results.jsonl").write_bytes(b"")
    folder = report([tmp_path / "run"], tmp_path / "report").parent
    assert "4 of 4 completions are missing" in " ".join(page(folder).words)


def test_runs_of_other_rules_stand_side_by_side(tmp_path: Path) -> None:
    items = bare()
    for name, rules in (("one", ("exact",)), ("two", ("graded", "published_graded"))):
        options = Options(rules=rules)
        evaluate(items, Plain(name, "<answer>e v e n</answer>"), tmp_path / name, options=options)
    folder = report([tmp_path / "one", tmp_path / "two"], tmp_path / "report").parent
    told = {(row["run"], row["rule"]) for row in sheet(folder, "tasks.csv")}
    assert told == {("one", "exact"), ("two", "graded"), ("two", "published_graded")}
    assert held(folder)["rules"] == ["exact", "graded", "published_graded"]


def test_runs_of_one_model_are_told_apart(tmp_path: Path) -> None:
    items = bare(1)
    for name, style in (("a", "direct"), ("b", "cot"), ("c", "cot")):
        evaluate(items, Plain("same", "…"), tmp_path / name, options=Options(style=style))
    report([tmp_path / "a", tmp_path / "b"], tmp_path / "two")
    assert held(tmp_path / "two")["runs"] == ["same, direct", "same, cot"]
    report([tmp_path / name for name in "abc"], tmp_path / "three")
    assert held(tmp_path / "three")["runs"] == ["same, a", "same, b", "same, c"]


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


def test_a_reference_stands_beside_the_runs_as_it_is_given(
    folders: list[Path], tmp_path: Path
) -> None:
    file = tmp_path / "people.csv"
    file.write_text(REFERENCE + "people,nothing,,0.123,\n", "utf-8")
    text = report(folders, tmp_path / "report", reference=file).read_text("utf-8")
    cells = re.findall(r'<td class="ref h\d+"[^>]*><b>(\d+)</b>', text)
    assert sorted(set(cells)) == ["80", "90"]  # and nothing that the file does not have
    assert "Table 1" in text
    assert "no run has the task or language: nothing." in text


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("name,task,lang\npeople,sort,en\n", "lacks the column 'score'"),
        ("name,task,lang,score\npeople,sort,en,93\n", "from 0 to 1: got '93'"),
        ("name,task,lang,score\npeople,sort,en,\n", "from 0 to 1: got ''"),
        ("name,task,lang,score\npeople,sort,en,nan\n", "from 0 to 1: got 'nan'"),
        ("name,task,lang,score\n,sort,en,0.5\n", "row 1: no name"),
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
    with pytest.raises(TokenbenchError, match="no runs: give the folder of one or more"):
        report([], tmp_path)
    with pytest.raises(TokenbenchError, match="given twice"):
        report([folders[0], folders[0]], tmp_path)
    with pytest.raises(SourceError, match="no run in"):
        report([tmp_path], tmp_path)


def test_the_command_replaces_no_report_without_being_told(
    folders: list[Path], tmp_path: Path
) -> None:
    app = typer.Typer()
    app.command()(guarded(command))
    call = [*map(str, folders), "--out", str(tmp_path / "made")]
    first = CliRunner().invoke(app, call)
    assert (first.exit_code, first.stdout) == (0, f"{tmp_path / 'made' / 'index.html'}\n")
    again = CliRunner().invoke(app, call)
    assert again.exit_code == 2
    assert "is there already: give another --out, or --force" in again.stderr
    assert CliRunner().invoke(app, [*call, "--force"]).exit_code == 0


def test_hostile_completions_are_among_those_of_these_tests(folders: list[Path]) -> None:
    said = {one.completion for one in read(folders[0]).results()}
    assert len(said.intersection(stub_models.HOSTILE)) >= 5
