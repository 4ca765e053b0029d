"""The corpus is sharp: it fools the published scorers, and knows no task by name."""

import ast
import subprocess
import sys
from dataclasses import replace
from itertools import chain
from pathlib import Path

import pytest

import tokenbench.testing
from tokenbench import Item, catalog, score, task
from tokenbench.errors import UnknownNameError
from tokenbench.published.rules_tase import EVALUATIONS
from tokenbench.tasks import diff, dot, freq, lenop, sort
from tokenbench.tasks.folding import FOLDS
from tokenbench.testing import attacks, guesses, respellings
from tokenbench.testing.corpus import ATTACKS
from tokenbench.testing.from_prompt import FROM_PROMPT
from tokenbench.testing.guesswork import GUESSWORK

LANGS = ("en", "zh", "ko")
EACH = [(name, lang) for name in catalog() for lang in task(name).langs]
ITEMS = [
    task(name).generate(lang=lang, variant=variant, level=level)
    for name, lang in EACH
    for variant in task(name).variants or (None,)
    for level in (0, 5)
]
OF_TASE = {
    item.task for item in ITEMS if item.target.get("published", {}).get("evaluation") in EVALUATIONS
}
LETTER = dot.generate(variant="bitmap_to_char", script="latin")


def paid(item: Item, family: str, rule: str = "published") -> bool:
    """Return whether some completion of a family earns all under a rule."""
    return any(score(text, item, rule=rule) == 1.0 for text in attacks(item)[family])


@pytest.mark.parametrize(("name", "lang"), [one for one in EACH if one[0] in OF_TASE])
def test_the_published_scorer_pays_attacks(name: str, lang: str) -> None:
    """On every task and language, an answer that is taken back earns full marks there."""
    for item in ITEMS:
        if (item.task, item.lang) == (name, lang):
            assert paid(item, "retraction")
            assert not paid(item, "retraction", "exact")


@pytest.mark.parametrize("lang", LANGS)
def test_the_published_scorer_pays_the_measured_weaknesses(lang: str) -> None:
    """Lists of candidates, repeated tokens, signs, denials, unread prose: as was measured."""
    ordered = sort.generate(lang=lang)
    for family in ("all_candidates", "superpermutation", "echo_then_answer", "untagged"):
        assert paid(ordered, family)
    written = lenop.generate(lang=lang, variant="write")
    for family in ("repeated_token", "short_cycle", "prompt_filler"):
        assert paid(written, family)
    assert lang == "en" or paid(written, "other_script_junk")
    counted = freq.generate(lang=lang)
    for family in ("sign", "decimal", "fraction", "in_a_range", "equation", "hedge", "negation"):
        assert paid(counted, family)
    assert paid(diff.generate(lang=lang, variation="unchanged"), "several_tags")


@pytest.mark.parametrize("family", ATTACKS)
def test_every_family_attacks_something(family: str) -> None:
    """Each family says what it is, and is not empty for every item."""
    assert (ATTACKS[family].__doc__ or "").strip().endswith(".")
    assert any(ATTACKS[family](item) for item in (*ITEMS, LETTER))


@pytest.mark.parametrize("family", GUESSWORK)
def test_every_family_of_guesses_hits_something(family: str) -> None:
    """A guess that is never right would hold no task to its chance."""
    assert GUESSWORK[family].__doc__
    items = (
        task(name).generate(lang=lang, variant=variant, index=index, level=0)
        for index in range(40)
        for name, lang in EACH
        for variant in task(name).variants or (None,)
    )
    # A constant text has to have the length, and to name the topic.
    written = (lenop.generate(variant="write", length=100, index=index) for index in range(100))
    assert any(
        score(text, item) == 1.0
        for item in chain(items, written)
        for text in GUESSWORK[family](item)
    )


def test_attacks_from_the_prompt_do_not_know_the_answer() -> None:
    """They are the same whatever the solution and the target are."""
    for item in ITEMS:
        blank = replace(item, solution="", target={})
        for family in FROM_PROMPT.values():
            assert family(item) == family(blank)


def test_the_corpus_is_the_same_each_time() -> None:
    """So what a failing test names can be found again."""
    for item in ITEMS[:6]:
        again = Item.from_json(item.json())
        assert guesses(item) == guesses(again)
        assert respellings(item, folds=FOLDS) == respellings(again, folds=FOLDS)
        for family in (*FROM_PROMPT, "hedge", "retraction", "flood"):
            assert attacks(item)[family] == attacks(again)[family]


def test_no_attack_is_a_respelling() -> None:
    """What has to earn nothing and what has to earn all share no completion."""
    for item in ITEMS:
        right = {text for texts in respellings(item, folds=FOLDS).values() for text in texts}
        wrong = {text for texts in attacks(item).values() for text in texts if type(text) is str}
        assert not right & wrong


def test_every_kind_of_respelling_is_built() -> None:
    """The promised ones for every item, and the declared ones where they are named."""
    promised = set.intersection(*(set(respellings(item)) for item in ITEMS))
    assert promised >= {"prose", "think", "tag_case", "twice", "empty_pair", "outer_space"}
    built = {name for item in ITEMS for name in respellings(item, folds=FOLDS)}
    assert built >= {"nfd", "final_stop", "other_digits", "unit_word", "quotes", "bold", "code"}
    assert built >= {"zero_width", "fullwidth", "letter_case", "separators", "json_list"}
    assert built >= {"brackets", "exclaimed", "numbered", "bullets", "ending"}


def test_an_unknown_folding_is_refused() -> None:
    """With the nearest one that exists."""
    with pytest.raises(UnknownNameError, match="did you mean 'width'"):
        respellings(ITEMS[0], folds=["widths"])


def test_items_without_solution_meet_the_corpus() -> None:
    """Published rows may have none; other fields may be strange as well."""
    for item in ITEMS:
        for strange in (
            replace(item, solution=""),
            replace(item, solution=".", target=None),
            replace(item, solution="é\ud800", prompt="", lang="xh"),
        ):
            assert set(attacks(strange)) == set(ATTACKS)
            assert set(guesses(strange)) == set(GUESSWORK)
            respellings(strange, folds=FOLDS)


def test_no_task_is_known_by_name() -> None:
    """What is checked for ours is checked for tasks that others add."""
    folder, names = Path(tokenbench.testing.__file__).parent, catalog()
    for path in folder.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                assert node.value not in names, f"{path.name}:{node.lineno}"


def test_only_the_strategies_need_the_extra() -> None:
    """Corpus and suite work without Hypothesis, whose lack is said by naming the extra."""
    code = """
import sys
sys.modules["hypothesis"] = None
from tokenbench.testing import ConformanceError, attacks, conformance, guesses, respellings
import tokenbench
try:
    from tokenbench.testing import items
except ImportError as error:
    print(type(error).__name__, error)
print("numpy" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "MissingExtraError" in done.stdout
    assert "tokenbench[testing]" in done.stdout
    assert done.stdout.endswith("False\n")


def test_public_names_are_no_submodules() -> None:
    """Importing such a submodule would put it in the function's place."""
    folder = Path(tokenbench.testing.__file__).parent
    assert not {path.stem for path in folder.glob("*.py")} & set(tokenbench.testing.__all__)
    assert set(tokenbench.testing.__all__) <= set(dir(tokenbench.testing))
    for name in tokenbench.testing.__all__:
        assert getattr(tokenbench.testing, name).__doc__
    with pytest.raises(AttributeError, match="nosuch"):
        _ = tokenbench.testing.nosuch
