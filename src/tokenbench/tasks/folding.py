"""The foldings that a task may declare: which other spellings of an answer are the same answer."""

from typing import Final

EQUIVALENCES: Final = {
    "case": "letter case",
    "width": "fullwidth letters, halfwidth kana",
    "wrapping": "quotes, Markdown, LaTeX, a code fence around all of it",
    "invisible": "zero-width characters within it",
    "brackets": "brackets around all of it",
    "exclaimed": "a final exclamation mark",
    "apostrophe": "curly apostrophes and quotation marks within it for straight ones",
    "spaces": "any white space for a space within it; any or none where none is written",
    "place": "a word for a place before the number",
    "list": "any separators between its tokens, a line for each, a JSON list",
    "marked": "its tokens as a list with numbers or bullets",
    "plus": "plus signs or dashes between its parts",
    "conjunction": "an “and” before the last of its parts",
    "joined": "its parts side by side, where each is one character",
    "jamo": "jamo of every block: compatibility, conjoining, halfwidth",
    "positions": "the names of their positions before jamo",
    "radicals": "radicals that Unicode has twice, variation selectors",
    "kana": "katakana for hiragana, halfwidth ones too",
    "ending": "an “is” after it, in languages that end with one",
    "called": "the Chinese word for a character after one (把字)",
}
WORD: Final = ("case", "width", "wrapping", "invisible")  # what is free in most answers in words
