"""Attack families made of the prompt alone: echoes, lists, dumps, stuffing; no question is solved.

Many of them earned full marks from published scorers. They earn nothing under `exact`, and under
`graded` no more than a bound that the conformance suite sets.
"""

from collections.abc import Iterator
from itertools import cycle, islice, permutations
from typing import Final

from tokenbench.item import Item
from tokenbench.testing.forms import (
    LARGEST,
    is_yes_or_no,
    joiner,
    labels,
    options,
    payload,
    payload_tokens,
    quoted,
    sizes,
    tagged,
    tokens,
    vocabulary,
)
from tokenbench.text.languages import LANGUAGES
from tokenbench.text.repertoire import han, hangul

_LATIN = "abcdefghijklmnopqrstuvwxyz"
# The 51 compatibility jamo: all that a Hangul syllable can be split into.
_JAMO = "".join(map(chr, range(0x3131, 0x3164)))
_DE_BRUIJN = "".join(f"{i}" + "".join(f"{i}{j}" for j in range(i + 1, 10)) for i in range(10))
_SUPERPERMUTATIONS = {2: "010", 3: "012010210", 4: "012301203120132010231021302103210"}
_CYCLES = (1, 2, 3, 5)  # tokens
_JUNK = {"word": "語", "han": "q", "hangul": "q"}
_JUNK_SIZE = 2000  # characters
_MOST_LABELS = 4  # five have 120 orders


def prompt_echo(item: Item) -> list[str]:
    """Return the prompt, in tags and as it is (its own tags are an empty pair)."""
    return [tagged(item.prompt), item.prompt, item.prompt * 3]


def payload_echo(item: Item) -> list[str]:
    """Return what the prompt asks about, unsolved: all of it, and each paragraph of it."""
    parts = payload(item)
    inner = [part.partition(": ")[2] for part in parts]
    return [tagged(text) for text in dict.fromkeys(["\n\n".join(parts), *parts, *inner]) if text]


def normalised_echo(item: Item) -> list[str]:
    """Return what the prompt asks about in Unicode's compatibility form, if that is another."""
    from unicodedata2 import normalize

    changed = (normalize("NFKC", text) for text in (*payload(item), *quoted(item)))
    echoed = dict.fromkeys(form for text in changed for form in (text, text.lower()))
    fresh = (text for text in echoed if text and text not in item.prompt)
    return [tagged(text) for text in fresh if not is_yes_or_no(text, item.lang)]


def all_candidates(item: Item) -> list[str]:
    """Return a list of everything that might be the answer: every option, order or token."""
    if named := options(item):
        lists = [separator.join(named) for separator in (", ", " ", "\n", "/", " or ", "")]
        return [tagged(text) for text in (*lists, str(named))]
    if 0 < len(labels(item)) <= _MOST_LABELS:
        orders = ["".join(order) for order in permutations(labels(item))]
        lists = [" ".join(orders), ", ".join(orders), "\n".join(orders), str(orders)]
        return [tagged(text) for text in (*lists, "".join(orders), "/".join(orders))]
    held = list(dict.fromkeys(payload_tokens(item)))
    half = held[: len(held) // 2]
    lists = [separator.join(part) for part in (held, half) for separator in (", ", " ", "\n", "")]
    return [tagged(text) for text in lists] if len(half) > 2 else []


def superpermutation(item: Item) -> list[str]:
    """Return the shortest string in which every order of the prompt's labels stands somewhere."""
    pattern = _SUPERPERMUTATIONS.get(len(labels(item)))
    return [tagged("".join(labels(item)[int(i)] for i in pattern))] if pattern else []


def all_numbers(_item: Item) -> list[str]:
    """Return numbers that hold the right one somewhere: a list, a range, a De Bruijn string."""
    listed = [str(n) for n in range(301)]
    lists = (", ".join(listed), " ".join(listed[1:11]), "\n".join(listed), "".join(listed))
    return [
        tagged(text) for text in (*lists, "0-300", "1~10", "[0, 300]", _DE_BRUIJN, _DE_BRUIJN[:14])
    ]


def alphabet(_item: Item) -> list[str]:
    """Return all letters of a script in one run."""
    return [tagged(text) for text in (_LATIN, _LATIN.upper(), _JAMO, " ".join(_JAMO))]


def dictionary_dump(item: Item) -> list[str]:
    """Return more words or characters than any item asks for, those in common use among them.

    Were it as many as are asked for, it would be a text of the right length.
    """
    separator = joiner(item.lang)
    dumps = [separator.join(islice(cycle(vocabulary(item.lang)), LARGEST))]
    tongue = LANGUAGES.get(item.lang)
    if tongue and tongue.unit != "word":
        characters = han() if tongue.unit == "han" else hangul()
        dumps += ["".join(islice(cycle(characters), LARGEST)), "，".join(characters)]
    return [tagged(dump) for dump in dumps if len(tokens(dump)) not in sizes(item)]


def repeated_token(item: Item) -> list[str]:
    """Return one token repeated as often as there are units in the question or asked for."""
    return [tagged(text) for text in _cycles(item, length=1)]


def short_cycle(item: Item) -> list[str]:
    """Return a few tokens in turn, at least twice, of each length that may be asked for."""
    return [tagged(text) for length in _CYCLES[1:] for text in _cycles(item, length=length)]


def prompt_filler(item: Item) -> list[str]:
    """Return the prompt's own tokens in their order, cut or repeated to a length asked for."""
    separator = joiner(item.lang)
    held = [token for token in tokens(item.prompt) if separator or len(token) == 1]
    return [tagged(separator.join(islice(cycle(held), size))) for size in sizes(item) if held]


def wrong_language(item: Item) -> list[str]:
    """Return as many words or characters as may be asked for, in each of the other languages."""
    others = [lang for lang in LANGUAGES if _unit(lang) != _unit(item.lang)]
    return [
        tagged(joiner(lang).join(islice(cycle(tokens(" ".join(vocabulary(lang)))), size)))
        for lang in others
        for size in sizes(item)
    ]


def other_script_junk(item: Item) -> list[str]:
    """Return as many units as may be asked for, and two thousand characters that a scorer that
    counts one script does not see."""
    tongue = LANGUAGES.get(item.lang)
    junk = _JUNK[tongue.unit if tongue else "word"] * _JUNK_SIZE
    return [tagged(f"{text} {junk}") for text in islice(_cycles(item, length=5), 2)]


def _unit(lang: str) -> str:
    tongue = LANGUAGES.get(lang)
    return tongue.unit if tongue else lang


def _cycles(item: Item, *, length: int) -> Iterator[str]:
    """Yield a few tokens of the prompt and of the language in turn, to each size at least twice."""
    ours = tokens("".join(vocabulary(item.lang)[:9]) if not joiner(item.lang) else "")
    ours = ours or list(vocabulary(item.lang)[:9])
    for held in (list(dict.fromkeys(tokens(item.prompt))), ours):
        for size in sizes(item):
            if len(held) >= length and size >= 2 * length:
                yield joiner(item.lang).join(islice(cycle(held[:length]), size))


FROM_PROMPT: Final = {
    family.__name__: family
    for family in (
        prompt_echo,
        payload_echo,
        normalised_echo,
        all_candidates,
        superpermutation,
        all_numbers,
        alphabet,
        dictionary_dump,
        repeated_token,
        short_cycle,
        prompt_filler,
        wrong_language,
        other_script_junk,
    )
}
