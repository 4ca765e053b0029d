"""The clients whose engine runs in this process, against stand-ins for the engines."""

import pickle
import threading
from collections.abc import Iterator
from itertools import repeat
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from engines import (
    BEGIN,
    CONTEXT,
    END,
    LETTERS,
    FakeTokenizer,
    FakeTransformers,
    FakeVLLM,
    use_transformers,
    use_vllm,
)

from tokenbench import dataset
from tokenbench.errors import ClientError, MissingExtraError, SourceError
from tokenbench.run import (
    Client,
    Completion,
    Options,
    Request,
    Sampling,
    client,
    complete,
    evaluate,
)
from tokenbench.run.local_clients import Encoder, InProcessClient

Fakes: TypeAlias = FakeVLLM | FakeTransformers
KINDS = ("vllm", "transformers")
GREEDY = Sampling(temperature=0.0, top_p=1.0, top_k=None, max_tokens=40)

TEXTS = ("the user asks", "naïve 猫", f"an {END} within", "  spaces  ", "")
SYSTEM = [{"role": "system", "content": "the user"}, {"role": "user", "content": "asks é"}]


@pytest.fixture
def tokenizer() -> FakeTokenizer:
    return FakeTokenizer()


@pytest.fixture
def vllm(monkeypatch: pytest.MonkeyPatch, tokenizer: FakeTokenizer) -> FakeVLLM:
    return use_vllm(monkeypatch, tokenizer)


@pytest.fixture
def transformers(monkeypatch: pytest.MonkeyPatch, tokenizer: FakeTokenizer) -> FakeTransformers:
    return use_transformers(monkeypatch, tokenizer)


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    name = str(request.param)
    request.getfixturevalue(name)
    return name


def make_client(kind: str, **options: Any) -> InProcessClient:
    found = client(kind, "org/model", **options)
    assert isinstance(found, InProcessClient)
    return found


def all_of(model: Client, *prompts: Any, sampling: Sampling = GREEDY) -> list[Completion]:
    return list(complete(model, prompts, sampling))


def test_completions_have_text_end_and_usage(kind: str) -> None:
    ends, cut = all_of(make_client(kind, chat=False), "xw", "xa")
    assert (ends.text, ends.finish, ends.prompt_tokens) == ("xyz", "stop", 2)
    assert cut.text == LETTERS[1:]
    short = all_of(make_client(kind, chat=False), "xa", sampling=Sampling(max_tokens=3))[0]
    assert (short.text, short.finish, short.completion_tokens) == ("bcd", "length", 3)
    assert all(one.error is None and one.seconds >= 0 for one in (ends, cut, short))


def test_a_text_is_put_by_the_chat_template_if_there_is_one(kind: str) -> None:
    message = [{"role": "user", "content": "x"}]
    chatted, raw, given = (
        all_of(make_client(kind, chat=chat), prompt)[0].prompt_tokens or 0
        for chat, prompt in ((None, "x"), (False, "x"), (None, message))
    )
    assert chatted == given > 1 == raw


def test_requests_are_taken_a_batch_at_a_time(kind: str) -> None:
    taken = 0

    def requests() -> Iterator[Request]:
        nonlocal taken
        for prompt in repeat("a", 10):
            taken += 1
            yield Request(prompt)

    stream = make_client(kind, batch=4).stream(requests(), GREEDY)
    assert taken == 0
    assert next(stream)[0] == 0
    assert taken == 4
    assert [place for place, _ in stream] == list(range(1, 10))


def test_stops_are_left_out(kind: str) -> None:
    sampling = Sampling(temperature=0.0, max_tokens=40, stop=("f", "de"))
    found = all_of(make_client(kind, chat=False), "xa", "xw", sampling=sampling)
    assert [(one.text, one.finish) for one in found] == [("bc", "stop"), ("xyz", "stop")]


def test_a_prompt_beyond_the_context_is_an_error_of_its_own(kind: str) -> None:
    first, long, full, last = all_of(
        make_client(kind, chat=False), "xa", "x" * (CONTEXT + 1), "x" * CONTEXT, "xb"
    )
    assert (first.text, last.text) == (LETTERS[1:], LETTERS[2:])
    for one, size in ((long, CONTEXT + 1), (full, CONTEXT)):
        assert one.text is None
        assert one.prompt_tokens == size
        assert one.error == f"a prompt of {size} tokens leaves no room in a context of {CONTEXT}"


def test_completions_end_where_the_context_does_each_by_itself(kind: str) -> None:
    sampling = Sampling(temperature=0.0, max_tokens=8192)
    prompts = ["x" * (CONTEXT - 2) + "c", "xa", "x" * (CONTEXT - 11) + "a"]
    found = all_of(make_client(kind, chat=False), *prompts, sampling=sampling)
    assert [one.text for one in found] == ["d", LETTERS[1:], LETTERS[1:11]]
    assert [one.finish for one in found] == ["length", "stop", "length"]


def test_a_prompt_of_nothing_is_an_error(kind: str) -> None:
    assert all_of(make_client(kind, chat=False), "")[0].error == "the prompt has no tokens"


def test_bytes_go_in_as_tokens(kind: str, tokenizer: FakeTokenizer) -> None:
    model = make_client(kind, chat=False)
    text = "the user asks é"
    requests = [Request(text, byte_level=True), Request(text), Request("\ud800", byte_level=True)]
    as_bytes, as_usual, half = (completion for _, completion in model.stream(requests, GREEDY))
    assert as_bytes.prompt_tokens == len(text.encode())
    assert as_usual.prompt_tokens == len(tokenizer.encode(text)) < len(text.encode())
    assert "surrogate" in (half.error or "")


def test_a_client_is_pickled_as_its_arguments_before_and_after_use(kind: str) -> None:
    model = make_client(kind, chat=False, batch=3, engine={"revision": "main"})
    fresh = pickle.dumps(model)
    all_of(model, "xa")
    used = pickle.dumps(model)
    assert used == fresh
    again = pickle.loads(used)  # noqa: S301
    assert (again.facts(), again.batch) == (model.facts(), 3)
    assert all_of(again, "xw")[0].text == "xyz"


def test_the_model_is_loaded_once_and_only_if_something_is_asked(vllm: FakeVLLM) -> None:
    model = make_client("vllm", chat=False, engine={"tensor_parallel_size": 2, "dtype": "float32"})
    model.facts()
    assert all_of(model) == []
    assert vllm.made == []
    threads = [threading.Thread(target=all_of, args=(model, "xa")) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert vllm.made == [("org/model", {"tensor_parallel_size": 2, "dtype": "float32"})]
    assert vllm.batches == [1] * 4


def test_facts_pin_what_changes_completions(kind: str) -> None:
    facts = make_client(kind, chat=True, batch=5, engine={"revision": "main"}).facts()
    assert facts["client"] == kind
    assert (facts["model"], facts["chat"], facts["engine"]) == (
        "org/model",
        True,
        {"revision": "main"},
    )
    assert kind in facts["packages"]
    assert "batch" not in facts


def test_vllm_gets_the_sampling_and_a_seed_for_each_request(vllm: FakeVLLM) -> None:
    sampling = Sampling(temperature=0.5, top_p=0.9, top_k=7, max_tokens=9, stop=("q",), seed=1)
    all_of(make_client("vllm"), "a", "a", sampling=sampling)
    one, other = (vars(params) for params in vllm.params)
    assert one.pop("seed") != other.pop("seed")
    told = {"temperature": 0.5, "top_p": 0.9, "top_k": 7, "max_tokens": 9, "stop": ["q"]}
    assert one == other == told
    all_of(make_client("vllm"), "a", sampling=GREEDY)
    assert (vllm.params[-1].top_k, vllm.params[-1].seed) == (-1, None)


def test_transformers_draws_only_if_it_is_asked_to(transformers: FakeTransformers) -> None:
    model = make_client("transformers")
    all_of(model, "a", sampling=Sampling(temperature=0.0, seed=3))
    greedy = transformers.model.calls[-1]
    assert greedy["do_sample"] is False
    assert not {"temperature", "top_p", "top_k"} & greedy.keys()
    assert transformers.seeds == []
    all_of(model, "a", sampling=Sampling(temperature=1, top_p=0.9, top_k=None, seed=3))
    drawn = transformers.model.calls[-1]
    assert (drawn["do_sample"], drawn["temperature"], drawn["top_p"], drawn["top_k"]) == (
        True,
        1.0,
        0.9,
        0,
    )
    assert len(transformers.seeds) == 1


def test_transformers_is_loaded_as_asked(transformers: FakeTransformers) -> None:
    all_of(make_client("transformers"), "a")
    assert transformers.model.device == "cpu"
    assert transformers.loaded == {
        "tokenizer": {"name": "org/model"},
        "model": {"name": "org/model", "dtype": "auto"},
    }
    engine = {"revision": "r1", "attn_implementation": "eager"}
    all_of(make_client("transformers", device="cuda:1", dtype="bfloat16", engine=engine), "a")
    assert transformers.model.device == "cuda:1"
    assert transformers.loaded == {
        "tokenizer": {"name": "org/model", "revision": "r1"},
        "model": {"name": "org/model", "dtype": "bfloat16", **engine},
    }
    all_of(make_client("transformers", engine={"device_map": "auto"}), "a")
    assert transformers.model.device == "cuda:1", "a device map places the model itself"


def test_transformers_completes_a_batch_at_once(transformers: FakeTransformers) -> None:
    found = all_of(make_client("transformers", chat=False, batch=3), "xa", "xxxxxb", "w", "v")
    assert [call["rows"] for call in transformers.model.calls] == [3, 1]
    assert [one.text for one in found] == [LETTERS[1:], LETTERS[2:], "xyz", "wxyz"]
    assert [one.completion_tokens for one in found] == [25, 24, 3, 4]


def test_padding_is_not_taken_for_the_end_of_the_text(
    transformers: FakeTransformers, tokenizer: FakeTokenizer
) -> None:
    tokenizer.pad_token_id = tokenizer.inner.token_to_id("<|begin|>")
    found = all_of(make_client("transformers", chat=False), "xa", "w")
    assert transformers.model.calls[-1]["pad_token_id"] == tokenizer.pad_token_id
    assert [(one.text, one.finish) for one in found] == [(LETTERS[1:], "stop"), ("xyz", "stop")]


def test_a_batch_that_memory_does_not_hold_is_named(transformers: FakeTransformers) -> None:
    transformers.model.memory = 2
    with pytest.raises(ClientError, match="failed at a batch of 3"):
        all_of(make_client("transformers", chat=False, batch=3), "xa", "xb", "xc")
    assert len(all_of(make_client("transformers", chat=False, batch=2), "xa", "xb", "xc")) == 3


def test_an_engine_that_fails_stops_the_run_in_one_line(vllm: FakeVLLM) -> None:
    with pytest.raises(ClientError, match="vllm cannot load 'missing': missing is no folder and"):
        all_of(client("vllm", "missing"), "a")
    vllm.fault = RuntimeError("the engine died")
    with pytest.raises(ClientError, match="vllm failed at a batch of 1: the engine died"):
        all_of(make_client("vllm"), "a")
    vllm.fault = KeyError()
    with pytest.raises(ClientError, match="vllm failed at a batch of 1: KeyError"):
        all_of(make_client("vllm"), "a")


def test_without_the_engine_its_extra_is_named(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    model = make_client(kind)
    monkeypatch.setattr("importlib.util.find_spec", {}.get)
    named = rf"{kind}' needs an extra: pip install 'tokenbench\[{kind}\]'"
    with pytest.raises(MissingExtraError, match=named):
        client(kind, "org/model")
    with pytest.raises(MissingExtraError, match=named):
        all_of(model, "a")


def test_a_batch_is_at_least_one(kind: str) -> None:
    with pytest.raises(ClientError, match="batch=0"):
        make_client(kind, batch=0)


def test_an_evaluation_is_whole_and_asks_nothing_again(kind: str, tmp_path: Path) -> None:
    options = Options(samples=2, sampling=Sampling(max_tokens=5, seed=1))
    items = dataset("spell", n=6)
    run = evaluate(items, make_client(kind, chat=False), tmp_path, options=options)
    assert [result.key for result in run.results()] == [(n, m) for n in range(6) for m in range(2)]
    assert not [result.error for result in run.results() if result.error]
    unused = make_client(kind, chat=False)
    evaluate(items, unused, tmp_path, options=options)
    assert unused._loaded is None


# Encoder: from requests to token ids.


def test_a_text_is_a_users_message_to_a_model_that_chats() -> None:
    tokenizer = FakeTokenizer()
    ids = Encoder(tokenizer, chat=None).ids(Request("abc"))
    assert tokenizer.decode(ids) == f"{BEGIN}user\nabc{END}\n{BEGIN}assistant\n"
    assert Encoder(tokenizer, chat=True).ids(Request("abc")) == ids


@pytest.mark.parametrize("tokenizer", [FakeTokenizer(chat_template=None), FakeTokenizer()])
def test_a_text_is_continued_by_one_that_does_not(tokenizer: FakeTokenizer) -> None:
    chat = None if tokenizer.chat_template is None else False
    ids = Encoder(tokenizer, chat).ids(Request("abc def"))
    assert ids == tokenizer.encode("abc def")


def test_messages_are_taken_as_they_are() -> None:
    tokenizer = FakeTokenizer()
    ids = Encoder(tokenizer, chat=None).ids(Request(SYSTEM))
    said = f"{BEGIN}system\nthe user{END}\n{BEGIN}user\nasks é{END}\n{BEGIN}assistant\n"
    assert tokenizer.decode(ids) == said
    with pytest.raises(ClientError, match="need a model that chats"):
        Encoder(tokenizer, chat=False).ids(Request(SYSTEM))


def test_ids_are_taken_as_they_are() -> None:
    assert Encoder(FakeTokenizer(), chat=None).ids(Request([5, 6, 7])) == [5, 6, 7]


def test_a_template_of_the_engine_comes_before_the_tokenizers() -> None:
    tokenizer = FakeTokenizer(chat_template=None)
    ids = Encoder(tokenizer, None, "echo").ids(Request("abc"))
    assert tokenizer.decode(ids).count("abcabc") == 1


@pytest.mark.parametrize("text", TEXTS)
def test_at_byte_level_the_text_is_bytes_and_the_template_is_as_usual(text: str) -> None:
    tokenizer = FakeTokenizer()
    encoder = Encoder(tokenizer, chat=None)
    ids = encoder.ids(Request(text, byte_level=True))
    before = tokenizer.encode(f"{BEGIN}user\n")
    after = tokenizer.encode(f"{END}\n{BEGIN}assistant\n")
    assert ids[: len(before)] == before
    assert ids[len(ids) - len(after) :] == after
    assert len(ids) == len(before) + len(text.encode()) + len(after)
    assert tokenizer.decode(ids) == tokenizer.decode(encoder.ids(Request(text)))


def test_no_byte_of_a_text_becomes_a_special_token() -> None:
    tokenizer = FakeTokenizer()
    ids = Encoder(tokenizer, chat=False).ids(Request(END, byte_level=True))
    assert tokenizer.eos_token_id not in ids
    assert Encoder(tokenizer, chat=False).ids(Request(END)) == [tokenizer.eos_token_id]


def test_at_byte_level_the_system_message_is_as_usual() -> None:
    tokenizer = FakeTokenizer()
    ids = Encoder(tokenizer, chat=None).ids(Request(SYSTEM, byte_level=True))
    before = tokenizer.encode(f"{BEGIN}system\nthe user{END}\n{BEGIN}user\n")
    assert ids[: len(before)] == before
    assert len(ids) == len(before) + len("asks é".encode()) + len(
        tokenizer.encode(f"{END}\n{BEGIN}assistant\n")
    )


def test_bytes_that_are_continued_begin_as_texts_do() -> None:
    tokenizer = FakeTokenizer()
    plain = Encoder(tokenizer, chat=False).ids(Request("abc", byte_level=True))
    assert len(plain) == 3
    tokenizer.bos_token_id = tokenizer.inner.token_to_id(BEGIN)
    ids = Encoder(tokenizer, chat=False).ids(Request("abc", byte_level=True))
    assert ids == [tokenizer.bos_token_id, *plain]


def test_prompts_that_cannot_be_given_in_bytes_are_reported() -> None:
    words = Encoder(FakeTokenizer(with_bytes=False), chat=None)
    with pytest.raises(ClientError, match=r"no byte-level prompts: .*no tokens for single bytes"):
        words.ids(Request("abc", byte_level=True))
    with pytest.raises(ClientError, match="each user message once"):
        Encoder(FakeTokenizer(chat_template="echo"), None).ids(Request("abc", byte_level=True))
    with pytest.raises(SourceError, match="surrogate"):
        Encoder(FakeTokenizer(), None).ids(Request("\ud800", byte_level=True))


def test_a_template_that_refuses_is_said() -> None:
    with pytest.raises(ClientError, match="refuses the prompt: System role not supported"):
        Encoder(FakeTokenizer(chat_template="no system"), None).ids(Request(SYSTEM))
    with pytest.raises(ClientError, match="refuses the prompt: no chat template"):
        Encoder(FakeTokenizer(chat_template=None), True).ids(Request("abc"))
