"""SORT: put three texts A, B, C in the order of their lengths, longest first."""

import re
from collections.abc import Sequence
from functools import cache

from tokenbench.draw import Draw
from tokenbench.extraction import Unparsable
from tokenbench.item import Item, Json
from tokenbench.tasks.contract import Draft, ItemSpec, Published, Task
from tokenbench.tasks.params import IntRange, Source
from tokenbench.tasks.wordings import prompt_text
from tokenbench.text.answer_text import split_list, strip_copula, strip_list_markers
from tokenbench.text.languages import language
from tokenbench.text.normalize import BRACKETS, strip_invisible, strip_wrapping, usual_width
from tokenbench.text.sources import SOURCES

_LABELS = ("A", "B", "C")
# What stands between two letters: dashes, as C-A-B, and the arrows of LaTeX.
_BETWEEN = re.compile(r"(?<=\w)\s*(?:[-–—]+>?|\\(?:to|rightarrow|Rightarrow|gt)\b)\s*(?=\w)")
_GAP = 10  # a text is longer than the next by one part in so many


def verify(answer: Sequence[str], target: Json) -> bool:
    """Return whether the labels stand in the right order.

    >>> verify(["C", "A", "B"], {"order": ["C", "A", "B"]})
    True
    """
    return bool(list(answer) == target["order"])


def _make(ask: ItemSpec, draw: Draw) -> Draft:
    from tokenbench.text.passage import passage  # only drawing needs it

    base = draw.between(*ask.range("length"))
    step = max(1, round(base / _GAP))
    labels = draw.shuffled(_LABELS)
    lengths = dict(zip(labels, (base + 2 * step, base + step, base), strict=True))
    texts = {
        label: passage(
            draw,
            ask.lang,
            lengths[label],
            source=ask.words,
            text=ask.text,
        )
        for label in _LABELS
    }
    payload = "\n\n".join(f"{label}: {texts[label].text}" for label in _LABELS)
    order = "".join(labels)
    return Draft(
        prompt=prompt_text(draw, "sort", ask.lang, payload, form="ask"),
        target={"order": labels},
        solution=order,
        source=texts["A"].source,
        drawn={"length": base, "lengths": [lengths[label] for label in _LABELS]},
        published=Published("match_answer", order),
    )


def _parse(text: str, item: Item) -> list[str]:
    """Return the labels in the order given: `CAB`, or the three letters between separators.

    Such a list may stand in brackets, have a number or bullet before each letter, an “and” before
    the last, and an "is" after it.
    """
    text = strip_copula(strip_wrapping(strip_invisible(text), BRACKETS), item.lang)
    text = strip_list_markers(strip_wrapping(text, BRACKETS))
    if language(item.lang).unit != "word":
        text = _last(item.lang).sub(" ", text)
    labels = [usual_width(part).upper() for part in split_list(_BETWEEN.sub(" ", text))]
    if len(labels) > len(_LABELS) and labels[-2].lower() in language(item.lang).conjunctions:
        del labels[-2]
    if len(labels) == 1:
        labels = list(labels[0])
    if sorted(labels) != list(_LABELS):
        raise Unparsable("is not an order of A, B and C, each of them once")
    return labels


@cache
def _last(lang: str) -> re.Pattern[str]:
    """Return the pattern of an "and" that touches the labels around it, as in A和B."""
    words = "|".join(map(re.escape, language(lang).conjunctions))
    return re.compile(rf"(?<=[A-Ca-c])(?:{words})(?=\s*[A-Ca-c]\Z)")


def _grade(answer: Sequence[str], target: Json) -> float:
    return float(verify(answer, target))


def _why(answer: Sequence[str], target: Json) -> str:
    return f"got {''.join(answer)}: not the order of the lengths"


def _longest(target: Json) -> int:
    return 64


def _chance(item: Item) -> float:
    return 1 / 6


TASK = Task(
    name="sort",
    source="TASE, token awareness: SORT",
    version=2,
    langs=("en", "zh", "ko"),
    variants=(),
    doc="Put three texts in the order of their lengths, longest first.",
    params=(
        IntRange("length", 5, 254, 4096, "units of the shortest text", levelled=True),
        Source("words", SOURCES, "where the words of composed texts come from"),
        Source("text", (), "a running text to cut the texts from, instead of composing them"),
    ),
    target_schema={None: {"order": "list of str"}},
    sample=_make,
    parse=_parse,
    verify=verify,
    grade=_grade,
    explain=_why,
    max_answer_chars=_longest,
    guess_rate=_chance,
    equivalences={None: ("case", "ending", "conjunction")},
)
generate = TASK.generate
