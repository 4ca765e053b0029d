"""The contract that each task fills: one record, and everything that is built on it.

A task's file makes one `Task`. Its record says which instances there are (`pool`, or `sample` where
they cannot be enumerated), how a question about one is asked (`ask`) and of which kind the answer
is (`answer`). Arguments, levels, keys, proof, number of instances and guess rate follow from that.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, TypeAlias

from tokenbench import checks
from tokenbench.answers.kind import AnswerKind, proof_fault, target_of
from tokenbench.builtin import BUILTIN
from tokenbench.draw import SPLITS, Draw, Split
from tokenbench.errors import (
    Argument,
    DifficultyError,
    ItemError,
    TokenbenchError,
    VersionError,
    expected,
    unknown,
)
from tokenbench.item import Item, Json
from tokenbench.patterns import lazy_pattern
from tokenbench.records import field, record, replace
from tokenbench.tasks.params import LEVELS, Param
from tokenbench.tasks.spec import (
    GENERAL_ARGUMENTS,
    MAX_TRIES,
    Ask,
    ItemSpec,
    Outcomes,
    Pool,
    Question,
    commonest_share,
)
from tokenbench.tasks.wordings import with_closing
from tokenbench.text.languages import is_language_code, language, language_code, unknown_language

# The length of a dataset over a space too large to enumerate.
UNBOUNDED: Final = 2**63 - 1
# Without the signs of `task:lang:variant@level=weight`.
_NAME: Final = lazy_pattern("[A-Za-z][A-Za-z0-9_.-]*")

# Facts that examples have: see the attributes of `Task`.
Examples: TypeAlias = tuple[Mapping[str, Json], ...]


@record(eq=False, kw_only=True)
class Task:
    """One task: its facts, its functions, and `generate` over them. Plain, picklable, hashable.

    Attributes:
        name: the name that items carry.
        doc: one sentence.
        answer: the kind of its answers, or the kind for each variant, the first being the default.
        pool: returns the instances for a spec; None if they cannot be enumerated.
        ask: asks about an instance of the pool; None if this draw does not work out and another
            one should be tried: the instance stays, so the pool leaves out those that never do.
        sample: draws and asks, where there is no pool.
        guess: the highest reward under `exact` of an answer that ignores the payload. A task with
            a pool needs none: see `outcomes`.
        outcomes: the answers that an instance may have, with probabilities, from which the guess
            rate of a pool is computed; by default those that `ask` gives in many draws.
        place: returns the index of a spec's instance in a pool of a size, if not `ItemSpec.place`.
        extras: raises MissingExtraError if drawing for a spec needs packages that are not there.
        source: the paper, or where else the task comes from.
        version: raised when the same arguments give another item, or an answer another verdict.
        langs: the codes of its languages.
        params: its difficulty parameters; by default those of the pool, if it has any.
        levels: its levels of difficulty.
        examples: for each example of the style `fewshot`, what its `drawn` facts have to be.
        accepts_any_language: whether a language pack of the user's adds any language.
    """

    name: str
    doc: str
    answer: AnswerKind | Mapping[str, AnswerKind]
    pool: Callable[[ItemSpec], Pool | None] | None = None
    ask: Ask | None = None
    sample: Callable[[ItemSpec, Draw], Question | None] | None = None
    guess: Callable[[Item], float] | None = None
    outcomes: Outcomes | None = None
    place: Callable[[ItemSpec, int], int] | None = None
    extras: Callable[[ItemSpec], None] | None = None
    source: str = ""
    version: int = 1
    langs: tuple[str, ...] = ("en",)
    params: tuple[Param, ...] = ()
    levels: tuple[int, ...] = tuple(range(LEVELS))
    examples: Examples = ({}, {}, {}, {})
    accepts_any_language: bool = False
    variants: tuple[str, ...] = field(init=False)
    _kinds: Mapping[str | None, AnswerKind] = field(init=False)

    def __post_init__(self) -> None:
        kinds = dict(self.answer) if isinstance(self.answer, Mapping) else {None: self.answer}
        object.__setattr__(self, "_kinds", kinds)
        object.__setattr__(self, "variants", tuple(filter(None, kinds)))
        object.__setattr__(self, "params", self.params or getattr(self.pool, "params", ()))
        for name in (self.name, *self.variants):
            if not (isinstance(name, str) and _NAME.fullmatch(name)):
                raise expected("name", name, "a letter, then letters, digits, '_', '-' or '.'")
        for kind in kinds.values():
            if not isinstance(kind, AnswerKind):
                raise expected("answer", kind, "a kind, such as Number(), or one for each variant")
        for lang in self.langs:
            language_code("langs", lang)
        for example in self.examples:
            checks.instance("examples", example, dict, "a tuple of dicts of `drawn` facts")
        for argument in ("langs", "levels"):
            if not getattr(self, argument):
                raise TokenbenchError("is empty", argument=argument, remedy="give at least one")
        if self.sample is None and None in (self.pool, self.ask):
            raise TokenbenchError(f"the task {self.name!r} needs sample, or pool and ask")

    def __repr__(self) -> str:
        names = map(" ".join, filter(None, (self.langs, self.variants)))
        return f"Task({', '.join([repr(self.name), f'version {self.version}', *names])})"

    @property
    def default_lang(self) -> str:
        """The language of items for which none is named: English, or the first one."""
        return "en" if "en" in self.langs else self.langs[0]

    @property
    def default_variant(self) -> str | None:
        """The variant of items for which none is named: the first one, or None without variants."""
        return self.variants[0] if self.variants else None

    def kind(self, variant: str | None) -> AnswerKind:
        """Return the kind of a variant's answers.

        >>> from tokenbench.tasks import task
        >>> task("lenop").kind("count").name, task("lenop").kind("write").name
        ('number', 'writing')
        """
        return self._kinds[variant]

    def spec(
        self,
        *,
        seed: int = 0,
        index: int = 0,
        lang: str | None = None,
        variant: str | None = None,
        split: Split = "train",
        level: int | None = None,
        **difficulty: Any,
    ) -> ItemSpec:
        """Return the checked arguments of one item.

        Raises:
            UnknownNameError: the task has no such language, variant, split or parameter.
            DifficultyError: a level or parameter outside what the task allows.
            TokenbenchError: a seed or index that is not allowed.
        """
        params = {param.name: param for param in self.params}
        for name in difficulty:
            if name not in params:
                raise unknown(f"argument of {self.name}", name, [*params, *GENERAL_ARGUMENTS])
        given = {name: value for name, value in sorted(difficulty.items()) if value is not None}
        if lang is None and "pack" in given:
            # Only tasks over packs need it.
            from tokenbench.text.packs.model import pack_language

            remedy = f"name it with the task, as in '{self.name}:sw'"
            lang = pack_language(given["pack"], remedy)
        lang = self.default_lang if lang is None else lang
        variant = self.default_variant if variant is None else variant
        self._check_names(lang, variant, has_pack="pack" in given)
        checks.one_of("split", split, SPLITS)
        overrides = {name: params[name].value(value) for name, value in given.items()}
        for name in overrides:
            if reason := params[name].without_effect(lang, variant):
                raise reason
        return ItemSpec(
            language=language(lang),
            variant=variant,
            split=split,
            seed=checks.integer("seed", seed),
            level=None if level is None else self.check_level(level),
            index=checks.integer("index", index, least=0),
            overrides=overrides,
            params=self.params,
        )

    def check_level(self, level: object) -> int:
        """Return a level that the task has, or raise a `DifficultyError`."""
        if level in self.levels:
            return checks.integer("level", level, DifficultyError)
        allowed = f"a whole number from {self.levels[0]} to {self.levels[-1]}"
        raise expected("level", level, allowed, error=DifficultyError)

    def spec_of(self, item: Item) -> ItemSpec:
        """Return the arguments that made an item; `TASK.item(TASK.spec_of(item))` makes it again.

        Arguments that the meta of a published item does not have are as by default.

        Raises:
            SourceError: a user's file that the item was drawn from has changed.
        """
        meta = item.meta
        params = meta.get("params") or {}
        if not isinstance(params, dict):
            raise expected("meta.params", params, "an object", error=ItemError)
        spec = self.spec(
            seed=meta.get("seed") or 0,
            index=meta.get("index") or 0,
            lang=item.lang,
            variant=item.variant,
            split=meta.get("split") or "train",
            level=meta.get("level"),
            **params,
        )
        spec.check_source(meta.get("source"))
        return spec

    def generate(
        self,
        *,
        seed: int = 0,
        index: int = 0,
        lang: str | None = None,
        variant: str | None = None,
        split: Split = "train",
        level: int | None = None,
        **difficulty: Any,
    ) -> Item:
        """Return one item: a pure function of the task, its version, and these arguments.

        Args:
            seed: any whole number.
            index: the item's index among those of the seed, from 0, however large.
            lang: one of the task's languages; None is that of a `pack`, else English, or the first
                one of a task without.
            variant: one of its variants; None is the first.
            split: train, validation or test; no instance is in two of them.
            level: difficulty 0 to 9; None draws from all of them.
            **difficulty: the task's own parameters (`TASK.params`); they override the level.

        Raises:
            UnknownNameError: the task has no such language, variant, split or parameter.
            DifficultyError: a value outside what the task allows, or that no item can meet.
            SourceError: a user's file that cannot be used.
            TokenbenchError: a seed or index that is not allowed.

        >>> from tokenbench import sort
        >>> sorted(sort.generate(seed=7, index=10**9, lang="ko").solution)
        ['A', 'B', 'C']
        """
        named: dict[str, Any] = {"lang": lang, "variant": variant, "split": split, "level": level}
        return self.item(self.spec(seed=seed, index=index, **named, **difficulty))

    def item(self, spec: ItemSpec) -> Item:
        """Return the item of a spec, proved to be solved by its own solution.

        Raises:
            DifficultyError: no draw meets the spec.
        """
        key = [self.name, self.version, *spec.key()]
        for attempt in range(MAX_TRIES):
            question = self.question(spec, Draw(*key, spec.index, attempt))
            if question is not None:
                return self._prove(spec, question)
        advice = "ask for other lengths or words"
        if self.ask and self.name not in BUILTIN:
            advice += ", or let the pool leave out instances for which `ask` returns None"
        problem = [f"no {self.name} item for ", *spec.describe()]
        raise DifficultyError(
            [*problem, f": none of {MAX_TRIES} draws has an answer"], remedy=advice
        )

    def question(self, spec: ItemSpec, draw: Draw) -> Question | None:
        """Return the question of one draw; None if the draw does not work out."""
        pool = self._pool_of(spec)
        if pool is None:
            return _question(self.sample(spec, draw)) if self.sample else None
        size = len(pool.instances)
        if not size or self.ask is None:
            return None
        question = _question(self.ask(pool.instances[self._place_of(spec, size)], draw, spec))
        if question is None or question.source is not None:
            return question
        return question._replace(source=pool.source)

    def instances(self, spec: ItemSpec) -> list[Any]:
        """Return the instances that the first items of a seed ask about, each once; none without.

        >>> from tokenbench.tasks import task
        >>> spec = task("spell").spec(seed=7)
        >>> spec.index, task("spell").instances(spec)[0].line.text
        (0, 'bookshelf')
        """
        pool = self._pool_of(spec)
        size = 0 if pool is None else len(pool.instances)
        specs = (replace(spec, index=index) for index in range(size))
        return [pool.instances[self._place_of(one, size)] for one in specs] if pool else []

    def _place_of(self, spec: ItemSpec, size: int) -> int:
        """Return the index of the instance that an item asks about."""
        return self.place(spec, size) if self.place else spec.place(size, self.name, self.version)

    def _pool_of(self, spec: ItemSpec) -> Pool | None:
        pool = self.pool(spec) if self.pool else None
        if pool is not None:
            checks.instance("pool", pool, Pool, "a function that returns a Pool, or None")
            if not hasattr(pool.instances, "__getitem__"):
                raise expected("instances", pool.instances, "a list or tuple, as in Pool(words)")
        return pool

    def n_instances(self, spec: ItemSpec) -> int | None:
        """Return how many instances there are; None if they cannot be enumerated."""
        pool = self._pool_of(spec)
        return None if pool is None else len(pool.instances)

    def verify(self, answer: Any, target: Json, variant: str | None = None) -> bool:
        """Return whether a plain parsed value is right.

        Args:
            answer: the value, as `solution` states it.
            target: an item's target.
            variant: the item's variant; None is the first.

        Raises:
            ItemError: not a target of the task.

        >>> from tokenbench import sort
        >>> item = sort.generate(seed=7)
        >>> sort.verify(item.target["order"], item.target)
        True
        """
        kind = self.kind(variant or self.default_variant)
        kind.check(target, self.name)
        return kind.verify(answer, target)

    def guess_rate(self, item: Item) -> float:
        """Return the highest reward under `exact` of an answer that ignores the payload."""
        if self.guess:
            return self.guess(item)
        spec = replace(self.spec_of(item), seed=0, index=0)
        pool = self._pool_of(spec)
        if pool is None:
            return 1.0
        found = pool.instances
        return _best_guess_rate(self, spec, tuple(found) if isinstance(found, list) else found)

    def check_version(self, item: Item) -> None:
        """Check that this version of the task made an item.

        Raises:
            VersionError: another one did.
        """
        if item.version != self.version:
            maker = "tokenbench" if self.name in BUILTIN else "version of the package"
            problem = f"the item is of {self.name} version {item.version}, this is {self.version}"
            remedy = f"generate it anew, or install the {maker} that made it"
            raise VersionError(problem, remedy=remedy)

    def check(self, item: Item) -> None:
        """Check that this version of the task can judge an item.

        Raises:
            VersionError: another version of the task made it.
            UnknownNameError: the task has no such language or variant.
            ItemError: its target lacks a field that judging reads, or no answer can be right by it.
        """
        self.check_version(item)
        self._check_names(item.lang, item.variant, has_pack=True)
        self.kind(item.variant).check(item.target, self.name)

    def _check_names(self, lang: str, variant: str | None, *, has_pack: bool) -> None:
        """Check that an item may be in a language, possibly that of a user's pack, and variant."""
        if lang not in self.langs:
            is_code = is_language_code(lang)
            if not (self.accepts_any_language and has_pack and is_code):
                error = unknown_language(f"language of {self.name}", lang, self.langs)
                if self.accepts_any_language and is_code:
                    near = f"{error.remedy}; " if error.remedy else ""
                    pack = Argument("pack", "PATH")
                    error.remedy = [f"{near}for any other give its sentences: ", pack]
                raise error
        if variant not in (self.variants or (None,)):
            raise unknown(f"variant of {self.name}", variant, self.variants)

    def _prove(self, spec: ItemSpec, question: Question) -> Item:
        """Return the item of a question, having judged its solution."""
        kind, answer, solution = self.kind(spec.variant), question.answer, question.solution
        target = target_of(kind, answer, question.target, self.name, is_written=solution is None)
        published = {"published": question.published._asdict()} if question.published else {}
        item = Item(
            task=self.name,
            version=self.version,
            lang=spec.lang,
            variant=spec.variant,
            prompt=with_closing(question.text, spec),
            target={**target, **published},
            solution=kind.write(answer, spec.language) if solution is None else solution,
            meta={
                "seed": spec.seed,
                "index": spec.index,
                "split": spec.split,
                "level": spec.level,
                "params": spec.overrides,
                "source": question.source or "",
                "drawn": dict(question.drawn),
            },
        )
        if fault := proof_fault(item, kind, spec.language):
            problem = f"{self.name} made an item that its own judge fails: {fault}"
            raise RuntimeError(f"{problem}; {item.solution!r:.80}, {item.target!r:.80}")
        return item


def _question(question: Question | None) -> Question | None:
    if question is None or isinstance(question, Question):
        return question
    raise expected("ask", question, "a function that returns a Question, or None")


@lru_cache(maxsize=1024)
def _best_guess_rate(task: Task, spec: ItemSpec, instances: Sequence[Any]) -> float:
    return commonest_share(instances, spec, task.ask, task.outcomes, task.kind(spec.variant).write)
