"""A report's findings: repeated items, two runs compared, references, levels, rows."""

import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from urllib.parse import parse_qs

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reports import RULES, Plain, bare, page, page_data, sheet, some
from stub_models import StubModel

from tokenbench import dataset
from tokenbench.errors import SourceError
from tokenbench.item import Item
from tokenbench.run import Completion, Options, Sampling, evaluate, read
from tokenbench.run.estimates import difference, mean, scores_by_item
from tokenbench.run.reporting import page as page_module
from tokenbench.run.reporting import report
from tokenbench.run.reporting.findings import Step, merge_bins


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Return the folders of two runs on the same items; the second lacks a part."""
    root = tmp_path_factory.mktemp("runs")
    items = some()
    options = Options(samples=2, rules=RULES)
    for name, skill, own in (("small", 0.3, items), ("large", 0.95, items[2:])):
        evaluate(own, StubModel(name, items, skill=skill), root / name, options=options)
    return [root / "small", root / "large"]


@pytest.fixture(scope="module")
def report_folder(folders: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of their report."""
    return report(folders, tmp_path_factory.mktemp("report")).parent


def text_of(folder: Path) -> str:
    """Return the text of a page, with single spaces."""
    return re.sub(r"\s+", " ", " ".join(page(folder).words))


def test_items_that_a_run_has_twice_count_once(tmp_path: Path) -> None:
    items = list(dataset("freq", n=12)) + list(dataset("sort", n=12))
    right = Plain("same", f"<answer>{items[0].solution}</answer>")
    evaluate(items, right, tmp_path / "once")
    evaluate(items * 3, right, tmp_path / "thrice")
    once = report([tmp_path / "once"], tmp_path / "report-once").parent
    thrice = report([tmp_path / "thrice"], tmp_path / "report-thrice").parent
    for name in ("tasks.csv", "languages.csv", "cells.csv", "lengths.csv"):
        assert sheet(thrice, name) == sheet(once, name), name
    [row] = sheet(thrice, "runs.csv")
    assert (row["items"], row["different_items"]) == ("72", "24")
    assert "72 completions of 24 different items" in text_of(thrice)
    assert "72, 24 different" in text_of(thrice)


def test_tasks_by_language_are_the_means_of_the_runs_own_lines(
    folders: list[Path], report_folder: Path
) -> None:
    told = {
        (row["run"], row["rule"], row["task"], row["lang"]): float(row["mean"])
        for row in sheet(report_folder, "cells.csv")
    }
    found = {}
    for folder in folders:
        results = read(folder).results()
        for rule in RULES:
            for task, variant, lang in {(one.task, one.variant, one.lang) for one in results}:
                own = [
                    one
                    for one in results
                    if (one.task, one.variant, one.lang) == (task, variant, lang)
                ]
                if scores := scores_by_item(own, rule):
                    name = f"{task}:{variant}" if variant else task
                    found[folder.name, rule, name, lang] = mean(list(scores.values())).value
    assert told == pytest.approx(found, abs=1e-6)


def test_every_cell_leads_to_rows_that_exist(report_folder: Path) -> None:
    data = page_data(report_folder)
    links = [link for link in page(report_folder).links if link.startswith("#rows?")]
    assert len(links) > 50
    rows = [
        {"run": str(row[0] + 1), "task": data["items"][row[1]][0], "lang": data["items"][row[1]][1]}
        | {"outcome": row[4]}
        for row in data["rows"]
    ]
    for link in set(links):
        wanted = {name: values[0] for name, values in parse_qs(link.partition("?")[2]).items()}
        assert any(wanted.items() <= row.items() for row in rows), link


def test_two_runs_are_compared_on_the_items_that_both_have(
    folders: list[Path], report_folder: Path
) -> None:
    results = {folder.name: read(folder).results() for folder in folders}
    rows = [
        row
        for row in sheet(report_folder, "differences.csv")
        if not row["task"] and not row["lang"]
    ]
    assert [row["rule"] for row in rows] == list(RULES)
    for row in rows:
        names = row["run"], row["other"]
        found = difference(*(scores_by_item(results[name], row["rule"]) for name in names))
        assert (int(row["items"]), int(row["run_higher"])) == (found.n, found.better)
        assert [float(row[name]) for name in ("run_minus_other", "low", "high")] == pytest.approx(
            found[:3], abs=1e-6
        )
    # All rows, and all places of the page, subtract the same run from the same run.
    [(first, second)] = {
        (row["run"], row["other"]) for row in sheet(report_folder, "differences.csv")
    }
    exact = difference(*(scores_by_item(results[name], "exact") for name in (first, second)))
    assert exact.n == len({one.id for one in results["large"]}) < len(some())
    points = f"{100 * exact.value:+.1f} points".replace("-", "−")
    text = " ".join(text_of(report_folder).split())
    assert f"{first} minus {second}: {points}" in text
    assert text.count(f"{first} minus {second} ") > 2 * len(RULES)
    assert f"on {exact.n} different items that both have" in text_of(report_folder)
    assert "Chance alone hardly explains it (p < 0.001)." in text_of(report_folder)


def test_equal_runs_and_runs_without_a_common_item(tmp_path: Path) -> None:
    items = list(dataset("freq", n=20))
    evaluate(items, Plain("one", "<answer>4</answer>"), tmp_path / "one")
    evaluate(items, Plain("two", "<answer>4</answer>"), tmp_path / "two")
    evaluate(bare(), Plain("three", "…"), tmp_path / "three")
    same = report([tmp_path / "one", tmp_path / "two"], tmp_path / "same").parent
    assert "Each of these items has the same score in both." in text_of(same)
    other = report([tmp_path / "one", tmp_path / "three"], tmp_path / "other").parent
    assert not (other / "differences.csv").exists()
    assert "that both have:" not in text_of(other)


REFERENCE = "name,task,lang,score,source\n"


@pytest.mark.parametrize(
    ("lines", "cells"),
    [
        # Only the cell of English: the runs' figure of the task is of two languages.
        ("people,sort,en,0.99,\n", ["99"]),
        # Both languages of the runs: their cells, the task's own, and that of all tasks.
        ("people,sort,en,0.99,\npeople,sort,zh,0.79,\n", ["79", "89", "99"]),
        ("people,sort,,0.5,\n", ["50"]),
        ("people,,zh,0.25,\n", ["25"]),
        ("people,freq,en,0.99,\n", []),
    ],
)
def test_a_reference_stands_next_to_its_scores(
    tmp_path: Path, lines: str, cells: Sequence[str]
) -> None:
    items = [item for lang in ("en", "zh") for item in dataset("sort", lang=lang, n=3)]
    evaluate(items, Plain("one", "…"), tmp_path / "run")
    (tmp_path / "people.csv").write_text(REFERENCE + lines, "utf-8")
    path = report([tmp_path / "run"], tmp_path / "report", reference=tmp_path / "people.csv")
    found = re.findall(r'<td class="ref h\d+"[^>]*><b>(\d+)</b>', path.read_text("utf-8"))
    assert sorted(set(found)) == list(cells)
    table = path.read_text("utf-8").partition('id="tasks"')[2].partition("</section>")[0]
    by_task = re.findall(r'<td class="ref h\d+"[^>]*><b>(\d+)</b>', table)
    assert set(by_task) == {"89" if "zh,0.79" in lines else "50"} & set(cells)


def test_a_mean_of_references_weighs_like_the_items_of_the_runs(tmp_path: Path) -> None:
    items = [*dataset("sort", lang="en", n=3), *dataset("sort", lang="zh", n=1)]
    evaluate(items, Plain("one", "…"), tmp_path / "run")
    (tmp_path / "people.csv").write_text(
        REFERENCE + "people,sort,en,0.8,\npeople,sort,zh,0.4,\n", "utf-8"
    )
    path = report([tmp_path / "run"], tmp_path / "report", reference=tmp_path / "people.csv")
    assert "<b>70.0 %</b>" in path.read_text("utf-8")


@pytest.mark.parametrize(
    ("variants", "lines", "merged", "overall"),
    [
        (("count", "write"), "people,lenop,,0.7,\n", ["70"], "70.0"),
        # By language, and weighed like the items.
        (("count", "write"), "people,lenop,en,0.8,\npeople,lenop,ko,0.4,\n", ["70"], "70.0"),
        # A score of the variant comes first; that of the whole does not use it.
        (("count", "write"), "people,lenop,,0.7,\npeople,lenop:count,,0.1,\n", ["70"], "40.0"),
        (("count", "write"), "people,lenop:count,,0.1,\n", [], ""),
        # The reference's score is not one of counting alone.
        (("count",), "people,lenop,,0.7,\n", [], ""),
    ],
)
def test_a_task_without_a_variant_is_that_of_its_variants(
    tmp_path: Path, variants: Sequence[str], lines: str, merged: Sequence[str], overall: str
) -> None:
    items = [
        item
        for variant in variants
        for lang, n in {"en": 3, "ko": 1}.items()
        for item in dataset("lenop", variant=variant, lang=lang, n=n)
    ]
    evaluate(items, Plain("one", "…"), tmp_path / "run")
    (tmp_path / "people.csv").write_text(REFERENCE + lines, "utf-8")
    path = report([tmp_path / "run"], tmp_path / "report", reference=tmp_path / "people.csv")
    text = path.read_text("utf-8")
    table = text.partition('id="tasks"')[2].partition("</section>")[0]
    rows = re.findall(r"<tr>.*?</tr>", table, re.DOTALL)
    found = [row for row in rows if "<i>all variants</i>" in row]
    assert len(found) == 2 * len(merged)  # by both rules
    for row in found:
        assert re.findall(r'class="ref h\d+"[^>]*><b>(\d+)<', row) == list(merged)
    assert all('data-sort="8"' in row and "0 to" in row for row in found)  # 8 items, none right
    shown = re.findall(r"<i>reference</i>.*?<b>([0-9.]+) %</b>", text, re.DOTALL)
    assert {*shown} == ({overall} if overall else set())


def test_analyses_are_linked(tmp_path: Path) -> None:
    run, out = tmp_path / "run", tmp_path / "report"
    evaluate([*dataset("sort", lang="en", n=2)], Plain("one", "…"), run)
    assert "tokenbench analyse" not in report([run], out).read_text("utf-8")
    for folder in (run / "analysis-tase", out / "analysis", tmp_path / "a b", run / "other"):
        folder.mkdir()
        (folder / "index.html").touch()
    named = [tmp_path / "a b", run / "analysis-tase"]
    text = report([run], out, analyses=named).read_text("utf-8")
    links = re.findall(r'<a href="([^"]*/index.html)">([^<]*)<', text)
    assert links == [
        ("../a%20b/index.html", "../a b/index.html"),
        ("../run/analysis-tase/index.html", "../run/analysis-tase/index.html"),
        ("analysis/index.html", "analysis/index.html"),
    ]
    with pytest.raises(SourceError, match=r"has no index.html: give the folder"):
        report([run], out, analyses=[tmp_path])


class Fewshot(StubModel):
    """A model that is asked with a system message and examples."""

    def _completion(self, prompt: str, number: int) -> Completion:  # noqa: ARG002
        return Completion("<answer>x</answer>", "length", 9, 8)


def test_a_row_shows_all_that_reproduces_it(tmp_path: Path) -> None:
    items = list(dataset("spell", n=3, seed=7, level=4))
    options = Options(style="fewshot", system="Be brief.", sampling=Sampling(seed=31))
    facts = {"seed": 7, "split": "test"}
    model = Fewshot("chatty", items)
    evaluate(items, model, tmp_path / "run", options=options, metadata=facts)
    folder = report([tmp_path / "run"], tmp_path / "report").parent
    data, run = page_data(folder), read(tmp_path / "run")
    for row, result in zip(data["rows"], run.results(), strict=True):
        item = data["items"][row[1]]
        assert item[2] == 4
        assert item[5:] == [result.id, "7", str(result.index)]
        assert row[12] == result.reason
        assert result.reason
        assert row[13] == 1
        sent = [[one["role"], one["content"]] for one in run.messages(result.index)]
        assert data["messages"][row[14]] == sent
        assert sent[0] == ["system", "Be brief."]
        assert sent[1][1].count("<answer>") > 3
    [first, *_] = sheet(folder, "results.csv")
    assert (first["seed"], first["index"]) == ("7", "0")
    assert first["reason"].endswith(run.results()[0].reason or "nothing")
    facts_shown = dict(re.findall(r"<dt>([^<]+)</dt><dd><span[^>]*>([^<]*)", page_html(folder)))
    assert (facts_shown["item seed"], facts_shown["sampling seed"]) == ("7", "31")
    assert "of 3 completions, 3 have no answer that can be read" in text_of(folder)
    assert "and 3 were cut off at the limit of tokens" in text_of(folder)


def page_html(folder: Path) -> str:
    """Return a page as it is."""
    return (folder / "index.html").read_text("utf-8")


def test_a_prompt_that_is_sent_as_it_is_is_kept_once(report_folder: Path) -> None:
    data = page_data(report_folder)
    assert data["messages"] == []
    assert {row[14] for row in data["rows"]} == {-1}


def test_many_rows_are_compressed(
    folders: list[Path], report_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_module, "_MAX_PLAIN_CHARS", 1_000)
    small = report(folders, tmp_path / "small").parent
    assert page_data(small) == page_data(report_folder)
    assert len(page_html(small)) < 0.9 * len(page_html(report_folder))


steps = st.lists(st.integers(1, 30), min_size=1, max_size=25)


@given(steps)
def test_no_bin_is_of_a_handful(numbers: list[int]) -> None:
    counts: dict[Step, int] = {(3 * place, 3 * place + 2): n for place, n in enumerate(numbers)}
    bins = merge_bins(counts)
    assert [bins[0][0], bins[-1][1]] == [0, 3 * len(numbers) - 1]
    assert all(one[1] + 1 == other[0] for one, other in pairwise(bins))
    sizes = [
        sum(n for (low, _), n in counts.items() if first <= low <= last) for first, last in bins
    ]
    assert len(bins) <= 10
    assert min(sizes) >= 10 or len(bins) == 1
    if min(numbers) >= 10 and len(numbers) <= 10:
        assert bins == list(counts)


def test_steps_of_a_chart_say_how_many_items_they_have(tmp_path: Path) -> None:
    items: list[Item] = []
    for level, n in ((0, 12), (1, 3), (2, 9), (9, 14)):
        items += dataset("spell", n=n, level=level)
    evaluate(items, StubModel("one", items), tmp_path / "run")
    folder = report([tmp_path / "run"], tmp_path / "report").parent
    rows = [
        row
        for row in sheet(folder, "lengths.csv")
        if (row["against"], row["rule"]) == ("level", "exact")
    ]
    assert [(row["from"], row["to"], row["items"]) for row in rows] == [
        ("0", "0", "12"), ("1", "2", "12"), ("9", "9", "14")
    ]  # fmt: skip
    chart = page_html(folder).partition("By level")[2].partition("</figure>")[0]
    assert re.findall(r'class="items"[^>]*>([^<]+)<', chart) == ["n=12", "12", "14"]
