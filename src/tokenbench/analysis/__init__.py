"""The tables and figures of the four papers, for any run.

`results(folder)` loads runs as a Polars frame with one row for each completion; every table and
figure is a function of such a frame. The command `tokenbench analyse` makes all of a paper's.
"""

from typing import TYPE_CHECKING

from tokenbench import errors
from tokenbench.builtin import lazy_exports

if TYPE_CHECKING:
    from tokenbench.analysis.compare import detectable_difference as detectable_difference
    from tokenbench.analysis.compare import difference_table as difference_table
    from tokenbench.analysis.compare import items_needed as items_needed
    from tokenbench.analysis.compare import power as power
    from tokenbench.analysis.execute import language_similarity as language_similarity
    from tokenbench.analysis.pages import write_analysis as write_analysis
    from tokenbench.analysis.rows import accuracies as accuracies
    from tokenbench.analysis.rows import results as results

_NAMES_OF_MODULES = {
    "compare": "detectable_difference difference_table items_needed power",
    "execute": "language_similarity",
    "pages": "write_analysis",
    "rows": "accuracies results",
}

# So that its modules can import these at their top.
errors.require_extra("an analysis", "analysis", "matplotlib", "polars", "scipy")
__getattr__, __dir__ = lazy_exports(
    __name__,
    {name: module for module, names in _NAMES_OF_MODULES.items() for name in names.split()},
)
