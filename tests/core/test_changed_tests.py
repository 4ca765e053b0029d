"""`make check` runs the tests of what changed."""

import pytest
from changed_tests import CORE, OF_LANGUAGES, ROOT, select_tests


@pytest.mark.parametrize(
    ("changed", "tests"),
    [
        (["src/tokenbench/vocab/bpe.py"], ["src/tokenbench/vocab", "tests/golden", "tests/vocab"]),
        (["src/tokenbench/cli/app.py"], ["src/tokenbench/cli", "tests/cli"]),
        (
            ["src/tokenbench/item.py"],
            ["src/tokenbench/item.py", "tests/core", "tests/golden/test_golden.py"],
        ),
        (
            ["src/tokenbench/text/languages/fy/pack.toml"],
            ["src/tokenbench/text", *OF_LANGUAGES],
        ),
        (["tests/vocab/test_bpe.py", "tests/vocab/test_bpe.py"], ["tests/vocab/test_bpe.py"]),
        (
            ["tests/vocab/test_bpe.py", "README.md"],
            ["tests/core/test_docs.py", "tests/vocab/test_bpe.py"],
        ),
        (["tests/core/test_docs.py", "conftest.py"], list(CORE)),
        (["tests/core/test_that_was_deleted.py"], list(CORE)),
        (["src/tokenbench/__init__.pyi"], list(CORE)),
        (["LICENSE"], list(CORE)),
        ([], list(CORE)),
    ],
)
def test_changed_files_lead_to_their_tests(changed: list[str], tests: list[str]) -> None:
    assert select_tests(changed) == tests


def test_every_package_leads_to_a_folder_of_tests() -> None:
    for file in ROOT.glob("src/tokenbench/*/__init__.py"):
        assert any(
            path.startswith("tests/") for path in select_tests([str(file.relative_to(ROOT))])
        )
