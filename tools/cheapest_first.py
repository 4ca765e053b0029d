"""A plugin of pytest: the tests that took least come first, for one that fails ends a mutant's run.

mutmut itself hands tests over in no order, and a few of them take as long as all the others.
"""

import json
from pathlib import Path
from typing import Final

import pytest

_STATS: Final = Path("mutmut-stats.json")  # where mutmut runs tests; it is not there at first


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Sort the tests by the seconds that each took when mutmut ran them all."""
    if _STATS.exists():
        seconds = json.loads(_STATS.read_text())["duration_by_test"]
        items.sort(key=lambda item: float(seconds.get(item.nodeid, 0.0)))
