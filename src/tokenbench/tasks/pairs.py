"""Pairs of words whose join deceives a tokenizer: our own, and those of a user's vocabulary."""

import hashlib
import os
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from tokenbench.draw import Draw, Split, split_of
from tokenbench.errors import DifficultyError, SourceError
from tokenbench.tasks.contract import Pool
from tokenbench.tasks.select import select_by_length
from tokenbench.tasks.spec import Choice, IntRange, ItemSpec, Source
from tokenbench.text.data_files import data_text
from tokenbench.text.sources import CACHE_SIZE, CORE, FileStamp, digest, stamp

if TYPE_CHECKING:
    from tokenbench.vocab import Vocabulary

Origin: TypeAlias = str | FileStamp  # our own vocabulary, or a user's file as it stands now

LANGS: Final = ("en", "zh")
SCHEMAS: Final = ("before", "after", "both")
MAX_PAIRS: Final = 4500  # of a vocabulary
PARAMS: Final = (
    IntRange(
        "length",
        default=(2, 24),
        max=64,
        help="characters of the join; the nearest length that there is",
        scales_with_level=True,
    ),
    Choice(
        "schema",
        SCHEMAS,
        help="where the join goes on beyond the hidden word",
        default="any",
    ),
    Source(
        "vocabulary",
        (CORE,),
        help="whose words: our own, or those of a tokenizer's file",
        binary=True,
    ),
)
_MAX_REPEATS: Final = 25  # of a word in the same role in pairs of a schema
_MAX_MATCHES: Final = 60_000  # of a user's vocabulary that are tried
_MIN_WORD_LETTERS: Final = 3  # of English


class Pair(NamedTuple):
    """Two words, and the trap that their join hides; the fields are those of `traps.Match`."""

    word1: str
    word2: str
    trap: str
    cut: int  # characters of the trap that end the first word
    schema: str

    @property
    def join(self) -> str:
        """Both words, written together.

        >>> Pair("moves", "table", "stable", 1, "before").join
        'movestable'
        """
        return self.word1 + self.word2

    @property
    def misleading(self) -> tuple[int, ...]:
        """Where the second word seems to begin: where the trap begins or ends within the join.

        >>> Pair("moves", "table", "stable", 1, "before").misleading
        (4,)
        >>> Pair("sixth", "island", "this", 2, "both").misleading
        (3, 7)
        """
        start = len(self.word1) - self.cut
        places = (start, start + len(self.trap))
        return tuple(place for place in places if 0 < place < len(self.join))


class Pairs(NamedTuple):
    """Pairs in a fixed order, and where they come from, for an item's meta."""

    pairs: tuple[Pair, ...]
    source: str


def pairs(lang: str, origin: Origin = CORE) -> Pairs:
    """Return pairs of words of a language; the tokenizer makes one token of each one's trap.

    Args:
        lang: en or zh.
        origin: `core`, our own vocabulary; or the file of a tokenizer.

    Raises:
        SourceError: the file holds no tokenizer that is a byte-level BPE, or it has no such pairs.
        MissingExtraError: the package that reads the file is not installed.

    >>> all(pair.trap in pair.join for pair in pairs("zh").pairs)
    True
    """
    return _own(lang) if isinstance(origin, str) else _of_file(lang, origin)


def pair_pool(spec: ItemSpec, *, usable: Callable[[Pair, str], bool]) -> Pool:
    """Return the pairs of a split, which the join decides, by the length of the join.

    Args:
        spec: the checked arguments of an item.
        usable: whether a pair can be asked about under a variant.

    Raises:
        DifficultyError: there are none.
        SourceError, MissingExtraError: as for `pairs`.
    """
    vocabulary = spec.overrides.get("vocabulary", CORE)
    origin = CORE if vocabulary == CORE else stamp(vocabulary)
    schema = spec.overrides.get("schema")
    found = _cached_pairs(
        spec.lang, origin, str(spec.variant), usable, spec.split, schema, *spec.length_or_level()
    )
    source = pairs(spec.lang, origin).source
    if not found:
        raise DifficultyError(
            f"{source} holds no pair to ask this about in the split {spec.split!r}"
            f"{f' with schema={schema!r}' if schema else ''}: give a larger vocabulary"
        )
    return Pool(found, source)


@lru_cache(maxsize=1024)
def _cached_pairs(
    lang: str,
    origin: Origin,
    variant: str,
    usable: Callable[[Pair, str], bool],
    split: Split,
    schema: str | None,
    length: tuple[int, int] | None,
    level: int | None,
) -> tuple[Pair, ...]:
    found = [
        pair
        for pair in pairs(lang, origin).pairs
        if split_of(pair.join) == split and schema in (None, pair.schema) and usable(pair, variant)
    ]
    return select_by_length(found, lambda pair: len(pair.join), length, level)


def has_one_answer(pair: Pair) -> bool:
    """Return whether a question about a pair has one answer, which is not the trap.

    >>> has_one_answer(Pair("moves", "table", "stable", 1, "before"))
    True
    >>> has_one_answer(Pair("画", "画家", "画画", 1, "after"))
    False
    """
    one, other = pair.word1, pair.word2
    alike = one.startswith(other) or other.startswith(one)
    return not alike and pair.trap not in (one, other)


def thin_out(
    found: Iterable[Pair], most: int = MAX_PAIRS, times: int = _MAX_REPEATS
) -> tuple[Pair, ...]:
    """Return at most so many of the pairs, sorted, so that no schema and no word stands out.

    Each schema has a third of them at most, and no two pairs have the same join.

    Args:
        found: the pairs, in any order, which makes no difference.
        most: how many to return at most.
        times: how often a word may be the first, the second or the trap of a schema's pairs.

    >>> found = [Pair("moves", word, "stable", 1, "before") for word in ("table", "tables")]
    >>> len(thin_out(found)), len(thin_out(found, times=1))
    (2, 1)
    """
    quota = {schema: most // len(SCHEMAS) for schema in SCHEMAS}
    joins: set[str] = set()
    met: Counter[tuple[str, str, str]] = Counter()
    kept = []
    for pair in Draw("pairs").shuffled(sorted(set(found))):
        roles = [(pair.schema, role, getattr(pair, role)) for role in ("word1", "word2", "trap")]
        if quota[pair.schema] and pair.join not in joins and all(met[r] < times for r in roles):
            quota[pair.schema] -= 1
            joins.add(pair.join)
            met.update(roles)
            kept.append(pair)
    return tuple(sorted(kept))


@cache
def _own(lang: str) -> Pairs:
    text = data_text("tokenbench.tasks", "data", f"traps_{lang}.tsv")
    rows = (line.split("\t") for line in text.splitlines() if not line.startswith("#"))
    found = tuple(
        Pair(one, other, trap, int(cut), schema) for one, other, trap, cut, schema in rows
    )
    return Pairs(found, f"tokenbench traps sha256:{hashlib.sha256(text.encode()).hexdigest()[:12]}")


@lru_cache(maxsize=CACHE_SIZE)
def _of_file(lang: str, file: FileStamp) -> Pairs:
    from tokenbench.vocab import bpe, load, traps  # these need NumPy and Numba, our own pairs not

    source = f"{os.path.basename(file.path)} sha256:{digest(file)[:12]}"
    encoder = bpe.load(file.path)  # before all else: this says what is wrong with a file
    words = _english(load(file.path)) if lang == "en" else load(file.path).words("Han")
    index = traps.index(words, stop=() if lang == "en" else traps.CHINESE)
    matches = index.sample(min(index.count(), _MAX_MATCHES))
    deceived = index.verify(matches, encoder)
    verified = (Pair(*match) for match, holds in zip(matches, deceived, strict=True) if holds)
    found = thin_out(filter(has_one_answer, verified))
    if not found:
        raise SourceError(
            f"{source} has no two words in {lang!r} whose join deceives it: give the file of a "
            "tokenizer that knows more words of the language"
        )
    return Pairs(found, source)


def _english(vocabulary: "Vocabulary") -> list[str]:
    """Return the tokens that look like words of English: small letters, also after a space.

    Where no token begins with a space, all tokens of small letters count.
    """
    tokens = vocabulary.tokens
    spaced = {token[1:] for token in tokens if token[:1] == b" " and token[1:].isalpha()}
    held = spaced & {*tokens} if spaced else {*tokens}
    letters = (token.decode() for token in held if token.isalpha() and token.islower())
    return [word for word in letters if len(word) >= _MIN_WORD_LETTERS]
