"""Texts in disguise: some characters give way to others that only look like them, or undo it.

English words take characters that look like letters, digit strings those that look like digits
(both under the language in which TASE lists them), Chinese sentences rarer characters and
traditional ones; see `tokenbench.text.lookalikes` and `tokenbench.decomposition.variants`.
"""

from collections.abc import Mapping
from functools import cache

from tokenbench.draw import Draw
from tokenbench.errors import unknown

LANGS = ("en", "zh", "ko")


def disguises(lang: str) -> Mapping[str, tuple[str, ...]]:
    """Return the characters that may stand for each letter, digit or Chinese character.

    Args:
        lang: `en` for lower-case letters, `ko` for digits, `zh` for Chinese characters.

    Raises:
        UnknownNameError: none of these.

    >>> disguises("zh")["后"]
    ('後',)
    """
    if lang not in LANGS:
        raise unknown("language of disguises", lang, LANGS)
    if lang == "zh":
        from tokenbench.decomposition.variants import variants

        return variants()
    from tokenbench.text.lookalikes import DIGITS, LETTERS, look_alikes

    return look_alikes(LETTERS if lang == "en" else DIGITS)


def packages(lang: str) -> tuple[str, ...]:
    """Return the packages whose data the disguises are made from. Argument: as in `disguises`."""
    if lang == "zh":
        from tokenbench.decomposition.variants import PACKAGES

        return PACKAGES
    from tokenbench.text.lookalikes import PACKAGE

    return (PACKAGE,)


def restore(shown: str, lang: str) -> str:
    """Return a text with every disguise undone; all other characters stay.

    Arguments and errors are those of `disguises`, beside the text.

    >>> restore("𝖾ⅿᖯеꓒ", "en"), restore("𝟩𐌉Ꮾ", "ko"), restore("樹上有鳥", "zh")
    ('embed', '716', '树上有鸟')
    """
    return shown.translate(_originals(lang))


def disguise(draw: Draw, text: str, lang: str, *, share: int, fewest: int) -> str:
    """Return a text of which some characters are in disguise, one at least for good.

    For good means that Unicode's compatibility form is still another character.

    Args:
        draw: where the choices come from.
        text: a text of which `can_be_disguised`.
        lang: as in `disguises`.
        share: how many percent of the characters that have a disguise wear one.
        fewest: how many of them do so at least.

    >>> restore(disguise(Draw(1), "harbour", "en", share=50, fewest=2), "en")
    'harbour'
    """
    table, firm = disguises(lang), _firm(lang)
    places = [place for place, char in enumerate(text) if char in table]
    count = max(fewest, (len(places) * share + 50) // 100)
    first = draw.choice([place for place in places if text[place] in firm])
    places.remove(first)
    chars = list(text)
    chars[first] = draw.choice(firm[text[first]])
    for at in draw.sample(len(places), count - 1):
        chars[places[at]] = draw.choice(table[text[places[at]]])
    return "".join(chars)


def can_be_disguised(text: str, lang: str, *, fewest: int) -> bool:
    """Return whether so many characters of a text have a disguise, one for good, and none is one.

    >>> can_be_disguised("kit", "en", fewest=2), can_be_disguised("tk", "en", fewest=2)
    (True, False)
    """
    table, firm = disguises(lang), _firm(lang)
    held = [char for char in text if char in table]
    return (
        len(held) >= fewest and any(char in firm for char in held) and restore(text, lang) == text
    )


@cache
def _firm(lang: str) -> dict[str, tuple[str, ...]]:
    """Return the disguises that last: those that Unicode's compatibility forms do not undo."""
    from tokenbench.text.lookalikes import lasting

    found = {
        char: tuple(other for other in others if lasting(char, other))
        for char, others in disguises(lang).items()
    }
    return {char: others for char, others in found.items() if others}


@cache
def _originals(lang: str) -> dict[int, str]:
    return {ord(other): char for char, others in disguises(lang).items() for other in others}
