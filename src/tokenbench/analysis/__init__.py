"""The tables and figures of the four papers, for any run.

`results(folder)` loads runs as a Polars frame with one row for each completion; every table and
figure is a function of such a frame. The command `tokenbench analyse` makes all of a paper's.
"""

from typing import TYPE_CHECKING

from tokenbench.builtin import lazy_exports

if TYPE_CHECKING:
    from tokenbench.analysis.compare import (
        detectable_difference,
        items_needed,
        paired_test,
        power,
    )
    from tokenbench.analysis.pages import write_analysis
    from tokenbench.analysis.rows import accuracies, results

__all__ = [
    "accuracies",
    "detectable_difference",
    "items_needed",
    "paired_test",
    "power",
    "results",
    "write_analysis",
]
_NAMES_OF_MODULES = {
    "compare": "detectable_difference items_needed paired_test power",
    "pages": "write_analysis",
    "rows": "accuracies results",
}

__getattr__, __dir__ = lazy_exports(
    __name__,
    {name: module for module, names in _NAMES_OF_MODULES.items() for name in names.split()},
)
