"""Functions that tasks offer besides generating and judging: which argument is wrong, if one is."""

from collections.abc import Callable

import pytest

from tokenbench import (
    compm,
    contains,
    contains_part,
    diff,
    furigana,
    lenop,
    reord,
    spell,
    spell_inverse,
)
from tokenbench.decomposition import hangul, hanzi
from tokenbench.errors import TokenbenchError


@pytest.mark.parametrize(
    ("block", "arguments", "name"),
    [
        (compm.matches, (3, [["扌"]]), "parts"),
        (compm.matches, (["扌", 3], [["扌"]]), "parts"),
        (compm.matches, (["扌"], [["扌"], 3]), "accepted"),
        (contains.solve, (3, "a"), "text"),
        (contains.solve, ("cat", 3), "unit"),
        (contains_part.solve, (3, "巴", "zh"), "char"),
        (contains_part.solve, ("把", 3, "zh"), "part"),
        (diff.differing, (3, ["a"]), "a"),
        (diff.differing, (["a"], [3]), "b"),
        (furigana.hiragana, (3,), "kana"),
        (hangul.split_jamo, (3,), "text"),
        (hanzi.compose, (3,), "parts"),
        (lenop.count, (3, "en"), "text"),
        (reord.kept_adjacencies, (3, ["a"]), "original"),
        (reord.kept_adjacencies, (["a"], [3]), "reordered"),
        (reord.solve, (3,), "tokens"),
        (reord.valid_order, ([3], ["a"]), "original"),
        (reord.valid_order, (["a"], 3), "reordered"),
        (spell.solve, (3,), "word"),
        (spell_inverse.solve, (["a", 3],), "units"),
    ],
)
def test_the_argument_that_is_not_text_is_named(
    block: Callable[..., object], arguments: tuple[object, ...], name: str
) -> None:
    with pytest.raises(TokenbenchError, match=rf"^{name}=.*: expected a (string|list of strings)$"):
        block(*arguments)
