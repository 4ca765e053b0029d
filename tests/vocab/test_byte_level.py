"""Byte-level prompting: the bytes of a text, in vocabularies of every form."""

from collections.abc import Iterator, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokenbench.errors import SourceError
from tokenbench.vocab import byte_table, byte_tokens

SHIFT = 1000  # so that no id is the value of its byte


def gpt2(value: int) -> str:
    """A byte in GPT-2's alphabet, by its definition: printing Latin-1 stays, the rest is moved."""
    printing = [n for n in range(256) if chr(n).isprintable() and n not in (0x20, 0xA0, 0xAD)]
    others = [n for n in range(256) if n not in printing]
    return chr(value) if value in printing else chr(256 + others.index(value))


RANKS = {bytes([n]): SHIFT + n for n in range(256)} | {b"the": 5, b" cat": 6, "é".encode(): 7}
PIECES = {f"<0x{n:02X}>": SHIFT + n for n in range(256)} | {"<unk>": 0, "a": 1, "▁the": 2, "é": 3}
PRINTABLE = {gpt2(n): SHIFT + n for n in range(256)} | {"Ġthe": 5, "Ã©": 6, "<|endoftext|>": 7}


class WithVocabulary:
    """As tokenizers and transformers have it."""

    def get_vocab(self) -> Mapping[str, int]:
        return PRINTABLE


VOCABULARIES = [RANKS, PIECES, PRINTABLE, WithVocabulary()]
each = pytest.mark.parametrize("vocabulary", VOCABULARIES, ids=lambda held: type(held).__name__)


@each
@given(text=st.text(st.characters(exclude_categories=["Cs"])))
def test_the_ids_decode_to_the_bytes_of_the_text(vocabulary: object, text: str) -> None:
    ids = byte_tokens(text, vocabulary)
    assert bytes(number - SHIFT for number in ids) == text.encode()


@each
def test_a_table_has_every_byte_and_serves_as_a_vocabulary(vocabulary: object) -> None:
    table = byte_table(vocabulary)
    assert table == {bytes([n]): SHIFT + n for n in range(256)}
    assert byte_tokens("naïve", table) == byte_tokens("naïve", vocabulary)


def test_a_byte_that_is_lacking_is_named() -> None:
    some = {token: number for token, number in RANKS.items() if token != b"\xc3"}
    assert byte_tokens("plain", some)
    with pytest.raises(SourceError, match="xc3"):
        byte_tokens("naïve", some)


def characters() -> Iterator[str]:
    """The tokens of a vocabulary of characters, Latin ones among them."""
    yield from (chr(n) for n in range(0x20, 0x250))
    yield from ("##ing", "##ed", "the", "猫", "犬", "語", "और", "एक", "мир", "дом", *"абвгдежзий")
    yield from (chr(n) for n in range(0x4E00, 0x4E40))


@pytest.mark.parametrize(
    "vocabulary", [{}, {"▁the": 0, "▁cat": 1}, {t: n for n, t in enumerate(characters())}]
)
def test_a_vocabulary_without_bytes_is_an_error(vocabulary: Mapping[str, int]) -> None:
    """Characters that look like bytes in GPT-2's alphabet are not mistaken for them."""
    with pytest.raises(SourceError, match="no tokens for single bytes"):
        byte_tokens("a", vocabulary)


def test_what_is_no_vocabulary_or_no_text_is_an_error() -> None:
    with pytest.raises(SourceError, match="a mapping from tokens to ids"):
        byte_tokens("a", ["a"])
    with pytest.raises(SourceError, match="surrogate"):
        byte_tokens("a\ud800", RANKS)
    assert byte_tokens("", RANKS) == []
