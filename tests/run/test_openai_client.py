"""The client of OpenAI-compatible servers: whatever a server does, each request ends right."""

import pickle
import threading
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from openai import _base_client
from stub_server import StubServer, digit

from tokenbench.errors import ClientError, TokenbenchError, UnknownNameError
from tokenbench.run import Options, Request, Sampling, client, complete, openai_client
from tokenbench.run.openai_client import OpenAIClient

pytestmark = pytest.mark.usefixtures("short_pauses")

PROMPTS = [f"question {number}" for number in range(60)]


@pytest.fixture
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait no more than a moment before a request is sent again."""
    monkeypatch.setattr(openai_client, "_MAX_PAUSE_SECONDS", 0.1)
    monkeypatch.setattr(_base_client, "INITIAL_RETRY_DELAY", 0.05)
    monkeypatch.setattr(_base_client, "MAX_RETRY_DELAY", 0.1)


def ours(server: StubServer, **options: object) -> OpenAIClient:
    settings = {"timeout": 1.0, "concurrency": 8, **options}
    return OpenAIClient("stub", base_url=server.url, **settings)  # type: ignore[arg-type]


def texts(server: StubServer, **options: object) -> list[str | None]:
    return [completion.text for completion in complete(ours(server, **options), PROMPTS)]


def test_completions_come_with_all_there_is_to_know() -> None:
    with StubServer() as server:
        found = list(complete(ours(server), PROMPTS))
    assert [one.text for one in found] == list(map(digit, PROMPTS))
    for one in found:
        assert (one.finish, one.prompt_tokens, one.completion_tokens) == ("stop", 10, 5)
        assert one.error is None
        assert one.seconds > 0


def test_they_come_as_they_finish() -> None:
    """A slow request holds back none of the others."""
    with StubServer(faults=["hang", *[None] * 100]) as server:
        places = [place for place, _ in ours(server).stream(map(Request, PROMPTS), Sampling())]
    assert sorted(places) == list(range(len(PROMPTS)))
    assert places[-1] < 8


@pytest.mark.parametrize("fault", ["drop", "429", "500", "hang", "garbage", "truncate", "empty"])
def test_temporary_failures_are_tried_again(fault: str) -> None:
    with StubServer(faults=[*[fault] * 5, *[None] * 500]) as server:
        assert texts(server, timeout=0.5) == list(map(digit, PROMPTS))
        assert server.count == len(PROMPTS) + 5


@pytest.mark.parametrize("fault", ["drop", "500", "hang", "garbage", "truncate", "empty"])
def test_a_request_that_fails_every_time_is_an_error(fault: str) -> None:
    with StubServer(faults=[fault]) as server:
        found = list(complete(ours(server, retries=1, timeout=0.3), PROMPTS[:5]))
    assert [one.text for one in found] == [None] * 5
    assert all(one.error for one in found)


def test_a_completion_without_a_text_is_an_empty_one() -> None:
    """So answer models that spend all their tokens on reasoning."""
    with StubServer(faults=["null"]) as server:
        assert texts(server) == [""] * len(PROMPTS)


@pytest.mark.parametrize(
    ("status", "remedy"),
    [
        ("401", "the key: api_key"),
        ("402", "balance"),
        ("403", "this model"),
        ("404", "ends in /v1"),
    ],
)
def test_permanent_failures_stop_at_once(status: str, remedy: str) -> None:
    expected = f"refuses every request: {status}: fault {status}.*check .*{remedy}"
    with (
        StubServer(faults=[status]) as server,
        pytest.raises(ClientError, match=expected),
    ):
        texts(server)
    assert server.count <= 2 * 8


@pytest.mark.parametrize("fault", ["400", "500"])
def test_a_server_that_answers_no_request_stops_the_run(fault: str) -> None:
    with (
        StubServer(faults=[fault]) as server,
        pytest.raises(ClientError, match=f"the last 16 requests failed.*{fault}"),
    ):
        texts(server, retries=0)


def test_a_request_that_is_refused_among_others_is_an_error() -> None:
    with StubServer(faults=[*[None] * 20, "400"]) as server:
        found = texts(server)
    assert found.count(None) == 2


@pytest.mark.parametrize(
    ("fault", "refused"), [("400", True), ("422", True), ("500", False), ("429", False)]
)
def test_a_request_that_cannot_pass_is_distinguished_from_one_that_may(
    fault: str, *, refused: bool
) -> None:
    with StubServer(faults=[None, fault, fault]) as server:
        found = list(complete(ours(server, retries=1, concurrency=1), PROMPTS[:3]))
    errors = [one for one in found if one.error is not None]
    assert errors
    assert {one.refused for one in errors} == {refused}


def test_a_server_that_dies_stops_the_run() -> None:
    with (
        StubServer(faults=["drop"]) as server,
        pytest.raises(ClientError, match="the last 16 requests failed"),
    ):
        list(complete(ours(server, retries=0, concurrency=4), PROMPTS))


@pytest.mark.parametrize(
    "url", ["localhost:8000/v1", "127.0.0.1:8000", "http://", "http://localhost:port/v1", "ftp://a"]
)
def test_a_url_of_no_server_is_refused_at_once(url: str) -> None:
    with pytest.raises(ClientError) as caught:
        OpenAIClient("stub", base_url=url)
    assert caught.value.argument == "base_url"


def test_where_no_server_listens_nothing_is_tried_again() -> None:
    with StubServer() as gone:
        pass
    waiting = OpenAIClient("stub", base_url=gone.url, retries=1000)
    with pytest.raises(
        ClientError, match=r"cannot connect to .* \(connection refused\): start the"
    ):
        list(complete(waiting, PROMPTS))


def test_a_wrong_path_is_named() -> None:
    models = StubServer(models=["stub"])
    with models as server, pytest.raises(ClientError, match=r"404: .* path of base_url"):
        list(complete(OpenAIClient("stub", base_url=server.url.removesuffix("/v1")), PROMPTS))


def test_as_many_requests_are_in_flight_as_allowed_and_no_more() -> None:
    with StubServer(delay=0.5) as server:  # long enough for a busy machine to send them all
        texts(server, concurrency=16)
    assert server.most == 16


def test_prompts_are_taken_as_they_are_needed() -> None:
    taken = 0

    def endless() -> Iterator[Request]:
        nonlocal taken
        while True:
            taken += 1
            yield Request(f"question {taken}")

    with StubServer() as server:
        stream = ours(server, concurrency=4).stream(endless(), Sampling())
        for _ in range(50):
            next(stream)
        stream.close()  # type: ignore[attr-defined]
    assert 50 <= taken <= 50 + 2 * 4 + 1


def test_sampling_goes_with_each_request() -> None:
    sampling = Sampling(temperature=0.3, top_p=0.5, top_k=7, max_tokens=99, stop=("END",), seed=5)
    with StubServer() as server:
        asked = ours(server, extra={"reasoning_effort": "low"})
        list(complete(asked, PROMPTS[:2], sampling))
        first, second = server.bodies
    seeds = {first.pop("seed"), second.pop("seed")}
    assert len(seeds) == 2
    assert first == {
        "model": "stub",
        "messages": [{"role": "user", "content": first["messages"][0]["content"]}],
        "temperature": 0.3,
        "top_p": 0.5,
        "top_k": 7,
        "max_tokens": 99,
        "stop": ["END"],
        "reasoning_effort": "low",
    }


def test_openai_itself_is_asked_in_its_own_words() -> None:
    body = OpenAIClient("gpt", api_key="k").request_body(Request("Hi"), Sampling())
    assert body["max_completion_tokens"] == 8192
    assert not {"top_k", "max_tokens", "stop", "seed"} & body.keys()


def test_prompts_may_be_messages_texts_or_ids() -> None:
    messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hi"}]
    with StubServer() as server:
        list(complete(ours(server), [messages]))
        list(complete(ours(server, chat=False), ["Once", [1, 2, 3]]))
        asked = [body.get("messages") or body["prompt"] for body in server.bodies]
    assert asked[0] == messages
    assert sorted(map(str, asked[1:])) == ["Once", "[1, 2, 3]"]


@pytest.mark.parametrize(
    ("request_", "options"),
    [
        (Request("Hi", byte_level=True), {}),
        (Request([{"role": "user", "content": "Hi"}]), {"chat": False}),
    ],
)
def test_prompts_that_a_server_does_not_take_are_refused(
    request_: Request, options: dict[str, object]
) -> None:
    with StubServer() as server, pytest.raises(ClientError):
        list(ours(server, **options).stream([request_], Sampling()))


def test_the_key_and_the_server_are_those_of_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with StubServer() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "secret-7")
        assert [one.text for one in complete(client("openai", "stub"), ["Hi"])] == [digit("Hi")]
        assert "Bearer secret-7" in server.headers[0]
    monkeypatch.delenv("OPENAI_BASE_URL")
    monkeypatch.delenv("OPENAI_API_KEY")
    threads = threading.active_count()
    with pytest.raises(ClientError, match="no key"):
        list(complete(client("openai", "stub"), ["Hi"]))
    assert threading.active_count() == threads


def test_a_client_pickles() -> None:
    with StubServer() as server:
        again = pickle.loads(pickle.dumps(ours(server)))  # noqa: S301
        assert [one.text for one in complete(again, ["Hi"])] == [digit("Hi")]


def test_errors_of_prompts_reach_the_caller() -> None:
    """What raises where prompts are made ends the stream, and its thread."""

    def failing_requests() -> Iterator[Request]:
        yield Request("Hi")
        raise KeyError("a prompt")

    with StubServer() as server, pytest.raises(KeyError, match="a prompt"):
        list(ours(server).stream(failing_requests(), Sampling()))


@pytest.mark.parametrize(
    "options",
    [
        {"concurrency": 0},
        {"concurrency": "8"},
        {"timeout": 0.0},
        {"retries": -1},
        {"chat": "no"},
        {"base_url": 3},
        {"model": ""},
        {"model": None},
    ],
)
def test_values_of_a_client_that_are_not_allowed_are_refused(options: dict[str, Any]) -> None:
    [name] = options
    with pytest.raises(TokenbenchError) as caught:
        client("openai", **{"model": "stub"} | options)
    assert caught.value.argument == name


def test_an_option_that_a_client_does_not_have_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'base_url'"):
        client("openai", "stub", base_ulr="http://localhost/v1")


@pytest.mark.parametrize(
    ("name", "arguments"), [("client", ("model", PROMPTS)), ("prompts", (None, "one prompt"))]
)
def test_arguments_of_another_type_are_refused(name: str, arguments: Any) -> None:
    model, prompts = arguments
    with pytest.raises(ClientError) as caught:
        next(complete(model or client("openai", "m", base_url="http://localhost/v1"), prompts))
    assert caught.value.argument == name


@pytest.mark.parametrize(
    "options", [{"sampling": 0.7}, {"rules": 3}, {"byte_level": "no"}, {"samples": 0}]
)
def test_options_of_another_type_are_refused(options: Any) -> None:
    with pytest.raises(TokenbenchError) as caught:
        Options(**options)
    assert {caught.value.argument} == options.keys()


@pytest.mark.parametrize(
    "options",
    [{"temperature": -1}, {"top_p": 0}, {"top_k": 0}, {"max_tokens": None}, {"stop": "a"}],
)
def test_sampling_of_another_range_is_refused(options: Any) -> None:
    with pytest.raises(TokenbenchError) as caught:
        Sampling(**options)
    assert {caught.value.argument} == options.keys()


def test_the_sampling_of_an_unknown_suite_is_refused() -> None:
    assert Sampling.of("cute") == Sampling.of("tase") != Sampling.of("charbench")
    with pytest.raises(UnknownNameError, match="did you mean 'charbench'"):
        Sampling.of("charbensh")


def test_samples_of_faults_are_answered_each_once() -> None:
    """Whatever happened on the way, no request is answered twice."""
    faults = [None, "drop", None, "429", "500", "garbage", None, "truncate"]
    with StubServer(faults=faults) as server:
        stream = ours(server).stream(map(Request, PROMPTS), Sampling())
        places = Counter(place for place, _ in stream)
    assert places == dict.fromkeys(range(len(PROMPTS)), 1)
