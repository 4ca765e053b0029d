"""A vocabulary as a value: from any source, its words, and its tokens for single bytes."""

import json
import os
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress
from math import inf
from types import MappingProxyType
from typing import Any, Final, TypeAlias, TypedDict

from tokenbench.checks import integer, string
from tokenbench.errors import SourceError, TokenbenchError, expected, unknown
from tokenbench.grouping import group
from tokenbench.quoting import pluralize
from tokenbench.text.sources import reading
from tokenbench.text.units import SCRIPTS
from tokenbench.vocab import formats
from tokenbench.vocab.formats import BYTES, Source, Tokens

Table: TypeAlias = Mapping[bytes, int]

_CHARACTER_SETS: Final = {"Han": "[\u4e00-\u9fff]"}  # ADT's definition; other scripts: Unicode's
_RAW: Final = {byte: byte for byte in BYTES}
_MIN_PRINTABLE_SHARE: Final = 0.95

# How the makers of tokenizers write tokens that are not text.
_SPECIAL: Final = re.compile(
    r"<[|｜].*[|｜]>|</?s>|<(?:unk|pad|mask|bos|eos|cls|sep)>|[\[<]unused_?\d+[\]>]"
    r"|\[(?:UNK|PAD|MASK|BOS|EOS|CLS|SEP)\]"
)
_WORD_PIECE: Final = re.compile(r"##\w")
_ADVICE: Final = "choose a tokenizer that works on bytes, or falls back to them"


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
            dictionary is not a collection.

    >>> select_words(["cat", "Cat", "C", "猫"], "Latin", min_length=2, dictionary={"cat"})
    [True, True, False, False]
    """
    integer("min_length", min_length)
    if max_length is not None:
        integer("max_length", max_length, least=min_length)
    letters = frozenset() if script is None else _chars_of_script(script, set().union(*words))
    # A text would be searched for parts of words.
    if isinstance(dictionary, str | bytes) or not isinstance(dictionary, Collection | None):
        raise expected("dictionary", dictionary, "a set, mapping or list of words")
    known: Any = dictionary if hasattr(dictionary, "keys") else frozenset(dictionary or ())
    return [
        min_length <= len(word) <= (inf if max_length is None else max_length)
        and (script is None or letters.issuperset(word))
        and (dictionary is None or word in known or word.lower() in known)
        for word in words
    ]


def _chars_of_script(script: str, chars: Iterable[str]) -> frozenset[str]:
    if script not in SCRIPTS:
        raise unknown("script", script, SCRIPTS)
    from regex import findall

    # One search for the script is quicker than one for each character.
    pattern = _CHARACTER_SETS.get(script, rf"\p{{Script={script}}}")
    return frozenset(findall(pattern, "".join(chars)))


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
            allowed = f"{len(self.tokens):,}, one for each token"
            raise expected("token_ids", len(self.token_ids), allowed)
        if not set(map(type, self.tokens)) <= {bytes}:
            raise TokenbenchError(argument="tokens", allowed="bytes", remedy="vocab.load takes str")

    def ids(self, word: str) -> tuple[int, ...]:
        """Return the ids of all tokens whose stripped text is a word; there may be none.

        Raises:
            TokenbenchError: the word is not a str.
        """
        return self._ids_of_words.get(string("word", word), ())

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
        words = sorted(self._ids_of_words)
        selected = select_words(words, script, min_length, max_length, dictionary)
        return tuple(compress(words, selected))

    def __len__(self) -> int:
        return len(self.tokens)

    def __repr__(self) -> str:
        return f"<Vocabulary of {pluralize(len(self), 'token')}>"

    @cached_property
    def _ids_of_words(self) -> Mapping[str, tuple[int, ...]]:
        pairs = zip(map(_decode, self.tokens), self.token_ids, strict=True)
        return group((word, number) for word, number in pairs if word)


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
        SourceError: none of these, a broken file, a token or an id twice, or no tokens.
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
        raise SourceError("the vocabulary has no tokens")
    ids, texts = zip(*pairs, strict=True)
    if len(set(ids)) < len(ids):
        (twice, _), *_ = Counter(ids).most_common(1)
        names = " and ".join(repr(token) for number, token in pairs if number == twice)
        raise SourceError(f"several tokens have the id {twice} ({names:.80})")
    return Vocabulary(texts, ids)


def _read(given: Any) -> Tokens:
    if isinstance(given, Mapping):
        return _from_mapping(given)
    is_path = isinstance(given, str | os.PathLike)
    if isinstance(given, Sequence) and not (is_path or isinstance(given, bytes)):
        return _from_list(given)
    source = formats.open_source(given)
    if source.format is not None:
        return _READERS[source.format](source)
    if is_path:
        remedy = f"give {formats.FILE_NAMES}, or the lines of a vocab.txt as a list"
        raise SourceError(f"{source.name} has no known vocabulary", remedy=remedy)
    if hasattr(given, "get_vocab"):  # the slow ones of transformers
        added: Iterable[str] = getattr(given, "get_added_vocab", dict)()
        left_out = {*getattr(given, "all_special_tokens", ()), *added}
        vocabulary = given.get_vocab()
        return _from_mapping({token: vocabulary[token] for token in vocabulary.keys() - left_out})
    allowed = "a path, a tokenizer, a mapping from tokens to ids, or a list of tokens"
    raise expected("source", type(given), allowed, error=SourceError)


def _read_vocab_json(source: Source) -> Tokens:
    with reading(source.name, "a complete vocabulary in JSON"):
        tokens = list(_from_mapping(vocabulary := json.loads(source.content)))
        # Configurations and files of added tokens are JSON too.
        if len(vocabulary) < 2 or max(vocabulary.values()) >= 2 * len(vocabulary):
            raise ValueError("the ids do not number the tokens")
        return tokens


_READERS: Final[Mapping[formats.Format, Callable[[Source], Tokens]]] = {
    "GGUF": formats.read_gguf,
    "rank file": lambda source: source.content[0],
    "tekken.json": lambda source: source.content[0],
    "tokenizer.json": formats.read_tokenizer_json,
    "vocab.json": _read_vocab_json,
    "SentencePiece": formats.read_sentencepiece,
}


def _from_list(tokens: Sequence[Any]) -> Tokens:
    places: dict[Any, int] = {}
    for place, token in enumerate(tokens):
        if not isinstance(token, str | bytes):
            raise expected(f"token {place}", token, "str or bytes", error=SourceError)
        if places.setdefault(token, place) != place:
            raise SourceError(f"{token!r} is token {places[token]} and {place}")
    return _from_mapping(places)


def _from_mapping(vocabulary: Mapping[Any, Any]) -> Tokens:
    for token, number in vocabulary.items():
        integer(f"the id of {token!r:.60}", number, SourceError, least=0)
    if all(isinstance(token, bytes) for token in vocabulary):
        return [(number, token) for token, number in vocabulary.items()]
    if not all(isinstance(token, str) for token in vocabulary):
        raise SourceError("tokens of several types", remedy="give str alone, or bytes alone")
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


def byte_tokens(text: str, vocabulary: Any) -> list[int]:
    """Return the ids of a text's UTF-8 bytes, one by one, in a tokenizer's vocabulary.

    Joined and decoded, the tokens are the text. Source: EXECUTE, byte-level prompting.

    Args:
        text: any text that UTF-8 can encode.
        vocabulary: as in `byte_table`, or, for many texts, the result of that function.

    Raises:
        SourceError: the vocabulary lacks a byte of the text, or has no tokens for bytes at all;
            or the text contains half of a surrogate pair.
        TokenbenchError: the text is not a str.

    >>> byte_tokens("né", {"n": 10, "Ã": 11, "©": 12, "nÃ©": 13})
    [10, 11, 12]
    """
    table = byte_table(vocabulary)
    try:
        return [table[BYTES[value]] for value in formats.encode_text(text)]
    except KeyError as error:
        raise SourceError(f"no token is the byte {error} alone", remedy=_ADVICE) from None


def byte_table(vocabulary: Any) -> Table:
    """Return the id of each single byte that a vocabulary has a token for.

    Args:
        vocabulary: a mapping from tokens to ids, whose tokens are bytes (as tiktoken's ranks), or
            text in which bytes are written as `<0xE4>` (SentencePiece) or in GPT-2's printable
            alphabet; or a tokenizer with `get_vocab()` (tokenizers, transformers).

    Raises:
        SourceError: none of these, or a vocabulary without tokens for bytes.

    >>> byte_table({"<0x41>": 3, "A": 7, "▁A": 8})
    mappingproxy({b'A': 3})
    """
    tokens = vocabulary.get_vocab() if hasattr(vocabulary, "get_vocab") else vocabulary
    if not isinstance(tokens, Mapping):
        allowed = "a mapping from tokens to ids, or a tokenizer"
        raise expected("vocabulary", type(vocabulary), allowed, error=SourceError)
    for spelling in (_RAW, formats.PIECES, formats.printable()):
        table = {byte: tokens[token] for byte, token in spelling.items() if token in tokens}
        # Single Latin characters exist in vocabularies of characters too.
        if table and (spelling is not formats.printable() or _is_printable(tokens)):
            return MappingProxyType(table)
    raise SourceError("the vocabulary has no tokens for single bytes", remedy=_ADVICE)


def _is_printable(tokens: Iterable[Any]) -> bool:
    """Return whether nearly all tokens are in GPT-2's alphabet; the rest was added."""
    alphabet = formats.byte_values().keys()
    printable = [isinstance(token, str) and alphabet >= {*token} for token in tokens]
    return sum(printable) >= _MIN_PRINTABLE_SHARE * len(printable)
