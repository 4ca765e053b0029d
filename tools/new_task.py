"""The skeleton of a built-in task: its file, its wordings, its notes for the documents.

`make new-task NAME=vowels` (or `python tools/new_task.py vowels`) writes them, PAPER=… in another
paper's folder. The task works at once, with English words; make it yours, then regenerate documents
and golden files as the last lines of the output say.
"""

import argparse
import re
from pathlib import Path
from typing import Final

from tokenbench.builtin import PAPERS

ROOT: Final = Path(__file__).parents[1]
FOLDERS: Final = ("own", *PAPERS)

_TASK: Final = '''"""{title}: how many letters does a word have?"""

from tokenbench.answers.closed import Number
from tokenbench.draw import Draw
from tokenbench.tasks.contract import Task
from tokenbench.tasks.pools import english_words
from tokenbench.tasks.spec import ItemSpec, Question
from tokenbench.tasks.wordings import question_text


def solve(word: str) -> int:
    """Return the number of letters of a word.

    >>> solve("banana")
    6
    """
    return len(word)


def _ask(word: str, draw: Draw, spec: ItemSpec) -> Question:
    text = question_text(draw, "{name}", spec, word=word)
    return Question(text, solve(word), {{"length": len(word)}})


TASK = Task(
    name="{name}",
    doc="Count the letters of a word.",
    answer=Number(),
    pool=english_words,
    ask=_ask,
    source="the paper and section that the task comes from, or who had the idea",
)
generate = TASK.generate
verify = TASK.verify
'''
_WORDINGS: Final = """
[{name}]
ask = [
  "How many letters does the word “{{word}}” have?",
  "Count the letters of the word “{{word}}”.",
  "The word “{{word}}”: how many letters are in it?",
  "Please tell me how many letters make up the word “{{word}}”.",
  "I would like to know the number of letters in the word “{{word}}”.",
  "Letters in the word “{{word}}”, all of them: how many?",
]
"""
_NOTES: Final = """
[{name}]
example = {{ length = 6 }}
guesses = "numbers"
same = "Digits of any script, and one unit word after the number."
refused = "A sign, a second number, a range, a hedge, a number in words."
exact = "1.0 if the number is right."
graded = "max(0, 1 − |p̂ − p| / max(1, p/5)) for an answer p̂ and the right number p."
published = "There is no published scorer."

[{name}.judged]
target = {{ answer = 6 }}
answers = ["6", "6 letters", "7", "about 6"]
"""


def write_task(name: str, paper: str, root: Path = ROOT) -> list[Path]:
    """Write the skeleton of a task and return the files that were written or extended.

    Raises:
        SystemExit: a bad name, or there is such a task.
    """
    if not re.fullmatch("[a-z][a-z0-9_]*", name):
        raise SystemExit(f"NAME={name!r}: a task's name is lower-case letters, digits and _")
    if paper not in FOLDERS:
        raise SystemExit(f"PAPER={paper!r}: allowed are {', '.join(FOLDERS)}")
    tasks = root / "src" / "tokenbench" / "tasks"
    if taken := [*tasks.glob(f"*/{name}.py")]:
        raise SystemExit(f"NAME={name!r}: there is such a task, {taken[0].relative_to(root)}")
    written = tasks / paper / f"{name}.py"
    written.write_text(_TASK.format(name=name, title=name.upper()), encoding="utf-8")
    prompts = root / "src/tokenbench/text/languages/en/prompts.toml"
    notes = root / "docs" / "notes.toml"
    for path, text in ((prompts, _WORDINGS), (notes, _NOTES)):
        with path.open("a", encoding="utf-8") as stream:
            stream.write(text.format(name=name))
    return [written, prompts, notes]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("name")
    parser.add_argument("--paper", default=FOLDERS[0])
    arguments = parser.parse_args()
    for file in write_task(arguments.name, arguments.paper):
        print(f"wrote {file.relative_to(ROOT)}")
    print("next: write the task, then see CONTRIBUTING.md, How to add a task")
