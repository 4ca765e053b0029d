"""Published rows meet the corpus: no attack is paid, every right spelling is."""

from pathlib import Path

import pytest
from charbench_files import RECORDS, write
from cute_files import ROWS as CUTE
from tase_files import ROWS as TASE
from tase_files import items

from tokenbench import catalog, score
from tokenbench.item import Item
from tokenbench.published import charbench, cute
from tokenbench.testing import attacks, respellings
from tokenbench.testing.attack_families import BLIND

# Sentences that hold quotation marks, contractions and hyphens, as CUTE's do.
SENTENCES = [
    '"Go on," he said.',
    'He said, "Go!"',
    "“Go” or “don't go”",
    "'Go' is well-known, isn't it?",
    "go - and go...",
]
FARMED = 0.1  # mean partial credit of blind attempts, as `conformance` allows


def meets_the_corpus(item: Item) -> None:
    for family, completions in attacks(item).items():
        if family == "flood":
            continue
        for completion in completions:
            assert score(completion, item) == 0.0, (family, completion, item.prompt)
            if family in BLIND:
                credit = score(completion, item, rule="graded")
                assert credit <= FARMED, (family, completion, item.prompt)
    for family, spelled in respellings(item).items():
        for completion in spelled:
            assert score(completion, item) == 1.0, (family, completion, item.prompt)


@pytest.mark.parametrize("row", TASE, ids=lambda row: row[2])
def test_of_tase(tmp_path: Path, row: tuple[str, ...]) -> None:
    (item,) = items(tmp_path, row)
    meets_the_corpus(item)


@pytest.mark.parametrize("stem", CUTE)
def test_of_cute(tmp_path: Path, stem: str) -> None:
    lines = list(CUTE[stem])
    if stem == "del_word":
        lines += [f"Zeal\tZeal {text}\t{text}" for text in SENTENCES]
    if stem == "ins_word":
        lines += [f"owl\tZeal\tZeal {text}\tZeal owl {text}" for text in SENTENCES]
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / f"{stem}.tsv").write_text("\n".join(lines), encoding="utf-8")
    for item in cute.read(tmp_path):
        if item.task in catalog():
            assert score(f"<answer>{item.meta['label']}</answer>", item) == 1.0
            meets_the_corpus(item)


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record["task"])
def test_of_charbench(tmp_path: Path, record: dict[str, object]) -> None:
    (item,) = charbench.read(write(tmp_path / "one.jsonl", [record]))
    meets_the_corpus(item)
