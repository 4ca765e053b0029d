"""`tokenbench traps` and `vocab`: the traps of a tokenizer's vocabulary, and what a file is."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

import typer
from typer import Argument, Option

from tokenbench.cli import options
from tokenbench.cli.outputs import RowKind, open_rows
from tokenbench.cli.render import Meter, one_line, show_table, show_texts
from tokenbench.cli.streams import DONE, STANDARD, check_output_file
from tokenbench.errors import SourceError, TokenbenchError, needs_extra
from tokenbench.item import dumps
from tokenbench.quoting import first_few, pluralize, quote
from tokenbench.text.sources import read_text, stamp
from tokenbench.vocab import Vocabulary, bpe_model, load
from tokenbench.vocab.files import recognize, tokenizer_file
from tokenbench.vocab.word_filter import WordFilter, select_words

if TYPE_CHECKING:
    from tokenbench.vocab.traps import Match, TrapIndex

_N_MATCHES: Final = 20
# More rows than a table can show, and more matches than a command should choose.
_MAX_ROWS: Final = 10_000
_MAX_CHOSEN: Final = 1_000_000
_N_SCRIPTS: Final = 5
_N_FREQUENT: Final = 60_000
_OTHER_CASE: Final = 0.5  # of a rank
# Lists of words do not contain them; tables, JSON and files of tokenizers do.
_NOT_IN_WORDS: Final = re.compile(r'[\s,;"\[\]{}]')
_NO_PATTERN: Final = (
    "none in this file: `tokenbench adt confusion` and `filter` take it with --pattern, and "
    "vocab.bpe.load with pattern="
)
_MATCHES: Final[RowKind["Match"]] = RowKind(
    {"word1": str, "word2": str, "trap": str, "cut": int, "schema": str},
    lambda match: match._asdict(),
    lambda match: dumps(match._asdict()),
)
_FORMATS: Final[Mapping[str | None, str]] = {
    "GGUF": "GGUF",
    "ranks": "tiktoken's rank file",
    "tekken.json": "Mistral's tekken.json",
    "tokenizer.json": "Hugging Face's tokenizer.json",
    "vocab.json": "JSON object of tokens and ids",
    "SentencePiece": "SentencePiece model",
}

# fmt: off
VocabularyFile: TypeAlias = Annotated[str, Argument(
    metavar="VOCABULARY", help="A tokenizer's file, or a folder with one: tiktoken's ranks, "
    "tekken.json, tokenizer.json, vocab.json, SentencePiece or GGUF.")]
# fmt: on


def vocab(path: VocabularyFile) -> int:
    """Show what a tokenizer's file is: its format, its tokens and how it cuts text."""
    vocabulary = load(path)
    file = tokenizer_file(path)
    facts = [
        ("format", _FORMATS[recognize(file)]),
        ("tokens", f"{len(vocabulary):,}, without special and added ones"),
        ("words", f"{pluralize(len(vocabulary.words()), 'different one')}{_by_script(vocabulary)}"),
        *_describe_encoding(path),
    ]
    show_texts(file.path, facts)
    return DONE


def traps(
    path: VocabularyFile,
    hiding: Annotated[str | None, Option(metavar="WORD",
        help="List the matches that hide this word.")] = None,
    lookup: Annotated[tuple[str, str] | None, Option(metavar="WORD WORD",
        help="List the words that these two hide, written together.")] = None,
    count: Annotated[bool, Option("--count", help="Count matches and pairs of words.")] = False,
    sample: Annotated[int | None, Option(metavar="N", min=0, max=_MAX_CHOSEN,
        help="Draw N different matches, all equally likely; more than "
        f"{_MAX_ROWS:,} need --out.", show_default="20")] = None,
    rank: Annotated[int | None, Option(metavar="N", min=0, max=_MAX_CHOSEN,
        help="List N matches, those of the commonest words in --dictionary first; more than "
        f"{_MAX_ROWS:,} need --out.")] = None,
    script: Annotated[str | None, Option(metavar="NAME",
        help="Only words of this script, such as Latin or Han.")] = None,
    min_length: Annotated[int, Option(min=1, metavar="N",
        help="Only words of N characters or more.")] = 1,
    max_length: Annotated[int | None, Option(min=1, metavar="N",
        help="Only words of N characters or less.", show_default="any")] = None,
    dictionary: Annotated[str | None, Option(metavar="FILE|LANG",
        help="Only words of a text file, one per line, commonest first; or the "
        f"{_N_FREQUENT:,} commonest words of a language, by wordfreq.")] = None,
    seed: Annotated[int | None, Option(help="Random seed of --sample.", show_default="0")] = None,
    show_all: Annotated[bool, Option("--all",
        help=f"Show all matches of --hiding and --lookup, not only {_N_MATCHES}; with more than "
        f"{_MAX_ROWS:,}, write a file.")] = False,
    out: Annotated[str | None, Option("--out", "-o", metavar="FILE",
        help="Write all matches to a file, .csv, .parquet or .jsonl; - is standard output, in "
        "JSON Lines.",
        show_default="a table")] = None,
    force: options.Force = False,
    progress: options.Progress = None,
) -> int:  # fmt: skip
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
    is_listing = hiding is not None or lookup is not None
    without_effect = {
        "--out has no effect with --count": count and out is not None,
        "--seed only has an effect on --sample": seed is not None
        and chosen not in ([], ["--sample"]),
        "--all only has an effect on a table of --hiding or --lookup": show_all and not is_listing,
        "--out writes all matches without --all": show_all and is_listing and out is not None,
        "--progress only has an effect with --out": progress is not None and out is None,
        "--force only has an effect on a file that --out names": force and out in (None, STANDARD),
    }
    for message, is_given in without_effect.items():
        if is_given:
            raise TokenbenchError(f"{message}: leave it out")
    if rank is not None and dictionary is None:
        raise TokenbenchError("--rank needs --dictionary, which says how common words are")
    n = max(rank or 0, sample or 0)
    if out is None and n > _MAX_ROWS:
        raise TokenbenchError(
            f"a table has at most {_MAX_ROWS:,} rows: write {n:,} with --out FILE"
        )
    sources = (tokenizer_file(path).path,)
    if out not in (None, STANDARD):
        check_output_file(str(out), force=force, append=False, sources=sources)
    common = None if dictionary is None else _read_dictionary(dictionary)
    conditions: WordFilter = {
        "script": script, "min_length": min_length, "max_length": max_length, "dictionary": common,
    }  # fmt: skip
    # Wrong conditions raise here, before the index is made.
    select_words((), **conditions)
    index = _load_index(path).select(**conditions)
    if count:
        typer.echo(f"{index.count():,} matches of {index.count_pairs():,} pairs of words")
        return DONE
    words = (hiding,) if hiding is not None else lookup or ()
    if missing := [word for word in words if word not in index.words]:
        typer.echo(f"not among the words of the vocabulary: {first_few(missing)}", err=True)
    matches: Iterable[Match]
    if hiding is not None:
        matches = index.hiding(hiding)
        n = len(matches)
    elif lookup is not None:
        matches = index.lookup(*lookup)
        n = len(matches)
    elif rank is not None:
        n = min(rank, index.count())
        matches = islice(index.rank(_frequency(common or {})), n)
    else:
        n = min(_N_MATCHES, index.count()) if sample is None else sample
        if n > index.count():
            matches_there = pluralize(index.count(), "match", "matches")
            raise TokenbenchError(f"--sample {n:,} is too many: give at most {matches_there}")
        matches = index.sample(n, seed or 0)
    if out is None:
        if show_all and n > _MAX_ROWS:
            raise TokenbenchError(
                f"a table has at most {_MAX_ROWS:,} rows: write all {n:,} with --out FILE"
            )
        _show_matches(matches, n, _N_MATCHES if is_listing and not show_all else n)
        return DONE
    with (
        open_rows(out, _MATCHES, force=force, sources=sources) as output,
        Meter("matches", n, progress, output=out == STANDARD) as meter,
    ):
        for match in matches:
            output.write(match)
            meter.step()
    return DONE


def _by_script(vocabulary: Vocabulary) -> str:
    sizes = islice(vocabulary.sizes().items(), _N_SCRIPTS)
    counts = ", ".join(f"{count:,} {script}" for script, count in sizes)
    return f"; {counts}" if counts else ""


def _describe_encoding(path: str) -> Iterator[tuple[str, str]]:
    """Yield how byte-level BPE cuts text before it merges, or why the file is not one."""
    try:
        model = bpe_model.read_model(path)
    except SourceError as error:
        yield "encoder", f"none: {error}"
        return
    yield "encoder", "byte-level BPE"
    for pattern in model.patterns or (_NO_PATTERN,):
        # Two spellings of the same pattern; this one is on one line.
        yield "pattern", pattern.replace("\r", r"\r").replace("\n", r"\n")


def _load_index(path: str) -> "TrapIndex":
    # Imported here because it loads NumPy and Numba.
    from tokenbench.vocab.traps import index

    return index(load(path))


def _read_dictionary(source: str) -> dict[str, int]:
    """Return words and their ranks, from a text file or from wordfreq.

    Raises:
        SourceError: the file is not UTF-8, or not a list of words, or there is neither such a file
            nor such a language.
        MissingExtraError: wordfreq is not installed.
    """
    if Path(source).exists():
        words = [line.strip() for line in read_text(stamp(source)).text.splitlines()]
        words = [word for word in words if word]
        others = [word for word in words if _NOT_IN_WORDS.search(word)]
        # A few names of several words do no harm.
        if 2 * len(others) >= len(words):
            example = f"contains {quote(others[0])}" if others else "is empty"
            raise SourceError(f"--dictionary {source!r} {example}: write one word per line")
    else:
        with needs_extra(f"--dictionary {source}, which is not a file,", "lexicon"):
            from wordfreq import available_languages, top_n_list
        if source not in (langs := available_languages()):
            raise SourceError(
                f"--dictionary {source!r} is neither a file nor a language of wordfreq: "
                f"{', '.join(sorted(langs))}"
            )
        words = top_n_list(source, _N_FREQUENT)
    return {word: place for place, word in enumerate(dict.fromkeys(words))}


def _frequency(ranks: Mapping[str, int]) -> Callable[[str], float]:
    """Return the function that ranks words in the order of a dictionary, others by lower case."""
    last = len(ranks)
    return lambda word: -ranks.get(word, ranks.get(word.lower(), last) + _OTHER_CASE)


def _show_matches(matches: "Iterable[Match]", n: int, limit: int) -> None:
    rows = [
        [one_line(match.word1), one_line(match.word2), one_line(match.trap), match.schema]
        for match in islice(matches, limit)
    ]
    if not rows:
        typer.echo("no matches")
        return
    show_table(["word1", "word2", "trap", "schema"], rows)
    if n > limit:
        more = f"… and {n - limit:,} more"
        shown = "--all shows them, " if n <= _MAX_ROWS else ""
        typer.echo(f"{more} ({shown}--out writes them)")
