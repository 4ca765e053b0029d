"""SORT: put three texts A, B, C in the order of their lengths, longest first."""

from tokenbench.answers.closed import Order
from tokenbench.draw import Draw
from tokenbench.item import Item
from tokenbench.tasks.params import LEVELS, Source
from tokenbench.tasks.spec import ItemSpec, Published, Question
from tokenbench.tasks.tase import TEXT_LENGTH, draw_text, tase_task
from tokenbench.tasks.wordings import question_text
from tokenbench.text.sources import SOURCES

_LABELS = ("A", "B", "C")
# The next text is longer by 9 % at level 0, and by ever less, to 1 % at level 9.
_GAP = 0.09
_NARROWING = 0.77


def _sample(spec: ItemSpec, draw: Draw) -> Question:
    base = draw.between(*spec.range("length"))
    level = draw.below(LEVELS) if spec.level is None else spec.level
    step = max(1, round(base * _GAP * _NARROWING**level))
    labels = draw.shuffled(_LABELS)
    lengths = dict(zip(labels, (base + 2 * step, base + step, base), strict=True))
    texts = {label: draw_text(draw, spec, lengths[label]) for label in _LABELS}
    payload = "\n\n".join(f"{label}: {text}" for label, (text, _) in texts.items())
    return Question(
        question_text(draw, "sort", spec, payload),
        labels,
        {"length": base, "lengths": [lengths[label] for label in _LABELS]},
        source=texts["A"][1],
        published=Published("match_answer", "".join(labels)),
    )


def _guess(_item: Item) -> float:
    return 1 / 6


TASK = tase_task(
    name="sort",
    doc="Put three texts in the order of their lengths, longest first.",
    answer=Order(labels=_LABELS),
    sample=_sample,
    guess=_guess,
    source="TASE, token awareness: SORT",
    params=(
        TEXT_LENGTH(help="units of the shortest text"),
        Source("words", SOURCES, help="where the words of composed texts come from"),
        Source("text", (), help="a running text to cut the texts from, instead of composing them"),
    ),
)
generate = TASK.generate
verify = TASK.verify
