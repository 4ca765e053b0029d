"""The foldings that a task may declare: which other spellings of an answer are the same answer."""

from typing import Final

FOLDS: Final = {
    "case": "letter case",
    "width": "fullwidth letters",
    "wrapping": "quotes, bold marks, a code fence around all of it",
    "invisible": "zero-width characters within it",
    "brackets": "brackets around all of it",
    "exclaimed": "a final exclamation mark",
    "list": "any separators between its tokens, a line for each, a JSON list",
    "marked": "its tokens as a list with numbers or bullets",
}
WORD: Final = ("case", "width", "wrapping", "invisible")  # what is free in most answers in words
