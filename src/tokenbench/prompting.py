"""What a model is shown for an item, in the style that an evaluation wants."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from tokenbench.errors import unknown
from tokenbench.item import Item, as_item
from tokenbench.tasks import task
from tokenbench.tasks.wording import closing, shared

STYLES: Final = ("direct", "cot", "fewshot", "published")
_EXAMPLES = 4  # as CUTE and EXECUTE use


def prompt(item: Item | Mapping[str, Any] | str, style: str = "direct") -> str:
    """Return the text to send to a model for an item.

    `direct` is the item's prompt, with the sentence that asks for `<answer>` tags (published items
    lack it); `cot` asks to think step by step before; `fewshot` puts four solved examples from the
    train split before it; `published` is the item's prompt as it stands.

    Args:
        item: an item, its row, or its JSON text.
        style: one of the four.

    Raises:
        UnknownNameError: no such style, or the item's task does not exist.
        ItemError: not an item.

    >>> from tokenbench.tasks import task
    >>> item = task("sort").generate(lang="zh")
    >>> prompt(item) == item.prompt, len(prompt(item, "cot")) > len(item.prompt)
    (True, True)
    """
    item = as_item(item)
    if style == "published":
        return item.prompt
    if style not in STYLES:
        raise unknown("style", style, STYLES)
    ending = closing(item.lang)
    question = item.prompt.removesuffix(ending).rstrip()
    if style == "cot":
        ending = f"{shared('steps', item.lang)} {ending}"
    if style == "fewshot":
        return "\n\n".join([*_examples(item), question, ending])
    return f"{question}\n\n{ending}"


def _examples(item: Item) -> list[str]:
    """Return solved items like this one, drawn from the train split under a seed of its own."""
    maker = task(item.task)
    ask = replace(maker.asked(item), seed=int(item.id[:15], 16), split="train")
    solved = []
    for index in range(_EXAMPLES + 1):
        example = maker.item(replace(ask, index=index))
        if example.id != item.id:
            question = example.prompt.removesuffix(closing(item.lang)).rstrip()
            solved.append(f"{question}\n\n<answer>{example.solution}</answer>")
    shown = solved[:_EXAMPLES]
    return [shared("examples", item.lang), *shown, shared("question", item.lang)]
