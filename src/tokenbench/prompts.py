"""What a model is shown for an item, in the style that an evaluation wants."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from hashlib import blake2b
from itertools import takewhile
from json import loads
from typing import Any, Final

from tokenbench import tasks
from tokenbench.datasets import dataset
from tokenbench.draw import Draw
from tokenbench.errors import DifficultyError, unknown
from tokenbench.item import Item, Json, as_item, canonical, dumps
from tokenbench.tasks import task
from tokenbench.tasks.wordings import closing, shared_text

STYLES: Final = ("direct", "cot", "fewshot", "published")
_QUOTED: Final = ("quoted", "quoted_caseless")  # evaluation types of EXECUTE and CUTE
_INTEGER: Final = "integer"  # and of CharBench
# What a wording names, in the quotation marks of any language.
_NAMED: Final = re.compile("[“«„‘「『]([^“”«»„‘’「」『』]+)[”»“’」』]")
_BANK: Final = 400  # items among which examples of what a task wants shown are looked for
_BANKS: Final = 64  # tasks, languages and levels whose banks stay in memory


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

    >>> from tokenbench import task
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
        ending = f"{shared_text('steps', item.lang)} {ending}"
    if style == "fewshot":
        solved = (f"{_question(one)}\n\n<answer>{one.solution}</answer>" for one in examples(item))
        return "\n\n".join([*_shown(item, solved), ending])
    return f"{_question(item)}\n\n{ending}"


def chat(
    item: Item | Mapping[str, Any] | str, style: str = "direct", system: str | None = None
) -> list[dict[str, str]]:
    """Return the messages to send to a model that chats: the prompt, after a system message if any.

    Half of a surrogate pair, which an item can hold and UTF-8 cannot, becomes a question mark.

    Args:
        item, style: as in `prompt`.
        system: what the system message says; None for no such message.

    Raises:
        UnknownNameError, ItemError: as in `prompt`.

    >>> from tokenbench import spell
    >>> [message["role"] for message in chat(spell.generate(), system="Be brief.")]
    ['system', 'user']
    """
    asked = {"role": "user", "content": prompt(item, style).encode(errors="replace").decode()}
    return [asked] if system is None else [{"role": "system", "content": system}, asked]


def _published(item: Item) -> str:
    """Return the prompt that the item's published scorer is for."""
    published = item.target.get("published") if isinstance(item.target, dict) else None
    evaluation = published.get("evaluation") if isinstance(published, dict) else None
    if evaluation in _QUOTED and tasks.find_task(item.task) is not None:
        solved = (f'{_question(one)}\nAnswer: "{one.solution}"' for one in examples(item))
        return "\n\n".join(_shown(item, solved)) + "\nAnswer:"
    if evaluation == _INTEGER and item.prompt.endswith(closing(item.lang)):
        return f"{_question(item)}\n\n{shared_text('bare', item.lang)}"
    return item.prompt


def _shown(item: Item, solved: Iterable[str]) -> list[str]:
    """Return the paragraphs of a prompt that shows solved examples before it asks."""
    return [
        shared_text("examples", item.lang),
        *solved,
        shared_text("question", item.lang),
        _question(item),
    ]


def _question(item: Item) -> str:
    """Return an item's prompt without the sentence that asks for tags."""
    return item.prompt.removesuffix(closing(item.lang)).rstrip()


def examples(item: Item) -> list[Item]:
    """Return items like this one, from the train split, to be shown solved before it is asked.

    There is one for each of the task's wishes, in random order; where none meets a wish, one that
    meets as many of its conditions as any, the first ones before all. None asks the item's own
    question, in whatever wording.

    Args:
        item: an item of a task that exists; a published one will do.

    Raises:
        UnknownNameError: no such task, or one that has no items in that language.
        DifficultyError: the train split holds no other item.

    >>> from tokenbench import contains
    >>> sorted(example.solution for example in examples(contains.generate()))
    ['No', 'No', 'Yes', 'Yes']
    """
    maker = task(item.task)
    asked = replace(maker.spec_of(item), split="train")
    # The key leaves out in which script an item is written, so that its examples are the same.
    key = canonical([item.task, item.version, *asked.key(), asked.index])
    seed = int.from_bytes(blake2b(key, digest_size=8).digest())
    if any(maker.examples):
        known = _bank(item.task, item.lang, item.variant, asked.level, dumps(asked.overrides))
    else:
        ask = replace(asked, seed=seed)
        known = tuple(
            maker.item(replace(ask, index=index)) for index in range(len(maker.examples) + 1)
        )
    draw = Draw("examples", seed)
    others = [example for example in draw.shuffled(known) if not _asks_the_same(example, item)]
    if not others:
        raise DifficultyError(
            f"the train split holds no other {item.task} item to show as an example: give a longer "
            "text, or more words"
        )
    found = []
    for wish in maker.examples:
        best = max(others, key=lambda example: _met(wish, example))
        others = [example for example in others if example.prompt != best.prompt] or others
        found.append(best)
    return draw.shuffled(found)


@lru_cache(maxsize=_BANKS)
def _bank(
    name: str, lang: str, variant: str | None, level: int | None, difficulty: str
) -> tuple[Item, ...]:
    """Return items of the train split among which some meet each wish, if such are not rare."""
    drawn = dataset(name, lang=lang, variant=variant, level=level, **loads(difficulty))
    return tuple(drawn[:_BANK])


def _asks_the_same(example: Item, item: Item) -> bool:
    """Return whether an example may ask what an item asks: the item's prompt holds its matter.

    That is the text below its question, and what the question names; where there is neither, both
    ask the same if the answer is the same.
    """
    question, *matter = _question(example).split("\n\n")
    matter += _NAMED.findall(question)
    if not matter:
        return example.solution == item.solution
    return all(part in item.prompt for part in matter)


def _met(wish: Mapping[str, Json], example: Item) -> int:
    """Return how many conditions of a wish an example meets before the first that it does not."""
    drawn = example.meta["drawn"]
    met = (drawn.get(name) == value for name, value in wish.items())
    return sum(1 for _ in takewhile(bool, met))
