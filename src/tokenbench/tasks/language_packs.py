"""Tasks over language packs: languages, parameters, and the lines and cases to ask about.

A case is a line, which is a word, a phrase, a sentence or a text of two, with the units of it that
a question names. Tasks say which cases lines give; from them follow pools, levels and guess rates.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache, partial
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from tokenbench.draw import Split, split_of
from tokenbench.errors import Argument, DifficultyError, Words
from tokenbench.item import Json
from tokenbench.records import record, replace
from tokenbench.tasks.contract import Examples, Task
from tokenbench.tasks.params import LEVELS, Choice, Folder, Param, Source
from tokenbench.tasks.pools import (
    MIN_INSTANCES,
    length_range,
    n_bands,
    nearest_in_length,
    part_of,
)
from tokenbench.tasks.spec import ItemSpec, LengthOrLevel, Pool, Published
from tokenbench.text.graphemes import Line, characters
from tokenbench.text.languages import LANGUAGES, language
from tokenbench.text.sources import PACK, WORD_SOURCES, FileStamp, stamp
from tokenbench.text.units import CIPHERS

# Only drawing reads packs: judging does not load their modules.
if TYPE_CHECKING:
    import tokenbench
    from tokenbench.text.packs import Pack

# The variants, named after the units that a task acts on.
CHARACTERS, WORDS = "char", "word"
# The forms of questions: about a word or a sentence, named after the variants, or one of these.
PHRASE, TEXT = "phrase", "text"
_WORDS: Final = Source("words", WORD_SOURCES, help="where words come from, if not the pack")
_PACK: Final = Folder(
    "pack",
    help="a language pack of yours, in any language: its folder, or a text file of sentences",
)
WORD_PARAMS: Final = (_WORDS, _PACK)
PARAMS: Final = (
    length_range("characters of the word, or words of the sentence", default=(2, 30), longest=64),
    # Sentences come from the pack.
    replace(_WORDS, variants=(CHARACTERS,)),
    _PACK,
    Choice(
        "script",
        CIPHERS,
        help="an unseen script to write all words in",
        default="the language's own",
        cosmetic=True,
    ),
)
BALANCED, PUBLISHED = "balanced", "published"
ANSWERS: Final = Choice(
    "answers",
    (BALANCED, PUBLISHED),
    help="which questions are asked: such that nothing but the text tells the answer, or, as in "
    "the paper, about any unit",
    default=BALANCED,
)
# The examples have repeated units, which the first one is about; or just repeated units.
EXAMPLES: Final[Examples] = ({"repeated": True, "acted": True}, {"repeated": True}, {}, {})
REPEATED: Final[Examples] = ({"repeated": True}, {"repeated": True}, {}, {})

# `phrase` and `text`, or one of them, or neither.
Forms: TypeAlias = tuple[str, ...]
# Where words come from: a name, or a user's file in its present state.
Origin: TypeAlias = str | FileStamp
# A few pools for each task, language, split and level.
_POOL_CACHE_SIZE = 1024


class Case(NamedTuple):
    """A line to ask about, perhaps with the units that the question names.

    Attributes:
        line: the word, phrase, sentence or text.
        form: which of these it is: `char`, `phrase`, `word` or `text`, as prompts name it.
        units: the units that the question names, if they do not wait for the draw.
        answer: the answer, or what sets cases apart, where it does not wait for the draw.
    """

    line: Line
    form: str
    units: tuple[str, ...] = ()
    answer: Any = None


class Material(NamedTuple):
    """What cases are made of: a pack, the source of words, and the units that are acted on.

    `is_cased` says whether half of the words get a capital somewhere.
    """

    pack: "tokenbench.text.packs.Pack"  # docs/reference.py resolves the name
    origin: Origin
    variant: str
    is_cased: bool = False


# Returns the cases that lines give.
Cases: TypeAlias = Callable[[Sequence[Case], Material], Sequence[Case]]


def _own_outcome(case: Case, _spec: ItemSpec) -> list[tuple[Case, float]]:
    return [(case, 1.0)]


def _each_line(lines: Sequence[Case], _material: Material) -> Sequence[Case]:
    return lines


# A task over language packs; by default no two of its cases have the same answer.
pack_task: Final = partial(
    Task, version=2, langs=LANGUAGES, accepts_any_language=True, outcomes=_own_outcome
)


@record()
class LinePool:
    """The pool of a task that asks about words or sentences of language packs.

    Attributes:
        cases: returns the cases of lines, so that no feature of a question tells its answer; by
            default each line is one.
        published: the same, without units, for `answers="published"`: `ask` draws the units.
        forms: `phrase` if it asks about phrases where words hardly repeat a character, `text` if
            it also asks about texts of two sentences.
    """

    cases: Cases = _each_line
    published: Cases | None = None
    forms: Forms = ()

    @property
    def params(self) -> tuple[Param, ...]:
        """The parameters of the task."""
        return (*PARAMS, ANSWERS) if self.published else PARAMS

    def __call__(self, spec: ItemSpec) -> Pool:
        if self.published and is_published(spec):
            return case_pool(spec, cases=self.published, forms=())
        return case_pool(spec, cases=self.cases, forms=self.forms)


def is_published(spec: ItemSpec) -> bool:
    """Return whether the spec asks for questions as the papers ask them."""
    return spec.overrides.get(ANSWERS.name) == PUBLISHED


def case_pool(spec: ItemSpec, *, cases: Cases, forms: Forms, is_cased: bool = False) -> Pool:
    """Return the cases of a split, of the length or level that the spec asks for.

    Args:
        spec: the variant says whether words or sentences; without one, words.
        cases, forms: as in `LinePool`.
        is_cased: as in `Material`.

    Raises:
        DifficultyError: there are none.
        SourceError, MissingExtraError, UnknownNameError: as in the reading of packs and words.
    """
    variant = spec.variant or CHARACTERS
    material = Material(pack_of(spec), words_key(spec), variant, is_cased)
    found = _select(material, cases, forms, spec.split, spec.length_or_level())
    source = material.pack.source if variant == WORDS else words_label(spec)
    if not found:
        noun = "sentence" if variant == WORDS else "word"
        raise spec.no_instance(f"no {noun} in {source} for", "give a longer text, or more words")
    return Pool(found, source)


def pack_of(spec: ItemSpec) -> "Pack":
    """Return the pack that the spec asks for: the user's, or the one that ships.

    Raises:
        SourceError: the user's cannot be read.
    """
    path = spec.overrides.get("pack")
    if path is None:
        return _own_pack(spec.lang)
    from tokenbench.text.packs.model import pack_at

    _PACK.require(path, is_moved=True)
    return pack_at(path, spec.lang)


@cache
def _own_pack(lang: str) -> "Pack":
    # An import at each call would take a hundredth of an item's time.
    from tokenbench.text.packs.model import pack

    return pack(lang)


def words_key(spec: ItemSpec) -> Origin:
    """Return the source of words as a cache key: a name, or the stamp of a user's file."""
    source = str(spec.overrides.get("words", PACK))
    return source if source in WORD_SOURCES else stamp(source)


def words_label(spec: ItemSpec) -> str:
    """Return where words come from, for an item's meta."""
    from tokenbench.text.packs.wordlists import words

    return words(pack_of(spec), spec.overrides.get("words", PACK)).source


def new_units(spec: ItemSpec) -> tuple[str, ...]:
    """Return the units that may be put into a line: common characters, or words, of the pack.

    Raises:
        DifficultyError: the pack has no words of letters.
    """
    pack = pack_of(spec)
    own = pack.vocabulary if is_published(spec) else _own_words(pack)
    units = pack.common if spec.variant == CHARACTERS else own
    if not units:
        raise DifficultyError(f"no words of letters in {pack.source}", remedy="give a longer text")
    return tuple(unit for unit in units if unit == unit.lower()) or units


def length_of(case: Case) -> int:
    """Return the number of units of a case's line."""
    return len(case.line.units)


def may_name(units: Iterable[str], material: Material) -> bool:
    """Return whether a question may name units of lines: none of them is a piece of a word."""
    return material.variant == CHARACTERS or language(material.pack.lang).pieces.isdisjoint(units)


def line_facts(line: Line, unit: str | None = None) -> dict[str, Json]:
    """Return the `drawn` facts of a line, and of the unit that is acted on.

    `length` is the number of units, `count` that of the occurrences of the unit; `repeated` is true
    if any unit occurs several times, `acted` if that one does.
    """
    facts = {"length": len(line.units), "repeated": len(set(line.units)) < len(line.units)}
    if unit is None:
        return facts
    count = line.units.count(unit)
    return facts | {"count": count, "acted": count > 1}


def cute_scoring(variant: str, answer: str) -> Published | None:
    """Return how the scorer of CUTE and EXECUTE judges; letter case matters for characters only.

    It reads the answer between quotation marks, so it cannot judge one with such a mark.

    >>> cute_scoring("word", "Go home.").evaluation, cute_scoring("word", 'He said "go".')
    ('quoted_caseless', None)
    """
    if '"' in answer:
        return None
    return Published("quoted" if variant == CHARACTERS else "quoted_caseless", answer)


def in_script(spec: ItemSpec) -> Callable[[str], str]:
    """Return a function that writes a text in the script that the spec asks for.

    Raises:
        SourceError: the pack has more characters than the script.
        DifficultyError: the words are not the pack's.
    """
    script = spec.overrides.get("script")
    if script is None:
        return str
    from tokenbench.text.packs.model import cipher, encipher

    if "words" in spec.overrides:
        problem: Words = ["only enciphers the pack's words, not those of ", Argument("words")]
        raise DifficultyError(problem, argument="script")
    table = cipher(pack_of(spec), script)
    return lambda text: encipher(text, table)


@lru_cache(maxsize=_POOL_CACHE_SIZE)
def _select(
    material: Material, cases: Cases, forms: Forms, split: Split, size: LengthOrLevel
) -> tuple[Case, ...]:
    """Return the cases of a split, of a length or level if one is given."""
    length, level = size
    if length:
        # Not every line gives a case.
        lines = _lines_of(_part(material, cases, forms, split, 0, 1))
        return tuple(cases(nearest_in_length(lines, length_of, length), material))
    n_parts = 1 if level is None else _n_parts(material, cases, forms)
    return _part(material, cases, forms, split, (level or 0) * n_parts // LEVELS, n_parts)


@lru_cache(maxsize=_POOL_CACHE_SIZE)
def _n_parts(material: Material, cases: Cases, forms: Forms) -> int:
    """Return into how many parts cases are cut for ten levels: each has 200 of them in train."""
    n_parts = n_bands(len(_part(material, cases, forms, "train", 0, 1)))
    while n_parts > 1 and any(
        len(_part(material, cases, forms, "train", part, n_parts)) < MIN_INSTANCES
        for part in range(n_parts)
    ):
        n_parts -= 1
    return n_parts


@lru_cache(maxsize=_POOL_CACHE_SIZE)
def _part(
    material: Material, cases: Cases, forms: Forms, split: Split, part: int, n_parts: int
) -> tuple[Case, ...]:
    """Return the cases of a split, or one of several parts of them by length."""
    if n_parts == 1:
        return tuple(cases(_lines(material, forms, split), material))
    found = _part(material, cases, forms, split, 0, 1)
    # Each part has its share of every form.
    parts = (
        part_of([case for case in found if case.form == form], length_of, part, n_parts)
        for form in dict.fromkeys(case.form for case in found)
    )
    return tuple(cases(_lines_of(chain.from_iterable(parts)), material))


def _lines_of(found: Iterable[Case]) -> list[Case]:
    """Return the lines of cases, each once, as cases without units."""
    return list(dict.fromkeys(Case(case.line, case.form) for case in found))


@lru_cache(maxsize=_POOL_CACHE_SIZE)
def _lines(material: Material, forms: Forms, split: Split) -> tuple[Case, ...]:
    """Return the lines of a split as cases without units."""
    from tokenbench.text.packs.pieces import phrases, texts, words_repeat

    pack, origin, variant, _ = material
    if variant == CHARACTERS and PHRASE in forms and origin == PACK and not words_repeat(pack):
        return tuple(Case(line, PHRASE) for line in phrases(pack, split))
    lines = pack.sentences if variant == WORDS else _words_as_lines(pack, origin)
    in_split = (line for line in lines if split_of(line.text.lower()) == split)
    found = tuple(Case(line, variant) for line in in_split)
    if variant == WORDS and TEXT in forms:
        return found + tuple(Case(line, TEXT) for line in texts(pack, split))
    return found


@lru_cache(maxsize=_POOL_CACHE_SIZE)
def _words_as_lines(pack: "Pack", origin: Origin) -> tuple[Line, ...]:
    from tokenbench.text.packs.wordlists import words

    listed = words(pack, origin if isinstance(origin, str) else origin.path).words
    lines = map(characters, _own_words(pack) if origin == PACK else listed)
    return tuple(line for line in lines if len(line.units) > 1)


@lru_cache(maxsize=_POOL_CACHE_SIZE)
def _own_words(pack: "Pack") -> tuple[str, ...]:
    """Return the words of a pack's sentences, without pieces of words."""
    pieces = language(pack.lang).pieces
    return tuple(word for word in pack.vocabulary if word not in pieces)
