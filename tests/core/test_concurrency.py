"""Threads, processes and forks get the same as one thread, from the very first call on."""

import gc
import json
import multiprocessing
import os
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from hashlib import sha256
from importlib import import_module
from pkgutil import walk_packages
from types import ModuleType
from typing import Any

import fresh_python
import pytest
from every_task import CASES, completions, generate_and_judge, in_one_thread, rules, scores

import tokenbench
from tokenbench import score, task
from tokenbench.cache import Cache

THREADS = 4
# The work of a fresh process: all threads begin with the same case at once, so that whatever is
# imported, read or compiled when it is first needed is needed by all of them at the same time.
COLD = """
import json, sys, threading
sys.setswitchinterval(1e-6)
sys.path[:0] = json.loads(sys.argv[1])
cases = json.load(sys.stdin)
found, faults = [[] for _ in range(4)], []
ready = threading.Barrier(4)

def score(item, completions, rules):
    from tokenbench import score
    return [score(text, item, rule=rule) for text in completions for rule in rules]

def generate(name, lang, variant):
    from tokenbench import task
    return task(name).generate(lang=lang, variant=variant, level=3, seed=6).id

def work(mine):
    try:
        for case in cases:
            ready.wait()
            mine.append(globals()[sys.argv[2]](*case))
    except BaseException as error:
        faults.append(repr(error))
        ready.abort()

threads = [threading.Thread(target=work, args=[mine]) for mine in found]
for thread in threads: thread.start()
for thread in threads: thread.join()
assert not faults, faults
assert all(mine == found[0] for mine in found), "the threads differ"
print(json.dumps(found[0]))
"""


def fresh(code: str, *args: str, given: str = "") -> str:
    """Return the output of a fresh Python, which finds all that this one does."""
    paths = json.dumps([*filter(None, sys.path)])
    return fresh_python.output(code, paths, *args, given=given, options=["-W", "error"])


def test_threads_that_begin_with_scoring_get_the_same() -> None:
    items = [task(name).generate(lang=lang, variant=variant) for name, lang, variant in CASES]
    cases = [[item.json(), completions(item), rules(item)] for item in items]
    assert json.loads(fresh(COLD, "score", given=json.dumps(cases))) == list(map(scores, items))


@pytest.mark.sampled(6)
@pytest.mark.parametrize("first", range(6))
def test_threads_that_begin_with_drawing_get_the_same(first: int) -> None:
    # Each thread makes the pools itself; bitmaps of a whole font would take seconds more.
    cases = [case for case in CASES[first::6] if not str(case[2]).startswith("bitmap")]
    wanted = [generate_and_judge(*case)[0] for case in cases]
    assert json.loads(fresh(COLD, "generate", given=json.dumps(cases))) == wanted


def test_threads_get_the_same_scores() -> None:
    items = [task(name).generate(lang=lang, variant=variant) for name, lang, variant in CASES]
    wanted = list(map(scores, items))
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(THREADS) as pool:
            assert list(pool.map(scores, items * 2)) == wanted * 2
    finally:
        sys.setswitchinterval(before)


def test_threads_make_the_same_items() -> None:
    wanted = in_one_thread()
    with ThreadPoolExecutor(THREADS) as pool:
        assert list(pool.map(generate_and_judge, *zip(*CASES, strict=True))) == wanted


def test_spawned_processes_get_the_same_scores() -> None:
    items = [task(name).generate(lang=lang, variant=variant) for name, lang, variant in CASES]
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=spawn) as pool:
        assert list(pool.map(scores, items, chunksize=20)) == list(map(scores, items))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_fork_gets_the_same_scores() -> None:
    """A child that is forked after its parent has scored, as some loaders of data do."""
    code = """
import json, os, sys
sys.path[:0] = json.loads(sys.argv[1])
from every_task import in_one_thread
wanted = in_one_thread(step=4)
reader, writer = os.pipe()
child = os.fork()
if not child:
    same = in_one_thread(step=4) == wanted
    os.write(writer, b"same" if same else b"different")
    os._exit(0)
os.close(writer)
print(os.read(reader, 99).decode(), os.waitpid(child, 0)[1])
"""
    assert fresh(code).split() == ["same", "0"]


def test_nothing_is_needed_of_the_main_thread() -> None:
    found: list[list[list[Any]]] = []
    thread = threading.Thread(target=lambda: found.append(in_one_thread()))
    thread.start()
    thread.join()
    assert found == [in_one_thread()]


# State.


def modules() -> Iterator[ModuleType]:
    """Yield every module of the package that drawing or judging may use."""
    others = tuple(f"tokenbench.{name}" for name in ("__", "cli", "integrations", "run", "testing"))
    for found in walk_packages(tokenbench.__path__, "tokenbench."):
        if not found.name.startswith(others):
            yield import_module(found.name)


def contents(value: object, seen: set[int]) -> object:
    """Return the contents of a value, deeply, as far as they may change; a cache is left out."""
    if id(value) in seen:
        return "again"
    seen = seen | {id(value)}
    if isinstance(value, Cache):
        return f"at most {value.max_size}"
    if isinstance(value, dict):
        return [(repr(key), contents(held, seen)) for key, held in value.items()]
    if isinstance(value, list | tuple):
        return [contents(held, seen) for held in value]
    if isinstance(value, set | frozenset):
        return sorted(map(repr, value))
    if isinstance(value, bytearray):
        return bytes(value)
    if type(value).__module__.startswith("tokenbench") and not isinstance(value, type):
        slots = [name for base in type(value).__mro__ for name in getattr(base, "__slots__", ())]
        held = {name: getattr(value, name) for name in slots if hasattr(value, name)}
        return contents(held | getattr(value, "__dict__", {}), seen)
    return type(value).__name__ if callable(value) else repr(value)


def state() -> dict[str, str]:
    """Return a digest of all that modules hold by name."""
    return {
        f"{module.__name__}.{name}": sha256(repr(contents(value, set())).encode()).hexdigest()
        for module in modules()
        for name, value in list(vars(module).items())
        if not name.startswith("__") and not isinstance(value, ModuleType)
    }


def test_drawing_and_scoring_leave_nothing_behind_but_caches() -> None:
    """Once all is imported and loaded, no name of any module is bound or changed again.

    What changes before is each bound once: the tasks by name (`tasks._loaded`) and the public
    names that are resolved when first used (PEP 562). `functools` makes its caches safe.
    """
    in_one_thread()
    list(modules())  # the import of one may bind names in another
    before = state()
    assert len(before) > 1000
    for name, lang, variant in CASES:
        for index in (1, 2):
            item = task(name).generate(lang=lang, variant=variant, seed=9, index=index)
            scores(item)
    gc.collect()
    after = state()
    assert [name for name in after if after[name] != before.get(name)] == []
    assert before.keys() == after.keys()


def unbounded_sizes() -> dict[str, int]:
    """Return how much each cache holds that has no limit."""
    found = {
        f"{module.__name__}.{name}": value.cache_info()
        for module in modules()
        for name, value in list(vars(module).items())
        if hasattr(value, "cache_info")
    }
    assert len(found) > 100
    return {name: info.currsize for name, info in found.items() if info.maxsize is None}


def test_judging_other_items_fills_no_cache_without_a_limit() -> None:
    """A cache without a limit is for languages and the like, not for items or answers."""
    sizes = []
    for indices in (range(3), range(3, 8)):
        items = [
            task(name).generate(lang=lang, variant=variant, index=index)
            for name, lang, variant in CASES
            for index in indices
        ]
        for item in items:
            scores(item)
            score(f"<answer>{item.solution[::-1]} {item.id}</answer>", item)
        sizes.append(unbounded_sizes())
    assert sizes[0] == sizes[1]


def test_a_change_of_state_would_be_seen() -> None:
    before = state()
    module: Any = import_module("tokenbench.text.normalize")
    module._spoiled = {"a": [1]}
    try:
        changed = state()
        module._spoiled["a"].append(2)
        again = state()
    finally:
        del module._spoiled
    name = "tokenbench.text.normalize._spoiled"
    assert name in changed
    assert name not in before
    assert changed[name] != again[name]
