"""SPELL_INVERSE: write the word whose characters are given one by one."""

from collections.abc import Sequence

from tokenbench.answers.text import Text, strip_noun, strip_question
from tokenbench.checks import texts
from tokenbench.draw import Draw
from tokenbench.extraction import Unparsable
from tokenbench.item import Item, Json
from tokenbench.quoting import pluralize, quote_if_needed
from tokenbench.records import record
from tokenbench.tasks import language_packs
from tokenbench.tasks.language_packs import CHARACTERS, Case, Material
from tokenbench.tasks.spec import ItemSpec, Question
from tokenbench.tasks.wordings import question_text
from tokenbench.text.answer_text import split_spelling, strip_copula
from tokenbench.text.graphemes import graphemes, stand_apart
from tokenbench.text.languages import Language
from tokenbench.text.normalize import BRACKETS, nfc, normalize, strip_final_stop
from tokenbench.text.units import normalize_units


def solve(units: Sequence[str]) -> str:
    """Return the word that characters spell.

    Raises:
        TokenbenchError: not a sequence of str.

    >>> solve(["c", "a", "t"])
    'cat'
    """
    return nfc("".join(texts("units", units)))


def _cases(lines: Sequence[Case], _material: Material) -> list[Case]:
    return [case for case in lines if stand_apart([*case.line.units])]


def _ask(case: Case, draw: Draw, spec: ItemSpec) -> Question:
    line = case.line
    write = language_packs.in_script(spec)
    spelling, word = " ".join(map(write, line.units)), write(line.text)
    return Question(
        question_text(draw, "spell_inverse", spec, form=CHARACTERS, spelled=spelling),
        word,
        language_packs.line_facts(line),
        published=language_packs.cute_scoring(CHARACTERS, word),
    )


def _key(text: str, _target: Json) -> str:
    return nfc(text)


def _read(text: str, item: Item, language: Language) -> str:
    right = nfc(item.target["word"])
    marks = () if any(mark in right for pair in BRACKETS for mark in pair) else BRACKETS
    word = normalize(text, marks)
    if nfc(word) == right:
        return word
    units = graphemes(right)
    word = strip_question(word, lambda left: split_spelling(left, right) == units, len(right))
    word = normalize(word, marks)
    # The word itself may end like a copula.
    if nfc(word) != right:
        word = normalize(strip_copula(word, language), marks)
    word = strip_noun(word, language, "word")
    if len(word.split()) != 1:
        raise Unparsable(f"contains {pluralize(len(word.split()), 'word')}: one is asked for")
    # A capital at the start and nowhere else, or capitals only.
    is_capitalized = word in (word[:1].upper() + word[1:].lower(), word.upper())
    return word.lower() if is_capitalized and right == right.lower() else word


def _stays(text: str, _item: Item) -> bool:
    """Return whether reading leaves a word as it is (see `Text`)."""
    return text[0].isalnum() and strip_final_stop(normalize_units(text)) == nfc(text)


def _explain(answer: str, target: Json) -> str:
    given, expected = len(graphemes(answer)), len(graphemes(target["word"]))
    if given != expected:
        return f"{pluralize(given, 'character')}, {expected} are spelled"
    return f"got {quote_if_needed(answer)}: not the word that is spelled"


@record(eq=False, kw_only=True)
class _Word(Text):
    """A word; if it has no capital, it may be capitalized or all capitals."""

    lane = Text.lane

    def keeps_case(self, target: Json) -> bool:
        word: str = target["word"]
        return word != word.lower()


_EQUIVALENCES = "wrapping invisible width apostrophe brackets ending noun question"
TASK = language_packs.pack_task(
    name="spell_inverse",
    ask=_ask,
    answer={
        CHARACTERS: _Word(
            field="word",
            read=_read,
            stays=_stays,
            key=_key,
            explanation=_explain,
            equivalences=tuple(_EQUIVALENCES.split()),
        )
    },
    pool=language_packs.LinePool(_cases),
    source="EXECUTE and CUTE: inverse spelling",
    doc="Write the word whose characters are given one by one.",
    examples=language_packs.REPEATED,
)
generate = TASK.generate
verify = TASK.verify
