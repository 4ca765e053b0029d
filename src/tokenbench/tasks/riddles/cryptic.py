"""English riddles: cryptic clues, each a definition next to wordplay that makes the answer.

The definition is the theme of the answer in the core lexicon. All letters of the wordplay are in
the clue, so that only one answer fits. By some devices several could fit (an anagram, a hidden
word, a container): there the fodder was checked against a wide list, and only words of the lexicon
are asked for. Clues to other words use the other devices and have no definition.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from itertools import chain
from typing import Any, Final, TypeAlias

from tokenbench.draw import Draw, Split, of_split
from tokenbench.tasks.riddles import Riddle
from tokenbench.tasks.wordings import questions
from tokenbench.text.languages import language
from tokenbench.text.lexicon import concepts, words
from tokenbench.text.sources import CACHE_SIZE, data_rows, data_table

Fodder: TypeAlias = tuple[str, ...]

# The same fodder might make other words by these.
AMBIGUOUS_DEVICES: Final = ("anagram", "hidden", "container")
_MIN_ANSWER_LETTERS: Final = 3
_MIN_FODDER_LETTERS: Final = 2  # of a word in a charade or reversal
_MIN_FAMILY_LETTERS: Final = 4  # of the shortest word that shows its family
_MAX_ENDING_LETTERS: Final = 2  # in which the longer words of a family differ
_FODDER_CACHE_SIZE: Final = 1 << 12
_ALPHABET: Final = "abcdefghijklmnopqrstuvwxyz"
_SLOTS: Final = {"container": ("inner", "outer"), "charade": ("first", "second", "third")}


def answers(split: Split, source: str, devices: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words of a split that have a clue by one of the devices, the shortest first.

    Args:
        split: train, validation or test.
        source: the words to ask for (see `tokenbench.text.lexicon.words`).
        devices: names of devices.

    Raises:
        SourceError: a file that cannot be read as UTF-8, or that contains too few words.
        MissingExtraError: `wordfreq` is not installed.

    >>> answers("train", "core", ("container",))[:3]
    ('bone', 'wife', 'panda')
    """
    return of_split(_words_with_clue(words("en", source).words, devices), split)


def riddle(draw: Draw, answer: str, source: str, devices: tuple[str, ...]) -> Riddle:
    """Return a cryptic clue for one of the answers.

    >>> riddle(Draw(7), "carpet", "core", ("charade",)).payload
    'Car before pet: something at home (6)'
    """
    possible = [device for device in devices if fodder(answer, device)]
    # All answers have initials, the easiest device to see through: two times in three, another one
    # is drawn.
    if len(possible) > 1 and draw.between(1, 3) > 1:
        possible = [device for device in possible if device != "initials"]
    device = draw.choice(possible)
    used = draw.choice(fodder(answer, device))
    if device == "initials":
        used = _draw_sentence(draw, answer, used)
    theme = themes_of_words().get(answer)
    data = _data("cryptic")
    definitions = data["definitions"][theme] if theme else data["undefined"]["definitions"]
    definition = draw.choice(drop_related(definitions, answer))
    form = "charade_of_three" if device == "charade" and len(used) > 2 else device
    clue = draw.choice(drop_related(data["clues"][form], answer))
    clue = clue.format(definition=definition, **_slots(device, used))
    first = next(at for at, char in enumerate(clue) if char.isalpha())
    return Riddle(
        accepted=(answer,),
        device=device,
        source=words("en", source).source,
        drawn={"length": len(answer), "fodder": list(used), "definition": definition},
        form="ask" if theme else "undefined",
        payload=f"{clue[:first]}{clue[first].upper()}{clue[first + 1 :]} ({len(answer)})",
    )


@lru_cache(maxsize=_FODDER_CACHE_SIZE)
def fodder(answer: str, device: str) -> tuple[Fodder, ...]:
    """Return the words that make an answer by a device, for each way to choose them.

    For `initials` they are word classes, those of a sentence whose words are drawn. A container has
    the inner and the outer word.

    >>> ("car", "pet") in fodder("carpet", "charade"), fodder("wolf", "reversal")
    (True, (('flow',),))
    """
    if device in AMBIGUOUS_DEVICES:
        return _unambiguous_fodder().get((answer, device), ())
    if device == "initials":
        return tuple(classes for classes in _sentences() if _has_sentence(answer, classes))
    options = _fodder_options(answer, device)
    return tuple(option for option in options if fodder_words().issuperset(option))


@cache
def themes_of_words() -> dict[str, str]:
    """Return the theme of each word of the core lexicon."""
    return {concept.en.lower(): concept.theme for concept in concepts()}


@cache
def fodder_words() -> frozenset[str]:
    """Return the words to play with: those of the lexicon and of our own list."""
    ours = " ".join(line for (line,) in data_rows(__package__, "data", "fodder.txt"))
    return frozenset(themes_of_words()).union(ours.split(), _words(_data("cryptic")["small"]))


@cache
def clue_words() -> frozenset[str]:
    """Return the words of the clues themselves; as fodder these need quotation marks."""
    return _words_of(chain([_data("cryptic")["small"]], *_data("cryptic")["clues"].values()))


@cache
def sentence_words() -> dict[str, dict[str, tuple[str, ...]]]:
    """Return the words of sentences by their class and first letter."""
    return {
        word_class: {letter: tuple(text.split()) for letter, text in by_letter.items()}
        for word_class, by_letter in _data("initials").items()
        if word_class != "sentences"
    }


def drop_related(texts: Iterable[str], answer: str) -> list[str]:
    """Return the texts without a word of the answer's family, or one that the answer contains.

    >>> drop_related(["a musical term", "a matter for the ears"], "music")
    ['a matter for the ears']
    >>> drop_related(["somebody at work", "something domestic"], "housework")
    ['something domestic']
    """
    return [text for text in texts if not any(_hints_at(word, answer) for word in _words(text))]


def same_family(word: str, answer: str) -> bool:
    """Return whether two words look like one family: they begin alike, up to an ending.

    >>> same_family("economist", "economy"), same_family("car", "carpet")
    (True, False)
    """
    short, long = sorted((word, answer), key=len)
    stem = short[: max(_MIN_FAMILY_LETTERS + 1, len(short) - _MAX_ENDING_LETTERS)]
    alike = len(short) >= _MIN_FAMILY_LETTERS and long.startswith(stem)
    return alike or word in (answer, answer + "s")


def _hints_at(word: str, answer: str) -> bool:
    short, long = sorted((word, answer), key=len)
    is_within = len(short) >= _MIN_FAMILY_LETTERS and short in long
    return same_family(word, answer) or is_within or word.startswith(answer)


@lru_cache(maxsize=CACHE_SIZE)
def _words_with_clue(candidates: tuple[str, ...], devices: tuple[str, ...]) -> tuple[str, ...]:
    # The questions themselves must not contain the answer.
    english = language("en")
    asked = [text for form in questions("ridl", english).values() for text in form]
    taken = _words_of([*asked, *english.prompts["closings"]])
    long = (word for word in map(str.lower, candidates) if len(word) >= _MIN_ANSWER_LETTERS)
    unused = (word for word in long if taken.isdisjoint((word, word + "s")))
    with_clue = (word for word in unused if any(fodder(word, device) for device in devices))
    return tuple(sorted(with_clue, key=len))


def _draw_sentence(draw: Draw, answer: str, classes: Sequence[str]) -> Fodder:
    """Return a sentence of different words whose first letters are the answer."""
    sentence: list[str] = []
    for word_class, letter in zip(classes, answer, strict=True):
        options = _words_outside_family(word_class, letter, answer)
        sentence.append(draw.choice([word for word in options if word not in sentence]))
    return tuple(sentence)


def _has_sentence(answer: str, classes: Sequence[str]) -> bool:
    """Return whether each letter of an answer begins another word of its class."""
    needed = Counter(zip(classes, answer, strict=False))
    enough = (len(_words_outside_family(*key, answer)) >= n for key, n in needed.items())
    return len(classes) == len(answer) and all(enough)


def _words_outside_family(word_class: str, letter: str, answer: str) -> Sequence[str]:
    """Return the words of a class and first letter that are not of the answer's family."""
    options = sentence_words()[word_class].get(letter, ())
    # Families begin alike.
    if letter != answer[0]:
        return options
    return [word for word in options if not same_family(word, answer)]


def _slots(device: str, used: Fodder) -> dict[str, str]:
    """Return the slots of a clue, in quotation marks if the clue could have the words itself."""
    values = used if device in _SLOTS else (" ".join(used),)
    if device != "initials" and not clue_words().isdisjoint(used):
        values = tuple(f"“{value}”" for value in values)
    return dict(zip(_SLOTS.get(device, ("fodder",)), values, strict=False))


def _fodder_options(answer: str, device: str) -> Iterable[Fodder]:
    """Return all pieces, words or not, that make an answer by a device that needs no list."""
    match device:
        case "beheading":
            return ((letter + answer,) for letter in _ALPHABET)
        case "curtailing":
            # Another form of the answer, such as its plural, does not disguise it.
            endings = "sdr" if answer.endswith("e") else "s"
            endings += "y" if len(answer) >= _MIN_FAMILY_LETTERS else ""
            return ((answer + letter,) for letter in _ALPHABET if letter not in endings)
        case "reversal":
            backwards = answer[::-1]
            return [(backwards,), *_in_two(backwards)] if backwards != answer else []
        case _:
            return chain(
                _in_two(answer),
                ((one, *rest) for one, other in _in_two(answer) for rest in _in_two(other)),
            )


def _in_two(text: str) -> list[tuple[str, str]]:
    ends = range(_MIN_FODDER_LETTERS, len(text) - _MIN_FODDER_LETTERS + 1)
    return [(text[:at], text[at:]) for at in ends]


@cache
def _unambiguous_fodder() -> dict[tuple[str, str], tuple[Fodder, ...]]:
    """Return the fodder that fits no other word of a wide list, from `tools/ridl_proofs.py`."""
    return {
        (answer, device): tuple(tuple(way.split()) for way in ways)
        for answer, device, *ways in data_rows(__package__, "data", "proved.tsv")
    }


@cache
def _data(name: str) -> dict[str, Any]:
    return data_table(__package__, "data", f"{name}.toml")


@cache
def _sentences() -> tuple[tuple[str, ...], ...]:
    """Return the sentences whose words are drawn, as word classes."""
    return tuple(tuple(text.split()) for text in _data("initials")["sentences"])


def _words_of(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(word for text in texts for word in _words(text))


def _words(text: str) -> list[str]:
    """Return the words of a text without the names of its slots."""
    return re.findall(r"[a-z]+(?![a-z]*\})", text.lower())
