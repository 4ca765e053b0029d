"""Traps: words that hide across the boundary of two others, over whole vocabularies."""

from tokenbench.vocab.traps.indexed import TrapIndex as TrapIndex
from tokenbench.vocab.traps.indexed import index as index
from tokenbench.vocab.traps.match import Match as Match
from tokenbench.vocab.traps.match import Schema as Schema
from tokenbench.vocab.traps.stops import CHINESE as CHINESE
