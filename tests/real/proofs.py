"""What a run promises, proved with one real engine; `tests/real/everything.py` runs it for each.

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

CONTEXT: Final = 2048  # tokens; as the server is started
SHORT: Final = (  # tasks and languages whose prompts are short
    *(("spell", "en"), ("spell_inverse", "ru"), ("count_char", "zh"), ("find_first", "de")),
    *(("contains", "ja"), ("swap", "es"), ("compm", "zh"), ("var", "en")),
    *(("compose", "ko"), ("ridl", "zh")),
)
EACH: Final = 20
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


class Counted:
    """A client that counts what it is asked."""

    def __init__(self, inner: Client) -> None:
        self._inner, self.asked = inner, 0

    def stream(
        self, requests: Iterable[Request], sampling: Sampling
    ) -> Iterator[tuple[int, Completion]]:
        def counted() -> Iterator[Request]:
            for request in requests:
                self.asked += 1
                yield request

        return self._inner.stream(counted(), sampling)

    def facts(self) -> Mapping[str, Any]:
        return self._inner.facts()


def items() -> list[Item]:
    """Return 200 items of ten tasks in seven languages."""
    return [item for task, lang in SHORT for item in dataset(task, lang=lang, n=EACH, seed=7)]


def main() -> None:
    """Prove all with one engine."""
    parser = argparse.ArgumentParser()
    parser.add_argument("kind", choices=ENGINES)
    parser.add_argument("model")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--base-url")
    given = parser.parse_args()
    options = dict(ENGINES[given.kind])
    if given.base_url:
        options["base_url"] = given.base_url
    model = Counted(client(given.kind, given.model, **options))
    out = given.out
    it_is_complete_and_scored(model, out / given.kind)
    samples_are_completions_of_their_own(model, out / f"{given.kind}-samples")
    prompts_beyond_the_context_are_errors(model, out / f"{given.kind}-long")
    bytes_are_tokens(model, out / f"{given.kind}-bytes", given.kind in BYTE_LEVEL)


def it_is_complete_and_scored(model: Counted, out: Path) -> None:
    """200 items are 200 lines without error, scored as the file says; nothing is asked again."""
    asked = items()
    begun, before = time.monotonic(), model.asked
    run = evaluate(asked, model, out, options=Options(sampling=SAMPLING))
    seconds = time.monotonic() - begun
    results = _whole(run)
    assert [result.place for result in results] == list(range(len(asked)))
    assert rescored(out) == len(asked)
    fresh = model.asked - before

    lines = (out / "results.jsonl").read_bytes()
    before = model.asked
    evaluate(asked, model, out, options=Options(sampling=SAMPLING))
    assert model.asked == before
    assert (out / "results.jsonl").read_bytes() == lines
    tokens = sum(result.completion_tokens or 0 for result in results)
    right = sum(result.scores["exact"] or 0.0 for result in results)
    print(
        f"{fresh} asked, {len(results)} complete in {seconds:.0f} s, {tokens} tokens written, "
        f"{right:g} right, ends {dict(Counter(result.finish for result in results))}, "
        f"codes {dict(Counter(result.code for result in results))}",
        flush=True,
    )


def rescored(out: Path) -> int:
    """Judge the completions of a run's file again, from its files alone; return how many."""
    held = (out / "items.jsonl").read_text("utf-8").splitlines()
    lines = (out / "results.jsonl").read_text("utf-8").splitlines()
    for line in lines:
        result = json.loads(line)
        for rule, found in result["scores"].items():
            assert score(result["completion"], held[result["place"]], rule=rule) == found, line
    return len(lines)


def samples_are_completions_of_their_own(model: Counted, out: Path) -> None:
    """Two samples of an item are two completions, which may differ, and mostly do."""
    asked = items()[:: EACH // 2]
    run = evaluate(asked, model, out, options=Options(samples=2, sampling=SAMPLING))
    results = _whole(run)
    assert [result.key for result in results] == [
        (place, sample) for place in range(len(asked)) for sample in range(2)
    ]
    differing = sum(
        one.completion != other.completion
        for one, other in zip(results[::2], results[1::2], strict=True)
    )
    assert differing > len(asked) // 2, f"{differing} of {len(asked)} pairs differ"
    print(f"two samples: {differing} of {len(asked)} pairs differ", flush=True)


def prompts_beyond_the_context_are_errors(model: Counted, out: Path) -> None:
    """Prompts that are too long are lines with an error, tried again; others are as always."""
    short = items()[::EACH]
    long = [replace(item, prompt="word " * 9000 + item.prompt) for item in short[:4]]
    options = Options(sampling=SAMPLING)
    run = evaluate([*short, *long], model, out, options=options)
    failed = [result for result in run.results() if result.error]
    assert [result.place - len(short) for result in failed] == list(range(len(long)))
    before = model.asked
    evaluate([*short, *long], model, out, options=options)
    assert model.asked - before == len(long)
    print(f"too long: {failed[0].error}", flush=True)


def bytes_are_tokens(model: Counted, out: Path, takes_bytes: bool) -> None:
    """At byte level a prompt is one token for each byte, and the template around it; or refused."""
    asked = items()[::EACH]
    options = Options(byte_level=True, sampling=SAMPLING)
    if not takes_bytes:
        try:
            evaluate(asked, model, out, options=options)
        except ClientError as error:
            print(f"byte-level: {error}", flush=True)
            return
        raise AssertionError("byte-level prompts went to a server")
    run = evaluate(asked, model, out, options=options)
    around = {
        (result.prompt_tokens or 0) - len(item.prompt.encode())
        for item, result in zip(asked, _whole(run), strict=True)
    }
    assert len(around) == 1, around
    assert min(around) > 0
    print(f"byte-level: {min(around)} tokens around the bytes of each prompt", flush=True)


def _whole(run: Run) -> list[Result]:
    """Return the results of a run that has no errors."""
    results = run.results()
    assert not [result.error for result in results if result.error]
    return results


if __name__ == "__main__":
    main()
