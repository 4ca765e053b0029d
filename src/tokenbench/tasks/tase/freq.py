"""FREQ: how often does a word, Han character or Hangul syllable occur in a text?"""

from tokenbench.answers.closed import Number
from tokenbench.draw import Draw
from tokenbench.errors import Argument, DifficultyError, Words
from tokenbench.item import Item
from tokenbench.tasks.params import IntRange, Source
from tokenbench.tasks.spec import ItemSpec, Published, Question
from tokenbench.tasks.tase import tase_task
from tokenbench.tasks.wordings import question_text
from tokenbench.text.sources import SOURCES

_MIN_TOKENS_PER_OCCURRENCE = 10  # of the longest text, so that the length does not tell the count
_MIN_SHARE = 4  # tokens for each occurrence in any text
# Average occurrences of the other tokens, so that repetition does not give the target away.
_REPETITIONS = 4


def occurrences(text: str, target: str) -> int:
    """Return how often a target occurs in a text, inside words and overlapping itself included.

    >>> occurrences("Ana has a banana", "ana")
    3
    """
    text, target = text.lower(), target.lower()
    count, at = 0, text.find(target)
    while at >= 0:
        count, at = count + 1, text.find(target, at + 1)
    return count


def _sample(spec: ItemSpec, draw: Draw) -> Question | None:
    from tokenbench.text.passages import vocabulary  # only drawing needs it

    (low, high), (fewest, max_count) = spec.range("length"), spec.range("count")
    max_count = min(max_count, high // _MIN_TOKENS_PER_OCCURRENCE)
    if fewest > max_count:
        needs = Argument("length", _MIN_TOKENS_PER_OCCURRENCE * fewest)
        problem: Words = ["needs ", needs, f" or more: the length is at most {high}"]
        raise DifficultyError(problem, argument="count", value=fewest)
    count = draw.between(fewest, max_count)
    length = draw.between(max(low, _MIN_SHARE * count), high)
    words, source = vocabulary(spec.language, spec.words)
    n_different = min(len(words), 2 + length // _REPETITIONS)
    target, *others = (words[i] for i in draw.sample(len(words), n_different))
    others = [token for token in others if target.lower() not in token.lower()]
    if not others:
        return None
    fillers = [draw.choice(others) for _ in range(length - count)]
    text = spec.language.joiner.join(draw.shuffled([target] * count + fillers))
    if occurrences(text, target) != count:
        return None
    return Question(
        question_text(draw, "freq", spec, text, target=target),
        count,
        {"length": length, "count": count},
        source=source,
        published=Published("number", str(count)),
    )


def _guess(item: Item) -> float:
    spec = TASK.spec_of(item)
    (_, high), (fewest, max_count) = spec.range("length"), spec.range("count")
    return 1 / (min(max_count, high // _MIN_TOKENS_PER_OCCURRENCE) - fewest + 1)


TASK = tase_task(
    name="freq",
    doc="Count how often a word, Han character or Hangul syllable occurs in a text.",
    answer=Number(field="count", wrong="not how often it occurs"),
    sample=_sample,
    guess=_guess,
    source="TASE, token awareness: FREQ",
    params=(
        IntRange(
            "length",
            default=(10, 500),
            max=4096,
            help="tokens of the text, 10 for each occurrence",
            scales_with_level=True,
        ),
        IntRange("count", default=(1, 10), max=400, help="occurrences of the target"),
        Source("words", SOURCES, help="where the tokens come from"),
    ),
)
generate = TASK.generate
verify = TASK.verify
