"""REORD: rearrange tokens so that no two old neighbours are neighbours again."""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from math import factorial

from tokenbench.draw import Draw
from tokenbench.errors import texts
from tokenbench.extraction import Unparsable
from tokenbench.item import Item, Json
from tokenbench.quoting import first_few
from tokenbench.tasks.contract import Draft, ItemSpec, Published, Task
from tokenbench.tasks.folding import WORD
from tokenbench.tasks.params import IntRange, Source
from tokenbench.tasks.wordings import prompt_text
from tokenbench.text.languages import language
from tokenbench.text.normalize import strip_markup
from tokenbench.text.sources import SOURCES
from tokenbench.text.units import pieces


def valid_order(original: Sequence[str], reordered: Sequence[str]) -> bool:
    """Return whether the tokens are the same and no pair of neighbours is kept.

    Neighbours are compared as strings, in either order; letter case makes no difference.

    >>> valid_order(["a", "b", "c", "d"], ["b", "d", "a", "c"])
    True
    >>> valid_order(["a", "b", "c", "d"], ["b", "a", "d", "c"])
    False
    """
    before, after = _lower("original", original), _lower("reordered", reordered)
    return _same(before, after) and _kept(before, after) == 0


def kept_adjacencies(original: Sequence[str], reordered: Sequence[str]) -> int:
    """Return how many neighbouring pairs of the new order were neighbours in the original.

    >>> kept_adjacencies(["a", "b", "c", "d"], ["b", "a", "d", "c"])
    2
    """
    return _kept(_lower("original", original), _lower("reordered", reordered))


def solve(tokens: Sequence[str]) -> list[str] | None:
    """Return the tokens in a valid order, or None if none was found.

    Up to 14 tokens, None is a proof that there is none; beyond, the search gives up after many
    attempts. The same tokens always give the same order.

    >>> solve(["a", "b", "c"]) is None
    True
    >>> valid_order(list("abcde"), solve(list("abcde")))
    True
    """
    from tokenbench.tasks.rearrange import rearranged  # scoring never needs it

    order = rearranged(_lower("tokens", tokens))
    if order is None:
        return None
    spelled: dict[str, list[str]] = {}
    for token in reversed(tokens):
        spelled.setdefault(token.lower(), []).append(token)
    return [spelled[token].pop() for token in order]


def verify(answer: Sequence[str], target: Json) -> bool:
    """Return whether an order of tokens is right.

    >>> verify(["b", "d", "a", "c"], {"tokens": ["a", "b", "c", "d"]})
    True
    """
    return valid_order(target["tokens"], answer)


def _lower(name: str, tokens: Sequence[str]) -> list[str]:
    return [token.lower() for token in texts(name, tokens)]


def _same(before: list[str], after: list[str]) -> bool:
    return len(before) == len(after) and Counter(before) == Counter(after)


def _kept(before: list[str], after: list[str]) -> int:
    return sum(map(_neighbours(before).__contains__, pairwise(after)))


def _neighbours(tokens: list[str]) -> set[tuple[str, str]]:
    return set(pairwise(tokens)) | set(pairwise(reversed(tokens)))


def _exchanged(before: Counter[str], after: Counter[str]) -> str:
    """Return which tokens of a text an order lacks, and which it has beyond them."""
    lacking, further = [*(before - after).elements()], [*(after - before).elements()]
    found = [f"missing {first_few(lacking)}"] if lacking else []
    found += [f"too many {first_few(further)}"] if further else []
    return "; ".join(found)


def _make(ask: ItemSpec, draw: Draw) -> Draft | None:
    from tokenbench.text.passage import tokens  # only drawing needs it

    length = draw.between(*ask.range("length"))
    given, source = tokens(
        draw,
        ask.lang,
        length,
        source=ask.words,
        text=ask.text,
    )
    solved = solve(given)
    if solved is None:
        return None
    joiner = language(ask.lang).joiner
    return Draft(
        prompt=prompt_text(draw, "reord", ask.lang, joiner.join(given), form="ask"),
        target={"tokens": given},
        solution=joiner.join(solved),
        source=source,
        drawn={"length": length},
        published=Published("shuffle"),
    )


def _parse(text: str, item: Item) -> list[str]:
    """Return the tokens of an answer, whatever separates them; what is no token is one too many."""
    found = pieces(strip_markup(text), item.lang)
    if not found:
        raise Unparsable(f"holds no {language(item.lang).unit_name}")
    return found


def _grade(answer: Sequence[str], target: Json) -> float:
    before, after = _lower("original", target["tokens"]), _lower("answer", answer)
    if not _same(before, after):
        return 0.0
    return 1.0 - _kept(before, after) / max(1, len(before) - 1)


def _why(answer: Sequence[str], target: Json) -> str:
    before, after = _lower("original", target["tokens"]), _lower("answer", answer)
    if not _same(before, after):
        return _exchanged(Counter(before), Counter(after))
    old = _neighbours(before)
    kept = [" ".join(pair) for pair in pairwise(after) if pair in old]
    return f"{len(kept)} of {len(after) - 1} pairs are still neighbours: {first_few(kept)}"


def _longest(target: Json) -> int:
    return sum(map(len, target["tokens"])) + 4 * len(target["tokens"])


def _chance(item: Item) -> float:
    """How often a random order of different tokens is right; repeated ones only make it rarer."""
    return _share_of_orders(len(item.target["tokens"]))


@cache
def _share_of_orders(n: int) -> float:
    """The permutations of n things that keep no two neighbours (OEIS A002464), among all."""
    orders = [1, 1, 0, 0]
    for k in range(4, n + 1):
        orders.append(
            (k + 1) * orders[k - 1]
            - (k - 2) * orders[k - 2]
            - (k - 5) * orders[k - 3]
            + (k - 3) * orders[k - 4]
        )
    return orders[n] / factorial(n)


TASK = Task(
    name="reord",
    source="TASE, token awareness: REORD",
    version=2,
    langs=("en", "zh", "ko"),
    variants=(),
    doc="Rearrange all tokens so that no two old neighbours are neighbours again.",
    params=(
        IntRange("length", 5, 254, 4096, "tokens", levelled=True),
        Source("words", SOURCES, "where the tokens come from"),
        Source("text", (), "a running text to take the tokens from"),
    ),
    target_schema={None: {"tokens": "list of str"}},
    sample=_make,
    parse=_parse,
    verify=verify,
    grade=_grade,
    explain=_why,
    max_answer_chars=_longest,
    guess_rate=_chance,
    equivalences={None: (*WORD, "list", "spaces", "apostrophe", "brackets", "exclaimed")},
)
generate = TASK.generate
