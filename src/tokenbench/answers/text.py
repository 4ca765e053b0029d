"""Answers in free text: one word, character or sentence, and the result of editing one."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache, partial
from typing import ClassVar, Final, Literal, NamedTuple, TypeAlias

from tokenbench.answers.kind import AnswerKind, Lane
from tokenbench.extraction import Unparsable
from tokenbench.item import Item, Json
from tokenbench.patterns import lazy_pattern
from tokenbench.quoting import pluralize, quote_if_needed
from tokenbench.records import record
from tokenbench.text.answer_text import bare_answer, strip_copula
from tokenbench.text.dress import readings
from tokenbench.text.graphemes import graphemes
from tokenbench.text.languages import Language, language
from tokenbench.text.normalize import (
    BRACKETS,
    caseless,
    equals_ignoring_markup,
    straight_quotes,
    strip_markup,
    strip_wrapping,
    usual_width,
)
from tokenbench.text.units import normalize_units, separates

Noun: TypeAlias = Literal["word", "character", "category", "reading"]

# Words that no reading changes, and single characters.
_PLAIN_WORD: Final = lazy_pattern("[a-z]+|[\u4e00-\u9fff\uac00-\ud7a3]")
_EDIT_EQUIVALENCES: Final = ("wrapping", "invisible", "width", "apostrophe")
_CACHE_SIZE: Final = 256  # users' packs may have any code
_QUOTES: Final = "\"“”„‘’'«»「」『』"
_QUOTED: Final = lazy_pattern("[“„‘«「『\"']([^“”„‘’«»「」『』\"'\n]{1,64})[”“’»」』\"']")
_JAMO: Final = lazy_pattern("[ㄱ-ㅣ]")
# Between a text of the question and what becomes of it.
_ARROW: Final = lazy_pattern(
    "[→⇒⟶⟹➔➜➡↦]\ufe0f?|(?<![-=])[-=]{1,2}>|(?<![=<>!])[=＝](?![=<>])"
    r"|\\(?:to|(?:long)?rightarrow|Rightarrow|mapsto)(?![A-Za-z])"
    r"|\$\\(?:to|(?:long)?rightarrow|Rightarrow|mapsto)\$"
)
# Bold or italic words, and, where words are not set apart or a word is edited, any text.
_EMPHASIZED_WORDS: Final = lazy_pattern(
    r"(?<![\w*])(\*{1,3}|_{1,3})(?![\s*_])([^*_]++)(?<!\s)\1(?![\w*])"
)
_EMPHASIZED: Final = lazy_pattern(r"(?<!\*)(\*{1,3})(?![\s*])([^*]++)(?<!\s)\1(?!\*)")
# The marks that end sentences, in the scripts that have their own; those of one row are the same.
_FINAL_MARKS: Final = (".。．।॥።۔", "!！", "?？؟፧", "…")
_MARK_ROWS: Final = {mark: row for row in _FINAL_MARKS for mark in row}
_ALL_FINAL_MARKS: Final = "".join(_FINAL_MARKS)
_AT_ENDS: Final = f"{_ALL_FINAL_MARKS}{_QUOTES}"
# Without markup, arrows, or anything else that reading takes off at its beginning.
_PLAIN_SENTENCE: Final = lazy_pattern(
    rf"[^\W_](?:[^\W_]|[\s,;:-]|[，、；：]|[{_ALL_FINAL_MARKS}{_QUOTES}])*+"
)
# A full stop after the quotation marks of a sentence that has its own final mark.
_STOP_AFTER_QUOTE: Final = lazy_pattern(
    rf"(?<=[{_ALL_FINAL_MARKS}])([”“’‘\"'»«」』]\*{{0,2}})[.。．｡።।]\Z"
)


def _read(text: str, _item: Item, language: Language) -> str:
    """Return the one word that an answer states.

    Raises:
        Unparsable: several words.
    """
    word = bare_word(text, language)
    if len(word.split()) != 1:
        raise Unparsable(f"is {pluralize(len(word.split()), 'word')}: one is asked for")
    return word


def is_plain_word(text: str, _item: Item) -> bool:
    """Return whether a text is a word of ASCII letters, or one Han character or Hangul syllable.

    No reading of one word or character changes such a text.

    >>> item = Item("t", 1, "en", None, "?", {"answer": "cat"}, "cat")
    >>> is_plain_word("cat", item), is_plain_word("Cat", item), is_plain_word("把", item)
    (True, False, True)
    """
    return _PLAIN_WORD.fullmatch(text) is not None


def is_filled(text: str, _item: Item) -> bool:
    """Return whether a text is not empty: some readings leave every right text as it is.

    >>> is_filled("", Item("t", 1, "en", None, "?", {"answer": "cat"}, "cat"))
    False
    """
    return text != ""


def _same(text: str, target: Json) -> Hashable:
    return text


@record(eq=False, kw_only=True)
class Text(AnswerKind):
    """One word, character or sentence; the target lists one right text or several.

    Published rows may have further right texts, `also`.

    Attributes:
        read: returns the text that an answer states, given the answer, the item and its language,
            or raises `Unparsable`.
        key: returns the form of a text, under a target, in which texts are compared.
        credit: returns the partial credit of a wrong text; without it, it earns 0.0.
        explanation: returns the fault of a text; None is "got …: " and `wrong`.
        several: whether the target's field is a list of right texts.
        stays: whether reading leaves a right text of an item as it is, so that it need not be read.
        limit: characters of a reasonable answer, more if a right text is longer.

    >>> kind = Text(field="accepted", several=True)
    >>> item = Item("t", 1, "en", None, "Which pet?", {"accepted": ["cat", "dog"]}, "cat")
    >>> kind.verify(kind.interpret("“dog”.", item), item.target)
    True
    """

    name: ClassVar[str] = "text"
    answer_type: ClassVar[str] = "str"

    read: Callable[[str, Item, Language], str] = _read
    key: Callable[[str, Json], Hashable] = _same
    credit: Callable[[str, Json], float] | None = None
    explanation: Callable[[str, Json], str] | None = None
    several: bool = False
    stays: Callable[[str, Item], bool] | None = None

    @cached_property
    def schema(self) -> Mapping[str, str]:
        field_type = "list of str, at least one not empty" if self.several else "non-empty str"
        return {self.field: field_type, "also": "list of str, or none", **dict(self.further)}

    def parse(self, text: str, item: Item, language: Language) -> str:
        return self.read(text, item, language)

    def verify(self, answer: str, target: Json) -> bool:
        right = self.right_texts(target)
        if answer in right:
            return True
        return self.key(answer, target) in [self.key(text, target) for text in right]

    def lane(self, item: Item) -> Lane:
        stays = self.stays or (is_plain_word if self.read is _read else None)
        right = frozenset(
            text for text in self.right_texts(item.target) if stays and stays(text, item)
        )
        return lambda text: True if text in right else None

    def grade(self, answer: str, target: Json) -> float:
        if self.verify(answer, target):
            return 1.0
        return self.credit(answer, target) if self.credit else 0.0

    def explain(self, answer: str, target: Json) -> str:
        if self.explanation:
            return self.explanation(answer, target)
        return f"got {quote_if_needed(answer)}: {self.wrong}"

    def max_chars(self, target: Json) -> int:
        return max([self.limit, *map(len, self.right_texts(target))])

    def target(self, answer: str) -> dict[str, Json]:
        return {self.field: [answer] if self.several else answer}

    def right_texts(self, target: Json) -> list[str]:
        right: list[str] = target[self.field] if self.several else [target[self.field]]
        also: list[str] | None = target.get("also")
        return [*right, *also] if also else right


@record(eq=False, kw_only=True)
class _Edited(Text):
    """The result of an edit (see `edit_result`)."""

    def lane(self, item: Item) -> Lane:
        """Settle right texts as they are listed, and plain texts with other letters or inner marks.

        Reading a plain text takes off only what may be at its ends.
        """
        right, spoken = frozenset(self.right_texts(item.target)), language(item.lang)
        cores, is_sentence = frozenset(map(_core, right)), "case" in item.target["folds"]

        def settle(text: str) -> bool | None:
            if text in right:
                return True
            if is_sentence:
                is_plain = _PLAIN_SENTENCE.fullmatch(text) is not None
            else:
                is_plain = text.isalnum() and not text.endswith(spoken.copulas)
            if not is_plain or _core(text) in cores or readings(text, spoken) != [text]:
                return None
            return False

        return settle


def _core(text: str) -> str:
    """Return a text without spaces, letter case, and the marks at its ends."""
    return caseless("".join(normalize_units(text).split())).strip(_AT_ENDS)


def edit_result(*, sentence: bool) -> Text:
    """Return the kind of the results of editing a word or sentence.

    The target has the right `text`, the `given` one, and in `folds` which differences do not count
    (see `edit_folds`). Published rows may have further right texts, `also`. In sentences letter
    case makes no difference, and, in a language without spaces between words, neither do spaces.
    Reading an answer takes off the given text and an arrow before it, bold marks within it, and
    gives a sentence its own final mark where that is missing, doubled or of another script.

    >>> target = {"text": "They, and.", "given": "They waited, and.", "folds": ["case"]}
    >>> kind = edit_result(sentence=True)
    >>> kind.verify("they,  and.", target), kind.verify("They and.", target)
    (True, False)
    >>> kind.verify("They and.", target | {"also": ["They and."]})
    True
    """
    return _Edited(
        field="text",
        read=partial(_read_edited, sentence),
        key=_edit_key,
        credit=share_of_edit,
        explanation=_explain_edit,
        further=(("given", "str"), ("folds", "list of 'case' and 'spaces'")),
        equivalences=(
            *_EDIT_EQUIVALENCES,
            "question",
            *(("case", "spaces", "mark") if sentence else ("ending", "noun")),
        ),
    )


def edit_folds(*, sentence: bool, spaced: bool, phrase: bool = False) -> list[str]:
    """Return which differences between two results do not count: case, unwritten spaces.

    Nor do spaces count in a phrase, whose characters are edited.

    >>> edit_folds(sentence=False, spaced=True), edit_folds(sentence=True, spaced=False)
    ([], ['case', 'spaces'])
    """
    if not sentence:
        return ["spaces"] if phrase else []
    return ["case"] if spaced else ["case", "spaces"]


def share_of_edit(answer: str, target: Json) -> float:
    """Return the share of the way to the right text that a wrong answer goes.

    The way begins at the given text, or at the given text without one unit if that is nearer, since
    neither needs the question. Its length is the number of edits of one unit: a grapheme, or, where
    a sentence writes spaces, a word or mark. An exchange of two units is one step: an answer with
    only one of them in place is not nearer, nor is one that lacks either of them.

    >>> target = {"text": "bxaxnxa", "given": "baxna", "folds": []}
    >>> [share_of_edit(answer, target) for answer in ("bxaxna", "baxna", "n")]
    [0.5, 0.0, 0.0]
    >>> share_of_edit("nnan", {"text": "nnaa", "given": "nana", "folds": []})
    0.0
    >>> swapped = {"text": "rhete", "given": "there", "folds": []}
    >>> [share_of_edit(answer, swapped) for answer in ("rhere", "hete", "rhet")]
    [0.0, 0.0, 0.5]
    """
    from rapidfuzz.distance import Levenshtein

    texts = (target["text"], target["given"], answer)
    right, given, units = (_edit_units(text, target) for text in texts)
    # Leaving a unit out costs slightly less than one, so that the way is shorter by a whole unit.
    one = len(given) + 1
    way = Levenshtein.distance(given, right, weights=(one, one - 1, one)) // one
    left = Levenshtein.distance(units, right, score_cutoff=way)
    if Counter(given) == Counter(right):
        moved = Counter(one for one, other in zip(right, given, strict=True) if one != other)
        is_echo = Levenshtein.distance(units, given, score_cutoff=way) <= left
        if is_echo or not moved <= Counter(units):
            return 0.0
    # Spaces next to marks are not units, but an answer with wrong spaces is not right.
    return max(0.0, 1.0 - max(1, left) / max(1, way))


def bare_word(text: str, language: Language) -> str:
    """Return a word in its plain form, without the noun “word” of its language.

    >>> from tokenbench.text.languages import language
    >>> bare_word("The word “table”.", language("en")), bare_word("“桌子”一词", language("zh"))
    ('table', '桌子')
    """
    answer = bare_answer(text, language)
    return answer if answer.isalnum() else strip_noun(answer, language, "word")


def bare_character(text: str, language: Language) -> str:
    """Return a character in its plain form, without a noun such as “letter”.

    A text that is not one character stays as it is.

    >>> from tokenbench.text.languages import language
    >>> texts = ("“把”字。", "the character 把", "第五个字")
    >>> [bare_character(text, language("zh")) for text in texts]
    ['把', '把', '第五个字']
    """
    answer = bare_answer(text, language, character=True)
    return answer if len(answer) == 1 else strip_noun(answer, language, "character")


def strip_noun(text: str, language: Language, noun: Noun) -> str:
    """Return the one word or character to which an answer adds a noun, else the text as it is.

    The nouns are those of the language and of English; letter case and width of the answer stay.

    >>> from tokenbench.text.languages import language
    >>> texts = ("the letter s", "letters s, t")
    >>> [strip_noun(text, language("en"), "character") for text in texts]
    ['s', 'letters s, t']
    >>> strip_noun("‘값’ 자", language("ko"), "character")
    '값'
    """
    for form in _noun_forms(language, noun):
        start, end = len(form.before), len(text) - len(form.after)
        before, inner, after = text[:start], text[start:end].strip(), text[end:]
        if usual_width(before).lower() != form.before or usual_width(after).lower() != form.after:
            continue
        answer = strip_wrapping(inner, BRACKETS)
        # A category is one of a closed list, some of which have several words.
        n_units = len(answer) if noun == "character" else len(answer.split())
        is_one = n_units == 1 or (noun == "category" and n_units > 1)
        is_quoted = inner[:1] in _QUOTES and answer != inner
        if is_one and (is_quoted or not form.quoted):
            return answer
    return text


class _NounForm(NamedTuple):
    """The texts before and after an answer, and whether the answer has to be in quotes."""

    before: str
    after: str
    quoted: bool


@lru_cache(maxsize=2 * _CACHE_SIZE)
def _noun_forms(language: Language, noun: Noun) -> tuple[_NounForm, ...]:
    texts = (text for each in language.with_english for text in each.noun_forms.get(noun, ()))
    forms = dict.fromkeys(form for text in texts for form in _variants(text))
    # The longest first: one noun may begin like another.
    return tuple(sorted(forms, key=lambda form: len(form.before), reverse=True))


def _variants(text: str) -> Iterator[_NounForm]:
    """Yield a form, with a colon for a space before the answer, and without spaces at quotes."""
    before, after = straight_quotes(usual_width(text)).split("{}")
    is_quoted = before != "" and before[-1] in _QUOTES
    before, after = before.rstrip(_QUOTES), after.lstrip(_QUOTES)
    if before and not after:
        yield _NounForm(f"{before.rstrip()}:", "", quoted=False)
    yield _NounForm(before, after, is_quoted)
    yield _NounForm(before.rstrip(), after.lstrip(), quoted=True)


def strip_question(text: str, question: Callable[[str], bool], shortest: int = 1) -> str:
    """Return the answer `y` of `x → y` or `x = y`, where x is the question's own text.

    An answer without an arrow or a sign, or with any other text before it, stays as it is.

    Args:
        text: the answer.
        question: whether a text is that of the question, letter for letter.
        shortest: a number of characters that the question's text has at least.

    >>> strip_question("cat → act", "cat".__eq__), strip_question("dog = act", "cat".__eq__)
    ('act', 'dog = act')
    """
    if not _ARROW.search(text, shortest):
        return text
    for candidate in dict.fromkeys((text, strip_markup(text))):
        arrow = _ARROW.search(candidate, shortest)
        if arrow and question(candidate[: arrow.start()].strip()):
            return candidate[arrow.end() :].strip() or text
    return text


def question_parts(item: Item) -> list[str]:
    """Return the texts in quotation marks in a prompt, else the jamo in it, in their order.

    >>> question_parts(Item("t", 1, "zh", None, "“扌”和“巴”合起来是什么字？", {}, "把"))
    ['扌', '巴']
    """
    return _QUOTED.findall(item.prompt) or _JAMO.findall(item.prompt)


def _read_edited(sentence: bool, text: str, item: Item, language: Language) -> str:
    """Return the word or sentence of an answer, without markup around it.

    Raises:
        Unparsable: several words where one is asked for.
    """
    target = item.target
    accepted: list[str] = [target["text"], *(target.get("also") or [])]
    if text in accepted:
        return text
    text = normalize_units(text).strip()
    if sentence:
        text = _STOP_AFTER_QUOTE.sub(r"\1", text)
    for right in accepted:
        if _is_result(text, right, item, language, sentence=sentence):
            return right
    seen = {text}
    text = _undress_edited(text, accepted, item, language, sentence=sentence)
    # A right answer that ends with a mark of its own leaves no other mark free.
    ends_with_mark = any(separates(right[-1:] or " ") for right in accepted)
    stripped = strip_markup(text) if ends_with_mark else strip_wrapping(text)
    for right in accepted:
        for dressed in dict.fromkeys((text, stripped)):
            settled = _settle_final_mark(dressed, right) if sentence else dressed
            if settled not in seen and _is_result(
                settled, right, item, language, sentence=sentence
            ):
                return right
    if sentence:
        return _settle_final_mark(stripped, accepted[0])
    words = len(stripped.split())
    if "spaces" not in target["folds"] and words not in map(len, map(str.split, accepted)):
        raise Unparsable(f"holds {pluralize(words, 'word')}: the changed one alone is asked for")
    return stripped


def _is_result(text: str, right: str, item: Item, language: Language, *, sentence: bool) -> bool:
    """Return whether a normalized text is a right one, perhaps in marks around all of it."""
    wanted = _normalize_edit(right, item.target)
    if equals_ignoring_markup(_normalize_edit(text, item.target), wanted):
        return True
    if sentence:
        return False
    word = strip_copula(strip_wrapping(text), language)
    return equals_ignoring_markup(_normalize_edit(word, item.target), wanted)


def _undress_edited(
    text: str, accepted: Sequence[str], item: Item, language: Language, *, sentence: bool
) -> str:
    """Return a normalized text without the question's text, emphasis and a noun for a word."""
    if _ARROW.search(text):
        given = " ".join(normalize_units(item.target["given"]).split())
        text = strip_question(text, partial(_is_given, given), max(1, len(given)))
    is_marked = "*" in text or "_" in text
    if is_marked and not any(mark in right for right in accepted for mark in "*_"):
        is_spaced = sentence and "spaces" not in item.target["folds"]
        text = (_EMPHASIZED_WORDS if is_spaced else _EMPHASIZED).sub(r"\2", text)
    return text if sentence or text.isalnum() else strip_noun(text, language, "word")


def _is_given(given: str, text: str) -> bool:
    """Return whether a text is the given one, letter for letter, perhaps in marks around it."""
    return equals_ignoring_markup(" ".join(text.split()), given)


def _settle_final_mark(text: str, right: str) -> str:
    """Return a sentence with the final mark of a right one, if it has none or the same one.

    The same one may be doubled, of another script, or after a space.

    >>> [_settle_final_mark(text, "They left.") for text in ("They left", "They left 。", "They?")]
    ['They left.', 'They left.', 'They?']
    """
    body, marks = _split_final_marks(text)
    right_body, right_marks = _split_final_marks(right)
    row = _MARK_ROWS.get(right_marks, "")
    is_same = len(marks) <= 2 and all(mark in row for mark in marks)
    if not right_marks or not (is_same or marks == right_marks):
        return text
    return body.rstrip() + right[len(right_body.rstrip()) :]


def _split_final_marks(text: str) -> tuple[str, str]:
    body = text.rstrip(_ALL_FINAL_MARKS)
    return body, text[len(body) :]


def _edit_key(text: str, target: Json) -> str:
    """Return a text as results are compared, also without quotation marks around all of it."""
    return _normalize_edit(strip_markup(normalize_units(text)), target)


def _normalize_edit(text: str, target: Json) -> str:
    joiner = "" if "spaces" in target["folds"] else " "
    text = joiner.join(normalize_units(text).split())
    return caseless(text) if "case" in target["folds"] else text


def _edit_units(text: str, target: Json) -> list[str]:
    """Return the words and marks of a sentence that writes spaces, else the graphemes."""
    text = _edit_key(text, target)
    if target["folds"] != ["case"]:
        return graphemes(text)
    return "".join(f" {char} " if separates(char) else char for char in text).split()


def _explain_edit(answer: str, target: Json) -> str:
    if _edit_key(answer, target) == _edit_key(target["given"], target):
        return "nothing was changed"
    return f"got {quote_if_needed(answer)}: not the result of the change"
