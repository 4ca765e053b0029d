"""The one answer that a completion commits to, or why there is none."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Final, Literal, TypeAlias, get_args

from tokenbench.errors import TokenbenchError, UnknownNameError, unknown
from tokenbench.quoting import pluralize, quote, quote_if_needed

ExtractName: TypeAlias = Literal["answer", "last", "open", "boxed", "raw"]
Extract: TypeAlias = ExtractName | Callable[[str], str | None]

EXTRACTS: Final[tuple[ExtractName, ...]] = get_args(ExtractName)

_TAG = re.compile(r"<(/?)(answer|think)>", re.IGNORECASE | re.ASCII)
# After this many `<` that begin no tag, the search for tags changes its method.
_MAX_MISSES = 6
_BRACE = re.compile(r"[{}]")
_BOXED = "\\boxed{"
_NUMBER_WORDS = ("two", "three")
# In a message about conflicting answers: how many are counted, and the characters of each.
_MAX_ANSWERS = 10
_MAX_CONFLICT_CHARS = 40
# The types of the parts of a chat message that are its text.
_TEXT_TYPES = ("text", "output_text")

# Characters that are never part of an answer and never counted: zero-width space, word joiner,
# byte order mark, soft hyphen and the marks that only steer the direction of writing. The joiners
# U+200C and U+200D are content.
IGNORED: Final = (
    "\xad\u061c\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff"
)
_SPACE = (
    "\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007"
    "\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
_STRIPPED = _SPACE + IGNORED


def text_of(completion: object) -> str | None:
    """Return a completion's text: a str itself, or the last assistant message of a chat.

    A chat is one message or several, each a dict or an object with `role` and `content`. Anything
    else, and a chat without such a message, gives None: no answer.

    >>> text_of([{"role": "user", "content": "?"}, {"role": "assistant", "content": "!"}])
    '!'
    """
    if isinstance(completion, str):
        return completion
    for message in reversed(_messages(completion)):
        if _is_one_of(_get(message, "role"), "assistant"):
            return _message_text(_get(message, "content"))
    return None


def candidates(text: str, extract: Extract = "answer") -> list[str]:
    """Return the non-empty texts that a completion offers as its answer, without outer space.

    `answer`: each text between `<answer>` and the next `</answer>`, after the last `</think>`; an
    unclosed `<think>` means no answer. `last`: only the last such text. `open`: also the text after
    an unclosed final tag. `boxed`: each `\\boxed{…}`. `raw`: the whole completion. A callable takes
    the completion and returns the answer or None. Time is linear in the length of the completion,
    and text without `<` takes almost none.

    Raises:
        UnknownNameError: no such `extract`.
        TokenbenchError: the callable returns something else than a str or None.

    >>> candidates("<think><answer>1</answer></think> so <answer> 2 </answer>")
    ['2']
    """
    if callable(extract):
        answer = extract(text)
        if not (answer is None or isinstance(answer, str)):
            raise TokenbenchError(
                f"the function given as extract returned {answer!r:.80}: it has to be a str or None"
            )
        texts = [] if answer is None else [answer]
    elif not isinstance(extract, str) or extract not in EXTRACTS:
        raise unknown_extract(extract)
    elif extract == "raw":
        texts = [text]
    elif extract == "boxed":
        texts = _read_boxed(text)
    else:
        texts, unclosed, _ = _scan(text)
        if extract == "open" and unclosed is not None:
            texts.append(text[unclosed:])
    answers = [stripped for one in texts if (stripped := one.strip(_STRIPPED))]
    return answers[-1:] if extract == "last" else answers


def unknown_extract(extract: object) -> UnknownNameError:
    """Return the error for an `extract` that is neither a known name nor callable."""
    return unknown("extract", extract, EXTRACTS)


def _read_boxed(text: str) -> list[str]:
    """Return the contents of every balanced `\\boxed{…}` after the last `</think>`."""
    _, _, start = _scan(text)
    if start is None:
        return []
    contents = []
    while (begin := text.find(_BOXED, start)) >= 0:
        depth, start = 1, begin + len(_BOXED)
        for brace in _BRACE.finditer(text, start):
            depth += 1 if brace[0] == "{" else -1
            if depth == 0:
                contents.append(text[start : brace.start()])
                start = brace.end()
                break
        else:
            break
    return contents


def _scan(text: str) -> tuple[list[str], int | None, int | None]:
    """Return the tagged texts, the start of an unclosed final tag's text, and of the prose.

    Only what follows the last `</think>` is read. An unclosed `<think>` leaves nothing to read, and
    then the last value is None.
    """
    pairs: list[str] = []
    unclosed: int | None = None
    start: int | None = 0
    for tag in _tags(text):
        closing, name = tag[1], tag[2].lower()
        if name == "think":
            pairs, unclosed = [], None
            start = tag.end() if closing else None
        elif start is not None:
            if not closing:
                unclosed = tag.end()
            elif unclosed is not None:
                pairs.append(text[unclosed : tag.start()])
                unclosed = None
    return pairs, unclosed, start


def _tags(text: str) -> Iterator[re.Match[str]]:
    """Yield the tags of a text in order, except those that a later `</think>` cancels anyway.

    Jumping from `<` to `<` makes long prose nearly free, because `str.find` only scans memory. If
    many `<` begin no tag, as in reasoning about code, the regular expression's own search costs
    less than the jumps.
    """
    misses, at = 0, text.find("<")
    # The position of the last `</think>`, once searched for.
    last: int | None = None
    while at >= 0:
        tag = _TAG.match(text, at)
        if tag is None:
            misses += 1
            if misses == _MAX_MISSES:
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


class Unparsable(Exception):
    """An answer text without the form that the task asks for; the message says why.

    The message continues a sentence that begins with the text: "holds 2 words: one is asked for".
    If the message takes time to make, it is a function, called only if somebody reads it.
    """

    def __str__(self) -> str:
        why = self.args[0] if self.args else ""
        return str(why() if callable(why) else why)


def committed(
    texts: list[str], parse: Callable[[str], Any], limit: int
) -> tuple[Any, str, Callable[[], str]]:
    """Return the one value that all the texts parse to, a code, and a function that explains it.

    The code is empty if there is a value, else one of `no_answer`, `too_long`, `unparsable`,
    `conflicting`. A text over `limit` characters is refused without parsing; a text that does not
    parse is a value of its own, so it conflicts with any other.
    """
    if not texts:
        return None, "no_answer", lambda: "no answer was given"
    value, code, why = _parse(texts[0], parse, limit)
    for text in texts[1:]:
        if text == texts[0]:
            continue
        other, other_code, _ = _parse(text, parse, limit)
        if code or other_code or other != value:
            return None, "conflicting", partial(_explain_conflict, texts, parse, limit)
    return value, code, why


def _parse(
    text: str, parse: Callable[[str], Any], limit: int
) -> tuple[Any, str, Callable[[], str]]:
    if len(text) > limit:
        detail = f"the answer has {pluralize(len(text), 'character')}, at most {limit:,} are read"
        return None, "too_long", lambda: detail
    try:
        return parse(text), "", str
    except Unparsable as error:
        return None, "unparsable", partial(_explain_unparsable, text, error)


def _explain_unparsable(text: str, error: Unparsable) -> str:
    return f"{quote(text)} {error}"


def _explain_conflict(texts: list[str], parse: Callable[[str], Any], limit: int) -> str:
    values: list[tuple[str, Any]] = []
    answers: list[str] = []
    for text in dict.fromkeys(texts):
        value, code, _ = _parse(text, parse, limit)
        if (key := (code, text if code else value)) not in values:
            values.append(key)
            answers.append(quote_if_needed(text, _MAX_CONFLICT_CHARS))
        if len(answers) == _MAX_ANSWERS:
            return f"{_MAX_ANSWERS} answers or more, such as {answers[0]} and {answers[1]}"
    if len(answers) > len(_NUMBER_WORDS) + 1:
        return f"{pluralize(len(answers), 'answer')}, such as {answers[0]} and {answers[1]}"
    number_word = _NUMBER_WORDS[len(answers) - 2]
    return f"{number_word} answers: {', '.join(answers[:-1])} and {answers[-1]}"


def explain_no_answer(completion: object, extract: Extract = "answer") -> str:
    """Return the reason why a completion offers no answer, in words.

    >>> explain_no_answer("<think>3"), explain_no_answer("3"), explain_no_answer(None)
    ('an unclosed <think>: nothing after it counts', 'no <answer> tags', 'not text: NoneType')
    """
    text = text_of(completion)
    if text is None:
        return _explain_not_text(completion)
    if not text.strip(_STRIPPED):
        return "the completion is empty"
    if callable(extract):
        return "the function given as extract found no answer"
    pairs, unclosed, start = _scan(text)
    if start is None:
        return "an unclosed <think>: nothing after it counts"
    after = " after the last </think>" if start else ""
    if extract == "boxed":
        if _read_boxed(text):
            return f"only empty \\boxed{{}}{after}"
        is_open = _BOXED in text[start:]
        return f"a \\boxed{{ that is never closed{after}" if is_open else f"no \\boxed{{}}{after}"
    if unclosed is not None:
        end = "that nothing follows" if extract == "open" else "that is never closed"
        return f"an <answer> tag{after} {end}"
    if pairs and _are_nested(text[start:]):
        return f"<answer> tags around others{after}: only the inner ones count, and they are empty"
    return f"{'only empty' if pairs else 'no'} <answer> tags{after}"


def _are_nested(text: str) -> bool:
    """Return whether another <answer> follows the text after an <answer>, before it is closed."""
    # The start of the text after the last tag, if that opens an answer.
    begin: int | None = None
    for tag in _tags(text):
        is_opening = tag[0].lower() == "<answer>"
        if is_opening and begin is not None and text[begin : tag.start()].strip(_STRIPPED):
            return True
        begin = tag.end() if is_opening else None
    return False


def _explain_not_text(completion: object) -> str:
    messages = _messages(completion)
    if messages is not completion and not _is_message(completion):
        return f"not text: {_type_name(completion)}"
    if messages and not isinstance(messages[-1], str) and not _is_message(messages[-1]):
        needed = "dicts, or objects with a role"
        return f"the messages of a chat have to be {needed}, not {_type_name(messages[-1])}"
    if any(_is_one_of(_get(message, "role"), "assistant") for message in messages):
        return "the last assistant message of the chat holds no text"
    return "a chat without an assistant message"


def _messages(completion: object) -> Sequence[object]:
    return completion if isinstance(completion, list | tuple) else [completion]


def _is_message(value: object) -> bool:
    return isinstance(value, dict) or isinstance(_get(value, "role"), str)


def _get(value: object, name: str, default: object = None) -> object:
    """Return an entry of a dict, or an attribute of any other object; None if reading it fails."""
    if isinstance(value, dict):
        return value.get(name, default)
    try:
        return getattr(value, name, default)
    except Exception:  # an object of another library may raise anything
        return None


def _type_name(value: object) -> str:
    return quote(type(value).__name__)[1:-1]


def _message_text(content: object) -> str | None:
    """Return the text of a chat message: a str, or the text parts of a list of parts.

    Parts of other types may contain text, too, such as the model's reasoning: that is not part of
    its answer.
    """
    if isinstance(content, str):
        return content
    if not isinstance(content, list | tuple):
        return None
    parts = [part if isinstance(part, str) else _part_text(part) for part in content]
    return "".join(part for part in parts if isinstance(part, str))


def _part_text(part: object) -> object:
    is_text = _is_one_of(_get(part, "type", "text"), *_TEXT_TYPES)
    return _get(part, "text") if is_text else None


def _is_one_of(value: object, *names: str) -> bool:
    # First the type, because comparing an array, for example, raises an error.
    return isinstance(value, str) and value in names
