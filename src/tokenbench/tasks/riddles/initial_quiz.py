"""Korean riddles: initial-consonant quizzes (초성 퀴즈), with as much shown as leaves one word.

Initials alone fit several words more often than not, so some syllables are shown in full, or all
vowels are told, until one word is left of a wide list: wordfreq's Korean list, the core lexicon,
and what both lack though a theme suggests it (a data file of rivals, which people wrote). The theme
is a hint beside that, and decides nothing: which words belong to a theme is a matter of opinion.
For the core lexicon a data file says what to show (`tools/quiz_reveals.py` writes it), so that no
item depends on what else is installed. Words of a user's file have no theme; at least half of their
syllables are shown, and finding out which takes wordfreq. Of wordfreq's own entries nearly half are
pieces of inflected words, so they are never answers.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from itertools import combinations
from typing import Final, NamedTuple

from tokenbench.decomposition.hangul import decompose
from tokenbench.draw import Draw, Split, of_split
from tokenbench.errors import DifficultyError
from tokenbench.tasks.riddles.riddle import DEVICES, Riddle
from tokenbench.text.lexicon import concepts, words
from tokenbench.text.sources import (
    CACHE_SIZE,
    CORE,
    WORDFREQ,
    FileStamp,
    data_table,
    data_text,
    stamp,
)

REVEALS: Final = "quiz_reveals.tsv"
RIVALS: Final = "quiz_rivals.toml"
_VOWELS: Final = "v"  # in that file: the vowels are told
_NOTHING: Final = "-"  # in that file: the initials are enough
_CLOSED: Final = 3  # jamo of a syllable with a final consonant


class Way(NamedTuple):
    """How much of a word a quiz tells beside its initials.

    `shown` are the places of the syllables given in full. `vowels` says that all vowels are told,
    and no syllable is shown.
    """

    shown: tuple[int, ...] = ()
    vowels: bool = False


class Told(NamedTuple):
    """What a quiz tells of a word: initials with the syllables shown; the vowels, or nothing."""

    clue: str
    vowels: str


def told(word: str, way: Way) -> Told:
    """Return what a quiz tells of a word.

    >>> told("다람쥐", Way((2,))), told("과일", Way(vowels=True))
    (Told(clue='ㄷㄹ쥐', vowels=''), Told(clue='ㄱㅇ', vowels='ㅘㅣ'))
    """
    jamo = [_jamo(syllable) for syllable in word]
    clue = [initial for initial, _ in jamo]
    for place in way.shown:
        clue[place] = word[place]
    vowels = "".join(vowel for _, vowel in jamo) if way.vowels else ""
    return Told("".join(clue), vowels)


def ways(
    asked: Iterable[str], wide: Iterable[str], *, themed: bool = True
) -> dict[str, tuple[Way, ...]]:
    """Return the ways to ask for each word that leave no other one of a wide list.

    As few syllables are shown as possible, or none and the vowels are told. Of words without a
    theme, half of the syllables are shown at least. Something is always left to find: a syllable,
    or a final consonant. A word without such a way is left out.

    Args:
        asked: the answers.
        wide: the words that an answer must not be mistaken for; those asked are among them.
        themed: whether the theme will be told, too.

    >>> ways(["사자", "사슴"], ["사장", "상자", "사실", "가슴"])
    {'사슴': (Way(shown=(1,), vowels=False), Way(shown=(), vowels=True))}
    """
    asked = list(asked)
    known = dict.fromkeys((*asked, *wide))
    fitting = Counter(told(word, way) for word in known for way in _conceivable(len(word), themed))
    found: dict[str, tuple[Way, ...]] = {}
    for word in asked:
        alone = [
            way
            for way in _conceivable(len(word), themed)
            if _hides(word, way) and fitting[told(word, way)] == 1
        ]
        if alone:
            found[word] = _sparing(alone)
    return found


def answers(split: Split, source: str, devices: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words of a split that a quiz can ask for, the shortest and most shown first.

    Args:
        split: train, validation or test.
        source: `core`, or the path of a file, a word a line.
        devices: the devices allowed; without `consonants` there is no quiz.

    Raises:
        DifficultyError: the source `wordfreq`.
        SourceError: a file that cannot serve.
        MissingExtraError: a file, and wordfreq is not installed.

    >>> len(answers("test", "core", ("consonants",))) > 80
    True
    """
    if source == WORDFREQ:
        raise DifficultyError(
            "words='wordfreq' holds pieces of inflected Korean words, which are no answers to a "
            "quiz: leave it out, or give the path of a file, a word a line"
        )
    if not {*DEVICES["ko"]} & {*devices}:
        return ()
    return of_split(tuple(_ways(source)), split)


def riddle(draw: Draw, answer: str, source: str, devices: tuple[str, ...]) -> Riddle:
    """Return a quiz for a word, one of `answers`.

    >>> riddle(Draw(1), "호랑이", "core", ("consonants",)).accepted
    ('호랑이',)
    """
    way = draw.choice(_ways(source)[answer])
    clue, vowels = told(answer, way)
    form = "vowels" if vowels else "shown" if way.shown else "initials"
    return Riddle(
        payload="",
        slots={
            "clue": clue,
            "vowels": vowels,
            "theme": _theme_name(answer) if source == CORE else "",
        },
        form=form if source == CORE else "themeless",
        accepted=(answer,),
        device=DEVICES["ko"][0],
        source=words("ko", source).source,
        drawn={"length": len(answer), "shown": len(way.shown), "vowels": way.vowels},
    )


def core_ways(wide: Iterable[str]) -> dict[str, tuple[Way, ...]]:
    """Return the ways to ask for the words of the core lexicon, in the order of `answers`.

    A theme that holds the word would give it away.

    Args:
        wide: the wide list; the core lexicon and `rivals` count as part of it.
    """
    core = words("ko").words
    asked = [word for word in core if word not in _theme_name(word)]
    found = ways(asked, (*core, *rivals(), *wide))
    return _easiest_first(found)


def written(found: Mapping[str, tuple[Way, ...]]) -> str:
    """Return the text of the data file that holds these ways.

    >>> written({"사슴": (Way((1,)), Way(vowels=True))})
    '사슴\\t2 v\\n'
    """
    return "".join(f"{word}\t{' '.join(map(_code, found[word]))}\n" for word in found)


@cache
def reveals() -> dict[str, tuple[Way, ...]]:
    """Return what the data file says: the ways to ask for each word of the core lexicon."""
    rows = (line.split("\t") for line in data_text(__package__, "data", REVEALS).splitlines())
    return {word: tuple(map(_way, codes.split())) for word, codes in rows}


@cache
def rivals() -> tuple[str, ...]:
    """Return the words that people would answer, too, and that the wide list lacks.

    >>> "시아버지" in rivals()  # as the lexicon has 새아버지
    True
    """
    listed = data_table(__package__, "data", RIVALS)
    return tuple(word for line in listed.values() for word in line.split())


def _conceivable(length: int, themed: bool) -> Iterator[Way]:
    """Yield the ways to ask for words of some length, those that show fewer syllables first."""
    for size in range(0 if themed else -(-length // 2), length):
        for shown in combinations(range(length), size):
            yield Way(shown)
    if themed:
        yield Way(vowels=True)


def _hides(word: str, way: Way) -> bool:
    """Return whether something is left to find: told all vowels, that is a final consonant."""
    return not way.vowels or any(len(decompose(syllable)) == _CLOSED for syllable in word)


def _sparing(alone: list[Way]) -> tuple[Way, ...]:
    """Return the ways that show fewest syllables, and to tell the vowels if that shows fewer."""
    plain = [way for way in alone if not way.vowels]
    fewest = [way for way in plain if len(way.shown) == len(plain[0].shown)]
    return tuple(way for way in alone if way in fewest or (way.vowels and fewest != [Way()]))


def _code(way: Way) -> str:
    """Return a way as the data file has it: the places shown, from 1 on, and `v` for vowels."""
    places = "".join(str(place + 1) for place in way.shown)
    return _VOWELS if way.vowels else places or _NOTHING


def _way(code: str) -> Way:
    return Way(tuple(int(digit) - 1 for digit in code if digit.isdigit()), _VOWELS in code)


def _ways(source: str) -> Mapping[str, tuple[Way, ...]]:
    if source == CORE:
        return reveals()
    return _file_ways(stamp(source))


@lru_cache(maxsize=CACHE_SIZE)
def _file_ways(file: FileStamp) -> dict[str, tuple[Way, ...]]:
    wide = (*words("ko").words, *rivals(), *words("ko", WORDFREQ).words)
    return _easiest_first(ways(words("ko", file.path).words, wide, themed=False))


def _easiest_first(found: Mapping[str, tuple[Way, ...]]) -> dict[str, tuple[Way, ...]]:
    """Return the shortest words first; of equally long ones, those of which more is shown."""
    order = sorted(found, key=lambda word: (len(word), -max(len(w.shown) for w in found[word])))
    return {word: found[word] for word in order}


@cache
def _jamo(syllable: str) -> tuple[str, str]:
    initial, vowel, *_ = decompose(syllable)
    return initial, vowel


def _theme_name(word: str) -> str:
    """Return what a quiz calls the theme of a word of the core lexicon."""
    return _theme_names()[_themes()[word]]


@cache
def _themes() -> dict[str, str]:
    return {concept.ko: concept.theme for concept in concepts()}


@cache
def _theme_names() -> dict[str, str]:
    return data_table(__package__, "data", "quiz_themes.toml")
