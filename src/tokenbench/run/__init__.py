"""From items to results with real models: clients, evaluations that resume, reports.

`evaluate(items, client("openai", model), folder)` asks a model every item and keeps each completion
with its scores; called again it does what is missing. `read(folder)` gives the run back, and
`report` makes a page of runs.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

_HOMES = {
    "Client": "protocol",
    "Completion": "protocol",
    "Options": "options",
    "Request": "protocol",
    "Result": "results",
    "Run": "record",
    "Sampling": "protocol",
    "client": "clients",
    "complete": "protocol",
    "evaluate": "evaluating",
    "on_ray": "ray_engine",
    "read": "record",
    "report": "reporting",
}

__all__ = sorted(_HOMES)

if TYPE_CHECKING:
    from tokenbench.run.clients import client as client
    from tokenbench.run.evaluating import evaluate as evaluate
    from tokenbench.run.options import Options as Options
    from tokenbench.run.protocol import Client as Client
    from tokenbench.run.protocol import Completion as Completion
    from tokenbench.run.protocol import Request as Request
    from tokenbench.run.protocol import Sampling as Sampling
    from tokenbench.run.protocol import complete as complete
    from tokenbench.run.ray_engine import on_ray as on_ray
    from tokenbench.run.record import Run as Run
    from tokenbench.run.record import read as read
    from tokenbench.run.reporting import report as report
    from tokenbench.run.results import Result as Result


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used (PEP 562)."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
