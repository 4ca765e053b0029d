"""Facts about the words of a vocabulary, and the figures of real ones."""

import base64
import json
import pickle
from collections.abc import Iterable
from typing import Any

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st
from sentencepiece import SentencePieceProcessor
from vocabularies import DEEPSEEK, PIECES, QWEN, TEKKEN

from tokenbench.errors import TokenbenchError, UnknownNameError
from tokenbench.text.units import SCRIPTS
from tokenbench.vocab import Vocabulary, load

LETTERS = st.characters(codec="utf-8") | st.sampled_from(" \n▁#Ġaбγ猫𠀀々한ーé")
TOKENS = st.lists(st.text(LETTERS, max_size=4).map(str.encode) | st.binary(max_size=3), min_size=1)


def strip_words(tokens: Iterable[bytes]) -> list[str]:
    """The paper's export, word by word: decode, strip, drop invalid text."""
    words = set()
    for token in tokens:
        try:
            words.add(token.decode().strip())
        except UnicodeDecodeError:
            continue
    return sorted(words - {""})


def of(tokens: Iterable[bytes]) -> Vocabulary:
    held = tuple(tokens)
    return Vocabulary(held, tuple(range(len(held))))


@given(TOKENS)
def test_words_are_the_paper_s_export(tokens: list[bytes]) -> None:
    assert list(of(tokens).words()) == strip_words(tokens)


@given(TOKENS)
def test_ids_lead_from_a_word_to_its_tokens_and_back(tokens: list[bytes]) -> None:
    vocabulary = of(tokens)
    led = [number for word in vocabulary.words() for number in vocabulary.ids(word)]
    assert len(led) == len(set(led)) == sum(bool(strip_words([token])) for token in tokens)
    for word in vocabulary.words():
        for number in vocabulary.ids(word):
            assert strip_words([tokens[number]]) == [word]
    assert vocabulary.ids("no such word") == vocabulary.ids("") == ()


@given(TOKENS, st.sampled_from(SCRIPTS), st.integers(0, 2), st.none() | st.integers(2, 4))
def test_words_are_chosen_by_script_and_length(
    tokens: list[bytes], script: str, low: int, high: int | None
) -> None:
    one = "[\u4e00-\u9fff]" if script == "Han" else rf"\p{{Script={script}}}"
    assert of(tokens).words(script, low, high) == tuple(
        word
        for word in strip_words(tokens)
        if regex.fullmatch(f"{one}+", word) and low <= len(word) <= (9 if high is None else high)
    )


@pytest.mark.parametrize(
    ("tokens", "ids", "says"),
    [(("the",), (0,), "tokens: expected bytes"), ((b"the",), (), "one for each token")],
)
def test_a_vocabulary_checks_its_tokens(tokens: Any, ids: Any, says: str) -> None:
    with pytest.raises(TokenbenchError, match=says):
        Vocabulary(tokens, ids)


def test_a_loaded_vocabulary_may_be_loaded_again() -> None:
    vocabulary = of([b"the", b"cat"])
    assert load(vocabulary) is vocabulary
    with pytest.raises(TokenbenchError, match="word=b'the': expected a string"):
        vocabulary.ids(b"the")  # type: ignore[arg-type]


@pytest.mark.parametrize("lengths", [(3, 2), (1, 0), (1, "4"), (None, 4)])
def test_lengths_that_no_word_has_are_refused(lengths: Any) -> None:
    with pytest.raises(TokenbenchError, match=r"m.._length="):
        of([b"cat"]).words("Latin", *lengths)


@given(TOKENS, st.lists(st.text(LETTERS, max_size=3)))
def test_words_are_chosen_by_a_dictionary(tokens: list[bytes], dictionary: list[str]) -> None:
    known = {*dictionary}
    right = tuple(word for word in strip_words(tokens) if {word, word.lower()} & known)
    for given_dictionary in (dictionary, known, dict.fromkeys(dictionary, 1.0)):
        assert of(tokens).words(dictionary=given_dictionary) == right


def test_a_script_is_named_as_unicode_names_it() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'Han"):
        of([b"a"]).words("Hani")


def test_a_vocabulary_is_a_value() -> None:
    vocabulary = of([b" the", b"cat"])
    assert vocabulary.words() == ("cat", "the")  # caches of it do not take part in comparisons
    assert vocabulary == of([b" the", b"cat"]) != of([b"the", b"cat"])
    assert pickle.loads(pickle.dumps(vocabulary)) == vocabulary  # noqa: S301
    assert repr(vocabulary) == "<Vocabulary of 2 tokens>"
    assert repr(of([b"the"])) == "<Vocabulary of 1 token>"
    with pytest.raises(AttributeError):
        vocabulary.tokens = ()  # type: ignore[misc]


def test_qwen_has_the_paper_s_han_tokens() -> None:
    vocabulary = load(QWEN)
    assert len(vocabulary) == 151_643
    assert len(vocabulary.words()) == 130_332
    words = vocabulary.words("Han")
    assert len(words) == 24_879
    assert sum(len(vocabulary.ids(word)) for word in words) == 24_953  # ADT's figure
    assert {vocabulary.tokens[number] for number in vocabulary.ids("the")} >= {b"the", b" the"}


def test_deepseek_s_words_are_those_of_its_own_vocabulary() -> None:
    """Tokens added on top are markup, special or not; the three special ones below are left out."""
    vocabulary = load(DEEPSEEK)
    assert len(vocabulary) == 128_000 - 3
    held = json.loads(DEEPSEEK.read_text("utf-8"))
    printing = [n for n in range(256) if chr(n).isprintable() and n not in (0x20, 0xA0, 0xAD)]
    others = [n for n in range(256) if n not in printing]
    values = {chr(n): n for n in printing} | {chr(256 + n): byte for n, byte in enumerate(others)}
    own = [token for token in held["model"]["vocab"] if values.keys() >= set(token)]
    assert len(own) == len(vocabulary)
    assert list(vocabulary.words()) == strip_words(
        bytes(values[char] for char in token) for token in own
    )
    on_top = [token["content"] for token in held["added_tokens"] if token["id"] >= 128_000]
    assert len(on_top) == 1_280
    assert not set(on_top).intersection(vocabulary.words())


def test_tekken_s_words_are_those_that_its_configuration_uses() -> None:
    vocabulary = load(TEKKEN)
    assert len(vocabulary) == 131_072 - 1_000
    assert vocabulary.token_ids[0] == 1_000
    held = json.loads(TEKKEN.read_bytes())["vocab"]
    assert len(held) == 150_000
    decoded = [base64.b64decode(entry["token_bytes"]) for entry in held[:130_072]]
    assert list(vocabulary.tokens) == decoded


@pytest.mark.parametrize("path", PIECES, ids=lambda path: path.suffix)
def test_sentencepiece_decodes_its_pieces_to_the_same_words(path: object) -> None:
    model = SentencePieceProcessor(model_file=str(path))
    places = range(model.get_piece_size())
    kept = [n for n in places if not (model.is_control(n) or model.is_unknown(n))]
    vocabulary = load(path)
    assert list(vocabulary.token_ids) == kept
    decoded = [model.decode([n]).encode() for n in kept if not model.is_byte(n)]
    assert list(vocabulary.words()) == strip_words([*decoded, *(bytes([n]) for n in range(256))])
