"""SkyRL: our items as environments of skyrl-gym, and the rows that SkyRL trains on."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from tokenbench.checks import string
from tokenbench.errors import needs_extra
from tokenbench.extraction import Extract, ExtractName
from tokenbench.integrations import (
    ItemLike,
    ScoreMetrics,
    data_source,
    prompts_of,
    require_scorer,
    score_metrics,
    validate,
)
from tokenbench.item import as_item
from tokenbench.prompts import Style
from tokenbench.scoring import Rule

with needs_extra("tokenbench.integrations.skyrl", "skyrl"):
    import skyrl_gym
    from skyrl_gym.envs.base_text_env import BaseTextEnv, BaseTextEnvStepOutput
    from skyrl_gym.envs.registration import deregister, registry


class ItemEnv(BaseTextEnv):
    """One item, asked in one turn.

    Args:
        env_config: SkyRL's configuration of this environment, which has no effect.
        extras: the columns of the row except the prompt; `reward_spec` contains the item as JSON
            text (or as a row or an item).
        rule, extract: as in `tokenbench.score`; `register` passes them.

    Raises:
        ItemError: a row without an item, with a malformed item, or with one that the rule cannot
            judge.
        UnknownNameError: no such rule or extract.
    """

    def __init__(
        self,
        env_config: object = None,  # noqa: ARG002
        extras: Mapping[str, Any] | None = None,
        rule: Rule = "exact",
        extract: Extract = "answer",
    ) -> None:
        super().__init__()
        spec = (extras or {}).get("reward_spec") or {}
        self._item = as_item(spec.get("ground_truth"))
        require_scorer([self._item], [rule])
        self._rule, self._extract = rule, extract
        self._metrics = ScoreMetrics(0.0, 0.0, 0.0, 0.0)

    def step(self, action: str) -> BaseTextEnvStepOutput:
        """Judge the one reply, which ends the episode.

        Raises:
            UnknownNameError: no such task.
        """
        self._metrics = score_metrics(action, self._item, rule=self._rule, extract=self._extract)
        return BaseTextEnvStepOutput(
            observations=[], reward=self._metrics.reward, done=True, metadata=self.get_metrics()
        )

    def get_metrics(self) -> dict[str, float]:
        """Return what SkyRL averages: `exact`, `graded` and `answered`."""
        return self._metrics.to_log()


def register(
    name: str = "tokenbench", *, rule: Rule = "exact", extract: ExtractName = "answer"
) -> None:
    """Register the environment with skyrl-gym in this process; the last call for a name counts.

    Args:
        name: the `env_class` of the rows.
        rule, extract: as in `tokenbench.score`.

    Raises:
        UnknownNameError: no such rule or extract.
    """
    validate(rule=rule, extract=extract)
    entry = f"{__name__}:{ItemEnv.__name__}"
    # For example when a notebook runs again.
    if name in registry and registry[name].entry_point == entry:
        deregister(name)
    skyrl_gym.register(name, entry_point=entry, kwargs={"rule": rule, "extract": extract})


def rows(
    items: Iterable[ItemLike],
    *,
    name: str = "tokenbench",
    style: Style = "direct",
    system: str | None = None,
) -> Iterator[dict[str, Any]]:
    """Yield SkyRL's row of each item; its ground truth is the item as JSON text.

    Args:
        items: any items, their rows or their JSON text.
        name: the environment's name in `register`.
        style: as `tokenbench.prompt` takes it.
        system: a system message, if any.

    Raises:
        UnknownNameError: no such style.
        TokenbenchError: another option has the wrong type.
        ItemError: not an item.
    """
    string("name", name)
    return (
        {
            "data_source": data_source(item),
            "prompt": prompt,
            "env_class": name,
            "reward_spec": {"method": "rule", "ground_truth": item.json()},
            "extra_info": {"split": str(item.meta.get("split", "")), "index": index},
        }
        for index, (item, prompt) in enumerate(prompts_of(items, style=style, system=system))
    )
