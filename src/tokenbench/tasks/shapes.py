"""What a target must hold before anything is judged by it."""

from collections.abc import Callable, Mapping
from typing import Final

from tokenbench.errors import ItemError
from tokenbench.item import Json


def proper_target(target: Json, fields: Mapping[str, str], task: str) -> None:
    """Check that a target holds what judging reads.

    Raises:
        ItemError: a field is missing or of another type.
    """
    for name, kind in fields.items():
        value = target.get(name) if isinstance(target, dict) else None
        if not _KINDS[kind](value):
            raise ItemError(
                f"the target of a {task} item is an object with {name!r}, a {kind}: "
                f"got {target!r:.80}"
            )


def _is_count(value: Json) -> bool:
    return type(value) is int and value >= 0


def _is_text(value: Json) -> bool:
    return isinstance(value, str)


def _is_texts(value: Json) -> bool:
    return isinstance(value, list) and all(isinstance(part, str) for part in value)


def _is_counts(value: Json) -> bool:
    return isinstance(value, list) and all(map(_is_count, value))


def _is_lists(value: Json) -> bool:
    return isinstance(value, list) and all(map(_is_texts, value))


def _is_texts_or_none(value: Json) -> bool:
    return value is None or _is_texts(value)


def _is_lists_or_none(value: Json) -> bool:
    return value is None or _is_lists(value)


def _is_flag(value: Json) -> bool:
    return isinstance(value, bool)


_KINDS: Final[dict[str, Callable[[Json], bool]]] = {
    "whole number": _is_count,
    "list of whole numbers": _is_counts,
    "bool": _is_flag,
    "str": _is_text,
    "list of str": _is_texts,
    "list of str, or none": _is_texts_or_none,
    "list of lists of str": _is_lists,
    "list of lists of str, or none": _is_lists_or_none,
}
