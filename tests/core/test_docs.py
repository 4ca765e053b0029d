"""The documents are true: generated parts are up to date, and examples in prose run."""

import re
import runpy
import tomllib
from pathlib import Path
from typing import Any

import pytest
from documents import ROOT, marks, run_examples, script

from tokenbench.tasks import BUILTIN
from tokenbench.testing import attack_families
from tokenbench.testing.attack_families import GUESSWORK
from tokenbench.testing.respelling_families import RESPELLING_FAMILIES
from tokenbench.text.languages import LANGUAGES

HERE = [  # the documents with examples that need no framework
    "README.md",
    "CONTRIBUTING.md",
    "docs/analysis.md",
    "docs/answer.md",
    "docs/characters.md",
    "docs/integrations/data.md",
    "docs/item.md",
    "docs/language.md",
    "docs/respellings.md",
    "docs/rule.md",
    "docs/running.md",
    "docs/split-and-level.md",
    "docs/testing.md",
    "docs/trap.md",
]
# Measuring their scores takes about a second or more; the golden verdicts pin their sources.
SLOW_PAGES = [
    "compc", "compm", "count_char", "decompose", "delete", "diff", "dot", "find_first", "find_last",
    "freq", "insert", "lenop", "reord", "sort", "spell", "spell_inverse", "substitute", "swap",
    "trap",
]  # fmt: skip
GUESSING = re.compile(r"\n\nThe best constant answers .*?(?=\n\n## |\n\Z)", re.DOTALL)


def test_script_keeps_the_python_blocks_on_their_lines() -> None:
    """A failing example is reported by its line in the document."""
    document = (
        "# Title\n\n```python\na = 1\n```\n```console\nrm -r /\n```\ntext\n```python\nb = a\n```\n"
    )
    assert script(document).splitlines() == ["", "", "", "a = 1", *[""] * 6, "b = a"]


def test_script_leaves_out_nothing_but_console_blocks() -> None:
    """A Python example cannot be marked as not run."""
    assert script("<!-- not run -->\n```console\nrm -r /\n```\n") == ""
    with pytest.raises(ValueError, match="only a console block"):
        script("<!-- not run -->\n\n```python\n1 / 0\n```\n")


def test_script_takes_what_needs_a_framework_for_that_framework_alone() -> None:
    """Such a block is run by the framework's own test."""
    document = "```python\na = 1\n```\n<!-- run with trl -->\n```python\nimport trl\n```\n"
    assert script(document).split() == ["a", "=", "1"]
    assert script(document, "trl").split() == ["import", "trl"]
    assert script(document, "verl") == ""


@pytest.mark.parametrize("name", HERE)
def test_examples_run(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All Python blocks of a document run, in order, in one namespace."""
    monkeypatch.chdir(tmp_path)
    run_examples(name)


def test_every_example_is_run_somewhere() -> None:
    """Here, or by the tests of a framework."""
    for document in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")):
        name = document.relative_to(ROOT).as_posix()
        for mark in marks(document.read_text(encoding="utf-8")):
            if name in HERE and mark is None:
                continue
            framework = mark.removeprefix("run with ") if mark else document.stem
            tests = ROOT.glob(f"tests/frameworks/{framework}/test_*.py")
            assert any(f'"{name}"' in file.read_text(encoding="utf-8") for file in tests), name


def read(name: str) -> str:
    """Return the text of a file in docs/."""
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


def test_links_between_documents_lead_somewhere() -> None:
    """To files that exist, and to headings that they have."""
    for document in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/*/*.md")):
        for link in re.findall(r"\]\(([^)\s]+)\)", document.read_text(encoding="utf-8")):
            path, _, heading = link.partition("#")
            if "://" in link:
                continue
            target = document.parent / path if path else document
            assert target.exists(), f"{document.relative_to(ROOT)} links to {link}"
            if heading:
                headings = re.findall("^#+ (.*)$", target.read_text(encoding="utf-8"), re.MULTILINE)
                anchors = [
                    re.sub(r"[^\w -]", "", one).lower().replace(" ", "-") for one in headings
                ]
                assert heading in anchors, f"{document.relative_to(ROOT)} links to {link}"


def test_the_citation_names_this_version_and_the_papers() -> None:
    """All arXiv numbers of the README are in CITATION.cff."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {project['version']}\n" in citation
    assert f"\nlicense: {project['license']}\n" in citation
    papers = re.findall(r"arXiv:[\d.]+\d", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert len(papers) == 4
    assert all(f'value: "{paper}"' in citation for paper in papers)


def test_the_readme_is_short() -> None:
    """It takes a minute to read; longer explanations are in docs/."""
    assert len((ROOT / "README.md").read_text(encoding="utf-8").split()) <= 900


def generator(script: str, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Return the names that a script in docs/ binds."""
    monkeypatch.syspath_prepend(str(ROOT / "docs"))  # as for a script that is run
    return runpy.run_path(str(ROOT / "docs" / script))


def test_traps_are_documented_as_generated(monkeypatch: pytest.MonkeyPatch) -> None:
    """The words of docs/traps.md, and two rows that are measured anew: all take long."""
    names = generator("traps.py", monkeypatch)
    written = read("traps.md")
    for block in ("INTRODUCTION", "FOUND", "STOPS", "COMMON"):
        assert f"{names[block]}\n" in written, "docs/traps.md is out of date: make docs-measured"
    qwen, _, tekken = names["SOURCES"]
    for source in (qwen, tekken):
        row = f"| {' | '.join(names['row_of'](source, 'Han'))} |\n"
        assert row in written, "docs/traps.md is out of date: make docs-measured"


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("name", "measured"),
    [
        *((name, name not in SLOW_PAGES) for name in BUILTIN),
        *(pytest.param(name, True, marks=pytest.mark.thorough) for name in SLOW_PAGES),
    ],
)
def test_pages_of_tasks_are_as_generated(
    name: str, measured: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each equals the output of its script, the measured scores included where they are quick."""
    page, written = generator("generate.py", monkeypatch)["page"], read(f"tasks/{name}.md")
    if not measured:
        monkeypatch.setitem(page.__globals__, "_guessing", lambda *_: ())
        with_scores, written = written, GUESSING.sub("", written)
        assert with_scores != written
    assert written == page(name), f"docs/tasks/{name}.md is out of date: make docs"


@pytest.mark.parametrize("document", ["README.md", "docs/answer.md"])
def test_tables_of_tasks_are_as_generated(document: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tasks of each paper, and of each kind of answers."""
    text = (ROOT / document).read_text(encoding="utf-8")
    with_table = generator("generate.py", monkeypatch)["with_table"]
    assert text == with_table(document, text), f"{document} is out of date: make docs"


@pytest.mark.sampled(4)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_pages_of_languages_are_as_generated(lang: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each equals the output of its script."""
    page = generator("languages.py", monkeypatch)["page"]
    assert read(f"languages/{lang}.md") == page(lang), f"docs/languages/{lang}.md: make docs"


@pytest.mark.parametrize(
    ("script", "folder", "names"),
    [("generate.py", "tasks", BUILTIN), ("languages.py", "languages", LANGUAGES)],
)
def test_indexes_are_as_generated(
    script: str, folder: str, names: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """They link to all pages, and there are no others."""
    index = read(f"{folder}.md")
    assert index == generator(script, monkeypatch)["index"](), f"docs/{folder}.md: make docs"
    pages = {file.name for file in (ROOT / "docs" / folder).iterdir()}
    assert pages == {f"{name}.md" for name in names}
    assert all(f"({folder}/{page})" in index for page in pages)


@pytest.mark.parametrize("name", ["furigana", pytest.param("sort", marks=pytest.mark.thorough)])
def test_attacks_are_documented_as_generated(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rows of a quick task in docs/attacks.md are measured anew: all take minutes."""
    written = read("attacks.md").splitlines()
    for row in generator("attacks.py", monkeypatch)["rows_of"](name):
        assert row in written, "docs/attacks.md is out of date: make docs-measured"


def test_every_family_of_attacks_is_documented(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the sentence of its docstring."""
    sentence = generator("attacks.py", monkeypatch)["_sentence"]
    written = read("attacks.md")
    for name, family in (attack_families.ATTACKS | GUESSWORK).items():
        assert f"| `{name}` | {sentence(family)} |" in written, "run make docs-measured"


def test_every_family_of_respellings_is_documented() -> None:
    """With its sentence, under its style."""
    written = read("respellings.md")
    for family in RESPELLING_FAMILIES.values():
        _, _, section = written.partition(f"### {family.style[0].upper()}{family.style[1:]}\n")
        section = section.partition("\n#")[0]
        assert f"| `{family.name}` | {family.completions} |" in section, "run make docs-measured"


def test_refused_respellings_are_documented_as_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of a quick task are measured anew."""
    script = generator("respellings.py", monkeypatch)
    tallies, _ = script["measure"](["furigana:ja"])
    measured = [
        script["_task_row"](key, tally)[:4] for key, tally in tallies.items() if tally.refused
    ]
    written = [line.split(" | ")[:4] for line in read("respellings.md").splitlines()]
    rows = [[cell.removeprefix("| ") for cell in row] for row in written]
    assert sorted(row for row in rows if row[:1] == ["`furigana`"]) == sorted(measured)


def test_performance_is_documented_by_its_benchmark(monkeypatch: pytest.MonkeyPatch) -> None:
    """The words of the script, and rows of every task; measuring takes minutes."""
    folder = ROOT / "benchmarks"
    monkeypatch.syspath_prepend(str(folder))  # as for a script that is run
    names, written = runpy.run_path(str(folder / "judging.py")), read("performance.md")
    for block in ("INTRODUCTION", "BARS", "SHORTS", "THEIRS", "GROWTH", "BATCHES", "WORST"):
        assert f"{names[block]}\n" in written, "run python benchmarks/judging.py --write"
    for block in ("SHORTS", "WORST_ANSWERS"):
        section = written.partition(names[block])[2].partition("\n#")[0]
        tasks = {re.split("[: ]", row)[0] for row in section.split("\n| ")}
        assert tasks >= {*BUILTIN}, "run python benchmarks/judging.py --write"
