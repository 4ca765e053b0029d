"""The nine kinds of answers: how each is read, judged, partly credited, explained and written.

>>> from tokenbench.answers import Number
>>> Number(field="count").grade(27, {"count": 30})
0.5
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

_HOMES = {
    "AnswerKind": "kind",
    "Characters": "characters",
    "Choice": "closed",
    "Number": "closed",
    "Order": "closed",
    "Parts": "parts",
    "Text": "text",
    "Tokens": "tokens",
    "Writing": "writing",
    "YesNo": "closed",
}

__all__ = [*_HOMES]

if TYPE_CHECKING:
    from tokenbench.answers.characters import Characters as Characters
    from tokenbench.answers.closed import Choice as Choice
    from tokenbench.answers.closed import Number as Number
    from tokenbench.answers.closed import Order as Order
    from tokenbench.answers.closed import YesNo as YesNo
    from tokenbench.answers.kind import AnswerKind as AnswerKind
    from tokenbench.answers.parts import Parts as Parts
    from tokenbench.answers.text import Text as Text
    from tokenbench.answers.tokens import Tokens as Tokens
    from tokenbench.answers.writing import Writing as Writing


def __getattr__(name: str) -> Any:
    """Import a kind when it is first used (PEP 562): judging a number loads no tables of Han."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
