"""What tasks that take words and characters apart share: reading, folding and judging of parts."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final, TypeAlias

from tokenbench.decomposition import hangul, hanzi, kanji
from tokenbench.errors import TokenbenchError, texts
from tokenbench.extraction import Unparsable
from tokenbench.item import Item, Json
from tokenbench.quoting import first_few, quote_if_needed
from tokenbench.text import normalize
from tokenbench.text.answer_text import (
    bare_answer,
    dashes_to_commas,
    strip_copula,
    strip_list_markers,
)
from tokenbench.text.answer_text import split_list as listed
from tokenbench.text.languages import language as answer_words

Parts: TypeAlias = Sequence[str]

PARTS: Final = {"accepted": "list of lists of str", "ordered": "bool"}  # fields of targets
# Foldings of lists of parts, in whatever language.
LISTED: Final = ("list", "marked", "spaces", "plus", "joined", "jamo", "positions", "radicals")
# Those of one word or character.
STATED: Final = (*("wrapping", "invisible", "width", "brackets", "radicals", "ending", "called"),)
WHOLES: Final = {"accepted": "list of str"}
_LONGEST: Final = 128  # characters; the same for every target, lest a reason tell its length
_PLUS: Final = re.compile("[+＋]")
_UNSEEN: Final = re.compile(r"\*\*|ㆍ")  # among jamo: bold marks, and a jamo of old for a dot
_QUOTES: Final = re.compile("[“”‘’「」『』]")


def matches(parts: Parts, accepted: Sequence[Parts], *, ordered: bool = False) -> bool:
    """Return whether parts are those of an accepted decomposition, each as often as there.

    Args:
        parts: the parts, folded (see `folded`).
        accepted: the decompositions, folded.
        ordered: whether the parts have to stand in the order of the decomposition, too.

    Raises:
        TokenbenchError: not a sequence of str, or of such sequences.

    >>> matches(["巴", "扌"], [["扌", "巴"], ["手", "巴"]])
    True
    >>> matches(["ㅏ", "ㄱ"], [["ㄱ", "ㅏ"]], ordered=True)
    False
    """
    if not isinstance(accepted, Sequence):
        raise TokenbenchError(f"accepted is a sequence of decompositions: got {accepted!r:.80}")
    given, options = texts("parts", parts), [texts("accepted", option) for option in accepted]
    return given in options if ordered else sorted(given) in map(sorted, options)


def folded(part: str, lang: str) -> str:
    """Return one part of a word or character in the form in which parts are compared.

    English: lower case and usual width. Korean: a compatibility jamo. Chinese: the unified
    character for a radical, without variation selectors. Japanese: likewise, in the form that
    Japanese prints, and the component that a kana stands for. What is no part stays as it is.

    >>> folded("Ag", "en"), folded("ᆨ", "ko"), folded("⺘", "zh"), folded("ム", "ja")
    ('ag', 'ㄱ', '扌', '厶')
    """
    if lang == "en":
        return normalize.nfc(normalize.usual_width(part)).lower()
    if lang == "zh":
        return hanzi.normalize(part)
    if lang == "ja":
        return kanji.normalize(normalize.usual_width(part))
    return hangul.normalize(part) if hangul.is_jamo(part) else part


def verify(answer: str | Parts, target: Json) -> bool:
    """Return whether parts are accepted ones, or a whole is.

    >>> verify(["ㄱ", "ㅏ"], {"accepted": [["ㄱ", "ㅏ"]], "ordered": True})
    True
    >>> verify("irritation", {"accepted": ["irritation"]})
    True
    """
    if isinstance(answer, str):
        return answer in target["accepted"]
    return matches(answer, target["accepted"], ordered=target["ordered"])


def parse_parts(text: str, item: Item) -> list[str]:
    """Return the parts that an answer lists, folded.

    Raises:
        Unparsable: it lists none, or something that is none.

    >>> item = Item("t", 1, "zh", None, "?", {"accepted": [["扌", "巴"]]}, "扌 巴")
    >>> parse_parts("1. 扌\\n2. 巴", item)
    ['扌', '巴']
    """
    text = strip_copula(
        normalize.strip_wrapping(normalize.strip_invisible(text), normalize.ROUND), item.lang
    )
    text = _PLUS.sub(",", strip_list_markers(normalize.strip_wrapping(text, normalize.ROUND)))
    text = dashes_to_commas(
        text, "".join(part for option in item.target["accepted"] for part in option)
    )
    if item.lang == "ko":
        text = _UNSEEN.sub(lambda mark: "" if mark[0] == "**" else ",", text)
        try:
            found = list(hangul.split_jamo(_apart(text, "ko", r"(?<=\S)\s*+{}\s+")))
        except TokenbenchError:
            raise Unparsable("holds more than jamo: the jamo alone are asked for") from None
    elif item.lang in ("zh", "ja"):  # each character is a part, separated and quoted or not
        text = _QUOTES.sub(" ", text if item.lang == "zh" else _apart(text, "ja", "{}"))
        parts = (folded(part, item.lang) for part in listed(text))
        found = [folded(char, item.lang) for part in parts for char in part]
    else:
        found = [folded(part, item.lang) for part in listed(text)]
    if not found:
        raise Unparsable("names no parts")
    return _without_conjunction(found, item)


def parse_whole(text: str, item: Item) -> str:
    """Return the word or character that an answer is.

    A Han character may be called one (把字), and an "is" may end the answer.

    Raises:
        Unparsable: it is not one.

    >>> parse_whole("（把）", Item("t", 1, "zh", None, "?", {"accepted": ["把"]}, "把"))
    '把'
    """
    whole = bare_answer(text, item.lang, character=True)
    if item.lang == "en":
        whole = whole.lower()
    elif item.lang in ("zh", "ja"):
        whole = hanzi.normalize(whole)
    number, what = (len(whole.split()), "word") if item.lang == "en" else (len(whole), "character")
    if number != 1:
        raise Unparsable(f"is more than one {what}: one is asked for")
    return whole


def grade(answer: str | Parts, target: Json) -> float:
    """Return the greatest share of parts that an accepted decomposition has in common.

    By place where order counts, else of both multisets (Jaccard); a whole is right or wrong.

    >>> grade(["ㄱ", "ㅗ"], {"accepted": [["ㄱ", "ㅏ"]], "ordered": True})
    0.5
    """
    if isinstance(answer, str):
        return float(verify(answer, target))
    share = _placed if target["ordered"] else _shared
    return max((share(answer, option) for option in target["accepted"]), default=0.0)


def why(answer: str | Parts, target: Json) -> str:
    """Return what is wrong with an answer, without naming the target.

    >>> why("把", {"accepted": ["找"]})
    'got 把: not what the parts make'
    """
    if isinstance(answer, str):
        return f"got {quote_if_needed(answer)}: not what the parts make"
    accepted = "the right parts in order" if target["ordered"] else "an accepted decomposition"
    return f"got {first_few(answer)}: not {accepted}"


def longest(target: Json) -> int:
    """Return the length of the longest reasonable answer, in characters.

    >>> longest({"accepted": ["把"]})
    128
    """
    return _LONGEST


def _apart(text: str, lang: str, form: str) -> str:
    """Return the text with a comma for each "and" of a language, of which no part is made."""
    words = "|".join(map(re.escape, answer_words(lang).conjunctions))
    return re.sub(form.format(f"(?:{words})"), ",", text)


def _without_conjunction(found: list[str], item: Item) -> list[str]:
    """Return the parts without an "and" before the last one, unless that may be a part itself."""
    said = len(found) > 2 and found[-2] in answer_words(item.lang).conjunctions
    if said and not any(found[-2] in option for option in item.target["accepted"]):
        return [*found[:-2], found[-1]]
    return found


def _placed(given: Parts, wanted: Parts) -> float:
    """Return the share of places that hold the same part."""
    return sum(map(str.__eq__, given, wanted)) / max(len(given), len(wanted))


def _shared(given: Parts, wanted: Parts) -> float:
    """Return the Jaccard index of two multisets of parts."""
    a, b = Counter(given), Counter(wanted)
    return (a & b).total() / (a | b).total()
