"""What tasks with yes or no as the answer share."""

from typing import Final

from tokenbench.extraction import Unparsable
from tokenbench.item import Item, Json
from tokenbench.tasks.folding import WORD
from tokenbench.text.languages import Language as AnswerWords
from tokenbench.text.languages import language as answer_words
from tokenbench.text.normalize import BRACKETS, normalize

FIELDS: Final = {"answer": "bool"}
FOLDS: Final = (*WORD, "brackets", "exclaimed")
EXAMPLES: Final = (
    {"holds": True, "repeated": True, "acted": True},
    {"holds": False, "repeated": True},
    {"holds": True},
    {"holds": False},
)
_LONGEST = 32
_AROUND = (*BRACKETS, ("¡", "!"))


def parse(text: str, item: Item) -> bool:
    """Return whether an answer says yes, in the language of the item.

    In English as well where a published row has its label in English.

    Raises:
        Unparsable: neither yes nor no.

    >>> parse("**Yes!**", Item("t", 1, "en", None, "Is it?", {"answer": True}, "Yes"))
    True
    """
    said = normalize(normalize(text, _AROUND).removesuffix("!"), _AROUND).lower()
    for words in _words(item):
        if said in words.yes:
            return True
        if said in words.no:
            return False
    words = answer_words(item.lang)
    raise Unparsable(f"is neither “{words.yes[0]}” nor “{words.no[0]}” alone")


def _words(item: Item) -> list[AnswerWords]:
    """Return the answer words of an item's language; English ones too where its label is one."""
    own, english = answer_words(item.lang), answer_words("en")
    label = str((item.target.get("published") or {}).get("label", "")).lower()
    said = label in english.yes + english.no and label not in own.yes + own.no
    return [own, english] if said else [own]


def verify(answer: bool, target: Json) -> bool:
    """Return whether an answer is the right one of the two.

    >>> verify(True, {"answer": True})
    True
    """
    return bool(answer == target["answer"])


def grade(answer: bool, target: Json) -> float:
    """Return 1.0 for the right answer, else 0.0.

    >>> grade(True, {"answer": False})
    0.0
    """
    return float(verify(answer, target))


def why(answer: bool, target: Json) -> str:
    """Return what is wrong with an answer.

    >>> why(True, {"answer": False})
    'got yes: it is the other way round'
    """
    return f"got {'yes' if answer else 'no'}: it is the other way round"


def longest(target: Json) -> int:
    """Return the length of the longest reasonable answer.

    >>> longest({"answer": True})
    32
    """
    return _LONGEST


def guess_rate(item: Item) -> float:
    """Return how often one and the same answer is right: each is drawn half of the time.

    >>> guess_rate(Item("t", 1, "en", None, "Is it?", {"answer": True}, "Yes"))
    0.5
    """
    return 0.5
