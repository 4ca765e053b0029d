"""The measure of growth tells a square from a line."""

from growth import linear


def test_a_square_is_told_from_a_line() -> None:
    assert linear(lambda text: text.split("b"), "ab", 500_000)
    assert not linear(lambda text: [text.count("b") for _ in text], "ab", 4_000)
