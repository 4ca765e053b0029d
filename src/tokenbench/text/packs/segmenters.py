"""Cutting sentences into words, for languages that write no spaces between them."""

from collections.abc import Callable, Iterable
from functools import cache, partial
from typing import Any, Final

from tokenbench.errors import missing_extra, texts, unknown
from tokenbench.text.languages import language
from tokenbench.text.packs.calls import called


def chosen(
    lang: str, given: str | Callable[[str], Iterable[str]] | None
) -> Callable[[str], Iterable[str]] | None:
    """Return what cuts sentences of a language: what is given, else its own segmenter, if any.

    Raises:
        UnknownNameError: no such segmenter.
        MissingExtraError: it is not installed.
    """
    if callable(given):
        return partial(_cut, given)
    name = language(lang).segmenter if given is None else given
    return None if name is None else segmenter(name)


def segmenter(name: str) -> Callable[[str], Iterable[str]]:
    """Return a function from a sentence to its words and marks.

    Args:
        name: `rjieba` (Chinese), `sudachi` (Japanese), or `spaces` (cut already).

    Raises:
        UnknownNameError: no such segmenter.
        MissingExtraError: it is not installed.

    >>> segmenter("spaces")("下 雨 了 。")
    ['下', '雨', '了', '。']
    """
    if name not in tuple(_SEGMENTERS):
        raise unknown("segmenter", name, _SEGMENTERS)
    return _SEGMENTERS[name]()


def _cut(given: Callable[[str], Iterable[str]], text: str) -> list[str]:
    """Return what a caller's function cuts a sentence into."""
    wanted = "give a function from a sentence to its words and marks"
    found = called("the segmenter", lambda text: list(given(text)), text, wanted)
    return texts("what a segmenter cuts a sentence into", found)


def _spaces() -> Callable[[str], Iterable[str]]:
    return str.split


def _rjieba() -> Callable[[str], Iterable[str]]:
    try:
        import rjieba
    except ImportError:
        raise missing_extra("segmenter='rjieba'", "segmenters") from None
    cut: Callable[[str], Iterable[str]] = rjieba.cut
    return cut


def _sudachi() -> Callable[[str], Iterable[str]]:
    try:
        from sudachipy import SplitMode

        tokenizer = _sudachi_dictionary().tokenizer(mode=SplitMode.B)  # no two threads share one
    except ImportError:
        raise missing_extra("segmenter='sudachi'", "segmenters") from None

    def cut(text: str) -> list[str]:
        return [morpheme.surface() for morpheme in tokenizer.tokenize(text)]

    return cut


@cache
def _sudachi_dictionary() -> Any:
    from sudachipy import Dictionary

    return Dictionary()  # an ImportError if there is no package with its data


_SEGMENTERS: Final = {"rjieba": _rjieba, "sudachi": _sudachi, "spaces": _spaces}
