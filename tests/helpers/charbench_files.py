"""A published file of CharBench, with invented rows, in each format that the reader takes."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

COLUMNS = ("question_idx", "question", "answer", "word", "character", "task")
ROWS: list[tuple[Any, ...]] = [
    (7, 'How many "l" are in "Null"?', 2, "Null", "l", "count_character_frequency"),
    (8, "How many letters, each once, has Papa?", 3, "Papa", None, "count_unique_chars"),
    (9, "Where is the first a of nan?", 1, "nan", "a", "find_first_occurrence"),
    (10, "Where is the last n of nan?", 2, "nan", "n", "find_last_occurrence"),
]
RECORDS = [dict(zip(COLUMNS, row, strict=True)) for row in ROWS]


def write(path: Path, records: list[dict[str, Any]]) -> Path:
    """Write rows in the format of a file's suffix."""
    match path.suffix:
        case ".csv" | ".tsv":
            with path.open("w", encoding="utf-8", newline="") as file:
                writer = csv.DictWriter(
                    file, records[0], delimiter="," if path.suffix == ".csv" else "\t"
                )
                writer.writeheader()
                writer.writerows(records)
        case ".json":
            path.write_text(json.dumps(records), encoding="utf-8")
        case ".jsonl":
            path.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
        case ".parquet":
            arrow = pytest.importorskip("pyarrow")
            pytest.importorskip("pyarrow.parquet").write_table(
                arrow.Table.from_pylist(records), path
            )
    return path
