"""CUTE as published: its scorer against a plain twin, the reader, its labels, old answers."""

import json
import re
from pathlib import Path

import pytest
from command import output
from cute_files import ROWS, checkout
from growth import linear
from hypothesis import given
from hypothesis import strategies as st
from published_judging import extract_answer, partial, right

from tokenbench import insert, prompt, score
from tokenbench.answers.published_scorers import CUTE
from tokenbench.errors import ItemError, SourceError
from tokenbench.item import Item
from tokenbench.published import cute
from tokenbench.published.audit import findings
from tokenbench.tasks.wordings import split_closing
from tokenbench.testing.item_facts import completion_for

TASKS = {
    "contains_char": ("contains", "char"),
    "contains_word": ("contains", "word"),
    "del_char": ("delete", "char"),
    "del_word": ("delete", "word"),
    "ins_char": ("insert", "char"),
    "ins_word": ("insert", "word"),
    "orth": ("orth", None),
    "sem": ("sem", None),
    "spell": ("spell", "char"),
    "spell_inverse": ("spell_inverse", "char"),
    "sub_char": ("substitute", "char"),
    "sub_word": ("substitute", "word"),
    "swap_char": ("swap", "char"),
    "swap_word": ("swap", "word"),
}


@pytest.fixture
def full_checkout(tmp_path: Path) -> Path:
    """Write a checkout that holds every published file, with one row each."""
    return checkout(tmp_path, **{stem: "\n".join(rows) + "\n" for stem, rows in ROWS.items()})


def one(root: Path, stem: str, *cells: str) -> tuple[Item, list[tuple[str, str]]]:
    """Return the item that a row becomes, and the findings about it."""
    names = [f"input{number}" for number in range(1, len(cells))]
    lines = ["\t".join([*names, "label"]), "\t".join(cells)]
    checkout(root, **{stem: "\n".join(lines)})
    (item,) = cute.read(root)
    return item, [(found.code, found.reason) for found in findings([item])]


# The scorer


def plain(completion: str) -> str:
    pieces = completion.split("Answer:")[-1].split("</s>")[0].split('"')
    return pieces[1] if len(pieces) > 1 else ""


PIECES = ("Answer:", "answer:", "Answer", ":", '"', "“", "</s>", "</s", " ", "\n", "a", "A b", "İ")
noise = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)


@pytest.mark.parametrize("evaluation", CUTE.judges)
@given(noise, st.sampled_from(["a", "A b", "", "İ"]))
def test_agrees_with_the_twin(evaluation: str, text: str, label: str) -> None:
    answer = plain(text)
    caseless = evaluation == "quoted_caseless"
    verdict = answer.lower() == label.lower() if caseless else answer == label
    assert extract_answer(evaluation, text) == answer
    assert right(evaluation, text, "", f" {label}\n") is verdict
    assert partial(evaluation, text, "", label) == float(verdict)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ('Answer: "t h e"', "t h e"),
        ('Answer: "draft"\nAnswer: "t h e"\n\nMore: "x"', "t h e"),
        ('"t h e"', "t h e"),
        ('Answer: "t h e', "t h e"),
        ('Answer: "t h e</s>"', "t h e"),
        ('Answer: "t\nh" "e"', "t\nh"),
        ('Answer: " t "', " t "),
        ('Answer: "a" Answer: b', ""),
        ("Answer: t h e", ""),
        ("Answer: “t h e”", ""),
        ("", ""),
        (None, ""),
    ],
)
def test_taking_the_answer_out(text: str | None, answer: str) -> None:
    assert extract_answer("quoted", text) == answer


@pytest.mark.parametrize("unit", ["Answer:", '"', "</s>", "Answer", "\ud800", 'Answer:"'])
def test_time_is_linear(unit: str) -> None:
    assert linear(lambda text: partial("quoted", text, "", "a"), unit, 200_000)


@given(st.text(st.characters(exclude_characters='"')))
def test_the_scorer_reads_its_own_answers(answer: str) -> None:
    if "Answer:" not in answer and "</s>" not in answer:
        assert extract_answer("quoted", CUTE.write(answer)) == answer


def test_generated_items_that_the_scorer_cannot_judge_have_no_published_rule(
    tmp_path: Path,
) -> None:
    """A text with a quotation mark cannot stand between two."""
    line = 'Mia said "no{}" to the {}th owl and a{} too.\n'
    text = "".join(line.format("w" * n, n, "h" * n) for n in range(1, 40))
    (tmp_path / "mine.txt").write_text(text, encoding="utf-8")
    item = insert.generate(lang="en", variant="word", pack=str(tmp_path / "mine.txt"))
    assert '"' in item.solution
    assert score(f"<answer>{item.solution}</answer>", item) == 1.0
    with pytest.raises(ItemError, match="no such scorer"):
        score("", item, rule="published")


# The reader


def test_every_published_file_finds_its_task(full_checkout: Path) -> None:
    items = cute.read(full_checkout)
    assert [item.meta["file"] for item in items] == [f"data/{stem}.tsv" for stem in sorted(ROWS)]
    for item, stem in zip(items, sorted(ROWS), strict=True):
        assert (item.task, item.variant) == TASKS[stem.removesuffix("_rand")]
        assert item.meta["evaluation"] == ("quoted_caseless" if "word" in stem else "quoted")
        assert Item.from_row(item.row()) == item
    assert list(findings(cute.read(full_checkout))) == []


def test_labels_are_right_under_every_rule(full_checkout: Path) -> None:
    for item in cute.read(str(full_checkout)):
        label = item.meta["label"]
        assert item.solution == label
        for rule in ("published", "published_graded"):
            assert score(completion_for(label, item, rule), item, rule=rule) == 1.0
        if item.variant:
            for ours in ("exact", "graded"):
                assert score(completion_for(label, item, ours), item, rule=ours) == 1.0


def test_all_fields_of_an_item(tmp_path: Path) -> None:
    item, found = one(tmp_path, "ins_word", "now", "go", "Go on, go!", "Go on, go now! ")
    published = {"evaluation": "quoted_caseless", "label": "Go on, go now!", "variation": ""}
    assert found == []
    assert item.target == {
        "text": "Go on, go now!",
        "given": "Go on, go!",
        "folds": ["case"],
        "published": published,
    }
    assert item.meta == {
        "seed": None,
        "index": 0,
        "split": "test",
        "level": None,
        "params": {},
        "source": "CUTE (published)",
        "file": "data/ins_word.tsv",
        "row": 0,
        "inputs": ["now", "go", "Go on, go!"],
        **published,
    }


def test_prompts_ask_in_our_words_and_the_tags_are_added(full_checkout: Path) -> None:
    for item in cute.read(full_checkout):
        assert all(cell in item.prompt for cell in item.meta["inputs"])
        assert "<answer>" not in item.prompt
        question, closing = split_closing(prompt(item), item.lang)
        assert question == item.prompt
        assert closing
    assert [item.id for item in cute.read(full_checkout)] == [
        item.id for item in cute.read(full_checkout)
    ]


def test_wordings_vary_by_row(tmp_path: Path) -> None:
    checkout(tmp_path, spell="input1\tlabel\n" + "fog\tf o g\n" * 20)
    assert len({item.prompt for item in cute.read(tmp_path)}) > 1


@pytest.mark.parametrize(
    ("content", "inputs", "label"),
    [
        ("input1\tlabel\nfog\tf o g", ["fog"], "f o g"),
        ("\ufeffinput1\tlabel\r\nfog\tf o g\r\n\r\n\n", ["fog"], "f o g"),
        ("label\tmore\tinput1\n f o g \tx\t fog \n", [" fog "], "f o g"),
        ("input1\tlabel\nnull\tn u l l\textra\n", ["null"], "n u l l"),
        ('input1\tlabel\n"fog\t" f o g\n', ['"fog'], '" f o g'),
        ("input1\tlabel\nfo\u2028g\tf o \u2028 g\n", ["fo\u2028g"], "f o \u2028 g"),
        ("input1\tlabel\nfog\n", ["fog"], ""),
    ],
)
def test_the_forms_that_files_take(
    tmp_path: Path, content: str, inputs: list[str], label: str
) -> None:
    (item,) = cute.read(checkout(tmp_path, spell=content))
    assert (item.meta["inputs"], item.meta["label"]) == (inputs, label)


@pytest.mark.parametrize(
    ("cell", "read"),
    [
        ('"Go," he said.', '"Go," he said.'),
        ('"Go," he said. "Now."', '"Go," he said. "Now."'),
        ('"Go."', '"Go."'),
        ('"""Go,"" he said."', '"Go," he said.'),
        ('""', '""'),
        ('"', '"'),
    ],
)
def test_quotation_marks_are_characters(tmp_path: Path, cell: str, read: str) -> None:
    """Only the quoting of a CSV writer, which doubles all marks, is undone."""
    item, _ = one(tmp_path, "contains_word", "go", cell, "Yes")
    assert item.meta["inputs"] == ["go", read]


def test_a_sentence_in_quotation_marks_may_be_answered_with_or_without_them(
    tmp_path: Path,
) -> None:
    item, found = one(tmp_path, "del_word", "now", '"Go home now."', '"Go home."')
    assert found == []
    for answer in ('"Go home."', "Go home.", "“Go home.”"):
        assert score(f"<answer>{answer}</answer>", item) == 1.0
    assert score("<answer>Go home</answer>", item) == 0.0


def test_unknown_files_have_published_rules_only(tmp_path: Path) -> None:
    item, found = one(tmp_path, "rhyme_word", "fog", "log", "Log")
    assert (item.task, item.variant, item.version) == ("rhyme_word", None, 1)
    assert (item.prompt, found) == ("fog\nlog", [])
    assert score('Answer: "log"', item, rule="published") == 1.0


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "spell.tsv' needs the column 'input1': found none"),
        ("input1\nfog\n", "needs the column 'label': found 'input1'"),
    ],
)
def test_files_that_cannot_serve(tmp_path: Path, content: str, message: str) -> None:
    with pytest.raises(SourceError, match=message) as caught:
        cute.read(checkout(tmp_path, spell=content))
    assert "\n" not in str(caught.value)


def test_files_that_are_not_text(tmp_path: Path) -> None:
    checkout(tmp_path, spell="")
    (tmp_path / "data" / "spell.tsv").write_bytes(b"input1\tlabel\n\xff\t")
    with pytest.raises(SourceError, match="is not UTF-8 text"):
        cute.read(tmp_path)
    with pytest.raises(SourceError, match=r"has no data/\*.tsv"):
        cute.read(tmp_path / "data")


# The labels: each family of exceptions, with what exact then accepts

SPACES = "it differs in spaces or the form of quotation marks alone"
PENN = "a contraction or possessive counts as two words"
PARTS = "the parts of a hyphenated word, contraction or number count as words"
MARKS = "a mark counts as a part of a word"
TWICE = "what is swapped occurs several times"
BELIEVED = [
    ("del_word", ("left", "He left , but why?", "He, but why?"), SPACES),
    ("del_word", ("red", "a red, red fox", "a fox"), "it differs in punctuation alone"),
    ("del_word", ("They", "They left.", "Left."), "it differs in letter case alone"),
    ("ins_word", ("all", "could", "We couldn't go.", "We could all n't go."), PENN),
    ("ins_word", ("old", "fox", "The fox’s den.", "The fox old’s den."), PENN),
    ("swap_word", ("fox", "den", "The fox's den.", "The den's fox."), PENN),
    ("del_word", ("can", "We cannot go.", "We not go."), PENN),
    ("sub_word", ("known", "lit", "A well-known den.", "A well-lit den."), PARTS),
    ("sub_word", ("3", "4", "It cost 3.50 then.", "It cost 4.50 then."), PARTS),
    ("del_word", ("'t", "We don't go.", "We don go."), MARKS),
    ("swap_word", ("foxes'", "den", "The foxes' cold den.", "The den cold foxes'."), MARKS),
    (
        "sub_word",
        ("the", "a", "The fox saw the den.", "a fox saw a den."),
        "letter case makes no difference",
    ),
    ("swap_word", ("fox", "den", "A fox, a fox, a den.", "A den, a fox, a fox."), TWICE),
    ("swap_word", ("fox", "den", "A fox, a fox, a den.", "A fox, a den, a fox."), TWICE),
    ("contains_word", ("fox", "The fox's den.", "Yes"), PENN),
    ("contains_word", ("couldn't", "We couldn't go.", "No"), PENN),
    ("contains_word", ("the", "The den.", "Yes"), "letter case makes no difference"),
    ("del_char", ("\u0301", "ne\u0301", "ne"), "marks count as characters of their own"),
    ("spell", ("ne\u0301", "n e \u0301"), "marks count as characters of their own"),
]
DISBELIEVED = [
    ("del_word", ("fox", "A fox, a fox.", "A, a fox."), "only one occurrence is changed"),
    ("del_word", ("fox", "A fox, foxes.", "A, es."), "what is within another word is changed, too"),
    ("del_word", ("fox", "A red fox.", "A red fox."), "nothing is changed"),
    ("del_word", ("fox", "A red fox.", "A fox."), "it is not what the inputs make"),
    ("ins_char", ("x", "o", "fog", "fxog"), "it is not what the inputs make"),
    ("del_char", ("o", "Oo", ""), "it is not what the inputs make"),
    ("contains_word", ("fox", "A red fox.", "No"), "it is not what the inputs make"),
    ("contains_word", ("ox", "A red fox.", "Yes"), "it is found only within another word"),
    ("contains_char", ("o", "fog", "No"), "it is not what the inputs make"),
    ("spell", ("fog", "f g o"), "it is not what the inputs make"),
    ("spell_inverse", ("f o g", "fgo"), "it is not what the inputs make"),
]


def exact(answer: str, item: Item) -> float:
    return score(f"<answer>{answer}</answer>", item)


@pytest.mark.parametrize(("stem", "cells", "reason"), BELIEVED)
def test_labels_that_rest_on_another_reading_are_believed(
    tmp_path: Path, stem: str, cells: tuple[str, ...], reason: str
) -> None:
    item, found = one(tmp_path, stem, *cells)
    assert found == [("several", reason)]
    assert item.solution == cells[-1]
    assert exact(cells[-1], item) == 1.0
    for other in item.target.get("also", []):
        text = other if isinstance(other, str) else " ".join(other)
        assert text != item.solution
        assert exact(text, item) == 1.0
    if item.variant == "word" and item.task != "contains":
        assert exact(item.meta["inputs"][-1], item) == 0.0


@pytest.mark.parametrize(("stem", "cells", "reason"), DISBELIEVED)
def test_labels_that_nothing_makes_are_not(
    tmp_path: Path, stem: str, cells: tuple[str, ...], reason: str
) -> None:
    item, found = one(tmp_path, stem, *cells)
    assert [why for _, why in found] == [reason]
    if found[0][0] == "wrong":
        assert exact(cells[-1], item) == 0.0
        assert exact(item.solution, item) == 1.0
    assert score(CUTE.write(cells[-1]), item, rule="published") == 1.0


def test_an_answer_that_is_right_by_both_readings_is_accepted(tmp_path: Path) -> None:
    item, _ = one(
        tmp_path, "ins_word", "old", "fox", "A fox, a fox's den.", "A fox old, a fox old's den."
    )
    assert item.target["also"] == ["A fox old, a fox's den."]
    assert exact("A fox old, a fox's den.", item) == exact(item.solution, item) == 1.0
    assert exact("A fox, a fox old's den.", item) == 0.0


def test_a_change_that_changes_nothing_can_be_asked_for(tmp_path: Path) -> None:
    item, found = one(tmp_path, "sub_char", "o", "o", "fog", "fog")
    assert found == []
    assert score("<answer>fog</answer>", item, rule="graded") == 1.0
    assert score("<answer>fag</answer>", item, rule="graded") == 0.0


@pytest.mark.parametrize(
    ("stem", "cells", "found"),
    [
        ("orth", ("fog", "frog", "mist", "mist"), [("wrong", "the other word is nearer")]),
        ("orth", ("fog", "dog", "log", "dog"), [("several", "both words are as near")]),
        ("orth", ("fog", "frog", "mist", "fog"), [("wrong", "it is none of the two words")]),
        ("sem", ("fog", "frog", "mist", "fog"), [("wrong", "it is none of the two words")]),
        ("contains_word", ("fog", "A fog.", "true"), [("unclear", "it is neither yes nor no")]),
        ("del_word", ("owl", "A fog.", "fog."), [("unclear", "there is nothing to change")]),
        ("del_char", ("a", "a", ""), [("unsolvable", "nothing is left")]),
    ],
)
def test_further_issues(
    tmp_path: Path, stem: str, cells: tuple[str, ...], found: list[tuple[str, str]]
) -> None:
    assert one(tmp_path, stem, *cells)[1] == found


words = st.sampled_from(
    ["fox", "Fox", "the", "The", "don't", "fox's", "well-lit", "3.50", '"', "'"]
)
marks = st.sampled_from([" ", ", ", ". ", ' "', "'", '" ', "...", " - "])


@given(st.data())
def test_a_label_is_found_exactly_where_exact_or_our_answer_differs(data: st.DataObject) -> None:
    """Whatever the row: exact takes a label that is not called wrong, and each row's solution."""
    from tokenbench.published.cute import read_file

    pieces = data.draw(st.lists(st.tuples(words, marks), min_size=1, max_size=6))
    text = "".join(word + mark for word, mark in pieces).strip()
    stem = data.draw(st.sampled_from(["ins_word", "del_word", "sub_word", "swap_word"]))
    inputs = [data.draw(words) for _ in range(1 if stem == "del_word" else 2)] + [text]
    label = data.draw(st.permutations(text.split()).map(" ".join) | st.just(text))
    with pytest.MonkeyPatch.context() as patch:
        names = [f"input{number}" for number in range(1, len(inputs) + 1)]
        content = "\n".join("\t".join(cells) for cells in ([*names, "label"], [*inputs, label]))
        patch.setattr("tokenbench.published.cute.read_text", lambda _: content)
        (item,) = read_file(Path(f"{stem}.tsv"), "CUTE (published)", "data/x.tsv", "en")
    found = list(findings([item]))
    assert len(found) <= 1
    codes = {finding.code for finding in found}
    if not codes & {"wrong", "unsolvable"}:
        assert exact(item.meta["label"], item) == 1.0
    if "unsolvable" not in codes:
        assert exact(item.solution, item) == 1.0


# Answers that models gave


def answers(root: Path, name: str, outputs: str, labels: str) -> None:
    root.mkdir(exist_ok=True)
    (root / f"outputs.{name}.txt").write_bytes(outputs.encode())
    (root / f"labels.{name}.txt").write_bytes(labels.encode())


def test_old_answers_are_scored_line_by_line(tmp_path: Path) -> None:
    deep = tmp_path / "deep"
    answers(deep, "owl-3.1-8b.swap_word", "A b\nc D\nx", "a B\nC d\ny\n")
    answers(deep, "owl-3.1-8b.swap_char", "A b\nc d\n\n", "a b\nc d\n\n")
    answers(deep, "owl.spell", "f o\u2028\r\n\n", "f o\u2028\r\ng\r\n")
    answers(deep, "owl.ins_char", "a\nb\nc\n", "a\nb c\n")
    found = [found[:5] for found in cute.scores(tmp_path)]
    assert found == [
        ("owl-3.1-8b", "swap_char", 3, 2 / 3, 3),
        ("owl-3.1-8b", "swap_word", 3, 2 / 3, 3),
        ("owl", "ins_char", 2, None, 3),
        ("owl", "spell", 2, 1 / 2, 2),
    ]
    assert cute.scores(tmp_path)[0].file == "deep/outputs.owl-3.1-8b.swap_char.txt"


def test_answers_without_labels(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"has no outputs.MODEL.TASK.txt"):
        cute.scores(tmp_path)
    (tmp_path / "outputs.owl.spell.txt").write_text("a", encoding="utf-8")
    with pytest.raises(SourceError, match=r"cannot read '.*labels.owl.spell.txt'"):
        cute.scores(tmp_path)


# The command line


def test_the_commands_take_it(full_checkout: Path, tmp_path: Path) -> None:
    lines = output("items", "--published", "cute", full_checkout).splitlines()
    assert [Item.from_json(line) for line in lines] == cute.read(full_checkout)
    given = tmp_path / "given.jsonl"
    solved = [completion_for(item.solution, item, "published") for item in cute.read(full_checkout)]
    given.write_text("\n".join(map(json.dumps, solved)), encoding="utf-8")
    verdicts = tmp_path / "verdicts.jsonl"
    table = output(
        "score", "--completions", given, "--published", "cute", full_checkout, "-o", verdicts
    )
    for stem in ROWS:
        assert re.search(rf"data/{stem}\.tsv +\d+ +1\.0000", table)
    assert output("audit", "cute", full_checkout) == ""


def test_a_file_whose_word_comes_before_its_letters_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "data" / "contains_char.tsv"
    file.parent.mkdir()
    file.write_text("input1\tinput2\tlabel\ncow\to\tYes\nx\tx\tYes\n", encoding="utf-8")
    with pytest.raises(SourceError, match="another order"):
        cute.read(tmp_path)
