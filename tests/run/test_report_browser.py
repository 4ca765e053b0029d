"""The page of a report in a real browser: it fits, it reads, and its links lead somewhere."""

import os
import re
import shutil
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
import stub_models
from reports import CONTRAST, page_data
from stub_models import StubModel

from tokenbench import suite
from tokenbench.run import Options, evaluate
from tokenbench.run.reporting import page as page_module
from tokenbench.run.reporting import report

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

sync_api = pytest.importorskip("playwright.sync_api", reason="no playwright: pip install it")

CHROMIUM: Final = os.environ.get("CHROMIUM") or next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
SIZES: Final = ((360, 740), (1280, 900))
SCHEMES: Final = ("light", "dark")
EVERY_TIME: Final = ((SIZES[0], "light"), (SIZES[1], "dark"))

pytestmark = pytest.mark.skipif(
    CHROMIUM is None, reason="no Chromium found: install one, or name it in CHROMIUM"
)


@pytest.fixture(scope="module")
def report_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the page of two models' runs over all tasks."""
    root = tmp_path_factory.mktemp("runs")
    items = stub_models.items(1, langs=("en", "zh", "ar"), levels=(0, 9))
    options = Options(samples=2, rules=("exact", "graded", "published"))
    models = (
        StubModel("SmolLM2-135M-Instruct", items, skill=0.4, hostile=True, fails=2),
        StubModel("a-model-with-quite-a-long-name/and-a-path-Q4_K_M", items, skill=0.9),
    )
    folders = [root / "one", root / "two"]
    for folder, model in zip(folders, models, strict=True):
        evaluate(items, model, folder, options=options)
    people = root / "people.csv"
    people.write_text("name,task,lang,score,source\npeople,sort,,0.9,made up\n", "utf-8")
    return report(folders, root / "report", reference=people)


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    """Give a browser that asks no network for anything."""
    quiet = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--mute-audio"]
    with sync_api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=quiet)
        yield opened
        opened.close()


class Visit:
    """A page that is open, with its requests and complaints."""

    def __init__(
        self,
        browser: "Browser",
        path: Path,
        size: tuple[int, int] = SIZES[1],
        scheme: Any = "light",
        script: bool = True,
    ) -> None:
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme=scheme,
            java_script_enabled=script,
        )
        self.page: Page = context.new_page()
        self.asked: list[str] = []
        self.said: list[str] = []
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.goto(path.as_uri())

    def __enter__(self) -> "Visit":
        return self

    def __exit__(self, *error: object) -> None:
        self.page.context.close()

    def fits(self) -> bool:
        """Return whether nothing is wider than the window."""
        inside = "document.documentElement.scrollWidth <= innerWidth"
        return bool(self.page.evaluate(inside))

    def links(self) -> list[str]:
        """Return where links lead, each once."""
        every = "[...new Set([...document.links].map((link) => link.getAttribute('href')))]"
        return [str(link) for link in self.page.evaluate(every)]


@pytest.mark.parametrize(
    ("size", "scheme"),
    [
        pytest.param(*screen, marks=[] if screen in EVERY_TIME else pytest.mark.thorough)
        for screen in product(SIZES, SCHEMES)
    ],
    ids=str,
)
def test_the_page_fits_and_reads_on_every_screen(
    browser: "Browser", report_page: Path, tmp_path: Path, size: tuple[int, int], scheme: str
) -> None:
    with Visit(browser, report_page, size, scheme) as visit:
        page = visit.page
        assert visit.fits()
        page.screenshot(path=tmp_path / f"page-{size[0]}-{scheme}.png", full_page=True)
        assert (tmp_path / f"page-{size[0]}-{scheme}.png").stat().st_size > 50_000
        page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true })")
        page.wait_for_selector(".row .body")
        assert page.evaluate(CONTRAST) == []
        assert visit.fits()
        for rule in ("graded", "published", "exact"):
            page.check(f"#rule-{rule}", force=True)
            assert page.locator(f"[data-rule={rule}]:visible").count() > 2
            assert page.locator(f"[data-rule]:not([data-rule={rule}]):visible").count() == 0
            assert visit.fits()
        assert visit.asked == [report_page.as_uri()]
        assert visit.said == []


@pytest.mark.thorough
def test_every_link_leads_somewhere(browser: "Browser", report_page: Path) -> None:
    with Visit(browser, report_page) as visit:
        links = visit.links()
        for link in links:
            if not link.startswith("#"):
                assert (report_page.parent / link).is_file(), link
                continue
            if link.startswith("#rows?"):
                continue
            visit.page.evaluate("(link) => { location.hash = link }", link)
            found = visit.page.wait_for_selector(link, state="attached", timeout=5000)
            assert found is not None, link
        assert visit.said == []


@pytest.mark.thorough
def test_every_row_can_be_opened_by_its_own_link(browser: "Browser", report_page: Path) -> None:
    keys = [(row[0] + 1, row[2], row[3]) for row in page_data(report_page.parent)["rows"]]
    for run, place, sample in (keys[0], keys[-1]):
        name = f"row-{run}-{place}-{sample}"
        with Visit(browser, Path(f"{report_page}")) as visit:
            visit.page.goto(f"{report_page.as_uri()}#{name}")
            assert visit.page.locator(f"#{name} .body").is_visible()
            top = visit.page.evaluate(
                f"document.getElementById('{name}').getBoundingClientRect().y"
            )
            assert 0 <= top < SIZES[1][1]


@pytest.mark.thorough
def test_rows_are_found_by_their_properties(browser: "Browser", report_page: Path) -> None:
    with Visit(browser, report_page) as visit:
        page, expect = visit.page, sync_api.expect
        page.select_option("[name=outcome]", "wrong")
        expect(page.locator(".row .o-right")).to_have_count(0)
        assert page.locator(".row").count() > 5
        page.fill("[name=text]", "HYPERLINK")
        page.select_option("[name=outcome]", "")
        asked = page.evaluate("JSON.parse(document.getElementById('data').textContent).rows")
        expect(page.locator(".row")).to_have_count(sum("HYPERLINK" in row[6] for row in asked))
        page.fill("[name=text]", "nothing of this kind")
        expect(page.locator("#count")).to_contain_text("0 of ")
        assert page.locator(".row").count() == 0


def test_a_table_is_sorted_by_its_heads(browser: "Browser", report_page: Path) -> None:
    table = "[aria-label='Completions by outcome']"
    column = (
        f'[...document.querySelectorAll("{table} tbody tr")].map((row) => row.cells[%d].innerText)'
    )
    with Visit(browser, report_page) as visit:
        page = visit.page
        heads = page.locator(f"{table} thead th")
        before = page.evaluate(column % 0)
        heads.nth(0).locator("button").click()
        assert heads.nth(0).get_attribute("aria-sort") == "ascending"
        assert page.evaluate(column % 0) == sorted(before, key=str.lower)
        # Numbers begin with the highest; a key does what a click does.
        heads.nth(3).locator("button").press("Enter")
        counts = [int(text.split()[0].replace(",", "")) for text in page.evaluate(column % 3)]
        assert counts == sorted(counts, reverse=True)
        assert heads.nth(3).get_attribute("aria-sort") == "descending"
        assert heads.nth(0).get_attribute("aria-sort") is None
        heads.nth(3).locator("button").press("Space")
        assert heads.nth(3).get_attribute("aria-sort") == "ascending"
        assert page.locator("thead th:not(.unsorted) > button").count() > 30
        score = page.locator("#cells [data-rule=exact] .matrix").first
        score.locator("thead th button", has_text="all").click()
        values = "(rows) => rows.map((row) => Number(row.cells[2].dataset.sort ?? -1))"
        shown = score.locator("tbody tr").evaluate_all(values)
        assert shown == sorted(shown, reverse=True)
        assert len(set(shown)) > 3
        assert score.locator("tfoot th").inner_text() == "all tasks"
        assert visit.said == []


def test_a_cell_leads_to_its_rows_and_the_address_keeps_the_filters(
    browser: "Browser", report_page: Path
) -> None:
    expect = sync_api.expect
    with Visit(browser, report_page) as visit:
        page = visit.page
        data = page.evaluate("JSON.parse(document.getElementById('data').textContent)")
        cell = page.locator("#cells [data-rule=exact] a[href*='task=freq&lang=zh']").first
        cell.click()
        own = [
            row[4] for row in data["rows"]
            if data["items"][row[1]][:2] == ["freq", "zh"] and row[0] == 0
        ]  # fmt: skip
        expect(page.locator("#count")).to_contain_text(f"{len(own)} of ")
        assert page.locator(".row").count() == len(own) > 0
        assert page.locator("[name=task]").input_value() == "freq"
        page.select_option("[name=outcome]", own[0])
        page.select_option("[name=sort]", "written")
        expect(page.locator(".row")).to_have_count(own.count(own[0]))
        expect(page).to_have_url(re.compile("sort=written"))
        address = page.url
        found = page.locator(".row").evaluate_all("(rows) => rows.map((row) => row.id)")
    assert "#rows?run=1&task=freq&lang=zh&outcome=" in address
    with Visit(browser, report_page) as visit:
        visit.page.goto("about:blank")
        visit.page.goto(address)
        rows = visit.page.locator(".row")
        expect(rows).to_have_count(len(found))
        assert rows.evaluate_all("(rows) => rows.map((row) => row.id)") == found
        visit.page.goto(f"{report_page.as_uri()}#rows?task=nothing&page=2")
        expect(visit.page.locator("#count")).to_contain_text(f"{len(data['rows']):,} of ")
        expect(visit.page.locator("#pager span")).to_contain_text("page 2 of")
        assert visit.said == []


def test_numbers_of_a_run_with_a_long_name_are_in_sight_on_a_phone(
    browser: "Browser", report_page: Path
) -> None:
    """Without scrolling sideways: in each table of runs, the first numbers of every row."""
    first = """(table) => [...table.tBodies[0].rows].map((row) => {
      const cell = row.querySelector("td.n");
      const name = row.cells[0].getBoundingClientRect();
      const box = cell.getBoundingClientRect();
      return [name.right, box.left, box.right];
    })"""
    with Visit(browser, report_page, SIZES[0]) as visit:
        for name in ("Completions by outcome", "pass@k"):
            table = visit.page.locator(f"[aria-label^='{name}'] table").first
            rows = table.evaluate(first)
            assert rows
            for side, left, right in rows:
                assert side <= left + 1, name
                assert right <= SIZES[0][0], name


@pytest.mark.thorough
def test_a_wide_table_is_cut_nowhere_on_a_desktop(browser: "Browser", report_page: Path) -> None:
    with Visit(browser, report_page) as visit:
        wide = "(one) => one.scrollWidth - one.clientWidth"
        assert visit.page.locator("[aria-label='Completions by outcome']").evaluate(wide) <= 1


@pytest.mark.thorough
def test_tables_that_need_the_whole_width_are_not_side_by_side(
    browser: "Browser", tmp_path: Path
) -> None:
    """Where one paper's tasks and the languages would fit side by side if they were narrow."""
    items = list(suite("tase", size=1, langs=["en", "zh"]))
    for name in ("SmolLM2-135M-Instruct", "Qwen2.5-7B-Instruct"):
        evaluate(items, StubModel(name, items), tmp_path / name)
    folders = sorted(tmp_path.iterdir())
    people = tmp_path / "people.csv"
    rows = [f"{name},,{lang},0.8\n" for name in ("people", "GPT-4o") for lang in ("en", "zh", "")]
    people.write_text("name,task,lang,score\n" + "".join(rows), "utf-8")
    pages = {
        reference: report(folders, tmp_path / f"report {reference is None}", reference=reference)
        for reference in (None, people)
    }
    for width, reference in product((1000, 1200, 1600), pages):
        with Visit(browser, pages[reference], (width, 900)) as visit:
            assert visit.fits()
            for table in visit.page.locator("#tasks .scroll, #languages .scroll").all():
                assert table.evaluate("(one) => one.scrollWidth - one.clientWidth") <= 1
            tops = "[...document.querySelectorAll('section h2')].map((one) => one.offsetTop)"
            _, tasks, languages, *_ = visit.page.evaluate(tops)
            assert (tasks == languages) == (width > 1000 and reference is None)


def test_a_row_shows_its_reason_and_what_reproduces_it(
    browser: "Browser", report_page: Path
) -> None:
    with Visit(browser, report_page) as visit:
        page = visit.page
        page.select_option("[name=outcome]", "wrong")
        sync_api.expect(page.locator(".row .o-right")).to_have_count(0)
        page.locator(".row summary").first.click()
        body = page.locator(".row .body").first
        for text in ("Why it is judged so", "item seed 0", "index ", "level ", "sample "):
            assert text in body.inner_text(), text
        assert page.locator(".row-head").is_visible()


@pytest.mark.thorough
def test_a_watched_page_loads_itself_again_unless_a_row_is_read(
    browser: "Browser", report_page: Path, tmp_path: Path
) -> None:
    text = report_page.read_text("utf-8").replace("<html ", '<html data-reload="1" ', 1)
    (tmp_path / "index.html").write_text(text, "utf-8")
    with (
        Visit(browser, tmp_path / "index.html") as visit,
        Visit(browser, report_page) as finished,
    ):
        page = visit.page
        note = "loads itself again every second"
        sync_api.expect(page.locator("header")).to_contain_text(note)
        with page.expect_event("load", timeout=10_000):
            pass
        page.locator(".row summary").first.click()
        visit.asked.clear()
        page.wait_for_timeout(1_200)
        assert visit.asked == []
        assert finished.asked == [report_page.as_uri()]


@pytest.mark.thorough
def test_compressed_rows_are_unpacked(
    browser: "Browser", report_page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_module, "_MAX_PLAIN_CHARS", 0)
    path = report([report_page.parents[1] / "one"], tmp_path / "report")
    with Visit(browser, path) as visit:
        visit.page.wait_for_selector(".row")
        n_rows = len(page_data(path.parent)["rows"])
        assert visit.page.locator("#count").inner_text().startswith(f"{n_rows} of {n_rows} ")
        assert visit.said == []


def test_completions_do_not_run(browser: "Browser", report_page: Path) -> None:
    with Visit(browser, report_page, SIZES[0]) as visit:
        page = visit.page
        rows = page.evaluate("JSON.parse(document.getElementById('data').textContent).rows")
        hostile = [row for row in rows if re.search("<script|<img|W{99}|\u0335", row[6])]
        assert len(hostile) > 5
        for row in hostile[::3]:
            page.goto(f"{report_page.as_uri()}#row-{row[0] + 1}-{row[2]}-{row[3]}")
            page.wait_for_selector(".row.current .body")
            assert visit.fits()
        assert page.title().endswith("tokenbench report")
        assert page.locator("img, main script, main [onclick], main [onload]").count() == 0
        assert visit.said == []


def test_the_page_tells_its_story_without_scripts(browser: "Browser", report_page: Path) -> None:
    with Visit(browser, report_page, SIZES[0], script=False) as visit:
        page = visit.page
        for name in ("overall", "tasks", "languages", "lengths"):
            assert page.locator(f"#{name}").is_visible(), name
        assert page.locator("noscript a[href='results.csv']").is_visible()
        assert page.locator("#filter").is_hidden()
        page.check("#rule-graded", force=True)
        assert page.locator("[data-rule=graded]:visible").count() > 2
        assert page.locator("[data-rule=exact]:visible").count() == 0


def test_charts_and_tables_have_names_for_people_who_cannot_see(
    browser: "Browser", report_page: Path
) -> None:
    with Visit(browser, report_page) as visit:
        page = visit.page
        for unnamed in (
            "svg:not([aria-label]):not([aria-hidden])",
            "table:not(:has(caption))",
            "thead th:not([scope]), tbody th:not([scope])",
            ".scroll:not([tabindex]):not([aria-label])",
            "select:not(label select), input:not(label input)",
        ):
            assert page.locator(unnamed).count() == 0, unnamed
        assert page.locator("[lang=ar][dir=auto]").count() > 0
        levels = page.evaluate("[...document.querySelectorAll('h1,h2,h3')].map((h) => h.tagName)")
        assert levels[0] == "H1"
        assert levels.count("H1") == 1
