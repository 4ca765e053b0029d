"""Write docs/respellings.md: which forms of a right answer each task accepts.

`make docs-measured` runs this script. It takes a minute or two of one processor.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from _tables import table

from tokenbench import check
from tokenbench.cli.options import mix_parts, part_names
from tokenbench.item import Item
from tokenbench.testing import respellings
from tokenbench.testing.respelling_families import RESPELLING_FAMILIES, STYLES, RespellingFamily

WRITTEN: Final = Path(__file__).resolve().parent / "respellings.md"
EACH: Final = 4  # items of each task, variant and language
MAX_EXAMPLE_CHARS: Final = 90

INTRODUCTION: Final = """\
<!-- Written by docs/respellings.py (`make docs-measured`): change the corpus, not this. -->

# Respellings

A reward that refuses right answers teaches a model to fear whatever it wrote around them.
`tokenbench.testing.respellings` contains the forms that count as right: completions whose answer is
right, in the words and marks of six families of chat models, in the language of the item and in
English. `conformance` and `tokenbench attack` judge tasks by them, `rates` and `check_reward` your
own reward. [Answer](answer.md) has the rules behind them.

```python
from tokenbench import freq
from tokenbench.testing import respellings

item = freq.generate(lang="zh")
respellings(item)["label"]        # '<answer>Answer: 4</answer>', …, '<answer>答案：4</answer>', …
```"""

BY_FAMILY: Final = """\
## Families

*Accepted* is the share of completions that earn 1.0 under `exact`. In the examples `⏎` is the end
of a line. The language *any* is for forms without words; English forms are sent in all."""

BY_TASK: Final = """\
## What is refused

Every family with a completion that earns less than 1.0, by task and variant: how many of the
completions, in which languages, one of them, and the reason that `check` gives for it."""

NOTHING: Final = "Nothing: every completion of every family is accepted."

NEVER: Final = """\
## What does not count as right

Some completions look right to a reader and are refused all the same. They give no answer, or
the same form may state another one:"""
REFUSED: Final = [
    [
        "`<think>` or `</think>` named in a sentence",
        "It begins or ends a draft: nothing tells it from the real tag.",
    ],
    [
        "an `<answer>` that is never closed",
        'The answer may be cut off. Where a model stops at `</answer>`, take `extract="open"`.',
    ],
    ["two candidates, a hedge, a range", "Who pays “5 or 6” pays both."],
    ["another pair after the right one", "The last pair that is an answer counts."],
    ["`5 (0-based)` and other remarks", "The remark may change the number."],
    [
        "第5个, 5번째, 5番目, 5-я for a position that is counted from 0",
        "An ordinal counts from 1, and so means another place.",
    ],
    ["`- 5`", "Before a number the hyphen is a sign."],
    ["`5 = 5`, `2 + 3 = 5`", "A number is stated, not computed."],
    ["an object with other fields than `answer`", "It may contain several answers."],
    ["a label anywhere but at the start", "What precedes it is another answer, or a remark."],
]


@dataclass
class Tally:
    """The completions of a family that were sent, and those that were refused."""

    sent: int = 0
    refused: int = 0
    langs: set[str] = field(default_factory=set)
    example: str = ""
    reason: str = ""

    def add(self, completions: list[str], item: Item) -> None:
        """Judge the completions of an item."""
        for completion in completions:
            self.sent += 1
            verdict = check(completion, item)
            if verdict.score != 1.0:
                self.refused += 1
                self.langs.add(item.lang)
                if not self.example:
                    self.example, self.reason = completion, verdict.reason

    def share(self) -> str:
        """Return the share that was accepted."""
        accepted = 1 - self.refused / self.sent if self.sent else 0.0
        # Only what is whole reads as whole.
        return "100%" if not self.refused else f"{min(accepted, 0.9999):.2%}"


Tallies = dict[tuple[str, str], Tally]


def measure(parts: list[str], each: int = EACH) -> tuple[Tallies, dict[str, str]]:
    """Return the tally of each task and family, and an example of each family."""
    tallies: Tallies = defaultdict(Tally)
    examples: dict[str, str] = {}
    for part in parts:
        for item in mix_parts([part])[:each]:
            name = ":".join(filter(None, (item.task, item.variant)))
            for family, completions in respellings(item).items():
                tallies[name, family].add(completions, item)
                if item.lang == "en" or family not in examples:
                    offers = (examples.get(family), *completions[:2])
                    examples[family] = min(filter(None, offers), key=len)
    return tallies, examples


def text(tallies: Tallies, examples: dict[str, str]) -> str:
    """Return the text of docs/respellings.md."""
    blocks = [INTRODUCTION, _summary(tallies), BY_FAMILY]
    for style in STYLES:
        families = [one for one in RESPELLING_FAMILIES.values() if one.style == style]
        rows = [_family_row(one, tallies, examples) for one in families]
        head = ["family", "completions", "languages", "example", "sent", "accepted"]
        blocks += [f"### {style[0].upper()}{style[1:]}", table(head, rows)]
    refused = [_task_row(key, tally) for key, tally in sorted(tallies.items()) if tally.refused]
    head = ["task", "family", "refused", "languages", "completion", "reason"]
    blocks += [BY_TASK, table(head, refused) if refused else NOTHING]
    blocks += [NEVER, table(["form", "reason"], REFUSED)]
    return "\n\n".join(blocks) + "\n"


def _summary(tallies: Tallies) -> str:
    dressed = [
        tally
        for (_, family), tally in tallies.items()
        if RESPELLING_FAMILIES[family].style != "spelling"
    ]
    lines = []
    for what, some in (
        ("in the styles of the six families of models", dressed),
        ("in all, with spellings of the answer itself", list(tallies.values())),
    ):
        total = Tally(sum(one.sent for one in some), sum(one.refused for one in some))
        lines.append(f"- {total.sent:,} completions {what}: {total.share()} accepted")
    forms = sum(len(own) for one in RESPELLING_FAMILIES.values() for own in one.forms.values())
    header = (
        f"Measured over {EACH} items of each task, variant and language, with {forms} forms of "
        f"{len(RESPELLING_FAMILIES)} families:"
    )
    return "\n".join([header, "", *lines])


def _family_row(family: RespellingFamily, tallies: Tallies, examples: dict[str, str]) -> list[str]:
    total = Tally()
    for (_, name), tally in tallies.items():
        if name == family.name:
            total.sent += tally.sent
            total.refused += tally.refused
    example = _code(examples[family.name]) if family.name in examples else "–"
    langs = " ".join(sorted(family.forms, key=lambda code: (code != "any", code))) or "any"
    return [
        f"`{family.name}`",
        family.completions,
        langs,
        example,
        f"{total.sent:,}",
        total.share(),
    ]


def _task_row(key: tuple[str, str], tally: Tally) -> list[str]:
    name, family = key
    langs = " ".join(sorted(tally.langs))
    reason = " ".join(tally.reason.split()).replace("|", "\\|").replace("<", "\\<")
    count = f"{tally.refused:,} of {tally.sent:,}"
    return [f"`{name}`", f"`{family}`", count, langs, _code(tally.example), reason]


def _code(completion: str) -> str:
    """Return a completion as code in a table: on one line, without its middle if it is long."""
    visible = "".join(_visible_chars(completion))
    if len(visible) > MAX_EXAMPLE_CHARS:
        half = MAX_EXAMPLE_CHARS // 2
        visible = f"{visible[:half]}…{visible[-half:]}"
    # A longer fence than any within, and a space where the text has one at its end.
    fence, padding = ("````", " ") if "`" in visible else ("`", "")
    escaped = visible.replace("|", "\\|")
    return f"{fence}{padding}{escaped}{padding}{fence}"


def _visible_chars(text: str) -> Iterator[str]:
    for char in text.replace("\r\n", "\n"):
        yield "⏎" if char == "\n" else char if char.isprintable() else f"\\u{ord(char):04x}"


def main() -> None:
    """Write the file."""
    WRITTEN.write_text(text(*measure(part_names())), encoding="utf-8")


if __name__ == "__main__":
    main()
