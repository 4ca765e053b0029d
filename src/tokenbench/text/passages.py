"""Running text of an exact number of units: whole sentences, or cut from a user's text.

A scene has people, things and places, and sentences with slots for these (`scenes.toml` of a
language); the aligned sentences of the packs belong to scenes as well. Neighbors in a text are of
one scene, and so about the same few people; a thing is told of once, so that sentences do not
contradict one another. A scene is of one split, and so is a sentence.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from itertools import accumulate, chain, count, islice, pairwise, product
from typing import Any, Final, NamedTuple, TypeAlias

from tokenbench.draw import Draw, Split, split_of
from tokenbench.errors import DifficultyError, SourceError
from tokenbench.grouping import group
from tokenbench.patterns import lazy_pattern
from tokenbench.quoting import pluralize
from tokenbench.records import record, replace
from tokenbench.text.languages import Language
from tokenbench.text.lexicon import Words, repertoire, words
from tokenbench.text.packs import pack
from tokenbench.text.sources import (
    CACHE_SIZE,
    CORE,
    Content,
    FileStamp,
    data_label,
    data_table,
    data_text,
    read_text,
    stamp,
)
from tokenbench.text.units import is_plain, normalize_units, unit_pattern, units

_FOLDERS: Final = "tokenbench.text.languages"
_FILE: Final = "scenes.toml"
# The scene of each aligned sentence, line by line.
_ALIGNED: Final = ("tokenbench.text", "data", "scenes.txt")
# In this scene words are spoken of as words, so that any word will do in its slot.
_SCENE_OF_WORDS: Final = "words"
_WORD: Final = "word"
# The lists of a scene that fill no slot: its sentences, and which of its slots are for people.
_FRAMES, _PEOPLE = "frames", "people"
# Of scenes that are not for training.
_SPLITS: Final[Mapping[str, Split]] = {
    "clinic": "validation",
    "library": "validation",
    "workshop": "test",
    "concert": "test",
}
_N_SCENES_OF_WORDS: Final = 512  # cached: by language, split, and theme of the words
_STRETCH: Final = (5, 9)  # sentences of one scene
_FEW_UNITS: Final = 24  # that do not make a stretch of their own
_LAST_UNITS: Final = 16  # fewer are left for one sentence, or for none
_N_RECENT: Final = 4  # sentences before another one, whose words it should not repeat
_N_OF_OTHER_FORM: Final = 5  # the same for its form: a question, an exclamation, an opening
# How much the same sentence, and one much like another, weigh in words that come again.
_AGAIN, _LIKE = 100, 10
_CAST: Final = 3  # people of a slot in a stretch, and things that are chosen from
# Sentences that are compared for a place, and more, the fewer units are left.
_N_COMPARED: Final = 6
_EXACT_COMPARED: Final = 12  # of sentences of a given size
_STOPS: Final = ".。"
_OPENING_OF_WORDS: Final = 5  # letters
_COMPARED_UNITS: Final = 60
# How much a letter of the average word weighs, in words of the sentence.
_LETTER_WEIGHT: Final = 12
# A slot: its name, a 2 for another filler than that of the same name, and a particle.
_SLOT: Final = lazy_pattern(r"\{(\w+?)(2?)(?::(\w+))?\}")
_SOUND: Final = lazy_pattern(r"[^\W\d_]+(?:(?:[,，、] ?| )[^\W\d_]+)*[.?!。？！]")
_LETTERS: Final = lazy_pattern(r"[^\W\d_]+")
_MARKS: Final = lazy_pattern("[,.!?;:。、]")  # in a normalized text
_FULLWIDTH: Final = str.maketrans(",.!?;:", "，。！？；：")

# Whether longer sentences, and longer words, are preferred (1), or shorter ones (-1).
Style: TypeAlias = tuple[int, int]


class _Slot(NamedTuple):
    """A slot of a frame: its name, whether it takes another filler, and the particle after it."""

    name: str
    is_second: bool = False
    particle: str = ""


@record(eq=False, slots=True)
class _Frame:
    """A sentence with slots: the texts around these, and how many units they have."""

    literals: tuple[str, ...]
    slots: tuple[_Slot, ...]
    size: int
    opening: str  # its first letters, none if it begins with a slot
    stems: frozenset[str]  # of the words around its slots

    def sentence(self, fillers: Sequence[str], language: Language) -> "_Candidate":
        """Return the sentence with its slots filled."""
        texts, size = [], self.size
        for slot, filler in zip(self.slots, fillers, strict=True):
            text, n_units = _in_slot(filler, slot, language)
            texts.append(text)
            size += n_units
        pairs = zip(self.literals, (*texts, ""), strict=True)
        text = _capitalize("".join(chain.from_iterable(pairs)))
        parts = [self.stems, *(_stems(filler, language) for filler in fillers)]
        stems = frozenset(chain.from_iterable(parts))
        n_own_repeats = sum(map(len, parts)) - len(stems)
        return _Candidate(text, size, self, fillers, stems, n_own_repeats)


class _Candidate(NamedTuple):
    """A sentence for a place: its text and number of units, and what it is made of.

    `stems` are those of its words, and `n_own_repeats` says how many come again within it.
    """

    text: str
    size: int
    frame: _Frame
    fillers: Sequence[str]
    stems: frozenset[str]
    n_own_repeats: int

    def preference(self, style: Style | None, told: Sequence["_Candidate"]) -> tuple[int, float]:
        """Return how well the sentence suits those before it and a style; any does without one."""
        recent = told[-_N_RECENT:]
        is_again = any(self.text == one.text for one in told)
        is_again |= len(set(self.fillers)) < len(self.fillers)
        is_like = any(self.frame is one.frame for one in told)
        is_like |= any(self._echoes(one) for one in recent[-1:])
        repeats = self.n_own_repeats
        repeats += sum(not self.stems.isdisjoint(one.stems) for one in recent)
        repeats += any(self._has_form_of(one) for one in told[-_N_OF_OTHER_FORM:])
        faults = _AGAIN * is_again + _LIKE * is_like + repeats
        if style is None:
            return -faults, 0.0
        longer_sentences, longer_words = style
        letters = len(self.text) / self.size
        weight = longer_sentences * self.size + longer_words * _LETTER_WEIGHT * letters
        return -faults, weight

    def _echoes(self, before: "_Candidate") -> bool:
        """Return whether the sentence has the form of its neighbor, or is about the same person."""
        return self._has_form_of(before) or not set(self.fillers).isdisjoint(before.fillers)

    def _has_form_of(self, other: "_Candidate") -> bool:
        """Return whether both sentences begin alike, or neither ends with a stop but both alike."""
        opening, mark = self.frame.opening, self.text[-1]
        begins_alike = opening != "" and opening == other.frame.opening
        return begins_alike or (mark == other.text[-1] and mark not in _STOPS)


class _Memory(NamedTuple):
    """The sentences of a text so far, their frames and fillers: these come again last of all."""

    sentences: list[_Candidate]
    frames: set[_Frame]
    fillers: set[str]


@record(eq=False)
class Scene:
    """Frames of sentences, and what fills their slots.

    Attributes:
        language: the language of the sentences.
        frames: the sentences, with slots or without.
        fillers: texts by the name of the slot.
        people: the names of the slots for people, who may come in one sentence after another.
    """

    language: Language
    frames: tuple[_Frame, ...]
    fillers: Mapping[str, tuple[str, ...]]
    people: frozenset[str]

    @cached_property
    def _choices(self) -> dict[int, tuple[tuple[_Frame, tuple[int, ...]], ...]]:
        """Frames with the sizes of their fillers, by the number of units of the sentence."""
        return group(
            (frame.size + sum(sizes), (frame, sizes))
            for frame in self.frames
            for sizes in product(*map(self._by_size, frame.slots))
        )

    @cached_property
    def _frames_by_size(self) -> dict[int, frozenset[_Frame]]:
        """The frames of the sentences that have some number of units."""
        return {
            size: frozenset(frame for frame, _ in choices)
            for size, choices in self._choices.items()
        }

    @cached_property
    def _phrases(self) -> dict[int, tuple[str, ...]]:
        """All fillers, by their number of units."""
        by_size = (self._by_size(_Slot(name)).items() for name in self.fillers)
        return group((size, text) for sizes in by_size for size, texts in sizes for text in texts)

    def has_text(self, n: int) -> bool:
        """Return whether there are sentences, or at least phrases, with n units in all."""
        return self.can_sum_to(n) or _can_sum(frozenset(self._phrases), n)

    def can_sum_to(self, n: int) -> bool:
        """Return whether some sentences have n units together; no sentence has none."""
        return _can_sum(frozenset(self._choices), n)

    def stretch(
        self,
        draw: Draw,
        n: int,
        n_sentences: int,
        style: Style | None,
        told: _Memory,
        may_remain: Callable[[int], bool] | None = None,
    ) -> Iterator[tuple[str, int]]:
        """Yield sentences about the same people and things, with their numbers of units.

        It ends early where no sentence fits, and goes on while only a few units are left.

        Args:
            draw: makes the choices.
            n: units in all.
            n_sentences: how many sentences, unless few units are left.
            style: the sentences to prefer; None takes any.
            told: the sentences of the text so far; those that are yielded are added.
            may_remain: whether a number of units may remain after a sentence; by default those may
                which the scene's sentences can make up.
        """
        may_remain = may_remain or self.can_sum_to
        frames = [frame for frame in self.frames if frame not in told.frames]
        people: dict[str, list[str]] = {}
        while n and (n_sentences > 0 or n < _FEW_UNITS):
            n_compared = _N_COMPARED + (_COMPARED_UNITS // n if style else 0)
            fitting: list[_Candidate] = []
            for _ in range(min(2 * n_compared + _N_COMPARED, len(frames))):
                if len(fitting) == n_compared:
                    break
                frame = frames.pop(draw.below(len(frames)))
                fillers = self._fillers_for(draw, frame, people, told.fillers)
                sentence = frame.sentence(fillers, self.language)
                rest = n - sentence.size
                if rest >= 0 and may_remain(rest) and self._can_end(rest, frame, told):
                    fitting.append(sentence)
            chosen = max(
                fitting or self._fitting_exactly(draw, n, may_remain, told),
                key=lambda sentence: sentence.preference(style, told.sentences),
                default=None,
            )
            if chosen is None:
                return
            if chosen.frame in frames:
                frames.remove(chosen.frame)
            told.sentences.append(chosen)
            told.frames.add(chosen.frame)
            told.fillers.update(chosen.fillers)
            n -= chosen.size
            n_sentences -= 1
            yield chosen.text, chosen.size

    def _can_end(self, n: int, frame: _Frame, told: _Memory) -> bool:
        """Return whether n units are many, or one sentence of a frame that was not told."""
        if n == 0 or n >= _LAST_UNITS:
            return True
        return not self._frames_by_size.get(n, frozenset()) <= {*told.frames, frame}

    def _fitting_exactly(
        self,
        draw: Draw,
        n: int,
        may_remain: Callable[[int], bool],
        told: _Memory,
    ) -> Iterator[_Candidate]:
        """Yield sentences after which the rest may remain, if possible of frames that are new."""
        sizes = [size for size in sorted(self._choices) if size <= n and may_remain(n - size)]
        untold = {
            size: frames - told.frames for size, frames in self._frames_by_size.items() if size <= n
        }
        fresh = [size for size in sizes if untold[size]]
        if n < 2 * _FEW_UNITS:
            # The rest, too, should be of frames that were not told, and of others than this one.
            rests = frozenset(size for size, frames in untold.items() if frames)
            fresh = [
                size
                for size in fresh
                if _can_sum(rests - {size} if len(untold[size]) == 1 else rests, n - size)
            ] or fresh
        for _ in range(_EXACT_COMPARED if sizes else 0):
            size = draw.choice(fresh or sizes)
            choices = [choice for choice in self._choices[size] if choice[0] not in told.frames]
            frame, parts = draw.choice(choices or self._choices[size])
            fillers: list[str] = []
            for slot, part in zip(frame.slots, parts, strict=True):
                options = [text for text in self._by_size(slot)[part] if text not in fillers]
                fresh_options = [text for text in options if text not in told.fillers]
                fillers.append(draw.choice(fresh_options or options or self._by_size(slot)[part]))
            yield frame.sentence(fillers, self.language)

    def phrases(self, draw: Draw, n: int, first: str = "") -> str:
        """Return a list of phrases with n units in all; an empty text if there is none.

        Args:
            draw: makes the choices.
            n: units in all, those of the first phrase included.
            first: the first phrase, if it is given.
        """
        by_size, sizes = self._phrases, frozenset(self._phrases)
        found = [first] if first else []
        n -= len(units(first, self.language))
        if n < 0 or not _can_sum(sizes, n):
            return ""
        while n:
            fitting = [size for size in sorted(sizes) if size <= n and _can_sum(sizes, n - size)]
            size = draw.choice(fitting)
            texts = by_size[size]
            found.append(draw.choice([text for text in texts if text not in found] or texts))
            n -= size
        return _capitalize(self.language.comma.join(found) + self.language.stops[0])

    def _by_size(self, slot: _Slot) -> dict[int, tuple[str, ...]]:
        return _by_size(self.fillers[slot.name], slot, self.language)

    def _fillers_for(
        self, draw: Draw, frame: _Frame, people: dict[str, list[str]], told: Collection[str]
    ) -> list[str]:
        """Return what fills a frame's slots: people of a stretch, and things not told of.

        Args:
            draw: makes the choices.
            frame: the frame.
            people: the people of the stretch, by the name of the slot; those that it lacks are
                added.
            told: the fillers of the text so far.
        """
        here: dict[str, list[str]] = {}
        for name in dict.fromkeys(slot.name for slot in frame.slots):
            known = self.fillers[name]
            if name in self.people and name not in people:
                chosen = draw.sample(len(known), min(_CAST, len(known)))
                people[name] = [known[index] for index in chosen]
            texts = people.get(name, known)
            start = draw.below(len(texts))
            in_turn = (texts[start - step] for step in range(len(texts)))
            fresh = in_turn if name in people else (text for text in in_turn if text not in told)
            here[name] = list(islice(fresh, 2)) or [texts[start]]
        return [here[slot.name][-slot.is_second] for slot in frame.slots]


def passage(
    draw: Draw,
    language: Language,
    n: int,
    split: Split,
    *,
    source: str = CORE,
    text: str | None = None,
    has_style: bool = False,
) -> Content:
    """Return a text of exactly n units: no digit, hyphen, apostrophe or other script's letter.

    It ends as a sentence does. A text that is too short for a sentence is a list of phrases.

    Args:
        draw: makes the choices.
        language: the language of the text.
        n: the text's number of units.
        split: whose scenes and sentences it is made of.
        source: `core`, or words to speak of (see `tokenbench.text.lexicon.words`).
        text: the path of a running text to cut from instead.
        has_style: whether the text has longer, or shorter, sentences and words than others do, so
            that marks and letters do not tell its number of units.

    Raises:
        DifficultyError: no text has n units.
        SourceError: a file that cannot be read, or has fewer than n units.
    """
    if text is not None:
        return _cut(draw, language, n, text)
    if source == CORE:
        scenes, label = _scenes(language, split), _label(language)
    else:
        listed, label = words(language.code, source)
        scenes = (_scene_of_words(language, split, listed),)
    fitting = [scene for scene in scenes if scene.has_text(n)]
    if not fitting:
        lengths = (length for step in count(1) for length in (n - step, n + step) if length > 0)
        nearest = next(length for length in lengths if any(s.has_text(length) for s in scenes))
        problem = f"no sentences of {label} have {pluralize(n, language.unit_name)} in all"
        remedy = f"the nearest length is {nearest}"
        raise DifficultyError(problem, argument="length", value=n, remedy=remedy)
    style = (draw.between(-1, 1), draw.choice((-1, 1))) if has_style else None
    found = _compose(draw, scenes, n, style, _Memory([], set(), set()))
    return Content(found or draw.choice(fitting).phrases(draw, n), label)


def compose_about(
    draw: Draw, language: Language, n: int, split: Split, topic: str, others: Sequence[str]
) -> str:
    """Return a text of exactly n units that begins with a topic; an empty one if there is none.

    Args:
        draw: makes the choices.
        language: the language of the text.
        n: the text's number of units.
        split: whose scenes and sentences it is made of.
        topic: the word that the first sentence speaks of.
        others: words that the next sentences may speak of.
    """
    scene = _scene_of_words(language, split, tuple(others))
    frames = tuple(
        frame for frame in scene.frames if [slot.name for slot in frame.slots].count(_WORD) == 1
    )
    opening = replace(scene, frames=frames, fillers={**scene.fillers, _WORD: (topic,)})
    scenes = (scene, *_scenes(language, split))
    told = _Memory([], set(), set())
    opened = opening.stretch(draw, n, 1, None, told, lambda rest: _any_can_sum(scenes, rest))
    first, size = next(opened, ("", 0))
    if not first:
        return scene.phrases(draw, n, topic)
    rest = _compose(draw, scenes, n - size, None, told, scene)
    return language.sentence_joiner.join(filter(None, (first, rest)))


def vocabulary(language: Language, source: str = CORE) -> Words:
    """Return the repertoire of a language without the Hangul syllables that are hardly used.

    The core syllables are those of our own Korean words and sentences. The source and the errors
    are those of `tokenbench.text.lexicon.words`.

    >>> from tokenbench.text.languages import language
    >>> len(vocabulary(language("zh")).words), "뷁" in vocabulary(language("ko")).words
    (3755, False)
    """
    if language.unit == "hangul" and source == CORE:
        return _core_syllables(language)
    return repertoire(language, source)


def _compose(
    draw: Draw,
    scenes: Sequence[Scene],
    n: int,
    style: Style | None,
    told: _Memory,
    scene: Scene | None = None,
) -> str:
    """Return sentences with n units in all, of one scene after another; "" if there are none.

    Args:
        draw, scenes, n, style, told: as in `Scene.stretch`.
        scene: the first scene, if it is given.
    """
    sentences: list[str] = []
    while n:
        fitting = [one for one in scenes if one.can_sum_to(n)]
        if not fitting:
            return ""
        if scene is None or scene not in fitting or sentences:
            scene = draw.choice([one for one in fitting if one is not scene] or fitting)
        for text, size in scene.stretch(draw, n, draw.between(*_STRETCH), style, told):
            sentences.append(text)
            n -= size
    return scenes[0].language.sentence_joiner.join(sentences)


def _any_can_sum(scenes: Iterable[Scene], n: int) -> bool:
    return any(scene.can_sum_to(n) for scene in scenes)


def _can_sum(sizes: frozenset[int], n: int) -> bool:
    return _sums(sizes, 1 << n.bit_length())[n]


@lru_cache(maxsize=1024)
def _sums(sizes: frozenset[int], end: int) -> tuple[bool, ...]:
    """Return for each number below an end whether it is a sum of some of the sizes."""
    found = [True]
    for n in range(1, end):
        found.append(any(size <= n and found[n - size] for size in sizes))
    return tuple(found)


@lru_cache(maxsize=4096)
def _by_size(
    fillers: tuple[str, ...], slot: _Slot, language: Language
) -> dict[int, tuple[str, ...]]:
    """Return fillers by the number of units that they have in a slot."""
    return group((_in_slot(filler, slot, language)[1], filler) for filler in fillers)


@lru_cache(maxsize=1 << 14)
def _in_slot(filler: str, slot: _Slot, language: Language) -> tuple[str, int]:
    """Return a filler with the slot's particle, and its number of units.

    A word that is spoken of stands in quotation marks.
    """
    text = f"“{filler}”" if slot.name == _WORD else filler
    text += language.particle_like(slot.particle, filler) if slot.particle else ""
    return text, len(units(text, language))


@cache
def _core_syllables(language: Language) -> Words:
    """Return the different Hangul syllables of the core lexicon and the pack's sentences, sorted.

    >>> from tokenbench.text.languages import language
    >>> _core_syllables(language("ko")).words[:3]
    ('가', '각', '간')
    """
    nouns, label = words(language.code)
    sentences = pack(language.code)
    texts = (*nouns, *(line.text for line in sentences.sentences))
    syllables = {unit for text in texts for unit in units(text, language)}
    return Words(tuple(sorted(syllables)), f"syllables of {label} and {sentences.source}")


def _capitalize(text: str) -> str:
    return text[0].upper() + text[1:]


@cache
def _scenes(language: Language, split: Split) -> tuple[Scene, ...]:
    """Return the scenes of a split, without that of words."""
    sentences = _sentences_by_scene(language, split)
    return tuple(
        _scene(table, (*table[_FRAMES], *sentences.get(name, ())), language)
        for name, table in _tables(language).items()
        if name != _SCENE_OF_WORDS and _SPLITS.get(name, "train") == split
    )


@lru_cache(maxsize=_N_SCENES_OF_WORDS)
def _scene_of_words(language: Language, split: Split, listed: tuple[str, ...]) -> Scene:
    """Return the scene in which words are spoken of, with the frames of a split.

    Words with a unit that is an answer word are left out, and with all words the frames for them.
    """
    table = _tables(language)[_SCENE_OF_WORDS]
    fit = tuple(
        word for word in listed if language.answer_words.isdisjoint(units(word.lower(), language))
    )
    own = (text for text in table[_FRAMES] if split_of(text) == split)
    frames = [text for text in own if fit or f"{{{_WORD}" not in text]
    return _scene({**table, _WORD: fit}, frames, language)


def _scene(table: Mapping[str, Any], sentences: Iterable[str], language: Language) -> Scene:
    frames = tuple(_frame(text, language) for text in sentences)
    slots = table.keys() - {_FRAMES, _PEOPLE}
    fillers = {name: tuple(texts) for name, texts in table.items() if name in slots}
    return Scene(language, frames, fillers, frozenset(table[_PEOPLE]))


def _frame(text: str, language: Language) -> _Frame:
    # Between two literals, a slot's name, whether it is a second one, and its particle.
    pieces = _SLOT.split(text)
    literals = tuple(pieces[::4])
    parts = zip(pieces[1::4], map(bool, pieces[2::4]), pieces[3::4], strict=True)
    slots = tuple(_Slot(name, second, particle or "") for name, second, particle in parts)
    size = sum(len(units(literal, language)) for literal in literals)
    # Those of “Nobody”, of “谁”.
    opening = literals[0][: _OPENING_OF_WORDS if language.counts_words else 1]
    return _Frame(literals, slots, size, opening, _stems(" ".join(literals), language))


def _sentences_by_scene(language: Language, split: Split) -> dict[str, tuple[str, ...]]:
    """Return the sentences of a split whose units every rule counts alike, by their scene."""
    scenes, lines = data_text(*_ALIGNED).splitlines(), pack(language.code).sentences
    texts = zip(scenes, (line.text for line in lines), strict=True)
    return group(
        (scene, text)
        for scene, text in texts
        if split_of(text.lower()) == split
        and _SOUND.fullmatch(text)
        and all(
            is_plain(unit, language) and unit.lower() not in language.answer_words
            for unit in units(text, language)
        )
    )


@lru_cache(maxsize=1 << 14)
def _stems(text: str, language: Language) -> frozenset[str]:
    """Return the beginnings of the words that a reader notices when they come again.

    Where no spaces are written, these are all pairs of characters.
    """
    words = _LETTERS.findall(text.lower())
    if language.has_wide_marks:
        return frozenset(map("".join, chain.from_iterable(map(pairwise, words))))
    shortest, length = (3, 4) if language.counts_words else (1, 2)
    function = language.writing["function"]
    # Of function words, long ones are noticed: “again”, “twice”.
    return frozenset(
        word[:length]
        for word in words
        if len(word) >= shortest and (len(word) > length or word not in function)
    )


@cache
def _tables(language: Language) -> dict[str, Any]:
    return data_table(_FOLDERS, language.code, _FILE)


@cache
def _label(language: Language) -> str:
    return data_label("scenes", _FOLDERS, language.code, _FILE)


def _cut(draw: Draw, language: Language, n: int, path: str) -> Content:
    """Return n units of a user's text that follow one another."""
    running, starts, ends = _read_running(language, stamp(path))
    last = len(starts) - n
    if last < 0:
        size = pluralize(len(starts), "usable unit")
        raise SourceError(f"{path!r} has {size}: an item of {n} needs a longer text")
    start = draw.between(0, last)
    return running._replace(text=running.text[starts[start] : ends[start + n - 1]])


@lru_cache(maxsize=CACHE_SIZE)
def _read_running(language: Language, file: FileStamp) -> tuple[Content, list[int], list[int]]:
    """Return a user's text with only its plain units, simple punctuation and spaces left.

    With it, where each unit starts and ends.
    """
    raw, source = read_text(file)
    raw = normalize_units(raw)
    pieces: list[str] = []
    gap, before = "", 0
    for match in unit_pattern(language).finditer(raw):
        if not is_plain(match[0], language) or match[0].lower() in language.answer_words:
            continue
        # One mark between two units, and a space where one belongs.
        if pieces:
            mark = _MARKS.search(raw, before, match.start())
            gap = mark[0] if mark else ""
            if language.has_wide_marks:
                gap = gap.translate(_FULLWIDTH)
            elif language.counts_words or before < match.start():
                gap += " "
        before = match.end()
        pieces += gap, match[0]
    edges = list(accumulate(map(len, pieces)))
    return Content("".join(pieces), source), edges[::2], edges[1::2]
