"""Byte-level BPE by a list of merges: as tokenizers and GGUF files write it."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final

from tokenbench.errors import SourceError
from tokenbench.vocab.gguf_file import held
from tokenbench.vocab.ranks import Ranks, checked, no_bpe, numbered, ruby
from tokenbench.vocab.spelling import printable

# What `ByteLevel` cuts by where it is not told otherwise: GPT-2's pattern.
GPT2: Final = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
_ENGLISH: Final = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)"
_SPACES: Final = r"\s*[\r\n]+|\s+(?!\S)|\s+"
_UPPER: Final = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]"
_LOWER: Final = r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
_ONE: Final = r"[^\r\n\p{L}\p{N}]?"

# GGUF names the way of cutting (tokenizer.ggml.pre): its pattern, and whether a pre-token that is a
# token is taken whole. Source: llama.cpp, llm_tokenizer_bpe.
_LLAMA: Final = rf"{_ENGLISH}|{_ONE}\p{{L}}+|\p{{N}}{{1,3}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n]*|{_SPACES}"
_QWEN: Final = rf"{_ENGLISH}|{_ONE}\p{{L}}+|\p{{N}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n]*|{_SPACES}"
_TEKKEN: Final = (
    rf"{_ONE}{_UPPER}*{_LOWER}+|{_ONE}{_UPPER}+{_LOWER}*|\p{{N}}"
    rf"| ?[^\s\p{{L}}\p{{N}}]+[\r\n/]*|{_SPACES}"
)
_GPT4O: Final = (
    rf"{_ONE}{_UPPER}*{_LOWER}+{_ENGLISH}?|{_ONE}{_UPPER}+{_LOWER}*{_ENGLISH}?"
    rf"|\p{{N}}{{1,3}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n/]*|{_SPACES}"
)
PRE: Final[Mapping[str, tuple[str, bool]]] = MappingProxyType(
    {
        "gpt-2": (GPT2, False),
        "llama-bpe": (_LLAMA, True),
        "qwen2": (_QWEN, False),
        "tekken": (_TEKKEN, True),
        "gpt-4o": (_GPT4O, False),
    }
)
PATTERN: Final = "say by pattern= how text is cut"
_FIELDS: Final = ("model", "pre", "tokens", "token_type", "merges")
_NORMAL: Final = (1, 6)  # and bytes: llama.cpp's enum llama_token_type
# Pieces that match and what lies between them stay; or only pieces that match, as in tiktoken.
_BEHAVIOURS: Final = {("Isolated", False), ("Isolated", True), ("Removed", True)}


def of_tokenizer(content: Mapping[str, Any], cut: bool) -> Ranks:
    """Return the BPE of a tokenizer.json.

    Args:
        content: what the file holds.
        cut: whether its way of cutting text is needed.

    Raises:
        SourceError: it is no byte-level BPE, or does what is not supported here.
    """
    try:
        return _of_tokenizer(content, cut)
    except (KeyError, TypeError, AttributeError) as error:
        raise SourceError(
            f"the tokenizer.json is not as tokenizers writes it ({error!r}): check the file"
        ) from None


def _of_tokenizer(content: Mapping[str, Any], cut: bool) -> Ranks:
    model = content["model"]
    if model.get("type", "BPE") != "BPE" or "merges" not in model:
        raise no_bpe(f"a tokenizer.json of model {model.get('type')}")
    for name in ("dropout", "continuing_subword_prefix", "end_of_word_suffix"):
        if model.get(name):
            raise _unsupported(f"{name} {model[name]!r}")
    steps = _flat(content["pre_tokenizer"], "pretokenizers")
    if not steps or steps[-1]["type"] != "ByteLevel":
        raise no_bpe("a tokenizer.json whose pre_tokenizer does not end with ByteLevel")
    normalizers = [step["type"] for step in _flat(content["normalizer"], "normalizers")]
    if set(normalizers) - {"NFC"}:
        raise _unsupported(f"the normalizer {', '.join(normalizers)}")
    special = {token["content"] for token in content.get("added_tokens") or () if token["special"]}
    found = _of_merges(
        {token: number for token, number in model["vocab"].items() if token not in special},
        [merge.split(" ") if isinstance(merge, str) else merge for merge in model["merges"]],
    )
    patterns = tuple(pattern for step in steps for pattern in _patterns(step)) if cut else ()
    whole = bool(model.get("ignore_merges"))
    return found._replace(whole=whole, patterns=patterns or None, nfc=bool(normalizers))


def of_gguf(path: str, cut: bool) -> Ranks:
    """Return the BPE of a GGUF file.

    Args:
        path: where it is.
        cut: whether its way of cutting text is needed.

    Raises:
        SourceError: it is no byte-level BPE, or names a way of cutting that is not known here.
        MissingExtraError: gguf is not installed.
    """
    kind, pre, tokens, types, merges = held(path, *_FIELDS)
    if kind != "gpt2" or not tokens or not merges:
        raise no_bpe(f"a GGUF file whose tokenizer is of kind {kind!r}")
    if pre not in PRE and cut:
        raise SourceError(
            f"{path!r} cuts text by tokenizer.ggml.pre {pre!r}: known are {', '.join(PRE)}; "
            "give pattern="
        )
    normal = [type_ in _NORMAL for type_ in types or [_NORMAL[0]] * len(tokens)]
    known = {token: number for number, token in enumerate(tokens) if normal[number]}
    found = _of_merges(known, [merge.split(" ") for merge in merges])
    if pre not in PRE:
        return found
    pattern, whole = PRE[pre]
    return found._replace(whole=whole, patterns=(pattern,))


def _of_merges(vocabulary: Mapping[str, int], merges: Iterable[Iterable[str]]) -> Ranks:
    """Return a tokenizer by tokens in GPT-2's alphabet, and merges of them.

    Tokens outside the alphabet were added on top of the merges: they are left out.
    """
    byte = {char: value[0] for value, char in printable().items()}
    ordered = sorted(numbered((number, token) for token, number in vocabulary.items() if token))
    known = [(number, token) for number, token in ordered if byte.keys() >= set(token)]
    places = {token: place for place, (_, token) in enumerate(known)}
    try:
        found = [(places[left], places[right], places[left + right]) for left, right in merges]
    except (KeyError, ValueError) as error:
        raise SourceError(
            f"a merge is not of two tokens to a third ({error}): check the file"
        ) from None
    return checked(
        Ranks(
            ids=[number for number, _ in known],
            tokens=[bytes([byte[char] for char in token]) for _, token in known],
            merges=found,
            whole=False,
            patterns=None,
        )
    )


def _flat(step: Mapping[str, Any] | None, inner: str) -> list[Mapping[str, Any]]:
    """Return the steps of a Sequence, which may hold others; none for None."""
    if step is None:
        return []
    if step["type"] != "Sequence":
        return [step]
    return [found for part in step[inner] for found in _flat(part, inner)]


def _patterns(step: Mapping[str, Any]) -> list[str]:
    """Return what a pre-tokenizer cuts by."""
    if step["type"] == "ByteLevel":
        if step.get("add_prefix_space"):
            raise _unsupported("add_prefix_space, a space before each text", PATTERN)
        return [GPT2] if step.get("use_regex", True) else []
    if step["type"] == "Digits":
        return [r"\p{N}" if step["individual_digits"] else r"\p{N}+"]
    if step["type"] == "Split" and (step["behavior"], step["invert"]) in _BEHAVIOURS:
        from regex import escape

        ((kind, pattern),) = step["pattern"].items()
        return [str(escape(pattern)) if kind == "String" else ruby(pattern)]
    raise _unsupported(f"the pre_tokenizer {step!r:.100}", PATTERN)


def _unsupported(what: str, do: str = "choose another tokenizer") -> SourceError:
    return SourceError(f"the tokenizer.json has {what}: this is not supported here; {do}")
