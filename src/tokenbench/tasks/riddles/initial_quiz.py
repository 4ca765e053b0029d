"""Korean riddles: initial-consonant quizzes (초성 퀴즈) that reveal as much as leaves one word.

Initials alone usually fit several words, so some syllables are shown in full, or all vowels are
given, until one word remains of a wide list: wordfreq's Korean list, the core lexicon, and a data
file of rivals, words that both lack though a theme suggests them. The theme is only a hint in
addition, because which words belong to a theme is a matter of opinion.

A data file has the reveals of the core lexicon (`tools/quiz_reveals.py` writes it), so that no
item depends on other installed packages. Words of a user's file have no theme; at least half of
their syllables are shown, and finding out which takes wordfreq. Nearly half of wordfreq's own
entries are pieces of inflected words, so they are never answers.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from itertools import combinations
from typing import Final, NamedTuple

from tokenbench.decomposition.hangul import decompose
from tokenbench.draw import Draw, Split, of_split
from tokenbench.errors import DifficultyError
from tokenbench.tasks.riddles import DEVICES, Riddle
from tokenbench.text.lexicon import concepts, words
from tokenbench.text.sources import (
    CACHE_SIZE,
    CORE,
    WORDFREQ,
    FileStamp,
    data_rows,
    data_table,
    stamp,
)

VOWELS_CODE: Final = "v"
REVEALS_FILE: Final = "quiz_reveals.tsv"
_CLOSED_SYLLABLE_JAMO: Final = 3
(_DEVICE,) = DEVICES["ko"]


class Reveal(NamedTuple):
    """The part of a word that a quiz reveals in addition to its initials.

    `shown` are the indices of the syllables given in full. With `vowels`, all vowels are given, and
    no syllable in full.
    """

    shown: tuple[int, ...] = ()
    vowels: bool = False


class Clue(NamedTuple):
    """Initials, some of them replaced by whole syllables, and the vowels, if they are given."""

    initials: str
    vowels: str


def clue_to(word: str, reveal: Reveal) -> Clue:
    """Return the clue to a word.

    >>> clue_to("다람쥐", Reveal((2,))), clue_to("과일", Reveal(vowels=True))
    (Clue(initials='ㄷㄹ쥐', vowels=''), Clue(initials='ㄱㅇ', vowels='ㅘㅣ'))
    """
    jamo = list(map(_jamo, word))
    initials = [word[i] if i in reveal.shown else jamo[i][0] for i in range(len(word))]
    vowels = [vowel for _, vowel in jamo] if reveal.vowels else []
    return Clue("".join(initials), "".join(vowels))


def unique_reveals(
    candidates: Iterable[str], wide: Iterable[str], *, themed: bool = True
) -> dict[str, tuple[Reveal, ...]]:
    """Return the reveals by which words are the only ones of a wide list that fit, easiest first.

    As few syllables are shown as possible, or none and the vowels are given. Without a theme, at
    least half of the syllables are shown. A syllable or a final consonant is always left to find;
    words for which that is impossible are left out. Short words are easiest; of equally long ones,
    those whose clue shows more.

    Args:
        candidates: the words to ask for.
        wide: the words that an answer must not be mistaken for; the candidates are among them.
        themed: whether the quiz also names a theme.

    >>> unique_reveals(["사자", "사슴"], ["사장", "상자", "사실", "가슴"])
    {'사슴': (Reveal(shown=(1,), vowels=False), Reveal(shown=(), vowels=True))}
    """
    candidates = list(candidates)
    fitting = Counter(
        clue_to(word, reveal)
        for word in dict.fromkeys((*candidates, *wide))
        for reveal in _possible_reveals(len(word), themed)
    )
    found: dict[str, tuple[Reveal, ...]] = {}
    for word in candidates:
        # With all vowels given, only final consonants are hidden.
        has_finals = any(len(decompose(char)) == _CLOSED_SYLLABLE_JAMO for char in word)
        options = _possible_reveals(len(word), themed)
        unique = [option for option in options if fitting[clue_to(word, option)] == 1]
        if reveals := _fewest_syllables([one for one in unique if has_finals or not one.vowels]):
            found[word] = reveals
    order = sorted(found, key=lambda word: (len(word), -max(len(r.shown) for r in found[word])))
    return {word: found[word] for word in order}


def answers(split: Split, source: str, devices: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words of a split that a quiz can ask for, the easiest first.

    Args:
        split: train, validation or test.
        source: `core`, or the path of a file with a word per line.
        devices: the devices allowed; a quiz needs `consonants`.

    Raises:
        DifficultyError: the source `wordfreq`.
        SourceError: a file that cannot be used.
        MissingExtraError: a file, and wordfreq is not installed.

    >>> len(answers("test", "core", ("consonants",))) > 80
    True
    """
    if source == WORDFREQ:
        problem = "has pieces of inflected Korean words, which a quiz cannot ask for"
        remedy = "leave it out, or give the path of a file with a word per line"
        raise DifficultyError(problem, argument="words", value=source, remedy=remedy)
    return of_split(tuple(_reveals_of(source)), split) if _DEVICE in devices else ()


def riddle(draw: Draw, answer: str, source: str, devices: tuple[str, ...]) -> Riddle:
    """Return a quiz for a word, one of `answers`.

    >>> riddle(Draw(1), "호랑이", "core", ("consonants",)).accepted
    ('호랑이',)
    """
    reveal = draw.choice(_reveals_of(source)[answer])
    clue = clue_to(answer, reveal)
    form = "vowels" if clue.vowels else "shown" if reveal.shown else "initials"
    theme = theme_names()[answer] if source == CORE else ""
    return Riddle(
        accepted=(answer, *_spacings().get(answer, ())),
        device=_DEVICE,
        source=words("ko", source).source,
        drawn={"length": len(answer), "shown": len(reveal.shown), "vowels": reveal.vowels},
        form=form if theme else "themeless",
        slots={"clue": clue.initials, "vowels": clue.vowels, "theme": theme},
    )


@cache
def core_reveals() -> dict[str, tuple[Reveal, ...]]:
    """Return the reveals of each word of the core lexicon, from the data file."""
    rows = data_rows(__package__, "data", REVEALS_FILE)
    return {word: tuple(map(_parse_reveal, codes.split())) for word, codes in rows}


@cache
def rivals() -> tuple[str, ...]:
    """Return the words that people would also answer, and that the wide list lacks.

    >>> "시아버지" in rivals()  # because the lexicon has 새아버지
    True
    """
    return tuple(" ".join(data_table(__package__, "data", "quiz_rivals.toml").values()).split())


@cache
def theme_names() -> dict[str, str]:
    """Return the Korean name of the theme of each word of the core lexicon."""
    names = data_table(__package__, "data", "quiz_themes.toml")
    return {concept.ko: names[concept.theme] for concept in concepts()}


@cache
def _spacings() -> dict[str, tuple[str, ...]]:
    """Return the spellings as several words of each answer that has one."""
    spaced = (row[0] for row in data_rows(__package__, "data", "quiz_spacings.txt"))
    return {text.replace(" ", ""): (text,) for text in spaced}


def _possible_reveals(length: int, themed: bool) -> Iterator[Reveal]:
    """Yield the reveals of a word of some length, those that show fewer syllables first."""
    for number in range(0 if themed else -(-length // 2), length):
        yield from map(Reveal, combinations(range(length), number))
    if themed:
        yield Reveal(vowels=True)


def _fewest_syllables(reveals: list[Reveal]) -> tuple[Reveal, ...]:
    """Return the reveals that show fewest syllables, and that of the vowels if it shows fewer."""
    shown = [reveal for reveal in reveals if not reveal.vowels]
    fewest = [reveal for reveal in shown if len(reveal.shown) == len(shown[0].shown)]
    return tuple(
        reveal for reveal in reveals if reveal in fewest or (reveal.vowels and fewest != [Reveal()])
    )


def _parse_reveal(code: str) -> Reveal:
    """Return a reveal from its code: the positions shown, from 1 on, `v` for vowels, or `-`."""
    return Reveal(tuple(int(digit) - 1 for digit in code if digit.isdigit()), VOWELS_CODE in code)


def _reveals_of(source: str) -> Mapping[str, tuple[Reveal, ...]]:
    return core_reveals() if source == CORE else _reveals_of_file(stamp(source))


@lru_cache(maxsize=CACHE_SIZE)
def _reveals_of_file(file: FileStamp) -> dict[str, tuple[Reveal, ...]]:
    wide = (*words("ko").words, *rivals(), *words("ko", WORDFREQ).words)
    return unique_reveals(words("ko", file.path).words, wide, themed=False)


@cache
def _jamo(syllable: str) -> tuple[str, str]:
    initial, vowel, *_ = decompose(syllable)
    return initial, vowel
