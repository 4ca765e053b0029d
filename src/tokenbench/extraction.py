"""The answer of a completion, or why there is none."""

import re
from collections.abc import Callable, Container, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Any, Final, Literal, TypeAlias, get_args

from tokenbench.errors import TokenbenchError, unknown
from tokenbench.patterns import lazy_pattern
from tokenbench.quoting import pluralize, quote, quote_if_needed

ExtractName: TypeAlias = Literal["answer", "only", "open", "boxed", "raw"]
Extract: TypeAlias = ExtractName | Callable[[str], str | None]

EXTRACTS: Final[tuple[ExtractName, ...]] = get_args(ExtractName)

_OPEN, _CLOSE = b"<answer>", b"</answer>"
_THINK, _END_OF_THINKING = b"<think>", b"</think>"
_TAG = lazy_pattern(b"</?answer>", re.IGNORECASE)
# After this many pairs or boxes without an answer, all empty ones before them are removed at once.
_MAX_SKIPPED = 8
# The content of a pair that mentions the format in any language: dots, the tag's own name.
MENTIONS: Final = frozenset({"answer"})
_DOTS = ("..", "…", "__")
_MAX_MENTION_CHARS = 40
_MENTION_MARKS = " \t\r\n.…_*`\"'“”‘’「」『』()[]{}<>（）［］【】:："
_BRACE = lazy_pattern(r"[{}]")
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
STRIPPED: Final = _SPACE + IGNORED  # around an answer
_WIDE_SPACES = b"|".join(char.encode() for char in STRIPPED if char > "\x7f")
_BLANK = rb"(?:[\t-\r\x1c-\x20]++|(?=[\xc2-\xef])(?:%s))*+" % _WIDE_SPACES
_EMPTY_BOXES = lazy_pattern(rf"(?:\\boxed\{{[\s{IGNORED}]*+\}}[\s{IGNORED}]*+)+")
_EMPTY_PAIRS = lazy_pattern(b"(?:<answer>%s</answer>%s)+" % (_BLANK, _BLANK), re.IGNORECASE)


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


def is_mention(text: str, mentions: Container[str] = MENTIONS) -> bool:
    """Return whether a text in tags only mentions the format: it is dots, or one of some words.

    Args:
        text: the text, without outer space.
        mentions: the words, in lower case and without outer marks: "your answer", "and".

    >>> is_mention("..."), is_mention("`ANSWER`"), is_mention("{"), is_mention("3")
    (True, True, False, False)
    """
    if len(text) > _MAX_MENTION_CHARS:
        return False
    word = text.strip(_MENTION_MARKS).lower()
    return word in mentions if word else any(dots in text for dots in _DOTS)


def candidates(
    text: str, extract: Extract = "answer", mentions_format: Callable[[str], bool] = is_mention
) -> list[str]:
    """Return the texts that a completion offers as its answer, without outer space; none is empty.

    Only `only` may return several. Tags count in any ASCII case, after the last `</think>`; an
    unclosed `<think>` means no answer. A pair is `<answer>` and the next `</answer>` with no other
    `<answer>` between.

    - `answer`: the last pair that is neither empty nor a mention of the format; if all others are
      mentions, the last of these.
    - `only`: every pair.
    - `open`: as `answer`, or, where all pairs are mentions, the text after an unclosed `<answer>`.
    - `boxed`: the last balanced `\\boxed{…}`.
    - `raw`: the whole completion.
    - A callable takes the completion and returns the answer or None.

    Args:
        text: the completion.
        extract: how to take the answer out.
        mentions_format: whether the text of a pair, without outer space, only mentions the format.

    Time is linear in the length of the completion.

    Raises:
        UnknownNameError: no such `extract`.
        TokenbenchError: the callable returns something else than a str or None.

    >>> candidates("<answer>1</answer> No: in <answer>...</answer> tags, <answer> 2 </answer>.")
    ['2']
    """
    if callable(extract):
        answer = extract(text)
        if not (answer is None or isinstance(answer, str)):
            raise TokenbenchError(
                f"the function given as extract returned {answer!r:.80}: it has to be a str or None"
            )
        texts = [] if answer is None else [answer]
    elif extract == "answer":
        texts = _read_tagged(text, mentions_format, is_open=False)
    elif not isinstance(extract, str) or extract not in EXTRACTS:
        raise unknown("extract", extract, EXTRACTS)
    elif extract == "raw":
        texts = [text]
    elif extract == "boxed":
        filled = (box for box in _boxes_from_end(text) if box.strip(STRIPPED))
        texts = list(islice(filled, 1))
    elif extract == "open":
        texts = _read_tagged(text, mentions_format, is_open=True)
    else:
        prose = _after_thinking(text)
        texts = list(map(_decode, _all_pairs(prose))) if prose else []
    return [stripped for one in texts if (stripped := one.strip(STRIPPED))]


def _after_thinking(text: str) -> bytes | None:
    """Return the UTF-8 text after the last `</think>`; None if a `<think>` after it is unclosed.

    As bytes, tags of any case are found by scanning memory: only ASCII letters have a lower case.
    """
    # The last one in lower case is enough to skip most of a long draft.
    prose = text[max(0, text.rfind("</think>")) :].encode("utf-8", "surrogatepass")
    lower = prose.lower()
    end = lower.rfind(_END_OF_THINKING)
    start = end + len(_END_OF_THINKING) if end >= 0 else 0
    return None if lower.find(_THINK, start) >= 0 else prose[start:]


def _decode(prose: bytes) -> str:
    return prose.decode("utf-8", "surrogatepass")


def _pairs_from_end(prose: bytes) -> Iterator[bytes]:
    """Yield the contents of the pairs of tags, the last pair first."""
    lower, end, skipped = prose.lower(), len(prose), 0
    while (close := lower.rfind(_CLOSE, 0, end)) >= 0:
        begin = lower.rfind(_OPEN, 0, close)
        if begin < 0:
            return
        yield prose[begin + len(_OPEN) : lower.find(_CLOSE, begin)]
        end, skipped = begin, skipped + 1
        if skipped == _MAX_SKIPPED:
            # A space, since the texts around the pairs must not become a tag.
            prose = _EMPTY_PAIRS.sub(b" ", prose[:end])
            lower, end = prose.lower(), len(prose)


def _all_pairs(prose: bytes) -> Iterator[bytes]:
    """Yield the contents of the pairs of tags, the first pair first."""
    before, *pieces = prose.lower().split(_OPEN)
    start = len(before) + len(_OPEN)
    for piece in pieces:
        if (end := piece.find(_CLOSE)) >= 0:
            yield prose[start : start + end]
        start += len(piece) + len(_OPEN)


def only_pair(text: str) -> str | None:
    """Return the text in the only pair of tags, where no other `<` follows the thinking.

    Nearly every completion has such a pair; for all others the result is None.

    >>> only_pair("<think>1 < 2?</think> <answer>3</answer>"), only_pair("3 < 4 <answer>3</answer>")
    ('3', None)
    """
    end = text.rfind("<")
    if not text.startswith("</answer>", end):
        return None
    begin = text.rfind("<", 0, end)
    if not text.startswith("<answer>", begin):
        return None
    before = text.rfind("<", 0, begin)
    if before >= 0 and not text.startswith("</think>", before):
        return None
    return text[begin + len(_OPEN) : end]


def _read_tagged(text: str, mentions_format: Callable[[str], bool], *, is_open: bool) -> list[str]:
    """Return the answer in tags, or nothing, as `candidates` describes it."""
    if (pair := only_pair(text)) is not None:
        return [pair]
    prose = _after_thinking(text)
    if prose is None:
        return []
    mention: list[str] = []
    skipped = set()
    for content in _pairs_from_end(prose):
        if content in skipped:
            continue
        answer = _decode(content).strip(STRIPPED)
        if answer and not mentions_format(answer):
            return [answer]
        skipped.add(content)
        mention = mention or [answer] * bool(answer)
    if is_open and (unclosed := _after_unclosed_tag(prose)):
        return [unclosed]
    return mention


def _after_unclosed_tag(prose: bytes) -> str:
    """Return the text after the last `<answer>` if no `</answer>` follows, else nothing."""
    lower = prose.lower()
    begin = lower.rfind(_OPEN)
    is_closed = begin < 0 or lower.find(_CLOSE, begin) >= 0
    return "" if is_closed else _decode(prose[begin + len(_OPEN) :]).strip(STRIPPED)


def _boxes_from_end(text: str) -> Iterator[str]:
    """Yield the contents of every balanced `\\boxed{…}` after the last `</think>`, from the end."""
    prose = _after_thinking(text)
    text = "" if prose is None else _decode(prose)
    end, n_boxes = len(text), 0
    while (last := text.rfind("}", 0, end)) >= 0:
        begin = text.rfind(_BOXED, 0, last)
        if begin < 0:
            return
        depth = 1
        for brace in _BRACE.finditer(text, begin + len(_BOXED), end):
            depth += 1 if brace[0] == "{" else -1
            if depth == 0:
                yield text[begin + len(_BOXED) : brace.start()]
                break
        end, n_boxes = begin, n_boxes + 1
        if n_boxes == _MAX_SKIPPED:
            text = _EMPTY_BOXES.sub(" ", text[:end])
            end = len(text)


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
    if not text.strip(STRIPPED):
        return "the completion is empty"
    if callable(extract):
        return "the function given as extract found no answer"
    prose = _after_thinking(text)
    if prose is None:
        return "an unclosed <think>: nothing after it counts"
    after = " after the last </think>" if "</think>" in text.lower() else ""
    if extract == "boxed":
        if next(_boxes_from_end(text), None) is not None:
            return f"only empty \\boxed{{}}{after}"
        is_open = _BOXED.encode() in prose
        return f"a \\boxed{{ that is never closed{after}" if is_open else f"no \\boxed{{}}{after}"
    tags = [tag[0].lower() for tag in _TAG.finditer(prose)]
    if tags and tags[-1] == _OPEN:
        end = "that nothing follows" if extract == "open" else "that is never closed"
        return f"an <answer> tag{after} {end}"
    if next(_pairs_from_end(prose), None) is None:
        return f"no <answer> tags{after}"
    if _are_nested(prose):
        return f"<answer> tags around others{after}: only the inner ones count, and they are empty"
    return f"only empty <answer> tags{after}"


def _are_nested(prose: bytes) -> bool:
    """Return whether another <answer> follows the text after an <answer>, before it is closed."""
    # The start of the text after the last tag, if that opens an answer.
    begin: int | None = None
    for tag in _TAG.finditer(prose):
        is_opening = tag[0].lower() == _OPEN
        if is_opening and begin is not None and prose[begin : tag.start()].strip():
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
        return dict.get(value, name, default)
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
    # Comparing an array, or a str with a comparison of its own, may raise an error.
    return isinstance(value, str) and any(str.__eq__(value, name) is True for name in names)
