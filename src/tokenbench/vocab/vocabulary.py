"""A vocabulary as a value: the tokens of a tokenizer, and their words."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import Final

from tokenbench.errors import SourceError, TokenbenchError, unknown
from tokenbench.text.units import SCRIPTS

_CHARACTER_SETS: Final = {"Han": "[\u4e00-\u9fff]"}  # ADT's definition; other scripts: Unicode's


@dataclass(frozen=True, repr=False)
class Vocabulary:
    """The tokens of a tokenizer that are text, whatever library the tokenizer comes from.

    Special, control and unknown tokens are left out. Source: ADT, vocabulary export.

    Args:
        tokens: the bytes of each token in text (a leading space as b" "), in the order of the ids.
        token_ids: the id of each token, rising.

    >>> vocabulary = Vocabulary((b" the", b"the", b"\\xe7", " 猫".encode()), (5, 6, 8, 9))
    >>> vocabulary.words(), vocabulary.ids("the")
    (('the', '猫'), (5, 6))
    """

    tokens: tuple[bytes, ...]
    token_ids: tuple[int, ...]

    def ids(self, word: str) -> tuple[int, ...]:
        """Return the ids of all tokens whose stripped text is a word; there may be none."""
        return tuple(self._ids_of_words.get(word, ()))

    def words(
        self, script: str | None = None, min_length: int = 1, max_length: int | None = None
    ) -> tuple[str, ...]:
        """Return the different words of the tokens: decoded, stripped, in code point order.

        A token that is not valid UTF-8, or empty after stripping, has no word.
        Source: ADT, vocabulary export.

        Args:
            script: keep only words whose characters are all of one script, by Unicode's name;
                "Han" is U+4E00 to U+9FFF, as in the paper.
            min_length: the smallest number of characters.
            max_length: the largest number of characters.

        Raises:
            UnknownNameError: the script does not exist.
            TokenbenchError: a length is not a whole number.

        >>> Vocabulary((b"a", b" cat", " 猫".encode()), (0, 1, 2)).words("Latin", min_length=2)
        ('cat',)
        """
        for length in (min_length, 0 if max_length is None else max_length):
            if not isinstance(length, int):
                raise TokenbenchError(f"lengths of words are whole numbers: got {length!r:.80}")
        words = self._words
        if script is not None:
            if script not in SCRIPTS:
                raise unknown("script", script, SCRIPTS)
            letters = {char for char, owner in self._scripts.items() if owner == script}
            words = tuple(word for word in words if letters.issuperset(word))
        if min_length <= 1 and max_length is None:
            return words
        limit = inf if max_length is None else max_length
        return tuple(word for word in words if min_length <= len(word) <= limit)

    def sizes(self) -> dict[str, int]:
        """Return the number of words of each script, the script with most words first.

        Words of several scripts or of none (digits, punctuation) are not counted.

        >>> Vocabulary((b"a", b" cat", " 猫".encode(), b"42"), (0, 1, 2, 3)).sizes()
        {'Latin': 2, 'Han': 1}
        """
        script_of = self._scripts.get
        scripts = (set(map(script_of, word)) for word in self._words)
        counts = Counter(script for found in scripts if len(found) == 1 for script in found)
        return {script: count for script, count in counts.most_common() if script is not None}

    def __len__(self) -> int:
        return len(self.tokens)

    def __repr__(self) -> str:
        return f"<Vocabulary of {len(self):,} tokens>"

    @cached_property
    def _ids_of_words(self) -> Mapping[str, list[int]]:
        ids: dict[str, list[int]] = {}
        for number, token in zip(self.token_ids, self.tokens, strict=True):
            if word := _decode(token):
                ids.setdefault(word, []).append(number)
        return ids

    @cached_property
    def _words(self) -> tuple[str, ...]:
        return tuple(sorted(set(map(_decode, self.tokens)) - {""}))

    @cached_property
    def _scripts(self) -> Mapping[str, str]:
        """The script of each character; characters of no known script are missing."""
        from regex import findall

        # One search for each script is quicker than one for each character.
        chars = "".join(set().union(*self._words))
        return {
            char: script
            for script in SCRIPTS
            for char in findall(_CHARACTER_SETS.get(script, rf"\p{{Script={script}}}"), chars)
        }


def from_ids(tokens: Iterable[tuple[int, bytes]]) -> Vocabulary:
    """Return the vocabulary of tokens with their ids, in any order, without empty tokens.

    Raises:
        SourceError: two tokens have the same id, or all tokens are empty.
    """
    pairs = sorted(pair for pair in tokens if pair[1])
    if not pairs:
        raise SourceError("the vocabulary has no tokens: give a tokenizer that has some")
    ids, texts = zip(*pairs, strict=True)
    if len(set(ids)) < len(ids):
        (twice, count), *_ = Counter(ids).most_common(1)
        names = " and ".join(repr(token) for number, token in pairs if number == twice)
        raise SourceError(f"{count} tokens have the id {twice} ({names:.80}): give each its own")
    return Vocabulary(texts, ids)


def _decode(token: bytes) -> str:
    """Return a token's stripped text, or an empty text if it is not valid UTF-8."""
    try:
        return token.decode().strip()
    except UnicodeDecodeError:
        return ""
