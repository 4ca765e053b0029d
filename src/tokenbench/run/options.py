"""How items are put to a model, how completions are sampled, and by which rules they are judged."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from math import inf, isfinite
from typing import Any

from tokenbench.errors import TokenbenchError, texts, unknown
from tokenbench.extraction import EXTRACTS
from tokenbench.prompts import STYLES
from tokenbench.scoring import RULES


@dataclass(frozen=True, slots=True)
class Sampling:
    """How completions are sampled; the defaults are TASE's (its section on the experiments).

    Args:
        temperature: 0 or more; 0 is greedy.
        top_p: above 0, at most 1; 1 keeps all tokens.
        top_k: a number of tokens; None keeps all.
        max_tokens: the maximum length of a completion, in tokens.
        stop: texts at which a completion ends; they are not part of it.
        seed: random seed, for engines that support one; None samples at random.

    Raises:
        TokenbenchError: a value outside its range.

    >>> Sampling.of("charbench").temperature, Sampling.of("tase").top_k
    (0.0, 50)
    """

    temperature: float = 0.7
    top_p: float = 0.95
    top_k: int | None = 50
    max_tokens: int = 8192
    stop: tuple[str, ...] = ()
    seed: int | None = None

    def __post_init__(self) -> None:
        is_temperature = _is_number(self.temperature) and self.temperature >= 0
        _require(is_temperature, "temperature", self.temperature, "a number of 0 or more")
        is_share = _is_number(self.top_p) and 0 < self.top_p <= 1
        _require(is_share, "top_p", self.top_p, "a number above 0 and at most 1")
        is_count = self.top_k is None or _is_int(self.top_k, minimum=1)
        _require(is_count, "top_k", self.top_k, "a positive int or None")
        is_count = _is_int(self.max_tokens, minimum=1)
        _require(is_count, "max_tokens", self.max_tokens, "a positive int")
        _require(self.seed is None or _is_int(self.seed), "seed", self.seed, "an int or None")
        _require(not isinstance(self.stop, str), "stop", self.stop, "a sequence of str")
        object.__setattr__(self, "stop", tuple(texts("stop", self.stop)))

    @classmethod
    def of(cls, suite: str) -> "Sampling":
        """Return a paper's sampling: greedy for `charbench`, TASE's for all others."""
        return cls(temperature=0.0, top_p=1.0, top_k=None) if suite == "charbench" else cls()


@dataclass(frozen=True, slots=True)
class Options:
    """How items are put to a model, and how its completions are sampled and judged.

    Args:
        style: of the prompts, as `tokenbench.prompt` takes it.
        system: a system message before each prompt; None for no such message.
        samples: the number of completions of each item.
        sampling: how completions are sampled.
        rules: by which completions are judged; the first one also gives answer and code.
        extract: how the answer is taken out of a completion, as `tokenbench.score` takes it.
        byte_level: whether prompts are encoded with one token for each byte (EXECUTE).

    Raises:
        UnknownNameError: an unknown style, rule or extract.
        TokenbenchError: another value outside its range.

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
        _require(_is_int(self.samples, minimum=1), "samples", self.samples, "a positive int")
        rules = tuple(dict.fromkeys([self.rules] if isinstance(self.rules, str) else self.rules))
        for rule in texts("rules", rules):
            if rule not in RULES:
                raise unknown("rule", rule, RULES)
        if not rules:
            raise TokenbenchError(f"no rules: give one or more of {', '.join(RULES)}")
        object.__setattr__(self, "rules", rules)
        if self.extract not in EXTRACTS:
            raise unknown("extract", self.extract, EXTRACTS)
        _require(isinstance(self.system, str | None), "system", self.system, "a str or None")

    def json(self) -> dict[str, Any]:
        """Return the options as a JSON object."""
        stop = list(self.sampling.stop)
        sampling = asdict(self.sampling) | {"stop": stop}
        return asdict(self) | {"rules": list(self.rules), "sampling": sampling}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> "Options":
        """Return the options that `json` wrote."""
        return cls(**{**values, "sampling": Sampling(**values["sampling"])})


def _require(is_valid: bool, name: str, value: object, expected: str) -> None:
    if not is_valid:
        raise TokenbenchError(f"{name} must be {expected}, got {value!r:.80}")


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


def _is_int(value: object, minimum: float = -inf) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= minimum
