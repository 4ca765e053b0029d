"""Pairs of words whose join deceives a tokenizer: our own, and those of a user's vocabulary."""

import os
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from functools import cache, lru_cache
from itertools import compress
from operator import or_
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from tokenbench.decomposition.components import components
from tokenbench.draw import Draw
from tokenbench.errors import SourceError
from tokenbench.tasks.spec import Pool
from tokenbench.text.sources import CACHE_SIZE, CORE, FileStamp, data_label, data_rows, digest

if TYPE_CHECKING:
    from tokenbench.vocab.spans import Tokenizer
    from tokenbench.vocab.traps import Match

# Our own vocabulary, or a user's file in its present state.
Origin: TypeAlias = str | FileStamp

SCHEMAS: Final = ("before", "after", "both")
# Of a vocabulary.
MAX_PAIRS: Final = 4500


# Pairs of a schema with a word in the same role.
_MAX_REPEATS: Final = 25
_MAX_MATCHES_TO_VERIFY: Final = 60_000
_MIN_ENGLISH_LETTERS: Final = 3
# What joins in sentences follow.
_BEFORE_JOIN: Final = {"en": " ", "zh": "："}


class Pair(NamedTuple):
    """Two words and the trap in their join, with the fields of `traps.Match`.

    `cut` is the number of characters of the trap that end the first word.
    """

    word1: str
    word2: str
    trap: str
    cut: int
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
        """The indices at which the second word seems to begin: those where the trap begins or ends.

        >>> Pair("moves", "table", "stable", 1, "before").misleading
        (4,)
        >>> Pair("sixth", "island", "this", 2, "both").misleading
        (3, 7)
        """
        start = len(self.word1) - self.cut
        ends = (start, start + len(self.trap))
        return tuple(index for index in ends if 0 < index < len(self.join))


def pairs(lang: str, origin: Origin = CORE, *, in_sentence: bool = False) -> Pool:
    """Return pairs of words of a language whose traps are single tokens of the tokenizer.

    Our own tokenizer is deceived by the same pairs in a sentence and alone: it has no token with a
    space or mark.

    Args:
        lang: en or zh.
        origin: `core`, our own vocabulary; or the file of a tokenizer.
        in_sentence: whether the tokenizer of a file has to be deceived where the join follows a
            space (in Chinese a colon); otherwise it has to be where the join is the whole text.

    Raises:
        SourceError: the file is not a tokenizer, or it has no such pairs.
        MissingExtraError: the package that reads the file is not installed.

    >>> all(pair.trap in pair.join for pair in pairs("zh").instances)
    True
    """
    if isinstance(origin, str):
        return _builtin_pairs(lang)
    return _pairs_of_file(lang, origin, _BEFORE_JOIN[lang] if in_sentence else "")


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
    found: Iterable[Pair], max_pairs: int = MAX_PAIRS, max_repeats: int = _MAX_REPEATS
) -> tuple[Pair, ...]:
    """Return a part of the pairs, sorted, in which no schema and no word prevails.

    At most a third of them have the same schema, and no two have the same join.

    Args:
        found: the pairs; their order makes no difference.
        max_pairs: of the result.
        max_repeats: pairs of a schema with the same first word, second word or trap.

    >>> found = [Pair("moves", word, "stable", 1, "before") for word in ("table", "tables")]
    >>> len(thin_out(found)), len(thin_out(found, max_repeats=1))
    (2, 1)
    """
    quota = {schema: max_pairs // len(SCHEMAS) for schema in SCHEMAS}
    joins: set[str] = set()
    uses: Counter[tuple[str, str, str]] = Counter()
    chosen = []
    for pair in Draw("pairs").shuffled(sorted(set(found))):
        roles = [(pair.schema, role, getattr(pair, role)) for role in ("word1", "word2", "trap")]
        is_new = pair.join not in joins and all(uses[role] < max_repeats for role in roles)
        if quota[pair.schema] and is_new:
            quota[pair.schema] -= 1
            joins.add(pair.join)
            uses.update(roles)
            chosen.append(pair)
    return tuple(sorted(chosen))


@cache
def _builtin_pairs(lang: str) -> Pool:
    file = ("tokenbench.tasks", "data", f"traps_{lang}.tsv")
    rows = data_rows(*file)
    pairs = tuple(Pair(a, b, trap, int(cut), schema) for a, b, trap, cut, schema in rows)
    return Pool(pairs, data_label("traps", *file))


@lru_cache(maxsize=CACHE_SIZE)
def _pairs_of_file(lang: str, file: FileStamp, before: str) -> Pool:
    # These need NumPy and Numba; our own pairs do not.
    from tokenbench.vocab import load, traps
    from tokenbench.vocab.formats import recognize
    from tokenbench.vocab.spans import as_tokenizer

    source = f"{os.path.basename(file.path)} sha256:{digest(file)[:12]}"
    # This comes first because its errors explain best why a file cannot be used.
    # A rank file has no pattern, and joins of letters are seldom cut: no warning about that.
    pattern = () if recognize(file) == "rank file" else None
    encoder = as_tokenizer(file.path, pattern=pattern)
    vocabulary = load(file.path)
    if components(lang).is_word:
        index = traps.index(_english_words(vocabulary.tokens))
    else:
        index = traps.index(vocabulary.words("Han"), stop=traps.CHINESE)
    matches = index.sample(min(index.count(), _MAX_MATCHES_TO_VERIFY))
    found = (Pair(*match) for match in compress(matches, _deceives(matches, encoder, before)))
    pairs = thin_out(filter(has_one_answer, found))
    if not pairs:
        where = " in a sentence" if before else ""
        remedy = "give the file of a tokenizer that knows more words of the language"
        if before:
            remedy += ", or form='bare'"
        problem = f"{source} has no two words in {lang!r} that deceive it{where}"
        raise SourceError(problem, remedy=remedy)
    return Pool(pairs, source)


def _deceives(matches: "Sequence[Match]", encoder: "Tokenizer", before: str) -> list[bool]:
    """Return for which matches the trap is one token of the join after some text.

    As in `adt`, the token may begin with the space before the trap.
    """
    from tokenbench.vocab.spans import are_tokens

    shift = len(before)
    texts = [before + match.word1 + match.word2 for match in matches]
    starts = [shift + match.start for match in matches]
    ends = [shift + match.end for match in matches]
    deceived = are_tokens(encoder, texts, starts, ends)
    if before.isspace():
        starts = [0 if start == shift else start for start in starts]
        deceived = list(map(or_, deceived, are_tokens(encoder, texts, starts, ends)))
    return deceived


def _english_words(tokens: Collection[bytes]) -> list[str]:
    """Return those tokens that look like words of English: small letters, also after a space.

    Where no token begins with a space, all tokens of small letters count.
    """
    spaced = {token[1:] for token in tokens if token[:1] == b" " and token[1:].isalpha()}
    candidates = spaced & {*tokens} if spaced else {*tokens}
    letters = (token.decode() for token in candidates if token.isalpha() and token.islower())
    return [word for word in letters if len(word) >= _MIN_ENGLISH_LETTERS]
