"""`tokenbench traps` and `vocab`: the traps of a tokenizer's vocabulary, and what a file is."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final

import typer

from tokenbench.cli.render import one_line, show_table, show_texts
from tokenbench.cli.streams import DONE, Output
from tokenbench.errors import SourceError, TokenbenchError, at_place
from tokenbench.quoting import first_few, pluralize
from tokenbench.text.lexicon import read_word_list
from tokenbench.text.sources import WORDFREQ, stamp
from tokenbench.vocab import bpe_model, load
from tokenbench.vocab.formats import open_source, recognize, tokenizer_file

if TYPE_CHECKING:
    from tokenbench.vocab.traps import Match

_N_MATCHES: Final = 20
# More matches than a command should choose.
_MAX_CHOSEN: Final = 1_000_000
# Shorter words hide each other everywhere.
_MIN_RANKED: Final = 3
_N_FREQUENT: Final = 60_000
_OTHER_CASE: Final = 0.5  # of a rank
_NO_PATTERN: Final = (
    "none in this file: `tokenbench adt confusion` and `filter` take it with --pattern, and "
    "vocab.bpe.load with pattern="
)
_COLUMNS: Final = {"word1": str, "word2": str, "trap": str, "cut": int, "schema": str}


def vocab(path: str) -> int:
    """Show what a tokenizer's file is: its format, its tokens and how it cuts text."""
    vocabulary = load(path)
    file = tokenizer_file(path)
    facts = [
        ("format", str(recognize(file))),
        ("tokens", f"{len(vocabulary):,}, without special and added ones"),
        ("words", f"{pluralize(len(vocabulary.words()), 'different one')}"),
        *_describe_encoding(path),
    ]
    show_texts(file.path, facts)
    return DONE


def traps(
    path: str,
    *,
    hiding: str | None = None,
    lookup: tuple[str, str] | None = None,
    count: bool = False,
    sample: int | None = None,
    rank: int | None = None,
    script: str | None = None,
    min_length: int | None = None,
    max_length: int | None = None,
    dictionary: str | None = None,
    seed: int = 0,
    out: str | None = None,
    force: bool = False,
) -> int:
    """List or count traps: words that appear where two words of a vocabulary are joined.

    All three words of a match meet the conditions on script, length and dictionary.
    """
    actions = {
        "--hiding": hiding, "--lookup": lookup, "--count": count or None,
        "--sample": sample, "--rank": rank,
    }  # fmt: skip
    chosen = [name for name, value in actions.items() if value is not None]
    if len(chosen) > 1:
        raise TokenbenchError(f"choose one of {', '.join(actions)}, not {' and '.join(chosen)}")
    if rank is not None and dictionary is None:
        raise TokenbenchError("--rank needs --dictionary, which says how common words are")
    common = None if dictionary is None else _read_dictionary(dictionary)
    # Imported here because it loads NumPy and Numba.
    from tokenbench.vocab.traps import index as index_words

    min_length = min_length or (1 if rank is None else _MIN_RANKED)
    index = index_words(load(path)).select(
        script=script, min_length=min_length, max_length=max_length, dictionary=common
    )
    if count:
        typer.echo(f"{index.count():,} matches of {index.count_pairs():,} pairs of words")
        return DONE
    words = (hiding,) if hiding is not None else lookup or ()
    if missing := [word for word in words if word not in index.words]:
        typer.echo(f"not among the words of the vocabulary: {first_few(missing)}", err=True)
    matches: Iterable[Match]
    if hiding is not None:
        matches = index.hiding(hiding)
    elif lookup is not None:
        matches = index.lookup(*lookup)
    elif rank is not None:
        # Words that the dictionary has in another case only come behind those that it has as is.
        ranks, last = common or {}, len(common or {})
        ranked = index.rank(
            lambda word: -ranks.get(word, ranks.get(word.lower(), last) + _OTHER_CASE)
        )
        matches = islice((one for one in ranked if one.word1 != one.word2), rank)
    else:
        n, n_all = _N_MATCHES if sample is None else sample, index.count()
        matches = index.sample(min(n, n_all), seed)
    if out is None:
        _show_matches(list(matches), _N_MATCHES if words else _MAX_CHOSEN)
        return DONE
    with Output(out, force, sources=[tokenizer_file(path).path]).rows(_COLUMNS) as write:
        for match in matches:
            write(match._asdict())
    return DONE


def _describe_encoding(path: str) -> Iterator[tuple[str, str]]:
    """Yield how byte-level BPE cuts text before it merges, or why the file is not one."""
    try:
        model = bpe_model.read_model(open_source(path))
    except SourceError as error:
        yield "encoder", f"none: {error}"
        return
    yield "encoder", "byte-level BPE"
    for pattern in model.patterns or (_NO_PATTERN,):
        # Two spellings of the same pattern; this one is on one line.
        yield "pattern", pattern.replace("\r", r"\r").replace("\n", r"\n")


def _read_dictionary(source: str) -> dict[str, int]:
    """Return words and their ranks, from a text file or from wordfreq.

    Raises:
        SourceError: the file cannot be read as UTF-8.
        UnknownNameError: there is neither such a file nor such a language.
        MissingExtraError: wordfreq is not installed.
    """
    if Path(source).exists():
        lines, _ = read_word_list("", stamp(source), 0)
    else:
        try:
            lines, _ = read_word_list(source, WORDFREQ, _N_FREQUENT)
        except TokenbenchError as error:
            raise at_place(f"--dictionary {source!r} is not a file", error) from None
    words = filter(None, map(str.strip, lines))
    return {word: place for place, word in enumerate(dict.fromkeys(words))}


def _show_matches(matches: "Sequence[Match]", limit: int) -> None:
    rows = [
        [one_line(match.word1), one_line(match.word2), one_line(match.trap), match.schema]
        for match in matches[:limit]
    ]
    if not rows:
        typer.echo("no matches")
        return
    show_table(["word1", "word2", "trap", "schema"], rows)
    if len(matches) > limit:
        typer.echo(f"… and {len(matches) - limit:,} more (--out writes them)")
