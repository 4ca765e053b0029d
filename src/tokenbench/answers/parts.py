"""Answers that are the parts of a word or character, or the one that parts make."""

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import chain
from typing import ClassVar, Final, TypeAlias

from tokenbench.answers.kind import AnswerKind, Lane
from tokenbench.answers.text import (
    Text,
    bare_character,
    bare_word,
    is_plain_word,
    question_parts,
    strip_question,
)
from tokenbench.checks import texts
from tokenbench.decomposition import hangul, hanzi
from tokenbench.decomposition.components import components
from tokenbench.errors import TokenbenchError
from tokenbench.extraction import Unparsable
from tokenbench.item import Item, Json
from tokenbench.patterns import lazy_pattern
from tokenbench.quoting import first_few
from tokenbench.records import record
from tokenbench.text.answer_text import (
    dashes_to_commas,
    split_numbered,
    strip_copula,
    strip_list_markers,
    strip_own_word,
)
from tokenbench.text.dress import readings
from tokenbench.text.languages import Language, language
from tokenbench.text.normalize import ROUND, nfc, strip_invisible, strip_wrapping

PartList: TypeAlias = Sequence[str]

# Equivalences of lists of the parts of a character, and of one word or character.
CHARACTER_PARTS: Final = (
    "wrapping invisible brackets list marked spaces plus joined jamo positions radicals "
    "conjunction ending question"
)
_SINGLE_EQUIVALENCES = "wrapping invisible width brackets radicals ending called noun question"
# A part that no reading changes, by the language; "" stands for all others.
_PLAIN_PARTS: Final = {
    "": lazy_pattern("[a-z]+"),
    "zh": lazy_pattern("[\u4e00-\u9fff]"),
    "ja": lazy_pattern("[\u4e00-\u9fff]"),
    "ko": lazy_pattern("[\u3131-\u3163]"),
}
_PLUS: Final = lazy_pattern("[+＋]")
# After the two jamo of a syllable without a final one.
_NO_FINAL: Final = lazy_pattern(
    r"[,，、]?[ \t]?[(（](?:종성|받침)(?:은|이|:|：)?[ \t]?없음[)）]\Z"
    r"|[,，、][ \t]?(?:종성|받침)(?:은|이|:|：)?[ \t]?없음\Z"
)
_AROUND: Final = ("“”", "‘’", "「」", "『』", '""', "''")


@record(eq=False, kw_only=True)
class Parts(AnswerKind):
    """The parts of a word or character; the target lists every accepted decomposition.

    Where the target says `ordered`, the parts have to be in order. Letter case and width make no
    difference: the target lists parts as `normalize_part` returns them, in lower case.

    >>> target = {"accepted": [["ㄱ", "ㅏ"]], "ordered": True}
    >>> Parts().verify(["ㄱ", "ㅏ"], target), Parts().grade(["ㄱ", "ㅗ"], target)
    (True, 0.25)
    """

    name: ClassVar[str] = "parts"
    field_type: ClassVar[str] = "list of lists of str, at least one complete"
    answer_type: ClassVar[str] = "list of str"

    field: str = "accepted"
    equivalences: tuple[str, ...] = ("case", "width", *CHARACTER_PARTS.split())
    further: tuple[tuple[str, str], ...] = (("ordered", "bool"),)

    def parse(self, text: str, item: Item, language: Language) -> list[str]:
        return parse_parts(text, item, language)

    def lane(self, item: Item) -> Lane:
        """Settle plain parts with spaces or commas between them."""
        script, options = components(item.lang), item.target[self.field]
        is_plain = _PLAIN_PARTS.get(item.lang, _PLAIN_PARTS[""]).fullmatch
        if not all(is_plain(part) and script.normalize(part) == part for part in chain(*options)):
            return super().lane(item)
        in_order = tuple if item.target["ordered"] else hanzi.sort_parts
        right, spoken = frozenset(map(in_order, options)), language(item.lang)

        def settle(text: str) -> bool | None:
            parts = text.replace(",", " ").split()
            if in_order(parts) in right:
                return True
            # A character may be another form of the right one.
            is_read = script.is_word and all(map(is_plain, parts))
            is_alone = is_read and not any(word in parts for word in spoken.conjunctions)
            return False if is_alone and readings(text, spoken) == [text] else None

        return settle

    def verify(self, answer: PartList, target: Json) -> bool:
        return matches(answer, target[self.field], ordered=target["ordered"])

    def grade(self, answer: PartList, target: Json) -> float:
        """Return the square of the greatest share of parts in common with a decomposition.

        The share is position by position where order counts, else the Jaccard index of the
        multisets. Squared, because one part of two or three is easy to see or to guess.
        """
        share = _share_by_position if target["ordered"] else _jaccard
        shares = (share(answer, accepted) for accepted in target[self.field])
        return max(shares, default=0.0) ** 2

    def explain(self, answer: PartList, target: Json) -> str:
        right = "the right parts in order" if target["ordered"] else "an accepted decomposition"
        return f"got {first_few(answer)}: not {right}"

    def target(self, answer: PartList) -> dict[str, Json]:
        return {self.field: [answer]}

    def write(self, answer: PartList, language: Language) -> str:
        return ", ".join(answer)

    def right_texts(self, target: Json) -> list[str]:
        options = target[self.field]
        return [text for one in options for text in (*one, " ".join(one), ", ".join(one))]

    def is_ordered(self, target: Json) -> bool:
        return bool(target["ordered"])


def matches(parts: PartList, accepted: Sequence[PartList], *, ordered: bool = False) -> bool:
    """Return whether parts are those of an accepted decomposition, with the same counts.

    Args:
        parts: the parts, normalised (see `normalize_part`).
        accepted: the decompositions, normalised.
        ordered: whether the parts have to be in the order of the decomposition.

    Raises:
        TokenbenchError: not a sequence of str, or not a sequence of such sequences.

    >>> matches(["巴", "扌"], [["扌", "巴"], ["手", "巴"]])
    True
    >>> matches(["ㅏ", "ㄱ"], [["ㄱ", "ㅏ"]], ordered=True)
    False
    """
    if not isinstance(accepted, Sequence):
        raise TokenbenchError(f"accepted is a sequence of decompositions: got {accepted!r:.80}")
    given, options = texts("parts", parts), [texts("accepted", option) for option in accepted]
    return given in options if ordered else sorted(given) in map(sorted, options)


def normalize_part(part: str, lang: str) -> str:
    """Return a part of a word or character in the form in which parts are compared.

    Korean: a compatibility jamo; other texts stay as they are. Chinese: the unified character for a
    radical, without variation selectors. Japanese: the same in the form that Japanese prints, and
    the component for a kana that looks like it. Other languages: lower case and usual width.

    >>> [normalize_part(*part) for part in (("Ag", "en"), ("ᆨ", "ko"), ("⺘", "zh"), ("ム", "ja"))]
    ['ag', 'ㄱ', '扌', '厶']
    """
    return components(lang).normalize(part)


def parse_parts(text: str, item: Item, language: Language) -> list[str]:
    """Return the parts that an answer lists, normalised.

    The question's own word or character may precede them (把 = 扌 + 巴). Each may have a number
    after the word for a part (Part 1: …), or a position in brackets after it (扌（左）).

    Raises:
        Unparsable: no parts, or, in Korean, something that is not a jamo.

    >>> item = Item("t", 1, "zh", None, "拆“把”字", {"accepted": [["扌", "巴"]]}, "扌 巴")
    >>> from tokenbench.text.languages import language
    >>> parse_parts("把 = 扌（左）+ 巴（右）", item, language("zh"))
    ['扌', '巴']
    """
    accepted, is_ordered = item.target["accepted"], item.target.get("ordered", False)
    try:
        parts = _plain_parts(text, item, language)
        if parts in accepted or matches(parts, accepted, ordered=is_ordered):
            return parts
    except Unparsable:
        if (bare := _strip_dress(text, item, language)) == text:
            raise
    else:
        if (bare := _strip_dress(text, item, language)) == text:
            return parts
    return _plain_parts(bare, item, language)


def _strip_dress(text: str, item: Item, language: Language) -> str:
    """Return a list of parts without the words that its language allows around them."""
    words = language.list_words
    text = strip_copula(strip_wrapping(strip_invisible(text), ROUND), language)
    text = strip_own_word(strip_wrapping(text, ROUND), lambda word: _is_own_word(word, item))
    lines = [line for line in text.splitlines() if line.strip()]
    text = ",".join(split_numbered("\n".join(lines), _part_after_number(words["parts"]))) or text
    text = _position_in_brackets(words["positions"]).sub(",", text)
    if no_final := _NO_FINAL.search(text):
        # It says that there are two.
        rest = text[: no_final.start()]
        parts = _plain_parts(rest, item, language)
        if len(parts) == len(hangul.POSITIONS) - 1 and all(map(hangul.is_jamo, parts)):
            return rest
    return text


def _is_own_word(word: str, item: Item) -> bool:
    """Return whether the question is about a word: one that its parts spell, or in its quotes."""
    options = item.target["accepted"]
    if item.target.get("ordered", False):
        if nfc(word).lower() in map("".join, options):
            return True
        syllable = nfc(word)
        is_syllable = len(syllable) == 1 and "가" <= syllable <= "힣"
        return is_syllable and list(hangul.decompose(syllable)) in options
    return len(word) == 1 and any(f"{left}{word}{right}" in item.prompt for left, right in _AROUND)


@cache
def _part_after_number(nouns: tuple[str, ...]) -> re.Pattern[str]:
    """Return the pattern of a part after its number and a noun, as in `Part 1: not`."""
    return re.compile(
        rf"[ \t]*(?P<bullet>(?:[-*•][ \t])?)(?P<bold>(?:\*\*)?)(?P<noun>{'|'.join(nouns)})[ \t]?"
        r"(?P<number>\d{1,4})(?:\*\*)?[ \t]*(?P<mark>[:：])(?:\*\*)?[ \t]*"
        r"(?P<item>[^\s,，、;；:：=]+)[ \t]*[,，、;；.]?\s*",
        re.IGNORECASE,
    )


@cache
def _position_in_brackets(words: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(
        rf"(?<=[^\s,，、;；+＋()（）])[ \t]?[(（](?:{'|'.join(words)})[)）]", re.IGNORECASE
    )


def _plain_parts(text: str, item: Item, language: Language) -> list[str]:
    """Return the parts of an answer that has nothing else."""
    text = strip_copula(strip_wrapping(strip_invisible(text), ROUND), language)
    text = _PLUS.sub(",", strip_list_markers(strip_wrapping(text, ROUND)))
    letters = "".join(part for option in item.target["accepted"] for part in option)
    text = dashes_to_commas(text, letters)
    parts = components(item.lang).split(text, language.conjunctions)
    if not parts:
        raise Unparsable("names no parts")
    parts = [_in_form_of_target(part, letters) for part in parts]
    has_conjunction = len(parts) > 2 and parts[-2] in language.conjunctions
    # It may be a part itself.
    if has_conjunction and not any(parts[-2] in option for option in item.target["accepted"]):
        del parts[-2]
    return parts


def _in_form_of_target(part: str, letters: str) -> str:
    """Return a part in the form in which the target has it."""
    form = hanzi.LIST_FORMS.get(part, part)
    return form if form in letters and part not in letters else part


def parse_whole(text: str, item: Item, language: Language) -> str:
    """Return the one word or character that an answer states.

    A noun for a word or character may be added to it (把字), a copula may end the answer, and the
    sum of the question's parts may precede it.

    Raises:
        Unparsable: several.

    >>> from tokenbench.text.languages import language
    >>> item = Item("t", 1, "zh", None, "“扌”和“巴”合成哪个字？", {"accepted": ["把"]}, "把")
    >>> [parse_whole(text, item, language("zh")) for text in ("（把）", "“把”字", "巴 + 扌 = 把")]
    ['把', '把', '把']
    """
    whole, number = _read_whole(text, language)
    if number != 1:
        given = strip_question(text, lambda left: _is_sum_of_parts(left, item))
        whole, number = _read_whole(given, language)
    if number != 1:
        noun = "word" if components(language.code).is_word else "character"
        raise Unparsable(f"is more than one {noun}: one is asked for")
    return whole


def _is_plain_whole(text: str, item: Item) -> bool:
    """Return whether reading leaves a whole as it is (see `Text`)."""
    return is_plain_word(text, item) and components(item.lang).normalize_whole(text) == text


def _read_whole(text: str, language: Language) -> tuple[str, int]:
    """Return a normalized word or character, and how many there are."""
    script = components(language.code)
    if script.is_word:
        word = script.normalize_whole(bare_word(text, language))
        return word, len(word.split())
    character = script.normalize_whole(bare_character(text, language))
    return character, len(character)


def _is_sum_of_parts(text: str, item: Item) -> bool:
    """Return whether a text adds up the parts in the question, where order counts in some order.

    Order counts where the letters of the parts are those of the whole; then it is that of the whole
    or of the question.
    """
    parts = [normalize_part(strip_wrapping(part), item.lang) for part in _PLUS.split(text)]
    own = [normalize_part(part, item.lang) for part in question_parts(item)]
    if parts == own:
        return True
    spellings = [_letters(right) for right in item.target["accepted"]]
    joined = "".join(parts)
    is_ordered = any(sorted(joined) == sorted(letters) for letters in spellings)
    return sorted(parts) == sorted(own) and (joined in spellings or not is_ordered)


def _letters(whole: str) -> str:
    """Return the letters of a word in lower case, or the jamo of a Hangul syllable."""
    try:
        return "".join(hangul.decompose(whole))
    except TokenbenchError:
        return whole.lower()


def _share_by_position(given: PartList, right: PartList) -> float:
    return sum(map(str.__eq__, given, right)) / max(len(given), len(right))


def _jaccard(given: PartList, right: PartList) -> float:
    a, b = Counter(given), Counter(right)
    return (a & b).total() / (a | b).total()


def parts_to_whole(*also: str) -> Text:
    """Return the kind of the one word or character that parts make, with further equivalences.

    >>> parts_to_whole("case").verify("irritation", {"accepted": ["irritation"]})
    True
    """
    return Text(
        field="accepted",
        several=True,
        read=parse_whole,
        stays=_is_plain_whole,
        wrong="not what the parts make",
        may_be_conjunction=True,
        equivalences=(*also, *_SINGLE_EQUIVALENCES.split()),
    )
