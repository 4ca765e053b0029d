"""reasoning-gym: our tasks among its datasets, and some of its questions as our items."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final

from tokenbench.checks import instance, one_of
from tokenbench.datasets import dataset
from tokenbench.draw import Split
from tokenbench.errors import ItemError, expected, needs_extra
from tokenbench.integrations import to_prompt, validate
from tokenbench.item import Item, Json, as_item
from tokenbench.prompts import Style
from tokenbench.scoring import Rule, score
from tokenbench.tasks import catalog, task
from tokenbench.tasks.contract import UNBOUNDED

with needs_extra("tokenbench.integrations.reasoning_gym", "reasoning-gym"):
    from reasoning_gym.coaching import BaseCurriculum, ScalarAttributeDefinition
    from reasoning_gym.dataset import ProceduralDataset
    from reasoning_gym.factory import DATASETS, register_dataset

_PREFIX: Final = "tokenbench_"
# The published rules judge whole completions, which reasoning-gym does not pass on.
_RULES: Final = ("exact", "graded")


@dataclass
class Config:
    """The settings of a dataset of one of our tasks.

    `lang`, `variant`, `split`, `level` and the entries of `difficulty` are as in the task's
    `generate`; `lang` is English by default, or else the task's first language. `style` is as in
    `tokenbench.prompt`; `rule` is exact or graded.
    """

    lang: str | None = None
    variant: str | None = None
    split: Split = "train"
    level: int | None = None
    difficulty: dict[str, Any] = field(default_factory=dict)
    style: Style = "direct"
    rule: Rule = "exact"
    seed: int | None = None
    size: int = 500

    def validate(self) -> None:
        """Check the settings that do not depend on the task.

        Raises:
            UnknownNameError: no such rule or style.
        """
        validate(style=self.style)
        one_of("rule", self.rule, _RULES)


class TaskDataset(ProceduralDataset):
    """Items of one task; entry i is item i of `tokenbench.dataset` under the same seed."""

    # Each of the subclasses that `register` makes has one.
    task: str

    def __init__(self, config: Config) -> None:
        super().__init__(config=config, seed=config.seed, size=config.size)
        lang = config.lang or task(self.task).default_lang
        self._items = dataset(
            self.task,
            lang=lang,
            variant=config.variant,
            # Not `config.size`, because a composite reads entries beyond it.
            n=UNBOUNDED,
            seed=self.seed,
            split=config.split,
            level=config.level,
            **config.difficulty,
        )
        self._difficulty = {"lang": lang, "variant": config.variant, "level": config.level}

    @property
    def category(self) -> str:
        """The category under which reasoning-gym groups our datasets."""
        return "tokenbench"

    def __getitem__(self, idx: int) -> dict[str, Any]:
        """Return an entry; its metadata has the item as JSON text."""
        item = self._items[idx]
        return {
            "question": to_prompt(item, style=self.config.style, messages=False),
            "answer": item.solution,
            "metadata": {
                "source_dataset": _PREFIX + self.task,
                "source_index": idx,
                "item": item.json(),
                "difficulty": self._difficulty,
            },
        }

    def score_answer(self, answer: str | None, entry: Mapping[str, Any]) -> float:
        """Return the score of an answer without its tags, by the config's rule."""
        return score(answer, entry["metadata"]["item"], rule=self.config.rule, extract="raw")

    def __reduce__(self) -> tuple[Any, ...]:
        # `register` makes the class, so another process cannot import it.
        return _make_dataset, (self.task, replace(self.config, seed=self.seed))


def register() -> tuple[str, ...]:
    """Register each of our tasks with reasoning-gym, and return the names: tokenbench_reord, ….

    Each has a curriculum over our levels. A second call has no effect.
    """
    for name in catalog():
        if _PREFIX + name not in DATASETS:
            kind = type(f"{name.title()}Dataset", (TaskDataset,), {"task": name})
            register_dataset(_PREFIX + name, kind, Config, partial(_curriculum, name))
    return tuple(_PREFIX + name for name in catalog())


def _make_dataset(name: str, config: Config) -> Any:
    register()
    return DATASETS[_PREFIX + name][0](config)


def _curriculum(name: str) -> Any:
    curriculum = BaseCurriculum(_PREFIX + name, Config)
    levels = list(task(name).levels)
    level = ScalarAttributeDefinition(name="level", levels=levels, field_name="level")
    # Private, but reasoning-gym's own curricula also call it.
    curriculum._define_attributes(level)
    return curriculum


# For each of its datasets: the task and variant that judge its answers, and a function from the
# right answer to the target.
_JUDGES: Final[dict[str, tuple[str, str | None, Callable[[str], Json]]]] = {
    "letter_counting": ("count_char", None, lambda answer: {"answer": int(answer)}),
    "spell_backward": ("spell_inverse", "char", lambda answer: {"word": answer}),
    "word_sequence_reversal": ("spell", "char", lambda answer: {"units": answer.split(", ")}),
}


def to_item(entry: Mapping[str, Any]) -> Item:
    """Return the item of an entry: one of our datasets', or of three of reasoning-gym's own.

    Those are letter_counting (judged as `count_char`), spell_backward (as `spell_inverse`: one
    word) and word_sequence_reversal (as `spell`: parts in order). Letter case counts, unlike in
    reasoning-gym's spell_backward. The items have no published rule.

    Raises:
        UnknownNameError: a dataset whose answers none of our tasks judges.
        ItemError: an entry is malformed.
    """
    data = _field(entry, "metadata", Mapping)
    if "item" in data:
        return as_item(data["item"])
    name = _field(data, "source_dataset", str)
    one_of("dataset of reasoning-gym", name, _JUDGES)
    judge, variant, target = _JUDGES[name]
    answer = _field(entry, "answer", str)
    try:
        accepted = target(answer)
    except ValueError:
        raise expected("answer", answer, "a whole number", error=ItemError) from None
    return Item(
        task=judge,
        version=task(judge).version,
        lang="en",
        variant=variant,
        prompt=_field(entry, "question", str),
        target=accepted,
        solution=answer,
        meta={"source": f"reasoning-gym {name}", "index": _field(data, "source_index", int)},
    )


def _field(mapping: Mapping[str, Any], name: str, kind: type) -> Any:
    value = mapping.get(name) if isinstance(mapping, Mapping) else None
    return instance(name, value, kind, f"a {kind.__name__} in each entry", error=ItemError)
