"""Settings of all tests, and modules that need a framework that is not installed."""

import gc
import os
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import lru_cache
from importlib.util import find_spec
from random import Random
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, settings

from tokenbench import scoring

_FRAMEWORKS: Final = {  # of the modules that import theirs at once
    "hf": "datasets",
    "inspect": "inspect_ai",
    "lighteval": "lighteval",
    "reasoning_gym": "reasoning_gym",
    "skyrl": "skyrl_gym",
    "verifiers_taskset": "verifiers",
}
collect_ignore = [
    f"src/tokenbench/integrations/{module}.py"
    for module, framework in _FRAMEWORKS.items()
    if find_spec(framework) is None
]
if find_spec("verifiers") is None:
    collect_ignore.append("src/tokenbench_env")

# A busy machine is not a defect, so time never makes a test fail. Luck must not either: `make test`
# has the same few examples in each run. `make thorough` draws new ones, as many as Hypothesis does.
settings.register_profile(
    "thorough", deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=100
)
settings.register_profile("same_examples", settings.get_profile("thorough"), derandomize=True)
settings.register_profile("few_examples", settings.get_profile("same_examples"), max_examples=30)
settings.load_profile("few_examples")

# Thirteen thousand tests and the pools of all tasks stay in memory to the end. Looking through them
# for garbage again and again took a sixth of the time.
gc.set_threshold(50_000, 20, 100)

# Hundreds of tests start a Python of their own: what the first of them compiles serves the rest.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def pytest_configure(config: pytest.Config) -> None:
    """Load the examples of `--thorough`."""
    if config.getoption("--thorough") and not config.getoption("--hypothesis-profile"):
        settings.load_profile("thorough")


def pytest_collection_finish() -> None:
    """Leave the collected tests out of every garbage collection."""
    gc.freeze()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the number of items on which conformance is checked; `make conformance` takes 1,000."""
    parser.addoption(
        "--conformance-items",
        type=int,
        metavar="N",
        help="items of each task, language and variant that conformance checks (default: 12, and "
        "6 where a task works in any language)",
    )
    parser.addoption("--thorough", action="store_true", help="run the tests marked thorough too")


@pytest.hookimpl(tryfirst=True)  # before the selection by markers
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the tests marked thorough to `make thorough`, and those outside the samples.

    The samples are the same in each run, so that what is green stays green; a run without workers
    takes every case.
    """
    is_thorough = config.getoption("--thorough")
    has_workers = "PYTEST_XDIST_TESTRUNUID" in os.environ
    functions = defaultdict(list)
    for item in items:
        if marker := item.get_closest_marker("sampled"):
            functions[item.nodeid.partition("[")[0], marker.args[0]].append(item)
    for (function, step), cases in functions.items():
        chunks = [cases[start : start + step] for start in range(0, len(cases), step)]
        draw = Random(function)
        sample = {draw.choice(chunk) for chunk in chunks} if has_workers else cases
        for item in cases if is_thorough else set(cases).difference(sample):
            item.add_marker("thorough")
    if not is_thorough:
        thorough = [item for item in items if item.get_closest_marker("thorough")]
        config.hook.pytest_deselected(items=thorough)
        items[:] = [item for item in items if not item.get_closest_marker("thorough")]


@pytest.fixture(scope="module")
def floods_are_read_once() -> Iterator[None]:
    """Cache what is extracted from the attacks of two million characters.

    Extraction sees the completion and never the item: without this, each item of a module would
    wait for the same work again.
    How its time grows is measured in tests/core/test_linear.py.
    """

    def once(function: Callable[..., Any]) -> Callable[..., Any]:
        cached = lru_cache(maxsize=16)(function)

        def extract(completion: Any, *arguments: Any) -> Any:
            huge = isinstance(completion, str) and len(completion) > 1_000_000
            return (cached if huge else function)(completion, *arguments)

        return extract

    with pytest.MonkeyPatch.context() as patch:
        for name in ("candidates", "explain_no_answer"):
            patch.setattr(scoring, name, once(getattr(scoring, name)))
        yield
