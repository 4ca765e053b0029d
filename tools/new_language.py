"""The skeleton of a language: its folder, with English texts to translate line by line.

`make new-language CODE=fy` (or `python tools/new_language.py fy`) writes it. Every task over
language packs speaks the language at once; `tokenbench pack check FOLDER` lists the missing parts.
"""

import argparse
import re
import shutil
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
LANGUAGES: Final = Path("src", "tokenbench", "text", "languages")
N_SENTENCES: Final = 337  # the first ones, which all packs tell
FILES: Final = ("pack.toml", "language.toml", "prompts.toml", "sentences.txt")
_PACK_COMMENT: Final = "# The language's own name for itself, and what translators should know.\n"
_NAME: Final = re.compile('^name = ".*"$', re.MULTILINE)
_ALIASES: Final = re.compile("^aliases = .*$", re.MULTILINE)
_NOTES: Final = re.compile('^notes = ".*"$', re.MULTILINE)


def write_language(code: str, root: Path = ROOT) -> list[Path]:
    """Write the folder of a language from the English one and return its files.

    Raises:
        SystemExit: the code is not one of BCP 47, or there is such a language.
    """
    if not re.fullmatch("[a-z]{2,3}(-[A-Za-z0-9]{1,8})*", code):
        raise SystemExit(f"CODE={code!r}: give a code of BCP 47, such as fy or pt-BR")
    folder, english = root / LANGUAGES / code, root / LANGUAGES / "en"
    if folder.exists():
        raise SystemExit(f"CODE={code!r}: there is such a language, {folder.relative_to(root)}")
    folder.mkdir()
    for name in FILES:
        shutil.copy(english / name, folder / name)
    facts = folder / "pack.toml"
    text = _NAME.sub(f'name = "{code}"', facts.read_text(encoding="utf-8"))
    text = _ALIASES.sub('aliases = ["Its English name"]', text)
    text = _NOTES.sub(
        'notes = "How words are cut, and which letters are letters of their own."', text
    )
    facts.write_text(f"{_PACK_COMMENT}{text}", encoding="utf-8")
    # The tasks of TASE, which count and move units and ask for texts, are in en, zh and ko only.
    prompts = folder / "prompts.toml"
    text, _, _ = prompts.read_text(encoding="utf-8").partition("\n# Tasks of some languages only.")
    prompts.write_text(text.replace("What English prompts say", "What prompts say"), "utf-8")
    words = folder / "language.toml"
    text, _, _ = words.read_text(encoding="utf-8").partition("\n# Written texts.")
    words.write_text(text[text.index("# What answers are made of") :], encoding="utf-8")
    sentences = folder / "sentences.txt"
    lines = sentences.read_text(encoding="utf-8").splitlines(keepends=True)
    sentences.write_text("".join(lines[:N_SENTENCES]), encoding="utf-8")
    return [folder / name for name in FILES]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("code")
    for file in write_language(parser.parse_args().code):
        print(f"wrote {file.relative_to(ROOT)}")
    print("next: translate them, then see CONTRIBUTING.md, How to add a language")
