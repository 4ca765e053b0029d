"""A small checkout of CUTE's published files, with invented rows."""

from pathlib import Path

ROWS = {
    "contains_char": ["input1\tinput2\tlabel", "o\tfog\tYes"],
    "contains_char_rand": ["input1\tinput2\tlabel", "q\tzxv\tNo"],
    "contains_word": ["input1\tinput2\tlabel", "owl\tThe owls slept.\tNo"],
    "del_char": ["input1\tinput2\tlabel", "l\tfull\tfu"],
    "del_word": ["input1\tinput2\tlabel", "slept\tThey slept, then left.\tThey, then left."],
    "ins_char": ["input1\tinput2\tinput3\tlabel", "x\tl\tfull\tfulxlx"],
    "ins_word": ["input1\tinput2\tinput3\tlabel", "now\tgo\tGo on, go!\tGo on, go now!"],
    "orth": ["input1\tinput2\tinput3\tlabel", "fog\tfrog\tmist\tfrog"],
    "sem": ["input1\tinput2\tinput3\tlabel", "fog\tfrog\tmist\tmist"],
    "spell": ["input1\tlabel", "null\tn u l l"],
    "spell_inverse": ["input1\tlabel", "n a n\tnan"],
    "spell_inverse_rand": ["input1\tlabel", "z x v\tzxv"],
    "spell_rand": ["input1\tlabel", "zxv\tz x v"],
    "sub_char": ["input1\tinput2\tinput3\tlabel", "l\tr\tfull\tfurr"],
    "sub_word": ["input1\tinput2\tinput3\tlabel", "go\trun\tGo on, go!\tGo on, run!"],
    "swap_char": ["input1\tinput2\tinput3\tlabel", "f\tg\tfog\tgof"],
    "swap_word": ["input1\tinput2\tinput3\tlabel", "Owls\tmice\tOwls eat mice.\tmice eat Owls."],
}


def checkout(root: Path, **files: str) -> Path:
    """Write files into `data/`, by their stems."""
    (root / "data").mkdir(exist_ok=True)
    for stem, content in files.items():
        (root / "data" / f"{stem}.tsv").write_bytes(content.encode())
    return root
