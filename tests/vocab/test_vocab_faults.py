"""What cannot be a vocabulary is told in one line; no package's own error comes through."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from gguf import GGUFWriter, TokenType
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sentencepiece import SentencePieceProcessor
from vocabularies import byte_level, pieces, write_gguf, write_ranks, write_tekken

from tokenbench.errors import MissingExtraError, SourceError
from tokenbench.vocab import bpe, load

WRITERS: dict[str, Callable[[Path], object]] = {
    "tiny.tiktoken": lambda path: write_ranks(path, {b"the": 0, b" cat": 1, b"\xe7": 2}),
    "tekken.json": lambda path: write_tekken(path, [b"the", b" cat", b"s"], used=2, special=1),
    "tokenizer.json": lambda path: byte_level().save(str(path)),
    "tokenizer.model": lambda path: path.write_bytes(pieces()),
    "model.gguf": lambda path: write_gguf(path, "llama", ["▁the", "s"], [TokenType.NORMAL] * 2),
}


def assert_refused(source: object, saying: str = ".") -> None:
    with pytest.raises(SourceError, match=saying) as caught:
        load(source)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "source",
    [
        7,
        None,
        b"the cat",
        [],
        {},
        ["<s>", "[PAD]"],
        ["the", "cat", "the"],
        ["the", 7],
        ["the", b"cat"],
        {7: 0},
        {"the": 0, "cat": 0},
        {"the": "0"},
        {"the": True, "cat": 0},
        {"the": -1, "cat": 0},
        "no/such/file",
        "cl100k_base",
        "\0",
        "x" * 99_999,
    ],
)
def test_what_is_no_vocabulary_is_told(source: object) -> None:
    assert_refused(source)


@pytest.mark.parametrize(
    ("held", "saying"),
    [
        (b"", "no known vocabulary"),
        (b"a list\nof words\n", "no known vocabulary"),
        (b"dGhl 0\nIGNhdA== one\n", "line 2"),
        (b"dGhl 0\nIGNhdA= 1\n", "line 2"),
        (b"dGhl 0\nIGNhdA== 0\n", "several tokens have the id 0"),
        (b"{", "is not a complete vocabulary in JSON"),
        (b"[" * 99_999, "no known vocabulary"),
        (b'{"a":' * 99_999, "is not a complete vocabulary in JSON .RecursionError"),
        (b'{"version": "1.0"}', "the id of 'version'"),
        (b'{"model": {"type": "BPE"}}', "is not a complete tokenizer.json"),
        (
            b'{"vocab": [{"token_bytes": "dGhl"}]}',
            "is not a complete tekken.json .KeyError: 'config'",
        ),
        (b"\n\x05\n\x03abc", "is not a complete SentencePiece model|has no tokens"),
        (b"\n\x05\n\xff\xff\xff", "is not a complete SentencePiece model"),
        (b"GGUF", "is not a complete GGUF file"),
        (b"GGUF\x03\0\0\0" + b"\0" * 16, "has a tokenizer of kind None"),
    ],
)
def test_missing_parts_of_a_file_are_named(tmp_path: Path, held: bytes, saying: str) -> None:
    path = tmp_path / "held"
    path.write_bytes(held)
    assert_refused(path, saying)


@pytest.mark.parametrize("number", [2**32, -1, 0.5, None, "256"])
def test_an_encoding_has_whole_numbers_as_ids(number: Any) -> None:
    ranks = {bytes([byte]): byte for byte in range(256)} | {b"ab": number}
    with pytest.raises(SourceError) as caught:
        bpe.load(ranks)
    assert (caught.value.argument, caught.value.value) == ("the id of b'ab'", number)


@pytest.mark.parametrize(
    "held",
    [
        b'{"vocab": [{"token_bytes": "dGhl"}]}',
        b'{"vocab": [{"token_bytes": "dGhl"}',
        b'{"vocab": [{"token_bytes": "dGhl"}], "config": []}',
        b'{"token_bytes": "", "config": ' + b"[" * 99_999,
        b'{"model": {"a": ' + b"[" * 99_999,
        json.dumps(
            {
                "config": {"default_num_special_tokens": 0, "default_vocab_size": 1, "pattern": 7},
                "vocab": [{"rank": 0, "token_bytes": "dGhl"}],
            }
        ).encode(),
    ],
)
def test_missing_parts_of_a_file_of_an_encoding_are_named(tmp_path: Path, held: bytes) -> None:
    (tmp_path / "tekken.json").write_bytes(held)
    with pytest.raises(SourceError, match=r"is not a complete (tekken|tokenizer).json") as said:
        bpe.load(tmp_path)
    assert "\n" not in str(said.value)


@pytest.mark.parametrize(
    "content", ['{"<pad>": 0}', '{"hidden_size": 4096, "n_layers": 32}', '{"<x>": 900, "<y>": 901}']
)
def test_json_whose_ids_do_not_number_its_tokens_is_refused(content: str, tmp_path: Path) -> None:
    file = tmp_path / "added_tokens.json"
    file.write_text(content, encoding="utf-8")
    assert_refused(file, "ids do not number the tokens")


def test_a_tekken_file_that_is_cut_is_told(tmp_path: Path) -> None:
    assert_refused(write_tekken(tmp_path / "t.json", [b"a"], used=2, special=1), "after 1 of the 2")


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("tokens", [1, 2]),
        ("tokens", "text"),
        ("tokens", 7),
        ("token_type", "text"),
        ("token_type", [1]),
        ("model", ["gpt2"]),
        ("merges", [1, 2]),
        ("pre", ["gpt-2"]),
    ],
)
def test_a_gguf_file_in_another_format_is_reported(tmp_path: Path, part: str, value: Any) -> None:
    parts = {"model": "gpt2", "tokens": ["a", "b"], "merges": ["a b"], "pre": "gpt-2"}
    writer = GGUFWriter(tmp_path / "model.gguf", "llama")
    for name, held in (parts | {part: value}).items():
        add: Any = {str: writer.add_string, int: writer.add_uint32, list: writer.add_array}
        add[type(held)](f"tokenizer.ggml.{name}", held)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.close()
    with pytest.raises(SourceError, match="not a complete GGUF") as caught:
        bpe.load(tmp_path / "model.gguf")
    assert "\n" not in str(caught.value)
    if part not in ("merges", "pre"):  # a vocabulary needs neither
        assert_refused(tmp_path / "model.gguf", "not a complete GGUF")


def test_a_piece_that_is_not_text_is_named(tmp_path: Path) -> None:
    path = tmp_path / "broken.model"
    whole = pieces()
    path.write_bytes(whole.replace("▁".encode(), b"\xe2\x96\xe2"))
    assert_refused(path, "is broken|is not a complete SentencePiece model")


def test_a_folder_without_a_tokenizer_is_reported(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("Nothing.\n", "utf-8")
    assert_refused(tmp_path, "contains none of tokenizer.json")


def test_a_folder_with_several_vocabularies_is_refused(tmp_path: Path) -> None:
    for name in ("b.tiktoken", "a.gguf"):
        (tmp_path / name).write_bytes(b"")
    assert_refused(tmp_path, "several vocabularies")


def test_tokens_without_merges_do_not_encode(tmp_path: Path) -> None:
    (tmp_path / "vocab.json").write_text(json.dumps({"the": 0, "a": 1}), "utf-8")
    with pytest.raises(SourceError, match=r"vocab.json' is not a byte-level BPE"):
        bpe.load(tmp_path)


def test_a_model_that_was_never_loaded_is_reported() -> None:
    assert_refused(SentencePieceProcessor(), "has no tokens")


@pytest.mark.parametrize("vocabulary", ['{"a": "0"}', '{"a": 1.5}', '[["a", 0], [7, 0]]', "7"])
def test_a_tokenizer_json_of_other_types_is_refused(tmp_path: Path, vocabulary: str) -> None:
    path = tmp_path / "tokenizer.json"
    path.write_text(f'{{"model": {{"type": "BPE", "vocab": {vocabulary}}}}}', "utf-8")
    assert_refused(path, "is not a complete tokenizer.json")


@pytest.mark.parametrize("name", WRITERS)
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_broken_file_raises_nothing_else(tmp_path: Path, name: str, data: Any) -> None:
    path = tmp_path / name
    if not path.exists():
        WRITERS[name](path)
    whole = path.read_bytes()
    broken = bytearray(whole[: data.draw(st.integers(0, len(whole)))])
    if broken and name != "model.gguf":  # gguf trusts the lengths that a file names
        broken[data.draw(st.integers(0, len(broken) - 1))] = data.draw(st.integers(0, 255))
    copy = tmp_path / "broken"
    copy.write_bytes(broken)
    for read in (load, bpe.load):
        said = ""
        try:
            read(copy)
        except SourceError as error:
            said = str(error)
        assert "\n" not in said


@pytest.mark.parametrize(
    ("name", "package"),
    [
        ("tokenizer.model", "sentencepiece"),
        ("model.gguf", "gguf"),
    ],
)
def test_a_missing_extra_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, package: str
) -> None:
    WRITERS[name](tmp_path / name)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtraError, match=r"pip install 'tokenbench\[vocab\]'"):
        load(tmp_path / name)


def test_ranks_and_json_need_no_extra(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for package in ("tiktoken", "tokenizers", "sentencepiece", "gguf", "mistral_common"):
        monkeypatch.setitem(sys.modules, package, None)
    for name in ("tiny.tiktoken", "tekken.json", "tokenizer.json"):
        WRITERS[name](tmp_path / name)
        assert "the" in load(tmp_path / name).words()
    (tmp_path / "vocab.json").write_text(json.dumps({"the": 0, "a": 1}), "utf-8")
    assert load(tmp_path / "vocab.json").words() == ("a", "the")
