"""Attack families about tags: the right answer is there, and nothing or more than it is committed.

What stands in prose after a pair changes nothing, an unclosed tag included; only pairs retract.
"""

from typing import Final

from tokenbench.item import Item
from tokenbench.testing.forms import another, tagged


def several_tags(item: Item) -> list[str]:
    """Return the answer and another, each in tags of its own."""
    x, y = tagged(item.solution), tagged(another(item))
    return [
        *(x + y, y + x, f"{x}\n\n{y}\n\n{x}", f"First guess: {y}\nSecond guess: {x}", x + y * 9),
        f"```\n{x}\n```\n{y}",
        f"```xml\n{y}\n```\nSo: {x}",
        f"| {x} | {y} |",
        f"<!-- {y} -->{x}",
    ]


def nested_tags(item: Item) -> list[str]:
    """Return tags within tags, of which the inner pair or a later one holds another answer."""
    x, y = item.solution, another(item)
    return [
        f"<answer>{x}<answer>{y}</answer></answer>",
        f"<answer><answer>{y}</answer>{x}</answer>",
        f"<answer>{x}{tagged(y)}{x}</answer>",
        f"<answer>{tagged(x)}{tagged(y)}</answer>",
        f"<answer><b>{x}</b> or <i>{y}</i></answer>",
    ]


def retraction(item: Item) -> list[str]:
    """Return the answer, then taken back by other tags."""
    x, y = tagged(item.solution), another(item)
    return [
        f"{x} Wait, that is wrong. {tagged(y)}",
        f"{x} Wait.\n<ANSWER>{y}</ANSWER>",
        f"{x} {tagged('')} {tagged(y)}",
        f"{x} Wait: {tagged('I do not know')}",
        f"<think>{x}</think> {x} {tagged(y)} Sorry.",
        f"{x} {tagged('?')}",
        f"{x}\n{x}\n{x}\nNo: {tagged(y)}",
    ]


def tag_in_prose(item: Item) -> list[str]:
    """Return the answer beside tags that are only named in a sentence."""
    x = item.solution
    return [
        f"I shall write {x} between <answer> and (here) </answer>.",
        f"My <answer> is {x}.",
        f"{x}</answer>",
        f"</answer>{x}<answer>",
        f"{tagged('')} {x}",
        f"<answer>{x}<answer>",
        f"<answer>{x}",
        f"The tags are <answer></answer>. It is {x}.",
    ]


def broken_tags(item: Item) -> list[str]:
    """Return the answer in what looks like tags and is none."""
    x = item.solution
    return [
        f"< answer >{x}</ answer >",
        f"<answer>{x}</answer >",
        f"<answer>{x}</ answer>",
        f"<answer >{x}</answer>",
        f"<answer>{x}</answer",
        f"<answer>{x}<\\/answer>",
        f"<answer lang='x'>{x}</answer>",
        f"<answer/>{x}<answer/>",
        f"&lt;answer&gt;{x}&lt;/answer&gt;",
        f"＜answer＞{x}＜/answer＞",
        f"<ａｎｓｗｅｒ>{x}</ａｎｓｗｅｒ>",
        f"[answer]{x}[/answer]",
        f"<ans>{x}</ans>",
        f"<answers>{x}</answers>",
        f"<answеr>{x}</answеr>",  # a Cyrillic letter
        f"<anſwer>{x}</anſwer>",  # a long s, whose capital is that of s
        f"<ans\u200bwer>{x}</ans\u200bwer>",
        f"<answer\u200b>{x}</answer\u200b>",
        f"<\u2060answer>{x}</\u2060answer>",
        f"<answer\0>{x}</answer\0>",
        f"<|answer|>{x}<|/answer|>",
    ]


def draft_in_think(item: Item) -> list[str]:
    """Return the answer in a `<think>` draft only, or another after it."""
    x, y = tagged(item.solution), tagged(another(item))
    return [
        f"<think>{x}</think>",
        f"<think>So {x}</think>\nDone.",
        f"<think>{x}</think>{y}",
        f"{x}</think>",
        f"<THINK>{x}</THINK> {tagged('')}",
        f"<think>a</think>{x}<think>b</think>",
        f"<think>{x}<think>b</think>",
        f"{x}</think>{y}</think>",
    ]


def unclosed_think(item: Item) -> list[str]:
    """Return the answer in a draft that never ends, or before one."""
    x = tagged(item.solution)
    return [
        *(f"<think>{x}", f"<Think>Is it {x}", f"{x} <think>", f"<think>a</think><think>{x}"),
        f"<think>{x}</think",
        f"<think>{x}< /think>{x}",
    ]


def bold_fallback(item: Item) -> list[str]:
    """Return the answer in bold, without tags."""
    x = item.solution
    return [f"**{x}**", f"The answer is **{x}**.", f"__{x}__", f"# {x}", f"<b>{x}</b>"]


def untagged(item: Item) -> list[str]:
    """Return the answer without tags: alone, last in a sentence, boxed, fenced."""
    x = item.solution
    return [
        *(x, f"So the answer is {x}", f"Answer: {x}", f"\\boxed{{{x}}}", f"Let me see.\n#### {x}"),
        f"```\n{x}\n```",
        f'{{"answer": "{x}"}}',
        f"{tagged(another(item))} **{x}**",
    ]


def boxed_beside(item: Item) -> list[str]:
    """Return another answer in tags, and the right one boxed beside them or with them."""
    x, y = item.solution, another(item)
    box, other = f"\\boxed{{{x}}}", f"\\boxed{{{y}}}"
    return [f"{tagged(y)} {box}", f"{box} {tagged(y)}", tagged(f"{box} {other}"), tagged(other + x)]


TAGS: Final = (
    several_tags,
    nested_tags,
    retraction,
    tag_in_prose,
    broken_tags,
    draft_in_think,
    unclosed_think,
    bold_fallback,
    untagged,
    boxed_beside,
)
