"""ADT's instances, and asking models for them: sentences, questions and answers.

An instance is a trap, the sentence and question around it, and the answer. Models are asked in
batches, once for each instance, and an interrupted call is continued by making it again.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Literal, Protocol, TypeAlias, TypeVar, get_args, get_type_hints

from tokenbench.checks import instance, integer
from tokenbench.errors import MISSING, Argument, ItemError, TokenbenchError, Words, expected
from tokenbench.files import PathLike, journal, read_lines, require_path, write_atomically
from tokenbench.item import Json, dumps
from tokenbench.quoting import describe_differences, first_few, pluralize
from tokenbench.text.languages import language, unknown_language
from tokenbench.text.sources import data_table
from tokenbench.text.units import scripts
from tokenbench.vocab.traps.match import Match

_Kind = TypeVar("_Kind")
# Why a completion cannot be used: it is too long; has no JSON object; the object's values are not
# texts; the question is empty; the sentence lacks the joined words; the trap is elsewhere, too; or
# another reason, of a person or of a file without kinds.
FaultKind: TypeAlias = Literal[
    "too_long", "no_json", "not_text", "no_question", "no_join", "trap_elsewhere", "other"
]

_MATCH_FIELDS: Final = ("word1", "word2", "trap", "cut")
# Each line begins with it, so that a torn last line is recognised.
_LINE_PREFIX: Final = b'{"word1": '
# Added to a file's name: the file of facts about its model, by the step of the pipeline.
_FACTS_SUFFIX: Final = ".run.json"
_SCRIPTS: Final = {"en": "Latin", "zh": "Han"}
LANGS: Final = tuple(_SCRIPTS)
_BATCH_SIZE: Final = 64
# Longer completions are not searched for a JSON object.
_MAX_COMPLETION_CHARS: Final = 20_000
# Strings may contain line breaks as they are.
_DECODER: Final = json.JSONDecoder(strict=False)


@dataclass(frozen=True, slots=True)
class Instance:
    """One instance of the paper's data, at any step of the pipeline.

    Args:
        match: the two words and their trap.
        lang: the language of sentence and question.
        sentence: contains both words, joined; empty before it is written.
        question: about the sentence.
        fault: why sentence and question cannot be used; None if they can.
        answer: of the model under test; None before it is asked.
        right: a person's verdict on the answer; None without one.
        fault_kind: the fault as one of a few words, to count faults by: `too_long`, `no_json`,
            `not_text`, `no_question`, `no_join`, `trap_elsewhere`; `other` for a fault without one.

    Raises:
        TokenbenchError: a field has the wrong type; a kind without a fault; the trap is not where
            the match says; or the sentence does not contain both words, joined, and no fault says
            so.

    >>> match = Match.of("moves", "table", "stable", 1)
    >>> instance = Instance(match, "en", "Tom movestable and chair.", "What does Tom do?")
    >>> instance.usable, Instance.from_json(instance.json()) == instance
    (True, True)
    """

    match: Match
    lang: str
    sentence: str = ""
    question: str = ""
    fault: str | None = None
    answer: str | None = None
    right: bool | None = None
    fault_kind: FaultKind | None = None

    def __post_init__(self) -> None:
        instance("match", self.match, Match, "a Match", error=ItemError)
        for name, kind in _FIELDS.items():
            instance(name, getattr(self, name), kind, str(kind), error=ItemError)
        if self.fault is not None and self.fault_kind is None:
            object.__setattr__(self, "fault_kind", "other")
        if self.fault_kind not in ((None,) if self.fault is None else get_args(FaultKind)):
            allowed = f"one of {', '.join(get_args(FaultKind))}, and None without a fault"
            raise expected("fault_kind", self.fault_kind, allowed, error=ItemError)
        Match.of(*self.match[:4])
        if self.usable and self.join not in self.sentence:
            allowed = f"a sentence with {self.join!r}"
            raise expected("sentence", self.sentence, allowed, error=ItemError)

    @property
    def join(self) -> str:
        """Both words, written together."""
        return self.match.word1 + self.match.word2

    @property
    def usable(self) -> bool:
        """Whether sentence and question are written, and without fault."""
        return self.fault is None and bool(self.sentence and self.question)

    @property
    def prompt(self) -> str:
        """The prompt for the model under test: the sentence, and the question on a second line.

        The sentence comes first and ends with a line break, so that it is tokenised as it is alone.
        """
        return f"{self.sentence}\n{self.question}"

    def json(self) -> str:
        """Return the instance as one line of JSON, the match's fields among the others."""
        return dumps(self.match._asdict() | {name: getattr(self, name) for name in _FIELDS})

    @classmethod
    def from_json(cls, text: str) -> "Instance":
        """Return the instance that `json` wrote; further fields are ignored.

        Raises:
            ItemError: the text is not JSON, or a field is missing or of the wrong type.
        """
        try:
            values = json.loads(text)
            match = Match.of(*(values[name] for name in _MATCH_FIELDS))
            return cls(match, **{name: values[name] for name in _FIELDS if name in values})
        except TokenbenchError:
            raise
        except (TypeError, ValueError, LookupError, RecursionError) as error:
            raise ItemError(f"not an instance as adt.compose writes it: {error!r:.80}") from None


# An instance's line of JSON has the fields of its match, then these.
_FIELDS: Final[dict[str, Any]] = {
    name: kind for name, kind in get_type_hints(Instance).items() if name != "match"
} | {"fault_kind": str | None}


def require_each(kind: type[_Kind], values: Iterable[_Kind]) -> Iterator[_Kind]:
    """Yield an argument's values.

    Raises:
        ItemError: one is not of the kind.
    """
    for value in values:
        yield instance("values", value, kind, f"{kind.__name__} objects", error=ItemError)


def final_answer(completion: str) -> str:
    """Return a completion without the model's thoughts; nothing if they do not end.

    >>> final_answer("<think>Stable?</think> He moves it."), final_answer("<think>Stable?")
    (' He moves it.', '')
    """
    final = completion.rpartition("</think>")[2]
    return "" if "<think>" in final else final


def mend_surrogates(text: str) -> str:
    """Return a text that UTF-8 can encode: halves of surrogate pairs are joined, or replaced."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def read(path: PathLike) -> list[Instance]:
    """Return the instances of a file that `compose` or `ask` wrote, in its order.

    Of several lines for a match, which `compose(retry=True)` writes, the last one counts. A last
    line that a crash has torn is ignored.

    Raises:
        SourceError: the file cannot be read, or another line is not an instance.
    """
    lines = read_lines(path, Instance.from_json, _LINE_PREFIX)
    return list({(one.match, one.lang, one.answer is None): one for one in lines}.values())


@contextmanager
def open_journal(
    path: PathLike | None, step: Literal["compose", "ask"], facts: Mapping[str, Json] | None
) -> Iterator[tuple[list[Instance], Callable[[Instance], None]]]:
    """Give the instances of a file, and a function that adds one to it at once.

    Without a path there are none, and nothing is saved.

    Args:
        path: the file.
        step: which instances are to be added: those with answers, or without.
        facts: what the instances of the step have in common, such as the model's name; kept in a
            file next to it.

    Raises:
        SourceError: as `tokenbench.files.journal`; or the file of facts cannot be used.
        TokenbenchError: other facts than those of the file.
    """
    if path is None:
        yield [], lambda _: None
        return
    with journal(path, Instance.from_json, _LINE_PREFIX) as (instances, add):
        if facts is not None:
            is_begun = any((one.answer is not None) == (step == "ask") for one in instances)
            _compare_or_write_facts(require_path(path), step, facts, is_begun)
        yield instances, lambda one: add(one.json())


def _compare_or_write_facts(
    path: str, step: str, facts: Mapping[str, Json], is_begun: bool
) -> None:
    now, file = json.loads(json.dumps(dict(facts))), Path(path + _FACTS_SUFFIX)
    record = json.loads(file.read_bytes()) if file.exists() else {}
    if not is_begun:
        with write_atomically(file) as part:
            part.write_text(json.dumps(record | {step: now}, indent=1) + "\n", "utf-8")
    # Whose the instances of a file without facts are is not known.
    elif differences := describe_differences(record.get(step, now), now):
        problem = f"{path!r} has the work of another model, or of other options: {differences}"
        raise TokenbenchError(problem, remedy="give the same to continue it, or another file")


class Completed(Protocol):
    """A completion with more to it than its text, as clients have them."""

    @property
    def text(self) -> str | None:
        """The text; None if the request failed."""


# Called with prompts; returns or yields a completion for each, in their order. None, as a
# completion or as its text, is a failed request: the next call makes it again.
Client: TypeAlias = Callable[[list[str]], Iterable[str | Completed | None]]


def compose(
    matches: Iterable[Match],
    client: Client,
    *,
    lang: str = "en",
    path: PathLike | None = None,
    batch: int = _BATCH_SIZE,
    retry: bool = False,
    facts: Mapping[str, Json] | None = None,
) -> list[Instance]:
    """Return an instance for each match, with a sentence and a question that a model wrote.

    A completion that cannot be used gives an instance with a `fault` that says why, and a
    `fault_kind` to count by: no JSON object
    with both texts; a sentence without both words written together (in English, as a word of its
    own); a trap elsewhere, too. A match whose request failed (a completion of None) gives an
    instance without a sentence. Source: ADT, construction of the data.

    Args:
        matches: of `TrapIndex.sample`, `rank` or others; equal ones are requested once.
        client: called with prompts (list of str), returns or yields a completion for each, in
            order: a str, an object whose `text` is one, or None for a request that failed.
        lang: `en` or `zh`; of the prompts, sentences and questions.
        path: a file that keeps each instance as a line of JSON as soon as it comes. Instances that
            it has are not requested again, so that an interrupted call can be made again. It may
            have other matches, languages, and answers; but not another model's work: give `facts`
            to have that checked.
        batch: the number of prompts that the client gets at a time.
        retry: request instances with a fault again; the last line of a match counts.
        facts: what to keep about the model, such as its name and sampling, in a file with the
            further suffix `.run.json`: a later call with other facts is refused.

    Raises:
        TokenbenchError: a batch below 1; a value that is not a match, or one whose words are not in
            the script of the language; other facts than before; a client that does not give
            completions, or another number of them.
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
        raise unknown_language("language", lang, LANGS)

    def blank_of(instance: Instance) -> Instance | None:
        counts = instance.answer is None and not (retry and instance.fault)
        return Instance(instance.match, instance.lang) if counts else None

    blanks = [Instance(match, lang) for match in require_each(Match, matches)]
    _check_scripts(blanks, lang)
    kept = open_journal(path, "compose", facts)
    done = _complete(blanks, client, writer_prompt, parse_writing, blank_of, kept, batch)
    return [done.get(blank, blank) for blank in blanks]


def _check_scripts(blanks: Iterable[Instance], lang: str) -> None:
    """Refuse words that no sentence in a language contains."""
    script = _SCRIPTS[lang]
    if others := [one.join for one in blanks if script not in (scripts(one.join) or [script])]:
        n_matches = pluralize(len(others), "match", "matches")
        problem = f"{n_matches} without a letter of {script}: {first_few(others)}"
        remedy: Words = ["leave them out, or choose another ", Argument("lang")]
        raise TokenbenchError(problem, argument="lang", value=lang, remedy=remedy)


def ask(
    instances: Iterable[Instance],
    client: Client,
    *,
    path: PathLike | None = None,
    batch: int = _BATCH_SIZE,
    facts: Mapping[str, Json] | None = None,
) -> list[Instance]:
    """Return the instances with the answers of a model to their sentences and questions.

    Those that are not usable, and those whose request failed, come back without an answer. Earlier
    answers and verdicts of the instances are dropped: they may be another model's.

    Args:
        instances: of `compose`; equal ones are asked once.
        client, path, batch, facts: as for `compose`. A verdict (`right`) that a person writes into
            a line of the file comes back with its answer.

    Raises:
        TokenbenchError: a value that is not an instance; a batch below 1; other facts than before;
            a client that does not give completions, or another number of them.
        SourceError: the file cannot be used.

    >>> match = Match.of("moves", "table", "stable", 1)
    >>> instance = Instance(match, "en", "Tom movestable and chair.", "What does Tom do?")
    >>> ask([instance], lambda prompts: ["He is stable."])[0].answer
    'He is stable.'
    """

    def blank_of(instance: Instance) -> Instance | None:
        return None if instance.answer is None else replace(instance, answer=None, right=None)

    def fill(blank: Instance, completion: str) -> Instance:
        return replace(blank, answer=completion)

    blanks = [replace(one, answer=None, right=None) for one in require_each(Instance, instances)]
    usable = [blank for blank in blanks if blank.usable]
    kept = open_journal(path, "ask", facts)
    done = _complete(usable, client, lambda one: one.prompt, fill, blank_of, kept, batch)
    return [done.get(blank, blank) for blank in blanks]


def _complete(
    blanks: list[Instance],
    client: Client,
    prompt_of: Callable[[Instance], str],
    fill: Callable[[Instance, str], Instance],
    blank_of: Callable[[Instance], Instance | None],
    kept: AbstractContextManager[tuple[list[Instance], Callable[[Instance], None]]],
    batch: int,
) -> dict[Instance, Instance]:
    """Return the completed instance of each blank that has a completion, in the file or new.

    Args:
        prompt_of: gives the prompt of a blank.
        fill: makes an instance of a blank and its completion.
        blank_of: gives the blank of an instance in the file; None for instances to ignore.
        kept: of `open_journal`.
    """
    integer("batch", batch, least=1)
    with kept as (instances, add):
        pairs = ((blank_of(instance), instance) for instance in instances)
        done = {blank: instance for blank, instance in pairs if blank is not None}
        missing = [blank for blank in dict.fromkeys(blanks) if blank not in done]
        for start in range(0, len(missing), batch):
            part = missing[start : start + batch]
            texts = _texts(client, [prompt_of(blank) for blank in part])
            for text, blank in zip(texts, part, strict=True):
                if text is not None:
                    done[blank] = fill(blank, text)
                    add(done[blank])
    return done


def _texts(client: Client, prompts: list[str]) -> Iterator[str | None]:
    """Yield the completions' texts as they come; require as many as there are prompts."""
    completions = iter(client(list(prompts)))
    for index in range(len(prompts) + 1):
        completion = next(completions, MISSING)
        if index == len(prompts) and completion is MISSING:
            return
        text = getattr(completion, "text", completion)
        if index == len(prompts) or not isinstance(text, str | None):
            allowed = f"a str or None for each of {pluralize(len(prompts), 'prompt')}, in order"
            raise expected("completions", completion, allowed)
        yield None if text is None else mend_surrogates(text)


def writer_prompt(instance: Instance) -> str:
    """Return the prompt that asks for a sentence and a question about an instance's match."""
    prompt: str = data_table(__package__, "prompts.toml")[instance.lang].strip()
    return prompt.format(join=instance.join, **instance.match._asdict())


def parse_writing(blank: Instance, completion: str) -> Instance:
    """Return an instance with the sentence and question of a completion, or with their fault.

    The last JSON object with both counts, whatever text is around it.

    >>> from tokenbench.vocab.traps import Match
    >>> blank = Instance(Match.of("moves", "table", "stable", 1), "en")
    >>> parse_writing(blank, 'Sure! {"sentence": "He moves tables.", "question": "Which?"}').fault
    "the sentence does not contain 'movestable'"
    """
    final = final_answer(completion)
    if len(final) > _MAX_COMPLETION_CHARS:
        fault = f"a completion of more than {_MAX_COMPLETION_CHARS} characters"
        return replace(blank, fault=fault, fault_kind="too_long")
    objects = list(_objects(final))
    if not objects:
        fault = f"no JSON object with sentence and question: {final!r:.80}"
        return replace(blank, fault=fault, fault_kind="no_json")
    sentence, question = (objects[-1][name] for name in ("sentence", "question"))
    if not (isinstance(sentence, str) and isinstance(question, str)):
        fault = f"sentence and question are not texts: {objects[-1]!r:.80}"
        return replace(blank, fault=fault, fault_kind="not_text")
    sentence, question = mend_surrogates(sentence).strip(), mend_surrogates(question).strip()
    kind, writing_fault = _find_fault(blank, sentence, question) or (None, None)
    return replace(
        blank, sentence=sentence, question=question, fault=writing_fault, fault_kind=kind
    )


def _objects(text: str) -> Iterator[dict[str, Any]]:
    end = 0
    while (start := text.find("{", end)) >= 0:
        end = start + 1
        try:
            value, value_end = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict) and {"sentence", "question"} <= value.keys():
            yield value
            end = value_end


def _find_fault(blank: Instance, sentence: str, question: str) -> tuple[FaultKind, str] | None:
    join, trap = blank.join, blank.match.trap
    if not question:
        return "no_question", "the question is empty"
    pattern = re.escape(join)
    # Where words are separated by spaces, a join within a longer word is not a join of two words.
    if language(blank.lang).counts_words:
        pattern = rf"(?<!\w){pattern}(?!\w)"
    if not re.search(pattern, sentence):
        how = " as a word of its own" if join in sentence else ""
        return "no_join", f"the sentence does not contain {join!r}{how}"
    for name, text in (("sentence", sentence), ("question", question)):
        if any(trap in part for part in text.split(join)):
            return "trap_elsewhere", f"the {name} contains {trap!r} apart from {join!r}"
    return None
