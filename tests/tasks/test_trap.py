"""TRAP: pairs that really deceive a tokenizer, one right answer, and the answer of the trap."""

import json
import re
import runpy
from base64 import b64encode
from collections import Counter
from collections.abc import Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

import fresh_python
import pytest

from tokenbench import check, score, tasks, trap
from tokenbench.datasets import dataset
from tokenbench.draw import Split, split_of
from tokenbench.errors import DifficultyError, SourceError, TokenbenchError, UnknownNameError
from tokenbench.item import Item
from tokenbench.tasks.adt import MAX_PAIRS, SCHEMAS, Pair, has_one_answer, pairs, thin_out
from tokenbench.tasks.wordings import questions, read_join, read_slots
from tokenbench.testing.item_facts import quoted_texts
from tokenbench.text.languages import language
from tokenbench.text.lexicon import words
from tokenbench.text.packs import pack
from tokenbench.text.sources import stamp
from tokenbench.vocab import bpe, load, traps

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "src/tokenbench/tasks/data"
FORMS = ("second", "begin", "end", "char", "spell")
MOVES = Pair("moves", "table", "stable", 1, "before")
SIXTH = Pair("sixth", "island", "this", 2, "both")


@pytest.fixture(autouse=True)
def _register_task() -> Iterator[None]:
    with tasks.register(trap.TASK):
        yield


def slots_of(item: Item) -> Mapping[str, str]:
    return read_slots(item.task, item.lang, item.prompt)


def join_of(item: Item) -> str:
    return str(read_join(slots_of(item)))


def trap_pairs_tool() -> dict[str, Any]:
    return runpy.run_path(str(ROOT / "tools" / "trap_pairs.py"))


def make_item(pair: Pair, variant: str, form: str, lang: str = "en") -> Item:
    right, misled = trap.answers(pair, form)
    return Item("trap", 2, lang, variant, "?", {"answer": right, "misled": [*misled]}, str(right))


# The pairs.


def test_the_files_are_what_their_tool_writes() -> None:
    pytest.importorskip("tokenizers")
    tool = trap_pairs_tool()
    for lang in trap.TASK.langs:
        trained = DATA / f"traps_{lang}.tiktoken"
        assert tool["rank_file"](lang) == trained.read_text(encoding="utf-8")
        written = (DATA / f"traps_{lang}.tsv").read_text(encoding="utf-8")
        assert tool["table"](lang, trained) == written


@pytest.mark.parametrize("lang", trap.TASK.langs)
def test_each_pair_deceives_our_tokenizer(lang: str) -> None:
    trained = DATA / f"traps_{lang}.tiktoken"
    index, encoder = traps.index(load(trained)), bpe.load(trained, pattern=())
    matches = [traps.Match.of(*pair[:4]) for pair in pairs(lang).instances]
    assert [tuple(match) for match in matches] == [tuple(pair) for pair in pairs(lang).instances]
    assert index.verify(matches, encoder).all()
    for match in matches[::20]:
        assert match in index.lookup(match.word1, match.word2)
        tokens = [encoder.tokens[n].decode() for n in encoder.encode(match.word1 + match.word2)]
        starts = [len("".join(tokens[:place])) for place in range(len(tokens))]
        assert (match.start, match.trap) in zip(starts, tokens, strict=True)


@pytest.mark.parametrize("lang", trap.TASK.langs)
def test_words_are_ours_and_none_stands_out(lang: str) -> None:
    found = pairs(lang).instances
    own = {*words(lang).words, *pack(lang).vocabulary}
    assert len(found) > 1500
    assert len({pair.join for pair in found}) == len(found)
    assert all(map(has_one_answer, found))
    for role in ("word1", "word2", "trap"):
        held = Counter(getattr(pair, role) for pair in found)
        assert own.issuperset(held)
        assert max(held.values()) < len(found) / 25
        assert lang == "zh" or min(map(len, held)) >= 3
    schemas = Counter(pair.schema for pair in found)
    assert min(schemas[schema] for schema in SCHEMAS) > len(found) / 6


def test_our_pairs_need_neither_numpy_nor_numba() -> None:
    code = (
        "import sys; from tokenbench import trap; trap.generate(lang='zh');"
        "print({'numpy', 'numba', 'regex'} & {*sys.modules})"
    )
    assert fresh_python.output(code) == "set()\n"


def test_thinning_is_fair_and_knows_no_order() -> None:
    many = [
        Pair(one + "x", f"y{number}", "xy", 1, schema)
        for schema, count in (("before", 2), ("after", 9), ("both", 90))
        for one in "ab"
        for number in range(count)
    ]
    kept = thin_out(many, 30, 3)
    assert kept == thin_out(reversed(many), 30, 3)
    assert Counter(pair.schema for pair in thin_out(many, 3)) == dict.fromkeys(SCHEMAS, 1)
    assert len({pair.join for pair in kept}) == len(kept)
    assert set(Counter((pair.schema, pair.trap) for pair in kept).values()) == {3}


# Questions.


@pytest.mark.parametrize("variant", trap.TASK.variants)
@pytest.mark.parametrize("lang", trap.TASK.langs)
@pytest.mark.parametrize("form", ["sentence", "bare"])
def test_each_item_asks_about_its_pair_and_does_not_show_the_second_word(
    lang: str, variant: str, form: str
) -> None:
    by_join = {pair.join: pair for pair in pairs(lang).instances}
    for item in dataset("trap", lang=lang, variant=variant, n=200, split="validation", form=form):
        pair = by_join[join_of(item)]
        shown = {text for text in quoted_texts(item) if text != "+"}
        if form == "bare":
            assert shown == {pair.join, pair.word1}
        else:
            assert {pair.word1} <= shown <= {pair.word1, slots_of(item)["sentence"]}
        drawn = {"length": len(pair.join), "schema": pair.schema, "cut": pair.cut}
        assert item.meta["drawn"] == drawn | {"trap": pair.trap, "form": form}
        forms = {"boundary": ("begin", "end")}.get(variant, (variant,))
        said = [trap.answers(pair, form) for form in forms]
        assert (item.target["answer"], item.target["misled"]) in said
        assert item.target["answer"] not in item.target["misled"] != []


@pytest.mark.parametrize("variant", trap.TASK.variants)
@pytest.mark.parametrize("lang", trap.TASK.langs)
def test_a_sentence_shows_the_join_once_and_its_words_nowhere_else(lang: str, variant: str) -> None:
    splits: tuple[Split, ...] = ("train", "test")
    for split in splits:
        for item in dataset("trap", lang=lang, variant=variant, n=100, split=split):
            join, slots = join_of(item), slots_of(item)
            assert {*slots} == {"sentence", "first"}
            assert item.prompt.count(join) == item.prompt.count(slots["sentence"]) == 1
            # A space or mark is before and after it.
            assert re.findall(rf"(?<!\w){join}(?!\w)", slots["sentence"]) == [join]
            rest = slots["sentence"].replace(join, "").lower()
            second = trap.solve(join, slots["first"])
            for word in (slots["first"], second, item.meta["drawn"]["trap"]):
                assert word not in rest


@pytest.mark.parametrize("lang", trap.TASK.langs)
def test_both_forms_ask_the_same_about_the_same_pairs(lang: str) -> None:
    for variant in trap.TASK.variants:
        for index in range(20):
            item, bare = (
                trap.generate(lang=lang, variant=variant, index=index, form=form)
                for form in (None, "bare")
            )
            assert (item.target, item.solution) == (bare.target, bare.solution)
            assert join_of(item) == join_of(bare)
            assert item.id != bare.id


@pytest.mark.parametrize("lang", trap.TASK.langs)
def test_the_last_sentences_are_shown_in_test_alone(lang: str) -> None:
    carriers = questions("trap", language(lang))["carriers"]
    assert len({*carriers}) == len(carriers) >= 24

    def sentences(split: Split) -> set[str]:
        items = dataset("trap", lang=lang, variant="char", split=split, n=400)
        return {slots_of(item)["sentence"].replace(join_of(item), "{join}") for item in items}

    assert sentences("test") == {*carriers}
    assert sentences("train") == {*carriers[:-4]} >= sentences("validation")


@pytest.mark.parametrize("lang", trap.TASK.langs)
def test_any_pair_of_words_has_a_sentence(lang: str) -> None:
    """Of the two words and the trap, three letters (in Chinese one character) rule out the most."""
    shown = questions("trap", language(lang))["carriers"][:-4]
    size = trap_pairs_tool()["SHORTEST"][lang]
    texts: dict[str, set[int]] = {}
    for number, carrier in enumerate(shown):
        assert re.search(r"[^\w}] ?\{join\}\W", carrier)
        text = carrier.replace("{join}", "|").lower()
        for part in re.findall(rf"(?=(\w{{{size}}}))", text):
            texts.setdefault(part, set()).add(number)
    commonest = sorted(map(len, texts.values()))[-3:]
    assert sum(commonest) < len(shown)


def test_questions_name_the_first_word_and_leave_the_answer_to_the_reader() -> None:
    for lang in trap.TASK.langs:
        for form, wordings in questions("trap", language(lang)).items():
            if form == "carriers":
                continue
            shown = "{sentence}" if form.startswith("sentence") else "{join}"
            assert len({*wordings}) == len(wordings) >= 6
            for wording in wordings:
                assert {*re.findall(r"\{\w+\}", wording)} == {shown, "{first}"}
                names_tags = "between the tags" in wording or "标签之间" in wording
                assert names_tags or not re.search("[Ww]rite only|只写", wording)


@pytest.mark.parametrize("lang", trap.TASK.langs)
def test_our_tokenizer_is_deceived_in_sentences_too(lang: str) -> None:
    encoder = bpe.load(DATA / f"traps_{lang}.tiktoken", pattern=())
    for item in dataset("trap", lang=lang, split="test", n=200):
        sentence, drawn = slots_of(item)["sentence"], item.meta["drawn"]
        start = sentence.index(join_of(item)) + len(slots_of(item)["first"]) - drawn["cut"]
        assert [start, start + len(drawn["trap"])] in encoder.spans(sentence).tolist()


def test_answers_are_those_of_the_papers_examples() -> None:
    drive = Pair("drive", "nothing", "driven", 5, "after")
    said = {form: [trap.answers(pair, form) for pair in (MOVES, drive, SIXTH)] for form in FORMS}
    assert said == {
        "second": [
            ("table", ["stable"]),
            ("nothing", ["othing", "driven"]),
            ("island", ["thisland", "land", "this"]),
        ],
        "begin": [(6, [5]), (6, [7]), (6, [4, 8])],
        "end": [(5, [4]), (5, [6]), (5, [3, 7])],
        "char": [("t", ["s"]), ("n", ["o"]), ("i", ["t", "l"])],
        "spell": [
            ("m o v e s + t a b l e", ["m o v e + s t a b l e", "m o v e s + s t a b l e"]),
            (
                "d r i v e + n o t h i n g",
                ["d r i v e n + o t h i n g", "d r i v e + o t h i n g", "d r i v e + d r i v e n"],
            ),
            (
                "s i x t h + i s l a n d",
                [
                    "s i x + t h i s l a n d",
                    "s i x t h i s + l a n d",
                    "s i x t h + t h i s l a n d",
                    "s i x t h + l a n d",
                    "s i x t h + t h i s",
                ],
            ),
        ],
    }
    assert [trap.solve(pair.join, pair.word1) for pair in (MOVES, SIXTH)] == ["table", "island"]


@pytest.mark.parametrize(("join", "first"), [("table", "stable"), ("table", "table"), (None, "a")])
def test_what_is_no_join_has_no_second_word(join: str, first: str) -> None:
    with pytest.raises(TokenbenchError, match=r"^first=|: expected a string"):
        trap.solve(join, first)


def test_a_question_that_nobody_asks_is_named() -> None:
    with pytest.raises(UnknownNameError, match="begins"):
        trap.answers(MOVES, "begins")


def test_an_item_whose_trap_is_right_is_not_made() -> None:
    """Of `ship|lane` with `plane` after `p` the letter after `shi` would be right by the trap."""
    for lang in trap.TASK.langs:
        for item in dataset("trap", lang=lang, variant="char"):
            assert item.target["answer"] not in item.target["misled"]


def test_splits_share_no_join_and_hold_all_pairs() -> None:
    splits: tuple[Split, ...] = ("train", "validation", "test")
    for lang in trap.TASK.langs:
        joins = {
            split: {
                join_of(item) for item in dataset("trap", lang=lang, variant="second", split=split)
            }
            for split in splits
        }
        assert sum(map(len, joins.values())) == len(set().union(*joins.values()))
        assert set().union(*joins.values()) == {pair.join for pair in pairs(lang).instances}


@pytest.mark.parametrize("lang", trap.TASK.langs)
def test_lengths_levels_and_schemas_are_obeyed(lang: str) -> None:
    for schema in SCHEMAS:
        item = trap.TASK.generate(lang=lang, schema=schema)
        assert item.meta["drawn"]["schema"] == schema
    length = {"en": 9, "zh": 5}[lang]
    assert trap.TASK.generate(lang=lang, length=length).meta["drawn"]["length"] == length
    short, long = (
        max(item.meta["drawn"]["length"] for item in dataset("trap", lang=lang, level=level, n=100))
        for level in (0, 9)
    )
    assert short < long
    with pytest.raises(UnknownNameError, match="beside"):
        trap.TASK.generate(lang=lang, schema="beside")


@pytest.mark.parametrize("lang", trap.TASK.langs)
def test_chance_is_the_share_of_the_commonest_answer(lang: str) -> None:
    """Of a position, the first word's length or one more: each is asked for half of the time."""
    item = trap.TASK.generate(lang=lang, variant="boundary", split="test")
    sizes = Counter(
        len(pair.word1) for pair in pairs(lang).instances if split_of(pair.join) == "test"
    )
    commonest = max(sizes[size] + sizes[size - 1] for size in range(20)) / 2
    assert trap.TASK.guess_rate(item) == pytest.approx(commonest / sizes.total())
    # Most Chinese first words have two characters.
    assert trap.TASK.guess_rate(item) < {"en": 0.3, "zh": 0.46}[lang]


def test_the_first_items_are_these() -> None:
    item = trap.generate(lang="zh", variant="spell", seed=7)
    assert (item.solution, item.target["misled"][0]) == ("波 长 + 长 方 形", "波 + 长 长 方 形")
    item = trap.generate(variant="second", seed=7)
    assert (item.solution, item.target["misled"]) == ("hole", ["whole"])


# Right answers, and reasons for others.

RIGHT = [
    ("second", "second", ["table", "Table", "TABLE.", "“table”", "**table**", "ｔａｂｌｅ"]),
    ("boundary", "begin", ["6", "６", "006", "6.", "position 6"]),
    ("boundary", "begin", ["6th", "[6th]", "the ６th letter"]),
    ("boundary", "end", ["5", "“5th”.", "5TH position"]),
    ("char", "char", ["t", "T", "“t”", "t.", "ｔ"]),
    (
        "spell",
        "spell",
        [
            "m o v e s + t a b l e",
            "M-O-V-E-S + T-A-B-L-E.",
            "m,o,v,e,s,+,t,a,b,l,e",
            "m.o.v.e.s + t.a.b.l.e",
            "m o v e s+t a b l e",
            "ｍ ｏ ｖ ｅ ｓ ＋ ｔ ａ ｂ ｌ ｅ",
            '["m","o","v","e","s","+","t","a","b","l","e"]',
            "m\no\nv\ne\ns\n+\nt\na\nb\nl\ne",
            "“m o v e s” + “t a b l e”",
            "**m o v e s** + **t a b l e**",
            "(m-o-v-e-s) + (t-a-b-l-e)",
        ],
    ),
]
MISLED = [
    ("second", "second", ["island"], ["thisland", "This", "“land”"]),
    ("boundary", "begin", ["6"], ["4", "8.", "the 4th", "8th letter"]),
    ("boundary", "end", ["5"], ["3", "7"]),
    ("char", "char", ["i"], ["t", "L"]),
    ("spell", "spell", ["s i x t h + i s l a n d"], ["s-i-x + t-h-i-s-l-a-n-d"]),
    ("spell", "spell", ["s,i,x,t,h,+,i,s,l,a,n,d"], ["s i x t h + t h i s", "s i x t h + l a n d"]),
]
WRONG = [
    ("second", "second", ["able", "moves", "movestable"], "wrong"),
    ("second", "second", ["moves table", "table, stable", "table or stable"], "unparsable"),
    ("boundary", "begin", ["0", "7"], "wrong"),
    ("boundary", "begin", ["sixth", "-6", "5 or 6", "6-7", "t"], "unparsable"),
    ("boundary", "begin", ["5th or 6th", "not the 6th", "6th of 10", "第6个字"], "unparsable"),
    ("char", "char", ["a", "x"], "wrong"),
    ("char", "char", ["ta", "table", "t a", "t, s"], "unparsable"),
    ("spell", "spell", ["m o v e s + t a b e l", "m + o v e s t a b l e"], "wrong"),
    (
        "spell",
        "spell",
        [
            "m o v e s t a b l e",
            "m o + v e s + t a b l e",
            "+ t a b l e",
            "mo ves + t a b l e",
            "moves+table",
        ],
        "unparsable",
    ),
]


@pytest.mark.parametrize(("variant", "form", "given"), RIGHT)
def test_right_answers_in_any_spelling(variant: str, form: str, given: list[str]) -> None:
    for answer in given:
        for rule in ("exact", "graded"):
            assert (
                score(f"<answer>{answer}</answer>", make_item(MOVES, variant, form), rule=rule) == 1
            )


@pytest.mark.parametrize(("variant", "form", "right", "misled"), MISLED)
def test_the_reason_names_the_trap(
    variant: str, form: str, right: list[str], misled: list[str]
) -> None:
    item = make_item(SIXTH, variant, form)
    for answer in right:
        assert check(f"<answer>{answer}</answer>", item).code == "right"
    for answer in misled:
        verdict = check(f"<answer>{answer}</answer>", item)
        assert (verdict.score, verdict.code) == (0.0, "wrong")
        assert "fell into the trap" in verdict.reason
        assert score(f"<answer>{answer}</answer>", item, rule="graded") == 0.0


@pytest.mark.parametrize(("variant", "form", "given", "code"), WRONG)
def test_other_answers_are_wrong_and_no_trap(
    variant: str, form: str, given: list[str], code: str
) -> None:
    for answer in given:
        verdict = check(f"<answer>{answer}</answer>", make_item(MOVES, variant, form))
        assert verdict.code == code, answer
        assert "trap" not in verdict.reason


def test_chinese_answers() -> None:
    pair = Pair("大学", "生活", "学生", 1, "both")
    for variant, form, right in (
        ("second", "second", "“生活”。"),
        ("boundary", "begin", "３"),
        ("boundary", "begin", "第3个字"),
        ("boundary", "begin", "第 ３ 个字。"),
        ("boundary", "end", "第2个"),
        ("char", "char", "生"),
        ("spell", "spell", "大 学 ＋ 生 活"),
        ("spell", "spell", "大、学、+、生、活"),
        ("spell", "spell", "大-学+生-活"),
    ):
        assert score(f"<answer>{right}</answer>", make_item(pair, variant, form, "zh")) == 1.0
    for variant, form, misled in (
        ("second", "second", "学生"),
        ("second", "second", "活"),
        ("boundary", "begin", "2"),
        ("boundary", "begin", "第2个字"),
        ("char", "char", "学"),
        ("spell", "spell", "大+学 生 活"),
    ):
        verdict = check(f"<answer>{misled}</answer>", make_item(pair, variant, form, "zh"))
        assert "fell into the trap" in verdict.reason


@pytest.mark.parametrize(
    ("variant", "form", "answer", "earned"),
    [
        ("spell", "spell", "m o v e s + t a b e l", 0.6),
        ("spell", "spell", "m o v e s + t a b l e s", 5 / 6),
        ("spell", "spell", "m o v e s + x", 0.0),
        ("spell", "spell", "m o u s e + t a b l e", 0.0),  # the first word stands in the prompt
        ("second", "second", "tables", 0.0),
        ("second", "second", "tab+le", 0.0),
        ("boundary", "begin", "7", 1 - 1 / 1.2),
        ("boundary", "begin", "5", 0.0),  # as near, but the trap
    ],
)
def test_graded_pays_near_answers_but_not_the_trap(
    variant: str, form: str, answer: str, earned: float
) -> None:
    item = make_item(MOVES, variant, form)
    assert score(f"<answer>{answer}</answer>", item, rule="graded") == pytest.approx(earned)


@pytest.mark.parametrize("lang", trap.TASK.langs)
def test_who_spells_the_join_and_guesses_the_boundary_earns_what_exact_pays(lang: str) -> None:
    """Of the spelling nothing is paid that the prompt shows."""
    for item in dataset("trap", lang=lang, variant="spell", n=100):
        join = item.solution.replace(" ", "").replace("+", "")
        for place in range(1, len(join)):
            spelled = f"{' '.join(join[:place])} + {' '.join(join[place:])}"
            completion = f"<answer>{spelled}</answer>"
            assert score(completion, item) == score(completion, item, rule="graded")


def test_two_long_words_may_be_spelled_however_long_they_are() -> None:
    answer = " + ".join(" ".join(letter * 400) for letter in "ab")
    item = Item("trap", 2, "en", "spell", "?", {"answer": answer, "misled": []}, answer)
    assert score(f"<answer>{answer}</answer>", item) == 1.0


def test_targets_of_another_shape_are_refused() -> None:
    item = make_item(MOVES, "boundary", "begin")
    for target in ({"answer": 6}, {"answer": 6, "misled": ["5"]}, {"answer": "6", "misled": [5]}):
        bad = Item("trap", 2, "en", "boundary", "?", target, "6")
        with pytest.raises(TokenbenchError, match="trap"):
            score("<answer>6</answer>", bad)
    assert score("<answer>6</answer>", item) == 1.0


# Any vocabulary.


@pytest.mark.parametrize("lang", trap.TASK.langs)
def test_a_rank_file_gives_pairs_that_deceive_it(lang: str, tmp_path: Path) -> None:
    data = files("tokenbench.tasks").joinpath("data", f"traps_{lang}.tiktoken").read_bytes()
    here, there = tmp_path / "a.tiktoken", tmp_path / "there" / "b.tiktoken"
    for path in (here, there):
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
    there = there.parent
    encoder = bpe.load(here, pattern=())
    for variant in trap.TASK.variants:
        for index in range(10):
            item, other = (
                trap.TASK.generate(lang=lang, variant=variant, index=index, vocabulary=path)
                for path in (here, there)
            )
            assert (item.prompt, item.id) == (other.prompt, other.id)
            assert str(item.meta["source"]).startswith("a.tiktoken sha256:")
            tokens = [encoder.tokens[number] for number in encoder.encode(join_of(item))]
            assert item.meta["drawn"]["trap"].encode() in tokens


def test_a_trained_tokenizer_gives_words_and_no_pieces(tmp_path: Path) -> None:
    """Words also stand after a space; pieces of words do not."""
    tokenizers = pytest.importorskip("tokenizers")
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE())
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=10**6,
        min_frequency=0,
        show_progress=False,
        initial_alphabet=tokenizers.pre_tokenizers.ByteLevel.alphabet(),
    )
    own = words("en").words[:800]
    tokenizer.train_from_iterator([text for word in own for text in (word, f" {word}")], trainer)
    path = tmp_path / "tokenizer.json"
    tokenizer.save(str(path))
    vocabulary, item = load(path), trap.generate(vocabulary=path)
    assert {b"able", b" table"} <= {*vocabulary.tokens}
    known = {*vocabulary.tokens}
    assert 10 < (trap.TASK.n_instances(trap.TASK.spec_of(item)) or 0) <= MAX_PAIRS
    for form, before in (("sentence", " "), ("bare", "")):
        for other in dataset("trap", vocabulary=path, form=form, n=50):
            for word in (slots_of(other)["first"], other.solution):
                assert {word.encode(), f" {word}".encode()} <= known
            tokens = tokenizer.encode(f"{before}{join_of(other)}").tokens
            # The tokenizer writes Ġ for a space.
            assert other.meta["drawn"]["trap"] in [token.removeprefix("Ġ") for token in tokens]


def test_a_space_before_the_join_changes_what_a_tokenizer_falls_for(tmp_path: Path) -> None:
    """“ moves” is merged before “st”, which “moves” without a space is not."""
    merged = ["ov", "ove", " m", " move", " moves", "move", "st", "ab", "le", "able", "table"]
    merged += ["stable", "moves", " table", " stable"]
    tokens = [bytes([byte]) for byte in range(256)] + [token.encode() for token in merged]
    path = tmp_path / "a.tiktoken"
    lines = (f"{b64encode(token).decode()} {rank}\n" for rank, token in enumerate(tokens))
    path.write_text("".join(lines), encoding="utf-8")
    assert pairs("en", stamp(str(path))).instances == (MOVES,)
    move = Pair("move", "stable", "moves", 4, "after")
    assert pairs("en", stamp(str(path)), in_sentence=True).instances == (move,)


def test_unusable_arguments_are_refused_in_a_line(tmp_path: Path) -> None:
    ranks = (DATA / "traps_en.tiktoken").read_text(encoding="utf-8")
    letters = tmp_path / "letters.tiktoken"
    letters.write_text("".join(ranks.splitlines(keepends=True)[:256]), encoding="utf-8")
    other = tmp_path / "words.txt"
    other.write_text("alpha\nbeta\n", encoding="utf-8")
    word_level = tmp_path / "tokenizer.json"
    word_level.write_text(json.dumps({"model": {"type": "WordLevel", "vocab": {"a": 0}}}))
    for path, said in (
        (letters, "letters.tiktoken"),
        (other, "words.txt"),
        (word_level, "tokenizer.json"),
        (tmp_path / "none.tiktoken", "no such file"),
    ):
        with pytest.raises(SourceError, match=said) as caught:
            trap.generate(vocabulary=path)
        assert "\n" not in str(caught.value)
    with pytest.raises(DifficultyError, match="vocabulary"):
        trap.TASK.generate(vocabulary=7)
