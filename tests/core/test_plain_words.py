"""The check for plain names and sentences finds each kind of fault, and passes plain text."""

from pathlib import Path

import plain_words
import pytest

PLAIN = '''"""Count the words of a text."""

from typing import Final

_MAX_WORDS: Final = 40  # longer texts are cut


def count_words(text: str) -> int:
    """Return how many words a text has.

    Raises:
        ValueError: the text is not longer than a word.

    >>> count_words("so many, so often: what is lest beside")
    7
    """
    if not text:
        raise ValueError(f"expected a text, got {text!r}")
    return len(text.split())


def quoted(text: str) -> str:
    return f"“{text}”"


def permuted(index: int, size: int) -> int:
    return (index + 1) % size


def need_words(text: str) -> bool:
    """Say whether there is no word, or no longer one. What is a word?"""
    return not text


class Shuffler:
    def shuffled(self, values: list[int]) -> list[int]:
        return values[::-1]
'''
PAGE = "# Words\n\nA word is a run of letters. What is a letter? `what is` and below is code.\n"


def check_project(
    tmp_path: Path, code: str, page: str = PAGE, *options: str, name: str = "words.py"
) -> int:
    """Check a project of one module and one page, and return the exit status."""
    module = tmp_path / "src" / "tokenbench" / "text" / name
    module.parent.mkdir(parents=True)
    module.write_text(code, encoding="utf-8")
    (tmp_path / "README.md").write_text(page, encoding="utf-8")
    return plain_words.main([str(tmp_path), *options])


def test_plain_words_pass(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Verbs, transforms of one argument, questions, examples and code in prose are fine."""
    assert check_project(tmp_path, PLAIN) == 0
    rates = capsys.readouterr().out.splitlines()
    assert [rate.split()[:2] for rate in rates if rate] == [
        [f"{area}:", "0.0"] for area in ("src", "docs", "tests", "tools", "benchmarks")
    ]


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("def found_words(text): ...", "function found_words"),
        ("async def _written(text): ...", "function _written"),
        ("def quoted(text, mark): ...", "function quoted"),
        ("class ShownItem: ...", "class ShownItem"),
        ("class A:\n    def held(self): ...", "function held"),
        ("_KNOWN: int = 3", "constant _KNOWN"),
    ],
)
def test_participles_as_names_are_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str, complaint: str
) -> None:
    """With the file and the line."""
    assert check_project(tmp_path, f"{PLAIN}\n\n{line}\n") == 1
    path, number, what = capsys.readouterr().out.splitlines()[-1].split(":")
    assert (path, what) == ("src/tokenbench/text/words.py", f" {complaint}")
    start = len(PLAIN.splitlines()) + 3
    assert int(number) in range(start, start + 2)


@pytest.mark.parametrize("text", ["{len(rows)} rows", "{self.n_rows:,} more rows", "{count} rows"])
def test_a_number_before_a_plural_noun_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    """It may be 1."""
    function = 'def note(rows, count):\n    return f"{}"\n'
    assert check_project(tmp_path, PLAIN + function.format(text)) == 1
    assert "write pluralize(" in capsys.readouterr().out
    for right in ("{pluralize(len(rows), 'row')}", "{len(rows)} is too long", "{name} has no rows"):
        assert check_project(tmp_path / right[:6], PLAIN + function.format(right)) == 0


def test_a_module_may_not_be_named_by_a_participle(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Neither `told.py` nor `told_words.py`."""
    assert check_project(tmp_path, PLAIN, name="told_words.py") == 1
    assert "told_words.py:1: module told_words" in capsys.readouterr().out


@pytest.mark.parametrize("area", ["tests/text", "tools", "benchmarks"])
def test_helpers_elsewhere_are_checked_as_a_share(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], area: str
) -> None:
    """Of those that begin with a participle; the words that are always denied fail at once."""
    file = tmp_path / area / "helpers.py"
    file.parent.mkdir(parents=True)
    verbs = "".join(f"def make_{number}(): ...\n" for number in range(40))
    for name, status in (("written", 0), ("held", 1)):
        file.write_text(f"{verbs}def {name}(): ...\n")
        assert plain_words.main([str(tmp_path)]) == status
        assert (f"{area}/helpers.py:41: function held" in capsys.readouterr().out) == bool(status)
    file.write_text(f"{verbs}def written(): ...\ndef sent(): ...\ndef test_sent(): ...\n")
    assert plain_words.main([str(tmp_path)]) == 1
    assert "4.8 % of the helpers begin with a participle" in capsys.readouterr().out


def test_names_of_tests_are_read_as_sentences(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "tests" / "test_words.py"
    file.parent.mkdir()
    file.write_text("def test_what_is_left_is_counted(): ...\n")
    assert plain_words.main([str(tmp_path)]) == 1
    assert "tests/test_words.py:1: “what is” in: " in capsys.readouterr().out


@pytest.mark.parametrize("folder", ["src/tokenbench", "docs", "examples", "tests", "tools"])
def test_tuples_unpacked_where_they_are_written_are_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], folder: str
) -> None:
    """A name may be unpacked."""
    file = tmp_path / folder / "words.py"
    file.parent.mkdir(parents=True)
    for code, status in (("a = [*b, 'c']", 0), ("a = [*('b', 'c'), *('d', 'e')]", 1)):
        file.write_text(f"{code}\n")
        assert plain_words.main([str(tmp_path)]) == status
    assert f"{folder}/words.py:1: *('b', 'c'): write the values" in capsys.readouterr().out


def test_families_of_attacks_keep_their_names(tmp_path: Path) -> None:
    """They are keys of results; the words that are always denied are denied there, too."""
    for name, status in (("broken_tags", 0), ("_broken_tags", 1), ("told_tags", 1)):
        folder = tmp_path / name / "src" / "tokenbench" / "testing"
        folder.mkdir(parents=True)
        (folder / "tags.py").write_text(f"def {name}(item): ...\n")
        assert plain_words.main([str(tmp_path / name)]) == status


@pytest.mark.parametrize("phrase", ["Return what is left.", "This is no word."])
@pytest.mark.parametrize(
    "form", ['"""{}"""', "a = 1  # {}", "raise ValueError('{}')", "f(help='{}')"]
)
def test_headless_phrases_of_code_are_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str, phrase: str
) -> None:
    """In docstrings, comments, errors and help."""
    assert check_project(tmp_path, form.format(phrase)) == 1
    assert "src/tokenbench/text/words.py:1: “" in capsys.readouterr().out


def test_a_phrase_may_span_two_lines_of_a_comment(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is reported on the first."""
    assert check_project(tmp_path, "a = 1\n# This tells what\n# is left.\n") == 1
    assert "words.py:2: “what is” in: This tells what is left." in capsys.readouterr().out


def test_other_strings_are_not_read(tmp_path: Path) -> None:
    """A prompt may use any words."""
    assert check_project(tmp_path, "PROMPT = 'Write what is shown.'\n") == 0


def test_headless_phrases_of_documents_are_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the line, unless a script has written the document; then the script is read."""
    assert check_project(tmp_path, PLAIN, f"{PAGE}\nSay what\nis there.\n") == 1
    assert "README.md:5: “what is” in: " in capsys.readouterr().out
    (tmp_path / "README.md").write_text("<!-- Written by docs/a.py -->\n\nSay what is there.\n")
    assert plain_words.main([str(tmp_path)]) == 0
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.py").write_text("TEXT = 'Say what is there.'\n")
    assert plain_words.main([str(tmp_path)]) == 1


def test_the_limit_is_a_rate(tmp_path: Path) -> None:
    """One phrase in 1,000 words is allowed, and two are not, unless the limit says so."""
    words = "word " * 997
    page = f"Say what is {words}"
    assert check_project(tmp_path, PLAIN, page) == 0
    (tmp_path / "README.md").write_text(f"{page} what is")
    assert plain_words.main([str(tmp_path)]) == 1
    assert plain_words.main([str(tmp_path), "--limit", "2"]) == 0


def test_list_counts_by_package(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without the complaints, and with the same status."""
    assert check_project(tmp_path, "def told(): ...  # what is told", PAGE, "--list") == 1
    rows = [line.split() for line in capsys.readouterr().out.splitlines()[5:]]
    assert rows == [["text", "names", "1"], ["text", "phrases", "1"]]
