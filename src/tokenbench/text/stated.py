"""The one word or character that an answer states, without words that only hold it."""

from tokenbench.text.answer_words import answer_words
from tokenbench.text.fold import BRACKETS, plain


def stated(text: str, lang: str, *, character: bool = False) -> str:
    """Return an answer in its plain form, without brackets and without an "is".

    Args:
        text: the answer.
        lang: its language.
        character: whether one character is asked for; Chinese may call it one (把字).

    >>> stated("‘번개’입니다.", "ko"), stated("“把”字。", "zh", character=True)
    ('번개', '把')
    """
    found = plain(text, BRACKETS)
    said = plain(unended(found, lang), BRACKETS)
    if lang == "zh" and character:
        called = plain(found.removesuffix("字"), BRACKETS)
        said = called if len(called) == 1 else said
    return said


def unended(text: str, lang: str) -> str:
    """Return a text without the "is" that may end an answer in its language.

    >>> unended("번개입니다", "ko"), unended("です", "ja"), unended("कमल है", "hi")
    ('번개', 'です', 'कमल')
    """
    ending = next((ending for ending in endings(lang) if text.endswith(ending)), "")
    return text.removesuffix(ending).rstrip() or text


def endings(lang: str) -> list[str]:
    """Return each "is" that may follow a word, with a space before it where it is set apart.

    Japanese and Korean write it together with the word.

    >>> endings("ja"), endings("hi")
    (['です'], [' है', ' हैं'])
    """
    apart = "" if lang in ("ja", "ko") else " "
    return [apart + ending for ending in answer_words(lang).endings]
