"""Does a policy learn the loopholes of a published rule? Train one, and count.

    python examples/grpo/train.py --out out/grpo

A small model first learns by supervision, until it can do some of what `compm` asks: split English
words into parts, and combine parts. Most of its lessons in splitting are careless, so it has seen
what is right, and does it less often than not. From there TRL's GRPO goes on under each reward and
seed, on items whose level a curriculum chooses. Held-out items are answered before and after.
Everything is kept in `results.json`; what it holds is not run again, so an interrupted run goes on.
"""

import argparse
import json
import os
import random
import time
from collections.abc import Callable, Sequence
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")

import torch
from datasets import disable_progress_bars
from small_model import completions_of, model_of, teach, tokenizer_of
from transformers import LlamaForCausalLM, PreTrainedTokenizerFast
from trl import GRPOConfig, GRPOTrainer

from tokenbench import Item, dataset, prompt, score
from tokenbench.curriculum import Curriculum
from tokenbench.integrations.trl import CurriculumReward, to_stream
from tokenbench.scoring import Rule

RULES: Final[tuple[Rule, ...]] = ("exact", "graded", "published")
SEEDS = (0, 1, 2)
MOST = 28  # tokens of a completion; the longest right answer takes some twenty

# What is learnt by supervision: words of the train split of a large word list.
TAUGHT = {"split": 2, "combine": 1}  # how often each is drawn
LESSONS, STEPS, BATCH = 16_000, 500, 64
CARELESS = 0.6  # of the lessons in splitting leave out the last part
# What GRPO trains on: the train split of our own word list, levels chosen by the curriculum.
COURSE = {"compm:en:split": 2.0, "compm:en:combine": 1.0}
LEVELS = (0, 4, 7)  # two, three, four parts
UPDATES, PROMPTS, SAMPLES = 80, 6, 8
# What nobody trains on: the test split.
HELD_OUT = {
    "split, 2 parts": ("split", 0),
    "split, 3 parts": ("split", 4),
    "split, 4 parts": ("split", 7),  # more parts than were taught
    "combine": ("combine", 0),
}
EACH = 116  # words that the test split has


def main() -> None:
    """Run what is missing from the results, and write them after each part."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", type=Path, default=Path("out/grpo"), help="models and results")
    parser.add_argument("--seeds", type=int, nargs="*", default=SEEDS)
    parser.add_argument("--rules", nargs="*", choices=RULES, default=RULES)
    given = parser.parse_args()
    torch.set_num_threads(1)
    disable_progress_bars()
    base, file = given.out / "base", given.out / "results.json"
    given.out.mkdir(parents=True, exist_ok=True)
    results = json.loads(file.read_text()) if file.exists() else {"runs": {}}
    results["versions"] = {name: version(name) for name in ("tokenbench", "torch", "trl")}

    def kept(place: dict[str, Any], name: str, make: Callable[[], dict[str, Any]]) -> None:
        if name not in place:
            print(name, flush=True)
            place[name] = make()
            file.write_text(json.dumps(results, ensure_ascii=False) + "\n")

    kept(results, "supervised", lambda: supervised(base))
    results["right"] = {name: [item.solution for item in of] for name, of in held_out().items()}
    kept(results, "before", lambda: measured(*loaded(base)))
    for seed in given.seeds:
        for rule in given.rules:
            kept(results["runs"], f"{rule}/{seed}", partial(reinforced, base, rule, seed))


def supervised(folder: Path) -> dict[str, Any]:
    """Make a model that can do some of it, save it, and return how it learnt."""
    spent = _clock()
    per = sum(TAUGHT.values())
    pools = [
        list(dataset("compm", variant=name, words="wordfreq", parts=(2, 3), n=LESSONS * k // per))
        for name, k in TAUGHT.items()
    ]
    draw = random.Random(0)
    lessons = [(prompt(item), taught(item, draw)) for pool in pools for item in pool]
    tokenizer = tokenizer_of([question for question, _ in lessons])
    model = model_of(tokenizer, seed=0)
    batches = ([draw.choice(lessons) for _ in range(BATCH)] for _ in range(STEPS))
    losses = []
    for step, loss in enumerate(teach(model, tokenizer, batches, STEPS), 1):
        losses.append(loss)
        if step % 20 == 0:
            mean = sum(losses[-20:]) / 20
            print(f"supervised {step}/{STEPS}: loss {mean:.3f}, {spent()['wall_s']} s", flush=True)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return {"losses": [round(loss, 4) for loss in losses], **spent()}


def reinforced(base: Path, rule: Rule, seed: int) -> dict[str, Any]:
    """Train the model further by GRPO under a rule, and return what it then scores."""
    spent = _clock()
    course = Curriculum(COURSE, target=0.5, seed=seed, levels=LEVELS)
    model, tokenizer = loaded(base)
    settings = GRPOConfig(
        output_dir=str(base.parent / "trainer"),
        use_cpu=True,
        bf16=False,
        seed=seed,
        max_steps=UPDATES,
        per_device_train_batch_size=PROMPTS * SAMPLES,
        num_generations=SAMPLES,
        max_completion_length=MOST,
        learning_rate=1e-4,
        lr_scheduler_type="constant_with_warmup",
        warmup_steps=5,
        temperature=1.0,
        beta=0.0,
        gradient_checkpointing=False,
        logging_steps=1,
        save_strategy="no",
        report_to=[],
        disable_tqdm=True,
    )
    trainer = GRPOTrainer(
        model=model,
        reward_funcs=CurriculumReward(course, rule=rule),
        args=settings,
        train_dataset=to_stream(course, chat=False),
        processing_class=tokenizer,
    )
    trainer.train()
    curve = [
        {name: round(float(log[key]), 4) for name, key in _CURVE.items() if key in log}
        for log in trainer.state.log_history
        if "reward" in log
    ]
    end = {name: round(place, 2) for name, place in course.places.items()}
    time_spent = spent()
    return {
        "curve": curve,
        "levels": end,
        **time_spent,
        "after": measured(trainer.model, tokenizer),
    }


_CURVE = {
    "paid": "reward",
    "exact": "tokenbench/exact",
    "answered": "tokenbench/answered",
    "length": "completions/mean_length",
}


def loaded(folder: Path) -> tuple[LlamaForCausalLM, PreTrainedTokenizerFast]:
    """Return a model and its tokenizer."""
    model = LlamaForCausalLM.from_pretrained(folder, dtype=torch.float32)
    return model, PreTrainedTokenizerFast.from_pretrained(folder)


def taught(item: Item, draw: random.Random) -> str:
    """Return the completion of a lesson: the right one, or one that leaves something out."""
    parts = item.solution.split(", ")
    if item.variant == "split" and draw.random() < CARELESS:
        parts.pop()
    return f"<answer>{', '.join(parts)}</answer>"


def measured(model: LlamaForCausalLM, tokenizer: PreTrainedTokenizerFast) -> dict[str, Any]:
    """Return greedy completions of the held-out items, and what they score."""
    found = {}
    for name, items in held_out().items():
        said = completions_of(model, tokenizer, [prompt(item) for item in items], most=MOST)
        found[name] = {**scored(said, items), "said": said}
        print(name, scored(said, items), said[:4], flush=True)
    return found


def held_out() -> dict[str, list[Item]]:
    """Return the items that nobody trains on."""
    return {
        name: list(dataset("compm", variant=variant, level=level, split="test", n=EACH))
        for name, (variant, level) in HELD_OUT.items()
    }


def scored(said: Sequence[str], items: Sequence[Item]) -> dict[str, float]:
    """Return what completions score by every rule, and how many go through a loophole."""
    scores = {
        rule: [score(one, item, rule=rule) for one, item in zip(said, items, strict=True)]
        for rule in RULES
    }
    pairs = list(zip(scores["published"], scores["exact"], strict=True))
    return {
        **{rule: sum(values) / len(values) for rule, values in scores.items()},
        "loophole": sum(paid > right for paid, right in pairs) / len(pairs),
        "unpaid": sum(paid < right for paid, right in pairs) / len(pairs),
        "whole": sum(map(_is_whole, said, items)) / len(said),
    }


def _is_whole(completion: str, item: Item) -> bool:
    """Return whether a completion is the word itself, where its parts are asked for."""
    return (
        item.variant == "split" and completion == f"<answer>{item.meta['drawn']['whole']}</answer>"
    )


def _clock() -> Any:
    wall, cpu = time.perf_counter(), time.process_time()
    return lambda: {
        "wall_s": round(time.perf_counter() - wall),
        "cpu_s": round(time.process_time() - cpu),
    }


if __name__ == "__main__":
    main()
