"""Digests that are stored beside the tests: compared with what is found now, or written anew."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path

from tokenbench.item import Json

Digests = Mapping[str, Json]


def differences(stored: Path, found: Digests) -> list[str]:
    """Return what is not as stored, a line each."""
    known = json.loads(stored.read_text())
    return [
        f"{key}: stored {known.get(key)}, found {found.get(key)}"
        for key in sorted(known.keys() | found.keys())
        if known.get(key) != found.get(key)
    ]


def main(arguments: list[str], stored: Path, find: Callable[[], Digests]) -> int:
    """Check or write the stored digests; return the exit status."""
    if arguments == ["--write"]:
        stored.write_text(json.dumps(find(), indent=1) + "\n")
        return 0
    if arguments != ["--check"]:
        print("give one of --check and --write")
        return 2
    found = find()
    wrong = differences(stored, found)
    print("\n".join(wrong) or f"{len(found)} golden digests agree")
    return 1 if wrong else 0
