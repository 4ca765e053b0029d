"""FREQ: how often does a word, Han character or Hangul syllable occur in a text?"""

from tokenbench.draw import Draw
from tokenbench.errors import DifficultyError
from tokenbench.item import Item, Json
from tokenbench.tasks import counts
from tokenbench.tasks.contract import Draft, ItemSpec, Published, Task
from tokenbench.tasks.params import IntRange, Source
from tokenbench.tasks.wordings import prompt_text
from tokenbench.text.languages import language
from tokenbench.text.sources import SOURCES

_SPACING = 10  # a text has at least so many tokens for each occurrence of the target
_REUSE = 4  # and its other tokens recur so often on average, lest recurring give the target away


def verify(answer: int, target: Json) -> bool:
    """Return whether an answer is the count.

    >>> verify(3, {"count": 3})
    True
    """
    return bool(answer == target["count"])


def _make(ask: ItemSpec, draw: Draw) -> Draft | None:
    from tokenbench.text.lexicon import vocabulary  # only drawing needs it

    (low, high), (fewest, most) = ask.range("length"), ask.range("count")
    most = min(most, high // _SPACING)
    if fewest > most:
        raise DifficultyError(
            f"a count of {fewest} needs a length of at least {_SPACING * fewest}: "
            f"the length asked for is at most {high}"
        )
    count = draw.between(fewest, most)
    length = draw.between(max(low, _SPACING * count), high)
    known = vocabulary(ask.lang, ask.words)
    target, *pool = (
        known.words[i]
        for i in draw.sample(len(known.words), min(len(known.words), 2 + length // _REUSE))
    )
    pool = [token for token in pool if target.lower() not in token.lower()]
    if not pool:
        return None
    others = [draw.choice(pool) for _ in range(length - count)]
    tokens = draw.shuffled([target] * count + others)
    text = language(ask.lang).joiner.join(tokens)
    if occurrences(text, target) != count:
        return None
    return Draft(
        prompt=prompt_text(draw, "freq", ask.lang, text, form="ask", target=target),
        target={"count": count},
        solution=str(count),
        source=known.source,
        drawn={"length": length, "count": count},
        published=Published("number", str(count)),
    )


def occurrences(text: str, target: str) -> int:
    """Return how often a target stands in a text, inside words and overlapping itself included.

    >>> occurrences("Ana has a banana", "ana")
    3
    """
    text, target = text.lower(), target.lower()
    count, at = 0, text.find(target)
    while at >= 0:
        count, at = count + 1, text.find(target, at + 1)
    return count


def _why(answer: int, target: Json) -> str:
    return f"got {answer}: not how often it occurs"


def _chance(item: Item) -> float:
    ask = TASK.spec_of(item)
    fewest, most = ask.range("count")
    return 1 / (min(most, ask.range("length")[1] // _SPACING) - fewest + 1)


TASK = Task(
    name="freq",
    source="TASE, token awareness: FREQ",
    version=2,
    langs=("en", "zh", "ko"),
    variants=(),
    doc="Count how often a word, Han character or Hangul syllable occurs in a text.",
    params=(
        IntRange(
            "length", 10, 500, 4096, "tokens of the text, 10 for each occurrence", levelled=True
        ),
        IntRange("count", 1, 10, 400, "occurrences of the target"),
        Source("words", SOURCES, "where the tokens come from"),
    ),
    target_schema={None: {"count": "whole number"}},
    sample=_make,
    parse=counts.parse,
    verify=verify,
    grade=counts.grade,
    explain=_why,
    max_answer_chars=counts.longest,
    guess_rate=_chance,
)
generate = TASK.generate
