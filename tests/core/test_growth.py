"""The measure of growth tells a square from a line."""

import re

from growth import linear


def test_a_square_is_told_from_a_line() -> None:
    assert linear(lambda text: text.split("b"), "ab", 2_000_000)
    assert linear(re.compile("a*").search, "a", 2_000_000)
    assert not linear(lambda text: [text.count("b") for _ in text], "ab", 8_000)
    assert not linear(re.compile("a*b").search, "a", 8_000)
