"""Every completion as the page holds it: JSON that its script shows when somebody looks."""

import json
from typing import Any, Final

from tokenbench.run.reporting.findings import Findings, items_of
from tokenbench.run.reporting.sheets import ITEMS, RESULTS
from tokenbench.run.reporting.texts import cut, visible

_BUDGET: Final = 8_000_000  # characters of completions that a page holds, about; so of prompts
_LEAST, _MOST = 300, 4_000  # characters of one


def rows(found: Findings) -> dict[str, Any]:
    """Return what the page's script needs: runs, items, and the completions as lists.

    Texts are cut to as much as a page can hold; the tables beside it have all of them.
    """
    items = items_of(found.runs)
    places = {key: place for place, key in enumerate(items)}
    room = room_of(found)
    prompts = _room(len(items))
    return {
        "runs": [shown.label for shown in found.runs],
        "rules": found.rules,
        "items": [
            [
                visible(row.column),
                visible(row.item.lang),
                row.item.meta.get("level"),
                cut(row.item.prompt, prompts, ITEMS),
                cut(row.item.solution, prompts, ITEMS),
            ]
            for row in items.values()
        ],
        "rows": [
            [
                row.run,
                places[row.result.id],
                row.result.place,
                row.result.sample,
                row.outcome,
                None if row.result.answer is None else cut(row.result.answer, room, RESULTS),
                cut(row.result.completion or row.result.error or "", room, RESULTS),
                [row.result.scores.get(rule) for rule in found.rules],
                row.result.finish and cut(row.result.finish, _LEAST),
                row.result.prompt_tokens,
                row.result.completion_tokens,
                row.result.seconds,
            ]
            for shown in found.runs
            for row in shown.rows
        ],
    }


def room_of(found: Findings) -> int:
    """Return how many characters of each completion the page holds."""
    return _room(sum(len(shown.rows) for shown in found.runs))


def as_script(value: Any) -> str:
    """Return JSON that can stand in a script element: nothing in it can end the element.

    >>> as_script(["</script>"])
    '["\\\\u003c/script\\\\u003e"]'
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for char in "<>&":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return text


def _room(number: int) -> int:
    return min(max(_BUDGET // max(number, 1), _LEAST), _MOST)
