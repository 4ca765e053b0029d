"""Write our own vocabularies, and the pairs of words that TRAP asks about.

`python tools/trap_pairs.py` needs the extra `vocab`. For English and Chinese it trains byte-pair
encoding on our own words, those of the lexicon and of the language pack's sentences, until each
word is a token, and writes it to `src/tokenbench/tasks/data/traps_<lang>.tiktoken`, in tiktoken's
format. `traps_<lang>.tsv` holds the pairs: all matches of that vocabulary of which both words and
the trap are our words, and the trap one token of the join, thin_out. A test checks that the files
are what this writes.
"""

from base64 import b64encode
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np
from tokenizers import Tokenizer
from tokenizers.models import BPE
from tokenizers.pre_tokenizers import ByteLevel
from tokenizers.trainers import BpeTrainer

from tokenbench.tasks.adt import Pair, has_one_answer, thin_out
from tokenbench.tasks.adt.trap import TASK
from tokenbench.text.lexicon import words
from tokenbench.text.packs import pack
from tokenbench.vocab import bpe, load
from tokenbench.vocab.traps import index

WRITTEN: Final = Path(__file__).parents[1] / "src/tokenbench/tasks/data"
HEADER: Final = """\
# Pairs of words whose join hides a third word, the trap: word 1, word 2, trap, how many characters
# of the trap end word 1, schema. Written by tools/trap_pairs.py.
"""
SHORTEST: Final = {"en": 3, "zh": 1}  # characters of a word
# Units of Chinese sentences that do not stand alone as words: suffixes, particles, measure words
# and nouns that need another character.
BOUND: Final = {
    "en": frozenset(),
    "zh": frozenset("们母吧了着得过的吗呢划带封场道架条群座件个只粒颗支匹扇棵每最和没里边"),
}
NAMED: Final = 3  # added to a lexicon word's count in the sentences
# No join may spell one of these across the boundary of its words.
COARSE: Final = {
    "en": (
        "anal", "anus", "arse", "ass", "bitch", "cock", "coon", "crap", "cum", "cunt", "dick",
        "dyke", "fag", "fuck", "hell", "homo", "jap", "kike", "milf", "nazi", "negro", "nig",
        "nude", "orgy", "paki", "penis", "piss", "poop", "porn", "puss", "rape", "semen", "sex",
        "shit", "slut", "spic", "tit", "turd", "twat", "wank", "whore",
    ),
    "zh": ("性交", "做爱", "强奸", "鸡巴", "自杀", "杀人", "去死", "死人", "傻", "妓", "屎", "尿"),
}  # fmt: skip


def rank_file(lang: str) -> str:
    """Return our vocabulary as a rank file: its tokens in the order in which they were merged."""
    tokenizer = Tokenizer(BPE())
    tokenizer.pre_tokenizer = ByteLevel(add_prefix_space=False, use_regex=False)
    trainer = BpeTrainer(
        vocab_size=10**6,  # more than there is to merge
        min_frequency=0,
        show_progress=False,
        initial_alphabet=ByteLevel.alphabet(),
    )
    tokenizer.train_from_iterator(sorted(_word_counts(lang).elements()), trainer)
    tokens = enumerate(load(tokenizer).tokens)
    return "".join(f"{b64encode(token).decode()} {rank}\n" for rank, token in tokens)


def table(lang: str, path: Path) -> str:
    """Return the pairs that a vocabulary, in a rank file, makes."""
    rows = ["\t".join(map(str, pair)) for pair in thin_out(_deceiving_pairs(lang, path))]
    return HEADER + "".join(f"{row}\n" for row in rows)


def _deceiving_pairs(lang: str, path: Path) -> Iterator[Pair]:
    """Yield the pairs of our own words that deceive the encoder."""
    held, encoder = index(load(path)), bpe.load(path, pattern=())
    own = {word for word in _word_counts(lang) if len(word) >= SHORTEST[lang]} - BOUND[lang]
    known = np.array([word in own for word in held.words])
    for rows in held.iter():
        matches = held.matches(rows[known[rows[:, :3]].all(axis=1)])
        deceived = held.verify(matches, encoder)
        for match, holds in zip(matches, deceived, strict=True):
            pair = Pair(*match)
            if holds and has_one_answer(pair) and not _coarse(pair, COARSE[lang]):
                yield pair


def _word_counts(lang: str) -> Counter[str]:
    """Return our words, without names, each with how much it counts in training."""
    own = pack(lang)
    known = frozenset(own.vocabulary)  # without words that only begin sentences
    counted = Counter(dict.fromkeys(words(lang).words, NAMED))
    counted.update(word for line in own.sentences for word in line.units if word in known)
    return Counter({word: n for word, n in counted.items() if word == word.lower()})


def _coarse(pair: Pair, listed: tuple[str, ...]) -> bool:
    """Return whether a join spells what neither of its words does."""
    held = (word for word in listed if word in pair.join)
    return any(word not in pair.word1 and word not in pair.word2 for word in held)


if __name__ == "__main__":
    for lang in TASK.langs:
        trained = WRITTEN / f"traps_{lang}.tiktoken"
        trained.write_text(rank_file(lang), encoding="utf-8")
        (WRITTEN / f"traps_{lang}.tsv").write_text(table(lang, trained), encoding="utf-8")
