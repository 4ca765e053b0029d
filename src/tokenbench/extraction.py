"""The one answer that a completion commits to, or why there is none."""

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final, TypeAlias

from tokenbench.errors import UnknownNameError, unknown
from tokenbench.quoting import quote, quote_if_needed

Extract: TypeAlias = str | Callable[[str], str | None]

_TAG = re.compile(r"<(/?)(answer|think)>", re.IGNORECASE | re.ASCII)
_PATIENCE = 6  # `<` that begin no tag, before the search for tags changes its way
_BRACE = re.compile(r"[{}]")
_BOXED = "\\boxed{"
_NUMBERS = ("two", "three")
_MANY = 10  # different answers, of which no more are looked for
_SAID = ("text", "output_text")  # types of the parts of a chat message that are its text
_CONFLICT = 40  # characters that are shown of each of several answers

# Characters that are never part of an answer and never counted: zero-width space, word joiner,
# byte order mark, soft hyphen and the marks that only steer the direction of writing. The joiners
# U+200C and U+200D are content.
_IGNORED_RANGES = (
    *((0xAD, 0xAD), (0x61C, 0x61C), (0x200B, 0x200B), (0x200E, 0x200F)),
    *((0x202A, 0x202E), (0x2060, 0x2060), (0x2066, 0x2069), (0xFEFF, 0xFEFF)),
)
IGNORED: Final = "".join(
    chr(code) for first, last in _IGNORED_RANGES for code in range(first, last + 1)
)
_SPACE = (
    "\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007"
    "\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
_OUTER = _SPACE + IGNORED


def text_of(completion: object) -> str | None:
    """Return a completion's text: a str itself, or the last assistant message of a chat.

    Anything else, and a chat without such a message, is None: no answer.

    >>> text_of([{"role": "user", "content": "?"}, {"role": "assistant", "content": "!"}])
    '!'
    """
    if isinstance(completion, str):
        return completion
    if isinstance(completion, dict):
        completion = [completion]
    if not isinstance(completion, list | tuple):
        return None
    for message in reversed(completion):
        if isinstance(message, dict) and _is(message.get("role"), "assistant"):
            return _content(message.get("content"))
    return None


def candidates(text: str, extract: Extract = "answer") -> list[str]:
    """Return the non-empty texts that a completion offers as its answer, outer space stripped.

    `answer`: what stands between `<answer>` and the next `</answer>`, after the last `</think>`;
    an unclosed `<think>` offers nothing. `last`: the last such text only. `open`: also one
    unclosed final tag. `boxed`: each `\\boxed{…}`. `raw`: the whole completion. A callable is
    given the completion and returns the answer or None. Time is linear in the completion's
    length, and text without `<` costs next to nothing.

    Raises:
        UnknownNameError: an `extract` that does not exist.

    >>> candidates("<think><answer>1</answer></think> so <answer> 2 </answer>")
    ['2']
    """
    if callable(extract):
        found = extract(text)
        return _kept([found]) if isinstance(found, str) else []
    try:
        reader = _READERS[extract]
    except (KeyError, TypeError):
        raise unknown_extract(extract) from None
    return _kept(reader(text))


def unknown_extract(extract: object) -> UnknownNameError:
    """Return the error for an `extract` that is neither a known name nor callable."""
    return unknown("extract", extract, EXTRACTS)


def _kept(texts: list[str]) -> list[str]:
    return [kept for text in texts if (kept := text.strip(_OUTER))]


def _tagged(text: str) -> list[str]:
    return _scan(text)[0]


def _last(text: str) -> list[str]:
    return _kept(_scan(text)[0])[-1:]


def _open(text: str) -> list[str]:
    pairs, begun, _ = _scan(text)
    return pairs if begun is None else [*pairs, text[begun:]]


def _boxed(text: str) -> list[str]:
    """Return the contents of every balanced `\\boxed{…}` after the last `</think>`."""
    _, _, start = _scan(text)
    if start is None:
        return []
    found = []
    while (begin := text.find(_BOXED, start)) >= 0:
        depth, start = 1, begin + len(_BOXED)
        for brace in _BRACE.finditer(text, start):
            depth += 1 if brace[0] == "{" else -1
            if depth == 0:
                found.append(text[start : brace.start()])
                start = brace.end()
                break
        else:
            break
    return found


def _raw(text: str) -> list[str]:
    return [text]


def _scan(text: str) -> tuple[list[str], int | None, int | None]:
    """Return the tagged texts, where an unclosed final tag's text begins, and where prose begins.

    Both count from the last `</think>` on; after an unclosed `<think>` there is nothing, and the
    last value is None.
    """
    pairs: list[str] = []
    begun: int | None = None
    start: int | None = 0
    for tag in _tags(text):
        closing, name = tag[1], tag[2].lower()
        if name == "think":
            pairs, begun = [], None
            start = tag.end() if closing else None
        elif start is not None:
            if not closing:
                begun = tag.end()
            elif begun is not None:
                pairs.append(text[begun : tag.start()])
                begun = None
    return pairs, begun, start


def _tags(text: str) -> Iterator[re.Match[str]]:
    """Yield the tags of a text in order, but for those that a later `</think>` undoes anyway.

    Jumping from `<` to `<` makes long prose nearly free, for `str.find` only scans memory. Where
    many a `<` begins no tag, as in reasoning about code, the regular expression's own search costs
    less than a jump for each.
    """
    misses, at = 0, text.find("<")
    last: int | None = None  # where the last `</think>` stands, once looked for
    while at >= 0:
        tag = _TAG.match(text, at)
        if tag is None:
            misses += 1
            if misses == _PATIENCE:
                yield from _TAG.finditer(text, at + 1)
                return
            at = text.find("<", at + 1)
            continue
        yield tag
        at = tag.end()
        if tag[0].lower() == "<think>":
            last = text.rfind("</think>", at) if last is None else last
            at = max(at, last)
        at = text.find("<", at)


_READERS: Final[dict[str, Callable[[str], list[str]]]] = {
    "answer": _tagged,
    "last": _last,
    "open": _open,
    "boxed": _boxed,
    "raw": _raw,
}
EXTRACTS: Final = tuple(_READERS)


class Unparsable(Exception):
    """An answer text that has not the form the task asks for; the message says why.

    The message goes on from the text: "holds 2 words: one is asked for". Where finding it takes
    time, it is a function that returns it, called only if somebody reads the message.
    """

    def __str__(self) -> str:
        why = self.args[0] if self.args else ""
        return str(why() if callable(why) else why)


def committed(
    texts: list[str], parse: Callable[[str], Any], limit: int
) -> tuple[Any, str, Callable[[], str]]:
    """Return the one value that all the texts parse to, a code, and a function that says why.

    The code is empty where there is a value, else one of `no_answer`, `too_long`, `unparsable`,
    `conflicting`. A text over `limit` characters is turned away unread; one that does not parse
    is a value of its own, so beside any other it conflicts.
    """
    if not texts:
        return None, "no_answer", lambda: "no answer was given"
    value, code, why = _parsed(texts[0], parse, limit)
    for text in texts[1:]:
        if text == texts[0]:
            continue
        other, other_code, _ = _parsed(text, parse, limit)
        if code or other_code or other != value:
            return None, "conflicting", partial(_conflict, texts, parse, limit)
    return value, code, why


def _parsed(
    text: str, parse: Callable[[str], Any], limit: int
) -> tuple[Any, str, Callable[[], str]]:
    if len(text) > limit:
        detail = f"the answer has {len(text)} characters, at most {limit} are read"
        return None, "too_long", lambda: detail
    try:
        return parse(text), "", str
    except Unparsable as error:
        return None, "unparsable", partial(_unparsable, text, error)


def _unparsable(text: str, error: Unparsable) -> str:
    return f"{quote(text)} {error}"


def _conflict(texts: list[str], parse: Callable[[str], Any], limit: int) -> str:
    """Return how many different answers there are, and some of them; many are not all counted."""
    values: list[tuple[str, Any]] = []
    found: list[str] = []
    for text in dict.fromkeys(texts):
        value, code, _ = _parsed(text, parse, limit)
        if (kept := (code, text if code else value)) not in values:
            values.append(kept)
            found.append(quote_if_needed(text, _CONFLICT))
        if len(found) == _MANY:
            return f"{_MANY} answers or more, such as {found[0]} and {found[1]}"
    if len(found) > len(_NUMBERS) + 1:
        return f"{len(found)} answers, such as {found[0]} and {found[1]}"
    return f"{_NUMBERS[len(found) - 2]} answers: {', '.join(found[:-1])} and {found[-1]}"


def explain_no_answer(completion: object, extract: Extract = "answer") -> str:
    """Return in words why a completion offers no answer, given that it offers none.

    >>> explain_no_answer("<think>3"), explain_no_answer("3"), explain_no_answer(None)
    ('an unclosed <think>: nothing after it counts', 'no <answer> tags', 'not text: NoneType')
    """
    text = text_of(completion)
    if text is None:
        return _no_text(completion)
    if not text.strip(_OUTER):
        return "the completion is empty"
    if callable(extract):
        return "the function given as extract found no answer"
    pairs, begun, start = _scan(text)
    if start is None:
        return "an unclosed <think>: nothing after it counts"
    after = " after the last </think>" if start else ""
    if extract == "boxed":
        if _boxed(text):
            return f"only empty \\boxed{{}}{after}"
        is_open = _BOXED in text[start:]
        return f"a \\boxed{{ that is never closed{after}" if is_open else f"no \\boxed{{}}{after}"
    if begun is not None:
        end = "that nothing follows" if extract == "open" else "that is never closed"
        return f"an <answer> tag{after} {end}"
    return f"{'only empty' if pairs else 'no'} <answer> tags{after}"


def _no_text(completion: object) -> str:
    messages = [completion] if isinstance(completion, dict) else completion
    if not isinstance(messages, list | tuple):
        return f"not text: {quote(type(completion).__name__)[1:-1]}"
    if any(isinstance(one, dict) and one.get("role") == "assistant" for one in messages):
        return "the last assistant message of the chat holds no text"
    return "a chat without an assistant message"


def _content(content: object) -> str | None:
    """Return the text of a chat message: a str, or the text parts of a list of parts.

    Parts of other types may hold text as well: what a model reasons is no part of its answer.
    """
    if isinstance(content, str):
        return content
    if not isinstance(content, list | tuple):
        return None
    parts = [_said(part) if isinstance(part, dict) else part for part in content]
    return "".join(part for part in parts if isinstance(part, str))


def _said(part: dict[str, object]) -> object:
    """Return the text of a part of a message, if it is a part of text and no thought."""
    return part.get("text") if _is(part.get("type", "text"), *_SAID) else None


def _is(value: object, *names: str) -> bool:
    """Return whether a value is one of some names; it need not know how to be compared."""
    return isinstance(value, str) and value in names
