"""Attack families that fill the size asked for: repetitions, cycles, other tongues, no topic."""

from collections.abc import Iterator
from functools import cache
from itertools import cycle, islice
from typing import Final

from tokenbench.draw import Draw
from tokenbench.item import Item
from tokenbench.testing.forms import joiner, sizes, tagged, tokens, vocabulary
from tokenbench.testing.targets import is_writing
from tokenbench.text.languages import language, unit_languages

_CYCLES = (1, 2, 3, 5)  # tokens
_JUNK = {"word": "語", "han": "q", "hangul": "q"}
_JUNK_SIZE = 2000  # characters


def repeated_token(item: Item) -> list[str]:
    """Return one token repeated as often as there are units in the question or asked for."""
    return [tagged(text) for text in _cycles(item, length=1)]


def short_cycle(item: Item) -> list[str]:
    """Return a few tokens in turn, at least twice, of each length that may be asked for."""
    return [tagged(text) for length in _CYCLES[1:] for text in _cycles(item, length=length)]


def prompt_filler(item: Item) -> list[str]:
    """Return the prompt's own tokens in their order, cut or repeated to a length asked for."""
    separator = joiner(item.lang)
    held = [token for token in tokens(item.prompt) if separator or len(token) == 1]
    return [tagged(separator.join(islice(cycle(held), size))) for size in sizes(item) if held]


def wrong_language(item: Item) -> list[str]:
    """Return as many words or characters as may be asked for, in each of the other languages."""
    others = [lang for lang in unit_languages() if _unit(lang) != _unit(item.lang)]
    return [
        tagged(joiner(lang).join(islice(cycle(_vocabulary_tokens(lang)), size)))
        for lang in others
        for size in sizes(item)
    ]


def other_script_junk(item: Item) -> list[str]:
    """Return as many units as may be asked for, and two thousand characters that a scorer that
    counts one script does not see."""
    unit = language(item.lang).unit if item.lang in unit_languages() else "word"
    junk = _JUNK[unit] * _JUNK_SIZE
    return [tagged(f"{text} {junk}") for text in islice(_cycles(item, length=5), 2)]


def topic_ignored(item: Item) -> list[str]:
    """Return varied texts of exactly the size asked for that never name the topic asked for."""
    from tokenbench.text.passage import compose, word_list

    if not (is_writing(item) and item.lang in unit_languages()):
        return []
    topic, n = item.target["topic"].lower(), item.target["count"]
    nouns = [word for word in vocabulary(item.lang) if topic not in word.lower()]
    draw = Draw("topic ignored", item.id)
    texts = (compose(draw, item.lang, n, nouns), word_list(draw, item.lang, n, nouns))
    return [tagged(text) for text in texts if topic not in text.lower()]


@cache
def _vocabulary_tokens(lang: str) -> tuple[str, ...]:
    return tuple(tokens(" ".join(vocabulary(lang))))


def _unit(lang: str) -> str:
    return language(lang).unit if lang in unit_languages() else lang


def _cycles(item: Item, *, length: int) -> Iterator[str]:
    """Yield a few tokens of the prompt and of the language in turn, to each size at least twice."""
    ours = tokens("".join(vocabulary(item.lang)[:9]) if not joiner(item.lang) else "")
    ours = ours or list(vocabulary(item.lang)[:9])
    for held in (list(dict.fromkeys(tokens(item.prompt))), ours):
        for size in sizes(item):
            if len(held) >= length and size >= 2 * length:
                yield joiner(item.lang).join(islice(cycle(held[:length]), size))


FILLERS: Final = (
    repeated_token,
    short_cycle,
    prompt_filler,
    wrong_language,
    other_script_junk,
)
