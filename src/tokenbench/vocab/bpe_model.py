"""The data of a byte-level BPE tokenizer (tokens, merges, patterns), read from any source."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Final, NamedTuple, TypeAlias

import regex

from tokenbench.checks import integer, texts
from tokenbench.errors import Argument, SourceError, Words, expected
from tokenbench.quoting import pluralize
from tokenbench.text.sources import data_table, reading
from tokenbench.vocab import formats
from tokenbench.vocab.formats import Source

# (behavior, invert) of a Split that keeps matches and the text between them, or matches alone.
_SPLITS: Final = {("Isolated", False), ("Isolated", True), ("Removed", True)}
# Escapes and sets, in which ^ and $ are not anchors.
_OPAQUE: Final = r"(\\.|\[(?:\\.|[^]\\])*\])"
_UTF8_BYTES: Final = {bytes([byte]) for byte in range(0xF5) if byte not in (0xC0, 0xC1)}
_PATTERN_EXAMPLE: Final = Argument("pattern", r"\p{N}| ?\p{L}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+")

# (left, right, merged) as places in a model's tokens.
Merges: TypeAlias = Sequence[tuple[int, int, int]]


class BpeModel(NamedTuple):
    """A byte-level BPE tokenizer, whatever library it comes from."""

    ids: Sequence[int]  # rising
    tokens: Sequence[bytes]  # in the order of their ids
    merges: Merges | None  # in order of rank; None: any pair that makes a token, by rising id
    whole: bool  # a pre-token that is a token is never split
    # As the `regex` package writes them; each cuts the pieces that the ones before it made.
    patterns: tuple[str, ...] | None = None
    nfc: bool = False  # text is normalised first
    prefix: bool = False  # a text without a space before it gets one


def read_model(source: Source, pattern: Any = None) -> BpeModel:
    """Return the BPE model of a source, with a pattern instead of the source's own.

    Raises:
        SourceError: it is not a byte-level BPE, or uses a feature that is not supported here; or
            the pattern is not a str or a sequence of str.
        MissingExtraError: the package that reads the format is not installed.
    """
    model = _read(source, needs_pattern=pattern is None)
    if pattern is None:
        return model
    patterns = texts("pattern", (pattern,) if isinstance(pattern, str) else pattern)
    if "" in patterns:
        allowed = "patterns that match text, or () for none"
        raise expected("pattern", pattern, allowed, error=SourceError)
    return model._replace(patterns=tuple(map(translate_rust, patterns)))


def _read(source: Source, needs_pattern: bool) -> BpeModel:
    if source.format in ("rank file", "tekken.json"):
        return from_ranks(*source.content)
    if source.format == "GGUF":
        return _from_gguf(source, needs_pattern)
    if source.format == "tokenizer.json":
        with reading(source.name, "a complete tokenizer.json"):
            return _from_tokenizer_json(formats.load_tokenizer_json(source), needs_pattern)
    if not isinstance(source.content, Mapping):
        raise _not_bpe(source.name)
    if not all(isinstance(token, bytes) for token in source.content):
        raise _not_bpe("a mapping whose keys are not all bytes")
    return from_ranks((rank, token) for token, rank in source.content.items())


@cache
def gguf_patterns() -> Mapping[str, tuple[tuple[str, ...], bool]]:
    """Return pre-tokenizers by GGUF's names: the patterns, and whether tokens are never split."""
    table = data_table(__package__, "data", "pretokenizers.toml")
    patterns = {name: "|".join(parts) for name, parts in table["patterns"].items()}
    return {
        name: (tuple(patterns[step] for step in one["steps"]), one["whole"])
        for one in table["pretokenizers"]
        for name in one["names"].split()
    }


def from_ranks(tokens: Iterable[tuple[int, bytes]], pattern: str | None = None) -> BpeModel:
    """Return a model by tiktoken's rule: every pair that makes a token merges, lowest rank first.

    Raises:
        SourceError: it is not a byte-level BPE.

    >>> from_ranks([(256, b"ab")] + [(byte, bytes([byte])) for byte in range(256)]).tokens[-1]
    b'ab'
    """
    ordered = sorted((_check_id(rank, token), token) for rank, token in tokens)
    model = _model(ordered, merges=None, whole=True)
    return model if pattern is None else model._replace(patterns=(translate_rust(pattern),))


def _from_merges(vocabulary: Mapping[str, int], merges: Iterable[Any]) -> BpeModel:
    """Return the model of tokens in GPT-2's alphabet, and of merges of two tokens each.

    Tokens outside the alphabet were added on top of the merges: they are left out.
    """
    values = formats.byte_values()
    ordered = sorted((_check_id(n, token), token) for token, n in vocabulary.items() if token)
    known = [(number, token) for number, token in ordered if values.keys() >= {*token}]
    places = {token: place for place, (_, token) in enumerate(known)}
    pairs = (merge.split(" ") if isinstance(merge, str) else merge for merge in merges)
    try:
        numbers = [(places[left], places[right], places[left + right]) for left, right in pairs]
    except (KeyError, ValueError) as error:
        raise SourceError(f"a merge does not join two tokens ({error}): check the file") from None
    as_bytes = [(number, bytes([values[char] for char in token])) for number, token in known]
    return _model(as_bytes, merges=numbers, whole=False)


def _from_gguf(source: Source, needs_pattern: bool) -> BpeModel:
    names = ("model", "pre", "tokens", "token_type", "merges")
    kind, pre, tokens, types, merges = formats.gguf_fields(source, *names)
    if kind != "gpt2" or not tokens or not merges:
        raise _not_bpe(f"a GGUF file whose tokenizer is of kind {kind!r}")
    patterns = gguf_patterns()
    if pre not in patterns and needs_pattern:
        remedy: Words = ["load the model's tokenizer.json, or give ", _PATTERN_EXAMPLE]
        raise SourceError(
            f"{source.name} cuts text as {pre!r} does", allowed=[*patterns], remedy=remedy
        )
    vocabulary = {token: n for n, token in formats.text_tokens(kind, tokens, types)}
    model = _from_merges(vocabulary, merges)
    if pre not in patterns:
        return model
    cuts, whole = patterns[pre]
    return model._replace(whole=whole, patterns=cuts)


def _from_tokenizer_json(content: Mapping[str, Any], needs_pattern: bool) -> BpeModel:
    model = content["model"]
    if model.get("type", "BPE") != "BPE" or "merges" not in model:
        raise _not_bpe(f"a tokenizer.json of model {model.get('type')}")
    for name in ("dropout", "continuing_subword_prefix", "end_of_word_suffix"):
        if model.get(name):
            raise _not_supported(f"{name} {model[name]!r}")
    steps = _flatten(content["pre_tokenizer"], "pretokenizers")
    if not steps or steps[-1]["type"] != "ByteLevel" or model.get("byte_fallback"):
        raise _not_bpe("a tokenizer.json whose pre_tokenizer does not end with ByteLevel")
    prefix = bool(steps[-1].get("add_prefix_space"))
    if prefix and len(steps) > 1:
        # tokenizers then puts a space before each piece that the steps before have cut.
        raise _not_supported("add_prefix_space after another pre_tokenizer")
    normalizers = [step["type"] for step in _flatten(content["normalizer"], "normalizers")]
    if set(normalizers) - {"NFC"}:
        raise _not_supported(f"the normalizer {', '.join(normalizers)}")
    special = {token["content"] for token in content.get("added_tokens") or () if token["special"]}
    vocabulary = {token: n for token, n in model["vocab"].items() if token not in special}
    patterns = [found for step in steps for found in _patterns_of(step)] if needs_pattern else []
    return _from_merges(vocabulary, model["merges"])._replace(
        whole=bool(model.get("ignore_merges")),
        patterns=tuple(patterns) or None,
        nfc=bool(normalizers),
        prefix=prefix,
    )


def _flatten(step: Mapping[str, Any] | None, key: str) -> list[Mapping[str, Any]]:
    """Return the steps of a Sequence, which may contain others."""
    if step is None:
        return []
    if step["type"] != "Sequence":
        return [step]
    return [inner for part in step[key] for inner in _flatten(part, key)]


def _patterns_of(step: Mapping[str, Any]) -> list[str]:
    if step["type"] == "ByteLevel":
        return [*gguf_patterns()["gpt-2"][0]] if step.get("use_regex", True) else []
    if step["type"] == "Digits":
        return [r"\p{N}" if step["individual_digits"] else r"\p{N}+"]
    if step["type"] == "Split" and (step["behavior"], step["invert"]) in _SPLITS:
        ((kind, pattern),) = step["pattern"].items()
        return [str(regex.escape(pattern)) if kind == "String" else translate_oniguruma(pattern)]
    raise _not_supported(f"the pre_tokenizer {step!r:.100}", ["give ", _PATTERN_EXAMPLE])


def translate_rust(pattern: str) -> str:
    r"""Return a pattern of tiktoken's dialect, where $ always is the end of the text.

    >>> translate_rust(r"\s++$|[$]")
    '\\s++\\Z|[$]'
    """
    return str(regex.sub(f"{_OPAQUE}|\\$", lambda match: match[1] or r"\Z", pattern))


def translate_oniguruma(pattern: str) -> str:
    r"""Return a pattern of tokenizers' dialect, where ^ and $ are the ends of a line.

    >>> translate_oniguruma(r"\s+$"), translate_oniguruma(r"[^$]\$")
    ('(?m:\\s+$)', '[^$]\\$')
    """
    has_anchor = regex.search(r"[\^$]", regex.sub(_OPAQUE, "", pattern))
    return f"(?m:{pattern})" if has_anchor else pattern


def _check_id(number: Any, token: str | bytes) -> int:
    return integer(f"the id of {token!r:.60}", number, SourceError, least=0, most=(1 << 32) - 1)


def _model(ordered: Sequence[tuple[int, bytes]], merges: Merges | None, whole: bool) -> BpeModel:
    """Return the model of tokens in the order of their ids, if it can encode every text."""
    ids, tokens = [number for number, _ in ordered], [token for _, token in ordered]
    if len(set(ids)) < len(ids):
        raise _not_bpe("a tokenizer that gives the same id to two tokens")
    known = set(tokens)
    if len(known) < len(tokens) or b"" in known:
        raise _not_bpe("a tokenizer with the same bytes twice, or with a token of no bytes")
    if missing := _UTF8_BYTES - known:
        raise _not_bpe(f"a tokenizer without tokens for {pluralize(len(missing), 'single byte')}")
    return BpeModel(ids, tokens, merges, whole)


def _not_bpe(subject: str) -> SourceError:
    problem = f"{subject} is not a byte-level BPE"
    return SourceError(problem, remedy="give a rank file, tekken.json or tokenizer.json with one")


def _not_supported(feature: str, remedy: Words = "choose another tokenizer") -> SourceError:
    problem = f"the tokenizer.json has {feature}, which is not supported"
    return SourceError(problem, remedy=remedy)
