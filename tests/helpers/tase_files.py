"""A small checkout of the published TASE files, with invented rows."""

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tokenbench.item import Item
from tokenbench.published.tase import read

FREQ = 'How many times does "owl" appear in the following text? Text: fog owl tin owl'
SCRIPT = "Classify the character.\ncharacter: 'ろ'\n"
BITMAP = "Classify the bitmap (hanzi):\n[[0, 1], [1, 1]]"
SPLIT_ZH = "请将“把”拆分为可重新组合的基本部件."
COMBINE_KO = "다음 자모를 조합하세요: ㅅ, ㅏ, ㅅ"
SORT = "Sort.\nA: fog\nB: fog owl\nC: fog owl tin"
DIFF = "Same?\nseq1: {}\nseq2: {}"

# For each file that holds it: task, evaluation, stem, prompt, a right label.
ROWS = [
    ("freq_count", "number", "english", FREQ, "2"),
    ("sort_lengths", "match_answer", "english", SORT, "CBA"),
    ("component_count", "number", "english", 'Does the letter "o" appear in fog owl?', "2"),
    ("component_count", "number", "chinese", '"把爸"的字形中有多少"巴"存在', "2"),
    ("component_count", "number", "korean", '"값사"에서 "ㅏ"는 몇 회 출현하였습니까?', "2"),
    ("dot_matrix", "match_answer", "char_classification", SCRIPT, "kana"),
    ("dot_matrix", "match_answer", "bitmap_classification_final", BITMAP, "人"),
    ("component_split", "split", "en_split", "Split rawness into from r to w, from n to s.", ""),
    ("component_split", "split", "zh_split", SPLIT_ZH, "手,巴;扌,巴"),
    ("component_split", "split", "kor_split", "'값'의 초성, 중성, 종성은?", "ㄱ, ㅏ, ㅄ"),
    ("component_split", "match_answer", "en_combine", "Combine {nel}, {tun}.", "tunnel"),
    ("component_split", "match_answer", "zh_combine", "使用“贝 才”可以组成哪个汉字？", "财"),
    ("component_split", "match_answer", "kor_combine", COMBINE_KO, "삿"),
    ("structure_riddle", "match_answer", "english", "Fold attire into case (6)", "crease"),
    ("structure_riddle", "match_answer", "chinese", "有虫就有蚁(猜一字)", "义"),
    ("variant_normalize", "match_answer", "english", "Recover it.\nWord: ꜱа𝚝𑣃𝓷", "satin"),
    ("variant_normalize", "match_answer", "digital", "Recover it.\nNumber: 𝟩𝟙𝟪𝟚", "7182"),
    ("diff_tokens", "diff", "english", DIFF.format("fog owl", "owl"), "fog"),
    ("diff_tokens", "diff", "korean", DIFF.format("산물눈", "물산"), "눈"),
]
ROWS = [(*row[:4], row[4] or "raw, ness") for row in ROWS]


def checkout(root: Path, task: str, evaluation: str, **files: str | bytes) -> Path:
    """Write a group of files, by their stems, and the JSON file that lists it."""
    folder = root / "tasks" / task
    folder.mkdir(parents=True, exist_ok=True)
    (root / "data").mkdir(exist_ok=True)
    for stem, content in files.items():
        data = content.encode() if isinstance(content, str) else content
        (folder / f"{stem}.csv").write_bytes(data)
    names = [f"tasks/{task}/{stem}.csv" for stem in files]
    group = {"group": "mine", "task": task, "files": names, "evaluation": evaluation}
    listing = root / "data" / f"{len(list((root / 'data').iterdir())):02}.json"
    listing.write_text(json.dumps([group]), encoding="utf-8")
    return root


def items(root: Path, *rows: Sequence[str]) -> list[Item]:
    """Return the items of a checkout with one file for each row: as in ROWS, and a variation."""
    for group, evaluation, stem, prompt, label, *variation in rows:
        text = io.StringIO()
        columns = ["input", "answer", *(["variation"] if variation else [])]
        csv.writer(text).writerows([columns, [prompt, label, *variation]])
        checkout(root, group, evaluation, **{stem: text.getvalue()})
    return read(root)


def one_file_checkout(root: Path, rows: list[tuple[Any, ...]]) -> Path:
    """Write a checkout of the published benchmark with one file."""
    name = "tasks/token_awareness/sentence_length/english.csv"
    file = root / name
    file.parent.mkdir(parents=True)
    with file.open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream).writerows([("input", "answer"), *rows])
    (root / "data").mkdir()
    listing = [{"task": "sentence_length", "files": [name], "evaluation": "number"}]
    (root / "data" / "all.json").write_text(json.dumps(listing))
    return root
