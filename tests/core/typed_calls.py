"""Right and wrong calls, as a type checker sees them: `make lint` runs mypy over this file.

It never runs. A wrong call is one that mypy refuses, for the reason in its comment; if it no longer
does, mypy reports that the comment is unused.
"""

from pathlib import Path

from tokenbench import (
    Item,
    check,
    dataset,
    furigana,
    lenop,
    mixture,
    prompt,
    reord,
    score,
    score_batch,
    spell,
    suite,
    task,
)
from tokenbench.scoring import RULES


def right_calls(lang: str, item: Item) -> None:
    reord.generate(seed=1, lang="zh", split="test", level=3, index=10**9, length=(8, 12))
    reord.generate(text=Path("text.txt"), variant=None)
    lenop.generate(lang="ko", variant="write")
    spell.generate(lang="sw", pack="sw.txt", script="Ol Chiki")
    furigana.generate()
    furigana.generate(lang="ja")
    task("reord").generate(lang=lang, length=8)
    dataset("reord", lang="zh", split="validation")
    mixture({"reord:zh": 1.0}, split="test")
    suite("tase", size=10)
    prompt(item, "cot")
    check("", item, rule="graded", extract=lambda text: text)
    score_batch(["3"], item, extract="boxed")
    for rule in RULES:
        score("3", item, rule=rule)


def wrong_calls(item: Item) -> None:
    reord.generate(split="dev")  # type: ignore[arg-type]
    reord.generate(level="3")  # type: ignore[arg-type]
    dataset("reord", split="dev")  # type: ignore[arg-type]
    mixture({"reord:zh": 1.0}, split="dev")  # type: ignore[arg-type]
    suite("taste")  # type: ignore[arg-type]
    prompt(item, "few-shot")  # type: ignore[arg-type]
    score("3", item, rule="f1")  # type: ignore[arg-type]
    score("3", item, extract="anwser")  # type: ignore[arg-type]
    check("3", item, rule="best")  # type: ignore[arg-type]
    score_batch(["3"], item, rule="best")  # type: ignore[arg-type]
