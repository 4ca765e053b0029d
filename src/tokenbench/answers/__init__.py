"""The nine kinds of answers: how each is read, judged, partly credited, explained and written.

>>> from tokenbench.answers import Number
>>> Number(field="count").grade(27, {"count": 30})
0.5
"""

from typing import TYPE_CHECKING

from tokenbench.builtin import lazy_exports

_HOMES = {
    "AnswerKind": "kind",
    **dict.fromkeys(("Choice", "Number", "Order", "YesNo"), "closed"),
    **{name: name.lower() for name in ("Characters", "Parts", "Text", "Tokens", "Writing")},
}

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

# Judging a number loads no tables of Han characters.
__getattr__, __dir__ = lazy_exports(__name__, _HOMES)
