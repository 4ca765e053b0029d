"""REORD: rearrange tokens so that no two old neighbours are neighbours again."""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import islice, pairwise, repeat
from math import factorial
from typing import Final, TypeAlias, TypeVar

from tokenbench.answers.kind import WORD_EQUIVALENCES, Lane, settle_nothing
from tokenbench.answers.tokens import Tokens
from tokenbench.checks import texts
from tokenbench.draw import Draw
from tokenbench.extraction import Unparsable
from tokenbench.item import Item
from tokenbench.quoting import first_few, pluralize
from tokenbench.tasks.params import Source
from tokenbench.tasks.spec import ItemSpec, Published, Question
from tokenbench.tasks.tase import TEXT_LENGTH, draw_tokens, tase_task
from tokenbench.tasks.wordings import question_text
from tokenbench.text.dress import readings
from tokenbench.text.languages import Language, language
from tokenbench.text.normalize import strip_markup
from tokenbench.text.sources import SOURCES
from tokenbench.text.units import is_plain, pieces

T = TypeVar("T")
TokenPair: TypeAlias = tuple[str, str]

_UNKNOWN: Final = repeat(-1)  # in place of the number of a token
_CODE_POINTS: Final = ("utf-32-le", "surrogatepass")
# Up to this length every order is searched, if necessary.
_MAX_SEARCHED_TOKENS = 14
# For longer texts: random orders to repair, which is quick where tokens rarely repeat, and swaps to
# try for each conflict; then orders to build, scarce tokens first.
_MAX_REPAIRS = 3
_MAX_SWAPS = 60
_MAX_BUILDS = 20


def valid_order(original: Sequence[str], reordered: Sequence[str]) -> bool:
    """Return whether the tokens are the same and no pair of neighbours is kept.

    Neighbours are compared as strings, in either order; letter case makes no difference.

    >>> valid_order(["a", "b", "c", "d"], ["b", "d", "a", "c"])
    True
    >>> valid_order(["a", "b", "c", "d"], ["b", "a", "d", "c"])
    False
    """
    before, after = _lower("original", original), _lower("reordered", reordered)
    return _same_tokens(before, after) and _count_kept(before, after) == 0


def kept_adjacencies(original: Sequence[str], reordered: Sequence[str]) -> int:
    """Return how many neighbouring pairs of the new order were neighbours in the original.

    >>> kept_adjacencies(["a", "b", "c", "d"], ["b", "a", "d", "c"])
    2
    """
    return _count_kept(_lower("original", original), _lower("reordered", reordered))


def solve(tokens: Sequence[str]) -> list[str] | None:
    """Return the tokens in a valid order, or None if none was found.

    Up to 14 tokens, None is a proof that there is none; beyond, the search gives up after many
    attempts. The same tokens always give the same order.

    >>> solve(["a", "b", "c"]) is None
    True
    >>> valid_order(list("abcde"), solve(list("abcde")))
    True
    """
    order = _separate_neighbours(_lower("tokens", tokens))
    if order is None:
        return None
    spelled: dict[str, list[str]] = {}
    for token in reversed(tokens):
        spelled.setdefault(token.lower(), []).append(token)
    return [spelled[token].pop() for token in order]


def _lower(name: str, tokens: Sequence[str]) -> list[str]:
    return [token.lower() for token in texts(name, tokens)]


def _same_tokens(before: list[str], after: list[str]) -> bool:
    return len(before) == len(after) and Counter(before) == Counter(after)


def _count_kept(before: list[str], after: list[str]) -> int:
    return sum(map(_neighbours(before).__contains__, pairwise(after)))


def _neighbours(tokens: Sequence[T]) -> set[tuple[T, T]]:
    return set(pairwise(tokens)) | set(pairwise(reversed(tokens)))


def _sample(spec: ItemSpec, draw: Draw) -> Question | None:
    length = draw.between(*spec.range("length"))
    original, source = draw_tokens(draw, spec, length)
    solution = solve(original)
    if solution is None:
        return None
    joiner = spec.language.joiner
    return Question(
        question_text(draw, "reord", spec, joiner.join(original)),
        original,
        {"length": length},
        solution=joiner.join(solution),
        source=source,
        published=Published("shuffle"),
    )


def _separate_neighbours(tokens: Sequence[str]) -> list[str] | None:
    """Return the tokens in an order that keeps no pair of neighbours, or None if none was found.

    The same tokens give the same order. For up to 14 tokens None is a proof that there is none;
    beyond, it is nearly one, and occurs only where a few tokens make up most of the text.
    """
    # Each pair of neighbours in both orders.
    forbidden = _neighbours(tokens)
    if len(tokens) <= _MAX_SEARCHED_TOKENS:
        return _search(tokens, forbidden)
    # The key is part of every item.
    draw = Draw("rearranged", *tokens)
    for _ in range(_MAX_REPAIRS):
        shuffled = draw.shuffled(tokens)
        if _repair(shuffled, forbidden, draw):
            return shuffled
    for _ in range(_MAX_BUILDS):
        if (order := _build_scarcest_first(tokens, forbidden, draw)) is not None:
            return order
    return None


def _repair(order: list[str], forbidden: set[TokenPair], draw: Draw) -> bool:
    """Swap tokens in place until no forbidden pair is left; never let a swap add one."""
    n = len(order)

    def conflicts(*indices: int) -> int:
        """Count the forbidden pairs that begin at the indices or one before, each once."""
        begins = {index - step for index in indices for step in (0, 1)}
        return sum((order[i], order[i + 1]) in forbidden for i in begins if 0 <= i < n - 1)

    pending = [i for i in range(n - 1) if conflicts(i)]
    while pending:
        index = pending.pop() + draw.below(2)
        if not conflicts(index):
            continue
        for _ in range(_MAX_SWAPS):
            other = draw.below(n)
            before = conflicts(index, other)
            order[index], order[other] = order[other], order[index]
            if conflicts(index, other) < before:
                break
            order[index], order[other] = order[other], order[index]
        else:
            return False
        pending += [i for i in (index - 1, index, other - 1, other) if 0 <= i < n - 1]
    return not any(conflicts(i) for i in range(n))


def _build_scarcest_first(
    tokens: Sequence[str], forbidden: set[TokenPair], draw: Draw
) -> list[str] | None:
    """Append the scarcest token in turn: the one with most left per token that it may touch."""
    left = Counter(tokens)
    allowed = {
        token: [other for other in left if (token, other) not in forbidden] for token in left
    }
    partners = {token: sum(left[other] for other in allowed[token]) for token in left}
    order: list[str] = []
    choices = list(left)
    while len(order) < len(tokens):
        urgency = {
            token: (500 + draw.below(500)) * left[token] / (partners[token] + 0.5)
            for token in choices
            if left[token]
        }
        if not urgency:
            return None
        token = max(urgency, key=urgency.__getitem__)
        order.append(token)
        left[token] -= 1
        choices = allowed[token]
        for other in choices:
            partners[other] -= 1
    return order


def _search(tokens: Sequence[str], forbidden: set[TokenPair]) -> list[str] | None:
    """Search all orders, depth first, but none of the remaining tokens that failed before."""
    left = Counter(tokens)
    order: list[str] = []
    failed: set[tuple[str, tuple[int, ...]]] = set()

    def extend() -> bool:
        if len(order) == len(tokens):
            return True
        last = order[-1] if order else ""
        state = (last, tuple(left.values()))
        if state in failed:
            return False
        for token in sorted(left, key=lambda token: -left[token]):
            if not left[token] or (order and (last, token) in forbidden):
                continue
            left[token] -= 1
            order.append(token)
            if extend():
                return True
            left[token] += 1
            order.pop()
        failed.add(state)
        return False

    return order if extend() else None


def _read(text: str, _item: Item, language: Language) -> list[str]:
    """Return the tokens of an answer, whatever separates them, and any other piece of text."""
    tokens = pieces(strip_markup(text), language)
    if not tokens:
        raise Unparsable(f"contains no {language.unit_name}")
    return tokens


def _lane(item: Item) -> Lane:
    """Settle answers of plain words, or of characters of the text, with spaces or none between."""
    tokens, spoken = [token.lower() for token in item.target["tokens"]], language(item.lang)
    if not all(is_plain(token, spoken) for token in tokens):
        return settle_nothing
    number_of = {token: number for number, token in enumerate(dict.fromkeys(tokens))}

    def numbers(text: str) -> list[int]:
        # Numbers are sorted and compared quicker than texts.
        if spoken.counts_words:
            return list(map(number_of.get, text.lower().split(), _UNKNOWN))
        return memoryview(text.replace(" ", "").encode(*_CODE_POINTS)).cast("I").tolist()

    asked = numbers(" ".join(tokens))
    right, old = sorted(asked), frozenset(_neighbours(asked))

    def settle(text: str) -> bool | None:
        given = numbers(text)
        if len(given) == len(right) and sorted(given) == right:
            # Quicker than `pairwise`: each pair is made in the place of the one before.
            return old.isdisjoint(zip(given, islice(given, 1, None), strict=False))
        # Other characters may separate them, and an answer after a label may be right.
        if spoken.counts_words:
            plain = text.replace(" ", "")
            is_read = plain.isascii() and plain.isalpha()
        else:
            is_read = set(right).issuperset(given)
        return False if is_read and readings(text, spoken) == [text] else None

    return settle


def _credit(original: Sequence[str], reordered: Sequence[str]) -> float:
    before, after = _lower("original", original), _lower("answer", reordered)
    # A blind shuffle keeps about two old neighbours, and more where tokens repeat.
    return 1.0 / (1 + _count_kept(before, after)) if _same_tokens(before, after) else 0.0


def _explain(original: Sequence[str], reordered: Sequence[str]) -> str:
    before, after = _lower("original", original), _lower("answer", reordered)
    if not _same_tokens(before, after):
        lacking, surplus = Counter(before) - Counter(after), Counter(after) - Counter(before)
        faults = {"missing": [*lacking], "too many": [*surplus]}
        return "; ".join(f"{fault} {first_few(faults[fault])}" for fault in faults if faults[fault])
    old = _neighbours(before)
    kept = [" ".join(pair) for pair in pairwise(after) if pair in old]
    pairs = pluralize(len(after) - 1, "pair")
    return f"{len(kept)} of {pairs} are still neighbours: {first_few(kept)}"


def _max_chars(tokens: Sequence[str]) -> int:
    return sum(map(len, tokens)) + 4 * len(tokens)


def _guess(item: Item) -> float:
    """Return the guess rate of a random order of different tokens; with repeats it is lower."""
    return _share_of_orders(len(item.target["tokens"]))


@cache
def _share_of_orders(n: int) -> float:
    """Return the share of permutations of n things that keep no two neighbours (OEIS A002464)."""
    orders = [1, 1, 0, 0]
    for k in range(4, n + 1):
        *_, fourth, third, second, last = orders
        orders.append((k + 1) * last - (k - 2) * second - (k - 5) * third + (k - 3) * fourth)
    return orders[n] / factorial(n)


_EQUIVALENCES = "list spaces apostrophe brackets exclaimed mark"
TASK = tase_task(
    name="reord",
    doc="Rearrange all tokens so that no two old neighbours are neighbours again.",
    answer=Tokens(
        read=_read,
        valid=valid_order,
        credit=_credit,
        explanation=_explain,
        settling=_lane,
        room=_max_chars,
        equivalences=(*WORD_EQUIVALENCES, *_EQUIVALENCES.split()),
    ),
    sample=_sample,
    guess=_guess,
    source="TASE, token awareness: REORD",
    params=(
        TEXT_LENGTH(help="tokens"),
        Source("words", SOURCES, help="where the tokens come from"),
        Source("text", (), help="a running text to take the tokens from"),
    ),
)
generate = TASK.generate
verify = TASK.verify
