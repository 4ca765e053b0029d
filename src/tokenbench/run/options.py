"""What an evaluation asks for, besides items and model."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from tokenbench.errors import TokenbenchError, texts, unknown
from tokenbench.extraction import EXTRACTS
from tokenbench.prompts import STYLES
from tokenbench.run.protocol import Sampling
from tokenbench.scoring import RULES


@dataclass(frozen=True, slots=True)
class Options:
    """How items are put to a model, how often, and by which rules completions are judged.

    Args:
        style: of the prompts, as `tokenbench.prompt` takes it.
        system: a system message before each; None for none.
        samples: completions of each item.
        sampling: how they are drawn.
        rules: by which they are judged; the first one also gives answer and code.
        extract: how answers are taken out.
        byte_level: whether the prompt is given as one token for each byte (EXECUTE).

    Raises:
        UnknownNameError: a style, rule or extract that does not exist.
        TokenbenchError: another value that none of them can have.

    >>> Options(samples=4, rules=["exact"]).rules
    ('exact',)
    """

    style: str = "direct"
    system: str | None = None
    samples: int = 1
    sampling: Sampling = field(default_factory=Sampling)
    rules: tuple[str, ...] = ("exact", "graded")
    extract: str = "answer"
    byte_level: bool = False

    def __post_init__(self) -> None:
        if self.style not in STYLES:
            raise unknown("style", self.style, STYLES)
        if not isinstance(self.samples, int) or isinstance(self.samples, bool) or self.samples < 1:
            raise TokenbenchError(f"samples is a positive int: got {self.samples!r:.80}")
        rules = tuple(dict.fromkeys([self.rules] if isinstance(self.rules, str) else self.rules))
        for rule in texts("rules", rules):
            if rule not in RULES:
                raise unknown("rule", rule, RULES)
        if not rules:
            raise TokenbenchError(f"no rules: give some of {', '.join(RULES)}")
        object.__setattr__(self, "rules", rules)
        if self.extract not in EXTRACTS:
            raise unknown("extract", self.extract, EXTRACTS)
        if not (self.system is None or isinstance(self.system, str)):
            raise TokenbenchError(f"system is a str or None: got {self.system!r:.80}")

    def json(self) -> dict[str, Any]:
        """Return them as a JSON object."""
        found = asdict(self)
        found["rules"] = list(self.rules)
        found["sampling"]["stop"] = list(self.sampling.stop)
        return found

    @classmethod
    def from_json(cls, found: Mapping[str, Any]) -> "Options":
        """Return the options that `json` gave."""
        return cls(**{**found, "sampling": Sampling(**found["sampling"])})
