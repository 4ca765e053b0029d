"""What a published row asks for, in the form of target that our own judging reads."""

import re
from collections.abc import Callable
from typing import Final, NamedTuple

from tokenbench.draw import Draw
from tokenbench.item import Json
from tokenbench.tasks import diff, lenop, reord
from tokenbench.text.languages import language
from tokenbench.text.lexicon import words
from tokenbench.text.passage import composed
from tokenbench.text.units import pieces, units

_TRIES = 20
_TOPICS: Final = {  # how the published prompts name it
    "en": r"topic of (.+?)\.?$",
    "zh": r"主题为(.+)$",
    "ko": r"^(.+?) 주제로",
}


class Row(NamedTuple):
    """The columns of a published row that say what is asked, and in which language."""

    lang: str
    prompt: str
    label: str


def target(
    task: str, variant: str | None, lang: str, prompt: str, label: str
) -> tuple[dict[str, Json], str]:
    """Return an item's target and one right answer to it, from a published row.

    The answer is the label, but where there is none, a text or an order that was found here;
    empty if none was found.

    >>> target("sort", None, "en", "A: … B: … C: …", "CAB")
    ({'order': ['C', 'A', 'B']}, 'CAB')
    """
    return _READERS.get((task, variant), _other)(Row(lang, prompt, label))


def _count(row: Row) -> tuple[dict[str, Json], str]:
    digits = re.search("[0-9]+", row.label)
    return {"count": int(digits[0]) if digits else 0}, row.label


def _write(row: Row) -> tuple[dict[str, Json], str]:
    digits = re.search("[0-9]+", row.prompt)
    n = int(digits[0]) if digits else 0
    topic = re.search(_TOPICS[row.lang], row.prompt)
    asked = {
        "count": n,
        "lang": row.lang,
        "prompt": row.prompt,
        "topic": topic[1] if topic else "",
    }
    nouns = words(row.lang).words
    for attempt in range(_TRIES if n else 0):
        text = composed(Draw("published", row.prompt, attempt), row.lang, n, nouns)
        if lenop.verify(text, asked):
            return asked, text
    return asked, ""


def _order(row: Row) -> tuple[dict[str, Json], str]:
    return {"order": list(row.label)}, row.label


def _tokens(row: Row) -> tuple[dict[str, Json], str]:
    """Take the text as the published scorer does: the rest of the line after the first colon."""
    _, _, rest = re.sub("：", ":", row.prompt).partition(":")
    found = pieces(rest.lstrip().partition("\n")[0], row.lang)
    return {"tokens": found}, language(row.lang).joiner.join(reord.solve(found) or [])


def _differing(row: Row) -> tuple[dict[str, Json], str]:
    """Compare the two sequences of the prompt: the label names only one of two differing words."""
    tongue = language(row.lang)
    label = row.label.lower()
    lists = [
        line.lower().split() if tongue.unit == "word" else units(line, row.lang)
        for line in re.findall(r"^seq[12]\s*[:：](.*)$", row.prompt, re.MULTILINE)
    ]
    found = list(diff.differing(*lists)) if len(lists) == 2 else []
    if label in tongue.same + tongue.yes and label not in found:
        found = []
    elif label not in found:
        found.append(label)
    return {"differing": found}, row.label


def _parts(row: Row) -> tuple[dict[str, Json], str]:
    options = [option.split(",") for option in row.label.split(";")]
    accepted = [[part.strip() for part in option] for option in options]
    return {"accepted": accepted}, row.label.partition(";")[0]


def _other(row: Row) -> tuple[dict[str, Json], str]:
    return {"answer": row.label}, row.label


_READERS: Final[dict[tuple[str, str | None], Callable[[Row], tuple[dict[str, Json], str]]]] = {
    ("freq", None): _count,
    ("lenop", "count"): _count,
    ("lenop", "write"): _write,
    ("sort", None): _order,
    ("reord", None): _tokens,
    ("diff", None): _differing,
    ("compc", None): _count,
    ("compm", "split"): _parts,
}
