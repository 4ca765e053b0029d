"""TRL: reward functions for its trainers, items as its datasets, and curricula.

The rewards need no framework; the other functions import theirs when you call them.
"""

import json
import os
import sys
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

from tokenbench.checks import boolean, instance, integer
from tokenbench.curriculum import Curriculum
from tokenbench.datasets import finite
from tokenbench.errors import TokenbenchError, expected, needs_extra
from tokenbench.files import write_lines
from tokenbench.integrations import ItemLike, Messages, prompts_of, score_metrics, validate
from tokenbench.item import Item, as_item, is_missing, require_several
from tokenbench.prompts import Style
from tokenbench.scoring import Rule

if TYPE_CHECKING:
    import datasets
    from transformers import TrainerCallback

ItemOrNone: TypeAlias = ItemLike | None
Row: TypeAlias = dict[str, Messages | str]

# Options of `reward`, which are not columns of data.
_OPTIONS: Final = ("rule", "extract")
_METRIC_PREFIX: Final = "tokenbench"
T = TypeVar("T")

_STATE_FILE: Final = "curriculum.json"


def CurriculumCallback(course: Curriculum) -> "TrainerCallback":  # noqa: N802
    """Return a callback that keeps a curriculum in the checkpoints of a trainer.

    The state is in the checkpoint's `trainer_state.json`, from which the callback restores the
    course when training resumes, and in `curriculum.json`, for `Curriculum.of`.

    Args:
        course: the curriculum of `to_stream` and `CurriculumReward`.

    Raises:
        TokenbenchError: `course` is not a `Curriculum`; or, when training resumes, the setting
            `ignore_data_skip=True` is missing, or the checkpoint's course has other arguments.
        MissingExtraError: transformers is not installed.

    >>> from trl import GRPOTrainer  # doctest: +SKIP
    >>> course = Curriculum({"spell:en": 1.0})
    >>> GRPOTrainer(..., callbacks=[CurriculumCallback(course)])  # doctest: +SKIP
    """
    with needs_extra("transformers for TRL", "trl"):
        from transformers import TrainerCallback
        from transformers.trainer_callback import ExportableState
    instance("course", course, Curriculum, "a Curriculum")

    # Within the function, so that importing this module needs no transformers, and because a
    # trainer may make another instance, without arguments, when it restores its callbacks.
    class CurriculumCallback(TrainerCallback, ExportableState):  # type: ignore[misc]
        def state(self) -> dict[str, Any]:
            return {"args": {}, "attributes": {"course_state": course.state()}}

        def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:  # noqa: ARG002
            # The key is absent from a checkpoint that was made without this callback; transformers
            # needs it when it saves the next one.
            saved = state.stateful_callbacks.setdefault(type(self).__name__, self.state())
            if not state.global_step:
                return
            if not args.ignore_data_skip:
                problem = "a Curriculum continues where it was, so no rows are to be skipped"
                raise TokenbenchError(problem, remedy="resume with ignore_data_skip=True")
            course.restore(saved["attributes"]["course_state"])

        def on_save(self, args: Any, state: Any, control: Any, **_: Any) -> None:  # noqa: ARG002
            if args.should_save:
                folder = Path(args.output_dir, f"checkpoint-{state.global_step}")
                write_lines(folder / _STATE_FILE, [json.dumps(course.state())])

    return CurriculumCallback()


def require_same_process(process: int, name: str) -> None:
    """Check that this process is the one with an id.

    Args:
        process: the id of the process that made a part of a curriculum's training.
        name: that part, for the message.

    Raises:
        TokenbenchError: it is another one, which has a copy.

    >>> require_same_process(os.getpid(), "the stream")
    """
    if os.getpid() != process:
        remedy = "make and use it where training runs, with dataloader_num_workers=0"
        raise TokenbenchError(f"{name} of a Curriculum is in another process", remedy=remedy)


def gather_from_processes(value: T) -> list[T]:
    """Return the values of all processes that train together, the same list in each.

    All of them have to call it.

    >>> gather_from_processes(3)
    [3]
    """
    distributed = sys.modules.get("torch.distributed")
    if distributed is None or not (distributed.is_available() and distributed.is_initialized()):
        return [value]
    values: list[Any] = [None] * distributed.get_world_size()
    distributed.all_gather_object(values, value)
    return values


def reward_exact(
    completions: Sequence[object],
    item: Sequence[ItemOrNone] | None = None,
    log_metric: Callable[[str, float], None] | None = None,
    **others: object,
) -> list[float | None]:
    """Return the exact score of each completion, as a reward function of TRL.

    Rows without an item get None, and TRL ignores them, so you can mix our rows with rows that have
    rewards of their own.

    Args:
        completions: texts, or chats whose last assistant message counts.
        item: the item of each completion, as in `to_dataset`; None, "" or NaN if there is none.
        log_metric: TRL's hook; it gets the mean exact score, whatever the rule, over all tasks and
            over each, and the share of completions with an answer.
        **others: the other arguments from TRL: prompts, token ids, further columns and hooks.

    Raises:
        TokenbenchError: no column of items, or an option such as `extract`, which has no effect
            here.
        ValueError: different numbers of items and completions.
        ItemError: an item is malformed, so training should stop.
        UnknownNameError: an item of a task that does not exist.

    >>> from tokenbench import spell
    >>> item = spell.generate()
    >>> right = f"<answer>{item.solution}</answer>"
    >>> reward_exact(completions=[right, "A rhyme"], item=[item.json(), None])
    [1.0, None]
    """
    return _rewards(completions, item, log_metric, others, "exact")


def reward_graded(
    completions: Sequence[object],
    item: Sequence[ItemOrNone] | None = None,
    log_metric: Callable[[str, float], None] | None = None,
    **others: object,
) -> list[float | None]:
    """Return the graded score of each completion; all else is as in `reward_exact`.

    >>> from tokenbench import compm
    >>> item = compm.generate(lang="zh", variant="split")
    >>> half = item.solution.split(", ")[0]
    >>> reward_graded(completions=[f"<answer>{half}</answer>"], item=[item.json()])
    [0.25]
    """
    return _rewards(completions, item, log_metric, others, "graded")


def reward_published(
    completions: Sequence[object],
    item: Sequence[ItemOrNone] | None = None,
    log_metric: Callable[[str, float], None] | None = None,
    **others: object,
) -> list[float | None]:
    """Return the published scorer's verdict on each completion; all else is as in `reward_exact`.

    Use it for comparison only: a policy learns its loopholes (`examples/grpo`).

    Raises:
        ItemError: also an item whose task has no published scorer.

    >>> from tokenbench import compm
    >>> item = compm.generate()
    >>> whole = item.solution.replace(", ", "")
    >>> reward_published(completions=[f"<answer>{whole}</answer>"], item=[item.json()])
    [1.0]
    """
    return _rewards(completions, item, log_metric, others, "published")


class CurriculumReward:
    """A reward function of TRL whose scores also move a curriculum, for `to_stream(course)`.

    Its scores, metrics and errors are those of the other reward functions. TRL logs its mean under
    its name, such as `curriculum_graded`, and the place of each part under `tokenbench/place/PART`.

    Items of another split than the course's, such as those of an `eval_dataset`, do not move it.
    Where several processes train, each makes the same course, and each course gets the scores of
    all processes, so that all draw the same items.

    Args:
        course: the curriculum to move.
        rule: as in `tokenbench.score`; the course aims at a mean score by this rule.

    Raises:
        UnknownNameError: no such rule.
        TokenbenchError: `course` is not a `Curriculum`; or, when it is called, it is in a process
            other than the one that made it, or the courses of several processes differ.

    >>> course = Curriculum({"spell:en": 1.0})
    >>> reward = CurriculumReward(course)
    >>> items = course.draw(8)
    >>> reward([f"<answer>{item.solution}</answer>" for item in items], items) == [1.0] * 8
    True
    >>> reward.__name__, course.places["spell:en"] > 0
    ('curriculum_exact', True)
    """

    def __init__(self, course: Curriculum, *, rule: Rule = "exact") -> None:
        validate(rule=rule)
        self._course = instance("course", course, Curriculum, "a Curriculum")
        self._rule = rule
        self._split, self._process = course.state()["split"], os.getpid()
        self.__name__ = f"curriculum_{rule}"

    def __repr__(self) -> str:
        return f"CurriculumReward({self._course!r}, rule={self._rule!r})"

    def __call__(
        self,
        completions: Sequence[object],
        item: Sequence[ItemOrNone] | None = None,
        log_metric: Callable[[str, float], None] | None = None,
        **others: object,
    ) -> list[float | None]:
        """Return the score of each completion, and move the course.

        Args:
            completions, item, log_metric: as in `reward_exact`.
            **others: the other arguments from TRL.
        """
        require_same_process(self._process, "the reward")
        scores = _rewards(completions, item, log_metric, others, self._rule)
        given = zip(() if item is None else item, scores, strict=True)
        pairs = [(as_item(one), score) for one, score in given if not is_missing(one)]
        pairs = [pair for pair in pairs if pair[0].meta.get("split") == self._split]
        gathered = gather_from_processes((self._course.state(), pairs))
        if any(state != gathered[0][0] for state, _ in gathered):
            remedy = "in each, make the same Curriculum and restore it from the same checkpoint"
            raise TokenbenchError("the curricula of the processes differ", remedy=remedy)
        pairs = [pair for _, own in gathered for pair in own]
        self._course.update(*zip(*pairs, strict=True) if pairs else ((), ()))
        if log_metric is not None:
            for name, place in self._course.places.items():
                log_metric(f"{_METRIC_PREFIX}/place/{name}", place)
        return scores


def to_dataset(
    items: Iterable[ItemLike],
    *,
    style: Style = "direct",
    chat: bool = True,
    system: str | None = None,
) -> "datasets.Dataset":
    """Return items as a dataset with the columns `prompt` and `item`.

    Args:
        items: a dataset of ours with an `n`, or any items, their rows or their JSON text; all are
            made now. `to_stream` takes a dataset without end.
        style: as `tokenbench.prompt` takes it.
        chat: whether a prompt is chat messages or a text.
        system: a system message, if any.

    Raises:
        UnknownNameError: no such style.
        EndlessError: a dataset without end, or a `Curriculum`: give it to `to_stream`.
        TokenbenchError: `chat` or `system` has another type.
        ItemError: not an item.
        MissingExtraError: `datasets` is not installed.
    """
    datasets = _import_datasets()
    chat = boolean("chat", chat)
    rows = list(_rows([finite(items)], style, chat, system))
    columns = {name: [row[name] for row in rows] for name in ("prompt", "item")}
    return datasets.Dataset.from_dict(columns)


def to_stream(
    items: Sequence[ItemLike] | Curriculum,
    *,
    style: Style = "direct",
    chat: bool = True,
    system: str | None = None,
    shards: int = 1,
) -> "datasets.IterableDataset":
    """Return items as a stream of the rows of `to_dataset`, each made when it is read.

    It can have any length, for example `tokenbench.dataset` without `n`. From a curriculum it has
    no end: each row is the next item that the course draws when the row is read. Such a stream is
    read in the process that made it, and shuffling returns it unchanged.

    Args:
        items: a sequence that slices and pickles, such as a tokenbench `Dataset` or a list (to
            skip the first 1,000, give `items[1000:]`), or a `Curriculum`.
        style, chat, system: as in `to_dataset`.
        shards: the number of shards, each of which one worker or process reads; shard k has the
            items at k, k + shards, …. A curriculum has one.

    Raises:
        TokenbenchError: `chat` or `system` has another type; `shards` is not a whole number from 1
            on, or not 1 for a curriculum; or, when it is read, a curriculum's stream is in another
            process.
        UnknownNameError: no such style.
        ItemError: not an item; raised when it is read.
        MissingExtraError: `datasets` is not installed.
    """
    datasets = _import_datasets()
    validate(style=style, system=system)
    chat = boolean("chat", chat)
    shards = integer("shards", shards, least=1)
    arguments: dict[str, Any] = {"style": style, "chat": chat, "system": system}
    if isinstance(items, Curriculum):
        if shards != 1:
            raise expected("shards", shards, "1 for a Curriculum")
        arguments |= {"course": items, "process": os.getpid()}
        stream = datasets.IterableDataset.from_generator(_course_rows, gen_kwargs=arguments)
        # TRL's default is to shuffle: that would draw 1,000 items before the first score.
        stream.shuffle = lambda *_, **__: stream
        return stream
    require_several(items)
    if not isinstance(items, Sequence):
        raise expected("items", items, "a dataset, a list or another sequence")
    # `datasets` divides a list among the arguments among its workers.
    arguments["parts"] = [items[shard::shards] for shard in range(shards)]
    return datasets.IterableDataset.from_generator(_rows, gen_kwargs=arguments)


def _rows(
    parts: Iterable[Iterable[ItemLike]], style: Style, chat: bool, system: str | None
) -> Iterator[Row]:
    for part in parts:
        for item, prompt in prompts_of(part, style=style, messages=chat, system=system):
            yield {"prompt": prompt, "item": item.json()}


def _course_rows(
    course: Curriculum, process: int, style: Style, chat: bool, system: str | None
) -> Iterator[Row]:
    require_same_process(process, "the stream")
    while True:
        yield from _rows([course.draw(1)], style, chat, system)


def _import_datasets() -> Any:
    with needs_extra("datasets for TRL", "trl"):
        import datasets
    return datasets


def _rewards(
    completions: Sequence[object],
    items: Sequence[ItemOrNone] | None,
    log_metric: Callable[[str, float], None] | None,
    others: Mapping[str, object],
    rule: Rule,
) -> list[float | None]:
    for option in _OPTIONS:
        # TRL gives the data's columns as lists.
        if isinstance(value := others.get(option), str) or callable(value):
            remedy = "write a function that calls tokenbench.integrations.reward"
            raise TokenbenchError("has no effect", argument=option, value=value, remedy=remedy)
    # Without this error, TRL would train on the other rewards only, or on none.
    if items is None:
        raise TokenbenchError("no item is given", remedy="add the column 'item'")
    for name, column in (("item", items), ("completions", completions)):
        if isinstance(column, Item | Mapping | str) or not isinstance(column, Collection):
            raise expected(name, column, "a list with one for each completion")
    rewards: list[float | None] = []
    # The means over the rows that have an item are logged.
    metrics: defaultdict[str, list[float]] = defaultdict(list)
    for completion, given in zip(completions, items, strict=True):
        if is_missing(given):
            rewards.append(None)
            continue
        item = as_item(given)
        scores = score_metrics(completion, item, rule=rule)
        rewards.append(scores.reward)
        metrics["exact"].append(scores.exact)
        metrics[f"exact/{item.task}"].append(scores.exact)
        metrics["answered"].append(scores.answered)
    if log_metric is not None:
        for name, values in metrics.items():
            log_metric(f"{_METRIC_PREFIX}/{name}", fmean(values))
    return rewards
