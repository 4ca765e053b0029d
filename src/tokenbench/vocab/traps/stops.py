"""Characters with which no trap should begin or end, because they are words of their own."""

from typing import Final

# Particles, pronouns, prepositions, conjunctions, adverbs, numerals and measure words that stand
# beside nearly any word in Chinese: what begins or ends with one is seldom a word that deceives.
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
