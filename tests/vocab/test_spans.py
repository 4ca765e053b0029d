"""Spans of tokens: those of every library's own offsets, and taken wherever tokens matter."""

import io
import json
from collections.abc import Callable, Sequence
from functools import cache
from importlib.resources import files
from itertools import accumulate, pairwise
from pathlib import Path
from random import Random
from typing import Any
from unicodedata import is_normalized

import command
import numpy as np
import pytest
import sentencepiece
import tiktoken
import tokenizers
from tokenizers import decoders, models, normalizers, pre_tokenizers, processors, trainers

from tokenbench import adt
from tokenbench.datasets import dataset
from tokenbench.errors import SourceError, TokenbenchError
from tokenbench.tasks.adt import pairs
from tokenbench.tasks.wordings import read_join, read_slots
from tokenbench.text.lexicon import words
from tokenbench.text.packs import pack
from tokenbench.vocab import bpe, formats, traps
from tokenbench.vocab.spans import LibraryTokenizer, as_tokenizer, span_list

Span = tuple[int, int]

LANGS = ("en", "zh", "ko")
SENTENCES = [line.text for lang in LANGS for line in pack(lang).sentences]
TRAINING = SENTENCES[::3]
PROMPTS = ("reord:{}", "lenop:{}", "sort:{}", "freq:{}", "compm:{}")
HARD = (
    "", " ", "   ", "a", " a", "a ", "\n", "a\n\nb\tc", "▁", "▁a", "Ġa", "é", "e\u0301a",
    "ﬁne Ｔａble ½", "龘", "龘x", "😀😀", "각",
    "\u1100\u1161\u11a8", "´", "\x00x", "ℌ", "İ", "\u3000中", "\u200b",
    "[UNK]", "<unk>", "\ufffd", "\ufeffa", "ﷺ", "🏳️‍🌈",
)  # fmt: skip
ALPHABET = "abestv  ÉéßİıŁ中文龘한글각ᄀ\u0301\u0323½ﬁＴ\n\t▁Ġ😀\u200d\u3000'.,0\x00"
N_TEXTS = [100, pytest.param(100_000, marks=pytest.mark.thorough)]
PATTERN = r"[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"


@cache
def texts(n: int) -> tuple[str, ...]:
    """Return hard texts, and as many of our generators as random ones."""
    names = [name.format(lang) for name in PROMPTS for lang in LANGS]
    each = n // 2 // len(names) + 1
    prompts = [dataset(name, n=each, seed=1)[k].prompt for name in names for k in range(each)]
    rng = Random(n)
    random_texts = []
    for _ in range(n // 2):
        word = rng.choice(rng.choice(SENTENCES).split())
        letters = "".join(rng.choices(ALPHABET, k=rng.randrange(12)))
        random_texts.append(rng.choice((letters, f"{letters}{word}", f"{word} {letters}")))
    return (*HARD, *prompts, *random_texts)


# The libraries, and the offsets that each gives by itself.


def sentence_model(kind: str, **options: Any) -> sentencepiece.SentencePieceProcessor:
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(options.pop("sentences", TRAINING)),
        model_writer=model,
        model_type=kind,
        vocab_size=options.pop("vocab_size", 2500),
        hard_vocab_limit=False,
        minloglevel=2,
        **options,
    )
    return sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())


def train(tokenizer: Any, trainer: Any, **options: Any) -> Any:
    tokenizer.train_from_iterator(TRAINING, trainer(show_progress=False, **options))
    return tokenizer


def byte_level(*, prefix: bool, trim: bool) -> Any:
    tokenizer = tokenizers.Tokenizer(models.BPE())
    tokenizer.normalizer = normalizers.NFC()
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=prefix)
    tokenizer.post_processor = processors.ByteLevel(trim_offsets=trim)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    return train(tokenizer, trainers.BpeTrainer, vocab_size=1500, initial_alphabet=alphabet)


def word_pieces() -> Any:
    """BERT's, with special tokens and a limit of its own."""
    tokenizer = tokenizers.Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    special = ["[UNK]", "[CLS]", "[SEP]"]
    train(tokenizer, trainers.WordPieceTrainer, vocab_size=1500, special_tokens=special)
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 2), ("[CLS]", 1))
    return tokenizer


def unigram() -> Any:
    tokenizer = tokenizers.Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizers.NFKC()
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    options = {"vocab_size": 2500, "special_tokens": ["<unk>"], "unk_token": "<unk>"}
    return train(tokenizer, trainers.UnigramTrainer, **options)


def llama() -> Any:
    """Merges over characters, bytes for others, and a space before each text."""
    pieces = [f"<0x{byte:02X}>" for byte in range(256)] + [*"▁abestvé中", "▁a", "es", "▁t", "est"]
    vocabulary = {piece: place for place, piece in enumerate(["<unk>", *pieces])}
    merges = [("▁", "a"), ("e", "s"), ("▁", "t"), ("es", "t")]
    model = models.BPE(vocab=vocabulary, merges=merges, unk_token="<unk>", byte_fallback=True)
    tokenizer = tokenizers.Tokenizer(model)
    steps = [normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]
    tokenizer.normalizer = normalizers.Sequence(steps)
    tokenizer.decoder = decoders.Sequence(
        [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()]
    )
    return tokenizer


def tiktoken_encoding() -> tiktoken.Encoding:
    data = files("tokenbench.tasks").joinpath("data", "traps_en.tiktoken").read_bytes()
    ranks = {token: rank for rank, token in formats.read_ranks(data, "traps_en.tiktoken")}
    return tiktoken.Encoding("en", pat_str=PATTERN, mergeable_ranks=ranks, special_tokens={})


LIBRARIES: dict[str, Callable[[], Any]] = {
    "tiktoken": tiktoken_encoding,
    "byte-level BPE": lambda: byte_level(prefix=False, trim=False),
    "byte-level BPE with a prefix": lambda: byte_level(prefix=True, trim=False),
    "byte-level BPE with trimmed offsets": lambda: byte_level(prefix=True, trim=True),
    "WordPiece": word_pieces,
    "Unigram": unigram,
    "byte fallback": llama,
    "SentencePiece BPE": lambda: sentence_model("bpe", byte_fallback=True),
    "SentencePiece unigram": lambda: sentence_model("unigram", byte_fallback=True),
    "SentencePiece without bytes": lambda: sentence_model("unigram", add_dummy_prefix=False),
    "SentencePiece without normalisation": lambda: sentence_model(
        "bpe",
        byte_fallback=True,
        normalization_rule_name="identity",
        remove_extra_whitespaces=False,
    ),
}  # fmt: skip


@cache
def library(name: str) -> Any:
    return LIBRARIES[name]()


def own_offsets(source: Any, text: str) -> list[Span]:
    """Return the library's own offsets, by another way than ours where there is one."""
    if isinstance(source, tiktoken.Encoding):
        ids = source.encode_ordinary(text)
        sizes = accumulate(len(source.decode_single_token_bytes(number)) for number in ids)
        letters = [k for k, letter in enumerate(text) for _ in letter.encode()]
        ends = [letters[size - 1] + 1 for size in sizes]
        return list(zip(source.decode_with_offsets(ids)[1], ends, strict=True))
    if isinstance(source, tokenizers.Tokenizer):
        encoding = source.encode(text, add_special_tokens=False)
        offsets = encoding.offsets
        # The one difference: a space of the tokenizer's own has the text's first character there.
        shares = len(offsets) > 1 and offsets[0] == (0, 1) and offsets[1][0] == 0
        if shares and encoding.tokens[0] in ("▁", "Ġ"):
            offsets[0] = (0, 0)
        return list(offsets)
    # In bytes.
    pieces = list(source.encode(text, return_type="proto").pieces)
    starts = accumulate((len(letter.encode()) for letter in text), initial=0)
    places = {start: place for place, start in enumerate(starts)}
    offsets = [(places[piece.begin], places[piece.end]) for piece in pieces]
    # A space of the tokenizer's own is in no character.
    is_own = bool(pieces) and pieces[0].piece == "▁"
    for place in reversed(range(is_own, len(offsets) - 1)):
        if not pieces[place].surface and offsets[place][0] == offsets[place + 1][0]:
            offsets[place] = offsets[place + 1]
    return offsets


@pytest.mark.parametrize("n", N_TEXTS)
@pytest.mark.parametrize("name", LIBRARIES)
def test_spans_are_the_library_s_own_offsets(name: str, n: int) -> None:
    source = library(name)
    tokenizer = as_tokenizer(source)
    for text in texts(n):
        assert span_list(tokenizer, text) == own_offsets(source, text), text


@pytest.mark.parametrize("name", LIBRARIES)
def test_spans_are_in_order_and_cover_what_is_no_space(name: str) -> None:
    """But for what a tokenizer throws away: marks, control characters, what it does not know."""
    tokenizer = as_tokenizer(library(name))
    for text in (*SENTENCES[::20], *HARD):
        spans = span_list(tokenizer, text)
        assert all(one[0] <= two[0] and one[1] <= two[1] for one, two in pairwise(spans))
        covered = {place for low, high in spans for place in range(low, high)}
        assert text in HARD or all(text[k].isspace() for k in {*range(len(text))} - covered)


def test_the_fast_path_has_the_same_spans() -> None:
    source = library("byte-level BPE")
    fast, other = bpe.load(source), as_tokenizer(source)
    for text in texts(100):
        # tokenizers gives a normalised cluster the span of its first character.
        if is_normalized("NFC", text):
            assert span_list(fast, text) == other.spans(text)


def test_special_cases() -> None:
    parts = as_tokenizer(library("SentencePiece unigram")).spans("龘x")
    assert parts == [(0, 0), (0, 1), (0, 1), (0, 1), (1, 2)]
    llamas = as_tokenizer(library("byte fallback"))
    assert llamas.spans("龘a") == [(0, 0), (0, 1), (0, 1), (0, 1), (1, 2)]
    assert llamas.spans("a") == [(0, 1)]
    assert llamas.spans(" a") == [(0, 0), (0, 2)]
    assert as_tokenizer(library("WordPiece")).spans("É") == [(0, 1)]
    assert span_list(as_tokenizer(library("SentencePiece BPE")), "½")[1:] == [(0, 1)] * 5


# Objects that encode and decode.


class Codec:
    """A tokenizer of which only `encode` and `decode` are known."""

    def __init__(self, encode: Callable[[str], Any], decode: Callable[[list[Any]], str]) -> None:
        self.encode, self.decode = encode, decode


@pytest.mark.parametrize("n", N_TEXTS)
def test_what_decodes_has_the_spans_of_the_library(n: int) -> None:
    encoding = library("tiktoken")
    codec, fast = as_tokenizer(Codec(encoding.encode_ordinary, encoding.decode)), bpe.load(encoding)
    spaced = library("byte fallback")
    llamas = as_tokenizer(Codec(lambda text: spaced.encode(text).ids, spaced.decode))
    for text in texts(n):
        if "\ufffd" not in text:
            assert codec.spans(text) == span_list(fast, text)
        if "\ufffd" not in text and "▁" not in text and text[:1] != " ":
            assert llamas.spans(text) == as_tokenizer(spaced).spans(text)


def test_a_decoder_may_leave_out_the_space_of_the_tokenizer() -> None:
    model = library("SentencePiece without normalisation")
    codec = as_tokenizer(Codec(model.encode, model.decode))
    for text in SENTENCES[::50]:
        assert codec.spans(text) == as_tokenizer(model).spans(text)


@pytest.mark.parametrize(
    "codec",
    [
        Codec(lambda text: list(text.lower()), "".join),
        Codec(lambda text: ["<s>", *text], "".join),
        Codec(lambda text: [*text], lambda ids: "".join(ids).replace("B", "")),
        Codec(lambda _: [], "".join),
    ],
)
def test_a_decoder_that_disagrees_is_refused_in_a_line(codec: Codec) -> None:
    with pytest.raises(SourceError, match="Codec decodes its tokens of the text 'aBc'") as caught:
        as_tokenizer(codec).spans("aBc")
    assert "\n" not in str(caught.value)


def test_broken_characters_cannot_be_told_from_those_of_a_text() -> None:
    codec = Codec(lambda text: list(text.encode()), lambda ids: bytes(ids).decode(errors="replace"))
    assert as_tokenizer(codec).spans("aé") == [(0, 1), (1, 2), (1, 2)]
    with pytest.raises(SourceError, match="decodes its tokens"):
        as_tokenizer(codec).spans("\ufffd")


# Objects of transformers and of users, files, and what is none.


def test_limits_and_special_tokens_of_a_tokenizer_do_not_count() -> None:
    limited = word_pieces()
    limited.enable_truncation(4)
    limited.enable_padding(length=9)
    text = SENTENCES[0]
    assert as_tokenizer(limited).spans(text) == as_tokenizer(library("WordPiece")).spans(text)
    assert limited.truncation["max_length"] == 4


def test_fast_tokenizers_of_transformers() -> None:
    transformers = pytest.importorskip("transformers")
    for name in ("WordPiece", "Unigram", "byte-level BPE", "byte fallback"):
        fast = transformers.PreTrainedTokenizerFast(tokenizer_object=library(name))
        for text in texts(100):
            options = {"add_special_tokens": False, "return_offsets_mapping": True}
            found = fast(text, **options)["offset_mapping"]
            shares = len(found) > 1 and found[0] == (0, 1) and found[1][0] == 0
            assert span_list(as_tokenizer(fast), text)[shares:] == found[shares:]


def test_a_tokenizer_around_one_of_tokenizers() -> None:
    class Wrapper:
        backend_tokenizer = library("Unigram")

        def encode(self, text: str) -> list[int]:
            raise AssertionError(text)  # the tokenizer inside gives the offsets

    assert as_tokenizer(Wrapper()).spans("ab") == as_tokenizer(library("Unigram")).spans("ab")


def test_files_of_every_kind(tmp_path: Path) -> None:
    for name, file in (("WordPiece", "tokenizer.json"), ("Unigram", "unigram.json")):
        library(name).save(str(tmp_path / file))
        found = as_tokenizer(tmp_path / file)
        assert isinstance(found, LibraryTokenizer)
        assert found.spans("The table") == as_tokenizer(library(name)).spans("The table")
    model = library("SentencePiece BPE")
    (tmp_path / "a.model").write_bytes(model.serialized_model_proto())
    assert as_tokenizer(tmp_path / "a.model").spans("é龘") == as_tokenizer(model).spans("é龘")
    library("byte-level BPE").save(str(tmp_path / "bytes.json"))
    assert isinstance(as_tokenizer(str(tmp_path / "bytes.json")), bpe.Bpe)
    assert isinstance(as_tokenizer(library("tiktoken"), pattern="."), bpe.Bpe)


def test_what_is_no_tokenizer_is_refused_in_a_line(tmp_path: Path) -> None:
    for source in (None, 7, object(), b"a", ["a"]):
        with pytest.raises(TokenbenchError, match="expected a tokenizer") as caught:
            as_tokenizer(source)
        assert caught.value.argument == "tokenizer"
    broken = tmp_path / "broken.json"
    broken.write_text('{"model": {"type": "WordPiece", "vocab": 3}}')
    for source in (tmp_path / "none.json", broken):
        with pytest.raises(SourceError):
            as_tokenizer(source)
    for name in ("WordPiece", "SentencePiece BPE", "tiktoken"):
        with pytest.raises(SourceError, match="character 1 of the text is half a surrogate pair"):
            as_tokenizer(library(name)).spans("a\ud800")
        with pytest.raises(TokenbenchError, match="text"):
            as_tokenizer(library(name)).spans(b"a")  # type: ignore[arg-type]
    # A search needs the words; only what was found is verified by spans.
    with pytest.raises(TokenbenchError, match=r"expected words, or a Vocabulary; vocab\.load"):
        traps.index(library("SentencePiece BPE"))


# Wherever tokens matter.

MOVES = traps.Match.of("moves", "table", "stable", 1)
SIXTH = traps.Match.of("sixth", "island", "this", 2)


class Own:
    """A user's tokenizer, whose tokens are some words, and single letters."""

    def __init__(self, *tokens: str, as_array: bool = False) -> None:
        self.tokens, self.as_array = tokens, as_array

    def spans(self, text: str) -> Any:
        found, place = [], 0
        while place < len(text):
            token = next((one for one in self.tokens if text.startswith(one, place)), text[place])
            found.append((place, place + len(token)))
            place += len(token)
        return np.array(found) if self.as_array else found


@pytest.mark.parametrize("as_array", [False, True])
def test_a_user_s_spans_are_taken_by_traps_and_the_pipeline(as_array: bool) -> None:
    own = Own("stable", as_array=as_array)
    assert as_tokenizer(own) is own
    index = traps.index(["moves", "move", "table", "stable", "sixth", "island", "this"])
    assert index.verify([MOVES, SIXTH], own).tolist() == [True, False]
    instances = [
        adt.Instance(match, "en", f"Tom {match.word1}{match.word2} it.", "Does he?", answer=answer)
        for match, answer in ((MOVES, "the stable"), (SIXTH, "this"))
    ]
    assert adt.filter(instances, own) == instances[:1]
    table = adt.confusion(instances, own)
    assert (table.tp, table.fp, table.fn, table.tn) == (0, 0, 1, 1)


@pytest.mark.parametrize("spans", [[(0, 99)], [(-1, 2)], [(3, 2)]])
def test_spans_outside_the_text_are_refused(spans: Sequence[Span]) -> None:
    class Wrong:
        def spans(self, _: str) -> Sequence[Span]:
            return spans

    with pytest.raises(TokenbenchError, match="expected characters of a text of 10"):
        traps.index(["a"]).verify([MOVES], Wrong())


@pytest.mark.parametrize("name", LIBRARIES)
def test_traps_are_verified_as_the_library_s_tokens_say(name: str) -> None:
    source = library(name)
    index = traps.index(words("en").words[:1500])
    matches = index.sample(min(index.count(), 300))
    found = index.verify(matches, source).tolist()
    for match, is_one in zip(matches, found, strict=True):
        offsets = own_offsets(source, match.word1 + match.word2)
        assert is_one == (offsets.count((match.start, match.end)) == 1)


def write_tokenizer(kind: str, folder: Path) -> Path:
    """Write a tokenizer that was trained on joins that we know to deceive others."""
    known = pairs("en").instances[::8]
    own = [word for pair in known for word in (pair.word1, pair.word2, pair.trap)]
    if kind == "SentencePiece":
        path = folder / "a.model"
        sentences = [text for word in own for text in (f"{word} {word}", f"a{word}", f"s{word}")]
        model = sentence_model("bpe", sentences=sentences, vocab_size=6000)
        path.write_bytes(model.serialized_model_proto())
        return path
    path = folder / "tokenizer.json"
    letters = sorted({*"".join(own)})
    if kind == "Unigram":
        scored = [(letter, -9.0) for letter in ("<unk>", "▁", *letters)]
        scored += [(word, -4 - len(word) % 3) for word in dict.fromkeys(own)]
        tokenizer = tokenizers.Tokenizer(models.Unigram(scored, unk_id=0))
        tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    else:
        pieces = ["[UNK]", *letters, *(f"##{letter}" for letter in letters)]
        pieces += [form for word in dict.fromkeys(own) for form in (word, f"##{word}")]
        vocabulary = {piece: place for place, piece in enumerate(dict.fromkeys(pieces))}
        tokenizer = tokenizers.Tokenizer(models.WordPiece(vocab=vocabulary, unk_token="[UNK]"))
        tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.save(str(path))
    return path


@pytest.mark.parametrize("kind", ["SentencePiece", "Unigram", "WordPiece"])
def test_trap_items_of_any_file(kind: str, tmp_path: Path) -> None:
    path = write_tokenizer(kind, tmp_path)
    tokenizer = as_tokenizer(path)
    for form in ("sentence", "bare"):
        for item in dataset("trap", vocabulary=path, form=form, n=30):
            join = str(read_join(read_slots(item.task, item.lang, item.prompt)))
            text = f" {join}" if form == "sentence" else join
            tokens = [text[low:high].strip() for low, high in span_list(tokenizer, text)]
            assert item.meta["drawn"]["trap"] in tokens


@pytest.mark.parametrize("kind", ["SentencePiece", "Unigram", "WordPiece"])
def test_the_command_filters_with_any_tokenizer(kind: str, tmp_path: Path) -> None:
    path = write_tokenizer(kind, tmp_path)
    index = traps.index([word for pair in pairs("en").instances[::8] for word in pair[:3]])
    matches = index.sample(min(300, index.count()))
    found = index.verify(matches, path).tolist()
    one, other = (matches[found.index(wanted)] for wanted in (True, False))

    def write(prompts: Sequence[str]) -> list[str]:
        joins = [match.word1 + match.word2 for match in (one, other)]
        form = '{{"sentence": "Tom {} here.", "question": "What does Tom do?"}}'
        return [form.format(join) for join in joins[: len(prompts)]]

    file = tmp_path / "instances.jsonl"
    first, second = adt.compose([one, other], write, lang="en", path=file)
    assert adt.filter([first, second], path) == [first]
    shown = command.output("adt", "filter", file, "--tokenizer", path)
    assert [json.loads(line)["trap"] for line in shown.splitlines()] == [one.trap]


def test_the_analyses_take_any_tokenizer() -> None:
    pl = pytest.importorskip("polars")
    from tokenbench.analysis import charbench, execute

    item = {"model": "m", "task": "find_first", "lang": "en", "id": "1", "score": 1.0}
    rows = pl.DataFrame([item | {"solution": "1", "prompt": "Where is “t” in “stable”?"}])
    for source in (Own("stab"), library("SentencePiece unigram"), library("WordPiece")):
        found = charbench.properties(rows, {"m": source}).row(0, named=True)
        spans = [span for span in span_list(as_tokenizer(source), "stable") if span[0] < span[1]]
        [(low, high)] = [span for span in spans if span[0] <= 1 < span[1]]
        assert (found["word_tokens"], found["target_length"]) == (len(spans), high - low)
    rows = [{"model": "m", "task": "spell", "lang": lang, "accuracy": 0.5} for lang in LANGS]
    table = execute.token_table(rows, tokenizer=library("WordPiece"))
    assert table["characters_per_token"].null_count() == 0
    letters = execute.token_table(rows, tokenizer=Own())
    assert letters.filter(lang="zh")["characters_per_token"].to_list() == [1.0]
