"""Doubts about published labels that take an optional package: told where it is installed."""

from collections.abc import Callable
from typing import Final

from tokenbench.errors import MissingExtraError
from tokenbench.published.targets.glyphs import character
from tokenbench.published.targets.reading import SEVERAL, WRONG, Doubt, Reading, Row
from tokenbench.published.targets.riddles import others_with, shown_initials
from tokenbench.published.targets.words import joined, pieces_of
from tokenbench.text.lexicon import words
from tokenbench.text.normalize import nfc
from tokenbench.text.sources import WORDFREQ

_LISTED: Final = "wordfreq's list"


def doubts(row: Row, reading: Reading) -> list[Doubt]:
    """Return the doubts about a row's label that installed extras allow.

    They speak of what is right beside the label: of one that is wrong there is nothing to add.
    """
    check = _CHECKS.get((row.task, row.variant, row.lang))
    if check is None or any(doubt.code == WRONG for doubt in reading.doubts):
        return []
    try:
        doubt = check(row, reading.target["accepted"])
    except MissingExtraError:
        return []
    return [] if doubt is None else [doubt]


def missing() -> tuple[str, ...]:
    """Return what cannot be told here, each with the error that names the extra."""
    told = []
    for what, probe in _PROBES.items():
        try:
            probe()
        except MissingExtraError as error:
            told.append(f"{what}: {error}")
    return tuple(told)


def _category(row: Row, accepted: list[str]) -> Doubt | None:
    """Compare the label with the category that Unicode's scripts give."""
    from tokenbench.glyph import script

    shown = character(row.prompt)
    if shown is None or len(nfc(shown)) != 1 or script(nfc(shown)) in accepted:
        return None
    reason = "Unicode's scripts put the character elsewhere"
    return Doubt(SEVERAL, reason, (row.label, script(nfc(shown))))


def _joined(row: Row, accepted: list[str]) -> Doubt | None:
    pieces = pieces_of(row.prompt)
    made = joined(pieces, _listed("en")) if pieces else ()
    others = [word for word in made if word not in map(str.lower, accepted)]
    if not others:
        return None
    return Doubt(SEVERAL, f"the pieces make words of {_LISTED} too", (row.label, *others))


def _with_initials(row: Row, accepted: list[str]) -> Doubt | None:
    return others_with(shown_initials(row.prompt), accepted, _listed("ko"), _LISTED)


def _listed(lang: str) -> tuple[str, ...]:
    return words(lang, WORDFREQ).words


def _probe_scripts() -> None:
    from tokenbench.glyph import script

    script("a")


_Key = tuple[str, str | None, str]
_CHECKS: Final[dict[_Key, Callable[[Row, list[str]], Doubt | None]]] = {
    ("dot", "char_to_script", "en"): _category,
    ("compm", "combine", "en"): _joined,
    ("ridl", None, "ko"): _with_initials,
}
_PROBES: Final[dict[str, Callable[[], object]]] = {
    "whether characters are of the category that DOT's labels say": _probe_scripts,
    "other answers among 60,000 words": lambda: _listed("en"),
}
