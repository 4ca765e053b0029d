"""Labels that are yes or no, in the language of their row or in English."""

from tokenbench.tasks.wordings import shared_text
from tokenbench.text.languages import language


def yes_or_no(lang: str, holds: bool) -> str:
    """Return the word of a language for yes, or for no, as its prompts ask for it."""
    return shared_text("yes" if holds else "no", lang)


def said_yes(label: str, lang: str) -> bool | None:
    """Return whether a label says yes, in the language of its row or in English.

    >>> said_yes("Да", "ru"), said_yes("no", "ru"), said_yes("maybe", "ru")
    (True, False, None)
    """
    own = own_yes(label, lang)
    return own_yes(label, "en") if own is None else own


def own_yes(label: str, lang: str) -> bool | None:
    """Return whether a label says yes in a language; None if it says neither yes nor no in it."""
    words = language(lang)
    return True if label.lower() in words.yes else False if label.lower() in words.no else None
