"""TRAP: two words written together, whose join hides a third one that deceives tokenizers.

The prompt names the first word, so the second one is certain. A reader who mistakes the hidden
word, the trap, for a word of the join lets the second word begin where the trap begins, or ends.

As in ADT, the join stands in a sentence, and nothing else shows where it begins and ends: the
prompt repeats neither the join nor the second word, and the rest of the sentence contains neither
of the words, nor the trap. Positions count from the first letter of the first word. With
`form="bare"` the prompt shows the join alone, in quotation marks.

The wrong answers in a target, `misled`, are those of a reader who takes the trap for a word. The
tokenizer of the pairs does so in the form that is asked: with `form="bare"` the trap is one of its
tokens where the join is the whole text, and in sentences where the join follows a space (in Chinese
a colon). For our own pairs both are the same, because their tokenizer has no token with a space or
mark.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache
from typing import Final, TypeAlias

from tokenbench.answers.closed import Number
from tokenbench.answers.kind import WORD_EQUIVALENCES, likeness
from tokenbench.answers.text import Text, bare_character, bare_word, is_plain_word
from tokenbench.checks import one_of, string
from tokenbench.draw import Draw, Split, split_of
from tokenbench.errors import expected
from tokenbench.extraction import Unparsable
from tokenbench.item import Item, Json
from tokenbench.patterns import lazy_pattern
from tokenbench.quoting import pluralize, quote_if_needed
from tokenbench.records import record
from tokenbench.tasks.adt import SCHEMAS, Origin, Pair, pairs
from tokenbench.tasks.contract import Task
from tokenbench.tasks.params import Choice, Source
from tokenbench.tasks.pools import length_range, select_by_length
from tokenbench.tasks.spec import ItemSpec, LengthOrLevel, Outcome, Pool, Question
from tokenbench.tasks.wordings import question_text, questions
from tokenbench.text.answer_text import split_spelling
from tokenbench.text.languages import Language
from tokenbench.text.normalize import ROUND, strip_wrapping
from tokenbench.text.sources import CORE, FileStamp

Answer: TypeAlias = str | int

SECOND, BOUNDARY, CHARACTER, SPELL = "second", "boundary", "char", "spell"
SENTENCE, BARE = "sentence", "bare"
# At the end of each language's list are sentences that only test shows.
_TEST_CARRIERS: Final = 4
# Between the two words where they are spelled.
_PLUS: Final = "+"
# Between two letters, as in w.r.i.t.e.
_DOT_BETWEEN: Final = lazy_pattern(r"(?<=\w)\.(?=\w)")


def _spell(join: str, start: int) -> Answer:
    return " ".join([*join[:start], _PLUS, *join[start:]])


# The answer to each question if the second word begins at `start`.
_ANSWERS: Final[Mapping[str, Callable[[str, int], Answer]]] = {
    "second": lambda join, start: join[start:],
    "begin": lambda _, start: start + 1,
    "end": lambda _, start: start,
    "char": lambda join, start: join[start],
    "spell": _spell,
}


def solve(join: str, first: str) -> str:
    """Return the second one of two words that were written together.

    Args:
        join: both words.
        first: the first one.

    Raises:
        TokenbenchError: the join does not begin with the word, or has no second one.

    >>> solve("movestable", "moves")
    'table'
    """
    second = string("join", join).removeprefix(string("first", first))
    if second in ("", join):
        raise expected("first", first, f"the beginning of {join!r:.80}, and not all of it")
    return second


def answers(pair: Pair, question: str) -> tuple[Answer, list[Answer]]:
    """Return the right answer to a question about a pair, and those of falling into the trap.

    Args:
        pair: two words and the trap.
        question: `second`, the second word; `begin` and `end`, the position, from 1 on, at which
            the second word begins or the first one ends; `char`, the letter with which the second
            one begins; `spell`, the letters of both.

    Raises:
        UnknownNameError: no such question.

    >>> pair = Pair("sixth", "island", "this", 2, "both")
    >>> answers(pair, "second"), answers(pair, "begin")
    (('island', ['thisland', 'land', 'this']), (6, [4, 8]))
    """
    answer = _ANSWERS[one_of("question", question, _ANSWERS)]
    misled = [answer(pair.join, start) for start in pair.misleading]
    if question == SECOND:
        # As in ADT: an answer that is the trap itself.
        misled.append(pair.trap)
    if question == SPELL:
        # The first word, which the prompt names, and then a wrong second one.
        start = len(pair.word1)
        misled += [_spell(f"{pair.word1}{word}", start) for word in answers(pair, SECOND)[1]]
    return answer(pair.join, len(pair.word1)), list(dict.fromkeys(misled))


def fell(answer: Answer, target: Json) -> bool:
    """Return whether an answer is one of those of a reader who falls into the trap.

    >>> fell("stable", {"answer": "table", "misled": ["stable"]})
    True
    """
    return answer in target["misled"]


def _questions(variant: str | None) -> tuple[str, ...]:
    return ("begin", "end") if variant == BOUNDARY else (str(variant),)


def _tokenizer_file(path: str) -> FileStamp:
    # Imported here because our own pairs do not need it.
    from tokenbench.vocab.formats import tokenizer_file

    return tokenizer_file(path)


def _pool(spec: ItemSpec) -> Pool:
    """Return the pairs of a split, which the join decides, by the length of the join."""
    vocabulary = spec.overrides.get("vocabulary", CORE)
    origin = CORE if vocabulary == CORE else _tokenizer_file(vocabulary)
    in_sentence = origin != CORE and _form(spec) == SENTENCE
    schema, size = spec.overrides.get("schema"), spec.length_or_level()
    found = _select(spec.lang, origin, in_sentence, str(spec.variant), spec.split, schema, size)
    if not found.instances:
        raise spec.no_instance(f"no pair in {found.source} for", "give a larger vocabulary")
    return found


@lru_cache(maxsize=1024)
def _select(
    lang: str,
    origin: Origin,
    in_sentence: bool,
    variant: str,
    split: Split,
    schema: str | None,
    size: LengthOrLevel,
) -> Pool:
    found, source = pairs(lang, origin, in_sentence=in_sentence)
    usable = [one for one in found if schema in (None, one.schema) and _usable(one, variant)]
    n_train = sum(split_of(pair.join) == "train" for pair in usable)
    in_split = [pair for pair in usable if split_of(pair.join) == split]
    return Pool(select_by_length(in_split, lambda pair: len(pair.join), size, n_train), source)


def _usable(pair: Pair, variant: str) -> bool:
    """Return whether there is a trap to fall into, and the right answer is not in it."""
    both = [answers(pair, question) for question in _questions(variant)]
    return all(misled and right not in misled for right, misled in both)


def _usable_carriers(pair: Pair, spec: ItemSpec) -> list[str]:
    """Return the sentences of a split that can show a pair: without its words and its trap."""
    every = _carriers(spec.language)
    shown = every if spec.split == "test" else every[:-_TEST_CARRIERS]
    word1, word2, trap, *_ = pair
    return [
        text for text, lower in shown if not (word1 in lower or word2 in lower or trap in lower)
    ]


@cache
def _carriers(language: Language) -> list[tuple[str, str]]:
    """Return all sentences of a language, each also in small letters."""
    return [(text, text.lower()) for text in questions("trap", language)["carriers"]]


def _form(spec: ItemSpec) -> str:
    return str(spec.overrides.get("form", SENTENCE))


def _ask(pair: Pair, draw: Draw, spec: ItemSpec) -> Question:
    question, form = draw.choice(_questions(spec.variant)), _form(spec)
    right, misled = answers(pair, question)
    slots = {"first": pair.word1}
    if form == SENTENCE:
        slots["sentence"] = draw.choice(_usable_carriers(pair, spec)).format(join=pair.join)
    else:
        slots["join"] = pair.join
    return Question(
        question_text(draw, "trap", spec, form=f"{form}_{question}", **slots),
        drawn={
            "length": len(pair.join),
            "schema": pair.schema,
            "cut": pair.cut,
            "trap": pair.trap,
            "form": form,
        },
        target={"answer": right, "misled": [*misled]},
        solution=str(right),
    )


def _outcomes(pair: Pair, spec: ItemSpec) -> Iterable[Outcome]:
    asked = _questions(spec.variant)
    return [(answers(pair, question)[0], 1 / len(asked)) for question in asked]


def _read_word(text: str, item: Item, language: Language) -> str:
    read = bare_character if item.variant == CHARACTER else bare_word
    word = read(text, language).lower()
    if len(word.split()) != 1:
        raise Unparsable(f"contains {pluralize(len(word.split()), 'word')}: one is asked for")
    if item.variant == CHARACTER and len(word) != 1:
        noun = "letter" if language.counts_words else "character"
        raise Unparsable(f"is more than one {noun}: one is asked for")
    return word


def _stays(text: str, _item: Item) -> bool:
    """Return whether reading leaves a word as it is (see `Text`)."""
    return _PLAIN_WORD.fullmatch(text) is not None


def _is_plain_spelling(text: str, _item: Item) -> bool:
    return _PLAIN_SPELLING.fullmatch(text) is not None


def _read_spelling(text: str, _item: Item, _language: Language) -> str:
    """Return the letters of two words, each set apart with the separators that `spell` takes."""
    sides = " ".join(split_spelling(_DOT_BETWEEN.sub(" ", text))).lower().split(_PLUS)
    words = [strip_wrapping(side.strip(), ROUND).split() for side in sides]
    if len(words) != 2 or not all(words):
        raise Unparsable("is not two words with a plus sign between them")
    if any(len(part) > 1 for word in words for part in word):
        raise Unparsable("does not set all letters apart: a space between them is asked for")
    first, second = map("".join, words)
    return str(_spell(first + second, len(first)))


def _credit_spelling(answer: str, target: Json) -> float:
    """Return the likeness of the second word; the first, which the prompt names, must be right."""
    if fell(answer, target):
        return 0.0
    spellings = target["answer"], answer
    (first, second), (one, other) = (text.split(f" {_PLUS} ") for text in spellings)
    return likeness(other.split(), second.split()) if first == one else 0.0


def _explain(answer: Answer, target: Json) -> str:
    if fell(answer, target):
        return f"got {quote_if_needed(str(answer))}: fell into the trap"
    noun = "number" if isinstance(answer, int) else "answer"
    return f"got {quote_if_needed(str(answer))}: not the right {noun}"


@record(eq=False, kw_only=True)
class _Boundary(Number):
    """A position in the join; the positions of the trap earn nothing."""

    position: bool = True
    from_one: bool = True
    equivalences: tuple[str, ...] = ("place",)
    limit: int = 128  # as in the other variants
    further: tuple[tuple[str, str], ...] = (("misled", "list of whole numbers"),)

    lane = Number.lane

    def grade(self, answer: int, target: Json) -> float:
        return 0.0 if fell(answer, target) else super().grade(answer, target)

    def explain(self, answer: int, target: Json) -> str:
        return _explain(answer, target)


@record(eq=False, kw_only=True)
class _Words(Text):
    """A word, letter or spelling.

    Attributes:
        form: the pattern of the answers in targets.
        noun: what has that form.
    """

    form: re.Pattern[str]
    noun: str
    explanation: Callable[[str, Json], str] = _explain
    further: tuple[tuple[str, str], ...] = (("misled", "list of non-empty str"),)

    lane = Text.lane

    def target_fault(self, target: Json) -> str:
        has_form = self.form.fullmatch
        if not has_form(target[self.field]):
            return f"{self.field!r} is {self.noun}: got {target[self.field]!r:.80}"
        if not all(map(has_form, target["misled"])):
            return f"'misled' is a list of texts, each {self.noun}: got {target['misled']!r:.80}"
        return ""


_WORD: Final = lazy_pattern(r"\S+")
_LETTER: Final = lazy_pattern(r"\S")
# Those that no reading changes.
_PLAIN_WORD: Final = lazy_pattern("[a-z]+|[\u4e00-\u9fff]+")
_PLAIN_LETTERS: Final = "[a-z\u4e00-\u9fff](?: [a-z\u4e00-\u9fff])*"
_PLAIN_SPELLING: Final = lazy_pattern(rf"{_PLAIN_LETTERS} \+ {_PLAIN_LETTERS}")
# The letters of two words, as `_spell` writes them.
_SPELLING: Final = lazy_pattern(r"[^\s+]+(?: [^\s+]+)* \+ [^\s+]+(?: [^\s+]+)*")
_EQUIVALENCES: Final = (*WORD_EQUIVALENCES, "brackets")
TASK = Task(
    name="trap",
    doc="Tell two words apart that are written together, where a third one hides in the join.",
    answer={
        SECOND: _Words(
            form=_WORD,
            noun="one word",
            read=_read_word,
            stays=_stays,
            equivalences=(*_EQUIVALENCES, "noun"),
        ),
        BOUNDARY: _Boundary(),
        CHARACTER: _Words(
            form=_LETTER,
            noun="one letter",
            read=_read_word,
            stays=is_plain_word,
            equivalences=(*_EQUIVALENCES, "called", "noun"),
        ),
        SPELL: _Words(
            form=_SPELLING,
            noun="the letters of two words with a plus sign between them",
            read=_read_spelling,
            stays=_is_plain_spelling,
            credit=_credit_spelling,
            equivalences=(*_EQUIVALENCES, "spaces", "list", "marked"),
        ),
    },
    pool=_pool,
    ask=_ask,
    outcomes=_outcomes,
    source="ADT: words that tokenizers see across the boundary of two others",
    version=2,
    langs=("en", "zh"),
    params=(
        length_range("characters of the join", default=(2, 24), longest=64),
        Choice(
            "schema", SCHEMAS, help="where the join goes on beyond the hidden word", default="any"
        ),
        Source(
            "vocabulary",
            (CORE,),
            help="whose words: our own, or those of a tokenizer's file or folder",
            binary=True,
            find=_tokenizer_file,
        ),
        Choice(
            "form",
            (SENTENCE, BARE),
            help="whether the two words are shown in a sentence or alone",
            default=SENTENCE,
            cosmetic=True,
        ),
    ),
    examples=({"schema": "before"}, {"schema": "after"}, {"schema": "both"}, {}),
)
generate = TASK.generate
verify = TASK.verify
