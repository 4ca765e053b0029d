"""VAR: read a text in disguise, and give back the text.

English words are written in characters that look like letters; digit strings in characters that
look like digits (asked in Korean, where the paper lists them); Chinese sentences in rarer
characters that contain the original ones, and in traditional ones. Every disguise belongs to one
character only, so it can be undone: `restore` does.
"""

from functools import cache, lru_cache
from typing import TYPE_CHECKING, TypeAlias

from tokenbench.answers.text import Text, is_filled
from tokenbench.decomposition.disguises import (
    ALPHABETS,
    DIGITS,
    can_be_disguised,
    disguise,
    lasting,
    packages,
    restore,
)
from tokenbench.draw import Draw, Split, of_split, split_of
from tokenbench.errors import SourceError
from tokenbench.item import Item, Json
from tokenbench.quoting import quote_if_needed
from tokenbench.tasks.params import IntRange, Source
from tokenbench.tasks.pools import select_by_length
from tokenbench.tasks.spec import ItemSpec, LengthOrLevel, Pool, Published, Question
from tokenbench.tasks.tase import tase_task
from tokenbench.tasks.wordings import question_text
from tokenbench.text.languages import Language
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

__all__ = ["TASK", "generate", "restore", "share_restored", "verify"]

# A text, and the number of texts that it is drawn from; None for strings of digits.
Instance: TypeAlias = tuple[str, int | None]

_MIN_DISGUISED_CHARS = {"en": 2, "zh": 3, "ko": 2}
# Letters, digits or Chinese characters.
_MIN_SIZE, _MAX_SIZE = 4, 64


def share_restored(answer: str, text: str, shown: str) -> float:
    """Return the share of the disguised characters that an answer restores, beyond the free ones.

    Free are those that Unicode's compatibility form of the disguise restores without reading any.
    The share is 0 where the answer has another length or another character outside the disguise. So
    neither an echo, in whatever form, nor a constant text earns anything.

    >>> share_restored("word", "ward", "wаrԁ"), share_restored("wаrԁ", "ward", "wаrԁ")
    (0.5, 0.0)
    >>> share_restored("wаrd", "ward", "wаr𝐝"), share_restored("ward", "ward", "wаr𝐝")
    (0.0, 1.0)
    """
    if not len(answer) == len(text) == len(shown):
        return 0.0
    columns = list(zip(answer, text, shown, strict=True))
    disguised = [(given, char, other) for given, char, other in columns if other != char]
    if not disguised or any(given != char for given, char, other in columns if other == char):
        return 0.0
    right = sum(given == char for given, char, _ in disguised)
    if right == len(disguised):
        return 1.0
    free = sum(
        not (lasting(char, other) and lasting(char.upper(), other)) for _, char, other in disguised
    )
    return max(0, right - free) / max(1, len(disguised) - free)


def _pool(spec: ItemSpec) -> Pool | None:
    """Return the words or sentences to disguise; strings of digits are drawn.

    Raises:
        SourceError: no text of the source can be disguised.
    """
    if ALPHABETS[spec.lang] == DIGITS:
        return None
    all_texts, source = _source_texts(spec)
    instances = _instances(spec.lang, all_texts, spec.split, spec.length_or_level())
    if not instances:
        remedy = f"give more words of at least {_MIN_SIZE} letters, or more plain sentences"
        raise spec.no_instance(f"no text in {source} for", remedy, SourceError)
    return Pool(instances, "; ".join([source, *_releases(spec.lang)]))


def _ask(instance: Instance, draw: Draw, spec: ItemSpec) -> Question:
    text, choices = instance
    share = draw.between(*spec.range("share"))
    shown = disguise(draw, text, spec.lang, share=share, fewest=_MIN_DISGUISED_CHARS[spec.lang])
    changed = sum(char != other for char, other in zip(text, shown, strict=True))
    return Question(
        question_text(draw, "var", spec, shown),
        drawn={"length": _size(text), "changed": changed, "choices": choices},
        target={"text": text, "folds": [], "shown": shown},
        solution=text,
        published=Published("match_answer", text),
    )


def _sample(spec: ItemSpec, draw: Draw) -> Question:
    """Ask about a string of digits that belongs to the split; it does not begin with 0."""
    length = draw.between(*spec.range("length"))
    while True:
        text = str(draw.between(10 ** (length - 1), 10**length - 1))
        if split_of(text) == spec.split:
            question = _ask((text, None), draw, spec)
            return question._replace(source="; ".join(_releases(spec.lang)))


def _source_texts(spec: ItemSpec) -> "Words":
    """Return the words or sentences of the item's source."""
    from tokenbench.text import lexicon

    if spec.text is not None:
        read = lexicon.english_words if ALPHABETS[spec.lang] else lexicon.chinese_sentences
        return read(stamp(spec.text))
    if ALPHABETS[spec.lang]:
        return lexicon.words(spec.lang, spec.words)
    from tokenbench.text.packs import pack

    language_pack = pack(spec.lang)
    return lexicon.Words(tuple(line.text for line in language_pack.sentences), language_pack.source)


@lru_cache(maxsize=8 * CACHE_SIZE)
def _instances(
    lang: str, candidates: tuple[str, ...], split: Split, limits: LengthOrLevel
) -> tuple[Instance, ...]:
    """Return the texts of a split that can be disguised, of the length or level asked for."""
    texts = tuple(
        text
        for text in dict.fromkeys(map(str.lower, candidates))
        if _MIN_SIZE <= _size(text) <= _MAX_SIZE
        and can_be_disguised(text, lang, fewest=_MIN_DISGUISED_CHARS[lang])
    )
    n_train = len(of_split(texts, "train"))
    texts = select_by_length(of_split(texts, split), _size, limits, n_train)
    return tuple((text, len(texts)) for text in texts)


def _size(text: str) -> int:
    """Return the number of letters, digits or Chinese characters of a text, without marks."""
    return sum(map(str.isalnum, text))


@cache
def _releases(lang: str) -> list[str]:
    from importlib.metadata import version

    return [f"{name} {version(name)}" for name in packages(lang)]


def _read(text: str, item: Item, _language: Language) -> str:
    """Return the text of an answer without markup around it, unless the original has the same.

    Widths and compatibility forms stay: folding them would undo the disguise.
    """
    target = item.target
    right, answer = _key(target["text"], target), _key(text, target)
    if equals_ignoring_markup(answer, right):
        return right
    if strip_markup(right) != right:
        return answer
    # Where the original ends with a mark of its own, no other one is free.
    return strip_wrapping(answer) if right[-1:].isalnum() else strip_markup(answer)


def _key(text: str, target: Json) -> str:
    """Return a text in the form in which answers are compared."""
    text = straight_quotes(nfc(strip_invisible(text))).strip()
    return text.lower() if "case" in target["folds"] else text


def _credit(answer: str, target: Json) -> float:
    texts = (answer, target["text"], target["shown"])
    return share_restored(*(_key(text, target) for text in texts))


def _explain(answer: str, target: Json) -> str:
    if _key(answer, target) == _key(target["shown"], target):
        return "nothing was restored: this is the text as it was given"
    return f"got {quote_if_needed(answer)}: not the original text"


def _guess(item: Item) -> float:
    """Return the guess rate of one of the texts, or of one of a split's strings of digits."""
    drawn = item.meta.get("drawn")
    choices = drawn.get("choices") if isinstance(drawn, dict) else None
    if isinstance(choices, int) and choices > 0:
        return 1 / choices
    # At least a hundredth of all strings of a length are in the split.
    return 10.0 ** (2 - max(2, len(item.solution)))


TASK = tase_task(
    name="var",
    doc="Restore a word, number or sentence written in look-alike characters.",
    answer=Text(
        field="text",
        read=_read,
        stays=is_filled,
        key=_key,
        credit=_credit,
        explanation=_explain,
        further=(("folds", "list of 'case'"), ("shown", "str")),
        equivalences=("wrapping", "invisible", "apostrophe"),
    ),
    pool=_pool,
    ask=_ask,
    sample=_sample,
    # The user's text need not be on this machine any more.
    guess=_guess,
    source="TASE, token structure: VAR",
    params=(
        IntRange(
            "length",
            default=(_MIN_SIZE, 13),
            max=_MAX_SIZE,
            help="letters or digits; Chinese characters of a sentence; the nearest length that "
            "there is",
            scales_with_level=True,
        ),
        IntRange(
            "share",
            default=(30, 100),
            max=100,
            help="percent of the characters that have a disguise",
            scales_with_level=True,
        ),
        Source("words", SOURCES, help="where English words come from", langs=("en",)),
        Source(
            "text",
            (),
            help="a text to take English words or Chinese sentences from, instead",
            langs=("en", "zh"),
        ),
    ),
)
generate = TASK.generate
verify = TASK.verify
