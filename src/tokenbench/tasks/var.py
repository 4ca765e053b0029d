"""VAR: read a text in disguise, and give back the text.

English words stand in characters that look like letters, digit strings in characters that look like
digits (asked in Korean, where the paper lists them), Chinese sentences in rarer characters that
contain the original ones, and in traditional ones. What stands for a character stands for no other
one, so every disguise can be undone: `restore` does.
"""

from functools import cache, lru_cache
from typing import TYPE_CHECKING

from tokenbench.decomposition.disguises import LANGS, can_be_disguised, disguise, packages, restore
from tokenbench.draw import Draw, Split, of_split, split_of
from tokenbench.errors import DifficultyError, SourceError
from tokenbench.item import Item, Json
from tokenbench.quoting import quote_if_needed
from tokenbench.tasks.contract import Draft, ItemSpec, Published, Task
from tokenbench.tasks.params import IntRange, Source
from tokenbench.tasks.sized import select_by_length
from tokenbench.tasks.wordings import prompt_text
from tokenbench.text.lookalikes import lasting
from tokenbench.text.normalize import (
    equals_ignoring_markup,
    nfc,
    straight_quotes,
    strip_invisible,
    strip_markup,
    strip_wrapping,
)
from tokenbench.text.sources import CACHE_SIZE, SOURCES, stamp

if TYPE_CHECKING:
    from tokenbench.text.lexicon import Words

_FEWEST = {"en": 2, "zh": 3, "ko": 2}  # characters in disguise
_USELESS = {"en": (), "zh": ("words",), "ko": ("words", "text")}  # parameters
_SHORTEST = 4  # letters of a word, digits of a string
_LONGEST = 128
_MOST = 64  # letters, digits or Chinese characters
_CASE = "case"

__all__ = ["TASK", "generate", "restore", "share_restored", "verify"]


def share_restored(answer: str, text: str, shown: str) -> float:
    """Return which share of the characters in disguise an answer gives back, beyond the free ones.

    Free are as many as Unicode's compatibility form of the disguise gives back, which undoes some
    without reading any. The share is 0 where the answer has another length or another character
    outside the disguise. So neither an echo, in whatever form, nor a constant text earns anything.

    >>> share_restored("word", "ward", "wаrԁ"), share_restored("wаrԁ", "ward", "wаrԁ")
    (0.5, 0.0)
    >>> share_restored("wаrd", "ward", "wаr𝐝"), share_restored("ward", "ward", "wаr𝐝")
    (0.0, 1.0)
    """
    if not len(answer) == len(text) == len(shown):
        return 0.0
    places = list(zip(answer, text, shown, strict=True))
    hidden = [(given, char, other) for given, char, other in places if other != char]
    if not hidden or any(given != char for given, char, other in places if other == char):
        return 0.0
    right = sum(given == char for given, char, _ in hidden)
    if right == len(hidden):
        return 1.0
    free = sum(
        not (lasting(char, other) and lasting(char.upper(), other)) for _, char, other in hidden
    )
    return max(0, right - free) / max(1, len(hidden) - free)


def verify(answer: str, target: Json) -> bool:
    """Return whether an answer is the text; letter case counts unless the target folds it.

    >>> verify("word", {"text": "word", "folds": []}), verify("Word", {"text": "word", "folds": []})
    (True, False)
    """
    return _key(answer, target) == _key(target["text"], target)


def _make(ask: ItemSpec, draw: Draw) -> Draft:
    if useless := [name for name in _USELESS[ask.lang] if name in ask.overrides]:
        raise DifficultyError(
            f"{' and '.join(useless)} say nothing for lang={ask.lang!r}: words are for English, "
            "text is for English words and Chinese sentences"
        )
    if ask.lang == "ko":
        text, source, choices = _digits(draw, ask), "", None
    else:
        texts, source = _pool(ask)
        choices = len(texts)
        text = texts[TASK.place(ask, choices)]
    share = draw.between(*ask.range("share"))
    shown = disguise(draw, text, ask.lang, share=share, fewest=_FEWEST[ask.lang])
    changed = sum(char != other for char, other in zip(text, shown, strict=True))
    return Draft(
        prompt=prompt_text(draw, "var", ask.lang, shown, form="ask"),
        target={"text": text, "folds": [], "shown": shown},
        solution=text,
        source="; ".join(filter(None, (source, *_releases(ask.lang)))),
        drawn={"length": _size(text), "changed": changed, "choices": choices},
        published=Published("match_answer", text),
    )


def _digits(draw: Draw, ask: ItemSpec) -> str:
    """Return a string of digits that belongs to the split; it does not begin with 0."""
    length = draw.between(*ask.range("length"))
    while True:
        text = str(draw.between(10 ** (length - 1), 10**length - 1))
        if split_of(text) == ask.split:
            return text


def _pool(ask: ItemSpec) -> "Words":
    """Return the words or sentences that serve, and where they come from.

    Raises:
        SourceError: there are none.
    """
    listed = _listed(ask)
    given = ask.range("length") if "length" in ask.overrides else None
    texts = _suiting(ask.lang, listed.words, ask.split, given, None if given else ask.level)
    if not texts:
        raise SourceError(
            f"{listed.source} holds no text for var in the split {ask.split!r}: "
            f"give one with more words of at least {_SHORTEST} letters, or more plain sentences"
        )
    return listed._replace(words=texts)


def _listed(ask: ItemSpec) -> "Words":
    """Return the words or sentences of the source that was asked for."""
    if ask.text is not None:
        from tokenbench.text.lexicon import chinese_sentences, english_words

        return (english_words if ask.lang == "en" else chinese_sentences)(stamp(ask.text))
    if ask.lang == "en":
        from tokenbench.text.lexicon import words

        return words(ask.lang, ask.words)
    from tokenbench.text.lexicon import Words
    from tokenbench.text.packs import pack

    found = pack(ask.lang)
    return Words(tuple(line.text for line in found.sentences), found.source)


@lru_cache(maxsize=8 * CACHE_SIZE)
def _suiting(
    lang: str,
    listed: tuple[str, ...],
    split: Split,
    length: tuple[int, int] | None,
    level: int | None,
) -> tuple[str, ...]:
    """Return the texts of a split that can be disguised, of the length or level asked for."""
    texts = tuple(
        text
        for text in dict.fromkeys(map(str.lower, listed))
        if _SHORTEST <= _size(text) <= _MOST and can_be_disguised(text, lang, fewest=_FEWEST[lang])
    )
    return select_by_length(of_split(texts, split), _size, length, level)


def _size(text: str) -> int:
    """Return how many letters, digits or Chinese characters a text has: all but its marks."""
    return sum(map(str.isalnum, text))


@cache
def _releases(lang: str) -> list[str]:
    from importlib.metadata import version

    return [f"{name} {version(name)}" for name in packages(lang)]


def _parse(text: str, item: Item) -> str:
    """Return the text of an answer without what holds it, unless the original is held likewise.

    Widths and compatibility forms stay: folding them would undo the disguise.
    """
    target = item.target
    wanted, answer = _key(target["text"], target), _key(text, target)
    if equals_ignoring_markup(answer, wanted):
        return wanted
    if strip_markup(wanted) != wanted:
        return answer
    # Where the original ends with a mark of its own, no other one is free.
    return strip_wrapping(answer) if wanted[-1:].isalnum() else strip_markup(answer)


def _key(text: str, target: Json) -> str:
    """Return a text with the foldings under which answers are compared."""
    text = straight_quotes(nfc(strip_invisible(text))).strip()
    return text.lower() if _CASE in target["folds"] else text


def _grade(answer: str, target: Json) -> float:
    if verify(answer, target):
        return 1.0
    texts = (answer, target["text"], target["shown"])
    return share_restored(*(_key(text, target) for text in texts))


def _why(answer: str, target: Json) -> str:
    if _key(answer, target) == _key(target["shown"], target):
        return "nothing was restored: that is the text as it was given"
    return f"got {quote_if_needed(answer)}: not the original text"


def _longest(target: Json) -> int:
    return max(_LONGEST, len(target["text"]))


def _chance(item: Item) -> float:
    """A constant answer is one of the words or sentences, or of a split's strings of digits."""
    drawn = item.meta.get("drawn")
    choices = drawn.get("choices") if isinstance(drawn, dict) else None
    if isinstance(choices, int) and choices > 0:
        return 1 / choices
    # At least a hundredth of all strings of a length are in the split.
    return 10.0 ** (2 - max(2, len(item.solution)))


def _space(ask: ItemSpec) -> int | None:
    return None if ask.lang == "ko" else len(_pool(ask).words)


TASK = Task(
    name="var",
    source="TASE, token structure: VAR",
    version=2,
    langs=LANGS,
    variants=(),
    doc="Restore a word, number or sentence written in look-alike characters.",
    params=(
        IntRange(
            "length",
            _SHORTEST,
            13,
            _MOST,
            "letters or digits; Chinese characters of a sentence; the nearest length that there is",
            levelled=True,
        ),
        IntRange(
            "share", 30, 100, 100, "percent of the characters that have a disguise", levelled=True
        ),
        Source("words", SOURCES, "where English words come from"),
        Source("text", (), "a text to take English words or Chinese sentences from, instead"),
    ),
    target_schema={None: {"text": "str", "folds": "list of str", "shown": "str"}},
    sample=_make,
    parse=_parse,
    verify=verify,
    grade=_grade,
    explain=_why,
    max_answer_chars=_longest,
    guess_rate=_chance,
    equivalences={None: ("wrapping", "invisible", "apostrophe")},
    n_instances=_space,
)
generate = TASK.generate
