"""ADT's pipeline: what models write is read, checked and kept, and nothing is asked twice."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokenbench import adt
from tokenbench.adt import Confusion, Instance
from tokenbench.adt.pipeline import parse_writing, writer_prompt
from tokenbench.errors import ItemError, SourceError, TokenbenchError
from tokenbench.vocab import bpe
from tokenbench.vocab.traps import Match, index

TABLE = Match.of("moves", "table", "stable", 1)
HOUR = Match.of("小时", "间接", "时间", 1)
ANY: Any = Instance  # takes wrong types without a complaint from the checker
MATCHES = sorted(index(["moves", "move", "table", "stable", "tables", "s", "tab"]).sample(6))


def encoding(*tokens: str | bytes) -> bpe.Bpe:
    """Return an encoding that makes the tokens wherever their bytes meet, the first ones first."""
    ranks = {bytes([byte]): byte for byte in range(256)}
    for token in tokens:
        data = token.encode() if isinstance(token, str) else token
        for end in range(2, len(data) + 1):
            ranks.setdefault(data[:end], len(ranks))
    return bpe.load(ranks)


def good(match: Match) -> str:
    sentence = f"Here {match.word1}{match.word2} stands, no. {MATCHES.index(match)}."
    return json.dumps({"sentence": sentence, "question": "What stands here?"})


class Model:
    """A client that knows what to say, counts its requests, and may break off."""

    def __init__(self, says: Callable[[str], Any], patience: int | None = None) -> None:
        self.says, self.patience = says, patience
        self.asked: Counter[str] = Counter()
        self.batches: list[int] = []

    def __call__(self, prompts: list[str]) -> Iterator[Any]:
        assert isinstance(prompts, list)
        self.batches.append(len(prompts))
        for prompt in prompts:
            if self.patience is not None and self.asked.total() >= self.patience:
                raise ConnectionError
            self.asked[prompt] += 1
            yield self.says(prompt)


def writer(prompt: str) -> str:
    """Write the requested text; for one of the matches, an unusable one."""
    for match in MATCHES:
        if prompt == writer_prompt(Instance(match, "en")):
            return good(match) if match is not MATCHES[0] else "I would rather not."
    raise KeyError(prompt)


def first_answers(prompt: str) -> str:
    return f"Answer to {prompt[:20]!r}"


def nobody(prompts: list[str]) -> list[str]:
    """Be the client of a call that has nothing left to ask."""
    raise AssertionError(prompts)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "instances.jsonl"


INSTANCE = Instance(TABLE, "en", "Tom movestable and chair.", "What does Tom do?")


@pytest.mark.parametrize(
    "around",
    [
        "{}",
        "```json\n{}\n```",
        'Sure! Here {{it}} is: {{"sentence": "A draft."}}\n{}\nI hope {{"this"}} helps.',
        '<think>{{"sentence": 1, "question": 2}} {{</think>{}',
        '{{"sentence": "first", "question": "try"}} No: {}',
        '{{"result": {}}}',
    ],
)
def test_sentence_and_question_are_found_in_the_text_around_them(around: str) -> None:
    text = '{"sentence": " Tom movestable and chair.\\n", "question": "What does\n Tom do?"}'
    found = parse_writing(Instance(TABLE, "en"), around.format(text))
    assert found == Instance(TABLE, "en", "Tom movestable and chair.", "What does\n Tom do?")


@pytest.mark.parametrize(
    ("completion", "says", "kind"),
    [
        ("", "no JSON object", "no_json"),
        ("{" * 9999, "no JSON object", "no_json"),
        ('{"sentence":' * 1500, "no JSON object", "no_json"),
        ("[" * 9999 + "{", "no JSON object", "no_json"),
        ('{"sentence": "Tom movestable."}', "no JSON object", "no_json"),
        ('<think>{"sentence": "Tom movestable.", "question": "Who?"}', "no JSON object", "no_json"),
        (" " * 20_001, "more than 20000 characters", "too_long"),
        ('{"sentence": ["movestable"], "question": "Who?"}', "not texts", "not_text"),
        ('{"sentence": "Tom movestable.", "question": " "}', "question is empty", "no_question"),
        ('{"sentence": "", "question": "Who?"}', "does not contain 'movestable'", "no_join"),
        (
            '{"sentence": "Tom moves table.", "question": "Who?"}',
            "does not contain 'movestable'",
            "no_join",
        ),
        (
            '{"sentence": "Two removestables.", "question": "Who?"}',
            "does not contain 'movestable' as a word of its own",
            "no_join",
        ),
        (
            '{"sentence": "A stable movestable.", "question": "Who?"}',
            "sentence contains 'stable'",
            "trap_elsewhere",
        ),
        (
            '{"sentence": "Tom movestable.", "question": "Is it stable?"}',
            "contains 'stable'",
            "trap_elsewhere",
        ),
    ],
)
def test_what_cannot_be_used_is_kept_with_the_reason(
    completion: str, says: str, kind: adt.FaultKind
) -> None:
    found = parse_writing(Instance(TABLE, "en"), completion)
    assert says in (found.fault or "")
    assert found.fault_kind == kind
    assert not found.usable
    assert Instance.from_json(found.json()) == found


def test_in_chinese_words_adjoin_the_join_and_the_question_may_quote_it() -> None:
    text = '{"sentence": "他等了一小时间接受检查。", "question": "“小时间接”前面是几？"}'
    assert parse_writing(Instance(HOUR, "zh"), text).usable


def test_halves_of_surrogate_pairs_do_no_harm() -> None:
    text = '{"sentence": "movestable \\ud83d", "question": "\\ud83d\\ude00?"}'
    found = parse_writing(Instance(TABLE, "en"), text)
    assert (found.sentence, found.question) == ("movestable �", "😀?")
    (answered,) = adt.ask([INSTANCE], lambda _: ["\ud83d\ude00 \ude00"])
    assert answered.answer == "😀 �"


@pytest.mark.parametrize(("match", "lang"), [(TABLE, "en"), (HOUR, "zh")])
def test_the_request_names_words_and_form_and_is_not_an_answer(match: Match, lang: str) -> None:
    prompt = writer_prompt(Instance(match, lang))
    assert all(f"“{word}”" in prompt for word in (match.word1, match.word2, match.trap))
    assert f"“{match.word1}{match.word2}”" in prompt
    assert "does not contain" in (parse_writing(Instance(match, lang), prompt).fault or "")
    odd = Match.of("{word1}", "{}x", "}{", 1)
    assert "“{word1}{}x”" in writer_prompt(Instance(odd, lang))


def test_all_matches_get_an_instance_in_their_order() -> None:
    model = Model(writer)
    composed = adt.compose([*MATCHES, MATCHES[1]], model, batch=4)
    assert [instance.match for instance in composed] == [*MATCHES, MATCHES[1]]
    assert [instance.usable for instance in composed] == [False, *[True] * len(MATCHES)]
    assert "I would rather not" in (composed[0].fault or "")
    assert model.batches == [4, 2]
    assert set(model.asked.values()) == {1}


@given(
    patience=st.lists(st.integers(0, 4), max_size=4),
    batch=st.integers(1, 8),
    torn=st.integers(0, 300),
    answers=st.booleans(),
)
def test_however_often_it_is_interrupted_it_ends_as_one_run(
    patience: list[int], batch: int, torn: int, answers: bool
) -> None:
    """Also where a crash tears the last line."""
    step: Any = adt.ask if answers else adt.compose
    inputs = adt.compose(MATCHES, Model(writer)) if answers else MATCHES
    says = first_answers if answers else writer
    whole = step(inputs, Model(says))
    with TemporaryDirectory() as folder:
        path = Path(folder, "kept.jsonl")
        asked: Counter[str] = Counter()
        for limit in patience:
            model = Model(says, limit)
            try:
                step(inputs, model, path=path, batch=batch)
            except ConnectionError:
                assert model.asked.total() == limit
            asked += model.asked
            assert len(adt.read(path)) == len(asked) == asked.total()
        begun = path.read_bytes() if path.exists() else b""
        last = begun.rfind(b"\n", 0, -1) + 1
        if begun and torn < len(begun) - last - 1:
            path.write_bytes(begun[: last + torn])  # as if the last write had not come to its end
            assert len(adt.read(path)) == len(asked) - 1
        model = Model(says)
        assert step(inputs, model, path=path, batch=batch) == whole
        assert path.read_bytes().startswith(begun[:last])
        kept = adt.read(path)
        assert len(kept) == len(set(kept)) == len({*asked, *model.asked})
        assert Counter(kept) == Counter(one for one in whole if one.answer or not answers)
        before = path.read_bytes()
        assert step(inputs, None, path=path) == whole  # there is nothing left to ask
        assert path.read_bytes() == before


@given(cut=st.integers(0, 2000))
def test_a_file_cut_anywhere_keeps_its_whole_lines(cut: int) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder, "kept.jsonl")
        adt.compose(MATCHES, Model(writer), path=path)
        whole = path.read_bytes()
        cut = min(cut, len(whole))
        path.write_bytes(whole[:cut])
        lines = whole.splitlines(keepends=True)
        kept = sum(sum(map(len, lines[: n + 1])) - 1 <= cut for n in range(len(lines)))
        assert len(adt.read(path)) == kept
        model = Model(writer)
        adt.compose(MATCHES, model, path=path)
        assert model.asked.total() == len(lines) - kept
        assert path.read_bytes() == whole


@pytest.mark.parametrize(
    "content",
    [b"a diary", b'{"word1": "a"}\n', b"\xff\n", b"[]", b"a diary\n{", b'{"word1": "a"}\n{"wor'],
)
def test_a_file_that_is_none_of_ours_is_refused_and_left_alone(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    calls: list[Callable[[], object]] = [
        lambda: adt.compose(MATCHES, nobody, path=file),
        lambda: adt.ask([INSTANCE], nobody, path=file),
        lambda: adt.read(file),
    ]
    for call in calls:
        with pytest.raises(SourceError, match=r"instances\.jsonl', line 1: "):
            call()
    assert file.read_bytes() == content


def test_files_that_cannot_be_used_are_refused_before_anything_is_asked(tmp_path: Path) -> None:
    model = Model(writer)
    with pytest.raises(SourceError, match="cannot write"):
        adt.compose(MATCHES, model, path=tmp_path)
    with pytest.raises(SourceError, match="cannot write"):
        adt.compose(MATCHES, model, path=tmp_path / "none" / "file")
    with pytest.raises(SourceError, match="cannot read"):
        adt.read(tmp_path / "none")
    assert not model.asked


@pytest.mark.parametrize("path", [7, True, 1.5, b"bytes", "a\0b"])
def test_a_path_is_a_path_and_no_open_file(path: Any) -> None:
    model = Model(writer)
    with pytest.raises(SourceError, match=r"^path="):
        adt.compose(MATCHES, model, path=path)
    with pytest.raises(SourceError, match=r"^path="):
        adt.read(path)
    assert not model.asked


def test_values_of_another_type_are_refused() -> None:
    calls: list[Callable[[Any], object]] = [
        lambda values: adt.compose(values, nobody),
        lambda values: adt.ask(values, nobody),
        lambda values: adt.filter(values, encoding()),
        lambda values: adt.confusion(values, encoding()),
    ]
    for call in calls:
        for values in ([7], "text", [(1, 2)]):
            with pytest.raises(ItemError):
                call(values)
    for function, some in (adt.filter, [INSTANCE]), (adt.confusion, []):
        with pytest.raises(TokenbenchError) as caught:
            cast("Any", function)(some, 7)
        assert caught.value.argument == "tokenizer"


def test_a_file_may_hold_other_matches_languages_and_answers(file: Path) -> None:
    composed = adt.compose(MATCHES[:3], Model(writer), path=file)
    answered = adt.ask(composed, Model(first_answers), path=file)
    adt.compose([HOUR], Model(lambda _: "no"), lang="zh", path=file)
    model = Model(writer)
    assert adt.compose(MATCHES, model, path=file)[:3] == composed
    assert model.asked.total() == len(MATCHES) - 3
    assert adt.ask(composed, nobody, path=file) == answered
    assert len(adt.read(file)) == len(MATCHES) + 2 + 1


def test_facts_are_kept_and_compared_by_step(file: Path) -> None:
    """Another model's work is not taken for this one's; a file without instances has none."""
    first: Any = {"model": "a", "sampling": {"temperature": 0.0}}
    adt.compose(MATCHES, lambda _: [None] * len(MATCHES), path=file, facts={"model": "failing"})
    composed = adt.compose(MATCHES, Model(writer), path=file, facts=first)
    answered = adt.ask(composed, Model(first_answers), path=file, facts={"model": "b"})
    assert adt.compose(MATCHES, nobody, path=file, facts=dict(first)) == composed
    assert adt.compose(MATCHES, nobody, path=file) == composed
    assert adt.ask(composed, nobody, path=file, facts={"model": "b"}) == answered
    before = file.read_bytes()
    other = {"model": "a", "sampling": {"temperature": 0.5}}
    with pytest.raises(TokenbenchError, match=r"sampling\.temperature was 0\.0 and is 0\.5: give"):
        adt.compose(MATCHES, nobody, path=file, facts=other)
    with pytest.raises(
        TokenbenchError, match="model was 'b' and is 'c': give the same to continue"
    ):
        adt.ask(composed, nobody, path=file, facts={"model": "c"})
    assert file.read_bytes() == before
    file.unlink()
    adt.compose(MATCHES, Model(writer), path=file, facts=other)


def test_instances_from_before_facts_are_continued(file: Path) -> None:
    composed = adt.compose(MATCHES[:3], Model(writer), path=file)
    assert adt.compose(MATCHES[:3], nobody, path=file, facts={"model": "any"}) == composed
    assert not Path(f"{file}.run.json").exists()


@pytest.mark.parametrize(("match", "lang"), [(HOUR, "en"), (TABLE, "zh")])
def test_words_that_a_language_does_not_write_are_refused_at_once(
    match: Match, lang: str, file: Path
) -> None:
    fitting = Match.of("12", "34", "23", 1)
    says = f"1 match without a letter of .*{match.word1}"
    with pytest.raises(TokenbenchError, match=says):
        adt.compose([fitting, match], nobody, lang=lang, path=file)
    assert not file.exists()


def test_faults_are_asked_again_only_on_request(file: Path) -> None:
    adt.compose(MATCHES, Model(writer), path=file)
    assert not adt.compose(MATCHES, nobody, path=file)[0].usable
    model = Model(lambda _: good(MATCHES[0]))
    composed = adt.compose(MATCHES, model, path=file, retry=True)
    assert model.asked.total() == 1
    assert all(instance.usable for instance in composed)
    assert adt.compose(MATCHES, nobody, path=file) == composed
    assert adt.read(file) == composed


def test_requests_that_failed_are_made_again(file: Path) -> None:
    failing = Model(
        lambda prompt: None if "“s”" in prompt else SimpleNamespace(text=writer(prompt))
    )
    first = adt.compose(MATCHES, failing, path=file)
    failed = [one for one in first if one == Instance(one.match, "en")]
    assert failed
    assert len(adt.read(file)) == len(MATCHES) - len(failed)
    model = Model(writer)
    assert adt.compose(MATCHES, model, path=file) == adt.compose(MATCHES, Model(writer))
    assert model.asked.total() == len(failed)
    assert adt.ask([INSTANCE], lambda _: [SimpleNamespace(text=None)]) == [INSTANCE]


def test_only_usable_instances_are_asked_and_old_answers_are_left_behind() -> None:
    old = Instance(TABLE, "en", INSTANCE.sentence, INSTANCE.question, answer="old", right=True)
    bad = Instance(TABLE, "en", fault="bad")
    model = Model(first_answers)
    answered = adt.ask([old, bad, INSTANCE], model)
    says = first_answers(INSTANCE.prompt)
    assert [one.answer for one in answered] == [says, None, says]
    assert answered[0].right is None
    assert [*model.asked] == [f"{INSTANCE.sentence}\n{INSTANCE.question}"]


def test_a_verdict_written_into_the_file_comes_back(file: Path) -> None:
    adt.ask([INSTANCE], lambda _: ["He is stable."], path=file)
    file.write_text(file.read_text().replace('"right": null', '"right": true'))
    (answered,) = adt.ask([INSTANCE], nobody, path=file)
    assert answered.right is True
    assert adt.cell(answered, encoding()) == "TP"


@pytest.mark.parametrize(
    "client",
    [
        lambda _: [],
        lambda _: ["a"],
        lambda _: ["a", "b", "c"],
        lambda _: ["a", b"b"],
        lambda _: ["a", SimpleNamespace(text=3)],
    ],
)
def test_clients_that_break_the_rules_are_told_and_lose_nothing(client: Any, file: Path) -> None:
    with pytest.raises(TokenbenchError, match="a str or None for each of 2 prompts"):
        adt.compose(MATCHES[:2], client, path=file)
    came = client([]) if isinstance(client([]), list) else []
    right = [one for one in came[:2] if isinstance(one, str)]
    assert len(adt.read(file)) == len(right)


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda: adt.compose([TABLE], nobody, batch=0), "batch"),
        (lambda: ANY(tuple(TABLE), "en"), "match"),
        (lambda: ANY(TABLE, 3), "lang"),
        (lambda: ANY(TABLE, "en", right=1), "right"),
        (lambda: ANY(TABLE, "en", fault="odd", fault_kind="odd"), "fault_kind"),
        (lambda: ANY(TABLE, "en", fault_kind="no_json"), "fault_kind"),
        (lambda: Instance(TABLE, "en", "moves table", "?"), "sentence"),
    ],
)
def test_errors_name_the_argument(call: Callable[[], object], argument: str) -> None:
    with pytest.raises(TokenbenchError) as caught:
        call()
    assert caught.value.argument == argument


@pytest.mark.parametrize("line", ["{", "[]", "{}", INSTANCE.json().replace("1,", '"1",')])
def test_a_line_that_is_not_an_instance_is_refused(line: str) -> None:
    with pytest.raises(TokenbenchError):
        Instance.from_json(line)


@given(
    texts=st.tuples(st.text(), st.text(), st.none() | st.text()),
    fault=st.none() | st.text(),
    right=st.none() | st.booleans(),
)
def test_instances_come_back_from_json(
    texts: tuple[str, str, str | None], fault: str | None, right: bool | None
) -> None:
    sentence, question, answer = texts
    instance = Instance(TABLE, "en", f"{sentence}movestable", question, fault, answer, right)
    line = instance.json()
    assert "\n" not in line
    assert Instance.from_json(line) == instance
    with pytest.raises(ItemError):
        Instance.from_json(line[:-1])


@pytest.mark.parametrize(
    ("tokens", "sentence", "answer", "kept"),
    [
        (["stable"], "Tom movestable.", None, True),
        ([" stable"], "Tom movestable.", None, False),
        (["stable"], "Tom movestable.", "He is stable now.", True),
        (["stable", " stable"], "Tom movestable.", "He is stable now.", True),
        (["stable"], "Tom movestable.", "<think>stable</think>He moves it.", False),
        (["stable"], "Tom movestable.", "", False),
        (["stable"], "Tom movestable.", "It is unstable.", True),
        (["stable", "unstable"], "Tom movestable.", "It is unstable.", False),
        (["moves", "table"], "Tom movestable.", None, False),
        (["movestable", "stable"], "Tom movestable.", None, False),
    ],
)
def test_filter_keeps_wrongly_tokenised_sentences(
    tokens: list[str], sentence: str, answer: str | None, kept: bool
) -> None:
    instance = Instance(TABLE, "en", sentence, "What?", answer=answer)
    assert adt.filter([instance], encoding(*tokens)) == [instance] * kept


def test_filter_leaves_out_unusable_rows() -> None:
    unusable = [Instance(TABLE, "en"), Instance(TABLE, "en", "movestable", "?", "no sense")]
    assert adt.filter(unusable, encoding("stable")) == []


def test_a_token_that_cuts_a_character_is_not_a_trap() -> None:
    instance = Instance(Match.of("ab", "éc", "bé", 1), "en", "abéc", "?")
    assert adt.filter([instance], encoding(b"b" + "é".encode()[:1])) == []
    assert adt.filter([instance], encoding("bé")) == [instance]


WORDS = ["ab", "a", "b", "ba", "aba", "c", "bc"]
ENCODINGS = [encoding("ab"), encoding("ba"), encoding("bc", " bc"), encoding("aba", "ba")]


@given(data=st.data(), chosen=st.sampled_from(ENCODINGS))
def test_the_table_is_a_plain_count(data: st.DataObject, chosen: bpe.Bpe) -> None:
    held = index(WORDS)
    matches = held.sample(held.count())
    results = []
    for match in data.draw(st.lists(st.sampled_from(matches), max_size=8)):
        before, after = data.draw(
            st.tuples(st.text("abc ", max_size=3), st.text("ab ", max_size=3))
        )
        sentence = f"{before}{match.word1}{match.word2}{after}"
        answer = data.draw(st.none() | st.text("abc ", max_size=4))
        right = data.draw(st.sampled_from([None, None, True, False]))
        results.append(Instance(match, "en", sentence, "?", answer=answer, right=right))
    plain: Counter[Any] = Counter()
    presumed = unnamed = 0
    for one in results:
        if one.answer is None and one.right is None:
            plain["none"] += 1
            continue
        right = one.right
        if right is None:
            answer = one.answer or ""
            right = bool(answer.strip()) and one.match.trap not in answer
            presumed += right
            unnamed += right and not any(word in answer for word in one.match[:2])
        plain[is_deceived(one, chosen), right] += 1
    table = adt.confusion(results, chosen)
    cells = plain[False, True], plain[True, True], plain[False, False], plain[True, False]
    assert table == Confusion(*cells, presumed, plain["none"], unnamed)
    assert table.total + table.left_out == len(results)
    strict = adt.confusion(results, chosen, strict=True)
    assert strict.total + strict.unnamed + strict.left_out == len(results)
    assert strict[2:4] + strict[5:7] == table[2:4] + table[5:7]  # only right responses are fewer
    assert strict.presumed == presumed - unnamed
    for one in adt.filter(results, chosen):
        assert is_deceived(one, chosen)
        assert one.right or one.answer is None or adt.cell(one, chosen) == "TN"


def is_deceived(instance: Instance, chosen: bpe.Bpe) -> bool:
    """Whether the trap is one token where the join stands, by the bytes of the tokens."""
    sentence, match = instance.sentence, instance.match
    traps, place = set(), 0
    for token in chosen.encode(sentence):
        data = chosen.tokens[token].decode()
        if data.strip() == match.trap:
            traps.add(place + len(data) - len(data.lstrip()))
        place += len(data)
    return any(
        sentence.startswith(instance.join, at) and at + match.start in traps
        for at in range(len(sentence))
    )


def test_the_table_shows_counts_and_shares() -> None:
    table = Confusion(tp=3, fp=1, fn=1, tn=5, presumed=4, left_out=2)
    assert table.total == 10
    assert table.rates == {"TP": 0.3, "FP": 0.1, "FN": 0.1, "TN": 0.5}
    empty = adt.confusion([], encoding())
    assert empty == Confusion()
    assert empty.rates["TP"] is None
    assert "| right | TP 0 | FN 0 |" in str(empty)


def test_faults_can_be_counted_by_kind_and_come_back_from_files(file: Path) -> None:
    replies = iter(['{"sentence": "no", "question": "?"}', "no", "No.", "never", "nothing", "none"])
    composed = adt.compose(MATCHES, lambda prompts: [next(replies) for _ in prompts], path=file)
    assert Counter(one.fault_kind for one in composed) == {"no_join": 1, "no_json": 5}
    assert adt.read(file) == composed


def test_a_fault_without_a_kind_is_another_one() -> None:
    """As a person's, or that of a file that an earlier version wrote."""
    instance = Instance(TABLE, "en", fault="an odd question")
    assert instance.fault_kind == "other"
    older = json.loads(instance.json())
    del older["fault_kind"]
    assert Instance.from_json(json.dumps(older)) == instance
    assert INSTANCE.fault_kind is None


def test_the_table_states_its_assumptions() -> None:
    """The paper's rule takes an evasive answer for a right one; the strict table leaves it out."""
    answers = ["He MOVES it.", "I do not know.", "A stable.", "Yes.", None]
    results = [Instance(TABLE, "en", INSTANCE.sentence, "?", answer=answer) for answer in answers]
    judged = Instance(TABLE, "en", INSTANCE.sentence, "?", answer="Yes.", right=True)
    chosen = encoding("stable")
    table = adt.confusion([*results, judged], chosen)
    assert table == Confusion(fp=4, tn=1, presumed=3, left_out=1, unnamed=2)
    assert str(table).endswith(
        "\n\nPresumed right: 3 of 4 right responses, which lack the trap and which nobody has "
        "judged.\nNaming neither of the two words: 2 of these.\nLeft out: 1 instance with neither "
        "answer nor verdict."
    )
    strict = adt.confusion([*results, judged], chosen, strict=True)
    assert strict == Confusion(fp=2, tn=1, presumed=1, left_out=1, unnamed=2, strict=True)
    assert "\nIn no cell: 2 responses without a verdict and without the trap and the two" in str(
        strict
    )


def test_the_pipeline_from_pairs_to_the_table(tmp_path: Path) -> None:
    composed = adt.compose(MATCHES, Model(writer), path=tmp_path / "instances.jsonl")
    answered = adt.ask(composed, Model(lambda _: "A stable."), path=tmp_path / "answers.jsonl")
    chosen = encoding("stable")
    kept = adt.filter(answered, chosen)
    assert {one.match.trap for one in kept} == {"stable"}
    table = adt.confusion(answered, chosen)
    assert (table.tn, table.left_out) == (len(kept), 1)
    assert table.total == len(MATCHES) - 1
