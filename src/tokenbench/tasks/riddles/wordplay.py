"""The letter operations of cryptic clues: definitions of the devices, on plain words."""

from collections.abc import Sequence
from itertools import accumulate, pairwise


def anagrams(a: str, b: str) -> bool:
    """Return whether two words or phrases have the same letters in different orders.

    >>> anagrams("silent", "listen"), anagrams("a gentleman", "elegant man"), anagrams("cat", "Cat")
    (True, True, False)
    """
    one, other = letters(a), letters(b)
    return one != other and sorted(one) == sorted(other)


def hidden(phrase: str, word: str) -> bool:
    """Return whether a word is hidden in a phrase: its letters in a row, across a gap.

    The first and the last word of the phrase have letters to spare, as fair clues require.

    >>> hidden("wild ogres", "dog"), hidden("top dog", "dog"), hidden("do good", "dog")
    (True, False, False)
    """
    words = [letters(part) for part in phrase.split()]
    run, sought = "".join(words), letters(word)
    if len(words) < 2 or not sought:
        return False
    first, last = len(words[0]), len(run) - len(words[-1])
    starts = range(1, min(first, len(run) - len(sought)))
    return any(
        run.startswith(sought, start) and last < start + len(sought) < len(run) for start in starts
    )


def initials(phrase: str) -> str:
    """Return the first letters of a phrase's words.

    >>> initials("calm actors travel")
    'cat'
    """
    return "".join(letters(word)[:1] for word in phrase.split())


def insertions(inner: str, outer: str) -> tuple[str, ...]:
    """Return the results of putting a word between two letters of another, from the left on.

    >>> insertions("pet", "car")
    ('cpetar', 'capetr')
    """
    inner, outer = letters(inner), letters(outer)
    results = (outer[:at] + inner + outer[at:] for at in range(1, len(outer)))
    return tuple(dict.fromkeys(results))


def split_into_words(text: str, lengths: Sequence[int]) -> str:
    """Return letters as words of the lengths that a clue gives, as in (3,5).

    >>> split_into_words("icecream", [3, 5])
    'ice cream'
    """
    ends = pairwise([0, *accumulate(lengths)])
    return " ".join(text[start:end] for start, end in ends)


def letters(text: str) -> str:
    """Return the letters of a text in lower case, without spaces and marks."""
    return "".join(char for char in text.lower() if char.isalpha())
