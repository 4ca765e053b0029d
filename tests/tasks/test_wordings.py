"""The wordings of prompts: how many there are, what each names, and which only `test` shows."""

import re
from collections.abc import Iterator
from string import Formatter
from typing import Any

import pytest

from tokenbench import prompt, task
from tokenbench.builtin import BUILTIN
from tokenbench.draw import SPLITS, Draw
from tokenbench.tasks.wordings import (
    N_FOR_TEST,
    question_text,
    questions,
    read_slots,
    split_closing,
)
from tokenbench.text.languages import LANGUAGES, language

# Lists of texts that are not questions, but phrases of them.
PHRASES = {"numbers", "carriers"}
# Of what stands between the tags they may be said.
RESTRICTIONS = re.compile(r"\b[Oo]nly the (?:number|letters?|word)\b|只写|숫자로만|기호만|だけを書")
TAGS = re.compile(r"\btags\b|标签|태그|タグ")
# Particles, and facts about parts, which some wordings add.
OPTIONAL = {"payload", "number", "object", "subject", "topic", "by", "with"}


def forms(lang: str) -> Iterator[tuple[str, str, list[str]]]:
    """Yield each task with the wordings of each of its forms in a language."""
    for name in BUILTIN:
        try:
            table: dict[str, Any] = questions(name, language(lang))
        except KeyError:
            continue
        for form, texts in table.items():
            if isinstance(texts, list) and form not in PHRASES:
                yield name, form, texts


def slots(wording: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(wording) if name is not None}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_each_form_has_six_different_wordings_and_each_language_three_closings(lang: str) -> None:
    for name, form, texts in forms(lang):
        assert len(texts) == len(set(texts)) >= 6, (name, form)
    closings = language(lang).prompts["closings"]
    assert len(closings) == len(set(closings)) >= 3
    assert all(text.count("<answer></answer>") == 1 for text in closings)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_each_wording_of_a_form_names_the_same(lang: str) -> None:
    """The word, the letter, the place; the payload follows where a wording does not name it."""
    for name, form, texts in forms(lang):
        named = [slots(text) - OPTIONAL for text in texts]
        assert all(one == named[0] for one in named), (name, form, named)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_wording_forbids_to_think(lang: str) -> None:
    for name, form, texts in forms(lang):
        for text in texts:
            assert TAGS.search(text) or not RESTRICTIONS.search(text), (name, form, text)
            assert "<answer>" not in text


@pytest.mark.parametrize("lang", LANGUAGES)
def test_some_wordings_name_the_payload(lang: str) -> None:
    """Where one does, the text may come first, and one of those for `test` alone does so, too."""
    found = [(any("{payload}" in text for text in texts), texts) for _, _, texts in forms(lang)]
    with_payload = [texts for has_one, texts in found if has_one]
    assert len(with_payload) >= 5
    for texts in with_payload:
        assert any("{payload}" in text for text in texts[:-N_FOR_TEST]), texts
        assert any("{payload}" in text for text in texts[-N_FOR_TEST:]), texts


@pytest.mark.parametrize("split", SPLITS)
def test_only_the_test_split_shows_the_last_two_wordings(split: Any) -> None:
    spec = task("spell").spec(split=split)
    for name, form, texts in forms("en"):
        if name == "trap":  # its sentences are drawn besides
            continue
        named = dict.fromkeys(set().union(*map(slots, texts)) - {"payload", "yes", "no"}, "x")
        shown = {
            question_text(Draw(key), name, spec, "text", form=form, **named) for key in range(150)
        }
        assert len(shown) == len(texts) - (0 if split == "test" else N_FOR_TEST), (name, form)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_slots_and_payload_are_read_back(lang: str) -> None:
    for name, form, texts in forms(lang):
        if name == "trap":
            continue
        for index, text in enumerate(texts):
            particles = language(lang).particle_forms
            given = {
                key: particles[key][0] if key in particles and name != "lenop" else f"{key}{index}"
                for key in sorted(slots(text) - {"yes", "no", "payload"})
            }
            yes, no = language(lang).prompts["yes"], language(lang).prompts["no"]
            filled = text.format(**given, payload="a payload", yes=yes, no=no)
            if "{payload}" not in text:
                filled += "\n\na payload"
            found = read_slots(name, lang, filled)
            assert found["payload"] == "a payload", (name, form, text)
            # Particles and their like repeat.
            assert {key: found.get(key) for key in given} == given, (name, form, text)


@pytest.mark.parametrize("style", ["direct", "cot", "question"])
def test_a_style_keeps_the_closing_of_the_item(style: Any) -> None:
    seen = set()
    for index in range(40):
        item = task("spell").generate(index=index)
        question, closing = split_closing(item.prompt, "en")
        seen.add(closing)
        text = prompt(item, style)
        assert text.startswith(question)
        assert text.endswith(closing) == (style != "question")
    assert len(seen) >= 3


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_prompt_without_a_closing_is_all_question(lang: str) -> None:
    assert split_closing("Why?", lang) == ("Why?", "")
