"""Answers that are the parts of a word or character, or the one that parts make."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, TypeAlias

from tokenbench.answers.kind import AnswerKind
from tokenbench.answers.text import Text
from tokenbench.decomposition import hangul, hanzi, kanji
from tokenbench.errors import TokenbenchError, texts
from tokenbench.extraction import Unparsable
from tokenbench.item import Item, Json
from tokenbench.quoting import first_few
from tokenbench.text.answer_text import (
    bare_answer,
    dashes_to_commas,
    split_list,
    strip_copula,
    strip_list_markers,
)
from tokenbench.text.languages import language
from tokenbench.text.normalize import ROUND, nfc, strip_invisible, strip_wrapping, usual_width

PartList: TypeAlias = Sequence[str]

# Equivalences of lists of the parts of a character, and of one word or character.
CHARACTER_PARTS: Final = (
    "wrapping invisible brackets list marked spaces plus joined jamo positions radicals "
    "conjunction ending"
)
_SINGLE_EQUIVALENCES = "wrapping invisible width brackets radicals ending called"
_PLUS: Final = re.compile("[+＋]")
# Bold marks among jamo, and an old jamo typed for a dot.
_MARKS_AMONG_JAMO: Final = re.compile(r"\*\*|ㆍ")
_QUOTES: Final = re.compile("[“”‘’「」『』]")


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
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

    def parse(self, text: str, item: Item) -> list[str]:
        return parse_parts(text, item)

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

    def write(self, answer: PartList, lang: str) -> str:
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
    if lang == "zh":
        return hanzi.normalize(part)
    if lang == "ja":
        return kanji.normalize(usual_width(part))
    if lang == "ko":
        return hangul.normalize(part) if hangul.is_jamo(part) else part
    return nfc(usual_width(part)).lower()


def parse_parts(text: str, item: Item) -> list[str]:
    """Return the parts that an answer lists, normalised.

    Raises:
        Unparsable: no parts, or, in Korean, something that is not a jamo.

    >>> item = Item("t", 1, "zh", None, "?", {"accepted": [["扌", "巴"]]}, "扌 巴")
    >>> parse_parts("1. 扌\\n2. 巴", item)
    ['扌', '巴']
    """
    text = strip_copula(strip_wrapping(strip_invisible(text), ROUND), item.lang)
    text = _PLUS.sub(",", strip_list_markers(strip_wrapping(text, ROUND)))
    letters = "".join(part for option in item.target["accepted"] for part in option)
    text = dashes_to_commas(text, letters)
    if item.lang == "ko":
        text = _MARKS_AMONG_JAMO.sub(lambda mark: "" if mark[0] == "**" else ",", text)
        text = _conjunctions_to_commas(text, "ko", r"(?<=\S)\s*+{}\s+")
        try:
            parts = list(hangul.split_jamo(text))
        except TokenbenchError:
            raise Unparsable("holds more than jamo: the jamo alone are asked for") from None
    elif item.lang in ("zh", "ja"):  # each character is a part, separated and quoted or not
        if item.lang == "ja":
            text = _conjunctions_to_commas(text, "ja", "{}")
        normalized = (
            normalize_part(part, item.lang) for part in split_list(_QUOTES.sub(" ", text))
        )
        parts = [normalize_part(char, item.lang) for part in normalized for char in part]
    else:
        parts = [normalize_part(part, item.lang) for part in split_list(text)]
    if not parts:
        raise Unparsable("names no parts")
    has_conjunction = len(parts) > 2 and parts[-2] in language(item.lang).conjunctions
    # It may be a part itself.
    if has_conjunction and not any(parts[-2] in option for option in item.target["accepted"]):
        del parts[-2]
    return parts


def parse_whole(text: str, item: Item) -> str:
    """Return the one word or character that an answer states.

    Chinese may add its word for a character (把字), and a copula may end the answer.

    Raises:
        Unparsable: several.

    >>> parse_whole("（把）", Item("t", 1, "zh", None, "?", {"accepted": ["把"]}, "把"))
    '把'
    """
    whole = bare_answer(text, item.lang, character=True)
    if item.lang == "en":
        whole, number, noun = whole.lower(), len(whole.split()), "word"
    else:
        whole = hanzi.normalize(whole) if item.lang in ("zh", "ja") else whole
        number, noun = len(whole), "character"
    if number != 1:
        raise Unparsable(f"is more than one {noun}: one is asked for")
    return whole


def _conjunctions_to_commas(text: str, lang: str, form: str) -> str:
    words = "|".join(map(re.escape, language(lang).conjunctions))
    return re.sub(form.format(f"(?:{words})"), ",", text)


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
        wrong="not what the parts make",
        may_be_conjunction=True,
        equivalences=(*also, *_SINGLE_EQUIVALENCES.split()),
    )
