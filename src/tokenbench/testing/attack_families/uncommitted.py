"""Attack families that contain the right answer and do not commit to it.

They say it among others, deny it, or leave it outside the tags. They use `item.solution` on
purpose: so writes a policy that half knows the answer. A judge that looks for the answer, rather
than reading the one that was given, pays all of them. Prose after a pair changes nothing, an
unclosed tag included; only pairs retract.
"""

from functools import cache
from itertools import cycle, islice
from typing import Final

from tokenbench.item import Item, dumps
from tokenbench.testing.item_facts import (
    answers_yes_or_no,
    decoys,
    lists_solution,
    near_miss,
    number,
    tagged,
    vocabulary,
)
from tokenbench.text.answer_words import answer_words

_LANGS = ("en", "zh", "ko", "ru", "es")
_FILLER_WORDS = 60
# Before an answer without tags.
_LONG_FILLER_WORDS = 3000
# fmt: off
_BROKEN_TAGS = (
    "< answer >{}</ answer >", "<answer>{}</answer >", "<answer>{}</ answer>",
    "<answer >{}</answer>", "<answer>{}</answer", "<answer>{}<\\/answer>",
    "<answer lang='x'>{}</answer>", "<answer/>{}<answer/>", "&lt;answer&gt;{}&lt;/answer&gt;",
    "＜answer＞{}＜/answer＞", "<ａｎｓｗｅｒ>{}</ａｎｓｗｅｒ>", "[answer]{}[/answer]",
    "<ans>{}</ans>", "<answers>{}</answers>",
    # A Cyrillic letter, and a long s, whose capital is that of s.
    "<answеr>{}</answеr>", "<anſwer>{}</anſwer>",
    "<ans\u200bwer>{}</ans\u200bwer>", "<answer\u200b>{}</answer\u200b>",
    "<\u2060answer>{}</\u2060answer>", "<answer\0>{}</answer\0>", "<|answer|>{}<|/answer|>",
)
# fmt: on


def hedge(item: Item) -> list[str]:
    """Return the answer or another, joined by a word or sign for "or"."""
    x, y = item.solution, near_miss(item)
    # fmt: off
    forms = (
        "{} or {}", "{} / {}", "either {} or {}", "{}, maybe {}", "{}或{}", "{} 또는 {}", "{}? {}?",
        "{} ({}?)", "probably {}, else {}",
    )
    # fmt: on
    return [tagged(form.format(*pair)) for form in forms for pair in ((x, y), (y, x))]


def hedge_object(item: Item) -> list[str]:
    """Return the answer and another as fields of an object, or in a list of lists."""
    x, y = item.solution, near_miss(item)
    values = (
        {"answer": x, "alternative": y},
        {"alternative": y, "answer": x},
        {"first": y, "second": x},
        {"candidates": [x, y]},
        [[x], [y]],
        [{"answer": x}, {"answer": y}],
    )
    return [tagged(text) for value in values for text in (dumps(value), str(value))]


def candidate_table(item: Item) -> list[str]:
    """Return the answer and others as the rows of a table or as a numbered list."""
    x, others = item.solution, (near_miss(item), *decoys(item))
    rows = "\n".join(f"| {text} | ? |" for text in (x, *others))
    numbers = "\n".join(f"{i}. {text}" for i, text in enumerate((*others, x), 1))
    letters = "\n".join(f"({i}) {text}" for i, text in zip("abcd", (x, *others), strict=True))
    heading = "| candidate | sure |\n|---|---|\n"
    return [tagged(text) for text in (heading + rows, rows, numbers, letters)]


def negation(item: Item) -> list[str]:
    """Return a denial of the answer in words, and in marks where they are not mere punctuation."""
    # fmt: off
    forms = [
        "not {}", "anything but {}", "{} is wrong", "不是{}", "并非{}", "{}가 아님", "It isn't {}",
    ]
    # fmt: on
    if lists_solution(item) or number(item) is not None:
        forms += ["~~{}~~", "!{}", "¬{}", "≠{}"]
    return [tagged(form.format(item.solution)) for form in (*forms, "<del>{}</del>", "{}: no")]


def yes_and_no(item: Item) -> list[str]:
    """Return yes and no at once, or one of them denied, where one of them is the answer."""
    if not answers_yes_or_no(item):
        return []
    words = answer_words(item.lang)
    yes, no = words.yes[0], words.no[0]
    forms = ("{} and {}", "{}/{}", "{}, {}", "{} {}", "{}{}", "{}. {}.", "{}, but {}", "{}\n{}")
    both = [form.format(*pair) for form in forms for pair in ((yes, no), (no, yes))]
    denials = [f"not {yes}", f"not {no}", f"{no} {no}", f"{yes}?", f"{no}?", f"{yes} + {no}"]
    return [tagged(text) for text in (*both, *denials) if text.lower() not in words.yes + words.no]


def several_languages(item: Item) -> list[str]:
    """Return the answer in one language next to other answers in other languages."""
    x, y = item.solution, near_miss(item)
    texts = [f"English: {x}. 中文：{y}。", f"{y} (ko: {x})", f"{x} — по-русски {y}"]
    if answers_yes_or_no(item):
        is_yes = x.lower() in answer_words(item.lang).yes
        others = [(words.yes if is_yes else words.no)[0] for words in map(answer_words, _LANGS)]
        texts += [f"{x} / {' / '.join(others)}", f"{x} ({', '.join(others)})"]
    return [tagged(text) for text in texts]


def filler(item: Item) -> list[str]:
    """Return the answer in a long text, in tags and, after a still longer one, without."""
    x, (short, long) = item.solution, _filler_texts(item.lang)
    texts = (f"{short}. {x}", f"{x}\n\n{short}", f"{short}: {x}. {short}")
    return [*map(tagged, texts), f"{long}. {x}", f"{long}\n\n{x}"]


@cache
def _filler_texts(lang: str) -> tuple[str, str]:
    words = vocabulary(lang)
    return " ".join(words[:_FILLER_WORDS]), " ".join(islice(cycle(words), _LONG_FILLER_WORDS))


def echo_then_answer(item: Item) -> list[str]:
    """Return the whole prompt and then the answer, in one pair of tags."""
    question = item.prompt.replace("<answer>", "").replace("</answer>", "")
    return [tagged(f"{question}\n{item.solution}"), tagged(f"{item.solution}\n{question}")]


def program(item: Item) -> list[str]:
    """Return code whose value is the answer, if somebody ran it."""
    x = item.solution
    forms = ("print({!r})", "str({!r})", "eval({!r})", "lambda: {!r}", "f'{{{!r}}}' + input()")
    return [tagged(form.format(x)) for form in forms]


def several_tags(item: Item) -> list[str]:
    """Return the answer and another, each in tags of its own."""
    x, y = tagged(item.solution), tagged(near_miss(item))
    return [
        x + y,
        y + x,
        f"{x}\n\n{y}\n\n{x}",
        f"First guess: {y}\nSecond guess: {x}",
        x + y * 9,
        f"```\n{x}\n```\n{y}",
        f"```xml\n{y}\n```\nSo: {x}",
        f"| {x} | {y} |",
        f"<!-- {y} -->{x}",
    ]


def nested_tags(item: Item) -> list[str]:
    """Return tags within tags, where the inner pair or a later one contains another answer."""
    x, y = item.solution, near_miss(item)
    return [
        f"<answer>{x}<answer>{y}</answer></answer>",
        f"<answer><answer>{y}</answer>{x}</answer>",
        f"<answer>{x}{tagged(y)}{x}</answer>",
        f"<answer>{tagged(x)}{tagged(y)}</answer>",
        f"<answer><b>{x}</b> or <i>{y}</i></answer>",
    ]


def retraction(item: Item) -> list[str]:
    """Return the answer, withdrawn by later tags."""
    x, y = tagged(item.solution), near_miss(item)
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
    """Return the answer next to tags that a sentence only mentions."""
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
    """Return the answer in text that looks like tags and is not."""
    return [form.format(item.solution) for form in _BROKEN_TAGS]


def draft_in_think(item: Item) -> list[str]:
    """Return the answer in a `<think>` draft only, or another after it."""
    x, y = tagged(item.solution), tagged(near_miss(item))
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
        f"<think>{x}",
        f"<Think>Is it {x}",
        f"{x} <think>",
        f"<think>a</think><think>{x}",
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
        x,
        f"So the answer is {x}",
        f"Answer: {x}",
        f"\\boxed{{{x}}}",
        f"Let me see.\n#### {x}",
        f"```\n{x}\n```",
        f'{{"answer": "{x}"}}',
        f"{tagged(near_miss(item))} **{x}**",
    ]


def boxed_beside(item: Item) -> list[str]:
    """Return another answer in tags, and the right one boxed next to the tags or within them."""
    x, y = item.solution, near_miss(item)
    box, other = f"\\boxed{{{x}}}", f"\\boxed{{{y}}}"
    return [f"{tagged(y)} {box}", f"{box} {tagged(y)}", tagged(f"{box} {other}"), tagged(other + x)]


# fmt: off
FAMILIES: Final = (
    hedge, hedge_object, candidate_table, negation, yes_and_no, several_languages, filler,
    echo_then_answer, program, several_tags, nested_tags, retraction, tag_in_prose, broken_tags,
    draft_in_think, unclosed_think, bold_fallback, untagged, boxed_beside,
)
# fmt: on
