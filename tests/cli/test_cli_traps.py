"""`tokenbench traps` and `vocab`: traps of a tokenizer's file, and facts about the file."""

import csv
import json
import re
from pathlib import Path

import pytest
from command import output
from typer.testing import CliRunner
from vocabularies import byte_level, pieces, write_ranks

from tokenbench.cli.app import app
from tokenbench.vocab import load
from tokenbench.vocab.traps import TrapIndex, index

WORDS = ["moves", "move", "table", "stable", "tables", "s", "tab", "The", "eta", "猫", "le"]


@pytest.fixture
def file(tmp_path: Path) -> str:
    ranks = {f" {word}".encode(): place for place, word in enumerate(WORDS)}
    return str(write_ranks(tmp_path / "words.tiktoken", ranks))


@pytest.fixture
def traps(file: str) -> TrapIndex:
    return index(load(file))


def rows(shown: str) -> list[list[str]]:
    """The cells of a table's lines, without its head."""
    head, *lines = shown.splitlines()
    assert head.split() == ["word1", "word2", "trap", "schema"]
    return [line.split() for line in lines if not line.startswith("…")]


def test_a_hidden_word_is_looked_up(file: str, traps: TrapIndex) -> None:
    found = [[*match[:3], match.schema] for match in traps.hiding("stable")]
    assert found
    assert rows(output("traps", file, "--hiding", "stable")) == found
    result = CliRunner().invoke(app, ["traps", file, "--hiding", "unknown"])
    assert (result.exit_code, result.stdout) == (0, "no matches\n")
    assert result.stderr == "not among the words of the vocabulary: unknown\n"


def test_two_words_are_looked_up(file: str, traps: TrapIndex) -> None:
    found = [[*match[:3], match.schema] for match in traps.lookup("moves", "table")]
    assert rows(output("traps", file, "--lookup", "moves", "table")) == found != []


def test_a_long_list_says_how_much_is_left_out(
    file: str, traps: TrapIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tokenbench.cli.traps._N_MATCHES", 1)
    n = len(traps.hiding("stable"))
    shown = output("traps", file, "--hiding", "stable")
    assert len(rows(shown)) == 1
    assert shown.endswith(f"… and {n - 1} more (--out writes them)\n")
    assert len(output("traps", file, "--hiding", "stable", "-o", "-").splitlines()) == n


def test_matches_are_counted_under_conditions(file: str, traps: TrapIndex) -> None:
    assert output("traps", file, "--count") == (
        f"{traps.count()} matches of {traps.count_pairs()} pairs of words\n"
    )
    part = traps.select(script="Latin", min_length=3, max_length=6)
    assert 0 < part.count() < traps.count()
    conditions = ("--script", "Latin", "--min-length", "3", "--max-length", "6")
    shown = output("traps", file, "--count", *conditions)
    assert shown.startswith(f"{part.count()} matches of {part.count_pairs()} ")


def test_samples_are_those_of_the_index(file: str, traps: TrapIndex) -> None:
    shown = rows(output("traps", file, "--sample", "3", "--seed", "7"))
    assert shown == [[*match[:3], match.schema] for match in traps.sample(3, seed=7)]
    everything = rows(output("traps", file))
    assert len(everything) == min(20, traps.count())
    assert len(rows(output("traps", file, "--sample", "99"))) == traps.count()


def test_matches_are_ranked_by_a_dictionary(file: str, traps: TrapIndex, tmp_path: Path) -> None:
    words = ["the", "stable", "move", "moves", "table", "tab", "s", "tables"]
    (tmp_path / "words.txt").write_text("\n".join(words), "utf-8")
    given = ("--dictionary", str(tmp_path / "words.txt"))
    ranks = {word: -place for place, word in enumerate(words)}
    ranked = [
        match
        for match in traps.rank(ranks, dictionary=words, min_length=3)
        if match.word1 != match.word2
    ]
    assert 0 < len(ranked) < len([*traps.rank(ranks, dictionary=words)])
    shown = rows(output("traps", file, "--rank", "99", *given))
    assert shown == [[*match[:3], match.schema] for match in ranked]
    assert rows(output("traps", file, "--rank", "1", *given)) == shown[:1]
    message = output("traps", file, "--rank", "1", status=2)
    assert "--rank needs --dictionary" in message


def test_a_dictionary_may_be_a_language(file: str, traps: TrapIndex) -> None:
    from wordfreq import top_n_list

    part = traps.select(dictionary=top_n_list("en", 60_000))
    shown = output("traps", file, "--count", "--dictionary", "en")
    assert shown.startswith(f"{part.count()} matches")
    message = output("traps", file, "--dictionary", "no-such-file.txt", status=2)
    assert "is not a file: unknown language of wordfreq 'no-such-file.txt'" in message
    assert "allowed are ar, bg" in message


def test_matches_can_be_written_into_the_tokenizers_folder(file: str) -> None:
    folder = Path(file).parent
    output("traps", str(folder), "-o", str(folder / "matches.csv"))
    assert "is an input" in output("traps", file, "-o", file, "--force", status=2)


def test_matches_are_written_by_suffix(file: str, traps: TrapIndex, tmp_path: Path) -> None:
    found = traps.sample(traps.count())
    arguments = ("traps", file, "--sample", str(traps.count()), "-o")
    output(*arguments, str(tmp_path / "out.jsonl"))
    lines = (tmp_path / "out.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line) for line in lines] == [match._asdict() for match in found]
    output(*arguments, str(tmp_path / "out.csv"))
    with open(tmp_path / "out.csv", encoding="utf-8", newline="") as stream:
        written = [*csv.DictReader(stream)]
    assert written == [{name: str(v) for name, v in match._asdict().items()} for match in found]
    assert "already exists" in output(*arguments, str(tmp_path / "out.csv"), status=2)
    output(*arguments, str(tmp_path / "out.csv"), "--force")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--count", "--sample", "3"], "choose one of --hiding, .*, not --count and --sample"),
        (["--script", "Latn"], "did you mean 'Latin'"),
        (["--script", "latin"], "did you mean 'Latin'"),
        (["--min-length", "5", "--max-length", "3"], "--max-length 3: expected"),
        (["--rank", "100000000", "--dictionary", "en"], "--rank.*1000000"),
    ],
)
def test_errors_say_what_to_do(file: str, arguments: list[str], says: str) -> None:
    assert re.search(says, output("traps", file, *arguments, status=2))


def test_a_name_that_is_not_a_file_is_reported() -> None:
    for command in ("traps", "vocab"):
        assert "nothing is downloaded" in output(command, "cl100k_base", status=2)


def test_a_file_without_a_pattern_says_what_takes_one(tmp_path: Path) -> None:
    ranks = write_ranks(tmp_path / "bytes.tiktoken", {bytes([n]): n for n in range(256)})
    shown = " ".join(output("vocab", str(ranks)).split())
    assert "`tokenbench adt confusion` and `filter` take it with --pattern" in shown


def test_a_file_is_described(file: str, tmp_path: Path) -> None:
    tokenizer = tmp_path / "tokenizer.json"
    byte_level().save(str(tokenizer))
    model = tmp_path / "spiece.model"
    model.write_bytes(pieces())
    mapping = tmp_path / "vocab.json"
    mapping.write_text(json.dumps({"the": 0, "cat": 1}), "utf-8")
    expected = {
        file: ("rank file", "11, without special", "none: "),
        str(tokenizer): ("tokenizer.json", "byte-level BPE", r" ?\p{L}+"),
        str(tmp_path): ("tokenizer.json", str(tokenizer)),
        str(model): ("SentencePiece", "is not a byte-level BPE"),
        str(mapping): ("vocab.json", "2 different ones"),
    }
    for path, texts in expected.items():
        shown = output("vocab", path)
        for text in texts:
            assert text in shown, (path, text)
        assert f"{len(load(path)):,}, without special" in shown
