"""ADT's pipeline: models write sentences around traps and answer, and a table says who fell.

`compose` asks a model of yours for a sentence and a question about each match, `ask` puts them to
the model under test, `filter` keeps the instances that its tokenizer gets wrong, and `confusion`
compares tokenisation with responses. Source: ADT, construction of the data and analysis.
"""

from tokenbench.adt.pipeline import Client, FaultKind, Instance, ask, compose, read
from tokenbench.adt.table import Confusion, cell, confusion, filter  # noqa: A004

# fmt: off
# `help` lists what a module defines, or what this says.
__all__ = [
    "Client", "Confusion", "FaultKind", "Instance", "ask", "cell", "compose", "confusion", "filter",
    "read",
]
# fmt: on
