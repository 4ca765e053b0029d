"""Attack families made without the answer: no text at all, and what the prompt alone gives.

Nonsense, echoes, dumps, fillers: no question is solved. Many of them earned full marks from
published scorers. They earn nothing under `exact`, and under `graded` no more than a bound that
the conformance suite sets.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import cycle, islice, permutations
from typing import Any, Final

from tokenbench.answers import Writing
from tokenbench.decomposition.components import components
from tokenbench.draw import Draw
from tokenbench.extraction import IGNORED
from tokenbench.item import Item, dumps
from tokenbench.testing.item_facts import (
    FORMS,
    MAX_SIZE,
    answers_yes_or_no,
    decoys,
    fill,
    form_fields,
    is_position,
    is_yes_or_no,
    joiner,
    kind_of,
    labels,
    lists_solution,
    number,
    options,
    payload,
    payload_tokens,
    possible_sizes,
    quoted_texts,
    tagged,
    tokens,
    vocabulary,
)
from tokenbench.text.graphemes import graphemes
from tokenbench.text.languages import language, unit_languages

AttackFamily = Callable[[Item], Sequence[object]]

_BIDI = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_FLOOD_CHARS = 2_000_000
_MARKS = (".", ",", "?", "!", "…", "。", "、", "-", "''", '""', "()", "[]", "{}", "**", "```", "|")
_DE_BRUIJN = "".join(f"{i}" + "".join(f"{i}{j}" for j in range(i + 1, 10)) for i in range(10))
_SUPERPERMUTATIONS = {2: "010", 3: "012010210", 4: "012301203120132010231021302103210"}
# Five labels have 120 orders.
_MAX_LABELS = 4
_CYCLE_TOKENS = (2, 3, 5)
_LANGS = ("en", "zh", "ko", "ru", "es")
_FILLER_WORDS = 60
# Before an answer without tags.
_LONG_FILLER_WORDS = 3000
_JUNK = {"han": "q", "hangul": "q"}
_JUNK_CHARS = 2000


def not_text(_item: Item) -> Sequence[object]:
    """Return completions that are not text: numbers, bytes, sets, lists of anything."""
    cyclic: list[object] = []
    cyclic.append(cyclic)
    text = tagged("1")
    return [True, 0, 1.0, float("nan"), text.encode(), object(), {1, 2}, [], {}, [text], cyclic]


def invisible_characters(_item: Item) -> Sequence[object]:
    """Return answers of characters that are never content."""
    return [tagged(IGNORED), tagged("\u200b" * 40), tagged(" \ufeff\u2060\n"), IGNORED]


def bidi_controls(_item: Item) -> Sequence[object]:
    """Return answers of marks that only control the direction of writing."""
    return [tagged(_BIDI), tagged("\u202e\u202c"), tagged(_BIDI * 20)]


def nul(_item: Item) -> Sequence[object]:
    """Return answers of NUL and other control characters."""
    return [tagged("\0"), "\0", tagged("\0" * 100), tagged("\x01\x02\x7f\x9f")]


def lone_surrogates(_item: Item) -> Sequence[object]:
    """Return answers of lone surrogates, which no encoding can write."""
    return [tagged("\ud800"), "\udfff", tagged("\udc00\ud800" * 50), "<answer>\ud83d"]


def normalised_to_nothing(item: Item) -> Sequence[object]:
    """Return punctuation alone: once stripped, it is an empty text, which every label contains."""
    return [tagged(mark) for mark in _MARKS if mark not in (item.solution, *item.solution)]


def flood(item: Item) -> Sequence[object]:
    """Return two million characters, of several kinds that make a careless judge slow."""
    return [*_flood(), tagged(item.solution + "." * _FLOOD_CHARS)]


@cache
def _flood() -> tuple[str, ...]:
    n = _FLOOD_CHARS
    # fmt: off
    return (
        "because " * (n // 8), "<" * n, "<answer>" * (n // 8), "<think>" * (n // 7),
        tagged("9" * n), tagged("[" * n), tagged("a " * (n // 2)), tagged(" , > \n" * (n // 6)),
        tagged("가\u0301" * (n // 2)),
    )
    # fmt: on


def input_echo(item: Item) -> list[str]:
    """Return the prompt's payload, unsolved: all of it, and each paragraph of it."""
    parts = payload(item)
    inner = [part.partition(": ")[2] for part in parts]
    return [tagged(text) for text in dict.fromkeys(["\n\n".join(parts), *parts, *inner]) if text]


def normalised_echo(item: Item) -> list[str]:
    """Return the prompt's payload in Unicode's compatibility form, if that differs."""
    from unicodedata2 import normalize

    changed = (normalize("NFKC", text) for text in (*payload(item), *quoted_texts(item)))
    echoes = dict.fromkeys(form for text in changed for form in (text, text.lower()))
    fresh = (text for text in echoes if text and text not in item.prompt)
    return [tagged(text) for text in fresh if not is_yes_or_no(text, item)]


def all_candidates(item: Item) -> list[str]:
    """Return a list of everything that might be the answer: every option, order or token."""
    if names := options(item):
        lists = [separator.join(names) for separator in (", ", " ", "\n", "/", " or ", "")]
        return [tagged(text) for text in (*lists, str(names))]
    if 0 < len(labels(item)) <= _MAX_LABELS:
        orders = ["".join(order) for order in permutations(labels(item))]
        lists = [" ".join(orders), ", ".join(orders), "\n".join(orders), str(orders)]
        return [tagged(text) for text in (*lists, "".join(orders), "/".join(orders))]
    every = list(dict.fromkeys(payload_tokens(item)))
    half = every[: len(every) // 2]
    lists = [separator.join(part) for part in (every, half) for separator in (", ", " ", "\n", "")]
    # Where letters are to be joined, joining all tokens of the prompt can solve the item.
    others = [text for text in lists if text != item.solution]
    return [tagged(text) for text in others] if len(half) > 2 else []


def superpermutation(item: Item) -> list[str]:
    """Return the shortest string that contains every order of the prompt's labels."""
    pattern = _SUPERPERMUTATIONS.get(len(labels(item)))
    return [tagged("".join(labels(item)[int(i)] for i in pattern))] if pattern else []


def all_numbers(_item: Item) -> list[str]:
    """Return many numbers, the right one among them: a list, a range, a run."""
    numbers = [str(n) for n in range(301)]
    lists = (", ".join(numbers), " ".join(numbers[1:11]), "\n".join(numbers), "".join(numbers))
    return [tagged(text) for text in (*lists, "0-300", "1~10", "[0, 300]")]


def de_bruijn(item: Item) -> list[str]:
    """Return a string that contains every two digits, or every two of the prompt's labels."""
    texts = [_DE_BRUIJN, _DE_BRUIJN[:14], " ".join(_DE_BRUIJN), f"0.{_DE_BRUIJN}"]
    if letters := labels(item)[:_MAX_LABELS]:
        texts.append("".join(a + b for a in letters for b in letters))
    return [tagged(text) for text in texts]


def dictionary_dump(item: Item) -> list[str]:
    """Return more words or characters than any item asks for, those in common use among them.

    A dump of exactly the size asked for would be a text of the right length.
    """
    return [tagged(dump) for dump, size in _dumps(item.lang) if size not in possible_sizes(item)]


@cache
def _dumps(lang: str) -> tuple[tuple[str, int], ...]:
    # Each with its number of tokens.
    dumps = [joiner(lang).join(islice(cycle(vocabulary(lang)), MAX_SIZE))]
    if lang in unit_languages() and (characters := components(lang).characters()):
        dumps += ["".join(islice(cycle(characters), MAX_SIZE)), "，".join(characters)]
    return tuple((dump, len(tokens(dump))) for dump in dumps)


def misplaced(item: Item) -> list[str]:
    """Return the prompt's words with one end replaced by a character that the prompt names.

    That is half of exchanging two characters. Where it is all that the prompt asks for, there is no
    attack.
    """
    texts = [graphemes(text) for text in quoted_texts(item)]
    changed = []
    for word in texts:
        chars = [units[0] for units in texts if len(units) == 1 and units[0] in word]
        if len(word) > 2 and chars:
            changed += ["".join([chars[-1], *word[1:]]), "".join([*word[:-1], chars[0]])]
    wrong = [text for text in dict.fromkeys(changed) if text != item.solution]
    return [tagged(text) for text in wrong if not is_yes_or_no(text, item)]


def repeated_token(item: Item) -> list[str]:
    """Return one token, repeated to the payload's size or to one that may be asked for."""
    return [tagged(text) for text in _cycles(item, length=1)]


def short_cycle(item: Item) -> list[str]:
    """Return a few tokens in turn, at least twice, of each length that may be asked for."""
    return [tagged(text) for length in _CYCLE_TOKENS for text in _cycles(item, length=length)]


def prompt_filler(item: Item) -> list[str]:
    """Return the prompt's own tokens in their order, cut or repeated to a length asked for."""
    separator = joiner(item.lang)
    units = [token for token in tokens(item.prompt) if separator or len(token) == 1]
    sizes = possible_sizes(item) if units else []
    return [tagged(separator.join(islice(cycle(units), size))) for size in sizes]


def wrong_language(item: Item) -> list[str]:
    """Return as many words or characters as may be asked for, in each of the other languages."""
    return [
        tagged(joiner(lang).join(islice(cycle(_vocabulary_tokens(lang)), size)))
        for lang in unit_languages()
        if _unit(lang) != _unit(item.lang)
        for size in possible_sizes(item)
    ]


def other_script_junk(item: Item) -> list[str]:
    """Return as many units as may be asked for, and 2,000 characters of a script not counted."""
    junk = _JUNK.get(_unit(item.lang), "語") * _JUNK_CHARS
    return [tagged(f"{text} {junk}") for text in islice(_cycles(item, length=5), 2)]


def topic_ignored(item: Item) -> list[str]:
    """Return varied texts of exactly the size asked for that never name the topic asked for."""
    from tokenbench.text.passages import passage

    if not (isinstance(kind_of(item), Writing) and item.lang in unit_languages()):
        return []
    topic, n = item.target["topic"].lower(), item.target["count"]
    draw = Draw("topic ignored", item.id)
    texts = [passage(draw, language(item.lang), n, "train").text for _ in range(2)]
    return [tagged(text) for text in texts if topic not in text.lower()]


@cache
def _vocabulary_tokens(lang: str) -> tuple[str, ...]:
    return tuple(tokens(" ".join(vocabulary(lang))))


def _unit(lang: str) -> str:
    return language(lang).unit if lang in unit_languages() else lang


def _cycles(item: Item, *, length: int) -> Iterator[str]:
    # The first tokens of the prompt, then of the language, repeated at least twice.
    common = tokens("".join(vocabulary(item.lang)[:9]) if not joiner(item.lang) else "")
    common = common or list(vocabulary(item.lang)[:9])
    for units in (list(dict.fromkeys(tokens(item.prompt))), common):
        for size in possible_sizes(item):
            if len(units) >= length and size >= 2 * length:
                yield joiner(item.lang).join(islice(cycle(units[:length]), size))


def by_name(*families: str | AttackFamily) -> dict[str, AttackFamily]:
    """Return families by name: those given by name are patterns of `forms.toml`."""
    built = [_of_patterns(one) if isinstance(one, str) else one for one in families]
    return {family.__name__: family for family in built}


def _of_patterns(name: str) -> AttackFamily:
    entry = FORMS[name]

    def attack(item: Item) -> Sequence[object]:
        if values := entry.get("json"):
            answer = dumps(tagged(item.solution))
            return [json.loads(value.replace('"{X}"', answer)) for value in values]
        forms = entry.get("forms") or map(tagged, entry["texts"])
        return fill(forms, _fields(item))

    attack.__name__, attack.__doc__ = name, f"Return {entry['completions']}."
    return attack


@lru_cache(maxsize=16)
def _fields(item: Item) -> dict[str, Any]:
    """Return the fields of patterns for an item, without those that its answer lacks."""
    # Published rows may be without a solution.
    if not item.solution:
        return {"prompt": item.prompt}
    x, n = item.solution, number(item)
    fields: dict[str, Any] = {**form_fields(item)} | dict(zip("zw", decoys(item), strict=True))
    fields["untagged_prompt"] = item.prompt.replace("<answer>", "").replace("</answer>", "")
    fields["short"], fields["long"] = _filler_texts(item.lang)
    fields["references"] = "".join(f"&#{ord(char)};" for char in x)
    fields["hex_references"] = "".join(f"&#x{ord(char):x};" for char in x)
    if x.strip("0"):
        fields["nonzero"] = x
    if len(x.split()) == 1:
        fields["word"] = x
    if n is not None or lists_solution(item):
        fields["verbatim"] = x
    # Only then does a prompt say 0.
    if is_position(item) and "0" in item.prompt:
        fields["position"] = x
    if answers_yes_or_no(item):
        words = language(item.lang)
        fields |= {"yes": words.yes[0], "no": words.no[0]}
        is_yes = x.lower() in words.yes
        others = [(other.yes if is_yes else other.no)[0] for other in map(language, _LANGS)]
        fields |= {"slashes": " / ".join(others), "commas": ", ".join(others)}
    if n is not None:
        fields |= {"thousands": n} if n >= 1000 else {}
        fields |= {"n": n, "n or 1": n or 1} | {f"n{more:+}": n + more for more in (-1, 1, 2, 3, 5)}
    return fields


@cache
def _filler_texts(lang: str) -> tuple[str, str]:
    words = vocabulary(lang)
    return " ".join(words[:_FILLER_WORDS]), " ".join(islice(cycle(words), _LONG_FILLER_WORDS))


# fmt: off
NONSENSE: Final = by_name(
    "empty", "empty_tags", "none", not_text, "message_lists", invisible_characters, bidi_controls,
    nul, lone_surrogates, normalised_to_nothing, flood,
)
FROM_PROMPT: Final = by_name(
    "prompt_echo", input_echo, normalised_echo, all_candidates, superpermutation, all_numbers,
    de_bruijn, "alphabet", "jamo_dump", dictionary_dump, repeated_token, short_cycle, prompt_filler,
    wrong_language, other_script_junk,
)
# fmt: on
# Made knowing the answer, to avoid it.
OTHER_ANSWERS: Final = by_name(topic_ignored, misplaced)
