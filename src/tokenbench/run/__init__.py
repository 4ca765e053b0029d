"""From items to results with real models: clients, evaluations that resume, reports.

`evaluate(items, client("openai", model), folder)` asks a model every item and saves each completion
with its scores; called again, it continues where it stopped. `read(folder)` loads a run, and
`report` makes a page that compares runs.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tokenbench.run.clients import (
        Client,
        Completion,
        Options,
        Request,
        Sampling,
        client,
        complete,
    )
    from tokenbench.run.evaluation import evaluate
    from tokenbench.run.ray_engine import on_ray
    from tokenbench.run.reporting import report
    from tokenbench.run.results import Result, Run, read

# fmt: off
__all__ = [
    "Client", "Completion", "Options", "Request", "Result", "Run", "Sampling",
    "client", "complete", "evaluate", "on_ray", "read", "report",
]
# fmt: on
_NAMES_OF_MODULES = {
    "clients": "Client Completion Options Request Sampling client complete",
    "evaluation": "evaluate",
    "ray_engine": "on_ray",
    "reporting": "report",
    "results": "Result Run read",
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used (PEP 562)."""
    for module, names in _NAMES_OF_MODULES.items():
        if name in names.split():
            value = globals()[name] = getattr(import_module(f"{__name__}.{module}"), name)
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
