"""The one word or character that an answer states, without words that only hold it."""

from tokenbench.text.languages import language
from tokenbench.text.normalize import BRACKETS, normalize


def bare_answer(text: str, lang: str, *, character: bool = False) -> str:
    """Return an answer in its plain form, without brackets and without an "is".

    Args:
        text: the answer.
        lang: its language.
        character: whether one character is asked for; Chinese may call it one (把字).

    >>> bare_answer("‘번개’입니다.", "ko"), bare_answer("“把”字。", "zh", character=True)
    ('번개', '把')
    """
    found = normalize(text, BRACKETS)
    said = normalize(strip_copula(found, lang), BRACKETS)
    noun = language(lang).character_noun
    if noun and character:
        called = normalize(found.removesuffix(noun), BRACKETS)
        said = called if len(called) == 1 else said
    return said


def strip_copula(text: str, lang: str) -> str:
    """Return a text without the "is" that may end an answer in its language.

    >>> strip_copula("번개입니다", "ko"), strip_copula("です", "ja"), strip_copula("कमल है", "hi")
    ('번개', 'です', 'कमल')
    """
    ending = next((ending for ending in language(lang).copulas if text.endswith(ending)), "")
    return text.removesuffix(ending).rstrip() or text
