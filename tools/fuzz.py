"""Fuzz the judging of answers, guided by what code each input reaches.

    python tools/fuzz.py                          # all tasks, 60 seconds
    python tools/fuzz.py --seconds 600 --task reord --task diff --seed 7
    python tools/fuzz.py --made strategies        # completions that the strategies draw

It needs atheris, which has wheels for Linux: `pip install 'tokenbench[fuzz]'`, or `make fuzz`.

Each run takes an item of each task, language and variant, and judges one text as it is and inside
the tags. `--made bytes` (the default) decodes the engine's bytes as text; `--made strategies`
lets it steer `tokenbench.testing.completions`, which knows the parts of answers. The promises
are: a score is a float in [0, 1], `graded` is 1.0 exactly where `exact` is, `check` and `score`
agree, the published rules are total, and nothing raises.

The first finding ends the run: it is printed, and appended to tests/helpers/regressions.jsonl with
the item itself, so that it keeps its meaning when other items are made.
tests/testing/test_regressions.py replays that file: a finding fails until it is mended;
then say in `why` how it failed. Inputs that reach new code stay in out/fuzz, where the next run
begins.
"""

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Any, Final

from tokenbench.extraction import ExtractName

try:
    import atheris
except ImportError:
    sys.exit("tools/fuzz.py needs atheris (Linux only): pip install 'tokenbench[fuzz]'")

# A compiled kernel shows no coverage: its plain twin does.
os.environ.setdefault("TOKENBENCH_FAST", "0")

with atheris.instrument_imports(include=["tokenbench"], exclude=["tokenbench.testing"]):
    import tokenbench.decomposition
    import tokenbench.published
    import tokenbench.tasks
    import tokenbench.text
    from tokenbench import catalog, check, score, task
    from tokenbench.extraction import EXTRACTS
    from tokenbench.item import Item

    # Tasks and foldings are imported when first used, which would be too late.
    for package in (
        tokenbench.tasks,
        tokenbench.text,
        tokenbench.decomposition,
        tokenbench.published,
    ):
        for module in walk_packages(package.__path__, f"{package.__name__}."):
            import_module(module.name)

from tokenbench.scoring import CODES
from tokenbench.testing import completions
from tokenbench.testing.item_facts import rules_of, tagged

ROOT: Final = Path(__file__).resolve().parents[1]
REGRESSIONS: Final = ROOT / "tests/helpers/regressions.jsonl"
KEPT: Final = ROOT / "out" / "fuzz"
LONGEST: Final = 4096  # bytes of an input
SLOWEST: Final = 10  # seconds for one input, from which on it is a finding of its own
MADE: Final = ("bytes", "strategies")
# What random bytes seldom spell.
WORDS: Final = (
    "<answer>",
    "</answer>",
    "<think>",
    "</think>",
    "\\\\boxed{",
    "```",
    "**",
    " and ",
    "yes",
)


class Finding(AssertionError):
    """A promise that judging broke."""


def items(names: Iterable[str], seed: int) -> list[Item]:
    """Return an item of each task, language and variant."""
    return [
        task(name).generate(lang=lang, variant=variant, seed=seed)
        for name in names
        for variant in task(name).variants or (None,)
        for lang in task(name).langs
    ]


def hold(completion: object, item: Item, extract: ExtractName) -> None:
    """Check the promises for any completion of any item.

    Raises:
        Finding: it does not.
    """
    exact = check(completion, item, extract=extract)
    graded = check(completion, item, rule="graded", extract=extract)
    for rule in rules_of(item):
        verdict = check(completion, item, rule=rule, extract=extract)
        if type(verdict.score) is not float or not 0.0 <= verdict.score <= 1.0:
            raise Finding(f"the score under {rule} is {verdict.score!r}")
        if verdict.code not in CODES or not verdict.reason:
            raise Finding(f"the verdict under {rule} is {verdict!r:.200}")
        if score(completion, item, rule=rule, extract=extract) != verdict.score:
            raise Finding(f"check and score disagree under {rule}")
    if exact.score not in (0.0, 1.0) or (exact.score == 1.0) != (exact.code == "right"):
        raise Finding(f"exact is {exact!r:.200}")
    if (graded.score == 1.0) != (exact.score == 1.0):
        raise Finding(f"graded is {graded.score}, exact is {exact.score}")


def check_completion(completion: object, item: Item, extract: ExtractName) -> None:
    """Check a completion, and write down its failure."""
    try:
        hold(completion, item, extract)
    except Exception as error:  # whatever it is, it should not be
        record_finding(completion, item, extract, f"{type(error).__name__}: {error}")
        raise


def record_finding(completion: object, item: Item, extract: ExtractName, why: str) -> None:
    """Print a finding and append it to the regressions."""
    regression = {"why": why, "item": json.loads(item.json()), "extract": extract, "holds": "sound"}
    arguments = {key: item.meta[key] for key in ("seed", "index", "split", "level", "params")}
    print(f"\n{why}\n{item.task}:{item.lang}:{item.variant} {arguments} {extract=}\n{completion!r}")
    try:
        line = json.dumps(regression | {"completion": completion})
    except (TypeError, ValueError):
        print("this completion has no JSON: write a test of its own")
        return
    with REGRESSIONS.open("a", encoding="utf-8") as file:
        file.write(line + "\n")


def on_bytes(pool: list[Item]) -> Callable[[bytes], None]:
    """Return a test of an input whose bytes are text, and name the item and how it is read."""

    def run(data: bytes) -> None:
        provider = atheris.FuzzedDataProvider(data)
        item = pool[provider.ConsumeIntInRange(0, len(pool) - 1)]
        extract = EXTRACTS[provider.ConsumeIntInRange(0, len(EXTRACTS) - 1)]
        text = provider.ConsumeUnicode(LONGEST)  # lone surrogates included
        check_completion(text, item, extract)
        check_completion(tagged(text), item, "answer")

    return run


def on_strategies(pool: list[Item]) -> Callable[[bytes], Any]:
    """Return a test of an input whose bytes are the choices of the strategies."""
    from hypothesis import given, settings
    from hypothesis import strategies as st

    strategies = [completions(item) for item in pool]

    @settings(database=None, deadline=None)
    @given(st.data(), st.integers(0, len(pool) - 1), st.sampled_from(EXTRACTS))
    def run(data: st.DataObject, at: int, extract: ExtractName) -> None:
        check_completion(data.draw(strategies[at]), pool[at], extract)

    return run.hypothesis.fuzz_one_input  # type: ignore[attr-defined, no-any-return]


def main() -> None:
    """Read the arguments and fuzz until the time is over or something is found."""
    reader = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    reader.add_argument("--seconds", type=int, default=60, help="how long (%(default)s)")
    reader.add_argument("--task", action="append", choices=catalog(), help="one task; repeatable")
    reader.add_argument("--seed", type=int, default=1, help="of items and of the engine")
    reader.add_argument("--made", choices=MADE, default=MADE[0], help="(%(default)s)")
    options = reader.parse_args()
    names = options.task or catalog()
    pool = items(names, options.seed)
    for item in pool:
        hold(tagged(item.solution), item, "answer")  # imports all that the first use imports
    corpus = KEPT / options.made / ("+".join(options.task) if options.task else "all")
    corpus.mkdir(parents=True, exist_ok=True)
    words = KEPT / "words.txt"
    words.write_text("".join(f'"{word}"\n' for word in WORDS), encoding="ascii")
    flags = [
        str(corpus),
        f"-max_total_time={options.seconds}",
        f"-seed={max(1, options.seed)}",
        f"-max_len={LONGEST}",
        f"-timeout={SLOWEST}",
        f"-dict={words}",
        "-print_final_stats=1",
        f"-artifact_prefix={KEPT}/",
    ]
    run = (on_bytes if options.made == "bytes" else on_strategies)(pool)
    atheris.Setup([sys.argv[0], *flags], run)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
