"""A mixture of items, and a model that answers every other one of them rightly."""

from typing import Final

from tokenbench.integrations.verifiers import mix_parts

PARTS: Final = "reord:zh@1,spell:en,compm:ko:split"
ITEMS: Final = [*mix_parts(PARTS, n=8, seed=3, split="test")]


def reply(prompt: str) -> str:
    """Answer every other item rightly, the rest almost, and the first not at all."""
    place = [item.prompt for item in ITEMS].index(prompt)
    if place == 0:
        return "I do not know."
    solution = ITEMS[place].solution
    return f"<answer>{solution if place % 2 else solution[:-2]}</answer>"
