"""What a model is shown for an item, in the style that an evaluation wants."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from hashlib import blake2b
from typing import Any, Final

from tokenbench.draw import Draw
from tokenbench.errors import unknown
from tokenbench.item import Item, as_item, canonical
from tokenbench.tasks import catalog, task
from tokenbench.tasks.wording import closing, shared

STYLES: Final = ("direct", "cot", "fewshot", "published")
_QUOTED: Final = ("quoted", "quoted_caseless")  # evaluation types of EXECUTE and CUTE
_INTEGER: Final = "integer"  # and of CharBench
_TRIES: Final = 60  # items among which examples of what a task wants shown are looked for


def prompt(item: Item | Mapping[str, Any] | str, style: str = "direct") -> str:
    """Return the text to send to a model for an item.

    `direct` is the item's prompt, with the sentence that asks for `<answer>` tags (published items
    lack it); `cot` asks to think step by step before; `fewshot` puts four solved examples from the
    train split before it. `published` asks as the paper whose scorer the item has: TASE's prompts
    as they stand; CharBench's for a bare number; EXECUTE's and CUTE's after four examples, each
    with its answer in quotes.

    Args:
        item: an item, its row, or its JSON text.
        style: one of the four.

    Raises:
        UnknownNameError: no such style, or the item's task does not exist.
        ItemError: not an item.

    >>> from tokenbench.tasks import catalog, task
    >>> item = task("sort").generate(lang="zh")
    >>> prompt(item) == item.prompt, len(prompt(item, "cot")) > len(item.prompt)
    (True, True)
    """
    item = as_item(item)
    if style not in STYLES:
        raise unknown("style", style, STYLES)
    if style == "published":
        return _published(item)
    ending = closing(item.lang)
    if style == "cot":
        ending = f"{shared('steps', item.lang)} {ending}"
    if style == "fewshot":
        solved = (f"{_question(one)}\n\n<answer>{one.solution}</answer>" for one in _examples(item))
        return "\n\n".join([*_shown(item, solved), ending])
    return f"{_question(item)}\n\n{ending}"


def _published(item: Item) -> str:
    """Return the prompt that the item's published scorer is for."""
    published = item.target.get("published") if isinstance(item.target, dict) else None
    evaluation = published.get("evaluation") if isinstance(published, dict) else None
    if evaluation in _QUOTED and item.task in catalog():
        solved = (f'{_question(one)}\nAnswer: "{one.solution}"' for one in _examples(item))
        return "\n\n".join(_shown(item, solved)) + "\nAnswer:"
    if evaluation == _INTEGER and item.prompt.endswith(closing(item.lang)):
        return f"{_question(item)}\n\n{shared('bare', item.lang)}"
    return item.prompt


def _shown(item: Item, solved: Iterable[str]) -> list[str]:
    """Return the paragraphs of a prompt that shows solved examples before it asks."""
    return [
        shared("examples", item.lang),
        *solved,
        shared("question", item.lang),
        _question(item),
    ]


def _question(item: Item) -> str:
    """Return an item's prompt without the sentence that asks for tags."""
    return item.prompt.removesuffix(closing(item.lang)).rstrip()


def _examples(item: Item) -> list[Item]:
    """Return items like this one, drawn from the train split under a seed of its own.

    There is one for each of the task's wishes, which it meets if one of the first items does.
    """
    maker = task(item.task)
    asked = maker.asked(item)
    # The key leaves out in which script an item is written, so that its examples are the same.
    key = canonical([item.task, item.version, *asked.key(), asked.index])
    seed = int.from_bytes(blake2b(key, digest_size=8).digest())
    ask = replace(asked, seed=seed, split="train")
    wishes, others, found = list(maker.examples), [], []
    for index in range(_TRIES):
        example = maker.item(replace(ask, index=index))
        if example.id == item.id:
            continue
        drawn = example.meta["drawn"]
        wish = next((wish for wish in wishes if wish.items() <= drawn.items()), None)
        if wish is None:
            others.append(example)
        else:
            wishes.remove(wish)
            found.append(example)
        if not wishes:
            break
    found += others[: len(wishes)]
    return Draw("examples", seed).shuffled(found)
