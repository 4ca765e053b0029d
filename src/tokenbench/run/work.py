"""The work of an evaluation: from an item to a request, and from a completion to a result."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from tokenbench.item import Item
from tokenbench.prompts import chat
from tokenbench.run.options import Options
from tokenbench.run.protocol import Client, Completion, Prompt, Request, seed_of
from tokenbench.run.results import Key, Result
from tokenbench.scoring import check


class Items(Protocol):
    """Items by their places in the run: a sequence of all, or those alone that a worker needs."""

    def __getitem__(self, place: int, /) -> Item: ...


@dataclass(frozen=True)
class Work:
    """Items and what is asked of them."""

    items: Items
    options: Options

    def request(self, key: Key, item: Item) -> Request:
        """Return what the model is asked for one completion of an item."""
        messages = chat(item, self.options.style, self.options.system)
        # A text is a message too, to a model that chats, and can be put to one that does not.
        asked: Prompt = messages if self.options.system is not None else messages[0]["content"]
        seed = self.options.sampling.seed
        if seed is not None:
            seed = seed_of(seed, item.id, *key)
        return Request(asked, seed, self.options.byte_level)

    def result(self, key: Key, item: Item, completion: Completion) -> Result:
        """Return a completion, judged by every rule that the item has."""
        options = self.options
        if completion.text is None:
            return Result.of(key, item, completion)
        verdicts = {
            rule: check(completion.text, item, rule=rule, extract=options.extract)
            if is_judged(item, rule)
            else None
            for rule in options.rules
        }
        first = next(filter(None, verdicts.values()), None)
        return Result.of(
            key,
            item,
            completion,
            answer=first and first.answer,
            code=first and first.code,
            scores={rule: verdict and verdict.score for rule, verdict in verdicts.items()},
        )


# What does the work of some keys with a client, and yields the results as they come.
Engine: TypeAlias = Callable[[Client, Work, Iterable[Key]], Iterator[Result]]


def locally(client: Client, work: Work, keys: Iterable[Key]) -> Iterator[Result]:
    """Do the work in this process; `keys` are taken as the client asks for them."""
    asked: dict[int, tuple[Key, Item]] = {}

    def requests() -> Iterator[Request]:
        for place, key in enumerate(keys):
            asked[place] = key, work.items[key.place]
            yield work.request(*asked[place])

    for place, completion in client.stream(requests(), work.options.sampling):
        yield work.result(*asked.pop(place), completion)


def is_judged(item: Item, rule: str) -> bool:
    """Return whether an item has the scorer of a rule: a published one not all have.

    >>> from tokenbench import spell
    >>> is_judged(spell.generate(), "exact")
    True
    """
    if not rule.startswith("published"):
        return True
    return isinstance(item.target, dict) and item.target.get("published") is not None
