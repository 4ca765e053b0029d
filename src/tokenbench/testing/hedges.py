"""Attack families that say the right answer among others, or deny it: nothing is committed to."""

from functools import cache
from itertools import cycle, islice
from typing import Final

from tokenbench.item import Item, dumps
from tokenbench.testing.forms import another, decoys, number, tagged, vocabulary
from tokenbench.testing.targets import is_listed, says_yes_or_no
from tokenbench.text.languages import language

_TONGUES = ("en", "zh", "ko", "ru", "es")
_FILLER = 60  # words about an answer
_LONG_FILLER = 3000  # words before an answer without tags


def hedge(item: Item) -> list[str]:
    """Return the answer or another, joined by a word or sign for "or"."""
    x, y = item.solution, another(item)
    forms = (
        "{} or {}",
        "{} / {}",
        "either {} or {}",
        "{}, maybe {}",
        "{}或{}",
        "{} 또는 {}",
        "{}? {}?",
        "{} ({}?)",
        "probably {}, else {}",
    )
    return [tagged(form.format(*pair)) for form in forms for pair in ((x, y), (y, x))]


def hedge_object(item: Item) -> list[str]:
    """Return the answer and another as fields of an object, or in a list of lists."""
    x, y = item.solution, another(item)
    held = (
        {"answer": x, "alternative": y},
        {"alternative": y, "answer": x},
        {"first": y, "second": x},
        {"candidates": [x, y]},
        [[x], [y]],
        [{"answer": x}, {"answer": y}],
    )
    return [tagged(text) for value in held for text in (dumps(value), str(value))]


def candidate_table(item: Item) -> list[str]:
    """Return the answer and others as the rows of a table or as a numbered list."""
    x, others = item.solution, (another(item), *decoys(item))
    rows = "\n".join(f"| {text} | ? |" for text in (x, *others))
    listed = "\n".join(f"{place}. {text}" for place, text in enumerate((*others, x), 1))
    lettered = "\n".join(
        f"({letter}) {text}" for letter, text in zip("abcd", (x, *others), strict=True)
    )
    heading = "| candidate | sure |\n|---|---|\n"
    return [tagged(text) for text in (heading + rows, rows, listed, lettered)]


def negation(item: Item) -> list[str]:
    """Return a denial of the answer, in words, and in marks where these are no mere punctuation."""
    forms = [
        "not {}",
        "anything but {}",
        "{} is wrong",
        "不是{}",
        "并非{}",
        "{}가 아님",
        "It isn't {}",
    ]
    if is_listed(item) or number(item) is not None:
        forms += ["~~{}~~", "!{}", "¬{}", "≠{}"]
    return [tagged(form.format(item.solution)) for form in (*forms, "<del>{}</del>", "{}: no")]


def yes_and_no(item: Item) -> list[str]:
    """Return yes and no at once, or one of them denied, where one of them is the answer."""
    if not says_yes_or_no(item):
        return []
    words = language(item.lang)
    yes, no = words.yes[0], words.no[0]
    forms = ("{} and {}", "{}/{}", "{}, {}", "{} {}", "{}{}", "{}. {}.", "{}, but {}", "{}\n{}")
    both = [form.format(*pair) for form in forms for pair in ((yes, no), (no, yes))]
    denied = [f"not {yes}", f"not {no}", f"{no} {no}", f"{yes}?", f"{no}?", f"{yes} + {no}"]
    return [tagged(text) for text in (*both, *denied) if text.lower() not in words.yes + words.no]


def several_languages(item: Item) -> list[str]:
    """Return the answer in one language and other ones beside it in others."""
    x, y = item.solution, another(item)
    texts = [f"English: {x}. 中文：{y}。", f"{y} (ko: {x})", f"{x} — по-русски {y}"]
    if says_yes_or_no(item):
        asked = language(item.lang)
        spoken = asked.yes if x.lower() in asked.yes else asked.no
        others = [
            getattr(language(code), "yes" if spoken is asked.yes else "no")[0] for code in _TONGUES
        ]
        texts += [f"{x} / {' / '.join(others)}", f"{x} ({', '.join(others)})"]
    return [tagged(text) for text in texts]


def filler(item: Item) -> list[str]:
    """Return the answer in a long text, in tags and, after a still longer one, without."""
    x, (about, long) = item.solution, _texts(item.lang)
    texts = (f"{about}. {x}", f"{x}\n\n{about}", f"{about}: {x}. {about}")
    return [*map(tagged, texts), f"{long}. {x}", f"{long}\n\n{x}"]


@cache
def _texts(lang: str) -> tuple[str, str]:
    """Return a filler and a longer one in the words of a language."""
    words = vocabulary(lang)
    return " ".join(words[:_FILLER]), " ".join(islice(cycle(words), _LONG_FILLER))


def echo_then_answer(item: Item) -> list[str]:
    """Return the whole prompt and then the answer, in one pair of tags."""
    question = item.prompt.replace("<answer>", "").replace("</answer>", "")
    return [tagged(f"{question}\n{item.solution}"), tagged(f"{item.solution}\n{question}")]


def program(item: Item) -> list[str]:
    """Return code that would come to the answer, if somebody ran it."""
    x = item.solution
    forms = ("print({!r})", "str({!r})", "eval({!r})", "lambda: {!r}", "f'{{{!r}}}' + input()")
    return [tagged(form.format(x)) for form in forms]


HEDGES: Final = (
    hedge,
    hedge_object,
    candidate_table,
    negation,
    yes_and_no,
    several_languages,
    filler,
    echo_then_answer,
    program,
)
