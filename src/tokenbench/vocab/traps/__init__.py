"""Traps: words hidden across the boundary of two others, over whole vocabularies."""

from typing import Final

from tokenbench.vocab.traps.match import Match as Match
from tokenbench.vocab.traps.match import MatchRange as MatchRange
from tokenbench.vocab.traps.match import Schema as Schema
from tokenbench.vocab.traps.trap_index import TrapIndex as TrapIndex
from tokenbench.vocab.traps.trap_index import index as index

# Stop characters: particles, pronouns, prepositions, conjunctions, adverbs, numerals and measure
# words that follow or precede nearly any word in Chinese. A word that begins or ends with one
# seldom deceives.
CHINESE: Final = frozenset(
    "的地得了着过吗呢吧啊呀嘛们"
    "我你他她它您咱这那哪此其之"
    "是有在不没无也都就还又再很太更最只才"
    "和与及或而但且并把被将给对向从到往以于为因由"
    "一二三四五六七八九十百千万亿两几"
    "个位名件条次些年月日时分"
    "上下中里内外前后"
    "会能可要想说做让使"
)

# `help` lists what a module defines, or what this says.
__all__ = ["Match", "MatchRange", "Schema", "TrapIndex", "index"]
