"""A vocabulary as a value, and loading it from a file, a tokenizer, a mapping or a list."""

import json
import os
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress
from typing import Any, Final

from tokenbench.checks import string
from tokenbench.errors import SourceError, TokenbenchError
from tokenbench.quoting import pluralize
from tokenbench.text.sources import read_bytes
from tokenbench.text.units import SCRIPTS
from tokenbench.vocab import formats
from tokenbench.vocab.files import FILE_NAMES, recognize, tokenizer_file
from tokenbench.vocab.formats import Tokens
from tokenbench.vocab.word_filter import chars_of_script, select_words

_MAX_IDS_PER_TOKEN: Final = 2

# How the makers of tokenizers write tokens that are not text.
_SPECIAL: Final = re.compile(
    r"<[|｜].*[|｜]>|</?s>|<(?:unk|pad|mask|bos|eos|cls|sep)>|[\[<]unused_?\d+[\]>]"
    r"|\[(?:UNK|PAD|MASK|BOS|EOS|CLS|SEP)\]"
)
_WORD_PIECE: Final = re.compile(r"##\w")


@dataclass(frozen=True, repr=False)
class Vocabulary:
    """The tokens of a tokenizer that are text, whatever library the tokenizer comes from.

    Special, control and unknown tokens are left out. Source: ADT, vocabulary export.

    Args:
        tokens: the bytes of each token in text (a leading space as b" "), in the order of the ids.
        token_ids: the id of each token, rising.

    Raises:
        TokenbenchError: a token is not bytes, or there are more or fewer ids.

    >>> vocabulary = Vocabulary((b" the", b"the", b"\\xe7", " 猫".encode()), (5, 6, 8, 9))
    >>> vocabulary.words(), vocabulary.ids("the")
    (('the', '猫'), (5, 6))
    """

    tokens: tuple[bytes, ...]
    token_ids: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.tokens) != len(self.token_ids):
            tokens = pluralize(len(self.tokens), "token")
            raise TokenbenchError(
                f"a vocabulary needs an id for each token: got {len(self.token_ids):,} for {tokens}"
            )
        if not set(map(type, self.tokens)) <= {bytes}:
            raise TokenbenchError("the tokens of a Vocabulary are bytes: vocab.load takes str, too")

    def ids(self, word: str) -> tuple[int, ...]:
        """Return the ids of all tokens whose stripped text is a word; there may be none.

        Raises:
            TokenbenchError: the word is not a str.
        """
        return tuple(self._ids_of_words.get(string("word", word), ()))

    def words(
        self,
        script: str | None = None,
        min_length: int = 1,
        max_length: int | None = None,
        dictionary: Collection[str] | None = None,
    ) -> tuple[str, ...]:
        """Return the different words of the tokens: decoded, stripped, in code point order.

        A token that is not valid UTF-8, or empty after stripping, has no word.
        Source: ADT, vocabulary export.

        Args:
            script: keep only words whose characters are all of one script, by Unicode's name;
                "Han" is U+4E00 to U+9FFF, as in the paper.
            min_length: the smallest number of characters.
            max_length: the largest number of characters.
            dictionary: keep only words that this set, mapping or list contains, as they are or in
                lower case.

        Raises:
            UnknownNameError: the script does not exist.
            TokenbenchError: a length is not a whole number, or the dictionary not a collection of
                words.

        >>> Vocabulary((b"a", b" cat", " 猫".encode()), (0, 1, 2)).words("Latin", min_length=2)
        ('cat',)
        """
        selected = select_words(self._words, script, min_length, max_length, dictionary)
        return tuple(compress(self._words, selected))

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
        return f"<Vocabulary of {len(self):,} {'token' if len(self) == 1 else 'tokens'}>"

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
        chars = set().union(*self._words)
        return {char: script for script in SCRIPTS for char in chars_of_script(script, chars)}


def load(source: Any) -> Vocabulary:
    """Return the vocabulary of a tokenizer: its tokens that are text.

    Special, control, unknown and unused tokens are left out, and tokens added on top of a trained
    vocabulary. Nothing is downloaded or unpickled. Source: ADT, vocabulary export.

    Args:
        source: the path of a file, recognised by its content: tiktoken's ranks, Mistral's
            `tekken.json`, Hugging Face's `tokenizer.json` or `vocab.json`, a SentencePiece model,
            a GGUF model; or of a folder with one of them; or a tokenizer of tiktoken, tokenizers,
            transformers, sentencepiece or mistral-common; or a `Vocabulary`; or a mapping from
            tokens to ids, or a list of tokens, whose ids are their positions. The tokens of
            mappings and lists are bytes, or str: in GPT-2's alphabet if all of it is there, or with
            SentencePiece's `▁` or WordPiece's `##` if a token begins with it, or else plain text.
            Special tokens are recognised by their usual spellings.

    Raises:
        SourceError: none of these, a broken file, a token or an id twice, or no tokens; an
            object with one token, or a file in JSON whose ids do not number its tokens.
        MissingExtraError: the package that reads the format is not installed.

    >>> vocabulary = load(["<s>", "▁the", "the", "▁cat", "<0xE7>"])
    >>> vocabulary.tokens
    (b' the', b'the', b' cat', b'\\xe7')
    >>> vocabulary.words(), vocabulary.ids("the")
    (('cat', 'the'), (1, 2))
    """
    if isinstance(source, Vocabulary):
        return source
    pairs = sorted(pair for pair in _read(source) if pair[1])
    if not pairs:
        raise SourceError("the vocabulary has no tokens: give a tokenizer that has some")
    ids, texts = zip(*pairs, strict=True)
    if len(set(ids)) < len(ids):
        (twice, count), *_ = Counter(ids).most_common(1)
        names = " and ".join(repr(token) for number, token in pairs if number == twice)
        size = pluralize(count, "token")
        raise SourceError(f"{size} have the id {twice} ({names:.80}): give each its own")
    return Vocabulary(texts, ids)


def _read(source: Any) -> Tokens:
    if isinstance(source, str | os.PathLike):
        return _read_file(source)
    if isinstance(source, Mapping):
        tokens = _from_mapping(source)
        _check_size(source)
        return tokens
    if isinstance(source, Sequence) and not isinstance(source, bytes):
        return _from_list(source)
    if hasattr(source, "token_byte_values"):  # tiktoken
        tokens = source.token_byte_values()
        return ((source.encode_single_token(token), token) for token in tokens)
    if hasattr(source, "backend_tokenizer"):  # the fast ones of transformers
        return formats.tokenizer_tokens(source.backend_tokenizer)
    if hasattr(source, "get_added_tokens_decoder"):
        return formats.tokenizer_tokens(source)
    if hasattr(source, "id_to_byte_piece"):  # mistral-common's Tekkenizer
        ids = range(source.num_special_tokens, source.n_words)
        return ((number, source.id_to_byte_piece(number)) for number in ids)
    if hasattr(source, "is_unused"):
        return formats.sentencepiece_tokens(source)
    if hasattr(source, "get_vocab"):  # the slow ones of transformers
        added: Iterable[str] = getattr(source, "get_added_vocab", dict)()
        left_out = {*getattr(source, "all_special_tokens", ()), *added}
        vocabulary = source.get_vocab()
        return _from_mapping({token: vocabulary[token] for token in vocabulary.keys() - left_out})
    raise SourceError(
        f"{type(source).__name__} is not a vocabulary: give a path, a tokenizer of tiktoken, "
        "tokenizers, transformers, sentencepiece or mistral-common, a mapping from tokens to ids, "
        "or a list of tokens"
    )


def _read_file(path: str | os.PathLike[str]) -> Tokens:
    file = tokenizer_file(path)
    kind = recognize(file)
    if kind == "GGUF":
        return formats.read_gguf(file.path)
    if kind == "ranks":
        return formats.read_ranks(read_bytes(file), file.path)
    if kind == "tekken.json":
        return formats.read_tekken(read_bytes(file), file.path)[0]
    if kind == "tokenizer.json":
        return formats.read_tokenizer_json(read_bytes(file), file.path)
    if kind == "vocab.json":
        return _read_json(read_bytes(file), file.path)
    if kind == "SentencePiece":
        return formats.read_sentencepiece(read_bytes(file), file.path)
    raise SourceError(
        f"{file.path!r} has no known vocabulary: the known files are "
        f"{FILE_NAMES}; the lines of a vocab.txt can be given as a list"
    )


def _read_json(data: bytes, name: str) -> Tokens:
    with formats.reading(name, "vocabulary in JSON"):
        vocabulary = json.loads(data)
    try:
        tokens = _from_mapping(vocabulary)
        _check_size(vocabulary)
        _check_density(vocabulary.values())
    except SourceError as error:  # JSON of another kind, such as a configuration
        raise SourceError(f"{name!r} contains no vocabulary: {error}") from None
    return tokens


def _check_size(vocabulary: Mapping[Any, Any]) -> None:
    if len(vocabulary) == 1:
        raise SourceError(f"a vocabulary has several tokens, got {dict(vocabulary)!r:.80}")


def _check_density(ids: Collection[int]) -> None:
    """Require that ids number the tokens, unlike the values of a configuration.

    A file of added tokens is refused too: it lacks the ids of the vocabulary that they were added
    to.
    """
    if ids and max(ids) >= _MAX_IDS_PER_TOKEN * len(ids):
        size = pluralize(len(ids), "token")
        raise SourceError(
            f"{size} with ids up to {max(ids):,}, so most are missing; a part of a "
            "vocabulary can be given as a mapping"
        )


def _from_list(tokens: Sequence[Any]) -> Tokens:
    places: dict[Any, int] = {}
    for place, token in enumerate(tokens):
        if not isinstance(token, str | bytes):
            raise SourceError(f"token {place} is {token!r:.60}: give a list of str, or of bytes")
        if places.setdefault(token, place) != place:
            raise SourceError(f"{token!r} is token {places[token]} and {place}: give it once")
    return _from_mapping(places)


def _from_mapping(vocabulary: Mapping[Any, Any]) -> Tokens:
    for token, number in vocabulary.items():
        if not isinstance(number, int) or isinstance(number, bool) or number < 0:
            raise SourceError(
                f"the id of {token!r:.60} is {number!r:.40}: ids are whole numbers from 0 on"
            )
    if all(isinstance(token, bytes) for token in vocabulary):
        return [(number, token) for token, number in vocabulary.items()]
    if not all(isinstance(token, str) for token in vocabulary):
        raise SourceError("the tokens of a mapping are all str, or all bytes")
    to_bytes = _guess_spelling(vocabulary)
    return [
        (number, to_bytes(token))
        for token, number in vocabulary.items()
        if not _SPECIAL.fullmatch(token)
    ]


def _guess_spelling(tokens: Iterable[str]) -> Callable[[str], bytes]:
    """Return the function from a token to its bytes, by marks that words of a language lack."""
    if {*tokens}.issuperset(formats.printable().values()):
        return formats.from_printable
    if any(token.startswith(formats.SPACE) for token in tokens):
        return formats.from_piece
    if any(map(_WORD_PIECE.match, tokens)):
        return formats.from_word_piece
    return formats.from_text


def _decode(token: bytes) -> str:
    """Return a token's stripped text, or an empty text if it is not valid UTF-8."""
    try:
        return token.decode().strip()
    except UnicodeDecodeError:
        return ""
