"""A Ray as small as it can be, whose workers know the modules of these tests."""

import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest
import ray.data

PATHS: Final = os.pathsep.join([str(Path(__file__).parent), *map(os.path.abspath, sys.path)])


@contextmanager
def running() -> Iterator[None]:
    """Have such a Ray on this machine."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", PATHS)
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        ray.init(
            "local",
            num_cpus=2,
            object_store_memory=80 << 20,
            include_dashboard=False,
            log_to_driver=False,
            logging_level=logging.CRITICAL,
        )
        ray.data.DataContext.get_current().enable_progress_bars = False
        yield
        ray.shutdown()
