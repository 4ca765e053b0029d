"""The same vocabulary by different routes: files of each format, tokenizers, mappings, lists."""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest
import tiktoken
from gguf import TokenType
from sentencepiece import SentencePieceProcessor
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from vocabularies import (
    SPECIAL,
    TEXTS,
    as_tokenizer,
    byte_level,
    pieces,
    word_pieces,
    write_gguf,
    write_ranks,
    write_tekken,
)

from tokenbench.vocab import Vocabulary, load

NORMAL, CONTROL, USER = TokenType.NORMAL, TokenType.CONTROL, TokenType.USER_DEFINED


class Fast:
    """As a fast tokenizer of transformers is: a shell around one of tokenizers."""

    def __init__(self, inner: Tokenizer) -> None:
        self.backend_tokenizer = inner


class Slow:
    """As a slow one is: in Python, with all tokens in one mapping."""

    all_special_tokens = ("<s>", "</s>", "<unk>", "[BEGIN]")

    def __init__(self, vocabulary: Mapping[str, int], added: Mapping[str, int]) -> None:
        self.vocabulary, self.added = vocabulary, added

    def get_vocab(self) -> dict[str, int]:
        return {**self.vocabulary, **self.added}

    def get_added_vocab(self) -> Mapping[str, int]:
        return self.added


def save(tokenizer: Tokenizer, folder: Path) -> str:
    """The path of the tokenizer's file."""
    tokenizer.save(str(folder / "saved"))
    return str(folder / "saved")


def own(tokenizer: Tokenizer) -> dict[str, int]:
    """The vocabulary of a tokenizer's model, in the order of ids."""
    held = tokenizer.get_vocab(with_added_tokens=False)
    return dict(sorted(held.items(), key=lambda entry: entry[1]))


def ranks(vocabulary: Vocabulary) -> dict[bytes, int]:
    return dict(zip(vocabulary.tokens, vocabulary.token_ids, strict=True))


def test_byte_level_tokens_are_the_same_by_every_route(tmp_path: Path) -> None:
    tokenizer = byte_level()
    vocabulary = load(tokenizer)
    assert "the" in vocabulary.words()
    assert vocabulary.tokens[vocabulary.token_ids.index(len(SPECIAL))] == b"!"
    assert len(vocabulary) == len(own(tokenizer)) - len(SPECIAL)
    for token, number in ranks(vocabulary).items():
        assert tokenizer.decode([number]) == token.decode(errors="replace")

    tokenizer.save(str(tmp_path / "tokenizer.json"))
    (tmp_path / "vocab.json").write_text(json.dumps(own(tokenizer)), "utf-8")
    encoding = tiktoken.Encoding(
        "tiny", pat_str=".+", mergeable_ranks=ranks(vocabulary), special_tokens={"<|s|>": 9_999}
    )
    held = tokenizer.get_vocab()
    every = sorted(held, key=held.__getitem__)
    types = [
        CONTROL if token in (*SPECIAL, "<|endoftext|>") else USER if token == "<think>" else NORMAL
        for token in every
    ]
    for source in (
        tmp_path / "tokenizer.json",
        str(tmp_path / "tokenizer.json"),
        tmp_path,
        tmp_path / "vocab.json",
        Fast(tokenizer),
        Slow(own(tokenizer), {"<think>": 900}),
        own(tokenizer),
        ranks(vocabulary),
        encoding,
        write_ranks(tmp_path / "tokenizer.model", ranks(vocabulary)),  # Llama 3's name for one
        write_gguf(tmp_path / "model.gguf", "gpt2", every, types),
    ):
        assert load(source) == vocabulary, source


@pytest.mark.parametrize("kind", ["unigram", "bpe"])
def test_pieces_are_the_same_by_every_route(tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"{kind}.model.v3"
    path.write_bytes(pieces(kind))
    model = SentencePieceProcessor(model_file=str(path))
    vocabulary = load(model)
    places = range(model.get_piece_size())
    assert {"moving", "A"} <= set(vocabulary.words())
    assert any(token.startswith(b" t") for token in vocabulary.tokens)
    assert not {*SPECIAL, "<0x41>", "▁"}.intersection(vocabulary.words())
    assert b"\xe4" in vocabulary.tokens
    assert b"  " in vocabulary.tokens  # defined by the user
    for number, token in zip(vocabulary.token_ids, vocabulary.tokens, strict=True):
        # Decoding drops the space at the beginning of a text.
        assert model.is_byte(number) or model.decode([number]) in (
            token.decode(),
            token.decode().removeprefix(" "),
        )

    written = [model.id_to_piece(place) for place in places]
    types = [
        TokenType.BYTE if model.is_byte(n)
        else CONTROL if model.is_control(n)
        else TokenType.UNKNOWN if model.is_unknown(n)
        else USER if model.id_to_piece(n) in ("▁▁", "moving")
        else NORMAL
        for n in places
    ]  # fmt: skip
    shutil.copy(path, tmp_path / "tokenizer.model")
    for source in (
        path,
        tmp_path,
        as_tokenizer(model),
        save(as_tokenizer(model), tmp_path),
        dict(zip(written, places, strict=True)),
        written,
        Slow(dict(zip(written, places, strict=True)), {"[BEGIN]": 900}),
        write_gguf(tmp_path / "llama.gguf", "llama", written, types),
        write_gguf(tmp_path / "t5.gguf", "t5", written, types),
    ):
        assert load(source) == vocabulary, source


def test_word_pieces_are_the_same_by_every_route(tmp_path: Path) -> None:
    tokenizer = word_pieces()
    vocabulary = load(tokenizer)
    assert len(vocabulary) == len(own(tokenizer)) - 4
    assert not any(token.startswith(b"##") for token in vocabulary.tokens)
    first, second = vocabulary.ids("t")
    assert {tokenizer.id_to_token(first), tokenizer.id_to_token(second)} == {"t", "##t"}

    tokenizer.save(str(tmp_path / "any.name"))
    kept = set(vocabulary.token_ids)
    types = [NORMAL if number in kept else CONTROL for number in own(tokenizer).values()]
    phantom = [  # how llama.cpp writes them
        token[2:] if token.startswith("##") else token if token[0] == "[" else f"▁{token}"
        for token in own(tokenizer)
    ]
    for source in (
        tmp_path / "any.name",
        own(tokenizer),
        list(own(tokenizer)),
        write_gguf(tmp_path / "new.gguf", "bert", phantom, types),
        write_gguf(tmp_path / "old.gguf", "bert", list(own(tokenizer)), types),
    ):
        assert load(source) == vocabulary, source


def test_the_end_of_a_word_is_a_space(tmp_path: Path) -> None:
    """CLIP's and GPT's way: the last piece of a word bears a mark."""
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>", end_of_word_suffix="</w>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.decoder = decoders.BPEDecoder(suffix="</w>")
    trainer = trainers.BpeTrainer(
        vocab_size=200, special_tokens=["<unk>"], end_of_word_suffix="</w>", show_progress=False
    )
    tokenizer.train_from_iterator(TEXTS, trainer)
    vocabulary = load(tokenizer)
    assert load(save(tokenizer, tmp_path)) == vocabulary
    assert b"the " in vocabulary.tokens
    assert "the" in vocabulary.words()
    assert not any("<" in word for word in vocabulary.words())


def test_whole_words_stand_as_they_are(tmp_path: Path) -> None:
    tokenizer = Tokenizer(models.WordLevel({"[UNK]": 0, "the": 1, "▁": 2, "Ġ": 3}, "[UNK]"))
    assert load(tokenizer).tokens == (b"the", "▁".encode(), "Ġ".encode())
    assert load(save(tokenizer, tmp_path)) == load(tokenizer)


def test_tekken_uses_what_its_configuration_says(tmp_path: Path) -> None:
    from mistral_common.tokens.tokenizers.tekken import Tekkenizer

    tokens = [bytes([n]) for n in range(256)] + [b" the", b"cat", b" unused"]
    path = write_tekken(tmp_path / "tekken.json", tokens, used=258, special=30)
    vocabulary = load(path)
    assert vocabulary == Vocabulary(tuple(tokens[:258]), tuple(range(30, 288)))
    assert load(tmp_path) == vocabulary
    assert load(Tekkenizer.from_file(path)) == vocabulary


def test_words_of_a_language_are_not_taken_for_pieces() -> None:
    words = ["café", "Ġimgħa", "a▁b", "#1", "###", "<0x41>", "ﬁ", "½"]
    assert load(words).tokens == tuple(word.encode() for word in words)
    assert load([word.encode() for word in words]) == load(words)
    assert load({word: place for place, word in enumerate(words)}) == load(words)


@pytest.mark.parametrize(
    "name", ["qwen.tiktoken", "m.gguf", "vocab.json", "tokenizer.model.v3", "some.model"]
)
def test_a_folder_is_as_good_as_its_one_file(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    if name == "qwen.tiktoken":
        write_ranks(path, {b"the": 0, b" cat": 1})
    elif name == "m.gguf":
        write_gguf(path, "llama", ["▁the", "s"], [NORMAL] * 2)
    elif name == "vocab.json":
        path.write_text(json.dumps({"the": 0, "cat": 1}), "utf-8")
    else:
        path.write_bytes(pieces())
    (tmp_path / "config.json").write_text('{"layers": 2}', "utf-8")
    assert load(tmp_path) == load(str(tmp_path)) == load(path)


def test_tokens_that_look_special_stand_for_no_text() -> None:
    special = ["<s>", "[CLS]", "<|im_end|>", "<｜User｜>", "[unused7]", "<unused7>", "<pad>"]
    assert load([*special, "the"]) == Vocabulary((b"the",), (len(special),))


def test_placeholders_of_a_model_are_left_out(tmp_path: Path) -> None:
    tokenizer = Tokenizer(models.WordPiece({"[UNK]": 0, "[unused0]": 1, "a": 2}, unk_token="[UNK]"))
    assert load(tokenizer) == load(save(tokenizer, tmp_path)) == Vocabulary((b"a",), (2,))


def test_a_rank_file_may_hold_a_token_without_bytes(tmp_path: Path) -> None:
    """As Whisper's do."""
    path = tmp_path / "multilingual.tiktoken"
    path.write_bytes(b"dGhl 7\r\n= 8\r\n\r\nIGNhdA== 3\r\n")
    assert load(path) == Vocabulary((b" cat", b"the"), (3, 7))
