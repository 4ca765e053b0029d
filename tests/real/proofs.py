"""The promises of a run, proved with one real engine; `tests/real/everything.py` runs each.

`python tests/real/proofs.py CLIENT MODEL --out DIR [--base-url URL]` needs the client's packages.
It stops at the first promise that is broken, and leaves the run of 200 items in DIR/CLIENT.
"""

import argparse
import json
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from tokenbench import Item, dataset, score
from tokenbench.errors import ClientError
from tokenbench.run import (
    Client,
    Completion,
    Options,
    Request,
    Result,
    Run,
    Sampling,
    client,
    evaluate,
)

# In tokens, as for the server.
CONTEXT: Final = 2048
# Tasks and languages whose prompts are short.
PARTS: Final = [
    "spell:en",
    "spell_inverse:ru",
    "count_char:zh",
    "find_first:de",
    "contains:ja",
    "swap:es",
    "compm:zh",
    "var:en",
    "compose:ko",
    "ridl:zh",
]
ITEMS_OF_PART: Final = 20
SAMPLING: Final = Sampling(max_tokens=32, seed=1)
BYTE_LEVEL: Final = ("vllm", "transformers")
ENGINES: Final[Mapping[str, Mapping[str, Any]]] = {
    "openai": {"concurrency": 4, "timeout": 300.0},
    "vllm": {
        "batch": 32,
        "engine": {
            "dtype": "float32",
            "enforce_eager": True,
            "max_model_len": CONTEXT,
            "max_num_seqs": 16,
        },
    },
    "transformers": {"batch": 16, "dtype": "float32"},
}


class CountingClient:
    """A client that counts its requests."""

    def __init__(self, inner: Client) -> None:
        self._inner, self.count = inner, 0

    def stream(
        self, requests: Iterable[Request], sampling: Sampling
    ) -> Iterator[tuple[int, Completion]]:
        def count() -> Iterator[Request]:
            for request in requests:
                self.count += 1
                yield request

        return self._inner.stream(count(), sampling)

    def facts(self) -> Mapping[str, Any]:
        return self._inner.facts()


def items() -> list[Item]:
    """Return 200 items of ten tasks in seven languages."""
    return [
        item
        for task, lang in (part.split(":") for part in PARTS)
        for item in dataset(task, lang=lang, n=ITEMS_OF_PART, seed=7)
    ]


def main() -> None:
    """Prove all with one engine."""
    parser = argparse.ArgumentParser()
    parser.add_argument("kind", choices=ENGINES)
    parser.add_argument("model")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--base-url")
    arguments = parser.parse_args()
    options = dict(ENGINES[arguments.kind])
    if arguments.base_url:
        options["base_url"] = arguments.base_url
    model = CountingClient(client(arguments.kind, arguments.model, **options))
    out = arguments.out
    it_is_complete_and_scored(model, out / arguments.kind)
    samples_are_completions_of_their_own(model, out / f"{arguments.kind}-samples")
    prompts_beyond_the_context_are_errors(model, out / f"{arguments.kind}-long")
    bytes_are_tokens(model, out / f"{arguments.kind}-bytes", arguments.kind in BYTE_LEVEL)


def it_is_complete_and_scored(model: CountingClient, out: Path) -> None:
    """200 items are 200 lines without error, scored as the file says; nothing is asked again."""
    some_items = items()
    begun, before = time.monotonic(), model.count
    run = evaluate(some_items, model, out, options=Options(sampling=SAMPLING))
    seconds = time.monotonic() - begun
    results = complete_results(run)
    assert [result.index for result in results] == list(range(len(some_items)))
    assert rescore(out) == len(some_items)
    fresh = model.count - before

    lines = (out / "results.jsonl").read_bytes()
    before = model.count
    evaluate(some_items, model, out, options=Options(sampling=SAMPLING))
    assert model.count == before
    assert (out / "results.jsonl").read_bytes() == lines
    tokens = sum(result.completion_tokens or 0 for result in results)
    right = sum(result.scores["exact"] or 0.0 for result in results)
    print(
        f"{fresh} asked, {len(results)} complete in {seconds:.0f} s, {tokens} tokens written, "
        f"{right:g} right, ends {dict(Counter(result.finish for result in results))}, "
        f"codes {dict(Counter(result.code for result in results))}",
        flush=True,
    )


def rescore(out: Path) -> int:
    """Judge the completions of a run's file again, from its files alone; return how many."""
    items_json = (out / "items.jsonl").read_text("utf-8").splitlines()
    lines = (out / "results.jsonl").read_text("utf-8").splitlines()
    for line in lines:
        result = json.loads(line)
        for rule, expected in result["scores"].items():
            assert (
                score(result["completion"], items_json[result["index"]], rule=rule) == expected
            ), line
    return len(lines)


def samples_are_completions_of_their_own(model: CountingClient, out: Path) -> None:
    """Two samples of an item are two completions, which may differ, and mostly do."""
    some_items = items()[:: ITEMS_OF_PART // 2]
    run = evaluate(some_items, model, out, options=Options(samples=2, sampling=SAMPLING))
    results = complete_results(run)
    assert [result.key for result in results] == [
        (place, sample) for place in range(len(some_items)) for sample in range(2)
    ]
    differences = sum(
        one.completion != other.completion
        for one, other in zip(results[::2], results[1::2], strict=True)
    )
    assert differences > len(some_items) // 2, f"{differences} of {len(some_items)} pairs differ"
    print(f"two samples: {differences} of {len(some_items)} pairs differ", flush=True)


def prompts_beyond_the_context_are_errors(model: CountingClient, out: Path) -> None:
    """Prompts that are too long are lines with an error, tried again; others are as always."""
    short = items()[::ITEMS_OF_PART]
    long = [replace(item, prompt="word " * 9000 + item.prompt) for item in short[:4]]
    options = Options(sampling=SAMPLING)
    run = evaluate([*short, *long], model, out, options=options)
    failed = [result for result in run.results() if result.error]
    assert [result.index - len(short) for result in failed] == list(range(len(long)))
    before = model.count
    evaluate([*short, *long], model, out, options=options)
    assert model.count - before == len(long)
    print(f"too long: {failed[0].error}", flush=True)


def bytes_are_tokens(model: CountingClient, out: Path, takes_bytes: bool) -> None:
    """At byte level a prompt is one token for each byte, and the template around it; or refused."""
    some_items = items()[::ITEMS_OF_PART]
    options = Options(byte_level=True, sampling=SAMPLING)
    if not takes_bytes:
        try:
            evaluate(some_items, model, out, options=options)
        except ClientError as error:
            print(f"byte-level: {error}", flush=True)
            return
        raise AssertionError("byte-level prompts went to a server")
    run = evaluate(some_items, model, out, options=options)
    around = {
        (result.prompt_tokens or 0) - len(item.prompt.encode())
        for item, result in zip(some_items, complete_results(run), strict=True)
    }
    assert len(around) == 1, around
    assert min(around) > 0
    print(f"byte-level: {min(around)} tokens around the bytes of each prompt", flush=True)


def complete_results(run: Run) -> list[Result]:
    """Return the results of a run that has no errors."""
    results = run.results()
    assert not [result.error for result in results if result.error]
    return results


if __name__ == "__main__":
    main()
