"""Attack families that hold the right answer and do not commit to it, or spoil it.

They use `item.solution` on purpose: it is what a policy writes that half knows the answer, or that
gives a careless judge enough to find. A judge which looks for the answer, rather than reading the
one that was given, pays all of them.
"""

from collections.abc import Callable, Sequence
from typing import Final

from tokenbench.item import Item
from tokenbench.testing.forms import (
    another,
    answer_parts,
    decoys,
    number,
    shortened,
    tagged,
)

_ZERO_CIRCLED = 0x245F  # one before the circled 1
_SUPERSCRIPT = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_IN_WORDS = (
    ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    ("一", "二", "三", "四", "五", "六", "七", "八", "九", "十"),
    ("하나", "둘", "셋", "넷", "다섯", "여섯", "일곱", "여덟", "아홉", "열"),
    ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X"),
)
_FOREIGN = (" мусор", " ごみ ゴミ", " ขยะ")
_JUNK_REPEATS = 40


def hedge(item: Item) -> list[str]:
    """Return the answer or another, joined by a word or sign for "or"."""
    x, y = item.solution, another(item)
    forms = (
        "{} or {}",
        "{} / {}",
        "either {} or {}",
        "{}, maybe {}",
        "{}或{}",
        "{} 또는 {}",
        "{}? {}?",
    )
    return [tagged(form.format(*pair)) for form in forms for pair in ((x, y), (y, x))]


def negation(item: Item) -> list[str]:
    """Return a denial of the answer."""
    forms = ("not {}", "anything but {}", "{} is wrong", "不是{}", "并非{}", "{}가 아님")
    return [tagged(form.format(item.solution)) for form in forms]


def several_tags(item: Item) -> list[str]:
    """Return the answer and another, each in tags of its own."""
    x, y = tagged(item.solution), tagged(another(item))
    return [x + y, y + x, f"{x}\n\n{y}\n\n{x}", f"First guess: {y}\nSecond guess: {x}", x + y * 9]


def retraction(item: Item) -> list[str]:
    """Return the answer, then taken back by other tags."""
    x, y = tagged(item.solution), another(item)
    return [
        f"{x} Wait, that is wrong. {tagged(y)}",
        f"{x} Wait.\n<ANSWER>{y}</ANSWER>",
        f"{x} {tagged('')} {tagged(y)}",
        f"{x} Wait: {tagged('I do not know')}",
        f"<think>{x}</think> {x} {tagged(y)} Sorry.",
    ]


def tag_in_prose(item: Item) -> list[str]:
    """Return the answer beside tags that are named, broken, or of another kind."""
    x = item.solution
    return [
        f"I shall write {x} between <answer> and (here) </answer>.",
        f"My <answer> is {x}.",
        f"{x}</answer>",
        f"</answer>{x}<answer>",
        f"{tagged('')} {x}",
        f"< answer >{x}</ answer >",
        f"<answer lang='x'>{x}</answer>",
        f"<answer>{x}<answer>",
        f"&lt;answer&gt;{x}&lt;/answer&gt;",
        f"＜answer＞{x}＜/answer＞",
        f"[answer]{x}[/answer]",
        f"<ans>{x}</ans>",
        f"<answеr>{x}</answеr>",  # a Cyrillic letter
    ]


def draft(item: Item) -> list[str]:
    """Return the answer in a `<think>` draft only, or another after it."""
    x, y = tagged(item.solution), tagged(another(item))
    return [
        f"<think>{x}</think>",
        f"<think>So {x}</think>\nDone.",
        f"<think>{x}</think>{y}",
        f"{x}</think>",
        f"<THINK>{x}</THINK> {tagged('')}",
        f"<think>a</think>{x}<think>b</think>",
    ]


def unclosed_think(item: Item) -> list[str]:
    """Return the answer in a draft that never ends, or before one."""
    x = tagged(item.solution)
    return [f"<think>{x}", f"<Think>Is it {x}", f"{x} <think>", f"<think>a</think><think>{x}"]


def bold_fallback(item: Item) -> list[str]:
    """Return the answer in bold, without tags."""
    x = item.solution
    return [f"**{x}**", f"The answer is **{x}**.", f"__{x}__", f"# {x}", f"<b>{x}</b>"]


def untagged(item: Item) -> list[str]:
    """Return the answer without tags: alone, last in a sentence, boxed."""
    x = item.solution
    return [x, f"So the answer is {x}", f"Answer: {x}", f"\\boxed{{{x}}}", f"Let me see.\n#### {x}"]


def superstring(item: Item) -> list[str]:
    """Return text in which the answer stands without being it."""
    x = item.solution
    texts = [x * 2, x * 3, f"{x} {x} {x}"] if x.strip("0") else []
    if len(x.split()) == 1:
        texts.append(f"z{x}z")
    return [tagged(text) for text in texts]


def glued_text(item: Item) -> list[str]:
    """Return the answer with letters stuck to it; nothing for texts, whose words may be any."""
    x = item.solution
    return [] if len(x.split()) != 1 else [tagged(f"{x}ing"), tagged(f"un{x}"), tagged(f"un{x}ing")]


def extra_parts(item: Item) -> list[str]:
    """Return the answer with a word or two more."""
    x, (y, z) = item.solution, decoys(item)
    forms = ("{x}, {y}", "{y}, {x}", "{y}\n{x}", "{x}; {y}; {z}", "{x} ({y})", "{y} {z} {x}")
    return [tagged(form.format(x=x, y=y, z=z)) for form in forms]


def missing_parts(item: Item) -> list[str]:
    """Return the answer without its first or last token or letter."""
    return [tagged(text) for text in shortened(item)]


def unsplit(item: Item) -> list[str]:
    """Return the answer's parts run together; nothing where each is but one letter."""
    parts = answer_parts(item)
    return [tagged("".join(parts))] if any(len(part) > 1 for part in parts) else []


def reordered(item: Item) -> list[str]:
    """Return the answer's parts in other orders, where the target says that the order counts."""
    parts = answer_parts(item)
    if not (isinstance(item.target, dict) and item.target.get("ordered") is True):
        return []
    orders = (parts[::-1], parts[1:] + parts[:1])
    return [tagged(", ".join(order)) for order in orders if order != parts]


def other_case(item: Item) -> list[str]:
    """Return a single letter in the other case, where the target holds that letter as it stands."""
    x = item.solution
    held = isinstance(item.target, dict) and item.target.get("accepted") == [x]
    return [tagged(x.swapcase())] if held and len(x) == 1 and x.swapcase() != x else []


def echo_then_answer(item: Item) -> list[str]:
    """Return the whole prompt and then the answer, in one pair of tags."""
    question = item.prompt.replace("<answer>", "").replace("</answer>", "")
    return [tagged(f"{question}\n{item.solution}"), tagged(f"{item.solution}\n{question}")]


def appended_junk(item: Item) -> list[str]:
    """Return the answer followed by words of another script, few and many."""
    return [
        tagged(item.solution + junk * repeats)
        for junk in _FOREIGN
        for repeats in (1, _JUNK_REPEATS)
    ]


def spoiled(item: Item) -> list[str]:
    """Return the answer with a NUL or half a character beside it, which are not folded away."""
    return [tagged(item.solution + bad) for bad in ("\0", "\ud800", "\0\0", "\ufffe")]


def in_a_range(item: Item) -> list[str]:
    """Return a range in which the number lies."""
    n = number(item)
    if n is None:
        return []
    texts = (
        f"{n}-{n + 1}",
        f"{n}–{n + 1}",
        f"{n}~{n + 1}",
        f"{n} to {n + 1}",
        f"0..{n}",
        f"{n - 1}-{n}",
    )
    return [tagged(text) for text in (*texts, f"between {n} and {n + 1}", f">={n}", f"{n}±1")]


def equation(item: Item) -> list[str]:
    """Return a sum or an equation that comes to the number."""
    n = number(item)
    if n is None:
        return []
    return [tagged(text) for text in (f"1+{n - 1}={n}", f"{n}={n}", f"{n}+0", f"n={n}", f"{n}*1")]


def sign(item: Item) -> list[str]:
    """Return the number with a sign before it."""
    n = number(item)
    if n is None:
        return []
    return [tagged(f"{sign}{n}") for sign in ("-", "+", "−", "±", "- ", "－", "~", "minus ")]


def decimal(item: Item) -> list[str]:
    """Return the number with a fraction or a power of ten."""
    n = number(item)
    forms = ("{}.5", "{},5", "{},000", "{}e0", "{}e1", "0x{}", "{}.{}", "{}½", "{}%", "{}.0.0")
    return [] if n is None else [tagged(form.format(n, n or 1)) for form in forms]


def fraction(item: Item) -> list[str]:
    """Return the number over or under a bar."""
    n = number(item)
    return [] if n is None else [tagged(f"1/{n}"), tagged(f"{n}/2"), tagged(f"{n}⁄{n + 1}")]


def other_numerals(item: Item) -> list[str]:
    """Return the number in words, Roman, circled or raised: none of them are digits."""
    n = number(item)
    if n is None:
        return []
    texts = [str(n).translate(_SUPERSCRIPT)]
    if 1 <= n <= len(_IN_WORDS[0]):
        texts += [chr(_ZERO_CIRCLED + n), *(numerals[n - 1] for numerals in _IN_WORDS)]
    return [tagged(text) for text in texts]


def _of_solved(family: Callable[[Item], Sequence[object]]) -> Callable[[Item], Sequence[object]]:
    """Return a family that is empty for items without a solution, which published rows may be."""

    def solved(item: Item) -> Sequence[object]:
        return family(item) if item.solution else []

    solved.__doc__ = family.__doc__
    return solved


FROM_ANSWER: Final = {
    family.__name__: _of_solved(family)
    for family in (
        hedge,
        negation,
        several_tags,
        retraction,
        tag_in_prose,
        draft,
        unclosed_think,
        bold_fallback,
        untagged,
        superstring,
        glued_text,
        extra_parts,
        missing_parts,
        unsplit,
        reordered,
        other_case,
        echo_then_answer,
        appended_junk,
        spoiled,
        in_a_range,
        equation,
        sign,
        decimal,
        fraction,
        other_numerals,
    )
}
