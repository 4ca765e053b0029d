"""Facts about an item that attacks and variants are built from: its question and right answers.

Nothing here knows a task by name. The kind of its answers decides which completions suit an item,
so a new task meets the whole corpus. Labels, options and quoted texts come from the prompt.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from itertools import islice
from string import Formatter
from typing import Any, Final

import regex

from tokenbench.answers import AnswerKind, Number, Parts, YesNo
from tokenbench.answers.published_scorers import scorer_for
from tokenbench.item import Item, dumps
from tokenbench.scoring import RULES, Rule, has_scorer
from tokenbench.tasks import find_task
from tokenbench.tasks.wordings import CLOSING_QUOTES, OPENING_QUOTES, payload_of, split_closing
from tokenbench.text.languages import LANGUAGES, language, unit_languages
from tokenbench.text.lexicon import words
from tokenbench.text.normalize import caseless
from tokenbench.text.packs.model import pack
from tokenbench.text.sources import data_table

# Scripts in which a character is a token.
_SINGLE = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3"
_TOKEN = regex.compile(rf"[{_SINGLE}]|(?:(?![{_SINGLE}])\p{{L}}\p{{M}}*+)++")
LABEL: Final = re.compile(r"^([A-Z])[:：]", re.MULTILINE)
_OPTION = re.compile(r"^- (.+?) *(?:[(（].*)?$", re.MULTILINE)
_QUOTED = re.compile(
    f"[{OPENING_QUOTES}\"']([^{OPENING_QUOTES}{CLOSING_QUOTES}\"'\n]{{1,64}})[{CLOSING_QUOTES}\"']"
)
# Up to this length, an answer may be a list of one-letter labels or parts.
_MAX_LABEL_LETTERS = 4
# More units than any item may ask for.
MAX_SIZE: Final = 5000
# Patterns of attacks.
FORMS: Final = data_table("tokenbench.testing", "forms.toml")


def tagged(text: str) -> str:
    """Return a text as a completion that commits to it.

    >>> tagged("7")
    '<answer>7</answer>'
    """
    return f"<answer>{text}</answer>"


def fill(forms: Iterable[str], fields: Mapping[str, Any]) -> list[str]:
    """Return patterns with fields inserted, without those that need another field.

    >>> fill(["{x}!", "{x} or {y}?"], {"x": "7"})
    ['7!']
    """
    return [form.format_map(fields) for form in forms if _fields_of(form) <= fields.keys()]


@cache
def _fields_of(form: str) -> frozenset[str]:
    return frozenset(name for _, name, _, _ in Formatter().parse(form) if name)


def form_fields(item: Item) -> dict[str, str]:
    """Return the fields of all patterns: the right answer, a near miss, both in tags or as JSON.

    >>> fields = form_fields(Item("freq", 2, "en", None, "?", {"count": 7}, "7"))
    >>> "{X} or {y}?".format_map(fields)
    '<answer>7</answer> or 8?'
    """
    x, y = item.solution, near_miss(item)
    fields = {"x": x, "y": y, "X": tagged(x), "Y": tagged(y), "prompt": item.prompt}
    return fields | {"json": dumps(x), "json_y": dumps(y)}


def completion_for(answer: str, item: Item, rule: str) -> str:
    """Return a completion that commits to an answer, in the form that a rule reads.

    >>> published = {"evaluation": "quoted", "label": "no", "variation": ""}
    >>> item = Item("t", 1, "en", None, "?", {"answer": False, "published": published}, "no")
    >>> completion_for("no", item, "exact"), completion_for("no", item, "published")
    ('<answer>no</answer>', 'Answer: "no"')
    """
    if rule.startswith("published"):
        return scorer_for(item.target["published"]["evaluation"]).write(answer)
    return tagged(answer)


def rules_of(item: Item) -> tuple[Rule, ...]:
    """Return the rules under which an item can be judged."""
    return tuple(rule for rule in RULES if has_scorer(item, rule))


def kind_of(item: Item) -> AnswerKind | None:
    """Return the kind of answer that an item asks for; None for an unknown task or broken target.

    >>> kind_of(Item("freq", 2, "en", None, "How many?", {"count": 3}, "3")).name
    'number'
    """
    task = find_task(item.task)
    if task is None or item.variant not in (task.variants or (None,)):
        return None
    return task.kind(item.variant) if isinstance(item.target, dict) else None


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


def is_position(item: Item) -> bool:
    """Return whether an item asks for the number of a position."""
    kind = kind_of(item)
    return isinstance(kind, Number) and kind.position


def labels(item: Item) -> list[str]:
    """Return the letters under which the prompt lists several texts, each on its own line.

    >>> labels(Item("t", 1, "en", None, "Sort.\\n\\nA: one\\n\\nB: two words", {}, "BA"))
    ['A', 'B']
    """
    return _several(LABEL, item.prompt)


def options(item: Item) -> list[str]:
    """Return the names that the prompt lists, one a line, to choose the answer from.

    >>> options(Item("t", 1, "en", None, "Choose.\\n- red (warm)\\n- blue (cold)", {}, "red"))
    ['red', 'blue']
    """
    return _several(_OPTION, item.prompt)


def _several(pattern: re.Pattern[str], prompt: str) -> list[str]:
    matches = list(dict.fromkeys(pattern.findall(prompt)))
    return matches if len(matches) > 1 else []


def quoted_texts(item: Item) -> list[str]:
    """Return the texts in quotation marks in the prompt.

    >>> quoted_texts(Item("t", 1, "en", None, "Split “value” into three.", {}, "v, al, ue"))
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
    return parts if isinstance(kind_of(item), Parts) and parts in item.target["accepted"] else []


# Several families ask for the same item's payload, one after the other.
@lru_cache(maxsize=16)
def payload(item: Item) -> list[str]:
    """Return the paragraphs that an item's question is about; all of the prompt without any."""
    text = payload_of(item.task, item.lang, item.prompt)
    text = text or split_closing(item.prompt, item.lang)[0]
    return [part for part in map(str.strip, text.split("\n\n")) if part]


def tokens(text: str) -> list[str]:
    """Return the words of a text, and each Han, kana and Hangul character as a token.

    >>> tokens("3 cats, 猫")
    ['cats', '猫']
    """
    matches: list[str] = _TOKEN.findall(text)
    return matches


def payload_tokens(item: Item) -> tuple[str, ...]:
    """Return the tokens of a prompt's payload."""
    return tuple(tokens(" ".join(payload(item))))


def joiner(lang: str) -> str:
    """Return the separator between two tokens of a language: empty where they are characters."""
    if lang in unit_languages():
        return language(lang).joiner
    return "" if lang in LANGUAGES and pack(lang).joined else " "


def possible_sizes(item: Item) -> list[int]:
    """Return the sizes an answer might need: each number in the prompt, the payload's size."""
    numbers = map(int, re.findall("[0-9]{1,4}", item.prompt))
    sizes = dict.fromkeys([*numbers, len(payload_tokens(item))])
    return [size for size in sizes if 2 <= size <= MAX_SIZE]


def vocabulary(lang: str) -> tuple[str, ...]:
    """Return ordinary words of a language, English ones where we have no word list for it."""
    if lang in LANGUAGES and lang not in unit_languages():
        return pack(lang).vocabulary
    return words(lang if lang in unit_languages() else "en").words


def decoys(item: Item) -> list[str]:
    """Return two wrong answers: words of the item's language that its prompt does not contain.

    Unit words of counts, such as 개, add nothing to a number.
    """
    excluded, counters = item.prompt.lower() + item.solution.lower(), language(item.lang).counters
    words = (word for word in vocabulary(item.lang) if word.lower() not in excluded)
    return list(islice((word for word in words if word.lower() not in counters), 2))


def near_miss(item: Item) -> str:
    """Return an answer that is nearly the solution and wrong; empty if there is no solution.

    The next number; a list or text without its last token; else a word with letters exchanged or
    changed. The other order of two letters may also be right where letters are parts, hence only
    ASCII ones are exchanged.

    >>> near_miss(Item("freq", 2, "en", None, "?", {"count": 7}, "7"))
    '8'
    >>> [near_miss(Item("t", 1, "en", None, "?", {}, text)) for text in ("CAB", "a b c")]
    ['ACB', 'a b']
    """
    count = number(item)
    if count is not None:
        return str(count + 1)
    body = strip_marks(item.solution)
    if len(body.split()) > 1:
        shorter = body.rsplit(None, 1)[0]
        return f"{body}, {body}" if lists_accepted_parts(shorter, item) else shorter
    if body.isascii() and len(set(body)) > 1:
        at = next(i for i in range(1, len(body)) if body[i] != body[i - 1])
        return body[: at - 1] + body[at] + body[at - 1] + body[at + 1 :]
    if len(body) > _MAX_LABEL_LETTERS:
        return body[:-1]
    if not item.solution:
        return ""
    # Characters in the target may be right as well: some parts make several characters.
    excluded, text = item.prompt + dumps(item.target), body or item.solution
    code = ord(text[-1]) + 1
    # A mark would only be punctuation.
    while chr(code) in excluded or not chr(code).isalnum():
        code += 1
    return text[:-1] + chr(code)


def lists_accepted_parts(text: str, item: Item) -> bool:
    """Return whether a text lists the parts of a right answer, in any order."""
    if not isinstance(kind_of(item), Parts):
        return False
    parts = sorted(part.strip() for part in text.split(",") if part.strip())
    return any(sorted(accepted) == parts for accepted in item.target["accepted"])


def strip_marks(text: str) -> str:
    """Return a text without the marks around it, so that cutting it short cuts more than those.

    >>> strip_marks("“Who?” he asked."), strip_marks("…")
    ('Who?” he asked', '')
    """
    places = [i for i, char in enumerate(text) if char.isalnum()]
    return text[places[0] : places[-1] + 1] if places else ""


def is_yes_or_no(text: str, item: Item) -> bool:
    """Return whether a text is one of the words for yes and no, so that it may be right by luck.

    >>> item = Item("contains", 2, "en", "char", "?", {"answer": True}, "Yes")
    >>> is_yes_or_no("no", item), is_yes_or_no("maybe", item)
    (True, False)
    """
    words = language(item.lang)
    return text.lower() in words.yes + words.no


def right_texts(item: Item) -> frozenset[str]:
    """Return the right answers that a target lists, as an answer may write them.

    >>> sorted(right_texts(Item("spell", 2, "en", "char", "?", {"units": ["c", "at"]}, "c at")))
    ['c at']
    """
    kind = kind_of(item)
    return frozenset(kind.right_texts(item.target) if kind else ())


def lists_solution(item: Item) -> bool:
    """Return whether a target lists the solution as it is, so that its letters and order count."""
    return item.solution in right_texts(item)


def answers_yes_or_no(item: Item) -> bool:
    """Return whether the answer is one of the words for yes and no."""
    return isinstance(kind_of(item), YesNo) and is_yes_or_no(item.solution, item)


def is_ordered(item: Item) -> bool:
    """Return whether the order of an answer's parts counts, as in a spelled word."""
    kind = kind_of(item)
    if kind is None or not kind.is_ordered(item.target):
        return False
    return lists_solution(item) or isinstance(kind, Parts)


def keeps_case(item: Item) -> bool:
    """Return whether letter case is a part of the answer."""
    kind = kind_of(item)
    return kind is not None and lists_solution(item) and kind.keeps_case(item.target)


def drop_right_texts(texts: list[str], item: Item) -> list[str]:
    """Return the texts that are not right answers even if letter case is ignored.

    Texts that the prompt quotes are dropped as well: echoes are families of their own.
    """
    excluded = {caseless(text) for text in (*right_texts(item), item.solution, *quoted_texts(item))}
    return [text for text in texts if caseless(text) not in excluded]
