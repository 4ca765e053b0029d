"""The form of an item's question and answer, as the corpus needs it.

Nothing here knows a task by name: the kind of its answers decides which completions suit an item,
so that a task which somebody adds meets the whole corpus. Labels, options and texts are read from
the prompt.
"""

import re
from functools import lru_cache
from typing import Final

import regex

from tokenbench.answers import AnswerKind, Number, Order, Parts
from tokenbench.answers.published_scorers import scorer_for
from tokenbench.item import Item, dumps
from tokenbench.tasks import find_task
from tokenbench.tasks.wordings import closing
from tokenbench.text.languages import language, unit_languages
from tokenbench.text.lexicon import words
from tokenbench.text.packs.model import PACKS, pack

_SINGLE = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3"  # scripts in which a character is a token
_TOKEN = regex.compile(rf"[{_SINGLE}]|(?:(?![{_SINGLE}])\p{{L}}\p{{M}}*+)++")
_LABEL = re.compile(r"^([A-Z])[:：]", re.MULTILINE)
_OPTION = re.compile(r"^- (.+?) *(?:[(（].*)?$", re.MULTILINE)
_QUOTED = re.compile("[“„‘«「\"']([^“”„‘’«»「」\"'\n]{1,64})[”“’»」\"']")
_SHORT = 4  # letters up to which an answer may be a list of one-letter labels or parts
LARGEST: Final = 5000  # more units than any item may ask for


def tagged(text: str) -> str:
    """Return a text as a completion that commits to it.

    >>> tagged("7")
    '<answer>7</answer>'
    """
    return f"<answer>{text}</answer>"


def completion(answer: str, item: Item, rule: str) -> str:
    """Return a completion that commits to an answer, in the form that a rule reads.

    >>> published = {"evaluation": "quoted", "label": "no", "variation": ""}
    >>> item = Item("t", 1, "en", None, "?", {"answer": False, "published": published}, "no")
    >>> completion("no", item, "exact"), completion("no", item, "published")
    ('<answer>no</answer>', 'Answer: "no"')
    """
    if rule.startswith("published"):
        return scorer_for(item.target["published"]["evaluation"]).write(answer)
    return tagged(answer)


def kind_of(item: Item) -> AnswerKind | None:
    """Return the kind of answers that an item asks for; None if its task is not known.

    >>> kind_of(Item("freq", 2, "en", None, "How many?", {"count": 3}, "3")).name
    'number'
    """
    task = find_task(item.task)
    known = task is not None and item.variant in (task.variants or (None,))
    return task.kind(item.variant) if task and known else None


def number(item: Item) -> int | None:
    """Return the number that is an item's answer; None if its answer is not a number.

    >>> number(Item("freq", 2, "en", None, "How many?", {"count": 3}, "3"))
    3
    >>> number(Item("var", 2, "ko", None, "Which?", {"text": "3"}, "3")) is None
    True
    """
    answer = item.solution
    is_number = isinstance(kind_of(item), Number) and answer.isascii() and answer.isdigit()
    return int(answer) if is_number else None


def labels(item: Item) -> list[str]:
    """Return the letters under which the prompt lists several texts, each in a line of its own.

    >>> labels(Item("t", 1, "en", None, "Sort.\\n\\nA: one\\n\\nB: two words", {}, "BA"))
    ['A', 'B']
    """
    found = list(dict.fromkeys(_LABEL.findall(item.prompt)))
    return found if len(found) > 1 else []


def options(item: Item) -> list[str]:
    """Return the names that the prompt lists, a line each, for the answer to be one of them.

    >>> options(Item("t", 1, "en", None, "Choose.\\n- red (warm)\\n- blue (cold)", {}, "red"))
    ['red', 'blue']
    """
    found = list(dict.fromkeys(_OPTION.findall(item.prompt)))
    return found if len(found) > 1 else []


def quoted(item: Item) -> list[str]:
    """Return the texts that stand in quotation marks in the prompt.

    >>> quoted(Item("t", 1, "en", None, "Split “value” into three.", {}, "v, al, ue"))
    ['value']
    """
    return list(dict.fromkeys(_QUOTED.findall(item.prompt)))


def answer_parts(item: Item) -> list[str]:
    """Return the parts that an answer lists, if answers are lists of parts.

    >>> target = {"accepted": [["v", "al"]], "ordered": True}
    >>> answer_parts(Item("compm", 2, "en", "split", "Split.", target, "v, al"))
    ['v', 'al']
    """
    parts = item.solution.split(", ")
    return parts if isinstance(kind_of(item), Parts) and parts in _accepted(item) else []


def is_order(item: Item) -> bool:
    """Return whether the answer is an order of the prompt's labels."""
    return isinstance(kind_of(item), Order)


def payload(item: Item) -> list[str]:
    """Return the paragraphs of a prompt after its question; all of them if there is but one."""
    return _payload(item.prompt, item.lang)


def _payload(text: str, lang: str) -> list[str]:
    text = text.removesuffix(closing(lang))
    paragraphs = [part.strip() for part in text.split("\n\n") if part.strip()]
    return paragraphs[1:] or paragraphs


def tokens(text: str) -> list[str]:
    """Return the words of a text, and each Han, kana and Hangul character as a token.

    >>> tokens("3 cats, 猫")
    ['cats', '猫']
    """
    found: list[str] = _TOKEN.findall(text)
    return found


def payload_tokens(item: Item) -> tuple[str, ...]:
    """Return the tokens of what a prompt asks about."""
    return _payload_tokens(item.prompt, item.lang)


def joiner(lang: str) -> str:
    """Return what stands between two tokens of a language: nothing where they are characters."""
    if lang in unit_languages():
        return language(lang).joiner
    return "" if lang in PACKS and pack(lang).joined else " "


def sizes(item: Item) -> list[int]:
    """Return how many units an answer might need: each number in the prompt, the payload's size."""
    asked = [int(digits) for digits in re.findall("[0-9]{1,4}", item.prompt)]
    given = len(payload_tokens(item))
    return [size for size in dict.fromkeys([*asked, given]) if 2 <= size <= LARGEST]


def vocabulary(lang: str) -> tuple[str, ...]:
    """Return ordinary words of a language, English ones where we have none of it."""
    if lang in PACKS and lang not in unit_languages():
        return pack(lang).vocabulary
    return words(lang if lang in unit_languages() else "en").words


def decoys(item: Item) -> list[str]:
    """Return two words of the item's language that its prompt does not hold, so no answers."""
    held = item.prompt.lower() + item.solution.lower()
    fresh = (word for word in vocabulary(item.lang) if word.lower() not in held)
    return [next(fresh), next(fresh)]


def another(item: Item) -> str:
    """Return an answer that is nearly the solution and wrong; empty if there is no solution.

    The next number; a list or text without its last token; else a word with letters exchanged or
    changed. The other order of two letters may also be right where letters are parts, hence only
    ASCII ones are exchanged.

    >>> another(Item("freq", 2, "en", None, "?", {"count": 7}, "7"))
    '8'
    >>> [another(Item("t", 1, "en", None, "?", {}, text)) for text in ("CAB", "a b c")]
    ['ACB', 'a b']
    """
    count = number(item)
    if count is not None:
        return str(count + 1)
    body = _unpunctuated(item.solution)
    if len(body.split()) > 1:
        shorter = body.rsplit(None, 1)[0]
        return f"{body}, {body}" if _lists_accepted_parts(shorter, item) else shorter
    if body.isascii() and len(set(body)) > 1:
        at = next(i for i in range(1, len(body)) if body[i] != body[i - 1])
        return body[: at - 1] + body[at] + body[at - 1] + body[at + 1 :]
    if len(body) > _SHORT:
        return body[:-1]
    # What the target holds may be right as well: some parts make several characters.
    return item.solution and _next_letter(body or item.solution, item.prompt + dumps(item.target))


def shortened(item: Item) -> list[str]:
    """Return the answer without its last and without its first token or letter.

    Nothing for counts, whose digits are no parts, nor for what the prompt offers as an answer.
    """
    body = _unpunctuated(item.solution)
    if number(item) is not None or len(body) < 3:
        return []
    if len(body.split()) > 1:
        shorter = (body.rsplit(None, 1)[0], body.split(None, 1)[1])
        return [text for text in shorter if not _lists_accepted_parts(text, item)]
    fresh = [part for part in (body[:-1], body[1:]) if part not in tokens(item.prompt)]
    return [part for part in fresh if not is_yes_or_no(part, item.lang)]


def is_yes_or_no(text: str, lang: str) -> bool:
    """Return whether a text is one of the words for yes and no, so that it may be right by luck.

    >>> is_yes_or_no("Yes", "en"), is_yes_or_no("maybe", "en")
    (True, False)
    """
    words = language(lang)
    return text.lower() in words.yes + words.no


def knows_misled(item: Item) -> bool:
    """Return whether the target lists answers of a misled reader, apart from other wrong ones.

    >>> target = {"answer": 5, "misled": [4]}
    >>> knows_misled(Item("trap", 2, "en", "boundary", "Where?", target, "5"))
    True
    """
    kind = kind_of(item)
    return kind is not None and "misled" in kind.schema


def _lists_accepted_parts(text: str, item: Item) -> bool:
    """Return whether a text lists an accepted decomposition, in any order."""
    if not isinstance(kind_of(item), Parts):
        return False
    parts = sorted(part.strip() for part in text.split(",") if part.strip())
    return any(sorted(option) == parts for option in _accepted(item))


def _accepted(item: Item) -> list[list[str]]:
    accepted: list[list[str]] = item.target["accepted"]
    return accepted


@lru_cache(maxsize=16)  # several families ask, one after the other
def _payload_tokens(prompt: str, lang: str) -> tuple[str, ...]:
    return tuple(tokens(" ".join(_payload(prompt, lang))))


def _unpunctuated(text: str) -> str:
    """Return the text up to its last letter or digit, lest cutting it short cuts only a mark."""
    while text and not text[-1].isalnum():
        text = text[:-1]
    return text


def _next_letter(text: str, avoided: str) -> str:
    code = ord(text[-1]) + 1
    while chr(code) in avoided:
        code += 1
    return text[:-1] + chr(code)
