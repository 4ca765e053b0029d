"""Asking models, in batches, once for each instance, whatever interrupts it."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import replace
from typing import Final, Protocol, TypeAlias

from tokenbench.adt.instance import Instance, given
from tokenbench.adt.journal import journal
from tokenbench.adt.writing import LANGS, request, whole, written
from tokenbench.errors import TokenbenchError, unknown
from tokenbench.journal import Path
from tokenbench.vocab.traps.match import Match

_BATCH: Final = 64
_UNFIT: Final = (str, bytes, Mapping, Set)  # iterable, but no completions in the prompts' order


class Completed(Protocol):
    """A completion with more to it than its text, as clients have them."""

    @property
    def text(self) -> str | None:
        """The text; None where the request failed."""


# Called with prompts, returns or yields a completion for each, in their order. None, as a
# completion or as its text, is a request that failed: it is made again the next time.
Client: TypeAlias = Callable[[list[str]], Iterable[str | Completed | None]]


def compose(
    matches: Iterable[Match],
    client: Client,
    *,
    lang: str = "en",
    path: Path | None = None,
    batch: int = _BATCH,
    retry: bool = False,
) -> list[Instance]:
    """Return an instance for each match, with a sentence and a question that a model wrote.

    A completion that cannot be used gives an instance with a `fault` that says why: no object with
    both texts in it; a sentence that does not hold both words written together (in English, as a
    word of its own); a trap that stands elsewhere, too. A match whose request failed (a completion
    of None) gives an instance without a sentence. Source: ADT, construction of the data.

    Args:
        matches: of `TrapIndex.sample`, `rank` or others; equal ones are asked for once.
        client: called with prompts (list of str), returns or yields a completion for each, in
            order: a str, an object whose `text` is one, or None for a request that failed.
        lang: `en` or `zh`; of the prompts, sentences and questions.
        path: a file that keeps each instance as a line of JSON as soon as it comes. What it holds
            is not asked for again, so that an interrupted call is made again as it was. It may
            hold other matches, languages, and answers; but not another model's work: the file
            does not know who wrote it.
        batch: the number of prompts that the client is given at a time.
        retry: ask again for what the file has with a fault; the last line of a match counts.

    Raises:
        TokenbenchError: a batch below 1; what is no match; a client that gives no completions, or
            another number of them.
        UnknownNameError: another language.
        SourceError: the file cannot be used.

    >>> match = Match.of("moves", "table", "stable", 1)
    >>> def model(prompts):
    ...     yield '{"sentence": "Tom movestable and chair.", "question": "What does Tom do?"}'
    >>> [instance] = compose([match], model)
    >>> instance.prompt
    'Tom movestable and chair.\\nWhat does Tom do?'
    """
    if lang not in LANGS:
        raise unknown("language", lang, LANGS)

    def blank(instance: Instance) -> Instance | None:
        counts = instance.answer is None and not (retry and instance.fault)
        return Instance(instance.match, instance.lang) if counts else None

    blanks = [Instance(match, lang) for match in given(Match, matches)]
    filled = _filled(blanks, client, request, written, blank, path, batch)
    return [filled.get(one, one) for one in blanks]


def ask(
    instances: Iterable[Instance],
    client: Client,
    *,
    path: Path | None = None,
    batch: int = _BATCH,
) -> list[Instance]:
    """Return the instances with the answers of a model to their sentences and questions.

    Those that are not usable, and those whose request failed, come back without an answer. Answers
    and verdicts that instances had are left behind: they may be another model's.

    Args:
        instances: of `compose`; equal ones are asked once.
        client, path, batch: as for `compose`. A verdict (`right`) that a person writes into a line
            of the file comes back with its answer.

    Raises:
        TokenbenchError: what is no instance; a batch below 1; a client that gives no completions,
            or another number of them.
        SourceError: the file cannot be used.

    >>> match = Match.of("moves", "table", "stable", 1)
    >>> instance = Instance(match, "en", "Tom movestable and chair.", "What does Tom do?")
    >>> ask([instance], lambda prompts: ["He is stable."])[0].answer
    'He is stable.'
    """

    def blank(instance: Instance) -> Instance | None:
        return None if instance.answer is None else _unasked(instance)

    def answered(instance: Instance, completion: str) -> Instance:
        return replace(instance, answer=completion)

    blanks = [_unasked(instance) for instance in given(Instance, instances)]
    usable = [one for one in blanks if one.usable]
    filled = _filled(usable, client, lambda one: one.prompt, answered, blank, path, batch)
    return [filled.get(one, one) for one in blanks]


def _unasked(instance: Instance) -> Instance:
    return replace(instance, answer=None, right=None)


def _filled(
    blanks: list[Instance],
    client: Client,
    prompt: Callable[[Instance], str],
    fill: Callable[[Instance, str], Instance],
    blank: Callable[[Instance], Instance | None],
    path: Path | None,
    batch: int,
) -> dict[Instance, Instance]:
    """Return by blank what became of it, where a completion came, now or in an earlier call.

    Args:
        prompt: what is asked for a blank.
        fill: makes an instance of a blank and its completion.
        blank: of which blank an instance in the file was made; None where it does not count.
    """
    if not (isinstance(batch, int) and batch > 0):
        raise TokenbenchError(f"a batch has a positive number of prompts: got {batch!r}")
    filled: dict[Instance, Instance] = {}
    with journal(path) as (held, add):
        for instance in held:
            if (key := blank(instance)) is not None:
                filled[key] = instance
        missing = [one for one in dict.fromkeys(blanks) if one not in filled]
        for start in range(0, len(missing), batch):
            part = missing[start : start + batch]
            for number, text in enumerate(_texts(client, [prompt(one) for one in part])):
                if text is not None:
                    filled[part[number]] = fill(part[number], text)
                    add(filled[part[number]])
    return filled


def _texts(client: Client, prompts: list[str]) -> Iterator[str | None]:
    """Yield the completions' texts as they come, no more and no fewer than there are prompts."""
    if not callable(client):
        raise TokenbenchError(f"a client is called with prompts: got {client!r:.80}")
    completions = client(list(prompts))
    if isinstance(completions, _UNFIT) or not isinstance(completions, Iterable):
        raise TokenbenchError(
            "a client returns or yields a completion for each of its prompts, in their order, and "
            f"is no async function: got {completions!r:.80}"
        )
    came = 0
    for completion in completions:
        if came == len(prompts):
            raise TokenbenchError(f"the client gave more completions than {came} prompts")
        came += 1
        yield _text(completion)
    if came < len(prompts):
        raise TokenbenchError(f"the client gave {came} completions for {len(prompts)} prompts")


def _text(completion: object) -> str | None:
    if completion is None:
        return None
    text = getattr(completion, "text", completion)
    if isinstance(text, str):
        return whole(text)
    if text is None:
        return None
    raise TokenbenchError(f"a completion is a str or None, or its text is: got {completion!r:.80}")
