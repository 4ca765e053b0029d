"""The prompt of an item, in the style of an evaluation."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from hashlib import blake2b
from itertools import takewhile
from typing import Any, Final, Literal, TypeAlias, get_args

from tokenbench import tasks
from tokenbench.answers.published_scorers import INTEGER, QUOTED, QUOTED_CASELESS
from tokenbench.checks import one_of, string
from tokenbench.datasets import TaskItems
from tokenbench.draw import Draw
from tokenbench.errors import DifficultyError
from tokenbench.extraction import Extract
from tokenbench.item import Item, Json, as_item, canonical
from tokenbench.tasks import task
from tokenbench.tasks.wordings import (
    CLOSING_QUOTES,
    OPENING_QUOTES,
    closing,
    common_text,
    payload_of,
    read_join,
    read_slots,
    split_closing,
)
from tokenbench.text.languages import language

Style: TypeAlias = Literal["direct", "cot", "fewshot", "published", "question"]
STYLES: Final[tuple[Style, ...]] = get_args(Style)
# The values of `extract` that look for answers in tags.
_TAGGED: Final = ("answer", "only", "open")
# A text in the quotation marks of any language.
_QUOTATION: Final = re.compile(
    f"[{OPENING_QUOTES}]([^{OPENING_QUOTES}{CLOSING_QUOTES}]+)[{CLOSING_QUOTES}]"
)
# The number of items to choose few-shot examples from, and of such lists in memory.
_BANK_SIZE: Final = 400
_CACHE_SIZE: Final = 64


def prompt(item: Item | Mapping[str, Any] | str, style: Style = "direct") -> str:
    """Return the text to send to a model for an item.

    `direct` is the item's prompt, with the sentence that asks for `<answer>` tags (published items
    lack it); `cot` also asks to think step by step; `fewshot` begins with four solved examples from
    the train split. `published` is the prompt of the paper whose scorer the item has: TASE's
    unchanged, CharBench's with a request for a bare number, EXECUTE's and CUTE's after four
    examples, each with its answer in quotes. `question` is the question alone, without the
    sentence about tags: for a system message or template of your own that asks for another form.

    Args:
        item: an item, its row, or its JSON text.
        style: one of the five.

    Raises:
        UnknownNameError: no such style, or the item's task does not exist.
        ItemError: not an item.

    >>> from tokenbench import task
    >>> item = task("sort").generate(lang="zh")
    >>> prompt(item) == item.prompt, len(prompt(item, "cot")) > len(item.prompt)
    (True, True)
    """
    item = as_item(item)
    one_of("style", style, STYLES)
    if style == "published":
        return _prompt_as_published(item)
    if style == "question":
        return _question(item)
    question, ending = split_closing(item.prompt, item.lang)
    ending = ending or closing(language(item.lang), question)
    if style == "cot":
        ending = f"{common_text('steps', item.lang)} {ending}"
    if style == "fewshot":
        solved = (f"{_question(one)}\n\n<answer>{one.solution}</answer>" for one in examples(item))
        return "\n\n".join([*_with_examples(item, solved), ending])
    return f"{question}\n\n{ending}"


def chat(
    item: Item | Mapping[str, Any] | str, style: Style = "direct", system: str | None = None
) -> list[dict[str, str]]:
    """Return the messages to send to a model that chats: the prompt, after a system message if any.

    A lone surrogate, which UTF-8 cannot encode, becomes a question mark.

    Args:
        item, style: as in `prompt`.
        system: a system message, if any.

    Raises:
        UnknownNameError, ItemError: as in `prompt`.
        TokenbenchError: `system` is not a str.

    >>> from tokenbench import spell
    >>> [message["role"] for message in chat(spell.generate(), system="Be brief.")]
    ['system', 'user']
    """
    user = {"role": "user", "content": prompt(item, style).encode(errors="replace").decode()}
    if system is None:
        return [user]
    return [{"role": "system", "content": string("system", system)}, user]


def reads_style(rule: str, item: Item, style: Style) -> bool:
    """Return whether a rule looks for an item's answer where prompts of a style ask for it.

    The published scorers of EXECUTE, CUTE and CharBench do not read `<answer>` tags, and the style
    `published` of their items asks for none.

    >>> from tokenbench import spell
    >>> item = spell.generate()
    >>> reads_style("exact", item, "direct"), reads_style("published", item, "direct")
    (True, False)
    """
    if _evaluation(item) not in (QUOTED, QUOTED_CASELESS, INTEGER):
        return True
    return rule.startswith("published") == (style == "published")


def describe_unread(
    items: Iterable[Item],
    style: Style,
    rules: Iterable[str],
    extract: Extract = "answer",
    *,
    system: str | None = None,
) -> str:
    """Return in one line which rules look for answers elsewhere than the prompts ask for them.

    Args:
        items: some of each task.
        style: the style of the prompts.
        rules: the rules by which their answers are judged.
        extract: as in `tokenbench.score`; one that reads no tags is taken to fit the prompts.
        system: the system message; it is taken to ask for tags where the prompts do not.

    >>> from tokenbench import spell
    >>> describe_unread([spell.generate()], "direct", ["exact", "graded"])
    ''
    """
    checked = [rule for rule in rules if extract in _TAGGED or rule.startswith("published")]
    pairs = ((rule, item) for item in items for rule in checked)
    is_bare = style == "question" and not system
    unread = [
        (rule, item.task)
        for rule, item in pairs
        if not reads_style(rule, item, style)
        or (is_bare and "<answer>" not in _question(item) and reads_style(rule, item, "direct"))
    ]
    if not unread:
        return ""
    names, tasks = (", ".join(dict.fromkeys(column)) for column in zip(*unread, strict=True))
    reason, remedy = f"prompts of {tasks} do not ask for <answer> tags", "judge by rule published"
    if is_bare:
        remedy = "ask for them in a system message, or judge with extract raw"
    elif style != "published":
        reason = f"the published scorers of {tasks} do not read <answer> tags"
        remedy = "ask in the style published"
    return f"{names}: {reason}, so right answers score 0: {remedy}"


def _evaluation(item: Item) -> object:
    """Return the evaluation type of an item's published scorer; None if it has no such scorer."""
    published = item.target.get("published") if isinstance(item.target, dict) else None
    return published.get("evaluation") if isinstance(published, dict) else None


def _prompt_as_published(item: Item) -> str:
    evaluation = _evaluation(item)
    if evaluation in (QUOTED, QUOTED_CASELESS) and tasks.find_task(item.task) is not None:
        solved = (f'{_question(one)}\nAnswer: "{one.solution}"' for one in examples(item))
        return "\n\n".join(_with_examples(item, solved)) + "\nAnswer:"
    if evaluation == INTEGER and split_closing(item.prompt, item.lang)[1]:
        return f"{_question(item)}\n\n{common_text('bare', item.lang)}"
    return item.prompt


def _with_examples(item: Item, solved: Iterable[str]) -> list[str]:
    """Return the paragraphs of a prompt with solved examples before its question."""
    return [
        common_text("examples", item.lang),
        *solved,
        common_text("question", item.lang),
        _question(item),
    ]


def _question(item: Item) -> str:
    """Return an item's prompt without the sentence that asks for tags."""
    return split_closing(item.prompt, item.lang)[0]


def examples(item: Item) -> list[Item]:
    """Return few-shot examples for an item: similar items from the train split.

    There is one for each entry of the task's `examples`, in random order. If no item meets all
    conditions of an entry, it is one that meets most of them, counted up to the first it misses.
    None asks the item's own question, in any wording.

    Args:
        item: an item of a task that exists; it may be a published one.

    Raises:
        UnknownNameError: no such task, or the task does not have the item's language.
        DifficultyError: the train split has no other item.
        VersionError: another version of the task made the item.
        SourceError: a user's file that the item was drawn from is gone or has changed.

    >>> from tokenbench import contains
    >>> sorted(example.solution for example in examples(contains.generate()))
    ['No', 'No', 'Yes', 'Yes']
    """
    maker = task(item.task)
    maker.check_version(item)
    spec = replace(maker.spec_of(item), split="train")
    # The key does not include the script of an item, so its examples are the same in every script.
    key = canonical([item.task, item.version, *spec.key(), spec.index])
    seed = int.from_bytes(blake2b(key, digest_size=8).digest())
    if any(maker.examples):
        bank = _bank(TaskItems(item.task, replace(spec, seed=0, index=0)))
    else:
        indices = range(len(maker.examples) + 1)
        bank = tuple(maker.item(replace(spec, seed=seed, index=index)) for index in indices)
    draw = Draw("examples", seed)
    others = [example for example in draw.shuffled(bank) if not _asks_the_same(example, item)]
    if not others:
        raise DifficultyError(
            f"the train split has no other {item.task} item to show as an example: give a longer "
            "text, or more words"
        )
    chosen = []
    for conditions in maker.examples:
        best = max(others, key=lambda example: _count_met(conditions, example))
        others = [example for example in others if example.prompt != best.prompt] or others
        chosen.append(best)
    return draw.shuffled(chosen)


@lru_cache(maxsize=_CACHE_SIZE)
def _bank(part: TaskItems) -> tuple[Item, ...]:
    return tuple(map(part.item, range(min(_BANK_SIZE, part.size()))))


def _asks_the_same(example: Item, item: Item) -> bool:
    """Return whether an example and an item may have the same question.

    They may if the item's prompt contains the texts of the example: its payload, and those in
    quotation marks; of two words written together in a sentence, only these words. Without
    such texts, they may if their answers are the same.
    """
    if join := read_join(read_slots(example.task, example.lang, example.prompt)):
        return join in item.prompt
    payload, question = payload_of(example.task, example.lang, example.prompt), _question(example)
    texts = _QUOTATION.findall(question.replace(payload, "") if payload else question)
    texts += [payload] if payload else []
    if not texts:
        return example.solution == item.solution
    return all(text in item.prompt for text in texts)


def _count_met(conditions: Mapping[str, Json], example: Item) -> int:
    """Return the number of conditions that an example meets before the first that it misses."""
    drawn = example.meta["drawn"]
    met = (drawn.get(name) == value for name, value in conditions.items())
    return sum(1 for _ in takewhile(bool, met))
