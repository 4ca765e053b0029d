"""Runs to report on, and how tests read a report."""

import csv
import json
import re
import zlib
from base64 import b64decode
from collections.abc import Iterable, Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Final

from tokenbench import dataset
from tokenbench.item import Item
from tokenbench.run import Completion, Options, Request, Sampling
from tokenbench.scoring import Rule

RULES: tuple[Rule, ...] = ("exact", "graded", "published")
MIXED = Options(samples=2, rules=RULES)
TAGS = {
    "html",
    "head",
    "meta",
    "title",
    "style",
    "body",
    "header",
    "nav",
    "main",
    "section",
    "footer",
    "h1",
    "h2",
    "h3",
    "p",
    "a",
    "b",
    "i",
    "small",
    "strong",
    "span",
    "div",
    "code",
    "ul",
    "li",
    "dl",
    "dt",
    "dd",
    "table",
    "caption",
    "thead",
    "tbody",
    "tfoot",
    "tr",
    "th",
    "td",
    "svg",
    "path",
    "text",
    "tspan",
    "g",
    "circle",
    "rect",
    "figure",
    "figcaption",
    "mark",
    "details",
    "summary",
    "noscript",
    "form",
    "fieldset",
    "legend",
    "label",
    "input",
    "select",
    "option",
    "button",
    "script",
}

LEAST: Final = 4.5  # contrast of text, WCAG 2 AA
# For each element with text of its own: the lowest contrast of text and ground, and where.
CONTRAST: Final = """() => {
  const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
  const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const light = ([r, g, b]) => {
    const part = (c) => ((c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  };
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const found = rgba(getComputedStyle(at).backgroundColor);
      if (found[3] > 250) return found;
    }
    return [255, 255, 255, 255];
  };
  const found = new Map();
  for (const element of document.body.querySelectorAll("*")) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!own || !element.getClientRects().length) continue;
    if (element.closest(".hidden, script, style, option, noscript")) continue;
    const style = getComputedStyle(element);
    const text = element.closest("svg") ? style.fill : style.color;
    const [one, other] = [light(rgba(text)), light(ground(element))].sort((a, b) => b - a);
    const contrast = (one + 0.05) / (other + 0.05);
    const name = element.tagName + "." + (element.getAttribute("class") || "");
    if (contrast < (found.get(name) ?? 99)) found.set(name, contrast);
  }
  return [...found].filter(([, contrast]) => contrast < LEAST);
}""".replace("LEAST", str(LEAST))


class Page(HTMLParser):
    """The contents of a page."""

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


class Plain:
    """A model that tells neither tokens nor how it ended."""

    def __init__(self, name: str, text: str | None, error: str | None = None) -> None:
        self._name, self._completion = name, Completion(text, error=error)

    def stream(
        self,
        requests: Iterable[Request],
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


def page(folder: Path) -> Page:
    """Return the page of a report's folder."""
    return Page((folder / "index.html").read_text("utf-8"))


def sheet(folder: Path, name: str) -> list[dict[str, str]]:
    """Return the rows of a table."""
    csv.field_size_limit(1 << 24)
    with open(folder / name, encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def page_data(folder: Path) -> dict[str, Any]:
    """Return the data of the page's script."""
    text = (folder / "index.html").read_text("utf-8")
    found = re.search(r'<script type="([a-z/]+)" id="data">(.*?)</script>', text, re.DOTALL)
    assert found
    is_plain = found[1] == "application/json"
    content = found[2] if is_plain else zlib.decompress(b64decode(found[2])).decode()
    value: dict[str, Any] = json.loads(content)
    return value
