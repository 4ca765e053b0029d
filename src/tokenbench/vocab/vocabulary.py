"""A vocabulary as a value: the tokens of a tokenizer, and the words that they stand for."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from tokenbench.errors import SourceError, TokenbenchError
from tokenbench.vocab.scripts import known, scripts_of


@dataclass(frozen=True, repr=False)
class Vocabulary:
    """The tokens of a tokenizer that stand for text, whatever library it comes from.

    Special, control and unknown tokens are left out. Source: ADT, vocabulary export.

    Args:
        tokens: the bytes that each token stands for in text (a leading space as b" "), in the
            order of their ids.
        token_ids: the id of each token, rising.

    >>> vocabulary = Vocabulary((b" the", b"the", b"\\xe7", " 猫".encode()), (5, 6, 8, 9))
    >>> vocabulary.words(), vocabulary.ids("the")
    (('the', '猫'), (5, 6))
    """

    tokens: tuple[bytes, ...]
    token_ids: tuple[int, ...]

    def ids(self, word: str) -> tuple[int, ...]:
        """Return the ids of all tokens whose text, stripped, is a word; none is no error."""
        return tuple(self._ids_of_words.get(word, ()))

    def words(
        self, script: str | None = None, min_length: int = 1, max_length: int | None = None
    ) -> tuple[str, ...]:
        """Return the different words of the tokens: decoded, stripped, in code point order.

        A token that is not valid UTF-8, or empty after stripping, stands for no word.
        Source: ADT, vocabulary export.

        Args:
            script: keep the words all of whose characters are of a script, by Unicode's name;
                "Han" is U+4E00 to U+9FFF, as in the paper.
            min_length: keep those of at least so many characters.
            max_length: keep those of at most so many characters.

        Raises:
            UnknownNameError: no such script.
            TokenbenchError: a length is no whole number.

        >>> Vocabulary((b"a", b" cat", " 猫".encode()), (0, 1, 2)).words("Latin", min_length=2)
        ('cat',)
        """
        for length in (min_length, 0 if max_length is None else max_length):
            if not isinstance(length, int):
                raise TokenbenchError(f"lengths of words are whole numbers: got {length!r:.80}")
        found = self._words
        if script is not None:
            wanted = known(script)
            owned = {char for char, owner in self._scripts.items() if owner == wanted}
            found = tuple(word for word in found if owned.issuperset(word))
        if min_length <= 1 and max_length is None:
            return found
        most = float("inf") if max_length is None else max_length
        return tuple(word for word in found if min_length <= len(word) <= most)

    def sizes(self) -> dict[str, int]:
        """Return how many words each script has, the script with most words first.

        Words of no single script (digits, punctuation, mixed ones) are counted nowhere.

        >>> Vocabulary((b"a", b" cat", " 猫".encode(), b"42"), (0, 1, 2, 3)).sizes()
        {'Latin': 2, 'Han': 1}
        """
        owner = self._scripts.get
        owners = (set(map(owner, word)) for word in self._words)
        counts = Counter(script for found in owners if len(found) == 1 for script in found)
        return {script: count for script, count in counts.most_common() if script is not None}

    def __len__(self) -> int:
        return len(self.tokens)

    def __repr__(self) -> str:
        return f"<Vocabulary of {len(self):,} tokens>"

    @cached_property
    def _ids_of_words(self) -> Mapping[str, list[int]]:
        found: dict[str, list[int]] = {}
        for number, token in zip(self.token_ids, self.tokens, strict=True):
            if word := _word(token):
                found.setdefault(word, []).append(number)
        return found

    @cached_property
    def _words(self) -> tuple[str, ...]:
        return tuple(sorted(set(map(_word, self.tokens)) - {""}))

    @cached_property
    def _scripts(self) -> Mapping[str, str]:
        return scripts_of(set().union(*self._words))


def in_order(numbered: Iterable[tuple[int, bytes]]) -> Vocabulary:
    """Return the vocabulary of tokens under their ids, in any order; empty tokens are left out.

    Raises:
        SourceError: two tokens under one id, or no token.
    """
    pairs = sorted(pair for pair in numbered if pair[1])
    if not pairs:
        raise SourceError("the vocabulary holds no tokens: give a tokenizer that has some")
    ids, tokens = zip(*pairs, strict=True)
    if len(set(ids)) < len(ids):
        (twice, count), *_ = Counter(ids).most_common(1)
        held = " and ".join(repr(token) for number, token in pairs if number == twice)
        raise SourceError(f"{count} tokens have the id {twice} ({held:.80}): give each its own")
    return Vocabulary(tokens, ids)


def _word(token: bytes) -> str:
    """Return what a token's text is when spaces around it are gone; empty where it is no text."""
    try:
        return token.decode().strip()
    except UnicodeDecodeError:
        return ""
