"""Models that know the answers and give them as often as they are told: runs to report on."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import chain
from typing import Final

from tokenbench import catalog, dataset, task
from tokenbench.item import Item, Json
from tokenbench.run import Completion, Request, Sampling

# Text of completions that a page must not interpret: markup, controls, long lines, many marks.
HOSTILE: Final = (
    "<script>document.title = 'taken'</script><answer><b onclick=alert(1)>x</b></answer>",
    "</script><img src=x onerror=alert(1)><answer>\"'><svg onload=document.title='taken'></answer>",
    "\x1b[31mred\x00\x07\u202eback\u2066 {{ 7 * 7 }} {% raw %} <answer>\x1b[0m\u202e1</answer>",
    "<answer>" + "W" * 3000 + "</answer>",
    "<answer>z" + "\u0335\u0336\u0315\u031b" * 80 + "</answer>",
    "\ud800 half a pair <answer>\udfff</answer>",
    '<answer>=HYPERLINK("http://example.org")</answer>',
    "<!-- <answer>--></answer> &lt;i&gt; ]]> -->",
)


class StubModel:
    """A model of a given skill; its answer depends on its name and the request alone.

    Args:
        name: its name.
        items: the items that it will be asked.
        skill: how often it is right on the easiest items, from 0 to 1.
        hostile: whether some of its completions are HOSTILE.
        fails: how many requests of a hundred fail.
    """

    def __init__(
        self,
        name: str,
        items: Iterable[Item],
        *,
        skill: float = 0.7,
        hostile: bool = False,
        fails: int = 0,
    ) -> None:
        self._name, self._skill, self._hostile, self._fails = name, skill, hostile, fails
        self._items = {item.prompt: item for item in items}
        self._asked = self._n_hostile = 0

    def stream(
        self,
        requests: Iterable[Request],
        sampling: Sampling,  # noqa: ARG002
    ) -> Iterator[tuple[int, Completion]]:
        """Answer each request at once."""
        for place, request in enumerate(requests):
            self._asked += 1
            yield place, self._completion(str(request.prompt), self._asked)

    def facts(self) -> Mapping[str, Json]:
        """Return who it is."""
        return {"client": "stub", "model": self._name}

    def _completion(self, prompt: str, number: int) -> Completion:
        item = self._items[prompt]
        luck = _luck(self._name, prompt, number)
        if luck(100) < self._fails:
            return Completion(None, error="<b>503</b> overloaded, please try again later")
        seconds = round(0.2 + luck(300) / 100, 3)
        if self._hostile and luck(5) == 0:
            text = HOSTILE[self._n_hostile % len(HOSTILE)]
            self._n_hostile += 1
        else:
            text = _reply(item, self._skill, luck)
        return Completion(text, "stop", len(prompt) // 4, max(1, len(text) // 4), seconds)


def items(
    n: int, langs: Sequence[str] = ("en", "zh", "ko", "ar", "hi"), levels: Sequence[int] = (0, 4, 9)
) -> list[Item]:
    """Return n items of each task and variant, in those of the languages that it speaks."""
    made: list[Item] = []
    for name in catalog():
        known = task(name)
        for variant in known.variants or (None,):
            for lang in known.langs:
                if lang in langs or (lang == "ja" and len(known.langs) == 1):
                    found = chain.from_iterable(
                        dataset(name, lang=lang, variant=variant, n=n, level=level, split="test")
                        for level in levels
                    )
                    made += found
    return made


def _reply(item: Item, skill: float, luck: Callable[[int], int]) -> str:
    level = item.meta["level"] or 0
    if luck(1000) < 1000 * skill * (1 - level / 14):
        return f"Let me look at it closely.\n<answer>{item.solution}</answer>"
    way = luck(6)
    if way == 0:
        return "I am not sure. Let me think again. " * (1 + luck(40))
    if way == 1 and "misled" in str(item.target):
        return f"<answer>{item.target['misled'][-luck(2)]}</answer>"
    if item.solution.isdecimal():
        wrong = (int(item.solution) + 1, int(item.solution) * 7 + 3, 0, 4096)[luck(4)]
        return f"Counting … {'one more, ' * luck(30)}<answer>{wrong}</answer>"
    if way in (1, 2):
        return f"<answer>{item.solution[:-1] or 'x'}</answer> or so"
    if way == 3:
        return f"<answer>{item.solution}</answer> <answer>{item.solution[::-1]}!</answer>"
    swapped = item.solution[1:2] + item.solution[:1] + item.solution[2:]
    return f"It is easy: <answer>{swapped if way == 4 else 'strawberry'}</answer>"


def _luck(*key: Json) -> Callable[[int], int]:
    """Return a function that gives one number after the other, below its argument."""
    state = blake2b(repr(key).encode(errors="replace"), digest_size=8).digest()

    def below(size: int) -> int:
        nonlocal state
        state = blake2b(state, digest_size=8).digest()
        return int.from_bytes(state) % size

    return below
