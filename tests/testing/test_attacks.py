"""The corpus is sharp: it fools the published scorers, and knows no task by name."""

import ast
import re
from dataclasses import replace
from functools import cache
from itertools import chain
from pathlib import Path
from string import Formatter

import fresh_python
import pytest
from every_task import of_each_part
from written import is_degenerate

import tokenbench.testing
from tokenbench import (
    Item,
    catalog,
    compm,
    decompose,
    delete,
    diff,
    dot,
    freq,
    insert,
    lenop,
    reord,
    score,
    sort,
    spell,
    task,
    var,
)
from tokenbench.builtin import PAPERS
from tokenbench.errors import UnknownNameError
from tokenbench.scoring import Rule
from tokenbench.testing import attacks, guesses, respellings
from tokenbench.testing.attack_families import ATTACKS, GUESSWORK
from tokenbench.testing.attack_families.from_answer import FROM_ANSWER
from tokenbench.testing.attack_families.without_answer import FROM_PROMPT
from tokenbench.testing.item_facts import near_miss, tagged
from tokenbench.testing.respelling_families import (
    EQUIVALENCES,
    RESPELLING_FAMILIES,
    RESPELLINGS,
    STYLES,
    fill_families,
)
from tokenbench.text.languages import language
from tokenbench.text.units import units

LANGS = ("en", "zh", "ko")
EACH = [(name, lang) for name in catalog() for lang in task(name).langs]
# The families of the issue, by name: what somebody looks for is found.
EXPECTED = {
    "all_candidates", "superpermutation", "de_bruijn", "alphabet", "jamo_dump",
    "dictionary_dump", "prompt_echo", "input_echo", "hedge", "negation", "number_range",
    "equation", "several_tags", "retraction", "empty_tags", "tag_in_prose", "draft_in_think",
    "unclosed_think", "bold_fallback", "sign", "decimal", "fraction", "last_number",
    "superstring", "glued_text", "unsplit", "reordered", "extra_parts", "missing_parts",
    "other_script_junk", "wrong_language", "filler", "topic_ignored", "other_case",
    "normalised_to_nothing", "repeated_token", "invisible_characters", "bidi_controls",
    "flood", "nul", "lone_surrogates", "none", "message_lists", "hedge_object",
    "candidate_table", "boxed_beside", "html_entities", "several_languages", "yes_and_no",
    "homoglyphs", "combining_marks", "nested_tags", "broken_tags",
}  # fmt: skip
LETTER = dot.generate(variant="bitmap_to_char", script="latin")
_WORD = insert.generate(variant="char")
CLIPPED = replace(  # no word of ours has an apostrophe, words of users may
    _WORD, solution="don't", target=_WORD.target | {"text": "don't", "given": "dont"}
)


@cache
def folded() -> list[Item]:
    """Return items that together show every folding."""
    return [
        *of_each_part(),
        CLIPPED,
        *(diff.TASK.generate(lang=lang, variation="unchanged") for lang in LANGS),
        *(insert.generate(lang="ja", variant="char", index=i) for i in range(20)),
        *(decompose.generate(lang="zh", index=i) for i in range(20)),
        *(
            task("contains").generate(lang=lang, variant="word", index=i)
            for lang in task("contains").langs
            for i in range(6)
        ),
    ]


def is_paid(item: Item, family: str, rule: Rule = "published") -> bool:
    """Return whether some completion of a family earns all under a rule."""
    return any(score(text, item, rule=rule) == 1.0 for text in attacks(item)[family])


@pytest.mark.parametrize(("name", "lang"), [one for one in EACH if one[0] in PAPERS["tase"]])
def test_the_published_scorer_pays_attacks(name: str, lang: str) -> None:
    """On every task and language, an answer that is taken back earns full marks there."""
    for variant in task(name).variants or (None,):
        item = task(name).generate(lang=lang, variant=variant)
        assert is_paid(item, "retraction")
        assert not is_paid(item, "retraction", "exact")


@pytest.mark.parametrize("lang", LANGS)
def test_the_published_scorer_pays_the_measured_weaknesses(lang: str) -> None:
    """Lists of candidates, repeated tokens, signs, denials, unread prose: as was measured."""
    ordered = sort.TASK.generate(lang=lang)
    for family in ("all_candidates", "superpermutation", "echo_then_answer", "untagged"):
        assert is_paid(ordered, family)
    written = lenop.TASK.generate(lang=lang, variant="write")
    for family in ("repeated_token", "short_cycle", "prompt_filler"):
        assert is_paid(written, family)
    assert lang == "en" or is_paid(written, "other_script_junk")
    counted = freq.TASK.generate(lang=lang)
    for family in (
        "sign",
        "decimal",
        "fraction",
        "number_range",
        "equation",
        "hedge",
        "negation",
        "last_number",
        "filler",
        "candidate_table",
        "bold_fallback",
    ):
        assert is_paid(counted, family), family
    assert is_paid(written, "topic_ignored")
    assert is_paid(diff.TASK.generate(lang=lang, variation="unchanged"), "several_tags")


def test_the_published_scorer_pays_the_letters_of_a_syllable() -> None:
    """A dump of parts holds every decomposition; so does the word unsplit."""
    assert is_paid(compm.generate(lang="ko", variant="split"), "jamo_dump")
    assert is_paid(compm.generate(lang="en", variant="split"), "unsplit")


def test_the_families_are_those_that_were_asked_for() -> None:
    """None is lost, or hidden in another one."""
    assert set(ATTACKS) >= EXPECTED


@pytest.mark.parametrize("family", ATTACKS)
def test_every_family_attacks_something(family: str) -> None:
    """Each family has a description, and is not empty for every item."""
    assert (ATTACKS[family].__doc__ or "").strip().endswith(".")
    assert any(ATTACKS[family](item) for item in (*of_each_part(), LETTER))


@pytest.mark.parametrize("family", GUESSWORK)
def test_every_family_of_guesses_hits_something(family: str) -> None:
    """A guess that is never right would hold no task to its chance."""
    assert GUESSWORK[family].__doc__
    first, more = (
        (
            task(name).generate(lang=lang, variant=variant, index=index, level=0)
            for index in indices
            for name, lang in EACH
            for variant in task(name).variants or (None,)
        )
        for indices in (range(1), range(1, 40))
    )
    # A constant text has to have the length, and to name the topic.
    written = (lenop.generate(variant="write", length=100, index=index) for index in range(100))
    assert any(
        score(text, item) == 1.0
        for item in chain(first, written, more)
        for text in GUESSWORK[family](item)
    )


def test_attacks_from_the_prompt_do_not_know_the_answer() -> None:
    """They are the same whatever the solution and the target are."""
    for item in of_each_part():
        blank = replace(item, solution="", target={})
        for family in FROM_PROMPT.values():
            assert family(item) == family(blank)


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("level", [0, 5, 9])
def test_texts_that_ignore_the_topic_are_otherwise_sound(lang: str, level: int) -> None:
    """They have the size asked for, do not repeat themselves, and never name the topic."""
    item = lenop.TASK.generate(lang=lang, variant="write", level=level)
    texts = ATTACKS["topic_ignored"](item)
    assert texts
    for completion in map(str, texts):
        text = completion.removeprefix("<answer>").removesuffix("</answer>")
        assert lenop.count(text, lang) == item.target["count"]
        assert item.target["topic"].lower() not in text.lower()
        found = units(text, language(lang))
        assert not is_degenerate(found, language(lang), item.prompt, item.target["topic"])


def test_case_is_attacked_only_where_it_is_the_answer() -> None:
    """A task, or the target of a published row, may say that letter case makes no difference."""
    other = ATTACKS["other_case"]
    edited = delete.generate(variant="char")
    assert tagged(edited.solution.upper()) in other(edited)
    spelled = spell.generate()
    # Without a capital in the word, capitals are free.
    assert other(replace(spelled, solution="C a t", target={"units": ["C", "a", "t"]}))
    assert other(LETTER)
    assert not other(replace(edited, target=edited.target | {"folds": ["case"]}))
    for item in of_each_part():
        assert not (other(item) and "case" in task(item.task).kind(item.variant).equivalences)
    assert not other(freq.generate())
    assert not other(sort.generate())


def test_order_is_attacked_only_where_it_counts() -> None:
    """Components of a Han character have none; letters of a word have."""
    turned = ATTACKS["reordered"]
    assert turned(spell.generate())
    assert turned(compm.generate(lang="ko", variant="split"))
    assert not turned(compm.generate(lang="zh", variant="split"))
    assert not any(turned(reord.TASK.generate(lang=lang)) for lang in LANGS)


def test_the_corpus_is_the_same_each_time() -> None:
    """So the completion that a failing test names can be found again."""
    for item in of_each_part()[:6]:
        again = Item.from_json(item.json())
        assert guesses(item) == guesses(again)
        assert respellings(item, equivalences=EQUIVALENCES) == respellings(
            again, equivalences=EQUIVALENCES
        )
        for family in (*FROM_PROMPT, *FROM_ANSWER, "topic_ignored", "flood"):
            assert attacks(item)[family] == attacks(again)[family]


def test_no_attack_is_a_respelling() -> None:
    """Attacks, which must earn nothing, and right answers share no completion."""
    for item in folded():
        right = {text for texts in respellings(item).values() for text in texts}
        wrong = {text for texts in attacks(item).values() for text in texts if type(text) is str}
        assert not right & wrong


def test_every_kind_of_respelling_is_built() -> None:
    """The promised ones for every item, and the declared ones where they are named."""
    promised = set.intersection(*(set(respellings(item)) for item in of_each_part()))
    assert promised >= {"prose", "think", "tag_case", "twice", "empty_pair", "outer_space"}
    built = {name for item in folded() for name in respellings(item, equivalences=EQUIVALENCES)}
    assert built == {*RESPELLINGS}


def test_every_form_of_a_family_is_built() -> None:
    """In each language; a form that no item fills would promise nothing."""
    built = {text for item in folded() for texts in respellings(item).values() for text in texts}
    langs = {item.lang for item in folded()}
    for family in RESPELLING_FAMILIES.values():
        assert family.style in STYLES
        assert family.completions
        assert set(family.forms) <= {"any", *langs}
        for lang in set(family.forms) - {"any"}:
            assert any(family.suits(item) for item in folded() if item.lang == lang), family.name
        for form in chain.from_iterable(family.forms.values()):
            # The longest text between two fields.
            text = max((part for part, *_ in Formatter().parse(form)), key=len)
            assert any(text in completion for completion in built), form


def filled_families(item: Item) -> dict[str, list[str]]:
    """Return the patterns filled in, with the families that the item's task declares."""
    return fill_families(item, task(item.task).kind(item.variant).equivalences)


@pytest.mark.parametrize("style", STYLES[:-1])
def test_each_style_answers_every_kind(style: str) -> None:
    """With words of the item's language where forms have words, in forms of all six styles."""
    families = [family for family in RESPELLING_FAMILIES.values() if family.style == style]
    for item in of_each_part():
        filled = filled_families(item)
        assert sum(len(filled.get(family.name, ())) for family in families) >= 4, item.task
    worded = [one for one in families if "en" in one.forms and not (one.kinds or one.when)]
    for family in worded:
        assert set(family.forms) >= {"de", "zh"}, family.name


def test_forty_forms_answer_every_item() -> None:
    """Not too many of them either: conformance judges all of them, on every part."""
    for item in of_each_part():
        filled = filled_families(item)
        assert 40 <= len({text for texts in filled.values() for text in texts}) <= 160


def test_forms_have_the_words_of_the_items_language() -> None:
    """English ones too, and a regional code has those of its first part."""
    item = freq.generate(lang="zh")
    labels = filled_families(item)["label"]
    assert tagged(f"答案：{item.solution}") in labels
    assert tagged(f"Answer: {item.solution}") in labels
    assert not any("Antwort" in text for text in labels)
    assert filled_families(replace(item, lang="zh-TW"))["label"] == labels
    assert tagged(f"Answer: {item.solution}") in filled_families(replace(item, lang="tr"))["label"]


def test_a_form_takes_no_second_stop() -> None:
    """Where the answer ends with a mark of its own, the sentence around it has none."""
    ended, open_ended = (replace(of_each_part()[0], solution=text) for text in ("go.", "go"))
    assert tagged("The answer is go.") in filled_families(ended)["label_sentence"]
    assert tagged("The answer is go.") in filled_families(open_ended)["label_sentence"]


def test_only_drafts_are_replaced() -> None:
    """A completion whose last pair is right is not an attack, whatever stood in tags before."""
    item = freq.generate()
    wrong, right = tagged(near_miss(item)), tagged(item.solution)
    for attack in chain.from_iterable(attacks(item).values()):
        pairs = re.findall("<answer>[^<]*</answer>", attack) if isinstance(attack, str) else []
        if wrong in pairs and right in pairs and "think>" not in str(attack):
            assert pairs[-1] != right, attack
    for text in respellings(item)["draft"]:
        assert score(text, item, extract="only") == 0.0, text


def test_a_family_has_one_name() -> None:
    """Whoever asks for one gets no other."""
    every = [*ATTACKS, *GUESSWORK, *RESPELLINGS]
    assert len(every) == len(set(every))


@pytest.mark.parametrize("fold", EQUIVALENCES)
def test_every_folding_is_declared_and_built(fold: str) -> None:
    """A folding that no task declares, or that no item shows, checks nothing."""
    assert EQUIVALENCES[fold]
    users = [item for item in folded() if fold in task(item.task).kind(item.variant).equivalences]
    assert users
    assert any(
        respellings(item, equivalences=[fold]) != respellings(item, equivalences=())
        for item in users
    )


def test_a_folding_that_is_not_declared_is_refused() -> None:
    """Else it would have to be declared: case, width and the marks of lists tell answers apart."""
    restored, named = var.generate(lang="zh"), LETTER
    spelled = replace(spell.generate(), solution="C a t", target={"units": ["C", "a", "t"]})
    for item, fold, kind in (
        (restored, "radicals", "variation_selectors"),
        (named, "case", "letter_case"),
        (named, "width", "fullwidth"),
        (spelled, "joined", "joined"),
        (spelled, "case", "letter_case"),
    ):
        texts = respellings(item, equivalences=[fold]).get(kind, [])
        assert all(score(text, item) == 0.0 for text in texts), (item.task, fold)


def test_an_unknown_folding_is_refused() -> None:
    """With the nearest one that exists."""
    with pytest.raises(UnknownNameError, match="did you mean 'width'"):
        respellings(of_each_part()[0], equivalences=["widths"])


def test_items_without_solution_meet_the_corpus() -> None:
    """Published rows may have none; other fields may be strange as well."""
    for item in of_each_part()[::5]:
        for strange in (
            replace(item, solution=""),
            replace(item, solution=".", target=None),
            replace(item, solution="é\ud800", prompt="", lang="xh"),
        ):
            assert set(attacks(strange)) == set(ATTACKS)
            assert set(guesses(strange)) == set(GUESSWORK)
            respellings(strange, equivalences=EQUIVALENCES)


def test_no_task_is_known_by_name() -> None:
    """Tasks that others add get the same checks as ours."""
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
    output = fresh_python.output(code)
    assert "MissingExtraError" in output
    assert "tokenbench[testing]" in output
    assert output.endswith("False\n")


def test_public_names_are_not_submodules() -> None:
    """Importing such a submodule would put it in the function's place."""
    folder = Path(tokenbench.testing.__file__).parent
    assert not {path.stem for path in folder.glob("*.py")} & set(tokenbench.testing.__all__)
    assert set(tokenbench.testing.__all__) <= set(dir(tokenbench.testing))
    for name in tokenbench.testing.__all__:
        assert getattr(tokenbench.testing, name).__doc__
    with pytest.raises(AttributeError, match="nosuch"):
        _ = tokenbench.testing.nosuch
