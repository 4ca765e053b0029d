"""Which words of a vocabulary count: by script, by length and by a dictionary."""

from collections.abc import Collection, Iterable, Sequence
from math import inf
from typing import Any, Final, TypedDict

from tokenbench.checks import integer
from tokenbench.errors import TokenbenchError, unknown
from tokenbench.text.units import SCRIPTS

_CHARACTER_SETS: Final = {"Han": "[\u4e00-\u9fff]"}  # ADT's definition; other scripts: Unicode's

# People ask for a language, and for a script by another name.
_SCRIPT_OF_LANGUAGE: Final = {
    "chinese": "Han", "hanzi": "Han", "hani": "Han", "kanji": "Han", "zh": "Han",
    "japanese": "Hiragana", "korean": "Hangul", "ko": "Hangul", "english": "Latin", "en": "Latin",
    "german": "Latin", "french": "Latin", "spanish": "Latin", "russian": "Cyrillic",
    "ukrainian": "Cyrillic", "hindi": "Devanagari", "amharic": "Ethiopic", "persian": "Arabic",
    "burmese": "Myanmar",
}  # fmt: skip


class WordFilter(TypedDict, total=False):
    """The arguments of `select_words`."""

    script: str | None
    min_length: int
    max_length: int | None
    dictionary: Collection[str] | None


def select_words(
    words: Sequence[str],
    script: str | None = None,
    min_length: int = 1,
    max_length: int | None = None,
    dictionary: Collection[str] | None = None,
) -> list[bool]:
    """Return for each word whether it meets all conditions.

    Args:
        words: the words.
        script: all characters are of this script, by Unicode's name; "Han" is U+4E00 to U+9FFF, as
            in the paper.
        min_length: the smallest number of characters.
        max_length: the largest number of characters.
        dictionary: contains the word, as it is or in lower case; a set, a mapping or a list.

    Raises:
        UnknownNameError: the script does not exist.
        TokenbenchError: a length is not a whole number, the lengths exclude all words, or the
            dictionary is not a collection of str.

    >>> select_words(["cat", "Cat", "C", "猫"], "Latin", min_length=2, dictionary={"cat"})
    [True, True, False, False]
    """
    integer("min_length", min_length)
    limit = inf if max_length is None else integer("max_length", max_length)
    if min_length > limit:
        raise TokenbenchError(f"min_length={min_length} is above max_length={limit}: no word fits")
    selected = [min_length <= len(word) <= limit for word in words]
    if script is not None:
        letters = chars_of_script(script, set().union(*words))
        selected = [ok and letters.issuperset(word) for ok, word in _zip(selected, words)]
    if dictionary is not None:
        known = _check_dictionary(dictionary)
        selected = [
            ok and (word in known or word.lower() in known) for ok, word in _zip(selected, words)
        ]
    return selected


def chars_of_script(script: str, chars: Iterable[str]) -> frozenset[str]:
    """Return those characters that are of a script.

    Raises:
        UnknownNameError: the script does not exist.

    >>> sorted(chars_of_script("Greek", "aβγ"))
    ['β', 'γ']
    """
    if script not in SCRIPTS:
        raise unknown("script", script, SCRIPTS, _SCRIPT_OF_LANGUAGE)
    from regex import findall

    # One search for the script is quicker than one for each character.
    pattern = _CHARACTER_SETS.get(script, rf"\p{{Script={script}}}")
    return frozenset(findall(pattern, "".join(chars)))


def _zip(flags: list[bool], words: Sequence[str]) -> Iterable[tuple[bool, str]]:
    return zip(flags, words, strict=True)


def _check_dictionary(dictionary: Any) -> Collection[str]:
    # A text would be searched for parts of words.
    is_collection = isinstance(dictionary, Collection) and not isinstance(dictionary, str | bytes)
    if not is_collection or not all(isinstance(word, str) for word in dictionary):
        raise TokenbenchError(
            f"dictionary is a set, mapping or list of words: got {dictionary!r:.80}"
        )
    return dictionary if hasattr(dictionary, "keys") else frozenset(dictionary)
