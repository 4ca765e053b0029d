"""The languages that ship: each is a folder next to this file, and nothing else.

`pack.toml` and `sentences.txt` are its language pack (see `tokenbench.text.packs`), `prompts.toml`
the texts of its prompts, `language.toml` the words of its answers. A language whose units tasks
count also has `scenes.toml`, of which its running texts are made.
"""

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from typing import Any, Final, Literal, TypeAlias, get_args

from tokenbench.errors import SourceError, UnknownNameError, expected, unknown
from tokenbench.extraction import MENTIONS
from tokenbench.patterns import lazy_pattern
from tokenbench.records import record
from tokenbench.text.sources import data_table

Unit: TypeAlias = Literal["word", "han", "hangul"]

_HERE: Final = os.path.dirname(__file__)
LANGUAGES: Final = tuple(
    code for code in sorted(os.listdir(_HERE)) if os.path.isfile(f"{_HERE}/{code}/language.toml")
)
_FALLBACK: Final = "en"
_CODE: Final = lazy_pattern("[a-z]{2,3}(-[A-Za-z0-9]{1,8})*")  # BCP 47
_CACHE_SIZE: Final = 256  # users' packs may have any code
# In tags, as in “between <answer>/</answer>”.
_CONJUNCTION_SIGNS: Final = ("/", "&", "+", ",", "、", "，", "|", "-", "–", "—")
_FINALS: Final = 28  # of a Hangul syllable: none, ㄱ, …
_RIEUL: Final = 8  # among these


@record(eq=False)
class Language:
    """A language: the words of its answers, the texts of its prompts, the units that tasks count.

    A regional code (`pt-BR`) has the answer words and prompts of its first part. A language without
    a folder, as those of users' packs, has the English ones.

    Attributes:
        code: its BCP 47 code.
        yes: words that affirm, in lower case as all of these.
        no: words that deny.
        same: words for “no difference”.
        conjunctions: words that may separate two answer words.
        places: words that may precede the number of a position.
        counters: unit words that may follow a number.
        endings: forms of “is” that may follow a number with its unit word, or a word.
        labels: words that may begin an answer.
        links: words between a label and the answer, instead of a colon.
        placeholders: texts in tags that only mention the format.
        yes_sentences: sentences that affirm; {q} is a text that the question quotes.
        no_sentences: sentences that deny.
        numerals: the numbers from zero on in words.
        count_forms: sentences and phrases that state a count {n}.
        count_words: counts that are stated without a digit, each with its number: “مرتان: 2”.
        place_forms: those that state a position {n} that is counted from 0.
        first_forms: those that state the position of a character's first occurrence.
        last_forms: those that state the position of its last one.
        ordinals: forms of an ordinal {n}.
    """

    code: str
    yes: tuple[str, ...]
    no: tuple[str, ...]
    same: tuple[str, ...]
    conjunctions: tuple[str, ...]
    places: tuple[str, ...]
    counters: tuple[str, ...]
    endings: tuple[str, ...]
    labels: tuple[str, ...]
    links: tuple[str, ...]
    placeholders: tuple[str, ...]
    yes_sentences: tuple[str, ...]
    no_sentences: tuple[str, ...]
    numerals: tuple[str, ...]
    count_forms: tuple[str, ...]
    count_words: tuple[str, ...]
    place_forms: tuple[str, ...]
    first_forms: tuple[str, ...]
    last_forms: tuple[str, ...]
    ordinals: tuple[str, ...]
    _folder: str
    _table: Mapping[str, Any]
    _facts: Mapping[str, Any]

    def __reduce__(self) -> tuple[Any, ...]:
        return language, (self.code,)

    def __repr__(self) -> str:
        return f"<Language {self.code}>"

    @cached_property
    def name(self) -> str:
        """The language's name for itself; its code where it has no folder."""
        own = self.code == self._folder
        return str(data_table(__package__, self._folder, "pack.toml")["name"]) if own else self.code

    @property
    def aliases(self) -> tuple[str, ...]:
        """Other names by which people ask for it, the English one first."""
        own = self.code == self._folder
        facts = data_table(__package__, self._folder, "pack.toml") if own else {}
        return tuple(facts.get("aliases", ()))

    @cached_property
    def prompts(self) -> Mapping[str, Any]:
        """The texts that all prompts share, and questions by task."""
        return data_table(__package__, self._folder, "prompts.toml")

    @cached_property
    def writing(self) -> Mapping[str, frozenset[str]]:
        """Words of written texts: `function` words, words of `numbers`, and `series` to recite.

        >>> language("zh").writing["series"] > {"甲乙丙丁戊己庚辛壬癸"}
        True
        """
        return {name: frozenset(found) for name, found in self._table["writing"].items()}

    @cached_property
    def answer_words(self) -> frozenset[str]:
        """The answer words that no item may contain as tokens to compare."""
        return frozenset(self.same + self.yes + self.no)

    @cached_property
    def with_english(self) -> tuple["Language", ...]:
        """The languages of an answer to an item in this one: it and English."""
        english = language(_FALLBACK)
        return (self,) if self._folder == _FALLBACK else (self, english)

    @cached_property
    def conjunctions_with_english(self) -> tuple[str, ...]:
        """Its conjunctions and the English ones."""
        return tuple(word for each in self.with_english for word in each.conjunctions)

    @cached_property
    def mentions(self) -> frozenset[str]:
        """Texts in a pair of tags that only mentions the format.

        >>> "your answer" in language("zh").mentions, "和" in language("zh").mentions
        (True, True)
        """
        conjunctions = {*self.conjunctions_with_english, *_CONJUNCTION_SIGNS}
        return self.placeholder_mentions | conjunctions

    @cached_property
    def placeholder_mentions(self) -> frozenset[str]:
        """The `mentions` without conjunctions, for questions whose answer may be one."""
        return MENTIONS.union(*(each.placeholders for each in self.with_english))

    @cached_property
    def copulas(self) -> tuple[str, ...]:
        """The endings, each with a space before it where the language writes it apart.

        >>> language("ja").copulas, language("hi").copulas
        (('です',), (' है', ' हैं'))
        """
        space = "" if self._facts.get("attached_endings") else " "
        return tuple(space + ending for ending in self.endings)

    @cached_property
    def order_words(self) -> Mapping[str, tuple[str, ...]]:
        """The words around the labels of a sorting answer, its own and the English ones.

        >>> language("zh").order_words["before"][:2], language("zh").order_words["first"][-1]
        (('文本', '文段'), '1st')
        """
        return self._with_english("order")

    @cached_property
    def list_words(self) -> Mapping[str, tuple[str, ...]]:
        """The words around the items of an answer that is a list, its own and the English ones.

        >>> language("de").list_words["letters"][:3]
        ('buchstabe', 'buchstaben', 'zeichen')
        """
        return self._with_english("lists")

    @property
    def character_noun(self) -> str:
        """A noun that may follow the one character that an answer names; may be empty."""
        return str(self._facts.get("character_noun", ""))

    @cached_property
    def noun_forms(self) -> Mapping[str, tuple[str, ...]]:
        """How answers add words to one `word`, `character`, `category` or `reading`, at `{}`.

        >>> language("zh").noun_forms["character"][0], language("tr").noun_forms["word"][0]
        ('{}字', 'the word {}')
        """
        return {noun: tuple(forms) for noun, forms in self._table.get("texts", {}).items()}

    @property
    def categories(self) -> Mapping[str, Mapping[str, str]]:
        """The `name` of each category of characters, and the `full` name with an explanation.

        >>> language("en").categories["digit"]
        {'name': 'digit', 'full': 'digit (0–9)'}
        """
        found: Mapping[str, Mapping[str, str]] = self._table["categories"]
        return found

    @property
    def segmenter(self) -> str | None:
        """The segmenter for sentences without spaces between words, if the language needs one."""
        return self._facts.get("segmenter")

    @cached_property
    def pieces(self) -> frozenset[str]:
        """Units of sentences that readers do not take for words; no question names one.

        >>> "たち" in language("ja").pieces, language("en").pieces
        (True, frozenset())
        """
        return frozenset(self._facts.get("pieces", ()))

    @cached_property
    def unit(self) -> Unit:
        """The kind of unit that tasks count, sort and reorder.

        Raises:
            UnknownNameError: tasks count no units of this language.
        """
        found: Unit = self._unit_fact("unit")
        return found

    @property
    def unit_name(self) -> str:
        """The name of a unit in messages: a Hangul syllable, too, is a character."""
        return "word" if self.counts_words else "character"

    @property
    def counts_words(self) -> bool:
        """Whether its units are words, with spaces between them. Error: as for `unit`."""
        return self.unit == "word"

    @cached_property
    def joiner(self) -> str:
        """The separator of two units in a list. Error: as for `unit`."""
        return str(self._unit_fact("joiner"))

    @cached_property
    def comma(self) -> str:
        """The mark between two phrases. Error: as for `unit`."""
        return str(self._unit_fact("comma"))

    @cached_property
    def stops(self) -> str:
        """The marks that end sentences, the usual one first. Error: as for `unit`."""
        return str(self._unit_fact("stops"))

    @property
    def has_wide_marks(self) -> bool:
        """Whether its marks are as wide as its characters, with no space after them."""
        return "。" in self.stops

    @property
    def sentence_joiner(self) -> str:
        """The separator of two sentences of a passage. Error: as for `unit`."""
        return "" if self.has_wide_marks else " "

    @property
    def particle_forms(self) -> Mapping[str, Sequence[str]]:
        """The forms of its particles after a consonant and after a vowel, by their kind.

        >>> language("ko").particle_forms["object"], language("en").particle_forms
        (['을', '를'], {})
        """
        found: Mapping[str, Sequence[str]] = self._facts.get("particles", {})
        return found

    def particle(self, kind: str, after: str) -> str:
        """Return the form of a particle after a word or the name of a letter.

        Empty in a language whose particles have one form, or that has none.

        Args:
            kind: `object` (을, 를), `subject` (이, 가), `topic` (은, 는), `by` (으로, 로) or `with`
                (과, 와).
            after: what precedes it, ending in a Hangul syllable, or one jamo, which is read by its
                name: all consonants' names end in a consonant (기역, 리을), the vowels' do not.

        Raises:
            UnknownNameError: no such kind of particle.

        >>> korean = language("ko")
        >>> [korean.particle("object", word) for word in ("값", "해", "ㄱ", "ㅏ")]
        ['을', '를', '을', '를']
        >>> [korean.particle("by", word) for word in ("값", "물", "해", "ㄹ", "ㄺ")]
        ['으로', '로', '로', '로', '으로']
        >>> korean.particle("subject", "ㅎ"), korean.particle("topic", "받침")
        ('이', '은')
        >>> language("en").particle("object", "cat")
        ''
        """
        if not self.particle_forms:
            return ""
        if kind not in self.particle_forms:
            raise unknown("kind of particle", kind, self.particle_forms)
        after_consonant, after_vowel = self.particle_forms[kind]
        final = _final_sound(after)
        open_ending = not final or (kind == "by" and final == _RIEUL)
        return str(after_vowel if open_ending else after_consonant)

    def particle_like(self, form: str, after: str) -> str:
        """Return the particle after a word that has the given form after a consonant.

        >>> language("ko").particle_like("은", "고양이"), language("ko").particle_like("과", "값")
        ('는', '과')
        """
        kinds = {first: kind for kind, (first, _) in self.particle_forms.items()}
        return self.particle(kinds[form], after)

    def particles(self, after: str) -> dict[str, str]:
        """Return every particle of the language after a word or letter, by its kind.

        >>> language("ko").particles("값")
        {'object': '을', 'subject': '이', 'topic': '은', 'by': '으로', 'with': '과'}
        >>> language("en").particles("cat")
        {}
        """
        return {kind: self.particle(kind, after) for kind in self.particle_forms}

    def _with_english(self, table: str) -> Mapping[str, tuple[str, ...]]:
        own, english = (each._table.get(table, {}) for each in (self, language(_FALLBACK)))
        return {
            name: tuple(dict.fromkeys((*own.get(name, ()), *words)))
            for name, words in english.items()
        }

    def _unit_fact(self, name: str) -> Any:
        if name not in self._facts:
            raise unknown_language("language", self.code, unit_languages())
        return self._facts[name]


def language(code: str) -> Language:
    """Return a language by its BCP 47 code; any code is welcome, since users' packs have theirs.

    Raises:
        UnknownNameError: not a str.

    >>> language("ko").yes, language("tr").yes
    (('예', '네'), ('yes',))
    """
    if not isinstance(code, str):
        raise unknown_language("language", code, unit_languages())
    return _language(code)


def is_language_code(value: object) -> bool:
    """Return whether a value is the code of a language as BCP 47 writes it, of whatever language.

    >>> is_language_code("sw"), is_language_code("pt-BR"), is_language_code("SW")
    (True, True, False)
    """
    return isinstance(value, str) and _CODE.fullmatch(value) is not None


def language_code(name: str, value: object) -> str:
    """Return an argument that must be the code of a language, one of ours or any other.

    Raises:
        SourceError: it is not.
    """
    if isinstance(value, str) and is_language_code(value):
        return value
    raise expected(name, value, "a language's code, such as 'tr' or 'pt-BR'", error=SourceError)


def unknown_language(kind: str, given: object, allowed: Iterable[str]) -> UnknownNameError:
    """Return the error for a language that is not allowed, with the code that is probably meant.

    Args:
        kind: a noun for the language.
        given: the code, or what was given as such.
        allowed: the codes that are allowed.

    >>> for given in ("ZH", "zh-CN", "chinese", "中文"):
    ...     print(unknown_language("language", given, ["en", "zh"]))
    unknown language 'ZH': allowed are en, zh; did you mean 'zh'?
    unknown language 'zh-CN': allowed are en, zh; did you mean 'zh'?
    unknown language 'chinese': allowed are en, zh; did you mean 'zh'?
    unknown language '中文': allowed are en, zh; did you mean 'zh'?
    """
    codes = list(allowed)
    aliases = {
        alias.casefold(): code
        for code in codes
        if code in LANGUAGES
        for alias in (_language(code).name, *_language(code).aliases)
    }
    if isinstance(given, str):
        text = given.strip().casefold()
        main = re.split(r"[-_\s(]", text, maxsplit=1)[0]
        main = aliases.get(main, main)
        # A region, as of zh-CN or zh_TW.utf8, is left out.
        aliases |= {text: main} if main in codes else {}
    return unknown(kind, given, codes, aliases)


@cache
def unit_languages() -> tuple[str, ...]:
    """Return the codes of the languages whose units tasks count: those of words come first.

    These are the languages with scenes for running text.

    >>> unit_languages()
    ('en', 'zh', 'ko')
    """
    found = (code for code in LANGUAGES if os.path.isfile(f"{_HERE}/{code}/scenes.toml"))
    return tuple(sorted(found, key=lambda code: get_args(Unit).index(_language(code).unit)))


@lru_cache(maxsize=_CACHE_SIZE)
def _language(code: str) -> Language:
    folder = next((name for name in (code, code.partition("-")[0]) if name in LANGUAGES), _FALLBACK)
    table = data_table(__package__, folder, "language.toml")
    answers = {name: tuple(words) for name, words in table["answers"].items()}
    facts = table if code == folder else {}
    return Language(code, _folder=folder, _table=table, _facts=facts, **answers)


def _final_sound(text: str) -> int:
    """Return the number of the consonant in which a text ends; 0 is a vowel."""
    last = text[-1]
    if "가" <= last <= "힣":
        return (ord(last) - ord("가")) % _FINALS
    return 0 if last >= "ㅏ" else _RIEUL if last == "ㄹ" else 1
