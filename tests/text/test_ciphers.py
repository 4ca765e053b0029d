"""Unseen scripts: a pack one-to-one in other characters, and items that are the same beneath."""

import json
from typing import Any

import pytest

from tokenbench import prompt, score, task
from tokenbench.errors import DifficultyError, SourceError, TokenbenchError, UnknownNameError
from tokenbench.item import Item
from tokenbench.text.graphemes import graphemes
from tokenbench.text.languages import LANGUAGES
from tokenbench.text.packs import Pack, cipher, decipher, pack
from tokenbench.text.packs.model import encipher
from tokenbench.text.units import CIPHERS, cipher_letters, scripts

SIZES = {"Ethiopic": 266, "Tifinagh": 56, "Ol Chiki": 46}
TASKS = ("spell", "spell_inverse", "contains", "insert", "delete", "substitute", "swap")


def units(found: Pack) -> set[str]:
    """All letters of a pack's words."""
    every = (unit for line in found.sentences for word in line.units for unit in graphemes(word))
    return {unit for unit in every if any(map(str.isalnum, unit))}


# The packs whose words have no more different characters than the script, capitals included; and
# Amharic is written in Ethiopic already.
FITTING = [
    (lang, script)
    for script, size in SIZES.items()
    for lang in LANGUAGES
    if len(units(pack(lang))) <= size and (lang, script) != ("am", "Ethiopic")
]
fitting = pytest.mark.parametrize(("lang", "script"), FITTING)


def cipher_characters(script: str) -> str:
    """The characters of a script, in their order."""
    return cipher_letters(script)


@pytest.mark.parametrize("script", CIPHERS)
def test_a_script_s_characters_are_its_own(script: str) -> None:
    """Letters that Unicode assigns, which never join with each other or with their neighbours."""
    from unicodedata2 import category

    letters = list(cipher_characters(script))
    assert len(set(letters)) == len(letters)
    assert all(category(char) in ("Lo", "Lm", "Nd") for char in letters)
    assert {name for char in letters for name in scripts(char)} == {script.replace(" ", "_")}
    assert graphemes("".join(letters)) == letters
    assert len(letters) == SIZES[script]


@pytest.mark.sampled(3)
@fitting
def test_ciphers_are_one_to_one(lang: str, script: str) -> None:
    plain, hidden = pack(lang), cipher(pack(lang), script)
    assert set(hidden.key) == units(plain)
    assert len(set(hidden.key.values())) == len(hidden.key)
    assert units(hidden) == set(hidden.key.values())
    assert len(hidden.sentences) == len(plain.sentences)
    for secret, line in zip(hidden.sentences, plain.sentences, strict=True):
        assert secret.gaps == line.gaps
        assert [len(graphemes(word)) for word in secret.units] == [
            len(graphemes(word)) for word in line.units
        ]
        assert secret.text == encipher(line.text, hidden) != line.text
        assert decipher(secret.text, hidden) == line.text


@fitting
def test_the_most_frequent_characters_come_first(lang: str, script: str) -> None:
    hidden = cipher(pack(lang), script)
    assert tuple(hidden.key)[:20] == pack(lang).alphabet[:20]
    ciphers = list(hidden.key.values())
    assert ciphers == list(cipher_characters(script))[: len(ciphers)]


@pytest.mark.parametrize(
    ("lang", "script"),
    [(lang, script) for lang in LANGUAGES for script in CIPHERS if (lang, script) not in FITTING],
)
def test_a_pack_that_does_not_fit_is_an_error(lang: str, script: str) -> None:
    with pytest.raises(SourceError, match="choose another script"):
        cipher(pack(lang), script)


def test_an_unknown_script_is_an_error() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'Tifinagh'"):
        cipher(pack("en"), "Tifinag")


@pytest.mark.parametrize("script", [None, [], {}, 3, ""])
def test_an_unknown_script_is_one_clear_error(script: Any) -> None:
    with pytest.raises(UnknownNameError, match=r"^unknown script [^\n]+ Tifinagh[^\n]*$"):
        cipher(pack("en"), script)


@pytest.mark.parametrize("given", [None, [], {}, 3, "en", Pack])
def test_a_value_that_is_not_a_pack_is_one_clear_error(given: Any) -> None:
    with pytest.raises(TokenbenchError, match=r"^pack=.*: expected a Pack such as pack\('en'\)$"):
        cipher(given, "Tifinagh")


def decipher_item(item: Item, hidden: Pack) -> dict[str, object]:
    """All that an item holds, deciphered; what names its texts or the script is left out."""
    found = dict(json.loads(decipher(item.json(), hidden)))
    found["meta"]["params"].pop("script", None)
    return found | {"id": ""}


@pytest.mark.sampled(6)
@fitting
@pytest.mark.parametrize("name", TASKS)
def test_an_enciphered_item_deciphered_is_the_plain_item(lang: str, script: str, name: str) -> None:
    """Prompt, target, solution and all other fields; and the solution still solves it."""
    hidden = cipher(pack(lang), script)
    for variant in task(name).variants:
        for index in range(4):
            asked = {"lang": lang, "variant": variant, "index": index, "seed": 5}
            plain = task(name).generate(**asked)  # type: ignore[arg-type]
            secret = task(name).generate(**asked, script=script)  # type: ignore[arg-type]
            assert secret.prompt != plain.prompt
            assert decipher_item(secret, hidden) == decipher_item(plain, hidden)
            assert score(f"<answer>{secret.solution}</answer>", secret) == 1.0
            if index < 2:
                shown = decipher(prompt(secret, "fewshot"), hidden)
                assert plain.prompt.split("\n\n")[0] in shown
                assert not set(shown).intersection(hidden.key.values())


def test_words_from_elsewhere_are_not_enciphered() -> None:
    with pytest.raises(DifficultyError, match="only enciphers the pack's words"):
        task("spell").generate(script="Ethiopic", words="core")
