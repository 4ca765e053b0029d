"""Time, memory and page size of a report, by number of completions.

Runs of a stub model over TASE's suite, with four samples of each item. `--items 25200` measures a
report of 201,600 completions, which takes several minutes.
"""

import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from _timing import Cell, Report

HELPERS = Path(__file__).parents[1] / "tests" / "helpers"
# The number of items, of samples of each, and of runs; `--items` is the number of the largest.
SIZES = ((200, 1, 1), (600, 4, 2))
N_ITEMS, SAMPLES, RUNS = 2_520, 4, 2
PARTS = 42
# Runs in a process of its own, so that its memory is the report's.
SCRIPT = """
import json, resource, sys, time
from pathlib import Path
from tokenbench.run.reporting import report
processor, wall = time.process_time(), time.perf_counter()
path = report(sys.argv[2:], sys.argv[1])
processor, wall = time.process_time() - processor, time.perf_counter() - wall
memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps([processor, wall, memory, path.stat().st_size / 1e6,
                  (path.parent / "results.csv").stat().st_size / 1e6]))
"""


def make_runs(root: Path, n_items: int, samples: int, runs: int) -> list[str]:
    """Write the runs of stub models, and return their folders."""
    from stub_models import StubModel

    from tokenbench import suite
    from tokenbench.run import Options, evaluate

    # Some parts have fewer instances than others.
    pool = suite("tase", size=2 * -(-n_items // PARTS), split="train", unique=True)
    items = [pool[place * len(pool) // n_items] for place in range(n_items)]
    folders = []
    for run in range(runs):
        model = StubModel(f"model-{run}", items, skill=0.5 + 0.3 * run)
        folder = root / f"run-{run}"
        evaluate(items, model, folder, options=Options(samples=samples))
        folders.append(str(folder))
    return folders


def main() -> None:
    """Measure each size, in one run."""
    sys.path.append(str(HELPERS))
    report = Report("Time, memory and page size of a report.", n_items=N_ITEMS)
    rows: list[list[Cell]] = []
    for n_items, samples, runs in (*SIZES, (report.n_items, SAMPLES, RUNS)):
        with TemporaryDirectory() as root:
            folders = make_runs(Path(root), n_items, samples, runs)
            command = [sys.executable, "-c", SCRIPT, f"{root}/report", *folders]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            processor, wall, memory, page, table = json.loads(done.stdout)
            rows.append([
                f"{n_items * samples * runs:,}", round(processor, 1), round(wall, 1),
                round(memory), round(page, 2), round(table, 1),
            ])  # fmt: skip
    report.table(
        "by completions",
        [
            "completions", "processor seconds", "seconds", "memory MB", "page MB",
            "results.csv MB",
        ],
        rows,
    )  # fmt: skip
    report.write()


if __name__ == "__main__":
    main()
