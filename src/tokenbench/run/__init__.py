"""From items to results with real models: clients, evaluations that resume, reports.

`evaluate(items, client("openai", model), folder)` asks a model every item and saves each completion
with its scores; called again, it continues where it stopped. `read(folder)` loads a run, and
`report` makes a page that compares runs.
"""

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
from tokenbench.run.result import Result
from tokenbench.run.results import Run, read
from tokenbench.run.summary import RunProgress

# fmt: off
__all__ = [
    "Client", "Completion", "Options", "Request", "Result", "Run", "RunProgress", "Sampling",
    "client", "complete", "evaluate", "on_ray", "read", "report",
]
# fmt: on
