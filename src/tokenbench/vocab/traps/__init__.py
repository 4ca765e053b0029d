"""Traps: words hidden across the boundary of two others, over whole vocabularies."""

from typing import Final

from tokenbench.text.sources import data_text
from tokenbench.vocab.traps.match import Match as Match
from tokenbench.vocab.traps.match import MatchRange as MatchRange
from tokenbench.vocab.traps.match import Schema as Schema
from tokenbench.vocab.traps.trap_index import TrapIndex as TrapIndex
from tokenbench.vocab.traps.trap_index import index as index

# Stop characters: particles, pronouns, prepositions, conjunctions, adverbs, numerals and measure
# words that follow or precede nearly any word in Chinese. A word that begins or ends with one
# seldom deceives.
CHINESE: Final = frozenset("".join(data_text("tokenbench.vocab", "data", "stop_zh.txt").split()))

# `help` lists what a module defines, or what this says.
__all__ = ["Match", "MatchRange", "Schema", "TrapIndex", "index"]
