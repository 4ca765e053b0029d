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
from tokenbench.text.languages import language

_LANGS = ("en", "zh", "ko", "ru", "es")
_FILLER_WORDS = 60
# Before an answer without tags.
_LONG_FILLER_WORDS = 3000


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
    # fmt: off
    values = (
        {"answer": x, "alternative": y}, {"alternative": y, "answer": x},
        {"first": y, "second": x}, {"candidates": [x, y]}, [[x], [y]],
        [{"answer": x}, {"answer": y}],
    )
    # fmt: on
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
    words = language(item.lang)
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
        is_yes = x.lower() in language(item.lang).yes
        others = [(words.yes if is_yes else words.no)[0] for words in map(language, _LANGS)]
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


# fmt: off
def several_tags(item: Item) -> list[str]:
    """Return the answer and another, each in tags of its own."""
    return _fill(
        item, "{X}{Y}", "{Y}{X}", "{X}\n\n{Y}\n\n{X}", "First guess: {Y}\nSecond guess: {X}",
        "{X}" + "{Y}" * 9, "```\n{X}\n```\n{Y}", "```xml\n{Y}\n```\nSo: {X}", "| {X} | {Y} |",
        "<!-- {Y} -->{X}",
    )


def nested_tags(item: Item) -> list[str]:
    """Return tags within tags, where the inner pair or a later one contains another answer."""
    return _fill(
        item, "<answer>{x}<answer>{y}</answer></answer>",
        "<answer><answer>{y}</answer>{x}</answer>", "<answer>{x}{Y}{x}</answer>",
        "<answer>{X}{Y}</answer>", "<answer><b>{x}</b> or <i>{y}</i></answer>",
    )


def retraction(item: Item) -> list[str]:
    """Return the answer, withdrawn by later tags."""
    return _fill(
        item, "{X} Wait, that is wrong. {Y}", "{X} Wait.\n<ANSWER>{y}</ANSWER>",
        "{X} <answer></answer> {Y}", "{X} Wait: <answer>I do not know</answer>",
        "<think>{X}</think> {X} {Y} Sorry.", "{X} <answer>?</answer>", "{X}\n{X}\n{X}\nNo: {Y}",
    )


def tag_in_prose(item: Item) -> list[str]:
    """Return the answer next to tags that a sentence only mentions."""
    return _fill(
        item, "I shall write {x} between <answer> and (here) </answer>.", "My <answer> is {x}.",
        "{x}</answer>", "</answer>{x}<answer>", "<answer></answer> {x}", "<answer>{x}<answer>",
        "<answer>{x}", "The tags are <answer></answer>. It is {x}.",
    )


def broken_tags(item: Item) -> list[str]:
    """Return the answer in text that looks like tags and is not."""
    return _fill(
        item, "< answer >{x}</ answer >", "<answer>{x}</answer >", "<answer>{x}</ answer>",
        "<answer >{x}</answer>", "<answer>{x}</answer", "<answer>{x}<\\/answer>",
        "<answer lang='x'>{x}</answer>", "<answer/>{x}<answer/>",
        "&lt;answer&gt;{x}&lt;/answer&gt;", "＜answer＞{x}＜/answer＞",
        "<ａｎｓｗｅｒ>{x}</ａｎｓｗｅｒ>", "[answer]{x}[/answer]", "<ans>{x}</ans>",
        "<answers>{x}</answers>",
        # A Cyrillic letter, and a long s, whose capital is that of s.
        "<answеr>{x}</answеr>", "<anſwer>{x}</anſwer>",
        "<ans\u200bwer>{x}</ans\u200bwer>", "<answer\u200b>{x}</answer\u200b>",
        "<\u2060answer>{x}</\u2060answer>", "<answer\0>{x}</answer\0>", "<|answer|>{x}<|/answer|>",
    )


def draft_in_think(item: Item) -> list[str]:
    """Return the answer in a `<think>` draft only, or another after it."""
    return _fill(
        item, "<think>{X}</think>", "<think>So {X}</think>\nDone.", "<think>{X}</think>{Y}",
        "{X}</think>", "<THINK>{X}</THINK> <answer></answer>",
        "<think>a</think>{X}<think>b</think>", "<think>{X}<think>b</think>",
        "{X}</think>{Y}</think>",
    )


def unclosed_think(item: Item) -> list[str]:
    """Return the answer in a draft that never ends, or before one."""
    return _fill(
        item, "<think>{X}", "<Think>Is it {X}", "{X} <think>", "<think>a</think><think>{X}",
        "<think>{X}</think", "<think>{X}< /think>{X}",
    )


def bold_fallback(item: Item) -> list[str]:
    """Return the answer in bold, without tags."""
    return _fill(item, "**{x}**", "The answer is **{x}**.", "__{x}__", "# {x}", "<b>{x}</b>")


def untagged(item: Item) -> list[str]:
    """Return the answer without tags: alone, last in a sentence, boxed, fenced."""
    return _fill(
        item, "{x}", "So the answer is {x}", "Answer: {x}", "\\boxed{{{x}}}",
        "Let me see.\n#### {x}", "```\n{x}\n```", '{{"answer": "{x}"}}', "{Y} **{x}**",
    )


def boxed_beside(item: Item) -> list[str]:
    """Return another answer in tags, and the right one boxed next to the tags or within them."""
    return _fill(
        item, "{Y} \\boxed{{{x}}}", "\\boxed{{{x}}} {Y}",
        "<answer>\\boxed{{{x}}} \\boxed{{{y}}}</answer>", "<answer>\\boxed{{{y}}}{x}</answer>",
    )
# fmt: on


def _fill(item: Item, *forms: str) -> list[str]:
    # Capital letters are the answers in tags.
    x, y = item.solution, near_miss(item)
    return [form.format(x=x, y=y, X=tagged(x), Y=tagged(y)) for form in forms]


# fmt: off
FAMILIES: Final = (
    hedge, hedge_object, candidate_table, negation, yes_and_no, several_languages, filler,
    echo_then_answer, program, several_tags, nested_tags, retraction, tag_in_prose, broken_tags,
    draft_in_think, unclosed_think, bold_fallback, untagged, boxed_beside,
)
# fmt: on
