"""A curriculum in a trainer of TRL: kept in its checkpoints, and the same in all processes.

`tokenbench.integrations.trl` has all that you need of it.
"""

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from tokenbench.checks import instance
from tokenbench.curriculum import Curriculum
from tokenbench.errors import TokenbenchError, needs_extra
from tokenbench.files import write_atomically

if TYPE_CHECKING:
    from transformers import TrainerCallback

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
    require_curriculum(course)

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
                with write_atomically(folder / _STATE_FILE) as file:
                    file.write_text(json.dumps(course.state()), encoding="utf-8")

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


def require_curriculum(given: object) -> Curriculum:
    """Return an argument that must be a `Curriculum`.

    Raises:
        TokenbenchError: it is not.

    >>> require_curriculum(Curriculum({"spell:en": 1.0})).places
    {'spell:en': 0.0}
    """
    return instance("course", given, Curriculum, "a Curriculum")


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
