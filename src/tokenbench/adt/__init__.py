"""ADT's pipeline: models write sentences around traps and answer, and a table says who fell.

`compose` asks a model of yours for a sentence and a question about each match, `ask` puts them to
the model under test, `filter` keeps the instances that its tokenizer gets wrong, and `confusion`
compares tokenisation with responses. Source: ADT, construction of the data and analysis.
"""

from tokenbench.adt.instance import FaultKind as FaultKind
from tokenbench.adt.instance import Instance as Instance
from tokenbench.adt.instance import read as read
from tokenbench.adt.pipeline import Client as Client
from tokenbench.adt.pipeline import ask as ask
from tokenbench.adt.pipeline import compose as compose
from tokenbench.adt.table import Confusion as Confusion
from tokenbench.adt.table import cell as cell
from tokenbench.adt.table import confusion as confusion
from tokenbench.adt.table import filter as filter  # noqa: A004

# `help` lists what a module defines, or what this says.
__all__ = [
    "Client",
    "Confusion",
    "FaultKind",
    "Instance",
    "ask",
    "cell",
    "compose",
    "confusion",
    "filter",
    "read",
]
