"""What the tasks over language packs share: languages, parameters, and the texts to ask about."""

from collections.abc import Callable
from functools import lru_cache
from typing import Final, NamedTuple

from tokenbench.draw import Split, split_of
from tokenbench.errors import DifficultyError
from tokenbench.item import Json
from tokenbench.tasks.contract import ItemSpec, Published
from tokenbench.tasks.params import Choice, Folder, IntRange, Source
from tokenbench.tasks.sized import select_by_length
from tokenbench.text.packs.ciphers import CIPHERS, cipher, encipher
from tokenbench.text.packs.model import PACKS, Pack, pack, pack_at
from tokenbench.text.packs.wordlists import PACK, WORD_SOURCES, words
from tokenbench.text.segmented import Line, characters
from tokenbench.text.sources import FileStamp, stamp

LANGS: Final = PACKS
CHARACTERS, WORDS = "char", "word"  # the variants: what is acted on
VARIANTS: Final = (CHARACTERS, WORDS)
SOURCE_OF_WORDS: Final = Source("words", WORD_SOURCES, "where words come from, if not the pack")
USERS_PACK: Final = Folder(
    "pack", "a language pack of yours, in any language: its folder, or a text file of sentences"
)
SCRIPT: Final = Choice(
    "script", CIPHERS, "an unseen script to write all words in", "the language's own", look=True
)
PARAMS: Final = (
    IntRange(
        "length",
        2,
        30,
        64,
        "characters of the word, or words of the sentence; the nearest length that there is",
        levelled=True,
    ),
    SOURCE_OF_WORDS,
    USERS_PACK,
    SCRIPT,
)

_KEPT = 1024  # pools, a few for each task, language, split and level


class Pool(NamedTuple):
    """The lines that may be asked about, and where they come from."""

    lines: tuple[Line, ...]
    source: str


def pool(ask: ItemSpec, usable: Callable[[Line, str], object]) -> Pool:
    """Return the words or sentences of a split that can be asked about, by their length.

    Args:
        ask: what is asked for; its variant says whether words or sentences.
        usable: whether a line, under a variant, can serve.

    Raises:
        DifficultyError: there are none.
        SourceError, MissingExtraError, UnknownNameError: as in the reading of packs and words.
    """
    variant = str(ask.variant)
    if variant == WORDS and "words" in ask.overrides:
        raise DifficultyError("words says nothing for variant='word': sentences are the pack's")
    found = pack_of(ask)
    given = ask.range("length") if "length" in ask.overrides else None
    lines = _suiting(
        *(found, variant, words_of(ask), usable, ask.split),
        *(given, None if given else ask.level),
    )
    source = found.source if variant == WORDS else words(found, source_of(ask)).source
    if not lines:
        raise DifficultyError(
            f"{source} holds no {'sentence' if variant == WORDS else 'word'} to ask this about in "
            f"the split {ask.split!r}: give a longer text, or more words"
        )
    return Pool(lines, source)


def pack_of(ask: ItemSpec) -> Pack:
    """Return the pack that is asked for: the user's, or the one that ships.

    Raises:
        SourceError: the user's cannot be read.
    """
    given = ask.overrides.get("pack")
    return pack(ask.lang) if given is None else pack_at(given, ask.lang)


def source_of(ask: ItemSpec) -> str:
    """Return where words come from: a name, or the path of a user's list."""
    return str(ask.overrides.get("words", PACK))


def newcomers(ask: ItemSpec) -> tuple[str, ...]:
    """Return the units that may be put into a line: common characters, or words, of the pack.

    Raises:
        DifficultyError: the pack has no words of letters.
    """
    found = pack_of(ask)
    units = found.common if ask.variant == CHARACTERS else found.vocabulary
    if not units:
        raise DifficultyError(f"{found.source} holds no words of letters: give a longer text")
    return tuple(unit for unit in units if unit == unit.lower()) or units


def facts(line: Line, unit: str | None = None) -> dict[str, Json]:
    """Return what an item's `drawn` says of its line, and of the unit that is acted on.

    `length` counts the units, `count` how often the one acted on occurs; `repeated` says whether
    any unit occurs several times, `acted` whether that one does.
    """
    found = {"length": len(line.units), "repeated": len(set(line.units)) < len(line.units)}
    times = 0 if unit is None else line.units.count(unit)
    return found if unit is None else found | {"count": times, "acted": times > 1}


def published(variant: str, answer: str) -> Published | None:
    """Return how the scorer of CUTE and EXECUTE judges: letter case counts for characters only.

    It takes an answer from between quotation marks, so it can judge none that holds one.

    >>> published("word", "Go home.").evaluation, published("word", 'He said "go".')
    ('quoted_caseless', None)
    """
    if '"' in answer:
        return None
    return Published("quoted" if variant == CHARACTERS else "quoted_caseless", answer)


def in_script(ask: ItemSpec) -> Callable[[str], str]:
    """Return a function that writes a text in the script that is asked for.

    Raises:
        SourceError: the pack has more characters than the script.
        DifficultyError: the words are not the pack's.
    """
    script = ask.overrides.get("script")
    if script is None:
        return str
    if "words" in ask.overrides:
        raise DifficultyError("script says nothing with words: only the pack's own are enciphered")
    enciphered = cipher(pack_of(ask), script)
    return lambda text: encipher(text, enciphered)


def words_of(ask: ItemSpec) -> str | FileStamp:
    """Return the source of words as a key of a cache: a user's file as it stands now."""
    source = source_of(ask)
    return source if source in WORD_SOURCES else stamp(source)


@lru_cache(maxsize=_KEPT)
def _suiting(
    pack: Pack,
    variant: str,
    words: str | FileStamp,
    usable: Callable[[Line, str], object],
    split: Split,
    given: tuple[int, int] | None,
    level: int | None,
) -> tuple[Line, ...]:
    return select_by_length(_usable(pack, variant, words, usable, split), _units, given, level)


@lru_cache(maxsize=_KEPT)
def _usable(
    pack: Pack,
    variant: str,
    words: str | FileStamp,
    usable: Callable[[Line, str], object],
    split: Split,
) -> tuple[Line, ...]:
    lines = pack.sentences if variant == WORDS else _spelled(pack, words)
    return tuple(
        line for line in lines if split_of(line.text.lower()) == split and usable(line, variant)
    )


@lru_cache(maxsize=_KEPT)
def _spelled(pack: Pack, source: str | FileStamp) -> tuple[Line, ...]:
    listed = words(pack, source if isinstance(source, str) else source.path)
    lines = map(characters, listed.words)
    return tuple(line for line in lines if len(line.units) > 1)


def _units(line: Line) -> int:
    return len(line.units)
