"""`tokenbench items`: the items that the library makes, as lines."""

import json
from collections import Counter
from functools import partial
from pathlib import Path

import pytest
from command import output
from tase_files import one_file_checkout
from typer.testing import CliRunner

from tokenbench import dataset, mixture, suite
from tokenbench.cli.app import app
from tokenbench.cli.options import part_names
from tokenbench.datasets import spread
from tokenbench.item import Item

run = partial(output, "items")


def items(*arguments: str) -> list[Item]:
    return [Item.from_json(line) for line in run(*arguments).splitlines()]


@pytest.mark.thorough
def test_the_default_is_everything_equally() -> None:
    """Without options there are 1,000 items: of every task, variant and language four, or about."""
    kinds = Counter((item.task, item.variant, item.lang) for item in items())
    assert kinds.total() == 1000
    assert len(kinds) == len(part_names())
    assert {3, 4, 5} >= set(kinds.values())


def test_a_mixture_is_the_library_s() -> None:
    """Specifications, weights, seed and split mean the same as to `mixture`."""
    drawn = items("-t", "sort:zh=2", "-t", "lenop:ko:write@7", "-n", "9", "--seed", "3")
    assert drawn == list(mixture({"sort:zh": 2.0, "lenop:ko:write@7": 1.0}, n=9, seed=3))
    drawn = items("-t", "sort:zh", "-n", "2", "--split", "test")
    assert drawn == list(mixture({"sort:zh": 1.0}, n=2, split="test"))


def test_a_level_is_for_the_parts_without_one() -> None:
    """`--level` does not override a part's own."""
    drawn = items("-t", "sort:zh", "-t", "freq:zh@7", "--level", "2", "-n", "40")
    assert {(item.task, item.meta["level"]) for item in drawn} == {("sort", 2), ("freq", 7)}


@pytest.mark.parametrize("given", ["20..22", "20,22"])
def test_parameters_are_the_task_s(given: str) -> None:
    """A range, a number and a name reach the task."""
    drawn = items("-t", "diff:en", "-n", "3", "--param", f"length={given}")
    assert drawn == list(dataset("diff", length=(20, 22), n=3))
    drawn = items("-t", "diff:en@4", "--param", "length=9", "--param", "variation=add", "-n", "2")
    assert drawn == list(dataset("diff", level=4, length=9, variation="add", n=2))


def test_parameters_are_for_every_part_whose_task_has_them(tmp_path: Path) -> None:
    """Also for a suite, and for a language that only the user's pack speaks."""
    arguments = ("--param", "length=20..22", "--param", "words=core", "-n", "9")
    drawn = items("-t", "diff", "-t", "delete:en:word=2", *arguments)
    weights = {"diff": 1.0, "delete:en:word": 2.0}
    assert drawn == list(mixture(weights, n=9, length=(20, 22), words="core"))
    drawn = items("--suite", "tase", "--lang", "zh", *arguments)
    assert drawn == list(spread(suite("tase", langs=["zh"], length=(20, 22), words="core"), 9))
    pack = tmp_path / "sw.txt"
    pack.write_text("Paka analala juu ya meza.\nMama anapika chakula leo.\n", "utf-8")
    (item,) = items("-t", "spell:sw", "--param", f"pack={pack}", "-n", "1")
    assert item == dataset("spell", lang="sw", pack=pack)[0]
    assert item.lang == "sw"


def test_a_word_list_is_a_path(tmp_path: Path) -> None:
    """A value that is not a range is used unchanged."""
    words = tmp_path / "words=1,2.txt"
    words.write_text("\n".join(f"wort{letter}" for letter in "abcdefghijklmnopqrst"))
    (item,) = items("-t", "freq:en@0", "--param", f"words={words}", "-n", "1")
    assert "wort" in item.prompt


def test_a_suite_is_whole_unless_n_says_less() -> None:
    """A suite comes from its test split; `-n` spaces its items evenly, as in `eval`."""
    whole = suite("tase")
    assert items("--suite", "tase", "--start", str(len(whole) - 2)) == [whole[-2], whole[-1]]
    arguments = ["--suite", "tase", "-n", "3", "--split", "train", "--level", "1"]
    train = suite("tase", split="train", level=1)
    expected = [train[0], train[len(train) // 3], train[len(train) * 2 // 3]]
    assert items(*arguments) == list(spread(train, 3)) == expected
    assert items(*arguments, "--start", "1") == expected[1:]
    assert items(*arguments, "--start", "3") == []


def test_rows_are_flat() -> None:
    """`--rows` writes the columns that dataset libraries want."""
    (row,) = map(json.loads, run("-t", "reord:ko@0", "-n", "1", "--rows").splitlines())
    assert {type(value) for value in row.values()} == {str, int}
    assert Item.from_row(row) == mixture({"reord:ko@0": 1.0})[0]


def test_a_file_is_not_replaced_unless_asked_for(tmp_path: Path) -> None:
    """An existing file is refused, appended to, or replaced; an empty file may be replaced."""
    file = tmp_path / "items.jsonl"
    file.touch()
    arguments = ["-t", "freq:en@0", "--out", str(file)]
    assert run(*arguments, "-n", "3") == ""
    whole = file.read_text()
    assert "--force" in run(*arguments, "-n", "3", status=2)
    assert file.read_text() == whole
    run(*arguments, "-n", "2", "--force")
    run(*arguments, "-n", "1", "--start", "2", "--append")
    assert file.read_text() == whole


def test_progress_counts_the_characters_read(tmp_path: Path) -> None:
    """Of a small file as of a large one, in characters."""
    file = tmp_path / "eval.txt"
    file.write_text("word " * 50, "utf-8")
    stderr = note("-t", "freq:en@0", "-n", "1", "--exclude", str(file), "--progress")
    assert stderr.startswith("250 characters of --exclude read, ")


def test_nothing_is_appended_to_a_cut_line(tmp_path: Path) -> None:
    """A line that another program cut would swallow the next one."""
    file = tmp_path / "items.jsonl"
    file.write_text('{"id": "7')
    assert "incomplete" in run("-n", "1", "--append", "--out", str(file), status=2)


def test_published_items_are_written(tmp_path: Path) -> None:
    """`--published` writes the rows of a checkout, all of them unless cut."""
    root = one_file_checkout(tmp_path, [("How many words? a b", "2"), ("How many words? a", "1")])
    first, second = items("--published", "tase", str(root))
    assert (first.prompt, first.solution, first.meta["row"]) == ("How many words? a b", "2", 0)
    assert items("--published", "tase", str(root), "--start", "1") == [second]
    assert items("--published", "tase", str(root), "-n", "1") == [first]


def note(*arguments: str) -> str:
    """Run `items`; return its standard error."""
    result = CliRunner().invoke(app, ["items", *arguments])
    assert result.exit_code == 0, result.output
    return result.stderr


def test_repeats_are_announced_in_a_line() -> None:
    """With the way to leave them out; `--start` counts too; without repeats it says nothing."""
    assert note("-t", "spell:en@9", "-n", "230") == (
        "230 items ask about 218 different instances; --unique leaves out repeats\n"
    )
    assert note("-t", "spell:en@9", "-n", "70") == note("-t", "freq:en@0", "-n", "90") == ""


def test_unique_items_stop_where_repeats_would_begin() -> None:
    """And the message says how many they are."""
    arguments = ["-t", "spell:en@9", "--unique"]
    assert items(*arguments, "-n", "230") == list(dataset("spell:en@9"))
    assert note(*arguments, "-n", "230") == "218 items in all\n"
    both = items(*arguments, "-t", "freq:en@0", "-n", "600")
    assert both == list(mixture(["spell:en@9", "freq:en@0"], n=600, unique=True))
    assert "no effect on --published" in run("--published", "tase", ".", "--unique", status=2)


def test_the_size_of_a_suite_is_printed() -> None:
    """`-n` is in all, evenly spaced, so that small numbers have many parts too."""
    assert note("--suite", "tase", "-n", "20") == "20 items in all\n"
    assert note("--suite", "adt", "--unique", "-n", "3") == "3 items in all\n"
    assert note("--suite", "tase", "--start", "41995") == "5 items in all\n"


def test_the_size_does_not_count_omitted_items(tmp_path: Path) -> None:
    words, out = tmp_path / "words.txt", tmp_path / "items.jsonl"
    words.write_text("\n".join(item.solution.replace(" ", "") for item in dataset("spell:en", n=9)))
    spell = ["-t", "spell:en", "--exclude", str(words), "--force", "-o", str(out)]

    def last_line(*arguments: str) -> tuple[str, int]:
        said = note(*spell, *arguments).splitlines()
        assert said[0].startswith("left out 9 items ")
        return said[-1], len(out.read_text(encoding="utf-8").splitlines())

    sized = last_line("-t", "sort:en", "--unique", "-n", "300")
    assert sized == ("300 items in all", 300)
    assert last_line("--unique", "-n", "1740") == ("1,731 items in all", 1731)
    out.unlink()
    assert " items, with those left out, ask about 1,740 " in note(*spell, "-n", "1900")


def test_the_list_of_tasks_has_their_sizes() -> None:
    """The range over the parts."""
    table = CliRunner().invoke(app, ["tasks"]).stdout.splitlines()
    (furigana,) = (line for line in table if line.startswith("furigana"))
    assert f"  {len(dataset('furigana:ja')):,}  " in furigana
    (freq,) = (line for line in table if line.startswith("freq"))
    assert "  no end  " in freq
    (var,) = (line for line in table if line.startswith("var"))
    assert "783–1,403 or no end" in var
