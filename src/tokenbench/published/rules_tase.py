"""The published TASE scorers: a verdict and partial credit for each of their evaluation types.

A regular expression here is the published one unless a comment says otherwise; all of them take
time linear in the completion.
"""

import re
from collections import Counter, defaultdict, deque
from itertools import pairwise
from typing import Final

EVALUATIONS: Final = ("number", "length", "shuffle", "split", "diff", "match_answer")

_WRAPS = (("<answer>", "</answer>"), ("**", "**"))
_MODIFY = ("modify", "修改")
_CLEANED_AWAY = str.maketrans("", "", ",.。:：、；;\"'‘’“”")
_SEPARATORS = ",。，:：；;、 "
_SEPARATED_AWAY = str.maketrans("", "", _SEPARATORS)
_MOST_DIGITS = 18


def taken_out(completion: str | None) -> str:
    """Return the answer that the published scorers take from a completion, stripped.

    It is the text of the first `<answer>…</answer>`, else of the first `**…**`, else empty. Tags
    are matched in lower case only. Source: TASE, published scorer, taking the answer out.

    Args:
        completion: the model's whole output; None is a missing one.

    >>> taken_out("**7**, so <answer> 4 </answer>, no: <answer>5</answer>")
    '4'
    """
    if completion is None:
        return ""
    # The published patterns, `<answer>(.*?)</answer>` and `\*\*(.*?)\*\*`, take quadratic time on
    # openings that nothing closes. If no closing follows the first opening, none follows a later
    # one, so looking at the first is enough.
    for opening, closing in _WRAPS:
        start = completion.find(opening)
        if start >= 0:
            start += len(opening)
            end = completion.find(closing, start)
            if end >= 0:
                return completion[start:end].strip()
    return ""


def right(
    evaluation: str, completion: str | None, question: str, label: str, variation: str
) -> bool:
    """Return the verdict; the arguments are those of `tokenbench.published.rules.right`."""
    answer = taken_out(completion)
    match evaluation:
        case "number":
            wanted, given = _digits(answer, label)
            return wanted != "" and wanted == given
        case "length":
            return _length(answer) == _wanted_length(question)
        case "shuffle":
            order = _order(answer, question)
            return order is not None and _kept(order) == 0
        case "split":
            return _best_share(answer, label) == 1.0
        case "diff":
            return _differs(answer, label, variation)
    return _matches(answer, completion, label)


def partial(evaluation: str, completion: str | None, question: str, label: str) -> float:
    """Return the partial credit that the paper describes for a completion that is not right.

    Counts are credited by their squared relative error, lengths by their relative error, an order
    by the neighbours that it parts, components by the share of them that is found; all else is
    right or wrong. Source: TASE, fine-grained rewards.
    """
    answer = taken_out(completion)
    match evaluation:
        case "number":
            return _near_count(answer, label)
        case "length":
            return _near_length(answer, question)
        case "shuffle":
            order = _order(answer, question)
            # An order that is wrong has kept a pair of neighbours, so it holds two tokens or more.
            return 0.0 if order is None else 1.0 - _kept(order) / (len(order) - 1)
        case "split":
            return _best_share(answer, label)
    return 0.0


def _digits(answer: str, label: str) -> tuple[str, str]:
    """Return the first run of digits in the label and the last in the answer; empty if none."""
    wanted = re.findall(r"\d+", label)
    given = re.findall(r"\d+", answer)
    return (wanted[0], given[-1]) if wanted and given else ("", "")


def _near_count(answer: str, label: str) -> float:
    wanted, given = map(_integer, _digits(answer, label))
    if wanted is None or given is None:
        return 0.0
    # Values are compared, unlike in the verdict: `04` for 4 is wrong, yet as near as can be.
    return max(0.0, 1.0 - ((given - wanted) / max(wanted, 1)) ** 2)


def _near_length(answer: str, question: str) -> float:
    wanted = _wanted_length(question)
    if wanted is None:
        return 0.0
    # Where 0 is wanted every wrong length is 1 or more away, so dividing by 1 leaves no credit.
    return max(0.0, 1.0 - abs(_length(answer) - wanted) / max(wanted, 1))


def _integer(digits: str) -> int | None:
    """Return the value of a run of digits, or None without digits or beyond every count.

    Python refuses to convert thousands of digits, or takes quadratic time where told not to.
    """
    digits = digits and (digits.lstrip("0") or "0")
    return int(digits) if 0 < len(digits) <= _MOST_DIGITS else None


def _wanted_length(question: str) -> int | None:
    digits = re.search(r"\d+", question)
    return _integer(digits[0]) if digits else None


def _length(answer: str) -> int:
    characters = _characters(answer)
    if characters:
        return len(characters)
    # The published pattern has `*` where this has `*+`: a letter is never a joiner, so nothing is
    # ever given back, and saying so spares the engine a hundred bytes of memory for each.
    english = re.compile(r"[a-zA-Z]+(?:[-'][a-zA-Z]+)*+")
    return sum(english.fullmatch(word) is not None for word in _words(answer))


def _characters(text: str) -> list[str]:
    """Return the Chinese characters of a text; if it has none, its Korean syllables."""
    return re.findall("[\u4e00-\u9fff]", text) or re.findall("[\uac00-\ud7a3]", text)


def _words(text: str) -> list[str]:
    return re.findall(r"\b[\w'-]+\b", text)


def _order(answer: str, question: str) -> list[int] | None:
    """Return the original position that each output token takes, the earliest one not yet taken.

    None where the question holds no text to shuffle, or the answer not the same tokens.
    """
    colon = re.search("[:：]", question)
    if colon is None:
        return None
    original = _tokens(question[colon.end() :].lstrip().partition("\n")[0])
    shuffled = _tokens(answer)
    if Counter(original) != Counter(shuffled):
        return None
    untaken: defaultdict[str, deque[int]] = defaultdict(deque)
    for position, token in enumerate(original):
        untaken[token].append(position)
    return [untaken[token].popleft() for token in shuffled]


def _tokens(text: str) -> list[str]:
    text = text.lower().strip()
    return _characters(text) or _words(text)


def _kept(order: list[int]) -> int:
    """Return how many neighbours were neighbours in the original, in either direction."""
    return sum(abs(after - before) == 1 for before, after in pairwise(order))


def _best_share(answer: str, label: str) -> float:
    """Return the greatest share of an option's parts that occur in the answer.

    The paper's overlap ratio does not say how an answer becomes parts. Looking each part up, as
    the verdict does, makes the ratio 1.0 exactly where the verdict is right.
    """
    answer = answer.replace(" ", "")
    options = [[part.strip() for part in option.split(",")] for option in label.split(";")]
    return max(sum(part in answer for part in parts) / len(parts) for parts in options)


def _differs(answer: str, label: str, variation: str) -> bool:
    cleaned, wanted = _cleaned(answer), _cleaned(label)
    if cleaned == wanted:
        return True
    if variation.lower() not in _MODIFY:
        return False
    quoted = {_cleaned(text) for text in set(re.findall(r"""['"](.*?)['"]""", answer))} - {""}
    if len(quoted) <= 2 and wanted in quoted:
        return True
    named = set(re.findall("[\u4e00-\u9fa5]|[a-zA-Z]+", cleaned))
    return len(named) == 2 and wanted in named


def _cleaned(text: str) -> str:
    text = re.sub(r"\bno\b", "", text.lower().replace("不是", ""))
    return text.translate(_CLEANED_AWAY).lower().strip()


def _matches(answer: str, completion: str | None, label: str) -> bool:
    if not completion:
        return False
    if not answer:
        return completion == label
    # A label that is itself a run of the separators, in their order, would be deleted whole.
    if label not in _SEPARATORS:
        answer = answer.translate(_SEPARATED_AWAY)
        label = label.translate(_SEPARATED_AWAY)
    return label.lower().strip() in answer.lower().strip()
