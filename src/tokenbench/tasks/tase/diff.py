"""DIFF: do two shuffled lists contain the same tokens, and if not, which token differs?"""

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache

from tokenbench.answers.kind import WORD_EQUIVALENCES, Lane
from tokenbench.answers.tokens import Tokens
from tokenbench.checks import texts
from tokenbench.draw import Draw
from tokenbench.extraction import Unparsable
from tokenbench.item import Item, Json
from tokenbench.patterns import lazy_pattern
from tokenbench.quoting import pluralize
from tokenbench.tasks.params import Choice, Source
from tokenbench.tasks.spec import ItemSpec, Published, Question
from tokenbench.tasks.tase import TEXT_LENGTH, draw_tokens, tase_task
from tokenbench.tasks.wordings import question_text, questions
from tokenbench.text.answer_text import split_list, strip_copula
from tokenbench.text.languages import Language, language
from tokenbench.text.normalize import equals_ignoring_markup, normalize, strip_wrapping
from tokenbench.text.sources import SOURCES
from tokenbench.text.units import is_plain, normalize_units

VARIATIONS = ("unchanged", "add", "delete", "modify")
_QUOTES = "\"'“”‘’「」"
# Further tokens of the text: one of them may be added to the list. A user's text, which need not
# have many, gives one.
_N_SPARE = 8
_OPTIONAL_MARK = rf"(?:\*\*|[{_QUOTES}])?"
# As in `no: cat`.
_LEADING_WORD = lazy_pattern(
    rf"\s*{_OPTIONAL_MARK}(\w+){_OPTIONAL_MARK}(?:\s*[,.:;，。：；、–—-]+|[ \t]*\n)(?=\s*\S)"
)


def differing(a: Sequence[str], b: Sequence[str]) -> tuple[str, ...]:
    """Return the tokens that one list contains more often than the other: first a's, then b's.

    >>> differing(["to", "be", "to"], ["be", "to", "see"])
    ('to', 'see')
    """
    in_a, in_b = Counter(texts("a", a)), Counter(texts("b", b))
    return tuple((in_a - in_b).elements()) + tuple((in_b - in_a).elements())


def _valid(differing: Sequence[str], answer: Sequence[str]) -> bool:
    """Return whether an answer names differing tokens only, at least one; or none, rightly.

    >>> _valid(["to", "see"], ["see"]), _valid(["to", "see"], []), _valid([], [])
    (True, False, True)
    """
    if not answer or not differing:
        return not answer and not differing
    return not Counter(answer) - Counter(set(differing))


def _sample(spec: ItemSpec, draw: Draw) -> Question | None:
    variation = spec.overrides.get("variation") or draw.choice(VARIATIONS)
    length = draw.between(*spec.range("length"))
    n_spare = 0
    if variation in ("add", "modify"):
        n_spare = _N_SPARE if spec.text is None else 1
    shown, source = draw_tokens(draw, spec, length + n_spare)
    # The list and the token that is added to it are drawn from one text, so the latter is as common
    # as its neighbors.
    shown = draw.shuffled(shown)
    a, spare = shown[:length], shown[length:]
    b = list(a)
    if variation in ("delete", "modify"):
        removed = b.pop(draw.below(length))
        spare = [token for token in spare if token != removed]
    if n_spare and not spare:
        return None
    b += spare[:1]
    answer = list(differing(a, b))
    joiner = spec.language.joiner
    first, second = joiner.join(a), joiner.join(draw.shuffled(b))
    label = answer[0] if answer else spec.language.same[0]
    payload = questions("diff", spec.language)["payload"].format(first=first, second=second)
    return Question(
        question_text(draw, "diff", spec, payload),
        answer,
        {"length": length, "variation": variation},
        solution=label,
        source=source,
        published=Published("diff", label, variation),
    )


def _read(text: str, item: Item, language: Language) -> list[str]:
    """Return the tokens that an answer names; none if it says that the lists are the same."""
    if token := _differing_token(text, item.target):
        return [token]
    text = strip_copula(normalize(text), language)
    if token := _differing_token(text, item.target):
        return [token]
    text = strip_wrapping(text)
    leading = _LEADING_WORD.match(text)
    word, rest = (leading[1].lower(), text[leading.end() :]) if leading else ("", text)
    says_no = word in language.no
    if says_no:
        text = rest
        if token := _differing_token(text, item.target):
            return [token]
    statement = strip_wrapping(rest if word in language.yes else text).lower()
    # As in `Yes, the same`.
    if not says_no and _says_same(statement, item, language):
        return []
    if token := _token_with_noun(text, item, language):
        return [token]
    pair = _pair_pattern(language).fullmatch(strip_wrapping(text))
    names = [part.lower() for part in split_list(", ".join(pair.groups()) if pair else text)]
    tokens = {normalize(token).lower(): token for token in item.target["differing"]}
    names = [tokens.get(name, name) for name in names]
    if len(names) == 1:
        (word,) = names
        # A list of one, as in `["same"]`.
        is_list = text.startswith("[") and _says_same(word, item, language)
        if not says_no and (word in language.yes or is_list):
            return []
        # Both characters of a modification may be written without a space.
        if not language.counts_words and len(word) == 2 and word not in language.no:
            return list(word)
    if not 1 <= len(names) <= 2:
        count = pluralize(len(names), language.unit_name)
        alone = f"if none does, the answer is “{language.same[0]}” alone"
        raise Unparsable(f"names {count}: one or two can differ; {alone}")
    return names


def _lane(item: Item) -> Lane:
    """Settle one differing token, or the words that say that there is none."""
    spoken, differing = language(item.lang), item.target["differing"]
    plain = [
        token
        for token in differing
        if is_plain(token, spoken) and token.islower() == spoken.counts_words
    ]
    right = frozenset(plain) if differing else _same_words(spoken)
    return lambda text: True if text in right else None


@cache
def _same_words(language: Language) -> frozenset[str]:
    """Return the words that are read as saying that the lists are the same."""
    item = Item("diff", 1, language.code, None, "", {"differing": []}, "")
    return frozenset(word for word in language.same if not _read(word, item, language))


def _differing_token(text: str, target: Json) -> str:
    """Return the differing token that an answer states, whatever its marks; empty if there is none.

    Tokens of published lists may contain separators and final marks (`and/or`, `u.s.`).
    """
    answer = normalize_units(text).lower()
    for token in dict.fromkeys(target["differing"]):
        if equals_ignoring_markup(answer, normalize_units(token).lower()):
            return str(token)
    return ""


def _says_same(statement: str, item: Item, language: Language) -> bool:
    """Return whether an answer says that the lists are the same, in its language or in English.

    A word that differs is itself, even if it is such a phrase (identical), and so are two
    characters that differ (一样).
    """
    if statement not in (*language.same, *language.list_words["same_phrases"]):
        return False
    tokens = {normalize(token).lower() for token in item.target["differing"]}
    return statement not in tokens and not set(statement) <= tokens


def _token_with_noun(text: str, item: Item, language: Language) -> str:
    """Return the one token that an answer calls a word or character; empty if there is none.

    As in `the word “cat”`, `“信”字` and `노 자`. A noun that is a token of the question is none,
    except next to itself (`자 자`), and there something stands between: `字字` is two tokens.
    """
    match = _noun_pattern(language).fullmatch(strip_wrapping(text))
    if match is None:
        return ""
    noun = match["before"] or match["after"]
    token = normalize(match["token"] or match["token2"]).lower()
    tokens = {normalize(token).lower(): token for token in item.target["differing"]}
    is_token = noun.lower() in tokens and (noun.lower() != token or match[0].lower() == 2 * token)
    return "" if is_token else str(tokens.get(token, token))


@cache
def _noun_pattern(language: Language) -> re.Pattern[str]:
    """Return the pattern of one token, in quotes or not, with a noun before or after it."""
    before, after = (
        "|".join(map(re.escape, language.list_words[name])) or "(?!)"
        for name in ("tokens_before", "tokens_after")
    )
    token = r"\S+" if language.counts_words else r"\w"
    quoted = rf"(?:\*\*)?[{_QUOTES}]?(?P<token>{token}?)[{_QUOTES}]?(?:\*\*)?"
    again = quoted.replace("<token>", "<token2>")
    # A noun before a token needs a colon or quotes: "word cat" names two. Some nouns touch a token
    # without quotes (信字), others need a space (노 자).
    touching = re.escape(language.character_noun) or "(?!)"
    return re.compile(
        rf"(?P<before>{before})(?:\s*[:：]\s*|\s*(?=\*\*|[{_QUOTES}])){quoted}"
        rf"|{again}(?:\s+|(?<=[*{_QUOTES}])|(?={touching}\Z))(?P<after>{after})",
        re.IGNORECASE,
    )


@cache
def _pair_pattern(language: Language) -> re.Pattern[str]:
    """Return the pattern of two tokens with a conjunction between them."""
    conjunctions = "|".join(map(re.escape, language.conjunctions))
    if language.counts_words:
        return re.compile(rf"(\S+)\s+(?:{conjunctions})\s+(\S+)", re.IGNORECASE)
    token = f"[{_QUOTES}]?\\w[{_QUOTES}]?"
    return re.compile(rf"({token})\s*(?:{conjunctions})\s*({token})")


def _explain(_differing: Sequence[str], answer: Sequence[str]) -> str:
    return "the named tokens are not those that differ" if answer else "the lists are not the same"


def _guess(item: Item) -> float:
    """Return the guess rate of the one constant answer: that the lists are the same."""
    variation = (item.meta.get("params") or {}).get("variation")
    return 1 / len(VARIATIONS) if variation is None else float(variation == "unchanged")


TASK = tase_task(
    name="diff",
    doc="Say which token differs between two shuffled lists, or that none does.",
    answer=Tokens(
        field="differing",
        read=_read,
        valid=_valid,
        explanation=_explain,
        settling=_lane,
        may_be_empty=True,
        equivalences=(*WORD_EQUIVALENCES, "ending", "noun", "sentence"),
        may_be_conjunction=True,
    ),
    sample=_sample,
    guess=_guess,
    source="TASE, token awareness: DIFF",
    params=(
        TEXT_LENGTH(help="tokens of the first list"),
        Choice("variation", VARIATIONS, help="how the second list is made from the first"),
        Source("words", SOURCES, help="where the tokens come from"),
        Source("text", (), help="a running text to take the tokens from"),
    ),
)
generate = TASK.generate
verify = TASK.verify
