"""Attack families made of the prompt alone: echoes, lists, dumps, fillers; no question is solved.

Many of them earned full marks from published scorers. They earn nothing under `exact`, and under
`graded` no more than a bound that the conformance suite sets.
"""

from functools import cache
from itertools import cycle, islice, permutations
from typing import Final

from tokenbench.item import Item
from tokenbench.testing.fillers import FILLERS
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
from tokenbench.text.graphemes import graphemes
from tokenbench.text.languages import language, unit_languages
from tokenbench.text.scripts import han, hangul

_LATIN = "abcdefghijklmnopqrstuvwxyz"
# The 51 compatibility jamo: all that a Hangul syllable can be split into.
_JAMO = "".join(map(chr, range(0x3131, 0x3164)))
_CONJOINING = "".join(
    map(chr, (*range(0x1100, 0x1113), *range(0x1161, 0x1176), *range(0x11A8, 0x11C3)))
)
_CYRILLIC = "".join(map(chr, range(0x430, 0x450)))
_KANA = "".join(map(chr, range(0x3041, 0x3097)))
_DE_BRUIJN = "".join(f"{i}" + "".join(f"{i}{j}" for j in range(i + 1, 10)) for i in range(10))
_SUPERPERMUTATIONS = {2: "010", 3: "012010210", 4: "012301203120132010231021302103210"}
_MOST_LABELS = 4  # five have 120 orders


def prompt_echo(item: Item) -> list[str]:
    """Return the prompt, in tags and as it is (its own tags are an empty pair)."""
    return [tagged(item.prompt), item.prompt, item.prompt * 3]


def input_echo(item: Item) -> list[str]:
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
    # Where letters are to be joined, a part of the prompt can be all of them: that is to solve it.
    others = [text for text in lists if text != item.solution]
    return [tagged(text) for text in others] if len(half) > 2 else []


def superpermutation(item: Item) -> list[str]:
    """Return the shortest string in which every order of the prompt's labels stands somewhere."""
    pattern = _SUPERPERMUTATIONS.get(len(labels(item)))
    return [tagged("".join(labels(item)[int(i)] for i in pattern))] if pattern else []


def all_numbers(_item: Item) -> list[str]:
    """Return numbers that hold the right one somewhere: a list, a range, a run of them."""
    listed = [str(n) for n in range(301)]
    lists = (", ".join(listed), " ".join(listed[1:11]), "\n".join(listed), "".join(listed))
    return [tagged(text) for text in (*lists, "0-300", "1~10", "[0, 300]")]


def de_bruijn(item: Item) -> list[str]:
    """Return a string that holds every two digits, or every two of the prompt's labels."""
    texts = [_DE_BRUIJN, _DE_BRUIJN[:14], " ".join(_DE_BRUIJN), f"0.{_DE_BRUIJN}"]
    if held := labels(item)[:_MOST_LABELS]:
        texts.append("".join(a + b for a in held for b in held))
    return [tagged(text) for text in texts]


def alphabet(_item: Item) -> list[str]:
    """Return all letters of a script in one run."""
    texts = (_LATIN, _LATIN.upper(), " ".join(_LATIN), ", ".join(_LATIN), _CYRILLIC, _KANA)
    return [tagged(text) for text in texts]


def jamo_dump(_item: Item) -> list[str]:
    """Return all jamo that a Hangul syllable can be made of, in one run, as a list, conjoining."""
    return [tagged(text) for text in (_JAMO, " ".join(_JAMO), ", ".join(_JAMO), _CONJOINING)]


def dictionary_dump(item: Item) -> list[str]:
    """Return more words or characters than any item asks for, those in common use among them.

    Were it as many as are asked for, it would be a text of the right length.
    """
    return [tagged(dump) for dump, size in _dumps(item.lang) if size not in sizes(item)]


@cache
def _dumps(lang: str) -> tuple[tuple[str, int], ...]:
    """Return dumps in a language, each with its number of tokens."""
    dumps = [joiner(lang).join(islice(cycle(vocabulary(lang)), LARGEST))]
    if lang in unit_languages() and (unit := language(lang).unit) != "word":
        characters = han() if unit == "han" else hangul()
        dumps += ["".join(islice(cycle(characters), LARGEST)), "，".join(characters)]
    return tuple((dump, len(tokens(dump))) for dump in dumps)


def misplaced(item: Item) -> list[str]:
    """Return the words of the prompt with a character that it names at one end of them as well.

    Of two characters that are to change places that is one half. Where it is all that is asked for,
    it is no attack.
    """
    texts = [graphemes(text) for text in quoted(item)]
    changed = []
    for word in texts:
        named = [units[0] for units in texts if len(units) == 1 and units[0] in word]
        if len(word) > 2 and named:
            changed += ["".join([named[-1], *word[1:]]), "".join([*word[:-1], named[0]])]
    wrong = [text for text in dict.fromkeys(changed) if text != item.solution]
    return [tagged(text) for text in wrong if not is_yes_or_no(text, item.lang)]


FROM_PROMPT: Final = {
    family.__name__: family
    for family in (
        prompt_echo,
        input_echo,
        normalised_echo,
        all_candidates,
        superpermutation,
        all_numbers,
        de_bruijn,
        alphabet,
        jamo_dump,
        dictionary_dump,
        *FILLERS,
    )
}
