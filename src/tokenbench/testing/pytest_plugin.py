"""The pytest plug-in: a fixture that runs the corpus of attacks against a reward function.

pytest loads it in every session where this package is installed, so it imports nothing of ours
until the fixture is used.
"""

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenbench.testing.report import AttackReport


@pytest.fixture(scope="session")
def check_reward() -> "Callable[..., AttackReport]":
    """`tokenbench.testing.check_reward`: fails a test with the findings about a reward function."""
    from tokenbench.testing import check_reward

    return check_reward
