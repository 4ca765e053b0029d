"""The tables and figures of the four papers, for any run.

`results(folder)` loads runs as a Polars frame with one row for each completion; every table and
figure is a function of such a frame. The command `tokenbench analyse` makes all of a paper's.
"""

from typing import TYPE_CHECKING

from tokenbench.builtin import lazy_exports
from tokenbench.errors import require_extra

if TYPE_CHECKING:
    from tokenbench.analysis.compare import (
        detectable_difference,
        difference_table,
        items_needed,
        power,
    )
    from tokenbench.analysis.execute import language_similarity
    from tokenbench.analysis.pages import write_analysis
    from tokenbench.analysis.rows import accuracies, results

# fmt: off
__all__ = [
    "accuracies", "detectable_difference", "difference_table", "items_needed",
    "language_similarity", "power", "results", "write_analysis",
]
# fmt: on
_NAMES_OF_MODULES = {
    "compare": "detectable_difference difference_table items_needed power",
    "execute": "language_similarity",
    "pages": "write_analysis",
    "rows": "accuracies results",
}

# So that its modules can import these at their top.
require_extra("an analysis", "analysis", "matplotlib", "polars", "scipy")
__getattr__, __dir__ = lazy_exports(
    __name__,
    {name: module for module, names in _NAMES_OF_MODULES.items() for name in names.split()},
)
