"""One of two processes in which GRPO trains on a curriculum; it writes what its reward saw."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import torch
from trl import GRPOConfig, GRPOTrainer

from tokenbench.curriculum import Curriculum
from tokenbench.integrations.trl import CurriculumCallback, CurriculumReward, to_stream


def main(model: str, folder: Path) -> None:
    """Train a model for three steps, with half of each group in each process."""
    torch.set_num_threads(1)
    course = Curriculum.of(json.loads((folder / "course.json").read_text()))
    reward, calls = CurriculumReward(course, rule="graded"), []

    def watch(item: list[str], **rest: Any) -> list[float | None]:
        scores = reward(item=item, **rest)
        calls.append({"items": item, "scores": scores})
        return scores

    trainer = GRPOTrainer(
        model=model,
        reward_funcs=watch,
        args=GRPOConfig(
            output_dir=str(folder / "out"),
            use_cpu=True,
            bf16=False,
            max_steps=3,
            per_device_train_batch_size=2,
            num_generations=4,
            gradient_accumulation_steps=1,
            max_completion_length=4,
            report_to=[],
        ),
        train_dataset=to_stream(course),
        callbacks=[CurriculumCallback(course)],
    )
    trainer.train()
    seen = {"state": course.state(), "calls": calls}
    (folder / f"{os.environ['RANK']}.json").write_text(json.dumps(seen))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
