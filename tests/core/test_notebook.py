"""How items and verdicts look in a notebook."""

from html.parser import HTMLParser

import fresh_python

from tokenbench import Item, check, dataset, mixture
from tokenbench.cli.options import part_names
from tokenbench.scoring import Verdict


class Page(HTMLParser):
    """The texts of a page, and its tags; every tag that is opened is closed."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.feed(html)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: object) -> None:  # noqa: ARG002
        self.tags.add(tag)
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def html_of(value: object) -> str:
    html = value._repr_html_()  # type: ignore[attr-defined]
    assert isinstance(html, str)
    html.encode()
    return html


def test_an_item_shows_its_prompt_and_origin() -> None:
    """The solution opens on a click only."""
    for item in mixture(dict.fromkeys(part_names(), 1.0), n=80):
        page = Page(html_of(item))
        assert item.prompt in page.texts
        assert any(f"seed {item.meta['seed']}" in text for text in page.texts)
        before, _, after = html_of(item).partition("<details>")
        assert after.startswith("<summary>solution</summary>")
        assert "<details>" not in before


def test_texts_are_escaped_and_cut() -> None:
    """Nothing in an item is read as HTML, and none fills the notebook."""
    item = Item("t", 1, "en", None, "<script>\ud800" + "x" * 10**6, {}, "<b>", {"source": "<i>"})
    page = Page(html_of(item))
    assert page.tags == {"div", "b", "pre", "small", "details", "summary"}
    assert "<b>" in page.texts
    assert len(html_of(item)) < 25_000
    verdict = Verdict(0.0, "<script>", "wrong", "got '<script>'")
    assert "script" not in Page(html_of(verdict)).tags


def test_a_verdict_shows_its_reason() -> None:
    item = dataset("freq")[0]
    verdict = check("no idea", item)
    page = Page(html_of(verdict))
    assert "0 · no_answer" in page.texts
    assert verdict.reason in page.texts


def test_the_core_does_not_load_modules_that_only_notebooks_need() -> None:
    code = "import sys; from tokenbench import reord, score; print(*sys.modules)"
    modules = fresh_python.output(code).split()
    assert "tokenbench.notebook" not in modules
    assert "tokenbench.item" in modules
