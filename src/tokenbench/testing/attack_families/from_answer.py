"""Attack families that contain the right answer: with another, denied, untagged, corrupted.

They use `item.solution` on purpose: so writes a policy that half knows the answer. A judge that
looks for the answer, rather than reading the one that was given, pays all of them. Prose after a
pair changes nothing, an unclosed tag included: only another pair replaces an answer. For counts,
the right number is there without being stated alone.

A family here returns texts that `FROM_ANSWER` puts in tags. Those that only fill in patterns are in
`forms.toml`.
"""

from collections.abc import Callable, Sequence
from functools import cache, partial
from itertools import cycle, islice
from typing import Final

from tokenbench.answers import Characters, Writing
from tokenbench.item import Item, dumps
from tokenbench.testing.attack_families.without_answer import AttackFamily
from tokenbench.testing.item_facts import (
    FORMS,
    answer_parts,
    answers_yes_or_no,
    decoys,
    drop_right_texts,
    form_fields,
    is_ordered,
    is_position,
    is_yes_or_no,
    keeps_case,
    kind_of,
    lists_accepted_parts,
    lists_solution,
    near_miss,
    number,
    right_texts,
    strip_marks,
    tagged,
    tokens,
    vocabulary,
)
from tokenbench.text.languages import language

TextFamily = Callable[[Item], list[str]]

_LANGS = ("en", "zh", "ko", "ru", "es")
_FILLER_WORDS = 60
# Before an answer without tags.
_LONG_FILLER_WORDS = 3000
_FOREIGN = (" мусор", " ごみ ゴミ", " ขยะ")
_JUNK_REPEATS = 40
_LATIN, _CYRILLIC = "aceiopsxyjABCEHIKMOPSTXYJ", "асеіорѕхујАВСЕНІКМОРЅТХУЈ"
_HOMOGLYPHS = str.maketrans(_LATIN + _CYRILLIC, _CYRILLIC + _LATIN)
# Acute, struck through, in a circle.
_MARKS = ("\u0301", "\u0336", "\u20dd")
# One before the circled 1.
_CIRCLED_ZERO = 0x245F
_MAX_IN_WORDS = 10
_SUPERSCRIPT = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_SUBSCRIPT = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def hedge(item: Item) -> list[str]:
    """Return the answer or another, joined by a word or sign for "or"."""
    x, y = item.solution, near_miss(item)
    return [form.format(*pair) for form in FORMS["hedges"] for pair in ((x, y), (y, x))]


def hedge_object(item: Item) -> list[str]:
    """Return the answer and another as fields of an object, or in a list of lists."""
    x, y = item.solution, near_miss(item)
    # fmt: off
    values = (
        {"answer": x, "alternative": y}, {"alternative": y, "answer": x},
        {"first": y, "second": x}, {"candidates": [x, y]}, [[x], [y]],
        [{"answer": x}, {"answer": y}],
    )
    # fmt: on
    return [text for value in values for text in (dumps(value), str(value))]


def candidate_table(item: Item) -> list[str]:
    """Return the answer and others as the rows of a table or as a numbered list."""
    x, others = item.solution, (near_miss(item), *decoys(item))
    rows = "\n".join(f"| {text} | ? |" for text in (x, *others))
    numbers = "\n".join(f"{i}. {text}" for i, text in enumerate((*others, x), 1))
    letters = "\n".join(f"({i}) {text}" for i, text in zip("abcd", (x, *others), strict=True))
    heading = "| candidate | sure |\n|---|---|\n"
    return [heading + rows, rows, numbers, letters]


def negation(item: Item) -> list[str]:
    """Return a denial of the answer in words, and in marks where they are not mere punctuation."""
    marks_count = lists_solution(item) or number(item) is not None
    marks = ("~~{}~~", "!{}", "¬{}", "≠{}") if marks_count else ()
    forms = (*FORMS["denials"], *marks, "<del>{}</del>", "{}: no")
    return [form.format(item.solution) for form in forms]


def yes_and_no(item: Item) -> list[str]:
    """Return yes and no at once, or one of them denied, where one of them is the answer."""
    if not answers_yes_or_no(item):
        return []
    words = language(item.lang)
    yes, no = words.yes[0], words.no[0]
    forms = ("{} and {}", "{}/{}", "{}, {}", "{} {}", "{}{}", "{}. {}.", "{}, but {}", "{}\n{}")
    both = [form.format(*pair) for form in forms for pair in ((yes, no), (no, yes))]
    denials = [f"not {yes}", f"not {no}", f"{no} {no}", f"{yes}?", f"{no}?", f"{yes} + {no}"]
    return [text for text in (*both, *denials) if text.lower() not in words.yes + words.no]


def several_languages(item: Item) -> list[str]:
    """Return the answer in one language next to other answers in other languages."""
    x, y = item.solution, near_miss(item)
    texts = [f"English: {x}. 中文：{y}。", f"{y} (ko: {x})", f"{x} — по-русски {y}"]
    if answers_yes_or_no(item):
        is_yes = x.lower() in language(item.lang).yes
        others = [(words.yes if is_yes else words.no)[0] for words in map(language, _LANGS)]
        texts += [f"{x} / {' / '.join(others)}", f"{x} ({', '.join(others)})"]
    return texts


def filler(item: Item) -> list[str]:
    """Return the answer in a long text, in tags and, after a still longer one, without."""
    x, (short, long) = item.solution, _filler_texts(item.lang)
    texts = (f"{short}. {x}", f"{x}\n\n{short}", f"{short}: {x}. {short}")
    return [*map(tagged, texts), f"{long}. {x}", f"{long}\n\n{x}"]


@cache
def _filler_texts(lang: str) -> tuple[str, str]:
    words = vocabulary(lang)
    return " ".join(words[:_FILLER_WORDS]), " ".join(islice(cycle(words), _LONG_FILLER_WORDS))


def echo_then_answer(item: Item) -> list[str]:
    """Return the whole prompt and then the answer, in one pair of tags."""
    question = item.prompt.replace("<answer>", "").replace("</answer>", "")
    return [f"{question}\n{item.solution}", f"{item.solution}\n{question}"]


def program(item: Item) -> list[str]:
    """Return code whose value is the answer, if somebody ran it."""
    forms = ("print({!r})", "str({!r})", "eval({!r})", "lambda: {!r}", "f'{{{!r}}}' + input()")
    return [form.format(item.solution) for form in forms]


def superstring(item: Item) -> list[str]:
    """Return text that contains the answer without being it."""
    x = item.solution
    texts = [x * 2, x * 3, f"{x} {x} {x}"] if x.strip("0") else []
    if len(x.split()) == 1:
        texts.append(f"z{x}z")
    return texts


def glued_text(item: Item) -> list[str]:
    """Return the answer with letters stuck to it; nothing for texts, which allow any words."""
    x = item.solution
    return [] if len(x.split()) != 1 else [f"{x}ing", f"un{x}", f"un{x}ing"]


def extra_parts(item: Item) -> list[str]:
    """Return the answer with a word or two more."""
    x, (y, z) = item.solution, decoys(item)
    forms = ("{x}, {y}", "{y}, {x}", "{y}\n{x}", "{x}; {y}; {z}", "{x} ({y})", "{y} {z} {x}")
    return [form.format(x=x, y=y, z=z) for form in forms]


def missing_parts(item: Item) -> list[str]:
    """Return the answer without its first or last token or letter."""
    body = strip_marks(item.solution)
    # Digits are not parts of a count.
    if number(item) is not None or len(body) < 3:
        return []
    if len(body.split()) > 1:
        shorter = (body.rsplit(None, 1)[0], body.split(None, 1)[1])
        return [text for text in shorter if not lists_accepted_parts(text, item)]
    # Shorter answers that the prompt offers may be right by luck.
    fresh = [part for part in (body[:-1], body[1:]) if part not in tokens(item.prompt)]
    return [part for part in fresh if not is_yes_or_no(part, item)]


def unsplit(item: Item) -> list[str]:
    """Return the answer's parts run together, where that is not a list of one-letter parts."""
    parts = answer_parts(item)
    if any(len(part) > 1 for part in parts):
        return ["".join(parts)]
    if isinstance(kind_of(item), Characters) and lists_solution(item):
        return ["".join(item.solution.split())]
    return []


def reordered(item: Item) -> list[str]:
    """Return the answer's parts in other orders, where their order counts."""
    if not is_ordered(item):
        return []
    separator = ", " if answer_parts(item) else " "
    parts = answer_parts(item) or item.solution.split()
    orders = (parts[::-1], parts[1:] + parts[:1], sorted(parts))
    return drop_right_texts([separator.join(order) for order in orders], item)


def reversed_letters(item: Item) -> list[str]:
    """Return the answer's letters backwards, also marked so that they display in their order."""
    x = item.solution
    if not lists_solution(item) or len(x.split()) != 1:
        return []
    backwards = drop_right_texts([x[::-1]], item)
    return [form.format(text) for text in backwards for form in ("{}", "\u202e{}\u202c")]


def other_case(item: Item) -> list[str]:
    """Return the answer in other letter cases, where case is a part of it."""
    if not keeps_case(item):
        return []
    x, right = item.solution, right_texts(item)
    others = dict.fromkeys((x.swapcase(), x.upper(), x.lower(), x.title()))
    return [text for text in others if text not in right]


def homoglyphs(item: Item) -> list[str]:
    """Return the answer in letters of another script that look the same."""
    x = item.solution
    first = next((i for i, char in enumerate(x) if ord(char) in _HOMOGLYPHS), None)
    if first is None:
        return []
    one = x[:first] + x[first].translate(_HOMOGLYPHS) + x[first + 1 :]
    return drop_right_texts([x.translate(_HOMOGLYPHS), one], item)


def combining_marks(item: Item) -> list[str]:
    """Return the answer with marks on its letters; nothing for texts, which allow any words."""
    x = item.solution
    if isinstance(kind_of(item), Writing) or not x[-1:].isalnum():
        return []
    right = right_texts(item)
    texts = [x + mark for mark in _MARKS] + [_MARKS[0].join(x) + _MARKS[0]]
    return [text for text in texts if text not in right]


def html_entities(item: Item) -> list[str]:
    """Return the answer in the character references of HTML."""
    x = item.solution
    return [
        "".join(f"&#{ord(char)};" for char in x),
        "".join(f"&#x{ord(char):x};" for char in x),
        f"&quot;{x}&quot;",
        f"{x}&nbsp;",
        f"<b>{x}</b> <i>{near_miss(item)}</i>",
    ]


def appended_junk(item: Item) -> list[str]:
    """Return the answer followed by words of another script, few and many."""
    return [item.solution + text * repeats for text in _FOREIGN for repeats in (1, _JUNK_REPEATS)]


def appended_control(item: Item) -> list[str]:
    """Return the answer with a NUL or lone surrogate after it, which no equivalence allows."""
    bad = ("\0", "\ud800", "\0\0", "\ufffe", "\x08", "\x1b[0m")
    return [item.solution + char for char in bad]


def other_numerals(item: Item) -> list[str]:
    """Return the number in words, Roman, circled, raised or on keys: none of these are digits."""
    n = number(item)
    if n is None:
        return []
    texts = [str(n).translate(_SUPERSCRIPT), str(n).translate(_SUBSCRIPT)]
    texts += ["".join(digit + key for digit in str(n)) for key in ("\u20e3", "\ufe0f\u20e3")]
    if 1 <= n <= _MAX_IN_WORDS:
        texts += [chr(_CIRCLED_ZERO + n), *(row.split()[n - 1] for row in FORMS["numerals"])]
    return texts


def ordinal(item: Item) -> list[str]:
    """Return a position that is counted from 0 as an ordinal, or with a remark on counting."""
    # Only then does a prompt say 0.
    forms = FORMS["ordinals"] if is_position(item) and "0" in item.prompt else ()
    return [form.format(item.solution) for form in forms]


def _fill(forms: Sequence[str], item: Item) -> list[str]:
    fields = form_fields(item)
    return [form.format_map(fields) for form in forms]


def _fill_number(forms: Sequence[str], item: Item) -> list[str]:
    n = number(item)
    if n is None:
        return []
    values = {"n": n, "n or 1": n or 1} | {f"n{more:+}": n + more for more in (-1, 1, 2, 3, 5)}
    texts = [form.format_map(values) for form in forms]
    # Below 1000 there are no marks between thousands.
    return [text for text in texts if text != str(n)]


def _attack(texts_of: TextFamily, description: str | None, in_tags: bool) -> AttackFamily:
    def attack(item: Item) -> list[str]:
        # Published rows may be without a solution.
        texts = texts_of(item) if item.solution else []
        return list(map(tagged, texts)) if in_tags else texts

    attack.__doc__ = description
    return attack


def _attacks(*families: TextFamily, in_tags: bool = True) -> dict[str, AttackFamily]:
    return {family.__name__: _attack(family, family.__doc__, in_tags) for family in families}


def _patterns(
    kind: str, fill_in: Callable[[Sequence[str], Item], list[str]], *, in_tags: bool
) -> dict[str, AttackFamily]:
    return {
        name: _attack(partial(fill_in, entry["forms"]), f"Return {entry['completions']}.", in_tags)
        for name, entry in FORMS[kind].items()
    }


# fmt: off
FROM_ANSWER: Final = {
    **_attacks(hedge, hedge_object, candidate_table, negation, yes_and_no, several_languages),
    **_attacks(filler, in_tags=False),
    **_attacks(echo_then_answer, program),
    **_patterns("answers", _fill, in_tags=False),
    **_attacks(
        superstring, glued_text, extra_parts, missing_parts, unsplit, reordered, reversed_letters,
        other_case, homoglyphs, combining_marks, html_entities, appended_junk, appended_control,
    ),
    **_patterns("numbers", _fill_number, in_tags=True),
    **_attacks(other_numerals, ordinal),
}
# fmt: on
