"""`tokenbench pack`: the faults of a pack, a new one from a text, and a look at one."""

from functools import partial
from pathlib import Path
from shutil import copy
from typing import Any

import pytest
from command import invoke, output

from tokenbench import dataset
from tokenbench.draw import SPLITS
from tokenbench.text import languages
from tokenbench.text.packs import findings, pack
from tokenbench.text.packs.findings import portions

TURKISH = str(Path(__file__).parents[1] / "helpers/turkish.txt")


run = partial(output, "pack")


def copy_texts(code: str, folder: Path) -> None:
    """Copy the prompts and the answer words of a language that ships."""
    for name in ("prompts.toml", "language.toml"):
        copy(Path(languages.__file__).parent / code / name, folder)


def test_the_command_has_help() -> None:
    assert "Usage: " in run("check", "-h")


def test_a_sound_pack_passes_with_a_summary(tmp_path: Path) -> None:
    pack("de").save(tmp_path / "de")
    copy_texts("de", tmp_path / "de")
    shown = run("check", str(tmp_path / "de"))
    rows = [line.split() for line in shown.splitlines()]
    found = portions(pack("de")).values()
    total = [sum(parts) for parts in zip(*found, strict=True)]
    assert ["all", *map(str, total)] in rows
    assert {"train", "validation", "test"} <= {row[0] for row in rows if row}
    alphabet = pack("de").alphabet
    assert f"{len(alphabet)} characters: {' '.join(alphabet[:3])} " in shown
    assert "\nCan be used: yes, with lang='de' " in shown
    assert shown.endswith("\nTo ship with tokenbench it needs: 0 to fix, 0 to check.\n")
    run("check", str(tmp_path / "de"), "--to-ship")


def test_missing_parts_are_listed_line_by_line_and_set_the_exit_status(tmp_path: Path) -> None:
    pack("de").save(tmp_path)
    file = tmp_path / "sentences.txt"
    rows = file.read_text(encoding="utf-8").splitlines()
    rows[4] = "Die Lampe \x1b[31m war aus"
    file.write_text("\n".join(rows), encoding="utf-8")
    shown = run("check", str(tmp_path), "--lang", "de")
    assert ["lacks", "5", "marks", "does", "not", "end", "with", "a", "final", "mark"] in [
        line.split() for line in shown.splitlines()
    ]
    assert "\x1b" not in shown
    copy_texts("de", tmp_path)
    shown = run("check", str(tmp_path), "--lang", "de")
    lacking = [found for found in findings(tmp_path) if found.kind == "lacks"]
    assert f"\nTo ship with tokenbench it needs: {len(lacking)} to fix, " in shown
    run("check", str(tmp_path), "--to-ship", status=1)


def test_a_language_needs_prompts_and_answer_words_of_its_own(tmp_path: Path) -> None:
    """Missing files, missing texts and English texts are reported next to faults of the pack."""
    folder = tmp_path / "de"
    pack("de").save(folder)
    shown = invoke("pack", "check", folder, "--to-ship", status=1).stdout
    assert "needs: 2 to fix, 0 to check" in shown
    assert "no prompts.toml, or an empty one: " in shown
    copy_texts("en", folder)
    shown = run("check", str(folder), "--to-ship")
    assert "needs: 0 to fix, 2 to check" in shown
    assert "prompts.toml is still as in English at closings, steps, examples and " in shown
    assert "language.toml is still as in English at 'answers.same', 'answers.places'" in shown
    (folder / "prompts.toml").write_text('closings = ["Nika impendulo."]\n', encoding="utf-8")
    assert "prompts.toml does not have steps, examples, " in run("check", str(folder))
    (folder / "prompts.toml").write_text("closings", encoding="utf-8")
    assert "prompts.toml' is not TOML" in run("check", str(folder), status=2)


def test_a_text_is_checked_as_a_pack_would_be(tmp_path: Path) -> None:
    assert "30 sentences: 300 are needed" in run("check", TURKISH, "--lang", "tr")
    assert "lang" in run("check", TURKISH, status=2)
    assert "cannot read" in run("check", str(tmp_path / "none"), "--lang", "tr", status=2)


def test_a_pack_that_cannot_ship_can_be_used_as_the_table_says() -> None:
    lines = [line.split() for line in run("check", TURKISH, "--lang", "tr").splitlines()]
    rows = {tuple(line[:-3]): line[-3:] for line in lines}
    for part in ("spell:tr:char", "swap:tr:word", "count_char:tr"):
        sizes = []
        for split in SPLITS:
            arguments: dict[str, Any] = {"split": split, "pack": TURKISH}
            sizes.append(str(len(dataset(part, **arguments))))
        name, _, *variant = part.split(":")
        assert rows[(name, *variant)] == sizes


def test_a_pack_that_no_task_can_use_is_a_status(tmp_path: Path) -> None:
    (tmp_path / "xyz").mkdir()
    (tmp_path / "xyz" / "sentences.txt").write_text("1.\n", encoding="utf-8")
    shown = invoke("pack", "check", tmp_path / "xyz", status=1).stdout
    assert "\nCan be used: no. " in shown


@pytest.mark.parametrize("code", ["turkish", "zz zz", "TR"])
def test_a_language_that_is_not_a_code_is_refused(code: str) -> None:
    message = run("check", TURKISH, "--lang", code, status=2)
    assert "lang" in message
    assert code in message
